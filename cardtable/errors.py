"""Errors for people: what you did, why not, what you can do; each class with a stable code and an exit code."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.text import listed, with_names

MOST_SHOWN = 12  #: legal moves that a refusal names; of more it names some


class CardtableError(Exception):
    """The base of every error that a user or a caller can cause.

    `code` is stable and used unchanged on the wire; `exit_code` is the command line's.
    `what` was done, `why` it is not possible, what one `can` do instead; the last two may be empty. `rule` is the rule ID
    that says so, or "". Players are `seat 0`, `seat 1`, ...; `told` gives them names.
    """

    code = "error"
    exit_code = 1
    rule = ""

    def __init__(self, what: str, why: str = "", can: str = "", *, code: str = "") -> None:
        self.what, self.why, self.can = what, why, can
        if code:
            self.code = code
        text = what + (f": {why}" if why else "")
        super().__init__(text + (f". {can[0].upper()}{can[1:]}" if can else ""))

    def told(self, names: Sequence[str]) -> str:
        """The error as a sentence, with names for the seats."""
        return with_names(str(self), names)

    def as_dict(self) -> dict[str, str]:
        """The error for `--json` and the wire."""
        return {"code": self.code, "what": self.what, "why": self.why, "can": self.can}


class UnknownGame(CardtableError):
    """There is no game of that name."""

    code, exit_code = "game/unknown", 2


class OptionError(CardtableError):
    """House rules, a preset or a number of seats that are not to be had."""

    code, exit_code = "options/value", 2


class NotationError(CardtableError):
    """Text that is not a card, a move or a seed."""

    code, exit_code = "move/syntax", 2


class AmbiguousMove(CardtableError):
    """Text that fits several moves; they are in `moves`."""

    code, exit_code = "move/ambiguous", 2

    def __init__(self, what: str, why: str, can: str, moves: Sequence[str]) -> None:
        self.moves = tuple(moves)
        super().__init__(what, why, can)


class IllegalMove(CardtableError):
    """A move that was understood and that the rules do not allow now."""

    code = "move/illegal"

    def __init__(self, seat: int, move: str, why: str, rule: str, legal: Sequence[str]) -> None:
        self.seat, self.move, self.reason, self.rule, self.legal = seat, move, why, rule, tuple(legal)
        shown = list(legal) if len(legal) <= MOST_SHOWN else [*legal[: MOST_SHOWN - 4], f"{len(legal) - MOST_SHOWN + 4} more"]
        may = f"You may: {', '.join(shown)}" if legal else ""
        super().__init__(f"seat {seat} may not play {move}", f"{why} ({rule})" if rule else why, may)

    def as_dict(self) -> dict[str, str]:
        return super().as_dict() | {"rule": self.rule}


class NotYourTurn(CardtableError):
    """A seat that may not act now; `seat` is None if none was named and several may act, or none may."""

    code = "move/turn"

    def __init__(self, seat: int | None, actors: Sequence[int], over: bool = False) -> None:
        """over: the deal is over, and the next one is still to be dealt."""
        self.seat, self.actors = seat, tuple(actors)
        who = listed([f"seat {actor}" for actor in actors])
        what = "a move" if seat is None else f"seat {seat} may not act"
        if over:
            super().__init__(what, "the deal is over", "call next_deal()")
        elif seat is None:
            super().__init__(what, f"{who} may act now" if actors else "nobody may act now", "name the seat" if actors else "wait for your turn")
        else:
            super().__init__(what, f"it is the turn of {who}" if actors else "nobody may act now", "wait for your turn")


class MatchOver(CardtableError):
    """Nothing may be played any more."""

    code = "match/over"


class NothingToUndo(CardtableError):
    """No chosen move is left to take back."""

    code = "match/undo"


class PositionError(CardtableError):
    """Text that is no position (`position/syntax`), or a position that cannot be (`position/impossible`)."""

    code = "position/impossible"


class RecordError(CardtableError):
    """A record that cannot be read or replayed; `deal`, `number` (of the move) and `rule` say where and why."""

    code = "record/syntax"

    def __init__(self, what: str, why: str = "", can: str = "", *, code: str = "", deal: int = 0, number: int = 0, rule: str = "") -> None:
        self.deal, self.number, self.rule = deal, number, rule
        super().__init__(what, why, can, code=code)


class SaveError(CardtableError):
    """A file that could not be written; what was there before is as it was."""

    code, exit_code = "file/save", 3
