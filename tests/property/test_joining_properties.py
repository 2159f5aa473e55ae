"""Uploads of a recorder, some of them lost, joined to one window."""

from itertools import pairwise
from typing import Any, Final

import attrs
from hypothesis import given
from hypothesis import strategies as st

from devicestatus import (
    NoData,
    Recorder,
    Snapshot,
    Window,
    cut_window,
    join_windows,
    parse_window,
    prepare,
)
from devicestatus.limits import PLAYBACK_DELAY_MS
from support.devicestatus.examples import NOON, SESSION, snapshot

STEP: Final = 20_000
UPLOAD: Final = 300_000

steps = st.lists(
    st.tuples(st.sampled_from(("Editor", "Mail", "Files")), st.sampled_from((1, 1, 1, 1, 2, 60))),
    min_size=20,
    max_size=300,
)
"""Apps in front, and after how many steps the next sample follows: pauses are sleep."""


def uploads(samples: list[tuple[str, int]], arrives: list[bool]) -> list[Window]:
    """Record samples; return the windows that arrive, at least the first."""
    recorder = Recorder.create(SESSION)
    windows: list[Window] = []
    now, due = NOON, NOON + UPLOAD
    for app, pause in samples:
        sample = snapshot(active_app=app, collected_at=now)
        recorder.observe(sample, wall_ms=now, monotonic_ms=now)
        if now >= due:
            body = recorder.batch(now_ms=now).body  # type: ignore[union-attr]
            if arrives[len(windows) % len(arrives)] or not windows:
                windows.append(parse_window(body, received_at=now))
            due = now + UPLOAD
        now += pause * STEP
    return windows


def shown(window: Window, at: int) -> dict[str, Any] | str:
    """Return the state at an instant without its time, or why there is none."""
    found = prepare(window).project(at + PLAYBACK_DELAY_MS)
    if isinstance(found, NoData):
        return found.reason
    assert isinstance(found, Snapshot)
    return attrs.asdict(found, filter=lambda field, _: field.name != "collected_at")


@given(steps, st.lists(st.booleans(), min_size=1, max_size=5))
def test_joined_uploads_show_what_each_of_them_shows(
    samples: list[tuple[str, int]], arrives: list[bool]
) -> None:
    windows = uploads(samples, arrives)
    if not windows:
        return
    joined = join_windows(windows)
    assert (joined.window_start, joined.window_end) == (
        windows[0].window_start,
        windows[-1].window_end,
    )
    for one, following in pairwise(joined.gaps):
        assert one.end_at <= following.start_at
    end = joined.window_start
    for window in windows:
        if window.window_start > end:
            assert shown(joined, end) == shown(joined, window.window_start - 1) == "gap"
        edges = {max(end, window.window_start), window.window_end - 1}
        edges |= {each.at for each in window.events} | {each.end_at for each in window.gaps}
        for at in edges:
            if end <= at < window.window_end:
                assert shown(joined, at) == shown(window, at)
        end = window.window_end


@given(steps, st.integers(0, 100), st.integers(0, 100))
def test_the_parts_of_a_window_joined_show_the_same(
    samples: list[tuple[str, int]], one: int, other: int
) -> None:
    windows = uploads(samples, [True])
    if not windows:
        return
    whole = join_windows(windows)
    length = whole.window_end - whole.window_start
    cuts = sorted({0, one * length // 100, other * length // 100, length})
    instants = [whole.window_start + cut for cut in cuts]
    parts = [cut_window(whole, *bounds) for bounds in pairwise(instants)]
    again = join_windows(parts)
    assert again.gaps == whole.gaps
    for at in {each.at for each in whole.events} | set(instants[:-1]):
        assert shown(again, at) == shown(whole, at)
