"""Checks of values against values: figures that the deployment derives from its own rows."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from math import isclose
from typing import Any, Final
from urllib.parse import urlsplit

from healthapi.catalog_keys import CARD_METRICS, CORRELATIONS, DATASETS, DOMAINS, METRICS, SECTIONS
from healthapi.conformance.deployment import SUITE, Deployment, Plain, read, read_envelope
from healthapi.derived.arithmetic import mean, rounded
from healthapi.derived.correlations import pearson
from healthapi.http.endpoints import ROOT
from purewire.conformance.checks import Effect, Steps, Unchecked, expect, expect_equal

_DAY: Final = timedelta(1)
_FILES: Final = ("activity", "sleep", "hrv", "rhr", "daily")
_WHOLE: Final = ("steps", "active_minutes", "active_zone_minutes", "calories_out")
"""Metrics whose means over a period have no decimals."""
_PARTS: Final = {
    "profile": ("", "profile"),
    "overview": ("/overview", "overview"),
    "coverage": ("/coverage", "coverage"),
    "data_catalog": ("/catalog", "catalog"),
    "snapshot_status": ("/snapshot-status", "snapshot-status"),
}
"""Member of the dashboard and the summary to path and name of its own resource."""

_Read = Generator[Effect, Any, Plain]


def _rows(deployment: Deployment, dataset: str) -> Generator[Effect, Any, list[Plain]]:
    """Return all rows of a dataset, page by page."""
    rows: list[Plain] = []
    while True:
        subpath = f"/datasets/{dataset}?limit=1000&offset={len(rows)}"
        envelope = yield from read_envelope(deployment.profile(subpath), "dataset")
        page = envelope["data"]["rows"]
        rows += page
        if not page or len(rows) >= envelope["meta"]["total"]:
            return rows


def _expect_sorted(name: str, labels: Sequence[str], *, strictly: bool) -> None:
    for one, other in pairwise(labels):
        in_order = one < other if strictly else one <= other
        expect(in_order, f"{name} in ascending order", f"{one} before {other}")


def _numbers(rows: Iterable[Plain], metric: str) -> list[tuple[str, float]]:
    """Return the days and the values of a metric; days without a value are left out."""
    return [
        (row["date"], row[metric])
        for row in rows
        if isinstance(row.get(metric), int | float) and not isinstance(row[metric], bool)
    ]


# Datasets


@SUITE.check("datasets.list", "HA-DATASET-01", "HA-COVERAGE-05")
def _dataset_list(deployment: Deployment) -> Steps:
    """The list has the seven datasets in their order; periods have no coverage."""
    listed = (yield from read(deployment, "/datasets", "datasets"))["datasets"]
    expect_equal("keys", [entry["key"] for entry in listed], list(DATASETS))
    coverage = yield from read(deployment, "/coverage", "coverage")
    for entry in listed:
        found, expected = entry["coverage"], coverage.get(entry["key"])
        expect(found == expected, f"coverage {expected} of {entry['key']}", found)


@SUITE.check("datasets.order", "HA-DATASET-06", "HA-DAY-01", "HA-PERIOD-03", "HA-SLEEP-01")
def _dataset_order(deployment: Deployment) -> Steps:
    """Rows ascend by date or period; sleep, days and periods have each once."""
    for dataset in DATASETS:
        label = "period" if dataset in {"weekly", "monthly"} else "date"
        labels = [row[label] for row in (yield from _rows(deployment, dataset))]
        repeats = dataset in {"activity", "hrv", "rhr"}
        _expect_sorted(f"rows of {dataset}", labels, strictly=not repeats)


@SUITE.check("datasets.columns", "HA-DATASET-05")
def _columns(deployment: Deployment) -> Steps:
    """`columns` are sorted, the same on every page, and have every member of the rows."""
    for dataset in DATASETS:
        path = deployment.profile(f"/datasets/{dataset}")
        whole = (yield from read_envelope(path, "dataset"))["data"]
        columns = whole["columns"]
        expect(columns == sorted({*columns}), f"sorted columns of {dataset}", columns)
        others = {name for row in whole["rows"] for name in row} - {*columns}
        expect(not others, f"columns of {dataset} with every member", sorted(others))
        beyond = (yield from read_envelope(f"{path}?offset=100000", "dataset"))["data"]
        expect(beyond["columns"] == columns, f"the same columns {columns}", beyond["columns"])
    if deployment.empty_id is not None:
        path = f"{ROOT}/profiles/{deployment.empty_id}/datasets/daily"
        empty = (yield from read_envelope(path, "dataset"))["data"]["columns"]
        full = (yield from read(deployment, "/datasets/daily?limit=1", "dataset"))["columns"]
        expect(empty == full, f"the same columns without data, {full}", empty)


@SUITE.check("datasets.days", "HA-DAY-01", "HA-DAY-02", "HA-DAY-04", "HA-DAY-06")
def _days(deployment: Deployment) -> Steps:
    """There is a daily row for each date of a dataset, with the members of its datasets only."""
    members: dict[str, set[str]] = {}
    for dataset in ("activity", "sleep", "hrv", "rhr"):
        for row in (yield from _rows(deployment, dataset)):
            members.setdefault(row["date"], set()).update(row)
    daily = yield from _rows(deployment, "daily")
    found = [row["date"] for row in daily]
    expect(found == sorted(members), "a row for each date of a dataset, and no other", found)
    for row in daily:
        others = row.keys() - members[row["date"]] - _OF_NIGHTS
        expect(not others, f"no members of missing datasets on {row['date']}", sorted(others))
    nights = {row["date"] for row in (yield from _rows(deployment, "sleep"))}
    odd = [row["date"] for row in daily if "nap_count" in row and row["date"] not in nights]
    expect(not odd, "nap_count on dates with sleep only", odd)


_OF_NIGHTS: Final = frozenset({"nap_count"})


@SUITE.check("datasets.sleep", "HA-SLEEP-10", "HA-SLEEP-11", "HA-SLEEP-12")
def _sleep(deployment: Deployment) -> Steps:
    """Hours and shares of stages follow from the minutes of the night."""
    for row in (yield from _rows(deployment, "sleep")):
        asleep = row["minutes_asleep"]
        hours = None if asleep is None else rounded(asleep / 60)
        expect_equal(f"sleep_hours on {row['date']}", _as_float(row.get("sleep_hours")), hours)
        for name, part in (("deep_pct", "minutes_deep"), ("rem_pct", "minutes_rem")):
            minutes = row[part]
            share = rounded(minutes / asleep * 100) if asleep and minutes is not None else None
            expect_equal(f"{name} on {row['date']}", _as_float(row.get(name)), share)


def _as_float(value: float | None) -> float | None:
    """Return a number as the arithmetic of the kit has it; 8 and 8.0 are the same JSON number."""
    return None if value is None else float(value)


def _week(day: str) -> str:
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04}-W{week:02}"


def _month(day: str) -> str:
    return day[:7]


def _period(
    deployment: Deployment, dataset: str, name_of: Callable[[str], str]
) -> Generator[Effect, Any, None]:
    """Compare all periods with the means of the daily rows."""
    days: dict[str, list[Plain]] = {}
    for row in (yield from _rows(deployment, "daily")):
        days.setdefault(name_of(row["date"]), []).append(row)
    periods = yield from _rows(deployment, dataset)
    found = [row["period"] for row in periods]
    expect(found == list(days), f"a row for each period with days: {list(days)}", found)
    for row in periods:
        among = days[row["period"]]
        expect_equal(f"days of {row['period']}", row["days"], len(among))
        for metric in CARD_METRICS:
            average = mean([value for _, value in _numbers(among, metric)])
            expected = rounded(average, 0 if metric in _WHOLE else 1)
            name = f"{metric} of {row['period']}"
            expect_equal(name, _as_float(row[metric]), _as_float(expected))


@SUITE.check(
    "datasets.weeks", *(f"HA-PERIOD-{number:02}" for number in (1, 3, 4, 5, 6, 7, 8, 9, 10))
)
def _weeks(deployment: Deployment) -> Steps:
    """A week is named by ISO year and week and has the means of its days."""
    yield from _period(deployment, "weekly", _week)


@SUITE.check(
    "datasets.months", *(f"HA-PERIOD-{number:02}" for number in (2, 3, 4, 5, 6, 7, 8, 9, 10))
)
def _months(deployment: Deployment) -> Steps:
    """A month is named YYYY-MM and has the means of its days."""
    yield from _period(deployment, "monthly", _month)


@SUITE.check("datasets.partial-periods", "HA-PERIOD-11")
def _partial(deployment: Deployment) -> Steps:
    """`partial_periods` names the first and last period that extend beyond the days with data."""
    days = [row["date"] for row in (yield from _rows(deployment, "daily"))]
    for dataset, name_of in (("weekly", _week), ("monthly", _month)):
        expected = list(dict.fromkeys(_partial_periods(days, name_of)))
        for path, resource in (
            (f"/datasets/{dataset}", "dataset"),
            (f"/series/{dataset}", "series"),
        ):
            envelope = yield from read_envelope(deployment.profile(path), resource)
            found = envelope["meta"]["partial_periods"]
            expect_equal(f"partial_periods of {path}", found, expected)


def _partial_periods(days: Sequence[str], name_of: Callable[[str], str]) -> Iterator[str]:
    for day, step in ((days[:1], -_DAY), (days[-1:], _DAY)):
        for text in day:
            if name_of((date.fromisoformat(text) + step).isoformat()) == name_of(text):
                yield name_of(text)


@SUITE.check("series.points", "HA-DATASET-10", "HA-DATASET-07")
def _points(deployment: Deployment) -> Steps:
    """A series has the values of its dataset, null where the dataset has none."""
    for granularity in ("daily", "weekly", "monthly"):
        path = deployment.profile(f"/series/{granularity}?limit=1000")
        data = (yield from read_envelope(path, "series"))["data"]
        keys = [metric["key"] for metric in data["metrics"]]
        rows = (yield from _rows(deployment, granularity))[-1000:]
        expect_equal(f"number of {granularity} points", len(data["points"]), len(rows))
        for point, row in zip(data["points"], rows, strict=True):
            expected = {data["dimension"]: row[data["dimension"]]}
            expected |= {key: row.get(key) for key in keys}
            expect(point == expected, f"the point {expected}", point)


# Figures of a profile


@SUITE.check("coverage.counts", "HA-COVERAGE-02", "HA-DATASET-04")
def _coverage(deployment: Deployment) -> Steps:
    """Coverage has the number of rows and the first and last day of each dataset."""
    coverage = yield from read(deployment, "/coverage", "coverage")
    for dataset in _FILES:
        days = [row["date"] for row in (yield from _rows(deployment, dataset))]
        expected = {
            "count": len(days),
            "start_date": days[0] if days else None,
            "end_date": days[-1] if days else None,
        }
        found = {name: coverage[dataset][name] for name in expected}
        expect(found == expected, f"coverage {expected} of {dataset}", found)


@SUITE.check("coverage.rejected", "HA-COVERAGE-06")
def _rejected(deployment: Deployment) -> Steps:
    """The daily counts of rejected rows and unreadable cells are sums of those of the files."""
    coverage = yield from read(deployment, "/coverage", "coverage")
    for name in ("rejected_rows", "unreadable_cells"):
        parts = [coverage[dataset].get(name) for dataset in _FILES]
        expect(None not in parts, f"{name} of every file and of daily", parts)
        expect_equal(f"{name} of daily", parts[-1], sum(parts[:-1]))


@SUITE.check("overview.days", "HA-OVERVIEW-03", "HA-OVERVIEW-05")
def _overview(deployment: Deployment) -> Steps:
    """The overview has the last daily row, the number of rows and the naps of the last day."""
    overview = yield from read(deployment, "/overview", "overview")
    rows = yield from _rows(deployment, "daily")
    last: Plain = rows[-1] if rows else {}
    expect_equal("latest_date", overview["latest_date"], last.get("date"))
    expect_equal("tracked_days", overview["tracked_days"], len(rows))
    expect_equal("nap_count_today", overview["nap_count_today"], last.get("nap_count"))


@SUITE.check("overview.snapshot", "HA-OVERVIEW-04", "HA-INDEX-08", "HA-COVERAGE-03")
def _synchronized(deployment: Deployment) -> Steps:
    """The time of the last synchronization is that of the snapshot, everywhere."""
    saved_at = (yield from read(deployment, "/snapshot", "snapshot"))["saved_at"]
    overview = yield from read(deployment, "/overview", "overview")
    expect_equal("latest_sync_at", overview["latest_sync_at"], saved_at)
    coverage = yield from read(deployment, "/coverage", "coverage")
    expect_equal("end_date of the snapshot", coverage["snapshot"]["end_date"], saved_at)
    listed = (yield from read_envelope(f"{ROOT}/profiles", "profiles"))["data"]["profiles"]
    entry = next(each for each in listed if each["id"] == deployment.profile_id)
    expect_equal("last_sync_at", entry["last_sync_at"], saved_at)


@SUITE.check("overview.recovery", "HA-RECOVERY-10", "HA-RECOVERY-11")
def _recovery(deployment: Deployment) -> Steps:
    """The recovery score is 0 to 100, and its state follows from it."""
    overview = yield from read(deployment, "/overview", "overview")
    score = overview["recovery_score"]
    steps = ((80, "good"), (65, "stable"), (50, "watch"), (0, "rest"))
    expected = next((key for least, key in steps if score is not None and score >= least), None)
    expect(score is None or 0 <= score <= 100, "a score of 0 to 100, or null", score)
    state = overview["recovery_status"]
    expect_equal("recovery_status", state, expected or "waiting_for_data")


def _trend(metric: str, values: Sequence[float]) -> Plain:
    """Return the trend of values, the newest first."""
    current, former = mean(values[:7]), mean(values[7:14])
    if current is None or former is None:
        return {"direction": "flat", "improving": None, "delta": None, "percent": None}
    delta = current - former
    is_flat = abs(delta) <= METRICS[metric].tolerance
    direction = "flat" if is_flat else "up" if delta > 0 else "down"
    improving = None if is_flat else (delta > 0) is (METRICS[metric].better == "higher")
    percent = rounded(delta / abs(former) * 100) if former else None
    return {
        "direction": direction,
        "improving": improving,
        "delta": rounded(delta),
        "percent": percent,
    }


@SUITE.check(
    "metrics.list", "HA-CARD-01", *(f"HA-CARD-{number:02}" for number in (*range(2, 10), 15))
)
def _cards(deployment: Deployment) -> Steps:
    """There are eight cards in their order, with unit and tone; only two have goals."""
    cards = (yield from read(deployment, "/metrics", "metrics"))["metrics"]
    expect_equal("keys", [card["key"] for card in cards], list(CARD_METRICS))
    for card in cards:
        metric = METRICS[card["key"]]
        expect_equal(f"unit of {metric.key}", card["unit"], metric.unit)
        expect_equal(f"tone of {metric.key}", card["tone"], metric.tone)
        if metric.key not in {"steps", "sleep_hours"}:
            expect_equal(f"goal of {metric.key}", card["goal"], None)
        single = yield from read(deployment, f"/metrics/{metric.key}", "metric")
        expect(single == card, f"the card {card} at /metrics/{metric.key}", single)


@SUITE.check("metrics.figures", "HA-CARD-11", "HA-CARD-12", "HA-CARD-13")
def _card_figures(deployment: Deployment) -> Steps:
    """A card has the last value with its day, and the means of the last 7 and 30 values."""
    rows = yield from _rows(deployment, "daily")
    for card in (yield from read(deployment, "/metrics", "metrics"))["metrics"]:
        recent = list(reversed(_nights(rows, card["key"])))
        values = [value for _, value in recent]
        expected = {
            "latest": rounded(values[0]) if values else None,
            "latest_date": recent[0][0] if recent else None,
            "avg7": rounded(mean(values[:7])),
            "avg30": rounded(mean(values[:30])),
        }
        found = {name: card[name] for name in expected}
        expect(found == expected, f"{card['key']} with {expected}", found)


def _nights(rows: Sequence[Plain], metric: str) -> list[tuple[str, float]]:
    return _numbers(rows, metric)


@SUITE.check(
    "metrics.trends", *(f"HA-CARD-{number:02}" for number in (*range(2, 10), *range(16, 23)))
)
def _trends(deployment: Deployment) -> Steps:
    """A trend compares the last 7 values with the 7 before them, by the metric's tolerance."""
    rows = yield from _rows(deployment, "daily")
    for card in (yield from read(deployment, "/metrics", "metrics"))["metrics"]:
        values = [value for _, value in reversed(_numbers(rows, card["key"]))]
        expected = _trend(card["key"], values)
        expect(card["trend"] == expected, f"the trend {expected} of {card['key']}", card["trend"])


