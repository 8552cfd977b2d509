"""Positions: any situation in mid-deal as text and as a dict, read back the same; an impossible one is refused with the
reason.
"""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import Match, PositionError
from cardtable.match.match import Position
from tests.support.games.tables import pot, sit

GOOD: dict[str, Any] = {
    "game": "fan-tan",
    "rules": "denexa",
    "hands": ["9S KS", "8S JS", "TS QS"],
    "rows": "S A-7  H A-K  D A-K  C A-K",
    "turn": 0,
    "pot": 9,
    "stacks": [20, 20, 20],
}
DOMINO: dict[str, Any] = {
    "game": "domino-fan-tan",
    "hands": ["9S 2H", "5S 3H"],
    "rows": "S 6-8  D A-K  C A-K",
    "unlisted": "played",
}


def test_text_and_dict() -> None:
    """The same keys as TOML and as a dict."""
    m = Match.from_position(GOOD)
    text = m.position().text
    assert text == str(m.position())
    assert Position.parse(text).as_dict() == m.position().as_dict()
    assert Match.from_position(text).position().text == text
    assert Match.from_position(m.position()).position().text == text


def test_defaults() -> None:
    """The last seat deals, eldest moves, deal 1, the stacks of the rules, an empty pot; unlisted cards are played."""
    m = Match.from_position({"game": "fan-tan", "hands": ["8S", "9S 2H", "TS"], "rows": "S 7"})
    assert (m.rules, m.seats, m.dealer, m.actors, m.deal, m.scores, pot(m)) == (
        "denexa",
        3,
        2,
        (0,),
        1,
        (25, 25, 25),
        0,
    )
    assert Match.from_position({**DOMINO, "dealer": 0}).actors == (1,)


def test_a_lesson_of_three_hands_and_ten_cards() -> None:
    """Its own chip total, and cards that are out of the deal."""
    m = sit(
        "fan-tan",
        "stops",
        ["8S 2S", "9S 3S 4S", "6S 5S"],
        "S 7",
        unlisted="dead",
        stacks=[3, 4, 5],
        pot=1,
        options={"deals": 1},
    )
    while not m.over:
        m.play(m.legal()[0])
    assert sum(m.scores) == 13
    assert m.results[0].winner is not None


def test_starred_cards_are_drawn_from_the_unlisted() -> None:
    """`*5` in a hand is five unlisted cards; the seed decides which."""

    def deal(seed: int) -> list[list[str]]:
        m = Match.from_position({"game": "fan-tan", "hands": ["7S *5", "*6", "*6"], "rows": "H 6-8"}, seed=seed)
        return [m.view(p).hand for p in range(3)]

    assert [len(hand) for hand in deal(1)] == [6, 6, 6]
    assert len({card for hand in deal(1) for card in hand}) == 18
    assert deal(1) == deal(1) != deal(2)
    assert not {"6H", "7H", "8H"} & {card for hand in deal(1) for card in hand}


def test_the_stock_at_random() -> None:
    """`unlisted = "stock"`: the unlisted cards lie in the stock in random order, under the cards that are named."""

    def stock(seed: int) -> str:
        m = Match.from_position(
            DOMINO | {"stock": "TS", "unlisted": "stock", "rows": "S 6-8  D A-K  C A-K  H 5-7"}, seed=seed
        )
        return str(m.position().keys["stock"])

    assert stock(1).split()[0] == "TS"
    assert sorted(stock(1).split()) == sorted(stock(2).split())
    assert stock(1) != stock(2)


