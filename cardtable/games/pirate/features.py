"""Features of Pirate for machine learning."""

from __future__ import annotations

from cardtable.rules.features import cards, number, seat

FEATURES = (
    number("cards"),
    number("held"),
    number("turned"),
    cards("unseen"),
    number("fresh"),
    number("left"),
    number("gone", by_seat=False),
    number("rising", by_seat=False),
    number("falling", by_seat=False),
    number("captured"),
    number("sunk"),
    number("sunk_cards"),
    number("tick"),
    number("last"),
    seat("dealer"),
)
