"""Vectors of device status: lifetimes, deadlines, projections, stored records and views."""

# ruff: noqa: E501 # tables of cases

import json
from collections.abc import Iterator
from typing import Any, Final

from devicestatus import Settings, Window
from devicestatus.engine.deadlines import (
    projection_deadline,
    response_deadline,
    snapshot_deadline,
    window_deadline,
)
from devicestatus.engine.explanation import explain
from devicestatus.engine.projection import NoData, prepare
from devicestatus.engine.record import decode
from devicestatus.engine.state import state_of
from devicestatus.http import views
from devicestatus.icons import IconIndex, index_icons, parse_manifest
from devicestatus.validation.music_urls import ITUNES
from devicestatus.validation.parse import parse_window
from purewire.instants import LAST_INSTANT, format_instant, parse_millisecond
from purewire.json import codec
from purewire.primitives import ABSENT
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.examples import NOON, RECEIVED_AT, WINDOW_END
from support.vectors.device_bodies import (
    COVER,
    DROP,
    PAGE,
    SNAPSHOT,
    START,
    WINDOW,
    Raw,
    edited,
    text,
)
from support.vectors.topics import Case, Json, Topic, body_bytes

__all__ = ["DEADLINES", "LIFETIMES", "MANIFEST", "PROJECTION", "RECORDS", "VIEWS"]

DELAY: Final = 420_000

# Lifetimes

_LIFETIMES: Final[tuple[tuple[str, str, int | str | None, int | None], ...]] = (
    ("no lifetime is configured", "DS-CONFIG-01", None, 60),
    ("the policy eco", "DS-CONFIG-02", "eco", 180),
    ("the policy realtime", "DS-CONFIG-02", "realtime", 60),
    ("a policy in capitals", "DS-CONFIG-02 DS-CONFIG-03", "ECO", None),
    ("a lifetime of 59 s", "DS-CONFIG-03", "59", None),
    ("a lifetime of 60 s", "DS-CONFIG-03", "60", 60),
    ("a lifetime of 3600 s", "DS-CONFIG-03", "3600", 3600),
    ("a lifetime of 3601 s", "DS-CONFIG-03", "3601", None),
    ("a lifetime as a number", "DS-CONFIG-03", 90, 90),
    ("a lifetime as a number that is too large", "DS-CONFIG-03", 3601, None),
    ("a lifetime with a sign", "DS-CONFIG-03", "+90", None),
    ("a lifetime with a blank", "DS-CONFIG-03", "90 ", None),
    ("a lifetime with a leading zero", "DS-CONFIG-03", "090", None),
    ("a lifetime with a fraction", "DS-CONFIG-03", "90.0", None),
    ("a lifetime with an exponent", "DS-CONFIG-03", "1e2", None),
    ("a lifetime of full-width digits", "DS-CONFIG-03", "\uff19\uff10", None),
    ("an empty lifetime", "DS-CONFIG-03", "", None),
)  # fmt: skip


def _lifetime_cases() -> Iterator[Case]:
    for title, rules, configured, seconds in _LIFETIMES:
        yield Case(title, rules, {"configured": configured}, {"seconds": seconds})


def _run_lifetime(given: Json) -> Json:
    return {"seconds": Settings(None, given["configured"]).ttl_seconds}


LIFETIMES: Final = Topic(
    "devicestatus",
    "lifetimes",
    "configured lifetimes of snapshots: seconds, or null for an invalid configuration",
    _lifetime_cases,
    _run_lifetime,
)

# Deadlines: of a snapshot with receive time, stored deadline and lifetime; of a window with its end.

