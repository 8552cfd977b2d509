"""Studies: the same deals in every cell, exact sums, intervals that cover, files that survive a kill."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.base.errors import OptionError, SaveError
from cardtable.lab import Study, StudyResult
from cardtable.lab.simulate import Stopped, simulate
from cardtable.lab.study import blocks, effects
from cardtable.lab.study.effects import Effect
from cardtable.lab.study.engines import EngineError
from cardtable.lab.study.rows import MEASURES, Sums
from cardtable.rules import catalog
from cardtable.testing.houses import brief
from tests.conftest import PLAIN
from tests.support.commands import ROOT
from tests.support.databases import sqlite
from tests.support.effort import cases
from tests.support.programs import require
from tests.support.waiting import until

DEALS = 24 if PLAIN else 2000
ALL = tuple(MEASURES)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several blocks in each study."""
    monkeypatch.setattr(blocks, "DEALS", 8 if PLAIN else 300)


def ante(**how: Any) -> Study:
    given: dict[str, Any] = {"seats": 4, "deals": DEALS, "bots": "medium", "seed": 7}
    return Study("fan-tan", **(given | how)).grid(ante=[1, 2, 3])


@pytest.mark.parametrize("bots", ["medium", "random", "random,medium,random,medium"])
def test_a_cell_adds_up_to_what_simulate_does(bots: str) -> None:
    result = Study("fan-tan", 4, deals=DEALS + 3, bots=bots, seed="tea").grid(ante=[1, 3]).run(ALL)
    for c, price in enumerate((1, 3)):
        same = simulate("fan-tan", DEALS + 3, seats=4, options={"ante": price}, bots=bots.split(","), seed="tea")
        cell = f"ante={price}"
        assert (result.sums.deals[c], result.sums.matches[c], result.sums.moves[c]) == (
            same.deals,
            same.matches,
            same.moves,
        )
        eldest = result.mean(cell, "eldest")
        assert eldest.mean == pytest.approx(same.eldest.mean, rel=1e-12)
        assert (eldest.low, eldest.high) == pytest.approx((same.eldest.low, same.eldest.high), rel=1e-6)
        assert result.mean(cell, "length").mean == pytest.approx(same.length[0], rel=1e-12)
        assert result.mean(cell, "length").deviation == pytest.approx(same.length[1], rel=1e-9)
        assert result.mean(cell, "passes").mean == pytest.approx(same.passes, rel=1e-12)
        assert result.mean(cell, "void").mean == same.void / same.deals
        for seat, paid in enumerate(same.payoff):
            mine = result.mean(cell, f"payoff_{seat}")
            assert mine.mean == pytest.approx(paid.mean, rel=1e-12)
            assert (mine.low, mine.high) == pytest.approx((paid.low, paid.high), rel=1e-6)
            assert result.mean(cell, f"won_{seat}").mean == same.wins[seat] / same.deals


def test_threads_blocks_and_executors_change_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    one = ante().run(ALL)
    assert len(one.limits) > 3
    assert ante(threads=3).run(ALL).digest == one.digest
    monkeypatch.setattr(blocks, "DEALS", 100_000)
    assert ante().run(ALL).digest == one.digest
    assert ante(seed=8).run(ALL).digest != one.digest


@pytest.mark.exhaustive
def test_other_processes_change_no_figure() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert ante(executor=pool).run().digest == ante().run().digest


def test_a_study_of_bots_that_think_is_reproducible() -> None:
    def thinking(threads: int) -> StudyResult:
        return Study("fan-tan", 3, deals=4, bots="flat:4", seed=1, threads=threads).grid(ante=[1, 2]).run("length")

    assert thinking(1).digest == thinking(2).digest


