"""Find what one JSON Schema allows and another one refuses.

The keywords are those that `purewire.structuring.json_schema` generates.

Invariant *never silently included*: keywords are compared one by one, and one that does not follow
for certain from the other schema is a difference.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from purewire.conformance.json_schema import UnsupportedSchema, find_problem
from purewire.json import codec
from purewire.structuring.json_schema import Schema

Json = Any

WORDS: Final = frozenset(
    {"$schema", "$id", "$defs", "title", "description", "examples", "x-rules", "summary", "tags"}
)
"""Members of schemas and OpenAPI documents that allow and refuse nothing."""
_LIMITED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("type", "enum", "const", "not", "if", "$ref"), "any"),
    **dict.fromkeys(("minimum", "maximum"), "number"),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "string"),
    **dict.fromkeys(("minItems", "maxItems", "uniqueItems"), "array"),
    **dict.fromkeys(("minProperties", "propertyNames", "dependentRequired"), "object"),
}
"""Keyword to the type of the values that it limits; those with parts are in `_CONTAINERS`."""
_CONTAINERS: Final = {"anyOf", "allOf", "items", "required", "properties", "additionalProperties"}
_KEYWORDS: Final = WORDS | _LIMITED.keys() | _CONTAINERS | {"then"}
_DROPPED: Final = WORDS - {"title", "examples"} | {"$ref", "allOf"}
_WITH_SCHEMA: Final = {"items", "additionalProperties", "not", "if", "then", "propertyNames"}
MEMBER: Final = "member"
MEMBERS: Final = "undeclared members"
"""In place of a keyword: what the other schema does not have."""
_REFUSED: Final[Schema] = {"not": {}}
"""The schema `false`."""
_TYPES: Final = frozenset({"null", "boolean", "number", "integer", "string", "array", "object"})
_UNDECIDED: Final = frozenset(
    {"pattern", "format", "not", "if", "$ref", "propertyNames", "dependentRequired"}
)
"""Keywords of which another value may allow less, as much or more."""
_SHOWN: Final = 60
"""Characters of a keyword's value that words quote."""
_ANY: Final = "*"
"""In a pointer: any item, or any member that is not declared."""


class NotCompared(Exception):
    """The schema has a keyword that is not compared; the argument names it."""


@attrs.frozen
class SchemaDifference:
    """A difference of two schemas: what one allows and the other one perhaps refuses.

    Attributes:
        pointer: JSON pointer of the value; `*` stands for any item or member.
        place: title of the nearest schema, and the JSON pointer in it.
        keyword: the keyword, or what it is about.
        written: its value in the schema that allows; None if it is not there.
        read: its value in the other one.
        is_apart: whether the types or the listed values have nothing in common.

    """

    pointer: str
    place: str
    keyword: str
    written: Json
    read: Json
    is_apart: bool = False

    @property
    def is_decided(self) -> bool:
        """Check whether the keyword alone tells that the other schema refuses values."""
        return self.written is None or self.keyword not in _UNDECIDED

    def change(self, *, is_written_new: bool) -> str:
        """Return the words for the change from the old version to the new one."""
        values = (self.read, self.written) if is_written_new else (self.written, self.read)
        if self.keyword == "if":
            return "rule between members changed"
        old, new = (value if isinstance(value, str) else _text(value) for value in values)
        if max(len(old), len(new)) > _SHOWN:
            return f"{self.keyword} changed"
        if values[0] is None:
            return f"{self.keyword} {new} added"
        return f"{self.keyword} {old} {'removed' if values[1] is None else f'-> {new}'}"


def differences(written: Schema, read: Schema) -> list[SchemaDifference]:
    """Return where a value that matches `written` might not match `read`.

    A difference of a model that is in the document several times is returned once.

    Raises:
        NotCompared: a schema has a keyword that is not compared.

    """
    comparison = _Comparison(read)
    schemas = (_normalized(written, written), _normalized(read, read))
    unique: dict[tuple[str, ...], SchemaDifference] = {}
    for it in comparison.compare(*schemas, "", ""):
        unique.setdefault((it.place, it.keyword, _text((it.written, it.read))), it)
    return list(unique.values())


