"""Open the input of the commands: a folder of profiles or one profile, and a column mapping."""

import os
from argparse import Namespace
from pathlib import Path
from typing import Final, Protocol, overload

from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.adapters.column_mapping import COLUMNS_FILE_BYTES, parse_column_mapping
from healthapi.adapters.folder import FolderSource
from healthapi.errors import DataError
from healthapi.http.endpoints import KEYS
from healthapi.profile import Profile
from healthapi.rows.columns import LIFESNAPS, NATIVE, ProfileMap
from healthapi.sources import list_files
from purewire.adapters.commands.arguments import bad_choice
from purewire.adapters.commands.exit_codes import CANNOT, REFUSED, USAGE, Failed
from purewire.adapters.commands.files import read_file
from purewire.adapters.commands.progress import Progress

__all__ = ["Profiles", "expected_files", "ids_of", "profile_of", "source_of"]

_MAPPINGS: Final = {"native": NATIVE, "lifesnaps": LIFESNAPS}
_MAP: Final = "map"


class Profiles(Protocol):
    """The source of profiles that the commands use."""

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles; raise OSError."""

    def profile(self, profile_id: str) -> Profile:
        """Return a profile; raise KeyError, DataError or OSError."""

    @overload
    def read(self, name: None, now: int) -> tuple[str, ...]: ...
    @overload
    def read(self, name: str, now: int) -> Profile | None: ...


class _OneProfile:
    """A source of one profile of a folder."""

    def __init__(self, source: FolderSource, profile_id: str) -> None:
        self._source = source
        self._id = profile_id

    def ids(self) -> tuple[str, ...]:
        return tuple(each for each in self._source.ids() if each == self._id)

    def profile(self, profile_id: str) -> Profile:
        if profile_id != self._id:
            raise KeyError(profile_id)
        return self._source.profile(profile_id)

    @overload
    def read(self, name: None, now: int) -> tuple[str, ...]: ...
    @overload
    def read(self, name: str, now: int) -> Profile | None: ...
    def read(self, name: str | None, now: int) -> tuple[str, ...] | Profile | None:
        if name is None:
            return self.ids()
        return self._source.read(name, now) if name == self._id else None


def source_of(arguments: Namespace, progress: Progress | None) -> Profiles:
    """Return the source of the profiles in a folder; of one profile if the folder is one."""
    columns = _mapping_of(arguments)
    if not _is_profile(arguments.folder):
        return FolderSource(arguments.folder, columns=columns, progress=progress)
    folder = Path(arguments.folder).resolve()
    key = KEYS["profile_id"]
    if key.parse(folder.name) is None:
        raise Failed(
            REFUSED,
            f"{arguments.folder} is a profile, and its name is no profile id:"
            f" rename it to {key.pattern.pattern}",
        )
    return _OneProfile(FolderSource(folder.parent, columns=columns, progress=progress), folder.name)


def expected_files(arguments: Namespace) -> tuple[str, ...]:
    """Return the paths at which the files of a profile are expected."""
    names = list_files(_mapping_of(arguments))
    return tuple(str(Path(arguments.folder, "<profile id>", name)) for name in names)


def _mapping_of(arguments: Namespace) -> ProfileMap:
    return _MAPPINGS.get(arguments.columns) or _columns(arguments.columns)


def _is_profile(folder: str) -> bool:
    """Check whether a folder has tables or a snapshot where a profile has them."""
    if os.path.isfile(os.path.join(folder, SNAPSHOT_FILE)):  # noqa: PTH113, PTH118 # no OSError
        return True
    return any(Path(folder, "csv").glob("*.csv"))


def ids_of(source: Profiles, folder: str) -> tuple[str, ...]:
    """Return the ids of all profiles; raise Failed if the folder cannot be read."""
    try:
        return source.ids()
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {folder}: {error.strerror}") from None


def profile_of(source: Profiles, profile_id: str, folder: str) -> Profile:
    """Return a profile; raise Failed, or the KeyError or DataError of the source."""
    try:
        return source.profile(profile_id)
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {folder}: {error.strerror}") from None


def _columns(name: str) -> ProfileMap:
    if not Path(name).exists():
        hint = bad_choice(name, (*_MAPPINGS, "MAP.toml"))
        raise Failed(CANNOT, f"--columns: there is no file {name}; {hint}")
    data = read_file(name, COLUMNS_FILE_BYTES)
    try:
        return parse_column_mapping(data, _MAP)
    except DataError as error:
        places = (finding.path.removeprefix(f"/{_MAP}") for finding in error.findings)
        messages = (finding.message for finding in error.findings)
        lines = (
            f"{name}{place}: {message}" for place, message in zip(places, messages, strict=True)
        )
        raise Failed(USAGE, *lines) from None
