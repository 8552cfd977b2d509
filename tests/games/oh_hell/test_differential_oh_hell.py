"""Oh Hell! against OpenSpiel's `oh_hell`, deal by deal in lockstep: software that nobody here wrote.

Both sides are set to the rules that they share (docs/differential.md says what those are and what remains different),
get the same cards, and play the same random moves. After every move they must agree on whose turn it is, what is legal,
every hand, trump, bids and tricks won, and at the end on the scores. CARDTABLE_DIFFERENTIAL_DEALS sets the number of
deals.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from cardtable.base.cards import RANKS, SUITS, set_of
from cardtable.games.oh_hell import rules
from cardtable.kernel import prng
from cardtable.rules import contract
from cardtable.rules.ruleset import Ruleset
from tests.support.games import lockstep
from tests.support.programs import needs, optional

pyspiel = optional("pyspiel")

pytestmark = [pytest.mark.exhaustive, needs("OpenSpiel")]
DEALS = lockstep.deals_to_compare(slow=100)
BATCHES = 4
THEIR_SUITS = "CDSH"
THEIRS = lockstep.codes_of(THEIR_SUITS)
OURS = [THEIRS.index(code) for code in range(52)]
#: For each of OpenSpiel's suits our cards of it, highest first: the order in which its text writes a hand.
SUIT_ROWS = [[OURS[rank * 4 + suit] for rank in range(12, -1, -1)] for suit in range(4)]

SUIT_MASKS = [set_of(row) for row in SUIT_ROWS]
COUNTS = re.compile(r"Bids: +(.*?) *\nTricks Won: +(.*?) *\n(?s:.*)")


@cache
def suit_text(suit: int, cards: int) -> str:
    """The cards of one of OpenSpiel's suits, as it writes them."""
    return f"    {THEIR_SUITS[suit]}: " + "".join(RANKS[card % 13] for card in SUIT_ROWS[suit] if cards >> card & 1)


def hand_text(hand: int) -> str:
    """A hand of ours, as OpenSpiel writes it."""
    return "\n".join(suit_text(suit, hand & SUIT_MASKS[suit]) for suit in range(4))


@dataclass
class Tables(lockstep.Tables):
    """One deal on both tables."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.bids, self.tricks = self.ours.bids[: self.seats], self.ours.tricks[: self.seats]  # views, like the hands

    def legal(self) -> list[int]:
        n = contract.legal(self.ours, int(self.ours.turn), self.moves)
        return sorted(52 + int(move) - rules.BID if move >= rules.BID else THEIRS[int(move)] for move in self.moves[:n])

    def hands_text(self) -> str:
        """Our hands and trump as OpenSpiel writes its own."""
        hands = [f"Player: {p}\n{hand_text(hand)}\n" for p, hand in enumerate(self.hands.tolist())]
        upcard = int(self.ours.upcard)
        return "\n".join([*hands, f"Trump: {SUITS[upcard // 13]}{RANKS[upcard % 13]}"])

    def counts_text(self) -> str:
        """Our bids and tricks won, likewise."""
        bids, won = (" ".join(map(str, row.tolist())) for row in (self.bids, self.tricks))
        return f"{bids} / {won}"

    def compare_tables(self) -> str:
        text = str(self.theirs)
        if self.theirs.is_terminal():  # no hands are written then: all cards are played
            if self.ours.counts.any() or self.hands.any():
                return "hands: theirs are empty"
        elif self.hands_text() not in text:
            return f"hands: ours\n{self.hands_text()}\ntheirs\n{text}"
        counts = COUNTS.sub(r"\1 / \2", text[text.rindex("Bids:") :])
        return "" if counts == self.counts_text() else f"bids and tricks: ours {self.counts_text()}, theirs {counts}"

    def play(self, action: int) -> None:
        """One move, in OpenSpiel's code, on both tables."""
        contract.play(self.ours, int(self.ours.turn), rules.BID + action - 52 if action >= 52 else OURS[action])
        self.theirs.apply_action(action)

    def scores(self) -> tuple[list[int], list[int]]:
        """Our scores, and theirs by the map: 10 less for an exact bid above zero (OH-14)."""
        out = np.zeros(contract.MAX_SEATS)
        contract.payoff(self.ours, out)
        n = self.seats
        exact = [self.bids[p] == self.tricks[p] and self.bids[p] > 0 for p in range(n)]
        theirs = [int(score) - 10 * int(exact[p]) for p, score in enumerate(self.theirs.returns())]
        return [int(x) for x in out[:n]], theirs


