"""The players: each chooses a move from a redacted state, and from nothing else."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from cardtable.base.types import MoveCode, MoveText, SeatNumber
from cardtable.kernel import Switch, prng
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game, OwnPlayer
from cardtable.views.observed import redacted

if TYPE_CHECKING:
    from cardtable.bots.searcher import Clock, Searcher, SearchResult
    from cardtable.bots.team import Team
    from cardtable.views.observed import Past


class SeatView(Protocol):
    """A bot's view of a match (`match.View`): its seat, and a state redacted for it."""

    @property
    def game(self) -> Game: ...
    @property
    def seat(self) -> SeatNumber | None: ...
    @property
    def past(self) -> Past | None: ...
    @property
    def state(self) -> State: ...


class Bot:
    """A player.

    A bot with a seed is a pure function of its view: the same position always gets the same answer.
    """

    name = ""
    infers = False  #: whether it uses the others' moves (`past`)

    def __init__(self, key: prng.Words) -> None:
        """key: the four words of its seed."""
        self.key = key

    def move(self, game: Game, state: State, seat: SeatNumber, past: Past | None = None) -> MoveCode:
        """Choose a move of `seat`, which may act, in a state redacted for it. past: the others' moves that it has
        seen in this deal, where known.
        """
        raise NotImplementedError

    def choose(self, view: SeatView) -> MoveText:
        """The move of the view's seat, in notation."""
        if view.seat is None:
            raise ValueError("a bot needs a seat's view, not a spectator's")
        past = view.past if self.infers else None
        return view.game.presentation.move_text(view.state, self.move(view.game, view.state, view.seat, past))


def _legal(game: Game, state: State, seat: SeatNumber) -> tuple[NDArray[np.int64], int]:
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    return moves, int(contract.legal(state, seat, moves))


def _chance(key: prng.Words, known: State, seat: SeatNumber) -> prng.Words:
    """The random seed of a decision, derived from the bot's key and what the seat knows."""
    from cardtable.bots.searcher import hash_of  # imported when it is used: most programs never search

    rng = np.zeros(4, np.uint64)
    prng.derive(rng, key, hash_of(known, seat), prng.BOT)
    return rng


class Random(Bot):
    """Any legal move, with equal chance."""

    name = "random"

    def move(self, game: Game, state: State, seat: SeatNumber, past: Past | None = None) -> MoveCode:
        moves, n = _legal(game, state, seat)
        return int(moves[prng.below(_chance(self.key, redacted(state, seat), seat), n)])


class Medium(Bot):
    """The game's heuristic."""

    name = "medium"

    def move(self, game: Game, state: State, seat: SeatNumber, past: Past | None = None) -> MoveCode:
        moves, n = _legal(game, state, seat)
        return int(contract.heuristic(state, seat, moves, n)) if n > 1 else int(moves[0])


class Soft(Bot):
    """The game's heuristic, with human mistakes (`search.softened`)."""

    name = "soft"

    def move(self, game: Game, state: State, seat: SeatNumber, past: Past | None = None) -> MoveCode:
        from cardtable.search import softened

        moves, n = _legal(game, state, seat)
        if n == 1:
            return int(moves[0])
        known = redacted(state, seat)
        rng = _chance(self.key, known, seat)
        return softened.choice(known, seat, moves, n, softened.SLIPS, rng)


class SearchBot(Bot):
    """Tree search or flat Monte Carlo, with an iteration or time limit for each decision.

    While the rules are still being compiled and run as plain Python, it plays the heuristic, because search would be
    too slow. Threads that share a searcher wait for each other: its buffers serve one decision at a time. A game may
    have its own player (`Game.player`), which then chooses the moves; the values of single moves always come from
    search.
    """

    def __init__(
        self,
        key: prng.Words,
        *,
        iterations: int = 0,
        seconds: float = 0.0,
        flat: bool = False,
        uniform: bool = False,
        threads: int = 0,
        called: str = "search",
        clock: Clock = time.perf_counter,
    ) -> None:
        """iterations and seconds: as for a `Searcher`. uniform: do not weight worlds by the others' moves. threads:
        the number of search threads, unless it is flat (`bots.team`); 0: the caller's thread. called: the name of its
        level, if it is not flat. clock: for the seconds; several threads and a game's own player always use
        wall-clock time.
        """
        super().__init__(key)
        self.clock = clock
        self.iterations, self.seconds, self.flat = iterations, seconds, flat
        self.infers = not (flat or uniform)
        self.name = ("flat" if flat else called) + (f":{iterations}" if iterations else f":{seconds:g}s")
        self.name += ":uniform" if uniform else ""
        self.threads = 0 if flat else threads
        self.name += f":threads={self.threads}" if self.threads else ""
        self._thinker: Searcher | None = None
        self._team: Team | None = None
        self._own: tuple[Game, OwnPlayer] | None = None
        self._thinking = threading.Lock()

    def __getstate__(self) -> dict[str, object]:
        """The state without the buffers; a copy creates its own."""
        return {**self.__dict__, "_thinker": None, "_team": None, "_own": None, "_thinking": None}

    def __setstate__(self, saved: dict[str, object]) -> None:
        self.__dict__.update(saved, _thinking=threading.Lock())

    def move(self, game: Game, state: State, seat: SeatNumber, past: Past | None = None) -> MoveCode:
        moves, n = _legal(game, state, seat)
        if n == 1:
            return int(moves[0])
        if Switch.plain:
            return int(contract.heuristic(state, seat, moves, n))
        if game.player is not None and not self.flat:
            return self._by_its_player(game, state, seat)
        return self.analyse(game, state, seat, past).best

    def _by_its_player(self, game: Game, state: State, seat: SeatNumber) -> MoveCode:
        """The move of a game's own player."""
        known = redacted(state, seat)
        with self._thinking:
            if self._own is None or self._own[0] is not game:
                assert game.player is not None
                self._own = game, game.player()
            return self._own[1].move(known, self.key, self.iterations, self.seconds)

    def analyse(self, game: Game, state: State, seat: SeatNumber, past: Past | None = None) -> SearchResult:
        """Evaluate each legal move of `seat`, which may act, in a state redacted for it."""
        from cardtable.bots.searcher import Searcher  # as above

        with self._thinking:
            if self.threads:
                from cardtable.bots.team import Team

                if self._team is None or self._team.game is not game:
                    self._team = Team(game, self.threads)
                return self._team(state, seat, self.key, iterations=self.iterations, seconds=self.seconds, past=past)
            if self._thinker is None or self._thinker.game is not game:
                self._thinker = Searcher(game, clock=self.clock)
            return self._thinker(
                state, seat, self.key, iterations=self.iterations, seconds=self.seconds, flat=self.flat, past=past
            )
