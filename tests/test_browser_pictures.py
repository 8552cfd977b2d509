"""Every game looks as in docs/screenshots/, in eight states; `python tools/screenshots.py` takes the pictures anew."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import browser as chrome
import pytest
from commands import ROOT
from programs import needs
from served import Served
from states import STATES, apart, pictures

from cardtable.catalog import games

pytestmark = [chrome.needed, needs("Pillow"), pytest.mark.exhaustive]
PLACE = ROOT / "docs" / "screenshots"
#: the share of a picture that may differ: faces of players, a card more in the log, another version of Chromium
TOLERANCE = 0.02


@pytest.mark.parametrize("name", games())
def test_a_game_looks_as_it_did(browser: Any, server: Served, name: str, tmp_path: Path) -> None:
    seen, differ = [], []
    for state, taken in pictures(browser, server.url, games()[name]):
        seen.append(state)
        share = apart(taken, (PLACE / f"{name}-{state}.webp").read_bytes())
        if share > TOLERANCE:
            kept = tmp_path / f"{name}-{state}.png"
            kept.write_bytes(taken)
            differ.append(f"{state}: {share:.1%} differs, see {kept}")
    assert tuple(seen) == STATES
    assert not differ, "\n".join(differ)


def test_what_has_moved_is_noticed() -> None:
    """A card of the hand that lies elsewhere, and a panel of another colour; not the noise of a lossy picture."""
    from PIL import Image, ImageDraw

    before = Image.open(PLACE / "fan-tan-1280.webp").convert("RGB")
    card = before.crop((140, 580, 260, 720))
    moved = before.copy()
    moved.paste(card, (500, 350))
    panel = before.copy()
    ImageDraw.Draw(panel).rectangle((980, 50, 1279, 300), fill=(255, 255, 255))
    noise = io.BytesIO()
    before.save(noise, "WEBP", quality=60)
    assert apart(data(moved), data(before)) > TOLERANCE / 2
    assert apart(data(panel), data(before)) > TOLERANCE
    assert apart(noise.getvalue(), data(before)) < TOLERANCE / 10
    assert apart(data(before.crop((0, 0, 640, 800))), data(before)) == 1.0


def data(picture: Any) -> bytes:
    """A picture as PNG."""
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
