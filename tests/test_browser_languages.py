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

import browser as chrome
import pytest
from effort import LONG, cases
from served import Served, served
from test_browser_table import SIZES, bots, tight

from cardtable import Match, Record, bot, languages
from cardtable.bots.cast import CAST
from cardtable.catalog import games
from cardtable.lesson import NAMES

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "cardtable" / "server" / "web"
WINDOWS = {390: 844, 1280: 800}
#: every game in one of the windows, or in all of them
SOMEWHERE = [
    (game, width)
    for k, game in enumerate(sorted(games()))
    for width in (WINDOWS if LONG else [list(WINDOWS)[k % len(WINDOWS)]])
]
PLACES = sorted([(game, width) for game in games() for width in WINDOWS], key=lambda place: place != ("fan-tan", 390))
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
    r"(?:10|[2-9AJQK])[♠♥♦♣]|^[AJQK]$|\b[A-Z]{2,3}-[QES]?\d+\b|@noble/hashes|\b(?:Cardtable|preact|htm|MIT|Apache|"
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
    """Somebody whose browser speaks the pseudo-language."""
    one = chrome.visitor(browser, server.url, width, WINDOWS[width], has_touch=width < 600, locale="en-XA")
    kept = json.dumps({"speed": "instant", "name": "Zz", "coached": True, **choices})
    one.page.add_init_script(
        f"if (!localStorage.getItem('told')) localStorage.setItem('cardtable', {kept!r});"
        "localStorage.setItem('told', '1')"
    )
    return one


def english(page: Any) -> list[str]:
    """The texts of a page that no catalogue was asked for."""
    return [text for text in page.evaluate(TEXTS) if ENGLISH.search(ALIKE.sub("", text))]


def wide(page: Any) -> list[str]:
    """Whether the page is wider than its window."""
    return (
        ["the page is wider than the window"]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth")
        else []
    )


def at(one: chrome.Watched, path: str, shows: str) -> list[str]:
    """What is wrong with a page, once it shows something."""
    one.page.goto(one.url + path)
    one.page.wait_for_selector(shows)
    return [f"{path}: {text}" for text in english(one.page) + wide(one.page)]


