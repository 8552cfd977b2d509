"""The icons of the installed web app, drawn from cardtable/server/web/icon.svg: web/icons/192.png, 512.png, touch.png
and maskable.png. Needs Chromium, Playwright and Pillow.

They are flat drawings, so a palette of 64 colours shows them as they are in a third of the bytes.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

COLOURS = 64
WEB = ROOT / "cardtable" / "server" / "web"
#: file: its size, the part of it that the drawing takes, and the colour around it. Systems cut a maskable icon to a
#: circle of four fifths of its size, and give the corners of a touch icon their own shape.
ICONS = {
    "192": (192, 1.0, "transparent"),
    "512": (512, 1.0, "transparent"),
    "maskable": (512, 0.8, "#1f5c46"),
    "touch": (180, 0.9, "#1f5c46"),
}


def main() -> int:
    """Draw them."""
    from PIL import Image

    from tests.support import browser as chrome

    drawing = (WEB / "icon.svg").read_text("utf-8")
    with chrome.opened() as browser:
        for name, (size, part, colour) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            style = f"margin:0;height:100vh;display:grid;place-items:center;background:{colour}"
            inner = drawing.replace("<svg ", f'<svg width="{size * part}" height="{size * part}" ', 1)
            page.set_content(f'<body style="{style}">{inner}')
            shot = page.screenshot(omit_background=True)
            page.close()
            picture = Image.open(io.BytesIO(shot)).convert("RGBA")
            small = picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
            small.save(WEB / "icons" / f"{name}.png", optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
