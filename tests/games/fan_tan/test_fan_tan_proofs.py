"""What offences of Fan Tan and draws of Domino Fan-Tan prove, and how a deal without the cards needed ends."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import Match
from cardtable.base.cards import parse_card, parse_set
from cardtable.games.fan_tan.offences import retell
from cardtable.kernel import prng
from tests.support.games import oracle
from tests.support.games.tables import FINED, paid, sit


def side(distance: int, paid: bool, suit: int, upper: int) -> int:
    """The bits of a finding for one side of a withheld founding card."""
    return (distance | paid << 4) << 5 + 5 * (2 * suit + upper)


def domino(hands: list[str], rows: str, stock: str, **options: Any) -> Match:
    keys: dict[str, Any] = {"stock": stock, "stacks": [40, 40], "pot": 0, "unlisted": "played", "options": options}
    return sit("domino-fan-tan", "domino-fan-tan", hands, rows, auto=False, **keys)


@pytest.mark.rules("DF-06", "DF-Q6", "FT-37", "FT-Q6")
@pytest.mark.parametrize(
    ("hands", "rows", "stock", "finding"),
    [
        pytest.param(["2H", "6H TH"], "S A-K  D A-K  C A-K", "9H", 0, id="clean"),
        pytest.param(
            ["7H 8H 2H", "6H TH"],
            "S A-K  D A-K  C A-K",
            "9H",
            1 | 2 << 1 | side(1, True, 1, 0) | side(2, False, 1, 1),
            id="one in the stock",
        ),
        pytest.param(
            ["7H 8H 9H TH JH QH KH 2H", "6H 3H"],
            "S A-K  D A-K  C A-K",
            "5H",
            1 | 2 << 1 | side(1, True, 1, 0),
            id="a run to the king",
        ),
        pytest.param(
            ["7S 6S 5S 4S 3S 2S AS 2H", "8S 3H"],
            "D A-K  C A-K",
            "7H",
            1 | 2 << 0 | side(1, True, 0, 1),
            id="a run to the ace of spades",
        ),
        pytest.param(
            ["7S 6S 5S 4S 3S 2S 2H", "8S AS 3H"],
            "D A-K  C A-K",
            "7H",
            1 | 2 << 0 | side(6, True, 0, 0) | side(1, True, 0, 1),
            id="the ace is due",
        ),
        pytest.param(
            ["7S 7C 8C 9C", "6S 8S TC"],
            "D A-K  H A-K",
            "6C",
            1
            | 2 << 0
            | 2 << 3
            | side(1, True, 0, 0)
            | side(1, True, 0, 1)
            | side(1, False, 3, 0)
            | side(3, True, 3, 1),
            id="two sevens",
        ),
        pytest.param(["8S 2H", "9S 7H"], "S A-7  D A-K  C A-K", "3H", 1, id="no founding card"),
    ],
)
def test_what_is_found_out_about_a_draw(hands: list[str], rows: str, stock: str, finding: int) -> None:
    """For each side of each withheld 7: how far its creditor card lies from it, and whether it was paid for."""
    m = domino(hands, rows, stock, **FINED)
    m.play("draw")
    assert int(m._s.found[0]) == finding
    assert ((0, None, 3, "FT-34") in paid(m.events)) == (finding != 0)
    assert retell(m._s, 0) == 1
    other = m._s.copy()
    other.found[0] = finding ^ 1 << 5 | 1
    assert retell(other, 0) == 0
    assert (int(other.layout), int(other.set_rank)) == (int(m._s.layout), int(m._s.set_rank))


@pytest.mark.rules("FT-Q5", "FT-35")
def test_at_a_full_table_a_dead_card_is_paid_to_nobody() -> None:
    """A neighbour of the 7 that nobody holds is not due, not even to the twelfth seat."""
    hands = ["7H", "8H", "9H", "TH", "JH", "QH", "KH", "AS", "AC", "AD", "2S", "2C"]
    m = sit("fan-tan", "denexa", hands, "", unlisted="dead", stacks=[40] * 12, options=FINED, auto=False)
    m.play("pass")
    assert paid(m.events) == [(0, None, 1, "FT-22"), (0, None, 3, "FT-34"), (0, 1, 5, "FT-35")]


@pytest.mark.rules("DF-03", "DF-04")
@pytest.mark.usefixtures("plainly")
def test_a_card_just_drawn_may_be_one_that_fits() -> None:
    """Who draws has proved that no card fits, but that says nothing about the card just drawn."""
    m = domino(["2H 3H", "JH QH KH"], "S A-K  D A-K  C A-K", "7H 8H")
    m.play("draw")
    view = m.view(1).state.copy()
    sevens = set()
    for world in oracle.worlds_for(view, 1, 60, prng.key_of("fresh")):
        hand = int(world.hands[0])
        assert hand.bit_count() == 3
        assert hand | 1 << int(world.stock[1]) == parse_set("2H 3H 7H 8H")
        sevens.add(hand >> parse_card("7H") & 1)
    assert sevens == {0, 1}


@pytest.mark.rules("DF-03", "DF-04")
def test_who_sees_which_cards_of_the_stock() -> None:
    """Only where draws are judged later does a seat's view keep the cards that it drew itself; the rest is 0, also when
    the deal is over.
    """
    for enforce, first_card in (("strict", 0), ("penalise", parse_card("8H"))):
        m = domino(["2H 3H", "9H"], "S A-K  D A-K  C A-K  H 7", "8H TH 4H", enforce=enforce, deals=2)
        m.play("draw")
        for seat, first in ((0, first_card), (1, 0), (None, 0)):
            assert m.view(seat).state.stock.tolist()[:3] == [first, 0, 0]
        assert m.view(1).state.hands.tolist()[:2] == [0, parse_set("9H")]
        m.play("8H")
        m.play("9H")
        assert m.results[0].winner == 1
        for seat in (0, 1, None):
            view = m.view(seat).state
            assert view.stock.tolist()[:3] == [parse_card("8H"), 0, 0]
            assert view.hands.tolist()[:2] == [parse_set("2H 3H"), 0]
