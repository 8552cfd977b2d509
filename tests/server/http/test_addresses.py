"""Addresses that lead nowhere, as the application answers them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from cardtable.server.app import build
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store
from tests.support.databases import empty_database


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "postgresql":
        with empty_database() as url:
            yield url
    else:
        yield f"sqlite:///{folder / 'addresses.db'}"


def asked(url: str, *targets: str, settings: Settings | None = None) -> list[httpx.Response]:
    """What an application over a database answers to requests, in whose address nothing is changed."""
    store = Store(url)

    async def ask() -> list[httpx.Response]:
        app = build(store, settings)
        headers = {"host": "127.0.0.1", "x-forwarded-proto": "https"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), headers=headers) as client:
            found = [await client.get(f"http://127.0.0.1{target}") for target in targets]
        app.hall.thinking.bots.close()
        return found

    try:
        return asyncio.run(ask())
    finally:
        store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_address_with_a_nul_is_refused(kind: str, tmp_path: Path) -> None:
    """PostgreSQL takes no text with a NUL; SQLite does, and finds nothing."""
    targets = "/api/deals?number=%00", "/api/deals?number=7%00", "/api/tables/%00", "/api/daily/%00", "/t/a%00b"
    with database(kind, tmp_path) as url:
        for answer in asked(url, *targets):
            assert answer.status_code == 400, answer.url
            assert answer.json()["error"]["code"] == "http/address"
            assert answer.json()["error"]["why"] == "it contains a NUL character"


@pytest.mark.parametrize("settings", [Settings(), Settings(prefix="/cards")], ids=["root", "prefix"])
def test_no_answer_leads_away_from_https(settings: Settings, tmp_path: Path) -> None:
    """Behind a proxy that speaks https, the application sees http."""
    addresses = "/static", "/static/", "/new/", "/t/some/?x=1", "/api/games/", "//new/", "//127.0.0.2/", "/no/such/"
    with database("sqlite", tmp_path) as url:
        answers = asked(url, *(settings.prefix + target for target in addresses), settings=settings)
    told = [(answer.status_code, answer.headers.get("location", "")) for answer in answers]
    leads = {"/new/": "/new", "/t/some/?x=1": "/t/some?x=1", "/api/games/": "/api/games", "//new/": "/new"}
    assert told == [(307, settings.prefix + leads[one]) if one in leads else (404, "") for one in addresses]
