"""Deep Monte Carlo in the manner of DouZero: a network learns Fan Tan by playing against itself on `VectorTable`.

For each action that a seat may take, the network estimates what the seat wins by the end of the deal. All four seats
take the action with the highest estimate, and now and then any; and the network learns the actual payoff of the deal
for the actions taken. There is no bootstrapping, no search, and no imitation.

    pip install ".[learn]"
    python examples/deep_monte_carlo.py [MINUTES] [CURVE.csv]

MINUTES are of processor time, on one core; default: 5. A GPU is used where there is one. CURVE.csv is written with
how well the network plays from time to time, and CURVE.svg, a chart of it, next to it.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from measuring import REWARD, SCALE, SEATS, Choose, compare, interval, measure, thumb
from numpy.typing import NDArray
from torch import nn

from cardtable import envs
from cardtable.picture.figures import Bar, intervals

LONGEST = 52  #: decisions of a deal at most: every one lays a card
STEPS = 52  #: decisions at each table between two lessons
BATCH = 2048
RATE = 1e-3  #: of learning, at the beginning; it falls to a tenth
CHANCE = 0.05  #: of any action instead of the best, at the beginning; it falls to nothing

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass(frozen=True)
class Point:
    """How well the network plays after some time, in chips a deal, with half the width of the 95% intervals."""

    seconds: float  #: of processor time, learning only
    decisions: int  #: learnt from
    random: float
    random_half: float
    medium: float
    medium_half: float


def network(width: int, actions: int) -> nn.Module:
    """From what a seat may know to an estimate for every action."""
    return nn.Sequential(
        nn.Linear(width, 256),
        nn.ReLU(),
        nn.Linear(256, 256),
        nn.ReLU(),
        nn.Linear(256, 128),
        nn.ReLU(),
        nn.Linear(128, actions),
    ).to(DEVICE)


def inputs(features: NDArray[np.uint8]) -> torch.Tensor:
    """Features as the network takes them."""
    return torch.from_numpy(SCALE[features]).to(DEVICE)


def player(net: nn.Module) -> Choose:
    """Take the allowed action with the highest estimate."""

    def choose(env: envs.VectorTable) -> NDArray[np.int64]:
        with torch.no_grad():
            values = net(inputs(env.features())).cpu().numpy()
        return np.asarray(np.where(env.obs.mask, values, -np.inf).argmax(axis=1))

    return choose


class SelfPlay:
    """Tables at which the network plays all seats, and what it has decided there.

    What a deal brings is known at its end, and no deal has more than LONGEST decisions. So LONGEST rows more than are
    learnt from are kept, and of every decision that is learnt from, the outcome is known.
    """

    def __init__(self, tables: int) -> None:
        self.env = envs.VectorTable("fan-tan", tables, seats=SEATS, seed="learn")
        self.env.reset()
        rows = STEPS + LONGEST
        self.features = np.zeros((rows, tables, self.env.features_width), np.uint8)
        self.actions, self.seats = np.zeros((2, rows, tables), np.int64)
        self.rewards = np.zeros((rows, tables, SEATS), np.float32)
        self.over = np.zeros((rows, tables), np.bool_)
        self.chance = np.random.default_rng(1)
        self.filled = 0

    def play(self, choose: Choose, any_action: float) -> None:
        """Fill the rows with decisions, of which a share of `any_action` is left to chance."""
        env = self.env
        for t in range(self.filled, len(self.features)):
            env.features(self.features[t])
            self.seats[t] = env.obs.seat
            self.actions[t] = np.where(self.chance.random(env.n) < any_action, env.sample(), choose(env))
            _, self.rewards[t], self.over[t] = env.step(self.actions[t])

    def lessons(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32]]:
        """What was seen, what was done, and what it brought its seat, of the first rows; they are then forgotten."""
        targets = np.zeros(self.actions.shape, np.float32)
        brings = self.rewards[-1]
        for t in reversed(range(len(targets))):
            brings = np.where(self.over[t][:, None], self.rewards[t], brings)
            targets[t] = np.take_along_axis(brings, self.seats[t][:, None], axis=1)[:, 0]
        features, done, brought = self.features[:STEPS], self.actions[:STEPS], targets[:STEPS]
        lessons = features.reshape(-1, features.shape[-1]).copy(), done.ravel().copy(), brought.ravel() * REWARD
        for rows in (self.features, self.actions, self.seats, self.rewards, self.over):
            rows[:LONGEST] = rows[STEPS:].copy()
        self.filled = LONGEST
        return lessons


def learn(minutes: float, tables: int, points: int, deals: int) -> Iterator[tuple[nn.Module, Point]]:
    """Learn for some minutes of processor time; yield the network at `points` times, each twice as late as the one
    before, and how well it plays.
    """
    torch.manual_seed(1)
    play = SelfPlay(tables)
    net = network(play.env.features_width, play.env.actions)
    choose, optimizer = player(net), torch.optim.Adam(net.parameters(), RATE)
    whole, spent, decisions, loss = 60 * minutes, 0.0, 0, nn.MSELoss()
    while points:
        began, remaining = time.process_time(), max(0.0, 1 - spent / whole)
        play.play(choose, CHANCE * remaining)
        features, done, brought = play.lessons()
        for group in optimizer.param_groups:
            group["lr"] = RATE * max(0.1, remaining)
        order = play.chance.permutation(len(done))
        for some in np.array_split(order, max(1, len(order) // BATCH)):
            taken = torch.from_numpy(done[some]).to(DEVICE)
            values = net(inputs(features[some])).gather(1, taken[:, None])[:, 0]
            optimizer.zero_grad()
            loss(values, torch.from_numpy(brought[some]).to(DEVICE)).backward()
            optimizer.step()
        decisions += len(done)
        spent += time.process_time() - began
        if spent >= whole / 2 ** (points - 1):
            points -= 1
            scores = [interval(measure(choose, level, deals)) for level in ("random", "medium")]
            yield net, Point(round(spent, 1), decisions, *(round(x, 3) for pair in scores for x in pair))


def write(curve: list[Point], path: Path) -> None:
    """Write the points to a file, and a chart of them next to it."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        rows = csv.DictWriter(lines, list(asdict(curve[0])), lineterminator="\n")
        rows.writeheader()
        rows.writerows(asdict(point) for point in curve)
    bars = []
    for name in ("random", "medium"):
        for point in curve:
            middle, half = getattr(point, name), getattr(point, f"{name}_half")
            label = f"among {name}, after {point.seconds:,.0f} s"
            bars.append(Bar(label, middle, middle - half, middle + half, abs(middle) < half))
    title = "Chips a deal that the network wins among three players, by the time that it has learnt"
    path.with_suffix(".svg").write_text(intervals(bars, title) + "\n", "utf-8")


def main(minutes: float = 5.0, path: str = "") -> None:
    """Learn, print the curve, and compare the last network with medium bots."""
    torch.set_num_threads(1)  # so small a network is slower with more
    tables, points, deals = (512, 6, 4000) if minutes >= 1 else (64, 2, 50)
    curve: list[Point] = []
    learned: Choose = envs.VectorTable.sample
    for net, point in learn(minutes, tables, points, deals):
        print(
            f"{point.seconds:,.0f} s, {point.decisions:,} decisions: among three random {point.random:+.2f} ± "
            f"{point.random_half:.2f}, among three medium {point.medium:+.2f} ± {point.medium_half:.2f} chips a deal",
            flush=True,
        )
        curve.append(point)
        learned = player(net)
    if path:
        write(curve, Path(path))
    for opponents in ("random", "medium"):
        compare({"learned": learned, "medium": thumb}, opponents, deals)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0, *sys.argv[2:3])
