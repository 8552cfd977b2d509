"""What is found out about an offence at once, in Fan Tan and Domino Fan-Tan, against a model written from the book."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cardtable import Match
from cardtable.base.cards import PACK_52, card_text, parse_card, parse_cards, parse_set, rank_of, suit_of
from cardtable.games.fan_tan import offences
from cardtable.games.fan_tan.layout import playable
from cardtable.games.fan_tan.offences import retell
from cardtable.kernel import prng
from tests.support.games import oracle
from tests.support.games.tables import FINED, paid, pot, refused, result, sit, told


def cards_of(mask: Any) -> set[int]:
    return {card for card in range(52) if int(mask) >> card & 1}


def creditor(hands: list[set[int]], seat: int, founder: int, side: int, beyond_run: bool) -> int | None:
    """The card next to a withheld founding card, or, beyond the seat's own run, the first one that it lacks (FT-37)."""
    rank = rank_of(founder) + side
    while beyond_run and 0 <= rank < 13 and founder - rank_of(founder) + rank in hands[seat]:
        rank += side
    return founder - rank_of(founder) + rank if 0 <= rank < 13 else None


def offence(hands: list[set[int]], seat: int, fits: set[int], founders: set[int], rules: Any) -> dict[int, Any] | None:
    """What is found out about a seat that did not play: for each withheld founding card how far its creditor cards are,
    and whether their holders are paid (FT-35 to FT-38, DF-Q6). None if the seat could not play.
    """
    able = fits & hands[seat]
    if not able:
        return None
    withheld = able & founders
    if rules.fine_when_forced and able - founders:
        withheld = set()
    finding: dict[int, Any] = {}
    for founder in withheld:
        finding[founder] = []
        for side in (-1, 1):
            card = creditor(hands, seat, founder, side, bool(rules.fine_beyond_run))
            others = card is not None and any(card in hand for other, hand in enumerate(hands) if other != seat)
            finding[founder].append((abs(card - founder) if card is not None else 0, others))
    return finding


def number(finding: dict[int, Any] | None) -> int:
    """The same as the number that a table keeps."""
    if finding is None:
        return 0
    code = 1
    for founder, sides in finding.items():
        suit = suit_of(founder)
        code += 2 << suit
        for side, (distance, due) in enumerate(sides):
            code += (distance + 16 * due) << (5 + 5 * (2 * suit + side))
    return code


@pytest.mark.rules("DF-03", "DF-Q6", "FT-35", "FT-36", "FT-37", "FT-38", "FT-Q3", "FT-Q6")
@pytest.mark.parametrize("beyond_run", ["no", "yes"])
@pytest.mark.parametrize("when", ["held", "forced"])
def test_what_is_found_out_about_draws(when: str, beyond_run: str) -> None:
    """Deals at random, in which draws are frequent: what is kept of each draw agrees with the model, and so does what
    the history says of the same hands afterwards.
    """
    chance = random.Random(f"{when} {beyond_run}")
    codes: set[int] = set()
    for seed in range(25):
        m = Match("domino-fan-tan", seed=seed, deals=1, fine_when=when, fine_beyond_run=beyond_run, **FINED)
        while not m.over:
            s, seat = m._s, m.actors[0]
            hands = [cards_of(s.hands[p]) for p in range(2)]
            fits, founders = cards_of(playable(s)), {card for card in range(52) if rank_of(card) == 6}
            move = "draw" if "draw" in m.legal() and chance.random() < 0.8 else chance.choice(m.legal())
            drawn = int(s.drawn)
            m.play(move)
            if move == "draw":
                code = number(offence(hands, seat, fits, founders, s.rules))
                assert int(s.found[drawn]) == code, (seed, drawn)
                codes.add(code)
                assert offences.retell(s, 0) == 1
                s.found[drawn] ^= 1 << chance.randrange(45)
                assert offences.retell(s, 0) == 0
                s.found[drawn] = code
    assert len(codes) > 25


def shown(m: Match, seat: int) -> str:
    """The cards that everybody knows a seat to hold."""
    return " ".join(card_text(card) for card in PACK_52 if int(m.view(None).state.shows[seat]) >> card & 1)


