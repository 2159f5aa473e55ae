"""What the commands are given: the folder of profiles, and a column map."""

from argparse import Namespace
from pathlib import Path
from typing import Final

from healthapi.adapters.folder import FolderSource
from healthapi.adapters.layouts import COLUMNS_FILE_BYTES, read_columns
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.rows.columns import LIFESNAPS, NATIVE, ProfileMap
from purewire.adapters.commands.arguments import bad_choice
from purewire.adapters.commands.outcomes import CANNOT, USAGE, Failed
from purewire.adapters.commands.progress import Progress
from purewire.adapters.commands.reading import read_file

__all__ = ["ids_of", "profile_of", "source_of"]

_MAPS: Final = {"native": NATIVE, "lifesnaps": LIFESNAPS}
_MAP: Final = "map"


def source_of(arguments: Namespace, progress: Progress | None) -> FolderSource:
    """Give the source of the profiles in a folder."""
    columns = _MAPS.get(arguments.columns) or _columns(arguments.columns)
    return FolderSource(arguments.folder, columns=columns, progress=progress)


def ids_of(source: FolderSource, folder: str) -> tuple[str, ...]:
    """Give the ids of all profiles of the folder."""
    try:
        return source.ids()
    except OSError as fault:
        raise Failed(CANNOT, f"cannot read {folder}: {fault.strerror}") from None


def profile_of(source: FolderSource, profile_id: str, folder: str) -> Profile:
    """Give a profile of the folder; raises KeyError and DataError as the source does."""
    try:
        return source.profile(profile_id)
    except OSError as fault:
        raise Failed(CANNOT, f"cannot read {folder}: {fault.strerror}") from None


def _columns(name: str) -> ProfileMap:
    if not Path(name).exists():
        hint = bad_choice(name, (*_MAPS, "MAP.toml"))
        raise Failed(CANNOT, f"--columns: there is no file {name}; {hint}")
    data = read_file(name, COLUMNS_FILE_BYTES)
    try:
        return read_columns(data, _MAP)
    except DataError as fault:
        places = (finding.path.removeprefix(f"/{_MAP}") for finding in fault.findings)
        words = (finding.message for finding in fault.findings)
        lines = (f"{name}{place}: {said}" for place, said in zip(places, words, strict=True))
        raise Failed(USAGE, *lines) from None
