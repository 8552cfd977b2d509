"""Every game in the browser in seven states, from numbered deals, so that every run has the same cards: what
tools/screenshots.py takes pictures of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.support import browser as chrome

WIDE, PHONE, TURNED = (1280, 800), (390, 844), (844, 390)
MOVES = 4  #: of one's own before the pictures in mid-deal
DEALS = 20  #: numbers that are tried until it is one's turn after this number of moves
SHORT = {"spider": {"move_cap": "100"}}  #: house rules with which a deal ends soon, whatever is played


@dataclass(frozen=True)
class State:
    name: str
    size: tuple[int, int] = WIDE
    look: str = "light"


MIDDLE = (
    State("1280"),
    State("dark", look="dark"),
    State("contrast", look="contrast"),
    State("390", PHONE),
    State("landscape", TURNED),
)
STATES = ("first", *(state.name for state in MIDDLE), "end")


def pictures(browser: Any, url: str, game: Any) -> Iterator[tuple[str, bytes]]:
    """A game in each state: its name, and the picture as PNG. Raises AssertionError if a page complains."""
    seats = game.options.seat_range[game.presets[0]]
    players = max(seats[0], min(game.as_dict()["best"][0], seats[1]))
    one, number = _begun(browser, url, game.name, players)
    yield "first", _taken(one)
    for _ in range(number):
        one.move()
        _turn(one)
    for state in MIDDLE:
        _seen_as(one, state)
        yield state.name, _taken(one)
    _seen_as(one, State("end"))
    one.play_deal()
    yield "end", _taken(one)
    assert one.complaints == []
    one.page.context.close()


def _begun(browser: Any, url: str, game: str, players: int) -> tuple[chrome.Watched, int]:
    """A table at which it is one's turn, and the number of one's moves after which it is again."""
    for moves in range(MOVES, -1, -1):
        for number in range(DEALS):
            one = _dealt(browser, url, game, players, number)
            fits = _turn(one)
            for _ in range(moves if fits else 0):
                one.move()
                if not (fits := _turn(one)):
                    break
            one.page.context.close()
            if fits:
                one = _dealt(browser, url, game, players, number)
                _turn(one)
                return one, moves
    raise AssertionError(f"{game}: it is never one's turn")


def _dealt(browser: Any, url: str, game: str, players: int, number: int) -> chrome.Watched:
    one = chrome.visitor(browser, url, *WIDE)
    bots = ["", *["medium"] * (players - 1)]
    one.deal(game, seats=players, bots=bots, number=f"{game} {number}", options=SHORT.get(game, {}))
    return one


def _turn(one: chrome.Watched) -> bool:
    """Wait for one's turn or for the end of the deal; whether it is one's turn, and nothing is asked in a window."""
    one.page.wait_for_selector(".live.turn, .ending")
    return not one.over and not one.page.locator("dialog[open]").count()


def _seen_as(one: chrome.Watched, state: State) -> None:
    """Change the size of the window and the look of the page, as its settings do; phones have large cards."""
    one.page.set_viewport_size({"width": state.size[0], "height": state.size[1]})
    one.page.evaluate(
        "([look, phone]) => Object.assign(document.documentElement.dataset, "
        "{look, big: String(phone), suits: phone ? 'four' : 'two'})",
        [state.look, state.size == PHONE],
    )


#: returns when nothing moves any more, and what has changed is drawn
STILL = """async () => {
  await document.fonts.ready;
  const ends = document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity);
  await Promise.all(ends.map((one) => one.finished.catch(() => 0)));
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""


def _taken(one: chrome.Watched) -> bytes:
    """A picture when nothing moves any more and nothing is pointed at."""
    one.page.mouse.move(1, 1)
    before = b""
    for _ in range(100):
        one.page.evaluate(STILL)
        if (now := bytes(one.page.screenshot(animations="disabled", caret="hide"))) == before:
            return now
        before = now
    raise AssertionError("the picture changes all the time")
