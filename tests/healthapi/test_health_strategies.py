"""The strategies generate what their documentation describes."""

import csv
import io
import json
from collections.abc import Callable
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from healthapi.account.snapshot import SNAPSHOT_FILE, read_snapshot
from healthapi.errors import DataError
from healthapi.profile import Profile, load
from healthapi.redaction.names import classify
from healthapi.redaction.shapes import find_random
from healthapi.redaction.walk import clean
from healthapi.rows.columns import NATIVE
from healthapi.rows.reading import read_rows
from healthapi.rows.records import ActivityRow, HrvRow, RhrRow, SleepLog
from healthapi.testing.faults import FILE_RULES, ROW_RULES, Faulty, faulty_files
from healthapi.testing.files import csv_file, native_files
from healthapi.testing.secrets import Planted, canaries, planted, secret_names, secret_texts
from healthapi.testing.strategies import (
    activity_rows,
    days,
    hrv_rows,
    profile_files,
    profiles,
    rhr_rows,
    sleep_logs,
    snapshots,
    snapshots_with_secrets,
)
from purewire.json import codec

NOW = "2026-01-31T12:00:00"
MOST = 8


def anything(_: Any) -> bool:
    return True


def simplest(strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool] = anything) -> Any:
    """Return the simplest value of a strategy; the phase that explains it would take longest."""
    phases = [Phase.generate, Phase.shrink]
    quick = settings(database=None, max_examples=2000, phases=phases)
    return find(strategy, condition, settings=quick)


def some(strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool] = anything) -> Any:
    """Return any value of a strategy that meets a condition."""
    quick = settings(database=None, max_examples=2000, phases=[Phase.generate])
    return find(strategy, condition, settings=quick)


class TestDays:
    @given(days())
    def test_are_real_and_ascend_without_repetition(self, found: list[str]) -> None:
        assert found == sorted(set(found))
        assert all(date.fromisoformat(day).isoformat() == day for day in found)
        assert len(found) <= 60

    @given(days(3))
    def test_have_at_most_the_requested_length(self, found: list[str]) -> None:
        assert len(found) <= 3

    def test_are_consecutive_or_have_gaps(self) -> None:
        def steps(found: list[str]) -> set[timedelta]:
            return {after - before for before, after in pairwise(map(date.fromisoformat, found))}

        assert some(days(), lambda found: timedelta(1) in steps(found))
        assert some(days(), lambda found: any(step > timedelta(30) for step in steps(found)))

    def test_shrink_to_none(self) -> None:
        assert simplest(days()) == []


class TestRows:
    @given(activity_rows(MOST))
    def test_of_activity_read_back_as_they_were(self, rows: list[ActivityRow]) -> None:
        assert NATIVE.activity is not None
        reading = read_rows(csv_file(rows, NATIVE.activity), NATIVE.activity)
        assert list(reading.rows) == rows
        assert reading.findings.total == 0

    @given(sleep_logs(MOST))
    def test_of_sleep_read_back_as_they_were(self, rows: list[SleepLog]) -> None:
        assert NATIVE.sleep is not None
        reading = read_rows(csv_file(rows, NATIVE.sleep), NATIVE.sleep)
        assert list(reading.rows) == rows
        assert reading.findings.total == 0

    @given(hrv_rows(MOST))
    def test_of_hrv_read_back_as_they_were(self, rows: list[HrvRow]) -> None:
        assert NATIVE.hrv is not None
        reading = read_rows(csv_file(rows, NATIVE.hrv), NATIVE.hrv)
        assert list(reading.rows) == rows
        assert reading.findings.total == 0

    @given(rhr_rows(MOST))
    def test_of_rhr_read_back_as_they_were(self, rows: list[RhrRow]) -> None:
        assert NATIVE.rhr is not None
        reading = read_rows(csv_file(rows, NATIVE.rhr), NATIVE.rhr)
        assert list(reading.rows) == rows
        assert reading.findings.total == 0

    @given(activity_rows(MOST) | hrv_rows(MOST) | rhr_rows(MOST))
    def test_have_one_row_a_date(self, rows: list[Any]) -> None:
        dates = [row.date for row in rows]
        assert dates == sorted(set(dates))

    @given(sleep_logs(MOST))
    def test_of_sleep_ascend_and_have_ids_of_their_own(self, rows: list[SleepLog]) -> None:
        dates = [row.date for row in rows]
        assert dates == sorted(dates)
        assert all(dates.count(day) <= 3 for day in dates)
        ids = [row.log_id for row in rows]
        assert len(set(ids)) == len(ids)

    def test_reach_naps_alone_and_several_sleeps(self) -> None:
        def lone_nap(rows: list[SleepLog]) -> bool:
            return [row.is_main_sleep for row in rows] == [False]

        def several(rows: list[SleepLog]) -> bool:
            return len({row.date for row in rows}) < len(rows)

        assert some(sleep_logs(2), lone_nap)
        assert some(sleep_logs(2), several)

    @pytest.mark.uncounted
    @pytest.mark.parametrize("name", ["steps", "calories_out", "exercise_examples"])
    def test_may_lack_any_value(self, name: str) -> None:
        def is_missing(rows: list[ActivityRow]) -> bool:
            return any(getattr(row, name) is None for row in rows)

        def is_there(rows: list[ActivityRow]) -> bool:
            return any(getattr(row, name) is not None for row in rows)

        assert some(activity_rows(MOST), is_missing)
        assert some(activity_rows(MOST), is_there)

    def test_shrink_to_none_and_to_missing_values(self) -> None:
        assert simplest(activity_rows(2)) == []
        (row,) = simplest(rhr_rows(MOST), bool)
        assert row.rhr is None


