"""Playback in a consumer, to the millisecond, and the responses that it accepts.

The viewer's clock runs `SHIFT` behind the server's, unless a test states otherwise; instants are
server times.
"""

from typing import Any

import attrs
import pytest

from devicestatus.engine.record import Record
from devicestatus.http.views import timeline
from devicestatus.models import GapReason, Window, WindowChanges, WindowPolicy
from devicestatus.player.player import (
    Accepted,
    Loss,
    Player,
    PlayerState,
    Refused,
    TimelineError,
    TimelineStatus,
    View,
    parse_timeline,
)
from devicestatus.responses import (
    OfflineStatus,
    SnapshotTimelineStatus,
    WindowStatus,
    snapshot_members,
)
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from purewire.instants import format_instant
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.examples import (
    COVERED_SONG,
    DELAY,
    NOON,
    RECEIVED_AT,
    WINDOW_END,
    event,
    gap,
    snapshot,
    snapshot_record,
    window,
    window_record,
)

SECOND, MINUTE = 1000, 60_000
SHIFT = NOON - 12_345
OTHER = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
LEAST = "00000000-0000-4000-8000-000000000000"
OFFLINE = b'{"status":"offline"}'
START = WINDOW_END + SECOND
"""When most players here see their first response."""


Plain = dict[str, Any]


def timeline_body(record: Record, now: int) -> Plain:
    """Return the plain body of `/api/timeline` as the service makes it."""
    return to_builtins(timeline(record, now=now, ttl_seconds=3600))


def response(record: Record, now: int) -> bytes:
    return codec.encode(timeline_body(record, now))


class Viewer:
    """A player whose instants are server times."""

    def __init__(self, data: Window | None = None, now: int = START, **times: int) -> None:
        self.player = Player()
        if data is not None:
            assert self.hear(data, now, **times) == Accepted("window")

    def hear(
        self, data: Window, now: int, *, at: int | None = None, received_at: int | None = None
    ) -> Accepted | Refused:
        """Accept the response of server time `now` with a window; it arrives at once, or `at`."""
        received_at = data.generated_at if received_at is None else received_at
        return self.take(response(window_record(data, received_at), now), now if at is None else at)

    def take(self, body: bytes, at: int) -> Accepted | Refused:
        return self.player.accept(body, at - SHIFT)

    def see(self, at: int) -> View:
        return self.player.view(at - SHIFT)

    def changes_at(self, at: int) -> int | None:
        found = self.see(at).next_change_at
        return None if found is None else found + SHIFT


def later(data: Window, by: int, *, to: int | None = None, **members: Any) -> Window:
    """Return the next batch of the session, which begins and ends `by` later."""
    end = data.window_end + by if to is None else to
    start = data.window_start + by
    filled: dict[str, Any] = {
        "batch_seq": data.batch_seq + 1,
        "window_start": start,
        "window_end": end,
        "generated_at": end,
        "baseline": attrs.evolve(data.baseline, collected_at=start),
    }
    return attrs.evolve(data, **(filled | members))


class TestNothingYet:
    """Nothing accepted yet is buffering in warm-up, with nothing measured."""

    def test_nothing_is_measured(self) -> None:
        seen = Player().view(7)
        assert (seen.snapshot, seen.gap, seen.mode, seen.lost) == (None, None, None, None)
        assert seen.server_time is seen.at is seen.last_seen is seen.next_change_at is None
        assert seen.delay_seconds is seen.buffered_seconds is seen.warm_up_seconds is None

    @pytest.mark.parametrize("body", [b'{"error":"service_unavailable"}', b"", b"<html>"])
    def test_a_failure_first_is_never_offline(self, body: bytes) -> None:
        player = Player()
        assert isinstance(player.accept(body, 0), Refused)
        assert player.view(0) == Player().view(0)


