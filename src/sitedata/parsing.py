"""Parse bytes and plain values to snapshots, encode snapshots, and list all problems of a value.

Invariant *one error*: for any bytes the only exception of `parse` is `SiteDataError`; other types
raise TypeError.
Invariant *round trip*: parsing and encoding keeps all members and values; documented members come
first, in the order of the specification.
Invariant *one snapshot, one text*: days, rating keys and undocumented members are encoded in a
fixed order, so equal snapshots that were parsed in the same order have equal bytes.
Invariant *one verdict*: `check` returns a snapshot exactly where `sitedata.parse` returns the same.
Invariant *only TypeError is raised*: `check` returns a report for every value except text, which
raises TypeError.

A snapshot that breaks a publishing rule is still parsed; `check` reports it as a warning.  The
builder keeps all rules.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Final, TypeVar

import attrs
import can_ada

from sitedata.errors import SiteDataError
from sitedata.limits import FINDINGS_CAP
from sitedata.models import Problem, Snapshot
from status_contracts import json_text
from status_contracts.findings import Finding, Step, pointer
from status_contracts.json_text import describe_syntax_error
from status_contracts.primitives import (
    WHITE_SPACE,
    Octets,
    check_type,
    has_control,
    is_octets,
    to_bytes,
)
from status_contracts.structuring.converter import to_checkable, unstructure
from status_contracts.structuring.decoder import ModelDecoder, ValidationError

RULES: Final = {
    "path.relative": "must be relative: not empty, and without a leading slash",
    "path.segment": "must have no segment that is empty, `.` or `..`",
    "path.platform": "must be the first segment of the path",
    "text.control": "must have no control characters",
    "path.unique": "must differ from all paths before",
    "url.https": "must be an absolute https URL",
    "contributions.positive": "must be 1 or more",
    "contributions.sum": "must be the sum of the contributions",
}
"""Rule id to the message of its warnings: what must be, said of the member at their path."""

_HTTPS: Final = "https://"
_NO_SEGMENTS: Final = {"", ".", ".."}
_SPACES: Final = re.compile(f"[{WHITE_SPACE}]++")


@attrs.frozen(repr=False)
class Report:
    """Result of a check.

    Attributes:
        snapshot: the snapshot; None if there are errors.
        errors: problems that make the value invalid, up to `FINDINGS_CAP`.
        warnings: broken publishing rules, up to `FINDINGS_CAP`.

    """

    snapshot: Snapshot | None
    errors: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Errors, then warnings."""
        return (*self.errors, *self.warnings)

    def __repr__(self) -> str:
        return f"<Report: {len(self.errors)} errors, {len(self.warnings)} warnings>"


def check(value: object) -> Report:
    """Validate a snapshot and check the publishing rules.

    Args:
        value: the bytes of a file, a plain JSON value, or a `Snapshot`.

    Raises:
        TypeError: `value` is text; a file is bytes.

    """
    try:
        if is_octets(value):
            snapshot = parse(value)
        else:
            # A snapshot that a caller made may hold values of any type.
            snapshot = structure(to_checkable(value) if isinstance(value, Snapshot) else value)
    except SiteDataError as error:
        return Report(None, error.findings)
    return Report(snapshot, (), tuple(islice(_warnings(snapshot), FINDINGS_CAP)))


def broken_path_rule(path: str) -> str | None:
    """Return the id of the rule that a path breaks by itself; None if it breaks none."""
    if not path or path.startswith("/"):
        return "path.relative"
    return None if _NO_SEGMENTS.isdisjoint(path.split("/")) else "path.segment"


def plain_text(text: str) -> str:
    """Return a title or a name as it is compared: in NFKC, with one space between words."""
    if text.isascii() and text.isprintable() and "  " not in text:  # fast path for most names
        return text.strip(" ")
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip(" ")


def is_https(text: str) -> bool:
    """Check whether text is an absolute https URL according to the WHATWG URL standard."""
    return https_host(text) is not None


def https_host(text: str) -> str | None:
    """Return the host of an absolute https URL, without its port; None for any other text."""
    if text[: len(_HTTPS)].lower() != _HTTPS:
        return None
    try:
        return can_ada.parse(text).hostname
    except (TypeError, ValueError):  # TypeError for surrogates, which UTF-8 cannot encode
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
    elif "/" in problem.path and problem.path.partition("/")[0] != problem.platform:
        yield "platform", "path.platform"
    for member, text in (("path", problem.path), ("title", problem.title)):
        if has_control(text):
            yield member, "text.control"
    urls = problem.problem_url, problem.github_url, problem.raw_url
    for member, url in zip(("problemUrl", "githubUrl", "rawUrl"), urls, strict=True):
        if not is_https(url):
            yield member, "url.https"


def _warning(rule: str, *steps: Step) -> Finding:
    return Finding(pointer(steps), rule, RULES[rule])


T = TypeVar("T")

_DECODER: Final = ModelDecoder(Snapshot)


def parse(body: Octets) -> Snapshot:
    """Parse the bytes of a file.

    Raises:
        SiteDataError: the bytes are not a valid snapshot.
        TypeError: `body` is not bytes.

    """
    try:
        return _decode(_DECODER.decode, to_bytes(body))
    except ValidationError as error:
        raise SiteDataError("invalid_site_data", error.find()) from None


def structure(value: object) -> Snapshot:
    """Return the snapshot of a plain JSON value; the only exception is SiteDataError."""
    snapshot, findings = _DECODER.validate(value)
    if snapshot is None:
        raise SiteDataError("invalid_site_data", findings)
    return snapshot


def decode_json(body: Octets) -> object:
    """Decode JSON text to a plain value; raise SiteDataError if it is not JSON text."""
    return _decode(json_text.decode, to_bytes(body))


def encode(snapshot: Snapshot) -> bytes:
    """Encode a snapshot as compact JSON in UTF-8, with a line feed at its end."""
    if type(snapshot) is not Snapshot:
        check_type("snapshot", snapshot, Snapshot, "pass parse(body) or structure(value)")
    plain = unstructure(snapshot)
    plain["contributions"] = dict(sorted(plain["contributions"].items()))
    return json_text.encode(plain) + b"\n"


def _decode(decode: Callable[[bytes], T], body: bytes) -> T:
    try:
        return decode(body)
    except json_text.JsonTextError:
        raise SiteDataError("invalid_json", partial(_json_findings, body)) from None
    except json_text.JsonDepthError:
        finding = Finding("", "json.depth", "must not be nested deeper than a snapshot is")
        raise SiteDataError("invalid_site_data", (finding,)) from None


def _json_findings(body: bytes) -> tuple[Finding, ...]:
    return (Finding("", "json.text", describe_syntax_error(body)),)
