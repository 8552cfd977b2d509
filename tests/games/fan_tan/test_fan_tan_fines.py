"""Fan Tan by the book: offences, their fines, and who is paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cardtable import Match
from tests.support.games.tables import FINED, paid, pot, refused, result, sit, told

E3 = (["7H 8H KH KC", "6H 9H TH AH 2H", "3H 4H 5H JH QH"], "S A-K  D A-K  C A-Q")


def fined(
    preset: str, hands: Sequence[str], rows: str, chips: int = 30, options: Mapping[str, Any] = FINED, pot: int = 0
) -> Match:
    """Three seats with so many chips each, who may pass though they can play, and are fined."""
    return sit("fan-tan", preset, hands, rows, pot=pot, stacks=[chips] * 3, options=options)


@pytest.mark.parametrize(
    ("preset", "pot_after", "stacks", "why"),
    [
        pytest.param(
            "denexa", 14, (21, 35, 30), "FT-35", marks=pytest.mark.rules("FT-34", "FT-35", "FT-Q2", "FT-Q5", "FT-E3")
        ),
        pytest.param("stops", 14, (16, 40, 30), "FT-37", marks=pytest.mark.rules("FT-36", "FT-37", "FT-Q6", "FT-E3")),
        pytest.param("british", 14, (26, 30, 30), "", marks=pytest.mark.rules("FT-38", "FT-Q3", "FT-E3")),
        pytest.param(
            "ultimate", 13, (22, 35, 30), "FT-39", marks=pytest.mark.rules("FT-39", "FT-Q2", "FT-Q10", "FT-E3")
        ),
    ],
)
def test_one_illegal_pass_in_four_presets(preset: str, pot_after: int, stacks: tuple[int, ...], why: str) -> None:
    """FT-E3: seat 0 passes with 7H and KC playable: the pass, 3 to the pot, and what each preset adds."""
    m = fined(preset, *E3, pot=10)
    assert m.legal() == ["7H", "KC", "pass"]
    m.play("pass")
    assert (pot(m), m.scores) == (pot_after, stacks)
    fines = [p for p in paid(m.events) if p[3] != "FT-22"]
    assert fines[0] == (0, None, 3, "FT-34")
    assert fines[1:] == ([(0, 1, 30 - stacks[0] - (3 if preset == "ultimate" else 4), why)] if why else [])
    assert m.actors == (1,)  # the pass still stands


@pytest.mark.rules("FT-38", "FT-Q3", "FT-E3")
def test_british_fine_when_the_7_was_all_he_could_play() -> None:
    """FT-E3: had KC been on the table, P = {7H}: 21/35/30."""
    m = fined("british", ["7H 8H KH", *E3[0][1:]], "S A-K  D A-K  C A-K", pot=10)
    m.play("pass")
    assert (pot(m), m.scores) == (14, (21, 35, 30))


@pytest.mark.rules("FT-36")
def test_stops_fives_go_to_the_holders_of_8_and_6() -> None:
    """FT-36: besides the 3 the seat pays 5 to the holder of that suit's 8 and 5 to the holder of its 6."""
    m = fined("stops", ["7H 2H", "6H 9H", "8H 3H"], "S A-K  D A-K  C A-K")
    m.play("pass")
    assert paid(m.events) == [(0, None, 1, "FT-22"), (0, None, 3, "FT-34"), (0, 1, 5, "FT-37"), (0, 2, 5, "FT-37")]


@pytest.mark.rules("FT-37")
def test_beyond_ace_or_king_nobody_is_paid() -> None:
    """If the run goes past A or K there is no creditor on that side."""
    m = fined("stops", ["7H 8H 9H TH JH QH KH 2H", "6H AH", "5H 4H 3H"], "S A-K  D A-K  C A-K")
    m.play("pass")
    assert m.scores == (30 - 1 - 3 - 5, 35, 30)


@pytest.mark.rules("FT-37")
def test_whoever_holds_the_ace_is_paid() -> None:
    """The ace of spades is the first card of the pack."""
    hands = ["7S 6S 5S 4S 3S 2S 2H", "AS AH 3H", "8S 9S TS JS QS KS 4H 5H 6H"]
    m = fined("stops", hands, "H 7-K  D A-K  C A-K")
    m.play("pass")
    assert m.scores == (30 - 1 - 3 - 10, 35, 35)


@pytest.mark.rules("FT-39", "FT-Q4")
def test_ultimate_pays_each_neighbour_of_each_7() -> None:
    """FT-39, FT-Q4: 5 to each seat holding a neighbour of each withheld 7; the 3 only once."""
    m = fined("ultimate", ["7H 7S 2H", "6H 8H", "6S 8S"], "D A-K  C A-K", 40)
    m.play("pass")
    assert paid(m.events) == [(0, None, 3, "FT-34"), (0, 1, 10, "FT-39"), (0, 2, 10, "FT-39")]


