"""Double clicks on the table, in a real Chromium: the second click never makes another move."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardtable.rules.catalog import games
from tests.support import browser as chrome
from tests.support.effort import cases

pytestmark = chrome.needed


@pytest.mark.parametrize("game", cases(games(), {"spider", "fan-tan"}))
def test_the_second_click_of_a_double_click_makes_no_move(game: str, ann: chrome.Watched) -> None:
    """Not even if the first move was answered, and it is the player's turn again."""
    page, sent = ann.page, list[dict[str, Any]]()
    page.on("websocket", lambda line: line.on("framesent", lambda text: sent.append(json.loads(text))))
    ann.deal(game, **chrome.alone(game), number=f"{game} 1")

    def moves() -> int:
        page.evaluate("0")  # what the page has sent by now is known
        return sum(one["type"] == "move" for one in sent)

    while not moves():  # a move may take several clicks: cards are chosen, buttons appear
        page.wait_for_selector(".live.turn")
        if at := page.evaluate(chrome.AIM):
            page.mouse.click(*at)
    page.wait_for_selector(".live.turn, .ending")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    assert moves() == 1
