"""Parse the text of cells into numbers, booleans and days, and convert days to ordinals.

A day is `2026-01-31`, a week `2026-W05` (ISO year and week), a month `2026-01`.  An ordinal is a
number of days; 0001-01-01 has the ordinal 1.  White space around the text of a cell is ignored.

Invariant *parsed or reported*: text that cannot be parsed raises `Unreadable`.  Only a blank cell
and the words that producers write for a missing value become None without a finding.
Invariant *each text is converted once*: a column has far fewer texts than cells, so results are
cached, up to about `MAX_CACHED_TEXTS` for each column.
Invariant *a fast path only*: `try_parse_numbers` and `try_parse_days` return the values that
`decimal`, `integer` and `day` return for the same cells, or None.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import compress, count, islice
from operator import eq
from typing import Annotated, Final, Literal, TypeVar

import msgspec

from healthapi.limits import LARGEST_NUMBER

DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""The form of a day; `is_day` also checks the calendar."""

_WEEK_DAYS: Final = 7
_DECEMBER: Final = 12


def is_day(text: str) -> bool:
    """Return whether text is a day of the calendar as `YYYY-MM-DD`, years 0001 to 9999."""
    if DAY.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def week_of(day: str) -> str:
    """Return the ISO week of a day: `2024-12-30` is in `2025-W01`."""
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04}-W{week:02}"


def month_of(day: str) -> str:
    """Return the month of a day."""
    return day[:7]


def ordinal(label: str) -> int:
    """Return the ordinal of a day, or of the first day of a week or month."""
    return bounds(label)[0]


def bounds(label: str) -> tuple[int, int]:
    """Return the ordinals of the first and the last day of a day, week or month.

    The last week and month end at 9999-12-31 at the latest.

    Raises:
        ValueError: The text is not a day, week or month, or it begins before 0001-01-01.

    """
    year, _, rest = label.partition("-")
    if rest.startswith("W"):
        first = date.fromisocalendar(int(year), int(rest[1:]), 1).toordinal()
        return first, min(first + _WEEK_DAYS - 1, date.max.toordinal())
    if "-" in rest:
        day = date.fromisoformat(label).toordinal()
        return day, day
    first = date(int(year), int(rest), 1).toordinal()
    if rest == str(_DECEMBER):
        return first, date(int(year), _DECEMBER, 31).toordinal()
    return first, date(int(year), int(rest) + 1, 1).toordinal() - 1


def find_runs(labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return start and stop of each run of two or more equal labels: `a b b c` has (1, 3)."""
    runs: list[tuple[int, int]] = []
    start = stop = 0
    for index in compress(count(1), map(eq, labels, islice(labels, 1, None))):
        if index != stop:
            if stop:
                runs.append((start, stop))
            start = index - 1
        stop = index + 1
    return [*runs, (start, stop)] if stop else runs


MAX_CACHED_TEXTS: Final = 16_384

CellRule = Literal[
    "date.missing",
    "date.form",
    "date.unreal",
    "number.form",
    "number.range",
    "number.implausible",
    "boolean.form",
]
V = TypeVar("V")

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
# Without the largest number itself, to which larger texts are rounded.  Not strict: 61.0 is 61.
_RANGE: Final = msgspec.Meta(gt=-LARGEST_NUMBER, lt=LARGEST_NUMBER)
_INTEGERS: Final = msgspec.json.Decoder(list[Annotated[int, _RANGE] | None], strict=False)
_DECIMALS: Final = msgspec.json.Decoder(list[Annotated[float, _RANGE] | None], strict=False)


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


def try_parse_numbers(
    cells: Sequence[str], *, whole: bool, plausible: tuple[float, float] | None = None
) -> Sequence[float | None] | None:
    """Parse a column of numbers as one JSON array, several times as fast as cell by cell.

    Return the integers (`whole`) or decimals, with None for empty cells; return None if any cell
    is not a number of JSON, begins with a minus, or is out of range.
    """
    text = f",{','.join(cells)},"
    if "-" in text or '"' in text:  # JSON knows -0.0, and this decoder takes numbers in quotes.
        return None
    if ",," in text:  # twice, because the first pass sees only two of three commas in a row
        text = text.replace(",,", ",null,").replace(",,", ",null,")
    try:
        numbers = (_INTEGERS if whole else _DECIMALS).decode(f"[{text[1:-1]}]")
    except msgspec.MsgspecError:
        return None
    if plausible is not None:
        known = [number for number in numbers if number is not None]
        if known and not plausible[0] <= min(known) <= max(known) <= plausible[1]:
            return None
    # A quoted cell may contain commas.
    return numbers if len(numbers) == len(cells) else None


def try_parse_days(cells: Sequence[str]) -> Sequence[str] | None:
    """Return the cells if all of them are days and nothing else, else None."""
    if set(map(len, cells)) != {_DAY_LENGTH} or "W" in "".join(cells):
        return None
    try:
        list(map(date.fromisoformat, cells))
    except ValueError:
        return None
    return cells


class CachedConverter(dict[str, V]):
    """A converter of text columns that converts each distinct text once.

    Args:
        fast_path: Returns the values of a column, or None if `convert` is needed.

    """

    def __init__(
        self,
        convert: Callable[[str], V],
        unreadable: V,
        fast_path: Callable[[Sequence[str]], Sequence[V] | None] | None = None,
    ) -> None:
        self._convert = convert
        self._unreadable = unreadable
        self._fast_path = fast_path
        self._errors: dict[str, CellRule] = {}

    def column(self, cells: Sequence[str]) -> Sequence[V]:
        """Return the values of cells."""
        values = self._fast_path(cells) if self._fast_path else None
        if values is not None:
            return values
        if len(self) > MAX_CACHED_TEXTS:
            self.clear()
            self._errors.clear()
        return list(map(self.__getitem__, cells))

    def __missing__(self, text: str) -> V:
        try:
            value = self._convert(text)
        except Unreadable as error:
            self._errors[text] = error.rule
            value = self._unreadable
        self[text] = value
        return value

    def errors(self, cells: Sequence[str]) -> Iterator[tuple[int, CellRule]]:
        """Yield the index and the broken rule of each unreadable cell of the last column."""
        errors = self._errors
        if errors:
            yield from ((row, errors[text]) for row, text in enumerate(cells) if text in errors)