_SNAPSHOT_DEADLINES: Final[tuple[tuple[str, str, int, int | None, int, int], ...]] = (
    ("stored under the present policy", "DS-DEADLINE-01 DS-DEADLINE-02", NOON, NOON + 180_000, 180, NOON + 180_000),
    ("the lifetime was raised since the write", "DS-DEADLINE-04", NOON, NOON + 60_000, 3600, NOON + 60_000),
    ("the lifetime was lowered since the write", "DS-DEADLINE-04", NOON, NOON + 180_000, 60, NOON + 60_000),
    ("the lifetime was lowered by a second", "DS-DEADLINE-04", NOON, NOON + 180_000, 179, NOON + 179_000),
    ("a legacy record under a longer lifetime", "DS-DEADLINE-03 DS-RECORD-03", NOON, None, 3600, NOON + 60_000),
    ("a legacy record under the shortest lifetime", "DS-DEADLINE-03", NOON, None, 60, NOON + 60_000),
    ("the longest lifetime", "DS-DEADLINE-01 DS-RECORD-08", NOON, NOON + 3_600_000, 3600, NOON + 3_600_000),
    ("the first instant that can be stored", "DS-DEADLINE-01", 1, 60_001, 60, 60_001),
    ("a deadline after the year 9999", "DS-DEADLINE-10", LAST_INSTANT, LAST_INSTANT + 60_000, 60, LAST_INSTANT + 60_000),
)  # fmt: skip
_WINDOW_DEADLINES: Final = (
    ("a window", "DS-DEADLINE-05 DS-DEADLINE-06", WINDOW_END),
    ("a window that ended long ago", "DS-DEADLINE-05 DS-DEADLINE-07", 1),
    ("a window whose deadline is after the year 9999", "DS-DEADLINE-10", LAST_INSTANT - 420_000),
)  # fmt: skip


def _deadline_cases() -> Iterator[Case]:
    for title, rules, received_at, stored, ttl, deadline in _SNAPSHOT_DEADLINES:
        for at, offset in (("before", -1), ("at", 0), ("after", 1)):
            now = deadline + offset
            yield Case(
                f"{title}, {at} its deadline",
                f"{rules} DS-DEADLINE-08",
                {
                    "kind": "snapshot",
                    "received_at": received_at,
                    "stored_expires_at": stored,
                    "ttl_seconds": ttl,
                    "now": now,
                },
                {"deadline": deadline, "expired": now >= deadline},
            )
    for title, rules, end in _WINDOW_DEADLINES:
        for name, length in (("projection", 420_000), ("record", 600_000)):
            for at, offset in (("before", -1), ("at", 0), ("after", 1)):
                yield Case(
                    f"{title}, {at} the deadline of its {name}",
                    f"{rules} DS-DEADLINE-08",
                    {"kind": name, "window_end": end, "now": end + length + offset},
                    {"deadline": end + length, "expired": offset >= 0},
                )


def _run_deadline(given: Json) -> Json:
    if given["kind"] == "snapshot":
        stored = given["stored_expires_at"]
        kept = ABSENT if stored is None else stored
        deadline = snapshot_deadline(given["received_at"], kept, given["ttl_seconds"]).at
    else:
        rule = projection_deadline if given["kind"] == "projection" else window_deadline
        deadline = rule(given["window_end"])
    expires_at = format_instant(response_deadline(deadline))
    return {
        "deadline": deadline,
        "expires_at": expires_at,
        "expired": given["now"] >= deadline,
    }


DEADLINES: Final = Topic(
    "devicestatus",
    "deadlines",
    "deadlines of records and projections, with the text of a response",
    _deadline_cases,
    _run_deadline,
)

# Projection


def _at(seconds: float) -> str:
    return format_instant(NOON + round(1000 * seconds))


def _event(seq: int, seconds: float, **changes: Any) -> Json:
    return {"seq": seq, "at": _at(seconds), "changes": changes}


def _gap(start: float, end: float, reason: str = "sleep") -> Json:
    return {"start_at": _at(start), "end_at": _at(end), "reason": reason}


