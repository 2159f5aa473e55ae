"""Faults of windows, stored records, projection, deadlines and what responses show."""

import itertools
import re
import unicodedata
from collections.abc import Callable
from typing import Any, ClassVar

from purewire.adapters.conformance import VirtualClock
from purewire.instants import format_instant, parse_utc
from support.devicestatus.broken_servers.base import (
    CATEGORIES,
    STATUS,
    BoundedCache,
    Plain,
    begin,
    copy_of,
    error,
    healthy,
    layer,
    on_response,
    on_shown,
    refuses,
    refuses_at,
    server,
    shadowed,
    stores,
)
from support.purewire.asgi_layers import (
    App,
    Call,
    Request,
    Response,
    caller,
    layered,
    served,
)

_NOW = ("/api/now", "/now")
_PLAYBACK = (*_NOW, *CATEGORIES)


def _ms(body: Plain, name: str) -> int:
    return parse_utc(body[name])


def _shift(body: Plain, name: str, milliseconds: int) -> None:
    body[name] = format_instant(_ms(body, name) + milliseconds)


begin("Windows that are accepted or refused")


@refuses("span-exclusive", "DS-WINDOW-08", "DS-TIME-08")
def _span_exclusive(body: Plain) -> bool:
    """A window is shorter than 900 s."""
    is_window = "window_end" in body
    return is_window and _ms(body, "window_end") - _ms(body, "window_start") == 900_000


@refuses("zero-length-refused", "DS-WINDOW-07")
def _zero_length(body: Plain) -> bool:
    """A window of zero length is refused."""
    return "window_end" in body and body["window_end"] == body["window_start"]


@refuses_at("baseline-skew", "DS-WINDOW-14")
def _baseline_skew(body: Plain, now: int) -> bool:
    """The baseline is compared with the receive time, as a snapshot is."""
    return "baseline" in body and now - _ms(body["baseline"], "collected_at") > 120_000


@refuses("seq-without-holes", "DS-EVENT-02")
def _holes(body: Plain) -> bool:
    """`seq` may leave out no number."""
    numbers = [each["seq"] for each in body.get("events", ())]
    return any(second != first + 1 for first, second in itertools.pairwise(numbers))


@refuses("one-event-an-instant", "DS-EVENT-03")
def _strict_times(body: Plain) -> bool:
    """Two events may not have the same time."""
    times = [each["at"] for each in body.get("events", ())]
    return len(set(times)) < len(times)


@refuses("event-at-end-refused", "DS-EVENT-04")
def _event_at_end(body: Plain) -> bool:
    """An event at `window_end` is refused."""
    return any(each["at"] == body["window_end"] for each in body.get("events", ()))


@refuses("event-at-start-refused", "DS-EVENT-04")
def _event_at_start(body: Plain) -> bool:
    """An event at `window_start` is refused."""
    return any(each["at"] == body["window_start"] for each in body.get("events", ()))


@refuses("2000-events", "DS-WINDOW-15")
def _few_events(body: Plain) -> bool:
    """A window has at most 2000 events."""
    return len(body.get("events", ())) > 2000


@refuses("100-gaps", "DS-WINDOW-16")
def _few_gaps(body: Plain) -> bool:
    """A window has at most 100 gaps."""
    return len(body.get("gaps", ())) > 100


@refuses("touching-gaps-refused", "DS-GAP-04")
def _touching_gaps(body: Plain) -> bool:
    """Gaps that touch are refused."""
    gaps = body.get("gaps", [])
    return any(a["end_at"] == b["start_at"] for a, b in itertools.pairwise(gaps))


@refuses("gap-at-ends-refused", "DS-GAP-03")
def _gap_at_ends(body: Plain) -> bool:
    """A gap may not begin at `window_start`."""
    return any(each["start_at"] == body["window_start"] for each in body.get("gaps", ()))


@server("stale-batches-refused", "DS-BATCH-02", "DS-SERVICE-03")
def _stale_refused(clock: VirtualClock) -> App:
    """A batch with a smaller number than the stored one is 409."""
    newest = [0]

    async def around(request: Request, call: Call) -> Response:
        body = request.json if request.path == "/api/batch" else None
        if isinstance(body, dict) and isinstance(body.get("batch_seq"), int):
            if body["batch_seq"] < newest[0]:
                return error(409, "invalid_payload")
            response = await call(request)
            if response.status == 200:
                newest[0] = body["batch_seq"] if body["batch_seq"] < 1000 else newest[0]
            return response
        return await call(request)

    return layered(healthy(clock), around)