class TestTime:
    """Time comes from a caller-supplied monotonic clock; server_time anchors it."""

    @pytest.mark.parametrize("first", [0, -(10**15), 10**18])
    def test_where_the_monotonic_clock_starts_does_not_matter(self, first: int) -> None:
        player = Player()
        player.accept(response(window_record(), START), first)
        seen = player.view(first + 5)
        assert (seen.server_time, seen.at) == (START + 5, START + 5 - DELAY)
        assert seen.next_change_at == first + WINDOW_END + DELAY - START

    @pytest.mark.parametrize("late", [1, 2 * MINUTE])
    def test_a_response_that_was_long_on_its_way_does_not_move_it_back(self, late: int) -> None:
        """DS-PLAYER-02: no response moves it back."""
        viewer = Viewer(window())
        before = viewer.see(START + late)
        assert viewer.hear(window(), START, at=START + late) == Accepted("window")
        after = viewer.see(START + late)
        assert after.server_time == START + late
        assert after == before

    def test_a_response_that_vouches_for_a_later_time_moves_it_on(self) -> None:
        viewer = Viewer(window(), at=START + 3 * SECOND)
        assert viewer.see(START + 3 * SECOND).server_time == START
        viewer.hear(window(), START + MINUTE)
        assert viewer.see(START + MINUTE).server_time == START + MINUTE


class TestEarlyInstants:
    """An instant before the last accepted response counts as that response's."""

    @pytest.mark.parametrize("early", [1, SECOND, DELAY, 10 * MINUTE])
    def test_for_a_view(self, early: int) -> None:
        viewer = Viewer(window())
        assert viewer.see(START - early) == viewer.see(START)

    def test_for_a_response_after_an_offline_one(self) -> None:
        viewer = Viewer(window())
        viewer.take(OFFLINE, START + MINUTE)
        viewer.hear(window(), START, at=START)
        assert viewer.see(START).at == START + MINUTE - DELAY
        assert viewer.see(START + MINUTE + 1).at == START + MINUTE + 1 - DELAY


class TestRefusals:
    """DS-PLAYER-03: an old response is refused and changes nothing."""

    DATA = later(window(), 5 * MINUTE, batch_seq=7)
    NOW = DATA.window_end + MINUTE

    @pytest.mark.parametrize(
        ("changed", "received_late", "reason"),
        [
            ({}, -1, "older"),
            ({"by": SECOND, "batch_seq": 6}, SECOND, "rewound"),
            ({"window_end": DATA.window_end - 1, "batch_seq": 8}, SECOND, "rewound"),
        ],
        ids=["a ms older", "a smaller batch_seq", "an earlier end"],
    )
    def test_one_that_goes_back_is_refused(
        self, changed: dict[str, int], received_late: int, reason: str
    ) -> None:
        """By receive time; in a session by number and end, though it was received later."""
        received_at = self.DATA.window_end + SECOND
        viewer = Viewer(self.DATA, self.NOW, received_at=received_at)
        state = viewer.player.state
        old = later(self.DATA, **({"by": 0, "batch_seq": 7} | changed))
        outcome = viewer.hear(old, self.NOW + 1, received_at=received_at + received_late)
        assert isinstance(outcome, Refused)
        assert outcome.reason == reason
        assert viewer.player.state is state

    @pytest.mark.parametrize(("seq", "more"), [(7, 0), (7, 1), (8, 0), (8, 1)])
    def test_the_same_number_and_the_same_end_are_not(self, seq: int, more: int) -> None:
        viewer = Viewer(self.DATA, self.NOW)
        assert viewer.hear(later(self.DATA, more, batch_seq=seq), self.NOW) == Accepted("window")

    def test_a_session_that_was_left_and_goes_on_is_played_again(self) -> None:
        viewer = Viewer(self.DATA, self.NOW)
        fresh = later(self.DATA, MINUTE, session_id=OTHER, batch_seq=1)
        now = self.NOW + MINUTE
        assert viewer.hear(fresh, now) == Accepted("window")
        for by, batch_seq in ((MINUTE, 8), (MINUTE - 1, 8), (MINUTE + 1, 7), (MINUTE + 1, 6)):
            late = later(self.DATA, by, batch_seq=batch_seq)
            assert viewer.hear(late, now, received_at=now) == Refused("older")
        fresh = later(self.DATA, MINUTE + 1, batch_seq=8)
        assert viewer.hear(fresh, now, received_at=now) == Accepted("window")

    def test_sixteen_sessions_that_were_left_are_remembered(self) -> None:
        viewer = Viewer(self.DATA, self.NOW)
        for number in range(17):
            fresh = later(self.DATA, 0, session_id=f"{number:08x}-0000-4000-8000-000000000000")
            assert viewer.hear(fresh, self.NOW) == Accepted("window")
        second = later(self.DATA, 0, session_id=LEAST)
        assert viewer.hear(second, self.NOW) == Refused("older")
        assert viewer.hear(self.DATA, self.NOW) == Accepted("window")

    def test_they_are_remembered_however_often_another_is_polled(self) -> None:
        viewer = Viewer(self.DATA, self.NOW)
        fresh = later(self.DATA, 0, session_id=OTHER)
        for _ in range(17):
            assert viewer.hear(fresh, self.NOW) == Accepted("window")
        assert viewer.hear(self.DATA, self.NOW) == Refused("older")

    def test_the_watermark_survives_an_offline_response(self) -> None:
        """What was accepted is remembered through offline responses and v1 snapshots."""
        viewer = Viewer(self.DATA, self.NOW, received_at=self.DATA.window_end + SECOND)
        viewer.take(OFFLINE, self.NOW)
        assert viewer.hear(self.DATA, self.NOW, received_at=self.DATA.window_end) == Refused(
            "older"
        )
        old = later(self.DATA, SECOND, batch_seq=6)
        assert viewer.hear(old, self.NOW, received_at=self.NOW) == Refused("rewound")
        assert viewer.see(self.NOW).state == "offline"

    def test_the_same_response_again_is_accepted_and_changes_no_view(self) -> None:
        """Polls come every 60 s, batches every 300 s."""
        once, often = Viewer(window()), Viewer(window())
        for poll in range(1, 5):
            assert often.hear(window(), START + poll * MINUTE) == Accepted("window")
            assert often.see(START + poll * MINUTE) == once.see(START + poll * MINUTE)
        assert often.see(START + 9 * MINUTE) == once.see(START + 9 * MINUTE)