@SUITE.check("metrics.goals", "HA-CARD-14", "HA-CARD-15", "HA-PERSON-10")
def _goals(deployment: Deployment) -> Steps:
    """The goals of cards and overview are those of the profile; that of sleep is in hours."""
    person = (yield from read(deployment, "", "profile"))["profile"]
    overview = yield from read(deployment, "/overview", "overview")
    cards = (yield from read(deployment, "/metrics", "metrics"))["metrics"]
    goals = {card["key"]: card["goal"] for card in cards}
    minutes, daily_steps = person["sleep_goal_minutes"], person["daily_steps_goal"]
    hours = None if minutes is None else rounded(minutes / 60)
    expect_equal("goal of sleep_hours", _as_float(goals["sleep_hours"]), hours)
    expect_equal("goal of steps", goals["steps"], daily_steps)
    expect_equal("sleep_goal_minutes of overview", overview["sleep_goal_minutes"], minutes)
    expect_equal("daily_steps_goal of overview", overview["daily_steps_goal"], daily_steps)


@SUITE.check("correlations.figures", *(f"HA-CORRELATION-{number:02}" for number in (1, 3, 4, 5, 6)))
def _correlations(deployment: Deployment) -> Steps:
    """The three correlations are those of the daily rows, with the strength of the coefficient."""
    rows = yield from _rows(deployment, "daily")
    listed = (yield from read(deployment, "/correlations", "correlations"))["correlations"]
    keys = [f"{one}-{other}" for one, other in CORRELATIONS]
    expect_equal("keys", [entry["key"] for entry in listed], keys)
    for entry, (one, other) in zip(listed, CORRELATIONS, strict=True):
        others = dict(_numbers(rows, other))
        pairs = [(value, others[day]) for day, value in _numbers(rows, one) if day in others]
        expect_equal(f"points of {entry['key']}", entry["points"], len(pairs))
        exact = pearson([pair[0] for pair in pairs], [pair[1] for pair in pairs])
        found, name = entry["coefficient"], f"coefficient of {entry['key']}"
        expect((found is None) is (exact is None), f"{name} {exact}", found)
        if exact is not None and found is not None:
            expect(isclose(found, exact, abs_tol=0.000_51), f"{name} {exact:.4f}", found)
        expect_equal(f"strength of {entry['key']}", entry["strength"], *_strengths(exact))


