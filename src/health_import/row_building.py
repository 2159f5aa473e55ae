"""Form the rows of the four tables from the values of all files of an export.

Invariant *missing is not zero*: a value that the export does not hold exactly is blank, and a gap
says why.
"""

from collections import ChainMap
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final, Literal

import attrs

from health_import.apple import AppleHealth
from health_import.clock import ClockSearch, LocalClock, local_totals, search_clock
from health_import.gaps import Gaps
from health_import.garmin import Garmin
from health_import.readers import CALORIE_UNITS
from health_import.sleeps import build_sleep, derive_main_sleeps
from health_import.tables import COLUMNS, Row, days_of, rows_of, sleep_order, texts_of
from health_import.texts import DAY_MINUTES, number_text
from health_import.values import NO_TOTAL, NO_VALUE, Total, Values
from healthapi.omissions import UNFINISHED
from healthapi.rows.mapping import FileDataset

Tables = dict[FileDataset, list[Row]]


@attrs.frozen
class BuiltRows:
    """The rows of the tables, ascending by date and without blank cells, and what is missing."""

    rows: Tables
    gaps: Gaps
    search: ClockSearch


def build_rows(values: Values, zone: Callable[[int], int] | None = None) -> BuiltRows:
    """Form the tables from the values of all files.

    `zone` returns the offset from UTC of a minute of UTC, in minutes, for times at which the export
    shows none; None if no zone is known.
    """
    search = search_clock(values)
    clock = LocalClock(search.offsets, zone)
    made, last = _export_days(values, clock)
    gaps = Gaps(last)
    daily = values.daily
    variability = {
        "dailyRmssd": texts_of(ChainMap(daily["hrv"], daily["google-hrv"]), number_text),
        "deepRmssd": texts_of(daily["google-deep"], number_text),
    }
    rates = texts_of(ChainMap(daily["resting"], daily["google-resting"]))
    rows: Tables = {
        "activity": [],
        "sleep": build_sleep(values, gaps),
        "hrv": rows_of(variability),
        "rhr": rows_of({"resting_heart_rate": rates}),
    }
    others = _days_of(rows)
    rows["activity"] = _build_activity(values, clock, search, others, gaps)
    return _complete(values, rows, gaps, made, search)


def build_other(
    vendor: AppleHealth | Garmin, values: Values, zone: Callable[[int], int] | None
) -> BuiltRows:
    """Return the tables of another vendor's export; `values` has when the archives were made."""
    made, last = _export_days(values, LocalClock({}, zone))
    if vendor.export_day is not None:
        made, last = {minute: {vendor.export_day} for minute in made}, vendor.export_day
    rows, gaps = vendor.rows(), Gaps(last)
    for dataset, days in vendor.unworn.items():
        gaps.add(dataset, "", "day.placeholder", days)
    derive_main_sleeps(rows["sleep"], gaps)
    rows["sleep"].sort(key=sleep_order)
    search = ClockSearch({}, 0, 0, steps_are_local=True)
    return _complete(values, rows, gaps, made, search)


def _complete(
    values: Values, every: Tables, gaps: Gaps, made: Mapping[int, set[int]], search: ClockSearch
) -> BuiltRows:
    """Return the rows up to the last day, with the reasons for blanks and for days not over."""
    rows = {dataset: gaps.keep(dataset, every[dataset]) for dataset in COLUMNS}
    # in the order of the codes: what a device says comes before what was mirrored
    for (dataset, column, code), days in sorted(values.omissions.items()):
        known = days_of(row for row in rows[dataset] if not column or column in row)
        known |= gaps.known(dataset, column)
        # Minutes have days of UTC: of a row's day and a day beside it, the former is meant.
        near = days & days_of(rows[dataset]) if dataset == "activity" else set[int]()
        gaps.add(dataset, column, code, (near or days) - known)
    for dataset in COLUMNS:
        gaps.add_blanks(dataset, rows[dataset], every[dataset])
    gaps.add("activity", "", UNFINISHED, _open_days(values, made, _days_of(rows)))
    return BuiltRows(rows, gaps, search)