class TestErrors:
    """DS-PLAYER-15: errors and silence let playback run dry."""

    BODIES = (
        b"",
        b"\xff",
        b'{"status":"offline"',
        b'{"error":"service_unavailable","status":"offline"}',
        b'{"status":"online","mode":"window"}',
        b"[" * 100_000 + b"]" * 100_000,
    )

    @pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
    def test_an_error_or_nonsense_changes_nothing(self, body: bytes) -> None:
        viewer = Viewer(window())
        state = viewer.player.state
        assert isinstance(viewer.take(body, START + MINUTE), Refused)
        assert viewer.player.state is state
        assert viewer.see(START + MINUTE).state == "playing"

    def test_silence_lets_playback_run_dry_and_never_offline(self) -> None:
        viewer = Viewer(window())
        for at in (WINDOW_END + DELAY, WINDOW_END + 600_000, NOON + 10**12):
            seen = viewer.see(at)
            assert (seen.state, seen.reason) == ("buffering", "exhausted")

    def test_the_catalog_is_the_services(self) -> None:
        body = response(window_record(window(baseline=snapshot(music=COVERED_SONG))), START)
        assert Player().accept(body, 0) == Accepted("window")
        hosts = CatalogHosts("covers.example", frozenset({"songs.example"}))
        assert Player(catalog=hosts).accept(body, 0) == Refused("invalid")
        by_place: Any = Player
        with pytest.raises(TypeError):
            by_place(PlayerState(), hosts)


