"""The delayed state of a window, boundary by boundary.

All instants here are server times: the projected moment is 420 s (`DELAY`) before them.
"""

from typing import Any

import attrs
import pytest

from devicestatus.engine.projection import NoData, prepare
from devicestatus.models.snapshot import Battery, Music, Snapshot, System
from devicestatus.models.window import GapReason, Window
from purewire.absent import ABSENT
from support.devicestatus.examples import (
    COVERED_SONG,
    DELAY,
    NOON,
    WINDOW_END,
    event,
    gap,
    snapshot,
    window,
)

SECOND = 1000
REASONS: list[GapReason] = ["sleep", "restart", "collection", "overflow", "clock"]


def projected(data: Window, at: int) -> Snapshot | NoData:
    """Return what readers see when the projected moment is `at`."""
    return prepare(data).project(at + DELAY)


def state(data: Window, at: int) -> Snapshot:
    found = projected(data, at)
    assert isinstance(found, Snapshot)
    return found


class TestDelay:
    def test_the_projected_moment_is_420_seconds_behind_server_time(self) -> None:
        prepared = prepare(window(events=(event(1, NOON + 5),)))
        before = prepared.project(NOON + 5 + 420_000 - 1)
        after = prepared.project(NOON + 5 + 420_000)
        assert isinstance(before, Snapshot)
        assert isinstance(after, Snapshot)
        assert (before.active_app, after.active_app) == ("Editor", "App 1")


class TestCoverage:
    """Invariant *coverage*: window_start <= at < window_end and no gap holds the moment."""

    def test_the_start_of_the_window_is_covered_by_the_baseline(self) -> None:
        assert projected(window(), NOON) == snapshot()

    def test_one_millisecond_before_the_start_is_warm_up(self) -> None:
        assert projected(window(), NOON - 1) == NoData("warm-up")

    def test_long_before_the_start_is_warm_up(self) -> None:
        assert projected(window(), -(2**60)) == NoData("warm-up")

    def test_the_last_millisecond_of_the_window_is_covered(self) -> None:
        assert projected(window(), WINDOW_END - 1) == snapshot()

    def test_the_end_of_the_window_is_exhausted(self) -> None:
        assert projected(window(), WINDOW_END) == NoData("exhausted")

    def test_long_after_the_end_is_exhausted(self) -> None:
        assert projected(window(), 2**60) == NoData("exhausted")

    @pytest.mark.parametrize("at", [NOON - 1, NOON, NOON + 1])
    def test_a_window_of_zero_length_is_never_covered(self, at: int) -> None:
        empty = window(window_end=NOON, events=(event(1, NOON),))
        assert projected(empty, at) == NoData("warm-up" if at < NOON else "exhausted")

    def test_a_window_of_one_millisecond_is_covered_for_one_millisecond(self) -> None:
        short = window(window_end=NOON + 1)
        seen = [projected(short, NOON + offset) for offset in (-1, 0, 1)]
        assert seen == [NoData("warm-up"), snapshot(), NoData("exhausted")]

    def test_coverage_does_not_depend_on_the_batch(self) -> None:
        late = window(batch_seq=9, generated_at=WINDOW_END + 30_000, dropped_events=7)
        assert projected(late, WINDOW_END - 1) == snapshot()
        assert projected(late, WINDOW_END) == NoData("exhausted")


