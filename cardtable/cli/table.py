"""One match in the terminal, turn by turn: reads what is typed, and shows what happens."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardtable.cli import keys, saves
from cardtable.cli.choices import Choices, barred, meanings
from cardtable.cli.common import FILE, INTERRUPTED
from cardtable.errors import CardtableError, IllegalMove, NotationError, NothingToUndo, SaveError
from cardtable.languages import tr
from cardtable.message import Message, Moves, Sentence, mark

if TYPE_CHECKING:
    from cardtable.cli.screen import Screen
    from cardtable.events import Event
    from cardtable.match import Match
from cardtable.view import View
from cardtable.zones import NOTHING, Actions

PACE = 0.25  #: seconds between the others' moves, on a terminal
RECENT = 5  #: events that are still shown when the next tick is drawn


def asked(question: Message) -> str:
    """A question with the answers yes or no."""
    return tr("{question} yes or no", question=question)


def live() -> bool:
    """Whether a person is at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


class Left(Exception):
    """The person has left; the match is saved, unless they discarded it."""


class Table:
    """One match in the terminal. `sitting`: who sits at it; `record`: the file it is kept in.

    `speed`: moves a second of the others, or ticks in a game with ticks; None: the default pace, and ticks wait for the
    person.
    """

    def __init__(
        self,
        m: Match,
        sitting: saves.Sitting,
        record: str | None,
        colours: int,
        behind: Any,
        speed: float | None = None,
    ) -> None:
        from cardtable.bots import bot
        from cardtable.cli import screen, tell

        self.m, self.sitting, self.record, self.behind = m, sitting, record, behind
        self.me = me = sitting.seat
        self.live = live()
        self.echo = not sys.stdin.isatty()  # moves from a pipe are shown, too
        self.pace = 1 / speed if speed else PACE
        self.ticking = bool(m.game.wait) and self.live and speed is not None  # the clock does not wait for the person
        if self.live:
            import readline  # noqa: F401  (lines can be edited and recalled)
        self.screen: Screen = screen.Screen(screen.console(), tell.names_for(m.seats, me, sitting.name), colours)
        self.bots = {seat: bot(sitting.level, seed=f"{m.seed} {seat}") for seat in range(m.seats) if seat != me}
        self.log: list[Event] = []  #: of this deal
        self.marks: list[int] = []  #: length of the log before each of the person's moves in this deal
        self.rounds = 0
        self.choices = Choices([])  #: what the person may play now
        self.asked = False  #: whether the person has been asked for a move; until then the others do not pause

    def run(self) -> None:
        """Play to the end of the match, or until the person leaves."""
        m = self.m
        for name in ("SIGHUP", "SIGTERM"):  # closing the terminal saves the match, too
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.default_int_handler)
        try:
            self._greet()
            self._tell()
            while True:
                self._deals()
                if not self._once_more():
                    break
            self.screen.summary(m)
            if self.record:
                self._save()
        except Left:
            return
        except BrokenPipeError:  # nobody reads our output any more
            if self._has_played():
                self._keep()
            raise
        except KeyboardInterrupt:
            self._leave(Message("Stopped."), INTERRUPTED)
        except EOFError:
            self._leave(Message("The input has ended before the match."), 0)

    def _greet(self) -> None:
        """Say what is played."""
        m, say = self.m, self.screen.say
        title, summary = Message(m.title), Message(m.game.summary)
        say(
            Message(
                "{title}: {summary}. {n} {n:seat|seats}, seed {seed}.",
                title=title,
                summary=summary,
                n=m.seats,
                seed=m.seed,
            )
        )
        if self.me is not None:
            say(Message("? for help"), style="dim")

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
        if self.m.seats > 1 or self.me is None or not self.live:
            return False
        if self._input(f" {tr('u: take your last move back; Enter: leave')}  ").lower() not in ("u", "undo"):
            return False
        return self._undo("")

    # Leaving

    def _has_played(self) -> bool:
        """Whether there is something to save: a choice of the person's, or a file was named for the match."""
        return bool(self.record) or any(not act.forced and self.me in (act.seat, None) for act in self.m.moves)

    def _leave(self, why: Message, code: int) -> None:
        """The input has ended, or the person wants to stop: save the match first, then say so."""
        if not self._has_played():
            self.screen.say()
            self.screen.say(Message("{why} Nothing was played, so nothing is kept.", why=why))
            raise SystemExit(code)
        error = self._keep()
        self.screen.say()
        if error is None:
            self._kept(Message("{why} The match is saved.", why=why))
            raise SystemExit(code)
        elsewhere = saves.rescue(self.m, self.sitting)
        if elsewhere:
            self.record = elsewhere
            self.screen.say(Message("{why} {error}", why=why, error=error.message), style="red")
            self._kept(Message("The match is saved in another place instead."))
        else:
            self.screen.say(Message("{why} The match is lost. {error}", why=why, error=error.message), style="red")
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

    def _kept(self, what: Message) -> None:
        """Say that the match is saved, and how to continue it; the command is not wrapped."""
        self.screen.say(Message("{what} Continue with:", what=what))
        self.screen.whole(f"  cardtable play --resume {shlex.quote(str(self.record))}")

    def _save(self) -> bool:
        """Save the match in its file; return whether that worked. If it does not, the match goes on."""
        if error := self._keep():
            what, why, _ = error.parts
            self.screen.say(Message("{what}: {why}. The match goes on.", what=what, why=why), style="red", indent=1)
            how = Message("q FILE saves it in another file and leaves; discard leaves without saving.")
            self.screen.say(self.screen.words(how), style="red", indent=1)
        return error is None

    def _quit(self, file: str = "") -> None:
        """Save the match, in a file if one is named, and leave; if it cannot be saved, it goes on."""
        if file:
            try:
                saves.claim(Path(file).expanduser(), self._agreed)
            except SaveError as error:
                self.screen.say(
                    Message("{file}: {why}. Name another file.", file=file[:200], why=error.parts[1]),
                    style="yellow",
                    indent=1,
                )
                return
            before, self.record = self.record, str(Path(file).expanduser())
            if not self._save():
                self.record = before
                return
        elif not self._save():
            return
        self._kept(Message("The match is saved."))
        raise Left

    def _discard(self) -> None:
        """Leave without saving, after asking at a terminal; a file of the match stays as it was saved last."""
        lost = (
            Message("Leave, and lose what was played since it was saved last?")
            if self.record
            else Message("Leave, and lose the match?")
        )
        if not self.live or self._agreed(lost):
            raise Left

    def _agreed(self, question: Message) -> bool:
        """Ask a person at a terminal for yes or no; without a terminal the answer is no."""
        return self.live and keys.yes(self._input(f" {asked(question)} > "))

    def _left(self, text: str) -> bool:
        """Whether the text asks to leave (`q`, `q FILE`, `discard`), but that was not possible.

        Raises Left if it was.
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

    def _input(self, prompt: str) -> str:
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

    def _tell(self) -> None:
        events = [event.seen_by(self.me) for event in self.m.events]
        self.log += events
        if not self.ticking:
            self.screen.events(events)
        if self.behind is not None and not self.behind.running:
            failed = self.behind.error
            done = Message("{game} is compiled now; the bots think for themselves.", game=Message(self.m.game.title))
            broken = Message("Compiling failed ({why}): the rules go on running as plain Python.", why=failed[:200])
            self.screen.say(broken if failed else done, style="dim")
            self.behind = None

    def _sheet(self, last: bool = False) -> None:
        """Show the end of a deal; wait for Enter."""
        if self.ticking:
            self.screen.events(self.log[-RECENT:])
        self.screen.sheet(self.m, self.m.results[-1], self.m.view(self.me))
        while self.live and not last and self._left(self._input(f" {tr('Enter: the next deal')}  ")):
            pass

    def _bot(self, seat: int) -> None:
        if self.me is None and self.live and self.rounds % self.m.seats == 0:
            self._draw(self.m.view(None))
        self.rounds += 1
        if self.live and not (self.ticking and self.rounds % self.m.seats):  # a tick is one move of each seat
            time.sleep(self.pace if self.me is None or self.asked and not self.ticking else 0)
        self.m.play(self.bots[seat].choose(self.m.view(seat)), seat)
        self._tell()

    def _draw(self, view: View) -> None:
        """Draw the table; where a clock runs, in place of the last one, and with the latest events."""
        if self.ticking:
            self.screen.console.clear()
        self.screen.table(self.m, view)
        if self.ticking:
            self.screen.events(self.log[-RECENT:])

    def _ask(self) -> None:
        """Ask for a move until one is made."""
        view = self.m.view(self.me)
        self.asked = True
        self.choices = Choices(view.legal, meanings(view.choices))
        self._draw(view)
        self._moves(view)
        if self.ticking and self._tick(view):
            return
        prompt = (
            tr("your move (Enter: {wait})>", wait=self.m.game.wait)
            if self.m.game.wait in view.legal
            else tr("your move>")
        )
        prompt = f" {prompt} "
        while not self._answer(self._input(prompt), view):
            pass

    def _moves(self, view: View) -> None:
        """Show what is asked, the legal moves, in the room on the screen below the table, and what is not allowed."""
        closed = barred(view.refused)
        used = self.screen.height + 3 + bool(view.prompt) + len(closed)
        room = max(3, shutil.get_terminal_size().lines - used) if self.live else 0
        if view.prompt:
            self.screen.say(self.screen.written(view.prompt.ask), indent=1)
        how = next(
            (fact.message for zone in view.zones if isinstance(zone, Actions) for fact in zone.told(self.me)), NOTHING
        )
        self.screen.moves(self.choices, how, room)
        for line in closed:
            self.screen.say(self.screen.words(line), style="dim", indent=2, hang=2)

    def _tick(self, view: View) -> bool:
        """Wait for a key until the tick is over, then play it; return False if the key stops the clock, or the move is
        refused.
        """
        key = keys.key_within(self.pace, f"{tr('first letter of a move; any other key stops the clock')} > ")
        fits = [move for move in view.legal if key and move.startswith(key.lower())]
        if key and not fits:
            return False
        return self._play(fits[0] if len(fits) == 1 else self.m.game.wait)

    def _answer(self, text: str, view: View) -> bool:
        """Do what was typed; return whether the table has changed."""
        word, _, rest = text.partition(" ")
        command, whole = word.lower(), text.lower()
        if not text and self.m.game.wait in view.legal:
            return self._play(self.m.game.wait)
        if text in view.legal:
            return self._play(text)
        if not text:
            self._moves(view)
        elif word.startswith("?") or command == "help":
            self._help((word[1:] if word.startswith("?") else "") + rest.strip())
        elif whole in ("h", "hint"):
            self._hint(view)
        elif whole in ("a", "anything") and self._outlook:
            self.screen.say(self.screen.words(self._outlook(view.state, view.seat).message), indent=1, hang=2)
        elif whole in ("l", "log"):
            self.screen.events(self.log)
        elif whole in ("t", "table"):
            self.screen.table(self.m, view)
            self._moves(view)
        elif whole in ("m", "moves"):
            self.screen.every_move(self.choices)
        elif command in ("u", "undo"):
            return self._undo(rest.strip())
        elif self._left(text):
            pass
        elif whole == "resign":
            return self._resign()
        elif text.isdecimal():
            if text.isascii() and (move := self.choices.move(text)):
                return self._play(move)
            self.screen.say(self.choices.why_no(text), style="yellow", indent=1)
        else:
            return self._play(text)
        return False

    def _play(self, text: str) -> bool:
        """Play a move of the person; return False if it is refused."""
        try:
            self.m.play(text, self.me)
        except CardtableError as error:
            self._refuse(error)
            return False
        self.marks.append(len(self.log))
        self._tell()
        if self.record:
            self._save()
        return True

    def _refuse(self, error: CardtableError) -> None:
        """Say why a move is not possible, and what is."""
        message = error.message
        if isinstance(error, IllegalMove):
            what, why, can = error.parts
            message = Message("{what}: {why}. {can}", what=what, why=why, can=Sentence(can))
        self.screen.say(self.screen.written(message), style="yellow", indent=1)

    def _resign(self) -> bool:
        """Give up the match, after asking at a terminal; return whether that was done."""
        assert self.me is not None
        if self.live and not self._agreed(Message("Give the match up?")):
            return False
        self.m.resign(self.me)
        self.screen.say(Message("You give the match up."), indent=3)
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
            self.screen.say(
                self.screen.written(refusal.message if mine else Message("nothing to undo yet.")),
                style="yellow",
                indent=1,
            )
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
        self.screen.say(said, indent=1, hang=2)
        if self.record:
            self._save()
        return True

    # Questions

    @property
    def _outlook(self) -> Any:
        """The game's function that says whether anything useful is left; None if it has none."""
        return self.m.game.outlook

    def _help(self, what: str) -> None:
        """Answer `?`, `? rules`, `?` with a rule ID, or `? 9C`."""
        from cardtable.cli import helping, rules
        from cardtable.cli.screen import page

        game, here = self.m.game, self.m.game.rules_here(self.m.rules, self.m.options, self.m.seats)
        if not what:
            helping.show(self.screen, self.m, self.ticking)
        elif what.lower() in ("rule", "rules"):
            page(rules.markdown(here)) if self.live else click.echo(here)
        elif clauses := rules.clauses(game, what, here):
            for line in clauses:
                self.screen.say(line, indent=2, hang=2)
        else:
            self._why(what)

    def _why(self, move: str) -> None:
        """Say why a move cannot be made now."""
        refusal = self.m.why_not(move, self.me)
        if isinstance(refusal, NotationError):
            none = mark("The page of {game} has no {text}, nor is it a move. ? rules shows the page.")
            self.screen.say(Message(none, game=Message(self.m.game.title), text=move[:20]), style="yellow", indent=1)
        elif refusal:
            self._refuse(refusal)
        else:
            self.screen.say(Message("You may play {move}.", move=Moves(move)), indent=1)

    def _hint(self, view: View) -> None:
        """Say what search would play, or the heuristic while the rules run as plain Python."""
        from cardtable.bots import bot
        from cardtable.cli.hint import hint
        from cardtable.warm import plain, ready

        say = self.screen.say
        if len(view.legal) == 1:
            say(Message("{move} is the only move.", move=Moves(view.legal[0])), indent=1)
        elif plain() or not ready(self.m.game):
            why = (
                Message("search is still being compiled")
                if self.behind is not None
                else Message("search is not compiled")
            )
            say(
                Message("By rule of thumb: {move} ({why}).", move=Moves(bot("simple", seed=0).choose(view)), why=why),
                indent=1,
            )
        else:
            say(self._thinking(lambda: hint(view)), indent=1, hang=2)

    def _thinking(self, answer: Callable[[], Message]) -> Message:
        """Work out an answer that takes a moment, with a note for a person at a terminal."""
        if self.live:
            sys.stdout.write(f" {tr('Thinking ...')}")
            sys.stdout.flush()
        try:
            return answer()
        finally:
            if self.live:
                sys.stdout.write("\r\x1b[K" if os.environ.get("TERM", "dumb") != "dumb" else "\n")
