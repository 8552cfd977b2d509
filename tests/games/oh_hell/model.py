"""Oh Hell! a second time, as plainly as possible: lists of cards as text, no kernel, nothing of the package.

It plays one deal. It is written from the rulebook page, to be compared with the rules move for move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

HIGH_TO_LOW = {"52": "AKQJT98765432", "40": "A3KQJ76542"}

House = Mapping[str, str]


def pack(house: House, seats: int) -> list[str]:
    """The cards of the pack (OH-04, OH-C19)."""
    ranks = HIGH_TO_LOW[house["pack"]]
    if house["pack"] == "40" and seats == 3:
        ranks = ranks.replace("2", "")
    return [rank + suit for rank in ranks for suit in "SHDC"]


def sizes(house: House, seats: int, most: int) -> list[int]:
    """The number of cards of each deal of a match (OH-16, OH-C9, OH-C11)."""
    often = seats if house["ends_each"] == "yes" else 1
    rising = list(range(2, most))
    ones, largest, falling = [1] * often, [most] * often, rising[::-1]
    return {
        "down_up": largest + falling + ones + rising + largest,
        "up_down": ones + rising + largest + falling + ones,
        "down": largest + falling + ones,
        "up": ones + rising + largest,
    }[house["plan"]]


def score(house: House, bid: int, tricks: int, cards: int) -> int:
    """The points for a bid (OH-14, OH-15, OH-C1 to OH-C8)."""
    bonus, off = int(house["bonus_points"]), abs(bid - tricks)
    exact, missed = {
        "tens": (10 * bid if bid else 10, -10 * off),
        "bonus": (bonus + tricks, 0),
        "tricks": (bonus + tricks, tricks),
        "bonus_minus": (bonus + bid, -off),
        "wizard": (20 + 10 * tricks, -10 * off),
        "pocha": (10 + 5 * tricks, -5 * off),
        "squares": (10 + bid**2, -(off**2)),
    }[house["scoring"]]
    if bid == 0:
        exact = {"as_scored": exact, "five": 5, "five_and_cards": 5 + cards}[house["zero"]]
    return exact if bid == tricks else missed


def trump(house: House, number: int, pack: Sequence[str], dealt: int) -> str:
    """The trump suit of a deal; "": there is none (OH-06, OH-C13 to OH-C16)."""
    if house["trump"] == "spades":
        return "S"
    if house["trump"] == "rotate":
        return ["C", "D", "H", "S", ""][(number - 1) % 5]
    if dealt < len(pack):
        return pack[dealt][1]
    return pack[-1][1] if house["top_trump"] == "dealers_last" else ""


class Deal:
    """One deal: the cards in order, the top one first; the seats from the dealer's left, so that the dealer is last."""

    def __init__(self, house: House, seats: int, number: int, cards: int, dealer: int, pack: Sequence[str]) -> None:
        self.house, self.cards, self.dealer = house, cards, dealer
        step = {"clockwise": 1, "counter_clockwise": -1}[house["direction"]]
        self.order = [(dealer + step * (1 + k)) % seats for k in range(seats)]
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.order}
        for k in range(cards * seats):
            self.hands[self.order[k % seats]].append(pack[k])
        self.trump = trump(house, number, pack, cards * seats)
        self.bids: dict[int, int] = {}
        self.tricks = dict.fromkeys(self.order, 0)
        self.trick: list[tuple[int, str]] = []
        self.leader = self.order[0]

    def turn(self) -> int | None:
        """Whose turn it is; None: the deal is over."""
        if len(self.bids) < len(self.order):
            return self.order[len(self.bids)]
        if not any(self.hands.values()):
            return None
        return self.order[(self.order.index(self.leader) + len(self.trick)) % len(self.order)]

    def legal(self, seat: int) -> set[str]:
        """The moves of the seat whose turn it is."""
        if len(self.bids) < len(self.order):
            return {f"bid {bid}" for bid in self.bids_for(seat)}
        hand = self.hands[seat]
        if not self.trick:
            return set(hand)
        led = self.trick[0][1][1]
        following = [card for card in hand if card[1] == led]
        trumps = [card for card in hand if card[1] == self.trump]
        wins = [card for card in hand if self.would_win(seat, card)]
        if self.house["must"] == "follow":
            return set(following or hand)
        if self.house["must"] == "trump":
            return set(following or trumps or hand)
        trumped = led != self.trump and any(card[1] == self.trump for _, card in self.trick)
        if following:
            higher = [card for card in following if card in wins]
            return set(following if trumped else higher or following)
        return set([card for card in trumps if card in wins] or hand)

    def would_win(self, seat: int, card: str) -> bool:
        """Whether a card would be winning the trick if it were played now."""
        self.trick.append((seat, card))
        wins = self.winner() == seat
        self.trick.pop()
        return wins

    def bids_for(self, seat: int) -> list[int]:
        """The bids of a seat (OH-07, OH-08, OH-Q3)."""
        every, others = list(range(self.cards + 1)), sum(self.bids.values())
        if seat == self.dealer and self.house["dealer_rule"] == "not_equal":
            return [bid for bid in every if bid + others != self.cards]
        if seat == self.dealer and self.house["dealer_rule"] == "exceed":
            return [bid for bid in every if bid + others > self.cards] or [self.cards + 1]
        return every

    def play(self, seat: int, move: str) -> None:
        """A move of the seat whose turn it is."""
        if move.startswith("bid"):
            self.bids[seat] = int(move.split()[1])
            return
        self.hands[seat].remove(move)
        self.trick.append((seat, move))
        if len(self.trick) == len(self.order):
            self.leader = self.winner()
            self.tricks[self.leader] += 1
            self.trick = []

    def winner(self) -> int:
        """Who wins the trick (OH-12)."""
        trumps = [played for played in self.trick if played[1][1] == self.trump]
        led = [played for played in self.trick if played[1][1] == self.trick[0][1][1]]
        return min(trumps or led, key=lambda played: HIGH_TO_LOW[self.house["pack"]].index(played[1][0]))[0]

    def points(self) -> list[int]:
        """What each seat has scored."""
        return [score(self.house, self.bids[p], self.tricks[p], self.cards) for p in range(len(self.order))]
