"""What is wrong with the boxes of a drawn table, as boxes.js measures them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: phones, tablets and screens; the last is 1280 x 800 at 200%
SIZES = ((320, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080), (640, 400))
_BOXES = (Path(__file__).parent / "boxes.js").read_text("utf-8")
#: what a page needs to draw itself again in a new size, and to lay it out
_DRAWN = """async () => {
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
  const ends = (one) => one.effect.getTiming().iterations !== Infinity;
  await Promise.all(document.getAnimations().filter(ends).map((one) => one.finished.catch(() => 0)));
}"""


def faults(page: Any, moment: str = "", sizes: Sequence[tuple[int, int]] = ()) -> list[str]:
    """What is wrong with a page in windows of some sizes; without any, in the window that it has.

    moment: at the beginning of each fault.
    """
    found = []
    now = page.viewport_size
    for width, height in sizes or [(now["width"], now["height"])]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(_DRAWN)
        found += [f"{moment}, {width} x {height}: {fault}" for fault in page.evaluate(_BOXES)]
    return found
