"""A deployment as the checks see it: its clock, writes, and what it must then show."""

import re
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import cache
from typing import Any, Final

import attrs

from devicestatus.conformance.bodies import ANY_BATCH, Plain, nothing, snapshot, window
from devicestatus.engine.record import Record, SnapshotRecord, WindowRecord
from devicestatus.engine.state import Offline, Online, state_of
from devicestatus.http import views
from devicestatus.icons import IconIndex, index_icons, parse_manifest
from devicestatus.limits import PLAYBACK_DELAY_MS
from devicestatus.models import Snapshot, Window
from devicestatus.rendering.badge import status_text
from devicestatus.responses import (
    ActiveAppStatus,
    DeviceStatus,
    MusicStatus,
    OfflineStatus,
    OnlineStatus,
    RunningAppsStatus,
    SnapshotTimelineStatus,
    UpdateResult,
    WindowStatus,
)
from purewire.conformance.checks import (
    FULL,
    Action,
    Arguments,
    CheckFailed,
    Finish,
    NotTestable,
    Profile,
    ReadClock,
    Reply,
    Send,
    Steps,
    Suite,
    TokenForm,
    Unchecked,
    Wait,
    dependent_on,
    expect,
    expect_body,
    expect_equal,
    expect_form,
    expect_header,
    expect_status,
)
from purewire.conformance.differences import shorten
from purewire.conformance.reads import get, svg_root
from purewire.http.conditional import parse_http_date
from purewire.instants import SECOND_MS, format_instant, parse_utc
from purewire.json.codec import encode
from purewire.primitives import printable_xml
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_builtins

Read = Generator[Action, Any, Reply]

JSON_TYPE: Final = "application/json; charset=utf-8"
OFFLINE: Final = {"status": OfflineStatus().status}
CATEGORIES: Final = ("/api/music", "/api/apps/active", "/api/apps/running", "/api/device")
PROJECTIONS: Final = ("/api/now", "/now", *CATEGORIES)
TIMELINE: Final = "/api/timeline"
ONLINE_MODELS: Final[dict[str, type[attrs.AttrsInstance]]] = {
    "/api/now": OnlineStatus,
    "/now": OnlineStatus,
    "/api/music": MusicStatus,
    "/api/apps/active": ActiveAppStatus,
    "/api/apps/running": RunningAppsStatus,
    "/api/device": DeviceStatus,
}
_STORE_WAITS: Final = 35
"""Waits of a second for a write to be shown: a store may cache reads for 30 s (DS-CACHE-05)."""
_RUN_WAITS: Final = 240
"""Such waits of a whole run, so that it ends in minutes also if nothing is ever shown."""
PROFILES: Final = {
    FULL: Profile("snapshots and windows"),
    "snapshot": Profile("snapshots alone: without /api/batch", outside=re.compile("/api/batch")),
    "window": Profile("windows alone: without /api/update", outside=re.compile("(/api)?/update")),
}
A_WHILE_MS: Final = 300
"""How long a check waits to see that a clock runs, ms."""
_TIME_SLACK_MS: Final = 1_000
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@attrs.define
class Deployment:
    """A deployment as the checks see it.

    Attributes:
        arguments: how the suite is run.
        offset_ms: the deployment's clock minus the local clock.
        uncertainty_ms: how far the offset may be off, either way.
        waits: how often the run may still wait for the store.
        has_written: whether a write has shown the clock.

    """

    arguments: Arguments
    offset_ms: int
    uncertainty_ms: int
    waits: int = _RUN_WAITS
    has_written: bool = False

    def takes(self, path: str) -> bool:
        """Check whether a path is part of the profile that is tested."""
        outside = PROFILES[self.arguments.profile].outside
        return outside is None or outside.match(path) is None

    @property
    def margin_ms(self) -> int:
        """Return the distance from a bound of time that decides, ms; 0 if the clock is exact."""
        return 2 * self.uncertainty_ms + 250 if self.uncertainty_ms else 0

    def now(self) -> Generator[Action, Any, int]:
        """Return the deployment's time, ms since the epoch."""
        local: int = yield ReadClock()
        return local + self.offset_ms

    def times_of(self, reply: Reply) -> tuple[int, int]:
        """Return the earliest and the latest time at which the deployment responded."""
        earliest = reply.sent_at + self.offset_ms - self.uncertainty_ms
        return earliest, reply.received_at + self.offset_ms + self.uncertainty_ms

    def require_clock(self, milliseconds: int) -> None:
        """Raise Unchecked if the clock is not known to within the time that a check needs."""
        if self.uncertainty_ms > milliseconds:
            raise Unchecked(
                f"the deployment's clock is known to {self.uncertainty_ms} ms only",
                inconclusive=True,
            )


