"""The store commits what many tables write together, and what few write at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from live import Driven
from test_store import done, first

from cardtable.server import store as stores
from cardtable.server.store import Store, Write
from cardtable.table import Entry
from cardtable.table import events as ev


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store over a new database."""
    opened = Store(f"sqlite:///{tmp_path / 't.db'}")
    yield opened
    opened.close()


def said(count: int, first: int = 2) -> list[Write]:
    """So many lines of chat for the log of table T1."""
    return [Write("T1", Entry(first + n, 0, ev.Said(0, "x"))) for n in range(count)]


def test_where_much_is_written_entries_are_committed_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "GATHER", 0.5)
    commits: list[int] = []
    done(store, first(Driven("busca", "a", seats=3)), *said(stores.MANY))
    sa.event.listen(store.engine, "commit", lambda _: commits.append(1))
    began = time.monotonic()
    one = store.append(said(1, 2 + stores.MANY)[0])
    rest = [store.append(write) for write in said(5, 3 + stores.MANY)]
    for future in (one, *rest):
        future.result(20)
    assert len(commits) == 1
    assert time.monotonic() - began < 5.0


def test_where_little_is_written_nothing_waits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "GATHER", 20.0)
    began = time.monotonic()
    done(store, first(Driven("busca", "a", seats=3)))
    for write in said(stores.MANY - 3):
        done(store, write)
    assert time.monotonic() - began < 20.0
