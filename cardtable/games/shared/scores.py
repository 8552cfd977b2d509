"""What games with scores share: the first dealer, passing the deal, points with their reasons, the leaders."""

from __future__ import annotations

from typing import Any

from cardtable.games.shared.table_options import RANDOM
from cardtable.kernel import Ints, field, prng, rule
from cardtable.rules.contract import MAX_SEATS, SCORE, TABLE, Table, clear_events, defaults, emit

SEATS = 8  #: the most seats of most games with scores


class ScoreTable(Table):
    """The fields of a game with scores."""

    scores: Ints = field("i8", MAX_SEATS)  #: of the match
    gained: Ints = field("i8", MAX_SEATS)  #: in this deal


@rule
def after(s: Any, seat: int, among: int) -> int:
    """The next seat in the direction of play that is in the mask `among`, which is not empty."""
    n = s.seats
    seat += s.direction
    seat = seat - n if seat >= n else (seat + n if seat < 0 else seat)
    while not among >> seat & 1:
        seat += s.direction
        seat = seat - n if seat >= n else (seat + n if seat < 0 else seat)
    return seat


@rule
def everyone(s: Any) -> int:
    """The mask of all seats."""
    return (1 << s.seats) - 1


@rule
def begin(s: Any, direction: int) -> None:
    """Open a match: no scores, and the first dealer by lot or by name."""
    for p in range(s.seats):
        s.scores[p] = s.gained[p] = 0
    s.direction = direction
    s.deal_number = 0
    s.over = 1
    s.winner = -1
    s.dealer = prng.below(s.rng, s.seats) if s.rules.first_dealer == RANDOM else s.rules.first_dealer - 1


@rule
def open_deal(s: Any, among: int) -> None:
    """Begin the next deal for the seats of a mask; after the first deal, the deal passes to the next of them."""
    if s.deal_number:
        s.dealer = after(s, s.dealer, among)
    s.deal_number += 1
    s.over = 0
    s.winner = -1
    s.in_play = among
    for p in range(s.seats):
        s.gained[p] = 0


@rule
def score(s: Any, seat: int, points: int, why: int) -> None:
    """Add points to a seat's score; a negative number is a loss."""
    s.gained[seat] += points
    s.scores[seat] += points
    emit(s, SCORE, seat, TABLE, points, why)


@rule
def scored(s: Any, out: Any) -> None:
    """The payoff: points scored in this deal."""
    for p in range(s.seats):
        out[p] = s.gained[p]


@rule
def show_scores(s: Any, out: Any) -> None:
    """The part of `standing` that games with scores share."""
    for p in range(s.seats):
        out[p] = s.scores[p]


@rule
def after_all_deals(s: Any, out: Any) -> int:
    """The standing of a match with a fixed number of deals."""
    show_scores(s, out)
    return 1 if s.over and s.deal_number >= s.rules.deals else 0


@rule
def clockwise(s: Any) -> None:
    """The opening where play goes clockwise."""
    clear_events(s)
    begin(s, 1)


@rule
def added(row: Any, n: int) -> int:
    """The sum of the first n numbers of a row."""
    total = 0
    for i in range(n):
        total += row[i]
    return total


@rule
def leaders(s: Any, row: Any, among: int, sign: int) -> int:
    """The seats of a mask with the most (sign 1) or the fewest (sign -1) points of a row, as a mask."""
    best = 0
    leading = 0
    for p in range(s.seats):
        if among >> p & 1:
            points = sign * row[p]
            if leading == 0 or points > best:
                best = points
                leading = 0
            if points == best:
                leading |= 1 << p
    return leading


defaults(ScoreTable, start=clockwise, payoff=scored, standing=after_all_deals)
