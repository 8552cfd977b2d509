"""Type aliases of the programming interface, so that a signature shows which `int` is a seat and which `str` a move.

They are plain aliases: a seat is an `int` and needs no wrapping.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

SeatNumber: TypeAlias = int  #: a seat: 0, 1, 2, ... clockwise
MoveText: TypeAlias = str  #: a move in notation: `7H`, `pass`
MoveCode: TypeAlias = int  #: a move in the rules; a game's presentation converts it to text and back
CardText: TypeAlias = str  #: a card: `7H`, `TS`, `X1`
RuleID: TypeAlias = str  #: a rule, advice, decided question or worked example: `FT-22`; empty: none
Seed: TypeAlias = int | str  #: a number or a word, from which all chance follows
#: a house rule as it is given: a number, a word, or a number for each seat
OptionValue: TypeAlias = int | str | Sequence[int]
Json: TypeAlias = Any  #: what JSON or TOML can hold
JsonObject: TypeAlias = dict[str, Json]  #: ... as an object, by its keys
