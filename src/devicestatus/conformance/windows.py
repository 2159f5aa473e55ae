"""Checks of what reads show after a write: projection, gaps, categories, badge and deadlines.

What a path must show is derived by the engine from the body that was written.
"""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from devicestatus import limits
from devicestatus.conformance.bodies import (
    ARTWORK,
    CHANGED,
    TRACK,
    Plain,
    event,
    gap,
    nothing,
    snapshot,
    window,
)
from devicestatus.conformance.deployment import (
    A_WHILE_MS,
    CATEGORIES,
    OFFLINE,
    PROJECTIONS,
    SUITE,
    TIMELINE,
    Deployment,
    Written,
    badge_shows,
    expect_model,
    expect_shown,
    is_of,
    post,
    read_back,
    shows,
    update,
    write,
)
from devicestatus.engine.deadlines import window_deadline
from devicestatus.responses import UpdateResult
from purewire.conformance.checks import (
    Reply,
    Steps,
    Unchecked,
    Wait,
    dependent_on,
    expect,
    expect_equal,
)
from purewire.conformance.reads import get, svg_root
from purewire.instants import SECOND_MS, format_instant, parse_millisecond
from purewire.json.codec import encode

_APPS: Final = ("/api/apps/active", "/api/apps/running")
_SONG: Final = {"state": "playing", "track": "Freddie Freeloader", "artist": "Miles Davis"}
_MINUTE_MS: Final = 60_000


def _span(now: int, start: float, end: float, **members: Any) -> Plain:  # noqa: ANN401 - any JSON values
    """Return a window between two times in seconds from now."""
    return window(_at(now, start), _at(now, end), **members)


def _at(now: int, seconds: float) -> int:
    return now + round(seconds * SECOND_MS)


def _gap(now: int, start: float, end: float, reason: str = "sleep") -> Plain:
    return gap(_at(now, start), _at(now, end), reason)


def _events(now: int) -> list[Plain]:
    """Return events before, in the middle of and after the projected time, now minus 420 s."""
    music = {"state": "playing", "track": "So What", "artist": "Miles Davis", **_PAIR}
    battery = {"percent": 20, "charging": True, "power_source": "ac"}
    return [
        event(1, _at(now, -840), active_app="First"),
        event(3, _at(now, -700), active_app="Loser", running_apps=["A"]),
        event(4, _at(now, -700), active_app="Winner"),
        event(5, _at(now, -650), music=music),
        event(7, _at(now, -600), music=_SONG, battery=battery),
        event(9, _at(now, -200), active_app="Future", music={**music, "state": "paused"}),
    ]


def _changes(body: Plain) -> Plain:
    return {name: body[name] for name in CHANGED if name in body}


def _write(body: Plain) -> Any:  # noqa: ANN401 - the steps of a write
    return write("/api/batch" if body["schema_version"] == 2 else "/api/update", body)


def _add(
    identifier: str,
    title: str,
    rules: str,
    paths: Iterable[str],
    *bodies: Callable[[int], Plain],
    clock_ms: int = _MINUTE_MS,
) -> None:
    """Add a check that each body is shown on some paths, as the engine derives it.

    The bodies are written one after the other, by the deployment's time, which must be known to
    within `clock_ms`.
    """

    def steps(deployment: Deployment) -> Steps:
        deployment.require_clock(clock_ms)
        for body in bodies:
            now = yield from deployment.now()  # a store that caches may have taken minutes
            written = yield from _write(body(now))
            for path in paths:
                yield from shows(deployment, written, path)

    SUITE.add(identifier, title, rules.split(), steps, writes=True)


def _playing(now: int, **members: Any) -> Plain:  # noqa: ANN401 - any JSON values
    """Return a window that has begun to play, and is in the middle of it."""
    return _span(now, -880, -10, **members)


_PAIR: Final = {"artwork_url": ARTWORK, "track_url": TRACK}
_FULL: Final = {
    "active_app": "Full",
    "running_apps": ["A", "B"],
    "battery": {"percent": 81, "charging": True, "power_source": "ac"},
    "system": {"load_1m": 1.5, "load_5m": 2.5, "load_15m": 3.5},
    "music": {"state": "playing", "track": "T", "artist": "A", **_PAIR},
}
"""Members that have every value."""
_EMPTY: Final = {**_changes(nothing(0)), "running_apps": []}
"""The same members without any."""


