"""Advice in Cassino: what a move takes or prepares, and what it keeps."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import RANK, SUIT, card_text, cards_in, rank_of
from cardtable.base.message import Card, Message
from cardtable.games.cassino.presentation import taken
from cardtable.games.cassino.state import BIG, BUILD, CARDS, DECLARED, KIND, LITTLE, PAIR, RAISE, TAKE, VALUES, State
from cardtable.rules.moves import Advice, named


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    move = steps[0]
    kind, declared, table = move >> KIND & 15, move >> DECLARED, int(s.board) | int(s.built)
    played, others = move & CARDS & ~table, move & table
    card = cards_in(played)[0]
    rest = int(s.hands[seat]) & ~played
    if kind == TAKE:
        do = Message("take {what} with {card}", what=taken(s, seat, others), card=Card(card_text(card)))
        return Advice(do, _gain(s, seat, card, others, table))
    if kind == BUILD:
        return Advice(_build(card, others, declared - 1), _key(rest, declared - 1))
    if kind == PAIR:
        return Advice(_build(card, others, rank_of(card)), _key(rest, rank_of(card)))
    if kind == RAISE:
        ranks = card_names.PLURALS[declared - 1]
        do = Message("raise the build with {card} to a build of {ranks}", card=Card(card_text(card)), ranks=ranks)
        return Advice(do, _key(rest, declared - 1))
    return Advice(Message("leave {card} on the table", card=Card(card_text(card))), _left(s, card, rest, table))


def _gain(s: State, seat: int, card: int, others: int, table: int) -> Message:
    """What a capture brings."""
    if s.rules.sweeps and others == table:
        return Message("that clears the table, a sweep: 1 point")
    got = others | 1 << card
    scoring = got & (RANK | 1 << LITTLE | 1 << BIG)
    if scoring:
        points = scoring.bit_count() + (scoring >> BIG & 1)
        return Message("you get {cards}, worth {n} {n:point|points}", cards=named(scoring), n=points)
    if spades := got & SUIT:
        return Message("you get {cards}, and most spades score", cards=named(spades))
    return Message("you get {n} cards, and most cards score 3 points", n=got.bit_count())


def _build(card: int, others: int, rank: int) -> Message:
    ranks = card_names.PLURALS[rank]
    if not others:
        return Message("add {card} to the build of {ranks}", card=Card(card_text(card)), ranks=ranks)
    return Message(
        "put {card} on {cards} as a build of {ranks}",
        card=Card(card_text(card)),
        cards=named(others),
        ranks=ranks,
    )


def _key(rest: int, rank: int) -> Message:
    """Why a build is safe to make: the card that is kept for it."""
    keys = rest & int(RANK) << rank
    return (
        Message("you keep {cards} to take it with", cards=named(keys))
        if keys
        else Message("it can be taken with {rank}", rank=card_names.ANY[rank])
    )


def _left(s: State, card: int, rest: int, table: int) -> Message:
    """Why a card is left: the cards that are kept, and what they are kept for."""
    if not rest:
        return Message("it is your last card")
    board = int(s.board) | 1 << card
    pairs = sum(1 << one for one in cards_in(rest) if int(RANK) << rank_of(one) & board)
    if pairs:
        return Message("you keep {cards} for pairs", cards=named(pairs))
    scoring = rest & (RANK | 1 << LITTLE | 1 << BIG)
    if scoring:
        return Message("you keep {cards}, which {n:scores|score}", cards=named(scoring), n=scoring.bit_count())
    if not VALUES[rank_of(card)]:
        return Message("only another {rank} can take it", rank=card_names.RANKS[rank_of(card)])
    return Message("you keep {cards}", cards=named(rest))
