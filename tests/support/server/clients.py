"""Clients of a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from cardtable.client import ServerError, TableClient
from tests.support.server.served import Served


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
