"""Read the JSON lists of a Garmin account export: days, nights and health status.

Invariant *missing is not zero*: a day without steps and heart rate was not worn, a night without a
minute asleep or off the wrist was not measured; neither has a row.
Invariant *a later chunk wins*: of a day that two files have, that of the greater name counts.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from health_import.readers import parse_list
from health_import.tables import Row, rows_of, time_cells
from health_import.texts import day_of, day_text, instant, number, number_text, whole_text
from health_import.values import known
from healthapi.rows.mapping import FileDataset

_Record = Mapping[str, Any]
_KIND: Final = re.compile(
    r"(?:.*/)?(?:(udsfile)_.*|.*_(sleepdata|healthstatusdata))\.json", re.DOTALL
)
_STAGES: Final = {
    "deepSleepSeconds": "minutesDeep",
    "remSleepSeconds": "minutesREM",
    "lightSleepSeconds": "minutesLight",
}
_HEART_RATES: Final = ("restingHeartRate", "currentDayRestingHeartRate", "minHeartRate")
_MEMBERS: Final = {
    *("totalSteps", "totalKilocalories", "activeKilocalories", "awakeSleepSeconds", "metrics"),
    *("sleepStartTimestampGMT", "sleepEndTimestampGMT", "sleepWindowConfirmationType"),
    *("wellnessStartTimeGmt", "wellnessStartTimeLocal", "sleepScores", *_STAGES, *_HEART_RATES),
}
"""What is kept of a record."""
_MINUTE: Final = 60


class Garmin:
    """The values of all files of one or several exports.

    `unworn` are the days and nights of each table in which nothing was measured.
    """

    def __init__(self) -> None:
        self.export_day: int | None = None
        self.unworn: Mapping[FileDataset, set[int]] = {"activity": set(), "sleep": set()}
        self._records: dict[str, dict[int, tuple[str, _Record]]] = {}

    def wants(self, name: str) -> bool:
        """Check whether a file is read, by its name."""
        return _KIND.fullmatch(name.lower()) is not None

    def read(self, name: str, chunks: Iterable[bytes]) -> int:
        """Read a file; return how many records were skipped; raise FileError."""
        kind = next(filter(None, known(_KIND.fullmatch(name.lower())).groups()))
        skipped = 0
        of_kind = self._records.setdefault(kind, {})
        for record in parse_list(b"".join(chunks)):
            date = record.get("calendarDate") if isinstance(record, dict) else 0
            day = day_of(date[:10]) if isinstance(date, str) else None
            if day is not None and of_kind.get(day, ("",))[0] <= name:
                of_kind[day] = name, {key: record[key] for key in _MEMBERS & record.keys()}
            skipped += day is None and date is not None  # stubs without a date are usual
        return skipped

    def rows(self) -> dict[FileDataset, list[Row]]:
        """Return the rows of the tables."""
        activity, sleep, rhr = list[Row](), list[Row](), list[Row]()
        hrv: dict[int, str] = {}
        days, nights, states = (
            sorted(self._records.get(kind, {}).items())
            for kind in ("udsfile", "sleepdata", "healthstatusdata")
        )
        for day, (_, record) in days:
            worn = ("totalSteps", *_HEART_RATES)
            if not any(_positive(record, name) for name in worn):
                self.unworn["activity"].add(day)
                continue
            activity.append(
                _row(
                    day,
                    steps=_number(record, "totalSteps"),
                    activityCalories=_number(record, "activeKilocalories"),
                    caloriesOut=_positive(record, "totalKilocalories"),
                )
            )
            if rate := _positive(record, "restingHeartRate"):
                rhr.append(_row(day, resting_heart_rate=rate))
        for day, (_, record) in nights:
            uds = self._records.get("udsfile", {}).get(day, ("", {}))[1]
            night = _night(day, record, uds)
            if night is None:
                self.unworn["sleep"].add(day)
            else:
                sleep.append(night)
        for day, (_, record) in states:
            metrics = record.get("metrics")
            for metric in metrics if isinstance(metrics, list) else ():
                value = _positive(metric, "value") if isinstance(metric, dict) else None
                if value and metric.get("type") == "HRV" and metric.get("status") != "UNKNOWN":
                    hrv[day] = number_text(value)
        variability = rows_of({"dailyRmssd": hrv})
        return {"activity": activity, "sleep": sleep, "hrv": variability, "rhr": rhr}


def _number(record: _Record, name: str) -> float | None:
    """Return a number of 0 or more; None for anything else."""
    value = number(record.get(name))
    return value if value is not None and value >= 0 else None


def _positive(record: _Record, name: str) -> float | None:
    return _number(record, name) or None


def _row(day: int, **numbers: float | None) -> Row:
    texts = {name: whole_text(value) for name, value in numbers.items() if value is not None}
    return {"date": day_text(day), **texts}


def _night(day: int, record: _Record, uds: _Record) -> Row | None:
    """Return the row of a night; None if no minute asleep was measured."""
    stages = {column: _number(record, name) for name, column in _STAGES.items()}
    asleep = sum(value for value in stages.values() if value is not None)
    if record.get("sleepWindowConfirmationType") == "OFF_WRIST" or asleep < _MINUTE:
        return None
    awake = _number(record, "awakeSleepSeconds")
    stages |= {"minutesWakeStages": awake, "minutesAwake": awake, "minutesAsleep": asleep}
    minutes = {name: value / _MINUTE for name, value in stages.items() if value is not None}
    row = {**_row(day, **minutes), "isMainSleep": "True"}
    scores = record.get("sleepScores")
    if isinstance(scores, dict) and (score := _positive(scores, "overallScore")):
        row["sleepScore"] = number_text(score)
    times = (
        *(_utc(uds, "wellnessStartTimeLocal"), _utc(uds, "wellnessStartTimeGmt")),
        *(_utc(record, "sleepStartTimestampGMT"), _utc(record, "sleepEndTimestampGMT")),
    )
    if None not in times:
        local, midnight, start, end = map(known, times)
        row |= time_cells(start + (local - midnight), end + (local - midnight))
        row["date"] = day_text(day)
    return row


def _utc(record: _Record, name: str) -> datetime | None:
    """Return a time such as `2024-07-20T21:02:30.0`, as if it were in UTC."""
    text = record.get(name)
    return instant(f"{text}Z") if isinstance(text, str) else None
