"""Domino Fan-Tan by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from functools import partial

import pytest

from cardtable import Match, OptionError
from cardtable.base.cards import RANKS, SUITS, parse_cards, set_of
from cardtable.games.fan_tan.rules import held_before
from cardtable.games.fan_tan.state import DONE, DRAW, PASS
from cardtable.rules.contract import UNKNOWN
from tests.support.games import tables
from tests.support.games.tables import FINED, hand, pack_with, paid, pot, refused, result, row, told

GAME = "domino-fan-tan"
sit = partial(tables.sit, GAME, GAME)
PACK = [rank + suit for suit in SUITS for rank in RANKS]


def stock(m: Match) -> int:
    """How many cards lie in the stock."""
    return next(zone.count for zone in m.view().zones if zone.kind == "stock")


@pytest.mark.rules("DF-01")
def test_exactly_two_players() -> None:
    assert Match(GAME, seed=1).seats == 2
    for seats in (1, 3):
        with pytest.raises(OptionError) as error:
            Match(GAME, seats)
        assert error.value.code == "options/seats"


@pytest.mark.rules("DF-02")
def test_17_cards_each_and_a_stock_of_18() -> None:
    """DF-02: 17 cards each, singly, eldest first; positions 1, 3, ... 33 to eldest; the remaining 18 are the stock."""
    m = Match.from_pack(" ".join(PACK), GAME, dealer=0, auto=False)
    assert hand(m, 1) == PACK[0:34:2]
    assert hand(m, 0) == PACK[1:34:2]
    assert stock(m) == 18
    assert m.position().keys["stock"] == " ".join(PACK[34:])
    assert (m.scores, pot(m)) == ((24, 24), 2)


@pytest.mark.rules("DF-03", "DF-04", "DF-Q2", "DF-E1")
def test_drawing_until_able() -> None:
    """DF-E1: pays 1, draws TS; 1, draws 3S; 1, draws 5S, laid at once. Pot 8, 17 chips, 7 cards; then 4S and 7H fit."""
    m = sit(["4S 7H KH", "JS QS KS AH 2H"], "S 6-8  D A-K  C A-K", turn=1, stock="TS 3S 5S 9S", pot=5, stacks=[20, 20])
    assert m.legal() == ["draw"]
    m.play("draw")
    assert [(act.seat, act.move) for act in m.moves] == [(1, "draw"), (1, "draw"), (1, "draw"), (1, "5S")]
    assert paid(m.events) == [(1, None, 1, "DF-03")] * 3
    assert (pot(m), m.scores[1], len(hand(m, 1))) == (8, 17, 7)
    assert (m.actors, m.legal()) == ((0,), ["4S", "7H"])


@pytest.mark.rules("DF-04", "DF-Q2")
def test_the_drawn_card_that_fits_is_the_only_move() -> None:
    """DF-Q2: playing is compulsory and it is the only eligible card."""
    m = sit(["4S 7H", "JS QS"], "S 6-8  D A-K  C A-K", turn=1, stock="5S 9S", unlisted="played", auto=False)
    m.play("draw")
    assert (m.actors, m.legal()) == ((1,), ["5S"])


@pytest.mark.rules("DF-05", "DF-Q1", "DF-E2")
def test_the_last_stock_card_does_not_help() -> None:
    """DF-E2: seat 1 pays 1, draws QH, is still unable, pays 1 and passes. Final: 32 and 13."""
    m = sit(
        ["3H 9H", "AH 2H TH JH KH"],
        "S A-K  D A-K  C A-K  H 4-8",
        turn=1,
        stock="QH",
        pot=5,
        stacks=[20, 20],
        options={"deals": 1},
    )
    m.play("draw")
    assert [(act.seat, act.move) for act in m.moves] == [(1, "draw"), (1, "pass")]
    assert paid(m.events) == [(1, None, 1, "DF-03"), (1, None, 1, "DF-05")]
    assert (pot(m), m.scores) == (7, (20, 18))
    m.play("3H")
    m.play("2H")
    m.play("9H")
    assert result(m).scores == (32, 13)


@pytest.mark.rules("DF-Q4", "DF-Q5", "DF-E3", "DF-05")
def test_worst_opening() -> None:
    """DF-E3: dealer holds all 7s. Eldest draws 18 times and passes: pot 2 + 19 = 21, 35 cards. Dealer must play a 7."""
    m = Match.from_pack(pack_with({1: "7S 7H 7D 7C"}, 2, 1, 17), GAME, dealer=1)
    assert [act.move for act in m.moves] == ["draw"] * 18 + ["pass"]
    assert {act.seat for act in m.moves} == {0}
    assert (pot(m), len(hand(m, 0)), stock(m)) == (21, 35, 0)
    assert (m.actors, m.legal()) == ((1,), ["7S", "7H", "7D", "7C"])


@pytest.mark.rules("DF-Q4")
def test_all_7s_in_the_stock() -> None:
    """DF-Q4: eldest draws until the first 7 appears; nobody else is asked in between."""
    rest = [card for card in PACK if card[0] != "7"]
    pack = [*rest[:34], "AS", "7H", "7S", "7D", "7C"]
    pack[0] = "KC"
    used = set(pack)
    m = Match.from_pack(" ".join([*pack, *(card for card in PACK if card not in used)]), GAME, dealer=1)
    assert [(act.seat, act.move) for act in m.moves][:3] == [(0, "draw"), (0, "draw"), (0, "7H")]


@pytest.mark.rules("DF-03", "DF-05", "DF-Q3")
def test_who_can_play_may_neither_draw_nor_pass() -> None:
    """DF-Q3: no ("if a player cannot play"); DF-03: a stock there is, so nobody passes."""
    m = sit(["9S 2H", "TS 3H"], "S 6-8  D A-K  C A-K", stock="5S", unlisted="played")
    for move, rule in (("draw", "DF-Q3"), ("pass", "DF-03")):
        assert refused(m, move) == rule
    empty = sit(["AS 2H", "TS 3H"], "S 6-8  D A-K  C A-K", unlisted="played", auto=False)
    assert empty.legal() == ["pass"]
    assert refused(empty, "draw") == "DF-05"


@pytest.mark.rules("DF-E4", "DF-02", "DF-05", "DF-06")
def test_golden_deal() -> None:
    """DF-E4: pack POW2, dealer 0, always the first eligible card: seat 1 wins, 18 draws, 6 passes, pot 26, stacks
    11/39.
    """
    pack = " ".join(PACK[pow(2, j, 53) - 1] for j in range(1, 53))
    m = Match.from_pack(pack, GAME, dealer=0, deals=1)
    pots = []
    while not m.over:
        m.play(m.legal()[0])
        pots += [event.amount for event in told(m, "take")]
    made = [act.move for act in m.moves]
    assert (made.count("draw"), made.count("pass")) == (18, 6)
    assert m.results[0].winner == 1
    assert pots == [26]
    assert result(m).scores == (11, 39)


@pytest.mark.rules("DF-E5", "DF-06")
def test_going_out_with_stock_left() -> None:
    """DF-E5: pot 6, stacks 22/22, stock 5; seat 0 plays its last card; seat 1 holds 8: 36 and 14."""
    hands = ["9S", "AS 2S 3S KS QS JS TS AC"]
    m = sit(hands, "S 7-8  H A-K  D A-K  C 4-K", stock="4S 5S 6S 2C 3C", pot=6, stacks=[22, 22], options={"deals": 1})
    assert stock(m) == 5
    m.play("9S")
    assert result(m).scores == (36, 14)


@pytest.mark.rules("DF-Q5")
def test_both_are_never_stuck() -> None:
    """DF-Q5: with the stock empty at least one seat can play; two passes in a row are impossible in strict play."""
    for seed in range(30):
        m = Match(GAME, seed=seed, deals=2)
        while not m.over:
            m.play(m.legal()[-1])
        for a, b in zip(m.moves, m.moves[1:], strict=False):
            assert (a.move, b.move) != ("pass", "pass")
        assert all(result.winner is not None for result in m.results)


@pytest.mark.rules("DF-Q6", "DF-06")
def test_a_creditor_card_in_the_stock_is_not_due() -> None:
    """DF-Q6: nobody to pay; never searched further than the first card outside the offender's run."""
    m = sit(
        ["7H 8H 2H", "6H TH"],
        "S A-K  D A-K  C A-K",
        stock="9H",
        stacks=[30, 30],
        pot=0,
        unlisted="played",
        options=FINED,
    )
    assert m.legal() == ["7H", "draw"]
    m.play("draw")
    # 6H is with seat 1; the run 7H 8H ends at 9H, which lay in the stock when they drew
    assert (m.scores, pot(m)) == ((30 - 1 - 3 - 5, 35), 4)
    assert m.actors == (0,)  # after an illegal draw the same seat decides again
    assert m.legal() == ["7H", "pass"]


