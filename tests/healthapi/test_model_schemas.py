"""JSON Schemas from the annotations of models."""

from typing import Annotated, Literal

import attrs
import pytest

from healthapi.http.api_docs.model_schemas import ModelSchemas, choice, items_of, object_of, or_null
from purewire.absent import ABSENT, Absent
from purewire.structuring.constraints import Items


@attrs.frozen
class Leaf:
    """A model inside a model."""

    word: Literal["a", "b"]


@attrs.frozen
class Node:
    """A model with a member of each kind."""

    text: str
    number: int | None
    ratio: float | Absent | None = ABSENT
    count: int | Absent = ABSENT
    leaf: Leaf | None = None
    leaves: Annotated[tuple[Leaf, ...], Items()] = ()
    words: tuple[str, ...] | tuple[Leaf, ...] = ()
    nothing: None = None


@attrs.frozen
class Recursive:
    """A recursive model."""

    inner: "Recursive | None"


@attrs.frozen
class Odd:
    """A model that no schema describes."""

    raw: bytes


def schema_of(model: type[attrs.AttrsInstance]) -> dict[str, object]:
    schemas = ModelSchemas({}, {})
    assert schemas.of(model) == {"$ref": f"#/components/schemas/{model.__name__}"}
    return schemas.components[model.__name__]


class TestModels:
    def test_every_kind_of_member_is_described(self) -> None:
        leaf = {"$ref": "#/components/schemas/Leaf"}
        text, null = {"type": "string"}, {"type": "null"}
        assert schema_of(Node)["properties"] == {
            "text": text,
            "number": {"type": ["integer", "null"]},
            "ratio": {"type": ["number", "null"]},
            "count": {"type": "integer"},
            "leaf": {"anyOf": [leaf, null]},
            "leaves": {"type": "array", "items": leaf},
            "words": {
                "anyOf": [{"type": "array", "items": text}, {"type": "array", "items": leaf}]
            },
            "nothing": null,
        }

    def test_members_that_may_be_absent_are_not_required(self) -> None:
        required = ["text", "number", "leaf", "leaves", "words", "nothing"]
        assert schema_of(Node)["required"] == required

    def test_an_object_is_closed(self) -> None:
        assert schema_of(Leaf) == {
            "type": "object",
            "required": ["word"],
            "properties": {"word": {"type": "string", "enum": ["a", "b"]}},
            "additionalProperties": False,
        }

    def test_a_model_is_described_once(self) -> None:
        schemas = ModelSchemas({}, {})
        schemas.of(Node)
        before = schemas.components["Leaf"]
        schemas.of(Leaf)
        assert schemas.components["Leaf"] is before

    def test_a_model_of_its_own_kind_ends(self) -> None:
        inner = schema_of(Recursive)["properties"]
        assert inner == {
            "inner": {"anyOf": [{"$ref": "#/components/schemas/Recursive"}, {"type": "null"}]}
        }

    def test_known_members_and_descriptions_replace_annotations(self) -> None:
        schemas = ModelSchemas({"Node.text": choice("ab"), ".word": {"const": "a"}}, {"text": "T."})
        schemas.of(Node)
        members = schemas.components["Node"]["properties"]
        assert members["text"] == {"type": "string", "enum": ["a", "b"], "description": "T."}
        assert schemas.components["Leaf"]["properties"]["word"] == {"const": "a"}

    def test_another_kind_of_member_is_a_bug(self) -> None:
        with pytest.raises(KeyError):
            schema_of(Odd)


class TestWords:
    def test_optional_members_are_not_required(self) -> None:
        schema = object_of({"a": {}, "b": {}}, ["b"])
        assert schema["required"] == ["a"]
        assert list(schema["properties"]) == ["a", "b"]

    def test_lists_and_nulls(self) -> None:
        assert items_of({"type": "string"}) == {"type": "array", "items": {"type": "string"}}
        assert or_null({"$ref": "x"}) == {"anyOf": [{"$ref": "x"}, {"type": "null"}]}
