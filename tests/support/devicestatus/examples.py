"""Small valid values for tests: models, plain values and bodies, all around one noon.

Each builder takes the members that matter to a test and fills in the rest; what it gives is valid
with `RECEIVED_AT` as its receive time.
"""

import json
from typing import Any

import attrs

from devicestatus import limits
from devicestatus.deadlines import window_deadline
from devicestatus.models import (
    Battery,
    GapReason,
    Music,
    Snapshot,
    System,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
)
from devicestatus.projection import prepare
from devicestatus.record import SnapshotRecord, WindowRecord
from status_contracts.instants import MINUTE_MS, SECOND_MS
from status_contracts.structuring.converter import unstructure
from support.checks import canary

NOON = 1_767_268_800_000
"""2026-01-01T12:00:00.000Z: when windows start and snapshots are collected."""
WINDOW_END = NOON + 15 * MINUTE_MS
RECEIVED_AT = WINDOW_END + SECOND_MS
"""When windows are received; snapshots of `snapshot_record` are received at `NOON`."""
DELAY = 7 * MINUTE_MS
"""How far playback runs behind server time."""
SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e"
TOKEN = canary.TOKEN
JSON_HEADERS = (
    (b"authorization", b"Bearer " + TOKEN.encode()),
    (b"content-type", b"application/json"),
)

ACCEPTED = (
    b'{"ok":true,"updated_at":"2026-01-01T00:00:00.000Z","expires_at":"2026-01-01T00:01:00.000Z"}'
)
"""The body of a response to an accepted write."""

BATTERY = Battery(82, False, "battery")
SYSTEM = System(1.5, 1.25, 1)
SONG = Music("playing", "Song", "Band")
COVERED_SONG = attrs.evolve(
    SONG,
    artwork_url="https://is1-ssl.mzstatic.com/image/cover.jpg",
    track_url="https://music.apple.com/us/album/song/1?i=2",
)
NOTHING = Snapshot(
    NOON,
    None,
    Battery(None, None, "unknown"),
    System(None, None, None),
    Music("unavailable", None, None),
)
"""A status of which nothing is reported."""


def snapshot(**members: Any) -> Snapshot:
    """Return a snapshot collected at `NOON`, without `running_apps`."""
    example = Snapshot(NOON, "Editor", BATTERY, SYSTEM, SONG)
    return attrs.evolve(example, **members)


def event(seq: int, at: int, **changes: Any) -> WindowEvent:
    """Return an event; without changes it sets the active app to `App <seq>`."""
    return WindowEvent(seq, at, WindowChanges(**(changes or {"active_app": f"App {seq}"})))


def gap(start_at: int, end_at: int, reason: GapReason = "sleep") -> WindowGap:
    """Return a gap."""
    return WindowGap(start_at, end_at, reason)


def window(**members: Any) -> Window:
    """Return a window from `NOON` to `WINDOW_END` without events and gaps.

    Where only one end is given, the other members follow it: the baseline is collected at
    `window_start`, the batch generated at `window_end`.
    """
    start = members.get("window_start", NOON)
    end = members.get("window_end", WINDOW_END)
    filled: dict[str, Any] = {
        "session_id": SESSION,
        "batch_seq": 1,
        "generated_at": end,
        "window_start": start,
        "window_end": end,
        "baseline": snapshot(collected_at=start),
        "events": (),
        "gaps": (),
        "dropped_events": 0,
    }
    return Window(**(filled | members))


def crowded_window() -> Window:
    """Return a window with the most events and gaps: two events at an instant, gaps that touch."""
    seqs = range(1, limits.WINDOW_EVENTS + 1)
    width = 15 * MINUTE_MS // limits.WINDOW_GAPS
    edges = range(NOON, WINDOW_END, width)[: limits.WINDOW_GAPS]
    return window(
        events=tuple(event(seq, NOON + seq // 2 * 800) for seq in seqs),
        gaps=tuple(gap(edge, edge + width, "collection") for edge in edges),
    )


def snapshot_record(**members: Any) -> SnapshotRecord:
    """Return a snapshot received at `NOON` under a lifetime of 60 s."""
    example = SnapshotRecord(NOON, snapshot(), NOON + MINUTE_MS)
    return attrs.evolve(example, **members)


def window_record(data: Window | None = None, received_at: int = RECEIVED_AT) -> WindowRecord:
    """Return the record that a batch makes."""
    data = window() if data is None else data
    return WindowRecord(received_at, data, window_deadline(data.window_end))


def state_at(of: Window, at: int) -> Snapshot:
    """Return the baseline plus the events up to an instant of a window, without its gaps."""
    state = prepare(attrs.evolve(of, gaps=(), window_end=at + 1)).projection_at(at)
    assert isinstance(state, Snapshot)
    return state


def plain(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the plain JSON value of a model, free to be changed."""
    return unstructure(model)


def body(value: object) -> bytes:
    """Return the JSON text of a plain value, or of a model, as any client may write it."""
    if isinstance(value, Snapshot | Window | SnapshotRecord | WindowRecord):
        value = unstructure(value)
    return json.dumps(value).encode()
