"""The rule of thumb of a regular Fan Tan player (FT-S1, FT-S2), also where passes are free (FT-C2, FT-C3)."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import SUIT, rank_of, suit_of
from cardtable.games.fan_tan.layout import founding
from cardtable.games.fan_tan.state import PASS, FanTanTable
from cardtable.kernel import rule
from cardtable.kernel.bits import count


@rule
def heuristic(s: FanTanTable, seat: int, moves: Any, n: int) -> int:
    """Lay the card that frees the most of your own cards and the fewest of the others'; hold back 7s and blocking
    cards.

    Each legal card is valued by the cards beyond it in its row, towards the ace or the king. While a card may be laid,
    the heuristic never draws or ends its turn early, and passes only where that is free and every card would help the
    others more than itself.
    """
    best, top = moves[n - 1], -1000
    mine = s.hands[seat]
    founders, first = founding(s), s.set_rank - 1  # the rank of the founding cards
    for i in range(n):
        card = moves[i]
        if card >= 52:
            continue
        row, rank = SUIT << 13 * suit_of(card), rank_of(card)
        founds = founders >> card & 1
        row &= ~s.strays
        above = row & ~((2 << card) - 1) & -(founds | (rank > first))
        below = row & ((1 << card) - 1) & -(founds | (rank < first))
        worth = opening(above, mine, 2 << card, down_from(above & mine))
        worth += opening(below, mine, (1 << card) >> 1, -(below & mine & -(below & mine))) - 4 * founds
        best = card if worth > top else best
        top = max(top, worth)
    if s.rules.passes and moves[n - 1] == PASS and top < patience(s, seat):
        return PASS
    return best


@rule
def patience(s: FanTanTable, seat: int) -> int:
    """The value below which a card is held back by a free pass; the last pass is kept for a turn without a card, unless
    all cards are bad. Against players who never hold back, this wins several chips a deal.
    """
    if s.rules.passes < 0:
        return 8
    return 4 if s.rules.passes - s.passed[seat] > 1 else -4


@rule
def opening(beyond: int, mine: int, following: int, before: int) -> int:
    """The value of opening a row towards the cards `beyond`, of which `following` is the next.

    It frees the seat's own cards in the row (FT-S2) and those of the others (FT-S1); but the seat also needs the others
    to lay the cards `before` its own farthest card. The weights are the ones that win most among four players.
    """
    others = beyond & ~mine
    worth = 3 * count(beyond & mine) - count(others) + 3 * count(others & before)
    return worth + 3 * (following & beyond & mine != 0)  # the row is blocked again


@rule
def down_from(cards: int) -> int:
    """The cards of a suit, and all that are lower than the highest of them."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    return cards | cards >> 8
