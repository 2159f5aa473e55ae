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
from healthapi.importing.texts import (
    DAY_MINUTES,
    HALF_MINUTES,
    day_of,
    day_text,
    half_minute_text,
    instant_half_minute,
    instant_minute,
    local_minute,
    number,
    whole_text,
)
from healthapi.importing.texts import offset_minutes as parse_offset
from healthapi.importing.values import (
    MAX_VALUE,
    STAGES,
    Daily,
    Measurement,
    RecordError,
    Sleep,
    Source,
    Values,
    check_records,
    file_error,
    known,
    whole_units,
)

LINE_BYTES: Final = 64 * 1024
_NAME_LENGTH: Final = 100
"""Characters of the longest column name; forms of names take more than linear time."""
_TEXT_LENGTH: Final = 80
"""Code points of the longest id, and of the part of a device's name, that are kept."""
_BYTE_ORDER_MARK: Final = "\ufeff"
_NO_DATA: Final = ["no data"]
_MIRRORS: Final = ("health kit", "health connect")
"""Ends of the names of apps that copy what other devices measured."""

_Cells = Sequence[str]


def parse_csv(kind: FileKind, chunks: Iterable[bytes]) -> Values:
    """Return the values of a CSV file.

    Raise FileError if it is not CSV in UTF-8, or lacks a column.
    """
    columns, read = _READERS[kind]
    values = Values()
    rows = _rows(chunks)
    header = [name.strip().lower() for name in next(rows, ())]
    if header == _NO_DATA:
        return values
    indexes = [_find(header, form) for form in columns]
    for row in rows:
        cells = [row[index].strip() if -1 < index < len(row) else "" for index in indexes]
        try:
            read(cells, values)
        except RecordError:
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
    required = form.removesuffix("|")
    at = next((index for index, name in enumerate(names) if re.fullmatch(required, name)), -1)
    if at < 0 and form == required:
        raise file_error("file.header")
    return at


def _day(text: str) -> int:
    """Return the day of a label: its date is meant, whatever zone its time has."""
    return known(day_of(text[:10]))


def _minute(text: str, parse: Callable[[str], int | None]) -> tuple[int, int]:
    return divmod(known(parse(text)), DAY_MINUTES)


def _id(text: str) -> str:
    if not 0 < len(text) <= _TEXT_LENGTH:
        raise RecordError
    return text


def _is_mirrored(source: str) -> bool:
    return source.lower().endswith(_MIRRORS)


def _read_score(cells: _Cells, values: Values) -> None:
    """Read a score; -1 and a blank stand for none."""
    log_id, score = _id(cells[0]), number(cells[1])
    if score is not None and score > 0:
        values.scores[log_id] = score
        check_records(values.scores)


def _read_hrv_summary(cells: _Cells, values: Values) -> None:
    _set_rmssd("hrv", _day(cells[0]), cells[1], values)


def _set_rmssd(name: Daily, day: int, cell: str, values: Values) -> None:
    """Set a heart rate variability; 0 and a blank stand for none."""
    rmssd = number(cell)
    if rmssd is None and cell:
        raise RecordError
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
        raise RecordError
    elif rate == 0:
        values.omit("resting.placeholder", day)
    else:
        values.set_daily("google-resting", day, rate)


def _read_zone_minutes(cells: _Cells, values: Values) -> None:
    day, minute = _minute(cells[0], local_minute)
    _add(values, ("zone", ""), day, minute, whole_units(cells[1], 1))


def _google_reader(measurement: Measurement, units: int) -> Callable[[_Cells, Values], None]:
    def read(cells: _Cells, values: Values) -> None:
        day, minute = _minute(cells[0], instant_minute)
        if _is_mirrored(cells[2]):
            at = day * DAY_MINUTES + minute
            values.mirror(measurement, at, at)
        else:
            source = measurement, cells[2][:_TEXT_LENGTH]
            _add(values, source, day, minute, whole_units(cells[1], units))

    return read


def _add(values: Values, source: Source, day: int, minute: int, value: int) -> None:
    """Add to a minute: a file may have several rows for one."""
    row = values.row(source, day)
    row[minute] = min(max(row[minute], 0) + value, MAX_VALUE)


