"""What is found out about an offence at once, in Fan Tan and Domino Fan-Tan, against a model written from the book."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cardtable import Match
from cardtable.base.cards import PACK_52, card_text, parse_cards, rank_of, suit_of
from cardtable.games.fan_tan import offences
from cardtable.games.fan_tan.layout import playable
from tests.support.games.tables import FINED, paid, sit, told


def cards_of(mask: Any) -> set[int]:
    """The cards of a set."""
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
    """The withheld 7, the run beside it, and who holds the card beyond."""
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
