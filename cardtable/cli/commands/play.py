"""`play`: a match in the terminal or through a pipe. Here it is started or resumed; `table` plays it."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardtable.base.errors import OptionError, RealTimeError, RecordError
from cardtable.base.faces import FACES
from cardtable.base.languages import tr, translated
from cardtable.base.message import Message, Moves, mark
from cardtable.cli import saves
from cardtable.cli.common import TableOptions, at_terminal, named_bots, one_argument, reading, table_options, tell
from cardtable.cli.terminal import keys
from cardtable.rules.options import as_given

if TYPE_CHECKING:
    from cardtable.cli.terminal.session import Face
    from cardtable.match.match import Match
    from cardtable.rules.ruleset import Ruleset

LEVEL = "medium"  #: of the bots, if none is named
CARD_LIKE = re.compile(r"\b(?:[A2-9TJQK][SHDC]|X[12])\b")  #: text that would be shown as a card


@dataclass(frozen=True)
class PlayOptions:
    """Players, file and display, from the options of `play`; None: the default."""

    level: str | None
    seat: str | None
    record: str | None
    resume: str | None
    at: str | None
    winnable: bool
    name: str | None
    speed: float | None
    aids: bool
    colours: str
    faces: str
    line: bool | None


def _not_together(what: Message, why: Message, can: Message) -> OptionError:
    return OptionError(what, why, can, code="options/combination")


@click.command()
@click.argument("game", nargs=-1)
@table_options
@one_argument(PlayOptions, "how")
@click.option(
    "--bot",
    "level",
    metavar="LEVEL",
    help="Your opponents: random, easy, medium, hard or expert; hard:20000 thinks longer; or your own bot, "
    "as package.module:Class.  [default: medium]",
)
@click.option("--seat", metavar="K", help="Your seat, counted from 0; none: watch the bots.  [default: 0]")
@click.option(
    "--record",
    type=click.Path(),
    metavar="FILE",
    help="Save the match in a file, after each of your moves. An existing file is not overwritten.",
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Continue a saved match: the latest, or the one in FILE.",
)
@click.option(
    "--at",
    metavar="DEAL.MOVE",
    help="With --resume FILE: continue from just before that move, in the seat that made it; the file is not changed.",
)
@click.option(
    "--winnable",
    is_flag=True,
    help="Deal cards with which a solver that sees all of them wins; only in games with a solver.",
)
@click.option(
    "--line/--full-screen",
    default=None,
    envvar="CARDTABLE_LINE",
    help="Play line by line, or on the full screen.  [default: the full screen in a terminal that can show it]",
)
@click.option("--name", envvar="CARDTABLE_NAME", metavar="NAME", help="Your name at the table.  [default: You]")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 50),
    metavar="N",
    help="Moves a second of the other players; in a game with ticks, ticks a second.",
)
@click.option("--aids", is_flag=True, help="Show memory aids, a help: what is known of the others' cards.")
@click.option(
    "--colours",
    type=click.Choice(["2", "4"]),
    default="4",
    show_default=True,
    help="Colours of the suits (none with NO_COLOR=1).",
)
@click.option(
    "--faces",
    type=click.Choice(["auto", *FACES]),
    default="auto",
    show_default=True,
    help="Suits and courts of the cards; auto: as the rules are played.",
)
def play(game: tuple[str, ...], wanted: TableOptions, how: PlayOptions) -> None:
    """Play GAME, any name that `cardtable games` lists, in the terminal against bots.

    Moves are read line by line, so a program or a pipe can play, too. If the input ends during a match, or at Ctrl-C,
    the match is saved (in the --record file, if there is one) and can be continued. `cardtable matches` lists saved
    matches.
    """
    from cardtable.bots import parse_level
    from cardtable.cli.terminal.screen import Look
    from cardtable.cli.terminal.session import Session
    from cardtable.cli.terminal.tell import names_for
    from cardtable.rules import catalog
    from cardtable.rules.ruleset import Ruleset

    level, record = named_bots([how.level])[0] if how.level else None, how.record
    asked = Ruleset.parse(" ".join(game), wanted.preset) if game else None
    parse_level(level or LEVEL, asked.game.name if asked else "")
    named = wanted != TableOptions() or how.winnable
    if how.resume is not None and named:
        raise _not_together(
            Message("--resume with --seats, --rules, --set, --seed or --winnable"),
            Message("a match continues as it began"),
            Message("leave these out, or start a new match"),
        )
    path = None if how.resume is None else Path(how.resume) if how.resume else saves.latest(asked)
    if how.at is not None and not how.resume:
        raise _not_together(
            Message("--at without a file"),
            Message("it names a move of a record"),
            Message("write for instance: --resume FILE --at 2.17"),
        )
    if asked and path is None and not named and record is None and at_terminal():
        path = _offer(asked)
    if path is not None:
        with reading(path):
            m, behind, sitting = _resumed(path, asked, replace(how, level=level))
        parse_level(sitting.level, m.game.name)
        if how.at is None and (record is None or Path(record).resolve() == path.resolve()):
            record = str(path)
        else:
            _claim(record)
    elif asked is None:
        can = Message(
            "write for instance: cardtable play {game} (cardtable games lists them)", game=next(iter(catalog.games()))
        )
        raise OptionError(Message("play", context="command"), Message("no game is named"), can)
    else:
        from cardtable.match.match import Match

        ruleset = wanted.ruleset(" ".join(game))  # refuse before anything is compiled
        given = wanted.house_rules() | _move_by_move(ruleset)
        sitting = saves.Sitting(_seat(how.seat or "0", ruleset.seats), level or LEVEL)
        _claim(record)
        seed = _winnable(ruleset, wanted.seed) if how.winnable else wanted.seed
        behind = _compile_behind(ruleset.game)
        m = Match(ruleset.title, ruleset.seats, ruleset.preset, seed, pause=True, **given)
    if how.name is not None:
        sitting = replace(sitting, name=_named(how.name))
    look = Look(int(how.colours), m.ruleset.faces("" if how.faces == "auto" else how.faces))
    face = _face(how.line)(names_for(m.seats, sitting.seat, sitting.name), look)
    session = Session(m, sitting, record, face, behind, how.speed)
    session.faces = look.faces
    session.aids = how.aids
    face.run(session)


def _winnable(asked: Ruleset, seed: str | None) -> str:
    """The seed of a deal that the game's solver wins; print how hard it is. Raises NoSolver, OptionError."""
    from cardtable.precompile import ready, warm
    from cardtable.review.winnable import drawn, first

    if seed is not None:
        what, why = Message("--winnable with --seed"), Message("it has its own number")
        raise _not_together(what, why, Message("leave one of them out"))
    if asked.game.solvable and not ready(asked.game):
        warm(asked.game, say=_note)
    won = first(asked, drawn())
    wins = mark("A solver that sees all cards wins this deal. Difficulty: {difficulty} ({n} positions).")
    _note(Message(wins, difficulty=Message(won.difficulty), n=won.states))
    _note(Message("It was chosen because it can be won: seed {seed}.", seed=won.number))
    return won.number


