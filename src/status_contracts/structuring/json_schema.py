"""Generate JSON Schemas (2020-12) of models from their annotations, and the documents of a product.

A table of refinements adds what only a schema needs: forms of URLs, members that go together.

Invariant *stated once*: types, limits, constants and required members come from the annotations,
descriptions from the docstrings.
Invariant *one verdict everywhere*: validators in Python, Rust, Go and ECMAScript agree.  So
patterns have ASCII classes and no look-around, text refuses controls by a pattern of its own (in
Python `$` also matches before a line feed at the end), null is a member of `anyOf`, and a pattern
stands beside each `format`.
"""

import json
import re
from collections.abc import Iterable, Mapping
from textwrap import dedent
from typing import Any, Final

import attrs

from status_contracts.structuring import constraints, value_types

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
CONTROL: Final = r"[\x00-\x1f\x7f]"
"""Pattern of the ASCII control characters."""
NO_CONTROL: Final[Schema] = {"not": {"pattern": CONTROL}}
"""Text without ASCII control characters."""
JSON_VALUE: Final = "JsonValue"
"""Name of the definition of any JSON value."""

_UNCONSTRAINED: Final[Mapping[object, str]] = {
    value_types.Boolean(): "boolean",
    value_types.Plain(str): "string",
    value_types.Plain(int): "integer",
    value_types.Plain(float): "number",
    value_types.Plain(None): "null",
}
"""Types without a constraint."""
_LARGEST_NUMBER: Final = 1.7976931348623157e308
"""The largest finite double."""

_YEAR: Final = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
_LEAP: Final = "0[48]|[2468][048]|[13579][26]"
_MONTH_AND_DAY: Final = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
CALENDAR_DAY: Final = f"(?:{_YEAR}-{_MONTH_AND_DAY}|(?:[0-9]{{2}}(?:{_LEAP})|(?:{_LEAP})00)-02-29)"
"""Pattern of the days of the Gregorian calendar of the years 0001 to 9999, as YYYY-MM-DD."""
_TIME_OF_DAY: Final = "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_INSTANTS: Final = {
    constraints.TimestampFormat.MILLISECOND: (
        "MillisecondTimestamp",
        r"\.[0-9]{3}",
        "2026-01-31T12:00:00.000Z",
    ),
    constraints.TimestampFormat.UTC: ("UtcTimestamp", r"(?:\.[0-9]{1,3})?", "2026-01-31T12:00:00Z"),
}
"""Form to the name of its definition, the pattern of its fraction, and an example."""
_INSTANT_REFERENCES: Final = [f"#/$defs/{name}" for name, _, _ in _INSTANTS.values()]

_SECTION: Final = re.compile(r"^( *)Attributes:\n(.*?)(?=^\1\S|\Z)", re.MULTILINE | re.DOTALL)
_ENTRY: Final = re.compile(r"^(\w+): (.*(?:\n +.*)*)", re.MULTILINE)
_REFERENCE: Final = re.compile(r'"\$ref": "#/\$defs/(\w+)"')
_OF_NUMBERS: Final = ", ms since the epoch"
"""What docstrings say of the instants that are text in JSON."""


def matching(pattern: str, **keywords: object) -> Schema:
    """Return the schema of text that a pattern matches in full."""
    return {"type": "string", "pattern": f"^{pattern}$", **NO_CONTROL, **keywords}


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


def or_null(schema: Schema) -> Schema:
    """Return the schema of a value or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def title_of(name: str) -> str:
    """Return a name in words: `WindowEvent` as `Window event`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r" \1", name).capitalize()


def describe(model: type) -> tuple[str, dict[str, str]]:
    """Return the summary of a model's docstring, and the descriptions of its attributes.

    Those of base classes count where the model has none of its own.
    """
    described: dict[str, str] = {}
    for base in reversed(model.__mro__):
        section = _SECTION.search(base.__doc__ or "")
        entries = _ENTRY.findall(dedent(section[2])) if section else []
        described |= {name: " ".join(text.split()) for name, text in entries}
    summary = " ".join((model.__doc__ or "").partition("\n\n")[0].split())
    return _as_json(summary), {name: _as_json(text) for name, text in described.items()}


def _as_json(text: str) -> str:
    return text.replace("ABSENT", "absent").replace("None", "null")


