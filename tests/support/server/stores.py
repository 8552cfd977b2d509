"""What is written to stores: entries of logs, and matches that are over."""

from __future__ import annotations

from typing import Any

from cardtable.server.store.store import Finished, FinishedPlayer, Store, Write
from cardtable.table import Entry
from cardtable.table import events as ev
from tests.support.server.live import Driven

ROW = {"game": "busca", "stage": "lobby", "listed": True, "created": 5, "changed": 5}


def first(t: Driven, code: str = "ABCDEF", **row: Any) -> Write:
    return Write(t.table.id, t.log[0], ROW | {"code": code} | row, new=True)


def done(store: Store, *writes: Write) -> None:
    for future in [store.append(write) for write in writes]:
        future.result(120)


def begun(store: Store) -> None:
    """Write the first entry of table T1."""
    done(store, first(Driven("busca", "a", seats=3)))


def match(number: int = 1, owner: str = "ann", won: bool = True, table: str = "T1") -> Finished:
    players = (FinishedPlayer(0, owner, "Ann", 12, won), FinishedPlayer(1, "", "bot: simple", 3, not won))
    return Finished(table, number, "busca", "busca", 7, 3, None, 0, "cardtable = 1\n", players)


def said(count: int, first: int = 2) -> list[Write]:
    """So many lines of chat for the log of table T1."""
    return [Write("T1", Entry(first + n, 0, ev.Said(0, "x"))) for n in range(count)]