def _face(line: bool | None) -> type[Face]:
    """The face that shows the match. line: the user's choice; None: as the terminal supports. Raises OptionError."""
    from cardtable.cli.terminal.screen import HEIGHT, WIDTH, can_fill

    if line or line is None and not can_fill(WIDTH, HEIGHT):
        from cardtable.cli.terminal.line import LineFace

        return LineFace
    if not can_fill(1, 1):
        raise _not_together(
            Message("--full-screen"),
            Message("input and output must be a terminal that can place its cursor and write the suits"),
            Message("leave it out"),
        )
    from cardtable.cli.terminal.full_screen import FullScreenFace

    return FullScreenFace


def _move_by_move(ruleset: Ruleset) -> dict[str, str]:
    """The house rules that turn a real-time game into a turn-based one; empty for other games."""
    rules = ruleset.real_time
    if rules is None:
        return {}
    real = Message("In real time it is played in the browser: {command}.", command="cardtable serve")
    move_by_move = mark(
        "{differ}: in the terminal this is played with {instead}, where everybody chooses a move for the same moment. "
        "{real}"
    )
    _note(Message(move_by_move, differ=as_given(rules.house_rules), instead=as_given(rules.instead), real=real))
    return dict(rules.instead)


def _check_time(ruleset: Ruleset) -> None:
    """Refuse to continue a real-time match. Raises RealTimeError."""
    if rules := ruleset.real_time:
        why = Message(
            "with {differ} it is played in real time, which a terminal cannot do", differ=as_given(rules.house_rules)
        )
        can = Message(
            "play in the browser: {command}; or begin a match with {instead}",
            command="cardtable serve",
            instead=as_given(rules.instead),
        )
        raise RealTimeError(Message("this match of {title}", title=Message(ruleset.game.title)), why, can)


