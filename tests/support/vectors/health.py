"""Vectors of health data: tables to rows and figures, integers of queries, redaction."""

# ruff: noqa: E501 # tables of cases

import json
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from hashlib import sha256
from typing import Any, Final

from healthapi import DataError, Profile, clean, load
from healthapi import limits as health_limits
from healthapi.http.endpoints import (
    first_values,
    normalize,
    parse_integer,
    parse_metrics,
    parse_theme,
)
from purewire.structuring.to_builtins import to_builtins
from support.healthapi.redaction_cases import HIDDEN, ORDINARY, VALUES
from support.vectors.topics import Case, Json, Topic, body_bytes

__all__ = ["CARDS", "DAYS", "NIGHTS", "PERIODS", "QUERIES", "REDACTION", "ROWS", "profile_of"]

GENERATED_AT: Final = "2026-02-01T12:00:00"
_FILES: Final = {name: f"csv/fitbit_{name}.csv" for name in ("activity", "sleep", "hrv", "rhr")}
_SNAPSHOT: Final = "cache/fitbit_profile_snapshot.json"


def profile_of(given: Json) -> Profile:
    """Return the profile of the files of an input."""
    files = {name: body_bytes(parts) for name, parts in given["files"].items()}
    return load("example", files, generated_at=GENERATED_AT)


def _files(**tables: str) -> Json:
    return {"files": {_FILES[name]: [text] for name, text in tables.items()}}


# Rows

