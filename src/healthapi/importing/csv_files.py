"""Parse the CSV files of an export, line by line.

Invariant *bounded*: one line of a file is in memory at a time, of at most `LINE_BYTES`.
Invariant *whole or not at all*: a file that cannot be read to its end gives no values.  A row that
cannot be read is skipped and counted.
Invariant *sources stay apart*: rows of different devices are never added up.  Rows that another
vendor's app wrote (Health Kit, Health Connect) are left out.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from healthapi.importing.file_names import FileKind
from healthapi.importing.json_files import CALORIE_UNITS
from healthapi.importing.minutes import MAX_VALUE
from healthapi.importing.numbers import number
from healthapi.importing.times import DAY_MINUTES, day_of, instant_minute, local_minute
from healthapi.importing.times import offset_minutes as parse_offset
from healthapi.importing.values import Daily, Source, Values, check_records, file_error

__all__ = ["LINE_BYTES", "parse_csv"]

LINE_BYTES: Final = 64 * 1024
_NAME_LENGTH: Final = 100
"""Characters of the longest column name; forms of names take more than linear time."""
_BYTE_ORDER_MARK: Final = "\ufeff"
_NO_DATA: Final = ["no data"]
_MIRRORS: Final = ("health kit", "health connect")
"""Ends of the names of apps that copy what other devices measured."""

_Cells = Sequence[str]


class _Unreadable(Exception):
    """A row cannot be read."""


def parse_csv(kind: FileKind, chunks: Iterable[bytes]) -> Values:
    """Return the values of a CSV file.

    Args:
        kind: what the file holds.
        chunks: the bytes of the file, in pieces of any length.

    Raises:
        FileError: the file is not CSV in UTF-8, or lacks a column.

    """
    columns, read = _READERS[kind]
    values = Values()
    rows = _rows(chunks)
    header = [name.strip().lower() for name in next(rows, ())]
    if not header or header == _NO_DATA:
        return values
    indexes = [_find(header, form) for form in columns]
    for row in rows:
        cells = [row[index].strip() if -1 < index < len(row) else "" for index in indexes]
        try:
            read(cells, values)
        except _Unreadable:
            values.skipped += 1
    return values


def _rows(chunks: Iterable[bytes]) -> Iterator[list[str]]:
    reader = csv.reader(_lines(chunks), strict=True)
    try:
        yield from (row for row in reader if row)
    except csv.Error:
        raise file_error("file.cell") from None
    except UnicodeDecodeError:
        raise file_error("file.encoding") from None


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a file with their ends; raise FileError for one that is too long."""
    rest, mark = b"", _BYTE_ORDER_MARK
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if max(map(len, (*lines, rest))) > LINE_BYTES:
            raise file_error("file.cell")
        for line in lines:
            yield f"{line.decode()}\n".removeprefix(mark)
            mark = ""
    if rest:
        yield rest.decode().removeprefix(mark)


def _find(header: _Cells, form: str) -> int:
    """Return the index of a column; -1 for an optional one, whose form ends in `|`."""
    names = (name if len(name) <= _NAME_LENGTH else "" for name in header)
    found = next((index for index, name in enumerate(names) if re.fullmatch(form, name)), -1)
    if found < 0 and not form.endswith("|"):
        raise file_error("file.header")
    return found


def _day(text: str) -> int:
    """Return the day of a label: its date is meant, whatever zone its time has."""
    day = day_of(text[:10])
    if day is None:
        raise _Unreadable
    return day


def _minute(text: str, parse: Callable[[str], int | None]) -> tuple[int, int]:
    minute = parse(text)
    if minute is None:
        raise _Unreadable
    return divmod(minute, DAY_MINUTES)


def _is_mirrored(source: str) -> bool:
    return source.lower().endswith(_MIRRORS)


def _read_score(cells: _Cells, values: Values) -> None:
    """Read a score; -1 and a blank stand for none."""
    log_id, score = cells[0], number(cells[1])
    if not log_id:
        raise _Unreadable
    if score is not None and score > 0:
        values.scores[log_id] = score
        check_records(values.scores)


def _read_hrv_summary(cells: _Cells, values: Values) -> None:
    _set_rmssd("hrv", _day(cells[0]), cells[1], values)


