"""`sitedata build`: a snapshot of a git repository, whole or not at all."""

import sys
from argparse import Namespace
from functools import partial

import attrs

from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.outcomes import CANNOT, OK, USAGE, Failed
from purewire.adapters.commands.progress import watched
from purewire.adapters.commands.reading import read_file
from purewire.adapters.commands.saving import save
from purewire.adapters.commands.terminal import complain, write
from sitedata.adapters.config import CONFIG_FILE_BYTES, read_config
from sitedata.adapters.git import RepositoryError, read_history
from sitedata.building.builder import Built, build
from sitedata.building.history import History
from sitedata.building.settings import BuildSettings, SettingsError
from sitedata.reading.structuring import encode

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Build the snapshot and write it; say on the error output what was left out, and why."""
    settings = _settings(arguments)
    history = _history(arguments, settings)
    built = _built(history, settings)
    body = encode(built.snapshot)
    if arguments.output is None:
        write(body)
    else:
        save(arguments.output, body)
    for warning in built.warnings:
        complain(f"sitedata: {warning}")
    _tell(built, arguments.output)
    return OK


def _settings(arguments: Namespace) -> BuildSettings:
    try:
        settings = BuildSettings()
        if arguments.config is not None:
            settings = read_config(read_file(arguments.config, CONFIG_FILE_BYTES))
        given = {name: getattr(arguments, name) for name in ("dates", "zone")}
        return attrs.evolve(
            settings,
            bulk=settings.bulk.union(arguments.bulk or ()),
            **{name: value for name, value in given.items() if value is not None},
        )
    except SettingsError as error:
        place = arguments.config or "the settings"
        raise Failed(USAGE, *(f"in {place}, {finding}" for finding in error.findings)) from None
    except ValueError as fault:
        raise Failed(USAGE, str(fault)) from None


def _history(arguments: Namespace, settings: BuildSettings) -> History:
    with watched("pieces") as progress:
        try:
            return read_history(
                arguments.repository,
                arguments.ref,
                dates=settings.dates,
                bulk=sorted(settings.bulk),
                suspect=settings.bulk_suspect,
                zone=settings.zone,
                progress=None if progress is None else partial(progress, "commits"),
            )
        except RepositoryError as error:
            raise Failed(CANNOT, str(error)) from None


def _built(history: History, settings: BuildSettings) -> Built:
    try:
        return build(history, settings, generated_at=system_clock())
    except SettingsError as error:
        lines = (f"in the settings, {finding}" for finding in error.findings)
        raise Failed(USAGE, *lines) from None


def _tell(built: Built, output: str | None) -> None:
    """Say what was built; not among the bytes of the snapshot, and not where nobody reads it."""
    if output is None and not sys.stderr.isatty():
        return
    listed, left_out = len(built.snapshot.problems), sum(built.left_out.values())
    complain(f"sitedata: {listed} problems, {left_out} other files")
