"""The cache of compiled rules: a directory named after everything that may change them.

Numba's own key is a function's file and bytecode. It does not cover changes in another file or Numba's own flags
(bounds checks), and two processes that compile one function at once can file one's code under the other's types.
So the directory's name depends on the sources of the compiled floors, the versions and the flags; directories of other
sources are removed once they are old; and a process locks what it compiles and what it files (`lock`). Any number of
processes may compile into one cache without duplicating work.

Numba names compiled code by numbers that each process counts from 1, so code that two processes compiled can have the
same names; a third one that loads both then calls the wrong one, for a record of another layout
(https://github.com/numba/numba/issues/10486). Here the numbers are random.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.bytecode import FunctionIdentity

from cardtable.base import platform
from cardtable.base.errors import OptionError

config: Any = numba.config
numbers: Any = FunctionIdentity
numbers._unique_ids = iter(functools.partial(secrets.randbits, 63), -1)  # endless, and apart after a fork


def _ordinary() -> bool:
    """Whether CARDTABLE_NUMBA asks for the ordinary way. Raises OptionError if it has any other value."""
    given = os.environ.get("CARDTABLE_NUMBA", "").strip()
    if given not in ("", "ordinary"):
        raise OptionError(
            f"CARDTABLE_NUMBA={given[:20]}",
            "it is no way of compiling",
            "set it to ordinary, or do not set it",
            code="options/numba",
        )
    return given == "ordinary"


PACKAGE = Path(__file__).resolve().parent.parent
ORDINARY = _ordinary()  #: whether to compile rules the ordinary way even if `dispatch` fits
APART = "outside"  #: the directory within a cache for code from other packages
PRUNE_AFTER = 14 * 86400.0  #: seconds after its last use when another version's directory is removed


#: An import from the package: the module, and the names, on one line or in brackets.
_IMPORT = re.compile(rf"^\s*from ({PACKAGE.name}[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
_KERNEL = __name__.rpartition(".")[0]
_GAMES, _OPTIONS = PACKAGE / "games", PACKAGE / "rules" / "options.py"


def compiled_files() -> list[Path]:
    """The source files that compiled code depends on, sorted: the kernel's, those with rules or records, and what they
    import.

    A file has rules or records if it imports `rule`, `generic` or `field` from the kernel. Numba freezes what rules
    import from other files, and house rules, which define the records of a game, may extend those in another file of
    the games. A change in any other file recompiles nothing.
    """
    files = set(PACKAGE.glob(_KERNEL.rpartition(".")[2] + "/*.py"))
    for path in PACKAGE.rglob("*.py"):
        taken = _taken(path)
        if any(
            f"{module}.".startswith(f"{_KERNEL}.") and names & {"rule", "generic", "field"} for module, names in taken
        ):
            read = _files(taken)
            options = {each for each in read if each.name.endswith("options.py") and each != _OPTIONS}
            extended = {each for one in options for each in _files(_taken(one)) if _GAMES in each.parents}
            files |= {path} | read - {_OPTIONS} | extended
    return sorted(files)


def _taken(path: Path) -> list[tuple[str, set[str]]]:
    """The imports of a file from the package: modules, each with the imported names."""
    return [(module, set(re.findall(r"\w+", names))) for module, names in _IMPORT.findall(path.read_text("utf-8"))]


def _files(taken: list[tuple[str, set[str]]]) -> set[Path]:
    return set(
        filter(
            Path.is_file,
            (_file(part) for module, names in taken for part in (module, *(f"{module}.{name}" for name in names))),
        )
    )


def _file(module: str) -> Path:
    """The source file of a module. Packages are ignored: they only gather names."""
    return PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")


@functools.cache
def _key() -> str:
    flags = f"{numba.__version__} {np.__version__} {config.BOUNDSCHECK} {config.OPT} {ORDINARY}"
    key = hashlib.sha256(flags.encode())
    # Numba also freezes the arrays that rules read from files.
    for path in (*compiled_files(), *sorted(_GAMES.glob("*/*.npy"))):
        key.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return key.hexdigest()[:16]


def _wanted() -> Path:
    """Where the cache should be: CARDTABLE_CACHE, else the user's cache directory. Raises OSError if there is none."""
    if given := os.environ.get("CARDTABLE_CACHE"):
        return platform.in_home(given)
    return platform.cache_directory()


def _made(directory: Path, key: str, *, own: bool = False) -> str:
    """Create a cache's directory and check that it can be written to; return the reason why not, or "".

    own: only this user may have access. Code in a cache is run, so other users must not be able to write there.
    """
    try:
        if own:
            directory.mkdir(mode=0o700, exist_ok=True)
            about = directory.lstat()
            if not stat.S_ISDIR(about.st_mode) or not platform.only_i_write(about):
                return "it is not this user's alone"
        (directory / key).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory / key):
            return ""
    except OSError as error:
        return error.strerror or str(error)


