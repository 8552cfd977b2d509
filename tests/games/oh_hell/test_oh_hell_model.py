"""Oh Hell! against a second, plain model of its rules (model.py): random deals agree move for move."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cardtable.base.cards import card_text, parse_card
from cardtable.base.errors import OptionError
from cardtable.games.oh_hell import rules
from cardtable.kernel import prng
from cardtable.rules import catalog, contract
from cardtable.rules.ruleset import Ruleset
from tests.games.oh_hell import model
from tests.support.effort import cases

PARTS = 10  #: of the random deals: one in everyday runs
DEALS = 200  #: of a part
GAME = catalog.find("oh-hell")
#: house rules that are drawn for every second deal
DRAWN = tuple(name for name in GAME.options.kinds() if name not in ("max_cards", "first_dealer", "tiebreak"))


def tables(preset: str, dice: random.Random) -> Iterator[tuple[Ruleset, int, int]]:
    """Random tables: the rules, the number of a deal, its dealer."""
    kinds = GAME.options.kinds()
    for k in range(DEALS):
        seats = dice.randint(*GAME.options.seat_range[preset])
        given: dict[str, Any] = {name: dice.choice(kinds[name].values) for name in DRAWN} if k % 2 else {}
        if k % 8 == 1:
            given["max_cards"] = (40 if preset == "pocha" else 52) // seats
        try:
            ruleset = Ruleset.parse(GAME, preset, seats, given)
        except OptionError:
            continue
        s: Any = ruleset.state()
        yield ruleset, dice.randint(1, int(rules.schedule(s))), dice.randrange(seats)


def house_of(ruleset: Ruleset) -> dict[str, str]:
    return {name: str(value) for name, value in ruleset.options.as_dict().items()}


def dealt(ruleset: Ruleset, number: int, dealer: int, pack: list[int]) -> Any:
    """Deal `number` of a match, from a pack whose top card is first."""
    s: Any = ruleset.state()
    s.seed[:] = prng.key_of("model")
    contract.open_match(s)
    s.deal_number, s.dealer = number - 1, dealer if number == 1 else (dealer - s.direction) % ruleset.seats
    cards = np.zeros(112, np.int64)
    cards[: len(pack)] = pack
    contract.deal(s, cards)
    return s


def compare(ruleset: Ruleset, number: int, dealer: int, dice: random.Random) -> int:
    """Play a deal on both tables at random; the number of moves."""
    house = house_of(ruleset)
    pack = [parse_card(card) for card in model.pack(house, ruleset.seats)]
    dice.shuffle(pack)
    s = dealt(ruleset, number, dealer, pack)
    size = model.sizes(house, ruleset.seats, int(s.rules.max_cards))[number - 1]
    plain = model.Deal(house, ruleset.seats, number, size, dealer, [card_text(card) for card in pack])
    room, out = np.zeros(rules.MAX_MOVES + 1, np.int64), np.zeros(contract.MAX_SEATS)
    words = GAME.presentation
    moves = 0
    while (seat := plain.turn()) is not None:
        assert contract.actors(s) == 1 << seat
        n = int(contract.legal(s, seat, room))
        legal = {words.move_text(s, int(move)): int(move) for move in room[:n]}
        assert legal.keys() == plain.legal(seat)
        text = dice.choice(sorted(legal))
        plain.play(seat, text)
        contract.play(s, seat, legal[text])
        assert [int(s.tricks[p]) for p in range(ruleset.seats)] == [plain.tricks[p] for p in range(ruleset.seats)]
        moves += 1
    assert contract.actors(s) == 0
    contract.payoff(s, out)
    assert [int(x) for x in out[: ruleset.seats]] == plain.points()
    return moves


@pytest.mark.rules("OH-C1", "OH-C9", "OH-C12", "OH-08", "OH-11", "OH-12", "OH-14", "OH-15")
@pytest.mark.parametrize("part", cases(range(PARTS)))
@pytest.mark.parametrize("preset", GAME.presets)
def test_random_deals_agree_with_the_model(preset: str, part: int) -> None:
    """2,000 deals of each preset: half by its own rules, half with house rules drawn at random."""
    dice = random.Random(f"{preset} {part}")
    played = [compare(*table, dice) for table in tables(preset, dice)]
    assert len(played) > DEALS // 2
    assert sum(played) > 10 * DEALS


@pytest.mark.rules("OH-16", "OH-C9", "OH-C10", "OH-C11")
@pytest.mark.parametrize("preset", GAME.presets)
def test_plans_agree_with_the_model(preset: str) -> None:
    """Every plan, number of seats and largest deal: the number of deals, and the cards of each."""
    low, high = GAME.options.seat_range[preset]
    for seats in range(low, high + 1):
        for most in (2, 3, 5, None):
            for plan in GAME.options.kinds()["plan"].values:
                for ends in ("no", "yes"):
                    given = {"plan": plan, "ends_each": ends} | ({"max_cards": most} if most else {})
                    ruleset = Ruleset.parse(GAME, preset, seats, given)
                    s: Any = ruleset.state()
                    wanted = model.sizes(house_of(ruleset), seats, int(s.rules.max_cards))
                    assert [int(rules.cards_in_deal(s, k + 1)) for k in range(len(wanted))] == wanted
                    assert int(rules.schedule(s)) == len(wanted)
                    assert int(rules.cards_in_deal(s, len(wanted) + 1)) == 1
