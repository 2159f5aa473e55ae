"""Generate JSON Schemas of models from their annotations, and build other schemas.

Invariant *closed*: an object has exactly the members of its schema.
Invariant *null is explicit*: a member that may be null is `anyOf` its type and `null`, because
generators of clients ignore lists of types; one that may be absent is not required.
"""

from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from purewire.absent import Absent
from purewire.structuring.json_schema import Schema

_TYPES: Final[Mapping[Any, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def object_of(properties: Mapping[str, Schema], optional: Iterable[str] = ()) -> Schema:
    """Return the schema of an object with exactly these members; `optional` ones may be absent."""
    absent = set(optional)
    return {
        "type": "object",
        "required": [name for name in properties if name not in absent],
        "properties": dict(properties),
        "additionalProperties": False,
    }


def items_of(schema: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


def choice(values: Iterable[str]) -> Schema:
    """Return the schema of a text that is one of some values."""
    return {"type": "string", "enum": list(values)}


class ModelSchemas:
    """Schemas of models, each defined once and referenced by its name.

    Args:
        known: Schemas of members that are stricter than their annotations, by `Card.key`, or by
            `.date` for members of this name in any model.
        described: Descriptions of members of any model by name.

    """

    def __init__(self, known: Mapping[str, Schema], described: Mapping[str, str]) -> None:
        self._known = known
        self._described = described
        self.components: Final[dict[str, Schema]] = {}

    def of(self, model: type[attrs.AttrsInstance]) -> Schema:
        """Add the schema of a model to the components, and return a reference to it.

        Raises:
            KeyError: The type of a member is neither plain nor a model.

        """
        name = model.__name__
        if name not in self.components:
            self.components[name] = {}  # reserves its place before its parts
            hints = get_type_hints(model, include_extras=True)
            members = {field.name: hints[field.name] for field in attrs.fields(model)}
            self.components[name] = object_of(
                {field: self._member(name, field, hint) for field, hint in members.items()},
                [field for field, hint in members.items() if Absent in get_args(hint)],
            )
        return {"$ref": f"#/components/schemas/{name}"}

    def _member(self, model: str, field: str, hint: Any) -> Schema:  # noqa: ANN401 # an annotation
        known = self._known.get(f"{model}.{field}") or self._known.get(f".{field}")
        schema = self._annotated(hint) if known is None else known
        described = self._described.get(field)
        return schema if described is None else {**schema, "description": described}

    def _annotated(self, hint: Any) -> Schema:  # noqa: ANN401 # typing reflects what has no type
        """Return the schema of an annotation."""
        origin = get_origin(hint)
        if origin is Annotated:
            return self._annotated(get_args(hint)[0])
        if origin in (Union, UnionType):
            return self._union([member for member in get_args(hint) if member is not Absent])
        if origin is Literal:
            return choice(get_args(hint))
        if origin is tuple:
            return items_of(self._annotated(get_args(hint)[0]))
        return self.of(hint) if attrs.has(hint) else {"type": _TYPES[hint]}

    def _union(self, members: list[Any]) -> Schema:
        schemas = [self._annotated(member) for member in members]
        if len(schemas) == 1:
            return schemas[0]
        return {"anyOf": schemas}
