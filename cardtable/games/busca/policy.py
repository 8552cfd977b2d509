"""A regular Busca player: ducks under the trick, throws aces and high cards when void, and keeps low cards for the
end.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import ALL_40, rank_of
from cardtable.games.shared.tricks import NO_TRUMP, beats, best, strength, suit_cards
from cardtable.kernel import rule
from cardtable.kernel.bits import count, lowest

ASIDE = 52
LOW = 3


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """The card that the seat can best do without; if possible one that does not take the trick."""
    choice, top = moves[0], -1e9
    for i in range(n):
        card = moves[i] % ASIDE
        if moves[i] >= ASIDE:
            worth = burden(s, seat, card)
        elif s.laid == 0:
            worth = -risk(s, seat, card) + 0.1 * burden(s, seat, card)
        else:
            worth = answer(s, seat, card)
        if worth > top:
            choice, top = moves[i], worth
    return choice


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Any other card: to the trick instead of another one, or laid aside instead of another one."""
    return (meant < ASIDE) == (made < ASIDE)


@rule
def points(card: int) -> int:
    """Thirds of a point: 3 an ace, 1 a 2, 3, J, Q, K."""
    rank = rank_of(card)
    return 3 if rank == 0 else 1 if rank < 3 or rank > 9 else 0


@rule
def weaker(card: int) -> int:
    """The cards of its suit that a card beats."""
    beaten = 0
    cards = suit_cards(card) & ALL_40
    while cards:
        other = lowest(cards)
        cards &= cards - 1
        if strength(other, LOW) < strength(card, LOW):
            beaten |= 1 << other
    return beaten


@rule
def out(s: Any, seat: int, card: int) -> int:
    """The cards of a card's suit that others may hold."""
    known = 1 << (s.aside - 1) if s.aside and seat == s.dealer else 0
    return int(suit_cards(card) & ALL_40 & ~s.played & ~s.hands[seat] & ~known)


@rule
def risk(s: Any, seat: int, card: int) -> float:
    """The probability that a card wins a trick of its suit against the seats still to play."""
    others = out(s, seat, card)
    if others == 0:
        return 1.0
    above = count(others & ~weaker(card))
    missed = 1.0
    for _ in range(count(s.in_play) - 1 - s.laid):
        missed *= 1.0 - above / (above + count(others & weaker(card)) + 1.0)
    return missed if above else 1.0


@rule
def burden(s: Any, seat: int, card: int) -> float:
    """How much a seat gains by getting rid of a card: it costs points, beats many cards that are still out, and few
    lower cards of the hand protect it.
    """
    guards = count(s.hands[seat] & weaker(card))
    return (
        1.2 * points(card) + 0.5 * count(out(s, seat, card) & weaker(card)) + 0.3 * strength(card, LOW) - 0.6 * guards
    )


@rule
def answer(s: Any, seat: int, card: int) -> float:
    """The value of adding a card to the trick."""
    if not beats(card, s.trick[best(s, LOW, NO_TRUMP)], LOW, NO_TRUMP):
        return 100.0 + burden(s, seat, card)  # it loses the trick
    if s.laid == count(s.in_play) - 1:
        # the seat takes the trick anyway, so a high card is best
        return 50.0 + 0.4 * strength(card, LOW) - points(card)
    return 50.0 - 40.0 * risk(s, seat, card) - points(card)
