"""Features of Michigan for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, number, one_of, seat, seats

FEATURES = (
    cards("hands", own=True),
    one_of("phase", 6),
    number("on", by_seat=False),
    number("counts"),
    cards("dead"),
    number("dead_count"),
    seat("exchanger", 1),
    seats("bidders"),
    number("high"),
    seat("high_seat"),
    one_of("cur", 52),
    seat("last"),
    cards("barred", 4),
    number("passes"),
    seats("asked"),
    number("played"),
    cards("lacks"),
    cards("shows"),
    cards("laid_by"),
    number("stacks", -100),
    number("pot"),
    seat("dealer"),
)
