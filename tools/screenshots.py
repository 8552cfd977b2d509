"""Pictures of every game in the browser, in mid-deal: docs/screenshots/<game>-1280.png and -390.png.

Starts a server of its own on the loopback, over a database that is thrown away. Needs Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

SIZES = ((1280, 800), (390, 844))


def picture(browser: Any, url: str, game: Any, width: int, height: int, moves: int, target: Path) -> list[str]:
    """Play some moves of a game and take its picture when it is our turn. Returns what the console complained of."""
    import browser as chrome

    seats = game.options.seat_range[game.presets[0]]
    players = max(seats[0], min(game.as_dict()["best"][0], seats[1]))
    page = chrome.visitor(browser, url, width, height, has_touch=width < 600)
    page.deal(game.name, seats=players, bots=["", *["simple"] * (players - 1)])
    for _ in range(moves):
        page.page.wait_for_selector(".live.turn, dialog.sheet")
        if page.over:
            break
        page.move()
        page.page.wait_for_timeout(300)
    if page.over:
        page.page.keyboard.press("Escape")
    else:
        page.page.wait_for_selector(".live.turn, dialog.sheet")
    page.page.mouse.move(1, 1)
    page.page.wait_for_timeout(1500)
    page.page.screenshot(path=str(target))
    page.page.context.close()
    return page.complaints


def main() -> int:
    """0 if no page complained."""
    import browser as chrome
    from served import served

    from cardtable.catalog import games

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games by name; all, if none is named")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "screenshots")
    parser.add_argument("--moves", type=int, default=5)
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as place, served(Path(place) / "tables.db") as server, chrome.opened() as browser:
        for name, game in games().items():
            if given.games and name not in given.games:
                continue
            for width, height in SIZES:
                complaints += picture(browser, server.url, game, width, height, given.moves, given.to / f"{name}-{width}.png")
    print("\n".join(complaints) or f"pictures are in {given.to}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
