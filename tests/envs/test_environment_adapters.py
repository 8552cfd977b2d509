"""The adapters to PettingZoo, Gymnasium and OpenSpiel, held to these libraries' own tests. They run where the libraries
are installed.
"""

from __future__ import annotations

import copy
import importlib.util
import pickle
import random
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable import CardtableError, Match, OptionError, envs
from cardtable.envs.single import Shared, SingleTable
from cardtable.rules import catalog, contract
from cardtable.rules.ruleset import Ruleset
from cardtable.testing.houses import brief
from tests.support.effort import cases
from tests.support.programs import needs

GAMES = sorted(catalog.games())
QUICK = ["fan-tan"]
several = [name for name in GAMES if catalog.find(name).seats[1] > 1]


@pytest.mark.parametrize("name", cases(GAMES, QUICK))
def test_a_single_table_is_that_of_many(name: str) -> None:
    """The deal of a number is the first one of that table of a `VectorTable`."""
    shared = Shared(Ruleset.parse(name, house_rules=brief(catalog.find(name))), auto=True)
    env = envs.VectorTable(name, 3, seed="one", **brief(catalog.find(name)))
    env.reset()
    table = SingleTable(shared, "one", 2)
    for _ in range(25):
        if table.seat < 0:
            break
        assert table.seat == env.obs.seat[2]
        assert (table.mask(table.seat) == env.obs.mask[2]).all()
        assert (table.features(table.seat) == env.features()[2]).all()
        every = env.sample()
        assert table.text(int(every[2])) == env.legal(2)[int(every[2])]
        table.play(int(every[2]))
        _, reward, done = env.step(every)
        if done[2]:
            assert table.seat < 0
            assert table.payoff() == reward[2].tolist()
    twin = copy.deepcopy(table)
    if table.seat >= 0:
        twin.play(twin.actions()[0])
        assert twin.state.tobytes() != table.state.tobytes()


@pytest.mark.parametrize(
    ("module", "call"),
    [("pettingzoo", "aec"), ("pettingzoo", "parallel"), ("gymnasium", "gym"), ("pyspiel", "register_spiel")],
)
def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, module: str, call: str) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    extra = "bench" if module == "pyspiel" else "rl"
    can = rf"not installed. Install it in Cardtable's folder: pip install '\.\[{extra}\]'"
    with pytest.raises(CardtableError, match=can):
        getattr(envs, call)(*([] if module == "pyspiel" else ["fan-tan"]))


