"""Fan Tan by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import IllegalMove, Match, OptionError
from cardtable.base import names
from cardtable.base.cards import PACK_52, RANKS, SUITS, card_text
from cardtable.rules import catalog
from tests.support.games.oracle import far
from tests.support.games.tables import FINED, hand, pack_with, paid, pot, refused, result, row, sit, told

PRESETS = ("denexa", "stops", "british", "ultimate")
E6_PACK = " ".join(rank + suit for suit in SUITS for rank in RANKS)


def play_out(m: Match) -> None:
    """Play the first legal move until the match is over."""
    while not m.over:
        m.play(m.legal(m.actors[0])[0], m.actors[0])


# Players, cards, chips


@pytest.mark.rules("FT-03", "FT-06")
def test_who_can_play_plays_who_cannot_is_stopped_and_the_first_without_cards_wins() -> None:
    """FT-03: a player who holds an eligible card plays; one who holds none is stopped; the first to shed all cards
    wins.
    """
    m = sit("fan-tan", "denexa", ["8S", "KS AD", "9S"], "S A-7  H A-K  C A-K  D 2-K", turn=1, options={"deals": 1})
    assert m.legal() == ["AD"]
    m.play("AD")
    assert [(act.seat, act.move, act.forced) for act in m.moves] == [(1, "AD", False), (2, "pass", True)]
    m.play("8S", 0)
    assert m.over
    assert m.results[0].winner == 0


@pytest.mark.rules("FT-06")
def test_the_match_is_won_by_the_most_chips() -> None:
    """FT-06: purpose of the whole sitting: to finish with the most chips."""
    m = Match("fan-tan", seed="chips")
    play_out(m)
    assert result(m).winners == tuple(p for p in range(4) if result(m).scores[p] == max(result(m).scores))
    assert sum(result(m).scores) == 100


@pytest.mark.rules("FT-04", "FT-Q16")
@pytest.mark.parametrize(
    ("preset", "best"), [("denexa", (3, 8)), ("stops", (4, 4)), ("british", (4, 6)), ("ultimate", (4, 5))]
)
def test_number_of_players(preset: str, best: tuple[int, int]) -> None:
    """FT-Q16: 2 to 12 by every preset, any other number is refused with what is best; four sit down if no number is
    named.
    """
    assert Match("fan-tan", rules=preset, seed=1).seats == 4
    assert catalog.find("fan-tan").best_for(preset) == best
    for seats in range(2, 13):
        m = Match("fan-tan", seats, preset, seed=1, dealer=seats - 1, auto=False)
        assert [len(hand(m, seat)) for seat in range(seats)] == [
            52 // seats + (seat < 52 % seats) for seat in range(seats)
        ]
    for seats in (1, 13, 99):
        with pytest.raises(
            OptionError, match=f"{preset} is for 2 to 12 players, best {names.span(*best)}. Take 2 to 12"
        ) as error:
            Match("fan-tan", seats, preset)
        assert error.value.code == "options/seats"


@pytest.mark.rules("FT-Q16", "FT-41")
@pytest.mark.parametrize("preset", ["denexa", "stops", "british", "ultimate"])
def test_twelve_play_whole_matches_with_fines(preset: str) -> None:
    """The most players, mistakes allowed: every chip that moves is reported, and the total is 12 times 25."""
    m = Match("fan-tan", 12, preset, seed="twelve", deals=2, fines=True)
    moves = 0
    while not m.over:
        legal = m.legal()
        m.play(legal[-1 if moves % 3 == 0 else 0])  # the last is the pass
        moves += 1
    assert sum(m.scores) == 12 * 25
    assert any(act.seat == 11 for act in m.moves)
    assert str(Match.from_record(str(m.record())).record()) == str(m.record())


@pytest.mark.rules("FT-05")
def test_rank_is_ace_low_to_king_high_and_nothing_wraps() -> None:
    """FT-05: the ordinary 52 cards; rank A (low) to K (high); ace is never high."""
    m = sit("fan-tan", "denexa", ["AS KH", "KC 2S", "AC AD"], "S 7-K  H A-7  D 2-K  C 2-7")
    assert m.legal() == ["pass"]  # the ace of spades does not go on the king, nor the king of hearts under the ace
    m.play("pass")
    # nor the king of clubs below the two
    assert [(act.seat, act.move) for act in m.moves] == [(0, "pass"), (1, "pass")]
    assert m.legal() == ["AD", "AC"]


@pytest.mark.rules("FT-07")
def test_stacks_are_equal_or_each_seats_buy_in() -> None:
    """FT-07: each player's stack equals the buy-in; otherwise all get the same number."""
    assert [x + 1 for x in Match("fan-tan", rules="stops", stack=30, seed=1, auto=False).scores] == [30] * 4
    assert [x + 1 for x in Match("fan-tan", rules="stops", stack=(10, 20, 30, 40), seed=1, auto=False).scores] == [
        10,
        20,
        30,
        40,
    ]


