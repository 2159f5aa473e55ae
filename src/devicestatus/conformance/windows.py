"""Checks of windows: projection, gaps, coverage and deadlines, tested by windows around now."""

import json
from collections.abc import Generator
from typing import Any, Final

from devicestatus import limits
from devicestatus.conformance.bodies import (
    ARTWORK,
    TRACK,
    Plain,
    encode,
    event,
    gap,
    snapshot,
    window,
)
from devicestatus.conformance.deployment import (
    OFFLINE,
    SUITE,
    Deployment,
    expect_model,
    get,
    is_of,
    read_back,
    settled,
    svg_texts,
    write,
)
from devicestatus.models.responses import (
    ActiveAppStatus,
    DeviceStatus,
    MusicStatus,
    OnlineStatus,
    RunningAppsStatus,
    SnapshotTimelineStatus,
    UpdateResult,
    WindowStatus,
)
from devicestatus.models.window import WindowPolicy
from purewire.conformance.checks import Effect, Reply, Steps, Unchecked, Wait, expect, expect_equal
from purewire.instants import format_instant, parse_millisecond
from purewire.structuring.to_builtins import to_builtins

_Written = Generator[Effect, Any, tuple[Reply, UpdateResult]]

_CATEGORIES: Final = ("/api/music", "/api/apps/active", "/api/apps/running", "/api/device")
_PROJECTIONS: Final = ("/api/now", "/now", *_CATEGORIES)


def _at(now: int, seconds: float) -> int:
    return now + round(seconds * 1000)


def _events(now: int) -> list[Plain]:
    """Return events before, in the middle of and after the projected time, now minus 420 s."""
    music = {
        "state": "playing",
        "track": "So What",
        "artist": "Miles Davis",
        "artwork_url": ARTWORK,
        "track_url": TRACK,
    }
    return [
        event(1, _at(now, -840), active_app="First"),
        event(3, _at(now, -700), active_app="Loser", running_apps=["A"]),
        event(4, _at(now, -700), active_app="Winner"),
        event(5, _at(now, -650), music=music),
        event(7, _at(now, -600), music=_SONG, battery=_battery(20)),
        event(9, _at(now, -200), active_app="Future", music={**music, "state": "paused"}),
    ]


_APPLIED: Final = 4
"""Index of the last event before the projected time."""
_SONG: Final = {"state": "playing", "track": "Freddie Freeloader", "artist": "Miles Davis"}


def _battery(percent: float) -> Plain:
    return {"percent": percent, "charging": True, "power_source": "ac"}


def _written(deployment: Deployment, body: Plain) -> _Written:
    """Write a window, and return the timeline that shows it and the result of the write."""
    result = yield from write("/api/batch", encode(body))
    reply = yield from read_back(deployment, "/api/timeline", result)
    return reply, result


def _now_shows(
    deployment: Deployment, body: Plain, *, path: str = "/api/now"
) -> Generator[Effect, Any, Reply]:
    """Write a window and return the projection; wait until the store shows this window."""
    yield from _written(deployment, body)
    end = body["window_end"]

    def is_new(shown: Plain) -> bool:
        playback = shown.get("playback")
        return isinstance(playback, dict) and playback.get("window_end") == end

    return (yield from settled(deployment, path, is_new, f"playback of the window until {end}"))


def _is_offline(deployment: Deployment, body: Plain) -> Steps:
    """Write a window that shows nothing now; every projection must be exactly offline."""
    _, result = yield from _written(deployment, body)
    yield from _are_offline(deployment, result)


def _are_offline(deployment: Deployment, result: UpdateResult) -> Steps:
    """Read until every projection is offline; one that shows the last write never will be."""
    for path in _PROJECTIONS:
        reply = yield from settled(
            deployment,
            path,
            lambda shown: shown.get("status") != "online" or is_of(shown, result),
            "the last write or offline",
        )
        _expect_offline(reply, path)


def _expect_offline(reply: Reply, path: str) -> None:
    """Raise CheckFailed unless a response is exactly offline."""
    expect_equal(f"status of GET {path}", reply.status, 200)
    expect(reply.object() == OFFLINE, f'GET {path} to be {{"status": "offline"}}', reply.body)