def _named(name: str, *, saved: bool = False) -> str:
    """The person's name at the table. saved: it comes from a file, perhaps of a version without reserved names.

    Raises BadName, OptionError.
    """
    from cardtable.table.person_names import checked_name
    from cardtable.table.setup import LONGEST_NAME

    what = Message("--name {name}", name=repr(name[:40]))
    plain = checked_name(name, what, reserved=not saved and name.strip().casefold() != "you")
    if not plain or CARD_LIKE.search(plain):
        why = Message(
            "a name has 1 to {longest_name} letters, and none that stand for a card, such as KC",
            longest_name=LONGEST_NAME,
        )
        raise OptionError(what, why, Message("choose another name"), code="options/value")
    return "" if plain.casefold() == "you" else plain


def _claim(record: str | None) -> None:
    """Check that the match may be saved in a file; at a terminal, ask before a record is overwritten."""

    def agreed(question: Message) -> bool:
        return at_terminal() and keys.yes(keys.line(f"{keys.asked(question)} > "))

    if record:
        saves.claim(Path(record), agreed)


def _resumed(path: Path, asked: Ruleset | None, how: PlayOptions) -> tuple[Match, Any, saves.Sitting]:
    """The match in a file, ready to be continued; the process that compiles it; and the players, from the file unless
    given.

    how.at: continue from just before that move, in the seat that made it.
    """
    from cardtable.match.match import Record
    from cardtable.rules import catalog

    saved = Record.load(path)
    what = Message("--resume {path}", path=str(path))
    if not isinstance(saved.keys.get("game"), str):
        raise RecordError(
            what, Message("this file is not the record of a match"), Message("name the file of a saved match")
        )
    game = catalog.find(saved.keys["game"])
    if asked is not None and not saves.is_of(saved, asked):
        why = Message("the file is a match of another game: {title}", title=saved.title)
        raise _not_together(what, why, Message("write: cardtable play --resume {path}", path=str(path)))
    place = mover = None
    if how.at is not None:
        place = _place(how.at)
        mover = saved.act(*place)[0]
        saved = saved.before(*place)
    elif saved.keys.get("unfinished") is not True:
        can = Message(
            "see it with: cardtable replay {path}; or continue from a move of it with --at DEAL.MOVE", path=str(path)
        )
        raise _not_together(what, Message("this match is over"), can)
    behind = _compile_behind(game)
    m = saved.resumed()
    _check_time(m.ruleset)
    if place:
        _say_start(m, *place)
    sitting = _sat(saved.keys.get("table", {}), m.seats, how.level)
    me = sitting.seat if mover is None else mover
    seat = me if how.seat is None else _seat(how.seat, m.seats)
    return m, behind, replace(sitting, seat=seat, level=how.level or sitting.level)


