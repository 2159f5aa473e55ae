"""Parse the files of an export: lists of records in JSON, and rows of CSV.

Invariant *whole or not at all*: a file that cannot be read to its end gives no values.  A record
that cannot be read is skipped and counted; the others of its file stay.
Invariant *bounded*: of a CSV file one line is in memory at a time, of at most `LINE_BYTES`.
Invariant *sources stay apart*: rows of different devices are never added up.  Rows that another
vendor's app wrote (Health Kit, Health Connect) are left out.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, timedelta
from functools import partial
from typing import Any, Final

from health_import.file_names import FileKind
from health_import.tables import CLASSIC_COLUMNS, STAGE_COLUMNS, time_cells
from health_import.texts import (
    DAY_MINUTES,
    MINUTE_OF,
    day_of,
    day_text,
    instant,
    instant_minute,
    known_number,
    local_minute,
    number,
    offset_minutes,
    whole_text,
)
from health_import.values import (
    LEVELS,
    MAX_VALUE,
    NO_VALUE,
    NOT_READ,
    STAGES,
    FileError,
    RecordError,
    Sleep,
    Values,
    known,
)
from healthapi.omissions import OmissionCode
from healthapi.rows.mapping import FileDataset
from status_contracts import json_text

JSON_FILE_BYTES: Final = 32 * 1024 * 1024
"""Ten times the largest real files; they are decoded as a whole."""
LINE_BYTES: Final = 64 * 1024
CALORIE_UNITS: Final = 100_000
"""The calories of a minute are kept as whole numbers of this part of a kcal."""
_TEXT_LENGTH: Final = 80
"""Code points of the longest id, time or name that is taken over."""
_NO_DATA: Final = "no data"

_VARIABILITY: Final[tuple[FileDataset, str]] = ("hrv", "dailyRmssd")
_RESTING: Final[tuple[FileDataset, str]] = ("rhr", "resting_heart_rate")

_Record = Mapping[str, Any]
_Cells = Sequence[str]


def parse_json(kind: FileKind, data: bytes) -> Values:
    """Return the values of a JSON file; raise FileError if it is not a list in JSON text."""
    values = Values()
    if data.strip().lower() == _NO_DATA.encode():
        return values
    records = parse_list(data)
    if kind in _MINUTE_UNITS:
        _read_minutes(records, values, kind, _MINUTE_UNITS[kind])
        return values
    read = _RECORD_READERS[kind]
    for record in records:
        try:
            read(record if isinstance(record, dict) else {}, values)
        except NOT_READ:
            values.skipped += 1
    return values


def parse_list(data: bytes) -> list[Any]:
    """Return the list of a JSON file; raise FileError."""
    try:
        records = json_text.decode(data)
    except json_text.JSON_ERRORS:
        raise FileError("file.json") from None
    if not isinstance(records, list):
        raise FileError("file.shape")
    return records


def _read_minutes(records: list[Any], values: Values, kind: FileKind, units: int) -> None:
    """Read values of single minutes; the loop runs millions of times for one archive.

    The day of a minute that occurs twice in a file, as where the local clock goes back, is
    recorded.
    """
    known_values: dict[object, int] = {}
    last, last_day, row = "", 0, None
    for record in records:
        try:
            at, value = record["dateTime"], record["value"]
            date = at[:9]
            if row is None or date != last:
                day = known(day_of(at[:8]))
                last, last_day, row = date, day, values.minutes[kind, ""].row(day)
            if value not in known_values:
                known_values[value] = _whole_units(value, units)
            minute = MINUTE_OF[at[9:14]]
        except (TypeError, KeyError, *NOT_READ):  # not a record, or one of another form
            values.skipped += 1
            continue
        if known_values[value] == NO_VALUE:
            continue
        if row[minute] != NO_VALUE:
            values.minutes[kind, ""].repeated.add(last_day)
        row[minute] = known_values[value]


def _whole_units(value: object, units: int) -> int:
    """Return a number in so many parts of its unit, `NO_VALUE` for a missing one.

    Raise RecordError if no minute can have it.
    """
    amount = known_number(value)
    if amount is None:
        return NO_VALUE
    if not 0 <= amount * units <= MAX_VALUE:
        raise RecordError
    return round(amount * units)


def _text(record: _Record, name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise RecordError
    return value


def _member(record: _Record, name: str) -> _Record:
    child = record.get(name)
    return child if isinstance(child, dict) else {}


def _not_negative(value: float) -> float:
    if value < 0:
        raise RecordError
    return value


def _day(text: str) -> int:
    """Return the day of a label: its date is meant, whatever zone its time has."""
    return known(day_of(text[:10]))


def _id(value: object) -> str:
    text = "" if isinstance(value, bool) or not isinstance(value, int | str) else str(value).strip()
    if not 0 < len(text) <= _TEXT_LENGTH or not text.isprintable():
        raise RecordError
    return text


def _read_level(level: str, record: _Record, values: Values) -> None:
    minutes, day = known_number(record.get("value")), _day(_text(record, "dateTime"))
    if minutes is not None:
        values.daily[level][day] = _not_negative(minutes)


def _read_resting(record: _Record, values: Values) -> None:
    """Read a resting rate; one of 0, or without a date, pads a day that was not measured."""
    value = record.get("value")
    if not isinstance(value, dict):
        raise RecordError
    rate = _not_negative(known_number(value.get("value")) or 0.0)
    if rate == 0 or value.get("date") is None:
        day = _day(_text(record, "dateTime"))
        values.omissions[*_RESTING, "resting.placeholder"].add(day)
    else:
        day = _day(_text(value, "date"))
        values.daily["resting"][day] = rate


_WHOLE_CELLS: Final = (
    *("duration", "minutesAsleep", "minutesAwake", "minutesToFallAsleep"),
    *("minutesAfterWakeup", "timeInBed", "efficiency", "infoCode"),
)


def _read_sleep(record: _Record, values: Values) -> None:
    day, log_id = _day(_text(record, "dateOfSleep")), _id(record.get("logId"))
    cells = {"date": day_text(day), "logId": log_id}
    is_main = record.get("mainSleep")
    if isinstance(is_main, bool):
        cells["isMainSleep"] = str(is_main)
    for name in ("startTime", "endTime"):
        at = record.get(name)
        if isinstance(at, str) and len(at) <= _TEXT_LENGTH and local_minute(at) is not None:
            cells[name] = at
    has_stages = record.get("type") == "stages"
    summary = _member(_member(record, "levels"), "summary")
    numbers = {name: record.get(name) for name in _WHOLE_CELLS}
    for stage, name in (STAGE_COLUMNS if has_stages else CLASSIC_COLUMNS).items():
        level = "wake" if has_stages and stage == "awake" else stage
        numbers[name] = _member(summary, level).get("minutes")
    values.sleeps[log_id] = Sleep(day, cells | _whole_texts(numbers), has_stages)


def _whole_texts(numbers: Mapping[str, object]) -> dict[str, str]:
    """Return the cells of whole numbers, without those that are blank or no numbers."""
    texts = {name: whole_text(number(value)) for name, value in numbers.items()}
    return {name: text for name, text in texts.items() if text}


def _read_exercise(record: _Record, values: Values) -> None:
    start = known(local_minute(_text(record, "startTime")))
    name = " ".join(_text(record, "activityName").split())[:_TEXT_LENGTH]
    if not name.isprintable() or not name:
        raise RecordError
    values.exercises[_id(record.get("logId"))] = start, name


_MINUTE_UNITS: Final[dict[FileKind, int]] = {"steps": 1, "calories": CALORIE_UNITS}
"""Kind of a file of minutes to the parts of a unit in which they are kept."""
_RECORD_READERS: Final[dict[FileKind, Callable[[_Record, Values], None]]] = {
    **{level: partial(_read_level, level) for level in LEVELS},
    "resting": _read_resting,
    "sleep": _read_sleep,
    "exercise": _read_exercise,
}


_NAME_LENGTH: Final = 100
"""Characters of the longest column name; forms of names take more than linear time."""
_CHECKED_ROWS: Final = 1024
"""Rows after which it is checked whether there are too many."""
_MIRRORS: Final = ("health kit", "health connect")
"""Ends of the names of apps that copy what other devices measured."""
_MIRRORED: Final[OmissionCode] = "source.mirrored"


def parse_csv(kind: FileKind, chunks: Iterable[bytes]) -> Values:
    """Return the values of a CSV file.

    Raise FileError if it is not CSV in UTF-8, or lacks a column.
    """
    columns, read = _ROW_READERS[kind]
    values = Values()
    rows = _rows(chunks)
    header = [name.strip().lower() for name in next(rows, ())]
    if header == [_NO_DATA]:
        return values
    indexes = [_find(header, form) for form in columns]
    for count, row in enumerate(rows, 1):
        cells = [row[index].strip() if -1 < index < len(row) else "" for index in indexes]
        try:
            read(cells, values)
        except NOT_READ:
            values.skipped += 1
        if count % _CHECKED_ROWS == 0 and values.are_too_many():
            raise FileError("file.records")
    return values


def _rows(chunks: Iterable[bytes]) -> Iterator[list[str]]:
    reader = csv.reader(_lines(chunks), strict=True)
    try:
        yield from (row for row in reader if row)
    except csv.Error:
        raise FileError("file.cell") from None
    except UnicodeDecodeError:
        raise FileError("file.encoding") from None


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a file with their ends; raise FileError for one that is too long."""
    rest, mark = b"", json_text.BOM
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if max(map(len, (*lines, rest))) > LINE_BYTES:
            raise FileError("file.cell")
        for line in lines:
            yield f"{line.removeprefix(mark).decode()}\n"
            mark = b""
    if rest:
        yield rest.removeprefix(mark).decode()


