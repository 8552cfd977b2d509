"""`play` and `replay`: the game in the terminal, and the check of a record."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardtable.cli import INTERRUPTED, as_json, options, table_options
from cardtable.errors import CardtableError, IllegalMove, NothingToUndo, OptionError, SaveError

if TYPE_CHECKING:
    from cardtable.cli.screen import Screen
    from cardtable.match import Match

PACE = 0.25  #: seconds between the others' moves, on a terminal
HINT = "search:5000"
HELP = """  A number or a card plays it (several at once where a turn allows: 8S 6S done).
  ? this help   ? rules: the rulebook page   ? FT-25: one rule
  h hint   u undo   l what happened   t the table again   q save and quit"""


def data_directory() -> Path:
    """Where matches that were put aside are kept: CARDTABLE_DATA, else the user's data directory."""
    if given := os.environ.get("CARDTABLE_DATA"):
        return Path(given).expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "cardtable"


@click.command()
@click.argument("game", required=False)
@table_options
@click.option(
    "--bot", "level", default="search", show_default=True, metavar="LEVEL", help="Your opponents: random, simple, flat or search; search:20000 thinks longer."
)
@click.option("--seat", default="0", show_default=True, metavar="K", help="Your seat; none: watch the bots.")
@click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Keep the match in a file, saved after each of your moves.")
@click.option("--resume", is_flag=False, flag_value="", metavar="[FILE]", help="Go on with a match that was put aside.")
@click.option("--colours", type=click.Choice(["2", "4"]), default="4", show_default=True, help="Colours of the suits.")
def play(game: str | None, seats: int | None, preset: str | None, house: tuple[str, ...], seed: str | None, level: str, seat: str, record: str | None,
         resume: str | None, colours: str) -> None:  # fmt: skip
    """Play GAME in the terminal, against bots."""
    from cardtable import catalog
    from cardtable.bots import parse_level

    parse_level(level)
    if resume is not None:
        from cardtable.record import Record

        path = Path(resume) if resume else _saved(game)
        saved = Record.load(path)
        found = catalog.find(str(saved.keys.get("game", "")))
        behind = _compile_behind(found)
        m = saved.replay()
        record = record or str(path)
    elif game is None:
        raise OptionError("play", "no game is named", "write for instance: cardtable play fan-tan (cardtable games lists them)")
    else:
        from cardtable.match import Match

        found = catalog.find(game)
        rules: dict[str, Any] = dict(options(house))
        found.options.make(preset, seats, rules)  # refuse before anything is compiled
        behind = _compile_behind(found)
        m = Match(found, seats, preset, seed, pause=True, **rules)
    m.pause = True
    Table(m, _seat(seat, m.seats), level, record, int(colours), behind, fresh=resume is None).run()


def _saved(game: str | None) -> Path:
    """The file of the match put aside: of a game, or the latest of all."""
    if game is not None:
        from cardtable import catalog

        return data_directory() / f"{catalog.find(game).name}.toml"
    files = sorted(data_directory().glob("*.toml"), key=lambda path: path.stat().st_mtime)
    if not files:
        raise OptionError("resume", "no match was put aside", "q in a match puts it aside", code="file/none")
    return files[-1]


def _seat(text: str, seats: int) -> int | None:
    if text.lower() == "none":
        return None
    if not text.isdecimal() or int(text) >= seats:
        raise OptionError(f"seat {text[:20]}", f"the seats are 0 to {seats - 1}", "name one of them, or none to watch", code="options/seats")
    return int(text)


def _compile_behind(game: Any) -> Any:
    """On a cold machine: rules run plainly at once, and everything is compiled by another process meanwhile."""
    from cardtable.warm import ready, warm_behind

    if ready(game):
        return None
    click.echo(
        f"The first game of {game.title} here: it is being compiled behind your back (once, some 20 seconds). Until then the bots play by rule of thumb.",
        err=True,
    )
    return warm_behind(game)


