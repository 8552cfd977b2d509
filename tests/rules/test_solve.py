"""Solving with all cards known: limits, answers, and what solvers have in common."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable import CardtableError, Match, MatchOver, NoSolver, OptionError, RecordError
from cardtable.games.spider import solver, solver_beam, solver_piles
from cardtable.lab import bench, rivals, winnability
from cardtable.lab.simulate import Stopped
from cardtable.rules import catalog, contract
from cardtable.rules.contract import State
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.solver import NOT_FOUND, SOLVED, UNWINNABLE, Answer, Limits, Solution
from cardtable.rules.solving import replay, solve
from tests.games.spider.spider_tables import lay
from tests.support.commands import call

KING_TO_TWO = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
HARD = 10  #: a deal that the first run does not solve
PRESETS = ("four-suits", "two-suits", "one-suit")


def won_by(m: Match, found: Solution) -> bool:
    """Whether a solution wins, move by move."""
    for move in found.moves:
        assert not m.over
        m.play(move)
    return m.result is not None and m.result.winners == (0,)


@pytest.mark.exhaustive
@pytest.mark.parametrize("preset", PRESETS)
def test_whole_deals_are_solved(preset: str) -> None:
    for seed in range(1, 6):
        m = Match("spider", rules=preset, seed=seed)
        before = m.snapshot().tobytes()
        result = m.solve(seconds=60)
        assert result.status == SOLVED
        assert m.snapshot().tobytes() == before
        assert result.states > 0
        assert result.seconds > 0
        assert won_by(m, result)


def test_a_position_in_mid_game_is_solved() -> None:
    """From each tenth position of a solution on, with what was played kept as it is."""
    m = Match("spider", rules="two-suits", seed=3)
    moves = m.solve(states=200_000, seconds=None).moves
    for k, move in enumerate(moves):
        if k % 40 == 0:
            again = Match.from_record(m.record())
            assert won_by(again, again.solve(states=200_000, seconds=None))
        m.play(move)


def test_the_same_limits_give_the_same_answer() -> None:
    """However much other positions were searched before; another seed may find another way."""
    m, other = Match("spider", seed=6), Match("spider", seed=7)
    first = m.solve(seconds=None, states=300_000, seed=4)
    other.solve(seconds=None, states=50_000)
    second = m.solve(seconds=None, states=300_000, seed=4)
    assert (first.status, first.moves, first.states) == (second.status, second.moves, second.states)
    hard = Match("spider", seed=HARD)
    assert len({hard.solve(seconds=None, states=300_000, seed=seed).states for seed in range(3)}) > 1


def test_a_limit_ends_the_search_without_a_verdict() -> None:
    m = Match("spider", seed=2)
    result = m.solve(seconds=None, states=50)
    assert result.status == NOT_FOUND
    assert result.moves == ()
    assert result.states < 150
    assert "there may be one" in str(result.message)
    assert Match("spider", seed=2).solve(seconds=1e-6).status == NOT_FOUND


@pytest.mark.parametrize("limit", [{"seconds": 0}, {"seconds": -1.0}, {"states": 0}])
def test_limits_are_above_nothing(limit: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="a number above 0"):
        Match("spider", seed=1).solve(**limit)


def test_most_games_have_no_solver() -> None:
    with pytest.raises(NoSolver, match="Fan Tan has no solver") as refused:
        Match("fan-tan", 4, seed=1).solve()
    assert refused.value.code == "solve/game"
    assert isinstance(refused.value, CardtableError)
    assert [name for name, game in catalog.games().items() if game.solvable] == ["spider"]


def test_nothing_is_solved_after_the_end() -> None:
    m = Match("spider", seed=1)
    m.resign(0)
    with pytest.raises(MatchOver):
        m.solve()


def test_a_solution_that_does_not_win_is_a_fault() -> None:
    m = Match("spider", seed=1)
    s = m.snapshot()
    with pytest.raises(RuntimeError, match="move 1 of a solution of Spider is not legal"):
        replay(m.game, s, (7,))
    with pytest.raises(RuntimeError, match="does not win"):
        replay(m.game, s, ())


# Spider's rules, as its solver keeps to them


def test_the_last_run() -> None:
    m = lay(["[] " + KING_TO_TWO, "[] AS"], "S H H D D C C")
    result = m.solve(seconds=5)
    assert (result.status, result.moves) == (SOLVED, ("2-1",))


@pytest.mark.rules("SP-12", "SP-E8")
def test_a_deal_that_the_house_rules_forbid() -> None:
    """Ten cards of the last run wait in the stock, and at least seven columns are empty."""
    columns, stock = ["[] KS QS JS"], "TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
    result = lay(columns, "S H H D D C C", stock).solve(seconds=5)
    assert (result.status, result.moves) == (UNWINNABLE, ())
    assert "Unwinnable" in str(result.message)
    for rule in ("relaxed", "any"):
        allowed = lay(columns, "S H H D D C C", stock, deal_when_short=rule)
        result = allowed.solve(seconds=5)
        assert result.status == SOLVED
        assert won_by(allowed, result)


@pytest.mark.rules("SP-C1", "SP-C2")
@pytest.mark.parametrize("given", [{"deal_when_short": "any"}, {"face_down": "no"}])
def test_rules_that_people_play_are_solved(given: dict[str, Any]) -> None:
    """With three gaps before the deal, and with cards that lie open below others."""
    columns = ["[] KS QS JS TS 9S 8S 7S 6S 5S 4S", "[] 5S", "[] 3S", "[] 2S", "[] 4S", "[] 9S", "[] 6S"]
    m = lay(columns, "S S S S S S", "AS KS QS JS TS 8S 7S 3S 2S AS", suits="1", **given)
    result = m.solve(seconds=None, states=4000)
    assert result.status == SOLVED
    assert won_by(m, result)


@pytest.mark.rules("SP-Q12")
def test_no_solution_is_longer_than_the_move_cap_allows() -> None:
    """The last run needs four moves more."""
    columns = ["[] KS QS JS TS 9S 8S 7S 6S 5S", "[] 4S", "[] 3S", "[] 2S", "[] AS"]
    enough = lay(columns, "S H H D D C C", made=96, move_cap=100)
    result = enough.solve(seconds=5)
    assert (result.status, len(result.moves)) == (SOLVED, 4)
    assert won_by(enough, result)
    assert lay(columns, "S H H D D C C", made=97, move_cap=100).solve(seconds=5).status == UNWINNABLE


def test_a_whole_deal_is_solved_within_the_move_cap() -> None:
    m = Match("spider", seed=3, move_cap=100)
    result = m.solve(seconds=None, states=100_000)
    assert result.status == NOT_FOUND or (len(result.moves) <= 100 and won_by(m, result))


def endings(n: int) -> Iterator[State]:
    """Tables on which four to eight runs are left, their cards laid out at random on ten columns, face up; no stock."""
    ruleset = Ruleset.parse("spider")
    rng = random.Random("endings")
    for k in range(n):
        runs = (8, 6, 4)[k % 3]
        s: Any = ruleset.state()
        s.deal_number, s.in_play, s.winner, s.dealt, s.removed = 1, 1, -1, 5, 8 - runs
        suits = [0, 1, 2, 3, 0, 1, 2, 3]
        s.heap[: 8 - runs] = suits[runs:]
        cards = rng.sample([13 * suit + rank for suit in suits[:runs] for rank in range(13)], 13 * runs)
        ends = [0, *sorted(rng.sample(range(1, 13 * runs), 9)), 13 * runs]
        for c, (first, last) in enumerate(pairwise(ends)):
            s.height[c] = last - first
            s.columns[c, : last - first] = cards[first:last]
        yield s


def wins(s: Any, most: int = 500) -> bool | None:
    """Whether a state can be won: all states are tried by the rules; None: there are too many."""
    moves = np.zeros(400, np.int64)
    known, waiting = {key(s)}, [s]
    while waiting and len(known) < most:
        s = waiting.pop()
        for move in moves[: contract.legal(s, 0, moves)].tolist():
            after = s.copy()
            contract.play(after, 0, move)
            if after.winner == 0:
                return True
            if not after.over and key(after) not in known:
                known.add(key(after))
                waiting.append(after)
    return None if waiting else False


def key(s: Any) -> frozenset[tuple[bytes, int]]:
    """A table, except for the order of its columns."""
    return frozenset(Counter(s.columns[c, : s.height[c]].tobytes() for c in range(10)).items())


def test_the_verdict_is_that_of_all_positions() -> None:
    """Endings judged by going through everything that the rules allow: unwinnable are those in which nothing wins."""
    game, drawn = catalog.find("spider"), Counter[tuple[str, bool | None]]()
    for s in endings(75):
        solution = solve(game, s, Limits(None, 3_000))
        truth = wins(s)
        assert (solution.status, truth) not in {(SOLVED, False), (UNWINNABLE, True), (NOT_FOUND, False)}
        drawn[solution.status, truth] += 1
    assert drawn[UNWINNABLE, False] > 5
    assert drawn[SOLVED, None] + drawn[SOLVED, True] > 5


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_table_costs(preset: str) -> None:
    """The cost that follows from a move's is that of the table: its piles, the runs removed, and its columns' ends."""
    width, w = 20, solver.WEIGHTS
    b, drawn = solver.room_for(width), Counter[int]()
    b.head.noise, b.head.patience = 0, solver.PATIENCE
    for seed in range(1, 4):
        solver_beam.begin(b, Match("spider", rules=preset, seed=seed).snapshot(), np.uint64(1))
        while solver_beam.advance(b, 1) == solver_beam.RUNNING:
            first = int(b.head.side) * width
            for t in b.tables[first : first + int(b.head.current)]:
                piles = [b.piles.piles[place] for place in t.piles if place]
                ends, gaps = {int(pile.card) % 13 for pile in piles}, 10 - len(piles)
                cost = (
                    sum(int(pile.cost) for pile in piles)
                    - w[solver_piles.RUN] * int(t.removed)
                    + w[solver_piles.END_RANK] * len(ends)
                )
                cost += w[solver_piles.END_PAIR] * sum(rank + 1 in ends for rank in ends)
                cost += w[solver_piles.END_ACE] * (0 in ends) + w[solver_piles.END_KING] * (12 in ends)
                cost += (w[solver_piles.GAP] + w[solver_piles.MORE_GAPS] * max(gaps - 2, 0)) if gaps else 0
                assert int(t.cost) == cost
                drawn[gaps] += 1
    assert len(drawn) > 3


def test_a_run_of_a_beam_has_a_bias_against_some_cards_face_down() -> None:
    """It is the same in all tables of a run, other in another run, and gone once the card is turned up."""
    piles, cards, most = solver_piles.room(1 << 8, solver.WEIGHTS.copy()), (5, 40, 17, 28, 9), 6000

    def costs(salt: int, bias: int) -> tuple[list[int], int]:
        """Of the piles of one card face down to five, and of five the last of which is face up."""
        solver_piles.clear(piles, np.uint64(salt))
        piles.bias[0], pile, found = bias, 0, []
        for card in cards:
            pile = solver_piles.intern(piles, pile, card + solver_piles.DOWN)
            found.append(int(piles.piles[pile].cost))
        return found, int(piles.piles[piles.piles[pile].turned].cost)

    plain, turned = costs(1, 0)
    assert costs(2, 0) == (plain, turned)
    seen = set()
    for salt in range(20):
        found, up = costs(salt, most)
        assert costs(salt, most) == (found, up)
        above = [biased - cost for biased, cost in zip(found, plain, strict=True)]
        shares = [b - a for a, b in pairwise([0, *above])]
        assert all(0 <= share < most for share in shares)
        assert up - turned == above[-2]
        seen.update(shares)
    assert len(seen) > 90
    assert max(seen) > 0.9 * most


# Many deals


def test_a_study_of_deals(tmp_path: Path) -> None:
    """It says how many are solved, and continues where its file ends; its deals are deals that one can play."""
    file = tmp_path / "study.jsonl"
    first = winnability.study("spider", 3, rules="one-suit", keep=file)
    assert (first.deals, first.solved, first.named(SOLVED)) == (3, 3, [1, 2, 3])
    assert len(file.read_text("utf-8").splitlines()) == 4
    with file.open("a", encoding="utf-8") as torn:
        torn.write('{"deal": 4, "sta')  # by a kill
    deals: list[winnability.TriedDeal] = []
    more = winnability.study("spider", 5, rules="one-suit", keep=file, seen=deals.append)
    assert more.results[:3] == first.results
    assert [one.deal for one in deals] == [1, 2, 3, 4, 5]
    assert winnability.read(file) == deals
    third = Match("spider", rules="one-suit", seed=3).solve(seconds=None)
    assert (more.results[2].moves, more.results[2].states) == (len(third.moves), third.states)
    assert winnability.study("spider", 2, seed="tea", rules="one-suit").named(SOLVED) == ["tea-1", "tea-2"]


@pytest.mark.parametrize("line", ["[]", "{}", '{"deal": 1, "states": 2, "won": true}'])
def test_a_line_that_is_no_deal_is_named(tmp_path: Path, line: str) -> None:
    """Not in Python's words."""
    file = tmp_path / "study.jsonl"
    file.write_text('{"game": "spider"}\n{"deal": 1, "status": "solved", "moves": 1, "states": 1, "seconds": 1}\n')
    assert len(winnability.read(file)) == 1
    with file.open("a", encoding="utf-8") as study:
        study.write(line + "\n")
    with pytest.raises(RecordError, match=r"line 3 is no (deal of a study|JSON object)") as caught:
        winnability.read(file)
    assert "argument" not in str(caught.value)


