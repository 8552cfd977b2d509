"""What trick-taking games share: dealing singly, following suit, winning tricks, and what tricks prove about the hands.

Cards rank cyclically from a weakest rank `low` (0 the ace .. 12 the king): 2 3 .. K A from the two, 4 5 6 7 J Q K A 2 3
from the four of a pack without 8, 9 and ten; or, as `SPANISH`, 2 4 5 6 7 J Q K 3 A. A player who does not follow suit
has shown that they hold no card of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import SUIT, rank_of, suit_of
from cardtable.games.shared.scores import SEATS, ScoreTable, after
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import count
from cardtable.rules import worlds
from cardtable.rules.contract import LAY, OWN, TABLE, defaults, emit, emit_card, hide_hands, redact_events

TRICK = OWN  #: event: a seat wins a trick
NO_TRUMP = -1
SPANISH = 13  #: instead of a weakest rank: 2 4 5 6 7 J Q K 3 A
#: by rank, from the ace to the king; 8, 9 and ten, which such a pack lacks, have the places that are left
SPANISH_PLACES = np.array([12, 0, 11, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10])


class TrickTable(ScoreTable):
    """The fields of a trick-taking game."""

    turn: int = field()
    leader: int = field()  #: the seat that led the current trick, or leads it next
    laid: int = field()  #: cards in the current trick
    trick: Ints = field("i8", SEATS)  #: its cards, in order of play
    played: int = field()  #: every card played in this deal, including the current trick
    hands: Ints = field("i8", SEATS)
    counts: Ints = field("i8", SEATS)
    voids: Ints = field("i8", SEATS)  #: fact: the suits in which a seat is void, one bit each
    tricks: Ints = field("i8", SEATS)  #: won in this deal


@rule
def suit_cards(card: int) -> int:
    """The thirteen cards of a card's suit."""
    return SUIT << suit_of(card) * 13


@rule
def strength(card: int, low: int) -> int:
    """A card's strength within its suit, 0 to 12."""
    if low == SPANISH:
        return int(SPANISH_PLACES[rank_of(card)])
    place = rank_of(card) - low
    return place + 13 if place < 0 else place


@rule
def worth(card: int, led: int, low: int, trump: int) -> int:
    """The value of a card in a trick, given the suit led; the highest wins. trump: a suit, or NO_TRUMP."""
    suit = suit_of(card)
    return strength(card, low) + 13 * (suit == led) + 26 * (suit == trump)


@rule
def beats(card: int, other: int, low: int, trump: int) -> bool:
    """Whether a card played later beats the card that leads the trick so far."""
    return worth(card, suit_of(other), low, trump) > worth(other, suit_of(other), low, trump)


@rule
def deal_out(s: Any, cards: Any, each: int) -> int:
    """Deal `each` cards to every seat in play, one at a time from eldest, and clear the tricks; return the number of
    cards dealt.
    """
    for p in range(len(s.hands)):
        s.hands[p] = s.counts[p] = s.voids[p] = s.tricks[p] = s.trick[p] = 0
    s.laid = s.played = 0
    s.turn = s.leader = after(s, s.dealer, s.in_play)
    p, n = s.turn, count(s.in_play)
    for first in range(n):
        hand = 0
        for i in range(first, n * each, n):
            hand |= 1 << cards[i]
        s.hands[p], s.counts[p] = hand, each
        p = after(s, p, s.in_play)
    return n * each


@rule
def allowed(s: Any, seat: int) -> int:
    """The cards that a seat may play: those of the suit led if it holds any, otherwise all; the leader may play any
    card.
    """
    hand = s.hands[seat]
    if s.laid:
        following = hand & suit_cards(s.trick[0])
        if following:
            return following
    return hand


