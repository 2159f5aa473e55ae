"""Derive resources again from the rows and the snapshot that a deployment serves.

The files of a deployment are not public.  Their content is: the rows of four datasets, and the
account snapshot without secrets.  From these the reference derives the profile again, and with it
the content of every resource.
"""

from collections.abc import Generator, Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from healthapi.account.person import build_person
from healthapi.account.snapshot import read_snapshot
from healthapi.conformance.deployment import Deployment, Plain, envelope_of, read_envelope
from healthapi.http.endpoints import ENDPOINTS, ROOT
from healthapi.http.envelope import Content
from healthapi.http.links import Links
from healthapi.http.resources import OF_PROFILE
from healthapi.http.resources import chart as draw_chart
from healthapi.profile import Profile, Sources, derive
from healthapi.redaction.walk import PrivacySettings
from healthapi.rows.findings import Findings
from healthapi.rows.records import ActivityRow, HrvRow, RhrRow, Rows, SleepLog
from purewire.conformance.checks import (
    Action,
    CheckFailed,
    Compared,
    Part,
    Steps,
    expect_status,
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

    Raises:
        Unchecked: the response has not the published form, or there is no profile.

    """
    path = f"{_start(deployment, profile_id)}{subpath}".rstrip("/")
    target, _, query = path.partition("?")
    found = ((endpoint, endpoint.pattern.fullmatch(target.encode())) for endpoint in ENDPOINTS)
    endpoint, match = next((endpoint, match) for endpoint, match in found if match)
    key = "" if endpoint.key is None else match[endpoint.key.name].decode()
    reply = yield from get(path)
    if query:
        expect_status(reply, 200, rule="HA-QUERY-01")
    envelope = envelope_of(reply, path, endpoint.name)
    profile = yield from _profile(deployment, profile_id, envelope["generated_at"])
    content = OF_PROFILE[endpoint.name](
        profile, endpoint.parse_query(key, query.encode()), Links.relative_to("")
    )
    expected = attrs.asdict(content or Content({}), recurse=False)
    one, other = (
        _compared({part: each[part] for part in ("data", "meta")}) for each in (expected, envelope)
    )
    difference = first_difference(one, other)
    if difference is not None:
        place = difference.pointer
        texts = json_text(difference.expected), json_text(difference.actual)
        compared = Compared(Part.MEMBER, place, *texts, reply.request)
        rule = next((rules[name] for name in reversed(place.split("/")) if name in rules), "")
        raise CheckFailed(f"{place} {texts[0]} of GET {path}", texts[1], compared, rule=rule)


def chart_metadata(deployment: Deployment, chart: str, query: str) -> Generator[Action, Any, Plain]:
    """Return the metadata of a chart as the engine derives them."""
    envelope = yield from read_envelope(deployment.profile("/overview"), "overview")
    profile = yield from _profile(deployment, None, envelope["generated_at"])
    _image, metadata = draw_chart(profile, CHART.parse_query(chart, query.encode()))
    return metadata


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