class _Comparison:
    """The comparison with the document `root`, which describes what is accepted."""

    def __init__(self, root: Schema) -> None:
        self._root = root

    def compare(
        self, written: Schema, read: Schema, path: str, place: str
    ) -> Iterator[SchemaDifference]:
        """Generate where a value of `written` might not match `read`."""
        title = read.get("title", written.get("title"))
        place = place if title is None else f"{title} "
        constants = _constants(written)
        if not read:
            return
        if "anyOf" in written:
            for choice in _choices(written):
                yield from self.compare(choice, read, path, place)
        elif constants is not None:
            refused = [value for value in constants if not _accepts(read, value, self._root)]
            for value in refused:
                is_apart = refused == constants
                yield SchemaDifference(path, place, "value", _text(value), None, is_apart)
        else:
            for part in _all_of(read):
                yield from self._compare_part(written, part, path, place)

    def _compare_part(
        self, written: Schema, read: Schema, path: str, place: str
    ) -> Iterator[SchemaDifference]:
        types = _types(written)
        if "object" in types:
            yield from self._compare_members(written, read, path, place)
        if "array" in types:
            items = (written.get("items", {}), read.get("items", {}))
            yield from self.compare(*items, f"{path}/{_ANY}", f"{place}/{_ANY}")
        if "anyOf" in read:
            yield from self._nearest(written, read, path, place)
        limited = types | {"any"} | ({"number"} if "integer" in types else set())
        for keyword in (name for name in read if _LIMITED.get(name) in limited):
            if not _is_implied(keyword, written, read):
                bound = next((part[keyword] for part in _all_of(written) if keyword in part), None)
                is_apart = types.isdisjoint(_types(read))
                yield SchemaDifference(path, place, keyword, bound, read[keyword], is_apart)

    def _nearest(
        self, written: Schema, read: Schema, path: str, place: str
    ) -> list[SchemaDifference]:
        """Return the differences from the nearest alternative: of the same types and constants."""

        def distance(choice: list[SchemaDifference]) -> tuple[int, int]:
            near = path.count("/") + 1
            apart = [it for it in choice if it.is_apart and it.pointer.count("/") <= near]
            return len(apart), len(choice)

        choices = (list(self.compare(written, it, path, place)) for it in read["anyOf"])
        return min(choices, key=distance)

    def _compare_members(
        self, written: Schema, read: Schema, path: str, place: str
    ) -> Iterator[SchemaDifference]:
        for name in read.get("required", ()):
            if name not in written.get("required", ()):
                yield SchemaDifference(path, place, "required", None, name)
        names = [it for schema in (read, written) for it in schema.get("properties", ())]
        for name in dict.fromkeys((*names, _ANY)):
            member, accepted = _member(name, written), _member(name, read)
            token = name.replace("~", "~0").replace("/", "~1")
            below = (f"{path}/{token}", f"{place}/{token}")
            if _REFUSED not in (member, accepted):
                yield from self.compare(member, accepted, *below)
            elif member != _REFUSED:
                is_any = name == _ANY
                yield SchemaDifference(
                    *below,
                    keyword=MEMBERS if is_any else MEMBER,
                    written="allowed" if is_any else name,
                    read="refused" if is_any else None,
                )


def _normalized(schema: Json, root: Schema, inside: tuple[str, ...] = ()) -> Schema:
    """Return a schema without `$ref`, and with `allOf` for what no keyword beside it can state.

    Only a reference to a definition that it is in stays.

    Raises:
        NotCompared: there is an unknown keyword, or a reference to another document.

    """
    if isinstance(schema, bool):
        return {} if schema else _REFUSED
    unknown = schema.keys() - _KEYWORDS
    if unknown or not isinstance(schema.get("type", ""), str):
        raise NotCompared(min(unknown, default="type"))
    reference = schema.get("$ref", "")
    if reference in inside:
        return {"$ref": reference}
    inside = (*inside, reference) if reference else inside
    made = {
        keyword: _normalized_keyword(keyword, value, root, inside)
        for keyword, value in schema.items()
        if keyword not in _DROPPED
    }
    parts = list(schema.get("allOf", ()))
    if reference:
        name = reference.removeprefix("#/$defs/")
        if name not in root.get("$defs", {}):
            raise NotCompared("$ref")
        parts.insert(0, root["$defs"][name])
    for part in parts:
        made = _merged(made, _normalized(part, root, inside))
    return made


