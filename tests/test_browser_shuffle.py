"""The browser's part in the shuffle, and what it checks itself, in Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from typing import Any

import browser as chrome
import pytest
from served import Served

from cardtable.client import Client
from cardtable.table import LiveTable, fair, live, projection
from cardtable.table import events as ev
from cardtable.table.projection import may

pytestmark = [chrome.needed, pytest.mark.exhaustive]
INSECURE = "Object.defineProperty(crypto, 'subtle', { value: undefined });"  #: as on a page over plain http
#: neither tab goes on before both hash their own entropy, so that neither sees what the other keeps
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
ALONE = {"game": "fan-tan", "seats": 2, "bots": ["", "simple"], "preset": "british"}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server waits for browsers, however slow they are."""
    monkeypatch.setattr("cardtable.table.shuffling.COMMIT_WITHIN", 60_000)
    monkeypatch.setattr("cardtable.table.shuffling.REVEAL_WITHIN", 60_000)


@pytest.fixture
def ann(browser: Any, server: Served) -> Iterator[chrome.Watched]:
    one = chrome.visitor(browser, server.url)
    yield one
    one.page.context.close()


def made(page: Any, server: Served, **setup: Any) -> dict[str, Any]:
    """A table of the page's visitor."""
    answer: dict[str, Any] = page.request.post(server.url + "/api/tables", data=ALONE | setup).json()
    return answer


def give_up(page: Any) -> None:
    """End the match by the menu, and open its result."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Really give up?").click()
    result(page)


def result(page: Any) -> None:
    """Open the result of the match, which is over."""
    page.locator(".actions").get_by_role("button", name="Result").click()


@pytest.mark.parametrize("secure", [True, False])
def test_a_match_is_shuffled_and_checked(ann: chrome.Watched, server: Served, secure: bool) -> None:
    page = ann.page
    if not secure:
        page.add_init_script(INSECURE)
    page.goto(server.url + made(page, server)["path"])
    page.wait_for_selector(".live")
    assert page.evaluate("Boolean(crypto.subtle)") is secure
    ((_, part),) = page.evaluate(PARTS)
    assert part["commitments"][0] == part["commitment"]
    give_up(page)
    page.get_by_text("Was the shuffle fair?").click()
    page.get_by_text("Your own entropy is in the shuffle.").wait_for()
    assert ann.complaints == []


def test_a_page_that_is_loaded_again_reveals_what_it_committed_to(ann: chrome.Watched, server: Served) -> None:
    page = ann.page
    table = made(page, server, bots=["", ""])
    page.goto(server.url + table["path"])

    reload, ready = threading.Event(), threading.Event()

    async def ben() -> None:
        """Sits down, and commits only when Ann's page has been loaded again."""
        async with Client(server.url) as client, client.table(table["id"]) as seat:
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

    thread = threading.Thread(target=lambda: asyncio.run(ben()))
    thread.start()
    assert reload.wait(60.0)
    page.reload()
    page.get_by_text("being shuffled").wait_for()
    ready.set()
    page.wait_for_selector(".live")
    thread.join(60.0)
    assert not thread.is_alive()
    assert ann.complaints == []


def test_two_tabs_of_one_person_take_part_as_one(ann: chrome.Watched, server: Served) -> None:
    """Both commit at the same time, and the server takes one of the commitments."""
    page = ann.page
    page.context.add_init_script(TOGETHER)
    table = made(page, server, bots=["", ""])
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(server.url + table["path"])
        tab.get_by_text("Waiting for", exact=False).or_(tab.get_by_role("button", name="Start")).first.wait_for()
    page.get_by_role("button", name="Start").click()
    for tab in (page, other):
        tab.wait_for_selector(".live")
        assert tab.get_by_role("alert").count() == 0
    seats = server.app.hall.rooms[table["id"]].table.places
    assert seats[0].owner, "the seat was not given to a bot"
    assert server.app.hall.rooms[table["id"]].table.entropy[0]


@contextlib.contextmanager
def two_devices(browser: Any, ann: chrome.Watched, server: Served) -> Iterator[chrome.Watched]:
    """Another browser that is Ann, too."""
    link = ann.page.request.post(f"{server.url}/api/me/link", data={}).json()["link"]
    phone = chrome.visitor(browser, server.url)
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Yes, this is me").click()
    phone.page.wait_for_url(f"{server.url}/you")
    yield phone
    phone.page.context.close()


OTHER = "Another device of yours took part in the shuffle"


def test_of_two_devices_of_one_person_one_takes_part(ann: chrome.Watched, server: Served, browser: Any) -> None:
    """No alarm; the other one says so, at the table, when the match is over, and where its record is checked."""
    table = made(ann.page, server, bots=["", ""])
    with two_devices(browser, ann, server) as phone:
        pages = [ann.page, phone.page]
        for page in pages:
            page.goto(server.url + table["path"])
            page.get_by_role("button", name="Start").wait_for()
        pages[0].get_by_role("button", name="Start").click()
        for page in pages:
            page.wait_for_selector(".live")
            assert page.get_by_role("alert").count() == 0
        own, other = pages
        server_side = server.app.hall.rooms[table["id"]].table.entropy[0]
        kept = [{one["entropy"] for _, one in page.evaluate(PARTS)} for page in pages]
        own, other = pages if server_side in kept[0] else pages[::-1]
        other.get_by_text(OTHER).wait_for()
        assert own.get_by_text(OTHER).count() == 0
        other.reload()
        other.get_by_text(OTHER).wait_for()
        other.get_by_role("button", name="OK", exact=True).click()
        other.get_by_text(OTHER).wait_for(state="hidden")
        give_up(own)
        result(other)
        for page, text in ((own, "Your own entropy is in the shuffle."), (other, OTHER)):
            page.get_by_text("Was the shuffle fair?").click()
            page.get_by_text(text).wait_for()
        match = own.request.get(server.url + "/api/matches").json()["matches"][0]["id"]
        record = own.request.get(f"{server.url}/api/matches/{match}/record").text()
        for page, text in ((own, "Your own entropy is in the shuffle."), (other, OTHER)):
            page.goto(server.url + "/verify")
            page.get_by_label("or paste it here").fill(record)
            page.get_by_role("button", name="Check", exact=True).click()
            page.get_by_text(text).wait_for()
            assert page.locator(".problem").count() == 0
        assert ann.complaints == phone.complaints == []


