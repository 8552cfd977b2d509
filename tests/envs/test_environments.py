"""Environments: every game played through `VectorTable` is the game that Match plays, its masks are the legal moves,
no secret is revealed, and results depend neither on threads nor on neighbours.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cardtable import CardtableError, Match, OptionError
from cardtable.envs import VectorTable
from cardtable.kernel import prng
from cardtable.kernel.record import words
from cardtable.rules import catalog, contract, worlds
from cardtable.testing.houses import House, brief, legal_of, redacted, typical_houses
from tests.support.effort import cases
from tests.support.games.oracle import far

GAMES = sorted(catalog.games())
#: every game by its first preset, and Boodle, whose chips are laid by hand
HOUSES = list({(each.game, each.preset == "boodle"): each for each in reversed(typical_houses())}.values())
every_house = pytest.mark.parametrize("house", cases(HOUSES, lambda house: house.game in ("fan-tan", "scopa")), ids=str)
#: which games have numbers of their own for their moves; the docs have the same table
DENSE = {
    "busca": 104,
    "crazy-eights": 76,
    "domino-fan-tan": 55,
    "fan-tan": 55,
    "five-or-nine": 55,
    "i-doubt-it": 68,
    "michigan": 283,
    "oh-hell": 80,
    "pirate": 4,
    "play-or-pay": 53,
    "spider": 1201,
    "thirty-one": 56,
}
INDEXED = {"cassino": 6144, "scopa": 972}


def table(name: str, n: int = 4, **given: Any) -> VectorTable:
    return VectorTable(name, n, **(brief(catalog.find(name)) | given))


def of_house(house: House, n: int = 2, **given: Any) -> VectorTable:
    return VectorTable(house.game, n, seats=house.seats, rules=house.preset, **(house.options | given))


class Seeded(Match):
    """A match with the words of match `number` of a study."""

    number = 0

    def _new_state(self) -> Any:
        s = super()._new_state()
        prng.derive(s.seed, prng.key_of(self.seed), self.number, prng.MATCH)
        return s


@pytest.mark.exhaustive
def test_the_actions_of_every_game() -> None:
    tables = {name: table(name, 1) for name in GAMES}
    assert {name: env.actions for name, env in tables.items() if not env.indexed} == DENSE
    assert {name: env.actions for name, env in tables.items() if env.indexed} == INDEXED


@every_house
def test_a_table_is_a_match(house: House) -> None:
    """Table i plays the matches i, i + n, ... of the seed, move by move as Match does, with its payoffs."""
    env = of_house(house, 2, seed="as a match", auto=False)
    dice = random.Random(str(house))
    options = house.options
    for i in range(env.n):
        env.reset()
        matches = [Seeded.__new__(Seeded) for _ in range(3)]
        for k, m in enumerate(matches):
            m.number = i + k * env.n
        m = matches.pop(0)
        Match.__init__(m, house.game, house.seats, house.preset, "as a match", auto=False, pause=True, **options)
        for _ in range(400):
            real = m.game.real_time(m.options) is not None
            state = env.states[i]
            assert words(env.states)[i, env._tables.plan.first :].tobytes() == bytes(
                m.snapshot().tobytes()[int(env._tables.plan.first) * 8 :]
            )
            seat = int(env.obs.seat[i])
            assert seat == m.actors[0]
            legal = env.legal(i)
            assert list(legal.values()) == m.legal(seat)
            assert np.flatnonzero(env.obs.mask[i]).tolist() == sorted(legal)
            action = dice.choice(list(legal))
            every = env.sample()
            every[i] = action
            if real:
                contract.play(m._s, seat, m.game.presentation.parse_move(state, legal[action]))
                m._changed()
            else:
                m.play(legal[action], seat)
            _, reward, done = env.step(every)
            over = not m._to_act
            assert done[i] == over
            if over:
                out = np.zeros(contract.MAX_SEATS)
                contract.payoff(m._s, out)
                assert env.last.deals[i] == 1
                assert reward[i].tolist() == out[: env.seats].astype(np.float32).tolist()
                assert env.last.scores[i].tolist() == list(m._standing()[1])
                assert bool(env.last.over[i]) == bool(m._standing()[0])
                if env.last.over[i]:
                    if not matches:
                        break
                    m = matches.pop(0)
                    args = house.game, house.seats, house.preset, "as a match"
                    Match.__init__(m, *args, auto=False, pause=True, **options)
                else:
                    m._deal(None)
            else:
                assert not reward[i].any()


@every_house
@pytest.mark.parametrize("policy", ["random", "lowest", "highest"])
def test_actions_are_the_legal_moves(house: House, policy: str) -> None:
    """Different moves have different numbers, all below the number of actions, and the number of a move leads back to
    it.
    """
    env = of_house(house, 3, seed="codes")
    env.reset()
    for _ in range(60):
        for i in range(env.n):
            s, seat = env.states[i], int(env.obs.seat[i])
            moves = legal_of(env.game, s, seat)
            numbers = list(range(len(moves)))
            if not env.indexed:
                numbers = [int(contract.action_of(s, move)) for move in moves]
                assert [contract.move_of(s, number) for number in numbers] == moves
                assert len(set(numbers)) == len(moves)
            assert min(numbers) >= 0
            assert max(numbers) < env.actions
            assert np.flatnonzero(env.obs.mask[i]).tolist() == sorted(numbers)
            assert env.obs.count[i] == len(moves)
            assert len(moves) > 1, "a move without a choice is made at once"
        last = env.actions - 1 - env.obs.mask[:, ::-1].argmax(axis=1)
        env.step({"random": env.sample(), "lowest": env.obs.mask.argmax(axis=1), "highest": last}[policy])


@pytest.mark.exhaustive
@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_the_highest_bid_has_a_number(seats: int) -> None:
    """Where all others bid nothing, the dealer has to bid one more than there are tricks: a move without a choice."""
    env = VectorTable("oh-hell", 1, seats=seats, seed="zero", auto=False)
    env.reset()
    for _ in range(seats - 1):
        env.step(env.obs.mask.argmax(axis=1))
    s = env.states[0]
    assert list(env.legal(0).values()) == [f"bid {s.each + 1}"]
    (action,) = env.legal(0)
    assert env.obs.mask[0].tolist() == [int(k == action) for k in range(env.actions)]


@every_house
def test_worlds_that_agree_look_the_same(house: House) -> None:
    """A world that agrees with what the seat that is to act has seen gives the same bytes of what it sees, the same
    features and the same mask.
    """
    env = of_house(house, 3, seed="worlds")
    env.reset()
    tables = env._tables
    work = worlds.Work.new()
    different = 0
    for number in range(12):
        seen, features, mask = env.obs.seen.copy(), env.features(), env.obs.mask.copy()
        states = tables.states.copy()
        for i in range(env.n):
            seat = int(env.obs.seat[i])
            assert seen[i].tobytes() == redacted(states[i], seat).tobytes()
            world = redacted(states[i], seat)
            world.rng[:] = np.array([number + 1, i + 2, 3, 4], np.uint64)
            contract.resample(world, seat, work)
            moves = legal_of(env.game, world, seat)
            mine = np.zeros(env.actions, np.int8)
            mine[[k if env.indexed else contract.action_of(world, move) for k, move in enumerate(moves)]] = 1
            assert (mine == mask[i]).all()
            different += world.tobytes() != states[i].tobytes()
            tables.states[i] = world
            assert (env.features_of(world, seat) == features[i]).all()
        env.obs._fresh = False
        assert env.obs.seen.tobytes() == seen.tobytes()
        assert (env.features() == features).all()
        tables.states[:] = states
        for _ in range(4):
            env.step(env.sample())
    assert different


@pytest.mark.parametrize("name", cases(GAMES, {"fan-tan", "scopa"}))
def test_features_lie_where_they_are_named(name: str) -> None:
    env = table(name, 2)
    env.reset()
    where = list(env.feature_names.values())
    assert where[0].start == 0
    assert all(a.stop == b.start for a, b in zip(where, where[1:], strict=False))
    assert where[-1].stop == env.features().shape[1]
    assert catalog.find(name).features, "the game says what its features are"


def test_features_begin_with_the_seat_itself() -> None:
    env = VectorTable("fan-tan", 8, seats=4, seed="rows")
    env.reset()
    for _ in range(30):
        env.step(env.sample())
    rows, where = env.features(), env.feature_names
    for i in range(env.n):
        s, seat = env.states[i], int(env.obs.seat[i])
        assert rows[i, where["hands"]].tolist() == [int(s.hands[seat]) >> card & 1 for card in range(52)]
        assert rows[i, where["counts"]].tolist() == [int(s.counts[(seat + k) % 4]) for k in range(4)]
        assert rows[i, where["dealer"]].tolist() == [int((seat + k) % 4 == s.dealer) for k in range(4)]


def played(env: VectorTable, steps: int = 120) -> list[bytes]:
    env.reset()
    parts = []
    for _ in range(steps):
        obs, reward, done = env.step(env.sample())
        parts += [obs.seat.tobytes(), obs.mask.tobytes(), reward.tobytes(), done.tobytes()]
    return [*parts, env.obs.seen.tobytes(), env.features().tobytes(), env.states.tobytes(), str(env.played).encode()]


@pytest.mark.parametrize("name", cases(["fan-tan", "i-doubt-it", "pirate"]))
def test_threads_change_no_figure(name: str) -> None:
    """Threads share out the tables alike in all games: one by turns, one with hidden choices, one of two at once."""
    one, two, many = (table(name, 7, seed=3, threads=threads) for threads in (1, 2, 5))
    assert played(one) == played(two) == played(many)
    two.close()
    many.close()


@pytest.mark.parametrize("opponents", ["random", ("medium", "random", "flat:3"), "search:8"])
def test_bots_play_the_other_seats(opponents: Any) -> None:
    env = VectorTable("fan-tan", 5, seats=4, seed=3, opponents=opponents, seat=2)
    again = VectorTable("fan-tan", 5, seats=4, seed=3, opponents=opponents, seat=2, threads=3)
    steps = 40
    assert played(env, steps) == played(again, steps)
    assert (env.obs.seat == 2).all()
    again.close()
    each = VectorTable("fan-tan", 4, seats=4, seed=3, opponents="random", seat=[0, 1, 2, 3])
    for _ in range(20):
        assert (each.reset().seat == [0, 1, 2, 3]).all()


def test_medium_players_play_as_in_a_study() -> None:
    """The payoffs of a learner that plays the heuristic among such players are those of a study."""
    from cardtable.lab.simulate import simulate

    env = VectorTable("fan-tan", 3, seats=3, seed="study", opponents="medium")
    env.reset()
    total, deals = np.zeros(3), 0
    moves = np.empty(env.game.rules.MAX_MOVES + 1, np.int64)
    finished = np.zeros(3, np.bool_)
    while not finished.all():
        actions = np.zeros(3, np.int64)
        for i in range(3):
            s = env.states[i]
            k = contract.legal(s, 0, moves)
            actions[i] = contract.action_of(s, int(contract.heuristic(s, 0, moves, k)))
        _, reward, done = env.step(actions)
        live = done & ~finished
        total += reward[live].sum(axis=0)
        deals += int(env.last.deals[live].sum())
        finished |= env.last.over.astype(np.bool_)
    study = simulate("fan-tan", deals, seats=3, bots=["medium"], seed="study")
    assert study.matches == 3
    assert [mean.mean * deals for mean in study.payoff] == pytest.approx(total.tolist())


def test_every_table_has_its_own_house_rules() -> None:
    given: list[dict[str, Any]] = [{"ante": 1}, {"ante": 3}, {"rules": "british"}]
    env = VectorTable("fan-tan", 6, seats=4, seed=1, tables=given)
    env.reset()
    assert [int(s.rules.ante) for s in env.states] == [1, 3, int(env.options[2].as_dict()["ante"])] * 2
    alone = VectorTable("fan-tan", 6, seats=4, seed=1, ante=3)
    alone.reset()
    assert env.states[1].tobytes() == alone.states[1].tobytes()
    with pytest.raises(OptionError, match="seats"):
        VectorTable("fan-tan", 2, seats=13, tables=[{}, {}])


@pytest.mark.exhaustive
def test_an_episode_can_be_a_match() -> None:
    """It then ends when the match does, and the winners share 1."""
    env = VectorTable("oh-hell", 4, seats=3, seed=5, reward="match", opponents="medium")
    env.reset()
    ended = deals = 0
    while ended < 8:
        _, reward, done = env.step(env.sample())
        assert (done == (env.last.over == 1)).all()
        assert not reward[~done].any()
        for i in np.flatnonzero(done):
            best = env.last.scores[i].max()
            winners = env.last.scores[i] == best
            assert reward[i].tolist() == pytest.approx((winners / winners.sum()).tolist())
        ended += int(done.sum())
        deals += int(env.last.deals.sum())
    assert deals > 8 * 15


@pytest.mark.exhaustive
def test_the_lowest_score_may_win() -> None:
    env = VectorTable("busca", 2, seats=4, seed=5, reward="match", opponents="medium")
    env.reset()
    while not (done := env.step(env.sample())[2]).any():
        pass
    i = int(np.flatnonzero(done)[0])
    scores = env.last.scores[i]
    assert scores[env._tables.reward[i] > 0].max() <= scores.min()


def test_what_is_not_allowed_changes_nothing() -> None:
    env = VectorTable("fan-tan", 3, seats=4, seed=1)
    with pytest.raises(CardtableError, match="no deal has begun"):
        env.step(np.zeros(3, np.int64))
    env.reset()
    before = env.states.tobytes(), env.obs.mask.tobytes(), env.played
    good = env.sample()
    for wrong in (-1, 55, 54, 10**12):
        actions = good.copy()
        actions[1] = wrong
        with pytest.raises(CardtableError, match=f"action {wrong} at table 1") as caught:
            env.step(actions)
        assert caught.value.code == "move/illegal"
    for shape in (good[:2], good.astype(float), good[:, None]):
        with pytest.raises(OptionError, match="there are 3 tables"):
            env.step(shape)
    with pytest.raises(OptionError, match="rows of"):
        env.features(np.empty((3, 1), np.uint8))
    assert (env.states.tobytes(), env.obs.mask.tobytes(), env.played) == before


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"n": 0}, "there must be one"),
        ({"reward": "chips"}, "There are deal, match"),
        ({"opponents": ("medium", "random")}, "there are 3 other seats"),
        ({"opponents": "clever"}, "no such level"),
        ({"seat": 4}, "the seats are 0 to 3"),
        ({"seat": [0, 1]}, "the seats are 0 to 3"),
        ({"seat": 1.5}, "the seats are 0 to 3"),
        ({"seat": "me"}, "the seats are 0 to 3"),
        ({"rules": "nobody's"}, "no such preset"),
        ({"nothing": 3}, "nothing"),
    ],
)
def test_what_cannot_be_set_up_is_explained(given: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        VectorTable("fan-tan", **{"seats": 4, **given})


def test_features_of_moves_that_are_sets() -> None:
    env = VectorTable("scopa", 3, seats=2, seed=1)
    env.reset()
    rows = env.move_features()
    assert len(rows) == env.obs.count.sum()
    moves = np.empty(env.game.rules.MAX_MOVES + 1, np.int64)
    k = contract.legal(env.states[0], int(env.obs.seat[0]), moves)
    assert (rows[:k] @ (1 << np.arange(63))).tolist() == moves[:k].tolist()
    with pytest.raises(OptionError, match="always means the same"):
        VectorTable("fan-tan", 1).move_features()


@pytest.mark.exhaustive
def test_a_choice_by_chance_is_even() -> None:
    """Seed 1; others would fail with the chance `oracle.CHANCE`."""
    env = VectorTable("pirate", 1, seed=1, auto=False)
    env.reset()
    allowed = np.flatnonzero(env.obs.mask[0])
    counts = np.bincount([int(env.sample()[0]) for _ in range(4000)], minlength=4)
    assert counts.sum() == counts[allowed].sum()
    even = 1 / len(allowed)
    assert (abs(counts[allowed] / 4000 - even) < far(2 * len(allowed)) * (even * (1 - even) / 4000) ** 0.5).all()
