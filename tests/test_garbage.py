"""Garbage: questions leave none, and the server collects it at times of its own choice."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from cardtable import Match
from cardtable.catalog import games
from cardtable.errors import CardtableError
from cardtable.server.garbage import CALM, NEW, SLIGHT, WORTH, Garbage


@pytest.fixture(autouse=True)
def by_hand() -> Iterator[None]:
    """No garbage is collected but what the test collects."""
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    yield
    if collecting:
        gc.enable()


class Knot:
    """An object that only garbage collection frees."""

    def __init__(self) -> None:
        self.itself = self


def knots(many: int) -> weakref.ref[Knot]:
    """Make garbage; return the last piece."""
    made = [Knot() for _ in range(many)]
    return weakref.ref(made[-1])


def asked(m: Match, move: str) -> CardtableError | None:
    """The refusal of a move, in a frame of its own that keeps it."""
    no = m.why_not(move, m.actors[0])
    return no


@pytest.mark.parametrize("game", games())
def test_why_not_leaves_no_garbage(game: str) -> None:
    m = Match(game, seed=7)
    for _ in range(2):  # what is remembered the first time is no garbage
        gc.collect()
        for move in ("7H", "pass", "2C 3C", "zz", "AS, KS", "X1 X2"):
            no = asked(m, move)
            if no is not None:
                assert (no.__traceback__, no.__context__, no.__cause__) == (None, None, None)
    assert gc.collect() == 0


def test_a_refusal_can_be_raised_all_the_same() -> None:
    no = Match("fan-tan", 4, seed=7).why_not("zz")
    assert no is not None
    with pytest.raises(type(no), match="zz"):
        raise no


def test_everything_is_looked_at_when_nobody_plays() -> None:
    last = knots(WORTH + 1000)
    garbage = Garbage(lambda: 0)
    garbage.tidy(CALM - 1)
    assert last() is not None, "somebody played a moment ago"
    garbage.tidy(CALM)
    assert last() is None


def test_what_is_new_is_looked_at_while_people_play() -> None:
    old = Knot()
    kept = [Knot() for _ in range(NEW + 1000)]
    garbage = Garbage(lambda: 0)
    last = knots(10)
    garbage.tidy(0)
    assert last() is None
    before = weakref.ref(kept[0])
    kept.clear()
    garbage.tidy(0)
    assert before() is not None, "it is not new any more"
    garbage.tidy(CALM)
    assert before() is None
    assert old.itself is old


def test_everything_is_looked_at_when_the_process_has_grown() -> None:
    taken = [200 << 20]
    garbage = Garbage(lambda: taken[0])
    garbage.tidy(0)
    last = knots(10)
    taken[0] += SLIGHT
    garbage.tidy(0)
    assert last() is not None
    taken[0] *= 2
    garbage.tidy(0)
    assert last() is None
    last = knots(10)
    garbage.tidy(0)
    assert last() is not None, "not again before it has grown again"
