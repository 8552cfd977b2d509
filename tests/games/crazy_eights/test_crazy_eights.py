"""Crazy Eights by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardtable import IllegalMove, Match, NotationError, OptionError, PositionError
from cardtable.base.cards import SUIT_NAMES, card_text, parse_cards
from cardtable.rules.contract import bounds
from tests.support.games.tables import refused, result
from tests.support.games.trick_tables import check_secrets, check_texts, play_out, state, told, turns, zone

GAME = "crazy-eights"
EIGHT_CLUBS = [f"8C {suit}" for suit in SUIT_NAMES]


def sit(
    hands: list[str],
    discards: str,
    *,
    turn: int = 0,
    auto: bool = True,
    options: dict[str, Any] | None = None,
    **keys: Any,
) -> Match:
    """A position: the upcard stands last in `discards`."""
    position = {"game": GAME, "hands": hands, "discards": discards, "turn": turn, "options": options or {}, **keys}
    return Match.from_position(position, seed=3, auto=auto)


def hand(m: Match, seat: int) -> list[str]:
    return m.view(seat).hand


def pack(first: str, *, decks: int = 1, jokers: bool = False) -> str:
    """A pack with these cards on top, and the others ascending."""
    cards = parse_cards(first, decks)
    rest = [card for card in range(54 if jokers else 52) for _ in range(decks - cards.count(card))]
    return " ".join(card_text(card) for card in cards + rest)


def deal_of(hands: list[str], then: str, **options: Any) -> Match:
    """A first deal of these hands (seat 0 is eldest), `then` being the next cards."""
    rows = [hand.split() for hand in hands]
    first = " ".join(rows[p][k] for k in range(len(rows[0])) for p in range(len(rows)))
    jokers = options.get("jokers") == "2"
    return Match.from_pack(
        pack(f"{first} {then}", jokers=jokers), GAME, len(hands), auto=False, hand_size=len(rows[0]), **options
    )


# Players, pack and deal


@pytest.mark.rules("CE-03")
@pytest.mark.parametrize(
    ("seats", "options", "cards"),
    [
        (2, {}, 52),
        (5, {}, 52),
        (6, {}, 104),
        (10, {"jokers": 2}, 108),
        (4, {"decks": 2}, 104),
        (3, {"jokers": 2}, 54),
        (3, {"jokers": 1}, 53),
        (6, {"jokers": 1}, 106),
    ],
)
def test_one_pack_for_up_to_five_and_two_for_more(seats: int, options: dict[str, Any], cards: int) -> None:
    m = Match(GAME, seats, seed=1, **options)
    assert sum(zone.count for zone in m.view().zones if zone.kind in ("hand", "pile", "stock")) == cards


@pytest.mark.rules("CE-Q13", "CE-10")
def test_a_pack_may_have_one_joker() -> None:
    """X1 is wild like any joker, X2 is not in the pack, and a hand of 8 each goes through a record."""
    m = sit(["X1 4H", "*4"], "8H", named="clubs", options={"jokers": 1})
    m.play("X1")
    assert zone(m, "discards").cards == ("8H", "X1")
    with pytest.raises(PositionError, match="X2"):
        sit(["X2 4H", "*4"], "8H", named="clubs", options={"jokers": 1})
    for decks in (1, 2):
        m = Match(GAME, 4, seed=decks, jokers=1, decks=decks, turn_cap=40)
        cards = Counter(card for p in range(4) for card in m.view(p).hand)
        assert cards["X1"] <= decks
        assert not cards["X2"]
        while not m.over:
            m.play(m.legal()[0])
        assert str(Match.from_record(str(m.record())).record()) == str(m.record())


@pytest.mark.rules("CE-03")
def test_one_pack_does_not_serve_six() -> None:
    with pytest.raises(OptionError, match=r"at most 5 players \(CE-03\)"):
        Match(GAME, 6, decks=1)
    for seats in (1, 11):
        with pytest.raises(OptionError, match="2 to 10 players"):
            Match(GAME, seats)


@pytest.mark.rules("CE-04", "CE-05", "CE-06")
def test_eight_cards_each_singly_from_eldest_then_the_upcard_then_the_stock() -> None:
    m = Match.from_pack(pack(""), GAME, 5, auto=False)
    assert hand(m, 0) == ["AS", "6S", "JS", "3H", "8H", "KH", "5D", "TD"]
    assert [zone(m, f"hand-{p}").count for p in range(5)] == [8] * 5
    assert zone(m, "discards").cards == ("2C",)
    assert zone(m, "stock").count == 11
    assert m.actors == (0,)
    m.play("draw")
    assert "3C" in hand(m, 0)
    assert {Match(GAME, 3, seed=seed).dealer for seed in range(30)} == {0, 1, 2}
    m = Match(GAME, 4, seed=1, first_dealer="seat 2")
    assert (m.dealer, m.actors) == (2, (3,))
    with pytest.raises(OptionError, match="seats are 0 to 3"):
        Match(GAME, 4, first_dealer="seat 4")


@pytest.mark.rules("CE-06", "CE-07")
def test_turns_go_to_the_left() -> None:
    m = sit(["5S 9S", "5H 6H", "5D 2C"], "5C", turn=1, auto=False)
    turns_taken = []
    for card in ("5H", "5D", "5S", "6H"):
        turns_taken.append(m.actors[0])
        if card not in m.legal():
            break
        m.play(card)
    assert turns_taken == [1, 2, 0, 1]


# What may be laid


@pytest.mark.rules("CE-02", "CE-07", "CE-08")
def test_suit_or_rank_of_the_upcard_or_an_eight() -> None:
    m = sit(["5D 9S 9D 8H", "*4"], "5S", auto=False)
    assert m.legal() == ["9S", "5D", *(f"8H {suit}" for suit in SUIT_NAMES), "draw"]
    with pytest.raises(IllegalMove, match=r"neither the suit nor the rank of 5S \(CE-07\)"):
        m.play("9D")
    with pytest.raises(IllegalMove, match=r"do not hold 7S \(CE-07\)"):
        m.play("7S")
    with pytest.raises(IllegalMove, match=r"name a suit: write for instance 8H clubs \(CE-09\)"):
        m.play("8H")


@pytest.mark.rules("CE-E2")
def test_example_2_rank_or_suit() -> None:
    assert sit(["5D JS 9C 8C", "*4"], "5S").legal() == ["JS", "5D", *EIGHT_CLUBS, "draw"]


@pytest.mark.rules("CE-09", "CE-E1", "CE-Q6")
def test_example_1_a_suit_named() -> None:
    m = sit(["5H 8D 9C QS", "*4"], "8H", named="clubs")
    assert m.legal() == ["9C", *(f"8D {suit}" for suit in SUIT_NAMES), "draw"]
    assert refused(m, "5H") == "CE-09"
    m.play("8D spades")
    assert told(m, "named")[0] == (0, 0, "CE-09")
    assert zone(m, "discards").notes == {"upcard": "8D", "named": "spades", "free": False}
    assert zone(m, "discards").text == "next: spades or an eight"
    m = sit(["8S 8D", "*4"], "8H", named="clubs")  # an eight is no match by rank: a suit is named again
    assert "8S" not in m.legal()
    assert "8S hearts" in m.legal()


@pytest.mark.rules("CE-09")
def test_the_suit_named_holds_until_a_card_is_laid() -> None:
    m = sit(["8D QS", "9C QH", "2C 3H"], "KD", auto=False)
    m.play("8D clubs")
    assert m.legal() == ["9C", "draw"]
    m.play("9C")
    assert m.legal() == ["2C", "draw"]
    assert zone(m, "discards").notes["named"] is None


@pytest.mark.rules("CE-10", "CE-E3", "CE-Q8")
def test_example_3_a_joker() -> None:
    m = sit(["2D KS", "2H 3D 9C 8S X2", "*2"], "X1", options={"jokers": 2}, auto=False)
    assert m.legal() == ["KS", "2D", "draw"]
    m.play("draw")
    assert {"KS", "2D"} <= set(m.legal())
    assert zone(m, "discards").notes["free"]  # while they draw, anything goes still
    m.play("2D")
    assert m.legal() == ["2H", "3D", "X2", *(f"8S {suit}" for suit in SUIT_NAMES), "draw"]
    m.play("X2")
    assert told(m, "lay")[0][2] == "CE-10"
    assert not told(m, "named")
    assert len(m.legal()) >= 3  # both cards, and to draw


@pytest.mark.rules("CE-08", "CE-09", "CE-10")
def test_a_joker_goes_on_any_card_also_against_the_suit_named() -> None:
    m = sit(["X1 4H", "*4"], "8H", named="clubs", options={"jokers": 2})
    assert m.legal() == ["X1", "draw"]


# Drawing


@pytest.mark.rules("CE-11", "CE-Q2", "CE-E5")
def test_example_5_unwilling() -> None:
    m = sit(["8S 7C", "*5"], "7H", stock="KD 2C")
    with pytest.raises(IllegalMove, match=r"you can still draw \(CE-Q2\)"):
        m.play("pass")
    m.play("draw")
    assert hand(m, 0) == ["8S", "KD", "7C"]
    assert m.actors == (0,)
    assert m.legal() == ["7C", *(f"8S {suit}" for suit in SUIT_NAMES), "draw"]
    m.play("draw")
    m.play("7C")
    assert m.actors == (1,)


@pytest.mark.rules("CE-11", "CE-Q3")
def test_whoever_can_must_if_the_house_says_so() -> None:
    options = {"draw_willing": "no"}
    m = sit(["2S 3D", "*5"], "7H", stock="KD 2C 9H 4H", options=options)
    for _ in range(3):
        assert m.legal() == ["draw"]
        m.play("draw")
    assert m.legal() == ["9H"]
    with pytest.raises(IllegalMove, match=r"you can lay 9H, so you must \(draw_willing=no\) \(CE-Q3\)"):
        m.play("draw")
    m = sit(["2S 7D 3H", "*5"], "7H", options=options)
    assert m.legal() == ["3H", "7D"]
    m = sit(["2S 3D", "*5"], "7H", stock="9H 4H")
    m.play("draw")
    assert m.legal() == ["9H", "draw"]  # willing: they may go on


@pytest.mark.rules("CE-11")
def test_only_the_drawer_sees_the_card() -> None:
    m = sit(["2S 3D", "*5"], "7H", stock="KD 2C")
    m.play("draw")
    event = next(event for event in m.events if event.kind == "draw")
    assert (event.card, event.viewer) == ("KD", 0)
    assert event.seen_by(1).card is None
    assert zone(m, "hand-0", 1).cards == (None,) * 3


@pytest.mark.rules("CE-12", "CE-Q4", "CE-Q5", "CE-E4")
@pytest.mark.parametrize("auto", [True, False])
def test_example_4_a_reshuffle_and_a_pass(auto: bool) -> None:
    m = sit(["4H 2C", "*22", "*25"], "3D 5D KS", auto=auto)
    assert m.legal() == ["draw"]
    m.play("draw")
    assert told(m, "reshuffle") == [(None, 2, "CE-12")]
    assert zone(m, "discards").cards == ("KS",)
    assert zone(m, "stock").count == 1
    m.play("draw")
    assert hand(m, 0) == ["4H", "3D", "5D", "2C"]
    if not auto:
        assert m.legal() == ["pass"]
        assert refused(m, "draw") == "CE-Q5"
        m.play("pass")
    assert told(m, "pass")[-1][2] == "CE-Q5"
    assert m.actors == (1,)
    assert (zone(m, "stock").count, zone(m, "discards").cards) == (0, ("KS",))


@pytest.mark.rules("CE-Q4", "CE-12")
def test_the_stock_is_made_anew_when_a_card_is_needed_not_before() -> None:
    m = sit(["4H 2C", "*22", "*24"], "3D 5D KS", stock="9D")
    m.play("draw")
    assert zone(m, "stock").count == 0
    assert zone(m, "discards").count == 3
    m.play("draw")
    assert (zone(m, "stock").count, zone(m, "discards").count) == (1, 1)


@pytest.mark.rules("CE-12")
def test_what_was_named_stays_in_force_through_a_reshuffle_and_every_order_is_possible() -> None:
    orders = set()
    for seed in range(40):
        m = Match.from_position(
            {"game": GAME, "hands": ["4H 2C", "*22", "*24"], "discards": "3D 5D 9D 8H", "turn": 0, "named": "spades"},
            seed=seed,
        )
        m.play("draw")
        assert zone(m, "discards").notes["named"] == "spades"
        orders.add(str(m.position().keys["stock"]))
    assert len(orders) == 6


@pytest.mark.rules("CE-Q5")
def test_a_whole_round_of_passes_is_impossible() -> None:
    m = sit(["4H 2C", "3H 5C", "*23", "*24"], "KS", auto=True)
    m.play("pass")
    assert [event.source for event in m.events if event.kind == "pass"] == [0, 1]  # the second is made at once
    assert m.actors == (2,)  # the spades, kings and eights are in the other hands
    assert m.legal()
    assert "pass" not in m.legal()


# Wild starters


@pytest.mark.rules("CE-Q1", "CE-E7", "CE-05")
def test_example_7_a_buried_card() -> None:
    hands = ["2S 3S 4S 5S 6S 7S 9S TS", "2H 3H 4H 5H 6H 7H 9H TH"]
    m = deal_of(hands, "8C QD")
    assert [(event.kind, event.card) for event in m.events if event.card] == [("buried", "8C"), ("upcard", "QD")]
    assert zone(m, "discards").cards == ("QD",)
    stock = zone(m, "stock")
    assert stock.count == 35
    # the next card of the pack was turned up, so 16 are left of the 17 that came to lie on it
    assert [k for k, card in enumerate(stock.cards) if card] == [16]
    assert stock.cards[16] == "8C"
    assert str(m.position().keys["stock"]).split()[16] == "8C"


@pytest.mark.rules("CE-Q1")
def test_burying_goes_on_until_an_ordinary_card_comes() -> None:
    m = deal_of(["2S 3S", "2H 3H"], "8C 8D X1 QD", jokers="2")
    assert [event.card for event in m.events if event.kind == "buried"] == ["8C", "8D", "X1"]
    assert zone(m, "discards").cards == ("QD",)
    # 50 cards left; each goes under 24 of the other 49
    assert [(k, card) for k, card in enumerate(zone(m, "stock").cards) if card] == [(21, "8C"), (22, "8D"), (23, "X1")]


@pytest.mark.rules("CE-Q1")
def test_a_buried_card_is_known_when_it_is_drawn() -> None:
    m = sit(["4H 2C", "*5"], "KS", stock="3D 8C 5D 7D", buried=["8C 1"])
    m.play("draw")
    m.play("draw")
    assert next(event for event in m.events if event.kind == "draw").viewer is None
    assert zone(m, "hand-0", 1).cards == ("8C", None, None, None)
    assert m.position().keys["known"] == ["8C", ""]
    check_secrets(m)
    m.play("8C hearts")
    assert "known" not in m.position().keys


@pytest.mark.rules("CE-Q1")
def test_a_wild_starter_may_be_free() -> None:
    m = deal_of(["2S 3S", "2H 3H"], "8C QD", starter_wild="free")
    assert m.legal() == ["2S", "3S", "draw"]
    assert zone(m, "discards").notes == {"upcard": "8C", "named": None, "free": True}
    assert zone(m, "discards").text == "anything goes"
    m.play("2S")
    assert m.legal() == ["2H", "draw"]
    m = deal_of(["2S 3S", "2H 3H"], "X2 QD", starter_wild="free", jokers="2")
    assert m.legal() == ["2S", "3S", "draw"]


@pytest.mark.rules("CE-Q1")
def test_the_dealer_may_name_the_suit() -> None:
    m = deal_of(["2S 3S", "2H 3D"], "8C QD", starter_wild="dealer_names")
    assert m.actors == (1,)
    assert m.legal() == list(SUIT_NAMES)
    assert refused(m, "2H") == "CE-Q1"
    m.play("name spades")
    assert told(m, "named")[0][2] == "CE-Q1"
    assert m.actors == (0,)
    assert m.legal() == ["2S", "3S", "draw"]
    assert refused(m, "clubs") == "CE-09"
    m = deal_of(["2S 3S", "2H 3H"], "X2 QD", starter_wild="dealer_names", jokers="2")
    assert m.actors == (0,)
    assert m.legal() == ["2S", "3S", "draw"]


# The end


@pytest.mark.rules("CE-E6", "CE-13")
def test_example_6_out_with_an_eight() -> None:
    m = sit(["8D", "*5"], "KC", auto=False)
    assert m.legal() == ["8D", "draw"]
    assert refused(m, "8D clubs") == "CE-13"
    m.play("8D")
    assert m.results[0].winner == 0
    assert not told(m, "named")
    assert told(m, "win")[0][2] == "CE-13"
    assert m.over


@pytest.mark.rules("CE-02", "CE-13")
def test_the_first_without_cards_wins() -> None:
    m = sit(["2C", "2D 3D", "*4"], "2S", auto=False, options={"deals": 2})
    m.play("2C")
    assert m.results[0].winner == 0
    assert m.scores == (1, 0, 0)
    assert not m.over
    assert zone(m, "hand-1").cards == ("2D", "3D")  # turned up
    dealer = m.dealer
    m.next_deal()
    assert m.dealer == (dealer + 1) % 3


@pytest.mark.rules("CE-E8", "CE-13")
def test_example_8_points() -> None:
    m = sit(["5D", "8H KC 3D", "AS TD"], "5S", options={"scoring": "points"}, unlisted="played")
    m.play("5D")
    assert m.scores == (74, 0, 0)
    assert m.results[0].payoff == (74, 0, 0)
    assert told(m, "score") == [(0, 74, "CE-13")]
    assert zone(m, "hand-1").cards == ("8H", "3D", "KC")


@pytest.mark.rules("CE-13")
def test_points_of_jokers_and_equal_cards() -> None:
    m = sit(
        ["5D", "8H 8H X1", "AS AS JD QD"],
        "5S",
        options={"scoring": "points", "decks": 2, "jokers": 2},
        unlisted="played",
    )
    m.play("5D")
    assert m.scores == (150 + 22, 0, 0)


@pytest.mark.rules("CE-13")
@pytest.mark.exhaustive
def test_most_deals_won_wins_the_match_and_ties_share() -> None:
    m = Match(GAME, 2, seed=4, deals=2)
    play_out(m)
    assert sum(result(m).scores) == 2
    assert result(m).winners == tuple(p for p in range(2) if m.scores[p] == max(m.scores))
    numbers = set()
    for seed in range(8):
        m = Match(GAME, 2, seed=seed, deals=2)
        play_out(m)
        assert m.result is not None
        numbers.add(len(m.result.winners))
    assert numbers == {1, 2}


@pytest.mark.rules("CE-13")
@pytest.mark.parametrize("scoring", ["points", "win"])
def test_each_deal_scores_by_itself(scoring: str) -> None:
    m = Match(GAME, 3, seed=2, deals=4, scoring=scoring)
    play_out(m)
    before: tuple[int, ...] = (0, 0, 0)
    for deal in m.results:
        assert deal.payoff == deal.gained == tuple(now - then for now, then in zip(deal.scores, before, strict=True))
        before = deal.scores
    assert m.scores == before


@pytest.mark.rules("CE-Q7")
def test_a_deal_is_void_after_the_last_turn_allowed() -> None:
    m = sit(["2C 4C", "2D 3D", "2H 3H"], "2S", auto=False, options={"turn_cap": 3, "deals": 2})
    for move in ("draw", "2C", "draw", "2D", "draw"):
        m.play(move)
    assert m.actors == (2,)  # draws belong to the turn
    m.play("2H")
    assert (m.results[0].winner, m.results[0].payoff) == (None, (0, 0, 0))
    assert told(m, "void")[0][2] == "CE-Q7"
    assert not m.over
    m.next_deal()
    assert m.deal == 2
    m = sit(["2C", "2D 3D", "2H 3H"], "2S", auto=False, options={"turn_cap": 1})
    m.play("2C")
    assert m.results[0].winner == 0  # who is out has won, also in the last turn


@pytest.mark.rules("CE-Q7")
def test_a_pass_ends_a_turn() -> None:
    m = sit(["4H 2C", "*24", "*25"], "KS", auto=False, options={"turn_cap": 1})
    m.play("pass")
    assert m.results[0].winner is None


@pytest.mark.rules("CE-Q11")
def test_without_a_cap_there_is_one() -> None:
    m = Match(GAME, 2, seed=1, turn_cap="none", auto=False)
    out = np.zeros(3)
    bounds(state(m), out)
    assert out[0] > 100_000
    assert m.position().keys["options"] == {"turn_cap": "none"}
    m = Match.from_position({**m.position().as_dict(), "turns": 99_999}, auto=False)
    while m.actors == (0,):
        m.play(next((move for move in m.legal() if move != "draw"), "draw"))
    assert m.results or m.actors == (1,)
    if m.actors:
        m.play(next((move for move in m.legal() if move != "draw"), "draw"))


@pytest.mark.rules("CE-Q9")
def test_no_card_skips_turns_the_play_or_makes_draw() -> None:
    for card in ("2S", "QS", "AS", "JS", "KS"):
        m = sit([f"{card} 3H", "*4", "*4", "*4"], "9S", auto=False)
        m.play(card)
        assert m.actors == (1,)
        assert zone(m, "hand-1").count == 4
        assert m.legal(1)[-1] == "draw"
    m.play("draw")
    assert m.actors == (1,)


@pytest.mark.rules("CE-Q10", "CE-04")
@pytest.mark.parametrize(
    ("seats", "options", "most"),
    [
        (5, {}, 8),
        (4, {}, 10),
        (2, {}, 21),
        (3, {"jokers": 2}, 13),
        (3, {"jokers": 1}, 14),
        (2, {"decks": 2}, 43),
        (10, {}, 8),
        (10, {"jokers": 2}, 8),
        (8, {}, 10),
    ],
)
def test_how_large_a_hand_may_be(seats: int, options: dict[str, Any], most: int) -> None:
    m = Match(GAME, seats, seed=1, hand_size=most, auto=False, **options)
    assert zone(m, "hand-0").count == most
    if most < 43:
        with pytest.raises(OptionError, match=rf"must be left undealt \(CE-Q10\).*at most {most} cards"):
            Match(GAME, seats, hand_size=most + 1, **options)


@pytest.mark.rules("CE-Q10")
def test_burying_ends_with_the_fewest_cards_left() -> None:
    hands = [[card for card in parse_cards(pack("")) if card % 13 != 7][k * 2 + p] for p in range(2) for k in range(21)]
    texts = [" ".join(card_text(card) for card in hands[:21]), " ".join(card_text(card) for card in hands[21:])]
    rest = [card for card in range(52) if card % 13 != 7 and card not in hands]
    then = " ".join(["8S", "8H", "8D", "8C", *(card_text(card) for card in rest)])
    m = deal_of(texts, then)
    assert zone(m, "discards").cards[0][0] != "8"
    assert [event.kind for event in m.events].count("buried") <= 8


# Two packs


@pytest.mark.rules("CE-Q12")
def test_equal_cards_of_two_packs_are_one_to_everybody() -> None:
    m = sit(["5S 5S 8D 8D 9C", "*5", "*5"], "9S 5H", options={"decks": 2}, auto=False)
    assert hand(m, 0) == ["5S", "5S", "8D", "8D", "9C"]
    assert m.legal() == ["5S", *(f"8D {suit}" for suit in SUIT_NAMES), "draw"]
    m.play("5S")
    assert hand(m, 0) == ["5S", "8D", "8D", "9C"]
    with pytest.raises(PositionError, match="stands 3 times"):
        sit(["5S 5S 5S", "*5"], "5H", options={"decks": 2})
    with pytest.raises(PositionError, match="lies in hand 0 already"):
        sit(["5S 5S", "5S"], "5H", options={"decks": 2})


@pytest.mark.rules("CE-Q12", "CE-03")
def test_a_pack_of_two_packs_is_named_whole() -> None:
    cards = [card_text(card) for card in range(54)] * 2
    m = Match.from_pack(" ".join(cards), GAME, 6, jokers=2, auto=False)
    assert hand(m, 0) == ["AS", "7S", "KS", "6H", "QH", "5D", "JD", "4C"]
    with pytest.raises(PositionError, match="it lacks X2"):
        Match.from_pack(" ".join(cards[:-1]), GAME, 6, jokers=2)
    with pytest.raises(NotationError, match="stands 3 times"):
        Match.from_pack(" ".join([*cards[:-1], "AS"]), GAME, 6, jokers=2)


# Words


def test_moves_are_read_in_many_ways() -> None:
    m = sit(["5D 8H", "*4"], "5S", auto=False)
    words, s = m.game.presentation, state(m)
    for text in ("8h clubs", "8H C", "8♥ ♣", "8H=clubs", "play 8h club", "8h  CLUBS"):
        assert words.move_text(s, words.parse_move(s, text)) == "8H clubs"
    assert words.move_text(s, words.parse_move(s, "5♦")) == "5D"
    assert words.move_text(s, words.parse_move(s, "DRAW")) == "draw"
    for text in ("", "9H clubs", "8H trumps", "hello", "8H clubs now", "draw two"):
        with pytest.raises(NotationError):
            words.parse_move(s, text)
    m.play("draw 5D")
    assert m.actors == (1,)


@pytest.mark.parametrize(
    "options",
    [{}, {"draw_willing": "no", "jokers": "2"}, {"decks": "2"}, {"starter_wild": "dealer_names", "scoring": "points"}],
)
def test_texts_all_along(options: dict[str, Any]) -> None:
    m = Match(GAME, 3, seed="texts", deals=1, turn_cap=60, **options)
    for table in turns(m, 23):
        check_texts(table)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"discards": ""}, "always an upcard"),
        ({"hands": ["", "9S"]}, "whoever is out has won"),
        ({"named": "clubs"}, "only after an eight"),
        ({"named": "trumps"}, "is no suit"),
        ({"discards": "8H"}, "a suit is named with an eight"),
        ({"discards": "8H", "free": True}, "turned up first"),
        ({"discards": "8H", "naming": True}, "the dealer's to name"),
        ({"discards": "X1"}, "no such card"),
        ({"free": True}, "only after an eight or a joker"),
        ({"turns": 2000}, "0 to 1999"),
        ({"scores": [-1, 0]}, "below 0"),
        ({"deal": 2}, "the match has 1 deal"),
        ({"unlisted": "dead"}, "under the discards"),
        ({"stock": "8C 2C", "buried": ["8C 1"]}, "how many cards lie on it"),
        ({"stock": "8C 2C", "buried": ["2C 1"]}, "how many cards lie on it"),
        ({"known": ["5D", ""]}, "buried wild card"),
        ({"gone": ["5D", ""]}, "Write pools too"),
        ({"pools": ["5D"]}, "list of 2 texts"),
        ({"pools": ["5D"], "batches": ["x", ""]}, "of which pool"),
        ({"pools": ["5D"], "batches": ["2 of 0", "1 of 0"]}, "cards are not those"),
        ({"pools": ["5D"], "batches": ["1 of 0", "1 of 0"]}, "so many cards"),
        ({"pools": ["5D"], "batches": ["2 of 0 most0 5D", "1 of 0"]}, "contradicts"),
        ({"pools": ["5D"], "batches": ["", "1 of 0"]}, "does not go with"),
    ],
)
def test_impossible_positions(change: dict[str, Any], words: str) -> None:
    keys = {"hands": ["5D 6D", "9S"], "discards": "5S", **change}
    with pytest.raises(PositionError, match=words):
        Match.from_position({"game": GAME, **keys})


# Players
