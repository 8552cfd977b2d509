"""Nothing that somebody has typed runs, becomes an element, or reorders others' text in another's browser."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from cardtable.client import Client
from cardtable.table.setup import LONGEST_CHAT, LONGEST_NAME, clean
from tests.server.net.test_injection import CHANGES, escaped, record
from tests.support import browser as chrome
from tests.support import hostile
from tests.support.server import operating
from tests.support.server.served import Served

pytestmark = chrome.needed
running, server, record = operating.running, operating.server, record
#: what a page of the client never has, whatever it shows
FOREIGN = """() => [...document.querySelectorAll("*")].filter((el) =>
  ["IFRAME", "OBJECT", "EMBED", "BASE", "STYLE"].includes(el.tagName)
  || (el.tagName === "SCRIPT" && !el.closest("head"))
  || (el.tagName === "IMG" && !/^(.api.tables.[-\\w]+.qr.svg|data:image.svg.xml,)/.test(el.getAttribute("src") ?? ""))
  || [...el.attributes].some((one) => /^on/i.test(one.name)
    || ["srcdoc", "action", "formaction", "style"].includes(one.name) && /hit|javascript/i.test(one.value)
    || ["href", "src", "xlink:href"].includes(one.name) && /^\\s*(javascript|vbscript|data:text)/i.test(one.value))
).map((el) => el.outerHTML)"""
#: counts what is run, and what the security policy had to prevent
WATCH = """
window.hit = () => window.ran("hit()");
document.addEventListener("securitypolicyviolation", (e) => window.ran(`${e.violatedDirective}: ${e.blockedURI}`));
"""
#: the texts of a page as a person meets them: what is written, what is said of an element, and what stands in fields
SHOWN = """() => [document.body.innerText, ...[...document.querySelectorAll("[aria-label], [title], input, option")]
  .flatMap((el) => [el.getAttribute("aria-label"), el.title, el.value, el.label])].join("\\n")"""


#: whether a text stands before another one that follows it in an element: to its left, or on an earlier line
BEFORE = """(root, [first, second]) => {
  const range = document.createRange();
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const boxes = [];
  for (let node = walk.nextNode(); node && boxes.length < 2; node = walk.nextNode()) {
    let from = 0;
    for (const text of [first, second].slice(boxes.length)) {
      const at = node.data.indexOf(text, from);
      if (at < 0) break;
      range.setStart(node, at);
      range.setEnd(node, from = at + text.length);
      boxes.push(range.getBoundingClientRect());
    }
  }
  const [one, other] = boxes;
  return other && (one.right <= other.left + 1 || one.bottom <= other.top + 1);
}"""


class Visitor:
    def __init__(self, watched: chrome.Watched) -> None:
        self.watched, self.page, self.url = watched, watched.page, watched.url
        self.complaints = watched.complaints
        self.ran: list[str] = []
        self.page.context.expose_function("ran", lambda what: self.ran.append(what))
        self.page.add_init_script(WATCH)
        self.page.on("dialog", self._asked)
        self.page.on("popup", lambda page: self.ran.append(page.url))
        self.page.on("pageerror", lambda error: self.ran.append(str(error)))

    def _asked(self, dialog: Any) -> None:
        self.ran.append(dialog.message)
        dialog.dismiss()

    def goes(self, path: str) -> None:
        """Open a page, and wait until the client has drawn it."""
        self.page.goto(self.url + "/static/icon.svg")  # another fragment alone would load nothing
        self.page.goto(self.url + path)
        self.page.wait_for_selector("#main, .live")

    def sees(self, *texts: str) -> None:
        """The page shows these texts letter for letter, has made nothing of them, and has run nothing."""
        for text in texts:
            self.page.wait_for_function(f"(text) => ({SHOWN})().includes(text)", arg=text)
        assert self.page.evaluate(FOREIGN) == []
        assert self.ran == []

    def sees_in_order(self, selector: str, first: str, second: str) -> None:
        """An element shows one text before the other that follows it, and the browser has not exchanged them."""
        where = self.page.locator(selector).filter(has_text=first).filter(has_text=second).first
        where.wait_for()
        assert where.evaluate(BEFORE, [first, second]), where.inner_text()

    def post(self, path: str, body: Any) -> Any:
        return self.page.request.post(self.url + path, data=body).json()

    def leave(self) -> None:
        """Close the browser; nothing has run. It may have complained of what was refused."""
        self.page.context.close()
        self.complaints.clear()
        assert self.ran == []


@pytest.fixture
def person(browser: Any, server: Served) -> Iterator[Callable[[], Visitor]]:
    people: list[Visitor] = []

    def made() -> Visitor:
        people.append(Visitor(chrome.visitor(browser, server.url)))
        return people[-1]

    yield made
    for one in people:
        one.leave()


def gives_up(one: Visitor) -> None:
    """End the match by resigning, and wait for its result."""
    one.watched.give_up()
    one.watched.result()


@contextlib.contextmanager
def seated(server: Served, table: str, names: list[str]) -> Iterator[None]:
    """People with these names sit at a table, by programs of theirs."""
    there, over = threading.Event(), threading.Event()

    async def sit() -> None:
        async with contextlib.AsyncExitStack() as stack:
            for name in names:
                client = await stack.enter_async_context(Client(server.url))
                seat = await stack.enter_async_context(client.table(table))
                await seat.sit(name)
            there.set()
            await asyncio.to_thread(over.wait)

    with ThreadPoolExecutor(1) as pool:
        sitting = pool.submit(asyncio.run, sit())
        sitting.add_done_callback(lambda _: there.set())
        try:
            there.wait()
            yield
        finally:
            over.set()
            sitting.result()


def test_names_and_chat_wherever_they_are_shown(person: Callable[[], Visitor], server: Served) -> None:
    """On the first page, at the table before and in the match, in plain text, when somebody has gone, in the result,
    among the finished games, in the replay and the review; for players and for a spectator. Everybody at the table has
    a hostile name.
    """
    names = [clean(text, LONGEST_NAME) for text in hostile.TEXTS.values()]  # as they are, some are refused
    first, second, *others = names
    said = clean(hostile.ALL, LONGEST_CHAT)
    ann, ben, cleo = person(), person(), person()
    setup = {"game": "i-doubt-it", "seats": len(names), "bots": [""] * len(names), "clock": "relaxed", "listed": True}
    made = ann.post("/api/tables", setup | {"name": first})
    ann.goes(made["path"])
    ann.sees(names[0])
    with seated(server, made["id"], others):
        for path in ("/", made["path"]):
            cleo.goes(path)
            cleo.sees(names[0], *names[2:])
        ben.goes(made["path"])
        ben.page.get_by_label("Your name").fill(second)
        ben.page.get_by_role("button", name="Sit here").click()
        for one in (ann, ben, cleo):
            one.page.wait_for_selector(".live")
        ann.sees(*names[1:])
        ben.sees(names[0], *names[2:])
        cleo.sees(*names)
        ben.page.get_by_placeholder("Type a message").fill(hostile.ALL)
        ben.page.get_by_placeholder("Type a message").press("Enter")
        for one in (ann, ben, cleo):
            one.sees(said)
        cleo.page.evaluate("localStorage.setItem('cardtable', JSON.stringify({plain: true, speed: 'instant'}))")
        cleo.goes(made["path"])
        cleo.page.wait_for_selector(".plaintable")
        cleo.sees(*names)
        ann.goes("/")
        ann.sees(names[1])
        ann.goes(made["path"])
        ben.goes("/about")
        ann.page.get_by_role("button", name="End the match").wait_for()
        ann.sees(*names[1:])
        gives_up(ann)
        for one in (ann, cleo):
            one.sees(*names[1:])
    ann.goes("/finished")
    ann.sees(*names[1:])
    ann.page.get_by_role("link", name="I Doubt It").click()
    ann.page.wait_for_selector(".replay")
    ann.sees(*names[1:])
    ann.page.get_by_role("button", name="Review").click()
    ann.page.wait_for_selector(".review")
    ann.sees(*names[1:])
    for path in ("/statistics", "/you", "/settings", "/finished"):
        ann.goes(path)
        ann.sees()


def test_names_and_chat_from_right_to_left(person: Callable[[], Visitor]) -> None:
    """What follows a Hebrew name stays behind it: another name, a number, what somebody says."""
    one, other = "שלום", "אבגד"
    ann, ben, cleo = person(), person(), person()
    setup = {"game": "fan-tan", "seats": 3, "bots": ["", "", ""], "listed": True}
    made = ann.post("/api/tables", setup | {"name": one})
    ann.goes(made["path"])
    ann.sees_in_order(".places li", one, "(")
    ben.goes(made["path"])
    ben.page.get_by_label("Your name").fill(other)
    ben.page.get_by_role("button", name="Sit here").first.click()
    ben.sees_in_order(".places li", other, "(")
    cleo.goes("/")
    cleo.sees_in_order(".tables a span", one, other)
    ann.page.get_by_role("button", name="Start, with").click()
    for visitor in (ann, ben):
        visitor.page.wait_for_selector(".live")
    ben.page.get_by_placeholder("Type a message").fill("1, 2, 3")
    ben.page.get_by_placeholder("Type a message").press("Enter")
    ann.sees_in_order(".chat li", other, "1, 2, 3")
    ben.page.get_by_placeholder("Type a message").fill(f"{one} {other}: 7")
    ben.page.get_by_placeholder("Type a message").press("Enter")
    ann.sees_in_order(".chat li", other, one)
    gives_up(ann)
    ann.goes("/finished")
    text = ann.page.locator(".tables a span").first.inner_text()
    score = re.search(rf"{other}\W (-?\d+)", text)
    assert score, ascii(text)
    ann.sees_in_order(".tables a span", other, score[1])
    ann.page.locator(".tables a").first.click()
    ann.page.wait_for_selector(".replay")
    ann.sees(other)


# Records


def uploaded(one: Visitor, path: str, text: str, folder: Path) -> None:
    """Choose a file with this text and a hostile name."""
    file = folder / (re.sub(r"[/\0]", "", hostile.ALL)[:60] + ".toml")
    file.write_text(text, "utf-8")
    one.goes(path)
    one.page.locator("input[type=file]").set_input_files(file)


def test_records_of_others(person: Callable[[], Visitor], record: str, tmp_path: Path) -> None:
    ann = person()
    a_record_from_somebody_else(ann, record, tmp_path)
    a_record_that_is_refused(ann, record, tmp_path)


def a_record_from_somebody_else(ann: Visitor, record: str, tmp_path: Path) -> None:
    """Players' names, and all its other content, in the replay, the review and a table that plays on from it."""
    names = ["an element", "out of an attribute", "a template"]
    listed = ", ".join(f'"{escaped(hostile.TEXTS[one])}"' for one in names)
    more = "".join(f'{key} = "{escaped(hostile.ALL)}"\n' for key in ("event", "site", "date", "notes", "messages"))
    text = f"players = [{listed}]\n{more}{record}"
    shown = [clean(hostile.TEXTS[one], LONGEST_NAME) for one in names]
    uploaded(ann, "/finished", text, tmp_path)
    ann.page.wait_for_selector(".replay")
    ann.sees(*shown[1:])
    ann.page.get_by_role("button", name="Review").click()
    ann.page.wait_for_selector(".review .sum b")
    ann.sees(*shown[1:])
    ann.page.get_by_role("button", name="To the end").click()
    ann.sees(*shown[1:])
    for path in ("/finished", "/statistics", "/you"):
        ann.goes(path)
        ann.sees(*(shown[1:] if path == "/finished" else ()))
    uploaded(ann, "/verify", text, tmp_path)
    ann.page.locator(".problem").first.wait_for()
    ann.sees()