@layer("rejected-is-written", "DS-UPDATE-06")
async def _rejected_is_written(request: Request, call: Call) -> Response:
    """A snapshot is written before its app name is checked."""
    response = await call(request.copy())
    body = request.json if response.status == 400 else None
    if isinstance(body, dict) and body.get("active_app") == "":
        body["active_app"] = None
        changed = request.copy()
        changed.put_json(body)
        await call(changed)
    return response


begin("Stores")


class _Values:
    """A store in memory; a base class."""

    nonblocking: ClassVar[bool] = True

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.value: bytes | None = None
        self.expires_at_ms = 0

    def get(self, key: str) -> bytes | None:
        del key
        return self.value

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        del key
        self.value, self.expires_at_ms = value, expires_at_ms


@stores("lost-writes", "DS-SERVICE-03", "DS-UPDATE-01")
class _LostWrites(_Values):
    """Every fifth write is lost."""

    puts = 0

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.puts += 1
        if self.puts % 5:
            super().put(key, value, expires_at_ms=expires_at_ms)


@server("cached-for-a-minute", "DS-CACHE-05", "DS-SERVICE-03")
def _cached_for_a_minute(clock: VirtualClock) -> App:
    """A value that was read is cached for 60 s."""
    return healthy(clock, BoundedCache(clock, 60_000))


@stores("early-expiry", "DS-RECORD-13", "DS-DEADLINE-01")
class _EarlyExpiry(_Values):
    """The store drops values 20 s before they expire."""

    def get(self, key: str) -> bytes | None:
        return super().get(key) if self.clock() < self.expires_at_ms - 20_000 else None


@server("timeline-of-windows-only", "DS-SERVICE-03", "DS-TIMELINE-03")
def _timeline_of_windows(clock: VirtualClock) -> App:
    """The timeline shows the last window, also after a snapshot."""
    everything, windows = caller(healthy(clock)), caller(healthy(clock))

    async def call(request: Request) -> Response:
        if request.path == "/api/batch" and request.method == "POST":
            await windows(request.copy())
        if request.path == "/api/timeline" and request.method == "GET":
            return await windows(request)
        return await everything(request)

    return served(call)


@server("merged-updates", "DS-SERVICE-03", "DS-APP-06")
def _merged_updates(clock: VirtualClock) -> App:
    """Members that a snapshot does not have keep their last values."""
    last: Plain = {}

    async def around(request: Request, call: Call) -> Response:
        body = request.json if request.method == "POST" else None
        if not isinstance(body, dict) or (await call(request.copy())).status != 200:
            return await call(request)
        if body["schema_version"] == 1 and "running_apps" in last:
            body.setdefault("running_apps", last["running_apps"])
            request.put_json(body)
        last.update(body)
        return await call(request)

    return layered(healthy(clock), around)


begin("Responses to writes")


def _result(change: Callable[[Plain, Plain], object]) -> Callable[[Request, Response], None]:
    def changed(request: Request, response: Response) -> None:
        if request.method == "POST" and response.status == 200:
            value = response.json
            change(value, request.json)
            response.put_json(value)

    changed.__doc__ = change.__doc__
    return changed


@on_response("204-no-content", "DS-UPDATE-04", "DS-BATCH-04")
def _no_content(request: Request, response: Response) -> None:
    """A write is 204 without a body."""
    if request.method == "POST" and response.status == 200:
        response.status, response.body = 204, b""
        response.drop("content-type", "content-length")


@on_response("result-with-id", "DS-UPDATE-04", "DS-BATCH-04")
@_result
def _result_with_id(result: Plain, _: Plain) -> None:
    """The response to a write has an id."""
    result["id"] = 17


@on_response("result-without-deadline", "DS-UPDATE-04", "DS-BATCH-04")
@_result
def _without_deadline(result: Plain, _: Plain) -> None:
    """The response to a write has no deadline."""
    del result["expires_at"]


@on_response("updated-at-of-device", "DS-UPDATE-04", "DS-BODY-09")
@_result
def _updated_at_of_device(result: Plain, body: Plain) -> None:
    """`updated_at` of the response is `collected_at`."""
    if body["schema_version"] == 1:
        result["updated_at"] = format_instant(_ms(body, "collected_at"))