@pytest.mark.rules("FT-37", "FT-Q6")
@pytest.mark.parametrize(
    ("hands", "proved"),
    [
        # the run goes down to the ace itself, or stops just above it, or goes up to the king
        (["AS 2S 3S 4S 5S 6S 7S 2H", "9S 8S", "TS"], ["AS 2S 3S 4S 5S 6S 7S", "8S", ""]),
        (["2S 3S 4S 5S 6S 7S 2H", "8S", "AS"], ["2S 3S 4S 5S 6S 7S", "8S", "AS"]),
        (["7S 8S 9S TS JS QS KS 2H", "5S", "6S"], ["7S 8S 9S TS JS QS KS", "", "6S"]),
        # the same in the last suit, where the king is the last card of the pack
        (["7D 8D 9D TD JD QD KD 2H", "5D", "6D"], ["7D 8D 9D TD JD QD KD", "", "6D"]),
        (["7D 8D 9D TD JD QD 2H", "6D", "KD"], ["7D 8D 9D TD JD QD", "6D", "KD"]),
        (["7H 9H 2H", "8H", "6H"], ["7H", "8H", "6H"]),
    ],
)
def test_what_an_offence_shows(hands: list[str], proved: list[str]) -> None:
    """The withheld 7, the run next to it, and the holder of the card beyond."""
    suit = hands[0][1]
    rows = "  ".join(f"{other} A-K" for other in "SHDC" if other not in {suit, "H"}) + (
        "" if suit == "H" else "  H 3-K"
    )
    m = sit("fan-tan", "stops", hands, rows, unlisted="played", options=FINED)
    m.play("pass")
    assert [set(shown(m, seat).split()) for seat in range(3)] == [set(cards.split()) for cards in proved]


@pytest.mark.rules("FT-37")
def test_beyond_the_king_there_is_no_other_suit() -> None:
    """Nobody is paid on that side, least of all for the first card of the pack."""
    hands = ["7H 8H 9H TH JH QH KH 2H", "6H", "AS 5H"]
    m = sit("fan-tan", "stops", hands, "S 2-K  D A-K  C A-K", unlisted="played", stacks=[30] * 3, options=FINED)
    m.play("pass")
    assert (m.scores, shown(m, 2)) == ((30 - 1 - 3 - 5, 35, 30), "")


@pytest.mark.rules("FT-38", "FT-Q3")
@pytest.mark.parametrize(
    ("preset", "lacking", "one_of"),
    [
        ("british", "", "6D 8D 6C 8C"),  # fined only if nothing else could be played: one of these can be
        ("stops", "7S 7H", "6D 8D 6C 8C"),  # no 7 was withheld, so it was another card
    ],
)
def test_an_offence_without_a_fined_seven(preset: str, lacking: str, one_of: str) -> None:
    """Two rows lie open; the seat passes with a card that goes on one of them."""
    hands = ["8D AS", "7S 6S 8S 9S", "7H 6H 8H 9H"]
    m = sit("fan-tan", preset, hands, "D 7  C 7", unlisted="played", options=FINED)
    m.play("pass")
    s = m.view(None).state
    assert cards_of(s.one_of[0]) & set(parse_cards("7S 7H " + one_of)) >= set(parse_cards("8D"))
    assert cards_of(s.lacks[0]) & set(parse_cards("7S 7H")) == set(parse_cards(lacking))
    assert cards_of(s.shows[0]) == set()


@pytest.mark.rules("FT-38", "FT-Q3")
@pytest.mark.parametrize(
    ("preset", "lacking"),
    [
        ("british", "7H 6D 8D 6C 8C"),  # fined, so nothing else could be played
        ("stops", "7H"),
    ],
)
def test_an_offence_with_a_fined_seven(preset: str, lacking: str) -> None:
    """Two rows lie open; the seat passes with one of the other 7s."""
    hands = ["7S AS", "7H 6S 8S 9S", "8D 6H 8H 9H"]
    m = sit("fan-tan", preset, hands, "D 7  C 7", unlisted="played", options=FINED)
    m.play("pass")
    s = m.view(None).state
    assert cards_of(s.lacks[0]) & set(parse_cards("7S 7H 6D 8D 6C 8C")) == set(parse_cards(lacking))
    assert "7S" in shown(m, 0)
    assert not s.one_of[0]


