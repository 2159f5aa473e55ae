"""Vectors of site data: files, order, calendar and the cache of a client."""

# ruff: noqa: E501 # tables of cases

from collections.abc import Iterator
from typing import Any, Final

import attrs

from sitedata import (
    CacheState,
    Outcome,
    SiteDataError,
    calendar_of,
    check,
    encode,
    ordered,
    parse,
)
from sitedata.reading.models import Problem, Snapshot
from sitedata.testing.strategies import CASES
from support.sitedata.site_examples import PLAIN as EXAMPLE
from support.vectors.derived import derived
from support.vectors.device_bodies import DROP, Edits, Raw, edited, text
from support.vectors.topics import Case, Json, Topic, body_bytes

__all__ = ["CACHE", "CALENDAR", "FILES", "ORDER"]

NOON: Final = 1_769_857_200_000
"""When the example is generated: 2026-01-31T11:00:00.000Z."""
_TIME: Final = "problems.0.submittedAt"
_PLAIN: Final = edited(EXAMPLE, {"problems.0.title": "A"})
"""The file of the frozen cases."""
_TWO: Final = [_PLAIN["problems"][0], _PLAIN["problems"][0] | {"title": "Other"}]

# Title, rules, edits, errors; a broken publishing rule is written with an exclamation mark.
_FILES: Final[tuple[tuple[str, str, Edits, str], ...]] = (
    ("a complete file", "SD-SNAPSHOT-01 SD-PROBLEM-01", {}, ""),
    ("no problems", "SD-SNAPSHOT-09", {"problems": []}, ""),
    ("a missing commit count", "SD-SNAPSHOT-01", {"commitCount": DROP}, "/commitCount required"),
    ("missing ratings", "SD-SNAPSHOT-01", {"ratings": DROP}, "/ratings required"),
    ("a branch that is null", "SD-SNAPSHOT-02 SD-SNAPSHOT-03", {"repository.branch": None}, "/repository/branch type"),
    ("a commit count of 3.0", "SD-JSON-07 SD-SNAPSHOT-06", {"commitCount": Raw("3.0")}, ""),
    ("a commit count of 3.5", "SD-JSON-07 SD-SNAPSHOT-06", {"commitCount": 3.5}, "/commitCount number.integral"),
    ("a commit count of true", "SD-JSON-07", {"commitCount": True}, "/commitCount type"),
    ("a negative commit count", "SD-SNAPSHOT-06", {"commitCount": -1}, "/commitCount number.range"),
    ("a commit count beyond every double", "SD-JSON-08", {"commitCount": Raw("1e999")}, "/commitCount number.finite"),
    ("a build time without milliseconds", "SD-SNAPSHOT-04", {"generatedAt": "2026-01-31T11:00:00Z"}, "/generatedAt time.format"),
    ("a build time with an offset", "SD-SNAPSHOT-04", {"generatedAt": "2026-01-31T12:00:00.000+01:00"}, "/generatedAt time.format"),
    ("a build time that does not exist", "SD-SNAPSHOT-04", {"generatedAt": "2026-02-30T12:00:00.000Z"}, "/generatedAt time.format"),
    ("contributions on a day that does not exist", "SD-SNAPSHOT-08 SD-TIME-07", {"contributions": {"2026-02-29": 3}}, "/contributions/2026-02-29 date.real"),
    ("contributions of another form of day", "SD-SNAPSHOT-08", {"contributions": {"2026-1-30": 3}}, "/contributions/2026-1-30 date.real"),
    ("contributions on a leap day", "SD-SNAPSHOT-08 SD-TIME-07", {"contributions": {"2024-02-29": 3}}, ""),
    ("contributions in the year 0001", "SD-TIME-07", {"contributions": {"0001-01-01": 3}}, ""),
    ("contributions in the year 0000", "SD-TIME-07", {"contributions": {"0000-02-29": 3}}, "/contributions/0000-02-29 date.real"),
    ("a negative contribution", "SD-SNAPSHOT-08", {"contributions": {"2026-01-30": -1}}, "/contributions/2026-01-30 number.range"),
    ("a contribution of 0", "SD-PUBLISH-06 SD-PUBLISH-08", {"contributions": {"2026-01-30": 0, "2026-01-31": 3}}, "!/contributions/2026-01-30 contributions.positive"),
    ("contributions that do not sum to the count", "SD-PUBLISH-07 SD-PUBLISH-08", {"commitCount": 4}, "!/commitCount contributions.sum"),
    ("an unknown member at every level", "SD-OPEN-01 SD-OPEN-02 SD-ENCODE-02", {"license": "MIT", "repository.stars": 3, "problems.0.tags": [{"a": None}]}, ""),
    ("a member in another case", "SD-OPEN-05 SD-SNAPSHOT-01", {"sourceRef": DROP, "sourceref": "main"}, "/sourceRef required"),
    ("a rating that is an object", "SD-OPEN-04", {"ratings": {"atcoder": {"rating": 1200}}}, ""),
    ("an unknown platform", "SD-OPEN-03 SD-PROBLEM-03", {"problems.0.platform": "Judge", "problems.0.path": "Judge/a.py"}, ""),
    ("empty text and control characters", "SD-SNAPSHOT-12", {"sourceRef": "", "problems.0.title": "a\tb\u0000"}, ""),
    ("an escaped lone surrogate", "SD-JSON-09", {"sourceRef": Raw(r'"\ud800"')}, "invalid_json"),
    ("a missing title", "SD-PROBLEM-01", {"problems.0.title": DROP}, "/problems/0/title required"),
    ("a missing time", "SD-PROBLEM-01", {_TIME: DROP}, "/problems/0/submittedAt required"),
    ("an unknown time", "SD-PROBLEM-06", {_TIME: None}, ""),
    ("a time with Z", "SD-TIME-01", {_TIME: "2026-01-31T11:00:00Z"}, ""),
    ("a time without an offset", "SD-TIME-01", {_TIME: "2026-01-31T11:00:00"}, "/problems/0/submittedAt time.format"),
    ("a time in small letters", "SD-TIME-04", {_TIME: "2026-01-31t11:00:00z"}, ""),
    ("a time of six decimals", "SD-TIME-04 SD-TIME-06", {_TIME: "2026-01-31T11:00:00.123456Z"}, ""),
    ("a time of seven decimals", "SD-TIME-04", {_TIME: "2026-01-31T11:00:00.1234560Z"}, "/problems/0/submittedAt time.format"),
    ("a time in Arabic-Indic digits", "SD-TIME-04", {_TIME: "2026-01-31T11:00:0\u0660Z"}, "/problems/0/submittedAt time.format"),
    ("a time with a blank", "SD-TIME-01", {_TIME: "2026-01-31 11:00:00Z"}, "/problems/0/submittedAt time.format"),
    ("a leap second", "SD-TIME-03", {_TIME: "2016-12-31T23:59:60Z"}, "/problems/0/submittedAt time.format"),
    ("a time in the year 0000", "SD-TIME-03", {_TIME: "0000-12-31T23:59:59Z"}, "/problems/0/submittedAt time.format"),
    ("the first time there is", "SD-TIME-03", {_TIME: "0001-01-01T09:00:00+09:00"}, ""),
    ("a time before the year 0001 in UTC", "SD-TIME-03", {_TIME: "0001-01-01T08:59:59+09:00"}, "/problems/0/submittedAt time.format"),
    ("the last time there is", "SD-TIME-03", {_TIME: "9999-12-31T18:59:59.999999-05:00"}, ""),
    ("a time after the year 9999 in UTC", "SD-TIME-03", {_TIME: "9999-12-31T19:00:00-05:00"}, "/problems/0/submittedAt time.format"),
    ("a time on a day that does not exist", "SD-TIME-03", {_TIME: "2026-02-29T11:00:00Z"}, "/problems/0/submittedAt time.format"),
    ("hour 24", "SD-TIME-03", {_TIME: "2026-01-31T24:00:00Z"}, "/problems/0/submittedAt time.format"),
    ("an offset of 23:59", "SD-TIME-03", {_TIME: "2026-01-31T11:00:00-23:59"}, ""),
    ("an offset of 24:00", "SD-TIME-03", {_TIME: "2026-01-31T11:00:00+24:00"}, "/problems/0/submittedAt time.format"),
    ("an offset without a colon", "SD-TIME-01", {_TIME: "2026-01-31T11:00:00+0100"}, "/problems/0/submittedAt time.format"),
    ("a path twice", "SD-PUBLISH-01", {"problems": _TWO}, "!/problems/1/path path.unique"),
    ("an absolute path", "SD-PUBLISH-02", {"problems.0.path": "/AtCoder/a.py"}, "!/problems/0/path path.relative"),
    ("an empty path", "SD-PUBLISH-02", {"problems.0.path": ""}, "!/problems/0/path path.relative"),
    ("a path with two dots", "SD-PUBLISH-03", {"problems.0.path": "AtCoder/../a.py"}, "!/problems/0/path path.segment"),
    ("a path with an empty segment", "SD-PUBLISH-03", {"problems.0.path": "AtCoder//a.py"}, "!/problems/0/path path.segment"),
    ("a path of another platform", "SD-PUBLISH-04", {"problems.0.path": "atcoder/a.py"}, "!/problems/0/platform path.platform"),
    ("an http URL", "SD-PUBLISH-05", {"problems.0.problemUrl": "http://judge.example/a"}, "!/problems/0/problemUrl url.https"),
    ("a relative URL", "SD-PUBLISH-05", {"problems.0.rawUrl": "/a.py"}, "!/problems/0/rawUrl url.https"),
    ("an upper-case scheme", "SD-PUBLISH-05", {"problems.0.githubUrl": "HTTPS://code.example/a"}, ""),
    ("faults of several members", "SD-JSON-11", {"commitCount": "3", "problems.0.path": 1, "repository": []}, "/repository type, /commitCount type, /problems/0/path type"),
)  # fmt: skip
_TEXT: Final = text(_PLAIN)
_BODIES: Final[tuple[tuple[str, str, list[str | Json], str], ...]] = (
    ("an empty file", "SD-JSON-03", [], "invalid_json"),
    ("a byte order mark", "SD-JSON-02", [{"base64": "77u/"}, _TEXT], ""),
    ("bytes that are not UTF-8", "SD-JSON-01", [_TEXT[:-1], {"base64": "/w=="}, "}"], "invalid_json"),
    ("NaN", "SD-JSON-03", [_TEXT.replace('"commitCount":3', '"commitCount":NaN')], "invalid_json"),
    ("text after the value", "SD-JSON-03", [_TEXT, "x"], "invalid_json"),
    ("a list", "SD-JSON-04", ["[]"], " type"),
    ("nesting that is too deep", "SD-JSON-05", [{"repeat": "[", "times": 50_000}, {"repeat": "]", "times": 50_000}], " json.depth"),
    ("a member twice", "SD-JSON-06", [_TEXT[:-1] + ',"commitCount":3,"commitCount":-1}'], "/commitCount number.range"),
)  # fmt: skip