@pytest.mark.rules("FT-08")
@pytest.mark.parametrize("stack", [20, 25])
def test_ultimate_recommends_20_to_25_chips(stack: int) -> None:
    """FT-08: equal starting stacks, 20 to 25 chips recommended; 25 if nothing is said."""
    assert [x + 1 for x in Match("fan-tan", rules="ultimate", stack=stack, seed=1, auto=False).scores] == [stack] * 4
    assert [x + 1 for x in Match("fan-tan", rules="ultimate", seed=1, auto=False).scores] == [25] * 4


@pytest.mark.rules("FT-09")
def test_without_chips_deals_won_are_counted() -> None:
    """FT-09: with no pool and no chips at all; the winner of a deal scores 1 deal, most deals wins."""
    m = Match("fan-tan", rules="stops", stakes="none", seed=5, deals=7)
    assert not any(zone.kind == "pot" for zone in m.view().zones)
    play_out(m)
    assert sum(result(m).scores) == 7
    assert result(m).scores == tuple(sum(r.winner == p for r in m.results) for p in range(4))
    assert all(sorted(r.payoff) == [0, 0, 0, 1] for r in m.results)
    assert not any(event.kind in ("pay", "take") for event in m.events)


@pytest.mark.rules("FT-09")
def test_a_fine_needs_chips() -> None:
    """`stakes = none` goes with `enforce = strict` only."""
    with pytest.raises(OptionError) as error:
        Match("fan-tan", stakes="none", enforce="penalise")
    assert error.value.code == "options/combination"


# Dealing


def cut_rounds(m: Match) -> list[list[tuple[int, str]]]:
    """The cards cut for the first deal, one list for each time round."""
    rounds: list[list[tuple[int, str]]] = []
    for event in told(m, "cut"):
        assert event.source is not None
        assert event.card is not None
        if not rounds or event.source <= rounds[-1][-1][0]:
            rounds.append([])
        rounds[-1].append((event.source, event.card))
    return rounds


@pytest.mark.parametrize(
    ("preset", "sign", "rule"),
    [
        pytest.param("stops", 1, "FT-10", marks=pytest.mark.rules("FT-10")),
        pytest.param("british", -1, "FT-11", marks=pytest.mark.rules("FT-11")),
    ],
)
def test_cutting_for_the_first_deal(preset: str, sign: int, rule: str) -> None:
    """FT-10, `stops`: lowest card deals first. FT-11, `british`: highest.

    Ties alone draw again; the cards are shown.
    """
    ties = 0
    for seed in range(60):
        m = Match("fan-tan", 5, preset, seed=seed, auto=False)
        among = list(range(5))
        for cards in cut_rounds(m):
            assert [seat for seat, _ in cards] == among
            assert len({card for _, card in cards}) == len(cards)
            ranks = {seat: sign * RANKS.index(card[0]) for seat, card in cards}
            among = [seat for seat in among if ranks[seat] == min(ranks.values())]
        assert among == [m.dealer]
        assert {event.rule for event in told(m, "cut")} == {rule}
        ties += len(cut_rounds(m)) > 1
    assert ties > 3


