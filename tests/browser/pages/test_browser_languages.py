"""The browser client in another language: nothing stays English, and no layout breaks, in a language that lengthens and
accents every text.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match, Record, bot
from cardtable.base import languages
from cardtable.bots.cast import CAST
from cardtable.match.lesson import NAMES, lesson
from cardtable.rules.catalog import games
from tests.browser.boxes import SIZES, faults
from tests.browser.test_browser_learning import stepped_through
from tests.browser.test_browser_table import bots
from tests.support import browser as chrome
from tests.support.effort import cases
from tests.support.server.served import Served, served

ROOT = Path(__file__).resolve().parents[3]
WEB = ROOT / "cardtable" / "web"
WINDOWS = {390: 844, 1280: 800}
PHONE, WIDE = WINDOWS.items()
ITERATIONS = 200  #: of a review
#: what people see and what a screen reader says, but what belongs to no language (`translate=no`), the rulebook, cards'
#: faces, and dates, which the browser writes
TEXTS = """() => {
  const other = 'html [lang]:not([lang=""], [lang=undefined])';
  const foreign = (el) => el.closest(`[translate=no], ${other}, svg, time, script, style, noscript`);
  const found = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!foreign(walker.currentNode.parentElement)) found.push(walker.currentNode.data);
  for (const el of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt], optgroup')) {
    if (foreign(el)) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'label']) found.push(el.getAttribute(name) ?? '');
  }
  return [...new Set(found.map((text) => text.trim()).filter(Boolean))];
}"""
HOUSE = "|".join([*(one.name for people in CAST.values() for one in people), *NAMES])
#: what is the same in every language: cards, rule IDs, names of programs, people and licences, languages' own names
ALIKE = re.compile(
    r"(?:10|[2-9AJQK])[♠♥♦♣]|^[AJQK]$|\b[A-Z]{2,3}-[QES]?\d+\b|js-sha256|\b(?:Cardtable|preact|htm|MIT|Apache|"
    rf"Adrian Kennard|English|Pseudo|Source Sans|Fraunces|OFL|{HOUSE})\b"
)
ENGLISH = re.compile(r"[aeiouAEIOU]")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("locales")
    subprocess.run([sys.executable, ROOT / "tools" / "catalogue.py", "pseudo", folder], cwd=ROOT, check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(languages.VARIABLE, str(folder))
        with served(tmp_path_factory.mktemp("languages") / "tables.db", review_iterations=ITERATIONS) as running:
            yield running


def abroad(browser: Any, server: Served, width: int, **choices: Any) -> chrome.Watched:
    one = chrome.visitor(browser, server.url, width, WINDOWS[width], has_touch=width < 600, locale="en-XA")
    settings = json.dumps({"speed": "instant", "name": "Zz", "coached": True, **choices})
    one.page.add_init_script(
        f"if (!localStorage.getItem('told')) localStorage.setItem('cardtable', {settings!r});"
        "localStorage.setItem('told', '1')"
    )
    return one


def english(page: Any) -> list[str]:
    """The texts of a page that no catalogue was asked for."""
    return [text for text in page.evaluate(TEXTS) if ENGLISH.search(ALIKE.sub("", text))]


def wide(page: Any) -> list[str]:
    return (
        ["the page is wider than the window"]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth")
        else []
    )


def resized(page: Any, width: int, height: int) -> None:
    """Make the window another size, with the large cards that a phone has at first; returns when the page knows it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("(width) => innerWidth === width", arg=width)
    page.evaluate(
        "(phone) => Object.assign(document.documentElement.dataset, {big: phone, suits: phone ? 'four' : 'two'})",
        width <= 600,
    )


def opened_details(page: Any) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((el) => (el.open = true))")


