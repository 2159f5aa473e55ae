"""The available content codings: gzip, and Zstandard if its package is installed (extra `zstd`).

Invariant *deterministic*: equal bytes have equal compressed bytes; no time is stored.
Invariant *bounded*: decompression stops soon after the maximum number of bytes, and Zstandard uses
no larger window than RFC 9659 allows for a content coding.
"""

import zlib
from importlib.util import find_spec
from typing import Final

from purewire.http.content_coding import ContentCoding, ContentCodingError

_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
_GZIP_LEVEL: Final = 9
_ZSTD_LEVEL: Final = 12  # a tenth of the time of the highest level, and nearly as small
_WINDOW_BYTES: Final = 8 * 1024 * 1024  # RFC 9659 section 3
_PIECE_BYTES: Final = 1024  # a block of four bytes may expand to 128 KiB


def _gzip(body: bytes) -> bytes:
    return zlib.compress(body, _GZIP_LEVEL, _GZIP_FORMAT)  # the time in the header is 0


def _gunzip(data: bytes, max_bytes: int) -> bytes:
    decoder = zlib.decompressobj(_GZIP_FORMAT)
    try:
        body = decoder.decompress(data, max_bytes + 1)
    except zlib.error:
        raise ContentCodingError("not gzip") from None
    if len(body) <= max_bytes and (not decoder.eof or decoder.unused_data):
        raise ContentCodingError("not exactly one member")
    return body


def _zstd(body: bytes) -> bytes:
    import zstandard  # noqa: PLC0415 - optional

    return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(body)


def _unzstd(data: bytes, max_bytes: int) -> bytes:
    import zstandard  # noqa: PLC0415 - optional

    decoder = zstandard.ZstdDecompressor(max_window_size=_WINDOW_BYTES).decompressobj()
    body = bytearray()
    try:
        for start in range(0, len(data), _PIECE_BYTES):
            if decoder.eof:
                raise ContentCodingError("more than one frame")
            body += decoder.decompress(data[start : start + _PIECE_BYTES])
            if len(body) > max_bytes:
                return bytes(body)
    except zstandard.ZstdError:
        raise ContentCodingError("not a frame") from None
    if not decoder.eof or decoder.unused_data:
        raise ContentCodingError("not exactly one frame")
    return bytes(body)


GZIP: Final = ContentCoding("gzip", _gzip, _gunzip)
ZSTD: Final = ContentCoding("zstd", _zstd, _unzstd)
CODINGS: Final = (ZSTD, GZIP) if find_spec("zstandard") else (GZIP,)
"""The available codings; the first is preferred by clients."""
