"""The overview: where each of its members comes from."""

from types import MappingProxyType
from typing import Any

import pytest

from healthapi.account.person import Person
from healthapi.account.snapshot import Snapshot
from healthapi.derived.cards import Recovery
from healthapi.rows.records import Cell
from healthapi.views.overview import Overview, build_overview
from purewire.primitives import ABSENT
from purewire.structuring.to_builtins import to_builtins
from support.healthapi.daily_rows import daily_of

NOBODY = Person("me", "me")
SOMEBODY = Person(
    "me",
    "Ada",
    sleep_goal_minutes=480,
    daily_steps_goal=10_000,
    daily_calories_goal=2500,
    device_count=2,
    badge_count=0,
)
STABLE = Recovery(72, "stable", "stable")
WAITING = Recovery(None, "waiting_for_data", "waiting for data")


TODAY = "2026-01-31"


def snapshot() -> Snapshot:
    """Return a snapshot for which one of three scopes was not granted."""
    summary: dict[str, Any] = {"total": 30, "ok": 28, "skipped": 1, "failed": 1}
    return Snapshot(
        saved_at="2026-01-31T08:15:27",
        requested_scopes=("profile", "sleep", "temperature"),
        granted_scopes=("profile", "sleep"),
        range={},
        fetch_summary=summary,
        endpoints=MappingProxyType({}),
    )


class TestOverview:
    def test_the_plain_form_has_the_members_in_order(self) -> None:
        daily = daily_of(steps=[9000, 8000], nap_count=[0, 2])
        assert list(
            to_builtins(build_overview(daily, snapshot(), SOMEBODY, STABLE, TODAY)).items()
        ) == [
            ("recovery_score", 72),
            ("recovery_status", "stable"),
            ("recovery_label", "stable"),
            ("latest_date", "2026-01-02"),
            ("latest_sync_at", "2026-01-31T08:15:27"),
            ("tracked_days", 2),
            ("sleep_goal_minutes", 480),
            ("daily_steps_goal", 10_000),
            ("device_count", 2),
            ("badge_count", 0),
            ("missing_scopes_count", 1),
            ("snapshot_ok_count", 28),
            ("snapshot_total_count", 30),
            ("nap_count_today", 2),
            ("latest_is_partial", False),
        ]

    def test_without_anything_only_the_days_are_zero(self) -> None:
        """Invariant *missing is not zero*: no snapshot, no counts of it."""
        assert build_overview(daily_of(), None, NOBODY, WAITING, TODAY) == Overview(
            recovery_score=None,
            recovery_status="waiting_for_data",
            recovery_label="waiting for data",
            latest_date=None,
            latest_sync_at=None,
            tracked_days=0,
            sleep_goal_minutes=None,
            daily_steps_goal=None,
            device_count=None,
            badge_count=None,
            missing_scopes_count=None,
            snapshot_ok_count=None,
            snapshot_total_count=None,
            nap_count_today=None,
            latest_is_partial=None,
        )


class TestLatestDay:
    @pytest.mark.parametrize(
        ("today", "is_partial"), [("2026-01-01", True), ("2026-01-02", True), ("2026-01-03", False)]
    )
    def test_is_partial_if_it_was_not_over(self, today: str, is_partial: bool) -> None:
        daily = daily_of(steps=[9000, 300])  # to 2026-01-02
        found = build_overview(daily, None, NOBODY, WAITING, today)
        assert found.latest_is_partial is is_partial


class TestNaps:
    @pytest.mark.parametrize(
        ("naps", "today"), [([2, 0], 0), ([0, 3], 3), ([1, ABSENT], None), ([ABSENT, 1], 1)]
    )
    def test_those_of_the_last_day_count(self, naps: list[Cell], today: int | None) -> None:
        """A last day without any sleep has no number of naps."""
        found = build_overview(daily_of(nap_count=naps), None, NOBODY, WAITING, TODAY)
        assert found.nap_count_today == today
