"""Thirty-One by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from cardtable import Match, NotationError, OptionError
from cardtable.base.cards import parse_set
from cardtable.games.thirty_one import state
from cardtable.games.thirty_one.state import count_of
from cardtable.rules import catalog, contract
from cardtable.rules.events import Event
from tests.support.games.tables import hand, pack_with, paid, refused, result, told

GAME = "thirty-one"
LOW, MID, HIGH = "2S 3H 4D", "9S 7S 2C", "KC QC 5C"  # count 4, 16, 25


def sit(hands: Sequence[str], *, auto: bool = True, options: dict[str, Any] | None = None, **keys: Any) -> Match:
    """A hand in the middle."""
    return Match.from_position(
        {"game": GAME, "hands": list(hands), "options": options or {}} | keys, seed="thirty", auto=auto
    )


def dealt(
    hands: dict[int, str], seats: int, dealer: int, upcard: str = "", stock: str = "", seed: int = 1, **options: Any
) -> Match:
    """A match whose first deal has these hands, this upcard and this top of the stock."""
    row = pack_with(hands, seats, dealer, 3).split()
    wanted = [*upcard.split(), *stock.split()]
    rest = [card for card in row[3 * seats :] if card not in wanted]
    first = row[: 3 * seats]
    for i, card in enumerate(first):  # a named card lay in a hand that was filled up
        if card in wanted:
            first[i] = rest.pop()
    pile = [upcard or rest.pop(0), *stock.split(), *rest]
    return Match.from_pack(" ".join(first + pile), GAME, seats, dealer=dealer, seed=seed, **options)


def play_on(m: Match, text: str) -> None:
    for move in text.split():
        m.play(move)


def knocked(hands: Sequence[str], **keys: Any) -> Match:
    """Seat 0 knocks, and everybody else draws a card from the stock and throws it away."""
    drawn = ["2H", "3D", "4C"][: sum(map(bool, hands)) - 1]
    m = sit(hands, turn=0, discards="8C", **{"stock": " ".join(drawn)} | keys)
    m.play("knock")
    for card in str(keys.get("stock", "")).split() or drawn:
        play_on(m, f"stock {card}")
    return m


def markers(m: Match) -> list[int]:
    """What each seat's place says: its markers or corners; -1: out."""
    return [zone.notes.get("markers", zone.notes.get("corners", -1)) for zone in m.view().zones if zone.kind == "hand"]


def middle(m: Match) -> str:
    """What lies in the middle."""
    return next(zone.text for zone in m.view().zones if str(zone.label) == "in the middle")


def counts(events: Sequence[Event]) -> dict[int | None, int | None]:
    return {event.source: event.amount for event in events if event.kind == "count"}


# The deal


@pytest.mark.rules("TO-03", "TO-05", "TO-06", "TO-08")
def test_the_deal() -> None:
    """One pack; three cards each, singly from eldest; the next is the upcard, the rest the stock; eldest begins."""
    m = Match.from_pack(" ".join(rank + suit for suit in "SHDC" for rank in "A23456789TJQK"), GAME, 4, dealer=1)
    assert [hand(m, seat) for seat in (2, 3, 0, 1)] == [
        ["AS", "5S", "9S"],
        ["2S", "6S", "TS"],
        ["3S", "7S", "JS"],
        ["4S", "8S", "QS"],
    ]
    zones = {zone.name: zone for zone in m.view().zones}
    assert (zones["discards"].cards, zones["stock"].count) == (("KS",), 39)
    assert m.actors == (2,)
    assert m.scores == (4, 4, 4, 4)
    m.play("stock")
    assert "AH" in hand(m, 2)
    m.play("AH")
    assert m.actors == (3,)


@pytest.mark.rules("TO-Q1")
def test_players() -> None:
    """Two to nine, four if nobody says; nine use 28 cards at the deal."""
    assert Match(GAME).seats == 4
    assert (catalog.find(GAME).seats, catalog.find("scat").name) == ((2, 9), GAME)
    m = Match(GAME, 9, seed=1)
    assert next(zone.count for zone in m.view().zones if zone.kind == "stock") == 52 - 28
    for seats in (1, 10):
        with pytest.raises(OptionError):
            Match(GAME, seats)