@pytest.mark.rules("FT-12")
@pytest.mark.parametrize("preset", PRESETS)
def test_the_deal_passes_to_the_left(preset: str) -> None:
    """FT-12: after each deal the next dealer is the left neighbour of the last one."""
    m = Match("fan-tan", rules=preset, seed=2, dealer=2)
    dealers = [m.dealer]
    while not m.over:
        deal = m.deal
        m.play(m.legal(m.actors[0])[0], m.actors[0])
        if m.deal != deal:
            dealers.append(m.dealer)
    assert dealers == [2, 3, 0, 1]


@pytest.mark.rules("FT-13")
def test_a_fair_shuffle() -> None:
    """FT-13: nothing is modelled beyond a fair shuffle: over 40 deals each seat holds each card about equally often.

    Seeded by the numbers of the deals; others would fail with a chance of one in a million at most.
    """
    counts = {card_text(card): [0] * 4 for card in PACK_52}
    for seed in range(40):
        m = Match("fan-tan", seats=4, rules="stops", seed=seed, auto=False)
        for seat in range(4):
            for card in hand(m, seat):
                counts[card][seat] += 1
    square = sum((n - 10) ** 2 / 10 for by_seat in counts.values() for n in by_seat)
    # 156 degrees of freedom; cells of a card and of a seat hang together, so they spread less. By Wilson and Hilferty:
    ninth = 2 / (9 * 156)
    deviate = ((square / 156) ** (1 / 3) - (1 - ninth)) / ninth**0.5
    assert abs(deviate) < far(2)


@pytest.mark.rules("FT-14")
@pytest.mark.parametrize("seats", range(2, 9))
def test_dealt_singly_from_eldest(seats: int) -> None:
    """FT-14: one card at a time, clockwise from eldest, until the pack is used up."""
    m = Match.from_pack(E6_PACK, "fan-tan", seats, "stops", dealer=1, auto=False)
    for seat in range(seats):
        first = (seat - 2) % seats  # seat 2 is eldest
        assert hand(m, seat) == E6_PACK.split()[first::seats]


SIZES = {
    2: [26, 26],
    3: [18, 17, 17],
    4: [13] * 4,
    5: [11, 11, 10, 10, 10],
    6: [9, 9, 9, 9, 8, 8],
    7: [8, 8, 8, 7, 7, 7, 7],
    8: [7] * 4 + [6] * 4,
}


@pytest.mark.rules("FT-15")
@pytest.mark.parametrize("seats", range(2, 9))
def test_hands_may_differ_by_one_card(seats: int) -> None:
    """FT-15: hands may differ by one card; listed from eldest, the dealer is last."""
    m = Match.from_pack(E6_PACK, "fan-tan", seats, "stops", auto=False)
    assert [len(hand(m, seat)) for seat in range(seats)] == SIZES[seats]


ANTES = [
    (3, [1, 2, 2], [2, 1, 1], 3),
    (4, [1, 1, 1, 1], [1, 1, 1, 1], 4),
    (5, [1, 1, 2, 2, 2], [2, 2, 1, 1, 1], 5),
    (6, [1, 1, 1, 1, 2, 2], [2, 2, 2, 2, 1, 1], 6),
    (7, [1, 1, 1, 2, 2, 2, 2], [2, 2, 2, 1, 1, 1, 1], 7),
    (8, [1] * 4 + [2] * 4, [2] * 4 + [1] * 4, 8),
]


@pytest.mark.rules("FT-16", "FT-17", "FT-18", "FT-19", "FT-Q12", "FT-E1")
@pytest.mark.parametrize(("seats", "denexa", "ultimate", "flat"), ANTES)
def test_antes(seats: int, denexa: list[int], ultimate: list[int], flat: int) -> None:
    """FT-E1: antes from eldest. FT-16 and FT-19 contradict each other on purpose; FT-17 and FT-18 are flat."""
    for preset, antes, rule in (
        ("denexa", denexa, "FT-16"),
        ("ultimate", ultimate, "FT-19"),
        ("stops", [1] * seats, "FT-17"),
        ("british", [1] * seats, "FT-18"),
    ):
        m = Match.from_pack(E6_PACK, "fan-tan", seats, preset, auto=False)
        assert [25 - x for x in m.scores] == antes
        assert pot(m) == sum(antes)
        assert paid(m.events) == [(seat, None, antes[seat], rule) for seat in range(seats)]
    assert flat == seats


