"""Fan Tan as people play it: the rules that no source has, and all presets against a second model."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cardtable import Match, OptionError, PositionError
from cardtable.base.cards import card_text, cards_in, parse_card
from cardtable.kernel import prng
from cardtable.rules import catalog, contract
from cardtable.rules.ruleset import Ruleset
from tests.games.fan_tan import model
from tests.support.effort import cases
from tests.support.games.lockstep import SLOW
from tests.support.games.tables import hand, pack_with, pot, refused, sit, told

GAME = "fan-tan"
PRESETS = tuple(catalog.games()[GAME].presets)
OPENERS = ("7D", "7H", "7S", "7C")


def dealt(held: dict[int, str], seats: int = 4, dealer: int = 3, **house: Any) -> Match:
    """A deal in which seats hold these cards."""
    return Match.from_pack(pack_with(held, seats, dealer), GAME, seats, dealer=dealer, auto=False, **house)


# The holder of a named 7 begins


@pytest.mark.rules("FT-C1")
@pytest.mark.parametrize("card", OPENERS)
def test_the_holder_of_a_named_7_begins_with_it(card: str) -> None:
    """Wherever it is; turns then pass to the left. Nobody has passed, so nobody has paid."""
    for seat in range(4):
        others = " ".join(other for other in OPENERS if other != card)
        m = dealt({seat: card, (seat + 1) % 4: others}, open_card=card)
        assert (m.actors, m.legal()) == ((seat,), [card])
        antes = pot(m)
        m.play(card)
        assert [(event.source, event.card, event.rule) for event in told(m, "lay")] == [(seat, card, "FT-C1")]
        assert (pot(m), m.actors) == (antes, ((seat + 1) % 4,))
        assert set(others.split()) <= set(m.legal()), "the others may open further rows with any 7"


@pytest.mark.rules("FT-C1", "FT-E8")
def test_example_8_the_holder_of_the_7_of_diamonds_begins() -> None:
    m = sit(GAME, "denexa", ["7S 8D", "7H 6S", "7D 7C"], "", turn=2, options={"open_card": "7D"}, dealer=2)
    assert m.actors == (2,)
    for wrong in ("7C", "pass"):
        assert refused(m, wrong) == "FT-C1"
    prompt = m.view(2).prompt
    assert prompt is not None
    assert (prompt.rule, str(prompt.ask)) == (
        "FT-C1",
        "Begin with 7D, which opens the deal and the row of its suit.",
    )
    m.play("7D")
    assert (m.actors, m.legal()) == ((0,), ["7S", "8D"])


@pytest.mark.rules("FT-C1")
@pytest.mark.parametrize("detect", ["end", "immediate"])
def test_where_mistakes_are_possible_the_opening_card_is_laid_all_the_same(detect: str) -> None:
    m = dealt({2: "7D 7C"}, open_card="7D", enforce="penalise", detect=detect, dead_hand="yes")
    assert m.legal() == ["7D"]
    assert refused(m, "pass") == "FT-C1"
    m.play("7D")
    assert "pass" in m.legal(), "later on a card may be held back"


@pytest.mark.rules("FT-C1")
def test_several_7s_may_follow_the_opening_card() -> None:
    m = dealt({2: "7D 7C 8D", 1: "7S 7H"}, rules="ultimate", open_card="7D")
    m.play("7D")
    assert (m.actors, m.legal()) == ((2,), ["7C", "done"])


@pytest.mark.rules("FT-C1")
def test_everybody_knows_who_holds_the_opening_card() -> None:
    m = dealt({2: "7D", 0: "7C 7S 7H"}, open_card="7D")
    for viewer in (0, 1, None):
        for world in m.view(viewer).worlds(20, seed=1):
            assert int(world.state.hands[2]) >> parse_card("7D") & 1
    assert m.position().as_dict()["shows"] == ["", "", "7D", ""]
    m.play("7D")
    assert "shows" not in m.position().as_dict(), "it is on the table"


@pytest.mark.rules("FT-C1")
def test_positions_before_the_opening() -> None:
    """The turn is the holder's if it is not said, and unlisted cards are dealt so that it is."""
    keys = {"game": GAME, "rules": "denexa", "options": {"open_card": "7D"}}
    m = Match.from_position({**keys, "hands": ["7S 8D", "7D 6S"], "dealer": 1}, auto=False)
    assert m.actors == (1,)
    for seed in range(20):
        m = Match.from_position({**keys, "hands": ["*17", "*17", "*18"], "turn": 1}, seed=seed, auto=False)
        assert "7D" in hand(m, 1)
    for wrong in ({"turn": 0}, {"hands": ["7S 8D", "7C 6S"]}):
        with pytest.raises(PositionError, match="the holder of 7D begins the deal"):
            Match.from_position({**keys, "hands": ["7S 8D", "7D 6S"], **wrong})
    later = Match.from_position({**keys, "hands": ["7S 8D", "7C 6S"], "rows": "D 7"}, auto=False)
    assert later.legal() == ["7S", "8D"]


