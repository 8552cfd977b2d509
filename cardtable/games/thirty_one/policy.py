"""The rule of thumb of a regular Thirty-One player."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import suit_of
from cardtable.games.thirty_one.state import KNOCK, POINT, STOCK, UPCARD, State, count_of, strength
from cardtable.kernel import rule
from cardtable.kernel.bits import count, lowest


@rule
def heuristic(s: State, seat: int, moves: Any, n: int) -> int:
    """Knock with a count that the others probably lack; take a helpful upcard; keep the cards that count most."""
    if n == 1:
        return moves[0]
    if moves[0] != STOCK:
        return discard(s, seat, moves, n)
    hand = s.hands[seat]
    if moves[n - 1] == KNOCK and strength(s, hand) >= POINT * enough(s):
        return KNOCK
    if moves[1] == UPCARD:
        card = s.pile[s.pile_count - 1]
        taken = best_worth(s, hand, 1 << card)
        if taken >= worth(s, hand) + 48:  # three points more
            return UPCARD
    return STOCK


@rule
def slip(s: State, seat: int, meant: int, made: int) -> bool:
    """Another discard; the stock instead of the upcard, or instead of a knock."""
    return made < STOCK if meant < STOCK else made == STOCK and meant in (UPCARD, KNOCK)


@rule
def enough(s: State) -> int:
    """The count to knock with: higher after more turns, and with two players."""
    players = count(s.in_play)
    rounds = s.played // players
    return min(21 + rounds + (2 if players == 2 else 0), 27)


@rule
def worth(s: State, hand: int) -> int:
    """The value of keeping three cards: sixteen times their count, plus a little for their prospects."""
    cards = hand
    suits = 0
    high = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        suits |= 1 << suit_of(card)
        high += count_of(1 << card, 1)
    return strength(s, hand) * 16 // POINT + high // 3


@rule
def best_worth(s: State, hand: int, fixed: int) -> int:
    """The worth of the best three cards when one of `hand` is discarded and `fixed` is kept."""
    best = -1
    cards = hand
    while cards:
        best = max(best, worth(s, hand & ~(cards & -cards) | fixed))
        cards &= cards - 1
    return best


@rule
def discard(s: State, seat: int, moves: Any, n: int) -> int:
    """The card to discard so that the rest are worth most."""
    best, top = moves[0], -1
    for i in range(n):
        rest = worth(s, s.hands[seat] & ~(1 << moves[i]))
        if rest > top:
            best, top = moves[i], rest
    return best
