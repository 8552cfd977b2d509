"""Play or Pay by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import Match, PositionError
from cardtable.base.cards import RANKS, SUITS
from tests.support.games.tables import hand, pack_with, paid, pot, refused, told

GAME = "play-or-pay"
PRESETS = ("stops", "original")
SAMPLE = {
    0: "7S 8S JH QH KH TD JD QD KD AD 2D 3C 4C",
    1: "AS 4S 9S QS 2H 5H 8H 3D 6D 9D 5C 8C JC",
    2: "2S 5S TS KS 3H 6H 9H 4D 7D AC 6C 9C QC",
    3: "3S 6S JS AH 4H 7H TH 5D 8D 2C 7C TC KC",
}
RUN_HANDS = ["QC KC 5C 6C 5D", "AC 3C 9C TC JC", "2C 4C 7C 8C 7D 8D"]


def sample(rules: str, **options: Any) -> Match:
    """The deal of PP-E1: seat 0 is eldest."""
    return Match.from_pack(pack_with(SAMPLE, 4, 3), GAME, 4, rules, **options)


def lead_all(m: Match) -> None:
    """Seat 0's leads of PP-E1, with the automatic moves after each."""
    for card in ("KH", "8S", "4C", "TD"):
        assert m.actors == (0,)
        m.play(card)


def suit_in_play(
    hands: list[str], need: str, down: int, turn: int = 0, pot: int = 3, auto: bool = True, **options: Any
) -> Match:
    """Three seats with 20 chips each by the rules of Stops; `down` cards of the suit lie, and `need` is the next."""
    keys: dict[str, Any] = {"need": need, "down": down, "turn": turn, "pot": pot, "options": options}
    return at_table("stops", hands, auto=auto, **keys)


def at_table(rules: str, hands: list[str], auto: bool = True, **keys: Any) -> Match:
    """Three seats with 20 chips each."""
    position = {"game": GAME, "rules": rules, "hands": hands, "stacks": [20, 20, 20]}
    return Match.from_position(position | keys, auto=auto)


def run_table(rules: str, auto: bool = False, **options: Any) -> Match:
    """The table of PP-E2."""
    return at_table(rules, RUN_HANDS, auto, turn=0, pot=3, options=options | {"deals": 1})


def play_on(m: Match, text: str) -> None:
    for move in text.split():
        m.play(move)


@pytest.mark.rules("PP-E1", "PP-08", "PP-09", "PP-10", "PP-13", "PP-Q3")
def test_the_sample_hand_by_original_rules() -> None:
    """PP-E1: pot 4, 12 after hearts, 16, 20, then 35; stacks 50 16 17 17."""
    m = sample("original", deals=1)
    pots = []
    for card in ("KH", "8S", "4C", "TD"):
        pots.append(pot(m))
        m.play(card)
    assert pots == [4, 12, 16, 20]
    assert m.over
    assert m.scores == (50, 16, 17, 17)
    passes = [act.seat for act in m.moves if act.move == "pass"]
    assert passes.count(0) == 9
    assert [event.amount for event in m.events if event.kind == "take"] == [35]


@pytest.mark.rules("PP-E1", "PP-14", "PP-Q4")
def test_the_sample_hand_settled_by_cards_left() -> None:
    """PP-E1, PP-Q4: no antes, no chips for passing; the losers hold 3, 2, 2."""
    m = sample("original", settlement="cards_left", deals=1)
    assert (m.options.as_dict()["ante"], m.options.as_dict()["pass_chip"]) == (0, 0)
    lead_all(m)
    assert m.scores == (32, 22, 23, 23)
    assert {event.rule for event in m.events if event.kind == "pay"} == {"PP-14"}


@pytest.mark.rules("PP-E1", "PP-07", "PP-12")
def test_the_sample_hand_by_stops_rules() -> None:
    """PP-E1: stacks 57 13 15 15; in diamonds five continuation cards bring 5 x 3."""
    m = sample("stops", deals=1)
    lead_all(m)
    assert m.scores == (57, 13, 15, 15)
    runs = [event for event in m.events if event.rule == "PP-07" and event.target == 0]
    assert sum(event.amount or 0 for event in runs) == 15


@pytest.mark.rules("PP-E2", "PP-04", "PP-06", "PP-07", "PP-11", "PP-12")
def test_a_run_by_stops_rules() -> None:
    """PP-E2: the stacks after each run, and 18/29/16 at the end."""
    m = run_table("stops")
    for moves, stacks, chips in [
        ("QC KC", (22, 19, 19), 3),
        ("AC 2C pass", (21, 19, 19), 4),
        ("3C 4C 5C 6C", (23, 18, 18), 4),
        ("pass", (23, 17, 18), 5),
        ("7C 8C", (22, 16, 20), 5),
        ("pass", (21, 16, 20), 6),
        ("9C TC", (20, 18, 19), 6),
    ]:
        play_on(m, moves)
        assert (m.scores, pot(m)) == (stacks, chips)
    m.play("JC")
    assert m.scores == (18, 29, 16)
    assert m.results[0].winner == 1


