"""Invariants *exact types*, *bounded findings* and *nothing is lost* of the validator."""

import math
from collections.abc import Mapping
from copy import deepcopy
from typing import Annotated, Any

import attrs
import pytest

from status_contracts.findings import MISSING, Missing
from status_contracts.primitives import ABSENT
from status_contracts.structuring.constraints import MapOf
from status_contracts.structuring.validator import Validator
from support.checks.costs import assert_linear
from support.status_contracts.open_model import PLAIN as SHELF_PLAIN
from support.status_contracts.open_model import SHELF, Shelf
from support.status_contracts.parcel_model import (
    FULL,
    FULL_PLAIN,
    LABEL,
    PARCEL,
    PLAIN,
    Label,
    Parcel,
)

CAP = 7
LATER = FULL_PLAIN | {"label": {"name": "a", "weight": 1.5, "colour": "red"}, "more": [{}]}
VALIDATOR = Validator(Parcel, cap=CAP)


@attrs.frozen
class Drawer:
    """Labels by names of any kind."""

    labels: Annotated[Mapping[str, Label], MapOf()]


def read(value: object) -> Any:
    return VALIDATOR.validate(value)[0]


def faults(value: object) -> list[tuple[str, str]]:
    """Return where the faults of a value are, and their rules."""
    return [(finding.path, finding.rule) for finding in VALIDATOR.validate(value)[1]]


def changed(**members: object) -> dict[str, Any]:
    return FULL_PLAIN | members


class TestAccepts:
    def test_every_shape(self) -> None:
        assert VALIDATOR.validate(PLAIN) == (PARCEL, ())
        assert VALIDATOR.validate(FULL_PLAIN) == (FULL, ())

    def test_null_and_absent_apart(self) -> None:
        assert read(PLAIN | {"note": None}).note is None
        assert read(PLAIN).note is ABSENT

    @pytest.mark.parametrize("value", [1, 1.0], ids=repr)
    def test_integral_values_are_held_as_int(self, value: float) -> None:
        assert repr(read(changed(count=value)).count) == "1"
        assert repr(read(changed(size=3.0)).size) == "3"
        weighed = read(changed(label={"name": "a", "weight": -0.0}))
        assert repr(weighed.label.weight) == "0"


class TestExactTypes:
    """A JSON type is never taken for another."""

    @pytest.mark.parametrize(
        ("member", "value"),
        [("code", b"AB"), ("label", LABEL), ("tags", ("a",)), ("note", ABSENT)],
    )
    def test_values_of_python_that_no_text_has_are_rejected(
        self, member: str, value: object
    ) -> None:
        """`test_model_values` has the invalid JSON values of each constraint."""
        assert faults(changed(**{member: value})) == [(f"/{member}", "type")]

    @pytest.mark.parametrize(
        "value",
        [None, 0, True, "", "{}", [], (), PARCEL, object()],
        ids=lambda value: type(value).__name__,
    )
    def test_a_value_that_is_not_an_object_is_rejected(self, value: object) -> None:
        assert VALIDATOR.validate(value)[0] is MISSING
        assert faults(value) == [("", "type")]

    def test_subclasses_are_other_types(self) -> None:
        class Names(dict[str, object]):
            """A dict with ideas of its own."""

        assert faults(Names(PLAIN)) == [("", "type")]

    def test_a_member_name_that_is_no_text_is_rejected(self) -> None:
        assert faults(PLAIN | {1: 2, None: 3}) == [("", "type"), ("", "type")]


