"""The rules of Oh Hell! that people play though no source has them: scorings, plans of deals, seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardtable import IllegalMove, Match, OptionError, PositionError
from cardtable.base.cards import card_text, parse_card, parse_set
from cardtable.games.oh_hell import policy, rules, scoring
from cardtable.games.oh_hell.advice import advice
from cardtable.games.oh_hell.trump import pack_of
from cardtable.rules import catalog, contract
from cardtable.rules.ruleset import Ruleset
from tests.games.oh_hell import model
from tests.support.effort import cases
from tests.support.games.trick_tables import (
    check_secrets,
    check_texts,
    check_worlds_replay,
    told,
    turns,
    worlds_of,
    zone,
)

GAME = catalog.find("oh-hell")
SCORINGS = GAME.options.kinds()["scoring"].values


def table(hands: list[str], upcard: str = "2C", *, preset: str = "common", **keys: Any) -> Match:
    given = {"game": "oh-hell", "rules": preset, "hands": hands, "upcard": upcard, **keys}
    return Match.from_position(given, seed=1, auto=False)


def state(seats: int = 3, preset: str | None = None, **options: Any) -> Any:
    return Ruleset.parse(GAME, preset, seats, options).state()


# Scoring


@pytest.mark.rules("OH-E10", "OH-C1", "OH-C2", "OH-C3", "OH-C4", "OH-C5", "OH-C6")
@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("tens", (20, 10, -10)),
        ("bonus", (12, 10, 0)),
        ("tricks", (12, 10, 2)),
        ("bonus_minus", (12, 10, -1)),
        ("wizard", (40, 20, -10)),
        ("pocha", (20, 10, -5)),
        ("squares", (14, 10, -1)),
    ],
)
def test_example_10_a_deals_points_by_every_scoring(name: str, points: tuple[int, ...]) -> None:
    """Two of four tricks are left: A takes one, and C the last."""
    hands = ["AH 2D", "3H 3D", "4H KD"]
    keys: dict[str, Any] = {"bids": [2, 0, 1], "tricks": [1, 0, 1], "turn": 0, "deal": 4}
    m = table(hands, options={"scoring": name, "dealer_rule": "off"}, **keys)
    for card in ("AH", "3H", "4H", "2D", "3D", "KD"):
        m.play(card)
    assert m.results[0].payoff == points
    missed = {"bonus": "OH-C1", "tricks": "OH-C2"}.get(name, "OH-15")
    assert told(m, "score") == [(0, points[0], "OH-14"), (1, points[1], "OH-14"), (2, points[2], missed)]


@pytest.mark.rules("OH-E10", "OH-C7", "OH-C8")
def test_example_10_a_smaller_bonus_and_a_bid_of_none() -> None:
    for name in ("bonus", "tricks", "bonus_minus"):
        s = state(scoring=name, bonus_points="5")
        assert (scoring.points(s, 2, 2), scoring.points(s, 0, 0)) == (7, 5)
    for name in SCORINGS:
        s = state(scoring=name, zero="five")
        s.each = 4
        assert scoring.points(s, 0, 0) == 5
        assert scoring.points(s, 1, 1) == scoring.points(state(scoring=name), 1, 1)
        s = state(scoring=name, zero="five_and_cards")
        s.each = 4
        assert scoring.points(s, 0, 0) == 9


@pytest.mark.parametrize("name", SCORINGS)
@pytest.mark.parametrize("zero", GAME.options.kinds()["zero"].values)
def test_points_are_those_of_the_model_and_within_bounds(name: str, zero: str) -> None:
    for bonus in ("5", "10"):
        house: dict[str, Any] = {"scoring": name, "zero": zero, "bonus_points": bonus}
        s = state(**house)
        s.each = most = int(s.rules.max_cards)
        out = np.zeros(3)
        contract.bounds(s, out)
        for bid in range(most + 2):
            for tricks in range(most + 1):
                points = scoring.points(s, bid, tricks)
                assert points == model.score(house, bid, tricks, most)
                assert out[1] <= points <= out[2]


@pytest.mark.rules("OH-C8")
def test_an_exact_bid_of_none_has_its_own_rule_where_it_scores_otherwise() -> None:
    m = table(["2D", "3D", "4D"], bids=[0, 0, 1], options={"zero": "five", "dealer_rule": "off"}, turn=0, deal=1)
    for card in ("2D", "3D", "4D"):
        m.play(card)
    assert told(m, "score")[0] == (0, 5, "OH-C8")
    assert "for an exact bid of none" in str([event for event in m.events if event.kind == "score"][0].message)


@pytest.mark.parametrize("name", SCORINGS)
def test_the_prompt_says_what_a_bid_is_worth(name: str) -> None:
    m = Match("oh-hell", 4, "oh-hell", seed=1, scoring=name, zero="five")
    prompt = m.view(m.actors[0]).prompt
    assert prompt is not None
    said = {"tens": "10 points each", "tricks": "Each scores 1 point", "wizard": "Exact: 20", "squares": "squared"}
    assert said.get(name, "Exact: 10") in str(prompt.ask)
    assert str(prompt.does[rules.BID]) == "5 points if you take none"


# What the heuristic knows of it


@pytest.mark.rules("OH-C1", "OH-C4", "OH-C6")
@pytest.mark.parametrize("name", SCORINGS)
def test_a_bid_is_chosen_for_what_it_scores_on_average(name: str) -> None:
    """With no doubt about the number of tricks, it is bid; expected points are those of the chances."""
    s = state(scoring=name, zero="five")
    s.each = 6
    for tricks in range(7):
        chances = policy.chances_of(6, float(tricks), 0.0)
        assert chances.sum() == pytest.approx(1.0)
        scores = [policy.expected(s, bid, chances) for bid in range(7)]
        assert scores.index(max(scores)) == tricks
        assert scores == [100 * scoring.points(s, bid, tricks) for bid in range(7)]
    chances = policy.chances_of(6, 2.4, 1.3)
    wanted = sum(chance * model.score({**house(s, name), "zero": "five"}, 3, k, 6) for k, chance in enumerate(chances))
    assert policy.expected(s, 3, chances) == pytest.approx(100 * wanted, abs=0.51)


def house(s: Any, name: str) -> dict[str, str]:
    return {"scoring": name, "bonus_points": str(int(s.rules.bonus_points))}


@pytest.mark.rules("OH-C2")
def test_who_has_missed_a_bid_takes_tricks_where_each_scores() -> None:
    """The bid of none is broken, and AS would win the last trick but one: now it scores, by any other scoring not."""

    def card(name: str) -> str:
        m = table(
            ["AS 3S", "*1", "*1", "*1"],
            "2H",
            options={"scoring": name, "dealer_rule": "off"},
            trick="KS QS 4S",
            turn=0,
            bids=[0, 1, 1, 1],
            tricks=[1, 0, 0, 0],
            deal=3,
        )
        moves = np.array([m._code(move, 0) for move in m.legal()])
        return m.game.presentation.move_text(m._s, int(policy.heuristic(m._s, 0, moves, len(moves))))

    assert card("tricks") == "AS"
    assert card("tens") == card("bonus_minus") == "3S"


# Plans, largest deals, seats


@pytest.mark.rules("OH-E11", "OH-C9", "OH-C11")
@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        ({"plan": "down_up"}, "3 2 1 2 3"),
        ({"plan": "up_down"}, "1 2 3 2 1"),
        ({"plan": "down"}, "3 2 1"),
        ({"plan": "up"}, "1 2 3"),
        ({"plan": "up_down", "ends_each": "yes"}, "1 1 1 1 2 3 3 3 3 2 1 1 1 1"),
        ({"plan": "down", "ends_each": "yes"}, "3 3 3 3 2 1 1 1 1"),
    ],
)
def test_example_11_plans_of_deals(given: dict[str, Any], sizes: str) -> None:
    m = Match("oh-hell", 4, seed=2, tiebreak="shared", max_cards=3, **given)
    by_deal: dict[int, int] = {}
    while not m.over:
        by_deal.setdefault(m.deal, int(m._s.each))
        m.play(m.legal()[0])
    assert " ".join(str(by_deal[deal]) for deal in sorted(by_deal)) == sizes
    assert m.result is not None
    assert m.result.deals == len(by_deal)


@pytest.mark.rules("OH-E11", "OH-C11")
def test_example_11_28_deals_with_ten_cards() -> None:
    assert int(rules.schedule(state(4, "common", ends_each="yes"))) == 28


@pytest.mark.rules("OH-C10", "OH-C12")
@pytest.mark.parametrize(("seats", "most"), [(2, 10), (5, 10), (6, 8), (7, 7), (8, 6), (9, 5), (10, 5)])
def test_the_pack_is_large_enough_for_the_largest_deal(seats: int, most: int) -> None:
    assert int(state(seats, "common").rules.max_cards) == most
    room = 52 // seats
    m = Match("oh-hell", seats, "common", seed=3, plan="down", max_cards=room)
    assert len(m.view(0).hand) == room
    assert zone(m, "stock").count == max(51 - room * seats, 0)
    with pytest.raises(OptionError, match=f"{room} or fewer|from 2 to {room}"):
        Match("oh-hell", seats, "common", max_cards=room + 1)


@pytest.mark.rules("OH-C12")
def test_two_to_ten_may_play() -> None:
    for seats in (2, 10):
        m = Match("oh-hell", seats, "common", seed=1)
        while not m.over:
            m.play(m.legal()[-1])
        assert m.result is not None
        assert m.result.deals == (19 if seats == 2 else 9)
    for seats in (1, 11):
        with pytest.raises(OptionError, match="2 to 10 players"):
            Match("oh-hell", seats, "common")


@pytest.mark.rules("OH-C10", "OH-C12")
def test_two_may_hold_26_cards_each() -> None:
    """The heuristic and the numbers of moves have room for them."""
    m = Match("oh-hell", 2, "common", seed=1, auto=False, max_cards=26, plan="down", dealer_rule="exceed")
    assert m.legal() == [f"bid {bid}" for bid in range(27)]
    m.play("bid 0")
    assert m.legal() == ["bid 27"]
    while m.actors:
        moves = np.array(m._codes(m.actors[0]))
        assert moves.max() < rules.ACTIONS
        m.play(m.game.presentation.move_text(m._s, int(contract.heuristic(m._s, m.actors[0], moves, len(moves)))))


# Trump


def suits(m: Match) -> str:
    """The trump suit of each deal, played to the end of the match; a dash for none."""
    by_deal: dict[int, str] = {}
    while not m.over:
        by_deal.setdefault(m.deal, str(zone(m, "trump").notes["suit"] or "-"))
        m.play(m.legal()[0])
    return " ".join(by_deal[deal] for deal in sorted(by_deal))


@pytest.mark.rules("OH-C13", "OH-C14", "OH-Q12")
def test_trump_may_rotate_or_be_spades() -> None:
    m = Match("oh-hell", 4, "common", seed=1, trump="rotate", max_cards=4)
    assert [event.told() for event in m.events if event.rule == "OH-C13"] == ["clubs are trumps (OH-C13)"]
    assert zone(m, "trump").cards == ()
    assert zone(m, "stock").count == 48
    assert suits(m) == "C D H S - C D"
    assert suits(Match("oh-hell", 4, "common", seed=1, trump="spades", max_cards=3)) == "S S S S S"
    m = Match("oh-hell", 4, "common", seed=1, trump="spades")
    assert [event.told() for event in m.events if event.rule == "OH-C14"] == ["spades are trumps (OH-C14)"]


def whole(seats: int = 4, **options: Any) -> Match:
    """A deal of the whole pack; the dealer is the last seat."""
    given = {"plan": "down", "max_cards": 52 // seats, "dealer_rule": "off", **options}
    return Match("oh-hell", seats, "common", seed=7, dealer=seats - 1, auto=False, **given)


@pytest.mark.rules("OH-C15", "OH-12")
def test_no_trump_where_the_whole_pack_is_dealt() -> None:
    m = whole()
    assert [event.told() for event in m.events if event.rule == "OH-C15"] == ["there is no trump (OH-C15)"]
    assert "no trump" in zone(m, "trump").text
    hands = ["2H", "AS", "KC", "3H"]
    for card, trump, winner in (("2H", "none", 3), ("2H", "spades", 1)):
        options = {"max_cards": 13, "trump": "turned" if trump == "none" else trump}
        played = " ".join(c for c in "A23456789TJQK" for c in (c + "S", c + "H", c + "D", c + "C") if c not in hands)
        end = table(hands, "", options=options, bids=[3, 3, 3, 3], tricks=[3, 3, 3, 3], played=played, turn=0, deal=13)
        for each in (card, "AS", "KC", "3H"):
            end.play(each)
        assert told(end, "trick")[0][0] == winner


@pytest.mark.rules("OH-C16")
def test_the_dealers_last_card_is_shown_and_tells_trump() -> None:
    m = whole(top_trump="dealers_last")
    card = [event.card for event in m.events if event.rule == "OH-C16"][0]
    assert card in m.view(3).hand
    assert zone(m, "trump").notes["suit"] == str(card)[1]
    assert all(m.view(seat).zone("hand-3").notes["shows"] == card for seat in range(3))
    for seat in range(-1, 3):
        worlds = worlds_of(m, seat, 20, lambda s: int(s.hands[3]) >> parse_card(str(card)) & 1)
        assert worlds == {1: 20}
    position = m.position()
    assert position.keys["shown"] == card
    while m.legal()[0].startswith("bid"):
        m.play("bid 3")
    while card in m.view(3).hand:
        m.play(card if card in m.legal() else m.legal()[0])
    assert "shows" not in m.view(0).zone("hand-3").notes
    assert m.position().keys["shown"] == card


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"shown": "5H"}, "no card of the dealer"),
        ({"options": {"top_trump": "dealers_last"}}, "dealer's last card tells trump"),
        ({"options": {"top_trump": "dealers_last"}, "shown": "2H"}, "dealer's last card tells trump"),
    ],
)
def test_trump_cards_that_cannot_be_are_refused(change: dict[str, Any], why: str) -> None:
    hands = [" ".join(rank + suit for rank in "A23456789TJQK") for suit in "SHDC"]
    good = {"game": "oh-hell", "rules": "common", "hands": hands, "deal": 10, "options": {}}
    options = {"max_cards": 13, **change.pop("options", {})}
    Match.from_position({**good, "options": {"max_cards": 13}})
    with pytest.raises(PositionError, match=why):
        Match.from_position({**good, **change, "options": options})
    spades = {"game": "oh-hell", "hands": ["2S", "3S", "4S"], "options": {"trump": "spades"}}
    with pytest.raises(PositionError, match="no card is turned up"):
        Match.from_position({**spades, "upcard": "5S"})


@pytest.mark.parametrize(
    "options", [{"trump": "rotate"}, {"top_trump": "dealers_last"}, {"top_trump": "none"}], ids=str
)
def test_texts_secrets_and_worlds_without_an_upcard(options: dict[str, Any]) -> None:
    judged = 0
    for m in turns(Match("oh-hell", 4, "common", seed=3, plan="down", max_cards=13, **options), 23):
        if m.deal > 2:
            break
        check_texts(m)
        check_secrets(m, 1)
        judged += sum(check_worlds_replay(m, viewer, 1) for viewer in range(-1, 4))
    assert judged > 10


# What must always hold


@pytest.mark.parametrize("seats", cases([2, 8, 10], (10,)))
def test_texts_positions_secrets_and_worlds_of_large_and_small_tables(seats: int) -> None:
    judged = 0
    for m in turns(Match("oh-hell", seats, "common", seed=f"large {seats}", plan="down_up"), 41):
        check_texts(m)
        check_secrets(m, 1)
        judged += sum(check_worlds_replay(m, viewer, 1) for viewer in range(-1, seats))
    assert judged > 10


# Cards that must be played


def second(hand: str, trick: str, must: str, trump: str = "7S") -> Match:
    """Four players; seat 0 is to play to a trick of one or two cards, and nobody has played before."""
    held, laid = len(hand.split()), len(trick.split())
    hands = [hand, *(f"*{held - (seat >= 4 - laid)}" for seat in (1, 2, 3))]
    keys: dict[str, Any] = {"trick": trick, "turn": 0, "bids": [1, 1, 1, 1], "deal": 9}
    return table(hands, trump, options={"must": must, "dealer_rule": "off"}, **keys)


@pytest.mark.rules("OH-E12", "OH-C18")
@pytest.mark.parametrize(
    ("hand", "trick", "may"),
    [
        ("7H KH AS", "9H", "KH"),
        ("7H AS", "9H", "7H"),
        ("3S 2D AD", "9H", "3S"),
        ("7H KH", "9H 5S", "7H KH"),
        ("8S 3S 2D", "9H 5S", "8S"),
        ("3S 2D", "9H 5S", "3S 2D"),
        ("3S 9S", "5S", "9S"),
        ("3S 4S 2D", "5S", "3S 4S"),
        ("2C 2D", "9H", "2C 2D"),
    ],
)
def test_example_12_cards_that_must_be_played(hand: str, trick: str, may: str) -> None:
    m = second(hand, trick, "beat")
    assert sorted(m.legal()) == sorted(may.split())
    for card in set(hand.split()) - set(may.split()):
        refused = m.why_not(card)
        assert refused is not None
        assert refused.rule in ("OH-C18", "OH-11")


@pytest.mark.rules("OH-C17", "OH-11")
def test_who_lacks_the_suit_must_trump_but_not_beat() -> None:
    assert second("7H KH AS", "9H", "trump").legal() == ["7H", "KH"]
    assert sorted(second("3S 8S 2D", "9H 5S", "trump").legal()) == ["3S", "8S"]
    m = second("3S 8S 2D", "9H", "trump")
    with pytest.raises(IllegalMove, match=r"you hold no hearts and must trump with 3S 8S \(OH-C17\)"):
        m.play("2D")
    m = second("7H KH AS", "9H", "beat")
    with pytest.raises(IllegalMove, match=r"9H is winning and you can beat it with KH \(OH-C18\)"):
        m.play("7H")
    with pytest.raises(IllegalMove, match=r"hearts were led and you hold 7H KH \(OH-11\)"):
        m.play("AS")


@pytest.mark.rules("OH-C17", "OH-C18")
@pytest.mark.parametrize(
    ("hand", "trick", "must", "card", "lacks"),
    [
        ("7H 6H", "9H", "beat", "7H", "AH TH JH QH KH"),
        ("7H 6H", "9H 5S", "beat", "7H", ""),
        ("3S 2D", "9H 5S", "beat", "2D", "AS 6S 7S 8S 9S TS JS QS KS"),
        ("2C 2D", "9H", "beat", "2D", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"),
        ("2C 2D", "9H", "trump", "2D", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"),
        ("2C 2D", "9H", "follow", "2D", ""),
        ("7H 6H", "9H", "trump", "7H", ""),
    ],
)
def test_a_card_shows_what_its_player_lacks(hand: str, trick: str, must: str, card: str, lacks: str) -> None:
    m = second(hand, trick, must)
    m.play(card)
    assert m.position().keys.get("lacks", ["", "", "", ""])[0] == lacks
    if "H" in lacks:
        assert m.view(2).zone("hand-0").notes["lacks"] == lacks
        unlikely = parse_set(lacks)
        assert set(worlds_of(m, 2, 40, lambda s: int(s.hands[0]) & unlikely)) == {0}
    elif lacks and "2S" in lacks:
        assert "spades" in m.view(2).zone("hand-0").text or "S" in m.view(2).zone("hand-0").notes["voids"]


def test_a_hand_that_is_said_to_lack_its_card_is_refused() -> None:
    with pytest.raises(PositionError, match="it is said to lack it"):
        table(["7H 6H", "2H 3H", "4H 5H"], lacks=["7H", "", ""], deal=9)


@pytest.mark.parametrize(
    ("hand", "trick", "said"), [("7H KH AS", "9H", "beat the trick"), ("3S 2D", "9H", "must trump")]
)
def test_the_prompt_says_what_must_be_played(hand: str, trick: str, said: str) -> None:
    prompt = second(hand, trick, "beat").view(0).prompt
    assert prompt is not None
    assert said in str(prompt.ask)


@pytest.mark.parametrize("seats", cases([3, 4, 6], (4,)))
@pytest.mark.parametrize("must", ["trump", "beat"])
def test_texts_secrets_and_worlds_where_cards_must_be_played(seats: int, must: str) -> None:
    judged = 0
    for m in turns(Match("oh-hell", seats, "common", seed=must, must=must), 37):
        check_texts(m)
        check_secrets(m, 1)
        judged += sum(check_worlds_replay(m, viewer, 2) for viewer in range(-1, seats))
    assert judged > 50


# Pocha


@pytest.mark.rules("OH-C19", "OH-C20", "OH-C16")
@pytest.mark.parametrize(("seats", "most"), [(3, 12), (4, 10), (5, 8), (6, 6), (7, 5), (8, 5)])
def test_pocha_has_40_cards_and_goes_to_the_right(seats: int, most: int) -> None:
    m = Match("pocha", seats, seed=1, dealer=1, ends_each="no")
    assert (m.rules, m.actors, int(m._s.rules.max_cards)) == ("pocha", (0,), most)
    cards = np.zeros(112, np.int64)
    n = int(contract.pack(m._s, cards))
    assert n == (36 if seats == 3 else 40)
    left_out = {"8", "9", "T"} | ({"2"} if seats == 3 else set())
    assert {card_text(int(card))[0] for card in cards[:n]} == set("A23456789TJQK") - left_out
    assert zone(m, "stock").count == n - seats - 1
    for card in sorted(left_out):
        while m.legal()[0].startswith("bid"):
            m.play(m.legal()[0])
        refused = m.why_not(f"{card}S")
        assert refused is not None
        assert refused.rule == "OH-C19"
        break


@pytest.mark.rules("OH-C11", "OH-C19")
def test_pocha_for_four_has_28_deals() -> None:
    assert int(rules.schedule(state(4, "pocha"))) == 28


@pytest.mark.rules("OH-E13", "OH-C19")
def test_example_13_a_trick_with_40_cards() -> None:
    for last, winner in (("AH", 1), ("2C", 3)):
        m = table(["KH", last, "7H", "3H"], "4S", preset="pocha", turn=0, bids=[1, 1, 1, 1], deal=4)
        for card in ("KH", "3H", "7H", last):
            m.play(card)
        assert told(m, "trick")[0][0] == winner


@pytest.mark.rules("OH-C19")
def test_the_heuristic_knows_the_spanish_order() -> None:
    s = state(4, "pocha")
    suit = [card for card in range(13) if int(pack_of(s)) >> card & 1]
    places = {card: int(policy.in_order(s, 1 << card)).bit_length() for card in suit}
    assert "".join("A23456789TJQK"[card] for card in sorted(suit, key=places.__getitem__, reverse=True)) == "A3KQJ76542"
    hand = parse_set("3H 7H AD")
    ordered = int(policy.in_order(s, hand))
    assert ordered.bit_count() == 3
    m = table(["KH 2H", "*2", "*2", "*2"], "4S", preset="pocha", turn=0, bids=[0, 1, 1, 1], deal=5)
    assert "2 higher cards" in str(advice(m._s, 0, [parse_card("KH")]).why)


def test_hands_are_sorted_as_in_spain() -> None:
    m = table(["AH 3H KH 7H 2H", "*5", "*5", "*5"], "4S", preset="pocha", turn=0, bids=[0, 1, 1, 1], deal=9)
    hand: Any = m.view(0).zone("hand-0")
    assert [card for _, card in hand.in_order()][::-1] == ["AH", "3H", "KH", "7H", "2H"]


@pytest.mark.parametrize("seats", cases([3, 4, 8], (4,)))
def test_texts_secrets_and_worlds_of_pocha(seats: int) -> None:
    judged = 0
    for m in turns(Match("pocha", seats, seed=f"pocha {seats}", ends_each="no"), 31):
        check_texts(m)
        check_secrets(m, 1)
        judged += sum(check_worlds_replay(m, viewer, 1) for viewer in range(-1, seats))
    assert judged > 20


@pytest.mark.rules("OH-11")
def test_a_seat_that_was_void_may_not_hold_the_suit() -> None:
    s = state(3)
    s.lacks[1] = parse_set("AH KH 2D")
    for cards, held in (("AH", False), ("KH 3S", False), ("3S", True), ("3H", True)):
        assert rules.may_hold(s, 0, 1, parse_set(cards)) is held, cards
    assert rules.may_hold(s, 0, 2, parse_set("AH"))