def _clear_of(deployment: Deployment, milliseconds: int) -> None:
    """Raise Unchecked if the clock is not known to within the distance that a check needs."""
    if deployment.uncertainty_ms > milliseconds:
        raise Unchecked(
            f"the deployment's clock is known to {deployment.uncertainty_ms} ms only",
            inconclusive=True,
        )


@SUITE.check(
    "projection.state",
    "DS-PROJECTION-01",
    "DS-PROJECTION-05",
    "DS-PROJECTION-06",
    "DS-PROJECTION-08",
    "DS-EVENT-03",
    "DS-EVENT-07",
    "DS-NOW-02",
    writes=True,
)
def _projected_state(deployment: Deployment) -> Steps:
    """`/api/now` is the baseline and all events up to server time minus 420 s."""
    _clear_of(deployment, 60_000)
    now = yield from deployment.now()
    body = window(_at(now, -880), _at(now, -10), events=_events(now))
    reply = yield from _now_shows(deployment, body)
    expect_model(reply, OnlineStatus)
    shown = reply.object()
    expected = {
        **body["baseline"],
        "collected_at": body["events"][_APPLIED]["at"],
        "active_app": "Winner",
        "running_apps": ["A"],
        "battery": body["events"][_APPLIED]["changes"]["battery"],
        "music": _SONG,
    }
    actual = {name: shown.get(name) for name in expected}
    expect(actual == expected, f"the members {expected!r}", repr(actual))


@SUITE.check("projection.playback", "DS-PROJECTION-09", "DS-POLICY-03", writes=True)
def _projected_playback(deployment: Deployment) -> Steps:
    """`playback` names the projected time, 420 s behind server time, and the end of the window."""
    now = yield from deployment.now()
    body = window(_at(now, -880), _at(now, -10))
    reply = yield from _now_shows(deployment, body)
    expect_model(reply, OnlineStatus)
    playback = reply.object()["playback"]
    at = parse_millisecond(playback["at"])
    constants = {
        "mode": "delayed",
        "delay_seconds": limits.PLAYBACK_DELAY_SECONDS,
        "window_end": body["window_end"],
    }
    expect(
        playback == {**constants, "at": format_instant(at)},
        f"playback with {constants!r} and at",
        playback,
    )
    slack = deployment.uncertainty_ms + 1_000
    earliest = reply.sent_at + deployment.offset_ms - limits.PLAYBACK_DELAY_MS - slack
    latest = reply.received_at + deployment.offset_ms - limits.PLAYBACK_DELAY_MS + slack
    expect(
        earliest <= at <= latest,
        f"at between {format_instant(earliest)} and {format_instant(latest)}",
        playback["at"],
    )


@SUITE.check("projection.deadline", "DS-DEADLINE-06", "DS-NOW-02", "DS-NOW-03", writes=True)
def _projected_deadline(deployment: Deployment) -> Steps:
    """`expires_at` of a projection is window_end plus 420 s, `updated_at` the receive time."""
    now = yield from deployment.now()
    body = window(_at(now, -880), _at(now, -10))
    _, result = yield from _written(deployment, body)
    reply = yield from _now_shows(deployment, body)
    expect_model(reply, OnlineStatus)
    deadline = parse_millisecond(body["window_end"]) + limits.PLAYBACK_DELAY_MS
    shown = reply.object()
    expect_equal("expires_at", shown["expires_at"], format_instant(deadline))
    received = parse_millisecond(shown["updated_at"])
    expect(received >= result.updated_at, f"{result.updated_at} or later", received)


@SUITE.check(
    "projection.warm-up",
    "DS-PROJECTION-02",
    "DS-PROJECTION-04",
    "DS-SERVICE-10",
    "DS-SLICE-03",
    "DS-HEALTH-02",
    writes=True,
)
def _warm_up(deployment: Deployment) -> Steps:
    """Before the window starts to play, projections are exactly offline; the service is healthy."""
    _clear_of(deployment, 60_000)
    now = yield from deployment.now()
    yield from _is_offline(deployment, window(_at(now, -300), _at(now, -10)))
    health = yield from get("/api/health")
    expect_equal("status of GET /api/health", health.status, 200)


