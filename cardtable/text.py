"""Small helpers for sentences."""

from __future__ import annotations

import unicodedata


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
