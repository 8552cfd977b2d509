"""Five or Nine by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from cardtable import Match
from cardtable.base.cards import RANKS, SUITS
from tests.support.games import tables
from tests.support.games.tables import FINED, hand, pack_with, paid, pot, refused, result, row

PACK = " ".join(rank + suit for suit in SUITS for rank in RANKS)
GAME = "five-or-nine"
sit = partial(tables.sit, GAME, GAME)


def example(**options: Any) -> Match:
    """The deal of FN-E1 and FN-E2: dealer 0, eldest 1."""
    return Match.from_pack(PACK, GAME, 4, dealer=0, auto=False, **options)


@pytest.mark.rules("FN-01", "FN-08")
def test_played_as_stops() -> None:
    """FN-01, FN-08: as Fan Tan `stops`: flat ante, direct payment, fines past the run, lowest cut deals, 2-8
    players.
    """
    mine, stops = Match(GAME, seed=4), Match("fan-tan", rules="stops", seed=4)
    options = mine.options.as_dict()
    assert options.pop("start_ranks") == "5,9"
    shared = {name: value for name, value in stops.options.as_dict().items() if name not in ("open_card", "passes")}
    assert options == shared
    assert (mine.game.seats, mine.seats) == ((2, 8), 4)
    assert [event for event in mine.events if event.kind == "cut"] == [
        event for event in stops.events if event.kind == "cut"
    ]


@pytest.mark.rules("FN-02", "FN-E1")
def test_a_5_or_a_9_opens_and_its_player_chooses() -> None:
    """FN-E1: seat 1 may open with 5S or 9S only."""
    m = example()
    assert m.actors == (1,)
    assert hand(m, 1) == ["AS", "5S", "9S", "KS", "4H", "8H", "QH", "3D", "7D", "JD", "2C", "6C", "TC"]
    assert m.legal() == ["5S", "9S"]
    assert refused(m, "7D") == "FN-02"


@pytest.mark.rules("FN-03", "FN-04", "FN-05", "FN-E1", "FN-Q3", "FN-Q4")
@pytest.mark.parametrize(("opening", "fits", "wrong"), [("5S", ["6S", "5H"], "9H"), ("9S", ["TS", "9H"], "5H")])
def test_the_first_card_sets_the_rank(opening: str, fits: list[str], wrong: str) -> None:
    """FN-E1: after 5S seat 2's moves are 6S, 5H - not 9H. After 9S they are TS, 9H - not 5H."""
    m = example()
    m.play(opening)
    assert m.legal() == fits
    assert refused(m, wrong) == "FN-03"


@pytest.mark.rules("FN-04", "FN-05", "FN-Q4")
def test_both_sides_of_the_set_card() -> None:
    """FN-04: next to a laid 5 go the 6 and the 4. FN-05: next to a laid 9 go the T and the 8.

    Both are allowed, one a turn.
    """
    m = sit(["4S 6S 8S TS 2H", "3S", "7S"], "S 5")
    assert m.legal() == ["4S", "6S"]
    m.play("4S")
    assert m.actors == (1,)
    assert sit(["4S 6S 8S TS 2H", "3S", "7S"], "S 9").legal() == ["8S", "TS"]


@pytest.mark.rules("FN-06")
@pytest.mark.parametrize(
    ("rank", "down", "up"), [("5", "4 3 2 A", "6 7 8 9 T J Q K"), ("9", "8 7 6 5 4 3 2 A", "T J Q K")]
)
def test_every_set_card_is_built_to_king_and_ace(rank: str, down: str, up: str) -> None:
    """FN-06: up in suit to the king and down in suit to the ace."""
    cards = [r + "S" for r in (down + " " + up).split()]
    m = sit([" ".join(cards) + " QH", "KH"], f"S {rank}  H A-J  D A-K  C A-K", set_rank=rank)
    for card in cards:
        assert card in m.legal(0)
        m.play(card, 0)  # seat 1 can never play and passes
    assert row(m, "S") == [r + "S" for r in RANKS]


@pytest.mark.rules("FN-E3", "FN-03", "FN-06")
def test_limits() -> None:
    """FN-E3: set rank 9, S row 8-K: playable below is 7S only, above nothing; AS comes last, on 2S; 5S never starts a
    row.
    """
    m = sit(["AS 2S 3S 4S 5S 6S 7S 5H", "9H"], "S 8-K", set_rank="9")
    assert m.legal() == ["7S"]
    last = sit(["AS 5H", "9H 2H"], "S 2-K", set_rank="9")
    assert last.legal() == ["AS"]
    closed = sit(["5S 5H", "8H 9D"], "H 9", set_rank="9")
    assert refused(closed, "5S") == "FN-03"