class TestGaps:
    """Gaps are half-open: their start is not covered, their end is."""

    START, END = NOON + 10 * SECOND, NOON + 20 * SECOND

    @pytest.mark.parametrize("reason", REASONS)
    def test_the_start_of_a_gap_is_not_covered(self, reason: GapReason) -> None:
        hole = gap(self.START, self.END, reason)
        assert projected(window(gaps=(hole,)), self.START) == NoData("gap", hole)

    def test_one_millisecond_before_a_gap_is_covered(self) -> None:
        data = window(gaps=(gap(self.START, self.END),))
        assert projected(data, self.START - 1) == snapshot()

    def test_the_last_millisecond_of_a_gap_is_not_covered(self) -> None:
        hole = gap(self.START, self.END)
        assert projected(window(gaps=(hole,)), self.END - 1) == NoData("gap", hole)

    def test_the_end_of_a_gap_is_covered(self) -> None:
        data = window(gaps=(gap(self.START, self.END),))
        assert projected(data, self.END) == snapshot()

    def test_a_gap_of_one_millisecond_hides_one_millisecond(self) -> None:
        hole = gap(self.START, self.START + 1)
        data = window(gaps=(hole,))
        seen = [projected(data, self.START + offset) for offset in (-1, 0, 1)]
        assert seen == [snapshot(), NoData("gap", hole), snapshot()]

    def test_a_gap_at_the_start_of_the_window_hides_the_start(self) -> None:
        hole = gap(NOON, self.END)
        data = window(gaps=(hole,))
        assert projected(data, NOON - 1) == NoData("warm-up")
        assert projected(data, NOON) == NoData("gap", hole)
        assert projected(data, self.END) == snapshot()

    def test_a_gap_up_to_the_end_of_the_window_goes_over_into_exhaustion(self) -> None:
        hole = gap(self.START, WINDOW_END)
        data = window(gaps=(hole,))
        assert projected(data, WINDOW_END - 1) == NoData("gap", hole)
        assert projected(data, WINDOW_END) == NoData("exhausted")

    def test_a_gap_over_the_whole_window_leaves_nothing(self) -> None:
        hole = gap(NOON, WINDOW_END)
        data = window(gaps=(hole,), events=(event(1, NOON),))
        for at in (NOON, NOON + 1, WINDOW_END - 1):
            assert projected(data, at) == NoData("gap", hole)

    def test_of_two_gaps_that_touch_the_one_that_holds_the_moment_is_named(self) -> None:
        first, second = gap(self.START, self.END), gap(self.END, self.END + 1, "clock")
        data = window(gaps=(first, second))
        assert projected(data, self.END - 1) == NoData("gap", first)
        assert projected(data, self.END) == NoData("gap", second)
        assert projected(data, self.END + 1) == snapshot()

    def test_between_two_gaps_the_state_is_seen(self) -> None:
        first, second = gap(NOON, self.START), gap(self.END, WINDOW_END)
        data = window(gaps=(first, second))
        assert projected(data, self.START) == projected(data, self.END - 1) == snapshot()
        assert projected(data, self.END) == NoData("gap", second)

    def test_events_in_a_gap_apply_after_it(self) -> None:
        """After a gap the state is again baseline plus all events so far."""
        inside = event(1, self.START + 1, active_app="Inside", running_apps=("Inside",))
        data = window(events=(inside,), gaps=(gap(self.START, self.END),))
        assert state(data, self.START - 1).active_app == "Editor"
        after = state(data, self.END)
        assert (after.active_app, after.running_apps) == ("Inside", ("Inside",))
        assert after.collected_at == self.START + 1

    @pytest.mark.parametrize("at", [START, END - 1, END])
    def test_an_event_at_an_edge_of_a_gap_applies_after_it(self, at: int) -> None:
        data = window(events=(event(1, at),), gaps=(gap(self.START, self.END),))
        assert state(data, self.START - 1).active_app == "Editor"
        assert state(data, self.END).active_app == "App 1"


