"""A real Chromium for the tests of the browser client, and hands that play by mouse, by touch and by keyboard."""

from __future__ import annotations

import contextlib
import functools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match, bot
from cardtable.rules.catalog import games
from tests.support.programs import chromium, needs, require

ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 60_000  #: milliseconds, for what happens at once on a machine that has nothing else to do
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
#: the page itself says what its security policy had to prevent: what browsers write of it has many words
POLICED = """document.addEventListener("securitypolicyviolation", (e) =>
  console.error(`security policy: ${e.violatedDirective} ${e.blockedURI}`));"""
CHOICES = {"speed": "instant", "name": "Ann", "coached": True, "drawer": True}


#: how a page can look: what a visitor's browser prefers, or what is set in the settings (`shown_in`)
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"color_scheme": "light", "forced_colors": "active"},
    "contrast": {"color_scheme": "light"},
}
#: house rules that keep a deal short
SHORT: dict[str, dict[str, Any]] = {"spider": {"move_cap": 100}, "pirate": {"stall": 60}}
AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"

FINGER = 44  #: pixels: the size of what can be pressed, or more in one direction where cards overlap
#: what can be pressed and where a finger reaches it: the pixels on which it is on top, from its middle outwards. Cards
#: that overlap or stand in the ten columns of Spider have the width that the screen leaves them; a link in a sentence
#: has the height of its line, and so has a term of the glossary.
REACHED = """(finger) => {
  const small = [];
  const all = "button, a[href], input, select, summary, [role=button]";
  for (const el of document.querySelectorAll(all)) {
    if (el.matches(".card, .skip, p a, .term") || el.closest("[inert]") || !el.getClientRects().length) continue;
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

#: whether a page has got what it waits for
DRAWN = """() => document.querySelector("#main, .live")?.innerText.trim() && !document.querySelector(".loading")
  && ![...document.querySelectorAll("[role=status]")].some((el) => el.innerText.trim().endsWith("…"))"""

needed = needs("Chromium")
VISITORS: list[Watched] = []  #: everybody who came during a test


def alone(game: str) -> dict[str, Any]:
    """Setup of a table against easy bots, as small as the game allows."""
    options = games()[game].options
    seats = options.seat_range[games()[game].presets[0]][0]
    return {"seats": seats, "bots": [""] + ["medium"] * (seats - 1), "options": SHORT.get(game, {})}


@functools.cache
def near_the_end(game: str, seats: int = 0, own: int = 3) -> dict[str, Any]:
    """Setup of a table against easy bots where a deal has `own` moves left for the person, if they play as bots do."""
    setup = alone(game)
    seats = seats or setup["seats"]
    m, player = Match(game, seats, seed=2, **setup["options"]), bot("medium", 1)
    while not m.over and m.deal == 1:
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    record = m.record()
    moves = [number for number, (seat, _) in enumerate(record.acts(1), 1) if seat == 0]
    starts = (record.before(1, number) for number in moves[: 1 - own][::-1])
    # what is forced is played at once, if it is to the end of the deal
    start = next(one for one in starts if (resumed := one.resumed()).actors and resumed.deal == 1)
    return {"bots": ["", *["medium"] * (seats - 1)], "start": str(start)}


@functools.cache
def late_in_a_match(game: str, own: int, **options: Any) -> dict[str, Any]:
    """Setup of a table against bots where a match has `own` moves left for the person, if they play as bots do; where
    it has fewer, the whole match.
    """
    setup = alone(game) | {"options": options}
    m, player = Match(game, setup["seats"], seed=2, **options), bot("medium", 1)
    while not m.over:
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    record = m.record()
    deals = range(1, m.deal + 1)
    acts = [(deal, number) for deal in deals for number, (seat, _) in enumerate(record.acts(deal), 1) if seat == 0]
    if own > len(acts):
        return setup
    # what is forced is played at once, if it is to the end of the deal
    start = next(one for one in (record.before(*act) for act in acts[-own:]) if one.resumed().actors)
    return {"bots": setup["bots"], "start": str(start)}


def type_card(page: Any, card: str) -> None:
    """Press the keys of a card (`2s`) at once, so that they count as typed however busy the machine is."""
    page.evaluate(
        "(keys) => keys.forEach((key) => document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))",
        list(card.lower().replace("t", "0")),
    )


def shown_in(page: Any, look: str) -> None:
    """Let a page look as somebody's browser or settings want it."""
    page.emulate_media(**{"forced_colors": "none"} | LOOKS[look])
    page.evaluate("(look) => (document.documentElement.dataset.look = look)", look if look == "contrast" else "auto")


