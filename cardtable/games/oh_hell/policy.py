"""A regular Oh Hell! player: counts each card's chance of a trick, bids for the best expected score, and plays for the
bid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.cards import ALL_52, SUIT, suit_of
from cardtable.contract import listed_cards
from cardtable.games.tricks import best, strength
from cardtable.kernel import rule
from cardtable.kernel.bits import count, highest, lowest

BID = 52
LOW = 1
NOTHING = 1 << 30  #: a bit beyond all strengths


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """The bid with the highest expected score, or a card that brings the seat closer to exactly its bid."""
    return bid(s, seat, moves, n) if moves[0] >= BID else card_to_play(s, seat, listed_cards(moves, n))


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Another card, or a bid of one trick more or less."""
    return made < BID if meant < BID else abs(made - meant) == 1


@rule
def bid(s: Any, seat: int, moves: Any, n: int) -> int:
    """The bid with the highest expected score, assuming that each card wins a trick independently with its own
    chance.
    """
    hand, held, others, trump = s.hands[seat], s.counts[seat], count(s.in_play) - 1, suit_of(s.upcard)
    share = min(1.0, others * held * PARTS[UNSEEN - held])  # the share of the unseen cards that are in hands
    ways = np.zeros(held + 1)  # ways[t]: the chance of t tricks
    ways[0] = 1.0
    k, off = 0, 0.0  # off: how many tricks too many or too few a bid is, on average; that of 0 is their mean
    for suit in range(4):
        mine = of_suit(hand, suit)
        if not mine:
            continue
        theirs = SUIT & ~mine & ~of_suit(1 << s.upcard, suit)
        safe = low_trump(hand, suit) if suit == trump else untrumped(hand, suit, trump, held, others)
        rest = mine
        while rest:
            rank = lowest(rest)
            rest &= rest - 1
            higher, lower = count(theirs >> rank), count(mine & (1 << rank) - 1)
            p = (
                trump_wins(share, higher, lower, safe)
                if suit == trump
                else plain_wins(share, higher, lower, safe, held)
            )
            off += p
            if p < NEVER:
                continue
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
        if named > k:  # the most tricks that can be expected
            break
    return choice


@rule
def card_to_play(s: Any, seat: int, may: int) -> int:
    """Try to win while the hand does not promise the tricks still needed; otherwise discard the best card that
    loses. may: the cards to choose from.
    """
    unseen, trump = unseen_by(s, seat), suit_of(s.upcard)
    need = s.bids[seat] - s.tricks[seat]
    eager = need > 0 and 2 * need >= promise(s.hands[seat], unseen, trump)
    if s.laid == 0:
        return lead(may, unseen, trump, eager)
    high = s.trick[best(s, LOW, trump)]
    suit = suit_of(high)
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
    """If eager, lead a card that nobody can beat in its suit, plain suits first, or else the best card; if not, the
    weakest.
    """
    if eager:
        for k in range(4):
            suit = (trump + 1 + k) % 4
            mine, theirs = of_suit(may, suit), of_suit(unseen, suit)
            if mine and theirs and highest(mine) > highest(theirs):
                return card_of(suit, highest(mine))
    return highest_of(may, trump) if eager else lowest_of(may, trump)


@rule
def promise(hand: int, unseen: int, trump: int) -> int:
    """Half tricks that a hand promises: two for a card that nobody can beat in its suit, one for a card that one unseen
    card beats.
    """
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
    """The cards of a suit with the strengths given as bits; the inverse of `of_suit`."""
    return (ranks << 1 & SUIT | ranks >> 12) << 13 * suit


@rule
def lowest_of(cards: int, trump: int) -> int:
    """The weakest of some cards (at least one): plain suits first."""
    least = NOTHING
    for suit in range(4):
        least = min(least, (lowest(of_suit(cards, suit) | NOTHING) + 13 * (suit == trump)) << 2 | suit)
    return card_of(least & 3, (least >> 2) - 13 * (least & 3 == trump))


@rule
def highest_of(cards: int, trump: int) -> int:
    """The strongest of some cards (at least one): trumps first."""
    most = 0
    for suit in range(4):
        ranks = of_suit(cards, suit)
        most = max(most, (highest(ranks << 1 | 1) + 13 * (suit == trump and ranks != 0)) << 2 | 3 - suit)
    suit = 3 - (most & 3)
    return card_of(suit, (most >> 2) - 1 - 13 * (suit == trump))


POWERS = (np.arange(65)[:, None] / 64.0) ** np.arange(14)
PARTS = 1.0 / np.maximum(np.arange(53), 1)
UNSEEN = 51  #: the cards that a seat has not seen when it bids, and its own
LOW_TRUMPS = np.array([0.45, 0.25, 0.1, 0.0])  #: the value of a low trump beside a suit of that length
GUARDED, BARE = 0.75, 0.95  #: how likely a higher card is drawn out by the seat's lower cards, or takes the card
LENGTHS = 0.9 ** np.maximum(np.arange(14) - 3, 0)  #: a long suit is soon ruffed
LED = 1.0 - 0.7 ** np.arange(14)  #: a suit is led while a seat still holds that many cards
NEVER = 0.01  #: a card that wins less often is not counted on


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
    """The cards that the seat has not seen."""
    return int(ALL_52 & ~s.played & ~s.hands[seat] & ~(1 << s.upcard))


@rule
def untrumped(hand: int, suit: int, trump: int, held: int, others: int) -> float:
    """How safe the high cards of a plain suit are: the chance that no player is void in it and holds a trump; less for
    a long suit.
    """
    unseen, length = UNSEEN - held, count(of_suit(hand, suit))
    theirs, trumps = 13 - length, 12 - count(of_suit(hand, trump))
    trumping = power(1.0 - theirs * PARTS[unseen], held) * (1.0 - power(1.0 - trumps * PARTS[unseen - theirs], held))
    return power(1.0 - trumping, others) * LENGTHS[length]


@rule
def low_trump(hand: int, trump: int) -> float:
    """The value of a low trump for ruffing."""
    worth = 0.0
    for suit in range(4):
        if suit != trump:
            worth += LOW_TRUMPS[min(count(of_suit(hand, suit)), 3)]
    return min(0.9, worth)


@rule
def trump_wins(share: float, higher: int, lower: int, low: float) -> float:
    """The chance that a trump wins a trick. share: of the unseen cards that are in hands. higher: how many of these
    beat it. lower: how many of the seat's own trumps it beats, which fall to the higher ones. low: the value of a low
    trump.
    """
    return max(power(1.0 - share, max(higher - lower, 0)), low * (1.0 - share * higher / 14.0))


@rule
def plain_wins(share: float, higher: int, lower: int, safe: float, held: int) -> float:
    """The same of a card of a plain suit; safe: how sure it is that nobody trumps it.

    The highest can be led at once.
    """
    if higher == 0:
        return safe
    return power(1.0 - share * (GUARDED if lower else BARE), higher) * safe * LED[held]
