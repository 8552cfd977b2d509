"""No world that could not be: worlds of real positions, dealt again from the first card and played again act by act.

What `test_worlds` proves of late positions by enumeration, these prove of whole deals by many samples: a viewer of
one of these worlds has seen, at each act since the deal, just what the viewer saw.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardtable.base.cards import cards_in, set_of
from cardtable.games.fan_tan.layout import playable
from cardtable.games.fan_tan.state import DRAW
from cardtable.kernel import prng
from cardtable.rules import contract
from cardtable.testing.houses import House
from tests.conftest import PLAIN
from tests.support.effort import many
from tests.support.games import oracle

GAMES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("fan-tan", "denexa", 4, {}),
    ("fan-tan", "stops", 3, {}),
    ("fan-tan", "british", 5, {}),
    ("fan-tan", "ultimate", 4, {}),
    ("five-or-nine", "five-or-nine", 4, {}),
    ("domino-fan-tan", "domino-fan-tan", 2, {}),
    ("domino-fan-tan", "domino-fan-tan", 2, {"fine_when": "forced"}),
    ("domino-fan-tan", "domino-fan-tan", 2, {"fine_beyond_run": "no"}),
]
ENFORCED = {"strict": {}, "end": {"enforce": "penalise"}, "immediate": {"enforce": "penalise", "detect": "immediate"}}
HOUSES = [
    House(game, preset, seats, tuple({**given, **rules}.items()))
    for game, preset, seats, given in GAMES
    for rules in ENFORCED.values()
]
SAMPLES = 240 if PLAIN else many(10_000, 50_000)
POSITIONS = 2 if PLAIN else many(14, 70)  # of each house
EACH = -(-SAMPLES // (len(HOUSES) * POSITIONS))  # worlds of each position


def middle(house: House, number: int, words: Any) -> oracle.Story:
    """A deal played at random into its middle, where something is still hidden: for two, once the stock is drawn, only
    when cards came.
    """
    while True:
        begin = house.open(f"{house} {number} {prng.below(words, 1 << 30)}")
        contract.next_deal(begin, np.empty(112, np.int64))
        story = oracle.tell(begin, 8 + prng.below(words, 60), words, house.entry.rules.MAX_MOVES)
        s = story.end
        if contract.actors(s) and (s.drawn < s.stock_size or s.rules.enforce_penalise or s.seats > 2):
            return story


def drawn_by(story: oracle.Story, world: Any, viewer: int) -> list[int]:
    """The cards drawn from the stock, in order, as a world has it.

    Where the rules are strict a world leaves open which cards the other seat drew, and any that could not be laid at
    the time will do; but one that was laid at once was the card just drawn, for the seat was unable before.
    """
    drawn = int(world.drawn)
    if world.rules.enforce_penalise:
        return [int(card) for card in world.stock[:drawn]]
    s = story.begin.copy()
    draws: list[tuple[int, int, int]] = []  # act, seat, the cards that could be laid
    for k, (seat, move) in enumerate(story.acts):
        if move == DRAW:
            draws.append((k, seat, int(playable(s))))
        contract.play(s, seat, move)
    fits_now = int(playable(s))
    cards = [int(card) for card in s.stock[:drawn]]  # right for the viewer's own draws
    taken: set[int] = set()
    for i in range(drawn - 1, -1, -1):
        k, seat, fits = draws[i]
        if seat == viewer:
            continue
        later = [move for p, move in story.acts[k + 1 :] if p == seat and move < 52]
        if k + 1 == len(story.acts):
            fresh = int(world.hands[seat]) & fits_now
            choice = cards_in(fresh or int(world.hands[seat]))
        elif story.acts[k + 1][1] == DRAW:
            choice = [
                card
                for card in [*cards_in(int(world.hands[seat])), *later]
                if not fits >> card & 1 and card not in taken
            ]
            at_once = {story.acts[draws[j][0] + 1][1] for j in range(i + 1, drawn) if draws[j][0] + 1 < len(story.acts)}
            choice = [card for card in choice if card not in at_once]
        else:
            choice = [story.acts[k + 1][1]]
        cards[i] = choice[0]
        taken.add(cards[i])
    return cards


def beginning(story: oracle.Story, world: Any, viewer: int) -> Any:
    """The deal as it was before the first act, if the world is true."""
    begin = story.begin.copy()
    drawn = drawn_by(story, world, viewer)
    drawers = [seat for seat, move in story.acts if move == DRAW]
    for p in range(int(begin.seats)):
        cards = {*cards_in(int(world.hands[p])), *(move for seat, move in story.acts if seat == p and move < 52)}
        begin.hands[p] = set_of(cards - {card for card, seat in zip(drawn, drawers, strict=True) if seat == p})
        assert len(cards_in(int(begin.hands[p]))) == begin.counts[p]
    begin.stock[: len(drawn)] = drawn
    begin.stock[len(drawn) : int(begin.stock_size)] = world.stock[len(drawn) : int(begin.stock_size)]
    return begin


def agrees(story: oracle.Story, begin: Any, viewer: int, moves: Any, box: Any) -> bool:
    """`oracle.replays`, quick enough for whole deals: box is a row of two states."""
    box[0] = begin
    s, view = box[0], box[1]
    for k, view_then in enumerate(story.views[viewer]):
        box[1] = s
        contract.redact(view, viewer)
        if view.tobytes() != view_then:
            return False
        if k < len(story.acts):
            seat, move = story.acts[k]
            if not contract.actors(s) >> seat & 1 or move not in moves[: contract.legal(s, seat, moves)].tolist():
                return False
            contract.play(s, seat, move)
    return True


@pytest.mark.exhaustive
@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_world_is_a_deal_that_might_have_been(house: House) -> None:
    rules = house.entry.rules
    words = prng.key_of(f"real {house}")
    moves = np.empty(rules.MAX_MOVES + 1, np.int64)
    box = rules.State.row(2)
    other_worlds = 0
    for number in range(POSITIONS):
        story = middle(house, number, words)
        viewer = prng.below(words, house.seats)
        view = np.frombuffer(story.views[viewer][-1], story.begin.dtype).copy().view(np.recarray)[0]
        assert agrees(story, beginning(story, story.end, viewer), viewer, moves, box)
        for world in oracle.worlds_for(view, viewer, EACH, words):
            assert oracle.seen(world, viewer) == story.views[viewer][-1]
            assert agrees(story, beginning(story, world, viewer), viewer, moves, box), (number, viewer, story.acts)
            other_worlds += (
                world.hands.tolist() != story.end.hands.tolist() or world.stock.tolist() != story.end.stock.tolist()
            )
    assert PLAIN or other_worlds > POSITIONS * EACH // 2  # it is not the truth over and over


def test_the_replay_finds_a_world_that_could_not_be() -> None:
    """A card that a seat must have laid, had it held it, in its hand: seen by the replay."""
    house = House("fan-tan", "denexa", 4)
    words = prng.key_of("impossible")
    moves = np.empty(house.entry.rules.MAX_MOVES + 1, np.int64)
    box = house.entry.rules.State.row(2)
    count = 0
    for number in range(10):
        story = middle(house, number, words)
        world = story.end.copy()
        for p in range(1, 4):
            for q in range(1, 4):
                barred, lawful = int(world.lacks[p]) & int(world.hands[q]), int(world.hands[p]) & ~int(world.lacks[q])
                if barred and lawful:
                    wrong = world.copy()
                    a, b = cards_in(barred)[0], cards_in(lawful)[0]
                    wrong.hands[p] += (1 << a) - (1 << b)
                    wrong.hands[q] += (1 << b) - (1 << a)
                    assert not agrees(story, beginning(story, wrong, 0), 0, moves, box)
                    count += 1
    assert count
