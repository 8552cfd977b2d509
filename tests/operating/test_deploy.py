"""The files of deploy/ work with the programs that they are for: nginx and Caddy in front of a real server, systemd,
and a dashboard of figures that exist.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cardtable.cli.commands.serve import serve
from cardtable.client import Client
from cardtable.client import TableClient as ClientTable
from cardtable.server.configuration import PREFIX, Configuration, load
from cardtable.server.metrics import Metrics
from cardtable.server.settings import Settings
from tests.support.commands import ROOT
from tests.support.programs import program
from tests.support.server import fronts
from tests.support.server.fronts import DEPLOY, SITE
from tests.support.server.served import QUICK, Served, free_port, served
from tests.support.waiting import until

FEW = 5  #: requests, and sockets, that one address may have in the tests of limits


def configured() -> Configuration:
    return load(DEPLOY / "cardtable.toml", {})


@dataclass
class Site:
    url: str
    certificate: Path
    server: Served

    def client(self, source: str = "127.0.0.1", **headers: str) -> httpx.Client:
        """A client at an address of this machine."""
        trust = fronts.trusting(self.certificate)
        return httpx.Client(
            base_url=self.url, transport=httpx.HTTPTransport(verify=trust, local_address=source), headers=headers
        )

    def socket(self, source: str = "127.0.0.1", **headers: str) -> connect:
        """A table socket from an address of this machine, to be opened with `async with`."""
        return connect(
            "wss" + self.url.removeprefix("https") + "/ws",
            host="127.0.0.1",
            local_addr=(source, 0),
            ssl=fronts.trusting(self.certificate),
            additional_headers=Client(self.url, self.server.token()).headers | headers,
            ping_interval=None,
            proxy=None,
        )

    def knock(self, source: str = "127.0.0.1", **headers: str) -> int:
        """The status of the answer to the handshake of a socket."""

        async def status() -> int:
            try:
                async with self.socket(source, **headers):
                    return 101
            except InvalidStatus as refused:
                return refused.response.status_code

        return asyncio.run(status())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return fronts.certify(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def site(
    request: pytest.FixtureRequest, certificate: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A server with the settings of deploy/, behind a proxy with its file of deploy/."""
    directory, port = tmp_path_factory.mktemp(request.param), free_port()
    few: Any = {"request_rate": (FEW, 3600.0), "connection_rate": (FEW, 3600.0)}
    settings = asdict(configured().settings) | few | QUICK
    front = {"nginx": fronts.nginx, "caddy": fronts.caddy}[request.param]
    with served(directory / "t.db", **settings) as server, front(directory, port, server.port, *certificate):
        yield Site(f"https://localhost:{port}", certificate[0], server)


async def test_two_people_play_through_the_proxy(site: Site) -> None:
    async def move(*tables: ClientTable) -> None:
        for _ in range(10):
            await tables[0].until(lambda: all(t.version for t in tables) and any(t.legal for t in tables))
            (mover,) = [table for table in tables if table.legal]
            others = [(table, table.version) for table in tables if table is not mover]
            await mover.move(mover.legal[0])
            for table, before in others:
                await table.until(lambda table=table, before=before: table.version > before)  # type: ignore[misc]

    with fronts.trusted(site.certificate):
        async with Client(site.url) as ann, Client(site.url) as ben:
            made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", ""])
            async with ann.table(made["id"]) as first, ben.table(made["code"]) as second:
                await second.sit("Ben")
                await first.until(lambda: first.stage == "playing")
                await second.until(lambda: second.stage == "playing")
                await move(first, second)
                assert first.connections == second.connections == 1


def test_the_cookie_is_for_https_only(site: Site) -> None:
    with site.client() as client:
        told = client.get("/")
    assert told.status_code == 200
    assert "; Secure" in told.headers["set-cookie"]
    assert "max-age=" in told.headers["strict-transport-security"]