class TestCsvFiles:
    def test_are_written_as_producers_do(self) -> None:
        rows = [
            HrvRow(date="2026-01-01", hrv=40.0, deep_rmssd=None),
            HrvRow(date="2026-01-02", hrv=41.5, deep_rmssd=38.0),
        ]
        assert NATIVE.hrv is not None
        assert csv_file(rows, NATIVE.hrv) == (
            b"date,dailyRmssd,deepRmssd\n2026-01-01,40.0,\n2026-01-02,41.5,38.0\n"
        )

    def test_have_decimals_in_columns_with_gaps(self) -> None:
        rows = [RhrRow(date="2026-01-01", rhr=61), RhrRow(date="2026-01-02", rhr=None)]
        assert NATIVE.rhr is not None
        assert b"2026-01-01,61.0\n2026-01-02,\n" in csv_file(rows, NATIVE.rhr)
        assert b"2026-01-01,61\n" in csv_file(rows[:1], NATIVE.rhr)

    def test_quote_cells_with_commas(self) -> None:
        row = ActivityRow(date="2026-01-01", exercise_examples="Hike, long")
        assert NATIVE.activity is not None
        assert b'"Hike, long"' in csv_file([row], NATIVE.activity)

    def test_of_datasets_that_are_none_are_not_there(self) -> None:
        assert native_files() == {}
        assert list(native_files(rhr=[])) == ["csv/fitbit_rhr.csv"]
        assert len(native_files([], [], [], [])) == 4


class TestProfileFiles:
    @pytest.mark.uncounted
    @settings(max_examples=60)
    @given(profile_files(MOST))
    def test_load_without_any_finding(self, files: dict[str, bytes]) -> None:
        profile = load("anna", files, generated_at=NOW)
        assert all(findings.total == 0 for findings in profile.findings.values())
        assert (profile.snapshot is not None) == (SNAPSHOT_FILE in files)
        if profile.snapshot is not None:
            assert profile.snapshot.dropped_entries == 0

    @pytest.mark.uncounted
    @pytest.mark.parametrize("name", ["activity", "sleep", "hrv", "rhr"])
    def test_may_lack_any_of_them(self, name: str) -> None:
        file = f"csv/fitbit_{name}.csv"
        assert file not in some(profile_files(MOST), lambda files: file not in files)
        assert file in some(profile_files(MOST), lambda files: file in files)

    def test_shrink_to_none(self) -> None:
        assert simplest(profile_files(2)) == {}

    @settings(max_examples=30)
    @given(profiles(MOST))
    def test_have_one_profile_id(self, profile: Profile) -> None:
        assert profile.id == "person"
        assert len(profile.daily) <= 4 * MOST


class TestSnapshots:
    @settings(max_examples=60)
    @given(snapshots())
    def test_are_read_as_they_are(self, value: dict[str, Any]) -> None:
        found = read_snapshot(codec.encode(value))
        assert list(found.endpoints) == list(value["endpoints"])
        assert found.granted_scopes == tuple(value["token_scope"])
        assert found.saved_at == value["saved_at"]

    @given(snapshots())
    def test_contain_no_secret(self, value: dict[str, Any]) -> None:
        endpoints = value["endpoints"]
        user = (endpoints.get("profile") or {}).get("data", {}).get("user", {})
        user.pop("fullName", None)
        assert clean(endpoints) == endpoints

    @pytest.mark.parametrize("state", ["cached", "missing_scope", "failed"])
    def test_reach_every_state(self, state: str) -> None:
        def has_state(value: dict[str, Any]) -> bool:
            entries = read_snapshot(codec.encode(value)).endpoints.values()
            return any(entry.state == state for entry in entries)

        assert some(snapshots(), has_state)

    def test_shrink_to_no_endpoints(self) -> None:
        assert simplest(snapshots())["endpoints"] == {}