# Free passes


def last_spades(**house: Any) -> Match:
    """The position of FT-E9."""
    keys: dict[str, Any] = {
        "stacks": [28] * 3,
        "pot": 6,
        "deal": 3,
        "unlisted": "dead",
        "options": {"passes": "1", **house},
    }
    return sit(GAME, "denexa", ["5S 9S JS", "TS QS", "4S KS"], "S 6-8  H A-K  D A-K  C A-K", **keys)


@pytest.mark.rules("FT-C2", "FT-E9")
def test_example_9_no_pass_left() -> None:
    m = last_spades()
    for seat, move in enumerate(["5S", "pass", "4S", "pass"]):
        m.play(move, seat % 3)
    assert (pot(m), m.actors, m.legal()) == (8, (2,), ["pass"]), "seat 1 has lost"
    assert [(event.source, event.card) for event in told(m, "laid out")] == [(1, "TS"), (1, "QS")]
    assert [card for card in m.view(None).zone("row-S").cards if card] == ["4S", "5S", "6S", "7S", "8S", "TS", "QS"]
    assert "1 has lost" in str(told(m, "lost")[0].message)
    m.play("pass")
    assert m.legal() == ["9S"]
    assert refused(m, "pass") == "FT-C2"
    m.play("9S")
    assert (m.over, m.results[0].winner, m.scores) == (True, 0, (39, 25, 26))
    assert [event.rule for event in told(m, "win")] == ["FT-C2"]


@pytest.mark.rules("FT-C2")
def test_a_row_runs_on_past_cards_laid_out() -> None:
    m = last_spades(pass_chip=0)
    for move in ("5S", "pass", "4S", "pass"):
        m.play(move)
    assert m.position().as_dict()["laid_out"] == ["", "TS QS", ""]
    again = Match.from_position(m.position().text, auto=False)
    assert (again.position().text, again.actors) == (m.position().text, (2,))
    again.play("pass")
    again.play("9S")
    assert again.position().as_dict()["rows"].startswith("S 4-T")
    assert again.legal(2) == ["pass"]


@pytest.mark.rules("FT-C2")
def test_a_free_pass_proves_nothing() -> None:
    """Neither does one without a fitting card, while it might have been free."""
    m = last_spades()
    for move in ("pass", "pass"):
        m.play(move)
    assert "lacks" not in m.position().as_dict()
    assert not any(act.forced for act in m.moves), "a forced pass is made by hand, otherwise it would be known"
    held = [{card_text(card) for card in cards_in(int(w.state.hands[0]))} for w in m.view(2).worlds(60, seed=1)]
    assert {"5S", "9S"} <= set().union(*held)


@pytest.mark.rules("FT-C2")
def test_how_often_a_player_may_pass() -> None:
    """At most so often in a deal, whether a card fits or not; a chip each time. It is shown, and begins again."""
    m = dealt({0: "7S 7H 7D 7C"}, passes="2", seats=3, dealer=2)
    for k in (2, 1):
        prompt = m.view(0).prompt
        assert prompt is not None
        assert f"you have {k} pass" in str(prompt.ask)
        assert m.view(1).zone("hand-0").notes["passes"] == k
        assert "pass" in m.legal()
        for seat in range(3):
            m.play("pass", seat)
    assert "pass" not in m.legal()
    assert refused(m, "pass") == "FT-C2"
    assert m.scores == (22, 21, 21)


@pytest.mark.rules("FT-C3")
def test_passes_without_a_limit() -> None:
    """Anybody may pass, until all have done so in a row: then a card is laid by the first player who can."""
    m = dealt({1: "7S 7H 7D 7C"}, passes="unlimited", seats=3, dealer=2)
    for seat in (0, 1, 2):
        m.play("pass", seat)
    m.play("pass", 0)
    assert m.position().as_dict()["lacks"][0] == "7S 7H 7D 7C", "this pass was not free"
    assert "pass" not in m.legal()
    assert refused(m, "pass") == "FT-C3"
    m.play("7S")
    assert "pass" in m.legal()


