"""Models of the v2 record: a sliding window of the recent past, and its playback policy.

As in `devicestatus.models.snapshot`, the classes declare their limits and do not check them.

Contract: DS-WINDOW-01 to 03, DS-WINDOW-05, DS-WINDOW-06, DS-WINDOW-12, DS-WINDOW-13, DS-WINDOW-15,
DS-WINDOW-16, DS-WINDOW-18, DS-EVENT-06 to 08, DS-GAP-05, DS-GAP-06, DS-POLICY-01 to 07.
"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal

import attrs

from devicestatus import limits
from devicestatus.models.snapshot import AppName, Battery, Music, RunningApps, Snapshot, System
from purewire.primitives import ABSENT, Absent
from purewire.structuring.constraints import FieldOverride, Integer, Items, Pattern, TimestampFormat

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
    """The members that one event replaces; at least one is present.

    A member that is present replaces the old value as a whole: there is no deep merge.
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
        changes: the members that it replaces.

    """

    seq: EventSeq
    at: MillisecondInstant
    changes: WindowChanges


@attrs.frozen
class WindowGap:
    """The half-open interval [start_at, end_at) in which nothing was observed, with the reason."""

    start_at: MillisecondInstant
    end_at: MillisecondInstant
    reason: GapReason


@attrs.frozen
class Window:
    """One batch of the device: the state at its start, the changes since, and the gaps.

    `devicestatus.notebook` registers `_repr_svg_` and `_repr_html_` for notebooks.

    Attributes:
        schema_version: 2.
        session_id: a UUID, which changes when the privacy configuration changes.
        batch_seq: number of the batch within the session, from 1.
        generated_at: when the device made the batch, ms since the epoch.
        window_start: start of the window, included.
        window_end: end of the window, at most 900 s after its start.
        baseline: complete state at `window_start`; its `collected_at` has millisecond form.
        events: changes in order, at most 2048.
        gaps: sorted, non-overlapping, at most 128.
        dropped_events: number of events that the device had to drop.

    """

    _repr_svg_: ClassVar[Callable[["Window"], str]]
    _repr_html_: ClassVar[Callable[["Window"], str]]

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


@attrs.frozen
class PlaybackInfo:
    """The position of a delayed projection: `at` is server time minus 420 s."""

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


def present_members(changes: WindowChanges | Snapshot) -> dict[str, Any]:
    """Return the members that changes replace, or that a snapshot has, and their values."""
    values = ((field.name, getattr(changes, field.name)) for field in attrs.fields(WindowChanges))
    return {name: value for name, value in values if value is not ABSENT}


def changed_members(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of `after` that `before` lacks, or has with another value."""
    return {
        name: value for name, value in after.items() if name not in before or before[name] != value
    }
