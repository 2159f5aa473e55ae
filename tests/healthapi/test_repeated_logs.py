"""Sleep logs that occur more than once in a file."""

from itertools import permutations

import attrs

from healthapi.rows.reading import find_repeated_logs
from healthapi.rows.records import SleepLog
from support.healthapi.daily_rows import rows_of


def repeated(*logs: SleepLog) -> list[int]:
    return find_repeated_logs(rows_of(SleepLog, logs))


class TestRepeated:
    def test_rows_of_one_id_are_one_log(self) -> None:
        assert repeated(
            SleepLog("2026-01-31", "7", True, 1),
            SleepLog("2026-01-31", "8", True, 1),
            SleepLog("2026-01-31", "7", True, 1, efficiency=90),
            SleepLog("2026-01-31", "7", True, 1),
        ) == [2, 3]

    def test_the_best_row_is_the_log_whatever_the_order(self) -> None:
        """Main sleep first, then minutes asleep, then duration."""
        ascending = (
            SleepLog("2026-01-31", "7", False, 9, 600),
            SleepLog("2026-01-31", "7", True, 9, None),
            SleepLog("2026-01-31", "7", True, 1, 400),
            SleepLog("2026-01-31", "7", True, 2, 400),
        )
        for order in permutations(range(4)):
            expected = [place for place, rank in enumerate(order) if rank != 3]
            assert repeated(*(ascending[rank] for rank in order)) == expected

    def test_without_an_id_rows_are_one_log_where_they_are_equal(self) -> None:
        log = SleepLog("2026-01-31", None, True, 1)
        assert repeated(log, attrs.evolve(log, duration=2), log) == [2]

    def test_an_id_and_none_are_two_logs(self) -> None:
        log = SleepLog("2026-01-31", None, True, 1)
        assert repeated(log, attrs.evolve(log, log_id="7")) == []

    def test_one_id_on_two_dates_is_two_logs(self) -> None:
        assert repeated(SleepLog("2026-01-30", "7"), SleepLog("2026-01-31", "7")) == []

    def test_an_empty_dataset_has_no_repetitions(self) -> None:
        assert repeated() == []
