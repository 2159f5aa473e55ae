"""`devicestatus agent`: send what this machine is doing to a service."""

import asyncio
import json
import logging
import os
import shlex
import sys
from argparse import Namespace
from contextlib import closing, nullcontext
from pathlib import Path
from shutil import which
from typing import Final

import attrs
from platformdirs import user_state_path

from devicestatus.adapters.agent import Agent, BufferedAgent, Listener
from devicestatus.adapters.checkpoint_file import CheckpointFile, UnsafeCheckpoint
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.privacy import Rule
from devicestatus.devices import NAME_RULE, is_device_name
from devicestatus.explanation import snapshot_fields
from devicestatus.limits import (
    PUSH_ECO_MS,
    PUSH_REALTIME_MS,
    SAMPLE_INTERVAL_SECONDS,
    UPLOAD_INTERVAL_SECONDS,
)
from devicestatus.models import SENSITIVE_APP, Snapshot
from devicestatus.music_urls import CatalogHosts
from devicestatus.parsing import Kind, check_snapshot
from devicestatus.settings import Settings
from status_agent.capture.capture import Capture
from status_agent.push import exit_code, parse_destination, require_token
from status_agent.review import Hidden
from status_agent.settings import AgentSettings, default_path, load_agent_settings, write_template
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.files import file_problem
from status_contracts.cli.arguments import BOLD, GREEN, Styled, command
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from status_contracts.cli.files import make_token
from status_contracts.cli.problems import problems_of
from status_contracts.cli.terminal import echo, echo_error, write_json
from status_contracts.instants import MINUTE_MS, SECOND_MS, format_instant
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.decoder import SettingsError

_QUOTED: Final = 80  # characters of a wrong argument that a message quotes
_BUFFERED: Final = f"buffered: such a sample every {SAMPLE_INTERVAL_SECONDS} s, sent in windows"
_SETTINGS: Final = {"name": "hide", "only": "show_only", "replace": "replace"}
_MEMBERS: Final = {"active_app": "foreground app", "running_apps": "running", "music": "music"}
_REASONS: Final = {"unlisted": "show_only", "marks": "too many combining marks"}
"""Kind of a rule without a text to why it hides an app."""


def run(arguments: Namespace) -> int:
    """Send snapshots or windows until stopped, or one snapshot."""
    path = default_path() if arguments.config is None else Path(arguments.config)
    if arguments.init:
        return _init(path, arguments.config)
    settings = _settings(arguments, path)
    catalog = Settings.from_environ(os.environ).catalog
    buffered = settings.mode == "buffered"
    if buffered and arguments.once:
        raise Failed(USAGE, "--once sends one snapshot; a window needs time to fill")
    if arguments.checkpoint is not None and not buffered:
        raise Failed(USAGE, "--checkpoint is for --mode buffered; snapshots keep no session")
    if arguments.json and not arguments.dry_run:
        raise Failed(USAGE, "--json is for --dry-run")
    option = "url" if arguments.url is None else "--url"
    destination = None if arguments.dry_run else _destination(settings, option)
    with closing(Capture.for_this_machine(settings.rules, settings.wishes)) as machine:
        capture = attrs.evolve(machine, idle_ms=settings.idle_ms)
        if destination is None:
            return _dry_run(capture, catalog, settings.mode, as_json=arguments.json)
        if arguments.once:
            once = _snapshot_agent(capture, destination, catalog, settings)
            return exit_code(asyncio.run(once.run_once()).action)
        source = f"settings: {path}{'' if path.exists() else ', which does not exist'}"
        return _work(capture, destination, catalog, settings, source)


def _work(
    capture: Capture,
    destination: Destination,
    catalog: CatalogHosts,
    settings: AgentSettings,
    source: str,
) -> int:
    """Run the agent until it is stopped; `source` is the line that names the settings."""
    default = user_state_path("status-contracts") / "agent.json"
    checkpoints = CheckpointFile(settings.checkpoint or default)
    try:
        with checkpoints.claimed() if settings.mode == "buffered" else nullcontext():
            agent: Agent | BufferedAgent
            if settings.mode == "buffered":
                agent = _buffered_agent(capture, destination, catalog, checkpoints)
            else:
                agent = _snapshot_agent(capture, destination, catalog, settings)
            schedule = _schedule_text(agent)
            for line in (f"{schedule} to {destination.url}", *capture.describe(), source):
                echo(line)
            return exit_code(asyncio.run(agent.run()).action)
    except UnsafeCheckpoint as error:
        raise Failed(REFUSED, str(error)) from None


