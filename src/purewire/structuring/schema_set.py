"""The published schemas of a product: documents by name, OpenAPI, and TypeScript declarations.

A TypeScript declaration has members, types, constants and null.  Limits, forms of text and rules
between members are not in it; the schemas have them.

Invariant *self-contained*: a document has all definitions that it refers to.
Invariant *closed*: an object literal with an unknown member does not compile, unless its schema
has `additionalProperties`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from purewire.json import codec
from purewire.structuring.json_schema import DIALECT, Schema, reachable

OPENAPI: Final = "openapi"
TYPES: Final = "types"
NOT_IN_SCHEMA: Final = "not-in-schema"
_DECLARATIONS: Final = "d.ts"
_DOCUMENT: Final = "json"
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


_REASONS: Final = {
    "bytes": "A schema sees the decoded value, not its text.",
    "unicode": "No pattern for lone surrogates compiles in Rust and Go, whose text has none.",
    "url": "Tables of the URL standard have the valid hosts.",
    "configuration": "Each deployment configures its own; the schema is the same for all.",
    "clock": "The receive time is not part of the value.",
    "members": "No keyword compares two members, or an item with the one before it.",
    "depth": "No keyword counts levels.",
}
"""Kind of a rule to the reason why no schema can state it."""


@attrs.frozen
class NotInSchema:
    """A rule that JSON Schema cannot state.

    Attributes:
        rule: id of a finding, or of a rule of the contract.
        kind: why no schema can state it, in a word.

    """

    rule: str
    kind: str


@attrs.frozen
class SchemaSet:
    """The schemas of a product.

    Attributes:
        product: the folder of their files, as `device-status`.
        not_in_schema: the rules that the documents do not state.

    """

    product: str
    documents: Mapping[str, Schema]
    openapi: Mapping[str, Any]
    types: Mapping[str, Schema]
    not_in_schema: tuple[NotInSchema, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that `text` takes."""
        listed = (NOT_IN_SCHEMA,) if self.not_in_schema else ()
        return (*self.documents, OPENAPI, TYPES, *listed)

    def text(self, name: str) -> str:
        """Return the text of a document, of `openapi`, `types` or `not-in-schema`.

        Raises:
            KeyError: there is no such name.

        """
        if name == TYPES:
            return declarations(
                self.types, f"Types of {self.product}; the schemas have the limits."
            )
        rules = [
            {"rule": it.rule, "kind": it.kind, "reason": _REASONS[it.kind]}
            for it in self.not_in_schema
        ]
        value = {OPENAPI: self.openapi, NOT_IN_SCHEMA: rules, **self.documents}[name]
        return f"{json.dumps(value, indent=2)}\n"

    def file(self, name: str) -> str:
        """Return the path of the file of a name, below the folder `schemas`."""
        suffix = _DECLARATIONS if name == TYPES else _DOCUMENT
        return f"{self.product}/{name}.{suffix}"


def document(product: str, name: str, schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """Return a schema, or a reference to one of the definitions, as a document of its own."""
    head = {"$schema": DIALECT, "$id": f"urn:status-contracts:{product}:{name}"}
    root = {**definitions[schema["$ref"].rpartition("/")[2]]} if "$ref" in schema else schema
    parts = {name: definitions[name] for name in reachable(root, definitions)}
    return {**head, **root, **({"$defs": parts} if parts else {})}


def rules_of_groups(
    groups: Mapping[str, Sequence[str]], rule_ids: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Return the ids of the rules of each model by its groups: `WINDOW` in `DS-WINDOW-07`."""
    by_group: dict[str, list[str]] = {}
    for rule_id in rule_ids:
        by_group.setdefault(rule_id.split("-")[1], []).append(rule_id)
    rules_by_model = {
        model: tuple(rule for group in names for rule in by_group.get(group, ()))
        for model, names in groups.items()
    }
    return {model: rules for model, rules in rules_by_model.items() if rules}


def declarations(definitions: Mapping[str, Schema], head: str) -> str:
    """Return the text of a declaration file with one exported type for each definition.

    `head` is the comment at its start, without delimiters.
    """
    blocks = [
        _comment(head, ""),
        *(_declaration(*definition) for definition in definitions.items()),
    ]
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
        return _union(_type(choice, indent) for choice in schema["anyOf"])
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
