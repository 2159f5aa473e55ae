"""What the commands are given: a snapshot, from a file or from a URL."""

from importlib import import_module
from pathlib import Path
from typing import Final

from purewire.adapters.commands.outcomes import CANNOT, REFUSED, Failed
from purewire.adapters.files import is_file
from sitedata.reading.checking import Report, check
from sitedata.reading.models import Snapshot
from sitedata.serving.bounds import MOST_BYTES
from sitedata.serving.cache import CacheState, Outcome

__all__ = ["asked", "bytes_of_file", "readable", "report_of", "snapshot_of"]

_SCHEMES: Final = ("https://", "http://")


def report_of(place: str, *, allow_http: bool) -> Report:
    """Judge the snapshot of a file or a URL; raises Failed where there is nothing to judge."""
    if not place.lower().startswith(_SCHEMES):
        return check(bytes_of_file(place, MOST_BYTES))
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


def bytes_of_file(name: str, most: int, *, regular: bool = False) -> bytes:
    """Return the bytes of a file.

    Args:
        name: the file.
        most: its largest size in bytes.
        regular: whether it must be a regular file: a FIFO or a device is not opened then.

    Raises Failed.

    """
    try:
        if regular:
            readable(name)
        with Path(name).open("rb") as file:
            body = file.read(most + 1)
    except OSError as fault:
        raise _unreadable(name, fault) from None
    if len(body) > most:
        raise Failed(CANNOT, f"{name} has more than {most} bytes")
    return body


def readable(name: str) -> None:
    """Raise Failed unless a name leads to a regular file that can be opened."""
    try:
        if not is_file(Path(name).stat()):
            raise Failed(CANNOT, f"cannot read {name}: it is no regular file")
        with Path(name).open("rb"):
            return
    except OSError as fault:
        raise _unreadable(name, fault) from None


def _unreadable(name: str, fault: OSError) -> Failed:
    return Failed(CANNOT, f"cannot read {name}: {fault.strerror}")


def asked(url: str, state: CacheState, *, allow_http: bool) -> tuple[CacheState, Outcome]:
    """Ask for a snapshot by HTTP, whose library takes its time to be imported."""
    asking = import_module("sitedata.adapters.commands.asking")
    fetched: tuple[CacheState, Outcome] = asking.ask(url, state, allow_http=allow_http)
    return fetched
