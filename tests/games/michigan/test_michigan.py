"""Michigan by the book: the deal, the widow, leads, stops, money cards and the end (the other games:
test_michigan_kin).
"""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import IllegalMove, Match, NotationError, OptionError, PositionError
from cardtable.base.cards import parse_cards, parse_set
from cardtable.games.michigan.state import LEADING
from tests.games.michigan.michigan_tables import (
    E7,
    GAME,
    PRESETS,
    lay,
    lying,
    pack_for,
    piles,
    place,
    rule_against,
    stacked,
    table,
    won_from,
)
from tests.support.games.trick_tables import zone

E1 = ["TS QS 4D", "3S 9S KS 6D", "JS AS 7D"]
E1_CHIPS = {"AH": 3, "KC": 3, "QD": 3, "JS": 6}


# The deal


@pytest.mark.rules("MI-03", "MI-09", "MI-10", "MI-11", "MI-Q4", "MI-18")
@pytest.mark.parametrize(
    ("seats", "widow", "hands"),
    [
        (3, 13, [13, 13, 13]),
        (4, 11, [11, 10, 10, 10]),
        (5, 9, [9, 9, 9, 8, 8]),
        (6, 8, [8, 8, 7, 7, 7, 7]),
        (7, 7, [7, 7, 7, 6, 6, 6, 6]),
        (8, 6, [6, 6, 6, 6, 6, 6, 5, 5]),
    ],
)
def test_the_deal_with_an_extra_hand(seats: int, widow: int, hands: list[int]) -> None:
    """MI-09 to MI-11: one hand more than players; the widow gets the first card, then eldest, who leads (MI-18,
    MI-Q4).
    """
    pack = pack_for({}, seats, dealer=1)
    m = Match(GAME, seats, seed=3, dealer=1, auto=False)
    counts = {zone.name: zone.count for zone in m.view().zones}
    assert counts["dead"] == widow
    assert [counts[f"hand-{(2 + i) % seats}"] for i in range(seats)] == hands
    dealt = Match.from_pack(pack, GAME, seats, dealer=1, auto=False)
    cards = parse_cards(pack)
    assert set(parse_cards(str(dealt.position().keys["dead"]))) == set(cards[:: seats + 1])
    assert set(parse_cards(" ".join(dealt.view(2).hand))) == set(cards[1 :: seats + 1])
    assert dealt.actors == (1,)
    dealt.play("keep")
    while dealt.legal()[0] == "pass":
        dealt.play("pass")
    assert dealt.actors == (2,)


@pytest.mark.rules("MI-03")
@pytest.mark.parametrize("preset", PRESETS)
def test_three_to_eight(preset: str) -> None:
    """MI-03: fewer and more are refused; four sit down if nobody says how many."""
    for seats in (2, 9):
        with pytest.raises(OptionError):
            Match(GAME, seats, preset)
    assert Match(GAME, None, preset).seats == 4


@pytest.mark.rules("MI-08", "MI-04")
def test_the_highest_card_deals() -> None:
    """MI-08: ace high; then the deal moves left."""
    best = set()
    for seed in range(60):
        m = Match(GAME, 5, seed=seed, auto=False)
        cuts = {str(event.card): event for event in m.events if event.kind == "cut"}
        assert {event.rule for event in cuts.values()} == {"MI-08"}
        if len(cuts) == 5:  # nobody had to cut again
            best.add(max(cuts, key=lambda card: "23456789TJQKA".index(card[0])))
            assert cuts[max(cuts, key=lambda card: "23456789TJQKA".index(card[0]))].source == m.dealer
    assert any(card[0] == "A" for card in best)
    m = Match(GAME, 3, seed=1, dealer=2)
    while m.deal == 1:
        m.play(m.legal()[0])
    assert m.dealer == 0


