"""Something to time, and the result of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """What one run did in its seconds, by unit: decisions and deals, or simulations."""

    seconds: float
    done: dict[str, float]


@dataclass(frozen=True)
class Runner:
    """A timed workload: `run(n)` does n units of work (deals, rollouts, simulations) and returns the amount done."""

    name: str
    what: str
    run: Callable[[int], Rate]

    @property
    def label(self) -> str:
        """`fan-tan random play`."""
        return f"{self.name} {self.what}"
