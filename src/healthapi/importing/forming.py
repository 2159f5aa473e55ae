"""Form the rows of the four tables from the values of all files of an export.

Invariant *missing is not zero*: a value that the export does not hold exactly is blank, and a gap
says why.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, Literal

import attrs

from healthapi.importing.clock import ClockSearch, LocalClock, local_totals, search_clock
from healthapi.importing.file_names import LEVELS, FileKind
from healthapi.importing.gaps import Gap, GapCode, blank_gaps
from healthapi.importing.json_files import CALORIE_UNITS
from healthapi.importing.nights import form_sleep
from healthapi.importing.tables import COLUMNS, Row, rows_of
from healthapi.importing.texts import DAY_MINUTES, day_of, number_text, whole_text
from healthapi.importing.values import (
    NO_TOTAL,
    Exercise,
    Measurement,
    Minutes,
    Omission,
    Total,
    Values,
)
from healthapi.rows.columns import FileDataset


@attrs.frozen
class Formed:
    """The rows of the tables, ascending by date and without blank cells, and what is missing.

    The warnings are of values that were formed, but not from a value of the export alone;
    `unmatched_scores` counts sleep scores whose log is not in the export.
    """

    rows: Mapping[FileDataset, list[Row]]
    gaps: tuple[Gap, ...]
    warnings: tuple[Gap, ...]
    search: ClockSearch
    unmatched_scores: int


def form(values: Values, zone: Callable[[int], int] | None = None) -> Formed:
    """Form the tables from the values of all files.

    `zone` returns the offset from UTC of a minute of UTC, in minutes, for times at which the export
    shows none; None if no zone is known.
    """
    search = search_clock(values)
    clock = LocalClock(search.offsets, zone)
    activity, activity_gaps, activity_warnings = form_activity(values, clock, search)
    sleep, sleep_gaps, sleep_warnings = form_sleep(values)
    hrv, hrv_gaps = _form_hrv(values)
    rhr, rhr_gaps = _form_rhr(values)
    gaps = (*activity_gaps, *sleep_gaps, *hrv_gaps, *rhr_gaps)
    return Formed(
        rows={"activity": activity, "sleep": sleep, "hrv": hrv, "rhr": rhr},
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
    places = {_COLUMNS_OF[kind] for kind in unreadable}
    if any(dataset == gap.dataset and gap.column in ("", *columns) for dataset, *columns in places):
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
    return rows, _heart_gaps("hrv", rows, values, "hrv.zero", "hrv.mirrored")


def _form_rhr(values: Values) -> tuple[list[Row], list[Gap]]:
    rates = {**values.daily.get("google-resting", {}), **values.daily.get("resting", {})}
    rows = rows_of({"resting_heart_rate": _whole_texts(rates)})
    return rows, _heart_gaps("rhr", rows, values, "resting.placeholder", "resting.mirrored")


def _heart_gaps(
    dataset: FileDataset,
    rows: Sequence[Row],
    values: Values,
    lost: Literal["hrv.zero", "resting.placeholder"],
    mirrored: Omission,
) -> list[Gap]:
    """Return the gaps of a table whose first column is lost or mirrored on some days."""
    column = COLUMNS[dataset][1]
    known = {day_of(row["date"]) for row in rows if column in row}
    lost_days = values.omissions.get(lost, set()) - known
    mirrored_days = values.omissions.get(mirrored, set()) - known - lost_days
    reasons: dict[GapCode, set[int]] = {lost: lost_days, "source.mirrored": mirrored_days}
    return list(blank_gaps(dataset, rows, {column: reasons}))


def _texts(values: Mapping[int, float]) -> dict[int, str]:
    return {day: number_text(value) for day, value in values.items()}


_WHOLE_DAY: Final = DAY_MINUTES - 60
"""Minutes of the shortest day, on which a clock goes forward."""
_EXAMPLES: Final = 3
_SEPARATOR: Final = "、"
_LEVEL_COLUMNS: Final = {
    "sedentary": "sedentaryMinutes",
    "lightly": "lightlyActiveMinutes",
    "fairly": "fairlyActiveMinutes",
    "very": "veryActiveMinutes",
}


@attrs.frozen
class _Column:
    """The values of a column by day, and the days on which it has none."""

    values: Mapping[int, float]
    no_zone: set[int]
    incomplete: set[int]


def form_activity(
    values: Values, clock: LocalClock, search: ClockSearch
) -> tuple[list[Row], list[Gap], list[Gap]]:
    """Return the rows, ascending by date, the gaps, and the values to be warned of."""
    steps = _steps(values, clock, are_local=search.steps_are_local)
    levels = {level: values.daily.get(level, {}) for level in LEVELS}
    zone = _zone_minutes(values, clock)
    calories = _calories(values)
    names, no_exercise_zone = _exercises(values, clock, are_local=search.steps_are_local)
    active = {
        day: sum(levels[level][day] for level in LEVELS[1:])
        for day in levels["lightly"].keys() & levels["fairly"].keys() & levels["very"].keys()
    }
    columns: dict[str, Mapping[int, str]] = {
        "steps": _whole_texts(steps.values),
        **{_LEVEL_COLUMNS[level]: _whole_texts(levels[level]) for level in LEVELS},
        "caloriesOut": _whole_texts(calories.values),
        "activeZoneMinutes": _whole_texts(zone.values),
        "activeMinutes": _whole_texts(active),
        "exerciseExamples": names,
    }
    padded = {
        day
        for day, minutes in levels["sedentary"].items()
        if minutes >= DAY_MINUTES
        and not any(
            values_by_day.get(day) for values_by_day in (steps.values, active, zone.values, names)
        )
        and not any(levels[level].get(day) for level in LEVELS[1:])
    }
    rows = rows_of(
        {
            name: {day: text for day, text in texts.items() if day not in padded}
            for name, texts in columns.items()
        }
    )
    reasons: dict[str, dict[GapCode, set[int]]] = {
        "steps": {
            "zone.unknown": steps.no_zone - padded,
            "day.incomplete": steps.incomplete - padded,
            "source.mirrored": _mirrored(values, "google-steps", clock, rows) - steps.values.keys(),
        },
        "activeZoneMinutes": {
            "zone.unknown": zone.no_zone - padded,
            "source.mirrored": _mirrored(values, "google-zone", clock, rows) - zone.values.keys(),
        },
        "exerciseExamples": {"zone.unknown": no_exercise_zone - padded},
        "caloriesOut": {"day.incomplete": calories.incomplete - padded},
    }
    gaps = [Gap("activity", "", "day.placeholder", tuple(sorted(padded)))] if padded else []
    twice = values.omissions.get("calories.repeated", set())
    repeated = {
        "caloriesOut": {day for day in calories.values if day in twice or clock.goes_back(day)},
        "steps": steps.values.keys() & values.omissions.get("steps.repeated", set())
        if search.steps_are_local
        else set[int](),
    }
    warnings = [
        Gap("activity", column, "day.repeated-minutes", tuple(sorted(days)))
        for column, days in repeated.items()
        if days
    ]
    return rows, [*gaps, *blank_gaps("activity", rows, reasons)], warnings


def _steps(values: Values, clock: LocalClock, *, are_local: bool) -> _Column:
    """Return the steps by local day.

    The JSON files hold the steps of all devices merged; only days that they lack are taken from the
    CSV files, each from the one device with most steps.
    """
    merged = values.minutes.get(("steps", ""), Minutes())
    totals, no_zone = (merged.totals(), set[int]()) if are_local else local_totals(merged, clock)
    incomplete = _cut_days(totals)
    single, unknown = _of_devices(values, "google-steps", clock, totals)
    no_zone |= unknown
    steps = {day: total.value for day, total in totals.items() if day not in incomplete}
    steps |= {day: total for day, total in single.items() if day not in no_zone}
    return _Column(steps, no_zone - steps.keys(), incomplete)


def _zone_minutes(values: Values, clock: LocalClock) -> _Column:
    """Return the zone minutes by local day; the CSV files in UTC fill days that the others lack."""
    totals = values.minutes.get(("zone", ""), Minutes()).totals()
    single, unknown = _of_devices(values, "google-zone", clock, totals)
    zone = {day: total for day, total in single.items() if day not in unknown}
    zone |= {day: total.value for day, total in totals.items()}
    return _Column(zone, unknown - zone.keys(), set())


def _of_devices(
    values: Values, measurement: Measurement, clock: LocalClock, known: Mapping[int, Total]
) -> tuple[dict[int, int], set[int]]:
    """Return the totals of other days, each of the one device with most, and days without zone."""
    single: dict[int, int] = {}
    no_zone: set[int] = set()
    for source, minutes in values.minutes.items():
        if source[0] == measurement:
            totals, unknown = local_totals(minutes, clock)
            no_zone |= unknown
            for day in totals.keys() - known.keys() - _cut_days(totals):
                single[day] = max(totals[day].value, single.get(day, 0))
    return single, no_zone


def _mirrored(
    values: Values, measurement: Measurement, clock: LocalClock, rows: Sequence[Row]
) -> set[int]:
    """Return the local days with rows of another vendor; all of them if none has a row."""
    mirrored: set[int] = set()
    for (name, utc_day), span in values.mirrored.items():
        if name == measurement:
            days = (clock.day(minute) for minute in span)
            mirrored |= {utc_day if day is None else day for day in days}
    return {day for row in rows for day in [day_of(row["date"])] if day in mirrored} or mirrored


def _cut_days(totals: Mapping[int, Total]) -> set[int]:
    """Return the days at which the data begin or end within the day.

    Such a day has fewer minutes than a whole day, lies at the edge of a run of days, and its
    neighbour has all minutes.  Where no day has all minutes, nothing shows that one is cut.
    """
    return {
        day
        for day, total in totals.items()
        if total.minutes < _WHOLE_DAY
        and not (day - 1 in totals and day + 1 in totals)
        and any(totals.get(other, NO_TOTAL).minutes >= _WHOLE_DAY for other in (day - 1, day + 1))
    }


def _calories(values: Values) -> _Column:
    """Return the energy of whole days in kcal."""
    totals = values.minutes.get(("calories", ""), Minutes()).totals()
    calories = {
        day: total.value / CALORIE_UNITS
        for day, total in totals.items()
        if total.minutes >= _WHOLE_DAY
    }
    return _Column(calories, set(), totals.keys() - calories.keys())


def _exercises(
    values: Values, clock: LocalClock, *, are_local: bool
) -> tuple[dict[int, str], set[int]]:
    """Return up to three names a day in the order of the day, and days whose zone is unknown."""
    names: dict[int, dict[str, None]] = {}
    unknown: set[int] = set()
    for exercise in sorted(values.exercises.values(), key=_by_start):
        day = exercise.start // DAY_MINUTES if are_local else clock.day(exercise.start)
        if day is None:
            unknown.add(exercise.start // DAY_MINUTES)
        else:
            names.setdefault(day, {})[exercise.name] = None
    texts = {
        day: _SEPARATOR.join(list(names_of_day)[:_EXAMPLES]) for day, names_of_day in names.items()
    }
    return texts, unknown


def _by_start(exercise: Exercise) -> tuple[int, str]:
    return exercise.start, exercise.name


def _whole_texts(values: Mapping[int, float]) -> dict[int, str]:
    return {day: whole_text(value) for day, value in values.items()}
