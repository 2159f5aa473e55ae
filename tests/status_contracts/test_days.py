"""Days, weeks and months as text.  Source: health facts, sections 2 and 5."""

import pytest

from status_contracts.days import bounds, find_runs, is_day, ordinal


class TestIsDay:
    @pytest.mark.parametrize("day", ["2026-01-31", "2024-02-29", "0001-01-01", "9999-12-31"])
    def test_a_day_of_the_calendar_is_one(self, day: str) -> None:
        assert is_day(day)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "2025-02-29",
            "2026-13-01",
            "0000-01-01",
            "2026-1-31",
            "2026/01/31",
            "2026-W05-6",
            " 2026-01-31",
            "2026-01-31T00:00",
            "２０２６-01-31",
            "2026-01-31\n",
        ],
    )
    def test_other_text_is_none(self, text: str) -> None:
        assert not is_day(text)


class TestBounds:
    def test_of_a_day(self) -> None:
        assert bounds("0001-01-02") == (2, 2)

    def test_of_a_week(self) -> None:
        first, last = bounds("2025-W01")
        assert first == ordinal("2024-12-30")
        assert last == ordinal("2025-01-05")

    @pytest.mark.parametrize(
        ("month", "first", "last"),
        [
            ("2024-02", "2024-02-01", "2024-02-29"),
            ("2025-12", "2025-12-01", "2025-12-31"),
            ("9999-12", "9999-12-01", "9999-12-31"),
        ],
    )
    def test_of_a_month(self, month: str, first: str, last: str) -> None:
        assert bounds(month) == (ordinal(first), ordinal(last))

    def test_the_last_week_ends_with_the_calendar(self) -> None:
        assert bounds("9999-W52") == (ordinal("9999-12-27"), ordinal("9999-12-31"))

    @pytest.mark.parametrize("text", ["", "2026", "2026-00", "2026-W54", "2026-02-30", "x-y"])
    def test_other_text_raises(self, text: str) -> None:
        with pytest.raises(ValueError, match=r".+"):
            bounds(text)


class TestRuns:
    @pytest.mark.parametrize(
        ("labels", "found"),
        [
            ("", []),
            ("a", []),
            ("ab", []),
            ("aa", [(0, 2)]),
            ("abb", [(1, 3)]),
            ("aabb", [(0, 2), (2, 4)]),
            ("abbbcddd", [(1, 4), (5, 8)]),
            ("aba", []),
        ],
    )
    def test_they_are_the_runs_of_equal_labels(
        self, labels: str, found: list[tuple[int, int]]
    ) -> None:
        assert find_runs(labels) == found
