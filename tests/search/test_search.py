"""Tree search and flat Monte Carlo: honest, reproducible, bounded, and right where the right move is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cardtable.bots.searcher import Searcher, SearchResult, hash_of
from cardtable.kernel import Switch, bits, prng
from cardtable.rules import contract
from cardtable.rules.game import Game
from cardtable.rules.worlds import Work
from cardtable.testing.houses import deal
from tests.conftest import PLAIN
from tests.support.effort import cases
from tests.support.games import pennies

KEY = prng.key_of("test")
MANY = 150 if PLAIN else 2000  #: iterations that make a tree fuller than its room
SOME = 20 if PLAIN else 500


@pytest.fixture
def plain() -> Iterator[None]:
    """Rules run as plain Python: a game defined in a test is not to be cached with the package's games."""
    before = Switch.plain
    Switch.plain = True
    yield
    Switch.plain = before


def advance(game: Game, s: Any, choices: int) -> int:
    """Play at random until that number of choices are made and the next stands; return the seat that has it, or -1."""
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    rng = prng.key_of("advance")
    while mask := int(contract.actors(s)):
        seat = bits.lowest(mask)
        n = int(contract.legal(s, seat, moves))
        if n > 1:
            if choices == 0:
                return seat
            choices -= 1
        contract.play(s, seat, int(moves[prng.below(rng, n)]))
    return -1


def known(s: Any, seat: int) -> Any:
    """A copy, redacted."""
    view = s.copy()
    contract.redact(view, seat)
    return view


def gist(analysis: SearchResult) -> Any:
    return analysis.values, analysis.best


