"""Bulk changes: the commits that are listed as such, and what they renamed."""

import re
from collections.abc import Iterable
from typing import Final

from sitedata.adapters.git_reading.changes import Change, read_changes
from sitedata.adapters.git_reading.commands import Git
from sitedata.adapters.git_reading.errors import RepositoryError

__all__ = ["bulk_commits", "renames_of"]

_SHORT: Final = re.compile(r"[0-9a-fA-F]{7,64}")


def bulk_commits(git: Git, given: Iterable[str], *, is_cut_off: bool) -> frozenset[str]:
    """Give the full hashes of commits; each may be given by its first seven digits or more.

    Raises RepositoryError: `bulk.unknown`, `bulk.ambiguous`.

    Args:
        git: the repository.
        given: hashes, or beginnings of some.
        is_cut_off: whether the history is a part only: then what is not there is left out.

    """
    found: set[str] = set()
    for text in given:
        commits = _commits(git, text) if _SHORT.fullmatch(text) else []
        if len(commits) > 1:
            raise RepositoryError("bulk.ambiguous")
        if not commits and not is_cut_off:
            raise RepositoryError("bulk.unknown")
        found.update(commits)
    return frozenset(found)


def renames_of(git: Git, commits: frozenset[str]) -> dict[str, list[Change]]:
    """Give what each of the commits renamed."""
    if not commits:
        return {}
    hashes = git.scratch / "bulk"
    hashes.write_text("".join(f"{commit}\n" for commit in sorted(commits)), encoding="ascii")
    with read_changes(git, [hashes], renames=True) as changed:
        return {
            commit: [change for change in changes if change.kind == "R"]
            for commit, changes in changed
        }


def _commits(git: Git, text: str) -> list[str]:
    """Give the commits whose hash begins so; names of branches are not asked."""
    objects = git.output("rev-parse", f"--disambiguate={text.lower()}")
    if not objects:
        return []
    kinds = git.output("cat-file", "--batch-check=%(objectname) %(objecttype)", given=objects)
    return [line.split()[0] for line in kinds.decode().splitlines() if line.endswith(" commit")]
