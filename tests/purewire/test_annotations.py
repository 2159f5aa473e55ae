"""Reading what models say about themselves."""

from collections.abc import Mapping
from typing import Annotated, Literal

import attrs
import pytest

from purewire.absent import Absent
from purewire.structuring.annotations import (
    Annotation,
    Member,
    UnionParts,
    annotation_at,
    extra_field,
    item_type,
    literal_values,
    model_members,
    split_annotated,
    split_union,
    value_type,
)
from purewire.structuring.constraints import FieldOverride, Items, Number, Text
from support.purewire.open_model import Book, Kept, Shelf
from support.purewire.parcel_model import Label, Parcel, Tag, Weight

NAME = Annotated[str, Text(1, 3)]


class TestShaped:
    def test_an_annotated_type_has_a_base_and_a_shape(self) -> None:
        assert split_annotated(NAME) == (str, Text(1, 3))

    def test_a_base_may_be_a_union(self) -> None:
        assert split_annotated(Annotated[int | float, Number(0, 1)]) == (int | float, Number(0, 1))

    def test_the_first_shape_counts(self) -> None:
        assert split_annotated(Annotated[NAME, Text(0, 9)]) == (str, Text(1, 3))

    @pytest.mark.parametrize("annotation", [str, NAME | None, Literal["a"], tuple[NAME, ...], None])
    def test_anything_else_has_none(self, annotation: Annotation) -> None:
        assert split_annotated(annotation) is None


class TestPart:
    @pytest.mark.parametrize(
        ("annotation", "step", "expected"),
        [
            (Label, "name", Tag),
            (Parcel, "label", Label),
            (Parcel | Absent | None, "label", Label),
            (Annotated[tuple[Label, ...], Items()], 7, Label),
            (Annotated[Label, FieldOverride("weight", int)], "weight", int),
            (Annotated[Label, FieldOverride("weight", int)], "name", Tag),
            (Book, "theTitle", Kept),
        ],
        ids=["member", "object", "alternative", "item", "narrowed", "not narrowed", "renamed"],
    )
    def test_members_and_items_are_parts(
        self, annotation: Annotation, step: str | int, expected: Annotation
    ) -> None:
        assert annotation_at(annotation, step) == expected

    @pytest.mark.parametrize(
        ("annotation", "step"),
        [
            (Label, "depth"),
            (Label, 0),
            (Book, "title"),
            (Annotated[tuple[Label, ...], Items()], "name"),
            (NAME, "name"),
            (NAME, 0),
            (bool, "real"),
            (Literal["a"], 0),
        ],
        ids=str,
    )
    def test_nothing_else_is(self, annotation: Annotation, step: str | int) -> None:
        assert annotation_at(annotation, step) is None


class TestAlternatives:
    @pytest.mark.parametrize(
        ("annotation", "null", "absent"),
        [
            (NAME | None, True, False),
            (NAME | Absent, False, True),
            (NAME | Absent | None, True, True),
            (None | Absent | NAME, True, True),
        ],
        ids=str,
    )
    def test_a_union_is_one_type_or_null_or_absent(
        self, annotation: Annotation, null: bool, absent: bool
    ) -> None:
        assert split_union(annotation) == UnionParts(NAME, null=null, absent=absent)

    @pytest.mark.parametrize("annotation", [str, NAME, Literal["a"], tuple[NAME, ...]])
    def test_anything_else_has_none(self, annotation: Annotation) -> None:
        assert split_union(annotation) is None

    @pytest.mark.parametrize("annotation", [int | str, int | str | None, Absent | None])
    def test_two_real_types_or_none_are_a_mistake_in_the_model(
        self, annotation: Annotation
    ) -> None:
        with pytest.raises(ValueError, match="values to unpack"):
            split_union(annotation)


class TestChoices:
    def test_a_literal_has_its_constants_in_order(self) -> None:
        assert literal_values(Literal["b", "a", 1]) == ("b", "a", 1)

    @pytest.mark.parametrize("annotation", [str, NAME, Literal["a"] | Absent])
    def test_anything_else_has_none(self, annotation: Annotation) -> None:
        assert literal_values(annotation) is None


def test_the_items_of_a_tuple_are_annotated() -> None:
    assert item_type(tuple[NAME, ...]) == NAME


def test_the_values_of_a_mapping_are_annotated() -> None:
    assert value_type(Mapping[str, NAME]) == NAME


class TestMembersOf:
    def test_members_come_in_the_order_of_the_model(self) -> None:
        assert model_members(Label, {}) == [
            Member("name", "name", Tag, attrs.NOTHING, constant=False),
            Member("weight", "weight", Weight, attrs.NOTHING, constant=False),
        ]

    def test_a_field_may_name_its_member(self) -> None:
        title, *_ = model_members(Book, {})
        assert (title.name, title.field, title.annotation) == ("theTitle", "title", Kept)

    def test_what_holds_the_rest_is_no_member(self) -> None:
        assert [member.field for member in model_members(Book, {})] == ["title", "note"]

    def test_what_the_model_derives_is_no_member(self) -> None:
        @attrs.frozen
        class Derived:
            one: bool
            two: bool = attrs.field(init=False, default=True)

        assert [member.field for member in model_members(Derived, {})] == ["one"]

    def test_an_annotation_may_be_narrowed(self) -> None:
        _, weight = model_members(Label, {"weight": int})
        assert weight.annotation is int

    def test_a_keyword_only_member_is_a_constant(self) -> None:
        assert [member.field for member in model_members(Parcel, {}) if member.constant] == ["kind"]


class TestRestOf:
    def test_a_model_that_keeps_the_rest_says_where(self) -> None:
        assert extra_field(Shelf) == "extra"

    def test_others_refuse_it(self) -> None:
        assert extra_field(Label) is None
