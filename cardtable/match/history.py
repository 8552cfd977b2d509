"""The moves made in the deals of a match, and the results of the deals and the match."""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from cardtable.base.types import MoveCode, MoveText, SeatNumber
from cardtable.kernel import following
from cardtable.match.given_chance import Script
from cardtable.rules import contract

if TYPE_CHECKING:
    from cardtable.rules.contract import State


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move made: `number` counts from 1 in each deal."""

    deal: int
    number: int
    seat: SeatNumber
    move: MoveText
    forced: bool  #: made by Match, because the rules left no choice
    code: MoveCode


class PlayedMoves(Sequence[PlayedMove]):
    """The moves of a deal. They take a few bytes each: a server stores those of thousands of matches."""

    __slots__ = ("_codes", "_deal", "_moves", "_seats")

    def __init__(self, deal: int) -> None:
        """deal: its number."""
        self._deal = deal
        self._codes = array("q")
        self._seats = bytearray()  #: twice the seat, and 1 more for a forced move
        self._moves: list[MoveText] = []

    def add(self, seat: SeatNumber, move: MoveText, forced: bool, code: MoveCode) -> None:
        """Add the next act."""
        self._seats.append(2 * seat + forced)
        self._moves.append(sys.intern(move))
        self._codes.append(code)

    def cut(self, count: int) -> None:
        """Keep only the first `count` acts."""
        del self._codes[count:], self._seats[count:], self._moves[count:]

    def __len__(self) -> int:
        return len(self._seats)

    def __iter__(self) -> Iterator[PlayedMove]:
        return (self._act(i) for i in range(len(self)))

    @overload
    def __getitem__(self, i: int, /) -> PlayedMove: ...
    @overload
    def __getitem__(self, i: slice, /) -> list[PlayedMove]: ...
    def __getitem__(self, i: int | slice, /) -> PlayedMove | list[PlayedMove]:
        chosen = range(len(self))[i]
        return self._act(chosen) if isinstance(chosen, int) else [self._act(each) for each in chosen]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (PlayedMoves, list)) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def _act(self, i: int) -> PlayedMove:
        seat, forced = divmod(self._seats[i], 2)
        return PlayedMove(self._deal, i + 1, seat, self._moves[i], bool(forced), self._codes[i])


@dataclass(frozen=True, slots=True)
class DealResult:
    """The result of a finished deal."""

    deal: int
    winner: SeatNumber | None
    payoff: tuple[int, ...]
    gained: tuple[
        int, ...
    ] = ()  #: the change of each seat's score: points, chips or deals won, in the units for people
    scores: tuple[int, ...] = ()  #: the match's scores after it


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished match."""

    scores: tuple[int, ...]
    winners: tuple[SeatNumber, ...]
    deals: int
    resigned: SeatNumber | None = None


@dataclass(slots=True)
class Deal:
    """One deal of the match: its start and its moves."""

    number: int
    packed: bytes  #: the memory of the state in which it starts, compressed
    kind: type[State]  #: of that state
    pack: list[int] | None  #: only if it does not follow from the seed
    acts: PlayedMoves
    result: DealResult | None = None
    #: the cards after each reshuffle, top card first, where chance does not decide
    orders: list[list[int]] = field(default_factory=list)
    dealt: int = 0  #: how many of these orders were used while dealing
    used: int = 0  #: how many of them have been used so far

    @classmethod
    def of(cls, start: State, pack: list[int] | None, orders: list[list[int]] | None = None, used: int = 0) -> Deal:
        """A deal that starts now. used: how many of the orders were used while dealing."""
        number = int(start.deal_number)
        packed = zlib.compress(start.tobytes(), 1)
        return cls(number, packed, start._record, pack, PlayedMoves(number), None, orders or [], used, used)

    @property
    def start(self) -> State:
        """The state in which it starts: a copy."""
        return self.kind.of_bytes(zlib.decompress(self.packed))

    def turns(self) -> Iterator[tuple[State, SeatNumber, MoveCode]]:
        """The state before each move so far, who acts, and the move; each state is derived from that of the turn
        before.

        Later changes to the match have no effect.
        """
        return self._turns(bytes(self.acts._seats), self.acts._codes[:], self.orders[self.dealt :])

    def _turns(self, seats: bytes, codes: array[int], orders: list[list[int]]) -> Iterator[Any]:
        s, used = self.start, 0
        for k, code in enumerate(codes):
            seat = seats[k] >> 1
            yield s, seat, code
            if used == len(orders):
                contract.play(s, seat, code)
            else:
                script = Script(orders=orders[used:])
                with following(script):
                    contract.play(s, seat, code)
                used += script.used
