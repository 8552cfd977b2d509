"""What the drawn table says and asks, in a real Chromium: names, cards chosen together, chips put on cards, events one by one, scores, sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import browser as chrome
import pytest
from served import Served, served

from cardtable.catalog import games

pytestmark = chrome.needed


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("table") / "tables.db") as running:
        yield running


def bots(seats: int) -> dict[str, Any]:
    """The setup of a table of so many seats, all but the first for bots."""
    return {"seats": seats, "bots": ["", *["simple"] * (seats - 1)]}


# Names

#: how a sentence with a name is drawn and read out
SENTENCE = """async ({names, text, you}) => {
  const { render, html } = await import('/static/html.js');
  const { named, spokenIn, Told } = await import('/static/cards.js');
  const box = document.createElement('p');
  render(html`<${Told} text=${text} names=${names} you=${you} />`, box);
  const cards = [...box.querySelectorAll('.in > [aria-hidden]')].map((el) => el.textContent);
  return {names: [...box.querySelectorAll('bdi')].map((el) => el.textContent), cards, spoken: spokenIn(named(text, names, you))};
}"""


@pytest.mark.parametrize("name", ["KC", "seat 3", "<b>", "😀", "$& AS", "10H"])
def test_a_name_is_no_card_and_no_seat(ann: chrome.Watched, name: str) -> None:
    ann.page.goto(ann.url + "/about")
    names = ["Ann", name, "Bea", "Cal"]
    told = ann.page.evaluate(SENTENCE, {"names": names, "text": "seat 1 lays 7H", "you": 0})
    assert told == {"names": [name], "cards": ["7♥"], "spoken": f"{name} lays seven of hearts"}
    told = ann.page.evaluate(SENTENCE, {"names": names, "text": f"\u2068{name}\u2069 lays 7H", "you": 3})
    assert told == {"names": [name], "cards": ["7♥"], "spoken": f"{name} lays seven of hearts"}


def test_the_log_names_a_player_who_is_called_like_a_card(ann: chrome.Watched) -> None:
    ann.deal("fan-tan", **bots(3), name="KC", number="fan-tan 1")
    ann.page.wait_for_selector(".live.turn")
    ann.move()
    ann.page.wait_for_function("() => [...document.querySelectorAll('.log li')].some((el) => /^KC lays /.test(el.innerText))")


def test_a_table_of_twelve_names_every_seat(ann: chrome.Watched) -> None:
    ann.deal("i-doubt-it", **bots(12), number="twelve")
    for _ in range(3):  # the sets of seats with two digits are accepted and listed
        ann.page.wait_for_selector(".live.turn")
        said = ann.page.evaluate(
            "[...document.querySelectorAll('.live, .live [aria-label]')].map((el) => `${el.textContent} ${el.getAttribute('aria-label')}`).join(' ')"
        )
        assert not re.search(r"seat \d", said), re.findall(r".{20}seat \d.{20}", said)
        accept = ann.page.locator("[data-offer]", has_text="Accept")
        if not accept.count():
            break
        accept.click()


# Sizes

#: what lies over something else, or beyond the window, or is cut off
BOXES = """() => {
  const shown = (el) => { const box = el.getBoundingClientRect(); return box.width > 1 && box.height > 1 && getComputedStyle(el).visibility !== 'hidden'; };
  const around = (el) => { const range = document.createRange(); range.selectNodeContents(el); return [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1); };
  const wrong = [];
  const parts = [];
  const add = (name, boxes) => { for (const box of boxes) parts.push({ name, left: box.left, top: box.top, right: box.right, bottom: box.bottom }); };
  const all = (which) => [...document.querySelectorAll(`.live ${which}`)].filter((el) => !el.closest('dialog') && shown(el));
  for (const which of ['> .bar', '> .coach', '.others .seat', '.caption > span', '.own', '> .side']) add(which, all(which).map((el) => el.getBoundingClientRect()));
  for (const which of ['.message', '.actions']) for (const el of all(which)) add(which, around(el));
  add('.board', all('.board .card, .board .label, .board .fact, .board .who, .board .note, .board button, .board .money b, .board .ghost').map((el) => el.getBoundingClientRect()));
  for (const one of parts) if (one.left < -1 || one.top < -1 || one.right > innerWidth + 1 || one.bottom > innerHeight + 1) wrong.push(`${one.name} is beyond the window: ${JSON.stringify(one)}`);
  for (const a of parts) for (const b of parts) {
    if (a.name >= b.name) continue;
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 3) wrong.push(`${a.name} and ${b.name} overlap by ${Math.round(wide)} x ${Math.round(high)}`);
  }
  const seats = parts.filter((one) => one.name === '.others .seat');
  seats.forEach((a, i) => seats.slice(i + 1).forEach((b) => { if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2) wrong.push('two seats overlap'); }));
  for (const el of all('.hand .card')) {
    const box = el.getBoundingClientRect(), own = el.closest('.own').getBoundingClientRect();
    if (box.left < own.left - 1 || box.right > own.right + 1 || box.bottom > own.bottom + 1) wrong.push(`${el.dataset.card} sticks out of the hand`);
  }
  for (const el of all('button, .label, .note, .fact, .message span, h1')) {
    if (el.matches('.sr') || el.closest('.sr') || getComputedStyle(el).textOverflow === 'ellipsis') continue;
    if (el.scrollWidth > el.clientWidth + 2 && el.clientWidth > 0 && getComputedStyle(el).overflowX !== 'visible') wrong.push(`cut: ${el.textContent.slice(0, 40)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than the window');
  return [...new Set(wrong)];
}"""
SIZES = [(1440, 900), (1280, 720), (960, 600), (844, 390), (390, 844), (768, 1024)]


def tight(one: chrome.Watched) -> list[str]:
    """What is wrong with the boxes of the table that is shown."""
    one.page.evaluate(
        "() => Promise.all(document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity).map((one) => one.finished.catch(() => 0)))"
    )
    found: list[str] = one.page.evaluate(BOXES)
    return found


def sat(browser: Any, server: Served, size: tuple[int, int], game: str, coached: bool = True, **setup: Any) -> chrome.Watched:
    """Somebody whose turn it is at a table of a game, in a window of a size."""
    one = chrome.visitor(browser, server.url, *size, has_touch=size[0] < 600)
    one.page.add_init_script(f"localStorage.setItem('cardtable', JSON.stringify({{speed: 'instant', name: 'Ann', coached: {str(coached).lower()}}}))")
    one.deal(game, **setup)
    one.page.wait_for_selector(".live.turn, dialog.sheet")
    return one


@pytest.mark.parametrize(
    ("size", "game", "seats"), [((844, 390), "cassino", 2), ((1280, 720), "oh-hell", 4), ((960, 600), "play-or-pay", 4), ((1440, 900), "scopa", 2)]
)
def test_nothing_overlaps_and_nothing_is_cut(browser: Any, server: Served, size: tuple[int, int], game: str, seats: int) -> None:
    one = sat(browser, server, size, game, coached=False, number=f"{game} 4", **bots(seats))
    wrong = tight(one)
    for _ in range(3):
        one.move()
        one.page.wait_for_selector(".live.turn, dialog.sheet")
        wrong += tight(one)
    one.page.context.close()
    assert wrong == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("coached", [True, False], ids=["", "coach"])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", sorted(games()))
def test_no_table_of_any_size_overlaps(browser: Any, server: Served, size: tuple[int, int], game: str, coached: bool) -> None:
    fewest, most = games()[game].best
    wrong = []
    for seats in {fewest, most}:
        one = sat(browser, server, size, game, coached=coached, number=f"{game} 2", **bots(seats))
        for step in range(6):
            if one.over:
                break
            wrong += [f"{seats} seats, step {step}: {text}" for text in tight(one)]
            one.move()
            one.page.wait_for_selector(".live.turn, dialog.sheet")
        one.page.context.close()
    assert wrong == []


def test_a_ladder_in_a_low_window_can_be_read(browser: Any, server: Served) -> None:
    one = sat(browser, server, (960, 600), "fan-tan", coached=False, number="fan-tan 1", **bots(4))
    for strip in one.page.evaluate(
        "() => [...document.querySelectorAll('.slot.filled')].map((el) => [el.clientWidth, el.clientHeight, parseFloat(getComputedStyle(el).fontSize)])"
    ):
        assert strip[0] >= 36
        assert strip[1] >= 20
    one.page.context.close()


def test_cards_that_fly_are_not_clipped(ann: chrome.Watched) -> None:
    ann.deal("scopa", **bots(2))
    ann.page.wait_for_selector(".spreads .card")
    clips = "() => { const found = []; for (let el = document.querySelector('.spreads .card').parentElement; !el.matches('.live'); el = el.parentElement) if (getComputedStyle(el).overflow !== 'visible') found.push(el.className); return found; }"
    assert ann.page.evaluate(clips) == []


def test_statistics_fit_the_window(browser: Any, server: Served) -> None:
    one = chrome.visitor(browser, server.url, 1440, 900)
    rows = [
        {
            "game": "domino-fan-tan",
            "title": "Domino Fan Tan",
            "matches": 1234,
            "won": 1000,
            "clean": 900,
            "undone": 50,
            "hinted": 50,
            "deals": 12345,
            "score": -123456,
        }
    ]
    one.page.route("**/api/statistics", lambda route: route.fulfill(json={"games": rows}))
    one.page.goto(server.url + "/statistics")
    one.page.wait_for_selector("tbody tr")
    assert one.page.evaluate("() => { const el = document.querySelector('.scroll'); return el.scrollWidth - el.clientWidth; }") <= 0
    one.page.context.close()


def test_the_list_of_games_is_short_on_a_phone(browser: Any, server: Served) -> None:
    one = chrome.visitor(browser, server.url, 390, 844, has_touch=True)
    one.page.goto(server.url)
    one.page.wait_for_selector(".game")
    assert one.page.evaluate("() => document.documentElement.scrollHeight") < 2900
    assert one.page.evaluate("() => document.documentElement.scrollWidth") <= 390
    one.page.context.close()
