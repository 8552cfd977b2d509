"""Bots: their levels and budgets, that they see nothing hidden, that they are reproducible, and their analysis."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardtable import precompile
from cardtable.base.errors import OptionError
from cardtable.bots import EXPERT, ITERATIONS, analyse, bot, parse_level
from cardtable.bots.searcher import Searcher
from cardtable.kernel import Switch, bits, prng
from cardtable.rules import catalog, contract
from cardtable.rules.game import Game
from cardtable.rules.worlds import Work
from cardtable.testing.houses import deal
from tests.support.effort import cases
from tests.support.games import oracle

LEVELS = ["random", "soft", "medium", "flat:60", "search:60", "expert:60"]


def redacted(s: Any, seat: int) -> Any:
    view = s.copy()
    contract.redact(view, seat)
    return view


def choice(game: Game, s: Any) -> int:
    """Play on until a seat has a choice; return the seat."""
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    while contract.legal(s, seat := bits.lowest(int(contract.actors(s))), moves) == 1:
        contract.play(s, seat, int(moves[0]))
    return seat


@pytest.mark.parametrize(
    ("level", "parsed"),
    [
        ("random", ("random", 0, 0.0)),
        ("MEDIUM ", ("medium", 0, 0.0)),
        ("flat", ("flat", ITERATIONS, 0.0)),
        ("search", ("search", ITERATIONS, 0.0)),
        ("search:20000", ("search", 20000, 0.0)),
        ("search:0.5s", ("search", 0, 0.5)),
        ("flat:2s", ("flat", 0, 2.0)),
        ("soft", ("soft", 0, 0.0)),
        ("expert", ("expert", *EXPERT)),
        ("expert:300", ("expert", 300, 0.0)),
        ("search:300:threads=2", ("search", 300, 0.0)),
        ("search:2s:uniform:threads=64", ("search", 0, 2.0)),
        ("hard:threads=3", ("search", ITERATIONS, 0.0)),
        ("expert:threads=2", ("expert", *EXPERT)),
        ("expert:0.5s", ("expert", 0, 0.5)),
        ("easy", ("soft", 0, 0.0)),
        ("medium", ("medium", 0, 0.0)),
    ],
)
def test_levels(level: str, parsed: tuple[str, int, float]) -> None:
    assert parse_level(level) == parsed


@pytest.mark.parametrize(
    "level",
    [
        "",
        "serch",
        "search:",
        "search:0",
        "search:-3",
        "search:1e4",
        "search:s",
        "search:0s",
        "search:.s",
        "search:99999s",
        "medium:3",
        "random:1",
        "soft:3",
        "medium:60",
        "search:100000001",
        "search:20:30",
        "search:20:threads=0",
        "search:20:threads=65",
        "search:threads=2:20",
        "flat:20:threads=2",
        "medium:threads=2",
        "search:20:threads=٣",
        "flat:٣",
        "x" * 500,
        3,
        None,
        b"hard",
    ],
)
def test_a_level_that_is_none_is_refused(level: Any) -> None:
    with pytest.raises(OptionError) as error:
        bot(level)
    assert error.value.can
    assert len(str(error.value)) < 400


def test_did_you_mean() -> None:
    with pytest.raises(OptionError, match="Did you mean search"):
        bot("serch:100")


@pytest.mark.parametrize("name", cases(["fan-tan", "five-or-nine", "domino-fan-tan"]))
@pytest.mark.parametrize("level", cases(LEVELS, ("random", "search:60")))
def test_a_bot_plays_legal_moves_and_sees_nothing_hidden(level: str, name: str) -> None:
    """Handed the open state, its redacted view, or another world's view, it does the same."""
    game, s = deal(name)
    player = bot(level, 5)
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    work, asked = Work.new(), 0
    while mask := int(contract.actors(s)):
        seat = bits.lowest(mask)
        n = int(contract.legal(s, seat, moves))
        move = int(moves[0])
        if n > 1 and asked < 8:
            asked += 1
            view = redacted(s, seat)
            before = view.tobytes()
            move = player.move(game, view, seat)
            assert move in moves[:n].tolist()
            assert view.tobytes() == before
            other = view.copy()
            other.rng[:] = prng.key_of("other")
            contract.resample(other, seat, work)
            assert (
                move
                == player.move(game, s, seat)
                == player.move(game, redacted(other, seat), seat)
                == bot(level, 5).move(game, view, seat)
            )
        contract.play(s, seat, move)
    assert asked


