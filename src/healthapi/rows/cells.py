"""The text of a cell to a number, a truth or a text.

Source: health-data rulings on rows.  Blanks around a cell do not count.

Invariant *read or reported*: what cannot be read is `Unreadable`; only a blank cell and the words
that producers write for a missing value are missing without a word.
Invariant *once for each text*: a column has far fewer texts than cells; each is converted once, its
value is shared, and it is remembered as long as there are no more than `MEMO_TEXTS`.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, Generic, Literal, TypeVar

from healthapi.limits import LARGEST_NUMBER

__all__ = [
    "MEMO_TEXTS",
    "CellRule",
    "Converted",
    "Unreadable",
    "boolean",
    "decimal",
    "integer",
    "within",
]

MEMO_TEXTS: Final = 16_384

CellRule = Literal["number.form", "number.range", "boolean.form"]
V = TypeVar("V")

_NUMBER: Final = re.compile(
    r"[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+",
)
_MISSING: Final = {"", "nan", "none", "null", "nat"}
_BOOLEANS: Final = {
    **dict.fromkeys(("1", "true", "yes", "y"), True),
    **dict.fromkeys(("0", "false", "no", "n", ""), False),
}
_SCALED_DIGITS: Final = 9
"""Decimals that are kept of a product or a sum; what is behind them is dust of binary numbers."""


class Unreadable(Exception):
    """A cell in which something stands that is no value; `rule` says which rule it breaks."""

    def __init__(self, rule: CellRule) -> None:
        super().__init__(rule)
        self.rule = rule


def decimal(text: str, factor: float = 1.0, *, not_measured: float | None = None) -> float | None:
    """Return a number in plain ASCII notation, times a factor; None where it is missing.

    A cell that equals `not_measured`, before the factor, is missing.

    Raises Unreadable for other text, and for what is beyond `LARGEST_NUMBER`.
    """
    trimmed = text.strip()
    if _NUMBER.fullmatch(trimmed) is None:
        if trimmed.lower() in _MISSING:
            return None
        raise Unreadable("number.form")
    value = float(trimmed)
    if value == not_measured:
        return None
    return within(value if factor == 1 else value * factor, exact=factor == 1)


def integer(text: str, factor: float = 1.0, *, not_measured: float | None = None) -> int | None:
    """Return a number as `decimal` does, rounded half to even to an integer."""
    value = decimal(text, factor, not_measured=not_measured)
    return None if value is None else round(value)


def boolean(text: str) -> bool:
    """Give whether a cell says yes; a blank one does not.  Raises Unreadable for other words."""
    value = _BOOLEANS.get(text.strip().lower())
    if value is None:
        raise Unreadable("boolean.form")
    return value


def within(value: float, *, exact: bool) -> float:
    """Give a number without dust where it was computed, and without the sign of a zero.

    Raises Unreadable for what is beyond `LARGEST_NUMBER`.
    """
    if abs(value) > LARGEST_NUMBER:
        raise Unreadable("number.range")
    return (value if exact else round(value, _SCALED_DIGITS)) + 0.0


class Converted(Generic[V]):
    """A column of text to values, each distinct text converted once.

    Attributes:
        faults: of the texts that are remembered those that cannot be read, and the rules they
            break.

    Args:
        convert: text to value; raises Unreadable.
        unreadable: the value of text that cannot be read.

    """

    def __init__(self, convert: Callable[[str], V], unreadable: V) -> None:
        self.faults: dict[str, CellRule] = {}
        self._convert = convert
        self._unreadable = unreadable
        self._values: dict[str, V] = {}

    def __call__(self, cells: Sequence[str]) -> list[V]:
        """Give the values of cells."""
        if len(self._values) > MEMO_TEXTS:
            self._values.clear()
            self.faults.clear()
        for text in set(cells).difference(self._values):
            self._values[text] = self._judged(text)
        return list(map(self._values.__getitem__, cells))

    def _judged(self, text: str) -> V:
        try:
            return self._convert(text)
        except Unreadable as error:
            self.faults[text] = error.rule
            return self._unreadable