@on_response("deadline-from-receipt", "DS-DEADLINE-05", "DS-BATCH-04", "DS-DEADLINE-07")
@_result
def _deadline_from_receipt(result: Plain, body: Plain) -> None:
    """The deadline of a window is 600 s after its receipt."""
    if body["schema_version"] == 2:
        result["expires_at"] = format_instant(parse_utc(result["updated_at"]) + 600_000)


@on_response("short-lifetime", "DS-DEADLINE-01")
@_result
def _short_lifetime(result: Plain, body: Plain) -> None:
    """The lifetime of a snapshot is 30 s."""
    if body["schema_version"] == 1:
        result["expires_at"] = format_instant(parse_utc(result["updated_at"]) + 30_000)


begin("Projection and deadlines")


def _shadow(
    name: str,
    *rules: str,
    **options: Any,
) -> Callable[[Callable[[Plain], object]], Callable[[Plain], object]]:
    """Add a server whose projection stores what the function changes in place."""

    def add(modify: Callable[[Plain], object]) -> Callable[[Plain], object]:
        def build(clock: VirtualClock) -> App:
            return shadowed(clock, modify=modify, **options)

        build.__doc__ = modify.__doc__
        server(name, *rules)(build)
        return modify

    return add


@_shadow(
    "delay-of-300-s",
    "DS-PROJECTION-01",
    "DS-POLICY-03",
    read_at=lambda now, _, __: now + 120_000,
)
def _delay_300(_: Plain) -> None:
    """The projection is 300 s behind."""


@_shadow("baseline-only", "DS-PROJECTION-05")
def _baseline_only(body: Plain) -> None:
    """The projection is the baseline."""
    body["events"] = []


@_shadow("events-of-an-instant-reversed", "DS-PROJECTION-06", "DS-EVENT-03")
def _reversed(body: Plain) -> None:
    """Events of one instant apply in reverse order."""
    groups: dict[str, list[Plain]] = {}
    for each in body["events"]:
        groups.setdefault(each["at"], []).append(each)
    for group in groups.values():
        changes = [each["changes"] for each in group]
        for each, change in zip(group, reversed(changes), strict=True):
            each["changes"] = change


@_shadow("one-event-of-an-instant", "DS-PROJECTION-06", "DS-EVENT-03")
def _last_only(body: Plain) -> None:
    """Of the events of one instant only the last one applies."""
    last = {each["at"]: each["seq"] for each in body["events"]}
    body["events"] = [each for each in body["events"] if last[each["at"]] == each["seq"]]


@_shadow("reset-by-gaps", "DS-PROJECTION-07")
def _reset(body: Plain) -> None:
    """After a gap the events before it are forgotten."""
    if body["gaps"]:
        end = body["gaps"][-1]["end_at"]
        body["events"] = [each for each in body["events"] if each["at"] >= end]


@_shadow("gaps-ignored", "DS-PROJECTION-04", "DS-GAP-01")
def _no_gaps(body: Plain) -> None:
    """Gaps are shown as if nothing had changed."""
    body["gaps"] = []


@_shadow("gap-ends-included", "DS-GAP-01")
def _gap_ends(body: Plain) -> None:
    """The end of a gap belongs to it."""
    following = [each["start_at"] for each in body["gaps"][1:]] + [body["window_end"]]
    for each, bound in zip(body["gaps"], following, strict=False):
        _shift(each, "end_at", 1)
        each["end_at"] = min(each["end_at"], bound)


@_shadow("gap-starts-excluded", "DS-GAP-01")
def _gap_starts(body: Plain) -> None:
    """The start of a gap does not belong to it."""
    for each in body["gaps"]:
        _shift(each, "start_at", 1)
    body["gaps"] = [each for each in body["gaps"] if each["start_at"] < each["end_at"]]


def _extend_to_the_past(body: Plain) -> None:
    start = format_instant(_ms(body, "window_end") - 900_000)
    body["window_start"] = body["baseline"]["collected_at"] = start


def _own_start(shown: Plain, body: Plain) -> None:
    shown["collected_at"] = max(shown["collected_at"], body["window_start"])


@_shadow(
    "baseline-before-start",
    "DS-PROJECTION-02",
    "DS-PROJECTION-04",
    shown=_own_start,
)
def _before_start(body: Plain) -> None:
    """Before a window starts to play its baseline is shown."""
    _extend_to_the_past(body)