@pytest.mark.rules("FT-24", "FT-Q14")
@pytest.mark.parametrize(("enforce", "rounds"), [("strict", 1), ("penalise", 2)])
def test_a_deal_that_is_stuck(enforce: str, rounds: int) -> None:
    """The cards that would go on are out of the deal: it is over after a round of passes, and after a second one where
    the first may have been offences.
    """
    hands, rows = ["9S", "9H", "9D"], "S 7  H 7  D 7  C 7"
    m = sit("fan-tan", "denexa", hands, rows, unlisted="played", auto=False, options={"enforce": enforce, "deals": 1})
    for _ in range(3 * rounds):
        assert not m.over
        m.play("pass")
    assert m.over
    assert [event.rule for event in told(m, "void")] == ["FT-Q14"]
    assert {why for _, _, _, why in paid(m.events)} == {"FT-22", "FT-Q13"}, "the last pass, and the pot is shared"
    assert m.results[0].winner is None


@pytest.mark.rules("FT-10")
def test_cuts_are_made_of_a_whole_pack() -> None:
    """Every card of the pack is drawn in some cut, and none twice in one."""
    drawn: set[str] = set()
    for seed in range(60):
        events = Match("fan-tan", 8, seed=seed, first_dealer="cut_low", auto=False).events
        cut = [event.card for event in events if event.kind == "cut"][:8]
        assert len(set(cut)) == 8
        drawn |= {card for card in cut if card}
    assert drawn == {card_text(card) for card in PACK_52}


# Fines

E3 = (["7H 8H KH KC", "6H 9H TH AH 2H", "3H 4H 5H JH QH"], "S A-K  D A-K  C A-Q")


def fined(
    preset: str, hands: Sequence[str], rows: str, chips: int = 30, options: Mapping[str, Any] = FINED, pot: int = 0
) -> Match:
    """Three seats with a number of chips each, who may pass though they can play, and are fined."""
    return sit("fan-tan", preset, hands, rows, pot=pot, stacks=[chips] * 3, options=options)


@pytest.mark.parametrize(
    ("preset", "pot_after", "stacks", "why"),
    [
        pytest.param(
            "denexa", 14, (21, 35, 30), "FT-35", marks=pytest.mark.rules("FT-34", "FT-35", "FT-Q2", "FT-Q5", "FT-E3")
        ),
        pytest.param("stops", 14, (16, 40, 30), "FT-37", marks=pytest.mark.rules("FT-36", "FT-37", "FT-Q6", "FT-E3")),
        pytest.param("british", 14, (26, 30, 30), "", marks=pytest.mark.rules("FT-38", "FT-Q3", "FT-E3")),
        pytest.param(
            "ultimate", 13, (22, 35, 30), "FT-39", marks=pytest.mark.rules("FT-39", "FT-Q2", "FT-Q10", "FT-E3")
        ),
    ],
)
def test_one_illegal_pass_in_four_presets(preset: str, pot_after: int, stacks: tuple[int, ...], why: str) -> None:
    """FT-E3: seat 0 passes with 7H and KC playable: the pass, 3 to the pot, and what each preset adds."""
    m = fined(preset, *E3, pot=10)
    assert m.legal() == ["7H", "KC", "pass"]
    m.play("pass")
    assert (pot(m), m.scores) == (pot_after, stacks)
    fines = [p for p in paid(m.events) if p[3] != "FT-22"]
    assert fines[0] == (0, None, 3, "FT-34")
    assert fines[1:] == ([(0, 1, 30 - stacks[0] - (3 if preset == "ultimate" else 4), why)] if why else [])
    assert m.actors == (1,)  # the pass still stands


@pytest.mark.rules("FT-38", "FT-Q3", "FT-E3")
def test_british_fine_when_the_7_was_all_he_could_play() -> None:
    """FT-E3: had KC been on the table, P = {7H}: 21/35/30."""
    m = fined("british", ["7H 8H KH", *E3[0][1:]], "S A-K  D A-K  C A-K", pot=10)
    m.play("pass")
    assert (pot(m), m.scores) == (14, (21, 35, 30))