_HEADER: Final = "date,dailyRmssd,deepRmssd\n"
_STEPS: Final = "date,steps,exerciseExamples\n"
_SLEEP: Final = "date,logId,isMainSleep,duration,minutesAsleep,minutesDeep,minutesREM,sleepScore\n"
_ROWS: Final[tuple[tuple[str, str, str, list[str | Json]], ...]] = (
    ("two rows", "HA-CSV-05 HA-CELL-06", "hrv", [_HEADER, "2026-01-01,40.5,38\n2026-01-02,41,39.25\n"]),
    ("a header without rows", "HA-FILE-04 HA-CSV-05", "hrv", [_HEADER]),
    ("no line end after the last row", "HA-CSV-12", "hrv", [_HEADER, "2026-01-01,40.5,38"]),
    ("a truncated last row", "HA-CSV-12", "hrv", [_HEADER, "2026-01-01,40.5,38\n2026-01-02,41"]),
    ("a quote that is not closed", "HA-CSV-12", "activity", [_STEPS, '2026-01-01,5000,"Walk\n']),
    ("a byte order mark", "HA-CSV-02", "hrv", [{"base64": "77u/"}, _HEADER, "2026-01-01,40.5,38\n"]),
    ("two byte order marks", "HA-CSV-02 HA-CSV-07", "hrv", [{"base64": "77u/77u/"}, _HEADER, "2026-01-01,40.5,38\n"]),
    ("lines that end in CRLF", "HA-CSV-03", "hrv", [_HEADER.replace("\n", "\r\n"), "2026-01-01,40.5,38\r\n"]),
    ("lines that end in CR", "HA-CSV-03", "hrv", [_HEADER.replace("\n", "\r"), "2026-01-01,40.5,38\r"]),
    ("blank lines", "HA-CSV-03", "hrv", [_HEADER, "\n2026-01-01,40.5,38\n  \n2026-01-02,41,39\n"]),
    ("Latin-1", "HA-CSV-01", "activity", [_STEPS, "2026-01-01,5000,", {"base64": "6Q=="}, "\n"]),
    ("an empty file", "HA-CSV-07", "hrv", []),
    ("a header without dates", "HA-CSV-07", "hrv", ["day,dailyRmssd\n", "2026-01-01,40\n"]),
    ("a header in another case", "HA-CSV-05 HA-CSV-07", "hrv", ["Date,dailyRmssd\n", "2026-01-01,40\n"]),
    ("a header with blanks around names", "HA-CSV-05", "hrv", [" date , dailyRmssd,deepRmssd\n", "2026-01-01,40,38\n"]),
    ("columns in another order", "HA-CSV-06", "hrv", ["deepRmssd,extra,date,dailyRmssd\n", "38,x,2026-01-01,40.5\n"]),
    ("a missing column", "HA-CSV-08", "hrv", ["date,dailyRmssd\n", "2026-01-01,40.5\n"]),
    ("a column twice", "HA-CSV-09", "hrv", ["date,dailyRmssd,deepRmssd,dailyRmssd\n", "2026-01-01,40.5,38,99\n"]),
    ("a short line", "HA-CSV-10", "hrv", [_HEADER, "2026-01-01,40.5\n2026-01-02,41,39\n"]),
    ("a long line", "HA-CSV-11", "hrv", [_HEADER, "2026-01-01,40.5,38,7,8\n"]),
    ("a quoted cell with comma, quote and line break", "HA-CSV-04 HA-CELL-14", "activity", [_STEPS, '2026-01-01,5000,"Walk, ""fast""\nRun"\n2026-01-02,1,\n']),
    ("text that is trimmed", "HA-CELL-14", "activity", [_STEPS, "2026-01-01,5000, Walk \n2026-01-02,5000,  \n"]),
    ("a date with a time after it", "HA-CELL-01", "hrv", [_HEADER, " 2026-01-01T23:02:00.000 ,40.5,38\n"]),
    ("a day that does not exist", "HA-CELL-02 HA-CELL-16", "hrv", [_HEADER, "2026-02-30,40.5,38\n2026-03-01,41,39\n"]),
    ("dates of other forms", "HA-CELL-03", "hrv", [_HEADER, "2025/04/07,1,1\n20250407,1,1\n2025-4-7,1,1\n,1,1\n2025-04-07,2,2\n"]),
    ("a date in week form", "HA-CELL-03", "hrv", [_HEADER, "2025-W01-1,1,1\n2025-04-07,2,2\n"]),
    ("a date in full-width digits", "HA-CELL-03", "hrv", [_HEADER, "\uff12026-01-01,1,1\n2025-04-07,2,2\n"]),
    ("rows that are not sorted", "HA-CELL-04", "hrv", [_HEADER, "2026-01-02,2,2\n2026-01-01,1,1\n2026-01-02,3,3\n"]),
    ("a number with an exponent", "HA-CELL-06", "hrv", [_HEADER, "2026-01-01,9.1e3,+38.50\n"]),
    ("numbers that begin or end in a point", "HA-CELL-06", "hrv", [_HEADER, "2026-01-01,.5,5.\n"]),
    ("missing values", "HA-CELL-07", "hrv", [_HEADER, "2026-01-01,nan,None\n2026-01-02,NULL,NaT\n2026-01-03, ,\n"]),
    ("cells that are no numbers", "HA-CELL-08", "hrv", [_HEADER, "2026-01-01,inf,-nan\n2026-01-02,1_234,\uff11\uff12\n2026-01-03,0x1f,n/a\n"]),
    ("a number with a thousands separator", "HA-CELL-08", "hrv", [_HEADER, '2026-01-01,"1,234",38\n']),
    ("the largest number", "HA-CELL-09", "activity", [_STEPS, "2026-01-01,9007199254740992,\n2026-01-02,-9007199254740992,\n"]),
    ("numbers between the largest and the next double", "HA-CELL-09", "activity", [_STEPS, "2026-01-01,9007199254740993,\n2026-01-02,-9007199254740993.0,\n2026-01-03,9007199254740992.5,\n"]),
    ("decimals between the largest and the next double", "HA-CELL-09", "hrv", [_HEADER, "2026-01-01,9007199254740993,40\n2026-01-02,40,9007199254740992.5\n"]),
    ("numbers that are too large", "HA-CELL-09", "activity", [_STEPS, "2026-01-01,9007199254740994,\n2026-01-02,1e400,\n"]),
    ("integers that are rounded half to even", "HA-CELL-10", "activity", [_STEPS, "2026-01-01,2.5,\n2026-01-02,3.5,\n2026-01-03,10000.5,\n2026-01-04,61.0,\n2026-01-05,-0.4,\n"]),
    ("negative numbers", "HA-CELL-11", "activity", [_STEPS, "2026-01-01,-12,\n"]),
    ("a cell of 131,072 characters", "HA-CSV-13", "activity", [_STEPS, "2026-01-01,5000,", {"repeat": "x", "times": 131_072}, "\n"]),
    ("a cell of 131,073 characters", "HA-CSV-13", "activity", [_STEPS, "2026-01-01,5000,", {"repeat": "x", "times": 131_073}, "\n"]),
    ("booleans", "HA-CELL-12 HA-CELL-13", "sleep", [_SLEEP, "2026-01-01,1,True,1,400,,,\n2026-01-02,2, yes ,1,400,,,\n2026-01-03,3,Y,1,400,,,\n2026-01-04,4,1,1,400,,,\n2026-01-05,5,False,1,400,,,\n2026-01-06,6,,1,400,,,\n2026-01-07,7,maybe,1,400,,,\n2026-01-08,8,2,1,400,,,\n"]),
)  # fmt: skip

