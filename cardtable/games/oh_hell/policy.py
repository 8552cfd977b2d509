"""A regular Oh Hell! player: bids for the best expected score, and plays the card with the highest value for the bid.

The tricks of a hand are expected from each card's chance to win one, adjusted by the size of the hands and by the
others' bids (`TRICKS`). A card's value is a sum of weights (`WEIGHTS`), which depend on the situation (its place in the
trick, the number of cards left, the seat's tricks compared with its bid) and on the card's cell (the seats that may
ruff its suit, whether it beats the trick, the number of higher unseen cards). Both were learnt by policy iteration
(`bench/oh_hell_tuning.py` at 8bb0574e): bids and cards are tried in the same worlds, played out with the current
policy.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from cardtable.base.cards import RANK, SUIT, suit_of
from cardtable.games.oh_hell.scoring import points
from cardtable.games.oh_hell.trump import lowest_of, pack_of, trump_of, turned
from cardtable.games.shared.tricks import SPANISH, best, strength
from cardtable.kernel import rule
from cardtable.kernel.bits import count, lowest

#: for hands of 0 to 26 cards: tricks = first x expected + second + third x claimed by others; fourth x variance
TRICKS = np.repeat(
    [
        [1.040, -0.523, -0.008, 0.459],
        [1.089, -0.738, 0.010, 1.110],
        [1.068, -0.595, -0.035, 1.086],
        [1.031, 0.035, -0.061, 1.339],
    ],
    [3, 2, 3, 19],
    axis=0,
)
#: for each situation, hundredths of a point: weights of the cells, then of the counts
WEIGHTS = np.load(Path(__file__).with_name("card_weights.npy"))
BID = 52
POWERS = (np.arange(65)[:, None] / 64.0) ** np.arange(27)
PARTS = 1.0 / np.maximum(np.arange(53), 1)

# Chances, tuned by the cross-entropy method.
GUARDED, BARE = 0.83, 0.89  #: how likely a higher card is drawn out by the seat's lower cards, or takes the card
LOW_TRUMPS = np.array([0.51, 0.37, 0.28, *11 * [0.0]])  #: the value of a low trump with a suit of that length
LOW_BEATEN = 1.1 / 14.0  #: how much less it is worth for each higher trump in a hand
LENGTHS = 0.71 ** np.maximum(np.arange(14) - 3, 0)  #: a long suit is soon ruffed
LED = 1.0 - 0.62 ** np.arange(27)  #: a suit is led while a seat still holds that number of cards
RUFFED = 0.7  #: how likely a seat ruffs that could
SCALE = 1.12  #: the number of tricks won beyond the sum of these chances
LIKELIEST = 0.98  #: no card is surer of a trick
BIDS, CELLS_PER_TRICK = 14, 4  #: in `expected_scores`
MEANS, SPREADS = CELLS_PER_TRICK * 14, CELLS_PER_TRICK * 6  #: cells


def expected_scores() -> Any:
    """What bids score on average, in tenths of a point (OH-14, OH-15), by the mean and the variance of the tricks,
    which are taken to be normal: [cell of the mean, of the variance, bid].
    """
    bids = np.arange(BIDS)
    mean = np.arange(MEANS)[:, None, None] / CELLS_PER_TRICK
    variance = np.arange(SPREADS)[:, None] / CELLS_PER_TRICK
    upto = (np.arange(1, BIDS) - 0.5 - mean) / np.sqrt(np.maximum(2.0 * variance, 1e-4))
    upto = 0.5 + 0.5 * np.reshape([math.erf(x) for x in upto.flat], upto.shape)
    chances = np.diff(upto, prepend=0.0, append=1.0)
    off = chances @ np.abs(bids[:, None] - bids)
    return np.rint(100 * (np.maximum(bids, 1) * chances - off)).astype(np.int16)


SCORES = expected_scores()

# Hundredths of a trick.
SURELY, ROOM = 80, 36  #: expected of an unbeatable card, and of a trick that no seat needs
FEW, ENOUGH = -60, 20  #: from where not too few tricks are expected, and more than the right number

# A situation: the card's place in the trick, the number of cards in the seat's hand, and its tricks compared with its
# bid.
LAST = 6  #: after leads, cards with several seats to come and with one: each with none that wants the trick, or some
PLACE_OF = np.array([0, LAST, 4, 2])
PLACES, SIZES, KINDS = LAST + 1, 4, 6
SITUATIONS = PLACES * SIZES * KINDS
SIZE_OF = np.array([0, 0, 0, 1, 1, 2, 2, 2, *19 * [3]])
#: no trick needed, too few expected, about right, too many, all needed, and needed at most as many as sure trumps will
#: win
DONE, SHORT, RIGHT, RICH, ALL, COVERED = range(KINDS)

# The figures of a card: its cell (the kind of its suit, whether it beats the trick, and the number of higher unseen
# cards), and the counts.
UNWANTED, WANTED, SUITS = 4, 5, 6
KIND_OF = np.zeros((18, 14), np.int64)  #: of a plain suit, by the bits for seats that may ruff it, and its unseen cards
KIND_OF[0] = [3, 3, 3, 2, 2, *9 * [1]]
KIND_OF[1:16:2] = KIND_OF[17] = WANTED
KIND_OF[16] = UNWANTED
ABOVE, FINE = 8, 1.4  #: cells for the cards above, and how fine they are counted
SHARE_OF = np.minimum(np.arange(53)[:, None] / np.maximum(np.arange(53), 1) * 16, 15).astype(np.int64)
ABOVE_OF = np.minimum(np.ceil(FINE * (np.arange(16)[:, None] + 0.5) / 16 * np.arange(14)), ABOVE - 1).astype(np.int64)
CELLS = SUITS * 2 * ABOVE
LENGTH, OTHERS, BARE_OF, STRENGTH = CELLS, CELLS + 1, CELLS + 2, CELLS + 4
FIGURES = CELLS + 5
LANES = np.array([sum((SUIT >> far) << 13 * suit for suit in range(4)) for far in range(9)])
MOST = 1 << 24  #: no sum of weights is below its negative


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """The bid with the highest expected score, or the card that promises most for exactly the bid."""
    if moves[0] >= BID:
        return bid(s, seat, moves, n, TRICKS)
    card, _, _ = best_card(s, seat, moves, n, WEIGHTS)
    return card


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Another card, or a bid of one trick more or less."""
    return made < BID if meant < BID else abs(made - meant) == 1


