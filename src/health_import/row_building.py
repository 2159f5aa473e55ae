"""Form the rows of the four tables from the values of all files of an export.

Invariant *missing is not zero*: a value that the export does not hold exactly is blank, and a gap
says why.
Invariant *each night once*: a sleep of the `UserSleeps` files, whose ids are no ids of logs, has a
row only if no log is of the same time.
"""

from collections import ChainMap
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Final, Literal

import attrs

from health_import.clock import ClockSearch, LocalClock, local_totals, search_clock
from health_import.file_names import FORMATS, FileKind
from health_import.gaps import Gap, blank_gaps, dates_of
from health_import.readers import CALORIE_UNITS
from health_import.tables import (
    CLASSIC_COLUMNS,
    STAGE_COLUMNS,
    Row,
    SleepTimes,
    rows_of,
    sleep_order,
)
from health_import.texts import DAY_MINUTES, day_of, number_text, whole_text
from health_import.values import (
    LEVELS,
    NO_TOTAL,
    NO_VALUE,
    STAGES,
    Daily,
    Measurement,
    Minutes,
    Omission,
    Total,
    Values,
)
from healthapi.omissions import UNFINISHED, OmissionCode
from healthapi.rows.mapping import FileDataset


@attrs.frozen
class BuiltRows:
    """The rows of the tables, ascending by date and without blank cells, and what is missing.

    The warnings are of values that do not come from a value of the export alone.
    """

    rows: Mapping[FileDataset, list[Row]]
    gaps: tuple[Gap, ...]
    warnings: tuple[Gap, ...]
    search: ClockSearch


def build_rows(values: Values, zone: Callable[[int], int] | None = None) -> BuiltRows:
    """Form the tables from the values of all files.

    `zone` returns the offset from UTC of a minute of UTC, in minutes, for times at which the export
    shows none; None if no zone is known.
    """
    search = search_clock(values)
    clock = LocalClock(search.offsets, zone)
    unfinished, last = _last_days(values, clock)
    sleep, sleep_gaps, sleep_warnings = build_sleep(values, last)
    hrv, hrv_gaps = _build_heart("hrv", values, last)
    rhr, rhr_gaps = _build_heart("rhr", values, last)
    others = {day_of(row["date"]) or 0 for row in (*sleep, *hrv, *rhr)}
    activity, activity_gaps, activity_warnings = build_activity(values, clock, search, others, last)
    unfinished &= others | {day_of(row["date"]) or 0 for row in activity}
    if unfinished:
        activity_gaps.append(Gap("activity", "", UNFINISHED, dates_of(unfinished)))
    gaps = (*activity_gaps, *sleep_gaps, *hrv_gaps, *rhr_gaps)
    return BuiltRows(
        rows={"activity": activity, "sleep": sleep, "hrv": hrv, "rhr": rhr},
        gaps=tuple(_with_reason(gap, values.unreadable) for gap in gaps),
        warnings=(*activity_warnings, *sleep_warnings),
        search=search,
    )


_OFFSETS: Final = (0, 14 * 60)
"""Minutes; without a known zone, the local day of an instant is one of those that these give."""


