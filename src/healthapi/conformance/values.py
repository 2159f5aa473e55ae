"""Checks of values: those that the engine derives from the served rows, and order and links."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final
from urllib.parse import quote, urlsplit

from healthapi.catalog_keys import CARD_METRICS, DATASETS, DOMAINS, SECTIONS
from healthapi.conformance.deployment import SUITE, Deployment, read, read_envelope
from healthapi.conformance.engine import expect_derived, read_rows
from healthapi.http.endpoints import ROOT
from purewire.conformance.checks import Steps, Unchecked, expect, expect_equal

_EVERY_DATASET: Final = " ".join(f"/datasets/{key}" for key in DATASETS)
_CARDS: Final = " ".join(("/metrics", *(f"/metrics/{key}" for key in CARD_METRICS)))
_MEANS: Final = " ".join(f"HA-PERIOD-{number:02}" for number in range(3, 11))


def _numbered(group: str, numbers: Iterable[int]) -> str:
    return " ".join(f"{group}-{number:02}" for number in numbers)


def _derived(identifier: str, title: str, rules: str, subpaths: str, *, members: str = "") -> None:
    """Add a check that resources below the profile are those that the engine derives.

    Members are those that are compared; without any, all are.
    """

    def steps(deployment: Deployment) -> Steps:
        for subpath in subpaths.split():
            yield from expect_derived(deployment, subpath, members=members.split())

    SUITE.add(identifier, title, rules.split(), steps)


_derived(
    "datasets.days",
    "There is a daily row for each date of a dataset, with the members of its datasets only",
    "HA-DAY-01 HA-DAY-02 HA-DAY-04 HA-DAY-06",
    "/datasets/daily?limit=1000",
)
_derived(
    "datasets.sleep",
    "Hours and shares of stages follow from the minutes of the night",
    "HA-SLEEP-10 HA-SLEEP-11 HA-SLEEP-12",
    "/datasets/sleep?limit=1000",
)
_derived(
    "datasets.weeks",
    "A week is named by ISO year and week and has the means of its days",
    f"HA-PERIOD-01 {_MEANS}",
    "/datasets/weekly?limit=1000",
)
_derived(
    "datasets.months",
    "A month is named YYYY-MM and has the means of its days",
    f"HA-PERIOD-02 {_MEANS}",
    "/datasets/monthly?limit=1000",
)
_derived(
    "datasets.partial-periods",
    "`partial_periods` names the first and last period that extend beyond the days with data",
    "HA-PERIOD-11",
    "/datasets/weekly /datasets/monthly /series/weekly /series/monthly",
    members="partial_periods",
)
_derived(
    "datasets.columns",
    "`columns` are all members of the rows, sorted, the same on every page",
    "HA-DATASET-05",
    " ".join(f"/datasets/{key}{query}" for key in DATASETS for query in ("", "?limit=1")),
    members="columns",
)
_derived(
    "datasets.list",
    "The list has the seven datasets in their order; periods have no coverage",
    "HA-DATASET-01 HA-COVERAGE-05",
    "/datasets",
)
_derived(
    "series.points",
    "A series has the values of its dataset, null where the dataset has none",
    "HA-DATASET-10 HA-DATASET-07",
    "/series/daily?limit=1000 /series/weekly?limit=1000 /series/monthly?limit=1000",
)
_derived(
    "coverage.counts",
    "Coverage has the number of rows and the first and last day of each dataset",
    "HA-COVERAGE-02 HA-COVERAGE-03 HA-DATASET-04",
    f"/coverage {_EVERY_DATASET}",
    members="count start_date end_date",
)
_derived(
    "coverage.rejected",
    "The daily counts of rejected rows and unreadable cells are sums of those of the files",
    "HA-COVERAGE-06",
    "/coverage",
    members="rejected_rows unreadable_cells",
)
_derived(
    "overview.days",
    "The overview has the last daily row, the number of rows and the naps of the last day",
    "HA-OVERVIEW-03 HA-OVERVIEW-05",
    "/overview",
    members="latest_date tracked_days nap_count_today",
)
_derived(
    "overview.snapshot",
    "The time of the last synchronization is that of the snapshot, everywhere",
    "HA-OVERVIEW-04 HA-COVERAGE-03 HA-INDEX-08",
    "/overview / /snapshot-status",
    members="latest_sync_at last_snapshot_at end_date saved_at",
)
_derived(
    "overview.recovery",
    "The recovery score is that of the last day, and its state follows from it",
    _numbered("HA-RECOVERY", range(1, 12)),
    "/overview",
    members="recovery_score recovery_status",
)
_derived(
    "metrics.list",
    "There are eight cards in their order, with unit and tone; only two have goals",
    _numbered("HA-CARD", (*range(1, 10), 15)),
    _CARDS,
    members="key unit tone count",
)
_derived(
    "metrics.figures",
    "A card has the last value with its day, and the means of the last 7 and 30 values",
    "HA-CARD-11 HA-CARD-12 HA-CARD-13",
    _CARDS,
    members="latest latest_date avg7 avg30",
)
_derived(
    "metrics.trends",
    "A trend compares the last 7 values with the 7 before them, by the metric's tolerance",
    _numbered("HA-CARD", (*range(2, 10), *range(16, 23))),
    _CARDS,
    members="direction improving delta percent",
)
_derived(
    "metrics.goals",
    "The goals of cards and overview are those of the profile; that of sleep is in hours",
    "HA-CARD-14 HA-CARD-15 HA-PERSON-10",
    f"{_CARDS} /overview /",
    members="goal sleep_goal_minutes daily_steps_goal",
)
_derived(
    "correlations.figures",
    "The three correlations are those of the daily rows, with the strength of the coefficient",
    _numbered("HA-CORRELATION", (1, 3, 4, 5, 6)),
    "/correlations",
)
_derived(
    "sections.cards",
    "Every section has all of its cards, with or without values",
    "HA-SECTION-03 HA-SECTION-08 HA-SECTION-15",
    " ".join(f"/sections/{key}" for key in SECTIONS),
    members="section key value unit tone",
)
_derived(
    "sections.list",
    "The four sections come in their order, each as its own resource has it",
    "HA-KEY-09 HA-SECTION-01 HA-SECTION-02",
    "/sections",
)
_derived(
    "tables.list",
    "The list of tables has the number of rows of each table",
    "HA-TABLE-01 HA-KEY-10",
    "/tables",
)
_derived(
    "tables.newest-first",
    "Rows with dates come newest first",
    "HA-TABLE-04 HA-TABLE-08",
    "/tables/sleep /tables/activity /tables/recovery /tables/body",
    members="date",
)
_derived(
    "tables.rows",
    "Tables of days have the last days of the datasets; the one of vitals has 3 rows",
    "HA-TABLE-05 HA-TABLE-06 HA-TABLE-07 HA-TABLE-10",
    "/tables/sleep /tables/activity /tables/recovery /tables/vitals",
)
_derived(
    "catalog.domains",
    "The six domains come in their order, with their severities and their count by status",
    "HA-CATALOG-02 HA-CATALOG-03 HA-CATALOG-06 HA-CATALOG-07",
    "/catalog",
    members="key view priority severity ready partial empty",
)
_derived(
    "catalog.status",
    "A domain is partial exactly where it has a value and issues; only account has issues",
    "HA-CATALOG-08 HA-CATALOG-09 HA-CATALOG-10",
    "/catalog",
    members="key issue_count latest",
)
_derived(
    "dashboard.parts",
    "Each part of the dashboard equals the data of its own resource",
    "HA-DASHBOARD-02 HA-DASHBOARD-04",
    "/dashboard",
)
_derived(
    "dashboard.charts",
    "`charts` of the dashboard has the last 90 daily, 16 weekly and 12 monthly rows",
    "HA-DASHBOARD-03",
    "/dashboard",
    members=f"{' '.join(CARD_METRICS)} date period days",
)
_derived(
    "snapshot.endpoints",
    "Snapshot, index of endpoints and summary have the same entries in one order",
    "HA-SNAPSHOT-10 HA-SNAPSHOT-14 HA-SNAPSHOT-15",
    "/snapshot /snapshot/endpoints",
)
_derived(
    "snapshot.scopes",
    "Missing scopes are the requested ones that are not granted, in their order, each once",
    "HA-SNAPSHOT-17 HA-OVERVIEW-06 HA-OVERVIEW-07",
    "/snapshot-status /overview",
    members="missing_scopes missing_scopes_count",
)


@SUITE.check("snapshot.absent", "HA-SNAPSHOT-18", "HA-PERSON-14", "HA-CATALOG-11")
def _no_snapshot(deployment: Deployment) -> Steps:
    """Without a snapshot its resources are empty, and counts of the account are null."""
    name = deployment.empty()
    path = f"{ROOT}/profiles/{name}/snapshot-status"
    if (yield from read_envelope(path, "snapshot-status"))["data"]["has_snapshot"]:
        raise Unchecked("the profile without days has a snapshot")
    for resource in ("snapshot", "snapshot-status", "overview", "catalog", "sections"):
        yield from expect_derived(deployment, f"/{resource}", profile_id=name)


@SUITE.check("coverage.empty", "HA-COVERAGE-02", "HA-RECOVERY-11", "HA-CARD-13", "HA-CARD-17")
def _no_data(deployment: Deployment) -> Steps:
    """Without data counts are 0 and figures null; nothing is missing from a response."""
    for resource in ("coverage", "metrics", "overview", "correlations", "tables"):
        yield from expect_derived(deployment, f"/{resource}", profile_id=deployment.empty())


@SUITE.check("datasets.order", "HA-DATASET-06", "HA-DAY-01", "HA-PERIOD-03", "HA-SLEEP-01")
def _dataset_order(deployment: Deployment) -> Steps:
    """Rows ascend by date or period; sleep, days and periods have each once."""
    for dataset in DATASETS:
        label = "period" if dataset in {"weekly", "monthly"} else "date"
        repeats = dataset in {"activity", "hrv", "rhr"}
        labels = [row[label] for row in (yield from read_rows(deployment, dataset))]
        for one, other in pairwise(labels):
            in_order = one < other or (repeats and one == other)
            expect(in_order, f"rows of {dataset} in ascending order", f"{one} before {other}")


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


@SUITE.check("profiles.summary", "HA-INDEX-13", "HA-INDEX-07", "HA-INDEX-08")
def _summary(deployment: Deployment) -> Steps:
    """Summary and list entry of a profile equal its own resources."""
    yield from expect_derived(deployment, "/")
    listed = (yield from read_envelope(f"{ROOT}/profiles", "profiles"))["data"]["profiles"]
    entry = next(one for one in listed if one["id"] == deployment.profile_id)
    cards = (yield from read(deployment, "/metrics", "metrics"))["metrics"]
    overview = yield from read(deployment, "/overview", "overview")
    expected = {card["key"]: card["latest"] for card in cards if card["key"] in entry}
    expected |= {name: overview[name] for name in overview if name in entry}
    expected["last_sync_at"] = overview["latest_sync_at"]
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


@SUITE.check(
    "keys.snapshot-endpoints",
    *("HA-SNAPSHOT-10", "HA-SNAPSHOT-15", "HA-LINK-03", "HA-SNAPSHOT-07"),
)
def _entries(deployment: Deployment) -> Steps:
    """Every listed endpoint is found under its key, percent-encoded, as the snapshot has it."""
    entries = (yield from read(deployment, "/snapshot", "snapshot"))["endpoints"]
    listed = yield from read(deployment, "/snapshot/endpoints", "snapshot-endpoints")
    expect_equal("keys of the index", [one["key"] for one in listed["endpoints"]], list(entries))
    for key in [one["key"] for one in listed["endpoints"] if one["href"] is not None]:
        path = deployment.profile(f"/snapshot/endpoints/{quote(key, safe='')}")
        envelope = yield from read_envelope(path, "snapshot-endpoint")
        expect_equal("meta.endpoint", envelope["meta"]["endpoint"], key)
        found = envelope["data"]
        expect(found == entries[key], f"the entry {key} of the snapshot", found)


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
