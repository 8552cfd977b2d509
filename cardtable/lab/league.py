"""The league: bots against bots on duplicate deals, with seats rotated and 95% intervals. In a solitaire game, each
bot plays each deal.

Every arrangement of two bots plays the same deals, so the luck of the cards cancels out in the difference. The samples
are deals, not seats: payoffs within a deal are not independent. The same seed gives the same figures on any number of
threads, unless a bot has a time limit. Time limits are processor time of the bot's thread, so other work on the machine
weakens no bot.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.base.digits import Form
from cardtable.base.digits import p_value as p_shown
from cardtable.base.errors import BotError, OptionError
from cardtable.base.languages import figure, tr
from cardtable.base.types import JsonObject, MoveCode, OptionValue, SeatNumber, Seed
from cardtable.bots import THINKING, bot, is_outside, levels_of
from cardtable.bots.levels import level_called
from cardtable.bots.players import Bot, SearchBot
from cardtable.bots.third_party import Outside
from cardtable.bots.words import difference_in_words, in_words
from cardtable.kernel import bits, prng
from cardtable.lab.intervals import Mean, around, error_of, holm, mean_of, p_value, together
from cardtable.lab.simulate import Stopped, compiled
from cardtable.lab.study.effects import finite
from cardtable.lab.threads import pool as threads_pool
from cardtable.rules import contract, first_deals
from cardtable.rules.contract import State
from cardtable.rules.ruleset import Ruleset
from cardtable.search import playouts
from cardtable.views.observed import Past, redacted

ONE, HALF = "one", "half"  #: settings: one `a` among `b`s, each seat in turn; or half the seats `a`, half `b`
CHUNK = 16  #: deals that a thread takes at a time


@dataclass(frozen=True)
class Duel:
    """The result of a match-up: payoffs per deal, averaged over seats; `difference` is mean_a - mean_b, with its 95%
    interval (-inf to inf: unknown, because there were few deals, all equal).
    """

    game: str
    rules: str
    seats: int
    setting: str
    a: str
    b: str
    deals: int
    seat_deals: int  #: deals x seats in which `a` sat
    seed: str
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    seconds: float
    title: str  #: of the name under which the game was asked for
    partial: bool = False  #: it was stopped before all deals were played
    decision_a: float = field(default=0.0, compare=False)  #: mean processor time of a choice of `a`, in seconds,
    decision_b: float = field(default=0.0, compare=False)  #: and of `b`; 0: both are compiled, and were not timed
    p: float = math.nan  #: of a two-sided test of no difference; nan without an interval
    differences: tuple[float, ...] = field(default=(), compare=False, repr=False)  #: of each deal

    @property
    def clear(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0.0 or self.high < 0.0

    def as_dict(self) -> JsonObject:
        """The duel as a JSON-able dict: non-finite values are null, and single deals are left out."""
        values = asdict(replace(self, differences=()))
        del values["differences"]
        return finite(values)

    def text(self) -> str:
        """One line of a table, in the language of this process."""
        seats = tr("{n} {n:seat|seats}", n=self.seats)
        where = f"{tr(self.title):<22} {seats:<7}  {self.setting:<4}"
        shown = Form.of([(self.high - self.low) / 2.0], signed=True)
        result = f"{shown(self.difference):>7}  {_span(self.low, self.high, shown)}"
        result += f"  p {p_shown(self.p)}" if math.isfinite(self.p) else ""
        size = tr(
            "{deals} deals, {seat_deals} seat-deals, {seconds} s",
            deals=figure(self.deals),
            seat_deals=figure(self.seat_deals),
            seconds=figure(self.seconds, ",.0f"),
        )
        early = " " + tr("(stopped early)") if self.partial else ""
        return f"{where}  {difference_in_words(self.a, self.b):<28} {result}  {size}{early}"


def arrangements(seats: int, setting: str) -> list[tuple[SeatNumber, ...]]:
    """The seats that `a` takes in each arrangement; over all of them, it takes every seat equally often.

    One seat: `a`, then `b` alone.
    """
    if seats == 1 and setting in (ONE, HALF):
        return [(0,), ()]
    if setting == ONE:
        return [(seat,) for seat in range(seats)]
    if setting == HALF:
        return sorted({tuple(sorted((first + 2 * k) % seats for k in range(seats // 2))) for first in range(seats)})
    raise OptionError(f"setting {setting[:40]!r}", "there is no such setting", f"take {ONE} or {HALF}")


def within(level: str, seconds: float) -> str:
    """A level with this limit of processor time in seconds for each decision; unchanged if it has its own budget or
    does not search.
    """
    name, *manner = level_called(level).split(":")
    if name not in THINKING or (manner and manner[0][:1] in ".0123456789"):
        return level
    return ":".join((name, f"{seconds:g}s", *manner))


def duel(  # noqa: PLR0913 - a public interface of keywords
    game: str,
    a: str,
    b: str,
    *,
    deals: int,
    seed: Seed = 0,
    seats: int | None = None,
    rules: str | None = None,
    setting: str = ONE,
    threads: int = 1,
    options: Mapping[str, OptionValue] | None = None,
    progress: Callable[[int], None] | None = None,
    budget: float = 0.0,
) -> Duel:
    """Play `a` against `b` for `deals` deals in each arrangement. `progress` is called with the number of deals done.
    budget: seconds of processor time for each decision of search levels without their own budget; 0: their default
    iterations.

    Raises UnknownGame, OptionError, BotError, and at Ctrl-C Stopped, with the result so far if that is at least two
    deals.
    """
    ruleset = Ruleset.parse(game, rules, seats, options)
    if deals < 2:
        raise OptionError(f"{deals} deals", "an interval needs two", "take 2 deals or more")
    a, b = levels_of([within(level, budget) for level in (a, b)] if budget else (a, b), 2, game=ruleset.game.name)
    ways = arrangements(ruleset.seats, setting)
    began = time.perf_counter()
    gains = np.zeros((deals, 2))
    tables = [DuelTable(ruleset, a, b, seed) for _ in range(threads)]

    def play(table: DuelTable, number: int) -> None:
        gains[number] = table.gains(number, ways)

    def found_by(done: int) -> Duel:
        """The result of the first deals."""
        differences = gains[:done, 0] - gains[:done, 1]
        more, p = mean_of(differences), p_value(float(differences.mean()), error_of(differences), done)
        mean_a, mean_b = (float(gains[:done, side].mean()) for side in (0, 1))
        mine, its = (each.mean for each in Effort.of(tables))
        return Duel(
            ruleset.game.name,
            ruleset.preset,
            ruleset.seats,
            setting,
            a,
            b,
            done,
            done * sum(map(len, ways)),
            str(seed),
            mean_a,
            mean_b,
            more.mean,
            more.low,
            more.high,
            time.perf_counter() - began,
            ruleset.title,
            done < deals,
            mine,
            its,
            p,
            tuple(differences.tolist()),
        )

    in_chunks(tables, deals, play, progress, lambda done: [found_by(done)] if done > 1 else [])
    return found_by(deals)


def league(game: str, levels: Sequence[str], **how: Any) -> list[Duel]:
    """Every level against every other, the later one as `a`; `how`: as for `duel`. All duels are one family: see
    `adjusted`.

    Ctrl-C raises Stopped with all duels so far.
    """
    duels: list[Duel] = []
    for a, b in itertools.combinations(levels, 2):
        try:
            duels.append(duel(game, b, a, **how))
        except Stopped as stopped:
            raise Stopped(adjusted([*duels, *stopped.found])) from None
    return adjusted(duels)


def adjusted(duels: Sequence[Duel]) -> list[Duel]:
    """Duels as one family: p adjusted by Holm's procedure, intervals that hold jointly at 95% (Bonferroni)."""
    family = []
    for each, p in zip(duels, holm([each.p for each in duels]), strict=True):
        error = error_of(each.differences)
        wider = around(each.difference, error, each.deals, together(len(duels)))
        family.append(replace(each, p=p, low=wider.low, high=wider.high))
    return family


