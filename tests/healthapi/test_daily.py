"""One sleep for each date.  Invariants *main sleep first*, *a nap is not a main sleep*."""

from typing import Any

import attrs

from healthapi.derived.daily import build_daily_rows, build_sleep_rows
from healthapi.models import (
    ActivityRow,
    DailyRow,
    HrvRow,
    RhrRow,
    SleepLog,
    SleepRow,
)
from healthapi.rows.rows import Rows
from support.checks.costs import assert_linear
from support.healthapi.daily_rows import rows_of

DAY = "2026-01-31"


def log(asleep: int | None, *, main: bool = True, date: str = DAY, **members: Any) -> SleepLog:
    return SleepLog(date, is_main_sleep=main, minutes_asleep=asleep, **members)


def night(*logs: SleepLog) -> SleepRow:
    (found,) = build_sleep_rows(rows_of(SleepLog, list(logs)))
    return found


class TestShares:
    def test_other_members_are_those_of_the_log(self) -> None:
        chosen = log(
            300,
            duration=1,
            minutes_awake=2,
            time_in_bed=3,
            efficiency=4,
            sleep_score=5.5,
            minutes_light=6,
            minutes_wake_stages=7,
            minutes_to_fall_asleep=8,
            minutes_after_wakeup=9,
            start_time="10",
            end_time="11",
        )
        found, given = attrs.asdict(night(chosen, log(1, main=False))), attrs.asdict(chosen)
        common = found.keys() & given.keys()
        assert len(common) == 15
        assert {name: found[name] for name in common} == {name: given[name] for name in common}


def test_the_time_is_linear_in_the_logs() -> None:
    def make(size: int) -> Rows[SleepLog]:
        return rows_of(
            SleepLog, [log(number % 500, main=number % 3 == 0) for number in range(size)]
        )

    assert_linear(build_sleep_rows, make, 2000)


def merged(*given: object) -> Rows[DailyRow]:
    return build_daily_rows(
        rows_of(ActivityRow, (each for each in given if isinstance(each, ActivityRow))),
        rows_of(SleepRow, (each for each in given if isinstance(each, SleepRow))),
        rows_of(HrvRow, (each for each in given if isinstance(each, HrvRow))),
        rows_of(RhrRow, (each for each in given if isinstance(each, RhrRow))),
    )


class TestRepeatedDates:
    def test_a_zero_is_a_value(self) -> None:
        (row,) = merged(RhrRow("2026-01-31", 60), RhrRow("2026-01-31", 0))
        assert row.rhr == 0


def test_the_time_is_linear_in_the_rows() -> None:
    def make(size: int) -> list[Rows[Any]]:
        days = [f"{year:04}-01-01" for year in range(1, size)]
        twice = sorted([*days, *days])
        return [
            rows_of(ActivityRow, [ActivityRow(day, 1) for day in twice]),
            rows_of(SleepRow, ()),
            rows_of(HrvRow, [HrvRow(day) for day in days[::2]]),
            rows_of(RhrRow, [RhrRow(day) for day in days[::3]]),
        ]

    assert_linear(lambda sets: build_daily_rows(*sets), make, 900)