_RULE_OF_FINDING: Final = {
    "type": "SD-SNAPSHOT-02",
    "required": "SD-SNAPSHOT-01",
    "json.depth": "SD-JSON-05",
}
_RULE_OF_MEMBER: Final = {
    "generatedAt": "SD-SNAPSHOT-04",
    "commitCount": "SD-SNAPSHOT-06",
    "contributions": "SD-SNAPSHOT-08",
    "submittedAt": "SD-TIME-01",
}


def _findings(stated: str) -> list[Json]:
    listed = [each.rsplit(" ", 1) for each in stated.split(", ") if each]
    return [{"path": path.removeprefix("!"), "rule": rule} for path, rule in listed]


def _file_cases() -> Iterator[Case]:
    for title, rules, edits, stated in _FILES:
        yield _file_case(title, rules, [text(edited(_PLAIN, edits))], stated)
    for each in derived(CASES, Snapshot, _PLAIN, is_wanted=lambda _: True):
        rules = _RULE_OF_MEMBER.get(each.member) or _RULE_OF_FINDING.get(each.rule, "SD-OPEN-01")
        stated = each.rule and f"{each.path} {each.rule}"
        yield _file_case(each.title, rules, [text(each.value)], stated)
    for title, rules, parts, stated in _BODIES:
        yield _file_case(title, rules, parts, stated)