class Table:
    """One match in the terminal."""

    def __init__(self, m: Match, me: int | None, level: str, record: str | None, colours: int, behind: Any, fresh: bool) -> None:
        from cardtable.bots import bot
        from cardtable.cli import screen

        self.m, self.me, self.record, self.behind = m, me, record, behind
        self.live = sys.stdin.isatty() and sys.stdout.isatty()
        self.screen: Screen = screen.Screen(screen.console(), screen.names_for(m.seats, me), colours)
        self.bots = {seat: bot(level, seed=f"{m.seed} {seat}") for seat in range(m.seats) if seat != me}
        self.log: list[Any] = []
        self.fresh = fresh

    def run(self) -> None:
        """Play to the end of the match, or until somebody leaves."""
        m, say = self.m, self.screen.say
        say(f"{m.game.title}: {m.game.summary}. {m.seats} seats, {m.rules} rules, seed {m.seed}.")
        if self.me is not None:
            say("? for help.", style="dim")
        try:
            self._tell()
            while not m.over:
                if not m.actors:
                    self._sheet()
                    m.next_deal()
                    self._tell()
                elif m.actors[0] == self.me:
                    if not self._ask():
                        return
                else:
                    self._bot(m.actors[0])
            self._sheet(last=True)
            self.screen.summary(m)
            self._save()
        except (KeyboardInterrupt, EOFError) as stop:
            say()
            kept = self._save()
            if isinstance(stop, KeyboardInterrupt):
                say("Stopped." + (f" The match is kept in {self.record}." if kept else ""))
                raise SystemExit(INTERRUPTED) from None
            say(
                "The input has ended before the match was over."
                + (f" It is kept in {self.record}." if kept else " It was not kept: name a file with --record.")
            )
            raise SystemExit(1) from None

    def _tell(self) -> None:
        events = [event.seen_by(self.me) for event in self.m.events]
        self.log += events
        self.screen.events(events)

    def _sheet(self, last: bool = False) -> None:
        """The end of a deal; wait for Enter."""
        self.screen.sheet(self.m.results[-1], self.m.view(self.me))
        if self.live and not last:
            input(" Enter: next deal ")

    def _bot(self, seat: int) -> None:
        if self.live:
            time.sleep(PACE)
        self.m.play(self.bots[seat].choose(self.m.view(seat)), seat)
        self._tell()

    def _ask(self) -> bool:
        """Ask for a move until one is made; False: save and quit."""
        m, say = self.m, self.screen.say
        assert self.me is not None
        view = m.view(self.me)
        legal = view.legal
        self.screen.table(m, view)
        self.screen.moves(legal)
        while True:
            text = input(" your move> ").strip()
            word, _, rest = text.partition(" ")
            if not text:
                self.screen.moves(legal)
            elif word in ("?", "help"):
                self._help(rest.strip())
            elif text in ("h", "hint"):
                self._hint(view)
            elif text in ("l", "log"):
                self.screen.events(self.log[-40:])
            elif text in ("t", "table"):
                self.screen.table(m, view)
                self.screen.moves(legal)
            elif text in ("u", "undo"):
                if self._undo():
                    return True
            elif text in ("q", "quit", "exit"):
                return self._quit()
            elif text.isdecimal() and text not in legal:
                if 1 <= int(text) <= len(legal):
                    return self._play(legal[int(text) - 1])
                say(f" There is no move {text[:20]}: choose 1 to {len(legal)}, or write a move.", style="yellow")
            elif self._play(text):
                return True

    def _play(self, text: str) -> bool:
        """Play a move of mine; False: refused."""
        try:
            self.m.play(text, self.me)
        except IllegalMove as refusal:
            rule = f" ({refusal.rule})" if refusal.rule else ""
            self.screen.say(f" You may not play {refusal.move}: {refusal.reason}{rule}. You may: {', '.join(refusal.legal)}", style="yellow")
            return False
        except CardtableError as error:
            self.screen.say(f" {error}", style="yellow")
            return False
        self._tell()
        if self.record:
            self._save()
        return True

    def _save(self) -> bool:
        """Keep the match in its file, if it has one; a full disk ends no game."""
        if not self.record:
            return False
        try:
            self.m.record().save(self.record)
        except SaveError as error:
            self.screen.say(f" {error}", style="red")
            return False
        return True

    def _quit(self) -> bool:
        if not self.record:
            directory = data_directory()
            try:
                directory.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise SaveError(f"saving in {directory}", str(error.strerror), "name a file with --record") from None
            self.record = str(directory / f"{self.m.game.name}.toml")
        self.m.record().save(self.record)
        default = self.record == str(data_directory() / f"{self.m.game.name}.toml")
        self.screen.say(f" Kept in {self.record}. Go on with: cardtable play {self.m.game.name} --resume" + ("" if default else f" {self.record}"))
        return False

    def _undo(self) -> bool:
        """Take back my last move and all that followed."""
        chosen = [act for act in self.m.moves if not act.forced]
        mine = [i for i, act in enumerate(chosen) if act.seat == self.me]
        if not mine:
            self.screen.say(f" {NothingToUndo('undo', 'you have made no move yet', 'play on')}", style="yellow")
            return False
        self.m.undo(len(chosen) - mine[-1])
        self.screen.say(f" {chosen[mine[-1]].move} is taken back.")
        return True

    def _help(self, what: str) -> None:
        page = self.m.game.rulebook
        if what.lower() in ("rules", "rule"):
            click.echo_via_pager(page) if self.live else click.echo(page)
        elif what:
            rows = [line for line in page.splitlines() if line.upper().lstrip("|* -").startswith(what.upper())]
            for line in rows:
                self.screen.say("  " + " · ".join(cell.strip() for cell in line.strip().strip("|").split("|")))
            if not rows:
                self.screen.say(f" The page of {self.m.game.title} has no {what[:20]}. ? rules shows all of it.", style="yellow")
        else:
            self.screen.say(HELP)

    def _hint(self, view: Any) -> None:
        """The search's opinion, or while it is being compiled the rule of thumb's."""
        from cardtable.bots import analyse, bot
        from cardtable.warm import ready

        if len(view.legal) == 1:
            self.screen.say(f" {view.legal[0]} is the only move.")
        elif not ready(self.m.game):
            self.screen.say(f" By rule of thumb: {bot('simple', seed=0).choose(view)} (search is still being compiled)")
        else:
            words = self.m.game.words
            found = analyse(self.m.game, view.state, view.seat, HINT)
            tried = sorted(found.values, key=lambda value: -value.visits)
            opinion = ", ".join(f"{words.move_text(view.state, value.move)} {value.mean:+.1f}" for value in tried if value.visits)
            self.screen.say(f" {words.move_text(view.state, found.best)} looks best. Expected of this deal: {opinion}")


