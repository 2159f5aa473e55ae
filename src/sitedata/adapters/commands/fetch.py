"""`sitedata fetch`: a file that is brought up to date with a published snapshot."""

from argparse import Namespace
from hashlib import sha256
from pathlib import Path

from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, Failed
from purewire.adapters.commands.files import read_file, write_file
from purewire.adapters.commands.terminal import echo, echo_error, write_json
from purewire.findings import Finding
from purewire.instants import format_instant
from purewire.structuring.to_builtins import to_plain
from sitedata.adapters.commands.inputs import asked
from sitedata.errors import SiteDataError
from sitedata.reading.decoder import encode
from sitedata.serving.cache import CacheState
from sitedata.serving.limits import MOST_BYTES

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Ask for the snapshot if it is time to, and write it if it is another."""
    place, source = _state_of(arguments), sha256(arguments.url.encode()).hexdigest()
    before = _known(place, source)
    if not arguments.force and not before.is_due(system_clock()):
        words = f"nothing is asked before {format_instant(before.next_try_at)}"
        _bring(before, arguments.output, is_current=before.failures == 0)
        _report(arguments, "not-due", words, ())
        return OK
    state, outcome = asked(arguments.url, before, allow_http=arguments.allow_http)
    is_current = outcome.kind in ("replaced", "reused")
    _bring(state, arguments.output, is_current=is_current)
    if place is not None:
        write_file(place, state.dump(source=source))
    _report(arguments, outcome.kind, outcome.words, outcome.findings)
    if is_current:
        return OK
    return REFUSED if outcome.kind == "invalid" else CANNOT


def _state_of(arguments: Namespace) -> str | None:
    """Return the file for what is known; None where the output is a pipe or a device."""
    output = str(arguments.output)
    if arguments.state is not None or (Path(output).exists() and not Path(output).is_file()):
        state: str | None = arguments.state
        return state
    return f"{output}.state"


def _bring(state: CacheState, output: str, *, is_current: bool) -> None:
    """Write the snapshot that is known, unless the file holds it or is to be left as it is."""
    if state.snapshot is None:
        return
    place, body = Path(output), encode(state.snapshot)
    if not place.exists() or (is_current and not _holds(place, body)):
        write_file(output, body)


def _holds(place: Path, body: bytes) -> bool:
    """Check whether a file has these bytes; only a regular file is read."""
    is_alike = place.is_file() and place.stat().st_size == len(body)
    return is_alike and read_file(str(place), len(body)) == body


def _report(arguments: Namespace, kind: str, words: str, findings: tuple[Finding, ...]) -> None:
    if arguments.json:
        found = [to_plain(finding) for finding in findings]
        write_json({"outcome": kind, "message": words, "findings": found})
        return
    echo(words)
    for finding in findings:
        echo_error(f"sitedata: {finding}")


def _known(name: str | None, source: str) -> CacheState:
    """Return what is known from former calls; nothing where the file is not there."""
    if name is None or not Path(name).exists():
        return CacheState()
    try:
        return CacheState.load(read_file(name, 2 * MOST_BYTES, regular=True), source=source)
    except SiteDataError:
        raise Failed(
            CANNOT,
            f"--state: {name} is not a state file of sitedata fetch; remove it, or name another",
        ) from None
