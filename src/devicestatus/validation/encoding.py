"""Encode models: the bytes that the service accepts, or sends.

Invariant *one verdict*: `encode` returns the bytes of a `Snapshot` or a `Window` exactly where
`check_snapshot` or `check_window` finds no fault in it.
Invariant *round trip*: `parse_snapshot` and `parse_window` return an equal model of these bytes.
"""

from functools import cache
from typing import Any, Final

import attrs

from devicestatus.errors import ContractError
from devicestatus.limits import FINDINGS_CAP
from devicestatus.models import responses
from devicestatus.models.icon_manifest import IconManifest
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import Window
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from devicestatus.validation.parse import check_snapshot, check_window, plain_value
from purewire.findings import Finding
from purewire.json import codec
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_plain

__all__ = ["encode"]

_ANSWERS: Final[frozenset[type]] = frozenset(
    {
        IconManifest,
        responses.ActiveAppStatus,
        responses.DeviceStatus,
        responses.ErrorBody,
        responses.Health,
        responses.MusicStatus,
        responses.OfflineStatus,
        responses.OnlineStatus,
        responses.RunningAppsStatus,
        responses.SnapshotTimelineStatus,
        responses.UpdateResult,
        responses.WindowStatus,
    }
)


def encode(
    model: attrs.AttrsInstance, *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> bytes:
    """Return the bytes of a model: compact JSON in UTF-8.

    Args:
        model: a `Snapshot` or a `Window`, which may be sent to the service, or an answer of the
            service (`devicestatus.models.responses`), of which members and types are checked.
        received_at: when the service will receive the bytes, ms since the epoch; None leaves the
            clock rules (`snapshot.skew`, `window.skew`) out.
        catalog: the music catalog's hosts.

    Raises:
        ContractError: the service would refuse the bytes: `invalid_payload`, or
            `payload_too_large` for more bytes than its endpoint accepts.
        TypeError: the value is none of these models.

    """
    if isinstance(model, Window):
        findings = check_window(model, received_at=received_at, catalog=catalog)
    elif type(model) in _ANSWERS:
        findings = _check_answer(model)
    elif isinstance(model, Snapshot):
        findings = check_snapshot(model, received_at=received_at, catalog=catalog)
    else:
        raise TypeError(f"a Snapshot, a Window or an answer is needed, not {type(model).__name__}")
    if findings:
        is_too_large = findings[0].rule == "body.size"
        raise ContractError("payload_too_large" if is_too_large else "invalid_payload", findings)
    return codec.encode(to_plain(model))


def _check_answer(model: attrs.AttrsInstance) -> tuple[Finding, ...]:
    try:
        plain = plain_value(model)
    except ContractError as error:
        return error.findings
    _, findings = _reader(type(model)).validate(plain)
    return findings


@cache
def _reader(model: type[attrs.AttrsInstance]) -> ModelDecoder[Any]:
    return ModelDecoder(model, cap=FINDINGS_CAP)
