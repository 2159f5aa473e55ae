"""Read the input of a command: a snapshot, which is a file or a URL, or a repository."""

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Final

from purewire.adapters.commands.exit_codes import CANNOT, REFUSED, USAGE, Failed
from purewire.adapters.commands.files import read_file
from purewire.adapters.commands.progress import show_progress
from sitedata.adapters.git import RepositoryError, read_history
from sitedata.building.history import History
from sitedata.building.settings import BuildSettings, is_plain_name, is_plain_path
from sitedata.building.tree import listed_names
from sitedata.limits import MAX_BYTES
from sitedata.reading.checking import Report, check
from sitedata.reading.models import Snapshot
from sitedata.serving.cache import CacheState, Outcome

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


def check_address(arguments: Namespace) -> None:
    """Raise Failed if `--owner` or `--name` cannot stand in URLs."""
    for option, is_valid in (("owner", is_plain_path), ("name", is_plain_name)):
        value = getattr(arguments, option)
        if value is not None and not is_valid(value):
            raise Failed(USAGE, f"--{option} must be printable, without empty segments or dots")


def history_of(arguments: Namespace, settings: BuildSettings) -> History:
    """Read the history of the repository with the dates that the settings ask for."""
    with show_progress("pieces") as progress, reading(arguments.repository):
        return read_history(
            arguments.repository,
            arguments.ref,
            dates=settings.dates,
            bulk=sorted(settings.bulk),
            listed=partial(listed_names, settings=settings),
            zone=settings.zone,
            progress=None if progress is None else partial(progress, "commits"),
        )


@contextmanager
def reading(repository: str) -> Iterator[None]:
    """Raise Failed if the repository cannot be read."""
    try:
        yield
    except RepositoryError as error:
        reason = str(error)
        is_folder = os.path.isdir(repository)  # noqa: PTH112 - never raises
        if error.code == "repository.missing" and not is_folder:
            exists = os.path.exists(repository)  # noqa: PTH110 - never raises
            description = "it is not a folder" if exists else "it does not exist"
            reason = f"{description} [{error.code}]"
        raise Failed(CANNOT, f"cannot read {repository}: {reason}") from None
