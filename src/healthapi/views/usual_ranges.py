"""Build what a page says and draws beyond the values: one sentence, usual ranges, scales, months.

The sentence says which last values are outside of the person's own usual range.  It states
numbers only: no norm, no diagnosis, no advice.

Invariant *said once*: pages draw these ranges and scales, and compute none themselves.
Invariant *true for long*: besides the sentence in the present tense there is one that names the
day, for a reader who comes later.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from itertools import compress, groupby, pairwise
from operator import attrgetter
from typing import Any, Final

import attrs

from healthapi.chart_lines import format_value, format_with_unit
from healthapi.derived import statistics
from healthapi.derived.cards import RECOVERY_TEXT, Goals, caveats, recent_values, recovery_parts
from healthapi.derived.periods import build_period_rows, exact_sleep, find_few_days
from healthapi.keys import CARD_METRICS, SHOWN, Granularity, Metric
from healthapi.models import DailyRow
from healthapi.rows.rows import Rows, is_number
from status_contracts.days import parse_day, shift
from status_contracts.svg.labels import format_day

RUN_DAYS: Final = 3
"""Days outside of the usual range from which on their number is said."""
RANGES: Final = (30, 90, 365)
"""Days that a reader can choose to see."""


@attrs.frozen
class Comparison:
    """A metric with its usual range, and its last value beside it.

    Attributes:
        usual: None where there are too few values.
        since: day of the first value of the range; None without a value.
        day: day of the last value, likewise.
        side: on which side of the range the last value is; None within, or without a range.
        days: for how many days, one after the other.

    """

    metric: Metric
    usual: statistics.Range | None
    since: date | None
    day: date | None
    side: statistics.Side | None
    days: int

    def is_recent(self, last_day: date) -> bool:
        """Return whether the last value is that of the last day with data, or the day before."""
        return self.day is not None and (last_day - self.day).days <= 1


def compare_with_usual(metric: Metric, daily: Rows[DailyRow]) -> Comparison:
    """Compare the last values of a metric, which is without decimals if all values are whole."""
    recent = recent_values(daily, metric.key, statistics.RANGE_VALUES)[::-1]
    days = [parse_day(day) for day, _ in recent]
    values = [round(value, metric.decimals) for _, value in recent]
    measured = filter(is_number, daily.cells[metric.key])
    if not any(round(value, metric.decimals) % 1 for value in measured) and metric.decimals == 1:
        metric = attrs.evolve(metric, decimals=0)
    usual = statistics.find_range(values, metric.decimals)
    since, day = (days[0], days[-1]) if days else (None, None)
    side, run = statistics.count_days_outside(days, values, usual) if usual else (None, 0)
    return Comparison(metric, usual, since, day, side, run)


def describe_last_values(comparisons: Sequence[Comparison], last_day: date) -> dict[str, str]:
    """Return the sentence about comparisons on the last day with data, in two tenses.

    Metrics outside of their usual range are named, those above it first, the longest run first.
    The day of those that are not of the last one follows them.  Where nothing is outside, all
    recent values that have a range are usual.
    `now` is in the present tense: true as long as the last day with data is today or yesterday.
    `then` names the day.
    """
    known = [comparison for comparison in comparisons if comparison.usual is not None]
    recent = [comparison for comparison in known if comparison.is_recent(last_day)]
    old = [comparison for comparison in known if comparison not in recent]
    if not recent:
        text = (
            f"There is no usual range yet: it takes {statistics.LEAST_VALUES} values of a metric."
        )
        if known:
            since = max(comparison.day for comparison in old if comparison.day)
            text = f"No metric with a usual range has a complete value after {format_day(since)}."
        return {"now": text, "then": text}
    now = then = _name_outside(recent, last_day)
    if not now:
        values, where = "all recent values" if old else "all values", "the usual range"
        if any(entry.usual is None and entry.is_recent(last_day) for entry in comparisons):
            values, where = f"{values} with a usual range", "it"
        now, then = (f"{values} {verb} within {where}" for verb in ("are", "were"))
    return {"now": f"{now[0].upper()}{now[1:]}.", "then": f"As of {format_day(last_day)}, {then}."}


def _name_outside(recent: Sequence[Comparison], last_day: date) -> str:
    """Return which metrics are above and below, `above the usual range: steps`; "" for none."""
    parts: list[str] = []
    for side in ("above", "below"):
        outside = [comparison for comparison in recent if comparison.side == side]
        outside.sort(key=lambda comparison: (comparison.day != last_day, -comparison.days))
        groups = [_name_runs([*same], last_day) for _, same in groupby(outside, attrgetter("day"))]
        if groups:
            listed = "; ".join(groups)
            parts.append(f"Below it: {listed}" if parts else f"{side} the usual range: {listed}")
    return ". ".join(parts)


def _name_runs(outside: Sequence[Comparison], last_day: date) -> str:
    """Return `steps for 3 days; sleep` of one day, which is named where it is not the last."""
    runs = [f" for {one.days} days" * (one.days >= RUN_DAYS) for one in outside]
    names = [f"{one.metric.label.lower()}{run}" for one, run in zip(outside, runs, strict=True)]
    if (day := outside[0].day) and day < last_day:
        names[-1] += f" {'to' if runs[-1] else 'on'} {format_day(day, has_year=False)}"
    return ("; " if any(runs) else ", ").join(names)


def with_exact_sleep(daily: Rows[DailyRow]) -> Rows[DailyRow]:
    """Return the rows with hours of sleep to the minute, not in tenths."""
    return Rows(daily.key, DailyRow, {**daily.cells, "sleep_hours": exact_sleep("daily", daily)})


def build_view(
    daily: Rows[DailyRow], goals: Goals, partial_periods: Callable[[Granularity], Sequence[str]]
) -> dict[str, Any]:
    """Return what a page shows beyond the resources of the API, plain values; {} without a day.

    It begins with the first day that has a value.  For `partial_periods` see `Profile`.
    """
    if not daily:
        return {}
    is_partial = bool(partial_periods("daily"))
    values = zip(*(daily.cells[key] for key in CARD_METRICS), strict=True)
    start = next((n for n, row in enumerate(values) if any(map(is_number, row))), 0)
    daily = with_exact_sleep(daily[start:])
    over = {key: (*daily.cells[key][:-1], None) for key in statistics.GROWING} if is_partial else {}
    closed = Rows(daily.key, DailyRow, {**daily.cells, **over})
    first, latest = parse_day(daily.labels[0]), parse_day(daily.labels[-1])
    comparisons = [compare_with_usual(SHOWN[key], closed) for key in CARD_METRICS]
    starts = {str(days): max(first, shift(latest, timedelta(1 - days))) for days in RANGES}
    usual = {entry.metric.key: entry.usual for entry in comparisons if entry.usual}
    scales = {days: _scales(usual, closed, str(start)) for days, start in starts.items()}
    shown = {entry.metric.key: entry.metric for entry in comparisons}
    parts = sorted(recovery_parts(daily, goals).items(), key=lambda part: part[1][0])
    view: dict[str, Any] = {
        "start": daily.labels[0],
        "sentence": describe_last_values(comparisons, latest),
        "usual": {key: attrs.astuple(interval) for key, interval in usual.items()},
        "decimals": {key: metric.decimals for key, metric in shown.items()},
        "since": {entry.metric.key: str(entry.since) for entry in comparisons if entry.usual},
        "outside": {entry.metric.key: entry.side for entry in comparisons if entry.side},
        "parts": [_part(shown[key], *part) for key, part in parts],
        "caveats": caveats(daily, goals),
        "score": RECOVERY_TEXT,
        "unfinished": sorted(statistics.GROWING.intersection(CARD_METRICS)) if is_partial else [],
        "scales": scales,
        "gaps": {key: _gaps(daily, day) for key, day in {**starts, "all": first}.items()},
    }
    if (latest - first).days >= RANGES[-1]:
        monthly = build_period_rows("monthly", daily, SHOWN)
        few = find_few_days("monthly", daily, "date")["date"]
        partial = sorted(few.union(partial_periods("monthly")))
        # A range of days says nothing about months.
        scales["all"] = _scales({}, monthly, "", partial)
        view["months"] = {"points": monthly.plain(), "partial": partial}
    return view


def _part(metric: Metric, points: float, value: float, *others: float) -> tuple[str, str, str]:
    """Return a part of a score: its name, points, and what is compared: `78 bpm, median 75.5`."""
    name = "goal" if metric.key == "sleep_hours" else "median"
    values = [format_value(metric, n, 1 if n % 1 else metric.decimals) for n in others]
    compared = f"{format_with_unit(metric, value)}, {name} {values[0]}" if values else ""
    return metric.label, f"{points:.0f}" if others else format_value(metric, points), compared


def _gaps(daily: Rows[DailyRow], start: date) -> dict[str, dict[str, Any]]:
    """Return the days of each metric without a value since its first, and the longest run."""
    days = [parse_day(label).toordinal() for label in daily.labels]
    gaps = {}
    for key in CARD_METRICS:
        known = [*compress(days, map(is_number, daily.cells[key]))] or days[-1:]
        begin = max(start.toordinal(), known[0])
        ends = pairwise((begin - 1, *known[bisect_left(known, begin) :], days[-1] + 1))
        runs = [later - day - 1 for day, later in ends]
        first = str(date.fromordinal(known[0]))
        gaps[key] = {"missing": sum(runs), "gap": max(runs), "first": first}
    return gaps


def _scales(
    usual: Mapping[str, statistics.Range], rows: Rows[Any], first: str, partial: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the ends of the lane of each metric with a value from a day or month on.

    Values of `partial` months do not count.
    """
    start, excluded = bisect_left(rows.labels, first), frozenset(partial)
    counted = [label not in excluded for label in rows.labels[start:]]
    scales = {}
    for key in CARD_METRICS:
        cells = compress(rows.cells[key][start:], counted)
        shown = [round(cell, SHOWN[key].decimals) for cell in cells if is_number(cell)]
        if shown:
            scales[key] = attrs.astuple(statistics.find_scale(shown, usual.get(key)))
    return scales
