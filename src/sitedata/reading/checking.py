"""Every fault of a snapshot at once: what cannot be read, and what should not be published.

Source: rulings under "Site-data file".

Invariant *one verdict*: `check` gives a snapshot exactly where `sitedata.parse` gives the same.
Invariant *nothing else is raised*: whatever the value, `check` returns; only text raises TypeError.
"""

import attrs

from purewire.bytes_like import is_octets
from purewire.findings import Finding
from purewire.structuring.to_builtins import to_plain
from sitedata.errors import SiteDataError
from sitedata.reading.decoder import parse, read
from sitedata.reading.models import Snapshot
from sitedata.reading.publishing_rules import warnings_of

__all__ = ["Report", "check"]


@attrs.frozen(repr=False)
class Report:
    """What was found.

    Attributes:
        snapshot: the snapshot; None where there is none.
        errors: why there is none, up to the cap.
        warnings: which publishing rules it breaks, up to the cap.

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
    """Judge a snapshot.

    Args:
        value: the bytes of a file, a plain JSON value, or a Snapshot of your own.

    Raises:
        TypeError: the value is text; a file is bytes.

    """
    try:
        snapshot = _snapshot(value)
    except SiteDataError as error:
        return Report(None, error.findings)
    return Report(snapshot, (), warnings_of(snapshot))


def _snapshot(value: object) -> Snapshot:
    if is_octets(value):
        return parse(value)
    if not isinstance(value, Snapshot):
        return read(value)
    try:
        plain = to_plain(value)  # a snapshot of one's own may hold anything
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        finding = Finding("", "type", "must hold what its annotations say")
        raise SiteDataError("invalid_site_data", (finding,)) from None
    return read(plain)
