"""Invariant *accept or leave*: what the fast decoder accepts, cattrs accepts too."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import attrs
import pytest

from status_contracts.json_text import encode
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Integer, Items, MapOf, Text, TimestampFormat
from status_contracts.structuring.decoder import ModelDecoder
from status_contracts.structuring.fast_decoder import CertainFault, FastDecoder, Undecided
from support.status_contracts.open_model import PLAIN as SHELF_PLAIN
from support.status_contracts.open_model import Shelf
from support.status_contracts.parcel_model import FULL_PLAIN, PLAIN, Parcel, Tag

DECODER = FastDecoder(Parcel)
VALIDATOR = ModelDecoder(Parcel)


def decode(value: object) -> Parcel | None:
    """Return the fast decoder's model, or None where it defers."""
    try:
        return DECODER.decode(value if isinstance(value, bytes) else json.dumps(value).encode())
    except Undecided:
        return None


def changed(**members: object) -> dict[str, Any]:
    return FULL_PLAIN | members


class TestAccepts:
    def test_numbers_become_canonical(self) -> None:
        body = encode(changed(label={"name": "a", "weight": "@"}))
        for text, held in ((b"5.0", "5"), (b"5e0", "5"), (b"-0.0", "0"), (b"0.5", "0.5")):
            model = decode(body.replace(b'"@"', text))
            assert model is not None
            assert repr(model.label.weight) == held


class TestDefers:
    """Bodies that may be valid and are left to cattrs."""

    def test_a_backslash_before_a_letter(self) -> None:
        """It looks like an escaped control character."""
        value = changed(note="\\n")
        assert decode(value) is None
        assert VALIDATOR.validate(value)[1] == ()


class TestWhere:
    """Undecided has a path, as far as msgspec's message has one."""

    @pytest.mark.parametrize(
        ("body", "where"),
        [
            (encode(changed(count="1")), ("count",)),
            (encode(changed(label={"name": 1, "weight": 1})), ("label", "name")),
            (encode(changed(label={"name": "a", "weight": [1]})), ()),
            (encode(changed(labels=[PLAIN["label"], {"name": "a"}])), ("labels", 1)),
            (encode(changed(more=1)), ()),
            (encode([]), ()),
            (b"{", ()),
            (encode(changed(note="\n")), ()),
        ],
        ids=repr,
    )
    def test_as_far_as_it_is_known(self, body: bytes, where: tuple[str | int, ...]) -> None:
        with pytest.raises(Undecided) as caught:
            DECODER.decode(body)
        assert caught.value.where == where
        assert caught.value.args == ()
        assert not isinstance(caught.value, CertainFault)
        assert caught.value.__context__ is None

    def test_the_names_of_entries_are_no_steps(self) -> None:
        with pytest.raises(Undecided) as caught:
            FastDecoder(Shelf).decode(encode(SHELF_PLAIN | {"counts": {"a": "1"}}))
        assert caught.value.where == ("counts",)


@attrs.frozen
class Pair:
    """Types that msgspec builds, in any order, and none of the other."""

    count: Annotated[int, Integer(0, 1)] = attrs.field(default=1, kw_only=True)
    note: Annotated[str, Text()] | Absent = attrs.field(default=ABSENT, kw_only=True)
    one: bool
    two: Literal["x"] | None


@attrs.frozen
class Lists:
    """Items that may be null or must differ, and entries that need no step."""

    at: Annotated[tuple[Annotated[int, TimestampFormat.UTC] | None, ...], Items()]
    each: Annotated[tuple[Annotated[int, Integer(0)], ...], Items(unique=True)]
    words: Annotated[Mapping[str, Annotated[str, Text(controls=True)]], MapOf()]


@attrs.frozen
class Timed:
    """One member that is converted."""

    at: Annotated[int, TimestampFormat.UTC]


NUMBERS = (*range(300),)


class TestModels:
    """The requirements on models."""

    @pytest.mark.parametrize(
        ("value", "model"),
        [
            ({"two": None, "one": True, "count": 0}, Pair(True, None, count=0)),
            ({"one": True, "two": "x", "count": 1, "note": ""}, Pair(True, "x", note="")),
            (
                {"at": [None, "1970-01-01T00:00:00Z"], "each": NUMBERS, "words": {"": "y"}},
                Lists((None, 0), NUMBERS, {"": "y"}),
            ),
            ({"at": "1970-01-01T00:00:00Z"}, Timed(0)),
        ],
        ids=lambda each: type(each).__name__,
    )
    def test_models_of_many_shapes(self, value: object, model: object) -> None:
        assert FastDecoder(type(model)).decode(encode(value)) == model

    @pytest.mark.parametrize(
        "more", [{"converter": abs}, {"validator": attrs.validators.le(8)}], ids=str
    )
    def test_fields_contain_their_values(self, more: Any) -> None:
        @attrs.frozen
        class Counted:
            count: Annotated[int, Integer(0, 9)] = attrs.field(**more)

        with pytest.raises(TypeError, match="a converter or a validator"):
            FastDecoder(Counted)

    def test_fields_that_are_no_members_have_their_defaults(self) -> None:
        @attrs.frozen
        class Point:
            x: Annotated[int, Integer(0, 9)]
            kind: str = attrs.field(init=False, default="point")
            notes: list[str] = attrs.field(init=False, factory=list)
            next: int = attrs.field(
                init=False, default=attrs.Factory(lambda self: self.x + 1, takes_self=True)
            )

        one, other = (FastDecoder(Point).decode(b'{"x":%d}' % x) for x in (1, 2))
        assert (one, other) == (Point(1), Point(2))
        assert (one.kind, one.next, other.next) == ("point", 2, 3)
        assert one.notes is not other.notes

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            (Annotated[tuple[Tag, ...], Items()], ["\n"]),
            (Annotated[Mapping[str, Tag], MapOf()], {"a": "\n"}),
            (Annotated[tuple[Annotated[Mapping[str, Tag], MapOf()], ...], Items()], [{"": "\n"}]),
        ],
        ids=["items", "entries", "both"],
    )
    def test_a_text_that_rejects_controls_does_so_wherever_it_stands(
        self, kind: Any, value: object
    ) -> None:
        assert FastDecoder(kind).decode(encode(value).replace(b"\\n", b"x"))
        with pytest.raises(Undecided):
            FastDecoder(kind).decode(encode(value))


class TestOpenModels:
    """Models that keep what they do not name; where they have to, cattrs is taken."""

    DECODER = FastDecoder(Shelf)

    def test_controls_in_any_encoding_where_no_text_rejects_them(self) -> None:
        body = encode(SHELF_PLAIN | {"size": "\x7f\x01"})
        assert self.DECODER.decode(body).size == "\x7f\x01"

    @pytest.mark.parametrize("mark", [b"1e999", b"[" * 502 + b"]" * 502, b'"\\ud800"'])
    def test_values_that_are_not_json_are_left_to_the_validator(self, mark: bytes) -> None:
        body = encode(SHELF_PLAIN).replace(b"[null]", mark)
        with pytest.raises(Undecided):
            self.DECODER.decode(body)
