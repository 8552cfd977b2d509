"""Clients of a server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from cardtable.client import Client, ServerError, TableClient
from tests.support.server.served import Served


@contextlib.asynccontextmanager
async def new_table(
    url: str, game: str, *, people: int = 1, name: str = "Ann", **setup: Any
) -> AsyncIterator[tuple[TableClient, ...]]:
    """A new table as people see it, each with a separate client; the first is its host, the others have no seat."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url)) for _ in range(people)]
        made = await clients[0].make(game, name=name, **setup)
        yield tuple([await stack.enter_async_context(client.table(made["id"])) for client in clients])


async def raw(server: Served, token: str, origin: str | None = None, **more: Any) -> ClientConnection:
    """A bare socket of a person's."""
    headers = {"Cookie": f"cardtable={token}"} | ({"Origin": origin} if origin else {})
    return await connect(server.ws, additional_headers=headers, compression=None, **more)


async def to_move(*tables: TableClient) -> tuple[TableClient, ...]:
    """The tables of people at one match, first that of one who is to move; wait until somebody is."""

    def may_move(table: TableClient) -> Callable[[], bool]:
        return lambda: bool(table.legal)

    waiting = [asyncio.create_task(table.until(may_move(table))) for table in tables]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    return tuple(sorted(tables, key=lambda table: not table.legal))


async def refused(work: Awaitable[Any]) -> str:
    with pytest.raises(ServerError) as error:
        await work
    return error.value.code
