"""A scene as a picture: the other seats at the top, shared zones in the middle, the viewer's own cards at the bottom.

With all hands open there is no viewer, and the seats come after the middle. Widths are fixed, heights depend on the
cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from cardtable.base.cards import card_symbol, parse_card
from cardtable.base.languages import current
from cardtable.base.message import Card, Message, Reader, Seat, Sentence, Value
from cardtable.base.types import CardText
from cardtable.picture import shapes
from cardtable.picture.scene import Scene
from cardtable.picture.shapes import SMALL, STRIP, TALL, TEXT, WIDE, Piece, label, lines, moved, place, width
from cardtable.rules.zones import Actions, Column, Fact, Hand, Pile, Pot, Row, Score, Stock, Trick, Zone, labelled

ACROSS, EDGE, GAP, PAD = 800, 12, 10, 8  #: pixels: a picture, its margin, between pieces, within a panel
LEAST = 130  #: the least room for the text of a zone
SUIT_STEP = WIDE + 3  #: from one card of a suit's row to the next

Sizes = Mapping[str, tuple[float, float]]  #: the least width and height of pieces, by name


@dataclass
class Placed:
    """A picture as pieces with their places, so that pictures which differ little can share them."""

    tall: float
    pieces: list[tuple[float, float, str]] = field(default_factory=list)
    sizes: dict[str, tuple[float, float]] = field(default_factory=dict)  #: of each piece on its own


def svg(scene: Scene) -> str:
    """The scene as a complete SVG document, with a text alternative, in the language of this process."""
    placed = laid_out(scene)
    drawn = "".join(moved(piece, x, y) for x, y, piece in placed.pieces)
    description = escape(told_in_words(scene), quote=False)
    return framed(shapes.symbols(cards_of(scene)), drawn, placed.tall, heading(scene), f"<desc>{description}</desc>")


def framed(symbols: str, drawn: str, tall: float, title: str, more: str = "") -> str:
    """An SVG document around a drawing. more: elements that describe it."""
    name = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{name}" viewBox="0 0 {ACROSS} {tall:g}" '
        f'width="{ACROSS}" height="{tall:g}" style="max-width:100%;height:auto"><title>{name}</title>{more}'
        f'<defs>{symbols}</defs><rect width="{ACROSS}" height="{tall:g}" fill="#fff"/>'
        f'<g font-family="{shapes.FONT}" fill="{shapes.INK}">{drawn}</g></svg>'
    )


def heading(scene: Scene) -> str:
    """The match and the deal in a line."""
    message = Message(
        "{title} · {deal} · dealer: {seat}",
        title=Message(scene.title),
        deal=Message("deal {n}", n=scene.deal),
        seat=Seat(scene.dealer),
    )
    return _said(scene, message)


def turn(scene: Scene) -> str:
    """Whose turn it is."""
    if not scene.actors:
        return _said(scene, Message("The deal is over"))
    return _said(scene, Sentence(Message("{seats} to play", seats=[Seat(seat) for seat in scene.actors])))


def cards_of(scene: Scene) -> set[str | None]:
    """The cards that a picture may show, and a back."""
    cards: set[str | None] = {None}
    for zone in scene.zones:
        cards.update(zone.cards)
        if isinstance(zone, Pot):
            cards.update(card for card in zone.on)
    return cards


def told_in_words(scene: Scene) -> str:
    """The picture in words, a sentence for each zone."""
    sentences = [f"{heading(scene)}. {turn(scene)}."]
    for zone in scene.zones:
        cards = " ".join(card_symbol(parse_card(card)) for card in zone.cards if card) or _count(scene, zone)
        parts = "; ".join(filter(None, (cards, _facts(scene, zone))))
        sentences.append(f"{_said(scene, labelled(zone))}: {parts or '–'}.")
    return " ".join(sentences)


def laid_out(scene: Scene, least: Sizes | None = None) -> Placed:
    """The pieces of a scene at their places. least: sizes that pieces get at least, so that they stay where they are
    from one picture to the next.
    """
    placed, least = Placed(EDGE), least or {}
    head = label(0, 18, heading(scene), 16, bold=True) + label(0, 40, turn(scene), TEXT)
    placed.pieces.append((EDGE, EDGE, head))
    placed.tall += 50
    panels = {seat: piece for seat in range(scene.seats) if (piece := _panel(scene, seat))}
    own = [] if scene.viewer is None else [(f"seat {scene.viewer}", panels.pop(scene.viewer, None))]
    others = [(f"seat {seat}", piece) for seat, piece in panels.items()]
    shared = [(zone.name, _zone(scene, zone, ACROSS - 2 * EDGE)) for zone in scene.zones if len(zone.seats) != 1]
    for group in (shared, others) if scene.open else (others, shared, own):
        _flow(placed, [(name, piece) for name, piece in group if piece], least)
    placed.tall += EDGE - GAP
    return placed


def _flow(placed: Placed, pieces: Sequence[tuple[str, Piece]], least: Sizes) -> None:
    """Place pieces side by side below the existing ones, in as many lines as needed."""
    x, tall = float(EDGE), 0.0
    for name, piece in pieces:
        placed.sizes[name] = (piece.wide, piece.tall)
        wide, high = (max(pair) for pair in zip(least.get(name, (0, 0)), (piece.wide, piece.tall), strict=True))
        if x > EDGE and x + wide > ACROSS - EDGE:
            placed.tall, x, tall = placed.tall + tall + GAP, float(EDGE), 0.0
        placed.pieces.append((x, placed.tall, piece.drawn))
        x, tall = x + wide + GAP, max(tall, high)
    placed.tall += tall + GAP if pieces else 0


def _panel(scene: Scene, seat: int) -> Piece | None:
    """What one seat has, in a frame; a thick one for a seat that may act. None: it has nothing."""
    zones = [zone for zone in scene.zones if zone.seats == (seat,)]
    if not zones:
        return None
    marks = [Message("dealer")] * (seat == scene.dealer) + [Message("to play")] * (seat in scene.actors)
    title = " · ".join([_said(scene, Sentence(Seat(seat))), *(_said(scene, mark) for mark in marks)])
    most = ACROSS - 2 * EDGE - 2 * PAD
    x, y, tall, wide = 0.0, 0.0, 0.0, width(title, TEXT, True)
    drawn = [label(PAD, PAD + TEXT, title, TEXT, bold=True)]
    for zone in sorted(zones, key=lambda zone: not isinstance(zone, Hand)):
        piece = _zone(scene, zone, most)
        if x and x + piece.wide > most:
            x, y, tall = 0.0, y + tall + GAP, 0.0
        drawn.append(moved(piece, PAD + x, 2 * PAD + TEXT + y))
        wide, tall = max(wide, x + piece.wide), max(tall, piece.tall)
        x += piece.wide + GAP
    wide, high = wide + 2 * PAD, 3 * PAD + TEXT + y + tall
    line = f'stroke="{shapes.INK}" stroke-width="3"' if seat in scene.actors else f'stroke="{shapes.PALE}"'
    frame = f'<rect x="1.5" y="1.5" width="{wide - 3:g}" height="{high - 3:g}" rx="8" fill="none" {line}/>'
    return Piece(wide, high, frame + "".join(drawn))


def _zone(scene: Scene, zone: Zone, most: float) -> Piece:
    parts = [*_named(scene, zone), *_lying(scene, zone, most)]
    room = min(most, max([LEAST, *(part.wide for part in parts)])) if not isinstance(zone, Column) else WIDE
    if facts := _facts(scene, zone):
        parts.append(lines(facts, room))
    y, drawn = 0.0, list[str]()
    for part in parts:
        drawn.append(moved(part, 0, y))
        y += part.tall + 4
    return Piece(max((part.wide for part in parts), default=0.0), max(0.0, y - 4), "".join(drawn))


def _named(scene: Scene, zone: Zone) -> Iterator[Piece]:
    """The name of a zone, if its content does not identify it."""
    if isinstance(zone, Hand) or (isinstance(zone, Pot) and zone.on) or not zone.label:
        return
    if isinstance(zone, Score) and zone.seat is not None and zone.facts:
        return
    words = _said(scene, zone.label if len(zone.seats) < 2 else labelled(zone))
    if isinstance(zone, Actions):
        yield _button(words)
        return
    if isinstance(zone, Row) and zone.sides:
        words += " · " + " · ".join(
            f"{end}: {_said(scene, Seat(seat))}" for end, seat in zip(("A", "K"), zone.sides, strict=True)
        )
    yield Piece(width(words, SMALL), SMALL + 3, label(0, SMALL, words, SMALL, ink="#333"))


def _lying(scene: Scene, zone: Zone, most: float) -> Iterator[Piece]:
    match zone:
        case Column():
            yield shapes.column(zone.cards)
        case Row(suit=suit) if suit:
            yield _suit_row(zone)
        case Row():
            spread = WIDE + 4 if len(zone.cards) * (WIDE + 4) <= most else STRIP
            yield shapes.fan(zone.cards, most, spread)
        case Trick():
            yield _trick(scene, zone)
        case Pot():
            if zone.on:
                yield shapes.fan(zone.on, most, WIDE + 4)
            if zone.count > 0:
                yield _chips(zone.count)
        case Hand() if any(zone.cards):
            yield shapes.fan(_sorted(zone), most, STRIP, zone.chosen)
        case Pile() if zone.side_by_side and zone.cards:
            yield shapes.fan(zone.cards, most)
        case Hand() | Pile() | Stock():
            yield _heap(scene, zone)


def _sorted(hand: Hand) -> list[CardText | None]:
    """The cards of a hand in the order of its game, then those face down."""
    return [*(card for _, card in hand.in_order()), *(None for card in hand.cards if not card)]


def _button(words: str) -> Piece:
    """The name of a zone for moves without cards."""
    wide = width(words, SMALL) + 2 * PAD
    frame = f'<rect x=".5" y=".5" width="{wide - 1:g}" height="23" rx="12" fill="none" stroke="{shapes.INK}"/>'
    return Piece(wide, 24, frame + label(PAD, 16, words, SMALL))


def _suit_row(zone: Row) -> Piece:
    """A suit from ace to king, with places for missing cards; places that may come next have an index."""
    due = {*zone.founders, *zone.due} if not any(zone.cards) or zone.due else set(zone.due)
    drawn = []
    for rank, (name, each) in enumerate(zip("A23456789TJQK", zone.cards, strict=False)):
        x, text = SUIT_STEP * rank, name + zone.suit
        drawn.append(shapes.card(x, 0, each) if each else place(x, 0, text if text in due else ""))
    return Piece(SUIT_STEP * 12 + WIDE, TALL, "".join(drawn))


def _trick(scene: Scene, zone: Trick) -> Piece:
    """The cards of a trick, each with who played it."""
    if not zone.cards:
        return Piece(WIDE, TALL, place(0, 0))
    x, drawn = 0.0, list[str]()
    for each, seat in zip(zone.cards, zone.by, strict=False):
        name = _said(scene, Seat(seat))
        room = max(WIDE, width(name, SMALL))
        drawn += [shapes.card(x, 0, each), label(x, TALL + SMALL + 4, name, SMALL)]
        x += room + 8
    return Piece(max(0.0, x - 8), TALL + SMALL + 6, "".join(drawn))


def _chips(count: int) -> Piece:
    """As many chips as there are, but at most five: the facts of the pot have the number."""
    shown = min(5, count)
    ring = '<circle cx="{x}" cy="11" r="9.5" fill="#fff" stroke="#000" stroke-width="1.5"/><circle cx="{x}" cy="11" '
    ring += 'r="5.5" fill="none" stroke="#000" stroke-dasharray="3 2"/>'
    return Piece(23 * shown - 1, 22, "".join(ring.format(x=11 + 23 * k) for k in range(shown)))


def _heap(scene: Scene, zone: Zone) -> Piece:
    """The top card of a heap, or its back, with the number of cards."""
    top = zone.cards[-1] if zone.cards else None
    count = zone.count or len(zone.cards)
    drawn = shapes.card(0, 0, top) if count else place(0, 0)
    wide = float(WIDE)
    if isinstance(zone, Pile) and zone.suit:
        drawn, wide = drawn + shapes.suit_mark(WIDE + 6, 18, zone.suit, 26), WIDE + 32
    words = "" if isinstance(zone, Pile) and zone.won and zone.facts else _count(scene, zone)
    if not words:
        return Piece(wide, TALL, drawn)
    return Piece(max(wide, width(words, SMALL)), TALL + SMALL + 6, drawn + label(0, TALL + SMALL + 3, words, SMALL))


def _count(scene: Scene, zone: Zone) -> str:
    """The number of cards of a zone in words; empty if there are none, or if they are no cards."""
    count = zone.count or len(zone.cards)
    if not count or isinstance(zone, (Pot, Score)):
        return ""
    return _said(scene, Message("{n} {n:card|cards}", n=count))


def _facts(scene: Scene, zone: Zone) -> str:
    viewer = zone.seat if scene.open else scene.viewer
    facts: list[Fact] = zone.told(viewer)
    return ", ".join(_said(scene, fact.message) for fact in facts)


def _said(scene: Scene, message: Value) -> str:
    """A message for the viewer, in the language of this process; cards with the signs of their suits."""
    parts = Reader(you=scene.viewer, language=current()).parts(message)
    return "".join(card_symbol(parse_card(part.text)) if isinstance(part.is_a, Card) else part.text for part in parts)
