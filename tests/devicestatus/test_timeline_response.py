"""Reading answers of `/api/timeline`: of this version, of later ones, and what is none."""

from typing import Any

import attrs
import pytest

from devicestatus.engine.record import Record
from devicestatus.engine.state import prepare_record
from devicestatus.http.views import timeline
from devicestatus.models.responses import OfflineStatus, SnapshotTimelineStatus, WindowStatus
from devicestatus.models.snapshot import snapshot_members
from devicestatus.models.window import WindowChanges, WindowPolicy
from devicestatus.player.timeline_response import TimelineError, TimelineStatus, parse_timeline
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


def told(record: Record, now: int) -> Plain:
    """Return the plain body of `/api/timeline`."""
    return to_builtins(timeline(prepare_record(record), now=now, ttl_seconds=60))


def window_told() -> Plain:
    return told(window_record(WINDOW), NOW)


def snapshot_told() -> Plain:
    return told(snapshot_record(data=snapshot(running_apps=("A",), music=COVERED_SONG)), NOON + 9)


def heard(plain: object) -> TimelineStatus | TimelineError:
    return parse_timeline(codec.encode(plain), ITUNES)


class TestWindows:
    def test_a_window_is_read_with_its_times(self) -> None:
        assert heard(window_told()) == WindowStatus(
            server_time=NOW,
            updated_at=RECEIVED_AT,
            expires_at=WINDOW_END + 600_000,
            policy=WindowPolicy(),
            window=WINDOW,
        )

    def test_however_the_text_is_written(self) -> None:
        """The fast path defers these: an escaped name, a number with a fraction, a mark."""
        body = codec.encode(window_told())
        spelt = body.replace(b'"batch_seq":1,', b'"batch_seq":1.0,').replace(b"mode", b"m\\u006fde")
        assert spelt != body
        for each in (spelt, b"\xef\xbb\xbf" + body, b"\xef\xbb\xbf" + spelt):
            assert parse_timeline(each, ITUNES) == heard(window_told())

    def test_updated_at_may_have_fewer_digits(self) -> None:
        plain = window_told() | {"updated_at": "2026-01-01T12:15:01Z"}
        assert heard(plain) == heard(window_told())

    @pytest.mark.parametrize(
        "name",
        ["mode", "server_time", "updated_at", "expires_at", "policy", "window"],
    )
    def test_every_member_is_required(self, name: str) -> None:
        plain = window_told()
        del plain[name]
        assert heard(plain) == "invalid"

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("mode", "stream"),
            ("mode", None),
            ("server_time", "2026-01-01T12:15:02Z"),
            ("expires_at", "2026-01-01T12:25:00Z"),
            ("updated_at", None),
            ("policy", {}),
            ("policy", []),
            ("window", None),
            ("window", []),
            ("window", {}),
        ],
    )
    def test_a_member_of_another_form_is_invalid(self, name: str, value: object) -> None:
        assert heard(window_told() | {name: value}) == "invalid"
        assert heard(window_told() | {name: value, "new": 1}) == "invalid"

    def test_another_policy_is_invalid(self) -> None:
        """The policy's values are constants of the contract."""
        plain = window_told()
        plain["policy"]["playback_delay_seconds"] = 300
        assert heard(plain) == "invalid"

    def test_the_windows_own_rules_hold(self) -> None:
        for broken in (
            attrs.evolve(WINDOW, window_start=NOON + 1),
            attrs.evolve(WINDOW, events=WINDOW.events[::-1]),
            attrs.evolve(WINDOW, gaps=(gap(NOON, WINDOW_END + 1),)),
        ):
            assert heard(window_told() | {"window": to_builtins(broken)}) == "invalid"
            assert heard(window_told() | {"window": to_builtins(broken), "new": 1}) == "invalid"

    def test_it_was_generated_within_120_seconds_of_its_receive_time(self) -> None:
        for late, expected in ((120_000, True), (120_001, False)):
            plain = told(window_record(WINDOW, WINDOW_END + late), WINDOW_END + late)
            assert isinstance(heard(plain), WindowStatus) == expected


class TestTimes:
    """Invariant *only the service's word*: times that contradict each other are no service's."""

    def at(self, plain: Plain, **times: int) -> bool:
        """Check whether an answer with other times is one."""
        given = {name: format_instant(instant) for name, instant in times.items()}
        found = heard(plain | given)
        assert found == "invalid" or isinstance(found, WindowStatus | SnapshotTimelineStatus)
        return found != "invalid"

    def test_it_is_answered_when_it_is_received_or_later(self) -> None:
        plain = window_told()
        assert self.at(plain, server_time=RECEIVED_AT)
        assert not self.at(plain, server_time=RECEIVED_AT - 1)

    def test_it_is_answered_before_its_deadline(self) -> None:
        plain = window_told()
        assert self.at(plain, server_time=WINDOW_END + 600_000 - 1)
        for late in (0, 1):
            assert not self.at(plain, server_time=WINDOW_END + 600_000 + late)

    @pytest.mark.parametrize("off", [-1, 1, -180_000])
    def test_its_deadline_is_600_seconds_after_the_window(self, off: int) -> None:
        assert not self.at(window_told(), expires_at=WINDOW_END + 600_000 + off)

    def test_a_snapshot_is_answered_between_its_receive_time_and_its_deadline(self) -> None:
        plain = snapshot_told()
        assert self.at(plain, server_time=NOON)
        assert not self.at(plain, server_time=NOON - 1)
        assert self.at(plain, server_time=NOON + 60_000 - 1)
        for late in (0, 1):
            assert not self.at(plain, server_time=NOON + 60_000 + late)

    def test_a_snapshot_is_collected_within_120_seconds_of_its_receive_time(self) -> None:
        plain = snapshot_told()
        assert self.at(plain, collected_at=NOON - 120_000)
        assert not self.at(plain, collected_at=NOON - 120_001)
        assert not self.at(plain, collected_at=NOON + 120_001)


