"""Oh Hell!: predict exactly how many tricks you will win."""

from cardtable.games.oh_hell.options import OhHellOptions
from cardtable.rules.game import Game, Picture

GAMES = (
    Game(
        "oh-hell",
        "Oh Hell!",
        __name__,
        OhHellOptions,
        (4, 5),
        1,
        "predict exactly how many tricks you will win",
        page="oh-hell.md",
        family="tricks",
        minutes=18,
        effort=3,
        picture=Picture("trick", "KD AD 2C 9D", "QS 7S AH 3C"),
        pitch="say how many tricks you will win, and win exactly those",
    ),
)
