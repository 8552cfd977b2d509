"""`play`: a match in the terminal or through a pipe."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardtable.cli import INTERRUPTED, house_rules, kept, table_options
from cardtable.errors import CardtableError, IllegalMove, NothingToUndo, OptionError, SaveError

if TYPE_CHECKING:
    from cardtable.cli.screen import Screen
    from cardtable.match import Match
    from cardtable.view import Event

PACE = 0.25  #: seconds between the others' moves, on a terminal
HINT = "search:5000"
LEVEL = "search"  #: the bots', if none is named
HELP = """\
A number or a card plays it. Where a turn allows, several at once: 8S 6S done.
?        this help
? rules  the rulebook page; ? FT-25 one clause of it; ? 9C why not the 9C
h        a hint: what a bot would play
u        take your last move back
l        what happened so far in this deal
t        the table again
q        put the match aside and leave; it can be resumed"""


@click.command()
@click.argument("game", required=False)
@table_options
@click.option(
    "--bot", "level", default=LEVEL, show_default=True, metavar="LEVEL", help="Your opponents: random, simple, flat or search; search:20000 thinks longer."
)
@click.option("--seat", default="0", show_default=True, metavar="K", help="Your seat; none: watch the bots.")
@click.option("--record", type=click.Path(), metavar="FILE", help="Keep the match in a file, saved after each of your moves.")
@click.option("--resume", is_flag=False, flag_value="", metavar="[FILE]", help="Go on with a match that was put aside: the latest, or the one in FILE.")
@click.option("--colours", type=click.Choice(["2", "4"]), default="4", show_default=True, help="Colours of the suits (none with NO_COLOR=1).")
def play(game: str | None, seats: int | None, preset: str | None, house: tuple[str, ...], seed: str | None, level: str, seat: str, record: str | None,
         resume: str | None, colours: str) -> None:  # fmt: skip
    """Play GAME in the terminal, against bots.

    Moves are read line by line, so a program or a pipe can play too. When the input ends in mid-match, the match is kept
    in the --record file (exit code 0), or lost if there is none (exit code 1).
    """
    from cardtable import catalog
    from cardtable.bots import parse_level

    parse_level(level)
    found = catalog.find(game) if game else None
    named = seats is not None or preset is not None or bool(house) or seed is not None
    if resume is not None and named:
        raise OptionError(
            "--resume with --seats, --rules, --set or --seed",
            "a match goes on as it began",
            "leave these out, or start a new match",
            code="options/combination",
        )
    path = None if resume is None else Path(resume) if resume else kept.latest(found)
    if found and path is None and not named and record is None and _live():
        path = _offer(found)
    if path is not None:
        m, behind = _resumed(path, found)
        if record is None or Path(record).resolve() == path.resolve():
            record = str(path)
        elif notice := kept.claim(Path(record)):
            click.echo(notice, err=True)
    elif found is None:
        raise OptionError("play", "no game is named", "write for instance: cardtable play fan-tan (cardtable games lists them)")
    else:
        from cardtable.match import Match

        _, seats, _ = found.options.make(preset, seats, house_rules(house))  # refuse before anything is compiled
        _seat(seat, seats)
        if record and (notice := kept.claim(Path(record))):
            click.echo(notice, err=True)
        behind = _compile_behind(found)
        m = Match(found, seats, preset, seed, pause=True, **house_rules(house))
    table = Table(m, _seat(seat, m.seats), level, record, int(colours), behind)
    table.run()


def _live() -> bool:
    """Whether a person sits at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _resumed(path: Path, game: Any) -> tuple[Match, Any]:
    """The match in a file, ready to go on."""
    from cardtable import catalog
    from cardtable.record import Record

    saved = Record.load(path)
    found = catalog.find(str(saved.keys.get("game", "")))
    if game is not None and game is not found:
        raise OptionError(
            f"--resume {path}", f"the file is a match of another game: {found.name}", f"write: cardtable play --resume {path}", code="options/combination"
        )
    behind = _compile_behind(found)
    m = saved.replay()
    m.pause = True
    return m, behind


def _offer(game: Any) -> Path | None:
    """Ask whether to go on with the match of this game that was put aside, if there is one."""
    for path in kept.unfinished(game):
        record = kept.read(path)
        assert record
        when = time.strftime("%d %B, %H:%M", time.localtime(path.stat().st_mtime)).lstrip("0")
        click.echo(f"You put a match of {game.title} aside on {when}, in deal {len(record.keys.get('deals', ()))}.")
        if input("Enter: go on with it; n: begin a new one > ").strip().lower() not in ("n", "no", "new"):
            return path
        return None
    return None


