"""One sleep for each date.  Invariants *main sleep first*, *a nap is not a main sleep*."""

from typing import Any

import attrs
import pytest

from healthapi.derived.daily import build_sleep_rows
from healthapi.rows.records import Rows, SleepLog, SleepRow
from purewire.absent import ABSENT
from support.checks.costs import assert_linear
from support.healthapi.daily_rows import rows_of

DAY = "2026-01-31"


def log(asleep: int | None, *, main: bool = True, date: str = DAY, **members: Any) -> SleepLog:
    return SleepLog(date, is_main_sleep=main, minutes_asleep=asleep, **members)


def night(*logs: SleepLog) -> SleepRow:
    (found,) = build_sleep_rows(rows_of(SleepLog, list(logs)))
    return found


class TestChoice:
    def test_a_main_sleep_precedes_a_longer_nap(self) -> None:
        found = night(log(600, main=False), log(30))
        assert (found.is_main_sleep, found.minutes_asleep, found.nap_count) == (True, 30, 1)

    def test_of_several_the_longest_by_minutes_asleep(self) -> None:
        found = night(log(400), log(401), log(300))
        assert (found.minutes_asleep, found.nap_count) == (401, 2)

    def test_then_the_longest_by_duration(self) -> None:
        found = night(log(400, duration=5, efficiency=1), log(400, duration=6, efficiency=2))
        assert found.efficiency == 2

    def test_then_the_first_of_the_file(self) -> None:
        assert night(log(400, efficiency=1), log(400, efficiency=2)).efficiency == 1

    def test_a_missing_length_is_shorter_than_any(self) -> None:
        assert night(log(None, duration=9), log(1)).minutes_asleep == 1
        assert night(log(400, duration=None), log(400, duration=1, efficiency=2)).efficiency == 2

    def test_each_date_has_its_own(self) -> None:
        logs = [log(1), log(2), log(3, date="2026-02-01"), log(4, date="2026-02-02")]
        found = build_sleep_rows(rows_of(SleepLog, logs))
        assert [(row.date, row.minutes_asleep, row.nap_count) for row in found] == [
            (DAY, 2, 1),
            ("2026-02-01", 3, 0),
            ("2026-02-02", 4, 0),
        ]

    def test_of_no_logs_there_is_no_night(self) -> None:
        assert len(build_sleep_rows(rows_of(SleepLog, []))) == 0


class TestNaps:
    def test_a_date_with_one_nap_alone_shows_and_counts_it(self) -> None:
        found = night(log(40, main=False))
        assert (found.is_main_sleep, found.minutes_asleep, found.nap_count) == (False, 40, 1)

    def test_of_several_naps_the_best_one_is_shown_and_all_are_counted(self) -> None:
        found = night(log(20, main=False), log(40, main=False))
        assert (found.is_main_sleep, found.minutes_asleep, found.nap_count) == (False, 40, 2)

    def test_naps_of_a_date_with_a_main_sleep_are_counted(self) -> None:
        found = night(log(400), log(20, main=False), log(30, main=False))
        assert (found.is_main_sleep, found.nap_count) == (True, 2)


class TestShares:
    @pytest.mark.parametrize(("asleep", "hours"), [(0, 0.0), (30, 0.5), (403, 6.7), (405, 6.8)])
    def test_hours_have_one_decimal(self, asleep: int, hours: float) -> None:
        assert night(log(asleep)).sleep_hours == hours

    def test_shares_are_percent_of_the_minutes_asleep(self) -> None:
        found = night(log(300, minutes_deep=50, minutes_rem=100))
        assert (found.deep_pct, found.rem_pct) == (16.7, 33.3)

    def test_no_minutes_are_none_of_some(self) -> None:
        found = night(log(300, minutes_deep=0, minutes_rem=None))
        assert (found.deep_pct, found.rem_pct) == (0.0, ABSENT)

    @pytest.mark.parametrize("asleep", [0, None])
    def test_of_nothing_there_is_no_share(self, asleep: int | None) -> None:
        found = night(log(asleep, minutes_deep=5, minutes_rem=5))
        assert (found.deep_pct, found.rem_pct) == (ABSENT, ABSENT)
        assert (found.sleep_hours is ABSENT) is (asleep is None)

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
