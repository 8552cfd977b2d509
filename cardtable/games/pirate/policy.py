"""A regular Pirate player: lays any card that hands nothing over; before leaving a single gap, it estimates who will
turn that card first.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import rank_of, suit_of
from cardtable.games.pirate.state import CLAIM, PLAY, WAIT, gap, need, top
from cardtable.kernel import prng, rule
from cardtable.kernel.bits import count

NEVER = 1 << 20
PATIENCE = 60  #: number of ticks without a card laid after which a player who is not ahead takes a risk
SLIPS = 20  #: in how many of 100 moments a player in a deal played out by search does nothing


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """A claim, a card that is worth laying, the next card of the stock, or patience, in this order."""
    best = WAIT
    for i in range(n):
        move = moves[i]
        if move != PLAY or worth_laying(s, seat, top(s, seat)):
            best = move
    return best


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Not to see for a moment that a card can be laid, or that something can be claimed."""
    return meant in (PLAY, CLAIM) and made == WAIT


@rule
def slipped(s: Any, seat: int, meant: int) -> int:
    """Now and then a player lets a moment pass, so that nobody can foresee who will turn a card first."""
    return WAIT if prng.below(s.rng, 100) < SLIPS else meant


@rule
def worth_laying(s: Any, seat: int, card: int) -> bool:
    """Whether to lay a card: always, unless it leaves a single gap that the other will probably fill first."""
    if gap(s, suit_of(card)) != 2:
        return True
    last = card - rank_of(card) + need(s, 1 - seat, suit_of(card))
    mine, theirs = turns_until(s, seat, last, 1), turns_until(s, 1 - seat, last, 0)
    if mine + 2 < max(theirs, 2):  # the seat itself begins to look for it a tick later
        return True
    behind = s.captured[seat] <= s.captured[1 - seat]
    return bool(behind and theirs > 2 and s.tick - s.last >= PATIENCE)


@rule
def turns_until(s: Any, seat: int, card: int, off: int) -> int:
    """Twice the number of turns until a card is on top of a seat's waste (on average, while the order is unknown); off:
    1 if the top goes first.
    """
    on_waste, held = s.turned[seat] - off, s.held[seat] - off
    if s.unseen[seat] >> card & 1:
        return int(count(s.unseen[seat])) + 1
    for i in range(on_waste):
        if s.cards[seat, i] == card:
            return 0 if i == on_waste - 1 else 2 * (held - on_waste + i + 1)
    if s.unseen[seat] == 0:
        for i in range(on_waste, held):
            if s.cards[seat, i + off] == card:
                return 2 * (i + 1 - on_waste)
    return NEVER