@pytest.mark.rules("PP-E2", "PP-06", "PP-08", "PP-13", "PP-Q3")
def test_a_run_by_original_rules() -> None:
    """PP-E2: everybody else fails first; 15/32/16 at the end."""
    m = run_table("original", auto=True)
    m.play("QC")
    assert m.over
    assert m.scores == (15, 32, 16)
    assert [act.move for act in m.moves][:4] == ["QC", "pass", "pass", "KC"]
    assert not [event for event in m.events if event.rule in ("PP-07", "PP-12")]


@pytest.mark.rules("PP-E3", "PP-09", "PP-10", "PP-Q1")
def test_no_bonus_on_the_new_lead() -> None:
    """PP-E3: 4C, 5C (+2), the suit is finished; 8H earns nothing, 9H +2; seat 1 then plays TH."""
    m = suit_in_play(["4C 5C 8H 9H KS", "TH 2S", "AH 3S"], "4C", 11, pot=0, auto=False)
    assert m.legal() == ["4C"]
    m.play("4C")
    assert paid(m.events) == []
    m.play("5C")
    assert m.scores == (22, 19, 19)
    assert m.legal() == ["KS", "8H", "9H"]
    m.play("8H")
    assert (m.scores, paid(m.events)) == ((22, 19, 19), [])
    m.play("9H")
    assert m.scores == (24, 18, 18)
    assert (m.actors, m.legal()) == ((1,), ["TH"])


@pytest.mark.rules("PP-E4", "PP-05", "PP-Q5")
def test_the_suit_ends_one_below_the_lead() -> None:
    """PP-E4: after KC the card needed is AC, never a new suit; the suit is finished with JC."""
    m = run_table("stops")
    play_on(m, "QC KC")
    assert (m.actors, m.legal()) == ((1,), ["AC"])
    assert refused(m, "9C") == "PP-05"
    whole = Match.from_pack(" ".join(rank + suit for suit in SUITS for rank in RANKS), GAME, 2, "original", auto=False)
    lead = "QS"
    whole.play(lead if lead in whole.legal() else whole.legal()[0])
    first = whole.moves[0].move
    while whole.legal() != ["pass"] and len([act for act in whole.moves if act.move != "pass"]) < 13:
        whole.play(whole.legal()[0])
    suit = [act.move for act in whole.moves if act.move != "pass"]
    at = RANKS.index(first[0])
    assert suit == [RANKS[(at + i) % 13] + "S" for i in range(len(suit))]


@pytest.mark.rules("PP-E5", "PP-07", "PP-Q1")
@pytest.mark.parametrize(
    ("bonus", "first", "k"),
    [("continuation", (22, 19, 19), 1), ("whole_run", (24, 18, 18), 2), ("none", (20, 20, 20), 0)],
)
def test_paying_for_runs(bonus: str, first: tuple[int, ...], k: int) -> None:
    """PP-E5: with whole_run seat 0 collects 2 x 2 on KC; a run of k cards brings (k-1)(n-1), k(n-1) or nothing."""
    m = run_table("stops", run_bonus=bonus)
    play_on(m, "QC KC")
    assert m.scores == first
    assert len(paid(m.events)) == (2 if k else 0)


@pytest.mark.rules("PP-E5", "PP-Q1")
def test_a_single_card_earns_nothing_in_any_way() -> None:
    """PP-Q1: a run of one card is no run; the third card of a whole run brings 1 each."""
    m = run_table("stops", run_bonus="whole_run")
    play_on(m, "QC KC AC")
    assert paid(m.events) == []
    play_on(m, "2C pass 3C 4C 5C 6C pass 7C 8C pass 9C TC")
    before = m.scores
    m.play("JC")
    assert [event.amount for event in m.events if event.rule == "PP-07"] == [1, 1]
    assert before == (22, 17, 18)


@pytest.mark.rules("PP-E6", "PP-01", "PP-06", "PP-Q6")
def test_holding_back() -> None:
    """PP-E6: 1 + 3 to the pot, no fives; the others pay 1 each; then seat 1 must play 6H."""
    m = suit_in_play(["2S", "6H 9C", "3S"], "6H", 1, turn=1, enforce="penalise", detect="immediate")
    assert m.legal() == ["6H", "pass"]
    m.play("pass")
    assert (pot(m), m.scores) == (7, (20, 16, 20))
    assert paid(m.events) == [(1, None, 1, "PP-06"), (1, None, 3, "PP-Q6")]
    m.play("pass")
    m.play("pass")
    assert pot(m) == 9
    assert (m.actors, m.legal()) == ((1,), ["6H"])
    assert refused(m, "pass") == "FT-Q14"