@SUITE.check("projection.start", "DS-PROJECTION-02", writes=True)
def _start_of_play(deployment: Deployment) -> Steps:
    """A window plays from 420 s after its start on, that time included, and not before."""
    now = yield from deployment.now()
    start = now - limits.PLAYBACK_DELAY_MS + 2_000
    body = window(start, _at(now, -10))
    yield from _written(deployment, body)
    early = yield from get("/api/now")
    yield from _wait_until(deployment, start + limits.PLAYBACK_DELAY_MS + deployment.uncertainty_ms)
    reply = yield from get("/api/now")
    for each in (early, reply):
        if each.object().get("playback"):
            expect_model(each, OnlineStatus)
            at = each.object()["playback"]["at"]
            expect(at >= body["window_start"], f"a time from {body['window_start']} on", at)
    expect_equal("status", reply.object().get("status"), "online")


@SUITE.check("projection.instant", "DS-PROJECTION-05", "DS-PROJECTION-08", writes=True)
def _instant(deployment: Deployment) -> Steps:
    """An event is applied at its own time: one event each millisecond shows which was the last."""
    _clear_of(deployment, 800)
    for _ in range(_COMB_ATTEMPTS):
        now = yield from deployment.now()
        middle = now - limits.PLAYBACK_DELAY_MS
        events = [
            event(number + 1, middle - 1_000 + number, active_app=f"App {number + 1}")
            for number in range(_COMB_EVENTS)
        ]
        body = window(_at(now, -880), _at(now, -10), events=events)
        reply = yield from _now_shows(deployment, body)
        expect_model(reply, OnlineStatus)
        shown = reply.object()
        number = parse_millisecond(shown["playback"]["at"]) - middle + 1_001
        if 1 <= number <= _COMB_EVENTS:
            expect_equal("collected_at", shown["collected_at"], shown["playback"]["at"])
            expect_equal("active_app", shown["active_app"], f"App {number}")
            return
    raise Unchecked("the response came too late for its events", inconclusive=True)


_COMB_ATTEMPTS: Final = 4
"""Attempts for a response that must come in time, which a machine with other work may miss."""
_COMB_EVENTS: Final = 2_048


@SUITE.check("projection.gap-ends", "DS-GAP-01", writes=True)
def _gap_ends(deployment: Deployment) -> Steps:
    """The start of a gap belongs to it, its end does not: every second millisecond is a gap."""
    _clear_of(deployment, 100)
    seen = 0
    online: list[int] = []
    for attempt in range(2 * _COMB_ATTEMPTS):
        if attempt >= 2 and (online or seen >= _COMB_READS):
            break
        now = yield from deployment.now()
        first = now - limits.PLAYBACK_DELAY_MS - 40 + attempt % 2
        gaps = [gap(first + 2 * each, first + 2 * each + 1) for each in range(limits.WINDOW_GAPS)]
        result = yield from write(
            "/api/batch", encode(window(_at(now, -880), _at(now, -10), gaps=gaps))
        )
        if not is_of((yield from get("/api/timeline")).object(), result):
            raise Unchecked("the store does not show a write at once", inconclusive=True)
        last = first + 2 * limits.WINDOW_GAPS
        for _ in range(_COMB_READS):
            reply = yield from get("/api/now")
            end = reply.received_at + deployment.offset_ms + deployment.uncertainty_ms
            shown = reply.object()
            if end - limits.PLAYBACK_DELAY_MS >= last:
                break
            if is_of(shown, result):
                expect_model(reply, OnlineStatus)
                at = parse_millisecond(shown["playback"]["at"])
                online.append(at)
                expect((at - first) % 2 == 1, "offline at the start of a gap", reply.body)
            seen += shown == OFFLINE or is_of(shown, result)
    if not online and seen < _COMB_READS:
        raise Unchecked("the responses came too late for the gaps", inconclusive=True)
    expect(online, "online at the end of a gap", f"offline in {seen} reads")


_COMB_READS: Final = 16
"""Reads that all meet gaps by chance once in 65,536 runs."""