@_shadow("coverage-start-excluded", "DS-PROJECTION-02", shown=_own_start)
def _start_excluded(body: Plain) -> None:
    """The projected time `window_start` is not covered."""
    end = _ms(body, "window_end")
    start = _ms(body, "window_start") + 1
    if start <= end and not body["gaps"]:
        gap = {"start_at": body["window_start"], "end_at": format_instant(start), "reason": "sleep"}
        body["gaps"] = [gap] if start < end else []


def _end_of_play(body: Plain) -> int:
    return _ms(body, "window_end") + 420_000


@_shadow(
    "plays-until-absolute-deadline",
    "DS-DEADLINE-06",
    "DS-PROJECTION-04",
    read_at=lambda now, body, _: min(now, _end_of_play(body) - 1),
)
def _plays_on(_: Plain) -> None:
    """After its end the last state of a window is shown until the absolute deadline."""


def _absolute_deadline(shown: Plain, _: Plain) -> None:
    if "playback" in shown:
        _shift(shown, "expires_at", 180_000)


@_shadow(
    "projection-shows-absolute-deadline", "DS-DEADLINE-06", "DS-NOW-02", shown=_absolute_deadline
)
def _shows_absolute(_: Plain) -> None:
    """`expires_at` of a projection is 600 s after the end of the window."""


def _cumulative(body: Plain) -> None:
    music = body["baseline"]["music"]
    for each in body["events"]:
        if "music" in each["changes"]:
            music = music | each["changes"]["music"]
            if music["state"] not in {"playing", "paused"} or not music["artist"]:
                music.pop("artwork_url", None)
                music.pop("track_url", None)
            each["changes"]["music"] = music


@_shadow("merged-changes", "DS-EVENT-07")
def _merged_changes(body: Plain) -> None:
    """Changes are merged into the old value, so that the URLs of the last song stay."""
    _cumulative(body)


@_shadow("appended-running-apps", "DS-EVENT-07")
def _appended(body: Plain) -> None:
    """Running apps are added to the old list."""
    apps = body["baseline"].get("running_apps", [])
    for each in body["events"]:
        if "running_apps" in each["changes"]:
            apps = list(dict.fromkeys([*apps, *each["changes"]["running_apps"]]))[:64]
            each["changes"]["running_apps"] = apps


@_shadow("categories-not-delayed", "DS-PROJECTION-05", "DS-SLICE-01", paths=CATEGORIES)
def _categories_latest(body: Plain) -> None:
    """The categories apply all events, `/api/now` does not."""
    for each in body["events"]:
        each["at"] = min(each["at"], body["window_start"])


@_shadow("badge-not-delayed", "DS-BADGE-01", paths=("/api/badge.svg", "/badge.svg"))
def _badge_latest(body: Plain) -> None:
    """The badge applies all events."""
    for each in body["events"]:
        each["at"] = min(each["at"], body["window_start"])


def _ends(result: Plain) -> int:
    return parse_utc(result["expires_at"])


@_shadow(
    "badge-never-expires",
    "DS-BADGE-01",
    kind=1,
    paths=("/api/badge.svg", "/badge.svg"),
    read_at=lambda now, _, result: min(now, _ends(result) - 1),
)
def _badge_never_expires(_: Plain) -> None:
    """The badge shows a snapshot after its deadline."""


@_shadow(
    "timeline-inclusive",
    "DS-DEADLINE-08",
    "DS-DEADLINE-05",
    paths=("/api/timeline",),
    read_at=lambda now, _, result: now - 1 if now == _ends(result) else now,
)
def _timeline_inclusive(_: Plain) -> None:
    """The timeline has a window at its absolute deadline."""


def _shown_window(request: Request, response: Response) -> Plain:
    """Return the body of a timeline that shows a window, or nothing."""
    is_timeline = request.path == "/api/timeline" and response.status == 200
    value = response.json if is_timeline else None
    return value if isinstance(value, dict) and value.get("mode") == "window" else {}


@on_response("timeline-ends-with-playback", "DS-TIMELINE-05", "DS-DEADLINE-05")
def _timeline_short(request: Request, response: Response) -> None:
    """The timeline is offline once nothing of the window plays."""
    value = _shown_window(request, response)
    if value and parse_utc(value["server_time"]) >= _ms(value["window"], "window_end") + 420_000:
        response.put_json({"status": "offline"})


