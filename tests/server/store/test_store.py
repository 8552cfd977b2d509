"""The store: logs and lists, in SQLite always, in PostgreSQL where CARDTABLE_TEST_POSTGRES names one
(`tools/postgres.sh` starts one).

In CI (CARDTABLE_CI is set) PostgreSQL must be there.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from cardtable.client import Client, ServerError
from cardtable.server.app import build
from cardtable.server.settings import Settings
from cardtable.server.store.database import database_in
from cardtable.server.store.faults import LOCKED, OLDER
from cardtable.server.store.schema import META, STEPS, migrate
from cardtable.server.store.store import FRESH, FinishedPlayer, Overtaken, Store, StoreError, Write
from cardtable.table import Entry, LiveTable
from cardtable.table import events as ev
from tests.support.server.live import Driven
from tests.support.server.served import Served, served
from tests.support.server.stores import begun, done, first, match
from tests.support.waiting import until

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def test_a_log_is_kept_and_read_again(store: Store, database: str) -> None:
    t = Driven("fan-tan", "ab", seats=2, preset="british")
    for _ in range(9):
        t.step()
    done(store, first(t), *(Write("T1", entry) for entry in t.log[1:]))
    assert store.log("T1") == t.log
    assert LiveTable.fold(store.log("T1")).numbers == t.table.numbers
    assert store.log("T2") == []
    again = Store(database)
    assert again.log("T1") == t.log
    again.close()


def test_one_version_is_written_once(store: Store) -> None:
    begun(store)
    entry = Entry(2, 9, ev.Said(0, "one"))
    done(store, Write("T1", entry))
    with pytest.raises(Overtaken):
        done(store, Write("T1", Entry(2, 9, ev.Said(0, "two"))))
    assert store.log("T1")[-1] == entry


def test_two_servers_over_one_database_never_write_the_same_version(store: Store, database: str) -> None:
    other = Store(database)
    begun(store)
    futures = []
    for version in range(2, 40):
        futures += [
            (who, who.append(Write("T1", Entry(version, 0, ev.Said(0, f"{version} {name}")))))
            for who, name in ((store, "x"), (other, "y"))
        ]
    outcomes = [future.exception(120) for _, future in futures]
    assert all(outcome is None or isinstance(outcome, StoreError) for outcome in outcomes)
    log = store.log("T1")
    assert [entry.version for entry in log] == list(range(1, 40))
    assert sum(outcome is None for outcome in outcomes) == 38
    other.close()


def test_one_broken_write_harms_no_other(store: Store) -> None:
    """They wait together, so they are one group: it is written one by one when it fails."""
    begun(store)
    writes = [Write("T1", Entry(version, 0, ev.Said(0, "x"))) for version in (2, 3, 3, 4)]
    gate = threading.Event()
    hold, store._commit = store._commit, lambda group: (gate.wait(120), hold(group))[1]  # type: ignore[method-assign]
    futures = [store.append(write) for write in writes]
    gate.set()
    assert [type(future.exception(120)).__name__ for future in futures] == [
        "NoneType",
        "NoneType",
        "Overtaken",
        "NoneType",
    ]
    assert [entry.version for entry in store.log("T1")] == [1, 2, 3, 4]


def test_a_code_is_of_one_table(store: Store) -> None:
    one, two = Driven("busca", "a", seats=3), Driven("busca", "a", seats=3)
    two.table.id = "T2"
    done(store, first(one))
    with pytest.raises(Overtaken):
        done(store, first(two))
    assert store.log("T2") == []
    done(store, first(two, "GHJKMN", created=6))
    found = store.find("ghjkmn")
    assert found is not None
    assert found["id"] == "T2"
    assert store.find("T2") == found
    assert store.find("x' OR '1'='1") is None
    assert store.open_tables() == ["T2", "T1"]
    assert store.open_tables(since=6) == ["T2"]


def test_lists_follow_the_log(store: Store) -> None:
    t = Driven("busca", "a", seats=3)
    done(store, first(t), Write("T1", Entry(2, 6, ev.Said(0, "x")), seats=["ann", "", "ben"]))
    assert store.tables_of("ann") == store.tables_of("ben") == ["T1"]
    assert store.tables_of("") == store.tables_of("eve") == []
    done(
        store,
        Write(
            "T1", Entry(3, 7, ev.Said(0, "y")), {"stage": "over", "changed": 7}, finished=match(), seats=["ann", "", ""]
        ),
    )
    assert store.tables_of("ann") == store.open_tables() == []
    found = store.matches_of("ann")
    assert [(m["game"], m["deals"], [p["name"] for p in m["players"]]) for m in found] == [
        ("busca", 3, ["Ann", "bot: simple"])
    ]
    assert store.record_of("ann", found[0]["id"]) == ("cardtable = 1\n", "")
    assert store.record_of("eve", found[0]["id"]) is None
    assert store.record_of("", found[0]["id"]) is None
    later = [store.keep(match(number, table=f"T{number}")) for number in (2, 3)]
    assert [m["id"] for m in store.matches_of("ann")] == [*later[::-1], found[0]["id"]]
    assert [m["id"] for m in store.matches_of("ann", before=later[1])] == [later[0], found[0]["id"]]
    assert [m["id"] for m in store.matches_of("ann", only=later[0])] == [later[0]]
    assert store.matches_of("eve", only=later[0]) == []
    store.keep(replace(match(0, won=False, table="upload"), counts=False))
    store.keep(replace(match(1, table="T4"), counts=False))
    assert store.statistics("ann") == [
        {
            "game": "busca",
            "preset": "busca",
            "title": "",
            "matches": 3,
            "won": 3,
            "clean": 3,
            "undone": 0,
            "hinted": 0,
            "deals": 9,
            "score": 36,
        }
    ]


def test_wins_with_and_without_help_are_told_apart(store: Store) -> None:
    for number, (won, undone, hints) in enumerate(
        [(True, 0, 0), (True, 2, 0), (True, 0, 1), (True, 1, 4), (False, 0, 0), (False, 3, 3)], 1
    ):
        store.keep(
            replace(
                match(number),
                players=(
                    FinishedPlayer(0, "ann", "Ann", 1, won, undone, hints),
                    FinishedPlayer(1, "", "bot: simple", 3, not won),
                ),
            )
        )
    assert store.statistics("ann") == [
        {
            "game": "busca",
            "preset": "busca",
            "title": "",
            "matches": 6,
            "won": 4,
            "clean": 1,
            "undone": 2,
            "hinted": 2,
            "deals": 18,
            "score": 6,
        }
    ]


def test_a_match_is_finished_once(store: Store) -> None:
    store.keep(match())
    with pytest.raises(StoreError):
        store.keep(match())


def test_what_a_person_writes_is_kept_as_it_is(store: Store) -> None:
    text = '\'; DROP TABLE events; -- \\ % "<script>" ♠ 𝄞'
    t = Driven("busca", "a", seats=3)
    done(store, first(t), Write("T1", Entry(2, 9, ev.Said(0, text))))
    said = store.log("T1")[-1].event
    assert isinstance(said, ev.Said)
    assert said.text == text


def test_migrations_are_steps_and_come_once(database: str) -> None:
    engine = sa.create_engine(database)
    assert migrate(engine) == len(STEPS)
    with engine.begin() as connection:
        made = set(sa.inspect(connection).get_table_names())
    assert made == set(META.tables)
    assert migrate(engine) == len(STEPS)
    with engine.begin() as connection:
        connection.execute(sa.text(f"INSERT INTO schema_version VALUES ({len(STEPS) + 1})"))
    engine.dispose()
    with pytest.raises(StoreError, match="newer"):
        Store(database)


def test_a_database_of_the_first_version_is_brought_up_to_date(database: str) -> None:
    """What was kept stays, and what is new is filled in as far as it is known."""
    store = Store(database)
    store.keep(replace(match(), undone=2))
    store.keep(match(0, table="upload"))
    with store.engine.begin() as connection:
        for table, column in (
            ("players", "undone"),
            ("players", "hints"),
            ("matches", "counts"),
            ("matches", "title"),
            ("players", "level"),
        ):
            connection.execute(sa.text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        connection.execute(sa.text("DELETE FROM schema_version WHERE step > 1"))
    store.close()
    store = Store(database)
    assert [(row["won"], row["clean"], row["undone"], row["hinted"]) for row in store.statistics("ann")] == [
        (1, 0, 1, 0)
    ]
    assert [row["title"] for row in store.matches_of("ann")] == [""] * 2
    assert [[player["level"] for player in row["players"]] for row in store.matches_of("ann")] == [["", "medium"]] * 2
    store.close()


def test_the_tables_are_those_that_the_steps_make(database: str) -> None:
    """What the steps make and what the code names are the same columns: a new column needs a step."""
    engine = sa.create_engine(database)
    migrate(engine)
    with engine.begin() as connection:
        looked = sa.inspect(connection)
        for name, table in META.tables.items():
            assert {column["name"] for column in looked.get_columns(name)} == {column.name for column in table.columns}
    engine.dispose()


def test_a_database_that_went_away_is_an_error_and_no_fault(database: str, tmp_path: Path) -> None:
    store = Store(database)
    store.check().result(120)
    with store.engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE events"))
    t = Driven("busca", "a", seats=3)
    with pytest.raises(StoreError):
        done(store, first(t))
    with pytest.raises(StoreError):
        store.log("T1")
    assert store.find("T1") is None, "nothing of it was kept"
    store.close()


def test_a_connection_that_is_read_while_all_are_closed_is_closed_afterwards(tmp_path: Path) -> None:
    """The writer closes them when it finds another file instead of the database."""
    store = Store(f"sqlite:///{tmp_path / 't.db'}")

    def read(connection: sa.Connection) -> Any:
        store.engine.dispose()
        return connection.connection.dbapi_connection

    used = store.run(read)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        used.execute("SELECT 1")
    assert store.lines("T1") == []
    store.close()


def held(store: Store) -> tuple[threading.Event, threading.Event]:
    """From now on the writer stops before it writes: an event that says that it stands there, and one that lets it go
    on.
    """
    there, go = threading.Event(), threading.Event()
    write = store._transact

    def stop(group: list[Write]) -> None:
        there.set()
        assert go.wait(120)
        write(group)

    store._transact = stop  # type: ignore[method-assign]
    return there, go


def test_a_write_that_is_given_up_does_not_stop_the_others(store: Store) -> None:
    """Before it began it is not done; when it began it is. Neither ends the writer."""
    there, go = held(store)
    t = Driven("busca", "a", seats=3)
    begun = store.append(first(t))
    assert there.wait(120)
    waiting, after = (store.append(Write("T1", Entry(2, 0, ev.Said(0, text)))) for text in ("x", "y"))
    assert not begun.cancel()
    assert waiting.cancel()
    go.set()
    begun.result(120)
    after.result(120)
    assert [entry.version for entry in store.log("T1")] == [1, 2]
    twice = Write("T1", Entry(3, 0, ev.Said(0, "once")))
    done(store, twice)
    store.append(twice)
    done(store, Write("T1", Entry(4, 0, ev.Said(0, "on"))))
    store.check().result(120)
    assert [entry.version for entry in store.log("T1")] == [1, 2, 3, 4]


def test_what_cannot_be_written_at_all_harms_no_other(store: Store) -> None:
    begun(store)
    strange: Any = object()
    bad, good = Write("T1", strange), Write("T1", Entry(3, 0, ev.Said(0, "x")))
    there, go = held(store)
    futures = [store.append(write) for write in (Write("T1", Entry(2, 0, ev.Said(0, "late"))), bad, good)]
    assert there.wait(120)
    go.set()
    assert [type(future.exception(120)).__name__ for future in futures] == ["NoneType", "StoreError", "NoneType"]


def test_health_is_that_something_can_be_written(store: Store) -> None:
    store.check().result(120)
    write, store._transact = store._transact, lambda group: 1 / 0  # type: ignore[assignment]
    t = Driven("busca", "a", seats=3)
    with pytest.raises(StoreError):
        done(store, first(t))
    with pytest.raises(StoreError):
        store.check().result(120)  # though something was written a moment ago
    store._transact = write  # type: ignore[method-assign]
    done(store, first(t))
    store.check().result(120)
    store._waiting.put(None)
    store._thread.join()
    with pytest.raises(StoreError):
        store.check().result(120)


def test_a_full_disk_is_bad_health(tmp_path: Path) -> None:
    """A row that is changed in its place still fits on it; what people do does not."""
    store = Store(f"sqlite:///{tmp_path / 't.db'}")
    most = [1]  # pages: SQLite takes what there is
    sa.event.listen(
        store.engine, "checkout", lambda connection, *_: connection.execute(f"PRAGMA max_page_count={most[0]}").close()
    )
    begun(store)
    long = Write("T1", Entry(2, 0, ev.Said(0, "x" * 100_000)))
    with pytest.raises(StoreError, match="full"):
        done(store, long)
    store._written = -FRESH
    with pytest.raises(StoreError, match="full"):
        store.check().result(120)
    most[0] = 1 << 30
    done(store, Write("T1", Entry(2, 0, ev.Said(0, "x"))))
    store.check().result(120)
    store.close()


def test_nothing_is_written_on_top_of_an_older_copy(store: Store) -> None:
    """A table of which the database lacks the last entries takes no more; others do."""
    t, other = Driven("busca", "a", seats=3), Driven("busca", "a", seats=3)
    other.table.id = "T2"
    done(store, first(t), first(other, "GHJKMN"))
    there, go = held(store)
    futures = [
        store.append(write)
        for write in (
            Write("T2", Entry(2, 0, ev.Said(0, "x"))),
            Write("T1", Entry(3, 0, ev.Said(0, "x"))),
            Write("T2", Entry(3, 0, ev.Said(0, "y"))),
        )
    ]
    assert there.wait(120)
    go.set()
    lacking = futures[1].exception(120)
    assert isinstance(lacking, StoreError)
    assert lacking.fault is OLDER
    assert [future.exception(120) for future in futures[::2]] == [None, None]
    assert [len(store.log(table)) for table in ("T1", "T2")] == [1, 3]
    assert store.fault is None, "it concerns one table"


def test_a_fault_of_the_database_is_not_tried_for_each_write(store: Store) -> None:
    """What waits for a lock would wait for it once for each write of a group."""
    tries = []

    def locked(group: list[Write]) -> None:
        tries.append(len(group))
        raise StoreError("locked", LOCKED)

    write, store._transact = store._transact, locked  # type: ignore[method-assign]
    there, go = held(store)
    t = Driven("busca", "a", seats=3)
    futures = [store.append(Write("T1", Entry(version, 0, ev.Said(0, "x")))) for version in range(1, 9)]
    assert there.wait(120)
    go.set()
    assert [future.exception(120).fault for future in futures] == [LOCKED] * 8  # type: ignore[union-attr]
    assert len(tries) <= 2, "the first alone, then all that came meanwhile"
    assert store.fault is LOCKED
    store._transact = write  # type: ignore[method-assign]
    done(store, first(t))
    assert store.fault is None


def test_the_end_of_a_fault_is_noticed_though_nobody_writes(store: Store) -> None:
    """Bots and clocks must continue also where no person sends anything."""
    ended = threading.Event()
    write = store._transact

    def locked(group: list[Write]) -> None:
        if not ended.is_set():
            raise StoreError("locked", LOCKED)
        write(group)

    store._transact = locked  # type: ignore[method-assign]
    with pytest.raises(StoreError):
        done(store, first(Driven("busca", "a", seats=3)))
    assert store.fault is LOCKED
    ended.set()
    until(lambda: not store.fault)
    assert store.log("T1") == [], "to find out leaves nothing behind"


def test_a_removed_file_is_noticed(tmp_path: Path) -> None:
    """SQLite would go on writing to a file that has no name any more, and all of it would be lost."""
    file = tmp_path / "t.db"
    store = Store(f"sqlite:///{file}")
    begun(store)
    file.rename(tmp_path / "away.db")
    for asked in (
        lambda: done(store, Write("T1", Entry(2, 0, ev.Said(0, "x")))),
        lambda: store.check().result(120),
        lambda: store.keep(match()),
    ):
        with pytest.raises(StoreError, match="removed"):
            asked()
    with pytest.raises(StoreError, match="put the file back"):
        Store(f"sqlite:///{file}")
    (tmp_path / "away.db").rename(file)
    done(store, Write("T1", Entry(2, 0, ev.Said(0, "x"))))
    store.check().result(120)
    store.close()


def test_nobody_else_can_read_the_database(tmp_path: Path) -> None:
    """Neither one that is made now, nor one that an older Cardtable made; nor the directory."""

    def modes(place: Path) -> dict[str, str]:
        return {path.name: oct(path.stat().st_mode & 0o777) for path in (place, *place.iterdir())}

    mask = os.umask(0o022)
    try:
        url = database_in(tmp_path / "data" / "cardtable")
        private = dict.fromkeys(("cardtable.db", "cardtable.db-wal", "cardtable.db-shm"), "0o600") | {
            "cardtable": "0o700"
        }
        store = Store(url)
        done(store, first(Driven("busca", "a", seats=3)))
        assert modes(tmp_path / "data" / "cardtable") == private
        for path in (tmp_path / "data" / "cardtable").iterdir():
            path.chmod(0o644)
        (tmp_path / "data" / "cardtable").chmod(0o755)
        again = Store(database_in(tmp_path / "data" / "cardtable"))
        assert modes(tmp_path / "data" / "cardtable") == private
        again.close()
        store.close()
        shared = tmp_path / "shared"
        shared.mkdir()
        shared.chmod(0o1777)
        database_in(shared)
        assert shared.stat().st_mode & 0o7777 == 0o1777, "a directory that is shared on purpose stays so"
    finally:
        os.umask(mask)


def test_a_room_that_is_forgotten_while_it_writes_stops_nothing(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as server:

        async def look() -> None:
            async with Client(server.url) as client:
                made = await client.make("busca", seats=3, name="Ann", bots=["", "", "medium"])
                async with client.table(made["id"]) as table:
                    await table.until(lambda: table.seat is not None)
                    there, go = held(server.store)
                    saying = asyncio.create_task(table.command("say", text="hello"))
                    assert await asyncio.to_thread(there.wait, 120)
                    hall = server.app.hall
                    await on(server, lambda: hall.forget(hall.rooms[made["id"]]))
                    go.set()
                    await saying
                    await table.command("say", text="again")
                    assert [line["text"] for line in table.table["chat"]][-1] == "again"
                assert (await client.get("/healthz")) == {"ok": True}
                versions = [entry.version for entry in server.store.log(made["id"])]
                assert versions == list(range(1, len(versions) + 1))

        asyncio.run(asyncio.wait_for(look(), 120))


async def test_a_table_is_opened_again_after_its_last_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that is read while an entry is being written lacks it, and the room that is made of it writes that version
    again.
    """

    async def at_once(work: Callable[..., Any], *given: Any) -> Any:
        return work(*given)

    store = Store(f"sqlite:///{tmp_path / 't.db'}")
    hall = build(store, Settings(compile_behind=False)).hall
    t = Driven("busca", "a", seats=3)
    done(store, first(t), *(Write("T1", entry) for entry in t.log[1:]))
    try:
        old = hall._enter(t.table, "ABCDEF")
        there, go = held(store)
        old.post(lambda: old.write(ev.Said(0, "hello")))
        assert await asyncio.to_thread(there.wait, 120)
        hall.forget(old)
        # so that a few turns of the loop open a table, if they may
        monkeypatch.setattr(asyncio, "to_thread", at_once)
        opening = asyncio.create_task(hall.find("T1"))
        for _ in range(100):
            await asyncio.sleep(0)
        monkeypatch.undo()
        go.set()
        again = await asyncio.wait_for(opening, 120)
        assert again is not None
        assert again is not old
        assert [line.text for line in again.table.chat] == ["hello"]
        await again.write(ev.Said(0, "again"))
        assert [entry.version for entry in store.log("T1")] == list(range(1, len(t.log) + 3))
    finally:
        go.set()
        await hall.close()
        store.close()


