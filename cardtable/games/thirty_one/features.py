"""Features of Thirty-One for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, last_of, listed, number, one_of, seat, seats

FEATURES = (
    cards("hands", own=True),
    cards("known"),
    number("hidden"),
    one_of("drawn", 3),
    one_of("taken", 52),
    last_of("pile", "pile_count"),
    listed("pile", "pile_count"),
    seat("knocker"),
    number("showing"),
    seats("alive"),
    number("stock_count"),
    number("stocks"),
    number("takes"),
    number("played"),
    number("pot"),
    number("level"),
    number("scores", -1),
    seat("dealer"),
)
