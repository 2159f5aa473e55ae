"""Print TypeScript declarations of the schemas that `purewire.structuring.json_schema` generates.

A declaration has members, types, constants and null.  Limits, forms of text and rules between
members are not in it; the schemas have them.

Invariant *closed*: an object literal with an unknown member does not compile, unless its schema
has `additionalProperties`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from purewire.json import codec
from purewire.structuring.json_schema import Schema

__all__ = ["declarations"]

_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_SCALARS: Final = {
    None: "unknown",
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_INDENT: Final = "  "


def declarations(definitions: Mapping[str, Schema], head: str) -> str:
    """Return the text of a declaration file with one exported type for each definition.

    Args:
        definitions: name of the type to its schema.
        head: comment at the start of the file, without delimiters.

    """
    blocks = [_comment(head, ""), *(_declaration(*each) for each in definitions.items())]
    return "\n".join(blocks)


def _declaration(name: str, schema: Schema) -> str:
    comment = _comment(schema.get("description", ""), "")
    if _is_interface(schema):
        return f"{comment}export interface {name} {_object(schema, '')}\n"
    return f"{comment}export type {name} = {_type(schema, '')};\n"


def _is_interface(schema: Schema) -> bool:
    return schema.get("type") == "object" and "properties" in schema


def _comment(text: str, indent: str) -> str:
    safe = text.replace("*/", "* /")
    return f"{indent}/** {safe} */\n" if safe else ""


def _type(schema: Schema, indent: str) -> str:
    if "$ref" in schema:
        return _reference(schema)
    if "const" in schema or "enum" in schema:
        return _union(map(_constant, schema.get("enum", [schema.get("const")])))
    if "anyOf" in schema:
        return _union(_type(each, indent) for each in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        inner = _type(schema.get("items", {}), indent)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    return _object(schema, indent) if kind == "object" else _SCALARS[kind]


def _reference(schema: Schema) -> str:
    """Return the name of the type; members that are required here only, are required."""
    name = str(schema["$ref"]).rpartition("/")[2]
    required = schema.get("required")
    if not required:
        return name
    return f"{name} & Required<Pick<{name}, {_union(map(_constant, required))}>>"


def _constant(value: Any) -> str:  # noqa: ANN401 - a JSON value
    if isinstance(value, list):
        return f"[{', '.join(map(_constant, value))}]"
    return codec.encode(value).decode()


def _union(types: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def _object(schema: Schema, indent: str) -> str:
    lines = list(_members(schema, indent + _INDENT))
    return "{\n" + "".join(lines) + indent + "}" if lines else "Record<string, never>"


def _members(schema: Schema, indent: str) -> Iterator[str]:
    required = set(schema.get("required", ()))
    named: Mapping[str, Schema] = schema.get("properties", {})
    for name, member in named.items():
        yield _comment(member.get("description", ""), indent)
        key = name if _IDENTIFIER.fullmatch(name) else _constant(name)
        mark = "" if name in required else "?"
        yield f"{indent}{key}{mark}: {_type(member, indent)};\n"
    others = schema.get("additionalProperties", {})
    if others is not False:
        # Next to named members, only `unknown` is compatible with all of their types.
        kind = "unknown" if named else _type(others, indent)
        yield f"{indent}[member: string]: {kind};\n"
