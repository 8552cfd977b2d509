"""Fan Tan, Five or Nine and Domino Fan-Tan: rows built up and down from their founding cards."""

from cardtable.game import Game, Name, Picture
from cardtable.games.fan_tan.options import DominoOptions, FanTanOptions, FiveOrNineOptions

GAMES = (
    Game("fan-tan", "Fan Tan", __name__, FanTanOptions, (4, 5), 1,
        "build every suit up and down from its 7; first out of cards wins",
         (Name("Parliament", ("denexa", "stops", "british")), Name("Stops", ("denexa",)),
          Name("Sevens", ("stops", "british")), Name("Card Dominoes", ("stops", "british"))), "fan-tan.md",
          difficulty="low", length="short", family="sequences", minutes=7, effort=1,
          picture=Picture("rows", "6S 7S 8S 9S / 5H 6H 7H / 7D 8D")),
    Game("five-or-nine", "Five or Nine", __name__, FiveOrNineOptions, (4, 4), 1,
        "Fan Tan opened by a 5 or a 9, whose rank then founds every row",
         (Name("Domino Whist"),), "five-or-nine.md", family="sequences", minutes=7, effort=1,
         picture=Picture("rows", "9D TD JD / 9S / 8C 9C TC")),
    Game("domino-fan-tan", "Domino Fan-Tan", __name__, DominoOptions, (2, 2), 1,
        "Fan Tan for two with a stock to draw from",
         (Name("Two-Handed Fan Tan"),), "domino-fan-tan.md", module="domino", family="sequences", minutes=5, effort=2,
         gate=1.5,
         picture=Picture("rows", "7H 8H 9H / 6C 7C / ?? 7S")),
)  # fmt: skip