def test_links_are_those_of_the_proxy(site: Site) -> None:
    with site.client() as client:
        made = client.post("/api/tables", json={"game": "fan-tan"}, headers={"Origin": site.url})
        assert made.status_code == 201, made.text
        assert client.get(f"/api/tables/{made.json()['id']}/qr.svg").status_code == 200
        assert client.post("/api/tables", json={}, headers={"Origin": "https://other.example"}).status_code == 403


@pytest.mark.parametrize(
    ("source", "forged"),
    [("127.0.0.2", []), ("127.0.0.3", ["127.0.0.1"]), ("127.0.0.4", [f"198.51.100.{n}" for n in range(FEW + 1)])],
    ids=["plain", "as-this-machine", "ever-another"],
)
def test_each_address_has_its_own_limits(site: Site, source: str, forged: list[str]) -> None:
    """Whatever a client says about its address, it is the one that the proxy sees."""
    told = [{"X-Forwarded-For": forged[n % len(forged)]} if forged else {} for n in range(FEW + 1)]
    with site.client(source) as client:
        answers = [client.get("/api/tables", headers=headers).status_code for headers in told]
        assert answers == [200] * FEW + [429]
        assert client.get("/metrics", headers=told[0]).status_code == 403
    assert [site.knock(source, **headers) for headers in told] == [101] * FEW + [403]
    with site.client() as client:  # this machine itself has no limits
        assert {client.get("/api/tables").status_code for _ in range(FEW + 2)} == {200}


def test_the_log_has_the_address_that_the_proxy_sees(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "cardtable.requests"), site.client("127.0.0.6") as client:
        client.get("/about", headers={"X-Forwarded-For": "198.51.100.7"})
        until(lambda: caplog.records)
    told = [vars(entry)["fields"] for entry in caplog.records]
    assert [(fields["path"], fields["address"]) for fields in told] == [("/about", "127.0.0.6")]


def test_who_goes_round_the_proxy_is_not_believed(site: Site) -> None:
    told = []
    for n in range(FEW + 1):
        transport = httpx.HTTPTransport(local_address="127.0.0.5")
        with httpx.Client(transport=transport, headers={"X-Forwarded-For": f"198.51.100.{n}"}) as client:
            told.append(client.get(site.server.url + "/api/tables").status_code)
    assert told == [200] * FEW + [429]


def test_sockets_are_for_pages_of_this_site(site: Site) -> None:
    assert site.knock(Origin=site.url) == 101
    assert site.knock(Origin="https://other.example") == 403


def test_a_long_record_gets_an_answer_of_the_server(site: Site) -> None:
    """nginx lets through what is a little too long, and itself refuses what is much longer."""
    with site.client() as client:
        told = client.post("/api/verify", content=b"#" * (Settings().longest_record + 10))
        assert (told.status_code, told.json()["error"]["code"]) == (413, "http/size")
        assert client.post("/api/verify", content=b"#" * 2_000_000).status_code == 413


@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_a_site_below_a_path(name: str, certificate: tuple[Path, Path], tmp_path: Path) -> None:
    """As docs/operating.md says: the proxy passes the path on as it is."""
    front, old, new = {
        "nginx": (fronts.nginx, "location / {\n        proxy_pass", "location /cards/ {\n        proxy_pass"),
        "caddy": (fronts.caddy, "reverse_proxy 127", "reverse_proxy /cards/* 127"),
    }[name]
    port = free_port()
    settings: Any = asdict(configured().settings) | {"prefix": "/cards"} | QUICK
    with served(tmp_path / "t.db", **settings) as server, front(tmp_path, port, server.port, *certificate, (old, new)):
        site = Site(f"https://localhost:{port}/cards", certificate[0], server)
        with site.client() as client:
            page = client.get("/")
            assert page.status_code == 200
            assert page.headers["set-cookie"].startswith("__Host-cardtable.cards=")
            assert client.get("/static/main.js").status_code == 200
            assert client.get("/healthz").json() == {"ok": True}
            assert "set-cookie" not in client.get(f"https://localhost:{port}/").headers
        assert site.knock(Origin=f"https://localhost:{port}") == 101


