"""Crazy Eights: match the upcard in suit or rank; eights and jokers are wild."""

from cardtable.games.crazy_eights.options import CrazyEightsOptions
from cardtable.rules.game import Game, Name, Picture

GAMES = (
    Game(
        "crazy-eights",
        "Crazy Eights",
        __name__,
        CrazyEightsOptions,
        (2, 5),
        1,
        "match the last card in suit or rank, draw until you can; eights are wild",
        (Name("Eights"), Name("Crazy 8s"), Name("Swedish Rummy")),
        "crazy-eights.md",
        family="shedding",
        minutes=3,
        effort=1,
        picture=Picture("piles", "?? QH", "8S QD 4H JC 2H"),
        pitch="keep an eight for the moment that matters",
    ),
)