def _days_of(rows: Tables) -> set[int]:
    return days_of(row for of in rows.values() for row in of)


_LOCAL: Final = LocalClock({}, lambda _: 0)
"""The clock of minutes that are on the local clock already."""
_OFFSETS: Final = (-12 * 60, 14 * 60)
"""Minutes; without a known zone, the local day of an instant is one between those of these."""


def _export_days(values: Values, clock: LocalClock) -> tuple[dict[int, set[int]], int]:
    """Return the local days on which each archive may have been made, and the last of all."""
    made: dict[int, set[int]] = {}
    for minute in values.exported:
        offset = clock.offset(minute)
        least, most = _OFFSETS if offset is None else (offset, offset)
        days = range((minute + least) // DAY_MINUTES, (minute + most) // DAY_MINUTES + 1)
        made[minute] = set(days)
    return made, max((max(days) for days in made.values()), default=date.max.toordinal())


def _open_days(values: Values, made: Mapping[int, set[int]], known: set[int]) -> set[int]:
    """Return the days of rows that were not over when an archive was made; `known` has all days.

    Of the days on which an archive may have been made it is the last that is not another's.  It
    counts as over if an archive that was made on a later day has values of it.
    """
    every = set[int]().union(*values.exported.values())
    last = {
        minute: max(days & known - (every - values.exported[minute]), default=min(days))
        for minute, days in made.items()
    }
    return known & {
        day
        for day in last.values()
        if not any(day in values.exported[later] and day < last[later] for later in last)
    }


_WHOLE_DAY: Final = DAY_MINUTES - 60
"""Minutes of the shortest day, on which a clock goes forward."""
_EXAMPLES: Final = 3
_SEPARATOR: Final = "、"
_LEVELS: Final = {
    "sedentary": "sedentaryMinutes",
    "lightly": "lightlyActiveMinutes",
    "fairly": "fairlyActiveMinutes",
    "very": "veryActiveMinutes",
}
"""Level of activity to the column of its minutes."""


@attrs.frozen
class _Column:
    """The values of a column by day, and the days on which it has none."""

    values: Mapping[int, float]
    no_zone: set[int]
    incomplete: set[int]


def _build_activity(
    values: Values, clock: LocalClock, search: ClockSearch, others: set[int], gaps: Gaps
) -> list[Row]:
    """Return the rows, ascending by date.

    `others` are days with a sleep or a heart value.
    """
    steps = _by_day(values, "steps", clock, is_local=search.steps_are_local)
    zone = _by_day(values, "zone", clock, is_local=True)
    calories = _calories(values)
    names, no_exercise_zone = _exercises(values, _LOCAL if search.steps_are_local else clock)
    levels = {level: values.daily[level] for level in _LEVELS}
    lightly, fairly, very = (levels[level] for level in ("lightly", "fairly", "very"))
    active = {
        day: lightly[day] + fairly[day] + very[day]
        for day in lightly.keys() & fairly.keys() & very.keys()
    }
    moving = (steps.values, zone.values, names, lightly, fairly, very)
    columns: dict[str, Mapping[int, str]] = {
        "steps": texts_of(steps.values),
        **{column: texts_of(levels[level]) for level, column in _LEVELS.items()},
        "caloriesOut": texts_of(calories.values),
        "activeZoneMinutes": texts_of(zone.values),
        "activeMinutes": texts_of(active),
        "exerciseExamples": names,
    }
    days = set[int]().union(*columns.values())
    unplaced = (steps.no_zone | zone.no_zone) & _days_near_minutes(values) | no_exercise_zone
    unsure = unplaced | steps.incomplete
    signs = others | _days_of_varied_calories(values)
    signs.update(day for by_day in moving for day, value in by_day.items() if value)
    sedentary = levels["sedentary"]
    padded = {
        day
        for day in days - signs
        if day <= gaps.last
        and (sedentary[day] >= _WHOLE_DAY if sedentary.get(day) else day not in unsure)
    }
    gaps.add("activity", "", "day.placeholder", padded)
    gaps.add("activity", "steps", "zone.unknown", steps.no_zone - padded)
    gaps.add("activity", "steps", "day.incomplete", steps.incomplete - padded)
    gaps.add("activity", "activeZoneMinutes", "zone.unknown", zone.no_zone - padded)
    gaps.add("activity", "exerciseExamples", "zone.unknown", no_exercise_zone - padded)
    gaps.add("activity", "caloriesOut", "day.incomplete", calories.incomplete - padded)
    if not search.steps_are_local and not search.compared_days:
        merged = values.minutes["steps", ""].days.keys()
        unchecked = {day for day in steps.values if merged & {day - 1, day, day + 1}}
        gaps.add("activity", "steps", "clock.unchecked", unchecked - padded)
        gaps.add("activity", "exerciseExamples", "clock.unchecked", names)
    return rows_of(columns)


def _days_near_minutes(values: Values) -> set[int]:
    """Return the days to which minutes of UTC with steps or zone minutes may belong."""
    return {
        near
        for source, minutes in values.minutes.items()
        if source[0] in ("steps", "google-steps", "google-zone")
        for day in minutes.days
        if minutes.total(day).value > 0
        for near in (day - 1, day, day + 1)
    }


def _days_of_varied_calories(values: Values) -> set[int]:
    """Return the days whose minutes differ in energy; the basal rate is the same in all."""
    days = values.minutes["calories", ""].days
    return {day for day, row in days.items() if len({*row} - {NO_VALUE}) > 1}


def _by_day(
    values: Values, name: Literal["steps", "zone"], clock: LocalClock, *, is_local: bool
) -> _Column:
    """Return steps or zone minutes by local day.

    The older files hold those of all devices merged; only days that they lack are taken from the
    newer ones, in UTC, each from the one device with most of the day.  `is_local`: whether the
    older ones are on the local clock, where minutes of a day may occur twice.
    """
    merged = values.minutes[name, ""]
    totals, no_zone = local_totals(merged, _LOCAL if is_local else clock)
    incomplete = _cut_days(totals) | (merged.repeated if is_local else set())
    by_day = {day: total.value for day, total in totals.items() if day not in incomplete}
    single: dict[int, int] = {}
    for source, minutes in values.minutes.items():
        if source[0] == f"google-{name}":
            of_device, unknown = local_totals(minutes, clock)
            no_zone |= unknown
            for day in of_device.keys() - totals.keys() - _cut_days(of_device):
                single[day] = max(of_device[day].value, single.get(day, 0))
    by_day |= {day: total for day, total in single.items() if day not in no_zone}
    return _Column(by_day, no_zone - by_day.keys(), incomplete)


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
    minutes = values.minutes["calories", ""]
    totals, _ = local_totals(minutes, _LOCAL)
    calories = {
        day: total.value / CALORIE_UNITS
        for day, total in totals.items()
        if total.minutes >= _WHOLE_DAY and day not in minutes.repeated
    }
    return _Column(calories, set(), totals.keys() - calories.keys())


def _exercises(values: Values, clock: LocalClock) -> tuple[dict[int, str], set[int]]:
    """Return up to three names a day in the order of the day, and days whose zone is unknown."""
    names: dict[int, dict[str, None]] = {}
    unknown: set[int] = set()
    for start, name in sorted(values.exercises.values()):
        day = clock.day(start)
        if day is None:
            unknown.add(start // DAY_MINUTES)
        else:
            names.setdefault(day, {})[name] = None
    texts = {day: _SEPARATOR.join([*of_day][:_EXAMPLES]) for day, of_day in names.items()}
    return texts, unknown
