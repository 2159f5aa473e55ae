"""Form the rows of the sleep table.

Invariant *each night once*: a sleep of the `UserSleeps` files, whose ids are no ids of logs, has a
row only if no log is of the same time.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from healthapi.importing.gaps import Gap, GapCode, blank_gaps
from healthapi.importing.tables import CLASSIC_COLUMNS, STAGE_COLUMNS, Row, SleepTimes, sleep_order
from healthapi.importing.texts import day_of, number_text, whole_text
from healthapi.importing.values import STAGES, Values

_ONLY_LOGS: Final = ("logId", "efficiency", "infoCode")
"""Columns that the `UserSleeps` files lack."""
_WHOLE_SHARE: Final = 0.95
"""Share of a sleep that its stages cover at least; with less of them, minutes would be too few."""


def form_sleep(values: Values) -> tuple[list[Row], list[Gap], list[Gap]]:
    """Return the rows, ascending by date with the main sleep first, the gaps and the warnings."""
    rows: list[Row] = []
    for log_id, sleep in sorted(values.sleeps.items()):
        rows.append({**sleep.cells, **_score(values, log_id)})
    reasons: dict[GapCode, set[int]] = {
        "sleep.classic": {sleep.day for sleep in values.sleeps.values() if not sleep.has_stages},
        "day.incomplete": set(),
    }
    only_google, overlapping = _add_google_sleeps(rows, values, reasons)
    derived = _derive_main_sleeps(rows)
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
            "": {"source.mirrored": mirrored},
            **{name: {"sleep.google-only": only_google} for name in _ONLY_LOGS},
            **dict.fromkeys(STAGE_COLUMNS.values(), reasons),
            "sleepScore": {"sleep.no-score": without_score},
        },
    )
    warnings = (
        Gap("sleep", "isMainSleep", "sleep.no-main-flag", tuple(sorted(derived))),
        Gap("sleep", "", "sleep.overlapping", tuple(sorted(overlapping))),
    )
    return rows, list(gaps), [warning for warning in warnings if warning.days]


def _score(values: Values, sleep_id: str) -> Row:
    score = number_text(values.scores.get(sleep_id))
    return {"sleepScore": score} if score else {}


def _add_google_sleeps(
    rows: list[Row], values: Values, reasons: Mapping[GapCode, set[int]]
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


def _derive_main_sleeps(rows: Sequence[Row]) -> set[int]:
    """Set the main sleeps that no record names; return the days on which one was set."""
    days: dict[str, list[Row]] = {}
    for row in rows:
        days.setdefault(row["date"], []).append(row)
    derived: set[int] = set()
    for date, sleeps in days.items():
        unknown = [row for row in sleeps if "isMainSleep" not in row]
        for row in unknown:
            row["isMainSleep"] = "False"
            derived.add(day_of(date) or 0)
        if unknown and not any(row["isMainSleep"] == "True" for row in sleeps):
            longest = max(
                unknown,
                key=lambda row: (int(row.get("minutesAsleep", 0)), int(row.get("duration", 0))),
            )
            longest["isMainSleep"] = "True"
    return derived
