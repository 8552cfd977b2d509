"""The people of the house: for each level of bots a dozen, each with a name and a temper.

A name belongs to one level, so it shows how well its bearer plays. The temper determines how long they take for a
move, not what they play.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cardtable.base.message import mark

#: tempers, and how long somebody of that temper takes for a move, as a part of the usual time
TEMPERS = {mark("quick"): 0.6, mark("calm"): 1.0, mark("thoughtful"): 1.5}
_NAMES = {
    "random": "Pip Dot Toto Coco Bix Mimi Zuzu Lolo Taz Kiki Jojo Fifi",
    "soft": "Milo Ida Otto Elsa Benno Lina Fritz Hanna Carlo Mona Theo Wanda",
    "flat": "Agnes Viktor Clara Anton Paula Leon Greta Rafael Edith Simon Nora Matteo",
    "medium": "Nell Hugo Tilly Oskar Marta Felix Ines Bruno Lotte Emil Rosa Jonas",
    "search": "Judith Magnus Helena Cyrus Octavia Arthur Yvonne Lorenz Sibylle Edgar Beatrix Kasimir",
    "expert": "Aurelia Lucian Isolde Leander Cordula Roman Valentina Benedikt Ottilie Alaric Philippa Maximilian",
}


@dataclass(frozen=True)
class Character:
    """Somebody of the house. temper: one of `TEMPERS`."""

    name: str
    level: str
    temper: str

    @property
    def pace(self) -> float:
        """How long they take for a move, as a part of the usual time."""
        return TEMPERS[self.temper]


CAST: dict[str, tuple[Character, ...]] = {
    level: tuple(Character(name, level, tuple(TEMPERS)[i % len(TEMPERS)]) for i, name in enumerate(names.split()))
    for level, names in _NAMES.items()
}
_BY_NAME = {one.name: one for people in CAST.values() for one in people}


def of_seat(level: str, seat: int, taken: Collection[str] = ()) -> Character:
    """Choose the member of a level for a seat: always the same one, unless somebody at the table has that name.

    taken: the names of the others at the table. A third-party bot has its own name.
    """
    if level not in CAST:
        return Character(level, level, "calm")
    people, others = CAST[level], {name.casefold() for name in taken}
    in_turn = [people[(seat + i) % len(people)] for i in range(len(people))]
    return next((one for one in in_turn if one.name.casefold() not in others), in_turn[0])


def named(name: str) -> Character | None:
    """The one of the house with a name, if there is one."""
    return _BY_NAME.get(name)
