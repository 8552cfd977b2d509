"""Studies: as many deals as were asked for, the same figures on any number of threads, sums that hold, and what is
printed.
"""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from typing import Any

import click
import numpy as np
import pytest

from cardtable import Match, OptionError, UnknownGame, bot
from cardtable.cli.runs import Count
from cardtable.kernel import prng
from cardtable.lab.simulate import Simulation, simulate
from cardtable.rules import catalog
from cardtable.testing.houses import brief
from tests.conftest import PLAIN
from tests.support.commands import ROOT, attentive, call, surroundings
from tests.support.effort import cases


def figures(study: Simulation) -> dict[str, Any]:
    """All that a study found except its speed."""
    return {key: value for key, value in study.as_dict().items() if "second" not in key}


@pytest.mark.parametrize("game", cases(["fan-tan", "oh-hell"]))
@pytest.mark.parametrize("deals", [1, 2, 7, 13])
def test_exactly_so_many_deals(deals: int, game: str) -> None:
    assert simulate(game, deals, bots=["medium"]).deals == deals


@pytest.mark.parametrize(
    "bots", [["random"], ["medium", "random", "medium", "random"], ["flat:4", "medium", "medium", "medium"]]
)
def test_threads_change_no_figure(bots: list[str]) -> None:
    one, *others = (
        figures(
            simulate("fan-tan", 40 if "flat:4" not in bots else 3, seats=4, bots=bots, seed="threads", threads=threads)
        )
        for threads in (1, 2, 5)
    )
    assert others == [one, one]


def test_blocks_change_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable.lab import simulate as module

    one = figures(simulate("fan-tan", 50, seed=4))
    monkeypatch.setattr(module, "BLOCK", 8)
    assert {
        key: value
        for key, value in figures(simulate("fan-tan", 50, seed=4, threads=3)).items()
        if key in ("moves", "wins", "void", "deals")
    } == {key: one[key] for key in ("moves", "wins", "void", "deals")}


def test_the_seed_is_a_number_or_a_word() -> None:
    one, same, other = (figures(simulate("fan-tan", 8, seed=seed)) for seed in (7, "7", "word"))
    assert one == same
    assert one["payoff"] != other["payoff"]


@pytest.mark.parametrize("name", cases(catalog.games(), ("fan-tan",)))
def test_every_game_can_be_studied(name: str) -> None:
    study = simulate(name, 4, bots=["medium"], seed=1, options=brief(catalog.find(name)))
    assert study.deals == 4
    assert study.moves > 0
    for mean in (*study.payoff, study.eldest):
        assert math.isfinite(mean.mean)


def test_one_match_has_no_interval() -> None:
    interval = simulate("fan-tan", 1).as_dict()["payoff"][0]["ci95"]
    assert interval == [None, None]  # JSON knows no infinity


@pytest.mark.skipif(PLAIN, reason="hundreds of deals take too long in plain Python")
def test_intervals_hold_the_mean_and_narrow() -> None:
    """Of 20 matches and of 200. Seeded (2); another seed would fail with a chance of 1e-7 (chi-square)."""
    few, many = simulate("fan-tan", 60, seats=3, seed=2), simulate("fan-tan", 600, seats=3, seed=2)
    for study in (few, many):
        for mean in study.payoff:
            assert mean.low < mean.mean < mean.high
    assert many.payoff[0].high - many.payoff[0].low < few.payoff[0].high - few.payoff[0].low


def test_progress_adds_up() -> None:
    progress: list[int] = []
    simulate("fan-tan", 30, bots=["medium", "random", "random", "random"], progress=progress.append)
    assert sum(progress) == 30


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"deals": 0}, OptionError),
        ({"threads": 0}, OptionError),
        ({"bots": ["random", "medium"]}, OptionError),
        ({"bots": ["genius"]}, OptionError),
        ({"seats": 99}, OptionError),
        ({"rules": "none"}, OptionError),
        ({"options": {"anti": 1}}, OptionError),
        ({"game": "whist"}, UnknownGame),
    ],
)
def test_what_cannot_be_studied_is_refused(how: dict[str, Any], error: type[Exception]) -> None:
    arguments: dict[str, Any] = {"game": "fan-tan", "deals": 4} | how
    with pytest.raises(error):
        simulate(**arguments)