@pytest.mark.rules("TO-Q2")
def test_dealers() -> None:
    """By lot or by name, then to the left; who is out is skipped."""
    assert {Match(GAME, 9, seed=seed).dealer for seed in range(60)} == set(range(9))
    assert Match(GAME, 9, seed=1, first_dealer="seat 8").dealer == 8
    with pytest.raises(OptionError):
        Match(GAME, 3, first_dealer="seat 3")
    m = knocked([LOW, MID, HIGH, ""], markers=[4, 4, 4, 0], out=[3], dealer=2)
    assert (m.deal, m.dealer, m.actors) == (2, 0, (1,))


# Counting


@pytest.mark.rules("TO-E1", "TO-02", "TO-07", "TO-14", "TO-15", "TO-Q6", "TO-Q14")
def test_counts() -> None:
    """TO-E1, and the house rule of the best suit; nothing counts more than 31 or less than 2."""
    for text, value, best in [
        ("KH 9S 7C", 10, 10),
        ("9D 7D AC", 16, 16),
        ("AH KH TH", 31, 31),
        ("7C 5C JD", 12, 12),
        ("2H 3H AS", 5, 11),
        ("5S 5H 5D", 5, 5),
        ("AS KS 9S", 30, 30),
        ("2S 2H 2D", 2, 2),
        ("AS KH QD", 11, 11),
        ("8S 2S 9S", 19, 19),
        ("4S 5S 9C", 9, 9),
        ("AS TS QS", 31, 31),
        ("AD JD QD", 31, 31),
        ("AC TC KC", 31, 31),
        ("AC 9C KC", 30, 30),
        ("KC QC JC", 30, 30),
        ("AC KC QD", 21, 21),
    ]:
        assert (count_of(parse_set(text), 0), count_of(parse_set(text), 1)) == (value, best), text
        assert state.is_blitz(parse_set(text)) == (value == 31)
    assert (count_of(0, 0), count_of(0, 1)) == (0, 0)
    rng = np.random.RandomState(5)
    for _ in range(1000):
        cards = sum(1 << int(card) for card in rng.choice(52, 3, replace=False))
        assert 2 <= count_of(cards, 0) <= count_of(cards, 1) <= 31
        assert state.is_blitz(cards) == (count_of(cards, 0) == 31)


@pytest.mark.rules("TO-Q6")
def test_the_best_suit_at_the_table() -> None:
    """odd_card: 2H 3H AS is lowest as a pair (5), not as an ace (11)."""
    hands = ["2H 3H AS", "5D 4D 2C"]
    assert knocked(hands, stock="9H").scores == (2, 4)
    assert knocked(hands, stock="9H", options={"odd_card": "best_suit"}).scores == (4, 3)


# Turns


@pytest.mark.rules("TO-09")
def test_a_turn_is_a_card_taken_and_a_card_discarded() -> None:
    m = sit([MID, LOW, HIGH], turn=0, stock="KD", discards="8C TH")
    assert m.legal() == ["stock", "upcard", "knock"]
    assert refused(m, "9S") == "TO-09"
    m.play("stock")
    assert m.legal() == ["7S", "9S", "KD", "2C"]
    for move, rule in [("stock", "TO-09"), ("upcard", "TO-09"), ("knock", "TO-11"), ("AH", "TO-09")]:
        assert refused(m, move) == rule
    m.play("2C")
    assert next(zone.cards for zone in m.view().zones if zone.name == "discards") == ("2C",)
    assert m.actors == (1,)
    m.play("upcard")
    assert "2C" in hand(m, 1)
    assert [(event.source, event.card, event.viewer) for event in m.events] == [(1, "2C", None)]


