"""The icons of the installed web app, drawn from cardtable/web/icon.svg: web/icons/192.png, 512.png, touch.png and
maskable.png. Needs Chromium, Playwright and Pillow.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

WEB = ROOT / "cardtable" / "web"
#: file: its size, the part of it that the drawing takes, and the colour around it. Systems cut a maskable icon to a
#: circle of four fifths of its size, and give the corners of a touch icon their own shape.
ICONS = {
    "192": (192, 1.0, "transparent"),
    "512": (512, 1.0, "transparent"),
    "maskable": (512, 0.8, "#1f5c46"),
    "touch": (180, 0.9, "#1f5c46"),
}
COLOURS = 6  #: of a picture, at most: edges have few shades between, and a pixel takes four bits


def small(taken: bytes) -> bytes:
    """A picture as PNG with few colours: a pixel of a rare one gets the nearest of the remaining colours."""
    from PIL import Image

    picture = Image.open(io.BytesIO(taken))
    whole, size = picture.tobytes(), len(picture.getbands())
    pixels = [whole[at : at + size] for at in range(0, len(whole), size)]
    counted = Counter(pixels).most_common()
    palette = [colour for colour, _ in counted[:COLOURS]]
    numbers = {colour: number for number, colour in enumerate(palette)}
    for colour, _ in counted[COLOURS:]:
        nearest = min(palette, key=lambda one: sum((a - b) ** 2 for a, b in zip(colour, one, strict=True)))
        numbers[colour] = numbers[nearest]
    drawn = Image.frombytes("P", picture.size, bytes(numbers[pixel] for pixel in pixels))
    drawn.putpalette(b"".join(palette), picture.mode)
    into = io.BytesIO()
    drawn.save(into, "PNG", optimize=True)
    return into.getvalue()


def main() -> int:
    """Draw them."""
    from tests.support import browser as chrome

    drawing = (WEB / "icon.svg").read_text("utf-8")
    with chrome.opened() as browser:
        for name, (size, part, colour) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            style = f"margin:0;height:100vh;display:grid;place-items:center;background:{colour}"
            inner = drawing.replace("<svg ", f'<svg width="{size * part}" height="{size * part}" ', 1)
            page.set_content(f'<body style="{style}">{inner}')
            (WEB / "icons" / f"{name}.png").write_bytes(small(page.screenshot(omit_background=True)))
            page.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