def ratings(duels: Sequence[Duel]) -> dict[str, Mean]:
    """The payoff per deal of each bot of a league above the average of all bots, best first; the intervals hold
    jointly at 95%. Empty unless each bot has played every other one.

    It is the mean of its differences, with 0 against itself, over the deals that all duels have played.
    """
    names = list(dict.fromkeys(name for each in duels for name in (each.b, each.a)))
    if len(duels) != len(names) * (len(names) - 1) // 2:
        return {}
    deals = min((each.deals for each in duels), default=0)
    sums = {name: np.zeros(deals) for name in names}
    for each in duels:
        sums[each.a] += each.differences[:deals]
        sums[each.b] -= each.differences[:deals]
    means = {name: mean_of(total / len(names), together(len(names))) for name, total in sums.items()}
    return dict(sorted(means.items(), key=lambda pair: -pair[1].mean))


def table(duels: Sequence[Duel]) -> str:
    """Duels as a text table: the difference of payoffs per deal, with its 95% interval and p."""
    return "\n".join(each.text() for each in duels)


def ranking(duels: Sequence[Duel]) -> str:
    """The text below the table of several duels: their adjustment, and the ratings."""
    lines = [tr("The intervals hold all together at 95%, and p is adjusted by Holm.")]
    if rated := ratings(duels):
        lines += ["", tr("rating: how much more each gets in a deal than the average of all")]
        wide = max(len(in_words(name)) for name in rated)
        shown = Form.of(((each.high - each.low) / 2.0 for each in rated.values()), signed=True)
        lines += [
            f"  {place}  {in_words(name):<{wide}}  {shown(each.mean):>7}  {_span(each.low, each.high, shown)}"
            for place, (name, each) in enumerate(rated.items(), 1)
        ]
    return "\n".join(lines)


