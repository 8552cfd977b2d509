"""A real Chromium for the tests of the browser client, and hands that play by mouse, by touch and by keyboard."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from programs import chromium, needs, require

ARGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 30_000  #: milliseconds
LONGEST_DEAL = 240.0  #: seconds. Who lays nothing has 700 moves to make in a deal of Pirate
CORNER: Any = {"x": 10, "y": 18}  #: of a card in a fan: what the next one leaves open
#: where somebody clicks who takes the first thing that shines: what is chosen first, a card, a heap, the last button
AIM = """() => {
  const all = (which) => [...document.querySelectorAll(which)];
  const first = (...which) => which.map((one) => all(one).find((el) => el.getClientRects().length)).find(Boolean);
  if (all(".ending").length) return null;
  const asked = all("dialog[open]").length && first("dialog[open] .movelist button");
  const some = all(".hand button.chosen").length && all(".offers button.quiet").length;
  const chosen = some && first("[data-offer]", "[data-more]", ".hand .chosen.can");
  const goal = all(".column.goal button").at(-1);
  if (!document.querySelector(".live.turn")) return null;
  const shines = first(
    ".ladder .can", ".hand .can:not(.chosen)", ".own button.takes", "button.takes", ".spread .can", ".column .can");
  const el = asked || chosen || goal || shines || all("[data-offer]").at(-1) || first("[data-more]");
  if (!el) return null;
  const box = el.getBoundingClientRect();
  const at = el.matches(".card") ? [box.left + 10, box.top + 18] : [box.left + box.width / 2, box.top + box.height / 2];
  return el.contains(document.elementFromPoint(...at)) ? at : null;
}"""
CHOICES = {"speed": "instant", "name": "Ann", "coached": True, "drawer": True}


needed = needs("Chromium")


class Watched:
    """A page whose complaints are kept."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self.complaints: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on(
            "console",
            lambda message: self.complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def deal(self, game: str, **setup: Any) -> None:
        """Make a table of a game against bots, and sit at it with cards in hand."""
        body = {"game": game, "name": "Ann", "fill": "simple", **setup}
        made = self.page.request.post(
            self.url + "/api/tables", data=body
        ).json()  # by this person's cookie; quicker than a page to ask from
        assert "path" in made, made
        self.page.goto(self.url + made["path"])
        self.page.wait_for_selector(".live")

    @property
    def over(self) -> bool:
        """Whether the end of the deal is shown."""
        return bool(self.page.locator(".ending").count())

    def result(self) -> None:
        """Open the sheet of the deal, which is over."""
        self.page.locator(".actions").get_by_role("button", name="Result").click()
        self.page.wait_for_selector("dialog.sheet")

    def move(self, tap: bool = False) -> None:
        """One move, as a person makes it who takes the first that shines."""
        if at := self.page.evaluate(AIM):
            (self.page.touchscreen.tap if tap else self.page.mouse.click)(*at)

    def play_deal(self, tap: bool = False) -> None:
        """Play until the end of the deal is shown."""
        until = time.monotonic() + LONGEST_DEAL
        while not self.over:
            assert time.monotonic() < until, f"the deal does not end: {self.page.locator('.live').inner_text()}"
            self.move(tap)


@contextlib.contextmanager
def opened() -> Iterator[Any]:
    """A Chromium for the time of a run."""
    require("Chromium")
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as play:
        try:
            browser = play.chromium.launch(executable_path=chromium(), args=list(ARGS))
        except Error as error:
            pytest.fail(f"{chromium()} does not start: {str(error).splitlines()[0]}", pytrace=False)
        try:
            yield browser
        finally:
            browser.close()


def expect(locator: Any, message: str | None = None) -> Any:
    """What Playwright asserts of a locator, once it is true: a page may show it a moment later."""
    from playwright import sync_api

    sync_api.expect.set_options(timeout=PATIENCE)
    return sync_api.expect(locator, message)


def visitor(
    browser: Any, url: str, width: int = 1280, height: int = 800, chosen: dict[str, Any] | None = None, **more: Any
) -> Watched:
    """A person's page: a context of its own, so a person of its own. chosen: what they have set in the settings."""
    choices = json.dumps(CHOICES | (chosen or {}))
    context = browser.new_context(viewport={"width": width, "height": height}, **{"reduced_motion": "reduce"} | more)
    context.set_default_timeout(90_000)  # a server may still be compiling its games
    context.add_init_script(f"localStorage.getItem('cardtable') ?? localStorage.setItem('cardtable', {choices!r})")
    return Watched(context.new_page(), url)
