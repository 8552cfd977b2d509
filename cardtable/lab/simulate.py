"""A study of a game: many deals played by the same bots, with 95% intervals; the figures do not depend on the number
of threads.

Matches are numbered; each has its own key, derived from the study's seed. They are played in blocks, and blocks
are added up in order.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardtable.base.errors import BotError
from cardtable.base.message import Message
from cardtable.base.types import Json, JsonObject, OptionValue, Seed
from cardtable.bots import bot, levels_of
from cardtable.bots.levels import LEVELS
from cardtable.bots.third_party import Outside, Policy, policies, wrong_move
from cardtable.kernel import bits, prng
from cardtable.kernel.policies import with_policies
from cardtable.lab.intervals import Mean, around
from cardtable.lab.notes import Notes
from cardtable.lab.threads import check_counts
from cardtable.lab.threads import pool as threads_pool
from cardtable.precompile import warm
from cardtable.rules import contract, first_deals
from cardtable.rules.contract import State
from cardtable.rules.ruleset import Ruleset
from cardtable.search import playouts
from cardtable.views.observed import Past, redacted

if TYPE_CHECKING:
    from cardtable.bots import Bot

BLOCK = 5000  #: deals in a block of compiled players, about; it must not depend on the number of threads
USUAL = 8  #: approximate number of deals in a match, for games that do not specify it
COMPILED = {"random": playouts.RANDOM, "medium": playouts.MEDIUM, "soft": playouts.SOFT}


def thinks(level: str) -> bool:
    """Whether a bot searches, by its name as `level_called` gives it."""
    return level.partition(":")[0] in LEVELS and level not in COMPILED


@dataclass(frozen=True)
class Compiled:
    """Players that are compiled: the code of each for `playouts`, the policies from outside among them, and the totals
    that stand for these.
    """

    codes: Mapping[str, int]
    policies: Mapping[str, Policy]
    totals: type[playouts.Totals]

    def check(self, total: playouts.Totals, levels: Sequence[str]) -> None:
        """Raises BotError if the policy of a seat, whose players are `levels`, was wrong."""
        if total.wrong:
            seat = int(total.wrong) - 1
            raise wrong_move(levels[seat], seat, int(total.wrong_move))


def compiled(levels: Sequence[str]) -> Compiled | None:
    """These players, if all of them are compiled. Raises OptionError."""
    given = policies(levels)
    codes = COMPILED | {level: playouts.POLICY + k for k, level in enumerate(given)}
    if not set(levels) <= set(codes):
        return None
    totals: Any = with_policies(playouts.Totals, list(given.values()))
    return Compiled(codes, given, totals)


@dataclass(frozen=True)
class Simulation:
    """The result of a simulation. Payoffs are per deal, in the game's points or chips."""

    game: str
    rules: str
    seats: int
    options: Mapping[str, Json]
    bots: tuple[str, ...]
    seed: str
    matches: int
    deals: int
    moves: int
    seconds: float
    payoff: tuple[Mean, ...]
    eldest: Mean  #: the payoff of the seat after the dealer
    wins: tuple[int, ...]
    void: int  #: number of deals without a winner
    length: tuple[float, float, int, int]  #: mean, standard deviation, shortest, longest, in moves
    passes: float  #: per deal
    title: str  #: of the name under which the game was asked for
    partial: bool = False  #: it was stopped before all deals were played
    lengths: tuple[int, ...] = ()  #: how many deals had 0, 1, 2, ... moves

    @property
    def moves_per_second(self) -> float:
        """Moves a second, all threads together."""
        return self.moves / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> JsonObject:
        """For `--json`."""
        mean, deviation, shortest, longest = self.length
        return {
            "game": self.game,
            "rules": self.rules,
            "title": self.title,
            "seats": self.seats,
            "options": {k: list(v) if isinstance(v, tuple) else v for k, v in self.options.items()},
            "bots": list(self.bots),
            "seed": self.seed,
            "matches": self.matches,
            "deals": self.deals,
            "moves": self.moves,
            "seconds": round(self.seconds, 4),
            "moves_per_second": round(self.moves_per_second),
            "payoff": [{"seat": seat, **x.as_dict()} for seat, x in enumerate(self.payoff)],
            "eldest": self.eldest.as_dict(),
            "wins": list(self.wins),
            "void": self.void,
            "length": {"mean": mean, "sd": deviation, "min": shortest, "max": longest},
            "passes": {"mean": self.passes},
            "partial": self.partial,
        }


