"""Michigan and its kin: one suit is built up from its lead until a stop; the duplicates of money cards win chips."""

from cardtable.games.michigan.options import MichiganOptions
from cardtable.rules.game import Game, Name, Picture

GAMES = (
    Game(
        "michigan",
        "Michigan",
        __name__,
        MichiganOptions,
        (4, 6),
        1,
        "build a suit upward until it stops, play the money cards' duplicates for their chips, and be first out of "
        "cards",
        (
            Name("Newmarket"),
            Name("Chicago"),
            Name("Saratoga"),
            Name("Michigan Boodle"),
            Name("Cross-Color Michigan", ("cross-color",)),
            Name("Sequence Michigan", ("sequence",)),
            Name("Jackpot Michigan", ("jackpot",)),
            Name("Boodle", ("boodle",)),
            Name("Spinado", ("spinado",)),
            Name("Spinade", ("spinado",)),
            Name("Spin", ("spinado",)),
            Name("Pope Joan", ("pope-joan",)),
        ),
        "michigan.md",
        family="sequences",
        minutes=4,
        effort=2,
        picture=Picture("rows", "AH KC QD JS / 8C 9C TC JC", "3D 7D QC 5S AH"),
        pitch="catch the money cards before the run stops",
    ),
)
