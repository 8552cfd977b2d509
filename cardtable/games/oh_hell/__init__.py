"""Oh Hell!: predict exactly how many tricks you will win."""

from cardtable.games.oh_hell.options import OhHellOptions
from cardtable.rules.game import Game, Name, Picture

AS_MOST_PLAY = (
    "Up and Down the River",
    "Blackout",
    "Contract Whist",
    "Nomination Whist",
    "Boerenbridge",
    "Rikiki",
    "Ascenseur",
    "Stiche-Raten",
    "Fahrstuhl",
)

GAMES = (
    Game(
        "oh-hell",
        "Oh Hell!",
        __name__,
        OhHellOptions,
        (4, 5),
        1,
        "predict exactly how many tricks you will win",
        aliases=(
            *(Name(title, ("common",)) for title in AS_MOST_PLAY),
            *(Name(title, ("pocha",)) for title in ("Pocha", "La Pocha", "Podrida", "La Podrida")),
        ),
        page="oh-hell.md",
        family="tricks",
        minutes=18,
        effort=3,
        picture=Picture("trick", "KD AD 2C 9D", "QS 7S AH 3C"),
        pitch="say how many tricks you will win, and win exactly those",
    ),
)
