"""Michigan's kin by the book: cross-color, sequence, jackpot, boodle, spinado, pope-joan."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import Match
from tests.games.michigan.michigan_tables import (
    GAME,
    PRESETS,
    lay,
    lying,
    pack_for,
    rule_against,
    stacked,
    table,
    won_from,
)

# Cross-color


@pytest.mark.rules("MI-E5", "MI-41", "MI-Q7", "MI-25")
def test_the_other_colour() -> None:
    """MI-E5: all red, all pass: 3H; with 6H 7H 6D a choice of 6H or 6D; QC must be led."""
    m = table(["4H TD", "3H 6H 6D", "5D QH"], "cross-color", turn=1, barred="H", auto=False)
    lay(m, "pass pass pass")
    assert (m.actors, m.legal()) == ((1,), ["3H"])
    assert rule_against(m, "6D") == "MI-25"
    m = table(["4H TD", "6H 7H 6D", "5D QH"], "cross-color", turn=1, barred="H", auto=False)
    lay(m, "pass pass pass")
    assert m.legal() == ["6H", "6D"]
    m = table(["4H TD", "6H 7H 6D", "5D QC"], "cross-color", turn=1, barred="H")
    m.play("pass")
    assert (m.actors, m.legal()) == ((2,), ["QC"])
    assert rule_against(m, "5D") == "MI-41"
    plain = table(["4H TD", "3H 6H 6D", "5D QH"], turn=1, barred="H")
    assert plain.legal() == ["6D"]


@pytest.mark.rules("MI-41")
@pytest.mark.parametrize(
    ("led", "then"), [("3S", ["9H", "8D"]), ("9H", ["3S", "7C"]), ("8D", ["3S", "7C"]), ("7C", ["9H", "8D"])]
)
def test_each_colour_bars_itself(led: str, then: list[str]) -> None:
    """MI-41: after a red card a black one, and the other way round."""
    m = table(["4H 2D", "3S 9H 8D 7C", "5D QH"], "cross-color", turn=1)
    m.play(led)
    assert m.legal() == then


# Sequence


@pytest.mark.rules("MI-E6", "MI-42", "MI-43", "MI-Q8")
@pytest.mark.parametrize(
    ("hands", "winner", "card"),
    [
        (["TH JH 2C", "9H 3C", "4C 5D"], 0, "JH"),
        (["JH 2C", "9H TH 3C", "4C 5D"], 1, "TH"),
        (["TH 2C", "9H JH 3C", "4C 5D"], None, ""),
        (["2C 3D", "9H TH JH 3C", "4C 5D"], 1, "TH"),
    ],
)
def test_two_of_the_sequence(hands: list[str], winner: int | None, card: str) -> None:
    """MI-E6: (a) T and J by seat 0, (b) 9 and T by seat 1, (c) nobody; all three by one: at the second, and no more."""
    m = stacked(hands, "sequence", on={"sequence": 3}, turn=1)
    takes = []
    for move in ("9H", "TH", "JH"):
        m.play(move)
        takes += [(source, amount, rule, move) for source, amount, rule in won_from(m)]
    assert takes == ([(winner, 3, "MI-43", card)] if winner is not None else [])
    assert lying(m)["sequence"] == (3 if winner is None else 0)


@pytest.mark.rules("MI-42", "MI-Q8")
def test_the_stake_on_the_sequence_grows() -> None:
    """MI-42: one chip each before every deal, won or not; TH led has no 9H before it."""
    m = Match(GAME, 3, "sequence", seed=1, dealer=0)
    assert (lying(m)["sequence"], m.scores) == (3, (45, 45, 45))
    m = stacked(["JH", "9H TH 3C", "4C 5D"], "sequence", on={"sequence": 3}, turn=1, enforce="penalise")
    lay(m, "TH pass pass JH")  # the ten was led, not played after the nine
    assert lying(m)["sequence"] == 3
    m.next_deal()
    assert lying(m)["sequence"] == 6


@pytest.mark.rules("MI-43", "MI-27")
def test_a_money_card_of_the_sequence_brings_both() -> None:
    """9H, TH, JH may be money cards too: both are won."""
    m = stacked(["2C 3D", "9H TH JH 3C", "4C 5D"], "sequence", on={"TH": 4, "sequence": 3}, turn=1, money="TH KC QD JS")
    lay(m, "9H TH")
    assert won_from(m) == [(1, 4, "MI-27"), (1, 3, "MI-43")]


# Jackpot


@pytest.mark.rules("MI-E10", "MI-44", "MI-45", "MI-Q9", "MI-Q15")
def test_the_jackpot() -> None:
    """MI-E10: 4 + 1 in deals 1 to 4; deal 5 antes 4 only, and its winner takes the 16; deal 6 begins a new round. A
    match has as many deals as players, with a jackpot one more.
    """
    assert [Match(GAME, 5, rules, seed=1).options.as_dict()["deals"] for rules in ("michigan", "jackpot")] == [5, 6]
    m = Match(GAME, 4, "jackpot", seed=1, dealer=2, auto=False, deals=6)
    for number in range(1, 7):
        assert (m.deal, m.dealer) == (number, (1 + number) % 4)
        assert lying(m)["jackpot"] == {5: 16, 6: 4}.get(number, 4 * number)
        paid = [event.amount for event in m.events if event.rule == "MI-44"]
        assert paid == ([] if number == 5 else [1, 1, 1, 1])
        while m.actors:
            m.play(m.legal()[-1])
        takes = [(seat, amount) for seat, amount, rule in won_from(m) if rule == "MI-45"]
        assert takes == ([(m.results[-1].winner, 16)] if number == 5 else [])
        if number < 6:
            m.next_deal()
    assert m.over
    assert sum(m.scores) == 200


# Boodle


@pytest.mark.rules("MI-51", "MI-50")
def test_four_chips_at_will() -> None:
    """MI-51: each seat in turn from eldest, openly; 35 ways; then the cards are dealt."""
    m = Match(GAME, 4, "boodle", seed=1, dealer=2, auto=False)
    assert m.actors == (3,)
    assert len(m.legal()) == 35
    assert rule_against(m, "stake AH3") == "MI-51"
    for seat, stake in ((3, "stake AH4"), (0, "stake KD1 QS3"), (1, "stake JC4"), (2, "stake AH1 KD1 QS1 JC1")):
        assert (m.actors, m.view(seat).hand) == ((seat,), [])
        m.play(stake)
        staked = [(event.card, event.amount) for event in m.events if event.kind == "stake"]
        assert staked == [(word[:2], int(word[2:])) for word in stake.split()[1:]]
    assert lying(m) == {"AH": 5, "KD": 2, "QS": 4, "JC": 5}
    assert m.scores == (46, 46, 46, 46)
    assert (m.actors, len(m.view(3).hand)) == ((3,), 12)
    assert len(Match(GAME, 4, "boodle", seed=1, money="AH KD QS JC 2C").legal()) == 70
    assert rule_against(m, "stake AH4") == "MI-51"


@pytest.mark.rules("MI-52", "MI-53", "MI-Q10")
@pytest.mark.parametrize(
    ("seats", "hand", "widow"), [(3, 16, 4), (4, 12, 4), (5, 9, 7), (6, 8, 4), (7, 7, 3), (8, 6, 4)]
)
@pytest.mark.parametrize("preset", ["boodle", "spinado", "pope-joan"])
def test_equal_hands(preset: str, seats: int, hand: int, widow: int) -> None:
    """MI-52, MI-Q10: dealt singly from eldest; what is left is the widow, which nobody may have (MI-53)."""
    m = Match.from_pack(pack_for({"widow": "AS 2S 3S"}, seats, seats - 1, hand), GAME, seats, preset, auto=False)
    while m.legal()[0].startswith("stake"):
        m.play(m.legal()[0])
    counts = {zone.name: zone.count for zone in m.view().zones}
    assert [counts[f"hand-{p}"] for p in range(seats)] == [hand] * seats
    assert counts["dead"] == widow
    assert str(m.position().keys["dead"]).split()[:3] == ["AS", "2S", "3S"]
    for move in ("exchange", "bid 3"):
        assert rule_against(m, move) == "MI-53"


# Spinado


SPIN = ["6H KD 9C", "5H 7H AD 4C", "8H 2C"]


@pytest.mark.rules("MI-E8", "MI-54", "MI-55", "MI-56", "MI-Q11", "MI-Q12")
def test_spin() -> None:
    """MI-E8: 5H, AD, and 4C must be led; a seat that continues is asked again after 7H."""
    m = table(SPIN, "spinado", turn=1, barred="S", auto=False)
    assert rule_against(m, "spin") == "MI-Q12"
    m.play("5H")
    assert (m.actors, m.legal()) == ((1,), ["continue", "spin"])
    m.play("spin")
    acts = [(event.kind, event.card) for event in m.events if event.kind in ("spin", "lay")]
    assert acts == [("spin", None), ("lay", "AD")]
    assert (m.actors, m.legal()) == ((1,), ["4C"])
    assert rule_against(m, "7H") == "MI-23"
    m = table(SPIN, "spinado", turn=1, barred="S", lacks=["AD", "", "AD"])
    m.play("5H")
    m.play("continue")
    assert [act.move for act in m.moves] == ["5H", "continue", "6H", "7H"]
    assert (m.actors, m.legal()) == ((1,), ["continue", "spin"])


@pytest.mark.rules("MI-Q11", "MI-56")
def test_after_a_spin_a_diamond_may_be_led() -> None:
    """MI-Q11: another suit than that of the stopped sequence; with `other_color` another colour than the sequence's."""
    hands = ["6H KD 9C", "5H 7H AD 2D 4C", "8H 2C"]
    m = table(hands, "spinado", turn=1)
    lay(m, "5H spin")
    assert m.legal() == ["2D", "4C"]
    m = table(hands, "spinado", turn=1, options={"next_suit": "other_color"})
    lay(m, "5H spin")
    assert m.legal() == ["4C"]


