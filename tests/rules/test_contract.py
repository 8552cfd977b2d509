"""What every game promises (the contract), tried on every game, preset and number of seats that the catalog finds.

The tests are those of `cardtable.testing.contract`, which packages with their own game also run.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any
from zlib import crc32

import pytest

from cardtable.rules import catalog, contract
from cardtable.rules.events import BEATS, SHARED
from cardtable.testing.contract import *  # noqa: F403
from cardtable.testing.contract import every_house, sampled
from cardtable.testing.houses import (
    House,
    Houses,
    covering,
    covering_houses,
    legal_of,
    lengthy_houses,
    plain_houses,
    seats_of,
    typical_houses,
)
from tests.support.effort import cases
from tests.support.games import story
from tests.support.games.lockstep import SLOW

COVERING = covering_houses()
TYPICAL = typical_houses()  # what `make test` plays; `make test-all` plays all of them
SOME = 4  #: how many other houses are a case
THIRD = 3  #: of three other houses, one is tried with each test


def grouped(test: Any) -> list[Houses]:
    """The houses of a test as cases: the typical ones by game and preset, then the others, some of a game at a time;
    last, those whose deals may be very long.

    Of the others each test has a third, and each house a third of the tests. Only the test of stories has all of them,
    compiled: what any house does is pinned there.
    """
    whole = test.__name__ == test_the_story_is_the_one_that_is_kept.__name__ and not SLOW
    first, step = (0, 1) if whole else (crc32(test.__name__.encode()) % THIRD, THIRD)
    typical: dict[str, list[House]] = {}
    others: dict[str, list[House]] = {}
    for house in TYPICAL:
        typical.setdefault(f"{house.game}-{house.preset}", []).append(house)
    for number, house in enumerate([house for house in COVERING if house not in TYPICAL][first::step]):
        others.setdefault(f"{house.game}-others-{number // SOME}", []).append(house)
    for house in lengthy_houses() if hasattr(test, "lengthy") else ():
        others.setdefault(f"{house.game}-lengthy", []).append(house)
    return [Houses(found[0].game, name, tuple(found)) for name, found in [*typical.items(), *others.items()]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "houses" in metafunc.fixturenames:
        presets = len({(house.game, house.preset) for house in TYPICAL})
        groups = grouped(metafunc.function)
        metafunc.parametrize("houses", cases(groups, presets), ids=str)
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", cases([None, *list(catalog.games())[::6]]), ids=str)


def test_the_catalog_is_tried_out_whole() -> None:
    """Every game, preset and number of seats is in the suite, and every value of every option."""
    presets = {(game.name, preset) for game in catalog.games().values() for preset in game.presets}
    assert {(h.game, h.preset) for h in TYPICAL} == presets
    assert {(h.game, h.preset, h.seats) for h in COVERING} == {(h.game, h.preset, h.seats) for h in plain_houses()}
    for game in catalog.games().values():
        for name, kind in game.options.kinds().items():
            houses = [house for house in COVERING if house.game == game.name] + lengthy_houses([game])
            tried = {dict(house.given).get(name) for house in houses} - {None}
            assert tried >= set(kind.values), f"{game.name}: {name}"
            assert len(tried) >= min(2, len(kind.values) or kind.high - kind.low + 1), f"{game.name}: {name}"


def test_every_shared_kind_of_event_has_a_beat() -> None:
    assert not [one.kind for one in SHARED.values() if (one.beat or one.kind) not in BEATS], "give them a beat"


@every_house
def test_the_story_is_the_one_that_is_kept(house: House) -> None:
    """Compiled, plain and bounds-checked rules play the same games: those of tests/signatures.toml."""
    kept = story.kept()
    name = str(house)
    if name in kept["houses"]:
        assert story.story(house) == (kept["houses"][name], kept["states"][name])


def test_typical_houses_have_a_story() -> None:
    assert {str(house) for house in TYPICAL} <= set(story.kept()["houses"])


#: the moves that do nothing, or only draw a card, where they are not `pass` alone; Spider's are in its own tests
PASSES = {
    "crazy-eights": {"draw", "pass"},
    "domino-fan-tan": {"draw", "pass"},
    "i-doubt-it": {"accept"},
    "pirate": {"wait"},
}


@every_house
def test_passes_are_the_moves_that_do_nothing(house: House) -> None:
    for s in sampled(house, "advice"):
        for seat in seats_of(contract.actors(s)):
            for move in legal_of(house.entry, s, seat):
                passes = {house.entry.presentation.move_text(s, move)} & PASSES.get(house.game, {"pass"})
                assert int(contract.is_pass(s, move)) == len(passes) or house.game == "spider"


def test_any_two_choices_meet() -> None:
    """Of what may be: without a bound, with one on pairs, and with one that asks for a third choice; in few rows."""
    factors: dict[str, list[Any]] = {"a": [0, 1, 2], "b": [0, 1], "c": [0, 1], "d": [0, 1, 2]}
    bounds: list[Callable[[Any], bool]] = [
        lambda row: True,
        lambda row: not (row["a"] == 2 and row["d"] == 2),
        lambda row: row["c"] == 1 or row["a"] != 1,
    ]
    everything = [dict(zip(factors, row, strict=True)) for row in itertools.product(*factors.values())]
    for bound in bounds:
        rows = covering(factors, lambda *_: True, bound, [{"a": 0, "b": 1, "c": 1, "d": 0}])
        met, possible = (
            {pair for row in found for pair in itertools.combinations(row.items(), 2)}
            for found in (rows, filter(bound, everything))
        )
        assert met == possible
        assert rows[0] == {"a": 0, "b": 1, "c": 1, "d": 0}
        assert all(map(bound, rows))
        assert len(rows) <= 12
        assert rows == covering(factors, lambda *_: True, bound, rows[:1])
