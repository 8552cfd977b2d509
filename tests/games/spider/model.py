"""A second model of Spider's rules, as plain as possible, without the kernel."""

from __future__ import annotations

RANKS = "A23456789TJQK"
#: what a player does: a number of cards of a column to another one (columns from 0), or None: a deal
Step = tuple[int, int, int] | None


def follows(card: str, on: str) -> bool:
    """Whether a card is one rank below another one."""
    return RANKS.index(card[0]) + 1 == RANKS.index(on[0])


class Table:
    """A game: in each column first the cards face down, then those face up, each from the bottom to the end."""

    def __init__(self, pack: list[str], options: dict[str, str]) -> None:
        self.options = options
        self.down: list[list[str]] = [[] for _ in range(10)]
        self.up: list[list[str]] = [[] for _ in range(10)]
        pack = pack[:]
        for row in range(6):
            for c in range(10):
                if row == 4 and c >= 4:
                    continue
                face_up = row == 5 or options["face_down"] == "no"
                (self.up if face_up else self.down)[c].append(pack.pop(0))
        self.stock = pack
        self.runs: list[str] = []  #: suits
        self.moves = self.score = 0
        if options["scoring"] == "points":
            self.score = 500

    def run(self, c: int) -> int:
        """How many cards at the end of a column move together."""
        cards = self.up[c]
        n = min(1, len(cards))
        while n and n < len(cards) and cards[-n - 1][1] == cards[-n][1] and follows(cards[-n], cards[-n - 1]):
            n += 1
        return n

    def legal(self) -> set[Step]:
        steps: set[Step] = set()
        for source in range(10):
            for n in range(1, self.run(source) + 1):
                for to in range(10):
                    if to != source and (not self.up[to] or follows(self.up[source][-n], self.up[to][-1])):
                        steps.add((source, n, to))
        lying = sum(map(len, self.down + self.up))
        gaps = any(not cards for cards in self.up)
        over_gaps = {"strict": False, "relaxed": lying < 10, "any": True}[self.options["deal_when_short"]]
        if self.stock and (not gaps or over_gaps):
            steps.add(None)
        return steps

    def play(self, step: Step) -> None:
        self.moves += 1
        if step is None:
            for c in range(10):
                self.up[c].append(self.stock.pop(0))
        else:
            source, n, to = step
            self.up[to] += self.up[source][-n:]
            del self.up[source][-n:]
            if self.options["scoring"] == "points":
                self.score = max(0, self.score - 1)
        for c in range(10):
            self.turn_up(c)
            if self.run(c) == 13:
                self.runs.append(self.up[c][-1][1])
                del self.up[c][-13:]
                self.score += 100 if self.options["scoring"] == "points" else 1
                self.turn_up(c)

    def turn_up(self, c: int) -> None:
        if self.down[c] and not self.up[c]:
            self.up[c].append(self.down[c].pop())

    @property
    def over(self) -> bool:
        return len(self.runs) == 8 or not self.legal() or self.moves >= int(self.options["move_cap"])
