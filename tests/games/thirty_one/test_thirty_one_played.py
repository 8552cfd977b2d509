"""Thirty-One as people play it: the rules that no source has, and all presets against a second model."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cardtable import Match, OptionError, PositionError
from cardtable.base.cards import card_text, cards_in, parse_card
from cardtable.games.thirty_one.state import KNOCK
from cardtable.kernel import prng
from cardtable.rules import catalog, contract
from cardtable.rules.ruleset import Ruleset
from tests.games.thirty_one import model
from tests.games.thirty_one.test_thirty_one import GAME, counts, dealt, knocked, markers, play_on, sit
from tests.support.games.lockstep import SLOW
from tests.support.games.tables import refused, told

LOW, MID, HIGH = "2S 3H 4D", "9S 7S 2C", "KC QC 5C"  # count 4, 16, 25


@pytest.mark.rules("TO-C1")
def test_lives() -> None:
    """One to ten markers; a banknote has four corners."""
    for lives in (1, 3, 10):
        assert Match(GAME, 3, seed=1, lives=lives).scores == (lives,) * 3
    for wrong in ({"lives": 11}, {"lives": 3, "stake": "banknote"}):
        with pytest.raises(OptionError):
            Match(GAME, 3, **wrong)
    with pytest.raises(PositionError):
        sit([LOW, MID], options={"lives": 3}, markers=[4, 3])


@pytest.mark.rules("TO-C2")
def test_out_with_the_last_marker() -> None:
    m = knocked([HIGH, MID, LOW], markers=[3, 2, 1], options={"free_life": "no"})
    assert markers(m) == [3, 2, -1]
    assert [(event.source, event.rule) for event in told(m, "out")] == [(2, "TO-C2")]
    assert m.results[0].payoff == (0, 0, -1)
    with pytest.raises(PositionError):
        sit([LOW, MID], options={"free_life": "no"}, markers=[0, 3])


@pytest.mark.rules("TO-C3")
@pytest.mark.parametrize(("pack", "missing"), [("40", "89T"), ("32", "23456")])
def test_other_packs(pack: str, missing: str) -> None:
    m = Match(GAME, 9, seed=1, pack=pack)
    cards = m.record().scripted().keys["deals"][0]["pack"].split()
    assert len(cards) == int(pack)
    assert not {card[0] for card in cards} & set(missing)
    assert next(zone.count for zone in m.view().zones if zone.kind == "stock") == int(pack) - 28
    with pytest.raises(PositionError):
        sit([f"{missing[0]}S KH QD", "AS KC QC"], options={"pack": pack})


@pytest.mark.rules("TO-C4")
def test_three_of_a_kind() -> None:
    """More than 30, less than 31; it ends nothing."""
    options = {"three_of_a_kind": "yes"}
    m = knocked(["2S 2H 2D", "AS KS 9S", HIGH], stock="4H 3D", options=options)
    assert counts(m.events) == {1: 30, 2: 25}
    assert [str(event.message) for event in told(m, "threes")] == ["seat 0 counts 30½ with three twos"]
    assert m.results[0].payoff == (0, 0, -1)
    m = sit(["5S 5H 5D", HIGH], turn=0, options=options)
    assert m.actors == (0,)
    assert "counts 30½" in m.view(0).text()
    prompt = m.view(0).prompt
    assert prompt is not None
    assert "30½" in str(prompt.ask)
    m = dealt({0: "5S 5H 5D", 1: "AS KS QS"}, 2, 1, three_of_a_kind="yes")
    assert m.results[0].payoff == (-1, 0)


@pytest.mark.rules("TO-C5")
@pytest.mark.parametrize(("tie", "payoff"), [("equal", (0, 0)), ("by_rank", (-1, 0))])
def test_two_hands_of_three_of_a_kind(tie: str, payoff: tuple[int, int]) -> None:
    """They are level, or the higher rank is better: aces are highest."""
    options = {"three_of_a_kind": "yes", "threes_tie": tie, "knock_tie": "pays_one", "knock_loses": 1}
    assert knocked(["KS KH KD", "AS AH AD"], options=options).results[0].payoff == payoff


@pytest.mark.rules("TO-C6")
@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"blitz_loses": 2}, [3, 4, 4]),
        ({"blitz_penalty": "all_others"}, [3, 4, 3]),
        ({"blitz_penalty": "all_others", "blitz_loses": 2}, [2, 4, 3]),
    ],
)
def test_a_blitz_after_a_knock(options: dict[str, Any], left: list[int]) -> None:
    m = sit([LOW, "AS KS 2D", MID], turn=0, discards="8C", stock="QS 3D", options=options)
    play_on(m, "knock stock 2D")
    assert markers(m) == left
    if left[0] == 2:
        assert [event.rule for event in told(m, "pay") if event.source == 0] == ["TO-C6"]


@pytest.mark.rules("TO-C7")
def test_a_knocker_pays_like_everybody_else() -> None:
    m = knocked([LOW, MID, HIGH], options={"knock_loses": 1})
    assert markers(m) == [3, 4, 4]
    prompt = sit([LOW, MID], turn=0, options={"knock_loses": 1}).view(0).prompt
    assert prompt is not None
    assert "you pay 1 marker" in str(prompt.does[KNOCK])


@pytest.mark.rules("TO-C8")
@pytest.mark.parametrize(("tie", "left"), [("spared", [4, 3, 4]), ("pays_one", [3, 3, 4]), ("pays_two", [2, 3, 4])])
def test_a_knocker_who_is_level_with_the_lowest(tie: str, left: list[int]) -> None:
    m = knocked(["9D 7D 2C", "9S 7S 3C", HIGH], stock="2H 3D", options={"knock_tie": tie})
    assert markers(m) == left
    m = knocked(["9D 7D 2C", "9S 7S 3C"], stock="2H", options={"knock_tie": tie})
    assert markers(m) == ([4, 3] if tie == "spared" else [4, 4]), "nobody loses if all are level"


@pytest.mark.rules("TO-C9")
def test_the_least_count_to_knock_with() -> None:
    options = {"min_knock": 21}
    m = sit([MID, HIGH, LOW], turn=0, options=options)
    assert "knock" not in m.legal(0)
    assert "TO-C9" in refused(m, "knock")
    m = sit([HIGH, MID, LOW], turn=0, options=options)
    m.play("knock")
    rules = Ruleset.parse(GAME, None, 3, options).options.as_dict()
    for world in m.view(1).worlds(40, seed=1):
        assert model.count([card_text(card) for card in cards_in(world.state.hands[0])], rules) >= 21
    with pytest.raises(PositionError):
        sit([MID, HIGH, LOW], turn=1, knocker=0, options=options)


def new_stock(s: Any) -> list[str]:
    """The stock before the last card was drawn from it: the top card first."""
    drawn = s.hands[s.turn] & ~s.known[s.turn]
    last = [card for card in cards_in(drawn) if s.restocked[s.stocks] >> card & 1]
    return [*map(card_text, last[-1:]), *(card_text(s.stock[i]) for i in reversed(range(s.stock_count)))]


def agrees(preset: str, seats: int, seed: int, deals: int, **house: Any) -> None:
    """Random matches are played on the table and on the model, move for move."""
    ruleset = Ruleset.parse(GAME, preset, seats, house)
    rules = ruleset.options.as_dict()
    text = ruleset.game.presentation.move_text
    chance = random.Random(seed)
    moves, out, cards = (np.zeros(n, np.int64) for n in (ruleset.game.rules.MAX_MOVES, contract.MAX_SEATS, 52))
    over = True
    for _ in range(deals):
        if over:
            s = ruleset.state()
            prng.derive(s.rng, prng.key_of(chance.getrandbits(60)), 0, prng.BOT)
            contract.start(s)
            table = model.Table(rules, seats, int(s.dealer))
        pack = model.pack(rules)
        chance.shuffle(pack)
        cards[: len(pack)] = [parse_card(card) for card in pack]
        contract.deal(s, cards)
        table.deal(pack)
        while not table.over:
            assert int(contract.actors(s)) == 1 << table.turn
            n = int(contract.legal(s, table.turn, moves))
            legal = {text(s, int(move)): int(move) for move in moves[:n]}
            assert sorted(legal) == sorted(table.legal())
            move = "knock" if "knock" in legal and chance.random() < 0.1 else chance.choice(sorted(legal))
            empty = move == "stock" and not table.stock
            contract.play(s, table.turn, legal[move])
            table.play(move, new_stock(s) if empty else None)
        assert s.over
        over = bool(contract.standing(s, out))
        assert (list(out[:seats]), over) == (table.markers, table.match_over)


CASES = [(preset, seats) for seats in (4, 9, 2) for preset in catalog.games()[GAME].presets]
HOUSE = {
    "free_life": "no",
    "knock_tie": "pays_two",
    "knock_loses": 1,
    "min_knock": 15,
    "lives": 2,
    "threes_tie": "by_rank",
    "blitz_penalty": "all_others",
    "blitz_loses": 2,
}


@pytest.mark.parametrize(("preset", "seats", "deals"), [(*case, 100) for case in CASES])
def test_a_second_model_agrees(preset: str, seats: int, deals: int) -> None:
    """By the preset, and with what people change in it."""
    agrees(preset, seats, seats, deals)
    agrees(preset, seats, seats, deals, **HOUSE)


@pytest.mark.exhaustive
@pytest.mark.skipif(SLOW, reason="thousands of deals are for compiled rules")
@pytest.mark.parametrize(("preset", "seats"), CASES)
def test_a_second_model_agrees_on_thousands_of_deals(preset: str, seats: int) -> None:
    agrees(preset, seats, 100 + seats, 700)