@pytest.mark.rules("TO-Q4")
def test_an_upcard_just_taken_stays_but_a_drawn_card_need_not() -> None:
    m = sit([MID, LOW], turn=0, stock="KD", discards="8C")
    m.play("upcard")
    assert "8C" not in m.legal()
    assert len(m.legal()) == 3
    assert refused(m, "8C") == "TO-Q4"
    m.play("2C")
    play_on(m, "stock KD stock")
    assert "8C" in m.legal()  # in a later turn it may go


@pytest.mark.rules("TO-11", "TO-Q11", "TO-Q12")
def test_knocking() -> None:
    """In any turn before drawing, eldest's first too; once a hand; or not before all have had a turn."""
    m = Match(GAME, 3, seed=2)
    assert "knock" in m.legal()
    m.play("knock")
    assert m.legal() == ["stock", "upcard"]
    assert refused(m, "knock") == "TO-Q12"
    m = dealt({0: MID, 1: LOW, 2: HIGH}, 3, 2, "8C", "2H 3D 4C", first_round_knock="forbidden")
    for card in ("2H", "3D", "4C"):
        assert m.legal() == ["stock", "upcard"]
        assert refused(m, "knock") == "TO-Q11"
        play_on(m, f"stock {card}")
    assert "knock" in m.legal()


@pytest.mark.rules("TO-E8", "TO-12", "TO-13", "TO-Q13")
def test_one_turn_each_after_a_knock() -> None:
    """TO-E8: seat 1 draws, 2 knocks, 3, 0 and 1 have a turn; then all is shown."""
    hands = {0: "9S 7S 2C", 1: "2S 3H 4D", 2: "KC QC 5C", 3: "8H 7H 6C"}
    m = dealt(hands, 4, 0, "8C", "2H 3D 4C 5D")
    play_on(m, "stock 2H knock")
    order = []
    for card in ("3D", "4C", "5D"):
        order.append(m.actors[0])
        assert m.deal == 1
        play_on(m, f"stock {card}")
    assert (order, m.deal) == ([3, 0, 1], 2)
    assert counts(m.events) == {0: 16, 1: 4, 2: 25, 3: 15}
    shown = [event.card for event in told(m, "show") if event.source == 2]
    assert sorted(filter(None, shown)) == ["5C", "KC", "QC"]
    assert m.scores == (4, 3, 4, 4)


# Who loses


@pytest.mark.rules("TO-E2", "TO-16", "TO-17")
def test_a_knocker_who_is_lowest_pays_double() -> None:
    """TO-E2: 17, 20, 25; and if another is lowest they pay one."""
    m = knocked(["9S 8S 2C", "KH TH 3C", "KC QC 5C"])
    assert counts(m.events) == {0: 17, 1: 20, 2: 25}
    assert (m.scores, m.results[0].payoff) == ((2, 4, 4), (-2, 0, 0))
    assert paid(m.events) == [(0, None, 2, "TO-17")]
    m = knocked([MID, LOW, HIGH])
    assert (m.scores, paid(m.events)) == ((4, 3, 4), [(1, None, 1, "TO-16")])


@pytest.mark.rules("TO-E3", "TO-Q7")
def test_ties_spare_the_knocker() -> None:
    """TO-E3: the three cases."""
    assert knocked(["9S 8S 2C", "9H 8H 2S", HIGH]).scores == (4, 3, 4)
    assert knocked([HIGH, "9H 8H 2S", "9S 8S 2C"]).scores == (4, 3, 3)
    m = knocked(["KS QS 2C", "KH QH 2S", "KD QD 4H"])
    assert (m.scores, counts(m.events)) == ((4, 3, 3), {0: 20, 1: 20, 2: 20})
    for knocker in (1, 2):
        m = sit(["KS QS 2C", "KH QH 2S", "KD QD 4H"], turn=knocker, stock="3H 4D", discards="8C")
        play_on(m, "knock stock 3H stock 4D")
        assert m.scores == tuple(4 if seat == knocker else 3 for seat in range(3))


BLITZ_HANDS = {0: "AD KD TD", 1: "KH 9H 2C", 2: "QS 8S 3S", 3: "7C 5C JD"}


