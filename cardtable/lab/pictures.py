"""Pictures of figures as SVG, which every browser shows: black on white, told apart by shape and words alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from cardtable.languages import figure

WIDE, LINE, LEFT, NUMBERS = 960, 26, 300, 250  #: pixels: a picture, a row, the names, the figures at the right


@dataclass(frozen=True)
class Bar:
    """An interval to be drawn: a dot at the middle, a line from low to high."""

    name: str
    middle: float
    low: float
    high: float
    open: bool = False  #: draw a ring in place of the dot: the interval contains 0


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most so many: steps of 1, 2 or 5 times a power of ten."""
    span = high - low
    if not span > 0.0 or not math.isfinite(span):
        return [low]
    step = 10.0 ** math.floor(math.log10(span / most))
    step *= next(times for times in (1, 2, 5, 10) if span / (step * times) <= most)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def intervals(bars: Sequence[Bar], title: str, zero: bool = True) -> str:
    """Intervals one below the other on one axis. zero: the axis has 0 on it, marked by a broken line.

    title: what the picture shows, for readers who cannot see it.
    """
    ends = [x for bar in bars for x in (bar.low, bar.middle, bar.high) if math.isfinite(x)] or [0.0]
    low, high = min(ends), max(ends)
    low, high = (min(low, 0.0), max(high, 0.0)) if zero else (low, high)
    room = (high - low or abs(high) or 1.0) * 0.04
    low, high = low - room, high + room
    right, tall = WIDE - NUMBERS, LINE * (len(bars) + 2)

    def at(x: float) -> float:
        return round(LEFT + (x - low) / (high - low) * (right - LEFT), 1)

    bottom = LINE * len(bars) + 12
    drawn = [f'<line class="axis" x1="{LEFT}" y1="{bottom}" x2="{right}" y2="{bottom}"/>']
    for tick in ticks(low, high):
        drawn.append(f'<line class="axis" x1="{at(tick)}" y1="{bottom}" x2="{at(tick)}" y2="{bottom + 5}"/>')
        drawn.append(f'<text class="tick" x="{at(tick)}" y="{bottom + 20}">{figure(tick, ".6g")}</text>')
    if zero:
        drawn.append(f'<line class="zero" x1="{at(0.0)}" y1="4" x2="{at(0.0)}" y2="{bottom}"/>')
    for row, bar in enumerate(bars):
        drawn += _bar(bar, at, LINE * row + 18, right)
    name = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{name}" viewBox="0 0 {WIDE} {tall}" '
        f'width="{WIDE}" height="{tall}"><title>{name}</title><style>{STYLE}</style>{"".join(drawn)}</svg>'
    )


STYLE = (
    "text{font:14px sans-serif;fill:#000}.tick{text-anchor:middle;font-size:12px}.name{text-anchor:end}"
    ".axis,.bar{stroke:#000;stroke-width:1.5}.zero{stroke:#000;stroke-dasharray:4 4}"
    ".dot{fill:#000;stroke:#000;stroke-width:2}.ring{fill:#fff;stroke:#000;stroke-width:2}"
)


def _bar(bar: Bar, at: Callable[[float], float], y: int, right: int) -> list[str]:
    drawn = [f'<text class="name" x="{LEFT - 12}" y="{y + 5}">{escape(bar.name)}</text>']
    if math.isfinite(bar.low) and math.isfinite(bar.high):
        x1, x2 = at(bar.low), at(bar.high)
        drawn.append(f'<line class="bar" x1="{x1}" y1="{y}" x2="{x2}" y2="{y}"/>')
        drawn += [f'<line class="bar" x1="{x}" y1="{y - 5}" x2="{x}" y2="{y + 5}"/>' for x in (x1, x2)]
        middle, low, high = (figure(x, ".4g") for x in (bar.middle, bar.low, bar.high))
        told = f"{middle} [{low}{'; ' if ',' in low + middle else ', '}{high}]"
    else:
        told = figure(bar.middle, ".4g")
    drawn.append(f'<circle class="{"ring" if bar.open else "dot"}" cx="{at(bar.middle)}" cy="{y}" r="4"/>')
    drawn.append(f'<text x="{right + 12}" y="{y + 5}">{told}</text>')
    return drawn