class TestFindings:
    def test_every_fault_is_found(self) -> None:
        value = changed(
            code="",
            label={"name": "abcd", "weight": 11, "depth": 1},
            tags=["x", "x", ""],
            extra=None,
        )
        assert faults(value) == [
            ("/code", "text.pattern"),
            ("/label/name", "text.length"),
            ("/label/weight", "number.range"),
            ("/label/depth", "unknown"),
            ("/tags/2", "text.length"),
            ("/tags/1", "items.unique"),
            ("/extra", "unknown"),
        ]

    def test_missing_members_are_named(self) -> None:
        required = [name for name in PLAIN if name != "label"]
        found = Validator(Parcel, cap=100).validate({"label": {}})[1]
        assert [finding.path for finding in found] == [
            *(f"/{name}" for name in required[:7]),
            "/label/name",
            "/label/weight",
            *(f"/{name}" for name in required[7:]),
        ]
        assert {finding.rule for finding in found} == {"required"}

    @pytest.mark.parametrize(
        ("member", "value", "message"),
        [
            ("tags", [], "must have 1 to 3 items"),
            ("code", "x", "must be two capital letters"),
            ("size", 0, "must be one of: small, large, 3"),
            ("count", 0, "must be 1 to 9"),
            ("kept_at", "x", "must be a real instant as YYYY-MM-DDTHH:MM:SS.mmmZ"),
            ("label", {"name": "", "weight": 1}, "must have 1 to 3 code points"),
        ],
    )
    def test_the_message_says_the_limits(self, member: str, value: object, message: str) -> None:
        (finding,) = VALIDATOR.validate(changed(**{member: value}))[1]
        assert finding.message == message

    @pytest.mark.parametrize(
        ("members", "message"),
        [
            ({"code": 1}, "must be text"),
            ({"code": "A\udfff"}, "must not contain a lone surrogate"),
            ({"note": "\x00"}, "must not contain an ASCII control character"),
            ({"sent_at": 0}, "must be text"),
            ({"fragile": 1}, "must be true or false"),
            ({"count": "1"}, "must be a number"),
            ({"count": math.nan}, "must be a finite number"),
            ({"count": 1.5}, "must have an integral value"),
            ({"tags": "a"}, "must be an array"),
            ({"tags": ["a", "a"]}, "must differ from all items before"),
            ({"label": []}, "must be an object"),
            ({"label": {"name": "a"}}, "must be present"),
            ({"extra": 1}, "must be a member that the object has"),
            ({1: 2}, "member names must be text"),
        ],
    )
    def test_the_message_names_the_fault(self, members: dict[Any, Any], message: str) -> None:
        (finding,) = VALIDATOR.validate(PLAIN | members)[1]
        assert finding.message == message


class TestBounds:
    """No more findings than the cap, whatever the value; linear cost."""

    def test_unknown_members_stop_at_the_cap(self) -> None:
        assert len(faults(PLAIN | dict.fromkeys(map(str, range(1000))))) == CAP

    def test_missing_members_stop_at_the_cap(self) -> None:
        assert len(faults({})) == CAP

    def test_items_after_the_cap_are_not_looked_at(self) -> None:
        reader = Validator(Parcel, cap=1)
        sound: Any
        sound, findings = reader.validate(changed(tags=["", "a", "b"]))
        assert [finding.path for finding in findings] == ["/tags/0"]
        assert sound.tags == (MISSING,)

    def test_nor_are_those_after_an_item_that_goes_beyond_it(self) -> None:
        value = SHELF_PLAIN | {"books": [{}, {}, *SHELF_PLAIN["books"]]}
        sound: Any = Validator(Shelf, cap=3).validate(value)[0]
        assert len(sound.books) == 2

    @pytest.mark.parametrize(("cap", "faulty"), [(2, {"name": "a"}), (3, {})])
    def test_entries_after_the_cap_are_not_looked_at(self, cap: int, faulty: object) -> None:
        value = {"labels": {"a": faulty, "b": faulty, "c": PLAIN["label"]}}
        sound: Any
        sound, findings = Validator(Drawer, cap=cap).validate(value)
        assert len(findings) == cap
        assert sound.labels == {}

    def test_a_list_that_is_too_long_is_rejected_unread(self) -> None:
        assert faults(changed(labels=[None] * 100_000)) == [("/labels", "items.count")]


