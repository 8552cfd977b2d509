"""The softened heuristic (the bot `soft`): it errs as people do, by chance that follows from its seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardtable.bots import bot
from cardtable.games.crazy_eights.state import DRAW, NAME, NAMED_8, PASS
from cardtable.games.i_doubt_it.state import ACCEPT, DOUBT
from cardtable.games.spider.state import DEAL
from cardtable.games.thirty_one.state import KNOCK, STOCK, UPCARD
from cardtable.kernel import bits, prng
from cardtable.lab.league import duel
from cardtable.lab.records.recorded import Recorder
from cardtable.lab.simulate import simulate
from cardtable.match.match import Record
from cardtable.rules import catalog, contract
from cardtable.rules.ruleset import Ruleset
from cardtable.search import playouts, softened
from cardtable.testing.houses import deal
from tests.support.effort import cases

GAMES = sorted(catalog.games())


def choices(name: str, many: int) -> list[tuple[Any, int, list[int]]]:
    """States of deals played by the heuristic in which a seat has a choice, with the seat and its moves."""
    states: list[tuple[Any, int, list[int]]] = []
    for number in range(20):
        game, s = deal(name, seed=f"soft {number}")
        moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
        played = 0
        while (mask := int(contract.actors(s))) and played < 200:
            seat = bits.lowest(mask)
            n = int(contract.legal(s, seat, moves))
            if n > 1:
                states.append((s.copy(), seat, [int(move) for move in moves[:n]]))
            contract.play(s, seat, int(contract.heuristic(s, seat, moves, n)) if n > 1 else int(moves[0]))
            played += 1
        if len(states) >= many:
            break
    return states


def second(s: Any, seat: int, moves: list[int], percent: int = 100) -> int:
    return softened.choice(s, seat, np.array(moves, np.int64), len(moves), percent, prng.key_of("soft"))


@pytest.mark.parametrize("name", cases(GAMES, ("fan-tan", "oh-hell", "spider")))
def test_a_mistake_is_legal_and_the_game_allows_it(name: str) -> None:
    """In every game some moves are mistaken for others, and nothing else is made in their place."""
    mistakes = 0
    for s, seat, moves in choices(name, 150):
        meant = int(contract.heuristic(s, seat, np.array(moves, np.int64), len(moves)))
        made = second(s, seat, moves)
        assert made in moves
        assert made == meant or contract.slip(s, seat, meant, made)
        assert second(s, seat, moves, 0) == meant
        mistakes += made != meant
    assert mistakes


@pytest.mark.parametrize("name", cases(GAMES, ("fan-tan",)))
def test_compiled_and_called_from_python_it_chooses_the_same(name: str) -> None:
    """A study plays it compiled; a table calls it."""
    players = np.full(contract.MAX_SEATS, playouts.SOFT)
    game, s = deal(name, seed="soft")
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    compiled = s.copy()
    length = playouts.played(compiled, players, moves, playouts.Totals.new(), playouts.NO_LOG)
    played = 0
    while mask := int(contract.actors(s)):
        seat = bits.lowest(mask)
        n = int(contract.legal(s, seat, moves))
        move = softened.choice(s, seat, moves, n, softened.SLIPS, s.rng) if n > 1 else int(moves[0])
        contract.play(s, seat, move)
        played += 1
    assert (played, s.tobytes()) == (length, compiled.tobytes())


def test_one_seed_gives_one_choice_and_seeds_differ() -> None:
    positions = choices("fan-tan", 60)
    game = catalog.find("fan-tan")

    def made(seed: int) -> list[int]:
        player = bot("soft", seed)
        return [player.move(game, s.copy(), seat) for s, seat, _ in positions]

    assert made(1) == made(1)
    assert made(1) != made(2)


def test_nothing_silly_is_done_in_place_of_a_sensible_move() -> None:
    """What is irrevocable or never sensible does not happen by mistake."""

    def may(name: str, meant: int, made: int) -> bool:
        return bool(contract.slip(deal(name)[1], 0, meant, made))

    table = [
        ("crazy-eights", 5, DRAW, False),
        ("crazy-eights", 5, PASS, False),
        ("crazy-eights", DRAW, 5, False),
        ("crazy-eights", 5, NAMED_8, True),
        ("crazy-eights", NAMED_8, DRAW, True),
        ("crazy-eights", NAME, NAME + 1, True),
        ("thirty-one", STOCK, KNOCK, False),
        ("thirty-one", STOCK, UPCARD, False),
        ("thirty-one", KNOCK, STOCK, True),
        ("thirty-one", 3, 4, True),
        ("i-doubt-it", ACCEPT, DOUBT, False),
        ("spider", 0, DEAL, False),
        ("spider", DEAL, 0, False),
        ("oh-hell", 52, 53, True),
        ("oh-hell", 52, 54, False),
    ]
    for name, meant, made, expected in table:
        assert may(name, meant, made) == expected, (name, meant, made)


@pytest.mark.parametrize("name", ["fan-tan", *cases(["busca", "cassino", "oh-hell", "thirty-one"], 0)])
def test_it_is_weaker_than_the_rule_of_thumb_and_stronger_than_chance(name: str) -> None:
    """Seeded ("soft"). Each difference is 13 standard errors at least, and an interval begins two below it: other seeds
    would fail with a chance far below one in a million.
    """
    assert duel(name, "medium", "soft", deals=600, seed="soft").low > 0.0
    assert duel(name, "soft", "random", deals=300, seed="soft").low > 0.0


def test_studies_with_it_can_be_told_again() -> None:
    """Its chance comes from the deal's, so the same seed gives the same study, and records replay."""
    first, again = (simulate("fan-tan", 200, bots=["soft"], seed=3) for _ in range(2))
    assert first.payoff == again.payoff
    ruleset = Ruleset.parse("fan-tan")
    recorder = Recorder(ruleset, ("soft",) * ruleset.seats, 3)
    for keys in recorder.records(3):
        assert len(Record.parse(keys).replay().deals) == len(keys["deals"])
