"""Open the input of the commands: a folder of profiles, and a column mapping."""

import logging
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Final

from healthapi.adapters.column_mapping import COLUMNS_FILE_BYTES, parse_column_mapping
from healthapi.adapters.folder import FolderSource
from healthapi.errors import DataError
from healthapi.profile import Profile, list_files
from healthapi.rows.mapping import NATIVE, ProfileMap
from status_contracts.adapters.files import file_problem
from status_contracts.cli.arguments import command
from status_contracts.cli.exit_codes import CANNOT, REFUSED, USAGE, Failed
from status_contracts.cli.files import read_file
from status_contracts.cli.problems import Problem, problems_of
from status_contracts.cli.terminal import echo_warning, show_log

_IMPORT: Final = "; healthapi import makes one of an export"


def source_of(arguments: Namespace, *, is_logged: bool = False) -> FolderSource:
    """Return the source of the profiles in a folder; a profile's own folder raises Failed.

    Unless it is logged, the command itself prints why profiles cannot be read.
    """
    if is_logged:
        show_log()
    else:
        logging.getLogger("healthapi").addHandler(logging.NullHandler())
    mapping, folder = mapping_of(arguments), Path(arguments.folder)
    has_files = any((folder / name).is_file() for name in list_files(mapping))
    if has_files or any(folder.glob("csv/*.csv")):  # of a mapping beside the profile
        raise Failed(USAGE, f"{arguments.folder} is a profile: give the folder that holds it")
    return FolderSource(arguments.folder, columns=mapping)


def no_data(arguments: Namespace) -> str:
    """Return the message for a folder whose profiles are all empty."""
    tables = sorted(path.name for path in Path(arguments.folder).glob("*.csv"))
    remedy = f"; move {tables[0]} to csv/ of a profile" if tables else _IMPORT
    return f"{arguments.folder} has no profile with data{remedy}"


def unreadable(name: str, error: DataError) -> Failed:
    """Return the failure of a profile that cannot be read, with the exit code of `check`."""
    lines = (Problem(name + one.path, None, "", one.rule, one.message) for one in error.findings)
    is_denied = any(one.rule == "file.unreadable" for one in error.findings)
    return Failed(CANNOT if is_denied else REFUSED, *lines)


def warn_left_out(profiles: Iterable[Profile], folder: str) -> None:
    """Print a warning if anything in the files of profiles is left out."""
    groups = [group for profile in profiles for group in profile.findings.values()]
    if any(group.rejected_rows or group.unreadable_cells for group in groups):
        echo_warning(*see_check("rows or values are left out", folder))


def see_check(words: str, folder: str) -> tuple[str, ...]:
    """Return the lines of a message: its words, and the command that reports all problems."""
    return f"{words}; to see all problems:", command(f"healthapi check {quote(folder)}")


def mapping_of(arguments: Namespace) -> ProfileMap:
    """Return the column mapping of profiles without one of their own."""
    name = arguments.columns
    if name is None:
        return NATIVE
    data = read_file(name, COLUMNS_FILE_BYTES, is_regular=False)
    try:
        return parse_column_mapping(data, "")
    except DataError as error:
        raise Failed(USAGE, *problems_of(name, error.findings)) from None


@contextmanager
def reading(folder: str) -> Iterator[None]:
    """Raise Failed if the folder of the profiles cannot be read."""
    try:
        yield
    except NotADirectoryError:
        raise Failed(CANNOT, f"cannot read {folder}: it is not a folder") from None
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {folder}: {file_problem(error)}") from None