@pytest.mark.rules("FT-16", "FT-17", "FT-19")
def test_the_adjustment_is_one_chip_whatever_the_ante() -> None:
    """`ante` for the one kind of hand, `ante` + 1 for the other."""
    assert [25 - x for x in Match.from_pack(E6_PACK, "fan-tan", 3, "denexa", ante=4, auto=False).scores] == [4, 5, 5]
    assert [25 - x for x in Match.from_pack(E6_PACK, "fan-tan", 3, "ultimate", ante=4, auto=False).scores] == [5, 4, 4]
    assert [25 - x for x in Match.from_pack(E6_PACK, "fan-tan", 3, "stops", ante=4, auto=False).scores] == [4, 4, 4]


@pytest.mark.rules("FT-16", "FT-17", "FT-19")
@pytest.mark.parametrize("preset", ["denexa", "stops", "british", "ultimate"])
def test_no_ante_at_all(preset: str) -> None:
    """`ante = 0`: nobody puts in anything, the shorter and the longer hands neither; passes still cost their chip."""
    m = Match.from_pack(E6_PACK, "fan-tan", 3, preset, ante=0, auto=False)
    assert (m.scores, pot(m), paid(m.events)) == ((25, 25, 25), 0, [])
    while m.actors:
        m.play(m.legal()[0])
    assert sum(m.scores) == 75, "the winner took the chips for passing"


# The turn


@pytest.mark.rules("FT-20")
def test_eldest_begins_and_turns_go_round_clockwise() -> None:
    """FT-20: eldest has the first turn; turns go round clockwise."""
    m = Match.from_pack(E6_PACK, "fan-tan", 4, "denexa", dealer=2, auto=False)
    turns = []
    for _ in range(9):
        turns.append(m.actors[0])
        m.play(m.legal()[0])
    assert turns == [3, 0, 1, 2, 3, 0, 1, 2, 3]


@pytest.mark.rules("FT-21")
@pytest.mark.parametrize("preset", PRESETS)
def test_only_a_7_opens(preset: str) -> None:
    """FT-21: while nothing is on the table only a 7 may be played; a seat that holds no 7 passes, the next faces the
    same.
    """
    m = Match.from_pack(pack_with({2: "7S 7H 7D 7C 6S 8S"}, 4, 3), "fan-tan", 4, preset, auto=False)
    for seat in (0, 1):
        assert (m.actors, m.legal()) == ((seat,), ["pass"])
        m.play("pass")
    assert m.legal() == ["7S", "7H", "7D", "7C"]
    assert refused(m, "6S") == "FT-21"


@pytest.mark.rules("FT-22", "FT-Q11")
@pytest.mark.parametrize("preset", ["denexa", "stops", "british"])
def test_a_pass_costs_a_chip_also_before_the_first_7(preset: str) -> None:
    """FT-22: each pass, including a pass made before the first 7, costs 1 chip to the pot."""
    m = Match.from_pack(pack_with({2: "7S 7H 7D 7C"}, 4, 3), "fan-tan", 4, preset, auto=False)
    m.play("pass")
    assert paid(m.events) == [(0, None, 1, "FT-22")]
    m.play("pass")
    assert (m.scores, pot(m)) == ((23, 23, 24, 24), 6)
    later = sit("fan-tan", preset, ["KS", "8S 2H", "AS"], "S 2-7  D A-K  C A-K", stacks=[9, 9, 9], pot=3)
    later.play("pass")
    assert (later.scores[0], paid(later.events)[0]) == (8, (0, None, 1, "FT-22"))