def _strengths(exact: float | None) -> set[str]:
    """Return the strength of a coefficient; two where it is next to a limit."""
    if exact is None:
        return {"not_enough_data"}
    limits = ((0.7, "strong"), (0.4, "moderate"), (0.2, "weak"), (0.0, "none"))
    sizes = (abs(exact) - 1e-12, abs(exact) + 1e-12)
    return {next((key for least, key in limits if size >= least), "none") for size in sizes}


# Sections, tables, catalog, dashboard, snapshot


@SUITE.check("sections.list", "HA-KEY-09", "HA-SECTION-01", "HA-SECTION-02")
def _sections(deployment: Deployment) -> Steps:
    """The four sections come in their order, each as its own resource has it."""
    listed = (yield from read(deployment, "/sections", "sections"))["sections"]
    expect_equal("sections", [entry["section"] for entry in listed], list(SECTIONS))
    for entry in listed:
        single = yield from read(deployment, f"/sections/{entry['section']}", "section")
        expect(single == entry, f"the section {entry['section']} of the list", single)
        for card in entry["summary"]["metrics"]:
            key = card["label"].lower().replace(" ", "_")
            expect_equal(f"key of {card['label']}", card["key"], key)


@SUITE.check("sections.cards", "HA-SECTION-03", "HA-SECTION-08", "HA-SECTION-15")
def _section_cards(deployment: Deployment) -> Steps:
    """Every section has all of its cards, with or without values."""
    for section, keys in _CARDS.items():
        for profile_id in filter(None, (deployment.profile_id, deployment.empty_id)):
            path = f"{ROOT}/profiles/{profile_id}/sections/{section}"
            data = (yield from read_envelope(path, "section"))["data"]
            found = [card["key"] for card in data["summary"]["metrics"]]
            expect_equal(f"cards of {section}", found, list(keys))
    deployment.profile()


