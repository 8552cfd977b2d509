"""How a deal of Fan Tan, and a match, end and are settled: the rules of the rulebook page from FT-41 on."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import Match
from tests.support.games.tables import FINED, paid, pot, result, sit, told

FULL = "H A-K  D A-K  C A-K"


@pytest.mark.rules("FT-41")
def test_the_deal_ends_at_once() -> None:
    """FT-41: the deal ends the moment a seat has no cards; nobody may play after that."""
    m = sit("fan-tan", "denexa", ["8S", "9S 6S", "TS 5S"], "S 7", auto=False)
    m.play("8S")
    assert m.actors == ()
    assert m.results[0].winner == 0
    assert told(m, "win")[0].rule == "FT-41"


@pytest.mark.parametrize(
    ("preset", "stacks", "payments"),
    [
        pytest.param(
            "denexa",
            (17, 34, 18),
            [(0, None, 1, "FT-42"), (2, None, 1, "FT-42"), (None, 1, 15, "FT-41")],
            marks=pytest.mark.rules("FT-42", "FT-E2"),
        ),
        pytest.param(
            "stops",
            (17, 34, 18),
            [(0, 1, 1, "FT-43"), (2, 1, 1, "FT-43"), (None, 1, 13, "FT-41")],
            marks=pytest.mark.rules("FT-43", "FT-E2"),
        ),
        pytest.param(
            "british",
            (17, 34, 18),
            [(0, 1, 1, "FT-43"), (2, 1, 1, "FT-43"), (None, 1, 13, "FT-41")],
            marks=pytest.mark.rules("FT-43", "FT-E2"),
        ),
        pytest.param(
            "ultimate",
            (19, 31, 19),
            [(0, None, 1, "FT-42"), (2, None, 1, "FT-42"), (None, 1, 11, "FT-41")],
            marks=pytest.mark.rules("FT-42", "FT-23", "FT-E2"),
        ),
    ],
)
def test_end_of_a_deal(preset: str, stacks: tuple[int, ...], payments: list[Any]) -> None:
    """FT-E2: the last cards of the spades, passes between them, and the settlement."""
    m = sit(
        "fan-tan",
        preset,
        ["9S KS", "8S JS", "TS QS"],
        f"S A-7  {FULL}",
        pot=9,
        stacks=[20, 20, 20],
        options={"deals": 1},
    )
    assert m.legal() == ["pass"]
    m.play("pass")
    for seat, card in ((1, "8S"), (0, "9S"), (2, "TS"), (1, "JS")):
        assert m.actors == (seat,)
        m.play(card)
    assert [f"{act.seat} {act.move}" for act in m.moves] == [
        "0 pass",
        "1 8S",
        "2 pass",
        "0 9S",
        "1 pass",
        "2 TS",
        "0 pass",
        "1 JS",
    ]
    assert paid(m.events)[-3:] == payments
    assert result(m).scores == stacks
    assert result(m).winners == (1,)


@pytest.mark.rules("FT-Q13")
def test_credit_open_goes_below_zero() -> None:
    """`credit = open`: every payment is made in full; a stack may go below 0."""
    m = sit(
        "fan-tan", "denexa", ["7H 2H", "6H 8H", "9H"], "S A-K  D A-K  C A-K", pot=0, stacks=[6, 30, 30], options=FINED
    )
    m.play("pass")
    assert m.scores == (-8, 40, 30)


@pytest.mark.rules("FT-Q13")
def test_credit_table_pays_what_it_has_the_pot_first_then_clockwise() -> None:
    """`credit = table`: the pot first, then creditors clockwise from the payer's left; the rest is cancelled."""
    hands = ["8H 3H", "7H 2H", "6H 9H"]
    for stack, after in ((30, (35, 16, 35)), (10, (31, 0, 35)), (6, (30, 0, 32)), (3, (30, 0, 30)), (0, (30, 0, 30))):
        m = sit(
            "fan-tan",
            "denexa",
            hands,
            "S A-K  D A-K  C A-K",
            pot=0,
            turn=1,
            stacks=[30, stack, 30],
            options=FINED | {"credit": "table"},
        )
        m.play("pass")
        assert m.scores == after
        assert sum(m.scores) + pot(m) == 60 + stack
        m.play("pass", 2)  # a seat with 0 chips keeps passing for free, and nobody owes what was cancelled


@pytest.mark.rules("FT-Q13")
def test_a_match_has_one_deal_for_each_seat_and_equal_stacks_share() -> None:
    """FT-Q13: `deals` = n; equal top stacks share the win."""
    assert Match("fan-tan", seats=6, seed=1).options.as_dict()["deals"] == 6
    m = sit("fan-tan", "stops", ["8S", "9S", "TS"], "S 7", pot=0, stacks=[22, 24, 9], options={"deals": 1})
    m.play("8S")
    assert result(m).scores == (24, 23, 8)
    m = sit("fan-tan", "stops", ["8S", "9S", "TS"], "S 7", pot=0, stacks=[22, 25, 9], options={"deals": 1})
    m.play("8S")
    assert result(m).winners == (0, 1)
