"""One match in the terminal: turn by turn, what was typed and what is told."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from cardtable.cli import FILE, INTERRUPTED, kept, keys
from cardtable.errors import CardtableError, IllegalMove, NothingToUndo, SaveError

if TYPE_CHECKING:
    from cardtable.cli.screen import Screen
    from cardtable.match import Match
    from cardtable.view import Event, View

PACE = 0.25  #: seconds between the others' moves, on a terminal
HINT = "search:5000"
RECENT = 5  #: acts that are still told when the next tick is drawn


def live() -> bool:
    """Whether a person sits at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


class Left(Exception):
    """The person has put the match aside."""


class Table:
    """One match in the terminal. `me` is the person's seat, None if bots are watched; `record` the file it is kept in.

    `speed`: the others' moves a second, in a game of ticks its ticks; None: a usual pace, and ticks wait for the person.
    """

    def __init__(self, m: Match, me: int | None, level: str, record: str | None, colours: int, behind: Any, speed: float | None = None) -> None:
        from cardtable.bots import bot
        from cardtable.cli import screen, tell

        self.m, self.me, self.level, self.record, self.behind = m, me, level, record, behind
        self.live = live()
        self.echo = not sys.stdin.isatty()  # a pipe's moves stand on the screen, too
        self.pace = 1 / speed if speed else PACE
        self.ticking = bool(m.game.wait) and self.live and speed is not None  # the clock does not wait for the person
        if self.live:
            import readline  # noqa: F401  (lines can be edited and recalled)
        self.screen: Screen = screen.Screen(screen.console(), tell.names_for(m.seats, me), colours)
        self.bots = {seat: bot(level, seed=f"{m.seed} {seat}") for seat in range(m.seats) if seat != me}
        self.log: list[Event] = []  #: of this deal
        self.marks: list[int] = []  #: how long the log was before each of the person's moves in this deal
        self.rounds = 0
        self.asked = False  #: whether the person has been asked for a move: until then nobody is waited for

    def run(self) -> None:
        """Play to the end of the match, or until somebody leaves."""
        m, say = self.m, self.screen.say
        for name in ("SIGHUP", "SIGTERM"):  # a terminal that is closed keeps the match, too
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.default_int_handler)
        say(f"{m.title}: {m.game.summary}. {m.seats} seat{'s' * (m.seats != 1)}, seed {m.seed}.")
        if self.me is not None:
            say("? for help", style="dim")
        try:
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
        except KeyboardInterrupt:
            self._leave("Stopped.", INTERRUPTED)
        except EOFError:
            self._leave("The input has ended before the match.", 0)

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
        """At the end of a game for one, whether the last move is taken back after all."""
        if self.m.seats > 1 or self.me is None or not self.live:
            return False
        if self._input(" u: take your last move back; Enter: leave  ").lower() not in ("u", "undo"):
            return False
        return self._undo("")

    # Leaving

    def _leave(self, why: str, code: int) -> None:
        """The input is over or somebody wants to stop: keep the match first, then say so."""
        mine = [act for act in self.m.moves if not act.forced and self.me in (act.seat, None)]
        if not self.record and not mine:
            self.screen.say(f"\n{why} Nothing was played, so nothing is kept.")
            raise SystemExit(code)
        error = self._keep()
        self.screen.say()
        if error:
            self.screen.say(f"{why} The match is not kept. {error}", style="red")
            raise SystemExit(code or FILE)
        self._kept(why)
        raise SystemExit(code)

    def _keep(self) -> SaveError | None:
        """Put the match into its file, or if it has none, into one of the data directory; what went wrong."""
        try:
            file = self.record or str(kept.place(self.m.game))
            kept.save(self.m, file, self.me, self.level)
        except SaveError as error:
            return error
        self.record = file
        return None

    def _kept(self, why: str) -> None:
        """Say where the match is, and how to go on with it; the command stays in one piece."""
        self.screen.say(f"{why} The match is kept. Go on with it:")
        self.screen.whole(f"  cardtable play --resume {shlex.quote(str(self.record))}")

    def _save(self) -> bool:
        """Keep the match in its file; a full disk ends no match."""
        if error := self._keep():
            self.screen.say(str(error), style="red", indent=1)
        return error is None

    def _quit(self) -> None:
        """Put the match aside; if that fails, the match goes on."""
        if self._save():
            self._kept("Put aside.")
            raise Left

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
            done = f"{self.m.game.title} is compiled now; the bots think for themselves."
            self.screen.say(f"Compiling failed ({failed[:200]}): the rules go on running as plain Python." if failed else done, style="dim")
            self.behind = None

    def _sheet(self, last: bool = False) -> None:
        """The end of a deal; wait for Enter."""
        if self.ticking:
            self.screen.events(self.log[-RECENT:])
        self.screen.sheet(self.m, self.m.results[-1], self.m.view(self.me))
        if self.live and not last and self._input(" Enter: the next deal  ").lower() in ("q", "quit"):
            self._quit()

    def _bot(self, seat: int) -> None:
        if self.me is None and self.live and self.rounds % self.m.seats == 0:
            self._draw(self.m.view(None))
        self.rounds += 1
        if self.live and not (self.ticking and self.rounds % self.m.seats):  # a tick is a move of each
            time.sleep(self.pace if self.me is None or self.asked and not self.ticking else 0)
        self.m.play(self.bots[seat].choose(self.m.view(seat)), seat)
        self._tell()

    def _draw(self, view: View) -> None:
        """The table; where a clock runs, in place of the last one, with what has just happened."""
        if self.ticking:
            self.screen.console.clear()
        self.screen.table(self.m, view)
        if self.ticking:
            self.screen.events(self.log[-RECENT:])

    def _ask(self) -> None:
        """Ask for a move until one is made."""
        view = self.m.view(self.me)
        self.asked = True
        self._draw(view)
        self.screen.moves(view.legal)
        if self.ticking and self._tick(view):
            return
        prompt = f" your move (Enter: {self.m.game.wait})> " if self.m.game.wait in view.legal else " your move> "
        while not self._answer(self._input(prompt), view):
            pass

    def _tick(self, view: View) -> bool:
        """Wait for a key until the tick is over, then let it pass; False: the clock stands still for a question."""
        key = keys.key_within(self.pace, "first letter of a move; any other key stops the clock > ")
        fits = [move for move in view.legal if key and move.startswith(key.lower())]
        if key and not fits:
            return False
        return self._play(fits[0] if len(fits) == 1 else self.m.game.wait)

    def _answer(self, text: str, view: View) -> bool:
        """Do what was typed; whether the table has changed."""
        word, _, rest = text.partition(" ")
        command, whole = word.lower(), text.lower()
        if not text and self.m.game.wait in view.legal:
            return self._play(self.m.game.wait)
        if text in view.legal:
            return self._play(text)
        if not text:
            self.screen.moves(view.legal)
        elif word.startswith("?") or command == "help":
            self._help((word[1:] if word.startswith("?") else "") + rest.strip())
        elif whole in ("h", "hint"):
            self._hint(view)
        elif whole in ("a", "anything") and self._outlook:
            self.screen.say(self._outlook(view.state, view.seat).text, indent=1, hang=2)
        elif whole in ("l", "log"):
            self.screen.events(self.log)
        elif whole in ("t", "table"):
            self.screen.table(self.m, view)
            self.screen.moves(view.legal)
        elif command in ("u", "undo"):
            return self._undo(rest.strip())
        elif whole in ("q", "quit", "exit"):
            self._quit()
        elif whole == "resign":
            return self._resign()
        elif text.isdecimal():
            if text.isascii() and len(text) < 5 and 1 <= int(text) <= len(view.legal):
                return self._play(view.legal[int(text) - 1])
            self.screen.say(f"There is no move {text[:20]}: choose 1 to {len(view.legal)}, or write a move.", style="yellow", indent=1)
        else:
            return self._play(text)
        return False

    def _play(self, text: str) -> bool:
        """Play a move of the person; False: refused."""
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
        """Why a move is not possible, and what is."""
        from cardtable.cli import tell

        text = str(error)
        if isinstance(error, IllegalMove):
            rule = f" ({error.rule})" if error.rule else ""
            may = ", ".join(error.legal[:12]) + (", …" if len(error.legal) > 12 else "")
            text = f"You may not play {error.move}: {error.reason}{rule}. You may: {may}"
        self.screen.say(tell.refusal(text, self.screen.names), style="yellow", indent=1)

    def _resign(self) -> bool:
        """Give the match up, if a person at a terminal means it."""
        assert self.me is not None
        if self.live and self._input(" Give the match up? yes or no > ").lower() not in ("y", "yes"):
            return False
        self.m.resign(self.me)
        self.screen.say("You give the match up.", indent=3)
        return True

    def _undo(self, how_many: str) -> bool:
        """Take back the person's last moves and all that followed the first of them."""
        chosen = [act for act in self.m.moves if not act.forced]
        mine = [i for i, act in enumerate(chosen) if act.seat == self.me]
        steps = int(how_many) if how_many.isdecimal() and how_many.isascii() and len(how_many) < 6 else 0 if how_many else 1
        if not 1 <= steps <= len(mine):
            made = f"you have made {len(mine)} move{'s' * (len(mine) != 1)}" if mine else "you have made no move yet"
            can = f"write u, or u and a number up to {len(mine)}" if mine else "play on"
            self.screen.say(str(NothingToUndo(f"undo {how_many[:20]}".rstrip(), made, can)), style="yellow", indent=1)
            return False
        self.m.undo(len(chosen) - mine[-steps])
        mark = 0
        for _ in range(steps):
            mark = self.marks.pop() if self.marks else 0
        del self.log[mark:]
        back = ", ".join(chosen[i].move for i in mine[-steps:])
        self.screen.say(f"{back} is taken back." if steps == 1 else f"Taken back: {back}.", indent=1, hang=2)
        if self.record:
            self._save()
        return True

    # Questions

    @property
    def _outlook(self) -> Any:
        """The game's answer to whether anything useful is left, if it knows one."""
        return self.m.game.outlook

    def _help(self, what: str) -> None:
        """`?`, `? rules`, `? FT-25` or `? 9C`."""
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
        """Why a move cannot be made now."""
        try:
            refusal = self.m.why_not(move, self.me)
        except CardtableError:
            self.screen.say(f"The page of {self.m.game.title} has no {move[:20]}, nor is it a move. ? rules shows the page.", style="yellow", indent=1)
            return
        if refusal:
            self._refuse(refusal)
        else:
            self.screen.say(f"You may play {move}.", indent=1)

    def _hint(self, view: View) -> None:
        """The search's opinion, or where the rules run as plain Python the rule of thumb's."""
        from cardtable.bots import analyse, bot
        from cardtable.warm import plain, ready

        assert view.seat is not None
        say, words = self.screen.say, self.m.game.words
        if len(view.legal) == 1:
            say(f"{view.legal[0]} is the only move.", indent=1)
        elif plain() or not ready(self.m.game):
            why = "search is still being compiled" if self.behind is not None else "search is not compiled"
            say(f"By rule of thumb: {bot('simple', seed=0).choose(view)} ({why}).", indent=1)
        else:
            found = analyse(self.m.game, view.state, view.seat, HINT)
            tried = sorted((value for value in found.values if value.visits), key=lambda value: (value.move != found.best, -value.mean))
            opinion = ", ".join(f"{words.move_text(view.state, value.move)} {value.mean:+.1f}" for value in tried[:8])
            say(f"{words.move_text(view.state, found.best)} looks best. What this deal should bring you: {opinion}", indent=1, hang=2)
