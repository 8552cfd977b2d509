"""The machine-readable description of the server, generated from its operations: OpenAPI 3.1 for HTTP, JSON schema
for the messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.responses import Response

from cardtable import __version__
from cardtable.server.field_comments import comments
from cardtable.server.http.answers import Problem
from cardtable.server.http.operations import Operation, parameter_schema
from cardtable.server.rooms import wire

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"
BODIES = {str: "application/toml"}  #: the media types of bodies; others are JSON
OPERATORS = (401, 403)  #: an operation for the operator may also be refused with these
ALWAYS = (429, 503)  #: every operation may be refused with these
WITH_BODY = (400, 403, 413)  #: an operation with a body may also be refused with these
REFUSED = {
    400: "the request is invalid",
    401: "the operator's token is missing or wrong",
    403: "not allowed: the request comes from another site or a wrong address, or the person is banned",
    404: "there is no such thing, or not for this person",
    409: "not possible now",
    413: "the body is too long",
    429: "too many requests: Retry-After has the seconds to wait",
    503: "the server is too busy, or cannot save: try again",
}


def document(operations: Sequence[Operation], prefix: str = "") -> Schema:
    """The whole description. prefix: the path below which the site is."""
    kinds = [
        kind
        for operation in operations
        for kind in (operation.body_type, operation.answer_type)
        if kind is operation.body_type or _is_structure(kind)
    ]
    wanted = [Problem, *dict.fromkeys(kind for kind in kinds if kind is not None)]
    schemas, definitions = wire.schemas_of(wanted, REFERENCE)
    known = dict(zip(wanted, schemas, strict=True))
    paths: Schema = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Cardtable",
            "version": __version__,
            "description": "Tables for card games. x-messages describes the messages of the socket at /ws.",
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


def _operation(operation: Operation, known: dict[Any, Schema]) -> Schema:
    kind = operation.media_type
    content = {
        kind.partition(";")[0]: {
            "schema": known[operation.answer_type] if _is_structure(operation.answer_type) else _unstructured(kind)
        }
    }
    responses: Schema = {str(operation.status): {"description": "success", "content": content}}
    problem = {"application/json": {"schema": known[Problem]}}
    more = (WITH_BODY if operation.body_type else ()) + (OPERATORS if operation.operator else ())
    for code in sorted({*operation.refusals, *ALWAYS, *more}):
        responses[str(code)] = {"description": REFUSED[code], "content": problem}
    description: Schema = {
        "summary": operation.summary,
        "description": operation.text,
        "operationId": operation.handler.__name__,
        "responses": responses,
    }
    if parameters := [*_parameters(operation.path_type, "path"), *_parameters(operation.query_type, "query")]:
        description["parameters"] = parameters
    if operation.body_type is not None:
        body = BODIES.get(operation.body_type, "application/json")
        description["requestBody"] = {"required": True, "content": {body: {"schema": known[operation.body_type]}}}
    return description


def _parameters(kind: Any, place: str) -> list[Schema]:
    """The fields of a structure as parameters of an address."""
    if kind is None:
        return []
    meanings = comments(kind)
    return [
        {
            "name": field.name,
            "in": place,
            "required": field.required,
            "schema": parameter_schema(field.type),
            **({"description": meanings[field.name]} if field.name in meanings else {}),
        }
        for field in msgspec.structs.fields(kind)
    ]
