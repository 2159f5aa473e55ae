"""The tree of a commit: every path that is no folder, as the bytes that git has."""

from typing import Final

from sitedata.adapters.git_reading.commands import Git
from sitedata.adapters.git_reading.outputs import fields, pieces
from sitedata.building.history import FileKind, TreeFile

__all__ = ["read_tree"]

_KINDS: Final[dict[bytes, FileKind]] = {b"120000": "symlink", b"160000": "submodule"}


def read_tree(git: Git, commit: str) -> tuple[TreeFile, ...]:
    """Give the files of a commit's tree, sorted by name; raises RepositoryError where it cannot."""
    found: dict[bytes, TreeFile] = {}
    listing = git.scratch / "tree"
    git.save(listing, "ls-tree", "-r", "-z", "--full-tree", commit)
    for entry in fields(pieces(listing)):
        about, _, name = entry.partition(b"\t")
        found[name] = TreeFile(name, _KINDS.get(about[:6], "file"))
    return tuple(found[name] for name in sorted(found))