_CARDS: Final = {
    "body": ("weight", "bmi", "weight_goal", "body_fat"),
    "vitals": ("spo2", "breathing_rate", "skin_temperature"),
    "account": ("devices", "badges", "snapshot_completion", "missing_scopes"),
}


@SUITE.check("tables.list", "HA-TABLE-01", "HA-KEY-10")
def _tables(deployment: Deployment) -> Steps:
    """The list of tables has the number of rows of each table."""
    listed = (yield from read(deployment, "/tables", "tables"))["tables"]
    for entry in listed:
        path = deployment.profile(f"/tables/{entry['key']}")
        envelope = yield from read_envelope(path, "table")
        expect_equal("table", envelope["data"]["table"], entry["key"])
        expect_equal(f"count of {entry['key']}", entry["count"], envelope["meta"]["total"])


@SUITE.check("tables.newest-first", "HA-TABLE-04", "HA-TABLE-08")
def _newest_first(deployment: Deployment) -> Steps:
    """Rows with dates come newest first."""
    for table in ("sleep", "activity", "recovery", "body"):
        rows = (yield from read(deployment, f"/tables/{table}", "table"))["rows"]
        days = [row["date"] for row in rows if row["date"] is not None]
        expect(days == sorted(days, reverse=True), f"rows of {table}, the newest first", days)


