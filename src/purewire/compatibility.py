"""Find what one JSON Schema allows and another one refuses, with an example of each difference.

The keywords are those that `purewire.structuring.json_schema` generates.

Invariant *never silently included*: keywords are compared one by one, and one that does not follow
for certain from the other schema is a difference.
Invariant *proved*: an example matches the first schema and not the second one.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import Any, Final

import attrs

from purewire.conformance.json_schema import UnsupportedSchema, find_problem
from purewire.json import codec
from purewire.primitives import ABSENT
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
_ANYTHING: Final[Schema] = {}
_TYPES: Final = frozenset({"null", "boolean", "number", "integer", "string", "array", "object"})
_PLAIN_VALUES: Final[tuple[Json, ...]] = (
    *(None, True, 0, 0.5, "x", "", " ", "\n", [], {}),
    *("2026-01-31", "2026-01-31T12:00:00", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"),
    *("0f8fad5b-d9cb-469f-a165-70867728950e", "https://example.com/"),
)
"""Values that are tried as examples: of each kind, some unusual texts, and some usual forms."""
_MOST_TRIED: Final = 48
"""Documents that are tried as an example of one difference."""
_SHOWN: Final = 60
"""Characters of a keyword's value that words quote."""
_ANY: Final = "*"
"""In a pointer: any item, or any member that is not declared."""


class NotCompared(Exception):
    """The schema has a keyword that is not compared; the argument names it."""


_Levels = tuple[tuple[str, Schema], ...]
"""The way to a place: each step, and the writer's schema of the object or array before it."""


@attrs.frozen
class SchemaDifference:
    """A difference of two schemas: what one allows and the other one perhaps refuses.

    Attributes:
        levels: the way to the value; `*` stands for any item or member.
        place: title of the nearest schema, and the JSON pointer in it.
        keyword: the keyword, or what it is about.
        written: its value in the schema that allows; None if it is not there.
        read: its value in the other one.
        allowing: the schema of the values at the place.
        refusing: the schema there that perhaps refuses some of them.
        is_apart: whether the types or the listed values have nothing in common.
        example: a value that matches the first schema and not the other one; ABSENT if none was
            found.

    """

    levels: _Levels
    place: str
    keyword: str
    written: Json
    read: Json
    allowing: Schema
    refusing: Schema
    is_apart: bool = False
    example: Json = ABSENT

    @property
    def pointer(self) -> str:
        """JSON pointer of the value."""
        return "".join(f"/{_token(step)}" for step, _ in self.levels)

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
    comparison = _Comparison(written, read)
    schemas = (_normalized(written, written), _normalized(read, read))
    unique: dict[tuple[str, ...], SchemaDifference] = {}
    for it in comparison.compare(*schemas, (), ""):
        unique.setdefault((it.place, it.keyword, _text((it.written, it.read))), it)
    return [attrs.evolve(it, example=comparison.example(it)) for it in unique.values()]


