"""Folders of profiles for the pages: a full one, one with gaps, almost empty ones."""

import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

LAST: Final = date(2026, 11, 22)
DAYS: Final = 400
YEARS_DAYS: Final = 3650
OUTLIER: Final = 31_170
OUTLIER_DAY: Final = date(2026, 10, 3)
FEW: Final = 20
RHR: Final = 3  # its place among the tables of a day

_ACTIVITY: Final = (
    "date,steps,sedentaryMinutes,activityCalories,caloriesOut,lightlyActiveMinutes,"
    "fairlyActiveMinutes,veryActiveMinutes,activeZoneMinutes,activeMinutes,exerciseExamples"
)
_SLEEP: Final = (
    "date,logId,isMainSleep,startTime,endTime,duration,minutesAsleep,minutesAwake,timeInBed,"
    "efficiency,minutesDeep,minutesREM,minutesLight,minutesWakeStages,sleepScore"
)


def _ok(data: object, **members: object) -> dict[str, Any]:
    usual = {"ok": True, "status": 200, "group": "account", "scope": "profile"}
    return {**usual, "data": data, **members}


_SNAPSHOT: Final[dict[str, Any]] = {
    "saved_at": "2026-11-22T08:00:00",
    "token_scope": ["activity", "heartrate", "profile", "sleep", "weight"],
    "requested_scopes": ["activity", "heartrate", "nutrition", "profile", "sleep", "weight"],
    "endpoints": {
        "profile": _ok({"user": {"displayName": "Ada", "timezone": "Asia/Tokyo"}}),
        "sleep_goal": _ok({"goal": {"minDuration": 450}}),
        "activity_goals_daily": _ok({"goals": {"steps": 8000, "caloriesOut": 2300}}),
        "devices": _ok(
            [{"id": "1", "deviceVersion": "Band 4", "battery": "High", "type": "TRACKER"}]
        ),
        "badges": _ok({"badges": [{"shortName": "10,000 steps", "dateTime": "2026-03-01"}]}),
        "weight_log_recent": _ok({"weight": [{"date": "2026-11-20", "weight": 61.4, "bmi": 21.3}]}),
        "spo2_recent": _ok(
            [{"dateTime": "2026-11-22", "value": {"avg": 96.5, "min": 94, "max": 99}}]
        ),
        "food_log_today": {
            "ok": False,
            "skipped": True,
            "status": None,
            "reason": "missing_scope:nutrition",
            "label": "Food log",
            "group": "nutrition",
            "scope": "nutrition",
        },
        "meals": {"ok": False, "status": 502, "label": "Meals", "group": "nutrition"},
    },
}


def write_full(folder: Path) -> None:
    """Write a year of a person with every metric, goals and few gaps."""
    _write(
        folder, range(DAYS), missing=lambda day, n: (day * 7 + n * 3) % 41 == 0, snapshot=_SNAPSHOT
    )


def write_unfinished(folder: Path) -> None:
    """Write a year with every metric, as of the afternoon of its last day, with few steps."""
    _write(folder, range(DAYS), missing=lambda *_: False, snapshot=_SNAPSHOT)
    activity = folder / "csv" / "fitbit_activity.csv"
    activity.write_text(re.sub(rf"(?m)^({LAST}),\d+", r"\1,31", activity.read_text()))
    noon = datetime(LAST.year, LAST.month, LAST.day, 6, tzinfo=UTC).timestamp()
    for path in folder.glob("csv/*.csv"):
        os.utime(path, (noon, noon))


def write_years(folder: Path) -> None:
    """Write ten years with an outlier, a week of low variability, and few resting heart rates."""
    _write(
        folder,
        range(YEARS_DAYS),
        missing=lambda day, n: (n == RHR and day >= FEW) or (day * 7 + n * 3) % 411 == 1,
        snapshot=_SNAPSHOT,
    )
    activity, hrv = folder / "csv" / "fitbit_activity.csv", folder / "csv" / "fitbit_hrv.csv"
    row = re.compile(rf"^({OUTLIER_DAY}),\d+", re.MULTILINE)
    activity.write_text(row.sub(rf"\1,{OUTLIER}", activity.read_text()))
    lows = [f"{LAST - timedelta(days=day)},{20 + day}," for day in range(4)]
    rows = hrv.read_text().splitlines()
    kept = [each for each in rows if not each.startswith(tuple(low[:11] for low in lows))]
    hrv.write_text("\n".join((*kept, *lows, "")))


