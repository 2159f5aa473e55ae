"""What a reference names: its commit, and the short name of its branch.

Invariant *a reference is never an option*: it is resolved first, behind the end of the options, and
only the commit's hash is passed on.
"""

import os
import re
from typing import Final

import attrs

from sitedata.adapters.git_reading.commands import Git
from sitedata.adapters.git_reading.errors import RepositoryError

__all__ = ["Reference", "resolve"]

_HASH: Final = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH: Final = re.compile(r"refs/(?:heads|tags|remotes/[^/]+)/(.+)", re.DOTALL)
_LONGEST: Final = 4096  # characters of a reference; a path of the system has no more


@attrs.frozen
class Reference:
    """A reference that was found.

    Attributes:
        asked: its text.
        branch: short name of the branch or tag; the text as it is where it names neither.
        commit: hash of its commit.

    """

    asked: str
    branch: str
    commit: str


def resolve(git: Git, ref: str) -> Reference:
    """Find the commit of a reference.

    Raises RepositoryError: `ref.missing`, `ref.search`, `repository.empty` where there is
    no commit at all, and `repository.corrupt` where the commit cannot be read.
    """
    if not _can_be_asked(ref):
        raise RepositoryError("ref.missing")
    if ref.startswith(":"):
        raise RepositoryError("ref.search")
    commit = _verified(git, f"{ref}^{{commit}}")
    if commit is None:
        raise _why_missing(git, ref)
    name = git.ask(*_VERIFY, "--symbolic-full-name", "--end-of-options", ref).line
    found = _BRANCH.fullmatch(name.decode("utf-8", "replace"))
    return Reference(ref, ref if found is None else found[1], commit)


_VERIFY: Final = ("rev-parse", "--verify", "--quiet")


def _can_be_asked(ref: str) -> bool:
    try:
        return 0 < len(os.fsencode(ref)) <= _LONGEST and "\0" not in ref
    except UnicodeEncodeError:
        return False


def _verified(git: Git, name: str) -> str | None:
    """Give the hash of the one object that a name means; None where it means none, or more."""
    answer = git.ask(*_VERIFY, "--end-of-options", name)
    is_hash = answer.is_good and _HASH.fullmatch(answer.line)
    return answer.line.decode() if is_hash else None


def _why_missing(git: Git, ref: str) -> RepositoryError:
    target = _verified(git, ref)
    if target is not None and target != ref.lower():
        # it names an object, or a tag of one: that is broken, or it is no commit
        kind = git.ask("cat-file", "-t", _verified(git, f"{ref}^{{}}") or target)
        is_other = kind.is_good and kind.line in {b"blob", b"tree"}
        return RepositoryError("ref.missing") if is_other else git.failure()
    listed = git.ask("for-each-ref", "--count=1")
    if not listed.is_good or b"broken" in listed.complaint:
        return git.failure()
    is_empty = not listed.output and _verified(git, "HEAD^{commit}") is None
    return RepositoryError("repository.empty" if is_empty else "ref.missing")