_CUT: Final = 1000


def _row_cases() -> Iterator[Case]:
    for title, rules, dataset, parts in _ROWS:
        given = {"dataset": dataset, "files": {_FILES[dataset]: parts}}
        yield Case(title, rules, given)


def _run_rows(given: Json) -> Json:
    dataset = given["dataset"]
    try:
        profile = profile_of(given)
    except DataError as error:
        return {"unreadable": [finding.rule for finding in error.findings]}
    found = profile.findings[dataset]
    rows = [_digested(row) for row in profile.rows(dataset).plain()]
    findings = [
        {"line": each.line, "column": each.column, "rule": each.rule} for each in found.listed
    ]
    return {"rows": rows, "findings": findings}


def _digested(row: Json) -> Json:
    """Return a row without nulls; long text as its length."""
    return {
        name: {"length": len(value)} if isinstance(value, str) and len(value) > _CUT else value
        for name, value in row.items()
        if value is not None
    }


ROWS: Final = Topic(
    "healthapi",
    "rows",
    "tables to rows and findings; members of rows that are null are left out",
    _row_cases,
    _run_rows,
)

# Nights

_NIGHTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("one night", "HA-SLEEP-01 HA-SLEEP-10 HA-SLEEP-11", "2026-01-01,1,True,28800000,450,90,100,80.5\n"),
    ("a night and a nap", "HA-SLEEP-01 HA-SLEEP-05", "2026-01-01,1,True,1,400,,,\n2026-01-01,2,False,1,60,,,\n"),
    ("a nap longer than the night", "HA-SLEEP-03", "2026-01-01,2,False,9,300,,,\n2026-01-01,1,True,1,200,,,\n"),
    ("two main sleeps", "HA-SLEEP-01 HA-SLEEP-05", "2026-01-01,1,True,9,200,,,\n2026-01-01,2,True,1,300,,,\n"),
    ("main sleeps of equal minutes", "HA-SLEEP-01", "2026-01-01,1,True,5,300,,,1\n2026-01-01,2,True,6,300,,,2\n"),
    ("main sleeps that are equal", "HA-SLEEP-02", "2026-01-01,1,True,5,300,,,1\n2026-01-01,2,True,5,300,,,2\n"),
    ("missing minutes count as 0", "HA-SLEEP-01", "2026-01-01,1,True,9,,,,1\n2026-01-01,2,True,1,1,,,2\n"),
    ("a nap alone", "HA-SLEEP-04 HA-SLEEP-06 HA-SLEEP-07", "2026-01-01,1,False,1,60,,,\n"),
    ("two naps alone", "HA-SLEEP-04 HA-SLEEP-06", "2026-01-01,1,False,1,60,,,\n2026-01-01,2,False,1,90,,,\n"),
    ("a log twice", "HA-SLEEP-08 HA-SLEEP-09", "2026-01-01,1,True,1,400,,,\n2026-01-01,1,True,1,400,,,\n"),
    ("a log twice, the second one better", "HA-SLEEP-08 HA-SLEEP-09", "2026-01-01,1,True,1,300,,,1\n2026-01-01,1,True,1,400,,,2\n"),
    ("equal rows without ids", "HA-SLEEP-08", "2026-01-01,,False,1,60,,,\n2026-01-01,,False,1,60,,,\n"),
    ("rows without ids that differ", "HA-SLEEP-08", "2026-01-01,,False,1,60,,,\n2026-01-01,,False,1,61,,,\n"),
    ("a log of two dates", "HA-SLEEP-08", "2026-01-01,1,True,1,400,,,\n2026-01-02,1,True,1,400,,,\n"),
    ("no minutes asleep", "HA-SLEEP-10 HA-SLEEP-12", "2026-01-01,1,True,1,,90,100,70\n"),
    ("zero minutes asleep", "HA-SLEEP-10 HA-SLEEP-12", "2026-01-01,1,True,1,0,90,100,\n"),
    ("no deep sleep measured", "HA-SLEEP-12", "2026-01-01,1,True,1,400,,100,\n"),
    ("shares above 100", "HA-SLEEP-13", "2026-01-01,1,True,1,100,150,30,\n"),
    ("hours that are rounded", "HA-SLEEP-10", "2026-01-01,1,True,1,453,,,\n2026-01-02,2,True,1,459,,,\n2026-01-03,3,True,1,447,,,\n"),
)  # fmt: skip


