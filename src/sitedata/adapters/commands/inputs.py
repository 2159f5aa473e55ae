"""What the commands are given: a snapshot, from a file or from a URL."""

from importlib import import_module
from typing import Final

from purewire.adapters.commands.exit_codes import CANNOT, REFUSED, Failed
from purewire.adapters.commands.files import read_file
from sitedata.reading.checking import Report, check
from sitedata.reading.models import Snapshot
from sitedata.serving.cache import CacheState, Outcome
from sitedata.serving.limits import MOST_BYTES

__all__ = ["asked", "report_of", "snapshot_of"]

_SCHEMES: Final = ("https://", "http://")


def report_of(place: str, *, allow_http: bool) -> Report:
    """Judge the snapshot of a file or a URL; raises Failed where there is nothing to judge."""
    if not place.lower().startswith(_SCHEMES):
        return check(read_file(place, MOST_BYTES))
    state, outcome = asked(place, CacheState(), allow_http=allow_http)
    if outcome.kind == "invalid":
        return Report(None, outcome.findings)
    if state.snapshot is None:
        raise Failed(CANNOT, f"no snapshot came: {outcome.words}")
    return check(state.snapshot)


def snapshot_of(place: str, *, allow_http: bool) -> Snapshot:
    """Give the snapshot of a file or a URL; raises Failed where there is none."""
    report = report_of(place, allow_http=allow_http)
    if report.snapshot is None:
        raise Failed(REFUSED, *(f"in {place}, {finding}" for finding in report.errors))
    return report.snapshot


def asked(url: str, state: CacheState, *, allow_http: bool) -> tuple[CacheState, Outcome]:
    """Ask for a snapshot by HTTP, whose library takes its time to be imported."""
    asking = import_module("sitedata.adapters.commands.asking")
    fetched: tuple[CacheState, Outcome] = asking.ask(url, state, allow_http=allow_http)
    return fetched
