"""What the guide says about several machines works as it is written there: its settings and its lines for nginx and
Caddy, with two machines, and people who play through each proxy over TLS.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cardtable.server.configuration import load
from tests.operating.test_operating import DEPLOY, SEVERAL
from tests.support.databases import empty_database
from tests.support.programs import needs
from tests.support.server import fronts
from tests.support.server.faults import judge
from tests.support.server.outages import all_go_on, playing
from tests.support.server.served import free_port
from tests.support.server.services import Service


def block(language: str, word: str) -> str:
    """The block of code in the guide that has a word."""
    (found,) = [text for text in re.findall(rf"```{language}\n(.*?)```", SEVERAL, re.DOTALL) if word in text]
    return str(found)


def test_the_settings_are_those_of_one_machine(tmp_path: Path) -> None:
    path = tmp_path / "cardtable.toml"
    path.write_text(block("toml", "internal"), "utf-8")
    given = load(path, {})
    assert (given.host, given.processes) == ("10.0.0.1", 2)
    assert given.settings.secure
    assert given.settings.admin_from == {given.host}, "`cardtable admin` would get no answer on this machine"
    path.write_text(block("toml", "run/postgresql"), "utf-8")
    assert load(path, {}).processes == 2


def test_the_lines_for_nginx_are_like_the_one_in_its_file() -> None:
    line = fronts.SERVER.partition("  #")[0]
    assert block("nginx", "server").splitlines() == [
        line.replace("127.0.0.1", "10.0.0.1"),
        line.replace("127.0.0.1", "10.0.0.2"),
    ]
    assert "reverse_proxy @table 127.0.0.1:8517 {" in (DEPLOY / "Caddyfile").read_text("utf-8")
    assert "reverse_proxy @table 10.0.0.1:8517 10.0.0.2:8517 {" in SEVERAL


class Machine(Service):
    """A machine as in the guide, at an address of this one."""

    def __init__(self, directory: Path, number: int, port: int, internal: int, database: str) -> None:
        address = f"127.0.0.{number}"
        text = fronts.replaced(
            block("toml", "internal"),
            (re.findall(r'database = "(.*)"', block("toml", "internal"))[0], database),
            ('proxies = ["10.0.0.9"]', 'proxies = ["127.0.0.1"]'),
            ('metrics_to = ["10.0.0.9"]', 'metrics_to = ["127.0.0.9"]'),
            ('allowed_hosts = ["cards.example.org"]', 'allowed_hosts = ["localhost"]'),
            ("10.0.0.1", address),
            ("8517", str(port)),
            ("8600", str(internal)),
            ("processes = 2", "processes = 1"),  # tests/server/cluster/test_cluster.py has two behind one internal port
        )
        super().__init__(directory, text)
        self.url = f"http://{address}:{port}"

    def tables(self) -> float:
        text = self.figures(self.url, "127.0.0.9")
        return float(re.findall(r"^cardtable_tables (\S+)$", text, re.MULTILINE)[0])


@dataclass
class Site:
    """Where people find it through each proxy, its database, and its machines."""

    urls: list[str]
    database: str
    machines: tuple[Machine, Machine]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        database = stack.enter_context(empty_database())
        port, internal = free_port(), free_port()
        both = []
        for number in (1, 2):
            both.append(Machine(tmp_path / f"machine-{number}", number, port, internal, database))
            stack.callback(both[-1].stop)
        for machine in both:
            machine.wait()
        certificate, key = fronts.certify(tmp_path)

        def here(text: str) -> str:
            return text.replace("10.0.0.", "127.0.0.").replace("8517", str(port))

        fronted: list[tuple[Any, tuple[str, str]]] = [
            (fronts.nginx, (fronts.SERVER.replace("8517", str(port)), here(block("nginx", "server")))),
            (fronts.caddy, (f"127.0.0.1:{port} {{", here("10.0.0.1:8517 10.0.0.2:8517 {"))),
        ]
        urls = []
        for front, changes in fronted:
            at = free_port()
            place = tmp_path / front.__name__
            place.mkdir()
            stack.enter_context(front(place, at, port, certificate, key, changes))
            urls.append(f"https://localhost:{at}")
        stack.enter_context(fronts.trusted(certificate))
        yield Site(urls, database, (both[0], both[1]))


@pytest.mark.exhaustive
@needs("PostgreSQL", "psycopg", "nginx", "caddy", "openssl")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_people_play_while_a_machine_is_stopped(site: Site) -> None:
    """At two tables, one through each proxy; the machine is one that has a table."""

    async def test() -> None:
        async with playing(site.urls[0], 1) as first, playing(site.urls[1], 1) as second:
            pairs = first | second
            await all_go_on(pairs)
            held = [await asyncio.to_thread(machine.tables) for machine in site.machines]
            assert sum(held) == 2.0
            stopped, other = site.machines if held[0] else reversed(site.machines)
            await asyncio.to_thread(stopped.stop)
            await all_go_on(pairs)
            assert await asyncio.to_thread(other.tables) == 2.0
        for table, pair in pairs.items():
            judge(site.database, table, pair)

    asyncio.run(asyncio.wait_for(test(), 300.0))
    assert "Traceback" not in "".join(machine.log for machine in site.machines)
