"""The rule of thumb of a regular Michigan player (MI-S1 to MI-S3)."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import ALL_52
from cardtable.games.michigan.order import after, lowest_of_all, open_leads, place_of
from cardtable.games.michigan.state import (
    AUCTION,
    BID,
    CONTINUE,
    EXCHANGE,
    FOLLOWING,
    KEEP,
    LEADING,
    PASS,
    SPIN,
    SPINNING,
    STAKE,
    STAKING,
    WIDOW,
)
from cardtable.kernel import rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules.contract import listed_cards

HIGH = 0b1_1110_0000_0001  #: ten to king and ace, of one suit
HIGH_CARDS = HIGH | HIGH << 13 | HIGH << 26 | HIGH << 39
NEARLY_OUT = 2  #: a hand of at most two cards is soon laid
LEAD = 2.0  #: the value of leading again, in cards shed
SHED = 1.0  #: the cost when another player sheds a card, if that player were the only one
TAKEN = 2.0  #: the cost when another player takes a chip


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """Spread chips evenly; take a widow that is worth more than the hand; lead the suit that runs best; spin to keep
    the lead.
    """
    if n == 1 or s.phase == FOLLOWING:
        return moves[0]  # the next card stands before the pass
    if s.phase == STAKING:
        return most_even(s, moves, n)
    if s.phase == WIDOW:
        return EXCHANGE if widow_gain(s, seat) > 0.0 else KEEP
    if s.phase == AUCTION:
        return moves[1] if moves[1] - BID <= widow_gain(s, seat) else PASS
    if s.phase == SPINNING:
        return SPIN if worth_spinning(s, seat) else CONTINUE
    return best_lead(s, seat, listed_cards(moves, n))


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Another proper lead, or other money cards for the chips; never a mistaken pass, exchange, bid or spin."""
    if s.phase == STAKING:
        return True
    return s.phase == LEADING and meant < 52 and made < 52 and open_leads(s.hands[seat], s.barred) >> made & 1 == 1


@rule
def most_even(s: Any, moves: Any, n: int) -> int:
    """The way of spreading chips that puts the fewest on any one card: before the deal all cards are equally likely."""
    best, least = moves[0], 1 << 30
    for i in range(n):
        code, squares = moves[i] - STAKE, 0
        while code:
            squares += (code % 5) ** 2
            code //= 5
        if squares < least:
            best, least = moves[i], squares
    return best


@rule
def widow_gain(s: Any, seat: int) -> float:
    """MI-S1: how many chips the widow is worth more than the seat's hand: chips on money cards and high cards, minus
    the cost of more cards to lay.
    """
    mine = s.hands[seat]
    own, size, outside = s.counts[seat], s.dead_count, 0
    value = 0.0
    for i in range(s.rules.m):
        if mine >> s.rules.money[i] & 1:
            value += 0.6 * s.on[i]
        else:
            outside += s.on[i]
    high = count(mine & HIGH_CARDS)
    share = size / (52 - own)
    promised = 0.6 * outside * share + 0.7 * (20 - high) * share
    return promised - value - 0.7 * high - (size - own) + 1.0  # knowing the dead cards is worth a chip (MI-S2)


@rule
def alive(s: Any, seat: int) -> int:
    """The cards that others may hold, as far as a seat knows."""
    gone = s.played | s.hands[seat]
    if s.exchanger == seat + 1:
        gone |= s.dead
    nobody = ALL_52
    for p in range(s.seats):
        if p != seat:
            nobody &= s.lacks[p]
    return ALL_52 & ~gone & ~nobody


@rule
def worth_spinning(s: Any, seat: int) -> bool:
    """Whether to spin: with the last card, or to stop a seat that is nearly out and may hold the next card.

    Otherwise the ace is kept, because its holder can get rid of it after any of their cards.
    """
    if s.counts[seat] == 1:
        return True
    near = 0
    for p in range(s.seats):
        near |= int(p != seat and s.counts[p] <= NEARLY_OUT)
    return near == 1 and alive(s, seat) >> after(s.cur) & 1 == 1


@rule
def best_lead(s: Any, seat: int, may: int) -> int:
    """MI-S3: of the proper leads, the one whose suit promises most; with none, a pass or the lowest card of all.

    may: the cards to choose from; -1 if there is no proper lead among them.
    """
    mine = s.hands[seat]
    leads = open_leads(mine, s.barred)
    if leads == 0:
        return PASS if s.passes < s.seats else lowest(lowest_of_all(mine))
    leads &= may
    others = alive(s, seat)
    hidden = 0 if s.exchanger == seat + 1 else s.dead_count
    unseen = count(ALL_52 & ~s.played & ~mine) - (s.dead_count - hidden)
    lost = hidden / unseen if unseen else 0.0
    best, top = -1, 0.0
    while leads:
        card = lowest(leads)
        leads &= leads - 1
        worth = promise(s, mine, others, lost, card)
        if best < 0 or worth > top:
            best, top = card, worth
    return best


@rule
def promise(s: Any, mine: int, others: int, lost: float, card: int) -> float:
    """The value of leading a card: how far its suit may run, the cards shed and chips taken by the seat, the effects
    on others, and the next leader.

    others: the cards that other hands may contain, each dead with probability `lost`.
    """
    each = 1.0 / (s.seats - 1)
    worth, chance, own = 0.0, 1.0, True
    while card >= 0:
        place = place_of(s, card)
        chips = s.on[place] if place >= 0 else 0
        if mine >> card & 1:
            worth += chance * (1.0 + chips)
            own = True
        elif others >> card & 1:
            if own:
                worth += chance * lost * LEAD
            chance *= 1.0 - lost
            worth -= chance * (SHED + TAKEN * chips) * each
            own = False
        else:
            break
        card = after(card)
    if own:
        worth += chance * LEAD
    return worth
