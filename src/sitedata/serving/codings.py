"""A content coding as a value: its name, and the two functions that adapters bring."""

from collections.abc import Callable

import attrs

__all__ = ["Coding", "Undecodable"]


class Undecodable(ValueError):
    """The bytes are not of the coding: torn, too demanding, or something else altogether."""


@attrs.frozen
class Coding:
    """A content coding (RFC 9110 section 8.4.1).

    Attributes:
        name: as it stands in Content-Encoding, in lower case.
        compress: gives the coded bytes; the same ones for the same bytes.
        decompress: gives the bytes, but stops soon after so many of them; raises Undecodable.

    """

    name: str
    compress: Callable[[bytes], bytes]
    decompress: Callable[[bytes, int], bytes]
