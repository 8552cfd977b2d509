"""The browser client in a real Chromium: by mouse, by keys, by touch; friends, reloads, restarts; what is sent and what
is not.
"""

from __future__ import annotations

import gzip
import json
import re
import signal
import struct
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

from cardtable.rules.catalog import games
from cardtable.server import app
from tests.browser.boxes import faults
from tests.browser.test_browser_table import bots
from tests.support import browser as chrome
from tests.support.browser import alone
from tests.support.effort import cases
from tests.support.games.states import STATES
from tests.support.server.served import Served, free_port, start

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "cardtable" / "web"
SMALL = 215_000  #: bytes, compressed, as they are sent, of all files but court art and fonts


# What is shipped


def test_the_client_is_small() -> None:
    sent = {
        name: file
        for name, file in app.site().files.items()
        if not name.startswith(("cards/", "fonts/", "style/")) or name == "style/all.css"
    }
    assert sum(len(gzip.compress(file.content, 6)) for file in sent.values()) <= SMALL


def test_every_game_has_its_pictures() -> None:
    pictures = ROOT / "docs" / "screenshots"
    assert {f"{game}-{state}.webp" for game in games() for state in STATES} <= {
        path.name for path in pictures.iterdir()
    }
    assert sum(path.stat().st_size for path in pictures.iterdir()) < 2_000_000


def test_vendored_files_are_those_that_were_fetched() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "vendor.py", "check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_no_page_loads_anything_from_elsewhere() -> None:
    for path in [*WEB.rglob("*.js"), *WEB.rglob("*.css"), *WEB.rglob("*.html")]:
        assert "https://" not in path.read_text("utf-8"), path


@pytest.mark.parametrize("game", sorted(games()))
def test_every_game_can_be_set_up(server: Served, game: str) -> None:
    with urllib.request.urlopen(f"{server.url}/api/games/{game}") as answer:
        entry = json.load(answer)
    assert {option["name"] for option in entry["options"]} == set(games()[game].options.kinds())


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/static/pages/table.js",
        "/api/schema",
        "/rules/fan-tan",
        "/api/games/fan-tan/rules.html",
        "/api/games/fan-tan/rules",
    ],
)
def test_what_is_the_same_for_everybody_is_sent_compressed(server: Served, path: str) -> None:
    def ask(**headers: str) -> tuple[str | None, bytes]:
        with urllib.request.urlopen(urllib.request.Request(server.url + path, headers=headers)) as answer:
            return answer.headers["content-encoding"], answer.read()

    encoding, packed = ask(**{"Accept-Encoding": "gzip"})
    assert encoding == "gzip"
    assert ask() == (None, gzip.decompress(packed))


# Play


#: where the first card of the hand that cannot be played is, in some frames
TOPS = """async () => {
  const tops = [];
  for (let frame = 0; frame < 6; frame += 1) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    if (frame > 1) tops.push(document.querySelector(".hand button.card:not(.can)").getBoundingClientRect().top);
  }
  return tops;
}"""
#: the cards that some part of a page names
CARDS = "(which) => [...document.querySelectorAll(`${which}[data-card]`)].map((el) => el.dataset.card)"


@chrome.needed
def test_two_clicks_from_the_address_to_cards(ann: chrome.Watched) -> None:
    """And the first turn there: nothing shows what is face down, a refused card is explained by its rule, a page that
    is loaded again is as it was.
    """
    page = ann.page
    page.goto(ann.url)
    page.get_by_role("button", name="Play now: Fan Tan", exact=True).click()
    page.wait_for_selector(".live.turn .hand button.card")
    assert page.locator(".hand button.card").count() >= 6

    low = page.locator(".hand button.card:not(.can)").first.bounding_box()
    page.mouse.move(low["x"] + 10, low["y"] + low["height"] - 6)
    assert len(set(page.evaluate(TOPS))) == 1, "a card is lifted, and stays so, with the pointer at its lower edge"
    page.mouse.move(5, 300)
    shown, own, laid = (set(page.evaluate(CARDS, which)) for which in ("", ".hand ", ".ladder "))
    assert shown == own | laid
    assert not own & laid
    others = page.locator(".others").inner_html()
    assert "suit-" not in others.replace("in suit-", "")
    assert "of hearts" not in page.locator(".others .held").first.inner_html()

    page.locator(".hand button.card:not(.can)").first.click(position=chrome.CORNER)
    page.locator(".message .rule").click()
    page.wait_for_selector("dialog .lit")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")

    hand = page.locator(".hand").inner_text()
    assert page.title().startswith("● Your turn")
    page.reload()
    page.wait_for_selector(".live.turn")
    assert page.locator(".hand").inner_text() == hand
    ann.move()
    page.wait_for_function("(before) => document.querySelector('.hand')?.innerText !== before", arg=hand)


