"""What a consumer reads in an answer of `/api/timeline`.

Source: device-status specification, "Response objects", "GET /api/timeline", "Versioning" rule 5.

Invariant *later versions read*: members that this version does not know are passed over at every
depth, whatever they are called; all else is held to the contract, so that what is kept needs no
second look.
Invariant *only the service's word*: an answer whose times contradict each other (received after it
was answered, answered after its deadline) is no answer of a service.
"""

from typing import Any, Final, Literal, TypeVar

import attrs

from devicestatus.engine.deadlines import is_before, response_deadline, window_deadline
from devicestatus.models.snapshot import Snapshot, UtcInstant
from devicestatus.models.window import MillisecondInstant, Window, WindowPolicy
from devicestatus.validation.cross_field import snapshot_findings, window_findings
from devicestatus.validation.music_urls import CatalogHosts
from purewire.json import codec
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.drop_unknown import known

__all__ = ["NoAnswer", "OfflineAnswer", "SnapshotAnswer", "WindowAnswer", "read_timeline"]

NoAnswer = Literal["unreadable", "error", "invalid"]
"""Why there is no answer: no JSON text or none of a timeline; an error of the service; a timeline
that breaks the contract."""


@attrs.frozen
class OfflineAnswer:
    """There is no valid record."""


@attrs.frozen
class SnapshotAnswer:
    """A v1 record; all instants in ms since the epoch."""

    server_time: int
    updated_at: int
    expires_at: int
    snapshot: Snapshot


@attrs.frozen
class WindowAnswer:
    """A v2 record; all instants in ms since the epoch."""

    status: Literal["online"] = attrs.field(default="online", kw_only=True)
    mode: Literal["window"] = attrs.field(default="window", kw_only=True)
    server_time: MillisecondInstant
    updated_at: UtcInstant
    expires_at: MillisecondInstant
    policy: WindowPolicy
    window: Window


@attrs.frozen
class _Envelope:
    """What stands around the snapshot of a v1 record."""

    server_time: MillisecondInstant
    updated_at: UtcInstant
    expires_at: UtcInstant


M = TypeVar("M", bound=attrs.AttrsInstance)

_FINDINGS_CAP: Final = 1
"""Whether there is a fault is all that is asked."""

_WINDOWS: Final = ModelDecoder(WindowAnswer, cap=_FINDINGS_CAP)
_ENVELOPES: Final = ModelDecoder(_Envelope, cap=_FINDINGS_CAP)
_SNAPSHOTS: Final = ModelDecoder(Snapshot, cap=_FINDINGS_CAP)


def read_timeline(
    body: bytes, catalog: CatalogHosts
) -> WindowAnswer | SnapshotAnswer | OfflineAnswer | NoAnswer:
    """Read the body of an answer, or say why it is none; raises nothing for any bytes.

    Args:
        body: the whole body, whatever its status was.
        catalog: the music catalog's hosts, as the service has them.

    """
    window = _WINDOWS.try_decode(body)
    if window is not None:
        return _judged(window, catalog)
    try:
        plain = codec.decode(body)
    except (codec.JsonTextError, codec.JsonDepthError):
        return "unreadable"
    return _read(plain, catalog) if isinstance(plain, dict) else "unreadable"


def _read(
    plain: dict[str, Any], catalog: CatalogHosts
) -> WindowAnswer | SnapshotAnswer | OfflineAnswer | NoAnswer:
    status = plain.get("status")
    if status == "online":
        return (
            _snapshot(plain, catalog) if plain.get("mode") == "snapshot" else _cut(plain, catalog)
        )
    if "error" in plain:
        return "error"
    return OfflineAnswer() if status == "offline" else "unreadable"


def _cut(plain: dict[str, Any], catalog: CatalogHosts) -> WindowAnswer | NoAnswer:
    """Read a window without the members that this version does not know."""
    answer = _sound(_WINDOWS, plain)
    if answer is None:
        return "invalid"
    # An event may change only what a later version knows, but not nothing.
    changes = [event["changes"] for event in plain["window"]["events"]]
    return _judged(answer, catalog, spared="changes.empty") if all(changes) else "invalid"


def _sound(paths: ModelDecoder[M], plain: object) -> M | None:
    model, findings = paths.validate(known(plain, paths.model))
    return None if findings else model


def _snapshot(plain: dict[str, Any], catalog: CatalogHosts) -> SnapshotAnswer | NoAnswer:
    envelope, snapshot = _sound(_ENVELOPES, plain), _sound(_SNAPSHOTS, plain)
    if envelope is None or snapshot is None:
        return "invalid"
    received_at = envelope.updated_at
    server_time = envelope.server_time
    if not (received_at <= server_time and is_before(server_time, envelope.expires_at)):
        return "invalid"
    if next(snapshot_findings(snapshot, received_at, catalog), None):
        return "invalid"
    return SnapshotAnswer(server_time, received_at, envelope.expires_at, snapshot)


def _judged(
    answer: WindowAnswer, catalog: CatalogHosts, spared: str | None = None
) -> WindowAnswer | NoAnswer:
    window = answer.window
    server_time, expires_at = answer.server_time, answer.expires_at
    in_order = answer.updated_at <= server_time and is_before(server_time, expires_at)
    if not in_order or expires_at != response_deadline(window_deadline(window.window_end)):
        return "invalid"
    found = window_findings(window, answer.updated_at, catalog)
    faults = (finding for finding in found if finding.rule != spared)
    return "invalid" if next(faults, None) else answer
