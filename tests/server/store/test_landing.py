"""The event loop waits for entries to be on disk, and is woken once for all that are committed together."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from cardtable.server.rooms.table_logs import Landing
from cardtable.server.store.store import Overtaken, Store, Write
from tests.support.server.live import Driven
from tests.support.server.stores import done, first, said


class Held:
    """A store whose writer waits before each transaction until the test lets it go on."""

    def __init__(self, path: Path) -> None:
        self.store = Store(f"sqlite:///{path}")
        self.gate, self.taken = threading.Semaphore(0), threading.Event()
        done(self.store, first(Driven("busca", "a", seats=3)))
        self._write = self.store._transact
        self.store._transact = self._held  # type: ignore[method-assign]

    def _held(self, group: list[Write]) -> None:
        self.taken.set()
        assert self.gate.acquire(timeout=120)
        self._write(group)

    async def begun(self) -> None:
        """Wait until the writer has taken something."""
        assert await asyncio.to_thread(self.taken.wait, 120)


async def test_the_loop_is_woken_once_for_a_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(tmp_path / "t.db")
    landing, woken = Landing(held.store), list[int]()
    tell = landing._tell

    def told() -> None:
        woken.append(1)
        tell()

    monkeypatch.setattr(landing, "_tell", told)
    one, *rest = said(20)
    waits = [asyncio.create_task(landing.wait(held.store.append(one)))]
    await held.begun()
    waits += [asyncio.create_task(landing.wait(held.store.append(write))) for write in rest]
    await asyncio.sleep(0)  # all of them wait
    held.gate.release(2)
    await asyncio.wait_for(asyncio.gather(*waits), 120)
    assert len(held.store.log("T1")) == 21
    assert not landing._waiting
    await asyncio.to_thread(held.store.close)
    await asyncio.sleep(0)  # all that the writer has told this loop is done
    assert len(woken) == 2
    landing.close()
    assert not held.store.listeners


async def test_what_could_not_be_written_is_raised(tmp_path: Path) -> None:
    held = Held(tmp_path / "t.db")
    landing = Landing(held.store)
    held.gate.release(3)
    good, again = said(1)[0], said(1)[0]
    results: list[Any] = await asyncio.wait_for(
        asyncio.gather(*(landing.wait(held.store.append(one)) for one in (good, again)), return_exceptions=True), 120
    )
    assert results[0] is None
    assert isinstance(results[1], Overtaken)
    failed = held.store.append(said(1)[0])
    held.gate.release(2)
    await asyncio.to_thread(failed.exception, 120)
    with pytest.raises(Overtaken):  # also what is done before anybody waits
        await landing.wait(failed)
    held.store.close()


async def test_an_entry_whose_waiter_is_cancelled_is_not_written_unless_its_transaction_has_begun(
    tmp_path: Path,
) -> None:
    held = Held(tmp_path / "t.db")
    landing = Landing(held.store)
    one, two = said(2)
    begun = asyncio.create_task(landing.wait(held.store.append(one)))
    await held.begun()
    waiting = asyncio.create_task(landing.wait(held.store.append(two)))
    await asyncio.sleep(0)
    for task in (begun, waiting):
        task.cancel()
    await asyncio.gather(begun, waiting, return_exceptions=True)
    held.gate.release(9)
    held.store.close()
    again = Store(f"sqlite:///{tmp_path / 't.db'}")
    assert [entry.version for entry in again.log("T1")] == [1, 2]
    again.close()
