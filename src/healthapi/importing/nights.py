"""Form the rows of the sleep table.

Invariant *each log once*: records that repeat at the edges of files, or in several archives, have
the same id and are one row.
"""

from typing import Final

from healthapi.importing.gaps import Gap, blank_gaps
from healthapi.importing.numbers import number_text
from healthapi.importing.table_columns import Row
from healthapi.importing.times import DAY_MINUTES, day_of
from healthapi.importing.values import Values

__all__ = ["form_sleep", "sleep_order"]

_STAGES: Final = ("minutesDeep", "minutesREM", "minutesLight", "minutesWakeStages")


def sleep_order(row: Row) -> tuple[str, bool, str]:
    """Return the sort key of a row: by date, the main sleep first, then by its start."""
    return row["date"], row.get("isMainSleep", "").lower() != "true", row.get("startTime", "")


def form_sleep(values: Values) -> tuple[list[Row], list[Gap]]:
    """Return the rows, ascending by date with the main sleep first, and the gaps."""
    rows: list[Row] = []
    for log_id, sleep in sorted(values.sleeps.items()):
        score = number_text(values.scores.get(log_id))
        rows.append({**sleep.cells, "sleepScore": score} if score else dict(sleep.cells))
    rows.sort(key=sleep_order)
    classic = {sleep.day for sleep in values.sleeps.values() if not sleep.has_stages}
    without_score = {
        sleep.day for log_id, sleep in values.sleeps.items() if log_id not in values.scores
    }
    without_flag = {
        sleep.day for sleep in values.sleeps.values() if "isMainSleep" not in sleep.cells
    }
    gaps = blank_gaps(
        "sleep",
        rows,
        {
            **{column: {"sleep.classic": classic} for column in _STAGES},
            "sleepScore": {"sleep.no-score": without_score},
            "isMainSleep": {"sleep.no-main-flag": without_flag},
        },
    )
    nights = {(end + offset) // DAY_MINUTES for end, offset in values.google_nights.items()}
    known = {day_of(row["date"]) for row in rows}
    lost = tuple(sorted(nights - known))
    return rows, [*([Gap("sleep", "", "sleep.google-only", lost)] if lost else []), *gaps]