_SONG: Final[Json] = {
    "state": "playing",
    "track": "Song",
    "artist": "Band",
    "artwork_url": COVER,
    "track_url": PAGE,
}
_STOPPED: Final[Json] = {"state": "stopped", "track": None, "artist": None}
_NO_LOAD: Final[Json] = {"load_1m": None, "load_5m": None, "load_15m": None}
_PROJECTIONS: Final[tuple[tuple[str, str, Json, tuple[float, ...]], ...]] = (
    ("a window without events", "DS-PROJECTION-01 DS-PROJECTION-02 DS-PROJECTION-04 DS-POLICY-03", {"events": [], "gaps": []}, (-0.001, 0, 450, 899.999, 900, 900.001)),
    ("a window of zero length", "DS-PROJECTION-03", {"window_end": START, "generated_at": START, "events": [], "gaps": []}, (-0.001, 0, 0.001)),
    ("a window of 1 ms", "DS-PROJECTION-02", {"window_end": _at(0.001), "generated_at": _at(0.001), "events": [], "gaps": []}, (0, 0.001)),
    ("events one after the other", "DS-PROJECTION-05 DS-PROJECTION-08", {"events": [_event(1, 10, active_app="A"), _event(2, 20, active_app="B")], "gaps": []}, (9.999, 10, 10.001, 19.999, 20, 899.999)),
    ("events of one instant", "DS-PROJECTION-06 DS-EVENT-03", {"events": [_event(4, 10, active_app="A"), _event(7, 10, active_app="B", running_apps=[]), _event(8, 10, running_apps=["B"])], "gaps": []}, (9.999, 10)),
    ("an event at each end of the window", "DS-EVENT-04 DS-PROJECTION-05", {"events": [_event(1, 0, active_app="A"), _event(2, 900, active_app="B")], "gaps": []}, (0, 899.999, 900)),
    ("a member is replaced as a whole", "DS-EVENT-07", {"baseline.music": _SONG, "events": [_event(1, 10, music=_STOPPED), _event(2, 20, system=_NO_LOAD), _event(3, 30, battery={"percent": None, "charging": None, "power_source": "unknown"})], "gaps": []}, (0, 10, 20, 30)),
    ("running apps appear", "DS-EVENT-07 DS-APP-06", {"baseline.running_apps": DROP, "events": [_event(1, 10, running_apps=["A"])], "gaps": []}, (0, 10)),
    ("a gap", "DS-GAP-01 DS-PROJECTION-04", {"events": [], "gaps": [_gap(60, 120)]}, (59.999, 60, 119.999, 120)),
    ("a gap of 1 ms", "DS-GAP-01", {"events": [], "gaps": [_gap(60, 60.001)]}, (59.999, 60, 60.001)),
    ("an event in a gap applies after it", "DS-PROJECTION-07", {"events": [_event(1, 30, active_app="A"), _event(2, 90, active_app="B")], "gaps": [_gap(60, 120, "restart")]}, (59.999, 60, 90, 120)),
    ("an event at the end of a gap", "DS-PROJECTION-07 DS-PROJECTION-08", {"events": [_event(1, 120, active_app="B")], "gaps": [_gap(60, 120, "clock")]}, (60, 119.999, 120)),
    ("an event at the start of a gap", "DS-PROJECTION-07 DS-GAP-01", {"events": [_event(1, 60, active_app="B")], "gaps": [_gap(60, 120, "overflow")]}, (59.999, 60, 120)),
    ("gaps that touch", "DS-GAP-04 DS-GAP-01", {"events": [], "gaps": [_gap(60, 120), _gap(120, 180, "clock")]}, (60, 120, 179.999, 180)),
    ("each member alone", "DS-EVENT-07", {"baseline.music": _SONG, "events": [_event(1, 10, active_app="System"), _event(2, 20, running_apps=["A", "B"]), _event(3, 30, battery={"percent": 1, "charging": True, "power_source": "ac"}), _event(4, 40, system={"load_1m": 0, "load_5m": 0, "load_15m": 0}), _event(5, 50, music={"state": "playing", "track": "New", "artist": None}), _event(6, 60, active_app=None), _event(7, 70, running_apps=[])], "gaps": []}, (0, 10, 20, 30, 40, 50, 60, 70)),
    ("the last replacement of a member", "DS-EVENT-07 DS-PROJECTION-05", {"events": [_event(n, n, active_app=f"App {n}") for n in range(1, 6)], "gaps": []}, tuple(n / 2 for n in range(12))),
    ("an event that sets the same value again", "DS-PROJECTION-08", {"events": [_event(1, 10, active_app="Editor")], "gaps": []}, (9.999, 10)),
    ("a null that stays", "DS-EVENT-07", {"events": [_event(1, 10, active_app=None), _event(2, 20, system=_NO_LOAD)], "gaps": []}, (10, 20)),
    ("between two gaps", "DS-GAP-01 DS-PROJECTION-07", {"events": [], "gaps": [_gap(0, 60), _gap(120, 900, "collection")]}, (59.999, 60, 119.999, 120)),
    ("an event just before the end of a gap", "DS-GAP-01 DS-PROJECTION-07", {"events": [_event(1, 119.999, active_app="B", running_apps=["B"])], "gaps": [_gap(60, 120)]}, (59.999, 119.999, 120)),
    ("a window generated late", "DS-PROJECTION-02", {"batch_seq": 9, "generated_at": "2026-01-01T12:15:30.000Z", "dropped_events": 7, "events": [], "gaps": []}, (899.999, 900)),
    ("gaps at both ends", "DS-GAP-03", {"events": [], "gaps": [_gap(0, 10), _gap(890, 900, "collection")]}, (0, 9.999, 10, 889.999, 890, 899.999)),
    ("a gap over the whole window", "DS-GAP-03", {"events": [_event(1, 5, active_app="A")], "gaps": [_gap(0, 900)]}, (0, 450, 899.999, 900)),
)  # fmt: skip