@on_response("timeline-offline-in-warm-up", "DS-TIMELINE-05")
def _timeline_warm_up(request: Request, response: Response) -> None:
    """The timeline is offline until the window starts to play."""
    value = _shown_window(request, response)
    if value and parse_utc(value["server_time"]) < _ms(value["window"], "window_start") + 420_000:
        response.put_json({"status": "offline"})


@server("two-clocks", "DS-TIMELINE-01", "DS-TIMELINE-03", "DS-UPDATE-04")
def _two_clocks(clock: VirtualClock) -> App:
    """Two instances whose clocks differ by 7 s serve in turn."""
    requests = [0]

    async def around(request: Request, call: Call) -> Response:
        requests[0] += 1
        return await call(request)

    return layered(healthy(lambda: clock() - (requests[0] % 2) * 7_000), around)


begin("What responses show")


@on_shown("offline-with-times", "DS-SERVICE-10", offline=True)
def _offline_with_times(shown: Plain) -> None:
    """The offline body has `updated_at`, null."""
    shown["updated_at"] = None


@on_shown("offline-with-data", "DS-SLICE-03", "DS-SERVICE-10", paths=("/api/music",), offline=True)
def _offline_with_data(shown: Plain) -> None:
    """The offline body of `/api/music` has `music`, null."""
    shown["music"] = None


@on_response("offline-204", "DS-SERVICE-10")
def _offline_204(request: Request, response: Response) -> None:
    """Offline is 204 without a body."""
    if request.path in STATUS and response.json == {"status": "offline"}:
        response.status, response.body = 204, b""
        response.drop("content-type", "content-length")


@on_shown("now-with-age", "DS-NOW-01", paths=_NOW)
def _age(shown: Plain) -> None:
    """`/api/now` has the age of the record."""
    shown["age_seconds"] = 3


@on_shown("null-playback", "DS-PROJECTION-10", "DS-NOW-01", paths=_PLAYBACK)
def _null_playback(shown: Plain) -> None:
    """`playback` is null for a snapshot."""
    shown.setdefault("playback", None)


@on_shown("no-playback", "DS-PROJECTION-09", "DS-NOW-02", paths=_PLAYBACK)
def _no_playback(shown: Plain) -> None:
    """A projection has no `playback`."""
    shown.pop("playback", None)


@on_shown("no-playback-in-categories", "DS-SLICE-01", paths=CATEGORIES)
def _categories_without_playback(shown: Plain) -> None:
    """A projection of a category has no `playback`."""
    shown.pop("playback", None)


@on_shown("delay-as-text", "DS-PROJECTION-09", paths=_PLAYBACK)
def _delay_as_text(shown: Plain) -> None:
    """`delay_seconds` is text."""
    if "playback" in shown:
        shown["playback"]["delay_seconds"] = "420"


@on_shown("delay-as-double", "DS-JSON-13", "DS-PROJECTION-09", paths=_PLAYBACK)
def _delay_as_double(shown: Plain) -> None:
    """`delay_seconds` is written as 420.0."""
    if "playback" in shown:
        shown["playback"]["delay_seconds"] = 420.0


@on_shown("collected-at-is-projected-time", "DS-PROJECTION-08", paths=_PLAYBACK)
def _collected_at_projected(shown: Plain) -> None:
    """`collected_at` of a projection is the projected time."""
    if "playback" in shown:
        shown["collected_at"] = shown["playback"]["at"]


@on_shown("updated-at-of-device-shown", "DS-NOW-03", "DS-NOW-01", paths=_NOW)
def _updated_at_collected(shown: Plain) -> None:
    """`updated_at` of `/api/now` is `collected_at`."""
    shown["updated_at"] = shown["collected_at"]


@on_shown("null-running-apps-shown", "DS-APP-06", "DS-NOW-01", paths=_NOW)
def _null_running(shown: Plain) -> None:
    """`/api/now` shows running apps that were not reported as null."""
    shown.setdefault("running_apps", None)


@on_shown("null-urls-shown", "DS-NOW-05", paths=_NOW)
def _null_urls(shown: Plain) -> None:
    """`/api/now` shows URLs that were not reported as null."""
    shown["music"].setdefault("artwork_url", None)
    shown["music"].setdefault("track_url", None)


@on_shown("nulls-left-out", "DS-NOW-01", paths=_NOW)
def _nulls_left_out(shown: Plain) -> None:
    """`/api/now` leaves out members that are null."""
    for name in [name for name, value in shown.items() if value is None]:
        del shown[name]


