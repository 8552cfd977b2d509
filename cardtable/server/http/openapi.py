"""The machine-readable description of the server, made from its operations: OpenAPI 3.1 for HTTP, JSON schema for the
messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.responses import Response

from cardtable import __version__
from cardtable.server.http.answers import Problem
from cardtable.server.http.operations import Operation
from cardtable.server.rooms import wire

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"
BODIES = {str: "application/toml"}  #: the media types of bodies; others are JSON
OPERATORS = (401, 403)  #: an operation for the operator may also be refused with these
ALWAYS = (429, 503)  #: every operation may be refused with these
WITH_BODY = (400, 403, 413)  #: an operation with a body may also be refused with these


def document(operations: Sequence[Operation], prefix: str = "") -> Schema:
    """The whole description. prefix: the path below which the site is."""
    kinds = [
        kind
        for told in operations
        for kind in (told.body_type, told.answer_type)
        if kind is told.body_type or _is_structure(kind)
    ]
    wanted = [Problem, *dict.fromkeys(kind for kind in kinds if kind is not None)]
    schemas, definitions = wire.schemas_of(wanted, REFERENCE)
    known = dict(zip(wanted, schemas, strict=True))
    paths: Schema = {}
    for told in operations:
        paths.setdefault(told.path, {})[told.method.lower()] = _operation(told, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Cardtable",
            "version": __version__,
            "description": "Tables for card games. The socket at /ws is described under x-messages.",
        },
        "servers": [{"url": prefix or "/"}],
        "paths": paths,
        "components": {"schemas": definitions},
        "x-messages": wire.schema(),
    }


def _is_structure(kind: Any) -> bool:
    """Whether an answer is described field by field; others are files of some media type."""
    return not (isinstance(kind, type) and issubclass(kind, Response))


def _unstructured(media_type: str) -> Schema:
    return {"type": "object"} if media_type == "application/json" else {"type": "string"}


def _operation(told: Operation, known: dict[Any, Schema]) -> Schema:
    kind = told.media_type
    content = {
        kind.partition(";")[0]: {
            "schema": known[told.answer_type] if _is_structure(told.answer_type) else _unstructured(kind)
        }
    }
    responses: Schema = {str(told.status): {"description": "done", "content": content}}
    refused = {"description": "refused", "content": {"application/json": {"schema": known[Problem]}}}
    more = (WITH_BODY if told.body_type else ()) + (OPERATORS if told.operator else ())
    for code in sorted({*told.refusals, *ALWAYS, *more}):
        responses[str(code)] = refused
    found: Schema = {
        "summary": told.summary,
        "description": told.text,
        "operationId": told.handler.__name__,
        "responses": responses,
    }
    if parameters := [*_parameters(told.path_type, "path"), *_parameters(told.query_type, "query")]:
        found["parameters"] = parameters
    if told.body_type is not None:
        body = BODIES.get(told.body_type, "application/json")
        found["requestBody"] = {"required": True, "content": {body: {"schema": known[told.body_type]}}}
    return found


def _parameters(kind: Any, place: str) -> list[Schema]:
    """The fields of a structure as parameters of an address; an optional parameter cannot be `null` there."""
    if kind is None:
        return []
    found = []
    for field in msgspec.structs.fields(kind):
        schema = msgspec.json.schema(field.type)
        schema = next((part for part in schema.get("anyOf", ()) if part.get("type") != "null"), schema)
        found.append({"name": field.name, "in": place, "required": field.required, "schema": schema})
    return found
