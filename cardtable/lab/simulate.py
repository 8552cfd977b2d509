"""A study of a game: many deals by the same bots, with 95 % intervals, the same figures whatever the number of threads.

Matches are numbered; match m has a key of its own, derived from the study's seed. They are played in blocks, and blocks are
added up in order.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardtable import catalog, contract
from cardtable.bots import bot, parse_level
from cardtable.kernel import bits, luck
from cardtable.search import playouts
from cardtable.warm import warm

BLOCK = 5000  #: deals of a block of compiled players, about; never depends on the number of threads
COMPILED = {"random": playouts.RANDOM, "simple": playouts.SIMPLE}
Z95 = 1.959964


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {"mean": self.mean, "ci95": [None if math.isinf(x) else x for x in (self.low, self.high)]}


@dataclass(frozen=True)
class Study:
    """What a simulation found. Payoffs are per deal, in the game's points or chips."""

    game: str
    rules: str
    seats: int
    options: Mapping[str, Any]
    bots: tuple[str, ...]
    seed: str
    matches: int
    deals: int
    moves: int
    seconds: float
    payoff: tuple[Mean, ...]
    eldest: Mean  #: the payoff of whoever sits left of the dealer
    wins: tuple[int, ...]
    void: int  #: deals that nobody won
    length: tuple[float, float, int, int]  #: mean, standard deviation, shortest, longest, in moves
    passes: float  #: a deal

    @property
    def moves_per_second(self) -> float:
        """Moves a second, all threads together."""
        return self.moves / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        mean, deviation, shortest, longest = self.length
        return {
            "game": self.game, "rules": self.rules, "seats": self.seats, "options": {k: list(v) if isinstance(v, tuple) else v for k, v in self.options.items()},
            "bots": list(self.bots), "seed": self.seed, "matches": self.matches, "deals": self.deals, "moves": self.moves, "seconds": round(self.seconds, 4),
            "moves_per_second": round(self.moves_per_second), "payoff": [{"seat": seat, **x.as_dict()} for seat, x in enumerate(self.payoff)],
            "eldest": self.eldest.as_dict(), "wins": list(self.wins), "void": self.void,
            "length": {"mean": mean, "sd": deviation, "min": shortest, "max": longest}, "passes": {"mean": self.passes},
        }  # fmt: skip


