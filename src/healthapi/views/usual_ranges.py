"""Build what a page says and draws beyond the values: one sentence, usual ranges, scales, months.

The sentence compares the last values of each metric with the person's own usual range.  It states
numbers only: no norm, no diagnosis, no advice.

Invariant *said once*: pages draw these ranges and scales, and compute none themselves.
Invariant *true for long*: besides the sentence in the present tense there is one that names the
day, for a reader who comes later.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import islice
from typing import Any, Final

import attrs

from healthapi.derived.cards import Goals, name_parts
from healthapi.derived.statistics import (
    GROWING,
    LEAST_VALUES,
    RANGE_VALUES,
    Range,
    Side,
    count_days_outside,
    find_range,
    find_scale,
)
from healthapi.keys import CARD_METRICS, METRICS, Metric
from healthapi.models import DailyRow, PeriodRow
from healthapi.rows.rows import Rows, is_number
from status_contracts.days import parse_day, shift
from status_contracts.svg.labels import format_day

RUN_DAYS: Final = 3
"""Days outside of the usual range from which on a metric is named."""
NAMED: Final = 3
"""Metrics that are named; further ones are counted."""
RANGES: Final = (30, 90, 365)
"""Days that a reader can choose to see."""

_RECENT_DAYS: Final = 2
_WORDS: Final = (
    *("zero", "one", "two", "three", "four", "five"),
    *("six", "seven", "eight", "nine"),
)
"""A tenth of the values of a range, at most nine, are below it, so that no run is longer."""


@attrs.frozen
class Sentence:
    """A statement about the last values: as of now, and for a reader who comes later.

    Attributes:
        now: in the present tense; true as long as the last day with data is today or yesterday.
        then: in the past tense with the last day with data; always true.

    """

    now: str
    then: str


@attrs.frozen
class Comparison:
    """A metric with its usual range, and its last value beside it.

    Attributes:
        usual: None where there are too few values.
        is_recent: whether it has a value on the last day with data, or the day before it.
        side: on which side of the range the last value is; None within, or without a range.
        days: for how many days, one after the other.

    """

    metric: Metric
    usual: Range | None
    is_recent: bool
    side: Side | None = None
    days: int = 0


def compare_with_usual(daily: Rows[DailyRow], *, is_partial: bool) -> tuple[Comparison, ...]:
    """Compare the last values of each metric with a card, in the order of the cards.

    `is_partial` states whether the last day was not over when the data were written.
    """
    return tuple(_compare(METRICS[key], daily, is_partial=is_partial) for key in CARD_METRICS)


def _compare(metric: Metric, daily: Rows[DailyRow], *, is_partial: bool) -> Comparison:
    end = len(daily) - (is_partial and metric.key in GROWING)
    labels, cells = daily.labels[:end], daily.cells[metric.key][:end]
    backwards = zip(reversed(labels), reversed(cells), strict=True)
    present = ((day, round(cell, metric.decimals)) for day, cell in backwards if is_number(cell))
    recent = list(islice(present, RANGE_VALUES))[::-1]
    days, values = [parse_day(day) for day, _ in recent], [value for _, value in recent]
    usual = find_range(values, metric.decimals)
    is_recent = bool(days) and (parse_day(daily.labels[-1]) - days[-1]).days < _RECENT_DAYS
    if usual is None or not is_recent:
        return Comparison(metric, usual, is_recent)
    return Comparison(metric, usual, is_recent, *count_days_outside(days, values, usual))


def describe_last_values(comparisons: Sequence[Comparison], last_day: date) -> Sentence:
    """Return the sentence about comparisons on the last day with data.

    Metrics that are outside of their usual range for at least `RUN_DAYS` days are named, the
    longest run first; metrics without a range are not named, and not called usual.
    """
    known = [comparison for comparison in comparisons if comparison.usual is not None]
    if not known:
        text = f"There is no usual range yet: it takes {LEAST_VALUES} values of a metric."
        return Sentence(text, text)
    recent = [comparison for comparison in known if comparison.is_recent]
    if not recent:
        text = "No metric with a usual range has a value on the last two days."
        return Sentence(text, text)
    missing = [name_of(comparison.metric) for comparison in known if not comparison.is_recent]
    if more := len(missing[NAMED:]):
        missing[NAMED:] = [f"{_WORDS[more]} more"]
    rest = f" Without a value on the last two days: {_join(missing)}." if missing else ""
    within = "all", "all was"
    if any(comparison.is_recent and comparison.usual is None for comparison in comparisons):
        within = "what can be compared is", "what can be compared was"
    elif missing:
        within = "what was measured is", "what was measured was"
    now = _statement(recent, within[0], "is", "are")
    then = _statement(recent, within[1], "was", "were")
    return Sentence(
        f"{now[0].upper()}{now[1:]}.{rest}", f"As of {format_day(last_day)}, {then}.{rest}"
    )


def _statement(recent: Sequence[Comparison], within: str, one: str, many: str) -> str:
    """Return the statement about metrics with recent values.

    `within` is its start where none is outside; `one` and `many` are the verb of other ones.
    """
    runs = sorted(
        (comparison for comparison in recent if comparison.days >= RUN_DAYS),
        key=lambda comparison: -comparison.days,
    )
    if not runs:
        if any(comparison.side for comparison in recent):
            days = _WORDS[RUN_DAYS - 1]
            return f"nothing {one} outside your usual range for more than {days} days"
        return f"{within} within your usual range"
    parts: list[str] = []
    for comparison in islice(runs, NAMED):
        # What is counted has a name in the plural: steps, minutes, calories.
        verb = one if comparison.metric.decimals else many
        place = "it" if parts else "your usual range"
        subject = f"{name_of(comparison.metric)} {verb} {comparison.side} {place}"
        parts.append(f"{subject} for {_WORDS[comparison.days]}{'' if parts else ' days'}")
    if more := len(runs) - len(parts):
        parts.append(f"{_WORDS[more]} more {one if more == 1 else many} outside it")
    return _join(parts, comma=True)


def name_of(metric: Metric) -> str:
    """Return the name of a metric inside of a sentence."""
    return "HRV" if metric.key == "hrv" else metric.label.lower()


def _join(parts: Sequence[str], *, comma: bool = False) -> str:
    """Join parts as a list; parts that are clauses have a comma before the last, too."""
    *first, last = parts
    if not first:
        return last
    return f"{', '.join(first)}{',' if comma or len(first) > 1 else ''} and {last}"


def build_view(
    daily: Rows[DailyRow],
    monthly: Rows[PeriodRow],
    goals: Goals,
    *,
    is_partial: bool,
    partial_months: Sequence[str],
) -> dict[str, Any]:
    """Return what a page shows beyond the resources of the API, plain values; {} without a day.

    `is_partial` states whether the last day was not over when the data were written; for
    `partial_months` see `Profile.partial_periods`.
    """
    if not daily:
        return {}
    first, latest = parse_day(daily.labels[0]), parse_day(daily.labels[-1])
    comparisons = compare_with_usual(daily, is_partial=is_partial)
    starts = {str(days): shift(latest, timedelta(1 - days)) for days in RANGES}
    scales = {days: _scales(comparisons, daily, str(start)) for days, start in starts.items()}
    view: dict[str, Any] = {
        "sentence": attrs.asdict(describe_last_values(comparisons, latest)),
        "usual": {
            comparison.metric.key: _ends(comparison.usual)
            for comparison in comparisons
            if comparison.usual
        },
        "recovery": name_parts(daily, goals),
        "unfinished": sorted(GROWING) if is_partial else [],
        "scales": scales,
    }
    if (latest - first).days >= RANGES[-1]:
        scales["all"] = _scales(comparisons, monthly, "")
        view["months"] = {
            "points": [
                {name: row[name] for name in ("period", *CARD_METRICS)} for row in monthly.plain()
            ],
            "partial": list(partial_months),
        }
    return view


def _scales(
    comparisons: Sequence[Comparison], rows: Rows[DailyRow] | Rows[PeriodRow], first: str
) -> dict[str, Any]:
    """Return the ends of the lane of each metric that has a value from a day or month on."""
    start = bisect_left(rows.labels, first)
    scales = {}
    for comparison in comparisons:
        cells, decimals = rows.cells[comparison.metric.key][start:], comparison.metric.decimals
        shown = [round(cell, decimals) for cell in cells if is_number(cell)]
        scale = find_scale(shown, comparison.usual, decimals)
        if scale is not None:
            scales[comparison.metric.key] = _ends(scale)
    return scales


def _ends(interval: Range) -> tuple[float, float]:
    """Return both ends, whole numbers without a fraction."""
    low, high = (int(end) if end == int(end) else end for end in (interval.low, interval.high))
    return low, high
