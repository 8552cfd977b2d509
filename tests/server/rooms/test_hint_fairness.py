"""Hints are worked out in turn for each address, so that a person who asks for many holds up nobody else."""

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from cardtable.client import Client, ServerError
from cardtable.server.net.fair_queue import Busy
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import Advised, SearchPool, plain
from cardtable.server.thinking.pool import Pool
from cardtable.table import fair
from cardtable.views.view import View
from tests.support.server.pools import servers, warm, with_choice
from tests.support.server.served import Served, served
from tests.support.waiting import eventually

pytestmark = pytest.mark.skipif(plain(), reason="rules are not compiled, so hints are not searched")
TABLES = 12
HERE, THERE = "127.0.0.1", "127.0.0.2"


class Held:
    """Hints that are not worked out until they are let go; the seeds of those that were, in order."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.order: list[str] = []
        self.go = threading.Event()

        def search(pool: SearchPool, view: View, flat: bool, seed: str, most: float) -> Advised:
            self.order.append(seed)
            self.go.wait(300.0)
            return Advised(view.legal[0], {})

        patch.setattr(SearchPool, "_search", search)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    found = Held(monkeypatch)
    yield found
    found.go.set()


class Asking:
    """A host who is to move at a table, and who asks for a hint from some address."""

    def __init__(self, server: Served, address: str) -> None:
        self._server, self._address = server, address
        self.client = Client(server.url)

    async def sit(self) -> None:
        """Make the table."""
        await self.client.__aenter__()
        made = await self.client.make("oh-hell", name="Ann", seats=3, bots=["", "medium", "medium"])
        self.table = str(made["id"])
        async with self.client.table(self.table) as table:
            await table.until(lambda: len(table.legal) > 1)

    async def ask(self) -> None:
        """Ask for a hint, and do not wait for it."""
        cookie = {"Cookie": f"cardtable={self.client.token}"}
        url = self._server.url.replace("http", "ws") + "/ws"
        self.socket: ClientConnection = await connect(
            url, additional_headers=cookie, compression=None, local_addr=(self._address, 0)
        )
        await self.socket.send(json.dumps({"type": "hello", "table": self.table, "version": 0}))
        await self.socket.send(json.dumps({"type": "hint"}))

    async def told(self) -> dict[str, Any]:
        """The answer to the hint."""
        async with asyncio.timeout(300.0):
            while (message := json.loads(await self.socket.recv()))["type"] not in ("advice", "refused"):
                pass
        return dict(message)

    @property
    def hints(self) -> int:
        """How many hints this host has asked for, as they are counted."""
        return int(self._server.app.hall.rooms[self.table].table.places[0].hints)

    @property
    def seed(self) -> str:
        table = self._server.app.hall.rooms[self.table].table
        return fair.bot_seed(table.secret, table.number, 0)

    async def end(self) -> None:
        """Go away."""
        self.socket.transport.abort()
        await self.client.__aexit__(None, None, None)


async def all_asked(asking: list[Asking]) -> None:
    """All these ask, one after the other, and the server has heard them."""
    for one in asking:
        await one.sit()
    for one in asking:
        await one.ask()
        await eventually(lambda one=one: one.hints == 1)  # type: ignore[misc]


async def test_a_stranger_does_not_wait_for_the_hints_of_another_address(held: Held, tmp_path: Path) -> None:
    """Only the hint that is being worked out, and the next one, are before theirs."""

    with served(tmp_path / "t.db") as server:
        asking = [*(Asking(server, HERE) for _ in range(TABLES)), Asking(server, THERE)]
        await all_asked(asking)
        await eventually(lambda: bool(held.order))
        held.go.set()
        assert [(await one.told())["type"] for one in asking] == ["advice"] * (TABLES + 1)
        *seeds, stranger = (one.seed for one in asking)
        assert held.order.index(stranger) <= 2
        assert [one for one in held.order if one != stranger] == seeds
        for one in asking:
            await one.end()


async def test_too_many_hints_of_an_address_are_refused_and_nobody_is_disconnected(held: Held, tmp_path: Path) -> None:
    """One is being worked out, one waits, and the third is refused; asked for again later, it is given."""

    with served(tmp_path / "t.db", hints_waiting_each=1) as server:
        ann, ben, eve = asking = [Asking(server, HERE) for _ in range(3)]
        await all_asked([ann, ben])
        await eve.sit()
        async with eve.client.table(eve.table) as table:
            with pytest.raises(ServerError, match="too much of yours waits to be done") as error:
                await asyncio.wait_for(table.hint(), 300.0)
            assert error.value.code == "server/busy"
            held.go.set()
            assert {(await one.told())["type"] for one in (ann, ben)} == {"advice"}
            assert (await asyncio.wait_for(table.hint(), 300.0))["move"] in table.legal
            assert table.connections == 1
        assert len(held.order) == len(asking)
        for one in (ann, ben):
            await one.end()
        await eve.client.__aexit__(None, None, None)


async def test_hints_that_are_not_wanted_any_more_leave_the_queue(held: Held) -> None:
    view = with_choice()

    bots = SearchPool(Settings(hints_waiting_each=2, hints_waiting=3, hint_within=300.0))
    first = asyncio.create_task(bots.hint(view, "first", "a"))
    await eventually(lambda: held.order == ["first"])
    for _ in range(3):
        unwanted = [asyncio.create_task(bots.hint(view, "unwanted", one)) for one in ("a", "a", "b")]
        await asyncio.sleep(0)
        for address in ("a", "c"):  # the address has too many, and all together have
            with pytest.raises(Busy) as error:
                await bots.hint(view, "refused", address)
            assert error.value.code == "server/busy"
        assert bots.waiting == 1, "hints that wait take no bot's time"
        for one in unwanted:
            one.cancel()
        await asyncio.gather(*unwanted, return_exceptions=True)
    last = asyncio.create_task(bots.hint(view, "last", "a"))
    held.go.set()
    await asyncio.gather(first, last)
    assert held.order == ["first", "last"]
    bots.close()


def test_addresses_take_turns_over_all_servers_of_a_pool(held: Held) -> None:
    """The hints of an address wait in one queue, wherever they were asked for, and in another one than a stranger's."""
    view = with_choice()
    warm("fan-tan")

    async def run(settings: Settings) -> None:
        shared = Pool(settings)
        async with await asyncio.start_unix_server(shared.serve, settings.pool):
            try:
                await ask(settings)
            finally:
                held.go.set()
                await shared.close()

    async def ask(settings: Settings) -> None:
        with servers(settings, 2) as (a, b):
            many = [asyncio.create_task(a.bots.hint(view, "0", HERE))]
            await eventually(lambda: bool(held.order))  # it does not wait any more, so the others may
            many += [asyncio.create_task((a, b)[k % 2].bots.hint(view, f"{k}", HERE)) for k in range(1, TABLES)]
            await asyncio.sleep(0)
            await asyncio.gather(a.arrived(), b.arrived())
            with pytest.raises(Busy, match="too much of yours"):
                await b.bots.hint(view, "one more", HERE)
            stranger = asyncio.create_task(b.bots.hint(view, "stranger", THERE))
            await asyncio.sleep(0)
            await b.arrived()
            held.go.set()
            await asyncio.gather(*many, stranger)
        assert held.order.index("stranger") <= 2
        assert sorted(held.order) == sorted(["stranger", *map(str, range(TABLES))])

    with tempfile.TemporaryDirectory(prefix="pool-") as directory:  # pytest's own may be too long for a socket
        path = str(Path(directory) / "pool")
        asyncio.run(run(Settings(pool=path, hints_waiting_each=TABLES - 1, hint_within=300.0, bot_threads=1)))


async def test_a_hint_that_has_to_wait_is_the_rule_of_thumbs(held: Held) -> None:
    """After `hint_within` the answer is what is known without a search, and the queue is free again."""
    view = with_choice()

    bots = SearchPool(Settings(hint_within=0.05))
    first = asyncio.create_task(bots.hint(view, "first", "a"))
    await eventually(lambda: held.order == ["first"])
    found = await bots.hint(view, "second", "a")
    assert found.move in view.legal
    assert found.values == {}
    assert (await first).values == {}
    held.go.set()
    bots.close()
