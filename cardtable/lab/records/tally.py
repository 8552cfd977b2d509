"""Figures of many records: matches, deals, moves, payoffs and wins, for each game, set of rules and number of seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cardtable.base.types import Json, JsonObject


@dataclass
class Tally:
    """The records of one game, preset and number of seats, added up."""

    game: str
    rules: str
    seats: int
    matches: int = 0
    unfinished: int = 0
    deals: int = 0  #: that were finished
    moves: int = 0  #: of all deals
    paid: list[float] = field(default_factory=list)  #: payoffs of each seat in finished deals
    won: list[int] = field(default_factory=list)  #: deals won
    matches_won: list[int] = field(default_factory=list)

    def add(self, keys: Mapping[str, Json]) -> None:
        """Add a record."""
        self.matches += 1
        self.unfinished += keys.get("unfinished") is True
        for deal in keys["deals"]:
            self.moves += len(deal["moves"])
            payoff = deal.get("payoff")
            if isinstance(payoff, list) and len(payoff) == self.seats:
                self.deals += 1
                for seat, x in enumerate(payoff):
                    self.paid[seat] += x
                _count(self.won, deal.get("winner"))
        result = keys.get("result")
        if isinstance(result, Mapping) and isinstance(winners := result.get("winners"), list):
            for seat in winners:
                _count(self.matches_won, seat)

    def as_dict(self) -> JsonObject:
        """For `--json`; means are null where no deal is finished."""
        n = self.deals
        return {
            "game": self.game,
            "rules": self.rules,
            "seats": self.seats,
            "matches": self.matches,
            "unfinished": self.unfinished,
            "deals": n,
            "moves": self.moves,
            "payoff": [x / n if n else None for x in self.paid],
            "deals_won": self.won,
            "matches_won": self.matches_won,
        }


def _count(row: list[int], seat: Json) -> None:
    if isinstance(seat, int) and 0 <= seat < len(row):
        row[seat] += 1


def tally(records: Iterable[Mapping[str, Json]]) -> list[Tally]:
    """Records added up, in the order of their first record."""
    tallies: dict[tuple[str, str, int], Tally] = {}
    for keys in records:
        seats = keys.get("seats")
        n = seats if isinstance(seats, int) and 0 < seats <= 64 else 0
        key = (str(keys["game"]), str(keys.get("rules", "")), n)
        if key not in tallies:
            tallies[key] = Tally(*key, paid=[0.0] * n, won=[0] * n, matches_won=[0] * n)
        tallies[key].add(keys)
    return list(tallies.values())
