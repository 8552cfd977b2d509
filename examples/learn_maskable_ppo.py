"""Let MaskablePPO of sb3-contrib learn Fan Tan on the processor, and measure it against random players and the rule of
thumb on duplicate deals.

    pip install ".[learn]"
    python examples/learn_maskable_ppo.py [MINUTES]

MINUTES are of processor time, on one core; default: 5.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from measuring import REWARD, SCALE, SEATS, Choose, compare, thumb
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from cardtable import envs


class Tables(VecEnv):  # type: ignore[misc]  # to the type checker, a library without types
    """Gymnasium's vector environment, adapted to the interface of Stable-Baselines3."""

    def __init__(self, tables: int, opponents: str) -> None:
        self.gym = envs.gym(
            "fan-tan", tables, seats=SEATS, seat=[i % SEATS for i in range(tables)], opponents=opponents
        )
        features = gymnasium.spaces.Box(0, 8, (self.gym.env.features_width,), np.float32)
        super().__init__(tables, features, self.gym.single_action_space)

    def reset(self) -> NDArray[np.float32]:
        """Open a match at every table."""
        return SCALE[self.gym.reset(seed=1)[0]]

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take these actions with the next `step_wait`."""
        self.chosen = actions

    def step_wait(self) -> tuple[Any, ...]:
        """Take the actions."""
        features, rewards, over, _, infos = self.gym.step(self.chosen)
        notes: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(over).tolist():
            notes[i]["terminal_observation"] = SCALE[infos["final_obs"][i]]
        return SCALE[features], (rewards * REWARD).astype(np.float32), over, notes

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """What a method of each table returns: here, its mask."""
        return list(getattr(self.gym, method_name)(*args, **kwargs))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of each table."""
        return [getattr(self.gym, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Tables have nothing to set."""
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No table is wrapped."""
        return [False] * self.num_envs

    def close(self) -> None:
        """End the threads."""
        self.gym.close()


def learn(minutes: float, tables: int) -> Choose:
    """Learn among three medium bots; return the player."""
    model = MaskablePPO(
        "MlpPolicy",
        Tables(tables, "medium"),
        n_steps=64,
        batch_size=min(2048, 64 * tables),
        n_epochs=4,
        learning_rate=5e-4,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.005,
        seed=1,
        device="cpu",
        policy_kwargs={"net_arch": [256, 128], "activation_fn": torch.nn.ReLU},
    )
    until = time.process_time() + 60 * minutes
    model.learn(10**9, callback=lambda *_: time.process_time() < until)
    print(f"{model.num_timesteps:,} decisions in {minutes:g} minutes of processor time")

    def choose(env: envs.VectorTable) -> NDArray[np.int64]:
        actions, _ = model.predict(SCALE[env.features()], action_masks=env.obs.mask, deterministic=True)
        return np.asarray(actions, np.int64)

    return choose


def main(minutes: float = 5.0) -> None:
    """Learn for some minutes; then measure."""
    torch.set_num_threads(1)  # so small a network is slower with more
    tables, deals = (256, 4000) if minutes >= 1 else (32, 100)
    learned = learn(minutes, tables)
    print(f"chips a deal, with 95% intervals, in {deals:,} deals played from each of the {SEATS} seats:")
    for opponents in ("random", "medium"):
        compare({"learned": learned, "medium": thumb, "chance": envs.VectorTable.sample}, opponents, deals)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