def _seat(text: str, seats: int) -> int | None:
    if text.lower() == "none":
        return None
    if not text.isdecimal() or len(text) > 2 or int(text) >= seats:
        raise OptionError(f"seat {text[:20]}", f"the seats are 0 to {seats - 1}", "name one of them, or none to watch", code="options/seats")
    return int(text)


def _compile_behind(game: Any) -> Any:
    """On a cold machine: rules run plainly at once, and everything is compiled by another process meanwhile."""
    from cardtable.warm import ready, warm_behind

    if ready(game):
        return None
    click.echo(
        f"The first match of {game.title} here: it is compiled in the background (once, about 20 seconds); until then the bots play by rule of thumb.", err=True
    )
    return warm_behind(game)


class Table:
    """One match in the terminal. `me` is the person's seat, None if bots are watched; `record` the file it is kept in."""

    def __init__(self, m: Match, me: int | None, level: str, record: str | None, colours: int, behind: Any) -> None:
        from cardtable.bots import bot
        from cardtable.cli import screen, tell

        self.m, self.me, self.level, self.record, self.behind = m, me, level, record, behind
        self.live = _live()
        self.echo = not sys.stdin.isatty()  # a pipe's moves stand on the screen, too
        if self.live:
            import readline  # noqa: F401  (lines can be edited and recalled)
        self.screen: Screen = screen.Screen(screen.console(), tell.names_for(m.seats, me), colours)
        self.bots = {seat: bot(level, seed=f"{m.seed} {seat}") for seat in range(m.seats) if seat != me}
        self.log: list[Event] = []  #: of this deal
        self.marks: list[int] = []  #: how long the log was before each of the person's moves in this deal
        self.rounds = 0

    def run(self) -> None:
        """Play to the end of the match, or until somebody leaves."""
        m, say = self.m, self.screen.say
        say(f"{m.game.title}: {m.game.summary}. {m.seats} seats, {m.rules} rules, seed {m.seed}.")
        if self.me is not None:
            say("? for help", style="dim")
        try:
            self._tell()
            while not m.over:
                if not m.actors:
                    self._sheet()
                    m.next_deal()
                    self.log.clear()
                    self.marks.clear()
                    self._tell()
                elif self.me in m.actors:
                    if not self._ask():
                        return
                else:
                    self._bot(m.actors[0])
            if m.results:
                self._sheet(last=True)
            self.screen.summary(m)
            if self.record:
                self._save()
        except KeyboardInterrupt:
            say()
            if self.record and self._save():
                self._kept("Stopped.")
            else:
                say("Stopped. The match is not kept.")
            raise SystemExit(INTERRUPTED) from None
        except EOFError:
            self._ended()

    def _ended(self) -> None:
        """The input is over before the match is."""
        say = self.screen.say
        say()
        if self.live and not self.record:
            self._quit()  # Ctrl-D of a person
        elif self.record and self._save():
            self._kept("The input has ended before the match.")
        else:
            say("The input has ended before the match, which is not kept." + ("" if self.record else " A file can be named with --record."))
            raise SystemExit(1)

    def _kept(self, why: str) -> None:
        """Say where the match is, and how to go on with it; the command stays in one piece."""
        seat = "none" if self.me is None else self.me
        more = (f" --seat {seat}" if seat else "") + (f" --bot {self.level}" if self.level != LEVEL else "")
        self.screen.say(f"{why} The match is kept. Go on with it:")
        self.screen.whole(f"  cardtable play --resume {shlex.quote(str(self.record))}{more}")

    def _input(self, prompt: str) -> str:
        line = input(prompt).strip()
        if self.echo:
            self.screen.say(line[:200])
        return line

    def _tell(self) -> None:
        events = [event.seen_by(self.me) for event in self.m.events]
        self.log += events
        self.screen.events(events)
        if self.behind is not None and not self.behind.running:
            failed = self.behind.error
            self.screen.say(
                f"Compiling failed ({failed[:200]}): the rules go on running as plain Python."
                if failed
                else f"{self.m.game.title} is compiled now; the bots think for themselves.",
                style="dim",
            )
            self.behind = None

    def _sheet(self, last: bool = False) -> None:
        """The end of a deal; wait for Enter."""
        self.screen.sheet(self.m, self.m.results[-1], self.m.view(self.me))
        if self.live and not last and self._input(" Enter: the next deal  ").lower() in ("q", "quit"):
            self._quit()
            raise SystemExit(0)

    def _bot(self, seat: int) -> None:
        if self.me is None and self.live and seat == self.m.actors[0] and self.rounds % self.m.seats == 0:
            self.screen.table(self.m, self.m.view(None))
        self.rounds += 1
        if self.live:
            time.sleep(PACE)
        self.m.play(self.bots[seat].choose(self.m.view(seat)), seat)
        self._tell()

    def _ask(self) -> bool:
        """Ask for a move until one is made; False: the match was put aside."""
        view = self.m.view(self.me)
        self.screen.table(self.m, view)
        self.screen.moves(view.legal)
        while True:
            answer = self._answer(self._input(" your move> "), view)
            if answer is not None:
                return answer

    def _answer(self, text: str, view: Any) -> bool | None:
        """Do what was typed. True: the table has changed; False: leave; None: ask again."""
        word, _, rest = text.partition(" ")
        command = word.lower()
        if not text:
            self.screen.moves(view.legal)
        elif word.startswith("?") or command == "help":
            self._help((word[1:] if word.startswith("?") else "") + rest.strip())
        elif text.lower() in ("h", "hint"):
            self._hint(view)
        elif text.lower() in ("l", "log"):
            self.screen.events(self.log)
        elif text.lower() in ("t", "table"):
            self.screen.table(self.m, view)
            self.screen.moves(view.legal)
        elif text.lower() in ("u", "undo"):
            return self._undo() or None
        elif text.lower() in ("q", "quit", "exit"):
            return None if not self._quit() else False
        elif text.isdecimal() and text not in view.legal:
            if text.isascii() and len(text) < 5 and 1 <= int(text) <= len(view.legal):
                return self._play(view.legal[int(text) - 1]) or None
            self.screen.say(f"There is no move {text[:20]}: choose 1 to {len(view.legal)}, or write a move.", style="yellow", indent=1)
        else:
            return self._play(text) or None
        return None

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
        text = str(error)
        if isinstance(error, IllegalMove):
            rule = f" ({error.rule})" if error.rule else ""
            may = ", ".join(error.legal[:12]) + (", …" if len(error.legal) > 12 else "")
            text = f"You may not play {error.move}: {error.reason}{rule}. You may: {may}"
        self.screen.say(text, style="yellow", indent=1)

    def _save(self) -> bool:
        """Keep the match in its file; a full disk ends no match."""
        assert self.record
        try:
            self.m.record().save(self.record)
        except SaveError as error:
            self.screen.say(str(error), style="red", indent=1)
            return False
        return True

    def _quit(self) -> bool:
        """Put the match aside; False: that failed, and the match goes on."""
        given, self.record = self.record, self.record or str(kept.place(self.m.game))
        if not self._save():
            self.record = given
            return False
        self._kept("Put aside.")
        return True

    def _undo(self) -> bool:
        """Take back the person's last move and all that followed."""
        chosen = [act for act in self.m.moves if not act.forced]
        mine = [i for i, act in enumerate(chosen) if act.seat == self.me]
        if not mine:
            self.screen.say(str(NothingToUndo("undo", "you have made no move yet", "play on")), style="yellow", indent=1)
            return False
        self.m.undo(len(chosen) - mine[-1])
        del self.log[self.marks.pop() if self.marks else 0 :]
        self.screen.say(f"{chosen[mine[-1]].move} is taken back.", indent=1)
        if self.record:
            self._save()
        return True

    def _help(self, what: str) -> None:
        """`?`, `? rules`, `? FT-25` or `? 9C`."""
        from cardtable.cli import rules
        from cardtable.cli.screen import page

        game = self.m.game
        if not what:
            for line in HELP.splitlines():
                self.screen.say(line, indent=2, hang=9)
        elif what.lower() in ("rule", "rules"):
            page(rules.markdown(game)) if self.live else click.echo(game.rulebook)
        elif clauses := rules.clauses(game, what):
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

    def _hint(self, view: Any) -> None:
        """The search's opinion, or while it is being compiled the rule of thumb's."""
        from cardtable.bots import analyse, bot
        from cardtable.kernel import Switch
        from cardtable.warm import ready

        say, words = self.screen.say, self.m.game.words
        if len(view.legal) == 1:
            say(f"{view.legal[0]} is the only move.", indent=1)
        elif Switch.plain or not ready(self.m.game):
            say(f"By rule of thumb: {bot('simple', seed=0).choose(view)} (search is still being compiled).", indent=1)
        else:
            found = analyse(self.m.game, view.state, view.seat, HINT)
            tried = sorted((value for value in found.values if value.visits), key=lambda value: (value.move != found.best, -value.mean))
            opinion = ", ".join(f"{words.move_text(view.state, value.move)} {value.mean:+.1f}" for value in tried[:8])
            say(f"{words.move_text(view.state, found.best)} looks best. What this deal should bring you: {opinion}", indent=1, hang=2)