#: what is not where a player looks for it, in a window that is no phone on its side: from the top the bar, the middle,
#: one's own cards and buttons; on a phone the others above the middle, too; and cards that show no face
ARRANGED = """(phone) => {
  const boxes = (which) => [...document.querySelectorAll(`.live ${which}`)]
    .filter((el) => !el.closest("dialog") && el.getClientRects().length).map((el) => el.getBoundingClientRect());
  const below = [["> .bar", ".board"], [".board", ".hand"], [".board", ".actions"],
    ...(phone ? [["> .bar", ".others .seat"], [".others .seat", ".board"]] : [])];
  const wrong = below
    .filter(([high, low]) =>
      Math.max(...boxes(high).map((box) => box.bottom)) > Math.min(...boxes(low).map((box) => box.top)) + 3)
    .map((pair) => `${pair[1]} is not below ${pair[0]}`);
  for (const one of ["> .bar", ".board", ".actions"]) if (boxes(one).length !== 1) wrong.push(`no ${one}, or several`);
  for (const face of document.querySelectorAll(".live .card.up"))
    if (face.getClientRects().length && !face.querySelector("svg :is(path, text, image, use)"))
      wrong.push(`a card without a face: ${face.dataset.card}`);
  return wrong;
}"""


#: the coach has spoken, if it will: in the first two turns, if there is a choice, and no card has been chosen
ADVISED = """() => document.querySelector(".advice, .ending, .hand [aria-pressed=true]")
  || Object.values(JSON.parse(localStorage.cardtable).turns ?? {}).some((n) => n > 2)
  || document.querySelectorAll(".live .can, .live .offers button").length < 2"""


class Tour:
    """Somebody abroad who tries a game, and what is found wrong on the way."""

    def __init__(self, browser: Any, server: Served, game: str) -> None:
        self.one = chrome.visitor(browser, server.url, *SIZES[0], locale="en-XA", has_touch=True, bypass_csp=True)
        self.page, self.game = self.one.page, game
        settings = json.dumps(chrome.CHOICES | {"name": "Zz", "drawer": False, "coached": False})
        self.page.add_init_script(  # at each table they are new to the game again
            f"if (!localStorage.getItem('plain')) localStorage.setItem('cardtable', {settings!r})"
        )
        self.wrong: list[str] = []

    def look(self, where: str) -> None:
        """Whether anything is in English, or wider than the window."""
        self.wrong += [f"{where}: {text}" for text in english(self.page) + wide(self.page)]

    def try_sizes(self, where: str, sizes: list[tuple[int, int]]) -> None:
        """Whether all has its place in windows of these sizes."""
        self.wrong += faults(self.page, where, sizes)

    def try_fingers(self, where: str) -> None:
        """Whether all is where one looks for it on a phone, and a finger reaches what can be pressed."""
        resized(self.page, *PHONE)
        self.wrong += [f"{where}, on a phone: {text}" for text in self.page.evaluate(ARRANGED, True)]
        self.wrong += [f"{where}, for a finger: {text}" for text in chrome.missed(self.page)]

    def try_looks(self, where: str) -> None:
        """Whether axe finds nothing wrong, in any look. That a label has the words which are seen is looked at in
        English: "Cardtable" is the same in every language but this one.
        """
        violations = chrome.violations_in_every_look(self.page, ("label-content-name-mismatch",))
        self.wrong += [f"{where}, {text}" for text in violations]

    def set_up(self) -> None:
        """The page on which a table is set up, and the lobby."""
        resized(self.page, *PHONE)
        self.page.goto(f"{self.one.url}/new?game={self.game}")
        self.page.wait_for_selector(".setup .seating")
        self.look("setting up")
        opened_details(self.page)
        self.look("setting up, all unfolded")
        if games()[self.game].seats[1] > 1:
            self.page.goto(self.one.table(self.game, name="Zz", seats=max(2, games()[self.game].best[0])))
            self.page.wait_for_selector(".lobby .places")
            self.look("the lobby")

    def learn(self) -> None:
        """The lessons of two presets, each to its end: `test_lessons` has those of all without a page."""
        page = self.page
        for preset in sorted({games()[self.game].presets[0], games()[self.game].presets[-1]}):
            stepped_through(page, self.one.url, self.game, preset)
            hand = lesson(games()[self.game], preset)
            assert hand
            own = len(hand.read)
            if page.locator("h1").inner_text().count(str(own)) != 2:
                self.wrong.append(f"{preset}: {page.locator('h1').inner_text()}, not all of {own}")
            self.wrong += [f"the first hand of {preset}: {text}" for text in english(page) + wide(page)]

    def play(self, seats: int, steps: int) -> None:
        """The first moves of a table with the coach, who advises people new to a game."""
        self.one.deal(self.game, **bots(seats) | {"name": "Zz", "number": "2"})
        for step in range(steps):
            where = f"{seats} seats, step {step}"
            self.page.wait_for_selector(".live.turn, .ending")
            self.page.wait_for_function(ADVISED)
            self.look(where)
            if self.one.over:
                break
            if step == 0:
                self.try_fingers(where)
            resized(self.page, *WIDE)
            self.wrong += [f"{where}, {text}" for text in self.page.evaluate(ARRANGED, False)]
            if step == 0 and seats == games()[self.game].best[0]:
                self.try_looks(where)
            self.one.move()

    def open_windows(self) -> None:
        resized(self.page, *PHONE)
        self.page.wait_for_selector(".live.turn, .ending")
        self.page.keyboard.press("h")
        for key, window in (("?", "dialog .keys"), ("m", "dialog.menu"), ("r", "dialog .book")):
            self.page.keyboard.press("Escape")
            self.page.wait_for_selector("dialog", state="detached")
            self.page.keyboard.press(key)
            self.page.wait_for_selector(window)
            self.look(window)
            self.page.locator("dialog header button").click()

    def end(self) -> None:
        """The last moves of a deal by mouse, what it ends with, and all of it as plain text."""
        resized(self.page, *WIDE)
        self.one.deal(self.game, **chrome.near_the_end(self.game) | {"name": "Zz"})
        self.one.play_deal()
        seats = chrome.alone(self.game)["seats"]
        chrome.expect(self.page.locator(".ending > ul > li")).to_have_count(seats)
        self.look("the end")
        self.try_sizes("the end", [PHONE, WIDE])
        opened_details(self.page)
        self.look("all of the result")
        self.page.evaluate(
            "localStorage.setItem('cardtable', JSON.stringify({speed: 'instant', name: 'Zz', plain: true}));"
            "localStorage.setItem('plain', 'true')"
        )
        self.page.reload()
        self.page.wait_for_selector(".plaintable")
        self.look("plain text")


