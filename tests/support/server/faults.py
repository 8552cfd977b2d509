"""Faults of a database with players at a table: two people who continue, what they see meanwhile, and a proxy that
cuts or stalls the network.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import sqlalchemy as sa

from cardtable.client import Client, ServerError, TableClient
from cardtable.server.store.store import Store
from cardtable.table import LiveTable
from cardtable.table import events as ev
from tests.support.server.served import Served
from tests.support.waiting import eventually

Step = Callable[[], object]
LATE = ("move/stale", "move/turn", "match/over", "table/stage", "table/ready", "match/deal", "move/illegal")
EVERY = 0.02  #: seconds between two moves of a player


class Heard(TableClient):
    """A table that remembers what the server refused because it could not save it."""

    def __init__(self, client: Client, name: str) -> None:
        super().__init__(client, name)
        self.unsaved: list[str] = []

    async def _take(self, message: Any) -> None:
        if message["type"] == "refused" and message["code"] == "server/storage":
            self.unsaved.append(json.dumps(message))
        await super()._take(message)


class Player:
    """One who moves at once whenever it is their turn, and notes what was acknowledged."""

    def __init__(self, table: Heard) -> None:
        self.table = table
        self.noted: list[str] = []
        self._stopping = self._acting = False

    def _can_act(self) -> bool:
        return bool(self.table.legal) or "ready" in self.table.table["may"]

    async def play(self) -> None:
        while not self._stopping:
            await self.table.until(lambda: self._can_act() or self._stopping)
            if self._stopping:
                return
            self._acting = True
            try:
                await self._act()
            except ServerError as error:
                if error.code not in LATE:
                    raise
            finally:
                self._acting = False
            await asyncio.sleep(EVERY)

    async def _act(self) -> None:
        if self.table.legal:
            move = self.table.legal[0]
            await self.table.move(move)
            self.noted.append(move)
        else:
            await self.table.command("ready")

    async def stop(self) -> None:
        """Stop between two moves, so that nothing is on its way."""
        self._stopping = True
        await eventually(lambda: not self._acting, "the last command is answered")


Pair = tuple[Player, Player]


@contextlib.asynccontextmanager
async def at_table(url: str, other: str = "") -> AsyncIterator[tuple[str, Pair]]:
    """A table with two people and a bot who play. other: the URL of the server that the second person asks."""
    async with Client(url) as ann, Client(other or url) as ben:
        made = await ann.make("busca", name="Ann", seats=3, bots=["", "", "medium"])
        async with Heard(ann, made["id"]) as a, Heard(ben, made["id"]) as b:
            await a.until(lambda: a.seat == 0)
            await b.sit("Ben")
            players = Player(a), Player(b)
            tasks = [asyncio.create_task(player.play()) for player in players]
            try:
                yield made["id"], players
                await asyncio.gather(*(player.stop() for player in players))
                assert not any(task.done() and task.exception() for task in tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def playing(server: Served, other: Served | None = None) -> AsyncIterator[Pair]:
    """Two people and a bot who play, and have made some moves. other: the server that the second person asks."""
    async with at_table(server.url, (other or server).url) as (_, players):
        await more_moves(players, 4)
        yield players


async def more_moves(players: tuple[Player, ...], n: int) -> None:
    least = [len(player.noted) + n for player in players]
    await eventually(
        lambda: all(len(player.noted) >= count for player, count in zip(players, least, strict=True)), "all have moved"
    )


async def health(server: Served) -> tuple[int, dict[str, Any]]:
    async with httpx.AsyncClient(timeout=30.0) as http:
        answer = await http.get(f"{server.url}/healthz")
        return answer.status_code, answer.json()


async def figure(server: Served, name: str) -> float:
    """A figure of /metrics; 0 if it is not there yet."""
    async with httpx.AsyncClient(timeout=30.0) as http:
        lines = (await http.get(f"{server.url}/metrics")).text.splitlines()
    return float(next((line.split()[-1] for line in lines if line.startswith(f"{name} ")), "0"))


def judge(database: str, table: str, players: tuple[Player, ...]) -> None:
    """The database, opened again, has each acknowledged move, in order and once, and the table continues from it."""
    store = Store(database)
    log = store.log(table)
    store.close()
    assert [entry.version for entry in log] == list(range(1, len(log) + 1))
    assert LiveTable.fold(log).version == len(log)
    for seat, player in enumerate(players):
        kept = [
            entry.event.move
            for entry in log
            if isinstance(entry.event, ev.Moved) and entry.event.seat == seat and entry.event.by == "person"
        ]
        same = len(os.path.commonprefix((kept, player.noted)))
        assert kept == player.noted, (
            f"seat {seat}: {len(kept)} moves in the log, {len(player.noted)} acknowledged, the first {same} alike"
        )


async def _through(server: Served, begin: Step, end: Step, kind: str, why: str, refused: bool) -> tuple[Player, ...]:
    async with playing(server) as players:
        tables = [player.table for player in players]
        await asyncio.to_thread(begin)
        try:
            await eventually(lambda: all(why in table.held for table in tables), f"all are told: {why}")
            saying = asyncio.create_task(tables[0].command("say", text="hello?"))  # it may be the bot's turn
            if refused:
                await eventually(lambda: any(table.unsaved for table in tables), "a move is refused")
                told = next(table.unsaved[-1] for table in tables if table.unsaved)
                assert "play resumes when this is over" in told
            before = [list(player.noted) for player in players]
            status, answer = await health(server)
            assert (status, answer["ok"]) == (503, False)
            assert why in answer["why"]
            assert await figure(server, "cardtable_store_up") == 0.0
            assert await figure(server, f'cardtable_store_faults_total{{kind="{kind}"}}') >= 1.0
            assert [player.noted for player in players] == before, "nothing is acknowledged during the fault"
        finally:
            await asyncio.to_thread(end)
        await more_moves(players, 4)
        await saying
        assert [line["text"] for line in tables[0].table["chat"]] == ["hello?"]
        await eventually(lambda: not any(table.held for table in tables), "everybody learns that play continues")
        assert [table.connections for table in tables] == [1, 1], "nobody had to connect again"
        assert (await health(server))[0] == 200
        assert await figure(server, "cardtable_store_up") == 1.0
    return players


def through(server: Served, database: str, begin: Step, end: Step, kind: str, why: str, refused: bool = True) -> None:
    """Two people play while a fault begins and ends. Nothing is acknowledged that is not kept; they, /healthz and
    /metrics are told why; play resumes automatically; and a restart finds each acknowledged move once.
    """
    players = asyncio.run(asyncio.wait_for(_through(server, begin, end, kind, why, refused), 300))
    server.stop()
    judge(database, players[0].table.table["id"], players)


class Pragma:
    """A setting of SQLite on all connections, as they begin a transaction."""

    def __init__(self, server: Served, name: str, usual: str) -> None:
        self._name, self._value = name, usual
        sa.event.listen(server.store.engine, "begin", self._set)

    def _set(self, connection: sa.Connection) -> None:
        line: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
        line.execute(f"PRAGMA {self._name}={self._value}").close()

    def be(self, value: str) -> None:
        self._value = value


class Proxy:
    """A TCP proxy before a Unix socket or a port, which can be cut (connections are dropped and refused) or stall (they
    stay, and nothing passes).
    """

    def __init__(self, target: str | int | tuple[str, int]) -> None:
        """target: the path of a socket, a port of this machine, or an address and a port."""
        self._target = target
        self._flows = threading.Event()
        self._flows.set()
        self._cut = False
        self._words: tuple[bytes, ...] = ()  #: after which it stalls
        self._pairs: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._run(self._accept)

    def _run(self, work: Callable[..., None], *given: Any) -> threading.Thread:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()
        return thread

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                if self._cut or (server := self._connected()) is None:
                    client.close()
                    continue
                self._run(self._connect, client, server)

    def _connected(self) -> socket.socket | None:
        """A connection to the target; None if it takes none."""
        if not isinstance(self._target, str):
            at = ("127.0.0.1", self._target) if isinstance(self._target, int) else self._target
            with contextlib.suppress(OSError):
                return socket.create_connection(at)
            return None
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self._target)
        except OSError:
            server.close()
            return None
        return server

    def _connect(self, client: socket.socket, server: socket.socket) -> None:
        """Pass on what both send, until one of them ends."""
        with client, server:
            self._pairs += [client, server]
            if self._cut:  # just now
                self._drop()
            back = self._run(self._pass, server, client)
            self._pass(client, server)
            back.join()
            for end in (client, server):
                self._pairs.remove(end)

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        words, passed = self._words, 0
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                self._flows.wait()
                if words is not self._words:
                    words, passed = self._words, 0
                while passed < len(words) and words[passed] in data:
                    passed += 1
                if words and passed == len(words):
                    self._words = words = ()
                    self._flows.clear()  # this one passes, its answer does not
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def stall(self) -> None:
        self._flows.clear()

    def stall_after(self, *words: bytes) -> None:
        """Stall after the next data with these words, one after the other on one connection, has passed, so that its
        answer does not come.
        """
        self._words = words

    def flow(self) -> None:
        self._cut = False
        self._flows.set()

    def cut(self) -> None:
        self._cut = True
        self._drop()

    def _drop(self) -> None:
        for end in list(self._pairs):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End it. No thread and no socket of it is left, which a later test would be blamed for."""
        self.cut()
        self._flows.set()
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # or its thread would wait for ever, and take a connection
        self._listening.close()
        while self._threads:  # the first may start others until it has ended
            self._threads.pop(0).join(30.0)