#: the limits of each file for who asks for pages, which are a second where time must pass in a test
LIMITS = {
    "nginx": [
        (f"{name:<22}{seconds}s;", f"{name} 1s;")
        for name, seconds in (
            ("client_header_timeout", 10),
            ("client_body_timeout", 30),
            ("send_timeout", 20),
            ("keepalive_timeout", 30),
        )
    ],
    "caddy": [("read_header 10s", "read_header 1s"), ("idle 30s", "idle 1s")],
}


@pytest.mark.parametrize("name", LIMITS)
def test_who_is_slow_is_cut_off_and_a_quiet_socket_stays_open(
    name: str, certificate: tuple[Path, Path], server: Served, tmp_path: Path
) -> None:
    """Who does not finish a request, or asks for nothing more; a socket is open for as long as it likes."""
    front, port = {"nginx": fronts.nginx, "caddy": fronts.caddy}[name], free_port()

    def until_cut(sent: bytes) -> None:
        with (
            socket.create_connection(("127.0.0.1", port), 90) as plain,
            fronts.trusting(certificate[0]).wrap_socket(plain, server_hostname="localhost") as line,
        ):
            line.sendall(sent)
            while line.recv(4096):
                pass

    async def wait(site: Site) -> None:
        made = await asyncio.to_thread(lambda: httpx.post(f"{server.url}/api/tables", json={"game": "fan-tan"}).json())
        async with site.socket() as line:
            await line.send(json.dumps({"type": "hello", "table": made["id"]}))
            assert json.loads(await line.recv())["type"] == "table"
            await asyncio.to_thread(until_cut, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            await asyncio.to_thread(until_cut, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await line.send('{"type":"ping","n":7}')
            while (told := json.loads(await line.recv()))["type"] == "table":  # it may be told twice
                pass
            assert told["n"] == 7

    with front(tmp_path, port, server.port, *certificate, *LIMITS[name]):
        asyncio.run(asyncio.wait_for(wait(Site(f"https://localhost:{port}", certificate[0], server)), 300))


def test_nginx_ends_a_quiet_socket_after_an_hour(
    certificate: tuple[Path, Path], server: Served, tmp_path: Path
) -> None:
    """By the line of its file that says so, which is made a second here; without it, it would be a minute."""
    port = free_port()

    async def wait(site: Site) -> None:
        async with site.socket() as line:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await line.recv()

    with fronts.nginx(tmp_path, port, server.port, *certificate, ("proxy_read_timeout 1h;", "proxy_read_timeout 1s;")):
        asyncio.run(asyncio.wait_for(wait(Site(f"https://localhost:{port}", certificate[0], server)), 300))


# The files by themselves


def test_nginx_takes_the_file(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    path = fronts.nginx_whole(tmp_path, fronts.nginx_file(*certificate, free_port(), 8517))
    done = subprocess.run([program("nginx"), "-t", "-p", tmp_path, "-c", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # Since nginx 1.25.1 there is another way to say it, which older ones, as in Debian 12, do not know.
    newer = 'the "listen ... http2" directive is deprecated'
    assert [line for line in done.stderr.splitlines() if "[warn]" in line and newer not in line] == []


def test_nginx_counts_half_of_an_ipv6_address(tmp_path: Path) -> None:
    """An owner of a /64 has all of its addresses, so they count as one, as in the server itself."""
    limits = (DEPLOY / "nginx.conf").read_text("utf-8").partition("limit_conn_zone")[0]
    port = free_port()
    inner = (
        f"{limits}\nserver {{ listen 127.0.0.1:{port}; set_real_ip_from 127.0.0.1; real_ip_header X-Real-IP;\n"
        "location / { return 200 $cardtable_client; } }\n"
    )
    path = fronts.nginx_whole(tmp_path, inner)
    with fronts.running([program("nginx"), "-p", str(tmp_path), "-c", str(path)], port):

        def counted(address: str) -> bytes:
            return httpx.get(f"http://127.0.0.1:{port}/", headers={"X-Real-IP": address}).content

        assert counted("198.51.100.7") == bytes((198, 51, 100, 7))
        assert counted("2001:db8:a0a:a::1") == counted("2001:db8:a0a:a:a:b:c:d") == bytes.fromhex("20010db80a0a000a")
        assert counted("2001:db8:a0a:b::1") != counted("2001:db8:a0a:a::1")


def test_caddy_takes_the_file(tmp_path: Path) -> None:
    command = [program("caddy"), "validate", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    done = subprocess.run(
        command, capture_output=True, text=True, env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    )
    assert done.returncode == 0, done.stderr
    formatted = subprocess.run([program("caddy"), "fmt", DEPLOY / "Caddyfile"], capture_output=True, text=True).stdout
    assert formatted == (DEPLOY / "Caddyfile").read_text("utf-8")


def units(directory: Path) -> list[Path]:
    found = []
    for path in (*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer"), *DEPLOY.glob("*.socket")):
        text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", path.read_text("utf-8"), flags=re.MULTILINE)
        found.append(directory / path.name)
        found[-1].write_text(text, "utf-8")
    return found


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    there = units(tmp_path)
    assert len(there) == 4
    done = subprocess.run([program("systemd-analyze"), "verify", *there], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_systemd_takes_the_service_of_several_machines(tmp_path: Path) -> None:
    """It is as closed as before, except for the addresses of the other machines."""
    units(tmp_path)
    changes = tmp_path / "cardtable.service.d"
    changes.mkdir()
    shutil.copy(DEPLOY / "network.conf", changes)
    service = tmp_path / "cardtable.service"
    done = subprocess.run([program("systemd-analyze"), "verify", service], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    command = [program("systemd-analyze"), "security", "--offline=true", "--threshold=20", "--no-pager", str(service)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["cardtable", "cardtable-backup"])
def test_the_services_are_sandboxes(name: str, tmp_path: Path) -> None:
    """systemd's own measure, of 100; a unit without any restriction has 96."""
    command = [program("systemd-analyze"), "security", "--offline=true", "--threshold=18", "--no-pager"]
    units(tmp_path)
    done = subprocess.run([*command, tmp_path / f"{name}.service"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_backup_is_of_the_database_of_the_service() -> None:
    service, backup = ((DEPLOY / f"{name}.service").read_text("utf-8") for name in ("cardtable", "cardtable-backup"))
    (data,) = re.findall(r"CARDTABLE_DATA=(\S+)", service)
    (words,) = re.findall(r"^ExecStart=(.*)$", backup, re.MULTILINE)
    assert words.split()[1] == f"{data}/cardtable.db"
    for place in (data, words.split()[2]):
        assert re.search(rf"^ReadWritePaths=.*{place}\b", backup, re.MULTILINE)
    assert (DEPLOY / Path(words.split()[0]).name).is_file()


def test_the_unit_starts_a_command_that_exists() -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", (DEPLOY / "cardtable.service").read_text("utf-8"), re.MULTILINE)
    words = line.split()
    assert words[1] == "serve"
    known = {name for param in serve.params for name in (*param.opts, *param.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= known


def test_the_settings_are_for_a_server_behind_a_proxy() -> None:
    given = configured()
    assert (given.host, given.port) == ("127.0.0.1", 8517)
    assert given.settings.secure
    assert given.settings.proxies == {"127.0.0.1"}
    for name in ("Caddyfile", "nginx.conf"):
        assert f"{given.host}:{given.port}" in (DEPLOY / name).read_text("utf-8")
        assert SITE in (DEPLOY / name).read_text("utf-8")


def test_the_socket_is_where_the_settings_say() -> None:
    """So the proxy's file is right with and without it."""
    given = configured()
    (place,) = re.findall(r"^ListenStream=(.*)$", (DEPLOY / "cardtable.socket").read_text("utf-8"), re.MULTILINE)
    assert place == f"{given.host}:{given.port}"


def test_nginx_ends_connections_before_the_server_does() -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    (seconds,) = re.findall(r"^    keepalive_timeout (\d+)s;  #", text, re.MULTILINE)
    (caddy,) = re.findall(r"^\t+keepalive (\d+)s$", (DEPLOY / "Caddyfile").read_text("utf-8"), re.MULTILINE)
    assert max(int(seconds), int(caddy)) < configured().settings.keep_alive


def test_the_container_has_what_it_names() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    for words in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.MULTILINE):
        assert all((ROOT / word).exists() for word in words.split()), words
    images = re.findall(r"^FROM \S+:(3\.\d+)-", text, re.MULTILINE)
    assert len(images) == 2
    assert len(set(images)) == 1
    given = load(None, dict(re.findall(rf"({PREFIX}\w+)=(\S+)", text)))
    assert (given.host, given.port) == ("0.0.0.0", 8517)
    assert "EXPOSE 8517" in text


@pytest.mark.parametrize("prefix", ["", "/cards"])
def test_the_container_asks_for_its_health(prefix: str, tmp_path: Path) -> None:
    """Where the site is, also below a path. The container has a shell and Python."""
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    (command,) = re.findall(r"^HEALTHCHECK .*\\\n\s+CMD (.*)$", text, re.MULTILINE)
    with served(tmp_path / "t.db", prefix=prefix, allowed_hosts=frozenset({SITE}), secure=True) as server:

        def health(port: int) -> int:
            here = {"PATH": f"{tmp_path}:{os.environ['PATH']}"} | ({f"{PREFIX}PREFIX": prefix} if prefix else {})
            asked = command.replace("8517", str(port))
            return subprocess.run(["sh", "-c", asked], env=here, capture_output=True).returncode

        (tmp_path / "python").symlink_to(sys.executable)
        assert health(server.port) == 0
        assert health(free_port()) != 0
    for where in (text, (ROOT / "docs" / "operating.md").read_text("utf-8")):
        assert "podman build --format docker " in where, "podman would leave HEALTHCHECK out"


def test_the_dashboard_shows_figures_that_exist() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    told = re.findall(r"^# TYPE (\S+) (\S+)$", Metrics().text().decode(), re.MULTILINE)
    there = {name for name, _ in told} | {
        f"{name}{end}" for name, kind in told if kind == "histogram" for end in ("_bucket", "_sum", "_count")
    }
    shown = {name for query in queries for name in re.findall(r"cardtable_\w+", query)}
    assert shown
    assert shown <= there
    bases = {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown}
    assert {name for name, _ in told if not name.endswith("_created")} == bases, "a figure is not on the dashboard"
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_alerts_are_about_figures_that_exist() -> None:
    """Each rule has a separate name, says for how long it must hold, how bad it is, and what it is."""
    text = (DEPLOY / "alerts.yml").read_text("utf-8")
    rules = text.split("      - alert: ")[1:]
    names = [rule.split("\n")[0] for rule in rules]
    assert len(rules) > 10
    assert len(set(names)) == len(names)
    for rule in rules:
        assert re.search(r"^        expr: \S", rule, re.MULTILINE), rule
        assert re.search(r"^        for: \d+m$", rule, re.MULTILINE), rule
        assert re.search(r"^        labels: \{severity: (critical|warning)\}$", rule, re.MULTILINE), rule
        assert re.search(r'^        annotations: \{summary: "[^"]+"\}$', rule, re.MULTILINE), rule
    told = re.findall(r"^# TYPE (\S+) (\S+)$", Metrics().text().decode(), re.MULTILINE)
    there = {name for name, _ in told} | {f"{name}_bucket" for name, kind in told if kind == "histogram"}
    used = set(re.findall(r"cardtable_\w+", "".join(re.findall(r"expr: (?:>-\n)?((?:.*\n)+?)        for:", text))))
    assert used
    assert used <= there
