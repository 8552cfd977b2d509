"""Pirate: two players build ships from both ends at once, and the card that joins the ends takes the ship."""

from cardtable.games.pirate.options import PirateOptions
from cardtable.rules.game import Game, Picture

GAMES = (
    Game(
        "pirate",
        "Pirate",
        __name__,
        PirateOptions,
        (2, 2),
        1,
        "build ships from both ends at once, and be the one who joins them",
        page="pirate.md",
        family="captures",
        minutes=5,
        effort=2,
        picture=Picture("columns", "AH KH QH / ?? / 4S 3S 2S AS / 7D / 9C 8C"),
        pitch="join the ships before your opponent does",
    ),
)