def _projection_cases() -> Iterator[Case]:
    for title, rules, edits, seconds in _PROJECTIONS:
        instants = [NOON + round(1000 * each) + DELAY for each in seconds]
        yield Case(title, rules, {"window": edited(WINDOW, edits), "now": instants})
    early = {"1970-01-01T00:00:00.000Z": "window_start", "1970-01-01T00:05:00.000Z": "window_end"}
    edits = {name: at for at, name in early.items()} | {"events": [], "gaps": []}
    edits |= {"generated_at": edits["window_end"], "baseline.collected_at": edits["window_start"]}
    yield Case(
        "a projected time before the epoch",
        "DS-PROJECTION-11",
        {"window": edited(WINDOW, edits), "now": [1, DELAY - 1, DELAY]},
    )


def _window_of(plain: Json) -> Window:
    received_at = parse_millisecond(plain["generated_at"])
    return parse_window(json.dumps(plain).encode(), received_at=received_at)


def _run_projection(given: Json) -> Json:
    prepared = prepare(_window_of(given["window"]))
    found = [prepared.project(now) for now in given["now"]]
    return {"states": [_projected(each) for each in found]}


def _projected(found: Any) -> Json:
    if not isinstance(found, NoData):
        return {"online": True, "state": to_builtins(found)}
    plain: Json = {"online": False, "reason": found.reason}
    if found.gap is not None:
        plain["gap"] = to_builtins(found.gap)
    return plain


PROJECTION: Final = Topic(
    "devicestatus",
    "projection",
    "a window at several server times: the state 420 s before, or why there is none",
    _projection_cases,
    _run_projection,
)

# Stored records

_STORED: Final[Json] = {"received_at": NOON, "expires_at": NOON + 60_000, "data": SNAPSHOT}
_STORED_WINDOW: Final[Json] = {
    "received_at": RECEIVED_AT,
    "expires_at": WINDOW_END + 600_000,
    "data": WINDOW,
}
_IN_GAP: Final = NOON + 300_000 + DELAY
_LEGACY: Final[Json] = {"expires_at": DROP}
_YEAR: Final = NOON - 365 * 86_400_000
"""A time that the data of the records do not have."""
_SHOWN: Final = NOON + 1000
_PLAYED: Final = RECEIVED_AT + 1000

