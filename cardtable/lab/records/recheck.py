"""Checking many records: as `Record.replay` does, with the moves of each deal played by compiled rules at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from cardtable.base.errors import CardtableError
from cardtable.base.types import Json, MoveCode
from cardtable.match.match import Match
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.search import playouts

MOST_KNOWN = 100_000  #: texts of moves that are kept for each game
ACT = re.compile(r"(\d{1,2}) (.+)")


class Touched(Exception):
    """A move that cannot be determined from its text alone."""


class Untouchable:
    """Placeholder for a state that raises on access to any field not listed: the move depends on the state."""

    def __init__(self, **given: object) -> None:
        vars(self).update(given)

    def __getattr__(self, name: str) -> NoReturn:
        raise Touched

    def __getitem__(self, name: object) -> NoReturn:
        raise Touched


#: Numba asks every argument for this, and Python 3.13 complains on standard error if the answer is another error than
#: AttributeError: so it is there, and refuses at the next question.
Untouchable._numba_type_ = Untouchable()  # type: ignore[attr-defined]


class Codes:
    """The codes of moves whose text means the same in every state of a game.

    A text is parsed once, with a state that cannot be looked into: if that succeeds, its code does not depend on the
    state. Other texts have none.
    """

    def __init__(self, game: Game) -> None:
        self._parse = game.presentation.parse_move
        self._known: dict[str, MoveCode | None] = {}

    def __call__(self, text: str) -> MoveCode | None:
        try:
            return self._known[text]
        except KeyError:
            pass
        nothing: Any = Untouchable()
        try:
            code: MoveCode | None = int(self._parse(nothing, text))
        except (Touched, CardtableError):
            code = None
        if len(self._known) < MOST_KNOWN:
            self._known[text] = code
        return code


class _Fast(Match):
    """A match of which whole deals are played at once."""

    def jump(self, s: State) -> None:
        """Take the state after the last move of a deal."""
        self._s = s
        self._finish()


class Checker:
    """Checks records one after another. One thread uses it."""

    def __init__(self) -> None:
        self._codes: dict[str, Codes] = {}
        self._buffers: dict[str, NDArray[np.int64]] = {}

    def check(self, keys: Mapping[str, Json]) -> int:
        """Replay a record, check every move and result, and return the number of moves. Raises RecordError."""
        count = 0

        def repeat(m: _Fast, moves: list[Json]) -> None:
            nonlocal count
            if not self._at_once(m, moves):
                m._repeat_moves(moves)
            count += len(moves)

        _Fast._replayed(keys, repeat=repeat)
        return count

    def _at_once(self, m: _Fast, moves: list[Json]) -> bool:
        """Play all moves of a deal at once; False, with nothing changed, if they must be played one by one."""
        if m.deals[-1].orders or m.real_time:
            return False
        name = m.game.name
        codes = self._codes.get(name) or self._codes.setdefault(name, Codes(m.game))
        seats, row = np.empty(len(moves), np.int64), np.empty(len(moves), np.int64)
        for k, text in enumerate(moves):
            act = ACT.fullmatch(text) if isinstance(text, str) else None
            code = codes(act[2]) if act else None
            if act is None or code is None or int(act[1]) >= m.seats:
                return False
            seats[k], row[k] = int(act[1]), code
        if name not in self._buffers:
            self._buffers[name] = np.empty(m.game.rules.MAX_MOVES + 1, np.int64)
        s = m.snapshot()
        s.record_events, s.untracked = 0, 1
        if int(playouts.replayed(s, seats, row, self._buffers[name])) < len(moves):
            return False
        m.jump(s)
        return True
