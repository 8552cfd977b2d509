"""A person's match in the terminal, independent of its display: reads input, plays, saves, takes back.

It is shown by a face (`Face`): line by line (`line`), or on the whole screen (`fullscreen`).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from cardtable.base import languages
from cardtable.base.errors import BotError, CardtableError, IllegalMove, NoHint, NotationError, NothingToUndo, SaveError
from cardtable.base.faces import FRENCH
from cardtable.base.languages import tr
from cardtable.base.message import ENGLISH, Language, Message, Moves, Sentence, mark
from cardtable.cli import saves
from cardtable.cli.common import FILE, INTERRUPTED
from cardtable.cli.terminal import keys
from cardtable.cli.terminal.choices import Choices
from cardtable.cli.terminal.screen import Look

if TYPE_CHECKING:
    from cardtable.match.history import DealResult
    from cardtable.match.match import Match
    from cardtable.rules.events import Event
from cardtable.views.view import View

PACE = 0.25  #: seconds between the others' moves, on a terminal


class PersonLeft(Exception):
    """The person has left; the match is saved, unless they discarded it."""


#: styles of messages: the answer to an input, a refusal, an error or a remark
Tone = Literal["answer", "refusal", "error", "note"]


class Face(Protocol):
    """Shows one match. What asks the person returns what they typed or chose, in the notation of moves and commands.

    What asks or pauses raises KeyboardInterrupt if the person stops, and EOFError if nothing more can be typed.
    """

    session: Session
    live: bool  #: interactive: pauses and questions make sense

    def __init__(self, names: Sequence[str], look: Look) -> None:
        """names: of the seats, from `tell.names_for`."""

    def run(self, session: Session) -> None:
        """Play a match to its end."""

    def greet(self) -> None:
        """Show the name of the game."""

    def say(self, message: Message, tone: Tone, *, sentence: bool = True) -> None:
        """Show a message. sentence: it begins with a capital letter."""

    def farewell(self, message: Message, *, tone: Tone = "answer", command: str = "", apart: bool = True) -> None:
        """Show the last message before the person leaves, and a command below it. apart: leave a blank line before
        it."""

    def events(self, events: Sequence[Event]) -> None:
        """Show the events of a move."""

    def table(self, view: View) -> None:
        """Show the table."""

    def turn(self, view: View) -> None:
        """Show the table to the person whose turn it is, and what they may do."""

    def ask(self, view: View) -> str:
        """Ask for a move or a command."""

    def within(self, view: View, seconds: float) -> str | None:
        """Ask for a move until some seconds are over; "": no choice; None: stop the clock."""

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
        """Work out an answer that takes a moment, and show it."""

    def pause(self, seconds: float) -> str:
        """Wait before another player's move; return the input in the meantime."""

    def yes_or_no(self, question: Message) -> str:
        """Ask a question with the answers yes or no."""

    def sheet(self, result: DealResult) -> None:
        """Show the end of a deal."""

    def next_deal(self) -> str:
        """Wait until the person asks for the next deal or types something else."""

    def once_more(self) -> str:
        """Ask at the end of a game for one whether to take the last move back."""

    def summary(self) -> None:
        """Show the end of the match."""


