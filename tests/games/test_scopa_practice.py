"""Scopa as people play it: the rules of common practice on its page, each with its options."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from cardtable import Match, OptionError, PositionError
from cardtable.base.cards import parse_set
from cardtable.games.scopa import rules
from tests.games.test_scopa import PACK, counted, pack
from tests.support.games.tables import advice, fishing, gains, refused, zone

sit = partial(fishing, "scopa")
LOW = "2S 3S 4S 5S 6S JS QS KS 2H 3H 4H 5H 6H JH QH KH"  #: for a pile without aces, sevens and diamonds
CLUBS = "2C 3C 4C 5C 6C JC QC KC"


def scored(m: Match, rule: str) -> list[tuple[int | None, int | None]]:
    """The points that a rule has given: who, and how many."""
    return [(e.source, e.amount) for e in m.events if e.kind == "score" and e.rule == rule]


def house(**options: Any) -> dict[str, Any]:
    return {"options": options}


@pytest.mark.rules("SC-C1")
def test_a_match_to_31() -> None:
    ends = [
        counted("7D 7C", LOW, before=(20, 0), options={"target": target}).result is not None for target in ("21", "31")
    ]
    assert ends == [True, False]
    assert counted("7D 7C", LOW, before=(30, 0), options={"target": "31"}).result is not None


@pytest.mark.rules("SC-C2", "SC-E11")
@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ("7S 7H 6S AD AH", "7D 7C 6D 6H 5C", 1),  # SC-E11
        ("7S 2H", "7D 7C KS KH", 1),
        ("7S 6S AD 5H", "7D 6D AS 4C", 0),
        ("7S 5S 4S 3S", "7D 5D 4D 2D 2S", 0),
        ("7S 2S JS QS", "7D 2D KS KH", None),
        ("JS", "2D KS KH", 1),
        ("JS", "QD KS KH", None),
    ],
)
def test_a_primiera_by_sevens(first: str, second: str, winner: int | None) -> None:
    """Most sevens, then sixes, aces and so on; neither suits nor courts matter, and level throughout nobody scores."""
    rest = next(pair for pair in ("JC JD", "QC QH") if not set(pair.split()) & {*first.split(), *second.split()})
    m = counted(first, f"{second} {rest}", **house(primiera="sevens"))
    assert scored(m, "SC-23") == ([] if winner is None else [(winner, 1)])
    sevens = (first, second)[winner or 0].count("7")
    assert gains(m, "most sevens") == ([] if winner is None else [(winner, sevens)])


@pytest.mark.rules("SC-C2")
def test_sevens_of_three_sides() -> None:
    """Two sides that are level at the top leave nobody the point."""
    piles = ["7S 6S", "7H 6H", "7D"]
    m = sit(["", "JS", ""], "JC", turn=1, dealer=1, piles=piles, last=0, seats=3, **house(primiera="sevens"))
    m.play("JS")
    assert scored(m, "SC-23") == []


@pytest.mark.rules("SC-C3")
def test_the_re_bello() -> None:
    """After the primiera, before the sweeps."""
    m = counted("7S 7H KD", f"{LOW} 7C", sweeps="1 KS", **house(re_bello="on"))
    assert scored(m, "SC-C3") == [(0, 1)]
    assert [e.rule for e in m.events if e.kind == "score"] == ["SC-21", "SC-21", "SC-C3", "SC-13"]
    assert scored(counted("7S 7H KD", LOW), "SC-C3") == []
    m = counted("7S KD", LOW, before=(10, 9), **house(re_bello="on"))
    assert m.scores == (11, 10)  # B's cards, A's diamonds


@pytest.mark.rules("SC-C4", "SC-E10")
@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("AD 2D 3D 4D 6D", 4),  # SC-E10
        ("AD 2D 3D 4D 5D 6D", 6),
        ("AD 2D 3D", 3),
        ("AD 2D 4D 5D", 0),
        ("2D 3D 4D", 0),
        ("AS 2D 3D", 0),
        ("AD 2D 3D 4D 5D 6D 7D QD KD", 7),
        ("AD 2D 3D 4D 5D 6D 7D JD QD KD", 10),
    ],
)
def test_a_napola(pile: str, points: int) -> None:
    assert rules.napola(parse_set(pile)) == points
    m = counted(pile, LOW, **house(napola="on", counting="full_deal"))
    assert scored(m, "SC-C4") == ([(0, points)] if points else [])
    assert gains(m, "napola") == ([(0, points)] if points else [])


@pytest.mark.rules("SC-C4")
def test_a_napola_is_counted_point_by_point() -> None:
    """Before the sweeps, and after the re bello: counting stops in the middle of it."""
    m = counted("AD 2D 3D 4D KD", LOW, before=(5, 0), **house(napola="on", re_bello="on"))
    assert (scored(m, "SC-C3"), scored(m, "SC-C4")) == ([(0, 1)], [(0, 4)])
    assert m.scores == (11, 1)
    m = counted("AD 2D 3D 4D KD", LOW, before=(7, 0), sweeps="1 KS", **house(napola="on", re_bello="on"))
    assert (m.scores, scored(m, "SC-C4")) == ((11, 1), [(0, 2)])
    m = counted("AD 2D 3D", LOW, before=(10, 9), sweeps="1 KS, 1 QS", **house(napola="on"))
    assert m.scores == (11, 10)


@pytest.mark.rules("SC-C4", "SC-Q13")
def test_all_ten_diamonds_win_the_match() -> None:
    """Only with `wins_all`; even against a side that reaches the target first."""
    coins = "AD 2D 3D 4D 5D 6D 7D JD QD KD"
    m = counted(coins, f"{LOW} {CLUBS}", before=(0, 10), **house(napola="wins_all"))
    assert (m.scores, m.result and m.result.winners) == ((0, 11), (0,))
    assert gains(m, "all diamonds") == [(0, 10)]
    m = counted(coins, f"{LOW} {CLUBS}", before=(0, 10), **house(napola="on"))
    assert m.result
    assert m.result.winners == (1,)
    m = counted(coins, LOW, **house(napola="wins_all", target="31"))
    assert (m.over, m.scores[0]) == (True, 12)
    four = sit(
        ["", "", "", "2C"], "2S", turn=3, dealer=3, seats=4, piles=[LOW[3:], coins], last=0, **house(napola="wins_all")
    )
    four.play("2C")
    assert four.result
    assert four.result.winners == (1, 3)
    assert not counted("AD 2D 3D", LOW, **house(napola="wins_all")).over


def test_bots_know_what_scores() -> None:
    """The rule of thumb takes the king or the napola's cards where they score, and sevens where they decide."""
    board, hand = "KD KC", ["KS 2S", "4C 5C"]
    assert advice(sit(hand, board, turn=0, dealer=1, **house(re_bello="on"))) == "KS takes KD"
    for options, best in (({}, "QS takes 4S 5S"), ({"napola": "on"}, "3S takes 3D")):
        assert advice(sit(["QS 3S", "6C JC"], "3D 4S 5S", turn=0, dealer=1, options=options)) == best


