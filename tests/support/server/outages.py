"""Three servers over one PostgreSQL database behind the real nginx, as on three machines, with people who play at many
tables, and what may go wrong there: a server is killed, the database stops, connections are cut or stall.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from cardtable.client import Client
from cardtable.server.store.schema import NODES, TABLES
from cardtable.server.store.store import Store
from cardtable.table import LiveTable
from tests.support.commands import ROOT, surroundings
from tests.support.databases import behind, empty_database, listens
from tests.support.server import fronts
from tests.support.server.faults import Heard, Player, Proxy, judge
from tests.support.server.served import free_port
from tests.support.waiting import eventually

GAMES = (("busca", 3), ("cassino", 2), ("oh-hell", 3), ("fan-tan", 3), ("scopa", 2), ("crazy-eights", 3))
MOST = 25  #: moves of a person in a match, who then gives up
SETTINGS = {
    "BOT_PACE": "0.01",
    "BOT_LEAST": "0.01",
    "BEAT": "0.01",
    "SOCKET_RATE": "[60000, 20.0]",
    "SECURE": "true",
    "PROXIES": "127.0.0.1",
    "COMPILE_BEHIND": "false",
    "LOG_EVENTS": "true",
}
#: what servers say in their logs while others are killed and the database stops
EXPECTED = re.compile(
    r"INFO cardtable\.events: "
    r"|process \w+ has ended without giving its tables back"
    r"|the leases of this process had ended"
    r"|notices of the other processes do not arrive"
    r"|the other processes are not told of"
    r"|the lease of table \S+ is not given back"
    r"|leases are not given back"
    r"|table \S+: not saved: |table \S+: duplicate key value violates unique constraint \"events_pkey\""
    r"|play is held up|the database can be written again"
    r"|bans, mutes and linked devices are not up to date"
    r"|the notice '\w+' has no effect yet"
    r"|another process wrote version"
    r"|WARNING cardtable\.log: log\.left-out"  # a busy machine says the above more often; each was written before
)
TOOL = str(ROOT / "tools" / "postgres.sh")


class Machine:
    """A server that is started alone, with its own port and data."""

    def __init__(self, directory: Path, database: str, relayed: bool, compiled: bool) -> None:
        """relayed: the others cannot reach its socket by path, as if they were other machines; compiled: it uses the
        compiled rules that the cache has.
        """
        self.directory, self.relayed = directory, relayed
        self.port, self.log = free_port(), directory / "log"
        (directory / "sockets").mkdir(parents=True)
        self._command = [
            *(sys.executable, "-m", "cardtable", "serve", "--port", str(self.port)),
            *("--database", database, "--no-browser"),
        ]
        more = {"CARDTABLE_DATA": str(directory), "CARDTABLE_SERVER_SOCKETS_IN": str(directory / "sockets")}
        more |= {"CARDTABLE_SERVER_INTERNAL": "127.0.0.1:0"} if relayed else {}
        self._environment = surroundings(
            **{f"CARDTABLE_SERVER_{name}": text for name, text in SETTINGS.items()}, **more
        )
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; `ready` returns when it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=log, env=self._environment
            )

    async def ready(self) -> None:
        async with httpx.AsyncClient() as http:

            async def answers() -> bool:
                assert self.process
                assert self.process.poll() is None, self.log.read_text("utf-8")
                with contextlib.suppress(httpx.TransportError):
                    return (await http.get(f"http://127.0.0.1:{self.port}/healthz")).status_code == 200
                return False

            await eventually(answers)
        if self.relayed:
            for path in (self.directory / "sockets").iterdir():
                path.unlink()

    def kill(self) -> None:
        """Kill it with SIGKILL, which leaves it no time to do anything."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
            self.process.kill()
            self.process.wait()


