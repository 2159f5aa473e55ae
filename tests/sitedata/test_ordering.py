"""The order is total, unknown times are last; rulings under "Site-data file"."""

from decimal import Decimal

import pytest

from sitedata.views.selecting import ordered
from support.sitedata.site_examples import at, problem


class TestOrdered:
    def test_the_newest_comes_first(self) -> None:
        assert ordered([at(1), at(3), at(2)]) == (at(3), at(2), at(1))

    def test_the_oldest_on_request(self) -> None:
        assert ordered([at(2), at(1), at(3)], newest_first=False) == (at(1), at(2), at(3))

    @pytest.mark.parametrize("newest_first", [True, False])
    def test_unknown_time_comes_last_in_both_orders(self, newest_first: bool) -> None:
        found = ordered([problem("z"), at(1), problem("a")], newest_first=newest_first)
        assert found == (at(1), problem("a"), problem("z"))

    @pytest.mark.parametrize("newest_first", [True, False])
    def test_equal_instants_are_ordered_by_path_ascending_in_both_orders(
        self, newest_first: bool
    ) -> None:
        found = ordered([at(1, "b"), at(1, "a"), at(1, "c")], newest_first=newest_first)
        assert [each.path for each in found] == ["a", "b", "c"]

    def test_paths_compare_by_code_points(self) -> None:
        """Not by UTF-16 units, under which a surrogate pair would come before U+FF5E."""
        paths = ["\U0001f3b5", "\uff5e", "\u00e9", "e\u0301", "Z", "a", ""]
        found = ordered([at(1, path) for path in paths])
        assert [each.path for each in found] == [
            "",
            "Z",
            "a",
            "e\u0301",
            "\u00e9",
            "\uff5e",
            "\U0001f3b5",
        ]

    def test_instants_compare_as_instants_not_as_text(self) -> None:
        west = problem("west", "2026-01-01T10:00:00-05:00")
        east = problem("east", "2026-01-01T12:00:00+09:00")
        assert ordered([east, west]) == (west, east)

    def test_equal_instants_with_different_texts_are_equal(self) -> None:
        forms = "2026-01-01T12:00:00.000Z", "2026-01-01T13:00:00+01:00", "2026-01-01t12:00:00z"
        problems = [problem(path, time) for path, time in zip("cab", forms, strict=True)]
        assert [each.path for each in ordered(problems)] == ["a", "b", "c"]

    def test_times_finer_than_milliseconds_are_compared(self) -> None:
        times = [f"1960-01-01T00:00:00.{digits}Z" for digits in ("5", "5001", "50001", "501")]
        found = ordered([problem(time, time) for time in times])
        assert [each.path for each in found] == [times[3], times[1], times[2], times[0]]
        assert isinstance(found[1].instant, Decimal)

    def test_equal_problems_keep_their_order(self) -> None:
        problems = [problem("a", title=title) for title in "312"]
        assert [each.title for each in ordered(problems)] == ["3", "1", "2"]

    def test_any_iterable_can_be_sorted(self) -> None:
        assert ordered(iter([at(1), at(2)])) == (at(2), at(1))
        assert ordered(()) == ()