def a_record_that_is_refused(ann: Visitor, record: str, tmp_path: Path) -> None:
    """The refusal repeats what is wrong with it: names, values, house rules, moves, and a proof."""
    proof = (
        '\n[proof]\ntable = "{}"\nmatch = 1\ncommitment = "{}"\nsecret = "{}"\nentropy = ["{}"]\ncommitments = ["{}"]\n'
    )
    texts = [record.replace(old, new) for old, new in CHANGES.values()] + [record + proof]
    for page, tried in (("/finished", texts), ("/verify", [texts[0], texts[-1]])):
        for text in tried:
            uploaded(ann, page, text.replace("{}", escaped(hostile.ALL)), tmp_path)
            ann.page.wait_for_selector(".problem, .replay")
            ann.sees()
            assert not set(hostile.OBEYED) & set(ann.page.evaluate(SHOWN))
    ann.goes("/verify")
    ann.page.get_by_label("or paste it here").fill(hostile.ALL)
    ann.page.get_by_role("button", name="Check", exact=True).click()
    ann.page.locator(".problem").first.wait_for()
    ann.sees()


# Addresses, refusals, links


def test_addresses(person: Callable[[], Visitor]) -> None:
    """Paths, parameters and fragments: each page that reads them with all texts at once, and each text in one of the
    pages. The page is drawn, and says what is wrong; what is badly encoded is taken as it is written.
    """
    ann = person()

    def paths(hostile_text: str) -> list[str]:
        text, part = quote(hostile_text, ""), quote(hostile_text.replace("/", ""))
        return [
            f"/t/{part}",
            f"/rules/{part}",
            f"/new?game={text}",
            f"/rules/fan-tan?preset={text}",
            f"/rules/fan-tan?{text}={text}",
            f"/rules/fan-tan#{text}",
            f"/replay/1?{text}#{text}",
            f"/link#{text}",
            f"/new?game=fan-tan&preset={text}&seats={text}&number={text}&next={text}",
        ]

    each = [paths(text)[k % 9] for k, text in enumerate(hostile.TEXTS.values())]
    for path in paths(hostile.ALL) + each:
        ann.goes(path)
        ann.page.wait_for_function(chrome.DRAWN)
        ann.sees()
    for path in ("/t/%", "/t/%E0%A4%A", "/rules/%", "/rules/%ff", "/rules/fan-tan#%", "/rules/fan-tan#%zz"):
        ann.goes(path)
        if "#" in path:
            ann.page.get_by_role("heading", name="Fan Tan").first.wait_for()
        else:
            ann.page.locator("[role=alert], h1:text-is('No table here')").first.wait_for()
        ann.sees()


