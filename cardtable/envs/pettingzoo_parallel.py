"""A game in which seats choose at the same time as an environment of PettingZoo's parallel interface: all agents act in
each step. Needs the extra `rl`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

from cardtable.base.types import SeatNumber
from cardtable.envs.pettingzoo_aec import metadata, shown, spaces
from cardtable.envs.single import Shared, SingleTable


class Parallel(ParallelEnv):  # type: ignore[misc]  # a library without types
    """One deal of a game is an episode; the agents are `seat_0`, `seat_1`, ...

    In each step every agent takes an action. The last action, `shared.actions`, is to do nothing; it is the only one
    that the mask allows a seat that is not asked. Observations and rewards are those of the AEC environment. All
    choices of a step are made before anybody sees one of them.
    """

    def __init__(self, shared: Shared, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = metadata(shared, parallel=True)
        self.shared, self.render_mode = shared, render_mode
        self.nothing = shared.actions  #: the action of a seat that is not asked
        self.possible_agents = [f"seat_{seat}" for seat in range(shared.seats)]
        self.agents: list[str] = []
        self._number = 0
        self._seed = secrets.token_hex(16)
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces(shared, shared.actions + 1))
        self.action_spaces = {agent: gymnasium.spaces.Discrete(shared.actions + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Deal: with a seed its first deal, without one the deal after the last; the first seed is drawn by chance.
        Return observations and infos.
        """
        if seed is not None:
            self._seed, self._number = str(seed), 0
        self.table = SingleTable(self.shared, self._seed, self._number)
        self._number += 1
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Any]:
        asked = self.table.asked()
        return {agent: self._observation(seat, asked) for seat, agent in enumerate(self.possible_agents)}

    def _observation(self, seat: SeatNumber, asked: list[SeatNumber]) -> dict[str, Any]:
        mask = np.zeros(self.shared.actions + 1, np.int8)
        if seat in asked:
            mask[self.table.turned_to(seat).actions()] = 1
        else:
            mask[self.nothing] = 1
        return {"observation": self.table.features(seat), "action_mask": mask}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take an action for each agent; return observations, rewards, terminations, truncations and infos. Raises
        ValueError before anything changes if an action is not allowed.
        """
        asked = self.table.asked()
        for seat, agent in enumerate(self.possible_agents):
            allowed = self.table.turned_to(seat).actions() if seat in asked else [self.nothing]
            if self.agents and int(actions[agent]) not in allowed:
                raise ValueError(f"{agent} may not take action {actions[agent]} now: the mask allows {allowed}")
        while asked and self.table.seat == asked[0]:
            self.table.play(int(actions[self.possible_agents[asked.pop(0)]]))
        over = self.table.seat < 0
        rewards = self.table.payoff() if over else [0.0] * self.shared.seats
        agents = self.agents
        if over:
            self.agents = []
        found = self._observations()
        return (
            {agent: found[agent] for agent in agents},
            {agent: rewards[self.possible_agents.index(agent)] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def render(self) -> str | None:
        """The table as a spectator sees it, as text."""
        return shown(self.table, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
