"""What is hidden in I Doubt It: what a seat keeps in mind, and worlds drawn from it, against an oracle that tries
everything.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pytest

from cardtable import Match, PositionError
from cardtable.base.cards import card_text, cards_in
from cardtable.games.i_doubt_it import knowledge
from cardtable.games.i_doubt_it import possible as possible_worlds
from cardtable.games.i_doubt_it.mind_presentation import narrow, text_of
from cardtable.games.i_doubt_it.rules import TAKES_PILE
from cardtable.games.i_doubt_it.state import ACCEPT, DONE, DOUBT, NAME, PACKS, SEATS, add_into
from cardtable.kernel import prng
from cardtable.rules import contract
from tests.games.i_doubt_it.doubt_tables import by_hand, shared_out
from tests.support.effort import cases
from tests.support.games import oracle
from tests.support.games.lockstep import SLOW
from tests.support.games.trick_tables import known, redacted, zone

SAMPLES = 300 if SLOW else 2000
EFFORT = 3000  #: ways that the oracle tries for a story
Act = tuple[int, tuple[int, ...]]  #: seat, and the moves by which it lays a set or answers


def cards_of(row: Any) -> list[int]:
    """The cards of a set of two masks."""
    return sorted(card for k in range(PACKS) for card in cards_in(row[k]))


def mind(m: Match, viewer: int) -> str:
    """What a viewer (-1: a spectator) keeps in mind, as a position says it."""
    return " ".join(
        f"{card_text(card)}:{'+'.join(str(p) for p in range(m.seats) if where >> p & 1)}"
        for card, where in narrow(m._s, viewer)
    )


# The oracle


@dataclass
class Story:
    """A beginning, what was laid and answered since, and what a viewer saw after each act."""

    begin: Any
    acts: list[Act]
    views: list[bytes]
    end: Any
    blind: bool  #: a pile was taken of which the viewer did not see all


def do(s: Any, act: Act) -> None:
    for move in act[1]:
        contract.play(s, act[0], move)


def next_act(s: Any, dice: random.Random) -> Act:
    """A set at random, or an answer: doubts are rare, so that the pile grows."""
    seat = dice.choice([p for p in range(int(s.seats)) if int(contract.actors(s)) >> p & 1])
    if s.window:
        return seat, (DOUBT if dice.random() < 0.2 else ACCEPT,)
    held = cards_of(s.hands[seat])
    size = dice.choice([1, 1, 2, 2, 3])
    return seat, (*sorted(dice.sample(held, min(size, len(held), int(s.rules.max_set)))), DONE)


def tell(begin: Any, length: int, viewer: int, dice: random.Random) -> Story:
    s = begin.copy()
    story = Story(begin, [], [oracle.seen(s, viewer)], s, False)
    while contract.actors(s) and len(story.acts) < length:
        act = next_act(s, dice)
        before = [int(s.set_by[i]) for i in range(s.sets)]
        do(s, act)
        taker = next(
            (int(s.events[i, 0]) >> 8 & 0xFF for i in range(s.event_count) if int(s.events[i, 0]) & 0xFF == TAKES_PILE),
            None,
        )
        if taker is not None and taker != viewer and any(by != viewer for by in before[:-1]):
            story.blind = True
        story.acts.append(act)
        story.views.append(oracle.seen(s, viewer))
    return story


def beginnings(story: Story, viewer: int) -> Iterator[Any]:
    """Every deal of the unseen cards to the other hands; equal cards of two packs count as two."""
    s = story.begin
    others = [p for p in range(int(s.seats)) if p != viewer]
    unseen = [card for p in others for card in cards_of(s.hands[p])]

    for hands in shared_out(frozenset(range(len(unseen))), {p: int(s.counts[p]) for p in others}):
        t = s.copy()
        for p, places in hands.items():
            t.hands[p] = 0
            for i in places:
                add_into(t.hands[p], 1 << unseen[i], 0)
        for p in others:
            knowledge.know_own(t, p)
        yield t


def possible(story: Story, viewer: int) -> Counter[Hashable]:
    """Every world that agrees with what the viewer saw, with the number of deals and hidden choices that lead to it."""
    worlds: Counter[Hashable] = Counter()

    def go_on(s: Any, k: int) -> None:
        if oracle.seen(s, viewer) != story.views[k]:
            return
        if k == len(story.acts):
            worlds[hidden(s)] += 1
            return
        seat, moves = story.acts[k]
        if seat == viewer or len(moves) == 1:
            t = s.copy()
            do(t, (seat, moves))
            go_on(t, k + 1)
            return
        for chosen in itertools.combinations(cards_of(s.hands[seat]), len(moves) - 1):
            t = s.copy()
            do(t, (seat, (*chosen, DONE)))
            go_on(t, k + 1)

    for begin in beginnings(story, viewer):
        go_on(begin, 0)
    return worlds


def effort(story: Story, viewer: int) -> int:
    """How many ways `possible` would have to try if the viewer had seen no card but their own."""
    s = story.begin.copy()
    others = [p for p in range(int(s.seats)) if p != viewer]
    ways, unseen = 1, sum(int(s.counts[p]) for p in others)
    for p in others:
        ways *= math.comb(unseen, int(s.counts[p]))
        unseen -= int(s.counts[p])
    for seat, moves in story.acts:
        if seat != viewer and len(moves) > 1:
            ways *= math.comb(int(s.counts[seat]), len(moves) - 1)
        do(s, (seat, moves))
    return ways


def hidden(s: Any) -> Hashable:
    """What a world decides: the hands and the sets of the pile."""
    return tuple(map(tuple, s.hands.tolist())), tuple(map(tuple, s.set_cards[: int(s.sets)].tolist()))


def drawn(story: Story, viewer: int, samples: int) -> Counter[Hashable]:
    """What `resample` draws; each draw looks the same to the viewer."""
    view = np.frombuffer(story.views[-1], story.begin.dtype).copy().view(np.recarray)[0]
    worlds: Counter[Hashable] = Counter()
    for world in oracle.worlds_for(view, viewer, samples, prng.key_of("samples")):
        worlds[hidden(world)] += 1
    world.events[:] = story.end.events
    assert oracle.seen(world, viewer) == story.views[-1]
    return worlds


def small(dice: random.Random, packs: int, mode: str) -> Any:
    """The beginning of a deal of a few cards between three."""
    pack = dice.choice(([*range(6), *range(13, 16)], [*range(4), 13, 14])) if packs == 1 else [0, 0, 1, 1, 2, 2, 3]
    dice.shuffle(pack)
    each = len(pack) // 3
    hands = [" ".join(map(card_text, pack[p * each : (p + 1) * each])) for p in range(2)] + [
        " ".join(map(card_text, pack[2 * each :]))
    ]
    return by_hand(hands, options={"doubt_mode": mode, "decks": packs})._s


@pytest.mark.parametrize(
    ("packs", "mode"), cases([(1, "simultaneous"), (1, "sequential"), (2, "simultaneous"), (2, "sequential")])
)
def test_worlds_are_drawn_as_often_as_the_oracle_finds_them(packs: int, mode: str) -> None:
    """Consistent, complete, and uniform over deals and hidden choices, where the viewer saw every pile that was
    taken. Seeded by the packs and the mode; other streams would fail with the chance `oracle.CHANCE`.
    """
    dice = random.Random(f"{packs} {mode}")
    deviates: list[float] = []
    taken = 0
    while len(deviates) < 4 or (packs == 1 and not taken):
        viewer = dice.randrange(-1, 3)
        story = tell(small(dice, packs, mode), dice.randint(1, 9), viewer, dice)
        takes = bool(story.end.t and not story.end.sets)
        if story.end.over or story.blind or (packs == 2 and any(DOUBT in moves for _, moves in story.acts)):
            continue
        if effort(story, viewer) > EFFORT:
            continue
        worlds = possible(story, viewer)
        assert hidden(story.end) in worlds
        if not 2 <= len(worlds) <= SAMPLES // 3:
            continue
        samples = drawn(story, viewer, SAMPLES)
        assert set(samples) <= set(worlds), (story.acts, viewer)
        deviates.append(oracle.chi_square(samples, {key: float(n) for key, n in worlds.items()}))
        taken += takes
    oracle.check_deviates(deviates)


@pytest.mark.rules("DB-Q10")
@pytest.mark.parametrize("packs", cases([1, 2]))
def test_nobody_rules_out_what_may_be_and_every_possible_world_is_drawn(packs: int) -> None:
    """After piles that the viewer did not see: each card may be where the oracle finds it, and worlds of the oracle are
    among those drawn.
    """
    dice = random.Random(packs)
    judged = 0
    while judged < (6 if SLOW else 10):
        viewer = dice.randrange(3)
        story = tell(small(dice, packs, "sequential"), dice.randint(6, 14), viewer, dice)
        if story.end.over or not story.blind:
            continue
        judged += 1
        worlds = possible(story, viewer)
        assert hidden(story.end) in worlds
        s = story.end
        for world in worlds:
            hands, sets = cast("tuple[Any, Any]", world)
            for card in range(52):
                holders = []
                for p in range(3):
                    row = np.array(hands[p], np.int64)
                    for i in range(int(s.sets)):
                        if s.set_by[i] == p:
                            add_into(row, *sets[i])
                    holders += [p] * cards_of(row).count(card)
                masks = [sum((int(s.may[viewer, p, k]) >> card & 1) << p for p in range(3)) for k in range(PACKS)]
                masks = [mask for mask in masks if mask]
                assert any(
                    all(mask >> p & 1 for mask, p in zip(masks, order, strict=True))
                    for order in itertools.permutations(holders)
                ), card
        samples = drawn(story, viewer, SAMPLES)
        assert samples.keys() & worlds.keys()
        if len(worlds) <= 3:
            assert set(worlds) <= set(samples)


def test_pulls_are_near_the_room_that_is_left() -> None:
    """After giving out in parts two cards of which seat 0 or 1 has each, and three of which seat 1 or 2 has each."""
    hands = np.array([0b001, 0b011, 0b011, 0b110, 0b110, 0b110], np.int64)
    room = np.array([4, 3, 2, *[0] * (SEATS - 3)], np.int64)
    pull = np.zeros(SEATS)
    possible_worlds.find_pulls(3, 1, 6, hands, room, pull)
    first, last = 2 * pull[0] / (pull[0] + pull[1]), 3 * pull[2] / (pull[1] + pull[2])
    assert np.abs(pull[:3] - (4 - first, 3 - (2 - first) - (3 - last), 2 - last)).max() < 0.05
    assert not pull[3:].any()


@pytest.mark.parametrize("seats", [3, 12])
def test_a_world_has_every_card_once(seats: int) -> None:
    """Also for a spectator: each hand and each set has its cards, and together they are the pack."""
    m = Match("i-doubt-it", seats, seed=seats, auto=False)
    for _ in range(3):
        for card in cards_of(m._s.hands[m.actors[0]])[1:4:2]:
            m.play(card_text(card))
        m.play("done")
        while m.legal()[0] == "accept":
            m.play("accept")
    for viewer in range(-1, seats):
        (world,) = some_worlds(m, viewer, 1)
        hands = [cards_of(world.hands[p]) for p in range(seats)]
        sets = [cards_of(world.set_cards[i]) for i in range(3)]
        assert [len(cards) for cards in (*hands, *sets)] == [*m._s.counts[:seats], 2, 2, 2]
        assert sorted(itertools.chain(*hands, *sets)) == sorted([*range(52)] * m._s.rules.decks)


# What is kept in mind


@pytest.mark.rules("DB-Q10")
def test_a_set_turned_up_is_known_to_be_with_the_taker() -> None:
    m = by_hand(["AS 4H 9D", "5H 6C 7D", "8S 9S TS"])
    m.play("AS 4H done")
    m.play("doubt", 1)
    assert [mind(m, v) for v in (0, 1, 2, -1)] == ["", "AS:0 4H:0", "AS:0 4H:0", "AS:0 4H:0"]
    assert zone(m, "hand-0", 2).notes == {"holds": "AS 4H"}
    m.play("5H done")
    m.play("accept", 2)
    m.play("accept", 0)
    assert zone(m, "hand-0", 2).notes == {"holds": "AS 4H"}
    for seat in (2, 0):
        m.play(f"{m.legal()[0]} done", seat)
        if seat == 2:
            m.play("accept", 0)
            m.play("accept", 1)
    assert zone(m, "hand-0", 2).notes == {"may still hold": "AS 4H"}  # the seat has laid one of its three cards
    worlds = {text_of(w.set_cards[2]) for w in some_worlds(m, 2, 60)}
    assert {"AS", "4H"} < worlds <= {"AS", "4H", "5H", "6C", "7D", "9D"}


def some_worlds(m: Match, viewer: int, number: int) -> list[Any]:
    return list(oracle.worlds_for(redacted(m._s, viewer), viewer, number, prng.key_of("some")))


def accepted_then_doubted(m: Match, first: str, second: str) -> None:
    """Seat 1 of four lays a set that all accept, and seat 2 one that seat 3 doubts."""
    m.play(f"{first} done")
    for seat in (2, 3, 0):
        m.play("accept", seat)
    m.play(f"{second} done")
    m.play("doubt", 3)


@pytest.mark.rules("DB-Q10")
def test_a_pile_taken_unseen_may_hold_what_the_layer_held() -> None:
    """Seat 0 knows 7D with seat 1, who lays a card; seat 2 takes it: 7D is with the one or with the other."""
    m = by_hand(["AS 4H", "7D 8D TD", "2C 3C 9S", "JC QC"], 1, mind=["7D:1", "", "", "", ""])
    accepted_then_doubted(m, "8D", "9S")
    assert [event.kind for event in m.events if event.kind in ("liar", "honest")] == ["liar"]
    assert mind(m, 0) == "9S:2 7D:1+2"
    assert mind(m, 1) == "9S:2 8D:2"  # the one turned up, and the seat's own card
    assert mind(m, 2) == ""  # the seat has both
    assert mind(m, -1) == "9S:2"
    assert zone(m, "hand-2", 0).notes == {"holds": "9S", "may hold": "7D"}
    worlds = some_worlds(m, 0, 200)
    assert {p for p in range(4) for w in worlds if "7D" in text_of(w.hands[p])} == {1, 2}
    assert all("9S" in text_of(w.hands[2]) for w in worlds)


@pytest.mark.rules("DB-Q10")
def test_the_taker_knows_what_is_not_in_the_pile() -> None:
    m = by_hand(["AS 4H", "7D 8D TD", "2C 3C 9S"], 1, mind=["7D:1", "", "", ""])
    m.play("8D done")
    m.play("accept", 2)
    m.play("doubt", 0)
    assert mind(m, 0) == "7D:1 8D:1"
    m = by_hand(["AS 4H", "2D 8D TD", "2C 3C 9S"], 1, mind=["8D:1", "", "", ""])
    m.play("2D done")
    m.play("accept", 2)
    m.play("doubt", 0)  # true: the seat takes it
    assert mind(m, 0) == "8D:1"
    assert mind(m, 2) == "2D:0"


@pytest.mark.rules("DB-Q10")
def test_of_two_equal_cards_either_may_have_been_laid() -> None:
    """Seat 0 knows one 7H with seat 1; seat 1 shows a 7H: the other one may be anywhere, still with seat 1 too."""
    keys: dict[str, Any] = {"options": {"decks": 2}, "mind": ["7H:1", "", "", ""]}
    m = by_hand(["AS 4H", "7H 7H TD", "2C 3C 9S"], 1, **keys)
    m.play("7H done")
    m.play("doubt", 2)
    assert mind(m, 0) == "7H:1"  # the one turned up; the other may be with 1 or 2
    keys["mind"] = ["7H:1 7H:2", "", "", "", ""]
    m = by_hand(["AS 4H", "7H 8D TD", "2C 7H 9S", "JC QC"], 1, **keys)
    accepted_then_doubted(m, "7H", "9S")
    assert mind(m, 0) == "9S:2 7H:2 7H:1+2"
    assert zone(m, "hand-2", 0).notes == {"holds": "9S 7H", "may hold": "7H"}
    keys["mind"] = ["7H:1+2 7H:1+3", "", "", "", "", ""]
    m = by_hand(["AS 4H", "7H 8D TD", "2C 7H 9S", "JC QC", "KC KD"], 1, **keys)
    m.play("7H done")
    m.play("doubt", 2)
    assert mind(m, 0) == "7H:1 7H:1+2+3"  # if this was the one that seat 3 might hold, seat 2 may hold the other


def test_the_layer_remembers_his_sets() -> None:
    m = by_hand(["AS 4H 9D", "5H 6C 7D", "8S 9S TS"])
    m.play("4H 9D done")
    assert zone(m, "pile", 0).notes["yours"] == {"1": "4H 9D"}
    assert "yours" not in zone(m, "pile", 1).notes
    assert all(text_of(w.set_cards[0]) == "4H 9D" for w in some_worlds(m, 0, 20))
    assert len({text_of(w.set_cards[0]) for w in some_worlds(m, 1, 60)}) > 3


def test_a_set_that_is_being_made_is_private() -> None:
    m = by_hand(["AS 4H 9D", "5H 6C 7D", "8S 9S TS"])
    before = {p: known(redacted(m._s, p)) for p in (1, 2, -1)}
    m.play("4H")
    assert {p: known(redacted(m._s, p)) for p in (1, 2, -1)} == before
    assert zone(m, "hand-0", 0).notes == {"chosen": "4H"}
    assert [contract.observed(m._s, 0, move, 1) for move in (35, DONE)] == [-1, DONE]
    assert contract.observed(m._s, 0, 35, 0) == 35


@pytest.mark.parametrize(("mode", "heard"), [("simultaneous", -1), ("sequential", DOUBT)])
def test_ranks_named_are_heard_and_answers_unless_all_answer_at_once(mode: str, heard: int) -> None:
    m = Match("i-doubt-it", 3, seed=1, dealer=2, start_rank="any", doubt_mode=mode)
    for rank in range(13):
        assert [contract.observed(m._s, 0, NAME + rank, viewer) for viewer in (0, 1, -1)] == [NAME + rank] * 3
    m = by_hand(["AS 4H 9D", "5H 6C 7D", "8S 9S TS"], options={"doubt_mode": mode})
    m.play("4H done")
    assert [contract.observed(m._s, 1, DOUBT, viewer) for viewer in (2, 1)] == [heard, DOUBT]


def test_in_a_world_of_a_long_deal_everybody_knows_their_own_cards() -> None:
    dice = random.Random(5)
    for seats, mode in ((3, "sequential"), (6, "simultaneous")):
        m = Match("i-doubt-it", seats, seed=seats, doubt_mode=mode)
        for k in range(160):
            if m.over:
                break
            seat = dice.choice(m.actors)
            m.play(
                "accept" if m.legal(seat)[0] == "accept" and dice.random() < 0.8 else dice.choice(m.legal(seat)), seat
            )
            for a in range(-1, seats) if k % 20 == 0 else ():
                (world,) = some_worlds(m, a, 1)
                assert redacted(world, a).tobytes() == redacted(m._s, a).tobytes()
                for p in range(seats):
                    row = np.zeros(PACKS, np.int64)
                    knowledge.held_before(world, p, row)
                    low, high = (int(x) for x in world.may[p, p])  # of a kind held once either card may be meant
                    assert (low | high, low & high) == (int(row[0]), int(row[1]))


# Positions


AT_ONCE = {"doubt_mode": "simultaneous"}


@pytest.mark.parametrize(
    ("keys", "match"),
    [
        ({"turn": 1}, "it is the turn of seat 0"),
        ({"pile": ["8C"]}, "0 sets have been laid"),
        ({"window": "open"}, "only while it lies there"),
        ({"window": "half"}, "may be doubted now, or not"),
        ({"laid": 3, "pile": ["", "8C"]}, "a set has 1 to 4"),
        ({"laid": 3, "pile": ["AS"]}, "it lies in hand 0 already"),
        ({"hands": ["AS", "", "5C"]}, "seat 1 has no cards"),
        ({"hands": ["AS", "5C"], "seats": 3}, "there are 3 seats"),
        ({"draft": "KC"}, "makes a set"),
        ({"laid": 1, "pile": ["8C"], "turn": 0}, "it is the turn of seat 1"),
        ({"laid": 0, "pile": ["8C"], "window": "open", "asked": 0}, "their own set"),
        ({"mind": ["AS:1", "", "", ""]}, "there are 0 that the seat does not see"),
        ({"mind": ["", "AS:2", "", ""]}, "it lies elsewhere"),
        ({"mind": ["", "AS:1", "", ""]}, "it names other seats"),
        ({"mind": ["7Q:1", "", "", ""]}, "rank then suit"),
        ({"mind": [""]}, "a list of 4 texts"),
        ({"scores": [-1, 0, 0]}, "none below 0"),
        ({"unlisted": "stock"}, "out of this deal"),
        ({"options": {"start_rank": "any"}, "laid": 3}, "the rank with which the deal began"),
        (
            {"options": AT_ONCE, "pile": ["8C"], "window": "open", "answers": ["", "doubt", "accept"]},
            "still to answer",
        ),
    ],
)
def test_impossible_positions_are_refused(keys: dict[str, Any], match: str) -> None:
    with pytest.raises(PositionError, match=match):
        by_hand(**{"hands": ["AS 2S", "4H 9H", "5C 6C"], **keys})