@pytest.mark.parametrize("game", cases(sorted(games()), ("michigan",)))
def test_a_game_from_its_setup_page_to_the_sheet_of_a_deal(browser: Any, server: Served, game: str) -> None:
    """By mouse, on one page that is resized at each step. What is looked for at each: a text that no catalogue was
    asked for; targets that a finger misses; what axe finds; and at the end what lies over something else, is cut, or
    beyond the window, as `test_no_table_of_any_size_overlaps` looks for it in mid-deal.

    Michigan, which has the most kinds of zones, is enough for every day.
    """
    tour = Tour(browser, server, game)
    tour.set_up()
    tour.learn()
    fewest, most = games()[game].best
    tour.play(fewest, 6)
    tour.open_windows()
    if most != fewest:
        tour.play(most, 1)
    tour.end()
    assert not tour.wrong, "\n".join(sorted(set(tour.wrong)))


#: whether it is one's turn in the next deal, or that is over, too
NEXT_TURN = """(told) => document.querySelector('.live.turn')
  || (document.querySelector('.ending h2')?.textContent ?? told) !== told"""
#: windows of phones, tablets and screens
ALL_SIZES = (*SIZES, (960, 600), (2560, 1440))


@pytest.mark.parametrize("game", cases(sorted(games()), ["cassino", "oh-hell"]))
def test_no_table_of_any_size_overlaps(browser: Any, server: Served, game: str) -> None:
    """A table in the pseudo-language, whose texts are long, with the coach, in two or three windows after each move:
    for every other game the one with the fewest seats that suit it, else that with the most. Tables in English are
    measured in test_browser_layout.
    """
    wrong = []
    seats = games()[game].best[sorted(games()).index(game) % 2]
    one = chrome.visitor(browser, server.url, chosen={"coached": False, "drawer": False}, locale="en-XA")
    page = one.page
    one.deal(game, **bots(seats), number=f"{game} 2")
    for step in range(4):
        page.wait_for_selector(".live.turn, .ending")
        while one.over:  # the next deal may end before it is one's turn, too
            heading = page.locator(".ending h2").inner_text()
            page.locator(".actions [data-onward]").click()
            page.wait_for_function(NEXT_TURN, arg=heading)
        page.wait_for_function(ADVISED)
        wrong += faults(page, f"step {step}", ALL_SIZES[(step + seats) % 4 :: 4])
        one.move()
    assert wrong == []


