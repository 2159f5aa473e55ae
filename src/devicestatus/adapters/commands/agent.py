"""`devicestatus agent`: send what this machine is doing to a service."""

from argparse import Namespace
from contextlib import closing

import attrs

from devicestatus.adapters.agent import Agent, Report
from devicestatus.adapters.capture.readings import Capture
from devicestatus.adapters.commands.buffered_agent import run_buffered
from devicestatus.adapters.commands.inputs import load_settings
from devicestatus.adapters.commands.messages import hidden_message
from devicestatus.adapters.commands.push import EXIT_CODES, parse_destination
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.delivery import PUSH_INTERVAL_MS, Decision, Upload
from devicestatus.agent.privacy import PrivacyRules, Switches
from devicestatus.validation.music_urls import CatalogHosts
from devicestatus.validation.parse import check_snapshot
from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import OK, REFUSED, USAGE, Failed
from purewire.adapters.commands.signals import run_until_stopped
from purewire.adapters.commands.terminal import echo, echo_error, write_json
from purewire.instants import SECOND_MS, format_instant
from purewire.structuring.to_builtins import to_builtins

__all__ = ["ReportLog", "run"]


def run(arguments: Namespace) -> int:
    """Send snapshots or windows until stopped, or one snapshot."""
    catalog = load_settings().catalog
    buffered = arguments.mode == "buffered"
    if buffered and arguments.once:
        raise Failed(USAGE, "--once sends one snapshot; a window needs time to fill")
    if arguments.checkpoint is not None and not buffered:
        raise Failed(USAGE, "--checkpoint is for --mode buffered; snapshots keep no session")
    upload: Upload = "window" if buffered else "snapshot"
    destination = None if arguments.dry_run else parse_destination(arguments, upload)
    with closing(_capture(arguments)) as capture:
        if destination is None:
            return _dry_run(capture, catalog)
        if buffered:
            return run_buffered(capture, destination, catalog, arguments.checkpoint)
        return _run_snapshots(capture, destination, catalog, arguments)


def _run_snapshots(
    capture: Capture, destination: Destination, catalog: CatalogHosts, arguments: Namespace
) -> int:
    interval_ms = PUSH_INTERVAL_MS[arguments.policy]
    log = ReportLog(None if arguments.once else interval_ms)
    agent = Agent(capture.take, destination, interval_ms, log, catalog)
    if not arguments.once:
        echo(f"every {interval_ms // SECOND_MS} s to {destination.url}")
        for line in capture.describe():
            echo(line)
    return run_until_stopped(_send(agent, once=arguments.once), endless=not arguments.once)


def _capture(arguments: Namespace) -> Capture:
    names = [field.name for field in attrs.fields(Switches)]
    rules = PrivacyRules(
        names=arguments.sensitive,
        patterns=arguments.sensitive_pattern,
        switches=Switches(**{name: getattr(arguments, name) for name in names}),
    )
    return Capture.for_this_machine(rules)


def _dry_run(capture: Capture, catalog: CatalogHosts) -> int:
    """Print what would be sent, and what each rule hides."""
    now = system_clock()
    review = capture.review(now)
    findings = check_snapshot(review.public, received_at=now, catalog=catalog)
    write_json(to_builtins(review.public))
    for hidden in review.hidden:
        echo_error(hidden_message(hidden))
    if review.disabled:
        echo_error(f"switched off: {', '.join(review.disabled)}")
    for finding in findings:
        echo_error(str(finding))
    return REFUSED if findings else OK


async def _send(agent: Agent, *, once: bool) -> int:
    report = await (agent.run_once() if once else agent.run())
    return EXIT_CODES[report.decision.action]


@attrs.define(eq=False)
class ReportLog:
    """Prints reports, each kind once in a row: a good day is one line.

    Attributes:
        interval_ms: time from one attempt to the next; None where there is no next.

    """

    interval_ms: int | None
    _last: object = attrs.field(default=None, init=False)

    def __call__(self, report: Report) -> None:
        """Print a report, unless it equals the last one."""
        decision = report.decision
        entry = (decision.message, report.error, report.findings)
        if entry == self._last:
            return
        self._last = entry
        error = "" if report.error is None else f" ({report.error})"
        show = echo if decision.action == "accepted" else echo_error
        show(f"{format_instant(system_clock())} {decision.message}{error}{self._next(decision)}")
        for finding in report.findings:
            echo_error(str(finding))

    def _next(self, decision: Decision) -> str:
        if self.interval_ms is None or decision.action == "stop":
            return ""
        wait_ms = self.interval_ms if decision.wait_ms is None else decision.wait_ms
        return f"; next in {wait_ms // SECOND_MS} s"
