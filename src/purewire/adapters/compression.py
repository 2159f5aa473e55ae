"""The available content codings: gzip, and Zstandard if its package is installed.

Invariant *deterministic*: equal bytes have equal compressed bytes; no time is stored.
Invariant *bounded*: decompression stops soon after the maximum number of bytes.
"""

import zlib
from typing import Final

from purewire.http.content_coding import ContentCoding, ContentCodingError

_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
_LEVEL: Final = 9


def _compress(body: bytes) -> bytes:
    return zlib.compress(body, _LEVEL, _GZIP_FORMAT)  # the time in the header is 0


def _decompress(data: bytes, max_bytes: int) -> bytes:
    decoder = zlib.decompressobj(_GZIP_FORMAT)
    try:
        body = decoder.decompress(data, max_bytes + 1)
    except zlib.error:
        raise ContentCodingError("not gzip") from None
    if len(body) <= max_bytes and (not decoder.eof or decoder.unused_data):
        raise ContentCodingError("not exactly one member")
    return body


GZIP: Final = ContentCoding("gzip", _compress, _decompress)

try:
    from purewire.adapters.zstd import ZSTD
except ModuleNotFoundError:  # the package is optional
    _OTHERS: tuple[ContentCoding, ...] = ()
else:
    _OTHERS = (ZSTD,)

CODINGS: Final = (*_OTHERS, GZIP)
"""The available codings; the first is preferred by clients."""
