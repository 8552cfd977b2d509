"""Scopa: take table cards with hand cards, and sweep the table."""

from cardtable.game import Game, Picture
from cardtable.games.scopa.options import ScopaOptions

GAMES = (
    Game(
        "scopa",
        "Scopa",
        __name__,
        ScopaOptions,
        (2, 2),
        1,
        "take table cards with hand cards of their value, and sweep the table",
        page="scopa.md",
        family="captures",
        minutes=8,
        effort=2,
        picture=Picture("table", "4C 3D AS KH / 7D"),
    ),
)
