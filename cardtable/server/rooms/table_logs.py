"""The logs of tables, as rooms use them on the event loop: what is written, and what a log folds to."""

from __future__ import annotations

from concurrent.futures import Future

from cardtable.server.net.waits import SAVING, Waits
from cardtable.server.rooms import folding
from cardtable.server.rooms.commits import Landing
from cardtable.server.store.store import Store
from cardtable.server.thinking.thinking import Thinking
from cardtable.table import LiveTable


class TableLogs:
    """The logs of a store's tables."""

    def __init__(self, store: Store, thinking: Thinking, waits: Waits) -> None:
        """thinking: has the processes that fold long logs; waits: where it is counted what waits."""
        self._store, self._thinking, self._waits = store, thinking, waits
        self._landing = Landing(store)
        self.written = 0  #: entries that are on disk since the server started

    async def saved(self, write: Future[None]) -> None:
        """Wait until an entry is on disk. Raises what `Store.append` says."""
        await self._waits.through(SAVING, self._landing.wait(write))
        self.written += 1

    async def folded(self, table: str) -> LiveTable:
        """A table from its log, folded elsewhere than in the event loop. Raises StoreError, TableFault."""
        return await folding.folded(self._store, self._thinking.workers, table)

    def close(self) -> None:
        """Nobody waits any longer."""
        self._landing.close()
