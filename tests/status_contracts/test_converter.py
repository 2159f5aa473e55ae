"""cattrs structures and unstructures models: the invariants of the converter."""

import math
from datetime import UTC, date, datetime
from typing import Any

import attrs
import pytest

from devicestatus.responses import UpdateResult
from status_contracts.findings import MAX_FINDINGS
from status_contracts.instants import LAST_INSTANT
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring import converter
from status_contracts.structuring.converter import ConstraintError, Unknown, unstructure
from support.checks.costs import assert_linear
from support.status_contracts.open_model import PLAIN as SHELF_PLAIN
from support.status_contracts.open_model import SHELF, Book, Shelf
from support.status_contracts.parcel_model import (
    FULL,
    FULL_PLAIN,
    LABEL,
    PARCEL,
    PLAIN,
    Label,
    Parcel,
    Tag,
)

LATER = FULL_PLAIN | {"label": {"name": "a", "weight": 1.5, "colour": "red"}, "more": [{}]}


@attrs.frozen
class Held:
    """Values without a constraint."""

    days: dict[date, None]
    names: frozenset[str]
    at: datetime | None


def structure(value: object, model: type = Parcel, unknown: Unknown = "refuse") -> Any:
    return converter.structure(value, model, unknown)[0]


def faults(
    value: object, model: type = Parcel, unknown: Unknown = "refuse"
) -> list[tuple[str, str]]:
    """Return where the faults of a value are, and their rules; it has a model if there are none."""
    made, findings = converter.structure(value, model, unknown)
    assert (made is None) == (findings != ())
    return [(finding.path, finding.rule) for finding in findings]


class TestModels:
    @pytest.mark.parametrize(
        ("plain", "model"),
        [
            (PLAIN, PARCEL),
            (PLAIN | {"note": None}, attrs.evolve(PARCEL, note=None)),
            (FULL_PLAIN, FULL),
            (SHELF_PLAIN, SHELF),
        ],
    )
    def test_every_constraint_there_and_back(self, plain: dict[str, Any], model: Any) -> None:
        assert structure(plain, type(model)) == model
        assert unstructure(model) == plain
        assert list(unstructure(model)) == list(plain)

    def test_integral_values_are_stored_as_int(self) -> None:
        made = structure(
            FULL_PLAIN | {"count": 1.0, "size": 3.0, "label": {"name": "a", "weight": -0.0}}
        )
        assert repr((made.count, made.size, made.label.weight)) == "(1, 3, 0)"
        shelf = structure(SHELF_PLAIN | {"counts": {"a": 3.0, "b": 10**300}}, Shelf)
        assert repr(shelf.counts) == f"{{'a': 3, 'b': {10**300}}}"

    def test_a_member_without_a_constraint_is_refused(self) -> None:
        @attrs.frozen
        class Named:
            name: str

        with pytest.raises(TypeError, match=r"Named: no constraint of <class 'str'>"):
            structure({}, Named)

    def test_what_the_constructor_of_a_model_raises_is_raised(self) -> None:
        """Hooks check all that constructors do, so it is a mistake in the model."""

        @attrs.frozen
        class Broken:
            one: bool

            def __attrs_post_init__(self) -> None:
                raise ArithmeticError("broken")

        with pytest.raises(ArithmeticError, match="broken"):
            structure({"one": True}, Broken)


class TestExactTypes:
    """A JSON type is never taken for another; `test_model_values` has the invalid JSON values."""

    @pytest.mark.parametrize(
        "value",
        [None, 0, True, "", "{}", [], (), PARCEL, object(), type("Names", (dict,), {})(PLAIN)],
        ids=lambda value: type(value).__name__,
    )
    def test_a_value_that_is_not_an_object_is_rejected(self, value: object) -> None:
        assert faults(value) == [("", "type")]

    @pytest.mark.parametrize("unknown", ["refuse", "drop"])
    def test_a_member_name_that_is_not_text_is_rejected(self, unknown: Unknown) -> None:
        assert faults(PLAIN | {1: 2, "more": 3}, unknown=unknown) == [("", "type")]