@on_shown("icons-in-now", "DS-NOW-06", "DS-NOW-01", paths=_NOW)
def _icons_in_now(shown: Plain) -> None:
    """`/api/now` shows apps as objects with icons."""
    if shown["active_app"]:
        name = shown["active_app"]
        shown["active_app"] = {"name": name, "icon_url": None, "icon_api_url": None}


@on_shown("rounded-percent", "DS-DEVICE-01", "DS-NOW-01", "DS-SLICE-07")
def _rounded(shown: Plain) -> None:
    """The battery is shown in whole percent."""
    for place in (shown, shown.get("device", {})):
        if place.get("battery", {}).get("percent"):
            place["battery"]["percent"] = round(place["battery"]["percent"])


@on_shown("zero-for-null", "DS-SLICE-07", "DS-NOW-01", "DS-SNAPSHOT-04")
def _zero_for_null(shown: Plain) -> None:
    """Loads that are null are shown as 0."""
    for place in (shown, shown.get("device", {})):
        for name, value in place.get("system", {}).items():
            if value is None:
                place["system"][name] = 0


def _times(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name: _times(item, change) for name, item in value.items()}
    if isinstance(value, list):
        return [_times(item, change) for item in value]
    is_time = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", value)
    return change(value) if is_time else value


def _with_times(name: str, *rules: str, change: Callable[[str], str], title: str) -> None:
    def changed(_: Request, response: Response) -> None:
        if response.status == 200 and isinstance(response.json, dict):
            response.put_json(_times(response.json, change))

    changed.__doc__ = title
    on_response(name, *rules)(changed)


_with_times(
    "times-in-seconds",
    "DS-TIME-05",
    change=lambda text: f"{text[:19]}Z",
    title="Times are written without fractions.",
)
_with_times(
    "times-in-microseconds",
    "DS-TIME-05",
    change=lambda text: f"{text[:23]}000Z",
    title="Times are written with six fractional digits, as by Python.",
)


@on_shown("epoch-updated-at", "DS-NOW-01", "DS-NOW-03", paths=_NOW)
def _epoch_updated_at(shown: Plain) -> None:
    """`updated_at` of `/api/now` is a number."""
    shown["updated_at"] = parse_utc(shown["updated_at"])


