"""Small helpers for sentences."""

from __future__ import annotations


def plural(n: int, word: str) -> str:
    """`1 chip`, `2 chips`."""
    return f"{int(n)} {word}" if n == 1 else f"{int(n)} {word}s"