class TestPlayhead:
    """DS-PLAYER-06: towards server time minus 420 s."""

    def test_a_later_server_time_does_not_make_it_jump(self) -> None:
        """At most in real time: the delay is longer from then on."""
        viewer = Viewer(window(), at=START + 3 * SECOND)
        viewer.hear(window(), START + MINUTE)
        seen = viewer.see(START + MINUTE)
        assert (seen.at, seen.delay_seconds) == (START + MINUTE - 3 * SECOND - DELAY, 423)

    def test_the_next_window_of_the_session_goes_on_without_a_jump(self) -> None:
        viewer = Viewer(window())
        now = WINDOW_END + 5 * MINUTE
        before = viewer.see(now)
        viewer.hear(later(window(), 5 * MINUTE), now)
        after = viewer.see(now)
        assert (after.at, after.delay_seconds, after.lost) == (before.at, 420, None)
        assert after.buffered_seconds == 420


class TestNewSession:
    """A new session starts a new playhead and discards old content at once."""

    @pytest.mark.parametrize("session", [OTHER, LEAST])
    def test_it_starts_420_seconds_behind_server_time_whatever_was_before(
        self, session: str
    ) -> None:
        viewer = Viewer(window())
        now = WINDOW_END + DELAY + 2 * MINUTE
        viewer.hear(later(window(), 5 * MINUTE), now)
        assert viewer.see(now).delay_seconds == 540
        fresh = later(window(), 5 * MINUTE, session_id=session, batch_seq=1)
        viewer.hear(fresh, now)
        assert (viewer.see(now).at, viewer.see(now).delay_seconds) == (now - DELAY, 420)

    def test_it_reports_no_loss(self) -> None:
        """Loss is reported as long as its session plays."""
        viewer = Viewer(window())
        viewer.hear(later(window(), 20 * MINUTE), WINDOW_END + 20 * MINUTE)
        assert viewer.see(WINDOW_END + 20 * MINUTE).lost is not None
        fresh = later(window(), 21 * MINUTE, session_id=OTHER)
        viewer.hear(fresh, WINDOW_END + 21 * MINUTE)
        assert viewer.see(WINDOW_END + 21 * MINUTE).lost is None


class TestLoss:
    """When the retained window begins after the playhead, playback resumes at window_start."""

    NOW = WINDOW_END + 20 * MINUTE

    def test_it_resumes_at_window_start_and_reports_the_loss(self) -> None:
        viewer, start = Viewer(window()), WINDOW_END + 7 * MINUTE
        viewer.hear(later(window(), start - NOON, to=self.NOW), self.NOW)
        seen = viewer.see(self.NOW)
        assert (seen.at, seen.state, seen.delay_seconds) == (start, "playing", 13 * 60)
        assert seen.lost == Loss(WINDOW_END, start, 7 * MINUTE)

    def test_loss_is_not_reported_while_offline_and_is_when_its_session_plays_again(self) -> None:
        viewer = Viewer(window())
        data = later(window(), 20 * MINUTE)
        viewer.hear(data, self.NOW)
        lost = viewer.see(self.NOW).lost
        viewer.take(OFFLINE, self.NOW)
        assert viewer.see(self.NOW).lost is None
        viewer.hear(data, self.NOW)
        assert viewer.see(self.NOW).lost == lost


class TestOutage:
    """Drain what is covered, then buffering, then resume where it stopped."""

    DRY = WINDOW_END + DELAY
    """When the window has run dry."""

    def test_the_delay_grows_while_it_is_buffering(self) -> None:
        viewer = Viewer(window())
        assert [viewer.see(self.DRY + n).delay_seconds for n in (-1, 0, 1, MINUTE)] == [
            420,
            420,
            420.001,
            480,
        ]

    def test_then_it_resumes_where_it_stopped(self) -> None:
        """No recoverable event is skipped: the delay may then exceed 420 s."""
        viewer = Viewer(window())
        back = self.DRY + 3 * MINUTE
        data = later(window(), 9 * MINUTE, events=(event(1, WINDOW_END + 1),))
        assert viewer.hear(data, back) == Accepted("window")
        apps = [
            (shown.active_app, viewer.see(back + n).at)
            for n in (0, 1)
            if (shown := viewer.see(back + n).snapshot) is not None
        ]
        assert apps == [("Editor", WINDOW_END), ("App 1", WINDOW_END + 1)]
        assert viewer.see(back).delay_seconds == 600
        assert viewer.see(back).lost is None


