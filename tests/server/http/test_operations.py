"""The operations of the HTTP part: what is asked is checked as declared, and the descriptions that are made of them for
machines and for the site are whole.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
from starlette.datastructures import QueryParams

from cardtable import Match
from cardtable.client import Client
from cardtable.server import field_comments
from cardtable.server.app import described
from cardtable.server.field_comments import comments
from cardtable.server.http.answers import NewTable, RulesQuery
from cardtable.server.http.api import OPERATIONS
from cardtable.server.http.operations import QueryFault, read_query
from cardtable.server.rooms import wire
from cardtable.table import live
from cardtable.table.projection import HappeningSeen
from tests.support.server.served import Served

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import server_pages as pages  # noqa: E402  # the tools are scripts next to the package


def answer_of(method: str, path: str) -> dict[str, Any]:
    """The schema of what an operation answers when it is done."""
    responses = described()["paths"][path][method]["responses"]
    (done,) = (responses[status] for status in responses if status.startswith("2"))
    return {**done["content"]["application/json"]["schema"], "components": described()["components"]}


def sections(page: str) -> list[str]:
    """The headings of what a page of the site describes."""
    return re.findall(r"^### `(.*)`$", page, re.MULTILINE)


def test_the_page_of_requests_has_every_operation_and_structure() -> None:
    page = pages.requests()
    asked = {f"{told.method} {told.path}" for told in OPERATIONS}
    assert sorted(sections(page)) == sorted(asked | set(described()["components"]["schemas"]))
    assert all(told.text in page for told in OPERATIONS)
    preset = "* `preset` in the query, string (at most 60 letters), optional: "
    assert preset in page.partition("### `GET /api/games/{name}/rules`")[2].partition("###")[0]
    assert "| `game` | string |  | any of its names |\n" in page, "a comment of the setup that NewTable extends"


def test_every_parameter_and_field_is_described() -> None:
    """By a comment in the source, which is its `description` for programs too. A name that says it all needs none."""
    document = described()
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            bare = [parameter["name"] for parameter in one.get("parameters", []) if "description" not in parameter]
            assert not bare, f"{method} {path}"
    structures = document["components"]["schemas"] | document["x-messages"]["$defs"]
    bare = [
        f"{name}.{field}"
        for name, schema in structures.items()
        for field, one in schema.get("properties", {}).items()
        if field != "type" and "description" not in one
    ]
    assert bare == []


def test_the_page_of_messages_has_every_message_and_structure() -> None:
    page = pages.messages()
    description = wire.schema()
    kinds = description["client"]["anyOf"] + description["server"]["anyOf"]
    named = {pages.name_of(kind) for kind in kinds}
    words = [description["$defs"][name]["properties"]["type"]["enum"][0] for name in named]
    assert sorted(sections(page)) == sorted([*words, *(description["$defs"].keys() - named)])


@pytest.mark.parametrize("page", [pages.requests, pages.messages], ids=["requests", "messages"])
def test_links_of_the_pages_lead_to_their_structures(page: Any) -> None:
    text = page()
    marks = re.findall(r"^\((.*)\)=$", text, re.MULTILINE)
    assert len(marks) == len(set(marks))
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) <= set(marks)


def test_the_guide_has_every_message_and_the_beginning_of_every_address() -> None:
    guide = (ROOT / "docs" / "server.md").read_text("utf-8")
    tables = "".join(line for line in guide.splitlines() if line.startswith("| "))
    assert {kind for kind in wire.Incoming.__args__ + wire.Outgoing.__args__ if f"`{tag(kind)}`" not in tables} == set()
    beginnings = {"/".join(told.path.split("/")[:3]) for told in OPERATIONS}
    assert {beginning for beginning in beginnings if beginning not in guide} == set()


def test_every_kind_of_happening_is_described() -> None:
    described_kinds = re.findall(r"[\w-]+", comments(HappeningSeen)["kind"])
    assert sorted(described_kinds) == sorted(tag(event) for event in live._DO)


def tag(kind: Any) -> str:
    """The word by which a message or an entry of the log is known."""
    return str(kind.__struct_config__.tag)


def test_every_operation_is_described() -> None:
    """Each has a separate summary, and each part of its address is a parameter."""
    found = {(told.method.lower(), told.path) for told in OPERATIONS}
    assert found == {(method, path) for path, methods in described()["paths"].items() for method in methods}
    assert len({told.summary for told in OPERATIONS}) == len(OPERATIONS) == len(found)
    for told in OPERATIONS:
        parameters = described()["paths"][told.path][told.method.lower()].get("parameters", [])
        assert [one["name"] for one in parameters if one["in"] == "path"] == (
            [told.path.partition("{")[2].partition("}")[0]] if "{" in told.path else []
        )


def test_without_its_source_a_structure_has_no_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_source(module: Any) -> str:
        raise OSError

    monkeypatch.setattr("inspect.getsource", no_source)
    assert field_comments._classes.__wrapped__("cardtable.table.setup") == {}


def test_types_are_spelled_in_words() -> None:
    fields = described()["components"]["schemas"]["NewTable"]["properties"]
    assert pages.spelled(fields["bots"], "request") == "list of string"
    assert pages.spelled(fields["window"], "request") == "integer"
    assert pages.spelled({"$ref": "#/components/schemas/Made"}, "request") == "[`Made`](#request-made)"
    assert pages.spelled(msgspec.json.schema(int | None), "request") == "integer or null"
    assert set(comments(NewTable)) > {"game", "bots", "sit"}


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
        read_query(RulesQuery, QueryParams(query))
    assert fault.value.word == word
    assert why in fault.value.should_be


def test_a_query_is_read_as_declared() -> None:
    assert read_query(RulesQuery, QueryParams("seats=4&preset=stops&ante=2")) == RulesQuery("stops", 4)
    assert read_query(RulesQuery, QueryParams("seats=&preset=")) == RulesQuery()


async def test_answers_are_as_described(server: Served) -> None:
    """Every operation that answers JSON, with a table, a finished match and a record of one's own."""
    m = Match("fan-tan", 3, seed="1", deals=1)
    while not m.over:
        m.play(m.legal()[0])

    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", name="Ann", bots=["", "medium", "medium"], listed=True, seats=3)
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
