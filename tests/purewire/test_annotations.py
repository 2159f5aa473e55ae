"""Annotations: what decoders, schemas and cases of the models of these tests do not show."""

from typing import Annotated, Literal

import attrs
import pytest

from purewire.primitives import Absent
from purewire.structuring.constraints import (
    Annotation,
    FieldOverride,
    Items,
    Text,
    annotation_at,
    split_annotated,
    split_object,
    split_union,
)
from support.purewire.open_model import Book
from support.purewire.parcel_model import Label

NAME = Annotated[str, Text(1, 3)]


def test_the_first_constraint_counts() -> None:
    assert split_annotated(Annotated[NAME, Text(0, 9)]) == (str, Text(1, 3))


@pytest.mark.parametrize("annotation", [int | str, int | str | None, Absent | None])
def test_two_real_types_or_none_are_a_mistake_in_the_model(annotation: Annotation) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        split_union(annotation)


def test_a_derived_field_is_not_a_member() -> None:
    @attrs.frozen
    class Derived:
        one: bool
        two: bool = attrs.field(init=False, default=True)

    found = split_object(Derived)
    assert found is not None
    assert [member.field for member in found.members] == ["one"]


@pytest.mark.parametrize(
    ("annotation", "step", "expected"),
    [
        (Annotated[Label, FieldOverride("weight", int)], "weight", int),
        (Annotated[tuple[Label, ...], Items()], 7, Label),
        (Annotated[tuple[Label, ...], Items()], "name", None),
        (Label | Absent | None, "depth", None),
        (Book, "title", None),
        (bool, "real", None),
        (Literal["a"], 0, None),
    ],
    ids=str,
)
def test_only_members_and_items_have_an_annotation(
    annotation: Annotation, step: str | int, expected: Annotation
) -> None:
    assert annotation_at(annotation, step) == expected
