"""Draws the table in the terminal from its zones, without knowing the game."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.style import Style
from rich.text import Text

from cardtable.base.cards import RANKS, SUITS
from cardtable.base.faces import FRENCH, Faces
from cardtable.base.languages import tr
from cardtable.base.message import Card, Message, Moves, Part, Seat, Sentence, mark
from cardtable.cli.common import at_terminal, legible
from cardtable.cli.terminal import tell
from cardtable.cli.terminal.boxes import Box, rows
from cardtable.cli.terminal.choices import Choices, Series
from cardtable.rules.events import CARDS

if TYPE_CHECKING:
    from cardtable.match.history import DealResult
    from cardtable.match.match import Match
    from cardtable.rules.events import Event
from cardtable.rules.zones import NOTHING, Actions, Column, Hand, Pile, Row, Score, Stock, Trick, Zone, labelled
from cardtable.views.view import View

COLOURS = {2: ("default", "red", "red", "default"), 4: ("default", "red", "bright_blue", "green")}
#: Replacements for a terminal without these characters.
PLAIN = str.maketrans("♠♥♦♣▴▸★·─–—…▒", "SHDC^>*.----#") | {ord("±"): "+-", ord("→"): "->"}
LAST = 8  #: cards of a pile that are shown
STOP = "stop"  #: the style of a place: the name of a zone, and the index of a card
WIDTH, HEIGHT = 60, 20  #: of the smallest terminal in which the full screen has room for everything
LISTED = 6  #: from this number on, moves with long meanings are each written on their own lines
WIDEST = 100  #: most columns used, however wide the terminal is


#: no-break spaces, and characters of words that stand for them while lines are broken
_JOINED = {ord("\u00a0"): "\ue000", ord("\u202f"): "\ue001"}
_SPACED = {ord(char): chr(space) for space, char in _JOINED.items()}


@dataclass(frozen=True)
class Look:
    """How cards are written."""

    colours: int = 2  #: of the suits: 2 or 4
    faces: Faces = FRENCH


class Screen:
    """Writes views, events and sheets to a console.

    Cards in any text (`7H`) are shown as symbols in their suits' colours.
    """

    aids = False  #: whether aids to the memory are shown, which the person has to switch on
    boxed = False  #: whether cards are drawn as boxes, where that fits

    def __init__(self, console: Console, names: Sequence[str], look: Look) -> None:
        self.console = console
        self.reader = tell.reader(names, look.faces)
        self._faces = look.faces
        self.names = list(self.reader.names)
        self._suit = dict(zip(SUITS, COLOURS[look.colours], strict=True))
        self._plain = not _can_write(console.file, "♠▴▸★·─")
        self._name_width = max(map(len, self.names))
        self.height = 0  #: lines of the table that was drawn last
        self._written = 0

    @property
    def width(self) -> int:
        """The number of columns to use."""
        return max(20, min(self.console.width, WIDEST))

    def say(self, text: str | Text | Message = "", style: str = "", indent: int = 0, hang: int = 0) -> None:
        """Write a paragraph, with `indent` blanks before it and `hang` more before each further line.

        A message is written as a sentence.
        """
        whole = (
            self.pretty(text) if isinstance(text, str) else self.written(text) if isinstance(text, Message) else text
        )
        for i, line in enumerate(self.broken(whole, self.width - indent - hang)):
            self._line(Text(" " * (indent + (hang if i else 0))).append_text(line), style)

    def broken(self, text: Text, width: int) -> list[Text]:
        """The lines of a paragraph, at least 10 columns wide and at least one; Rich also breaks at no-break spaces."""
        text = text.copy()
        text.plain = text.plain.translate(_JOINED)
        lines = list(text.wrap(self.console, max(10, width))) or [Text()]
        for line in lines:
            line.plain = line.plain.translate(_SPACED)
        return lines

    def whole(self, text: str) -> None:
        """Write a line that must not be broken, such as a command."""
        self._line(Text(text))

    def _line(self, line: Text, style: str = "") -> None:
        line.rstrip()
        if self._plain:
            line.plain = line.plain.translate(PLAIN)
        self.console.print(line, style=style or None, highlight=False, markup=False, soft_wrap=True)
        self._written += 1

    def rule(self, message: Message, style: str = "") -> None:
        """Write a horizontal line with a title in it."""
        title = self.reader.plain(message)
        title = title if len(title) <= self.width - 4 else title[: self.width - 5] + "…"
        before = (self.width - len(title) - 2) // 2
        line = Text().append("─" * before + " ", style="dim").append(title, style=style)
        self._line(line.append(" " + "─" * (self.width - len(title) - 2 - before), style="dim"))

    def grid(self, rows: Sequence[Sequence[Text]], right: Collection[int] = ()) -> None:
        """Write rows of cells in columns as wide as needed; those in `right` are aligned to the right.

        Lines that are too long wrap.
        """
        wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            line = Text(" ")
            for k, cell in enumerate(row):
                blank = Text(" " * (wide[k] - len(cell)))
                line.append_text(blank + cell if k in right else cell + blank).append("  ")
            self._line(line)

    def card(self, text: str, *, strong: bool = False, dim: bool = False) -> Text:
        """A card as a symbol, in its suit's colour."""
        colour = self._suit.get(text[-1], "magenta")
        return Text(self._faces.written(text), style=f"{'bold ' if strong else ''}{'dim ' if dim else ''}{colour}")

    def cards(self, cards: Iterable[str | None]) -> Text:
        """Cards in a row, separated by blanks; those face down are left out."""
        return Text(" ").join(self.card(card) for card in cards if card)

    def _in(self, zone: Zone, first: int = 0) -> Text:
        """The open cards of a zone, from one on."""
        shown = [_stop(self.card(card), zone, i) for i, card in enumerate(zone.cards) if card and i >= first]
        return Text(" ").join(shown)

    def pretty(self, text: str) -> Text:
        """Text with its cards as symbols."""
        return self._drawn(self.reader.parts(Moves(text)))

    def words(self, message: Message) -> Text:
        """A message as a part of a line, with its cards as symbols."""
        return self._drawn(self.reader.parts(message))

    def written(self, message: Message) -> Text:
        """A message as a sentence, with its cards as symbols."""
        return self._drawn(self.reader.parts(message, sentence=True))

    def _drawn(self, parts: Iterable[Part]) -> Text:
        text = Text()
        for part in parts:
            text.append_text(self.card(part.text)) if isinstance(part.is_a, Card) else text.append(part.text)
        return text

    # The table

    def table(self, m: Match, view: View) -> None:
        """Write the whole table as a seat sees it."""
        before = self._written
        self.say()
        self.rule(title_of(m))
        self.middle(view)
        self.seats(view)
        self.height = self._written - before

    def middle(self, view: View) -> None:
        """Write text that belongs to no side, or to one."""
        small: list[Text] = []
        starts = _starts(view)
        self._columns([zone for zone in view.zones if isinstance(zone, Column)], starts)
        ladders = [zone for zone in view.zones if isinstance(zone, Row) and zone.suit and zone.cards]
        self._ladders(ladders, view.seat)
        for zone in view.zones:
            if zone.seat is not None or isinstance(zone, (Column, Actions)) or zone in ladders:
                continue
            if any(zone.cards) or isinstance(zone, (Row, Trick)):
                self._cards(zone, view.seat)
            else:
                text = self.words(labelled(zone)).append(": ").append_text(self._said(zone, view.seat))
                small.append(_stop(text, zone))
        if small:
            self.say(Text("   ").join(small), indent=1, hang=2)

    def seats(self, view: View, others: bool = True, own: bool = True) -> None:
        """Write a line for each other seat, those on the viewer's left first, and the viewer's own last."""
        count = len(self.names)
        for i in range(count):
            seat = (i if view.seat is None else view.seat + 1 + i) % count
            if own if seat == view.seat else others:
                self._seat(seat, view, _starts(view))

    def _columns(self, zones: Sequence[Column], starts: Collection[tuple[str, str]]) -> None:
        """Write columns side by side: for each its number, how many cards lie face down, and below that the open cards.

        starts: the zones and cards with which a move begins.
        """
        if not zones:
            return
        wide = min(7, (self.width - 1) // len(zones))
        heads = [Text(str(number), style="dim") for number in range(1, len(zones) + 1)]
        down = [sum(1 for card in zone.cards if not card) for zone in zones]
        rows = [
            heads,
            [
                Text(f"▒{n}" if n else "" if zone.cards else "·", style="dim")
                for n, zone in zip(down, zones, strict=True)
            ],
        ]
        shown = [
            [
                _stop(self.card(card, strong=(zone.name, card) in starts), zone, i)
                for i, card in enumerate(zone.cards)
                if card
            ]
            for zone in zones
        ]
        for zone, head in zip(zones, heads, strict=True):
            _stop(head, zone)
        rows += [[cards[i] if i < len(cards) else Text() for cards in shown] for i in range(max(map(len, shown)))]
        for row in rows:
            line = Text()
            for cell in row:
                line.append(" " * max(1, wide - len(cell))).append_text(cell)
            self._line(line)

    def _ladders(self, zones: Sequence[Row], viewer: int | None) -> None:
        """Write rows of suits below a line of ranks, from ace to king even if house rules draw them the other way."""
        if zones:
            self._line(Text("   ").append("".join(f"{self._faces.index(rank):>4}" for rank in RANKS), style="dim"))
        for zone in zones:
            self._ladder(zone, viewer)

    def _ladder(self, zone: Row, viewer: int | None) -> None:
        """Write the row of a suit, all thirteen places in order; an empty row shows faintly which card may open it."""
        line = _stop(Text(f"{self._faces.written('A' + zone.suit)[1:]} ", style=self._suit.get(zone.suit, "")), zone)
        for card, place in zip(zone.cards, (rank + zone.suit for rank in RANKS), strict=True):
            hint = self._faces.index(place[0]) if place in zone.founders and zone.count == 0 else "·"
            cell = self.card(card, strong=True) if card else Text(hint, style="dim")
            line.append(" " * (4 - len(cell.plain))).append_text(cell)
        self._hanging(line.append_text(self._beside(zone, viewer)), 2)

    def _beside(self, zone: Zone, viewer: int | None) -> Text:
        """The facts about a zone, to follow its cards."""
        return Text().join(Text("   ").append_text(fact) for fact in self._facts(zone, viewer))

    def _facts(self, zone: Zone, viewer: int | None) -> list[Text]:
        """Facts about a zone; memory aids are marked as help, and what counts most stands out."""
        facts: list[Text] = []
        for fact in zone.told(viewer):
            if self.aids or not fact.aid:
                text = self.words(Message("(help: {fact})", fact=fact.message) if fact.aid else fact.message)
                if fact.figure:
                    text.stylize("bold")
                facts.append(text)
        return facts

    def _cards(self, zone: Zone, viewer: int | None) -> None:
        """Write a zone with open cards; in a trick, with the name of each player before their card."""
        text = _stop(self.words(labelled(zone)), zone).append(": ")
        if self.boxed and (lines := self._boxes(zone)):
            self.say(text.append_text(self._beside(zone, viewer)), indent=1, hang=2)
            for line in lines:
                self._line(Text("   ").append_text(line))
            return
        if isinstance(zone, Trick) and zone.by:
            for seat, card in zip(zone.by, zone.cards, strict=True):
                text.append(f"{self.names[seat]} ").append_text(self.card(card or "", strong=True)).append("   ")
        elif isinstance(zone, Pile) and len(zone.cards) > LAST:
            text.append("… ").append_text(self._in(zone, len(zone.cards) - LAST)).append(f" ({self._count(zone)})")
        elif any(zone.cards):
            text.append_text(self._in(zone))
        else:
            self.say(text.append_text(self._said(zone, viewer)), indent=1, hang=2)
            return
        self.say(text.append_text(self._beside(zone, viewer)), indent=1, hang=2)

    def _seat(self, seat: int, view: View, starts: Collection[tuple[str, str]]) -> None:
        """Write a seat's line: whether it is its turn, its cards, its other zones; below it the viewer's own hand."""
        own = [zone for zone in view.zones if zone.seat == seat and not isinstance(zone, Actions)]
        own.sort(key=lambda zone: not isinstance(zone, Hand))
        mine = seat == view.seat
        parts: list[Text] = []
        shown: list[str] = []
        for zone in own:
            facts = self._facts(zone, view.seat)
            if isinstance(zone, Hand):
                shown += [card for _, card in zone.in_order()]
                parts += ([] if mine else [Text(f"{self._count(zone):>8}")]) + facts
            elif isinstance(zone, Score) or isinstance(zone, Pile) and zone.won:
                parts += facts
            else:
                parts.append(_stop(self.words(zone.label), zone).append(": ").append_text(self._small(zone)))
                parts += facts
        if len(self.names) == 1 and not parts and not shown:  # a patience: everything is shown above
            return
        turn = seat in view.actors
        head = f"{'▸' if turn else ' '} {self.names[seat]:<{self._name_width}}  "
        line = Text().append(head, style="bold" if turn else "").append_text(Text(" · ").join(parts))
        self._hanging(line, len(head))
        if mine:
            self._hand(own, starts)
        elif shown:
            self.say(self.cards(shown), indent=len(head) + 1)

    def _said(self, zone: Zone, viewer: int | None) -> Text:
        """The text for a zone without open cards: how many cards it has, and its facts."""
        facts = self._facts(zone, viewer)
        if isinstance(zone, (Pile, Stock)) and not (isinstance(zone, Pile) and zone.won):
            facts.insert(0, Text(self._count(zone)))
        return Text(", ").join(facts) if facts else Text(str(zone.count) if isinstance(zone, Score) else tr("empty"))

    def _count(self, zone: Zone) -> str:
        return self.reader.plain(Message(CARDS.template, n=zone.count))

    def _small(self, zone: Zone) -> Text:
        """The open cards of a seat's zone, with the number of all its cards if some lie face down."""
        cards = self._in(zone)
        count = self._count(zone)
        return cards.append(f" ({count})" if None in zone.cards else "") if cards else Text(count)

    def _hanging(self, text: Text, hang: int) -> None:
        """Write a line with a head; further lines are indented by the width of the head."""
        for i, line in enumerate(self.broken(text[hang:], self.width - hang - 1)):
            self._line(Text(" ").append_text(text[:hang] if i == 0 else Text(" " * hang)).append_text(line))

    def _hand(self, zones: Sequence[Zone], starts: Collection[tuple[str, str]]) -> None:
        """Write the viewer's cards in the order of the game, each suit (or rank) on one line if it fits, with playable
        cards marked.
        """
        for zone in zones:
            if not isinstance(zone, Hand):
                continue
            if self.boxed and (lines := self._boxes(zone, starts)):
                for each in lines:
                    self._line(Text("   ").append_text(each))
                continue
            groups: list[Text] = []
            last = ""
            for i, card in zone.in_order():
                same = card[0] if zone.order.by == "rank" else card[-1]
                can = (zone.name, card) in starts
                cell = _stop(Text("▴" if can else " ").append_text(self.card(card, strong=can)), zone, i).append(" ")
                if same == last and len(groups[-1]) + len(cell) + 3 <= self.width:
                    groups[-1].append_text(cell)
                else:
                    groups.append(cell)
                last = same
            line = Text("   ")
            for group in groups:
                if len(line) + len(group.plain.rstrip()) > self.width and line.plain.strip():
                    self._line(line)
                    line = Text("   ")
                line.append_text(group).append("  ")
            if groups:
                self._line(line)

    def _boxes(self, zone: Zone, starts: Collection[tuple[str, str]] = ()) -> list[Text] | None:
        """The open cards of a zone as boxes, in a trick with the names of the players; None if they do not fit."""
        by = zone.by if isinstance(zone, Trick) else ()
        boxes = [
            Box(
                self.card(card, strong=True),
                (zone.name, card) in starts,
                _place(zone, i),
                self.names[by[i]] if by else "",
            )
            for i, card in (zone.in_order() if isinstance(zone, Hand) else enumerate(zone.cards))
            if card
        ]
        return rows(boxes, self.width - 3)

    def moves(self, choices: Choices, how: Message = NOTHING, room: int = 0) -> None:
        """Write the legal moves: single ones with their numbers, in columns if they do not fit on a line, and each
        series on a line.

        how: how to write a move of a series. room: most lines to use; 0: no limit. `every_move` shows all of them.
        """
        items = [self._choice(number, move, choices) for number, move in enumerate(choices.single, 1)]
        if items:
            self.in_columns(items, max(1, room - len(choices.series)) if room else 0)
        for each in choices.series:
            self.say(self._series(each, how, alone=bool(choices.by_number)), indent=2, hang=3)

    def every_move(self, choices: Choices) -> None:
        """Write all moves, with every move of a series."""
        self.in_columns([self._choice(number, move, choices) for number, move in choices.all()])

    def _choice(self, number: int, move: str, choices: Choices) -> Text:
        """A move with its number, and its meaning if the notation does not show it."""
        item = Text().append(f"{number} " if number else "", style="bold").append_text(self.pretty(move))
        if meaning := choices.meanings.get(move):
            item.append(" ").append_text(self.words(meaning))
        return item

    def _series(self, series: Series, how: Message, alone: bool) -> Text:
        """A series on one line: which moves it has, and how to write one of them. alone: nothing else can be played."""
        if not series.first:
            instance = Moves(f"{series.word} {series.rests[len(series.rests) // 8]}")
            written = tr("write the number") if alone else tr("write for instance: {move}", move=instance)
            return Text().append(f"{series.word} {series.spans}", style="bold").append(f" ({written})")
        head = (
            Text().append(f"{series.first}–{series.first + len(series.rests) - 1} ", style="bold").append(series.word)
        )
        if how:
            return head.append(": ").append_text(self.words(Message("{how}. m lists them", how=how)))
        if all(" " not in rest for rest in series.rests):
            for number, rest in enumerate(series.rests, series.first):
                head.append("  ").append(str(number), style="bold").append(" ").append_text(self.pretty(rest))
            return head
        first = Moves(f"{series.word} {series.rests[0]}")
        return head.append(": ").append_text(
            self.words(Message("{n} ways, such as {move}. m lists them", n=len(series.rests), move=first))
        )

    def in_columns(self, items: Sequence[Text], room: int = 0) -> None:
        """Write items on one line if they fit, else in columns; if there is too little room, only the first ones."""
        if sum(len(item) + 3 for item in items) < self.width:
            self._line(Text("  ").append_text(Text("   ").join(items)))
            return
        if len(items) <= LISTED and max(map(len, items)) > self.width - 4:  # a move's explanation may take two lines
            for item in items:
                self.say(item, indent=2, hang=2)
            return
        column = max(map(len, items)) + 3
        across = max(1, (self.width - 2 + 3) // column)
        omitted = 0
        if room and -(-len(items) // across) > room:
            shown = across * max(1, room - 1)
            items, omitted = items[:shown], len(items) - shown
        down = -(-len(items) // across)
        for row in range(down):
            line = Text("  ")
            for item in items[row::down]:
                line.append_text(item).append(" " * (column - len(item)))
            self._line(line)
        if omitted:
            self.say(self.words(Message("and {n} {n:move|moves} more: m lists all", n=omitted)), indent=2)

    # What happened

    def events(self, events: Sequence[Event]) -> None:
        """Write what happened: a line for each act, with the chips that it moved at the end."""
        for line in tell.lines(events):
            self.say(self.written(line), indent=3, hang=2)

    def sheet(self, m: Match, result: DealResult, view: View) -> None:
        """Write the end of a deal: each seat's result, total and remaining cards."""
        self.say()
        if result.winner is None:
            title = (
                Message("Deal {n} is over", n=result.deal)
                if m.seats > 1
                else Message("Deal {n} is not won", n=result.deal)
            )
        else:
            shared = (zone.seats for zone in view.zones if len(zone.seats) > 1 and result.winner in zone.seats)
            source = [Seat(seat) for seat in next(shared, (result.winner,))]
            won = Message("{source} {source:wins|win} deal {n}", source=source, n=result.deal)
            title = Message("{won}", won=Sentence(won))
        self.rule(title, "bold")
        unit = _unit(view)
        gains = (
            result.payoff
            if unit == "chips"
            else [after - before for after, before in zip(m.scores, m.scores_before, strict=True)]
        )
        in_hand = [
            [card for zone in view.zones if isinstance(zone, Hand) and zone.seat == seat for _, card in zone.in_order()]
            for seat in range(m.seats)
        ]
        deal, have, rest = f"{tr('this deal'):>9}", f"{tr(unit):>6}", f"   {tr('cards left')}"
        self._line(Text(f"  {'':<{self._name_width}}  {deal}  {have}{rest if any(in_hand) else ''}", style="dim"))
        for seat in range(m.seats):
            gain = f"{gains[seat]:+}" if gains[seat] else "0"
            row = f"  {self.names[seat]:<{self._name_width}}  {gain:>{len(deal)}}  {m.scores[seat]:>{len(have)}}   "
            self._hanging(Text(row).append_text(self.cards(in_hand[seat])), len(row))
        self._owed(m, unit)

    def _owed(self, m: Match, unit: str) -> None:
        """Explain a number of chips below 0, if there is one."""
        if unit == "chips" and min(m.scores) < 0:
            self.say(
                Message("Below 0: more chips were paid than the player had. They are owed, and the player continues."),
                "dim",
                indent=2,
            )

    def summary(self, m: Match) -> None:
        """Write the end of the match, the winners first."""
        result = m.result
        assert result
        unit = _unit(m.view(None))
        self.say()
        self.rule(Message("The match is over"), "bold")
        if not result.winners:
            self.say(Message("It is lost.") if m.seats == 1 else Message("Nobody has won."), indent=3)
        have = f"{tr(unit):>6}"
        self._line(Text(f"   {'':<{self._name_width}} {have}", style="dim"))
        for seat in sorted(
            range(m.seats),
            key=lambda seat: (seat not in result.winners, m.scores[seat] * (1 if m.game.lowest_wins else -1)),
        ):
            self.say(
                f"{'★' if seat in result.winners else ' '} "
                f"{self.names[seat]:<{self._name_width}} {m.scores[seat]:>{len(have)}}",
                indent=1,
            )
        if result.winners and m.seats > 1:
            self.say(
                Message("★ wins the match") if len(result.winners) == 1 else Message("★ share the match"),
                "dim",
                indent=1,
            )
        self._owed(m, unit)


def title_of(m: Match) -> Message:
    """The title and the deal; for a patience, the number with which it can be played again."""
    deals = getattr(m.options, "deals", None)
    title = Message(m.title)
    if m.seats == 1 and not deals:
        return Message("{title} · number {seed}", title=title, seed=m.seed)
    far = Message("deal {n} of {deals}", n=m.deal, deals=deals) if deals else Message("deal {n}", n=m.deal)
    if m.seats == 1:
        return Message("{title} · {deal}", title=title, deal=far)
    return Message("{title} · {deal} · dealer: {seat}", title=title, deal=far, seat=Seat(m.dealer))


def _starts(view: View) -> set[tuple[str, str]]:
    """The zones and cards with which a move begins."""
    return {(move.source, move.cards[0]) for move in view.choices if move.source and move.cards}


def _stop(text: Text, zone: Zone, card: int = -1) -> Text:
    """A text for a card of a zone, or (-1) for the zone, that can be selected on a full screen."""
    text.stylize(_place(zone, card))
    return text


def _place(zone: Zone, card: int) -> Style:
    return Style(meta={STOP: (zone.name, card)})


def _unit(view: View) -> str:
    """The unit of the score: chips, markers or the like, or points."""
    return next(
        (fact.name for zone in view.zones if isinstance(zone, Hand) for fact in zone.facts if fact.coins), mark("score")
    )


def _can_write(file: Any, letters: str) -> bool:
    try:
        letters.encode(getattr(file, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class Output(Console):
    """A console that reports a closed output pipe; rich would end the program."""

    def on_broken_pipe(self) -> None:
        """Called while BrokenPipeError is handled: raise it again, so that the match can be saved."""
        raise


def console(**how: Any) -> Console:
    """The console of the game: width from the terminal, no colour if NO_COLOR is set or the output is not a
    terminal.
    """
    if hasattr(sys.stdin, "reconfigure"):
        # so that invalid bytes in the input are refused as moves and do not cause a fault
        sys.stdin.reconfigure(errors="replace")
    legible(sys.stdout)
    return Output(highlight=False, **how)


def page(text: Any) -> None:
    """Show a long text, page by page on a terminal.

    Click keeps colours if the pager can show them, and sets up `less` for that.
    """
    import click

    screen = Console(highlight=False, width=min(WIDEST, Console().width))
    with screen.capture() as taken:
        screen.print(text)
    if sys.stdin.isatty() and sys.stdout.isatty():
        click.echo_via_pager(taken.get())
    else:
        click.echo(taken.get())


def can_fill(width: int, height: int) -> bool:
    """Whether the terminal can show a match on the full screen: input and output are one that can place its cursor, is
    large enough and can write the suits.
    """
    if not at_terminal() or os.environ.get("TERM", "dumb") in ("dumb", "unknown", ""):
        return False
    try:
        "♠▴▸─".encode(sys.stdout.encoding or "ascii")
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, UnicodeEncodeError, LookupError):
        return False
    return size.columns >= width and size.lines >= height
