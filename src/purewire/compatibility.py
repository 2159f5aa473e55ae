"""Find what one JSON Schema allows and another one refuses, with an example of each difference.

The keywords are those that `purewire.structuring.json_schema` generates.

Invariant *never silently included*: keywords are compared one by one, and one that does not follow
for certain from the other schema is a difference.
Invariant *proved*: an example matches the first schema and not the second one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import Any, Final

import attrs

from purewire.conformance.json_schema import UnsupportedSchema, find_problem
from purewire.json import codec
from purewire.primitives import ABSENT
from purewire.structuring.json_schema import Schema

Json = Any
_Parts = list[Schema]
"""Schemas that a value must match all, without references."""

WORDS: Final = frozenset(
    {"$schema", "$id", "$defs", "title", "description", "examples", "x-rules", "summary", "tags"}
)
"""Members of schemas and OpenAPI documents that allow and refuse nothing."""
_LIMITED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("type", "enum", "const", "anyOf", "not", "if"), "any"),
    **dict.fromkeys(("minimum", "maximum"), "number"),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "string"),
    **dict.fromkeys(("minItems", "maxItems", "uniqueItems", "items"), "array"),
    **dict.fromkeys(("required", "properties", "additionalProperties"), "object"),
    **dict.fromkeys(("minProperties", "propertyNames", "dependentRequired"), "object"),
}
"""Keyword to the type of the values that it limits."""
_KEYWORDS: Final = WORDS | _LIMITED.keys() | {"$ref", "allOf", "then"}
_REFUSED: Final[Schema] = {"not": {}}
"""The schema `false`."""
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


@attrs.frozen
class SchemaDifference:
    """A difference of two schemas: what one allows and the other one perhaps refuses.

    Attributes:
        pointer: JSON pointer of the value; `*` stands for any item or member.
        place: title of the nearest schema, and the pointer in it.
        gained: words for the difference if the first schema is the newer one.
        lost: words for it if the first schema is the older one.
        example: a value that matches the first schema and not the other one; ABSENT if none was
            found.

    """

    pointer: str
    place: str
    gained: str
    lost: str
    example: Json = ABSENT


@attrs.frozen
class _Place:
    """Place where two schemas are compared.

    `known` are examples of the value there.  `documents` generates whole documents that contain a
    given value there.
    """

    pointer: str
    name: str
    known: Sequence[Json]
    documents: Callable[[Json], Iterable[Json]]


@attrs.frozen
class _Candidate:
    """A difference, and the values at its place that are tried for an example.

    `is_apart`: the types or the listed values have nothing in common.
    """

    place: _Place
    words: tuple[str, str]
    values: Callable[[], Iterable[Json]]
    is_apart: bool = False


def differences(written: Schema, read: Schema) -> list[SchemaDifference]:
    """Return where a value that matches `written` might not match `read`.

    A difference of a model that is in the document several times is returned once.

    Raises:
        NotCompared: a schema has a keyword that is not compared.

    """
    comparison = _Comparison(written, read)
    parts = (_parts(written, written), _parts(read, read))
    unordered = comparison.compare(*parts, _Place("", "", (), lambda value: [value]))
    unique = {
        (difference.place.name, difference.words): difference for difference in reversed(unordered)
    }
    return [
        SchemaDifference(
            difference.place.pointer,
            difference.place.name,
            *difference.words,
            comparison.proof(*parts, difference),
        )
        for difference in reversed(unique.values())
    ]


class _Comparison:
    """The comparison of two documents: `written` describes values, `read` what is accepted."""

    def __init__(self, written: Schema, read: Schema) -> None:
        self._written = written
        self._read = read
        self._pending: set[tuple[str, str]] = set()
        self._containers: Mapping[str, Callable[[_Parts, Schema, _Place], Iterable[_Candidate]]] = {
            "anyOf": self._any_of,
            "required": self._required,
            "properties": self._declared,
            "additionalProperties": self._undeclared,
            "items": self._items,
        }

    def proof(self, written: _Parts, read: _Parts, difference: _Candidate) -> Json:
        """Return a document that matches the schemas of one side only; ABSENT if none is found."""
        tried = (it for value in difference.values() for it in difference.place.documents(value))
        proofs = (it for it in islice(tried, _MOST_TRIED) if self._breaks(written, read, it))
        return next(proofs, ABSENT)

    def _breaks(self, written: _Parts, read: _Parts, value: Json) -> bool:
        return _accept(written, value, self._written) and not _accept(read, value, self._read)

    def compare(self, written: _Parts, read: _Parts, at: _Place) -> list[_Candidate]:
        """Return where a value of the parts `written` might not match the parts `read`."""
        pair = (_text(written), _text(read))
        if pair in self._pending:  # a recursive definition, whose differences are being found
            return []
        titles = [part["title"] for part in (*read, *written) if "title" in part]
        examples = [example for part in written for example in part.get("examples", ())]
        name = f"{titles[0]} " if titles else at.name
        at = attrs.evolve(at, name=name, known=(*at.known, *examples))
        self._pending.add(pair)
        try:
            return list(self._cases(written, read, at))
        finally:
            self._pending.remove(pair)

    def _cases(self, written: _Parts, read: _Parts, at: _Place) -> Iterator[_Candidate]:
        cases = _alternatives(written, self._written)
        constants = _constants(written)
        if cases is not None:
            for case in cases:
                yield from self.compare(case, read, at)
        elif constants is not None:
            refused = [value for value in constants if self._breaks(written, read, value)]
            for value in refused:
                words = (f"value {_text(value)} added", f"value {_text(value)} removed")
                yield _Candidate(at, words, [value].copy, is_apart=refused == constants)
        else:
            for part in read:
                yield from self._part(written, part, at)

    def _part(self, written: _Parts, read: Schema, at: _Place) -> Iterator[_Candidate]:
        """Generate the differences of one schema of the reader, keyword by keyword."""
        types = _types(written)
        types = types | {"any"} | ({"number"} if "integer" in types else set())
        for keyword in (name for name in read if _LIMITED.get(name) in types):
            if keyword in self._containers:
                yield from self._containers[keyword](written, read, at)
            elif not self._is_implied(keyword, written, read):
                bound = next((part[keyword] for part in written if keyword in part), None)
                words = (
                    _words(keyword, read[keyword], bound),
                    _words(keyword, bound, read[keyword]),
                )
                is_apart = _types(written).isdisjoint(_types([read]))
                values = partial(self._beyond, keyword, written, read, at)
                yield _Candidate(at, words, values, is_apart=is_apart)

    def _is_implied(self, keyword: str, written: _Parts, read: Schema) -> bool:
        """Check whether a keyword of the reader allows all that the writer's schemas allow."""
        bounds = [part[keyword] for part in written if keyword in part]
        if keyword == "type":
            return _types(written) <= _types([read])
        if keyword.startswith("min"):
            return any(bound >= read[keyword] for bound in bounds)
        if keyword.startswith("max"):
            return any(bound <= read[keyword] for bound in bounds)
        rule = _rule(keyword, read, self._read)
        return any(_rule(keyword, part, self._written) == rule for part in written)

    def _beyond(self, keyword: str, written: _Parts, read: Schema, at: _Place) -> Iterator[Json]:
        """Generate values that a keyword of the reader refuses."""
        bounds = [part[keyword] for part in written if keyword in part]
        values = self._values(written, at.known)
        if isinstance(read[keyword], int | float):
            beyond = read[keyword] + (-1 if keyword.startswith("min") else 1)
            values = [it for base in values for it in _resized(base, *bounds[:1] or [beyond])]
        rule = [_rule(keyword, read, self._read)]
        return (it for it in (*values, *_PLAIN_VALUES) if self._breaks(written, rule, it))

    def _any_of(self, written: _Parts, read: Schema, at: _Place) -> list[_Candidate]:
        """Return the differences from the nearest alternative: of the same types and constants."""
        depth = at.pointer.count("/") + 1

        def distance(candidates: list[_Candidate]) -> tuple[int, int]:
            apart = [
                it for it in candidates if it.is_apart and it.place.pointer.count("/") <= depth
            ]
            return len(apart), len(candidates)

        choices = [
            self.compare(written, _parts(choice, self._read), at) for choice in read["anyOf"]
        ]
        return min(choices, key=distance)

    def _required(self, written: _Parts, read: Schema, at: _Place) -> Iterator[_Candidate]:
        present = {name for part in written for name in part.get("required", ())}
        for name in (name for name in read["required"] if name not in present):
            words = (f"member {name} is optional now", f"member {name} is required now")
            yield _Candidate(at, words, partial(self._without, name, written, at))

    def _without(self, name: str, written: _Parts, at: _Place) -> Iterator[Json]:
        return (
            {key: member for key, member in value.items() if key != name}
            for value in self._values(written, at.known)
        )

    def _declared(self, written: _Parts, read: Schema, at: _Place) -> Iterator[_Candidate]:
        for name, member in read["properties"].items():
            yield from self._member(name, written, _parts(member, self._read), at)

    def _undeclared(self, written: _Parts, read: Schema, at: _Place) -> Iterator[_Candidate]:
        """Generate the differences of members that the reader's schema does not declare."""
        names = {name for part in written for name in part.get("properties", {})}
        others = _parts(read["additionalProperties"], self._read)
        for name in (*sorted(names - read.get("properties", {}).keys()), _ANY):
            yield from self._member(name, written, others, at)

    def _member(self, name: str, written: _Parts, read: _Parts, at: _Place) -> Iterable[_Candidate]:
        inner = _member_parts(name, written, self._written)
        if inner is None:
            return ()
        known = [value[name] for value in at.known if isinstance(value, dict) and name in value]

        declared = {name for part in written for name in part.get("properties", {})}
        others = (it for value in at.known if isinstance(value, dict) for it in value)
        key = next((it for it in others if name == _ANY and it not in declared), name)

        def documents(value: Json) -> Iterator[Json]:
            for base in self._values(written, at.known):
                yield from at.documents({**base, key: value})

        below = _below(at, name, known, documents)
        if read != [_REFUSED]:
            return self.compare(inner, read, below)
        words = ("member added", "member removed")
        if name == _ANY:
            words = ("undeclared members are allowed now", "undeclared members are refused now")
        return [_Candidate(below, words, partial(self._values, inner, known))]

    def _items(self, written: _Parts, read: Schema, at: _Place) -> list[_Candidate]:
        items = [it for part in written for it in _parts(part.get("items", True), self._written)]
        known = [item for value in at.known if isinstance(value, list) for item in value]
        below = _below(at, _ANY, known[:4], lambda value: at.documents([value]))
        return self.compare(items, _parts(read["items"], self._read), below)

    def _values(self, parts: _Parts, known: Sequence[Json]) -> list[Json]:
        """Return up to three values that match schemas of the writer: examples, or built ones."""
        tried = (value for value in (*known, *self._built(parts, known)))
        return list(islice((it for it in tried if _accept(parts, it, self._written)), 3))

    def _built(self, parts: _Parts, known: Sequence[Json]) -> Iterator[Json]:
        yield from (example for part in parts for example in part.get("examples", ()))
        for case in _alternatives(parts, self._written) or ():
            yield from self._values(case, known)
        yield from _constants(parts) or ()
        if "object" in _types(parts):
            smallest = {}
            for name in (name for part in parts for name in part.get("required", ())):
                examples = [it[name] for it in known if isinstance(it, dict) and name in it]
                member = _member_parts(name, parts, self._written) or []
                smallest[name] = next(iter(self._values(member, examples)), None)
            yield smallest
        bounds = [it for part in parts for name, it in part.items() if name[:3] in ("min", "max")]
        for bound, base in product(bounds, _PLAIN_VALUES):
            yield from _resized(base, bound)
        yield from _PLAIN_VALUES


