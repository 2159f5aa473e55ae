"""Encode models as the bytes that the service accepts or sends.

Invariant *encode agrees with check*: `encode` returns the bytes of a `Snapshot` or a `Window`
exactly if `check_snapshot` or `check_window` returns no findings.
Invariant *round trip*: `parse_snapshot` and `parse_window` return an equal model of these bytes.
"""

from functools import cache
from typing import Any

import attrs

from devicestatus.errors import ContractError
from devicestatus.limits import FINDINGS_CAP
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import Window
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from devicestatus.validation.parse import check_snapshot, check_window
from purewire.findings import Finding
from purewire.json import codec
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_builtins, to_checkable


def encode(
    model: attrs.AttrsInstance, *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> bytes:
    """Return the bytes of a model: compact JSON in UTF-8.

    Args:
        model: a `Snapshot` or a `Window`, which may be sent to the service, or a response
            body (`devicestatus.models.responses`), of which members and types are checked.
        received_at: when the service will receive the bytes, ms since the epoch; None leaves
            out the clock rules (`snapshot.skew`, `window.skew`).
        catalog: the music catalog's hosts.

    Raises:
        ContractError: the model is invalid (`invalid_payload`), or has more bytes than its
            endpoint accepts (`payload_too_large`).
        TypeError: the value is not one of these models.

    """
    if isinstance(model, Window):
        findings = check_window(model, received_at=received_at, catalog=catalog)
    elif type(model) is not Snapshot and type(model) in _responses():
        findings = _check_response(model)
    elif isinstance(model, Snapshot):
        findings = check_snapshot(model, received_at=received_at, catalog=catalog)
    else:
        raise TypeError(
            f"a Snapshot, a Window or a response body is needed, not {type(model).__name__}"
        )
    if findings:
        is_too_large = findings[0].rule == "body.size"
        raise ContractError("payload_too_large" if is_too_large else "invalid_payload", findings)
    return codec.encode(to_builtins(model))


@cache
def _responses() -> frozenset[type]:
    """Return the classes of response bodies, which agents need not import."""
    from devicestatus.models import icon_manifest, responses  # noqa: PLC0415

    return frozenset(
        {
            icon_manifest.IconManifest,
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


def _check_response(model: attrs.AttrsInstance) -> tuple[Finding, ...]:
    _, findings = _decoder(type(model)).validate(to_checkable(model))
    return findings


@cache
def _decoder(model: type[attrs.AttrsInstance]) -> ModelDecoder[Any]:
    return ModelDecoder(model, cap=FINDINGS_CAP)