def test_refusals_repeat_what_was_typed(person: Callable[[], Visitor]) -> None:
    """A game that is searched for, a table's code, a house rule, a move."""
    ann = person()
    for text in hostile.TEXTS.values():
        ann.goes("/")
        for field in ("A friend's code", "Find a game by any of its names"):
            one = ann.page.get_by_label(field)
            one.fill(text)
            one.press("Enter")
            ann.page.locator(".problem").first.wait_for()
            ann.sees()
    house = quote(json.dumps({"ante": hostile.ALL} | dict.fromkeys(hostile.TEXTS.values(), hostile.ALL)))
    ann.goes(f"/new?game=fan-tan&preset=denexa&seats=3&options={house}")
    ann.page.wait_for_function(chrome.DRAWN)
    ann.sees()
    ann.page.get_by_role("button", name="Deal", exact=True).click()
    ann.page.locator(".problem, .toast").first.wait_for()
    ann.sees()
    assert not set(hostile.OBEYED) & set(ann.page.evaluate(SHOWN))
    ann.page.add_init_script("localStorage.setItem('cardtable', JSON.stringify({plain: true, speed: 'instant'}))")
    made = ann.post("/api/tables", {"game": "fan-tan", "name": "Ann", "seats": 2, "bots": ["", "medium"]})
    ann.goes(made["path"])
    ann.page.get_by_text("Your turn.").wait_for()
    for text in hostile.TEXTS.values():
        ann.page.get_by_label("Move", exact=True).fill(text)
        ann.page.get_by_role("button", name="Play", exact=True).click()
        ann.page.get_by_text("is not a move").first.wait_for()
        ann.sees()
        assert not set(hostile.OBEYED) & set(ann.page.evaluate(SHOWN))


