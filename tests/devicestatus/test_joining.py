"""Join uploads into one window; invariants of `devicestatus.joining`."""

from typing import Any

import pytest

from devicestatus import (
    ABSENT,
    Interval,
    Window,
    WindowChanges,
    WindowEvent,
    intervals,
    join_windows,
)
from support.devicestatus.examples import NOON, gap, snapshot, window

OTHER_SESSION = "1f8fad5b-d9cb-469f-a165-70867728950e"


def upload(seq: int, start: int, end: int, **members: Any) -> Window:
    """Return a window from `start` to `end`, in ms from noon, with the app `Editor` or `app`."""
    baseline = snapshot(collected_at=NOON + start, active_app=members.pop("app", "Editor"))
    return window(
        **{
            "batch_seq": seq,
            "window_start": NOON + start,
            "window_end": NOON + end,
            "baseline": baseline,
        }
        | members
    )


def change(at: int, app: str, seq: int = 1) -> WindowEvent:
    return WindowEvent(seq, NOON + at, WindowChanges(active_app=app))


def apps(of: Window) -> list[tuple[int, int, object]]:
    """Return the intervals of the foreground app, as ms from noon."""
    found = intervals(of, "active_app", lambda app: app)
    return [(each.start - NOON, each.end - NOON, each.value) for each in found]


def gaps(of: Window) -> list[tuple[int, int, str]]:
    """Return the gaps, as ms from noon."""
    return [(each.start_at - NOON, each.end_at - NOON, each.reason) for each in of.gaps]


class TestJoin:
    def test_a_loss_is_a_gap_after_which_the_new_baseline_holds(self) -> None:
        """Invariant *unknown time is a gap*."""
        first = upload(1, 0, 300, events=(change(200, "A"),))
        joined = join_windows([first, upload(9, 1000, 1900, app="B")])
        assert gaps(joined) == [(300, 1000, "overflow")]
        assert apps(joined) == [(0, 200, "Editor"), (200, 300, "A"), (1000, 1900, "B")]

    def test_a_window_that_starts_inside_a_gap_continues_it_back(self) -> None:
        second = upload(
            2,
            1000,
            1900,
            gaps=(gap(NOON + 1000, NOON + 1400), gap(NOON + 1500, NOON + 1600, "clock")),
        )
        joined = join_windows([upload(1, 0, 300), second])
        assert gaps(joined) == [(300, 1400, "sleep"), (1500, 1600, "clock")]

    def test_a_window_that_ends_before_an_older_one_is_ignored(self) -> None:
        """As players refuse it: DS-PLAYER-04."""
        early = upload(3, 0, 899, app="A")
        assert join_windows([upload(1, 0, 900), early]) == upload(1, 0, 900)
        both = [upload(1, 0, 500), upload(2, 0, 900)]
        assert join_windows([*both, early]) == join_windows(both)

    def test_running_apps_come_but_do_not_go(self) -> None:
        """DS-AGENT-18."""
        without = [upload(1, 0, 300), upload(3, 600, 900)]
        given = upload(2, 300, 600, baseline=snapshot(collected_at=NOON + 300, running_apps=("A",)))
        found = intervals(join_windows([*without, given]), "running_apps", lambda names: names)
        assert found == (
            Interval(NOON, NOON + 300, ABSENT),
            Interval(NOON + 300, NOON + 900, ("A",)),
        )

    @pytest.mark.parametrize(
        ("windows", "message"),
        [
            ([], "there is no window to join"),
            (
                [upload(1, 0, 900), upload(2, 900, 1200, session_id=OTHER_SESSION)],
                "the windows are of 2 sessions: join those of each session",
            ),
            (
                [upload(1, 0, 900), upload(2, 300, 1200, schema_version=3)],
                "the windows have different schema versions",
            ),
        ],
    )
    def test_none_and_several_sessions_or_versions_are_an_error(
        self, windows: list[Window], message: str
    ) -> None:
        with pytest.raises(ValueError, match=f"^{message}$"):
            join_windows(windows)

    def test_what_a_newer_window_replaces_is_left_out(self) -> None:
        first = upload(
            1,
            0,
            900,
            events=(change(100, "A"), change(500, "B", 2)),
            gaps=(gap(NOON + 600, NOON + 700),),
        )
        joined = join_windows([first, upload(2, 300, 1200, app="A", events=(change(500, "B", 2),))])
        assert apps(joined) == [(0, 100, "Editor"), (100, 500, "A"), (500, 1200, "B")]
        assert joined.gaps == ()
