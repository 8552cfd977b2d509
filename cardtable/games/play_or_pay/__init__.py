"""Play or Pay: one suit at a time, upward and round the corner; players who cannot add the next card pay."""

from cardtable.games.play_or_pay.options import PlayOrPayOptions
from cardtable.rules.game import Game, Name, Picture

GAMES = (
    Game(
        "play-or-pay",
        "Play or Pay",
        __name__,
        PlayOrPayOptions,
        (4, 4),
        1,
        "build one suit after the other, upward and round the corner: add the next card or pay; first out of cards "
        "wins",
        (Name("Pay or Play"), Name("Original Fan Tan", ("original",))),
        "play-or-pay.md",
        by_hand=True,
        family="sequences",
        minutes=5,
        effort=1,
        picture=Picture("rows", "JS QS KS AS 2S 3S", "4S 8H 4D TC AD"),
        pitch="lay the next card or pay for it",
    ),
)