def test_every_cell_plays_the_same_deals() -> None:
    """The ante changes no move of the heuristic, so lengths are equal; and it changes the payoffs by exactly what
    the winner gains.
    """
    result = ante().run(ALL)
    same = result.compare("ante=1", "ante=3", measure="length")
    assert (same.difference, same.error, same.saving) == (0.0, 0.0, math.inf)
    assert (same.low, same.high) == ((-math.inf, math.inf) if PLAIN else (0.0, 0.0)), "only of many matches"
    rows = list(result.rows())
    assert len(rows) == 3 * DEALS
    by_cell = {price: [row for row in rows if row["ante"] == price] for price in (1, 2, 3)}
    for one, three in zip(by_cell[1], by_cell[3], strict=True):
        assert [one[key] for key in ("match", "deal", "winner", "length")] == [
            three[key] for key in ("match", "deal", "winner", "length")
        ]
        for seat in range(4):
            assert three[f"payoff_{seat}"] - one[f"payoff_{seat}"] == (6 if seat == one["winner"] else -2)


def test_an_effect_is_the_mean_of_the_differences_of_matches() -> None:
    result = ante().run("eldest")
    rows = list(result.rows())
    paid: dict[tuple[int, int], float] = {}
    for row in rows:
        key = (row["match"], row["ante"])
        paid[key] = paid.get(key, 0.0) + row[f"payoff_{row['eldest']}"]
    matches = sorted({match for match, _ in paid})
    apart = [(paid[m, 3] - paid[m, 1]) / 4 for m in matches]
    effect = result.compare("ante=1", "ante=3")
    assert effect.difference == pytest.approx(statistics.mean(apart))
    assert effect.error == pytest.approx(statistics.stdev(apart) / math.sqrt(len(apart)))
    alone = [statistics.variance([paid[m, price] / 4 for m in matches]) / len(matches) for price in (1, 3)]
    assert effect.saving == pytest.approx(sum(alone) / effect.error**2)
    assert effect.standardised == pytest.approx(effect.difference / effects.deviation(result.sums, 0, [0, 2]))
    back = result.compare({"ante": 3}, {"ante": 1})
    assert (back.difference, back.low, back.high) == (-effect.difference, -effect.high, -effect.low)


def synthetic(matches: int, effect: float, rng: np.random.RandomState) -> Sums:
    """Two cells whose figures share the luck of their match; the second one's is higher by `effect` on average."""
    deals = rng.randint(1, 5, (matches, 2))
    luck = rng.normal(0.0, 30.0, matches)
    paid = np.rint(
        np.stack([deals[:, c] * (luck + effect * c) + rng.normal(0.0, 3.0, matches) for c in (0, 1)], axis=1)
    )
    both = np.concatenate([deals, paid], axis=1).astype(np.int64)
    total = both[:, 2:].sum(axis=0)
    return Sums(
        np.full(2, matches),
        deals.sum(axis=0),
        deals.sum(axis=0),
        np.ones((1, 2), np.int64) * 10**6,
        (both.T @ both)[None],
        total[None],
    )


def test_intervals_cover_a_known_effect() -> None:
    """In 2,000 studies of 200 matches, 95% of the intervals contain the true effect, and pairing makes them shorter.

    With another correlation between the deals of a match, an interval that took deals as independent would fail.

    Seeded (1). Other seeds would fail with a chance of 1e-7: of the number covered (binomial), and of the mean, whose
    standard error is 0.043.
    """
    rng = np.random.RandomState(1)
    found = [effects.effect(synthetic(200, 2.0, rng), 0, [0], [1], ("a", "b"), "x") for _ in range(2000)]
    covered = sum(each.low < 2.0 < each.high for each in found)
    assert 1844 < covered < 1952
    assert statistics.mean(each.difference for each in found) == pytest.approx(2.0, abs=0.25)


