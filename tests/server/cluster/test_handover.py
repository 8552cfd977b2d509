"""Connections that one process passes on to another."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from cardtable.server.cluster import handover
from cardtable.server.net.passed_on import Greeting


async def test_a_process_that_stops_while_it_passes_a_connection_on_leaves_none_open() -> None:
    """The other process has not answered yet."""
    met: asyncio.Future[asyncio.StreamReader] = asyncio.get_running_loop().create_future()
    kept: list[asyncio.StreamWriter] = []

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        kept.append(writer)
        met.set_result(reader)

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()[:2]
        line = cast("Any", None)  # it is not touched before the other process answers
        greeting = Greeting(("127.0.0.1", 1), 1, b"")
        passing = asyncio.create_task(handover.pass_bytes(f"{host}:{port}", "secret", line, greeting, print))
        reader = await met
        passing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await passing
        assert await asyncio.wait_for(reader.read(), 60.0) == b""
        kept[0].close()