_RECORDS: Final[tuple[tuple[str, str, Json, Json, int, str | None], ...]] = (
    ("a snapshot as it is received", "DS-RECORD-02 DS-NOW-04", _STORED, {}, NOON, None),
    ("a snapshot before it is received", "DS-RECORD-07", _STORED, {}, NOON - 1, "future"),
    ("a snapshot just before its deadline", "DS-DEADLINE-08", _STORED, {}, NOON + 59_999, None),
    ("a snapshot at its deadline", "DS-DEADLINE-08 DS-NOW-04", _STORED, {}, NOON + 60_000, "expired"),
    ("a snapshot whose device clock is 120 s ahead", "DS-RECORD-04", _STORED, {"data.collected_at": "2026-01-01T12:02:00.000Z"}, _SHOWN, None),
    ("a legacy snapshot", "DS-RECORD-03 DS-DEADLINE-03", _STORED, _LEGACY, NOON + 59_999, None),
    ("a legacy snapshot after 60 s", "DS-RECORD-03 DS-DEADLINE-03", _STORED, _LEGACY, NOON + 60_000, "expired"),
    ("members in another order", "DS-RECORD-02", {name: _STORED[name] for name in ("data", "expires_at", "received_at")}, {}, _SHOWN, None),
    ("times as 1.0", "DS-RECORD-02 DS-JSON-09", _STORED, {"received_at": Raw(f"{NOON}.0")}, _SHOWN, None),
    ("an unknown member beside the data", "DS-RECORD-05 DS-RECORD-11", _STORED, {"version": 1}, _SHOWN, "corrupt"),
    ("an unknown member in the data", "DS-RECORD-04", _STORED, {"data.mood": "good"}, _SHOWN, "corrupt"),
    ("no receive time", "DS-RECORD-06", _STORED, {"received_at": DROP}, _SHOWN, "corrupt"),
    ("a receive time of 0", "DS-RECORD-06", _STORED, {"received_at": 0}, _SHOWN, "corrupt"),
    ("a negative receive time", "DS-RECORD-06", _STORED, {"received_at": -1}, _SHOWN, "corrupt"),
    ("a receive time with a fraction", "DS-RECORD-06", _STORED, {"received_at": NOON + 0.5}, _SHOWN, "corrupt"),
    ("a receive time as text", "DS-RECORD-06", _STORED, {"received_at": START}, _SHOWN, "corrupt"),
    ("a receive time that is null", "DS-RECORD-06", _STORED, {"received_at": None}, _SHOWN, "corrupt"),
    ("a deadline that is null", "DS-RECORD-08", _STORED, {"expires_at": None}, _SHOWN, "corrupt"),
    ("a lifetime of 59 s in the record", "DS-RECORD-08", _STORED, {"expires_at": NOON + 59_000}, _SHOWN, "corrupt"),
    ("a lifetime of 3600 s in the record", "DS-RECORD-08", _STORED, {"expires_at": NOON + 3_600_000}, _SHOWN, None),
    ("a lifetime of 3601 s in the record", "DS-RECORD-08", _STORED, {"expires_at": NOON + 3_601_000}, _SHOWN, "corrupt"),
    ("a lifetime of 60.5 s in the record", "DS-RECORD-08", _STORED, {"expires_at": NOON + 60_500}, _SHOWN, "corrupt"),
    ("a deadline before the receive time", "DS-RECORD-08", _STORED, {"expires_at": NOON - 1000}, _SHOWN, "corrupt"),
    ("data collected 120.001 s before they were received", "DS-RECORD-04", _STORED, {"data.collected_at": "2026-01-01T11:57:59.999Z"}, _SHOWN, "corrupt"),
    ("data of another year", "DS-RECORD-04", _STORED, {"received_at": _YEAR, "expires_at": _YEAR + 60_000}, _YEAR + 1000, "corrupt"),
    ("no data", "DS-RECORD-02 DS-RECORD-11", _STORED, {"data": DROP}, _SHOWN, "corrupt"),
    ("data that are null", "DS-RECORD-02", _STORED, {"data": None}, _SHOWN, "corrupt"),
    ("a battery of 101 percent in the data", "DS-RECORD-04 DS-RECORD-11", _STORED, {"data.battery.percent": 101}, _SHOWN, "corrupt"),
    ("one URL without the other in the data", "DS-RECORD-04", _STORED, {"data.music.artwork_url": COVER}, _SHOWN, "corrupt"),
    ("a stored window", "DS-RECORD-02 DS-RECORD-09", _STORED_WINDOW, {}, _PLAYED, None),
    ("a stored window before it is received", "DS-RECORD-07", _STORED_WINDOW, {}, RECEIVED_AT - 1, "future"),
    ("a stored window in a gap", "DS-PROJECTION-04", _STORED_WINDOW, {"received_at": _IN_GAP, "data.generated_at": format_instant(_IN_GAP), "data.window_end": format_instant(_IN_GAP), "expires_at": _IN_GAP + 600_000}, _IN_GAP, "gap"),
    ("a stored window in warm-up", "DS-PROJECTION-02 DS-TIMELINE-05", _STORED_WINDOW, {"received_at": NOON + 300_000, "data.generated_at": "2026-01-01T12:05:00.000Z", "data.window_end": "2026-01-01T12:05:00.000Z", "expires_at": NOON + 900_000, "data.gaps": []}, NOON + 419_999, "warm-up"),
    ("a stored window just before its projection ends", "DS-DEADLINE-06", _STORED_WINDOW, {}, WINDOW_END + 419_999, None),
    ("a stored window whose projection ended", "DS-DEADLINE-06 DS-TIMELINE-05", _STORED_WINDOW, {}, WINDOW_END + 420_000, "exhausted"),
    ("a stored window just before its deadline", "DS-DEADLINE-05 DS-TIMELINE-02", _STORED_WINDOW, {}, WINDOW_END + 599_999, "exhausted"),
    ("a stored window at its deadline", "DS-DEADLINE-05 DS-DEADLINE-08", _STORED_WINDOW, {}, WINDOW_END + 600_000, "exhausted"),
    ("a window without a deadline", "DS-RECORD-09", _STORED_WINDOW, _LEGACY, _PLAYED, "corrupt"),
    ("a window with a deadline 1 ms early", "DS-RECORD-09", _STORED_WINDOW, {"expires_at": WINDOW_END + 599_999}, _PLAYED, "corrupt"),
    ("a window with a deadline 1 ms late", "DS-RECORD-09", _STORED_WINDOW, {"expires_at": WINDOW_END + 600_001}, _PLAYED, "corrupt"),
    ("a window with a deadline after its receive time", "DS-RECORD-09 DS-DEADLINE-07", _STORED_WINDOW, {"expires_at": RECEIVED_AT + 600_000}, _PLAYED, "corrupt"),
    ("a window received 120.001 s after it was generated", "DS-RECORD-04", _STORED_WINDOW, {"received_at": WINDOW_END + 120_001}, WINDOW_END + 130_000, "corrupt"),
    ("a stored window with events in disorder", "DS-RECORD-04", _STORED_WINDOW, {"data.events.1.seq": 1}, _PLAYED, "corrupt"),
    ("a stored window with an empty gap", "DS-RECORD-04", _STORED_WINDOW, {"data.gaps.0.end_at": "2026-01-01T12:05:00.000Z"}, _PLAYED, "corrupt"),
    ("a window under the times of a snapshot", "DS-RECORD-08 DS-RECORD-09", _STORED, {"data": WINDOW}, _SHOWN, "corrupt"),
)  # fmt: skip
_VALUES: Final[tuple[tuple[str, str, list[str | Json] | None, str | None], ...]] = (
    ("no record", "DS-NOW-04 DS-TIMELINE-04", None, "no-record"),
    ("an empty value", "DS-RECORD-11", [], "corrupt"),
    ("a value that is no JSON", "DS-RECORD-11", ["online"], "corrupt"),
    ("a truncated value", "DS-RECORD-11", [text(_STORED)[:-1]], "corrupt"),
    ("a value that is not UTF-8", "DS-RECORD-02", [{"base64": "/w=="}], "corrupt"),
    ("a value that is a list", "DS-RECORD-02", ["[", text(_STORED), "]"], "corrupt"),
    ("a body without the times", "DS-RECORD-02", [text(SNAPSHOT)], "corrupt"),
    ("a value that is nested without end", "DS-RECORD-11 DS-JSON-05", [{"repeat": "[", "times": 100_000}], "corrupt"),
    ("a value of 1,048,576 bytes", "DS-RECORD-10", [text(_STORED), {"repeat": " ", "times": 1_048_576 - len(text(_STORED))}], None),
    ("a value of 1,048,577 bytes", "DS-RECORD-10", [text(_STORED), {"repeat": " ", "times": 1_048_577 - len(text(_STORED))}], "corrupt"),
    ("a member twice in a value, the last one valid", "DS-JSON-08 DS-RECORD-02", [text(_STORED)[:-1].replace('"received_at"', '"received_at":0,"received_at"') + "}"], None),
)  # fmt: skip


