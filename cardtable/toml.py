"""Writing TOML: the pair of the standard library's `tomllib` for what positions and records hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH = 110  #: lists longer than this are broken into lines


def value(thing: Any) -> str:
    """A string, number, truth value, list or one-line table."""
    if isinstance(thing, bool):
        return "true" if thing else "false"
    if isinstance(thing, (int, float)):
        return repr(thing)
    if isinstance(thing, str):
        return json.dumps(thing, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(thing, Mapping):
        return "{ " + ", ".join(f"{key} = {value(item)}" for key, item in thing.items()) + " }"
    return _list([value(item) for item in thing])


def _list(items: Sequence[str]) -> str:
    line = ", ".join(items)
    if len(line) <= WIDTH:
        return f"[{line}]"
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join(["[", *lines, line, "]"])


def dumps(keys: Mapping[str, Any]) -> str:
    """A document: plain keys first, then tables, then lists of tables. Keys are bare words."""
    plain = {k: v for k, v in keys.items() if not isinstance(v, Mapping) and not _tables(v)}
    lines = [f"{key} = {value(item)}" for key, item in plain.items()]
    for key, item in keys.items():
        if isinstance(item, Mapping):
            lines += ["", f"[{key}]", *(f"{name} = {value(part)}" for name, part in item.items())]
    for key, item in keys.items():
        if _tables(item):
            for table in item:
                lines += ["", f"[[{key}]]", *(f"{name} = {value(part)}" for name, part in table.items())]
    return "\n".join(lines) + "\n"


def _tables(thing: Any) -> bool:
    return isinstance(thing, (list, tuple)) and len(thing) > 0 and all(isinstance(item, Mapping) for item in thing)
