"""How long until the first card is on the screen, and how large the browser client is.

Starts `cardtable serve` in a process of its own, opens its address in Chromium, clicks on "Play now" and waits for a
card in the hand: with a warm cache of compiled rules (`--cold`: with an empty one). Needs Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from serving import serving

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "cardtable" / "web"
sys.path.insert(0, str(ROOT))


def sizes() -> dict[str, int]:
    """Bytes of the client's files, gzipped: the court cards, and all the others."""
    found = {"assets": 0, "courts": 0}
    for path in WEB.rglob("*"):
        if path.is_file():
            found["courts" if path.parent.name == "cards" else "assets"] += len(gzip.compress(path.read_bytes(), 6))
    return found


def seconds(browser: Any, game: str, cache: str | None) -> dict[str, float]:
    """The times of one start, in seconds."""
    from tests.support import browser as chrome

    begun = time.perf_counter()
    with serving(**({"CARDTABLE_CACHE": cache} if cache else {})) as url:
        answers = time.perf_counter() - begun
        page = chrome.visitor(browser, url).page
        begun = time.perf_counter()
        page.goto(f"{url}/", wait_until="commit")
        page.get_by_role("button", name=f"Play now: {game}", exact=True).click()
        shown = time.perf_counter() - begun
        page.wait_for_selector(".hand button.card")
        card = time.perf_counter() - begun
        page.wait_for_selector(".live.turn")
        turn = time.perf_counter() - begun
        page.context.close()
    return {"server answers": answers, "first page, clicked": shown, "first card": card, "our turn": turn}


def main() -> None:
    """Print the figures."""
    from tests.support import browser as chrome

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="Fan Tan", help="its title")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--cold", action="store_true", help="with an empty cache: the rules are compiled first")
    given = parser.parse_args()
    print(", ".join(f"{name} {size / 1000:.1f} kB gzipped" for name, size in sizes().items()))
    with chrome.opened() as browser:
        for _ in range(given.times):
            with tempfile.TemporaryDirectory() as empty:
                print(
                    ", ".join(
                        f"{name} {took:.2f} s"
                        for name, took in seconds(browser, given.game, empty if given.cold else None).items()
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    main()