def test_house_rules_are_played_by() -> None:
    study = simulate("fan-tan", 8, seats=3, rules="british", options={"ante": 3, "deals": 2}, seed=1)
    assert (study.matches, study.rules, study.options["ante"]) == (4, "british", 3)


def test_a_study_agrees_with_matches_at_the_table() -> None:
    """Deals by the same heuristic are the same, whether compiled loops or `Match` play them."""
    lengths = []
    for number in range(2):
        m = Match("fan-tan", 4, seed=prng.match_seed("tea", number))
        while not m.over:
            m.play(bot("medium").choose(m.view(m.actors[0])), m.actors[0])
        lengths += [len(deal.acts) for deal in m.deals]
    study = simulate("fan-tan", len(lengths), seats=4, bots=["medium"], seed="tea")
    assert study.moves == sum(lengths)
    assert (study.matches, study.seats, study.rules) == (2, 4, "denexa")
    assert sum(study.wins) + study.void == len(lengths)
    assert math.isclose(sum(mean.mean for mean in study.payoff), 0.0, abs_tol=1e-9)
    assert study.length == pytest.approx((np.mean(lengths), np.std(lengths), min(lengths), max(lengths)))


def test_a_study_that_is_stopped_has_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable.lab import simulate as module

    monkeypatch.setattr(module, "BLOCK", 8)
    done: list[int] = []

    def interrupt(deals: int) -> None:
        done.append(deals)
        if len(done) == 2:
            raise KeyboardInterrupt

    with pytest.raises(module.Stopped) as stopped:
        simulate("fan-tan", 400, seed=4, progress=interrupt)
    result = stopped.value.found
    assert result.partial
    assert result.deals == sum(done)
    whole = figures(simulate("fan-tan", result.deals, seed=4))  # the same deals as of a study of that number
    assert whole | {"partial": True} == figures(result)
    monkeypatch.setattr(module, "_sum", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(module.Stopped) as at_once:
        simulate("fan-tan", 4)
    assert at_once.value.found is None


# The command


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("20", 20),
        ("1_000_000", 10**6),
        ("1,000", 1000),
        ("1e6", 10**6),
        ("1E6", 10**6),
        ("1.5e3", 1500),
        ("10k", 10**4),
        ("1m", 10**6),
        ("2.5m", 2_500_000),
    ],
)
def test_large_numbers_may_be_written_short(text: str, count: int) -> None:
    assert Count(1, 10**10).convert(text, None, None) == count


@pytest.mark.parametrize(
    "text", ["", "x", "1.5", "1e-1", "-1", "0", "1e11", "1ee6", "inf", "nan", "²", "1e99", "9" * 500]
)
def test_what_is_no_number_of_deals(text: str) -> None:
    with pytest.raises(click.BadParameter):
        Count(1, 10**10).convert(text, None, None)