@rule
def bid(s: Any, seat: int, moves: Any, n: int, adjusts: Any) -> int:
    """The bid with the highest expected score (OH-14, OH-15, OH-C1 to OH-C8). adjusts: TRICKS."""
    mean, spread, claimed = tricks_expected(s, seat)
    row = adjusts[s.counts[seat]]
    mean, variance = row[0] * mean + row[1] + row[2] * claimed, row[3] * spread
    top = -1 << 30
    if s.rules.scoring_tens and s.rules.zero_as_scored and moves[n - 1] - BID < BIDS:
        scores = SCORES[cell_of(mean, MEANS), cell_of(variance, SPREADS)]
        for i in range(n):
            top = max(top, int(scores[moves[i] - BID]) << 7 | moves[i])
        return top & 127
    chances = chances_of(s.each, mean, variance)
    for i in range(n):
        top = max(top, expected(s, moves[i] - BID, chances) << 7 | moves[i])
    return top & 127


@rule
def chances_of(each: int, mean: float, variance: float) -> Any:
    """How likely each number of tricks is, from 0 to `each`: normal, as in `expected_scores`."""
    chances = np.zeros(each + 1)
    scale, below = 1.0 / math.sqrt(max(2.0 * variance, 1e-4)), 0.0
    for tricks in range(each):
        upto = 0.5 + 0.5 * math.erf((tricks + 0.5 - mean) * scale)
        chances[tricks] = upto - below
        below = upto
    chances[each] = 1.0 - below
    return chances


@rule
def expected(s: Any, bid: int, chances: Any) -> int:
    """What a bid scores on average, in hundredths of a point, if the numbers of tricks have these chances."""
    total = 0.0
    for tricks in range(len(chances)):
        total += chances[tricks] * points(s, bid, tricks)
    return math.floor(100.0 * total + 0.5)


@rule
def cell_of(x: float, cells: int) -> int:
    """The cell of SCORES for a mean or a variance."""
    return int(min(max(CELLS_PER_TRICK * x + 0.5, 0.0), cells - 1.0))


