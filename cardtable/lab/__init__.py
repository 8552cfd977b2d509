"""Studies over many deals; `Study` and `skill` are imported when they are first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardtable.lab.luck import Skill as Skill
    from cardtable.lab.luck import skill as skill
    from cardtable.lab.study.effects import Effect as Effect
    from cardtable.lab.study.result import StudyResult as StudyResult
    from cardtable.lab.study.study import Study as Study

_HOMES = {
    "Study": "study.study",
    "StudyResult": "study.result",
    "Effect": "study.effects",
    "Skill": "luck",
    "skill": "luck",
}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    # what this class was called before
    name = "StudyResult" if name == "Found" else name
    if name in _HOMES:
        return getattr(importlib.import_module(f"cardtable.lab.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'cardtable.lab' has no attribute {name!r}")