@pytest.mark.rules("MI-05", "MI-06", "MI-Q1", "MI-50", "MI-57")
def test_money_cards_and_stakes() -> None:
    """MI-06: 1 chip from everybody on each, the dealer too; MI-Q1: or 2 from the dealer."""
    m = Match(GAME, 4, seed=1, dealer=0)
    assert lying(m) == {"AH": 4, "KC": 4, "QD": 4, "JS": 4}
    assert m.scores == (46, 46, 46, 46)
    m = Match(GAME, 4, seed=1, dealer=0, dealer_stake=2)
    assert (lying(m)["AH"], m.scores) == (5, (42, 46, 46, 46))
    assert list(lying(Match(GAME, 4, "boodle", seed=1))) == ["AH", "KD", "QS", "JC"]
    assert list(lying(Match(GAME, 4, "pope-joan", seed=1))) == ["9D", "TD", "JC", "QS", "KH"]


@pytest.mark.rules("MI-E4", "MI-28", "MI-06")
def test_chips_stay_until_they_are_won() -> None:
    """MI-E4: 4, then 8, then 12 on KC, as long as it is dead."""
    pack = pack_for({"widow": "KC", 1: "2S AS", 2: "2H", 3: "2D", 0: "2C"}, 4, 0)
    m = Match.from_pack(pack, GAME, 4, dealer=0, auto=False, auction="none", deals=4)
    for chips in (4, 8, 12):
        assert lying(m)["KC"] == chips
        m.play("keep")
        while m.actors:
            m.play(m.legal()[0])
        m.next_deal(pack_for({"widow": "KC"}, 4, chips // 4))


# The widow


@pytest.mark.rules("MI-13", "MI-16", "MI-17")
def test_the_dealer_exchanges() -> None:
    """MI-13: the dealer takes the widow unseen by others, once; the dealer's own hand is dead and takes no part."""
    m = Match(GAME, 4, seed=5, dealer=0, auto=False)
    before, widow = m.view(0).hand, m.position().keys["dead"]
    assert m.legal() == ["exchange", "keep"]
    assert not any(card for seat in (None, 0, 1) for card in zone(m, "dead", seat).cards)
    m.play("exchange")
    assert m.view(0).hand == str(widow).split()
    dead = {seat: zone(m, "dead", seat) for seat in (None, 0, 1)}
    assert list(dead[0].cards) == before
    assert not any(dead[1].cards + dead[None].cards)
    assert (dead[None].count, m.actors) == (10, (1,))
    assert rule_against(m, "exchange") == "MI-16"


@pytest.mark.rules("MI-E3", "MI-14", "MI-15", "MI-Q3")
def test_the_auction() -> None:
    """MI-E3: 2, pass, 3, 5, pass; seat 1 pays 5 and takes the eleven cards."""
    m = Match(GAME, 4, seed=5, dealer=0)
    assert m.scores == (46, 46, 46, 46)
    own = m.view(1).hand
    m.play("keep")
    for seat, move in ((1, "bid 2"), (2, "pass"), (3, "bid 3"), (1, "bid 5"), (3, "pass")):
        assert m.actors == (seat,)
        m.play(move)
    assert m.scores == (51, 41, 46, 46)
    assert [(event.source, event.target, event.amount) for event in m.events if event.rule == "MI-15"] == [(1, 0, 5)]
    assert len(m.view(1).hand) == 11
    assert zone(m, "dead", 1).cards == tuple(own)
    assert m.actors == (1,)  # eldest leads


@pytest.mark.rules("MI-14", "MI-Q3", "MI-Q17")
def test_what_may_be_bid() -> None:
    """MI-Q3: at least 1, higher, at most what the bidder has; MI-Q17: at most 100 more.

    Nobody bids: the widow stays.
    """
    m = Match(GAME, 3, seed=5, dealer=0, stack=(50, 300, 9))
    m.play("keep")
    assert m.legal()[:2] == ["pass", "bid 1"]
    assert m.legal()[-1] == "bid 100"
    for rule, moves in {"MI-14": ["bid 0", "exchange", "2S"], "MI-Q17": ["bid 101"], "MI-Q3": ["bid 1000"]}.items():
        assert [rule_against(m, move) for move in moves] == [rule] * len(moves)
    m.play("bid 4")
    assert m.legal() == ["pass", "bid 5"]
    m.play("pass")
    assert zone(m, "dead").count == 13
    assert m.scores[0] == 50
    m = Match(GAME, 3, seed=5, dealer=0)
    m.play("keep")
    m.play("pass")
    assert m.legal()[1] == "bid 1"  # the last one left may still bid
    m.play("pass")
    assert not m.view().state.exchanger
    assert (m.actors, m.scores) == ((1,), (46, 46, 46))
    m = Match(GAME, 3, seed=5, dealer=0, auction="none")
    m.play("keep")
    assert (m.view().state.phase, m.actors) == (LEADING, (1,))


# Leads and stops


@pytest.mark.rules("MI-E1", "MI-01", "MI-07", "MI-18", "MI-20", "MI-22", "MI-23", "MI-27", "MI-29", "MI-30")
def test_lowest_card_money_card_going_out() -> None:
    """MI-E1: 3S stops at once; 6D 7D; JS takes 6; QS KS AS: out. 28, 29, 39, and 9 left on the table."""
    m = table(E1, on=E1_CHIPS, turn=1, options={"deals": 2}, auto=False)
    assert m.legal() == ["3S", "6D"]
    with pytest.raises(IllegalMove) as error:
        m.play("9S")
    assert error.value.rule == "MI-18"
    m.play("3S")
    assert (m.actors, m.legal()) == ((1,), ["6D"])
    m.play("6D")
    assert (m.actors, m.legal()) == ((2,), ["7D"])
    m.play("7D")
    assert (m.legal(), rule_against(m, "7D")) == (["JS"], "MI-18")
    m.play("JS")
    assert m.scores == (30, 30, 36)
    lay(m, "QS KS AS")
    assert not m.actors
    assert m.results[0].winner == 2
    assert m.scores == (28, 29, 39)
    assert lying(m) == {"AH": 3, "KC": 3, "QD": 3, "JS": 0}
    assert sum(m.scores) + sum(lying(m).values()) == 105


@pytest.mark.rules("MI-19", "MI-20", "MI-Q2", "MI-21", "MI-26")
def test_between_leads_all_goes_by_itself() -> None:
    """MI-Q2: with one card or several, the seat that holds the next; MI-21: every card is named; MI-26: of everybody's
    own pile only the top is to be seen.
    """
    m = table(["7S 8S KD 2C", "5S 6S TS 9H", "9S 4H 3D"], turn=1)
    m.play("5S")
    assert [(act.seat, act.move, act.forced) for act in m.moves] == [
        (1, "5S", False),
        (1, "6S", True),
        (0, "7S", True),
        (0, "8S", True),
        (2, "9S", True),
        (1, "TS", True),
    ]
    assert [event.card for event in m.events if event.kind == "lay"] == ["5S", "6S", "7S", "8S", "9S", "TS"]
    rules = ["MI-18", "MI-19", "MI-20", "MI-19", "MI-20", "MI-20"]
    assert [event.rule for event in m.events if event.kind == "lay"] == rules
    assert m.actors == (1,)
    assert piles(m) == {0: (None, "8S"), 1: (None, None, "TS"), 2: ("9S",)}
    m = table(["7S 8S KD 2C", "5S 6S TS 9H", "9S 4H 3D"], turn=1, auto=False)
    m.play("5S")
    assert rule_against(m, "pass") == "MI-Q2"


@pytest.mark.rules("MI-22", "MI-Q5", "MI-Q6", "MI-23")
def test_stops() -> None:
    """MI-22: the ace; a dead card; MI-Q5: a card that has been played. MI-Q6: after an ace another suit, as ever."""
    m = table(["AS 2S KD", "QS KS 3H", "4C 5D"], turn=1)
    m.play("QS")
    assert [act.move for act in m.moves] == ["QS", "KS", "AS"]
    assert (m.actors, m.legal()) == ((0,), ["KD"])
    dead = table(["AS 2S KD", "QS 3H", "4C 5D"], turn=1, dead="KS")
    dead.play("QS")
    assert (dead.actors, dead.legal()) == ((1,), ["3H"])
    s = dead.view(2).state
    assert all(s.lacks[p] & parse_set("KS") for p in range(3))  # everybody knows that nobody holds it
    played = table(["8S 4H KD", "6S 7S 3H", "9C 5H 2D"], turn=0)
    played.play("8S")
    assert played.actors == (0,)
    played.play("4H")
    assert (played.actors, played.legal()) == ((2,), ["2D", "9C"])
    played.play("9C")
    played.play("2D")
    played = table(["4H KD", "6S 7S 3H", "9C 5H 2D"], turn=1)  # 8S lies in a pile
    played.play("6S")
    assert [act.move for act in played.moves] == ["6S", "7S"]
    assert (played.actors, played.legal()) == ((1,), ["3H"])


@pytest.mark.rules("MI-E2", "MI-24", "MI-25", "MI-Q7")
def test_passing_the_lead() -> None:
    """MI-E2: the lead passes; seat 2 chooses 7S or 3C, not 2H; if all pass 5H is led, then 9H: 28, 34, 28."""
    m = table(["9D KH", "5H 9H", "2H 7S 3C QC"], turn=1, barred="H", auto=False)
    assert m.legal() == ["pass"]
    m.play("pass")
    assert (m.actors, m.legal()) == ((2,), ["7S", "3C"])
    for move, rule in (("2H", "MI-23"), ("QC", "MI-18"), ("pass", "MI-24"), ("AC", "MI-18")):
        assert rule_against(m, move) == rule
    m = table(["2H KH", "5H 9H", "3H JH"], turn=1, barred="H", auto=False, options={"deals": 2})
    lay(m, "pass pass pass")
    assert m.actors == (1,)
    for move in ("9H", "pass"):
        assert rule_against(m, move) == "MI-25"
    m.play("5H")
    assert m.view().state.barred == 0b0010
    lay(m, "pass pass pass 9H")
    assert m.scores == (28, 34, 28)
    by_itself = table(["2H KH", "5H 9H", "3H JH"], turn=2, barred="H", passes=1, options={"deals": 1})
    assert by_itself.actors == (2,)
    by_itself.play("pass")
    assert by_itself.over
    assert by_itself.scores == (28, 34, 28)


@pytest.mark.rules("MI-24", "MI-18", "MI-25")
def test_what_leads_and_passes_prove() -> None:
    """A lead: nothing lower of that suit; a pass: no suit that may be led; everybody knows it."""
    m = table(["9D KH", "5H 9H", "2H 7S 3C QC"], turn=1, barred="H", auto=False)
    m.play("pass")
    lacks = int(m.view(None).state.lacks[1])
    assert lacks & parse_set("AS 2S KD 3C 2H") == parse_set("AS 2S KD 3C")
    m.play("7S")
    lacks = int(m.view(0).state.lacks[2])
    assert lacks & parse_set("2S 6S 8S AS 2C") == parse_set("2S 6S")


@pytest.mark.rules("MI-27", "MI-07")
def test_the_last_card_takes_its_chips_too() -> None:
    """MI-27: chips are taken at once, also by a card that ends the deal; money cards stay, their chips do not."""
    m = table(["KC", "3H 4H", "5D 6D"], on={"KC": 7}, turn=0, options={"deals": 2}, auto=False)
    m.play("KC")
    assert m.scores == (41, 28, 28)
    assert won_from(m) == [(0, 7, "MI-27")]
    assert lying(m)["KC"] == 0


# House rules and words


@pytest.mark.rules("MI-05", "MI-53", "MI-58")
@pytest.mark.parametrize(
    ("preset", "options", "part"),
    [
        ("boodle", {"widow": "exchange"}, "size"),
        ("michigan", {"deal": "equal"}, "size"),
        ("michigan", {"stake": "dealer_dress"}, "dress"),
        ("pope-joan", {"money": "AH KC QD JS"}, "dress"),
        ("michigan", {"money": "AH AH KC QD"}, "AH"),
        ("michigan", {"money": "AH KC QD"}, "four or five"),
        ("michigan", {"money": "AH KC QD JS TS 9S"}, "four or five"),
        ("michigan", {"money": "AH KC QD X1"}, "four or five"),
        ("michigan", {"money": "AH KC QD 1Z"}, "1Z"),
        ("pope-joan", {"dress": "9D5 9D4 QS3 JC2"}, "once"),
        ("pope-joan", {"dress": "9D5 KH4 QS3"}, "four or five"),
        ("pope-joan", {"dress": "9D5 KH4 QS3 JC2 TD1 2S1"}, "four or five"),
        ("pope-joan", {"dress": "9D5 KH4 QS3 X11"}, "X11"),
        ("pope-joan", {"dress": "9D5 KH4 QS3 JC1001"}, "up to 1000"),
        ("pope-joan", {"dress": "9D5 KH4 QS3 JCx"}, "JCx"),
        ("michigan", {"first_dealer": "seat 4"}, "0 to 3"),
        ("michigan", {"stack": (1, 2)}, "stacks"),
    ],
)
def test_options_that_do_not_go_together(preset: str, options: dict[str, Any], part: str) -> None:
    """What depends on what is refused with the reason."""
    with pytest.raises(OptionError, match=part):
        Match(GAME, 4, preset, **options)


def test_moves_in_words() -> None:
    """Notation is tolerant of case and symbols; invalid moves are refused."""
    m = table(E1, on=E1_CHIPS, turn=1)
    m.play("3♠")
    m = table(E1, on=E1_CHIPS, turn=1)
    m.play(" 6d ")
    m = Match(GAME, 4, "boodle", seed=1, dealer=0)
    m.play("stake jc1 AH3")
    m.play("STAKE 1 1 1 1")
    assert lying(m) == {"AH": 4, "KD": 1, "QS": 1, "JC": 2}
    for text in ("stake", "stake 7H1", "stake AH9", "stake 5 0 0 0", "bid", "bid x", "fold", ""):
        with pytest.raises(NotationError):
            m.play(text)


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ({"hands": ["", "3S", "4S"]}, "MI-29"),
        ({"hands": ["3S", "3S", "4S"]}, "3S"),
        ({"barred": "HS"}, "one stop"),
        ({"barred": "X"}, "is no suit"),
        ({"barred": "H", "passes": 1, "turn": 2}, "MI-24"),
        ({"cur": "4S"}, "stopped"),
        ({"cur": "3S"}, "last card laid"),
        ({"cur": "2S", "turn": 2}, "turn"),
        ({"cur": "ZZ"}, "cur"),
        ({"phase": "spinning", "cur": "2S"}, "phase"),
        ({"phase": "staking"}, "phase"),
        ({"phase": "nothing"}, "phases"),
        ({"phase": "widow"}, "widow"),
        ({"phase": "widow", "turn": 1, "dead": "8D"}, "dealer"),
        ({"phase": "auction", "dead": "8D", "bidders": [0, 1], "turn": 1}, "auction"),
        ({"phase": "auction", "dead": "8D", "bidders": "all"}, "list of seats"),
        ({"phase": "auction", "dead": "8D", "exchanger": 1}, "exchanged"),
        ({"unlisted": "stock"}, "unlisted"),
        ({"lacks": ["", "3S", ""]}, "proved"),
        ({"shows": ["", "7D", ""]}, "shows"),
        ({"history": "1 3S lead"}, "history"),
        ({"history": "0 2S lead"}, "does not lead"),
        ({"history": "9 2S"}, "history"),
        ({"history": "0 2S lead", "since": "last"}, "pairs"),
        ({"pot": 3}, "money cards"),
        ({"on": "7H 3"}, "chips lie"),
        ({"on": "AH"}, "pairs"),
    ],
)
def test_impossible_positions(keys: dict[str, Any], part: str) -> None:
    """A position that cannot be is refused, with the reason."""
    with pytest.raises(PositionError, match=part):
        place({"hands": E1, "turn": 1 if "phase" not in keys and "cur" not in keys else 0} | keys)


def test_a_position_tells_its_whole_history() -> None:
    """Cards laid, who led and who dealt survive: offences in it are still judged."""
    m = stacked(E7, on={"KC": 6}, turn=0, enforce="penalise")
    lay(m, "9C pass")
    again = Match.from_position(m.position(), auto=False)
    assert again.position().text == m.position().text
    assert "0 9C lead" in m.position().text
