"""The numbered moves to choose from; a series (`bid 1` to `bid 46`) or many moves of one kind take one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardtable.base.message import Message, Moves, Value

if TYPE_CHECKING:
    from cardtable.rules.moves import Move, Refused
    from cardtable.views.view import View

LONG = 12  #: more moves of one kind than this form a series; moves that only differ by a number always do


def kind_of(move: Move) -> str | None:
    """The kind of a move, from the game's description; None: it stands alone.

    Moves that play or take cards stand alone, unless their name begins with a verb: then it is the first word of their
    notation, whatever else their names say.
    """
    if move.verb:
        return move.text.partition(" ")[0]
    return None if move.label or move.cards else ""


def meanings(moves: Iterable[Move]) -> dict[str, Message]:
    """The meanings of moves whose notation does not name their cards, and what moves do, by the notation."""
    named: dict[str, Message] = {}
    for move in moves:
        if move.label and any(card in str(move.label) and card not in move.text for card in move.cards):
            named[move.text] = move.label
        if move.does:
            meaning = named.get(move.text)
            named[move.text] = (
                Message("{move} ({does})", move=meaning, does=move.does)
                if meaning
                else Message("({does})", does=move.does)
            )
    return named


def barred(refused: Sequence[Refused]) -> list[Message]:
    """Moves that a person would expect, but that are not allowed, with the reason: a line for each reason."""
    reasons: dict[Value, list[str]] = {}
    for one in refused:
        reasons.setdefault(one.why, []).append(one.move.text)
    return [
        Message("Not allowed: {moves}, because {why}", moves=Moves(", ".join(moves)), why=why)
        for why, moves in reasons.items()
    ]


@dataclass(frozen=True)
class Series:
    """Many moves of one kind, whose notation begins with one word.

    `first` is the number of the first one; 0: they have no numbers but their own.
    """

    word: str
    rests: tuple[str, ...]  #: what follows the word in each move
    first: int = 0

    @property
    def spans(self) -> str:
        """The numbers that follow the word: `1–46`, or `0–2, 4–7`."""
        parts: list[list[int]] = []
        for number in sorted(int(rest) for rest in self.rests):
            if parts and number == parts[-1][1] + 1:
                parts[-1][1] = number
            else:
                parts.append([number, number])
        return ", ".join(f"{low}–{high}" if high > low else str(low) for low, high in parts)


class Choices:
    """The legal moves as they are offered: single ones, numbered from 1, then the series.

    `bid 5` gets no separate number: if only bids are legal, 5 is enough; if there are other moves (`1 pass`), it must
    be written out. `meanings` explain moves whose notation is not clear (`3-7x2`).
    """

    def __init__(self, moves: Sequence[Move]) -> None:
        self.meanings = meanings(moves)
        kinds: dict[str, list[Move]] = {}
        for move in moves:
            if (kind := kind_of(move)) is not None:
                kinds.setdefault(kind, []).append(move)
        long = [
            alike
            for alike in kinds.values()
            if len(alike) > LONG or len(alike) > 1 and all(move.number is not None for move in alike)
        ]
        in_series = {move.text for alike in long for move in alike}
        self.single = [move.text for move in moves if move.text not in in_series]
        self.series: list[Series] = []
        self._numbered = list(self.single)
        for alike in long:
            word, rests = alike[0].text.partition(" ")[0], tuple(move.text.partition(" ")[2] for move in alike)
            numbered = alike[0].number is None
            self.series.append(Series(word, rests, len(self._numbered) + 1 if numbered else 0))
            self._numbered += [move.text for move in alike] if numbered else []

    @classmethod
    def of(cls, view: View) -> Choices:
        """The legal moves of a view, in the order of their notation's list."""
        described = {move.text: move for move in view.choices}
        return cls([described[text] for text in view.legal])

    @property
    def by_number(self) -> str:
        """The word of the only series, if all moves belong to it and only differ by a number, so that the number is
        enough; else "".
        """
        return self.series[0].word if self.series and not self._numbered and len(self.series) == 1 else ""

    def move(self, number: str) -> str | None:
        """The move with this number; None if there is none."""
        if self.by_number:
            return f"{self.by_number} {number}"
        return self._numbered[int(number) - 1] if len(number) < 6 and 1 <= int(number) <= len(self._numbered) else None

    def why_no(self, number: str) -> Message:
        """Why a number does not stand for a move, and what to do."""
        most = len(self._numbered)
        able = Message("the only choice is 1") if most == 1 else Message("choose 1 to {most}", most=most)
        written = Moves(", ".join(f"{each.word} {each.rests[0]}" for each in self.series if not each.first))
        how = Message("write for instance {move}", move=written) if written.moves else Message("write a move")
        return Message("There is no move {number}: {able}, or {how}.", number=number[:20], able=able, how=how)

    def all(self) -> Iterable[tuple[int, str]]:
        """Every move with its number, 0 if it has none."""
        yield from enumerate(self._numbered, 1)
        for each in self.series:
            if not each.first:
                yield from ((0, f"{each.word} {rest}") for rest in each.rests)