def test_a_pile_tells_what_scores() -> None:
    """The tally names the king and the napola, and the sevens instead of the primiera."""
    options = {"re_bello": "on", "napola": "on", "primiera": "sevens"}
    m = sit(["7C", "KH"], "2H", turn=0, dealer=1, piles=["AD 2D 3D KD 7S", "5C"], last=0, options=options)
    assert [str(fact.message) for fact in zone(m, "pile-0").facts if fact.aid] == [
        "4 diamonds",
        "KD",
        "napola 3",
        "1 seven",
    ]


@pytest.mark.parametrize(
    ("options", "board", "hand", "why"),
    [
        ({"re_bello": "on"}, "KD 2C", "KS", "you get KD, the re bello: 1 point"),
        ({"napola": "on"}, "2D 5C", "2S", "you get 2D, for the napola"),
    ],
)
def test_advice_says_what_scores(options: dict[str, str], board: str, hand: str, why: str) -> None:
    m = sit([hand, "4C"], board, turn=0, dealer=1, options=options)
    view = m.view(0)
    assert str(view.advice(view.legal[:1]).why) == why


# Scopone


@pytest.mark.rules("SC-C5")
def test_nine_each_and_four_on_the_table() -> None:
    m = Match.from_pack(pack(""), "scopa", rules="scopone", dealer=0)
    assert (m.seats, m.actors) == (4, (3,))
    for k, seat in enumerate((3, 2, 1, 0)):
        assert set(m.view(seat).hand) == set(PACK[k:36:4])
    assert list(zone(m, "board").cards) == PACK[36:]
    assert not [one for one in m.view().zones if one.kind == "stock"]
    kings = pack(" ".join([card for card in PACK if card[0] != "K"]))
    m = Match.from_pack(kings, "scopa", rules="scopone", dealer=0)
    assert [e.kind for e in m.events if e.kind == "misdeal"] == ["misdeal"]
    played = 0
    while m.deal == 1 and not m.over:
        m.play(m.legal()[0])
        played += 1
    assert played == 36


