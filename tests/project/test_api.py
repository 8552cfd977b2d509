"""docs/api.md and docs/reference tell the interface as it is: signatures, names, zones and their notes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from cardtable import bots, lab
from cardtable.base import message
from cardtable.base.errors import CardtableError
from cardtable.bots.players import Bot
from cardtable.lab.records.recheck import Checker
from cardtable.lab.study.result import StudyResult
from cardtable.match import record_file
from cardtable.match.match import Match, Position, Record
from cardtable.match.real_time import Clockwork, Dropped, Stalled, Tick
from cardtable.review.review import Review, review
from cardtable.rules import catalog
from cardtable.rules.events import Event
from cardtable.rules.zones import Fact, Hand, Pile, Pot, Row, Zone
from cardtable.server.field_comments import comments
from cardtable.testing.houses import House, deal_out, great_houses, moments, view_of
from cardtable.views.view import View
from tests.support.frozen import untyped

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
REFERENCE = {path.name: path.read_text("utf-8") for path in (ROOT / "docs" / "reference").glob("*.md")}
PROSE = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
SPANS = re.findall(r"`([^`\n]+)`", PROSE)
OWNERS: dict[str, Any] = {
    "catalog": catalog,
    "Match": Match,
    "m": Match,
    "Record": Record,
    "record": Record,
    "Position": Position,
    "cardtable.bots": bots,
    "error": CardtableError,
    "lab": lab,
    "study": lab.Study,
    "found": StudyResult,
    "record_file": record_file,
    "c": record_file.Collection,
    "Checker": Checker,
}
CALLS = sorted(
    {
        span
        for span in SPANS
        if re.fullmatch(r"[\w.]+\(.*\)", span)
        and "…" not in span
        and not span.startswith(("PlayedMove(", "Event(", "str("))
    }
)


def named(name: str) -> Callable[..., Any] | None:
    """What a name on the page stands for."""
    owner, _, last = name.rpartition(".")
    if owner in OWNERS:
        attribute: Callable[..., Any] | None = getattr(OWNERS[owner], last, None)
        return attribute
    if name in (made := {"bot": bots.bot} | {one.__name__: one for one in (Match, Clockwork, Tick, Stalled, Dropped)}):
        return made[name]
    if name == "cardtable.review.review.review":
        return review
    places = (
        [Match, Clockwork, View, Bot, Record, Review, Event, message.Reader, message]
        if not owner
        else [View]
        if owner == "view()"
        else []
    )
    return next((getattr(place, name) for place in places if hasattr(place, name)), None)


def arguments(function: Callable[..., Any]) -> str:
    """A signature as the page writes it: without types, without self."""
    plainly = untyped(inspect.signature(function)).parameters.values()
    given = [p for p in plainly if p.name not in ("self", "cls")]
    return str(inspect.Signature(given))[1:-1].replace(repr(message.ENGLISH), "ENGLISH").replace(", /", "")


def test_every_signature_on_the_page_is_the_codes() -> None:
    for call in CALLS:
        check_signature(call)


def check_signature(call: str) -> None:
    """`next_deal()` without arguments is a mention: it must be possible to call it so."""
    name, _, signature = call.partition("(")
    if name.startswith("view("):
        return
    function = named(name)
    assert function is not None, f"there is no {name}"
    if signature == ")":
        inspect.signature(function).bind(*[None] * ("self" in inspect.signature(function).parameters))
    else:
        assert signature[:-1] == arguments(function), name


def test_the_check_of_signatures_can_fail() -> None:
    with pytest.raises(AssertionError):
        check_signature("play(move)")
    with pytest.raises(AssertionError):
        check_signature("Match.from_file(path)")
    assert len(CALLS) > 25, CALLS


@pytest.mark.parametrize(
    "owner", [Match, Clockwork, View, Record, Position, Event, Zone, CardtableError], ids=lambda owner: owner.__name__
)
def test_every_public_name_is_in_the_reference(owner: type) -> None:
    """A page shows the docstrings of its class; each name has one, or a comment, or a word in that of its class."""
    names = {name for name in (*dir(owner), *getattr(owner, "__dataclass_fields__", ())) if not name.startswith("_")}
    names -= {"args", "add_note", "with_traceback"}  # of every exception
    shown = (f".. automodule:: {owner.__module__}\n", f".. autoclass:: {owner.__module__}.{owner.__name__}\n")
    assert [name for name, page in REFERENCE.items() if any(directive in page for directive in shown)]
    assert {name for name in names if not is_described(owner, name)} == set()


def is_described(owner: type, name: str) -> bool:
    """Whether the source says what an attribute of a class is."""
    thing = inspect.getattr_static(owner, name, None)
    if isinstance(thing, property | cached_property | classmethod | staticmethod) or callable(thing):
        return bool(inspect.getdoc(thing))
    return name in comments(owner) or f"`{name}`" in (owner.__doc__ or "")


def test_an_attribute_that_nothing_describes_is_found() -> None:
    assert is_described(CardtableError, "code")
    assert not is_described(CardtableError, "args")
    assert not is_described(Tick, "tags")


def table(heading: str) -> Iterator[list[str]]:
    """The rows of the table with that heading."""
    page = REFERENCE["view.md"]
    assert page.count(heading) == 1
    for line in page.partition(heading)[2].splitlines()[2:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


ZONES = [
    (re.findall(r"`([^`]+)`", kind)[0], name)
    for kind, names, _ in table("| kind | names | what it is |")
    for name in re.findall(r"`([^`]+)`", names)
]
NOTES = {name for names, _, _ in table("| note | type | meaning |") for name in re.findall(r"`([^`]+)`", names)}


def pattern(name: str) -> str:
    """`hand-0` stands for any seat, `money-AH` for any card, `sum-7` for any rank."""
    head, _, tail = name.partition("-")
    if not tail:
        return name
    return head + (
        "-[SHDC]"
        if head == "row"
        else r"-\d+"
        if tail.isdecimal() and head not in ("sum",)
        else "-[A2-9TJQK]" + "[SHDC]" * (len(tail) == 2)
    )


KNOWN = [(kind, re.compile(pattern(name))) for kind, name in ZONES]


def undocumented(house: House, seed: str) -> set[str]:
    """The zones and notes of a deal that are not on the page."""
    s = house.open(seed)
    deal_out(s)
    names = set()
    for number, seat, _ in moments(house.entry, s, seed):
        if number > 40:
            break
        for viewer in (-1, seat) if number % 4 == 1 else ():
            names |= strange(view_of(house, s, viewer).zones)
    return names | strange(view_of(house, s, 0).zones)


def strange(zones: list[Zone]) -> set[str]:
    """What is not on the page of some zones."""
    names = {
        f"{zone.kind} {zone.name}"
        for zone in zones
        if not any(kind == zone.kind and name.fullmatch(zone.name) for kind, name in KNOWN)
    }
    return names | {f"note {note}" for zone in zones for note in set(zone.notes) - NOTES}


@pytest.mark.parametrize("game", sorted(catalog.games()))
def test_every_zone_and_note_is_on_the_page(game: str) -> None:
    houses = [house for house in great_houses() if house.game == game]
    presets = {house.preset: house for house in houses} | {
        f"{house.preset} {house.given}": house for house in houses[::5]
    }
    for house in presets.values():
        assert not undocumented(house, "zones"), house


def test_an_undocumented_zone_is_found() -> None:
    assert strange(
        [Hand("hand-0"), Pot("money-TD"), Pile("sum-10"), Row("row-X", facts=(Fact(name="hint", value=1),))]
    ) == {"pile sum-10", "row row-X", "note hint"}