def _find(header: _Cells, form: str) -> int:
    """Return the index of a column; -1 for an optional one, whose form ends in `|`."""
    names = (name if len(name) <= _NAME_LENGTH else "" for name in header)
    required = form.removesuffix("|")
    at = next((index for index, name in enumerate(names) if re.fullmatch(required, name)), -1)
    if at < 0 and form == required:
        raise FileError("file.header")
    return at


def _is_mirrored(source: str) -> bool:
    return source.lower().endswith(_MIRRORS)


def _read_score(cells: _Cells, values: Values) -> None:
    """Read a score; -1, 0 and a blank stand for none."""
    log_id, score = _id(cells[0]), known_number(cells[1])
    if score is not None and score > 0:
        values.scores[log_id] = score


def _read_daily(
    column: tuple[FileDataset, str],
    zero: OmissionCode,
    names: Sequence[str],
    cells: _Cells,
    values: Values,
) -> None:
    """Read values of a day, with their source last; 0 and a blank stand for none."""
    day = _day(cells[0])
    if _is_mirrored(cells[-1]):
        values.omissions[*column, _MIRRORED].add(day)
        return
    for name, cell in zip(names, cells[1:-1], strict=True):
        value = known_number(cell)
        if value:
            values.daily[name][day] = _not_negative(value)
        elif value is not None:
            values.omissions[*column, zero].add(day)