class Stopped(KeyboardInterrupt):
    """Ctrl-C in a study or a league. `found`: the result so far, marked as partial (None: nothing yet)."""

    def __init__(self, found: Any) -> None:
        super().__init__()
        self.found = found


def simulate(  # noqa: PLR0913 - a public interface of keywords
    game: str,
    deals: int,
    *,
    seats: int | None = None,
    rules: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    bots: Sequence[str] = ("random",),
    seed: Seed = 0,
    threads: int = 1,
    progress: Callable[[int], object] = lambda deals: None,
    say: Callable[[Message], object] = str,
    noted: Callable[[Notes], object] | None = None,
) -> Simulation:
    """Play `deals` deals (whole matches; the last one may be cut short) and sum them up.

    bots: one level for all seats, or one for each. progress: called with the number of new deals done. say: called with
    a message when something is compiled. noted: called with the notes of each block of matches, in order;
    `recorded.Recorder.told` turns them into records. The figures depend on the seed alone (except with time-limited
    bots, `search:1s`, and with third-party bots that ignore their seed). Raises OptionError, UnknownGame, BotError, and
    at Ctrl-C Stopped, with the deals played so far.
    """
    check_counts(f"{deals} deals on {threads} threads", deals, threads)
    ruleset = Ruleset.parse(game, rules, seats, options)
    levels = levels_of(bots, ruleset.seats, game=ruleset.game.name)
    warm(ruleset.game, search=any(thinks(level) for level in levels), study=True, say=say)
    usual = usual_deals(ruleset)
    tables = BlockPlayer(ruleset, levels, seed)
    block = max(1, BLOCK // usual) if tables.compiled else 1
    if tables.compiled and tables.compiled.policies:
        tables.play(0, 1, 1)  # compiles them, which is excluded from the reported time
    began = time.perf_counter()
    sums = playouts.Totals.new()

    def study(partial: bool = False) -> Simulation:
        return _study(sums, time.perf_counter() - began, ruleset, levels, str(seed).strip(), partial)

    try:
        _sum(sums, tables, deals, block, usual, threads, progress, noted)
    except KeyboardInterrupt:
        raise Stopped(study(partial=True) if sums.deals else None) from None
    return study()


def usual_deals(ruleset: Ruleset) -> int:
    """How many deals a match has, about."""
    return int(getattr(ruleset.options, "deals", 0) or USUAL)


def _sum(
    sums: playouts.Totals,
    tables: BlockPlayer,
    deals: int,
    block: int,
    usual: int,
    threads: int,
    progress: Callable[[int], object],
    noted: Callable[[Notes], object] | None,
) -> None:
    """Play blocks of `block` matches and add them to the sums until there are enough deals; the last block is cut to
    fit.

    Only a few blocks are under way at a time, so memory does not grow with the number of deals.
    """
    under_way: deque[tuple[Notes | None, Future[playouts.Totals]]] = deque()
    notes = Notes(0, block, block * usual, 0) if noted else None  # the last that are known
    begun = done = 0  # blocks
    with threads_pool(threads) as pool:
        try:
            while (missing := deals - int(sums.deals)) > 0:
                size = sums.deals / done if done else block * usual  # deals of a block, about
                # Every match has at least one deal, so block k never needs more than deals - k * block.
                while (
                    begun * block < deals
                    and len(under_way) < 4 * threads
                    and (not under_way or len(under_way) * size < missing)
                ):
                    new = notes.after(begun * block, block) if notes else None
                    asked = begun * block, block, deals - begun * block
                    play = pool.submit(tables.note, *asked, new) if new else pool.submit(tables.play, *asked)
                    under_way.append((new, play))
                    begun += 1
                notes, future = under_way.popleft()
                total = future.result()
                if total.deals > missing:
                    asked = done * block, block, missing
                    total = tables.note(*asked, notes) if notes else tables.play(*asked)
                done += 1
                _add(sums, total)
                if noted and notes:
                    noted(notes)
                progress(int(total.deals))
        finally:
            tables.stopped = True  # blocks that are not needed, or Ctrl-C
            for _, future in under_way:
                future.cancel()


def _add(sums: Any, total: Any) -> None:
    shortest = [x for x in (int(sums.shortest), int(total.shortest)) if x]
    longest = max(int(sums.longest), int(total.longest))
    for name in playouts.Totals.fields:
        if np.ndim(sums[name]):
            sums[name][:] += total[name]
        else:
            sums[name] += total[name]
    sums.shortest, sums.longest = min(shortest, default=0), longest


class BlockPlayer:
    """Plays blocks of matches, each in one thread, with its own table and bots. Raises OptionError."""

    def __init__(self, ruleset: Ruleset, levels: Sequence[str], seed: Seed) -> None:
        self.ruleset, self.game, self.levels, self.seed = ruleset, ruleset.game, levels, str(seed).strip()
        self.start = first_deals.checked(ruleset)
        self.key = prng.key_of(seed)
        self.compiled = compiled(levels)
        self.codes = np.zeros(contract.MAX_SEATS, np.int64)
        if self.compiled:
            self.codes[: len(levels)] = [self.compiled.codes[level] for level in levels]
        self.stopped = False
        self.free: list[list[Bot]] = []  # bots that are not playing just now

    def play(
        self, first: int, matches: int, limit: int, rows: NDArray[np.float64] = playouts.NO_ROWS
    ) -> playouts.Totals:
        """The totals of matches first, first + 1, ... of the study, at most `limit` deals; the first deals are also
        written into `rows` (`playouts.COLUMNS`), while there is room.
        """
        return self._play(first, matches, limit, Notes.of(rows))

    def note(self, first: int, matches: int, limit: int, notes: Notes) -> playouts.Totals:
        """The same, with everything noted."""
        while True:
            total = self._play(first, matches, limit, notes)
            if notes.done(total) or self.stopped:
                return total

    def _play(self, first: int, matches: int, limit: int, notes: Notes) -> playouts.Totals:
        total = (self.compiled.totals if self.compiled else playouts.Totals).new()
        s = self.start.copy()
        moves, cards = np.empty(self.game.rules.MAX_MOVES + 1, np.int64), np.empty(112, np.int64)
        if self.compiled:
            room = playouts.Workspace(moves, cards, notes.rows, notes.log, notes.ends)
            playouts.simulate(s, self.key, first, matches, limit, self.codes, total, room)
            try:
                self.compiled.check(total, self.levels)
            except BotError as error:
                raise error.within(_where(first + int(total.matches), s)) from None
            return total
        try:
            players = self.free.pop()
        except IndexError:
            players = [bot(level, seed=f"{self.seed} {seat}") for seat, level in enumerate(self.levels)]
        for number in range(first, first + matches):
            if total.deals < limit and not self.stopped:
                try:
                    self._match(s, number, limit, self._fresh(players, number), moves, cards, total, notes)
                except BotError as error:
                    raise error.within(_where(number, s)) from error.__cause__
        self.free.append(players)
        return total

    def _fresh(self, players: Sequence[Bot], number: int) -> Sequence[Bot]:
        """The players of a match: those from outside are new in each match, because they may remember."""
        return [
            Outside(player.name, f"{self.seed} {number} {seat}", self.ruleset.preset)
            if isinstance(player, Outside)
            else player
            for seat, player in enumerate(players)
        ]

    def _match(
        self,
        s: State,
        number: int,
        limit: int,
        players: Sequence[Bot],
        moves: NDArray[np.int64],
        cards: NDArray[np.int64],
        total: playouts.Totals,
        notes: Notes,
    ) -> None:
        """One match, as `playouts.simulate` plays it, with bots that are not compiled."""
        n = int(s.seats)
        out, scores, mine = (
            np.zeros(contract.MAX_SEATS),
            np.zeros(contract.MAX_SEATS, np.int64),
            np.zeros(contract.MAX_SEATS),
        )
        prng.derive(s.seed, self.key, number, prng.MATCH)
        contract.open_match(s)
        played = dealer = over = 0
        while total.deals < limit and not over:
            contract.next_deal(s, cards)
            dealer = dealer if played else int(s.dealer)
            eldest = (int(s.dealer) + int(s.direction)) % n
            passes = int(total.passes)
            length = self._deal(s, players, moves, total, notes)
            if self.stopped:
                return
            contract.payoff(s, out)
            played += 1
            notes.reach(int(total.deals) + 1, 0)
            if total.deals < len(notes.rows):
                playouts.write_row(notes.rows[total.deals], s, number, eldest, length, int(total.passes) - passes, out)
            playouts.note_deal(total, s, eldest, length, out)
            mine[:n] += out[:n]
            over = int(contract.standing(s, scores))
        if number - notes.first < len(notes.ends):
            playouts.write_end(notes.ends[number - notes.first], dealer, over, scores)
        playouts.note_match(total, n, played, mine)

    def _deal(
        self, s: State, players: Sequence[Bot], moves: NDArray[np.int64], total: playouts.Totals, notes: Notes
    ) -> int:
        """Play a deal out, each bot seeing only what its seat may know; return the number of moves."""
        length = 0
        pasts = {
            seat: Past(self.game.rules.State, seat)
            for seat, player in enumerate(players)
            if isinstance(player, Outside) and player.infers
        }
        while (mask := int(contract.actors(s))) and not self.stopped:
            seat = bits.lowest(mask)
            k = contract.legal(s, seat, moves)
            move = int(moves[0])
            if k > 1:
                move = players[seat].move(self.game, redacted(s, seat), seat, pasts.get(seat))
            for past in pasts.values():
                past.saw(s, seat, move)
            total.passes += contract.is_pass(s, move)
            at = int(total.moves) + length
            notes.reach(0, at + 1)
            if at < len(notes.log):
                playouts.write_move(notes.log[at], s, seat, move)
            contract.play(s, seat, move)
            length += 1
        return length


def _where(match: int, s: State) -> str:
    return f"deal {int(s.deal_number)} of match {match}"


def _interval(total: float, square: float, cross: float, deals_square: float, deals: int, matches: int) -> Mean:
    """The mean per deal with its interval; matches are clusters, as the deals of one may depend on each other."""
    mean = total / deals
    if matches < 2:
        return around(mean, math.inf, matches)
    residual = square - 2 * mean * cross + mean * mean * deals_square
    # Treat rounding residue as zero variance.
    residual = residual if residual > 1e-12 * square else 0.0
    return around(mean, math.sqrt(residual * matches / (matches - 1)) / deals, matches)


def _study(
    sums: playouts.Totals, seconds: float, ruleset: Ruleset, levels: tuple[str, ...], seed: str, partial: bool
) -> Simulation:
    deals, matches = int(sums.deals), int(sums.matches)
    payoff = tuple(
        _interval(
            float(sums.paid[p]), float(sums.square[p]), float(sums.cross[p]), float(sums.deals_square), deals, matches
        )
        for p in range(ruleset.seats)
    )
    eldest = _interval(
        float(sums.eldest_paid),
        float(sums.eldest_square),
        float(sums.eldest_cross),
        float(sums.deals_square),
        deals,
        matches,
    )
    mean = int(sums.moves) / deals
    deviation = math.sqrt(max(float(sums.length_square) / deals - mean * mean, 0.0))
    wins = tuple(int(x) for x in sums.won[: ruleset.seats])
    length = (mean, deviation, int(sums.shortest), int(sums.longest))
    return Simulation(
        ruleset.game.name,
        ruleset.preset,
        ruleset.seats,
        ruleset.options.as_dict(),
        levels,
        seed,
        matches,
        deals,
        int(sums.moves),
        seconds,
        payoff,
        eldest,
        wins,
        int(sums.void),
        length,
        int(sums.passes) / deals,
        ruleset.title,
        partial,
        tuple(map(int, sums.lengths)),
    )
