"""`Record`: an annotated class that is at once the memory layout, mypy's type and the reader's table of fields."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, ClassVar, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray


class Ints(Protocol):
    """A row of a record's integers, as rules read and write it."""

    def __getitem__(self, i: int, /) -> int: ...
    def __setitem__(self, i: int | slice, value: Any, /) -> None: ...


def field(kind: str = "i8", *shape: int) -> Any:
    """One field of a record: `field()` an int64, `field("i8", 8)` a row of eight, `field("i1", 10, 84)` a grid.

    Use int64 everywhere: narrower fields give different results in compiled and in plain code. Only large grids are
    narrow, and are read through `int()`.
    """
    return np.dtype((kind, shape))


class _Quick(np.record):  # type: ignore[misc]
    """A record whose fields are properties of its class: plain Python reads them five times as fast as those of NumPy's
    records.

    If it owns its memory, that is its `memory`, which compiled rules use directly; NumPy would describe every field
    first.
    """

    __getitem__ = np.void.__getitem__  # type: ignore[assignment]  # a nested record has its own class
    __getattribute__ = object.__getattribute__
    __setattr__ = object.__setattr__

    memory: bytearray | None = None
    _record: type[Record]  #: the class that declares the fields

    @property
    def data(self) -> Any:
        """The memory, where Numba looks for it."""
        return np.void.data.__get__(self) if self.memory is None else self.memory

    def copy(self) -> Any:  # type: ignore[override]
        """A copy with its own memory."""
        return _alone(bytearray(self.tobytes() if self.memory is None else self.memory), self.dtype)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return _restored, (self._record, self.tobytes())


def _alone(memory: bytearray, dtype: Any) -> Any:
    """The record that fills the whole of some memory, and owns it."""
    s = np.frombuffer(memory, dtype)[0]
    s.memory = memory
    return s


def _restored(record: type[Record], memory: bytes) -> Any:
    """A pickled record. Raises ValueError if it was written when the record had other fields."""
    if len(memory) != record.dtype.itemsize:
        raise ValueError(
            f"{record.__module__}.{record.__qualname__} has {record.dtype.itemsize} bytes, not {len(memory)}: another "
            "version of it was pickled"
        )
    return _alone(bytearray(memory), record.dtype)


def _property(name: str) -> property:
    def store(self: Any, value: Any) -> None:
        self[name] = value

    return property(itemgetter(name), store)


class Record:
    """A flat record. A subclass lists its fields, after those of the class it extends:

    `pot: int = field()`, `hands: Ints = field("i8", 8)`, `rules: Rules = Rules.inside` (a nested record).
    Records are compared, copied (`.copy()`), pickled and hashed as their bytes. Raises TypeError for a field named
    like an attribute of NumPy's records (`size`, `base`, ...), which plain Python would read instead.
    """

    dtype: ClassVar[np.dtype[Any]]
    inside: ClassVar[Any]
    fields: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: vars(cls)[name] for name in vars(cls).get("__annotations__", {}) if name in vars(cls)}
        if taken := sorted(name for name in own if hasattr(np.record, name)):
            raise TypeError(
                f"{cls.__module__}.{cls.__name__}: NumPy's records have {', '.join(taken)} already; plain rules would "
                "read that: name it otherwise"
            )
        cls.fields = {**cls.fields, **own}
        quick = type(cls.__name__, (_Quick,), {name: _property(name) for name in cls.fields} | {"_record": cls})
        cls.dtype = cls.inside = np.dtype((quick, list(cls.fields.items())))
        DECLARED.append(cls)

    @classmethod
    def new(cls) -> Self:
        """A record of zeros with its own memory."""
        return cast(Self, _alone(bytearray(cls.dtype.itemsize), cls.dtype))

    @classmethod
    def row(cls, n: int) -> Any:
        """A row of n records, all zero: `row[i] = s` copies."""
        return np.zeros(n, cls.dtype)

    @classmethod
    def of_bytes(cls, memory: bytes) -> Self:
        """A record from its memory (`tobytes`). Raises ValueError if it is not as long as the record."""
        return cast(Self, _restored(cls, memory))

    def copy(self) -> Self:  # declared for the type checker; `_Quick` has it
        """A copy with its own memory."""
        raise NotImplementedError

    def tobytes(self) -> bytes:  # as above
        """The record's memory."""
        raise NotImplementedError


DECLARED: list[type[Record]] = []  #: every class of records, in the order in which they were declared


def words(row: Any) -> NDArray[np.int64]:
    """The memory of a row of records as int64, one line for each record."""
    return cast("NDArray[np.int64]", row.view(np.int64).reshape(len(row), -1))
