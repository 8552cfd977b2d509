"""I Doubt It: cards laid face down as aces, twos, threes …; a doubter turns them up, and one of the two players takes
the pile.
"""

from cardtable.games.i_doubt_it.options import DoubtOptions
from cardtable.rules.game import Game, Name, Picture

GAMES = (
    Game(
        "i-doubt-it",
        "I Doubt It",
        __name__,
        DoubtOptions,
        (4, 8),
        2,
        "lay cards face down, say what they are, and be believed",
        aliases=(Name("Cheat"), Name("B.S."), Name("Bullshit", ("bullshit",))),
        page="i-doubt-it.md",
        family="shedding",
        minutes=8,
        effort=1,
        picture=Picture("fan", "?? ?? ??", "AS 2D 2S 7C JH KD"),
        pitch="be believed while you lie",
    ),
)
