"""The strategies generate what their documentation describes."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from healthapi.account.snapshot import SNAPSHOT_FILE, read_snapshot
from healthapi.errors import DataError
from healthapi.profile import load
from healthapi.redaction import clean
from healthapi.rows.mapping import NATIVE
from healthapi.rows.reading import read_rows
from healthapi.rows.records import ActivityRow, HrvRow, RhrRow, SleepLog
from healthapi.testing.strategies import (
    FILE_RULES,
    ROW_RULES,
    csv_file,
    days,
    faulty_files,
    profile_files,
    rows,
    sleep_logs,
    snapshots,
)
from status_contracts.json import codec

NOW = "2026-01-31T12:00:00"
MOST = 8


class TestDays:
    @given(days())
    def test_are_real_and_ascend_without_repetition(self, found: list[str]) -> None:
        assert found == sorted(set(found))
        assert all(date.fromisoformat(day).isoformat() == day for day in found)
        assert len(found) <= 60


class TestRows:
    @pytest.mark.parametrize(
        ("dataset", "strategy"),
        [
            ("activity", rows(ActivityRow, MOST)),
            ("sleep", sleep_logs(MOST)),
            ("hrv", rows(HrvRow, MOST)),
            ("rhr", rows(RhrRow, MOST)),
        ],
    )
    def test_read_back_as_they_were(self, dataset: str, strategy: st.SearchStrategy[Any]) -> None:
        table = getattr(NATIVE, dataset)

        @given(strategy)
        def check(rows: list[Any]) -> None:
            read, findings = read_rows(csv_file(rows, table), table)
            assert list(read) == rows
            assert findings.total == 0

        check()

    @given(rows(ActivityRow, MOST) | rows(HrvRow, MOST) | rows(RhrRow, MOST))
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


class TestProfileFiles:
    @given(profile_files(MOST))
    def test_load_without_any_finding(self, files: dict[str, bytes]) -> None:
        profile = load("anna", files, generated_at=NOW)
        assert all(findings.total == 0 for findings in profile.findings.values())
        assert (profile.snapshot is not None) == (SNAPSHOT_FILE in files)
        if profile.snapshot is not None:
            assert profile.snapshot.dropped_entries == 0


class TestSnapshots:
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


class TestFaultyFiles:
    @pytest.mark.parametrize("rule", ROW_RULES)
    @settings(max_examples=2)
    @given(st.data())
    def test_of_rows_have_findings_of_this_rule_only(self, rule: str, data: st.DataObject) -> None:
        faulty = data.draw(faulty_files(rule))
        profile = load("anna", faulty.files, generated_at=NOW)
        found = [each for findings in profile.findings.values() for each in findings.listed]
        assert {(each.file, each.rule) for each in found} == {(faulty.file, rule)}

    @pytest.mark.parametrize("rule", FILE_RULES)
    @settings(max_examples=2)
    @given(st.data())
    def test_of_files_cannot_be_read_for_this_rule(self, rule: str, data: st.DataObject) -> None:
        faulty = data.draw(faulty_files(rule))
        with pytest.raises(DataError) as caught:
            load("anna", faulty.files, generated_at=NOW)
        (finding,) = caught.value.findings
        assert (finding.path, finding.rule) == (f"/{faulty.file}", rule)