@pytest.mark.rules("TO-E4", "TO-10", "TO-Q10", "TO-16")
def test_a_blitz_hits_only_the_lowest() -> None:
    """TO-E4: 31, 19, 21, 12; with all_others everybody else pays."""
    start = [BLITZ_HANDS[p] for p in range(4)]
    for rule, scores in (("lowest", (4, 4, 4, 3)), ("all_others", (4, 3, 3, 3))):
        m = sit(["AD KD 2D", *start[1:]], turn=0, stock="TD", options={"blitz_penalty": rule})
        play_on(m, "stock 2D")
        assert m.moves[-1].move == "blitz"
        assert m.moves[-1].forced
        assert counts(m.events) == {0: 31, 1: 19, 2: 21, 3: 12}
        assert (m.scores, m.deal) == (scores, 2)
        assert {event.rule for event in m.events if event.kind == "pay"} == {"TO-16" if rule == "lowest" else "TO-Q10"}


@pytest.mark.rules("TO-Q3", "TO-10", "TO-E4")
def test_a_blitz_on_the_deal() -> None:
    """Nobody has a turn; two at once are both shown; it cannot be hidden."""
    m = dealt(BLITZ_HANDS, 4, 3, seed=1)
    assert ([act.move for act in m.moves], m.scores, m.deal) == (["blitz"], (4, 4, 4, 3), 2)
    m = dealt(BLITZ_HANDS, 4, 1, seed=1)  # whichever seat is eldest
    assert ([(act.seat, act.move) for act in m.moves], m.scores) == ([(0, "blitz")], (4, 4, 4, 3))
    m = dealt(BLITZ_HANDS, 4, 1, auto=False)
    assert (m.actors, m._s.showing) == ((0,), 1)
    m = Match.from_position({"game": GAME, "hands": ["KC 9C 2H", "AS KS QS", "AH KH QH", BLITZ_HANDS[3]]}, auto=False)
    assert (m.actors, m.legal()) == ((1,), ["blitz"])
    assert hand(m, 2) == ["AH", "QH", "KH"]
    assert [zone.cards for zone in m.view(3).zones if zone.name == "hand-1"] == [("AS", "QS", "KS")]  # shown at once
    for move in ("knock", "stock", "AS"):
        assert refused(m, move) == "TO-10"
    m.play("blitz")
    assert m.scores == (4, 4, 4, 3)


@pytest.mark.rules("TO-Q3", "TO-10")
def test_four_cards_are_no_blitz() -> None:
    """With four cards the right one must still be discarded; and who has not 31 cannot show it."""
    m = sit(["AD KD 2D", LOW, MID], turn=0, stock="TD 3C 4C")
    assert refused(m, "blitz") == "TO-10"
    m.play("stock")
    assert refused(m, "blitz") == "TO-Q3"
    m.play("TD")
    assert (m.actors, m.deal) == ((1,), 1)
    m = sit(["AD KD 2D", LOW, MID], turn=0, stock="TD 3C 4C", auto=False)
    play_on(m, "stock 2D")
    assert (m.actors, m.legal(), m._s.showing) == ((0,), ["blitz"], 1)


@pytest.mark.rules("TO-E5", "TO-Q9", "TO-17")
def test_a_blitz_after_a_knock() -> None:
    """TO-E5: C gets no turn and the knocker, lowest, pays one; a knocker who shares the lowest place is not spared."""
    hands = ["8S 7S 2C", "AD KD 2H", "TH 8H 3C"]
    m = sit(hands, turn=0, stock="QD")
    play_on(m, "knock stock 2H")
    assert [act.seat for act in m.moves] == [0, 1, 1, 1]
    assert (m.scores, paid(m.events)) == ((3, 4, 4), [(0, None, 1, "TO-16")])
    assert counts(m.events) == {0: 15, 1: 31, 2: 18}
    m = sit(["8S 7S 2C", "AD KD 2H", "8H 7H 3C"], turn=0, stock="QD")
    play_on(m, "knock stock 2H")
    assert m.scores == (3, 4, 3)
    m = sit(hands, turn=0, stock="QD", options={"blitz_penalty": "all_others"})
    play_on(m, "knock stock 2H")
    assert m.scores == (3, 4, 3)
    m = sit(["AS KS 9S", "AD KD 2H", "AH KH 9H"], turn=0, stock="QD", options={"blitz_penalty": "all_others"})
    play_on(m, "knock stock 2H")
    assert (m.scores, counts(m.events)) == ((3, 4, 3), {0: 30, 1: 31, 2: 30})


