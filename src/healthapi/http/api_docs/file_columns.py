"""Describe the columns of the native tables: content, type and unit.

Source: health facts, section 2.  `healthapi.rows.columns` maps columns to members.

Invariant *no second source*: a test compares the page about the profile folder with these rows.
"""

from collections.abc import Iterator
from typing import Final, Literal

import attrs

from healthapi.rows.columns import NATIVE, CellType, ProfileMap, TableMap

__all__ = ["FileColumn", "file_columns"]


@attrs.frozen
class FileColumn:
    """A column of a table.

    Attributes:
        file: Name of the file below the profile: `csv/fitbit_sleep.csv`.
        column: Its name in the header.
        kind: Type of its cells.
        unit: Unit of a number; empty for other types.
        member: The member of the row.
        about: Description of its content.

    """

    file: str
    column: str
    kind: CellType | Literal["day"]
    unit: str
    member: str
    about: str


def file_columns(columns: ProfileMap = NATIVE) -> tuple[FileColumn, ...]:
    """Return the columns of all members with one column, by file; dates are first."""
    tables = (columns.activity, columns.sleep, columns.hrv, columns.rhr)
    return tuple(each for table in tables if table is not None for each in _of_table(table))


def _of_table(table: TableMap) -> Iterator[FileColumn]:
    file = f"csv/{table.file}"
    yield FileColumn(file, table.date, "day", "", "date", _DAY)
    for column in table.columns:
        if len(column.terms) == 1:
            ((name, _),) = column.terms
            unit, about = _MEMBERS[column.field]
            kind = table.cell_type(column.field)
            yield FileColumn(file, name, kind, unit, column.field, about)


_DAY: Final = "The day, as `2026-01-31`; a time may follow. Required: a row without it is rejected."

_MEMBERS: Final[dict[str, tuple[str, str]]] = {
    "steps": ("steps", "Steps of the day."),
    "sedentary_minutes": ("min", "Minutes without activity."),
    "activity_calories": ("kcal", "Energy burned while active."),
    "calories_out": ("kcal", "Energy burned in the whole day."),
    "lightly_active_minutes": ("min", "Minutes of light activity."),
    "fairly_active_minutes": ("min", "Minutes of moderate activity."),
    "very_active_minutes": ("min", "Minutes of vigorous activity."),
    "active_zone_minutes": ("min", "Active zone minutes; vigorous minutes count twice."),
    "active_minutes": ("min", "Minutes of all three levels of activity together."),
    "exercise_examples": ("", "Names of up to three exercises, joined by `、`."),
    "log_id": ("", "Id of the sleep log: rows of one date and id are one log. Not published."),
    "is_main_sleep": ("", "`True` for the night, `False` for a nap."),
    "duration": ("ms", "Length of the sleep; decides between two main sleeps. Not published."),
    "minutes_asleep": ("min", "Minutes asleep."),
    "minutes_awake": ("min", "Minutes awake between falling asleep and waking up."),
    "time_in_bed": ("min", "Minutes in bed."),
    "efficiency": ("%", "Sleep efficiency, 0 to 100."),
    "sleep_score": ("points", "Sleep score, 0 to 100."),
    "minutes_deep": ("min", "Minutes of deep sleep."),
    "minutes_rem": ("min", "Minutes of REM sleep."),
    "minutes_light": ("min", "Minutes of light sleep."),
    "minutes_wake_stages": ("min", "Minutes in wake stages."),
    "minutes_to_fall_asleep": ("min", "Minutes in bed before falling asleep."),
    "minutes_after_wakeup": ("min", "Minutes in bed after waking up."),
    "start_time": ("", "Begin of the sleep, local time without a zone: `2026-01-30T23:02:00.000`."),
    "end_time": ("", "End of the sleep, likewise."),
    "hrv": ("ms", "Heart rate variability of the night (RMSSD)."),
    "deep_rmssd": ("ms", "Heart rate variability in deep sleep (RMSSD)."),
    "rhr": ("bpm", "Resting heart rate."),
}
"""Member of a row to its unit and description."""