@pytest.mark.rules("SC-C6", "SC-Q14")
def test_ten_each_and_an_empty_table() -> None:
    """Eldest cannot take anything, the next player may clear the table, and three kings are no matter."""
    m = Match.from_pack(pack("KS KH KD KC"), "scopa", rules="scopone-ten", dealer=0)
    assert [len(m.view(seat).hand) for seat in range(4)] == [10] * 4
    assert zone(m, "board").cards == ()
    assert m.actors == (3,)
    assert all(move.endswith(" trails") for move in m.legal())
    m.play("KS")
    m.play("KH takes KS")
    assert gains(m, "sweep") == [(2, "KH")]
    played = 2
    while m.deal == 1 and not m.over:
        m.play(m.legal()[0])
        played += 1
    assert played == 40


@pytest.mark.rules("SC-C5", "SC-C6")
@pytest.mark.parametrize(
    ("seats", "options", "part"),
    [
        (2, {"deal": "nine"}, "four players"),
        (3, {"deal": "ten"}, "four players"),
        (4, {"deal": "ten", "king_misdeal": "on"}, "deal=nine"),
    ],
)
def test_what_cannot_be_dealt(seats: int, options: dict[str, Any], part: str) -> None:
    with pytest.raises(OptionError, match=part) as caught:
        Match("scopa", seats, **options)
    assert caught.value.code == "options/combination"
    for preset in ("scopone", "scopone-ten"):
        assert Match("scopa", rules=preset, seed=1).seats == 4
        with pytest.raises(OptionError):
            Match("scopa", 2, rules=preset)


@pytest.mark.rules("SC-C5", "SC-C6")
def test_positions_of_scopone() -> None:
    """A hand has up to nine or ten cards; where the table was empty, no two cards of one rank lie there."""
    hands = ["7C", "7H", "7S", "2S"]
    for preset, board in (("scopone", "5H 5D 5S 5C 4H"), ("scopone-ten", "5H 4H")):
        assert sit(hands, board, rules=preset, dealer=1).legal()
    with pytest.raises(PositionError, match="different ranks"):
        sit(hands, "5H 5D", rules="scopone-ten", dealer=1)
    with pytest.raises(PositionError, match="at most 9"):
        sit([" ".join(PACK[k:40:4]) for k in range(4)], "", rules="scopone", dealer=1)


@pytest.mark.rules("SC-20", "SC-C6")
def test_the_last_card_of_scopone_is_no_sweep() -> None:
    m = sit(["", "7C", "", ""], "7H", rules="scopone-ten", dealer=1, turn=1, piles=["2S", ""], last=0)
    m.play("7C takes 7H")
    assert gains(m, "sweep") == []


# Aces that take all


@pytest.mark.rules("SC-C7", "SC-C8", "SC-E12")
@pytest.mark.parametrize(("aces", "sweeps"), [("take_all", []), ("take_all_sweep", [(0, "AS")])])
def test_an_ace_takes_everything(aces: str, sweeps: list[Any]) -> None:
    """SC-E12: whatever is there; other cards still count an ace as 1. A sweep only where that counts."""
    m = sit(["AS 6S", "2C 3C"], "AH 5D KC", turn=0, dealer=1, **house(aces=aces))
    assert set(m.legal()) == {"AS takes AH 5D KC", "6S takes AH 5D"}
    assert refused(m, "AS takes AH") == "SC-C7"
    assert refused(m, "AS trails") == "SC-15"
    m.play("AS")
    assert gains(m, "sweep") == sweeps
    assert (zone(m, "board").count, zone(m, "pile-0").count, m.position().keys["last"]) == (0, 4, 0)
    assert sit(["AS", "2C"], "5D", **house()).legal() == ["AS trails"]


@pytest.mark.rules("SC-20", "SC-C8")
def test_the_last_card_is_no_sweep_even_if_it_is_an_ace() -> None:
    m = sit(["", "AS"], "5D KC", turn=1, dealer=1, piles=["2C", ""], last=0, **house(aces="take_all_sweep"))
    m.play("AS")
    assert gains(m, "sweep") == []


