"""One window of many uploads, and parts of windows."""

import attrs
import pytest

from devicestatus import NoData, cut_window, intervals, join_windows, prepare
from devicestatus.limits import PLAYBACK_DELAY_MS
from devicestatus.models.window import GapReason, Window, WindowEvent
from purewire.absent import ABSENT
from support.devicestatus.examples import NOON, SESSION, event, gap, snapshot, window

OTHER_SESSION = "6f1c0b1e-4a5d-4c3b-9d2e-1f2a3b4c5d6e"
MINUTE = 60_000


def part(
    start: int,
    end: int,
    *events: tuple[int, str],
    app: str = "Editor",
    gaps: tuple[tuple[int, int, GapReason], ...] = (),
    session: str = SESSION,
) -> Window:
    """Return a window from one minute after noon to another, with events at minutes."""
    return window(
        session_id=session,
        window_start=NOON + start * MINUTE,
        window_end=NOON + end * MINUTE,
        generated_at=NOON + end * MINUTE,
        baseline=snapshot(active_app=app, collected_at=NOON + start * MINUTE),
        events=tuple(
            event(number, NOON + at * MINUTE, active_app=name)
            for number, (at, name) in enumerate(events, 1)
        ),
        gaps=tuple(
            gap(NOON + since * MINUTE, NOON + until * MINUTE, reason)
            for since, until, reason in gaps
        ),
    )