@pytest.mark.parametrize("change", ["commitment", "entropy"])
def test_what_was_shown_of_a_device_is_not_taken_back(
    ann: chrome.Watched, server: Served, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """A server that has shown this browser's commitment cannot say later that another device took part."""
    honest = projection.seat_seen
    monkeypatch.setattr("cardtable.table.shuffling.REVEAL_WITHIN", 500)
    monkeypatch.setattr(projection, "may", lambda *given: [one for one in may(*given) if one != "reveal"])

    def skipped(self: LiveTable, event: Any, at: int) -> None:
        assert self.shuffle
        self.shuffle.withheld += (event.seat,)
        self._happen(event, at, event.seat, by="Ann")

    def lying(table: LiveTable, seat: int, *rest: Any) -> Any:
        told = honest(table, seat, *rest)
        if seat or table.stage != "playing":
            return told
        false = {"entropy": "of the operator's own"}
        if change == "commitment":
            false["commitment"] = fair.committed(false["entropy"])
        fields = {name: getattr(told, name) for name in told.__struct_fields__}
        return projection.SeatSeen(**fields | false)

    monkeypatch.setitem(live._DO, ev.Withheld, skipped)
    monkeypatch.setattr(projection, "seat_seen", lying)
    page = ann.page
    page.goto(server.url + made(page, server)["path"])
    text = {"commitment": "A commitment was changed", "entropy": "Your entropy is not in the shuffle"}[change]
    page.get_by_role("alert").get_by_text(text).wait_for()


def test_a_server_that_changes_the_entropy_is_noticed(
    ann: chrome.Watched, server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = projection.seat_seen

    def lying(table: LiveTable, seat: int, *rest: Any) -> Any:
        told = honest(table, seat, *rest)
        if seat or table.stage != "playing":
            return told
        fields = {name: getattr(told, name) for name in told.__struct_fields__}
        return projection.SeatSeen(**fields | {"entropy": "something-else-altogether"})

    monkeypatch.setattr(projection, "seat_seen", lying)
    page = ann.page
    page.goto(server.url + made(page, server)["path"])
    page.get_by_role("alert").get_by_text("Your entropy is not in the shuffle").wait_for()


def test_one_who_is_left_out_is_told(ann: chrome.Watched, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a server that does not wait for commitments; not where there is no shuffle."""
    monkeypatch.setattr("cardtable.table.shuffling.COMMIT_WITHIN", 0)
    page = ann.page
    page.goto(server.url + made(page, server)["path"])
    page.get_by_role("alert").get_by_text("You have no part in the shuffle").wait_for()
    page.goto(server.url + made(page, server, number="7")["path"])
    page.wait_for_selector(".live")
    assert page.get_by_text("You have no part in the shuffle").count() == 0


def test_a_record_is_checked_in_the_browser(ann: chrome.Watched, server: Served) -> None:
    """Without the server's help, if something was changed."""
    page = ann.page
    page.goto(server.url + made(page, server)["path"])
    page.wait_for_selector(".live")
    ((_, part),) = page.evaluate(PARTS)
    give_up(page)
    page.get_by_text("Was the shuffle fair?").wait_for()
    match = page.request.get(server.url + "/api/matches").json()["matches"][0]["id"]
    record = page.request.get(f"{server.url}/api/matches/{match}/record").text()

    def check(text: str, told: str) -> None:
        page.goto(server.url + "/verify")
        page.get_by_label("or paste it here").fill(text)
        page.get_by_role("button", name="Check", exact=True).click()
        page.get_by_text(told).wait_for()

    check(record, "This browser has checked")
    page.get_by_text("Your own entropy is in the shuffle.").wait_for()
    assert ann.complaints == []
    secret = next(line for line in record.splitlines() if line.startswith("secret"))
    seed = next(line for line in record.splitlines() if line.startswith("seed"))
    page.route("**/api/verify", lambda route: route.abort())
    for old, new, told in (
        (secret, f'secret = "{"0" * 64}"', "does not fit the server's commitment"),
        (part["entropy"], "f" * 32, "does not fit its commitment"),
        (seed, 'seed = "1"', "dealt from another seed"),
    ):
        assert record.count(old) == 1
        check(record.replace(old, new), told)


def test_old_records_have_no_commitments(ann: chrome.Watched, server: Served) -> None:
    """A proof from before there were commitments is checked as far as it goes."""
    page = ann.page
    page.goto(server.url + "/verify")
    found = page.evaluate(
        """async () => {
            const { proofIn, checked } = await import("/static/shuffle.js");
            const record = 'seed = "x"\\n[fair]\\ntable = "T"\\nmatch = 1\\ncommitment = "c"\\n' +
                'secret = "00"\\nentropy = ["é \\\\" x", ""]\\n';
            const { proof, seed } = proofIn(record);
            return [proof, seed, await checked(proof, seed)];
        }"""
    )
    proof, seed, told = json.loads(json.dumps(found))
    assert (proof["commitments"], proof["entropy"], seed) == ([], ['é " x', ""], "x")
    assert "server's commitment" in told["wrong"]