@attrs.frozen(eq=False, kw_only=True)
class SchemaBuilder:
    """Schemas of models, each defined once and referenced by its name.

    Args:
        refinements: `Model`, `Model.member`, or `.member` of any model, to keywords that are added
            to the schema; those of a member that may be null are added to the schema of its other
            values.
        predicates: rule of a `Predicate` to the schema of the text that it accepts.
        examples: `Model` or `Model.member` to its examples.

    """

    _refinements: Mapping[str, Schema] = attrs.Factory(dict)
    _predicates: Mapping[str, Schema] = attrs.Factory(dict)
    _examples: Mapping[str, list[Any]] = attrs.Factory(dict)
    definitions: dict[str, Schema] = attrs.field(factory=dict, init=False)

    def reference(self, model: type[attrs.AttrsInstance]) -> Schema:
        """Add the schema of a model to the definitions, and return a reference to it."""
        name = model.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # reserves its place before its parts
            self.definitions[name] = self._object(model)
        return {"$ref": f"#/$defs/{name}"}

    def _object(self, model: type[attrs.AttrsInstance]) -> Schema:
        name = model.__name__
        kind: Any = value_types.value_type(model).kind
        summary, described = describe(model)
        schema: Schema = {
            "title": title_of(name),
            "description": summary,
            "type": "object",
            "required": [key for key, member in kind.members.items() if not member.is_optional],
            "properties": {
                key: self._member(name, key, member.type, described.get(member.field))
                for key, member in kind.members.items()
            },
            "additionalProperties": False if kind.extra is None else self._any_value(),
            **self._refinements.get(name, {}),
        }
        if name in self._examples:
            schema["examples"] = self._examples[name]
        return schema

    def _member(
        self, model: str, name: str, of: value_types.ValueType, description: str | None
    ) -> Schema:
        path = f"{model}.{name}"
        refinement = self._refinements.get(path) or self._refinements.get(f".{name}", {})
        schema = {**self._of_kind(of.kind), **refinement}
        if description is not None and schema.get("$ref") in _INSTANT_REFERENCES:
            description = description.replace(_OF_NUMBERS, "")
        if of.is_nullable:
            schema = or_null(schema)
        if description is not None:
            schema = {"description": description, **schema}
        if path in self._examples:
            schema["examples"] = self._examples[path]
        return schema

    def of(self, annotation: value_types.Annotation) -> Schema:
        """Return the schema of an annotation; add the models in it to the definitions."""
        of = value_types.value_type(annotation)
        schema = self._of_kind(of.kind)
        return or_null(schema) if of.is_nullable else schema

    def _of_kind(self, kind: value_types.Kind) -> Schema:
        match kind:
            case value_types.Object():
                of = {name: kind.members[name].type.annotation for name in kind.overridden}
                narrower = {name: self.of(annotation) for name, annotation in of.items()}
                of_members = {"type": "object", "properties": narrower} if narrower else {}
                return {**self.reference(kind.model), **of_members}
            case value_types.Array(limits, items):
                return {
                    "type": "array",
                    "items": self.of(items.annotation),
                    **_stated(minItems=limits.min_length or None, maxItems=limits.max_length),
                    **_stated(uniqueItems=limits.unique or None),
                }
            case value_types.Map(names, values):
                named = {"propertyNames": self._predicates[names.rule]} if names else {}
                inner = self.of(values.annotation)
                return {"type": "object", **named, "additionalProperties": inner}
            case constraints.TimestampFormat():
                return self.instant(kind)
            case constraints.Anything():
                return self._any_value()
        known = self._predicates
        return known[kind.rule] if isinstance(kind, constraints.Predicate) else _scalar(kind)

    def instant(self, form: constraints.TimestampFormat) -> Schema:
        """Add the schema of a timestamp to the definitions, and return a reference to it."""
        name, fraction, example = _INSTANTS[form]
        pattern = f"{CALENDAR_DAY}{_TIME_OF_DAY}{fraction}Z"
        self.definitions[name] = {
            "title": title_of(name),
            "description": f"A real instant in UTC: {form.value}.",
            **matching(pattern, format="date-time", examples=[example]),
        }
        return {"$ref": f"#/$defs/{name}"}

    def _any_value(self) -> Schema:
        reference = {"$ref": f"#/$defs/{JSON_VALUE}"}
        self.definitions[JSON_VALUE] = {
            "title": "JSON value",
            "description": "Any JSON value; numbers are in the range of doubles.",
            "anyOf": [
                {"type": "null"},
                {"type": "boolean"},
                {"type": "string"},
                {"type": "number", "minimum": -_LARGEST_NUMBER, "maximum": _LARGEST_NUMBER},
                {"type": "array", "items": reference},
                {"type": "object", "additionalProperties": reference},
            ],
        }
        return reference


def _scalar(kind: value_types.Kind) -> Schema:
    match kind:
        case value_types.Constants(values):
            json_type = {bool: "boolean", int: "integer", str: "string"}[type(values[0])]
            allowed = {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
            return {"type": json_type, **allowed}
        case constraints.Pattern():
            return matching(f"(?:{kind.expression.pattern})")
        case constraints.Number(minimum, maximum):
            return {"type": "number", "minimum": minimum, "maximum": maximum}
        case constraints.Integer(minimum, maximum):
            largest = _LARGEST_NUMBER if maximum is None else maximum
            return {"type": "integer", "minimum": minimum, "maximum": largest}
        case constraints.Text(minimum, maximum, controls):
            lengths = _stated(minLength=minimum or None, maxLength=maximum)
            return {"type": "string", **lengths, **({} if controls else NO_CONTROL)}
    if kind not in _UNCONSTRAINED:
        raise TypeError(f"no schema for {kind!r}")
    return {"type": _UNCONSTRAINED[kind]}


def _stated(**keywords: object) -> Schema:
    return {name: value for name, value in keywords.items() if value is not None}


def reachable(schema: object, definitions: Mapping[str, Schema]) -> list[str]:
    """Return the names of the definitions that a schema needs, those it names itself first."""
    needed: dict[str, Schema] = {}
    parts: list[object] = [schema]
    while parts:
        names = dict.fromkeys(_REFERENCE.findall(json.dumps(parts)))
        parts = [definitions[name] for name in names if name not in needed]
        needed |= {name: definitions[name] for name in names}
    return [*needed]


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