class TestOffline:
    """An accepted offline response shows offline at once and holds the playhead."""

    def test_it_is_offline_at_once_though_the_window_could_be_played(self) -> None:
        viewer = Viewer(window())
        assert viewer.take(OFFLINE, START + 5) == Accepted("offline")
        seen = viewer.see(START + 5)
        assert (seen.state, seen.reason, seen.snapshot, seen.gap) == ("offline", None, None, None)
        assert (seen.mode, seen.at, seen.next_change_at, seen.lost) == (None, None, None, None)
        assert seen.delay_seconds is seen.buffered_seconds is seen.warm_up_seconds is None

    def test_the_same_session_resumes_where_it_stopped(self) -> None:
        viewer = Viewer(window())
        viewer.take(OFFLINE, START + SECOND)
        viewer.take(OFFLINE, START + 31 * SECOND)
        viewer.hear(window(), START + MINUTE)
        seen = viewer.see(START + MINUTE)
        assert (seen.state, seen.at) == ("playing", START + SECOND - DELAY)
        assert seen.delay_seconds == 420 + 59


def snapshot_response(now: int, **members: Any) -> bytes:
    """Return the timeline of a snapshot that was received a second before `now`."""
    received_at = now - SECOND
    data = snapshot(collected_at=received_at, **members)
    record = snapshot_record(received_at=received_at, data=data, expires_at=received_at + MINUTE)
    return response(record, now)


class TestSnapshots:
    """A v1 snapshot stays as it is until the next response."""

    def test_it_is_shown_as_it_is(self) -> None:
        viewer = Viewer()
        assert viewer.take(snapshot_response(START), START) == Accepted("snapshot")
        seen = viewer.see(START)
        assert (seen.state, seen.mode, seen.reason) == ("playing", "snapshot", None)
        assert seen.snapshot == snapshot(collected_at=START - SECOND)

    @pytest.mark.parametrize("after", [-1, 0, 1, 24 * 60 * MINUTE])
    def test_only_a_response_ends_it_and_the_view_tells_what_is_left_of_its_lifetime(
        self, after: int
    ) -> None:
        viewer = Viewer()
        viewer.take(snapshot_response(START), START)
        seen = viewer.see(START - SECOND + MINUTE + after)
        assert (seen.state, seen.reason, seen.mode) == ("playing", None, "snapshot")
        assert seen.snapshot == snapshot(collected_at=START - SECOND)
        assert seen.buffered_seconds == max(0, -after) / 1000

    @pytest.mark.parametrize("silent", [False, True])
    def test_after_it_the_same_session_resumes_where_it_stopped(self, silent: bool) -> None:
        """Only a new session starts a new playhead."""
        viewer = Viewer(window())
        viewer.take(snapshot_response(START + 2 * SECOND), START + 2 * SECOND)
        if silent:
            viewer.take(OFFLINE, START + 3 * SECOND)
        now = WINDOW_END + 5 * MINUTE
        viewer.hear(later(window(), 5 * MINUTE), now)
        seen = viewer.see(now)
        assert (seen.at, seen.lost) == (START + 2 * SECOND - DELAY, None)


class TestStates:
    """States: playing, gap, buffering (warm-up or exhausted), offline."""

    @pytest.mark.parametrize("reason", ["sleep", "restart", "collection", "overflow", "clock"])
    def test_a_gap_is_a_gap_with_its_reason(self, reason: GapReason) -> None:
        hole = gap(START - DELAY, START - DELAY + 10, reason)
        viewer = Viewer(window(gaps=(hole,)))
        seen = viewer.see(START)
        assert (seen.state, seen.reason, seen.gap) == ("gap", reason, hole)
        assert (seen.snapshot, seen.delay_seconds) == (None, 420)
        assert viewer.see(START + 9).state == "gap"
        after = viewer.see(START + 10)
        assert (after.state, after.reason, after.gap) == ("playing", None, None)

    def test_before_the_window_it_is_warm_up(self) -> None:
        viewer = Viewer(window(window_end=NOON + MINUTE), now=NOON + MINUTE)
        last, first = viewer.see(NOON + DELAY - 1), viewer.see(NOON + DELAY)
        assert (last.state, last.reason) == ("buffering", "warm-up")
        assert (first.state, first.reason, first.at) == ("playing", None, NOON)