class TestSoundParts:
    """The valid parts of an invalid value are kept; all others are MISSING."""

    def test_the_sound_members_of_an_object_are_kept(self) -> None:
        sound = read(changed(count=0))
        assert sound.count is MISSING
        assert (sound.code, sound.label, sound.tags) == (FULL.code, FULL.label, FULL.tags)

    def test_absent_members_are_absent_and_lost_ones_missing(self) -> None:
        sound = read({"code": "AB"})
        assert sound.note is ABSENT
        assert sound.count is MISSING
        assert sound.label.name is MISSING

    def test_sound_items_are_kept_in_their_places(self) -> None:
        assert read(changed(tags=["x", 1, "y"])).tags == ("x", MISSING, "y")
        first, second = read(changed(labels=[{"name": "a"}, FULL_PLAIN["label"]])).labels
        assert (first.name, first.weight, second) == ("a", MISSING, FULL.label)

    def test_a_invalid_item_repeats_nothing(self) -> None:
        assert faults(changed(tags=[1, 1])) == [("/tags/0", "type"), ("/tags/1", "type")]

    def test_missing_has_no_members_and_no_items(self) -> None:
        assert MISSING.any.member is MISSING
        assert list(MISSING) == []
        assert repr(MISSING) == "MISSING"
        assert isinstance(MISSING, Missing)


class TestRejects:
    """One place is enough to know that a value is invalid."""

    @pytest.mark.parametrize(
        ("members", "where"),
        [
            ({"label": {"name": "a", "weight": 11}}, ("label", "weight")),
            ({"label": {"name": "a", "weight": 11}}, ("label",)),
            ({"labels": [PLAIN["label"], {"name": "a"}]}, ("labels", 1)),
            ({"labels": [PLAIN["label"], {"name": "a"}]}, ("labels", 1, "weight")),
            ({"labels": [PLAIN["label"], 1]}, ("labels", 1, "weight")),
            ({"labels": [PLAIN["label"]] * 3}, ("labels",)),
            ({"labels": [PLAIN["label"]] * 3}, ("labels", 3)),
            ({"label": []}, ("nowhere", "count")),
            ({"whole": {"name": "a", "weight": 4}}, ("whole", "weight")),
            ({"more": 1}, ("more",)),
            ({"more": 1}, ()),
        ],
        ids=repr,
    )
    def test_where_the_fault_is_or_around_it(
        self, members: dict[str, Any], where: tuple[str | int, ...]
    ) -> None:
        assert VALIDATOR.rejects_at(changed(**members), where)

    @pytest.mark.parametrize("where", [("count",), ("label", "name"), ("tags", 0), ("kept_at",)])
    def test_elsewhere_nothing_is_sure(self, where: tuple[str | int, ...]) -> None:
        assert not VALIDATOR.rejects_at(changed(size="medium"), where)

    @pytest.mark.parametrize("where", [(), ("count",), ("labels", 1, "weight"), ("label", "name")])
    def test_a_sound_value_has_no_such_place(self, where: tuple[str | int, ...]) -> None:
        assert not VALIDATOR.rejects_at(FULL_PLAIN, where)


class TestIgnoredMembers:
    """Unknown members are dropped at every depth; all other faults are found."""

    VALIDATOR = Validator(Parcel, cap=CAP, ignores_unknown=True)

    def test_values_of_later_versions_have_the_model(self) -> None:
        wider = LATER | {"labels": [LATER["label"], {"name": "a", "weight": 1.5}]}
        assert self.VALIDATOR.validate(wider) == (attrs.evolve(FULL, label=LABEL), ())

    def test_the_value_is_not_changed(self) -> None:
        kept = deepcopy(LATER)
        self.VALIDATOR.validate(LATER)
        assert kept == LATER

    def test_other_faults_are_found(self) -> None:
        value = LATER | {"count": 0, 1: 2}
        found = [(finding.path, finding.rule) for finding in self.VALIDATOR.validate(value)[1]]
        assert found == [("/count", "number.range"), ("", "type")]

    def test_the_place_of_an_unknown_member_rejects_nothing(self) -> None:
        assert not self.VALIDATOR.rejects_at(LATER, ("label", "colour"))

    def test_members_that_a_model_keeps_stay(self) -> None:
        shelf: Any = Validator(Shelf, cap=CAP, ignores_unknown=True)
        assert shelf.validate(SHELF_PLAIN | {"more": 1})[0].extra == {"more": 1}