@rule
def tricks_expected(s: Any, seat: int) -> tuple[float, float, float]:
    """How many tricks a hand wins when it is dealt, if each card wins one independently with its own chance; the
    variance; and how many tricks the seats that have bid claim beyond their share.
    """
    hand, held, others, trump = s.hands[seat], s.counts[seat], count(s.in_play) - 1, trump_of(s)
    unseen = in_order(s, unseen_by(s, seat))
    hand = in_order(s, hand)
    cards, trumps = count(unseen), count(of_trump(unseen, trump))
    share = min(1.0, others * held * PARTS[cards])  # the share of the unseen cards that are in hands
    bare, guarded, gone = row_of(1.0 - share * BARE), row_of(1.0 - share * GUARDED), row_of(1.0 - share)
    low = low_trump(hand, trump)
    ruffed = RUFFED if s.rules.must_follow else 1.0  # OH-C17, OH-C18
    mean, spread = 0.0, 0.0
    for suit in range(4):
        mine, theirs = hand >> 13 * suit & SUIT, unseen >> 13 * suit & SUIT
        if not mine:
            continue
        safe = LED[held] * unruffed(count(theirs), trumps, cards, held, others, ruffed) * LENGTHS[count(mine)]
        rest = mine
        while rest:
            rank = lowest(rest)
            higher, lower = count(theirs >> rank), count(mine & (1 << rank) - 1)
            if suit == trump:
                chance = max(POWERS[gone, max(higher - lower, 0)], low * max(1.0 - LOW_BEATEN * share * higher, 0.0))
            elif higher:
                chance = POWERS[guarded if lower else bare, higher] * safe
            else:
                chance = safe / LED[held]
            rest &= rest - 1
            chance = min(SCALE * chance, LIKELIEST)
            mean += chance
            spread += chance * (1.0 - chance)
    claimed = 0.0
    for p in range(s.seats):
        claimed += (s.bids[p] - held * PARTS[others + 1]) * (s.bids[p] >= 0)
    return mean, spread, claimed


@rule
def best_card(s: Any, seat: int, moves: Any, n: int, weights: Any) -> tuple[int, int, int]:
    """The card that promises most, how much (and MOST more), and the situation. moves: n cards to choose from. weights:
    of the shape (SITUATIONS, FIGURES).
    """
    hand, trump = s.hands[seat], trump_of(s)
    unseen, low = in_order(s, unseen_by(s, seat)), lowest_of(s)
    row, voids, share = situation(s, seat, in_order(s, hand), unseen, trump)
    least = leasts(s, trump)
    top = 0
    for i in range(n):
        card = moves[i]
        suit, rank = suit_of(card), strength(card, low)
        theirs, mine = unseen >> 13 * suit & SUIT, count(hand >> 13 * suit & SUIT)
        many, plain = count(theirs), suit != trump
        kind = KIND_OF[(voids >> suit & 0x11) * plain, many] * plain
        cell = ABOVE * (2 * kind + (rank >= (least >> 4 * suit & 15))) + ABOVE_OF[share, count(theirs >> rank)]
        x = int(weights[row, cell]) + int(weights[row, STRENGTH]) * rank
        x += int(weights[row, LENGTH]) * mine + int(weights[row, OTHERS]) * many
        x += int(weights[row, BARE_OF + plain]) * (mine == 1)
        top = max(top, x + MOST << 6 | card)
    return top & 63, top >> 6, row


@rule
def leasts(s: Any, trump: int) -> int:
    """The strength from which on a card beats the trick so far, in four bits a suit; 13 if none does."""
    if s.laid == 0:
        return 0
    low = lowest_of(s)
    high = s.trick[best(s, low, trump)]
    suit = suit_of(high)
    trumps = 15 << 4 * trump if trump >= 0 else 0
    return 0xDDDD & ~(trumps | 15 << 4 * suit) | strength(high, low) + 1 << 4 * suit


@rule
def masters(hand: int, unseen: int) -> int:
    """The unbeatable cards of a hand in their suits. All by strength."""
    beaten = unseen
    for far in (1, 2, 4, 8):
        beaten |= beaten >> far & LANES[far]
    return hand & ~beaten


