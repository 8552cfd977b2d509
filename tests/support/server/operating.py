"""What tests of the operator's tools share: requests with the operator's token."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from cardtable.cli.commands.admin_server import admin
from cardtable.client import ServerError, TableClient
from cardtable.server.people import admin_token
from tests.support.server.served import OPERATOR, Served, served

RIGHT = {"Authorization": f"Bearer {OPERATOR}"}
WHY = "insults in the chat"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("admin") / "tables.db", proxies=frozenset({"127.0.0.2"})) as one:
        yield one


@pytest.fixture
def server(running: Served) -> Iterator[Served]:
    """The server of this file; whatever a test leaves in force is lifted after it."""
    yield running
    for one in running.app.hall.restrictions.all():
        lift(running, {"id": one.id})


def ask(server: Served, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
    """What the operator asks of the API."""
    return httpx.request(method, f"{server.url}/api/admin/{path}", json=body, headers=RIGHT | headers, timeout=120)


def done(answer: httpx.Response) -> Any:
    """The body of an answer to something that was done."""
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def restrict(server: Served, **body: Any) -> Any:
    """A new ban or mute; lift it again, because tests share their address."""
    return done(ask(server, "POST", "restrictions", {"reason": WHY} | body))


def lift(server: Served, restriction: Any) -> None:
    done(ask(server, "DELETE", f"restrictions/{restriction['id']}"))


def listed(server: Served, id: str) -> Any:
    """A table, as the operator sees it, in memory or not: a new one that nobody is at yet is in no process that shares
    its database.
    """
    server.settle(id)
    return next(one for one in done(ask(server, "GET", "tables?all=1"))["tables"] if one["id"] == id)


async def asked(server: Served, method: str, path: str, body: Any = None) -> Any:
    """The same as `ask`, while players are connected."""
    return done(await asyncio.to_thread(ask, server, method, path, body))


async def refused(table: TableClient, code: str) -> str:
    """Wait until the server refuses somebody the whole table; return the message."""
    with pytest.raises(ServerError) as error:
        await table.until(lambda: False)
    assert error.value.code == code
    return str(error.value)


# The command line


@pytest.fixture
def token_file(tmp_path: Path, server: Served, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of this server's token. (A real token has 43 letters.)"""
    monkeypatch.setattr(admin_token, "read", lambda path: path.read_text("ascii").strip())
    file = tmp_path / "admin-token"
    file.write_text(OPERATOR + "\n", "ascii")
    return file


def call(server: Served, token_file: Path, *words: str) -> tuple[int, str]:
    """`cardtable admin WORDS` for this server: exit code, and what it prints."""
    done = CliRunner().invoke(
        admin, [*words, "--url", server.url, "--token-file", str(token_file)], env={"COLUMNS": "300"}
    )
    if done.exception and not isinstance(done.exception, SystemExit):
        return 1, str(done.exception)
    return done.exit_code, done.output


def told(server: Served, token_file: Path, *words: str) -> str:
    """What `cardtable admin WORDS` prints."""
    code, out = call(server, token_file, *words)
    assert code == 0, out
    return out
