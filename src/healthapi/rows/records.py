"""The row classes of every dataset, and `Rows`, which stores rows column-wise.

Dates are ISO text (`2026-01-31`), minutes are minutes, `hrv` and `deep_rmssd` milliseconds (RMSSD),
`rhr` beats a minute, `*_pct` percent.

Invariant *missing is not zero*: what was not measured is None, also on a date on which its dataset
has no row; JSON then leaves the member out.
Invariant *stored column-wise*: rows are built on access, so that a table of a million rows contains
no row objects.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, tzinfo
from itertools import compress
from operator import and_
from types import MappingProxyType
from typing import Any, Final, Generic, TypeGuard, TypeVar, cast, overload

import attrs

from status_contracts.html_table import MAX_ROWS, html_table
from status_contracts.instants import local_datetimes

Cell = str | int | float | bool | None
"""A value in a column."""

_NUMBER_TYPES: Final = frozenset((int, float))
_TIMES: Final = ("start_time", "end_time")

R = TypeVar("R", bound=attrs.AttrsInstance)


class _ShortRepr:
    """A repr without the members that are None."""

    __slots__ = ()

    def __repr__(self) -> str:
        members = attrs.asdict(self, recurse=False).items()  # type: ignore[arg-type] # rows are attrs
        shown = (f"{name}={value!r}" for name, value in members if value is not None)
        return f"{type(self).__name__}({', '.join(shown)})"


@attrs.frozen
class ActivityRow:
    """The activity of a date, as in the activity file."""

    date: str
    steps: int | None = None
    sedentary_minutes: int | None = None
    activity_calories: int | None = None
    calories_out: int | None = None
    lightly_active_minutes: int | None = None
    fairly_active_minutes: int | None = None
    very_active_minutes: int | None = None
    active_zone_minutes: int | None = None
    active_minutes: int | None = None
    exercise_examples: str | None = None


@attrs.frozen
class SleepLog:
    """One recorded sleep, a main sleep or a nap; `duration` is in ms."""

    date: str
    log_id: str | None = None
    is_main_sleep: bool = False
    duration: int | None = None
    minutes_asleep: int | None = None
    minutes_awake: int | None = None
    time_in_bed: int | None = None
    efficiency: int | None = None
    sleep_score: float | None = None
    minutes_deep: int | None = None
    minutes_rem: int | None = None
    minutes_light: int | None = None
    minutes_wake_stages: int | None = None
    minutes_to_fall_asleep: int | None = None
    minutes_after_wakeup: int | None = None
    start_time: str | None = None
    end_time: str | None = None


@attrs.frozen(repr=False)
class SleepRow(_ShortRepr):
    """The sleep of a date: its main sleep, or its best nap if it has no main sleep.

    Attributes:
        nap_count: Number of naps of the date.
        sleep_hours: Hours asleep, one decimal; JSON leaves it out if `minutes_asleep` is None.
        deep_pct: Share of deep sleep in percent, one decimal; JSON leaves it out if it is unknown.
        rem_pct: Share of REM sleep, likewise.

    """

    date: str
    is_main_sleep: bool
    minutes_asleep: int | None
    minutes_awake: int | None
    time_in_bed: int | None
    efficiency: int | None
    sleep_score: float | None
    minutes_deep: int | None
    minutes_rem: int | None
    minutes_light: int | None
    minutes_wake_stages: int | None
    minutes_to_fall_asleep: int | None
    minutes_after_wakeup: int | None
    start_time: str | None
    end_time: str | None
    nap_count: int
    sleep_hours: float | None = None
    deep_pct: float | None = None
    rem_pct: float | None = None


@attrs.frozen
class HrvRow:
    """Heart rate variability of a date: of the night, and of deep sleep."""

    date: str
    hrv: float | None = None
    deep_rmssd: float | None = None


@attrs.frozen
class RhrRow:
    """Resting heart rate of a date."""

    date: str
    rhr: int | None = None


@attrs.frozen(repr=False)
class DailyRow(_ShortRepr):
    """All datasets of a date; JSON leaves out the members of a dataset without a row on it."""

    date: str
    steps: int | None = None
    sedentary_minutes: int | None = None
    activity_calories: int | None = None
    calories_out: int | None = None
    lightly_active_minutes: int | None = None
    fairly_active_minutes: int | None = None
    very_active_minutes: int | None = None
    active_zone_minutes: int | None = None
    active_minutes: int | None = None
    exercise_examples: str | None = None
    is_main_sleep: bool | None = None
    minutes_asleep: int | None = None
    minutes_awake: int | None = None
    time_in_bed: int | None = None
    efficiency: int | None = None
    sleep_score: float | None = None
    minutes_deep: int | None = None
    minutes_rem: int | None = None
    minutes_light: int | None = None
    minutes_wake_stages: int | None = None
    minutes_to_fall_asleep: int | None = None
    minutes_after_wakeup: int | None = None
    start_time: str | None = None
    end_time: str | None = None
    nap_count: int | None = None
    sleep_hours: float | None = None
    deep_pct: float | None = None
    rem_pct: float | None = None
    hrv: float | None = None
    deep_rmssd: float | None = None
    rhr: int | None = None


@attrs.frozen
class PeriodRow:
    """Means over the daily rows of a week (`2026-W05`) or a month (`2026-01`).

    A mean is None if no day of the period has a value.
    """

    period: str
    days: int
    sleep_score: float | None = None
    sleep_hours: float | None = None
    hrv: float | None = None
    rhr: float | None = None
    steps: float | None = None
    active_minutes: float | None = None
    active_zone_minutes: float | None = None
    calories_out: float | None = None


NEVER_NULL: Final[Mapping[type, tuple[str, ...]]] = {
    SleepRow: ("sleep_hours", "deep_pct", "rem_pct"),
    DailyRow: ("is_main_sleep", "nap_count", "sleep_hours", "deep_pct", "rem_pct"),
}
"""Row to its members that JSON leaves out wherever they are None."""


class Rows(Sequence[R], Generic[R]):
    """An immutable sequence of the rows of one dataset, stored column-wise.

    Args:
        key: Key of the dataset.
        row: The class of a row.
        cells: For each member of the class the values of all rows, as tuples of one length.
        absent: For members that some rows lack, for each row 1 if JSON leaves the member out.

    Raises:
        ValueError: The names are not the members of the class, or the lengths differ.

    """

    __slots__ = ("_absent", "_cells", "_numbers", "_row", "key")

    def __init__(
        self,
        key: str,
        row: type[R],
        cells: Mapping[str, tuple[Cell, ...]],
        absent: Mapping[str, bytes] | None = None,
    ) -> None:
        fields = tuple(field.name for field in attrs.fields(row))
        if cells.keys() != set(fields):
            raise ValueError("the columns are not the members of the row")
        if len(set(map(len, cells.values()))) != 1:
            raise ValueError("the columns differ in length")
        self.key = key
        self._row = row
        self._cells = MappingProxyType({name: cells[name] for name in fields})
        self._absent = dict(absent or {})
        self._numbers: dict[str, ColumnNumbers] = {}

    def __reduce__(self) -> tuple[type["Rows[Any]"], tuple[object, ...]]:
        return Rows, (self.key, self._row, dict(self._cells), self._absent)

    @property
    def row(self) -> type[R]:
        """The class of a row."""
        return self._row

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the members, in order; the first is `date` or `period`."""
        return tuple(self._cells)

    @property
    def cells(self) -> Mapping[str, tuple[Cell, ...]]:
        """The values of all rows by member."""
        return self._cells

    def columns(self, zone: tzinfo | None = None) -> dict[str, list[Any]]:
        """Return the values of all rows by member, for `pandas.DataFrame` or `polars.DataFrame`.

        Days are `datetime.date`; what is missing is None.  The times of a sleep are text, in local
        time; in the person's zone they are aware datetimes, None if they are not ISO 8601.  Raise
        TypeError for a zone that is no tzinfo.
        """
        columns: dict[str, list[Any]] = {name: list(cells) for name, cells in self._cells.items()}
        if "date" in columns:
            columns["date"] = list(map(date.fromisoformat, self.labels))
        if zone is not None:
            times = {name: local_datetimes(columns.get(name, ()), zone) for name in _TIMES}
            columns |= {name: times[name] for name in _TIMES if name in columns}
        return columns

    @property
    def labels(self) -> tuple[str, ...]:
        """The dates or periods of all rows, ascending."""
        return cast("tuple[str, ...]", next(iter(self._cells.values())))

    def numbers(self, name: str) -> "ColumnNumbers":
        """Return the numbers of a member, which are cached; raise KeyError for an unknown one."""
        numbers = self._numbers.get(name)
        if numbers is None:
            numbers = self._numbers[name] = find_numbers(self._cells[name])
        return numbers

    def plain(self, start: int = 0, stop: int | None = None) -> list[dict[str, Any]]:
        """Return rows as dictionaries of JSON, without the members that a row lacks."""
        names = self.fields
        cut = [cells[start:stop] for cells in self._cells.values()]
        plain = [dict(zip(names, row, strict=True)) for row in zip(*cut, strict=True)]
        for name, mask in self._absent.items():
            for row in compress(plain, mask[start:stop]):
                del row[name]
        for name in NEVER_NULL.get(self._row, ()):
            for row in plain:
                if row.get(name) is None:
                    row.pop(name, None)
        return plain

    def __len__(self) -> int:
        return len(self.labels)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> "Rows[R]": ...
    def __getitem__(self, index: int | slice) -> "R | Rows[R]":
        if isinstance(index, slice):
            cut = {name: cells[index] for name, cells in self._cells.items()}
            absent = {name: mask[index] for name, mask in self._absent.items()}
            return Rows(self.key, self._row, cut, absent)
        return self._row(*(cells[index] for cells in self._cells.values()))

    def __iter__(self) -> Iterator[R]:
        return (self._row(*cells) for cells in zip(*self._cells.values(), strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows):
            return NotImplemented
        return (
            self._row is other._row
            and self._cells == other._cells
            and self._absent == other._absent
        )

    def __hash__(self) -> int:
        return hash((self._row, tuple(self._cells.values())))

    def __repr__(self) -> str:
        return f"<{self._summary}>"

    def _repr_html_(self) -> str:
        """Return an HTML table of the first rows for notebooks; all text is escaped.

        A cell is empty where nothing was measured; members without a value in any row are left out.
        """
        label, *others = self._cells.items()
        known = ((name, cells) for name, cells in others if any(cell is not None for cell in cells))
        shown = dict([label, *known])
        columns = (map(cell_text, cells[:MAX_ROWS]) for cells in shown.values())
        rows = zip(*columns, strict=True)
        return html_table(self._summary, shown, rows, more=max(0, len(self) - MAX_ROWS))

    @property
    def _summary(self) -> str:
        if not self:
            return f"Rows of {self.key}: none"
        return f"Rows of {self.key}: {len(self)}, {self.labels[0]} to {self.labels[-1]}"


def is_number(cell: Cell) -> TypeGuard[float]:
    """Return whether a value is a number; None, text and booleans are not."""
    return type(cell) in _NUMBER_TYPES


def number_or_none(cell: Cell) -> float | None:
    """Return a cell if it is a number."""
    return cell if is_number(cell) else None


def cell_text(cell: Cell) -> str:
    """Return a cell as text for people; empty if nothing was measured."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return "" if cell is None else str(cell)


@attrs.frozen(eq=False)
class ColumnNumbers:
    """The numbers of a column, and their positions.

    Attributes:
        values: The numbers, in the order of the column.
        mask: For each cell 1 if it is a number, else 0.

    """

    values: Sequence[float]
    mask: bytes


def find_numbers(cells: Sequence[object]) -> ColumnNumbers:
    """Return the numbers of a column."""
    mask = bytes(map(_NUMBER_TYPES.__contains__, map(type, cells)))
    values = tuple(compress(cells, mask)) if 0 in mask else cells
    return ColumnNumbers(cast("Sequence[float]", values), mask)


def paired_numbers(
    one: ColumnNumbers, other: ColumnNumbers
) -> tuple[Sequence[float], Sequence[float]]:
    """Return the numbers of two columns of one length, from the rows in which both have one."""
    if one.mask == other.mask:
        return one.values, other.values
    both = bytes(map(and_, one.mask, other.mask))
    return (
        tuple(compress(one.values, compress(both, one.mask))),
        tuple(compress(other.values, compress(both, other.mask))),
    )