def _record_cases() -> Iterator[Case]:
    for title, rules, base, edits, now, reason in _RECORDS:
        yield _record_case(title, rules, [text(edited(base, edits))], now, reason)
    for title, rules, value, reason in _VALUES:
        yield _record_case(title, rules, value, _SHOWN, reason)


def _record_case(
    title: str, rules: str, value: list[str | Json] | None, now: int, reason: str | None
) -> Case:
    given = {"value": value, "ttl_seconds": 3600, "now": now}
    return Case(title, rules, given, {"reason": reason, "now": _status(reason is None)})


def _status(online: bool) -> str:
    return "online" if online else "offline"


def _run_record(given: Json) -> Json:
    value = None if given["value"] is None else body_bytes(given["value"])
    now, ttl_seconds = given["now"], given["ttl_seconds"]
    explanation = explain(value, now, Settings(None, ttl_seconds))
    record = decode(value, ITUNES)
    prepared = None if record is None else record
    timeline = views.timeline(prepared, now=now, ttl_seconds=ttl_seconds)
    return {
        "now": _status(explanation.online),
        "timeline": timeline.status,
        "reason": explanation.reason,
    }


RECORDS: Final = Topic(
    "devicestatus",
    "records",
    "stored values: online or offline on `/api/now` and `/api/timeline`, and why",
    _record_cases,
    _run_record,
)