def test_links_of_devices_and_answers_opened_as_pages(person: Callable[[], Visitor], record: str) -> None:
    ann = person()
    ann.goes("/you")
    the_link_of_another_device(ann, person())
    answers_opened_as_pages(ann, record)


def the_link_of_another_device(ann: Visitor, ben: Visitor) -> None:
    """A person who opens it is asked whether they are the one who made it, by that name."""
    for name in ("an element", "out of an attribute", "a template"):
        made = ann.post("/api/me/link", {"name": hostile.TEXTS[name]})
        ben.goes(made["link"].removeprefix(ann.url))
        ben.sees(clean(hostile.TEXTS[name], LONGEST_NAME))
    ben.page.get_by_role("button", name="Yes, this is me").click()
    ben.page.wait_for_url(f"{ann.url}/you")
    ben.sees("This device")
    ben.goes(made["link"].removeprefix(ann.url))
    ben.page.locator(".problem").first.wait_for()
    ben.sees()


def answers_opened_as_pages(ann: Visitor, record: str) -> None:
    """What the server sends as data or as a file does not run if its address is opened."""
    name = escaped(hostile.ALL)
    match = ann.post("/api/records", f'players = ["{name}", "{name}", "{name}"]\n{record}')
    setup = {"game": "fan-tan", "seats": 2, "bots": ["", ""]}
    made = ann.post("/api/tables", setup | {"name": clean(hostile.ALL, LONGEST_NAME)})
    for path in (
        f"/api/matches/{match['id']}",
        "/api/matches",
        f"/api/tables/{made['id']}",
        "/api/me",
        f"/api/tables/{made['id']}/qr.svg",
        f"/api/tables/{quote(hostile.ALL, '')}",
        f"/{quote(hostile.ALL, '')}",
        f"/api/games/fan-tan/rules.html?preset={quote(hostile.ALL)}",
    ):
        ann.page.goto(ann.url + path)
        assert ann.page.evaluate("document.querySelectorAll('script, [onerror], [onload]').length") == 0
        assert ann.ran == []
    for path in (f"/api/matches/{match['id']}/record", "/api/me/data"):
        ann.goes("/about")
        with ann.page.expect_download() as download:
            ann.page.evaluate("(path) => void (location.href = path)", path)
        assert re.fullmatch(r"[a-z0-9.-]+", download.value.suggested_filename)
