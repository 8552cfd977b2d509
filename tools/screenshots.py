"""Pictures of every game in the browser in seven states: docs/screenshots/<game>-<state>.webp.

Starts its own server on the loopback, with a temporary database. Needs Chromium, Playwright and Pillow. The
pictures are for people: no test compares them, because each version of a browser draws others.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]


SMALLER = 4  #: times
SHOWN = ("1280", "390")  #: states that pages show; the others are kept small


def kept(taken: bytes, state: str) -> Any:
    """A picture as it is kept."""
    from PIL import Image

    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    if state in SHOWN:
        return picture
    size = round(picture.width / SMALLER), round(picture.height / SMALLER)
    return picture.resize(size, Image.Resampling.BOX)


def main() -> int:
    """Take the pictures; return 0."""
    from cardtable.rules.catalog import games
    from tests.support import browser as chrome
    from tests.support.games.states import pictures
    from tests.support.server.served import served

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games by name; all, if none is named")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "screenshots")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        served(Path(place) / "tables.db") as server,
        chrome.opened() as browser,
    ):
        for name in given.games or games():
            for state, taken in pictures(browser, server.url, games()[name]):
                kept(taken, state).save(given.to / f"{name}-{state}.webp", quality=78, method=6)
            print(f"{name}: done", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
