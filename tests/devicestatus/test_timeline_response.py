"""Parse responses of `/api/timeline`: of this version, of later ones, and other bodies."""

from typing import Any

import pytest

from devicestatus.engine.record import Record
from devicestatus.engine.state import prepare_record
from devicestatus.http.views import timeline
from devicestatus.models import WindowChanges, WindowPolicy
from devicestatus.player.player import TimelineError, TimelineStatus, parse_timeline
from devicestatus.responses import (
    OfflineStatus,
    SnapshotTimelineStatus,
    WindowStatus,
    snapshot_members,
)
from devicestatus.validation.music_urls import ITUNES
from purewire.instants import format_instant
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.examples import (
    COVERED_SONG,
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

WINDOW = window(
    baseline=snapshot(running_apps=("Editor",), music=COVERED_SONG),
    events=(event(1, NOON + 5), event(2, NOON + 6, music=COVERED_SONG, running_apps=())),
    gaps=(gap(NOON, NOON + 7),),
)
NOW = RECEIVED_AT + 9

Plain = dict[str, Any]


def timeline_body(record: Record, now: int) -> Plain:
    """Return the plain body of `/api/timeline`."""
    return to_builtins(timeline(prepare_record(record), now=now, ttl_seconds=60))


def window_body() -> Plain:
    return timeline_body(window_record(WINDOW), NOW)


def snapshot_body() -> Plain:
    return timeline_body(
        snapshot_record(data=snapshot(running_apps=("A",), music=COVERED_SONG)), NOON + 9
    )


def parsed(plain: object) -> TimelineStatus | TimelineError:
    return parse_timeline(codec.encode(plain), ITUNES)


class TestWindows:
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


class TestTimes:
    """Invariant *consistent times*: times that contradict each other are no service's."""

    def at(self, plain: Plain, **times: int) -> bool:
        """Check whether a response with other times is one."""
        given = {name: format_instant(instant) for name, instant in times.items()}
        found = parsed(plain | given)
        assert found == "invalid" or isinstance(found, WindowStatus | SnapshotTimelineStatus)
        return found != "invalid"

    def test_it_is_accepted_when_it_is_received_or_later(self) -> None:
        plain = window_body()
        assert self.at(plain, server_time=RECEIVED_AT)
        assert not self.at(plain, server_time=RECEIVED_AT - 1)

    def test_it_is_accepted_before_its_deadline(self) -> None:
        plain = window_body()
        assert self.at(plain, server_time=WINDOW_END + 600_000 - 1)
        for late in (0, 1):
            assert not self.at(plain, server_time=WINDOW_END + 600_000 + late)

    @pytest.mark.parametrize("off", [-1, 1, -180_000])
    def test_its_deadline_is_600_seconds_after_the_window(self, off: int) -> None:
        assert not self.at(window_body(), expires_at=WINDOW_END + 600_000 + off)

    def test_a_snapshot_is_accepted_between_its_receive_time_and_its_deadline(self) -> None:
        plain = snapshot_body()
        assert self.at(plain, server_time=NOON)
        assert not self.at(plain, server_time=NOON - 1)
        assert self.at(plain, server_time=NOON + 60_000 - 1)
        for late in (0, 1):
            assert not self.at(plain, server_time=NOON + 60_000 + late)

    def test_a_snapshot_is_collected_within_120_seconds_of_its_receive_time(self) -> None:
        plain = snapshot_body()
        assert self.at(plain, collected_at=NOON - 120_000)
        assert not self.at(plain, collected_at=NOON - 120_001)
        assert not self.at(plain, collected_at=NOON + 120_001)


class TestSnapshots:
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

    def test_the_rules_of_music_hold(self) -> None:
        plain = snapshot_body()
        del plain["music"]["track_url"]
        assert parsed(plain) == "invalid"


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

    def test_an_error_is_never_offline(self) -> None:
        """503 is not to be treated as offline."""
        assert parsed({"error": "service_unavailable", "status": "offline"}) == "error"

    def test_offline_is_offline(self) -> None:
        assert parse_timeline(b'{"status":"offline"}', ITUNES) == OfflineStatus()
