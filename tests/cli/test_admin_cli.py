"""`cardtable admin`: what it prints for people and for programs, and where it sends the operator's token."""

from __future__ import annotations

import asyncio
import http.server
import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from cardtable import cli
from cardtable.cli.admin_requests import OperatorClient, OperatorError
from cardtable.cli.commands.admin_server import admin
from cardtable.client import Client
from cardtable.server.people import admin_token
from tests.support import commands
from tests.support.server import operating
from tests.support.server.operating import WHY, call, refused
from tests.support.server.served import OPERATOR, Served

running, server, token_file = operating.running, operating.server, operating.token_file


async def test_the_command_line(server: Served, token_file: Path) -> None:
    """What it prints for people, and for programs."""

    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", name="[red]Ann", bots=["", "medium", "", ""], seats=4)
        async with ann.table(made["id"]) as table:
            await table.command("say", text="[bold]hello")

            async def told(*words: str) -> str:
                code, out = await asyncio.to_thread(call, server, token_file, *words)
                assert code == 0, out
                return out

            code = f"{made['code'][:4]}-{made['code'][4:]}"
            out = await told("tables")
            assert code in out
            assert "[red]Ann" in out
            assert "not begun" in out
            (one,) = (each for each in json.loads(await told("tables", "--json")) if each["id"] == made["id"])
            person = one["seats"][0]["person"]
            out = await told("table", code)
            assert "[bold]hello" in out
            assert "127.0.0.1" in out
            assert "Nobody has said" not in out
            out = await told("mute", person, "--for", "12h", "--reason", WHY)
            number = json.loads(await told("bans", "--json"))[-1]["id"]
            assert f"No. {number}: mute of {person}, until 20" in out
            assert f"cardtable admin lift {number}" in out
            assert WHY in await told("bans")
            assert "is lifted" in await told("lift", str(number))
            assert "Nothing is in force." in await told("bans")
            out = await told("ban", "198.51.100.0/24", "--for", "forever", "--reason", WHY, "--json")
            assert json.loads(out)["until"] == 0
            await told("lift", str(json.loads(out)["id"]))
            out = await told("kick", code, person, "--reason", WHY)
            assert "for good" in out
            await refused(table, "person/kicked")
            await told("close", code, "--reason", WHY)
            assert "closed" in await told("table", code)
            await told("lift", out.split(":")[0].removeprefix("No. "))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["lift", "999"], "there is no such thing here"),
        (["ban", "192.0.2.300", "--for", "1h", "--reason", WHY], "it is not a network"),
        (["mute", "nobody", "--for", "1h", "--reason", WHY], "it is not the id of a person"),
        (["mute", "a" * 12, "--for", "soon", "--reason", WHY], "soon is not a length of time"),
        (["mute", "a" * 12, "--for", "0h", "--reason", WHY], "0h is not a length of time"),
        (["mute", "a" * 12, "--for", "1h"], "--reason"),
        (["mute", "a" * 12, "--reason", WHY], "--for"),
        (["table", "../metrics"], "there is nothing here"),
    ],
)
def test_the_command_line_says_what_is_wrong(server: Served, token_file: Path, words: list[str], says: str) -> None:
    code, out = call(server, token_file, *words)
    assert code != 0
    assert says in out


def test_the_token_is_not_sent_in_the_clear(tmp_path: Path, server: Served) -> None:
    """Not over plain HTTP to another machine, not to where a server redirects."""
    done = commands.run("admin", "tables", "--url", "http://cards.example.org", code=3, CARDTABLE_DATA=str(tmp_path))
    assert "over plain HTTP others could read the operator's token" in done.stderr
    for address in ("ftp://x", "https://[::1", "https://"):
        done = commands.here("admin", "tables", "--url", address, code=3, CARDTABLE_DATA=str(tmp_path))
        assert "it is not the address of a server" in done.stderr
    done = commands.run("admin", "tables", "--url", server.url, code=3, CARDTABLE_DATA=str(tmp_path))
    assert "there is no such file" in done.stderr
    admin_token.made_in(tmp_path)
    done = commands.run("admin", "tables", "--url", server.url, code=3, CARDTABLE_DATA=str(tmp_path))
    assert "the operator's token is missing or wrong" in done.stderr
    done = commands.run(
        "admin", "tables", "--url", "http://127.0.0.1:1", "--json", code=3, CARDTABLE_DATA=str(tmp_path)
    )
    assert json.loads(done.stderr)["error"]["code"] == "operator/server"


def own_address() -> str:
    """An address of this machine that others can reach."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.connect(("198.51.100.7", 9))  # sends nothing
            return str(asking.getsockname()[0])
    except OSError:
        pytest.skip("this machine has no address but loopback")


def test_an_address_of_this_machine_is_no_other_machine(token_file: Path) -> None:
    """A server on one of several machines listens to the machine's address, not to 127.0.0.1."""
    for host in ("localhost", "127.0.0.1", "127.0.0.2", own_address()):
        assert OperatorClient.of(f"http://{host}:8517", token_file).token == OPERATOR
    for host in ("198.51.100.7", "[2001:db8::7]", "10.255.255.1"):
        with pytest.raises(OperatorError, match="over plain HTTP"):
            OperatorClient.of(f"http://{host}:8517", token_file)


def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    requests: list[str] = []

    class Elsewhere(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/stolen")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Elsewhere) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        admin_token.made_in(tmp_path)
        url = f"http://127.0.0.1:{elsewhere.server_port}"
        done = commands.run("admin", "tables", "--url", url, code=3, CARDTABLE_DATA=str(tmp_path))
        elsewhere.shutdown()
    assert "it answers with 302" in done.stderr
    assert requests == ["/api/admin/tables?all=0"]


def test_every_command_has_help() -> None:
    cli.load()
    assert set(admin.commands) >= {"tables", "table", "close", "kick", "ban", "mute", "bans", "lift"}
    for command in admin.commands.values():
        assert command.help