class TestFindings:
    def test_every_fault_of_a_member_is_found(self) -> None:
        label = {"name": "abcd", "weight": 11, "depth": 1}
        members = {"code": "", "label": label, "tags": ["x", "x", ""], "extra": 1}
        assert faults(FULL_PLAIN | members) == [
            ("/code", "text.pattern"),
            ("/label/name", "text.length"),
            ("/label/weight", "number.range"),
            ("/label/depth", "unknown"),
            ("/tags/2", "text.length"),
            ("/extra", "unknown"),
        ]

    def test_missing_members_are_named(self) -> None:
        required = [name for name in PLAIN if name != "label"]
        assert faults({"label": {}}) == [
            *((f"/{name}", "required") for name in required[:7]),
            ("/label/name", "required"),
            ("/label/weight", "required"),
            *((f"/{name}", "required") for name in required[7:]),
        ]

    @pytest.mark.parametrize(
        ("members", "message"),
        [
            ({"code": 1}, "must be text"),
            ({"code": b"A"}, "must be text, not bytes"),
            ({"code": "x"}, "must be two capital letters"),
            ({"code": "A\udfff"}, "must not contain a lone surrogate"),
            ({"note": "\x00"}, "must not contain an ASCII control character"),
            ({"sent_at": 0}, "must be text"),
            ({"kept_at": "x"}, "must be a real instant as YYYY-MM-DDTHH:MM:SS.mmmZ"),
            ({"fragile": 1}, "must be true or false"),
            ({"size": 0}, "must be one of: small, large, 3"),
            ({"size": "3"}, "must be one of: small, large, the number 3"),
            ({"count": "1"}, "must be a number"),
            ({"count": 0}, "must be 1 to 9"),
            ({"count": math.nan}, "must be a finite number"),
            ({"count": 1.5}, "must have an integral value"),
            ({"tags": "a"}, "must be an array"),
            ({"label": LABEL}, "must be an object, not Label"),
            ({"note": ABSENT}, "must be text, not Absent"),
            ({"tags": ("a",)}, "must be an array, not tuple: pass list(value)"),
            ({"tags": []}, "must have 1 to 3 items"),
            ({"tags": ["a", "a"]}, "must differ from all items before"),
            ({"label": []}, "must be an object"),
            ({"label": {"name": "a"}}, "must be present"),
            ({"label": {"name": "", "weight": 1}}, "must have 1 to 3 code points"),
            ({"extra": 1}, "unknown member: remove it, or correct its name"),
            ({"tgs": 1}, "unknown member: remove it, or correct its name; did you mean tags?"),
            ({1: 2}, "member names must be text"),
        ],
        ids=repr,
    )
    def test_the_message_says_what_must_be(self, members: dict[Any, Any], message: str) -> None:
        (finding,) = converter.structure(PLAIN | members, Parcel)[1]
        assert finding.message == message
        assert converter.structure({"ok": "True"}, UpdateResult)[1][0].message == "must be True"

    def test_the_errors_do_not_keep_the_value_alive(self) -> None:
        """Tracebacks refer to the frames that read the value, and frames to the errors."""
        value = FULL_PLAIN | {"labels": [{"name": ""}, {"name": "a"}], "count": 0}
        with pytest.raises(ExceptionGroup) as caught:
            converter.make_converter().structure(value, Parcel)
        errors = [caught.value, *caught.value.exceptions]
        assert any(error.__traceback__ for error in errors)
        assert list(converter._findings(caught.value, ())) != []
        assert not any(error.__traceback__ for error in errors)


class TestBounds:
    """No more findings than 100, whatever the value; linear cost."""

    @pytest.mark.parametrize(
        ("model", "value"),
        [
            (Parcel, PLAIN | dict.fromkeys(map(str, range(1000)))),
            (Shelf, SHELF_PLAIN | {"books": [{}] * 1000}),
            (Shelf, SHELF_PLAIN | {"counts": dict.fromkeys(map(str, range(1000)))}),
            (Shelf, SHELF_PLAIN | dict.fromkeys(map(str, range(1000)), math.nan)),
        ],
        ids=["unknown", "items", "entries", "kept"],
    )
    def test_findings_stop_at_a_hundred(self, model: type, value: object) -> None:
        assert len(faults(value, model)) == MAX_FINDINGS

    def test_a_list_that_is_too_long_is_rejected_unread(self) -> None:
        assert faults(FULL_PLAIN | {"labels": [None] * 100_000}) == [("/labels", "items.count")]

    def test_the_cost_of_a_hostile_value_is_linear(self) -> None:
        event = dict.fromkeys(map(str, range(9)))
        assert_linear(
            lambda value: structure(value, Shelf),
            lambda size: (
                SHELF_PLAIN | {"books": [event] * size} | dict.fromkeys(map(str, range(size)))
            ),
            20_000,
        )