def _changing(now: int, before: Plain, *changes: Plain) -> Plain:
    """Return a window with some members in its baseline, and an event for each change."""
    events = [event(seq, _at(now, -700), **change) for seq, change in enumerate(changes, 1)]
    return _playing(now, baseline=snapshot(_at(now, -880), **before), events=events)


def _at_edges(now: int, *gaps: tuple[float, float, str], ends: bool = True) -> Plain:
    """Return a window with two events at its start, two at its end, and gaps in seconds."""
    start, end = _at(now, -880), _at(now, -10)
    names = [("Start", start), ("Start, second", start)]
    names += [("End", end), ("End, second", end)] if ends else []
    events = [event(seq, at, active_app=name) for seq, (name, at) in enumerate(names, 1)]
    return window(start, end, events=events, gaps=[_gap(now, *part) for part in gaps])


_add(
    "projection.state",
    "`/api/now` is the baseline and all events up to server time minus 420 s",
    "DS-PROJECTION-01 DS-PROJECTION-05 DS-PROJECTION-06 DS-PROJECTION-08"
    " DS-EVENT-03 DS-EVENT-07 DS-NOW-02",
    ("/api/now",),
    lambda now: _playing(now, events=_events(now)),
)
_add(
    "projection.replaced",
    "A member that changes is replaced as a whole, by nulls too, whether alone or with others",
    "DS-EVENT-07 DS-PROJECTION-05 DS-PROJECTION-06 DS-EVENT-03",
    ("/api/now", *CATEGORIES),
    lambda now: _changing(now, _FULL, _EMPTY),
    lambda now: _changing(now, _EMPTY, _FULL),
    lambda now: _changing(now, _FULL, *({name: value} for name, value in _EMPTY.items())),
)
_add(
    "projection.edges",
    "Events at both ends of the window and gaps that share its ends change only what follows",
    "DS-PROJECTION-05 DS-PROJECTION-08 DS-EVENT-04 DS-GAP-03 DS-PROJECTION-06",
    ("/api/now", TIMELINE),
    _at_edges,
    lambda now: _at_edges(
        now,
        *((-880, -879.999, "sleep"), (-879.999, -879.998, "clock"), (-10.001, -10, "sleep")),
    ),
    lambda now: _at_edges(now, (-880, -10, "sleep"), ends=False),
    lambda now: _playing(now, events=[event(9, _at(now, -880), music=_EMPTY["music"])]),
)
_add(
    "projection.playback",
    "`playback` names the projected time, 420 s behind server time, and the end of the window",
    "DS-PROJECTION-09 DS-POLICY-03 DS-WINDOW-14",
    ("/api/now",),
    _playing,
)
_add(
    "projection.deadline",
    "`expires_at` of a projection is window_end plus 420 s, `updated_at` the receive time",
    "DS-DEADLINE-06 DS-NOW-02 DS-NOW-03",
    ("/api/now",),
    lambda now: _span(now, -880, -30),
)
_add(
    "projection.warm-up",
    "Before the window starts to play, projections are exactly offline",
    "DS-PROJECTION-02 DS-PROJECTION-04 DS-SERVICE-10 DS-SLICE-03",
    PROJECTIONS,
    lambda now: _span(now, -300, -10),
)
_add(
    "projection.zero-length",
    "A window of zero length shows nothing",
    "DS-PROJECTION-03",
    PROJECTIONS,
    lambda now: _span(now, -60, -60, generated_at=format_instant(_at(now, -50))),
)
_add(
    "projection.gap",
    "In a gap every projection is offline, whatever its reason",
    "DS-PROJECTION-04 DS-GAP-01",
    PROJECTIONS,
    lambda now: _playing(now, gaps=[_gap(now, -480, -340, "sleep")]),
    lambda now: _playing(now, gaps=[_gap(now, -480, -340, "restart")]),
    lambda now: _playing(now, gaps=[_gap(now, -480, -340, "collection")]),
    lambda now: _playing(now, gaps=[_gap(now, -480, -340, "overflow")]),
    lambda now: _playing(now, gaps=[_gap(now, -480, -340, "clock")]),
    clock_ms=30_000,
)
_add(
    "projection.after-gap",
    "After a gap the events inside it have been applied",
    "DS-PROJECTION-07",
    ("/api/now",),
    lambda now: _playing(
        now,
        events=[event(1, _at(now, -540), active_app="In the gap")],
        gaps=[_gap(now, -600, -480)],
    ),
    clock_ms=30_000,
)
_add(
    "projection.categories",
    "The category endpoints show the same projection",
    "DS-SLICE-01 DS-SLICE-04 DS-SLICE-05 DS-SLICE-06 DS-SLICE-07 DS-PROJECTION-10",
    CATEGORIES,
    lambda now: _playing(now, events=_events(now)),
)
_add(
    "timeline.window",
    "`/api/timeline` returns the stored window, also while nothing of it plays",
    "DS-TIMELINE-01 DS-TIMELINE-02 DS-TIMELINE-05 DS-POLICY-07 DS-DEADLINE-05",
    (TIMELINE,),
    lambda now: _span(now, -300, -10, gaps=[_gap(now, -200, -100)]),
)
_add(
    "timeline.snapshot",
    "`/api/timeline` of a snapshot has all its members, the mode and the server time",
    "DS-TIMELINE-03",
    (TIMELINE,),
    snapshot,
)
_add(
    "batch.last-write",
    "The last write is stored, also a smaller batch number or an earlier window",
    "DS-BATCH-02 DS-SERVICE-03",
    (TIMELINE,),
    lambda now: _span(now, -300, -10, batch_seq=5),
    lambda now: _span(now, -400, -60, batch_seq=4),
)
_add(
    "update.replaces-members",
    "Nothing of an earlier record is left, whatever the later one leaves out or sets to null",
    "DS-SERVICE-03 DS-UPDATE-01 DS-APP-06 DS-NOW-05",
    ("/api/now", TIMELINE, *CATEGORIES),
    lambda now: snapshot(now, **_FULL),
    nothing,
    lambda now: _changing(now, _FULL),
    lambda now: _span(now, -60, -10),
    nothing,
)
_add(
    "update.after-window",
    "A snapshot replaces a window; it is shown at once and without `playback`",
    "DS-SERVICE-03 DS-PROJECTION-10",
    (TIMELINE, "/api/now", *CATEGORIES),
    _playing,
    snapshot,
)
_add(
    "categories.times",
    "Every category of a snapshot has the times of the write and of the collection",
    "DS-SLICE-02 DS-SLICE-11 DS-NOW-03",
    CATEGORIES,
    lambda now: snapshot(now - 30_000),
)
_add(
    "music.pair",
    "`/api/now` has the URL pair only if it was reported, `/api/music` always",
    "DS-NOW-05 DS-SLICE-04",
    ("/api/now", "/api/music"),
    lambda now: snapshot(now, music={"state": "playing", "track": "So What", "artist": None}),
)
_add(
    "apps.without-icons",
    "An unknown app and `System` keep their names and have null icons",
    "DS-SLICE-09 DS-SLICE-06 DS-ICON-13 DS-NOW-06",
    _APPS,
    lambda now: snapshot(
        now, active_app="System", running_apps=["An App That No Manifest Lists 7f3a", "System"]
    ),
)
_add(
    "apps.not-reported",
    "An app that is null and a list that is absent are null; an empty list is empty",
    "DS-SLICE-05 DS-SLICE-06",
    _APPS,
    nothing,
    lambda now: snapshot(now, running_apps=[]),
)


