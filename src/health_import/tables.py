"""The four tables: their columns, and merging the rows of an export into existing ones.

Invariant *nothing is lost*: every row and every column of the old table stays; a cell is replaced
only by a value, never by a blank.
"""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from io import StringIO
from typing import Final

import attrs

from health_import.texts import DAY_MINUTES, day_of, day_text, local_minute, whole_text
from healthapi.rows.mapping import NATIVE, FileDataset
from status_contracts.days import is_day
from status_contracts.json_text import BOM

Row = dict[str, str]
"""Column to the text of its cell; columns that are left out are blank."""

STAGE_COLUMNS: Final = {
    "deep": "minutesDeep",
    "rem": "minutesREM",
    "light": "minutesLight",
    "awake": "minutesWakeStages",
}
CLASSIC_COLUMNS: Final = {
    "asleep": "minutesAsleepClassic",
    "restless": "minutesRestlessClassic",
    "awake": "minutesAwakeClassic",
}
"""Stage to the column of its minutes, for sleeps that were recorded with stages and without."""
_SLEEP: Final = (
    *("date", "logId", "isMainSleep", "startTime", "endTime", "duration", "minutesAsleep"),
    *("minutesAwake", "minutesToFallAsleep", "minutesAfterWakeup", "timeInBed", "efficiency"),
    "infoCode",
    *STAGE_COLUMNS.values(),
    *CLASSIC_COLUMNS.values(),
    "sleepScore",
)
"""More columns than are read, for other programs."""
COLUMNS: Final[dict[FileDataset, tuple[str, ...]]] = {
    dataset: _SLEEP if dataset == "sleep" else (table.date, *(name for _, name in table.sources()))
    for dataset, table in NATIVE.tables.items()
}


def texts_of(
    values: Mapping[int, float], write: Callable[[float], str] = whole_text
) -> dict[int, str]:
    """Return values by day as the texts of cells."""
    return {day: write(value) for day, value in values.items()}


def rows_of(columns: Mapping[str, Mapping[int, str]]) -> list[Row]:
    """Return the rows of columns of texts by day, ascending by date."""
    days = sorted(set[int]().union(*columns.values()))
    return [
        {"date": day_text(day), **{name: of[day] for name, of in columns.items() if of.get(day)}}
        for day in days
    ]


def days_of(rows: Iterable[Row]) -> set[int]:
    """Return the days of rows."""
    days = {day_of(row["date"].strip()) for row in rows}
    return {day for day in days if day is not None}


def time_cells(start: datetime, end: datetime) -> Row:
    """Return the cells of a sleep by its local times; its day is that of waking."""
    times = (at.replace(tzinfo=None) for at in (start, end))
    first, last = (at.isoformat(timespec="milliseconds") for at in times)
    duration = (end - start) // timedelta(milliseconds=1)
    return {
        "date": last[:_DATE_LENGTH],
        "startTime": first,
        "endTime": last,
        "duration": str(duration),
    }


_MESSAGE_OF: Final = {
    "table.encoding": "is not UTF-8 text",
    "table.header": "its first line does not name a column `date` and others, each once",
    "table.row": "has no date as 2026-01-31, more cells than the header, or a quote that is open",
}
_DATE_LENGTH: Final = 10


class TableError(Exception):
    """An existing table cannot be merged without losing something; reading stopped at the line."""

    def __init__(self, code: str, line: int) -> None:
        super().__init__(code, line)
        self.code = code
        self.line = line
        self.message = _MESSAGE_OF[code]


@attrs.frozen
class OldTable:
    """The columns and rows of an existing table; blank cells are left out of a row."""

    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()

    @property
    def last_date(self) -> str:
        """The last date, as text; empty without rows."""
        return max((_date(row) for row in self.rows), default="")


@attrs.frozen
class Changes:
    """Numbers of rows that a merge added, changed, and left as they were."""

    added: int
    changed: int
    kept: int


