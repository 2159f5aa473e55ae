"""The columns of the four tables, in the order in which producers write them."""

from collections.abc import Mapping
from typing import Final

from healthapi.importing.times import day_text
from healthapi.rows.columns import FileDataset

Row = dict[str, str]
"""Column to the text of its cell; columns that are left out are blank."""

COLUMNS: Final[dict[FileDataset, tuple[str, ...]]] = {
    "activity": (
        "date",
        "steps",
        "sedentaryMinutes",
        "activityCalories",
        "caloriesOut",
        "lightlyActiveMinutes",
        "fairlyActiveMinutes",
        "veryActiveMinutes",
        "activeZoneMinutes",
        "activeMinutes",
        "exerciseExamples",
    ),
    "sleep": (
        "date",
        "logId",
        "isMainSleep",
        "startTime",
        "endTime",
        "duration",
        "minutesAsleep",
        "minutesAwake",
        "minutesToFallAsleep",
        "minutesAfterWakeup",
        "timeInBed",
        "efficiency",
        "infoCode",
        "minutesDeep",
        "minutesREM",
        "minutesLight",
        "minutesWakeStages",
        "minutesAsleepClassic",
        "minutesRestlessClassic",
        "minutesAwakeClassic",
        "sleepScore",
    ),
    "hrv": ("date", "dailyRmssd", "deepRmssd"),
    "rhr": ("date", "resting_heart_rate"),
}


def rows_of(columns: Mapping[str, Mapping[int, str]]) -> list[Row]:
    """Return the rows of columns of texts by day, ascending by date."""
    days = sorted(set[int]().union(*columns.values()))
    return [
        {"date": day_text(day), **{name: of[day] for name, of in columns.items() if of.get(day)}}
        for day in days
    ]
