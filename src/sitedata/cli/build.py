"""`sitedata build`: build the snapshot of a git repository."""

import gc
import os
import re
import sys
from argparse import Namespace
from itertools import groupby
from typing import Final

import attrs

from sitedata.adapters.git import Opened, history_of, read_settings_text
from sitedata.building.builder import BuildResult, build
from sitedata.building.history import RULES, History
from sitedata.building.settings import CONFIG_FILE, CONFIG_FILE_BYTES, BuildSettings
from sitedata.building.tree import EXPECTED_RULES
from sitedata.cli.inputs import check_address, open_repository
from sitedata.limits import MAX_BYTES
from sitedata.parsing import encode
from status_contracts.adapters.clocks import system_clock
from status_contracts.cli.exit_codes import OK, REFUSED, USAGE, Failed
from status_contracts.cli.files import read_file, write_file
from status_contracts.cli.problems import problems_of
from status_contracts.cli.terminal import echo_error, echo_warning
from status_contracts.instants import SECOND_MS, SECONDS, parse_millisecond
from status_contracts.structuring.decoder import SettingsError

_OPTIONS: Final = {
    "/repository/owner": "--owner OWNER",
    "/repository/name": "--name NAME",
    "/repository/kind": "--config FILE with kind in [repository]",
}
"""Path of a missing setting to the option that sets it."""
_REASONS: Final = {**RULES, **EXPECTED_RULES}
_EPOCH_SECONDS: Final = re.compile("[0-9]{1,11}")
_GENERATED_AT: Final = re.compile(rb'(?<="generatedAt":")[-:.0-9TZ]+(?=")')
_MAX_FOLDERS: Final = 5
"""Folders that are named for a reason; the others are counted."""


def run(arguments: Namespace) -> int:
    """Build the snapshot and write it; write warnings to stderr."""
    gc.disable()  # a build makes no cycles, and the search for them takes a tenth of its time
    try:
        return _run(arguments)
    finally:
        gc.enable()


def _run(arguments: Namespace) -> int:
    check_address(arguments)
    now = _build_time()
    with open_repository(arguments) as repository:
        settings = _settings(arguments, repository)
        history = history_of(repository, settings)
    built = _built(history, settings, now)
    faults = [
        *(["the history is incomplete"] if history.is_shallow else []),
        *([] if built.snapshot.problems else ["the snapshot is empty"]),
    ]
    is_refused = arguments.strict and bool(faults)
    body = encode(built.snapshot)
    is_same = not arguments.force and _is_published(arguments.output, body)
    if not (is_refused or is_same):
        write_file(arguments.output, body)
    for warning in built.warnings:
        echo_warning(warning)
    _write_summary(built, arguments.output, is_written=not is_refused)
    if is_refused:
        raise Failed(REFUSED, f"nothing is written with --strict: {', and '.join(faults)}")
    if is_same:
        echo_error(f"sitedata: {arguments.output} stays: only the time of the build differs")
    return OK


def _build_time() -> int:
    """Return the present, or the time in SOURCE_DATE_EPOCH, ms since the epoch."""
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if not text:
        return system_clock()
    if _EPOCH_SECONDS.fullmatch(text) is None or int(text) * SECOND_MS in SECONDS:
        message = f"SOURCE_DATE_EPOCH is {text}: it must be whole seconds since 1970, as 1767225600"
        raise Failed(USAGE, message)
    return int(text) * SECOND_MS


def _is_published(output: str | None, body: bytes) -> bool:
    """Check whether the output is a file that differs at most in the time of its build."""
    if output is None or not os.path.isfile(output):  # noqa: PTH113 - never raises
        return False
    earlier = read_file(output, MAX_BYTES)
    written = _GENERATED_AT.search(earlier)
    if written is None or earlier != _GENERATED_AT.sub(written[0], body, count=1):
        return False
    try:
        parse_millisecond(written[0].decode("ascii"))
    except ValueError:  # it is replaced
        return False
    return True


def _settings(arguments: Namespace, repository: Opened) -> BuildSettings:
    place, text = arguments.config, None
    if place is not None:
        text = read_file(place, CONFIG_FILE_BYTES)
    elif not arguments.no_config:
        place = f"{CONFIG_FILE} of {arguments.ref}"
        text = read_settings_text(repository)
        if text is not None:
            echo_error(f"sitedata: with the settings of {place}")
    settings = BuildSettings()
    if text is not None:
        from sitedata.adapters.files import read_config  # noqa: PLC0415 - most builds need it not

        try:
            settings = read_config(text)
        except SettingsError as error:
            raise Failed(USAGE, *problems_of(place, error.findings)) from None
    owner, name = arguments.owner or settings.owner, arguments.name or settings.name
    return attrs.evolve(settings, owner=owner, name=name)


def _built(history: History, settings: BuildSettings, now: int) -> BuildResult:
    try:
        return build(history, settings, generated_at=now)
    except SettingsError as error:
        options = " and ".join(_OPTIONS[finding.path] for finding in error.findings)
        reasons = {f"{finding.message} [{finding.rule}]": None for finding in error.findings}
        raise Failed(USAGE, f"{options} {', and '.join(reasons)}") from None


def _write_summary(built: BuildResult, output: str | None, *, is_written: bool) -> None:
    """Write a summary to stderr, and what each rule left out.

    If the snapshot is on stdout and stderr is no terminal, it is written only without problems.
    """
    listed, skipped = len(built.snapshot.problems), sum(built.skipped.values())
    if listed and output is None and not sys.stderr.isatty():
        return
    # Not `plural`, whose module no build needs.
    solutions = f"{listed:,} solution{'' if listed == 1 else 's'}"  # a problem may have several
    files = f"{skipped:,} file{'' if skipped == 1 else 's'} left out"
    place = output or "standard output"
    echo_error(f"{place if is_written else 'not written'}: {solutions}, {files}")
    for rule, group in groupby(built.skipped_in.items(), key=lambda item: item[0][0]):
        places = sorted(((root, files) for (_, root), files in group), key=lambda place: -place[1])
        named = [f"{folder or 'the root'} {files}" for folder, files in places[:_MAX_FOLDERS]]
        if others := places[_MAX_FOLDERS:]:
            named.append(f"{len(others)} other folders {sum(files for _, files in others)}")
        where = "" if rule == "path.root" else f" ({', '.join(named)})"
        echo_error(f"  {built.skipped[rule]} [{rule}]: each {_REASONS[rule]}{where}")
    if not listed:
        echo_warning("the snapshot is empty: no file in a folder is a solution")
