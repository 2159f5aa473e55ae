"""Properties of the projection, of states, deadlines and explanations, against a simple replay.

The dense windows here last a few milliseconds, so that events, gaps and ends fall together; the
drawn records are the published strategies'.
"""

from collections.abc import Iterator
from itertools import pairwise

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.deadlines import window_deadline
from devicestatus.explanation import explain
from devicestatus.models import (
    Battery,
    Music,
    Snapshot,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
)
from devicestatus.projection import NoData, prepare
from devicestatus.record import Record, SnapshotRecord, WindowRecord
from devicestatus.settings import Settings
from devicestatus.state import Online, state_of
from status_contracts.primitives import ABSENT
from support.devicestatus.examples import DELAY, NOON, SYSTEM, TOKEN, snapshot, window

MEMBERS = [field.name for field in attrs.fields(WindowChanges)]
SPAN = 24  # ms
lifetimes = st.integers(60, 3600) | st.sampled_from([60, 180, 3600])
offsets = st.integers(0, SPAN)

changes = st.builds(
    WindowChanges,
    st.sampled_from([ABSENT, None, "A", "B"]),
    st.sampled_from([ABSENT, (), ("A",), ("A", "B")]),
    st.sampled_from([ABSENT, Battery(1, None, "ac")]),
    st.sampled_from([ABSENT, attrs.evolve(SYSTEM, load_1m=2)]),
    st.sampled_from([ABSENT, Music("stopped", None, None), Music("paused", "T", None)]),
).map(lambda each: WindowChanges(None) if each == WindowChanges() else each)


@st.composite
def dense_windows(draw: st.DrawFn) -> Window:
    """Draw windows of up to 24 ms with up to 8 events and 4 gaps."""
    end = NOON + draw(offsets)
    moments = st.integers(NOON, end)
    times = sorted(draw(st.lists(moments, max_size=8)))
    points = sorted(draw(st.lists(moments, max_size=8, unique=True)))
    gaps = [WindowGap(*pair, "sleep") for pair in zip(points[::2], points[1::2], strict=False)]
    return window(
        window_end=end,
        baseline=snapshot(running_apps=draw(st.sampled_from([ABSENT, ("Editor",)]))),
        events=tuple(WindowEvent(n, at, draw(changes)) for n, at in enumerate(times, start=1)),
        gaps=tuple(gaps),
    )


@st.composite
def dense_records(draw: st.DrawFn) -> WindowRecord:
    """Draw records of dense windows, received when their playback begins or later."""
    data = draw(dense_windows())
    received_at = data.window_end + draw(offsets | offsets.map(lambda late: DELAY - SPAN + late))
    return WindowRecord(received_at, data, window_deadline(data.window_end))


snapshot_records = st.builds(
    lambda ttl: SnapshotRecord(NOON, snapshot(), ttl if ttl is ABSENT else NOON + ttl * 1000),
    lifetimes | st.just(ABSENT),
)


def moments_of(data: Window) -> range:
    """Return every projected moment of a dense window, and some outside."""
    return range(NOON - 2, data.window_end + 3)


def replayed(data: Window, at: int) -> Snapshot:
    """Return baseline plus events up to a moment, from the start."""
    state = data.baseline
    for event in sorted(data.events, key=lambda event: (event.at, event.seq)):
        if event.at <= at:
            given_members = {name: getattr(event.changes, name) for name in MEMBERS}
            replaced = {name: each for name, each in given_members.items() if each is not ABSENT}
            state = attrs.evolve(state, collected_at=event.at, **replaced)
    return state


class TestReplay:
    @given(dense_windows())
    def test_projection_equals_a_replay_from_the_baseline(self, data: Window) -> None:
        prepared = prepare(data)
        for at in moments_of(data):
            found = prepared.project(at + DELAY)
            in_gap = any(gap.start_at <= at < gap.end_at for gap in data.gaps)
            is_covered = data.window_start <= at < data.window_end and not in_gap
            assert isinstance(found, Snapshot) == is_covered
            if isinstance(found, Snapshot):
                assert found == replayed(data, at)

    @given(dense_windows())
    def test_the_reason_states_where_the_moment_is(self, data: Window) -> None:
        prepared = prepare(data)
        for at in moments_of(data):
            found = prepared.project(at + DELAY)
            if not isinstance(found, NoData):
                continue
            assert (found.reason == "warm-up") == (at < data.window_start)
            assert (found.reason == "exhausted") == (at >= max(data.window_start, data.window_end))
            assert (found.gap is not None) == (found.reason == "gap")
            assert found.gap is None or found.gap.start_at <= at < found.gap.end_at