@SUITE.check("apps.with-icons", "DS-SLICE-08", "DS-ICON-12", "DS-ICON-13", writes=True)
def _apps_with_icons(deployment: Deployment) -> Steps:
    """An app of the manifest has its icons, by name or alias, in any case and with any blanks."""
    manifest = yield from get("/api/icons")
    if manifest.status != 200 or not manifest.object().get("icons"):
        raise Unchecked("the manifest lists no icon")
    icon = manifest.object()["icons"][0]
    names = dict.fromkeys([icon["app"], f"  {icon['app'].upper()} ", *icon["aliases"]])
    written = yield from update(deployment, running_apps=[*names][: limits.RUNNING_APPS])
    reply = yield from shows(deployment, written, "/api/apps/running")
    paths = {
        "icon_url": f"/app-icons/{icon['id']}.png",
        "icon_api_url": f"/api/icons/{icon['id']}.png",
    }
    for app in reply.object()["running_apps"]:
        expect(app == {"name": app["name"], **paths}, f"an app with {paths}", app)


# Times


@SUITE.check("projection.start", "DS-PROJECTION-02", writes=True)
def _start_of_play(deployment: Deployment) -> Steps:
    """A window plays from 420 s after its start on, that time included, and not before."""
    now = yield from deployment.now()
    start = now - limits.PLAYBACK_DELAY_MS + SECOND_MS
    written = yield from _write(window(start, _at(now, -10)))
    yield from read_back(deployment, TIMELINE, written.result)
    yield from expect_shown(deployment, (yield from get("/api/now")), "/api/now", written)
    begin = start + limits.PLAYBACK_DELAY_MS + deployment.uncertainty_ms
    yield from _wait_until(deployment, begin)
    reply = yield from get("/api/now")
    yield from expect_shown(deployment, reply, "/api/now", written)
    expect_equal("status", reply.object().get("status"), "online")


