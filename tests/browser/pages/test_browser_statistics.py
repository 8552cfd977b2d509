"""Statistics with pictures, in Chromium."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from cardtable import Match, bot
from cardtable.server.store.schema import MATCHES
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = [chrome.needed, pytest.mark.server(review_iterations=1000)]


def match(number: int, title: str, score: int, won: bool, counts: bool = True) -> dict[str, Any]:
    me = {"seat": 0, "name": "Ann", "level": "", "score": score, "won": won, "you": True}
    bot = {"seat": 1, "name": "", "level": "medium", "score": -score, "won": not won, "you": False}
    return {
        "id": number,
        "game": "scopa",
        "title": title,
        "preset": "scopa",
        "at": number,
        "players": [me, bot],
        "deals": 1,
        "resigned": None,
        "counts": counts,
    }


def decided(
    match: int, deal: int, number: int, move: str, best: str, grade: str, loss: float, label: Any = None
) -> dict[str, Any]:
    decision = {"match": match, "deal": deal, "number": number, "move": move, "move_label": label, "best": best}
    return decision | {"best_label": None, "grade": grade, "loss": loss, "error": 0.1, "scale": 4.0}


def test_statistics_of_matches_and_reviewed_moves(ann: chrome.Watched, server: Served) -> None:
    a_reviewed_move_leads_to_the_table_as_it_lay(ann, server)
    results_streaks_and_reviewed_moves(ann)


def results_streaks_and_reviewed_moves(ann: chrome.Watched) -> None:
    """Of canned answers; and all fits in the window."""
    page = ann.page
    won = [True, True, True, False, True]
    matches = [match(n + 1, "Scopa", n * (1 if good else -1), good) for n, good in enumerate(won)]
    matches += [match(6, "Scopa", 99, True, counts=False), match(7, "Busca", 3, False)]
    sums = {"won": 4, "clean": 4, "undone": 0, "hinted": 0, "deals": 5, "score": 5}
    rows = [{"game": "scopa", "title": "Scopa", "matches": 5, **sums}]
    page.route("**/api/matches*", lambda route: route.fulfill(json={"matches": matches[::-1]}))
    best = [decided(3, 1, 4, "9S", "9S", "best", 0.0)]
    worst = [decided(2, 3, 7, "7H", "8H", "blunder", 2.5, {"says": "draw"}), decided(2, 1, 3, "QD", "KD", "mistake", 1)]
    grades = {"best": 6, "good": 2, "inaccuracy": 0, "mistake": 1, "blunder": 1}
    scopa = {"game": "scopa", "preset": "scopa", "title": "Scopa", "grades": grades, "loss": 0.35}
    few = {"best": 1, "good": 0, "inaccuracy": 0, "mistake": 0, "blunder": 0}
    other = {"game": "busca", "preset": "busca", "title": "Busca", "grades": few, "loss": 0}
    reviewed = [other | {"best": [], "worst": []}, scopa | {"best": best, "worst": worst}]
    page.route("**/api/statistics", lambda route: route.fulfill(json={"games": rows, "reviewed": reviewed}))
    page.goto(ann.url + "/statistics")
    page.get_by_role("img", name="Scopa: 5 matches, 4 won").wait_for()
    chrome.expect(page.locator(".chart circle")).to_have_count(5)
    chrome.expect(page.locator(".chart circle.won")).to_have_count(4)
    assert len(page.locator(".chart polyline").get_attribute("points").split()) == 5
    assert page.locator(".streaks b").all_inner_texts() == ["3", "1"]
    page.get_by_label("Game", exact=True).select_option("Busca")
    page.get_by_role("img", name="Busca: 1 match, 0 won").wait_for()
    games = page.locator("section:has(#reviewed) details")
    assert games.locator("summary b").all_inner_texts() == ["Scopa", "Busca"], "the one with more decisions first"
    links = games.first.locator("a")
    assert [link.get_attribute("href") for link in links.all()] == [
        "/replay/3?review&deal=1&move=4",
        "/replay/2?review&deal=3&move=7",
        "/replay/2?review&deal=1&move=3",
    ]
    assert [" ".join(link.inner_text().split()) for link in links.all()] == [
        "9♠\ufe0e nine of spades best",
        "draw best: 8♥\ufe0e eight of hearts blunder −2.50",
        "Q♦\ufe0e queen of diamonds best: K♦\ufe0e king of diamonds mistake −1.00",
    ]
    summed = "10 decisions: 6 best, 2 good, 1 mistake, 1 blunder. Average loss 0.35."
    assert games.first.locator("p").inner_text() == summed
    page.get_by_role("img", name="Scopa: 6 best, 2 good, 1 mistake, 1 blunder").wait_for()
    widths = [float(part.get_attribute("width")) for part in games.first.locator("svg rect").all()]
    assert [round(width / sum(widths), 6) for width in widths] == [0.6, 0.2, 0.1, 0.1]
    assert not games.last.locator("p").is_visible(), "it is opened when somebody wants it"
    assert chrome.violations(page, False) == []
    page.emulate_media(color_scheme="dark")
    assert chrome.violations(page, True) == []
    reviewed.clear()
    page.reload()
    page.get_by_role("img", name="Scopa: 5 matches, 4 won").wait_for()
    assert page.locator("#reviewed").count() == 0
    rows[:] = [
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
    page.reload()
    page.get_by_text("Domino Fan Tan").first.wait_for()
    for width, height in ((1440, 900), (768, 1024), (390, 844), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width)
        wide = "() => { const el = document.querySelector('.scroll'); return el.scrollWidth - el.clientWidth; }"
        assert page.evaluate(wide) <= 0, width
        assert page.get_by_role("cell").count() == 8, "a phone's cards are a table still for people who hear it"
        cells = [" ".join(cell.split()) for cell in page.locator("tbody td").all_inner_texts()]
        assert cells == ["1,234", "1,000", "81%", "900", "50", "50", "12,345", "-100.0"], width
        assert chrome.violations(page, True) == [], width


def a_reviewed_move_leads_to_the_table_as_it_lay(ann: chrome.Watched, server: Served) -> None:
    page, store = ann.page, server.store
    m, player = Match("fan-tan", 3, "british", seed=1, deals=2), bot("random", 1)
    while not m.over:
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    page.goto(ann.url + "/about")
    id = page.evaluate(
        "async (text) => (await (await fetch('/api/records', {method: 'POST', body: text})).json()).id", str(m.record())
    )
    store.run(lambda c: c.execute(sa.update(MATCHES).values(counts=True)))  # as if it had been played here
    page.goto(f"{ann.url}/replay/{id}?review&deal=2")
    page.locator(".review .sum b").wait_for()
    assert page.locator(".controls select").first.input_value() == "2"
    poor = page.locator(".decision").locator(".grade.inaccuracy, .grade.mistake, .grade.blunder").count()
    assert poor > 1
    page.goto(ann.url + "/statistics")
    moves = page.locator("section:has(#reviewed) ul").last.locator("a")
    moves.first.wait_for()
    assert moves.count() == min(5, poor)
    number = moves.last.get_attribute("href").rpartition("move=")[2]
    moves.last.click()
    here = page.locator(".decision[aria-current=step] .number")
    here.wait_for()
    assert here.inner_text().split()[-1] == number
    assert page.locator(".moved .grade").inner_text().lower() in ("inaccuracy", "mistake", "blunder")
    assert page.locator(".controls select").first.input_value() == "2"
