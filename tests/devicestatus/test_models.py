"""Models are values: frozen, comparable, and unchecked until they are validated.

What each member may be is in `vectors/devicestatus/parsing.json`, which `test_parse` runs.
"""

from typing import Any, get_args, get_type_hints

import attrs
import pytest

from devicestatus.deadlines import Deadline
from devicestatus.durations import intervals
from devicestatus.explanation import explain
from devicestatus.models import Snapshot, WindowChanges, WindowEvent, WindowGap, WindowPolicy
from devicestatus.parsing import parse_snapshot, parse_window
from devicestatus.settings import Settings
from status_contracts.instants import LAST_INSTANT
from status_contracts.primitives import ABSENT
from status_contracts.structuring.converter import unstructure
from support.devicestatus.entry_points import put
from support.devicestatus.examples import (
    NOON,
    RECEIVED_AT,
    body,
    event,
    plain,
    snapshot,
    snapshot_record,
    window,
)

SNAPSHOT = plain(snapshot())
WINDOW = plain(window(events=(event(1, NOON), event(2, NOON + 1))))


def read(value: dict[str, Any]) -> Snapshot:
    return parse_snapshot(body(value), received_at=NOON)


def changes_of(changes: dict[str, Any]) -> WindowChanges:
    value = put(WINDOW, "events/1/changes", changes)
    return parse_window(body(value), received_at=RECEIVED_AT).events[1].changes


def test_absent_and_null_and_empty_are_three_things() -> None:
    assert read(SNAPSHOT).running_apps is ABSENT
    assert read(put(SNAPSHOT, "running_apps", [])).running_apps == ()
    absent = read(SNAPSHOT).music
    null = read(put(put(SNAPSHOT, "music/artwork_url", None), "music/track_url", None)).music
    assert (absent.artwork_url, absent.track_url) == (ABSENT, ABSENT)
    assert (null.artwork_url, null.track_url) == (None, None)
    assert changes_of({"active_app": None}) == WindowChanges(active_app=None)
    assert changes_of({"running_apps": []}).active_app is ABSENT


def test_the_policy_is_typed_by_its_values() -> None:
    assert unstructure(WindowPolicy()) == {
        "upload_interval_seconds": 300,
        "window_seconds": 900,
        "playback_delay_seconds": 420,
        "poll_interval_seconds": 60,
        "sample_interval_seconds": 2,
        "metrics_interval_seconds": 30,
    }
    types = get_type_hints(WindowPolicy)
    assert {name: get_args(types[name]) for name in types} == {
        name: (value,) for name, value in attrs.asdict(WindowPolicy()).items()
    }


INVALID: Any = None
REPRS = {
    "a snapshot": (
        snapshot(running_apps=("Editor", "Mail")),
        "<Snapshot of 2026-01-01T12:00:00.000Z: app='Editor', running_apps=2>",
    ),
    "a window": (
        window(events=(event(1, NOON),)),
        "<Window 1: 2026-01-01T12:00:00.000Z to 2026-01-01T12:15:00.000Z, 1 events, 0 gaps>",
    ),
    "a gap": (
        WindowGap(NOON, NOON + 1, "sleep"),
        (
            "WindowGap(start_at=2026-01-01T12:00:00.000Z, end_at=2026-01-01T12:00:00.001Z,"
            " reason='sleep')"
        ),
    ),
    "an event": (
        WindowEvent(7, NOON, WindowChanges("x", battery=snapshot().battery)),
        (
            "WindowEvent(seq=7, at=2026-01-01T12:00:00.000Z,"
            " changes=<WindowChanges of active_app, battery>)"
        ),
    ),
    "no changes": (WindowChanges(), "<WindowChanges of nothing>"),
    "a record": (
        snapshot_record(),
        "SnapshotRecord(received_at=2026-01-01T12:00:00.000Z, expires_at=2026-01-01T12:01:00.000Z)",
    ),
    "an explanation": (
        explain(snapshot_record(), NOON, Settings(None)),
        "<Explanation: online, next change 2026-01-01T12:01:00.000Z>",
    ),
    "an explanation of nothing": (
        explain(None, NOON, Settings(None)),
        "<Explanation: offline, no-record, next change None>",
    ),
    "a deadline": (
        Deadline(LAST_INSTANT + 1, "stored"),
        "Deadline(at=253402300800000, rule='stored')",
    ),
    "an interval": (
        intervals(window(), "active_app")[0],
        "Interval(start=2026-01-01T12:00:00.000Z, end=2026-01-01T12:15:00.000Z, value='Editor')",
    ),
    "invalid members": (
        snapshot(collected_at=INVALID, active_app=5, running_apps=INVALID),
        "<Snapshot of None: app=5, running_apps=None>",
    ),
}


@pytest.mark.parametrize("name", REPRS)
def test_a_repr_fits_a_line(name: str) -> None:
    value, text = REPRS[name]
    assert repr(value) == text
    assert len(text) <= 100
