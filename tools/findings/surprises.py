"""The surprises of each game (surprises.toml): sentences with figures, and whether these bear them out."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.base import languages

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Surprise:
    """A sentence, the figures in it, and what makes it true."""

    text: str
    figures: Mapping[str, str]
    claims: tuple[str, ...]


SURPRISES: Mapping[str, tuple[Surprise, ...]] = {
    game: tuple(Surprise(each["text"], each["figures"], tuple(each["claims"])) for each in every)
    for game, every in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}


def at(data: Data, path: str) -> tuple[float, float, float]:
    """A figure, and both ends of its interval; they are the figure itself where it has none: it is no mean, or was the
    same in every match. Raises KeyError.
    """
    figure: Any = data
    sign = -1.0 if path.startswith("-") else 1.0
    for part in path.removeprefix("-").split("/"):
        figure = figure[int(part)] if isinstance(figure, list) else figure[part]
    if isinstance(figure, Mapping):
        middle = sign * next(figure[name] for name in ("mean", "difference", "share") if name in figure)
        if figure["low"] is not None:
            low, high = sorted((sign * figure["low"], sign * figure["high"]))
            return middle, low, high
    else:
        middle = sign * figure
    return middle, middle, middle


def holds(surprise: Surprise, data: Data) -> list[str]:
    """The claims of a surprise that its figures do not bear out; none if it is true."""
    wrong = []
    for claim in surprise.claims:
        name, sign, right = claim.split()
        middle, low, high = at(data, surprise.figures[name])
        bound = at(data, surprise.figures[right]) if right in surprise.figures else (float(right),) * 3
        true = {"<": high < bound[1], ">": low > bound[2], "=": low == high == middle == bound[0]}[sign]
        if not true:
            wrong.append(f"{claim}: {middle:g} [{low:g}, {high:g}] {sign} {bound[0]:g} [{bound[1]:g}, {bound[2]:g}]")
    return wrong


class _Figures(string.Formatter):
    """Formats figures with a real minus sign."""

    def format_field(self, value: Any, spec: str) -> str:
        return figure(value, spec)


def figure(x: float, spec: str) -> str:
    """A figure in this format, with a real minus sign. Besides Python's formats: `tens`, rounded to tens, and `points`,
    a share or a difference of shares as percentage points.
    """
    if spec == "tens":
        return f"{round(x, -1):,.0f}"
    if spec == "points":
        return figure(100.0 * x, ".1f")
    return languages.figure(x, spec)


def sentence(surprise: Surprise, data: Data) -> str:
    """The sentence with its figures."""
    return _Figures().format(surprise.text, **{name: at(data, path)[0] for name, path in surprise.figures.items()})


def untrue(game: str, data: Data) -> list[str]:
    """What is wrong with the surprises of a game."""
    return [f"{game}: {each.text}: {why}" for each in SURPRISES.get(game, ()) for why in holds(each, data)]
