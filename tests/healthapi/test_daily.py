"""Rows of a date.  Vectors have the choice among its logs."""

import attrs

from healthapi.derived.daily import build_daily_rows, build_sleep_rows
from healthapi.models import ActivityRow, HrvRow, RhrRow, SleepLog, SleepRow
from support.healthapi.daily_rows import rows_of

DAY = "2026-01-31"


def test_members_of_a_sleep_are_those_of_its_log() -> None:
    common = attrs.fields_dict(SleepRow).keys() & attrs.fields_dict(SleepLog).keys()
    given = {name: at for at, name in enumerate(sorted(common - {"date", "is_main_sleep"}), 300)}
    chosen = SleepLog(DAY, is_main_sleep=True, **given)  # type: ignore[arg-type]  # by name
    (found,) = build_sleep_rows(rows_of(SleepLog, [chosen, SleepLog(DAY, is_main_sleep=False)]))
    assert len(given) == 13
    assert {name: getattr(found, name) for name in given} == given


def test_of_a_repeated_date_a_zero_is_a_value() -> None:
    others = rows_of(ActivityRow, ()), rows_of(SleepRow, ()), rows_of(HrvRow, ())
    (row,) = build_daily_rows(*others, rows_of(RhrRow, [RhrRow(DAY, 60), RhrRow(DAY, 0)]))
    assert row.rhr == 0
