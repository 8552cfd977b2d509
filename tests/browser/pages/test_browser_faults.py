"""A database with a fault, as a player in a real Chromium sees it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_browser_comforts import chosen
from tests.support import browser as chrome
from tests.support.server.faults import Pragma
from tests.support.server.served import Served
from tests.support.waiting import until

pytestmark = [chrome.needed, pytest.mark.server(fresh=True)]
HELD = "Play is paused: the database is read-only. It resumes automatically."


@pytest.fixture
def read_only(server: Served) -> Pragma:
    return Pragma(server, "query_only", "OFF")


def moves(server: Served) -> int:
    """How many moves the person has made, by the log."""
    (table,) = server.app.hall.rooms
    return sum(getattr(entry.event, "by", "") == "person" for entry in server.store.log(table))


def waits_for(page: Any, text: str | None) -> None:
    if text is None:
        page.wait_for_selector(".offline", state="detached")
    else:
        page.locator(".offline", has_text=text).wait_for()


def _is_held(server: Served, ann: chrome.Watched) -> bool:
    """Whether the page says that play is held up, after another look at the database. What a bot wrote while one look
    failed, in a transaction that had begun before, is a sign that it can be written again; then the next look fails.
    """
    server.store._written = -10.0  # so that the look at its health writes
    ann.page.request.get(f"{ann.url}/healthz")
    return bool(ann.page.locator(".offline", has_text=HELD).count())


def test_play_goes_on_when_a_fault_of_the_database_is_over(
    server: Served, read_only: Pragma, tmp_path: Path, ann: chrome.Watched
) -> None:
    a_move_that_cannot_be_saved_is_made_when_it_can_be(server, read_only, ann)
    a_table_that_cannot_be_read_appears_when_it_can_be(server, tmp_path, ann)


def a_move_that_cannot_be_saved_is_made_when_it_can_be(server: Served, read_only: Pragma, ann: chrome.Watched) -> None:
    """The player clicks once, sees the reason for the delay, and needs to do nothing more. It is also shown as text
    and in the lobby.
    """
    ann.deal("busca", seats=3, bots=["", "medium", "medium"], number="busca 2")
    page = ann.page
    page.wait_for_selector(".live.turn")
    made = moves(server)
    read_only.be("ON")
    page.locator("[data-offer], .can").last.click(position=chrome.CORNER)
    waits_for(page, HELD)
    assert not page.locator(".message.bad").count(), "the move is not refused, it waits"
    assert moves(server) == made
    read_only.be("OFF")
    waits_for(page, None)
    page.wait_for_selector(".live.turn")
    assert moves(server) == made + 1
    for plain, drawn in ((False, ".lobby"), (True, ".plaintable")):
        table = ann.table("fan-tan", seats=3, bots=["", "medium", "medium"] if plain else [])
        chosen(ann, plain=plain)
        page.goto(table)
        page.wait_for_selector(drawn)
        read_only.be("ON")
        until(partial(_is_held, server, ann))
        read_only.be("OFF")
        waits_for(page, None)


def a_table_that_cannot_be_read_appears_when_it_can_be(server: Served, tmp_path: Path, ann: chrome.Watched) -> None:
    """A person who opens a table meanwhile sees the same message, and then the table without reloading."""
    chosen(ann, plain=False)
    ann.deal("fan-tan", seats=3, bots=["", "medium", "medium"])
    table = ann.page.url.rpartition("/")[2]
    ann.page.goto(f"{ann.url}/about")
    file = tmp_path / "tables.db"
    file.rename(tmp_path / "away.db")
    server.loop.call_soon_threadsafe(server.app.hall.forget, server.app.hall.rooms[table])
    ann.page.goto(f"{ann.url}/t/{table}")
    waits_for(ann.page, "Play is paused: the server cannot read it: the database's file was removed or replaced.")
    (tmp_path / "away.db").rename(file)
    ann.page.wait_for_selector(".live")
    waits_for(ann.page, None)
    # Chromium reports each answer of this kind
    ann.complaints[:] = [said for said in ann.complaints if "503" not in said]