def simulate(game: str, deals: int, *, seats: int | None = None, rules: str | None = None, options: Mapping[str, Any] | None = None, bots: Sequence[str] = ("random",),
             seed: int | str = 0, threads: int = 1, progress: Callable[[int], None] = lambda deals: None, say: Callable[[str], Any] = str) -> Study:  # fmt: skip
    """Play `deals` deals (whole matches; the last one may be cut short) and sum them up.

    bots: one level for all seats, or one for each. progress: told how many more deals are done. Raises OptionError, UnknownGame.
    """
    found = catalog.find(game)
    preset, n, resolved = found.options.make(rules, seats, options or {})
    levels = tuple(bots) * n if len(bots) == 1 else tuple(bots)
    if len(levels) != n:
        from cardtable.errors import OptionError

        raise OptionError(f"{len(levels)} bots", f"there are {n} seats", "name one bot for all seats, or one for each")
    for level in levels:
        parse_level(level)
    compiled = all(level in COMPILED for level in levels)
    warm(found, search=True, say=say)
    start = found.rules.State.new()
    found.rules.setup(start, found.name, resolved, n)
    key = luck.key_of(seed)
    per_match = max(1, int(getattr(resolved, "deals", 1) or 1))
    block = max(1, (BLOCK if compiled else 4) // per_match)  # matches of a block
    per_block = block * per_match
    blocks = -(-deals // per_block)
    codes = np.array([COMPILED.get(level, 0) for level in levels] + [0] * contract.MAX_SEATS, np.int64)

    def run(number: int) -> Any:
        total = playouts.Totals.new()
        limit = min(per_block, deals - number * per_block)
        s = start.copy()
        moves, cards = np.empty(found.rules.MAX_MOVES + 1, np.int64), np.empty(112, np.int64)
        if compiled:
            playouts.simulate(s, key, number * block, block, limit, codes, moves, cards, total)
        else:
            _by_bots(found, s, key, number * block, block, limit, levels, moves, cards, total)
        return total

    began = time.perf_counter()
    sums = playouts.Totals.new()
    with ThreadPoolExecutor(threads) as pool:
        window = 8 * threads  # blocks under way: memory does not grow with the number of deals
        for first in range(0, blocks, window):
            for total in pool.map(run, range(first, min(first + window, blocks))):
                _add(sums, total)
                progress(int(total.deals))
    return _study(sums, time.perf_counter() - began, found.name, preset, n, resolved.as_dict(), levels, str(seed))


def _add(sums: Any, total: Any) -> None:
    """Add one block to the sums."""
    shortest = [x for x in (int(sums.shortest), int(total.shortest)) if x]
    longest = max(int(sums.longest), int(total.longest))
    for name in playouts.Totals.fields:
        if np.ndim(sums[name]):
            sums[name][:] += total[name]
        else:
            sums[name] += total[name]
    sums.shortest, sums.longest = min(shortest, default=0), longest


def _by_bots(game: Any, s: Any, key: Any, first: int, matches: int, limit: int, levels: Sequence[str], moves: Any, cards: Any, total: Any) -> None:
    """As `playouts.simulate`, by bots that are not compiled; each sees only what its seat may know."""
    n = int(s.seats)
    players = [bot(level, seed=f"{key} {seat}") for seat, level in enumerate(levels)]
    out, scores = np.zeros(contract.MAX_SEATS), np.zeros(contract.MAX_SEATS, np.int64)
    for m in range(first, first + matches):
        if total.deals == limit:
            return
        luck.derive(s.seed, key, m, luck.MATCH)
        contract.open_match(s)
        mine, played = np.zeros(contract.MAX_SEATS), 0
        while total.deals < limit and not (played and contract.standing(s, scores)):
            contract.next_deal(s, cards)
            eldest = (int(s.dealer) + int(s.direction)) % n
            length = 0
            while mask := int(contract.actors(s)):
                seat = bits.lowest(mask)
                k = contract.legal(s, seat, moves)
                move = int(moves[0])
                if k > 1:
                    seen = s.copy()
                    contract.redact(seen, seat)
                    move = players[seat].move(game, seen, seat)
                total.passes += contract.idle(s, move)
                contract.play(s, seat, move)
                length += 1
            contract.payoff(s, out)
            played += 1
            playouts.note_deal(total, s, eldest, length, out)
            mine[:n] += out[:n]
        playouts.note_match(total, n, played, mine)


def _interval(total: float, square: float, cross: float, deals_square: float, deals: int, matches: int) -> Mean:
    """The mean a deal and its interval, by matches as clusters (ratio estimator: deals of one match may hang together)."""
    mean = total / deals
    if matches < 2:
        return Mean(mean, -math.inf, math.inf)
    residual = max(square - 2 * mean * cross + mean * mean * deals_square, 0.0)
    error = math.sqrt(residual * matches / (matches - 1)) / deals
    return Mean(mean, mean - Z95 * error, mean + Z95 * error)


def _study(sums: Any, seconds: float, game: str, preset: str, n: int, options: Mapping[str, Any], levels: tuple[str, ...], seed: str) -> Study:
    deals, matches = int(sums.deals), int(sums.matches)
    payoff = tuple(_interval(float(sums.paid[p]), float(sums.square[p]), float(sums.cross[p]), float(sums.deals_square), deals, matches) for p in range(n))
    eldest = _interval(float(sums.eldest_paid), float(sums.eldest_square), float(sums.eldest_paid), float(deals), deals, deals)
    mean = int(sums.moves) / deals
    deviation = math.sqrt(max(float(sums.length_square) / deals - mean * mean, 0.0))
    wins = tuple(int(x) for x in sums.won[:n])
    length = (mean, deviation, int(sums.shortest), int(sums.longest))
    return Study(
        game, preset, n, options, levels, seed, matches, deals, int(sums.moves), seconds, payoff, eldest, wins, int(sums.void), length, int(sums.passes) / deals
    )
