"""A report as text: a summary of one screen that begins with what to fix first, and all details."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from purewire.conformance.causes import Cause, find_causes
from purewire.conformance.checks import FULL, Suite
from purewire.conformance.curl import FOLDER, body_file, curl_line, inline_text
from purewire.conformance.differences import shorten
from purewire.conformance.run import (
    ExitCode,
    Outcome,
    Result,
    RoundTrip,
    RuleVerdict,
    SuiteReport,
    Verdict,
)

SYMBOLS: Final[Mapping[Outcome, str]] = {
    Outcome.PASSED: "ok",
    Outcome.FAILED: "FAILED",
    Outcome.SKIPPED: "skipped",
    Outcome.INCONCLUSIVE: "not decided",
    Outcome.ERROR: "ERROR",
}
_WIDTH: Final = 79
_SHOWN_CAUSES: Final = 5
"""So many causes, three lines each, leave room for the rest on a screen of 24 to 40 lines."""
_FEW_FAILURES: Final = 2
"""So many failed checks are shown with all details."""
_SHOWN_REASONS: Final = 3
_SHOWN_REQUESTS: Final = 3
_UNAVAILABLE: Final = 503
_UNAVAILABLE_NOTE: Final = (
    "503 says that a setting of the deployment is missing or invalid (token, lifetime), or that "
    "its store or data cannot be reached"
)


def summary(report: SuiteReport) -> list[str]:
    """Return the summary of a run, on one screen: counts, causes of failures, what is missing."""
    causes = find_causes(report.results)
    failures = [result for result in report.results if result.outcome is Outcome.FAILED]
    lines = list(_counts(report))
    if causes:
        lines += ["", "What to fix first:" if len(causes) > 1 else "What to fix:"]
        for cause in causes[:_SHOWN_CAUSES]:
            lines += _lines_of_cause(cause)
        rest = causes[_SHOWN_CAUSES:]
        if rest:
            lines.append(f"  and {len(rest)} more causes: {_checks(sum(map(_size, rest)))}")
    if len(failures) <= _FEW_FAILURES:
        for result in failures:
            lines += ["", *lines_of(report, result, requests=_SHOWN_REQUESTS)]
    skipped = [result for result in report.results if result.outcome is Outcome.SKIPPED]
    for title, results in (("Not decided", report.undecided()), ("Skipped", skipped)):
        lines += map(_cut, _reasons(title, results))
    broken = [rule.id for rule in report.rules if rule.verdict is Verdict.BROKEN]
    if broken:
        lines += ["", *_wrapped(f"Broken rules: {', '.join(broken)}", 2)]
    left = [
        rule.id
        for rule in report.rules
        if rule.rule.level == "must" and rule.verdict is Verdict.UNVERIFIED
    ]
    if left and not failures:
        lines += ["", *_wrapped(f"Unverified musts: {', '.join(left)}", 2)]
    return [*lines, *report.notes]


def _counts(report: SuiteReport) -> Iterator[str]:
    counts = ", ".join(
        f"{report.count(outcome)} {SYMBOLS[outcome].lower()}"
        for outcome in Outcome
        if report.count(outcome)
    )
    seconds = (report.finished_at - report.started_at) / 1000
    verified, total = report.musts()
    part = "" if report.profile == FULL else f" of the profile {report.profile}"
    yield f"{_checks(len(report.results))} of {report.url} in {seconds:.1f} s: {counts}"
    yield f"{verified} of {total} rules of level must{part} verified"


def _size(cause: Cause) -> int:
    return len(cause.failed) + len(cause.undecided)


def _checks(count: int) -> str:
    return f"{count} check{'' if count == 1 else 's'}"


def _lines_of_cause(cause: Cause) -> Iterator[str]:
    """Yield what is wrong, where, and which checks and rules are concerned."""
    title = f"{_size(cause):4} {'check: ' if _size(cause) == 1 else 'checks:'} {cause.title}"
    yield from _wrapped(title, 13)
    places = cause.places
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    first = (*cause.failed, *cause.undecided)[0].check.id
    parts = [f"{places[0]}{more}"] if places else []
    if cause.failed and cause.undecided:
        parts.append(f"{len(cause.undecided)} of them cannot decide")
    parts.append(f"see {first}")
    parts += [f"rule {', '.join(cause.rules)}"] if cause.rules else []
    yield _cut(f"       {'; '.join(parts)}")


def _reasons(title: str, results: list[Result]) -> Iterator[str]:
    """Yield the most frequent reasons of some results."""
    reasons = Counter(result.reason for result in results).most_common()
    if reasons:
        yield ""
        yield f"{title}:"
    for reason, count in reasons[:_SHOWN_REASONS]:
        yield f"{count:4} {reason}"
    others = reasons[_SHOWN_REASONS:]
    if others:
        yield f"{sum(count for _, count in others):4} for other reasons"


def _wrapped(line: str, indent: int) -> list[str]:
    """Return a line as one or two, and cut what is longer."""
    return textwrap.wrap(
        line,
        _WIDTH,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        max_lines=2,
        placeholder="…",
    )


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def verdict(report: SuiteReport, *, strict: bool) -> str:
    """Return the last line of a run, which says why its exit code is what it is."""
    code = report.exit_code(strict=strict)
    verified, total = report.musts()
    if code == ExitCode.FAILS:
        return f"{_checks(report.count(Outcome.FAILED))} failed"
    if code == ExitCode.NOT_TESTED:
        return f"{_checks(report.count(Outcome.ERROR))} got no response"
    if not report.is_mostly_decided():
        return "no check failed, but too many musts were not decided"
    left = total - verified
    if not left:
        return "no check failed"
    return f"no check failed; {left} {'must is' if left == 1 else 'musts are'} unverified"


def lines_of(report: SuiteReport, result: Result, *, requests: int = 0) -> Iterator[str]:
    """Yield the lines about a result that has not passed.

    `requests`: how many of its requests are shown, the last ones; 0 for all.
    """
    check = result.check
    if result.outcome is Outcome.PASSED:
        return
    yield f"{SYMBOLS[result.outcome]} {check.id}: {check.title}"
    if result.outcome is Outcome.FAILED:
        yield from (f"  {rule_line(rule)}" for rule in report.rules if rule.id == result.rule)
        yield f"  expected: {result.expected}"
        yield f"  got:      {result.actual}"
    else:
        yield f"  reason:   {result.reason}"
    if result.outcome is Outcome.SKIPPED:
        return
    numbered = list(enumerate(result.round_trips, 1))
    shown = numbered[-requests:]
    if len(shown) < len(numbered):
        yield f"  ({len(numbered) - len(shown)} requests before)"
    for number, round_trip in shown:
        yield from _lines_of_request(report.url, round_trip, body_file(result, number))


def rule_line(rule: RuleVerdict) -> str:
    """Return a rule with its level, and whether it is a decision of this project."""
    source = ", a decision of this project" if rule.rule.is_own else ""
    return f"{rule.id} ({rule.rule.level}{source}): {rule.rule.text}"


def _lines_of_request(url: str, round_trip: RoundTrip, file: str) -> Iterator[str]:
    request, reply = round_trip.request, round_trip.reply
    yield f"  sent:     {curl_line(url, request, f'{FOLDER}/{file}')}"
    if request.body is not None and inline_text(request) is None:
        yield f"  body:     {len(request.body)} bytes: {_line(request.body)}"
    yield f"  response: {response_line(round_trip)}"
    if reply is not None and reply.status == _UNAVAILABLE:
        yield f"  note:     {_UNAVAILABLE_NOTE}"


def response_line(round_trip: RoundTrip) -> str:
    """Return status, media type and start of the body of a response, or why none came."""
    reply = round_trip.reply
    if reply is None:
        return f"none: {round_trip.error}"
    return f"{reply.status} {reply.header('content-type') or ''} {_line(reply.body)}"


def _line(body: bytes) -> str:
    return " ".join(shorten(body).split())


def text_sections(report: SuiteReport) -> Iterator[tuple[str, list[str]]]:
    """Yield titles and lines: the summary, each cause, and what is not decided."""
    yield "", summary(report)
    for cause in find_causes(report.results):
        lines = []
        if cause.undecided:
            ids = ", ".join(result.check.id for result in cause.undecided)
            lines.append(f"{len(cause.undecided)} of them cannot decide: {ids}")
        for result in cause.failed:
            lines += [
                "",
                *lines_of(report, result),
                f"  again:    sh {FOLDER}/{result.check.id}.sh",
            ]
        yield f"{_checks(_size(cause))}: {cause.title}", lines
    undecided = [line for result in report.undecided() for line in ("", *lines_of(report, result))]
    if undecided:
        yield f"{_checks(len(report.undecided()))} not decided", undecided


def text_report(report: SuiteReport) -> Iterator[str]:
    """Yield the lines of the whole report."""
    for title, lines in text_sections(report):
        yield from ("", "=" * _WIDTH, title) if title else ()
        yield from lines


def listing(suite: Suite[Any]) -> Iterator[str]:
    """Yield the groups with their checks, and the profiles of a suite."""
    groups: dict[str, list[str]] = {}
    for check in suite.checks:
        needs = ["writes"] * check.writes + ["slow"] * check.slow
        marks = f" ({', '.join(needs)})" if needs else ""
        groups.setdefault(check.group, []).append(f"  {check.id}: {check.title}{marks}")
    for name, lines in groups.items():
        yield f"{name}: {_checks(len(lines))}"
        yield from lines
    yield "profiles, for --profile"
    yield from (f"  {name}: {profile.title}" for name, profile in suite.profiles.items())
