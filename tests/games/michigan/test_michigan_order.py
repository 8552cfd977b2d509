"""The order of the cards in Michigan, the lowest card of all, and the money cards that a house may choose."""

from __future__ import annotations

import itertools

import pytest

from cardtable import Match, OptionError
from cardtable.base.cards import card_text, parse_cards
from cardtable.games.michigan import order
from tests.games.michigan.michigan_tables import GAME

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


@pytest.mark.rules("MI-05")
@pytest.mark.parametrize("money", ["AH KC QD", "AH KC QD JS TS 9S", "AH KC QD X1", "AH KC QD AH", "AH KC QD 1Z"])
def test_money_cards_that_cannot_be(money: str) -> None:
    with pytest.raises(OptionError):
        Match(GAME, 4, seed=1, money=money)


@pytest.mark.rules("MI-05")
@pytest.mark.parametrize("money", ["AH KC QD JS", "KC AH QD JS AC", "2S 3S 4S 5S", "AS KC QD JS"])
def test_money_cards_that_a_house_may_choose(money: str) -> None:
    m = Match(GAME, 4, seed=1, money=money)
    assert [zone.name for zone in m.view().zones if zone.kind == "pot"] == [f"money-{card}" for card in money.split()]


@pytest.mark.rules("MI-58")
@pytest.mark.parametrize(
    "dress",
    [
        "9D5 KH4 QS3",
        "9D5 KH4 QS3 JC2 TD1 2S1",
        "9D5 KH4 QS3 9D2",
        "9D5 KH4 QS3 X11",
        "9D5 KH4 QS3 JC1001",
        "9D5 KH4 QS3 JCx",
    ],
)
def test_dresses_that_cannot_be(dress: str) -> None:
    with pytest.raises(OptionError):
        Match(GAME, 4, "pope-joan", seed=1, dress=dress)


@pytest.mark.rules("MI-58")
def test_the_largest_dress() -> None:
    m = Match(GAME, 4, "pope-joan", seed=1, money="9D KC QS JH", dress="9D1000 KC0 QS1 JH2", stack=5000)
    chips = {zone.name: zone.count for zone in m.view().zones if zone.kind == "pot"}
    assert chips == {"money-9D": 1000, "money-KC": 0, "money-QS": 1, "money-JH": 2}
