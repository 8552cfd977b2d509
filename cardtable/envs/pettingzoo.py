"""A game as an environment of PettingZoo: one agent at a time (AEC), or all agents in each step (parallel). Needs the
extra `rl`.

One deal of a game is an episode; the agents are `seat_0`, `seat_1`, ... An observation is a dict: "observation", what
the seat may know, as bytes, and "action_mask", 1 for each action that it may take. The rewards are the payoffs of the
seats at the end of the deal.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from cardtable.envs.single import Shared, SingleTable


class _Deals:
    """What both interfaces have in common: the spaces, the next deal, and the table as text."""

    table: SingleTable

    def __init__(self, shared: Shared, render_mode: str | None, actions: int) -> None:
        """actions: of each agent."""
        super().__init__()
        name = shared.game.name.replace("-", "_")
        self.metadata = {
            "name": f"cardtable_{name}_v{shared.game.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": isinstance(self, ParallelEnv),
        }
        self.shared, self.render_mode = shared, render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(shared.seats)]
        self.agents: list[str] = []
        self._number = 0
        self._seed = secrets.token_hex(16)
        observation = {
            "observation": gymnasium.spaces.Box(0, 255, (shared.width,), np.uint8),
            "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
        }
        self.observation_spaces = dict.fromkeys(self.possible_agents, gymnasium.spaces.Dict(observation))
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def _deal(self, seed: int | None) -> None:
        """Deal: with a seed its first deal, without one the deal after the last; the first seed is drawn by chance."""
        if seed is not None:
            self._seed, self._number = str(seed), 0
        self.table = SingleTable(self.shared, self._seed, self._number)
        self._number += 1
        self.agents = list(self.possible_agents)

    def render(self) -> str | None:
        """The table as a spectator sees it, as text."""
        if self.render_mode != "ansi":
            gymnasium.logger.warn("render() needs render_mode='ansi'")
            return None
        return self.table.view(None).text()

    def close(self) -> None:
        """Nothing is open."""


class AEC(_Deals, AECEnv):  # type: ignore[misc]  # a library without types
    """A game in which one agent acts at a time."""

    def __init__(self, shared: Shared, render_mode: str | None = None) -> None:
        super().__init__(shared, render_mode, shared.actions)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: with a seed its first deal, without one the deal after the last; the first seed is drawn by chance."""
        self._deal(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of an agent."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.table.features(seat), "action_mask": self.table.mask(seat)}

    def step(self, action: int | None) -> None:
        """Take an action for the agent that is to act. Raises ValueError if it is not allowed."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self.table.actions():
            raise ValueError(f"{agent} may not take action {action} now: the mask allows {self.table.actions()}")
        self._cumulative_rewards[agent] = 0.0
        self.table.play(int(action))
        if self.table.seat < 0:
            self.rewards = dict(zip(self.possible_agents, self.table.payoff(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.agent_selection = self.possible_agents[self.table.seat]
        self._accumulate_rewards()


class Parallel(_Deals, ParallelEnv):  # type: ignore[misc]  # a library without types
    """A game in which seats choose at the same time: in each step every agent takes an action.

    The last action, `shared.actions`, is to do nothing; it is the only one that the mask allows a seat that is not
    asked. All choices of a step are made before anybody sees one of them.
    """

    def __init__(self, shared: Shared, render_mode: str | None = None) -> None:
        super().__init__(shared, render_mode, shared.actions + 1)
        self.nothing = shared.actions  #: the action of a seat that is not asked

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Deal, as in the other interface. Return observations and infos."""
        self._deal(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def _allowed(self) -> list[list[int]]:
        """The actions that each seat may take."""
        asked = self.table.asked()
        return [
            self.table.turned_to(seat).actions() if seat in asked else [self.nothing]
            for seat in range(self.shared.seats)
        ]

    def _observations(self) -> dict[str, Any]:
        observations = {}
        for seat, actions in enumerate(self._allowed()):
            mask = np.zeros(self.nothing + 1, np.int8)
            mask[actions] = 1
            agent = self.possible_agents[seat]
            observations[agent] = {"observation": self.table.features(seat), "action_mask": mask}
        return observations

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take an action for each agent; return observations, rewards, terminations, truncations and infos. Raises
        ValueError before anything changes if an action is not allowed.
        """
        agents = self.agents
        for agent, allowed in zip(agents, self._allowed(), strict=False):
            if int(actions[agent]) not in allowed:
                raise ValueError(f"{agent} may not take action {actions[agent]} now: the mask allows {allowed}")
        asked = self.table.asked()
        while asked and self.table.seat == asked[0]:
            self.table.play(int(actions[self.possible_agents[asked.pop(0)]]))
        over = self.table.seat < 0
        rewards = self.table.payoff() if over else [0.0] * self.shared.seats
        if over:
            self.agents = []
        observations = self._observations()
        return (
            {agent: observations[agent] for agent in agents},
            {agent: rewards[self.possible_agents.index(agent)] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )
