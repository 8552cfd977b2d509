"""Small helpers for sentences."""

from __future__ import annotations


def span(low: int, high: int) -> str:
    """`4`, `4 or 5`, `3 to 8`."""
    return str(low) if low == high else f"{low} {'or' if high == low + 1 else 'to'} {high}"


def plural(n: int, word: str) -> str:
    """`1 chip`, `2 chips`."""
    return f"{int(n)} {word}" if n == 1 else f"{int(n)} {word}s"
