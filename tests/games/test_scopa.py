"""Scopa by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from cardtable import AmbiguousMove, Match, NotationError, OptionError, PositionError
from cardtable.base.cards import ALL_40, RANKS, SUITS, parse_set, set_text
from cardtable.games.scopa import rules
from cardtable.kernel import prng
from cardtable.rules import contract
from tests.support.games.oracle import chi_square, far, worlds_for
from tests.support.games.tables import fishing, gains, refused, zone

PACK = [rank + suit for suit in SUITS for rank in RANKS if rank not in "89T"]
sit = partial(fishing, "scopa")


def pack(first: str) -> str:
    """A whole pack that begins with these cards."""
    named = first.split()
    return " ".join([*named, *(card for card in PACK if card not in named)])


@pytest.mark.rules("SC-01", "SC-Q1")
def test_two_three_or_four_players() -> None:
    """Two by default; four are two partnerships with one pile and one score."""
    assert Match("scopa", seed=1).seats == 2
    assert [Match("scopa", n, seed=1).seats for n in (2, 3, 4)] == [2, 3, 4]
    for n in (1, 5):
        with pytest.raises(OptionError):
            Match("scopa", n)
    names = [zone.name for zone in Match("scopa", 4, seed=1).view(0).zones if zone.kind == "pile"]
    assert names == ["pile-0", "pile-1"]
    assert [zone.name for zone in Match("scopa", 3, seed=1).view(0).zones if zone.kind == "pile"] == [
        "pile-0",
        "pile-1",
        "pile-2",
    ]
    m = sit(["7C", "KH", "2H", "3H"], "7D", turn=0, dealer=1, piles=["5S", "5C"], last=1)
    m.play("7C takes 7D")
    assert zone(m, "pile-0").count == 3


def test_the_tally_of_a_pile_is_an_aid() -> None:
    """How many cards a pile has is seen by all; who kept count knows what counts in it."""
    m = sit(["7C", "KH"], "2H", turn=0, dealer=1, piles=["5S 7D AD 6H KC", "5C"], last=1)
    piles = [zone(m, f"pile-{p}") for p in (0, 1)]
    assert [pile.facts[0].figure for pile in piles] == [(5,), (1,)]
    told = [[str(fact.message) for fact in pile.facts if fact.aid] for pile in piles]
    assert told == [["2 diamonds", "7D", "primiera 64"], ["0 diamonds"]]


@pytest.mark.rules("SC-03", "SC-04", "SC-06")
def test_the_deal() -> None:
    """SC-03: 40 cards.

    SC-06: one at a time, eldest first, three rounds; then four to the table; the rest is the stock.
    """
    m = Match.from_pack(pack(""), "scopa")
    assert [m.view(p).hand for p in (0, 1)] == [sorted(PACK[p:6:2], key=PACK.index) for p in (0, 1)]
    assert list(zone(m, "board").cards) == PACK[6:10]
    assert m.position().keys["stock"] == " ".join(PACK[10:])
    assert len(PACK) == 40
    with pytest.raises(PositionError):
        Match.from_pack(" ".join([*PACK[:-1], "8S"]), "scopa")
    with pytest.raises(PositionError):
        sit(["8S", "2H"], "5D")


@pytest.mark.rules("SC-07", "SC-Q9")
def test_three_kings_are_dealt_again() -> None:
    """SC-07: three or four kings on the table are a misdeal; SC-Q9: two are not, and the same dealer deals again."""
    three = pack("AS 2S 3S 4S 5S 6S KS KH KD 7C")
    m = Match.from_pack(three, "scopa")
    assert [event.kind for event in m.events if event.kind == "misdeal"] == ["misdeal"]
    assert (m.dealer, m.actors, m.deal) == (1, (0,), 1)
    assert sum(card is not None and card[0] == "K" for card in zone(m, "board").cards) < 3
    assert Match.from_record(str(m.record())).view(0).hand == m.view(0).hand
    three_kings = Match.from_pack(three, "scopa", king_misdeal="off")
    assert set(zone(three_kings, "board").cards) == {"KS", "KH", "KD", "7C"}
    two = Match.from_pack(pack("AS 2S 3S 4S 5S 6S KS KH 7D 7C KD KC"), "scopa")
    assert set(zone(two, "board").cards) == {"KS", "KH", "7D", "7C"}


@pytest.mark.rules("SC-08", "SC-Q2")
def test_the_turns() -> None:
    """SC-08: the non-dealer begins. SC-Q2: with three or four players turns and the deal pass to the right."""
    m = Match("scopa", dealer=0, seed=1)
    assert m.actors == (1,)
    for n in (3, 4):
        m = Match("scopa", n, dealer=0, seed=1)
        turns = []
        for _ in range(n):
            turns.append(m.actors[0])
            m.play(m.legal()[0])
        assert turns == [*range(n - 1, 0, -1), 0]
        while m.deal == 1:
            m.play(m.legal()[0])
        assert m.dealer == n - 1
    m = Match("scopa", first_dealer="seat 1", seed=1)
    assert m.actors == (0,)
    with pytest.raises(OptionError):
        Match("scopa", first_dealer="seat 2")
    while m.deal == 1:
        m.play(m.legal()[0])
    assert m.dealer == 0


@pytest.mark.rules("SC-09")
def test_captured_cards_and_the_card_used_go_to_the_pile() -> None:
    """SC-09: face down; nobody sees them until the deal is over."""
    m = sit(["7C 2C", "KH QH"], "7H 5D", turn=0, dealer=1)
    m.play("7C takes 7H")
    pile = zone(m, "pile-0", 1)
    assert (pile.count, pile.cards) == (2, (None, None))
    assert m.position().keys["piles"] == [set_text(parse_set("7C 7H")), ""]
    assert m.position().keys["last"] == 0
    assert refused(m, "AS takes 5D") == "SC-09"


@pytest.mark.rules("SC-10", "SC-12", "SC-15", "SC-E1")
def test_pairing_first() -> None:
    """SC-E1: hand 7C, table 7H 5D 2S: 7C takes 7H and nothing else; no trail."""
    m = sit(["7C", "2H"], "7H 5D 2S")
    assert m.legal() == ["7C takes 7H"]
    assert refused(m, "7C takes 5D 2S") == "SC-12"
    assert refused(m, "7C trails") == "SC-15"


@pytest.mark.rules("SC-10", "SC-Q5", "SC-E2")
def test_a_choice_of_pair() -> None:
    """SC-E2: table 7H 7D 3S, hand 7C: either seven, not both."""
    m = sit(["7C", "2H"], "7H 7D 3S")
    assert m.legal() == ["7C takes 7H", "7C takes 7D"]
    assert refused(m, "7C takes 7H 7D") == "SC-10"
    with pytest.raises(AmbiguousMove) as error:
        m.play("7C")
    assert error.value.moves == ("7C takes 7H", "7C takes 7D")
    m.play("7c take 7♦")
    assert zone(m, "board").cards == ("3S", "7H")


@pytest.mark.rules("SC-11", "SC-Q4", "SC-E3")
def test_a_choice_of_sum() -> None:
    """SC-E3: KS on 6D 4C 7H 3D: one set or the other, not both."""
    m = sit(["KS", "2H"], "6D 4C 7H 3D")
    assert set(m.legal()) == {"KS takes 6D 4C", "KS takes 7H 3D"}
    assert refused(m, "KS takes 6D 4C 7H 3D") == "SC-Q4"
    assert refused(m, "KS takes 6D 3D") == "SC-11"
    assert refused(m, "KS trails") == "SC-15"


@pytest.mark.rules("SC-11", "SC-12", "SC-E4")
def test_courts_in_sums() -> None:
    """SC-E4: a king takes queen and ace; a jack must pair; a six has two sums."""
    assert sit(["KD", "2H"], "QS AC").legal() == ["KD takes QS AC"]
    assert sit(["JC", "2H"], "AC 3H 4D JD 2S").legal() == ["JC takes JD"]
    assert set(sit(["6S", "2H"], "AC 3H 4D JD 2S").legal()) == {"6S takes 2S 4D", "6S takes 2S 3H AC"}


@pytest.mark.rules("SC-13", "SC-14", "SC-Q3", "SC-E5")
def test_trailing() -> None:
    """SC-E5: QC must take 5H 4S if played, a sweep; 2D captures nothing and may be trailed instead."""
    m = sit(["QC 2D", "KH 3C"], "5H 4S")
    assert set(m.legal()) == {"QC takes 4S 5H", "2D trails"}
    m.play("QC")
    assert gains(m, "sweep") == [(0, "QC")]
    assert zone(m, "pile-0").cards == ("QC", None, None)
    m = sit(["QC 2D", "KH 3C"], "5H 4S")
    m.play("2D")
    assert set(zone(m, "board").cards) == {"5H", "4S", "2D"}
    assert m.actors == (1,)
    prompts = [sit(["QC 2D", "KH 3C"], board).view(0).prompt for board in ("5H 4S", "5H", "")]
    assert [one and one.rule for one in prompts] == ["SC-09", "SC-14", "SC-14"]


@pytest.mark.rules("SC-16", "SC-17")
def test_new_hands() -> None:
    """SC-16: three cards each, one at a time, eldest first, when the hands are used up. SC-17: none to the table."""
    m = sit(["", "QC"], "AS 2S", turn=1, stock="3H 4H 5H 6H 7H JH", piles=["5S", "5C"], last=0)
    m.play("QC trails")
    assert (m.view(0).hand, m.view(1).hand) == (["3H", "5H", "7H"], ["4H", "6H", "JH"])
    assert set(zone(m, "board").cards) == {"AS", "2S", "QC"}
    for n, times in ((2, 6), (3, 4), (4, 3)):
        assert 4 + 3 * n * times == 40


@pytest.mark.rules("SC-18", "SC-19", "SC-20", "SC-Q6", "SC-E6")
def test_the_end_of_a_deal() -> None:
    """SC-E6: a sweep while the dealer holds a card; KH goes to the last capturer without one; the last card's clearing
    is none.
    """
    m = sit(["5C", "KH"], "2S 3D")
    m.play("5C takes 2S 3D")
    assert gains(m, "sweep") == [(0, "5C")]
    m.play("KH trails")
    assert gains(m, "left") == [(0, 1)]
    assert gains(m, "sweep") == []
    assert m.results[0].payoff == (4, -4)  # cards, diamonds, the sweep, and with KH all four suits
    m = sit(["", "7C"], "3H 4D", turn=1, piles=["5S", "5C"], last=0)
    m.play("7C")
    assert gains(m, "sweep") == []
    assert m.results[0].payoff == (-2, 2)


@pytest.mark.rules("SC-13", "SC-Q6")
def test_a_sweep_with_the_last_hands_counts() -> None:
    """SC-Q6: any play but the very last; also the dealer's while there is a stock."""
    m = sit(["", "7C"], "3H 4D", turn=1, stock="AS 2S 3S 4S 5S 6S", piles=["5D", "5C"], last=0)
    m.play("7C")
    assert gains(m, "sweep") == [(1, "7C")]


