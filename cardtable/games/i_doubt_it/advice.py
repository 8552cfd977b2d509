"""Advice in I Doubt It: what is true of a set, and how likely a claim is from one's own cards."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import RANK, card_text, rank_of
from cardtable.base.message import Card, Message, Seat
from cardtable.games.i_doubt_it.state import ACCEPT, DONE, DOUBT, NAME, PACKS, State, due, pile_size
from cardtable.rules.moves import Advice


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it. steps: the cards of a set, and DONE."""
    move = steps[0]
    if move >= NAME:
        ranks = card_names.PLURALS[move - NAME]
        return Advice(
            Message("name {ranks}", context="advice", ranks=ranks), _held_of(_held(s, seat, move - NAME), ranks)
        )
    if move in (ACCEPT, DOUBT):
        return _answer(s, seat, move == DOUBT)
    laid = [one for one in steps if one < DONE]
    draft = [card for k in range(PACKS) for card in range(52) if int(s.draft[k]) >> card & 1]
    rank = int(due(s))
    ranks = card_names.PLURALS[rank]
    if not laid:
        return Advice(Message("say done", context="advice"), _why_laid(s, seat, draft, rank))
    cards = [Card(card_text(one)) for one in laid]
    return Advice(Message("lay {cards} as {ranks}", cards=cards, ranks=ranks), _why_laid(s, seat, draft + laid, rank))


def _held(s: State, seat: int, rank: int) -> int:
    """How many cards of a rank a seat holds."""
    return sum((int(s.hands[seat, k]) >> rank & int(RANK)).bit_count() for k in range(PACKS))


def _held_of(n: int, ranks: Message) -> Message:
    return Message("you hold {n:one|@} of them", n=n) if n else Message("you hold no {ranks}", ranks=ranks)


def _why_laid(s: State, seat: int, cards: list[int], rank: int) -> Message:
    """Why a set is laid: it is true; or it is a bluff, and what is gained or risked."""
    pile, false = int(pile_size(s)), sum(1 for card in cards if rank_of(card) != rank)
    ranks, held = card_names.PLURALS[rank], _held(s, seat, rank)
    if len(cards) == s.counts[seat]:
        return Message("they are your last cards") if len(cards) > 1 else Message("it is your last card")
    if not false:
        return Message("that is the truth, and a false doubt costs the pile")
    if pile == 0 and held == 0:
        return Message("you hold no {ranks}, but no card lies in the pile yet", ranks=ranks)
    if pile == 0:
        return Message("it is a bluff, but no card lies in the pile yet")
    rid = Message("are rid of {n:one card|@ cards} unless somebody doubts", n=len(cards))
    if held == 0:
        return Message("you hold no {ranks}, so you bluff, and {rid}", ranks=ranks, rid=rid)
    return Message("you bluff, and {rid}", rid=rid)


def _answer(s: State, seat: int, doubts: bool) -> Advice:
    """Why a claim is doubted or accepted: how many cards of its rank can be elsewhere."""
    rank, claimed = int(due(s)), int(s.set_size[s.sets - 1])
    ranks, held = card_names.PLURALS[rank], _held(s, seat, rank)
    whole = sum(4 - (int(s.absent[k]) >> rank & int(RANK)).bit_count() for k in range(int(s.rules.decks)))
    own = Message("you hold {held} of the {whole} {ranks}", held=held, whole=whole, ranks=ranks)
    if not held:
        own = Message("you hold no {ranks}", ranks=ranks)
    possible = claimed <= whole - held
    if doubts:
        do = Message("doubt the claim")
        if not possible:
            return Advice(do, Message("{own}, so it must be a lie", own=own))
        if not s.counts[s.turn]:
            return Advice(do, Message("{seat} {seat:has|have} no other card, and would be out", seat=Seat(int(s.turn))))
        if held:
            return Advice(do, own)
        return Advice(do, Message("only {n:one card lies|@ cards lie} in the pile", n=int(pile_size(s))))
    do = Message("accept the claim")
    if possible:
        return Advice(do, Message("{own}, so it may be true", own=own))
    return Advice(do, Message("then the pile stays where it is"))
