"""Form the rows of the activity table.

Invariant *no padding*: a day with 1,440 sedentary minutes and nothing else was not worn, or lies in
the future; it has no row.
"""

from collections.abc import Mapping
from typing import Final

from healthapi.importing.clock import LocalClock, local_totals
from healthapi.importing.clock_search import ClockSearch
from healthapi.importing.file_names import LEVELS
from healthapi.importing.gaps import Gap, GapCode, blank_gaps
from healthapi.importing.json_files import CALORIE_UNITS
from healthapi.importing.minutes import Minutes
from healthapi.importing.numbers import whole_text
from healthapi.importing.table_columns import Row, rows_of
from healthapi.importing.times import DAY_MINUTES
from healthapi.importing.values import Exercise, Values

__all__ = ["form_activity"]

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

Days = Mapping[int, float]


def form_activity(
    values: Values, clock: LocalClock, search: ClockSearch
) -> tuple[list[Row], list[Gap]]:
    """Return the rows, ascending by date, and the gaps."""
    steps, no_zone = _steps(values, clock, are_local=search.steps_are_local)
    levels = {level: values.daily.get(level, {}) for level in LEVELS}
    zone = _totals(values.minutes.get(("zone", ""), Minutes()))
    calories, incomplete = _calories(values)
    names, no_exercise_zone = _exercises(values, clock, are_local=search.steps_are_local)
    active = {
        day: sum(levels[level][day] for level in LEVELS[1:])
        for day in levels["lightly"].keys() & levels["fairly"].keys() & levels["very"].keys()
    }
    columns: dict[str, Mapping[int, str]] = {
        "steps": _texts(steps),
        **{_LEVEL_COLUMNS[level]: _texts(levels[level]) for level in LEVELS},
        "caloriesOut": _texts(calories),
        "activeZoneMinutes": _texts(zone),
        "activeMinutes": _texts(active),
        "exerciseExamples": names,
    }
    padded = {
        day
        for day, minutes in levels["sedentary"].items()
        if minutes >= DAY_MINUTES
        and not any(each.get(day) for each in (steps, active, zone, names))
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
            "zone.unknown": no_zone - padded,
            "source.mirrored": values.remarks.get("steps.mirrored", set()) - steps.keys(),
        },
        "exerciseExamples": {"zone.unknown": no_exercise_zone - padded},
        "caloriesOut": {"day.incomplete": incomplete - padded},
    }
    gaps = [Gap("activity", "", "day.placeholder", tuple(sorted(padded)))] if padded else []
    return rows, [*gaps, *blank_gaps("activity", rows, reasons)]


def _steps(
    values: Values, clock: LocalClock, *, are_local: bool
) -> tuple[dict[int, int], set[int]]:
    """Return the steps by local day, and the days whose zone is not known.

    The JSON files hold the steps of all devices merged; only days that they lack are taken from the
    CSV files, each from the one device with most steps.
    """
    merged = values.minutes.get(("steps", ""), Minutes())
    if are_local:
        totals, unknown = _totals(merged), set[int]()
    else:
        totals, unknown = local_totals(merged, clock)
    single: dict[int, int] = {}
    for source, minutes in values.minutes.items():
        if source[0] == "google-steps":
            found, no_zone = local_totals(minutes, clock)
            unknown |= no_zone
            for day, total in found.items():
                single[day] = max(total, single.get(day, 0))
    unknown -= totals.keys() if are_local else set()
    usable = {day: total for day, total in single.items() if day not in unknown}
    totals = {**usable, **totals}
    return totals, unknown - totals.keys()


def _totals(minutes: Minutes) -> dict[int, int]:
    return {day: total for day, total, count in minutes.totals() if count}


def _calories(values: Values) -> tuple[dict[int, float], set[int]]:
    """Return the energy of whole days in kcal, and the days that lack minutes."""
    found: dict[int, float] = {}
    incomplete: set[int] = set()
    for day, total, count in values.minutes.get(("calories", ""), Minutes()).totals():
        if count >= _WHOLE_DAY:
            found[day] = total / CALORIE_UNITS
        else:
            incomplete.add(day)
    return found, incomplete


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
    texts = {day: _SEPARATOR.join(list(found)[:_EXAMPLES]) for day, found in names.items()}
    return texts, unknown


def _by_start(exercise: Exercise) -> tuple[int, str]:
    return exercise.start, exercise.name


def _texts(values: Days) -> dict[int, str]:
    return {day: whole_text(value) for day, value in values.items()}
