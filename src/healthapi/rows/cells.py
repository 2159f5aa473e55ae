"""Parse the text of cells into numbers, booleans and text.

White space around the text of a cell is ignored.

Invariant *parsed or reported*: text that cannot be parsed raises `Unreadable`.  Only a blank cell
and the words that producers write for a missing value become None without a finding.
Invariant *each text is converted once*: a column has far fewer texts than cells, so results are
cached, up to about `MAX_CACHED_TEXTS` for each column.
Invariant *a fast path only*: `try_parse_numbers` returns the values that `decimal` and `integer`
return for the same cells, or None.

Contract: HA-HTTP-20, HA-CELL-06 to 13.
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Annotated, Final, Generic, Literal, TypeVar

import msgspec

from healthapi.limits import LARGEST_NUMBER

MAX_CACHED_TEXTS: Final = 16_384

CellRule = Literal["number.form", "number.range", "number.implausible", "boolean.form"]
V = TypeVar("V")

_NUMBER: Final = re.compile(
    r"[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+",
)
_MISSING: Final = {"", "nan", "none", "null", "nat"}
_BOOLEANS: Final = {
    **dict.fromkeys(("1", "true", "yes", "y"), True),
    **dict.fromkeys(("0", "false", "no", "n", ""), False),
}
_COMPUTED_DIGITS: Final = 9
"""Decimals that are kept of a product or a sum; the rest is floating-point rounding error."""

_LARGEST: Final = Decimal(LARGEST_NUMBER)
_PLAIN_CHARACTERS: Final = b"0123456789.,"
_INTEGERS: Final = msgspec.json.Decoder(
    list[Annotated[int, msgspec.Meta(le=LARGEST_NUMBER)] | None]
)
_DECIMALS: Final = msgspec.json.Decoder(
    list[Annotated[float, msgspec.Meta(lt=LARGEST_NUMBER)] | None]
)
"""Excludes infinities, and the largest number itself, to which larger texts are rounded."""


class Unreadable(Exception):
    """The text of a cell is not a value of its type.

    Attributes:
        rule: id of the broken rule.

    """

    def __init__(self, rule: CellRule) -> None:
        super().__init__(rule)
        self.rule = rule


def decimal(
    text: str,
    factor: float = 1.0,
    *,
    not_measured: float | None = None,
    plausible: tuple[float, float] | None = None,
) -> float | None:
    """Return a number in plain ASCII notation times a factor, or None if it is missing.

    A cell that equals `not_measured`, before the factor is applied, is missing.

    Raises:
        Unreadable: The text is not a number, or it is beyond `LARGEST_NUMBER` or the range
            `plausible`.

    """
    trimmed = text.strip()
    if _NUMBER.fullmatch(trimmed) is None:
        if trimmed.lower() in _MISSING:
            return None
        raise Unreadable("number.form")
    value = float(trimmed)
    if value == not_measured:
        return None
    if factor == 1 and abs(value) == LARGEST_NUMBER and Decimal(trimmed).copy_abs() > _LARGEST:
        raise Unreadable("number.range")  # rounded to the largest number, by `float`
    value = value if factor == 1 else value * factor
    return checked_number(value, exact=factor == 1, plausible=plausible)


def integer(
    text: str,
    factor: float = 1.0,
    *,
    not_measured: float | None = None,
    plausible: tuple[float, float] | None = None,
) -> int | None:
    """Return a number as `decimal` does, rounded half to even to an integer."""
    value = decimal(text, factor, not_measured=not_measured, plausible=plausible)
    return None if value is None else round(value)


def boolean(text: str) -> bool:
    """Parse a boolean; a blank cell is False.

    Raises:
        Unreadable: The text is not one of the words for true and false.

    """
    value = _BOOLEANS.get(text.strip().lower())
    if value is None:
        raise Unreadable("boolean.form")
    return value


def checked_number(
    value: float, *, exact: bool, plausible: tuple[float, float] | None = None
) -> float:
    """Return a number rounded to nine decimals unless it is exact; -0.0 becomes 0.0.

    Raises:
        Unreadable: The number is beyond `LARGEST_NUMBER` or the range `plausible`.

    """
    if abs(value) > LARGEST_NUMBER:
        raise Unreadable("number.range")
    if plausible is not None and not plausible[0] <= value <= plausible[1]:
        raise Unreadable("number.implausible")
    return (value if exact else round(value, _COMPUTED_DIGITS)) + 0.0


def try_parse_numbers(
    cells: Sequence[str], *, whole: bool, plausible: tuple[float, float] | None = None
) -> Sequence[float | None] | None:
    """Parse a column of plain numbers as one JSON array, several times as fast as cell by cell.

    A plain number has digits only, in a decimal with a point between them; integers may also
    end in `.0`.

    Args:
        cells: The texts.
        whole: Whether the numbers are integers.
        plausible: The range of the numbers, if any.

    Returns:
        The numbers, with None for empty cells; None if any cell is not plain or out of range.

    """
    joined = f",{','.join(cells)},"
    if joined.encode().translate(None, _PLAIN_CHARACTERS):
        return None
    if whole and ".0," in joined and ",.0," not in joined:
        joined = joined.replace(".0,", ",")
    if ",," in joined:  # twice, because the first pass sees only two of three commas in a row
        joined = joined.replace(",,", ",null,").replace(",,", ",null,")
    try:
        numbers = (_INTEGERS if whole else _DECIMALS).decode(f"[{joined[1:-1]}]")
    except msgspec.MsgspecError:
        return None
    if plausible is not None:
        known = [number for number in numbers if number is not None]
        if known and not plausible[0] <= min(known) <= max(known) <= plausible[1]:
            return None
    # A quoted cell may contain commas.
    return numbers if len(numbers) == len(cells) else None


class CachedConverter(Generic[V]):
    """A converter of text columns that converts each distinct text once.

    Attributes:
        errors: The cached texts that cannot be parsed, with the rules that they break.

    Args:
        convert: Converts text to a value; raises Unreadable.
        unreadable: The value of text that cannot be parsed.

    """

    def __init__(self, convert: Callable[[str], V], unreadable: V) -> None:
        self.errors: dict[str, CellRule] = {}
        self._convert = convert
        self._unreadable = unreadable
        self._values: dict[str, V] = {}

    def __call__(self, cells: Sequence[str]) -> list[V]:
        """Return the values of cells."""
        if len(self._values) > MAX_CACHED_TEXTS:
            self._values.clear()
            self.errors.clear()
        for text in set(cells).difference(self._values):
            self._values[text] = self._converted(text)
        return list(map(self._values.__getitem__, cells))

    def _converted(self, text: str) -> V:
        try:
            return self._convert(text)
        except Unreadable as error:
            self.errors[text] = error.rule
            return self._unreadable
