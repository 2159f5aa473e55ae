"""Zstandard as a content coding (RFC 8878, RFC 9659); needs the extra `zstd`.

Invariant *bounded*: unpacking stops soon after so many bytes, and asks for no larger window than
the standard lets a content coding have.
"""

from typing import Final

import zstandard

from sitedata.serving.codings import Coding, Undecodable

__all__ = ["ZSTD"]

_LEVEL: Final = 12  # a tenth of the time of the highest, and nearly as small
_WINDOW: Final = 8 * 1024 * 1024  # RFC 9659 section 3
_PIECE: Final = 1024  # a block of four bytes may stand for 128 KiB


def _compress(body: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=_LEVEL).compress(body)


def _decompress(data: bytes, most: int) -> bytes:
    decoder = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
    body = bytearray()
    try:
        for start in range(0, len(data), _PIECE):
            if decoder.eof:
                raise Undecodable("more than one frame")
            body += decoder.decompress(data[start : start + _PIECE])
            if len(body) > most:
                return bytes(body)
    except zstandard.ZstdError:
        raise Undecodable("not a frame") from None
    if not decoder.eof or decoder.unused_data:
        raise Undecodable("not exactly one frame")
    return bytes(body)


ZSTD: Final = Coding("zstd", _compress, _decompress)
