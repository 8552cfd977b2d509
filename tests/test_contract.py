"""What every game promises (the contract), tried on every game, preset and number of seats that the catalog finds.

The tests are those of `cardtable.testing.contract`, which packages with a game of their own run, too.
"""

from __future__ import annotations

import os

import pytest
from effort import cases

from cardtable import catalog, contract
from cardtable.events import BEATS, SHARED
from cardtable.testing.contract import *  # noqa: F403
from cardtable.testing.contract import over, sampled
from cardtable.testing.houses import (
    House,
    great_houses,
    legal_of,
    plain_houses,
    seats_of,
    single_houses,
    typical_houses,
)

PLAIN = plain_houses()
GREAT = great_houses()
SINGLE = [house for house in single_houses() if house not in GREAT]
# Plain and bounds-checked, where each takes long, every third and every sixth; compiled, all of them.
SLOW = any(os.environ.get(name, "0") not in ("", "0") for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"))
TYPICAL = typical_houses()  # what `make test` plays; `make test-all` plays all of them


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The houses of each test, as many as are wanted."""
    kind = getattr(metafunc.function, "houses", None)
    if kind == "great":
        metafunc.parametrize("house", cases(GREAT[::3] if SLOW else GREAT, TYPICAL), ids=str)
    elif kind == "plain":
        metafunc.parametrize("house", cases(PLAIN, TYPICAL), ids=str)
    elif kind == "single":
        metafunc.parametrize("house", cases(SINGLE[::6] if SLOW else SINGLE, SINGLE[::16]), ids=str)
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", cases([None, *list(catalog.games())[::6]]), ids=str)


def test_the_catalog_is_tried_out_whole() -> None:
    """Every game, preset and number of seats is in the suite, and every option at two values at least."""
    presets = {(game.name, preset) for game in catalog.games().values() for preset in game.presets}
    assert {(h.game, h.preset) for h in PLAIN} == {(h.game, h.preset) for h in TYPICAL} == presets
    for game in catalog.games().values():
        low, high = game.seats
        assert {h.seats for h in PLAIN if h.game == game.name} >= {low, high}
        for name, kind in game.options.kinds().items():
            tried = {dict(h.given)[name] for h in SINGLE + GREAT if h.game == game.name and name in dict(h.given)}
            assert len(tried) >= min(2, len(kind.values) or kind.high - kind.low + 1), f"{game.name}: {name}"


def test_every_shared_kind_of_event_has_a_beat() -> None:
    assert not [one.kind for one in SHARED.values() if (one.beat or one.kind) not in BEATS], "give them a beat"


#: the moves that do nothing, or only draw a card, where they are not `pass` alone; Spider's are in its own tests
PASSES = {
    "crazy-eights": {"draw", "pass"},
    "domino-fan-tan": {"draw", "pass"},
    "i-doubt-it": {"accept"},
    "pirate": {"wait"},
}


@over("plain")
def test_passes_are_the_moves_that_do_nothing(house: House) -> None:
    for s in sampled(house, "advice"):
        for seat in seats_of(contract.actors(s)):
            for move in legal_of(house.entry, s, seat):
                passes = {house.entry.presentation.move_text(s, move)} & PASSES.get(house.game, {"pass"})
                assert int(contract.is_pass(s, move)) == len(passes) or house.game == "spider"
