"""OpenSpiel and KPat as Cardtable is compared with them. Of OpenSpiel, the fastest that it offers from Python:

* its plain loop, `random()` over `legal_actions()` at every node, timed with the deal's chance nodes;
* its C++ rollouts, `MCTSBot` with `RandomRolloutEvaluator`, from the first decision on, so without the deal;
* its `ISMCTSBot`, from some decision on.

KPat, a patience game of KDE, solves numbered deals of four-suit Spider with all cards known (`kpat --solve`).
"""

from __future__ import annotations

import importlib
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardtable.base import platform
from cardtable.lab.stopwatch import Rate, Runner

RIVALS = {"crazy_eights": {"players": 4}, "oh_hell": {"players": 4, "num_tricks_fixed": 10}}
#: Crazy Eights to the end of the deal, however often its stock must be reshuffled.
WHOLE = {"players": 4, "max_draw_cards": 1000, "max_turns": 100_000, "reshuffle": True}
ABLE = "python loop, drawing only if unable"
DRAW = 52  #: the action of drawing in `crazy_eights`; the highest one even if a card can be laid


def openspiel() -> Any:
    """OpenSpiel's module, or None where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def loop_runner(spiel: Any, name: str) -> Runner:
    """OpenSpiel's fastest loop in Python.

    With one pack all its chance outcomes are uniform, so `random()` also works for them.
    """
    game = spiel.load_game(name, RIVALS[name])

    def loop(n: int, uniform: Callable[[], float] = random.random) -> None:
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(uniform() * len(actions))])
            state.returns()

    def run(n: int) -> Rate:
        random.seed(7)
        began = time.thread_time()
        loop(n)
        seconds = time.thread_time() - began
        random.seed(7)
        # the same games again, counted outside the clock
        decisions = sum(_decisions(game.new_initial_state()) for _ in range(n))
        return Rate(seconds, {"decisions/s": float(decisions), "deals/s": float(n)})

    return Runner(name, "python loop", run)


def _decisions(state: Any) -> int:
    """Play a state out as `loop_runner` does; return the decisions of players, without chance nodes."""
    k = 0
    while not state.is_terminal():
        k += not state.is_chance_node()
        actions = state.legal_actions()
        state.apply_action(actions[int(random.random() * len(actions))])
    return k


def _dealt(spiel: Any, name: str, seed: int) -> tuple[Any, Any]:
    """An OpenSpiel game and a state of it at the first decision (its search crashes on a chance node)."""
    game = spiel.load_game(name, RIVALS[name])
    chance = random.Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    return game, state


def rollout_runner(spiel: Any, name: str) -> Runner:
    """OpenSpiel's rollouts in C++: one iteration of search with n rollouts.

    Decisions are counted by the mean length of a rollout.
    """
    game, root = _dealt(spiel, name, 5)
    random.seed(11)
    length = statistics.mean(_decisions(root.clone()) for _ in range(1000))

    def run(n: int) -> Rate:
        bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(n, 7), 1.0, 1, 1000, False, 1, False)
        began = time.thread_time()
        bot.mcts_search(root)
        return Rate(time.thread_time() - began, {"decisions/s": n * length, "rollouts/s": float(n)})

    return Runner(name, "c++ rollouts", run)


def able_runner(spiel: Any) -> Runner:
    """Crazy Eights to the end, at random, except that no player draws who can lay a card."""
    game = spiel.load_game("crazy_eights", WHOLE)

    def run(n: int, uniform: Callable[[], float] = random.random) -> Rate:
        random.seed(7)
        began = time.thread_time()
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                if actions[-1] == DRAW and len(actions) > 1:
                    actions.pop()
                state.apply_action(actions[int(uniform() * len(actions))])
            state.returns()
        return Rate(time.thread_time() - began, {"deals/s": float(n)})

    return Runner("crazy_eights", ABLE, run)


def after(choices: int) -> str:
    """The label of a search that is timed after a number of choices."""
    return f"is-mcts, choice {choices + 1}"


def ismcts_runner(spiel: Any, name: str, choices: int = 0) -> Runner:
    """OpenSpiel's information-set search after `choices` random choices."""
    label = after(choices)
    _, root = _dealt(spiel, name, 5)
    chance = random.Random(6)
    while not root.is_terminal() and (choices or len(root.legal_actions()) == 1):
        choices -= len(root.legal_actions()) > 1
        root.apply_action(chance.choice(root.legal_actions()))
    final = spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

    def run(n: int) -> Rate:
        bot = spiel.ISMCTSBot(1, spiel.RandomRolloutEvaluator(1, 5), 2.0, n, -1, final, False, False)
        began = time.thread_time()
        bot.step(root)
        return Rate(time.thread_time() - began, {"simulations/s": float(n)})

    return Runner(name, label, run)


SOLVING = "solving four suits, cards known"
SPIDER = "17"  #: KPat's number of Spider
FEWEST = 10  #: deals that KPat solves at least, because starting it takes as long as solving some


def kpat() -> str | None:
    """KPat's program, or None where it is not installed; Debian has it outside the usual path."""
    return shutil.which("kpat", path=f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games")


def kpat_runner(program: str) -> Runner:
    """KPat's solver on its deals 1, 2, ...; most of them it gives up as "unknown". It counts deals, solved or not."""

    def run(n: int) -> Rate:
        n = max(n, FEWEST)
        with tempfile.TemporaryDirectory() as home:
            (Path(home) / "kpatrc").write_text("[General Settings]\nSpiderSuits=4\n", "utf-8")
            surroundings = {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": home, "XDG_RUNTIME_DIR": home}
            before = platform.seconds_of_children()
            subprocess.run(
                [program, "--solve", SPIDER, "--start", "1", "--end", str(n)],
                env=os.environ | surroundings,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
            )
            seconds = platform.seconds_of_children() - before
        return Rate(seconds, {"deals/s": float(n)})

    return Runner("kpat", SOLVING, run)
