"""Read the paths that each commit changed, and the renames of bulk changes.

The changes of a merge are only those paths that differ from all its parents.

Invariant *names are not confused*: in the output a commit is a hash, which begins with a small
letter or a digit; a change begins with a capital letter, which determines how many names follow.
So a file may have the name of a commit.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple

from sitedata.adapters.git_reading.errors import RepositoryError
from sitedata.adapters.git_reading.process import Git, fields, outputs
from sitedata.limits import MAX_HISTORY_PATHS, MAX_PATHS

_COMMIT: Final = re.compile(r"[0-9a-fA-F]{7,64}")
Renames = Literal["exact", "similar"]
"""Which renames are detected: of equal files, or as git does of files that are similar by half."""
_RENAMES: Final[dict[Renames, tuple[str, ...]]] = {
    "exact": ("--find-renames=100%",),  # compares hashes, so it needs no contents
    "similar": ("--find-renames=50%", "-l1000"),
}
_COMMAND: Final = (
    *("diff-tree", "--stdin", "-r", "-z", "--name-status", "--root", "--always"),
    *("-c", "--combined-all-paths", "--ignore-submodules=none", "--no-relative"),
    *("--no-ext-diff", "--no-textconv"),
)


class Change(NamedTuple):
    """One path that a commit changed.

    Attributes:
        kind: `A` added, `D` deleted, `R` renamed, `M` anything else.
        name: the path; for a rename the new path.
        old: the old path of a rename; otherwise the path.

    """

    kind: str
    name: bytes
    old: bytes


_KINDS: Final = {b"A": "A", b"D": "D", b"M": "M", b"T": "M"}
_ALIKE: Final = ({"A"}, {"D"})

Changed = tuple[str, list[Change]]
"""Hash of a commit, and its changes."""


@contextmanager
def read_changes(
    git: Git, parts: Iterable[Path], *, renames: Renames
) -> Iterator[Iterator[Changed]]:
    """Yield the changes of commits, in the order in which they are listed.

    Git is stopped when the block is left.  Iterating raises RepositoryError if an object is
    missing, and `repository.too_large` if there are too many changes.
    """
    with outputs(git, (*_COMMAND, *_RENAMES[renames]), parts) as found:
        yield _by_commit(fields(found))


def _by_commit(tokens: Iterator[bytes]) -> Iterator[Changed]:
    commit, changes, total = "", list[Change](), 0
    for token in tokens:
        if len(changes) > MAX_PATHS or total > MAX_HISTORY_PATHS:
            raise RepositoryError("repository.too_large")
        kind = _KINDS.get(token)
        if kind is not None:
            name = next(tokens)
            changes.append(Change(kind, name, name))
        elif token[:1].isupper():
            changes.append(_change(token.decode(), tokens))
        else:
            if commit:
                yield commit, changes
            total += len(changes)
            commit, changes = token.decode(), []
    if commit:
        yield commit, changes


def _change(status: str, tokens: Iterator[bytes]) -> Change:
    """Parse the names of a rename, or of a change of a merge, with a letter for each parent."""
    if status[1].isdigit():
        old = next(tokens)
        return Change("R", next(tokens), old)
    olds = [next(tokens) for _ in status]
    name = next(tokens)
    if "R" in status:
        return Change("R", name, olds[status.index("R")])
    return Change(status[0] if set(status) in _ALIKE else "M", name, name)


def bulk_commits(git: Git, given: Iterable[str], *, is_shallow: bool) -> frozenset[str]:
    """Return the full hashes of commits that are named by at least their first seven digits.

    Raise RepositoryError: `bulk.ambiguous`, or `bulk.unknown` unless the history is incomplete.
    """
    found: set[str] = set()
    for text in given:
        commits = _commits_by_prefix(git, text) if _COMMIT.fullmatch(text) else []
        if len(commits) > 1:
            raise RepositoryError("bulk.ambiguous")
        if not commits and not is_shallow:
            raise RepositoryError("bulk.unknown")
        found.update(commits)
    return frozenset(found)


def changes_with_renames(git: Git, commits: frozenset[str]) -> dict[str, list[Change]]:
    """Return the changes of each commit, renames included."""
    if not commits:
        return {}
    hashes = git.scratch / "bulk"
    hashes.write_text("".join(f"{commit}\n" for commit in sorted(commits)), encoding="ascii")
    with read_changes(git, [hashes], renames="similar") as changed:
        return dict(changed)


def _commits_by_prefix(git: Git, text: str) -> list[str]:
    """Return the commits whose hash begins with a text; names of branches are ignored."""
    objects = git.output("rev-parse", f"--disambiguate={text.lower()}")
    if not objects:
        return []
    kinds = git.output("cat-file", "--batch-check=%(objectname) %(objecttype)", given=objects)
    return [line.split()[0] for line in kinds.decode().splitlines() if line.endswith(" commit")]
