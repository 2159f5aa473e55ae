"""The published schemas of a product: documents by name, and OpenAPI.

Invariant *self-contained*: a document has all definitions that it refers to.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from status_contracts.structuring.json_schema import DIALECT, Schema, reachable

OPENAPI: Final = "openapi"


@attrs.frozen
class SchemaSet:
    """The schemas of a product; `product` is the folder of their files, as `device-status`."""

    product: str
    documents: Mapping[str, Schema]
    openapi: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The names that `text` takes."""
        return (*self.documents, OPENAPI)

    def text(self, name: str) -> str:
        """Return the text of a document or of `openapi`; raise KeyError for another name."""
        value = {OPENAPI: self.openapi, **self.documents}[name]
        return f"{json.dumps(value, indent=2)}\n"


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
