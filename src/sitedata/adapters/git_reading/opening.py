"""Finding git, and the repository that a path means.

A path may be a bare repository, a work tree, one of several work trees of a repository, or a folder
inside any of these.

Invariant *git is not the repository's*: the program is taken from an absolute folder of `PATH`, and
neither the folder nor the program, links followed, lies in the repository.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from sitedata.adapters.git_reading.commands import Git
from sitedata.adapters.git_reading.errors import RepositoryError
from sitedata.adapters.git_reading.paths import Places, check_files, places_of

__all__ = ["open_repository"]

_VERSION: Final = re.compile(rb"git version ([0-9]+)\.([0-9]+)")
_OLDEST: Final = (2, 33)
"""The first with `rev-list --no-commit-header`."""


_NAME: Final = "git.exe" if os.name == "nt" else "git"


def open_repository(path: str | os.PathLike[str], scratch: Path) -> Git:
    """Return what reads the repository of a path.

    Raises RepositoryError: `git.missing`, `git.version`, `repository.missing`,
    `repository.irregular`, and `repository.corrupt` where the repository's settings cannot be read.
    """
    # `isdir` also tells of paths that cannot be, such as those with a NUL
    is_folder = os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises for some of them
    if not is_folder:
        raise RepositoryError("repository.missing")
    place = Path(os.path.realpath(path))
    places = places_of(place)
    git = Git(_program(places), scratch)
    found = _VERSION.match(git.ask("version").output)
    if found is None or tuple(map(int, found.groups())) < _OLDEST:
        raise RepositoryError("git.version")
    check_files(places)
    answer = git.ask("-C", str(place), "rev-parse", "--absolute-git-dir")
    if not answer.is_good:
        is_none = b"not a git repository" in answer.complaint
        raise RepositoryError("repository.missing" if is_none else "repository.corrupt")
    return attrs.evolve(git, folder=Path(os.fsdecode(answer.line)))


def _program(places: Places) -> str:
    """Return the first git of `PATH` that is not the repository's."""
    for folder in _search_path():
        program = folder / _NAME
        target = Path(os.path.realpath(program))
        is_own = places.hold(Path(os.path.realpath(folder))) or places.hold(target)
        if not is_own and target.is_file() and os.access(target, os.X_OK):
            return str(target)
    raise RepositoryError("git.missing")


def _search_path() -> Iterator[Path]:
    """Return the absolute folders of `PATH`: relative and empty entries are passed over."""
    for text in os.environ.get("PATH", os.defpath).split(os.pathsep):
        folder = Path(text.strip('"') if os.name == "nt" else text)
        if folder.is_absolute():
            yield folder