def _night_cases() -> Iterator[Case]:
    for title, rules, lines in _NIGHTS:
        yield Case(title, rules, _files(sleep=_SLEEP + lines))


def _run_nights(given: Json) -> Json:
    profile = profile_of(given)
    days = [_digested(row) for row in profile.daily.plain()]
    return {
        "nights": [_digested(row) for row in profile.sleep.plain()],
        "daily": days,
        "rejected_rows": profile.findings["sleep"].rejected_rows,
    }


NIGHTS: Final = Topic(
    "healthapi",
    "nights",
    "sleep logs to one row for each date; members that are null are left out",
    _night_cases,
    _run_nights,
)

# Days

_ACTIVITY: Final = "date,steps,activeMinutes\n"
_RHR: Final = "date,resting_heart_rate\n"
_DAYS: Final[tuple[tuple[str, str, dict[str, str]], ...]] = (
    ("one date in four tables", "HA-DAY-01 HA-DAY-03", {"activity": _ACTIVITY + "2026-01-01,5000,30\n", "sleep": _SLEEP + "2026-01-01,1,True,1,450,90,100,80\n", "hrv": _HEADER + "2026-01-01,40,38\n", "rhr": _RHR + "2026-01-01,60\n"}),
    ("dates of one table each", "HA-DAY-01 HA-DAY-02 HA-DAY-04", {"activity": _ACTIVITY + "2026-01-05,5000,30\n", "sleep": _SLEEP + "2026-01-01,1,True,1,450,,,\n", "hrv": _HEADER + "2026-01-03,40,38\n", "rhr": _RHR + "2026-01-02,60\n"}),
    ("a null that was not measured", "HA-DAY-04", {"rhr": _RHR + "2026-01-01,\n", "hrv": _HEADER + "2026-01-02,40,\n"}),
    ("a date twice", "HA-DAY-05", {"activity": _ACTIVITY + "2026-01-01,5000,30\n2026-01-01,6000,40\n"}),
    ("a date twice, the second time blank", "HA-DAY-05", {"activity": _ACTIVITY + "2026-01-01,5000,30\n2026-01-01,,40\n"}),
    ("a nap alone and other data", "HA-SLEEP-07 HA-DAY-06", {"activity": _ACTIVITY + "2026-01-01,5000,30\n", "sleep": _SLEEP + "2026-01-01,1,False,1,60,5,6,70\n"}),
    ("no tables", "HA-FILE-04", {}),
)  # fmt: skip


def _day_cases() -> Iterator[Case]:
    for title, rules, tables in _DAYS:
        yield Case(title, rules, _files(**tables))


def _run_days(given: Json) -> Json:
    return {"daily": profile_of(given).daily.plain()}


DAYS: Final = Topic(
    "healthapi", "days", "tables to daily rows, nulls included", _day_cases, _run_days
)

# Periods


def _series(header: str, first: str, cells: Iterable[object]) -> str:
    """Return a table with one row a day from a first day on; None leaves a day out."""
    day = date.fromisoformat(first)
    rows = [
        f"{day + timedelta(number)},{cell}\n"
        for number, cell in enumerate(cells)
        if cell is not None
    ]
    return header + "".join(rows)


