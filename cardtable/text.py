"""Small helpers for sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence


def plain(text: str) -> str:
    """A name as it is looked up: letters and digits only, small ones; `Oh Hell!` and `oh-hell` are one name."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text).casefold() if letter.isalnum())


def slug(text: str) -> str:
    """A name as it is written in addresses and commands: `pope-joan`, `bs` for `B.S.`."""
    return "-".join(filter(None, (plain(word) for word in text.replace("-", " ").replace("_", " ").split())))


def span(low: int, high: int) -> str:
    """`4`, `4 or 5`, `3 to 8`."""
    return str(low) if low == high else f"{low} {'or' if high == low + 1 else 'to'} {high}"


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