def counted(first: str, second: str, *, before: tuple[int, int] = (0, 0), last: str = "", **keys: Any) -> Match:
    """A deal that ends with these piles: the dealer's last card pairs with a card of the dealer's pile."""
    mine = second.split()
    pair = next((a, b) for a in mine for b in mine if a < b and a[0] == b[0])
    rest = " ".join(card for card in mine if card not in pair)
    m = sit(["", pair[0]], pair[1], turn=1, piles=[first, rest], last=0, scores=list(before), **keys)
    m.play(pair[0])
    return m


A7 = "7D 7C 6S 6H AD 2D 3D 4D AS AH AC 2S 2H 2C 3S 3H 3C 4S 4H 4C"
B7 = "7S 7H 6D 6C 5D JD QD KD 5S 5H 5C JS JH JC QS QH QC KS KH KC"
A8 = "AS AH AC 2S 2H 2C 3S 3H 3C 4S 4H 4C 5S 5H 5C 6S 6H 6C KC JD QD KD"
B8 = "AD 2D 3D 4D 5D 6D 7D 7S 7H 7C QS QH QC JS JH JC KS KH"


@pytest.mark.rules("SC-04", "SC-21", "SC-22", "SC-23", "SC-Q7", "SC-E7")
def test_full_scoring() -> None:
    """SC-E7: cards and diamonds level, primiera 78 to 78: only the sette bello scores."""
    m = counted(A7, B7)
    assert [
        (e.source, e.kind)
        for e in m.events
        if e.kind in ("most cards", "most diamonds", "sette bello", "primiera", "score")
    ] == [(0, "sette bello"), (0, "score")]
    assert m.scores == (1, 0)
    assert (rules.primiera(parse_set(A7)), rules.primiera(parse_set(B7))) == (78, 78)


