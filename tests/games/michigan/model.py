"""A second model of Michigan's rules in strict play, as plain as possible, without the kernel: one deal, no spins."""

from __future__ import annotations

from collections import Counter
from itertools import product

ORDER = "23456789TJQKA"
RED = "HD"


def rank(card: str) -> int:
    return ORDER.index(card[0])


class Deal:
    """The first deal of a match; moves are written as in Cardtable."""

    def __init__(self, pack: list[str], seats: int, dealer: int, options: dict[str, str], stack: int) -> None:
        self.n, self.dealer, self.options, self.pack = seats, dealer, options, pack
        self.money = options["money"].split()
        self.stacks = [stack] * seats
        self.on: Counter[str] = Counter()
        self.hands: list[set[str]] = [set() for _ in range(seats)]
        self.dead: set[str] = set()
        self.laid: list[str] = []
        self.cur = ""
        self.turn = self.last = (dealer + 1) % seats
        self.barred = ""
        self.passes = 0
        self.phase = "stake"
        if options["stake"] != "free4":
            for p in self.round():
                each = 1 if p != dealer else int(options["dealer_stake"])
                chips = dict.fromkeys(self.money, each)
                if options["stake"] == "dealer_dress":
                    chips = {word[:2]: int(word[2:]) for word in options["dress"].split()} if p == dealer else {}
                self.stake(p, chips)
            self.deal()

    def round(self) -> list[int]:
        """The seats from eldest to dealer."""
        return [(self.dealer + i) % self.n for i in range(1, self.n + 1)]

    def stake(self, p: int, chips: dict[str, int]) -> None:
        for name, on in (("sequence", "sequence_stake"), ("jackpot", "jackpot")):
            chips = {**chips, name: int(self.options[on] == "on")}
        for name, n in {**chips, "kitty": int(self.options["kitty"])}.items():
            self.on[name] += n
            self.stacks[p] -= n

    def take(self, p: int, name: str) -> None:
        self.stacks[p] += self.on.pop(name, 0)

    def deal(self) -> None:
        places: list[set[str]] = [self.hands[p] for p in self.round()]
        if self.options["deal"] == "extra_hand":
            places.insert(0, self.dead)
            for i, card in enumerate(self.pack):
                places[i % len(places)].add(card)
        else:
            size = 49 // self.n
            for i, card in enumerate(self.pack):
                (places[i % self.n] if i < size * self.n else self.dead).add(card)
        self.phase, self.turn = "widow", self.dealer
        if self.options["widow"] == "dead":
            self.begin()

    def begin(self) -> None:
        self.phase = "lead"
        self.turn = self.last = (self.dealer + 1) % self.n
        self.first = ""
        held = [card for hand in self.hands for card in hand if card[1] == "D"]
        if self.options["first_lead"] == "low_diamond" and held:
            self.first = min(held, key=rank)
            self.turn = self.last = next(p for p in range(self.n) if self.first in self.hands[p])

    def exchange(self, p: int) -> None:
        self.hands[p], self.dead = self.dead, self.hands[p]
        self.begin()

    @property
    def next(self) -> str:
        return "" if self.cur[0] == "A" else ORDER[rank(self.cur) + 1] + self.cur[1]

    def leads(self, p: int) -> set[str]:
        suits = [[card for card in self.hands[p] if card[1] == suit] for suit in "SHDC" if suit not in self.barred]
        return {min(cards, key=rank) for cards in suits if cards}

    def legal(self) -> set[str]:
        hand = self.hands[self.turn]
        if self.phase == "stake":
            ways = [way for way in product(range(5), repeat=len(self.money)) if sum(way) == 4]
            return {
                "stake " + " ".join(f"{card}{n}" for card, n in zip(self.money, way, strict=True) if n) for way in ways
            }
        if self.phase == "widow":
            return {"exchange", "keep"}
        if self.phase == "auction":
            most = min(self.high + 100, self.stacks[self.turn])
            return {"pass", *(f"bid {n}" for n in range(self.high + 1, most + 1))}
        if self.phase == "follow":
            return {self.next}
        if self.first:
            return {self.first}
        if leads := self.leads(self.turn):
            return leads
        if self.passes < self.n:
            return {"pass"}
        return {card for card in hand if rank(card) == min(map(rank, hand))}

    def play(self, move: str) -> None:
        p, self.turn = self.turn, (self.turn + 1) % self.n
        if self.phase == "stake":
            self.stake(p, {word[:2]: int(word[2:]) for word in move.split()[1:]})
            if p == self.dealer:
                self.deal()
        elif self.phase == "widow":
            if move == "exchange":
                self.exchange(p)
            elif self.options["auction"] == "english":
                self.phase, self.high, self.bidder = "auction", 0, -1
                self.bidders = [q for q in self.round() if q != p]
            else:
                self.begin()
        elif self.phase == "auction":
            self.bid(p, move)
        elif move == "pass":
            self.passes += 1
        else:
            self.lay(p, move)

    def bid(self, p: int, move: str) -> None:
        if move == "pass":
            self.bidders.remove(p)
        else:
            self.high, self.bidder = int(move.split()[1]), p
        if not self.bidders:
            self.begin()
        elif self.bidders == [self.bidder]:
            self.stacks[self.bidder] -= self.high
            self.stacks[self.dealer] += self.high
            self.exchange(self.bidder)
        else:
            while self.turn not in self.bidders:
                self.turn = (self.turn + 1) % self.n

    def lay(self, p: int, card: str) -> None:
        twice = self.phase == "follow" and self.last == p
        self.hands[p].remove(card)
        self.laid.append(card)
        if card in self.money:
            self.take(p, card)
        if twice and card in ("TH", "JH"):
            self.take(p, "sequence")
        self.cur, self.last, self.first, self.passes = card, p, "", 0
        if not self.hands[p]:
            self.end(p)
            return
        holders = [q for q in range(self.n) if self.next and self.next in self.hands[q]]
        if holders:
            self.phase, (self.turn,) = "follow", holders
        else:
            self.phase, self.turn, self.barred = "lead", p, card[1]
            if self.options["next_suit"] == "other_color":
                self.barred = RED if card[1] in RED else "SC"

    def end(self, winner: int) -> None:
        self.phase = "over"
        for p in self.round():
            self.stacks[p] -= len(self.hands[p])
            self.stacks[winner] += len(self.hands[p])
        self.take(winner, "kitty")
        if self.options["double_if_caught"] == "yes":
            for p in self.round():
                for card in self.money:
                    if card in self.hands[p]:
                        self.stacks[p] -= self.on[card]
                        self.on[card] *= 2
