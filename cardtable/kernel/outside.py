"""The sources of compiled code from other packages: games, bots and records that are not Cardtable's own.

The cache's directory is named after Cardtable's sources (`cache`). What other packages' code is compiled into is kept
apart (`shelf`), by a digest of the files that it depends on: those of its rules, and whatever these import.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from cardtable.kernel import cache

#: what no rule freezes: the standard library; and libraries whose versions are in the key of the cache
KNOWN = sys.stdlib_module_names | {"numba", "numpy", "llvmlite"}
_OWN = cache.PACKAGE.name


def is_outside(module: str | None) -> bool:
    """Whether a module is not one of Cardtable's own."""
    return bool(module) and str(module).partition(".")[0] != _OWN


@functools.cache
def digest(module: str) -> str:
    """A digest of the sources that the compiled code of a module from outside may depend on; "" if it has no file."""
    key = hashlib.sha256()
    found = sources(module)
    for name in sorted(found):
        key.update(name.encode() + b"\0" + found[name].read_bytes())
    return key.hexdigest()[:16] if found else ""


def sources(module: str) -> dict[str, Path]:
    """The files of a module and of all that it imports, directly or not, by the names of their modules.

    Cardtable's own compiled files are left out, because the cache's directory is named after them.
    """
    own = frozenset(cache.compiled_files())
    found: dict[str, Path] = {}
    left = [module]
    while left:
        name = left.pop()
        if name in found or name.partition(".")[0] in KNOWN:
            continue
        path = _file(name)
        if path is None or path in own:
            continue
        found[name] = path
        if is_outside(name):
            left += _imported(name, path)
    return found


def _file(module: str) -> Path | None:
    """The source file of a module; None if it has none, or there is no such module."""
    known = sys.modules.get(module)
    origin = getattr(known, "__file__", None)
    if known is None:
        spec = _spec(module)
        origin = spec.origin if spec else None
    path = Path(origin).resolve() if origin else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _spec(module: str) -> ModuleSpec | None:
    """Where a module is, found without running anything: `importlib.util.find_spec` imports what a module is in."""
    home = module.rpartition(".")[0]
    try:
        if not home:
            return importlib.util.find_spec(module)
        known = sys.modules.get(home)
        inside = getattr(known, "__path__", None) if known else getattr(_spec(home), "submodule_search_locations", None)
        return None if inside is None else PathFinder.find_spec(module, list(inside))
    except (ImportError, AttributeError, ValueError):  # an import that is no module, or a module without a name
        return None


def _imported(module: str, path: Path) -> Iterator[str]:
    """Everything that a source file imports, wherever it does; also names that may be no modules."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            home = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*home, *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
