"""Which days of a time axis are named."""

from datetime import date

import pytest

from healthapi.charts.ticks import ticks


def named(first: str, last: str, most: int, *, daily: bool = True) -> list[str]:
    begin, end = (date.fromisoformat(day).toordinal() for day in (first, last))
    found = ticks(begin, end, most, daily=daily)
    assert all(begin < day < end for day, _ in found)
    assert len(found) <= most
    return [name for _, name in found]


class TestTicks:
    """*round days*: the finest that fit."""

    def test_a_few_days_are_named_each(self) -> None:
        assert named("2024-02-27", "2024-03-02", 12) == ["02-28", "02-29", "03-01"]

    def test_of_more_days_the_mondays(self) -> None:
        assert named("2024-01-01", "2024-01-31", 12) == ["01-08", "01-15", "01-22", "01-29"]

    def test_a_monday_at_the_end_is_not_named_twice(self) -> None:
        assert named("2024-01-07", "2024-01-15", 1) == ["01-08"]

    def test_of_months_their_first_days(self) -> None:
        assert named("2024-01-15", "2024-05-02", 12) == ["2024-02", "2024-03", "2024-04", "2024-05"]

    def test_then_quarters_and_halves(self) -> None:
        assert named("2023-02-10", "2024-03-10", 4) == ["2023-04", "2023-07", "2023-10", "2024-01"]
        assert named("2023-02-10", "2024-03-10", 3) == ["2023-07", "2024-01"]

    @pytest.mark.parametrize(
        ("most", "expected"),
        [
            (12, ["2015", "2016", "2017", "2018", "2019", "2020", "2021", "2022", "2023", "2024"]),
            (9, ["2016", "2018", "2020", "2022", "2024"]),
            (4, ["2015", "2020"]),
            (1, ["2020"]),
        ],
    )
    def test_then_years_that_are_round(self, most: int, expected: list[str]) -> None:
        assert named("2014-06-30", "2024-06-30", most) == expected

    def test_all_years_that_dates_have(self) -> None:
        assert named("0001-01-01", "9999-12-31", 4) == ["2000", "4000", "6000", "8000"]

    def test_a_first_day_at_the_start_is_not_named_again(self) -> None:
        assert named("2024-01-01", "2024-12-31", 2) == ["2024-07"]

    def test_days_are_no_names_for_weeks_and_months(self) -> None:
        assert named("2024-01-01", "2024-02-12", 12, daily=False) == ["2024-02"]

    def test_without_room_there_is_none(self) -> None:
        assert named("0001-01-01", "9999-12-31", 0) == []

    def test_one_day_has_no_days_between(self) -> None:
        assert ticks(1, 1, 10, daily=True) == []
