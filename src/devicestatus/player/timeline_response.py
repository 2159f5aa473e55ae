"""Parse responses of `/api/timeline` in a consumer.

Invariant *later versions can be read*: unknown members are ignored at every depth; all else must
keep the contract, so what is accepted needs no further check.
Invariant *consistent times*: a response whose times contradict each other (received after it was
sent, sent after its deadline) is invalid.

Contract: DS-VERSION-04, DS-PLAYER-20.
"""

from typing import Any, Final, Literal, TypeVar

import attrs

from devicestatus.engine.deadlines import is_before, response_deadline, window_deadline
from devicestatus.responses import OfflineStatus, SnapshotTimelineStatus, WindowStatus
from devicestatus.validation.cross_field import snapshot_findings, window_findings
from devicestatus.validation.music_urls import CatalogHosts
from purewire.json import codec
from purewire.structuring.decoder import ModelDecoder, drop_unknown

TimelineStatus = WindowStatus | SnapshotTimelineStatus | OfflineStatus
TimelineError = Literal["unreadable", "error", "invalid"]
"""`unreadable`: not JSON text, or no timeline; `error`: an error of the service; `invalid`: a
timeline that breaks the contract."""

M = TypeVar("M", bound=attrs.AttrsInstance)

# Only the first finding is needed.
_WINDOWS: Final = ModelDecoder(WindowStatus, cap=1)
_SNAPSHOTS: Final = ModelDecoder(SnapshotTimelineStatus, cap=1)


def parse_timeline(body: bytes, catalog: CatalogHosts) -> TimelineStatus | TimelineError:
    """Parse a response body, or return the reason why it cannot be used; raises nothing."""
    window = _WINDOWS.try_decode(body)
    if window is not None:
        return _validated(window, catalog)
    try:
        plain = codec.decode(body)
    except codec.JSON_ERRORS:
        return "unreadable"
    return _parse_plain(plain, catalog) if isinstance(plain, dict) else "unreadable"


def _parse_plain(plain: dict[str, Any], catalog: CatalogHosts) -> TimelineStatus | TimelineError:
    status = plain.get("status")
    if status == "online":
        parse = _snapshot if plain.get("mode") == "snapshot" else _window
        return parse(plain, catalog)
    if "error" in plain:
        return "error"
    return OfflineStatus() if status == "offline" else "unreadable"


def _window(plain: dict[str, Any], catalog: CatalogHosts) -> WindowStatus | TimelineError:
    response = _valid_model(_WINDOWS, plain)
    if response is None:
        return "invalid"
    # An event whose members are all unknown is valid; one without any members is not.
    changes = [event["changes"] for event in plain["window"]["events"]]
    if not all(changes):
        return "invalid"
    return _validated(response, catalog, ignored_rule="changes.empty")


def _valid_model(decoder: ModelDecoder[M], plain: object) -> M | None:
    model, findings = decoder.validate(drop_unknown(plain, decoder.model))
    return None if findings else model


def _snapshot(
    plain: dict[str, Any], catalog: CatalogHosts
) -> SnapshotTimelineStatus | TimelineError:
    response = _valid_model(_SNAPSHOTS, plain)
    if response is None or not _is_in_order(response):
        return "invalid"
    findings = snapshot_findings(response, response.updated_at, catalog)
    return response if next(findings, None) is None else "invalid"


def _validated(
    response: WindowStatus, catalog: CatalogHosts, ignored_rule: str | None = None
) -> WindowStatus | TimelineError:
    window = response.window
    deadline = response_deadline(window_deadline(window.window_end))
    if response.expires_at != deadline or not _is_in_order(response):
        return "invalid"
    findings = window_findings(window, response.updated_at, catalog)
    return "invalid" if any(each.rule != ignored_rule for each in findings) else response


def _is_in_order(response: WindowStatus | SnapshotTimelineStatus) -> bool:
    server_time = response.server_time
    return response.updated_at <= server_time and is_before(server_time, response.expires_at)