def test_holm_adjusts_a_family() -> None:
    def one(p: float) -> Effect:
        return Effect("a", "b", "x", 1.0, 0.5, 1.5, 0.25, 0.1, 1.0, p, 100, 100)

    family = effects.adjusted([one(0.01), one(0.04), one(0.03), one(0.005)])
    assert [each.p for each in family] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert all(each.low < 0.5 and each.high > 1.5 for each in family)
    assert [each.p for each in ante().run("eldest").intervals("holm")] >= [
        each.p for each in ante().run("eldest").intervals()
    ]


def test_factors_are_averaged_over_and_refused_cells_are_told() -> None:
    study = Study("fan-tan", deals=DEALS, seed=1).grid(ante=[1, 2], seats=[4, 99])
    assert [each.label for each in study.refused] == ["ante=1, seats=99", "ante=2, seats=99"]
    assert study.refused[0].error.code == "options/seats"
    assert "2 cells" in repr(study)
    assert "left out: ante=1, seats=99: 99 seats" in repr(study)
    assert "left out: ante=2, seats=99: 99 seats" in repr(study.run("eldest"))
    study = Study("fan-tan", deals=DEALS, seed=1).grid(ante=[1, 2], seats=[3, 4])
    result = study.run(("eldest", "payoff"))
    whole = [result.compare(f"ante=1, seats={n}", f"ante=2, seats={n}").difference for n in (3, 4)]
    assert result.compare("ante=1", "ante=2").difference == pytest.approx(statistics.mean(whole))
    assert result.compare("seats=3", "seats=4").saving < 3.0, "the deals of another number of seats are others"
    same = Study("fan-tan", deals=DEALS, seed=1).grid(ante=[1, 2, 3], seats=[3, 4, 5]).run("length")
    averaged = same.compare("ante=1", "ante=3", measure="length")
    assert (averaged.difference, averaged.error) == (0.0, 0.0)
    assert math.isnan(averaged.p) if PLAIN else averaged.p == 1.0
    cells = {each.cell for each in result.estimates() if each.measure == "payoff_3"}
    assert cells == {"ante=1, seats=4", "ante=2, seats=4"}
    assert {each.measure for each in result.intervals() if each.b == "seats=4"} == {
        "eldest",
        "payoff_0",
        "payoff_1",
        "payoff_2",
    }
    assert all(row["payoff_3"] is None for row in result.rows() if row["seats"] == 3)


@pytest.mark.parametrize("name", cases(catalog.games(), ("fan-tan",)))
def test_every_game_can_be_studied(name: str) -> None:
    study = Study(name, deals=5, seed=1, options=brief(catalog.find(name))).grid(bots=["medium", "random"])
    result = study.run(ALL)
    assert list(result.sums.deals) == [5, 5]
    assert len(list(result.rows())) == 10
    json.dumps(result.as_dict(), allow_nan=False)
    assert "<svg" in result.html()


def test_presets_and_bots_are_factors() -> None:
    study = Study("fan-tan", 4, deals=DEALS).grid(rules=["denexa", "british"], bots=["medium", "random"])
    result = study.run(("eldest", "length"))
    assert result.compare("bots=medium", "bots=random", measure="length").clear
    assert len(result.cells) == 4


@pytest.mark.parametrize(
    ("how", "grid", "code"),
    [
        ({"deals": 0}, {}, "options/range"),
        ({}, {"ante": []}, "options/value"),
        ({}, {"ante": 3}, "options/value"),
        ({}, {"ante": [1, 1]}, "options/value"),
        ({}, {"seats": ["many"]}, "options/seats"),
        ({}, {"bots": ["genius"]}, "options/value"),
        ({}, {"anti": [1]}, "options/unknown"),
        ({}, {"ante": range(1, 101), "stack": range(200, 300)}, "options/range"),
    ],
)
def test_what_cannot_be_studied_is_refused(how: dict[str, Any], grid: dict[str, Any], code: str) -> None:
    with pytest.raises(OptionError) as refused:
        Study("fan-tan", **how).grid(**grid)
    assert refused.value.code == code


