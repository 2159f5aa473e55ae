"""`sitedata fetch`: update a file from a published snapshot."""

from argparse import Namespace
from hashlib import sha256
from pathlib import Path

from sitedata.cli.inputs import fetch_snapshot
from sitedata.client import CacheState
from sitedata.errors import SiteDataError
from sitedata.limits import MAX_BYTES
from sitedata.parsing import encode
from status_contracts.adapters.clocks import system_clock
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, Failed
from status_contracts.cli.files import read_file, write_file
from status_contracts.cli.problems import problems_of
from status_contracts.cli.terminal import echo, write_json
from status_contracts.findings import Finding
from status_contracts.instants import format_instant


def run(arguments: Namespace) -> int:
    """Request the snapshot unless it is fresh, and write it if it changed."""
    state_file, source = _state_file(arguments.output), sha256(arguments.url.encode()).hexdigest()
    before = _load(state_file, source)
    is_allowed = arguments.allow_http or not arguments.url.lower().startswith("http:")
    if is_allowed and before.is_fresh(system_clock()):  # else the request is refused
        message = f"not requested: the snapshot is fresh until {format_instant(before.fresh_until)}"
        _update(before, arguments.output, is_current=True)
        _report(arguments, "not-due", message, ())
        return OK
    state, outcome = fetch_snapshot(arguments.url, before, allow_http=arguments.allow_http)
    is_current = outcome.kind in ("replaced", "reused")
    _update(state, arguments.output, is_current=is_current)
    if state_file is not None and state.snapshot is not None:
        write_file(state_file, state.dump(source=source))
    exit_code = OK if is_current else REFUSED if outcome.kind == "invalid" else CANNOT
    if not (is_current or arguments.json):
        lines = problems_of(arguments.url, outcome.findings)
        raise Failed(exit_code, f"cannot fetch {arguments.url}: {outcome.message}", *lines)
    _report(arguments, outcome.kind, outcome.message, outcome.findings)
    return exit_code


def _state_file(output: str) -> str | None:
    """Return the path of the state file; None if the output is a pipe or a device."""
    is_special = Path(output).exists() and not Path(output).is_file()
    return None if is_special else f"{output}.state"


def _update(state: CacheState, output: str, *, is_current: bool) -> None:
    """Write the snapshot if the file is missing, or if the snapshot is current and differs."""
    if state.snapshot is None:
        return
    path, body = Path(output), encode(state.snapshot)
    if not path.exists() or (is_current and not _has_content(path, body)):
        write_file(output, body)


def _has_content(path: Path, body: bytes) -> bool:
    """Check whether a file has these bytes; only a regular file is read."""
    has_size = path.is_file() and path.stat().st_size == len(body)
    return has_size and read_file(str(path), len(body)) == body


def _report(arguments: Namespace, kind: str, message: str, findings: tuple[Finding, ...]) -> None:
    if arguments.json:
        listed = [one.members for one in problems_of(arguments.url, findings)]
        write_json({"outcome": kind, "message": message, "findings": listed})
        return
    echo(message)


def _load(name: str | None, source: str) -> CacheState:
    """Load the state of earlier calls; return the initial state if the file does not exist."""
    if name is None or not Path(name).exists():
        return CacheState()
    try:
        return CacheState.load(read_file(name, 2 * MAX_BYTES), source=source)
    except SiteDataError:
        raise Failed(
            CANNOT,
            f"{name} is not a state file of sitedata fetch: move it, or give another --output",
        ) from None