@SUITE.check("projection.instant", "DS-PROJECTION-05", "DS-PROJECTION-08", writes=True)
def _instant(deployment: Deployment) -> Steps:
    """An event is applied at its own time: one event each millisecond shows which was the last."""
    deployment.require_clock(800)
    for _ in range(_COMB_ATTEMPTS):
        now = yield from deployment.now()
        first = now - limits.PLAYBACK_DELAY_MS - 1_000
        events = [
            event(seq, first + seq, active_app=f"App {seq}")
            for seq in range(1, limits.WINDOW_EVENTS + 1)
        ]
        written = yield from _write(_playing(now, events=events))
        shown = (yield from shows(deployment, written, "/api/now")).object()
        if shown["collected_at"] == shown["playback"]["at"]:
            return
    raise Unchecked("the response came too late for its events", inconclusive=True)


_COMB_ATTEMPTS: Final = 4
"""Attempts for a response that must come in time, which a machine with other work may miss."""


@SUITE.check("projection.gap-ends", "DS-GAP-01", writes=True)
def _gap_ends(deployment: Deployment) -> Steps:
    """The start of a gap belongs to it, its end does not: every second millisecond is a gap."""
    deployment.require_clock(100)
    seen = online = 0
    for attempt in range(2 * _COMB_ATTEMPTS):
        if attempt >= 2 and (online or seen >= _COMB_READS):
            break
        now = yield from deployment.now()
        first = now - limits.PLAYBACK_DELAY_MS - 40 + attempt % 2
        last = first + 2 * limits.WINDOW_GAPS
        gaps = [gap(at, at + 1) for at in range(first, last, 2)]
        written = yield from _write(_playing(now, gaps=gaps))
        if not is_of((yield from get(TIMELINE)).object(), written.result):
            raise Unchecked("the store does not show a write at once", inconclusive=True)
        for _ in range(_COMB_READS):
            reply = yield from get("/api/now")
            if deployment.times_of(reply)[1] - limits.PLAYBACK_DELAY_MS >= last:
                break
            is_online = is_of(reply.object(), written.result)
            if is_online:
                yield from expect_shown(deployment, reply, "/api/now", written)
            online += is_online
            seen += is_online or reply.object() == OFFLINE
    if not online and seen < _COMB_READS:
        raise Unchecked("the responses came too late for the gaps", inconclusive=True)
    expect(online, "online at the end of a gap", f"offline in {seen} reads")


_COMB_READS: Final = 16
"""Reads that all meet gaps by chance once in 65,536 runs."""


@SUITE.check("projection.touching-gaps", "DS-GAP-04", "DS-GAP-01", writes=True)
def _touching_gaps(deployment: Deployment) -> Steps:
    """The projection stays offline where a gap ends and the next one starts."""
    now = yield from deployment.now()
    middle = now - limits.PLAYBACK_DELAY_MS + SECOND_MS
    gaps = [gap(middle - 60_000, middle), gap(middle, middle + 60_000, "clock")]
    written = yield from _write(window(middle - 90_000, _at(now, -10), gaps=gaps))
    for path in PROJECTIONS:
        yield from shows(deployment, written, path)
    for offset in (-1, 0, 1):
        yield from _wait_until(deployment, middle + limits.PLAYBACK_DELAY_MS + offset)
        yield from expect_shown(deployment, (yield from get("/api/now")), "/api/now", written)


@SUITE.check("timeline.integers", "DS-JSON-13", writes=True)
def _integers_as_such(deployment: Deployment) -> Steps:
    """Numbers with an integral value are written without a fraction."""
    now = yield from deployment.now()
    battery = {"percent": 20.0, "charging": True, "power_source": "ac"}
    loads = {"load_1m": 2.0, "load_5m": 1e3, "load_15m": 0.5}
    events = [event(1, _at(now, -800), battery=battery, system=loads)]
    written = yield from _write(_playing(now, events=events))
    for path in (TIMELINE, "/api/now", "/api/device"):
        reply = yield from shows(deployment, written, path)
        doubles: list[str] = []
        json.loads(reply.body, parse_float=doubles.append)
        wrong = [number for number in doubles if float(number).is_integer()]
        expect(not wrong, "integers without a fraction", ", ".join(wrong))


