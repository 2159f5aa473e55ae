"""Invented health data as CSV files, equal in every run."""

import random
from collections.abc import Iterable
from datetime import date, timedelta

__all__ = ["profile_files"]

_ACTIVITY = (
    "date,steps,sedentaryMinutes,activityCalories,caloriesOut,lightlyActiveMinutes,"
    "fairlyActiveMinutes,veryActiveMinutes,activeZoneMinutes,activeMinutes,exerciseExamples"
)
_SLEEP = (
    "date,logId,isMainSleep,startTime,endTime,duration,minutesAsleep,minutesAwake,"
    "minutesToFallAsleep,minutesAfterWakeup,timeInBed,efficiency,infoCode,minutesDeep,minutesREM,"
    "minutesLight,minutesWakeStages,minutesAsleepClassic,minutesRestlessClassic,"
    "minutesAwakeClassic,sleepScore"
)
_FIRST = date(1990, 1, 1)
_GAP = 0.08  # share of missing values
_NAP_EVERY = 9  # days


def profile_files(days: int, seed: int = 1) -> dict[str, bytes]:
    """Return the four files for a number of days; every ninth day has a nap."""
    source = random.Random(seed)  # noqa: S311 - data for measuring
    dates = [(_FIRST + timedelta(number)).isoformat() for number in range(days)]
    return {
        "csv/fitbit_activity.csv": _file(_ACTIVITY, (_activity(source, day) for day in dates)),
        "csv/fitbit_sleep.csv": _file(_SLEEP, _sleeps(source, dates)),
        "csv/fitbit_hrv.csv": _file(
            "date,dailyRmssd,deepRmssd",
            ([day, _gappy(source, 20, 80), source.randint(200, 800) / 10] for day in dates),
        ),
        "csv/fitbit_rhr.csv": _file(
            "date,resting_heart_rate", ([day, source.randint(48, 72)] for day in dates)
        ),
    }


def _file(header: str, rows: Iterable[list[object]]) -> bytes:
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def _gappy(source: random.Random, least: int, most: int) -> str:
    return "" if source.random() < _GAP else f"{source.randint(least, most)}.0"


def _activity(source: random.Random, day: str) -> list[object]:
    pick = source.randint
    light, fair, very = pick(50, 400), pick(0, 60), pick(0, 60)
    examples = source.choice(("", "Walk", "Run、Walk"))
    return [
        *(day, pick(100, 20_000), pick(400, 1200), pick(100, 2000), pick(1500, 3500)),
        *(light, fair, very, _gappy(source, 0, 120), light + fair + very, examples),
    ]


def _sleeps(source: random.Random, dates: list[str]) -> Iterable[list[object]]:
    pick = source.randint
    for number, day in enumerate(dates):
        asleep, awake = pick(300, 540), pick(10, 60)
        stages = [_gappy(source, *span) for span in ((40, 120), (40, 120), (100, 300), (20, 60))]
        yield [
            *(day, 10**10 + number, True, f"{day}T23:02:00.000", f"{day}T07:02:00.000"),
            *((asleep + awake) * 60_000, asleep, awake, 0, pick(0, 10), asleep + awake),
            *(pick(80, 99), 0, *stages, "", "", "", pick(500, 990) / 10),
        ]
        if number % _NAP_EVERY == 0:
            times = (f"{day}T13:02:00.000", f"{day}T14:02:00.000")
            yield [
                *(day, 10**11 + number, False, *times, 3_600_000, 50, 5, 0, 1, 60, 90, 0),
                *[""] * 8,
            ]
