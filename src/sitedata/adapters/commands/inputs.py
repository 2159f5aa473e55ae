"""Read the snapshot argument of a command: a file, or a URL."""

from importlib import import_module
from typing import Final

from purewire.adapters.commands.exit_codes import CANNOT, REFUSED, USAGE, Failed
from purewire.adapters.commands.files import read_file
from sitedata.client import CacheState, Outcome
from sitedata.limits import MAX_BYTES
from sitedata.reading.checking import Report, check
from sitedata.reading.models import Snapshot

_SCHEMES: Final = ("https://", "http://")


def report_of(location: str, *, allow_http: bool) -> Report:
    """Check the snapshot of a file or URL; raise Failed if nothing can be read."""
    if not is_url(location):
        return check(read_file(location, MAX_BYTES))
    state, outcome = fetch_snapshot(location, CacheState(), allow_http=allow_http)
    if outcome.kind == "invalid":
        return Report(None, outcome.findings)
    if state.snapshot is None:
        raise Failed(CANNOT, f"cannot fetch {location}: {outcome.message}")
    return check(state.snapshot)


def is_url(location: str) -> bool:
    """Check whether a location is a URL rather than a file."""
    return location.lower().startswith(_SCHEMES)


def read_snapshot(location: str, *, allow_http: bool) -> Snapshot:
    """Return the snapshot of a file or URL; raise Failed if there is none."""
    report = report_of(location, allow_http=allow_http)
    if report.snapshot is None:
        raise Failed(REFUSED, *(f"in {location}, {finding}" for finding in report.errors))
    return report.snapshot


def fetch_snapshot(url: str, state: CacheState, *, allow_http: bool) -> tuple[CacheState, Outcome]:
    """Request a snapshot once; return the new state and the outcome."""
    http = import_module("sitedata.adapters.fetch")  # httpx2 is slow to import; files need none
    with http.open_client() as client:
        try:
            fetched: tuple[CacheState, Outcome] = http.fetch(
                url, state, client=client, allow_http=allow_http
            )
        except http.UnusableUrl as error:
            raise Failed(USAGE, str(error)) from None
    return fetched