class Site:
    """The machines, each with a proxy between nginx and it, and their database."""

    def __init__(
        self,
        url: str,
        machines: list[Machine],
        lines: list[Proxy],
        database: str,
        halt: Callable[[], object],
        resume: Callable[[], object],
    ) -> None:
        """halt, resume: what stops the database and starts it again."""
        self.url, self.machines, self.lines = url, machines, lines
        self.database = database
        self.halt, self.resume = halt, resume
        self._engine = sa.create_engine(database, poolclass=sa.NullPool)

    def tables_of(self, machine: Machine) -> set[str]:
        assert machine.process
        mine = NODES.c.path.contains(f"/{machine.process.pid}-")
        query = sa.select(TABLES.c.id).join(NODES, NODES.c.id == TABLES.c.node).where(mine)
        with self._engine.connect() as connection:
            return set(connection.execute(query).scalars())

    def said(self) -> list[str]:
        """What the servers have written to their logs that is not expected."""
        lines = [line for machine in self.machines for line in machine.log.read_text("utf-8").splitlines()]
        return [line for line in lines if not EXPECTED.search(line)]


@contextlib.contextmanager
def own_postgres() -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """The database of a PostgreSQL that can be halted and resumed, and how."""
    place = Path(tempfile.mkdtemp(prefix="cardtable-"))  # PostgreSQL's user may not enter every directory

    def do(command: str) -> str:
        done = subprocess.run([TOOL, command, str(place)], capture_output=True, text=True, timeout=300)
        if done.returncode:
            pytest.fail(f"{TOOL} {command}: {done.stderr.strip().splitlines()[-1:]}", pytrace=False)
        return done.stdout

    try:
        yield do("start").split()[-1], partial(do, "halt"), partial(do, "resume")
    finally:
        do("stop")


@contextlib.contextmanager
def proxied() -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """A database of the PostgreSQL of the tests, which others use too, so that only the connections to it end."""
    with empty_database() as database:
        proxy = Proxy(listens())
        try:
            yield behind(database, proxy.port), proxy.cut, proxy.flow
        finally:
            proxy.close()


@contextlib.contextmanager
def site(
    directory: Path, relayed: bool, compiled: bool = False, machines: int = 3, postgres: Any = own_postgres
) -> Iterator[Site]:
    """So many servers behind nginx, over a database. relayed: as on separate machines; compiled: with the compiled
    rules that the cache has; postgres: what has the database, by default a separate PostgreSQL.
    """
    with contextlib.ExitStack() as stack:
        database, halt, resume = stack.enter_context(postgres())
        Store(database).close()
        each = [Machine(directory / f"machine-{n}", database, relayed, compiled) for n in range(machines)]
        lines = []
        for machine in each:
            stack.callback(machine.stop)
            machine.start()
            lines.append(Proxy(machine.port))
            stack.callback(lines[-1].close)
        asyncio.run(all_ready(each))
        certificate, key = fronts.certify(directory)
        port, (first, *more) = free_port(), [line.port for line in lines]
        stack.enter_context(fronts.nginx(directory, port, first, certificate, key, more=more))
        stack.enter_context(fronts.trusted(certificate))
        yield Site(f"https://localhost:{port}", each, lines, database, halt, resume)


async def all_ready(machines: list[Machine]) -> None:
    await asyncio.gather(*(machine.ready() for machine in machines))


# People


class Watched(Heard):
    """A table that notes when a command was acknowledged last, on which connection, and how its matches ended."""

    def __init__(self, client: Client, name: str) -> None:
        super().__init__(client, name)
        self.answered = 0.0, 0  #: by the monotonic clock; the number of the connection
        self.ends: dict[int, tuple[list[int], list[int]]] = {}  #: of each match: scores, winners

    async def command(self, kind: str, **fields: Any) -> None:
        await super().command(kind, **fields)
        self.answered = time.monotonic(), self.connections

    def _state(self, message: Any) -> None:
        super()._state(message)
        if self.stage == "over":
            assert self.view
            self.ends[self.table["match"]] = self.view["scores"], self.view["winners"]


class Person(Player):
    """Who plays match after match, and gives a long one up."""

    table: Watched

    def __init__(self, table: Watched, rng: random.Random) -> None:
        super().__init__(table)
        self._rng = rng
        self._begun = 0, 0  #: the number of the current match; how many moves had been made before it

    async def _act(self) -> None:
        match = self.table.table["match"]
        if self._begun[0] != match:
            self._begun = match, len(self.noted)
        if not self.table.legal:
            await self.table.command("ready")
        elif len(self.noted) - self._begun[1] >= MOST:
            await self.table.command("resign")
        else:
            move = self._rng.choice(self.table.legal)
            await self.table.move(move)
            self.noted.append(move)