@pytest.mark.rules("FT-36")
def test_stops_fives_go_to_the_holders_of_8_and_6() -> None:
    """FT-36: besides the 3 the seat pays 5 to the holder of that suit's 8 and 5 to the holder of its 6."""
    m = fined("stops", ["7H 2H", "6H 9H", "8H 3H"], "S A-K  D A-K  C A-K")
    m.play("pass")
    assert paid(m.events) == [(0, None, 1, "FT-22"), (0, None, 3, "FT-34"), (0, 1, 5, "FT-37"), (0, 2, 5, "FT-37")]


@pytest.mark.rules("FT-37")
def test_beyond_ace_or_king_nobody_is_paid() -> None:
    """If the run goes past A or K there is no creditor on that side."""
    m = fined("stops", ["7H 8H 9H TH JH QH KH 2H", "6H AH", "5H 4H 3H"], "S A-K  D A-K  C A-K")
    m.play("pass")
    assert m.scores == (30 - 1 - 3 - 5, 35, 30)


@pytest.mark.rules("FT-37")
def test_whoever_holds_the_ace_is_paid() -> None:
    """The ace of spades is the first card of the pack."""
    hands = ["7S 6S 5S 4S 3S 2S 2H", "AS AH 3H", "8S 9S TS JS QS KS 4H 5H 6H"]
    m = fined("stops", hands, "H 7-K  D A-K  C A-K")
    m.play("pass")
    assert m.scores == (30 - 1 - 3 - 10, 35, 35)


@pytest.mark.rules("FT-39", "FT-Q4")
def test_ultimate_pays_each_neighbour_of_each_7() -> None:
    """FT-39, FT-Q4: 5 to each seat holding a neighbour of each withheld 7; the 3 only once."""
    m = fined("ultimate", ["7H 7S 2H", "6H 8H", "6S 8S"], "D A-K  C A-K", 40)
    m.play("pass")
    assert paid(m.events) == [(0, None, 3, "FT-34"), (0, 1, 10, "FT-39"), (0, 2, 10, "FT-39")]


@pytest.mark.rules("FT-Q5")
def test_nobody_pays_himself_and_one_holder_of_both_gets_10() -> None:
    """FT-Q5: nobody pays themselves, only the other side pays; one seat holding both 6 and 8 receives 10."""
    m = fined("denexa", ["7H 6H 8H 2H", "5H", "9H"], "S A-K  D A-K  C A-K")
    m.play("pass")
    assert m.scores == (26, 30, 30)
    m = fined("denexa", ["7H 2H", "6H 8H", "9H"], "S A-K  D A-K  C A-K")
    m.play("pass")
    assert m.scores == (16, 40, 30)


@pytest.mark.rules("FT-Q4", "FT-E7")
def test_two_7s_withheld() -> None:
    """FT-E7: 1 + 3 to the pot and four fives: pot 4, stacks 6/40/40."""
    m = fined(
        "stops", ["7H 7C", "AH 2H 3H 4H 5H 6H 8C 9C TC JC QC KC", "8H 9H TH JH QH KH AC 2C 3C 4C 5C 6C"], "S A-K  D A-K"
    )
    m.play("pass")
    assert (pot(m), m.scores) == (4, (6, 40, 40))


@pytest.mark.rules("FT-40", "FT-Q7", "FT-Q8", "FT-E4")
def test_the_offender_wins() -> None:
    """FT-E4: the offence counts when it is found out: at the end, before the settlement; the 3 chips come back to the
    seat.
    """
    options = {"enforce": "penalise", "detect": "end", "deals": 1}
    m = fined("denexa", ["KH", "AH 2H", "QC KC"], "S A-K  D A-K  C A-J  H 3-Q", 28, options, pot=6)
    m.play("pass", 0)
    assert (pot(m), m.scores) == (7, (27, 28, 28))
    m.play("2H", 1)
    m.play("QC", 2)
    m.play("KH", 0)
    assert [p for p in paid(m.events) if p[0] == 0] == [(0, None, 3, "FT-34")]
    assert m.events.index(told(m, "pay")[0]) < m.events.index(told(m, "win")[0])
    assert result(m).scores == (36, 27, 27)


