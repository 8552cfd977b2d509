"""Storage of a rule's compiled forms: forms that contain third-party code are stored separately.

Numba files all compiled forms of a function together, each by the types of its arguments. The type of a record does not
identify the rules compiled into the code for it, so a change in another package's rules would not be detected. So where
the function, or a record among its arguments, comes from another package, the form is filed in a directory named after
the sources of that package's rules.

A power cut, a full disk or an editor can damage any file of a cache, and damaged code would be run. So each file
begins with a digest of its name and content; if that does not match, the rule is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.caching import FunctionCache, IndexDataCacheFile

from cardtable.base import platform
from cardtable.kernel import cache, outside
from cardtable.kernel.record import DECLARED, Record

_modules: dict[Any, set[str]] = {}  # numba type of a record -> the third-party modules compiled into its code
_looked_at = 0  # how many records of DECLARED have been looked at


def compiled_from(record: type[Record], modules: Iterable[str]) -> None:
    """Note that code for a record is compiled from the rules in these modules, as far as they are from outside."""
    if others := set(filter(outside.is_outside, modules)):
        _modules.setdefault(numba.from_dtype(record.dtype), set()).update(others)


def _modules_of(given: Iterable[Any]) -> Iterator[str]:
    """The modules from outside that code for records among these types is compiled from."""
    global _looked_at
    while _looked_at < len(DECLARED):
        compiled_from(DECLARED[_looked_at], [DECLARED[_looked_at].__module__])
        _looked_at += 1
    for kind in given:
        if isinstance(kind, types.Record):
            yield from _modules.get(kind, ())
        elif isinstance(kind, types.Array):
            yield from _modules_of([kind.dtype])
        elif isinstance(kind, types.BaseTuple):
            parts: Any = kind
            yield from _modules_of(tuple(parts))


SEAL = 16  #: bytes of the digest with which a file begins


def _seal(path: str, data: bytes) -> bytes:
    """The digest of a file's name and content: of two files that were swapped, neither fits."""
    home, name = Path(path).parts[-2:]
    return hashlib.blake2b(f"{home}/{name}\0".encode() + data, digest_size=SEAL).digest()


class Files(IndexDataCacheFile):
    """The files of one function. A damaged file counts as missing, and is replaced when the function is filed.

    Two processes that file different forms at the same time may give them the same file name. So a file contains its
    form: otherwise the wrong code would be run.
    """

    def save(self, key: Any, data: Any) -> None:
        """File a form. Raises OSError."""
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        """A form, or None if it is not there."""
        entry = super().load(key)
        return entry[1] if entry and entry[0] == key else None

    def _read(self, path: str) -> Any:
        """The content of a file. Raises OSError if it is missing or damaged."""
        whole = platform.read_file(path)
        if whole[:SEAL] != _seal(path, data := whole[SEAL:]):
            raise OSError(f"{path} is damaged")
        return pickle.loads(data)

    def _write(self, path: str, content: Any) -> None:
        """Replace a file, or anything else with its name. Raises OSError."""
        data = self._dump(content)
        cache.put(Path(path), _seal(path, data) + data)

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, forms = self._read(self._index_path)
        except OSError:
            return {}
        return forms if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)


class Shelf(FunctionCache):
    """A rule's compiled forms in the cache."""

    _impl_class: Any = FunctionCache._impl_class

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._common = self._cache_file = self._files(self._cache_path)
        self._home = [function.__module__] if outside.is_outside(function.__module__) else []
        self._apart: dict[str, Any] = {}

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with self._filed(sig):
            return super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """File a form; where that is impossible, it serves this process alone, with a warning."""
        try:
            with self._filed(sig):
                super().save_overload(sig, data)
        except OSError as error:
            cache.unkept(error)

    @contextlib.contextmanager
    def _filed(self, sig: Any) -> Iterator[None]:
        """Use the files for a signature; for the thread that holds Numba's compiler lock."""
        given = sig.args if hasattr(sig, "args") else sig
        modules = sorted({*self._home, *_modules_of(given)})
        before = self._cache_file
        self._cache_file = self._file(modules) if modules else self._common
        try:
            yield
        finally:
            self._cache_file = before

    def _file(self, modules: list[str]) -> Any:
        """The files in the directory for the sources of these modules."""
        key = hashlib.sha256("\n".join(map(outside.digest, modules)).encode()).hexdigest()[:16]
        filed = self._apart.get(key)
        if filed is None:
            place = cache.apart(key) / Path(self._cache_path).name
            with contextlib.suppress(OSError):  # a cache that is only read
                place.mkdir(parents=True, exist_ok=True)
            filed = self._apart[key] = self._files(str(place))
        return filed

    def _files(self, place: str) -> Files:
        return Files(place, self._impl.filename_base, self._impl.locator.get_source_stamp())