Pairs = dict[str, tuple[Person, Person]]  #: the people at each table, by its id


@contextlib.asynccontextmanager
async def playing(url: str, tables: int) -> AsyncIterator[Pairs]:
    """So many tables of several games, with two people at each."""
    async with contextlib.AsyncExitStack() as stack:
        pairs: Pairs = {}
        for number in range(tables):
            game, seats = GAMES[number % len(GAMES)]
            ann, ben = Client(url), Client(url)
            await ann.get("/api/me")
            await ben.get("/api/me")
            made = await ann.make(game, name="Ann", seats=seats, bots=["", "", "medium"][:seats])
            a = await stack.enter_async_context(Watched(ann, made["id"]))
            b = await stack.enter_async_context(Watched(ben, made["id"]))
            await eventually(lambda a=a: a.seat == 0, "the first one sits")  # type: ignore[misc]
            await b.sit("Ben")
            pairs[made["id"]] = Person(a, random.Random(number)), Person(b, random.Random(-number))
        people = [person for pair in pairs.values() for person in pair]
        tasks = [asyncio.create_task(person.play()) for person in people]
        try:
            yield pairs
            await asyncio.gather(*(person.stop() for person in people))
            await asyncio.gather(*(heard_all(pair) for pair in pairs.values()))
        finally:
            faults = [fault for task in tasks if task.done() and (fault := task.exception())]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert not faults, faults


async def heard_all(pair: tuple[Person, Person]) -> None:
    """Wait until two people who have stopped have heard what followed from their last moves, such as a match's end."""
    for person in pair:  # what was sent to them before comes before the answer
        await person.table.command("say", text="good night")
    await eventually(lambda: any(person._can_act() for person in pair), "it is their turn, or the match is over")


async def all_go_on(pairs: Pairs) -> None:
    began = time.monotonic()
    await eventually(
        lambda: all(any(one.table.answered[0] > began for one in pair) for pair in pairs.values()), "all tables go on"
    )


# What goes wrong


@dataclass
class Outcome:
    """What was seen. recovered: seconds from the kill of a table's server to the next acknowledged command there;
    visits: the answers to requests of a visitor, by status (0: none).
    """

    kills: int = 0
    halts: int = 0
    cuts: int = 0
    stalls: int = 0
    recovered: list[float] = field(default_factory=list)
    visits: Counter[int] = field(default_factory=Counter)
    moves: int = 0
    matches: int = 0
    seconds: float = 0.0

    def told(self) -> dict[str, Any]:
        """The figures, with the distribution of the times."""
        times = sorted(self.recovered)
        spread = (
            {
                f"recovered_{name}": round(times[min(len(times) - 1, int(part * len(times)))], 2)
                for name, part in (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("longest", 1.0))
            }
            if times
            else {}
        )
        mean = {"recovered_mean": round(statistics.mean(times), 2)} if times else {}
        counted = {name: getattr(self, name) for name in ("kills", "halts", "cuts", "stalls", "moves", "matches")}
        counted["visits"] = dict(self.visits)
        return counted | {"seconds": round(self.seconds), "tables_recovered": len(times)} | mean | spread


@contextlib.asynccontextmanager
async def visited(url: str, outcome: Outcome) -> AsyncIterator[None]:
    """Somebody looks at the lobby and a page all the time."""

    async def visit() -> None:
        # a request may wait for as long as something stands still: the whole play has a bound
        async with httpx.AsyncClient(base_url=url, timeout=None) as http:
            while True:
                for path in ("/api/tables", "/about"):
                    try:
                        outcome.visits[(await http.get(path)).status_code] += 1
                    except httpx.TransportError:
                        outcome.visits[0] += 1
                    await asyncio.sleep(0.1)

    visiting = asyncio.create_task(visit())
    try:
        yield
    finally:
        visiting.cancel()
        await asyncio.gather(visiting, return_exceptions=True)


