"""Parts of the full screen: lines of text in which places can be chosen, by keys and by mouse."""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.style import Style
from rich.text import Text
from textual import events
from textual.widget import Widget

from cardtable.cli.terminal.screen import STOP, Look, Screen

CURSOR = Style(reverse=True, bold=True)
PICKED = Style(underline=True, bold=True)


class GatheredLines(Screen):
    """A screen that gathers lines instead of printing them."""

    def __init__(self, names: Sequence[str], look: Look, width: int) -> None:
        super().__init__(Console(file=io.StringIO(), width=width, highlight=False), names, look)
        self._plain = False
        self.lines: list[Text] = []

    def add(self, line: Text) -> None:
        """Write a line as it is."""
        self._line(line)

    def _line(self, line: Text, style: str = "") -> None:
        line.rstrip()
        if style:
            line.stylize(style)
        self.lines.append(line)


@dataclass(frozen=True)
class ScreenPlace:
    """Where something can be chosen: from one column of a line to another."""

    key: Hashable
    line: int
    left: int
    right: int


class Field(Widget):
    """Lines of text with places in them.

    `chosen` is called with the key of a place that is clicked.
    """

    def __init__(self, chosen: Callable[[Hashable], None] | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._chosen = chosen
        self.lines: list[Text] = []
        self.places: list[ScreenPlace] = []

    def show(self, lines: Sequence[Text]) -> None:
        """Show other lines."""
        self.lines = list(lines)
        self.places = [place for number, line in enumerate(self.lines) for place in _places(line, number)]
        self.refresh(layout=True)

    def mark(self, cursor: Hashable | None, picked: Sequence[Hashable] = ()) -> None:
        """Show where the cursor is, and what has been chosen."""
        self._cursor, self._picked = cursor, set(picked)
        self.refresh()

    _cursor: Hashable | None = None
    _picked: set[Hashable] = set()

    def rows(self, reachable: Callable[[Hashable], bool]) -> list[list[ScreenPlace]]:
        """The places that can be reached, line by line; one on several lines, as a box is, stands on its first."""
        lines: dict[int, list[ScreenPlace]] = {}
        keys: set[Hashable] = set()
        for place in self.places:
            if place.key not in keys and reachable(place.key):
                keys.add(place.key)
                lines.setdefault(place.line, []).append(place)
        return [lines[line] for line in sorted(lines)]

    def render(self) -> Text:
        """The lines, as Textual shows them."""
        shown = [line.copy() for line in self.lines]
        for place in self.places:
            if place.key in self._picked:
                shown[place.line].stylize(PICKED, place.left, place.right)
            if place.key == self._cursor:
                shown[place.line].stylize(CURSOR, place.left, place.right)
        whole = Text("\n").join(shown)
        whole.no_wrap, whole.overflow = True, "crop"
        return whole

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """The number of lines."""
        return len(self.lines)

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked item."""
        at = event.get_content_offset(self)
        if at is None or self._chosen is None:
            return
        for place in self.places:
            if place.line == at.y and place.left <= at.x < place.right:
                event.stop()
                self._chosen(place.key)
                return


def _places(line: Text, number: int) -> list[ScreenPlace]:
    """The places in a line; spans of one place that touch are one."""
    places: list[ScreenPlace] = []
    for span in line.spans:
        if isinstance(span.style, Style) and STOP in span.style.meta and span.end > span.start:
            places.append(ScreenPlace(span.style.meta[STOP], number, span.start, span.end))
    return sorted(places, key=lambda place: place.left)


def moved(rows: Sequence[Sequence[ScreenPlace]], key: Hashable, where: str) -> Hashable:
    """The place next to one in a direction (left, right, up, down); the first one if that one is not there."""
    if not rows:
        return None
    at = next(((r, c) for r, row in enumerate(rows) for c, place in enumerate(row) if place.key == key), None)
    if at is None:
        return rows[0][0].key
    if where in ("left", "right"):
        flat = [place.key for row in rows for place in row]
        return flat[(flat.index(key) + (1 if where == "right" else -1)) % len(flat)]
    place, row = rows[at[0]][at[1]], rows[(at[0] + (1 if where == "down" else -1)) % len(rows)]
    middle = place.left + place.right
    return min(row, key=lambda other: abs(other.left + other.right - middle)).key


def stop(text: Text, key: Hashable) -> Text:
    """A text that can be chosen."""
    text.stylize(Style(meta={STOP: key}))
    return text