def shown(record: Record, now: int, ttl: int) -> Snapshot | None:
    """Return the public state, None for offline."""
    state = state_of(record, now=now, ttl_seconds=ttl)
    return state.snapshot if isinstance(state, Online) else None


def boundaries_of(record: Record) -> Iterator[int]:
    """Return server times at which anything might change, from the record alone."""
    yield from (record.received_at, record.received_at + 60_000)
    if isinstance(record, SnapshotRecord):
        yield from range(record.received_at, record.received_at + 3_600_001, 60_000)
        return
    data = record.data
    edges = [edge for gap in data.gaps for edge in (gap.start_at, gap.end_at)]
    times = [event.at for event in data.events]
    for at in (data.window_start, data.window_end, *edges, *times):
        yield at + DELAY
    yield record.expires_at


@st.composite
def questions(draw: st.DrawFn) -> tuple[Record, int, int]:
    """Draw a record, a server time around one of its boundaries, and a lifetime in force."""
    record = draw(dense_records() | snapshot_records)
    return draw(asked(record))


@st.composite
def asked(draw: st.DrawFn, record: Record) -> tuple[Record, int, int]:
    boundary = draw(st.sampled_from(sorted(set(boundaries_of(record)))))
    return record, boundary + draw(st.integers(-2, 2)), draw(lifetimes)


class TestStates:
    @given(questions())
    def test_a_deadline_is_never_later_than_at_the_write(
        self, question: tuple[Record, int, int]
    ) -> None:
        record, now, ttl = question
        state = state_of(record, now=now, ttl_seconds=ttl)
        if isinstance(state, Online):
            given_life = record.received_at + limits.TTL_UNSET_SECONDS * 1000
            at_write = given_life if record.expires_at is ABSENT else record.expires_at
            assert now < state.deadline.at <= at_write
            assert state.updated_at == record.received_at <= now

    @given(questions())
    def test_from_its_deadline_on_a_record_is_never_online_again(
        self, question: tuple[Record, int, int]
    ) -> None:
        record, now, ttl = question
        deadline = explain(record, now, Settings(TOKEN, ttl)).deadline
        assert deadline is not None
        for later in (0, 1, 1000, abs(now), limits.WINDOW_LIFETIME_MS):
            assert shown(record, deadline.at + later, ttl) is None


class TestExplanations:
    """Invariant *one verdict*: the explanation and the views cannot differ."""

    @given(questions())
    def test_until_the_next_change_the_state_stays_and_there_it_differs(
        self, question: tuple[Record, int, int]
    ) -> None:
        self.check_next_change(*question)

    def check_next_change(self, record: Record, now: int, ttl: int) -> None:
        following = explain(record, now, Settings(TOKEN, ttl)).next_change_at
        current = shown(record, now, ttl)
        end = 2**60 if following is None else following
        around = {boundary + step for boundary in boundaries_of(record) for step in (-1, 0, 1)}
        for moment in sorted(around | {end - 1}):
            assert not now <= moment < end or shown(record, moment, ttl) == current
        if following is not None:
            assert following > now
            assert shown(record, following, ttl) != current

    @settings(max_examples=60)
    @given(dense_records())
    def test_next_changes_are_all_changes_millisecond_by_millisecond(
        self, record: WindowRecord
    ) -> None:
        first, last = NOON + DELAY - 2, record.data.window_end + DELAY + 2
        states = [shown(record, now, 60) for now in range(first, last + 1)]
        changed = [
            first + n
            for n, (before, after) in enumerate(pairwise(states), start=1)
            if before != after
        ]
        found, now = [], explain(record, first, Settings(TOKEN)).next_change_at
        while now is not None and now <= last:
            found.append(now)
            now = explain(record, now, Settings(TOKEN)).next_change_at
        assert found == changed