@SUITE.check("timeline.server-time", "DS-TIMELINE-01", "DS-TIMELINE-03", writes=True)
def _server_time_runs(deployment: Deployment) -> Steps:
    """`server_time` is the time of the response: it runs with the clock, and no write sets it."""
    now = yield from deployment.now()
    for body in (_span(now, -300, -10), snapshot(now)):
        written = yield from _write(body)
        first = yield from shows(deployment, written, TIMELINE)
        yield Wait(A_WHILE_MS)
        second = yield from shows(deployment, written, TIMELINE)
        longest = second.received_at - first.sent_at + 100
        times = [parse_millisecond(reply.object()["server_time"]) for reply in (first, second)]
        expect(
            A_WHILE_MS - 50 <= times[1] - times[0] <= longest,
            f"a server_time about {A_WHILE_MS} ms and at most {longest} ms later",
            f"{times[1] - times[0]} ms",
        )


# Deadlines


@SUITE.check("batch.response", "DS-BATCH-04", "DS-DEADLINE-05", "DS-HTTP-08", writes=True)
def _batch_response(deployment: Deployment) -> Steps:
    """The response to a window has the receive time, and window_end plus 600 s."""
    now = yield from deployment.now()
    end = _at(now, -10)
    reply = yield from post("/api/batch", encode(window(_at(now, -300), end)))
    expires_at = expect_model(reply, UpdateResult).expires_at
    deadline = format_instant(window_deadline(end))
    expect_equal("expires_at", format_instant(expires_at), deadline, rule="DS-DEADLINE-05")


@SUITE.check("batch.repeated", "DS-DEADLINE-07", writes=True)
def _repeated_batch(deployment: Deployment) -> Steps:
    """A repeated or late window does not live longer."""
    now = yield from deployment.now()
    body = _span(now, -300, -100)
    first = yield from _write(body)
    yield Wait(A_WHILE_MS)
    second = yield from _write(body)
    deadlines = [format_instant(written.result.expires_at) for written in (first, second)]
    expect_equal("expires_at", deadlines[1], deadlines[0])


@SUITE.check(
    "expiry.snapshot",
    *("DS-DEADLINE-01", "DS-DEADLINE-08", "DS-NOW-04", "DS-BADGE-01"),
    *("DS-RECORD-13", "DS-SERVICE-10"),
    writes=True,
    slow=True,
)
def _snapshot_expires(deployment: Deployment) -> Steps:
    """A snapshot is online until its deadline, and then offline on every path."""
    written = yield from update(deployment)
    paths = (*PROJECTIONS, TIMELINE)
    yield from _expires(deployment, written, written.result.expires_at, paths)
    yield from badge_shows(deployment, written)


@SUITE.check(
    "expiry.projection",
    *("DS-DEADLINE-06", "DS-DEADLINE-08", "DS-PROJECTION-02", "DS-PROJECTION-04"),
    "DS-TIMELINE-05",
    writes=True,
    slow=True,
)
def _projection_expires(deployment: Deployment) -> Steps:
    """A window stops playing 420 s after its end; the timeline still has it."""
    now = yield from deployment.now()
    end = _at(now, -115)
    written = yield from _write(window(_at(now, -880), end))
    deadline = end + limits.PLAYBACK_DELAY_MS
    yield from _expires(deployment, written, deadline, PROJECTIONS)
    yield from expect_shown(deployment, (yield from get(TIMELINE)), TIMELINE, written)


@SUITE.check(
    "expiry.window",
    *("DS-DEADLINE-05", "DS-DEADLINE-08", "DS-TIMELINE-04", "DS-RECORD-13"),
    writes=True,
    slow=True,
)
def _window_expires(deployment: Deployment) -> Steps:
    """A window is valid until 600 s after its end."""
    now = yield from deployment.now()
    written = yield from _write(_span(now, -200, -115))
    yield from _expires(deployment, written, written.result.expires_at, (TIMELINE,))


def _expires(
    deployment: Deployment, written: Written, deadline: int, paths: tuple[str, ...]
) -> Steps:
    """Expect that the first path is online just before a deadline, and all are offline at it."""
    yield from shows(deployment, written, paths[0])
    margin = deployment.uncertainty_ms + 1_500 if deployment.uncertainty_ms else 1
    yield from _wait_until(deployment, deadline - margin)
    reply = yield from get(paths[0])
    expect_equal("status", reply.object().get("status"), "online")
    yield from expect_shown(deployment, reply, paths[0], written)
    yield from _wait_until(deployment, deadline + deployment.uncertainty_ms)
    for path in paths:
        reply = yield from get(path)
        expect(reply.object() == OFFLINE, f'GET {path} to be {{"status": "offline"}}', reply.body)


