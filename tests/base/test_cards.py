"""Cards and sets of cards, and their text."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable import NotationError
from cardtable.base.cards import (
    ALL_52,
    JOKERS,
    PACK_52,
    RANKS,
    SUITS,
    card_name,
    card_symbol,
    card_text,
    cards_in,
    parse_card,
    parse_cards,
    parse_set,
    rank_of,
    set_of,
    set_text,
    suit_of,
)


def test_the_order_of_the_pack() -> None:
    """Suits S H D C, ranks A to K, then the jokers."""
    assert [card_text(card) for card in PACK_52] == [rank + suit for suit in SUITS for rank in RANKS]
    assert [card_text(52), card_text(53)] == list(JOKERS)
    assert (rank_of(parse_card("TS")), suit_of(parse_card("7H"))) == (9, 1)
    assert set_of(PACK_52) == ALL_52


@given(st.integers(0, 53))
def test_card_round_trip(card: int) -> None:
    """Every spelling of a card reads back."""
    text = card_text(card)
    assert parse_card(text) == card
    assert parse_card(f"  {text.lower()} ") == card
    assert parse_card(card_symbol(card)) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("7H", "7H"),
        ("7h", "7H"),
        ("7♥", "7H"),
        ("7♥\ufe0f", "7H"),
        ("10h", "TH"),
        ("10♠", "TS"),
        ("ts", "TS"),
        ("x1", "X1"),
    ],
)
def test_spellings(text: str, card: str) -> None:
    """Lower case, `10h` and `7♥` are read as well."""
    assert card_text(parse_card(text)) == card


@pytest.mark.parametrize(
    "text", ["", "7", "H7", "1H", "11H", "7X", "7HH", "X3", "7 H", "\x00", "７H", "10", "é", "A" * 100]
)
def test_malformed_cards(text: str) -> None:
    """A text that is no card is refused: what, why, what one can write."""
    with pytest.raises(NotationError) as error:
        parse_card(text)
    assert error.value.code == "move/syntax"
    assert all(error.value.as_dict().values())
    assert len(str(error.value)) < 250


def test_names() -> None:
    """For reading aloud and for the screen."""
    assert card_name(parse_card("QS")) == "queen of spades"
    assert card_symbol(parse_card("TD")) == "10♦"
    assert card_name(52) == "joker"


@given(st.sets(st.integers(0, 53)))
def test_sets_round_trip(cards: set[int]) -> None:
    """A set of cards is printed in order and reads back."""
    mask = set_of(cards)
    assert cards_in(mask) == sorted(cards)
    assert parse_set(set_text(mask)) == mask


def test_a_card_named_twice() -> None:
    """There is one of each card."""
    assert parse_cards("7H, KC 3D") == [parse_card(card) for card in ("7H", "KC", "3D")]
    with pytest.raises(NotationError, match="7H stands twice"):
        parse_cards("7H KC 7h")


@given(st.text(max_size=12))
def test_only_notation_errors_escape(text: str) -> None:
    """Any input is a card or a NotationError."""
    with contextlib.suppress(NotationError):
        assert 0 <= parse_card(text) <= 53
    with contextlib.suppress(NotationError):
        parse_cards(text)
