"""`devicestatus agent`: send what this machine is doing to a service."""

import json
from argparse import Namespace
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import attrs
from platformdirs import user_state_path

from devicestatus.adapters.agent import Agent, UploadReport
from devicestatus.adapters.buffered_agent import BufferedAgent, new_recorder
from devicestatus.adapters.capture.capture import MUSIC, Capture
from devicestatus.adapters.capture.sources import FirstReadableApps
from devicestatus.adapters.checkpoint_file import CheckpointFile, ConfirmedFile, UnsafeCheckpoint
from devicestatus.adapters.commands.inputs import load_settings
from devicestatus.adapters.commands.push import EXIT_CODES, parse_destination
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.checkpoint import NotResumed, NotResumedReason
from devicestatus.agent.cleaning import clean_app_name
from devicestatus.agent.delivery import PUSH_INTERVAL_MS, Decision, Upload
from devicestatus.agent.privacy import Hidden, PrivacyRules, Rule, Switches
from devicestatus.agent.recorder import Recorder
from devicestatus.limits import SAMPLE_INTERVAL_SECONDS, UPLOAD_INTERVAL_SECONDS
from devicestatus.models.snapshot import SENSITIVE_APP
from devicestatus.validation.music_urls import CatalogHosts
from devicestatus.validation.parse import check_snapshot
from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from purewire.adapters.commands.signals import run_until_stopped
from purewire.adapters.commands.terminal import echo, echo_error, write_json
from purewire.findings import Finding
from purewire.instants import SECOND_MS, format_instant
from purewire.structuring.to_builtins import to_builtins

_WHY_NEW: Final[dict[NotResumedReason, str]] = {
    "unreadable": "it cannot be read",
    "invalid": "it is not a valid checkpoint",
    "old": "it is older than 900 s",
    "ahead": "it was saved later than now",
    "privacy": "the privacy rules have changed",
}

_OPTIONS: Final = {"name": "--sensitive", "pattern": "--sensitive-pattern"}
_REASONS: Final = {
    "marks": "too many combining marks",
    "unconfirmed": "a change of the source of apps; add --confirm to the dry run to show it",
}
"""Kind of a rule that is no option to why it hides an app."""


def run(arguments: Namespace) -> int:
    """Send snapshots or windows until stopped, or one snapshot."""
    catalog = load_settings().catalog
    buffered = arguments.mode == "buffered"
    if buffered and arguments.once:
        raise Failed(USAGE, "--once sends one snapshot; a window needs time to fill")
    if arguments.checkpoint is not None and not buffered:
        raise Failed(USAGE, "--checkpoint is for --mode buffered; snapshots keep no session")
    if (arguments.confirm or arguments.json) and not arguments.dry_run:
        raise Failed(USAGE, "--confirm and --json are for --dry-run")
    upload: Upload = "window" if buffered else "snapshot"
    destination = None if arguments.dry_run else parse_destination(arguments, upload)
    with closing(_capture(arguments)) as found:
        confirmed = ConfirmedFile(
            CheckpointFile(_state_path("confirmed.json")), found.rules.fingerprint
        )
        if arguments.confirm:
            _confirm(found, confirmed)
        capture = _confirming(found, confirmed, is_dry_run=destination is None)
        if destination is None:
            return _dry_run(capture, catalog, as_json=arguments.json)
        if buffered:
            return _run_windows(capture, destination, catalog, arguments.checkpoint)
        return _run_snapshots(capture, destination, catalog, arguments)


def _run_snapshots(
    capture: Capture, destination: Destination, catalog: CatalogHosts, arguments: Namespace
) -> int:
    interval_ms = PUSH_INTERVAL_MS[arguments.policy]
    log = ReportLog(None if arguments.once else interval_ms)
    agent = Agent(capture.take, destination, interval_ms, log, catalog)
    if not arguments.once:
        _announce(capture, f"every {interval_ms // SECOND_MS} s to {destination.url}")
    return run_until_stopped(_send(agent, once=arguments.once), endless=not arguments.once)


def _announce(capture: Capture, schedule: str) -> None:
    for line in (schedule, *capture.describe()):
        echo(line)


def _capture(arguments: Namespace) -> Capture:
    names = [field.name for field in attrs.fields(Switches)]
    for option in ("sensitive", "sensitive_pattern"):
        if not all(PrivacyRules(names=[text]).names for text in getattr(arguments, option)):
            flag = option.replace("_", "-")
            raise Failed(USAGE, f"--{flag}: a blank name hides nothing; give the name of an app")
    rules = PrivacyRules(
        names=arguments.sensitive,
        patterns=arguments.sensitive_pattern,
        switches=Switches(**{name: getattr(arguments, name) for name in names}),
    )
    return Capture.for_this_machine(rules)