@pytest.mark.rules("FT-C2", "FT-24")
@pytest.mark.parametrize("passes", ["1", "unlimited"])
def test_a_deal_that_nobody_opens_is_dead(passes: str) -> None:
    m = dealt({0: "7S 7H 7D 7C"}, rules="ultimate", passes=passes, deals=2)
    for seat in range(4):
        m.play("pass", seat)
    assert (m.actors, m.results[0].winner, pot(m), m.scores) == ((), None, 8, (23,) * 4)


def test_nobody_is_fined_for_a_pass_that_is_allowed() -> None:
    with pytest.raises(OptionError, match="nobody is fined"):
        Match(GAME, passes="3", enforce="penalise")


@pytest.mark.rules("FT-C2")
@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"passed": [2, 0, 0]}, "may pass 1 time in a deal"),
        ({"options": {}, "passed": [1, 0, 0]}, "may pass 0 times"),
        ({"laid_out": ["", "TS", "4S"]}, "two others play on"),
        ({"laid_out": ["", "3S", ""]}, "seat 1 has lost"),
        ({"laid_out": ["", "TS", ""]}, "TS"),
        ({"options": {}, "laid_out": ["", "3S", ""]}, "two others play on"),
    ],
)
def test_positions_that_cannot_be(keys: dict[str, Any], why: str) -> None:
    start = {"game": GAME, "rules": "denexa", "options": {"passes": "1"}, "rows": "S 6-8", "unlisted": "dead"}
    start |= {"hands": ["5S 9S JS", "TS QS", "4S KS"]}
    Match.from_position(start)
    with pytest.raises(PositionError, match=why):
        Match.from_position(start | keys)


# Against a second model


def compare(preset: str, seats: int, house: dict[str, Any], dice: random.Random) -> int:
    """Deal a random pack and play at random on both tables; the number of moves."""
    ruleset = Ruleset.parse(GAME, preset, seats, house)
    s: Any = ruleset.state()
    s.seed[:] = prng.key_of("model")
    contract.open_match(s)
    cards = model.pack()
    dice.shuffle(cards)
    room = np.zeros(112, np.int64)
    room[:52] = [parse_card(card) for card in cards]
    contract.deal(s, room)
    plain = model.Deal(cards, seats, int(s.dealer), ruleset.options.as_dict())
    text = ruleset.game.presentation.move_text
    moves, out = np.zeros(ruleset.game.rules.MAX_MOVES + 1, np.int64), np.zeros(contract.MAX_SEATS)
    made = 0
    while not plain.over:
        seat = plain.turn
        assert int(contract.actors(s)) == 1 << seat
        n = int(contract.legal(s, seat, moves))
        legal = {text(s, int(move)): int(move) for move in moves[:n]}
        assert legal.keys() == plain.legal()
        move = dice.choice(sorted(legal))
        plain.play(move)
        contract.play(s, seat, legal[move])
        assert {card_text(card) for card in cards_in(int(s.hands[seat]))} == set(plain.hands[seat])
        made += 1
    assert contract.actors(s) == 0
    contract.payoff(s, out)
    assert [int(x) for x in out[:seats]] == plain.won
    assert (int(s.winner), int(s.pot)) == (plain.winner, plain.pot)
    return made


def drawn_house(dice: random.Random) -> dict[str, Any]:
    """House rules drawn at random."""
    kinds = catalog.games()[GAME].options.kinds()
    names = ("open_card", "passes", "ante_rule", "settle", "plays_per_turn", "dead_hand")
    return {name: dice.choice(kinds[name].values) for name in names} | {"pass_chip": dice.randrange(2)}


PARTS = 10  #: of the random deals: one in everyday runs
DEALS = 20 if SLOW else 200  #: of a part


@pytest.mark.rules("FT-C1", "FT-C2", "FT-C3", "FT-21", "FT-25", "FT-29", "FT-30", "FT-31", "FT-32", "FT-42", "FT-43")
@pytest.mark.parametrize("part", cases(range(PARTS)))
@pytest.mark.parametrize("preset", PRESETS)
def test_a_second_model_agrees(preset: str, part: int) -> None:
    """2,000 deals of each preset, most with house rules drawn at random."""
    dice = random.Random(f"{preset} {part}")
    made = 0
    for k in range(DEALS):
        made += compare(preset, dice.choice((2, 3, 4, 4, 5, 8, 12)), drawn_house(dice) if k % 4 else {}, dice)
    assert made > 30 * DEALS
