"""One machine with two processes, as the guide says: the settings of deploy/ with the guide's lines for PostgreSQL,
behind the real nginx and the real Caddy with their files of deploy/. Two people, one through each, play a match to its
end over TLS while the process that has their table is killed.

tests/server/cluster/test_processes.py replaces all processes (`systemctl reload`);
tests/server/cluster/test_supervisor.py has its signal.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from cardtable.client import Client
from tests.operating.test_operating_several import block
from tests.support.databases import empty_database, process_of
from tests.support.programs import needs
from tests.support.server import fronts
from tests.support.server.faults import Heard, Player, judge
from tests.support.server.fronts import DEPLOY
from tests.support.server.served import free_port
from tests.support.server.services import Service
from tests.support.waiting import eventually


@dataclass
class Site:
    """Where people find it through each proxy, its database, and the service behind it."""

    urls: tuple[str, str]
    database: str
    service: Service


def settings(port: int, database: str) -> str:
    """deploy/cardtable.toml with the guide's lines for several processes."""
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


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        database = stack.enter_context(empty_database())
        port, urls = free_port(), []
        service = Service(tmp_path / "service", settings(port, database))
        stack.callback(service.stop)
        service.wait()
        certificate, key = fronts.certify(tmp_path)
        for name, front in (("nginx", fronts.nginx), ("caddy", fronts.caddy)):
            at = free_port()
            (tmp_path / name).mkdir()
            stack.enter_context(front(tmp_path / name, at, port, certificate, key))
            urls.append(f"https://localhost:{at}")
        stack.enter_context(fronts.trusted(certificate))
        yield Site((urls[0], urls[1]), database, service)


class Once(Player):
    def _can_act(self) -> bool:
        return self.table.stage != "over" and super()._can_act()


@pytest.mark.exhaustive
@needs("PostgreSQL", "psycopg", "nginx", "caddy", "openssl")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_two_people_finish_a_match_although_its_process_is_killed(site: Site) -> None:
    service = site.service

    async def play(table: str, players: tuple[Once, Once]) -> None:
        await eventually(lambda: all(player.noted for player in players), "both have moved")
        victim = await asyncio.to_thread(process_of, site.database, table)
        assert victim in service.children
        os.kill(victim, signal.SIGKILL)
        await eventually(lambda: all(player.table.connections > 1 for player in players), "both connect again")
        assert players[0].table.stage != "over", "the match was too short to see anything"
        await eventually(lambda: all(player.table.stage == "over" for player in players), "the match is over")
        await asyncio.gather(*(player.stop() for player in players))  # the end may be shown before it is acknowledged
        await eventually(lambda: len(set(service.children) - {victim}) == 2, "another serves in its place")

    async def test() -> tuple[str, tuple[Once, Once]]:
        async with Client(site.urls[0]) as ann, Client(site.urls[1]) as ben:
            made = await ann.make("fan-tan", name="Ann", seats=3, bots=["", "", "medium"], options={"deals": 1})
            async with Heard(ann, made["id"]) as a, Heard(ben, made["code"]) as b:
                await eventually(lambda: a.seat == 0, "Ann sits")
                await b.sit("Ben")
                players = Once(a), Once(b)
                tasks = [asyncio.create_task(player.play()) for player in players]
                try:
                    await play(made["id"], players)
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
    table, players = asyncio.run(asyncio.wait_for(test(), 300.0))
    judge(site.database, table, players)
    assert "Traceback" not in service.log