_PERIODS: Final[tuple[tuple[str, str, dict[str, str]], ...]] = (
    ("the turn of an ISO year", "HA-PERIOD-01 HA-PERIOD-02", {"rhr": _series(_RHR, "2024-12-28", [60, 61, 62, 63, 64])}),
    ("a week of an earlier ISO year", "HA-PERIOD-01", {"rhr": _series(_RHR, "2027-01-03", [60, 61])}),
    ("periods without data between others", "HA-PERIOD-03", {"rhr": _RHR + "2026-01-05,60\n2026-03-02,62\n"}),
    ("days of any source", "HA-PERIOD-04 HA-PERIOD-07 HA-PERIOD-09", {"rhr": _RHR + "2026-01-05,60\n", "hrv": _HEADER + "2026-01-06,40,\n2026-01-07,,\n"}),
    ("one decimal", "HA-PERIOD-05 HA-PERIOD-10", {"hrv": _series("date,dailyRmssd\n", "2026-01-05", [40.25, 40.05, 41.15])}),
    ("a mean between two tenths", "HA-PERIOD-05 HA-PERIOD-10", {"hrv": _series("date,dailyRmssd\n", "2026-01-05", [0.2, 0.3])}),
    ("whole means", "HA-PERIOD-06", {"activity": _series(_ACTIVITY, "2026-01-05", ["5000,30", "5001,31"])}),
    ("zero is a value", "HA-PERIOD-07", {"activity": _series(_ACTIVITY, "2026-01-05", ["0,0", "100,10"])}),
    ("a mean that rounds to zero from below", "HA-PERIOD-13", {"hrv": _series("date,dailyRmssd\n", "2026-01-05", [-0.01, -0.02])}),
    ("hours are means of rounded days", "HA-PERIOD-08", {"sleep": _series(_SLEEP, "2026-01-05", [f"{n},True,1,{minutes},,,," for n, minutes in enumerate((453, 454, 458))])}),
    ("naps are in no mean", "HA-PERIOD-12 HA-SLEEP-07", {"sleep": _series(_SLEEP, "2026-01-05", ["1,True,1,450,,,80", "2,False,1,30,,,10"])}),
    ("whole first and last weeks", "HA-PERIOD-11", {"rhr": _series(_RHR, "2026-01-05", [60] * 14)}),
    ("partial first and last weeks", "HA-PERIOD-11", {"rhr": _series(_RHR, "2026-01-06", [60] * 8)}),
)  # fmt: skip


def _period_cases() -> Iterator[Case]:
    for title, rules, tables in _PERIODS:
        yield Case(title, rules, _files(**tables))


def _run_periods(given: Json) -> Json:
    profile = profile_of(given)
    names: tuple[Any, ...] = ("weekly", "monthly")
    return {name: profile.rows(name).plain() for name in names} | {
        "partial": {name: list(profile.partial_periods(name)) for name in names}
    }


PERIODS: Final = Topic(
    "healthapi",
    "periods",
    "tables to weeks and months, and the periods that are partial",
    _period_cases,
    _run_periods,
)

# Cards