@pytest.mark.rules("SC-21", "SC-24", "SC-E8")
def test_counting_stops() -> None:
    """SC-E8: at 10-10 most cards wins for A at once; at 9-9 B wins by diamonds and sette bello."""
    m = counted(A8, B8, before=(10, 10), sweeps="1 QS")
    assert (m.scores, m.result and m.result.winners) == ((11, 10), (0,))
    m = counted(A8, B8, before=(9, 9), sweeps="1 QS")
    assert (m.scores, m.result and m.result.winners) == ((10, 11), (1,))
    assert (rules.primiera(parse_set(A8)), rules.primiera(parse_set(B8))) == (64, 84)


@pytest.mark.rules("SC-24")
def test_counting_the_whole_deal() -> None:
    """counting = full_deal: everything scores; the higher total wins, and a tie continues the match."""
    m = counted(A8, B8, before=(10, 10), options={"counting": "full_deal"})
    assert (m.scores, m.result and m.result.winners) == ((11, 13), (1,))
    m = counted(A8, B8, before=(12, 10), options={"counting": "full_deal"})
    assert (m.scores, m.over, m.deal) == ((13, 13), False, 2)
    for target in ("11", "16", "21"):
        m = counted(A8, B8, before=(int(target) - 1, 0), options={"target": target})
        assert m.result is not None