@pytest.mark.rules("TO-E9", "TO-Q7", "TO-Q10")
@pytest.mark.parametrize("rule", ["lowest", "all_others"])
def test_all_level(rule: str) -> None:
    """TO-E9: both have 31; nobody loses, and the next dealer deals."""
    m = dealt({0: "AH KH QH", 1: "AS KS QS"}, 2, 1, blitz_penalty=rule)
    assert (m.scores, m.deal, m.dealer) == ((4, 4), 2, 0)
    assert (m.results[0].payoff, m.results[0].winner) == ((0, 0), None)
    assert [(event.source, event.amount, event.rule) for event in told(m, "level")] == [(None, 0, "TO-Q7")]
    m = sit(["AH KH QH", "AS KS QS", ""], out=[2], dealer=1, options={"blitz_penalty": rule}, auto=False)
    m.play("blitz")  # who is out is nobody who is lower
    assert (m.scores, m._s.level, len(told(m, "level"))) == ((4, 4, 0), 1, 1)


# Markers, and the end


@pytest.mark.rules("TO-E6", "TO-18", "TO-19", "TO-Q8", "TO-04")
def test_grace_and_double() -> None:
    """TO-E6: one marker, a double loss: none, but still in; lowest again: out, and the note lies in the middle."""
    m = knocked(["2S 3H 4D", MID, HIGH], markers=[1, 4, 4], options={"stake": "banknote"})
    assert (m.scores, m.deal, middle(m)) == ((0, 4, 4), 2, "0 banknotes")
    assert hand(m, 0)
    assert [(event.source, event.amount, event.rule) for event in told(m, "score")] == [(0, -1, "TO-17")]
    m = knocked(["2S 3H 4D", MID, HIGH], markers=[0, 4, 4], options={"stake": "banknote"})
    assert (m.scores, m.results[0].payoff) == ((0, 4, 4), (-1, 0, 0))
    assert [(event.source, event.amount, event.rule) for event in told(m, "out")] == [(0, 0, "TO-19")]
    assert (hand(m, 0), middle(m), markers(m)) == ([], "1 banknote", [-1, 4, 4])
    assert set(m.actors) <= {1, 2}
    m = knocked([MID, LOW, HIGH], markers=[4, 0, 4])  # out with a single loss too
    assert hand(m, 1) == []


@pytest.mark.rules("TO-E7", "TO-05")
def test_markers_given_up_lie_in_the_middle() -> None:
    """TO-E7: losses of 1, 2 and 1 out of 16: 12 and 4; no marker is ever lost, nor any card."""
    m = knocked([MID, LOW, HIGH, "8H 7H 6C"], markers=[4, 4, 3, 4])
    assert (m.scores, middle(m)) == ((4, 3, 3, 4), "2 markers")
    m = knocked([LOW, MID, HIGH, "8H 7H 6C"], markers=[4, 3, 4, 4])
    assert (m.scores, middle(m)) == ((2, 3, 4, 4), "3 markers")
    m = knocked([MID, LOW, HIGH, "8H 7H 6C"], markers=[2, 3, 4, 4])
    assert (m.scores, middle(m)) == ((2, 2, 4, 4), "4 markers")


@pytest.mark.rules("TO-20", "TO-04", "TO-16")
def test_the_last_one_left_wins_all() -> None:
    """The last opponent goes out: the match is over, and the winner gets every note, even with no corner left."""
    m = knocked([MID, LOW, ""], markers=[0, 0, 0], out=[2], dealer=1, options={"stake": "banknote"})
    assert m.over
    assert (result(m).winners, m.scores) == ((0,), (0, 0, 0))
    assert m.results[0].winner == 0
    assert [(event.source, event.amount, event.rule) for event in told(m, "left")] == [(0, 0, "TO-20")]
    assert [event.text for event in told(m, "notes")] == ["seat 0 takes banknotes from the middle: 3 (TO-20)"]
    assert middle(m) == "0 banknotes"


