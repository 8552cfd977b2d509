"""The report of a study: one HTML page with tables, charts and methods."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from cardtable.base.digits import Form, number, p_value
from cardtable.base.languages import current, figure, tr, translated
from cardtable.base.message import Message, Value
from cardtable.bots.words import label_in_words
from cardtable.lab.study.effects import CellMean, Effect
from cardtable.lab.study.rows import meaning
from cardtable.lab.study.words import difference_unit, form, reach_of
from cardtable.picture.figures import Bar, intervals

if TYPE_CHECKING:
    from cardtable.lab.study.figures import Figures

STYLE = """
body{max-width:60em;margin:2em auto;padding:0 1em;font:16px/1.5 sans-serif;color:#000;background:#fff}
table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .7em;border-bottom:1px solid #999;text-align:right}
th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto}pre{white-space:pre-wrap}
"""


def page(study: Figures) -> str:
    """The report. Its text is in the language of this process."""
    title = escape(tr("{title}: a study", title=Message(study.title)))
    return (
        f'<!doctype html>\n<html lang="{current().code}">\n<head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f"<body><h1>{title}</h1>\n{body(study)}\n{_made(study)}</body>\n</html>\n"
    )


def body(study: Figures) -> str:
    """The tables and pictures of the report."""
    parts = [_said(study), _refused(study)]
    effects = study.intervals("holm")
    for measure in study.measures:
        parts.append(_measure(measure, study.estimates(), effects))
    return "\n".join(filter(None, parts))


def _paragraph(message: Value) -> str:
    return f"<p>{escape(translated(message))}</p>"


def _said(study: Figures) -> str:
    many = Message(
        "{deals} deals in {n} {n:cell|cells}; every cell plays the same deals, so the luck of the cards cancels out in "
        "a difference.",
        deals=figure(study.deals),
        n=len(study.cells),
    )
    early = Message("The study was stopped before all deals were played: its figures are partial.")
    return _paragraph(many) + (_paragraph(early) if study.partial else "")


def _refused(study: Figures) -> str:
    if not study.refused:
        return ""
    lines = "".join(
        f"<li>{escape(label_in_words(each.label))}: {escape(translated(each.error.message))}</li>"
        for each in study.refused
    )
    return f"<h2>{escape(tr('Not allowed by the game'))}</h2><ul>{lines}</ul>"


def _measure(measure: str, estimates: Sequence[CellMean], effects: Sequence[Effect]) -> str:
    mine = [each for each in estimates if each.measure == measure]
    shown = form(measure, map(reach_of, mine))
    parts = [f"<h2>{escape(measure)}</h2>", _paragraph(meaning(measure))]
    heads = (tr("cell"), tr("mean"), tr("95% interval"), tr("standard deviation"), tr("deals"))
    parts.append(
        table(
            heads,
            (
                (
                    label_in_words(e.cell),
                    shown(e.mean),
                    span(e.low, e.high, shown),
                    number(e.deviation),
                    figure(e.deals),
                )
                for e in mine
            ),
        )
    )
    times = 100.0 if shown.share else 1.0
    drawn = Message("{figure}, in %", figure=meaning(measure)) if shown.share else meaning(measure)
    bars = [Bar(label_in_words(e.cell), times * e.mean, times * e.low, times * e.high) for e in mine]
    parts.append(intervals(bars, translated(drawn), False))
    apart = [each for each in effects if each.measure == measure]
    if apart:
        parts.append(f"<h3>{escape(tr('Differences'))}</h3>")
        in_points = f" ({difference_unit(measure)})" if shown.share else ""
        changes = (
            tr("change"),
            tr("difference") + in_points,
            tr("interval"),
            "p",
            tr("in standard deviations"),
            tr("saving"),
        )
        parts.append(
            table(
                changes,
                (
                    (
                        _sides(e),
                        change(e.difference),
                        span(e.low, e.high, change),
                        p_value(e.p),
                        number(e.standardised, signed=True),
                        number(e.saving),
                    )
                    for e in apart
                    for change in [form(measure, [reach_of(e)], difference=True)]
                ),
            )
        )
        sides = [Bar(_sides(e), times * e.difference, times * e.low, times * e.high, not e.clear) for e in apart]
        title = tr("differences, with intervals; a ring: the interval contains 0") + in_points
        parts.append(intervals(sides, title))
    return "\n".join(parts)


def _sides(effect: Effect) -> str:
    return f"{label_in_words(effect.a)} → {label_in_words(effect.b)}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    lines = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def span(low: float, high: float, shown: Form) -> str:
    """An interval as text; a dash where it is not known."""
    return f"{shown(low)} … {shown(high)}" if math.isfinite(low) and math.isfinite(high) else "–"


def _made(study: Figures) -> str:
    words = (
        Message(
            "Means are per deal. Intervals of means hold at 95% each, with matches as clusters. The differences "
            "compare a value of a factor with its first one on the same deals; their intervals hold all together at "
            "95% (Bonferroni), and p is adjusted by Holm's procedure for {n} {n:comparison|comparisons}.",
            n=len(study.intervals()),
        ),
        Message(
            "Saving: how many times as many deals it would take to know a difference as well if its two sides had "
            "played different deals."
        ),
        Message("The bots are not perfect players: repeat a study with stronger ones before you trust an effect."),
    )
    values = study.as_dict()
    names = ("game", "version", "cardtable", "seed", "asked", "deals", "matches_in_a_block", "digest", "cells")
    made = {name: values[name] for name in names} | {
        "refused": values["refused"],
        "measures": list(study.measures),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "seconds": values["seconds"],
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    text = "".join(map(_paragraph, words))
    return f"<h2>{escape(tr('How it was made'))}</h2>{text}<pre>{escape(json.dumps(made, indent=2))}</pre>"