class TestMeasures:
    """Each view reports delay, buffered and warm-up seconds, exact to the millisecond."""

    SHORT = window(window_end=NOON + MINUTE)
    EARLY = window(window_start=SECOND, window_end=MINUTE)

    @pytest.mark.parametrize(
        ("data", "now", "at", "expected"),
        [
            (window(), START, START + 1, (420, 418.999, None)),
            (window(), START, WINDOW_END + DELAY + SECOND, (421, 0, None)),
            (SHORT, NOON + MINUTE, NOON + MINUTE + 1, (None, 60, 359.999)),
            (EARLY, MINUTE, MINUTE, (None, 59, 361)),
            (EARLY, MINUTE, DELAY + 11 * SECOND, (420, 49, None)),
        ],
        ids=["playing", "exhausted", "in warm-up", "near the epoch, in warm-up", "near the epoch"],
    )
    def test_it_is_measured(
        self, data: Window, now: int, at: int, expected: tuple[float | None, ...]
    ) -> None:
        seen = Viewer(data, now=now).see(at)
        assert (seen.delay_seconds, seen.buffered_seconds, seen.warm_up_seconds) == expected
        assert (seen.at is None) == (seen.delay_seconds is None)
        assert seen.last_seen == data.window_end


class TestRepr:
    def test_it_states_what_there_is_to_show_and_no_name(self) -> None:
        shown = repr(Viewer(window()).see(START))
        assert shown == f"<View playing, at={START - DELAY}, delay_seconds=420.0>"
        assert repr(Player().view(0)) == ("<View buffering: warm-up, at=None, delay_seconds=None>")


class TestNextChange:
    """The monotonic instant at which state, reason or snapshot change without a response."""

    def changes(self, viewer: Viewer, at: int) -> list[int]:
        found: list[int] = []
        while (following := viewer.changes_at(at)) is not None:
            found.append(following)
            at = following
        return found

    def test_it_is_the_next_event_gap_or_end(self) -> None:
        at = START - DELAY
        data = window(
            events=(event(1, at), event(2, at + 5), event(3, at + 5), event(4, at + 12)),
            gaps=(gap(at + 10, at + 20),),
        )
        assert self.changes(Viewer(data), START) == [
            START + 5,
            START + 10,
            START + 20,
            WINDOW_END + DELAY,
        ]

    def test_gaps_of_one_reason_that_touch_are_one_change(self) -> None:
        """Neither state nor reason nor snapshot changes between them."""
        at = START - DELAY
        holes = (gap(at + 1, at + 2), gap(at + 2, at + 3), gap(at + 3, at + 4, "clock"))
        viewer = Viewer(window(gaps=holes))
        assert self.changes(viewer, START)[:3] == [START + 1, START + 3, START + 4]
        assert [viewer.see(START + n).gap for n in (1, 2, 3)] == list(holes)


class TestState:
    """Invariant *a view is a pure function*: of the state and the instant."""

    def test_a_kept_state_goes_on_from_there(self) -> None:
        viewer = Viewer(window())
        other = Player(viewer.player.state)
        assert other.view(START - SHIFT + 9) == viewer.see(START + 9)
        body = response(window_record(later(window(), 0)), START + MINUTE)
        assert other.accept(body, START + MINUTE - SHIFT) == viewer.take(body, START + MINUTE)
        assert other.state == viewer.player.state
        assert hash(other.state) == hash(viewer.player.state)

    def test_players_are_distinguished(self) -> None:
        assert Player() != Player()
        assert Player().state == Player().state


WINDOW = window(
    baseline=snapshot(running_apps=("Editor",), music=COVERED_SONG),
    events=(event(1, NOON + 5), event(2, NOON + 6, music=COVERED_SONG, running_apps=())),
    gaps=(gap(NOON, NOON + 7),),
)
NOW = RECEIVED_AT + 9


