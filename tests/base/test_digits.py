"""Figures have the digits that their intervals bear out."""

from __future__ import annotations

import math

import pytest

from cardtable.base import languages
from cardtable.base.digits import Form, about, decimals, number, p_value, rounded
from cardtable.base.languages import figure


@pytest.mark.parametrize(
    ("reach", "digits"),
    [(1.77, 1), (0.0996, 2), (0.3254, 2), (17.7, 0), (177.0, -1), (1e-9, 6), (0.0, None), (math.inf, None)],
)
def test_two_digits_of_half_an_interval_are_shown(reach: float, digits: int | None) -> None:
    assert decimals(reach) == digits


def test_a_figure_without_an_interval_has_three_digits() -> None:
    values = (1234.4, 27.34, 0.75, 0.0, -0.01234, 54.0, 0.99999, math.inf)
    assert [number(x) for x in values] == ["1,234", "27.3", "0.75", "0", "−0.0123", "54", "1", "∞"]
    assert number(0.75, signed=True) == "+0.75"


def test_a_figure_with_its_interval() -> None:
    assert about(-0.795, 1.7657) == "−0.8 ± 1.8"
    assert about(1234.5, 177.0) == "1,230 ± 180"
    assert about(0.75, 0.0, signed=True) == "+0.75"
    assert about(-0.0001, 0.5) == "0.00 ± 0.50"
    assert rounded(0.4983, 0.1256) == 0.5


def test_a_column_has_one_number_of_decimals() -> None:
    pay = Form.of([1.7657, 0.19, 0.0], signed=True)
    assert [pay(x) for x in (-0.795, 0.9707, 12.0, -0.001)] == ["−0.80", "+0.97", "+12.00", "+0.00"]
    exact = Form.of([0.0, math.inf])
    assert [exact(x) for x in (54.0, 0.75)] == ["54", "0.75"]


def test_a_share_is_percent_and_a_difference_of_shares_is_points() -> None:
    won = Form.of([0.0623], share=True)
    assert [won(x) for x in (0.255, 0.1927, -0.0079)] == ["25.5%", "19.3%", "−0.8%"]
    assert Form.of([0.0], share=True)(0.25) == "25%"
    assert Form.of([0.0623], signed=True, share=True)(-0.0541) == "−5.4"


def test_a_small_p_value_is_only_bounded() -> None:
    assert [p_value(p) for p in (1.0, 0.0047, 1.6e-21, 0.0, math.nan)] == ["1", "0.0047", "<0.0001", "<0.0001", "–"]


def test_the_marks_are_those_of_the_language() -> None:
    languages.use("de")
    try:
        assert (number(-1234.0), p_value(0.0)) == ("−1.234", "<0,0001")
        assert Form.of([0.0623], share=True)(0.255) == "25,5\u00a0%"
        assert figure(-1.2e-05, ".2g") == "−1,2e−05"
    finally:
        languages.use("en")