def _below(
    at: _Place, step: str, known: Sequence[Json], documents: Callable[[Json], Iterable[Json]]
) -> _Place:
    """Return the place of a member or an item."""
    step = f"/{step.replace('~', '~0').replace('/', '~1')}"
    return _Place(f"{at.pointer}{step}", f"{at.name}{step}", known, documents)


def _parts(schema: Json, root: Schema) -> _Parts:
    """Return schemas without `$ref` and `allOf` that a value must match all.

    Raises:
        NotCompared: there is an unknown keyword, or a reference to another document.

    """
    if isinstance(schema, bool):
        return [] if schema else [_REFUSED]
    unknown = schema.keys() - _KEYWORDS
    if unknown or not isinstance(schema.get("type", ""), str):
        raise NotCompared(min(unknown, default="type"))
    left_out = {"$ref", "allOf", *WORDS} - {"title", "examples"}
    own = {name: member for name, member in schema.items() if name not in left_out}
    others = [_resolve(schema["$ref"], root)] if "$ref" in schema else []
    others += schema.get("allOf", ())
    return [*([own] if own else []), *(part for schema in others for part in _parts(schema, root))]


def _resolve(reference: str, root: Schema) -> Schema:
    name = reference.removeprefix("#/$defs/")
    if name not in root.get("$defs", {}):
        raise NotCompared("$ref")
    definition: Schema = root["$defs"][name]
    return definition


