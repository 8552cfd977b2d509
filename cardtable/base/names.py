"""Small helpers for sentences."""

from __future__ import annotations

import unicodedata

from cardtable.base.message import Message


def plain(text: str) -> str:
    """A name as it is looked up: lower-case letters and digits only, so `Oh Hell!` and `oh-hell` are one name."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text).casefold() if letter.isalnum())


def slug(text: str) -> str:
    """A name as it is written in addresses and commands: `pope-joan`, `bs` for `B.S.`."""
    return "-".join(filter(None, (plain(word) for word in text.replace("-", " ").replace("_", " ").split())))


def span(low: int, high: int) -> Message:
    """`4`, `4 or 5`, `3 to 8`."""
    if low == high:
        return Message("{n}", n=low)
    return (
        Message("{low} or {high}", low=low, high=high)
        if high == low + 1
        else Message("{low} to {high}", low=low, high=high)
    )


def no_text(error: UnicodeDecodeError) -> Message:
    """Why the bytes of a file are no text, and where."""
    return Message("line {line} is not UTF-8 text", line=error.object.count(b"\n", 0, error.start) + 1)
