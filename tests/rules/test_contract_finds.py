"""The contract's tests find what a game may get wrong: worlds that cannot be, worlds that are not mixed, lost cards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardtable.testing import contract, drawn, houses
from cardtable.testing.houses import House, Houses

TRICKS = House("oh-hell", "oh-hell", 4)
FISHING = House("scopa", "scopa", 2)


def test_a_world_that_ignores_a_fact(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that has shown to be void is given the suit."""
    fair = drawn.drawn

    def forgetful(s: Any, seat: int, word: str, work: Any) -> Any:
        unknown = s.copy()
        unknown.voids[:] = 0
        world = fair(unknown, seat, word, work)
        world.voids[:] = s.voids
        return world

    contract.test_a_world_can_have_come_about(Houses("oh-hell", "", (TRICKS,)))
    monkeypatch.setattr(drawn, "drawn", forgetful)
    with pytest.raises(AssertionError, match="what cannot be.* it has shown to hold no"):
        contract.test_a_world_can_have_come_about(Houses("oh-hell", "", (TRICKS,)))


def test_a_stock_that_is_left_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    fair = drawn.drawn

    def tidy(*given: Any) -> Any:
        world = fair(*given)
        world.stock[: world.stock_size] = np.sort(world.stock[: world.stock_size])
        return world

    contract.test_worlds_are_drawn_evenly(Houses("scopa", "", (FISHING,)))
    monkeypatch.setattr(drawn, "drawn", tidy)
    with pytest.raises(AssertionError, match=r"the first card of the stock is the lower one in (0|60) of 60 worlds"):
        contract.test_worlds_are_drawn_evenly(Houses("scopa", "", (FISHING,)))


def test_counts_that_are_rare() -> None:
    assert drawn.rare(30, 0.5) > 0.4
    assert drawn.rare(60, 0.5) == drawn.rare(0, 0.5) == 0.5**60


@pytest.mark.parametrize("kind", ["stock", "hand"])
def test_a_zone_that_is_missing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards that lie in no zone are named, and what to add."""
    s = FISHING.open("zones")
    houses.deal_out(s)
    whole = houses.view_of

    def partly(house: House, s: Any, viewer: int) -> Any:
        return SimpleNamespace(zones=[zone for zone in whole(house, s, viewer).zones if zone.kind != kind])

    lying, _ = houses.on_table(FISHING, s)
    contract.check_table(FISHING, s, houses.scores_of(s), None, lying, None)
    monkeypatch.setattr(houses, "view_of", partly)
    with pytest.raises(AssertionError, match=r"the pack has 40 \(.*in no zone face up: .*add a zone"):
        contract.check_table(FISHING, s, houses.scores_of(s), None, 40, None)
