"""Form the rows of sleeps: their stages, their main sleep, and the ones of two kinds of files.

Invariant *each night once*: a sleep of the `UserSleeps` files, whose ids are no ids of logs, has a
row only if no log is of the same time.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final

from health_import.gaps import Gaps
from health_import.tables import (
    CLASSIC_COLUMNS,
    STAGE_COLUMNS,
    Row,
    SleepTimes,
    days_of,
    sleep_order,
)
from health_import.texts import number_text, whole_text
from health_import.values import STAGES, Values
from healthapi.omissions import OmissionCode

Phase = tuple[datetime, datetime, str]
"""Start, end and name of a stage."""


def stage_minutes(phases: Iterable[Phase]) -> dict[str, float]:
    """Return the minutes of each of `STAGES`; of those at the same time the first one counts."""
    edges = sorted(
        (at, STAGES.index(name), step)
        for start, end, name in phases
        for at, step in ((start, 1), (end, -1))
    )
    counts = [0] * len(STAGES)
    minutes = dict.fromkeys(STAGES, 0.0)
    for (at, rank, step), (until, *_) in pairwise(edges):
        counts[rank] += step
        name = next((name for name, count in zip(STAGES, counts, strict=True) if count), None)
        if name is not None:
            minutes[name] += (until - at).total_seconds() / 60
    return minutes


_COLUMNS_OF: Final[Mapping[OmissionCode, Collection[str]]] = {
    "sleep.google-only": ("logId", "efficiency", "infoCode"),
    "sleep.classic": STAGE_COLUMNS.values(),
    "day.incomplete": STAGE_COLUMNS.values(),
    "sleep.overlapping": ("",),
}
"""Code to the columns that it is about, empty for whole rows."""
_WHOLE_SHARE: Final = 0.95
"""Share of a sleep that its stages cover at least; with less of them, minutes would be too few."""


def build_sleep(values: Values, gaps: Gaps) -> list[Row]:
    """Return the rows, ascending by date with the main sleep first."""
    rows = [{**sleep.cells, **_score(values, id_)} for id_, sleep in sorted(values.sleeps.items())]
    days: dict[OmissionCode, set[int]] = {code: set() for code in _COLUMNS_OF}
    days["sleep.classic"] = {log.day for log in values.sleeps.values() if not log.has_stages}
    _add_google_sleeps(rows, values, days)
    derive_main_sleeps(rows, gaps)
    rows.sort(key=sleep_order)
    for code, columns in _COLUMNS_OF.items():
        for name in columns:
            gaps.add("sleep", name, code, days[code])
    without_score = days_of(row for row in rows if "sleepScore" not in row)
    gaps.add("sleep", "sleepScore", "sleep.no-score", without_score)
    return rows


def _score(values: Values, sleep_id: str) -> Row:
    score = number_text(values.scores.get(sleep_id))
    return {"sleepScore": score} if score else {}


def _add_google_sleeps(
    rows: list[Row], values: Values, days: Mapping[OmissionCode, set[int]]
) -> None:
    """Add the sleeps that no log has, longest first, scores that logs lack, and days by code."""
    times = SleepTimes(rows)
    phases: dict[str, list[Phase]] = {}
    for (sleep_id, start), (end, name) in values.stages.items():
        phases.setdefault(sleep_id, []).append((start, end, name))
    longest = sorted(
        values.google_sleeps.items(), key=lambda pair: (-int(pair[1].cells["duration"]), pair[0])
    )
    for sleep_id, sleep in longest:
        row = {**sleep.cells, **_score(values, sleep_id)}
        same = times.find(row)
        if same is not None:
            if "logId" not in rows[same]:
                days["sleep.overlapping"].add(sleep.day)
            elif "sleepScore" in row:
                rows[same].setdefault("sleepScore", row["sleepScore"])
            continue
        if not sleep.has_stages:
            days["sleep.classic"].add(sleep.day)
        minutes = stage_minutes(phases.get(sleep_id, ()))
        if sum(minutes.values()) * 60_000 >= _WHOLE_SHARE * int(row["duration"]):
            columns = STAGE_COLUMNS if sleep.has_stages else CLASSIC_COLUMNS
            row |= {column: whole_text(minutes[name]) for name, column in columns.items()}
        elif sleep_id in phases:
            days["day.incomplete"].add(sleep.day)
        times.add(row, len(rows))
        rows.append(row)
        days["sleep.google-only"].add(sleep.day)


_NIGHT_MINUTES: Final = 180
"""Minutes of the shortest sleep that is taken for a night, if it has no stages."""


def _may_be_night(row: Row) -> bool:
    minutes = float(row.get("duration", 0)) / 60_000 or float(row.get("minutesAsleep", 0))
    return minutes >= _NIGHT_MINUTES or any(name in row for name in STAGE_COLUMNS.values())


def derive_main_sleeps(rows: Sequence[Row], gaps: Gaps) -> None:
    """Set the main sleeps that no record names, and note the days on which a flag was set.

    A sleep of less than three hours without stages is a nap, also if it is the only one of a day.
    """
    days: dict[str, list[Row]] = {}
    for row in rows:
        days.setdefault(row["date"], []).append(row)
    derived: list[Row] = []
    for sleeps in days.values():
        unknown = [row for row in sleeps if "isMainSleep" not in row]
        for row in unknown:
            row["isMainSleep"] = "False"
        derived += unknown
        nights = [row for row in unknown if _may_be_night(row)]
        if nights and not any(row["isMainSleep"] == "True" for row in sleeps):
            max(nights, key=_length)["isMainSleep"] = "True"
    gaps.add("sleep", "isMainSleep", "sleep.no-main-flag", days_of(derived))


def _length(row: Mapping[str, str]) -> tuple[int, int]:
    return int(row.get("minutesAsleep", 0)), int(row.get("duration", 0))
