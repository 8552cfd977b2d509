"""What a deal added to the scores, and why: points where people count points, chips where they pay, and sums that add
up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cardtable import Match
from cardtable.rules import contract
from cardtable.rules.catalog import games
from cardtable.rules.events import SHARED, Event, reason
from cardtable.table import Setup, projection
from cardtable.table.setup import checked
from cardtable.views.view import counted
from tests.support.server.live import Driven

SHORT: dict[str, dict[str, Any]] = {"spider": {"move_cap": 100}, "pirate": {"stall": 60}}
PRESETS = [(game, preset) for game in games() for preset in games()[game].presets]


def finished(game: str, preset: str = "") -> Driven:
    """A table at the end of its first deal."""
    seats = checked(Setup(game, preset=preset)).seats or 2
    t = Driven(game, "a", bots=("", *["medium"] * (seats - 1)), preset=preset, options=SHORT.get(game, {}))
    for _ in range(5000):
        if t.table.stage in ("between", "over"):
            return t
        t.step()
    raise AssertionError("the deal does not end")


def check(t: Driven) -> None:
    """For every viewer: the scores before and what is counted are the scores after."""
    assert t.table.match is not None
    for viewer in range(len(t.table.places) + 1):
        view = projection.view_seen(t.table, viewer)
        assert view is not None
        deal = view.results[-1]
        assert deal.scores == view.scores
        sums = [sum(one.amount for one in view.counted if one.seat == seat) for seat in range(len(t.table.places))]
        assert tuple(sums) == deal.gained
        assert all(one.why and one.amount and one.times for one in view.counted)


@pytest.mark.parametrize("game", games())
def test_what_is_counted_adds_up(game: str) -> None:
    check(finished(game))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_what_is_counted_adds_up_in_every_preset(game: str, preset: str) -> None:
    check(finished(game, preset))


def test_the_second_deal_begins_where_the_first_ended() -> None:
    t = finished("cassino")
    first = projection.view_seen(t.table, 0)
    t.step()
    view = projection.view_seen(t.table, 0)
    assert first
    assert view
    assert first.counted
    assert not view.counted, "nothing is counted while a deal is played"
    t.play("between")
    view = projection.view_seen(t.table, 0)
    assert view
    assert [before + gained for before, gained in zip(first.scores, view.results[-1].gained, strict=True)] == list(
        view.scores
    )


def test_points_are_told_and_not_how_far_one_is_ahead() -> None:
    """Cassino's payoff is the margin over the other side; what people count are the points."""
    t = finished("cassino")
    assert t.table.match is not None
    result = t.table.match.results[-1]
    assert sum(result.payoff) == 0
    assert sum(result.gained) > 0
    assert min(result.gained) >= 0


def reasons(game: str, **options: Any) -> set[str]:
    """Why points or chips were given in some deals of a game, played by the heuristic."""
    from cardtable.bots import bot

    texts = set[str]()
    m = Match(game, seed="reasons", pause=True, **options)
    events = list(m.events)
    for _ in range(8):
        while m.actors:
            m.play(bot("medium", 1).choose(m.view(m.actors[0])), m.actors[0])
            events += m.events
        for one in counted(events, m.results[-1].gained):
            why = one.why.values.get("why", one.why)
            texts |= {str(why)} if why != one.why or one.times == 1 else set()  # of those with a plural the singular
        if m.over:
            break
        m.next_deal()
        events = list(m.events)
    return texts


def test_every_point_has_its_reason() -> None:
    assert reasons("cassino") <= {"a sweep", "aces", "most spades", "little cassino", "big cassino", "most cards"}
    assert reasons("scopa") <= {"a scopa", "most cards", "most diamonds", "sette bello", "the primiera"}
    assert {"ante", "passing", "going out first"} < reasons("play-or-pay")


def test_reasons_that_come_several_times_are_counted() -> None:
    m = Match("cassino", 2, seed="sweeps")
    one = Event(
        1, "score", 0, None, 1, None, None, "CA-13", None, SHARED[contract.SCORE], m.game.presentation.REASONS["CA-13"]
    )
    assert [(str(each.why), each.times) for each in counted([one, one], (2, 0))] == [("2 sweeps", 2)]
    assert [
        (str(each.why), each.times)
        for each in counted([replace(one, why=reason("for passing", "passing"))] * 3, (3, 0))
    ] == [("passing (3 times)", 3)]


def test_in_busca_the_lowest_wins_and_its_points_are_positive() -> None:
    t = finished("busca")
    view = projection.view_seen(t.table, 0)
    assert view
    assert view.lowest_wins
    assert min(view.results[-1].gained) >= 0
    assert max(view.results[-1].gained) > 0
