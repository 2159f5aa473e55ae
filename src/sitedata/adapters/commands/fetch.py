"""`sitedata fetch`: a file that is brought up to date with a published snapshot."""

from argparse import Namespace
from pathlib import Path

from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.outcomes import CANNOT, OK, REFUSED, Failed
from purewire.adapters.commands.reading import read_file
from purewire.adapters.commands.saving import save
from purewire.adapters.commands.terminal import complain, say, write_json
from purewire.findings import Finding
from purewire.instants import format_instant
from purewire.plain import to_plain
from sitedata.adapters.commands.inputs import asked
from sitedata.errors import SiteDataError
from sitedata.reading.structuring import encode
from sitedata.serving.bounds import MOST_BYTES
from sitedata.serving.cache import CacheState

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Ask for the snapshot if it is time to, and write it if it is another."""
    before = _known(arguments.state)
    if not arguments.force and not before.is_due(system_clock()):
        words = f"nothing is asked before {format_instant(before.next_try_at)}"
        _report(arguments, "not-due", words, ())
        return OK
    state, outcome = asked(arguments.url, before, allow_http=arguments.allow_http)
    if state.snapshot is not None and (
        outcome.kind == "replaced" or not Path(arguments.output).exists()
    ):
        save(arguments.output, encode(state.snapshot))
    if arguments.state is not None:
        save(arguments.state, state.dump())
    _report(arguments, outcome.kind, outcome.words, outcome.findings)
    if outcome.kind in ("replaced", "reused"):
        return OK
    return REFUSED if outcome.kind == "invalid" else CANNOT


def _report(arguments: Namespace, kind: str, words: str, findings: tuple[Finding, ...]) -> None:
    if arguments.json:
        found = [to_plain(finding) for finding in findings]
        write_json({"outcome": kind, "message": words, "findings": found})
        return
    say(words)
    for finding in findings:
        complain(f"sitedata: {finding}")


def _known(name: str | None) -> CacheState:
    """Give what is known from former calls; a file that is not there says nothing."""
    if name is None or not Path(name).exists():
        return CacheState()
    try:
        return CacheState.load(read_file(name, 2 * MOST_BYTES))
    except SiteDataError:
        raise Failed(
            CANNOT,
            f"--state: {name} is not a state file of sitedata fetch; remove it, or name another",
        ) from None
