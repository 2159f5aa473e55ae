"""Read the repository of a command; commands of snapshots do not import the reader of git."""

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from purewire.adapters.commands.exit_codes import CANNOT, USAGE, Failed
from purewire.adapters.commands.progress import show_progress
from sitedata.adapters.git import RepositoryError, read_history
from sitedata.building.history import History
from sitedata.building.settings import BuildSettings, is_plain_name, is_plain_path
from sitedata.building.tree import listed_names


def check_address(arguments: Namespace) -> None:
    """Raise Failed if `--owner` or `--name` cannot stand in URLs."""
    for option, is_valid in (("owner", is_plain_path), ("name", is_plain_name)):
        value = getattr(arguments, option)
        if value is not None and not is_valid(value):
            raise Failed(USAGE, f"--{option} must be printable, without empty segments or dots")


def history_of(arguments: Namespace, settings: BuildSettings) -> History:
    """Read the history of the repository with the dates that the settings ask for."""
    with show_progress("pieces") as progress, reading(arguments.repository):
        return read_history(
            arguments.repository,
            arguments.ref,
            dates=settings.dates,
            bulk=sorted(settings.bulk),
            listed=partial(listed_names, settings=settings),
            zone=settings.zone,
            progress=None if progress is None else partial(progress, "commits"),
        )


@contextmanager
def reading(repository: str) -> Iterator[None]:
    """Raise Failed if the repository cannot be read."""
    try:
        yield
    except RepositoryError as error:
        reason = str(error)
        is_folder = os.path.isdir(repository)  # noqa: PTH112 - never raises
        if error.code == "repository.missing" and not is_folder:
            exists = os.path.exists(repository)  # noqa: PTH110 - never raises
            description = "it is not a folder" if exists else "it does not exist"
            reason = f"{description} [{error.code}]"
        raise Failed(CANNOT, f"cannot read {repository}: {reason}") from None