@rule
def situation(s: Any, seat: int, hand: int, unseen: int, trump: int) -> tuple[int, int, int]:
    """The row of the weights; the plain suits that seats still to play to this trick may ruff, being known void in
    them and not in trumps: in the lower four bits by a seat that needs the trick, then by others; and the proportion
    of unseen cards in hands (a row of ABOVE_OF). hand, unseen: by strength.
    """
    held, playing = s.counts[seat], count(s.in_play)
    wanting, needed, voids = 0, 0, 0
    greedy = s.rules.scoring_tricks  # who has taken too many takes what they can (OH-C2)
    for p in range(s.seats):
        need, void = s.bids[p] - s.tricks[p], s.voids[p]
        wants = (need > 0) | (need < 0) & greedy
        comes = (s.counts[p] == held) & (p != seat)
        wanting += comes & wants
        needed += max(need, 0)
        voids |= void * (comes & ~of_suit(void, trump)) << 4 - 4 * wants
    need = s.bids[seat] - s.tricks[seat]
    place = PLACE_OF[min(s.laid, 1) * min(playing - s.laid, 3)] + (wanting > 0)
    sure = masters(hand, unseen)
    kind = DONE
    if need >= held or (need < 0 and greedy):
        kind = ALL
    elif need > 0 and count(of_trump(sure, trump)) >= need:
        kind = COVERED
    elif need > 0:
        tricks = SURELY * count(sure) + ROOM * (held - needed) - 100 * need
        kind = SHORT + (tricks >= FEW) + (tricks >= ENOUGH)
    if of_trump(unseen, trump) == 0:
        voids = 0
    elif s.laid:
        voids &= 0x11 << suit_of(s.trick[0])
    share = SHARE_OF[min((playing - 1) * held, 52), count(unseen)]
    return (place * SIZES + SIZE_OF[held]) * KINDS + kind, voids, share


@rule
def unseen_by(s: Any, seat: int) -> int:
    """The cards that the seat has not seen."""
    return int(pack_of(s) & ~s.played & ~s.hands[seat] & ~turned(s))


@rule
def of_trump(cards: int, trump: int) -> int:
    """The trumps among cards, as a set of one suit; none if there is no trump."""
    return cards >> 13 * trump & SUIT if trump >= 0 else 0


@rule
def of_suit(suits: int, suit: int) -> int:
    """The bit of a suit in a set of suits, shifted to the lowest; 0 if there is no such suit."""
    return suits >> suit if suit >= 0 else 0


@rule
def by_strength(cards: int) -> int:
    """Cards by suit and strength: of each thirteen bits, the two is bit 0 and the ace bit 12."""
    return (cards & ~RANK) >> 1 | (cards & RANK) << 12


@rule
def in_order(s: Any, cards: int) -> int:
    """Cards by suit and strength in the order of this table: as in Spain, the courts are a place lower, and the three
    stands above them.
    """
    ordered = by_strength(cards)
    if lowest_of(s) != SPANISH:
        return ordered
    three, courts = ordered & RANK << 1, ordered & RANK * 7 << 9
    return ordered & ~(three | courts) | three << 10 | courts >> 1


@rule
def power(x: float, k: int) -> float:
    """x (0 to 1, to the next 1/64) to the k."""
    return POWERS[row_of(x), k]


@rule
def row_of(x: float) -> int:
    """The row of POWERS with the powers of x."""
    return int(64.0 * x + 0.5)


@rule
def unruffed(theirs: int, trumps: int, cards: int, held: int, others: int, ruffed: float) -> float:
    """The probability that no other seat, of `held` cards, is void in a suit, holds a trump and ruffs. theirs,
    trumps, cards: the numbers of unseen cards of the suit, of trumps and in all. ruffed: how likely a seat ruffs that
    could.
    """
    void = power(max(1.0 - theirs * PARTS[cards], 0.0), held)
    return power(1.0 - ruffed * void * (1.0 - power(max(1.0 - trumps * PARTS[cards - theirs], 0.0), held)), others)


@rule
def low_trump(hand: int, trump: int) -> float:
    """The value of a low trump for ruffing. hand: by strength."""
    low = 0.0
    for suit in range(4):
        low += LOW_TRUMPS[count(hand >> 13 * suit & SUIT)] * (suit != trump)
    return min(0.9, low)
