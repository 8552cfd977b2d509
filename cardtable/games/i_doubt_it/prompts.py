"""Prompts of I Doubt It."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import RANK
from cardtable.base.message import Message, Seat
from cardtable.games.i_doubt_it.state import ACCEPT, DONE, DOUBT, NAME, State, due, pile_size
from cardtable.rules.moves import Prompt

HIDDEN, SHOWN = Message("the set stays face down"), Message("the set is turned up")


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    if legal[-1] >= NAME:
        return Prompt(Message("Name the rank that this deal begins with. The first set is laid as that rank."), "DB-05")
    if s.window:
        return _doubt(s)
    rank = int(due(s))
    ranks = card_names.PLURALS[rank]
    if s.draft[0]:
        return Prompt(Message("Add another card to lay as {ranks}, or say done.", ranks=ranks), "DB-05", {DONE: LAYS})
    held = sum((int(s.hands[viewer, k]) >> rank & int(RANK)).bit_count() for k in range(2))
    most = min(int(s.rules.max_set), int(s.counts[viewer]))
    ask = Message(
        "Lay {n:a card|1 to @ cards} face down as {ranks}; you hold {held}. If a lie is doubted, you take the pile.",
        n=most,
        ranks=ranks,
        held=held,
    )
    return Prompt(ask, "DB-05")


LAYS = Message("the set is laid face down")


def _doubt(s: State) -> Prompt:
    """Whether the last set is doubted: what that costs whom."""
    rank = int(due(s))
    n, pile = int(s.set_size[s.sets - 1]), int(pile_size(s))
    ask = Message(
        "{seat} {seat:claims|claim} {n:one|@} {rank}. Doubt it? If it is a lie, {seat} {seat:takes|take} the pile "
        "({pile}), else you do.",
        seat=Seat(int(s.turn)),
        n=n,
        rank=card_names.RANKS[rank] if n == 1 else card_names.PLURALS[rank],
        pile=Message("{n} {n:card|cards}", n=pile),
    )
    return Prompt(ask, "DB-08", {ACCEPT: HIDDEN, DOUBT: SHOWN})
