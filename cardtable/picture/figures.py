"""Charts as SVG, which every browser shows: black on white, distinguished by shape and words alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from cardtable.base.digits import rounded
from cardtable.base.languages import figure

WIDE, LINE, LEFT, NUMBERS = 960, 26, 300, 250  #: pixels: a picture, a row, the names, the figures at the right


@dataclass(frozen=True)
class Bar:
    """An interval to be drawn: a dot at the middle, a line from low to high."""

    name: str
    middle: float
    low: float
    high: float
    open: bool = False  #: draw a ring instead of the dot: the interval contains 0

    def rounded(self) -> Bar:
        """Without the digits that the interval does not bear out."""
        middle, low, high = (rounded(x, (self.high - self.low) / 2.0) for x in (self.middle, self.low, self.high))
        return Bar(self.name, middle, low, high, self.open)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most this many: steps of 1, 2 or 5 times a power of ten."""
    span = high - low
    if not span > 0.0 or not math.isfinite(span):
        return [low]
    step = 10.0 ** math.floor(math.log10(span / most))
    step *= next(times for times in (1, 2, 5, 10) if span / (step * times) <= most)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def intervals(bars: Sequence[Bar], title: str, zero: bool = True) -> str:
    """Intervals one below the other on one axis, with the digits that they bear out.

    zero: the axis has 0 on it, marked by a broken line.
    title: a description for readers who cannot see the picture.
    """
    bars = [bar.rounded() for bar in bars]
    ends = [x for bar in bars for x in (bar.low, bar.middle, bar.high) if math.isfinite(x)] or [0.0]
    low, high = min(ends), max(ends)
    low, high = (min(low, 0.0), max(high, 0.0)) if zero else (low, high)
    room = (high - low or abs(high) or 1.0) * 0.04
    low, high = low - room, high + room
    right, tall = WIDE - NUMBERS, LINE * (len(bars) + 2)
    at, bottom = _scale(low, high, LEFT, right), LINE * len(bars) + 12
    drawn = _axis(at, ticks(low, high), LEFT, right, bottom)
    if zero:
        drawn.append(f'<line class="zero" x1="{at(0.0)}" y1="4" x2="{at(0.0)}" y2="{bottom}"/>')
    for row, bar in enumerate(bars):
        drawn += _bar(bar, at, LINE * row + 18, right)
    return _drawing(title, tall, drawn)


def marks(rows: Sequence[tuple[str, Sequence[float | None]]], names: Sequence[str], title: str) -> str:
    """Several values in each row, on one axis, each with its own shape, explained in a first row.

    rows: the name of each, and its values in the order of `names`, of which there are at most five; None: no value.
    """
    values = [x for _, row in rows for x in row if x is not None] or [0.0]
    room = (max(values) - min(values) or abs(values[0]) or 1.0) * 0.04
    low, high = min(values) - room, max(values) + room
    right, tall = WIDE - LINE, LINE * (len(rows) + 3)
    at, bottom = _scale(low, high, LEFT, right), LINE * (len(rows) + 1) + 12
    drawn = _axis(at, ticks(low, high), LEFT, right, bottom)
    for place, (name, shape) in enumerate(zip(names, SHAPES, strict=False)):
        x = LEFT + place * (right - LEFT) / len(names) + 8
        drawn.append(_mark(shape, x, 18) + f'<text x="{x + 12}" y="23">{escape(name)}</text>')
    for line, (name, row) in enumerate(rows):
        y = LINE * (line + 1) + 18
        drawn.append(f'<text class="name" x="{LEFT - 12}" y="{y + 5}">{escape(name)}</text>')
        drawn.append(f'<line stroke="#ccc" x1="{LEFT}" y1="{y}" x2="{right}" y2="{y}"/>')
        drawn += [_mark(shape, at(x), y) for shape, x in zip(SHAPES, row, strict=False) if x is not None]
    return _drawing(title, tall, drawn)


