"""A game as an environment of PettingZoo (its AEC interface, one agent at a time). Needs the extra `rl`."""

from __future__ import annotations

import secrets
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from cardtable.envs.single import Shared, SingleTable


def spaces(shared: Shared, actions: int) -> Any:
    """The space of an observation: "observation", a row of bytes, and "action_mask", a flag for each action."""
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(0, 255, (shared.width,), np.uint8),
            "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def metadata(shared: Shared, *, parallel: bool) -> dict[str, Any]:
    """What PettingZoo keeps about an environment."""
    name = shared.game.name.replace("-", "_")
    return {"name": f"cardtable_{name}_v{shared.game.version}", "render_modes": ["ansi"], "is_parallelizable": parallel}


def shown(table: SingleTable, render_mode: str | None) -> str | None:
    """The table as a spectator sees it, as text."""
    if render_mode != "ansi":
        gymnasium.logger.warn("render() needs render_mode='ansi'")
        return None
    return table.view(None).text()


class AEC(AECEnv):  # type: ignore[misc]  # a library without types
    """One deal of a game is an episode; the agents are `seat_0`, `seat_1`, ...

    An observation is a dict: "observation", what the seat may know, as bytes, and "action_mask", 1 for each action that
    it may take. Rewards are what each seat has won in the deal, at its end.
    """

    def __init__(self, shared: Shared, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = metadata(shared, parallel=False)
        self.shared, self.render_mode = shared, render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(shared.seats)]
        self._number = 0
        self._seed = secrets.token_hex(16)
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces(shared, shared.actions))
        self.action_spaces = {agent: gymnasium.spaces.Discrete(shared.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: with a seed its first deal, without one the deal after the last; the first seed is drawn by chance."""
        if seed is not None:
            self._seed, self._number = str(seed), 0
        self.table = SingleTable(self.shared, self._seed, self._number)
        self._number += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know now."""
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

    def render(self) -> str | None:
        """The table as a spectator sees it, as text."""
        return shown(self.table, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
