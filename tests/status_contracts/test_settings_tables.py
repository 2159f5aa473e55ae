"""Settings from plain tables: names that are unknown, at any depth."""

import pickle
from collections.abc import Mapping
from typing import Annotated

import attrs
import pytest

from status_contracts.findings import Finding
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Items, MapOf, optional_defaults
from status_contracts.structuring.decoder import SettingsError, parse_settings


@attrs.frozen
class _Inner:
    folder: bool | Absent = ABSENT
    title: bool | Absent = ABSENT


@attrs.frozen
class _Outer:
    inner: _Inner | Absent = ABSENT
    named: Annotated[Mapping[str, _Inner], MapOf()] | Absent = ABSENT
    listed: Annotated[tuple[_Inner, ...], Items()] | Absent = ABSENT


@pytest.mark.parametrize(
    ("tables", "path", "hint"),
    [
        ({"liste": 1}, "/liste", "; did you mean listed?"),
        ({"xyz": 1}, "/xyz", "; there are inner, named, listed"),
        ({"inner": {"titel": 1}}, "/inner/titel", "; did you mean title?"),
        ({"inner": {"named": 1}}, "/inner/named", " of a table; write it above the first [table]"),
        ({"named": {"a/b": {"x": 1}}}, "/named/a~1b/x", "; there are folder, title"),
        ({"listed": [{}, {"foldr": 1}]}, "/listed/1/foldr", "; did you mean folder?"),
    ],
)
def test_an_unknown_name_has_the_nearest_or_all_names(tables: object, path: str, hint: str) -> None:
    with pytest.raises(SettingsError) as raised:
        parse_settings(tables, _Outer)
    (finding,) = raised.value.findings
    assert (finding.path, finding.message) == (path, f"is not a setting{hint}")


def test_other_values_than_tables_are_refused() -> None:
    with pytest.raises(SettingsError) as raised:
        parse_settings([], _Outer)
    assert [(finding.path, finding.rule) for finding in raised.value.findings] == [("", "type")]


@attrs.frozen(field_transformer=optional_defaults)
class _Checked:
    name: bool
    title: bool = True

    def __attrs_post_init__(self) -> None:
        if not self.name:
            raise SettingsError((Finding("/name", "name.off", "must be on"),))


@attrs.frozen(field_transformer=optional_defaults)
class _Table:
    first: _Checked
    other: _Checked = _Checked(name=True)


def test_what_is_left_out_has_the_default_of_its_field() -> None:
    table = parse_settings({"first": {"name": True}}, _Table)
    assert (table.first.title, table.other.name) == (True, True)
    with pytest.raises(SettingsError) as raised:
        parse_settings({"other": {"title": False}}, _Table)
    paths = [(finding.path, finding.rule) for finding in raised.value.findings]
    assert paths == [("/first", "required"), ("/other/name", "required")]


def test_findings_of_a_model_that_checks_itself_have_their_whole_path() -> None:
    with pytest.raises(SettingsError) as raised:
        parse_settings({"first": {"name": False}, "x": 1}, _Table)
    paths = [(finding.path, finding.rule) for finding in raised.value.findings]
    assert paths == [("/first/name", "name.off"), ("/x", "unknown")]


def test_an_error_can_be_pickled() -> None:
    error = SettingsError((Finding("/a", "b", "c"),))
    assert pickle.loads(pickle.dumps(error)) == error  # noqa: S301 - its own pickle
    assert str(error) == "invalid_settings: /a: c [b]"