def _read_google_sleep(cells: _Cells, values: Values) -> None:
    """Read a sleep, and the offsets from UTC at both of its ends."""
    sleep_id = _id(cells[0])
    start, end = known(instant_half_minute(cells[1])), known(instant_half_minute(cells[3]))
    before, after = known(parse_offset(cells[2])), known(parse_offset(cells[4]))
    if not start < end <= start + HALF_MINUTES:
        raise RecordError
    values.nights |= {start // 2: before, end // 2: after}
    check_records(values.nights)
    local_end = end + 2 * after
    day = local_end // HALF_MINUTES
    if _is_mirrored(cells[6]):
        values.omit("sleep.mirrored", day)
        return
    named_cells = {
        "date": day_text(day),
        "startTime": half_minute_text(start + 2 * before),
        "endTime": half_minute_text(local_end),
        "duration": str((end - start) * 30_000),
        **dict(zip(_SLEEP_CELLS, map(whole_text, map(number, cells[7:])), strict=True)),
    }
    values.google_sleeps[sleep_id] = Sleep(
        day,
        {name: cell for name, cell in named_cells.items() if cell},
        cells[5].lower() != "classic",
    )
    check_records(values.google_sleeps)


def _read_google_stage(cells: _Cells, values: Values) -> None:
    """Read a stage; of stages that overlap, the later row counts."""
    sleep_id, name = _id(cells[0]), cells[1].lower()
    start, end = known(instant_half_minute(cells[2])), known(instant_half_minute(cells[3]))
    stage = known(_STAGE_OF.get(name))
    if not start <= end <= start + HALF_MINUTES:
        raise RecordError
    while start < end:
        day, first = divmod(start, HALF_MINUTES)
        last = min(first + end - start, HALF_MINUTES)
        values.stages_row(sleep_id, day)[first:last] = bytes([stage]) * (last - first)
        start += last - first


_SLEEP_CELLS: Final = {
    "timeInBed": r"minutes_in_sleep_period|",
    "minutesAsleep": r"minutes_asleep|",
    "minutesAwake": r"minutes_awake|",
    "minutesToFallAsleep": r"minutes_to_fall_asleep|",
    "minutesAfterWakeup": r"minutes_after_wake_?up|",
}
_STAGE_OF: Final = {**{name: index for index, name in enumerate(STAGES) if name}, "wake": 4}
_SOURCE: Final = r"data[ _]source|"
_AVERAGE: Final = r"average.*(variability|rmssd|mean square).*|rmssd"
_DEEP: Final = r".*deep.*(variability|rmssd|mean square).*|"
_RATE: Final = r"beats per minute|.*resting.*|value"
_ZONE_MINUTES: Final = r"(active[ _]zone|total)[ _]minutes|value"
_READERS: Final[dict[FileKind, tuple[tuple[str, ...], Callable[[_Cells, Values], None]]]] = {
    "sleep-score": (("sleep_log_entry_id", "overall_score"), _read_score),
    "hrv-summary": (("timestamp", "rmssd"), _read_hrv_summary),
    "zone-minutes": (("date_time", "total_minutes"), _read_zone_minutes),
    "google-steps": (("timestamp", "steps", _SOURCE), _google_reader("google-steps", 1)),
    "google-calories": (
        ("timestamp", "calories", _SOURCE),
        _google_reader("google-calories", CALORIE_UNITS),
    ),
    "google-zone": (("timestamp", _ZONE_MINUTES, _SOURCE), _google_reader("google-zone", 1)),
    "google-hrv": (("timestamp", _AVERAGE, _DEEP, _SOURCE), _read_google_hrv),
    "google-resting": (("timestamp", _RATE, _SOURCE), _read_google_resting),
    "google-sleeps": (
        (
            *("sleep_id", "sleep_start", "start_utc_offset", "sleep_end", "end_utc_offset"),
            *("sleep_type|", _SOURCE, *_SLEEP_CELLS.values()),
        ),
        _read_google_sleep,
    ),
    "google-stages": (
        ("sleep_id", "sleep_stage_type", "sleep_stage_start", "sleep_stage_end"),
        _read_google_stage,
    ),
    "google-scores": (("sleep_id", "overall_score"), _read_score),
}
"""Kind of file to the forms of its columns, and the function that reads a row of them."""
