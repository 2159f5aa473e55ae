"""Checks of values: those that the engine derives from the served rows, and order and links.

The files of a deployment are not public.  Their content is: the rows of four datasets, and the
account snapshot without secrets.  From these the engine derives the profile again, and with it the
content of every resource.
"""

from collections.abc import Generator, Mapping
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote, urlsplit

import attrs

from healthapi.account.person import build_person
from healthapi.account.snapshot import read_snapshot
from healthapi.catalog_keys import DATASETS, DOMAINS
from healthapi.conformance.deployment import (
    SUITE,
    Deployment,
    Plain,
    envelope_of,
    plain_value,
    read,
    read_envelope,
)
from healthapi.http.endpoints import ENDPOINTS, ROOT
from healthapi.http.envelope import Content, Links
from healthapi.http.resources import OF_PROFILE, chart_data
from healthapi.profile import Profile, Sources, derive
from healthapi.redaction import PrivacySettings
from healthapi.rows.findings import Findings
from healthapi.rows.records import ActivityRow, HrvRow, RhrRow, Rows, SleepLog
from purewire.conformance.checks import (
    Action,
    CheckFailed,
    Compared,
    Part,
    Steps,
    Unchecked,
    expect,
    expect_equal,
    expect_status,
    testing,
)
from purewire.conformance.differences import first_difference, json_text
from purewire.conformance.reads import get
from purewire.json import codec

PUBLISHED: Final = PrivacySettings(**{field.name: True for field in attrs.fields(PrivacySettings)})
"""An owner who publishes every personal value; secrets stay secret."""
_FILES: Final = ("activity", "sleep", "hrv", "rhr")
_FOR_PEOPLE: Final = {"label", "detail", "hint", "description", "href", "links"}
_NOT_SERVED: Final = {
    *("full_name", "country", "encoded_id", "height_cm", "weight_kg"),
    *("omissions", "latest_is_partial"),
}
"""Members that depend on settings, on the files, or on when these were written."""
CHART: Final = next(endpoint for endpoint in ENDPOINTS if endpoint.kind == "svg")


def read_rows(
    deployment: Deployment, dataset: str, profile_id: str | None = None
) -> Generator[Action, Any, list[Plain]]:
    """Return all rows of a dataset, page by page."""
    rows: list[Plain] = []
    while True:
        subpath = f"/datasets/{dataset}?limit=1000&offset={len(rows)}"
        path = f"{_start(deployment, profile_id)}{subpath}"
        envelope = yield from read_envelope(path, "dataset")
        page = envelope["data"]["rows"]
        rows += page
        if not page or len(rows) >= envelope["meta"]["total"]:
            return rows


def expect_derived(
    deployment: Deployment,
    subpath: str,
    *,
    rules: Mapping[str, str] = MappingProxyType({}),
    profile_id: str | None = None,
) -> Steps:
    """Expect the content of a resource as the engine derives it.

    Args:
        deployment: the deployment.
        subpath: what is requested below the profile, with its query; `/` for the profile itself.
        rules: member to the rule about it; the innermost one of a difference that has a rule wins.
        profile_id: the profile; by default that of the deployment.

    """
    path = f"{_start(deployment, profile_id)}{subpath}".rstrip("/")
    target, _, query = path.partition("?")
    matches = ((endpoint, endpoint.pattern.fullmatch(target.encode())) for endpoint in ENDPOINTS)
    endpoint, match = next((endpoint, match) for endpoint, match in matches if match)
    key = "" if endpoint.key is None else match[endpoint.key.name].decode()
    reply = yield from get(path)
    if query:
        expect_status(reply, 200, rule="HA-QUERY-01")
    body: Any = plain_value(reply)
    profile = deployment.derived.get(profile_id or deployment.profile_id or "")
    is_object = isinstance(body, dict)
    if not is_object or profile is None or body.get("generated_at") != profile.generated_at:
        body = envelope_of(reply, path, endpoint.name)
        profile = yield from _profile(deployment, profile_id, body["generated_at"])
    content = OF_PROFILE[endpoint.name](
        profile, endpoint.parse_query(key, query.encode()), Links.relative_to("")
    )
    expected = attrs.asdict(content or Content({}), recurse=False)
    one, other = (
        {part: value.get(part) for part in ("data", "meta")} for value in (expected, body)
    )
    if codec.encode(one) == codec.encode(other):
        return
    difference = first_difference(_compared(one), _compared(other))
    if difference is not None:
        envelope_of(reply, path, endpoint.name)  # raises for another form
        place = difference.pointer
        texts = json_text(difference.expected), json_text(difference.actual)
        compared = Compared(Part.MEMBER, place, *texts, reply.request)
        rule = next((rules[name] for name in reversed(place.split("/")) if name in rules), "")
        raise CheckFailed(f"{place} {texts[0]} of GET {path}", texts[1], compared, rule=rule)


