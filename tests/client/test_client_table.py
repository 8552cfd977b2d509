"""A table of the client library leaves no running tasks behind."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from cardtable.client import Client, ServerError
from tests.support.server.served import Served


async def test_one_who_is_interrupted_while_leaving_keeps_no_connection(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("busca", name="Ann")
        table = ann.table(made["id"])
        await table.__aenter__()
        assert table._socket is not None
        line, leaving = table._socket, asyncio.Event()

        async def never(*_: Any) -> None:
            leaving.set()
            await asyncio.Event().wait()

        line.close = never  # type: ignore[assignment,method-assign]
        task = asyncio.create_task(table.__aexit__(None, None, None))
        await leaving.wait()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert table._task is not None
        await asyncio.wait({table._task})
        assert line.transport.is_closing()


def test_one_who_cannot_come_in_leaves_nothing_that_goes_on(server: Served) -> None:
    async def scene() -> None:
        async with Client(server.url) as ann:
            with pytest.raises(ServerError, match="no such table"):
                await ann.table("no such table").__aenter__()
            assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scene())