def _rule(keyword: str, schema: Schema, root: Schema) -> Schema:
    """Return the part of a schema that a keyword is, without references."""
    names = ("if", "then") if keyword == "if" else (keyword,)
    inlined: Schema = _inlined({name: schema[name] for name in names if name in schema}, root)
    return inlined


def _inlined(value: Json, root: Schema) -> Json:
    if isinstance(value, list):
        return [_inlined(element, root) for element in value]
    if not isinstance(value, dict):
        return value
    rest = {name: _inlined(member, root) for name, member in value.items() if name != "$ref"}
    return {**_inlined(_resolve(value["$ref"], root), root), **rest} if "$ref" in value else rest


def _alternatives(parts: _Parts, root: Schema) -> list[_Parts] | None:
    """Return the cases of the first `anyOf`, each as parts; None if there is no `anyOf`."""
    split = next((part for part in parts if "anyOf" in part), None)
    if split is None:
        return None
    rest = [part for part in parts if part is not split]
    rest.append({name: member for name, member in split.items() if name != "anyOf"})
    return [[*rest, *_parts(alternative, root)] for alternative in split["anyOf"]]


def _member_parts(name: str, parts: _Parts, root: Schema) -> _Parts | None:
    """Return what schemas require of a member; None if it cannot be there."""
    schemas = [
        part.get("properties", {}).get(name, part.get("additionalProperties", True))
        for part in parts
    ]
    if False in schemas:
        return None
    return [part for schema in schemas for part in _parts(schema, root)]