_GOALS: Final = {
    "profile_id": "example",
    "saved_at": "2026-01-31T12:00:00",
    "endpoints": {
        "sleep_goal": {"ok": True, "status": 200, "data": {"goal": {"minDuration": 465}}},
        "activity_goals_daily": {"ok": True, "status": 200, "data": {"goals": {"steps": 9000}}},
    },
}
_HRV: Final = "date,dailyRmssd\n"
_CARDS: Final[tuple[tuple[str, str, dict[str, str], bool], ...]] = (
    ("no data", "HA-CARD-01 HA-CARD-13 HA-CARD-17 HA-RECOVERY-11 HA-CORRELATION-05", {}, False),
    ("one value", "HA-CARD-11 HA-CARD-13 HA-CARD-17", {"rhr": _series(_RHR, "2026-01-01", [60])}, False),
    ("fourteen values", "HA-CARD-12 HA-CARD-16 HA-CARD-18 HA-CARD-19", {"rhr": _series(_RHR, "2026-01-01", [60] * 7 + [63] * 7)}, False),
    ("a trend of resting heart rate down", "HA-CARD-08 HA-CARD-21 HA-CARD-22", {"rhr": _series(_RHR, "2026-01-01", [63] * 7 + [60] * 7)}, False),
    ("a change of exactly the tolerance", "HA-CARD-20 HA-CARD-08", {"rhr": _series(_RHR, "2026-01-01", [60] * 7 + [61] * 7)}, False),
    ("a change just above the tolerance", "HA-CARD-20 HA-CARD-07", {"hrv": _series(_HRV, "2026-01-01", [40] * 7 + [42] * 6 + [42.5])}, False),
    ("windows of values, not of days", "HA-CARD-16 HA-CARD-12", {"hrv": _series(_HRV, "2026-01-01", [value for n in range(14) for value in (30 + n, None, None)])}, False),
    ("fewer than eight values", "HA-CARD-17 HA-CARD-13", {"hrv": _series(_HRV, "2026-01-01", [40, 41, 42, 43, 44, 45, 46])}, False),
    ("eight values", "HA-CARD-16 HA-CARD-18", {"hrv": _series(_HRV, "2026-01-01", [40, 41, 42, 43, 44, 45, 46, 60])}, False),
    ("a former mean of zero", "HA-CARD-19", {"activity": _series(_ACTIVITY, "2026-01-01", ["0,0"] * 7 + ["700,70"] * 7)}, False),
    ("more than thirty values", "HA-CARD-12", {"rhr": _series(_RHR, "2026-01-01", range(50, 82))}, False),
    ("a latest value of zero", "HA-CARD-11", {"activity": _series(_ACTIVITY, "2026-01-01", ["100,10", "0,0"])}, False),
    ("goals", "HA-CARD-14 HA-CARD-15 HA-RECOVERY-04", {"sleep": _series(_SLEEP, "2026-01-01", ["1,True,1,450,,,80"]), "activity": _series(_ACTIVITY, "2026-01-01", ["8000,20"])}, True),
    ("correlations of two points", "HA-CORRELATION-03 HA-CORRELATION-05", {"sleep": _series(_SLEEP, "2026-01-01", ["1,True,1,450,,,80", "2,True,1,450,,,81"]), "hrv": _series(_HRV, "2026-01-01", [40, 42])}, False),
    ("a strong correlation", "HA-CORRELATION-04 HA-CORRELATION-06", {"sleep": _series(_SLEEP, "2026-01-01", [f"{n},True,1,450,,,{70 + n}" for n in range(4)]), "hrv": _series(_HRV, "2026-01-01", [40, 42, 41, 45])}, False),
    ("a correlation with a metric that never changes", "HA-CORRELATION-05", {"sleep": _series(_SLEEP, "2026-01-01", [f"{n},True,1,450,,,{70 + n}" for n in range(4)]), "hrv": _series(_HRV, "2026-01-01", [40] * 4)}, False),
    ("a weak and a negative correlation", "HA-CORRELATION-06", {"sleep": _series(_SLEEP, "2026-01-01", [f"{n},True,1,450,,,{score}" for n, score in enumerate((70, 75, 72, 78, 71, 80))]), "hrv": _series(_HRV, "2026-01-01", [44, 41, 47, 45, 40, 46]), "rhr": _series(_RHR, "2026-01-01", [64, 60, 62, 58, 63, 57])}, False),
    ("recovery of every part", "HA-RECOVERY-03 HA-RECOVERY-04 HA-RECOVERY-05 HA-RECOVERY-06 HA-RECOVERY-09 HA-RECOVERY-10", {"sleep": _series(_SLEEP, "2026-01-01", ["1,True,1,420,,,70", "2,True,1,450,,,82"]), "hrv": _series(_HRV, "2026-01-01", [40, 44]), "rhr": _series(_RHR, "2026-01-01", [60, 58])}, True),
    ("recovery without a goal", "HA-RECOVERY-08", {"sleep": _series(_SLEEP, "2026-01-01", ["1,True,1,420,,,70"])}, False),
    ("recovery of the last row, though it has less", "HA-RECOVERY-01 HA-RECOVERY-11", {"sleep": _series(_SLEEP, "2026-01-01", ["1,True,1,420,,,70"]), "activity": _ACTIVITY + "2026-01-02,100,1\n"}, False),
    ("recovery whose parts are clamped", "HA-RECOVERY-07 HA-RECOVERY-02", {"hrv": _series(_HRV, "2026-01-01", [10, 10, 30]), "rhr": _series(_RHR, "2026-01-01", [50, 50, 70])}, False),
    ("a score between two integers", "HA-RECOVERY-09", {"sleep": _series(_SLEEP, "2026-01-01", ["1,True,1,,,,71"]), "rhr": _series(_RHR, "2026-01-01", [60])}, False),
)  # fmt: skip


