"""Small helpers for sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence


def plural(n: int, word: str) -> str:
    """`1 chip`, `2 chips`."""
    return f"{int(n)} {word}" if n == 1 else f"{int(n)} {word}s"


def listed(words: Sequence[str], joint: str = "and") -> str:
    """`Ann`, `Ann and Ben`, `Ann, Ben and Cleo`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}" if words else ""


def with_names(text: str, names: Sequence[str]) -> str:
    """A sentence with names for its seats: `seat 1 has knocked`, `seats 0 and 2`. A seat without a name stays as it is."""

    def named(found: re.Match[str]) -> str:
        seats = [int(number) for number in re.findall(r"\d+", found[1])]
        return listed([names[seat] for seat in seats]) if max(seats) < len(names) else found[0]

    return re.sub(r"\b[Ss]eats? (\d+(?:(?:, | and )\d+)*)\b", named, text)