@SUITE.check("tables.rows", "HA-TABLE-05", "HA-TABLE-06", "HA-TABLE-07", "HA-TABLE-10")
def _table_rows(deployment: Deployment) -> Steps:
    """Tables of days have the last days of the datasets; the one of vitals has 3 rows."""
    activity = (yield from _rows(deployment, "activity"))[-10:]
    rows = (yield from read(deployment, "/tables/activity", "table"))["rows"]
    columns = ("date", "steps", "active_minutes", "active_zone_minutes", "calories_out")
    for row, source in zip(rows, reversed(activity), strict=False):
        found = {name: row[name] for name in columns}
        expected = {name: source[name] for name in columns}
        expect(found == expected, f"the row {expected} of activity", found)
    expect_equal("rows of activity", len(rows), len(activity))
    daily = (yield from _rows(deployment, "daily"))[-10:]
    measured = [row for row in reversed(daily) if row.get("hrv") or row.get("rhr")]
    rows = (yield from read(deployment, "/tables/recovery", "table"))["rows"]
    found_days = [row["date"] for row in rows]
    expect_equal("days of recovery", found_days, [row["date"] for row in measured])
    vitals = (yield from read(deployment, "/tables/vitals", "table"))["rows"]
    expect_equal("rows of vitals", len(vitals), 3)


