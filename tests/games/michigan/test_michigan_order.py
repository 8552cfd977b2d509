"""The order of the cards in Michigan, the lowest card of all, and the money cards that a house may choose."""

from __future__ import annotations

import itertools

import pytest

from cardtable import Match
from cardtable.base.cards import card_text, parse_cards
from cardtable.games.michigan import order
from tests.games.michigan.michigan_tables import GAME, lying

RANKS = "23456789TJQKA"
SUITS = "SHDC"


def strength(card: int) -> int:
    """0 for a 2, 12 for an ace."""
    return RANKS.index(card_text(card)[0])


@pytest.mark.rules("MI-04")
def test_the_order_of_a_suit() -> None:
    for suit in SUITS:
        cards = parse_cards(" ".join(rank + suit for rank in RANKS))
        for card, following in itertools.pairwise(cards):
            assert order.after(card) == following
        assert order.after(cards[-1]) == -1
        for n, card in enumerate(cards):
            assert order.below(card) == sum(1 << lower for lower in cards[:n])


@pytest.mark.rules("MI-04", "MI-25", "MI-Q7")
def test_the_lowest_card_of_all() -> None:
    """Of any two cards: the lower one, or both if they are equal."""
    for a, b in itertools.combinations(range(52), 2):
        least = min(strength(a), strength(b))
        lowest = sum(1 << card for card in (a, b) if strength(card) == least)
        assert order.lowest_of_all(1 << a | 1 << b) == lowest, (card_text(a), card_text(b))
        assert order.lower_ranks(a) >> b & 1 == (strength(b) < strength(a)), (card_text(a), card_text(b))


@pytest.mark.rules("MI-05", "MI-58")
def test_money_cards_that_a_house_may_choose() -> None:
    """And the largest dress."""
    for money in ("AH KC QD JS", "KC AH QD JS AC", "2S 3S 4S 5S", "AS KC QD JS"):
        assert list(lying(Match(GAME, 4, seed=1, money=money))) == money.split()
    m = Match(GAME, 4, "pope-joan", seed=1, money="9D KC QS JH", dress="9D1000 KC0 QS1 JH2", stack=5000)
    assert lying(m) == {"9D": 1000, "KC": 0, "QS": 1, "JH": 2}