def window_body() -> Plain:
    return timeline_body(window_record(WINDOW), NOW)


def snapshot_body() -> Plain:
    return timeline_body(
        snapshot_record(data=snapshot(running_apps=("A",), music=COVERED_SONG)), NOON + 9
    )


def parsed(plain: object) -> TimelineStatus | TimelineError:
    return parse_timeline(codec.encode(plain), ITUNES)


class TestWindowResponses:
    def test_a_window_is_read_with_its_times(self) -> None:
        assert parsed(window_body()) == WindowStatus(
            server_time=NOW,
            updated_at=RECEIVED_AT,
            expires_at=WINDOW_END + 600_000,
            policy=WindowPolicy(),
            window=WINDOW,
        )

    def test_however_the_text_is_written(self) -> None:
        """The fast path defers these: an escaped name, a number with a fraction, a mark."""
        body = codec.encode(window_body())
        spelt = body.replace(b'"batch_seq":1,', b'"batch_seq":1.0,').replace(b"mode", b"m\\u006fde")
        assert spelt != body
        for each in (spelt, b"\xef\xbb\xbf" + body, b"\xef\xbb\xbf" + spelt):
            assert parse_timeline(each, ITUNES) == parsed(window_body())

    def test_updated_at_may_have_fewer_digits(self) -> None:
        plain = window_body() | {"updated_at": "2026-01-01T12:15:01Z"}
        assert parsed(plain) == parsed(window_body())

    def test_another_policy_is_invalid(self) -> None:
        """The policy's values are constants of the contract."""
        plain = window_body()
        plain["policy"]["playback_delay_seconds"] = 300
        assert parsed(plain) == "invalid"

    def test_it_was_generated_within_120_seconds_of_its_receive_time(self) -> None:
        for late, expected in ((120_000, True), (120_001, False)):
            plain = timeline_body(window_record(WINDOW, WINDOW_END + late), WINDOW_END + late)
            assert isinstance(parsed(plain), WindowStatus) == expected


class TestResponseTimes:
    """Invariant *consistent times*: times that contradict each other are no service's."""

    def at(self, plain: Plain, **times: int) -> bool:
        """Check whether a response with other times is one."""
        given = {name: format_instant(instant) for name, instant in times.items()}
        found = parsed(plain | given)
        assert found == "invalid" or isinstance(found, WindowStatus | SnapshotTimelineStatus)
        return found != "invalid"

    @pytest.mark.parametrize(
        ("times", "expected"),
        [
            ({"server_time": RECEIVED_AT}, True),
            ({"server_time": RECEIVED_AT - 1}, False),
            ({"server_time": WINDOW_END + 600_000 - 1}, True),
            ({"server_time": WINDOW_END + 600_000}, False),
            *(({"expires_at": WINDOW_END + 600_000 + off}, False) for off in (-1, 1, -180_000)),
        ],
    )
    def test_of_a_window(self, times: dict[str, int], expected: bool) -> None:
        """Sent when it is received or later, and before its deadline, 600 s after its end."""
        assert self.at(window_body(), **times) == expected

    @pytest.mark.parametrize(
        ("times", "expected"),
        [
            ({"server_time": NOON}, True),
            ({"server_time": NOON - 1}, False),
            ({"server_time": NOON + 60_000 - 1}, True),
            ({"server_time": NOON + 60_000}, False),
            ({"collected_at": NOON - 120_000}, True),
            ({"collected_at": NOON - 120_001}, False),
            ({"collected_at": NOON + 120_001}, False),
        ],
    )
    def test_of_a_snapshot(self, times: dict[str, int], expected: bool) -> None:
        """As a window's, and collected within 120 s of its receive time."""
        assert self.at(snapshot_body(), **times) == expected