@pytest.mark.parametrize("in_turn", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_peeks_at_a_hidden_choice(plain: None, seat: int, in_turn: int) -> None:
    """Matching pennies, whether the coins are laid at once or one after the other face down.

    The other seat plays by its heuristic, 0, as long as nothing better is proved; so a player who can't be seen through
    does best against that. If nodes told what was laid unseen, the other would have the answer, and one's own later
    coin would be worth 1.
    """
    s = pennies.dealt(in_turn)
    if in_turn and seat == 1:
        contract.play(s, 0, 1)
    analysis = Searcher(pennies.GAME, 4096)(known(s, seat), seat, KEY, iterations=3000)
    if in_turn and seat == 1:
        assert [round(value.mean, 1) for value in analysis.values] == [0.5, 0.5]
    else:
        assert analysis.best == seat
        assert [value.mean for value in analysis.values] == [1.0 - seat, float(seat)]


CASES = [
    ("fan-tan", {}),
    ("fan-tan", {"rules": "ultimate"}),
    ("fan-tan", {"enforce": "penalise", "detect": "immediate"}),
    ("domino-fan-tan", {"enforce": "penalise"}),
    ("five-or-nine", {"seats": 8}),
]


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize(("name", "how"), cases(CASES, 3))
def test_what_is_hidden_changes_no_thought(name: str, how: dict[str, Any], flat: bool) -> None:
    """Two worlds that agree with everything a seat has seen get the same visits and values, to the last bit."""
    game, s = deal(name, **how)
    searcher, work = Searcher(game, 2000), Work.new()
    for choices in (0, 7, 15):
        seat = advance(game, s, choices)
        if seat < 0:
            break
        other = known(s, seat)
        other.rng[:] = prng.key_of("another world")
        contract.resample(other, seat, work)
        assert other.hands.tolist() != s.hands.tolist()
        views = [known(s, seat), known(other, seat)]
        open_cards = s.copy()  # even if it is handed the open state
        results = [gist(searcher(view, seat, KEY, iterations=SOME, flat=flat)) for view in (*views, open_cards)]
        assert results[0] == results[1] == results[2]


def test_the_same_position_seed_and_iterations_give_the_same_tree() -> None:
    game, s = deal()
    seat = advance(game, s, 6)
    view = known(s, seat)
    first = gist(Searcher(game)(view, seat, KEY, iterations=SOME))
    used = Searcher(game, SOME)
    used(known(deal(seed="2")[1], seat), seat, KEY, iterations=SOME)  # what it thought about before does not matter
    assert gist(used(view, seat, KEY, iterations=SOME)) == first
    assert gist(used(view, seat, prng.key_of("other"), iterations=SOME)) != first


@pytest.mark.parametrize("name", cases(["fan-tan", "domino-fan-tan", "cassino"]))
def test_a_game_says_how_much_better_a_move_must_be(name: str) -> None:
    game, s = deal(name)
    seat = advance(game, s, 2)
    searcher = Searcher(game, SOME)
    searcher(known(s, seat), seat, KEY, iterations=SOME)
    assert searcher._race.gate == game.gate == (3.0 if name == "fan-tan" else 1.5)


def test_a_tree_grown_in_portions_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:

    game, s = deal()
    seat = advance(game, s, 4)
    ticks = iter(range(100))
    monkeypatch.setattr("cardtable.bots.searcher.time.perf_counter", lambda: float(next(ticks)))
    portions = Searcher(game, 4096)(known(s, seat), seat, KEY, seconds=4.0)
    monkeypatch.undo()
    assert gist(Searcher(game, 4096)(known(s, seat), seat, KEY, iterations=portions.iterations)) == gist(portions)


def test_a_full_tree_goes_on_learning() -> None:
    game, s = deal()
    seat = advance(game, s, 4)
    searcher = Searcher(game, 20)
    analysis = searcher(known(s, seat), seat, KEY, iterations=MANY)
    assert MANY - 2 * len(analysis.values) < analysis.iterations <= MANY
    assert int(searcher._head.edges) == 21


def test_time_is_kept() -> None:
    game, s = deal()
    seat = advance(game, s, 10)  # two moves so nearly equal that the race between them does not end soon
    searcher = Searcher(game, 1000)
    searcher(known(s, seat), seat, KEY, iterations=1)
    analysis = searcher(known(s, seat), seat, KEY, seconds=0.1)
    assert 0.1 <= analysis.seconds < 1.0
    assert analysis.iterations >= (8 if PLAIN else 256)


def test_time_is_kept_by_the_searchers_clock() -> None:
    """Four looks at a clock on which every look takes a second: when it begins, twice while it thinks, at the end."""
    game, s = deal()
    seat = advance(game, s, 4)
    ticks = iter(range(1000))
    result = Searcher(game, 4096, clock=lambda: float(next(ticks)))(known(s, seat), seat, KEY, seconds=2.0)
    assert (result.seconds, next(ticks)) == (3.0, 4)


def test_a_move_that_wins_at_once_is_worth_what_it_brings() -> None:
    """Who goes out wins the pot, and a chip for each card left: no chance is in it."""
    game, s = deal(seats=3, enforce="penalise")
    s.hands[:] = s.counts[:] = 0
    s.set_rank, s.turn, s.opener = 7, 0, 0
    s.hands[0], s.hands[1], s.hands[2] = 1 << 10, 1 << 11 | 1 << 12, 1 << 25  # JS | QS KS | KH
    s.counts[0], s.counts[1], s.counts[2] = 1, 2, 1
    s.layout = s.origin = (1 << 52) - 1 & ~(int(s.hands[0]) | int(s.hands[1]) | int(s.hands[2]))
    analysis = Searcher(game)(known(s, 0), 0, KEY, iterations=SOME)
    assert [value.move for value in analysis.values] == [10, 52]
    assert analysis.values[0].mean == int(s.pot) + int(s.stacks[0]) - int(s.before[0]) + 3


def test_plain_and_compiled_search_agree() -> None:
    game, s = deal()
    seat = advance(game, s, 8)
    view = known(s, seat)
    compiled = gist(Searcher(game, 200)(view, seat, KEY, iterations=60))
    before = Switch.plain
    try:
        Switch.plain = True
        assert gist(Searcher(game, 200)(view, seat, KEY, iterations=60)) == compiled
    finally:
        Switch.plain = before


def test_keys_differ_wherever_knowledge_does() -> None:
    """Any single word changed gives another key; chance and events do not count."""
    game, s = deal()
    seat = advance(game, s, 3)
    base = known(s, seat)
    keys = {hash_of(base, seat), hash_of(base, (seat + 1) % 4)}
    words = base.dtype.itemsize // 8
    first = base.dtype.fields["seats"][1] // 8
    for k in range(words):
        row = np.array([base], base.dtype)
        row.view(np.int64)[k] ^= 1 << (k % 63)
        keys.add(hash_of(row[0], seat))
    assert len(keys) == 2 + words - first
