"""Ordinary entries are appended by one statement in PostgreSQL, which checks all that the longer way checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from cardtable.server.cluster import leases
from cardtable.server.cluster.alone import ServerNode
from cardtable.server.store import appending
from cardtable.server.store import store as stores
from cardtable.server.store.schema import VERSION
from cardtable.server.store.store import Fenced, Overtaken, Store, StoreError, Write
from cardtable.table import Entry, Setup
from cardtable.table import events as ev
from tests.support.databases import empty_database

NODE = ServerNode("node", "machine", "", "")


@pytest.fixture
def store() -> Iterator[Store]:
    with empty_database() as url:
        made = Store(url)
        made.node = NODE.id
        made.run(lambda c: leases.extend(c, NODE, 3_600_000))
        for table in "ab":
            entry = Entry(1, 1, ev.Created(table, Setup("fan-tan"), "owner", "secret", 1, stepwise=True))
            row = {"code": table, "game": "fan-tan", "stage": "playing", "listed": False, "created": 1, "changed": 1}
            made.append(Write(table, entry, row | {"node": NODE.id, "epoch": 1}, new=True)).result()
        yield made
        made.close()


def move(table: str, version: int, epoch: int = 1) -> Write:
    """A move, whose text has what arrays and strings of PostgreSQL write in their own way."""
    return Write(table, Entry(version, version, ev.Moved(0, '7H "{é😀},\\', "person"), "owner", version), epoch=epoch)


def versions(store: Store, table: str) -> list[int]:
    return [entry.version for entry in store.log(table)]


def appended(store: Store, *group: Write) -> bool:
    with store.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        return appending.append(connection, group, store.node)


def test_a_group_is_appended_whole(store: Store) -> None:
    group = move("a", 2), move("b", 2), move("a", 3), replace(move("a", 4), epoch=0)
    assert appended(store, *group)
    assert (versions(store, "a"), versions(store, "b")) == ([1, 2, 3, 4], [1, 2])
    assert store.log("a")[1:] == [group[0].entry, group[2].entry, group[3].entry]


def test_the_store_appends_moves_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.delattr(stores, "insert")
        store.append(move("a", 2)).result()
    store.append(replace(move("a", 3), row={"changed": 5})).result()
    assert versions(store, "a") == [1, 2, 3]


@pytest.mark.parametrize(
    "broken",
    [move("b", 3), move("b", 2, epoch=2), move("c", 2), move("b", 5, epoch=0)],
    ids=["a gap", "another lease", "no such table", "a gap without a lease"],
)
def test_nothing_is_appended_if_one_entry_must_not_be(store: Store, broken: Write) -> None:
    assert not appended(store, move("a", 2), broken)
    assert (versions(store, "a"), versions(store, "b")) == ([1], [1])
    with pytest.raises(StoreError):
        store.append(broken).result()


def test_what_is_there_already_is_not_written_again(store: Store) -> None:
    store.append(move("a", 2)).result()
    with pytest.raises(sa.exc.IntegrityError):
        appended(store, move("b", 2), move("a", 2))
    assert versions(store, "b") == [1]
    with pytest.raises(Overtaken):
        store.append(move("a", 2)).result()


def test_a_lost_lease_and_another_version_are_told(store: Store) -> None:
    store.run(lambda c: leases.release(c, "a", NODE.id, 1))
    assert not appended(store, move("a", 2))
    with pytest.raises(Fenced):
        store.append(move("a", 2)).result()
    store.run(lambda c: c.execute(sa.insert(VERSION).values(step=99)))
    assert not appended(store, move("b", 2))
    with pytest.raises(StoreError, match="version 99"):
        store.append(move("b", 2)).result()


@pytest.mark.parametrize(
    "more",
    [{"row": {"changed": 5}}, {"new": True}, {"seats": []}, {"entry": Entry(2, 2, ev.Sat(0, "o", "Ann"), "o", 1)}],
    ids=str,
)
def test_what_changes_more_than_the_log_goes_the_longer_way(more: dict[str, Any]) -> None:
    assert appending.ordinary(move("a", 2))
    assert not appending.ordinary(replace(move("a", 2), **more))
