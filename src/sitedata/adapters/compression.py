"""The content codings of this installation: gzip, and Zstandard where its package is there.

Invariant *the same bytes*: packing the same bytes twice gives the same bytes; no time is packed.
Invariant *bounded*: unpacking stops soon after so many bytes, however small the packed ones are.
"""

import zlib
from typing import Final

from sitedata.serving.codings import Coding, Undecodable

__all__ = ["CODINGS", "GZIP"]

_GZIP_FORM: Final = 16 + zlib.MAX_WBITS
_LEVEL: Final = 9


def _compress(body: bytes) -> bytes:
    return zlib.compress(body, _LEVEL, _GZIP_FORM)  # the header's time is 0


def _decompress(data: bytes, most: int) -> bytes:
    decoder = zlib.decompressobj(_GZIP_FORM)
    try:
        body = decoder.decompress(data, most + 1)
    except zlib.error:
        raise Undecodable("not gzip") from None
    if len(body) <= most and (not decoder.eof or decoder.unused_data):
        raise Undecodable("not exactly one member")
    return body


GZIP: Final = Coding("gzip", _compress, _decompress)

try:
    from sitedata.adapters.zstd import ZSTD
except ModuleNotFoundError:  # the package is optional
    _OTHERS: tuple[Coding, ...] = ()
else:
    _OTHERS = (ZSTD,)

CODINGS: Final = (*_OTHERS, GZIP)
"""What there is, as a client prefers it."""
