"""Cardtable: card games by the book and by your house's rules, to play, learn, study and build on.

Nothing heavy is imported here: `Match` and the rest are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardtable.bots import bot as bot
    from cardtable.catalog import find as find
    from cardtable.errors import AmbiguousMove as AmbiguousMove
    from cardtable.errors import BotError as BotError
    from cardtable.errors import CardtableError as CardtableError
    from cardtable.errors import IllegalMove as IllegalMove
    from cardtable.errors import MatchOver as MatchOver
    from cardtable.errors import NoSolver as NoSolver
    from cardtable.errors import NotationError as NotationError
    from cardtable.errors import NothingToUndo as NothingToUndo
    from cardtable.errors import NotYourTurn as NotYourTurn
    from cardtable.errors import OptionError as OptionError
    from cardtable.errors import PositionError as PositionError
    from cardtable.errors import RealTimeError as RealTimeError
    from cardtable.errors import RecordError as RecordError
    from cardtable.errors import SaveError as SaveError
    from cardtable.errors import UnknownGame as UnknownGame
    from cardtable.match import Match as Match
    from cardtable.record import Record as Record

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
    "NoSolver",
    "NothingToUndo",
    "PositionError",
    "RealTimeError",
    "RecordError",
    "SaveError",
    "BotError",
)
_HOMES = {"Match": "match", "Record": "record", "bot": "bots", "find": "catalog"} | dict.fromkeys(_ERRORS, "errors")
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"cardtable.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'cardtable' has no attribute {name!r}")
