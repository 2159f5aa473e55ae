"""The path of a request as it stood on the wire, recovered from what a gateway tells about it.

A gateway tells the decoded path below the mount point, and most also the raw request target.  The
decoded path says *what* was asked; the raw target only restores the spelling that decoding lost.

Invariant *undecoded*: where the gateway tells the raw target, `/api/%6eow` is not `/api/now`, and
`//api/now` is not either.
Invariant *the gateway decides*: a raw target that does not spell the decoded path (something in
between rewrote the one and not the other) is not used; the decoded path is encoded instead.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, unquote_to_bytes

__all__ = ["wire_path"]

_AUTHORITY: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")
_OCTET: Final = re.compile(rb"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_PATH_CHARACTERS: Final = "/:@!$&'()*+,;=~"  # RFC 3986: what stands in a path unencoded

_MOST_SEGMENTS: Final = 8  # of a mount point that are tried: a proxy may tell any number


def wire_path(target: bytes | None, decoded: bytes, mount: bytes = b"") -> bytes:
    """Give the path below the mount point, percent-encoding untouched, without the query.

    Args:
        target: the raw request target, with or without query and mount point; None if not told.
        decoded: the decoded path below the mount point.
        mount: the decoded path of the mount point.

    """
    decoded = _without_authority(decoded)
    if target is not None:
        raw = _without_authority(target).partition(b"?")[0]
        if raw == decoded and b"%" not in raw:  # nearly every request
            return raw
        for front in _fronts(mount):
            path = _below(front, raw)
            if path is not None and _spells(path, decoded):
                return path
    return quote(decoded, safe=_PATH_CHARACTERS).encode("ascii")


def _without_authority(target: bytes) -> bytes:
    """Reduce an absolute-form target (RFC 9112 section 3.2.2) to its path and query."""
    authority = _AUTHORITY.match(target)
    if authority is None:
        return target
    rest = target[authority.end() :]
    return rest if rest.startswith(b"/") else b"/" + rest


def _fronts(mount: bytes) -> Iterator[bytes]:
    """Give the mount point, and what is left of it where a proxy cut some of it already."""
    for _ in range(_MOST_SEGMENTS):
        if not mount:
            break
        yield mount
        slash = mount.find(b"/", 1)
        mount = mount[slash:] if slash > 0 else b""
    yield b""


def _below(mount: bytes, raw: bytes) -> bytes | None:
    """Cut the mount point, however it is encoded, from the front of a raw path."""
    if b"%" not in mount and raw.startswith(mount):  # nearly every mount point
        return raw[len(mount) :]
    position = 0
    for byte in mount:
        octet = _OCTET.match(raw, position)
        if octet is None or unquote_to_bytes(octet[0]) != bytes((byte,)):
            return None
        position = octet.end()
    return raw[position:]


def _spells(raw: bytes, decoded: bytes) -> bool:
    """Tell whether a raw path is a spelling of the decoded one, as gateways decode.

    They replace bytes that are not UTF-8, collapse leading slashes, and cut a fragment: none of
    which makes the raw spelling another path.
    """
    told = _comparable(decoded)
    return told == _comparable(unquote_to_bytes(raw)) or (
        b"#" in raw and told == _comparable(unquote_to_bytes(raw.partition(b"#")[0]))
    )


def _comparable(path: bytes) -> str:
    return path.decode("utf-8", "replace").lstrip("/")
