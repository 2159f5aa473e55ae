"""Encode records as the value of the store's one key, and decode them.

The value is UTF-8 JSON with `received_at`, `expires_at` (absent in legacy v1 records) and `data`.

Invariant *validated again*: a stored value is validated as a write is, with its own `received_at`
as the receive time.  A value with any fault is corrupt as a whole; it is read as no record, never
as an error and never in part.
Invariant *accepted bodies can be read back*: the value of an accepted body is well below the limit.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, Final

import attrs

from devicestatus import limits
from devicestatus.cross_field import snapshot_findings, window_findings
from devicestatus.deadlines import window_deadline
from devicestatus.models import Snapshot, Window
from devicestatus.music_urls import CatalogHosts
from devicestatus.projection import PreparedWindow, prepare
from status_contracts import json_text
from status_contracts.findings import Finding
from status_contracts.instants import LAST_INSTANT, SECOND_MS, show_instant
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Integer
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.decoder import ModelDecoder, ValidationError

__all__ = [
    "Record",
    "SnapshotRecord",
    "WindowRecord",
    "decode_record",
    "encode_record",
    "wrap_body",
]

_StoredInstant = Annotated[int, Integer(1, LAST_INSTANT)]
_StoredDeadline = Annotated[int, Integer(1, LAST_INSTANT + limits.TTL_MAX_SECONDS * SECOND_MS)]


@attrs.frozen
class SnapshotRecord:
    """A stored v1 snapshot.

    Attributes:
        received_at: when its body was complete, ms since the epoch.
        data: the snapshot.
        expires_at: its deadline at write time; ABSENT in a legacy record.

    """

    received_at: _StoredInstant = attrs.field(repr=show_instant)
    data: Snapshot = attrs.field(repr=False)
    expires_at: _StoredDeadline | Absent = attrs.field(default=ABSENT, repr=show_instant)


@attrs.frozen
class WindowRecord:
    """A stored v2 window; `expires_at` is its absolute deadline."""

    received_at: _StoredInstant = attrs.field(repr=show_instant)
    data: Window = attrs.field(repr=False)
    expires_at: _StoredDeadline = attrs.field(repr=show_instant)

    @cached_property
    def prepared(self) -> PreparedWindow:
        """The window, prepared for projection to any instant; once."""
        return prepare(self.data)

    @cached_property
    def window_json(self) -> bytes:
        """JSON text of the window in UTF-8; encoded once."""
        return json_text.encode(unstructure(self.data))


Record = SnapshotRecord | WindowRecord

_SNAPSHOT_DECODER: Final = ModelDecoder(SnapshotRecord)
_WINDOW_DECODER: Final = ModelDecoder(WindowRecord)
_WINDOW_VERSION: Final = 2


def encode_record(record: Record) -> bytes:
    """Return the stored value of a record."""
    return json_text.encode(unstructure(record))


def wrap_body(body: bytes, *, received_at: int, expires_at: int) -> bytes:
    """Return the stored value of a valid body, whose text is kept unchanged.

    `encode_record` does the same for a model.  Both times are in ms since the epoch.
    """
    data = body.removeprefix(json_text.BOM)
    return b'{"received_at":%d,"data":%b,"expires_at":%d}' % (received_at, data, expires_at)


def decode_record(value: object, catalog: CatalogHosts) -> Record | None:
    """Return the record in a stored value, or None if it is corrupt; raises nothing."""
    if type(value) is not bytes or len(value) > limits.RECORD_BYTES:
        return None
    # The version is a constant of each model, so a value of one kind is never one of the other.
    is_window = json_text.member_at(value, "data", "schema_version") == _WINDOW_VERSION
    decoder: ModelDecoder[Any] = _WINDOW_DECODER if is_window else _SNAPSHOT_DECODER
    try:
        record: Record = decoder.decode(value)
    except (ValidationError, *json_text.JSON_ERRORS):
        return None
    is_valid = _has_exact_deadline(record) and next(_findings(record, catalog), None) is None
    return record if is_valid else None


def _findings(record: Record, catalog: CatalogHosts) -> Iterator[Finding]:
    if isinstance(record, SnapshotRecord):
        return snapshot_findings(record.data, record.received_at, catalog)
    return window_findings(record.data, record.received_at, catalog)


def _has_exact_deadline(record: Record) -> bool:
    if isinstance(record, WindowRecord):
        return record.expires_at == window_deadline(record.data.window_end)
    if record.expires_at is ABSENT:
        return True
    seconds, remainder_ms = divmod(record.expires_at - record.received_at, SECOND_MS)
    return remainder_ms == 0 and limits.TTL_MIN_SECONDS <= seconds <= limits.TTL_MAX_SECONDS
