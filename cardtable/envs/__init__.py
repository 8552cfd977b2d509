"""Research environments: many tables in NumPy arrays, and adapters to the interfaces that other libraries expect.

The adapters need the extras `rl` (PettingZoo, Gymnasium) and `bench` (OpenSpiel), and import them when they are used.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cardtable.base.errors import CardtableError
from cardtable.base.types import OptionValue
from cardtable.envs.vector import VectorTable as VectorTable
from cardtable.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from cardtable.envs.gymnasium_vector import Gym
    from cardtable.envs.pettingzoo import AEC, Parallel


def _need(module: str, title: str, extra: str) -> None:
    """Raise CardtableError if a library of an extra is not installed."""
    if importlib.util.find_spec(module) is None:
        raise CardtableError(
            title,
            "it is not installed",
            f"install it in Cardtable's folder: pip install '.[{extra}]'",
            code="environment/extra",
        )


def aec(
    game: str,
    seats: int | None = None,
    rules: str | None = None,
    *,
    auto: bool = True,
    render_mode: str | None = None,
    **options: OptionValue,
) -> AEC:
    """A game as an environment of PettingZoo: a deal is an episode, and an observation is a dict of "observation"
    (bytes) and "action_mask". auto: a seat with only one legal move makes it without being asked.

    Raises UnknownGame, OptionError, and CardtableError if PettingZoo is not installed.
    """
    _need("pettingzoo", "PettingZoo", "rl")
    from cardtable.envs.pettingzoo import AEC
    from cardtable.envs.single import Shared

    return AEC(Shared(Ruleset.parse(game, rules, seats, options), auto), render_mode)


def parallel(
    game: str,
    seats: int | None = None,
    rules: str | None = None,
    *,
    render_mode: str | None = None,
    **options: OptionValue,
) -> Parallel:
    """A game in which seats choose at the same time, as an environment of PettingZoo's parallel interface: Pirate, and
    I Doubt It with `doubt_mode="simultaneous"`. All seats act in each step; the last action is to do nothing.

    Raises UnknownGame, OptionError, and CardtableError if PettingZoo is not installed or seats act in turn.
    """
    _need("pettingzoo", "PettingZoo", "rl")
    from cardtable.envs.pettingzoo import Parallel
    from cardtable.envs.single import Shared

    ruleset = Ruleset.parse(game, rules, seats, options)
    if not ruleset.game.wait and ruleset.window is None:
        raise CardtableError(
            ruleset.title, "with these house rules its seats act in turn", "use envs.aec", code="environment/turns"
        )
    return Parallel(Shared(ruleset, auto=False), render_mode)


def gym(game: str, n: int = 1, *, opponents: str | Sequence[str] = "medium", **how: Any) -> Gym:
    """n tables of a game as a vector environment of Gymnasium; the parameters are those of `VectorTable`.

    Raises UnknownGame, OptionError, and CardtableError if Gymnasium is not installed.
    """
    _need("gymnasium", "Gymnasium", "rl")
    from cardtable.envs.gymnasium_vector import Gym

    return Gym(VectorTable(game, n, opponents=opponents, **how))


def register_spiel() -> tuple[str, ...]:
    """Register every game of the catalog with OpenSpiel; return their names there: `cardtable_fan_tan`, ...

    Raises CardtableError if OpenSpiel is not installed.
    """
    _need("pyspiel", "OpenSpiel", "bench")
    from cardtable.envs import openspiel

    return openspiel.register()