@pytest.mark.rules("TO-20", "TO-19", "TO-E7")
@pytest.mark.parametrize("seats", [2, 4, 9])
def test_whole_matches(seats: int) -> None:
    """Played to the end: seats go out one by one, markers are conserved, one is left."""
    m = Match(GAME, seats, seed="whole", pause=True)
    turn = 0
    while not m.over:
        if not m.actors:
            assert sum(m.scores) + next(zone.count for zone in m.view().zones if zone.kind == "pot") == 4 * seats
            m.next_deal()
            continue
        if not m.deals[-1].acts:
            alive = [zone.seat for zone in m.view().zones if zone.kind == "hand" and "out" not in zone.notes]
            assert [seat for seat in range(seats) if hand(m, seat)] == alive
        legal = m.legal()
        turn += 1
        m.play(legal[turn * 7 % len(legal)])
    assert len(result(m).winners) == 1
    assert sum(result.payoff.count(0) < seats for result in m.results) >= seats - 1


# The stock


@pytest.mark.rules("TO-Q5")
def test_a_new_stock() -> None:
    """All discards but the upcard are shuffled; everybody knows what is in it."""
    hands = [MID, "AS 3H 4D"]
    before = others([*hands, "KD"])
    m = sit(hands, turn=0, stock="KD", discards=" ".join(before))
    play_on(m, "stock KD")
    assert m.legal() == ["stock", "upcard", "knock"]
    sizes = [zone.count for zone in m.view().zones if zone.kind in ("stock", "pile")]
    m.play("stock")
    assert (sizes, [zone.count for zone in m.view().zones if zone.kind in ("stock", "pile")]) == ([0, 46], [44, 1])
    assert next(zone.cards for zone in m.view().zones if zone.name == "discards") == ("KD",)
    assert [event.text for event in told(m, "restock")] == [
        "the discards are shuffled into a new stock of 45 cards (TO-Q5)"
    ]
    assert set(m.position().keys["new_stocks"][0].split()) == set(before)
    under = m.position().keys["stock"].split()
    assert {*under, *hand(m, 1)} - {*hands[1].split()} == set(before)
    # shuffled
    assert under not in ([card for card in before if card in under], [card for card in before[::-1] if card in under])


def others(named: Sequence[str]) -> list[str]:
    held = " ".join(named).split()
    return [rank + suit for suit in "SHDC" for rank in "A23456789TJQK" if rank + suit not in held]


@pytest.mark.rules("TO-Q5", "TO-17")
def test_a_fourth_new_stock_is_not_made() -> None:
    """Three are; then the hand ends, a knocker who is lowest pays one, and level players lose nothing."""
    m = Match(GAME, 2, seed=3)
    while m.deal == 1:
        m.play("stock")
        if m.deal == 1:
            m.play(m.legal()[0])
    acts = [act for act in m.moves if act.deal == 1]
    assert sum(act.move == "stock" for act in acts) == 4 * 45 + 1
    assert [(event.source, event.amount, event.rule) for event in told(m, "enough")] == [(None, 0, "TO-Q5")]
    assert sum(m.scores) in (7, 8)
    s = m._s  # nothing of the three new stocks is left in the next deal
    assert (s.stocks, s.turn_count, s.restocked.any(), s.known.any(), s.turns.any()) == (0, 0, False, False, False)
    assert s.hidden[:2].tolist() == [[3, 0, 0, 0]] * 2
    assert not s.stock[s.stock_count :].any()
    assert not s.pile[1:].any()
    stocks = [" ".join(others([MID, LOW, HIGH, "AH"]))] * 3
    m = sit([LOW, MID, HIGH], turn=1, knocker=0, stock="", discards=f"{stocks[0]} AH", new_stocks=stocks)
    m.play("stock")
    assert (m.scores, paid(m.events)) == ((3, 4, 4), [(0, None, 1, "TO-16")])