def test_what_was_not_found_is_refused() -> None:
    result = ante(deals=8).run("eldest")
    for ask in (
        lambda: result.mean("ante=9"),
        lambda: result.mean("ante"),
        lambda: result.mean("ante=1", "length"),
        lambda: result.compare("ante=1", "ante=2", measure="payoff"),
        lambda: result.intervals("none"),
        lambda: result.mean(),
        lambda: ante(deals=8).run("beauty"),
        lambda: ante(deals=8).run(()),
        lambda: ante(deals=8).run(until=0),
        lambda: ante(deals=8, executor="ray:here").run(),
        lambda: ante(deals=8, executor=3).run(),
        lambda: result.write("rows.xls"),
    ):
        with pytest.raises(OptionError):
            ask()


def test_precision_is_a_goal() -> None:
    result = ante(deals=10**6).run("eldest", until=2.0 if PLAIN else 0.5)
    assert result.reached
    assert result.deals < 3 * 10**6
    assert all((each.high - each.low) / 2 <= (2.0 if PLAIN else 0.5) for each in result.intervals("holm"))
    same = ante(deals=10**6, threads=2).run("eldest", until=2.0 if PLAIN else 0.5)
    assert same.digest == result.digest
    assert not ante(deals=8).run("eldest", until=1e-9).reached


# Files


def test_a_study_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ante.study"
    whole = ante().run()

    def interrupt(deals: int) -> None:
        progress.append(deals)
        if len(progress) == 2:
            raise KeyboardInterrupt

    progress: list[int] = []
    with pytest.raises(Stopped) as stopped:
        ante(save=file).run(progress=interrupt)
    assert stopped.value.found.partial
    assert 0 < stopped.value.found.deals < whole.deals
    played: list[int] = []
    real = blocks.play

    def counted(work: Any, number: int, limits: Any, keep: bool) -> Any:
        played.append(number)
        return real(work, number, limits, keep)

    monkeypatch.setattr(blocks, "play", counted)
    again = ante(save=file).run()
    assert again.digest == whole.digest
    assert not {0, 1} & set(played)
    played.clear()
    assert ante(save=file).run().digest == whole.digest
    assert played == []
    assert ante(save=file, deals=DEALS + 2).run().digest == ante(deals=DEALS + 2).run().digest
    longer = ante(save=file, deals=DEALS + 100).run()  # its blocks are whole where those of a shorter study were cut
    assert longer.digest == ante(deals=DEALS + 100).run().digest
    assert list(longer.rows())[: DEALS // 2] == list(whole.rows())[: DEALS // 2]


@pytest.mark.parametrize("other", [{"seed": 8}, {"bots": "random"}, {"seats": 5}, {"options": {"dead_hand": "yes"}}])
def test_a_file_of_another_study_is_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    file = tmp_path / "ante.study"
    ante(save=file, deals=8).run()
    with pytest.raises(OptionError, match="its .* is .*, not") as refused:
        ante(save=file, deals=8, **other).run()
    assert refused.value.code == "study/other"
    with pytest.raises(OptionError):
        ante(save=file, deals=8).run("length")


def test_strange_and_damaged_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "ante.study"
    file.write_text("this is no study, but long enough to look like something" * 20)
    with pytest.raises(SaveError, match="the file is damaged, or was made by another program"):
        ante(save=file, deals=8).run()
    other = tmp_path / "other.study"
    with sqlite(other) as base:
        base.execute("CREATE TABLE t (x)")
    with pytest.raises(OptionError):
        ante(save=other, deals=8).run()
    with pytest.raises(SaveError, match="the file cannot be opened"):
        ante(save=tmp_path / "none" / "x.study", deals=8).run()


KILLED = """
import os, signal, sys
from cardtable.lab import Study
from cardtable.lab.study import blocks
blocks.DEALS = 300
def stop(deals, seen=[]):
    seen.append(deals)
    if len(seen) == 4:
        os.kill(os.getpid(), signal.SIGKILL)
Study("fan-tan", seats=4, deals=int(sys.argv[2]), bots="medium", seed=7, save=sys.argv[1]).grid(
    ante=[1, 2, 3]
).run(progress=stop)
"""


@pytest.mark.skipif(PLAIN, reason="a separate process, compiled")
def test_a_killed_study_has_the_same_digest_in_the_end(tmp_path: Path) -> None:
    file = tmp_path / "ante.study"
    done = subprocess.run([sys.executable, "-c", KILLED, file, str(DEALS)], cwd=ROOT, timeout=120)
    assert done.returncode == -signal.SIGKILL
    with sqlite(file) as base:
        assert 3 <= base.execute("SELECT count(*) FROM blocks").fetchone()[0] < 20
    assert ante(save=file).run().digest == ante().run().digest


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet", ".arrow"])
def test_rows_are_written(tmp_path: Path, ending: str) -> None:
    result = ante(deals=20).run("eldest", keep=True)
    file = tmp_path / f"rows{ending}"
    if ending in (".parquet", ".arrow"):
        require("pyarrow")
    assert result.write(file) == 60
    rows: list[dict[str, Any]] = list(result.rows())
    if ending == ".csv":
        with file.open(newline="") as lines:
            written = [{k: int(v) if v else None for k, v in row.items()} for row in csv.DictReader(lines)]
    elif ending == ".jsonl":
        written = [json.loads(line) for line in file.read_text().splitlines()]
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(file) if ending == ".parquet" else pa.ipc.open_file(file).read_all()
        written = table.to_pylist()
        assert result.arrow().equals(table)
    assert written == rows
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_rows_need_a_known_ending_and_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = ante(deals=8).run("eldest")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OptionError, match="pyarrow is not installed"):
        result.write(tmp_path / "rows.parquet")
    with pytest.raises(OptionError, match="frames"):
        result.arrow()
    with pytest.raises(SaveError):
        result.write(tmp_path / "none" / "rows.csv")


