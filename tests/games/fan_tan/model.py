"""Fan Tan's rules a second time, as plainly as possible: cards as text, lists and sets, nothing compiled.

It knows nothing of `cardtable`: the order of the cards and the rules come from the page. Play is strict, and a stack
may fall below 0.
"""

from __future__ import annotations

from collections.abc import Mapping

RANKS = "A23456789TJQK"
SEVENS = ("7S", "7H", "7D", "7C")


def pack() -> list[str]:
    return [rank + suit for suit in "SHDC" for rank in RANKS]


class Deal:
    """One deal, from a pack whose first card is on top."""

    def __init__(self, cards: list[str], seats: int, dealer: int, options: Mapping[str, object]) -> None:
        self.options = {name: str(value) for name, value in options.items()}
        self.seats, self.dealer = seats, dealer
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        for k, card in enumerate(cards):
            self.hands[(dealer + 1 + k) % seats].append(card)
        self.table: set[str] = set()  #: the rows
        self.group = ""  #: of a turn of several cards: "7", a suit, or nothing at its beginning
        self.over, self.winner = False, -1
        limit = self.options["passes"]
        self.limit = {"forced": 0, "unlimited": 10**9}[limit] if limit.isalpha() else int(limit)  #: of free passes
        self.passed = [0] * seats
        self.in_a_row = 0  #: passes
        self.laid_out: list[list[str]] = [[] for _ in range(seats)]  #: the cards of seats that have lost
        self.won = [0] * seats  #: chips
        self.pot = 0
        self.ante()
        self.turn = (dealer + 1) % seats
        if self.options["open_card"] != "any":
            self.turn = next(seat for seat in range(seats) if self.options["open_card"] in self.hands[seat])

    def pay(self, seat: int, chips: int) -> None:
        """To the pot."""
        self.won[seat] -= chips
        self.pot += chips

    def ante(self) -> None:
        sizes = [len(hand) for hand in self.hands]
        extra = {"flat": 0, "fewer_extra": min(sizes), "more_extra": max(sizes)}[self.options["ante_rule"]]
        for seat, ante in enumerate([int(self.options["ante"])] * self.seats):
            unequal = len(set(sizes)) > 1 and sizes[seat] == extra
            self.pay(seat, ante + unequal if ante else 0)

    def fits(self) -> set[str]:
        """The cards that may come next, in any hand."""
        if not self.table:
            return set(SEVENS) if self.options["open_card"] == "any" else {self.options["open_card"]}
        fitting = set()
        for suit in "SHDC":
            if "7" + suit not in self.table:
                fitting.add("7" + suit)
                continue
            for side in (RANKS[7:], RANKS[5::-1]):
                missing = [rank + suit for rank in side if rank + suit not in self.table]
                fitting.update(missing[:1])
        return fitting

    def follows(self, card: str) -> bool:
        """Whether a card belongs to this turn of several cards."""
        if self.options["plays_per_turn"] == "any":
            return True
        return card[0] == "7" if self.group == "7" else card[0] != "7" and card[1] == self.group

    def legal(self) -> set[str]:
        able = self.fits() & set(self.hands[self.turn])
        if self.group:
            return {card for card in able if self.follows(card)} | {"done"}
        return able | {"pass"} if not able or self.may_pass() else able

    def may_pass(self) -> bool:
        """Whether the seat whose turn it is may pass though a card fits."""
        if not self.table and self.options["open_card"] != "any":
            return False
        if self.options["passes"] == "unlimited":
            return self.in_a_row < self.seats
        return self.passed[self.turn] < self.limit

    def play(self, move: str) -> None:
        if move == "done":
            self.to_the_left()
        elif move == "pass" and self.limit and self.passed[self.turn] >= self.limit:
            self.lose()
        elif move == "pass":
            self.pay(self.turn, int(self.options["pass_chip"]))
            self.passed[self.turn] += 1
            self.in_a_row += 1
            if not self.table and self.in_a_row == self.seats and self.options["dead_hand"] == "yes":
                self.dead()
            else:
                self.to_the_left()
        else:
            self.lay(move)

    def lay(self, card: str) -> None:
        hand = self.hands[self.turn]
        hand.remove(card)
        self.table.add(card)
        self.in_a_row = 0
        if not hand:
            self.settle(self.turn)
            return
        if self.options["plays_per_turn"] != "one":
            self.group = self.group or ("7" if card[0] == "7" else card[1])
            if any(self.follows(other) for other in self.fits() & set(hand)):
                return
        self.to_the_left()

    def lose(self) -> None:
        """No pass is left, and no card fits: the hand is laid out in its places."""
        self.laid_out[self.turn], self.hands[self.turn] = self.hands[self.turn], []
        self.table.update(self.laid_out[self.turn])
        if self.laid_out.count([]) == 1:
            self.settle(self.laid_out.index([]))
        else:
            self.to_the_left()

    def dead(self) -> None:
        """Nobody opened: a chip each, and the pot stays."""
        self.over = True
        for seat in range(self.seats):
            self.pay(seat, 1)

    def to_the_left(self) -> None:
        self.group = ""
        self.turn = (self.turn + 1) % self.seats
        while self.laid_out[self.turn]:
            self.turn = (self.turn + 1) % self.seats

    def settle(self, winner: int) -> None:
        self.over, self.winner = True, winner
        for seat in range(self.seats):
            if seat != winner:
                self.pay(seat, len(self.hands[seat]) + len(self.laid_out[seat]))
        self.won[winner] += self.pot
        self.pot = 0
