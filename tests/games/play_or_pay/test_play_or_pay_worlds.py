"""What is known in Play or Pay: facts that acts prove, offences that nobody sees yet, worlds against the oracle, the
heuristic.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import pytest

from cardtable import Match
from cardtable.base.cards import card_text, cards_in, parse_card, set_of
from cardtable.kernel import prng
from cardtable.rules import contract
from tests.conftest import PLAIN
from tests.support.effort import cases
from tests.support.games import oracle
from tests.support.games.tables import advice, refused

GAME = "play-or-pay"
HOUSES: dict[str, dict[str, str]] = {
    "strict": {},
    "end": {"enforce": "penalise"},
    "immediate": {"enforce": "penalise", "detect": "immediate"},
}
#: six cards of a suit whose other seven are down, and some of another
LEFT = "6H 7H 8H 9H TH JH KS AS 2S"


def table(rules: str, hands: list[str], turn: int = 0, need: str = "6H", **options: Any) -> Match:
    """A suit in play, 7 cards of it down; without automatic moves."""
    keys = {
        "game": GAME,
        "rules": rules,
        "hands": hands,
        "need": need,
        "down": 7,
        "turn": turn,
        "stacks": [20] * len(hands),
        "options": options | {"deals": 1},
    }
    return Match.from_position(keys, auto=False)


def known(m: Match, viewer: int | None = None) -> tuple[set[int], int | None]:
    """The seats that are known not to hold the card needed, and the one that is known to hold it."""
    s = m.view(viewer).state
    return {p for p in range(int(s.seats)) if s.lacks >> p & 1}, int(s.shows) - 1 if s.shows else None


# Facts


@pytest.mark.rules("PP-06", "PP-07", "PP-08")
@pytest.mark.parametrize(("rules", "facts"), [("stops", {0}), ("original", set())])
def test_who_does_not_go_on_cannot(rules: str, facts: set[int]) -> None:
    """PP-07: by `stops` who lays a card and stops lacks the next; by `original` (PP-08) they may well hold it."""
    m = table(rules, ["6H KS", "9H AS", "7H 2S"])
    m.play("6H")
    assert known(m) == (facts, None)
    m.play("pass")  # PP-06: a pass by one who cannot
    assert known(m) == (facts | {1}, None)
    m.play("7H")
    assert known(m) == ({2} if facts else set(), None)


@pytest.mark.rules("PP-07")
def test_who_goes_on_holds_the_next_card() -> None:
    """PP-07: as long as the turn stays with a seat everybody knows that it holds the card needed."""
    m = table("stops", ["6H 7H KS", "9H AS", "8H 2S"])
    m.play("6H")
    assert (m.actors, known(m)) == ((0,), (set(), 0))


@pytest.mark.rules("PP-07", "PP-Q2")
def test_nobody_passes_in_mid_run() -> None:
    """PP-Q2: where passing while able is possible, it is so at the first card of a turn only; Match lays the rest of
    the run.
    """
    m = table("stops", ["6H 7H KS", "9H AS", "8H 2S"], enforce="penalise")
    assert m.legal() == ["6H", "pass"]
    m.play("6H")
    assert m.legal() == ["7H"]
    assert refused(m, "pass") == "PP-Q2"
    auto = Match.from_position(table("stops", ["6H 7H KS", "9H AS", "8H 2S"], enforce="penalise").position())
    auto.play("6H")
    assert [(act.move, act.forced) for act in auto.moves] == [("6H", False), ("7H", True)]
    assert auto.actors == (1,)


@pytest.mark.rules("PP-06", "PP-Q6")
@pytest.mark.parametrize(
    ("house", "first", "second"), [("end", ({0}, None), ({0}, None)), ("immediate", ({0}, 1), ({0, 2}, 1))]
)
def test_what_a_doubtful_pass_proves(house: str, first: Any, second: Any) -> None:
    """PP-Q6: found out at the end a pass proves nothing; at once a fine proves that the seat holds it, no fine that it
    does not.
    """
    m = table("stops", ["KS 9H", "6H AS", "7H 2S"], turn=1, **HOUSES[house])
    m.play("pass")
    assert known(m) == first
    m.play("pass")
    assert known(m) == second


@pytest.mark.rules("PP-06", "PP-Q6")
def test_a_pass_proves_again_when_no_other_is_allowed() -> None:
    """After n passes in a row only who cannot play passes, so that a pass proves it."""
    m = table("original", ["KS 9H", "7H AS", "6H 2S"], turn=0, enforce="penalise")
    for _ in range(3):
        m.play("pass")
    assert known(m) == (set(), None)
    m.play("pass")
    assert known(m) == ({0}, None)
    assert m.legal() == ["pass"]
    m.play("pass")
    assert m.legal() == ["6H"]


# Offences that nobody sees yet


@pytest.mark.rules("PP-01", "PP-Q6")
def test_nobody_sees_who_withheld() -> None:
    """PP-Q6, detect=end: who passes while able and who passes because they must look the same to the others, to the
    last bit.
    """
    able = table("original", ["KS 9H", "6H AS", "7H 2S"], turn=1, enforce="penalise")
    unable = table("original", ["KS 9H", "7H AS", "6H 2S"], turn=1, enforce="penalise")
    for m in (able, unable):
        m.play("pass")
    assert oracle.seen(able._s, 0) == oracle.seen(unable._s, 0)


@pytest.mark.rules("PP-01", "PP-Q6")
@pytest.mark.parametrize(
    ("hands", "fined"),
    [(["KS 9H", "6H AS", "7H 2S"], 1), (["KS 9H", "7H AS", "6H 2S"], 2), (["6H KS", "7H AS", "9H 2S"], 0)],
)
def test_another_world_is_settled_by_its_own_hands(hands: list[str], fined: int) -> None:
    """PP-Q6, detect=end: after three passes the one of the three who holds the card is fined, in whichever world."""
    m = table("original", ["KS 9H", "6H AS", "7H 2S"], turn=1, enforce="penalise")
    for _ in range(3):
        m.play("pass")
    s = m.view(0).state.copy()
    s.hands[:3] = [set_of(parse_card(card) for card in hand.split()) for hand in hands]
    s.rules.deals = 2  # so that the pot waits, and is not shared
    moves = np.zeros(60, np.int64)
    before = s.stacks.copy()
    passes = Counter[int]()
    while mask := int(contract.actors(s)):
        seat = mask.bit_length() - 1
        contract.legal(s, seat, moves)
        passes[seat] += int(moves[0]) == 52
        contract.play(s, seat, int(moves[0]))
    assert s.winner == -1  # the other hearts are out
    assert [int(before[p] - s.stacks[p]) - passes[p] for p in range(3)] == [3 * (p == fined) for p in range(3)]
    assert [int(x) for x in s.offences[:3]] == [int(p == fined) for p in range(3)]


# Worlds


def late(rules: str, house: str, rng: np.random.RandomState) -> Any:
    """Nine cards in three hands, a suit in play, and nothing known but the table."""
    options: dict[str, Any] = dict(HOUSES[house])
    m = table(rules, ["6H 7H 8H", "9H TH JH", "KS AS 2S"], turn=0, **options)
    s = m._s.copy()
    cards = [int(card) for card in rng.permutation([parse_card(card) for card in LEFT.split()])]
    for p in range(3):
        s.hands[p] = set_of(cards[3 * p : 3 * p + 3])
    s.lacks = s.shows = 0
    s.turn = int(rng.randint(3))
    return s


def redeals(s: Any, viewer: int) -> Iterator[Any]:
    """Every way in which the cards of the other two hands might lie."""
    first, second = (p for p in range(3) if p != viewer)
    unseen = cards_in(int(s.hands[first]) | int(s.hands[second]))
    for hand in itertools.combinations(unseen, int(s.counts[first])):
        t = s.copy()
        t.hands[first] = set_of(hand)
        t.hands[second] = set_of(unseen) & ~set_of(hand)
        yield t


@pytest.mark.rules("PP-06", "PP-07", "PP-Q6")
@pytest.mark.parametrize("house", cases(HOUSES))
@pytest.mark.parametrize("rules", ["stops", "original"])
def test_resample_draws_what_the_oracle_finds(rules: str, house: str) -> None:
    """Consistent, complete and uniform, after some acts from a late position, for every seat. Seeded by the house;
    other streams would fail with the chance `oracle.CHANCE`.
    """
    rng = np.random.RandomState(len(rules) * 10 + len(house))
    words = prng.key_of(f"{rules} {house}")
    moves = np.empty(60, np.int64)
    deviates: list[float] = []
    while len(deviates) < (10 if PLAIN else 16):
        begin = late(rules, house, rng)
        story = oracle.tell(begin, int(rng.randint(1, 9)), words, 53)
        viewer = int(rng.randint(3))
        worlds: Counter[Hashable] = Counter(
            tuple(end.hands.tolist()) for end in oracle.possible(story, redeals(begin, viewer), viewer, moves)
        )
        assert tuple(story.end.hands.tolist()) in worlds
        if story.end.over or len(worlds) < 2:
            continue
        view = story.end.copy()
        contract.redact(view, viewer)
        drawn: Counter[Hashable] = Counter(
            tuple(world.hands.tolist())
            for world in oracle.worlds_for(view, viewer, oracle.enough(worlds), prng.key_of("samples"))
        )
        assert set(drawn) <= set(worlds), (story.acts, viewer)
        deviates.append(oracle.chi_square(drawn, {key: float(n) for key, n in worlds.items()}))
    oracle.check_deviates(deviates)


# The heuristic


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("5H 6H 2S 9S", "6H"),  # PP-S1: the higher of two neighbours; spades, which the seat cannot finish, come last
        ("AC KC 2S 9S", "AC"),  # round the corner the ace is the higher one
        ("3S 6S 7S JS", "3S"),  # PP-S2: in the last suit the card after the biggest gap, Q K A 2
        ("5H 9H 2S", "5H"),  # nothing to finish: the longest suit, after its biggest gap
    ],
)
def test_which_card_is_led(hand: str, card: str) -> None:
    """PP-S1, PP-S2: the lead that the heuristic chooses."""
    rest = [card_text(c) for c in range(52) if card_text(c) not in hand.split()]
    m = Match.from_position(
        {"game": GAME, "rules": "stops", "hands": [hand, " ".join(rest[:24]), " ".join(rest[24:])], "turn": 0}
    )
    assert advice(m) == card


def test_the_rule_of_thumb_never_withholds() -> None:
    """The card needed is laid, also where passing is possible."""
    m = table("stops", ["6H KS", "9H AS", "7H 2S"], enforce="penalise")
    assert m.legal() == ["6H", "pass"]
    assert advice(m) == "6H"