# Nothing continues for ever


@pytest.mark.rules("TO-Q15")
def test_upcards_are_not_taken_for_ever() -> None:
    m = sit([MID, LOW], turn=0, takes=99, discards="8C")
    play_on(m, "upcard 2C")
    assert m.legal() == ["stock", "knock"]
    assert refused(m, "upcard") == "TO-Q15"
    m = Match(GAME, 2, seed=5)
    while m.deal == 1:
        m.play("upcard" if "upcard" in m.legal() else "stock")
        if m.deal == 1:
            m.play(m.legal()[-1])
    moves = [act.move for act in m.moves if act.deal == 1]
    assert moves.count("upcard") <= 100
    bounds = np.zeros(3)
    contract.bounds(m._s, bounds)
    assert len(moves) <= bounds[0]


@pytest.mark.rules("TO-Q16")
def test_level_hands_do_not_go_on_for_ever() -> None:
    """The twentieth in a row ends the match; one loss in between and the count begins again."""
    level = ["AH KH QD", "AS KS QC", ""]
    m = sit([*level], turn=0, level=19, dealer=1, out=[2], stock="QH QS", options={"stake": "banknote"}, auto=False)
    play_on(m, "stock QD blitz")
    assert not m.over  # seat 1 has 21
    m = sit(["AH KH QH", "AS KS QS", ""], dealer=1, level=19, out=[2], options={"stake": "banknote"}, auto=False)
    m.play("blitz")
    assert (result(m).winners, m.results[0].winner) == ((0, 1), None)
    assert [event.text for event in told(m, "notes")] == [
        "seat 0 takes banknotes from the middle: 2 (TO-Q16)",
        "seat 1 takes banknotes from the middle: 1 (TO-Q16)",
    ]
    m = sit(["AH KH QH", "AS KS QS"], level=18, auto=False)
    m.play("blitz")
    assert not m.over
    m = sit([MID, LOW], turn=0, level=19, stock="9H", discards="8C")
    play_on(m, "knock stock 9H")
    assert "level" not in m.position().keys


# Words


def test_notation() -> None:
    m = sit([MID, LOW], turn=0, stock="KD", discards="8C")
    words = m.game.presentation
    for text, move in [
        ("STOCK", 52),
        ("draw stock", 52),
        ("s", 52),
        ("Take Upcard", 53),
        ("u", 53),
        ("KNOCK", 54),
        ("31", 55),
        ("discard 7♥", 19),
        ("7h", 19),
    ]:
        assert words.parse_move(m._s, text) == move
    with pytest.raises(NotationError):
        words.parse_move(m._s, "pass")


def test_the_count_of_ones_own_hand_is_what_counts() -> None:
    """Of four cards, that of the best hand that a discard can leave; the hands of others count only when they are
    open.
    """
    m = sit([MID, LOW], turn=0, stock="8S KS", discards="8C")

    def figures(viewer: int) -> list[Any]:
        return [[f.figure for f in zone.facts if f.figure] for zone in m.view(viewer).zones if zone.kind == "hand"]

    assert (figures(0), figures(1)) == ([[(16,)], []], [[], [(4,)]])
    m.play("stock")
    assert figures(0) == [[(24,)], []]


def test_the_upcard_that_was_taken_cannot_be_left_out_of_the_count() -> None:
    m = sit(["KH QH JH", LOW], turn=0, stock="8S", discards="2H")
    m.play("upcard")
    assert next(zone.notes["count"] for zone in m.view(0).zones if zone.name == "hand-0") == 22


def test_what_a_taken_upcard_tells() -> None:
    """It is said next to the hand that took it, until it is discarded."""
    m = sit([MID, LOW], turn=0, stock="KD 3C", discards="8C")
    play_on(m, "upcard 2C")
    assert next(zone.notes["took"] for zone in m.view(1).zones if zone.name == "hand-0") == "8C"
    play_on(m, "stock KD stock 8C")
    assert "took" not in next(zone.notes for zone in m.view(1).zones if zone.name == "hand-0")
