"""Features of Busca for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, number, one_of, seat

FEATURES = (
    cards("hands", own=True),
    cards("played"),
    one_of("trick", 52, by_seat=False, length="laid"),
    seat("leader"),
    one_of("aside", 52, 1),
    number("aside_laid"),
    number("tricks"),
    number("won"),
    number("counts"),
    cards("voids", 4),
    number("scores"),
    seat("dealer"),
)
