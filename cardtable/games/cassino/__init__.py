"""Cassino: take table cards with hand cards, and build what you mean to take."""

from cardtable.games.cassino.options import CassinoOptions
from cardtable.rules.game import Game, Name, Picture

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
        family="captures",
        minutes=10,
        gate=1.5,
        effort=2,
        picture=Picture("table", "2S 8H KC 5D", "TD 3C AS 9H"),
        pitch="build now what you take later, if nobody else does",
    ),
)