@rule
def lay(s: Any, seat: int, card: int, why: int) -> None:
    """Play a card of a seat to the trick."""
    emit_card(s, LAY, seat, TABLE, card, why)
    if s.laid and suit_of(card) != suit_of(s.trick[0]):
        s.voids[seat] |= 1 << suit_of(s.trick[0])
    s.trick[s.laid] = card
    s.laid += 1
    s.played |= 1 << card
    s.hands[seat] &= ~(1 << card)
    s.counts[seat] -= 1
    s.turn = after(s, seat, s.in_play)


@rule
def best(s: Any, low: int, trump: int) -> int:
    """The place in the current trick of the card that is winning it (0: the card led)."""
    led = suit_of(s.trick[0])
    k, most = 0, worth(s.trick[0], led, low, trump)
    for i in range(1, s.laid):
        now = worth(s.trick[i], led, low, trump)
        k = i if now > most else k
        most = max(most, now)
    return k


@rule
def gather(s: Any, low: int, trump: int, why: int) -> int:
    """End a full trick: its winner takes it and leads next; return the winner."""
    led = suit_of(s.trick[0])
    winner = p = s.leader
    most = worth(s.trick[0], led, low, trump)
    for i in range(1, s.laid):
        p = after(s, p, s.in_play)
        now = worth(s.trick[i], led, low, trump)
        winner = p if now > most else winner
        most = max(most, now)
    s.tricks[winner] += 1
    for i in range(s.laid):
        s.trick[i] = 0
    s.laid = 0
    s.turn = s.leader = winner
    emit(s, TRICK, winner, TABLE, s.tricks[winner], why)
    return winner


@rule
def hide(s: Any, seat: int) -> None:
    """The part of `redact` shared by trick-taking games: erase the other hands, and private events of other seats."""
    redact_events(s, seat)
    hide_hands(s, seat)


@rule
def fill(s: Any, seat: int, unseen: int, work: worlds.Work) -> int:
    """Deal the unseen cards to the other hands, with equal chance for all ways that the known voids allow.

    Return the cards left over, which are in no hand.
    """
    return fill_around(s, seat, unseen, np.zeros(s.seats + 1, np.int64), work)


@rule
def fill_around(s: Any, seat: int, unseen: int, bars: Any, work: worlds.Work) -> int:
    """The same with further cards that seats are known to lack: `bars`, by seat, in which it also writes the voids."""
    n = s.seats
    room = np.zeros(n + 1, np.int64)
    hands = np.zeros(n + 1, np.int64)
    over = count(unseen)
    for p in range(n):
        if p != seat:
            room[p] = s.counts[p]
            over -= s.counts[p]
            for suit in range(4):
                if s.voids[p] >> suit & 1:
                    bars[p] |= SUIT << 13 * suit
    room[n] = over
    worlds.fill(s.rng, unseen, hands, bars, room, n + 1, work)
    for p in range(n):
        if p != seat:
            s.hands[p] = hands[p]
    return int(hands[n])


@rule
def hands_and_rest(s: Any, seat: int, out_of: int, sets: Any) -> int:
    """The part of `unseen` shared by trick-taking games: the other hands, then the rest of the cards `out_of`."""
    n = s.seats
    sets[n] = out_of
    for p in range(n):
        sets[n] &= ~s.hands[p]
        sets[p] = 0 if p == seat else s.hands[p]
    return n + 1


@rule
def no_void(s: Any, seat: int, place: int, cards: int) -> bool:
    """Whether a hand has no card of a suit in which its seat is void."""
    if place < s.seats:
        for suit in range(4):
            if s.voids[place] >> suit & 1 and cards >> 13 * suit & SUIT:
                return False
    return True


@rule
def put(s: Any, place: int, cards: int) -> None:
    """Put a set of cards into a hand; cards in no hand are not stored."""
    if place < s.seats:
        s.hands[place] = cards


@rule
def with_card(s: Any, who: int, move: int, cards: int, rng: Any) -> int:
    """A seat's hand before it played a card; any other move left it unchanged."""
    return cards | 1 << move if move < 52 else cards


defaults(TrickTable, redact=hide, may_hold=no_void, put=put, held_before=with_card)
