"""Cassino: take table cards with hand cards, and build what you mean to take."""

from cardtable.game import Game, Name
from cardtable.games.cassino.options import CassinoOptions

GAMES = (
    Game(
        "cassino",
        "Cassino",
        __name__,
        CassinoOptions,
        (2, 2),
        2,
        "take table cards with hand cards, and build what you mean to take later",
        (Name("Casino"),),
        page="cassino.md",
        faces=("TD", "2S", "8H"),
    ),
)
