"""Busca: take as few points as you can, and not the last trick."""

from cardtable.games.busca.options import BuscaOptions
from cardtable.rules.game import Game, Picture

GAMES = (
    Game(
        "busca",
        "Busca",
        __name__,
        BuscaOptions,
        (3, 4),
        1,
        "take as few points in tricks as you can, or all of them",
        page="busca.md",
        lowest_wins=True,
        difficulty="low",
        length="medium",
        family="tricks",
        minutes=12,
        effort=2,
        picture=Picture("trick", "QS 7S JC 4D", "KD 9D 5C JS 2S"),
        pitch="take no points at all, or take every one",
    ),
)
