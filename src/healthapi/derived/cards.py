"""Build the metric cards, and the recovery score of the last day.

Invariant *values, not rows*: each window contains the last measured values, however old they are;
days without a value are skipped.  The windows of a trend do not overlap.
Invariant *direction is not improvement*: `direction` is that of the value; `improving` depends on
whether higher or lower values are better.
Invariant *missing parts are skipped*: a part of the score without its measurement, goal or usual
value is excluded from the mean; it is neither 0 nor estimated.
"""

from itertools import islice
from math import inf, isfinite
from statistics import median
from typing import Final, Literal

import attrs

from healthapi.derived.statistics import mean, rounded
from healthapi.keys import CARD_METRICS, METRICS, Metric, Tone
from healthapi.models import DailyRow
from healthapi.rows.rows import Rows, is_number
from status_contracts.primitives import plural

Direction = Literal["up", "down", "flat"]

_WEEK: Final = 7
_MONTH: Final = 30
"""Values in the windows of `avg7` and `avg30`; a trend compares two windows of `_WEEK`."""


@attrs.frozen
class Goals:
    """Minutes asleep a night and steps a day; None if there is no goal or it is unknown."""

    sleep_minutes: int | None = None
    daily_steps: int | None = None


@attrs.frozen
class Trend:
    """The mean of the last 7 values compared with the mean of the 7 values before them.

    Attributes:
        direction: Direction of the value; flat within the metric's tolerance, and if either mean
            is missing.
        improving: Whether the change is an improvement; None if the direction is flat.
        delta: The change, one decimal; None if either mean is missing.
        percent: The change in percent of the earlier mean, one decimal; None if that mean is 0 or
            so close to 0 that the quotient is not finite.

    """

    direction: Direction = "flat"
    improving: bool | None = None
    delta: float | None = None
    percent: float | None = None


@attrs.frozen
class Card:
    """A summary of one metric; its values are None if the metric was never measured.

    Attributes:
        latest: The last value, one decimal.
        latest_date: The day of that value.
        avg7: Mean of the last 7 values, or of all if there are fewer; one decimal.
        avg30: Mean of the last 30, likewise.
        goal: The person's goal in `unit`; None if there is no goal.

    """

    key: str
    label: str
    unit: str
    tone: Tone
    latest: float | None
    latest_date: str | None
    avg7: float | None
    avg30: float | None
    goal: float | None
    trend: Trend


def build_cards(daily: Rows[DailyRow], goals: Goals) -> tuple[Card, ...]:
    """Return the eight cards in their order, whether or not there are data."""
    hours = None if goals.sleep_minutes is None else goals.sleep_minutes / 60
    goal_of = {"sleep_hours": rounded(hours), "steps": goals.daily_steps}
    return tuple(_card(METRICS[key], daily, goal_of.get(key)) for key in CARD_METRICS)


def _card(metric: Metric, daily: Rows[DailyRow], goal: float | None) -> Card:
    recent = recent_values(daily, metric.key, _MONTH)
    values = [value for _, value in recent]
    latest_date, latest = recent[0] if recent else (None, None)
    return Card(
        key=metric.key,
        label=metric.label,
        unit=metric.unit,
        tone=metric.tone,
        latest=rounded(latest),
        latest_date=latest_date,
        avg7=rounded(mean(values[:_WEEK])),
        avg30=rounded(mean(values)),
        goal=goal,
        trend=_trend(metric, values),
    )


def recent_values(daily: Rows[DailyRow], key: str, count: int) -> list[tuple[str, float]]:
    """Return the last values with their days, newest first."""
    backwards = zip(reversed(daily.labels), reversed(daily.cells[key]), strict=True)
    return list(islice(((day, cell) for day, cell in backwards if is_number(cell)), count))


def _trend(metric: Metric, values: list[float]) -> Trend:
    """Compare the newest values with those before them; `values` begin with the newest."""
    current, former = mean(values[:_WEEK]), mean(values[_WEEK : 2 * _WEEK])
    if current is None or former is None:
        return Trend()
    delta = current - former
    percent = delta / abs(former) * 100 if former else inf
    change = rounded(delta), rounded(percent) if isfinite(percent) else None
    if abs(delta) <= metric.tolerance:
        return Trend("flat", None, *change)
    rising = delta > 0
    return Trend("up" if rising else "down", rising is (metric.better == "higher"), *change)


RecoveryKey = Literal["good", "stable", "watch", "rest", "waiting_for_data"]

