"""The full screen: the table, the hand below it, the choices, and a side panel with the log or the help.

It draws the zones, and passes choices on as if they were typed.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.widgets import Input, Static

from cardtable.base import languages, platform
from cardtable.base.errors import IllegalMove
from cardtable.base.languages import tr
from cardtable.base.message import Message, Sentence, mark
from cardtable.cli import rulebook_text
from cardtable.cli.terminal import table_help, tell
from cardtable.cli.terminal.choices import barred
from cardtable.cli.terminal.field import Field, GatheredLines, ScreenPlace, moved, stop
from cardtable.cli.terminal.line import STYLES
from cardtable.cli.terminal.picking import Picking, zone_named
from cardtable.cli.terminal.screen import HEIGHT, WIDTH, Look, title_of
from cardtable.cli.terminal.session import Tone

if TYPE_CHECKING:
    from cardtable.cli.terminal.session import Session
    from cardtable.rules.events import Event
    from cardtable.views.view import View

BESIDE = 100  #: from this width on, there is a side panel for the log or the help
BOXES = (120, 40)  #: columns and lines from which on cards are drawn as boxes
PANEL = 42  #: width of the side panel
NOTICES = 4  #: the latest messages on the screen
CHOSEN = ("#table", "#hand", "#choice")  #: the parts in which something can be chosen, from top to bottom
LEAVES = ("q", "quit", "exit", "discard")
TYPED = "hlamti"  #: keys that are commands on their own
KEYS = (
    ("Enter", mark("play", context="key")),
    ("h", mark("hint", context="key")),
    ("u", mark("undo", context="key")),
    ("?", mark("help", context="key")),
    ("l", mark("log", context="key")),
    ("q", mark("leave", context="key")),
    ("←→↑↓", mark("choose", context="key")),
)

Drawn = Callable[[GatheredLines], object]  #: what draws lines


def leaves(text: str) -> bool:
    """Whether an input asks to leave."""
    return text.partition(" ")[0].lower() in LEAVES


@dataclass(frozen=True)
class ScreenQuestion:
    """A question to the person: for a move; whether to continue (`next`, `once`, `over`); yes or no."""

    kind: str
    view: View | None = None
    message: Message | None = None


class Stage(App[None]):
    """One match on the whole screen."""

    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS = """
    Screen { background: ansi_default; color: ansi_default; }
    #head, #foot { height: 1; }
    #head { text-style: reverse; }
    #body { height: 1fr; }
    #left { width: 1fr; }
    #tables { height: 1fr; min-height: 3; }
    #tables, #choices, #beside { scrollbar-size-vertical: 1; background: ansi_default; }
    #table, #hand, #recent, #notes, #choice { height: auto; width: 100%; }
    #recent { color: ansi_default; }
    #notes { max-height: 6; }
    #choices { height: auto; max-height: 30%; }
    #entry { height: 1; }
    #prompt { width: auto; }
    #typed { width: 1fr; height: 1; border: none; padding: 0; }
    #beside { width: 42; border-left: solid ansi_default; padding: 0 0 0 1; }
    #beside.-whole { width: 1fr; border-left: none; }
    #panel { height: auto; }
    #small { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave('KeyboardInterrupt')", show=False, priority=True),
        Binding("ctrl+q", "leave('KeyboardInterrupt')", show=False, priority=True),
        Binding("ctrl+d", "leave('EOFError')", show=False, priority=True),
        Binding("escape", "leave_off", show=False, priority=True),
    ]

    def __init__(
        self,
        session: Session,
        names: Sequence[str],
        look: Look,
        reply: Callable[[str | type[BaseException]], None],
        start: Callable[[], None],
    ) -> None:
        """reply: takes the person's input or choice; start: begins the match."""
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.session, self.names, self.look = session, names, look
        self._reply, self._start = reply, start
        self.view: View | None = None
        self.question: ScreenQuestion | None = None
        self.picking: Picking | None = None
        self.log_of: list[Event] = []  #: the events of this deal
        self.notices: list[tuple[Message, Tone, bool]] = []
        self.opened = ""  #: the panel's content: log, help, rules, clauses; "": none, or the log if there is room
        self.clauses: list[str] = []
        self.sheets: list[Drawn] = []  #: the end of a deal or of the match, shown instead of the table
        self.greeting: Message | None = None
        self.cursor: Hashable = None
        self.thinks: int | None = None  #: the number of moves at which a hint is being worked out

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        yield Field(id="head")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                with VerticalScroll(id="tables", can_focus=False):
                    yield Field(self.choose, id="table")
                yield Field(id="recent")
                yield Field(self.choose, id="hand")
                yield Field(id="notes")
                with VerticalScroll(id="choices", can_focus=False):
                    yield Field(self.choose, id="choice")
                with Horizontal(id="entry"):
                    yield Static(id="prompt", markup=False)
                    yield Input(id="typed", compact=True, select_on_focus=False)
            with VerticalScroll(id="beside", can_focus=False):
                yield Static(id="panel", markup=False)
        yield Field(self.press, id="foot")
        yield Field(id="small")

    def on_mount(self) -> None:
        """Begin the match."""
        self.set_focus(None)
        loop = asyncio.get_running_loop()
        for number in (*platform.ENDING, signal.SIGINT):  # closing the terminal also saves the match
            with contextlib.suppress(RuntimeError, ValueError):
                platform.hear(loop, number, self._reply, KeyboardInterrupt)
        self.redraw()
        self._start()

    def on_resize(self, event: Resize) -> None:
        """Redraw everything once the parts of the screen have their new sizes."""
        self.call_after_refresh(self.redraw)

    # Output of the match

    def greet(self, message: Message) -> None:
        """Write the name of the game at the top of the log."""
        self.greeting = message
        self.redraw()

    def happened(self, log: list[Event], view: View) -> None:
        """Show the table, and what happened in this deal."""
        if self.view is None or view.events != self.view.events or len(log) != len(self.log_of):
            self.sheets.clear()
        self.log_of, self.view, self.picking = log, view, None
        if self.question and self.question.kind == "move":  # it was not answered in time
            self.question = None
        if self.opened in ("rules", "clauses", "help") and not self.beside:
            self.opened = ""
        self.redraw()

    def notice(self, message: Message, tone: Tone, sentence: bool = True) -> None:
        """Show a message."""
        self.notices = [*self.notices, (message, tone, sentence)][-NOTICES:]
        self.redraw()

    def thinking(self, turn: int) -> None:
        """Show that a hint is being worked out."""
        self.thinks = turn
        self.redraw()

    def answered(self, turn: int, message: Message) -> None:
        """Show a hint, unless the person has played meanwhile."""
        if turn == self.thinks:
            self.thinks = None
            if self.question and turn == len(self.session.m.moves):
                self.notice(message, "answer")
            self.redraw()

    def put_sheet(self, draw: Drawn) -> None:
        """Show the end of a deal or of the match instead of the table."""
        self.sheets = [draw]
        self.redraw()

    def add_sheet(self, draw: Drawn) -> None:
        """Show the end of the match below that of the deal."""
        self.sheets.append(draw)
        self.redraw()
        self.call_after_refresh(self.query_one("#tables").scroll_end, animate=False)

    def put_question(self, question: ScreenQuestion) -> None:
        """Ask the person."""
        self.question = question
        if question.view is not None:
            self.view = question.view
            self.picking = Picking(question.view)
        self.redraw()

    def open_panel(self, what: str, clauses: Sequence[str] = ()) -> None:
        """Open the log, the help, the rules or some of them; "": close it."""
        self.opened, self.clauses = what, list(clauses)
        self.redraw()
        scroll = self.query_one("#beside", VerticalScroll)
        move = scroll.scroll_end if what in ("", "log") else scroll.scroll_home
        self.call_after_refresh(move, animate=False)

    # The person's input

    def submit(self, text: str) -> None:
        """Pass on the person's input or choice."""
        if self.question is None:
            if leaves(text) or self.session.ticking and not self.sheets:
                self._reply(text)
            return
        self.notices.clear()
        self.question = None
        self.redraw()
        self._reply(text)

    def choose(self, key: Hashable) -> None:
        """Choose the place of that key."""
        if self.question is None or not isinstance(key, tuple):
            return
        self.cursor = key
        match key:
            case ("choice", str(text)):
                self.submit(text)
            case ("put", int(pot), int(more)) if self.picking:
                self.picking.put(pot, more)
                self.redraw()
            case (str(name), int(card)) if self.picking and self.view and self.question.kind == "move":
                zone = zone_named(self.view.zones, name)
                if zone is not None:
                    self._pick(self.picking.pick(zone, card))

    def _pick(self, text: str | None) -> None:
        """Play the choice if it is complete; otherwise show the continuations, with the cursor on the first."""
        if text is not None:
            self.submit(text)
            return
        assert self.picking
        if self.picking.picked and (offers := self.picking.offers()):
            self.cursor = ("choice", offers[0].text)
        self.redraw()

    def press(self, key: Hashable) -> None:
        """Handle a click on a key at the bottom of the screen."""
        if isinstance(key, tuple) and key[0] == "key":
            self._key(str(key[1]), str(key[1]))

    def action_leave(self, why: str) -> None:
        """Stop: the match is saved."""
        self._reply(EOFError if why == "EOFError" else KeyboardInterrupt)

    def action_leave_off(self) -> None:
        """Leave the line, what has been chosen, or the panel."""
        typed = self.query_one("#typed", Input)
        if self.focused is typed or typed.value:
            typed.value = ""
            self.set_focus(None)
        elif self.picking and self.picking.begun:
            self.picking.clear()
        else:
            self.open_panel("")
        self.redraw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass on the line that was typed."""
        text = event.value.strip()
        waits = not self.session.ticking and not leaves(text) and text not in ("?", "l", "log")
        if self.question is None and waits:
            return  # it is somebody else's turn: the line stays until it can be sent
        event.input.value = ""
        self.set_focus(None)
        if text in ("?", "l", "log"):
            self._key(text[0], text[0])
        elif text or self.question:
            self.submit(text)

    def on_key(self, event: Key) -> None:
        """Move the cursor, handle a command key, or begin to type."""
        if isinstance(self.focused, Input):
            if event.key in ("up", "down"):
                self.set_focus(None)
            return
        if self._key(event.key, event.character or ""):
            event.stop()
            event.prevent_default()

    def _key(self, key: str, letter: str) -> bool:
        """Handle a command key; return whether it was one."""
        covered = bool(self.opened) and not self.beside
        if key in ("up", "down", "pageup", "pagedown") and (covered or key.startswith("page") or self.sheets):
            self._scroll(key)
        elif key in ("left", "right", "up", "down"):
            self._move(key)
        elif key in ("enter", "space", "Enter"):
            self._enter()
        elif letter == "?":
            self.open_panel({"": "help", "log": "help", "help": "rules"}.get(self.opened, ""))
        elif letter == "l":
            self.open_panel("" if self.opened == "log" else "log")
        elif letter in ("u", *TYPED) and letter and self.question and self.question.kind in ("move", "once"):
            self.submit(letter)
        elif letter and letter.isprintable() and not letter.isspace():
            typed = self.query_one("#typed", Input)
            typed.value = "" if letter == ":" else letter
            self.set_focus(typed, scroll_visible=False)  # at once: the next key may have been pressed already
            typed.cursor_position = len(typed.value)
        else:
            return False
        return True

    def _scroll(self, key: str) -> None:
        """Scroll what covers the table, or the panel."""
        name = "#beside" if self.opened or self.beside and not self.sheets else "#tables"
        scroll = self.query_one(name, VerticalScroll)
        {"up": scroll.scroll_up, "down": scroll.scroll_down, "pageup": scroll.scroll_page_up}.get(
            key, scroll.scroll_page_down
        )(animate=False)

    def _enter(self) -> None:
        """Choose the item at the cursor; without one, act as Enter alone."""
        if self.opened and not self.beside:
            self.open_panel("")
        elif self.cursor is not None:
            self.choose(self.cursor)
        elif self.question and self.picking and self.session.m.game.wait in self.picking.view.legal:
            self.submit("")

    # The cursor

    def _rows(self) -> list[list[ScreenPlace]]:
        """The places that can be chosen now, line by line."""
        parts = [self.query_one(name, Field) for name in CHOSEN]
        return [row for part in parts for row in part.rows(self._reachable)]

    def _reachable(self, key: Hashable) -> bool:
        match key:
            case ("choice", _) | ("put", _, _):
                return True
            case (str(name), int(card)) if self.picking and self.question and not self.sheets:
                zone = zone_named(self.picking.view.zones, name)
                return zone is not None and self.picking.reachable(zone, card)
        return False

    def _move(self, key: str) -> None:
        """Move the cursor to the next place in a direction."""
        self.cursor = moved(self._rows(), self.cursor, key)
        self._marks()
        self._notes()

    def _settle(self) -> None:
        """Keep the cursor where it is, or put it on a card that can be played, or on an offer."""
        keys = [place.key for row in self._rows() for place in row]
        if self.cursor in keys:
            return
        starts = [key for key in keys if self._starts(key)]
        offers = [key for key in keys if isinstance(key, tuple) and key[0] == "choice"]
        self.cursor = next(iter([*starts, *offers, *keys]), None)

    def _starts(self, key: Hashable) -> bool:
        """Whether a move begins at a card of the hand."""
        match key:
            case (str(name), int(card)) if self.picking and card >= 0:
                zone = zone_named(self.picking.view.zones, name)
                return zone is not None and bool(self.picking.starts(zone, card))
        return False

    def _marks(self) -> None:
        """Show the cursor and what has been chosen, and scroll there."""
        chosen: list[Hashable] = []
        if self.picking:
            for zone in self.picking.view.zones:
                chosen += [(zone.name, i) for i, card in enumerate(zone.cards) if card and card in self.picking.picked]
                if zone.seat == self.picking.view.seat and zone.kind == "hand":
                    chosen += [(zone.name, i) for i in self.picking.chosen]
        for name in CHOSEN:
            part = self.query_one(name, Field)
            part.mark(self.cursor if self.question else None, chosen)
            at = next((place for place in part.places if place.key == self.cursor), None)
            if at is not None and isinstance(part.parent, VerticalScroll):
                self.call_after_refresh(_into_sight, part.parent, at.line)

    # Drawing

    @property
    def beside(self) -> bool:
        """Whether there is room for the side panel."""
        return self.size.width >= BESIDE

    def drawing(self, width: int = 0) -> GatheredLines:
        """Something to draw on, as wide as the table."""
        lines = GatheredLines(self.names, self.look, width or self.size.width - (PANEL if self.beside else 0) - 1)
        lines.aids, lines.boxed = self.session.aids, self.size.width >= BOXES[0] and self.size.height >= BOXES[1]
        return lines

    def redraw(self) -> None:
        """Draw everything."""
        if not self.query("#small"):
            return
        small = self.size.width < WIDTH or self.size.height < HEIGHT
        for name in ("#head", "#body", "#foot"):
            self.query_one(name).display = not small
        self.query_one("#small").display = small
        if small:
            self._too_small()
            return
        covered = bool(self.opened) and not self.beside
        self.query_one("#left").display = not covered
        self.query_one("#beside").display = covered or self.beside
        self.query_one("#beside").set_class(covered, "-whole")
        self._head()
        self._foot()
        self._table()
        self._choices()
        self._settle()
        self._marks()
        self._notes()
        self._panel()

    def _too_small(self) -> None:
        lines = self.drawing(max(20, self.size.width))
        size, least = f"{self.size.width}×{self.size.height}", f"{WIDTH}×{HEIGHT}"
        lines.say(Message("The window is {size}; the table needs {least}. Make it larger.", size=size, least=least))
        lines.say(Message("Ctrl-C saves the match and leaves."))
        self.query_one("#small", Field).show(lines.lines)

    def _head(self) -> None:
        """The game, the deal and the scores."""
        lines = self.drawing(self.size.width)
        title = lines.words(title_of(self.session.m))
        if self.view and len(self.names) > 1:
            scores = zip(lines.names, self.view.scores, strict=True)
            standing = " · ".join(f"{name} {score}" for name, score in scores)
            if len(title) + len(standing) + 4 <= self.size.width:
                title.append(" " * (self.size.width - 2 - len(title) - len(standing))).append(standing)
        self.query_one("#head", Field).show([Text(" ").append_text(title).append(" " * self.size.width)])

    def _foot(self) -> None:
        """The keys that there is room for; they can be clicked."""
        line = Text(" ")
        for key, name in KEYS:
            item = stop(
                Text(tr(key), style="bold").append(" ").append(tr(name, context="key"), style="not bold"), ("key", key)
            )
            if len(line) + len(item) + 2 <= self.size.width:
                line.append_text(item).append("  ")
        self.query_one("#foot", Field).show([line])

    def _table(self) -> None:
        """The table or the sheet, the hand, and what happened last where the log has no room."""
        table, hand, recent = self.drawing(), self.drawing(), self.drawing()
        for draw in self.sheets:
            draw(table)
        if self.view is not None:
            if not self.sheets:
                table.middle(self.view)
                table.seats(self.view, own=False)
                hand.seats(self.view, others=False)
            if not self.beside:
                recent.events(self.log_of[-3:])
        self.query_one("#table", Field).show(table.lines)
        self.query_one("#hand", Field).show(hand.lines)
        room = 0 if self.beside else 2 if self.size.height < 24 else 3
        shown = ([Text()] * room + recent.lines)[-room or len(recent.lines) :]
        self.query_one("#recent", Field).show(shown)

    def _choices(self) -> None:
        """What can be chosen from a list, and the line to type in."""
        lines, asked = self.drawing(), self.question
        items: list[Text] = []
        if asked and asked.kind == "move" and self.picking:
            if self.picking.spread:
                lines.add(self._pots(lines))
            numbers = {text: number for number, text in self.session.choices.all()}
            offers = self.picking.offers()
            if not self.picking.begun:  # else the best comes first
                offers.sort(key=lambda offer: numbers.get(offer.text, 0))
            named = [lines.words(offer.named) for offer in offers]
            alike = Counter(words.plain for words in named)
            for offer, words in zip(offers, named, strict=True):
                number = f"{numbers[offer.text]} " if numbers.get(offer.text) else ""
                typed = f"{offer.text} " if alike[words.plain] > 1 else ""  # from which of two columns, for instance
                items.append(stop(Text(number + typed, style="dim").append_text(words), ("choice", offer.text)))
        elif asked:
            items = [stop(Text(answer), ("choice", text)) for text, answer in _answers(asked.kind)]
        if items:
            lines.in_columns(items)
        for line in barred(asked.view.refused) if asked and asked.view else ():
            lines.say(lines.words(line), "dim", indent=2, hang=2)
        self.query_one("#choice", Field).show(lines.lines)
        self.query_one("#choices").display = bool(lines.lines)
        prompt = self.session.prompt(asked.view) if asked and asked.view else ">" if asked else ""
        self.query_one("#prompt", Static).update(Text(f" {prompt} "))

    def _pots(self, lines: GatheredLines) -> Text:
        """The pots on which chips are spread, each with what takes one away and what adds one."""
        assert self.picking
        assert self.picking.spread
        line = Text(" ")
        for i, name in enumerate(self.picking.spread.on):
            zone = zone_named(self.picking.view.zones, name)
            label = lines.words(zone.label) if zone else Text(name)
            line.append_text(label).append(" ").append_text(stop(Text(" − "), ("put", i, -1)))
            line.append(f" {self.picking.chips[i]} ", style="bold").append_text(stop(Text(" + "), ("put", i, 1)))
            line.append("   ")
        return line

    def _notes(self) -> None:
        """The item at the cursor, and the latest messages."""
        lines = self.drawing()
        if self.question and self.question.message:
            lines.say(self.question.message, "bold", indent=1, hang=2)
        elif self.question and self.picking and self.question.kind == "move":
            if prompt := self.picking.view.prompt:
                lines.say(lines.written(prompt.ask), "bold", indent=1, hang=2)
            lines.say(self._about() or "", "dim", indent=1, hang=2)
        for message, tone, sentence in self.notices:
            text = lines.written(message) if sentence else lines.words(message)
            lines.say(text, STYLES[tone][0], 1, 2)
        if self.thinks is not None:
            lines.say(Text(tr("Thinking ...")), "bold", indent=1)
        self.query_one("#notes", Field).show(lines.lines)

    def _about(self) -> Message | None:
        """What choosing the card at the cursor would do, or why it cannot be played."""
        match self.cursor:
            case (str(name), int(card)) if self.picking and card >= 0:
                zone = zone_named(self.picking.view.zones, name)
                if zone is None or self.picking.together:
                    return None
                if starts := self.picking.starts(zone, card):
                    return starts[0].label if len(starts) == 1 else None
                if zone.kind == "hand" and not self.picking.picked:
                    return self._why_not(zone.cards[card] or "")
        return None

    def _why_not(self, card: str) -> Message | None:
        """Why a card of the hand cannot be played."""
        refusal = self.session.m.why_not(card, self.session.me)
        if not isinstance(refusal, IllegalMove):
            return None
        return Message("{why}", why=Sentence(refusal.parts[1]))

    def _panel(self) -> None:
        """The log, the help or the rules."""
        width = PANEL - 3 if self.beside else self.size.width - 2
        lines = self.drawing(width)
        panel = self.query_one("#panel", Static)
        if self.opened == "rules":
            session = self.session
            page = rulebook_text.noted(session.rules_in(languages.current()), session.m.game)
            panel.update(rulebook_text.markdown(page))
            return
        if self.opened == "help":
            table_help.show(lines, self.session.m, self.session.ticking, keys=True)
        elif self.opened == "clauses":
            for line in self.clauses:
                lines.say(line, hang=2)
        else:
            if self.greeting:
                lines.say(self.greeting, "dim")
            for message in tell.lines(self.log_of):
                lines.say(lines.written(message), hang=2)
        panel.update(Text("\n").join(lines.lines))
        if self.opened in ("", "log"):
            self.call_after_refresh(self.query_one("#beside").scroll_end, animate=False)


def _answers(kind: str) -> list[tuple[str, str]]:
    """The answers to a question, with the input for each."""
    return {
        "yes": [("yes", tr("yes")), ("no", tr("no"))],
        "next": [("", tr("the next deal"))],
        "once": [("", tr("leave")), ("u", tr("take your last move back"))],
        "over": [("", tr("leave"))],
    }[kind]


def _into_sight(scroll: Any, line: int) -> None:
    """Scroll to a line if it is out of sight."""
    top, height = scroll.scroll_offset.y, scroll.size.height
    if not top <= line < top + height:
        scroll.scroll_to(y=max(0, line - height // 2), animate=False)