# Dask


def test_dask_must_be_installed_and_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "distributed", None)
        with pytest.raises(EngineError, match="scale"):
            ante(deals=8, executor="dask:tcp://127.0.0.1:9").run()


def _address_in(file: Path) -> str:
    """The address in a scheduler's file; "" as long as the file is not there, or not wholly written."""
    try:
        return str(json.loads(file.read_text())["address"])
    except (FileNotFoundError, json.JSONDecodeError):
        return ""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two separate workers: the address, and the workers."""
    require("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    begin = [sys.executable, "-m", "dask"]
    local = ["--scheduler-file", str(file), "--no-dashboard"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    surroundings = os.environ | {"PYTHONPATH": str(ROOT)}
    scheduler = subprocess.Popen(
        [*begin, "scheduler", *local, "--host", "127.0.0.1", "--port", "0"], env=surroundings, **quiet
    )
    workers = [
        subprocess.Popen(
            [*begin, "worker", *local, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1"],
            env=surroundings,
            **quiet,
        )
        for _ in range(2)
    ]
    try:
        address = until(lambda: _address_in(file))
        from distributed import Client

        with Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield f"dask:{address}", workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


@pytest.mark.exhaustive
@pytest.mark.skipif(PLAIN, reason="a cluster that runs plain rules takes too long")
@pytest.mark.filterwarnings("default")  # of a cluster whose worker dies
def test_a_cluster_gives_the_same_digest_also_when_a_worker_dies(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "DEALS", 2_000)
    alone = ante(deals=12_000).run()
    assert len(alone.limits) > 15
    address, workers = cluster
    assert ante(deals=12_000, executor=address).run().digest == alone.digest
    progress: list[int] = []

    def kill(deals: int) -> None:
        progress.append(deals)
        if len(progress) == 2:
            workers[0].kill()

    assert ante(deals=12_000, executor=address).run(progress=kill).digest == alone.digest
    assert workers[0].wait(60) != 0