@SUITE.check("projection.touching-gaps", "DS-GAP-04", "DS-GAP-01", writes=True)
def _touching_gaps(deployment: Deployment) -> Steps:
    """The projection stays offline where a gap ends and the next one starts."""
    now = yield from deployment.now()
    middle = now - limits.PLAYBACK_DELAY_MS + 2_000
    gaps = [gap(middle - 60_000, middle), gap(middle, middle + 60_000, "clock")]
    body = window(middle - 90_000, _at(now, -10), gaps=gaps)
    _, result = yield from _written(deployment, body)
    yield from _are_offline(deployment, result)
    for offset in (-1, 0, 1):
        yield from _wait_until(deployment, middle + limits.PLAYBACK_DELAY_MS + offset)
        _expect_offline((yield from get("/api/now")), "/api/now")


@SUITE.check("badge.projection", "DS-BADGE-01", "DS-SERVICE-10", writes=True)
def _badge_of_projection(deployment: Deployment) -> Steps:
    """The badge shows the projection, not what is still to come."""
    _clear_of(deployment, 60_000)
    now = yield from deployment.now()
    yield from _now_shows(deployment, window(_at(now, -880), _at(now, -10), events=_events(now)))
    yield from _badge_shows("♫ Freddie Freeloader — Miles Davis")


def _doubles_in(text: bytes) -> list[str]:
    """Return the numbers of a JSON text that are written with a fraction or an exponent."""
    written: list[str] = []
    json.loads(text, parse_float=written.append)
    return [each for each in written if float(each).is_integer()]


@SUITE.check("timeline.integers", "DS-JSON-13", writes=True)
def _integers_as_such(deployment: Deployment) -> Steps:
    """Numbers with an integral value are written without a fraction."""
    now = yield from deployment.now()
    events = [event(1, _at(now, -800), battery=_battery(20.0), system=_LOADS)]
    body = window(_at(now, -880), _at(now, -10), events=events)
    timeline, _ = yield from _written(deployment, body)
    shown = yield from _now_shows(deployment, body)
    device = yield from get("/api/device")
    for reply in (timeline, shown, device):
        doubles = _doubles_in(reply.body)
        expect(not doubles, "integers without a fraction", ", ".join(doubles))


_LOADS: Final = {"load_1m": 2.0, "load_5m": 1e3, "load_15m": 0.5}


@SUITE.check("timeline.server-time", "DS-TIMELINE-01", "DS-TIMELINE-03", writes=True)
def _server_time_runs(deployment: Deployment) -> Steps:
    """`server_time` is the time of the response: it runs with the clock, and no write sets it."""
    now = yield from deployment.now()
    first, _ = yield from _written(deployment, window(_at(now, -300), _at(now, -10)))
    yield from _runs(first)
    result = yield from write("/api/update", encode(snapshot(now)))
    yield from _runs((yield from read_back(deployment, "/api/timeline", result)))


def _timeline_model(reply: Reply) -> type[WindowStatus | SnapshotTimelineStatus]:
    return WindowStatus if reply.object().get("mode") == "window" else SnapshotTimelineStatus


def _runs(first: Reply) -> Steps:
    yield Wait(1_500)
    second = yield from get("/api/timeline")
    for each in (first, second):
        expect_model(each, _timeline_model(each))
    passed = second.received_at - first.sent_at
    shown = [parse_millisecond(each.object()["server_time"]) for each in (first, second)]
    expect(
        1_400 <= shown[1] - shown[0] <= passed + 100,
        f"a server_time at least 1.4 s and at most {passed + 100} ms later",
        f"{shown[1] - shown[0]} ms",
    )


@SUITE.check("projection.zero-length", "DS-PROJECTION-03", writes=True)
def _zero_length(deployment: Deployment) -> Steps:
    """A window of zero length shows nothing."""
    now = yield from deployment.now()
    end = _at(now, -60)
    body = window(end, end, generated_at=format_instant(_at(now, -50)))
    yield from _is_offline(deployment, body)


