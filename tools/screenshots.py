"""Pictures of every game in the browser, in mid-deal: docs/screenshots/<game>-1280.webp and -390.webp,
and one game in the dark.

Starts a server of its own on the loopback, with a temporary database. Needs Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

SIZES = ((1280, 800), (390, 844))


def picture(
    browser: Any, url: str, game: Any, width: int, height: int, moves: int, target: Path, **look: Any
) -> list[str]:
    """Play some moves of a game and take its picture when it is our turn. Return the errors on the console."""
    import browser as chrome

    seats = game.options.seat_range[game.presets[0]]
    players = max(seats[0], min(game.as_dict()["best"][0], seats[1]))
    complaints: list[str] = []
    for number in range(20):  # numbered deals, so that every run has the same hands
        page = chrome.visitor(browser, url, width, height, has_touch=width < 600, **look)
        page.deal(game.name, seats=players, bots=["", *["simple"] * (players - 1)], number=f"{game.name} {number}")
        for _ in range(moves):
            page.page.wait_for_selector(".live.turn, .ending")
            page.move()
            page.page.wait_for_timeout(250)
        page.page.wait_for_selector(".live.turn, .ending")
        done = not page.over and not page.page.locator("dialog[open]").count()
        if done:
            page.page.mouse.move(1, 1)
            page.page.keyboard.press("Escape")
            page.page.wait_for_timeout(2500)  # what has just been paid, and a trick, are shown for a while
            shot(page.page, target)
        complaints += page.complaints
        page.page.context.close()
        if done:
            return complaints
        moves = max(1, moves - 1)
    return [*complaints, f"{game.name}: no deal in which it is our turn after {moves} moves"]


def shot(page: Any, target: Path) -> None:
    """A picture, as WebP (which Chromium writes itself, a tenth of a PNG) or as the target's name says."""
    if target.suffix == ".png":
        page.screenshot(path=str(target))
        return
    devtools = page.context.new_cdp_session(page)
    taken = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": 78})
    target.write_bytes(base64.b64decode(taken["data"]))


def main() -> int:
    """Take the pictures; return 0 if no page had errors."""
    import browser as chrome
    from served import served

    from cardtable.catalog import games

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games by name; all, if none is named")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "screenshots")
    parser.add_argument("--moves", type=int, default=4)
    parser.add_argument("--format", choices=("webp", "png"), default="webp")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    complaints: list[str] = []
    with (
        tempfile.TemporaryDirectory() as place,
        served(Path(place) / "tables.db") as server,
        chrome.opened() as browser,
    ):
        for name, game in games().items():
            if given.games and name not in given.games:
                continue
            for width, height in SIZES:
                complaints += picture(
                    browser, server.url, game, width, height, given.moves, given.to / f"{name}-{width}.{given.format}"
                )
                if name == "fan-tan":
                    dark = given.to / f"{name}-{width}-dark.{given.format}"
                    complaints += picture(
                        browser, server.url, game, width, height, given.moves, dark, color_scheme="dark"
                    )
    print("\n".join(complaints) or f"pictures are in {given.to}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