def _dry_run(capture: Capture, catalog: CatalogHosts, *, as_json: bool) -> int:
    """Print what would be sent, what each rule hides, and the rules that hide nothing."""
    now, rules = system_clock(), capture.rules
    review = capture.review(now)
    public = to_builtins(review.public)
    findings = check_snapshot(review.public, received_at=now, catalog=catalog)
    listed = capture.listed()
    unmatched = rules.unmatched(name for names in listed.values() for name in names)
    sources = {name: _shown(rules, apps) for name, apps in listed.items() if name != MUSIC}
    if as_json:
        value = {
            "snapshot": public,
            "hidden": [attrs.asdict(each) for each in review.hidden],
            "unmatched": [
                {**attrs.asdict(rule), "message": unmatched_message(rule)} for rule in unmatched
            ],
            "disabled": review.disabled,
            "sources": sources,
            "findings": [to_builtins(finding) for finding in findings],
        }
        write_json(value)
        return REFUSED if findings else OK
    write_json(public)
    for hidden in review.hidden:
        echo_error(hidden_message(hidden))
    for rule in unmatched:
        echo_error(unmatched_message(rule))
    if review.disabled:
        echo_error(f"switched off: {', '.join(review.disabled)}")
    for source, names in [*sources.items()][1:]:
        apps = ", ".join(names) or "no apps"
        echo_error(f"{source}, read where the source before it cannot be: {apps}")
    for finding in findings:
        echo_error(str(finding))
    return REFUSED if findings else OK


def _option_of(rule: Rule) -> str:
    """Return the option that a rule is, and its text; or why there is a rule without option."""
    if rule.kind in _REASONS:
        return _REASONS[rule.kind]
    return f"{_OPTIONS[rule.kind]} {json.dumps(rule.text, ensure_ascii=False)}"


def hidden_message(hidden: Hidden) -> str:
    """Return a line that names a privacy rule and what it hides; quotes no name of an app."""
    by = _option_of(hidden.rule)
    if hidden.member == "music":
        return f"music: not reported, its player is hidden by {by}"
    number = f"{hidden.count} names " if hidden.count > 1 else ""
    return f"{hidden.member}: {number}reported as {SENSITIVE_APP}, hidden by {by}"


def unmatched_message(rule: Rule) -> str:
    """Return a line that names a privacy rule that hides nothing, with the remedy."""
    return (
        f"{_option_of(rule)} hides nothing: open the app and repeat the dry run, or give the name"
        " that the dry run prints for it"
    )


def _shown(rules: PrivacyRules, names: Iterable[str]) -> list[str]:
    """Return the names that are shown for apps, sorted."""
    shown = (SENSITIVE_APP if rules.hides(name) else clean_app_name(name) for name in names)
    return sorted({name for name in shown if name is not None})


def _confirm(capture: Capture, confirmed: ConfirmedFile) -> None:
    """Save the names that the rules do not hide now; raise Failed."""
    hides, listed = capture.rules.hides, capture.listed()
    player = listed.pop(MUSIC)
    if not listed:
        raise Failed(CANNOT, "--confirm: no source of apps can be read now, so none is confirmed")
    names = [name for each in listed.values() for name in each if not hides(name)]
    path = confirmed.file.path
    try:
        confirmed.save(next(iter(listed)), [*names, *(() if any(map(hides, player)) else player)])
    except OSError as error:
        raise Failed(CANNOT, f"cannot write {path}: {error.strerror}") from None
    echo_error(f"confirmed in {path}: these names are shown whichever source they come from")


def _confirming(capture: Capture, confirmed: ConfirmedFile, *, is_dry_run: bool) -> Capture:
    """Return a capture that shows the confirmed names, and knows the source that they are from."""
    rules, apps = capture.rules, capture.apps
    if isinstance(apps, FirstReadableApps) and (rules.names or rules.patterns):
        apps.first = confirmed.load().source
        if not is_dry_run:
            apps.on_first = partial(_save_source, confirmed)
    return attrs.evolve(capture, confirmed=lambda: confirmed.load().names)


def _save_source(confirmed: ConfirmedFile, source: str) -> None:
    try:
        confirmed.save(source)
    except OSError as error:
        echo_error(f"cannot write {confirmed.file.path}: {error.strerror}")


def _state_path(name: str) -> Path:
    return user_state_path("status-contracts") / name


async def _send(agent: Agent, *, once: bool) -> int:
    report = await (agent.run_once() if once else agent.run())
    return EXIT_CODES[report.decision.action]