def test_passes_and_facts_are_kept() -> None:
    """What passes have proved stays part of the position, and is public."""
    m = Match.from_position(GOOD)
    m.play("pass")
    keys = m.position().as_dict()
    assert keys["lacks"] == ["8S", "", ""]
    again = Match.from_position(keys)
    assert again.view(1).as_dict()["zones"] == m.view(1).as_dict()["zones"]


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"game": None}, "position/syntax", "which game"),
        ({"options": 7}, "position/syntax", "options"),
        ({"hands": None}, "position/syntax", "hands"),
        ({"hands": ["9S"]}, "options/seats", "2 to 12"),
        ({"hands": ["9S KS", "8S JS", "TS QS"], "seats": 4}, "position/syntax", "4 seats"),
        ({"hands": ["9S KS", "8S 9S", "TS QS"]}, "position/impossible", "lies in hand 0"),
        ({"hands": ["9S KS", "8S AH", "TS QS"]}, "position/impossible", "lies in rows"),
        ({"hands": ["9S KX", "8S JS", "TS QS"]}, "position/syntax", "is not a card"),
        ({"hands": ["9S 9S", "8S JS", "TS QS"]}, "position/syntax", "stands twice"),
        ({"hands": ["", "8S JS", "TS QS"]}, "position/impossible", "no cards"),
        ({"hands": ["9S *9", "8S JS", "TS QS"]}, "position/impossible", "unlisted"),
        ({"hands": ["9S *x", "8S JS", "TS QS"]}, "position/syntax", "star"),
        ({"hands": ["9S KS X1", "8S JS", "TS QS"]}, "position/impossible", "X1"),
        ({"rows": "S A-7  S 8"}, "position/impossible", "twice"),
        ({"rows": "S A-7  H"}, "position/syntax", "rows"),
        ({"rows": "Z A-7"}, "position/syntax", "row"),
        ({"rows": "S 7-A"}, "position/syntax", "row"),
        ({"rows": "S A-7  H A-6  D A-K  C A-K"}, "position/impossible", "founding card"),
        ({"turn": 3}, "position/impossible", "turn"),
        ({"turn": "0"}, "position/impossible", "turn"),
        ({"turn": True}, "position/impossible", "turn"),
        ({"dealer": -1}, "position/impossible", "dealer"),
        ({"deal": 0}, "position/impossible", "deal"),
        ({"pot": -1}, "position/impossible", "pot"),
        ({"pot": 1.5}, "position/impossible", "pot"),
        ({"stacks": [20, 20]}, "position/impossible", "stacks"),
        ({"stacks": [20, 20, "many"]}, "position/impossible", "stacks"),
        ({"stacks": [20, 20, 10**12]}, "position/impossible", "stacks"),
        ({"stacks": [20, 20, -1], "options": {"credit": "table"}}, "position/impossible", "below 0"),
        ({"options": {"stakes": "none"}}, "position/impossible", "no chips"),
        ({"lacks": ["QS", "", ""]}, "position/impossible", "FT-25"),
        ({"lacks": ["", "8S", ""]}, "position/impossible", "by passing it proved"),
        ({"lacks": "8S"}, "position/syntax", "lacks"),
        ({"shows": ["8S", "", ""]}, "position/impossible", "does not hold"),
        ({"one_of": ["8S", "", ""]}, "position/impossible", "does not hold"),
        ({"group": "S"}, "position/impossible", "group"),
        ({"passes": 3}, "position/impossible", "passes"),
        ({"unlisted": "stock"}, "position/impossible", "unlisted"),
        ({"unlisted": "under the table"}, "position/impossible", "unlisted"),
        ({"set_rank": "9"}, "position/impossible", "FN-02"),
        ({"history": "0 9S"}, "position/impossible", "does not lead"),
        ({"history": "nonsense"}, "position/syntax", "acts are written"),
        ({"fresh": 1}, "position/impossible", "fresh"),
        ({"colour": "red"}, "position/syntax", "no such key"),
        ({"rules": "brit"}, "options/preset", "preset"),
        ({"options": {"antes": 1}}, "options/unknown", "option"),
    ],
)
def test_impossible_positions(change: dict[str, Any], code: str, words: str) -> None:
    """Refused with the reason: what, why, what one can write."""
    from cardtable import CardtableError

    keys = {k: v for k, v in (GOOD | change).items() if v is not None}
    with pytest.raises(CardtableError) as caught:
        Match.from_position(keys)
    assert caught.value.code == code
    assert words.lower() in str(caught.value).lower()
    assert all(caught.value.as_dict().values())


@pytest.mark.parametrize(
    ("change", "words"),
    [({"stock": "9S"}, "lies in"), ({"unlisted": "stock"}, "at most 18"), ({"stock": "6S"}, "lies in rows")],
)
def test_impossible_stocks(change: dict[str, Any], words: str) -> None:
    """A card in the stock and elsewhere; more cards than a stock holds."""
    with pytest.raises(PositionError, match=words):
        Match.from_position(DOMINO | {"rows": "S 6-8  D A-K"} | change)


@pytest.mark.parametrize("text", ["", "hands = [", "= 7", "\x00", "game = 'fan-tan", "[" * 3000])
def test_no_position_at_all(text: str) -> None:
    """Broken TOML, or no game."""
    with pytest.raises(PositionError) as caught:
        Match.from_position(text)
    assert caught.value.code == "position/syntax"
