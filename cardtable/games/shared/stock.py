"""Hands and a stock as sets of cards, for the weights that the choices of others give worlds."""

from __future__ import annotations

from typing import Any

from cardtable.kernel import rule
from cardtable.rules import worlds


@rule
def hands_and_stock(s: Any, seat: int, first: int, end: int, sets: Any) -> int:
    """The other hands, then the stock, which lies in s.stock[first:end]."""
    n = s.seats
    for p in range(n):
        sets[p] = 0 if p == seat else s.hands[p]
    sets[n] = 0
    for i in range(first, end):
        sets[n] |= 1 << s.stock[i]
    return n + 1


@rule
def put_from(s: Any, place: int, cards: int, first: int) -> None:
    """Put a set of cards into a hand, or in random order into the stock from s.stock[first] on."""
    if place < s.seats:
        s.hands[place] = cards
    else:
        stock: Any = s.stock
        worlds.spread(s.rng, cards, stock[first:])


@rule
def unseen(s: Any, seat: int, sets: Any) -> int:
    """The other hands, then the undrawn stock."""
    return hands_and_stock(s, seat, s.drawn, s.stock_size, sets)


@rule
def put(s: Any, place: int, cards: int) -> None:
    """Put a set of cards into a hand or into the undrawn stock."""
    put_from(s, place, cards, s.drawn)