@pytest.mark.rules("FT-23", "FT-Q10")
def test_in_ultimate_a_pass_costs_nothing() -> None:
    """FT-23: a pass costs nothing; `pass_chip` changes that."""
    for chip, stack in ((0, 9), (1, 8)):
        m = sit(
            "fan-tan",
            "ultimate",
            ["KS", "8S 2H", "AS"],
            "S 2-7  D A-K  C A-K",
            stacks=[9, 9, 9],
            pot=3,
            options={"pass_chip": chip},
        )
        m.play("pass")
        assert m.scores[0] == stack


def dead_deal(**options: Any) -> Match:
    """The four passes of FT-E6, not yet dealt on."""
    m = Match.from_pack(E6_PACK, "fan-tan", 4, "ultimate", dealer=0, auto=False, enforce="penalise", **options)
    assert (m.scores, pot(m)) == ((24,) * 4, 4)
    for seat in (1, 2, 3, 0):
        m.play("pass", seat)
    return m


@pytest.mark.rules("FT-24", "FT-E6", "FT-Q1", "FT-Q4")
def test_a_dead_deal() -> None:
    """FT-E6: all four withhold their 7: fines, then 1 chip each; the pot of 20 waits for the next antes; seat 1
    deals.
    """
    m = dead_deal()
    payments = paid(m.events)
    for seat, sixes, eights in ((1, 0, 2), (2, 1, 3), (3, 2, 0), (0, 3, 1)):
        assert (seat, None, 3, "FT-34") in payments
        assert {to for source, to, chips, rule in payments if source == seat and chips == 5 and rule == "FT-39"} == {
            sixes,
            eights,
        }
    assert [p for p in payments if p[3] == "FT-24"] == [(seat, None, 1, "FT-24") for seat in range(4)]
    assert m.results[0].winner is None
    assert (m.scores, pot(m), m.actors) == ((20,) * 4, 20, ())
    m.next_deal()
    assert (m.dealer, pot(m), m.scores) == (1, 24, (19,) * 4)


@pytest.mark.rules("FT-24", "FT-Q13")
def test_after_a_last_dead_deal_the_pot_is_shared() -> None:
    """Chips left in the pot after a final dead deal are split equally; odd chips go one each from the last dealer's
    left.
    """
    m = dead_deal(deals=1)
    assert (m.over, m.scores, pot(m)) == (True, (25,) * 4, 0)
    m = Match.from_pack(
        pack_with({0: "7S", 1: "7H", 2: "7D", 3: "7C"}, 5, 3),
        "fan-tan",
        5,
        "ultimate",
        dealer=3,
        deals=1,
        enforce="penalise",
        fine_neighbour=0,
        auto=False,
    )
    for seat in (4, 0, 1, 2, 3):
        m.play("pass", seat)
    # antes 2 2 1 1 1 from eldest = seat 4; four fines of 3; five dead chips: 24 in the pot, 4 each and 4 odd ones
    assert paid(m.events)[-5:] == [
        (None, 4, 5, "FT-Q13"),
        (None, 0, 5, "FT-Q13"),
        (None, 1, 5, "FT-Q13"),
        (None, 2, 5, "FT-Q13"),
        (None, 3, 4, "FT-Q13"),
    ]
    assert sum(m.scores) == 125


@pytest.mark.rules("FT-24", "FT-Q1")
@pytest.mark.parametrize("seats", range(3, 9))
def test_in_strict_play_no_deal_is_dead(seats: int) -> None:
    """FT-Q1: all 52 cards are dealt, so at most n-1 seats pass before the opening, for any holders of the 7s."""
    for holder in range(seats):
        m = Match.from_pack(pack_with({holder: "7S 7H 7D 7C"}, seats, seats - 1), "fan-tan", seats, "ultimate")
        assert m.actors == (holder,)
        assert [act.move for act in m.moves] == ["pass"] * holder
        m.play("7S" if seats > 3 else "7S 7H")
        assert "7S" in row(m, "S")


