"""Thirty-One: collect close to 31 points in one suit; the lowest hand gives up a marker."""

from cardtable.games.thirty_one.options import ThirtyOneOptions
from cardtable.rules.game import Game, Name, Picture

GAMES = (
    Game(
        "thirty-one",
        "Thirty-One",
        __name__,
        ThirtyOneOptions,
        (2, 9),
        1,
        "draw and discard to come near 31 in one suit, and knock; the lowest hand gives up a marker, the last player "
        "left wins",
        (Name("Scat"), Name("Blitz"), Name("Ride the Bus"), Name("Trentuno", ("trentuno",))),
        "thirty-one.md",
        deals_won=False,
        family="shedding",
        minutes=10,
        effort=1,
        prior=(0.5, 19.5, 0.05),
        picture=Picture("piles", "?? 9C", "AH KH TH"),
        pitch="draw once more, or knock now?",
    ),
)