@pytest.mark.rules("SC-C7", "SC-C9", "SC-Q15")
@pytest.mark.parametrize(("on_table", "taken"), [("takes_all", "AH 5D"), ("pairs", "AH")])
def test_an_ace_on_the_table(on_table: str, taken: str) -> None:
    """SC-C9: it takes only an ace, one of several; SC-Q15: alone there, that may be a sweep."""
    rule = house(aces="take_all", ace_on_table=on_table)
    assert sit(["AS", "2C"], "AH 5D", turn=0, dealer=1, **rule).legal() == [f"AS takes {taken}"]
    two = sit(["AS", "2C"], "AH AC", turn=0, dealer=1, **rule)
    assert two.legal() == (["AS takes AH", "AS takes AC"] if on_table == "pairs" else ["AS takes AH AC"])
    alone = sit(["AS", "2C"], "AH", turn=0, dealer=1, **rule)
    alone.play("AS")
    assert gains(alone, "sweep") == ([(0, "AS")] if on_table == "pairs" else [])


@pytest.mark.rules("SC-C7", "SC-C10")
def test_an_ace_on_an_empty_table() -> None:
    """It stays, or goes to the player's pile, who has captured last then; that is no sweep."""
    m = sit(["AS", "2C"], "", turn=0, dealer=1, **house(aces="take_all_sweep"))
    m.play("AS trails")
    assert zone(m, "board").cards == ("AS",)
    rule = house(aces="take_all_sweep", ace_on_empty="own_pile")
    m = sit(["AS 4S", "2C 3C"], "", turn=0, dealer=1, **rule)
    assert m.legal() == ["AS kept", "4S trails"]
    assert [str(one.told) for one in m.view(0).choices] == ["AS goes to your pile", "4S trails"]
    assert str(m.view(0).advice(["AS kept"]).why) == "nobody can take it there"
    m.play("AS")
    assert (zone(m, "board").count, zone(m, "pile-0").count, gains(m, "sweep")) == (0, 1, [])
    m.play("2C")
    m.play("4S")
    m.play("3C")
    assert gains(m, "left") == [(0, 3)]
    m = sit(["AS 4S", "2C 3C"], "5D", turn=0, dealer=1, **rule)
    assert m.legal() == ["4S trails", "AS takes 5D"]


@pytest.mark.rules("SC-C11")
def test_the_first_card_may_not_be_an_ace() -> None:
    """Only the very first, where nine or ten are dealt; the prompt names the aces."""
    order = pack("AS AH AD AC")
    for first in ("allowed", "barred"):
        m = Match.from_pack(order, "scopa", 4, rules="asso-piglia-tutto", dealer=0, first_ace=first)
        assert ("AS trails" in m.legal()) == (first == "allowed")
    assert refused(m, "AS trails") == "SC-C11"
    assert [one.move.text for one in m.view(3).refused] == ["AS trails"]
    m.play("2S")
    assert "AH takes 2S" in m.legal()
    for deal, seats in (("threes", 4), ("threes", 2)):
        with pytest.raises(OptionError, match="nothing but aces"):
            Match("scopa", seats, aces="take_all", deal=deal, first_ace="barred")


@pytest.mark.rules("SC-C7")
def test_four_players_get_ten_cards_where_aces_take_all() -> None:
    given: dict[str, Any] = {"deal": "threes"}
    for seats, house_rules, deal in ((4, {}, "ten"), (4, given, "threes"), (3, {}, "threes"), (2, {}, "threes")):
        options = Match("scopa", seats, rules="asso-piglia-tutto", seed=1, **house_rules).options.as_dict()
        assert (options["deal"], options["king_misdeal"]) == (deal, "off" if deal == "ten" else "on")


@pytest.mark.rules("SC-C7", "SC-C8")
def test_words_on_aces() -> None:
    """The prompt says what an ace does, and advice does not call it a sweep where it is none."""
    for aces, does, why in (
        ("take_all", "takes everything; that is no scopa", "you get 5D, and most diamonds score"),
        ("take_all_sweep", "clears the table: a scopa, 1 point", "that clears the table, a scopa: 1 point"),
    ):
        view = sit(["AS", "2C"], "5D KC", turn=0, dealer=1, **house(aces=aces)).view(0)
        assert str(view.choices[0].does) == does
        assert str(view.advice(view.legal).why) == why
        assert view.prompt
        assert "An ace takes everything" in str(view.prompt.ask)


@pytest.mark.rules("SC-C7")
def test_bots_keep_an_ace_for_a_full_table() -> None:
    for board, best in (("4S", "4C takes 4S"), ("JS 7D KC QH", "AS takes JS QH 7D KC")):
        m = sit(["AS 4C", "3C JC"], board, turn=0, dealer=1, **house(aces="take_all"))
        assert advice(m) == best


