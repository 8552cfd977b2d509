"""Setting up a table in plain words, and house rules that people keep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardtable.rules.catalog import games
from cardtable.rules.game import Game
from tests.support import browser as chrome
from tests.support.server.served import Served

#: identifiers that are the plain word for what they mean, so that people may read them, too
PLAIN = {
    "ante",
    "chips",
    "suits",
    "boodle",
    "spinado",
    "michigan",
    "bullshit",
    "one",
    "counting",
    "deals",
    "limit",
    "never",
}


def identifiers(game: Game) -> set[str]:
    """What the options of a game are called in commands and files, apart from numbers."""
    found = {"null", "undefined", "none", "yes", "no", "on", "off", *game.presets, *game.options.kinds()}
    for kind in game.options.kinds().values():
        found |= set(kind.values)
    return {each for each in found if not each.isdecimal()} - PLAIN - {game.name}


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_every_option_and_value_has_words(game: Game) -> None:
    raw = identifiers(game)
    for name, kind in game.options.kinds().items():
        words = game.words[name]
        assert name in game._module("wording").WORDS
        assert words.label not in raw
        switch = set(kind.values) in ({"no", "yes"}, {"off", "on"})
        for value in () if switch or kind.read else kind.values:
            assert str(words.value(value)) not in raw, (name, value)
        for other, values in words.only.items():
            if other in game.options.kinds():
                assert set(values) <= set(game.options.kinds()[other].values), (name, other)


#: the texts of headings, labels and choices on the page on which a table is set up
WORDS = """[...document.querySelectorAll(
  '.setup label, .setup option, .setup button, .setup summary, .setup h2, .setup span, .summary')]
  .map((el) => el.textContent.trim())"""


@chrome.needed
def test_a_table_is_set_up_in_plain_words(browser: Any, server: Served) -> None:
    """No identifier is shown, and only what has an effect, alone or with others; house rules are kept and shared."""
    ann = chrome.visitor(browser, server.url, 1100, 700)
    no_identifier_is_shown(ann)
    what_has_no_effect_is_not_shown(ann)
    mistakes_that_cost_are_one_switch_beside_the_preset(ann)
    alone_nobody_is_asked_or_joins(ann)
    rules_are_kept_and_shared(ann)


def no_identifier_is_shown(ann: chrome.Watched) -> None:
    """In any preset of any game, as the text of a heading, a label or a choice."""
    page = ann.page
    page.goto(f"{ann.url}/new?game={[*games()][-1]}")
    choice = page.get_by_role("combobox", name="Game", exact=True)
    for game in games().values():
        raw = identifiers(game)
        with page.expect_response(f"**/api/games/{game.name}"):
            choice.select_option(game.name)
        for preset in game.presets:
            if len(game.presets) > 1:
                page.get_by_role("radio", name=game.titles[preset], exact=True).check(force=True)
            page.locator(".setup .option").first.wait_for(state="attached")
            texts = page.evaluate(WORDS)
            assert texts
            assert not [text for text in texts if text in raw or "_" in text], (game.name, preset)


def what_has_no_effect_is_not_shown(ann: chrome.Watched) -> None:
    page = ann.page
    page.goto(f"{ann.url}/new?game=michigan")
    page.get_by_text("Standard rules: change").click()
    page.get_by_label("Chips that the dealer puts on each money card").first.wait_for()
    page.get_by_label("Chips on the money cards").select_option("free4")
    assert page.get_by_label("Chips that the dealer puts on each money card").count() == 0
    assert page.locator(".summary").inner_text() == (
        "Michigan, chips on the money cards: four from everybody, spread at will"
    )


def mistakes_that_cost_are_one_switch_beside_the_preset(ann: chrome.Watched) -> None:
    """Only for games whose rules know fines; it sets ordinary house rules, and what they mean is shown with the
    others.
    """
    page = ann.page
    page.goto(ann.url + "/new?game=fan-tan&preset=british")
    switch = page.get_by_label("Mistakes are possible and cost chips, as in the book")
    switch.check()
    chrome.expect(page.locator(".option.differs")).to_have_count(1)
    page.get_by_role("button", name="Deal").click()
    page.wait_for_selector(".live")
    table = page.request.get(f"{ann.url}/api/tables/{page.url.rpartition('/')[2]}").json()
    assert (table["preset"], table["options"]) == ("british", {"enforce": "penalise"})
    page.goto(ann.url + "/new?game=spider")
    page.wait_for_selector("#number")
    assert not switch.count()


def alone_nobody_is_asked_or_joins(ann: chrome.Watched) -> None:
    page = ann.page
    joins = page.get_by_label("Anybody on this server may join")
    aids = page.get_by_label("Memory aids may be switched on")
    page.goto(f"{ann.url}/new?game=spider")
    page.get_by_label("Taking back").wait_for()
    assert page.get_by_label("Taking back").locator("option").all_text_contents() == ["at any time", "never"]
    assert joins.count() == 0
    assert aids.count() == 0
    assert page.get_by_text("A deal that can be won").inner_text().startswith("A deal that can be won chosen by")
    page.goto(f"{ann.url}/new?game=fan-tan")
    aids.wait_for()
    assert joins.count() == 0
    page.get_by_label("Player 2").select_option("")
    joins.check()
    assert page.get_by_label("Taking back").locator("option").all_text_contents() == ["if all agree", "never"]
    page.get_by_label("Player 2").select_option("medium")
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name="Deal", exact=True).click()
    assert asked.value.post_data_json["listed"] is False
    page.wait_for_selector(".live")


def rules_are_kept_and_shared(ann: chrome.Watched) -> None:
    page = ann.page
    page.goto(f"{ann.url}/new?game=fan-tan&preset=british")
    page.get_by_text("Standard rules: change").click()
    page.locator("#o-ante").fill("2")
    page.locator("#o-ante").press("Enter")
    page.get_by_role("switch", name="A pass costs a chip").click()
    wanted = "Fan Tan as the British play it, ante 2 and not: a pass costs a chip"
    summary = page.locator(".summary")
    summary.get_by_text(wanted).wait_for()
    page.get_by_label("Name for these house rules").fill("Aunt Mia's")
    page.get_by_role("button", name="Keep as my house rules").click()
    page.get_by_text("Saved as Aunt Mia's.").wait_for()
    link = page.get_by_label("Link to these rules").input_value()
    page.goto(f"{ann.url}/new?game=scopa")
    page.get_by_role("button", name="Aunt Mia's", exact=True).click()
    summary.get_by_text(wanted).wait_for()
    page.goto(link)
    summary.get_by_text(wanted).wait_for()
    page.get_by_role("button", name="Delete Aunt Mia's").click()
    page.get_by_role("button", name="Aunt Mia's", exact=True).wait_for(state="detached")
    assert page.request.get(f"{ann.url}/api/me/rules").json() == {"rules": []}


def test_kept_rules_are_part_of_a_persons_data(server: Served) -> None:
    import httpx

    with httpx.Client(base_url=server.url, headers={"origin": server.url}) as ann:
        ann.get("/api/me")
        rules: dict[str, Any] = {"name": " Home\n", "game": "sevens", "options": {"ante": 3}, "seats": 4}
        kept = ann.post("/api/me/rules", json=rules)
        assert kept.status_code == 201, kept.text
        told = {
            "name": "Home",
            "game": "fan-tan",
            "title": "Sevens",
            "preset": "stops",
            "seats": 4,
            "options": {"ante": 3},
        }
        assert kept.json() == told
        assert ann.get("/api/me/rules").json() == {"rules": [told]}
        assert json.loads(ann.get("/api/me/data").text)["saved_rules"][0]["name"] == "Home"
        assert (
            ann.post("/api/me/rules", json={"name": "x", "game": "fan-tan", "options": {"ante": -1}}).status_code == 400
        )
        assert ann.post("/api/me/rules", json={"name": "\u2800", "game": "fan-tan"}).status_code == 400
        cookie = ann.cookies["cardtable"]
        assert ann.delete("/api/me/data").status_code == 200
        ann.cookies.set("cardtable", cookie)
        assert ann.get("/api/me/rules").json() == {"rules": []}


def test_only_so_many_are_kept(server: Served, tmp_path: Path) -> None:
    from cardtable.server.store import saved_rules

    for n in range(saved_rules.MOST + 1):
        rules = saved_rules.SavedRules(f"{n}", "fan-tan", "Fan Tan", "denexa", 4, {})
        assert saved_rules.keep(server.store, "somebody", rules, n) == (n < saved_rules.MOST)
    assert saved_rules.keep(
        server.store, "somebody", saved_rules.SavedRules("7", "fan-tan", "Fan Tan", "british", 4, {}), 0
    )
