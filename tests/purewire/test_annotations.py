"""Annotations are split into objects, containers, unions, literals and constraints."""

from collections.abc import Mapping
from typing import Annotated, Literal

import attrs
import pytest

from purewire.absent import Absent
from purewire.structuring.annotations import (
    Annotation,
    Container,
    Member,
    ObjectType,
    UnionParts,
    annotation_at,
    literal_values,
    split_annotated,
    split_container,
    split_object,
    split_union,
)
from purewire.structuring.constraints import FieldOverride, Items, MapOf, Number, Text
from support.purewire.open_model import Book, Kept, Shelf
from support.purewire.parcel_model import Label, Parcel, Tag, Weight

NAME = Annotated[str, Text(1, 3)]


class TestSplitAnnotated:
    def test_an_annotated_type_has_a_base_and_a_constraint(self) -> None:
        assert split_annotated(NAME) == (str, Text(1, 3))

    def test_a_base_may_be_a_union(self) -> None:
        assert split_annotated(Annotated[int | float, Number(0, 1)]) == (int | float, Number(0, 1))

    def test_the_first_constraint_counts(self) -> None:
        assert split_annotated(Annotated[NAME, Text(0, 9)]) == (str, Text(1, 3))

    @pytest.mark.parametrize("annotation", [str, NAME | None, Literal["a"], tuple[NAME, ...], None])
    def test_anything_else_has_none(self, annotation: Annotation) -> None:
        assert split_annotated(annotation) is None


class TestAnnotationAt:
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
        ids=["member", "object", "union", "item", "overridden", "not overridden", "renamed"],
    )
    def test_members_and_items_have_annotations(
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
    def test_nothing_else_has(self, annotation: Annotation, step: str | int) -> None:
        assert annotation_at(annotation, step) is None


class TestSplitUnion:
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


class TestLiteralValues:
    def test_a_literal_has_its_constants_in_order(self) -> None:
        assert literal_values(Literal["b", "a", 1]) == ("b", "a", 1)

    @pytest.mark.parametrize("annotation", [str, NAME, Literal["a"] | Absent])
    def test_anything_else_has_none(self, annotation: Annotation) -> None:
        assert literal_values(annotation) is None


class TestSplitContainer:
    def test_a_list_has_a_constraint_and_an_annotation_of_its_items(self) -> None:
        annotation = Annotated[tuple[NAME, ...], Items(3)]
        assert split_container(annotation) == Container(Items(3), NAME)

    def test_a_map_has_a_constraint_and_an_annotation_of_its_values(self) -> None:
        annotation = Annotated[Mapping[str, NAME], MapOf()]
        assert split_container(annotation) == Container(MapOf(), NAME)

    @pytest.mark.parametrize("annotation", [NAME, Label, tuple[NAME, ...], Mapping[str, NAME]])
    def test_anything_else_is_no_container(self, annotation: Annotation) -> None:
        assert split_container(annotation) is None


class TestSplitObject:
    def test_members_are_in_the_order_of_the_model(self) -> None:
        members = (
            Member("name", "name", Tag, attrs.NOTHING),
            Member("weight", "weight", Weight, attrs.NOTHING),
        )
        assert split_object(Label) == ObjectType(Label, members, extra=None)

    def test_a_field_may_name_its_member(self) -> None:
        title, *_ = object_of(Book).members
        assert (title.name, title.field, title.annotation) == ("theTitle", "title", Kept)

    def test_the_field_of_other_members_is_not_a_member(self) -> None:
        assert [member.field for member in object_of(Book).members] == ["title", "note"]

    def test_a_derived_field_is_not_a_member(self) -> None:
        @attrs.frozen
        class Derived:
            one: bool
            two: bool = attrs.field(init=False, default=True)

        assert [member.field for member in object_of(Derived).members] == ["one"]

    def test_an_annotation_may_be_overridden(self) -> None:
        found = object_of(Annotated[Label, FieldOverride("weight", int)])
        assert found.model is Label
        assert [member.annotation for member in found.members] == [Tag, int]

    def test_the_field_of_other_members_is_found(self) -> None:
        assert object_of(Shelf).extra == "extra"

    @pytest.mark.parametrize("annotation", [NAME, Label | None, bool, Literal["a"]])
    def test_anything_else_is_no_object(self, annotation: Annotation) -> None:
        assert split_object(annotation) is None


def object_of(annotation: Annotation) -> ObjectType:
    found = split_object(annotation)
    assert found is not None
    return found