class TestOpenModels:
    """Members that a model does not name are kept unchanged if they are JSON values."""

    VALIDATOR = Validator(Shelf, cap=CAP)

    def faults(self, value: object) -> list[tuple[str, str]]:
        return [(finding.path, finding.rule) for finding in self.VALIDATOR.validate(value)[1]]

    def test_every_open_constraint(self) -> None:
        assert self.VALIDATOR.validate(SHELF_PLAIN) == (SHELF, ())

    def test_unknown_members_are_kept_in_their_order(self) -> None:
        shelf: Any = self.VALIDATOR.validate({"z": 1, **SHELF_PLAIN, "a": {"b": [1.5]}})[0]
        assert list(shelf.extra.items()) == [("z", 1), ("a", {"b": [1.5]})]

    def test_an_unknown_member_in_the_place_of_a_missing_one_is_kept_too(self) -> None:
        value = {"more": 1} | SHELF_PLAIN
        del value["owner"]
        sound: Any = self.VALIDATOR.validate(value)[0]
        assert sound.extra == {"more": 1}
        assert self.faults(value) == [("/owner", "required")]

    def test_integral_values_have_no_most(self) -> None:
        shelf: Any = self.VALIDATOR.validate(SHELF_PLAIN | {"counts": {"a": 3.0, "b": 10**300}})[0]
        assert repr(shelf.counts) == f"{{'a': 3, 'b': {10**300}}}"

    @pytest.mark.parametrize(
        ("members", "faults"),
        [
            ({"counts": {1: 1}}, [("/counts/", "type")]),
            ({"marks": {1: 1}}, [("/marks/", "type")]),
            ({"marks": {"\ud800": 1}}, [("/marks/\ufffd", "text.surrogate")]),
            ({"marks": {"a": math.nan}}, [("/marks/a", "number.finite")]),
            ({"marks": {"a": {1: 1}}}, [("/marks/a", "type")]),
            ({"more": b"no JSON"}, [("/more", "type")]),
            ({"more": {"\ud800": 1}}, [("/more", "text.surrogate")]),
            ({"\ud800": 1}, [("/\ufffd", "text.surrogate")]),
            ({1: 1}, [("", "type")]),
        ],
        ids=repr,
    )
    def test_faults(self, members: dict[Any, Any], faults: list[tuple[str, str]]) -> None:
        assert self.faults(SHELF_PLAIN | members) == faults

    @pytest.mark.parametrize(
        ("members", "message"),
        [
            ({"counts": []}, "must be an object"),
            ({"counts": {"a": -1}}, "must be 0 or more"),
            ({"marks": {"a": math.nan}}, "must contain finite numbers only"),
            ({"more": math.nan}, "must contain finite numbers only"),
            ({"more": "\ud800"}, "must not contain a lone surrogate"),
            ({"more": b"no JSON"}, "must be a JSON value"),
            ({1: 2}, "member names must be text"),
        ],
        ids=repr,
    )
    def test_the_message_names_the_fault(self, members: dict[Any, Any], message: str) -> None:
        (finding,) = self.VALIDATOR.validate(SHELF_PLAIN | members)[1]
        assert finding.message == message

    def test_a_value_inside_itself_is_too_deep(self) -> None:
        value: list[Any] = []
        value.append(value)
        assert self.faults(SHELF_PLAIN | {"more": value}) == [("/more", "json.depth")]

    def test_what_is_sound_is_kept(self) -> None:
        value = SHELF_PLAIN | {"counts": {"a": 1, "b": -1}, "more": 1}
        sound: Any = self.VALIDATOR.validate(value)[0]
        assert sound.counts == {"a": 1}
        assert sound.extra == {"more": 1}

    @pytest.mark.parametrize("name", ["counts", "marks", "more"])
    def test_findings_stop_at_the_cap(self, name: str) -> None:
        many = {f"{number}": math.nan for number in range(1000)}
        value = SHELF_PLAIN | (many if name == "more" else {name: many})
        assert len(self.faults(value)) == CAP
        assert_linear(
            self.VALIDATOR.validate,
            lambda size: SHELF_PLAIN | {"marks": dict.fromkeys(map(str, range(size)), math.nan)},
            20_000,
        )


def test_a_model_in_a_list_is_not_an_object() -> None:
    assert faults(changed(labels=[LABEL])) == [("/labels/0", "type")]


def test_a_member_without_a_constraint_is_refused() -> None:
    @attrs.frozen
    class Named:
        name: str

    with pytest.raises(TypeError, match=r"Named: no constraint of <class 'str'>"):
        Validator(Named, cap=1)