@attrs.define(eq=False)
class ReportLog:
    """Prints reports, each kind once in a row: a good day is one line."""

    interval_ms: int | None  # None: one attempt
    _last: object = attrs.field(default=None, init=False)

    def __call__(self, report: UploadReport) -> None:
        """Print a report, unless it equals the last one."""
        decision = report.decision
        too_short = self._too_short(report)
        entry = (decision.message, report.error, report.findings, too_short)
        if entry == self._last:
            return
        self._last = entry
        _echo_decision(decision, report.error, self._wait_ms(decision))
        for finding in report.findings:
            echo_error(str(finding))
        if too_short is not None:
            echo_error(too_short)

    def _too_short(self, report: UploadReport) -> str | None:
        """Return a warning where a snapshot expires before the next one."""
        lifetime_ms, interval_ms = report.lifetime_ms, self.interval_ms
        if lifetime_ms is None or interval_ms is None or lifetime_ms >= interval_ms:
            return None
        return (
            f"a snapshot expires after {lifetime_ms // SECOND_MS} s, and the next one follows after"
            f" {interval_ms // SECOND_MS} s: the status is offline in between."
            " Set STATUS_TTL_SECONDS=eco on the service, or use --policy realtime"
        )

    def _wait_ms(self, decision: Decision) -> int | None:
        if self.interval_ms is None or decision.action == "stop":
            return None
        return self.interval_ms if decision.wait_ms is None else decision.wait_ms


def _run_windows(
    capture: Capture, destination: Destination, catalog: CatalogHosts, checkpoint: str | None
) -> int:
    """Sample and upload until stopped."""
    path = _state_path("agent.json") if checkpoint is None else Path(checkpoint)
    checkpoints = CheckpointFile(path)
    recorder = load_recorder(checkpoints, capture, catalog)
    agent = BufferedAgent(
        capture.take, recorder, capture.rules, destination, AgentLog(), checkpoints, catalog
    )
    _announce(
        capture,
        f"a sample every {SAMPLE_INTERVAL_SECONDS} s, a window every {UPLOAD_INTERVAL_SECONDS} s"
        f" to {destination.url}",
    )
    return run_until_stopped(_work(agent))


async def _work(agent: BufferedAgent) -> int:
    await agent.run()
    return REFUSED


def load_recorder(checkpoints: CheckpointFile, capture: Capture, catalog: CatalogHosts) -> Recorder:
    """Return the recorder of the checkpoint, or a new one, and print which; raise Failed."""
    try:
        found = checkpoints.load()
    except UnsafeCheckpoint as error:
        raise Failed(REFUSED, f"{error}: {checkpoints.path}") from None
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {checkpoints.path}: {error.strerror}") from None
    if found is None:
        return new_recorder(capture.rules, catalog)
    recorder = Recorder.resume(found, capture.rules, now_ms=system_clock(), catalog=catalog)
    if isinstance(recorder, NotResumed):
        echo(f"a new session: the checkpoint cannot be used, {_WHY_NEW[recorder.reason]}")
        return new_recorder(capture.rules, catalog)
    echo("the session of the checkpoint is resumed")
    return recorder


@attrs.define(eq=False)
class AgentLog:
    """Prints the events of an agent, each once in a row: a good day is one line."""

    _last: dict[str, object] = attrs.field(factory=dict, init=False)

    def uploaded(self, decision: Decision, error: str | None) -> None:
        """Print the end of an upload, unless it equals the last one."""
        if self._is_new("upload", (decision.message, error)):
            correction = "" if decision.correction_ms is None else "; corrected for later uploads"
            _echo_decision(decision, error, decision.wait_ms, correction)

    def sample_rejected(self, findings: tuple[Finding, ...]) -> None:
        """Print the findings of a sample that breaks rules of the contract."""
        if self._is_new("sample", findings):
            echo_error(f"{_now()} a sample was not recorded:")
            for finding in findings:
                echo_error(str(finding))

    def read_failed(self, error: str) -> None:
        """Print a failed reading."""
        if self._is_new("reading", error):
            echo_error(f"{_now()} this machine could not be read ({error})")

    def session_restarted(self) -> None:
        """Print that the clock was set back."""
        echo_error(f"{_now()} the clock was set back: a new session begins")

    def checkpoint_failed(self, error: OSError) -> None:
        """Print that a checkpoint could not be written."""
        if self._is_new("checkpoint", error.errno):
            echo_error(f"{_now()} the checkpoint cannot be written: {error.strerror}")

    def _is_new(self, subject: str, entry: object) -> bool:
        is_new = self._last.get(subject) != entry
        self._last[subject] = entry
        return is_new


def _echo_decision(
    decision: Decision, error: str | None, wait_ms: int | None, correction: str = ""
) -> None:
    cause = "" if error is None else f" ({error})"
    wait = "" if wait_ms is None else f"; next in {wait_ms // SECOND_MS} s"
    show = echo if decision.action == "accepted" else echo_error
    show(f"{_now()} {decision.message}{cause}{correction}{wait}")


def _now() -> str:
    return format_instant(system_clock())