def parse_table(data: bytes) -> OldTable:
    """Return an existing table; raise TableError if it has anything that a merge could lose."""
    try:
        text = data.removeprefix(BOM).decode()
    except UnicodeDecodeError:
        raise TableError("table.encoding", 1) from None
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    try:
        columns = next(reader, [])
        if "date" not in columns or len(set(columns)) != len(columns):
            raise TableError("table.header", 1)
        for cells in reader:
            row = {name: cell for name, cell in zip(columns, cells, strict=False) if cell}
            if not row:
                continue
            if len(cells) > len(columns) or not is_day(row.get("date", "").strip()[:_DATE_LENGTH]):
                raise TableError("table.row", reader.line_num)
            rows.append(row)
    except csv.Error:
        raise TableError("table.row", reader.line_num) from None
    return OldTable(tuple(columns), tuple(rows))


_LONGEST: Final = 2 * DAY_MINUTES
"""Minutes; the times of a longer sleep are not compared."""


class SleepTimes:
    """The sleeps of a table by their times; rows without both times are never found."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._days: dict[int, dict[tuple[int, int], int]] = {}
        for index, row in enumerate(rows):
            self.add(row, index)

    def add(self, row: Row, index: int) -> None:
        """Add the row with an index."""
        if span := _span(row):
            self._days.setdefault(span[1] // DAY_MINUTES, {})[span] = index

    def find(self, row: Row) -> int | None:
        """Return the index of a row that shares more than half of the shorter sleep's time."""
        span = _span(row)
        if span is None:
            return None
        start, end = span
        for day in range(start // DAY_MINUTES, (end + _LONGEST) // DAY_MINUTES + 1):
            for (first, last), index in self._days.get(day, {}).items():
                shared = min(end, last) - max(start, first)
                if 2 * shared > min(end - start, last - first):
                    return index
        return None


def _span(row: Row) -> tuple[int, int] | None:
    """Return the local minutes at which a sleep starts and ends."""
    start, end = (local_minute(row.get(name, "").strip()) for name in ("startTime", "endTime"))
    if start is None or end is None or not start < end <= start + _LONGEST:
        return None
    return start, end


def sleep_order(row: Row) -> tuple[str, bool, str]:
    """Return the sort key of a row: by date, the main sleep first, then by its start."""
    return row["date"], row.get("isMainSleep", "").lower() != "true", row.get("startTime", "")


def merge(
    dataset: FileDataset, old: OldTable, fresh: Sequence[Row], *, fresh_wins: bool
) -> tuple[bytes, Changes]:
    """Return the bytes of the merged table; where both have a value, `fresh_wins` decides."""
    rows = [dict(row) for row in old.rows]
    at = {_key(dataset, row): index for index, row in enumerate(rows)}
    times = SleepTimes(rows if dataset == "sleep" else ())
    added = changed = 0
    for row in fresh:
        index = at.get(_key(dataset, row))
        if index is None and (same := times.find(row)) is not None:
            index = same if "logId" not in row or "logId" not in rows[same] else None
        if index is None:
            rows.append(dict(row))
            added += 1
            continue
        before = rows[index]
        after = {**before, **row} if fresh_wins else {**row, **before}
        rows[index] = after
        changed += after != before
    columns = dict.fromkeys((*COLUMNS[dataset], *old.columns))
    rows.sort(key=sleep_order if dataset == "sleep" else _date)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row.get(name, "") for name in columns] for row in rows)
    return text.getvalue().encode(), Changes(added, changed, len(old.rows) - changed)


def _key(dataset: FileDataset, row: Row) -> tuple[str, ...]:
    """Return the identity of a row: of a sleep its log, otherwise its date."""
    if dataset != "sleep":
        return ("date", _date(row))
    return ("log", row["logId"]) if "logId" in row else ("date", _date(row), str(row))


def _date(row: Row) -> str:
    return row["date"].strip()[:_DATE_LENGTH]
