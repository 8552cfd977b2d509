"""Pirate apart from its rules: what a seat may know, worlds, words, zones, positions, records, the heuristic."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import pytest

from cardtable import IllegalMove, Match, NotationError, PositionError
from cardtable.base.cards import PACK_52, card_text
from cardtable.games.pirate.state import CLAIM, DRAW_CARD, PLAY, WAIT
from cardtable.kernel import bits, prng
from cardtable.rules import catalog, contract
from cardtable.rules.worlds import Work
from cardtable.testing.houses import payoff_of, redacted
from tests.games.pirate.sea import BOTH, C, H, S, at_sea, lane, stock, tick, told, waste, zone
from tests.support.effort import cases
from tests.support.games import oracle
from tests.support.games.lockstep import SLOW
from tests.support.games.tables import advice

GAME = catalog.find("pirate")


# Secrets


@pytest.mark.rules("PI-04")
@pytest.mark.parametrize("first", [0, 1])
def test_nobody_sees_that_the_other_has_chosen(first: int) -> None:
    """View, legal moves, seats to act and every byte are the same before and after any choice of the other."""
    m = at_sea({H: "A2345" + "89TJQK"}, ("6H", "7H"))
    other = 1 - first
    before = (
        m.view(other).as_dict() | {"events": []},
        redacted(m._s, other).tobytes(),
        m.view().as_dict() | {"events": []},
    )
    for move in ("wait", "draw", "play"):
        m.play(move, first)
        assert m.actors == (other,)
        assert m.view(other).actors == m.view().actors == (0, 1)
        assert (
            m.view(other).as_dict() | {"events": []},
            redacted(m._s, other).tobytes(),
            m.view().as_dict() | {"events": []},
        ) == before
        assert m.events == ()
        assert m.view(first).actors == (other,)
        s = m._s
        code = ("wait", "draw", "play").index(move)
        assert int(redacted(s, first).chosen[first]) == code + 1
        assert [int(contract.observed(s, first, code, viewer)) for viewer in (first, other, -1)] == [code, -1, -1]
        m.undo()


@pytest.mark.rules("PI-07", "PI-14")
def test_a_stock_is_secret_until_it_has_been_turned_once() -> None:
    """To its owner too; then both know its order, for what has been shown stays known."""
    m = Match("pirate", seed=4, auto=False, stall=300)
    order = stock(m, 0)
    for turned in range(1, 120):
        tick(m, "draw", "wait")
        for viewer in (0, 1, -1):
            s = redacted(m._s, viewer)
            row = [card_text(int(card)) for card in s.cards[0, : s.held[0]]]
            if turned <= 52:
                assert row[:turned] == order[:turned]
                assert row[turned:] == ["AS"] * (52 - turned)  # zero
                assert s.unseen[0] == m._s.unseen[0]
            else:
                assert row == order
            assert not s.cards[1].any()
    assert waste(m, 0) == order[:15]


# Worlds


def late(words: Any) -> Any:
    """A position with two and three cards never turned, the others on the wastes."""
    rows = []
    for _ in range(2):
        row = np.array(PACK_52, np.int64)
        prng.shuffle(words, row, 52)
        rows.append([card_text(int(card)) for card in row])
    ends = [3, 2]
    m = at_sea(
        wastes=(" ".join(rows[0][3:]), " ".join(rows[1][2:])),
        stocks=[" ".join(row[:n]) for row, n in zip(rows, ends, strict=True)],
    )
    return m._s


def orders(s: Any) -> Iterator[Any]:
    """Every order of both stocks."""
    first, second = ([int(card) for card in s.cards[p, s.turned[p] : s.held[p]]] for p in range(2))
    for a, b in itertools.product(itertools.permutations(first), itertools.permutations(second)):
        t = s.copy()
        t.cards[0, s.turned[0] : s.held[0]], t.cards[1, s.turned[1] : s.held[1]] = a, b
        yield t


def hidden(s: Any) -> Hashable:
    """What a world decides."""
    return tuple(s.cards[0].tolist()), tuple(s.cards[1].tolist())


@pytest.mark.parametrize("viewer", [0, 1])
def test_worlds_are_those_of_the_oracle(viewer: int) -> None:
    """Consistent, complete and uniform, after some acts from a late position; a choice that is not seen is still to be
    made. Seeded by the viewer; other streams would fail with the chance `oracle.CHANCE`.
    """
    words = prng.key_of(f"pirate {viewer}")
    deviates: list[float] = []
    moves = np.zeros(8, np.int64)
    while len(deviates) < (4 if SLOW else 12):
        begin = late(words)
        story = oracle.tell(begin, prng.below(words, 7), words, GAME.rules.MAX_MOVES)
        ends = oracle.possible(story, orders(begin), viewer, moves)
        weights: Counter[Hashable] = Counter(hidden(end) for end in ends)
        assert hidden(story.end) in weights
        if len(weights) < 2:
            continue
        drawn = Counter[Hashable]()
        view = redacted(story.end, viewer)
        for world in oracle.worlds_for(view, viewer, oracle.enough(weights), words):
            drawn[hidden(world)] += 1
            assert int(world.chosen[1 - viewer]) == 0
        assert set(drawn) <= set(weights)
        world.rng[:] = world.seed[:] = 0
        assert redacted(world, viewer).tobytes() == view.tobytes()
        deviates.append(oracle.chi_square(drawn, {key: float(n) for key, n in weights.items()}))
    oracle.check_deviates(deviates)


@pytest.mark.parametrize("seed", range(4 if SLOW else 20))
def test_worlds_of_real_games_can_be_dealt_and_played(seed: int) -> None:
    """A world drawn in the middle is two packs; dealt from the first card, the same acts lead to it, all looking the
    same.
    """
    begin = Match("pirate", seed=seed, auto=False)._s
    words = prng.key_of(seed)
    story = oracle.tell(begin, 40 + 45 * (seed % 4), words, GAME.rules.MAX_MOVES)
    for viewer in (0, 1):
        world = redacted(story.end, viewer)
        world.rng[:] = words
        contract.resample(world, viewer, Work.new())
        first = begin.copy()
        for p in range(2):
            unturned = bits.count(int(world.unseen[p]))
            first.cards[p, 52 - unturned :] = world.cards[p, world.turned[p] : world.held[p]] if unturned else []
            assert sorted(first.cards[p].tolist()) == list(PACK_52)
        assert hidden(first) != hidden(begin) or not any(story.end.unseen)
        end = oracle.replays(story, first, viewer, np.zeros(8, np.int64))
        assert end is not None
        assert hidden(end) == hidden(world)


# Words


def test_moves_are_words_and_letters() -> None:
    m = at_sea({H: "A2"}, ("3H", ""))
    words = GAME.presentation
    for move, texts in {
        WAIT: ("wait", "W", " Wait "),
        DRAW_CARD: ("draw", "d", "turn"),
        PLAY: ("play", "P"),
        CLAIM: ("claim", "c"),
    }.items():
        assert {words.parse_move(m._s, text) for text in texts} == {move}
        assert words.parse_move(m._s, words.move_text(m._s, move)) == move
    for text in ("", "3H", "play 3H", "resign", "2"):
        with pytest.raises(NotationError, match="is not a move"):
            words.parse_move(m._s, text)
    m.play("D", 1)
    m.play("p", 0)
    assert lane(m, H) == "A23"


@pytest.mark.rules("PI-12", "PI-18", "PI-19", "PI-Q7", "PI-Q8", "PI-Q9")
def test_every_refusal_says_why() -> None:
    twin: dict[str, Any] = {"gone": [2, 2, 2, 1], "captured": [3, 3], "sunk": 1, "sunk_cards": 12}
    cases: list[tuple[Match, int, str, str, str]] = [
        (at_sea(), 0, "play", "PI-08", "no card lies on your waste"),
        (
            at_sea({H: "A2"}, ("4H", "")),
            0,
            "play",
            "PI-12",
            "the top of your waste is 4H, and your side of hearts takes 3H next",
        ),
        (at_sea({C: "A"}, ("6H", ""), stocks=["", "2C"], **twin), 0, "play", "PI-Q7", "both ships of hearts are gone"),
        (
            at_sea({C: "A" + "3456789TJQK"}, ("6H", ""), stocks=["", "2C"], **twin),
            0,
            "draw",
            "PI-Q8",
            "all your cards are dead, so you are an observer",
        ),
        (observer("3C"), 0, "draw", "PI-18", "neither stock nor waste"),
        (observer("3C"), 0, "claim", "PI-19", "only the card that the other has just turned"),
        (observer("4C", "3C", fresh=0), 0, "claim", "PI-Q9", "only the card that the other has just turned"),
        (
            observer("4C", "3C", fresh=1),
            0,
            "claim",
            "PI-19",
            "the card just turned is 3C, and your side of clubs takes 4C next",
        ),
        (at_sea(wastes=("AS", "2S"), fresh=[1, 1]), 0, "claim", "PI-18", "only an observer, who has none, may claim"),
    ]
    for m, seat, move, rule, reason in cases:
        refusal = m.why_not(move, seat)
        assert isinstance(refusal, IllegalMove)
        assert refusal.rule == rule
        assert reason in refusal.reason


def observer(stock_of_high: str, waste_of_high: str = "", fresh: int = 0) -> Match:
    """LOW, an observer, has the king down to all that HIGH has not; HIGH has the ace and the two."""
    theirs = {card[0] for card in f"{stock_of_high} {waste_of_high}".split()}
    ranks = "".join(rank for rank in BOTH if rank not in theirs)
    return at_sea(
        {C: ranks},
        ("", waste_of_high),
        stocks=["", stock_of_high],
        fresh=[0, fresh],
        gone=[2, 2, 2, 1],
        captured=[3, 4],
    )


@pytest.mark.rules("PI-18")
def test_an_observer_waits_by_himself_and_is_asked_when_he_can_claim() -> None:
    position = observer("7C 4C 5C 6C").position().as_dict()
    m = Match.from_position(position, seed=1)
    m.play("wait", 0)
    m.play("draw", 1)
    assert list(m.actors) == [0, 1]  # 7C may be claimed: they are asked
    m.play("wait", 0)
    m.play("draw", 1)
    assert list(m.actors) == [1]  # 4C is not for them
    assert (m.moves[-1].move, m.moves[-1].forced, m.moves[-1].seat) == ("wait", True, 0)


def test_zones_tell_the_whole_table() -> None:
    m = at_sea({H: "A2" + "QK"}, ("9S 3H", "4D"), fresh=[1, 0])
    names = [zone.name for zone in m.view(0).zones]
    assert names[:7] == ["row-S", "row-H", "row-D", "row-C", "stock-0", "waste-0", "ships-0"]
    row = zone(m, "row-H")
    assert (row.cards[:3], row.cards[-2:], row.count) == (("AH", "2H", None), ("QH", "KH"), 4)
    assert (row.text, row.notes["up"], row.notes["down"]) == ("ship 1", 0, 1)
    mine, theirs = zone(m, "waste-0", 0), zone(m, "waste-1", 0)
    assert (mine.cards, mine.count, theirs.cards) == ((None, "3H"), 2, ("4D",))
    assert [(move.text, move.source, move.cards) for move in m.view(0).choices] == [
        ("wait", "", ()),
        ("draw", "stock-0", ()),
        ("play", "waste-0", ("3H",)),
    ]
    assert not m.view().choices
    assert [zone(m, f"score-{seat}").text for seat in (0, 1)] == [
        "LOW, next AS 3H AD AC",
        "HIGH, next KS JH KD KC",
    ]
    assert [(zone(m, f"ships-{seat}").text, zone(m, f"ships-{seat}").facts[0].figure) for seat in (0, 1)] == [
        ("0 of 5 ships", (0, 5)),
        ("0 of 5 ships", (0, 5)),
    ]
    claim = observer("3C", "4C", fresh=1)
    assert [(move.source, move.cards) for move in claim.view(0).choices if move.text == "claim"] == [
        ("waste-1", ("4C",))
    ]
    assert "observer" in zone(claim, "score-0").text


def test_every_event_has_a_sentence() -> None:
    """A few ticks with events of all kinds, each shown with its rule."""
    m = Match("pirate", seed=2, auto=False)
    kinds = {event.kind for event in m.events}
    assert kinds >= {"cut", "role", "shuffle"}
    roles = [
        (event.source, event.amount, event.rule, event.text.partition(",")[0])
        for event in m._opening
        if event.kind == "role"
    ]
    assert roles == [
        (1 - m.dealer, 0, "PI-06", f"seat {1 - m.dealer} is LOW"),
        (m.dealer, 0, "PI-06", f"seat {m.dealer} is HIGH"),
    ]
    m = at_sea({H: "A2345" + "789TJQK"}, ("6H", "6H"))
    tick(m, "play", "play")
    assert [event.text for event in m.events] == [
        "seat 0 and seat 1 play 6H at the same moment; each keeps their own (PI-16)",
        "the ship of hearts is sunk, 12 cards are thrown out (PI-Q5)",
        "the keels of hearts are exchanged: the ace is for seat 1 now, the king for seat 0 now (PI-17)",
        "a ship has sunk: from now on 4 ships win (PI-21)",
    ]
    assert told(m)[0] == ("twins", "PI-16")


# Positions


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"stocks": ["AS AS", ""]}, "stands twice"),
        ({"stocks": ["AS", "X1"]}, "no jokers"),
        ({"stocks": ["AS"]}, "a list of 2 texts"),
        ({"wastes": ["AS", ""], "stocks": ["AS", ""]}, "one of each card"),
        ({"wastes": ["AS", "AS"], "ships": ["AS", "", "", ""]}, "too many of AS"),
        ({"ships": ["AS 3S", "", "", ""]}, "grows up from the ace"),
        ({"ships": ["AH", "", "", ""]}, "grows up from the ace"),
        ({"ships": [" ".join(f"{rank}S" for rank in BOTH), "", "", ""]}, "is not complete"),
        ({"ships": ["AS", "", "", ""], "gone": [2, 0, 0, 0], "captured": [1, 1]}, "there are two of a suit"),
        ({"ships": ["AS"]}, "a list of 4 texts"),
        ({"gone": [1, 0, 0, 0]}, "was captured or sunk"),
        ({"gone": [3, 0, 0, 0], "captured": [3, 0]}, "a suit has two ships"),
        ({"gone": [2, 2, 1, 0], "captured": [5, 0]}, "the game is over"),
        ({"gone": [1, 0, 0, 0], "sunk": 1, "sunk_cards": 12}, "twins that sank a ship left 1 over"),
        ({"gone": [1, 0, 0, 0], "sunk": 1, "sunk_cards": 11}, "from 12 to 13"),
        (
            {"gone": [2, 0, 0, 0], "captured": [1, 0], "sunk": 1, "sunk_cards": 12, "stocks": ["6S", ""]},
            "it has been turned",
        ),
        ({"fresh": [1, 0]}, "there is none"),
        ({"fresh": [2, 0]}, "0 or 1"),
        ({"quiet": 160}, "after 160 quiet ticks"),
        ({"quiet": 5, "tick": 4}, "quiet"),
        ({"chosen": ["draw", "draw"]}, "one of the two"),
        ({"chosen": ["play", ""]}, "not legal"),
        ({"chosen": ["hop", ""]}, "one of the two"),
        ({"unlisted": "dead"}, "at the bottom of the stocks"),
        ({"deal": 2}, "one deal is a whole match"),
        ({"hands": ["", ""]}, "no such key"),
    ],
)
def test_positions_that_cannot_be(keys: dict[str, Any], reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        Match.from_position({"game": "pirate", **keys})


def test_unlisted_cards_lie_in_the_stocks() -> None:
    """Two of each card, one for each player at most; a card of which one copy is gone goes to either, by lot."""
    owners = set()
    for seed in range(12):
        m = Match.from_position({"game": "pirate", "ships": ["AS 2S", "", "", ""], "wastes": ["KH", ""]}, seed=seed)
        assert len(stock(m, 0)) + len(stock(m, 1)) == 101
        assert "KH" not in stock(m, 0)
        assert "KH" in stock(m, 1)
        owners.add(("AS" in stock(m, 0), "AS" in stock(m, 1)))
    assert owners == {(True, False), (False, True)}


def test_a_position_holds_everything() -> None:
    m = at_sea(
        {S: "A2" + "K", H: "A" + "JQK"},
        ("9S 3H", "4D"),
        fresh=[1, 0],
        turned_over=[0, 1],
        gone=[0, 0, 1, 1],
        captured=[1, 0],
        sunk=1,
        tick=40,
        quiet=7,
    )
    m.play("draw", 1)
    keys = m.position().as_dict()
    assert keys["chosen"] == ["", "draw"]
    assert (keys["turned_over"], keys["fresh"], keys["tick"], keys["quiet"], keys["sunk"]) == ([0, 1], [1, 0], 40, 7, 1)
    again = Match.from_position(m.position().text, auto=False)
    same = [
        name
        for name in m._s.dtype.names
        if name not in ("events", "told", "seed", "rng") and np.any(m._s[name] != again._s[name])
    ]
    assert same == []
    for dealer in (0, 1):
        assert Match.from_position({"game": "pirate", "dealer": dealer}).dealer == dealer


# The heuristic


@pytest.mark.parametrize("medium", cases([0, 1]))
@pytest.mark.exhaustive
def test_medium_beats_random(medium: int) -> None:
    """It wins all but 8 of 3,000 games; here it may lose one in ten, or 3 of 6 in plain Python.

    Seeded by the numbers of the games; others would fail with a chance of 1e-7, even if it lost one game in a hundred.
    """
    won = 0
    games = 6 if SLOW else 100
    moves = np.zeros(8, np.int64)
    for number in range(games):
        s = Match("pirate", seed=f"duel {number}", auto=False)._s
        s.record_events = 0
        dice = prng.key_of(number)
        while mask := int(contract.actors(s)):
            seat = bits.lowest(mask)
            n = int(contract.legal(s, seat, moves))
            contract.play(
                s,
                seat,
                int(contract.heuristic(s, seat, moves, n)) if seat == medium else int(moves[prng.below(dice, n)]),
            )
        won += payoff_of(s)[medium] > 0
    assert won >= (0.5 if SLOW else 0.9) * games


def test_the_rule_of_thumb_counts_who_turns_the_last_card_first() -> None:
    """With the gap at 2 it plays only if it gets the card then missing first."""

    lanes = {H: "A2345" + "89TJQK"}  # LOW needs 6, HIGH 7
    again: dict[str, Any] = {"turned_over": [1, 1]}
    assert advice(at_sea(lanes, ("6H", "7H")), 0) == "draw"  # HIGH has it on top
    assert advice(at_sea(lanes, ("6H", "2S"), stocks=["7H", "3S 4S 5S 6S 7H"], **again), 0) == "play"
    assert advice(at_sea(lanes, ("6H", "2S"), stocks=["3S 4S 7H", "3S 7H"], **again), 0) == "draw"
    assert advice(at_sea({H: "A2345" + "789TJQK"}, ("6H", "6H")), 0) == "play"  # a capture, always
    assert advice(at_sea({H: "A2"}, ("3H", "")), 0) == "play"
    assert advice(observer("3C", "4C", fresh=1), 0) == "claim"
    waiting = at_sea(lanes, ("6H", "2S"), stocks=["3S 4S 7H", "3S 7H"], quiet=60, **again)
    assert advice(waiting, 0) == "play"  # they are not ahead, and nothing else moves
