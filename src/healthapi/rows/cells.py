"""Convert the text of cells into numbers, booleans and days.

White space around the text of a cell is ignored.

Invariant *parsed or reported*: text that cannot be parsed raises `Unreadable`.  Only a blank cell
and the words that producers write for a missing value become None without a finding.
"""

import re
from decimal import Decimal
from typing import Final, Literal

from healthapi.limits import LARGEST_NUMBER
from status_contracts.days import DAY, is_day

__all__ = ["CellRule", "Unreadable", "boolean", "checked_number", "day", "decimal", "integer"]

CellRule = Literal[
    "date.missing",
    "date.form",
    "date.unreal",
    "number.form",
    "number.range",
    "number.implausible",
    "boolean.form",
]

_NUMBER: Final = re.compile(
    r"[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+",
)
_MISSING: Final = {"", "nan", "none", "null", "nat"}
_BOOLEANS: Final = {
    **dict.fromkeys(("1", "true", "yes", "y"), True),
    **dict.fromkeys(("0", "false", "no", "n", ""), False),
}
_DAY_LENGTH: Final = len("YYYY-MM-DD")
_COMPUTED_DIGITS: Final = 9
"""Decimals that are kept of a product or a sum; the rest is floating-point rounding error."""

_LARGEST: Final = Decimal(LARGEST_NUMBER)


class Unreadable(Exception):
    """The text of a cell is not a value of its type, by the rule that it breaks."""

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
    """Return the value of a word for true or false; a blank cell is False, others raise."""
    value = _BOOLEANS.get(text.strip().lower())
    if value is None:
        raise Unreadable("boolean.form")
    return value


def day(text: str) -> str:
    """Return the day with which a text begins, as `2026-01-31`; raise Unreadable without one."""
    prefix = text.strip()[:_DAY_LENGTH]
    if is_day(prefix):
        return prefix
    if not prefix:
        raise Unreadable("date.missing")
    raise Unreadable("date.form" if DAY.fullmatch(prefix) is None else "date.unreal")


def checked_number(
    value: float, *, exact: bool, plausible: tuple[float, float] | None = None
) -> float:
    """Return a number rounded to nine decimals unless it is exact; -0.0 becomes 0.0.

    Raise Unreadable if it is beyond `LARGEST_NUMBER` or the range `plausible`.
    """
    if abs(value) > LARGEST_NUMBER:
        raise Unreadable("number.range")
    if plausible is not None and not plausible[0] <= value <= plausible[1]:
        raise Unreadable("number.implausible")
    return (value if exact else round(value, _COMPUTED_DIGITS)) + 0.0
