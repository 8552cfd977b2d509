"""Advice: its reasons are true, and those of some positions are the ones that a teacher would give.

The contract's tests look at the form of each advice, in every house (`testing/contract.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cardtable.base.card_names import PLURALS
from cardtable.base.message import Message, Reader
from cardtable.match.match import Match
from cardtable.rules.contract import play
from cardtable.testing.houses import House, deal_out, moments, plain_houses, view_of

NINES = PLURALS[8]
MOMENTS = 240  #: of a random deal
DEALS = 3

Fact = Callable[[Any, Any, int, Message, set[str]], bool]


def _event(*kinds: str) -> Fact:
    """Whether the move brought about an event of one of these kinds."""
    return lambda before, after, seat, why, events: bool(events & set(kinds))


def _out(before: Any, after: Any, seat: int, why: Message, events: set[str]) -> bool:
    return int(after.counts[seat]) == 0


def _leads(before: Any, after: Any, seat: int, why: Message, events: set[str]) -> bool:
    """Whether the same seat is to lead."""
    return bool(after.over) or (after.turn == seat and after.cur == -1) or "spin" in events or after.phase == 5


def _counts(before: Any, after: Any, seat: int, why: Message, events: set[str]) -> bool:
    from cardtable.games.thirty_one.state import count_of

    return int(count_of(after.hands[seat], after.rules.odd_card_best_suit)) == why.values["n"]


#: of a game and a reason: what is then true before and after the move
TRUE: dict[tuple[str, str], Fact] = {
    ("scopa", "that clears the table, a scopa: 1 point"): _event("sweep"),
    ("cassino", "that clears the table, a sweep: 1 point"): _event("sweep"),
    ("spider", "that turns up a card"): _event("turn"),
    ("spider", "that completes a run, which leaves the table"): _event("run"),
    ("spider", "that empties a column"): lambda before, after, *_: (
        sum(h == 0 for h in after.height) > sum(h == 0 for h in before.height)
    ),
    ("michigan", "it takes {n} {n:chip|chips}"): _event("take"),
    ("michigan", "it is your last card, and you are out"): _out,
    ("michigan", "{card} has been played, so nobody can continue, and you lead"): _leads,
    ("michigan", "nobody can add to an ace, and you lead again"): _leads,
    ("fan-tan", "it is your last card, and you are out"): _out,
    ("play-or-pay", "it is your last card, and you are out"): _out,
    ("crazy-eights", "it is your last card, and you win the deal"): lambda before, after, seat, *_: (
        after.winner == seat
    ),
    ("thirty-one", "the other three count {n}"): _counts,
}
HOUSES = [house for house in plain_houses() if house.seats == house.entry.best_for(house.preset)[0]]


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_reasons_are_true(house: House) -> None:
    """Each legal move of random deals is made, and brings about what its reason says."""
    for deal in range(DEALS):
        s = house.open(f"advice {deal}")
        deal_out(s)
        for number, seat, moves in moments(house.entry, s, deal):
            if number > MOMENTS:
                break
            for move, text in zip(moves, view_of(house, s, seat).legal, strict=True):
                check_reason(house, s, seat, move, text)


def check_reason(house: House, s: Any, seat: int, move: int, text: str) -> None:
    """A reason is true, as far as a move shows it."""
    why = view_of(house, s, seat).advice([text]).why
    fact = TRUE.get((house.entry.name, why.template))
    if fact is None:
        return
    after = s.copy()
    after.record_events = 1
    play(after, seat, move)
    events = {event.kind for event in house.entry.events_of(after)}
    assert fact(s, after, seat, why, events), f"{text}: {why}"


def said(game: str, seat: int, move: str, **position: Any) -> str:
    """A move of a position as advice."""
    m = Match.from_position({"game": game, "turn": seat} | position, seed="advice")
    return Reader(["Ann", "Ben", "Cleo", "Dan"], seat).plain(m.view(seat).advice(move.split(" + ")).says, sentence=True)


CASSINO = {
    "seats": 2,
    "deal": 1,
    "dealer": 1,
    "hands": ["7D 8S KC 9C", "TS 2H 3H 4H"],
    "board": "7S 8D 2C",
    "unlisted": "dead",
}


def test_a_card_is_left_for_those_that_are_kept() -> None:
    assert said("cassino", 0, "KC trails", **CASSINO) == "Leave KC on the table: you keep 8S and 7D for pairs."


def test_a_build_has_a_card_to_take_it() -> None:
    asked = said("cassino", 0, "7D builds 9 with 2C", **CASSINO)
    assert asked == "Put 7D on 2C as a build of nines: you keep 9C to take it with."


def test_a_build_is_named_and_not_its_cards() -> None:
    m = Match.from_position({"game": "cassino", "turn": 0} | CASSINO, seed="advice")
    m.play("7D builds 9 with 2C", 0)
    m.play("TS trails", 1)
    (take,) = [one for one in m.view(0).choices if one.text == "9C takes 7D 2C"]
    assert Reader([], 0).plain(take.told) == "9C takes your build of nines"
    assert m.view(0).advice(["9C takes 7D 2C"]).do.values["what"] == (Message("your build of {ranks}", ranks=NINES),)
