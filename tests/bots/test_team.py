"""Several threads for one decision: the same choice for any number of them, honest, and within its budget."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from cardtable.bots import bot, manner
from cardtable.bots.players import SearchBot
from cardtable.bots.searcher import Searcher
from cardtable.bots.team import PARTS, Team, TeamPart
from cardtable.match.match import Match
from cardtable.search import chain, race
from cardtable.testing.houses import deal
from cardtable.views.observed import Past
from tests.conftest import PLAIN
from tests.search.test_search import KEY, SOME, advance, gist, known


@pytest.fixture(scope="module")
def seen() -> tuple[Any, Any, int]:
    """Fan Tan's game, a redacted position with some choices, and their seats."""
    game, s = deal()
    seat = advance(game, s, 4)
    return game, known(s, seat), seat


def test_the_choice_is_the_same_for_any_number_of_threads(seen: tuple[Any, Any, int]) -> None:
    """Up to PARTS of them; and what a team thought about before does not matter."""
    game, view, seat = seen
    first = Team(game, 1, 4096)
    result = gist(first(view, seat, KEY, iterations=SOME))
    for threads in (2, 3, PARTS):
        other = Team(game, threads, 4096)
        other(known(deal(seed="2")[1], seat), seat, KEY, iterations=60)
        assert gist(other(view, seat, KEY, iterations=SOME)) == result
    assert gist(first(view, seat, KEY, iterations=SOME)) == result


