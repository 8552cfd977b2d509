"""A study of winnability: the share of deals that a solver wins with all cards known.

A deal is the first one of a match, so deal 1234 is what `cardtable play GAME --seed 1234` deals. A study can be saved
in a file, to which each deal is added as soon as it is solved. A stopped study can resume, and unsolved deals can be
tried again with other limits.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cardtable.base.errors import NoSolver, RecordError
from cardtable.base.message import Message
from cardtable.base.types import Json, JsonObject, OptionValue, Seed
from cardtable.lab.intervals import share_interval
from cardtable.lab.json_lines import Lines
from cardtable.lab.simulate import Stopped
from cardtable.match.match import Match
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.solver import NOT_FOUND, SOLVED, UNWINNABLE, Limits
from cardtable.rules.solving import solve


@dataclass(frozen=True)
class TriedDeal:
    """One deal of a study: its seed, and the solver's result, with the total positions and seconds of all attempts."""

    deal: Json  #: its seed: a number, or a word
    status: str
    moves: int
    states: int
    seconds: float
    attempts: int = 1


@dataclass(frozen=True)
class WinnabilityStudy:
    """The result of a study; deals are in their order."""

    game: str
    title: str
    rules: str
    options: JsonObject
    results: tuple[TriedDeal, ...]
    partial: bool = False  #: it was stopped before all deals were tried

    @property
    def deals(self) -> int:
        """How many deals were tried."""
        return len(self.results)

    @property
    def solved(self) -> int:
        """How many of them were solved."""
        return sum(one.status == SOLVED for one in self.results)

    def named(self, *statuses: str) -> list[Json]:
        """The deals with one of these statuses."""
        return [one.deal for one in self.results if one.status in statuses]

    @property
    def interval(self) -> tuple[float, float]:
        """A 95% interval for the share of winnable deals: the lower end counts unsolved deals as lost, the upper one
        as won.
        """
        most = self.solved + len(self.named(NOT_FOUND))
        return share_interval(self.solved, self.deals)[0], share_interval(most, self.deals)[1]

    @property
    def seconds(self) -> tuple[float, float, float]:
        """Processor time of a deal: mean, median, most."""
        each = [one.seconds for one in self.results]
        return statistics.fmean(each), statistics.median(each), max(each)

    def as_dict(self) -> JsonObject:
        """The study for `solve --json`."""
        mean, median, most = self.seconds
        low, high = self.interval
        lengths = [one.moves for one in self.results if one.status == SOLVED]
        return {
            "game": self.game,
            "rules": self.rules,
            "options": self.options,
            "deals": self.deals,
            "solved": self.solved,
            "unsolved": self.named(NOT_FOUND, UNWINNABLE),
            "unwinnable": self.named(UNWINNABLE),
            "winnable": {"share": self.solved / self.deals, "ci95": [low, high]},
            "seconds": {"mean": mean, "median": median, "max": most},
            "moves": {"median": statistics.median(lengths)} if lengths else {},
            "partial": self.partial,
        }


def numbers(seed: Seed, deals: int) -> Iterator[Json]:
    """The seeds of a study's deals: S, S + 1, ...; for a word S, S-1, S-2, ..."""
    text = str(seed).strip()
    if text.isdecimal():
        yield from range(int(text), int(text) + deals)
    else:
        yield from (f"{text}-{k}" for k in range(1, deals + 1))


def study(  # noqa: PLR0913 - a public interface of keywords
    game: str,
    deals: int,
    *,
    seats: int | None = None,
    rules: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    seed: Seed = 1,
    limits: Limits | None = None,
    keep: str | os.PathLike[str] | None = None,
    again: bool = False,
    seen: Callable[[TriedDeal], object] = str,
) -> WinnabilityStudy:
    """Solve deals, each within the limits.

    keep: a file of the study, created or continued; again: retry its unsolved deals with these limits and new random
    noise; seen: called with each deal, including those of the file. Raises NoSolver, OptionError, RecordError,
    SaveError, and at Ctrl-C Stopped with the study so far.
    """
    ruleset = Ruleset.parse(game, rules, seats, options)
    solved, preset, changed = ruleset.game, ruleset.preset, ruleset.changed
    if solved.solver is None:
        raise NoSolver(Message(ruleset.title))
    limits = limits or Limits()
    house_rules: Any = changed
    log = _Log(keep, {"game": solved.name, "rules": preset, "options": changed})
    tried: list[TriedDeal] = []

    def so_far(partial: bool) -> WinnabilityStudy:
        return WinnabilityStudy(solved.name, ruleset.title, preset, changed, tuple(tried), partial)

    try:
        for deal in numbers(seed, deals):
            known = log.known.get(deal)
            if known is None or (again and known.status == NOT_FOUND):
                m = Match(solved, ruleset.seats, preset, deal, **house_rules)
                known = _attacked(deal, solved, m.snapshot(), limits, known)
                log.add(known)
            tried.append(known)
            seen(known)
    except KeyboardInterrupt:
        raise Stopped(so_far(True) if tried else None) from None
    return so_far(False)


def _attacked(deal: Json, game: Game, s: State, limits: Limits, before: TriedDeal | None) -> TriedDeal:
    """A deal after another attempt."""
    tried = before or TriedDeal(deal, NOT_FOUND, 0, 0, 0.0, 0)
    if tried.attempts:
        limits = replace(limits, seed=f"{limits.seed}-{tried.attempts}")
    answer = solve(game, s, limits)
    states, seconds = tried.states + answer.states, round(tried.seconds + answer.seconds, 4)
    return TriedDeal(deal, answer.status, len(answer.moves), states, seconds, tried.attempts + 1)


def read(path: str | os.PathLike[str]) -> list[TriedDeal]:
    """The deals of a study's file, each as it was solved last. Raises RecordError."""
    return list(_deals(Path(path), _lines(Path(path)).read[1:]).values())


def _lines(path: Path) -> Lines:
    try:
        lines = Lines(path)
        if not lines.read and path.exists() and path.stat().st_size:
            raise ValueError("its first line has no end")
    except (OSError, ValueError) as error:
        raise _unreadable(path, f"it cannot be read: {error}") from None
    return lines


def _deals(path: Path, lines: Iterable[JsonObject]) -> dict[Json, TriedDeal]:
    deals: dict[Json, TriedDeal] = {}
    entry: Any
    for number, entry in enumerate(lines, 2):
        try:
            one = TriedDeal(**entry)
        except TypeError:
            raise _unreadable(path, f"line {number} is no deal of a study") from None
        deals[one.deal] = one
    return deals


def _unreadable(path: Path, why: str) -> RecordError:
    return RecordError(f"study {path}", why, "name the file of a study, or a new one", code="record/file")


class _Log:
    """The file of a study: JSON Lines; the first describes the study, then a deal's last line counts."""

    def __init__(self, path: str | os.PathLike[str] | None, head: JsonObject) -> None:
        self._path = None if path is None else Path(path)
        self._lines = Lines(None) if self._path is None else _lines(self._path)
        self.known: dict[Json, TriedDeal] = {}
        if self._path is None:
            return
        if not self._lines.read:
            self._lines.add(head)
            return
        first, *others = self._lines.read
        self.known = _deals(self._path, others)
        if first != head:
            raise RecordError(
                f"study {self._path}",
                "it is about another game or other house rules",
                "name another file",
                code="record/file",
            )

    def add(self, one: TriedDeal) -> None:
        """Add a deal."""
        self._lines.add(asdict(one))
