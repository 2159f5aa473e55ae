"""The publishing rules: what a snapshot should be beyond having the right types.

Source: rulings under "Site-data file".  A snapshot that breaks one is read all the same; `check`
tells it as a warning, and the builder keeps them all.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import ada_url

from purewire.findings import Finding, Step, pointer
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.models import Problem, Snapshot

__all__ = ["RULES", "is_https", "path_fault", "warnings_of"]

RULES: Final = {
    "path.relative": "the path is relative: it neither is empty nor begins with a slash",
    "path.segment": "no segment of the path is empty, `.` or `..`",
    "path.platform": "the first segment of the path is the platform",
    "path.unique": "no path stands twice",
    "url.https": "the URL is an absolute https URL",
    "contributions.positive": "a day that is listed has a contribution",
    "contributions.sum": "the contributions sum to the count of commits",
}
"""Rule id to the rule in words."""

_HTTPS: Final = "https://"
_NO_SEGMENTS: Final = {"", ".", ".."}


def warnings_of(snapshot: Snapshot) -> tuple[Finding, ...]:
    """Give what of a snapshot breaks a publishing rule, up to the cap."""
    return tuple(islice(_warnings(snapshot), FINDINGS_CAP))


def path_fault(path: str) -> str | None:
    """Give the id of the rule that a path breaks by itself; None where it breaks none."""
    if not path or path.startswith("/"):
        return "path.relative"
    return None if _NO_SEGMENTS.isdisjoint(path.split("/")) else "path.segment"


def is_https(text: str) -> bool:
    """Tell whether text is an absolute https URL, by the URL standard's own judgement."""
    if text[: len(_HTTPS)].lower() != _HTTPS:
        return False
    try:
        return ada_url.URL(text).protocol == "https:"
    except ValueError:
        return False


def _warnings(snapshot: Snapshot) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, problem in enumerate(snapshot.problems):
        for member, rule in _faults(problem):
            yield _warning(rule, "problems", index, member)
        if problem.path in seen:
            yield _warning("path.unique", "problems", index, "path")
        seen.add(problem.path)
    for day, count in snapshot.contributions.items():
        if not count:
            yield _warning("contributions.positive", "contributions", day)
    if sum(snapshot.contributions.values()) != snapshot.commit_count:
        yield _warning("contributions.sum", "commitCount")


def _faults(problem: Problem) -> Iterator[tuple[str, str]]:
    rule = path_fault(problem.path)
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
