"""Short films of a deal in the browser, made from frames: docs/films/<game>.webp, animated pictures in WebP.

Somebody plays the first card that shines every few seconds, at the normal speed and with motion; the film ends some
seconds after the deal. Starts its own server. Needs Chromium, Playwright and Pillow.
"""

from __future__ import annotations

import argparse
import base64
import bisect
import io
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

SIZE = 1120, 700
WIDTH = 800  #: of the film, in pixels
RATE = 10  #: frames a second
PAUSE = 1.2  #: seconds before each move of the player
AFTER = 6.0  #: seconds of film after the end of the deal
GAMES = {"fan-tan": 4, "scopa": 2}  #: and the number of seats
LONGEST = 75.0  #: seconds


class Film:
    """The frames of a page while something happens in it."""

    def __init__(self, page: Any) -> None:
        self.frames: list[tuple[float, bytes]] = []
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.on("Page.screencastFrame", self._keep)
        self._devtools.send("Page.startScreencast", {"format": "jpeg", "quality": 92})

    def _keep(self, event: dict[str, Any]) -> None:
        """A frame came: Chromium sends one whenever something has changed."""
        self.frames.append((event["metadata"]["timestamp"], base64.b64decode(event["data"])))
        self._devtools.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    def save(self, target: Path) -> None:
        """As an animated picture with `RATE` frames a second; frames that are the same become one longer one."""
        from PIL import Image

        begun = [at for at, _ in self.frames]
        ticks = (begun[0] + n / RATE for n in range(int((time.time() - begun[0]) * RATE)))
        shown = Counter(bisect.bisect_right(begun, at) - 1 for at in ticks)
        times = [1000 // RATE * count for count in shown.values()]
        images = [Image.open(io.BytesIO(self.frames[k][1])).convert("RGB") for k in shown]
        images = [image.resize((WIDTH, round(image.height * WIDTH / image.width))) for image in images]
        how: dict[str, Any] = {"duration": times, "loop": 0, "quality": 55, "method": 4, "minimize_size": True}
        images[0].save(target, save_all=True, append_images=images[1:], **how)


def filmed(browser: Any, url: str, game: str, seats: int, target: Path) -> None:
    """Play a deal, and keep its film."""
    from tests.support import browser as chrome

    settings = {"speed": "normal", "drawer": False}
    one = chrome.visitor(browser, url, *SIZE, settings, reduced_motion="no-preference")
    film = Film(one.page)
    one.deal(game, seats=seats, bots=["", *["medium"] * (seats - 1)], number=f"{game} film")
    until = time.monotonic() + LONGEST
    while not one.over and time.monotonic() < until:
        one.page.wait_for_timeout(1000 * PAUSE)
        one.move()
    one.page.mouse.move(1, 1)
    one.page.wait_for_timeout(1000 * AFTER)
    film.save(target)
    assert one.complaints == []
    one.page.context.close()


def main() -> int:
    """Make the films; return 0."""
    from tests.support import browser as chrome
    from tests.support.server.served import served

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=(*GAMES, []), help="games by name; all, if none is named")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "films")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        served(Path(place) / "tables.db", bot_pace=1.0, bot_least=0.7, beat=0.7) as server,
        chrome.opened() as browser,
    ):
        for game in given.games or GAMES:
            target = given.to / f"{game}.webp"
            filmed(browser, server.url, game, GAMES[game], target)
            print(f"{target}: {target.stat().st_size // 1024} KB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
