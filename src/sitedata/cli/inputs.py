"""Read the arguments of a command: a repository, or a snapshot as a file or a URL."""

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final

from sitedata.adapters.git import Opened, RepositoryError, opened
from sitedata.building.settings import BuildSettings
from sitedata.limits import MAX_BYTES
from sitedata.parsing import Report, check
from status_contracts.cli.exit_codes import CANNOT, USAGE, Failed
from status_contracts.cli.files import read_input

if TYPE_CHECKING:
    from sitedata.client import CacheState, Outcome

_SCHEMES: Final = ("https://", "http://")


def report_of(location: str, *, allow_http: bool) -> tuple[Report, bytes]:
    """Check the snapshot of a file, `-` or a URL, and return its bytes; those of a URL are empty.

    Raise Failed if nothing can be read.
    """
    if not is_url(location):
        body = read_input(location, MAX_BYTES)
        return check(body), body
    state, outcome = fetch_snapshot(location, None, allow_http=allow_http)
    if outcome.kind == "invalid":
        return Report(None, outcome.findings), b""
    if state.snapshot is None:
        raise Failed(CANNOT, f"cannot fetch {location}: {outcome.message}")
    return check(state.snapshot), b""


def is_url(location: str) -> bool:
    """Check whether a location is a URL rather than a file."""
    return location.lower().startswith(_SCHEMES)


def refuse_url(location: str) -> None:
    """Raise Failed for the URL of a snapshot, where a command needs a file."""
    if is_url(location):
        call = "sitedata fetch URL -o FILE"
        raise Failed(USAGE, f"{location} is not a file: save it with {call}, and give FILE")


def fetch_snapshot(
    url: str, state: "CacheState | None", *, allow_http: bool
) -> "tuple[CacheState, Outcome]":
    """Request a snapshot once, without a state for the first time; return state and outcome."""
    http = import_module("sitedata.adapters.fetch")  # httpx2 is slow to import; files need none
    state = state or http.CacheState()
    try:
        fetched: tuple[CacheState, Outcome] = http.fetch(url, state, allow_http=allow_http)
    except http.UnusableUrl as error:
        raise Failed(USAGE, str(error)) from None
    return fetched


def check_address(arguments: Namespace) -> None:
    """Raise Failed if `--owner` or `--name` cannot stand in URLs."""
    try:
        BuildSettings(owner=arguments.owner, name=arguments.name)
    except ValueError as error:
        raise Failed(USAGE, f"--{error}") from None


@contextmanager
def open_repository(arguments: Namespace) -> Iterator[Opened]:
    """Open the repository of a command; raise Failed if it cannot be read, then or later."""
    place = arguments.repository
    try:
        with opened(place, arguments.ref) as repository:
            yield repository
    except RepositoryError as error:
        reason = str(error).replace("--ref", f"--ref {arguments.ref}")
        is_folder = os.path.isdir(place)  # noqa: PTH112 - never raises
        if error.code == "repository.missing" and not is_folder:
            exists = os.path.exists(place)  # noqa: PTH110 - never raises
            description = "it is not a folder" if exists else "it does not exist"
            reason = f"{description} [{error.code}]"
        raise Failed(CANNOT, f"cannot read {place}: {reason}") from None