def _card_cases() -> Iterator[Case]:
    for title, rules, tables, with_goals in _CARDS:
        given = _files(**tables)
        if with_goals:
            given["files"][_SNAPSHOT] = [json.dumps(_GOALS)]
        yield Case(title, rules, given)


def _run_cards(given: Json) -> Json:
    profile = profile_of(given)
    shown = ("label", "unit", "tone")
    cards = [to_builtins(card) for card in profile.cards]
    correlations = [to_builtins(each) for each in profile.correlations]
    return {
        "cards": [{name: card[name] for name in card if name not in shown} for card in cards],
        "correlations": [
            {name: each[name] for name in ("key", "points", "coefficient", "strength")}
            for each in correlations
        ],
        "recovery": {
            "score": profile.overview.recovery_score,
            "status": profile.overview.recovery_status,
        },
    }


CARDS: Final = Topic(
    "healthapi",
    "cards",
    "tables to metric cards with trends, correlations and the recovery score",
    _card_cases,
    _run_cards,
)

# Queries

_RANGES: Final = {
    "dataset_limit": health_limits.DATASET_LIMIT,
    "table_limit": health_limits.TABLE_LIMIT,
    "points_limit": health_limits.POINTS_LIMIT,
    "offset": health_limits.OFFSET,
    "width": health_limits.CHART_WIDTH,
    "height": health_limits.CHART_HEIGHT,
}
_INTEGERS: Final[tuple[tuple[str, str, str, tuple[tuple[str | None, int | None], ...]], ...]] = (
    ("the limit of a dataset", "HA-QUERY-06 HA-QUERY-05", "dataset_limit", ((None, 200), ("", 200), ("0", 1), ("1", 1), ("-4", 1), ("1000", 1000), ("1001", 1000), ("x", 200))),
    ("the limit of a table", "HA-QUERY-07 HA-QUERY-05", "table_limit", ((None, 100), ("0", 1), ("1000", 1000), ("1001", 1000))),
    ("the limit of points", "HA-QUERY-08 HA-QUERY-09", "points_limit", ((None, None), ("x", None), ("0", 1), ("1000", 1000), ("1001", 1000))),
    ("the offset", "HA-QUERY-11 HA-QUERY-05", "offset", ((None, 0), ("-1", 0), ("100000", 100_000), ("100001", 100_000))),
    ("the width of a chart", "HA-QUERY-13 HA-QUERY-05", "width", ((None, 960), ("359", 360), ("360", 360), ("1920", 1920), ("1921", 1920))),
    ("the height of a chart", "HA-QUERY-14 HA-QUERY-05", "height", ((None, 320), ("219", 220), ("220", 220), ("1080", 1080), ("1081", 1080))),
    ("the forms of integers", "HA-QUERY-03 HA-QUERY-04", "dataset_limit", ((" 7 ", 7), ("+7", 7), ("007", 7), ("1_0", 10), ("1__0", 200), ("_1", 200), ("7.0", 200), ("7e0", 200), ("\u0667", 7), ("1 0", 200), (" 7\t", 7), ("1_0_0", 100), ("\uff11\uff10", 10), ("  ", 200), ("ten", 200), ("0x10", 200), ("--1", 200), ("+-1", 200), ("1_", 200), ("\u00b2", 200))),
    ("integers of many digits", "HA-QUERY-04", "offset", (("9" * 5000, 100_000), ("-" + "9" * 5000, 0), ("0" * 5000 + "7", 7))),
)  # fmt: skip
_QUERIES: Final[tuple[tuple[str, str, str, Json], ...]] = (
    ("the first of repeated parameters", "HA-QUERY-02", "limit=3&limit=4", {"limit": "3"}),
    ("names in another case", "HA-QUERY-02", "Limit=3", {"Limit": "3"}),
    ("a blank value first", "HA-QUERY-02 HA-QUERY-03", "limit=&limit=4", {"limit": ""}),
    ("a name without a value", "HA-QUERY-02", "limit", {"limit": ""}),
    ("escapes in a name", "HA-QUERY-02", "%6cimit=%31%30", {"limit": "10"}),
    ("plus signs and encoded plus signs", "HA-QUERY-03", "a=+1&b=%2B1", {"a": " 1", "b": "+1"}),
    ("a semicolon", "HA-QUERY-02", "a=1;b=2", {"a": "1;b=2"}),
    ("a second equals sign", "HA-QUERY-02", "a=b=c", {"a": "b=c"}),
    ("percent escapes and plus signs", "HA-QUERY-16", "metrics=steps%2Chrv+%20", {"metrics": "steps,hrv  "}),
    ("bytes that are not UTF-8", "HA-QUERY-01 HA-HTTP-18", "theme=%FF", {"theme": "\ufffd"}),
)  # fmt: skip
_METRICS: Final[tuple[tuple[str, str, str | None, list[str]], ...]] = (
    ("no metrics", "HA-QUERY-18", None, []),
    ("metrics in the order of the request", "HA-QUERY-16 HA-DATASET-09", "steps, hrv ,steps", ["steps", "hrv", "steps"]),
    ("known and unknown metrics", "HA-QUERY-17", "Steps,,date,__class__,hrv", ["hrv"]),
    ("blank metrics", "HA-QUERY-18", ",", []),
    ("unknown metrics", "HA-QUERY-17 HA-QUERY-18", "Steps,mood,,", []),
)  # fmt: skip
_THEMES: Final = (
    ("the light theme", "light", "light"),
    ("the transparent theme", "transparent", "transparent"),
    ("a theme in capitals", "LIGHT", "light"),
    ("an unknown theme", "dark", "light"),
    ("a theme in mixed case", "Transparent", "light"),
    ("no theme", None, "light"),
)  # fmt: skip
_NAMES: Final = (
    ("the name of a dataset in capitals", " DAILY ", "daily"),
    ("the name of a chart in mixed case", "Overview-Trend", "overview-trend"),
)  # fmt: skip


