"""Features of Cassino for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, me, number, seat

FEATURES = (
    cards("hands", own=True),
    cards("board"),
    cards("built"),
    cards("sum_build", by_seat=False),
    number("sum_owner", by_seat=False),
    cards("pair_build", by_seat=False),
    number("pair_owner", by_seat=False),
    cards("keys", 13),
    cards("piles"),
    number("sweeps"),
    seat("last"),
    number("counts"),
    number("stock_size"),
    number("drawn"),
    number("scores"),
    seat("dealer"),
    me(),
)
