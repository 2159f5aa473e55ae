"""Checks of exact instants: which events have been applied, where coverage and gaps begin and end.

No client can send a request at an exact instant of another clock.  But a response names the
instant for which it was computed: `playback.at` of a projection, and `server_time` of the timeline,
which is read before and after a projection.
"""

from collections.abc import Generator
from functools import partial
from typing import Any, Final

from devicestatus.conformance.bodies import Plain, encode, event, gap, window
from devicestatus.conformance.deployment import (
    OFFLINE,
    Deployment,
    expect_model,
    get,
    read_back,
    settled,
    write,
)
from devicestatus.conformance.suite import SUITE
from devicestatus.models.responses import ActiveAppStatus, OnlineStatus
from purewire.conformance.checks import Effect, Steps, Unchecked, Wait, expect, expect_equal
from purewire.instants import format_instant, parse_millisecond

__all__: list[str] = []

_DELAY_MS: Final = 420_000
_END_MS: Final = 10_000
"""How long before now the windows end."""
_LEAD_MS: Final = 2_000
"""How long before an instant the first read takes place."""
_EVENTS: Final = 2_000
_MODELS: Final = {"/api/now": OnlineStatus, "/api/apps/active": ActiveAppStatus}
_AROUND_MS: Final = (-1_000, -1, 0, 1_000)
"""When the projection is read, relative to an instant."""


@SUITE.check(
    "instants.events", "DS-PROJECTION-01", "DS-PROJECTION-05", "DS-PROJECTION-08", writes=True
)
def _events(deployment: Deployment) -> Steps:
    """An event at the very instant of `playback.at` has been applied, and none after it."""
    now = yield from deployment.now()
    first = now - _DELAY_MS - _EVENTS // 10
    instants = [first + number for number in range(_EVENTS)]
    events = [event(number, at, active_app=f"At {at}") for number, at in enumerate(instants, 1)]
    body = window(first - 1_000, now - _END_MS, events=events)
    yield from _stored(body)
    for path in _MODELS:
        reply = yield from settled(path, partial(_is_of, body))
        expect_model(reply, _MODELS[path])
        shown = reply.object()
        at = parse_millisecond(shown["playback"]["at"])
        if not instants[0] <= at <= instants[-1]:
            raise Unchecked("the response took more than a second", inconclusive=True)
        app = shown["active_app"]
        name = app["name"] if isinstance(app, dict) else app
        expect_equal("active_app", name, f"At {at}")
        expect_equal("collected_at", shown["collected_at"], format_instant(at))


@SUITE.check("instants.window-start", "DS-PROJECTION-02", writes=True)
def _window_start(deployment: Deployment) -> Steps:
    """The projection is online from the very instant of window_start plus 420 s."""
    now = yield from deployment.now()
    start = now - _DELAY_MS + _LEAD_MS
    yield from _changes_at(deployment, window(start, now - _END_MS), start, online_before=False)


@SUITE.check("instants.gap-start", "DS-GAP-01", "DS-PROJECTION-04", writes=True)
def _gap_start(deployment: Deployment) -> Steps:
    """The projection is offline from the very instant at which a gap starts."""
    now = yield from deployment.now()
    start = now - _DELAY_MS + _LEAD_MS
    body = window(start - 60_000, now - _END_MS, gaps=[gap(start, start + 60_000)])
    yield from _changes_at(deployment, body, start, online_before=True)


@SUITE.check("instants.gap-end", "DS-GAP-01", "DS-PROJECTION-07", writes=True)
def _gap_end(deployment: Deployment) -> Steps:
    """The projection is online again from the very instant at which a gap ends."""
    now = yield from deployment.now()
    end = now - _DELAY_MS + _LEAD_MS
    body = window(end - 60_000, now - _END_MS, gaps=[gap(end - 30_000, end)])
    yield from _changes_at(deployment, body, end, online_before=False)


@SUITE.check("instants.touching-gaps", "DS-GAP-04", "DS-GAP-01", "DS-SERVICE-10", writes=True)
def _touching_gaps(deployment: Deployment) -> Steps:
    """The projection stays offline where a gap ends and the next one starts."""
    now = yield from deployment.now()
    middle = now - _DELAY_MS + _LEAD_MS
    gaps = [gap(middle - 30_000, middle), gap(middle, middle + 30_000, "clock")]
    body = window(middle - 60_000, now - _END_MS, gaps=gaps)
    yield from _stored(body)
    for offset in _AROUND_MS:
        yield from _wait_until(deployment, middle + _DELAY_MS + offset)
        reply = yield from get("/api/now")
        expect(reply.object() == OFFLINE, '{"status": "offline"}', reply.body)


@SUITE.check(
    "instants.window-end",
    "DS-PROJECTION-02",
    "DS-DEADLINE-06",
    "DS-DEADLINE-08",
    writes=True,
    slow=True,
)
def _window_end(deployment: Deployment) -> Steps:
    """The projection is offline from the very instant of window_end plus 420 s."""
    now = yield from deployment.now()
    end = now - 115_000
    yield from _changes_at(deployment, window(end - 700_000, end), end, online_before=True)


def _changes_at(deployment: Deployment, body: Plain, instant: int, *, online_before: bool) -> Steps:
    """Write a window, and read around the time at which the projection reaches an instant of it."""
    yield from _stored(body)
    change = instant + _DELAY_MS
    seen = set()
    for offset in _AROUND_MS:
        yield from _wait_until(deployment, change + offset)
        earliest = yield from _server_time()
        reply = yield from get("/api/now")
        latest = yield from _server_time()
        if earliest < change <= latest:
            continue  # either state may be right
        is_after = earliest >= change
        seen.add(is_after)
        is_online = reply.object() != OFFLINE
        expected = "online" if online_before != is_after else "offline"
        expect(
            is_online == (expected == "online"),
            f"{expected} at {format_instant(earliest)}, {earliest - change} ms after the change",
            reply.body,
        )
    if seen != {False, True}:
        raise Unchecked("no read was certainly before and none after", inconclusive=True)


def _server_time() -> Generator[Effect, Any, int]:
    reply = yield from get("/api/timeline")
    try:
        return parse_millisecond(str(reply.object().get("server_time")))
    except ValueError:
        raise Unchecked("the timeline has no server_time", inconclusive=True) from None


def _stored(body: Plain) -> Steps:
    """Write a window and wait until the timeline shows it."""
    result = yield from write("/api/batch", encode(body))
    yield from read_back("/api/timeline", result)


def _is_of(body: Plain, shown: Plain) -> bool:
    playback = shown.get("playback")
    return isinstance(playback, dict) and playback.get("window_end") == body["window_end"]


def _wait_until(deployment: Deployment, instant: int) -> Steps:
    now = yield from deployment.now()
    if now < instant:
        yield Wait(instant - now)