@needs("pettingzoo")
@pytest.mark.parametrize("name", cases(several, QUICK))
def test_pettingzoos_own_tests(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library's own
        from pettingzoo.test import api_test, seed_test

        api_test(envs.aec(name), num_cycles=300)
        seed_test(lambda: envs.aec(name), num_cycles=60)


@needs("pettingzoo")
def test_an_agent_loop() -> None:
    env = envs.aec("fan-tan", 4, "british", render_mode="ansi", ante=2)
    env.reset(seed=7)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        assert not truncation
        action = None if termination else int(env.action_space(agent).sample(observation["action_mask"]))
        if env.table.seat >= 0:
            assert "British Fan Tan" in str(env.render())
        env.step(action)
    assert sum(total.values()) == 0
    assert any(total.values())
    env.reset(seed=7)
    first = env.table.state.tobytes()
    env.reset()
    assert env.table.state.tobytes() != first, "without a seed, the next deal"
    env.reset(seed=7)
    assert env.table.state.tobytes() == first
    with pytest.raises(ValueError, match="the mask allows"):
        env.step(54)


#: games whose seats choose at the same time, with what keeps their deals short
AT_ONCE: dict[str, dict[str, Any]] = {"pirate": {"stall": 60}, "i-doubt-it": {"doubt_mode": "simultaneous"}}


@needs("pettingzoo")
@pytest.mark.parametrize("name", cases(AT_ONCE))
def test_pettingzoos_own_parallel_tests(name: str) -> None:
    from pettingzoo.test import parallel_api_test, parallel_seed_test
    from pettingzoo.utils import BaseParallelWrapper

    class AnyNumber(BaseParallelWrapper):  # type: ignore[misc]  # a library without types
        """Every number is an allowed action, as the test of seeds does not look at masks."""

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            self.seen, infos = self.env.reset(seed=seed, options=options)
            return self.seen, infos

        def step(self, actions: dict[str, int]) -> Any:
            allowed = {agent: self.seen[agent]["action_mask"].nonzero()[0] for agent in actions}
            self.seen, *rest = self.env.step({agent: of[actions[agent] % len(of)] for agent, of in allowed.items()})
            return self.seen, *rest

    parallel_api_test(envs.parallel(name, **AT_ONCE[name]), num_cycles=300)
    parallel_seed_test(lambda: AnyNumber(envs.parallel(name, **AT_ONCE[name])), num_cycles=60)


@needs("pettingzoo")
@pytest.mark.parametrize("name", AT_ONCE)
def test_all_choose_before_anybody_sees_a_choice(name: str) -> None:
    """Moment by moment it is the deal that is played one seat after another."""
    env = envs.parallel(name, render_mode="ansi", **AT_ONCE[name])
    observations, _ = env.reset(seed=3)
    twin = SingleTable(env.shared, "3")
    dice, several = random.Random(4), 0
    rewards: dict[str, float] = {}
    while env.agents:
        asked = twin.asked()
        several += len(asked) > 1
        for seat, agent in enumerate(env.agents):
            assert (observations[agent]["observation"] == twin.features(seat)).all()
            assert bool(observations[agent]["action_mask"][env.nothing]) == (seat not in asked)
        actions = {agent: int(dice.choice(seen["action_mask"].nonzero()[0])) for agent, seen in observations.items()}
        before = env.table.state.tobytes()
        with pytest.raises(ValueError, match="seat_0 may not take action"):
            env.step(actions | {"seat_0": 0 if 0 not in asked else env.nothing})
        assert env.table.state.tobytes() == before
        assert env.shared.ruleset.title in str(env.render())
        observations, rewards, over, cut, _ = env.step(actions)
        for seat in asked:
            twin.play(actions[f"seat_{seat}"])
        assert env.table.state.tobytes() == twin.state.tobytes()
        assert set(over.values()) == {twin.seat < 0}
        assert not any(cut.values())
    assert several > 20
    assert list(rewards.values()) == twin.payoff()
    assert set(observations) == set(env.possible_agents)


@needs("pettingzoo")
def test_seats_that_act_in_turn_have_no_parallel_environment() -> None:
    with pytest.raises(CardtableError, match=r"its seats act in turn. Use envs.aec"):
        envs.parallel("fan-tan")
    with pytest.raises(CardtableError, match=r"its seats act in turn. Use envs.aec"):
        envs.parallel("i-doubt-it")


@needs("pettingzoo")
def test_pettingzoos_performance_test(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays for five seconds of a clock that is made to run faster here, and prints how many turns it saw."""
    from pettingzoo.test import performance_benchmark

    clock = iter(range(10_000))
    monkeypatch.setattr("time.time", lambda: next(clock) / 100)
    performance_benchmark(envs.aec("fan-tan"))
    assert "turns per second" in capsys.readouterr().out


@needs("gymnasium")
@pytest.mark.parametrize("game", cases(several, QUICK))
def test_a_vector_environment(game: str) -> None:
    """Shapes, spaces and the same step's new deal are as Gymnasium says."""
    env = envs.gym(game, 6, seat=1, opponents=("medium",), seed=3)
    observations, infos = env.reset(seed=5)
    assert env.metadata["autoreset_mode"].name == "SAME_STEP"
    again = envs.gym(game, 6, seat=1, opponents="medium", seed=3)
    assert (again.reset(seed=5)[0] == observations).all()
    dice = np.random.RandomState(1)
    ends = 0
    for _ in range(150):
        assert env.observation_space.contains(observations)
        masks = env.action_masks()
        assert (masks == infos["action_mask"]).all()
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in masks])
        assert env.action_space.contains(actions)
        before = observations.copy()
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert (before == before).all()
        assert rewards.shape == terminations.shape == truncations.shape == (6,)
        assert not truncations.any()
        ends += int(terminations.sum())
        if terminations.any():
            assert (infos["_final_obs"] == terminations).all()
            for i in range(6):
                assert (infos["final_obs"][i] is not None) == terminations[i]
                assert not terminations[i] or env.single_observation_space.contains(infos["final_obs"][i])
        assert not rewards[~terminations].any()
    assert ends > 5 or game == "pirate", "a deal of Pirate takes a thousand moves at random"
    different = env.reset()[0]
    assert (different != again.reset(seed=5)[0]).any()
    with pytest.raises(ValueError, match="share one seed"):
        env.reset(seed=[1, 2, 3, 4, 5, 6])
    env.close()


