"""Features of I Doubt It for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, me, number, one_of, seat

FEATURES = (
    cards("hands", own=True),
    cards("draft", by_seat=False),
    cards("may", own=True),
    number("window"),
    seat("turn"),
    seat("asked"),
    one_of("first_rank", 13),
    number("t"),
    number("counts"),
    number("sets"),
    number("set_size", by_seat=False, length="sets"),
    number("set_by", by_seat=False, length="sets"),
    number("scores"),
    seat("dealer"),
    me(),
)