# Views

MANIFEST: Final[Json] = {
    "version": 1,
    "icons": [
        {
            "id": "editor",
            "app": "Editor",
            "aliases": ["Code Editor", "\uff25ditor Pro"],
            "imageUrl": "/api/icons/editor.png",
            "source": "installed-app",
            "credit": "Example",
            "sourceUrl": None,
        },
        {
            "id": "files-2",
            "app": "Files",
            "aliases": ["Editor", "System", "Explorer"],
            "imageUrl": "/api/icons/files-2.png",
            "source": "installed-app",
            "credit": "Example",
            "sourceUrl": "https://example.org/icons",
            "sha256": "0" * 64,
        },
    ],
}
_PATHS: Final = {
    "/api/now": "DS-NOW-01 DS-NOW-03 DS-NOW-06",
    "/api/timeline": "DS-TIMELINE-01 DS-TIMELINE-03",
    "/api/music": "DS-SLICE-01 DS-SLICE-04",
    "/api/apps/active": "DS-SLICE-01 DS-SLICE-05 DS-SLICE-08",
    "/api/apps/running": "DS-SLICE-01 DS-SLICE-06 DS-SLICE-08",
    "/api/device": "DS-SLICE-01 DS-SLICE-07",
}
_VIEWED: Final[tuple[tuple[str, str, Json, Json, int, int], ...]] = (
    ("a snapshot", "DS-TIME-05", _STORED, {"data.collected_at": "2026-01-01T11:59:59Z"}, 60, _SHOWN),
    ("a snapshot with a pair of URLs", "DS-NOW-05 DS-URL-11", _STORED, {"data.music": _SONG}, 60, _SHOWN),
    ("a snapshot with a pair of nulls", "DS-NOW-05", _STORED, {"data.music": _STOPPED | {"artwork_url": None, "track_url": None}}, 60, _SHOWN),
    ("a snapshot without running apps", "DS-APP-06 DS-SERVICE-11", _STORED, {"data.running_apps": DROP, "data.active_app": None, "data.system": _NO_LOAD}, 60, _SHOWN),
    ("a snapshot of private and unknown apps", "DS-SLICE-09 DS-APP-03", _STORED, {"data.running_apps": ["System", "Unknown", "explorer"], "data.active_app": "System"}, 60, _SHOWN),
    ("a snapshot with no apps", "DS-APP-06", _STORED, {"data.running_apps": [], "data.active_app": "Files"}, 60, _SHOWN),
    ("a snapshot under a shorter lifetime", "DS-DEADLINE-04 DS-SLICE-02", _STORED, {"expires_at": NOON + 180_000}, 60, _SHOWN),
    ("a legacy snapshot under a longer lifetime", "DS-DEADLINE-03", _STORED, _LEGACY, 3600, _SHOWN),
    ("an expired snapshot", "DS-SERVICE-10 DS-SLICE-03 DS-TIMELINE-04", _STORED, {}, 60, NOON + 60_000),
    ("a window at its baseline", "DS-PROJECTION-08 DS-PROJECTION-09 DS-NOW-02", _STORED_WINDOW, {}, 60, RECEIVED_AT),
    ("a window after its events", "DS-PROJECTION-08 DS-PROJECTION-09 DS-NOW-02", _STORED_WINDOW, {"data.events.1.changes": {"music": _SONG, "running_apps": []}}, 60, WINDOW_END + 400_000),
    ("a window whose projection ended", "DS-SERVICE-10 DS-TIMELINE-05 DS-PROJECTION-10", _STORED_WINDOW, {}, 60, WINDOW_END + 420_000),
    ("a window that expired", "DS-SERVICE-10 DS-TIMELINE-04", _STORED_WINDOW, {}, 60, WINDOW_END + 600_000),
)  # fmt: skip