def learn(arguments: Arguments) -> Generator[Action, Any, Deployment]:
    """Find out whether this is a device-status deployment, and what its clock shows."""
    health = yield from get("/api/health")
    if not _is_object(health, "ok"):
        status = yield from get("/api/now")
        if not _is_object(status, "status"):
            raise NotTestable(
                f"/api/health has status {health.status} and no body with ok, "
                f"/api/now has status {status.status} and no body with status;"
                " the URL is the one below which both are"
            )
    return _with_date(arguments, health)


def prepare_writes(steps: Callable[[Deployment], Steps], deployment: Deployment) -> Steps:
    """Write a record before the first check that writes: its receive time shows the clock.

    Until then the checks see the deployment as it was found.
    """
    if not deployment.has_written:
        deployment.has_written = True
        now = yield from deployment.now()
        path, body = "/api/update", snapshot(now)
        if not deployment.takes("/api/update"):
            path, body = "/api/batch", window(now - SECOND_MS, now)
        reply = yield from post(path, encode(body))
        if reply.status == 401:
            raise NotTestable(f"the token is wrong: POST {path} has status 401")
        with suppress(CheckFailed):  # the checks of writes fail, and say why
            result = expect_model(reply, UpdateResult)
            half = (reply.received_at - reply.sent_at + 1) // 2
            deployment.offset_ms = result.updated_at - reply.sent_at - half
            deployment.uncertainty_ms = half
    yield from steps(deployment)


def _is_object(reply: Reply, member: str) -> bool:
    try:
        return reply.status == 200 and member in reply.object()
    except CheckFailed:
        return False


def _with_date(arguments: Arguments, reply: Reply) -> Deployment:
    """Return what the Date header contains; without one the clocks are taken to be equal."""
    date = reply.header("date")
    if date is None:
        return Deployment(arguments, 0, 0)
    whole_seconds = parse_http_date(date)
    if whole_seconds is None:
        raise NotTestable(f"the Date header {date!r} is not an HTTP date")
    # Fractions are cut off: the clock is half a second later on average.
    server = whole_seconds + SECOND_MS // 2
    uncertainty = SECOND_MS // 2 + (reply.received_at - reply.sent_at + 1) // 2
    offset = server - (reply.sent_at + reply.received_at) // 2
    return Deployment(arguments, 0 if abs(offset) <= uncertainty else offset, uncertainty)


def post(
    path: str,
    body: bytes,
    *headers: tuple[str, str],
    content_type: str | None = "application/json",
    authorized: bool = True,
    token_form: TokenForm = TokenForm.EXACT,
) -> Read:
    """Send a body, by default with the token and as JSON."""
    lines = headers if content_type is None else (("Content-Type", content_type), *headers)
    reply: Reply = yield Send("POST", path, lines, body, authorized, token_form)
    return reply


def expect_error(reply: Reply, status: int, *codes: str) -> None:
    """Expect a status and the code of an error.

    Other members are not looked at: the check `errors.bodies` does.
    """
    expect_status(reply, status)
    expect_equal("the error code", reply.object().get("error"), *codes)


@attrs.frozen
class Written:
    """A body that the deployment accepted: its response, and the record that it must store."""

    result: UpdateResult
    record: Record

    @property
    def _lifetime(self) -> int:
        return (self.result.expires_at - self.result.updated_at) // SECOND_MS

    def state(self, now: int) -> Online | Offline:
        """Return the status at a server time; before the write it is that of the write."""
        at = max(now, self.result.updated_at)
        return state_of(self.record, now=at, ttl_seconds=self._lifetime)

    def body(self, path: str, now: int, icons: IconIndex) -> Plain:
        """Return what a path must show at a server time."""
        state = self.state(now)
        view: attrs.AttrsInstance
        if path == TIMELINE:
            at = max(now, self.result.updated_at)
            view = views.timeline(self.record, now=at, ttl_seconds=self._lifetime)
        elif path.startswith("/api/apps"):
            of_apps = views.active_app if path.endswith("active") else views.running_apps
            view = of_apps(state, icons)
        else:
            view = _VIEWS[path](state)
        body: Plain = to_builtins(view)
        return body


