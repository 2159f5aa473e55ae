"""Open the input of the commands: a folder of profiles, and a column mapping."""

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from healthapi.adapters.column_mapping import COLUMNS_FILE_BYTES, parse_column_mapping
from healthapi.adapters.folder import FolderSource
from healthapi.endpoints import KEYS
from healthapi.errors import DataError
from healthapi.profile import list_files
from healthapi.rows.mapping import NATIVE, ProfileMap
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts.cli.exit_codes import CANNOT, REFUSED, USAGE, Failed
from status_contracts.cli.files import read_file
from status_contracts.cli.terminal import show_progress

_MAP: Final = "map"


class _OneProfile(FolderSource):
    def __init__(self, folder: Path, columns: ProfileMap) -> None:
        super().__init__(folder.parent, columns=columns)
        self._id = folder.name

    def ids(self) -> tuple[str, ...]:
        return tuple(profile_id for profile_id in super().ids() if profile_id == self._id)


def source_of(arguments: Namespace) -> FolderSource:
    """Return the source of the profiles in a folder; of one if the folder is one."""
    columns = _mapping_of(arguments)
    if not _is_profile(arguments.folder):
        return FolderSource(arguments.folder, columns=columns)
    folder = Path(arguments.folder).resolve()
    if KEYS["profile_id"].parse(folder.name) is None:
        raise Failed(
            REFUSED,
            f"{arguments.folder} is a profile, and its name is no profile id:"
            " rename it to 1 to 128 letters of ASCII, digits, - and _",
        )
    return _OneProfile(folder, columns)


def in_turn(profile_ids: Sequence[str]) -> Iterator[str]:
    """Yield the ids, and show how many are done."""
    with show_progress() as progress:
        for done, profile_id in enumerate(profile_ids):
            if progress is not None:
                progress(profile_id, done, len(profile_ids))
            yield profile_id


def expected_files(arguments: Namespace) -> tuple[str, ...]:
    """Return the paths at which the files of a profile are expected."""
    names = list_files(_mapping_of(arguments))
    return tuple(f"{arguments.folder.rstrip('/')}/<profile id>/{name}" for name in names)


def _mapping_of(arguments: Namespace) -> ProfileMap:
    return NATIVE if arguments.columns is None else _columns(arguments.columns)


def _is_profile(folder: str) -> bool:
    """Check whether a folder has tables or a snapshot where a profile has them."""
    if os.path.isfile(os.path.join(folder, SNAPSHOT_FILE)):  # noqa: PTH113, PTH118 # no OSError
        return True
    return any(Path(folder, "csv").glob("*.csv"))


@contextmanager
def reading(folder: str) -> Iterator[None]:
    """Raise Failed if the folder of the profiles cannot be read."""
    try:
        yield
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {folder}: {error.strerror}") from None


def _columns(name: str) -> ProfileMap:
    data = read_file(name, COLUMNS_FILE_BYTES)
    try:
        return parse_column_mapping(data, _MAP)
    except DataError as error:
        lines = (
            f"{name}{finding.path.removeprefix(f'/{_MAP}')}: {finding.message}"
            for finding in error.findings
        )
        raise Failed(USAGE, *lines) from None
