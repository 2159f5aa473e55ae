"""Recover the path of a request as it was sent, from the values that a gateway passes.

A gateway passes the decoded path below the mount point, and most also the raw request target.  The
decoded path is authoritative; the raw target only restores the percent-encoding.

Invariant *undecoded*: if the gateway passes the raw target, `/api/%6eow` is not `/api/now`, and
`//api/now` is not either.
Invariant *the gateway decides*: a raw target that does not decode to the decoded path (a proxy
rewrote only one of them) is not used; the decoded path is encoded instead.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, unquote_to_bytes

_AUTHORITY: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")
_OCTET: Final = re.compile(rb"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_PATH_CHARACTERS: Final = "/:@!$&'()*+,;=~"  # RFC 3986: unencoded in a path

_MAX_SEGMENTS: Final = 8  # of a mount point that are tried; a proxy may pass any number


def wire_path(target: bytes | None, decoded: bytes, mount: bytes = b"") -> bytes:
    """Return the path below the mount point, with its percent-encoding and without the query.

    `target` is the raw request target, None if it is unknown; `decoded` and `mount` are decoded.
    """
    decoded = _without_authority(decoded)
    if target is not None:
        raw = _without_authority(target).partition(b"?")[0]
        if raw == decoded and b"%" not in raw:  # nearly every request
            return raw
        for prefix in _possible_mounts(mount):
            path = _below(prefix, raw)
            if path is not None and _decodes_to(path, decoded):
                return path
    return quote(decoded, safe=_PATH_CHARACTERS).encode("ascii")


def _without_authority(target: bytes) -> bytes:
    """Reduce an absolute-form target (RFC 9112 section 3.2.2) to its path and query."""
    authority = _AUTHORITY.match(target)
    if authority is None:
        return target
    rest = target[authority.end() :]
    return rest if rest.startswith(b"/") else b"/" + rest


def _possible_mounts(mount: bytes) -> Iterator[bytes]:
    """Yield the mount point, and the parts of it that are left if a proxy removed the start."""
    for _ in range(_MAX_SEGMENTS):
        if not mount:
            break
        yield mount
        slash = mount.find(b"/", 1)
        mount = mount[slash:] if slash > 0 else b""
    yield b""


def _below(mount: bytes, raw: bytes) -> bytes | None:
    """Remove the mount point, in any encoding, from the start of a raw path; None if not there."""
    if b"%" not in mount and raw.startswith(mount):  # nearly every mount point
        return raw[len(mount) :]
    position = 0
    for byte in mount:
        octet = _OCTET.match(raw, position)
        if octet is None or unquote_to_bytes(octet[0]) != bytes((byte,)):
            return None
        position = octet.end()
    return raw[position:]


def _decodes_to(raw: bytes, decoded: bytes) -> bool:
    """Check whether a raw path decodes to the decoded one, as gateways decode.

    They replace bytes that are not UTF-8, collapse leading slashes, and remove a fragment; all of
    that is ignored.
    """
    expected = _comparable(decoded)
    return expected == _comparable(unquote_to_bytes(raw)) or (
        b"#" in raw and expected == _comparable(unquote_to_bytes(raw.partition(b"#")[0]))
    )


def _comparable(path: bytes) -> str:
    return path.decode("utf-8", "replace").lstrip("/")
