"""The reference pages of the server, rendered from its description and its settings: the site has them (docs/conf.py).

python tools/server_pages.py requests    prints a page: requests, socket or settings
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cardtable.server import configuration
from cardtable.server.app import described
from cardtable.server.rooms import wire
from cardtable.server.settings import Settings

Schema = dict[str, Any]
#: the sections of the page of requests, with the beginnings of the addresses in each; the last takes what is left
SECTIONS = {
    "Games and languages": ("/api/games", "/api/language", "/api/glossary", "/api/tasks"),
    "Tables": ("/api/tables", "/api/site"),
    "Matches, records and statistics": ("/api/matches", "/api/records", "/api/verify", "/api/statistics"),
    "Deals of the day, numbered deals": ("/api/daily", "/api/deals"),
    "People and devices": ("/api/me", "/api/link"),
    "The operator": ("/api/admin",),
    "The server": ("/",),
}
TABLE = ["| field | type | default | meaning |", "|---|---|---|---|"]
HUGE = 1 << 31  #: a limit that only keeps numbers within 32 bits is not worth a word


def requests() -> str:
    """All requests, and the structures of their bodies and answers."""
    description = described()
    structures = description["components"]["schemas"]
    lines: list[str] = []
    for title, entries in in_sections(description["paths"]):
        lines += [f"## {title}", ""]
        for address, operation in entries:
            lines += request(address, operation)
    lines += ["## Structures", ""]
    for name, schema in sorted(structures.items()):
        lines += structure(f"`{name}`", schema, target(name, "request"), "request")
    return "\n".join(lines)


def in_sections(paths: Schema) -> Iterator[tuple[str, list[tuple[str, Schema]]]]:
    """The requests by their sections: `GET /api/me` and so on, each with its description."""
    pairs = ((path, method) for path, methods in paths.items() for method in methods)
    remaining = {f"{method.upper()} {path}": paths[path][method] for path, method in pairs}
    for title, beginnings in SECTIONS.items():
        entries = [entry for entry in remaining.items() if entry[0].split()[1].startswith(beginnings)]
        yield title, entries
        for address, _ in entries:
            del remaining[address]


def request(address: str, operation: Schema) -> list[str]:
    """A request: what it does, its parameters, its body, its answers."""
    lines = [f"### `{address}`", "", operation["description"], ""]
    for parameter in operation.get("parameters", []):
        optional = "" if parameter["required"] else ", optional"
        kind = spelled(parameter["schema"], "request")
        meaning = f": {parameter['description']}" if "description" in parameter else ""
        lines.append(f"* `{parameter['name']}` in the {parameter['in']}, {kind}{optional}{meaning}")
    for media, content in operation.get("requestBody", {"content": {}})["content"].items():
        lines.append(f"* body: {contents(media, content)}")
    refusals = [status for status in operation["responses"] if not status.startswith("2")]
    for status, response in operation["responses"].items():
        if status not in refusals:
            lines += [f"* answer {status}: {contents(*only)}" for only in response["content"].items()]
    return [*lines, f"* refusals: {', '.join(refusals)}", ""]


def contents(media: str, content: Schema) -> str:
    """What a body or an answer is: a structure, or a file of some type."""
    return spelled(content["schema"], "request") if media == "application/json" else f"`{media}`"


def messages() -> str:
    """All messages of the socket, and the structures in them."""
    description = wire.schema()
    definitions = description["$defs"]
    lines = [f"The version of the protocol is {description['protocol']}.", ""]
    top: set[str] = set()
    for side, title in (("client", "From the client"), ("server", "From the server")):
        lines += [f"## {title}", ""]
        for part in description[side]["anyOf"]:
            name = name_of(part)
            top.add(name)
            schema = definitions[name]
            own = {field: one for field, one in schema["properties"].items() if field != "type"}
            heading = f"`{schema['properties']['type']['enum'][0]}`"
            mark = target(name, "message")
            lines += structure(heading, schema | {"properties": own}, mark, "message")
    lines += ["## Structures", ""]
    for name in sorted(definitions.keys() - top):
        lines += structure(f"`{name}`", definitions[name], target(name, "message"), "message")
    return "\n".join(lines)


def settings() -> str:
    """All settings, with their defaults."""
    meanings = configuration.described()
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    for setting in fields(Settings):
        value = configuration.as_toml(setting.default)
        lines.append(f"| `{setting.name}` | `{value}` | {cell(meanings[setting.name])} |")
    return "\n".join(lines)


def structure(heading: str, schema: Schema, mark: str, page: str) -> list[str]:
    """A structure under its heading, with a table of its fields."""
    lines = [f"({mark})=", "", f"### {heading}", "", schema.get("description", ""), ""]
    rows = [
        f"| `{name}` | {cell(spelled(field, page))} | {code(field['default']) if 'default' in field else ''} "
        f"| {cell(field.get('description', ''))} |"
        for name, field in schema.get("properties", {}).items()
    ]
    return [*lines, *TABLE, *rows, ""] if rows else lines


def spelled(schema: Schema, page: str) -> str:
    """The type of a value, in words; a structure is a link to it."""
    if "$ref" in schema:
        return f"[`{name_of(schema)}`](#{target(name_of(schema), page)})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(spelled(part, page) for part in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(code(value) for value in schema["enum"])
    if schema.get("type") == "array":
        inner = spelled(schema["items"], page) if schema.get("items") else "anything"
        return f"list of {inner}" + (f" (at most {schema['maxItems']})" if "maxItems" in schema else "")
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {spelled(schema['additionalProperties'], page)}"
    return str(schema.get("type", "anything")) + bounds(schema)


def bounds(schema: Schema) -> str:
    """The limits of a number or a text."""
    low, high = schema.get("minimum", -HUGE), schema.get("maximum", schema.get("exclusiveMaximum", HUGE + 1) - 1)
    if low > -HUGE:
        return f" from {low}" + (f" to {high}" if high < HUGE - 1 else "")
    parts = [f"at most {schema['maxLength']} letters"] if "maxLength" in schema else []
    parts += [code(schema["pattern"])] if "pattern" in schema else []
    return f" ({', '.join(parts)})" if parts else ""


def name_of(reference: Schema) -> str:
    """The name of the structure to which a schema refers."""
    return str(reference["$ref"]).rpartition("/")[2]


def target(name: str, page: str) -> str:
    """The anchor of a structure on the page of requests or of messages."""
    return f"{page}-{name.lower()}"


def code(value: Any) -> str:
    """A value as JSON, or a text as it is."""
    return f"`{value if isinstance(value, str) and value else json.dumps(value)}`"


def cell(text: str) -> str:
    """A text within a table."""
    return text.replace("|", r"\|").replace("*", r"\*")


PAGES: dict[str, Callable[[], str]] = {"requests": requests, "socket": messages, "settings": settings}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PAGES:
        raise SystemExit(f"Name one of {', '.join(PAGES)}.")
    print(PAGES[sys.argv[1]]())
