"""Features of Fan Tan, Five or Nine and Domino Fan-Tan for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, number, one_of, seat

FEATURES = (
    cards("hands", own=True),
    cards("layout"),
    cards("lacks"),
    number("counts"),
    number("stacks", -100),
    number("pot"),
    one_of("set_rank", 14),
    one_of("group", 6),
    number("passes"),
    number("stock_size"),
    number("drawn"),
    number("fresh"),
    seat("dealer"),
)