@pytest.mark.rules("FT-25")
def test_what_fits() -> None:
    """FT-25: any 7; the 6 or the 8 of a suit whose 7 is down; then the next card at each end, in the same suit."""
    every = " ".join(card_text(card) for card in PACK_52)

    def fits(rows: str) -> list[str]:
        table = {"S 7": "7S", "S 6-7": "6S 7S", "S 4-9  H 7": "4S 5S 6S 7S 8S 9S 7H", "S A-K  H A-Q": ""}.get(rows, "")
        if not table:
            table = " ".join([r + "S" for r in RANKS] + [r + "H" for r in RANKS[:-1]])
        mine = " ".join(card for card in every.split() if card not in table.split() and card not in ("AC", "AD"))
        return sit("fan-tan", "denexa", [mine, "AC", "AD"], rows).legal()

    assert fits("S 7") == ["6S", "8S", "7H", "7D", "7C"]
    assert fits("S 6-7") == ["5S", "8S", "7H", "7D", "7C"]
    assert fits("S 4-9  H 7") == ["3S", "TS", "6H", "8H", "7D", "7C"]
    assert fits("S A-K  H A-Q") == ["KH", "7D", "7C"]


@pytest.mark.rules("FT-25")
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("9H", "the hearts row ends at 7H, so 9H must wait for 8H"),
        ("5H", "the hearts row ends at 7H, so 5H must wait for 6H"),
        ("7H", "7H is on the table already"),
        ("8H", "you do not hold 8H"),
        ("8C", "the clubs row is not open: it begins with its 7"),
        ("pass", "you can play, and playing is compulsory"),
    ],
)
def test_why_a_card_does_not_fit(move: str, reason: str) -> None:
    """FT-25: a refusal names the rule and what fits instead."""
    m = sit("fan-tan", "denexa", ["5H 9H 7C 8C", "8H", "6H"], "H 7")
    with pytest.raises(IllegalMove) as error:
        m.play(move)
    assert error.value.reason == reason
    assert error.value.rule == ("FT-32" if move == "pass" else "FT-25")
    assert error.value.legal == ("7C",)


@pytest.mark.rules("FT-26")
def test_rows_end_with_ace_and_king() -> None:
    """FT-26: the down pile ends with the ace (on the 2), the up pile with the king (on the queen); 13 cards finish a
    suit.
    """
    m = sit("fan-tan", "denexa", ["AS 2H", "KS 3H", "QH KH"], "S 2-Q  H 4-J  D A-K  C A-K")
    m.play("AS")
    assert m.legal(1) == ["KS", "3H"]
    m.play("KS")
    assert row(m, "S") == [rank + "S" for rank in RANKS]
    assert m.position().keys["rows"] == "S A-K  H 4-J  D A-K  C A-K"


@pytest.mark.rules("FT-27", "FT-28")
def test_sides_of_the_layout() -> None:
    """FT-27, FT-28: 8s left of the 7 in `denexa` and `ultimate`, right in `british`; only a matter of looks."""
    sides = {
        preset: {
            zone.notes["side"] for zone in Match("fan-tan", rules=preset, seed=1).view().zones if zone.kind == "row"
        }
        for preset in PRESETS
    }
    assert sides == {"denexa": {"8L6R"}, "ultimate": {"8L6R"}, "british": {"6L8R"}, "stops": {"6L8R"}}


@pytest.mark.rules("FT-29")
@pytest.mark.parametrize("preset", ["denexa", "stops", "british"])
def test_one_card_a_turn(preset: str) -> None:
    m = sit("fan-tan", preset, ["6S 8S 7H", "9S 2H", "5S 3H"], "S 7")
    m.play("8S")
    assert m.actors == (1,)
    assert refused(m, "done") == "FT-29"