def _normalized_keyword(keyword: str, value: Json, root: Schema, inside: tuple[str, ...]) -> Json:
    if keyword in _WITH_SCHEMA:
        return _normalized(value, root, inside)
    if keyword == "anyOf":
        return [_normalized(choice, root, inside) for choice in value]
    if keyword == "properties":
        return {name: _normalized(member, root, inside) for name, member in value.items()}
    return value


def _merged(one: Schema, other: Schema) -> Schema:
    """Return the schema of values that match both."""
    made = {**other, **one}
    parts = [*one.get("allOf", ()), *other.get("allOf", ())]
    for keyword in one.keys() & other.keys() - {"title", "examples", "allOf", "then"}:
        mine, others = one[keyword], other[keyword]
        if keyword == "properties":
            shared = {name: _merged(mine[name], others[name]) for name in mine.keys() & others}
            made[keyword] = {**others, **mine, **shared}
        elif keyword == "required":
            made[keyword] = list(dict.fromkeys((*mine, *others)))
        elif _text(_rule(keyword, one)) != _text(_rule(keyword, other)):
            parts.append(_rule(keyword, other))
    return {**made, "allOf": parts} if parts else made


def _all_of(schema: Schema) -> list[Schema]:
    return [schema, *schema.get("allOf", ())]


def _rule(keyword: str, schema: Schema) -> Schema:
    """Return the part of a schema that a keyword is."""
    names = ("if", "then") if keyword == "if" else (keyword,)
    return {name: schema[name] for name in names if name in schema}


def _is_implied(keyword: str, written: Schema, read: Schema) -> bool:
    """Check whether a keyword of the reader allows all that the writer's schema allows."""
    if keyword == "type":
        return _types(written) <= _types(read)
    rules = [_rule(keyword, part) for part in _all_of(written) if keyword in part]
    if keyword.startswith("min"):
        return any(rule[keyword] >= read[keyword] for rule in rules)
    if keyword.startswith("max"):
        return any(rule[keyword] <= read[keyword] for rule in rules)
    return any(_text(rule) == _text(_rule(keyword, read)) for rule in rules)


def _choices(schema: Schema) -> list[Schema]:
    """Return the cases of `anyOf`, each with the keywords beside it."""
    rest = {name: member for name, member in schema.items() if name not in ("anyOf", "examples")}
    return [_merged(choice, rest) for choice in schema.get("anyOf", ())]


def _member(name: str, schema: Schema) -> Schema:
    """Return what a schema requires of a member."""
    undeclared: Schema = schema.get("additionalProperties", {})
    member: Schema = schema.get("properties", {}).get(name, undeclared)
    return member


def _constants(schema: Schema) -> list[Json] | None:
    """Return all values that a schema leaves, if they are listed; None if they are not."""
    if "const" in schema:
        return [schema["const"]]
    types = _types(schema)
    listed: list[Json] | None = schema.get("enum")
    if listed is None and types <= {"null", "boolean"}:
        listed = [None] * ("null" in types) + [True, False] * ("boolean" in types)
    return listed


def _types(schema: Schema) -> frozenset[str]:
    """Return the types that a schema leaves."""
    kind = schema.get("type")
    if kind is None:
        return _TYPES
    return frozenset({kind, "integer"} if kind == "number" else {kind})


def _accepts(schema: Schema, value: Json, root: Schema) -> bool:
    """Check whether a value matches a schema; one that cannot be applied accepts nothing."""
    try:
        return find_problem(schema, value, root) is None
    except UnsupportedSchema:
        return False


def _text(value: Json) -> str:
    return codec.encode(value).decode()
