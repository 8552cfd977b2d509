"""Prompts of Scopa."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import RANK, cards_in, rank_of
from cardtable.base.message import Message
from cardtable.games.scopa import rules
from cardtable.games.scopa.rules import State
from cardtable.games.scopa.values import RE_BELLO, SETTE_BELLO, VALUES
from cardtable.rules.moves import Prompt

_CARDS = Message("Play a card. It takes one of its rank, or else cards that add up to it. Clear the table: Scopa!")
_ACES = Message("Play a card. It takes one of its rank, or else cards that add up to it. An ace takes everything.")
_FIFTEEN = Message("Play a card. It takes cards that make 15 together with it. Clear the table: Escoba!")
JACK = 10  #: the lowest rank whose value is not written on the card


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    board = int(s.board)
    does = {move: gain for move in legal if (gain := _does(s, board, move))}
    if not board:
        ask, rule = Message("The table is empty: lay a card on it. The next player may take it."), "SC-14"
    elif any(move & board for move in legal):
        ask, rule = _CARDS, "SC-09"
        if s.rules.capture_fifteen:
            ask, rule = _FIFTEEN, "SC-C12"
        elif not s.rules.aces_normal:
            ask, rule = _ACES, "SC-C7"
    else:
        ask, rule = Message("None of your cards takes anything: leave one on the table."), "SC-14"
    barred = [1 << card for card in cards_in(s.hands[viewer] & RANK) if 1 << card not in legal] if not board else []
    return Prompt(ask, rule, does, tuple(barred))


def _does(s: State, board: int, move: int) -> Message | None:
    """The immediate score of a capture, or the reason why it is one."""
    taken = move & board
    if not taken:
        own = rules.to_own_pile(s, cards_in(move)[0])
        return Message("goes to your pile, and nobody can take it") if own else None
    last = s.drawn == s.stock_size and not any(s.counts[p] > (p == s.turn) for p in range(s.seats))  # SC-20
    if rules.makes_sweep(s, move) and not last:
        return Message("clears the table: a scopa, 1 point")
    if move >> SETTE_BELLO & 1:
        return Message("has the sette bello: 1 point")
    if s.rules.re_bello and move >> RE_BELLO & 1:
        return Message("has the re bello: 1 point")
    rank = rank_of(cards_in(move & ~taken)[0])
    if taken == board and rules.takes_all(s, cards_in(move & ~taken)[0]) and not s.rules.aces_take_all_sweep:
        return Message("takes everything; that is no scopa")
    if rank >= JACK and (taken & (taken - 1) or s.rules.capture_fifteen):
        return Message("{rank} counts {n}", rank=card_names.ANY[rank], n=int(VALUES[rank]))
    return None
