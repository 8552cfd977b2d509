"""Shared by fishing games: capturing sets of table cards that add up to a value, piles, sweeps, the stock.

The cards on the table, in the hands and in the piles are sets. A pile belongs to a side (`side`), which is one seat or
two partners; its number is that of its first seat.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import rank_of
from cardtable.games.shared.scores import ScoreTable, added, open_deal
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import count, highest, lowest
from cardtable.rules.contract import DEAL, LAY, OWN, TABLE, defaults, emit, emit_card, hide_hands, redact_events

PLAYERS = 4  #: the most seats of a fishing game
MAX_STOCK = 52
MOST_DEALS = 100  #: deals of a match after which a tie at the top stands (SC-Q12, CA-Q17)
MAX_SWEEPS = 24  #: somebody trails after each sweep, so half the cards are more than enough
TAKES, SWEEPS, LEFT, SCORED = OWN, OWN + 1, OWN + 2, OWN + 3  # events; each game's own begin at SCORED


class CaptureTable(ScoreTable):
    """The fields of a fishing game."""

    turn: int = field()
    last: int = field()  #: the seat that captured last; -1: none
    board: int = field()  #: single cards on the table
    absent: int = field()  #: cards that are out of this deal (positions only)
    stock_size: int = field()  #: the size of the stock at the beginning
    drawn: int = field()  #: how many of its cards have been dealt
    hands: Ints = field("i8", PLAYERS)
    counts: Ints = field("i8", PLAYERS)
    piles: Ints = field("i8", PLAYERS)  #: captured cards of each side; everybody saw them
    sweeps: int = field()  #: made in this deal
    sweeper: Ints = field("i8", MAX_SWEEPS)  #: the seats that made sweeps, in order
    sweep_card: Ints = field("i8", MAX_SWEEPS)  #: the cards left face up to mark them
    stock: Ints = field("i8", MAX_STOCK)  #: from the top


@rule
def side(s: Any, seat: int) -> int:
    """The side of a seat: with four, partners sit opposite."""
    return seat & 1 if s.seats == 4 else seat


@rule
def sides(s: Any) -> int:
    """How many sides there are."""
    return 2 if s.seats == 4 else s.seats


@rule
def sums(free: int, target: int, values: Any, base: int, moves: Any, k: int) -> int:
    """Write base | X, from moves[k] on, for each set X of two or more cards of `free` whose values add up to target.

    values: of each rank, 0 for a rank without value; target: at most 10, so X has fewer than ten cards. Returns the new
    k.
    """
    rest, taken, missing = free, 0, target
    while True:
        if rest:
            card = lowest(rest)
            rest &= rest - 1
            value = values[rank_of(card)]
            if 0 < value < missing:
                taken |= 1 << card
                missing -= value
            elif value == missing and taken:
                moves[k] = base | taken | 1 << card
                k += 1
        elif taken:  # put the last card back, and continue above it
            card = highest(taken)
            taken &= ~(1 << card)
            missing += values[rank_of(card)]
            rest = free & ~((2 << card) - 1)
        else:
            return k


@rule
def worth_of(cards: int, values: Any) -> int:
    """The sum of the values of some cards. values: of each rank."""
    total = 0
    while cards:
        total += values[rank_of(lowest(cards))]
        cards &= cards - 1
    return total


@rule
def has_sum(free: int, target: int, values: Any) -> bool:
    """Whether a set of one or more cards of `free` adds up to target (see `sums`)."""
    reached = 1  # bit n: some of the cards, or none, add up to n
    while free:
        reached |= (reached << values[rank_of(lowest(free))]) & ((2 << target) - 1)
        free &= free - 1
    return bool(reached >> target & 1)


@rule
def ascending(moves: Any, n: int) -> None:
    """Sort the first n moves, by insertion: they are few, and mostly sorted."""
    for i in range(n):
        move = moves[i]
        j = i
        while j and moves[j - 1] > move:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move


@rule
def begin_deal(s: Any, why: int) -> None:
    """Begin the next deal with an empty table."""
    open_deal(s, (1 << s.seats) - 1)
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, why)
    for p in range(s.seats):
        s.hands[p] = s.counts[p] = s.piles[p] = 0
    s.board = s.absent = s.sweeps = s.drawn = 0
    for i in range(MAX_SWEEPS):
        s.sweeper[i] = s.sweep_card[i] = 0
    s.last = -1
    s.turn = after_turn(s, s.dealer)


@rule
def after_turn(s: Any, seat: int) -> int:
    """The seat whose turn follows a seat's."""
    seat += s.direction
    if seat < 0:
        return s.seats - 1
    return 0 if seat == s.seats else seat


@rule
def give(s: Any, each: int, by: int) -> None:
    """Deal a number of cards from the stock to each seat, `by` at a time, eldest first."""
    for _ in range(each // by):
        p = s.dealer
        for _ in range(s.seats):
            p = after_turn(s, p)
            for _ in range(by):
                s.hands[p] |= 1 << s.stock[s.drawn]
                s.stock[s.drawn] = 0
                s.drawn += 1
            s.counts[p] += by


@rule
def lay_down(s: Any, seat: int, card: int, why: int) -> None:
    """Take a card out of a hand."""
    s.hands[seat] &= ~(1 << card)
    s.counts[seat] -= 1
    emit_card(s, LAY, seat, TABLE, card, why)


@rule
def capture(s: Any, seat: int, card: int, taken: int, why: int) -> None:
    """A seat's card and the cards it takes go to the pile; the caller clears them from the table."""
    s.piles[side(s, seat)] |= taken | 1 << card
    s.last = seat
    if s.record_events:
        while taken:
            emit_card(s, TAKES, seat, TABLE, lowest(taken), why)
            taken &= taken - 1


@rule
def sweep(s: Any, seat: int, card: int, why: int) -> None:
    """Note a sweep: the capture cleared the table, and its card is left face up."""
    s.sweeper[s.sweeps] = seat
    s.sweep_card[s.sweeps] = card
    s.sweeps += 1
    emit_card(s, SWEEPS, seat, TABLE, card, why)


@rule
def in_hands(s: Any) -> int:
    """The number of cards in all hands."""
    return added(s.counts, s.seats)


@rule
def hide(s: Any, seat: int) -> None:
    """Erase the other hands and the stock. Piles stay, because everybody saw the captures. Part of `redact`."""
    redact_events(s, seat)
    hide_hands(s, seat)
    for i in range(MAX_STOCK):
        s.stock[i] = 0


@rule
def restock(s: Any, seat: int, row: Any) -> None:
    """Fill the hands that `seat` does not see with the cards of a shuffled row, then the stock."""
    k = 0
    for p in range(s.seats):
        if p != seat:
            for _ in range(s.counts[p] - count(s.hands[p])):
                s.hands[p] |= 1 << row[k]
                k += 1
    for i in range(s.drawn, s.stock_size):
        s.stock[i] = row[k]
        k += 1


@rule
def margin(s: Any, out: Any) -> None:
    """The payoff: how much more a seat's side gained in this deal than the best of the other sides."""
    for p in range(s.seats):
        best = 0
        for q in range(s.seats):
            if side(s, q) != side(s, p):
                best = max(best, s.gained[q])
        out[p] = s.gained[p] - best


@rule
def ahead(s: Any, row: Any) -> int:
    """The side with the highest number in a row (0 or more, one for each side); -1 if several share it."""
    best, who = 0, -1
    for p in range(sides(s)):
        if row[p] > best:
            best = row[p]
            who = p
        elif row[p] == best:
            who = -1
    return who


defaults(CaptureTable, redact=hide, payoff=margin)
