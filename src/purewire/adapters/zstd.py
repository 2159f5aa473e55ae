"""Zstandard as a content coding (RFC 8878, RFC 9659); needs the extra `zstd`.

Invariant *bounded*: decompression stops soon after the maximum number of bytes, and uses no larger
window than the standard allows for a content coding.
"""

from typing import Final

import zstandard

from purewire.http.content_coding import ContentCoding, ContentCodingError

_LEVEL: Final = 12  # a tenth of the time of the highest level, and nearly as small
_WINDOW_BYTES: Final = 8 * 1024 * 1024  # RFC 9659 section 3
_PIECE_BYTES: Final = 1024  # a block of four bytes may expand to 128 KiB


def _compress(body: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=_LEVEL).compress(body)


def _decompress(data: bytes, max_bytes: int) -> bytes:
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


ZSTD: Final = ContentCoding("zstd", _compress, _decompress)
