"""Where a repository lies, found without running git.

A program inside the repository must not be taken for git, and a FIFO or a device in it must not be
opened; so its folders are looked for before git runs.

Invariant *nothing waits*: only regular files are opened, of a bounded size.
Invariant *rather too many*: a folder that git would not take for a repository may be among them.
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from purewire.adapters.files import READ_FLAGS, is_file
from sitedata.adapters.git_reading.errors import RepositoryError

__all__ = ["Places", "check_files", "places_of", "small_file"]

_LONGEST: Final = 1 << 20  # bytes; real ones have a line or a few
_GITDIR: Final = b"gitdir: "
_FILES: Final = (
    *("HEAD", "commondir", "config", "config.worktree", "packed-refs", "shallow"),
    *("info/attributes", "objects/info/alternates"),
)
"""Files that git reads in a repository's own folder."""
_OF_OBJECTS: Final = re.compile("[0-9a-f]{2}|info|pack")
_DEVICES: Final = (stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK)
"""Kinds of files whose opening may wait or do something; a socket cannot be opened."""


@attrs.frozen
class Places:
    """The folders of a repository, without links.

    Attributes:
        stores: those of git: its own folder, and the one that it shares with other work trees.
        trees: the work trees that are known.

    """

    stores: frozenset[Path]
    trees: frozenset[Path]

    def hold(self, path: Path) -> bool:
        """Check whether a path without links lies in one of the folders, or is one."""
        return any(path.is_relative_to(folder) for folder in self.stores | self.trees)


def places_of(place: Path) -> Places:
    """Return where the repository of a folder without links lies; the folder is among the trees.

    Raises RepositoryError: `repository.irregular`.
    """
    for folder in (place, *place.parents):
        own = folder / ".git"
        if _mode(own) is not None:
            stores = frozenset(_stores(own))
            # the folder that linked work trees share lies in the first work tree
            mains = {store.parent for store in stores if store.name == ".git"}
            return Places(stores, frozenset({place, folder, *mains}))
        if (folder / "HEAD").exists() and (folder / "objects").is_dir():
            stores = frozenset(_with_common(folder))
            mains = {store.parent for store in stores if store.name == ".git"}
            return Places(stores, frozenset({place, *mains}))
    return Places(frozenset(), frozenset({place}))


def check_files(places: Places) -> None:
    """Raise RepositoryError, `repository.irregular`, where reading may wait or cannot work.

    No file is opened but lists of other folders of objects, which are looked at as well.
    """
    for store in places.stores:
        for name in _FILES:
            if _mode(store / name) not in (None, stat.S_IFREG):
                raise RepositoryError("repository.irregular")
    waiting = list(places.stores)
    while waiting:
        waiting += _folders_in(waiting.pop())
    _check_objects([_joined(store, "objects") for store in places.stores])


def _check_objects(waiting: list[Path]) -> None:
    """Check folders of objects and those that they name; of each only what git looks into."""
    seen: set[Path] = set()
    while waiting:
        objects = waiting.pop()
        if objects in seen or not objects.is_dir():
            continue
        seen.add(objects)
        for folder in _folders_in(objects):
            if _OF_OBJECTS.fullmatch(folder.name):
                list(_folders_in(folder))
        lines = _checked(objects / "info" / "alternates").splitlines()
        others = (line.strip(b'"') for line in lines if line and not line.startswith(b"#"))
        waiting += (_joined(objects, os.fsdecode(other)) for other in others)


def small_file(path: Path) -> bytes | None:
    """Return the bytes of a regular file, at most a MiB; None where nothing is there.

    Raises RepositoryError: `repository.irregular` for anything but a regular file of that size, and
    `repository.corrupt` for one that cannot be read.
    """
    try:
        # links are followed first, for what is opened must not be one
        with os.fdopen(os.open(os.path.realpath(path), READ_FLAGS), "rb") as file:
            if not is_file(os.fstat(file.fileno())):
                raise RepositoryError("repository.irregular")
            data = file.read(_LONGEST + 1)
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise RepositoryError("repository.irregular") from None
    except OSError:
        raise RepositoryError("repository.corrupt") from None
    if len(data) > _LONGEST:
        raise RepositoryError("repository.irregular")
    return data


def _stores(own: Path) -> Iterator[Path]:
    """Return the folders that a work tree's `.git` means: itself, or what it names as a file."""
    if own.is_dir():
        yield from _with_common(own)
        return
    line = _checked(own)
    if line.startswith(_GITDIR):
        target = os.fsdecode(line.removeprefix(_GITDIR).rstrip(b"\r\n"))
        yield from _with_common(_joined(own.parent, target))


def _with_common(store: Path) -> Iterator[Path]:
    yield Path(os.path.realpath(store))
    line = _checked(store / "commondir")
    if line:
        yield _joined(store, os.fsdecode(line.rstrip(b"\r\n")))


def _checked(path: Path) -> bytes:
    """Return the bytes of a file; none where nothing is there."""
    if _mode(path) not in (None, stat.S_IFREG):
        raise RepositoryError("repository.irregular")
    return small_file(path) or b""


def _joined(folder: Path, name: str) -> Path:
    if "\0" in name:
        raise RepositoryError("repository.corrupt")
    return Path(os.path.realpath(folder / name))


def _folders_in(folder: Path) -> Iterator[Path]:
    """Return the folders in a folder; raise where a file is there that must not be opened.

    Links to folders are left out: they may lead to the whole disk.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield Path(entry.path)
                elif not entry.is_file(follow_symlinks=False) and (
                    _mode(Path(entry.path)) in _DEVICES
                ):
                    raise RepositoryError("repository.irregular")
    except OSError:
        raise RepositoryError("repository.corrupt") from None


def _mode(path: Path) -> int | None:
    """Return the kind of what a path leads to; None where nothing is there."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except OSError:
        return None