class _Comparison:
    """The comparison of two documents: `written` describes values, `read` what is accepted."""

    def __init__(self, written: Schema, read: Schema) -> None:
        self._written = written
        self._read = read

    def compare(
        self, written: Schema, read: Schema, levels: _Levels, place: str
    ) -> Iterator[SchemaDifference]:
        """Generate where a value of `written` might not match `read`."""
        title = read.get("title", written.get("title"))
        place = place if title is None else f"{title} "
        constants = _constants(written)
        if not read:
            return
        if "anyOf" in written:
            for choice in _choices(written):
                yield from self.compare(choice, read, levels, place)
        elif constants is not None:
            refused = [value for value in constants if not _accepts(read, value, self._read)]
            for value in refused:
                yield SchemaDifference(
                    *(levels, place, "value", _text(value), None, {"const": value}, read),
                    is_apart=refused == constants,
                )
        else:
            for part in _all_of(read):
                yield from self._compare_part(written, part, levels, place)

    def _compare_part(
        self, written: Schema, read: Schema, levels: _Levels, place: str
    ) -> Iterator[SchemaDifference]:
        types = _types(written)
        if "object" in types:
            yield from self._compare_members(written, read, levels, place)
        if "array" in types:
            items = (written.get("items", {}), read.get("items", {}))
            yield from self.compare(*items, (*levels, (_ANY, written)), f"{place}/{_ANY}")
        if "anyOf" in read:
            yield from self._nearest(written, read, levels, place)
        limited = types | {"any"} | ({"number"} if "integer" in types else set())
        for keyword in (name for name in read if _LIMITED.get(name) in limited):
            if not _is_implied(keyword, written, read):
                bound = next((part[keyword] for part in _all_of(written) if keyword in part), None)
                yield SchemaDifference(
                    *(levels, place, keyword, bound, read[keyword], written, _rule(keyword, read)),
                    is_apart=types.isdisjoint(_types(read)),
                )

    def _nearest(
        self, written: Schema, read: Schema, levels: _Levels, place: str
    ) -> list[SchemaDifference]:
        """Return the differences from the nearest alternative: of the same types and constants."""

        def distance(choice: list[SchemaDifference]) -> tuple[int, int]:
            apart = [it for it in choice if it.is_apart and len(it.levels) <= len(levels) + 1]
            return len(apart), len(choice)

        choices = (list(self.compare(written, it, levels, place)) for it in read["anyOf"])
        return min(choices, key=distance)

    def _compare_members(
        self, written: Schema, read: Schema, levels: _Levels, place: str
    ) -> Iterator[SchemaDifference]:
        for name in read.get("required", ()):
            if name not in written.get("required", ()):
                refusing = {"required": [name]}
                yield SchemaDifference(levels, place, "required", None, name, written, refusing)
        names = [it for schema in (read, written) for it in schema.get("properties", ())]
        for name in dict.fromkeys((*names, _ANY)):
            member, accepted = _member(name, written), _member(name, read)
            below = ((*levels, (name, written)), f"{place}/{_token(name)}")
            if _REFUSED not in (member, accepted):
                yield from self.compare(member, accepted, *below)
            elif member != _REFUSED:
                is_any = name == _ANY
                yield SchemaDifference(
                    *below,
                    keyword=MEMBERS if is_any else MEMBER,
                    written="allowed" if is_any else name,
                    read="refused" if is_any else None,
                    allowing=member,
                    refusing=accepted,
                )

    def example(self, difference: SchemaDifference) -> Json:
        """Return a document that matches the schemas of one side only; ABSENT if none is found."""
        documents = self._documents(difference, difference.levels, [])
        for document in islice(documents, _MOST_TRIED):
            is_written = _accepts(self._written, document, self._written)
            if is_written and not _accepts(self._read, document, self._read):
                return document
        return ABSENT

    def _documents(
        self, difference: SchemaDifference, levels: _Levels, known: list[Json]
    ) -> Iterator[Json]:
        """Generate documents with a value at a place that is perhaps refused.

        They are like the `known` examples of the value at the first level, or built.
        """
        if not levels:
            for value in self._values(difference.allowing, known, difference.refusing):
                if not _accepts(difference.refusing, value, self._read):
                    yield value
            return
        step, schema = levels[0]
        for container in islice(self._values(schema, known), 3):
            if isinstance(container, list):
                for item in self._documents(difference, levels[1:], container[:1]):
                    yield [item]
            elif isinstance(container, dict):
                declared = schema.get("properties", {})
                others = (name for name in container if step == _ANY and name not in declared)
                key = next(others, step)
                before = [container[key]] if key in container else []
                for member in self._documents(difference, levels[1:], before):
                    yield {**container, key: member}

    def _values(
        self, schema: Schema, known: Iterable[Json] = (), refusing: Schema = _ANYTHING
    ) -> Iterator[Json]:
        """Generate values that match a schema of the writer: known ones, examples, built ones.

        Some of them are at its limits, and beyond those of another schema that is `refusing`.
        """
        tried = [*known, *schema.get("examples", ())]
        for choice in _choices(schema):
            tried += islice(self._values(choice), 3)
        tried += _constants(schema) or ()
        if "object" in _types(schema):
            names = schema.get("required", ())
            tried.append({name: next(self._values(_member(name, schema)), None) for name in names})
        required = refusing.get("required", ())
        tried += [
            {name: member for name, member in base.items() if name not in required}
            for base in tried
            if isinstance(base, dict)
        ]
        beyond = [bound + step for bound in _bounds(refusing) for step in (-1, 1)]
        for bound, base in product((*beyond, *_bounds(schema)), (*tried[:3], *_PLAIN_VALUES)):
            tried += _resized(base, bound)
        different = {_text(it): it for it in (*tried, *_PLAIN_VALUES)}
        return (it for it in different.values() if _accepts(schema, it, self._written))


def _token(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


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


def _bounds(schema: Schema) -> list[Json]:
    return [bound for keyword, bound in schema.items() if keyword[:3] in ("min", "max")]


def _resized(base: Json, bound: float) -> Iterator[Json]:
    """Generate the bound itself, or values like another one of this length."""
    size = int(min(abs(bound), 10_000))
    if isinstance(base, str):
        yield from (base[:size].ljust(size, fill) for fill in (*"x0", base[-1:] or "x"))
    elif isinstance(base, list):
        item = base[0] if base else "x"
        yield [f"{item}{index}" if isinstance(item, str) else item for index in range(size)]
        yield [item] * size
    elif isinstance(base, dict):
        yield dict(islice(base.items(), size))
    elif isinstance(base, int | float) and not isinstance(base, bool):
        yield bound


def _accepts(schema: Schema, value: Json, root: Schema) -> bool:
    """Check whether a value matches a schema; one that cannot be applied accepts nothing."""
    try:
        return find_problem(schema, value, root) is None
    except UnsupportedSchema:
        return False


def _text(value: Json) -> str:
    return codec.encode(value).decode()
