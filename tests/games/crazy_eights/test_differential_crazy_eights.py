"""Crazy Eights against OpenSpiel's `crazy_eights`, deal by deal in lockstep: software that nobody here wrote.

Both sides are set to the rules that they share (docs/differential.md says what those are and what remains different),
get the same cards, in the deal, from the stock and after each reshuffle, and play the same random moves. Before every
move they must agree on whose turn it is, what is legal, every hand, the upcard, the suit named and the size of the
stock, and at the end on the winner and, by a map, on the points. CARDTABLE_DIFFERENTIAL_DEALS sets the number of deals.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
import pytest

from cardtable.base.cards import RANKS, SUITS, cards_in
from cardtable.games.crazy_eights import rules
from cardtable.games.crazy_eights.state import DRAW, NAMED_8, PASS
from cardtable.kernel import prng
from cardtable.rules import contract
from cardtable.rules.ruleset import Ruleset
from tests.support.games import lockstep
from tests.support.programs import needs, optional

pyspiel = optional("pyspiel")

pytestmark = [pytest.mark.exhaustive, needs("OpenSpiel")]
DEALS = lockstep.deals_to_compare(slow=60)
#: tests that share the deals, so that several processes play them; no divisor of 9: each plays with every number of
#: seats
BATCHES = 8
THEIR_SUITS = "CDHS"
THEIRS = lockstep.codes_of(THEIR_SUITS)
OURS = [THEIRS.index(code) for code in range(52)]
THEIR_DRAW, THEIR_PASS, THEIR_NAME = 52, 53, 54
EIGHT = 7


@lru_cache(maxsize=4096)  # a move changes one hand at most
def hand_texts(low: int, high: int, packs: int) -> tuple[list[str], list[str]]:
    """A hand as OpenSpiel writes it, a row for each of its suits: next to another hand, and at the end of the line."""
    rows = []
    for suit in range(4):
        row = f"Suit {THEIR_SUITS[suit]}: "
        for rank in range(13):
            card = OURS[rank * 4 + suit]
            number = (low >> card & 1) + 2 * (high >> card & 1)
            row += (RANKS[card % 13] * number).ljust(packs)
        rows.append(row)
    return [row.ljust(40) for row in rows], rows


@dataclass
class Tables(lockstep.Tables):
    """One deal on both tables."""

    packs: int

    def legal(self) -> list[int]:
        """Our legal moves in OpenSpiel's codes, ascending; an eight is one move, whichever suit it names."""
        n = contract.legal(self.ours, int(self.ours.turn), self.moves)
        codes = set()
        for move in self.moves[:n].tolist():
            codes.add(
                THEIR_DRAW
                if move == DRAW
                else THEIR_PASS
                if move == PASS
                else THEIRS[move if move < 52 else 13 * ((move - NAMED_8) // 4) + EIGHT]
            )
        return sorted(codes)

    def text(self) -> str:
        """Upcard, suit, stock and hands as OpenSpiel writes its own."""
        s = self.ours
        upcard = THEIRS[int(s.pile[s.pile_size - 1])]
        suit = THEIR_SUITS.index(SUITS[int(s.named) - 1]) if s.named else upcard % 4
        head = (
            f"Last card: {THEIR_SUITS[upcard % 4]}{lockstep.THEIR_RANKS[upcard // 4]}\nLast suit: "
            f"{THEIR_SUITS[suit]}\nNumber of cards left in deck: {int(s.stock_size)}\n"
        )
        names = "".join(f"Player {p}:".ljust(40) for p in range(self.seats)).rstrip()
        hands = [hand_texts(low, high, self.packs) for low, high in self.hands.tolist()]
        rows = zip(*(beside for beside, _ in hands[:-1]), hands[-1][1], strict=True)
        return head + "\n".join([names, *map("".join, rows)]) + "\n"

    def their_legal(self) -> list[int]:
        codes = super().their_legal()
        if THEIR_PASS in codes and len(codes) > 1:  # they may pass though they can lay (docs/differential.md)
            codes.remove(THEIR_PASS)
        return codes

    def compare_tables(self) -> str:
        theirs = str(self.theirs)
        return (
            ""
            if theirs[theirs.rindex("Last card:") :] == self.text()
            else f"table: ours\n{self.text()}\ntheirs\n{theirs}"
        )

    def play(self, action: int, suit: int) -> str:
        """One move, in OpenSpiel's code, on both tables; an eight names `suit` (theirs).

        What differs about a card drawn; "" if nothing.
        """
        s, seat = self.ours, int(self.ours.turn)
        self.theirs.apply_action(action)
        if action == THEIR_DRAW:
            stock = {THEIRS[card] for card in s.stock[: s.stock_size].tolist()}
            if set(self.theirs.legal_actions()) != stock:
                return f"stock: ours {sorted(stock)}, theirs {self.theirs.legal_actions()}"
            drawn = int(s.stock[s.stock_size - 1])
            contract.play(s, seat, DRAW)
            self.theirs.apply_action(THEIRS[drawn])
        elif action == THEIR_PASS:
            contract.play(s, seat, PASS)
        elif OURS[action] % 13 == EIGHT and s.counts[seat] > 1:
            contract.play(s, seat, NAMED_8 + 4 * (OURS[action] // 13) + SUITS.index(THEIR_SUITS[suit]))
            self.theirs.apply_action(THEIR_NAME + suit)
        else:
            contract.play(s, seat, OURS[action])
        if s.stock_size == 0 and s.pile_size > 1:  # theirs is made again as soon as it is used up
            rules.reshuffle(s)
        return ""

    def points(self) -> tuple[int, int]:
        """What our winner scored, and what theirs lost together, with each card counted as here."""
        out = np.zeros(contract.MAX_SEATS)
        contract.payoff(self.ours, out)
        lost = -sum(self.theirs.returns())
        for low, high in self.hands.tolist():
            for card in cards_in(low) + 2 * cards_in(high):
                if card % 13 == 0:  # an ace counts 10 there
                    lost -= 9
                elif card % 13 < 10 and card % 13 != EIGHT:  # and other cards by their code, not by their rank
                    lost -= THEIRS[card] + 2 - (card % 13 + 1)
        return int(out.max()), int(lost)


def open_tables(seats: int, dealer: int, pack: list[int], game: Any) -> Tables:
    """A deal on both tables from one pack, top card first."""
    each = 7 if seats == 2 else 5
    house_rules = {"hand_size": each, "scoring": "points", "turn_cap": "none", "first_dealer": f"seat {dealer}"}
    s = Ruleset.parse("crazy-eights", None, seats, house_rules).state()
    s.seed[:] = prng.key_of(str(pack))
    contract.open_match(s)
    prng.derive(s.rng, s.seed, 1, prng.DEAL)
    s.record_events = 1
    cards = np.zeros(112, np.int64)
    cards[: len(pack)] = pack
    contract.deal(s, cards)
    theirs = game.new_initial_state()
    theirs.apply_action(52 + dealer)
    for card in pack[: each * seats]:
        theirs.apply_action(THEIRS[card])
    turned = [
        (what >> 32) - 1
        for what, _, _ in cast(Any, s.events).tolist()
        if what & 0xFF in (rules.BURIED, rules.TURNED_UP)
    ]
    for card in turned:  # an eight is put back, and another card drawn
        theirs.apply_action(THEIRS[card])
    s.record_events = 0
    return Tables(s, theirs, np.zeros(rules.MAX_MOVES + 1, np.int64), seats, 1 if seats <= 5 else 2)


def deals(numbers: range) -> Iterator[Tables]:
    """Random deals: 2 to 10 seats, one pack or two, every dealer."""
    chance = random.Random(f"crazy-eights {numbers.start}")
    settings = {"max_draw_cards": 1000, "max_turns": 100_000, "reshuffle": True}
    games = {seats: pyspiel.load_game("crazy_eights", {"players": seats, **settings}) for seats in range(2, 11)}
    for i in numbers:
        seats = 2 + i % 9
        pack = [*range(52)] * (1 if seats <= 5 else 2)
        chance.shuffle(pack)
        yield open_tables(seats, chance.randrange(seats), pack, games[seats])


@pytest.mark.rules("CE-03", "CE-05", "CE-06", "CE-07", "CE-08", "CE-09", "CE-11", "CE-13", "CE-Q2", "CE-Q5", "CE-Q6")
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_deals_agree_with_openspiel_at_every_step(batch: int) -> None:
    """No mismatch in turn, legal moves, upcard, suit, stock, hands, winner or points."""
    chance = random.Random(f"moves {batch}")
    numbers = range(batch, DEALS, BATCHES)
    compared = steps = reshuffles = 0
    for tables in deals(numbers):
        willing = chance.choice((0.0, 0.05, 0.15))  # how often one draws who could lay
        while True:
            different = tables.compare()
            assert not different, f"deal {compared + 1}, move {steps}: {different}"
            if tables.ours.over:
                break
            codes = tables.codes
            others = [code for code in codes if code != THEIR_DRAW]
            action = (
                THEIR_DRAW
                if not others or (THEIR_DRAW in codes and chance.random() < willing)
                else chance.choice(others)
            )
            different = tables.play(action, chance.randrange(4))
            assert not different, f"deal {compared + 1}, move {steps}: {different}"
            steps += 1
        ours, theirs = tables.points()
        assert ours == theirs, f"deal {compared + 1}: points ours {ours}, theirs {theirs}"
        assert tables.theirs.returns()[int(tables.ours.winner)] == 0
        compared += 1
        reshuffles += int(tables.ours.pools) > 1
    assert compared == len(numbers)
    assert reshuffles > len(numbers) // 20


def test_a_difference_is_seen() -> None:
    """The comparison can fail: a card in another hand, the turn, the upcard, the suit named, the stock."""
    for field, value in (("hands", 1), ("turn", 0), ("pile", 1), ("named", 1), ("stock_size", 1)):
        tables = next(deals(range(1)))
        assert not tables.compare()
        if field == "hands":
            tables.hands[0, 0] ^= value
        elif field == "pile":
            tables.ours.pile[0] = (tables.ours.pile[0] + 13) % 52
        elif field == "turn":
            tables.ours.turn = 1 - tables.ours.turn
        else:
            setattr(
                tables.ours,
                field,
                (int(getattr(tables.ours, field)) + value)
                if field == "stock_size"
                else 1 + (int(tables.ours.pile[0]) // 13 + 1) % 4,
            )
        assert tables.compare(), field