@click.command()
@click.argument("file", type=click.Path())
@click.option("--step", is_flag=True, help="Tell every move.")
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def replay(file: str, step: bool, in_json: bool) -> None:
    """Check a record move by move, and print the result of each deal."""
    from cardtable.record import Record

    record = Record.load(file)
    m = record.replay()
    if in_json:
        deals = [
            {"deal": d.number, "moves": len(d.acts), "winner": d.result.winner if d.result else None, "payoff": list(d.result.payoff) if d.result else None}
            for d in m.deals
        ]
        result = {"scores": list(m.result.scores), "winners": list(m.result.winners)} if m.result else None
        as_json({"game": m.game.name, "rules": m.rules, "seats": m.seats, "deals": deals, "result": result, "unfinished": not m.over})
        return
    click.echo(f"{m.game.title}, {m.rules} rules, {m.seats} seats, seed {m.seed}")
    for deal in m.deals:
        if step:
            for act in deal.acts:
                click.echo(f"  {act.number:>3}  seat {act.seat}  {act.move}")
        if deal.result:
            winner = "nobody" if deal.result.winner is None else f"seat {deal.result.winner}"
            click.echo(f"deal {deal.number}: {len(deal.acts)} moves, {winner} wins, payoff {' '.join(f'{x:+}' for x in deal.result.payoff)}")
        else:
            click.echo(
                f"deal {deal.number}: {len(deal.acts)} moves, not over; seat {m.actors[0]} is to act"
                if m.actors
                else f"deal {deal.number}: {len(deal.acts)} moves"
            )
    if m.result:
        click.echo(
            f"result: scores {' '.join(map(str, m.result.scores))}; winner{'s' * (len(m.result.winners) > 1)}: {', '.join(f'seat {seat}' for seat in m.result.winners)}"
        )
    else:
        click.echo("unfinished")