@SUITE.check("projection.gap", "DS-PROJECTION-04", "DS-GAP-01", writes=True)
def _in_a_gap(deployment: Deployment) -> Steps:
    """In a gap every projection is offline, whatever its reason."""
    _clear_of(deployment, 30_000)
    for reason in ("sleep", "restart", "collection", "overflow", "clock"):
        now = yield from deployment.now()
        gaps = [gap(_at(now, -480), _at(now, -340), reason)]
        yield from _is_offline(deployment, window(_at(now, -880), _at(now, -10), gaps=gaps))


@SUITE.check("projection.after-gap", "DS-PROJECTION-07", writes=True)
def _after_a_gap(deployment: Deployment) -> Steps:
    """After a gap the events inside it have been applied."""
    _clear_of(deployment, 30_000)
    now = yield from deployment.now()
    gaps = [gap(_at(now, -600), _at(now, -480))]
    events = [event(1, _at(now, -540), active_app="In the gap")]
    body = window(_at(now, -880), _at(now, -10), events=events, gaps=gaps)
    reply = yield from _now_shows(deployment, body)
    expect_equal("active_app", reply.object().get("active_app"), "In the gap")


@SUITE.check(
    "projection.categories",
    "DS-SLICE-01",
    "DS-SLICE-04",
    "DS-SLICE-05",
    "DS-SLICE-06",
    "DS-SLICE-07",
    "DS-PROJECTION-10",
    writes=True,
)
def _projected_categories(deployment: Deployment) -> Steps:
    """The category endpoints show the same projection."""
    _clear_of(deployment, 60_000)
    now = yield from deployment.now()
    body = window(_at(now, -880), _at(now, -10), events=_events(now))
    models = (MusicStatus, ActiveAppStatus, RunningAppsStatus, DeviceStatus)
    for path, model in zip(_CATEGORIES, models, strict=True):
        reply = yield from _now_shows(deployment, body, path=path)
        expect_model(reply, model)
        shown = reply.object()
        expect_equal("collected_at", shown["collected_at"], body["events"][_APPLIED]["at"])
        expected = _data_of(path, body["baseline"], body["events"])
        data = {name: value for name, value in shown.items() if name in expected}
        expect(_without_icons(data) == expected, f"the data {expected!r}", reply.body)


def _data_of(path: str, baseline: Plain, events: list[Plain]) -> Plain:
    changes = events[_APPLIED]["changes"]
    data: dict[str, Plain] = {
        "/api/music": {"music": {**_SONG, "artwork_url": None, "track_url": None}},
        "/api/apps/active": {"active_app": "Winner"},
        "/api/apps/running": {"running_apps": ["A"]},
        "/api/device": {"device": {"battery": changes["battery"], "system": baseline["system"]}},
    }
    return data[path]


def _without_icons(data: Plain) -> Plain:
    plain = dict(data)
    if isinstance(plain.get("active_app"), dict):
        plain["active_app"] = plain["active_app"].get("name")
    if isinstance(plain.get("running_apps"), list):
        plain["running_apps"] = [app["name"] for app in plain["running_apps"]]
    return plain


@SUITE.check(
    "timeline.window",
    "DS-TIMELINE-01",
    "DS-TIMELINE-02",
    "DS-TIMELINE-05",
    "DS-POLICY-07",
    "DS-DEADLINE-05",
    writes=True,
)
def _timeline_of_a_window(deployment: Deployment) -> Steps:
    """`/api/timeline` returns the stored window, also while nothing of it plays."""
    now = yield from deployment.now()
    body = window(_at(now, -300), _at(now, -10), gaps=[gap(_at(now, -200), _at(now, -100))])
    reply, result = yield from _written(deployment, body)
    expect_model(reply, WindowStatus)
    shown = reply.object()
    expect(shown["window"] == body, "the window as it was sent", shown["window"])
    policy = to_builtins(WindowPolicy())
    expect(shown["policy"] == policy, f"the policy {policy!r}", shown["policy"])
    deadline = parse_millisecond(body["window_end"]) + limits.WINDOW_LIFETIME_MS
    expect_equal("expires_at", shown["expires_at"], format_instant(deadline))
    expect_equal("updated_at", shown["updated_at"], format_instant(result.updated_at))
    _expect_server_time(deployment, reply)