class TestEvents:
    """Invariant *events at the moment apply*: an event applies when event.at <= at."""

    AT = NOON + 10 * SECOND

    def test_event_at_the_moment_is_applied(self) -> None:
        assert state(window(events=(event(1, self.AT),)), self.AT).active_app == "App 1"

    def test_event_one_millisecond_later_is_not(self) -> None:
        assert state(window(events=(event(1, self.AT),)), self.AT - 1) == snapshot()

    def test_event_at_window_start_is_applied_from_the_start(self) -> None:
        assert state(window(events=(event(1, NOON),)), NOON).active_app == "App 1"

    def test_event_at_window_end_is_never_seen(self) -> None:
        data = window(events=(event(1, WINDOW_END),))
        assert state(data, WINDOW_END - 1) == snapshot()
        assert projected(data, WINDOW_END) == NoData("exhausted")

    def test_events_of_one_instant_apply_in_seq_order(self) -> None:
        events = tuple(event(seq, self.AT) for seq in (3, 4, 9))
        data = window(events=events)
        assert state(data, self.AT).active_app == "App 9"
        assert state(data, self.AT - 1).active_app == "Editor"

    def test_events_of_one_instant_add_up(self) -> None:
        events = (
            event(1, self.AT, active_app="First", battery=Battery(1, True, "ac")),
            event(2, self.AT, active_app="Second"),
            event(3, self.AT, system=System(None, None, None)),
        )
        seen = state(window(events=events), self.AT)
        assert seen == snapshot(
            collected_at=self.AT,
            active_app="Second",
            battery=Battery(1, True, "ac"),
            system=System(None, None, None),
        )

    def test_the_last_replacement_of_a_member_holds(self) -> None:
        events = tuple(event(seq, NOON + seq * SECOND) for seq in range(1, 6))
        data = window(events=events)
        seen = [state(data, NOON + half * 500).active_app for half in range(12)]
        names = ["Editor", "App 1", "App 2", "App 3", "App 4", "App 5"]
        assert seen == [name for name in names for _ in range(2)]

    @pytest.mark.parametrize(
        ("member", "value"),
        [
            ("active_app", None),
            ("active_app", "System"),
            ("running_apps", ()),
            ("running_apps", ("A", "B")),
            ("battery", Battery(None, None, "unknown")),
            ("system", System(0, 0, 0)),
            ("music", Music("stopped", None, None)),
        ],
    )
    def test_a_member_is_replaced_and_the_others_stay(self, member: str, value: Any) -> None:
        baseline = snapshot(running_apps=("Editor",), music=COVERED_SONG)
        data = window(baseline=baseline, events=(event(1, self.AT, **{member: value}),))
        expected = attrs.evolve(baseline, collected_at=self.AT, **{member: value})
        assert state(data, self.AT) == expected

    def test_null_replaces_and_absent_does_not(self) -> None:
        events = (
            event(1, self.AT, active_app=None),
            event(2, self.AT + 1, battery=Battery(5, None, "battery")),
        )
        data = window(events=events)
        assert state(data, self.AT).active_app is None
        assert state(data, self.AT + 1).active_app is None

    def test_music_is_replaced_as_a_whole(self) -> None:
        """No deep merge: the URLs of the old song do not survive under the new one."""
        baseline = snapshot(music=COVERED_SONG)
        data = window(
            baseline=baseline, events=(event(1, self.AT, music=Music("playing", "New", None)),)
        )
        music = state(data, self.AT).music
        assert (music.track, music.artist) == ("New", None)
        assert music.artwork_url is music.track_url is ABSENT

    def test_running_apps_that_the_baseline_does_not_have_appear_with_their_event(self) -> None:
        data = window(events=(event(1, self.AT, running_apps=("A",)),))
        assert state(data, self.AT - 1).running_apps is ABSENT
        assert state(data, self.AT).running_apps == ("A",)
        assert state(data, WINDOW_END - 1).running_apps == ("A",)

    def test_the_baseline_is_not_changed_by_what_follows(self) -> None:
        data = window(events=(event(1, self.AT),))
        prepared = prepare(data)
        late, early = prepared.project(self.AT + DELAY), prepared.project(NOON + DELAY)
        assert (late, early) != (early, late)
        assert early == data.baseline == snapshot()


class TestCollectedAt:
    """The time of the last applied event or the baseline, not the projected moment."""

    def test_before_any_event_it_is_the_baselines(self) -> None:
        data = window(events=(event(1, NOON + SECOND),))
        assert state(data, NOON + SECOND - 1).collected_at == NOON

    def test_then_it_is_the_last_events(self) -> None:
        data = window(events=(event(1, NOON + 1), event(2, NOON + SECOND)))
        assert state(data, NOON + SECOND - 1).collected_at == NOON + 1
        assert state(data, WINDOW_END - 1).collected_at == NOON + SECOND

    def test_an_event_that_sets_the_same_value_again_counts(self) -> None:
        data = window(events=(event(1, NOON + 1, active_app="Editor"),))
        assert state(data, NOON + 1) == snapshot(collected_at=NOON + 1)


class TestPreparedWindow:
    def test_it_keeps_its_window(self) -> None:
        data = window()
        assert prepare(data).window is data

    def test_it_changes_once_at_an_instant_however_many_events_that_has(self) -> None:
        events = (event(1, NOON), event(2, NOON), event(3, NOON + 5), event(4, NOON + 5))
        prepared = prepare(window(events=events, gaps=(gap(NOON + 7, NOON + 9),)))
        assert prepared.changes == [NOON, NOON + 5, NOON + 7, NOON + 9, WINDOW_END]
        assert len(prepared.projections) == len(prepared.changes) + 1

    def test_state_at_a_moment_shows_what_a_gap_hides(self) -> None:
        data = window(events=(event(1, NOON + 5),), gaps=(gap(NOON, WINDOW_END),))
        assert prepare(data).state_at(NOON + 5).active_app == "App 1"

    def test_its_repr_is_short_and_shows_no_state(self) -> None:
        prepared = prepare(window(events=tuple(event(n, NOON + n) for n in range(1, 2049))))
        assert len(repr(prepared)) < 100
        assert "Editor" not in repr(prepared)
