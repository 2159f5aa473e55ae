"""Lines without quotes to the cells of columns, without a loop over lines.

Source: health facts, section 2; health-data rulings on rows.  What producers write has neither
quotes nor lines that are too short or too long; then commas alone say which cell is whose.

Invariant *a shortcut, no other way*: the cells are those that the standard library's reader gives
of the same lines; where that is not sure, there are none.
"""

from collections.abc import Sequence
from typing import Final

__all__ = ["plain_columns"]

_LONGEST: Final = 128 * 1024
"""Bytes; what is longer has a line that is out of the ordinary."""
_LEAST_WIDTH: Final = 2
"""Cells; with one alone, a line of blanks is no row."""


def plain_columns(lines: bytes, width: int, chosen: Sequence[int]) -> list[list[str]] | None:
    """Give the cells of whole lines by column; None for lines that have to be read with care.

    These are lines with a quote, with another number of cells than `width`, blank lines, lines that
    end in CR alone, and what is no UTF-8.

    Args:
        lines: whole lines; the last one may lack its end.
        width: how many cells a line has.
        chosen: indexes of the columns that are given.

    """
    if len(lines) > _LONGEST or width < _LEAST_WIDTH or b'"' in lines:
        return None
    try:
        text = lines.decode("utf-8").replace("\r\n", "\n").removesuffix("\n")
    except UnicodeDecodeError:
        return None
    # each line but the first begins with its line feed, so that its first cell can be told
    cells = text.replace("\n", ",\n").split(",")
    first = "".join(cells[::width]).split("\n")
    if "\r" in text or len(cells) != len(first) * width or len(first) != text.count("\n") + 1:
        return None
    return [first if index == 0 else cells[index::width] for index in chosen]
