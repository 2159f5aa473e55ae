"""List all problems of a snapshot: errors of its structure and broken publishing rules.

Invariant *one verdict*: `check` returns a snapshot exactly where `sitedata.parse` returns the same.
Invariant *only TypeError is raised*: `check` returns a report for every value except text, which
raises TypeError.

Contract: SD-FILE-05, SD-JSON-11, SD-PUBLISH-08, SD-PUBLISH-10.
"""

from itertools import islice

import attrs

from purewire.bytes_like import is_octets
from purewire.findings import Finding
from purewire.html_table import MAX_ROWS, html_table
from purewire.structuring.to_builtins import to_checkable
from sitedata.errors import SiteDataError
from sitedata.reading.decoder import parse, read
from sitedata.reading.models import Snapshot
from sitedata.reading.publishing_rules import check_publishing_rules


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

    def _repr_html_(self) -> str:
        """Return an HTML table of the findings for notebooks; all text is escaped."""
        levels = ["error"] * len(self.errors) + ["warning"] * len(self.warnings)
        rows = (
            (level, *attrs.astuple(finding))
            for level, finding in islice(zip(levels, self.findings, strict=True), MAX_ROWS)
        )
        head = ("level", "path", "rule", "message")
        caption = f"Report, errors: {len(self.errors)}, warnings: {len(self.warnings)}"
        return html_table(caption, head, rows, more=max(0, len(levels) - MAX_ROWS))


def check(value: object) -> Report:
    """Validate a snapshot and check the publishing rules.

    Args:
        value: the bytes of a file, a plain JSON value, or a `Snapshot`.

    Raises:
        TypeError: `value` is text; a file is bytes.

    """
    try:
        snapshot = _snapshot(value)
    except SiteDataError as error:
        return Report(None, error.findings)
    return Report(snapshot, (), check_publishing_rules(snapshot))


def _snapshot(value: object) -> Snapshot:
    if is_octets(value):
        return parse(value)
    # A snapshot that a caller made may hold values of any type.
    return read(to_checkable(value) if isinstance(value, Snapshot) else value)