@pytest.mark.parametrize(("game", "width"), cases(PLACES))
def test_a_table_of_every_game(browser: Any, server: Served, game: str, width: int) -> None:
    one = abroad(browser, server, width, coached=False)
    page = one.page
    wrong = at(one, f"/new?game={game}", ".setup .seating")
    page.evaluate("document.querySelectorAll('details').forEach((el) => (el.open = true))")
    wrong += wide(page)
    seats = games()[game].best[0]
    if games()[game].seats[1] > 1:
        body = {"game": game, "name": "Zz", "seats": max(2, seats), "options": {}}
        made = page.evaluate(
            "async (body) => (await fetch('/api/tables', {method: 'POST', body: JSON.stringify(body)})).json()", body
        )
        wrong += at(one, made["path"], ".lobby .places")
    one.deal(game, **bots(seats) | {"name": "Zz", "number": "2"})
    for step in range(6):
        page.wait_for_selector(".live.turn, .ending")
        wrong += [f"move {step}: {text}" for text in english(page) + wide(page) + tight(one)]
        if one.over:
            break
        one.move()
    page.context.close()
    assert not wrong, "\n".join(sorted(set(wrong)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("coach", [False, True] if LONG else [True], ids=lambda coach: "coached" if coach else "alone")
@pytest.mark.parametrize("game", sorted(games()))
def test_no_table_of_any_size_overlaps(browser: Any, server: Served, game: str, coach: bool) -> None:
    """What `test_browser_table` tries in English, in a language of longer texts: one page, resized at each step.

    With the coach's first sentence, too: it is told in the first turns of whoever is new to a game, which takes room.
    """
    one = chrome.visitor(browser, server.url, *SIZES[0], locale="en-XA")
    page = one.page
    kept = json.dumps(chrome.CHOICES | {"drawer": False, "coached": not coach})
    page.add_init_script(f"localStorage.setItem('cardtable', {kept!r})")  # at each table they are new to the game again
    wrong = []
    for seats in sorted({*games()[game].best}):
        one.deal(game, **bots(seats) | {"name": "Zz", "number": "2"})
        for step in range(3):
            page.wait_for_selector(".live.turn, .ending")
            assert page.locator(".coach").count() == (coach and not one.over)
            page.wait_for_selector(".coach[aria-busy=true]", state="detached")  # it has told its move
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_function("(width) => innerWidth === width", arg=width)
                wrong += [f"{width} x {height}, {seats} seats, step {step}: {text}" for text in tight(one)]
            if one.over:
                break
            one.move()
    page.context.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("game", "width"), SOMEWHERE)
def test_plain_text_and_the_end_of_a_deal(browser: Any, server: Served, game: str, width: int) -> None:
    one = abroad(browser, server, width)
    page = one.page
    one.deal(game, **bots(games()[game].best[0]) | {"name": "Zz", "number": "2"})
    page.wait_for_selector(".live.turn, .ending")
    page.keyboard.press("h")
    wrong = []
    for key, window in (("?", "dialog .keys"), ("m", "dialog.menu"), ("r", "dialog .book")):
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        page.keyboard.press(key)
        page.wait_for_selector(window)
        wrong += english(page) + wide(page)
        page.locator("dialog header button").click()
    page.keyboard.press("m")
    page.locator("dialog.menu .danger").click()
    page.locator("dialog.menu .danger").click()
    page.wait_for_selector(".ending")
    wrong += english(page) + wide(page)
    page.locator(".actions button:not(.quiet)").first.click()
    page.wait_for_selector("dialog.sheet")
    page.evaluate("document.querySelectorAll('details').forEach((el) => (el.open = true))")
    wrong += english(page) + wide(page)
    page.evaluate(
        "localStorage.setItem('cardtable', JSON.stringify({...JSON.parse(localStorage.getItem('cardtable')), plain: "
        "true}))"
    )
    page.reload()
    page.wait_for_selector(".plaintable")
    wrong += english(page) + wide(page)
    page.context.close()
    assert not wrong, "\n".join(sorted(set(wrong)))


@pytest.mark.parametrize("width", cases(WINDOWS))
def test_the_other_pages(browser: Any, server: Served, width: int) -> None:
    one = abroad(browser, server, width)
    page = one.page
    wrong = at(one, "/", ".game") + at(one, "/finished", "main p + p") + at(one, "/statistics", "main p")
    m = Match("fan-tan", 4, seed=8, deals=1)
    players = [bot("random" if seat == 0 else "simple", 1) for seat in range(4)]
    while not m.over:
        m.play(players[m.actors[0]].choose(m.view(m.actors[0])))
    record = str(Record({**m.record().keys, "players": ["Zz", "bot: simple", "Kw", ""]}))
    made = page.evaluate("async (text) => (await fetch('/api/records', {method: 'POST', body: text})).json()", record)
    one.deal("fan-tan", name="Zz", **bots(3))
    page.wait_for_selector(".live.turn, .ending")
    wrong += at(one, "/", ".tables li")
    for path, shows in (
        ("/learn/scopa", ".learn .try"),
        ("/settings", ".settings [lang=en]"), ("/you", "#data"), ("/link#none", ".problem"),
        ("/finished", ".tables li"), ("/statistics", "main p, tbody tr"),
        ("/verify", "textarea"), ("/about", "details"),
        ("/t/none", "main h1"), ("/rules/fan-tan", ".book table"), ("/replay/999999", "[role=alert]"),
    ):  # fmt: skip
        wrong += at(one, path, shows)
    page.goto(f"{one.url}/replay/{made['id']}?review")
    page.wait_for_function("() => document.querySelector('.review .sum b')")
    for _ in range(4):
        wrong += english(page) + wide(page)
        page.locator(".steps button").nth(1).click()
    page.context.close()
    assert not wrong, "\n".join(sorted(set(wrong)))


def test_the_language_is_chosen_in_the_settings(browser: Any, server: Served) -> None:
    one = chrome.visitor(browser, server.url)
    page = one.page
    page.goto(one.url + "/settings")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_label("Pseudo", exact=True).check()
    page.wait_for_function("() => document.documentElement.lang === 'en-XA' && document.querySelector('.settings')")
    assert english(page) == []
    page.get_by_label("English", exact=True).check()
    page.wait_for_function("() => document.documentElement.lang === 'en' && document.querySelector('.settings')")
    chrome.expect(page.get_by_role("heading", name="Settings")).to_have_count(1)
    page.context.close()


def test_the_rulebook_says_that_it_is_in_english(browser: Any, server: Served) -> None:
    for language, notes in (("en-XA", 1), ("en", 0)):
        one = chrome.visitor(browser, server.url, chosen={"language": language})
        one.page.goto(one.url + "/rules/scopa")
        one.page.locator(".book h2").first.wait_for()
        assert one.page.locator(".book > .fine").count() == notes
        one.deal("scopa", seats=2, bots=["", "simple"])
        one.page.locator(".bar").get_by_role("button").first.wait_for()
        one.page.keyboard.press("r")
        one.page.locator("dialog .book h2").first.wait_for()
        assert one.page.locator("dialog .book > .fine").count() == notes
        assert one.complaints == []
        one.page.context.close()


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
    found: list[str] = []

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
            found.append(text)
        return at + 1

    code(0)
    return found


def literals(script: str) -> list[str]:
    """English in the `html` templates of a module that `tr` was not asked for."""
    wrong: list[str] = []
    for text in templates(script):
        read = NO_LANGUAGE.sub("", text)
        wrong += [found[1] for found in ATTRIBUTE.finditer(read)]
        wrong += [words for words in re.split(r"[\0\n]", TAG.sub("\n", read)) if re.search(r"[A-Za-z]{2,}", words)]
    return wrong


@pytest.mark.parametrize("path", sorted(WEB.glob("*.js")), ids=lambda path: path.name)
def test_templates_have_no_literal_text(path: Path) -> None:
    assert literals(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "code",
    [
        "html`<p>Two words</p>`", "html`<button>Rules</button>`", 'html`<a aria-label="Close it">✕</a>`',
        "html`<p>Code: <b>${code}</b></p>`", 'html`<input placeholder="none" />`',
        "html`<p>${n} free seats</p>`", "html`<p>Rule ${rule}</p>`", 'html`<p>${tr("Yes")} ${html`<b>No</b>`}</p>`',
    ],
)  # fmt: skip
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
