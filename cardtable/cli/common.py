"""Shared by commands: exit codes, the options for the rules of play, output for programs."""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cardtable.base.errors import CardtableError
from cardtable.base.languages import tr, translated
from cardtable.base.message import UNPRINTED, Value

if TYPE_CHECKING:
    from cardtable.rules.ruleset import Ruleset

#: ASCII for signs in Cardtable's texts that Western encodings of one byte lack
STAND_INS = {"−": "-", "–": "-", "→": "->", "…": "...", "∞": "inf", "\u202f": " "}
STAND_INS |= dict(zip("♠♥♦♣", "SHDC", strict=True))
FILE, FAULT, INTERRUPTED = 3, 70, 130  #: exit codes: a file, a fault of Cardtable's own, Ctrl-C


def house_rules(text: tuple[str, ...]) -> dict[str, Any]:
    """The house rules of `--set option=value ...`; a hyphen in a name is an underscore."""
    values: dict[str, Any] = {}
    for word in text:
        name, equals, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise click.UsageError(
                tr(
                    "{given}: write {example}, for instance {instance}",
                    given=f"--set {word}",
                    example="option=value",
                    instance="--set ante=2",
                )
            )
        if name in values:
            raise click.UsageError(tr("{given} is given twice: give it once", given=f"--set {name}"))
        values[name] = value.strip()
    return values


def _fined(ctx: click.Context, _: click.Parameter, house: tuple[str, ...]) -> tuple[str, ...]:
    """The house rules of --set and --fines together."""
    return (*house, "fines=yes") if ctx.meta.get("fines") else house


def _fines(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    ctx.meta["fines"] = wanted


@dataclass(frozen=True)
class TableOptions:
    """The rules of play, as in the options of `table_options`; None: the default."""

    seats: int | None = None
    preset: str | None = None
    house: tuple[str, ...] = ()
    seed: str | None = None

    def house_rules(self) -> dict[str, Any]:
        """The house rules. Raises UsageError."""
        return house_rules(self.house)

    def ruleset(self, game: str) -> Ruleset:
        """The rules of play. Raises UnknownGame, OptionError, UsageError."""
        from cardtable.rules.ruleset import Ruleset

        return Ruleset.parse(game, self.preset, self.seats, self.house_rules())

    @property
    def study_seed(self) -> str:
        """The seed of a study."""
        return "0" if self.seed is None else self.seed

    def of_study(self) -> dict[str, Any]:
        """The same as arguments of what plays many deals (`cardtable.lab`). Raises UsageError."""
        return {"seats": self.seats, "rules": self.preset, "options": self.house_rules(), "seed": self.study_seed}


def one_argument(kind: type[Any], name: str) -> Callable[[Any], Any]:
    """Pass the options that are fields of a dataclass to a command as one argument."""

    def gathering(command: Any) -> Any:
        @wraps(command)
        def gathered(**given: Any) -> Any:
            options = kind(**{each.name: given.pop(each.name) for each in fields(kind)})
            return command(**{name: options}, **given)

        return gathered

    return gathering


json_option = click.option("--json", "in_json", is_flag=True, help="Print JSON.")
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="T",
    help="Number of threads; it changes the speed, not the results.",
)


def table_options(command: Any) -> Any:
    """The options for the rules of play: --seats, --rules, --fines, --set, --seed; the command gets them as one
    `wanted`.
    """

    gathered = one_argument(TableOptions, "wanted")(command)
    for add in (
        click.option("--seed", metavar="SEED", help="A number or a word; the same seed deals the same cards."),
        click.option(
            "--set",
            "house",
            multiple=True,
            callback=_fined,
            metavar="OPTION=VALUE",
            help="A house rule; may be repeated. `cardtable rules GAME` lists them.",
        ),
        click.option(
            "--fines",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_fines,
            help="Mistakes are possible and cost chips, as in the book; same as --set fines=yes.",
        ),
        click.option(
            "--rules",
            "preset",
            metavar="PRESET",
            help="The preset (set of rules); `cardtable rules GAME` lists them. Default: the game's first.",
        ),
        click.option("--seats", type=int, metavar="N", help="Number of players. Default: 4, or what the game is for."),
    ):
        gathered = add(gathered)
    return gathered


def study_options(command: Any) -> Any:
    """The options of a command that plays many deals: --threads, those of `table_options`, --json."""
    return threads_option(table_options(json_option(command)))


def named_bots(names: Iterable[str]) -> list[str]:
    """Bots named on the command line; modules of the current folder are importable, as in `python -m`."""
    from cardtable.bots.levels import is_path, level_called

    levels = [level_called(name) for name in names]
    if any(map(is_path, levels)) and "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return levels


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    """What is written for a sign that the encoding of the output lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(STAND_INS.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error("cardtable", _stand_in)


def legible(stream: Any) -> None:
    """Let a stream write ASCII for the signs that its encoding lacks, instead of failing."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="cardtable")


def tell(message: Value, err: bool = False) -> None:
    """Print a message in the language of the terminal."""
    click.echo(translated(message), err=err)


def tell_beside(message: Value) -> None:
    """Print a message on standard error, apart from the output."""
    tell(message, err=True)


def json_text(thing: Any, indent: int | None = None) -> str:
    """Data as JSON. Control characters and marks of direction are escaped, because a terminal would obey them."""
    text = json.dumps(thing, ensure_ascii=False, indent=indent)
    return UNPRINTED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def as_json(thing: Any) -> None:
    """Print data as JSON, for programs."""
    click.echo(json_text(thing, indent=2))


@contextlib.contextmanager
def reading(file: str | os.PathLike[str]) -> Iterator[None]:
    """Within the context, errors in the file's content name this file."""
    try:
        yield
    except CardtableError as error:
        raise error.of(file) from None


def at_terminal() -> bool:
    """Whether a person is at a terminal: neither input nor output is a pipe or a file."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
