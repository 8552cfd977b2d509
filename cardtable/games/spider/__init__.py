"""Spider, a patience for one: ten columns, two packs, eight runs of one suit from king to ace."""

from cardtable.games.spider.options import SpiderOptions
from cardtable.rules.game import Game, Name, Picture

GAMES = (
    Game(
        "spider",
        "Spider",
        __name__,
        SpiderOptions,
        (1, 1),
        1,
        "a patience for one: build eight runs from king to ace, each of one suit, out of two packs",
        (
            Name("Spider Solitaire"),
            Name("Solitaire"),
            Name("Patience"),
            Name("Two-Suit Spider", ("two-suits",)),
            Name("One-Suit Spider", ("one-suit",)),
        ),
        "spider.md",
        family="patience",
        minutes=15,
        effort=3,
        starts="one-suit",
        picture=Picture(
            "columns",
            "?? ?? ?? KS QS JS TS 9S / ?? ?? 5S 4S 3S / ?? 9S 8S 7S 6S 5S / ?? ?? ?? ?? 2S AS / ?? ?? TS 9S 8S /"
            "6S 5S 4S / ?? ?? ?? ?? 3S 2S / QS JS TS / ?? ?? ?? 8S 7S / ?? ?? 7S 6S",
        ),
        pitch="untangle two packs into eight runs",
    ),
)
