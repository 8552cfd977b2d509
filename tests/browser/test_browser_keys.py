"""A match of each game to its end without a mouse and without eyes: by somebody who has only keys, and hears only what
the page says aloud. They know no game: they press what is said to be playable. Where the focus goes is tested in
tests/client/keys.test.js, and that nothing is left unsaid in tests/client/announcements.test.js.
"""

from __future__ import annotations

import re
import time
from typing import Any, NoReturn

import pytest

from cardtable.base import card_names, cards
from cardtable.rules.catalog import games
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = [chrome.needed, pytest.mark.exhaustive]
#: what a screen reader says unasked: what comes into a live region. An element with a label is read as that.
LISTENS = """() => {
  window.heard = [];
  const silent = "[aria-hidden=true], [hidden], [aria-live=off]";
  const text = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.matches(silent)) return "";
    return node.getAttribute("aria-label") ?? [...node.childNodes].map(text).join("");
  };
  const said = (node) => {
    const at = node.nodeType === 1 ? node : node.parentElement;
    if (!at?.isConnected || at.closest(silent)) return;
    if (!at.closest("[aria-live], [role=log], [role=status], [role=alert]")) return;
    const words = text(node).replace(/\\s+/g, " ").trim();
    if (words) window.heard.push(words);
  };
  new MutationObserver((changes) => {
    for (const one of changes) (one.type === "characterData" ? [one.target] : one.addedNodes).forEach(said);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
#: the group around the focus; null: nothing has the focus
GROUP = """() => {
  const at = document.activeElement;
  return at === document.body ? null : at.closest("section[aria-label], [role][aria-label]")?.ariaLabel ?? "";
}"""
#: everybody's name and score, as the result shows them
RESULT = """() => [...document.querySelectorAll(".ending > ul > li")].map((row) => {
  const sum = row.querySelector(".sum .sr") ?? row.querySelector(".sum");
  return [row.querySelector(".who").textContent, sum.textContent.split("=").at(-1).trim()];
})"""
LONGEST = 240.0  #: seconds
TYPED = dict(zip(map(str, card_names.RANKS), cards.RANKS.lower(), strict=True))
CARD = re.compile(rf"({'|'.join(TYPED)}) of (spades|hearts|diamonds|clubs)|joker")
#: what is said when somebody must do something
CUE = re.compile(r"^Your turn|^Choose (what to do|a suit$)|^Where to|\d+ (of \d+ )?chosen")
OVER = re.compile(r"^(.+ wins? deal \d+|.+ wins? the match|Deal \d+ is over|The match is (over|a draw))\. ")
#: buttons that make no move
NO_MOVE = re.compile("Cancel|Put all back|One more chip|One chip back|Less|More")
#: the keys to what can be played: from card to card, and then by the way that leaves out all others
WAY = ["ArrowRight"] * 2 + ["Shift+ArrowRight"] * 10
#: house rules for matches that are short
SHORT: dict[str, dict[str, Any]] = {
    "crazy-eights": {"deals": 2, "hand_size": 2, "turn_cap": 30},
    "i-doubt-it": {"deals": 2, "turn_cap": 8},
    "michigan": {"deals": 2},
    "spider": {"move_cap": 100},
    "pirate": {"stall": 60},
}
#: how many moves are left of a match that is longer
OWN = {"busca": 14, "cassino": 28, "oh-hell": 14, "pirate": 10, "scopa": 22, "spider": 8, "thirty-one": 18}
OWN |= {"domino-fan-tan": 38, "fan-tan": 29, "five-or-nine": 29}
TO_A_SCORE = ("busca", "cassino", "pirate", "scopa", "spider", "thirty-one")  #: they may end with the deal at hand


class Listener:
    """Somebody who has keys and ears. `told`: all that was said; `refused`: a card that was not allowed was tried."""

    def __init__(self, page: Any) -> None:
        self.page, self.devtools = page, page.context.new_cdp_session(page)
        self.latest = time.monotonic() + LONGEST
        self.told: list[str] = []
        self.refused = False
        page.evaluate(LISTENS)

    def hear(self) -> list[str]:
        news: list[str] = self.page.evaluate("heard.splice(0)")
        self.told += news
        if not news and time.monotonic() > self.latest:
            self.fail("nothing is said")
        return news

    def fail(self, why: str) -> NoReturn:
        raise AssertionError(why, self.focus(), self.told[-8:])

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def until(self, *said: re.Pattern[str]) -> str:
        """Listen until something is said, and return what was said of that last."""
        while not (found := [words for words in self.hear() if any(one.search(words) for one in said)]):
            pass
        return found[-1]

    def focus(self) -> tuple[str, str, dict[str, Any]]:
        """What has the focus: its role, its name and its states."""
        found = self.devtools.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        asked = {"objectId": found["objectId"], "fetchRelatives": False}
        node = self.devtools.send("Accessibility.getPartialAXTree", asked)["nodes"][0]
        states = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        # what is being drawn has neither
        role, name = (node.get(which, {}).get("value", "") for which in ("role", "name"))
        return role, name, states

    def onward(self) -> str:
        """Wait until the focus has gone to the button after a deal, and return its name."""
        while not re.match("Next deal|Play again|Try again", name := self.focus()[1]):
            self.hear()
        return name

    def plays(self, typing: bool) -> None:
        """Go to the first card that is said to be playable and play it, or else press the first button."""
        met: list[str] = []
        for ready in (is_playable, can_be_pressed):
            for key in WAY:
                group = self.page.evaluate(GROUP)
                if group is None:
                    self.fail("the focus is not on the table")
                role, name, states = self.focus()
                met.append(name)
                if ready(role, name, states):
                    card = CARD.match(name)
                    typed = TYPED[card[1]] + card[2][0] if typing and card and card[1] else ""
                    if typed:
                        chrome.type_card(self.page, typed)
                    else:
                        self.press("Enter")
                    return
                if group == "Your cards" and CARD.match(name) and not self.refused:
                    self.refused = True
                    self.press("Enter")
                    self.until(re.compile(rf"{name}.*: \w", re.IGNORECASE))
                self.press(key)
        self.fail(f"nothing can be played: {met}")


def is_playable(role: str, name: str, states: dict[str, Any]) -> bool:
    """Whether what has the focus is said to be playable, or to be one of several cards that are chosen together."""
    return "playable" in name or "may go here" in name or states.get("pressed") == "false"


def can_be_pressed(role: str, name: str, states: dict[str, Any]) -> bool:
    """Whether what has the focus is said to make a move, or to begin one."""
    if role != "button" or states.get("disabled") or NO_MOVE.match(name):
        return False
    return is_playable(role, name, states) or not CARD.match(name)


@pytest.mark.parametrize("game", sorted(games()))
def test_a_match_by_keys_and_by_ear_alone(browser: Any, server: Served, game: str) -> None:
    one = chrome.visitor(browser, server.url)
    one.deal(game, **chrome.late_in_a_match(game, OWN.get(game, 200), **SHORT.get(game, {})))
    one.page.wait_for_selector(".live.turn")
    ear = Listener(one.page)
    ear.press("ArrowRight")  # the page learns that there is a keyboard
    cue, deals, moves = "Your turn", 0, 0
    while True:
        if OVER.search(cue):
            deals += 1
            onward = ear.onward()
            for name, score in one.page.evaluate(RESULT):
                assert f"{name}: {score.replace('−', 'minus ')}" in cue
            if not onward.startswith("Next"):
                break
            ear.press("Enter")
        elif cue.startswith("Choose") or "chosen" in cue:
            ear.press("1")
        else:
            moves += 1
            ear.plays(typing=moves % 3 == 2)
        cue = ear.until(CUE, OVER)
    assert " the match" in cue or "The match" in cue
    assert deals > 1 or game in TO_A_SCORE