@pytest.mark.exhaustive
@chrome.needed
def test_the_end_of_a_deal_by_keyboard_only(ann: chrome.Watched) -> None:
    ann.deal("fan-tan", **chrome.near_the_end("fan-tan"))
    page = ann.page
    for _ in range(40):
        page.wait_for_selector(".live.turn, .ending")
        if ann.over:
            break
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.matches('.hand .can')"):
            hand = page.locator(".hand").inner_text()
            page.keyboard.press("Enter")
            page.wait_for_function(
                "(before) => document.querySelector('.ending') || "
                "document.querySelector('.hand')?.innerText !== before",
                arg=hand,
            )
    page.wait_for_function("() => document.activeElement.matches('.actions .primary')")
    page.keyboard.press("Enter")  # go on
    page.wait_for_selector(".ending", state="detached")


@chrome.needed
def test_on_a_phone_by_touch(browser: Any, server: Served) -> None:
    """An auction, which also fits on the smallest phone; the end of a deal and its sheet. Fingers find what can be
    pressed; on tables of all games in `test_browser_languages`.
    """
    phone = chrome.visitor(browser, server.url, 390, 844, has_touch=True, is_mobile=True, chosen={"drawer": False})
    page = phone.page
    phone.deal("michigan", number="michigan 9", **bots(4))  # the person bids first
    page.wait_for_selector(".live.turn .number")
    assert chrome.missed(page) == [], "where a number is chosen"
    page.set_viewport_size({"width": 320, "height": 568})
    page.wait_for_function("() => innerWidth === 320")
    assert faults(phone.page) == []
    page.set_viewport_size({"width": 390, "height": 844})

    phone.deal("fan-tan", **chrome.near_the_end("fan-tan", 4))
    page.wait_for_selector(".hand button.card")
    box = page.locator(".hand").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 844
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    phone.play_deal(tap=True)
    assert chrome.missed(page) == [], "at the end"


#: where a card of a column can be moved: its button, and a place on the column where it may go, as centres
LIFT = """() => {
  const middle = (el) => { const box = el.getBoundingClientRect(); return [box.left + box.width / 2, box.top + 12]; };
  const from = [...document.querySelectorAll('.column .can')];
  return from.map(middle);
}"""


def dragged(page: Any, onto: str) -> None:
    """Lift the first card that can be moved, and let it go over the first column that a selector finds while it is in
    the air.
    """
    start = page.evaluate(LIFT)[0]
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 30, start[1] + 30, steps=4)
    column = page.locator(onto).first.bounding_box()
    assert column
    page.mouse.move(column["x"] + column["width"] / 2, column["y"] + 60, steps=4)
    page.mouse.up()


def asked(page: Any, made: str, n: int) -> bool:
    """Whether a chosen card waits for its target, and has not been moved as the n-th move already."""
    page.wait_for_function(f"(n) => ({made})(n) || document.querySelector('.column.goal')", arg=n)
    return not page.evaluate(made, n)


def walk(page: Any, there: str) -> None:
    """Go from column to column by the arrow until the focus is at its target."""
    for _ in range(11):
        page.keyboard.press("ArrowRight")
        if page.evaluate(there):
            return
    raise AssertionError(f"not in any column: {there}")


@chrome.needed
def test_spider_by_drag_by_tap_and_by_keys(ann: chrome.Watched) -> None:
    page = ann.page
    ann.deal("spider", seats=1, bots=[""], preset="one-suit", number="12")
    page.wait_for_selector(".live.turn .column .can")
    made = "(n) => document.querySelector('.aside').innerText.match(`moves made ${n}(?! of)\\\\b`)"

    dragged(page, ".column.goal")  # the columns where it may go light up while it is in the air
    page.wait_for_function(made, arg=1)
    page.keyboard.press("z")
    page.wait_for_function(made, arg=0)

    # where nothing may go: the cards lie where they lay, and the page says why
    dragged(page, ".column:not(.goal):not(:has(.chosen))")
    page.wait_for_selector(".message.bad .rule")
    assert page.evaluate(made, 0)

    page.mouse.click(*page.evaluate(LIFT)[0])  # by tap: the card, and if there is a choice its column
    if asked(page, made, 1):
        page.locator(".column.goal button").last.click()
    page.wait_for_function(made, arg=1)

    walk(page, "document.activeElement.matches('.column .can')")  # by keys
    page.keyboard.press("Enter")
    if asked(page, made, 2):
        walk(page, "!!document.activeElement.closest('.column.goal')")
        page.keyboard.press("Enter")
    page.wait_for_function(made, arg=2)


