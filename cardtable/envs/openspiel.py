"""Every game as a game of OpenSpiel: `pyspiel.load_game("cardtable_fan_tan(rules=british,seats=4)")`. Needs the extra
`bench`.

One deal is a game. OpenSpiel enumerates chance outcomes, and a pack has too many shuffles. So there is one chance
node, at the root, which chooses one of `shuffles` deals of the seed. It determines all later random events of the
deal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from cardtable.base.errors import OptionError
from cardtable.base.types import SeatNumber
from cardtable.envs.single import Shared, SingleTable
from cardtable.rules import catalog, contract, worlds
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.options import Kind
from cardtable.rules.ruleset import Ruleset
from cardtable.views.observed import redacted

SHUFFLES = 10_000  #: default number of deals
#: of every game
OWN: dict[str, int | str] = {
    "rules": "",
    "seats": 0,
    "seed": 0,
    "shuffles": SHUFFLES,
}
_known: dict[str, str] = {}


def register() -> tuple[str, ...]:
    """Register every game of the catalog with OpenSpiel, once; return their names there."""
    for game in catalog.games().values():
        if game.name not in _known:
            kind = _type(game)
            # Must be a class: OpenSpiel releases it after the interpreter has shut down, and a function would crash.
            pyspiel.register_game(kind, type(kind.short_name, (SpielGame,), {"entry": game, "kind": kind}))
            _known[game.name] = kind.short_name
    return tuple(_known.values())


def _loaded(text: str) -> pyspiel.Game:
    """A game by its name and parameters, including in a process where none is registered yet."""
    register()
    return pyspiel.load_game(text)


def _type(game: Game) -> pyspiel.GameType:
    """A game's type for OpenSpiel, before it is loaded. Shared rules that are numbers or words are parameters."""
    parameters: dict[str, int | str] = dict(OWN)
    for name, each in game.options.kinds().items():
        if not each.per_seat and not each.read:
            parameters[name] = _unsaid(each)
    few, many = game.seats
    return pyspiel.GameType(
        short_name="cardtable_" + game.name.replace("-", "_"),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=many,
        min_num_players=few,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters,
    )


def _unsaid(kind: Kind) -> int | str:
    """The value of a parameter that leaves a house rule to the preset."""
    return kind.low - 1 if kind.high or all(word.isdecimal() for word in kind.values) else ""


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # a library without types
    """A game with its house rules. Each game of the catalog has its own class."""

    entry: Game
    kind: pyspiel.GameType

    def __init__(self, params: dict[str, int | str] | None = None) -> None:
        params, game = params or {}, self.entry
        own: dict[str, int | str] = {name: params.get(name, value) for name, value in OWN.items()}
        self.seed, self.shuffles = int(own["seed"]), int(own["shuffles"])
        if self.shuffles < 1:
            raise OptionError(f"shuffles={self.shuffles}", "there must be a deal to choose", "give 1 or more")
        rules, seats = str(own["rules"]) or None, int(own["seats"]) or None
        kinds = game.options.kinds()
        given = {name: value for name, value in params.items() if name not in own and value != _unsaid(kinds[name])}
        shared = Shared(Ruleset.parse(game.name, rules, seats, given), auto=False)
        bounds = np.zeros(3)
        contract.bounds(SingleTable(shared, 0).state, bounds)
        info = pyspiel.GameInfo(
            num_distinct_actions=shared.actions,
            max_chance_outcomes=self.shuffles,
            num_players=shared.seats,
            min_utility=float(bounds[1]),
            max_utility=float(bounds[2]),
            max_game_length=int(bounds[0]),
        )
        super().__init__(self.kind, info, params)
        self.shared = shared

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled by name and parameters, as OpenSpiel's own games are."""
        return _loaded, (str(self),)

    def new_initial_state(self) -> SpielState:
        """A state in which chance is to choose the deal."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Chance acts once."""
        return 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What writes the observations of a player. Raises ValueError if there are parameters."""
        if params:
            raise ValueError(f"observers have no parameters: {params}")
        return Observer(self.shared, iig_obs_type)


def digest_of(before: bytes, s: State, seat: SeatNumber) -> bytes:
    """A digest of everything a seat has seen: of all earlier digests and of a state."""
    return hashlib.sha256(before + redacted(s, seat).tobytes()).digest()


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A deal, or the choice of one."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.shared, self.seed, self.shuffles = game.shared, game.seed, game.shuffles
        self.table: SingleTable | None = None
        self.acts = 0  #: number made in the deal
        #: Of what each seat has seen in the states before these acts. Copies of a state are many, so no state is kept.
        self.observed: tuple[bytes, ...] = (b"",) * self.shared.seats

    @property
    def _deal(self) -> SingleTable:
        if self.table is None:
            raise pyspiel.SpielError("no deal has been chosen: apply a chance outcome first")
        return self.table

    def current_player(self) -> int:
        """The seat that is to act."""
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return self.table.seat if self.table.seat >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return self._deal.actions() if player == self._deal.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, with equal chance."""
        return [(k, 1.0 / self.shuffles) for k in range(self.shuffles)]

    def _apply_action(self, action: int) -> None:
        if self.table is None:
            self.table = SingleTable(self.shared, self.seed, action)
        else:
            self.acts += 1
            self.observed = tuple(
                digest_of(digest, self.table.state, seat) for seat, digest in enumerate(self.observed)
            )
            self.table.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE or self.table is None:
            return f"deal {action}"
        if action in self.table.actions():
            return self.table.text(action)
        return f"action {action}"

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self.table is not None and self.table.seat < 0

    def returns(self) -> list[float]:
        """What each seat has won in the deal; 0 until it is over."""
        return self._deal.payoff() if self.is_terminal() else [0.0] * self.shared.seats

    def information_state_string(self, player: int | None = None) -> str:
        """A digest of everything that a player has seen in the deal: the states so far, redacted for it."""
        seat = self.current_player() if player is None else player
        digest = digest_of(self.observed[seat], self.table.state, seat) if self.table else b""
        return f"seat {seat}, act {self.acts}: {digest.hex()}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a copy in which the cards that a player has not seen are dealt again, uniformly among the deals
        consistent with what it knows.
        """
        copy: SpielState = self.clone()
        table = copy._deal
        contract.redact(table.state, player)
        table.state.rng[:] = [1 + int(sampler() * 2**63) for _ in range(4)]
        work = worlds.Work.new()
        contract.resample(table.state, player, work)
        worlds.refuse_clash(self.shared.game.name, work)
        table.refresh()
        return copy

    def __str__(self) -> str:
        return self.table.told(None) if self.table else "the deal is to be chosen"

    def __deepcopy__(self, memo: Any) -> SpielState:
        return self.clone()  # type: ignore[no-any-return]


class Observer:
    """Writes what a player may know: `tensor`, its features as floats, and a string, the table as text."""

    def __init__(self, shared: Shared, kind: Any = None) -> None:
        self.shared = shared
        self.recall = bool(kind and kind.perfect_recall)
        self.private = kind is None or kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor = np.zeros(shared.seats + shared.width, np.float32)
        self.dict = {"player": self.tensor[: shared.seats], "features": self.tensor[shared.seats :]}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the tensor."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if state.table is not None:
            self.dict["features"][:] = state.table.features(player if self.private else -1)

    def string_from(self, state: SpielState, player: int) -> str:
        """The table as a player sees it, as text; with perfect recall, the digest of what it has seen."""
        if self.recall:
            return state.information_state_string(player)
        return state.table.told(player if self.private else None) if state.table else str(state)
