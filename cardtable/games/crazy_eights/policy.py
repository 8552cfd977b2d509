"""The heuristic of a regular Crazy Eights player."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import RANK, SUIT, rank_of, suit_of
from cardtable.games.crazy_eights.state import DRAW, NAME, NAMED_8, PASS, State, hand
from cardtable.kernel import rule
from cardtable.kernel.bits import count


@rule
def held_of(s: State, seat: int, suit: int) -> int:
    """The number of cards of a suit that a seat holds, not counting eights."""
    cards = SUIT << 13 * suit & ~(RANK << 7)
    return count(s.hands[seat, 0] & cards) + count(s.hands[seat, 1] & cards)


@rule
def heuristic(s: State, seat: int, moves: Any, n: int) -> int:
    """Play the card that leaves you the most cards to continue with; keep eights and jokers until nothing else fits;
    draw only as a last resort.

    When an opponent is about to go out, play wild cards at once: they count most, and change the suit. With an eight,
    name your longest suit.
    """
    best, top = moves[0], -1e9
    danger = 0
    for p in range(s.seats):
        if p != seat and s.counts[p] == 1:
            danger = 1
    kinds = hand(s, seat)
    for i in range(n):
        move = moves[i]
        worth = 0.0
        if move in (DRAW, PASS):
            worth = -1000.0
        elif move >= NAME:
            worth = held_of(s, seat, move - NAME)
        elif move >= NAMED_8:
            named = (move - NAMED_8) % 4
            worth = (20.0 if danger and s.rules.scoring_points else -50.0) + held_of(s, seat, named)
        elif move >= 52:
            worth = 25.0 if danger and s.rules.scoring_points else -40.0
        else:
            suit = suit_of(move)
            worth = held_of(s, seat, suit) + 0.7 * count(kinds & RANK << rank_of(move))
            if s.rules.scoring_points:
                worth += 0.1 * min(rank_of(move) + 1, 10)
        if worth > top:
            best, top = move, worth
    return best


@rule
def slip(s: State, seat: int, meant: int, made: int) -> bool:
    """Another card, also an eight too early, or another suit to name; a draw to keep an eight or a joker for later."""
    if meant in (DRAW, PASS) or made == PASS:
        return False
    if made == DRAW:
        return 52 <= meant < DRAW
    return (meant < NAME) == (made < NAME)