def _read_minute(measurement: str, column: str, cells: _Cells, values: Values) -> None:
    """Read the value of a minute; a file may have several rows for one."""
    parse = local_minute if measurement == "zone" else instant_minute
    day, minute = divmod(known(parse(cells[0])), DAY_MINUTES)
    if _is_mirrored(cells[2]):
        values.omissions["activity", column, _MIRRORED].add(day)
        return
    value = _whole_units(cells[1], 1)
    if value != NO_VALUE:
        row = values.minutes[measurement, cells[2][:_TEXT_LENGTH]].row(day)
        row[minute] = min(max(row[minute], 0) + value, MAX_VALUE)


def _read_google_sleep(cells: _Cells, values: Values) -> None:
    """Read a sleep, and the offsets from UTC at both of its ends."""
    sleep_id = _id(cells[0])
    start, end = known(instant(cells[1])), known(instant(cells[3]))
    before, after = known(offset_minutes(cells[2])), known(offset_minutes(cells[4]))
    if not start < end <= start + _LONGEST:
        raise RecordError
    for at, offset in ((cells[1], before), (cells[3], after)):
        values.nights[known(instant_minute(at))] = offset
    first = start.astimezone(UTC) + timedelta(minutes=before)
    last = end.astimezone(UTC) + timedelta(minutes=after)
    day = last.toordinal()
    if _is_mirrored(cells[6]):
        values.omissions["sleep", "", _MIRRORED].add(day)
        return
    numbers = _whole_texts(dict(zip(_SLEEP_CELLS, cells[7:], strict=True)))
    duration = str((end - start) // timedelta(milliseconds=1))
    row = time_cells(first, last) | {"duration": duration} | numbers
    values.google_sleeps[sleep_id] = Sleep(day, row, cells[5].lower() != "classic")


def _read_google_stage(cells: _Cells, values: Values) -> None:
    """Read a stage; of stages that begin at one time, the later row counts."""
    stage = _STAGE_OF.get(cells[1].lower(), "")
    start, end = known(instant(cells[2])), known(instant(cells[3]))
    if not stage or not start <= end <= start + _LONGEST:
        raise RecordError
    values.stages[_id(cells[0]), start] = end, stage


_LONGEST: Final = timedelta(days=1)
_SLEEP_CELLS: Final = {
    "timeInBed": r"minutes_in_sleep_period|",
    "minutesAsleep": r"minutes_asleep|",
    "minutesAwake": r"minutes_awake|",
    "minutesToFallAsleep": r"minutes_to_fall_asleep|",
    "minutesAfterWakeup": r"minutes_after_wake_?up|",
}
_STAGE_OF: Final = {**dict(zip(STAGES, STAGES, strict=True)), "wake": "awake"}
_SOURCE: Final = r"data[ _]source|"
_NO_SOURCE: Final = r"(?!)|"
"""Of files that have values without sources; it is no column."""
_AVERAGE: Final = r"average.*(variability|rmssd|mean square).*|rmssd"
_DEEP: Final = r".*deep.*(variability|rmssd|mean square).*|"
_RATE: Final = r"beats per minute|.*resting.*|value"
_ZONE_MINUTES: Final = r"(active[ _]zone|total)[ _]minutes|value"
_ROW_READERS: Final[dict[FileKind, tuple[tuple[str, ...], Callable[[_Cells, Values], None]]]] = {
    "sleep-score": (("sleep_log_entry_id", "overall_score"), _read_score),
    "hrv-summary": (
        ("timestamp", "rmssd", _NO_SOURCE),
        partial(_read_daily, _VARIABILITY, "hrv.zero", ("hrv",)),
    ),
    "zone-minutes": (
        ("date_time", "total_minutes", _NO_SOURCE),
        partial(_read_minute, "zone", "activeZoneMinutes"),
    ),
    "google-steps": (
        ("timestamp", "steps", _SOURCE),
        partial(_read_minute, "google-steps", "steps"),
    ),
    "google-zone": (
        ("timestamp", _ZONE_MINUTES, _SOURCE),
        partial(_read_minute, "google-zone", "activeZoneMinutes"),
    ),
    "google-hrv": (
        ("timestamp", _AVERAGE, _DEEP, _SOURCE),
        partial(_read_daily, _VARIABILITY, "hrv.zero", ("google-hrv", "google-deep")),
    ),
    "google-resting": (
        ("timestamp", _RATE, _SOURCE),
        partial(_read_daily, _RESTING, "resting.placeholder", ("google-resting",)),
    ),
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
