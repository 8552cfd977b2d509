"""Prompts of Cassino."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import cards_in, rank_of
from cardtable.base.message import Message
from cardtable.games.cassino.state import BUILD, CARDS, DECLARED, KIND, PAIR, RAISE, TAKE, TRAIL, State
from cardtable.rules.moves import Prompt


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    table = int(s.board) | int(s.built)
    kinds = {move >> KIND & 15 for move in legal}
    does = {move: gain for move in legal if (gain := _does(table, move, bool(s.rules.sweeps)))}
    mine = any(s.sum_build[v] and s.sum_owner[v] == viewer for v in range(2, 11)) or any(
        s.pair_build[r] and s.pair_owner[r] == viewer for r in range(13)
    )
    if not table:
        ask, rule = Message("The table is empty: lay a card on it. Your opponent may take it."), "CA-06"
    elif kinds == {TRAIL}:
        ask, rule = Message("None of your cards takes or builds: leave one on the table."), "CA-06"
    elif mine and TRAIL not in kinds:
        ask, rule = Message("You own a build: take cards, build, or add to a build."), "CA-Q4"
    elif TAKE not in kinds:
        ask, rule = Message("None of your cards takes anything: build to take it later, or leave a card."), "CA-14"
    else:
        ask, rule = (
            Message("Play a card: take its rank or cards that add up to it, build for later, or leave it."),
            "CA-05",
        )
    return Prompt(ask, rule, does)


def _does(table: int, move: int, sweeps: bool) -> Message | None:
    """The effect of a move, where its name does not show it."""
    kind, declared, others = move >> KIND & 15, move >> DECLARED, move & CARDS & table
    if kind in (BUILD, RAISE):
        return Message("to be taken with {rank}, by either of you", rank=card_names.ANY[declared - 1])
    if kind == PAIR:
        rank = rank_of(cards_in(move & CARDS & ~table)[0])
        return Message("to be taken with {rank}, by either of you", rank=card_names.ANY[rank])
    if kind == TAKE and others == table and sweeps:
        return Message("clears the table: a sweep, 1 point")
    return None