@SUITE.check("catalog.domains", "HA-CATALOG-02", "HA-CATALOG-03", "HA-CATALOG-06", "HA-CATALOG-07")
def _domains(deployment: Deployment) -> Steps:
    """The six domains come in their order, with their severities and their count by status."""
    catalog = yield from read(deployment, "/catalog", "catalog")
    domains = catalog["domains"]
    expect_equal("domains", [domain["key"] for domain in domains], list(DOMAINS))
    priorities = [domain["priority"] for domain in domains]
    expect_equal("priorities", priorities, list(range(1, len(DOMAINS) + 1)))
    for domain in domains:
        expect_equal(f"view of {domain['key']}", domain["view"], domain["key"])
        status = domain["status"]
        severity = {"ready": 0, "partial": 1, "empty": 2}.get(status["key"])
        expect_equal(f"severity of {status['key']}", status["severity"], severity)
    counts = Counter(domain["status"]["key"] for domain in domains)
    stated = {name: number for name, number in catalog["status_counts"].items() if number}
    expect(stated == dict(counts), f"status_counts {dict(counts)}", stated)


@SUITE.check("catalog.status", "HA-CATALOG-08", "HA-CATALOG-09", "HA-CATALOG-10")
def _domain_status(deployment: Deployment) -> Steps:
    """A domain is partial exactly where it has a value and issues; only account has issues."""
    for domain in (yield from read(deployment, "/catalog", "catalog"))["domains"]:
        has_values = any(metric["latest"] is not None for metric in domain["metrics"])
        status, issues = domain["status"]["key"], domain["issue_count"] or 0
        name = domain["key"]
        expect(not issues or name == "account", f"no issues of {name}", issues)
        if has_values:
            expect_equal(f"status of {name}", status, "partial" if issues else "ready")
        else:
            expect(status == "empty" or domain["coverage"]["count"], f"an empty {name}", status)
        has_label = domain["issue_label"] is not None
        expect(has_label is (issues > 0), f"issue_label of {name} with issues only", has_label)


@SUITE.check("catalog.sources", "HA-CATALOG-22", *(f"HA-CATALOG-{n}" for n in (13, 14, 15, 16, 18)))
def _sources(deployment: Deployment) -> Steps:
    """Each domain has its sources, and each source can be requested under its key."""
    folders = {"dataset": "datasets", "table": "tables", "section": "sections"}
    for domain in (yield from read(deployment, "/catalog", "catalog"))["domains"]:
        found = [(source["kind"], source["key"]) for source in domain["sources"]]
        expect_equal(f"sources of {domain['key']}", found, list(DOMAINS[domain["key"]].sources))
        for kind, key in found:
            if kind in folders:
                yield from read(deployment, f"/{folders[kind]}/{key}", kind)


