"""Constructors that are written out make what the models' own constructors make."""

from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from purewire.primitives import ABSENT
from purewire.structuring.fast_decoder import UnlessMissing, build_constructor


def double(number: int) -> int:
    return 2 * number


@attrs.frozen
class Point:
    kind: str = attrs.field(default="point", kw_only=True)
    x: int
    y: Any = ABSENT
    notes: list[str] = attrs.field(factory=list)
    total: int = attrs.field(
        init=False, default=attrs.Factory(lambda self: self.x + 1, takes_self=True)
    )


class TestAssembler:
    def test_fields_have_what_is_given_converted_or_as_it_is(self) -> None:
        construct = build_constructor(Point, {"kind": None, "x": double, "y": None, "notes": None})
        made = construct(SimpleNamespace(kind="dot", x=2, y=None, notes=["a"]))
        assert made == Point(4, None, ["a"], kind="dot")
        assert type(made) is Point

    def test_other_fields_have_their_defaults(self) -> None:
        """A fresh one from a factory, and one that is made of the fields before it."""
        construct = build_constructor(Point, {"x": None})
        one, other = (construct(SimpleNamespace(x=x)) for x in (1, 2))
        assert (one, other) == (Point(1), Point(2))
        assert one.notes is not other.notes
        assert (one.total, other.total) == (2, 3)

    def test_what_is_made_is_frozen(self) -> None:
        made = build_constructor(Point, {"x": None})(SimpleNamespace(x=1))
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            made.x = 2
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            del made.x

    def test_a_model_that_looks_at_itself_does_so(self) -> None:
        @attrs.frozen
        class Even:
            number: int

            def __attrs_post_init__(self) -> None:
                if self.number % 2:
                    raise ValueError("odd")

        construct = build_constructor(Even, {"number": None})
        assert construct(SimpleNamespace(number=2)) == Even(2)
        with pytest.raises(ValueError, match="odd"):
            construct(SimpleNamespace(number=1))

    @pytest.mark.parametrize(
        "more", [{"converter": abs}, {"validator": attrs.validators.le(8)}], ids=str
    )
    def test_fields_contain_their_values(self, more: Any) -> None:
        @attrs.frozen
        class Held:
            count: int = attrs.field(**more)

        with pytest.raises(TypeError, match=r"^Held: a field has a converter or a validator$"):
            build_constructor(Held, {"count": None})


class TestUnlessMissing:
    def test_what_is_kept_is_named(self) -> None:
        make: Any = UnlessMissing
        with pytest.raises(TypeError):
            make(double, True, absent=True)
        with pytest.raises(TypeError):
            make(double, True, null=True)

    @pytest.mark.parametrize(
        ("null", "absent", "condition"),
        [
            (True, False, "value is not None"),
            (False, True, "value is not ABSENT"),
            (True, True, "value is not None and value is not ABSENT"),
        ],
    )
    def test_null_and_absent_stay(self, null: bool, absent: bool, condition: str) -> None:
        convert = UnlessMissing(double, null=null, absent=absent)
        assert convert.condition() == condition
        assert convert(3) == 6
        construct = build_constructor(Point, {"x": None, "y": convert})
        assert construct(SimpleNamespace(x=1, y=3)) == Point(1, 6)
        for kept in [None] * null + [ABSENT] * absent:
            assert convert(kept) is kept
            assert construct(SimpleNamespace(x=1, y=kept)) == Point(1, kept)
