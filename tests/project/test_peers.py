"""The comparison with other libraries: ratios are taken round by round, bars on the fastest comparable game, and what
cannot be run is named. No speed is asserted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import envs
import peers
import pytest
from envs import Step

from tests.support.programs import needs


def row(library: str, game: str, ratio: float, *, speed: float = 1.0, how: str = "") -> peers.Row:
    return peers.Row(library, game, how, speed, ratio, ratio, ratio)


def report(*rows: peers.Row, **ours: float) -> peers.Report:
    return peers.Report("2026-01-02, box", list(rows), {"fan-tan": 10.0, **ours})


def test_a_bar_is_measured_on_the_fastest_comparable_game() -> None:
    given = report(
        row("Pgx", "slow", 90.0),
        row("Pgx", "fast", 2.9),
        row("Pgx", "kuhn_poker", 0.5),
        row("RLCard", "uno", 21.0),
        row("OpenSpiel", "hearts", 1.0),
    )
    assert [row.game for row in given.fastest()] == ["uno", "fast"]
    assert given.missed() == 1


def test_a_game_of_ours_that_is_slower_than_a_tenth_is_a_bar_missed() -> None:
    given = report(spider=1.1, cassino=0.9)
    assert given.slow() == ["cassino"]
    assert given.missed() == 1
    assert "slower than a tenth of Fan Tan: cassino" in "\n".join(given.lines())


def test_ratios_are_those_of_pairs_of_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs, kin = (lambda: 1), (lambda: 2), (lambda: 3)
    speeds = {theirs: iter((1.0, 2.0, 4.0)), ours: iter((10.0, 10.0, 80.0)), kin: iter((5.0, 6.0, 40.0))}

    def rate(step: Step, seconds: float) -> float:
        return next(speeds[step])

    monkeypatch.setattr(peers, "rate", rate)
    measured = peers.beside(peers.Peer("RLCard", "uno", "env.run", theirs), ours, kin, 3, 0.0)
    assert (measured.speed, measured.ratio, measured.least, measured.most) == (2.0, 10.0, 5.0, 20.0)
    assert (measured.same, measured.same_ratio) == ("crazy-eights", 5.0)


def test_of_batches_the_fastest_is_told() -> None:
    rows = [
        row("Pgx", "leduc_holdem", 9.0, speed=1.0, how="batch of 64"),
        row("Pgx", "leduc_holdem", 7.0, speed=3.0, how="batch of 1,024"),
        row("OpenSpiel", "oh_hell", 17.0, how="loop in Python"),
        row("OpenSpiel", "oh_hell", 2.0, how="rollouts in C++"),
    ]
    assert [each.how for each in peers.best(rows)] == ["batch of 1,024", "loop in Python", "rollouts in C++"]


@pytest.mark.parametrize("library", peers.LIBRARIES)
def test_what_is_not_installed_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyspiel", "rlcard", "pgx", *(f"pettingzoo.classic.{game}" for game in peers.CARDS["PettingZoo"])):
        monkeypatch.setitem(sys.modules, name, None)
    missing: list[str] = []
    assert list(peers.peers(library, missing)) == []
    assert [line.split(":")[0] for line in missing] == [f"{library} {game}" for game in peers.CARDS[library]]
    assert all("Error" in line for line in missing)


@pytest.mark.usefixtures("plainly")
def test_a_library_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: str) -> Iterator[tuple[str, Step]]:
        raise RuntimeError(f"no {game}\nand more")

    monkeypatch.setitem(peers.MAKERS, "RLCard", broken)
    monkeypatch.setitem(peers.CARDS, "RLCard", ("uno",))
    monkeypatch.setitem(peers.CARDS, "Pgx", ("dice",))
    monkeypatch.setitem(peers.MAKERS, "Pgx", lambda game: iter([("batch", lambda: 1000)]))
    measured = peers.measure(["RLCard", "Pgx"], tables=4, rounds=1, seconds=0.001, games=["fan-tan"])
    assert measured.missing == ["RLCard uno: RuntimeError: no uno"]
    assert [each.game for each in measured.peers] == ["dice"]
    assert measured.ours["fan-tan"] > 0


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")  # of the libraries
@pytest.mark.parametrize(
    ("library", "game"),
    [
        pytest.param("OpenSpiel", "oh_hell", marks=needs("OpenSpiel")),
        pytest.param("RLCard", "uno", marks=needs("rlcard")),
        pytest.param("PettingZoo", "leduc_holdem_v4", marks=needs("pygame")),
    ],
)
def test_games_of_the_libraries_are_counted_in_decisions(library: str, game: str) -> None:
    for how, step in peers.MAKERS[library](game):
        made = step()
        if game == "oh_hell":  # four bids and ten tricks
            assert made == (44 if "Python" in how else 44 * peers.ROLLOUTS)
        assert made > 1


def test_main_prints_a_table_and_counts_the_bars(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(libraries: list[str], **given: Any) -> peers.Report:
        assert libraries == ["Pgx"]
        assert given["games"] == ["fan-tan", "spider"]
        return report(row("Pgx", "leduc_holdem", 2.0, speed=1.25e6), row("Pgx", "kuhn_poker", 1.0))

    monkeypatch.setattr(peers, "measure", measured)
    monkeypatch.setattr("os.sched_setaffinity", lambda *_: None, raising=False)
    assert peers.main(["--only", "Pgx", "--games", "spider"]) == 1
    printed = capsys.readouterr().out
    assert "| Pgx | leduc_holdem |  | 1.25 M | 2.0 | 2.0 to 2.0 |  |" in printed
    assert "kuhn_poker (not counted)" in printed
    assert "Pgx: 2.0 x its fastest, leduc_holdem (bar 3: missed)" in printed


def test_processor_time_is_what_a_rate_is_measured_in() -> None:
    assert envs.rate(lambda: 5, 0.0005) > 1000
