"""Properties of joined and cut windows: against any windows, and against hours of samples.

The hours are recorded by the real recorder: samples every 20 s, uploads every 300 s of which some
are lost, copied or in another order, with sleep, failing readings, restarts and gaps that are noted
later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from random import Random
from typing import Final, get_args

import attrs
from hypothesis import given
from hypothesis import strategies as st

from devicestatus import (
    ABSENT,
    Battery,
    Music,
    NoData,
    Recorder,
    Snapshot,
    Window,
    intervals,
    join_windows,
    prepare,
)
from devicestatus.agent.checkpoint import NotResumed
from devicestatus.agent.recorder import Batch
from devicestatus.durations import Member
from devicestatus.strategies import windows
from status_contracts.instants import MINUTE_MS, SECOND_MS
from support.devicestatus.examples import DELAY, NOON, SESSION, snapshot

MEMBERS: Final[tuple[Member, ...]] = get_args(Member)
SAMPLE_MS: Final = 20 * SECOND_MS
UPLOAD_MS: Final = 5 * MINUTE_MS


@attrs.frozen
class Hours:
    """What was seen, in order of time, the windows that arrived, and how many there were."""

    seen: Sequence[tuple[int, Snapshot]]
    uploads: Sequence[Window]
    made: int


@attrs.define
class Computer:
    """A computer that is observed and uploads."""

    random: Random
    recorder: Recorder = attrs.field(factory=lambda: Recorder(SESSION))
    at: int = NOON
    seen: list[tuple[int, Snapshot]] = attrs.field(factory=list)
    uploads: list[Window] = attrs.field(factory=list)
    made: int = 0

    def work(self, minutes: int, *, is_connected: bool) -> None:
        """Take samples, and upload every 300 s."""
        for _ in range(minutes * 3):
            self.at += SAMPLE_MS
            sample = self.sample()
            self.recorder.observe(sample, wall_ms=self.at, monotonic_ms=self.at)
            self.seen.append((self.at, sample))
            if self.at % UPLOAD_MS == NOON % UPLOAD_MS:
                self.upload(is_connected=is_connected)

    def sample(self) -> Snapshot:
        """Return a sample, often equal to the last one."""
        if self.seen and self.random.random() < 0.5:
            return self.seen[-1][1]
        choose = self.random.choice
        return snapshot(
            active_app=choose((None, "A", "B")),
            running_apps=choose((("A",), ("A", "B"))),
            battery=Battery(choose((50, 51)), None, "ac"),
            music=Music(choose(("playing", "stopped")), None, None),
        )

    def upload(self, *, is_connected: bool) -> None:
        batch = self.recorder.batch(now_ms=self.at + SECOND_MS)
        assert isinstance(batch, Batch)
        self.made += 1
        if is_connected:
            self.uploads.append(batch.window)

    def pause(self, kind: str, minutes: int) -> None:
        """Observe nothing for some minutes, or note such a time when it is over."""
        if kind == "noted":
            self.recorder.add_gap(self.at - minutes * MINUTE_MS, self.at, "collection")
            return
        if kind == "restart":
            resumed = Recorder.resume(self.recorder.checkpoint(now_ms=self.at), now_ms=self.at)
            assert not isinstance(resumed, NotResumed)
            self.recorder = resumed
        if kind == "failing":
            self.recorder.failed(self.at)
        self.at += minutes * MINUTE_MS


@st.composite
def hours(draw: st.DrawFn) -> Hours:
    """Draw some hours of a computer; at least one upload arrives."""
    computer = Computer(draw(st.randoms(use_true_random=False)))
    kinds = st.sampled_from(("sleep", "failing", "restart", "noted"))
    parts = st.tuples(st.integers(1, 30), st.booleans(), kinds, st.integers(1, 40))
    for worked, is_connected, kind, paused in draw(st.lists(parts, max_size=6)):
        computer.work(worked, is_connected=is_connected)
        computer.pause(kind, paused)
    computer.work(6, is_connected=True)
    return Hours(computer.seen, computer.uploads, computer.made)


@st.composite
def uploads_of_a_session(draw: st.DrawFn) -> list[Window]:
    """Draw up to five windows of any content within half an hour, numbered in any order."""
    minutes = draw(st.lists(st.integers(0, 30), min_size=1, max_size=5))
    found = [draw(windows(received_at=NOON + minute * MINUTE_MS)) for minute in minutes]
    return [
        attrs.evolve(each, session_id=SESSION, batch_seq=draw(st.integers(1, 4))) for each in found
    ]


def accepted(uploads: Sequence[Window]) -> list[Window]:
    """Return the windows in order, without those that a player refuses as rewound."""
    found = sorted(uploads, key=lambda each: (each.batch_seq, each.window_end, each.generated_at))
    ends = [each.window_end for each in found]
    return [each for n, each in enumerate(found) if ends[n] == max(ends[: n + 1])]


def values_at(window: Window, at: int) -> object:
    """Return what is known of an instant: the reason of its gap, or the state without its time."""
    found = prepare(window).project(at + DELAY)
    if isinstance(found, NoData):
        assert found.gap is not None
        return found.gap.reason
    return attrs.evolve(found, collected_at=0)


def assert_newest_counts(uploads: Sequence[Window]) -> None:
    """Check at each change, and next to it, that the newest window with the instant counts."""
    joined, ordered = join_windows(uploads), accepted(uploads)
    changes = {at for each in ordered for at in prepare(each).change_times}
    for at in sorted({change + apart for change in changes for apart in (-1, 0, 1)}):
        if not joined.window_start <= at < joined.window_end:
            continue
        found = values_at(joined, at)
        newest = [each for each in ordered if each.window_start <= at < each.window_end][-1:]
        if not newest:
            assert isinstance(found, str)
            continue
        expected = values_at(newest[0], at)
        if isinstance(expected, Snapshot) and expected.running_apps is ABSENT:
            # Events cannot remove them.
            assert isinstance(found, Snapshot)
            found = attrs.evolve(found, running_apps=ABSENT)
        assert found == expected


@given(hours())
def test_intervals_of_joined_uploads_are_what_was_seen(found: Hours) -> None:
    joined = join_windows(found.uploads)
    times = [at for at, _ in found.seen]
    for member in MEMBERS:
        for each in intervals(joined, member):
            first, last = bisect_right(times, each.start) - 1, bisect_left(times, each.end)
            seen = {getattr(sample, member) for _, sample in found.seen[first:last]}
            assert seen == {each.value}


@given(hours(), st.data())
def test_the_newest_window_of_the_recorder_counts(found: Hours, data: st.DataObject) -> None:
    uploads = data.draw(st.permutations([*found.uploads, found.uploads[0]]))
    assert join_windows(uploads) == join_windows(found.uploads)
    assert_newest_counts(found.uploads)


@given(uploads_of_a_session())
def test_of_any_windows_the_newest_counts(uploads: list[Window]) -> None:
    assert_newest_counts(uploads)
