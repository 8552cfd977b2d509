"""A thousand live tables: how long from sending a move until everybody at the table sees it, and is anything lost?

    python bench/load.py                                  # 1,000 tables, 2,000 seats, a move at each table every 3 s
    python bench/load.py --tables 100 --seconds 10

The server runs in a separate process, with an SQLite file in full sync; the clients run in this one, over the
loopback. At the end every acknowledged move must be in the log, once, and both seats of each table must have seen the
same.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import httpx
from crash import Mortal
from websockets.asyncio.client import ClientConnection, connect

from cardtable.client import Client, ShufflePart

BAR = 100.0  #: milliseconds from send to everybody's view, p99
GAME: dict[str, Any] = {"seats": 2, "preset": "british", "bots": ["", ""], "watched": False}


@dataclass
class Figures:
    """What the clients saw. Times are milliseconds."""

    shown: list[float] = field(default_factory=list)  #: from sending a move until a seat of the table has its view
    done: list[float] = field(default_factory=list)  #: until it was acknowledged
    moves: int = 0
    refused: int = 0
    disagreeing: int = 0


class Seat:
    """A seat: it reads messages, and moves on command."""

    def __init__(self, socket: ClientConnection, table: Loaded, number: int) -> None:
        self.socket, self.table, self.number = socket, table, number
        self.state: dict[str, Any] = {}
        self.seq = self.moving = 0  #: numbers of the last command, and of the last move
        self.part = ShufflePart(0, "")  #: in the shuffle of the last match

    async def read(self, figures: Figures) -> None:
        """Read what the server sends, until the connection ends."""
        async for frame in self.socket:
            now = time.perf_counter()
            message = json.loads(frame)
            if message["type"] == "table":
                self.state = message
                await self.shuffle(message["table"])
                moved = any(one["kind"] == "moved" and one["by"] == "person" for one in message["happened"])
                if self.table.sent and moved:
                    figures.shown.append((now - self.table.sent) * 1000)
            elif message["type"] == "done":
                if self.answered(message):
                    figures.moves += 1
                    if self.table.sent:
                        figures.done.append((now - self.table.sent) * 1000)
            elif message["type"] == "refused":
                figures.refused += 1
                self.answered(message)

    def answered(self, message: dict[str, Any]) -> bool:
        """Whether a message answers the move that the table waits for; then it waits no more.

        The other seat may have asked for the next deal before, if the table's new state was faster than the answer.
        """
        answers = self.table.mover is self and message["seq"] == self.moving
        if answers:
            self.table.mover = None
        return answers

    async def shuffle(self, table: dict[str, Any]) -> None:
        """Take part in a shuffle, once for each match."""
        if "commit" in table["may"] and self.part.match <= table["match"]:
            self.part = ShufflePart(table["match"] + 1, "")
            await self.command("commit", commitment=self.part.commitment)
        elif "reveal" in table["may"] and not self.part.promised:
            self.part.promised = table["fair"]["commitment"]
            await self.command("reveal", entropy=self.part.entropy)

    async def command(self, kind: str, **fields: Any) -> None:
        """Send a command; `read` gets the answer."""
        self.seq = max(self.seq, self.state["table"]["seq"] if self.state else 0) + 1
        if kind == "move":
            self.moving = self.seq
        await self.socket.send(json.dumps({"type": kind, "seq": self.seq} | fields))


class Loaded:
    """A table with two seats."""

    def __init__(self, number: int, address: str = "") -> None:
        """address: of this machine, from which its people connect."""
        self.address = address
        self.rng = random.Random(number)
        self.seats: list[Seat] = []
        self.sent = 0.0  #: when the last move was sent
        self.mover: Seat | None = None
        self.id = ""

    async def open(self, url: str, gate: asyncio.Semaphore, figures: Figures, tasks: list[asyncio.Task[None]]) -> None:
        """Make the table, sit down, and connect."""
        async with gate:
            clients = [Client(url) for _ in range(2)]
            for client in clients:
                await client.get("/api/me")
            self.id = await self._made(url, clients[0].token)
            for number, client in enumerate(clients):
                how: dict[str, Any] = {"additional_headers": {"Cookie": f"cardtable={client.token}"}}
                how |= {"local_addr": (self.address, 0)} if self.address else {}
                place = f"ws{url.removeprefix('http')}/ws/{self.id}"
                socket = await connect(place, compression=None, ping_interval=None, open_timeout=60, **how)
                seat = Seat(socket, self, number)
                self.seats.append(seat)
                tasks.append(asyncio.create_task(seat.read(figures)))
                await socket.send(json.dumps({"type": "hello", "table": self.id, "version": 0}))
                while not seat.state:
                    await asyncio.sleep(0.005)
                if number:
                    await seat.command("sit", name="Ben")
            while any(seat.state["table"]["stage"] in ("lobby", "shuffling") for seat in self.seats):
                await asyncio.sleep(0.005)

    async def _made(self, url: str, token: str) -> str:
        """Make the table; return its id."""
        transport = httpx.AsyncHTTPTransport(local_address=self.address or None)
        async with httpx.AsyncClient(transport=transport, cookies={"cardtable": token}, timeout=60) as http:
            answer = await http.post(f"{url}/api/tables", json={"game": "fan-tan", "name": "Ann", **GAME})
            return str(answer.raise_for_status().json()["id"])

    async def play(self, every: float, until: float) -> None:
        """Play a move every `every` seconds until a time; between deals and after a match, all continue."""
        await asyncio.sleep(self.rng.uniform(0, every))
        while time.perf_counter() < until:
            began = time.perf_counter()
            for seat in self.seats:
                view, stage = seat.state["view"], seat.state["table"]["stage"]
                if view["legal"] and self.mover is None:
                    self.sent, self.mover = time.perf_counter(), seat
                    await seat.command("move", move=self.rng.choice(view["legal"]), at=seat.state["version"])
                    break
                if stage in ("between", "over") and "ready" in seat.state["table"]["may"]:
                    self.sent = 0.0
                    await seat.command("ready")
            await asyncio.sleep(max(0.0, began + every * self.rng.uniform(0.9, 1.1) - time.perf_counter()))


def part(times: list[float], share: float) -> float:
    """A percentile, in milliseconds."""
    return round(sorted(times)[min(len(times) - 1, int(share * len(times)))], 1) if times else 0.0


class Server(Protocol):
    """A server that can be put under load."""

    url: str
    database: str

    async def start(self) -> float:
        """Start it."""

    def worked(self) -> float:
        """Seconds of processor time that it has used."""

    async def kill(self) -> None:
        """End it."""


async def run(tables: int, every: float, seconds: float, server: Server) -> dict[str, Any]:
    """Put load on a server; return the figures."""
    from cardtable.server.store.store import Store
    from cardtable.table.events import Moved

    await server.start()
    figures, gate = Figures(), asyncio.Semaphore(8)
    tasks: list[asyncio.Task[None]] = []
    loaded = [Loaded(number) for number in range(tables)]
    try:
        began = time.perf_counter()
        await asyncio.gather(*(table.open(server.url, gate, figures, tasks) for table in loaded))
        opened = time.perf_counter() - began
        figures.shown.clear()
        gc.freeze()  # the clients' garbage collection must not count
        gc.disable()
        until, worked = time.perf_counter() + seconds, server.worked()
        await asyncio.gather(*(table.play(every, until) for table in loaded))
        settled = time.perf_counter() + 30.0  # time for everything under way to end
        while any(table.mover for table in loaded) and time.perf_counter() < settled:
            await asyncio.sleep(0.1)
        await asyncio.sleep(2.0)
        worked = server.worked() - worked
        for table in loaded:
            a, b = (seat.state["view"] for seat in table.seats)
            figures.disagreeing += a["scores"] != b["scores"] or a["actors"] != b["actors"]
        metrics = str(await Client(server.url).get("/metrics"))
    finally:
        for task in tasks:
            task.cancel()
        await server.kill()
    store = Store(server.database)
    written = sum(isinstance(entry.event, Moved) for table in loaded for entry in store.log(table.id))
    store.close()
    result = {"tables": tables, "every_s": every, "seconds": seconds, "opened_in_s": round(opened, 1)}
    result |= {"moves": figures.moves, "moves_per_s": round(figures.moves / seconds)}
    result["server_ms_per_move"] = round(1000 * worked / max(figures.moves, 1), 2)
    for what, times in {"seen": figures.shown, "done": figures.done}.items():
        result |= {f"{what}_p{round(100 * share)}_ms": part(times, share) for share in (0.5, 0.99)}
    result |= {"refused": figures.refused, "lost": max(0, figures.moves - written)}
    lag = re.findall(r"^cardtable_loop_lag_seconds_(?:sum|count).*$", metrics, re.MULTILINE)
    return result | {"disagreeing": figures.disagreeing, "lag": lag}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--every", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        server = Mortal(f"sqlite:///{Path(directory) / 'load.db'}")
        result = asyncio.run(run(given.tables, given.every, given.seconds, server))
    print(json.dumps(result, indent=2))
    sys.exit(bool(result["lost"] or result["disagreeing"] or result["seen_p99_ms"] > BAR))


if __name__ == "__main__":
    main()
