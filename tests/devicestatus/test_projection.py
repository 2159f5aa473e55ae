"""The delayed state of a window, boundary by boundary.

All instants here are server times: the projected moment is 420 s (`DELAY`) before them.
"""

from devicestatus.models import Snapshot
from devicestatus.projection import NoData, prepare
from support.devicestatus.examples import DELAY, NOON, WINDOW_END, event, gap, snapshot, window


class TestFullWindow:
    """A window at its limits is projected as any other: nothing at its end is forgotten."""

    GAPS = tuple(gap(NOON + 7000 * n, NOON + 7000 * n + 1000) for n in range(128))
    EVENTS = tuple(event(n, NOON + 400 * n) for n in range(1, 2049))

    def test_each_of_128_gaps_hides_its_instants_and_no_others(self) -> None:
        prepared = prepare(window(gaps=self.GAPS))
        for number in range(128):
            start = NOON + 7000 * number
            hidden = NoData("gap", gap(start, start + 1000))
            for at, is_hidden in ((start - 1, False), (start, True), (start + 999, True)):
                assert (prepared.project(at + DELAY) == hidden) is is_hidden
            assert isinstance(prepared.project(start + 1000 + DELAY), Snapshot)

    def test_each_of_2048_events_applies_from_its_instant_on(self) -> None:
        prepared = prepare(window(events=self.EVENTS))
        for number in range(1, 2049):
            at = NOON + 400 * number
            states = [prepared.project(each + DELAY) for each in (at, at + 399)]
            assert states == [snapshot(collected_at=at, active_app=f"App {number}")] * 2

    def test_after_the_last_gap_all_events_have_been_applied(self) -> None:
        prepared = prepare(window(events=self.EVENTS, gaps=self.GAPS))
        last = snapshot(collected_at=NOON + 819_200, active_app="App 2048")
        for at in (NOON + 820_000, NOON + 890_000, WINDOW_END - 1):
            assert prepared.project(at + DELAY) == last
        assert prepared.project(WINDOW_END + DELAY) == NoData("exhausted")


class TestPreparedWindow:
    def test_it_changes_once_at_an_instant_however_many_events_that_has(self) -> None:
        events = (event(1, NOON), event(2, NOON), event(3, NOON + 5), event(4, NOON + 5))
        prepared = prepare(window(events=events, gaps=(gap(NOON + 7, NOON + 9),)))
        assert prepared.change_times == [NOON, NOON + 5, NOON + 7, NOON + 9, WINDOW_END]
        assert len(prepared.projections) == len(prepared.change_times) + 1
