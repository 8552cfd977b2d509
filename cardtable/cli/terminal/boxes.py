"""Cards drawn as boxes, where the screen has room for them: side by side, or one over the other as in a fan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

FULL, COVERED = 5, 4  #: columns of a card, and of one that the next card covers in part
MOST_ROWS = 2  #: rows of boxes; more cards are written as text
READY = "▴"  #: at the top of a card that can be played


@dataclass(frozen=True)
class Box:
    """A card in a box. `face`: its symbol; `stop`: the style of its place; `under`: a text below it."""

    face: Text
    ready: bool = False
    stop: Style | None = None
    under: str = ""


def rows(boxes: Sequence[Box], width: int) -> list[Text] | None:
    """The lines of some cards, within a width; None if they do not fit.

    They lie side by side if one row is enough for that; else each covers a part of the one before, in as few rows as
    possible.
    """
    if not boxes:
        return []
    if max([FULL, *(len(box.under) + 1 for box in boxes)]) * len(boxes) <= width:
        return _row(boxes, FULL)
    fits = (width - FULL) // COVERED + 1
    if fits < 1 or len(boxes) > fits * MOST_ROWS or any(box.under for box in boxes):
        return None
    count = -(-len(boxes) // fits)
    each = -(-len(boxes) // count)
    return [line for i in range(0, len(boxes), each) for line in _row(boxes[i : i + each], COVERED)]


def _row(boxes: Sequence[Box], step: int) -> list[Text]:
    """Three lines, and a fourth with what stands below the cards."""
    top, middle, bottom, under = Text(), Text(), Text(), Text()
    for i, box in enumerate(boxes):
        whole = step == FULL or i == len(boxes) - 1
        room = max(FULL, len(box.under) + 1) if step == FULL else 0
        edge = "" if box.ready else "dim"
        parts = (
            Text(f"╭─{READY if box.ready else '─'}─╮"[: None if whole else COVERED], style=edge),
            Text("│", style=edge).append_text(_centred(box.face)).append("│" if whole else "", style=edge),
            Text(f"╰───{'╯' if whole else ''}", style=edge),
        )
        for line, part in zip((top, middle, bottom), parts, strict=True):
            if box.stop:
                part.stylize(box.stop)
            line.append_text(part).append(" " * max(0, room - len(part)))
        under.append(f"{box.under:<{room}}" if room else "")
    return [top, middle, bottom, *([under] if under.plain.strip() else [])]


def _centred(face: Text) -> Text:
    """A card's symbol in three columns."""
    before = (FULL - 2 - len(face)) // 2
    return Text(" " * before).append_text(face).append(" " * (FULL - 2 - len(face) - before))
