"""The full screen as a face of a match. The match runs in its own thread and waits there for the person; the screen
(`stage.Stage`) stays responsive.
"""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cardtable.base.message import Message
from cardtable.cli.terminal import tell
from cardtable.cli.terminal.screen import Look, Screen, console
from cardtable.cli.terminal.session import Tone
from cardtable.cli.terminal.stage import ScreenQuestion, Stage, leaves

if TYPE_CHECKING:
    from cardtable.cli.terminal.session import Session
    from cardtable.match.history import DealResult
    from cardtable.rules.events import Event
    from cardtable.views.view import View


class FullScreenFace:
    """A match on the whole screen."""

    live = True
    session: Session

    def __init__(self, names: Sequence[str], look: Look) -> None:
        """names: of the seats, from `tell.names_for`."""
        self.names, self.look = names, look
        self._typed: queue.Queue[str | type[BaseException]] = queue.Queue()
        self._early = ""  #: the person's input between two ticks, which the next one takes
        self._closed = threading.Event()
        self._last: list[Callable[[Screen], None]] = []  #: printed after the screen is left
        self._ended: BaseException | None = None
        self._over = False
        self.stage: Stage

    def run(self, session: Session) -> None:
        """Play a match to its end, and print the last words below what stood in the terminal before."""
        self.open(session).run()
        self.close()

    def open(self, session: Session) -> Stage:
        """The screen of a match; when it runs, the match begins."""
        self.stage = Stage(session, self.names, self.look, self._reply, self._start)
        return self.stage

    def close(self) -> None:
        """End the match if it has not ended, then print the last words. Raises SystemExit if it was not played out."""
        self.interrupt(KeyboardInterrupt)
        self._thread.join()
        below = Screen(console(), self.names, self.look)
        for say in self._last:
            say(below)
        if self._ended is not None:
            raise self._ended

    def _start(self) -> None:
        self._thread = _thread("match", self._play)
        self._thread.start()

    def _play(self) -> None:
        try:
            self.session.run()
        except BaseException as error:  # raised again where the program ends
            self._ended = error
        self._closed.set()
        self.stage.call_later(self.stage.exit)

    def interrupt(self, why: type[BaseException]) -> None:
        """Stop the match as soon as it asks for something."""
        if not self._closed.is_set():
            self._closed.set()
            self._typed.put(why)

    def _reply(self, text: str | type[BaseException]) -> None:
        """The person's input or choice."""
        if isinstance(text, str):
            self._typed.put(text)
        else:
            self.interrupt(text)

    def _take(self, seconds: float | None = None) -> str | None:
        """The next input, within some time (None: no limit)."""
        try:
            text = self._typed.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(text, str):
            return text
        raise text

    def _do(self, show: Callable[..., Any], *what: Any) -> None:
        """Run a display function in the screen's own thread."""
        self.stage.call_later(show, *what)

    def _asked(self, question: ScreenQuestion) -> str:
        self._do(self.stage.put_question, question)
        text = self._take()
        assert text is not None
        return text

    # Output

    def greet(self) -> None:
        """Write the name of the game to the log."""
        self._do(self.stage.greet, tell.greeting(self.session.m))

    def say(self, message: Message, tone: Tone, *, sentence: bool = True) -> None:
        """Say something below the hand."""
        self._do(self.stage.notice, message, tone, sentence)

    def farewell(self, message: Message, *, tone: Tone = "answer", command: str = "", apart: bool = True) -> None:
        """Keep the last words until the screen has been left."""
        self._last.append(lambda screen: screen.say(message, style="red" if tone == "error" else ""))
        if command:
            self._last.append(lambda screen: screen.whole(f"  {command}"))

    def events(self, events: Sequence[Event]) -> None:
        """Show what happened, and the table after it."""
        self._do(self.stage.happened, list(self.session.log), self._view())

    def _view(self) -> View:
        view = self.session.m.view(self.session.me)
        _ = view.zones, view.choices, view.refused  # created in this thread, while the match does not change
        return view

    def happened(self) -> None:
        """Open the log."""
        self._do(self.stage.open_panel, "log")

    def help(self) -> None:
        """Open the help."""
        self._do(self.stage.open_panel, "help")

    def rules(self, page: str) -> None:
        """Open the rules."""
        self._do(self.stage.open_panel, "rules")

    def clauses(self, clauses: Sequence[str]) -> None:
        """Show some of the rules in the panel."""
        self._do(self.stage.open_panel, "clauses", list(clauses))

    # Turns

    def table(self, view: View) -> None:
        """Show the table instead of any sheet."""
        self._do(self.stage.open_panel, "")

    def turn(self, view: View) -> None:
        """Show the table and the legal moves."""
        _ = view.zones, view.choices, view.refused
        self._do(self.stage.happened, list(self.session.log), view)

    def moves(self, view: View) -> None:
        """The moves are on the screen."""

    def every_move(self) -> None:
        """The moves are on the screen."""

    def ask(self, view: View) -> str:
        """Ask for a move."""
        return self._asked(ScreenQuestion("move", view))

    def within(self, view: View, seconds: float) -> str | None:
        """Ask for a move until some seconds are over. Any other input stops the clock, and is handled then."""
        self._do(self.stage.put_question, ScreenQuestion("move", view))
        text, self._early = self._early or self._take(seconds), ""
        if text is None or text in view.legal:
            return text or ""
        self._typed.put(text)
        return None

    def think(self, answer: Callable[[], Message]) -> None:
        """Work out an answer in the background: the person may play on, in which case it is not shown."""
        turn = len(self.session.m.moves)
        self._do(self.stage.thinking, turn)

        def work() -> None:
            self._do(self.stage.answered, turn, answer())

        _thread("hint", work).start()

    def pause(self, seconds: float) -> str:
        """Wait before another player's move. What does not ask to leave is an answer that missed its tick."""
        text = self._take(max(seconds, 0.001)) or ""
        if text and not leaves(text):
            self._early, text = text, ""
        return text

    def yes_or_no(self, question: Message) -> str:
        """Ask a question."""
        return self._asked(ScreenQuestion("yes", message=question))

    # The end

    def sheet(self, result: DealResult) -> None:
        """Show the end of a deal instead of the table; discard moves that came too late."""
        self._early = ""
        late = [self._typed.get_nowait() for _ in range(self._typed.qsize())]
        for each in late:
            if not isinstance(each, str) or leaves(each):
                self._typed.put(each)
        view = self._view()
        self._do(self.stage.put_sheet, lambda page: page.sheet(self.session.m, result, view))

    def next_deal(self) -> str:
        """Wait until the person wants the next deal."""
        return self._asked(ScreenQuestion("next"))

    def once_more(self) -> str:
        """Show the end of the match, and ask whether to take the last move back."""
        self._over = True
        self._do(self.stage.put_sheet, lambda page: page.summary(self.session.m))
        return self._asked(ScreenQuestion("once"))

    def summary(self) -> None:
        """Show the end of the match until the person leaves; it stays in the terminal then."""
        m = self.session.m
        self._last.append(lambda screen: screen.summary(m))
        if self._over:
            return
        self._do(self.stage.add_sheet, lambda page: page.summary(m))
        self._asked(ScreenQuestion("over"))


def _thread(name: str, work: Callable[[], None]) -> threading.Thread:
    """A thread in which rules that run as plain Python overflow as silently as in this one: NumPy keeps that with the
    context.
    """
    return threading.Thread(target=contextvars.copy_context().run, args=(work,), name=name, daemon=True)
