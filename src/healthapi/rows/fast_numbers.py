"""A column of plain numbers at once, by the JSON decoder.

Source: health-data rulings on rows.  Most columns of numbers have digits or nothing in each cell;
put between commas they are a JSON array, which is read several times as fast as cell by cell.

Invariant *a shortcut, no other way*: the values are those that `healthapi.rows.cells` gives of the
same cells; where that is not sure, there are none.
"""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from healthapi.limits import LARGEST_NUMBER

__all__ = ["plain_numbers"]

_BOUNDS: Final = msgspec.Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)
"""Refuses infinities as well."""
_SIGNS: Final = b"0123456789.,"
_INTEGERS: Final = msgspec.json.Decoder(list[Annotated[int, _BOUNDS] | None])
_DECIMALS: Final = msgspec.json.Decoder(list[Annotated[float, _BOUNDS] | None])


def plain_numbers(cells: Sequence[str], *, whole: bool) -> Sequence[float | None] | None:
    """Give the numbers of cells, None for one that is empty; None where a cell is not plain.

    Plain are digits, for decimals with a point between them; of integers also `61.0`.

    Args:
        cells: the texts.
        whole: whether the numbers are integers.

    """
    inside = f",{','.join(cells)},"
    if inside.encode().translate(None, _SIGNS):
        return None
    if whole and ".0," in inside and ",.0," not in inside:
        inside = inside.replace(".0,", ",")
    if ",," in inside:  # twice, for of three commas in a row the first pass sees two
        inside = inside.replace(",,", ",null,").replace(",,", ",null,")
    try:
        numbers = (_INTEGERS if whole else _DECIMALS).decode(f"[{inside[1:-1]}]")
    except msgspec.MsgspecError:
        return None
    # a quoted cell may hold commas of its own
    return numbers if len(numbers) == len(cells) else None
