"""Skill and luck: how much of a result is due to the cards, to the seat and to the player.

Every deal is played once with the weak player in every seat, and once for each seat with the strong player there and
weak ones elsewhere, always with the same cards. So in every deal and seat there is a result of each of the two players.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.base.types import JsonObject, OptionValue, Seed
from cardtable.bots import levels_of
from cardtable.lab.intervals import Z95, around, mean_of
from cardtable.lab.league import DuelTable, in_chunks
from cardtable.lab.simulate import compiled
from cardtable.lab.study.effects import finite
from cardtable.precompile import warm
from cardtable.rules.ruleset import Ruleset

GROUPS = 20  #: of deals; a share's interval comes from leaving out one group after another (jackknife)
FEWEST = 2 * GROUPS  #: deals
PARTS = ("cards", "seat", "player", "both")
STRONG, WEAK = 0, 1  #: sides of a league's table, and the players' places in results


@dataclass(frozen=True)
class Share:
    """A share of the variance of a seat's result, with its 95% interval (-inf to inf: unknown)."""

    share: float
    low: float
    high: float

    def as_dict(self) -> JsonObject:
        """For `--json`: non-finite values are null."""
        return finite(asdict(self))


@dataclass(frozen=True)
class Skill:
    """The sources of variance in a game's results, between a strong player and a weak one.

    The four shares add up to 1: they are shares of the variance of a seat's payoff in a deal, where the seat is
    random and its player is either of the two with equal probability.
    """

    game: str
    title: str
    rules: str
    seats: int
    options: Mapping[str, OptionValue]
    strong: str
    weak: str
    seed: str
    deals: int
    variance: float  #: of a seat's payoff in a deal
    cards: Share  #: what both players have in common when they hold the same cards in the same seat
    seat: Share  #: the average advantage of a seat over the others, counted from the eldest
    player: Share  #: the average advantage of the strong player over the weak one
    both: Share  #: the rest: the deviation of a player's result with these cards from the average
    difference: float  #: how much more the strong player gets in a deal
    low: float  #: of its 95% interval
    high: float
    deals_apart: float  #: deals for each, with separate cards, until 1.96 errors reach the difference
    duplicate_apart: float  #: the same in deals that both play with the same cards in all seats
    seconds: float
    partial: bool = False  #: it was stopped before all deals were played
    groups: tuple[tuple[float, ...], ...] = ()  #: the four shares with one group of deals after another left out

    def as_dict(self) -> JsonObject:
        """For `--json`: non-finite values are null."""
        options = {name: list(value) if isinstance(value, tuple) else value for name, value in self.options.items()}
        values = asdict(self) | {"options": options, "seconds": round(self.seconds, 4)}
        values |= {name: getattr(self, name).as_dict() for name in PARTS}
        del values["groups"]
        return finite(values)

    def compare(self, other: Skill) -> dict[str, Share]:
        """How much larger each share is in `other`, which has the same seed, seats and number of deals, for instance
        under another house rule: by name, with its interval. The luck of the cards, which are the same, nearly cancels
        out.

        Raises ValueError for other deals.
        """
        same = [(each.game, each.seed, each.seats, each.deals) for each in (self, other)]
        if same[0] != same[1]:
            raise ValueError(f"{same[0]} and {same[1]} are not the same deals")
        more = np.array([getattr(other, name).share - getattr(self, name).share for name in PARTS])
        return dict(zip(PARTS, _shares(more, np.array(other.groups) - np.array(self.groups)), strict=True))


def skill(  # noqa: PLR0913 - a public interface of keywords
    game: str,
    strong: str = "search:2000",
    weak: str = "medium",
    *,
    deals: int = 1000,
    seats: int | None = None,
    rules: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    seed: Seed = 0,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
    say: Callable[[Message], object] = str,
) -> Skill:
    """Let a strong and a weak player play the same deals in every seat, and decompose the variance of their results.

    A deal is the first one of a match; it is played once more than the number of seats. progress: called with the
    number of deals done. Raises UnknownGame, OptionError, and at Ctrl-C Stopped with the results so far.
    """
    ruleset = Ruleset.parse(game, rules, seats, options)
    strong, weak = levels_of((strong, weak), 2, game=ruleset.game.name)
    if deals < FEWEST or threads < 1:
        raise OptionError(
            f"{deals} deals on {threads} threads",
            f"the shares need {FEWEST} deals at least",
            "take more",
            code="options/range",
        )
    thinks = not compiled([strong, weak])
    warm(ruleset.game, search=thinks, study=True, say=say)
    tables = [DuelTable(ruleset, strong, weak, seed) for _ in range(threads)]
    results = np.zeros((deals, ruleset.seats, 2))
    began = time.perf_counter()

    def play(table: DuelTable, number: int) -> None:
        results[number] = crossed(table, number)

    def result_of(done: int) -> Skill:
        named = ruleset.game.name, ruleset.title, ruleset.preset, ruleset.seats
        parts = (*named, dict(options or {}), strong, weak, str(seed).strip())
        return _skill(parts, results[:done], time.perf_counter() - began, done < deals)

    in_chunks(tables, deals, play, progress, lambda done: result_of(done) if done >= FEWEST else None)
    return result_of(deals)


