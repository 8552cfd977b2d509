"""What the fields of structures mean, from the comments (`#:`) in their source, for the description of the API."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

_COMMENT = re.compile(r"#: ?(.*)")
_FIELD = re.compile(r" {4}(\w+):")
_CLASS = re.compile(r"^class (\w+).*\n(?:(?:[ )].*)?\n)*", re.MULTILINE)


def meanings_of(*kinds: Any) -> dict[str, dict[str, str]]:
    """The comments on the fields of the structures in some types, by structure and field."""
    meanings: dict[str, dict[str, str]] = {}
    for kind in kinds:
        for structure in _structures_in(msgspec.inspect.type_info(kind)):
            meanings[structure.__name__] = comments(structure)
    return meanings


def _structures_in(node: Any) -> Iterator[type]:
    """The classes of the structures in a type."""
    if isinstance(node, msgspec.inspect.StructType | msgspec.inspect.TypedDictType):
        yield node.cls
    for name in getattr(node, "__struct_fields__", ()):
        part = getattr(node, name)
        for inner in part if isinstance(part, tuple) else (part,):
            if isinstance(inner, msgspec.inspect.Type | msgspec.inspect.Field):
                yield from _structures_in(inner)


@cache
def comments(kind: type) -> dict[str, str]:
    """The comments on the fields of a structure, including inherited fields; empty if the source is not there."""
    texts: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        if owner.__module__.startswith("cardtable"):
            texts |= dict(_commented(_classes(owner.__module__).get(owner.__name__, "")))
    return texts


@cache
def _classes(module: str) -> dict[str, str]:
    """The source of each class of a module. (`inspect.getsource` parses the whole module again for each class.)"""
    try:
        source = inspect.getsource(sys.modules[module])
    except OSError:
        return {}
    return {match[1]: match[0] for match in _CLASS.finditer(source)}


def _commented(source: str) -> Iterator[tuple[str, str]]:
    """The fields of a class that have comments, above them or behind them, with the comments."""
    above: list[str] = []
    for line in source.splitlines():
        name, comment = _FIELD.match(line), _COMMENT.search(line)
        if comment and line.strip().startswith("#:"):
            above.append(comment[1])
        elif name and (comment or above):
            yield name[1], " ".join([*above, comment[1]] if comment else above)
            above = []
        else:
            above = []
