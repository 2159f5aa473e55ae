"""Parse bytes and plain values to snapshots, and encode snapshots to bytes.

Invariant *one error*: for any bytes the only exception is `SiteDataError`; other types raise
TypeError.
Invariant *round trip*: parsing and encoding keeps all members and values; documented members come
first, in the order of the specification.
Invariant *one snapshot, one text*: days, rating keys and undocumented members are encoded in a
fixed order, so equal snapshots that were parsed in the same order have equal bytes.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from sitedata.errors import SiteDataError
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.models import Snapshot
from status_contracts.findings import Finding
from status_contracts.json import codec
from status_contracts.json.positions import describe_syntax_error
from status_contracts.primitives import Octets, to_bytes
from status_contracts.structuring.decoder import ModelDecoder
from status_contracts.structuring.to_builtins import to_builtins

T = TypeVar("T")

_DECODER: Final = ModelDecoder(Snapshot, cap=FINDINGS_CAP)


def parse(body: Octets) -> Snapshot:
    """Parse the bytes of a file.

    Raises:
        SiteDataError: the bytes are not a valid snapshot.
        TypeError: `body` is not bytes.

    """
    return _valid(*_decode(_DECODER.decode_with_findings, to_bytes(body)))


def read(value: object) -> Snapshot:
    """Return the snapshot of a plain JSON value; the only exception is SiteDataError."""
    return _valid(*_DECODER.validate(value))


def decode_json(body: Octets) -> object:
    """Decode JSON text to a plain value; raise SiteDataError if it is not JSON text."""
    return _decode(codec.decode, to_bytes(body))


def encode(snapshot: Snapshot) -> bytes:
    """Encode a snapshot as compact JSON in UTF-8, with a line feed at its end."""
    plain = to_builtins(snapshot)
    plain["contributions"] = dict(sorted(plain["contributions"].items()))
    return codec.encode(plain) + b"\n"


def _decode(decode: Callable[[bytes], T], body: bytes) -> T:
    try:
        return decode(body)
    except codec.JsonTextError:
        raise SiteDataError("invalid_json", partial(_json_findings, body)) from None
    except codec.JsonDepthError:
        finding = Finding("", "json.depth", "must not be nested deeper than a snapshot is")
        raise SiteDataError("invalid_site_data", (finding,)) from None


def _json_findings(body: bytes) -> tuple[Finding, ...]:
    return (Finding("", "json.text", describe_syntax_error(body)),)


def _valid(model: Any, findings: tuple[Finding, ...]) -> Snapshot:  # noqa: ANN401 - or valid parts
    if findings:
        raise SiteDataError("invalid_site_data", findings)
    snapshot: Snapshot = model
    return snapshot
