"""Lines without any fault to values, a piece of a file at a time.

Source: health facts, section 2; health-data rulings on rows.  What producers write has no quotes,
no short lines and no strange numbers.  Such lines become JSON text by putting their cells in
quotes, and one call of the JSON decoder gives typed values, several times as fast as cell by cell.

Invariant *a shortcut, no other way*: what it gives is what `healthapi.rows.csvtext` and
`healthapi.rows.cells` give of the same lines; where that is not sure, it gives nothing.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from types import GenericAlias
from typing import Annotated, Any, Final, Literal

import msgspec

from healthapi.limits import LARGEST_NUMBER

__all__ = ["PlainKind", "PlainReader", "plain_reader"]

PlainKind = Literal["integer", "decimal", "word", "text"]
"""What a column holds: numbers or nothing, some text, or text or nothing."""

PlainReader = Callable[[bytes], list[tuple[Any, ...]] | None]

_BOUNDS: Final = msgspec.Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)
"""Refuses infinities and what is no number as well."""
_TYPES: Final[dict[PlainKind, Any]] = {
    "integer": Annotated[int, _BOUNDS] | None,
    "decimal": Annotated[float, _BOUNDS] | None,
    "word": str,
    "text": str | None,
}
_WIDEST: Final = 200
"""Columns; the decoder of a wider table would take longer to make than the file to read."""
_LONGEST: Final = 128 * 1024
"""Bytes; what is longer has a line that is out of the ordinary."""


def plain_reader(kinds: Sequence[PlainKind]) -> PlainReader | None:
    """Give what reads whole lines as tuples of values; None where there are too many columns.

    The reader gives None for lines that are not plain: that have a quote, a strange number, a blank
    around one, no cell or one too many, or are no UTF-8.

    Args:
        kinds: what each column of the file holds.

    """
    if len(kinds) > _WIDEST:
        return None
    decoder = _decoder(tuple(kinds))

    def read(lines: bytes) -> list[tuple[Any, ...]] | None:
        if len(lines) > _LONGEST or b'"' in lines or b"\\" in lines:
            return None
        text = _json(lines)
        if b'"-' in text:  # a number below zero may be a minus zero
            return None
        try:
            return decoder.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None

    return read


@lru_cache(maxsize=64)
def _decoder(kinds: tuple[PlainKind, ...]) -> msgspec.json.Decoder[list[tuple[Any, ...]]]:
    """Make a decoder; the few layouts that producers have are made once."""
    row = GenericAlias(tuple, tuple(_TYPES[kind] for kind in kinds))
    return msgspec.json.Decoder(GenericAlias(list, (row,)), strict=False)


def _json(lines: bytes) -> bytes:
    """Give lines as an array of arrays of text, and null where a cell is empty."""
    cells = lines.replace(b"\r\n", b"\n").removesuffix(b"\n")
    cells = cells.replace(b",", b'","').replace(b"\n", b'"],["')
    return (b'[["%b"]]' % cells).replace(b'""', b"null")