def violations(page: Any, colours: bool = False, but: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds wrong on a page, except for some rules; only that which colours can change, if it was looked
    through before. The page's context has `bypass_csp`.
    """
    if not page.evaluate("!!window.axe"):
        page.evaluate(AXE.read_text("utf-8"))
    rules = {"runOnly": ["color-contrast", "link-in-text-block"]} if colours else {}
    options = rules | {"resultTypes": ["violations"], "rules": {rule: {"enabled": False} for rule in but}}
    rules_broken = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [
        f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in rules_broken
        for node in one["nodes"][:3]
    ]


def missed(page: Any) -> list[str]:
    """What can be pressed on a page, and is smaller than a finger."""
    small: list[str] = page.evaluate(REACHED, FINGER)
    return small


def violations_in_every_look(page: Any, but: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds wrong on a page as it is, whatever it looks like, except for some rules."""
    wrong = []
    for look in LOOKS:
        shown_in(page, look)
        wrong += [f"{look}: {one}" for one in violations(page, look != "light", but)]
    shown_in(page, "light")
    return wrong


class Watched:
    """A page whose complaints are kept; the fixture `browser` asserts that there are none after a test."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self.complaints: list[str] = []
        VISITORS.append(self)
        page.set_default_timeout(PATIENCE)
        page.add_init_script(POLICED)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("response", self._answered)
        page.on("requestfailed", self._failed)

    def _said(self, message: Any) -> None:
        """Keep what scripts of the page complain of; a browser's own advice has no arguments."""
        if message.type in ("error", "warning") and message.args:
            self.complaints.append(message.text)

    def _answered(self, answer: Any) -> None:
        if answer.status >= 400 and answer.url.startswith(self.url):
            self.complaints.append(f"status of {answer.status}: {answer.url}")

    def _failed(self, request: Any) -> None:
        """Keep what was asked of the server in vain; not what the page itself gave up, as when it is left."""
        if request.url.startswith(self.url) and "ABORTED" not in (request.failure or ""):
            self.complaints.append(f"{request.failure}: {request.url}")

    def table(self, game: str, **setup: Any) -> str:
        """The address of a new table of this person's, made without a page, which is quicker."""
        made = self.page.request.post(self.url + "/api/tables", data={"game": game, "name": "Ann", **setup}).json()
        assert "path" in made, made
        return str(self.url + made["path"])

    def deal(self, game: str, **setup: Any) -> None:
        """Make a table of a game against bots, and sit at it with cards in hand."""
        self.page.goto(self.table(game, **{"fill": "medium"} | setup))
        self.page.wait_for_selector(".live")

    def give_up(self) -> None:
        for name in ("Menu", "Give up", "Really give up?"):
            self.page.get_by_role("button", name=name, exact=True).click()

    def chooses(self, **choices: Any) -> None:
        """Change settings, as they are kept in the browser; a page sees them when it is loaded."""
        self.page.evaluate(
            "(more) => localStorage.setItem('cardtable', "
            "JSON.stringify({...JSON.parse(localStorage.getItem('cardtable')), ...more}))",
            choices,
        )

    @property
    def over(self) -> bool:
        return bool(self.page.locator(".ending").count())

    def result(self) -> None:
        """Wait for the result of a deal."""
        self.page.wait_for_selector(".ending")

    def move(self, tap: bool = False) -> None:
        """One move, as a person makes it who takes the first that shines."""
        if at := self.page.evaluate(AIM):
            (self.page.touchscreen.tap if tap else self.page.mouse.click)(*at)

    def play_deal(self, tap: bool = False) -> None:
        until = time.monotonic() + LONGEST_DEAL
        while not self.over:
            assert time.monotonic() < until, f"the deal does not end: {self.page.locator('.live').inner_text()}"
            self.page.wait_for_selector(".live.turn, .ending")
            self.move(tap)


@contextlib.contextmanager
def opened() -> Iterator[Any]:
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
    """A person's page: a separate context, so a separate person. chosen: what they have set in the settings."""
    choices = json.dumps(CHOICES | (chosen or {}))
    context = browser.new_context(viewport={"width": width, "height": height}, **{"reduced_motion": "reduce"} | more)
    context.set_default_timeout(90_000)  # a server may still be compiling its games
    context.add_init_script(f"localStorage.getItem('cardtable') ?? localStorage.setItem('cardtable', {choices!r})")
    return Watched(context.new_page(), url)