def _init(path: Path, config: str | None) -> int:
    try:
        write_template(path)
    except FileExistsError:
        raise Failed(REFUSED, f"{path} is there already: edit it, or remove it first") from None
    except OSError as error:
        raise Failed(CANNOT, f"cannot write {path}: {file_problem(error, 'write')}") from None
    token = path.with_name("token")
    echo(Styled(f"wrote {path}: set url and token_file at its top", GREEN, "wrote"))
    echo(f"write the token to {token}, with mode 600; to make one:")
    echo(make_token(token))
    program = "devicestatus" if which("devicestatus") else sys.argv[0]
    named = "" if config is None else f" --config {shlex.quote(config)}"
    echo("then try")
    echo(command(f"{shlex.quote(program)} agent{named} --dry-run"))
    return OK


def _settings(arguments: Namespace, path: Path) -> AgentSettings:
    """Return the settings of the file, if there is one, overridden by the arguments."""
    try:
        settings = load_agent_settings(path)
    except FileNotFoundError:
        if arguments.config is not None:
            raise Failed(
                CANNOT, f"cannot read {path}: it does not exist; --init writes one"
            ) from None
        settings = AgentSettings()
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {path}: {file_problem(error)}") from None
    except SettingsError as error:
        raise Failed(USAGE, *problems_of(str(path), error.findings)) from None
    if arguments.device is not None and not is_device_name(arguments.device):
        raise Failed(USAGE, f"--device: {arguments.device[:_QUOTED]!r} must have {NAME_RULE}")
    options = {
        "url": arguments.url,
        "device": arguments.device,
        "mode": arguments.mode,
        "token_file": None if arguments.token_file is None else Path(arguments.token_file),
        "checkpoint": None if arguments.checkpoint is None else Path(arguments.checkpoint),
        "insecure": arguments.insecure or None,
    }
    return attrs.evolve(settings, **{name: it for name, it in options.items() if it is not None})


def _destination(settings: AgentSettings, option: str) -> Destination:
    url = settings.service_url
    if url is None:
        raise Failed(
            USAGE,
            "no service: give --url URL, or url in the settings (--init writes a file of them);"
            " --dry-run needs none",
        )
    token = require_token(settings.token_file)
    upload: Kind = "window" if settings.mode == "buffered" else "snapshot"
    return parse_destination(url, token, upload, insecure=settings.insecure, option=option)


def _buffered_agent(
    capture: Capture, destination: Destination, catalog: CatalogHosts, checkpoints: CheckpointFile
) -> BufferedAgent:
    try:
        return BufferedAgent(
            LoggedCapture(capture).take,
            destination,
            capture.rules,
            checkpoints=checkpoints,
            listener=AgentLog(),
            catalog=catalog,
        )
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {checkpoints.path}: {file_problem(error)}") from None


def _snapshot_agent(
    capture: Capture, destination: Destination, catalog: CatalogHosts, settings: AgentSettings
) -> Agent:
    sample_ms = SAMPLE_INTERVAL_SECONDS * SECOND_MS if settings.mode == "realtime" else None
    interval_ms = PUSH_ECO_MS if settings.mode == "eco" else PUSH_REALTIME_MS
    take = LoggedCapture(capture).take
    return Agent(take, destination, interval_ms, sample_ms, listener=AgentLog(), catalog=catalog)


def _schedule_text(agent: Agent | BufferedAgent) -> str:
    if isinstance(agent, BufferedAgent):
        window = f"a window every {UPLOAD_INTERVAL_SECONDS} s"
        return f"a sample every {SAMPLE_INTERVAL_SECONDS} s, {window}"
    at_once = "" if agent.sample_ms is None else ", and changes at once,"
    return f"every {agent.interval_ms // SECOND_MS} s{at_once}"


