"""I Doubt It by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardtable import IllegalMove, Match, NotationError, NotYourTurn, OptionError, PositionError
from cardtable.base.cards import card_text
from cardtable.games.i_doubt_it.state import ACCEPT, NAME
from cardtable.rules import catalog, contract
from tests.games.i_doubt_it.doubt_tables import table
from tests.support.games.tables import hand, told
from tests.support.games.trick_tables import play_out, zone

OPTIONAL: dict[str, Any] = {"final_challenge": "optional"}


def counts(m: Match) -> list[int]:
    """The cards in each hand, as everybody sees them."""
    return [zone(m, f"hand-{p}").count for p in range(m.seats)]


def pile(m: Match) -> int:
    return int(zone(m, "pile").count)


def rank(m: Match) -> str:
    """The rank that is to be declared, or was with the last set."""
    return str(zone(m, "rank").notes["rank"])


def refused(m: Match, move: str, seat: int | None = None) -> tuple[str, str]:
    error = m.why_not(move, seat)
    assert isinstance(error, IllegalMove)
    return error.reason, error.rule


def play(m: Match, moves: str, *answers: tuple[str, int]) -> Match:
    """Moves of the seat to act; then what others say."""
    m.play(moves)
    for answer, seat in answers:
        m.play(answer, seat)
    return m


def lay_one(m: Match) -> None:
    """The seat to act lays its first card, and everybody accepts it."""
    m.play(f"{hand(m, m.actors[0])[0]} done")
    for _ in range(m.seats - 1):
        m.play("accept", m.actors[0])


# Players, cards, the deal


@pytest.mark.rules("DB-01", "DB-Q12")
def test_names_and_numbers_of_players() -> None:
    for name in ("cheat", "b.s.", "i-doubt-it", "I Doubt It"):
        assert catalog.find(name).name == "i-doubt-it"
    assert catalog.find("i-doubt-it").seats == (3, 12)
    for seats in (2, 13):
        with pytest.raises(OptionError, match="3 to 12 players"):
            Match("i-doubt-it", seats)
    with pytest.raises(OptionError, match="decks is one of 1 / 2"):
        Match("i-doubt-it", 12, decks=3)


@pytest.mark.rules("DB-03", "DB-04")
@pytest.mark.parametrize(
    ("rules", "seats", "decks", "cards"),
    [
        ("doubt", 3, None, 52),
        ("doubt", 5, None, 52),
        ("doubt", 6, None, 104),
        ("doubt", 12, None, 104),
        ("bullshit", 12, None, 52),
        ("bullshit", 6, 2, 104),
        ("doubt", 7, 1, 52),
    ],
)
def test_packs_and_an_even_deal(rules: str, seats: int, decks: int | None, cards: int) -> None:
    given: dict[str, Any] = {} if decks is None else {"decks": decks}
    m = Match("i-doubt-it", seats, rules, seed=1, dealer=1, **given)
    each = [counts(m)[(2 + i) % seats] for i in range(seats)]  # from eldest
    assert sum(each) == cards
    assert each == sorted(each, reverse=True)
    assert max(each) - min(each) <= 1
    dealt = [card for p in range(seats) for card in hand(m, p)]
    assert sorted(dealt) == sorted([card_text(card) for card in range(52)] * (cards // 52))


@pytest.mark.rules("DB-E6", "DB-03", "DB-04", "DB-Q4")
def test_example_6_two_packs() -> None:
    m = Match("i-doubt-it", 7, seed=1, dealer=6)
    assert counts(m) == [15, 15, 15, 15, 15, 15, 14]
    jacks = "JS JS JH JH JD JD"
    m = table([f"{jacks} 2C", "3C", "4C", "5C", "6C", "7C", "8C"], 49)
    assert m.options.as_dict()["max_set"] == 8
    assert rank(m) == "J"
    m.play(f"{jacks} done")
    assert pile(m) == 6
    m.play("doubt", 1)
    shown = [event.text for event in told(m, "show")]
    assert shown == [f"seat 0 shows {card} twice (DB-09)" for card in ("JS", "JH", "JD")]
    assert counts(m) == [1, 7, 1, 1, 1, 1, 1]
    assert m.actors == (1,)


@pytest.mark.rules("DB-04")
def test_the_pack_is_dealt_singly_from_eldest() -> None:
    pack = [card_text(card) for card in range(52)]
    m = Match.from_pack(" ".join(pack), "i-doubt-it", 4)
    assert hand(m, 0) == pack[0::4]
    assert hand(m, 3) == pack[3::4]
    two = pack[::-1] + pack
    m = Match.from_pack(" ".join(two), "i-doubt-it", 6)
    assert sorted(hand(m, 1)) == sorted(two[1::6])
    with pytest.raises(PositionError, match="it lacks"):
        Match.from_pack(" ".join(pack), "i-doubt-it", 6)


@pytest.mark.rules("DB-04")
def test_the_first_dealer_is_drawn_by_lot_or_named_and_the_deal_passes_left() -> None:
    assert {Match("i-doubt-it", 3, seed=seed).dealer for seed in range(30)} == {0, 1, 2}
    m = Match("i-doubt-it", 3, seed=1, first_dealer="seat 2", deals=4, turn_cap=1)
    for dealer in (2, 0, 1, 2):
        assert (m.dealer, m.actors, pile(m)) == (dealer, ((dealer + 1) % 3,), 0)
        lay_one(m)
    assert m.over
    with pytest.raises(OptionError, match="seats are 0 to 2"):
        Match("i-doubt-it", 3, first_dealer="seat 3")


# Laying


@pytest.mark.rules("DB-05", "DB-07")
def test_eldest_begins_with_aces_and_lays_what_he_likes() -> None:
    m = Match("i-doubt-it", 4, seed=1, dealer=2)
    assert m.actors == (3,)
    assert rank(m) == "A"
    cards = [card for card in hand(m, 3) if card[0] != "A"][:2]
    m.play(" ".join([*cards, "done"]))
    claim = told(m, "claim")[0]
    assert claim.text == "seat 3 lays cards face down and claims 2 aces (DB-05)"
    assert (pile(m), counts(m)[3]) == (2, 11)
    for viewer in (0, 1, 2, None):
        assert not set(cards) & {
            card for z in m.view(viewer).zones if z.name == "pile" or z.seat == 3 for card in z.cards
        }


@pytest.mark.rules("DB-05")
def test_one_card_at_least_and_no_passing() -> None:
    m = table(["5H 6C 9D", "2S 3S", "4S 7S"])
    assert m.legal() == ["5H", "9D", "6C"]
    assert refused(m, "done") == ("a set has one card at least, and nobody may pass", "DB-05")
    assert refused(m, "KD") == ("you do not hold KD", "DB-05")
    with pytest.raises(NotationError):
        m.play("pass")


@pytest.mark.rules("DB-06", "DB-E3")
@pytest.mark.parametrize(("seats", "kings", "aces"), [(3, 0, 1), (4, 0, 1)])
def test_example_3_the_ranks_go_round(seats: int, kings: int, aces: int) -> None:
    m = Match("i-doubt-it", seats, seed=3, dealer=seats - 1)
    turns: list[tuple[int, str]] = []
    while len(turns) < 15:
        turns.append((m.actors[0], rank(m)))
        lay_one(m)
    assert [r for _, r in turns] == [*"A23456789TJQK", "A", "2"]
    assert [p for p, _ in turns] == [t % seats for t in range(15)]
    assert (turns[12], turns[13]) == ((kings, "K"), (aces, "A"))
    assert pile(m) == 15  # it keeps growing


@pytest.mark.rules("DB-Q4", "DB-05")
def test_how_many_cards_at_most() -> None:
    many = "2S 3S 4S 5S 6S 7S 8S 9S TS"
    for max_set, most in (({}, 4), ({"max_set": 2}, 2), ({"decks": 2}, 8), ({"max_set": "unlimited"}, 9)):
        m = table([many, "2H 3H", "4H 5H"], options=OPTIONAL | max_set)
        for card in many.split()[:most]:
            m.play(card)
        if most < 9:
            assert (pile(m), m.actors) == (most, (1,)), "the full set is laid automatically"
        else:
            assert m.actors == (1,)
            assert counts(m)[0] == 0
    m = table([many, "2H 3H", "4H 5H"], auto=False)
    m.play("2S 3S 4S 5S")
    assert m.legal() == ["done"]
    assert refused(m, "6S") == ("a set has at most 4 cards", "DB-Q4")


@pytest.mark.rules("DB-Q11")
def test_the_cards_of_a_set_are_named_in_ascending_order() -> None:
    m = table(["5H 6C 9D", "2S 3S", "4S 7S"])
    m.play("9D")
    assert m.legal() == ["6C", "done"]
    assert refused(m, "5H") == ("the cards of a set are named in ascending order, after 9D", "DB-Q11")
    assert "in the set already" in refused(m, "9D")[0]
    m = table(["5H 5H 6C", "2S 3S", "4S 7S"], options={"decks": 2})
    m.play("5H")
    assert m.legal() == ["5H", "6C", "done"]  # the other five of hearts
    m.play("5H done")
    assert hand(m, 0) == ["6C"]


@pytest.mark.rules("DB-Q3", "DB-Q8")
def test_the_number_stated_is_the_number_laid_but_a_set_may_be_false() -> None:
    """Even if its seat holds the rank."""
    m = table(["AS AH 9D TC", "2S 3S", "4S 7S"])
    assert m.legal() == ["AS", "AH", "9D", "TC"]
    m.play("9D TC done")
    assert hand(m, 0) == ["AS", "AH"]
    assert told(m, "claim")[0].amount == 2
    assert zone(m, "pile").notes["sets"] == ["seat 0: 2 aces"]


@pytest.mark.rules("DB-05")
def test_eldest_may_name_the_first_rank() -> None:
    m = Match("i-doubt-it", 3, seed=1, dealer=2, start_rank="any")
    assert m.legal() == [f"name {r}" for r in "A23456789TJQK"]
    assert refused(m, hand(m, 0)[0])[1] == "DB-05"
    m.play("name sevens")
    assert told(m, "name")[0].text == "seat 0 names sevens as the rank to begin with (DB-05)"
    assert (m.actors, rank(m)) == ((0,), "7")
    assert refused(m, "name 5")[1] == "DB-06"
    lay_one(m)
    assert (m.actors, rank(m)) == ((1,), "8")
    assert refused(Match("i-doubt-it", 3, seed=1), "name 5")[1] == "DB-05"


# Doubting


@pytest.mark.rules("DB-E1", "DB-08", "DB-09", "DB-11", "DB-13", "DB-Q5")
def test_example_1_a_true_claim_doubted() -> None:
    m = table(["2C 3C", "5H 5C 9D", "TD JD"], 4, ["2S 3S 4S", "7S", "8S"])
    assert rank(m) == "5"
    play(m, "5H 5C done", ("doubt", 2))
    assert [event.card for event in told(m, "show")] == ["5H", "5C"]
    assert [(event.source, event.amount, event.rule) for event in told(m, "pile")] == [(2, 7, "DB-11")]
    assert (counts(m), pile(m)) == ([2, 1, 9], 0)
    assert (m.actors, rank(m)) == ((2,), "6")


@pytest.mark.rules("DB-E2", "DB-10", "DB-13", "DB-Q3")
def test_example_2_partly_true() -> None:
    m = table(["2C 3C", "5H 6C 9D", "TD JD"], 4, ["2S 3S 4S", "7S", "8S"])
    play(m, "5H 6C done", ("accept", 2), ("doubt", 0))
    assert [(event.source, event.amount, event.rule) for event in told(m, "pile")] == [(1, 7, "DB-10")]
    assert (counts(m), pile(m)) == ([2, 8, 2], 0)
    assert (m.actors, rank(m)) == ((2,), "6")


@pytest.mark.rules("DB-09", "DB-07")
def test_only_the_last_set_is_turned_up() -> None:
    m = table(["2C 3C", "5H 5C 9D", "TD JD"], 4, ["2S 3S 4S", "7S", "8S"])
    play(m, "9D done", ("doubt", 2))
    assert [event.card for event in told(m, "show")] == ["9D"]
    assert hand(m, 1) == ["2S", "3S", "4S", "7S", "8S", "5H", "9D", "5C"]  # the taker sees them all
    for viewer, known in ((0, "8S 9D"), (2, "7S 9D"), (None, "9D")):  # their own sets, and what was turned up
        shown = zone(m, "hand-1", viewer)
        assert shown.cards == (None,) * 8
        assert shown.notes["holds"] == known


@pytest.mark.rules("DB-12", "DB-Q2", "DB-08")
def test_a_set_can_be_doubted_only_in_its_window() -> None:
    m = table(["2C 3C 9C", "5H 6C 9D", "TD JD"])
    assert refused(m, "doubt")[1] == refused(m, "accept")[1] == "DB-08"
    assert "no set has been laid" in refused(m, "doubt")[0]
    m.play("2C done")
    with pytest.raises(NotYourTurn):
        m.play("doubt", 2)  # seat 1 is asked first
    with pytest.raises(NotYourTurn):
        m.play("doubt", 0)  # nobody doubts themselves
    assert refused(m, "5H", 1)[1] == "DB-08"
    m.play("accept", 1)
    m.play("accept", 2)
    assert refused(m, "doubt", 1)[1] == refused(m, "accept", 1)[1] == "DB-12"
    play(m, "5H done", ("doubt", 2))
    assert [event.card for event in told(m, "show")] == ["5H"]  # not the set before


@pytest.mark.rules("DB-E5", "DB-Q1")
def test_example_5_two_doubters_in_both_modes() -> None:
    for mode in ("sequential", "simultaneous"):
        m = table(["2C 4C", "5H 6C", "3D JD 3C"], 2, ["9S", "9H"], options={"doubt_mode": mode})
        m.play("3D 3C done")
        if mode == "simultaneous":
            m.play("doubt", 1)
        m.play("doubt", 0)
        assert [event.source for event in told(m, "pile")] == [0], "left of seat 2"
        assert counts(m) == [6, 2, 1]
        assert [event.source for event in told(m, "doubt")] == ([0, 1] if mode == "simultaneous" else [0])


@pytest.mark.rules("DB-08", "DB-Q1")
def test_one_after_another_the_first_doubt_closes_the_window() -> None:
    m = table(["2C 4C", "5H 6C", "3D JD", "4D 5D"], 1, ["9S"])
    m.play("5H done")
    assert m.actors == (2,)
    m.play("accept")
    assert (m.actors, m.legal()) == ((3,), ["accept", "doubt"])
    assert told(m, "accept")[0].source == 2  # everybody has heard it
    m.play("I doubt it!")
    assert (m.actors, counts(m)) == ((2,), [2, 3, 2, 2])


@pytest.mark.rules("DB-08", "DB-Q1")
def test_all_at_once_the_answers_wait_unseen() -> None:
    m = table(["2C 4C", "5H 6C", "3D JD", "4D 5D"], 1, ["9S"], options={"doubt_mode": "simultaneous"})
    m.play("5H done")
    assert list(m.actors) == [0, 2, 3]
    before = {p: m.view(p).as_dict() for p in (0, 1, 2, None)}
    m.play("doubt", 3)
    assert not list(m.events)
    for p, view in before.items():
        assert {**m.view(p).as_dict(), "events": []} == {**view, "events": []}, "nobody sees that seat 3 has answered"
    assert m.view(3).actors == (0, 2)
    assert zone(m, "score-3", 3).notes["answer"] == "doubt"
    with pytest.raises(NotYourTurn):
        m.play("accept", 3)
    m.play("accept", 2)
    m.play("accept", 0)
    assert [event.source for event in m.events if event.kind in ("accept", "doubt")] == [2, 3, 0]
    assert (m.actors, counts(m)) == ((2,), [2, 3, 2, 2])


@pytest.mark.rules("DB-08")
def test_all_accept_at_once() -> None:
    """Who accepts passes, in the statistics, and nobody else does."""
    m = table(["2C 4C", "5H 6C", "3D JD"], 1, ["9S"], options={"doubt_mode": "simultaneous"})
    assert [move for move in range(NAME + 13) if contract.is_pass(m._s, move)] == [ACCEPT]
    play(m, "5H done", ("accept", 0), ("accept", 2))
    assert (m.actors, counts(m), pile(m)) == ((2,), [2, 1, 2], 2)


# The end


PILE = ["2S 3S 4S 5S", "6S 7S 8S", "9S TS"]


@pytest.mark.rules("DB-E4", "DB-14", "DB-02", "DB-Q6")
def test_example_4a_a_last_set_is_turned_up_and_true() -> None:
    m = table(["QS", "2C 3C", "4C 5C"], 24, PILE)
    assert m.options.as_dict()["final_challenge"] == "forced"
    m.play("QS")
    assert [(event.card, event.rule) for event in told(m, "show")] == [("QS", "DB-Q6")]
    assert (counts(m), told(m, "pile")) == ([0, 2, 2], [])  # seat 1 need not take them
    assert [event.rule for event in told(m, "win")] == ["DB-14"]
    assert m.results[0].winner == 0
    assert m.results[0].payoff == (1, 0, 0)
    assert m.result is not None
    assert m.result.winners == (0,)
    assert zone(m, "hand-1").cards == ("2C", "3C"), "hands and pile are turned up at the end"
    assert zone(m, "pile").cards == (*" ".join([*PILE, "QS"]).split(),)
    assert str(zone(m, "pile").facts[0].message) == "the last set: seat 0, 1 queen"
    for seat in (0, 1, None):
        assert m.view(seat).zones[0].cards == zone(m, "pile").cards


@pytest.mark.rules("DB-E4", "DB-14", "DB-Q6", "DB-Q7")
@pytest.mark.parametrize("mode", ["sequential", "simultaneous"])
def test_example_4b_a_last_set_is_turned_up_and_false(mode: str) -> None:
    m = table(["QS", "2C 3C", "4C 5C"], 12, PILE, options={"doubt_mode": mode})
    m.play("QS")
    assert (counts(m), m.actors, rank(m), m.over) == ([10, 2, 2], (1,), "A", False)
    m = table(["QS KS", "2C 3C", "4C 5C"], 12, ["2S 3S"], options={"doubt_mode": mode})
    m.play("QS done")
    assert m.actors == ((1,) if mode == "sequential" else (1, 2))  # not the last one: asked as ever
    assert m.legal(1) == ["accept", "doubt"]


@pytest.mark.rules("DB-E4", "DB-14", "DB-Q6", "DB-Q7")
@pytest.mark.parametrize(
    ("laid", "answers", "after"),
    [
        (24, [("doubt", 1)], [0, 12, 2]),  # true
        (12, [("doubt", 1)], [10, 2, 2]),  # false
        (12, [("accept", 1), ("doubt", 2)], [10, 2, 2]),
        (12, [("accept", 1), ("accept", 2)], [0, 2, 2]),
    ],
)
def test_example_4_a_last_set_that_may_be_doubted(laid: int, answers: list[tuple[str, int]], after: list[int]) -> None:
    m = table(["QS", "2C 3C", "4C 5C"], laid, PILE, rules="bullshit")
    m.play("QS")
    assert (counts(m)[0], m.over) == (0, False)
    for answer, seat in answers:
        m.play(answer, seat)
    assert counts(m) == after
    if after[0]:
        assert (m.actors, rank(m), m.over) == ((1,), "A", False)
    else:
        assert (m.results[0].winner, [event.rule for event in told(m, "win")]) == (0, ["DB-14"])


@pytest.mark.rules("DB-Q9")
def test_no_deal_is_endless() -> None:
    m = table(["QS 2S", "2C 3C", "4C 5C"], 5, ["2H"], options={"turn_cap": 7})
    for _ in range(2):
        lay_one(m)
    assert [event.rule for event in told(m, "void")] == ["DB-Q9"]
    assert m.results[0].winner is None
    assert m.results[0].payoff == (0, 0, 0)
    assert m.result is not None
    assert m.result.winners == (0, 1, 2)
    m = table(["QS", "2C 3C", "4C 5C"], 6, ["2H"], options=OPTIONAL | {"turn_cap": 7})
    play(m, "QS", ("accept", 1), ("accept", 2))
    assert m.results[0].winner == 0  # the window of the last set counts
    free = Match("i-doubt-it", 3, seed=1, turn_cap="none")
    bounds = np.zeros(3)
    contract.bounds(free._s, bounds)
    assert bounds[0] == 100_000 * 7 + 1


@pytest.mark.rules("DB-02")
def test_a_match_of_several_deals_counts_deals_won() -> None:
    m = Match("i-doubt-it", 3, seed=4, deals=3, turn_cap=120)
    play_out(m, 4)
    assert m.result is not None
    assert m.result.deals == 3
    assert sum(m.scores) == sum(deal.winner is not None for deal in m.results)
    assert [m.scores[p] for p in m.result.winners] == [max(m.scores)] * len(m.result.winners)


@pytest.mark.rules("DB-02", "DB-04", "DB-14")
def test_the_next_deal_begins_anew() -> None:
    """With all cards, none in the pile, and nobody has won it, though a pile lay there and cards were out of play."""
    m = table(["QS", "2C 3C", "4C 5C"], 24, PILE, options={"deals": 2, "turn_cap": 25})
    m.play("QS")
    assert (m.deal, m.scores, sum(counts(m)), pile(m)) == (2, (1, 0, 0), 52, 0)
    assert not m._s.absent.any()
    for _ in range(25):
        lay_one(m)
    assert [deal.payoff for deal in m.results] == [(1, 0, 0), (0, 0, 0)]
    assert (m.scores, m.over) == ((1, 0, 0), True)


@pytest.mark.parametrize("last", ["", " done"])
@pytest.mark.parametrize("mode", ["sequential", "simultaneous"])
def test_nothing_is_left_of_an_earlier_match(last: str, mode: str) -> None:
    """Studies play one match after another in the same state, at any stage of the table."""
    m = Match("i-doubt-it", 3, seed=1, auto=False, doubt_mode=mode)
    begin = m._s.tobytes()
    for _ in range(2):
        lay_one(m)
    m.play(f"{hand(m, m.actors[0])[0]}{last}")
    if last:
        m.play("accept", m.actors[0])
    assert (m._s.sets, m._s.draft.any(), m._s.window) == ((3, False, 1) if last else (2, True, 0))
    contract.open_match(m._s)
    contract.next_deal(m._s, np.zeros(112, np.int64))
    assert m._s.tobytes() == begin
