"""How long values of a window held; design decisions under "Time"."""

from devicestatus.durations import Interval, intervals, total_durations
from devicestatus.models import Window
from support.devicestatus.examples import NOON, event, window


def apps(of: Window) -> list[tuple[int, int, object]]:
    """Return the intervals of the foreground app, as ms from noon."""
    found = intervals(of, "active_app")
    return [(each.start - NOON, each.end - NOON, each.value) for each in found]


class TestIntervals:
    def test_a_window_without_length_has_no_interval(self) -> None:
        assert apps(window(window_end=NOON, events=(event(1, NOON, active_app="A"),))) == []

    def test_values_with_equal_views_are_merged(self) -> None:
        changes = event(1, NOON + 5, running_apps=("a",)), event(2, NOON + 9, running_apps=("b",))
        found = intervals(window(events=changes), "running_apps", bool)
        assert [(each.value, each.duration) for each in found] == [(False, 5), (True, 899_995)]

    def test_a_change_and_its_reversal_at_one_instant_are_none(self) -> None:
        changes = event(1, NOON + 5, active_app="A"), event(2, NOON + 5, active_app="Editor")
        assert apps(window(events=changes)) == [(0, 900_000, "Editor")]


class TestTotals:
    def test_the_durations_of_each_value_are_added_up_the_longest_first(self) -> None:
        found = [Interval(0, 5, "A"), Interval(5, 8, "B"), Interval(9, 12, "B")]
        assert list(total_durations(found).items()) == [("B", 6), ("A", 5)]

    def test_of_equal_durations_the_value_seen_first_comes_first(self) -> None:
        found = [Interval(0, 5, "B"), Interval(5, 10, "A")]
        assert list(total_durations(found)) == ["B", "A"]

    def test_none_is_left_out_but_no_other_value(self) -> None:
        found: list[Interval[str | None]] = [Interval(0, 5, None), Interval(5, 10, "")]
        assert total_durations(found) == {"": 5}
