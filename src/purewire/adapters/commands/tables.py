"""Tables for people, as lines of text with columns under each other."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

__all__ = ["table"]

_GAP: Final = "  "


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give the lines of a table; none where there are no rows.

    Args:
        head: the names of the columns.
        rows: the cells of each row, as many as there are names.

    """
    if not rows:
        return
    lines = [head, *rows]
    widths = [max(map(_columns, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (
            cell + " " * (wide - _columns(cell)) for cell, wide in zip(line, widths, strict=True)
        )
        yield _GAP.join(padded).rstrip()


def _columns(text: str) -> int:
    """Give how many columns of a terminal a text takes."""
    return sum(map(_advance, text))


def _advance(sign: str) -> int:
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