def _query_cases() -> Iterator[Case]:
    for title, rules, name, rows in _INTEGERS:
        for number, (text, value) in enumerate(rows, 1):
            given = {"kind": "integer", "range": name, "text": text}
            yield Case(f"{title}, {number}", rules, given, {"value": value})
    for title, rules, query, values in _QUERIES:
        yield Case(title, rules, {"kind": "query", "text": query}, {"value": values})
    for title, rules, metrics, names in _METRICS:
        yield Case(title, rules, {"kind": "metrics", "text": metrics}, {"value": names})
    for title, theme, shown in _THEMES:
        yield Case(title, "HA-QUERY-15", {"kind": "theme", "text": theme}, {"value": shown})
    for title, name, key in _NAMES:
        yield Case(title, "HA-KEY-02", {"kind": "key", "text": name}, {"value": key})


def _run_query(given: Json) -> Json:
    text = given["text"]
    value: Any
    match given["kind"]:
        case "integer":
            value = parse_integer(text, _RANGES[given["range"]])
        case "query":
            value = dict(first_values(text.encode()))
        case "metrics":
            value = list(parse_metrics(text))
        case "theme":
            value = parse_theme(text)
        case _:
            value = normalize(text)
    return {"value": value}


QUERIES: Final = Topic(
    "healthapi",
    "queries",
    "parameters of requests: integers and their ranges, first values, metrics, themes, keys",
    _query_cases,
    _run_query,
)

# Redaction


def _redaction_cases() -> Iterator[Case]:
    for title, rules, value, cleaned in VALUES:
        yield Case(title, rules, {"value": value}, {"value": cleaned})
    for kind, texts in HIDDEN.items():
        for text in texts:
            title = f"text that is removed, {kind} {_short(text)}"
            yield Case(title, "HA-PRIVACY-06", {"value": text}, {"value": "[removed]"})
    for kind, texts in ORDINARY.items():
        for text in texts:
            title = f"text that stays, {kind} {_short(text)}"
            yield Case(title, "HA-PRIVACY-08", {"value": text}, {"value": text})


def _short(text: str) -> str:
    """Return digits that depend on a text alone, so that ids stay when texts are added."""
    return sha256(text.encode()).hexdigest()[:8]


REDACTION: Final = Topic(
    "healthapi",
    "redaction",
    "values and texts with secrets, and what is published of them",
    _redaction_cases,
    lambda given: {"value": clean(given["value"])},
)
