"""`new`: create a working package with a game or a bot, as a starting point."""

from __future__ import annotations

import importlib.util
import keyword
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

import click

from cardtable import __version__
from cardtable.base.errors import OptionError, SaveError
from cardtable.base.message import Message
from cardtable.cli.common import tell

NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
LONGEST = 30  #: letters of a name


@click.group()
def new() -> None:
    """Write a package with your own game or bot, as a start."""


@new.command("game")
@click.argument("name")
def game(name: str) -> None:
    """Write a package with a game in the folder NAME: rules, a page, a first hand and tests, which pass."""
    from cardtable.base.errors import UnknownGame
    from cardtable.rules import catalog

    package = _package(name)
    try:
        taken = catalog.find(name)
    except UnknownGame:
        _write("game", name, package)
    else:
        raise _refused(name, Message("{title} is a game already", title=Message(taken.title)))
    _next(name, Message("cardtable play {name}", name=name))


@new.command("bot")
@click.argument("name")
def bot(name: str) -> None:
    """Write a package with a bot in the folder NAME: a class, a compiled policy and tests, which pass."""
    from cardtable.bots import installed
    from cardtable.bots.levels import ALIASES, LEVELS
    from cardtable.rules import catalog

    package = _package(name)
    if name in (*LEVELS, *ALIASES, *installed()):
        raise _refused(name, Message("there is a bot of that name already"))
    _write("bot", name, package)
    _next(name, Message("cardtable play {game} --bot {name}", game=next(iter(catalog.games())), name=name))


def _package(name: str) -> str:
    """The Python package for a name. Raises OptionError if there can be none."""
    package = name.replace("-", "_")
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        why = Message("a name has small letters, digits and hyphens, at most {n}, and begins with a letter", n=LONGEST)
        raise _refused(name, why)
    if keyword.iskeyword(package) or keyword.issoftkeyword(package):
        raise _refused(name, Message("it is a word of Python itself"))
    if Path(name).exists():
        raise SaveError(
            Message("write {name}", name=name),
            Message("there is a file or a folder of that name here"),
            Message("choose another name, or another folder"),
        )
    if importlib.util.find_spec(package) is not None:
        raise _refused(name, Message("Python has a module {package} already", package=package))
    return package


def _refused(name: str, why: Message) -> OptionError:
    return OptionError(
        Message("the name {name}", name=repr(name[:40])), why, Message("choose another name"), code="options/name"
    )


def _write(kind: str, name: str, package: str) -> None:
    """Fill the templates of a kind in, in a new folder. Raises SaveError."""
    words = name.split("-")
    values = {
        "name": name,
        "package": package,
        "title": " ".join(word.capitalize() for word in words),
        "classname": "".join(word.capitalize() for word in words),
        "prefix": (words[0][0] + (words[1][0] if len(words) > 1 else words[0][1:2] or "X")).upper(),
        "version": __version__,
    }
    try:
        _fill(files("cardtable").joinpath("templates", kind), Path(name), values)
    except OSError as error:
        raise SaveError(
            Message("write {name}", name=name), error.strerror or str(error), Message("choose another folder")
        ) from None


def _fill(template: Traversable, place: Path, values: dict[str, str]) -> None:
    place.mkdir()
    for part in template.iterdir():
        named = part.name.replace("PACKAGE", values["package"]).replace("NAME", values["name"]).removesuffix(".txt")
        if part.is_dir():
            _fill(part, place / named, values)
        else:
            (place / named).write_text(Template(part.read_text("utf-8")).substitute(values), "utf-8")


def _next(name: str, play: Message) -> None:
    """Print what was written and the next steps."""
    tell(Message("Written: {folder}. Now:", folder=f"{name}/"))
    for command in (f"cd {name}", 'pip install -e ".[test]"', "pytest", str(play)):
        click.echo(f"  {command}")
