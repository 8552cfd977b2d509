"""Analysis for programs: what search thinks of each move; it grows, can be repeated, and knows what a seat knows."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

from cardtable import Match
from cardtable.analysis.analyse import Analysis
from cardtable.base.errors import NotYourTurn, OptionError
from cardtable.rules import contract


def choosing(name: str = "fan-tan", seed: int = 7) -> Match:
    """A match in which a seat has several moves."""
    m = Match(name, seats=4, seed=seed)
    while len(m.legal()) < 3:
        m.play(m.legal()[0])
    return m


def told(found: Analysis) -> dict[str, object]:
    """An analysis without the time that it took."""
    return {key: value for key, value in found.as_dict().items() if key != "seconds"}


def test_each_legal_move_is_weighed() -> None:
    m = choosing()
    result = m.analyse(iterations=600, seed=2)
    assert result.seat == m.actors[0]
    assert [one.move for one in result.moves] == m.legal()
    assert result.best in m.legal()
    best = result[result.best]
    assert best.visits > 0
    assert 0.0 < best.error < 10.0
    assert math.isfinite(best.mean)
    assert 0 < result.worlds <= result.iterations <= 600
    assert result.line[0] == result.best
    assert len(result.line) > 1
    assert json.loads(json.dumps(result.as_dict()))["best"] == result.best
    with pytest.raises(KeyError, match="no move 'XX': there are "):
        result["XX"]


def test_it_can_be_repeated_and_changes_nothing() -> None:
    m = choosing()
    before = m.snapshot().tobytes()
    one, again, other = (m.analyse(iterations=400, seed=seed) for seed in (1, 1, 2))
    assert told(one) == told(again) != told(other)
    assert m.snapshot().tobytes() == before


def test_the_same_position_with_other_hidden_cards_is_thought_of_the_same() -> None:
    m = choosing()
    seat = m.actors[0]
    keys = m.position().as_dict()
    result = Match.from_position(keys).analyse(seat, iterations=300, bot="search:uniform")
    for world in m.view(seat).worlds(3, seed=5):
        other = Match.from_position(keys | {"hands": world.keys["hands"]})
        assert told(other.analyse(seat, iterations=300, bot="search:uniform")) == told(result)


def test_an_analysis_grows_until_nobody_asks_for_more() -> None:
    m = choosing()
    grown = list(m.analysis(iterations=[100, 300, 900], seed=3))
    assert told(grown[-1]) == told(m.analyse(iterations=900, seed=3))
    assert [analyses.iterations for analyses in grown] == sorted({analyses.iterations for analyses in grown})
    endless = m.analysis(seed=3)
    few = list(itertools.islice(endless, 2))
    assert few[0].iterations <= 1000
    assert few[-1].iterations <= 2000
    assert few[-1].decided or few[-1].iterations > few[0].iterations


def test_it_ends_when_nothing_is_left_to_decide() -> None:
    m = Match("fan-tan", seats=4, seed=7)
    while len(m.legal()) > 1:
        m.play(m.legal()[0])
    analyses = list(m.analysis(iterations=[50, 100, 200]))
    assert len(analyses) == 1
    assert analyses[0].decided


def test_it_may_think_for_a_time() -> None:
    m = choosing()
    result = m.analyse(seconds=0.05, bot="flat")
    assert result.best in m.legal()
    assert result.seconds < 20.0


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"iterations": 0}, "they ascend from 1"),
        ({"iterations": 10**12}, "they ascend"),
        ({"seconds": 0.0}, "Give more than 0"),
        ({"seconds": math.nan}, "more than 0"),
        ({"bot": "medium"}, "weighs the moves"),
        ({"bot": "search:200"}, "without a budget"),
        ({"bot": "nobody"}, "weighs"),
    ],
)
def test_what_cannot_be_analysed_is_refused(how: dict[str, object], why: str) -> None:
    m = choosing()
    with pytest.raises(OptionError, match=why):
        m.analyse(**how)  # type: ignore[arg-type]
    with pytest.raises(NotYourTurn):
        m.analyse((m.actors[0] + 1) % 4)
    with pytest.raises(OptionError, match="they ascend from 101"):
        list(m.analysis(iterations=iter([100, 100])))


def test_worlds_agree_with_what_the_seat_knows() -> None:
    m = choosing("oh-hell")
    seat = m.actors[0]
    view = m.view(seat)
    analyses = view.worlds(20, seed=1)
    assert len({world.state.tobytes() for world in analyses}) > 15
    for world in analyses:
        assert world.keys["hands"][seat].split() == m.position().as_dict()["hands"][seat].split()
        again = world.state.copy()
        contract.redact(again, seat)
        again.rng[:] = view.state.rng
        assert np.array_equal(np.frombuffer(again.tobytes(), np.int8), np.frombuffer(view.state.tobytes(), np.int8))
    assert [world.state.tobytes() for world in view.worlds(20, seed=1)] == [world.state.tobytes() for world in analyses]
    assert view.worlds(1, seed=2)[0].keys != analyses[0].keys
    with pytest.raises(OptionError, match="there can be 1 to"):
        view.worlds(0)
    assert m.view().worlds(2)[0].keys["hands"], "a spectator's, too"
    domino = Match("domino-fan-tan", seed=1, enforce="penalise")
    assert domino.view(0).worlds(1)
    with pytest.raises(OptionError, match="domino-fan-tan with these rules draws them for a seat only") as caught:
        domino.view().worlds(1)
    assert caught.value.code == "game/spectator"
