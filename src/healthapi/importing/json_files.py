"""Parse the JSON files of an export: lists of records.

Invariant *whole or not at all*: a file whose text is broken gives no values.  A record that cannot
be read is skipped and counted; the others of its file stay.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from healthapi.importing.file_names import FileKind, Level
from healthapi.importing.tables import CLASSIC_COLUMNS, STAGE_COLUMNS
from healthapi.importing.texts import day_of, day_text, local_minute, minute_of_day, whole_text
from healthapi.importing.texts import number as parse_number
from healthapi.importing.values import (
    NO_VALUE,
    Exercise,
    Measurement,
    Omission,
    RecordError,
    Sleep,
    Values,
    check_records,
    file_error,
    known,
    whole_units,
)
from purewire.json import codec

JSON_FILE_BYTES: Final = 32 * 1024 * 1024
"""Ten times the largest real files; they are decoded as a whole."""
CALORIE_UNITS: Final = 100_000
"""The calories of a minute are kept as whole numbers of this part of a kcal."""

_TEXT_LENGTH: Final = 80
"""Code points of the longest id, time or name that is taken over."""
_NO_DATA: Final = b"no data"
_UNITS_OF: Final[dict[FileKind, tuple[Measurement, Omission, int]]] = {
    "steps": ("steps", "steps.repeated", 1),
    "calories": ("calories", "calories.repeated", CALORIE_UNITS),
}
"""Kind of a file of minutes to its measurement, the reason for repeated ones, and their units."""

_Record = Mapping[str, Any]


def parse_json(kind: FileKind, data: bytes) -> Values:
    """Return the values of a JSON file; raise FileError if it is not a list in JSON text."""
    if data.strip().lower() == _NO_DATA:
        return Values()
    try:
        records = codec.decode(data)
    except codec.JSON_ERRORS:
        raise file_error("file.json") from None
    if not isinstance(records, list):
        raise file_error("file.shape")
    values = Values()
    if kind in _UNITS_OF:
        _read_minutes(records, values, *_UNITS_OF[kind])
        return values
    read = _READERS[kind]
    for record in records:
        try:
            read(record if isinstance(record, dict) else {}, values)
        except RecordError:
            values.skipped += 1
    return values


def _read_minutes(
    records: list[Any], values: Values, measurement: Measurement, repeated: Omission, units: int
) -> None:
    """Read values of single minutes; the loop runs millions of times for one archive.

    A minute that occurs twice in a file, as on a day on which the local clock goes back, counts
    once; its day is recorded.
    """
    known_values: dict[object, int] = {}
    last, last_day, row = "", 0, None
    for record in records:
        try:
            at, value = record["dateTime"], record["value"]
            date = at[:9]
            if row is None or date != last:
                day = known(day_of(at[:8]))
                last, last_day, row = date, day, values.row((measurement, ""), day)
            if value not in known_values:
                known_values[value] = whole_units(value, units)
            minute = known(minute_of_day(at[9:14]))
        except (TypeError, KeyError, RecordError):  # not a record, or one of another form
            values.skipped += 1
            continue
        if row[minute] != NO_VALUE:
            values.omit(repeated, last_day)
        row[minute] = known_values[value]


def _text(record: _Record, name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise RecordError
    return value


def _day(record: _Record, name: str) -> int:
    return known(day_of(_text(record, name)[:10]))


def _id(record: _Record) -> str:
    log_id = record.get("logId")
    if isinstance(log_id, bool) or not isinstance(log_id, int | str):
        raise RecordError
    text = str(log_id).strip()
    if not text or len(text) > _TEXT_LENGTH or not text.isprintable():
        raise RecordError
    return text


def _level_reader(level: Level) -> Callable[[_Record, Values], None]:
    def read(record: _Record, values: Values) -> None:
        minutes = parse_number(record.get("value"))
        if minutes is None or minutes < 0:
            raise RecordError
        values.set_daily(level, _day(record, "dateTime"), minutes)

    return read


def _read_resting(record: _Record, values: Values) -> None:
    """Read a resting rate; one of 0, or without a date, pads a day that was not measured."""
    value = record.get("value")
    if not isinstance(value, dict):
        raise RecordError
    rate = parse_number(value.get("value", 0.0))
    if rate is None or rate < 0:
        raise RecordError
    if rate == 0 or value.get("date") is None:
        values.omit("resting.placeholder", _day(record, "dateTime"))
    else:
        values.set_daily("resting", _day(value, "date"), rate)


_WHOLE_CELLS: Final = (
    "duration",
    "minutesAsleep",
    "minutesAwake",
    "minutesToFallAsleep",
    "minutesAfterWakeup",
    "timeInBed",
    "efficiency",
    "infoCode",
)


def _read_sleep(record: _Record, values: Values) -> None:
    day, log_id = _day(record, "dateOfSleep"), _id(record)
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
    whole_cells = {name: record.get(name) for name in _WHOLE_CELLS}
    for stage, name in (STAGE_COLUMNS if has_stages else CLASSIC_COLUMNS).items():
        level = "wake" if has_stages and stage == "awake" else stage
        whole_cells[name] = _member(summary, level).get("minutes")
    for name, value in whole_cells.items():
        text = whole_text(parse_number(value))
        if text:
            cells[name] = text
    values.sleeps[log_id] = Sleep(day, cells, has_stages)
    check_records(values.sleeps)


def _member(record: _Record, name: str) -> _Record:
    child = record.get(name)
    return child if isinstance(child, dict) else {}


def _read_exercise(record: _Record, values: Values) -> None:
    start = local_minute(_text(record, "startTime"))
    name = " ".join(_text(record, "activityName").split())[:_TEXT_LENGTH]
    if start is None or not name.isprintable() or not name:
        raise RecordError
    values.exercises[_id(record)] = Exercise(start, name)
    check_records(values.exercises)


_READERS: Final[dict[FileKind, Callable[[_Record, Values], None]]] = {
    "sedentary": _level_reader("sedentary"),
    "lightly": _level_reader("lightly"),
    "fairly": _level_reader("fairly"),
    "very": _level_reader("very"),
    "resting": _read_resting,
    "sleep": _read_sleep,
    "exercise": _read_exercise,
}