@pytest.mark.rules("FT-40", "FT-Q7")
def test_before_it_is_found_out_nobody_is_told() -> None:
    """FT-40, `detect = end`: a wrongful pass and a true one look alike until the hands are shown."""
    m = fined("denexa", ["7H 2H", "6H 9H", "8H 3H"], "S A-K  D A-K  C A-K", options={"enforce": "penalise"})
    m.play("pass")
    assert paid(m.events) == [(0, None, 1, "FT-22")]
    true = fined("denexa", ["9H 2H", "6H 7H", "8H 3H"], "S A-K  D A-K  C A-K", options={"enforce": "penalise"})
    true.play("pass")
    for seat in (2, None):
        assert m.view(seat).as_dict() == true.view(seat).as_dict()
        assert bytes(m.view(seat).state.tobytes()) == bytes(true.view(seat).state.tobytes())


@pytest.mark.rules("FT-40")
def test_fines_are_paid_in_the_order_committed() -> None:
    """Settlement (a): all recorded offences are fined in the order committed, by the hands at the time of the pass."""
    options = {"enforce": "penalise", "deals": 1, "pass_chip": 0}
    m = fined("denexa", ["7H 9S", "8S 2H", "6H 8H 3H"], "S A-7  D A-K  C A-K", options=options)
    m.play("pass", 0)  # 7H: both neighbours with seat 2
    m.play("pass", 1)  # 8S
    m.play("pass", 2)  # truly unable
    m.play("7H", 0)
    m.play("8S", 1)
    m.play("8H", 2)
    m.play("9S", 0)
    assert paid(m.events)[:3] == [(0, None, 3, "FT-34"), (0, 2, 10, "FT-35"), (1, None, 3, "FT-34")]
    assert result(m).scores == (30 - 13 + 3 + 3 + 1 + 2, 30 - 3 - 1, 30 + 10 - 2)


@pytest.mark.rules("FT-Q14", "FT-34")
def test_after_n_passes_in_a_row_nobody_able_may_pass() -> None:
    """FT-Q14: illegal passing is suspended after n consecutive passes until a card is laid."""
    m = sit("fan-tan", "denexa", ["8S 2H", "6S 3H", "9S 4H"], "S 7  D A-K  C A-K", options={"enforce": "penalise"})
    for seat in (0, 1, 2):
        assert "pass" in m.legal(seat)
        m.play("pass", seat)
    assert m.legal(0) == ["8S"]
    assert refused(m, "pass", 0) == "FT-Q14"
    m.play("8S", 0)
    assert m.legal(1) == ["6S", "pass"]


# What draws prove


def side(distance: int, paid: bool, suit: int, upper: int) -> int:
    """The bits of a finding for one side of a withheld founding card."""
    return (distance | paid << 4) << 5 + 5 * (2 * suit + upper)


def domino(hands: list[str], rows: str, stock: str, **options: Any) -> Match:
    keys: dict[str, Any] = {"stock": stock, "stacks": [40, 40], "pot": 0, "unlisted": "played", "options": options}
    return sit("domino-fan-tan", "domino-fan-tan", hands, rows, auto=False, **keys)