async def on(server: Served, work: Callable[[], Any]) -> None:
    """Do something in the event loop of a server, and wait until it is done."""
    finished = threading.Event()
    server.loop.call_soon_threadsafe(work)
    server.loop.call_soon_threadsafe(finished.set)
    assert await asyncio.to_thread(finished.wait, 120)


def test_health_tells_what_the_store_tells(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", health_within=120.0) as server:

        async def look() -> list[bool]:
            told, stuck = list[bool](), threading.Event()
            async with Client(server.url) as client:
                write = server.store._transact
                for broken in (lambda group: 1 / 0, lambda group: stuck.wait(120), write):
                    server.store._written = -FRESH
                    server.store._transact = broken  # type: ignore[assignment]
                    # one that is stuck is not waited for, and the others may take their time
                    object.__setattr__(server.settings, "health_within", 0.1 if len(told) == 1 else 120.0)
                    try:
                        told.append((await client.get("/healthz"))["ok"])
                    except ServerError:
                        told.append(False)
                    if len(told) == 2:
                        stuck.set()
            return told

        assert asyncio.run(asyncio.wait_for(look(), 120)) == [False, False, True]


async def test_a_match_over_the_wire(database: str, tmp_path: Path) -> None:
    """The whole server over each database."""
    with served(tmp_path / "unused.db", database=database) as server:
        async with Client(server.url) as client:
            made = await client.make("busca", seats=3, name="Ann", bots=["", "medium", "medium"])
            async with client.table(made["id"]) as table:
                async for _ in table.states():
                    if table.legal:
                        await table.move(max(table.legal))
                    elif "ready" in table.table["may"] and table.stage == "between":
                        await table.command("resign")
            (told,) = (await client.get("/api/matches"))["matches"]
            assert (await client.post("/api/verify", await client.get(f"/api/matches/{told['id']}/record")))["ok"]
            assert (await client.get("/api/statistics"))["games"][0]["matches"] == 1


def test_sqlite_is_written_through(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 's.db'}")
    with store.engine.connect() as connection:
        told = [connection.execute(sa.text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
    assert told == ["wal", 2]
    store.close()
