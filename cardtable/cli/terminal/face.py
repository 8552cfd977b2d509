"""What shows a match to a person, and asks them: the interface that the terminal's two ways of playing have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from cardtable.base.message import Message

if TYPE_CHECKING:
    from cardtable.cli.terminal.session import Session
    from cardtable.match.history import DealResult
    from cardtable.rules.events import Event
    from cardtable.views.view import View

#: how something is said: as the answer to what was typed, as a refusal, an error or a remark
Tone = Literal["answer", "refusal", "error", "note"]


class Face(Protocol):
    """Shows one match. What asks the person returns what they typed or chose, in the notation of moves and commands.

    What asks or pauses raises KeyboardInterrupt if the person stops, and EOFError if nothing more can be typed.
    """

    session: Session
    live: bool  #: a person is there: pauses and questions make sense

    def __init__(self, names: Sequence[str], colours: int) -> None:
        """names: of the seats, from `tell.names_for`; colours: of the suits, 2 or 4."""

    def run(self, session: Session) -> None:
        """Play a match to its end."""

    def greet(self) -> None:
        """Say what is played."""

    def say(self, message: Message, tone: Tone, *, sentence: bool = True) -> None:
        """Say something. sentence: it begins with a capital letter."""

    def farewell(self, message: Message, *, tone: Tone = "answer", command: str = "", apart: bool = True) -> None:
        """Say the last thing before the person leaves, and a command below it. apart: leave a line free before it."""

    def events(self, events: Sequence[Event]) -> None:
        """Show what a move brought about."""

    def table(self, view: View) -> None:
        """Show the table."""

    def turn(self, view: View) -> None:
        """Show the table to the person whose turn it is, and what they may do."""

    def ask(self, view: View) -> str:
        """Ask for a move or a command."""

    def within(self, view: View, seconds: float) -> str | None:
        """Ask for a move until some seconds are over; "": nothing was chosen; None: the clock is to stop."""

    def moves(self, view: View) -> None:
        """Show the moves again, as far as there is room."""

    def every_move(self) -> None:
        """Show all moves, however many they are."""

    def happened(self) -> None:
        """Show what happened in this deal."""

    def help(self) -> None:
        """Show the help for this match."""

    def rules(self, page: str) -> None:
        """Show the rules, as Markdown."""

    def clauses(self, clauses: Sequence[str]) -> None:
        """Show some of the rules."""

    def think(self, answer: Callable[[], Message]) -> None:
        """Work out an answer that takes a moment, and say it."""

    def pause(self, seconds: float) -> str:
        """Wait before another player's move; return what was typed meanwhile."""

    def yes_or_no(self, question: Message) -> str:
        """Ask a question with the answers yes or no."""

    def sheet(self, result: DealResult) -> None:
        """Show the end of a deal."""

    def next_deal(self) -> str:
        """Wait until the person wants the next deal, or types something else."""

    def once_more(self) -> str:
        """Ask at the end of a game for one whether to take the last move back."""

    def summary(self) -> None:
        """Show the end of the match."""