def _wait_until(deployment: Deployment, instant: int) -> Steps:
    now = yield from deployment.now()
    yield Wait(max(0, instant - now))


# Badge


@SUITE.check("badge.offline", "DS-BADGE-01", writes=True)
def _badge_offline(deployment: Deployment) -> Steps:
    """The badge shows `offline` when `/api/now` is offline."""
    yield from _badge_of(deployment, lambda now: _span(now, -60, -10))


@SUITE.check("badge.projection", "DS-BADGE-01", "DS-SERVICE-10", writes=True)
def _badge_of_projection(deployment: Deployment) -> Steps:
    """The badge shows the projection, not what is still to come."""
    deployment.require_clock(_MINUTE_MS)
    yield from _badge_of(deployment, lambda now: _playing(now, events=_events(now)))


@SUITE.check(
    "badge.text",
    *("DS-BADGE-02", "DS-BADGE-03", "DS-BADGE-04", "DS-BADGE-05", "DS-TEXT-06"),
    writes=True,
)
def _badge_text(deployment: Deployment) -> Steps:
    """The badge shows the song, else the app, else `online`, cut to 61 characters and escaped."""
    song = {"state": "playing", "track": "A & B <1>", "artist": "C"}
    states: tuple[Plain, ...] = (
        {"music": song},
        {"music": {**song, "artist": None}},
        {"music": {**song, "state": "paused"}},
        {"active_app": None},
        {"music": {**song, "track": "T" * 80, "artist": "Artist"}},
        {"music": {**song, "track": "T", "artist": "A" * 80}},
        {"music": {**song, "track": "T" * 30, "artist": "A" * 29}},
        {"music": {**song, "track": "T" * 30, "artist": "A" * 30}},
        {"music": {**song, "track": "&" * 80, "artist": "<" * 80}},
        {"music": {**song, "track": None, "artist": "Nobody"}},
        {"music": {**song, "state": "stopped"}, "active_app": None},
        *({"active_app": name} for name in _BADGE_APPS),
        {"active_app": "a\ufffeb\uffffc"},
    )
    for members in states:
        yield from _badge_of(deployment, partial(snapshot, **members))


_BADGE_APPS: Final = (
    *("x" * 65, "x" * 64, "\U0001f3a7" * 64, "\U0001f3a7" * 65, "e\u0301" * 40),
    *("""it's "quoted" & <b>bold</b>""", "&amp; &lt;", "]]>", "--><!--", "{0} %s $1 \\1"),
    *(f"{'x' * 60}&{'y' * 9}", f"{'x' * 59}&&&{'y' * 9}", f"{'x' * 60}\U0001f3a7\U0001f3a7yyyy"),
    *(" x  y ", "x\u00a0y", "\u202ex\u2066", "online", "offline", "\u4f5c\u696d"),
)
"""Names around the limit of the badge, and with what XML and templates escape."""


def _badge_of(deployment: Deployment, make: Callable[[int], Plain]) -> Steps:
    now = yield from deployment.now()
    written = yield from _write(make(now))
    yield from shows(deployment, written, "/api/now")
    yield from badge_shows(deployment, written)


@SUITE.check("badge.width", "DS-BADGE-06", writes=True)
def _badge_width(deployment: Deployment) -> Steps:
    """The badge is wider for wide characters, and not for characters without a width."""
    widths = []
    for text in ("i" * 40, "漢" * 40, "i\u0301" * 20):
        written = yield from update(deployment, active_app=text)
        yield from read_back(deployment, "/api/now", written.result)
        widths.append(_width((yield from get("/api/badge.svg"))))
    narrow, wide, combining = widths
    expect(wide >= narrow + 40 * 5, "at least 5 px more for each of 40 CJK characters", widths)
    expect(combining <= narrow, "no more for 20 combined letters than for 40 letters", widths)


def _width(reply: Reply) -> float:
    """Return the width of an SVG: of its root, or of its view box."""
    with dependent_on("badge.svg"):
        root = svg_root(reply)
    try:
        box = (root.get("viewBox") or "0 0 0 0").split()
        return float((root.get("width") or box[2]).removesuffix("px"))
    except (ValueError, IndexError):
        raise Unchecked("the width of the badge is not a number", inconclusive=True) from None
