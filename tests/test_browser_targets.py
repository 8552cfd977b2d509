"""What can be pressed is as large as a finger: 44 px, or more in one direction where cards overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import browser as chrome
import pytest
from effort import cases
from served import Served
from test_browser import PAGES, alone

from cardtable.catalog import games

FINGER = 44
#: what can be pressed and where a finger reaches it: the pixels on which it is on top, from its middle outwards. Cards
#: that overlap or stand in the ten columns of Spider have the width that the screen leaves them; a link in a sentence
#: has the height of its line.
REACHED = """(finger) => {
  const small = [];
  const all = "button, a[href], input, select, summary, [role=button]";
  for (const el of document.querySelectorAll(all)) {
    if (el.matches(".card, .skip, p a") || el.closest("[inert]") || !el.getClientRects().length) continue;
    el.scrollIntoView({ block: "center", inline: "center" });
    const box = el.getBoundingClientRect();
    const label = el.closest("label");
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const on = (dx, dy) => {
      const top = document.elementFromPoint(x + dx, y + dy);
      return !!top && (el.contains(top) || !!label?.contains(top));
    };
    if (!on(0, 0)) continue;
    const reach = (dx, dy) => {
      let n = 0;
      while (n < finger && on(dx * (n + 1), dy * (n + 1))) n += 1;
      return n;
    };
    const [width, height] = [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1];
    if (Math.min(width, height) < finger - 1)
      small.push(`${width} x ${height}: ${el.outerHTML.slice(0, 160)}`);
  }
  return small;
}"""


@pytest.fixture
def phone(browser: Any, server: Served) -> Iterator[chrome.Watched]:
    one = chrome.visitor(browser, server.url, 390, 844, has_touch=True, is_mobile=True)
    yield one
    one.page.context.close()


@chrome.needed
@pytest.mark.parametrize("path", cases(PAGES))
def test_on_pages(phone: chrome.Watched, path: str) -> None:
    phone.page.goto(phone.url + path)
    phone.page.wait_for_load_state("networkidle")
    assert phone.page.evaluate(REACHED, FINGER) == []


@chrome.needed
@pytest.mark.parametrize("game", cases(sorted(games())))
def test_at_tables(phone: chrome.Watched, game: str) -> None:
    phone.deal(game, **alone(game))
    phone.page.wait_for_selector(".live.turn, .ending")
    assert phone.page.evaluate(REACHED, FINGER) == []


@chrome.needed
def test_where_a_number_is_chosen(phone: chrome.Watched) -> None:
    phone.deal("michigan", number="michigan 9", **alone("michigan"))  # the person bids first
    phone.page.wait_for_selector(".live.turn .number")
    assert phone.page.evaluate(REACHED, FINGER) == []


@chrome.needed
def test_at_the_end_of_a_deal(phone: chrome.Watched) -> None:
    phone.deal("fan-tan", **alone("fan-tan"))
    phone.play_deal(tap=True)
    assert phone.page.evaluate(REACHED, FINGER) == []
    phone.result()
    assert phone.page.evaluate(REACHED, FINGER) == []
