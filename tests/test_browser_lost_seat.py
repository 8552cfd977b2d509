"""A player whose browser did not finish the shuffle has the seat again for the next match, in Chromium."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import browser as chrome
import pytest
from served import Served

from cardtable.client import Client
from cardtable.table import projection
from cardtable.table.projection import may
from cardtable.table.shuffling import Shuffle

pytestmark = [chrome.needed, pytest.mark.exhaustive]
WHY = "A bot has your seat, because this browser did not finish the shuffle in time."


@pytest.mark.parametrize("when", ["during the match", "after the match"])
def test_the_seat_is_taken_again(
    ann: chrome.Watched, server: Served, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    page, early = ann.page, when == "during the match"
    withholding = threading.Event()
    withholding.set()

    def offered(table: Any, viewer: int, *rest: Any) -> list[str]:
        """Ann, who has seat 0, is not asked to reveal her entropy."""
        told = may(table, viewer, *rest)
        return [one for one in told if one != "reveal" or viewer or not withholding.is_set()]

    monkeypatch.setattr(projection, "may", offered)
    # the others have all the time that they need, and Ann has none once they have revealed
    monkeypatch.setattr(Shuffle, "span", property(
        lambda shuffle: 0 if withholding.is_set() and shuffle.revealing and shuffle.hidden == [0] else 60_000
    ))  # fmt: skip
    body = {"game": "fan-tan", "seats": 2, "preset": "british", "name": "Ann"}
    table = page.request.post(f"{server.url}/api/tables", data=body).json()
    end, ended, again = threading.Event(), threading.Event(), threading.Event()

    async def ben() -> None:
        async with Client(server.url) as client, client.table(table["id"]) as seat:
            await seat.sit("Ben")
            await seat.until(lambda: seat.stage == "playing")
            await asyncio.to_thread(end.wait, 60.0)
            await seat.command("resign")
            ended.set()
            await asyncio.to_thread(again.wait, 60.0)
            await seat.command("ready")
            await seat.until(lambda: seat.table["match"] == 2 and seat.stage == "playing")
            assert [one["kind"] for one in seat.table["seats"]] == ["person", "person"]

    page.goto(server.url + table["path"])
    page.get_by_role("button", name="Start").wait_for()
    thread = threading.Thread(target=lambda: asyncio.run(ben()))
    thread.start()
    page.get_by_text(WHY).wait_for()
    withholding.clear()
    if early:
        page.get_by_role("button", name="Play again from the next match on").click()
        page.get_by_text("You have your seat again from the next match on.").wait_for()
    end.set()
    assert ended.wait(60.0)
    page.locator(".ending").wait_for()
    if not early:
        page.get_by_role("button", name="Take the seat again").click()
        page.get_by_text(WHY).wait_for(state="hidden")
    page.get_by_role("button", name="Result").click()
    page.get_by_role("dialog").get_by_role("button", name="Play again").click()
    again.set()
    page.locator(".hand").first.wait_for()
    page.get_by_role("dialog").wait_for(state="hidden")
    thread.join(60.0)
    assert not thread.is_alive()
    assert server.app.hall.rooms[table["id"]].table.places[0].owner
    assert page.get_by_text(WHY).count() == 0
    assert ann.complaints == []
