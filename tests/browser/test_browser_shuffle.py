"""The browser's part in the shuffle, and what it checks itself, in Chromium."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from cardtable.client import Client
from cardtable.table import LiveTable, fair, live, projection
from cardtable.table import events as ev
from cardtable.table.projection import may
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = [chrome.needed, pytest.mark.exhaustive]
INSECURE = "Object.defineProperty(crypto, 'subtle', { value: undefined });"  #: as on a page over plain http
#: neither tab continues before both hash their own entropy, so that neither sees what the other keeps
TOGETHER = """const digest = crypto.subtle.digest.bind(crypto.subtle);
  const line = new BroadcastChannel("hashing");
  let begun = false;
  const other = new Promise((heard) => {
    line.onmessage = ({ data }) => {
      if (begun && data === "begun") line.postMessage("begun, too"); // it may not have been there to hear it
      heard();
    };
  });
  crypto.subtle.digest = async (...given) => {
    if (!begun) line.postMessage("begun");
    begun = true;
    await other;
    return digest(...given);
  };"""
PARTS = "JSON.parse(localStorage.getItem('cardtable.shuffles'))"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server waits for browsers, however slow they are."""
    monkeypatch.setattr("cardtable.table.shuffling.COMMIT_WITHIN", 60_000)
    monkeypatch.setattr("cardtable.table.shuffling.REVEAL_WITHIN", 60_000)


def made(one: chrome.Watched, **setup: Any) -> str:
    return one.table("fan-tan", **{"seats": 2, "bots": ["", "medium"], "preset": "british"} | setup)


def verified(page: Any, server: Served, record: str, text: str) -> None:
    """Check a record on the page for it, which shows this."""
    page.goto(server.url + "/verify")
    page.get_by_label("or paste it here").fill(record)
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_text(text).wait_for()


OWN = "Your own entropy is in the shuffle."


