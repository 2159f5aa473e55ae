"""Convert the text of cells into numbers, booleans and days.

White space around the text of a cell is ignored.

Invariant *parsed or reported*: text that cannot be parsed raises `Unreadable`.  Only a blank cell
and the words that producers write for a missing value become None without a finding.
"""

import re
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from healthapi.limits import LARGEST_NUMBER
from status_contracts.days import DAY, is_day
from status_contracts.instants import SECONDS

__all__ = [
    "MILLISECONDS", "CellRule", "Unreadable", "boolean", "checked_number", "date_pattern",
    "day", "decimal", "formed_day",
]  # fmt: skip

CellRule = Literal[
    "date.missing",
    "date.form",
    "date.unreal",
    "number.form",
    "number.range",
    "number.implausible",
    "boolean.form",
]

_NUMBER: Final = re.compile(r"[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+")
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


def decimal(text: str, factor: float = 1.0, *, not_measured: float | None = None) -> float | None:
    """Return a number in plain ASCII notation times a factor, or None if it is missing.

    A cell that equals `not_measured`, before the factor is applied, is missing.

    Raises:
        Unreadable: The text is not a number, or it is beyond `LARGEST_NUMBER`.

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
    return checked_number(value, exact=factor == 1)


def boolean(text: str) -> bool:
    """Return the value of a word for true or false; a blank cell is False, others raise."""
    value = _BOOLEANS.get(text.strip().lower())
    if value is None:
        raise Unreadable("boolean.form")
    return value


_FORM_PARTS: Final = {
    "YYYY": "(?P<year>[0-9]{4})",
    "YY": "(?P<year>[0-9]{2})",
    "MM": "(?P<month>[0-9]{1,2})",
    "DD": "(?P<day>[0-9]{1,2})",
}
MILLISECONDS: Final = "milliseconds"
"""The form of dates that are milliseconds since the epoch, in UTC."""
_EPOCH: Final = date(1970, 1, 1)
_CENTURY: Final = 2000
"""Of years with two digits."""


@lru_cache
def date_pattern(form: str) -> re.Pattern[str] | None:
    """Return the pattern of a form such as `DD.MM.YYYY`; None if it has not each part once."""
    parts = re.split("(YYYY|YY|MM|DD)", form)
    named = [part for part in parts if part in _FORM_PARTS]
    if sorted(part[0] for part in named) != ["D", "M", "Y"]:
        return None
    end = "(?![0-9])" if form.endswith("Y") else ""  # `31.01.2026` has not the form `DD.MM.YY`
    return re.compile("".join(_FORM_PARTS.get(part) or re.escape(part) for part in parts) + end)


def formed_day(text: str, form: str) -> str:
    """Return the day with which a text of a form begins; raise Unreadable without one."""
    trimmed = text.strip()
    if not trimmed:
        raise Unreadable("date.missing")
    if form == MILLISECONDS:
        number = float(trimmed) if _NUMBER.fullmatch(trimmed) else 0
        if not SECONDS.stop <= number < LARGEST_NUMBER / 1000:
            raise Unreadable("date.form")
        return (_EPOCH + timedelta(milliseconds=number)).isoformat()
    pattern = date_pattern(form)
    parts = pattern and pattern.match(trimmed)
    if not parts:
        raise Unreadable("date.form")
    year, month, number_of_day = (int(parts[name]) for name in ("year", "month", "day"))
    century = 0 if len(parts["year"]) > len("YY") else _CENTURY
    return day(f"{year + century:04}-{month:02}-{number_of_day:02}")


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
