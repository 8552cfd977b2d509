"""Statistics with pictures, in Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import browser as chrome
import pytest
from served import Served, served

pytestmark = chrome.needed


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("statistics") / "tables.db") as running:
        yield running


def match(number: int, title: str, score: int, won: bool, counts: bool = True) -> dict[str, Any]:
    me = {"seat": 0, "name": "Ann", "level": "", "score": score, "won": won, "you": True}
    bot = {"seat": 1, "name": "", "level": "simple", "score": -score, "won": not won, "you": False}
    return {
        "id": number, "game": "scopa", "title": title, "preset": "scopa", "at": number, "players": [me, bot],
        "deals": 1, "resigned": None, "counts": counts,
    }  # fmt: skip


def test_results_streaks_and_reviewed_moves(ann: chrome.Watched) -> None:
    page = ann.page
    won = [True, True, True, False, True]
    told = [match(n + 1, "Scopa", n * (1 if good else -1), good) for n, good in enumerate(won)]
    told += [match(6, "Scopa", 99, True, counts=False), match(7, "Busca", 3, False)]
    sums = {"won": 4, "clean": 4, "undone": 0, "hinted": 0, "deals": 5, "score": 5}
    rows = [{"game": "scopa", "title": "Scopa", "matches": 5, **sums}]
    page.route("**/api/matches*", lambda route: route.fulfill(json={"matches": told[::-1]}))
    page.route("**/api/statistics", lambda route: route.fulfill(json={"games": rows}))
    kept = [
        {"match": 2, "deal": 1, "number": 3, "seat": 0, "loss": 2.5, "scale": 4, "label": {"moves": "7H"}},
        {"match": 2, "deal": 1, "number": 5, "seat": 1, "loss": 9.5, "scale": 4, "label": {"moves": "8H"}},
        {"match": 3, "deal": 1, "number": 4, "seat": 0, "loss": 0, "scale": 4, "label": {"moves": "9S"}},
    ]
    page.goto(ann.url)
    page.evaluate("(kept) => localStorage.setItem('cardtable-judged', kept)", json.dumps(kept))
    page.goto(ann.url + "/statistics")
    page.get_by_role("img", name="Scopa: 5 matches, 4 won").wait_for()
    assert page.locator(".chart circle").count() == 5
    assert page.locator(".chart circle.won").count() == 4
    assert len(page.locator(".chart polyline").get_attribute("points").split()) == 5
    assert page.locator(".streaks b").all_inner_texts() == ["3", "1"]
    page.get_by_label("Game", exact=True).select_option("Busca")
    page.get_by_role("img", name="Busca: 1 match, 0 won").wait_for()
    links = page.locator("section:has(#reviewed) a")
    assert [link.get_attribute("href") for link in links.all()] == ["/replay/3?review", "/replay/2?review"]
    assert "9♠" in links.first.inner_text()
    page.evaluate("localStorage.setItem('cardtable-judged', '{')")
    page.reload()
    page.get_by_role("img", name="Scopa: 5 matches, 4 won").wait_for()
    assert page.locator("#reviewed").count() == 0