@pytest.mark.parametrize("in_json", [True, False])
def test_ctrl_c_prints_what_was_found(
    in_json: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardtable.cli.commands import simulate as module
    from cardtable.lab import simulate as lab

    monkeypatch.setattr(lab, "BLOCK", 8)

    def impatient(run: Any, deals: int) -> Any:
        looks = iter(range(2))

        def progress(more: int) -> None:
            if next(looks, None) is None:
                raise KeyboardInterrupt

        return run(progress=progress)

    monkeypatch.setattr(module, "watched", impatient)
    code, out, _ = call(capsys, "simulate", "fan-tan", "--deals", "1e6", *["--json"] * in_json)
    assert code == 130
    if in_json:
        data = json.loads(out)
        assert data["partial"]
        assert 0 < data["deals"] < 10**6
    else:
        assert "(stopped early: partial)" in out
        assert "payoff a deal" in out


@pytest.mark.exhaustive
def test_ctrl_c_stops_a_study_in_a_process_of_its_own() -> None:
    command = [
        sys.executable,
        "-m",
        "cardtable",
        "simulate",
        "fan-tan",
        "--bot",
        "medium,random,random,search:4",
        "--deals",
        "1m",
        "--json",
    ]
    with subprocess.Popen(
        command, cwd=ROOT, env=surroundings(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=attentive
    ) as process:
        assert process.stderr
        output = process.stderr.readline()  # how long it will take, once some deals are played
        assert b"deals are played; the rest takes about" in output, output
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["partial"]
    assert b"Traceback" not in err


def test_bots_that_think_play_fewer_deals(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable.cli.commands import simulate as module

    asked: list[int] = []

    def noted(run: Any, deals: int) -> Any:
        asked.append(deals)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "watched", noted)
    for bots in ("medium", "search", "random,random,medium,flat:20"):
        assert call(capsys, "simulate", "fan-tan", "--bot", bots)[0] == 130
    assert asked == [10_000, 200, 200]


@pytest.mark.exhaustive
def test_figures_that_fit_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    out = call(capsys, "simulate", "thirty-one", "--deals", "6", "--bot", "medium")[1]
    assert "won" not in out  # a deal of it is only lost
    out = call(capsys, "simulate", "spider", "--deals", "1", "--set", "move_cap=200")[1]
    assert "eldest" not in out
    assert "nobody" not in out
    assert "deals won" in out
    assert "1 seat," in out


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "simulate", "fan-tan", "--seats", "4", "--deals", "20", "--json", "--set", "ante=2")
    data = json.loads(out)
    assert code == 0
    wanted = {
        "game",
        "rules",
        "seats",
        "options",
        "bots",
        "seed",
        "deals",
        "moves",
        "seconds",
        "moves_per_second",
        "payoff",
        "length",
        "passes",
    }
    assert wanted <= set(data)
    assert (data["game"], data["deals"], data["bots"], data["seed"]) == ("fan-tan", 20, ["random"] * 4, "0")
    assert [set(row) for row in data["payoff"]] == [{"seat", "mean", "ci95"}] * 4
    assert {"mean", "min", "max"} <= set(data["length"])
    assert data["passes"]["mean"] > 0
    assert data["options"]["ante"] == 2


@pytest.mark.parametrize(
    "words",
    [
        ("--bot", "medium,random,random,random"),
        ("--bot", "medium", "--bot", "random", "--bot", "random", "--bot", "random"),
    ],
)
def test_for_people(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "simulate", "fan-tan", "--deals", "20", "--seed", "word", *words)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "Fan Tan, 4 seats, seed word"
    assert lines[1].startswith("20 deals, ")
    assert "       0  medium" in out
    assert "  eldest  " in out
    assert len(lines) == 10


def test_one_match_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert "(one match only)" in call(capsys, "simulate", "fan-tan", "--deals", "1")[1]


def test_a_league_of_any_house(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys, "league", "fan-tan", "medium", "random", "--deals", "6", "--set", "ante=2", "--threads", "2", "--json"
    )
    (duel,) = json.loads(out)
    assert code == 0
    assert (duel["a"], duel["b"], duel["deals"], duel["seats"]) == ("random", "medium", 6, 4)
    assert duel["low"] <= duel["difference"] <= duel["high"]
    assert call(capsys, "league", "fan-tan", "medium", "random", "--deals", "6")[1].startswith("Fan Tan ")


def test_what_is_compiled_already_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable import precompile

    monkeypatch.setattr(precompile, "ready", lambda *_: True)
    assert call(capsys, "warm", "fan-tan", "scopa")[1] == "fan-tan: compiled already\nscopa: compiled already\n"
    assert call(capsys, "warm", "--all")[1].count("compiled already") == len(catalog.games())
    assert call(capsys, "warm", "fan-tan", "--no-search")[1] == "fan-tan: compiled already\n"
