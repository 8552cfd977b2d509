"""Scopa: take table cards with hand cards, and sweep the table."""

from cardtable.games.scopa.options import ScopaOptions
from cardtable.rules.game import Game, Name, Picture

GAMES = (
    Game(
        "scopa",
        "Scopa",
        __name__,
        ScopaOptions,
        (2, 2),
        1,
        "take table cards with hand cards of their value, and sweep the table",
        (
            Name("Scopone", ("scopone",)),
            Name("Scopone scientifico", ("scopone-ten",)),
            Name("Asso pigliatutto", ("asso-piglia-tutto",)),
            Name("Scopa d'assi", ("asso-piglia-tutto",)),
            Name("Scaragoccia", ("asso-piglia-tutto",)),
            Name("Escoba", ("escoba",)),
            Name("Escoba de quince", ("escoba",)),
            Name("Scopa di quindici", ("escoba",)),
        ),
        page="scopa.md",
        family="captures",
        counts=(8, 9, 10),
        minutes=8,
        effort=2,
        picture=Picture("table", "4C 3D AS KH", "7D 2H 5S"),
        pitch="sweep the table with a single card",
    ),
)