# Escoba


@pytest.mark.rules("SC-C12", "SC-E13")
def test_sums_of_fifteen() -> None:
    """SC-E13: sets of one or more cards; no pair and no single card comes first; one set of the player's choice."""
    board = "JS 5H 2D 4C"
    m = sit(["7C KS 3H", "2S 2H 2C"], board, rules="escoba", dealer=1, turn=0)
    assert set(m.legal()) == {"3H takes JS 4C", "7C takes JS", "KS takes 5H"}
    assert refused(m, "KS takes 5H 2D") == "SC-C12"
    assert refused(m, "KS trails") == "SC-15"
    m = sit(["5C", "2S"], "KH 4D 6D 5D", rules="escoba", dealer=1, turn=0)
    assert set(m.legal()) == {"5C takes KH", "5C takes 4D 6D"}
    m.play("5C takes 4D 6D")
    assert m.position().keys["last"] == 0
    m = sit(["KS", "2S"], "5H", rules="escoba", dealer=1, turn=0)
    m.play("KS")
    assert gains(m, "sweep") == [(0, "KS")]
    assert [e.rule for e in m.events if e.kind == "capture"] == ["SC-C12"]


@pytest.mark.rules("SC-C13")
@pytest.mark.parametrize(
    ("table", "taken"),
    [
        ("KS 2H 2D AC", [4]),
        ("KS 5H 7D JC", [2, 2]),
        ("KS KH 3D 7C", []),
        ("6S 6H 3D 2C", []),
        ("QS QH 7D 5C", []),
    ],
)
def test_a_first_table_of_fifteen(table: str, taken: list[int]) -> None:
    """The dealer takes it, or two groups, and eldest faces an empty table; 30 that cannot be parted stays."""
    first = [card for card in PACK if card not in table.split()][:6]
    m = Match.from_pack(pack(" ".join([*first, table])), "scopa", rules="escoba", dealer=1)
    assert gains(m, "first table") == [(1, n) for n in taken]
    assert zone(m, "board").count == (0 if taken else 4)
    assert zone(m, "pile-1").count == sum(taken)
    assert m.position().keys.get("last", -1) == (1 if taken else -1)
    assert len(m.position().keys.get("sweeps", "").split(",")) == max(len(taken), 1)


@pytest.mark.rules("SC-C14", "SC-C15", "SC-21")
def test_the_points_of_escoba() -> None:
    """Most sevens, or nobody; the whole deal counts, to 15 points."""
    for first, second, points in (("7S 7H", "7D KS KH", [(0, 1)]), ("7S 6H", "7D KS 5H", []), ("JS", "KS 5H", [])):
        assert of_sevens(first, second) == points
    assert Match("escoba", seed=1).options.as_dict()["target"] == "15"


def of_sevens(first: str, second: str) -> list[tuple[int | None, int | None]]:
    """Who scores the point of the sevens where the dealer's last card takes the 5 of clubs."""
    m = sit(["", "KC"], "5C", turn=1, dealer=1, piles=[first, second], last=0, rules="escoba")
    m.play("KC takes 5C")
    return scored(m, "SC-23")


@pytest.mark.rules("SC-C12")
def test_what_does_not_go_with_sums_of_fifteen() -> None:
    refusals: list[dict[str, Any]] = [{"aces": "take_all"}, {"deal": "ten"}]
    for given in refusals:
        with pytest.raises(OptionError) as caught:
            Match("escoba", 4, **given)
        assert caught.value.code == "options/combination"
    with pytest.raises(PositionError, match="make 15"):
        sit(["2S", "3S"], "KS 5S KH 5H 7S JS", rules="escoba", dealer=1)
    assert sit(["2S", "3S"], "KS 5S KH 5H", rules="escoba", dealer=1).legal()


@pytest.mark.rules("SC-C12")
def test_words_on_sums_of_fifteen() -> None:
    view = sit(["KS 2C", "3S 4S"], "5D 3H", rules="escoba", turn=0, dealer=1).view(0)
    assert view.prompt
    assert "make 15" in str(view.prompt.ask)
    assert [str(one.does) for one in view.choices if one.does] == ["a king counts 10"]
    assert str(view.advice(["2C trails"]).why) == "you keep KS"
    high = sit(["KS 2C", "3S 4S"], "QD 3H JS", rules="escoba", turn=0, dealer=1).view(0)
    assert str(high.advice(["KS trails"]).why) == "the table then counts 30, and nobody can clear it with one card"
