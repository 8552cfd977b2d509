"""Features of Oh Hell! for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, number, one_of, seat, seats

FEATURES = (
    cards("hands", own=True),
    cards("played"),
    one_of("trick", 52, by_seat=False, length="laid"),
    seat("leader"),
    one_of("upcard", 52),
    number("each"),
    one_of("bids", 11),
    number("tricks"),
    number("counts"),
    cards("voids", 4),
    number("scores", -100),
    seats("in_play"),
    seat("dealer"),
    number("deal_number"),
    number("bids", -1),
)
