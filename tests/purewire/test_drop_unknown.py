"""Cutting values of later versions down to what a model knows."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Annotated, Any

import attrs
import pytest

from purewire.primitives import ABSENT, Absent
from purewire.structuring.constraints import EXTRA, NAME, FieldOverride, Items, MapOf
from purewire.structuring.decoder import drop_unknown
from support.purewire import open_model, parcel_model
from support.purewire.open_model import Shelf
from support.purewire.parcel_model import Label, Parcel, Tag

Plain = dict[str, Any]


@attrs.frozen
class Heavy:
    """A crate with another value for the weight of one label."""

    grams: int


@attrs.frozen
class Crate:
    """Objects in every place where the vocabulary can have them."""

    first: Label
    maybe: Label | Absent | None
    all: Annotated[tuple[Label, ...], Items()]
    named: Annotated[Mapping[str, Label], MapOf()]
    deep: Annotated[tuple[Annotated[tuple[Label, ...], Items()], ...], Items()]
    heavy: Annotated[Label, FieldOverride("weight", Heavy)]
    spelt: Label = attrs.field(metadata={NAME: "speltOtherwise"})


@attrs.frozen
class Keeper:
    """Keeps what it does not name."""

    label: Label
    extra: Mapping[str, Any] = attrs.field(factory=dict, kw_only=True, metadata={EXTRA: True})


LABEL: Plain = {"name": "a", "weight": 1}
WIDER: Plain = LABEL | {"colour": "red"}
HEAVY: Plain = {"name": "b", "weight": {"grams": 3}}


def crate(label: Plain, heavy: Plain) -> Plain:
    return {
        "first": label,
        "maybe": label,
        "all": [label, label],
        "named": {"x": label, "colour": label},
        "deep": [[label], [], [label]],
        "heavy": heavy,
        "speltOtherwise": label,
    }


class TestUnknownMembers:
    """Invariant *only unknown members are removed*: what is left of a value is as it was."""

    def test_an_unknown_member_goes(self) -> None:
        assert drop_unknown(WIDER, Label) == LABEL

    def test_at_every_depth(self) -> None:
        wider = HEAVY | {"weight": {"grams": 3, "pounds": 1}, "colour": 1}
        assert drop_unknown(crate(WIDER, wider) | {"later": 1}, Crate) == crate(LABEL, HEAVY)

    def test_the_order_of_the_others_stays(self) -> None:
        mixed = {"weight": 1, "colour": 2, "name": "a"}
        assert list(drop_unknown(mixed, Label)) == ["weight", "name"]  # type: ignore[call-overload]

    def test_names_are_those_of_members_not_of_fields(self) -> None:
        assert drop_unknown({"spelt": LABEL, "speltOtherwise": WIDER}, Crate) == {
            "speltOtherwise": LABEL
        }

    def test_the_value_given_is_not_changed(self) -> None:
        plain = crate(WIDER, HEAVY)
        kept = deepcopy(plain)
        drop_unknown(plain, Crate)
        assert plain == kept

    @pytest.mark.parametrize(
        ("plain", "model"),
        [(parcel_model.PLAIN, Parcel), (open_model.PLAIN, Shelf), (crate(LABEL, HEAVY), Crate)],
    )
    def test_a_value_without_unknown_members_is_unchanged(self, plain: Plain, model: Any) -> None:
        assert drop_unknown(plain, model) == plain

    def test_what_a_model_keeps_without_naming_it_is_unchanged(self) -> None:
        kept = {"label": WIDER, "colour": {"deep": [WIDER]}}
        assert drop_unknown(kept, Keeper) == {"label": LABEL, "colour": {"deep": [WIDER]}}


class TestFaults:
    """Invariant *only unknown members are removed*: faults included."""

    @pytest.mark.parametrize("value", [None, True, 0, 1.5, "x", [], [WIDER]], ids=str)
    def test_what_is_no_object_stays_where_one_should_be(self, value: object) -> None:
        assert drop_unknown(value, Label) == value
        faulty = {"first": value, "maybe": value, "heavy": value, "named": value}
        assert drop_unknown(faulty, Crate) == faulty

    @pytest.mark.parametrize("value", [None, 0, "x", WIDER], ids=str)
    def test_what_is_no_list_stays_where_one_should_be(self, value: object) -> None:
        assert drop_unknown({"all": value, "deep": [value]}, Crate) == {
            "all": value,
            "deep": [value],
        }

    def test_invalid_items_stay_beside_sound_ones(self) -> None:
        assert drop_unknown({"all": [None, WIDER, []]}, Crate) == {"all": [None, LABEL, []]}

    def test_objects_and_lists_stay_where_a_plain_value_should_be(self) -> None:
        assert drop_unknown({"name": WIDER, "weight": [WIDER]}, Label) == {
            "name": WIDER,
            "weight": [WIDER],
        }

    def test_members_that_are_not_there_are_not_added(self) -> None:
        assert drop_unknown({}, Crate) == {}


class TestAnnotations:
    @pytest.mark.parametrize("annotation", [Tag, Tag | None, Tag | Absent, str, bool])
    @pytest.mark.parametrize("value", ["x", None, 3, WIDER], ids=str)
    def test_a_value_that_is_no_model_is_unchanged(self, annotation: Any, value: object) -> None:
        assert drop_unknown(value, annotation) is value

    def test_a_union_is_cut_as_its_one_type(self) -> None:
        assert drop_unknown(WIDER, Label | None) == LABEL
        assert drop_unknown(None, Label | None) is None
        assert drop_unknown(ABSENT, Label | Absent) is ABSENT

    def test_a_list_is_cut_item_by_item(self) -> None:
        assert drop_unknown([WIDER, WIDER], Annotated[tuple[Label, ...], Items()]) == [LABEL, LABEL]