def _root() -> Path | None:
    """The directory of all caches: where it should be; else, with a warning, a temporary one or None."""
    key = _key()
    try:
        wanted = _wanted()
    except OSError as error:
        wanted, why = Path(str(error.filename)), error.strerror
    else:
        why = _made(wanted, key)
        if not why:
            return wanted
    instead = Path(tempfile.gettempdir()) / f"cardtable-{platform.user()}" if _has_temporary() else None
    if instead and not _made(instead, key, own=True):
        what = f"they are kept in {instead} for now"
    else:
        instead, what = None, "the rules run as plain Python, which is slow"
    warnings.warn(
        f"compiled rules cannot be kept in {wanted} ({why}): {what}. Name a directory that can be written to with "
        "CARDTABLE_CACHE.",
        CacheWarning,
        stacklevel=2,
    )
    return instead


def _has_temporary() -> bool:
    try:
        return bool(tempfile.gettempdir())
    except OSError:
        return False


class CacheWarning(UserWarning):
    """The cache of compiled rules is not where it should be."""


ROOT = _root()
DIRECTORY = ROOT / _key() if ROOT else None
if DIRECTORY:
    config.CACHE_DIR = str(DIRECTORY)
else:
    config.DISABLE_JIT = 1  # without a cache, processes could not share what they compile
if config.DISABLE_JIT:
    np.seterr(over="ignore")  # compiled integers wrap around silently, so plain ones must as well


def _made_locks() -> platform.Locks | None:
    """The locks of the cache. None: there is no cache, or it is only to be read."""
    if DIRECTORY is None:
        return None
    try:
        return platform.Locks(DIRECTORY)
    except OSError:
        return None


_locks = _made_locks()


@contextlib.contextmanager
def lock(name: str) -> Iterator[None]:
    """Hold the lock `name` while compiling or filing; another process that needs it waits, then finds the work done.

    Only one thread of a process may use locks at a time, the one that holds Numba's compiler lock. A process locks a
    function, then its callees: there is no recursion, so deadlocks are impossible.
    """
    with _locks.hold(name) if _locks else contextlib.nullcontext():  # without locks, nothing can be filed
        yield


def ready(name: str) -> bool:
    """Whether `name` has been compiled with these sources (or nothing is compiled at all)."""
    return bool(config.DISABLE_JIT) or DIRECTORY is None or (DIRECTORY / f"{name}.ready").is_file()


def done(name: str) -> None:
    """Note that `name` has been compiled."""
    if DIRECTORY is None:
        return
    note(f"{name}.ready", "")
    prune()


def put(path: Path, data: bytes) -> None:
    """Write a file of the cache atomically, replacing any existing one. Raises OSError."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        new.write_bytes(data)
        if path.is_dir() and not path.is_symlink():  # it would not give way to a file
            shutil.rmtree(path)
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise


def note(name: str, text: str) -> None:
    """Write a small file into the cache; if that is impossible, only warn."""
    if DIRECTORY is None or _locks is None:
        return
    try:
        put(DIRECTORY / name, text.encode())
    except OSError as error:
        unkept(error)


def noted(name: str) -> str:
    """What `note` wrote; "" if there is nothing, or nothing that can be read."""
    if DIRECTORY is None:
        return ""
    try:
        return platform.read_file(DIRECTORY / name).decode()
    except (OSError, UnicodeDecodeError):
        return ""


@functools.cache
def _warn_unkept(why: str) -> None:
    warnings.warn(
        f"compiled rules cannot be kept in {DIRECTORY} ({why}): each process compiles them again. Make room there, or "
        "name another directory with CARDTABLE_CACHE.",
        CacheWarning,
        stacklevel=3,
    )


def unkept(error: OSError) -> None:
    """Warn that something could not be written into the cache: once for each reason."""
    _warn_unkept(error.strerror or str(error))


def apart(key: str) -> Path:
    """The directory for code compiled from other packages' sources, identified by `key`; marks it as in use.

    Raises OSError if there is no cache.
    """
    if DIRECTORY is None:
        raise OSError("there is no cache")
    place = DIRECTORY / APART / key
    with contextlib.suppress(OSError):  # not there yet, or only to be read
        os.utime(place)
    return place


def prune() -> None:
    """Remove the directories of other sources that have not been used for a while."""
    if ROOT is None or DIRECTORY is None:
        return
    others: list[Path] = []
    with contextlib.suppress(OSError):  # a cache that others own, or that was removed meanwhile
        os.utime(DIRECTORY)
        others += [other for other in ROOT.iterdir() if other != DIRECTORY]
        others += (DIRECTORY / APART).iterdir()
    for other in others:
        with contextlib.suppress(OSError):
            if other.is_dir() and time.time() - other.stat().st_mtime > PRUNE_AFTER:
                shutil.rmtree(other)