def _expect_server_time(deployment: Deployment, reply: Reply) -> None:
    slack = deployment.uncertainty_ms + 1_000
    earliest = reply.sent_at + deployment.offset_ms - slack
    latest = reply.received_at + deployment.offset_ms + slack
    server_time = reply.object()["server_time"]
    expect(
        earliest <= parse_millisecond(server_time) <= latest,
        f"server_time between {format_instant(earliest)} and {format_instant(latest)}",
        server_time,
    )


@SUITE.check("timeline.snapshot", "DS-TIMELINE-03", writes=True)
def _timeline_of_a_snapshot(deployment: Deployment) -> Steps:
    """`/api/timeline` of a snapshot has all its members, the mode and the server time."""
    now = yield from deployment.now()
    body = snapshot(now)
    result = yield from write("/api/update", encode(body))
    updated_at = format_instant(result.updated_at)
    reply = yield from read_back(deployment, "/api/timeline", result)
    expect_model(reply, SnapshotTimelineStatus)
    shown = reply.object()
    expected = {
        **body,
        "status": "online",
        "mode": "snapshot",
        "updated_at": updated_at,
        "expires_at": format_instant(result.expires_at),
        "server_time": shown["server_time"],
    }
    expect(shown == expected, repr(expected), reply.body)
    _expect_server_time(deployment, reply)


@SUITE.check("batch.response", "DS-BATCH-04", "DS-DEADLINE-05", writes=True)
def _batch_response(deployment: Deployment) -> Steps:
    """The response to a window has the receive time, and window_end plus 600 s."""
    now = yield from deployment.now()
    body = window(_at(now, -300), _at(now, -10))
    result = yield from write("/api/batch", encode(body))
    deadline = parse_millisecond(body["window_end"]) + limits.WINDOW_LIFETIME_MS
    expect_equal("expires_at", format_instant(result.expires_at), format_instant(deadline))


@SUITE.check("batch.repeated", "DS-DEADLINE-07", writes=True)
def _repeated_batch(deployment: Deployment) -> Steps:
    """A repeated or late window does not live longer."""
    now = yield from deployment.now()
    body = encode(window(_at(now, -300), _at(now, -100)))
    first = yield from write("/api/batch", body)
    yield Wait(1_500)
    second = yield from write("/api/batch", body)
    expect_equal("expires_at", format_instant(second.expires_at), format_instant(first.expires_at))


@SUITE.check("batch.last-write", "DS-BATCH-02", "DS-SERVICE-03", writes=True)
def _last_write(deployment: Deployment) -> Steps:
    """The last write is stored, also a smaller batch number or an earlier window."""
    now = yield from deployment.now()
    yield from _written(deployment, window(_at(now, -300), _at(now, -10), batch_seq=5))
    older = window(_at(now, -400), _at(now, -60), batch_seq=4)
    reply, _ = yield from _written(deployment, older)
    expect_model(reply, WindowStatus)
    expect_equal("batch_seq", reply.object()["window"]["batch_seq"], 4)


@SUITE.check("update.after-window", "DS-SERVICE-03", "DS-PROJECTION-10", writes=True)
def _snapshot_after_window(deployment: Deployment) -> Steps:
    """A snapshot replaces a window; it is shown at once and without `playback`."""
    now = yield from deployment.now()
    yield from _written(deployment, window(_at(now, -880), _at(now, -10)))
    result = yield from write("/api/update", encode(snapshot(now)))
    for path in ("/api/now", *_CATEGORIES):
        reply = yield from read_back(deployment, path, result)
        expect("playback" not in reply.object(), "no playback", reply.body)


@SUITE.check("music.pair", "DS-NOW-05", "DS-SLICE-04", writes=True)
def _music_pair(deployment: Deployment) -> Steps:
    """`/api/now` has the URL pair only if it was reported, `/api/music` always."""
    now = yield from deployment.now()
    music = {"state": "playing", "track": "So What", "artist": None}
    result = yield from write("/api/update", encode(snapshot(now, music=music)))
    reply = yield from read_back(deployment, "/api/now", result)
    expect(reply.object().get("music") == music, repr(music), reply.body)
    reply = yield from read_back(deployment, "/api/music", result)
    both = {**music, "artwork_url": None, "track_url": None}
    expect(reply.object().get("music") == both, repr(both), reply.body)


