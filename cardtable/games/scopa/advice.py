"""Advice in Scopa: what a card takes, what it leaves to the next player, and what it keeps."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.cards import RANK, card_text, cards_in, rank_of
from cardtable.base.message import Card, Message
from cardtable.games.scopa import rules
from cardtable.games.scopa.rules import State
from cardtable.games.scopa.values import COINS, FIFTEEN, NAPOLA, RE_BELLO, SETTE_BELLO, VALUES
from cardtable.rules.moves import Advice, named

HIGHEST = 10  #: the most that a card can take
SEVENS = RANK << 6


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    board = int(s.board)
    taken, played = steps[0] & board, steps[0] & ~board
    card = Card(card_text(cards_in(played)[0]))
    if taken:
        what = [Card(card_text(one)) for one in cards_in(taken)]
        do = Message("take {what} with {card}", what=what, card=card)
        return Advice(do, _gain(s, taken | played, bool(rules.makes_sweep(s, steps[0]))))
    if rules.to_own_pile(s, cards_in(played)[0]):
        return Advice(Message("put {card} on your pile", card=card), Message("nobody can take it there"))
    do = Message("leave {card} on the table", card=card)
    return Advice(do, _left(s, board | played, int(s.hands[seat]) & ~played))


def _gain(s: State, got: int, clears: bool) -> Message:
    """What a capture brings."""
    # the last card of a deal makes no scopa (SC-20)
    last = s.drawn == s.stock_size and not any(s.counts[p] > (p == s.turn) for p in range(s.seats))
    if clears and not last:
        return Message("that clears the table, a scopa: 1 point")
    if got >> SETTE_BELLO & 1:
        return Message("you get {card}, the sette bello: 1 point", card=Card(card_text(SETTE_BELLO)))
    if s.rules.re_bello and got >> RE_BELLO & 1:
        return Message("you get {card}, the re bello: 1 point", card=Card(card_text(RE_BELLO)))
    if not s.rules.napola_off and (run := got & NAPOLA):
        return Message("you get {cards}, for the napola", cards=named(run))
    if coins := got & COINS:
        return Message("you get {cards}, and most diamonds score", cards=named(coins))
    if sevens := got & SEVENS:
        return Message("you get {cards}, and sevens count most in the primiera", cards=named(sevens))
    return Message("you get {n} cards, and most cards score", n=got.bit_count())


def _left(s: State, board: int, rest: int) -> Message:
    """Why a card is left: what the next player cannot do with the table, or what is kept."""
    worth = sum(int(VALUES[rank_of(one)]) for one in cards_in(board))
    safe = not FIFTEEN - HIGHEST <= worth < FIFTEEN if s.rules.capture_fifteen else worth > HIGHEST
    if board.bit_count() > 1 and safe and s.rules.aces_normal:
        return Message("the table then counts {n}, and nobody can clear it with one card", n=worth)
    if not rest:
        return Message("it is your last card")
    if rest >> SETTE_BELLO & 1:
        return Message("you keep {card}, the sette bello", card=Card(card_text(SETTE_BELLO)))
    return Message("you keep {cards}", cards=named(rest))
