"""The rule of thumb of a regular Scopa player: take cards that score, sweep, and leave nothing the next can sweep."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import ALL_40, RANK, rank_of
from cardtable.games.scopa.values import COINS, FIFTEEN, NAPOLA, PRIME, RE_BELLO, SETTE_BELLO, VALUES
from cardtable.games.shared.captures import worth_of
from cardtable.kernel import rule
from cardtable.kernel.bits import count, lowest

SWEEP, SWEPT = 10.0, 9.0  #: the value of a sweep in tenths of a point, for us and against us
KEPT_ACE = 3.0  #: of an ace that takes all, which a fuller table is worth waiting for


@rule
def of_value(value: int) -> int:
    """The four cards of a value for capturing, 1 to 10; 0 above."""
    return 0 if value > 10 else RANK << (value - 1 if value < 8 else value + 2)


@rule
def worth(s: Any, cards: int) -> float:
    """Roughly what cards add to the points for a pile, in tenths of a point."""
    total = 0.0
    sevens, extra = 1 - s.rules.primiera_points, 1 - s.rules.napola_off
    points = 1 << SETTE_BELLO | s.rules.re_bello << RE_BELLO
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if sevens:
            total += 0.4 + (3.0 if rank_of(card) == 6 else (1.0 if rank_of(card) == 5 else 0.0))
        else:
            total += 0.4 + (PRIME[rank_of(card)] - 10) * 0.15
        if 1 << card & COINS:
            total += 0.9
        if 1 << card & points:
            total += 9.0
        if extra and 1 << card & NAPOLA:
            total += 5.0
    return total


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """Weigh the cards taken, a sweep, the cards left for the next player, and whether that player may sweep them."""
    unseen = ALL_40 & ~s.hands[seat] & ~s.board & ~s.absent
    for p in range(s.seats):
        unseen &= ~s.piles[p]
    hidden = max(count(unseen), 1)
    follower = seat + s.direction
    follower = s.seats - 1 if follower < 0 else (0 if follower == s.seats else follower)
    aces = 1 - s.rules.aces_normal
    best, top = moves[0], -1e9
    for i in range(n):
        move = moves[i]
        taken = move & s.board
        remaining = s.board & ~taken if taken else s.board | move
        own = aces and s.rules.ace_on_empty_own_pile and s.board == 0 and move & RANK
        remaining = 0 if own else remaining
        value = worth(s, move) if taken or own else 0.0
        quiet = aces and not s.rules.aces_take_all_sweep and move & RANK & ~s.board
        if taken and remaining == 0 and (not quiet or s.rules.ace_on_table_pairs and taken & RANK):
            value += SWEEP
        value -= 0.4 * worth(s, remaining)
        total = worth_of(remaining, VALUES)
        if s.rules.capture_fifteen:
            total = FIFTEEN - total if total else 0
        key = of_value(total) if 0 < total <= 10 else 0
        if aces and remaining:
            chance = min(count(unseen & RANK) * s.counts[follower] / hidden, 1.0)
            value -= chance * worth(s, remaining)
            key = key | RANK if s.rules.aces_take_all_sweep else key & ~RANK
            if rank_of(lowest(move & ~s.board)) == 0:
                value -= KEPT_ACE
        if key:
            value -= SWEPT * min(count(unseen & key) * s.counts[follower] / hidden, 1.0)
        if value > top:
            best, top = move, value
    return best


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Another capture instead of a capture, or another card to lay down."""
    return (meant & s.board != 0) == (made & s.board != 0)
