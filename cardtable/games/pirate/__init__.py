"""Pirate: two players build ships from both ends at once, and the card that joins the ends takes the ship."""

from cardtable.game import Game
from cardtable.games.pirate.options import PirateOptions

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
        timed=True,
        faces=("AH", "KH", "QH"),
    ),
)