@pytest.mark.rules("MI-Q12", "MI-54")
def test_who_is_asked_to_spin() -> None:
    """MI-54: only where the rules have it; MI-Q12: a seat that may hold AD; the others can only continue.

    Not after an ace, nor when AD is known to be elsewhere.
    """
    for preset in PRESETS:
        if preset != "spinado":
            assert rule_against(table(SPIN, preset, turn=1), "spin") == "MI-54"
    m = table(SPIN, "spinado", turn=0, auto=False)
    m.play("6H")
    assert (m.actors, m.legal()) == ((0,), ["continue"])
    assert rule_against(m, "spin") == "MI-54"
    m = table(["AH KD 9C", "5H 7H AD 4C", "8H 2C"], "spinado", turn=0, auto=False)
    m.play("AH")
    assert (m.actors, m.view().state.cur) == ((0,), -1)
    m = table(["6C KD 9S", "5H 7H AD 4C", "8H 2C"], "spinado", turn=0, lacks=["AD", "", ""], auto=False)
    m.play("6C")
    assert m.legal() == ["9S", "KD"]
    m.undo()
    m.play("KD")
    assert (m.actors, m.legal()) == ((1,), ["AD"])  # it follows KD as any card


@pytest.mark.rules("MI-Q12", "MI-55", "MI-27", "MI-29")
def test_a_spin_takes_chips_and_may_win() -> None:
    """AD as the last card wins the deal; as a money card's duplicate it takes the chips."""
    m = stacked(["6H KD 9C", "5H AD", "8H 2C"], "spinado", on={"AD": 5}, turn=1, money="AD KD QS JC")
    lay(m, "5H spin")
    assert m.results[0].winner == 1
    assert m.scores == (27, 40, 28)


