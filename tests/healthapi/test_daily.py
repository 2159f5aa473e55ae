"""One sleep for each date.  Invariants *main sleep first*, *a nap is not a main sleep*."""

from typing import Any

import attrs

from healthapi.derived.daily import build_daily_rows, build_sleep_rows
from healthapi.models import (
    ActivityRow,
    HrvRow,
    RhrRow,
    SleepLog,
    SleepRow,
)
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


def test_of_a_repeated_date_a_zero_is_a_value() -> None:
    twice = [RhrRow("2026-01-31", 60), RhrRow("2026-01-31", 0)]
    others = rows_of(ActivityRow, ()), rows_of(SleepRow, ()), rows_of(HrvRow, ())
    (row,) = build_daily_rows(*others, rows_of(RhrRow, twice))
    assert row.rhr == 0
