"""Report what is wrong with the repository argument of a command, or with its address."""

import os
from argparse import Namespace

from purewire.adapters.commands.exit_codes import CANNOT, USAGE, Failed
from sitedata.adapters.git import RepositoryError
from sitedata.building.settings import is_plain_name, is_plain_path

__all__ = ["check_address", "unreadable"]


def check_address(arguments: Namespace) -> None:
    """Raise Failed if `--owner` or `--name` cannot stand in URLs."""
    for option, is_valid in (("owner", is_plain_path), ("name", is_plain_name)):
        value = getattr(arguments, option)
        if value is not None and not is_valid(value):
            raise Failed(USAGE, f"--{option} must be printable, without empty segments or dots")


def unreadable(repository: str, error: RepositoryError) -> Failed:
    """Return the failure for a repository that cannot be read."""
    reason = str(error)
    is_folder = os.path.isdir(repository)  # noqa: PTH112 - never raises
    if error.code == "repository.missing" and not is_folder:
        exists = os.path.exists(repository)  # noqa: PTH110 - never raises
        description = "it is not a folder" if exists else "it does not exist"
        reason = f"{description} [{error.code}]"
    return Failed(CANNOT, f"cannot read {repository}: {reason}")
