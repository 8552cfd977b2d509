"""What the drawn table says and asks, in a real Chromium: names, cards chosen together, chips put on cards, events one by one, scores, sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import browser as chrome
import pytest
from served import Served, served

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
        said = ann.page.evaluate("[...document.querySelectorAll('.live, .live [aria-label]')].map((el) => `${el.textContent} ${el.getAttribute('aria-label')}`).join(' ')")
        assert not re.search(r"seat \d", said), re.findall(r".{20}seat \d.{20}", said)
        accept = ann.page.locator("[data-offer]", has_text="Accept")
        if not accept.count():
            break
        accept.click()
