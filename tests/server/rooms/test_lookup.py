"""Tables are found by their codes, guessing codes does not pay, and a full server refuses nobody who comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx

from cardtable.client import Client, ServerError
from cardtable.server.net.guard import Bucket, Rates
from cardtable.server.net.guesses import Exhausted, Guesses
from cardtable.server.settings import Settings
from cardtable.server.store.codes import CODE_LETTERS, new_code
from cardtable.server.store.store import StoreError
from tests.support.server.served import Served, served


def asked(server: Served, name: str) -> int:
    """The status of the invite of a table."""
    return httpx.get(f"{server.url}/api/tables/{name}").status_code


async def made(server: Served, **setup: Any) -> dict[str, Any]:
    async with Client(server.url) as client:
        return await client.make("fan-tan", name="Ann", **setup)


def test_to_guess_the_code_of_one_of_5000_tables_takes_more_than_a_year() -> None:
    code = new_code()
    assert len(code) == 8
    assert set(code) <= set(CODE_LETTERS)
    most, seconds = Settings().guess_rate
    guesses = most / seconds * 365 * 86_400
    assert guesses * 5_000 / len(CODE_LETTERS) ** 8 < 1


def test_a_code_is_found_however_it_is_typed(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as server:
        table = asyncio.run(made(server))
        code = table["code"]
        for typed in (code, code.lower(), f"{code[:4]}-{code[4:]}", f" {code[:2]} {code[2:]} ", table["id"]):
            assert asked(server, typed) == 200
        with served(tmp_path / "t.db") as again:  # from the database, too
            assert asked(again, f"{code[:4]}-{code[4:].lower()}") == 200
            assert asked(again, table["id"].swapcase()) == 404


def test_who_guesses_codes_must_wait(tmp_path: Path) -> None:
    """After that not even a right one is told; people who guess nothing may look as often as they like."""
    with served(tmp_path / "t.db", loopback_is_free=False, guess_rate=(5, 600.0)) as server:
        table = asyncio.run(made(server))
        assert {asked(server, table["code"]) for _ in range(20)} == {200}
        assert [asked(server, new_code()) for _ in range(6)] == [404] * 5 + [429]
        assert asked(server, table["code"]) == 429
        waits = httpx.get(f"{server.url}/api/tables/{table['code']}").headers["retry-after"]
        assert 0 < int(waits) <= 121, "until there is one more try of five in ten minutes"

        async def hello() -> str:
            async with Client(server.url) as client:
                try:
                    async with client.table(table["id"]):
                        return "found"
                except ServerError as error:
                    return str(error.code)

        assert asyncio.run(hello()) == "http/rate"


async def at_once(server: Served, *names: str) -> list[int]:
    """The statuses of the invites of some tables that are asked for at the same time."""
    async with httpx.AsyncClient(base_url=server.url, limits=httpx.Limits(max_connections=100)) as client:
        answers = await asyncio.gather(*(client.get(f"/api/tables/{name}") for name in names))
    return [answer.status_code for answer in answers]


def test_guesses_at_the_same_time_are_counted_each(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", loopback_is_free=False, guess_rate=(5, 600.0)) as server:
        found = asyncio.run(at_once(server, *(new_code() for _ in range(60))))
        assert (found.count(404), found.count(429)) == (5, 55)


def test_many_people_of_one_address_find_their_tables_at_the_same_time(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", loopback_is_free=False, guess_rate=(5, 600.0)) as server:
        code = asyncio.run(made(server))["code"]
        assert asyncio.run(at_once(server, *[code] * 60)) == [200] * 60
        assert asyncio.run(at_once(server, *[code, new_code()] * 5)).count(404) == 5
        assert asked(server, code) == 429, "none was given back for a wrong one, and only one for a right one"


async def test_a_try_that_fails_is_no_guess() -> None:
    """The database has a fault: nothing was learnt, and the waiting call continues."""

    async def fail() -> None:
        await asyncio.sleep(0)
        raise StoreError("gone")

    async def wrong() -> None:
        await asyncio.sleep(0)

    settings = Settings(guess_rate=(2, 600.0))
    guesses = Guesses(settings, Rates(settings))
    found = await asyncio.gather(*(guesses.guess("1.2.3.4", fail) for _ in range(9)), return_exceptions=True)
    assert all(isinstance(one, StoreError) for one in found)
    found = await asyncio.gather(*(guesses.guess("1.2.3.4", wrong) for _ in range(9)), return_exceptions=True)
    assert [found.count(None), sum(isinstance(one, Exhausted) for one in found)] == [2, 7]


def test_looking_at_a_bucket_takes_nothing() -> None:
    bucket = Bucket(2, 0.0)
    assert [bucket.wait(2, 10.0, 0.0) for _ in range(5)] == [0.0] * 5
    assert [bucket.take(2, 10.0, 0.0) for _ in range(3)] == [0.0, 0.0, 5.0]
    assert bucket.wait(2, 10.0, 1.0) == 4.0
    assert bucket.take(2, 10.0, 5.0) == 0.0


def test_tables_without_connections_make_room(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", most_tables=3) as server:

        async def many() -> None:
            tables = [await made(server) for _ in range(8)]
            assert len(server.app.hall.rooms) == 3
            assert {asked(server, table["code"]) for table in tables} == {200}
            assert len(server.app.hall.rooms) <= 3

        asyncio.run(many())


def test_whoever_comes_back_to_a_full_server_is_not_refused(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", most_tables=2) as server:

        async def full() -> None:
            async with Client(server.url) as ann, Client(server.url) as ben:
                first = await ann.make("fan-tan", name="Ann", seats=2, bots=["", ""])
                others = [await ben.make("fan-tan", name="Ben") for _ in range(2)]
                async with ben.table(others[0]["id"]), ben.table(others[1]["id"]):
                    answer = await asyncio.to_thread(httpx.post, f"{server.url}/api/tables", json={"game": "fan-tan"})
                    assert answer.status_code == 503
                    async with ann.table(first["id"]) as table:
                        assert table.seat == 0

        asyncio.run(full())
