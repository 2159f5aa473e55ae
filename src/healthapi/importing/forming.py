"""Form the rows of the four tables from the values of all files of an export.

Invariant *missing is not zero*: a value that the export does not hold exactly is blank, and a gap
says why.
Invariant *one source a day*: the values of several devices are never added up.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Final

import attrs

from healthapi.importing.activity import form_activity
from healthapi.importing.clock import LocalClock
from healthapi.importing.clock_search import ClockSearch, search_clock
from healthapi.importing.file_names import FileKind
from healthapi.importing.gaps import Gap, GapCode, blank_gaps
from healthapi.importing.nights import form_sleep
from healthapi.importing.numbers import number_text, whole_text
from healthapi.importing.table_columns import COLUMNS, Row, rows_of
from healthapi.importing.values import Values
from healthapi.rows.columns import FileDataset


@attrs.frozen
class Formed:
    """The rows of the tables, and what is missing.

    Attributes:
        rows: dataset to its rows, ascending by date; blank cells are left out of a row.
        gaps: the values that could not be formed.
        warnings: the values that were formed, but not from a value of the export alone.
        search: which offsets the export shows.
        unmatched_scores: number of sleep scores whose log is not in the export.

    """

    rows: Mapping[FileDataset, list[Row]]
    gaps: tuple[Gap, ...]
    warnings: tuple[Gap, ...]
    search: ClockSearch
    unmatched_scores: int


def form(values: Values, zone: Callable[[int], int] | None = None) -> Formed:
    """Form the tables.

    Args:
        values: the values of all files.
        zone: returns the offset from UTC of a minute of UTC, in minutes, for times at which the
            export shows none; None if no zone is known.

    """
    search = search_clock(values)
    clock = LocalClock(search.offsets, zone)
    activity, activity_gaps, activity_warnings = form_activity(values, clock, search)
    sleep, sleep_gaps, sleep_warnings = form_sleep(values)
    hrv, hrv_gaps = _form_hrv(values)
    rhr, rhr_gaps = _form_rhr(values)
    rows: dict[FileDataset, list[Row]] = {
        "activity": activity,
        "sleep": sleep,
        "hrv": hrv,
        "rhr": rhr,
    }
    gaps = (*activity_gaps, *sleep_gaps, *hrv_gaps, *rhr_gaps)
    return Formed(
        rows=rows,
        gaps=tuple(_with_reason(gap, values.unreadable) for gap in gaps),
        warnings=(*activity_warnings, *sleep_warnings),
        search=search,
        unmatched_scores=len(
            values.scores.keys() - values.sleeps.keys() - values.google_sleeps.keys()
        ),
    )


def _with_reason(gap: Gap, unreadable: Collection[FileKind]) -> Gap:
    """Return a gap of unknown reason with that of a file that could not be read, if it fits."""
    if gap.code not in ("column.not-in-archive", "value.none"):
        return gap
    found = {_COLUMNS_OF[kind] for kind in unreadable}
    if any(dataset == gap.dataset and gap.column in ("", *columns) for dataset, *columns in found):
        return attrs.evolve(gap, code="column.unreadable")
    return gap


_SLEEP: Final = ("sleep", *COLUMNS["sleep"])
_COLUMNS_OF: Final[dict[FileKind, tuple[str, ...]]] = {
    "steps": ("activity", "steps"),
    "google-steps": ("activity", "steps"),
    "calories": ("activity", "caloriesOut"),
    "google-calories": ("activity", "steps", "exerciseExamples"),
    "sedentary": ("activity", "sedentaryMinutes"),
    "lightly": ("activity", "lightlyActiveMinutes", "activeMinutes"),
    "fairly": ("activity", "fairlyActiveMinutes", "activeMinutes"),
    "very": ("activity", "veryActiveMinutes", "activeMinutes"),
    "zone-minutes": ("activity", "activeZoneMinutes"),
    "google-zone": ("activity", "activeZoneMinutes"),
    "exercise": ("activity", "exerciseExamples"),
    "sleep": _SLEEP,
    "google-sleeps": _SLEEP,
    "google-stages": _SLEEP,
    "sleep-score": ("sleep", "sleepScore"),
    "google-scores": ("sleep", "sleepScore"),
    "hrv-summary": ("hrv", "dailyRmssd"),
    "google-hrv": ("hrv", "dailyRmssd", "deepRmssd"),
    "resting": ("rhr", "resting_heart_rate"),
    "google-resting": ("rhr", "resting_heart_rate"),
}
"""Kind of file to its dataset, and to the columns that lack values if it is not read."""


def _form_hrv(values: Values) -> tuple[list[Row], list[Gap]]:
    daily = {**values.daily.get("google-hrv", {}), **values.daily.get("hrv", {})}
    deep = values.daily.get("google-deep", {})
    rows = rows_of({"dailyRmssd": _texts(daily), "deepRmssd": _texts(deep)})
    lost = values.omissions.get("hrv.zero", set()) - daily.keys()
    reasons: dict[GapCode, set[int]] = {
        "hrv.zero": lost,
        "source.mirrored": values.omissions.get("hrv.mirrored", set()) - daily.keys() - lost,
    }
    return rows, list(blank_gaps("hrv", rows, {"dailyRmssd": reasons}))


def _form_rhr(values: Values) -> tuple[list[Row], list[Gap]]:
    rates = {**values.daily.get("google-resting", {}), **values.daily.get("resting", {})}
    rows = rows_of({"resting_heart_rate": {day: whole_text(rate) for day, rate in rates.items()}})
    lost = values.omissions.get("resting.placeholder", set()) - rates.keys()
    reasons: dict[GapCode, set[int]] = {
        "resting.placeholder": lost,
        "source.mirrored": values.omissions.get("resting.mirrored", set()) - rates.keys() - lost,
    }
    return rows, list(blank_gaps("rhr", rows, {"resting_heart_rate": reasons}))


def _texts(values: Mapping[int, float]) -> dict[int, str]:
    return {day: number_text(value) for day, value in values.items()}
