"""The settings of a server, from a TOML file and from environment variables.

A setting has the same name in the file as in `Settings`; in the environment it is written in capitals after
CARDTABLE_SERVER_, and its value as in TOML (a text needs no quotes, several texts are separated by commas). The
environment overrides the file, and the options of `cardtable serve` override both.
"""

from __future__ import annotations

import difflib
import inspect
import json
import math
import re
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import msgspec

from cardtable.base import platform, toml
from cardtable.base.errors import CardtableError, Text
from cardtable.base.message import Message
from cardtable.base.names import no_text
from cardtable.bots.registry import NAME
from cardtable.server import settings as source
from cardtable.server.net.host_names import is_address, is_name
from cardtable.server.net.listening import ANYWHERE
from cardtable.server.settings import Settings

PREFIX = "CARDTABLE_SERVER_"
MAY_BE_ZERO = ("beat", "bot_pace", "bot_least", "keep_unplayed", "keep_tables", "keep_matches", "disk_reserve")
_ORIGIN = re.compile(r"https?://[^/\s@?#]+")
_PREFIX = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")
_COMMENT = re.compile(r"#: ?(.*)")


class SettingsError(CardtableError):
    """A setting that cannot be used."""

    code, exit_code = "server/settings", 2


@dataclass(frozen=True)
class Configuration:
    """The start-up configuration of a server; None: not set."""

    host: str | None = None
    port: int | None = None
    database: str | None = None
    processes: int | None = None
    settings: Settings = Settings()


_KINDS: dict[str, Any] = {"host": str, "port": int, "database": str, "processes": int} | typing.get_type_hints(Settings)


def load(path: Path | None, environment: Mapping[str, str]) -> Configuration:
    """The configuration of a file, if there is one, and of the environment. Raises SettingsError."""
    values: dict[str, Any] = {}
    for name, value in (_of_file(path) if path else {}).items():
        try:
            values[_plain(name)] = _checked(name, value)
        except SettingsError as error:
            raise error.of(path or "") from None
    for name, text in environment.items():
        if name.startswith(PREFIX):
            values[_plain(name)] = _checked(name, _of_text(text, _KINDS.get(_plain(name), str)))
    own = {name: values.pop(name) for name in ("host", "port", "database", "processes") if name in values}
    return Configuration(**own, settings=replace(Settings(), **values))


def _plain(name: str) -> str:
    """A setting's name, from the file or the environment."""
    return name.removeprefix(PREFIX).lower() if name.startswith(PREFIX) else name


def _of_file(path: Path) -> dict[str, Any]:
    """The settings in a file. Raises SettingsError."""
    what = Message("the settings in {file}", file=str(path))
    try:
        return toml.loads(platform.read_text(path))
    except OSError as error:
        raise SettingsError(what, error.strerror or str(error), Message("name another file")) from None
    except UnicodeDecodeError as error:
        raise SettingsError(what, no_text(error), Message("write it in TOML")) from None
    except toml.NotToml as error:
        raise SettingsError(what, error.why, Message("write it in TOML")) from None


def _of_text(text: str, kind: Any) -> Any:
    """The value of an environment variable: TOML, or a text without quotes."""
    try:
        return toml.loads(f"value = {text}")["value"]
    except toml.NotToml:
        several = typing.get_origin(kind) is frozenset
        return [part.strip() for part in text.split(",") if part.strip()] if several else text


def _checked(name: str, value: Any) -> Any:
    """A setting's value as its type. Raises SettingsError."""
    plain = _plain(name)
    if plain not in _KINDS:
        close = difflib.get_close_matches(plain, _KINDS, 1)
        can = Message("did you mean {name}?", name=close[0]) if close else Message("see the list in docs/server.md")
        raise _wrong(name, Message("there is no such setting"), can)
    try:
        checked = msgspec.convert(value, _KINDS[plain])
    except msgspec.ValidationError:
        raise _wrong(name, Message("it should be {what}", what=_kind(_KINDS[plain]))) from None
    zero = plain in (*MAY_BE_ZERO, "port")
    for number in checked if isinstance(checked, tuple) else (checked,):
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            if not math.isfinite(number):
                raise _wrong(name, Message("{n} is no number", n=str(number)))
            if number < 0 or (number == 0 and not zero):
                raise _wrong(name, Message("{n} is too small", n=str(number)))
    if plain == "prefix" and checked and not _PREFIX.fullmatch(checked):
        can = Message("write it like /cards, without a slash at the end")
        raise _wrong(name, Message("{word} is not a path", word=checked), can)
    if plain == "port" and checked > 65535:
        raise _wrong(name, Message("{n} is too large", n=str(checked)))
    if plain == "internal" and checked:
        host, _, port = checked.rpartition(":")
        if not is_address(host.strip("[]")) or not (port.isascii() and port.isdecimal() and int(port) < 65536):
            why, can = (
                Message("{word} is not an address with a port", word=checked),
                Message("write it like 10.0.0.5:8600"),
            )
            raise _wrong(name, why, can)
        if host.strip("[]") in ANYWHERE:
            why = Message("other machines cannot connect to {address}", address=host)
            raise _wrong(name, why, Message("write this machine's own address, like 10.0.0.5:8600"))
    for word in checked if isinstance(checked, frozenset) else ():
        _check_word(name, word)
    return checked


def _kind(kind: Any) -> Message:
    """The expected kind of value for a setting's type."""
    return {
        bool: Message("true or false"),
        int: Message("a whole number"),
        float: Message("a number"),
        str: Message("a text in quotes"),
        frozenset: Message("a list of texts"),
        tuple: Message("two numbers, such as [20, 10.0]"),
    }[typing.get_origin(kind) or kind]


def _check_word(name: str, word: str) -> None:
    """Check one of the texts of a setting. Raises SettingsError."""
    plain = _plain(name)
    if plain == "origins":
        if not _ORIGIN.fullmatch(word):
            raise _wrong(
                name, Message("{word} is not an origin", word=word), Message("write it like https://example.org")
            )
    elif plain == "allowed_hosts":
        if not is_name(word):
            why, can = (
                Message("{word} is not the name of a host", word=word),
                Message("write it like cards.example.org"),
            )
            raise _wrong(name, why, can)
    elif plain == "outside_bots":
        if not NAME.fullmatch(word):
            raise _wrong(name, Message("{word} is not the name of a bot", word=word))
    elif not is_address(word):
        raise _wrong(name, Message("{word} is not an IP address", word=word))


def _wrong(name: str, why: Text, can: Text = "") -> SettingsError:
    return SettingsError(
        Message("the setting {name}", name=name), why, can or Message("see the list in docs/server.md")
    )


def as_toml(value: Any) -> str:
    """A setting's value as it is written in the file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{value[0]}, {value[1]}]"
    if isinstance(value, str):
        return json.dumps(value)
    return json.dumps(sorted(value)) if isinstance(value, frozenset) else str(value)


def described() -> dict[str, str]:
    """What each setting means, from the comments in its source."""
    meanings: dict[str, str] = {}
    above: list[str] = []
    names = {field.name for field in fields(Settings)}
    for line in inspect.getsource(source).split("\n"):
        comment = _COMMENT.search(line)
        name = line.strip().partition(":")[0]
        if line.strip().startswith("#:") and comment:
            above.append(comment[1])
        elif name in names:
            meanings[name] = " ".join([*above, comment[1]] if comment else above)
            above = []
    return meanings
