"""A regular Oh Hell! player: he counts each card's chance of a trick, bids for the best expected score, and plays for his bid."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.cards import ALL_52
from cardtable.games.tricks import SUIT, beats, best, strength, suit_cards
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
    most = s.counts[seat]
    ways = np.zeros(most + 1)  # ways[t]: the chance of t tricks
    ways[0] = 1.0
    k = 0
    for suit in range(4):
        rest, safe = of_suit(s.hands[seat], suit), safety(s, seat, suit)
        while rest:
            p = later(s, seat, suit, lowest(rest), safe)
            rest &= rest - 1
            k += 1
            for t in range(k, 0, -1):
                ways[t] = ways[t] * (1.0 - p) + ways[t - 1] * p
            ways[0] *= 1.0 - p
    choice, top = moves[0], -1e9
    for i in range(n):
        named = moves[i] - BID
        promise = (10.0 * max(named, 1)) * ways[named]  # OH-14, OH-15
        for t in range(most + 1):
            promise -= ways[t] * (10.0 * abs(t - named))
        if promise > top:
            choice, top = moves[i], promise
    return choice


@rule
def card_to_play(s: Any, seat: int, moves: Any, n: int) -> int:
    """The card after which the expected square of tricks too many or too few is least: (mean - bid) squared, and the variance."""
    mean, variance = float(s.tricks[seat] - s.bids[seat]), 0.0
    safe = 0.0
    for suit in range(4):
        rest = of_suit(s.hands[seat], suit)
        if rest:
            safe = safety(s, seat, suit)
        while rest:
            p = later(s, seat, suit, lowest(rest), safe)
            rest &= rest - 1
            mean += p
            variance += p - p * p
    behind = count(s.in_play) - s.laid - 1
    high = s.trick[best(s, LOW, s.upcard // 13)] if s.laid else -1
    choice, least, suit, stays = moves[0], 1e9, -1, 1.0
    for i in range(n):
        card = moves[i]
        if card // 13 != suit:
            suit = card // 13
            safe = safety(s, seat, suit)
            stays = untrumped(s, s.trick[0] // 13 if s.laid else suit, s.counts[seat], behind)
        p = later(s, seat, suit, strength(card, LOW), safe)
        q = 0.0 if high >= 0 and not beats(card, high, LOW, s.upcard // 13) else stays * highest(s, seat, card, behind)
        off = mean - p + q
        miss = off * off + variance - (p - p * p) + (q - q * q)
        miss -= 1e-6 * strength(card, LOW) * (1.0 if p < 0.5 else -1.0)  # of equals the card that is of less use
        if miss < least:
            choice, least = card, miss
    return choice


POWERS = (np.arange(65)[:, None] / 64.0) ** np.arange(53)
PARTS = 1.0 / np.maximum(np.arange(53), 1)
LOW_TRUMPS = np.array([0.45, 0.25, 0.1, 0.0])  #: what a low trump is worth beside a suit of so many cards
GUARDED, BARE = 0.75, 0.95  #: how surely a higher card is drawn out by one's lower cards, or takes the card
LENGTHS = 0.9 ** np.maximum(np.arange(14) - 3, 0)  #: a long suit is soon ruffed
LED = 1.0 - 0.7 ** np.arange(14)  #: a suit is led while he still holds so many cards
NEXT = 0.8  #: how likely who holds a higher card plays it at once


@rule
def power(x: float, k: int) -> float:
    """x (0 to 1, to the next 1/64) to the k."""
    return POWERS[int(64.0 * x + 0.5), k]


@rule
def of_suit(cards: int, suit: int) -> int:
    """The cards of a suit by strength: the two is bit 0, the ace bit 12."""
    ranks = cards >> 13 * suit & SUIT
    return ranks >> 1 | (ranks & 1) << 12


@rule
def unseen_by(s: Any, seat: int) -> int:
    """The cards that he has not seen."""
    return int(ALL_52 & ~s.played & ~s.hands[seat] & ~(1 << s.upcard))


@rule
def untrumped(s: Any, suit: int, held: int, others: int) -> float:
    """The chance that none of so many others, `held` unknown cards each, has a trump and no card of a plain suit; 1 of trumps."""
    if suit == s.upcard // 13:
        return 1.0
    unseen = unseen_by(s, s.turn)
    total, mates, trumps = count(unseen), count(unseen & suit_cards(13 * suit)), count(unseen & suit_cards(s.upcard))
    trumping = power(1.0 - mates * PARTS[total], held) * (1.0 - power(1.0 - trumps * PARTS[total - mates], held))
    return power(1.0 - trumping, others)


@rule
def safety(s: Any, seat: int, suit: int) -> float:
    """How sure a plain suit's high cards are that nobody trumps them; of trumps what a low one is worth, for it may trump."""
    if suit != s.upcard // 13:
        return untrumped(s, suit, s.counts[seat], count(s.in_play) - 1) * LENGTHS[count(of_suit(s.hands[seat], suit))]
    worth = 0.0
    for other in range(4):
        if other != suit:
            worth += LOW_TRUMPS[min(count(of_suit(s.hands[seat], other)), 3)]
    return min(0.9, worth)


@rule
def later(s: Any, seat: int, suit: int, rank: int, safe: float) -> float:
    """The chance that a card of his wins a trick that is still to come; rank: its strength; safe: the safety of its suit."""
    held, unseen = s.counts[seat], unseen_by(s, seat)
    share = min(1.0, (count(s.in_play) - 1) * held * PARTS[count(unseen)])  # of the unseen cards that are in hands
    higher = count(of_suit(unseen, suit) >> rank)
    guards = count(of_suit(s.hands[seat], suit) & (1 << rank) - 1)  # his lower cards, that fall under the higher ones
    if suit == s.upcard // 13:
        return max(power(1.0 - share, max(higher - guards, 0)), safe * (1.0 - share * higher / 14.0))
    p = power(1.0 - share * (GUARDED if guards else BARE), higher) * safe
    return p if higher == 0 and s.turn == seat and s.laid == 0 else p * LED[held]


@rule
def highest(s: Any, seat: int, card: int, behind: int) -> float:
    """The chance that nobody behind plays a higher card of its suit, if it is the suit led."""
    if s.laid and card // 13 != s.trick[0] // 13:
        return 1.0
    unseen = unseen_by(s, seat)
    higher = count(of_suit(unseen, card // 13) >> strength(card, LOW))
    return power(1.0 - min(1.0, behind * s.counts[seat] * PARTS[count(unseen)]) * NEXT, higher)