def test_a_match_is_shuffled_and_checked(ann: chrome.Watched, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    a_match_is_checked_by_who_has_a_part_in_it(ann, server)
    what_a_server_does_wrong_is_told(ann, server, monkeypatch)
    it_is_checked_without_cryptography_of_the_browser(ann, server)


def a_match_is_checked_by_who_has_a_part_in_it(ann: chrome.Watched, server: Served) -> None:
    """At its end; from its record; and without the server's help, if something was changed."""
    page = ann.page
    page.goto(made(ann))
    page.wait_for_selector(".live")
    assert page.evaluate("Boolean(crypto.subtle)")
    ((_, part),) = page.evaluate(PARTS)
    assert part["commitments"][0] == part["commitment"]
    ann.give_up()
    page.get_by_text("Was the shuffle fair?").click()
    page.get_by_text(OWN).wait_for()

    match = page.request.get(server.url + "/api/matches").json()["matches"][0]["id"]
    record = page.request.get(f"{server.url}/api/matches/{match}/record").text()
    verified(page, server, record, "This browser has checked")
    page.get_by_text(OWN).wait_for()
    secret = next(line for line in record.splitlines() if line.startswith("secret"))
    seed = next(line for line in record.splitlines() if line.startswith("seed"))
    page.route("**/api/verify", lambda route: route.abort())
    for old, new, text in (
        (secret, f'secret = "{"0" * 64}"', "does not fit the server's commitment"),
        (part["entropy"], "f" * 32, "does not fit its commitment"),
        (seed, 'seed = "1"', "dealt from another seed"),
    ):
        assert record.count(old) == 1
        verified(page, server, record.replace(old, new), text)
    page.unroute("**/api/verify")
    ann.complaints.clear()  # of the requests that were cut


def it_is_checked_without_cryptography_of_the_browser(ann: chrome.Watched, server: Served) -> None:
    page = ann.page
    page.add_init_script(INSECURE)
    page.goto(made(ann))
    page.wait_for_selector(".live")
    assert not page.evaluate("Boolean(crypto.subtle)")
    ann.give_up()
    page.get_by_text("Was the shuffle fair?").click()
    page.get_by_text(OWN).wait_for()


def test_a_person_takes_part_once(ann: chrome.Watched, server: Served, browser: Any) -> None:
    """However often their page is loaded, on however many devices, and in however many tabs."""
    a_page_that_is_loaded_again_reveals_what_it_committed_to(ann, server)
    of_two_devices_one_takes_part(ann, server, browser)
    two_tabs_take_part_as_one(ann, server)


def a_page_that_is_loaded_again_reveals_what_it_committed_to(ann: chrome.Watched, server: Served) -> None:
    page = ann.page
    table = made(ann, bots=["", ""])
    page.goto(table)

    reload, ready = threading.Event(), threading.Event()

    async def ben() -> None:
        """Sits down, and commits only when Ann's page has been loaded again."""
        async with Client(server.url) as client, client.table(table.rpartition("/")[2]) as seat:
            taking, seat._take_part = seat._take_part, lambda: None  # type: ignore[method-assign]
            await seat.sit("Ben")
            await seat.until(lambda: seat.table["seats"][0]["commitment"])
            reload.set()
            await asyncio.to_thread(ready.wait, 60.0)
            seat._take_part = taking  # type: ignore[method-assign]
            taking()
            await seat.until(lambda: seat.stage == "playing")
            assert seat.table["seats"][0]["entropy"], "Ann has revealed"
            assert seat.table["seats"][0]["kind"] == "person"

    thread = threading.Thread(target=lambda: asyncio.run(ben()), daemon=True)
    thread.start()
    assert reload.wait(60.0)
    page.reload()
    page.get_by_text("being shuffled").wait_for()
    ready.set()
    page.wait_for_selector(".live")
    thread.join(60.0)
    assert not thread.is_alive()


OTHER = "Another device of yours took part in the shuffle"


def of_two_devices_one_takes_part(ann: chrome.Watched, server: Served, browser: Any) -> None:
    """No alarm; the other one says so, at the table, when the match is over, and where its record is checked."""
    table, phone = made(ann, bots=["", ""]), chrome.visitor(browser, server.url)
    phone.page.goto(ann.page.request.post(f"{server.url}/api/me/link", data={}).json()["link"])
    phone.page.get_by_role("button", name="Yes, this is me").click()
    phone.page.wait_for_url(f"{server.url}/you")
    for one in (ann, phone):
        one.page.goto(table)
        one.page.get_by_role("button", name="Start").wait_for()
    ann.page.get_by_role("button", name="Start").click()
    for one in (ann, phone):
        one.page.wait_for_selector(".live")
        assert one.page.get_by_role("alert").count() == 0
    entropy = server.app.hall.rooms[table.rpartition("/")[2]].table.entropy[0]
    first = entropy in {part["entropy"] for _, part in ann.page.evaluate(PARTS)}
    own, other = (ann, phone.page) if first else (phone, ann.page)
    other.get_by_text(OTHER).wait_for()
    assert own.page.get_by_text(OTHER).count() == 0
    other.reload()
    other.get_by_text(OTHER).wait_for()
    other.get_by_role("button", name="OK", exact=True).click()
    other.get_by_text(OTHER).wait_for(state="hidden")
    own.give_up()
    said = ((own.page, OWN), (other, OTHER))
    for page, text in said:
        page.get_by_text("Was the shuffle fair?").click()
        page.get_by_text(text).wait_for()
    match = own.page.request.get(server.url + "/api/matches").json()["matches"][0]["id"]
    record = own.page.request.get(f"{server.url}/api/matches/{match}/record").text()
    for page, text in said:
        verified(page, server, record, text)
        assert page.locator(".problem").count() == 0
    phone.page.context.close()


def two_tabs_take_part_as_one(ann: chrome.Watched, server: Served) -> None:
    """Both commit at the same time, and the server takes one of the commitments."""
    page = ann.page
    page.context.add_init_script(TOGETHER)
    table = made(ann, bots=["", ""])
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(table)
        tab.get_by_text("Waiting for", exact=False).or_(tab.get_by_role("button", name="Start")).first.wait_for()
    page.get_by_role("button", name="Start").click()
    for tab in (page, other):
        tab.wait_for_selector(".live")
        assert tab.get_by_role("alert").count() == 0
    seats = server.app.hall.rooms[table.rpartition("/")[2]].table.places
    assert seats[0].owner, "the seat was not given to a bot"
    assert server.app.hall.rooms[table.rpartition("/")[2]].table.entropy[0]


def what_a_server_does_wrong_is_told(ann: chrome.Watched, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes the entropy; it says, after it has shown this browser's commitment, that another device took part,
    with the commitment changed or not; it does not wait for commitments. Nothing is said where there is no shuffle.
    """
    changed = ("alert", "Your entropy is not in the shuffle")
    for alarm, withheld, false in (
        (changed, False, {"entropy": "something-else-altogether"}),
        (changed, True, {"entropy": "of the operator's own"}),
        (
            ("alert", "A commitment was changed"),
            True,
            {"entropy": "of the operator's own", "commitment": fair.committed("of the operator's own")},
        ),
    ):
        with monkeypatch.context() as patch:
            lies(patch, withheld, false)
            sees(ann, *alarm)
    with monkeypatch.context() as patch:
        patch.setattr("cardtable.table.shuffling.COMMIT_WITHIN", 0)
        sees(ann, "alert", "You have no part in the shuffle")
        ann.page.goto(made(ann, number="7"))
        ann.page.wait_for_selector(".live")
        assert ann.page.get_by_text("You have no part in the shuffle").count() == 0


def sees(ann: chrome.Watched, role: str, text: str) -> None:
    ann.page.goto(made(ann))
    ann.page.get_by_role(role).get_by_text(text).wait_for()


def lies(monkeypatch: pytest.MonkeyPatch, withheld: bool, false: dict[str, str]) -> None:
    """Let the server send false data about the first seat, once cards are dealt. withheld: it did not ask that seat
    to reveal its entropy.
    """
    honest = projection.seat_seen

    def skipped(self: LiveTable, event: Any, at: int) -> None:
        assert self.shuffle
        self.shuffle.withheld += (event.seat,)
        self._happen(event, at, event.seat, by="Ann")

    def lying(table: LiveTable, seat: int, *rest: Any) -> Any:
        seat_of = honest(table, seat, *rest)
        if seat or table.stage != "playing":
            return seat_of
        return projection.SeatSeen(**{name: getattr(seat_of, name) for name in seat_of.__struct_fields__} | false)

    if withheld:
        monkeypatch.setattr("cardtable.table.shuffling.REVEAL_WITHIN", 500)
        monkeypatch.setattr(projection, "may", lambda *given: [one for one in may(*given) if one != "reveal"])
        monkeypatch.setitem(live._DO, ev.Withheld, skipped)
    monkeypatch.setattr(projection, "seat_seen", lying)
