"""The columns of the four tables, in the order in which producers write them."""

from collections.abc import Mapping
from typing import Final

from healthapi.importing.texts import day_text
from healthapi.rows.columns import NATIVE, FileDataset

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
    *STAGE_COLUMNS.values(),
    *CLASSIC_COLUMNS.values(),
    "sleepScore",
)
"""More columns than are read, for other programs."""
COLUMNS: Final[dict[FileDataset, tuple[str, ...]]] = {
    table.dataset: _SLEEP
    if table.dataset == "sleep"
    else (table.date, *(name for _, name in table.sources()))
    for table in (NATIVE.activity, NATIVE.sleep, NATIVE.hrv, NATIVE.rhr)
    if table is not None
}


def rows_of(columns: Mapping[str, Mapping[int, str]]) -> list[Row]:
    """Return the rows of columns of texts by day, ascending by date."""
    days = sorted(set[int]().union(*columns.values()))
    return [
        {"date": day_text(day), **{name: of[day] for name, of in columns.items() if of.get(day)}}
        for day in days
    ]
