"""Compare JSON values with JSON Schemas, for checks of responses against a description.

It covers the keywords of JSON Schema 2020-12 that describe values on their own.  A schema with
another keyword cannot decide, and raises `UnsupportedSchema`; nothing is accepted unseen.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any, Final

__all__ = ["UnsupportedSchema", "find_misplaced_member", "find_problem"]

_Json = Any
_MAX_DEPTH: Final = 100
"""Nesting of schemas; references in a circle would never end."""
_ANNOTATIONS: Final = frozenset(
    {
        *("$anchor", "$comment", "$defs", "$id", "$schema", "contentEncoding", "contentMediaType"),
        *("default", "deprecated", "description", "discriminator", "example", "examples"),
        *("externalDocs", "readOnly", "title", "writeOnly", "xml"),
    }
)
_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: _is_number(value) and float(str(value)).is_integer(),
}


class UnsupportedSchema(Exception):
    """The schema has a keyword, or a form of one, that is not supported."""


def find_problem(schema: object, value: object, document: object) -> str | None:
    """Return what is wrong with a value; None if it has the form that the schema describes.

    Args:
        schema: the schema.
        value: a plain JSON value.
        document: the value in which references of the schema, `#/...`, are looked up.

    Raises:
        UnsupportedSchema: the schema cannot be decided here.

    """
    try:
        problem = next(_Comparison(document).problems(schema, value, 0), None)
    except (AttributeError, TypeError, ValueError) as error:
        raise UnsupportedSchema(f"a malformed schema: {error}") from error
    return f"the value{problem}" if problem is not None and problem[0] == ":" else problem


def find_misplaced_member(schema: object, value: object, document: object) -> str | None:
    """Return the first member that does not come in the order of the schema; None if all do."""
    return next(_Comparison(document).misplaced(schema, value, ""), None)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(one: object, other: object) -> bool:
    """Compare two values; true is not 1, at any depth."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[name], other[name]) for name in one)
    return one == other


def _number_limit(found: object, limit: _Json, fails: Callable[[Any, Any], bool]) -> bool:
    return _is_number(found) and fails(found, limit)


class _Comparison:
    """A comparison with the schemas of one document."""

    def __init__(self, document: object) -> None:
        self._document = document

    def problems(self, schema: object, value: object, depth: int) -> Iterator[str]:
        """Generate the problems of a value: the path of the part, a colon, and the problem."""
        if depth > _MAX_DEPTH:
            raise UnsupportedSchema("schemas are nested too deeply")
        if isinstance(schema, bool):
            yield from () if schema else (": no value is allowed here",)
            return
        if not isinstance(schema, dict):
            raise UnsupportedSchema("a schema is neither an object nor a boolean")
        for keyword, given in schema.items():
            if keyword in _ANNOTATIONS or keyword.startswith("x-"):
                continue
            rule = _KEYWORDS.get(keyword)
            if rule is None:
                raise UnsupportedSchema(f"the keyword {keyword!r}")
            yield from rule(self, schema, given, value, depth + 1)

    def at(self, path: str, schema: object, value: object, depth: int) -> Iterator[str]:
        """Generate the problems of a part of a value, with its path in front."""
        for problem in self.problems(schema, value, depth):
            yield f"/{path}{problem}"

    def fits(self, schema: object, value: object, depth: int) -> bool:
        """Check whether a value has no problem."""
        return next(self.problems(schema, value, depth), None) is None

    def resolve(self, reference: object) -> object:
        """Return the schema of a reference into the document."""
        if not isinstance(reference, str) or not reference.startswith("#/"):
            raise UnsupportedSchema(f"the reference {reference!r}")
        found = self._document
        for part in reference[2:].split("/"):
            name = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or name not in found:
                raise UnsupportedSchema(f"the reference {reference!r}")
            found = found[name]
        return found

    def misplaced(self, schema: object, value: object, path: str) -> Iterator[str]:
        """Generate the members that come before one that the schema lists earlier."""
        if not isinstance(schema, dict):
            return
        if "$ref" in schema:
            yield from self.misplaced(self.resolve(schema["$ref"]), value, path)
        for each in schema.get("anyOf", ()):
            if self.fits(each, value, 0):
                yield from self.misplaced(each, value, path)
                return
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.misplaced(schema.get("items"), item, f"{path}/{index}")
        if isinstance(value, dict):
            properties = schema.get("properties", {})
            places = [list(properties).index(name) for name in value if name in properties]
            if places != sorted(places):
                yield f"{path or 'the object'} has the members {', '.join(value)}"
            others = schema.get("additionalProperties")
            for name, member in value.items():
                yield from self.misplaced(properties.get(name, others), member, f"{path}/{name}")


_Rule = Callable[[_Comparison, dict[str, Any], Any, Any, int], Iterator[str]]


def _rule(says: Callable[[Any], str], fails: Callable[[Any, Any], bool]) -> _Rule:
    """Return the rule of a keyword that looks at the value alone."""

    def rule(
        _: _Comparison, _schema: dict[str, Any], given: object, value: object, _depth: int
    ) -> Iterator[str]:
        if fails(value, given):
            yield f": {says(given)}, not {value!r:.200}"

    return rule


def _has_type(value: object, given: object) -> bool:
    names: list[_Json] = given if isinstance(given, list) else [given]
    unknown = [name for name in names if name not in _TYPES]
    if unknown:
        raise UnsupportedSchema(f"the type {unknown[0]!r}")
    return any(_TYPES[name](value) for name in names)


def _pattern_fails(value: object, given: str) -> bool:
    try:
        pattern = re.compile(given.replace("$", r"\Z") if given.endswith("$") else given, re.ASCII)
    except re.error:
        raise UnsupportedSchema(f"the pattern {given!r}") from None
    return isinstance(value, str) and pattern.search(value) is None


