"""Comparison of values with JSON Schemas: every keyword accepts and refuses."""

import pytest

from purewire.conformance.json_schema import (
    UnsupportedSchema,
    find_misplaced_member,
    find_problem,
)

DOCUMENT = {
    "$defs": {
        "text": {"type": "string"},
        "a/b~": {"type": "null"},
        "loop": {"$ref": "#/$defs/loop"},
    }
}


class TestKeywords:
    @pytest.mark.parametrize(
        ("schema", "valid", "invalid"),
        [
            (True, [1, None], []),
            (False, [], [1, None]),
            ({}, [1, None], []),
            ({"type": "integer"}, [1, 1.0, -3], [1.5, True, "1"]),
            ({"type": "number"}, [1, 1.5], [True, "1"]),
            ({"type": ["string", "null"]}, ["", None], [1]),
            ({"const": [1, {"a": True}]}, [[1, {"a": True}]], [[1, {"a": 1}], [1], [1, {}]]),
            ({"enum": ["a", None]}, ["a", None], ["b", 0]),
            ({"required": ["a"]}, [{"a": None}, 1], [{}]),
            ({"minimum": 1}, [1, "0"], [0]),
            ({"maximum": 1}, [1, True], [2]),
            ({"exclusiveMinimum": 1}, [2], [1]),
            ({"exclusiveMaximum": 1}, [0], [1]),
            ({"minLength": 2}, ["ab", 1], ["a"]),
            ({"pattern": "^[a-z]+$"}, ["ab", 1], ["A", "a\n"]),
            ({"pattern": r"\d"}, ["a1"], ["a", "\u0661"]),
            ({"format": "date"}, ["2026-01-31", 1], ["2026-02-30", "20260131", "x"]),
            ({"minItems": 1}, [[1], ""], [[]]),
            ({"uniqueItems": True}, [[1, True], [[1], [2]]], [[1, 1], [{"a": 1}, {"a": 1.0}]]),
            ({"minProperties": 1}, [{"a": 1}], [{}]),
            ({"$ref": "#/$defs/a~1b~0"}, [None], [1]),
            ({"properties": {"a": {"type": "null"}}}, [{"a": None}, {}, 1], [{"a": 1}]),
            (
                {"properties": {"a": True}, "additionalProperties": False},
                [{"a": 1}, {}, []],
                [{"b": 1}],
            ),
            ({"additionalProperties": {"type": "null"}}, [{"b": None}], [{"b": 1}]),
            ({"items": {"type": "null"}}, [[None], [], 1], [[None, 1]]),
            (
                {"prefixItems": [{"type": "null"}], "items": {"type": "string"}},
                [[None, "a"], [None], [], 1],
                [["a"], [None, None]],
            ),
            ({"anyOf": [{"type": "null"}, {"type": "string"}]}, [None, ""], [1]),
            ({"oneOf": [{"minimum": 1}, {"maximum": 5}]}, [0, 9], [3]),
            ({"allOf": [{"minimum": 1}, {"maximum": 5}]}, [3], [0, 9]),
            ({"not": {"type": "null"}}, [1], [None]),
            ({"unevaluatedProperties": False}, [{}, 1], [{"a": 1}]),
            ({"type": "integer"}, [10**400], []),
        ],
    )
    def test_a_keyword(self, schema: object, valid: list[object], invalid: list[object]) -> None:
        assert [find_problem(schema, value, DOCUMENT) for value in valid] == [None] * len(valid)
        assert [value for value in invalid if find_problem(schema, value, DOCUMENT) is None] == []

    def test_a_problem_names_the_place(self) -> None:
        schema = {"properties": {"a": {"items": {"type": "string"}}}}
        problem = find_problem(schema, {"a": ["x", 1]}, DOCUMENT)
        assert problem == "/a/1: 1 is not of type 'string'"
        assert find_problem({"type": "null"}, 1, {}) == "the value: 1 is not of type 'null'"

    @pytest.mark.parametrize(
        "schema",
        [
            {"type": "text"},
            {"pattern": "("},
            {"$ref": "other.json"},
            {"$ref": "#/$defs/missing"},
            {"$ref": 1},
            {"$ref": "#/$defs/loop"},
            {"properties": [1]},
            {"required": 1},
            1,
        ],
    )
    def test_what_cannot_be_decided_is_not_accepted(self, schema: object) -> None:
        with pytest.raises(UnsupportedSchema):
            find_problem(schema, {"a": 1} if schema != {"pattern": "("} else "a", DOCUMENT)


class TestOrder:
    @pytest.mark.parametrize(
        ("value", "found"),
        [
            ({"a": 1, "b": 2}, None),
            ({"b": 2}, None),
            ({"b": 2, "a": 1}, "the object has the members b, a"),
            ({"list": [{"a": 1}, {"b": 2, "a": 1}]}, "/list/1 has the members b, a"),
            ({"other": {"b": 2, "a": 1}}, "/other has the members b, a"),
            ({"either": {"b": 2, "a": 1}}, "/either has the members b, a"),
            ({"either": None}, None),
        ],
    )
    def test_members_come_in_the_order_of_the_schema(
        self, value: object, found: str | None
    ) -> None:
        pair = {"properties": {"a": True, "b": True}}
        document = {"$defs": {"pair": pair}}
        reference = {"$ref": "#/$defs/pair"}
        schema = {
            "properties": {
                **pair["properties"],
                "list": {"items": reference},
                "either": {"anyOf": [{"type": "null"}, reference]},
            },
            "additionalProperties": reference,
        }
        assert find_misplaced_member(schema, value, document) == found


def test_true_allows_any_value() -> None:
    assert find_problem(True, [1], {}) is None