_VIEWS: Final[dict[str, Callable[[Online | Offline], attrs.AttrsInstance]]] = {
    "/api/now": views.now,
    "/now": views.now,
    "/api/music": views.music,
    "/api/device": views.device,
}


def write(
    path: str, body: bytes | Plain, *, content_type: str = "application/json"
) -> Generator[Action, Any, Written]:
    """Send a valid body; a window gets a batch number of its own, unless it names one."""
    if isinstance(body, dict) and body.get("batch_seq") == ANY_BATCH:
        body = {**body, "batch_seq": (yield ReadClock())}
    sent = body if isinstance(body, bytes) else encode(body)
    reply = yield from post(path, sent, content_type=content_type)
    expect_status(reply, 200)
    with dependent_on("batch.response" if path == "/api/batch" else "update.response"):
        result: UpdateResult = expect_model(reply, UpdateResult)
    text = sent.removeprefix(_BYTE_ORDER_MARK)
    record: Record
    if path == "/api/batch":
        record = WindowRecord(result.updated_at, _decoder(Window).decode(text), result.expires_at)
    else:
        data = _decoder(Snapshot).decode(text)
        record = SnapshotRecord(result.updated_at, data, result.expires_at)
    return Written(result, record)


def update(
    deployment: Deployment, *, content_type: str = "application/json", **members: object
) -> Generator[Action, Any, Written]:
    """Write a snapshot that is collected now, with some members replaced."""
    body = snapshot((yield from deployment.now()), **members)
    return (yield from write("/api/update", body, content_type=content_type))


def read_back(deployment: Deployment, path: str, result: UpdateResult) -> Read:
    """Read a path until its `updated_at` is that of a write; the store may need some seconds.

    After 35 s the check fails; it is undecided if the run has waited for the store for too long.
    """
    expected = f"updated_at {format_instant(result.updated_at)}"
    return (yield from _settled(deployment, path, lambda shown: is_of(shown, result), expected))


def is_of(shown: Plain, result: UpdateResult) -> bool:
    """Return whether a body is about a write; only the instant counts, not how it is written."""
    updated_at = shown.get("updated_at")
    return isinstance(updated_at, str) and parse_utc(updated_at) == result.updated_at


def _settled(
    deployment: Deployment, path: str, is_new: Callable[[Plain], bool], expected: str
) -> Read:
    waited = 0
    while True:
        reply = yield from get(path)
        expect_status(reply, 200)
        with dependent_on(f"shape.online-{path.strip('/').replace('/', '-')}"):
            expect_readable(reply, path)
        if is_new(reply.object()):
            return reply
        bound = f"GET {path} to show {expected} within {_STORE_WAITS} s of the write"
        expect(waited < _STORE_WAITS, bound, reply.body)
        if not deployment.waits:
            raise Unchecked(
                f"GET {path} does not show the last write, and earlier checks waited for the store "
                f"{_RUN_WAITS} s in all; run this check alone",
                inconclusive=True,
            )
        waited += 1
        deployment.waits -= 1
        yield Wait(SECOND_MS)


def shows(deployment: Deployment, written: Written, path: str) -> Read:
    """Expect that a path shows a write, as the engine derives it, and return the response."""
    now = yield from deployment.now()
    if path == TIMELINE or isinstance(written.state(now), Online):
        reply = yield from read_back(deployment, path, written.result)
    else:
        # An earlier window may be online; one that shows this write never will be offline.
        reply = yield from _settled(
            deployment,
            path,
            lambda shown: shown.get("status") != "online" or is_of(shown, written.result),
            "the last write or offline",
        )
    yield from expect_shown(deployment, reply, path, written)
    return reply


