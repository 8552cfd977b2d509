"""The pieces of a picture: cards, backs, empty places and lines of text, as SVG.

Everything is in pixels. Looks are attributes of the elements, not rules of a style sheet, so a picture within a page
changes nothing around it and needs nothing from it. Cards are symbols that are defined once in a picture (`symbols`)
and used by their text, which keeps pictures small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from cardtable.base.types import CardText

WIDE, TALL = 46, 64  #: a card
STRIP = 26  #: visible part of a covered card: its index
BENEATH, BACK_BENEATH = 25, 9  #: how much can be seen above the one on it: of a face, of a back
TEXT, SMALL = 14, 12  #: sizes of letters
INK, RED, PALE = "#000", "#b00018", "#666"
FONT = "'DejaVu Sans',Verdana,Arial,sans-serif"

#: suits in a box of 20 × 20
SUITS = {
    "S": "M10 1C12 5 18 8 18 12.5a3.8 3.8 0 0 1-6.8 2.3c.2 2 .9 3.2 2.3 4.2h-7"
    "c1.4-1 2.1-2.2 2.3-4.2A3.8 3.8 0 0 1 2 12.5C2 8 8 5 10 1z",
    "H": "M10 18.5C8 15 1.5 11.5 1.5 6.5a4.6 4.6 0 0 1 8.5-2.3 4.6 4.6 0 0 1 8.5 2.3c0 5-6.5 8.5-8.5 12z",
    "D": "M10 1C11.8 4.5 14.5 7.8 17 10c-2.5 2.2-5.2 5.5-7 9-1.8-3.5-4.5-6.8-7-9 2.5-2.2 5.2-5.5 7-9z",
    "C": "M10 1.2a4.1 4.1 0 0 1 3.4 6.5 4.2 4.2 0 1 1-2.5 7c.2 1.9.9 3.3 2.3 4.3H6.8"
    "c1.4-1 2.1-2.4 2.3-4.3a4.2 4.2 0 1 1-2.5-7A4.1 4.1 0 0 1 10 1.2z",
}
BACK = "back"  #: the name of a face-down card's symbol
_NARROW, _WIDEST = frozenset("fijlrtI.,:;'|!()[] ·"), frozenset("mwMW%…—→")


@dataclass(frozen=True)
class Piece:
    """Something drawn, with its upper left corner at 0, 0."""

    wide: float
    tall: float
    drawn: str


def width(words: str, size: float = TEXT, bold: bool = False) -> float:
    """How wide a text is at most, in the fonts that pictures ask for: the widest of them is DejaVu Sans."""
    units = sum(
        0.42
        if letter in _NARROW
        else 1.0
        if letter in _WIDEST or ord(letter) > 0x2000
        else 0.78
        if letter.isupper()
        else 0.64
        for letter in words
    )
    return units * size * (1.12 if bold else 1.0)


def wrapped(words: str, most: float, size: float = TEXT) -> list[str]:
    """A text in lines that are at most so wide, as far as its words are."""
    rows: list[str] = []
    for word in words.split():
        if rows and width(f"{rows[-1]} {word}", size) <= most:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows


def label(
    x: float, y: float, words: str, size: float = TEXT, *, bold: bool = False, ink: str = INK, middle: bool = False
) -> str:
    """A line of text. y: of its base line; middle: x is the middle of the line, not its beginning."""
    looks = ' font-weight="bold"' * bold + ' text-anchor="middle"' * middle + (f' fill="{ink}"' if ink != INK else "")
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}"{looks}>{escape(words, quote=False)}</text>'


def lines(words: str, most: float, size: float = SMALL) -> Piece:
    """A text in lines, one below the other."""
    rows = wrapped(words, most, size)
    step = size + 4
    drawn = "".join(label(0, step * k + size, line, size) for k, line in enumerate(rows))
    return Piece(max((width(line, size) for line in rows), default=0.0), step * len(rows), drawn)


def moved(piece: Piece | str, x: float, y: float) -> str:
    """A piece at another place."""
    drawn = piece.drawn if isinstance(piece, Piece) else piece
    return f'<g transform="translate({x:g} {y:g})">{drawn}</g>' if drawn and (x or y) else drawn


def card(x: float, y: float, text: CardText | None) -> str:
    """A card; None: face down."""
    return f'<use href="#ct-{text or BACK}" x="{x:g}" y="{y:g}"/>'


def place(x: float, y: float, due: CardText = "") -> str:
    """An empty place for a card, with a broken line around it. due: the card that is expected there."""
    around = (
        f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{WIDE - 2}" height="{TALL - 2}" rx="5" fill="none" stroke="{PALE}" '
        f'stroke-dasharray="4 4"/>'
    )
    return around + (f'<g transform="translate({x:g} {y:g})">{_index(due)}</g>' if due else "")


def suit_mark(x: float, y: float, suit: str, size: float) -> str:
    """A suit symbol."""
    return f'<use href="#ct-suit-{suit}" transform="translate({x:g} {y:g}) scale({size / 20:g})"/>'


def fan(cards: Sequence[CardText | None], most: float, step: int = STRIP, raised: Iterable[CardText] = ()) -> Piece:
    """Cards side by side, each covering the one before except for `step`, in as many lines as are needed.

    raised: the cards that stand out a little.
    """
    if not cards:
        return Piece(WIDE, TALL, place(0, 0))
    room, out = max(1, int((most - WIDE) // step) + 1), set(raised)
    head = 10 if out else 0
    drawn = "".join(
        card(step * (k % room), (TALL + head + 6) * (k // room) + (0 if each in out else head), each)
        for k, each in enumerate(cards)
    )
    count = (len(cards) - 1) // room + 1
    return Piece(WIDE + step * (min(len(cards), room) - 1), (TALL + head) * count + 6 * (count - 1), drawn)


def column(cards: Sequence[CardText | None]) -> Piece:
    """Cards one below the other, each covering the one before except for its index."""
    if not cards:
        return Piece(WIDE, TALL, place(0, 0))
    y, drawn = 0, list[str]()
    for each in cards:
        drawn.append(card(0, y, each))
        y += BENEATH if each else BACK_BENEATH
    last = BENEATH if cards[-1] else BACK_BENEATH
    return Piece(WIDE, y - last + TALL, "".join(drawn))


def symbols(cards: Iterable[CardText | None]) -> str:
    """The definitions of these cards and of the suits, to stand once in a picture."""
    suits = "".join(
        f'<path id="ct-suit-{suit}" d="{shape}" fill="{RED if suit in "HD" else INK}"/>'
        for suit, shape in SUITS.items()
    )
    return suits + "".join(
        f'<g id="ct-{each or BACK}">{_face(each) if each else _BACK}</g>'
        for each in sorted(set(cards), key=lambda each: each or "")
    )


_PAPER = f'<rect x=".5" y=".5" width="{WIDE - 1}" height="{TALL - 1}" rx="5" fill="#fff" stroke="#333"/>'
_BACK = (
    _PAPER + f'<rect x="4" y="4" width="{WIDE - 8}" height="{TALL - 8}" rx="3" fill="#cfd8e6" stroke="#333"/>'
    '<path d="M4 18 18 4M4 32 32 4M4 46 42 8M4 60 42 22M14 60 42 36M28 60 42 50M4 46 18 60M4 32 32 60M4 18 42 56'
    'M4 4 42 42M18 4 42 28M32 4 42 14" stroke="#333" stroke-width=".8" fill="none"/>'
)


def _index(text: CardText) -> str:
    """The rank, with the suit below it and to its right, so that it can be read from either side."""
    if text[0] == "X":
        return label(5, 18, "★", 16) + label(5, 36, text[1], 14, bold=True)
    rank, suit = text[0].replace("T", "10"), text[1]
    ink = RED if suit in "HD" else INK
    return label(3, 18, rank, 15, bold=True, ink=ink) + suit_mark(6, 26, suit, 13) + suit_mark(29, 6, suit, 13)


def _face(text: CardText) -> str:
    if text[0] == "X":
        return _PAPER + _index(text) + label(30, 54, "★", 24, middle=True)
    return _PAPER + _index(text) + suit_mark(20, 37, text[1], 23)