def _same_parts(deployment: Deployment, whole: Plain) -> Steps:
    for member, (subpath, resource) in _PARTS.items():
        data = yield from read(deployment, subpath, resource)
        own = data["profile"] if member == "profile" else data
        expect(
            whole[member] == own, f"{member} as {subpath or 'the profile'} has it", whole[member]
        )


@SUITE.check("dashboard.parts", "HA-DASHBOARD-02", "HA-DASHBOARD-04")
def _dashboard_parts(deployment: Deployment) -> Steps:
    """Each part of the dashboard equals the data of its own resource."""
    dashboard = yield from read(deployment, "/dashboard", "dashboard")
    yield from _same_parts(deployment, dashboard)
    for member, subpath, resource in (
        ("stats", "/metrics", "metrics"),
        ("correlations", "/correlations", "correlations"),
        ("sections", "/sections", "sections"),
    ):
        own = (yield from read(deployment, subpath, resource))[resource]
        expect(dashboard[member] == own, f"{member} as {subpath} has them", dashboard[member])
    for table in dashboard["tables"]:
        own = yield from read(deployment, f"/tables/{table['table']}", "table")
        expect(table == own, f"the table {table['table']} as its own resource", table)


@SUITE.check("dashboard.charts", "HA-DASHBOARD-03")
def _dashboard_charts(deployment: Deployment) -> Steps:
    """`charts` of the dashboard has the last 90 daily, 16 weekly and 12 monthly rows."""
    charts = (yield from read(deployment, "/dashboard", "dashboard"))["charts"]
    for dataset, count in (("daily", 90), ("weekly", 16), ("monthly", 12)):
        rows = (yield from _rows(deployment, dataset))[-count:]
        found = charts[dataset]
        expect(found == rows, f"the last {len(rows)} rows of {dataset}", f"{len(found)} rows")


@SUITE.check("profiles.summary", "HA-INDEX-13", "HA-INDEX-07")
def _summary(deployment: Deployment) -> Steps:
    """Summary and list entry of a profile equal its own resources."""
    yield from _same_parts(deployment, (yield from read(deployment, "", "profile")))
    listed = (yield from read_envelope(f"{ROOT}/profiles", "profiles"))["data"]["profiles"]
    entry = next(each for each in listed if each["id"] == deployment.profile_id)
    cards = (yield from read(deployment, "/metrics", "metrics"))["metrics"]
    overview = yield from read(deployment, "/overview", "overview")
    expected = {
        card["key"]: card["latest"]
        for card in cards
        if card["key"] in {"sleep_score", "steps", "hrv", "rhr"}
    }
    for name in ("recovery_score", "recovery_status", "recovery_label", "latest_date"):
        expected[name] = overview[name]
    found = {name: entry[name] for name in expected}
    expect(found == expected, f"the entry {expected}", found)


@SUITE.check("profiles.person", "HA-PERSON-17", "HA-PERSON-07")
def _person(deployment: Deployment) -> Steps:
    """The profile has no user id of the token, and its avatar no query, fragment, credentials."""
    person = (yield from read(deployment, "", "profile"))["profile"]
    expect_equal("id", person["id"], deployment.profile_id)
    expect_equal("user_id", person["user_id"], None)
    if person["avatar"] is not None:
        parts = urlsplit(person["avatar"])
        is_plain = parts.scheme in {"http", "https"} and not (parts.query or parts.fragment)
        expect(is_plain and "@" not in parts.netloc, "a plain URL as avatar", person["avatar"])


@SUITE.check("snapshot.endpoints", *(f"HA-SNAPSHOT-{number}" for number in (10, 14, 15)))
def _endpoints(deployment: Deployment) -> Steps:
    """Snapshot, index of endpoints and single endpoints have the same entries in one order."""
    snapshot = yield from read(deployment, "/snapshot", "snapshot")
    expect_equal("profile_id", snapshot["profile_id"], deployment.profile_id)
    entries = snapshot["endpoints"]
    listed = (yield from read(deployment, "/snapshot/endpoints", "snapshot-endpoints"))["endpoints"]
    expect_equal("keys of the index", [each["key"] for each in listed], list(entries))
    for each in listed:
        entry = entries[each["key"]]
        shared = {name: each[name] for name in each if name not in {"key", "href"}}
        found = {name: entry[name] for name in shared}
        expect(found == shared, f"the entry of the index of {each['key']}", found)
    for each in [each for each in listed if each["href"] is not None][:_MOST_ENDPOINTS]:
        path = deployment.profile(f"/snapshot/endpoints/{each['key']}")
        envelope = yield from read_envelope(path, "snapshot-endpoint")
        expect_equal("meta.endpoint", envelope["meta"]["endpoint"], each["key"])
        found = envelope["data"]
        expect(found == entries[each["key"]], f"the entry {each['key']} of the snapshot", found)


