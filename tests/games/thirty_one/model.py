"""Thirty-One a second time, as plainly as possible: cards are texts, hands are lists, without the kernel.

It knows the rules of all presets, and what people change in them (TO-C1 to TO-C9).
"""

from __future__ import annotations

from typing import Any

POINTS = {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10}
HIGH_TO_LOW = "AKQJT98765432"
PACKS = {"52": "A23456789TJQK", "40": "A234567JQK", "32": "A789TJQK"}


def points(card: str) -> int:
    return POINTS.get(card[0]) or int(card[0])


def pack(rules: dict[str, Any]) -> list[str]:
    return [rank + suit for suit in "SHDC" for rank in PACKS[rules["pack"]]]


def count(hand: list[str], rules: dict[str, Any]) -> float:
    """What three cards count; 30.5 for three of a kind."""
    ranks, suits = [card[0] for card in hand], [card[1] for card in hand]
    if rules["three_of_a_kind"] == "yes" and len(set(ranks)) == 1:
        return 30.5
    sums = {suit: sum(points(card) for card in hand if card[1] == suit) for suit in suits}
    of_two = [sums[suit] for suit in sums if suits.count(suit) > 1]
    return max(of_two if of_two and rules["odd_card"] == "pair" else sums.values())


def is_31(hand: list[str]) -> bool:
    return len({card[1] for card in hand}) == 1 and sum(map(points, hand)) == 31


class Table:
    """One table: a match of several deals."""

    def __init__(self, rules: dict[str, Any], seats: int, dealer: int) -> None:
        self.rules, self.seats, self.dealer = rules, seats, dealer
        self.markers = [int(rules["lives"])] * seats
        self.alive = set(range(seats))
        self.level = 0

    def left(self, seat: int) -> int:
        """The next player still in, to the left."""
        while True:
            seat = (seat + 1) % self.seats
            if seat in self.alive:
                return seat

    def deal(self, cards: list[str]) -> None:
        """Deal from a pack whose top card is the first."""
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        row, seat = list(cards), self.dealer
        for _ in range(3 * len(self.alive)):
            seat = self.left(seat)
            self.hands[seat].append(row.pop(0))
        self.pile, self.stock = [row.pop(0)], row
        self.turn, self.knocker, self.drawn, self.over = self.left(self.dealer), -1, "", False
        self.players = len(self.alive)
        self.turns = self.new_stocks = self.takes = 0
        self.showing = False
        seat = self.dealer
        for _ in range(self.players):
            seat = self.left(seat)
            if not self.showing and is_31(self.hands[seat]):
                self.showing, self.turn = True, seat

    def legal(self) -> list[str]:
        if self.showing:
            return ["blitz"]
        hand = self.hands[self.turn]
        if self.drawn:
            return [card for card in hand if card != self.drawn]
        moves = ["stock"]
        if self.takes < 100:
            moves.append("upcard")
        early = self.rules["first_round_knock"] == "forbidden" and self.turns < self.players
        if self.knocker < 0 and not early and count(hand, self.rules) >= int(self.rules["min_knock"]):
            moves.append("knock")
        return moves

    def play(self, move: str, new_stock: list[str] | None = None) -> None:
        """Play a legal move. new_stock: the discards as they lie once they are shuffled, the top card first."""
        seat, hand = self.turn, self.hands[self.turn]
        if move == "blitz":
            self.end("blitz")
        elif move == "knock":
            self.knocker = seat
            self.next()
        elif move == "upcard":
            self.drawn = self.pile.pop()
            hand.append(self.drawn)
            self.takes += 1
        elif move == "stock":
            if not self.stock and self.new_stocks == 3:
                self.end("stock")
                return
            if not self.stock:
                assert new_stock is not None
                assert sorted(new_stock) == sorted(self.pile[:-1])
                self.stock, self.pile = list(new_stock), self.pile[-1:]
                self.new_stocks += 1
            hand.append(self.stock.pop(0))
            self.drawn = "unseen"
        else:
            hand.remove(move)
            self.pile.append(move)
            self.drawn = ""
            if is_31(hand):
                self.turns += 1
                self.showing = True
            else:
                self.next()

    def next(self) -> None:
        self.turns += 1
        self.turn = self.left(self.turn)
        if self.turn == self.knocker:
            self.end("knock")

    def end(self, how: str) -> None:
        """Show the hands, and let the losers pay."""
        rules, worth = self.rules, {}
        for seat in self.alive:
            worth[seat] = count(self.hands[seat], rules)
            if worth[seat] == 30.5 and rules["threes_tie"] == "by_rank":
                worth[seat] += (13 - HIGH_TO_LOW.index(self.hands[seat][0][0])) / 100
        lowest = [seat for seat in self.alive if worth[seat] == min(worth.values())]
        if how == "blitz" and rules["blitz_penalty"] == "all_others":
            losers = [seat for seat in self.alive if worth[seat] < 31]
        elif how == "knock" and len(lowest) > 1 and self.knocker in lowest and rules["knock_tie"] == "spared":
            losers = [seat for seat in lowest if seat != self.knocker]
        else:
            losers = [] if len(lowest) == len(self.alive) else lowest
        self.level = 0 if losers else self.level + 1
        for seat in losers:
            owes = 1
            if seat == self.knocker and how == "knock":
                tie = {"spared": 1, "pays_one": 1, "pays_two": 2}[rules["knock_tie"]]
                owes = int(rules["knock_loses"]) if len(losers) == 1 else tie
            elif seat == self.knocker and how == "blitz" and rules["blitz_penalty"] == "all_others":
                owes = int(rules["blitz_loses"])
            if self.markers[seat] == 0:
                self.alive.remove(seat)
                continue
            self.markers[seat] -= min(owes, self.markers[seat])
            if self.markers[seat] == 0 and rules["free_life"] == "no":
                self.alive.remove(seat)
        self.over = True
        self.match_over = len(self.alive) == 1 or self.level == 20
        if not self.match_over:
            self.dealer = self.left(self.dealer)
