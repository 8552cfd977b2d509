"""A player whose browser did not finish the shuffle has the seat again for the next match, in Chromium."""

from __future__ import annotations

import asyncio
import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cardtable.client import Client
from cardtable.table import projection
from cardtable.table.projection import may
from cardtable.table.shuffling import Shuffle
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = [chrome.needed, pytest.mark.exhaustive]
WHY = "A bot has your seat, because this browser did not finish the shuffle in time."


def test_the_seat_is_taken_again(ann: chrome.Watched, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """During the match in which it was lost; and, when it is lost once more, after the match."""
    page = ann.page
    withholding = threading.Event()
    withholding.set()

    def offered(table: Any, viewer: int, *rest: Any) -> list[str]:
        """Ann, who has seat 0, is not asked to reveal her entropy."""
        commands_of = may(table, viewer, *rest)
        return [one for one in commands_of if one != "reveal" or viewer or not withholding.is_set()]

    monkeypatch.setattr(projection, "may", offered)
    # the others have all the time that they need, and Ann has none once they have revealed
    monkeypatch.setattr(
        Shuffle,
        "span",
        property(lambda shuffle: 0 if withholding.is_set() and shuffle.revealing and shuffle.hidden == [0] else 60_000),
    )
    table = ann.table("fan-tan", seats=2, preset="british")
    id = table.rpartition("/")[2]
    commands: queue.SimpleQueue[str] = queue.SimpleQueue()
    done: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

    async def ben() -> None:
        """Takes the other seat, and resigns each match, or is ready for the next one, on command."""
        async with Client(server.url) as client, client.table(id) as seat:
            await seat.sit("Ben")
            while command := await asyncio.to_thread(commands.get, timeout=60.0):
                await seat.until(lambda: (seat.stage == "playing") == (command == "resign"))
                players = [one["kind"] for one in seat.table["seats"]]
                await seat.command(command)
                done.put(players)

    def does(command: str) -> list[str]:
        """Let Ben act; return who has played up to then."""
        commands.put(command)
        return done.get(timeout=60.0)

    def another_match(withheld: bool) -> None:
        """Both play again. withheld: Ann's browser does not reveal its entropy."""
        if withheld:
            withholding.set()
        else:
            withholding.clear()
        page.get_by_role("button", name="Play again", exact=True).click()
        does("ready")
        page.locator(".hand").first.wait_for()

    page.goto(table)
    page.get_by_role("button", name="Start").wait_for()
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(asyncio.run, ben())
        page.get_by_text(WHY).wait_for()
        page.get_by_role("button", name="Play again from the next match on").click()
        page.get_by_text("You get your seat back from the next match.").wait_for()
        assert does("resign") == ["bot", "person"]
        page.locator(".ending").wait_for()
        another_match(withheld=False)
        assert page.get_by_text(WHY).count() == 0
        assert does("resign") == ["person", "person"]

        page.locator(".ending").wait_for()
        another_match(withheld=True)
        page.get_by_text(WHY).wait_for()
        assert does("resign") == ["bot", "person"]
        page.locator(".ending").wait_for()
        page.get_by_role("button", name="Take the seat again").click()
        page.get_by_text(WHY).wait_for(state="hidden")
        another_match(withheld=False)
        assert page.get_by_text(WHY).count() == 0
        assert does("resign") == ["person", "person"]
        commands.put("")
        playing.result(60.0)
    assert server.app.hall.rooms[id].table.places[0].owner