@pytest.mark.rules("SC-21", "SC-Q8")
def test_sweeps_are_credited_in_their_order() -> None:
    """SC-Q8: at 8-10 B would win by its first sweep, had A not made its own before."""
    first = "7D 7C 6S 6H AD 2D 3D 4D AS AH AC 2S 2H 2C 3S 3H 3C 4S 4H 4C"
    m = counted(first, B7, before=(9, 10), sweeps="0 6S, 1 QS")
    assert (m.scores, m.result and m.result.winners) == ((11, 10), (0,))
    m = counted(first, B7, before=(9, 10), sweeps="1 QS, 0 6S")
    assert (m.scores, m.result and m.result.winners) == ((10, 11), (1,))


@pytest.mark.rules("SC-23", "SC-Q7", "SC-E9")
def test_who_may_score_the_primiera() -> None:
    """SC-E9: without diamonds no primiera; the other side's 53 scores it."""
    assert rules.primiera(parse_set("7S 7H 7C")) == 0
    m = counted("7S 7H 7C", "2S KH JC AD 2D 3D 4D 5D 6D 7D JD QD KD")
    assert gains(m, "primiera") == [(1, 53)]
    assert m.scores == (0, 4)
    m = counted("7S", "2S 2H JC")
    assert gains(m, "primiera") == []


@pytest.mark.rules("SC-21")
def test_a_single_card_may_be_most() -> None:
    """One diamond to none."""
    m = counted("7S", "2D 2S JC")
    assert gains(m, "most diamonds") == [(1, 1)]
    assert m.scores == (0, 2)


@pytest.mark.rules("SC-Q10")
def test_without_a_capture_the_table_is_nobodys() -> None:
    """SC-Q10: no last capturer, no owner, no points."""
    m = sit(["5C", "KH"], "2S")
    m.play("5C")
    m.play("KH")
    assert (m.results[0].payoff, gains(m, "left")) == ((0, 0), [])


@pytest.mark.rules("SC-19", "SC-Q11")
def test_the_sette_bello_among_the_leftovers_counts() -> None:
    """SC-Q11: 7D on the table at the end falls to the last capturer."""
    m = sit(["2C", "KH"], "2S 7D")
    m.play("2C takes 2S")
    m.play("KH")
    assert gains(m, "sette bello") == [(0, "7D")]


