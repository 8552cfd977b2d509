"""Features of Play or Pay for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, number, one_of, seat, seats

FEATURES = (
    cards("hands", own=True),
    cards("layout"),
    cards("absent"),
    one_of("need", 52),
    number("laid"),
    number("run"),
    number("passes"),
    number("counts"),
    number("offences"),
    number("stacks", -100),
    number("pot"),
    seats("lacks"),
    seat("shows", 1),
    seat("dealer"),
)
