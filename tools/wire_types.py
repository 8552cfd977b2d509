"""What the server sends and understands, as types for the browser client: TypeScript declarations from its schema.

`check_client.py` writes them to build/wire/index.d.ts, where a comment in the client finds them: `import("wire").Move`.
"""

from __future__ import annotations

import json
from typing import Any

from cardtable.server.app import described

Schema = dict[str, Any]
SIMPLE = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
HEADER = '// Made by tools/wire_types.py from the server\'s schema.\ntype Value = import("{message}").Value;\n'


def declarations(message: str) -> str:
    """A type for each structure. message: the module of the client that declares what a text is made of."""
    document = described()
    structures: dict[str, Schema] = {**document["components"]["schemas"], **document["x-messages"]["$defs"]}
    types = [f"export type {name} = {_type(schema)};\n" for name, schema in sorted(structures.items())]
    return HEADER.format(message=message) + "".join(types)


def _type(schema: Schema) -> str:
    """A schema as a type. What has no schema is a text."""
    if reference := schema.get("$ref"):
        return str(reference).rpartition("/")[2]
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(map(_type, options))
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        if items := schema.get("prefixItems"):
            return f"[{', '.join(map(_type, items))}]"
        return f"({_type(schema.get('items', {}))})[]"
    if schema.get("type") == "object":
        return _object(schema)
    return SIMPLE[schema["type"]] if "type" in schema else "Value"


def _object(schema: Schema) -> str:
    if "properties" not in schema:
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'any'}>"
    required = set(schema.get("required", ()))
    fields = [
        f"{json.dumps(name)}{'' if name in required else '?'}: {_type(field)}"
        for name, field in schema["properties"].items()
    ]
    return f"{{ {'; '.join(fields)} }}"
