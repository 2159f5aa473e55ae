"""The tree of a commit: every path that is no folder, as the bytes that git has."""

from collections.abc import Iterable, Iterator
from typing import Final

from sitedata.adapters.gitreading.commands import Git
from sitedata.building.history import FileKind, TreeFile

__all__ = ["fields", "read_tree"]

_KINDS: Final[dict[bytes, FileKind]] = {b"120000": "symlink", b"160000": "submodule"}


def read_tree(git: Git, commit: str) -> tuple[TreeFile, ...]:
    """Give the files of a commit's tree, sorted by name; raises RepositoryError where it cannot."""
    found: dict[bytes, TreeFile] = {}
    with git.stream("ls-tree", "-r", "-z", "--full-tree", commit) as pieces:
        for entry in fields(pieces):
            about, _, name = entry.partition(b"\t")
            found[name] = TreeFile(name, _KINDS.get(about[:6], "file"))
    return tuple(found[name] for name in sorted(found))


def fields(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Give what stands between the NULs of an output that comes in pieces."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole
