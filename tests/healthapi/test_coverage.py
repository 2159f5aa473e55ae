"""Coverage: how much there is of what."""

from datetime import date
from types import MappingProxyType
from typing import Any

import pytest

from healthapi.models import HrvRow, RhrRow
from healthapi.omissions import OmissionCode, Reasons
from healthapi.rows.findings import CellFinding, Findings
from healthapi.rows.rows import Rows
from healthapi.snapshot import Snapshot
from healthapi.views.overview import Coverage, build_coverage, coverage_of
from status_contracts.primitives import ABSENT, Absent
from support.healthapi.daily_rows import daily_of

SHORT = CellFinding("csv/fitbit_hrv.csv", 4, None, "row.short", "the row has too few cells")
HRV = Rows("hrv", HrvRow, {"date": ("2026-01-02",), "hrv": (41.5,), "deep_rmssd": (None,)})
RHR = Rows("rhr", RhrRow, {"date": ("2026-01-03", "2026-01-03"), "rhr": (60, 61)})
FIRST, SECOND, THIRD = (date(2026, 1, day) for day in (1, 2, 3))
NONE = Rows("activity", RhrRow, {"date": (), "rhr": ()})


def snapshot(**members: Any) -> Snapshot:
    """Return a snapshot without endpoints that has these members."""
    empty: dict[str, Any] = {
        "saved_at": "2026-01-31T08:15:27",
        "requested_scopes": (),
        "granted_scopes": (),
        "range": {"recent_start": "2026-01-02"},
        "fetch_summary": {"total": 30, "ok": 28, "skipped": 1, "failed": 1},
        "endpoints": MappingProxyType({}),
    }
    return Snapshot(**empty | members)


class TestOmissions:
    """Days on which a table has a value by now are no omission."""

    @pytest.mark.parametrize(
        ("field", "code", "days", "left"),
        [
            ("rhr", "resting.placeholder", {FIRST, THIRD}, [("2026-01-01", "2026-01-01")]),
            ("", "source.mirrored", {FIRST, SECOND}, [("2026-01-01", "2026-01-02")]),
            ("rhr", "resting.placeholder", {THIRD}, None),
            ("rhr", "value.none", {FIRST}, None),
            ("rhr", "column.not-in-archive", None, None),
            ("steps", "day.incomplete", {FIRST}, None),
        ],
    )
    def test_of_imports(
        self,
        field: str,
        code: OmissionCode,
        days: set[date] | None,
        left: list[tuple[str, str]] | None,
    ) -> None:
        found = coverage_of(RHR, Findings(), {("rhr", field): {code: days}}).omissions
        if left is None:
            assert found is ABSENT
            return
        assert not isinstance(found, Absent)
        (omission,) = found
        count = len(days or ()) - (field != "")
        assert (omission.reason, omission.unit, omission.count) == (code, "day", count)
        assert [(each.start_date, each.end_date) for each in omission.ranges] == left

    def test_of_a_whole_column_have_no_days(self) -> None:
        left_out: Reasons = {("hrv", "deep_rmssd"): {"column.not-in-archive": None}}
        found = coverage_of(HRV, Findings(), left_out)
        assert not isinstance(found.omissions, Absent)
        (omission,) = found.omissions
        assert (omission.count, omission.fields, omission.ranges) == (None, ("deep_rmssd",), ())


class TestCoverageOfSnapshot:
    def test_missing_members_of_the_snapshot_are_none(self) -> None:
        silent = snapshot(saved_at=None, range={}, fetch_summary={})
        assert build_coverage((), {}, {}, silent)["snapshot"] == Coverage(0, None, None)


class TestCoverage:
    def test_each_dataset_has_its_own_findings_and_daily_those_of_all(self) -> None:
        findings = {
            "activity": Findings(),
            "hrv": Findings((SHORT,), 3, 1, 2),
            "rhr": Findings((), 30, 10, 20),
        }
        found = build_coverage(
            (NONE, HRV, RHR, daily_of(hrv=[41.5, None])), findings, {}, snapshot()
        )
        assert found == {
            "activity": Coverage(0, None, None, 0, 0),
            "hrv": Coverage(1, "2026-01-02", "2026-01-02", 1, 2),
            "rhr": Coverage(2, "2026-01-03", "2026-01-03", 10, 20),
            "daily": Coverage(2, "2026-01-01", "2026-01-02", 11, 22),
            "snapshot": Coverage(28, "2026-01-02", "2026-01-31T08:15:27"),
        }
        assert list(found) == ["activity", "hrv", "rhr", "daily", "snapshot"]
