"""Reading what models say about themselves."""

from typing import Annotated, Literal

import pytest

from purewire.absent import Absent
from purewire.annotations import Alternatives, Annotation, alternatives, choices, item, shaped
from purewire.shapes import Number, Text

NAME = Annotated[str, Text(1, 3)]


class TestShaped:
    def test_an_annotated_type_has_a_base_and_a_shape(self) -> None:
        assert shaped(NAME) == (str, Text(1, 3))

    def test_a_base_may_be_a_union(self) -> None:
        assert shaped(Annotated[int | float, Number(0, 1)]) == (int | float, Number(0, 1))

    def test_the_first_shape_counts(self) -> None:
        assert shaped(Annotated[NAME, Text(0, 9)]) == (str, Text(1, 3))

    @pytest.mark.parametrize("annotation", [str, NAME | None, Literal["a"], tuple[NAME, ...], None])
    def test_anything_else_has_none(self, annotation: Annotation) -> None:
        assert shaped(annotation) is None


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
        assert alternatives(annotation) == Alternatives(NAME, null=null, absent=absent)

    @pytest.mark.parametrize("annotation", [str, NAME, Literal["a"], tuple[NAME, ...]])
    def test_anything_else_has_none(self, annotation: Annotation) -> None:
        assert alternatives(annotation) is None

    @pytest.mark.parametrize("annotation", [int | str, int | str | None, Absent | None])
    def test_two_real_types_or_none_are_a_mistake_in_the_model(
        self, annotation: Annotation
    ) -> None:
        with pytest.raises(ValueError, match="values to unpack"):
            alternatives(annotation)


class TestChoices:
    def test_a_literal_has_its_constants_in_order(self) -> None:
        assert choices(Literal["b", "a", 1]) == ("b", "a", 1)

    @pytest.mark.parametrize("annotation", [str, NAME, Literal["a"] | Absent])
    def test_anything_else_has_none(self, annotation: Annotation) -> None:
        assert choices(annotation) is None


def test_the_items_of_a_tuple_are_annotated() -> None:
    assert item(tuple[NAME, ...]) == NAME