def _constants(parts: _Parts) -> list[Json] | None:
    """Return all values that schemas leave, if they are listed; None if they are not."""
    listed = [[part["const"]] if "const" in part else part.get("enum") for part in parts]
    types = _types(parts)
    if types <= {"null", "boolean"}:
        listed.append([None] * ("null" in types) + [True, False] * ("boolean" in types))
    return next((values for values in listed if values is not None), None)


def _types(parts: _Parts) -> frozenset[str]:
    """Return the types that schemas leave."""
    types = _TYPES
    for part in parts:
        if "type" in part:
            types &= {part["type"]} | ({"integer"} if part["type"] == "number" else set())
    return types


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


def _accept(parts: _Parts, value: Json, root: Schema) -> bool:
    """Check whether a value matches schemas; one that cannot be applied accepts nothing."""
    try:
        return all(find_problem(part, value, root) is None for part in parts)
    except UnsupportedSchema:
        return False


def _text(value: Json) -> str:
    return codec.encode(value).decode()


def _words(keyword: str, old: Json, new: Json) -> str:
    """Return the words for another value of a keyword; None stands for its absence."""
    if keyword == "if":
        return "rule between members changed"
    texts = [value if isinstance(value, str) else _text(value) for value in (old, new)]
    if any(len(text) > _SHOWN or '"$ref"' in text for text in texts):
        return f"{keyword} changed"
    if old is None or new is None:
        return f"{keyword} {texts[1]} added" if old is None else f"{keyword} {texts[0]} removed"
    return f"{keyword} {texts[0]} -> {texts[1]}"
