"""Faces: what the same cards are called, and how they are written, in France, Italy, Spain and Germany.

Only looks and words differ: a spade is also a sword or a leaf, a queen a knight or an Ober, and everything that a
program reads or keeps has the notation of `cardtable.base.cards`. The browser has the same faces
(`cardtable/web/cards/abroad.js`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cardtable.base.cards import MIDDLE, RANKS, SUITS, SYMBOLS
from cardtable.base.message import Language, mark

COURTS = RANKS[-3:]


@dataclass(frozen=True)
class Faces:
    """The suits and courts of a country, and the words for them."""

    words: Mapping[str, str]  #: what stands for a suit's or a rank's word, by that word
    signs: str  #: of the suits, in the order S H D C: symbols or letters
    courts: tuple[str, ...]  #: the indices of jack, queen and king
    numbers: tuple[str, ...]  #: the same in a pack that has no 8, 9 and 10
    short: bool = False  #: the pack at hand has none

    @classmethod
    def of(cls, name: str, cards: int) -> Faces:
        """Those of `FACES` for a pack, which is a set of cards."""
        return replace(FACES[name], short=not cards & MIDDLE)

    def written(self, card: str) -> str:
        """A card (`QH`) as it is written with these faces: `Q♥`, `9C`. A joker has its notation."""
        rank, suit = card[0], card[1]
        return card if rank == "X" else self.index(rank) + self.signs[SUITS.index(suit)]

    def index(self, rank: str) -> str:
        """A rank as it is written: `10`, `K`."""
        if rank not in COURTS:
            return rank.replace("T", "10")
        return (self.numbers if self.short else self.courts)[COURTS.index(rank)]

    def notation(self, typed: str) -> str:
        """What somebody types, with cards in the notation of moves: as they are written, or in that notation already.

        A letter that is a suit here and another one in notation means what is written.
        """
        if not self.words:
            return typed
        ranks = {self.index(rank): rank for rank in RANKS} | {rank: rank for rank in "TJQK"}
        suits = dict(zip(self.signs, SUITS, strict=True))
        either = "|".join(sorted(ranks, key=len, reverse=True))
        card = re.compile(rf"\b({either})([{self.signs}])\b", re.IGNORECASE)
        return card.sub(lambda found: ranks[found[1].upper()] + suits[found[2].upper()], typed)

    def called(self, language: Language) -> Language:
        """A language in which suits and courts have the names of these faces."""
        words = self.words
        return replace(language, look_up=lambda text: language.look_up(words.get(text, text))) if words else language


LATIN = {
    "spades": mark("swords"),
    "hearts": mark("cups"),
    "diamonds": mark("coins"),
    "clubs": mark("batons"),
    "jack": mark("knave"),
    "jacks": mark("knaves"),
    "a jack": mark("a knave"),
    "queen": mark("knight"),
    "queens": mark("knights"),
    "a queen": mark("a knight"),
}
GERMAN = {
    "spades": mark("leaves"),
    "diamonds": mark("bells"),
    "clubs": mark("acorns"),
    "jack": mark("Unter"),
    "jacks": mark("Unters"),
    "a jack": mark("an Unter"),
    "queen": mark("Ober"),
    "queens": mark("Obers"),
    "a queen": mark("an Ober"),
}
FRENCH = Faces({}, SYMBOLS, tuple(COURTS), tuple(COURTS))
FACES = {
    "french": FRENCH,
    "italian": Faces(LATIN, "SCDB", ("F", "C", "R"), ("8", "9", "10")),
    "spanish": Faces(LATIN, "ECOB", ("S", "C", "R"), ("10", "11", "12")),
    "german": Faces(GERMAN, "LHSE", ("U", "O", "K"), ("U", "O", "K")),
}