def test_moves_in_other_words() -> None:
    """Case, commas, symbols and `play` are understood; invalid moves are refused."""
    m = sit(["KS 2D", "2H 3H"], "6D 4C 7H 3D")
    for text in ("ks takes 4c,6d", "play KS take 6♦ 4♣", "K♠ x 6D 4C", "KS 6D 4C"):
        assert m.why_not(text) is None
    for text in (
        "",
        "KS takes",
        "KS eats 6D",
        "KS takes 6D 6D",
        "KS takes 9Q",
        "6D takes KS",
        "KS takes 5D",
        "KS trails now",
    ):
        assert isinstance(m.why_not(text), NotationError)


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ({"hands": ["7C 7D", "2H"]}, "one card less"),
        ({"hands": ["AS 2S 3S 4S", "AH 2H 3H 4H"]}, "at most 3"),
        ({"board": "7C"}, "lies in"),
        ({"board": "KS KH KD KC AS AH AD"}, "only the first four"),
        ({"stock": "AS"}, "rounds of 6"),
        ({"piles": ["AS", ""]}, "captured last"),
        ({"scores": [11, 0]}, "won the match"),
        ({"sweeps": "0 AS", "last": 0}, "sweeper's pile"),
        ({"sweeps": "x"}, "written"),
        ({"unlisted": "gone"}, "stock"),
        ({"rows": "S A-7"}, "no such key"),
        ({"piles": ["AS"]}, "list of 2"),
    ],
)
def test_a_position_that_cannot_be_is_refused(keys: dict[str, Any], part: str) -> None:
    with pytest.raises(PositionError, match=part):
        Match.from_position({"game": "scopa", "hands": ["7C", "2H"], "board": "", "unlisted": "dead", **keys})


def test_no_table_offers_more_moves_than_there_is_room_for() -> None:
    """The worst tables: four aces and one of each rank to the queen, and three kings in hand; in Scopone, the same to
    the jack, and all kings and queens in the dealer's hand; in Escoba all cards of even values, and three aces.
    """
    board = "AS AH AD AC 2C 3C 4C 5C 6C 7C JC"
    assert len(sit(["KS KH KD", "2S 2H 2D"], f"{board} QC").legal()) == 168
    hands = ["KS KH KD KC QS QH QD QC", *(" ".join(f"{rank}{suit}" for rank in "234567J") for suit in "SHD")]
    m = sit(hands, board, rules="scopone", dealer=0, turn=0)
    assert len(m.legal()) == 384
    even = " ".join(rank + suit for rank in "246JK" for suit in "SHDC")
    m = sit(["AS AH AD", "3S 3H 3D"], even, rules="escoba", dealer=1, turn=0)
    assert len(m.legal()) == rules.MAX_MOVES == 972


def test_worlds_are_uniform() -> None:
    """Nothing is proved by a play, so all deals of the unseen cards are equally likely. Seeded; other streams would
    fail with the chance `oracle.CHANCE`.
    """
    s = sit(
        ["7C", "2H"],
        "AS",
        unlisted="stock",
        piles=["KS KH KD KC QS QH QD QC JS JH JD JC", "6S 6H 6D 6C 5S 5H 5D 5C 4S 4H 4D 4C 7S 7H 7D 3S 3H 3D 3C"],
        last=0,
    )._s
    unseen = ALL_40 & ~int(s.board) & ~int(s.hands[0]) & ~int(s.piles[0]) & ~int(s.piles[1])
    contract.redact(s, 0)
    drawn: Counter[Any] = Counter()
    for t in worlds_for(s, 0, 3500, prng.key_of("worlds")):
        drawn[int(t.hands[1])] += 1
        rest = sum(1 << int(card) for card in t.stock[: t.stock_size])
        assert rest | int(t.hands[1]) == unseen
    cards = [1 << card for card in range(52) if unseen >> card & 1]
    assert chi_square(drawn, dict.fromkeys(cards, 1.0)) < far(1)