@pytest.mark.exhaustive
@chrome.needed
def test_a_match_is_shared_and_replayed_and_counted(ann: chrome.Watched) -> None:
    page = ann.page
    ann.deal("scopa", seats=2, bots=["", "medium"], number="a deal to share")
    page.wait_for_selector(".live.turn")
    hand = page.locator(".hand").inner_text()
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".message .advice")
    ann.move()
    page.wait_for_function("(before) => document.querySelector('.hand')?.innerText !== before", arg=hand)
    page.wait_for_selector(".live.turn")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("(before) => document.querySelector('.hand')?.innerText === before", arg=hand)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="the same cards again").click()
    page.get_by_role("link", name="Set up a table with these cards").click()
    page.get_by_role("button", name="Deal", exact=True).click()
    page.wait_for_selector(".live.turn")
    assert page.locator(".hand").inner_text() == hand
    ann.move()
    page.wait_for_function("(before) => document.querySelector('.hand')?.innerText !== before", arg=hand)
    ann.give_up()
    ann.result()
    page.get_by_role("button", name="Replay").click()
    page.wait_for_selector(".replay .feltbox")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".moved b")
    assert page.locator(".sat .card.up").count() >= 5, "all hands are open"
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    record = download.value.path()
    page.goto(ann.url + "/finished")
    page.locator("input[type=file]").set_input_files(record)
    page.wait_for_selector(".replay .feltbox")
    page.goto(ann.url + "/finished")
    page.wait_for_selector(".tables li")
    assert all("Hugo" in line for line in page.locator(".tables li").all_inner_texts())
    page.goto(ann.url + "/statistics")
    assert "Scopa" in page.locator("tbody").inner_text()
    assert "Won without help" in page.locator("thead").inner_text()
    chrome.expect(page.locator("tbody tr td")).to_have_count(8)


@chrome.needed
def test_tables_as_plain_text(ann: chrome.Watched) -> None:
    """The end of a deal; sets of cards and chips, which are chosen one by one."""
    page = ann.page
    page.add_init_script(
        "localStorage.setItem('cardtable', JSON.stringify({plain: true, name: 'Ann', speed: 'instant'}))"
    )
    page.goto(ann.table("busca", **chrome.near_the_end("busca")))
    ended = page.get_by_role("heading", name="Paid and scored")
    for _ in range(20):
        page.locator(".movelist button").first.or_(ended).first.wait_for()
        if ended.count():
            break
        text = page.locator(".plaintable").inner_text()
        page.evaluate("document.querySelector('.movelist button')?.click()")
        page.wait_for_function("(told) => document.querySelector('.plaintable')?.innerText !== told", arg=text)
    assert ended.count()
    for game, preset, button in (("i-doubt-it", "doubt", "Lay 2 as "), ("michigan", "boodle", "Put down 4 chips")):
        page.goto(ann.table(game, preset=preset, number=f"{preset} 1", **bots(4)))
        page.wait_for_selector("fieldset, .movelist")
        while not page.locator("fieldset").count():
            page.evaluate("document.querySelector('.movelist button')?.click()")
        for box in (5, 1):
            if page.get_by_role("checkbox").count():
                page.get_by_role("checkbox").nth(box).check()
        page.get_by_role("button", name=re.compile(f"^{button}")).click()
        page.wait_for_selector("fieldset", state="detached")


@chrome.needed
@pytest.mark.parametrize("game", cases(games(), {"spider", "fan-tan"}))
def test_the_second_click_of_a_double_click_makes_no_move(game: str, ann: chrome.Watched) -> None:
    """Not even if the first move was answered, and it is the player's turn again."""
    page, sent = ann.page, list[dict[str, Any]]()
    page.on("websocket", lambda line: line.on("framesent", lambda text: sent.append(json.loads(text))))
    ann.deal(game, **chrome.alone(game), number=f"{game} 1")

    def moves() -> int:
        page.evaluate("0")  # what the page has sent by now is known
        return sum(one["type"] == "move" for one in sent)

    while not moves():  # a move may take several clicks: cards are chosen, buttons appear
        page.wait_for_selector(".live.turn")
        if at := page.evaluate(chrome.AIM):
            page.mouse.click(*at)
    page.wait_for_selector(".live.turn, .ending")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    assert moves() == 1


# A server that dies


@pytest.mark.exhaustive
@chrome.needed
def test_the_server_dies_and_comes_back_under_an_open_page(browser: Any, tmp_path: Path) -> None:
    """It is a process, because it must be killed."""
    port = free_port()
    process = start(port, tmp_path / "tables.db")
    try:
        page = chrome.visitor(browser, f"http://127.0.0.1:{port}")
        page.deal("fan-tan", **alone("fan-tan"))
        page.page.wait_for_selector(".live.turn")
        process.send_signal(signal.SIGKILL)
        process.wait()
        page.page.wait_for_selector(".offline")
        hand = page.page.locator(".hand").inner_text()
        page.page.locator(".hand .can").first.click(position=chrome.CORNER)  # kept, and sent when the server is back
        process = start(port, tmp_path / "tables.db")
        page.page.wait_for_selector(".offline", state="detached")
        page.page.wait_for_function("(before) => document.querySelector('.hand')?.innerText !== before", arg=hand)
        page.page.context.close()
        page.complaints.clear()  # of the server that was away
    finally:
        process.kill()
        process.wait()


