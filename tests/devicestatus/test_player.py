"""Players: sessions that were left, kept states, and the responses that are accepted.

Playback itself, to the millisecond, is in the vectors and in the properties of a reference player.
The viewer's clock runs `SHIFT` behind the server's, unless a test states otherwise; instants are
server times.
"""

import json
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from devicestatus.bodies import timeline_json
from devicestatus.models import Window, WindowChanges, WindowPolicy
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.player import (
    Accepted,
    Player,
    PlayerState,
    Refused,
    TimelineError,
    TimelineStatus,
    View,
    parse_timeline,
)
from devicestatus.record import Record
from devicestatus.responses import SnapshotTimelineStatus, WindowStatus
from status_contracts import json_text
from status_contracts.instants import format_instant
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
START = WINDOW_END + SECOND
"""When most players here see their first response."""


Plain = dict[str, Any]


def response(record: Record, now: int) -> bytes:
    """Return the body of `/api/timeline` as the service makes it."""
    return timeline_json(record, now=now, ttl_seconds=3600)


def timeline_body(record: Record, now: int) -> Plain:
    body: Plain = json.loads(response(record, now))
    return body


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


class TestRefusals:
    """DS-PLAYER-03: an old response is refused and changes nothing."""

    DATA = later(window(), 5 * MINUTE, batch_seq=7)
    NOW = DATA.window_end + MINUTE

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


@pytest.mark.parametrize("early", [1, DELAY])
def test_an_instant_before_the_last_response_counts_as_that_responses(early: int) -> None:
    viewer = Viewer(window())
    assert viewer.see(START - early) == viewer.see(START)


class TestCatalog:
    def test_the_catalog_is_the_services(self) -> None:
        body = response(window_record(window(baseline=snapshot(music=COVERED_SONG))), START)
        assert Player().accept(body, 0) == Accepted("window")
        hosts = CatalogHosts("covers.example", frozenset({"songs.example"}))
        assert Player(catalog=hosts).accept(body, 0) == Refused("invalid")
        by_place: Any = Player
        with pytest.raises(TypeError):
            by_place(PlayerState(), hosts)


class TestRepr:
    def test_it_states_what_there_is_to_show_and_no_name(self) -> None:
        shown = repr(Viewer(window()).see(START))
        assert shown == f"<View playing, at={START - DELAY}, delay_seconds=420.0>"
        assert repr(Player().view(0)) == ("<View buffering: warm-up, at=None, delay_seconds=None>")


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
    return parse_timeline(json_text.encode(plain), ITUNES)


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
        body = json_text.encode(window_body())
        spelt = body.replace(b'"batch_seq":1,', b'"batch_seq":1.0,').replace(b"mode", b"m\\u006fde")
        assert spelt != body
        for each in (spelt, b"\xef\xbb\xbf" + body, b"\xef\xbb\xbf" + spelt):
            assert parse_timeline(each, ITUNES) == parsed(window_body())

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

    @pytest.mark.parametrize(
        ("make", "times", "expected"),
        [
            # sent when it is received or later, and before its deadline
            (window_body, {"server_time": RECEIVED_AT}, True),
            (window_body, {"server_time": RECEIVED_AT - 1}, False),
            (window_body, {"server_time": WINDOW_END + 600_000 - 1}, True),
            (window_body, {"server_time": WINDOW_END + 600_000}, False),
            *(
                (window_body, {"expires_at": WINDOW_END + 600_000 + off}, False)
                for off in (-1, 1, -180_000)
            ),
            (snapshot_body, {"server_time": NOON}, True),
            (snapshot_body, {"server_time": NOON - 1}, False),
            (snapshot_body, {"server_time": NOON + 60_000 - 1}, True),
            (snapshot_body, {"server_time": NOON + 60_000}, False),
            (snapshot_body, {"collected_at": NOON - 120_000}, True),
            (snapshot_body, {"collected_at": NOON - 120_001}, False),
            (snapshot_body, {"collected_at": NOON + 120_001}, False),
        ],
    )
    def test_a_response_with_other_times_is_one_where_they_agree(
        self, make: Callable[[], Plain], times: dict[str, int], expected: bool
    ) -> None:
        found = parsed(make() | {name: format_instant(at) for name, at in times.items()})
        assert (found == "invalid") is not expected
        assert isinstance(found, WindowStatus | SnapshotTimelineStatus) is expected


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


class TestNoResponses:
    @pytest.mark.parametrize("status", [None, 0, "", "Online", "offline ", ["online"], {}], ids=str)
    def test_another_status_is_unreadable(self, status: object) -> None:
        assert parsed(window_body() | {"status": status}) == "unreadable"

    @pytest.mark.parametrize("code", ["service_unavailable", "not_found", "tomorrow's", None, {}])
    def test_an_error_is_an_error_whatever_its_code(self, code: object) -> None:
        assert parsed({"error": code}) == "error"
