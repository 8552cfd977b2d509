"""The effect of known attacks on people who play.

    python bench/attacks.py                      # all of them, one after another
    python bench/attacks.py hellos hints --seconds 10
    python bench/attacks.py hellos --share 100   # with a budget so large that it limits nobody
    python bench/attacks.py whys network says    # from many addresses at once
    python bench/attacks.py silence --tables 100 --seconds 30   # 5,000 silent connections

The server runs in a separate process with its ordinary limits, which this machine is usually free of. Two people play
at each of 50 tables, from separate addresses and networks, and one more against two `search` bots; the attacker is
another process and has one address (for `hints` two), 30 IPv4 addresses of different networks (`whys`, `says`, `asks`,
`knocks`), those of an IPv6 /48 (`network`; the server trusts a proxy for that), or ten of one network (`silence`). For
each attack: how long from sending a move until a seat has its view, how long a bot and `/healthz` take, and the
server's memory, without and with the attack.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import heapq
import json
import os
import random
import resource
import secrets
import selectors
import socket
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Self

import httpx
from crash import Mortal
from load import BAR, Figures, Loaded, part
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from cardtable import Match, bot
from cardtable.client import Client, TableClient

#: the last part of an attacker's address
FIRST = {"dotted": 10, "frames": 20, "hellos": 30, "hints": 40, "outlooks": 45}
FIRST |= {"whys": 50, "says": 90, "asks": 95, "knocks": 100}
SOCKETS = 64  #: as many as one address may have
MANY, EACH = 30, 8  #: addresses of an attack that has many, and the sockets of each
#: moves of one `why`: as many as it may ask about
ASKED = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789T"]
DOTTED = b"a." * 200_000 + b"a=1"  #: once held up a server for 58 s
BOT_BAR = 3.0  #: seconds
MOVES = {"frames": 5000, "hellos": 2900}  #: of the record that an attack uses; 3,000 is the most for playing on
CROWD = {"game": "i-doubt-it", "seats": 10, "bots": ["", *["medium"] * 9]}
SILENT, ADDRESSES = 5000, 10  #: connections that say nothing, and how many addresses they come from
AGAIN = 5.0  #: seconds after which one that was closed is opened again, give or take half of it


def record(moves: int) -> str:
    """A long record of I Doubt It with 10 seats, played at random."""
    m, player = Match("i-doubt-it", 10, seed=7), bot("random", 1)
    while not m.over and len(m.moves) < moves:
        actor = m.actors[0]
        m.play(player.choose(m.view(actor)), actor)
    return str(m.record())


def changed(table: TableClient, version: int) -> bool:
    """Whether a table is shown in another version than this one."""
    return table.version != version


class Attacker:
    """A client with an address."""

    def __init__(self, port: int, seconds: float, last: int, behind: str = "", network: int = 0) -> None:
        """last, network: parts of the address, 127.0.network.last. behind: the address that a trusted proxy names in
        its place.
        """
        self.port, self.address = port, "127.0.0.1" if behind else f"127.0.{network}.{last}"
        self.headers = {"X-Forwarded-For": behind} if behind else {}
        self.until = time.monotonic() + seconds
        self.token = ""
        self.answers: Counter[str] = Counter()
        self.slowest = 0.0  #: seconds until an answer
        line = httpx.AsyncHTTPTransport(local_address=self.address)
        url = f"http://127.0.0.1:{port}"
        self.http = httpx.AsyncClient(transport=line, base_url=url, headers=self.headers, timeout=60.0)

    async def __aenter__(self) -> Self:
        self.token = (await self.http.get("/api/me")).cookies["cardtable"]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    @property
    def going(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """A request; its status and its time are noted."""
        began = time.monotonic()
        answer = await self.http.request(method, path, **more)
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.answers[str(answer.status_code)] += 1
        return answer

    async def made(self, setup: dict[str, Any]) -> str:
        """The id of a table of the attacker's."""
        answer = await self.ask("POST", "/api/tables", json={"name": "Ann"} | setup)
        return str(answer.raise_for_status().json()["id"])

    async def socket(self) -> ClientConnection:
        """A socket."""
        headers = {"Cookie": f"cardtable={self.token}"} | self.headers
        how: dict[str, Any] = {"additional_headers": headers, "local_addr": (self.address, 0), "open_timeout": 60.0}
        return await connect(f"ws://127.0.0.1:{self.port}/ws", compression=None, max_size=None, **how)

    async def flood(self, table: str, messages: list[dict[str, Any]], pause: float) -> None:
        """Send messages on one socket, and count the answers."""
        with contextlib.suppress(WebSocketException, OSError):
            async with await self.socket() as socket:
                sender = secrets.token_urlsafe(8)  # so that each socket's commands are its own
                await socket.send(json.dumps({"type": "hello", "table": table, "version": 0, "sender": sender}))
                reading = asyncio.create_task(self._count(socket))
                try:
                    for message in messages:
                        if not self.going:
                            break
                        await socket.send(json.dumps(message))
                        await asyncio.sleep(pause)
                    await asyncio.sleep(max(0.0, self.until - time.monotonic()))
                finally:
                    reading.cancel()
                    await asyncio.gather(reading, return_exceptions=True)
                    socket.transport.abort()

    async def _count(self, socket: ClientConnection) -> None:
        async for frame in socket:
            self.answers[json.loads(frame)["type"]] += 1

    def told(self) -> dict[str, Any]:
        """What came of it."""
        return together([self]) | ({"slowest_s": round(self.slowest, 2)} if self.slowest else {})


