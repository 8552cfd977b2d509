"""Messages to a client: they are written at once and together, or in order as soon as a slow client has read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from cardtable.server.net.connections import Socket
from cardtable.server.rooms.sockets import SocketPeer
from cardtable.server.settings import Settings
from tests.support.server.clients import new_table
from tests.support.server.served import Served, served


class Line:
    def __init__(self) -> None:
        self.slow, self.told = False, list[str]()
        self.read = asyncio.Event()

    def tell(self, text: str) -> bool:
        """Take a text, unless the client is slow."""
        if not self.slow:
            self.told.append(text)
        return not self.slow

    async def send(self, message: Any) -> None:
        await self.read.wait()
        self.told.append(message["text"] if "text" in message else f"close {message['code']}")


def peer_of(line: Line, **settings: Any) -> SocketPeer:
    there: Any = line
    return SocketPeer(line.send, "me", "", Settings(**settings), line=there)


async def test_a_message_needs_no_task() -> None:
    line = Line()
    peer = peer_of(line)
    before = asyncio.all_tasks()
    peer.send("a")
    peer.send("b")
    assert line.told == ["a", "b"]
    assert asyncio.all_tasks() == before
    await peer.end()


async def test_no_message_overtakes_one_that_waits() -> None:
    line = Line()
    peer = peer_of(line)
    peer.send("a")
    line.slow = True
    peer.send("b")
    await asyncio.sleep(0)  # the writer waits with "b" in hand
    line.slow = False  # as for a moment when the client has just read: the writer has not noticed yet
    peer.send("c")
    assert line.told == ["a"]
    line.read.set()
    while len(line.told) < 3:
        await asyncio.sleep(0)
    peer.send("d")
    assert line.told == ["a", "b", "c", "d"]
    peer.close(1001)
    while len(line.told) < 5:
        await asyncio.sleep(0)
    assert line.told[-1] == "close 1001"
    peer.send("e")
    assert len(line.told) == 5
    await peer.end()


async def test_a_full_outbox_ends_the_connection_after_the_message_that_is_on_its_way() -> None:
    line = Line()
    line.slow = True
    peer = peer_of(line, outbox=3)
    for text in "abcdef":
        peer.send(text)
        await asyncio.sleep(0)
    assert peer.ended
    line.read.set()
    while len(line.told) < 2:
        await asyncio.sleep(0)
    assert line.told == ["a", "close 1008"]
    await peer.end()


def lines(server: Served) -> list[Socket]:
    """The open sockets of a server."""
    return [line for line in server._server.server_state.connections if isinstance(line, Socket)]


async def test_the_answer_to_a_command_and_the_table_after_it_are_written_together(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as server:
        async with new_table(server.url, "fan-tan", seats=2, bots=["", "medium"]) as (seat,):
            await seat.command("say", text="hello")
            (line,) = lines(server)
            written: list[bytes] = []
            write = line.transport.write

            def noted(data: Any) -> None:
                written.append(bytes(data))
                write(data)

            line.transport.write = noted  # type: ignore[method-assign]
            before = seat.version
            await seat.command("say", text="again")
            await seat.until(lambda: seat.version > before)
            told = [data for data in written if b'"done"' in data]
            assert len(told) == 1
            assert b'"type":"table"' in told[0]


async def test_messages_that_come_together_are_all_done_in_order(tmp_path: Path) -> None:
    """More than are read ahead."""
    with served(tmp_path / "t.db") as server:
        async with new_table(server.url, "fan-tan", seats=2, bots=["", "medium"]) as (seat,):
            await asyncio.gather(*(seat.command("say", text=f"line {n}") for n in range(20)))
            room = server.app.hall.rooms[seat.name]
            assert [line.text for line in room.table.chat] == [f"line {n}" for n in range(20)]
            assert not len(room._inbox)
