"""Scopa's rules a second time, as plainly as possible: cards as text, lists and sets, nothing compiled.

It knows nothing of `cardtable`: the numbers, the order of the cards and the rules come from the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

WORTH = dict(zip("A234567JQK", range(1, 11), strict=True))
PRIME = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}
FIRST_HANDS = {"threes": 3, "nine": 9, "ten": 10}

Play = tuple[str, frozenset[str]]  #: the card from the hand, and what it takes


def total(cards: frozenset[str] | tuple[str, ...] | list[str]) -> int:
    return sum(WORTH[card[0]] for card in cards)


class Deal:
    """One deal, from a pack whose first card is on top."""

    def __init__(self, pack: list[str], seats: int, dealer: int, options: Mapping[str, str], scores: list[int]) -> None:
        self.pack, self.seats, self.options = list(pack), seats, options
        step = 1 if seats == 2 else -1
        self.order = [(dealer + step * (k + 1)) % seats for k in range(seats)]  #: from eldest to the dealer
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.piles: list[list[str]] = [[] for _ in range(2 if seats == 4 else seats)]
        self.sweeps: list[int] = []  #: the sides that swept
        self.scores = list(scores)  #: of the sides
        self.last = -1  #: the side that captured last
        self.played = 0
        self.hand_out()
        self.table = [self.pack.pop(0) for _ in range(0 if options["deal"] == "ten" else 4)]
        if options["capture"] == "fifteen":
            self.first_table(self.side(dealer))

    def first_table(self, side: int) -> None:
        """The dealer takes 15, or twice 15."""
        groups = [self.table] if total(self.table) == 15 else []
        for cards in self.subsets() if total(self.table) == 30 else ():
            if total(cards) == 15:
                groups = [list(cards), [card for card in self.table if card not in cards]]
        if groups:
            self.piles[side] += self.table
            self.table, self.last = [], side
            self.sweeps += [side] * len(groups)

    def side(self, seat: int) -> int:
        return seat % 2 if self.seats == 4 else seat

    def hand_out(self) -> None:
        for _ in range(FIRST_HANDS[self.options["deal"]]):
            for seat in self.order:
                self.hands[seat].append(self.pack.pop(0))

    @property
    def turn(self) -> int:
        return self.order[self.played % self.seats]

    @property
    def over(self) -> bool:
        return not self.pack and not any(self.hands)

    def captures(self, card: str) -> list[frozenset[str]]:
        """What a card can take; if nothing, it is laid down."""
        if self.options["capture"] == "fifteen":
            return [cards for cards in self.subsets() if total(cards) + WORTH[card[0]] == 15]
        if card[0] == "A" and self.options["aces"] != "normal" and self.table and not self.pairs():
            return [frozenset(self.table)]
        alike = [frozenset([other]) for other in self.table if other[0] == card[0]]
        return alike or [cards for cards in self.subsets() if len(cards) > 1 and total(cards) == WORTH[card[0]]]

    def pairs(self) -> bool:
        """Whether an ace takes an ace, although aces take all."""
        return self.options["ace_on_table"] == "pairs" and any(card[0] == "A" for card in self.table)

    def subsets(self) -> Iterator[frozenset[str]]:
        for size in range(1, len(self.table) + 1):
            for cards in combinations(self.table, size):
                yield frozenset(cards)

    def legal(self) -> set[Play]:
        hand = self.hands[self.turn]
        if not self.played and self.options["first_ace"] == "barred" and self.options["aces"] != "normal":
            hand = [card for card in hand if card[0] != "A"]
        return {(card, taken) for card in hand for taken in (self.captures(card) or [frozenset[str]()])}

    def play(self, card: str, taken: frozenset[str]) -> None:
        side = self.side(self.turn)
        self.hands[self.turn].remove(card)
        self.played += 1
        ace = card[0] == "A" and self.options["aces"] != "normal" and not self.pairs()
        if taken:
            self.table = [other for other in self.table if other not in taken]
            self.piles[side] += [card, *taken]
            self.last = side
            if not self.table and not self.over and not (ace and self.options["aces"] == "take_all"):
                self.sweeps.append(side)
        elif ace and not self.table and self.options["ace_on_empty"] == "own_pile":
            self.piles[side].append(card)
            self.last = side
        else:
            self.table.append(card)
        if not any(self.hands) and self.pack:
            self.hand_out()
        if self.over:
            if self.last >= 0:
                self.piles[self.last] += self.table
            self.count()

    def count(self) -> None:
        """The points, one by one, in the order of the page."""
        for side in self.points():
            if self.options["counting"] == "full_deal" or max(self.scores) < int(self.options["target"]):
                self.scores[side] += 1

    def points(self) -> Iterator[int]:
        yield from self.ahead([len(pile) for pile in self.piles])
        yield from self.ahead([len(coins(pile)) for pile in self.piles])
        yield from (side for side, pile in enumerate(self.piles) if "7D" in pile)
        yield from self.ahead([self.prime(pile) for pile in self.piles])
        if self.options["re_bello"] == "on":
            yield from (side for side, pile in enumerate(self.piles) if "KD" in pile)
        if self.options["napola"] != "off":
            for side, pile in enumerate(self.piles):
                yield from [side] * napola(pile)
        yield from self.sweeps

    def ahead(self, numbers: list[int]) -> list[int]:
        """The side with the highest number, unless that is 0 or several have it."""
        best = max(numbers)
        return [numbers.index(best)] if best and numbers.count(best) == 1 else []

    def prime(self, pile: list[str]) -> int:
        if self.options["primiera"] == "sevens":
            return int("".join(str(sum(card[0] == rank for card in pile)) for rank in "76A5432"))
        if self.options["primiera"] == "most_sevens":
            return sum(card[0] == "7" for card in pile)
        best = [max((PRIME[card[0]] for card in pile if card[1] == suit), default=0) for suit in "SHDC"]
        return sum(best) if all(best) else 0

    @property
    def match_over(self) -> bool:
        if self.options["napola"] == "wins_all" and any(len(coins(pile)) == 10 for pile in self.piles):
            return True
        leading = sorted(self.scores)
        return leading[-1] >= int(self.options["target"]) and leading[-1] > leading[-2]


def coins(pile: list[str]) -> list[str]:
    return [card for card in pile if card[1] == "D"]


def napola(pile: list[str]) -> int:
    """How many diamonds from the ace on are in a pile, if at least three."""
    held = [rank + "D" in pile for rank in "A234567JQK"]
    run = held.index(False) if False in held else 10
    return run if run >= 3 else 0
