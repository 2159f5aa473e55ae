"""Finding git, and the repository that a path means.

A path may be a bare repository, a work tree, one of several work trees of a repository, or a folder
inside any of these.
"""

import os
import re
import shutil
from pathlib import Path
from typing import Final

import attrs

from sitedata.adapters.gitreading.commands import Git
from sitedata.adapters.gitreading.errors import RepositoryError

__all__ = ["open_repository"]

_VERSION: Final = re.compile(rb"git version ([0-9]+)\.([0-9]+)")
_OLDEST: Final = (2, 33)
"""The first with `rev-list --no-commit-header`."""


def open_repository(path: str | os.PathLike[str], scratch: Path) -> Git:
    """Give what reads the repository of a path.

    Raises RepositoryError: `git.missing`, `git.version`, `repository.missing`, and
    `repository.corrupt` where the repository's settings cannot be read.
    """
    git = Git(_program(), scratch)
    found = _VERSION.match(git.ask("version").output)
    if found is None or tuple(map(int, found.groups())) < _OLDEST:
        raise RepositoryError("git.version")
    # `isdir` also tells of paths that cannot be, such as those with a NUL
    if not os.path.isdir(path):  # noqa: PTH112 - `Path.is_dir` raises for some of them
        raise RepositoryError("repository.missing")
    place = os.path.realpath(path)
    answer = git.ask("-C", place, "rev-parse", "--absolute-git-dir")
    if not answer.is_good:
        is_none = b"not a git repository" in answer.complaint
        raise RepositoryError("repository.missing" if is_none else "repository.corrupt")
    return attrs.evolve(git, folder=Path(os.fsdecode(answer.line)))


def _program() -> str:
    found = shutil.which("git")
    if found is None:
        raise RepositoryError("git.missing")
    return os.path.realpath(found)
