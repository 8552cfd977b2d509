"""What Michigan and its kin say of payments: there is no pot, so each names the card, the sequence, the jackpot or the
person it goes to or comes from.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from cardtable import Match
from cardtable.views.view import counted
from tests.games.michigan.michigan_tables import GAME, PRESETS, lay, stacked, table
from tests.support.terminal import sentences


def paid(m: Match) -> list[str]:
    """What is said of the payments of the last move."""
    return [event.text for event in m.events if event.kind in ("pay", "take")]


def opening(preset: str, **options: Any) -> list[str]:
    """The same of what comes before the first deal; seat 2 is eldest."""
    return paid(Match(GAME, 3, preset, seed=1, dealer=1, auto=False, **options))


@pytest.mark.rules("MI-06", "MI-42", "MI-44", "MI-58")
@pytest.mark.parametrize(
    ("preset", "more"),
    [
        ("michigan", []),
        ("cross-color", []),
        ("sequence", ["seat {} puts 1 chip on the sequence 9H TH JH (MI-42)"]),
        ("jackpot", ["seat {} puts 1 chip into the jackpot (MI-44)"]),
    ],
)
def test_stakes_on_cards_sequence_and_jackpot(preset: str, more: list[str]) -> None:
    lines = ["seat {} puts 4 chips on the money cards (MI-06)", *more]
    assert opening(preset) == [line.format(seat) for seat in (2, 0, 1) for line in lines]
    assert opening(preset, dealer_stake=2)[-len(lines)] == "seat 1 puts 8 chips on the money cards (MI-06)"
    short = opening(preset, credit="table", stack=(2, 1, 5))
    assert short[-1] == "seat 1 puts 1 chip on the money cards (MI-06)"
    assert opening("pope-joan") == ["seat 1 puts 15 chips on the money cards (MI-58)"], "the dealer alone"


@pytest.mark.rules("MI-51")
@pytest.mark.parametrize("preset", ["boodle", "spinado"])
def test_chips_spread_at_will(preset: str) -> None:
    m = Match(GAME, 3, preset, seed=1, dealer=1, auto=False, sequence_stake="on")
    m.play("stake AH1 JC3")
    assert paid(m) == [
        "seat 2 puts 4 chips on the money cards (MI-51)",
        "seat 2 puts 1 chip on the sequence 9H TH JH (MI-42)",
    ]
    assert sentences(m.events, ["Ann", "Ben", "You"])[:2] == [
        "You put 1 chip on AH and 3 chips on JC (MI-51)",
        "You put 4 chips on the money cards (MI-51)",
    ]


MONEY = dict(zip(PRESETS, ["KC", "QD", "JS", "AH", "KD", "QS", "9D"], strict=True))  #: a money card of each preset


@pytest.mark.rules("MI-27", "MI-30", "MI-Q15")
@pytest.mark.parametrize(("preset", "card"), list(MONEY.items()))
def test_money_cards_cards_left_and_what_nobody_won(preset: str, card: str) -> None:
    """What nobody won is shared after the last deal; of a sequence or a jackpot as of cards."""
    m = stacked(["2H", f"{card} AS", "4C 5S"], preset, on={card: 6}, turn=1)
    m.play(card)
    takes, why = f"6 chips from {card}", "for the duplicate of a money card (MI-27)"
    assert paid(m) == [f"seat 1 takes {takes} {why}"]
    assert sentences(m.events, ["Ann", "You", "Ben"])[1] == f"You take {takes} {why}"
    m = stacked(["2D", "3S 4S", "5S"], preset, on={preset if preset in ("sequence", "jackpot") else card: 7}, deals=1)
    m.play("2D")
    assert paid(m) == [
        "seat 1 pays 2 chips to seat 0 for the cards left (MI-30)",
        "seat 2 pays 1 chip to seat 0 for the cards left (MI-30)",
        *(
            f"seat {seat} takes {n} chips from the table as a share of what nobody won (MI-Q15)"
            for seat, n in ((1, 3), (2, 2), (0, 2))
        ),
    ]


@pytest.mark.rules("MI-43")
@pytest.mark.parametrize("money", ["TH KC QD JS", "TH KC QD JS AC"])
def test_what_lies_on_the_sequence(money: str) -> None:
    m = stacked(["2C 3D", "9H TH 3C", "4C 5D"], "sequence", on={"TH": 4, "sequence": 3}, turn=1, money=money)
    lay(m, "9H TH")
    assert paid(m) == [
        "seat 1 takes 4 chips from TH for the duplicate of a money card (MI-27)",
        "seat 1 takes 3 chips from the sequence 9H TH JH (MI-43)",
    ]


@pytest.mark.rules("MI-45")
def test_the_jackpot() -> None:
    m = Match(GAME, 3, "jackpot", seed=1, dealer=1, auto=False, deals=5)
    while m.deal < 4 or m.actors:
        if m.actors:
            m.play(m.legal()[-1])
        else:
            m.next_deal()
    winner = m.results[-1].winner
    assert paid(m)[-1] == f"seat {winner} takes 9 chips from the jackpot (MI-45)"
    assert (winner, "the jackpot", 9) in [(one.seat, str(one.why), one.amount) for one in counted(m.events, (0, 0, 0))]


@pytest.mark.rules("MI-15", "MI-59")
def test_the_money_card_still_in_hand_and_the_widow() -> None:
    for seat, hands in ((1, ["2C", "3S KH", "5S"]), (2, ["2C", "3S", "5S KH"])):
        m = stacked(hands, "pope-joan", on={"KH": 4})
        m.play("2C")
        assert paid(m)[-1] == f"seat {seat} puts 4 chips on KH for the money card still in hand (MI-59)"
    m = table(["2C 3C", "3S 4S", "5S 6S"], phase="auction", turn=1, dead="7S 8S", auto=False)
    lay(m, "pass")
    m.play("bid 3")
    assert paid(m) == ["seat 2 pays 3 chips to seat 0 for the widow (MI-15)"]


@pytest.mark.parametrize("enforce", ["strict", "penalise"])
@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_is_said_of_a_pot(preset: str, enforce: str) -> None:
    """There is none: whatever is paid in a match, by any move."""
    m = Match(GAME, 4, preset, seed="pot", enforce=enforce, auto=False)
    chance, texts = random.Random(preset), set(paid(m))
    while not m.over:
        if not m.actors:
            m.next_deal()
        else:
            m.play(chance.choice(m.legal()))
        texts |= set(paid(m))
    assert len(texts) > 20
    assert not [text for text in texts if "pot" in text.replace("jackpot", "")]


@pytest.mark.rules("MI-07")
def test_who_has_most_chips_wins_the_match() -> None:
    """Even if another was out of cards last."""
    winners = set()
    for seed in range(8):
        m = Match(GAME, 3, seed=seed, deals=1)
        chance = random.Random(seed)
        while not m.over:
            m.play(chance.choice(m.legal()))
        assert m.result is not None
        most = max(m.scores)
        assert m.result.winners == tuple(seat for seat in range(3) if m.scores[seat] == most)
        winners |= set(m.result.winners)
    assert len(winners) > 1
