"""Check the publishing rules, which a snapshot should keep beyond having the right types.

A snapshot that breaks a rule is still parsed; `check` reports it as a warning.  The builder keeps
all rules.

Contract: SD-PUBLISH-01 to 07.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import ada_url

from purewire.findings import Finding, Step, pointer
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.models import Problem, Snapshot

RULES: Final = {
    "path.relative": "must be relative: not empty, and without a leading slash",
    "path.segment": "must have no segment that is empty, `.` or `..`",
    "path.platform": "must be the first segment of the path",
    "path.unique": "must differ from all paths before",
    "url.https": "must be an absolute https URL",
    "contributions.positive": "must be 1 or more",
    "contributions.sum": "must be the sum of the contributions",
}
"""Rule id to the message of its warnings: what must be, said of the member at their path."""

_HTTPS: Final = "https://"
_NO_SEGMENTS: Final = {"", ".", ".."}


def check_publishing_rules(snapshot: Snapshot) -> tuple[Finding, ...]:
    """Return the broken publishing rules of a snapshot, up to `FINDINGS_CAP`."""
    return tuple(islice(_warnings(snapshot), FINDINGS_CAP))


def broken_path_rule(path: str) -> str | None:
    """Return the id of the rule that a path breaks by itself; None if it breaks none."""
    if not path or path.startswith("/"):
        return "path.relative"
    return None if _NO_SEGMENTS.isdisjoint(path.split("/")) else "path.segment"


def is_https(text: str) -> bool:
    """Check whether text is an absolute https URL according to the WHATWG URL standard."""
    return https_host(text) is not None


def https_host(text: str) -> str | None:
    """Return the host of an absolute https URL, without its port; None for any other text."""
    if text[: len(_HTTPS)].lower() != _HTTPS:
        return None
    try:
        return ada_url.URL(text).hostname
    except ValueError:
        return None


def _warnings(snapshot: Snapshot) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, problem in enumerate(snapshot.problems):
        for member, rule in _broken_rules(problem):
            yield _warning(rule, "problems", index, member)
        if problem.path in seen:
            yield _warning("path.unique", "problems", index, "path")
        seen.add(problem.path)
    for day, count in snapshot.contributions.items():
        if not count:
            yield _warning("contributions.positive", "contributions", day)
    if sum(snapshot.contributions.values()) != snapshot.commit_count:
        yield _warning("contributions.sum", "commitCount")


def _broken_rules(problem: Problem) -> Iterator[tuple[str, str]]:
    rule = broken_path_rule(problem.path)
    if rule is not None:
        yield "path", rule
    elif problem.path.partition("/")[0] != problem.platform:
        yield "platform", "path.platform"
    urls = problem.problem_url, problem.github_url, problem.raw_url
    for member, url in zip(("problemUrl", "githubUrl", "rawUrl"), urls, strict=True):
        if not is_https(url):
            yield member, "url.https"


def _warning(rule: str, *steps: Step) -> Finding:
    return Finding(pointer(steps), rule, RULES[rule])