def test_a_random_bot_is_random() -> None:
    game, s = deal()
    seat = choice(game, s)
    view = redacted(s, seat)
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    n = int(contract.legal(view, seat, moves))
    counts = [0] * n
    for k in range(400):
        counts[moves[:n].tolist().index(bot("random", k).move(game, view, seat))] += 1
    # Seeds 0 to 399; others would fail with the chance `oracle.CHANCE`.
    assert min(counts) > 400 / n - oracle.far(n) * (400 / n * (1 - 1 / n)) ** 0.5
    # Without a seed one is drawn: 60 of them give one move with a chance of less than 1e-17.
    assert len({bot("random").move(game, view, seat) for _ in range(60)}) > 1


def test_choose_answers_in_notation() -> None:
    game, s = deal()
    seat = choice(game, s)
    view = SimpleNamespace(game=game, seat=seat, state=redacted(s, seat))
    player = bot("medium")
    assert game.presentation.parse_move(view.state, player.choose(view)) == player.move(game, view.state, seat)
    with pytest.raises(ValueError, match="spectator"):
        player.choose(SimpleNamespace(game=game, seat=None, state=s))


@pytest.mark.parametrize("level", cases(["search:300", "flat:300"]))
def test_analyse_weighs_every_legal_move(level: str) -> None:
    game, s = deal()
    seat = choice(game, s)
    view = redacted(s, seat)
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    n = int(contract.legal(view, seat, moves))
    analysis = analyse(game, view, seat, level, seed=3)
    assert [value.move for value in analysis.values] == moves[:n].tolist()
    assert 0 < sum(value.visits for value in analysis.values) <= analysis.iterations <= 300
    assert analysis.best in moves[:n].tolist()
    assert analysis.best == bot(level, 3).move(game, view, seat)
    with pytest.raises(OptionError):
        analyse(game, view, seat, "medium")


def test_an_expert_thinks_as_long_as_it_is_told_and_no_longer() -> None:
    """Its iterations are a search's; an additional limit in seconds ends it early, and changes nothing before that."""
    game, s = deal()
    seat = choice(game, s)
    view = redacted(s, seat)
    key = prng.key_of(3)
    assert bot("expert:300", 3).move(game, view, seat) == bot("search:300", 3).move(game, view, seat)
    assert bot("expert", 3).name == "expert:20000"
    assert bot("expert:300", 3).name == "expert:300"
    think = Searcher(game)
    plenty = think(view, seat, key, iterations=3000, seconds=60.0)
    assert plenty.values == think(view, seat, key, iterations=3000).values
    short = think(view, seat, key, iterations=10**8, seconds=0.05)
    assert short.decided or short.seconds >= 0.05
    assert 0 < short.iterations < 10**8


def test_search_follows_the_rule_of_thumb_while_rules_run_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not think at all."""
    monkeypatch.setattr(Searcher, "__call__", lambda *args, **named: pytest.fail("it thinks"))
    game, s = deal()
    seat = choice(game, s)
    before = Switch.plain
    try:
        Switch.plain = True
        assert bot("search:1000000", 1).move(game, s, seat) == bot("medium").move(game, s, seat)
    finally:
        Switch.plain = before


# Warming


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Any:
    """A machine on which nothing is compiled, and the file that says that it is."""
    before = Switch.plain
    monkeypatch.setattr(precompile, "ready", lambda game, search=True: (tmp_path / "ready").exists())
    yield tmp_path / "ready"
    Switch.plain = before


def test_compiled_behind_and_switched_over(cold: Any, tmp_path: Path) -> None:
    """A process, since that compiles; it waits for a signal."""
    go = tmp_path / "go"
    code = f"import os, time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\nopen({str(cold)!r}, 'w')"
    behind = precompile.warm_behind(catalog.find("fan-tan"), [sys.executable, "-c", code])
    assert behind is not None
    assert behind.running
    assert Switch.plain
    go.touch()
    assert behind.wait(60)
    assert not behind.running
    assert not Switch.plain
    assert not behind.error
    assert behind._process.returncode == 0  # it was waited for: no zombie
    assert precompile.warm_behind(catalog.find("fan-tan")) is None


@pytest.mark.parametrize("command", [[sys.executable, "-c", "raise SystemExit('no compiler')"], ["/no/such/program"]])
def test_when_compiling_fails_play_goes_on_plainly(cold: Any, command: list[str]) -> None:
    behind = precompile.warm_behind(catalog.find("fan-tan"), command)
    assert behind is not None
    assert not behind.wait(60)
    assert not behind.running
    assert behind.error
    assert Switch.plain
    game, s = deal()
    assert bot("search").move(game, s, choice(game, s)) >= 0


def test_compiling_can_be_stopped(cold: Any) -> None:
    behind = precompile.warm_behind(catalog.find("fan-tan"), [sys.executable, "-c", "import time; time.sleep(600)"])
    assert behind is not None
    behind.close()
    assert not behind.running
    assert behind._process.returncode is not None