def chart_metadata(
    deployment: Deployment, chart: str, query: str, shown: object
) -> Generator[Action, Any, Plain]:
    """Return the metadata of a chart as the engine derives them.

    They are those of the profile as it was read last if a response shows these, else as it is now.
    """
    parsed = CHART.parse_query(chart, query.encode())
    known = deployment.derived.get(deployment.profile_id or "")
    if known is not None and (metadata := chart_data(known, parsed)[1]) == shown:
        return metadata
    envelope = yield from read_envelope(deployment.profile("/overview"), "overview")
    profile = yield from _profile(deployment, None, envelope["generated_at"])
    return chart_data(profile, parsed)[1]


def _start(deployment: Deployment, profile_id: str | None) -> str:
    return deployment.profile() if profile_id is None else f"{ROOT}/profiles/{profile_id}"


def _profile(
    deployment: Deployment, profile_id: str | None, generated_at: str
) -> Generator[Action, Any, Profile]:
    """Return the profile that the engine derives from what the deployment serves at a time."""
    name = profile_id or deployment.profile_id or ""
    known = deployment.derived.get(name)
    if known is None or known.generated_at != generated_at:
        sources = yield from _sources(deployment, name)
        known = deployment.derived[name] = derive(sources, generated_at=generated_at)
    return known


def _sources(deployment: Deployment, name: str) -> Generator[Action, Any, Sources]:
    rows = {}
    for dataset in _FILES:
        rows[dataset] = yield from read_rows(deployment, dataset, name)
    below = f"{ROOT}/profiles/{name}"
    coverage = (yield from read_envelope(f"{below}/coverage", "coverage"))["data"]
    status = (yield from read_envelope(f"{below}/snapshot-status", "snapshot-status"))["data"]
    public = (yield from read_envelope(f"{below}/snapshot", "snapshot"))["data"]
    snapshot = read_snapshot(codec.encode(public), PUBLISHED) if status["has_snapshot"] else None
    return Sources(
        name,
        _columns("activity", ActivityRow, rows["activity"]),
        _columns("sleep", SleepLog, _logs(rows["sleep"])),
        _columns("hrv", HrvRow, rows["hrv"]),
        _columns("rhr", RhrRow, rows["rhr"]),
        {dataset: _findings(coverage[dataset]) for dataset in _FILES},
        {},
        snapshot,
        build_person(name, snapshot, PUBLISHED),
    )


def _columns(key: str, row: type[Any], rows: list[Plain]) -> Rows[Any]:
    columns = {
        field.name: tuple(plain.get(field.name) for plain in rows) for field in attrs.fields(row)
    }
    return Rows(key, row, columns)


def _logs(nights: list[Plain]) -> list[Plain]:
    """Return sleep logs of which the engine selects these nights: each with its naps."""
    logs = []
    for night in nights:
        naps = night["nap_count"] - (not night["is_main_sleep"])
        logs += [night, *[{"date": night["date"], "is_main_sleep": False}] * naps]
    return logs