def _last_days(values: Values, clock: LocalClock) -> tuple[set[int], int]:
    """Return the days that were not over when an archive was made, and the last of all.

    A day of an older archive counts as over if one that was made after it has values of it.
    """
    made: dict[int, set[int]] = {}
    for minute in values.exported:
        offset = clock.offset(minute)
        offsets = _OFFSETS if offset is None else (offset,)
        made[minute] = {(minute + shift) // DAY_MINUTES for shift in offsets}
    unfinished = {
        day
        for days in made.values()
        for day in days
        if not any(day in values.exported[later] and day < min(made[later]) for later in made)
    }
    return unfinished, max((max(days) for days in made.values()), default=date.max.toordinal())


def _split(rows: list[Row], last: int) -> tuple[list[Row], set[int]]:
    """Return the rows up to a day, and the days of the others."""
    later = {day for row in rows if (day := day_of(row["date"]) or 0) > last}
    return [row for row in rows if day_of(row["date"]) not in later], later


def build_other(
    rows: Mapping[FileDataset, list[Row]],
    unworn: Mapping[FileDataset, set[int]],
    values: Values,
    clock: LocalClock,
    export_day: int | None,
) -> BuiltRows:
    """Return the tables of another vendor's export, from its rows and the days without any.

    `values` has when the archives were made; the export itself may name the day.
    """
    unfinished, last = _last_days(values, clock)
    if export_day is not None:
        unfinished, last = {export_day}, export_day
    kept: dict[FileDataset, list[Row]] = {}
    gaps: list[Gap] = []
    derived = derive_main_sleeps(rows["sleep"])
    for dataset, of in rows.items():
        kept[dataset], future = _split(of, last)
        reasons: dict[OmissionCode, set[int]] = {
            "day.placeholder": {day for day in unworn.get(dataset, ()) if day <= last},
            "day.future": future,
        }
        gaps += blank_gaps(dataset, kept[dataset], {"": reasons})
    kept["sleep"].sort(key=sleep_order)
    unfinished &= {day_of(row["date"]) or 0 for of in kept.values() for row in of}
    if unfinished:
        gaps.append(Gap("activity", "", UNFINISHED, dates_of(unfinished)))
    flags = Gap("sleep", "isMainSleep", "sleep.no-main-flag", dates_of(derived))
    warnings = (flags,) if derived else ()
    return BuiltRows(kept, tuple(gaps), warnings, ClockSearch({}, 0, 0, 0, steps_are_local=True))


def _with_reason(gap: Gap, unreadable: Collection[FileKind]) -> Gap:
    """Return a gap of unknown reason with that of a file that could not be read, if it fits."""
    if gap.code not in ("column.not-in-archive", "value.none"):
        return gap
    formats = [FORMATS[kind] for kind in unreadable]
    if any(of.dataset == gap.dataset and gap.column in ("", *of.columns) for of in formats):
        return attrs.evolve(gap, code="column.unreadable")
    return gap


_Zero = Literal["hrv.zero", "resting.placeholder"]
_HEART: Final[dict[FileDataset, tuple[dict[str, tuple[Daily, ...]], _Zero, Omission]]] = {
    "hrv": (
        {"dailyRmssd": ("google-hrv", "hrv"), "deepRmssd": ("google-deep",)},
        "hrv.zero",
        "hrv.mirrored",
    ),
    "rhr": (
        {"resting_heart_rate": ("google-resting", "resting")},
        "resting.placeholder",
        "resting.mirrored",
    ),
}
"""Dataset to the measurements of its columns, of which the last one counts, and why days lack."""


def _build_heart(dataset: FileDataset, values: Values, last: int) -> tuple[list[Row], list[Gap]]:
    columns, zero, mirrored = _HEART[dataset]
    write = whole_text if dataset == "rhr" else number_text
    texts = {
        column: _texts(dict(ChainMap(*(values.daily.get(name, {}) for name in names[::-1]))), write)
        for column, names in columns.items()
    }
    rows, future = _split(rows_of(texts), last)
    first = next(iter(columns))
    zero_days = values.omissions.get(zero, set()) - texts[first].keys()
    mirrored_days = values.omissions.get(mirrored, set()) - texts[first].keys() - zero_days
    reasons: dict[OmissionCode, set[int]] = {zero: zero_days, "source.mirrored": mirrored_days}
    return rows, list(blank_gaps(dataset, rows, {"": {"day.future": future}, first: reasons}))


def _texts(
    values: Mapping[int, float], write: Callable[[float], str] = whole_text
) -> dict[int, str]:
    return {day: write(value) for day, value in values.items()}


_WHOLE_DAY: Final = DAY_MINUTES - 60
"""Minutes of the shortest day, on which a clock goes forward."""
_EXAMPLES: Final = 3
_SEPARATOR: Final = "、"
_LEVELS: Final = dict(
    zip(
        LEVELS,
        ("sedentaryMinutes", "lightlyActiveMinutes", "fairlyActiveMinutes", "veryActiveMinutes"),
        strict=True,
    )
)
"""Level of activity to the column of its minutes."""


@attrs.frozen
class _Column:
    """The values of a column by day, and the days on which it has none."""

    values: Mapping[int, float]
    no_zone: set[int]
    incomplete: set[int]


def build_activity(
    values: Values, clock: LocalClock, search: ClockSearch, others: Collection[int], last: int
) -> tuple[list[Row], list[Gap], list[Gap]]:
    """Return the rows, ascending by date, the gaps, and the values to be warned of.

    `others` are days with a sleep or a heart value, `last` is the last day of the export.
    """
    clock_of_steps = LocalClock({}, lambda _: 0) if search.steps_are_local else clock
    steps = _steps(values, clock, clock_of_steps)
    levels = {level: values.daily.get(level, {}) for level in _LEVELS}
    zone = _zone_minutes(values, clock)
    calories = _calories(values)
    names, no_exercise_zone = _exercises(values, clock_of_steps)
    lightly, fairly, very = (levels[level] for level in ("lightly", "fairly", "very"))
    active = {
        day: lightly[day] + fairly[day] + very[day]
        for day in lightly.keys() & fairly.keys() & very.keys()
    }
    moving = (steps.values, active, zone.values, names, lightly, fairly, very)
    columns: dict[str, Mapping[int, str]] = {
        "steps": _texts(steps.values),
        **{column: _texts(levels[level]) for level, column in _LEVELS.items()},
        "caloriesOut": _texts(calories.values),
        "activeZoneMinutes": _texts(zone.values),
        "activeMinutes": _texts(active),
        "exerciseExamples": names,
    }
    days = set[int]().union(*columns.values())
    future = {day for day in days if day > last}
    unplaced = (steps.no_zone | zone.no_zone) & _days_near_minutes(values) | no_exercise_zone
    unsure = unplaced | steps.incomplete
    measured = set(others) | _days_of_varied_calories(values)
    padded = {
        day
        for day in days - future - measured
        if not any(by_day.get(day) for by_day in moving)
        and _is_unworn(levels["sedentary"].get(day, 0), is_sure=day not in unsure)
    }

    def kept(candidates: Collection[int]) -> set[int]:
        return {day for day in candidates if day <= last and day not in padded}

    rows = rows_of(
        {
            name: {day: text for day, text in texts.items() if day not in padded | future}
            for name, texts in columns.items()
        }
    )
    reasons: dict[str, dict[OmissionCode, set[int]]] = {
        "": {"day.placeholder": padded, "day.future": future},
        "steps": {
            "zone.unknown": kept(steps.no_zone),
            "day.incomplete": kept(steps.incomplete),
            "source.mirrored": _mirrored(values, "google-steps", clock, rows) - steps.values.keys(),
        },
        "activeZoneMinutes": {
            "zone.unknown": kept(zone.no_zone),
            "source.mirrored": _mirrored(values, "google-zone", clock, rows) - zone.values.keys(),
        },
        "exerciseExamples": {"zone.unknown": kept(no_exercise_zone)},
        "caloriesOut": {"day.incomplete": kept(calories.incomplete)},
    }
    repeated_calories = values.omissions.get("calories.repeated", set())
    repeated_steps = values.omissions.get("steps.repeated", set())
    repeated: dict[str, set[int]] = {
        "caloriesOut": {
            day for day in calories.values if day in repeated_calories or clock.goes_back(day)
        },
        "steps": steps.values.keys() & repeated_steps if search.steps_are_local else set(),
    }
    warnings = [
        Gap("activity", column, "day.repeated-minutes", dates_of(days))
        for column, days in repeated.items()
        if days
    ]
    if not search.steps_are_local and not search.compared_days:
        merged = values.minutes.get(("steps", ""), Minutes())
        placed = {day for day in kept(steps.values) if merged.days.keys() & {day - 1, day, day + 1}}
        if placed:
            warnings.append(Gap("activity", "steps", "clock.unchecked", dates_of(placed)))
    return rows, list(blank_gaps("activity", rows, reasons)), warnings


def _is_unworn(sedentary: float, *, is_sure: bool) -> bool:
    """Check whether a day without movement is padding, by its sedentary minutes, if there are any.

    `is_sure` says that there is no sign of a measurement.
    """
    return is_sure if sedentary == 0 else sedentary >= _WHOLE_DAY


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
    minutes = values.minutes.get(("calories", ""), Minutes())
    return {day for day, row in minutes.days.items() if len({*row} - {NO_VALUE}) > 1}


def _steps(values: Values, clock: LocalClock, clock_of_steps: LocalClock) -> _Column:
    """Return the steps by local day.

    The JSON files hold the steps of all devices merged; only days that they lack are taken from the
    CSV files, each from the one device with most steps.
    """
    merged = values.minutes.get(("steps", ""), Minutes())
    totals, no_zone = local_totals(merged, clock_of_steps)
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
    texts = {
        day: _SEPARATOR.join(list(names_of_day)[:_EXAMPLES]) for day, names_of_day in names.items()
    }
    return texts, unknown


_ONLY_LOGS: Final = ("logId", "efficiency", "infoCode")
"""Columns that the `UserSleeps` files lack."""
_WHOLE_SHARE: Final = 0.95
"""Share of a sleep that its stages cover at least; with less of them, minutes would be too few."""


def build_sleep(values: Values, last: int) -> tuple[list[Row], list[Gap], list[Gap]]:
    """Return the rows up to a last day, ascending by date with the main sleep first.

    Also return the gaps and the warnings.
    """
    rows: list[Row] = []
    for log_id, sleep in sorted(values.sleeps.items()):
        rows.append({**sleep.cells, **_score(values, log_id)})
    reasons: dict[OmissionCode, set[int]] = {
        "sleep.classic": {sleep.day for sleep in values.sleeps.values() if not sleep.has_stages},
        "day.incomplete": set(),
    }
    only_google, overlapping = _add_google_sleeps(rows, values, reasons)
    rows, future = _split(rows, last)
    derived = derive_main_sleeps(rows)
    rows.sort(key=sleep_order)
    known = {day_of(row["date"]) for row in rows}
    mirrored = values.omissions.get("sleep.mirrored", set()) - known
    without_score = {
        day for row in rows if "sleepScore" not in row and (day := day_of(row["date"]))
    }
    gaps = blank_gaps(
        "sleep",
        rows,
        {
            "": {"source.mirrored": mirrored, "day.future": future},
            **{name: {"sleep.google-only": only_google} for name in _ONLY_LOGS},
            **dict.fromkeys(STAGE_COLUMNS.values(), reasons),
            "sleepScore": {"sleep.no-score": without_score},
        },
    )
    warnings = (
        Gap("sleep", "isMainSleep", "sleep.no-main-flag", dates_of(derived)),
        Gap("sleep", "", "sleep.overlapping", dates_of(overlapping)),
    )
    return rows, list(gaps), [warning for warning in warnings if warning.days]


def _score(values: Values, sleep_id: str) -> Row:
    score = number_text(values.scores.get(sleep_id))
    return {"sleepScore": score} if score else {}


def _add_google_sleeps(
    rows: list[Row], values: Values, reasons: Mapping[OmissionCode, set[int]]
) -> tuple[set[int], set[int]]:
    """Add the sleeps that no log has, longest first, and the scores that logs lack.

    Return the days of the sleeps that were added, and those of sleeps that overlap one of them.
    """
    times = SleepTimes(rows)
    stages = _stage_minutes(values)
    added: set[int] = set()
    overlapping: set[int] = set()
    longest = sorted(
        values.google_sleeps.items(), key=lambda pair: (-int(pair[1].cells["duration"]), pair[0])
    )
    for sleep_id, sleep in longest:
        row = {**sleep.cells, **_score(values, sleep_id)}
        same = times.find(row)
        if same is not None:
            if "logId" not in rows[same]:
                overlapping.add(sleep.day)
            elif "sleepScore" in row:
                rows[same].setdefault("sleepScore", row["sleepScore"])
            continue
        minutes = stages.get(sleep_id, {})
        if not sleep.has_stages:
            reasons["sleep.classic"].add(sleep.day)
        if sum(minutes.values()) * 60_000 >= _WHOLE_SHARE * int(row["duration"]):
            columns = STAGE_COLUMNS if sleep.has_stages else CLASSIC_COLUMNS
            row |= {column: whole_text(minutes[name]) for name, column in columns.items()}
        elif minutes:
            reasons["day.incomplete"].add(sleep.day)
        times.add(row, len(rows))
        rows.append(row)
        added.add(sleep.day)
    return added, overlapping


def _stage_minutes(values: Values) -> dict[str, dict[str, float]]:
    """Return the minutes of each stage of the sleeps of the `UserSleeps` files."""
    minutes_by_sleep: dict[str, dict[str, float]] = {}
    for (sleep_id, _), row in values.stages.items():
        minutes = minutes_by_sleep.setdefault(sleep_id, dict.fromkeys(STAGES[1:], 0.0))
        for index, name in enumerate(STAGES[1:], 1):
            minutes[name] += row.count(index) / 2
    return minutes_by_sleep


_NIGHT_MINUTES: Final = 180
"""Minutes of the shortest sleep that is taken for a night, if it has no stages."""


def _may_be_night(row: Row) -> bool:
    minutes = float(row.get("duration", 0)) / 60_000 or float(row.get("minutesAsleep", 0))
    return minutes >= _NIGHT_MINUTES or any(name in row for name in STAGE_COLUMNS.values())


def derive_main_sleeps(rows: Sequence[Row]) -> set[int]:
    """Set the main sleeps that no record names; return the days on which a flag was set.

    A sleep of less than three hours without stages is a nap, also if it is the only one of a day.
    """
    days: dict[str, list[Row]] = {}
    for row in rows:
        days.setdefault(row["date"], []).append(row)
    derived: set[int] = set()
    for text, sleeps in days.items():
        unknown = [row for row in sleeps if "isMainSleep" not in row]
        for row in unknown:
            row["isMainSleep"] = "False"
            derived.add(day_of(text) or 0)
        nights = [row for row in unknown if _may_be_night(row)]
        if nights and not any(row["isMainSleep"] == "True" for row in sleeps):
            longest = max(
                nights,
                key=lambda row: (int(row.get("minutesAsleep", 0)), int(row.get("duration", 0))),
            )
            longest["isMainSleep"] = "True"
    return derived
