"""Many tables of a game as a vector environment of Gymnasium, with one learner among bots. Needs the extra `rl`."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cardtable.envs.vector import VectorTable


class Gym(VectorEnv):  # type: ignore[misc]  # to the type checker, a library without types
    """`VectorTable` as Gymnasium's `VectorEnv`: the learner sits on one seat of each table, and bots on the others.

    Observations are what the learner may know, as bytes; the reward is its payoff at the end of an episode, which is a
    deal (or a match). The next deal is dealt in the same step (SAME_STEP), whose infos then have the last observation
    in "final_obs". The masks of allowed actions are in infos["action_mask"], and `action_masks()` returns them.
    """

    def __init__(self, env: VectorTable) -> None:
        self.env = env
        self.num_envs = env.n
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.single_observation_space = gymnasium.spaces.Box(0, 255, (env.features_width,), np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(env.actions)
        self.observation_space = batch_space(self.single_observation_space, env.n)
        self.action_space = batch_space(self.single_action_space, env.n)

    def action_masks(self) -> NDArray[np.bool_]:
        """[n, A], whether the learner may take each action now (as MaskablePPO asks)."""
        return self.env.obs.mask.astype(np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Open a match at every table. seed: of all tables; with None, one follows from the seed before."""
        if isinstance(seed, list):
            raise ValueError("the tables of an environment share one seed: give a number")
        if seed is not None:
            super().reset(seed=seed)
            self.env.reset(seed)
        else:
            self.env.reset(int(self.np_random.integers(2**63)))
        return self.env.features(), {"action_mask": self.env.obs.mask.copy()}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take an action at every table. Raises CardtableError, and changes nothing, if one is not allowed."""
        env = self.env
        obs, reward, done = env.step(actions)
        infos: dict[str, Any] = {"action_mask": obs.mask.copy()}
        if done.any():
            final = np.full(env.n, None, object)
            for i in np.flatnonzero(done).tolist():
                final[i] = env.features_of(env.last.states[i], int(env.learners[i]))
            infos |= {"final_obs": final, "_final_obs": done.copy(), "final_info": {}, "_final_info": done.copy()}
        mine = reward[np.arange(env.n), env.learners].astype(np.float64)
        return env.features(), mine, done.copy(), np.zeros(env.n, np.bool_), infos

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.env.close()
