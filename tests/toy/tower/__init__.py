"""Tower: a small game in a separate package, which shows that a game needs no edit anywhere else."""

from cardtable.rules.game import Game

from .options import TowerOptions

GAMES = (
    Game(
        "tower",
        "Tower",
        __name__,
        TowerOptions,
        (2, 4),
        1,
        "lay cards on the tower, none lower than its top, and be the last who can",
        page="tower.md",
    ),
)