def _span(low: float, high: float, shown: Form) -> str:
    """An interval as text."""
    if math.isinf(low):
        return tr("(the same in every deal: no interval)")
    first, last = shown(low), shown(high)
    return f"[{first}{'; ' if ',' in first else ', '}{last}]"


@dataclass
class Effort:
    """The processor time of one side's choices."""

    decisions: int = 0
    seconds: float = 0.0

    @property
    def mean(self) -> float:
        """Seconds a decision."""
        return self.seconds / max(self.decisions, 1)

    @classmethod
    def of(cls, tables: Sequence[DuelTable]) -> list[Effort]:
        """The value of each side at all tables."""
        both = [[table.efforts[side] for table in tables] for side in (0, 1)]
        return [cls(sum(one.decisions for one in each), sum(one.seconds for one in each)) for each in both]


class DuelTable:
    """One thread's table: a state, buffers, and its own bots. Raises OptionError."""

    def __init__(self, ruleset: Ruleset, a: str, b: str, seed: Seed) -> None:
        self.ruleset, self.game, self.levels, self.seed = ruleset, ruleset.game, (a, b), seed
        self.start = first_deals.checked(ruleset)
        self.bots = (bot(a, f"{seed} a"), bot(b, f"{seed} b"))
        for each in self.bots:
            if isinstance(each, SearchBot):
                each.clock = time.thread_time
        self.efforts = (Effort(), Effort())
        self.compiled = compiled(self.levels)
        self.key = prng.key_of(seed)
        self.cards = np.empty(112, np.int64)
        self.moves = np.empty(self.game.rules.MAX_MOVES + 1, np.int64)
        self.out = np.zeros(contract.MAX_SEATS)
        self.total = (self.compiled.totals if self.compiled else playouts.Totals).new()
        self.stopped = False

    def gains(self, number: int, ways: Sequence[tuple[SeatNumber, ...]]) -> tuple[float, float]:
        """The mean payoff of a seat of `a` and of `b` over all arrangements of one deal."""
        s = self.deal(number)
        won = np.zeros(2)
        sat = np.zeros(2)
        for way in ways:
            sides = [0 if seat in way else 1 for seat in range(s.seats)]
            for side, paid in zip(sides, self.payoffs(s, sides, number), strict=True):
                won[side] += paid
                sat[side] += 1
        return float(won[0] / sat[0]), float(won[1] / sat[1])

    def deal(self, number: int) -> State:
        """The first deal of match `number` of the study."""
        s = self.start.copy()
        prng.derive(s.seed, self.key, number, prng.MATCH)
        contract.open_match(s)
        contract.next_deal(s, self.cards)
        return s

    def payoffs(self, s: State, sides: Sequence[int], number: int) -> NDArray[np.float64]:
        """The payoffs of the seats in the deal of match `number`. sides: the side (0: a, 1: b) of each seat."""
        t = s.copy()
        try:
            self.play(t, sides, number)
        except BotError as error:
            seats = ", ".join(str(seat) for seat, side in enumerate(sides) if side == 0) or "–"
            where = f"deal {number}, with {self.levels[0]} in the seats {seats}"
            raise error.within(where) from error.__cause__
        contract.payoff(t, self.out)
        return self.out[: len(sides)].copy()

    def play(self, s: State, sides: Sequence[int], number: int) -> None:
        """Play a deal to its end: with compiled players if all levels are, else with each decision from the mover's
        redacted state.
        """
        if self.compiled:
            players = np.zeros(contract.MAX_SEATS, np.int64)
            players[: len(sides)] = [self.compiled.codes[self.levels[side]] for side in sides]
            playouts.played(s, players, self.moves, self.total, playouts.NO_LOG)
            self.compiled.check(self.total, [self.levels[side] for side in sides])
            return
        players_of = [self.player(side, number, seat) for seat, side in enumerate(sides)]
        pasts = {seat: Past(self.game.rules.State, seat) for seat, player in enumerate(players_of) if player.infers}
        while (mask := int(contract.actors(s))) and not self.stopped:
            seat = bits.lowest(mask)
            n = contract.legal(s, seat, self.moves)
            move = int(self.moves[0])
            if n > 1:
                effort, thinks = self.efforts[sides[seat]], time.thread_time()
                move = self.decide(players_of[seat], s, seat, pasts.get(seat))
                effort.seconds += time.thread_time() - thinks
                effort.decisions += 1
            for past in pasts.values():
                past.saw(s, seat, move)
            contract.play(s, seat, move)

    def player(self, side: int, number: int, seat: SeatNumber) -> Bot:
        """Who plays for a side in a seat; a bot from outside is new in each deal and seat, because it may remember."""
        if not is_outside(self.levels[side]):
            return self.bots[side]
        return Outside(self.levels[side], f"{self.seed} {'ab'[side]} {number} {seat}", self.ruleset.preset)

    def decide(self, player: Bot, s: State, seat: SeatNumber, past: Past | None) -> MoveCode:
        """The move of a bot, chosen from what its seat may know."""
        return player.move(self.game, redacted(s, seat), seat, past)


def in_chunks(
    tables: Sequence[DuelTable],
    deals: int,
    play: Callable[[DuelTable, int], object],
    progress: Callable[[int], object] | None,
    so_far: Callable[[int], object],
) -> None:
    """Play deals 0, 1, ..., with one thread for each table. progress: called with the number of deals done.

    At Ctrl-C raises Stopped with the result of `so_far` for the number of first deals done.
    """
    size = CHUNK if tables[0].compiled else 1  # bots that think are slow: Ctrl-C loses at most one deal of each thread
    free = list(tables)

    def work(chunk: range) -> int:
        table = free.pop()
        for number in chunk:
            play(table, number)
        free.append(table)
        return chunk.stop

    done = 0
    with threads_pool(len(tables)) as pool:
        try:
            for done in pool.map(work, [range(first, min(first + size, deals)) for first in range(0, deals, size)]):
                if progress:
                    progress(done)
        except KeyboardInterrupt:
            for table in tables:
                table.stopped = True
            pool.shutdown(cancel_futures=True)
            raise Stopped(so_far(done)) from None
