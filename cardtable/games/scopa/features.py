"""Features of Scopa for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, me, number, seat

FEATURES = (
    cards("hands", own=True),
    cards("board"),
    cards("piles", by_seat=False),
    number("sweeps"),
    seat("last"),
    number("counts"),
    number("stock_size"),
    number("drawn"),
    number("scores"),
    seat("dealer"),
    me(),
)
