"""Thousands of tables of a game in NumPy arrays: actions in; observations, masks and rewards out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardtable.base.errors import CardtableError, OptionError
from cardtable.base.types import OptionValue, SeatNumber, Seed
from cardtable.bots import bot, levels_of, parse_level
from cardtable.kernel import prng
from cardtable.lab.threads import check_counts, pool
from cardtable.precompile import warm
from cardtable.rules import contract, first_deals
from cardtable.rules.contract import State
from cardtable.rules.options import Options
from cardtable.rules.ruleset import Ruleset
from cardtable.search.playouts import MEDIUM, RANDOM, SOFT
from cardtable.search.steps import MOST_DEALS, OUTSIDE
from cardtable.search.tables import Tables
from cardtable.views.observed import redacted

if TYPE_CHECKING:
    from cardtable.bots import Bot

COMPILED = {"random": RANDOM, "medium": MEDIUM, "soft": SOFT}
REWARDS = ("deal", "match")
T = TypeVar("T")
MOVE_BITS = 63  #: bytes of a legal move in `move_features`


class Observation:
    """Observations of the seats to act, one row for each table. Each step overwrites the arrays."""

    def __init__(self, env: VectorTable) -> None:
        self._env = env
        self._redacted: NDArray[np.void] | None = None
        self._fresh = False
        self.seat: NDArray[np.int64] = env._tables.seat  #: [n], the seat that is to act
        self.mask: NDArray[np.int8] = env._tables.mask  #: [n, A], 1 for each action that it may take
        self.count: NDArray[np.int64] = env._tables.count  #: [n], how many these are

    @property
    def seen(self) -> NDArray[np.void]:
        """[n], the states redacted for these seats: everything they may know, and nothing else."""
        if self._redacted is None:
            self._redacted = self._env.game.rules.State.row(self._env.n)
        if not self._fresh:
            rows = self._redacted
            self._env._parts(lambda first, last, slot: self._env._tables.redact(first, last, rows))
            self._fresh = True
        return self._redacted


class Last:
    """How the last deal of each table ended; a row is of interest where `done` was true."""

    def __init__(self, tables: Tables) -> None:
        self.states: NDArray[np.void] = tables.ended  #: [n], the states at the end, with all cards
        self.deals: NDArray[np.int64] = tables.desks["deals"]  #: [n], deals that ended in the last step
        self.over: NDArray[np.int64] = tables.desks["over"]  #: [n], 1 where a match ended in the last step
        self.scores: NDArray[np.int64] = tables.desks["scores"][:, : tables.seats]  #: [n, seats], of the match


class VectorTable:
    """n tables of a game, played in step. See docs/environments.md.

    n: tables. seats, rules (a preset) and house rules are those of `Match`; `tables` gives house rules to single
    tables: mappings for table 0, 1, ..., repeated cyclically; all tables have the same number of seats. seed: table i
    plays the matches i, i + n, ... of a study with this seed. threads: they do not affect the results. opponents: None:
    the caller plays all seats; else bots for all other seats than `seat`, one level for all of them or one for each,
    clockwise. seat: the learner's seat, or one for each table. reward: "deal", the payoff of each seat at the end of a
    deal; or "match", 1 shared among the winners at the end of a match. auto: a seat with only one legal move makes it
    without being asked, whether or not the rulebook calls the move forced.

    Raises UnknownGame, OptionError.
    """

    def __init__(  # noqa: PLR0913 - a public interface of keywords
        self,
        game: str,
        n: int = 1,
        *,
        seats: int | None = None,
        rules: str | None = None,
        seed: Seed = 0,
        threads: int = 1,
        opponents: str | Sequence[str] | None = None,
        seat: SeatNumber | Sequence[SeatNumber] = 0,
        reward: str = "deal",
        auto: bool = True,
        tables: Sequence[Mapping[str, OptionValue]] = (),
        **options: OptionValue,
    ) -> None:
        check_counts(f"{n} tables on {threads} threads", n, threads)
        if reward not in REWARDS:
            raise OptionError(
                f"reward {repr(reward)[:60]}", "there is no such reward", f"there are {', '.join(REWARDS)}"
            )
        self.n, self.threads = n, min(threads, n)
        rulesets: list[Ruleset] = []
        for given in tables or ({},):
            named = {**options, **given}
            rulesets.append(Ruleset.parse(game, str(named.pop("rules", rules or "")), seats, named))
            seats = rulesets[-1].seats
        self.game, self.seats = rulesets[0].game, rulesets[0].seats
        #: the house rules of table 0, 1, ...; they repeat as `tables` does
        self.options: tuple[Options, ...] = tuple(each.options for each in rulesets)
        levels = self._levels(opponents)
        warm(self.game, search=False, environments=True)
        self._tables = Tables(self.game, [first_deals.checked(each) for each in rulesets], n, self.threads)
        self._tables.plan.auto, self._tables.plan.by_match = auto, reward == "match"
        self._key = prng.key_of(seed)
        self._pool = pool(self.threads) if self.threads > 1 else None
        self.learners = self._learners(seat)  #: [n], the seat that the caller plays, where there are opponents
        self._bots: list[dict[int, Bot]] = []  # of each thread, by how far they sit from the learner
        self._seat_opponents(levels, seed)
        self.played = 0  #: moves made so far, including forced moves and those of bots
        self.obs = Observation(self)  #: the last observation
        self.last = Last(self._tables)  #: how deals ended
        self._begun = False

    @property
    def states(self) -> NDArray[np.void]:
        """[n], the states with all cards, for critics and for checks. Not to be written to."""
        return self._tables.states  # type: ignore[no-any-return]

    @property
    def actions(self) -> int:
        """How many actions there are: the width of a mask."""
        return int(self._tables.plan.actions)

    @property
    def indexed(self) -> bool:
        """Whether action k is the k-th of the legal moves, in ascending order; otherwise it is a move's own number."""
        return bool(self._tables.plan.indexed)

    @property
    def features_width(self) -> int:
        """How many bytes the features of an observation have."""
        return int(self._tables.width)

    @property
    def feature_names(self) -> dict[str, slice]:
        """Where each field of the state is among the features."""
        return dict(self._tables.where)

    def _learners(self, seat: SeatNumber | Sequence[SeatNumber]) -> NDArray[np.int64]:
        """The learner's seat at each table. Raises OptionError."""
        seats = np.asarray(seat)
        whole = seats.dtype.kind in "iu" and seats.shape in ((), (self.n,))
        if not whole or (seats < 0).any() or (seats >= self.seats).any():
            raise OptionError(
                f"seat={str(seat)[:60]}",
                f"the seats are 0 to {self.seats - 1}",
                "name one of them, or one for each table",
                code="options/seats",
            )
        return np.broadcast_to(seats, self.n).astype(np.int64)

    def _levels(self, opponents: str | Sequence[str] | None) -> tuple[str, ...]:
        """The bots of the other seats, none where the caller plays all. Raises OptionError."""
        if opponents is None:
            return ()
        return levels_of(opponents, self.seats - 1, game=self.game.name, others=True)

    def _seat_opponents(self, levels: tuple[str, ...], seed: Seed) -> None:
        """Let bots play the other seats."""
        if not levels:
            return
        self._bots = [{} for _ in range(self.threads)]
        for k, level in enumerate(levels, 1):
            name = parse_level(level)[0]
            there = (self.learners + k) % self.seats
            self._tables.players[self._tables.all, there] = COMPILED.get(name, OUTSIDE)
            if name not in COMPILED:
                for bots in self._bots:
                    bots[k] = bot(level, seed=f"{seed} {k}")

    # Playing

    def _parts(self, work: Callable[[int, int, int], T], n: int | None = None) -> list[T]:
        """Do work(first, last, slot) on the parts of n tables, each in its own thread; return the results."""
        n = self.n if n is None else n
        if self._pool is None or n < 2:
            return [work(0, n, 0)]
        ends = [n * k // self.threads for k in range(self.threads + 1)]
        return list(self._pool.map(work, ends[:-1], ends[1:], range(self.threads)))

    def reset(self, seed: Seed | None = None) -> Observation:
        """Open the first match of every table. seed: another one than before."""
        if seed is not None:
            self._key = prng.key_of(seed)
        self._tables.begin(self._key)
        self._go_on()
        self._begun = True
        return self.obs

    def step(self, actions: ArrayLike) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_]]:
        """Take an action at every table, for the seat that is to act there.

        Returns the next observation, the rewards [n, seats], which are 0 except at the end of a deal (or match), and
        where that was [n]; there the observation is of the next deal already. Raises CardtableError, and changes
        nothing, if an action is not allowed.
        """
        if not self._begun:
            raise CardtableError("step", "no deal has begun", "call reset() first", code="environment/reset")
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise OptionError(
                f"actions of shape {given.shape} and type {given.dtype}",
                f"there are {self.n} tables",
                "give one whole number for each",
                code="environment/actions",
            )
        row = np.ascontiguousarray(given, np.int64)
        tables = self._tables
        if (wrong := tables.choose(0, self.n, row)) >= 0:
            raise self._not_allowed(wrong, int(row[wrong]))
        self._go_on()
        return self.obs, tables.reward, tables.done

    def _not_allowed(self, i: int, action: int) -> CardtableError:
        """The error for an action that may not be taken at table i."""
        allowed = np.flatnonzero(self._tables.mask[i]).tolist()
        shown = ", ".join(map(str, allowed[:20])) + (", ..." if len(allowed) > 20 else "")
        what = f"action {action} at table {i}"
        why = f"seat {int(self._tables.seat[i])} may not do that now"
        can = f"the mask allows {shown}; env.legal({i}) says what they mean"
        return CardtableError(what, why, can, code="move/illegal")

    def _go_on(self) -> None:
        """Play the chosen moves, and bots' moves, until the learner is to act at every table."""
        self.obs._fresh = False
        self._run(self._tables.all, True)
        if not any(self._bots):
            return
        tables = self._tables
        while len(waiting := tables.all[tables.players[tables.all, tables.seat] == OUTSIDE]):
            self._parts(partial(self._ask, waiting), len(waiting))
            self._run(waiting, False)

    def _run(self, which: NDArray[np.int64], anew: bool) -> None:
        """Run the chosen moves at these tables. anew: a step begins. Raises CardtableError if a table finds no
        choice."""
        tables = self._tables
        for made in self._parts(lambda first, last, slot: tables.run(which, first, last, slot, anew), len(which)):
            if made < 0:
                raise CardtableError(
                    f"table {-1 - made}",
                    f"in {MOST_DEALS} deals nobody had a choice",
                    "take auto=False, or other house rules",
                    code="environment/choices",
                )
            self.played += made

    def _ask(self, waiting: NDArray[np.int64], first: int, last: int, slot: int) -> None:
        """Choose the moves of bots that are not compiled, at a part of the tables where they are to act."""
        tables = self._tables
        for i in waiting[first:last].tolist():
            seat = int(tables.seat[i])
            player = self._bots[slot][(seat - int(self.learners[i])) % self.seats]
            tables.chosen[i] = player.move(self.game, redacted(tables.states[i], seat), seat)

    # Reading

    def features(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """[n, F], what the seats that are to act may know, as bytes (`feature_names` says where). out: the array to
        write to.
        """
        shape = (self.n, self._tables.width)
        if out is None:
            out = np.empty(shape, np.uint8)
        elif out.shape != shape or out.dtype != np.uint8 or not out.flags.c_contiguous:
            raise OptionError(
                f"out of shape {out.shape} and type {out.dtype}",
                f"the features are {self.n} rows of {self._tables.width} bytes",
                "give a contiguous array of uint8 of that shape",
                code="environment/actions",
            )
        into = out
        self._parts(lambda first, last, slot: self._tables.features(first, last, into, slot))
        return out

    def features_of(self, state: State, seat: SeatNumber) -> NDArray[np.uint8]:
        """[F], what a seat may know of a state of `states` or `last.states`, as bytes."""
        return self._tables.features_of(state, seat)

    def move_features(self) -> NDArray[np.uint8]:
        """[sum of obs.count, 63], for each legal move of table 0, then of table 1, and so on, the bits of its code from
        the lowest: in games whose actions are indexed these are its cards and its kind. Raises OptionError in other
        games, where an action always means the same.
        """
        if not self.indexed:
            raise OptionError(
                "features of moves",
                f"an action of {self.game.title} always means the same",
                "use its number",
                code="environment/actions",
            )
        count = self._tables.count
        moves = self._tables.moves[:, : int(count.max())]
        codes = moves[np.arange(moves.shape[1]) < count[:, None]]
        return (codes[:, None] >> np.arange(MOVE_BITS) & 1).astype(np.uint8)

    def legal(self, table: int) -> dict[int, str]:
        """The actions that may be taken at a table, each with its move in notation."""
        s, seat = self.states[table], int(self._tables.seat[table])
        moves = np.empty(self.game.rules.MAX_MOVES + 1, np.int64)
        k = contract.legal(s, seat, moves)
        text = self.game.presentation.move_text
        return {
            j if self.indexed else int(contract.action_of(s, int(moves[j]))): text(s, int(moves[j])) for j in range(k)
        }

    def sample(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """[n], an allowed action for every table, with equal chance. It changes no card of any deal."""
        row = np.empty(self.n, np.int64) if out is None else out
        self._parts(lambda first, last, slot: self._tables.pick(first, last, row))
        return row

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
            self.threads = 1
