"""Models to plain values: instants as text, no absent members, null kept, canonical numbers."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT
from status_contracts.primitives import ABSENT
from status_contracts.structuring.to_builtins import to_builtins
from support.status_contracts.open_model import PLAIN as SHELF_PLAIN
from support.status_contracts.open_model import SHELF, Book, Shelf
from support.status_contracts.parcel_model import FULL, FULL_PLAIN, PARCEL, PLAIN, Label


def parcel(**members: Any) -> dict[str, Any]:
    """Return the plain value of the parcel with other members, of any type."""
    return to_builtins(attrs.evolve(PARCEL, **members))


class TestToPlain:
    def test_every_shape_has_its_plain_form(self) -> None:
        assert to_builtins(FULL) == FULL_PLAIN
        assert to_builtins(PARCEL) == PLAIN

    def test_absent_is_omitted_and_null_stays(self) -> None:
        """Invariant *absent is not null*."""
        assert "note" not in to_builtins(PARCEL)
        assert parcel(note=None)["note"] is None
        assert parcel(note="")["note"] == ""

    def test_a_plain_value_is_free_to_be_changed(self) -> None:
        value = to_builtins(FULL)
        value["tags"].append("w")
        value["label"]["name"] = "w"
        assert to_builtins(FULL) == FULL_PLAIN

    def test_instants_are_written_in_millisecond_form(self) -> None:
        """Those that may be read in UTC form as well."""
        for instant, text in (
            (FIRST_INSTANT, "0001-01-01T00:00:00.000Z"),
            (LAST_INSTANT, "9999-12-31T23:59:59.999Z"),
        ):
            assert parcel(sent_at=instant)["sent_at"] == text

    @pytest.mark.parametrize("instant", [FIRST_INSTANT - 1, LAST_INSTANT + 1, 10**40])
    def test_an_instant_without_a_text_raises(self, instant: int) -> None:
        with pytest.raises(ValueError, match="outside the years"):
            parcel(kept_at=instant)

    def test_items_that_are_no_tuple_raise(self) -> None:
        """Text would be taken for a list of characters."""
        for tags in (["x"], "x", {"x"}):
            with pytest.raises(TypeError, match="tuple"):
                parcel(tags=tags)

    def test_a_member_that_is_no_model_raises(self) -> None:
        with pytest.raises(TypeError, match=r"an instance of Label, not dict: pass Label"):
            parcel(label={"name": "a", "weight": 1})

    @given(st.integers(0, 10) | st.floats(0, 10), st.integers(0, 10) | st.floats(0, 10))
    def test_equal_models_have_equal_plain_values_to_the_last_digit(
        self, one: float, other: float
    ) -> None:
        """`1`, `1.0` and `True` compare equal; the first two are one serialization."""
        first, second = Label("a", one), Label("a", other)
        assert (first == second) == (repr(to_builtins(first)) == repr(to_builtins(second)))

    def test_what_is_not_of_its_type_is_left_to_the_reader(self) -> None:
        assert to_builtins(Label("a", True))["weight"] is True
        assert parcel(fragile="yes")["fragile"] == "yes"

    def test_absent_stands_for_a_member_anywhere(self) -> None:
        """A member that may not be absent is then missing, which the reader finds."""
        assert "code" not in parcel(code=ABSENT)


class TestOpenModels:
    def test_every_open_shape_has_its_plain_form(self) -> None:
        assert to_builtins(SHELF) == SHELF_PLAIN
        assert list(to_builtins(SHELF)) == list(SHELF_PLAIN)

    def test_the_rest_comes_last_in_its_own_order(self) -> None:
        """Invariant *nothing is lost* of whoever keeps it."""
        book = to_builtins(Book("One", "", extra={"z": 1, "a": [None]}))
        assert list(book.items()) == [("theTitle", "One"), ("note", ""), ("z", 1), ("a", [None])]

    def test_the_rest_does_not_stand_for_members(self) -> None:
        book = to_builtins(Book("One", "x", extra={"note": 1}))
        assert book == {"theTitle": "One", "note": "x"}

    def test_entries_are_of_one_spelling(self) -> None:
        counts: dict[str, Any] = {"a": 2.0}
        shelf = Shelf("Ada", (), counts, {"b": 2.0})
        assert repr(to_builtins(shelf)["counts"]) == "{'a': 2}"
        assert repr(to_builtins(shelf)["marks"]) == "{'b': 2.0}"

    def test_what_is_no_mapping_raises(self) -> None:
        none: Any = []
        with pytest.raises(TypeError, match=r"^must be a mapping, not list$"):
            to_builtins(Shelf("Ada", (), none, {}))
        with pytest.raises(TypeError, match=r"a mapping as its `extra`, not list$"):
            to_builtins(Book("One", "", extra=none))