async def kill(site: Site, pairs: Pairs, victim: Machine, outcome: Outcome) -> None:
    """Kill a server and start it again; note how long each of its tables stood still."""
    struck = {table: pairs[table] for table in await asyncio.to_thread(site.tables_of, victim) if table in pairs}
    before = {person: person.table.connections for pair in struck.values() for person in pair}
    began = time.monotonic()
    victim.kill()
    victim.start()
    outcome.kills += 1

    async def goes_on(pair: tuple[Person, Person]) -> float:
        def again() -> float:
            found = [one.table.answered[0] for one in pair if one.table.answered[1] > before[one]]
            return min(found, default=0.0)

        await eventually(again, "the tables of a server that was killed go on")
        return again() - began

    outcome.recovered += await asyncio.gather(*(goes_on(pair) for pair in struck.values()))
    await victim.ready()


def tables(pairs: Pairs) -> list[Watched]:
    return [person.table for pair in pairs.values() for person in pair]


async def halt(site: Site, pairs: Pairs, rng: random.Random | None, outcome: Outcome) -> None:
    """Stop the database for a while. rng: for how long; None: until everybody who plays was told of it."""
    if not rng:  # who has lost their connection cannot find their table without the database, and is not told
        await asyncio.gather(*(table.command("say", text="are you there?") for table in tables(pairs)))
    await asyncio.to_thread(site.halt)
    try:
        if rng:
            await asyncio.sleep(rng.uniform(0.0, 5.0))
        else:
            await eventually(lambda: all(table.held for table in tables(pairs)), "everybody is told")
    finally:
        await asyncio.to_thread(site.resume)
    outcome.halts += 1
    await all_go_on(pairs)


async def cut(pairs: Pairs, line: Proxy, rng: random.Random | None, outcome: Outcome) -> None:
    """Cut the connections between nginx and a server for a while. rng: for how long; None: for a moment."""
    line.cut()
    if rng:
        await asyncio.sleep(rng.uniform(0.0, 1.0))
    line.flow()
    outcome.cuts += 1
    await all_go_on(pairs)


async def stall(pairs: Pairs, line: Proxy, rng: random.Random | None, outcome: Outcome) -> None:
    """Let the connections between nginx and a server stall for a while. rng: for how long; None: until somebody waits
    for an answer.
    """
    line.stall()
    if rng:
        await asyncio.sleep(rng.uniform(0.0, 3.0))
    else:
        await eventually(lambda: any(one._acting for pair in pairs.values() for one in pair), "somebody waits")
    line.flow()
    outcome.stalls += 1
    await all_go_on(pairs)


async def outages(site: Site, outcome: Outcome, kills: int, tables: int, seed: int) -> Pairs:
    """Let people play at new tables while servers are killed `kills` times, and other things go wrong in between."""
    rng, began = random.Random(seed), time.monotonic()
    async with playing(site.url, tables) as pairs, visited(site.url, outcome):
        await all_go_on(pairs)
        for number in range(kills):
            await kill(site, pairs, rng.choice(site.machines), outcome)
            await asyncio.sleep(rng.uniform(0.0, 0.5))
            if number % 5 == 1:
                await cut(pairs, rng.choice(site.lines), rng, outcome)
            elif number % 5 == 2:
                await stall(pairs, rng.choice(site.lines), rng, outcome)
            elif number % 5 == 3:
                await halt(site, pairs, rng, outcome)
        await all_go_on(pairs)
    outcome.seconds += time.monotonic() - began
    return pairs


def judged(site: Site, pairs: Pairs, outcome: Outcome) -> None:
    """Each acknowledged move is in the log, once and in order, and every match ended as all its players saw."""
    store = Store(site.database)
    logs = {table: store.log(table) for table in pairs}
    store.close()
    for table, pair in pairs.items():
        judge(site.database, table, pair)
        folded, ends = LiveTable(), {}
        for entry in logs[table]:
            folded.apply(entry)
            if folded.stage == "over" and folded.match and folded.match.result:
                result = folded.match.result
                ends[folded.number] = list(result.scores), list(result.winners)
        for person in pair:
            assert person.table.ends == {number: ends[number] for number in person.table.ends}
        assert pair[0].table.ends.keys() | pair[1].table.ends.keys() == ends.keys()
        outcome.moves += sum(len(person.noted) for person in pair)
        outcome.matches += len(ends)
