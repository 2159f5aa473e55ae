"""Checks of the file: JSON, members and their types, publishing rules."""

from functools import partial
from typing import Final

from purewire.conformance.checks import (
    CheckFailed,
    ReadClock,
    Steps,
    Unchecked,
    expect,
    expect_equal,
)
from purewire.conformance.reads import get, media_type
from purewire.findings import Finding
from purewire.http.conditional import parse_http_date
from purewire.instants import MINUTE_MS, format_instant
from purewire.json import codec
from sitedata.conformance.deployment import (
    SUITE,
    Deployment,
    read_report,
    read_snapshot,
    require_snapshot,
)
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.checking import RULES

_BOM: Final = b"\xef\xbb\xbf"
_SKEW_MS: Final = 5 * MINUTE_MS
"""How far the clocks of a builder and a host may be apart."""


@SUITE.check("file.status", "SD-HTTP-01")
def _status(deployment: Deployment) -> Steps:
    """The file is served with status 200."""
    reply = yield from get(deployment.path)
    place = reply.header("location")
    others = "" if place is None else f" and leads to {place}: test that URL"
    expect(reply.status == 200, "status 200", f"status {reply.status}{others}")


@SUITE.check("file.media-type", "SD-HTTP-02")
def _media_type(deployment: Deployment) -> Steps:
    """The file is served as `application/json`."""
    reply = yield from get(deployment.path)
    expect_equal("media type", media_type(reply), "application/json")


@SUITE.check("file.charset", "SD-HTTP-03")
def _charset(deployment: Deployment) -> Steps:
    """The media type has `charset=utf-8`."""
    reply = yield from get(deployment.path)
    found = (reply.header("content-type") or "").lower().partition("charset=")[2].strip('" ')
    expect_equal("charset", found, "utf-8")


@SUITE.check("file.json", "SD-FILE-01", "SD-JSON-01", "SD-JSON-03", "SD-JSON-09")
def _json(deployment: Deployment) -> Steps:
    """The body is one JSON text in UTF-8, and an object."""
    reply = yield from get(deployment.path)
    try:
        value = codec.decode(reply.body.removeprefix(_BOM))
    except ValueError as error:
        raise CheckFailed("JSON text in UTF-8", f"{error} in {reply.body[:80]!r}") from error
    expect(isinstance(value, dict), "a JSON object", reply.body)


def _place(finding: Finding) -> str:
    """Return the member of the file to which a finding belongs, and `submittedAt` on its own."""
    steps = finding.path.split("/")
    return "submittedAt" if steps[-1] == "submittedAt" else (*steps, "")[1]


def _is_valid(places: tuple[str, ...], deployment: Deployment) -> Steps:
    report = yield from read_report(deployment)
    found = [finding for finding in report.errors if _place(finding) in places]
    if not found and len(report.errors) >= FINDINGS_CAP:
        raise Unchecked(f"the first {FINDINGS_CAP} errors are elsewhere", inconclusive=True)
    expect(not found, "no error of the form", "; ".join(map(str, found[:10])))


_MEMBERS: Final = (
    ("members", ("",), "It is an object", ("SD-SNAPSHOT-01", "SD-SNAPSHOT-02")),
    ("repository", ("repository",), "`repository` has owner, name and branch", ("SD-SNAPSHOT-03",)),
    (
        "generated-at",
        ("generatedAt",),
        "`generatedAt` is an instant in UTC with milliseconds and `Z`",
        ("SD-SNAPSHOT-04",),
    ),
    ("source-ref", ("sourceRef",), "`sourceRef` is text", ("SD-SNAPSHOT-05",)),
    ("commit-count", ("commitCount",), "`commitCount` is 0 or more", ("SD-SNAPSHOT-06",)),
    (
        "contributions",
        ("contributions",),
        "`contributions` maps existing days to integers of 0 or more",
        ("SD-SNAPSHOT-08", "SD-TIME-07"),
    ),
    (
        "problems",
        ("problems",),
        "`problems` is a list of problems with all members",
        ("SD-SNAPSHOT-09", "SD-PROBLEM-01", "SD-SNAPSHOT-02"),
    ),
    (
        "times",
        ("submittedAt",),
        "`submittedAt` is a time with an offset, or null",
        ("SD-PROBLEM-06", "SD-TIME-01", "SD-TIME-03", "SD-TIME-05"),
    ),
    ("ratings", ("ratings",), "`ratings` is an object", ("SD-SNAPSHOT-10",)),
)
for _name, _places, _title, _rules in _MEMBERS:
    SUITE.add(
        f"file.{_name}",
        _title,
        (*_rules, "SD-SNAPSHOT-01"),
        partial(_is_valid, _places),
    )


@SUITE.check("file.built-in-the-past", "SD-SNAPSHOT-04")
def _built_in_the_past(deployment: Deployment) -> Steps:
    """The file was built before it is served."""
    reply, snapshot = yield from read_snapshot(deployment)
    local: int = yield ReadClock()
    date = parse_http_date(reply.header("date") or "")
    now = local if date is None else date
    text = format_instant(snapshot.generated_at)
    expect(
        snapshot.generated_at <= now + _SKEW_MS, f"generatedAt up to {format_instant(now)}", text
    )


def _keeps_rule(rule: str, expected: str, deployment: Deployment) -> Steps:
    report = yield from read_report(deployment)
    require_snapshot(report)
    found = [finding for finding in report.warnings if finding.rule == rule]
    if not found and len(report.warnings) >= FINDINGS_CAP:
        raise Unchecked(f"the first {FINDINGS_CAP} warnings are others", inconclusive=True)
    places = ", ".join(finding.path for finding in found[:10])
    expect(not found, expected, f"{len(found)} times: {places}")


_PUBLISHING: Final = {
    "path.unique": ("SD-PUBLISH-01", "Each path"),
    "path.relative": ("SD-PUBLISH-02", "Each path"),
    "path.segment": ("SD-PUBLISH-03", "Each path"),
    "path.platform": ("SD-PUBLISH-04", "Each platform"),
    "url.https": ("SD-PUBLISH-05", "Each URL"),
    "contributions.positive": ("SD-PUBLISH-06", "The count of each day"),
    "contributions.sum": ("SD-PUBLISH-07", "commitCount"),
}
"""Rule id to the id in the contract, and the subject of the rule's message."""
for _rule, (_id, _subject) in _PUBLISHING.items():
    _text = f"{_subject} {RULES[_rule]}"
    SUITE.add(
        f"publishing.{_rule.replace('.', '-')}", _text, (_id,), partial(_keeps_rule, _rule, _text)
    )
