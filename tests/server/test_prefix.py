"""A site below a path of a host: its pages, its files, its API, its sockets, its cookie, and the browser client."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import segno
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from cardtable import Match, bot
from cardtable.client import Client
from cardtable.server.configuration import SettingsError, load
from cardtable.server.net import listening
from tests.support import browser as chrome
from tests.support.browser import Watched
from tests.support.commands import ROOT, call
from tests.support.server.served import Served, served

PREFIX = "/cards/of-ours"
WEB = ROOT / "cardtable" / "web"


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("prefix") / "t.db", prefix=PREFIX) as running:
        yield running


@pytest.fixture(scope="module")
def finished() -> str:
    m = Match("fan-tan", 3, seed=1, deals=1)
    players = [bot("medium", 1) for _ in range(m.seats)]
    while not m.over:
        (seat,) = m.actors
        m.play(players[seat].choose(m.view(seat)), seat)
    return str(m.record())


def test_everything_is_below_the_prefix(below: Served) -> None:
    with httpx.Client(base_url=below.url) as http:
        for path in ("/", "/new", "/api/games", "/api/schema", "/static/main.js", "/healthz", "/metrics"):
            assert http.get(PREFIX + path).status_code == 200, path
            outside = http.get(path)
            assert (outside.status_code, outside.json()["error"]["code"]) == (404, "http/missing"), path
            assert f"{PREFIX}/" in outside.json()["error"]["can"]
        for path in (f"{PREFIX}x/", f"{PREFIX}x", "/cards", f"{PREFIX}/{PREFIX}/api/games"):
            assert http.get(path).status_code == 404, path
        moved = http.get(PREFIX)
    assert (moved.status_code, moved.headers["location"]) == (308, f"{PREFIX}/")


def test_the_cookie_is_for_the_prefix_alone(below: Served) -> None:
    assert f"; Path={PREFIX};" in httpx.get(f"{below.url}{PREFIX}/").headers["set-cookie"]
    assert "set-cookie" not in httpx.get(f"{below.url}{PREFIX}/static/main.js").headers
    assert "set-cookie" not in httpx.get(below.url).headers


def test_the_page_names_files_below_the_prefix(below: Served) -> None:
    """The policy has the hashes of the script and of the import map as they are sent."""
    with httpx.Client(base_url=below.url) as http:
        page = http.get(f"{PREFIX}/")
        places = re.findall(r'"(/[^"]*)"', page.text)
        assert len(places) > 25
        for place in places:
            assert http.get(place).status_code == 200, place
    assert {place for place in places if not place.startswith(f"{PREFIX}/")} == set()
    assert page.headers["content-security-policy"].count("sha256-") == 2


async def test_a_program_plays_below_the_prefix(below: Served) -> None:
    async with Client(below.url + PREFIX + "/") as ann:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", "medium"])
        assert made["path"] == f"/t/{made['id']}"  # within the site
        assert "<title>Cardtable" in await ann.get(made["path"])
        async with ann.table(made["code"]) as table:
            await table.until(lambda: bool(table.legal))
            before = table.version
            await table.move(table.legal[0])
            assert table.version > before


def test_the_invite_link_has_the_prefix(below: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    links: list[str] = []
    make = segno.make

    def told(link: str, **more: Any) -> segno.QRCode:
        links.append(link)
        return make(link, **more)

    monkeypatch.setattr(segno, "make", told)
    made = httpx.post(f"{below.url}{PREFIX}/api/tables", json={"game": "fan-tan"}).json()
    assert httpx.get(f"{below.url}{PREFIX}/api/tables/{made['id']}/qr.svg").status_code == 200
    assert links == [f"{below.url}{PREFIX}/t/{made['id']}"]


def test_sockets_are_below_the_prefix(below: Served) -> None:
    headers = {"Cookie": f"cardtable={below.token()}"}
    here = f"ws://127.0.0.1:{below.port}"
    with connect(f"{here}{PREFIX}/ws", additional_headers=headers, proxy=None):
        pass
    with pytest.raises(InvalidStatus, match="403"), connect(f"{here}/ws", additional_headers=headers, proxy=None):
        pass


def test_the_description_names_the_prefix(below: Served) -> None:
    assert httpx.get(f"{below.url}{PREFIX}/api/schema").json()["servers"] == [{"url": PREFIX}]


def test_the_server_tells_its_address_with_the_prefix(below: Served) -> None:
    assert listening.addresses(below.listening, PREFIX) == [f"{below.url}{PREFIX}/"]
    assert listening.is_cardtable(f"{below.url}{PREFIX}/")
    assert not listening.is_cardtable(f"{below.url}/")


def test_one_that_runs_already_is_found_below_its_prefix(
    below: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDTABLE_PORT", str(below.port))
    monkeypatch.setenv("CARDTABLE_SERVER_PREFIX", PREFIX)
    code, told, _ = call(capsys, "serve")
    assert (code, f"{below.url}{PREFIX}/" in told) == (0, True)


@pytest.mark.parametrize(
    "word", ["cards", "/cards/", "/", "/a b", "/a//b", "/..", "/a/../b", "/a?b", "https://x/cards"]
)
def test_a_wrong_prefix_is_refused(word: str) -> None:
    with pytest.raises(SettingsError, match="is not a path"):
        load(None, {"CARDTABLE_SERVER_PREFIX": word})


def test_the_client_names_no_address_by_itself() -> None:
    """Only address.js knows where the site is; `html` puts links right."""
    for path in (*WEB.glob("*.js"), *WEB.glob("*/*.js")):
        text = path.read_text("utf-8")
        if path.name != "address.js":
            assert not re.search(r"location\.(href|pathname)|pushState", text), path.name
            assert not re.search(r"(fetch|new WebSocket|new Worker|import)\([\"'`]/", text), path.name


# In the browser


@pytest.mark.exhaustive
@chrome.needed
def test_a_person_stays_below_the_prefix(browser: Any, below: Served, finished: str) -> None:
    """The first page, a table, a move, the links of the table and of the pages, a replay: no request goes elsewhere."""
    site = below.url + PREFIX
    ann = chrome.visitor(browser, site)
    asked = watched(ann)
    page = ann.page
    page.goto(site + "/")
    page.get_by_role("button", name="Play now: Fan Tan").click()
    page.wait_for_selector(".live")
    assert page.url.startswith(f"{site}/t/")
    one_move(ann)
    icon = str(page.locator("#favicon").get_attribute("href"))
    assert re.fullmatch(rf"{PREFIX}/static/\w+/icon(-turn)?\.svg", icon)
    page.reload()
    page.wait_for_selector(".live")
    page.get_by_role("button", name="Menu").click()
    assert page.get_by_label("Invite link").input_value() == page.url
    page.wait_for_function("() => [...document.images].every((one) => one.complete && one.naturalWidth)")
    page.goto(site)
    assert page.url == f"{site}/"
    kept = page.request.post(f"{site}/api/records", data=finished)
    assert kept.status == 201
    page.get_by_role("link", name="Finished").click()
    page.get_by_role("link", name="Fan Tan").first.click()
    page.wait_for_selector(".replay .feltbox")
    assert page.url.partition("?")[0] == f"{site}/replay/{kept.json()['id']}"
    page.get_by_role("link", name="Cardtable").first.click()
    page.wait_for_selector(".game")
    page.get_by_role("searchbox").fill("busca")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url(f"{site}/new?game=busca")
    page.get_by_role("link", name="About", exact=True).click()
    for link in page.locator("main a").all():
        assert str(link.get_attribute("href")).startswith(f"{PREFIX}/")
    assert len(asked) > 60
    within = re.compile(rf"(http|ws)://127\.0\.0\.1:{below.port}{PREFIX}(/|$)")
    assert [url for url in asked if not within.match(url)] == []
    assert any(url.startswith("ws:") for url in asked)
    assert ann.complaints == []
    page.context.close()


def watched(one: Watched) -> list[str]:
    """The addresses of all that a page asks for from now on."""
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url))
    one.page.on("websocket", lambda line: asked.append(line.url))
    return asked


def one_move(one: Watched) -> None:
    """A move, as soon as it is this person's turn."""
    one.page.wait_for_function(chrome.AIM)
    log = one.page.locator(".log li, .log p")
    before = log.count()
    one.move()
    one.page.wait_for_function("(before) => document.querySelectorAll('.log li, .log p').length > before", arg=before)
