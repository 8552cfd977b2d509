"""A regular Oh Hell! player: he counts each card's chance of a trick, bids for the best expected score, and plays for his bid."""

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
    """The bid that promises most points, or the card after which his tricks will be nearest to his bid."""
    return bid(s, seat, moves, n) if moves[0] >= BID else card_to_play(s, seat, moves, n)


@rule
def bid(s: Any, seat: int, moves: Any, n: int) -> int:
    """The bid with the highest expected score, if each of his cards wins a trick with its own chance."""
    most, unseen = s.counts[seat], unseen_by(s, seat)
    ways = np.zeros(most + 1)  # ways[t]: the chance of t tricks
    ways[0] = 1.0
    cards = s.hands[seat]
    while cards:
        card = lowest(cards)
        p = later(s, seat, card, unseen, safety(s, seat, card // 13, unseen))
        cards &= cards - 1
        for t in range(most, 0, -1):
            ways[t] = ways[t] * (1.0 - p) + ways[t - 1] * p
        ways[0] *= 1.0 - p
    choice, top = moves[0], -1e9
    for i in range(n):
        promise, named = 0.0, moves[i] - BID
        for t in range(most + 1):
            promise += ways[t] * (10.0 * max(named, 1) if t == named else -10.0 * abs(t - named))  # OH-14, OH-15
        if promise > top:
            choice, top = moves[i], promise
    return choice


@rule
def card_to_play(s: Any, seat: int, moves: Any, n: int) -> int:
    """The card after which the expected square of tricks too many or too few is least: (mean - bid) squared, and the variance."""
    unseen = unseen_by(s, seat)
    mean, variance = float(s.tricks[seat] - s.bids[seat]), 0.0
    cards = s.hands[seat]
    suit, safe = -1, 0.0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if card // 13 != suit:
            suit = card // 13
            safe = safety(s, seat, suit, unseen)
        p = later(s, seat, card, unseen, safe)
        mean += p
        variance += p - p * p
    choice, least = moves[0], 1e9
    for i in range(n):
        if moves[i] // 13 != suit:
            suit = moves[i] // 13
            safe = safety(s, seat, suit, unseen)
        p, q = later(s, seat, moves[i], unseen, safe), now(s, seat, moves[i], unseen)
        off = mean - p + q
        miss = off * off + variance - (p - p * p) + (q - q * q)
        miss -= 1e-6 * strength(moves[i], LOW) * (1.0 if p < 0.5 else -1.0)  # of equals the card that is of less use
        if miss < least:
            choice, least = moves[i], miss
    return choice


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


POWERS = (np.arange(65)[:, None] / 64.0) ** np.arange(53)
PARTS = 1.0 / np.maximum(np.arange(53), 1)
LOW_TRUMPS = np.array([0.45, 0.25, 0.1, 0.0])  #: what a low trump is worth beside a suit of so many cards
GUARDED, BARE = 0.75, 0.95  #: how surely a higher card is drawn out by one's lower cards, or takes the card
LENGTHS = 0.9 ** np.maximum(np.arange(14) - 3, 0)  #: a long suit is soon ruffed
LED = 1.0 - 0.7 ** np.arange(14)  #: a suit is led while he still holds so many cards


@rule
def power(x: float, k: int) -> float:
    """x (0 to 1, to the next 1/64) to the k."""
    return POWERS[int(64.0 * x + 0.5), k]


@rule
def void_and_trumped(s: Any, unseen: int, suit: int, held: int) -> float:
    """The chance that somebody with `held` unknown cards has none of a suit, and a trump instead."""
    total, of_suit, trumps = count(unseen), count(unseen & suit_cards(13 * suit)), count(unseen & suit_cards(s.upcard))
    return power(1.0 - of_suit * PARTS[total], held) * (1.0 - power(1.0 - trumps * PARTS[total - of_suit], held))


@rule
def safety(s: Any, seat: int, suit: int, unseen: int) -> float:
    """Of a plain suit the chance that nobody trumps it; of trumps what a low one is worth, for it may trump."""
    if suit != s.upcard // 13:
        return power(1.0 - void_and_trumped(s, unseen, suit, s.counts[seat]), count(s.in_play) - 1)
    worth = 0.0
    for other in range(4):
        if other != suit:
            worth += LOW_TRUMPS[min(count(s.hands[seat] & suit_cards(13 * other)), 3)]
    return min(0.9, worth)


@rule
def later(s: Any, seat: int, card: int, unseen: int, safe: float) -> float:
    """The chance that a card of his wins a trick that is still to come; safe: the safety of its suit."""
    held = s.counts[seat]
    share = min(1.0, (count(s.in_play) - 1) * held * PARTS[count(unseen)])  # of the unseen cards that are in hands
    mine, over = s.hands[seat] & suit_cards(card), above(card)
    higher = count(over & unseen)
    guards = count(mine & ~over) - 1  # lower cards of his that fall under the higher ones
    if card // 13 == s.upcard // 13:
        return max(power(1.0 - share, max(higher - guards, 0)), safe * (1.0 - share * higher / 14.0))
    p = power(1.0 - share * (GUARDED if guards > 0 else BARE), higher) * safe * LENGTHS[count(mine)]
    return p if s.turn == seat and s.laid == 0 and higher == 0 else p * LED[held]  # its suit must be led while he holds it


@rule
def now(s: Any, seat: int, card: int, unseen: int) -> float:
    """The chance that a card of his wins the current trick."""
    trump = s.upcard // 13
    led = s.trick[0] if s.laid else card
    if s.laid and not beats(card, s.trick[best(s, LOW, trump)], LOW, trump):
        return 0.0
    behind = count(s.in_play) - s.laid - 1
    if behind == 0:
        return 1.0
    held = s.counts[seat]
    p = 1.0
    if card // 13 == led // 13:
        p = power(1.0 - min(1.0, behind * held * PARTS[count(unseen)]) * 0.8, count(above(card) & unseen))
    if led // 13 != trump:
        p *= power(1.0 - void_and_trumped(s, unseen, led // 13, held), behind)
    return p