def test_open_deals_are_attacked_again(tmp_path: Path) -> None:
    file = tmp_path / "study.jsonl"
    short = winnability.study("spider", 3, limits=Limits(None, 100), keep=file)
    assert (short.solved, short.named(NOT_FOUND)) == (0, [1, 2, 3])
    low, high = short.interval
    assert low == 0.0
    assert high == 1.0
    assert winnability.study("spider", 3, limits=Limits(None, 400_000), keep=file).solved == 0
    again = winnability.study("spider", 3, limits=Limits(None, 400_000), keep=file, again=True)
    assert again.solved == 3
    assert winnability.study("spider", 3, keep=file).results == again.results
    assert [one.attempts for one in again.results] == [2, 2, 2]
    for before, after in zip(short.results, again.results, strict=True):
        assert after.states > before.states
        assert after.seconds > before.seconds


def test_each_attack_takes_other_chances(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What all of them took is added up."""
    seeds: list[Any] = []

    def attack(game: Any, s: State, limits: Limits) -> Answer:
        seeds.append(limits.seed)
        return Answer(NOT_FOUND, (), 10, 0.5)

    monkeypatch.setattr(winnability, "solve", attack)
    for _ in range(3):
        (one,) = winnability.study("spider", 1, seed=65, keep=tmp_path / "study.jsonl", again=True).results
    assert (one.states, one.seconds, one.attempts) == (30, 1.5, 3)
    assert len(set(seeds)) == 3


def test_a_study_that_is_stopped_says_what_it_found() -> None:
    def stop(one: winnability.TriedDeal) -> None:
        if one.deal == 2:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        winnability.study("spider", 5, rules="one-suit", seen=stop)
    assert stopped.value.found.partial
    assert stopped.value.found.deals == 2


@pytest.mark.parametrize(
    "text",
    ["no study\n", "no line", '{"game": "spider", "rules": "two-suits", "options": {}}\n', '{"a": 1}\n{"b": 2}\n'],
)
def test_another_file_is_no_study(tmp_path: Path, text: str) -> None:
    file = tmp_path / "study.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(RecordError, match="study") as refused:
        winnability.study("spider", 1, keep=file)
    assert refused.value.code == "record/file"
    assert file.read_text("utf-8") == text


def test_the_interval_is_that_of_clopper_and_pearson() -> None:
    results = [winnability.TriedDeal(k, ("solved", "not-found")[k % 2], 1, 1, 1.0) for k in range(10)]
    result = winnability.WinnabilityStudy("spider", "Spider", "one-suit", {}, tuple(results))
    assert result.interval == pytest.approx((0.1871, 1.0), abs=1e-4), "what is open may be lost, or won"


def test_kpat_is_timed_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in its place notes what it is asked for."""
    noted = tmp_path / "noted"
    program = tmp_path / "kpat"
    program.write_text(f'#!/bin/sh\necho "$@" > {noted}\ncat "$XDG_CONFIG_HOME/kpatrc" >> {noted}\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    found = rivals.kpat()
    assert found == str(program)
    assert rivals.kpat_runner(found).run(40).done == {"deals/s": 40.0}
    assert noted.read_text("utf-8").splitlines() == [
        "--solve 17 --start 1 --end 40",
        "[General Settings]",
        "SpiderSuits=4",
    ]
    ours = [runner.label for runner in bench.runners(["spider"]) if runner.what == rivals.SOLVING]
    assert ours == [f"spider {rivals.SOLVING}", f"kpat {rivals.SOLVING}"]
    assert bench.solve_runner(Ruleset.parse("spider", "one-suit"), "solving").run(2).done == {"deals/s": 2.0}


# The command


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What `cardtable solve WORDS` prints."""
    exit_code, out, err = call(capsys, "solve", *words)
    assert exit_code == 0, err
    return out


def test_the_command_solves_many_deals(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(told(capsys, "spider", "--rules", "one-suit", "--deals", "3", "--seed", "7", "--json"))
    assert (data["deals"], data["solved"], data["unsolved"], data["partial"]) == (3, 3, [], False)
    assert set(data["seconds"]) == {"mean", "median", "max"}
    text = told(capsys, "spider", "--rules", "one-suit", "--deals", "3", "--seed", "7")
    assert "Spider, seeds 7 to 9" in text
    assert "3 of 3 deals solved: 100% (winnable, 95% interval: 29% to 100%)" in text


def test_the_command_solves_one_deal_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    m = Match("spider", rules="one-suit", seed=7)
    moves = m.solve(seconds=None).moves
    data = json.loads(told(capsys, "spider", "--rules", "one-suit", "--seed", "7", "--json"))
    assert (data["status"], tuple(data["moves"])) == (SOLVED, moves)
    position, record = tmp_path / "position.toml", tmp_path / "record.toml"
    position.write_text(m.position().text, "utf-8")
    for move in moves[:20]:
        m.play(move)
    m.record().save(record)
    assert json.loads(told(capsys, str(position), "--json"))["status"] == SOLVED
    assert json.loads(told(capsys, str(record), "--json"))["status"] == SOLVED
    for move in m.solve(seconds=None).moves:
        m.play(move)
    m.record().save(record)
    over = told(capsys, str(record))
    assert "Solved in" in over
    assert len(over.split()) > 60


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["fan-tan"], 1, "Fan Tan has no solver"),
        (["fan-tan", "--deals", "3"], 1, "Fan Tan has no solver"),
        (["spyder"], 2, "Did you mean spider"),
        (["nothing.toml"], 3, "there is no such file"),
        (["./nothing"], 3, "there is no such file"),
        (["nothing.json"], 3, "there is no such file"),
        (["spider", "--seconds", "0"], 2, "0"),
        (["spider", "--again"], 2, "--keep"),
    ],
)
def test_wrong_use_of_the_command(words: list[str], code: int, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code, out, err = call(capsys, "solve", *words)
    assert (exit_code, out) == (code, "")
    assert why.lower() in err.lower()
