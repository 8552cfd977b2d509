"""The operations of the HTTP part: what is asked is checked as declared, and the description and the page say the
same.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from starlette.datastructures import QueryParams

from cardtable import Match
from cardtable.client import Client
from cardtable.server.app import described
from cardtable.server.http.answers import HouseRules, OfMatch
from cardtable.server.http.api import OPERATIONS
from cardtable.server.http.operations import QueryFault, address, read_query, shape
from tests.support.server.served import Served

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

import operations as tool  # the tools are scripts beside the package


def answer_of(method: str, path: str) -> dict[str, Any]:
    """The schema of what an operation answers when it is done."""
    responses = described()["paths"][path][method]["responses"]
    (done,) = (responses[status] for status in responses if status.startswith("2"))
    return {**done["content"]["application/json"]["schema"], "components": described()["components"]}


def test_the_page_tells_every_operation() -> None:
    page = tool.PAGE.read_text("utf-8")
    assert page == tool.render(page), "run: python tools/operations.py"
    assert page.count("| `GET /api/games/NAME/rules?preset=PRESET&seats=N&OPTION=VALUE` |") == 1


def test_a_page_without_a_place_for_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="0 places"):
        tool.render("# A page\n")


def test_every_operation_is_described() -> None:
    """Each has a summary of its own, and each part of its address is a parameter."""
    found = {(told.method.lower(), told.path) for told in OPERATIONS}
    assert found == {(method, path) for path, methods in described()["paths"].items() for method in methods}
    assert len({told.summary for told in OPERATIONS}) == len(OPERATIONS) == len({address(told) for told in OPERATIONS})
    for told in OPERATIONS:
        parameters = described()["paths"][told.path][told.method.lower()].get("parameters", [])
        assert [one["name"] for one in parameters if one["in"] == "path"] == (
            [told.path.partition("{")[2].partition("}")[0]] if "{" in told.path else []
        )


def test_a_structure_is_told_by_its_fields() -> None:
    assert shape(OfMatch) == "{id}"
    (matches,) = (told for told in OPERATIONS if told.path == "/api/matches")
    assert shape(matches.answer_type).startswith(
        "{matches: [{id, game, title, preset, at, players: [{seat, name, level, score, won, you}], "
    )


@pytest.mark.parametrize(
    ("query", "word", "why"),
    [
        ("seats=x", "seats=x", "a whole number from 0 to 999999999"),
        ("seats=-1", "seats=-1", "a whole number"),
        ("seats=4.5", "seats=4.5", "a whole number"),
        (f"preset={'a' * 61}", f"preset={'a' * 20}", "at most 60 letters"),
    ],
)
def test_a_word_of_a_query_that_cannot_be_read_is_named(query: str, word: str, why: str) -> None:
    with pytest.raises(QueryFault) as fault:
        read_query(HouseRules, QueryParams(query))
    assert fault.value.word == word
    assert why in fault.value.should_be


def test_a_query_is_read_as_declared() -> None:
    assert read_query(HouseRules, QueryParams("seats=4&preset=stops&ante=2")) == HouseRules("stops", 4)
    assert read_query(HouseRules, QueryParams("seats=&preset=")) == HouseRules()


def test_answers_are_as_described(server: Served) -> None:
    """Every operation that answers JSON, with a table, a finished match and a record of one's own."""
    m = Match("fan-tan", 3, seed="1", deals=1)
    while not m.over:
        m.play(m.legal()[0])

    async def look() -> None:
        async with Client(server.url) as ann:
            made = await ann.make("fan-tan", name="Ann", bots=["", "simple", "simple"], listed=True, seats=3)
            kept = await ann.post("/api/records", str(m.record()))
            again = await ann.post(f"/api/matches/{kept['id']}/retry", {"deal": 1, "number": 1})
            told = {
                ("post", "/api/tables"): made,
                ("post", "/api/records"): kept,
                ("post", "/api/matches/{id}/retry"): again,
            }
            match = {"id": kept["id"]}
            for path, parts in (
                ("/api/games", {}),
                ("/api/games/{name}", {"name": "pope-joan"}),
                ("/api/games/{name}/rules", {"name": "pope-joan"}),
                ("/api/tables", {}),
                ("/api/tables/{id}", {"id": made["code"]}),
                ("/api/me", {}),
                ("/api/matches", {}),
                ("/api/matches/{id}", match),
                ("/api/matches/{id}/frames", match),
                ("/api/statistics", {}),
                ("/healthz", {}),
            ):
                told["get", path] = await ann.get(path.format(**parts))
            assert told["get", "/api/me"]["tables"]
            assert told["get", "/api/matches"]["matches"]
            for (method, path), one in told.items():
                jsonschema.validate(one, answer_of(method, path))

    asyncio.run(asyncio.wait_for(look(), 60))