@pytest.mark.rules("DF-06", "DF-05")
def test_after_two_passes_nobody_able_may_pass() -> None:
    """*penalise*: after 2 consecutive passes with an empty stock it is no longer legal to pass while able; a draw is no
    pass.
    """
    m = sit(["9S 2H", "5S 3H"], "S 6-8  D A-K  C A-K", unlisted="played", options={"enforce": "penalise"})
    m.play("pass", 0)
    m.play("pass", 1)
    assert m.legal(0) == ["9S"]
    m.play("9S", 0)
    assert m.legal(1) == ["5S", "pass"]


@pytest.mark.rules("DF-06")
def test_as_stops() -> None:
    """DF-06: opening, building, compulsory play, one card a turn, going out, payment and fines as Fan Tan `stops`."""
    m = Match(GAME, seed=1, auto=False)
    mine, stops = m.options.as_dict(), Match("fan-tan", 2, "stops", seed=1).options.as_dict()
    assert {name: mine[name] for name in mine if name in stops} == {name: stops[name] for name in mine if name in stops}
    assert mine.keys() - stops.keys() == {"hand_size", "draw_chip"}
    opened = sit(["7S 8S", "6S 2H"], stock="AC", unlisted="played")
    assert opened.legal() == ["7S"]
    opened.play("7S")
    assert (opened.actors, row(opened, "S")) == ((1,), ["7S"])


@pytest.mark.rules("DF-03", "DF-05")
def test_draws_and_passes_may_be_free() -> None:
    """`draw_chip` and `pass_chip` 0 / 1."""
    m = sit(
        ["3H 9H", "AH 2H TH JH KH"],
        "S A-K  D A-K  C A-K  H 4-8",
        turn=1,
        stock="QH",
        pot=5,
        stacks=[20, 20],
        options={"draw_chip": 0},
    )
    m.play("draw")
    assert (pot(m), m.scores) == (6, (20, 19))


@pytest.mark.usefixtures("plainly")
def test_what_a_seat_held_before_a_move() -> None:
    """A card laid was in the hand; which one was drawn is hidden."""
    m = sit(["7S 8S", "6S 2H"], stock="AC", unlisted="played")
    after = set_of(parse_cards("6S 2H"))
    for move, before in (
        (*parse_cards("KD"), set_of(parse_cards("6S 2H KD"))),
        (PASS, after),
        (DONE, after),
        (DRAW, UNKNOWN),
    ):
        assert held_before(m._s, 1, move, after, None) == before