@SUITE.check(
    "apps.without-icons", "DS-SLICE-09", "DS-SLICE-06", "DS-ICON-13", "DS-NOW-06", writes=True
)
def _apps_without_icons(deployment: Deployment) -> Steps:
    """An unknown app and `System` keep their names and have null icons."""
    now = yield from deployment.now()
    names = ["An App That No Manifest Lists 7f3a", "System"]
    result = yield from write(
        "/api/update", encode(snapshot(now, active_app="System", running_apps=names))
    )
    reply = yield from read_back(deployment, "/api/apps/running", result)
    expected = [{"name": name, "icon_url": None, "icon_api_url": None} for name in names]
    expect(reply.object().get("running_apps") == expected, repr(expected), reply.body)
    reply = yield from read_back(deployment, "/api/apps/active", result)
    expect(reply.object().get("active_app") == expected[1], repr(expected[1]), reply.body)


@SUITE.check("apps.not-reported", "DS-SLICE-05", "DS-SLICE-06", writes=True)
def _apps_not_reported(deployment: Deployment) -> Steps:
    """An app that is null and a list that is absent are null; an empty list is empty."""
    now = yield from deployment.now()
    body = snapshot(now, active_app=None)
    del body["running_apps"]
    for given, expected in ((body, None), (snapshot(now, running_apps=[]), [])):
        result = yield from write("/api/update", encode(given))
        reply = yield from read_back(deployment, "/api/apps/running", result)
        expect(reply.object().get("running_apps", 0) == expected, repr(expected), reply.body)
        reply = yield from read_back(deployment, "/api/apps/active", result)
        expect_equal(
            "active_app", reply.object().get("active_app", 0) is None, given["active_app"] is None
        )


@SUITE.check("apps.with-icons", "DS-SLICE-08", "DS-ICON-12", "DS-ICON-13", writes=True)
def _apps_with_icons(deployment: Deployment) -> Steps:
    """An app of the manifest has its icons, by name or alias, in any case and with any blanks."""
    manifest = yield from get("/api/icons")
    if manifest.status != 200 or not manifest.object().get("icons"):
        raise Unchecked("the manifest lists no icon")
    icon = manifest.object()["icons"][0]
    names = [icon["app"], f"  {icon['app'].upper()} ", *icon["aliases"]][: limits.RUNNING_APPS]
    now = yield from deployment.now()
    unique = list(dict.fromkeys(names))
    result = yield from write("/api/update", encode(snapshot(now, running_apps=unique)))
    reply = yield from read_back(deployment, "/api/apps/running", result)
    paths = {
        "icon_url": f"/app-icons/{icon['id']}.png",
        "icon_api_url": f"/api/icons/{icon['id']}.png",
    }
    expected = [{"name": name, **paths} for name in unique]
    expect(reply.object().get("running_apps") == expected, repr(expected), reply.body)


@SUITE.check("badge.offline", "DS-BADGE-01", writes=True)
def _badge_offline(deployment: Deployment) -> Steps:
    """The badge shows `offline` when `/api/now` is offline."""
    now = yield from deployment.now()
    yield from _is_offline(deployment, window(_at(now, -60), _at(now, -10)))
    yield from _badge_shows("offline")


@SUITE.check("badge.text", "DS-BADGE-02", "DS-BADGE-03", "DS-BADGE-04", "DS-BADGE-05", writes=True)
def _badge_text(deployment: Deployment) -> Steps:
    """The badge shows the song, else the app, else `online`, cut to 61 characters and escaped."""
    song = {"state": "playing", "track": "A & B <1>", "artist": "C"}
    long_name = "x" * 65
    for members, text in (
        ({"music": song}, "♫ A & B <1> — C"),
        ({"music": {**song, "artist": None}}, "♫ A & B <1>"),
        ({"music": {**song, "state": "paused"}, "active_app": "Editor"}, "Editor"),
        ({"active_app": None}, "online"),
        ({"active_app": long_name}, f"{'x' * 61}…"),
        ({"active_app": long_name[:64]}, long_name[:64]),
        ({"active_app": "\U0001f3a7" * 64}, "\U0001f3a7" * 64),
        ({"active_app": "a\ufffeb\uffffc"}, "a\ufffdb\ufffdc"),
    ):
        now = yield from deployment.now()
        result = yield from write("/api/update", encode(snapshot(now, **members)))
        yield from read_back(deployment, "/api/now", result)
        yield from _badge_shows(text)