def _view_cases() -> Iterator[Case]:
    for title, rules, base, edits, ttl, now in _VIEWED:
        record = edited(base, edits)
        for path, own in _PATHS.items():
            given = {
                "path": path,
                "record": record,
                "manifest": MANIFEST if path.startswith("/api/apps/") else None,
                "ttl_seconds": ttl,
                "now": now,
            }
            yield Case(f"{title}: {path}", f"{own} {rules}", given)


def _run_view(given: Json) -> Json:
    record = decode(json.dumps(given["record"]).encode(), ITUNES)
    assert record is not None
    prepared, now, ttl = record, given["now"], given["ttl_seconds"]
    if given["path"] == "/api/timeline":
        return {"body": codec.decode(views.timeline_json(prepared, now=now, ttl_seconds=ttl))}
    state = state_of(prepared, now=now, ttl_seconds=ttl)
    icons = _icons(given["manifest"])
    body: Any
    match given["path"]:
        case "/api/now":
            body = views.now(state)
        case "/api/music":
            body = views.music(state)
        case "/api/apps/active":
            body = views.active_app(state, icons)
        case "/api/apps/running":
            body = views.running_apps(state, icons)
        case _:
            body = views.device(state)
    return {"body": to_builtins(body)}


def _icons(plain: Json | None) -> IconIndex:
    if plain is None:
        return IconIndex()
    manifest = parse_manifest(json.dumps(plain).encode())
    assert manifest is not None
    return index_icons(manifest)


VIEWS: Final = Topic(
    "devicestatus",
    "views",
    "bodies of `/api/now`, `/api/timeline` and the category endpoints",
    _view_cases,
    _run_view,
)
