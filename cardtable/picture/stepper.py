"""A match as one piece of HTML that needs no server: a picture, and buttons that show the others.

The pictures share their parts: what does not change from one move to the next is there once. Without its script, in a
viewer that runs none, the last picture remains.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape

from cardtable.base.languages import current, tr
from cardtable.picture import shapes
from cardtable.picture.scene import Scene
from cardtable.picture.shapes import moved
from cardtable.picture.table import ACROSS, Placed, cards_of, framed, heading, laid_out

MOST = 1_000_000  #: limit for the characters of all pictures; later moves are omitted


@dataclass(frozen=True)
class Step:
    """A moment of a match."""

    scene: Scene
    said: str  #: what has just happened, for people


def stepper(steps: Sequence[Step]) -> str:
    """The steps (at least one) as HTML to be put into a page. Texts are in the language of this process."""
    shared = _Parts()
    sizes: dict[str, tuple[float, float]] = {}
    for step in steps:
        for name, (wide, tall) in laid_out(step.scene).sizes.items():
            least = sizes.get(name, (0.0, 0.0))
            sizes[name] = (max(least[0], wide), max(least[1], tall))
    frames: list[list[list[float]]] = []
    tall = 0.0
    for step in steps:
        placed = laid_out(step.scene, sizes)
        if frames and shared.length + shared.cost(placed) > MOST:
            break
        frame = shared.frame(placed)
        frames.append(frame)
        tall = max(tall, placed.tall)
    shown = steps[: len(frames)]
    data = json.dumps(
        {"parts": shared.parts, "frames": frames, "said": [step.said for step in shown]},
        ensure_ascii=False,
        separators=(",", ":"),
    ).replace("</", "<\\/")  # so that no text in it can end the script
    name = "ct-" + sha256(data.encode()).hexdigest()[:12]
    cards = set().union(*(cards_of(step.scene) for step in shown))
    last = "".join(moved(shared.parts[int(part)], x, y) for x, y, part in frames[-1])
    picture = framed(shapes.symbols(cards), f"<g>{last}</g>", tall, heading(shown[-1].scene))
    missing = len(steps) - len(frames)
    more = f"<p>{escape(tr('{n} more {n:move|moves} left out', n=missing))}</p>" if missing else ""
    return (
        f'<div id="{name}" lang="{current().code}" style="max-width:{ACROSS}px">{picture}{_controls(len(frames))}'
        f"{more}<script>({_SCRIPT})(document.getElementById({json.dumps(name)}),{data})</script></div>"
    )


def page(steps: Sequence[Step], title: str) -> str:
    """The stepper as a separate page, which loads nothing."""
    return (
        f'<!doctype html>\n<html lang="{current().code}">\n<head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width"></head>\n'
        f'<body style="margin:1em;background:#fff">{stepper(steps)}</body>\n</html>\n'
    )


class _Parts:
    """The parts of pictures, each kept once."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0  #: of all of them, in characters, with the places of the frames
        self._numbers: dict[str, int] = {}

    def frame(self, placed: Placed) -> list[list[float]]:
        """A picture as places and numbers of parts."""
        return [[x, y, self._number(part)] for x, y, part in placed.pieces]

    def cost(self, placed: Placed) -> int:
        """How many characters a picture would add."""
        return sum(12 + (0 if part in self._numbers else len(part)) for _, _, part in placed.pieces)

    def _number(self, part: str) -> int:
        self.length += 12
        if part not in self._numbers:
            self._numbers[part] = len(self.parts)
            self.parts.append(part)
            self.length += len(part)
        return self._numbers[part]


def _controls(count: int) -> str:
    """Buttons, a slider and a caption; hidden until the script runs."""
    looks = 'style="font:16px sans-serif;padding:.3em .8em;margin-right:.3em"'
    buttons = "".join(
        f'<button type="button" {looks} data-go="{go}" aria-label="{escape(words)}" title="{escape(words)}">{sign}'
        "</button>"
        for go, words, sign in (
            ("first", tr("To the start"), "|◀&#xfe0e;"),
            ("back", tr("One move back"), "◀&#xfe0e;"),
            ("on", tr("One move on"), "▶&#xfe0e;"),
            ("last", tr("To the end"), "▶&#xfe0e;|"),
        )
    )
    slider = (
        f'<input type="range" min="0" max="{count - 1}" value="{count - 1}" aria-label="{escape(tr("Moves"))}" '
        'style="vertical-align:middle;width:16em;max-width:100%">'
    )
    return (
        f'<div hidden style="font:14px sans-serif;color:#000;background:#fff;padding:4px">{buttons}{slider}'
        '<p aria-live="polite" style="margin:.4em 0;min-height:1.3em"></p></div>'
    )


#: shows a frame: puts its parts into the picture, and updates the caption
_SCRIPT = """(root, {parts, frames, said}) => {
const find = (which) => root.querySelector(which), group = find("svg > g > g"), slider = find("input");
const show = (n) => {
slider.value = n = Math.max(0, Math.min(frames.length - 1, n));
group.innerHTML = frames[n].map(([x, y, k]) => `<g transform="translate(${x} ${y})">${parts[k]}</g>`).join("");
find("p").textContent = `${n} / ${frames.length - 1}: ${said[n]}`;
};
const go = { first: () => 0, back: () => +slider.value - 1, on: () => +slider.value + 1, last: () => Infinity };
for (const button of root.querySelectorAll("button")) button.onclick = () => show(go[button.dataset.go]());
slider.oninput = () => show(+slider.value);
find("div").hidden = false;
show(0);
}"""
