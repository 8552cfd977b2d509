"""A regular Oh Hell! player: he counts each card's chance of a trick, bids for the best expected score, and plays for his bid."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.cards import ALL_52
from cardtable.games.tricks import SUIT, allowed, best, strength, suit_cards
from cardtable.kernel import rule
from cardtable.kernel.bits import count, highest, lowest

BID = 52
LOW = 1


@rule
def advise(s: Any, seat: int, moves: Any, n: int) -> int:
    """The bid that promises most points, or a card that brings him nearer to just so many tricks."""
    return bid(s, seat, moves, n) if moves[0] >= BID else card_to_play(s, seat)


@rule
def bid(s: Any, seat: int, moves: Any, n: int) -> int:
    """The bid with the highest expected score, if each of his cards wins a trick with its own chance."""
    most = s.counts[seat]
    ways = np.zeros(most + 1)  # ways[t]: the chance of t tricks
    ways[0] = 1.0
    k, off = 0, 0.0  # off: how many tricks too many or too few a bid is, on average; that of 0 is their mean
    for suit in range(4):
        rest, safe = of_suit(s.hands[seat], suit), safety(s, seat, suit)
        while rest:
            p = later(s, seat, suit, lowest(rest), safe)
            rest &= rest - 1
            off += p
            k += 1
            for t in range(k, 0, -1):
                ways[t] += (ways[t - 1] - ways[t]) * p
            ways[0] -= ways[0] * p
    choice, top = moves[0], -1e9
    named, upto = 0, 0.0  # upto: the chance of at most so many tricks
    for i in range(n):
        while named < moves[i] - BID:
            upto += ways[named]
            off += 2.0 * upto - 1.0
            named += 1
        worth = max(named, 1) * ways[named] - off  # in tens: OH-14, OH-15
        if worth > top:
            choice, top = moves[i], worth
    return choice


@rule
def card_to_play(s: Any, seat: int) -> int:
    """While he lacks tricks that his hand does not promise he tries to win; else he gets rid of the best card that loses."""
    may, unseen, trump = allowed(s, seat), unseen_by(s, seat), s.upcard // 13
    need = s.bids[seat] - s.tricks[seat]
    eager = need > 0 and 2 * need >= promise(s.hands[seat], unseen, trump)
    if s.laid == 0:
        return lead(may, unseen, trump, eager)
    high = s.trick[best(s, LOW, trump)]
    suit = high // 13
    over = of_suit(may, suit) >> strength(high, LOW) + 1 << strength(high, LOW) + 1
    ruffs = of_suit(may, trump) if suit != trump else 0
    last = s.laid == count(s.in_play) - 1
    if eager:
        if over:
            return card_of(suit, lowest(over) if last else highest(over))
        return card_of(trump, lowest(ruffs)) if ruffs else lowest_of(may, trump)
    under = may & ~cards_of(suit, over) & ~cards_of(trump, ruffs)
    if under:
        return highest_of(under, trump)
    return highest_of(may, trump) if last else lowest_of(may, trump)


@rule
def lead(may: int, unseen: int, trump: int, eager: bool) -> int:
    """Eager: a card that nobody can beat in its suit, plain suits first, or else his best; not eager: his weakest."""
    if eager:
        for k in range(4):
            suit = (trump + 1 + k) % 4
            mine, theirs = of_suit(may, suit), of_suit(unseen, suit)
            if mine and theirs and highest(mine) > highest(theirs):
                return card_of(suit, highest(mine))
    return highest_of(may, trump) if eager else lowest_of(may, trump)


@rule
def promise(hand: int, unseen: int, trump: int) -> int:
    """Half tricks that a hand promises: two for a card that nobody can beat in its suit, one for a card that one unseen card beats."""
    found = 0
    for suit in range(4):
        mine, theirs = of_suit(hand, suit), of_suit(unseen, suit)
        if theirs:
            top = highest(theirs)
            found += 2 * count(mine >> top)
            rest = theirs & ~(1 << top)
            found += count(mine & (1 << top) - 1 & -1 << (highest(rest) if rest else 0))
        elif suit == trump:
            found += 2 * count(mine)
        else:
            found += count(mine)
    return found


@rule
def card_of(suit: int, strong: int) -> int:
    """The card of a suit and a strength."""
    return 13 * suit + (strong + 1) % 13


@rule
def cards_of(suit: int, ranks: int) -> int:
    """The cards of a suit whose strengths are the bits; the inverse of `of_suit`."""
    return (ranks << 1 & SUIT | ranks >> 12) << 13 * suit


@rule
def lowest_of(cards: int, trump: int) -> int:
    """The weakest of some cards: plain suits first."""
    found, least = -1, 99
    for suit in range(4):
        ranks = of_suit(cards, suit)
        if ranks:
            at = lowest(ranks) + (13 if suit == trump else 0)
            if at < least:
                found, least = card_of(suit, lowest(ranks)), at
    return found


@rule
def highest_of(cards: int, trump: int) -> int:
    """The strongest of some cards: trumps first."""
    found, most = -1, -1
    for suit in range(4):
        ranks = of_suit(cards, suit)
        if ranks:
            at = highest(ranks) + (13 if suit == trump else 0)
            if at > most:
                found, most = card_of(suit, highest(ranks)), at
    return found


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
