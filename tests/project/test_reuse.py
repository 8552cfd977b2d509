"""The bench of what could be gained by thinking while others do (`bench/reuse.py`)."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cardtable.kernel import bits, cache, prng
from cardtable.lab.ceiling import Gauge
from cardtable.rules import contract

PLAIN = bool(cache.config.DISABLE_JIT)
PATH = Path(__file__).parents[2] / "bench" / "reuse.py"

pytestmark = pytest.mark.skipif(PLAIN, reason="bots do not search in plain Python")


@pytest.fixture(scope="module")
def reuse() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reuse", PATH)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["reuse"] = module
    spec.loader.exec_module(module)
    return module


def test_a_tree_tells_how_often_it_came_to_a_position(reuse: ModuleType) -> None:
    """More often after it went on from the move that was made; never to a position of another deal."""
    gauge = Gauge("fan-tan", None, seed="met", iterations=60)
    searcher, key = reuse.Followed(gauge.game, reuse.ROOM), prng.key_of("met")
    s, other = gauge.deal(0), gauge.deal(1)
    moves = np.empty(gauge.game.rules.MAX_MOVES + 1, np.int64)
    seat = bits.lowest(int(contract.actors(s)))
    while int(contract.legal(s, seat, moves)) < 2:
        contract.play(s, seat, int(moves[0]))
        seat = bits.lowest(int(contract.actors(s)))
    move = int(searcher(reuse.seen_by(s, seat), seat, key, iterations=60).best)
    contract.play(s, seat, move)
    while (mover := bits.lowest(int(contract.actors(s)))) != seat or int(contract.legal(s, seat, moves)) < 2:
        n = int(contract.legal(s, mover, moves))
        contract.play(s, mover, int(contract.heuristic(s, mover, moves, n)) if n > 1 else int(moves[0]))
    before = searcher.met(reuse.seen_by(s, seat), seat)
    searcher.go_on(move, 1000)
    assert before < searcher.met(reuse.seen_by(s, seat), seat) <= 1060
    assert searcher.met(reuse.seen_by(other, seat), seat) == 0


def test_the_ways_are_compared(
    reuse: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "fan-tan --deals 2 --iterations 30 --pondering 60 --more 2 --judged 60"
    monkeypatch.setattr(sys, "argv", ["reuse.py", *words.split()])
    reuse.main()
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"fan-tan: 2 deals, [0-9]+ decisions of one seat, 30 iterations", lines[0])
    assert [line.split()[0] for line in lines[1:]] == ["again", "grown", "long", "met", "met"]
    for line in lines[1:4]:
        assert re.match(r"\w+ +[+-][0-9.]+ \+- (?:[0-9.]+|inf) a deal; [0-9.]+% differ", line), line
