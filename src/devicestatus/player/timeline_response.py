"""Parse responses of `/api/timeline` in a consumer.

Source: device-status specification, "Response objects", "GET /api/timeline", "Versioning" rule 5.

Invariant *later versions can be read*: unknown members are ignored at every depth; all else must
keep the contract, so what is accepted needs no further check.
Invariant *consistent times*: a response whose times contradict each other (received after it was
sent, sent after its deadline) is invalid.

Contract: DS-VERSION-04, DS-PLAYER-20.
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
from purewire.structuring.drop_unknown import drop_unknown

__all__ = ["NoAnswer", "OfflineAnswer", "SnapshotAnswer", "WindowAnswer", "parse_timeline"]

NoAnswer = Literal["unreadable", "error", "invalid"]
"""`unreadable`: not JSON text, or no timeline; `error`: an error of the service; `invalid`: a
timeline that breaks the contract."""


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
    """The members beside the snapshot of a v1 record."""

    server_time: MillisecondInstant
    updated_at: UtcInstant
    expires_at: UtcInstant


M = TypeVar("M", bound=attrs.AttrsInstance)

_FINDINGS_CAP: Final = 1  # only the first finding is needed

_WINDOWS: Final = ModelDecoder(WindowAnswer, cap=_FINDINGS_CAP)
_ENVELOPES: Final = ModelDecoder(_Envelope, cap=_FINDINGS_CAP)
_SNAPSHOTS: Final = ModelDecoder(Snapshot, cap=_FINDINGS_CAP)


def parse_timeline(
    body: bytes, catalog: CatalogHosts
) -> WindowAnswer | SnapshotAnswer | OfflineAnswer | NoAnswer:
    """Parse a response body, or return the reason why it cannot be used; raises nothing.

    Args:
        body: the whole body, whatever its status was.
        catalog: the music catalog's hosts, as configured at the service.

    """
    window = _WINDOWS.try_decode(body)
    if window is not None:
        return _validated(window, catalog)
    try:
        plain = codec.decode(body)
    except (codec.JsonTextError, codec.JsonDepthError):
        return "unreadable"
    return _parse_plain(plain, catalog) if isinstance(plain, dict) else "unreadable"


def _parse_plain(
    plain: dict[str, Any], catalog: CatalogHosts
) -> WindowAnswer | SnapshotAnswer | OfflineAnswer | NoAnswer:
    status = plain.get("status")
    if status == "online":
        parse = _snapshot if plain.get("mode") == "snapshot" else _window
        return parse(plain, catalog)
    if "error" in plain:
        return "error"
    return OfflineAnswer() if status == "offline" else "unreadable"


def _window(plain: dict[str, Any], catalog: CatalogHosts) -> WindowAnswer | NoAnswer:
    """Parse a window without its unknown members."""
    answer = _valid_model(_WINDOWS, plain)
    if answer is None:
        return "invalid"
    # An event whose members are all unknown is valid; one without any members is not.
    changes = [event["changes"] for event in plain["window"]["events"]]
    return _validated(answer, catalog, ignored_rule="changes.empty") if all(changes) else "invalid"


def _valid_model(decoder: ModelDecoder[M], plain: object) -> M | None:
    model, findings = decoder.validate(drop_unknown(plain, decoder.model))
    return None if findings else model


def _snapshot(plain: dict[str, Any], catalog: CatalogHosts) -> SnapshotAnswer | NoAnswer:
    envelope, snapshot = _valid_model(_ENVELOPES, plain), _valid_model(_SNAPSHOTS, plain)
    if envelope is None or snapshot is None:
        return "invalid"
    received_at = envelope.updated_at
    server_time = envelope.server_time
    if not (received_at <= server_time and is_before(server_time, envelope.expires_at)):
        return "invalid"
    if next(snapshot_findings(snapshot, received_at, catalog), None):
        return "invalid"
    return SnapshotAnswer(server_time, received_at, envelope.expires_at, snapshot)


def _validated(
    answer: WindowAnswer, catalog: CatalogHosts, ignored_rule: str | None = None
) -> WindowAnswer | NoAnswer:
    window = answer.window
    server_time, expires_at = answer.server_time, answer.expires_at
    in_order = answer.updated_at <= server_time and is_before(server_time, expires_at)
    if not in_order or expires_at != response_deadline(window_deadline(window.window_end)):
        return "invalid"
    found = window_findings(window, answer.updated_at, catalog)
    has_faults = any(finding.rule != ignored_rule for finding in found)
    return "invalid" if has_faults else answer