@pytest.mark.rules("PP-01", "PP-Q6")
def test_an_offence_is_fined_at_the_end() -> None:
    """PP-Q6 with detect=end: the three chips come at the settlement, 3 for each card withheld."""
    m = suit_in_play(["2S", "6H 9C", "3S"], "6H", 1, turn=1, enforce="penalise", deals=1)
    for move in ("pass", "pass", "pass", "6H"):
        m.play(move)
    assert (m.scores, pot(m)) == ((19, 19, 19), 6)
    m.play("pass")  # nobody holds 7H in this position: the deal is stuck after 2n passes
    for _ in range(5):
        m.play("pass")
    assert m.results[0].winner is None
    assert (1, None, 3, "PP-Q6") in paid(m.events)


@pytest.mark.rules("PP-01")
@pytest.mark.parametrize("rules", PRESETS)
def test_ante_and_deal_as_in_fan_tan(rules: str) -> None:
    """PP-01: all 52 cards singly from eldest, 1 chip each as ante, turns clockwise."""
    m = Match(GAME, 5, rules, seed=1, dealer=2, auto=False)
    assert m.actors == (3,)
    assert [zone.count for zone in m.view().zones if zone.kind == "hand"] == [10, 10, 10, 11, 11]
    assert pot(m) == 5
    cuts = Match(GAME, 4, rules, seed=1, auto=False).events
    assert {event.rule for event in cuts if event.kind == "cut"} == {"FT-10" if rules == "stops" else "FT-11"}


@pytest.mark.rules("PP-03", "PP-10")
@pytest.mark.parametrize("rules", PRESETS)
def test_any_card_is_led_and_a_lead_is_not_passed(rules: str) -> None:
    """PP-03, PP-10: eldest begins with any card at all; the lead cannot be passed."""
    m = Match(GAME, 4, rules, seed=5, dealer=3, auto=False, enforce="penalise")
    assert m.legal() == hand(m, 0)
    assert refused(m, "pass") == "PP-03"


@pytest.mark.rules("PP-04", "PP-09", "PP-Q2")
def test_refusals_name_the_rule() -> None:
    """PP-04, PP-09, PP-Q2: only the card needed; one suit at a time; a run continues."""
    m = run_table("stops")
    m.play("QC")
    for move, rule in (("5D", "PP-09"), ("5C", "PP-04"), ("QC", "PP-04"), ("pass", "PP-Q2")):
        assert refused(m, move) == rule
    m.play("KC")
    assert refused(m, "pass") == "PP-04"


@pytest.mark.rules("PP-11", "PP-Q7")
def test_the_last_card_of_suit_and_hand() -> None:
    """PP-Q7: the deal ends; there is no new lead. PP-11: nobody plays after it."""
    m = suit_in_play(["JC", "4H 5H", "8S"], "JC", 12, pot=5, deals=1)
    m.play("JC")
    assert m.over
    assert m.scores == (28, 18, 19)


@pytest.mark.rules("PP-16")
def test_for_amusement() -> None:
    """PP-16: without chips, deals won are counted."""
    m = Match(GAME, 4, "stops", seed=3, stakes="none")
    while not m.over:
        m.play(m.legal()[0])
    assert sum(m.result.scores if m.result else ()) == 4
    assert not [event for event in m.events if event.kind in ("pay", "take")]


@pytest.mark.rules("PP-Q5")
@pytest.mark.parametrize("seats", range(2, 9))
def test_nothing_stalls(seats: int) -> None:
    """PP-Q5: exactly one seat can play, for any lead."""
    m = Match(GAME, seats, "original", seed=seats, deals=1, auto=False)
    while not m.over:
        able = [seat for seat in range(seats) if m.view().state.need >= 0 and m._s.hands[seat] >> m._s.need & 1]
        assert len(able) == 1 or m.view().state.need < 0
        m.play(m.legal()[-1])


@pytest.mark.rules("PP-Q5", "FT-Q13")
@pytest.mark.parametrize(("deals", "shared"), [(1, [5, 4, 4]), (2, [])])
def test_a_position_without_the_card_needed(deals: int, shared: list[int]) -> None:
    """Everybody passes and pays, and the deal is void; what is in the pot is shared from the dealer's left if this was
    the last deal.
    """
    keys: dict[str, Any] = {"game": GAME, "rules": "stops", "hands": ["9C 2H", "TC 3H", "JC 4H"], "dealer": 2}
    chips = {"pot": 10, "stacks": [30] * 3, "options": {"deals": deals}}
    m = Match.from_position(keys | chips | {"need": "5C", "down": 2, "turn": 0}, seed=1, auto=False)
    for _ in range(3):
        m.play("pass")
    assert m.results[0].winner is None
    events = [(event.kind, event.target, event.amount, event.rule) for event in m.events if event.kind != "pay"]
    assert events[1] == ("void", None, 0, "PP-Q5")
    assert events[2:] == [("take", seat, chips, "FT-Q13") for seat, chips in enumerate(shared)]


