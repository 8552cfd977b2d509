"""What Michigan and its kin say of payments: there is no pot, so each names the card, the sequence, the jackpot or the
person it goes to or comes from.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from cardtable import Match
from cardtable.base.cards import ALL_52, card_text, parse_cards, parse_set
from cardtable.games.michigan import order
from cardtable.games.michigan.state import FOLLOWING
from cardtable.views.view import counted
from tests.games.michigan.michigan_tables import E7, GAME, PRESETS, lay, lying, rule_against, stacked, table
from tests.support.games import oracle
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
    """There is none: for any payment in a match, by any move."""
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


# Fines


def fines(m: Match, rule: str = "MI-31") -> list[tuple[int | None, int | None, int | None]]:
    """Who paid whom how much, by the last move."""
    return [(event.source, event.target, event.amount) for event in m.events if event.rule == rule]


def penal(hands: list[str], detect: str = "end", money: str = "AH KC QD JS", **keys: Any) -> Match:
    """A table under penalty, without automatic moves."""
    return table(
        hands, auto=False, options={"deals": 2, "enforce": "penalise", "detect": detect, "money": money}, **keys
    )


@pytest.mark.rules("MI-E7", "MI-31", "MI-32", "MI-Q14")
def test_withholding() -> None:
    """MI-E7: 38, 18, 34, and the 6 on KC stay; strictly 29, 28, 39."""
    m = stacked(E7, on={"KC": 6}, enforce="penalise")
    m.play("9C")
    assert (m.actors, m.legal()) == ((0,), ["pass"])
    m.play("pass")
    assert (m.actors, m.legal()) == ((1,), ["TC", "pass"])
    for move, seat in (("withhold", 2), ("pass", 0)):
        m.play(move)
        assert m.actors == (seat,)
    m.play("3H")
    assert m.scores == (38, 18, 34)
    fine, loss = "as a fine for not playing properly (MI-31)", "for what the offence cost on the money cards (MI-32)"
    assert [event.text for event in m.events if event.kind == "pay"][:3] == [
        f"seat 1 pays 1 chip to seat 2 {fine}",
        f"seat 1 pays 1 chip to seat 0 {fine}",
        f"seat 1 pays 6 chips to seat 2 {loss}",
    ]
    assert lying(m)["KC"] == 6
    strict = stacked(E7, on={"KC": 6})
    lay(strict, "9C TC JC QC KC 5D")
    assert strict.scores == (29, 28, 39)


def lead(m: Match, *cards: str) -> None:
    """Lead these cards, one sequence each; nobody adds anything."""
    for card in cards:
        m.play(card)
        while m.actors and m.view().state.phase == FOLLOWING:
            m.play("pass")


@pytest.mark.rules("MI-31", "MI-Q14", "MI-18")
def test_not_the_lowest() -> None:
    """O1: one chip to each other player, when the hands are shown."""
    m = penal(["TH 2C", "3S 9S KC", "4H 2D"], turn=1)
    assert m.legal() == ["3S", "9S", "KC", "pass"]
    lead(m, "9S", "KC")
    assert m.scores == (30, 30, 30)
    m.play("3S")
    assert fines(m) == [(1, 2, 1), (1, 0, 1)]
    assert m.scores == (29, 32, 29)


@pytest.mark.rules("MI-32", "MI-Q14")
@pytest.mark.parametrize(
    ("hands", "paid"),
    [
        (["2C 5D", "3S 9S KC", "4S JS 2D"], []),  # 5S is nowhere: the walk ends before JS
        (["2C 5S", "3S 9S KC", "4S JS 2D"], []),  # 6S is nowhere
        (["2C 4S 6S 8S", "3S 9S KC 7S", "5S JS 2D"], []),  # it continues with 9S itself, and TS is nowhere
        (["2C 4S 6S 8S TS", "3S 9S KC 7S", "5S JS 2D"], [(1, 2, 4)]),
        (["2C 4S 6S 8S JS", "3S 9S KC 7S TS", "5S 2D"], [(1, 0, 4)]),
        (["2C 4S 6S 8S", "3S 9S KC 7S TS JS", "5S 2D"], []),  # their own
    ],
)
def test_the_walk(hands: list[str], paid: list[tuple[int, int, int]]) -> None:
    """From the card that should have been led upward, as long as the next is in some hand: JS with 4 chips, if met with
    another.
    """
    m = penal(hands, turn=1, on={"JS": 4})
    lead(m, "9S")
    own = m.view(1).hand
    for card in [*(card for card in own if card[1] != "S"), *(card for card in own if card[1] == "S" and card != "JS")]:
        lead(m, card)
        if not m.actors:
            break
    while m.actors:  # clubs and spades by turns do not end it: somebody else does
        m.play(next((move for move in m.legal() if move[1] in "CD"), m.legal()[-1]))
    assert [(source, target, amount) for source, target, amount in fines(m, "MI-32") if source == 1] == paid
    assert lying(m)["JS"] == 4


@pytest.mark.rules("MI-32", "MI-Q14")
def test_a_card_that_was_played_after_all() -> None:
    """MI-32: only a money card still in that hand at the end; this one was played, and brought its chips."""
    m = penal(["2C 5D", "3S 9S KC 2H", "4S 6S 2D"], turn=1, on={"4S": 4}, money="4S KC QD JS")
    lead(m, "9S", "KC")
    lay(m, "3S pass 4S")
    assert m.scores == (30, 30, 34)
    lead(m, "2D", "6S")
    assert fines(m, "MI-32") == []
    assert fines(m) == [(1, 2, 1), (1, 0, 1)]


@pytest.mark.rules("MI-32", "MI-Q14")
def test_a_loss_is_made_good_once() -> None:
    """MI-32: seat 1 withholds TC and later leads JC before it; both walks meet KC, and it is paid for once."""
    m = penal(["9C 3H 4S", "TC JC 4H 2D 6D", "QC KC 5D"], turn=0, on={"KC": 6})
    lead(m, "9C")
    lay(m, "3H pass 4H")
    while m.view().state.phase == FOLLOWING:
        m.play("pass")
    lead(m, "JC", "2D", "TC", "6D")
    assert m.results[0].winner == 1
    assert fines(m, "MI-32") == [(1, 2, 6)]
    assert fines(m) == [(1, 2, 2), (1, 0, 2), (2, 0, 1), (2, 1, 1)]


@pytest.mark.rules("MI-32", "MI-04")
def test_the_walk_ends_with_the_ace() -> None:
    """The king before the queen: the walk goes from the queen to the ace, on which 4 chips lie."""
    m = penal(["2C 5D", "QS KS KC", "AS JH 2D"], turn=1, on={"AS": 4}, money="AS KC QD JH")
    lead(m, "KS", "KC", "QS")
    assert [paid for paid in fines(m, "MI-32") if paid[0] == 1] == [(1, 2, 4)]


@pytest.mark.rules("MI-23", "MI-31", "MI-32", "MI-Q14")
@pytest.mark.parametrize(("led", "held"), [("3S", "AS"), ("3S", "JS"), ("3D", "2S"), ("3D", "3S")])
def test_nobody_loses_by_a_barred_suit(led: str, held: str) -> None:
    """O2 costs one chip to each other player; money cards are not looked for, not even the first cards of the pack."""
    hands = ["2C 5D", f"{led} KC", f"4H {held}"]
    m = penal(hands, turn=1, barred=led[1], on={held: 4}, money=f"{held} KC QD JH")
    lead(m, led, "KC")
    assert fines(m) == [(1, 2, 1), (1, 0, 1)]
    assert fines(m, "MI-32") == []


@pytest.mark.rules("MI-24", "MI-Q16")
def test_a_pass_of_a_position_has_shown_what_could_be_led() -> None:
    m = penal(["2C 5D", "3S 9S KC", "4H JS"], "immediate", turn=2, passes=1)
    s = m.view(0).state
    assert s.shows[1] == parse_set("3S KC")
    assert s.lacks[1] == ALL_52 & ~parse_set("3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS KC AC")


@pytest.mark.rules("MI-24", "MI-25", "MI-31", "MI-Q14")
def test_passing_a_lead() -> None:
    """O3 costs; after n passes nothing wrong is possible, and the first who passed leads properly."""
    m = penal(["2C", "3S KC", "4H 5S"], turn=1, barred="S")
    lay(m, "pass pass pass")  # seat 1 could have led KC, seat 2 4H, seat 0 2C
    assert (m.actors, m.legal()) == ((1,), ["KC"])
    assert rule_against(m, "pass") == "MI-25"
    lead(m, "KC", "3S")
    assert fines(m) == [(1, 2, 1), (1, 0, 1), (2, 0, 1), (2, 1, 1), (0, 1, 1), (0, 2, 1)]


@pytest.mark.rules("MI-24", "MI-Q14")
def test_a_rightful_pass_is_free() -> None:
    """A seat without a suit that may be led passes freely."""
    m = penal(["2C 5C", "3S 4S", "5S 6S"], turn=1, barred="S")
    lay(m, "pass pass")
    lead(m, "2C")
    lay(m, "pass 3S 4S")
    assert m.results[0].winner == 1
    assert fines(m) == []


# Found out at once


@pytest.mark.rules("MI-Q16", "MI-Q14", "MI-31")
def test_found_out_at_once() -> None:
    """MI-Q16: the fine is paid at once, what proves the offence is shown; compensation waits for the end."""
    m = stacked(E7, on={"KC": 6}, enforce="penalise", detect="immediate")
    m.play("9C")
    m.play("pass")
    assert m.view(2).state.lacks[0] & parse_set("TC")  # no fine: they do not hold it
    m.play("pass")
    assert m.scores == (31, 28, 31)
    assert [(event.source, event.card) for event in m.events if event.kind == "show"] == [(1, "TC")]
    assert m.view(2).state.shows[1] & parse_set("TC")
    assert m.actors == (0,)  # a stop: nobody else is asked
    m.play("3H")
    assert m.scores == (38, 18, 34)
    for barred in ("", "S"):  # a card that is neither the lowest nor of an allowed suit is one offence
        m = penal(["2C", "3S 9S KC", "4H 5S"], detect="immediate", turn=1, barred=barred)
        m.play("9S")
        assert [(event.source, event.card) for event in m.events if event.kind == "show"] == [(1, "3S")]
        assert fines(m) == [(1, 2, 1), (1, 0, 1)]
    m = penal(["2C", "3S 9S KC", "4H 5S"], detect="immediate", turn=1, barred="H")
    m.play("pass")
    assert [event.card for event in m.events if event.kind == "show"] == ["3S", "KC"]
    assert m.scores == (31, 28, 31)
    assert m.view(0).state.lacks[1] & parse_set("2S 5S") == parse_set("2S")


@pytest.mark.rules("MI-Q18", "MI-Q16")
def test_nobody_sees_who_withholds() -> None:
    """MI-Q18: detect=end: who withholds the next card, and who lacks it, look the same to the others, to the last
    bit.
    """
    able = stacked(["9C 3H", "TC 2D", "4C 5D"], enforce="penalise")
    unable = stacked(["9C 3H", "4C 2D", "TC 5D"], enforce="penalise")
    for m in (able, unable):
        lay(m, "9C pass pass")
        assert m.actors == (2,)
    assert oracle.seen(able._s, 0) == oracle.seen(unable._s, 0)
    for m in (able, unable):
        m.play("pass")
    assert oracle.seen(able._s, 0) == oracle.seen(unable._s, 0)


@pytest.mark.rules("MI-31", "MI-15")
def test_fines_under_table_credit() -> None:
    """Nobody pays more than they have."""
    options = {"enforce": "penalise", "detect": "immediate", "credit": "table"}
    m = table(["2C 4D", "3S 9S KC", "4H 5S"], auto=False, turn=1, stacks=[5, 1, 5], options=options)
    m.play("9S")
    assert fines(m) == [(1, 2, 1)]
    assert m.scores == (5, 0, 6)


# Their order

RANKS = "23456789TJQKA"
SUITS = "SHDC"


def strength(card: int) -> int:
    """0 for a 2, 12 for an ace."""
    return RANKS.index(card_text(card)[0])


@pytest.mark.rules("MI-04")
def test_the_order_of_a_suit() -> None:
    for suit in SUITS:
        cards = parse_cards(" ".join(rank + suit for rank in RANKS))
        for card, following in itertools.pairwise(cards):
            assert order.after(card) == following
        assert order.after(cards[-1]) == -1
        for n, card in enumerate(cards):
            assert order.below(card) == sum(1 << lower for lower in cards[:n])


@pytest.mark.rules("MI-04", "MI-25", "MI-Q7")
def test_the_lowest_card_of_all() -> None:
    """Of any two cards: the lower one, or both if they are equal."""
    for a, b in itertools.combinations(range(52), 2):
        least = min(strength(a), strength(b))
        lowest = sum(1 << card for card in (a, b) if strength(card) == least)
        assert order.lowest_of_all(1 << a | 1 << b) == lowest, (card_text(a), card_text(b))
        assert order.lower_ranks(a) >> b & 1 == (strength(b) < strength(a)), (card_text(a), card_text(b))


@pytest.mark.rules("MI-05", "MI-58")
def test_money_cards_that_a_house_may_choose() -> None:
    """And the largest dress."""
    for money in ("AH KC QD JS", "KC AH QD JS AC", "2S 3S 4S 5S", "AS KC QD JS"):
        assert list(lying(Match(GAME, 4, seed=1, money=money))) == money.split()
    m = Match(GAME, 4, "pope-joan", seed=1, money="9D KC QS JH", dress="9D1000 KC0 QS1 JH2", stack=5000)
    assert lying(m) == {"9D": 1000, "KC": 0, "QS": 1, "JH": 2}
