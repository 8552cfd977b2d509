"""A regular Oh Hell! player: estimates each card's chance of a trick, bids for the best expected score, and plays the
card that promises most for the bid.

What a card promises is a linear function of a few figures (FIGURES), with weights for each of 60 situations
(`card_weights.py`). `bench/oh_hell_tuning.py` learns them by policy iteration: every card is tried in the same worlds,
which are played out by the policy so far, and the weights are fitted to what that brought.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.cards import ALL_52, SUIT, suit_of
from cardtable.contract import listed_cards
from cardtable.games.oh_hell.card_weights import WEIGHTS
from cardtable.games.tricks import NO_TRUMP, best, strength
from cardtable.kernel import rule
from cardtable.kernel.bits import count, highest, lowest

BID = 52
LOW = 1
NEVER_BEATS = 13
POWERS = (np.arange(65)[:, None] / 64.0) ** np.arange(14)
SURE = 64  #: the row of POWERS for 1
PARTS = 1.0 / np.maximum(np.arange(53), 1)

# Chances, tuned by the cross-entropy method against each other and the rule of thumb before.
GUARDED, BARE = 0.83, 0.89  #: how likely a higher card is drawn out by the seat's lower cards, or takes the card
LOW_TRUMPS = np.array([0.51, 0.37, 0.28, 0.0])  #: the value of a low trump beside a suit of that length
LOW_BEATEN = 1.1 / 14.0  #: how much less it is worth for each higher trump in a hand
LENGTHS = 0.71 ** np.maximum(np.arange(14) - 3, 0)  #: a long suit is soon ruffed
LED = 1.0 - 0.62 ** np.arange(14)  #: a suit is led while a seat still holds that many cards
RUFFED = 0.7  #: how likely a seat ruffs that could
SCALE = 1.12  #: how many more tricks are won than these chances say
LIKELIEST = 0.98  #: no card is surer of a trick
NEVER = 0.01  #: a card that wins less often is not counted on

OVER, OVER_TRUMP = 0.95, 0.83  #: how likely a higher card beats one that is played now, in a plain suit and in trumps
SATED = 0.44  #: how eager a seat that needs no more tricks is to beat a card, where others are 1
#: how sure a lead stays with so many seats known to be void that want tricks, and with so many that do not
WANTED, UNWANTED = 0.6 ** np.arange(16), 0.85 ** np.arange(16)
PROMISED, ROOM, BIAS = 0.3, 0.36, -0.17  #: tricks expected: by the half tricks promised, and by what nobody needs
MORE, ENOUGH = -0.5, 0.3  #: up to where too few tricks are expected, or the right number

# A situation: when the card is played, how many cards the seat holds, and how its tricks stand to its bid.
PLACES, SIZES, KINDS = 3, 4, 5
SIZE_OF = np.array([0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3])
DONE, SHORT, RIGHT, RICH, ALL = range(KINDS)
FIGURES = 12  #: of a card, in `best_of_suit`


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """The bid with the highest expected score, or the card that promises most for exactly the bid."""
    if moves[0] >= BID:
        return bid(s, seat, moves, n)
    card, _, _ = best_card(s, seat, listed_cards(moves, n), WEIGHTS)
    return card


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
    unseen = unseen_by(s, seat)
    cards, trumps = count(unseen), count(of_suit(unseen, trump))
    share = min(1.0, others * held * PARTS[cards])  # the share of the unseen cards that are in hands
    ways = np.zeros(held + 1)  # ways[t]: the chance of t tricks
    ways[0] = 1.0
    k, off = 0, 0.0  # off: how many tricks too many or too few a bid is, on average; that of 0 is their mean
    for suit in range(4):
        mine = of_suit(hand, suit)
        if not mine:
            continue
        theirs = of_suit(unseen, suit)
        safe = safety(hand, suit, trump, theirs, trumps, cards, held, others)
        rest = mine
        while rest:
            rank = lowest(rest)
            rest &= rest - 1
            p = min(SCALE * wins(theirs, mine, rank, suit == trump, share, safe, held), LIKELIEST)
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
        promise = max(named, 1) * ways[named] - off  # in tens: OH-14, OH-15
        if promise > top:
            choice, top = moves[i], promise
        if named > k:  # the most tricks that can be expected
            break
    return choice


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
def best_card(s: Any, seat: int, may: int, weights: Any) -> tuple[int, float, int]:
    """The card that promises most, how much, and the situation. may: the cards to choose from. weights: of the shape
    (PLACES x SIZES x KINDS, FIGURES).
    """
    hand, held, others, trump = s.hands[seat], s.counts[seat], count(s.in_play) - 1, suit_of(s.upcard)
    unseen = unseen_by(s, seat)
    cards, trumps = count(unseen), count(of_suit(unseen, trump))
    share = min(1.0, others * held * PARTS[cards])
    to_come, eager, needed = rivals(s, seat)
    need = s.bids[seat] - s.tricks[seat]
    tricks = 0.0
    if 0 < need < held:
        tricks = PROMISED * promise(hand, unseen, trump) + ROOM * (held - needed - need) + BIAS
    row = situation(s.laid, to_come, held, need, tricks)
    led, high = NO_TRUMP, 0
    if s.laid:
        led, high = suit_of(s.trick[0]), s.trick[best(s, LOW, trump)]
    voids = ruffing(s, seat, trump) if trumps and s.laid == 0 else 0
    kept = row_of(1.0 - share * GUARDED)
    chosen, most = -1, -1e9
    for suit in range(4):
        these = of_suit(may, suit)
        if these:
            mine, theirs = of_suit(hand, suit), of_suit(unseen, suit)
            stays = 1.0
            if to_come and suit != trump and (s.laid == 0 or suit == led):
                stays = unruffed(count(theirs), trumps, cards, held, eager, voids >> 8 * suit)
            over = share * (OVER_TRUMP if suit == trump else OVER) * eager * PARTS[others]
            unbeaten = row_of(max(1.0 - over, 0.0)) if to_come else SURE
            least = 0 if s.laid == 0 else beating(suit, high, led, trump)
            rank, x = best_of_suit(these, theirs, mine, suit == trump, held, least, unbeaten, stays, kept, weights, row)
            if x > most:
                chosen, most = card_of(suit, rank), x
    return chosen, most, row


@rule
def best_of_suit(
    these: int, theirs: int, mine: int, trump: bool, held: int, least: int, unbeaten: int, stays: float, kept: int,
    weights: Any, row: int,
) -> tuple[int, float]:  # fmt: skip
    """The card of a suit that promises most, and how much. least: the weakest that beats the trick so far. unbeaten,
    kept: rows of POWERS, for the chance that no higher card is played in this trick, or is left for a later one. stays:
    the chance that it is not ruffed.
    """
    many = count(theirs)
    base = weights[row, 6] * count(mine) * PARTS[held] + weights[row, 7] * many
    of_now, each = weights[row, 0], weights[row, 4] * PARTS[many + 1]
    if trump:
        base += weights[row, 9]
        of_now += weights[row, 10]
    elif mine & (mine - 1) == 0:
        base += weights[row, 11]
    chosen, most = -1, -1e9
    while these:
        rank = lowest(these)
        these &= these - 1
        higher = count(theirs >> rank)
        now = POWERS[unbeaten, higher] * stays if rank >= least else 0.0
        later = POWERS[kept, higher]
        x = base + of_now * now + weights[row, 1] * later + weights[row, 2] * now * later
        x += weights[row, 3] * now * (1.0 - now) + each * higher + weights[row, 5] * rank
        if higher == 0:
            x += weights[row, 8]
        if x > most:
            chosen, most = rank, x
    return chosen, most


@rule
def beating(suit: int, high: int, led: int, trump: int) -> int:
    """The strength from which on a card of a suit beats the best card of the trick; NEVER_BEATS if none does."""
    if suit == suit_of(high):
        return strength(high, LOW) + 1
    return 0 if suit == trump else NEVER_BEATS


@rule
def situation(laid: int, to_come: int, held: int, need: int, tricks: float) -> int:
    """The row of the weights. tricks: as many as are expected."""
    place = 0 if laid == 0 else (1 if to_come else 2)
    if need <= 0:
        kind = DONE
    elif need >= held:
        kind = ALL
    else:
        kind = SHORT if tricks < need + MORE else (RIGHT if tricks < need + ENOUGH else RICH)
    return (place * SIZES + SIZE_OF[held]) * KINDS + kind


@rule
def rivals(s: Any, seat: int) -> tuple[int, float, int]:
    """How many seats are still to play to this trick, how eager they are to win it (1 for each that wants it), and how
    many tricks all others still need.
    """
    wanting, sated, needed = 0, 0, 0
    for p in range(s.seats):
        if p != seat and s.in_play >> p & 1:
            need = s.bids[p] - s.tricks[p]
            to_come = s.counts[p] == s.counts[seat]
            wanting += to_come and need > 0
            sated += to_come and need <= 0
            needed += max(need, 0)
    return wanting + sated, wanting + SATED * sated, needed


@rule
def ruffing(s: Any, seat: int, trump: int) -> int:
    """How many other seats may ruff a suit, because they are known to be void in it and not in trumps: in eight bits a
    suit, of which the lower four are for seats that want tricks.
    """
    found = 0
    for p in range(s.seats):
        if p != seat and s.voids[p] and not s.voids[p] >> trump & 1:
            one = 1 if s.bids[p] > s.tricks[p] else 16
            for suit in range(4):
                found += (s.voids[p] >> suit & 1) * one << 8 * suit
    return found


@rule
def unruffed(theirs: int, trumps: int, cards: int, held: int, eager: float, voids: int) -> float:
    """The chance that nobody ruffs a card of a plain suit in this trick. theirs, trumps, cards: unseen ones. voids: the
    suit's bits from `ruffing`, and maybe others above.
    """
    sure = 1.0 - min(RUFFED * trumping(theirs, trumps, cards, held) * eager, 0.99)
    return sure * WANTED[voids & 15] * UNWANTED[voids >> 4 & 15] if voids & 255 else sure


@rule
def unseen_by(s: Any, seat: int) -> int:
    """The cards that the seat has not seen."""
    return int(ALL_52 & ~s.played & ~s.hands[seat] & ~(1 << s.upcard))


@rule
def card_of(suit: int, strong: int) -> int:
    """The card of a suit and a strength."""
    return 13 * suit + (strong + 1) % 13


@rule
def of_suit(cards: int, suit: int) -> int:
    """The cards of a suit by strength: the two is bit 0, the ace bit 12."""
    ranks = cards >> 13 * suit & SUIT
    return ranks >> 1 | (ranks & 1) << 12


@rule
def power(x: float, k: int) -> float:
    """x (0 to 1, to the next 1/64) to the k."""
    return POWERS[row_of(x), k]


@rule
def row_of(x: float) -> int:
    """The row of POWERS with the powers of x."""
    return int(64.0 * x + 0.5)


@rule
def trumping(theirs: int, trumps: int, cards: int, held: int) -> float:
    """The chance that a player with `held` cards is void in a suit and holds a trump. theirs, trumps, cards: how many
    of the suit, of trumps and in all are unseen.
    """
    void = power(max(1.0 - theirs * PARTS[cards], 0.0), held)
    return void * (1.0 - power(max(1.0 - trumps * PARTS[cards - theirs], 0.0), held))


@rule
def safety(hand: int, suit: int, trump: int, theirs: int, trumps: int, cards: int, held: int, others: int) -> float:
    """How safe the high cards of a plain suit are: the chance that nobody ruffs them; less for a long suit. Of trumps:
    the value of a low one.
    """
    if suit == trump:
        return low_trump(hand, trump)
    ruffed = RUFFED * trumping(count(theirs), trumps, cards, held)
    return power(1.0 - ruffed, others) * LENGTHS[count(of_suit(hand, suit))]


@rule
def low_trump(hand: int, trump: int) -> float:
    """The value of a low trump for ruffing."""
    low = 0.0
    for suit in range(4):
        if suit != trump:
            low += LOW_TRUMPS[min(count(of_suit(hand, suit)), 3)]
    return min(0.9, low)


@rule
def wins(theirs: int, mine: int, rank: int, trump: bool, share: float, safe: float, held: int) -> float:
    """The chance that a card wins a trick, now or later. theirs, mine: the cards of its suit, unseen and in the hand;
    those of mine that it beats fall to the higher ones. share: of the unseen cards that are in hands. safe: from
    `safety`.
    """
    higher, lower = count(theirs >> rank), count(mine & (1 << rank) - 1)
    if trump:
        return max(power(1.0 - share, max(higher - lower, 0)), safe * max(1.0 - LOW_BEATEN * share * higher, 0.0))
    if higher == 0:
        return safe
    return power(1.0 - share * (GUARDED if lower else BARE), higher) * safe * LED[held]