def _texts(value: Any, change: Callable[[str], str], names: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {
            name: change(item)
            if name in names and isinstance(item, str)
            else [
                change(each) if isinstance(each, str) else _texts(each, change, names)
                for each in item
            ]
            if name == "running_apps" and isinstance(item, list)
            else _texts(item, change, names)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_texts(item, change, names) for item in value]
    return value


_NAMES = frozenset({"active_app", "track", "artist", "name"})
_URLS = frozenset({"artwork_url", "track_url"})


def _with_texts(
    name: str, *rules: str, change: Callable[[str], str], title: str, names: frozenset[str] = _NAMES
) -> None:
    def changed(shown: Plain) -> None:
        shown.update(_texts(shown, change, names))

    changed.__doc__ = title
    on_shown(name, *rules)(changed)


_with_texts("text-trimmed", "DS-TEXT-06", change=str.strip, title="Text is trimmed.")
_with_texts(
    "text-normalized",
    "DS-TEXT-06",
    change=lambda text: unicodedata.normalize("NFC", text),
    title="Text is normalized to NFC.",
)
_with_texts(
    "text-as-html",
    "DS-TEXT-06",
    change=lambda text: text.replace("&", "&amp;").replace("<", "&lt;"),
    title="Text in JSON is escaped for HTML.",
)
_with_texts(
    "question-marks",
    "DS-TEXT-06",
    "DS-TEXT-03",
    change=lambda text: text.encode("ascii", "replace").decode(),
    title="Characters beyond ASCII become question marks.",
)
_with_texts(
    "text-cut-at-100",
    "DS-TEXT-06",
    "DS-APP-02",
    change=lambda text: text[:100],
    title="Text is shown cut to 100 characters.",
)
_with_texts(
    "urls-lower-cased",
    "DS-URL-11",
    change=str.lower,
    names=_URLS,
    title="URLs are lower-cased.",
)
_with_texts(
    "urls-normalized",
    "DS-URL-11",
    change=lambda url: url.replace(":0443/", "/").replace("/a/../", "/"),
    names=_URLS,
    title="URLs are shown as the parser writes them.",
)


@on_shown("running-apps-sorted", "DS-NOW-01", "DS-SLICE-06")
def _sorted_apps(shown: Plain) -> None:
    """Running apps are shown in alphabetical order."""
    apps = shown.get("running_apps")
    if apps:
        shown["running_apps"] = sorted(
            apps, key=lambda app: app if isinstance(app, str) else app["name"]
        )


@on_shown("missing-urls-in-music", "DS-SLICE-04", paths=("/api/music",))
def _missing_urls(shown: Plain) -> None:
    """`/api/music` leaves out URLs that are null."""
    for name in ("artwork_url", "track_url"):
        if shown["music"][name] is None:
            del shown["music"][name]


@on_shown("track-needs-urls", "DS-SLICE-04", paths=("/api/music",))
def _track_needs_urls(shown: Plain) -> None:
    """`/api/music` has no track without URLs."""
    if shown["music"]["artwork_url"] is None:
        shown["music"]["track"] = shown["music"]["artist"] = None


@on_shown("empty-for-absent-apps", "DS-SLICE-06", paths=("/api/apps/running",))
def _empty_for_absent(shown: Plain) -> None:
    """`/api/apps/running` is empty when running apps were not reported."""
    shown["running_apps"] = shown["running_apps"] or []


@on_shown("null-for-no-apps", "DS-SLICE-06", paths=("/api/apps/running",))
def _null_for_empty(shown: Plain) -> None:
    """`/api/apps/running` is null when no app runs."""
    shown["running_apps"] = shown["running_apps"] or None


@on_shown("null-app-as-object", "DS-SLICE-05", paths=("/api/apps/active",))
def _null_app(shown: Plain) -> None:
    """`/api/apps/active` has an app without a name when none was reported."""
    shown["active_app"] = shown["active_app"] or {
        "name": None,
        "icon_url": None,
        "icon_api_url": None,
    }


@on_shown("names-only", "DS-SLICE-05", "DS-SLICE-01", paths=("/api/apps/active",))
def _names_only(shown: Plain) -> None:
    """`/api/apps/active` has the name of the app only."""
    shown["active_app"] = shown["active_app"] and shown["active_app"]["name"]


@on_shown("icon-for-unknown", "DS-SLICE-09", paths=("/api/apps/active", "/api/apps/running"))
def _icon_for_unknown(shown: Plain) -> None:
    """Apps without an icon have that of the web browser."""
    for app in (shown.get("active_app"), *(shown.get("running_apps") or ())):
        if app and app["icon_url"] is None:
            app["icon_url"] = "/app-icons/web-browser.png"
            app["icon_api_url"] = "/api/icons/web-browser.png"


@on_shown("no-icons-by-alias", "DS-ICON-12", "DS-SLICE-08", paths=("/api/apps/running",))
def _no_alias(shown: Plain) -> None:
    """Icons are found by the exact name only."""
    for app in shown["running_apps"] or ():
        if not app["name"].istitle():
            app["icon_url"] = app["icon_api_url"] = None


@on_shown("absolute-icon-urls", "DS-SLICE-08", paths=("/api/apps/running",))
def _absolute_icons(shown: Plain) -> None:
    """Icon URLs are absolute."""
    for app in shown["running_apps"] or ():
        if app["icon_url"]:
            app["icon_url"] = f"https://status.example{app['icon_url']}"


@on_shown("flat-device", "DS-SLICE-07", "DS-SLICE-01", paths=("/api/device",))
def _flat_device(shown: Plain) -> None:
    """`/api/device` has battery and system at the top."""
    shown.update(shown.pop("device"))


_TIMELINE = ("/api/timeline",)


@on_shown("timeline-without-mode", "DS-TIMELINE-01", "DS-TIMELINE-03", paths=_TIMELINE)
def _no_mode(shown: Plain) -> None:
    """The timeline has no `mode`."""
    del shown["mode"]


@on_shown("server-time-of-write", "DS-TIMELINE-01", "DS-TIMELINE-03", paths=_TIMELINE)
def _server_time_of_write(shown: Plain) -> None:
    """`server_time` is the time of the last write."""
    shown["server_time"] = shown["updated_at"]


@on_shown("policy-in-milliseconds", "DS-POLICY-07", paths=_TIMELINE)
def _policy_ms(shown: Plain) -> None:
    """The policy is in milliseconds."""
    if "policy" in shown:
        shown["policy"] = {name: value * 1000 for name, value in shown["policy"].items()}


@on_shown("other-policy", "DS-POLICY-07", paths=_TIMELINE)
def _other_policy(shown: Plain) -> None:
    """The policy asks to poll every 30 s."""
    if "policy" in shown:
        shown["policy"]["poll_interval_seconds"] = 30


@on_shown("timeline-without-past", "DS-TIMELINE-01", paths=_TIMELINE)
def _no_past(shown: Plain) -> None:
    """The timeline leaves out events that have been played."""
    if shown["mode"] == "window":
        now = parse_utc(shown["server_time"]) - 420_000
        events = shown["window"]["events"]
        shown["window"]["events"] = [each for each in events if _ms(each, "at") > now]


@on_shown("timeline-without-gaps", "DS-TIMELINE-01", paths=_TIMELINE)
def _no_gaps_shown(shown: Plain) -> None:
    """The timeline leaves out the gaps."""
    if shown["mode"] == "window":
        shown["window"]["gaps"] = []


@on_shown("nested-snapshot", "DS-TIMELINE-03", paths=_TIMELINE)
def _nested(shown: Plain) -> None:
    """The timeline of a snapshot has the snapshot as a member."""
    if shown["mode"] == "snapshot":
        inner = copy_of(shown)
        for name in ("status", "mode", "server_time", "updated_at", "expires_at"):
            inner.pop(name)
        for name in inner:
            del shown[name]
        shown["snapshot"] = inner


begin("Badge")


def _badge(name: str, *rules: str) -> Callable[[Callable[[str], str]], Any]:
    def add(change: Callable[[str], str]) -> Callable[[str], str]:
        def changed(request: Request, response: Response) -> None:
            if request.path.endswith("badge.svg") and response.status == 200:
                response.body = change(response.body.decode()).encode()
                response.put("content-length", str(len(response.body)))

        changed.__doc__ = change.__doc__
        on_response(name, *rules)(changed)
        return change

    return add


@_badge("badge-escaped-twice", "DS-BADGE-05")
def _escaped_twice(svg: str) -> str:
    """The text of the badge is escaped twice."""
    return svg.replace("&amp;", "&amp;amp;").replace("&lt;", "&amp;lt;")


@_badge("badge-with-noncharacters", "DS-BADGE-05")
def _noncharacters(svg: str) -> str:
    """Characters that XML cannot contain are kept."""
    return svg.replace("\ufffd", "\ufffe")


@_badge("badge-not-cut", "DS-BADGE-04")
def _not_cut(svg: str) -> str:
    """Long text of the badge is cut without `…`."""
    return svg.replace("…", "")


@_badge("badge-cut-in-utf-16", "DS-BADGE-04")
def _cut_in_utf_16(svg: str) -> str:
    """The text of the badge is cut by UTF-16 units."""

    def cut(match: re.Match[str]) -> str:
        text = match[1]
        units = text.encode("utf-16-le")
        if len(units) <= 128:
            return match[0]
        return f">{units[:122].decode('utf-16-le', 'ignore')}…<"

    return re.sub(">([^<>]+)<", cut, svg)


@_badge("badge-says-unknown", "DS-BADGE-02")
def _unknown(svg: str) -> str:
    """Without an app the badge says `unknown`."""
    return svg.replace(">online<", ">unknown<")


@_badge("badge-with-doctype", "DS-BADGE-05")
def _doctype(svg: str) -> str:
    """The badge has a document type."""
    return f"<!DOCTYPE svg>{svg}"


@server("paused-song-on-badge", "DS-BADGE-02")
def _paused(clock: VirtualClock) -> App:
    """The badge shows a paused song."""

    def play(body: Plain) -> None:
        if body["music"]["state"] == "paused":
            body["music"]["state"] = "playing"

    return shadowed(clock, kind=1, paths=("/api/badge.svg", "/badge.svg"), modify=play)


@layer("badge-404-when-offline", "DS-BADGE-01")
async def _badge_404(request: Request, call: Call) -> Response:
    """The badge is 404 while the device is offline."""
    if not request.path.endswith("badge.svg") or request.method != "GET":
        return await call(request)
    shown = await call(request.copy(path="/api/now"))
    if shown.json == {"status": "offline"}:
        return error(404, "not_found")
    return await call(request)