def test_a_budget_is_spent_and_not_exceeded(seen: tuple[Any, Any, int]) -> None:
    game, view, seat = seen
    team = Team(game, 2, 4096)
    least = team(view, seat, KEY, iterations=1)
    assert [value.visits for value in least.values] == [1] * len(least.values), "each move is tried at least once"
    result = team(view, seat, KEY, iterations=3 * SOME // 4)
    assert max(value.visits for value in result.values) == result.worlds
    assert result.decided or 3 * SOME // 4 - 2 * len(result.values) - 2 < result.iterations <= 3 * SOME // 4


def test_time_is_kept(seen: tuple[Any, Any, int]) -> None:
    game, view, seat = seen
    team = Team(game, 2, 4096)
    team(view, seat, KEY, iterations=1)
    result = team(view, seat, KEY, seconds=0.1)
    assert result.decided or result.seconds >= 0.1
    assert result.worlds >= PARTS


def test_portions_make_no_difference(seen: tuple[Any, Any, int], monkeypatch: pytest.MonkeyPatch) -> None:
    game, view, seat = seen
    whole = Team(game, 2, 4096)(view, seat, KEY, iterations=SOME)
    monkeypatch.setattr("cardtable.bots.team.PORTION", 16)
    assert gist(Team(game, 2, 4096)(view, seat, KEY, iterations=SOME)) == gist(whole)


def test_what_is_hidden_changes_no_thought() -> None:
    """Handed the open state, or its redacted view, a team finds the same."""
    game, s = deal()
    seat = advance(game, s, 7)
    team = Team(game, 2, 4096)
    result = [gist(team(state, seat, KEY, iterations=SOME)) for state in (s.copy(), known(s, seat))]
    assert result[0] == result[1]


def test_it_is_the_race_of_all_parts(seen: tuple[Any, Any, int]) -> None:
    """Each arm has what the parts measured together, and who is out is out in every part."""
    game, view, seat = seen
    team = Team(game, 2, 4096)
    result = team(view, seat, KEY, iterations=SOME)
    n = len(result.values)
    for k, value in enumerate(result.values):
        arms = [part._arms[k] for part in team.parts]
        assert value.visits == sum(int(arm.visits) for arm in arms)
        assert value.mean == pytest.approx(sum(float(arm.value) for arm in arms) / value.visits)
    assert len({tuple(part._arms["out"][:n].tolist()) for part in team.parts}) == 1
    assert len({float(part._arms["value"][0]) for part in team.parts}) > 1, "parts have separate worlds"
    assert result.worlds == sum(int(part._race.worlds) for part in team.parts)


@pytest.mark.skipif(PLAIN, reason="4,000 deals take too long in plain Python")
def test_judged_together_moves_drop_out() -> None:
    """A move that loses for sure is given up, as in a search that is not divided: to bid ten tricks.

    Seeded (KEY). In both searches it is tried 16 times, as often as any move is, since it pays 69 points less than the
    best bid, with a standard error of 4. A mean spreads by 19 points at most, divided by the square root of its visits:
    two means of one move that differ by 8 times as much are not of the same deals. Other keys would fail with a chance
    far below 1e-6.
    """
    game, s = deal("oh-hell")
    seat = advance(game, s, 0)
    view = known(s, seat)
    most = 4000
    result = Team(game, 2)(view, seat, KEY, iterations=most)
    alone = Searcher(game)(view, seat, KEY, iterations=most)
    for each in (result, alone):
        assert each.values[-1].visits == min(value.visits for value in each.values)
        assert each.values[-1].visits < max(value.visits for value in each.values)
    for a, b in zip(result.values, alone.values, strict=True):
        assert abs(a.mean - b.mean) < 8 * 19 * (1 / a.visits + 1 / b.visits) ** 0.5


def test_an_error_in_a_part_is_raised(seen: tuple[Any, Any, int], monkeypatch: pytest.MonkeyPatch) -> None:
    game, view, seat = seen
    team = Team(game, 2, 4096)
    play = TeamPart.play

    def fail(part: TeamPart, n: int, worlds: int) -> None:
        if part is team.parts[1]:
            raise MemoryError
        play(part, n, worlds)

    monkeypatch.setattr(TeamPart, "play", fail)
    with pytest.raises(MemoryError):
        team(view, seat, KEY, iterations=SOME)


def test_weighted_worlds() -> None:
    """Worlds are weighted by what the others did, with as many chains in all as a search that is not divided has."""
    m = Match("fan-tan", seats=4, seed=3)
    past = None
    while past is None or not past.count or len(m.view(m.actors[0]).legal) < 2:
        m.play(m.view(m.actors[0]).legal[0])
        past = m.view(m.actors[0]).past
    assert isinstance(past, Past)
    seat = m.actors[0]
    team, before = Team(m.game, 2, 4096), past.packed()
    result = team(m.view(seat).state, seat, KEY, iterations=SOME, past=past)
    assert past.packed() == before, "each part writes into separate states"
    chains = [part._weighted.chains for part in team.parts if isinstance(part._weighted, chain.Weighted)]
    assert sum(map(len, chains)) == chain.CHAINS
    assert all(part._race.places for part in team.parts)
    assert float(team._race.gate) == race.WEIGHTED_GATE
    assert gist(result) == gist(Team(m.game, 1, 4096)(m.view(seat).state, seat, KEY, iterations=SOME, past=past))


@pytest.mark.skipif(PLAIN, reason="two hundred deals take too long in plain Python")
def test_a_short_search_draws_few_weighted_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """They cost more than deals played out; so no more are drawn than there are deals."""
    m = Match("fan-tan", seats=4, seed=3)
    past, drawn = None, 0
    while past is None or not past.count or len(m.view(m.actors[0]).legal) < 2:
        m.play(m.view(m.actors[0]).legal[0])
        past = m.view(m.actors[0]).past
    searcher, seat = Searcher(m.game, 4096), m.actors[0]
    draw = searcher._weighted.draw

    def counted() -> None:
        nonlocal drawn
        drawn += len(draw())

    monkeypatch.setattr(searcher._weighted, "draw", counted)
    result = searcher(m.view(seat).state, seat, KEY, iterations=200, past=past)
    assert result.worlds <= drawn <= 200


def test_a_bot_with_threads(seen: tuple[Any, Any, int]) -> None:
    game, view, seat = seen
    two, one = bot("search:60:threads=2", 5), bot("hard:60:uniform:threads=1", 5)
    assert isinstance(two, SearchBot)
    assert (two.name, one.name) == ("search:60:threads=2", "search:60:uniform:threads=1")
    assert (two.infers, one.infers) == (True, False)
    assert manner("search") == (False, 0)
    assert manner("expert:1s:threads=12:uniform") == (True, 12)
    assert two.move(game, view, seat) == one.move(game, view, seat)
    assert two.analyse(game, view, seat).values == one.analyse(game, view, seat).values  # type: ignore[attr-defined]
    copied = pickle.loads(pickle.dumps(two))
    assert copied.move(game, view, seat) == two.move(game, view, seat)
