"""One machine with two processes, as the guide says: the settings of deploy/ with the guide's lines for PostgreSQL,
behind the real nginx and the real Caddy with their files of deploy/. Two people play a match to its end over TLS while
processes are killed and replaced.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import fronts
import pytest
from databases import empty_database
from faults import Heard, Player, eventually, judge
from fronts import DEPLOY
from outages import trusted
from served import free_port
from services import Service
from test_operating_several import block

from cardtable.client import Client

SCHEDULE = (3, 6, 9)  #: moves of a person after which everybody waits while something happens to the processes


@dataclass
class Site:
    """Where people find it, its database, and the service behind it."""

    url: str
    database: str
    service: Service


def settings(port: int, database: str) -> str:
    """deploy/cardtable.toml with the guide's lines for several processes in place of its own."""
    lines = block("toml", "run/postgresql")
    own = dict(re.findall(r"^(\w+) = (.*)$", lines, re.MULTILINE))
    text = (DEPLOY / "cardtable.toml").read_text("utf-8")
    for name, value in own.items():
        (line,) = re.findall(rf"^# {name} = .*$", text, re.MULTILINE)
        text = text.replace(line, f"{name} = {value}")
    return fronts.replaced(
        text,
        (own["database"].strip('"'), database),
        ('allowed_hosts = ["cards.example.org"]', 'allowed_hosts = ["localhost"]'),
        ("port = 8517", f"port = {port}"),
    )


@pytest.fixture(params=[fronts.nginx, fronts.caddy], ids=["nginx", "caddy"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """The service behind each proxy, whose certificate is trusted."""
    front: Any = request.param
    with ExitStack() as stack:
        database = stack.enter_context(empty_database())
        port, at = free_port(), free_port()
        service = Service(tmp_path / "service", settings(port, database))
        stack.callback(service.stop)
        service.wait()
        certificate, key = fronts.certify(tmp_path)
        stack.enter_context(front(tmp_path, at, port, certificate, key))
        stack.enter_context(trusted(certificate))
        yield Site(f"https://localhost:{at}", database, service)


class Paced(Player):
    """Who plays one match, and waits after so many moves until more are allowed."""

    most = 0

    def _can_act(self) -> bool:
        return self.table.stage != "over" and super()._can_act()

    async def _act(self) -> None:
        await eventually(lambda: self._stopping or len(self.noted) < self.most, "more moves are allowed", 90.0)
        if self._can_act() and not self._stopping:
            await super()._act()


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_two_people_finish_a_match_whatever_happens_to_the_processes(site: Site) -> None:
    service = site.service

    async def up_to(players: list[Paced], most: int) -> None:
        for player in players:
            player.most = most
        await eventually(
            lambda: all(player.table.stage == "over" for player in players)
            or any(len(player.noted) >= most for player in players),
            f"somebody has made {most} moves", 60.0,
        )  # fmt: skip

    async def kill_each() -> None:
        for victim in service.children:
            os.kill(victim, signal.SIGKILL)
            await eventually(partial(others, victim), "another")

    def others(than: int) -> bool:
        return than not in service.children and len(service.children) == 2

    async def replace() -> None:  # systemctl reload
        before = set(service.children)
        service.process.send_signal(signal.SIGUSR1)
        await eventually(lambda: len(service.children) == 2 and not before & set(service.children), "all are new", 60.0)

    async def play(players: list[Paced]) -> None:
        for most, happens in zip(SCHEDULE, (kill_each, replace, kill_each), strict=True):
            await up_to(players, most)
            assert players[0].table.stage != "over", "the match was too short to see anything"
            await happens()
        await up_to(players, 10_000)
        await asyncio.gather(*(player.stop() for player in players))  # the end may be shown before it is acknowledged
        assert all(player.table.connections > 1 for player in players)

    async def test() -> tuple[str, list[Paced]]:
        async with Client(site.url) as ann, Client(site.url) as ben:
            made = await ann.make("fan-tan", name="Ann", seats=3, bots=["", "", "simple"])
            async with Heard(ann, made["id"]) as a, Heard(ben, made["code"]) as b:
                await eventually(lambda: a.seat == 0, "Ann sits")
                await b.sit("Ben")
                players = [Paced(a), Paced(b)]
                tasks = [asyncio.create_task(player.play()) for player in players]
                try:
                    await play(players)
                    seen = [player.table.view for player in players]
                    assert all(view and view["winners"] for view in seen)
                    assert len({str((view["scores"], view["winners"])) for view in seen if view}) == 1
                finally:
                    faults = [fault for task in tasks if task.done() and (fault := task.exception())]
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
                assert not faults, faults
                return made["id"], players

    assert len(service.children) == 2
    table, players = asyncio.run(asyncio.wait_for(test(), 240.0))
    judge(site.database, table, tuple(players))
    assert "Traceback" not in service.log