def _say_start(m: Match, deal: int, number: int) -> None:
    """Report where play begins if that differs from `--at`, because forced moves are made at once."""
    now = len(m.deals[-1].acts) + 1
    if m.over or (m.deal, now) == (deal, number):
        return
    forced = [act for act in m.moves if (act.deal, act.number) >= (deal, number)]
    made = Message("Move {at} ({move}) is forced", at=f"{deal}.{number}", move=Moves(forced[0].move))
    if forced[1:]:
        made = Message("{made}, and so are those up to {at}", made=made, at=f"{forced[-1].deal}.{forced[-1].number}")
    where = Message("you continue from {at}", at=f"{m.deal}.{now}") if m.actors else Message("the deal ends with it")
    _note(Message("{made}: {where}.", made=made, where=where), err=False)


def _note(message: Message, err: bool = True) -> None:
    """Print a remark about the match, at most as wide as the terminal."""
    click.echo(click.wrap_text(translated(message), min(shutil.get_terminal_size().columns, 100)), err=err)


def _place(at: str) -> tuple[int, int]:
    """The deal and move that `--at` specifies. Raises OptionError."""
    place = re.fullmatch(r"(\d{1,9})\.(\d{1,9})", at, re.ASCII)
    if not place:
        raise OptionError(
            Message("--at {at}", at=at[:20]),
            Message("it is a deal and a move of it, both from 1"),
            Message("write for instance: --at 2.17"),
            code="options/value",
        )
    return int(place[1]), int(place[2])


def _sat(saved: Any, seats: int, named: str | None) -> saves.Sitting:
    """Who sat at the table, from the `[table]` of a record. named: the level on the command line. Raises RecordError.

    A file may not have a module imported: it may come from a stranger.
    """
    from cardtable.bots import parse_level
    from cardtable.bots.levels import is_path
    from cardtable.table.person_names import BadName

    table = saved if isinstance(saved, Mapping) else {}
    seat, level = table.get("seat", 0), named or table.get("bot", LEVEL)
    if named is None and isinstance(level, str) and is_path(level):
        raise RecordError(
            Message("[table] of the record"),
            Message("its bot {bot} is a program, which a file may not start", bot=repr(level[:60])),
            Message("if you trust it, name it yourself: --bot {bot}", bot=level[:60]),
        )
    try:
        parse_level(str(level))
        name = _named(str(table["name"]), saved=True) if "name" in table else ""
        return saves.Sitting(_seat(str(seat), seats), str(level), name)
    except (BadName, OptionError) as error:
        what = Message("[table] of the record")
        raise RecordError(what, error.message, Message("correct it, or leave it out")) from None


def _offer(asked: Ruleset) -> Path | None:
    """Ask whether to continue the saved match of this game, if there is one."""
    for path in saves.unfinished(asked):
        record = saves.read(path)
        if record is None or saves.fault(record):  # removed meanwhile, or it cannot be continued
            continue
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
        deals = record.keys.get("deals", ())
        saved = Message("You saved a match of {game} on {when}", game=Message(record.title), when=when)
        tell(
            Message("{saved}, in deal {n}.", saved=saved, n=len(deals))
            if isinstance(deals, list) and deals
            else Message("{saved}.", saved=saved)
        )
        if keys.line(f"{tr('Enter: continue it; n: begin a new one')} > ").lower() not in ("n", "no", "new"):
            return path
        return None
    return None


def _seat(text: str, seats: int) -> int | None:
    if text.lower() == "none":
        return None
    if not text.isdecimal() or not text.isascii() or len(text) > 2 or int(text) >= seats:
        there = Message("the only seat is 0") if seats == 1 else Message("the seats are 0 to {n}", n=seats - 1)
        raise OptionError(
            Message("seat {text}", text=text[:20]),
            there,
            Message("name one of them, or none to watch"),
            code="options/seats",
        )
    return int(text)


def _compile_behind(game: Any) -> Any:
    """If the game is not compiled, start a process that compiles it while the rules run as plain Python here;
    otherwise None."""
    from cardtable.precompile import ready, warm_behind

    if ready(game):
        return None
    once = mark(
        "The first match of {game} here: it is compiled in the background (once, about 20 seconds); until then the "
        "bots play at medium level."
    )
    _note(Message(once, game=Message(game.title)))
    sys.stderr.flush()
    return warm_behind(game)