# Pope Joan


@pytest.mark.rules("MI-58", "MI-57")
def test_the_dealer_dresses() -> None:
    """MI-58: TD 1, JC 2, QS 3, KH 4, 9D 5: fifteen chips of the dealer's."""
    m = Match(GAME, 4, "pope-joan", seed=1, dealer=2, auto=False)
    assert lying(m) == {"9D": 5, "TD": 1, "JC": 2, "QS": 3, "KH": 4}
    assert m.scores == (50, 50, 35, 50)
    m = Match(GAME, 4, "pope-joan", seed=1, dealer=2, dress="9D1 TD2 JC3 QS4 KH0")
    assert lying(m) == {"9D": 1, "TD": 2, "JC": 3, "QS": 4, "KH": 0}


@pytest.mark.rules("MI-E9", "MI-59", "MI-Q13")
def test_caught_with_a_money_card() -> None:
    """MI-E9: KH in hand is doubled from 4 to 8, 9D is dead: 12 and 10 after the next dealer's chips."""
    keys: dict[str, Any] = {"dead": "9D", "auto": False, "turn": 0, "options": {"deals": 2}}
    hands = ["2C", "3S 4S", "KH 5S"]
    m = table(hands, "pope-joan", on={"9D": 5, "KH": 4, "TD": 0}, **keys)
    m.play("2C")
    assert m.scores == (34, 28, 24)
    assert [(event.source, event.amount) for event in m.events if event.rule == "MI-59"] == [(2, 4)]
    m.next_deal()
    assert (lying(m)["KH"], lying(m)["9D"], lying(m)["TD"]) == (12, 10, 1)
    m = table(hands, "pope-joan", on={"9D": 5}, **keys)
    m.play("2C")
    assert m.scores == (34, 28, 28)  # a card already won costs nothing


# Short stacks


@pytest.mark.rules("MI-06", "MI-42", "MI-44")
def test_short_stacks_stake_as_far_as_they_can() -> None:
    """credit = table: the money cards in their order, the sequence, the jackpot; the dealer fills the dearest first."""
    keys: dict[str, Any] = {"credit": "table", "sequence_stake": "on", "jackpot": "on"}
    m = Match(GAME, 3, "michigan", seed=1, dealer=0, stack=(5, 2, 6), **keys)
    assert lying(m) == {"AH": 3, "KC": 3, "QD": 2, "JS": 2, "sequence": 2, "jackpot": 1}
    m = Match(GAME, 3, "pope-joan", seed=1, dealer=0, stack=(11, 9, 9), credit="table")
    assert lying(m) == {"9D": 5, "KH": 4, "QS": 2, "JC": 0, "TD": 0}
    m = Match(GAME, 3, "boodle", seed=1, dealer=0, stack=(11, 2, 1), credit="table")
    assert len(m.legal()) == 10
    m.play("stake AH1 JC1")
    assert len(m.legal()) == 4
    keys = {"phase": "staking", "turn": 1, "stacks": [9, 0, 9], "options": {"credit": "table"}, "auto": False}
    short = table(["", "", ""], "boodle", **keys)
    assert short.legal() == ["stake nothing"]
    short.play("stake nothing")
    assert short.actors == (2,)