def _file_case(title: str, rules: str, parts: list[str | Json], stated: str) -> Case:
    expected: Json
    if stated == "invalid_json":
        expected = {"valid": False, "error": "invalid_json"}
    elif stated and not stated.startswith("!"):
        expected = {"valid": False, "error": "invalid_site_data", "findings": _findings(stated)}
    elif title.startswith("Snapshot /"):
        expected = {"valid": True}
    else:
        expected = {"valid": True, "warnings": _findings(stated)}
    also = ("invalid_site_data",) if rules == "SD-JSON-09" else ()
    if title == "nesting that is too deep":
        also = ("invalid_json",)
    return Case(title, rules, {"body": parts}, expected, also)


def _run_file(given: Json) -> Json:
    body = body_bytes(given["body"])
    try:
        snapshot = parse(body)
    except SiteDataError as error:
        return {"valid": False, "error": error.code, "findings": _plain(error.findings)}
    warnings = _plain(check(body).warnings)
    return {"valid": True, "warnings": warnings, "encoded": encode(snapshot).decode()}


def _plain(findings: Any) -> list[Json]:
    return [{"path": each.path, "rule": each.rule} for each in findings]


FILES: Final = Topic(
    "sitedata",
    "files",
    "files: valid with warnings and the text that is written again, or error code and findings",
    _file_cases,
    _run_file,
)

