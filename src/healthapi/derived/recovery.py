"""How well a person has recovered: one score of the last day.

Source: health facts, section 10; health-data rulings on naps (a nap is no night).

Invariant *what is missing does not count*: a part without its measurement, its goal or its usual
value is left out of the mean; it is neither 0 nor guessed.
"""

from collections.abc import Iterator
from typing import Final, Literal

import attrs

from healthapi.derived.goals import Goals
from healthapi.derived.means import is_number, mean, median
from healthapi.rows.records import DailyRow, Rows

__all__ = ["RECOVERY_LABELS", "Recovery", "RecoveryKey", "recovery"]

RecoveryKey = Literal["good", "stable", "watch", "rest", "waiting_for_data"]

RECOVERY_LABELS: Final[dict[RecoveryKey, str]] = {
    "good": "good",
    "stable": "stable",
    "watch": "watch",
    "rest": "rest",
    "waiting_for_data": "waiting for data",
}
"""Key of a state of recovery to the state in words."""

_LEAST: Final[tuple[tuple[int, RecoveryKey], ...]] = ((80, "good"), (65, "stable"), (50, "watch"))
"""The least score, after it is rounded, of each state; below all of them is `rest`."""
_USUAL_ROWS: Final = 30
_HIGHEST: Final = 100.0
_MIDDLE: Final = 50
"""The score of a heart that beats as usual."""
_POINTS_PER_BEAT: Final = 6


@attrs.frozen(repr=False)
class Recovery:
    """The score of the last day, 0 to 100 (None: nothing to judge by), and what it means."""

    score: int | None
    label_key: RecoveryKey
    label: str

    def __repr__(self) -> str:
        return f"<Recovery {self.label if self.score is None else f'{self.score}, {self.label}'}>"


def recovery(daily: Rows[DailyRow], goals: Goals) -> Recovery:
    """Judge the last daily row; a day with few measurements is not replaced by one with more."""
    score = mean([min(max(part, 0.0), _HIGHEST) for part in _parts(daily, goals)])
    if score is None:
        return Recovery(None, "waiting_for_data", RECOVERY_LABELS["waiting_for_data"])
    shown = round(score)
    key: RecoveryKey = next((key for least, key in _LEAST if shown >= least), "rest")
    return Recovery(shown, key, RECOVERY_LABELS[key])


def _parts(daily: Rows[DailyRow], goals: Goals) -> Iterator[float]:
    """Give the parts of the score, before they are brought to 0 to 100."""
    sleep_score, asleep = _last(daily, "sleep_score"), _last(daily, "minutes_asleep")
    hrv, usual_hrv = _last(daily, "hrv"), _usual(daily, "hrv")
    rhr, usual_rhr = _last(daily, "rhr"), _usual(daily, "rhr")
    if sleep_score is not None:
        yield sleep_score
    if asleep is not None and goals.sleep_minutes:
        yield asleep / goals.sleep_minutes * 100
    if hrv is not None and usual_hrv:
        yield _MIDDLE + (hrv - usual_hrv) / usual_hrv * 100
    if rhr is not None and usual_rhr:
        yield _MIDDLE - _POINTS_PER_BEAT * (rhr - usual_rhr)


def _last(daily: Rows[DailyRow], key: str) -> float | None:
    cell = daily.columns[key][-1] if daily else None
    return cell if is_number(cell) else None


def _usual(daily: Rows[DailyRow], key: str) -> float | None:
    """Give the median of the last rows, the last one among them."""
    return median([cell for cell in daily.columns[key][-_USUAL_ROWS:] if is_number(cell)])
