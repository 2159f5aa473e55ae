"""Keys of the contract: metrics, datasets, granularities, sections, tables, domains, charts.

Keys are the interface; labels are for people and may change.

Invariant *keys do not depend on data*: all keys are listed here, even those without values in a
profile.
"""

from typing import Final, Literal

import attrs

Tone = Literal["blue", "green", "amber", "red", "teal"]
Granularity = Literal["daily", "weekly", "monthly"]
Dimension = Literal["date", "period"]


@attrs.frozen
class Metric:
    """A metric of a day.

    Attributes:
        key: Name of the member of the daily row.
        label: Name for people.
        unit: Unit of the values.
        tone: Colour family for dashboards.
        better: Whether higher or lower values are better; None if neither.
        tolerance: A trend up to this change is flat.
        decimals: Decimals shown, also of means: 0 of counts, 2 of hours to the minute, or else 1.

    """

    key: str
    label: str
    unit: str
    tone: Tone
    better: Literal["higher", "lower"] | None = None
    tolerance: float = 0.0

    decimals: int = attrs.field()

    @decimals.default
    def _decimals(self) -> int:
        return 0 if self.unit in ("steps", "min", "kcal") else 1


METRICS: Final[dict[str, Metric]] = {
    metric.key: metric
    for metric in (
        Metric("sleep_score", "Sleep score", "points", "blue", "higher", 1.0),
        Metric("sleep_hours", "Sleep", "hours", "amber", "higher", 0.2),
        Metric("steps", "Steps", "steps", "green", "higher", 300),
        Metric("active_minutes", "Active minutes", "min", "teal", "higher", 10),
        Metric("active_zone_minutes", "Active zone minutes", "min", "red", "higher", 5),
        Metric("hrv", "Heart rate variability", "ms", "blue", "higher", 2),
        Metric("rhr", "Resting heart rate", "bpm", "red", "lower", 1),
        Metric("calories_out", "Calories burned", "kcal", "amber", "higher", 40),
        Metric("activity_calories", "Activity calories", "kcal", "amber"),
        Metric("days", "Days with data", "days", "teal"),
        Metric("deep_pct", "Deep sleep share", "%", "blue"),
        Metric("deep_rmssd", "HRV in deep sleep", "ms", "teal"),
        Metric("efficiency", "Sleep efficiency", "%", "green"),
        Metric("fairly_active_minutes", "Fairly active", "min", "amber"),
        Metric("lightly_active_minutes", "Lightly active", "min", "green"),
        Metric("minutes_after_wakeup", "In bed after waking", "min", "red"),
        Metric("minutes_asleep", "Asleep", "min", "blue"),
        Metric("minutes_awake", "Awake", "min", "red"),
        Metric("minutes_deep", "Deep sleep", "min", "blue"),
        Metric("minutes_light", "Light sleep", "min", "teal"),
        Metric("minutes_rem", "REM sleep", "min", "green"),
        Metric("minutes_to_fall_asleep", "Time to fall asleep", "min", "amber"),
        Metric("minutes_wake_stages", "Wake stages", "min", "red"),
        Metric("nap_count", "Naps", "naps", "teal"),
        Metric("rem_pct", "REM sleep share", "%", "green"),
        Metric("sedentary_minutes", "Sedentary", "min", "red"),
        Metric("time_in_bed", "Time in bed", "min", "amber"),
        Metric("very_active_minutes", "Very active", "min", "red"),
    )
}
"""Every metric by key."""

SHOWN: Final = METRICS | {"sleep_hours": attrs.evolve(METRICS["sleep_hours"], decimals=2)}
"""Key to the metric as people see it; hours of the API are tenths."""

CARD_METRICS: Final = tuple(METRICS)[:8]
"""The metrics with a card, in the order of the cards; also the means of a period."""

SERIES_METRICS: Final[dict[Granularity, tuple[str, ...]]] = {
    "daily": tuple(sorted(METRICS.keys() - {"days"})),
    "weekly": tuple(sorted((*CARD_METRICS, "days"))),
    "monthly": tuple(sorted((*CARD_METRICS, "days"))),
}
"""The metrics of a granularity, sorted; all are numbers."""

GRANULARITIES: Final[dict[Granularity, Dimension]] = {
    "daily": "date",
    "weekly": "period",
    "monthly": "period",
}
"""Granularity to the name of its time member."""


DATASETS: Final[dict[str, str]] = {
    "activity": "Activity",
    "sleep": "Sleep",
    "hrv": "Heart rate variability",
    "rhr": "Resting heart rate",
    "daily": "All measurements by day",
    "weekly": "Means by ISO week",
    "monthly": "Means by month",
}
"""Dataset key to label, in order."""

