"""The v2 record: a sliding window of the recent past, and how it is played back.

Source: device-status specification, "Window (v2 record, WindowInput)", "PlaybackInfo",
"WindowPolicy".  As in `devicestatus.models.snapshot`, the classes hold values and state their
limits; a window shows itself in a notebook as `devicestatus.rendering.timeline` draws it, which is
imported then.
"""

import re
from importlib import import_module
from typing import Annotated, Literal

import attrs

from devicestatus import limits
from devicestatus.models.snapshot import AppName, Battery, Music, RunningApps, Snapshot, System
from purewire.absent import ABSENT, Absent
from purewire.instants import format_instant
from purewire.structuring.constraints import FieldOverride, Integer, Items, Pattern, TimestampFormat

__all__ = [
    "BatchSeq",
    "Count",
    "EventSeq",
    "GapReason",
    "MillisecondInstant",
    "PlaybackInfo",
    "SessionId",
    "Window",
    "WindowChanges",
    "WindowEvent",
    "WindowGap",
    "WindowPolicy",
]

MillisecondInstant = Annotated[int, TimestampFormat.MILLISECOND]
SessionId = Annotated[
    str,
    Pattern(
        re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
        "a lowercase UUID of 8-4-4-4-12 hex digits",
    ),
]
BatchSeq = Annotated[int, Integer(1, limits.LARGEST_INTEGER)]
EventSeq = Annotated[int, Integer(1, limits.LARGEST_INTEGER)]
Count = Annotated[int, Integer(0, limits.LARGEST_INTEGER)]
GapReason = Literal["sleep", "restart", "collection", "overflow", "clock"]


@attrs.frozen
class WindowChanges:
    """What one event replaces; at least one member is given.

    A member that is given replaces the old value as a whole: there is no deep merge.
    """

    active_app: AppName | Absent | None = ABSENT
    running_apps: RunningApps | Absent = ABSENT
    battery: Battery | Absent = ABSENT
    system: System | Absent = ABSENT
    music: Music | Absent = ABSENT


@attrs.frozen
class WindowEvent:
    """One observed change.

    Attributes:
        seq: strictly increasing within the batch.
        at: device observation time, ms since the epoch, inside the window, non-decreasing.
        changes: what it replaces.

    """

    seq: EventSeq
    at: MillisecondInstant
    changes: WindowChanges


@attrs.frozen
class WindowGap:
    """The half-open interval [start_at, end_at) in which nothing was observed, and why."""

    start_at: MillisecondInstant
    end_at: MillisecondInstant
    reason: GapReason


@attrs.frozen
class Window:
    """One batch of the device: the state at its start, the changes since, and the gaps.

    Attributes:
        schema_version: 2.
        session_id: changes when the privacy configuration changes.
        batch_seq: number of the batch within the session, from 1.
        generated_at: when the device made the batch, ms since the epoch.
        window_start: first instant of the window.
        window_end: end of the window, at most 900 s after its start.
        baseline: complete state at `window_start`; its `collected_at` has millisecond form.
        events: changes in order, at most 2048.
        gaps: sorted, non-overlapping, at most 128.
        dropped_events: events that the device had to leave out.

    """

    schema_version: Literal[2] = attrs.field(default=2, kw_only=True)
    session_id: SessionId
    batch_seq: BatchSeq
    generated_at: MillisecondInstant
    window_start: MillisecondInstant
    window_end: MillisecondInstant
    baseline: Annotated[Snapshot, FieldOverride("collected_at", MillisecondInstant)]
    events: Annotated[tuple[WindowEvent, ...], Items(limits.WINDOW_EVENTS)]
    gaps: Annotated[tuple[WindowGap, ...], Items(limits.WINDOW_GAPS)]
    dropped_events: Count

    def _repr_svg_(self) -> str:
        """Show what notebooks show: lanes over time (`devicestatus.rendering.timeline`)."""
        svg: bytes = import_module("devicestatus.rendering.timeline").lanes(
            self, theme="transparent"
        )
        return svg.decode()

    def _repr_html_(self) -> str:
        """Show the same above a table of one row, in which nothing is markup."""
        head = ("session", "batch", "generated at", "events", "dropped", "gaps")
        numbers = (len(self.events), self.dropped_events, len(self.gaps))
        cells = (self.session_id, str(self.batch_seq), format_instant(self.generated_at))
        html_table = import_module("purewire.html_table").html_table
        table = html_table("Window", head, [(*cells, *map(str, numbers))])
        return f"<div>{self._repr_svg_()}</div>{table}"


@attrs.frozen
class PlaybackInfo:
    """Where a delayed projection stands: `at` is server time minus 420 s."""

    mode: Literal["delayed"] = attrs.field(default="delayed", kw_only=True)
    delay_seconds: Literal[420] = attrs.field(default=limits.PLAYBACK_DELAY_SECONDS, kw_only=True)
    at: MillisecondInstant
    window_end: MillisecondInstant


@attrs.frozen
class WindowPolicy:
    """The constants of buffered playback, in seconds."""

    upload_interval_seconds: Literal[300] = limits.UPLOAD_INTERVAL_SECONDS
    window_seconds: Literal[900] = limits.WINDOW_SECONDS
    playback_delay_seconds: Literal[420] = limits.PLAYBACK_DELAY_SECONDS
    poll_interval_seconds: Literal[60] = limits.POLL_INTERVAL_SECONDS
    sample_interval_seconds: Literal[2] = limits.SAMPLE_INTERVAL_SECONDS
    metrics_interval_seconds: Literal[30] = limits.METRICS_INTERVAL_SECONDS
