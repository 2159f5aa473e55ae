"""Bytes and plain values to snapshots, and snapshots to bytes.

Source: site-data specification; rulings under "Site-data file".

Invariant *one error*: whatever the bytes, the only exception is `SiteDataError`; what is not bytes
raises TypeError.
Invariant *round trip*: what is read and written again has the same members with the same values;
the documented ones come first, in the order of the specification.
Invariant *one snapshot, one text*: days, rating keys and members without a documented place leave
in a fixed order, so equal snapshots that were read in the same order have equal bytes.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from purewire.bytes_like import Octets, to_bytes
from purewire.findings import Finding
from purewire.json import codec
from purewire.json.error_position import describe_syntax_error
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_plain
from sitedata.errors import SiteDataError
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.models import Snapshot

__all__ = ["encode", "parse", "plain_of", "read"]

T = TypeVar("T")

_DECODER: Final = ModelDecoder(Snapshot, cap=FINDINGS_CAP)


def parse(body: Octets) -> Snapshot:
    """Parse the bytes of a file; raise SiteDataError, or TypeError for what is not bytes."""
    return _whole(*_decoded(_DECODER.decode_with_findings, to_bytes(body)))


def read(value: object) -> Snapshot:
    """Give the snapshot of a plain JSON value; raises SiteDataError and nothing else."""
    return _whole(*_DECODER.validate(value))


def plain_of(body: Octets) -> object:
    """Give the plain value of a body; raises SiteDataError where it is not JSON text."""
    return _decoded(codec.decode, to_bytes(body))


def encode(snapshot: Snapshot) -> bytes:
    """Write a snapshot: compact JSON, UTF-8, one line feed at its end."""
    plain = to_plain(snapshot)
    plain["contributions"] = dict(sorted(plain["contributions"].items()))
    return codec.encode(plain) + b"\n"


def _decoded(decode: Callable[[bytes], T], body: bytes) -> T:
    try:
        return decode(body)
    except codec.JsonTextError:
        look = partial(_json_findings, body)
        raise SiteDataError("invalid_json", look) from None
    except codec.JsonDepthError:
        finding = Finding("", "json.depth", "must not be nested deeper than a snapshot is")
        raise SiteDataError("invalid_site_data", (finding,)) from None


def _json_findings(body: bytes) -> tuple[Finding, ...]:
    return (Finding("", "json.text", describe_syntax_error(body)),)


def _whole(tree: Any, findings: tuple[Finding, ...]) -> Snapshot:  # noqa: ANN401 - or sound parts
    if findings:
        raise SiteDataError("invalid_site_data", findings)
    snapshot: Snapshot = tree
    return snapshot