class TestUnknownMembers:
    """Dropped at every depth, refused, or kept if the model keeps them; other faults are found."""

    def test_values_of_later_versions_have_the_model(self) -> None:
        wider = LATER | {"labels": [LATER["label"], {"name": "a", "weight": 1.5}]}
        assert structure(wider, unknown="drop") == attrs.evolve(FULL, label=LABEL)
        assert "more" in wider

    def test_other_faults_are_found(self) -> None:
        assert faults(LATER | {"count": 0}, unknown="drop") == [("/count", "number.range")]

    @pytest.mark.parametrize("unknown", ["refuse", "drop"])
    def test_a_model_keeps_them_in_their_order(self, unknown: Unknown) -> None:
        shelf = structure({"z": 1, **SHELF_PLAIN, "a": {"b": [1.5]}}, Shelf, unknown)
        assert list(shelf.extra.items()) == [("z", 1), ("a", {"b": [1.5]})]
        assert list(unstructure(shelf))[-2:] == ["z", "a"]

    def test_they_never_replace_a_named_member(self) -> None:
        book = unstructure(Book("One", "x", extra={"note": 1, "a": 2}))
        assert book == {"theTitle": "One", "note": "x", "a": 2}

    @pytest.mark.parametrize(
        ("members", "found", "message"),
        [
            ({"counts": {"a": -1}}, [("/counts/a", "number.range")], "must be 0 or more"),
            ({"counts": {1: 1}}, [("/counts/", "type")], "must be text"),
            (
                {"marks": {"\ud800": 1}},
                [("/marks/\ufffd", "text.surrogate")],
                "must not contain a lone surrogate",
            ),
            (
                {"marks": {"a": math.nan}},
                [("/marks/a", "number.finite")],
                "must contain finite numbers only",
            ),
            ({"marks": {"a": {1: 1}}}, [("/marks/a", "type")], "must be a JSON value"),
            ({"more": b"no JSON"}, [("/more", "type")], "must be a JSON value"),
            ({"\ud800": 1}, [("/\ufffd", "text.surrogate")], "must not contain a lone surrogate"),
            ({1: 1}, [("", "type")], "member names must be text"),
        ],
        ids=repr,
    )
    def test_what_is_kept_must_be_json(
        self, members: dict[Any, Any], found: list[tuple[str, str]], message: str
    ) -> None:
        value = SHELF_PLAIN | members
        assert faults(value, Shelf) == found
        assert converter.structure(value, Shelf)[1][0].message == message


class TestUnstructure:
    def test_a_plain_value_is_free_to_be_changed(self) -> None:
        value = unstructure(FULL)
        value["tags"].append("w")
        value["label"]["name"] = "w"
        assert unstructure(FULL) == FULL_PLAIN

    def test_instants_have_the_millisecond_form(self) -> None:
        """Those that may be read in UTC form as well."""
        plain = unstructure(attrs.evolve(PARCEL, sent_at=LAST_INSTANT))
        assert plain["sent_at"] == "9999-12-31T23:59:59.999Z"

    def test_optional_members_keep_their_place(self) -> None:
        @attrs.frozen(kw_only=True)
        class Early:
            note: Tag | Absent = ABSENT
            label: Label

        assert list(unstructure(Early(note="a", label=LABEL))) == ["note", "label"]

    @pytest.mark.parametrize(
        ("model", "members", "message"),
        [
            (PARCEL, {"kept_at": LAST_INSTANT + 1}, "^must be in the years 0001 to 9999$"),
            (PARCEL, {"kept_at": 10**40}, "^must be in the years 0001 to 9999$"),
            (PARCEL, {"kept_at": True}, "an int of milliseconds since the epoch, not bool"),
            (PARCEL, {"kept_at": 1.0}, "not float: pass int"),
            (PARCEL, {"tags": ["x"]}, "a tuple, not list: pass tuple"),
            (PARCEL, {"tags": "x"}, "a tuple, not str"),
            (PARCEL, {"label": PLAIN["label"]}, "an instance of Label, not dict: pass Label"),
            (SHELF, {"counts": []}, "a mapping, not list$"),
            (SHELF, {"extra": []}, "an object with a mapping as its `extra`, not list$"),
        ],
        ids=repr,
    )
    def test_a_part_without_a_plain_value_raises_or_is_found(
        self, model: Any, members: dict[str, Any], message: str
    ) -> None:
        """Models check nothing when they are built."""
        broken = attrs.evolve(model, **members)
        with pytest.raises(ConstraintError, match=message) as caught:
            unstructure(broken)
        plain = converter.to_checkable(broken)
        (finding,) = converter.structure(plain, type(model))[1]
        assert (finding.rule, finding.message) == ("type", str(caught.value))
        assert finding.path in ("", *(f"/{name}" for name in members))

    def test_days_are_text_and_sets_are_lists(self) -> None:
        """Models without constraints, as those of views, hold them."""
        held = Held({date(2026, 1, 31): None}, frozenset("ba"), datetime(2026, 1, 31, tzinfo=UTC))
        at = "2026-01-31T00:00:00+00:00"
        assert unstructure(held) == {"days": {"2026-01-31": None}, "names": ["a", "b"], "at": at}

    def test_what_has_the_wrong_type_is_otherwise_left_to_structuring(self) -> None:
        parcel: Any = PARCEL
        assert unstructure(attrs.evolve(parcel, fragile="yes"))["fragile"] == "yes"
        assert unstructure(Label("a", True))["weight"] is True
