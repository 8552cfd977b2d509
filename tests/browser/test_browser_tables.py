"""Pictures as a browser draws them: nothing covers a text, nothing leaves the picture; the stepper's buttons work."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match
from cardtable.base import languages
from cardtable.picture.scene import Scene, scene_of
from cardtable.picture.table import svg
from cardtable.rules import catalog
from cardtable.rules.zones import Score
from cardtable.testing.houses import deal_out, moments, play_on, typical_houses
from tests.support import browser as chrome

pytestmark = [chrome.needed, pytest.mark.exhaustive]

#: Which texts and cards lie outside the picture or across a frame, and which texts lie on others or on cards. Cards may
#: cover each other: they are drawn so that the index stays to be seen (tests/picture/test_picture.py).
FAULTS = """() => {
  const found = [];
  for (const svg of document.querySelectorAll("svg")) {
    const whole = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter((one) => !one.closest("defs"));
    const cards = [...svg.querySelectorAll("use")].filter((one) => !one.closest("defs"));
    const box = (el) => el.getBoundingClientRect();
    const apart = (a, b) =>
      a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
    const name = (el) => el.textContent || el.getAttribute("href");
    for (const one of [...texts, ...cards]) {
      const a = box(one);
      if (a.left < whole.left || a.right > whole.right + 0.5 || a.top < whole.top || a.bottom > whole.bottom + 0.5)
        found.push(`outside: ${name(one)}`);
    }
    texts.forEach((one, k) => {
      for (const other of [...texts.slice(k + 1), ...cards])
        if (!apart(box(one), box(other)) && one.parentNode !== other.parentNode)
          found.push(`${name(one)} on ${name(other)}`);
    });
    for (const frame of [...svg.querySelectorAll("rect[rx='8']")]) {
      for (const one of [...texts, ...cards]) {
        const a = box(frame), b = box(one);
        const inside = b.left >= a.left && b.right <= a.right && b.top >= a.top - 2 && b.bottom <= a.bottom;
        if (!apart(a, b) && !inside) found.push(`${name(one)} across a frame`);
      }
    }
  }
  return found;
}"""


CODES = ("en", "de")


def pictures(name: str) -> list[str]:
    """Tables of a game at several moments, with every preset and from few seats to many, as a seat, and open: each in
    one language, and what comes next in another.
    """
    drawn: list[str] = []
    for house in typical_houses():
        if house.game != name:
            continue
        for seats in {house.seats, house.entry.options.seat_range[house.preset][1]}:
            varied = type(house)(house.game, house.preset, seats, house.given)
            s = varied.open(2)
            deal_out(s)
            for number, seat, _ in moments(varied.entry, s, 2):
                if number in (1, 14, 40):
                    for viewer in (seat, None):
                        languages.use(CODES[len(drawn) % 2])
                        drawn.append(svg(scene_of(varied.entry, varied.entry.titles[varied.preset], s, viewer)))
                if number == 40:
                    break
    return drawn


@pytest.mark.parametrize("name", list(catalog.games()))
def test_nothing_lies_on_a_text(browser: Any, name: str) -> None:
    try:
        tables = pictures(name)
    finally:
        languages.use("en")
    page = browser.new_page(viewport={"width": 900, "height": 900})
    assert len(tables) > 1
    page.set_content("<hr>".join(tables))
    assert page.evaluate(FAULTS) == []


def test_the_stepper_steps(browser: Any, tmp_path: Path) -> None:
    m, dice = Match("fan-tan", seed=3), random.Random(3)
    for _ in range(20):
        play_on(m, lambda seat: dice.choice(m.legal(seat)))
    file, last = tmp_path / "match.html", len(m.moves)
    file.write_text(m.record().html(seat=1), encoding="utf-8")
    page = browser.new_page()
    faults: list[object] = []
    page.on("pageerror", lambda fault: faults.append(fault))
    page.goto(file.as_uri())

    def shown(number: int) -> None:
        """The picture is that of the move of this number."""
        said = "The deal begins." if number == 0 else f"seat {m.moves[number - 1].seat}: {m.moves[number - 1].move}"
        text = said.replace("seat 1:", "you:")
        page.get_by_text(f"{number} / {last}: {text}", exact=True).wait_for(timeout=chrome.PATIENCE)
        now = m.record().svg(1, number + 1, seat=1)
        drawn = page.eval_on_selector_all("svg > g > g use", "all => all.map((one) => one.getAttribute('href'))")
        assert drawn == re.findall(r'href="([^"]+)"', now.split("</defs>")[1])

    shown(0)
    page.get_by_role("button", name="One move on").click()
    shown(1)
    page.get_by_role("button", name="To the end").click()
    shown(last)
    page.get_by_role("button", name="One move on").click()
    shown(last)
    page.get_by_role("button", name="One move back").click()
    shown(last - 1)
    page.get_by_role("button", name="To the start").click()
    shown(0)
    page.get_by_role("slider").fill("7")
    shown(7)
    assert page.evaluate(FAULTS) == []
    assert faults == []
    the_check_of_texts_can_fail(page)


def the_check_of_texts_can_fail(page: Any) -> None:
    good = svg(Scene("x", 1, 1, 0, (0,), [Score("a", (), label="b")]))  # type: ignore[arg-type]
    page.set_content(
        good.replace("</svg>", '<g><text x="12" y="30">over</text><text x="799" y="9">out</text></g></svg>')
    )
    faults = page.evaluate(FAULTS)
    assert "outside: out" in faults
    assert any("on over" in one for one in faults)