# For everybody


def png_size(image: bytes) -> str:
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    assert image[12:16] == b"IHDR"
    return "{}x{}".format(*struct.unpack(">II", image[16:24]))


def test_it_can_be_installed(server: Served) -> None:
    """The first page links a manifest with all that browsers ask of one. Whether a browser then offers to install it
    is its own affair.
    """
    page = httpx.get(server.url)
    linked = re.search(r'<link rel="manifest" href="([^"]+)">', page.text)
    assert linked
    place = urljoin(server.url, linked[1])
    answer = httpx.get(place)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/manifest+json")
    manifest = answer.json()
    assert 0 < len(manifest["short_name"]) <= 12
    assert manifest["name"]
    assert manifest["display"] in ("standalone", "fullscreen", "minimal-ui")
    for name in ("id", "start_url", "scope"):
        assert urljoin(place, manifest[name]) == server.url + "/", name
    assert httpx.get(urljoin(place, manifest["start_url"])).status_code == 200
    for name in ("background_color", "theme_color"):
        assert re.fullmatch("#[0-9a-f]{6}", manifest[name]), name
    assert f'<meta name="theme-color" content="{manifest["theme_color"]}">' in page.text
    sizes = set()
    for icon in manifest["icons"]:
        image = httpx.get(urljoin(place, icon["src"]))
        assert (image.status_code, image.headers["content-type"].partition(";")[0]) == (200, icon["type"]), icon
        size = png_size(image.content) if icon["type"] == "image/png" else "any"
        assert icon["sizes"] == size, icon
        sizes.add((icon.get("purpose", "any"), size))
    assert sizes >= {("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")}


PAGES = (
    ("/", "/new?game=fan-tan", "/rules/fan-tan", "/finished"),
    ("/statistics", "/verify", "/settings", "/you"),
    ("/about", "/daily", "/learn/scopa", "/matches"),
)


@chrome.needed
@pytest.mark.exhaustive
@pytest.mark.parametrize("paths", PAGES, ids=" ".join)
def test_every_page_is_for_everybody(browser: Any, server: Served, paths: tuple[str, ...]) -> None:
    """Axe finds nothing in any look, and fingers find what can be pressed on a phone. Tables of all games are looked at
    in `test_browser_languages`.
    """
    one = chrome.visitor(browser, server.url, has_touch=True, bypass_csp=True)
    page, wrong = one.page, {}
    for path in paths:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(server.url + path)
        page.wait_for_function(chrome.DRAWN)
        wrong[path] = chrome.violations_in_every_look(page)
        page.set_viewport_size({"width": 390, "height": 844})
        wrong[f"{path} on a phone"] = chrome.missed(page)
    assert {place: faults for place, faults in wrong.items() if faults} == {}


@chrome.needed
@pytest.mark.exhaustive
def test_a_table_with_all_that_it_has_is_for_everybody(browser: Any, server: Served) -> None:
    """Axe finds nothing in any look: of red cards in the text of a bright button, the menu, coach, clock and reason,
    and the settings.
    """
    one = chrome.visitor(browser, server.url, bypass_csp=True, chosen={"coached": False, "letters": True})
    page, wrong = one.page, {}
    one.deal("cassino", **alone("cassino"), number="cassino 4")  # builds with the four of hearts
    page.locator(".hand button.card.can").first.click(position=chrome.CORNER)
    page.wait_for_selector(".primary .in.suit-H")
    wrong["choice"] = chrome.violations_in_every_look(page)
    page.get_by_role("button", name="Menu").click()
    page.wait_for_selector("dialog.menu[open]")
    wrong["menu"] = chrome.violations_in_every_look(page)
    one.deal("fan-tan", clock="relaxed", number="fan-tan 1", **bots(3))
    page.wait_for_selector(".live.turn")
    page.locator(".hand button.card:not(.can)").first.hover(position=chrome.CORNER)
    page.wait_for_selector(".tip")
    wrong["coach, clock and reason"] = chrome.violations_in_every_look(page)
    page.get_by_label("Settings").click()
    page.wait_for_selector("dialog[open] .settings")
    wrong["settings"] = chrome.violations_in_every_look(page)
    assert {place: faults for place, faults in wrong.items() if faults} == {}
