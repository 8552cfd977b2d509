"""The store commits what many tables write together, and what few write at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from cardtable.server.store import store as stores
from cardtable.server.store.store import Store
from tests.support.server.live import Driven
from tests.support.server.stores import done, first, said


class Clock:
    """A clock that stands still. Whoever sleeps is woken by hand."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.awake = threading.Event()
        self.awake.set()

    def monotonic(self) -> float:
        return 1000.0

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        assert self.awake.wait(90.0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stands = Clock()
    monkeypatch.setattr(stores, "time", stands)
    return stands


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 't.db'}")
    yield opened
    opened.close()


def test_where_much_is_written_entries_are_committed_together(store: Store, clock: Clock) -> None:
    commits: list[int] = []
    done(store, first(Driven("busca", "a", seats=3)), *said(stores.MANY))
    sa.event.listen(store.engine, "commit", lambda _: commits.append(1))
    clock.slept.clear()
    clock.awake.clear()
    futures = [store.append(write) for write in said(6, 2 + stores.MANY)]
    clock.awake.set()
    for future in futures:
        future.result(90)
    assert len(commits) == 1
    assert clock.slept == [pytest.approx(stores.GATHER)]


def test_where_little_is_written_nothing_waits(store: Store, clock: Clock) -> None:
    done(store, first(Driven("busca", "a", seats=3)))
    for write in said(stores.MANY - 3):
        done(store, write)
    assert clock.slept == []