_MOST_ENDPOINTS: Final = 10
"""Endpoints that one check reads."""


@SUITE.check("snapshot.reasons", "HA-SNAPSHOT-12", "HA-SNAPSHOT-08")
def _reasons(deployment: Deployment) -> Steps:
    """A reason is null or names a missing scope; a skipped endpoint has no status."""
    entries = (yield from read(deployment, "/snapshot", "snapshot"))["endpoints"]
    for key, entry in entries.items():
        reason = entry["reason"]
        is_scope = (reason or "").startswith("missing_scope:")
        expect(reason is None or is_scope, f"missing_scope: or null as reason of {key}", reason)
        if is_scope:
            expect(not entry["ok"], f"ok false of {key}", entry["ok"])
            expect_equal(f"status of {key}", entry["status"], None)


@SUITE.check("snapshot.scopes", "HA-SNAPSHOT-17", "HA-OVERVIEW-06", "HA-OVERVIEW-07")
def _scopes(deployment: Deployment) -> Steps:
    """Missing scopes are the requested ones that are not granted, in their order, each once."""
    status = yield from read(deployment, "/snapshot-status", "snapshot-status")
    overview = yield from read(deployment, "/overview", "overview")
    granted, missing = {*status["scopes"]}, status["missing_scopes"]
    expected = list(
        dict.fromkeys(each for each in status["requested_scopes"] if each not in granted)
    )
    expect_equal("missing_scopes", missing, expected if granted else [])
    is_known = status["has_snapshot"] and granted
    count = overview["missing_scopes_count"]
    expect_equal("missing_scopes_count", count, len(missing) if is_known else None)


@SUITE.check("snapshot.absent", "HA-SNAPSHOT-18", "HA-PERSON-14", "HA-CATALOG-11")
def _no_snapshot(deployment: Deployment) -> Steps:
    """Without a snapshot its resources are empty, and counts of the account are null."""
    if deployment.empty_id is None:
        raise Unchecked("the deployment lists no profile without data")
    path = f"{ROOT}/profiles/{deployment.empty_id}"
    status = (yield from read_envelope(f"{path}/snapshot-status", "snapshot-status"))["data"]
    if status["has_snapshot"]:
        raise Unchecked("the profile without days has a snapshot")
    snapshot = (yield from read_envelope(f"{path}/snapshot", "snapshot"))["data"]
    expect(snapshot["endpoints"] == {}, "no endpoints", snapshot["endpoints"])
    overview = (yield from read_envelope(f"{path}/overview", "overview"))["data"]
    names = ("device_count", "badge_count", "missing_scopes_count", "snapshot_ok_count")
    for name in (*names, "snapshot_total_count"):
        expect_equal(name, overview[name], None)
    catalog = (yield from read_envelope(f"{path}/catalog", "catalog"))["data"]
    expect_equal("status of account", catalog["domains"][-1]["status"]["key"], "empty")


@SUITE.check("coverage.empty", "HA-COVERAGE-02", "HA-RECOVERY-11", "HA-CARD-13", "HA-CARD-17")
def _no_data(deployment: Deployment) -> Steps:
    """Without data counts are 0 and figures null; nothing is missing from a response."""
    if deployment.empty_id is None:
        raise Unchecked("the deployment lists no profile without data")
    path = f"{ROOT}/profiles/{deployment.empty_id}"
    coverage = (yield from read_envelope(f"{path}/coverage", "coverage"))["data"]
    for dataset in _FILES:
        found = [coverage[dataset][name] for name in ("count", "start_date", "end_date")]
        expect(found == [0, None, None], f"coverage 0, null, null of {dataset}", found)
    cards = (yield from read_envelope(f"{path}/metrics", "metrics"))["data"]["metrics"]
    flat = {"direction": "flat", "improving": None, "delta": None, "percent": None}
    for card in cards:
        found = [card[name] for name in ("latest", "latest_date", "avg7", "avg30")]
        expect(found == [None] * 4, f"nulls in the card {card['key']}", found)
        expect(card["trend"] == flat, f"the trend {flat}", card["trend"])
    overview = (yield from read_envelope(f"{path}/overview", "overview"))["data"]
    expect_equal("recovery_score", overview["recovery_score"], None)
    expect_equal("recovery_status", overview["recovery_status"], "waiting_for_data")
