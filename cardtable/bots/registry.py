"""Third-party bots by name. No package is imported here."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.bots.levels import ALIASES, LEVELS, is_path

GROUP = "cardtable.bots"  #: the group of entry points
NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")  #: the pattern of a bot's name


@functools.cache
def installed() -> dict[str, EntryPoint]:
    """The bots of installed packages by name.

    Raises OptionError (`bot/name`) if two have one name, if one has the name of a level, or one that cannot be typed.
    """
    entries: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        taken = entries.get(entry.name)
        if entry.name in LEVELS or entry.name in ALIASES:
            raise _clash(entry.name, "Cardtable", _owner(entry))
        if taken is not None and taken.value != entry.value:
            raise _clash(entry.name, _owner(taken), _owner(entry))
        if not NAME.fullmatch(entry.name):
            raise OptionError(
                Message("bot {name} of {package}", name=repr(entry.name[:40]), package=_owner(entry)),
                Message("a name has small letters, digits and hyphens, and begins with a letter"),
                Message("rename it in the package, or uninstall the package"),
                code="bot/name",
            )
        entries[entry.name] = entry
    return entries


LONGEST = 16  #: letters of a bot's name at a live table
_allowed: list[str] = []


def allow(names: Iterable[str]) -> None:
    """Allow these installed bots, and no others besides the levels, at live tables in this process.

    Raises OptionError.
    """
    chosen = sorted(names)
    for name in chosen:
        if name not in installed() or len(name) > LONGEST:
            raise OptionError(
                Message("bot {name}", name=repr(name[:40])),
                Message("tables only have bots of installed packages, with names of at most {n} letters", n=LONGEST),
                Message("install its package; there are: {listed}", listed=", ".join(installed()) or "–"),
                code="bot/name",
            )
    _allowed[:] = chosen


def allowed() -> tuple[str, ...]:
    """The bots from outside that live tables in this process may have."""
    return tuple(_allowed)


def _owner(entry: EntryPoint) -> str:
    """The package that an entry point belongs to."""
    return entry.dist.name if entry.dist else entry.value


def _clash(name: str, one: str, other: str) -> OptionError:
    return OptionError(
        Message("bot {name}", name=name),
        Message("both {one} and {other} have a bot of that name", one=one, other=other),
        Message("uninstall one of these packages, or rename the bot in it"),
        code="bot/name",
    )


def is_outside(name: str) -> bool:
    """Whether a text names a third-party bot: an installed one, or `module:Class`. Nothing is imported."""
    return is_path(name) or name.strip() in installed()


def called(name: str) -> str:
    """A bot's name, in full: the `module:Class` of one that is installed. Raises OptionError."""
    name = name.strip()
    return installed()[name].value if name in installed() else name
