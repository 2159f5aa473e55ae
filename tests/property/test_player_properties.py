"""Properties of playback, over uploads, stale and late responses, and outages.

A scenario is what one device did: sessions, events and gaps, of which every upload shows a window.
Polls show the newest record or an older one, and their responses come late or in another order.
Views are asked at server times; the viewer's own clock runs `SHIFT` behind.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from devicestatus.bodies import timeline_json
from devicestatus.deadlines import window_deadline
from devicestatus.models import Snapshot, Window, WindowEvent, WindowGap
from devicestatus.music_urls import ITUNES
from devicestatus.player import Accepted, Loss, Mode, Player, Refused, View, parse_timeline
from devicestatus.record import Record, WindowRecord
from devicestatus.responses import OfflineStatus, SnapshotTimelineStatus, WindowStatus
from devicestatus.strategies import InvalidValue, invalid_windows, windows
from status_contracts import json_text
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT
from support.devicestatus.examples import DELAY, NOON, event, gap, snapshot, snapshot_record, window

SECOND, MINUTE = 1000, 60_000
SHIFT = NOON + 98_765
OFFLINE = b'{"status":"offline"}'
SESSIONS = [f"0f8fad5b-d9cb-469f-a165-{number:012}" for number in range(8)]
NONSENSE = (
    b"",
    b"null",
    b"<html>",
    b'{"error":"service_unavailable"}',
    b'{"error":"service_unavailable","status":"offline"}',
    b'{"status":"online"}',
    b'{"status":"offline"',
    b'{"status":"OFFLINE"}',
)


def response(record: Record, now: int) -> bytes:
    """Return the body of `/api/timeline` as the service makes it."""
    return timeline_json(record, now=now, ttl_seconds=3600)


@attrs.frozen
class TimedResponse:
    """A response, and when it arrives, as server time."""

    body: bytes
    arrives: int


def name_of(each: WindowEvent) -> str:
    """Return the app that an event here always has, `App <seq>`."""
    return f"App {each.seq}"


@attrs.frozen
class Device:
    """What happened on a device; `events` and `gaps` in order."""

    events: Sequence[WindowEvent]
    gaps: Sequence[WindowGap]

    def window(self, session: int, number: int, start: int, end: int) -> Window:
        """Return a batch as an agent makes it: what came before is in the baseline."""
        past = [each for each in self.events if each.at <= start]
        state = snapshot(collected_at=start, active_app=name_of(past[-1]) if past else "Editor")
        clipped = [(max(one.start_at, start), min(one.end_at, end), one) for one in self.gaps]
        return window(
            session_id=SESSIONS[session],
            batch_seq=number,
            window_start=start,
            window_end=end,
            baseline=state,
            events=tuple(each for each in self.events if start < each.at <= end),
            gaps=tuple(
                gap(first, last, one.reason) for first, last, one in clipped if first < last
            ),
        )


@st.composite
def devices(draw: st.DrawFn, span: int = 60 * MINUTE) -> Device:
    """Draw what happened between `NOON` and `span` later."""
    moments = st.integers(NOON, NOON + span)
    times = sorted(draw(st.lists(moments, max_size=8)))
    edges = sorted(draw(st.lists(moments, max_size=6, unique=True)))
    holes = zip(edges[::2], edges[1::2], strict=False)
    return Device(
        tuple(event(seq, at) for seq, at in enumerate(times, start=1)),
        tuple(gap(start, end, draw(st.sampled_from(["sleep", "clock"]))) for start, end in holes),
    )


@st.composite
def uploads(draw: st.DrawFn, device: Device) -> list[WindowRecord]:
    """Draw the records that a device makes, in order; some begin a new session."""
    made: list[WindowRecord] = []
    now, session, began = NOON, 0, NOON - draw(st.sampled_from([0, MINUTE, 15 * MINUTE]))
    for number in range(1, draw(st.integers(1, 5)) + 1):
        now += draw(st.sampled_from([1, MINUTE, 5 * MINUTE, 5 * MINUTE, 301_000, 25 * MINUTE]))
        if number > 1 and draw(st.integers(0, 3)) == 3:
            session, began = session + 1, now - draw(st.sampled_from([0, MINUTE]))
        end = now - draw(st.sampled_from([0, 1, 10 * SECOND]))
        longest = draw(st.sampled_from([15 * MINUTE, 15 * MINUTE, 5 * MINUTE, 1]))
        data = device.window(session, number, min(max(began, end - longest), end), end)
        made.append(WindowRecord(now, data, window_deadline(end)))
    return made


@st.composite
def polls(draw: st.DrawFn, made: list[WindowRecord]) -> list[TimedResponse]:
    """Draw responses in the order of their arrival: fresh, stale, repeated, late, and offline."""
    reported: list[TimedResponse] = []
    now = NOON
    for _ in range(draw(st.integers(1, 9))):
        now += draw(st.sampled_from([1, MINUTE, MINUTE, 5 * MINUTE, 5 * MINUTE, 20 * MINUTE]))
        there = [record for record in made if record.received_at <= now]
        kind = draw(st.sampled_from(["newest"] * 4 + ["stale"] * 2 + ["offline", "v1", "error"]))
        if kind == "error":
            body = draw(st.sampled_from(NONSENSE))
        elif kind == "v1":
            at = now - SECOND
            latest = snapshot(collected_at=at)
            body = response(
                snapshot_record(received_at=at, data=latest, expires_at=at + 3 * MINUTE), now
            )
        elif kind == "offline" or not there:
            body = OFFLINE
        else:
            body = response(draw(st.sampled_from(there)) if kind == "stale" else there[-1], now)
        late = draw(st.sampled_from([0, 0, 0, 1, 2 * SECOND, 6 * MINUTE]))
        reported.append(TimedResponse(body, now + late))
    return sorted(reported, key=lambda each: each.arrives)


scenarios = devices().flatmap(uploads).flatmap(polls)


@st.composite
def outages(draw: st.DrawFn) -> list[TimedResponse]:
    """Draw responses of one session, some long after the last, with windows of different length.

    Some come so early that playback warms up; then a window may return what an earlier one lost.
    """
    reported: list[TimedResponse] = []
    now, device = NOON, Device((), ())
    pauses = [1, MINUTE, 302 * SECOND, 302 * SECOND, 14 * MINUTE, 899_999, 15 * MINUTE, 60 * MINUTE]
    for number in range(1, draw(st.integers(2, 12)) + 1):
        now += draw(st.sampled_from(pauses))
        length = draw(st.sampled_from([15 * MINUTE, 15 * MINUTE, 8 * MINUTE, 6 * MINUTE, 1, 0]))
        data = device.window(0, number, now - length, now)
        reported.append(
            TimedResponse(response(WindowRecord(now, data, window_deadline(now)), now), now)
        )
    return reported


def hear(player: Player, each: TimedResponse) -> Accepted | Refused:
    return player.accept(each.body, each.arrives - SHIFT)


def see(player: Player, now: int) -> View:
    return player.view(now - SHIFT)


def moments(scenario: list[TimedResponse]) -> Iterator[tuple[TimedResponse, int, int]]:
    """Return each response, and the interval in which its content is shown."""
    ends = [*(each.arrives for each in scenario[1:]), scenario[-1].arrives + 30 * MINUTE]
    for each, end in zip(scenario, ends, strict=True):
        yield each, each.arrives, end


def shows(seen: View) -> tuple[object, ...]:
    return seen.state, seen.reason, seen.snapshot


class ReferencePlayer:
    """Reference implementation of the design decisions, with a clock that only moves forward."""

    def __init__(self) -> None:
        self.now: int | None = None
        self.server: int | None = None
        self.mark = (-(10**18), "", 0, 0)
        self.mode: Mode | None = None
        self.window: Window | None = None
        self.last_snapshot: SnapshotTimelineStatus | None = None
        self.head = 0
        self.lost: list[tuple[int, int]] = []  # the parts of one merged loss

    def wait(self, until: int) -> None:
        passed = 0 if self.now is None else max(0, until - self.now)
        self.now = until if self.now is None else self.now + passed
        if self.server is not None:
            self.server += passed
        if self.mode == "window" and self.window is not None:
            self.head = min(self.head + passed, self.window.window_end)

    def hear(self, body: bytes, at: int) -> bool:
        """Accept or refuse a response; return whether it was accepted."""
        parsed = parse_timeline(body, ITUNES)
        if isinstance(parsed, str) or self.refuses(parsed):
            return False
        self.wait(at)
        if isinstance(parsed, OfflineStatus):
            self.mode = "offline"
            return True
        self.server = max(parsed.server_time, -(10**18) if self.server is None else self.server)
        if isinstance(parsed, SnapshotTimelineStatus):
            self.mark = (parsed.updated_at, *self.mark[1:])
            self.mode, self.last_snapshot = "snapshot", parsed
            return True
        data = parsed.window
        self.mark = (parsed.updated_at, data.session_id, data.batch_seq, data.window_end)
        self.load(data, self.server - DELAY)
        self.mode, self.window = "window", data
        return True

    def refuses(self, parsed: WindowStatus | SnapshotTimelineStatus | OfflineStatus) -> bool:
        if isinstance(parsed, OfflineStatus):
            return False
        updated_at, session, number, end = self.mark
        if parsed.updated_at < updated_at:
            return True
        if isinstance(parsed, SnapshotTimelineStatus) or parsed.window.session_id != session:
            return False
        return parsed.window.batch_seq < number or parsed.window.window_end < end

    def load(self, data: Window, target: int) -> None:
        old = self.window
        if old is None or old.session_id != data.session_id:
            self.head, self.lost = min(target, data.window_end), []
        elif self.head < data.window_start:
            stopped = max(self.head, old.window_start)
            if stopped < data.window_start:
                self.lose(stopped, data.window_start)
            self.head = min(target, data.window_start)

    def lose(self, start: int, end: int) -> None:
        """Add a piece; what the last window had given back of others is not lost twice."""
        if self.lost and start - self.lost[-1][1] >= 15 * MINUTE:
            self.lost = []
        before = [(first, min(last, start)) for first, last in self.lost if first < start]
        self.lost = [*before, (start, end)]

    @property
    def loss(self) -> Loss | None:
        pieces = self.lost
        if not pieces:
            return None
        return Loss(pieces[0][0], pieces[-1][1], sum(last - first for first, last in pieces))

    def view(self, at: int) -> tuple[object, ...]:
        """Return state, reason, snapshot, playhead, server time and loss."""
        self.wait(at)
        if self.mode == "offline":
            return "offline", None, None, None, self.server, None
        if self.mode == "snapshot" and self.last_snapshot is not None and self.server is not None:
            names = attrs.fields_dict(Snapshot)
            shown = Snapshot(**{name: getattr(self.last_snapshot, name) for name in names})
            return "playing", None, shown, None, self.server, None
        if self.window is None:
            return "buffering", "warm-up", None, None, None, None
        at = self.head
        warms_up = at < self.window.window_start
        return *self.stage(self.window), None if warms_up else at, self.server, self.loss

    def stage(self, data: Window) -> tuple[object, ...]:
        at = self.head
        if at < data.window_start:
            return "buffering", "warm-up", None
        if at >= data.window_end:
            return "buffering", "exhausted", None
        for hole in data.gaps:
            if hole.start_at <= at < hole.end_at:
                return "gap", hole.reason, None
        return "playing", None, replayed(data, at)


def replayed(data: Window, at: int) -> Snapshot:
    """Return baseline plus events up to a moment, from the start; events change the app only."""
    state = data.baseline
    for each in data.events:
        if each.at <= at:
            state = attrs.evolve(state, collected_at=each.at, active_app=name_of(each))
    return state


def shown_by(seen: View) -> tuple[object, ...]:
    return (*shows(seen), seen.at, seen.server_time, seen.lost)


class TestReference:
    @given(scenarios, st.lists(st.integers(0, 5 * MINUTE), max_size=4).map(sorted))
    def test_playback_is_what_the_design_decisions_state(
        self, scenario: list[TimedResponse], steps: list[int]
    ) -> None:
        self.check(scenario, steps)

    @given(outages(), st.lists(st.integers(0, 5 * MINUTE), max_size=2).map(sorted))
    def test_through_one_loss_after_another_as_well(
        self, scenario: list[TimedResponse], steps: list[int]
    ) -> None:
        self.check(scenario, steps)

    def check(self, scenario: list[TimedResponse], steps: list[int]) -> None:
        player, letter = Player(), ReferencePlayer()
        assert shown_by(see(player, NOON)) == letter.view(NOON)
        for each, since, until in moments(scenario):
            assert isinstance(hear(player, each), Accepted) == letter.hear(each.body, each.arrives)
            for at in (since, *(since + step for step in steps), until):
                if at <= until:
                    assert shown_by(see(player, at)) == letter.view(at)


class TestNextChange:
    """`next_change_at` is exactly the next instant at which state, reason or snapshot differ."""

    SPAN = 24  # ms

    @st.composite
    @staticmethod
    def dense(draw: st.DrawFn) -> Window:
        """Draw windows of a few milliseconds, where events, gaps and ends fall together."""
        end = NOON + draw(st.integers(0, 24))
        moments = st.integers(NOON, end)
        times = sorted(draw(st.lists(moments, max_size=8)))
        edges = sorted(draw(st.lists(moments, max_size=8, unique=True)))
        pairs = pairwise(edges) if draw(st.booleans()) else zip(edges[::2], edges[1::2])  # noqa: B905 - an odd one out is left
        return window(
            window_end=end,
            events=tuple(event(seq, at) for seq, at in enumerate(times, start=1)),
            gaps=tuple(gap(*pair, draw(st.sampled_from(["sleep", "clock"]))) for pair in pairs),
        )

    def check(self, player: Player, first: int, last: int) -> None:
        views = [player.view(at) for at in range(first, last + 1)]
        changed = [
            first + number
            for number, (before, after) in enumerate(pairwise(views), start=1)
            if shows(before) != shows(after)
        ]
        for at, seen in enumerate(views, start=first):
            ahead = [change for change in changed if change > at]
            assert seen.next_change_at == (ahead[0] if ahead else None)

    @given(dense(), st.integers(0, SPAN), st.integers(0, 5))
    def test_millisecond_by_millisecond(self, data: Window, early: int, held: int) -> None:
        record = WindowRecord(data.window_end, data, window_deadline(data.window_end))
        now = NOON + DELAY - early
        player = Player()
        hear(player, TimedResponse(response(record, now), now))
        if held:
            hear(player, TimedResponse(OFFLINE, now))
            hear(player, TimedResponse(response(record, now + held), now + held))
        first = now + held - SHIFT
        self.check(player, first, first + 2 * self.SPAN + 8)


class TestAnyBytes:
    """Any bytes are a response or a refusal; nothing is raised, nothing else is offline."""

    @settings(max_examples=30)
    @given(invalid_windows())
    def test_a_window_that_no_service_accepts_is_refused(self, faulty: InvalidValue) -> None:
        if faulty.rule in {"number.finite", "text.surrogate"}:
            return  # they have no place in a response
        plain = json.loads(response(reference(), reference().received_at))
        for more in ({}, {"added_later": 1}):
            body = json_text.encode(plain | {"window": faulty.value} | more)
            outcome = Player().accept(body, 0)
            # Members that nobody knows are what later versions may add.
            assert isinstance(outcome, Refused) or faulty.rule == "unknown"

    @settings(max_examples=30)
    @given(windows(), st.integers(0, 10**6))
    def test_any_valid_window_is_accepted_wherever_its_members_are_from(
        self, data: Window, later: int
    ) -> None:
        received_at = data.generated_at
        record = WindowRecord(received_at, data, window_deadline(data.window_end))
        now = received_at + later % (record.expires_at - received_at)
        if not FIRST_INSTANT <= received_at <= record.expires_at <= LAST_INSTANT:
            return
        assert Player().accept(response(record, now), 0) == Accepted("window")


def reference() -> WindowRecord:
    data = window()
    return WindowRecord(data.window_end, data, window_deadline(data.window_end))