def _badge_shows(text: str) -> Steps:
    for path in ("/api/badge.svg", "/badge.svg"):
        reply = yield from get(path)
        shown = svg_texts(reply)
        expect(text in shown, f"an SVG with a text element {text!r}", shown)


@SUITE.check(
    "expiry.snapshot",
    "DS-DEADLINE-01",
    "DS-DEADLINE-08",
    "DS-NOW-04",
    "DS-BADGE-01",
    "DS-RECORD-13",
    "DS-SERVICE-10",
    writes=True,
    slow=True,
)
def _snapshot_expires(deployment: Deployment) -> Steps:
    """A snapshot is online until its deadline, and then offline on every path."""
    now = yield from deployment.now()
    result = yield from write("/api/update", encode(snapshot(now)))
    yield from read_back(deployment, "/api/now", result)
    yield from _wait_until_before(deployment, result.expires_at)
    reply = yield from get("/api/now")
    expect_equal("status", reply.object().get("status"), "online")
    yield from _expect_offline_from(deployment, result.expires_at, (*_PROJECTIONS, "/api/timeline"))
    yield from _badge_shows("offline")


@SUITE.check(
    "expiry.projection",
    "DS-DEADLINE-06",
    "DS-DEADLINE-08",
    "DS-PROJECTION-02",
    "DS-PROJECTION-04",
    "DS-TIMELINE-05",
    writes=True,
    slow=True,
)
def _projection_expires(deployment: Deployment) -> Steps:
    """A window stops playing 420 s after its end; the timeline still has it."""
    now = yield from deployment.now()
    body = window(_at(now, -880), _at(now, -115))
    yield from _now_shows(deployment, body)
    deadline = parse_millisecond(body["window_end"]) + limits.PLAYBACK_DELAY_MS
    yield from _wait_until_before(deployment, deadline)
    reply = yield from get("/api/now")
    expect_equal("status", reply.object().get("status"), "online")
    yield from _expect_offline_from(deployment, deadline, _PROJECTIONS)
    reply = yield from get("/api/timeline")
    expect_equal("status", reply.object().get("status"), "online")


@SUITE.check(
    "expiry.window",
    "DS-DEADLINE-05",
    "DS-DEADLINE-08",
    "DS-TIMELINE-04",
    "DS-RECORD-13",
    writes=True,
    slow=True,
)
def _window_expires(deployment: Deployment) -> Steps:
    """A window is valid until 600 s after its end."""
    now = yield from deployment.now()
    body = window(_at(now, -200), _at(now, -115))
    _, result = yield from _written(deployment, body)
    yield from _wait_until_before(deployment, result.expires_at)
    reply = yield from get("/api/timeline")
    expect_equal("status", reply.object().get("status"), "online")
    yield from _expect_offline_from(deployment, result.expires_at, ("/api/timeline",))


def _wait_until(deployment: Deployment, instant: int) -> Steps:
    now = yield from deployment.now()
    yield Wait(max(0, instant - now))


def _wait_until_before(deployment: Deployment, instant: int) -> Steps:
    """Wait until a response is certainly of a time before an instant; 1 ms before, if possible."""
    margin = deployment.uncertainty_ms + 1_500 if deployment.uncertainty_ms else 1
    yield from _wait_until(deployment, instant - margin)


def _expect_offline_from(deployment: Deployment, instant: int, paths: tuple[str, ...]) -> Steps:
    yield from _wait_until(deployment, instant + deployment.uncertainty_ms)
    for path in paths:
        _expect_offline((yield from get(path)), path)
