"""The published schemas of a product: documents by name, OpenAPI, and TypeScript declarations.

Invariant *self-contained*: a document has all definitions that it refers to.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from purewire.structuring.json_schema import DIALECT, Schema, reachable
from purewire.structuring.typescript import declarations

__all__ = [
    "NOT_IN_SCHEMA",
    "OPENAPI",
    "TYPES",
    "NotInSchema",
    "SchemaSet",
    "document",
    "rules_of_groups",
]

OPENAPI: Final = "openapi"
TYPES: Final = "types"
NOT_IN_SCHEMA: Final = "not-in-schema"
_DECLARATIONS: Final = "d.ts"
_DOCUMENT: Final = "json"


@attrs.frozen
class NotInSchema:
    """A rule that JSON Schema cannot state.

    Attributes:
        rule: id of a finding, or of a rule of the contract.
        kind: why no schema can state it, in a word.
        reason: what it would take.

    """

    rule: str
    kind: str
    reason: str


@attrs.frozen
class SchemaSet:
    """The schemas of a product.

    Attributes:
        product: the folder of their files, as `device-status`.
        documents: name to schema.
        openapi: OpenAPI 3.1 document of the HTTP interface.
        types: name of the TypeScript type to its schema.
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
        rules = [attrs.asdict(each) for each in self.not_in_schema]
        value = {OPENAPI: self.openapi, NOT_IN_SCHEMA: rules, **self.documents}[name]
        return f"{json.dumps(value, indent=2)}\n"

    def file(self, name: str) -> str:
        """Return the path of the file of a name, below the folder `schemas`."""
        suffix = _DECLARATIONS if name == TYPES else _DOCUMENT
        return f"{self.product}/{name}.{suffix}"


def document(product: str, name: str, schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """Return a schema as a document of its own.

    Args:
        product: as in `SchemaSet`.
        name: the name of the document.
        schema: a reference to a definition, or a schema with a title.
        definitions: where references lead.

    """
    head = {"$schema": DIALECT, "$id": f"urn:status-contracts:{product}:{name}"}
    root = {**definitions[schema["$ref"].rpartition("/")[2]]} if "$ref" in schema else schema
    parts = {each: definitions[each] for each in reachable(root, definitions)}
    return {**head, **root, **({"$defs": parts} if parts else {})}


def rules_of_groups(
    groups: Mapping[str, Sequence[str]], rule_ids: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Return the ids of the rules of each model.

    Args:
        groups: model to the groups of its rules, as `WINDOW`.
        rule_ids: all ids of the contract, as `DS-WINDOW-07`.

    """
    by_group: dict[str, list[str]] = {}
    for rule_id in rule_ids:
        by_group.setdefault(rule_id.split("-")[1], []).append(rule_id)
    found = {
        model: tuple(rule for group in names for rule in by_group.get(group, ()))
        for model, names in groups.items()
    }
    return {model: rules for model, rules in found.items() if rules}
