"""Two devices of one person at one table: one of them takes part in the shuffle, and the other one knows it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from cardtable.client import Client, TableClient, UnfairShuffle
from cardtable.table import LiveTable, fair, live, projection
from cardtable.table import events as ev
from tests.support.server.served import Served
from tests.support.waiting import run

FALSE = fair.committed("of the operator's own")


@contextlib.asynccontextmanager
async def three(server: Served) -> AsyncIterator[tuple[TableClient, TableClient, TableClient]]:
    """Ann's two devices, and Ben's, who has not sat down."""
    async with contextlib.AsyncExitStack() as stack:
        desk, phone, ben = [await stack.enter_async_context(Client(server.url)) for _ in range(3)]
        made = await desk.make("fan-tan", seats=2, preset="british", name="Ann")
        await phone.take(await desk.link())
        tables = [await stack.enter_async_context(who.table(made["id"])) for who in (desk, phone, ben)]
        yield tables[0], tables[1], tables[2]


async def at(table: TableClient, stage: str, number: int = 1) -> None:
    """Wait until a table shows a stage of a match."""
    await table.until(lambda: table.stage == stage and table.table["match"] == number)


async def test_one_takes_part_and_the_other_knows_it(server: Served) -> None:
    """Neither raises an alarm, in two matches, and both can verify the record."""
    async with three(server) as (desk, phone, ben):
        await ben.sit("Ben")
        for number in (1, 2):
            for table in (desk, phone, ben):
                await at(table, "playing", number)
            assert sorted([desk.other_device, phone.other_device]) == [False, True]
            assert not ben.other_device
            assert desk.in_shuffle
            assert phone.in_shuffle
            own, other = (phone, desk) if desk.other_device else (desk, phone)
            assert own.part
            assert own.part.entropy == own.table["seats"][0]["entropy"]
            await ben.command("resign")
            for table in (own, other):
                await at(table, "over", number)
            match = (await own.client.get("/api/matches"))["matches"][0]["id"]
            record = await own.client.get(f"/api/matches/{match}/record")
            for table in (own, other):
                assert table.verify(record)["match"] == number
            if number == 1:
                await own.command("ready")
                await ben.command("ready")


Lie = Callable[[LiveTable, Any], Any]


def lying(monkeypatch: pytest.MonkeyPatch, lie: Lie) -> None:
    """From now on the server shows Ann's seat as a function makes it."""
    honest = projection.seat_seen

    def seen(table: LiveTable, seat: int, *rest: Any) -> Any:
        told = honest(table, seat, *rest)
        return told if seat else lie(table, told)

    monkeypatch.setattr(projection, "seat_seen", seen)


def changed(struct: Any, **fields: Any) -> Any:
    return type(struct)(**{name: fields.get(name, getattr(struct, name)) for name in struct.__struct_fields__})


async def met(server: Served) -> tuple[TableClient, TableClient, contextlib.AsyncExitStack]:
    """Ann and Ben, who has not sat down, with a device each."""
    stack = contextlib.AsyncExitStack()
    ann, ben = [await stack.enter_async_context(Client(server.url)) for _ in range(2)]
    made = await ann.make("fan-tan", seats=2, preset="british", name="Ann")
    a, b = [await stack.enter_async_context(who.table(made["id"])) for who in (ann, ben)]
    await a.until(lambda: a.seat == 0)
    return a, b, stack


async def test_an_operator_who_invents_a_device_is_not_hidden(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can prove that there is no other device, but the person sees that their entropy is not in it."""

    def lie(table: LiveTable, told: Any) -> Any:
        shown = {"commitment": FALSE} if told.commitment else {}
        return changed(told, **shown, **({"entropy": "of the operator's own"} if told.entropy else {}))

    lying(monkeypatch, lie)
    monkeypatch.setattr("cardtable.table.shuffling.REVEAL_WITHIN", 60_000)

    a, b, stack = await met(server)
    async with stack:
        await b.sit("Ben")
        await a.until(lambda: a.other_device)
        assert a.part
        assert not a.part.commitments, "it reveals nothing"


@pytest.mark.parametrize("when", ["before the reveal", "in the match", "as another device sees it"])
def test_a_commitment_that_was_shown_is_not_changed(server: Served, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    """An operator who has shown a device's commitment cannot take it back as that of another device."""

    def lie(table: LiveTable, told: Any) -> Any:
        late = table.shuffle is not None and table.shuffle.revealing
        return changed(told, commitment=FALSE) if late and (table.stage == "playing" or when[0] == "b") else told

    lying(monkeypatch, lie)

    async def play() -> None:
        if when == "as another device sees it":
            async with three(server) as (_, phone, ben):  # which takes no part itself
                monkeypatch.setattr(phone, "_do", lambda kind, **fields: None)
                await ben.sit("Ben")
                with pytest.raises(UnfairShuffle, match="changed a commitment"):
                    await phone.until(lambda: phone.stage == "over")
            return
        a, b, stack = await met(server)
        async with stack:
            taking, b._take_part = b._take_part, lambda: None  # type: ignore[method-assign]
            await b.sit("Ben")
            await a.until(lambda: a.part and a.part.shown and a.part.shown[0])
            b._take_part = taking  # type: ignore[method-assign]
            with contextlib.suppress(UnfairShuffle):
                taking()
            with pytest.raises(UnfairShuffle):
                await a.until(lambda: a.stage == "over")

    run(play())


async def test_entropy_of_somebody_else_behind_the_own_commitment(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that shows the device's commitment, and does not wait for it to reveal."""

    def skipped(self: LiveTable, event: ev.Withheld, at: int) -> None:
        assert self.shuffle
        self.shuffle.withheld += (event.seat,)
        self._happen(event, at, event.seat, by="Ann")

    monkeypatch.setattr("cardtable.table.shuffling.REVEAL_WITHIN", 200)
    monkeypatch.setitem(live._DO, ev.Withheld, skipped)
    lying(monkeypatch, lambda table, told: changed(told, entropy="else") if table.stage == "playing" else told)

    a, b, stack = await met(server)
    sent = a._do

    def commit(kind: str, **fields: Any) -> None:
        if kind == "commit":
            sent(kind, **fields)

    async with stack:
        monkeypatch.setattr(a, "_do", commit)
        await b.sit("Ben")
        with pytest.raises(UnfairShuffle, match="your entropy is not in it"):
            await a.until(lambda: a.stage == "over")
