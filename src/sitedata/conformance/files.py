"""Checks of the file: JSON, members and their types, publishing rules, members that must agree.

What others decide (a committer's clock, a host with unusual URLs) is compared with the rest of the
file: a check fails for what differs from most, and does not decide where most are unusual.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final
from urllib.parse import unquote

import attrs

from purewire.conformance.checks import (
    CheckFailed,
    ReadClock,
    Reply,
    Steps,
    Unchecked,
    expect,
    expect_equal,
    expect_form,
    expect_status,
    testing,
)
from purewire.conformance.differences import value_at
from purewire.conformance.reads import charset, get, media_type
from purewire.findings import Finding
from purewire.http.conditional import parse_http_date
from purewire.instants import DAY_MS, MINUTE_MS, format_instant
from purewire.structuring.constraints import EXTRA, NAME
from sitedata.conformance.deployment import (
    SUITE,
    Deployment,
    read_snapshot,
    report_of,
    require_snapshot,
)
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.checking import RULES
from sitedata.reading.models import Problem, Snapshot
from sitedata.reading.times import read_day

_SKEW_MS: Final = 5 * MINUTE_MS
"""How far the clocks of a builder and a host may be apart."""
_RULE_OF: Final = {
    "type": "SD-SNAPSHOT-02",
    "number.integral": "SD-JSON-07",
    "number.finite": "SD-JSON-08",
    "text.surrogate": "SD-JSON-09",
    "json.depth": "SD-JSON-05",
}
"""Rule of an error to the rule of the contract, where it is the same for all members."""
_NAMES: Final = {
    field.metadata.get(NAME, field.name)
    for field in attrs.fields(Snapshot)
    if not field.metadata.get(EXTRA)
}
_PROBLEM_RULES: Final = ("SD-SNAPSHOT-09", "SD-PROBLEM-01")
_LIST_OR_OBJECT: Final = re.compile(r"/problems(?:/[0-9]+)?|/ratings")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME: Final = re.compile(
    rf"{_DAY.pattern}[Tt][0-9]{{2}}:[0-9]{{2}}:([0-9]{{2}})(?:\.[0-9]+)?"
    r"(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_BARE_TITLE: Final = re.compile(r"[^\W\d_]|\d+")
_NOT_ENCODED: Final = re.compile(r'[\x00-\x20\x7f"<>\\^`{}]|%(?![0-9A-Fa-f]{2})')
"""What a URL has only percent-encoded."""
_USER: Final = re.compile(r"https://[^/?#]*@", re.IGNORECASE)
_RAW_HOST: Final = "https://raw.githubusercontent.com/"
_WEB_VIEW: Final = re.compile(r"https://github\.com/[^/]+/[^/]+/blob/[^?]*")
_URLS: Final[dict[str, Callable[[Problem], str]]] = {
    "problemUrl": lambda problem: problem.problem_url,
    "githubUrl": lambda problem: problem.github_url,
    "rawUrl": lambda problem: problem.raw_url,
}


@SUITE.check("file.status", "SD-HTTP-01")
def _status(deployment: Deployment) -> Steps:
    """The file is served with status 200."""
    reply = yield from get(deployment.path)
    place = reply.header("location")
    if place is not None:
        expect(
            reply.status == 200,
            "status 200",
            f"status {reply.status} and leads to {place}: test that URL",
        )
    expect_status(reply, 200)


@SUITE.check("file.media-type", "SD-HTTP-02")
def _media_type(deployment: Deployment) -> Steps:
    """The file is served as `application/json`."""
    reply = yield from get(deployment.path)
    expect_equal("media type", media_type(reply), "application/json")


@SUITE.check("file.charset", "SD-HTTP-03")
def _charset(deployment: Deployment) -> Steps:
    """The media type has `charset=utf-8`."""
    reply = yield from get(deployment.path)
    expect_equal("charset", charset(reply), "utf-8")


@SUITE.check("file.json", "SD-JSON-03", "SD-JSON-01", "SD-JSON-09", "SD-FILE-01")
def _json(deployment: Deployment) -> Steps:
    """The body is one JSON text in UTF-8, and an object."""
    reply = yield from get(deployment.path)
    try:
        reply.json()
    except CheckFailed as failed:
        is_utf8 = reply.body.decode("utf-8", "replace").encode() == reply.body
        is_lone = "surrogate" in failed.actual.partition(",")[2]
        failed.rule = "SD-JSON-09" if is_lone else "SD-JSON-03" if is_utf8 else "SD-JSON-01"
        raise
    with testing("SD-FILE-01"):
        reply.object()


def _place(finding: Finding) -> str:
    """Return the member of the file to which a finding belongs, and `submittedAt` on its own.

    It is empty for the file and for members that the contract does not name.
    """
    steps = (*finding.path.split("/"), "")
    if finding.path.startswith("/problems/") and finding.path.endswith("/submittedAt"):
        return "submittedAt"
    return steps[1] if steps[1] in _NAMES else ""


def _rule_of(finding: Finding, reply: Reply) -> str:
    """Return the rule of the contract that an error is about; empty for that of its check."""
    steps = finding.path.split("/")
    if finding.rule == "required":
        return {2: "SD-SNAPSHOT-01", 4: "SD-PROBLEM-01"}.get(len(steps), "")
    if finding.rule == "type" and _LIST_OR_OBJECT.fullmatch(finding.path):
        return ""
    if finding.rule == "date.real":
        return "SD-TIME-07" if _DAY.fullmatch(steps[-1]) else ""
    if finding.rule == "time.format" and steps[-1] == "submittedAt":
        form = _TIME.fullmatch(str(value_at(reply.json(), finding.path)))
        return "SD-TIME-01" if form is None else "SD-TIME-03"
    return _RULE_OF.get(finding.rule, "")


def _is_valid(place: str, deployment: Deployment) -> Steps:
    reply = yield from get(deployment.path)
    report = report_of(reply)
    errors = [finding for finding in report.errors if _place(finding) == place]
    if not errors and len(report.errors) >= FINDINGS_CAP:
        raise Unchecked(f"the first {FINDINGS_CAP} errors are elsewhere", inconclusive=True)
    if errors:
        expect_form(reply, errors, rule=_rule_of(errors[0], reply))


_MEMBERS: Final = (
    ("members", "", "Members that the contract does not name are JSON values", ()),
    ("repository", "repository", "`repository` has owner, name and branch", ("SD-SNAPSHOT-03",)),
    (
        "generated-at",
        "generatedAt",
        "`generatedAt` is an instant in UTC with milliseconds and `Z`",
        ("SD-SNAPSHOT-04",),
    ),
    ("source-ref", "sourceRef", "`sourceRef` is text", ("SD-SNAPSHOT-02",)),
    (
        "commit-count",
        "commitCount",
        "`commitCount` is 0 or more",
        ("SD-SNAPSHOT-06", "SD-JSON-07", "SD-JSON-08"),
    ),
    (
        "contributions",
        "contributions",
        "`contributions` maps existing days to integers of 0 or more",
        ("SD-SNAPSHOT-08", "SD-TIME-07", "SD-JSON-07", "SD-JSON-08"),
    ),
    ("problems", "problems", "`problems` is a list of problems with all members", _PROBLEM_RULES),
    (
        "times",
        "submittedAt",
        "`submittedAt` is a time with an offset, or null",
        ("SD-TIME-01", "SD-TIME-03", "SD-PROBLEM-01"),
    ),
    ("ratings", "ratings", "`ratings` is an object", ("SD-SNAPSHOT-10",)),
)
for _name, _member, _title, _rules in _MEMBERS:
    _all = (*_rules, "SD-SNAPSHOT-01", "SD-SNAPSHOT-02", "SD-JSON-05", "SD-JSON-08")
    SUITE.add(f"file.{_name}", _title, _all, partial(_is_valid, _member))


@SUITE.check("file.no-commits", "SD-FILE-06")
def _no_commits(deployment: Deployment) -> Steps:
    """The file has no list of recent commits."""
    _, snapshot = yield from read_snapshot(deployment)
    for name, value in snapshot.extra.items():
        is_list = "commit" in name.lower() and isinstance(value, list | dict)
        expect(not is_list, "no recent commits, which come from elsewhere", name)


# Members that must agree


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


@SUITE.check("file.built-after-commits", "SD-SNAPSHOT-04", "SD-PROBLEM-06")
def _built_after_commits(deployment: Deployment) -> Steps:
    """The file was built after the commits that it dates and counts."""
    _, snapshot = yield from read_snapshot(deployment)
    latest = snapshot.generated_at + DAY_MS  # the day of a commit may be that of another zone
    for rule, name, instants in (
        (
            "SD-PROBLEM-06",
            "submittedAt",
            [problem.instant for problem in snapshot.problems if problem.instant is not None],
        ),
        (
            "SD-SNAPSHOT-04",
            "contributions",
            [read_day(day) * DAY_MS for day in snapshot.contributions],
        ),
    ):
        with testing(rule):
            _expect_of_most(
                [instant <= latest for instant in instants],
                f"no {name} after generatedAt",
                "the clock of a committer may have been wrong",
            )


def _expect_of_most(agree: list[bool], expected: str, otherwise: str) -> None:
    """Expect that all agree; do not decide if fewer than half break it."""
    others = agree.count(False)
    minority = f"{others} of {len(agree)}"
    expect(others * 2 < len(agree) or not others, expected, minority)
    if others:
        raise Unchecked(f"{minority} break it: {expected}; {otherwise}", inconclusive=True)


@SUITE.check("file.titles", "SD-PROBLEM-08")
def _titles(deployment: Deployment) -> Steps:
    """No title is a single letter or a number."""
    _, snapshot = yield from read_snapshot(deployment)
    for problem in snapshot.problems:
        is_bare = _BARE_TITLE.fullmatch(problem.title) is not None
        expect(not is_bare, f"the contest before the title of {problem.path}", problem.title)


@SUITE.check("publishing.encoded-urls", "SD-LINK-07", "SD-LINK-09")
def _encoded_urls(deployment: Deployment) -> Steps:
    """URLs are percent-encoded, and have no user name and password."""
    _, snapshot = yield from read_snapshot(deployment)
    for problem in snapshot.problems:
        for member, url_of in _URLS.items():
            url = url_of(problem)
            expect(_NOT_ENCODED.search(url) is None, f"a percent-encoded {member}", url)
            has_user = _USER.match(url) is not None
            expect(not has_user, f"no credentials in {member}", url, rule="SD-LINK-09")


@SUITE.check("publishing.file-urls", "SD-PROBLEM-05")
def _file_urls(deployment: Deployment) -> Steps:
    """`githubUrl` and `rawUrl` lead to the file, below one URL each for the whole repository."""
    _, snapshot = yield from read_snapshot(deployment)
    for problem in snapshot.problems:
        is_raw = problem.github_url.startswith(_RAW_HOST)
        expect(not is_raw, "a web view as githubUrl", problem.github_url)
        is_web = _WEB_VIEW.fullmatch(problem.raw_url) is not None
        expect(not is_web, "the raw file as rawUrl", problem.raw_url)
    for member in ("githubUrl", "rawUrl"):
        around = [_around(problem, _URLS[member](problem)) for problem in snapshot.problems]
        ((usual, count),) = Counter(around).most_common(1) or [(None, 0)]
        if usual is None or count * 2 <= len(around):
            raise Unchecked(f"{member} has no usual form with the path of the file")
        for problem, parts in zip(snapshot.problems, around, strict=True):
            expected = f"{member} {problem.path.join(usual)}"
            expect(parts == usual, expected, _URLS[member](problem))


def _around(problem: Problem, url: str) -> tuple[str, str] | None:
    """Return what is before and after the path of a file in a URL; None if it is not in it."""
    if not problem.path:
        return None
    before, path, after = unquote(url.partition("#")[0]).rpartition(problem.path)
    return (before, after) if path else None


# Publishing rules


def _keeps_rule(rule: str, expected: str, deployment: Deployment) -> Steps:
    report = report_of((yield from get(deployment.path)))
    require_snapshot(report)
    warnings = [finding for finding in report.warnings if finding.rule == rule]
    if not warnings and len(report.warnings) >= FINDINGS_CAP:
        raise Unchecked(f"the first {FINDINGS_CAP} warnings are others", inconclusive=True)
    places = ", ".join(finding.path for finding in warnings[:10])
    expect(not warnings, expected, f"{len(warnings)} times: {places}")


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