def together(attackers: list[Attacker]) -> dict[str, Any]:
    """The answers of several attackers."""
    return {"answers": dict(sum((attacker.answers for attacker in attackers), Counter()))}


def crowd(port: int, seconds: float, name: str) -> list[Attacker]:
    """Attackers with many addresses, each in a separate network."""
    return [Attacker(port, seconds, FIRST[name], network=1 + k) for k in range(MANY)]


async def dotted(port: int, seconds: float, long: str) -> dict[str, Any]:
    """Six requests at a time whose keys take long to parse."""
    async with Attacker(port, seconds, FIRST["dotted"]) as attacker:

        async def again() -> None:
            while attacker.going:
                answer = await attacker.ask("POST", "/api/verify", content=DOTTED)
                await asyncio.sleep(float(answer.headers.get("retry-after", 0)))

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(again() for _ in range(6)))
        return attacker.told()


async def frames(port: int, seconds: float, long: str) -> dict[str, Any]:
    """The replay of a record with 5,000 moves, as often as one may ask for it."""
    async with Attacker(port, seconds, FIRST["frames"]) as attacker:
        match = (await attacker.ask("POST", "/api/records", content=long.encode())).json()["id"]
        size, first = 0, 0
        while attacker.going:
            answer = await attacker.ask("GET", f"/api/matches/{match}/frames", params={"first": first, "count": 100})
            size = max(size, len(answer.content))
            first = (first + 100) % 5000
            await asyncio.sleep(float(answer.headers.get("retry-after", 0)))
        return attacker.told() | {"largest_kb": size // 1000}


async def hellos(port: int, seconds: float, long: str) -> dict[str, Any]:
    """From 64 sockets, hellos to a table that is costly to show, as many as a socket may send."""
    async with Attacker(port, seconds, FIRST["hellos"]) as attacker:
        table = await attacker.made({"game": "i-doubt-it", "start": long, "bots": [""] + ["medium"] * 9})
        hello = {"type": "hello", "table": table, "version": 0}
        await asyncio.gather(*(attacker.flood(table, [hello] * 58, 0.3) for _ in range(SOCKETS)))
        return attacker.told()


async def hints(port: int, seconds: float, long: str) -> dict[str, Any]:
    """From 64 sockets, 55 hints each at a separate table."""

    async def one(attacker: Attacker) -> None:
        async with attacker:
            table = await attacker.made({"game": "oh-hell", "seats": 3, "bots": ["", "medium", "medium"]})
            await attacker.flood(table, [{"type": "hint"}] * 55, 0.3)

    attackers = [Attacker(port, seconds, FIRST["hints"] + k % 2) for k in range(SOCKETS)]
    await asyncio.gather(*map(one, attackers))
    return together(attackers)


async def at_tables(
    seconds: float, attackers: list[Attacker], setup: dict[str, Any], message: dict[str, Any], pause: float, each: int
) -> dict[str, Any]:
    """From some sockets of each attacker, a message as often as it may be sent, each at a separate table. The attack
    begins when all tables are there.
    """
    async with contextlib.AsyncExitStack() as stack:
        for attacker in attackers:
            await stack.enter_async_context(attacker)
        tables = [await attacker.made(setup) for attacker in attackers]
        print(flush=True)
        many = int(seconds / pause)
        messages = [message | ({"seq": seq} if "text" in message else {}) for seq in range(1, many + 1)]
        floods = []
        for attacker, table in zip(attackers, tables, strict=True):
            attacker.until = time.monotonic() + seconds
            floods += [attacker.flood(table, messages, pause) for _ in range(each)]
        await asyncio.gather(*floods)
    return together(attackers)


async def outlooks(port: int, seconds: float, long: str) -> dict[str, Any]:
    """At nine tables of Spider, two times a second whether anything useful is left, from one address."""
    attackers = [Attacker(port, seconds, FIRST["outlooks"]) for _ in range(9)]
    return await at_tables(seconds, attackers, {"game": "spider"}, {"type": "outlook"}, 0.5, 1)


async def whys(port: int, seconds: float, long: str) -> dict[str, Any]:
    """Why 40 moves are illegal, 40 times in 20 s on each of 8 sockets of 30 addresses, each in a separate network."""
    return await at_tables(seconds, crowd(port, seconds, "whys"), CROWD, {"type": "why", "moves": ASKED}, 0.5, EACH)


async def network(port: int, seconds: float, long: str) -> dict[str, Any]:
    """The same from 30 /64s of one IPv6 /48."""
    attackers = [Attacker(port, seconds, 0, f"2001:db8:0:{k:x}::1") for k in range(MANY)]
    return await at_tables(seconds, attackers, CROWD, {"type": "why", "moves": ASKED}, 0.5, EACH)


async def says(port: int, seconds: float, long: str) -> dict[str, Any]:
    """Lines of chat, 60 in 20 s on each of 8 sockets of 30 addresses, each in a separate network."""
    return await at_tables(seconds, crowd(port, seconds, "says"), CROWD, {"type": "say", "text": "a"}, 0.34, EACH)


async def asks(port: int, seconds: float, long: str) -> dict[str, Any]:
    """Requests for the first page, for files, and for what is not there, as fast as they are answered, on 8 connections
    of 30 addresses, each in a separate network.
    """
    paths = ("/", "/static/app.js", "/api/games/i-doubt-it", "/api/tables", "/nowhere")

    async def again(attacker: Attacker) -> None:
        async with attacker:
            with contextlib.suppress(TimeoutError, httpx.HTTPError):
                async with asyncio.timeout(seconds):
                    await asyncio.gather(*(forever(attacker) for _ in range(EACH)))

    async def forever(attacker: Attacker) -> None:
        while attacker.going:
            for path in paths:
                await attacker.ask("GET", path)

    attackers = crowd(port, seconds, "asks")
    await asyncio.gather(*map(again, attackers))
    return together(attackers)


async def knocks(port: int, seconds: float, long: str) -> dict[str, Any]:
    """New sockets, again and again, 8 at a time from 30 addresses, each in a separate network."""

    async def forever(attacker: Attacker) -> None:
        while attacker.going:
            try:
                (await attacker.socket()).transport.abort()
                attacker.answers["opened"] += 1
            except (WebSocketException, OSError) as error:
                attacker.answers[type(error).__name__] += 1

    attackers = crowd(port, seconds, "knocks")
    await asyncio.gather(*(forever(attacker) for attacker in attackers for _ in range(EACH)))
    return together(attackers)


PREPARED = ("outlooks", "whys", "network", "says")  #: attacks that print an empty line when they begin
ATTACKS: dict[str, Callable[[int, float, str], Coroutine[Any, Any, dict[str, Any]]]] = {
    one.__name__: one for one in (dotted, frames, hellos, hints, outlooks, whys, network, says, asks, knocks)
}


def silence(
    port: int, many: int, seconds: float, enough: Callable[[dict[str, int]], bool] = lambda counts: False
) -> dict[str, int]:
    """Keep a number of silent connections open for a while, or until it is enough; return how often one was opened
    and closed by the server, and the number open at the end.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    looking, ends = selectors.DefaultSelector(), time.monotonic() + seconds
    waiting = [(time.monotonic(), number) for number in range(many)]
    counts = {"opened": 0, "closed": 0}
    while time.monotonic() < ends and not enough(counts):
        while waiting and waiting[0][0] <= time.monotonic():
            number = heapq.heappop(waiting)[1]
            line = socket.socket()
            line.setblocking(False)
            line.bind((f"127.0.0.{2 + number % ADDRESSES}", 0))
            line.connect_ex(("127.0.0.1", port))
            looking.register(line, selectors.EVENT_READ, number)
            counts["opened"] += 1
        for key, _ in looking.select(0.05):
            line = key.fileobj  # type: ignore[assignment]
            looking.unregister(line)
            line.close()
            counts["closed"] += 1
            heapq.heappush(waiting, (time.monotonic() + AGAIN * random.uniform(0.5, 1.5), key.data))
    lines = [key.fileobj for key in looking.get_map().values()]
    for still in lines:
        still.close()  # type: ignore[union-attr]
    looking.close()
    return counts | {"open": len(lines)}


class WithBots:
    """A person against two `search` bots, and how long these take."""

    def __init__(self) -> None:
        self.times: list[float] = []

    async def play(self, url: str) -> None:
        """Play until it is cancelled."""
        async with Client(url) as client:
            made = await client.make("oh-hell", name="Ann", seats=3, bots=["", "search", "search"])
            async with client.table(made["id"]) as table:
                while True:
                    if table.legal:
                        await table.move(table.legal[0])
                    elif "ready" in table.table["may"]:
                        await table.command("ready")
                    else:
                        began, version = time.monotonic(), table.version
                        await asyncio.wait_for(table.until(partial(changed, table, version)), 30.0)
                        self.times.append(time.monotonic() - began)

    def told(self) -> dict[str, float]:
        """The times since the last change, in seconds."""
        times, self.times = self.times, []
        return {"bot_p50_s": round(statistics.median(times), 2), "bot_most_s": round(max(times), 2)} if times else {}


async def run(names: list[str], tables: int, seconds: float, share: float | None, directory: Path) -> dict[str, Any]:
    """Play alone, and during each attack; return the figures."""
    settings: dict[str, Any] = {"loopback_is_free": False, "proxies": ["127.0.0.1"]}
    server = Mortal(
        f"sqlite:///{directory / 'attacks.db'}", settings=settings | ({"message_share": share} if share else {})
    )
    await server.start()
    figures, gate, bots = Figures(), asyncio.Semaphore(8), WithBots()
    tasks: list[asyncio.Task[None]] = []
    loaded = [Loaded(number, f"127.{1 + number // 250}.{1 + number % 250}.1") for number in range(tables)]
    results: dict[str, Any] = {}
    health: list[float] = []

    async def look() -> None:
        async with httpx.AsyncClient(base_url=server.url, timeout=60.0) as http:
            while True:
                began = time.monotonic()
                (await http.get("/healthz")).raise_for_status()
                health.append(time.monotonic() - began)
                await asyncio.sleep(0.25)

    async def play(name: str) -> None:
        figures.shown.clear()
        bots.told()
        health.clear()
        worked = server.worked()
        await asyncio.gather(*(table.play(1.0, time.perf_counter() + seconds) for table in loaded))
        settled = time.perf_counter() + 30.0
        while any(table.mover for table in loaded) and time.perf_counter() < settled:
            await asyncio.sleep(0.05)
        parts = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}
        results[name] = {"moves": len(figures.shown)} | {
            f"seen_{which}_ms": part(figures.shown, share) for which, share in parts.items()
        }
        results[name] |= {"server_s": round(server.worked() - worked, 2), "server_mb": server.resident() // 1024}
        results[name] |= {"health_most_s": round(max(health, default=0.0), 2), **bots.told()}

    for name, moves in MOVES.items() if MOVES.keys() & set(names) else ():
        (directory / f"{name}.toml").write_text(record(moves))
    try:
        await asyncio.gather(*(table.open(server.url, gate, figures, tasks) for table in loaded))
        tasks += [asyncio.create_task(bots.play(server.url)), asyncio.create_task(look())]
        gc.freeze()  # the clients' garbage collection must not count
        await play("alone")
        for name in names:
            long = directory / f"{name}.toml"
            order = [sys.executable, __file__, "--attack", name, str(server.port), str(seconds), str(long)]
            attack = await asyncio.create_subprocess_exec(*order, stdout=asyncio.subprocess.PIPE)
            if name in PREPARED:
                assert attack.stdout
                await attack.stdout.readline()
            elif name == "silence":
                await asyncio.sleep(1.0)  # until most are open
            await play(name)
            results[name] |= json.loads((await attack.communicate())[0])
        results["refused"] = figures.refused
        results["closed"] = sum(task.done() for task in tasks)
        results["unanswered"] = sum(table.mover is not None for table in loaded)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(ProcessLookupError):
            await server.kill()
    return results


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*ATTACKS, "silence", []], help="by default all but `silence`")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each attack")
    parser.add_argument("--share", type=float, help="the setting message_share")
    parser.add_argument("--attack", nargs=4, metavar=("NAME", "PORT", "SECONDS", "RECORD"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.attack:
        name, port, seconds, long = given.attack[0], int(given.attack[1]), float(given.attack[2]), given.attack[3]
        if name == "silence":
            print(json.dumps(silence(port, SILENT, seconds)))
            return
        text = Path(long).read_text() if name in MOVES else ""
        print(json.dumps(asyncio.run(ATTACKS[name](port, seconds, text))))
        return
    with tempfile.TemporaryDirectory() as directory:
        names = given.names or list(ATTACKS)
        results = asyncio.run(run(names, given.tables, given.seconds, given.share, Path(directory)))
    print(json.dumps(results, indent=2))
    worst = max(one["seen_p99_ms"] for one in results.values() if isinstance(one, dict))
    slowest = max(one.get("bot_most_s", 0.0) for one in results.values() if isinstance(one, dict))
    sys.exit(bool(results["closed"] or results["unanswered"] or worst > BAR or slowest > BOT_BAR))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).resolve().parent.parent))
    main()