def _findings(coverage: Plain) -> Findings:
    rejected, unreadable = coverage.get("rejected_rows"), coverage.get("unreadable_cells")
    return Findings((), 0, rejected or 0, unreadable or 0)


def _compared(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value without texts for people, and without members that no response tells.

    A failed endpoint counts as skipped: these differ in a member which is not published.
    """
    if isinstance(value, list | tuple):
        return [_compared(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: "skipped" if name == "status" and member == "failed" else _compared(member)
        for name, member in value.items()
        if not (name in _FOR_PEOPLE or name.endswith("_label") or name in _NOT_SERVED)
        and not (name == "summary" and isinstance(member, str))
    }


_MOMENT: Final = "latest_sync_at=HA-OVERVIEW-04"
_FIGURES: Final = (
    "HA-CARD-11 latest=HA-CARD-11 latest_date=HA-CARD-11 avg7=HA-CARD-12 avg30=HA-CARD-12"
    " unit=HA-KEY-12 goal=HA-CARD-14 direction=HA-CARD-21 improving=HA-CARD-22 delta=HA-CARD-18"
    " percent=HA-CARD-19 HA-CARD-13 HA-CARD-16 HA-CARD-17 HA-CARD-20"
)
_PERIODS: Final = (
    "HA-PERIOD-03 days=HA-PERIOD-04 sleep_score=HA-PERIOD-05 hrv=HA-PERIOD-05 rhr=HA-PERIOD-05"
    " sleep_hours=HA-PERIOD-08 steps=HA-PERIOD-06 active_minutes=HA-PERIOD-06"
    " active_zone_minutes=HA-PERIOD-06 calories_out=HA-PERIOD-06 HA-PERIOD-07 HA-PERIOD-09"
    " HA-PERIOD-10 HA-PERIOD-12 HA-PERIOD-13 columns=HA-DATASET-05 partial_periods=HA-PERIOD-11"
)
_ROWS: Final = "HA-DATASET-06 columns=HA-DATASET-05 coverage=HA-DATASET-04 HA-DATASET-02"
_POINTS: Final = (
    "HA-DATASET-10 metrics=HA-DATASET-09 dimension=HA-DATASET-08 total=HA-QUERY-10"
    " count=HA-QUERY-09 available_metrics=HA-DATASET-12 partial_periods=HA-PERIOD-11"
    " HA-DATASET-07 HA-DATASET-11 HA-DATASET-15"
)
_CONTENT: Final[dict[str, str]] = {
    "profile": "HA-INDEX-13",
    "dashboard": "HA-DASHBOARD-04 charts=HA-DASHBOARD-03 stats=HA-DASHBOARD-02",
    "catalog": "HA-CATALOG-02 status_counts=HA-CATALOG-03 snapshot_completion=HA-CATALOG-04"
    " view=HA-CATALOG-06 severity=HA-CATALOG-07 status=HA-CATALOG-08 issue_count=HA-CATALOG-10"
    " coverage=HA-CATALOG-17 sources=HA-CATALOG-22 HA-CATALOG-09 HA-CATALOG-19",
    "overview": f"HA-OVERVIEW-03 {_MOMENT} nap_count_today=HA-OVERVIEW-05"
    " missing_scopes_count=HA-OVERVIEW-07 snapshot_ok_count=HA-COVERAGE-04"
    " snapshot_total_count=HA-OVERVIEW-06 recovery_score=HA-RECOVERY-01"
    " recovery_status=HA-RECOVERY-10 sleep_goal_minutes=HA-PERSON-10 daily_steps_goal=HA-PERSON-11"
    " device_count=HA-PERSON-13 badge_count=HA-PERSON-13 HA-RECOVERY-02 HA-RECOVERY-03"
    " HA-RECOVERY-04 HA-RECOVERY-05 HA-RECOVERY-06 HA-RECOVERY-07 HA-RECOVERY-08 HA-RECOVERY-09",
    "coverage": "HA-COVERAGE-02 snapshot=HA-COVERAGE-03 rejected_rows=HA-COVERAGE-06"
    " unreadable_cells=HA-COVERAGE-06 HA-COVERAGE-04",
    "metrics": f"HA-CARD-01 {_FIGURES}",
    "metrics.sleep_score": f"HA-CARD-02 {_FIGURES}",
    "metrics.sleep_hours": f"HA-CARD-03 {_FIGURES}",
    "metrics.steps": f"HA-CARD-04 {_FIGURES.replace('HA-CARD-14', 'HA-CARD-15')}",
    "metrics.active_minutes": f"HA-CARD-05 {_FIGURES}",
    "metrics.active_zone_minutes": f"HA-CARD-06 {_FIGURES}",
    "metrics.hrv": f"HA-CARD-07 {_FIGURES}",
    "metrics.rhr": f"HA-CARD-08 {_FIGURES}",
    "metrics.calories_out": f"HA-CARD-09 {_FIGURES}",
    "correlations": "HA-CORRELATION-01 points=HA-CORRELATION-03 coefficient=HA-CORRELATION-04"
    " strength=HA-CORRELATION-06 HA-CORRELATION-05",
    "snapshot-status": "HA-SNAPSHOT-16 has_profile=HA-SNAPSHOT-17 has_sleep_goal=HA-SNAPSHOT-17"
    " missing_scopes=HA-SNAPSHOT-18 has_snapshot=HA-SNAPSHOT-19",
    "datasets": "HA-DATASET-01 coverage=HA-COVERAGE-05",
    "datasets.activity": _ROWS,
    "datasets.sleep": f"{_ROWS} sleep_hours=HA-SLEEP-10 deep_pct=HA-SLEEP-11 rem_pct=HA-SLEEP-11"
    " HA-SLEEP-12 HA-SLEEP-13",
    "datasets.hrv": _ROWS,
    "datasets.rhr": _ROWS,
    "datasets.daily": "HA-DAY-01 nap_count=HA-DAY-06 columns=HA-DATASET-05 HA-DAY-02 HA-DAY-04"
    " partial_periods=HA-PERIOD-11 HA-DAY-05",
    "datasets.weekly": f"period=HA-PERIOD-01 {_PERIODS}",
    "datasets.monthly": f"period=HA-PERIOD-02 {_PERIODS}",
    "series.daily": f"{_POINTS} HA-DATASET-13",
    "series.weekly": f"{_POINTS} period=HA-PERIOD-01 HA-DATASET-14",
    "series.monthly": f"{_POINTS} period=HA-PERIOD-02 HA-DATASET-14",
    "sections": "HA-SECTION-01 HA-SECTION-02 HA-KEY-09",
    "sections.body": "HA-SECTION-03 HA-SECTION-04 HA-SECTION-05 HA-SECTION-06 HA-SECTION-07",
    "sections.vitals": "HA-SECTION-08 HA-SECTION-09 HA-SECTION-10 HA-SECTION-11",
    "sections.lifestyle": "HA-SECTION-12 HA-SECTION-13 HA-SECTION-14",
    "sections.account": "HA-SECTION-15 requested_scopes=HA-SECTION-16 missing_scopes=HA-SECTION-16"
    " granted_scopes=HA-SECTION-16 alarms_count=HA-SECTION-16 HA-SECTION-17",
    "tables": "HA-TABLE-01 HA-KEY-10",
    "tables.sleep": "HA-TABLE-05 date=HA-TABLE-04",
    "tables.activity": "HA-TABLE-06 date=HA-TABLE-04",
    "tables.recovery": "HA-TABLE-07 date=HA-TABLE-04",
    "tables.body": "HA-TABLE-09 date=HA-TABLE-08",
    "tables.vitals": "HA-TABLE-10",
    "tables.foods": "HA-TABLE-11 name=HA-TABLE-12 amount=HA-TABLE-12",
    "tables.devices": "HA-TABLE-13 device=HA-TABLE-14 status=HA-TABLE-14",
    "tables.badges": "HA-TABLE-15",
    "tables.alarms": "HA-TABLE-16",
    "tables.endpoints": "HA-TABLE-17 status=HA-TABLE-19 group=HA-TABLE-18 scope=HA-TABLE-18"
    " http_status=HA-TABLE-18 updated_at=HA-TABLE-18",
    "snapshot": "HA-SNAPSHOT-10 granted_scopes=HA-PRIVACY-04",
    "snapshot-endpoints": "HA-SNAPSHOT-14",
}
"""Resource, with its key, to the rules about its content: the first one is that of members which
have none of their own, `member=rule`."""
_PLACES: Final = {"profile": "/", "snapshot-endpoints": "/snapshot/endpoints"}
"""Resource to its path below the profile, where that is not its name."""


def _has_content(name: str, rules: dict[str, str], deployment: Deployment) -> Steps:
    subpath = _PLACES.get(name, f"/{name.replace('.', '/')}")
    if name.startswith("datasets."):
        subpath += "?limit=1000"
    deployment.profile()
    for profile_id in deployment.readable_ids:
        yield from expect_derived(deployment, subpath, rules=rules, profile_id=profile_id)


for _name, _cited in _CONTENT.items():
    _of_members = dict(word.split("=") for word in _cited.split() if "=" in word)
    _rules = [word for word in _cited.split() if "=" not in word] + [*_of_members.values()]
    SUITE.add(
        f"{_name}.content" if "." not in _name else _name,
        f"{_name} has the content that follows from the served rows and snapshot",
        _rules,
        partial(_has_content, _name, _of_members),
    )


@SUITE.check(
    "profiles.empty",
    *("HA-ENVELOPE-15", "HA-COVERAGE-02", "HA-RECOVERY-11", "HA-CARD-13", "HA-CARD-17"),
    *("HA-SNAPSHOT-19", "HA-PERSON-14", "HA-CATALOG-11", "HA-OVERVIEW-06"),
)
def _no_data(deployment: Deployment) -> Steps:
    """Without data counts are 0 and what is not known is null; nothing is missing."""
    name = deployment.empty()
    path = f"{ROOT}/profiles/{name}/snapshot-status"
    if (yield from read_envelope(path, "snapshot-status"))["data"]["has_snapshot"]:
        raise Unchecked("the profile without days has a snapshot")
    rules = {"count": "HA-COVERAGE-02", "recovery_score": "HA-RECOVERY-11", "avg7": "HA-CARD-13"}
    for resource in ("coverage", "metrics", "overview", "correlations", "tables", "sections"):
        yield from expect_derived(deployment, f"/{resource}", profile_id=name, rules=rules)
    with testing("HA-SNAPSHOT-19"):
        for resource in ("snapshot", "snapshot-status", "catalog"):
            yield from expect_derived(deployment, f"/{resource}", profile_id=name)


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
def _catalog_sources(deployment: Deployment) -> Steps:
    """Each domain has its sources, and each source can be requested under its key."""
    folders = {"dataset": "datasets", "table": "tables", "section": "sections"}
    for domain in (yield from read(deployment, "/catalog", "catalog"))["domains"]:
        sources = [(source["kind"], source["key"]) for source in domain["sources"]]
        expect_equal(f"sources of {domain['key']}", sources, list(DOMAINS[domain["key"]].sources))
        for kind, key in sources:
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
    actual = {name: entry[name] for name in expected}
    expect(actual == expected, f"the entry {expected}", actual)


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
        actual = envelope["data"]
        expect(actual == entries[key], f"the entry {key} of the snapshot", actual)


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
