"""The order of the cards in Michigan, from 2 up to the ace (MI-04), and who may hold what."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import SUIT, rank_of, suit_of
from cardtable.kernel import rule
from cardtable.kernel.bits import lowest

RED, BLACK = 0b0110, 0b1001  #: suits: S H D C
DIAMONDS = 2


@rule
def after(card: int) -> int:
    """The next higher card of the suit; -1 after the ace."""
    return -1 if rank_of(card) == 0 else card + 1 if rank_of(card) < 12 else card - 12


@rule
def below(card: int) -> int:
    """The lower cards of a card's suit, as a set."""
    first = suit_of(card) * 13
    if rank_of(card) == 0:
        return (SUIT & ~1) << first
    return ((1 << rank_of(card)) - 2) << first


@rule
def lower_ranks(card: int) -> int:
    """The cards of all suits that rank below a card, as a set."""
    ranks = below(card) >> suit_of(card) * 13
    return ranks | ranks << 13 | ranks << 26 | ranks << 39


@rule
def lowest_of(hand: int, suit: int) -> int:
    """The lowest card of a suit in a hand; -1: none."""
    own = hand >> 13 * suit & SUIT
    if own == 0:
        return -1
    return 13 * suit + (lowest(own & ~1) if own & ~1 else 0)


@rule
def open_leads(hand: int, barred: int) -> int:
    """The cards with which a hand may begin a new suit (MI-18, MI-23), as a set."""
    leads = 0
    for suit in range(4):
        if not barred >> suit & 1:
            card = lowest_of(hand, suit)
            if card >= 0:
                leads |= 1 << card
    return leads


@rule
def open_suits(barred: int) -> int:
    """All cards of the suits that may be led, as a set."""
    cards = 0
    for suit in range(4):
        if not barred >> suit & 1:
            cards |= SUIT << 13 * suit
    return cards


@rule
def lowest_of_all(hand: int) -> int:
    """The cards of the lowest rank in a hand (MI-25, MI-Q7), as a set."""
    cards = 0
    for suit in range(4):
        card = lowest_of(hand, suit)
        if card >= 0 and not lower_ranks(card) & hand:
            cards |= 1 << card
    return cards


@rule
def low_diamond(s: Any) -> int:
    """MI-C3: the lowest diamond in any hand, which must be led first; -1: none, or the first lead has been made.

    Everybody knows who holds it: its holder shows it before the lead (`shows`).
    """
    if s.rules.first_lead_eldest or s.played:
        return -1
    held = 0
    for p in range(s.seats):
        held |= s.shows[p]
    return lowest_of(held, DIAMONDS)


@rule
def name_leader(s: Any) -> None:
    """MI-C3: the diamonds are asked for from the 2 up, so everybody lacks those below the first that a player holds. If
    all are dead, eldest leads any suit.
    """
    held = 0
    for p in range(s.seats):
        held |= s.hands[p]
    card = lowest_of(held, DIAMONDS)
    for p in range(s.seats):
        s.lacks[p] |= below(card) if card >= 0 else SUIT << 13 * DIAMONDS
        if card >= 0 and s.hands[p] >> card & 1:
            s.shows[p] |= 1 << card
            s.turn = s.last = s.origin_last = p


@rule
def bars(s: Any, card: int) -> int:
    """The suits that may not be led after a stop at this card (MI-23, MI-41)."""
    suit = 1 << suit_of(card)
    if s.rules.next_suit_other_color:
        return RED if suit & RED else BLACK
    return suit


@rule
def place_of(s: Any, card: int) -> int:
    """The place of the money card whose duplicate this card is; -1 if there is none."""
    for i in range(s.rules.m):
        if s.rules.money[i] == card:
            return i
    return -1


@rule
def may_hold(s: Any, seat: int, card: int) -> bool:
    """Whether a seat may hold a card, by public knowledge."""
    shown = 0
    for p in range(s.seats):
        if p != seat:
            shown |= s.shows[p]
    return not (s.played | s.lacks[seat] | shown) >> card & 1