@pytest.mark.rules("FT-30", "FT-Q9")
def test_ultimate_several_7s_at_the_opening() -> None:
    """FT-30: a seat that can open may lay several 7s in the same turn; stopping early is free."""
    m = sit("fan-tan", "ultimate", ["7S 7H 7C 8S", "6S 2H", "9S 3H"])
    m.play("7S")
    assert m.legal() == ["7H", "7C", "done"]
    m.play("7C")
    assert m.legal() == ["7H", "done"]
    m.play("done")
    assert m.actors == (1,)
    assert paid(m.events) == []


@pytest.mark.rules("FT-31", "FT-Q9")
def test_ultimate_several_cards_of_a_suit() -> None:
    """FT-31: with 7H down the next seat may lay 8H, or 6H, or both."""
    for moves, fits in (("8H done", ["9H"]), ("6H done", ["5H"]), ("8H 6H", ["5H", "9H"])):
        m = sit("fan-tan", "ultimate", ["6H 8H 2S", "5H 9H 3S", "4H 4S"], "H 7")
        m.play(moves)
        assert m.actors == (1,)
        assert m.legal() == fits
    m = sit("fan-tan", "ultimate", ["6H 8H 7S", "5H 3S", "9H 4S"], "H 7")
    m.play("8H")
    for move, rule in (("7S", "FT-Q9"), ("pass", "FT-31")):
        assert refused(m, move) == rule


@pytest.mark.rules("FT-31", "FT-Q9", "FT-E5")
def test_a_group_turn() -> None:
    """FT-E5: 8S, then {6S, 9S, done}; 6S, then {9S, done}; 9S ends the turn automatically. After 7H nothing may
    follow."""
    hands = ["6S 8S 9S JS 7H", "TS 8H", "5S 6H"]
    rows = "S 7  D A-K  C A-K"
    m = sit("fan-tan", "ultimate", hands, rows)
    assert m.legal() == ["6S", "8S", "7H"]
    m.play("8S")
    assert m.legal() == ["6S", "9S", "done"]
    m.play("6S")
    assert m.legal() == ["9S", "done"]
    m.play("9S")
    assert m.actors == (1,)
    begun = sit("fan-tan", "ultimate", hands, rows)
    begun.play("7H")
    assert begun.actors == (1,)
    free = sit("fan-tan", "ultimate", hands, rows, options={"plays_per_turn": "any"})
    free.play("7H 8S")
    assert free.actors == (0,)
    assert free.legal() == ["6S", "9S", "done"]


@pytest.mark.rules("FT-32")
@pytest.mark.parametrize("preset", PRESETS)
def test_playing_is_compulsory(preset: str) -> None:
    """FT-32: a seat able to play may not choose to pass."""
    m = sit("fan-tan", preset, ["8S 2H", "6S", "9S"], "S 7")
    assert refused(m, "pass") == "FT-32"
    assert m.legal() == ["8S"]


@pytest.mark.rules("FT-33", "FT-Q6")
def test_keeping_a_7_by_playing_something_else_is_no_offence() -> None:
    """FT-33: a seat with several eligible cards chooses freely; leaving a 7 unplayed is never an offence."""
    m = sit("fan-tan", "stops", ["7H 8S 2H", "6S", "9S"], "S 7", options={"enforce": "penalise", "detect": "immediate"})
    m.play("8S")
    assert paid(m.events) == []


# The end of a deal and of a match

FULL = "H A-K  D A-K  C A-K"


@pytest.mark.rules("FT-41")
def test_the_deal_ends_at_once() -> None:
    """FT-41: the deal ends the moment a seat has no cards; nobody may play after that."""
    m = sit("fan-tan", "denexa", ["8S", "9S 6S", "TS 5S"], "S 7", auto=False)
    m.play("8S")
    assert m.actors == ()
    assert m.results[0].winner == 0
    assert told(m, "win")[0].rule == "FT-41"