RECOVERY_LABELS: Final[dict[RecoveryKey, str]] = {
    "good": "good",
    "stable": "stable",
    "watch": "fair",
    "rest": "rest",
    "waiting_for_data": "waiting for data",
}
"""Key of a recovery state to its label."""

RECOVERY_THRESHOLDS: Final[dict[RecoveryKey, int]] = {"good": 80, "stable": 65, "watch": 50}
"""Least score, after rounding, of each state; lower scores are `rest`."""
_USUAL_ROWS: Final = 30
_FEW_DAYS: Final = 7  # besides the last one
ONE_PART: Final = " From one part only."  # then no word is said of a score
_USUAL_SCORE, _POINTS_PER_BEAT = 50, 6
_LEVELS: Final = [f"{RECOVERY_LABELS[key]} from {n}" for key, n in RECOVERY_THRESHOLDS.items()]
RECOVERY_TEXT: Final = (
    f"The score is the mean of its parts. Heart rates count {_USUAL_SCORE} at their median of up to"
    f" {_USUAL_ROWS} days, so a score can be low while all values are usual."
    f" {', '.join(_LEVELS).capitalize()}, below that: rest."
)
"""What a recovery score says, for readers: how parts count, and its states, the best first."""


@attrs.frozen
class Recovery:
    """The score of the last day, 0 to 100 (None without any part), its state and label."""

    score: int | None
    label_key: RecoveryKey
    label: str


def build_recovery(daily: Rows[DailyRow], goals: Goals) -> Recovery:
    """Return the recovery of the last daily row, even if an earlier row has more measurements."""
    parts = recovery_parts(daily, goals)
    score = mean([points for points, *_ in parts.values()])
    if score is None:
        return Recovery(None, "waiting_for_data", RECOVERY_LABELS["waiting_for_data"])
    shown = round(score)
    states = (key for key, least in RECOVERY_THRESHOLDS.items() if shown >= least)
    key: RecoveryKey = next(states, "rest")
    return Recovery(shown, key, RECOVERY_LABELS[key])


def recovery_parts(daily: Rows[DailyRow], goals: Goals) -> dict[str, tuple[float, ...]]:
    """Return the parts of the last row's score by metric: points, value, and goal or median."""
    sleep_score, asleep = _last(daily, "sleep_score"), _last(daily, "minutes_asleep")
    hrv, usual_hrv = _last(daily, "hrv"), _usual(daily, "hrv")
    rhr, usual_rhr = _last(daily, "rhr"), _usual(daily, "rhr")
    parts: dict[str, tuple[float, ...]] = {}
    if sleep_score is not None:
        parts["sleep_score"] = sleep_score, sleep_score
    if asleep is not None and (goal := goals.sleep_minutes):
        parts["sleep_hours"] = asleep / goal * 100, asleep / 60, goal / 60
    if hrv is not None and usual_hrv:
        parts["hrv"] = _USUAL_SCORE + (hrv - usual_hrv) / usual_hrv * 100, hrv, usual_hrv
    if rhr is not None and usual_rhr:
        parts["rhr"] = _USUAL_SCORE - _POINTS_PER_BEAT * (rhr - usual_rhr), rhr, usual_rhr
    return {key: (min(max(points, 0.0), 100.0), *rest) for key, (points, *rest) in parts.items()}


def caveats(daily: Rows[DailyRow], goals: Goals) -> str:
    """Return sentences, each after a space, where a score is of one part or of few days."""
    only = ONE_PART if len(recovery_parts(daily, goals)) == 1 else ""
    known = (daily.cells[key] for key in ("hrv", "rhr") if _last(daily, key) is not None)
    counts = (sum(map(is_number, cells[-_USUAL_ROWS:])) for cells in known)
    others = max(counts, default=_USUAL_ROWS) - 1
    if others == 0:
        return f"{only} There are no heart rates of other days to compare with yet."
    compared = f" Compared with the heart rates of only {plural(others, 'other day')}."
    return f"{only}{compared if others < _FEW_DAYS else ''}"


def _last(daily: Rows[DailyRow], key: str) -> float | None:
    last = daily.cells[key][-1] if daily else None
    return last if is_number(last) else None


def _usual(daily: Rows[DailyRow], key: str) -> float | None:
    """Return the median of the last 30 rows, including the last one."""
    recent = [cell for cell in daily.cells[key][-_USUAL_ROWS:] if is_number(cell)]
    return median(recent) if recent else None
