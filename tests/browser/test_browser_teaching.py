"""Terms of the glossary that open their meaning, and the sheet of a task as it is printed, in a real Chromium."""

from __future__ import annotations

import re
from typing import Any

from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = chrome.needed

FOCUS = "document.activeElement.dataset.term ?? document.activeElement.className"


def test_a_term_opens_its_meaning(browser: Any, server: Served) -> None:
    """With a key and with a click; Escape and a click elsewhere close it. Few of the terms are stops of the Tab key."""
    page = chrome.visitor(browser, server.url).page
    page.goto(f"{server.url}/rules/scopa")
    page.wait_for_selector(".book .term")
    terms, stops = page.locator(".book .term"), page.locator(".book .term[tabindex='0']")
    assert stops.count() < 30
    assert stops.count() < terms.count()
    assert not page.locator(".book :is(code, button, a, .in) .term").count()
    word = page.locator(".book .term[data-term='trail']").first
    word.focus()
    page.keyboard.press("Enter")
    meaning = page.locator(".meaning")
    meaning.wait_for()
    assert "without taking any" in meaning.inner_text()
    assert page.evaluate(FOCUS) == "meaning"
    page.keyboard.press("Escape")
    meaning.wait_for(state="detached")
    assert page.evaluate(FOCUS) == "trail"
    word.click()
    meaning.wait_for()
    page.locator("h1").click()
    meaning.wait_for(state="detached")
    page.goto(f"{server.url}/glossary#primiera")
    page.wait_for_selector("#primiera.lit")
    page.get_by_role("searchbox").fill("without taking any")
    page.wait_for_function("() => document.querySelectorAll('.glossary dt').length === 1")


def test_the_sheet_of_a_task_is_one_page_and_the_solution_another(browser: Any, server: Served) -> None:
    page = chrome.visitor(browser, server.url).page
    for name in ("three-for-one", "which-seven", "how-many-tricks"):
        page.goto(f"{server.url}/teach/{name}")
        page.wait_for_selector(".worksheet .card")
        assert not page.locator(".solution").is_visible()
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 2, name
    page.emulate_media(media="print")
    assert page.locator(".worksheet hr").first.is_visible()
    assert page.locator(".solution table").is_visible()
    assert not page.locator(".pupils, .top, .foot, .actions").filter(visible=True).count()
    page.emulate_media(media="screen")
    page.get_by_label("with the solution").uncheck()
    page.emulate_media(media="print")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Show the solution").click()
    assert page.locator(".solution table").is_visible()
    page.get_by_role("link", name="Play these cards").click()
    page.get_by_role("button", name="Play these cards").click()
    page.wait_for_selector(".live.turn")