def test_the_language_is_chosen_and_is_that_of_every_page(browser: Any, server: Served) -> None:
    """The rulebook says where it is in English alone."""
    one = chrome.visitor(browser, server.url, chosen={"name": "Zz"})
    the_language_is_chosen_in_the_settings(one.page, one.url)
    the_rulebook_says_whether_it_is_in_english_alone(one, 0)
    one.page.goto(one.url + "/settings")
    one.page.get_by_label("Pseudo", exact=True).check()
    one.page.wait_for_function("() => document.documentElement.lang === 'en-XA'")
    the_rulebook_says_whether_it_is_in_english_alone(one, 1)
    the_other_pages_have_its_texts(abroad(browser, server, WIDE[0]))


def the_other_pages_have_its_texts(one: chrome.Watched) -> None:
    page = one.page
    wrong: list[str] = []

    def look(where: str) -> None:
        for width, height in (PHONE, WIDE):
            resized(page, width, height)
            wrong.extend(f"{where}, {width}: {text}" for text in english(page) + wide(page))

    def at(path: str, shows: str) -> None:
        page.goto(one.url + path)
        page.wait_for_selector(shows)
        look(path)

    at("/", ".game")
    at("/finished", "main p + p")
    at("/statistics", "main p")
    m = Match("fan-tan", 4, seed=8, deals=1)
    players = [bot("random" if seat == 0 else "medium", 1) for seat in range(4)]
    while not m.over:
        m.play(players[m.actors[0]].choose(m.view(m.actors[0])))
    record = str(Record({**m.record().keys, "players": ["Zz", "bot: medium", "Kw", ""]}))
    made = page.request.post(f"{one.url}/api/records", data=record).json()
    one.deal("fan-tan", name="Zz", **bots(3))
    page.wait_for_selector(".live.turn, .ending")
    for path, shows in (
        ("/", ".tables li"),
        ("/learn/scopa", ".learn .try"),
        ("/settings", ".settings [lang=en]"),
        ("/you", "#data"),
        ("/link#none", ".problem"),
        ("/finished", ".tables li"),
        ("/statistics", "main p, tbody tr"),
        ("/verify", "textarea"),
        ("/about", "details"),
        ("/t/none", "main h1"),
        ("/rules/fan-tan", ".book table"),
        ("/replay/999999", "[role=alert]"),
    ):
        at(path, shows)
    page.goto(f"{one.url}/replay/{made['id']}?review")
    page.wait_for_function("() => document.querySelector('.review .sum b')")
    for step in range(4):
        look(f"review, {step}")
        page.locator(".decision").nth(step).click()
    assert not wrong, "\n".join(sorted(set(wrong)))
    one.complaints.clear()  # of the pages of what there is not


def the_language_is_chosen_in_the_settings(page: Any, url: str) -> None:
    page.goto(url + "/settings")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_label("Pseudo", exact=True).check()
    page.wait_for_function("() => document.documentElement.lang === 'en-XA' && document.querySelector('.settings')")
    assert english(page) == []
    page.get_by_label("English", exact=True).check()
    page.wait_for_function("() => document.documentElement.lang === 'en' && document.querySelector('.settings')")
    chrome.expect(page.get_by_role("heading", name="Settings")).to_have_count(1)


