"""Features of Crazy Eights for machine learning."""

from __future__ import annotations

from cardtable.games.crazy_eights.state import KINDS
from cardtable.rules.features import cards, last_of, number, one_of, seat

FEATURES = (
    cards("hands", KINDS, own=True),
    last_of("pile", "pile_size", KINDS),
    cards("known", KINDS),
    cards("gone", KINDS),
    one_of("named", 4, 1),
    number("naming"),
    number("free"),
    number("counts"),
    number("stock_size"),
    number("pile_size"),
    number("turns"),
    number("scores"),
    seat("dealer"),
)
