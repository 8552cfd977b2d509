"""The line mode: a match is printed line by line, and moves are read line by line. For pipes, screen readers, simple
terminals and people who prefer it.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from cardtable.base import platform
from cardtable.base.languages import tr
from cardtable.base.message import Message
from cardtable.cli.common import at_terminal
from cardtable.cli.terminal import keys, tell
from cardtable.cli.terminal.choices import barred
from cardtable.cli.terminal.screen import Look, Screen, console, page
from cardtable.cli.terminal.session import Tone

if TYPE_CHECKING:
    from cardtable.cli.terminal.session import Session
    from cardtable.match.history import DealResult
    from cardtable.rules.events import Event
    from cardtable.views.view import View

RECENT = 5  #: events that are still shown when the next tick is drawn
#: style and indent of messages
STYLES: dict[Tone, tuple[str, int]] = {
    "answer": ("", 1),
    "refusal": ("yellow", 1),
    "error": ("red", 1),
    "note": ("dim", 0),
}


class LineFace:
    """A match in lines of text."""

    session: Session

    def __init__(self, names: Sequence[str], look: Look) -> None:
        """names: of the seats, from `tell.names_for`."""
        self.live = at_terminal()
        self.echo = not sys.stdin.isatty()  # show moves from a pipe as well
        self.screen = Screen(console(), names, look)

    def run(self, session: Session) -> None:
        """Play a match to its end. Closing the terminal also saves the match."""
        for number in platform.ENDING:
            signal.signal(number, signal.default_int_handler)
        if self.live:
            platform.edit_lines()
        session.run()

    def line(self, prompt: str) -> str:
        """A line that is typed."""
        if not self.echo:
            return keys.line(prompt)
        sys.stdout.write(prompt)
        sys.stdout.flush()
        with keys.hearing():
            line = sys.stdin.readline()
        self.screen.say(line.strip()[:200])
        if not line:
            raise EOFError
        return line.strip()

    # Output

    def greet(self) -> None:
        """Print the name of the game."""
        self.screen.say(tell.greeting(self.session.m))
        if self.session.me is not None:
            self.screen.say(Message("? for help"), style="dim")

    def say(self, message: Message, tone: Tone, *, sentence: bool = True) -> None:
        """Print a message."""
        style, indent = STYLES[tone]
        text = self.screen.written(message) if sentence else self.screen.words(message)
        self.screen.say(text, style, indent, 2 if tone == "answer" else 0)

    def farewell(self, message: Message, *, tone: Tone = "answer", command: str = "", apart: bool = True) -> None:
        """Print the last message; a command is not wrapped."""
        if apart:
            self.screen.say()
        self.screen.say(message, style=STYLES[tone][0])
        if command:
            self.screen.whole(f"  {command}")

    def events(self, events: Sequence[Event]) -> None:
        """Write what happened; where a clock runs, it stands below the next table."""
        if not self.session.ticking:
            self.screen.events(events)

    def happened(self) -> None:
        """Write what happened in this deal."""
        self.screen.events(self.session.log)

    def help(self) -> None:
        """Write the help for this match."""
        from cardtable.cli.terminal import table_help

        table_help.show(self.screen, self.session.m, self.session.ticking)

    def rules(self, page_: str) -> None:
        """Show the rules in a pager."""
        from cardtable.cli import rulebook_text

        text = rulebook_text.noted(page_, self.session.m.game)
        page(rulebook_text.markdown(text)) if self.live else click.echo(text)

    def clauses(self, clauses: Sequence[str]) -> None:
        """Write some of the rules."""
        for line in clauses:
            self.screen.say(line, indent=2, hang=2)

    # Turns

    def table(self, view: View) -> None:
        """Draw the table."""
        self.screen.aids = self.session.aids
        self.screen.table(self.session.m, view)

    def turn(self, view: View) -> None:
        """Draw the table; where a clock runs, over the last one, and with the latest events."""
        if self.session.ticking:
            self.screen.console.clear()
        self.table(view)
        if self.session.ticking:
            self.screen.events(self.session.log[-RECENT:])
        self.moves(view)

    def moves(self, view: View) -> None:
        """Write the prompt, the legal moves, in the room on the screen below the table, and the forbidden moves."""
        closed = barred(view.refused)
        used = self.screen.height + 3 + bool(view.prompt) + len(closed)
        room = max(3, shutil.get_terminal_size().lines - used) if self.live else 0
        if view.prompt:
            self.screen.say(self.screen.written(view.prompt.ask), indent=1)
        self.screen.moves(self.session.choices, tell.how(view), room)
        for line in closed:
            self.screen.say(self.screen.words(line), style="dim", indent=2, hang=2)

    def every_move(self) -> None:
        """Write all legal moves."""
        self.screen.every_move(self.session.choices)

    def ask(self, view: View) -> str:
        """Ask for a move."""
        return self.line(f" {self.session.prompt(view)} ")

    def within(self, view: View, seconds: float) -> str | None:
        """The move whose first letter is pressed in time; any other key stops the clock."""
        key = keys.key_within(seconds, f"{tr('first letter of a move; any other key stops the clock')} > ")
        fits = [move for move in view.legal if key and move.startswith(key.lower())]
        if key and not fits:
            return None
        return fits[0] if len(fits) == 1 else ""

    def think(self, answer: Callable[[], Message]) -> None:
        """Work out an answer, with a note for a person at a terminal meanwhile."""
        if self.live:
            sys.stdout.write(f" {tr('Thinking ...')}")
            sys.stdout.flush()
        try:
            message = answer()
        finally:
            if self.live:
                sys.stdout.write("\r\x1b[K" if os.environ.get("TERM", "dumb") != "dumb" else "\n")
        self.say(message, "answer")

    def pause(self, seconds: float) -> str:
        """Wait before another player's move."""
        time.sleep(seconds)
        return ""

    def yes_or_no(self, question: Message) -> str:
        """Ask a question."""
        return self.line(f" {keys.asked(question)} > ")

    # The end

    def sheet(self, result: DealResult) -> None:
        """Write the end of a deal."""
        session = self.session
        if session.ticking:
            self.screen.events(session.log[-RECENT:])
        self.screen.sheet(session.m, result, session.m.view(session.me))

    def next_deal(self) -> str:
        """Wait for Enter."""
        return self.line(f" {tr('Enter: the next deal')}  ")

    def once_more(self) -> str:
        """Ask whether to take the last move back."""
        return self.line(f" {tr('u: take your last move back; Enter: leave')}  ")

    def summary(self) -> None:
        """Write the end of the match."""
        self.screen.summary(self.session.m)
