"""A regular Oh Hell! player: he counts each card's chance of a trick, and bids and plays for the best expected score."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.cards import ALL_52
from cardtable.games.tricks import beats, best, strength, suit_cards
from cardtable.kernel import rule
from cardtable.kernel.bits import count, lowest

BID = 52
LOW = 1


@rule
def advise(s: Any, seat: int, moves: Any, n: int) -> int:
    """The bid, or the card, by which his cards' chances of tricks promise most points."""
    chance = np.zeros(52)
    hand = s.hands[seat]
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        chance[card] = later(s, seat, card)
    choice, top = moves[0], -1e9
    for i in range(n):
        move = moves[i]
        if move >= BID:
            promise = promised(s, seat, chance, -1, move - BID)
        else:
            kept = chance[move]
            chance[move] = now(s, seat, move)
            promise = promised(s, seat, chance, move, s.bids[seat])
            chance[move] = kept
            promise += 1e-6 * strength(move, LOW) * (1.0 if kept < 0.5 else -1.0)  # of equals the card that is of less use
        if promise > top:
            choice, top = move, promise
    return choice


@rule
def promised(s: Any, seat: int, chance: Any, played: int, bid: int) -> float:
    """The expected score of a bid if each of his cards wins a trick with its own chance, one of them being played now."""
    most = s.counts[seat]
    ways = np.zeros(most + 2)
    ways[0] = 1.0
    cards = s.hands[seat]
    k = 0
    while cards:
        p = chance[lowest(cards)]
        cards &= cards - 1
        k += 1
        for t in range(k, 0, -1):
            ways[t] = ways[t] * (1.0 - p) + ways[t - 1] * p
        ways[0] *= 1.0 - p
    total = 0.0
    for t in range(most + 1):
        tricks = s.tricks[seat] + t
        total += ways[t] * (10.0 * max(bid, 1) if tricks == bid else -10.0 * abs(tricks - bid))
    return total


@rule
def unseen_by(s: Any, seat: int) -> int:
    """The cards that he has not seen."""
    return int(ALL_52 & ~s.played & ~s.hands[seat] & ~(1 << s.upcard))


@rule
def above(card: int) -> int:
    """The cards of its suit that beat a card; the ace is the highest."""
    suit = suit_cards(card)
    ace = suit & -suit
    return 0 if card % 13 == 0 else suit & ~((2 << card) - 1) | ace


@rule
def power(x: float, k: int) -> float:
    """x to the k."""
    y = 1.0
    for _ in range(k):
        y *= x
    return y


@rule
def void_and_trumped(s: Any, unseen: int, suit: int, held: int) -> float:
    """The chance that somebody with `held` unknown cards has none of a suit, and a trump instead."""
    total = max(count(unseen), 1)
    void = power(1.0 - count(unseen & suit) / total, held)
    rest = max(total - count(unseen & suit), 1)
    return void * (1.0 - power(1.0 - count(unseen & suit_cards(s.upcard)) / rest, held))


@rule
def later(s: Any, seat: int, card: int) -> float:
    """The chance that a card of his wins a trick that is still to come."""
    unseen = unseen_by(s, seat)
    held = s.counts[seat]
    others = count(s.in_play) - 1
    share = min(1.0, others * held / max(count(unseen), 1))  # of the unseen cards that are in hands
    mine = s.hands[seat] & suit_cards(card)
    higher = count(above(card) & unseen)
    guards = count(mine & ~above(card)) - 1  # lower cards of his that fall under the higher ones
    if card // 13 == s.upcard // 13:
        p = power(1.0 - share, max(higher - guards, 0))
        ruff = 0.0
        for suit in range(4):
            if suit != card // 13:
                length = count(s.hands[seat] & suit_cards(13 * suit))
                ruff += RUFF[min(length, 3)]
        return max(p, min(0.9, ruff) * (1.0 - share * higher / 14.0))
    p = power(1.0 - share * (GUARDED if guards > 0 else BARE), higher)
    p *= power(1.0 - void_and_trumped(s, unseen, suit_cards(card), held), others)
    p *= power(LENGTH, max(count(mine) - 3, 0))
    if not (s.turn == seat and s.laid == 0 and higher == 0):
        p *= 1.0 - power(LED, held)  # its suit must be led while he holds it
    return p


RUFF = np.array([0.45, 0.25, 0.1, 0.0])  #: what a low trump is worth beside a suit of so many cards
GUARDED, BARE, LENGTH, LED = 0.75, 0.95, 0.9, 0.7


@rule
def now(s: Any, seat: int, card: int) -> float:
    """The chance that a card of his wins the current trick."""
    trump = s.upcard // 13
    led = s.trick[0] if s.laid else card
    if s.laid and not beats(card, s.trick[best(s, LOW, trump)], LOW, trump):
        return 0.0
    behind = count(s.in_play) - s.laid - 1
    if behind == 0:
        return 1.0
    unseen = unseen_by(s, seat)
    held = s.counts[seat]
    total = max(count(unseen), 1)
    p = 1.0
    if card // 13 == led // 13:
        p *= power(1.0 - min(1.0, behind * held / total) * 0.8, count(above(card) & unseen))
        if card // 13 != trump:
            p *= power(1.0 - void_and_trumped(s, unseen, suit_cards(card), held), behind)
    else:
        p *= power(1.0 - void_and_trumped(s, unseen, suit_cards(led), held), behind)
    return p
