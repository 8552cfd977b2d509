"""Snap: a small game in a separate package, which people play in real time before an arbiter."""

from cardtable.rules.game import Game

from .options import SnapOptions

GAMES = (
    Game(
        "snap",
        "Snap",
        __name__,
        SnapOptions,
        (2, 2),
        1,
        "turn cards, and be the first to see two alike",
        page="snap.md",
    ),
)