# Order

_ORDERS: Final[tuple[tuple[str, str, list[tuple[str, str | None]]], ...]] = (
    ("times in several offsets", "SD-ORDER-01 SD-ORDER-02 SD-ORDER-05", [("a", "2026-01-31T12:00:00+01:00"), ("b", "2026-01-31T11:30:00Z"), ("c", "2026-01-31T05:00:00-06:30")]),
    ("equal instants in other texts", "SD-ORDER-04 SD-ORDER-05", [("c", "2026-01-31T12:00:00+01:00"), ("a", "2026-01-31T11:00:00Z"), ("b", "2026-01-31T11:00:00.000z")]),
    ("unknown times", "SD-ORDER-03 SD-ORDER-04", [("b", None), ("c", "2026-01-31T12:00:00Z"), ("a", None), ("d", "2020-01-31T12:00:00Z")]),
    ("paths by code point", "SD-ORDER-04", [("\u00e9", None), ("a", None), ("B", None), ("\uffee", None), ("\U0001f600", None), ("a/b", None), ("a b", None)]),
    ("times finer than milliseconds", "SD-ORDER-01 SD-TIME-06", [("a", "2026-01-31T12:00:00.0001Z"), ("b", "2026-01-31T12:00:00.0002Z"), ("c", "2026-01-31T12:00:00Z")]),
    ("problems that are equal in time and path", "SD-ORDER-07", [("a", None), ("a", None)]),
    ("times before the epoch", "SD-ORDER-01 SD-TIME-03", [("a", "1969-12-31T23:59:59.5Z"), ("b", "0001-01-01T00:00:00Z"), ("c", "1970-01-01T00:00:00Z"), ("d", "1969-12-31T23:59:59.499999Z")]),
    ("no problems", "SD-ORDER-01", []),
)  # fmt: skip


def _order_cases() -> Iterator[Case]:
    for title, rules, problems in _ORDERS:
        listed = [{"path": path, "submittedAt": time} for path, time in problems]
        for newest, name in ((True, "the newest first"), (False, "the oldest first")):
            given = {"problems": listed, "newest_first": newest}
            yield Case(f"{title}, {name}", rules, given)