def curve(points: Sequence[tuple[float, float]], title: str, across: str, up: str) -> str:
    """A figure as a function of another, positive one on a logarithmic axis; a dot for each point, with its value
    next to it. across, up: the labels of the two axes.
    """
    left, right, top, bottom = 90, WIDE - 60, 24, 324
    x_at = _scale(math.log(points[0][0]), math.log(points[-1][0]), left, right)
    lowest, highest = min(y for _, y in points), max(y for _, y in points)
    y_at = _scale(lowest, highest or 1.0, bottom - 30, top)
    drawn = [f'<line class="axis" x1="{left}" y1="{bottom}" x2="{right}" y2="{bottom}"/>']
    for x, y in points:
        here, high = x_at(math.log(x)), y_at(y)
        drawn.append(f'<line class="axis" x1="{here}" y1="{bottom}" x2="{here}" y2="{bottom + 5}"/>')
        drawn.append(f'<text class="tick" x="{here}" y="{bottom + 20}">{figure(x, ".6g")}</text>')
        drawn.append(f'<circle class="dot" cx="{here}" cy="{high}" r="4"/>')
        drawn.append(f'<text x="{here + 7}" y="{high + 18}">{figure(y, ".4g")}</text>')
    line = " ".join(f"{x_at(math.log(x))},{y_at(y)}" for x, y in points)
    drawn.append(f'<polyline fill="none" stroke="#000" points="{line}"/>')
    drawn.append(f'<text class="tick" x="{(left + right) / 2}" y="{bottom + 42}">{escape(across)}</text>')
    drawn.append(f'<text x="{left}" y="{top - 8}">{escape(up)}</text>')
    return _drawing(title, bottom + 56, drawn)


SHAPES = ("ring", "triangle", "dot", "square", "diamond")


def _mark(shape: str, x: float, y: float) -> str:
    if shape in ("ring", "dot"):
        return f'<circle class="{shape}" cx="{x}" cy="{y}" r="5"/>'
    corners = {
        "triangle": ((0, -6), (6, 5), (-6, 5)),
        "square": ((-5, -5), (5, -5), (5, 5), (-5, 5)),
        "diamond": ((0, -7), (7, 0), (0, 7), (-7, 0)),
    }[shape]
    kind = "dot" if shape == "diamond" else "ring"
    return f'<polygon class="{kind}" points="{" ".join(f"{round(x + dx, 1)},{y + dy}" for dx, dy in corners)}"/>'


def _scale(low: float, high: float, left: int, right: int) -> Callable[[float], float]:
    return lambda x: round(left + (x - low) / (high - low or 1.0) * (right - left), 1)


def _axis(at: Callable[[float], float], values: Sequence[float], left: int, right: int, bottom: int) -> list[str]:
    drawn = [f'<line class="axis" x1="{left}" y1="{bottom}" x2="{right}" y2="{bottom}"/>']
    for x in values:
        drawn.append(f'<line class="axis" x1="{at(x)}" y1="{bottom}" x2="{at(x)}" y2="{bottom + 5}"/>')
        drawn.append(f'<text class="tick" x="{at(x)}" y="{bottom + 20}">{figure(x, ".6g")}</text>')
    return drawn


def _drawing(title: str, tall: int, drawn: Sequence[str]) -> str:
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


def _shown(x: float) -> str:
    """Four digits of a figure."""
    return figure(x, ",.0f" if abs(x) >= 9999.5 else ".4g")


def _bar(bar: Bar, at: Callable[[float], float], y: int, right: int) -> list[str]:
    drawn = [f'<text class="name" x="{LEFT - 12}" y="{y + 5}">{escape(bar.name)}</text>']
    if math.isfinite(bar.low) and math.isfinite(bar.high):
        x1, x2 = at(bar.low), at(bar.high)
        middle, low, high = (_shown(x) for x in (bar.middle, bar.low, bar.high))
        drawn.append(f'<line class="bar" x1="{x1}" y1="{y}" x2="{x2}" y2="{y}"/>')
        drawn += [f'<line class="bar" x1="{x}" y1="{y - 5}" x2="{x}" y2="{y + 5}"/>' for x in (x1, x2)]
        caption = f"{middle} [{low}{'; ' if ',' in low + middle else ', '}{high}]"
    else:
        caption = _shown(bar.middle)
    drawn.append(f'<circle class="{"ring" if bar.open else "dot"}" cx="{at(bar.middle)}" cy="{y}" r="4"/>')
    drawn.append(f'<text x="{right + 12}" y="{y + 5}">{caption}</text>')
    return drawn