@pytest.mark.rules("FT-Q5")
def test_nobody_pays_himself_and_one_holder_of_both_gets_10() -> None:
    """FT-Q5: nobody pays themselves, only the other side pays; one seat holding both 6 and 8 receives 10."""
    m = fined("denexa", ["7H 6H 8H 2H", "5H", "9H"], "S A-K  D A-K  C A-K")
    m.play("pass")
    assert m.scores == (26, 30, 30)
    m = fined("denexa", ["7H 2H", "6H 8H", "9H"], "S A-K  D A-K  C A-K")
    m.play("pass")
    assert m.scores == (16, 40, 30)


@pytest.mark.rules("FT-Q4", "FT-E7")
def test_two_7s_withheld() -> None:
    """FT-E7: 1 + 3 to the pot and four fives: pot 4, stacks 6/40/40."""
    m = fined(
        "stops", ["7H 7C", "AH 2H 3H 4H 5H 6H 8C 9C TC JC QC KC", "8H 9H TH JH QH KH AC 2C 3C 4C 5C 6C"], "S A-K  D A-K"
    )
    m.play("pass")
    assert (pot(m), m.scores) == (4, (6, 40, 40))


@pytest.mark.rules("FT-40", "FT-Q7", "FT-Q8", "FT-E4")
def test_the_offender_wins() -> None:
    """FT-E4: the offence counts when it is found out: at the end, before the settlement; the 3 chips come back to the
    seat.
    """
    options = {"enforce": "penalise", "detect": "end", "deals": 1}
    m = fined("denexa", ["KH", "AH 2H", "QC KC"], "S A-K  D A-K  C A-J  H 3-Q", 28, options, pot=6)
    m.play("pass", 0)
    assert (pot(m), m.scores) == (7, (27, 28, 28))
    m.play("2H", 1)
    m.play("QC", 2)
    m.play("KH", 0)
    assert [p for p in paid(m.events) if p[0] == 0] == [(0, None, 3, "FT-34")]
    assert m.events.index(told(m, "pay")[0]) < m.events.index(told(m, "win")[0])
    assert result(m).scores == (36, 27, 27)


@pytest.mark.rules("FT-40", "FT-Q7")
def test_before_it_is_found_out_nobody_is_told() -> None:
    """FT-40, `detect = end`: a wrongful pass and a true one look alike until the hands are shown."""
    m = fined("denexa", ["7H 2H", "6H 9H", "8H 3H"], "S A-K  D A-K  C A-K", options={"enforce": "penalise"})
    m.play("pass")
    assert paid(m.events) == [(0, None, 1, "FT-22")]
    true = fined("denexa", ["9H 2H", "6H 7H", "8H 3H"], "S A-K  D A-K  C A-K", options={"enforce": "penalise"})
    true.play("pass")
    for seat in (2, None):
        assert m.view(seat).as_dict() == true.view(seat).as_dict()
        assert bytes(m.view(seat).state.tobytes()) == bytes(true.view(seat).state.tobytes())


@pytest.mark.rules("FT-40")
def test_fines_are_paid_in_the_order_committed() -> None:
    """Settlement (a): all recorded offences are fined in the order committed, by the hands at the time of the pass."""
    options = {"enforce": "penalise", "deals": 1, "pass_chip": 0}
    m = fined("denexa", ["7H 9S", "8S 2H", "6H 8H 3H"], "S A-7  D A-K  C A-K", options=options)
    m.play("pass", 0)  # 7H: both neighbours with seat 2
    m.play("pass", 1)  # 8S
    m.play("pass", 2)  # truly unable
    m.play("7H", 0)
    m.play("8S", 1)
    m.play("8H", 2)
    m.play("9S", 0)
    assert paid(m.events)[:3] == [(0, None, 3, "FT-34"), (0, 2, 10, "FT-35"), (1, None, 3, "FT-34")]
    assert result(m).scores == (30 - 13 + 3 + 3 + 1 + 2, 30 - 3 - 1, 30 + 10 - 2)


@pytest.mark.rules("FT-Q14", "FT-34")
def test_after_n_passes_in_a_row_nobody_able_may_pass() -> None:
    """FT-Q14: illegal passing is suspended after n consecutive passes until a card is laid."""
    m = sit("fan-tan", "denexa", ["8S 2H", "6S 3H", "9S 4H"], "S 7  D A-K  C A-K", options={"enforce": "penalise"})
    for seat in (0, 1, 2):
        assert "pass" in m.legal(seat)
        m.play("pass", seat)
    assert m.legal(0) == ["8S"]
    assert refused(m, "pass", 0) == "FT-Q14"
    m.play("8S", 0)
    assert m.legal(1) == ["6S", "pass"]