def open_tables(seats: int, number: int, dealer: int, pack: list[int], game: Any) -> Tables:
    """Deal `number` of the schedule on both tables from one pack, top card first."""
    s = Ruleset.parse("oh-hell", None, seats, {"dealer_rule": "not_equal"}).state()
    s.seed[:] = prng.key_of(1)
    contract.open_match(s)
    s.deal_number, s.dealer = number - 1, (dealer - 1) % seats if number > 1 else dealer
    cards = np.zeros(112, np.int64)
    cards[:52] = pack
    contract.deal(s, cards)
    theirs = game.new_initial_state()
    each = int(s.each)
    theirs.apply_action(each)
    theirs.apply_action(dealer)
    for k in range(each * seats):  # OpenSpiel deals from seat 0 under any dealer
        theirs.apply_action(THEIRS[pack[k // seats * seats + (k % seats - dealer - 1) % seats]])
    theirs.apply_action(THEIRS[pack[each * seats]])
    return Tables(s, theirs, np.zeros(rules.MAX_MOVES + 1, np.int64), seats)


def deals(numbers: Sequence[int]) -> Iterator[Tables]:
    """Random deals with these numbers: 3 to 7 seats, every size of the schedule, every dealer."""
    chance = random.Random(f"oh-hell {numbers[0]}")
    games = {
        seats: pyspiel.load_game("oh_hell", {"players": seats, "off_bid_penalty": True, "points_per_trick": 10})
        for seats in range(3, 8)
    }
    plain: dict[int, Any] = {seats: Ruleset.parse("oh-hell", None, seats).state() for seats in games}
    for i in numbers:
        seats = 3 + i % 5
        pack = list(range(52))
        chance.shuffle(pack)
        yield open_tables(
            seats, chance.randint(1, int(rules.schedule(plain[seats]))), chance.randrange(seats), pack, games[seats]
        )


@pytest.mark.rules("OH-05", "OH-06", "OH-07", "OH-10", "OH-11", "OH-12", "OH-14", "OH-15", "OH-Q1", "OH-Q4")
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_deals_agree_with_openspiel_at_every_step(batch: int) -> None:
    """No mismatch in legal moves, turn, hands, trump, bids, tricks or scores."""
    chance = random.Random(f"moves {batch}")
    numbers = range(batch, DEALS, BATCHES)
    compared = steps = 0
    for tables in deals(numbers):
        while True:
            different = tables.compare()
            assert not different, f"deal {compared + 1}, move {steps}: {different}"
            if tables.ours.over:
                break
            tables.play(chance.choice(tables.theirs.legal_actions()))
            steps += 1
        ours, theirs = tables.scores()
        assert ours == theirs, f"deal {compared + 1}: scores ours {ours}, theirs {theirs}"
        compared += 1
    assert compared == len(numbers)


def test_a_difference_is_seen() -> None:
    """The comparison can fail: a card in another hand, a trick or a bid too many, a turn, a move."""
    for field, value in (("hands", 1), ("tricks", 1), ("bids", 3), ("turn", 0), ("upcard", 0)):
        tables = next(deals([0]))
        assert not tables.compare()
        if field in ("turn", "upcard"):
            setattr(tables.ours, field, (getattr(tables.ours, field) + 1) % tables.ours.seats)
        else:
            getattr(tables.ours, field)[0] ^= value
        assert tables.compare(), field