def apps(of: Window) -> list[tuple[int, int, str]]:
    """Return the intervals of the app in front, in minutes after noon."""
    return [
        ((each.start - NOON) // MINUTE, (each.end - NOON) // MINUTE, each.value)
        for each in intervals(of, "active_app")
    ]


def gaps(of: Window) -> list[tuple[int, int, str]]:
    return [
        ((each.start_at - NOON) // MINUTE, (each.end_at - NOON) // MINUTE, each.reason)
        for each in of.gaps
    ]


class TestJoin:
    def test_no_window(self) -> None:
        with pytest.raises(ValueError, match="no window"):
            join_windows([])

    def test_one_window_stays_as_it_is(self) -> None:
        one = part(0, 15, (3, "Mail"), gaps=((5, 6, "sleep"),))
        assert join_windows([one]) == one

    def test_windows_that_overlap(self) -> None:
        joined = join_windows(
            [
                part(0, 10, (3, "Mail"), (8, "Files")),
                part(5, 15, (8, "Files"), (12, "A"), app="Mail"),
            ]
        )
        assert apps(joined) == [
            (0, 3, "Editor"),
            (3, 8, "Mail"),
            (8, 12, "Files"),
            (12, 15, "A"),
        ]
        assert gaps(joined) == []
        assert [each.seq for each in joined.events] == [1, 2, 3]

    def test_windows_that_touch(self) -> None:
        joined = join_windows([part(0, 5), part(5, 10, (7, "Mail"))])
        assert apps(joined) == [(0, 7, "Editor"), (7, 10, "Mail")]
        assert gaps(joined) == []

    def test_what_differs_at_the_change_of_windows_is_an_event(self) -> None:
        joined = join_windows([part(0, 5), part(5, 10, app="Mail")])
        assert apps(joined) == [(0, 5, "Editor"), (5, 10, "Mail")]
        assert joined.events == (event(1, NOON + 5 * MINUTE, active_app="Mail"),)

    def test_an_event_at_the_last_instant_is_kept(self) -> None:
        joined = join_windows([part(0, 5, (5, "Mail")), part(5, 10, app="Mail")])
        assert apps(joined) == [(0, 5, "Editor"), (5, 10, "Mail")]
        assert len(joined.events) == 1

    def test_a_lost_upload_is_a_gap(self) -> None:
        joined = join_windows([part(0, 5), part(8, 10)])
        assert gaps(joined) == [(5, 8, "overflow")]
        assert apps(joined) == [(0, 5, "Editor"), (8, 10, "Editor")]

    def test_a_gap_at_the_start_of_a_window_begins_where_the_one_before_ended(self) -> None:
        joined = join_windows([part(0, 5), part(8, 20, gaps=((8, 15, "sleep"),))])
        assert gaps(joined) == [(5, 15, "sleep")]

    def test_a_later_gap_does_not(self) -> None:
        joined = join_windows([part(0, 5), part(8, 20, gaps=((9, 15, "sleep"),))])
        assert gaps(joined) == [(5, 8, "overflow"), (9, 15, "sleep")]

    def test_a_gap_that_two_windows_have_is_one(self) -> None:
        joined = join_windows(
            [part(0, 10, gaps=((8, 10, "sleep"),)), part(5, 20, gaps=((8, 12, "sleep"),))]
        )
        assert gaps(joined) == [(8, 12, "sleep")]

    def test_gaps_that_touch_with_two_reasons_are_two(self) -> None:
        joined = join_windows(
            [part(0, 10, gaps=((8, 10, "sleep"),)), part(10, 20, gaps=((10, 12, "clock"),))]
        )
        assert gaps(joined) == [(8, 10, "sleep"), (10, 12, "clock")]

    @pytest.mark.parametrize("start", [5, 8])
    def test_another_session(self, start: int) -> None:
        joined = join_windows([part(0, 5), part(start, 20, session=OTHER_SESSION, app="Mail")])
        assert gaps(joined) == ([(5, 8, "restart")] if start > 5 else [])
        assert apps(joined) == [(0, 5, "Editor"), (start, 20, "Mail")]
        assert joined.session_id == OTHER_SESSION

    def test_the_order_and_repeated_windows_change_nothing(self) -> None:
        windows = [part(0, 10, (3, "Mail")), part(5, 15, app="Mail"), part(10, 20, app="Mail")]
        expected = join_windows(windows)
        assert join_windows([*reversed(windows), *windows]) == expected

    def test_a_window_inside_another_adds_nothing(self) -> None:
        whole = part(0, 15, (3, "Mail"))
        assert join_windows([whole, part(5, 10, app="Files")]) == whole

    def test_other_members_are_those_of_the_last_window(self) -> None:
        last = attrs.evolve(part(5, 15), batch_seq=7, dropped_events=3)
        joined = join_windows([part(0, 10), last])
        assert (joined.batch_seq, joined.dropped_events) == (7, 3)
        assert joined.generated_at == last.generated_at
        assert joined.baseline == part(0, 10).baseline

    def test_running_apps_that_are_missing_later(self) -> None:
        apps, none = snapshot(running_apps=("Mail",)), snapshot(running_apps=ABSENT)
        first, second = part(0, 5), part(5, 10)
        with pytest.raises(ValueError, match="running_apps"):
            join_windows([attrs.evolve(first, baseline=apps), attrs.evolve(second, baseline=none)])
        joined = join_windows(
            [attrs.evolve(first, baseline=none), attrs.evolve(second, baseline=apps)]
        )
        assert joined.events == (event(1, NOON + 5 * MINUTE, running_apps=("Mail",)),)


class TestCut:
    WHOLE = part(0, 15, (3, "Mail"), (8, "Files"), gaps=((5, 6, "sleep"), (10, 12, "clock")))

    def cut(self, start: int, end: int) -> Window:
        return cut_window(self.WHOLE, NOON + start * MINUTE, NOON + end * MINUTE)

    def test_the_whole_window_stays_as_it_is(self) -> None:
        assert self.cut(0, 15) == self.WHOLE

    def test_the_baseline_is_the_state_at_the_start(self) -> None:
        found = self.cut(3, 15)
        assert found.baseline.active_app == "Mail"
        assert [each.at for each in found.events] == [NOON + 8 * MINUTE]

    def test_events_up_to_the_end_are_kept(self) -> None:
        assert len(self.cut(0, 8).events) == 2
        assert len(cut_window(self.WHOLE, NOON, NOON + 8 * MINUTE - 1).events) == 1

    @pytest.mark.parametrize(
        ("start", "end", "expected"),
        [
            (0, 5, []),
            (6, 10, []),
            (5, 6, [(5, 6, "sleep")]),
            (5, 11, [(5, 6, "sleep"), (10, 11, "clock")]),
            (11, 15, [(11, 12, "clock")]),
            (12, 15, []),
        ],
    )
    def test_gaps_are_shortened(
        self, start: int, end: int, expected: list[tuple[int, int, str]]
    ) -> None:
        assert gaps(self.cut(start, end)) == expected

    def test_a_part_without_length(self) -> None:
        found = self.cut(4, 4)
        assert apps(found) == []
        assert isinstance(prepare(found).project(NOON + 4 * MINUTE + PLAYBACK_DELAY_MS), NoData)

    @pytest.mark.parametrize(("start", "end"), [(-1, 5), (5, 16), (6, 5)])
    def test_what_is_no_part(self, start: int, end: int) -> None:
        with pytest.raises(ValueError, match="no part of the window"):
            self.cut(start, end)


def test_numbers_of_events_follow_each_other() -> None:
    first = attrs.evolve(
        part(0, 5), events=(WindowEvent(90, NOON + 1, part(0, 1, (0, "A")).events[0].changes),)
    )
    assert [each.seq for each in join_windows([first, part(5, 9, (6, "B"), app="A")]).events] == [
        1,
        2,
    ]
