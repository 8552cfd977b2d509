"""Small pictures of figures for a terminal: intervals on an axis, and how often each length occurred."""

from __future__ import annotations

import math
from collections.abc import Sequence

WIDTH = 40  #: columns of a picture
ROWS = 10  #: most rows of a histogram
EIGHTHS = " ▏▎▍▌▋▊▉█"


def intervals(means: Sequence[tuple[float, float, float]], width: int = WIDTH) -> list[str]:
    """Means with their intervals (low, mean, high) on one axis with 0 on it: a line from end to end, a dot at the mean.

    An interval that is not known is left out.
    """
    ends = [x for low, mean, high in means for x in (low, mean, high) if math.isfinite(x)]
    low_end, high_end = min([0.0, *ends]), max([0.0, *ends])
    span = high_end - low_end or 1.0

    def place(x: float) -> int:
        return round((x - low_end) / span * (width - 1))

    lines: list[str] = []
    for low, mean, high in means:
        cells = [" "] * width
        cells[place(0.0)] = "┊"
        if math.isfinite(low) and math.isfinite(high):
            for k in range(place(low), place(high) + 1):
                cells[k] = "┼" if cells[k] == "┊" else "─"
            for end in (place(low), place(high)):
                cells[end] = "│"
        cells[place(mean)] = "●"
        lines.append("".join(cells).rstrip())
    return lines


def histogram(counts: Sequence[int], rows: int = ROWS, width: int = WIDTH) -> list[tuple[int, int, float, str]]:
    """How often numbers occurred: for each row its lowest and highest number, its share, and a bar.

    The longest bar is as wide as the picture. counts: of each number from 0 on.
    """
    there = [number for number, count in enumerate(counts) if count]
    if not there:
        return []
    low, high = there[0], there[-1]
    step = -(-(high - low + 1) // rows)
    total, shares = sum(counts), []
    for first in range(low, high + 1, step):
        last = min(first + step, high + 1) - 1
        shares.append((first, last, sum(counts[first : last + 1]) / total))
    most = max(share for _, _, share in shares)
    return [(first, last, share, _bar(share / most * width)) for first, last, share in shares]


def _bar(length: float) -> str:
    """A bar of a length in columns, to an eighth."""
    eighths = round(length * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()