class TestSecrets:
    @settings(max_examples=60)
    @given(secret_names())
    def test_names_are_names_of_secrets(self, name: str) -> None:
        found = classify(name).rule
        assert found is not None
        assert found.id.startswith("name.")

    @given(canaries())
    def test_canaries_are_not_recognized_by_their_shape(self, canary: str) -> None:
        assert canary.startswith("cAnArY7")
        assert clean([canary]) == [canary]
        assert list(find_random(canary)) == []

    @settings(max_examples=60)
    @given(st.data(), canaries())
    def test_texts_contain_the_canary(self, data: st.DataObject, canary: str) -> None:
        assert canary in data.draw(secret_texts(canary))

    @pytest.mark.uncounted
    @settings(max_examples=40)
    @given(snapshots_with_secrets())
    def test_are_in_the_snapshot_and_not_in_the_redacted_one(self, plant: Planted) -> None:
        value, hidden = plant
        given = json.dumps(value)
        assert 1 <= len(hidden) <= 3
        assert all(canary in given for canary in hidden)
        cleaned = json.dumps(clean(value))
        assert not any(canary in cleaned for canary in hidden)

    @settings(max_examples=40)
    @given(planted(st.integers() | st.lists(st.text()) | st.dictionaries(st.text(), st.text())))
    def test_are_in_every_value(self, plant: Planted) -> None:
        value, hidden = plant
        given = json.dumps(value)
        assert isinstance(value, dict | list)
        assert all(canary in given for canary in hidden)

    def test_do_not_change_the_original_value(self) -> None:
        value = {"a": [1, {"b": "c"}]}
        assert some(planted(st.just(value)))[0] != value
        assert value == {"a": [1, {"b": "c"}]}

    @pytest.mark.parametrize("depth", ["note 0", "a", "b"])
    def test_lie_at_every_depth(self, depth: str) -> None:
        def is_there(plant: Planted) -> bool:
            value, _ = plant
            inner = value["a"][1] if isinstance(value["a"], list) else {}
            places = {
                "note 0": "note 0" in value,
                "a": len(value["a"]) > 2,
                "b": isinstance(inner, dict) and inner.get("b") != "c",
            }
            return places[depth]

        assert some(planted(st.just({"a": [1, {"b": "c"}]})), is_there)

    def test_shrink_to_one(self) -> None:
        _, hidden = simplest(snapshots_with_secrets())
        assert len(hidden) == 1


class TestFaultyFiles:
    @pytest.mark.uncounted
    @settings(max_examples=60)
    @given(faulty_files(*ROW_RULES))
    def test_of_rows_have_findings_of_this_rule_only(self, faulty: Faulty) -> None:
        profile = load("anna", faulty.files, generated_at=NOW)
        found = [each for findings in profile.findings.values() for each in findings.listed]
        assert {(each.file, each.rule) for each in found} == {(faulty.file, faulty.rule)}

    @settings(max_examples=60)
    @given(faulty_files(*FILE_RULES))
    def test_of_files_cannot_be_read_for_this_rule(self, faulty: Faulty) -> None:
        with pytest.raises(DataError) as caught:
            load("anna", faulty.files, generated_at=NOW)
        (finding,) = caught.value.findings
        assert (finding.path, finding.rule) == (f"/{faulty.file}", faulty.rule)

    @pytest.mark.parametrize("rule", [*ROW_RULES, *FILE_RULES])
    @settings(max_examples=3)
    @given(st.data())
    def test_exist_for_each_rule(self, rule: str, data: st.DataObject) -> None:
        faulty = data.draw(faulty_files(rule))
        assert faulty.rule == rule
        assert list(faulty.files) == [faulty.file]

    @given(faulty_files())
    def test_are_of_any_rule_by_default(self, faulty: Faulty) -> None:
        assert faulty.rule in {*ROW_RULES, *FILE_RULES}

    def test_shrink_to_one_row(self) -> None:
        faulty = simplest(faulty_files("number.form"))
        lines = list(csv.reader(io.StringIO(faulty.files[faulty.file].decode())))
        assert len(lines) == 2
