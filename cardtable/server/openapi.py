"""The machine-readable description of the server: OpenAPI 3.1 for HTTP, JSON schema for the messages."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from cardtable import __version__, review
from cardtable.server import wire
from cardtable.server.api import NewTable, Retry

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
OBJECT: Schema = {"type": "object"}
GRADE: Schema = {"enum": list(review.GRADES)}
GRADES: Schema = {"type": "object", "propertyNames": GRADE, "additionalProperties": WHOLE}
PROBLEM: Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "what", "why", "can", "message"],
            "properties": dict.fromkeys(("code", "what", "why", "can"), TEXT) | {"message": OBJECT},
        }
    },
}


def listed(name: str) -> Schema:
    """An object with a list."""
    return {"type": "object", "required": [name], "properties": {name: {"type": "array", "items": OBJECT}}}


def fields(**kinds: Schema) -> Schema:
    """An object with these fields, all of them there."""
    return {"type": "object", "required": list(kinds), "properties": kinds}


DECISIONS: Schema = {
    "type": "array",
    "items": fields(
        deal=WHOLE, number=WHOLE, seat=WHOLE, move=TEXT, best=TEXT, estimate=NUMBER, best_estimate=NUMBER,
        loss={"type": "number", "minimum": 0}, error=NUMBER, scale=NUMBER, grade=GRADE, worst={"type": "boolean"},
    ),
}  # fmt: skip


MADE = fields(id=TEXT, code=TEXT, path=TEXT)


def path_of(name: str, kind: Schema) -> Schema:
    """A part of an address."""
    return {"name": name, "in": "path", "required": True, "schema": kind}


def query_of(name: str) -> Schema:
    """A whole number of a query."""
    return {"name": name, "in": "query", "required": False, "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999}}


def word_of(name: str) -> Schema:
    """A word of a query."""
    return {"name": name, "in": "query", "required": False, "schema": {"type": "string", "maxLength": 60}}


def operation(
    summary: str, result: Schema | str, *parameters: Schema, body: Schema | str | None = None, status: int = 200, codes: tuple[int, ...] = ()
) -> Schema:
    """One operation. result and body: a schema of JSON, or the media type of something else; codes: how it may be refused."""

    def content(kind: Schema | str) -> Schema:
        return {kind: {"schema": TEXT}} if isinstance(kind, str) else {"application/json": {"schema": kind}}

    told: Schema = {"summary": summary, "responses": {str(status): {"description": "done", "content": content(result)}}}
    for code in sorted({*codes, 429, 503} | ({400, 403, 413} if body is not None else set())):
        told["responses"][str(code)] = {"description": "refused", "content": content(PROBLEM)}
    if parameters:
        told["parameters"] = list(parameters)
    if body is not None:
        told["requestBody"] = {"required": True, "content": content(body)}
    return told


def paths(setup: Schema, retry: Schema) -> Schema:
    """Every address of the API."""
    table = path_of("id", {"type": "string", "minLength": 1, "maxLength": 64})
    match = path_of("id", {"type": "integer", "minimum": 1})
    game = path_of("name", {"type": "string", "minLength": 1, "maxLength": 60})
    toml = "application/toml"
    return {
        "/api/languages": {"get": operation("The languages of the browser client", listed("languages"))},
        "/api/language": {
            "get": operation(
                "The messages of the first of some languages (`of`, parted by colons) that there is, or else of English",
                fields(code=TEXT, name=TEXT, plural=TEXT, messages={"type": "object", "additionalProperties": TEXT}),
                word_of("of"),
            )
        },
        "/api/games": {"get": operation("All games", listed("games"))},
        "/api/games/{name}": {"get": operation("A game: options, presets, rulebook page", OBJECT, game, codes=(404,))},
        "/api/games/{name}/rules": {
            "get": operation(
                "Its rulebook page for a preset, a number of players and house rules; every other word of the query is a house rule",
                fields(name=TEXT, title=TEXT, presets={"type": "array", "items": TEXT}, preset=TEXT, page=TEXT),
                game,
                word_of("preset"),
                query_of("seats"),
                codes=(400, 404),
            )
        },
        "/api/tables": {
            "get": operation("Listed tables with a free seat", listed("tables")),
            "post": operation("Make a table", MADE, body=setup, status=201),
        },
        "/api/tables/{id}": {"get": operation("A table's invite", OBJECT, table, codes=(404,))},
        "/api/tables/{id}/qr.svg": {"get": operation("The invite link as a QR code", "image/svg+xml", table, codes=(404,))},
        "/api/me": {"get": operation("The tables where you have a seat", listed("tables"))},
        "/api/matches": {"get": operation("Your finished matches", listed("matches"), query_of("before"), codes=(400,))},
        "/api/matches/{id}": {"get": operation("A finished match", OBJECT, match, codes=(404,))},
        "/api/matches/{id}/record": {"get": operation("Its record", toml, match, codes=(404,))},
        "/api/matches/{id}/frames": {
            "get": operation("One of its deals, step by step", listed("frames"), match, query_of("deal"), query_of("seat"), codes=(400, 404))
        },
        "/api/matches/{id}/review": {
            "get": operation(
                "What a seat's decisions in one of its deals were worth",
                fields(
                    deal=WHOLE,
                    deals=WHOLE,
                    seat=WHOLE,
                    iterations=WHOLE,
                    complete={"type": "boolean"},
                    of=WHOLE,
                    decisions=DECISIONS,
                    loss=NUMBER,
                    grades=GRADES,
                ),
                match,
                query_of("deal"),
                query_of("seat"),
                codes=(400, 404),
            )
        },
        "/api/matches/{id}/retry": {"post": operation("Play it on from before a move, against bots", MADE, match, body=retry, status=201, codes=(404,))},
        "/api/records": {"post": operation("Keep a record", fields(id=WHOLE), body=toml, status=201)},
        "/api/verify": {"post": operation("Check the proof of a record's shuffle", fields(ok={"const": True}, seed=TEXT, moves=WHOLE), body=toml)},
        "/api/statistics": {"get": operation("Your matches in each game", listed("games"))},
        "/healthz": {"get": operation("Whether the server works", fields(ok={"type": "boolean"}))},
    }


@cache
def document() -> Schema:
    """The whole description."""
    bodies, definitions = msgspec.json.schema_components([NewTable, Retry], ref_template="#/components/schemas/{name}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cardtable", "version": __version__, "description": "Tables for card games. The socket at /ws is described under x-messages."},
        "paths": paths(*bodies),
        "components": {"schemas": definitions},
        "x-messages": wire.schema(),
    }
