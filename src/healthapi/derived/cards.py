"""The metric cards: the latest value of a metric, its means, its goal and where it is heading.

Source: health facts, section 8; health-data rulings on trends.

Invariant *values, not rows*: each window holds the last values that were measured, however old;
the days between them do not count.  The windows of a trend do not overlap.
Invariant *direction is not judgement*: `direction` is of the value, `improving` says whether that
is good.
"""

from itertools import islice
from math import isfinite
from typing import Final, Literal

import attrs

from healthapi.catalog_keys import CARD_METRICS, METRICS, Metric, Tone
from healthapi.derived.goals import Goals
from healthapi.derived.means import is_number, mean, rounded
from healthapi.rows.records import DailyRow, Rows

__all__ = ["Card", "Direction", "Trend", "cards"]

Direction = Literal["up", "down", "flat"]

_WEEK: Final = 7
_MONTH: Final = 30
"""Values in the windows of `avg7` and `avg30`; a trend compares two windows of `_WEEK`."""
_HOUR_MINUTES: Final = 60


@attrs.frozen(repr=False)
class Trend:
    """The mean of the last 7 values against the mean of the 7 values before them.

    Attributes:
        direction: of the value; flat within the metric's tolerance, and where either mean is
            missing.
        improving: whether the change is for the better; None where the direction is flat.
        delta: the change, one decimal; None where either mean is missing.
        percent: the change in percent of the former mean, one decimal; None where that is 0, or
            so near to it that the share is no finite number.

    """

    direction: Direction = "flat"
    improving: bool | None = None
    delta: float | None = None
    percent: float | None = None

    def __str__(self) -> str:
        if self.delta is None:
            return "nothing to compare with"
        share = "" if self.percent is None else f" ({self.percent:+} %)"
        verdict = {True: ", improving", False: ", worsening", None: ""}[self.improving]
        return f"{self.direction} {self.delta:+}{share}{verdict}"

    def __repr__(self) -> str:
        return f"<Trend {self}>"


@attrs.frozen(repr=False)
class Card:
    """A metric at a glance; its members are None where nothing was ever measured.

    Attributes:
        key: key of the metric.
        label: the metric in words.
        unit: what it counts.
        tone: colour family for dashboards.
        latest: the last value, one decimal.
        latest_date: the day of that value.
        avg7: mean of the last 7 values, or of as many as there are; one decimal.
        avg30: likewise of the last 30.
        goal: what the person set out to reach, in `unit`; None where there is no goal.
        trend: where it is heading.

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

    def __repr__(self) -> str:
        if self.latest is None:
            return f"<Card {self.label}: no value>"
        return f"<Card {self.label}: {self.latest} {self.unit} on {self.latest_date}, {self.trend}>"


def cards(daily: Rows[DailyRow], goals: Goals) -> tuple[Card, ...]:
    """Give the eight cards in their order, whatever the data."""
    hours = None if goals.sleep_minutes is None else goals.sleep_minutes / _HOUR_MINUTES
    goal_of = {"sleep_hours": rounded(hours), "steps": goals.daily_steps}
    return tuple(_card(METRICS[key], daily, goal_of.get(key)) for key in CARD_METRICS)


def _card(metric: Metric, daily: Rows[DailyRow], goal: float | None) -> Card:
    recent = _recent(daily, metric.key)
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


def _recent(daily: Rows[DailyRow], key: str) -> list[tuple[str, float]]:
    """Give the last values with their days, the newest first."""
    backwards = zip(reversed(daily.labels), reversed(daily.columns[key]), strict=True)
    return list(islice(((day, cell) for day, cell in backwards if is_number(cell)), _MONTH))


def _trend(metric: Metric, values: list[float]) -> Trend:
    """Compare the newest values with those before them; values are the newest first."""
    current, former = mean(values[:_WEEK]), mean(values[_WEEK : 2 * _WEEK])
    if current is None or former is None:
        return Trend()
    delta = current - former
    change = rounded(delta), _percent(delta, former)
    if abs(delta) <= metric.tolerance:
        return Trend("flat", None, *change)
    rising = delta > 0
    return Trend("up" if rising else "down", rising is (metric.better == "higher"), *change)


def _percent(delta: float, former: float) -> float | None:
    percent = delta / abs(former) * 100 if former else None
    return rounded(percent) if percent is not None and isfinite(percent) else None
