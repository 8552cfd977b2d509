"""What the pool accepts on its socket, and what a server process accepts from a pool."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardtable.bots import bot
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import plain
from cardtable.server.thinking.protocol import (
    KEY,
    LENGTH,
    LONGEST_REQUEST,
    MOST_WAITING,
    DoJob,
    Drop,
    PoolHello,
    PoolPing,
    Reply,
    Request,
    Think,
    framed,
    start,
)
from tests.support.server.pools import RunningPool, pool, servers, warm, with_choice

pytestmark = pytest.mark.skipif(plain(), reason="rules are not compiled, so bots do not search")


@pytest.fixture(scope="module")
def shared() -> Iterator[RunningPool]:
    """A pool for tests that leave it as it is."""
    warm("fan-tan")
    with pool() as running:
        yield running


def heard(wire: socket.socket) -> Reply | None:
    """The next answer; None: the connection was ended."""
    with contextlib.suppress(ConnectionResetError):
        if head := wire.recv(LENGTH.size, socket.MSG_WAITALL):
            return msgspec.msgpack.decode(wire.recv(LENGTH.unpack(head)[0], socket.MSG_WAITALL), type=Reply)
    return None


@contextlib.contextmanager
def wired(running: RunningPool, *first: Request) -> Iterator[socket.socket]:
    """A connection to a pool, on which something has been sent, all of it before any is answered."""
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(120.0)
        wire.connect(str(running.path))
        wire.sendall(b"".join(map(framed, first)))
        yield wire


def asked(number: int = 1, **more: Any) -> Think:
    """A bot's question."""
    view = with_choice()
    assert view.seat is not None
    kept: dict[str, Any] = {
        "game": "fan-tan",
        "state": view.state.tobytes(),
        "seat": view.seat,
        "past": b"",
        "moves": view.moves,
        "seed": "s",
        "most": 0.02,
        "flat": False,
        "asker": None,
    }
    return Think(number, **kept | more)


BAD: dict[str, list[Request]] = {
    "a question before the first message": [PoolPing()],
    "two first messages": [PoolHello(KEY), PoolHello(KEY)],
    "a seat that is none": [PoolHello(KEY), asked(seat=-1)],
    "no moves": [PoolHello(KEY), asked(moves=())],
    "too much time": [PoolHello(KEY), asked(most=1e6)],
    "a number twice": [PoolHello(KEY), asked(), asked()],
    "no number": [PoolHello(KEY), asked(0)],
}


@pytest.mark.parametrize("what", BAD)
def test_a_message_that_no_server_sends_ends_the_connection(shared: RunningPool, what: str) -> None:
    with wired(shared, *BAD[what]) as wire:
        while told := heard(wire):
            assert told.number == 0
            assert not told.refused
    with wired(shared, PoolHello(KEY), asked()) as wire:
        assert heard(wire) == Reply(0)
        assert not heard(wire).refused  # type: ignore[union-attr]


@pytest.mark.parametrize("sent", [LENGTH.pack(LONGEST_REQUEST + 1), LENGTH.pack(3) + b"\xc1\xc1\xc1", LENGTH.pack(0)])
def test_bytes_that_are_no_message_end_the_connection(shared: RunningPool, sent: bytes) -> None:
    with wired(shared, PoolHello(KEY)) as wire:
        assert heard(wire) == Reply(0)
        wire.sendall(sent)
        assert heard(wire) is None


def test_a_process_of_another_version_is_refused(shared: RunningPool) -> None:
    with wired(shared, PoolHello("older")) as wire:
        told = heard(wire)
        assert told
        assert told.refused
        assert told.refused[0] == "server/busy"
        assert heard(wire) is None


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (asked(game="chess"), "game/unknown"),
        (asked(state=b"short"), "server/fault"),
        (DoJob(1, "ann", "no job", []), "server/fault"),
        (DoJob(1, "ann", "kept", []), "server/fault"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(shared: RunningPool, question: Request, code: str) -> None:
    with wired(shared, PoolHello(KEY), question, Drop(77)) as wire:
        assert heard(wire) == Reply(0)
        told = heard(wire)
        assert told
        assert told.refused
        assert told.refused[0] == code
        wire.sendall(framed(PoolPing()))
        assert heard(wire) == Reply(0), "the connection continues"


@pytest.mark.parametrize(
    "answer", [b"", LENGTH.pack(1 << 30), framed(Reply(0)) + LENGTH.pack(2) + b"\xc1\xc1", LENGTH.pack(1) + b"\x01"]
)
def test_what_answers_nothing_or_nonsense_is_no_pool(answer: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Bots do not wait for it, and nothing is left when the server stops."""
    view = with_choice()

    pretending: set[Any] = set()

    async def pretend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pretending.add(asyncio.current_task())
        writer.write(answer)
        with contextlib.suppress(OSError):
            await reader.read()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def run(settings: Settings) -> None:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(settings.pool)
            async with await asyncio.start_unix_server(pretend, sock=listening):
                with servers(settings) as (a,):
                    move = await asyncio.wait_for(a.bots.choose(view, "search", "s"), 120.0)
                    assert move == bot("medium", "s").choose(view)
                await asyncio.wait(pretending, timeout=120.0)

    with tempfile.TemporaryDirectory(prefix="pool-") as directory:
        asyncio.run(run(Settings(pool=f"{directory}/pool", bot_least=0.0)))
    assert [record.name for record in caplog.records if record.name == "asyncio"] == []


def test_more_requests_than_may_wait_are_refused() -> None:
    with pool(think=1.0, think_least=0.2) as running, wired(running, PoolHello(KEY)) as wire:
        one = asked()
        for number in range(1, MOST_WAITING + 300):  # some may be answered before all are read
            wire.sendall(framed(msgspec.structs.replace(one, number=number, most=1.0)))
        assert heard(wire) == Reply(0)
        told = next(told for told in (heard(wire) for _ in range(300)) if told and told.refused)
        assert told.refused
        assert told.refused[0] == "server/busy"
        assert told.number > MOST_WAITING


def test_a_path_that_is_too_long_for_a_socket_is_refused(tmp_path: Path) -> None:
    with start(tmp_path / ("x" * 120), Settings()) as process:
        assert process.wait(60.0) == 1
