"""Types of annotations: what decoders and schemas of the models of these tests do not show."""

from typing import Annotated, Literal

import attrs
import pytest

from status_contracts.primitives import Absent
from status_contracts.structuring.constraints import FieldOverride, Items, MapOf, Text
from status_contracts.structuring.value_types import Annotation, Object, value_type
from support.status_contracts.open_model import Book
from support.status_contracts.parcel_model import Label

NAME = Annotated[str, Text(1, 3)]


def test_the_first_constraint_counts() -> None:
    assert value_type(Annotated[NAME, Text(0, 9)]).kind == Text(1, 3)


@pytest.mark.parametrize("annotation", [int | str, int | str | None, Absent | None])
def test_two_real_types_or_none_are_a_mistake_in_the_model(annotation: Annotation) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        value_type(annotation)


def test_a_derived_field_is_not_a_member() -> None:
    @attrs.frozen
    class Derived:
        one: bool
        two: bool = attrs.field(init=False, default=True)

    kind = value_type(Derived).kind
    assert isinstance(kind, Object)
    assert list(kind.members) == ["one"]


@pytest.mark.parametrize(
    ("annotation", "step", "expected"),
    [
        (Annotated[Label, FieldOverride("weight", bool)], "weight", bool),
        (Annotated[tuple[Label, ...], Items()], 7, Label),
        (Annotated[dict[str, Label], MapOf()], "name", Label),
        (Label | Absent | None, "depth", None),
        (Book, "title", None),
        (bool, "real", None),
        (Literal["a"], 0, None),
    ],
    ids=str,
)
def test_only_members_and_items_have_a_type(
    annotation: Annotation, step: str | int, expected: Annotation
) -> None:
    part = value_type(annotation).at(step)
    assert (part and part.kind) == (expected and value_type(expected).kind)
