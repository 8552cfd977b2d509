"""Crazy Eights: match the upcard in suit or rank; eights and jokers are wild."""

from cardtable.game import Game
from cardtable.games.crazy_eights.options import CrazyEightsOptions

GAMES = (
    Game("crazy-eights", "Crazy Eights", __name__, CrazyEightsOptions, (2, 5), 1, "match the last card in suit or rank, draw until you can; eights are wild",
         ("eights", "crazy-8s", "crazy8s", "swedish-rummy"), "crazy-eights.md"),
)  # fmt: skip