def expect_shown(deployment: Deployment, reply: Reply, path: str, written: Written) -> Steps:
    """Expect that a response shows a write as the engine derives it for the response's time."""
    expect_status(reply, 200)
    shown = reply.object()
    times = deployment.times_of(reply)
    stated = _stated_time(path, shown)
    if stated is not None:
        earliest, latest = times[0] - _TIME_SLACK_MS, times[1] + _TIME_SLACK_MS
        expect(
            earliest <= stated <= latest,
            f"a time of GET {path} between {format_instant(earliest)} and {format_instant(latest)}",
            f"{format_instant(stated)} in {shorten(reply.body)}",
        )
        times = (stated, stated)
    icons = IconIndex()
    if path.startswith("/api/apps"):
        manifest = parse_manifest((yield from get("/api/icons")).body)
        icons = icons if manifest is None else index_icons(manifest)
    expect_body(reply, *(written.body(path, now, icons) for now in dict.fromkeys(times)))
    expect_readable(reply, path)


def expect_readable(reply: Reply, path: str) -> None:
    """Expect that a status is exactly offline, or has the form of its path."""
    shown = reply.object()
    if shown == OFFLINE:
        expect_header(reply, "Content-Type", JSON_TYPE, rule="DS-HTTP-08")
    else:
        model = model_of_timeline(shown) if path == TIMELINE else ONLINE_MODELS[path]
        expect_model(reply, model)


def _stated_time(path: str, shown: Plain) -> int | None:
    """Return the server time for which a body was made, if it says so."""
    playback = shown.get("playback")
    at = playback.get("at") if isinstance(playback, dict) else None
    text, delay = (shown.get("server_time"), 0) if path == TIMELINE else (at, PLAYBACK_DELAY_MS)
    return parse_utc(text) + delay if isinstance(text, str) else None


def model_of_timeline(shown: Plain) -> type[attrs.AttrsInstance]:
    """Return the model of a body of `/api/timeline` that is online."""
    return WindowStatus if shown.get("mode") == "window" else SnapshotTimelineStatus


def badge_shows(deployment: Deployment, written: Written) -> Steps:
    """Expect that the badge shows the status of a write on both of its paths."""
    for path in ("/api/badge.svg", "/badge.svg"):
        reply = yield from get(path)
        states = map(written.state, deployment.times_of(reply))
        snapshots = [state.snapshot if isinstance(state, Online) else None for state in states]
        expected = {printable_xml(status_text(snapshot)) for snapshot in snapshots}
        shown = svg_texts(reply)
        expect(expected & {*shown}, f"an SVG with a text element of {sorted(expected)}", shown)


def expect_model(reply: Reply, model: type[attrs.AttrsInstance]) -> Any:  # noqa: ANN401 - the model
    """Expect a JSON body that keeps the rules of a model, and return it."""
    expect_status(reply, 200)
    expect_header(reply, "Content-Type", JSON_TYPE, rule="DS-HTTP-08")
    reply.json()
    decoded, findings = _decoder(model).decode_with_findings(reply.body)
    member = findings[0].path.split("/")[1:2] if findings else []
    expect_form(reply, findings, rule=_RULE_OF_MEMBER.get("".join(member), ""))
    return decoded


_RULE_OF_MEMBER: Final = {
    "playback": "DS-PROJECTION-09",
    "policy": "DS-POLICY-07",
    "collected_at": "DS-TIME-05",
    "updated_at": "DS-TIME-05",
    "expires_at": "DS-TIME-05",
    "server_time": "DS-TIME-05",
}
"""Member of a response to the rule about its form, where it has one of its own."""


@cache
def _decoder(model: type[attrs.AttrsInstance]) -> ModelDecoder[Any]:
    """Return the decoder of a model; to derive one takes longer than to decode a response."""
    return ModelDecoder(model, cap=10)


def svg_texts(reply: Reply) -> list[str]:
    """Return the contents of all elements of an SVG body that contain text, escapes resolved."""
    expect_status(reply, 200)
    texts = ("".join(element.itertext()) for element in svg_root(reply).iter())
    return [text for text in texts if text]


def _finish(deployment: Deployment) -> Finish:
    now = yield from deployment.now()
    path, body, kind = "/api/update", nothing(now), "snapshot"
    if not deployment.takes("/api/update"):
        path, body, kind = "/api/batch", window(now, now, baseline=nothing(now)), "window"
    written = yield from write(path, body)
    expires = format_instant(written.result.expires_at)
    return f"The record of the deployment is now a {kind} that reports nothing, until {expires}."


SUITE: Final[Suite[Deployment]] = Suite("devicestatus", learn, _finish)