@needs("OpenSpiel")
@pytest.mark.parametrize("name", cases(GAMES, QUICK))
def test_openspiels_own_tests(name: str) -> None:
    import pyspiel

    names = envs.register_spiel()
    assert names == envs.register_spiel()
    mine = "cardtable_" + name.replace("-", "_")
    assert mine in names
    # at random, other deals of these games go on for a thousand moves
    brisk = {"crazy-eights": "(seats=2)", "pirate": "(stall=60)"}
    pyspiel.random_sim_test(pyspiel.load_game(mine + brisk.get(name, "")), num_sims=1, serialize=True, verbose=False)


@needs("OpenSpiel")
def test_a_game_of_openspiel_is_the_game() -> None:
    import pyspiel

    envs.register_spiel()
    game = pyspiel.load_game("cardtable_fan_tan(rules=british,seats=4,ante=2,shuffles=50,seed=9)")
    ruleset = game.shared.ruleset
    assert (ruleset.preset, ruleset.seats, ruleset.options.as_dict()["ante"]) == ("british", 4, 2)
    plain = Match("fan-tan", 4, "british", "1", ante=2).options
    assert ruleset.options == plain, "what is not named is as the preset says"
    state = game.new_initial_state()
    assert len(state.chance_outcomes()) == 50
    with pytest.raises(pyspiel.SpielError, match="no deal has been chosen"):
        state._legal_actions(0)
    state.apply_action(7)
    dice = random.Random(1)
    length = 0
    while not state.is_terminal():
        player = state.current_player()
        other = state.resample_from_infostate(player, dice.random)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        information = state.information_state_string(player)
        assert information == state.clone().information_state_string(player)
        state.apply_action(dice.choice(state.legal_actions()))
        assert information != state.information_state_string(player)
        length += 1
    bounds = np.zeros(3)
    contract.bounds(state.table.state, bounds)
    assert length <= game.max_game_length() == bounds[0]
    assert all(game.min_utility() <= won <= game.max_utility() for won in state.returns())
    assert pickle.loads(pickle.dumps(state)).returns() == state.returns()
    for wrong in ("seats=40", "shuffles=0", "shuffles=-1"):
        with pytest.raises(OptionError):
            pyspiel.load_game(f"cardtable_fan_tan({wrong})")


@needs("OpenSpiel")
@pytest.mark.parametrize("name", cases(GAMES, QUICK))
def test_a_game_of_openspiel_is_pickled(name: str) -> None:
    import pyspiel

    envs.register_spiel()
    game = pyspiel.load_game(f"cardtable_{name.replace('-', '_')}(seed=3,shuffles=5)")
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert (again.seed, again.shuffles, again.shared.ruleset) == (3, 5, game.shared.ruleset)


@needs("OpenSpiel")
def test_a_copy_is_as_small_at_the_end_of_a_deal_as_at_its_beginning() -> None:
    """Search makes a copy for each line that it tries."""
    import pyspiel

    envs.register_spiel()
    state = pyspiel.load_game("cardtable_fan_tan").new_initial_state()
    dice = random.Random(2)
    state.apply_action(3)
    first = len(pickle.dumps(state))
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
    assert state.acts > 20
    assert len(pickle.dumps(state)) < first + 1000
    copied = state.clone()
    for seat in range(2):
        assert copied.information_state_string(seat) == state.information_state_string(seat)


@needs("OpenSpiel")
def test_openspiels_algorithms_run() -> None:
    """Outcome-sampling Monte Carlo CFR and information-set tree search, written in Python there."""
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr

    envs.register_spiel()
    game = pyspiel.load_game("cardtable_domino_fan_tan(shuffles=2)")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(4):
        solver.iteration()
    assert len(solver._infostates) > 20
    state = game.new_initial_state()
    state.apply_action(1)
    while len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1), uct_c=100.0, max_simulations=12)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize(
    "library",
    [
        pytest.param("pettingzoo", marks=needs("pettingzoo")),
        pytest.param("gymnasium", marks=needs("gymnasium")),
        pytest.param("pyspiel", marks=needs("OpenSpiel")),
    ],
)
def test_the_examples_of_the_page_run(library: str, root: Path) -> None:
    """The page's examples of the adapters, which need libraries that `make test` does without."""
    call = {"pettingzoo": "envs.aec(", "gymnasium": "envs.gym(", "pyspiel": "register_spiel("}[library]
    text = (root / "docs" / "environments.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (example,) = [block for block in blocks if call in block and ">>>" not in block]
    exec(example, {})