class TestSnapshotResponses:
    def test_a_snapshot_is_read_with_its_times(self) -> None:
        data = snapshot(running_apps=("A",), music=COVERED_SONG)
        assert parsed(snapshot_body()) == SnapshotTimelineStatus(
            **snapshot_members(data),
            server_time=NOON + 9,
            updated_at=NOON,
            expires_at=NOON + 60_000,
        )

    def test_absent_running_apps_are_absent(self) -> None:
        found = parsed(timeline_body(snapshot_record(), NOON))
        assert isinstance(found, SnapshotTimelineStatus)
        assert snapshot_members(found) == snapshot_members(snapshot())


def places(plain: object) -> list[Plain]:
    """Return every object in a plain value, outermost first."""
    if isinstance(plain, list):
        return [place for each in plain for place in places(each)]
    if not isinstance(plain, dict):
        return []
    return [plain, *(place for each in plain.values() for place in places(each))]


class TestLaterVersions:
    """Invariant *later versions can be read*: unknown members are passed over at every depth."""

    @pytest.mark.parametrize("value", [None, 1, "", [], {"error": [{}]}], ids=str)
    @pytest.mark.parametrize("make", [window_body, snapshot_body])
    def test_unknown_members_are_passed_over_at_every_depth(self, make: Any, value: object) -> None:
        for number in range(len(places(make()))):
            plain = make()
            places(plain)[number]["added_later"] = value
            assert parsed(plain) == parsed(make())

    @pytest.mark.parametrize("make", [window_body, snapshot_body])
    def test_whatever_they_are_called(self, make: Any) -> None:
        """An online response with a member `error` is still online."""
        assert parsed(make() | {"error": None}) == parsed(make())

    def test_a_window_may_have_members_of_a_snapshot_and_the_other_way_round(self) -> None:
        assert parsed(snapshot_body() | window_body()) == parsed(window_body())
        assert parsed(window_body() | snapshot_body()) == parsed(snapshot_body())

    def test_an_event_may_change_only_what_a_later_version_knows(self) -> None:
        plain = window_body()
        plain["window"]["events"][0]["changes"] = {"weather": "rain"}
        found = parsed(plain)
        assert isinstance(found, WindowStatus)
        assert found.window.events[0].changes == WindowChanges()
        assert found.window.events[1:] == WINDOW.events[1:]

    @pytest.mark.parametrize("more", [{}, {"added_later": 1}])
    def test_an_event_that_changes_nothing_at_all_is_invalid(self, more: Plain) -> None:
        """All else is held to the contract."""
        plain = window_body() | more
        plain["window"]["events"][0]["changes"] = {}
        assert parsed(plain) == "invalid"

    def test_faults_beside_unknown_members_stay_faults(self) -> None:
        plain = window_body() | {"added_later": 1}
        plain["window"]["batch_seq"] = 0
        assert parsed(plain) == "invalid"

    def test_an_offline_response_may_state_more(self) -> None:
        assert parsed({"status": "offline", "since": "yesterday"}) == OfflineStatus()


class TestNoResponses:
    @pytest.mark.parametrize("plain", [None, True, 0, "offline", [], ["offline"], [{}]], ids=str)
    def test_what_is_no_object_is_unreadable(self, plain: object) -> None:
        assert parsed(plain) == "unreadable"

    @pytest.mark.parametrize("status", [None, 0, "", "Online", "offline ", ["online"], {}], ids=str)
    def test_another_status_is_unreadable(self, status: object) -> None:
        assert parsed(window_body() | {"status": status}) == "unreadable"

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"\xff",
            b'{"status":"offline"}x',
            b'{"status":"offline","x":"\\ud800"}',
            b"<!doctype html><title>502</title>",
            b"[" * 100_000,
            b'{"status":"offline","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        ],
        ids=range(8),
    )
    def test_what_is_no_json_text_is_unreadable(self, body: bytes) -> None:
        assert parse_timeline(body, ITUNES) == "unreadable"

    @pytest.mark.parametrize("code", ["service_unavailable", "not_found", "tomorrow's", None, {}])
    def test_an_error_is_an_error_whatever_its_code(self, code: object) -> None:
        assert parsed({"error": code}) == "error"

    def test_offline_is_offline(self) -> None:
        assert parse_timeline(b'{"status":"offline"}', ITUNES) == OfflineStatus()