@pytest.mark.rules("FN-07", "FN-E4", "FN-Q1")
def test_passing_in_the_opening() -> None:
    """FN-E4: seats 0 and 1 hold no 5 and no 9 and pay 1 each; seat 2 must open; the pot is 3 antes + 2 = 5."""
    m = Match.from_pack(pack_with({2: "5S 5H 5D 5C 9S 9H 9D 9C"}, 3, 2), GAME, 3, dealer=2)
    assert m.actors == (2,)
    assert m.legal() == ["5S", "9S", "5H", "9H", "5D", "9D", "5C", "9C"]
    assert (pot(m), m.scores) == (5, (23, 23, 24))
    assert [p for p in paid(m.events) if p[3] == "FN-07"] == [(0, None, 1, "FN-07"), (1, None, 1, "FN-07")]


@pytest.mark.rules("FN-Q1")
@pytest.mark.parametrize("seats", range(2, 9))
def test_somebody_can_always_open(seats: int) -> None:
    """FN-Q1: eight cards open and all 52 are dealt; with up to 8 players somebody always holds one."""
    for seed in range(10):
        m = Match(GAME, seats, seed=seed)
        assert len(m.actors) == 1
        assert {card[0] for card in m.legal()} <= {"5", "9"}


@pytest.mark.rules("FN-E2", "FN-Q2", "FN-08")
def test_an_illegal_opening_pass() -> None:
    """FN-E2: 1 + 3 to the pot (pot 8) and four fives to seats 0 and 2; seat 1: 0, seats 0 and 2: 34 each, seat 3:
    24.
    """
    m = example(**FINED)
    m.play("pass")
    assert (pot(m), m.scores) == (8, (34, 0, 34, 24))
    assert paid(m.events) == [(1, None, 1, "FN-07"), (1, None, 3, "FT-34"), (1, 2, 10, "FT-37"), (1, 0, 10, "FT-37")]


@pytest.mark.rules("FN-Q2")
def test_once_the_rank_is_set_only_its_cards_are_fined() -> None:
    """FN-Q2: F = the founding cards among the playable ones: a withheld 9 is nothing once the set rank is 5."""
    m = sit(["9H 5D 2S", "4D 8H", "6D TH"], "S 5", stacks=[30, 30, 30], options=FINED)
    m.play("pass")
    assert m.scores == (30 - 1 - 3 - 10, 35, 35)


@pytest.mark.rules("FN-E5", "FN-08")
def test_payment() -> None:
    """FN-E5: pot 14, stacks 20/22/19/25; seat 2 goes out; others hold 3, 1, 4: 17/21/41/21."""
    m = sit(
        ["AS 2S 3S", "AH", "6S", "AD 2D 3D 4D"], "S 5", turn=2, pot=14, stacks=[20, 22, 19, 25], options={"deals": 1}
    )
    m.play("6S")
    assert result(m).scores == (17, 21, 41, 21)


@pytest.mark.rules("FN-E6", "FN-Q2", "FN-08")
def test_run_clause() -> None:
    """FN-E6: seat 1 holds 5H 6H 7H and passes: 1 + 3 to the pot; 5 to the holder of 4H; 5 to the holder of 8H."""
    m = sit(["4H 2D", "5H 6H 7H", "8H 3D", "9H 4D"], "S 5", turn=1, pot=0, stacks=[30] * 4, options=FINED)
    m.play("pass")
    assert (pot(m), m.scores) == (4, (35, 16, 35, 30))


@pytest.mark.rules("FN-03", "FN-08")
def test_a_group_of_founders() -> None:
    """`plays_per_turn = group`: the group "sevens" is the cards of the set rank; the first card of the deal has fixed
    it.
    """
    m = sit(["5S 5H 9H 6S", "4S 2S", "3S"], options={"plays_per_turn": "group"})
    m.play("5S")
    assert m.legal() == ["5H", "done"]
    m.play("5H")
    assert row(m, "H") == ["5H"]
    assert m.actors == (1,)  # no further 5: the turn ends automatically


@pytest.mark.rules("FN-02")
@pytest.mark.parametrize(("ranks", "opens"), [("5", ["5S"]), ("9", ["9S"]), ("7", ["7D"]), ("5,9", ["5S", "9S"])])
def test_start_ranks(ranks: str, opens: list[str]) -> None:
    """Option `start_ranks`: with a single start rank the set rank is known from the beginning."""
    assert example(start_ranks=ranks).legal() == opens