def the_rulebook_says_whether_it_is_in_english_alone(one: chrome.Watched, notes: int) -> None:
    """As a page, and in a window of the table. notes: how many say so in the language that was chosen."""
    one.page.goto(one.url + "/rules/scopa")
    one.page.locator(".book h2").first.wait_for()
    assert one.page.locator(".book > .fine").count() == notes
    one.deal("scopa", seats=2, bots=["", "medium"])
    one.page.locator(".bar").get_by_role("button").first.wait_for()
    one.page.keyboard.press("r")
    one.page.locator("dialog .book h2").first.wait_for()
    assert one.page.locator("dialog .book > .fine").count() == notes


# Without a browser

#: what to look at next in JavaScript: what hides braces and backticks, and these
NEXT = re.compile(
    r"""
    "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'                              # strings
    | /\*.*?\*/ | //[^\n]*                                                  # comments
    | (?<=[(,=:\[!&|?{};\s])/(?![*/\ ])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+/  # regular expressions
    | (?P<html>\bhtml`) | [`{}]
    """,
    re.DOTALL | re.VERBOSE,
)
ATTRIBUTE = re.compile(
    r"\b(?:aria-label|aria-description|placeholder|title|alt|label)=\"([^\"\0]*[A-Za-z]{2,}[^\"\0]*)\""
)
NO_LANGUAGE = re.compile(r"<(\w+)[^>]*\btranslate=(?:\"no\"|\0)[^>]*>[^<]*(?:<(\w+)>[^<]*</\2>)*</\1>")
TAG = re.compile(r"<[^>]*>")


def templates(script: str) -> list[str]:
    """What stands literally in the `html` templates of a module; an expression in one is a NUL."""
    texts: list[str] = []

    def code(at: int) -> int:
        """Read an expression up to the brace that ends it; where it does."""
        depth = 0
        while next_one := NEXT.search(script, at):
            at = next_one.end()
            if next_one["html"] or next_one[0] == "`":
                at = template(at, bool(next_one["html"]))
            elif next_one[0] == "{":
                depth += 1
            elif next_one[0] == "}":
                if not depth:
                    return at
                depth -= 1
        return len(script)

    def template(at: int, is_html: bool) -> int:
        """Read a template behind its first backtick; where it ends."""
        text = ""
        while script[at] != "`":
            if script.startswith("${", at):
                text, at = text + "\0", code(at + 2)
            else:
                step = 2 if script[at] == "\\" else 1
                text, at = text + script[at : at + step], at + step
        if is_html:
            texts.append(text)
        return at + 1

    code(0)
    return texts


def literals(script: str) -> list[str]:
    """English in the `html` templates of a module that `tr` was not asked for."""
    wrong: list[str] = []
    for text in templates(script):
        read = NO_LANGUAGE.sub("", text)
        wrong += [attribute[1] for attribute in ATTRIBUTE.finditer(read)]
        wrong += [words for words in re.split(r"[\0\n]", TAG.sub("\n", read)) if re.search(r"[A-Za-z]{2,}", words)]
    return wrong


@pytest.mark.parametrize("path", sorted([*WEB.glob("*.js"), *WEB.glob("*/*.js")]), ids=lambda path: path.name)
def test_templates_have_no_literal_text(path: Path) -> None:
    assert literals(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "code",
    [
        "html`<p>Two words</p>`",
        "html`<button>Rules</button>`",
        'html`<a aria-label="Close it">✕</a>`',
        "html`<p>Code: <b>${code}</b></p>`",
        'html`<input placeholder="none" />`',
        "html`<p>${n} free seats</p>`",
        "html`<p>Rule ${rule}</p>`",
        'html`<p>${tr("Yes")} ${html`<b>No</b>`}</p>`',
    ],
)
def test_literal_text_is_found(code: str) -> None:
    assert literals(code)


@pytest.mark.parametrize(
    "code",
    [
        'html`<p>${tr("Two words")}</p>`',
        "html`<b translate=${false}>MIT licence</b>`",
        "const low = (a) => a > 3 && b < 4;",
        "html`<${Said} message=${{ one: `two words` }} />`",
    ],
)
def test_what_is_looked_up_is_no_literal(code: str) -> None:
    assert literals(code) == []