def _format_fails(value: object, given: object) -> bool:
    """Check days only; other formats are annotations."""
    if given != "date" or not isinstance(value, str):
        return False
    try:
        return date.fromisoformat(value).isoformat() != value
    except ValueError:
        return True


def _has_repetition(value: list[object]) -> bool:
    return any(_equal(one, other) for at, one in enumerate(value) for other in value[:at])


def _reference(
    self: _Comparison, _: dict[str, Any], given: object, value: object, depth: int
) -> Iterator[str]:
    return self.problems(self.resolve(given), value, depth)


def _properties(
    self: _Comparison,
    _: dict[str, Any],
    given: _Json,
    value: _Json,
    depth: int,
) -> Iterator[str]:
    for name, schema in given.items():
        if isinstance(value, dict) and name in value:
            yield from self.at(name, schema, value[name], depth)


def _other_properties(
    self: _Comparison, schema: dict[str, Any], given: object, value: object, depth: int
) -> Iterator[str]:
    if isinstance(value, dict):
        for name in value.keys() - schema.get("properties", {}).keys():
            yield from self.at(name, given, value[name], depth)


def _items(
    self: _Comparison, schema: dict[str, Any], given: object, value: object, depth: int
) -> Iterator[str]:
    first = len(schema.get("prefixItems", ()))
    if isinstance(value, list):
        for index, item in enumerate(value[first:], first):
            yield from self.at(str(index), given, item, depth)


def _first_items(
    self: _Comparison,
    _: dict[str, Any],
    given: _Json,
    value: _Json,
    depth: int,
) -> Iterator[str]:
    if isinstance(value, list):
        for index, (schema, item) in enumerate(zip(given, value, strict=False)):
            yield from self.at(str(index), schema, item, depth)


def _any_of(
    self: _Comparison,
    _: dict[str, Any],
    given: _Json,
    value: object,
    depth: int,
) -> Iterator[str]:
    problems = [next(self.problems(each, value, depth), None) for each in given]
    if None not in problems:
        yield f": none of {len(given)} forms; {max(map(str, problems), key=len)}"


def _one_of(
    self: _Comparison,
    _: dict[str, Any],
    given: _Json,
    value: object,
    depth: int,
) -> Iterator[str]:
    fitting = sum(self.fits(each, value, depth) for each in given)
    if fitting != 1:
        yield f": {fitting} of {len(given)} forms, not one"


def _all_of(
    self: _Comparison,
    _: dict[str, Any],
    given: _Json,
    value: object,
    depth: int,
) -> Iterator[str]:
    for each in given:
        yield from self.problems(each, value, depth)


def _none_of(
    self: _Comparison, _: dict[str, Any], given: object, value: object, depth: int
) -> Iterator[str]:
    if self.fits(given, value, depth):
        yield ": a form that is excluded"


_KEYWORDS: Final[Mapping[str, _Rule]] = {
    "type": _rule(
        lambda given: f"expected {' or '.join(given) if isinstance(given, list) else given}",
        lambda value, given: not _has_type(value, given),
    ),
    "const": _rule(
        lambda given: f"expected {given!r}", lambda value, given: not _equal(value, given)
    ),
    "enum": _rule(
        lambda given: f"expected one of {given!r:.200}",
        lambda value, given: not any(_equal(value, each) for each in given),
    ),
    "required": _rule(
        lambda given: f"expected the members {', '.join(given)}",
        lambda value, given: isinstance(value, dict) and not value.keys() >= {*given},
    ),
    "minimum": _rule(
        lambda given: f"expected at least {given}",
        lambda value, given: _number_limit(value, given, lambda one, other: one < other),
    ),
    "maximum": _rule(
        lambda given: f"expected at most {given}",
        lambda value, given: _number_limit(value, given, lambda one, other: one > other),
    ),
    "exclusiveMinimum": _rule(
        lambda given: f"expected more than {given}",
        lambda value, given: _number_limit(value, given, lambda one, other: one <= other),
    ),
    "exclusiveMaximum": _rule(
        lambda given: f"expected less than {given}",
        lambda value, given: _number_limit(value, given, lambda one, other: one >= other),
    ),
    "minLength": _rule(
        lambda given: f"expected at least {given} characters",
        lambda value, given: isinstance(value, str) and len(value) < given,
    ),
    "maxLength": _rule(
        lambda given: f"expected at most {given} characters",
        lambda value, given: isinstance(value, str) and len(value) > given,
    ),
    "pattern": _rule(lambda given: f"expected text of the form {given}", _pattern_fails),
    "format": _rule(lambda given: f"expected a {given}", _format_fails),
    "minItems": _rule(
        lambda given: f"expected at least {given} items",
        lambda value, given: isinstance(value, list) and len(value) < given,
    ),
    "maxItems": _rule(
        lambda given: f"expected at most {given} items",
        lambda value, given: isinstance(value, list) and len(value) > given,
    ),
    "uniqueItems": _rule(
        lambda _: "expected different items",
        lambda value, given: bool(given) and isinstance(value, list) and _has_repetition(value),
    ),
    "minProperties": _rule(
        lambda given: f"expected at least {given} members",
        lambda value, given: isinstance(value, dict) and len(value) < given,
    ),
    "maxProperties": _rule(
        lambda given: f"expected at most {given} members",
        lambda value, given: isinstance(value, dict) and len(value) > given,
    ),
    "$ref": _reference,
    "properties": _properties,
    "additionalProperties": _other_properties,
    "items": _items,
    "prefixItems": _first_items,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "allOf": _all_of,
    "not": _none_of,
}
