"""What one seat has seen the others do in a deal: what search weights its worlds by (`cardtable.search.chain`)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from cardtable.base.types import MoveCode, SeatNumber
from cardtable.rules import contract
from cardtable.rules.contract import State

MOST = 256  #: moves that are kept: the last ones
_HEAD = struct.Struct("<q")


def redacted(s: State, seat: SeatNumber | None) -> State:
    """A copy of a state with only what a seat may know; None, or -1: a spectator."""
    copy: State = s.copy()
    contract.redact(copy, -1 if seat is None else seat)
    return copy


class Past:
    """The moves that the others have made in the current deal, as a seat saw them, and the states in which they made
    them, redacted for it.
    """

    def __init__(self, kind: type[State], seat: SeatNumber) -> None:
        """kind: of the game's states."""
        self.seat = seat
        self._kind: Any = kind
        self._rows: Any = self._kind.row(16)
        self.who = np.zeros(16, np.int64)  #: the seat of each move
        self.made = np.zeros(16, np.int64)  #: the moves, as the seat saw them (`contract.observed`)
        self.count = 0  #: how many there are; what follows in the arrays has no meaning

    @property
    def rows(self) -> Sequence[State]:
        """The states before the moves."""
        rows: Sequence[State] = self._rows
        return rows

    def saw(self, s: State, who: SeatNumber, move: MoveCode) -> None:
        """Add a move before it is made in a state (the full one, or one redacted for the seat); the seat's own moves
        are not information.
        """
        if who == self.seat:
            return
        if self.count == len(self.who):
            self._make_room()
        k = self.count
        self.who[k], self.made[k] = who, contract.observed(s, who, move, self.seat)
        self._rows[k] = s
        row = self._rows[k]
        row.record_events = row.event_count = 0
        contract.redact(row, self.seat)
        self.count = k + 1

    def _make_room(self) -> None:
        """Into new arrays, because `until` shares the old ones."""
        count = min(self.count, MOST - MOST // 4)
        room = min(2 * self.count, MOST)
        rows, who, made = self._kind.row(room), np.zeros(room, np.int64), np.zeros(room, np.int64)
        rows[:count], who[:count], made[:count] = (
            each[self.count - count : self.count] for each in (self._rows, self.who, self.made)
        )
        self._rows, self.who, self.made, self.count = rows, who, made, count

    def until_now(self) -> Past:
        """What has been seen so far, to which nothing will be added."""
        past = Past.__new__(Past)
        past.__dict__.update(self.__dict__)
        return past

    def apart(self) -> Past:
        """A copy with separate states: weighing worlds writes into them, so threads must not share them."""
        past = self.until_now()
        past._rows = self._rows[: max(self.count, 1)].copy()
        return past

    def packed(self) -> bytes:
        """Its memory, compressed: most words of a state equal those of the state before it."""
        n = self.count
        words = self._rows[:n].view(np.uint64).reshape(n, -1) if n else np.zeros((0, 1), np.uint64)
        words = words.copy()
        words[1:] ^= words[:-1].copy()
        memory = b"".join((_HEAD.pack(n), self.who[:n].tobytes(), self.made[:n].tobytes(), words.tobytes()))
        return zlib.compress(memory, 1)

    @classmethod
    def unpacked(cls, kind: type[State], seat: SeatNumber, memory: bytes) -> Past:
        """What `packed` has packed for the same kind of states. Raises ValueError if it is something else."""
        past = cls(kind, seat)
        size = int(kind.dtype.itemsize)
        most = _HEAD.size + MOST * (16 + size)
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(memory, most)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        n = _HEAD.unpack_from(data)[0] if len(data) >= _HEAD.size else -1
        if not unpacker.eof or not 0 <= n <= MOST or len(data) != _HEAD.size + n * (16 + size):
            raise ValueError(f"{len(data)} bytes are no past of a seat")
        at = _HEAD.size
        past.who = np.frombuffer(data, np.int64, n, at).copy()
        past.made = np.frombuffer(data, np.int64, n, at + 8 * n).copy()
        words = np.frombuffer(data, np.uint64, n * size // 8, at + 16 * n).reshape(n, size // 8).copy()
        np.bitwise_xor.accumulate(words, axis=0, out=words)
        rows: Any = kind.row(max(n, 1))
        rows[:n] = np.frombuffer(words.tobytes(), kind.dtype)
        past._rows, past.count = rows, n
        if n == 0:
            past.who, past.made = np.zeros(1, np.int64), np.zeros(1, np.int64)
        return past


def past_of(kind: type[State], seat: SeatNumber, turns: Iterable[tuple[State, SeatNumber, MoveCode]]) -> Past:
    """A seat's observations of the turns of a deal: the state before each move, its seat, and the move."""
    past = Past(kind, seat)
    for s, who, move in turns:
        past.saw(s, who, move)
    return past


class Recall:
    """Makes a seat's past on request. Pickled, it is only the past: its sources are not for the seat."""

    def __init__(self, make: Callable[[], Past]) -> None:
        self._make: Callable[[], Past] | None = make
        self._past: Past | None = None

    def __call__(self) -> Past:
        if self._past is None:
            assert self._make
            self._past, self._make = self._make(), None
        return self._past

    def __reduce__(self) -> tuple[Callable[..., Recall], tuple[type[State], SeatNumber, bytes]]:
        past = self()
        return _remembered, (past._kind, past.seat, past.packed())


def _remembered(kind: type[State], seat: SeatNumber, memory: bytes) -> Recall:
    past = Past.unpacked(kind, seat, memory)
    return Recall(lambda: past)
