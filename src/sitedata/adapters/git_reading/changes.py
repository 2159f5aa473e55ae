"""What each commit changed, read from git as it says so.

Of a merge only the paths that differ from what every parent has are changes of its own.

Invariant *names are never taken for anything else*: in the output a commit is a hash, which begins
with a small letter or a digit; a change begins with a capital letter, and says how many names
follow.  So a file may well be called like a commit.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from sitedata.adapters.git_reading.commands import Git
from sitedata.adapters.git_reading.outputs import fields, outputs

__all__ = ["Change", "Changed", "read_changes"]

_RENAMES: Final = ("--find-renames=50%", "-l1000")
"""As git has it when nobody asks otherwise: what is alike by half, and a limit of comparisons."""
_COMMAND: Final = (
    *("diff-tree", "--stdin", "-r", "-z", "--name-status", "--root", "--always"),
    *("-c", "--combined-all-paths", "--ignore-submodules=none", "--no-relative"),
    *("--no-ext-diff", "--no-textconv"),
)


class Change(NamedTuple):
    """One path that a commit changed.

    Attributes:
        kind: `A` added, `D` deleted, `R` renamed, `M` anything else.
        name: the path; of a rename the new one.
        old: what a rename's path was called before; otherwise the path.

    """

    kind: str
    name: bytes
    old: bytes


_PLAIN: Final = {b"A": "A", b"D": "D", b"M": "M", b"T": "M"}
_ALIKE: Final = ({"A"}, {"D"})

Changed = tuple[str, list[Change]]
"""Hash of a commit, and what it changed."""


@contextmanager
def read_changes(git: Git, parts: Iterable[Path], *, renames: bool) -> Iterator[Iterator[Changed]]:
    """Give the changes of commits, in the order in which they are listed.

    Git is stopped when the block is left.  Reading raises RepositoryError where an object is not
    there.

    Args:
        git: the repository.
        parts: files with a commit's hash a line, which are read side by side.
        renames: whether to find out what was renamed; else one path is deleted and one is added.

    """
    options = _RENAMES if renames else ("--no-renames",)
    with outputs(git, (*_COMMAND, *options), parts) as found:
        yield _commits(fields(found))


def _commits(words: Iterator[bytes]) -> Iterator[Changed]:
    commit, changes = "", list[Change]()
    for word in words:
        kind = _PLAIN.get(word)
        if kind is not None:
            name = next(words)
            changes.append(Change(kind, name, name))
        elif word[:1].isupper():
            changes.append(_change(word.decode(), words))
        else:
            if commit:
                yield commit, changes
            commit, changes = word.decode(), []
    if commit:
        yield commit, changes


def _change(status: str, words: Iterator[bytes]) -> Change:
    """Read the names of a rename, or of what a merge changed, with a letter for each parent."""
    if status[1].isdigit():
        old = next(words)
        return Change("R", next(words), old)
    olds = [next(words) for _ in status]
    name = next(words)
    if "R" in status:
        return Change("R", name, olds[status.index("R")])
    return Change(status[0] if set(status) in _ALIKE else "M", name, name)
