"""The row classes of every dataset.

Dates are ISO text (`2026-01-31`), minutes are minutes, `hrv` and `deep_rmssd` milliseconds (RMSSD),
`rhr` beats a minute, `*_pct` percent.

Invariant *missing is not zero*: what was not measured is None, also on a date on which its dataset
has no row; JSON then leaves the member out.
"""

from collections.abc import Mapping
from typing import Final

import attrs


@attrs.frozen
class ActivityRow:
    """The activity of a date, as in the activity file."""

    date: str
    steps: int | None = None
    sedentary_minutes: int | None = None
    activity_calories: int | None = None
    calories_out: int | None = None
    lightly_active_minutes: int | None = None
    fairly_active_minutes: int | None = None
    very_active_minutes: int | None = None
    active_zone_minutes: int | None = None
    active_minutes: int | None = None
    exercise_examples: str | None = None


@attrs.frozen
class SleepLog:
    """One recorded sleep, a main sleep or a nap; `duration` is in ms."""

    date: str
    log_id: str | None = None
    is_main_sleep: bool = False
    duration: int | None = None
    minutes_asleep: int | None = None
    minutes_awake: int | None = None
    time_in_bed: int | None = None
    efficiency: int | None = None
    sleep_score: float | None = None
    minutes_deep: int | None = None
    minutes_rem: int | None = None
    minutes_light: int | None = None
    minutes_wake_stages: int | None = None
    minutes_to_fall_asleep: int | None = None
    minutes_after_wakeup: int | None = None
    start_time: str | None = None
    end_time: str | None = None


@attrs.frozen
class SleepRow:
    """The sleep of a date: its main sleep, or its best nap if it has no main sleep.

    Attributes:
        nap_count: Number of naps of the date.
        sleep_hours: Hours asleep, one decimal; JSON leaves it out if `minutes_asleep` is None.
        deep_pct: Share of deep sleep in percent, one decimal; JSON leaves it out if it is unknown.
        rem_pct: Share of REM sleep, likewise.

    """

    date: str
    is_main_sleep: bool
    minutes_asleep: int | None
    minutes_awake: int | None
    time_in_bed: int | None
    efficiency: int | None
    sleep_score: float | None
    minutes_deep: int | None
    minutes_rem: int | None
    minutes_light: int | None
    minutes_wake_stages: int | None
    minutes_to_fall_asleep: int | None
    minutes_after_wakeup: int | None
    start_time: str | None
    end_time: str | None
    nap_count: int
    sleep_hours: float | None = None
    deep_pct: float | None = None
    rem_pct: float | None = None


@attrs.frozen
class HrvRow:
    """Heart rate variability of a date: of the night, and of deep sleep."""

    date: str
    hrv: float | None = None
    deep_rmssd: float | None = None


@attrs.frozen
class RhrRow:
    """Resting heart rate of a date."""

    date: str
    rhr: int | None = None


@attrs.frozen
class DailyRow(ActivityRow):
    """All datasets of a date; JSON leaves out the members of a dataset without a row on it."""

    is_main_sleep: bool | None = None
    minutes_asleep: int | None = None
    minutes_awake: int | None = None
    time_in_bed: int | None = None
    efficiency: int | None = None
    sleep_score: float | None = None
    minutes_deep: int | None = None
    minutes_rem: int | None = None
    minutes_light: int | None = None
    minutes_wake_stages: int | None = None
    minutes_to_fall_asleep: int | None = None
    minutes_after_wakeup: int | None = None
    start_time: str | None = None
    end_time: str | None = None
    nap_count: int | None = None
    sleep_hours: float | None = None
    deep_pct: float | None = None
    rem_pct: float | None = None
    hrv: float | None = None
    deep_rmssd: float | None = None
    rhr: int | None = None


@attrs.frozen
class PeriodRow:
    """Means over the daily rows of a week (`2026-W05`) or a month (`2026-01`).

    A mean is None if no day of the period has a value.
    """

    period: str
    days: int
    sleep_score: float | None = None
    sleep_hours: float | None = None
    hrv: float | None = None
    rhr: float | None = None
    steps: float | None = None
    active_minutes: float | None = None
    active_zone_minutes: float | None = None
    calories_out: float | None = None


NEVER_NULL: Final[Mapping[type, tuple[str, ...]]] = {
    SleepRow: ("sleep_hours", "deep_pct", "rem_pct"),
    DailyRow: ("is_main_sleep", "nap_count", "sleep_hours", "deep_pct", "rem_pct"),
}
"""Row to its members that JSON leaves out wherever they are None."""