class TestSnapshots:
    def test_a_snapshot_is_read_with_its_times(self) -> None:
        data = snapshot(running_apps=("A",), music=COVERED_SONG)
        assert heard(snapshot_told()) == SnapshotTimelineStatus(
            **snapshot_members(data),
            server_time=NOON + 9,
            updated_at=NOON,
            expires_at=NOON + 60_000,
        )

    @pytest.mark.parametrize("name", sorted(snapshot_told().keys() - {"running_apps", "status"}))
    def test_every_member_but_running_apps_is_required(self, name: str) -> None:
        plain = snapshot_told()
        del plain[name]
        assert heard(plain) == "invalid"

    def test_absent_running_apps_are_absent(self) -> None:
        found = heard(told(snapshot_record(), NOON))
        assert isinstance(found, SnapshotTimelineStatus)
        assert snapshot_members(found) == snapshot_members(snapshot())

    def test_the_rules_of_music_hold(self) -> None:
        plain = snapshot_told()
        del plain["music"]["track_url"]
        assert heard(plain) == "invalid"


def places(plain: object) -> list[Plain]:
    """Return every object in a plain value, outermost first."""
    if isinstance(plain, list):
        return [place for each in plain for place in places(each)]
    if not isinstance(plain, dict):
        return []
    return [plain, *(place for each in plain.values() for place in places(each))]


class TestLaterVersions:
    """Invariant *later versions read*: unknown members are passed over at every depth."""

    @pytest.mark.parametrize("value", [None, 1, "", [], {"error": [{}]}], ids=str)
    @pytest.mark.parametrize("make", [window_told, snapshot_told])
    def test_unknown_members_are_passed_over_at_every_depth(self, make: Any, value: object) -> None:
        for number in range(len(places(make()))):
            plain = make()
            places(plain)[number]["added_later"] = value
            assert heard(plain) == heard(make())

    @pytest.mark.parametrize("make", [window_told, snapshot_told])
    def test_in_all_places_at_once(self, make: Any) -> None:
        plain = make()
        for place in places(plain):
            place["added_later"] = {}
        assert heard(plain) == heard(make())

    @pytest.mark.parametrize("make", [window_told, snapshot_told])
    def test_whatever_they_are_called(self, make: Any) -> None:
        """An online answer is no error because a later version says more of errors."""
        assert heard(make() | {"error": None}) == heard(make())

    def test_a_window_may_have_members_of_a_snapshot_and_the_other_way_round(self) -> None:
        assert heard(snapshot_told() | window_told()) == heard(window_told())
        assert heard(window_told() | snapshot_told()) == heard(snapshot_told())

    def test_an_event_may_change_only_what_a_later_version_knows(self) -> None:
        plain = window_told()
        plain["window"]["events"][0]["changes"] = {"weather": "rain"}
        found = heard(plain)
        assert isinstance(found, WindowStatus)
        assert found.window.events[0].changes == WindowChanges()
        assert found.window.events[1:] == WINDOW.events[1:]

    @pytest.mark.parametrize("more", [{}, {"added_later": 1}])
    def test_an_event_that_changes_nothing_at_all_is_invalid(self, more: Plain) -> None:
        """All else is held to the contract."""
        plain = window_told() | more
        plain["window"]["events"][0]["changes"] = {}
        assert heard(plain) == "invalid"

    def test_faults_beside_unknown_members_stay_faults(self) -> None:
        plain = window_told() | {"added_later": 1}
        plain["window"]["batch_seq"] = 0
        assert heard(plain) == "invalid"

    def test_an_offline_answer_may_say_more(self) -> None:
        assert heard({"status": "offline", "since": "yesterday"}) == OfflineStatus()


class TestNoAnswers:
    @pytest.mark.parametrize("plain", [None, True, 0, "offline", [], ["offline"], [{}]], ids=str)
    def test_what_is_no_object_is_unreadable(self, plain: object) -> None:
        assert heard(plain) == "unreadable"

    @pytest.mark.parametrize("status", [None, 0, "", "Online", "offline ", ["online"], {}], ids=str)
    def test_another_status_is_unreadable(self, status: object) -> None:
        assert heard(window_told() | {"status": status}) == "unreadable"

    def test_without_a_status_it_is_unreadable(self) -> None:
        assert heard({}) == "unreadable"

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
        assert heard({"error": code}) == "error"

    def test_an_error_is_never_offline(self) -> None:
        """503 is not to be treated as offline."""
        assert heard({"error": "service_unavailable", "status": "offline"}) == "error"

    def test_offline_is_offline(self) -> None:
        assert parse_timeline(b'{"status":"offline"}', ITUNES) == OfflineStatus()