class Session:
    """One match of a person. `sitting`: the people at the table; `record`: its file; `face`: its display.

    `speed`: moves a second of the others, or ticks in a game with ticks; None: the default pace, and ticks wait for the
    person. `behind`: the process that compiles the game, if it is not compiled.
    """

    def __init__(
        self,
        m: Match,
        sitting: saves.Sitting,
        record: str | None,
        face: Face,
        behind: Any = None,
        speed: float | None = None,
    ) -> None:
        from cardtable.bots import bot

        self.m, self.sitting, self.record, self.face, self.behind = m, sitting, record, face, behind
        self.me = sitting.seat
        self.pace = 1 / speed if speed else PACE
        self.ticking = bool(m.game.wait) and face.live and speed is not None  # the clock does not wait for the person
        self.bots = {seat: bot(sitting.level, seed=f"{m.seed} {seat}") for seat in range(m.seats) if seat != self.me}
        self.log: list[Event] = []  #: of this deal
        self.marks: list[int] = []  #: length of the log before each of the person's moves in this deal
        self.rounds = 0
        self.choices = Choices([])  #: the person's legal moves
        self.faces = FRENCH  #: of the cards that the person types
        self.aids = False  #: whether aids to the memory are shown
        self.asked = False  #: whether the person has been asked for a move; until then the others do not pause
        face.session = self

    def run(self) -> None:
        """Play to the end of the match, or until the person leaves. Raises SystemExit if the match ends before that."""
        try:
            self.face.greet()
            self._tell()
            while True:
                self._deals()
                if not self._once_more():
                    break
            if self.record:
                self._save()
            self.face.summary()
        except PersonLeft:
            return
        except (BrokenPipeError, BotError):  # the output pipe is closed, or a third-party bot has failed
            if self._has_played():
                self._keep()
            raise
        except KeyboardInterrupt:
            self._leave(Message("Stopped."), INTERRUPTED)
        except EOFError:
            self._leave(Message("The input has ended before the match."), 0)

    def _deals(self) -> None:
        """Play to the end of the match."""
        m = self.m
        while not m.over:
            if not m.actors:
                self._sheet()
                m.next_deal()
                self.log.clear()
                self.marks.clear()
                self._tell()
            elif self.me in m.actors:
                self._ask()
            else:
                self._bot(m.actors[0])
        if m.deals[-1].result:
            self._sheet(last=True)

    def _once_more(self) -> bool:
        """At the end of a game for one, ask whether to take back the last move; return whether that was done."""
        if self.m.seats > 1 or self.me is None or not self.face.live:
            return False
        if self.face.once_more().lower() not in ("u", "undo"):
            return False
        return self._undo("")

    # Leaving

    def _has_played(self) -> bool:
        """Whether there is something to save: a choice of the person's, or a file was named for the match."""
        return bool(self.record) or any(not act.forced and self.me in (act.seat, None) for act in self.m.moves)

    def _leave(self, why: Message, code: int) -> None:
        """Save the match at the end of the input or when the person stops, then report it."""
        farewell = self.face.farewell
        if not self._has_played():
            farewell(Message("{why} Nothing was played, so nothing is kept.", why=why))
            raise SystemExit(code)
        error = self._keep()
        if error is None:
            farewell(self._saved_note(Message("{why} The match is saved.", why=why)), command=self._resuming())
            raise SystemExit(code)
        elsewhere = saves.rescue(self.m, self.sitting)
        if elsewhere:
            self.record = elsewhere
            farewell(Message("{why} {error}", why=why, error=error.message), tone="error")
            what = self._saved_note(Message("The match is saved in another place instead."))
            farewell(what, command=self._resuming(), apart=False)
        else:
            farewell(Message("{why} The match is lost. {error}", why=why, error=error.message), tone="error")
        raise SystemExit(code or FILE)

    def _keep(self) -> SaveError | None:
        """Save the match in its file, or in a new one in the data directory; return the error, if any."""
        try:
            file = self.record or str(saves.place(self.m.game))
            saves.save(self.m, file, self.sitting)
        except SaveError as error:
            return error
        self.record = file
        return None

    def _saved_note(self, what: Message) -> Message:
        """The message after the match is saved; the command follows."""
        return Message("{what} Continue with:", what=what)

    def _resuming(self) -> str:
        """The command that continues the match."""
        return f"cardtable play --resume {shlex.quote(str(self.record))}"

    def _save(self) -> bool:
        """Save the match in its file; return whether that worked. If not, the match continues."""
        if error := self._keep():
            what, why, _ = error.parts
            self.face.say(Message("{what}: {why}. The match continues.", what=what, why=why), "error")
            how = Message("q FILE saves it in another file and leaves; discard leaves without saving.")
            self.face.say(how, "error", sentence=False)
        return error is None

    def _quit(self, file: str = "") -> None:
        """Save the match, to a file if one is given, and leave; if saving fails, the match continues."""
        if file:
            try:
                path = saves.named(file)
                saves.claim(path, self._agreed)
            except SaveError as error:
                self.face.say(
                    Message("{file}: {why}. Name another file.", file=file[:200], why=error.parts[1]), "refusal"
                )
                return
            before, self.record = self.record, str(path)
            if not self._save():
                self.record = before
                return
        elif not self._save():
            return
        self.face.farewell(self._saved_note(Message("The match is saved.")), command=self._resuming(), apart=False)
        raise PersonLeft

    def _discard(self) -> None:
        """Leave without saving, after asking at a terminal; a file of the match stays as it was saved last."""
        lost = (
            Message("Leave, and lose what was played since it was saved last?")
            if self.record
            else Message("Leave, and lose the match?")
        )
        if not self.face.live or self._agreed(lost):
            raise PersonLeft

    def _agreed(self, question: Message) -> bool:
        """Ask a person at a terminal for yes or no; without a terminal the answer is no."""
        return self.face.live and keys.yes(self.face.yes_or_no(question))

    def leaves(self, text: str) -> bool:
        """Whether a text asks to leave (`q`, `q FILE`, `discard`), but that was not possible.

        Raises PersonLeft if it was.
        """
        word, _, rest = text.partition(" ")
        if word.lower() in ("q", "quit", "exit"):
            self._quit(rest.strip())
        elif text.lower() == "discard":
            self._discard()
        else:
            return False
        return True

    # Turns

    def _tell(self) -> None:
        events = [event.seen_by(self.me) for event in self.m.events]
        self.log += events
        self.face.events(events)
        if self.behind is not None and not self.behind.running:
            failed = self.behind.error
            done = Message("{game} is compiled now; the bots think for themselves.", game=Message(self.m.game.title))
            broken = Message("Compiling failed ({why}): the rules still run as plain Python.", why=failed[:200])
            self.face.say(broken if failed else done, "note")
            self.behind = None

    def _sheet(self, last: bool = False) -> None:
        """Show the end of a deal; wait for Enter."""
        self.face.sheet(self.m.results[-1])
        while self.face.live and not last and self.leaves(self.face.next_deal()):
            pass

    def _bot(self, seat: int) -> None:
        if self.me is None and self.face.live and self.rounds % self.m.seats == 0:
            self.face.table(self.m.view(None))
        self.rounds += 1
        if self.face.live and not (self.ticking and self.rounds % self.m.seats):  # a tick is one move of each seat
            typed = self.face.pause(self.pace if self.me is None or self.asked and not self.ticking else 0)
            if typed and self.leaves(typed):
                return
        self.m.play(self.bots[seat].choose(self.m.view(seat)), seat)
        self._tell()

    def _ask(self) -> None:
        """Ask for a move until one is made."""
        view = self.m.view(self.me)
        self.asked = True
        self.choices = Choices.of(view)
        self.face.turn(view)
        if self.ticking and self._tick(view):
            return
        while not self.answer(self.face.ask(view), view):
            pass

    def prompt(self, view: View) -> str:
        """The person's prompt."""
        if self.m.game.wait in view.legal:
            return tr("your move (Enter: {wait})>", wait=self.m.game.wait)
        return tr("your move>")

    def _tick(self, view: View) -> bool:
        """Wait for a move until the tick is over, then play it; False: the person stops the clock, or it is refused."""
        move = self.face.within(view, self.pace)
        return move is not None and self.play(move or self.m.game.wait)

    def answer(self, text: str, view: View) -> bool:
        """Handle an input; return whether the table has changed."""
        text = self.faces.notation(text)
        word, _, rest = text.partition(" ")
        command, whole = word.lower(), text.lower()
        if not text and self.m.game.wait in view.legal:
            return self.play(self.m.game.wait)
        if text in view.legal:
            return self.play(text)
        if not text:
            self.face.moves(view)
        elif word.startswith("?") or command == "help":
            self._help((word[1:] if word.startswith("?") else "") + rest.strip())
        elif whole in ("h", "hint"):
            self._hint(view)
        elif whole in ("a", "anything") and self.m.game.outlook:
            self.face.say(self.m.outlook(self.me).message, "answer", sentence=False)
        elif whole in ("w", "winnable") and self.m.game.solvable:
            self._winnable()
        elif whole in ("l", "log"):
            self.face.happened()
        elif whole in ("t", "table"):
            self.face.table(view)
            self.face.moves(view)
        elif whole in ("m", "moves"):
            self.face.every_move()
        elif whole in ("i", "aids"):
            self.aids = not self.aids
            self.face.table(view)
            on, off = Message("Memory aids are shown, which are a help."), Message("Memory aids are not shown.")
            self.face.say(on if self.aids else off, "answer")
        elif command in ("u", "undo"):
            return self._undo(rest.strip())
        elif self.leaves(text):
            pass
        elif whole == "resign":
            return self._resign()
        elif text.isdecimal():
            if text.isascii() and (move := self.choices.move(text)):
                return self.play(move)
            self.face.say(self.choices.why_no(text), "refusal")
        else:
            return self.play(text)
        return False

    def play(self, text: str) -> bool:
        """Play a move of the person; return False if it is refused."""
        try:
            self.m.play(text, self.me)
        except CardtableError as error:
            self.face.say(refused(error), "refusal")
            return False
        self.marks.append(len(self.log))
        self._tell()
        if self.record:
            self._save()
        return True

    def _resign(self) -> bool:
        """Give up the match, after asking at a terminal; return whether that was done."""
        assert self.me is not None
        if self.face.live and not self._agreed(Message("Give up the match?")):
            return False
        self.m.resign(self.me)
        self.face.say(Message("You give up the match."), "answer")
        return True

    def _undo(self, how_many: str) -> bool:
        """Take back the person's last moves, with everything after the first of them; return whether that was done."""
        chosen = [act for act in self.m.moves if not act.forced]
        mine = [i for i, act in enumerate(chosen) if act.seat == self.me]
        steps = (
            int(how_many) if how_many.isdecimal() and how_many.isascii() and len(how_many) < 6 else 0 if how_many else 1
        )
        if not 1 <= steps <= len(mine):
            made = Message("you have made {n} {n:move|moves}", n=len(mine))
            refusal = NothingToUndo(
                f"undo {how_many[:20]}".rstrip(), made, Message("write u, or u and a number up to {n}", n=len(mine))
            )
            self.face.say(refusal.message if mine else Message("nothing to undo yet."), "refusal")
            return False
        self.m.undo(len(chosen) - mine[-steps])
        mark = 0
        for _ in range(steps):
            mark = self.marks.pop() if self.marks else 0
        del self.log[mark:]
        back = Moves(", ".join(chosen[i].move for i in mine[-steps:]))
        said = (
            Message("{move} is taken back.", move=back) if steps == 1 else Message("Taken back: {moves}.", moves=back)
        )
        self.face.say(said, "answer")
        if self.record:
            self._save()
        return True

    # Questions

    def _help(self, what: str) -> None:
        """Answer `?`, `? rules`, `?` with a rule ID, or `? 9C`."""
        from cardtable.cli import rulebook_text

        if not what:
            self.face.help()
        elif what.lower() in ("rule", "rules"):
            self.face.rules(self.rules_in(languages.current()))
        elif clauses := rulebook_text.clauses(self.m.game, what, self.rules_in(ENGLISH)):
            self.face.clauses(clauses)
        else:
            self._why(what)

    def rules_in(self, language: Language) -> str:
        """The rules at this table, as Markdown."""
        return self.m.game.rules_here(self.m.rules, self.m.options, self.m.seats, language)

    def _why(self, move: str) -> None:
        """Explain why a move is not legal now."""
        refusal = self.m.why_not(move, self.me)
        if isinstance(refusal, NotationError):
            none = mark("The page of {game} has no {text}, nor is it a move. ? rules shows the page.")
            self.face.say(Message(none, game=Message(self.m.game.title), text=move[:20]), "refusal")
        elif refusal:
            self.face.say(refused(refusal), "refusal")
        else:
            self.face.say(Message("You may play {move}.", move=Moves(move)), "answer")

    def _hint(self, view: View) -> None:
        """Show the move that search would play, or the heuristic while the rules run as plain Python."""
        from cardtable.bots import bot
        from cardtable.cli.terminal.hint import hint, with_reason
        from cardtable.precompile import plain, ready

        if self.m.game.guide is not None:
            try:
                self.face.say(Message("{advice}", advice=Sentence(view.advice([view.guided()]).says)), "answer")
            except NoHint as none:
                self.face.say(refused(none), "answer")
        elif len(view.legal) == 1:
            self.face.say(Message("{move} is the only move.", move=Moves(view.legal[0])), "answer")
        elif plain() or not ready(self.m.game):
            why = self._uncompiled
            advised = bot("medium", seed=0).choose(view)
            told = Message("A medium bot's move: {move} ({why}).", move=Moves(advised), why=why)
            self.face.say(with_reason(view, advised, told), "answer")
        else:
            self.face.think(lambda: hint(view))

    def _winnable(self) -> None:
        """Show whether the game can still be won, using the hidden cards."""
        from cardtable.precompile import plain, ready
        from cardtable.review import winnable

        if plain() or not ready(self.m.game):
            self.face.say(Message("{told}.", told=self._uncompiled), "answer")
        else:
            s = self.m.snapshot()  # the person may continue to play
            self.face.think(lambda: winnable.told(winnable.still(self.m.game, s)))

    @property
    def _uncompiled(self) -> Message:
        """Why there is no search."""
        compiling = self.behind is not None
        return Message("search is still being compiled") if compiling else Message("search is not compiled")


def refused(error: CardtableError) -> Message:
    """The reason why a move is not legal, and what is."""
    if isinstance(error, IllegalMove):
        what, why, can = error.parts
        return Message("{what}: {why}. {can}", what=what, why=why, can=Sentence(can))
    return error.message