@pytest.mark.parametrize(
    ("preset", "stacks", "payments"),
    [
        pytest.param(
            "denexa",
            (17, 34, 18),
            [(0, None, 1, "FT-42"), (2, None, 1, "FT-42"), (None, 1, 15, "FT-41")],
            marks=pytest.mark.rules("FT-42", "FT-E2"),
        ),
        pytest.param(
            "stops",
            (17, 34, 18),
            [(0, 1, 1, "FT-43"), (2, 1, 1, "FT-43"), (None, 1, 13, "FT-41")],
            marks=pytest.mark.rules("FT-43", "FT-E2"),
        ),
        pytest.param(
            "british",
            (17, 34, 18),
            [(0, 1, 1, "FT-43"), (2, 1, 1, "FT-43"), (None, 1, 13, "FT-41")],
            marks=pytest.mark.rules("FT-43", "FT-E2"),
        ),
        pytest.param(
            "ultimate",
            (19, 31, 19),
            [(0, None, 1, "FT-42"), (2, None, 1, "FT-42"), (None, 1, 11, "FT-41")],
            marks=pytest.mark.rules("FT-42", "FT-23", "FT-E2"),
        ),
    ],
)
def test_end_of_a_deal(preset: str, stacks: tuple[int, ...], payments: list[Any]) -> None:
    """FT-E2: the last cards of the spades, passes between them, and the settlement."""
    m = sit(
        "fan-tan",
        preset,
        ["9S KS", "8S JS", "TS QS"],
        f"S A-7  {FULL}",
        pot=9,
        stacks=[20, 20, 20],
        options={"deals": 1},
    )
    assert m.legal() == ["pass"]
    m.play("pass")
    for seat, card in ((1, "8S"), (0, "9S"), (2, "TS"), (1, "JS")):
        assert m.actors == (seat,)
        m.play(card)
    assert [f"{act.seat} {act.move}" for act in m.moves] == [
        "0 pass",
        "1 8S",
        "2 pass",
        "0 9S",
        "1 pass",
        "2 TS",
        "0 pass",
        "1 JS",
    ]
    assert paid(m.events)[-3:] == payments
    assert result(m).scores == stacks
    assert result(m).winners == (1,)


@pytest.mark.rules("FT-Q13")
def test_credit_open_goes_below_zero() -> None:
    """`credit = open`: every payment is made in full; a stack may go below 0."""
    m = sit(
        "fan-tan", "denexa", ["7H 2H", "6H 8H", "9H"], "S A-K  D A-K  C A-K", pot=0, stacks=[6, 30, 30], options=FINED
    )
    m.play("pass")
    assert m.scores == (-8, 40, 30)


@pytest.mark.rules("FT-Q13")
def test_credit_table_pays_what_it_has_the_pot_first_then_clockwise() -> None:
    """`credit = table`: the pot first, then creditors clockwise from the payer's left; the rest is cancelled."""
    hands = ["8H 3H", "7H 2H", "6H 9H"]
    for stack, after in ((30, (35, 16, 35)), (10, (31, 0, 35)), (6, (30, 0, 32)), (3, (30, 0, 30)), (0, (30, 0, 30))):
        m = sit(
            "fan-tan",
            "denexa",
            hands,
            "S A-K  D A-K  C A-K",
            pot=0,
            turn=1,
            stacks=[30, stack, 30],
            options=FINED | {"credit": "table"},
        )
        m.play("pass")
        assert m.scores == after
        assert sum(m.scores) + pot(m) == 60 + stack
        m.play("pass", 2)  # a seat with 0 chips keeps passing for free, and nobody owes what was cancelled


@pytest.mark.rules("FT-Q13")
def test_a_match_has_one_deal_for_each_seat_and_equal_stacks_share() -> None:
    """FT-Q13: `deals` = n; equal top stacks share the win."""
    assert Match("fan-tan", seats=6, seed=1).options.as_dict()["deals"] == 6
    m = sit("fan-tan", "stops", ["8S", "9S", "TS"], "S 7", pot=0, stacks=[22, 24, 9], options={"deals": 1})
    m.play("8S")
    assert result(m).scores == (24, 23, 8)
    m = sit("fan-tan", "stops", ["8S", "9S", "TS"], "S 7", pot=0, stacks=[22, 25, 9], options={"deals": 1})
    m.play("8S")
    assert result(m).winners == (0, 1)