@pytest.mark.rules("DF-06", "DF-Q6", "FT-37", "FT-Q6")
@pytest.mark.parametrize(
    ("hands", "rows", "stock", "finding"),
    [
        pytest.param(["2H", "6H TH"], "S A-K  D A-K  C A-K", "9H", 0, id="clean"),
        pytest.param(
            ["7H 8H 2H", "6H TH"],
            "S A-K  D A-K  C A-K",
            "9H",
            1 | 2 << 1 | side(1, True, 1, 0) | side(2, False, 1, 1),
            id="one in the stock",
        ),
        pytest.param(
            ["7H 8H 9H TH JH QH KH 2H", "6H 3H"],
            "S A-K  D A-K  C A-K",
            "5H",
            1 | 2 << 1 | side(1, True, 1, 0),
            id="a run to the king",
        ),
        pytest.param(
            ["7S 6S 5S 4S 3S 2S AS 2H", "8S 3H"],
            "D A-K  C A-K",
            "7H",
            1 | 2 << 0 | side(1, True, 0, 1),
            id="a run to the ace of spades",
        ),
        pytest.param(
            ["7S 6S 5S 4S 3S 2S 2H", "8S AS 3H"],
            "D A-K  C A-K",
            "7H",
            1 | 2 << 0 | side(6, True, 0, 0) | side(1, True, 0, 1),
            id="the ace is due",
        ),
        pytest.param(
            ["7S 7C 8C 9C", "6S 8S TC"],
            "D A-K  H A-K",
            "6C",
            1
            | 2 << 0
            | 2 << 3
            | side(1, True, 0, 0)
            | side(1, True, 0, 1)
            | side(1, False, 3, 0)
            | side(3, True, 3, 1),
            id="two sevens",
        ),
        pytest.param(["8S 2H", "9S 7H"], "S A-7  D A-K  C A-K", "3H", 1, id="no founding card"),
    ],
)
def test_what_is_found_out_about_a_draw(hands: list[str], rows: str, stock: str, finding: int) -> None:
    """For each side of each withheld 7: how far its creditor card lies from it, and whether it was paid for."""
    m = domino(hands, rows, stock, **FINED)
    m.play("draw")
    assert int(m._s.found[0]) == finding
    assert ((0, None, 3, "FT-34") in paid(m.events)) == (finding != 0)
    assert retell(m._s, 0) == 1
    other = m._s.copy()
    other.found[0] = finding ^ 1 << 5 | 1
    assert retell(other, 0) == 0
    assert (int(other.layout), int(other.set_rank)) == (int(m._s.layout), int(m._s.set_rank))


@pytest.mark.rules("FT-Q5", "FT-35")
def test_at_a_full_table_a_dead_card_is_paid_to_nobody() -> None:
    """A neighbour of the 7 that nobody holds is not due, not even to the twelfth seat."""
    hands = ["7H", "8H", "9H", "TH", "JH", "QH", "KH", "AS", "AC", "AD", "2S", "2C"]
    m = sit("fan-tan", "denexa", hands, "", unlisted="dead", stacks=[40] * 12, options=FINED, auto=False)
    m.play("pass")
    assert paid(m.events) == [(0, None, 1, "FT-22"), (0, None, 3, "FT-34"), (0, 1, 5, "FT-35")]


@pytest.mark.rules("DF-03", "DF-04")
@pytest.mark.usefixtures("plainly")
def test_a_card_just_drawn_may_be_one_that_fits() -> None:
    """Who draws has proved that no card fits, but that says nothing about the card just drawn."""
    m = domino(["2H 3H", "JH QH KH"], "S A-K  D A-K  C A-K", "7H 8H")
    m.play("draw")
    view = m.view(1).state.copy()
    sevens = set()
    for world in oracle.worlds_for(view, 1, 60, prng.key_of("fresh")):
        hand = int(world.hands[0])
        assert hand.bit_count() == 3
        assert hand | 1 << int(world.stock[1]) == parse_set("2H 3H 7H 8H")
        sevens.add(hand >> parse_card("7H") & 1)
    assert sevens == {0, 1}


@pytest.mark.rules("DF-03", "DF-04")
def test_who_sees_which_cards_of_the_stock() -> None:
    """Only where draws are judged later does a seat's view keep the cards that it drew itself; the rest is 0, also when
    the deal is over.
    """
    for enforce, first_card in (("strict", 0), ("penalise", parse_card("8H"))):
        m = domino(["2H 3H", "9H"], "S A-K  D A-K  C A-K  H 7", "8H TH 4H", enforce=enforce, deals=2)
        m.play("draw")
        for seat, first in ((0, first_card), (1, 0), (None, 0)):
            assert m.view(seat).state.stock.tolist()[:3] == [first, 0, 0]
        assert m.view(1).state.hands.tolist()[:2] == [0, parse_set("9H")]
        m.play("8H")
        m.play("9H")
        assert m.results[0].winner == 1
        for seat in (0, 1, None):
            view = m.view(seat).state
            assert view.stock.tolist()[:3] == [parse_card("8H"), 0, 0]
            assert view.hands.tolist()[:2] == [parse_set("2H 3H"), 0]
