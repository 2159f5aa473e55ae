"""`sitedata fetch`: a file that is brought up to date with a published snapshot."""

from argparse import Namespace
from pathlib import Path

from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.outcomes import CANNOT, OK, REFUSED, Failed
from purewire.adapters.commands.saving import save
from purewire.adapters.commands.terminal import complain, say
from purewire.instants import format_instant
from sitedata.adapters.commands.inputs import asked, bytes_of_file
from sitedata.errors import SiteDataError
from sitedata.reading.structuring import encode
from sitedata.serving.bounds import MOST_BYTES
from sitedata.serving.cache import CacheState

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Ask for the snapshot if it is time to, and write it if it is another."""
    before = _known(arguments.state)
    if not arguments.force and not before.is_due(system_clock()):
        say(f"nothing is asked before {format_instant(before.next_try_at)}")
        return OK
    state, outcome = asked(arguments.url, before, allow_http=arguments.allow_http)
    if state.snapshot is not None and (
        outcome.kind == "replaced" or not Path(arguments.output).exists()
    ):
        save(arguments.output, encode(state.snapshot))
    if arguments.state is not None:
        save(arguments.state, state.dump())
    say(outcome.words)
    for finding in outcome.findings:
        complain(f"sitedata: {finding}")
    if outcome.kind in ("replaced", "reused"):
        return OK
    return REFUSED if outcome.kind == "invalid" else CANNOT


def _known(name: str | None) -> CacheState:
    """Give what is known from former calls; a file that is not there says nothing."""
    if name is None or not Path(name).exists():
        return CacheState()
    try:
        return CacheState.load(bytes_of_file(name, 2 * MOST_BYTES))
    except SiteDataError:
        raise Failed(CANNOT, f"{name} does not hold what is known of a URL") from None
