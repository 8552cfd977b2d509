"""Scopa: take table cards with hand cards, and sweep the table."""

from cardtable.game import Game
from cardtable.games.scopa.options import ScopaOptions

GAMES = (
    Game("scopa", "Scopa", __name__, ScopaOptions, (2, 2), 1,
        "take table cards with hand cards of their value, and sweep the table", page="scopa.md",
        faces=("7D", "4C", "3D")),
)  # fmt: skip