def crossed(table: DuelTable, number: int) -> NDArray[np.float64]:
    """The payoffs of one deal, of shape (seats, 2): of each seat, from the eldest on, with the strong player in it, and
    with the weak one.
    """
    s = table.deal(number)
    n = int(s.seats)
    eldest = (int(s.dealer) + int(s.direction)) % n
    order = [(eldest + k * int(s.direction)) % n for k in range(n)]
    results = np.zeros((n, 2))
    results[:, WEAK] = table.payoffs(s, [WEAK] * n, number)[order]
    for k, seat in enumerate(order):
        results[k, STRONG] = table.payoffs(s, [STRONG if p == seat else WEAK for p in range(n)], number)[seat]
    return results


def parts(results: NDArray[np.float64]) -> NDArray[np.float64]:
    """The parts of the variance: cards, seat, player, both, in units of payoff squared; results: (deals, seats, 2).

    The estimates of the parts of seats and players are free of the bias that chance gives to squares.
    """
    deals, n, _ = results.shape
    means = results.mean(axis=0)
    away = results - means
    within = (away**2).sum(axis=0) / (deals - 1)  # (seats, 2)
    shared = (away[:, :, STRONG] * away[:, :, WEAK]).sum(axis=0) / (deals - 1)  # (seats,)
    by_deal = results.mean(axis=1)
    apart = by_deal[:, STRONG] - by_deal[:, WEAK]
    gap = float(apart.mean())
    player = (gap * gap - float(apart.var(ddof=1)) / deals) / 4.0
    seats = results.mean(axis=2) - results.mean(axis=(1, 2))[:, None]  # (deals, seats)
    seat = float((seats.mean(axis=0) ** 2).mean() - (seats.var(axis=0, ddof=1) / deals).mean())
    cards = float(shared.mean())
    whole = float(within.mean()) + float(((means - means.mean()) ** 2).mean())
    return np.array([cards, max(seat, 0.0), max(player, 0.0), whole - cards - max(seat, 0.0) - max(player, 0.0)])


def _skill(
    named: tuple[str, str, str, int, Mapping[str, OptionValue], str, str, str],
    results: NDArray[np.float64],
    seconds: float,
    partial: bool,
) -> Skill:
    deals = len(results)
    whole = parts(results)
    by_deal = results.mean(axis=1)
    apart = by_deal[:, STRONG] - by_deal[:, WEAK]
    gap = mean_of(apart)
    alone = float(results.var(axis=0, ddof=1).mean(axis=0).sum() + results.mean(axis=0).var(axis=0).sum())
    groups = _left_out(results)
    cards, seat, player, both = _shares(_normal(whole), groups)
    return Skill(
        *named,
        deals,
        float(whole.sum()),
        cards,
        seat,
        player,
        both,
        gap.mean,
        gap.low,
        gap.high,
        _needed(alone, gap.mean),
        _needed(float(apart.var(ddof=1)), gap.mean),
        seconds,
        partial,
        tuple(map(tuple, groups.tolist())),
    )


def _needed(variance: float, gap: float) -> float:
    """Deals until 1.96 standard errors are as small as the difference; inf if there is none."""
    return max(1.0, Z95 * Z95 * variance / (gap * gap)) if gap else math.inf


def _left_out(results: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shares with one group of deals after another left out, of shape (GROUPS, 4)."""
    group = np.arange(len(results)) % GROUPS
    return np.array([_normal(parts(results[group != g])) for g in range(GROUPS)])


def _normal(whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Parts as shares; none of anything where results do not vary."""
    total = float(whole.sum())
    return whole / total if total > 0.0 else np.zeros(4)


def _error(rest: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard errors of figures, from what they are with one group after another left out (jackknife)."""
    squares: NDArray[np.float64] = ((rest - rest.mean(axis=0)) ** 2).sum(axis=0)
    return np.sqrt(squares * (GROUPS - 1) / GROUPS)


def _shares(shares: NDArray[np.float64], groups: NDArray[np.float64]) -> list[Share]:
    """Shares, or differences of shares, with their intervals. groups: what they are with one group left out."""
    means = [
        around(share, error if error > 1e-12 else 0.0, GROUPS)
        for share, error in zip(shares.tolist(), _error(groups).tolist(), strict=True)
    ]
    return [Share(each.mean, each.low, each.high) for each in means]
