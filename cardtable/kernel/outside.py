"""The sources of compiled code from other packages: third-party games, bots and records.

The cache's directory is named after Cardtable's sources (`cache`). Code compiled from other packages is stored
separately (`shelf`), under a digest of the files that it depends on: its rules and all their imports. Installed
libraries are represented by their installation record, which contains a digest of each of their files: reading all of
PyTorch would take minutes.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import NamedTuple

from cardtable.kernel import cache

#: what no rule freezes: the standard library; and libraries whose versions are in the key of the cache
KNOWN = sys.stdlib_module_names | {"numba", "numpy", "llvmlite"}
_OWN = cache.PACKAGE.name


def is_outside(module: str | None) -> bool:
    """Whether a module is not one of Cardtable's own."""
    return bool(module) and _top(str(module)) != _OWN


class Sources(NamedTuple):
    """The possible dependencies of compiled code from a third-party module."""

    files: dict[str, Path]  #: by module name
    libraries: dict[str, str]  #: by name, the installation record


@functools.cache
def digest(module: str) -> str:
    """A digest of the sources that the compiled code of a module from outside may depend on; "" if it has no file."""
    key = hashlib.sha256()
    parts = sources(module)
    for name in sorted(parts.files):
        key.update(name.encode() + b"\0" + parts.files[name].read_bytes())
    for name in sorted(parts.libraries):
        key.update(name.encode() + b"\0" + parts.libraries[name].encode())
    return key.hexdigest()[:16] if parts.files else ""


def sources(module: str) -> Sources:
    """A module and all that it imports, directly or not.

    Cardtable's own compiled files are left out, because the cache's directory is named after them.
    """
    own = frozenset(cache.compiled_files())
    result = Sources({}, {})
    pending = [module]
    while pending:
        name = pending.pop()
        if name in result.files or _top(name) in KNOWN:
            continue
        path = _file(name)
        if path is None or path in own:
            continue
        if is_outside(name) and _top(name) != _top(module) and (owners := _owners(_top(name), path)):
            _add_records(result.libraries, owners)
            continue
        result.files[name] = path
        if is_outside(name):
            pending += _imported(name, path)
    return result


def _top(module: str) -> str:
    return module.partition(".")[0]


def _owners(package: str, path: Path) -> list[str]:
    """The libraries that a package belongs to; none if its file is elsewhere, as in a folder to work on."""
    return [name for name in _libraries().get(package, ()) if path in _files_of(name)]


def _add_records(versions: dict[str, str], libraries: list[str]) -> None:
    """Add the records of libraries and of their dependencies, unless found before."""
    pending = list(libraries)
    while pending:
        name = _normal(pending.pop())
        if name in versions or name == _OWN:
            continue
        try:
            library = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # it is not needed here
            continue
        versions[name] = f"{library.version}\n{library.read_text('RECORD')}"
        pending += [needed[0] for each in library.requires or () if (needed := re.match(r"[\w.-]+", each))]


@functools.cache
def _libraries() -> dict[str, list[str]]:
    """The names of libraries by the packages in them."""
    return dict(metadata.packages_distributions())


@functools.cache
def _files_of(library: str) -> frozenset[Path]:
    """The files that a library has installed."""
    return frozenset(Path(str(file.locate())).resolve() for file in metadata.files(library) or ())


def _normal(library: str) -> str:
    """A library's name as it is compared."""
    return re.sub(r"[-_.]+", "-", library).lower()


def _file(module: str) -> Path | None:
    """The source file of a module; None if it has none, or if the module does not exist."""
    known = sys.modules.get(module)
    origin = getattr(known, "__file__", None)
    if known is None:
        spec = _spec(module)
        origin = spec.origin if spec else None
    path = Path(origin).resolve() if origin else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _spec(module: str) -> ModuleSpec | None:
    """Locate a module without running any code: `importlib.util.find_spec` imports the parent package."""
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
    """All imports of a source file, at any place; includes names that may not be modules."""
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