@pytest.mark.rules("PP-Q5", "PP-01", "FT-Q13")
@pytest.mark.parametrize(("enforce", "rounds"), [("strict", 1), ("penalise", 2)])
@pytest.mark.parametrize("deals", [1, 2])
def test_a_card_that_nobody_holds_ends_the_deal(enforce: str, rounds: int, deals: int) -> None:
    """PP-Q5: a position may lack the card needed; after the passes that prove it nobody wins, and only the match's last
    deal shares the pot.
    """
    keys: dict[str, Any] = {"need": "5C", "down": 2, "turn": 0, "pot": 4, "unlisted": "dead"}
    options = {"enforce": enforce, "deals": deals, "pass_chip": 0}
    m = at_table("stops", ["2H", "3H", "4H"], auto=False, options=options, **keys)
    for i in range(3 * rounds):
        assert m.actors == (i % 3,)
        m.play("pass")
    assert m.results[0].winner is None
    assert [(event.source, event.target, event.amount, event.rule) for event in told(m, "void")] == [
        (None, None, 0, "PP-Q5")
    ]
    assert told(m, "win") == []
    assert m.over == (deals == 1)
    shared = [(None, seat, chips, "FT-Q13") for seat, chips in ((0, 2), (1, 1), (2, 1))]  # seat 2 dealt
    assert paid(m.events) == (shared if deals == 1 else [])
    assert (m.scores, pot(m)) == (((22, 21, 21), 0) if deals == 1 else ((20, 20, 20), 4))


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ({"need": "5C", "down": 2, "hands": ["5C", "4C", "2H"]}, "4C"),
        ({"need": "5C", "down": 2, "hands": ["5C", "9C", "2H"], "lacks": [0]}, "seat 0"),
        ({"need": "5C", "down": 2, "hands": ["5C", "9C", "2H"], "shows": 1}, "seat 1"),
        ({"need": "5C", "down": 2, "hands": ["5C", "9C", "2H"], "played": "6C"}, "6C"),
        ({"hands": ["5C", "5C", "2H"]}, "5C"),
        ({"hands": ["5C", "", "2H"]}, "seat 1"),
        ({"hands": ["5C", "6C", "2H"], "offences": [1, 0, 0]}, "offences"),
        ({"hands": ["5C", "6C", "2H"], "need": "ZZ"}, "need"),
        ({"need": "5C", "hands": ["2S", "3S", "5C"]}, "it laid the last card, and would have gone on"),
        ({"need": "5C", "hands": ["2S", "3S", "5C"], "passes": 1}, "by passing it proved"),
        ({"need": "5C", "hands": ["2S", "5C", "3S"], "passes": 2}, "by passing it proved"),
        ({"need": "5C", "hands": ["2S", "5C", "3S"], "run": 1}, "its run is over"),
        ({"need": "5C", "hands": ["5C", "2S", "3S"], "run": 1, "options": {"continue_run": "no"}}, "one card a turn"),
    ],
)
def test_impossible_positions(keys: dict[str, Any], part: str) -> None:
    """A position that cannot be is refused, with the place."""
    with pytest.raises(PositionError, match=part):
        Match.from_position({"game": GAME, "rules": "stops", "turn": 0} | keys)


@pytest.mark.parametrize(
    ("keys", "lacks", "shows"),
    [
        ({"rules": "stops"}, [2], None),
        ({"rules": "original"}, None, None),
        ({"rules": "original", "passes": 1}, [2], None),
        ({"rules": "stops", "passes": 1}, [1, 2], None),
        ({"rules": "stops", "run": 1}, None, 0),
        ({"rules": "original", "passes": 2, "options": {"enforce": "penalise"}}, None, None),
        ({"rules": "original", "passes": 5, "options": {"enforce": "penalise"}}, [1, 2], None),
        ({"rules": "original", "passes": 3, "options": {"enforce": "penalise", "detect": "immediate"}}, [1, 2], 0),
    ],
)
def test_a_position_knows_what_its_passes_proved(
    keys: dict[str, Any], lacks: list[int] | None, shows: int | None
) -> None:
    """Facts need not be written down where passes, the run and the rules imply them."""
    m = Match.from_position({"game": GAME, "hands": ["5C 2S", "6C 3S", "9C 4S"], "need": "5C", "turn": 0} | keys)
    position = m.position().as_dict()
    assert (position.get("lacks"), position.get("shows")) == (lacks, shows)
