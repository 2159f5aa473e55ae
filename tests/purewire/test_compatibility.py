"""Two versions of a contract: pairs of edited schemas and rules whose answer is known."""

import copy
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import attrs
import jsonschema_rs
import pytest

from devicestatus.schemas import ROLES
from devicestatus.testing.strategies import snapshot_bodies
from purewire.adapters.commands.compatible import Comparison, Version, compare
from purewire.adapters.contract import read_contract
from purewire.compatibility import NotCompared, differences
from support.schemas.drawn import drawn
from support.schemas.validators import schema_set

Schema = dict[str, Any]
WIDER: Final = {"maxLength": 1, "maximum": 1, "maxItems": 1, "minimum": -1, "minLength": -1}
"""Keyword to the step that lets it accept more."""
RULES: Final = read_contract("sitedata")


@cache
def schema(product: str, name: str) -> Schema:
    found: Schema = schema_set(product).documents[name]
    return found


def nodes(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Generate the paths of the schemas in a schema that are compared part by part."""
    if isinstance(value, dict):
        yield path
        for name, each in value.items():
            if name not in {"if", "then", "not", "examples", "enum", "allOf", "dependentRequired"}:
                yield from nodes(each, (*path, name))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from nodes(each, (*path, index))


def edited(whole: Schema, path: tuple[str | int, ...], **keywords: object) -> Schema:
    """Return a schema with other keywords at a path."""
    made = copy.deepcopy(whole)
    node: Any = made
    for step in path:
        node = node[step]
    node.update(keywords)
    return made


def widened(whole: Schema) -> Iterator[tuple[str, Schema]]:
    """Generate schemas that accept more than another one, each by one edit."""
    for path in nodes(whole):
        node: Any = whole
        for step in path:
            node = node[step]
        for keyword, step in WIDER.items():
            bound = node.get(keyword)
            if isinstance(bound, int) and (bound or keyword != "minLength"):
                yield f"{path} {keyword}", edited(whole, path, **{keyword: bound + step})
        if isinstance(node.get("enum"), list):
            yield f"{path} enum", edited(whole, path, enum=[*node["enum"], "another"])
        if isinstance(node.get("required"), list) and isinstance(node.get("properties"), dict):
            for name in node["required"]:
                rest = [each for each in node["required"] if each != name]
                yield f"{path} {name} optional", edited(whole, path, required=rest)
            if node.get("additionalProperties") is False:
                more = {**node["properties"], "another": {"type": "number", "minimum": 0}}
                yield f"{path} another member", edited(whole, path, properties=more)


def of_each_kind(edits: Iterator[tuple[str, Schema]]) -> Iterator[tuple[str, Schema]]:
    """Generate the first two edits of each keyword."""
    seen: Counter[str] = Counter()
    for label, edit in edits:
        kind = label.rpartition(" ")[2]
        seen[kind] += 1
        if seen[kind] <= 2:
            yield label, edit


DOCUMENTS: Final = (
    ("devicestatus", "snapshot"),
    ("devicestatus", "error"),
    ("devicestatus", "icon-manifest"),
    ("devicestatus", "active-app"),
    ("sitedata", "site-data"),
    ("healthapi", "coverage"),
)


@pytest.mark.parametrize(("product", "name"), DOCUMENTS)
def test_each_widening_breaks_readers_that_are_old_and_no_other(product: str, name: str) -> None:
    old = schema(product, name)
    assert differences(old, copy.deepcopy(old)) == []
    edits = [*of_each_kind(widened(old))]
    found = {label: differences(new, old) for label, new in edits}
    assert len(found) > 2
    assert [label for label, each in found.items() if not each] == []
    assert all(it.is_decided for each in found.values() for it in each)
    for label, new in edits:
        assert differences(old, new) == [], label  # every old document is valid still


def test_what_is_called_accepted_is_accepted_by_a_validator() -> None:
    """No document of one version is refused by another one that is said to accept it."""
    old = schema("devicestatus", "snapshot")
    versions = [old, *(new for _, new in of_each_kind(widened(old)))][:9]
    bodies = [json.loads(each.body) for each in drawn(snapshot_bodies(), 30)]
    validators = [jsonschema_rs.Draft202012Validator(each) for each in versions]
    accepted = [[each.is_valid(body) for body in bodies] for each in validators]
    silent = 0
    for written, can_write in list(zip(versions, accepted, strict=True))[::3]:
        for read, can_read in list(zip(versions, accepted, strict=True))[::2]:
            if not differences(written, read):
                silent += 1
                assert all(may for does, may in zip(can_write, can_read, strict=True) if does)
    assert silent > 3


OBJECT: Final[Schema] = {"type": "object", "properties": {}}
PAIRS: Final[Mapping[str, tuple[Schema, Schema, list[str]]]] = {
    "a long pattern": ({"type": "string"}, {"pattern": "a" * 80}, ["pattern changed"]),
    "a type": ({"type": "string"}, {"type": "integer"}, ["type integer -> string"]),
    "a number need not be an integer": (
        {"type": "number"},
        {"type": "integer"},
        ["type integer -> number"],
    ),
    "a bound that was not there": ({"type": "integer"}, {"minimum": 3}, ["minimum 3 removed"]),
    "a constant": ({"const": 1}, {"const": 2}, ["value 1 added"]),
    "a listed value of any text": ({"type": "string"}, {"enum": ["a"]}, ['enum ["a"] removed']),
    "a null more": (
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"type": "string"},
        ["value null added"],
    ),
    "the nearest alternative": (
        {"type": "object", "required": ["a"], "properties": {"a": {"const": "x"}, "b": {}}},
        {
            "anyOf": [
                {
                    "required": ["a", "c"],
                    "properties": {"a": {"const": "x"}, "b": {"type": "null"}},
                },
                {"properties": {"a": {"const": "y"}}},
            ]
        },
        ["required c removed", "type null removed"],
    ),
    "repeated items": (
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "uniqueItems": True},
        ["uniqueItems true removed"],
    ),
    "a schema of undeclared members": (
        {**OBJECT, "additionalProperties": {"type": "number", "maximum": 2}},
        {**OBJECT, "additionalProperties": {"type": "number", "maximum": 1}},
        ["maximum 1 -> 2"],
    ),
    "members of any value": ({}, {"properties": {"a": {"type": "null"}}}, ["type null removed"]),
    "a rule between members": (
        {"type": "object"},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        ["rule between members changed"],
    ),
    "names of members": (
        {
            "type": "object",
            "propertyNames": {"$ref": "#/$defs/N"},
            "$defs": {"N": {"maxLength": 2}},
        },
        {
            "type": "object",
            "propertyNames": {"$ref": "#/$defs/N"},
            "$defs": {"N": {"maxLength": 1}},
        },
        ['propertyNames {"maxLength":1} -> {"maxLength":2}'],
    ),
    "all of several schemas": (
        {"allOf": [{"type": "string"}, {"maxLength": 4}]},
        {"allOf": [{"type": "string", "maxLength": 9}, True]},
        [],
    ),
    "a recursive definition": (
        {"$ref": "#/$defs/T", "$defs": {"T": {"type": "array", "items": {"$ref": "#/$defs/T"}}}},
        {"$ref": "#/$defs/T", "$defs": {"T": {"items": {"$ref": "#/$defs/T"}, "maxItems": 1}}},
        ["maxItems 1 removed"],
    ),
    "a pattern that cannot be read": ({"const": "a"}, {"pattern": "("}, ['value "a" added']),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_has_the_known_answer(name: str) -> None:
    written, read, gained = PAIRS[name]
    assert [it.change(is_written_new=True) for it in differences(written, read)] == gained


@pytest.mark.parametrize(
    "part", [{"oneOf": []}, {"type": ["string"]}, {"$ref": "other.json"}], ids=str
)
def test_an_unknown_keyword_is_never_compatible(part: Schema) -> None:
    with pytest.raises(NotCompared):
        differences(part, {"type": "string"})


def version(**documents: Schema) -> Version:
    return Version({**schema_set("devicestatus").documents, **documents}, {}, RULES)


def with_length(length: int) -> Version:
    """Return a version whose names of apps have another limit."""
    names = ("snapshot", "active-app", "error")
    documents = {name: schema("devicestatus", name) for name in names}
    text = json.dumps(documents).replace('"maxLength": 200', f'"maxLength": {length}')
    return Version(json.loads(text), {}, RULES)


class TestOrder:
    def test_a_wider_limit_is_deployed_readers_first(self) -> None:
        comparison = compare(with_length(200), with_length(201), ROLES)
        assert comparison.order == ("page", "service", "agent")
        assert {each.verdict for each in comparison.findings} == {"breaks"}

    def test_a_narrower_limit_is_deployed_writers_first(self) -> None:
        comparison = compare(with_length(200), with_length(199), ROLES)
        assert comparison.order == ("agent", "service", "page")

    def test_both_directions_cannot_be_deployed_without_a_break(self) -> None:
        old = schema("devicestatus", "error")
        new = edited(old, ("properties", "error"), enum=["another"])
        comparison = compare(version(), version(error=new), ROLES)
        assert comparison.order is None

    def test_what_only_the_service_writes_and_reads_has_no_order(self) -> None:
        old = schema("devicestatus", "record")
        new = copy.deepcopy(old)
        new["$defs"]["SnapshotRecord"]["required"].remove("received_at")
        assert compare(version(), version(record=new), ROLES).order is None

    def test_pages_ignore_a_new_member_and_services_do_not(self) -> None:
        more = {"more": {"type": "null"}}
        for name, verdict, order in (
            ("health", "tolerated", ()),
            ("snapshot", "breaks", ("service", "agent")),
        ):
            old = schema("devicestatus", name)
            new = edited(old, ("properties",), **more)
            comparison = compare(version(), version(**{name: new}), ROLES)
            assert [(each.verdict, each.change) for each in comparison.findings] == [
                (verdict, "member more added")
            ]
            assert comparison.order == order

    def test_words_change_nothing(self) -> None:
        old = schema("devicestatus", "snapshot")
        new = edited(old, (), title="Other", examples=[], description="")
        comparison = compare(version(), version(snapshot=new), ROLES)
        assert comparison == Comparison((), ())
        assert comparison.order == ()
        assert comparison.is_decided


class TestWhatAPersonReads:
    def test_a_keyword_that_is_not_compared(self) -> None:
        comparison = compare(version(), version(error={"oneOf": []}), ROLES)
        assert [each.change for each in comparison.findings] == [
            "the keyword oneOf is not compared"
        ]
        assert not comparison.is_decided

    def test_documents_that_come_and_go(self) -> None:
        found = compare(version(first={}), version(second={}), ROLES).findings
        assert [(each.document, each.change) for each in found] == [
            ("first", "document removed"),
            ("second", "document added"),
        ]

    def test_rules(self) -> None:
        names = list(RULES.rules)[:5]
        first, second, third, fourth, fifth = (RULES.rules[name] for name in names)
        old = attrs.evolve(RULES, rules={each.id: each for each in (first, second, third, fifth)})
        changed = (
            attrs.evolve(first, level="may"),
            attrs.evolve(second, text="Other."),
            attrs.evolve(third, limits={"MOST": 7}),
            fourth,
        )
        new = attrs.evolve(RULES, rules={each.id: each for each in changed})
        before = Version({}, {}, old, frozenset({"a"}))
        rules = compare(before, Version({}, {}, new, frozenset({"b"})), {}).rules
        assert [name for name, _ in rules] == [fifth.id, *names[:4], "a", "b"]
        assert [change.split(" ")[0] for _, change in rules] == [
            *("removed:", "must", "reworded,", "limits", "added:", "no", "no"),
        ]
        missing = compare(Version({}, {}, None), before, {}).rules
        assert missing[0][0] == "rules.toml"

    def test_endpoints(self) -> None:
        def described(*paths: str, description: str = "", **more: object) -> Version:
            operation = {"description": description, "responses": {"200": {"content": {}}}, **more}
            methods = {path: path.partition(" ") for path in paths}
            found: dict[str, Any] = {}
            for method, _, path in methods.values():
                found.setdefault(path, {})[method] = operation
            return Version({}, {"paths": found}, RULES)

        order = compare(described("get /a"), described("get /a", "get /b"), {}).order
        assert order == ("service", "page")
        order = compare(described("post /a", "get /b"), described("get /b"), {}).order
        assert order == ("agent", "service")
        same = compare(described("get /a"), described("get /a", description="x"), {})
        assert same.findings == ()
        (found,) = compare(described("get /a"), described("get /a", parameters=[]), {}).findings
        assert (found.place, found.verdict) == ("GET /a, parameters", "undecided")


class TestWhatKeywordsTell:
    @pytest.mark.parametrize("kind", [{}, {"type": "array"}])
    def test_another_pattern_is_not_decided_and_a_new_one_is(self, kind: Schema) -> None:
        def items(**keywords: str) -> Schema:
            return {**kind, "items": {"type": "string", **keywords}}

        (difference,) = differences(items(pattern="^b+c$"), items(pattern="^aa$"))
        assert not difference.is_decided
        (difference,) = differences(items(), items(pattern="^aa$"))
        assert difference.is_decided

    def test_members_that_two_parts_require_are_required(self) -> None:
        old = {"type": "object", "required": ["a"], "allOf": [{"required": ["b"]}]}
        assert differences({"type": "object", "required": ["a", "b"]}, old) == []
        (difference,) = differences({"type": "object", "required": ["a"]}, old)
        assert difference.read == "b"

    def test_the_narrower_of_two_limits_counts(self) -> None:
        old = {"type": "string", "maxLength": 9, "allOf": [{"maxLength": 2}]}
        assert differences({"type": "string", "maxLength": 2}, old) == []
        (difference,) = differences({"type": "string", "maxLength": 3}, old)
        assert (difference.written, difference.read) == (3, 2)