SECTIONS: Final[dict[str, str]] = {
    "body": "Body",
    "vitals": "Vitals",
    "lifestyle": "Lifestyle",
    "account": "Account",
}
"""Section key to label, in order."""

TABLES: Final[dict[str, str]] = {
    "sleep": "Sleep",
    "activity": "Activity",
    "recovery": "Recovery",
    "body": "Body",
    "vitals": "Vitals",
    "foods": "Foods",
    "devices": "Devices",
    "badges": "Badges",
    "alarms": "Alarms",
    "endpoints": "Snapshot endpoints",
}
"""Table key to label, in order."""


@attrs.frozen
class Domain:
    """A health domain of the catalog.

    Attributes:
        key: Its key, also the name of its page.
        label: Name for people.
        tone: Colour family for dashboards.
        summary: A sentence about its content.
        sources: Its sources, as (kind, key).
        cards: The metric cards among its core metrics.
        section_cards: The sections, and the number of their first cards, among its core metrics.
        coverage: Key of its coverage; empty if the rows of its tables are counted.
        counted_tables: The tables whose rows are counted as its coverage.

    """

    key: str
    label: str
    tone: Tone
    summary: str
    sources: tuple[tuple[str, str], ...]
    cards: tuple[str, ...] = ()
    section_cards: tuple[tuple[str, int], ...] = ()
    coverage: str = ""
    counted_tables: tuple[str, ...] = ()


DOMAINS: Final[dict[str, Domain]] = {
    domain.key: domain
    for domain in (
        Domain(
            "sleep",
            "Sleep",
            "blue",
            "Nights and naps: duration, stages, efficiency and score.",
            (("dataset", "sleep"), ("dataset", "daily"), ("table", "sleep")),
            cards=("sleep_score", "sleep_hours"),
            coverage="sleep",
        ),
        Domain(
            "activity",
            "Activity",
            "green",
            "Steps, active minutes, zone minutes and energy.",
            (("dataset", "activity"), ("table", "activity")),
            cards=("steps", "active_minutes", "active_zone_minutes", "calories_out"),
            coverage="activity",
        ),
        Domain(
            "recovery",
            "Recovery",
            "red",
            "Heart rate variability and resting heart rate.",
            (("dataset", "hrv"), ("dataset", "rhr"), ("table", "recovery")),
            cards=("hrv", "rhr"),
            coverage="daily",
        ),
        Domain(
            "vitals",
            "Vitals",
            "teal",
            "Weight, body fat, oxygen saturation, breathing and skin temperature.",
            (("section", "body"), ("section", "vitals"), ("table", "vitals")),
            section_cards=(("body", 3), ("vitals", 1)),
            counted_tables=("body", "vitals"),
        ),
        Domain(
            "lifestyle",
            "Lifestyle",
            "amber",
            "Food, water and the goals for them.",
            (("section", "lifestyle"), ("table", "foods")),
            section_cards=(("lifestyle", 4),),
            counted_tables=("foods",),
        ),
        Domain(
            "account",
            "Account",
            "blue",
            "Devices, badges and how complete the snapshot is.",
            (("snapshot", "profile_snapshot"), ("table", "devices"), ("table", "endpoints")),
            section_cards=(("account", 4),),
            coverage="snapshot",
        ),
    )
}
"""The domains by key; the first has priority 1."""

CORRELATIONS: Final = (("sleep_score", "hrv"), ("steps", "sleep_score"), ("sleep_score", "rhr"))
"""The correlated pairs of metrics, in order."""


@attrs.frozen
class Chart:
    """A chart preset: its name without `.svg`, and what it shows by default."""

    key: str
    title: str
    granularity: Granularity
    metrics: tuple[str, ...]


CHARTS: Final[dict[str, Chart]] = {
    chart.key: chart
    for chart in (
        Chart("series", "Metrics", "daily", CARD_METRICS),
        Chart("overview-trend", "Overview", "daily", ("sleep_score", "steps", "hrv", "rhr")),
        Chart(
            "weekly-trend", "Overview", "weekly", ("sleep_score", "steps", "active_minutes", "hrv")
        ),
        Chart(
            "sleep-trend",
            "Sleep",
            "daily",
            ("sleep_score", "sleep_hours", "minutes_deep", "minutes_rem"),
        ),
        Chart(
            "activity-trend",
            "Activity",
            "daily",
            ("steps", "active_minutes", "active_zone_minutes", "calories_out"),
        ),
    )
}

__all__ = [name for name in dir() if name[0].isupper() and name not in {"Final", "Literal"}]
