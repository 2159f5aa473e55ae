"""Compute the recovery score of the last day.

Invariant *missing parts are skipped*: a part without its measurement, goal or usual value is
excluded from the mean; it is neither 0 nor estimated.

Contract: HA-RECOVERY-01 to 11.
"""

from statistics import median
from typing import Final, Literal

import attrs

from healthapi.derived.arithmetic import mean
from healthapi.derived.cards import Goals
from healthapi.rows.records import DailyRow, Rows, is_number, number_or_none

RecoveryKey = Literal["good", "stable", "watch", "rest", "waiting_for_data"]

RECOVERY_LABELS: Final[dict[RecoveryKey, str]] = {
    "good": "good",
    "stable": "stable",
    "watch": "fair",
    "rest": "rest",
    "waiting_for_data": "waiting for data",
}
"""Key of a recovery state to its label."""

_THRESHOLDS: Final[tuple[tuple[int, RecoveryKey], ...]] = (
    (80, "good"),
    (65, "stable"),
    (50, "watch"),
)
"""Least score, after rounding, of each state; lower scores are `rest`."""
_USUAL_ROWS: Final = 30
_MAX_SCORE: Final = 100.0
_USUAL_SCORE: Final = 50
"""The score of a heart rate at its usual value."""
_POINTS_PER_BEAT: Final = 6


@attrs.frozen(repr=False)
class Recovery:
    """The score of the last day, 0 to 100 (None without any part), its state and label."""

    score: int | None
    label_key: RecoveryKey
    label: str

    def __repr__(self) -> str:
        return f"<Recovery {self.label if self.score is None else f'{self.score}, {self.label}'}>"


def build_recovery(daily: Rows[DailyRow], goals: Goals) -> Recovery:
    """Return the recovery of the last daily row, even if an earlier row has more measurements."""
    parts = _parts(daily, goals).values()
    score = mean([min(max(part, 0.0), _MAX_SCORE) for part in parts])
    if score is None:
        return Recovery(None, "waiting_for_data", RECOVERY_LABELS["waiting_for_data"])
    shown = round(score)
    key: RecoveryKey = next((key for least, key in _THRESHOLDS if shown >= least), "rest")
    return Recovery(shown, key, RECOVERY_LABELS[key])


def name_parts(daily: Rows[DailyRow], goals: Goals) -> tuple[str, ...]:
    """Return the names of what the score of the last daily row was formed from."""
    return tuple(_parts(daily, goals))


def _parts(daily: Rows[DailyRow], goals: Goals) -> dict[str, float]:
    """Return the parts of the score by name, before they are limited to 0 to 100."""
    sleep_score, asleep = _last(daily, "sleep_score"), _last(daily, "minutes_asleep")
    hrv, usual_hrv = _last(daily, "hrv"), _usual(daily, "hrv")
    rhr, usual_rhr = _last(daily, "rhr"), _usual(daily, "rhr")
    parts: dict[str, float] = {}
    if sleep_score is not None:
        parts["sleep score"] = sleep_score
    if asleep is not None and goals.sleep_minutes:
        parts["sleep against the goal"] = asleep / goals.sleep_minutes * 100
    if hrv is not None and usual_hrv:
        parts["heart rate variability"] = _USUAL_SCORE + (hrv - usual_hrv) / usual_hrv * 100
    if rhr is not None and usual_rhr:
        parts["resting heart rate"] = _USUAL_SCORE - _POINTS_PER_BEAT * (rhr - usual_rhr)
    return parts


def _last(daily: Rows[DailyRow], key: str) -> float | None:
    return number_or_none(daily.columns[key][-1]) if daily else None


def _usual(daily: Rows[DailyRow], key: str) -> float | None:
    """Return the median of the last 30 rows, including the last one."""
    recent = [cell for cell in daily.columns[key][-_USUAL_ROWS:] if is_number(cell)]
    return median(recent) if recent else None