def write_with_gaps(folder: Path) -> None:
    """Write a year in which the wearable was often not worn, and some rows are damaged."""
    _write(folder, range(DAYS), missing=lambda day, n: (day // (9 + n)) % 3 == 1 or day < 4 - n)
    with (folder / "csv" / "fitbit_rhr.csv").open("a") as file:
        file.write("2026-02-30,61\n2026-11-19,fast\n")


def write_almost_empty(folder: Path) -> None:
    """Write three days of steps, of an import that found no heart rate variability."""
    _text(
        folder,
        "activity",
        "date,steps,sedentaryMinutes",
        ("2026-11-20,812,", "2026-11-22,4021,600"),
    )
    _report(folder, "hrv", None, "column.not-in-archive", [])


def write_empty(folder: Path) -> None:
    """Write files without rows."""
    _text(folder, "rhr", "date,resting_heart_rate", ())


def write_account(folder: Path) -> None:
    """Write a copy of the account, and no days."""
    _write(folder, (), missing=None, snapshot=_SNAPSHOT)


def write_first_days(folder: Path, days: int) -> None:
    """Write some days, with every metric on each of them."""
    _write(folder, range(days), missing=lambda *_: False, snapshot=_SNAPSHOT)


def write_reasons(folder: Path) -> None:
    """Write a week with a repeated sleep, a wrong heart rate, and steps that an import left out."""
    _write(folder, range(7), missing=lambda day, n: day in {2, 3} and n == 0)
    sleep, rhr = folder / "csv" / "fitbit_sleep.csv", folder / "csv" / "fitbit_rhr.csv"
    sleep.write_text(sleep.read_text() + sleep.read_text().splitlines()[-1] + "\n")
    rhr.write_text(f"{rhr.read_text()}2026-11-10,6000\n")
    _report(folder, "activity", "steps", "day.incomplete", [["2026-11-19", "2026-11-20"]])


def _report(
    folder: Path, dataset: str, column: str | None, code: str, days: list[list[str]]
) -> None:
    entry = {"dataset": dataset, "column": column, "code": code, "days": days}
    report = {"version": 1, "missing": [entry]}
    folder.joinpath("import-report.json").write_text(json.dumps(report))


def _write(folder: Path, ago: Iterable[int], *, missing: Any, snapshot: object = None) -> None:
    rows: dict[str, list[str]] = {"activity": [], "sleep": [], "hrv": [], "rhr": []}
    for day in sorted(ago, reverse=True):
        for n, (name, row) in enumerate(_rows(day)):
            if not missing(day, n):
                rows[name].append(row)
    for name, header in (
        ("activity", _ACTIVITY),
        ("sleep", _SLEEP),
        ("hrv", "date,dailyRmssd,deepRmssd"),
        ("rhr", "date,resting_heart_rate"),
    ):
        _text(folder, name, header, rows[name])
    if snapshot is not None:
        cache = folder / "cache"
        cache.mkdir()
        cache.joinpath("fitbit_profile_snapshot.json").write_text(json.dumps(snapshot))


def _rows(ago: int) -> Iterator[tuple[str, str]]:
    """Yield the rows of a day so many days before the last."""
    day = LAST - timedelta(days=ago)

    def wave(mean: float, size: float, period: float, jitter: float) -> float:
        noise = math.sin(ago * 12.9898 + mean) * 43758.5453
        return mean + size * math.sin(ago / period) + jitter * (noise - math.floor(noise) - 0.5)

    light, fair, very = (
        round(wave(190, 40, 30, 90)),
        round(wave(22, 8, 17, 30)),
        round(wave(18, 9, 23, 30)),
    )
    steps = round(wave(7900, 1900, 21, 6200))
    yield (
        "activity",
        (
            f"{day},{steps},{1440 - light - fair - very - 460},{steps // 9},{1650 + steps // 13},"
            f"{light},{max(0, fair)},{max(0, very)},{max(0, fair) + 2 * max(0, very)},"
            f"{light + max(0, fair) + max(0, very)},Walk"
        ),
    )
    deep = round(wave(72, 9, 19, 34))
    rem = round(wave(96, 10, 26, 40))
    awake = round(wave(33, 5, 14, 22))
    light_sleep = round(wave(262, 25, 33, 70))
    asleep = deep + rem + light_sleep
    before = day - timedelta(days=1)
    yield (
        "sleep",
        (
            f"{day},{ago + 1},True,{before}T23:{ago % 50 + 5:02}:00.000,"
            f"{day}T07:{ago % 45 + 10:02}:30.000,"
            f"{(asleep + awake) * 60000},{asleep},{awake},{asleep + awake},93,"
            f"{deep},{rem},{light_sleep},{awake},{wave(79, 5, 25, 16):.1f}"
        ),
    )
    yield "hrv", f"{day},{wave(39, 5, 28, 14):.1f},{wave(42, 5, 28, 14):.1f}"
    yield "rhr", f"{day},{round(wave(58, 2.5, 35, 5))}"


def _text(folder: Path, name: str, header: str, rows: Iterable[str]) -> None:
    csv = folder / "csv"
    csv.mkdir(parents=True, exist_ok=True)
    csv.joinpath(f"fitbit_{name}.csv").write_text("\n".join((header, *rows, "")))