def _dry_run(capture: Capture, catalog: CatalogHosts, mode: str, *, as_json: bool) -> int:
    """Print what would be sent, what each rule hides, and the rules that hide nothing."""
    now, rules = system_clock(), capture.rules
    review = capture.review(now)
    findings = check_snapshot(review.public, received_at=now, catalog=catalog)
    unmatched = rules.unmatched(capture.listed())
    if as_json:
        write_json(
            {
                "snapshot": unstructure(review.public),
                "hidden": [attrs.asdict(hidden) for hidden in review.hidden],
                "unmatched": [
                    {**attrs.asdict(rule), "message": unmatched_message(rule)} for rule in unmatched
                ],
                "disabled": list(rules.disabled),
                "private": bool(review.is_locked or review.is_idle),
                "locks": capture.locks(),
                "player": review.player,
                "withheld": review.withheld,
                "findings": [problem.members for problem in problems_of("", findings)],
            }
        )
        return REFUSED if findings else OK
    for name, text in snapshot_fields(review.public).items():
        echo(Styled(f"{name}: {text}", BOLD, f"{name}:"))
    for line in (
        *([_BUFFERED] if mode == "buffered" else []),
        *("", Styled("where it comes from, and what is withheld:")),
        *capture.describe(),
        *map(hidden_message, review.hidden),
        *map(unmatched_message, unmatched),
        *([] if review.player is None else [f"music: from {review.player}"]),
        *(f"music: not sent: {text}" for text in review.withheld),
        *(["private: the screen is locked, so no apps are sent"] if review.is_locked else []),
        *(["private: the computer is idle, so no apps are sent"] if review.is_idle else []),
        *map(str, findings),
    ):
        echo_error(line)
    return REFUSED if findings else OK


def _cause(rule: Rule) -> str:
    """Return the setting that a rule is, and its text; or why there is a rule without text."""
    if rule.kind in _REASONS:
        return _REASONS[rule.kind]
    return f"{_SETTINGS[rule.kind]} {json.dumps(rule.text, ensure_ascii=False)}"


def hidden_message(hidden: Hidden) -> str:
    """Return a line that names a privacy rule and what it hides; quotes no name of an app."""
    cause = f"because of {_cause(hidden.rule)}"
    if hidden.member == "music":
        return f"music: not reported, {cause} for its player"
    number = f"{hidden.count} names " if hidden.count > 1 else ""
    done = "replaced" if hidden.rule.kind == "replace" else f"reported as {SENSITIVE_APP}"
    return f"{_MEMBERS[hidden.member]}: {number}{done}, {cause}"


def unmatched_message(rule: Rule) -> str:
    """Return a line that names a privacy rule that matches nothing, with the remedy."""
    return (
        f"{_cause(rule)} matches nothing: open the app and repeat the dry run, or give the name"
        " that the dry run prints for it"
    )


@attrs.define(eq=False)
class LoggedCapture:
    """Takes snapshots, and prints when the screen is locked, or no input for a time hides apps."""

    capture: Capture
    _last: list[bool] = attrs.field(factory=lambda: [False, False], init=False)

    def take(self, collected_at: int, metrics: Snapshot | None) -> Snapshot:
        """Take a snapshot as the capture does."""
        review = self.capture.review(collected_at, metrics)
        minutes = (self.capture.idle_ms or 0) // MINUTE_MS
        idle = ("in use again", f"idle: no input for {minutes} minutes, so no apps are sent")
        lines = (("the screen is unlocked", "the screen is locked"), idle)
        present = (review.is_locked, review.is_idle)
        for subject, (now, texts) in enumerate(zip(present, lines, strict=True)):
            if now is not None and now != self._last[subject]:
                echo(f"{_now()} {texts[now]}")
                self._last[subject] = now
        return review.public


class AgentLog(Listener):
    """Prints the events of an agent: a good day is one line."""

    def write(self, subject: str, text: str, level: int, exception: Exception | None) -> None:
        """Print a text; an exception may quote names of apps, and is left out."""
        del subject, exception
        for line in f"{_now()} {text}".split("\n"):
            (echo if level == logging.INFO else echo_error)(line)


def _now() -> str:
    return format_instant(system_clock())
