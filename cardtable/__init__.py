"""Cardtable: card games by the book and by your house's rules, to play, learn, study and build on.

Nothing heavy is imported here: `Match` and the rest are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardtable.base.errors import AmbiguousMove as AmbiguousMove
    from cardtable.base.errors import BotError as BotError
    from cardtable.base.errors import CardtableError as CardtableError
    from cardtable.base.errors import IllegalMove as IllegalMove
    from cardtable.base.errors import MatchOver as MatchOver
    from cardtable.base.errors import NoHint as NoHint
    from cardtable.base.errors import NoSolver as NoSolver
    from cardtable.base.errors import NotationError as NotationError
    from cardtable.base.errors import NothingToUndo as NothingToUndo
    from cardtable.base.errors import NotYourTurn as NotYourTurn
    from cardtable.base.errors import OptionError as OptionError
    from cardtable.base.errors import PositionError as PositionError
    from cardtable.base.errors import RealTimeError as RealTimeError
    from cardtable.base.errors import RecordError as RecordError
    from cardtable.base.errors import SaveError as SaveError
    from cardtable.base.errors import UnknownGame as UnknownGame
    from cardtable.bots import bot as bot
    from cardtable.match.match import Match as Match
    from cardtable.match.match import Record as Record
    from cardtable.rules.catalog import find as find

__version__ = "0.1.0"

_ERRORS = (
    "CardtableError",
    "UnknownGame",
    "OptionError",
    "NotationError",
    "AmbiguousMove",
    "IllegalMove",
    "NotYourTurn",
    "MatchOver",
    "NoHint",
    "NoSolver",
    "NothingToUndo",
    "PositionError",
    "RealTimeError",
    "RecordError",
    "SaveError",
    "BotError",
)
_HOMES = {
    "Match": "match.match",
    "Record": "match.match",
    "bot": "bots",
    "find": "rules.catalog",
} | dict.fromkeys(_ERRORS, "base.errors")
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"cardtable.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'cardtable' has no attribute {name!r}")
