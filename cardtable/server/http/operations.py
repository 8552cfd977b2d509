"""The operations of the HTTP part, each declared once.

The declaration gives its route, the checks of its arguments, and its part of the OpenAPI description, from which
tools/server_pages.py makes a page of the site. A handler is declared by `@operation("GET /api/matches/{id}", ...)`. Its
parameters `path`, `query` and `body` are checked against the structures in their annotations (`body: str` is a record's
text), its annotated result is the answer, and its docstring is the description, with the summary in the first line.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

import msgspec
from starlette.datastructures import QueryParams
from starlette.responses import Response

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True)
class Operation:
    """An operation.

    `path_type`, `query_type`, `body_type`: the structures of its arguments; None: it has none of that sort.
    """

    method: str
    path: str
    handler: Callable[..., Any]
    text: str  #: its description, Markdown
    status: int  #: of a successful answer
    refusals: tuple[int, ...]  #: the statuses of its refusals, in addition to those of every operation
    rate: str  #: the rate that limits a caller (`NAME_rate` in the settings); "": none
    shared: bool  #: the answer is the same for everybody
    operator: bool  #: only the operator and the moderators may ask
    alone: bool  #: only the operator
    path_type: Any
    query_type: Any
    body_type: Any
    answer_type: Any

    @property
    def summary(self) -> str:
        """Its description in one line."""
        return self.text.partition("\n")[0].rstrip(".")

    @property
    def media_type(self) -> str:
        """The media type of the answer."""
        kind = self.answer_type
        return str(kind.media_type) if isinstance(kind, type) and issubclass(kind, Response) else "application/json"


def operation(
    request: str,
    *,
    status: int = 200,
    refusals: tuple[int, ...] = (),
    rate: str = "request",
    shared: bool = False,
    operator: bool = False,
    alone: bool = False,
) -> Callable[[Handler], Handler]:
    """Declare a handler, for a request such as `GET /api/games/{name}`; the other arguments are the fields of
    `Operation`.
    """
    method, path = request.split()

    def declared(handler: Handler) -> Handler:
        hints = get_type_hints(handler, include_extras=True)
        kinds = {f"{part}_type": hints.get(part) for part in ("path", "query", "body")}
        text = inspect.getdoc(handler) or ""
        declaration = Operation(
            method,
            path,
            handler,
            text,
            status=status,
            refusals=refusals,
            rate=rate,
            shared=shared,
            operator=operator,
            alone=alone,
            answer_type=hints["return"],
            **kinds,
        )
        handler.operation = declaration  # type: ignore[attr-defined]
        return handler

    return declared


def operations_of(kind: type) -> list[Operation]:
    """The operations that a class declares, in their order."""
    return [thing.operation for thing in vars(kind).values() if hasattr(thing, "operation")]


class QueryFault(ValueError):
    """An invalid parameter of a query: `word` as in the address, and the expected kind."""

    def __init__(self, word: str, should_be: str) -> None:
        super().__init__(f"{word} should be {should_be}")
        self.word, self.should_be = word, should_be


def read_path(kind: type, given: dict[str, str]) -> Any:
    """The parts of an address. Raises msgspec.ValidationError."""
    return msgspec.convert(given, kind, strict=False)


def read_query(kind: type, given: QueryParams) -> Any:
    """The parameters of a query that are fields of a structure; an empty one counts as left out. Raises QueryFault."""
    words = {field.name: given[field.name] for field in msgspec.structs.fields(kind) if given.get(field.name)}
    for field in msgspec.structs.fields(kind):
        if field.name in words:
            try:
                msgspec.convert(words[field.name], field.type, strict=False)
            except msgspec.ValidationError:
                raise QueryFault(f"{field.name}={words[field.name][:20]}", _described(field.type)) from None
    return msgspec.convert(words, kind, strict=False)


def parameter_schema(kind: Any) -> dict[str, Any]:
    """The JSON schema of a parameter of an address, where an optional one cannot be `null`."""
    schema = msgspec.json.schema(kind)
    return next((part for part in schema.get("anyOf", ()) if part.get("type") != "null"), schema)


def _described(kind: Any) -> str:
    """A description of the values that a parameter of a query can have."""
    schema = parameter_schema(kind)
    if schema.get("type") == "integer":
        return f"a whole number from {schema.get('minimum')} to {schema.get('maximum')}"
    return f"at most {schema['maxLength']} letters" if "maxLength" in schema else "text"