def _run_order(given: Json) -> Json:
    problems = [
        Problem(each["path"], "p", "l", str(number), "u", "u", "u", each["submittedAt"])
        for number, each in enumerate(given["problems"])
    ]
    found = ordered(problems, newest_first=given["newest_first"])
    return {"order": [int(problem.title) for problem in found]}


ORDER: Final = Topic(
    "sitedata", "order", "the order of problems: indexes of the input", _order_cases, _run_order
)

# Calendar

_CALENDARS: Final[tuple[tuple[str, str, Json, str | None, list[str]], ...]] = (
    ("no days", "SD-VIEW-05", {}, None, ["2026-01-31"]),
    ("one day", "SD-VIEW-05 SD-VIEW-06", {"2026-01-31": 2}, None, ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02"]),
    ("a streak over the end of a year", "SD-VIEW-05 SD-VIEW-06", {"2025-12-30": 1, "2025-12-31": 2, "2026-01-01": 3, "2026-01-03": 4}, None, ["2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"]),
    ("two streaks of equal length", "SD-VIEW-05", {"2026-01-01": 1, "2026-01-02": 1, "2026-01-05": 1, "2026-01-06": 1}, None, ["2026-01-06", "2026-01-08"]),
    ("a leap day in a streak", "SD-VIEW-05", {"2024-02-28": 1, "2024-02-29": 1, "2024-03-01": 1}, None, ["2024-03-01"]),
    ("a day that counts 0", "SD-VIEW-05 SD-PUBLISH-06", {"2026-01-01": 1, "2026-01-02": 0, "2026-01-03": 1}, None, ["2026-01-03"]),
    ("an end after the last day", "SD-VIEW-04", {"2026-01-28": 1}, "2026-02-03", ["2026-02-03"]),
    ("week 53", "SD-VIEW-06", {"2026-12-31": 1, "2027-01-03": 2, "2027-01-04": 3}, None, ["2027-01-04"]),
    ("days out of order", "SD-VIEW-05 SD-ENCODE-04", {"2026-01-03": 1, "2026-01-01": 1, "2026-01-02": 5}, None, ["2026-01-02"]),
)  # fmt: skip


def _calendar_cases() -> Iterator[Case]:
    for title, rules, counts, until, days in _CALENDARS:
        yield Case(title, rules, {"counts": counts, "until": until, "days": days})


def _run_calendar(given: Json) -> Json:
    calendar = calendar_of(given["counts"], until=given["until"])
    longest = calendar.longest
    current = {day: calendar.current(day) for day in given["days"]}
    return {
        "first": calendar.first,
        "last": calendar.last,
        "total": calendar.total,
        "active_days": calendar.active_days,
        "streaks": [attrs.asdict(streak) for streak in calendar.streaks],
        "longest": None if longest is None else attrs.asdict(longest),
        "current": {
            day: None if each is None else attrs.asdict(each) for day, each in current.items()
        },
        "weeks": [attrs.asdict(week) for week in calendar.weeks()],
        "months": [attrs.asdict(month) for month in calendar.months()],
    }


CALENDAR: Final = Topic(
    "sitedata",
    "calendar",
    "counts by day: totals, streaks, ISO weeks and months",
    _calendar_cases,
    _run_calendar,
)

# The cache of a client

_MODIFIED: Final = "Sat, 31 Jan 2026 11:00:00 GMT"
_TAGGED: Final = {"ETag": '"one"', "Last-Modified": _MODIFIED, "Cache-Control": "max-age=300"}


def _response(after: float, status: int, headers: Json | None = None, *, body: str = "") -> Json:
    """Return a response so many seconds after noon."""
    return {
        "now": NOON + round(1000 * after),
        "status": status,
        "headers": [[name, value] for name, value in (headers or {}).items()],
        "body": [body],
    }


def _file(after: float, headers: Json) -> Json:
    return _response(after, 200, headers, body=_TEXT)


_STORIES: Final[tuple[tuple[str, str, list[Json]], ...]] = (
    ("a file and a 304", "SD-CLIENT-01 SD-CLIENT-05 SD-CLIENT-07 SD-CLIENT-08", [_file(0, _TAGGED), _response(300, 304, {"Cache-Control": "max-age=60"})]),
    ("a file without validators", "SD-CLIENT-07", [_file(0, {"Cache-Control": "max-age=300"})]),
    ("a file without caching headers", "SD-CLIENT-08", [_file(0, {"ETag": '"one"'})]),
    ("a tag without quotes and a date of another form", "SD-CLIENT-07", [_file(0, {"ETag": "one", "Last-Modified": "2026-01-31"})]),
    ("a weak tag", "SD-CLIENT-07", [_file(0, {"ETag": 'W/"one"'})]),
    ("a new file without a tag", "SD-CLIENT-07", [_file(0, _TAGGED), _file(300, {"Last-Modified": _MODIFIED})]),
    ("an invalid file keeps the old one", "SD-CLIENT-05", [_file(0, _TAGGED), _response(300, 200, _TAGGED, body="{}")]),
    ("two 304 without a copy", "SD-CLIENT-02 SD-CLIENT-03", [_response(0, 304), _response(1, 304)]),
    ("failures in a row", "SD-CLIENT-06", [_file(0, _TAGGED), *(_response(100 * n, (500, 404, 429)[n % 3]) for n in range(1, 5)), _file(500, _TAGGED)]),
    ("an age", "SD-CLIENT-08", [_file(0, {"Cache-Control": "max-age=300", "Age": "100"})]),
    ("an age above the lifetime", "SD-CLIENT-08", [_file(0, {"Cache-Control": "max-age=300", "Age": "301"})]),
    ("a 304 with an age", "SD-CLIENT-08", [_file(0, _TAGGED), _response(300, 304, {"Cache-Control": "max-age=60", "Age": "20"})]),
    ("no-cache", "SD-CLIENT-08", [_file(0, {"Cache-Control": "no-cache, max-age=300"})]),
    ("no-store", "SD-CLIENT-12 SD-CLIENT-08", [_file(0, {"Cache-Control": "no-store"})]),
    ("max-age twice", "SD-CLIENT-08", [_file(0, {"Cache-Control": "max-age=60, max-age=70"})]),
    ("max-age in capitals and quotes", "SD-CLIENT-08", [_file(0, {"Cache-Control": 'MAX-AGE="60"'})]),
    ("a max-age of a year", "SD-CLIENT-08", [_file(0, {"Cache-Control": "max-age=31536000"})]),
    ("a Cache-Control that cannot be read", "SD-CLIENT-08", [_file(0, {"Cache-Control": "max-age=60, =x"})]),
    ("a clock that is set back", "SD-CLIENT-11", [_file(0, {**_TAGGED, "Cache-Control": "max-age=86400"}), _response(-1, 500)]),
    ("a redirect that was not followed", "SD-CLIENT-06", [_response(0, 301, {"Location": "https://example.org/"})]),
)  # fmt: skip


def _cache_cases() -> Iterator[Case]:
    for title, rules, responses in _STORIES:
        yield Case(title, rules, {"responses": responses})


def _run_cache(given: Json) -> Json:
    state, results = CacheState(), []
    for response in given["responses"]:
        state, outcome = state.received(
            response["status"],
            [(name, value) for name, value in response["headers"]],
            body_bytes(response["body"]),
            now=response["now"],
        )
        results.append(_after(state, outcome, response["now"]))
    return {"results": results}


def _after(state: CacheState, outcome: Outcome, now: int) -> Json:
    return {
        "outcome": outcome.kind,
        "has_snapshot": state.snapshot is not None,
        "request": dict(state.request()),
        "fresh_ms": state.fresh_until - now if state.is_fresh(now) else 0,
        "stored": CacheState.load(state.dump()).snapshot is not None,
    }


CACHE: Final = Topic(
    "sitedata",
    "cache",
    "scenarios of a client: responses, what becomes of the copy, and how long it is fresh",
    _cache_cases,
    _run_cache,
)