def _set_rmssd(name: Daily, day: int, cell: str, values: Values) -> None:
    """Set a heart rate variability; 0 and a blank stand for none."""
    rmssd = number(cell)
    if rmssd is None and cell:
        raise _Unreadable
    if rmssd is not None and rmssd > 0:
        values.set_daily(name, day, rmssd)
    elif rmssd is not None:
        values.omit("hrv.zero", day)


def _read_google_hrv(cells: _Cells, values: Values) -> None:
    day = _day(cells[0])
    if _is_mirrored(cells[3]):
        values.omit("hrv.mirrored", day)
        return
    _set_rmssd("google-hrv", day, cells[1], values)
    _set_rmssd("google-deep", day, cells[2], values)


def _read_google_resting(cells: _Cells, values: Values) -> None:
    day, rate = _day(cells[0]), number(cells[1])
    if _is_mirrored(cells[2]):
        values.omit("resting.mirrored", day)
    elif rate is None or rate < 0:
        raise _Unreadable
    elif rate == 0:
        values.omit("resting.placeholder", day)
    else:
        values.set_daily("google-resting", day, rate)


def _read_zone_minutes(cells: _Cells, values: Values) -> None:
    day, minute = _minute(cells[0], local_minute)
    _add(values, ("zone", ""), day, minute, _whole(cells[1], 1))


def _read_google_steps(cells: _Cells, values: Values) -> None:
    _read_google_minute(cells, values, ("google-steps", cells[2]), 1)


def _read_google_calories(cells: _Cells, values: Values) -> None:
    _read_google_minute(cells, values, ("google-calories", cells[2]), CALORIE_UNITS)


def _read_google_minute(cells: _Cells, values: Values, source: Source, units: int) -> None:
    day, minute = _minute(cells[0], instant_minute)
    if _is_mirrored(source[1]):
        if source[0] == "google-steps":
            values.omit("steps.mirrored", day)
    else:
        _add(values, source, day, minute, _whole(cells[1], units))


def _whole(cell: str, units: int) -> int:
    value = number(cell)
    if value is None or not 0 <= value * units <= MAX_VALUE:
        raise _Unreadable
    return round(value * units)


def _add(values: Values, source: Source, day: int, minute: int, value: int) -> None:
    """Add to a minute: a file may have several rows for one."""
    row = values.row(source, day)
    row[minute] = min(max(row[minute], 0) + value, MAX_VALUE)


def _read_google_sleep(cells: _Cells, values: Values) -> None:
    """Read the offsets at both ends of a night; the night itself lacks what a row needs."""
    start, end = instant_minute(cells[0]), instant_minute(cells[2])
    before, after = parse_offset(cells[1]), parse_offset(cells[3])
    if start is None or end is None or before is None or after is None:
        raise _Unreadable
    values.nights |= {start: before, end: after}
    values.google_nights[end] = after
    check_records(values.nights)


_SOURCE: Final = r"data[ _]source|"
_AVERAGE: Final = r"average.*(variability|rmssd|mean square).*|rmssd"
_DEEP: Final = r".*deep.*(variability|rmssd|mean square).*|"
_RATE: Final = r"beats per minute|.*resting.*|value"
_READERS: Final[dict[FileKind, tuple[tuple[str, ...], Callable[[_Cells, Values], None]]]] = {
    "sleep-score": (("sleep_log_entry_id", "overall_score"), _read_score),
    "hrv-summary": (("timestamp", "rmssd"), _read_hrv_summary),
    "zone-minutes": (("date_time", "total_minutes"), _read_zone_minutes),
    "google-steps": (("timestamp", "steps", _SOURCE), _read_google_steps),
    "google-calories": (("timestamp", "calories", _SOURCE), _read_google_calories),
    "google-hrv": (("timestamp", _AVERAGE, _DEEP, _SOURCE), _read_google_hrv),
    "google-resting": (("timestamp", _RATE, _SOURCE), _read_google_resting),
    "google-sleeps": (
        ("sleep_start", "start_utc_offset", "sleep_end", "end_utc_offset"),
        _read_google_sleep,
    ),
}
"""Kind of file to the forms of its columns, and the function that reads a row of them."""
