"""Resolve a reference, list the tree of its commit, read a file of it and the URL of the remote.

Invariant *a reference is never an option*: it is resolved first, after the end of the options, and
only the hash of its commit is passed on.
Invariant *no credentials*: of a remote URL only scheme, host and path are reported, and nothing of
a remote that is not a URL of a host, such as a local path.
"""

import os
import re
from contextlib import closing
from typing import Final

import attrs

from sitedata.adapters.git_reading.errors import RepositoryError
from sitedata.adapters.git_reading.process import Git, fields
from sitedata.building.history import FileKind, TreeFile
from sitedata.limits import MAX_PATHS, MAX_PATHS_BYTES

_VERIFY: Final = ("rev-parse", "--verify", "--quiet")
_HASH: Final = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH: Final = re.compile(r"refs/(?:heads|tags|remotes/[^/]+)/(.+)", re.DOTALL)
_MAX_BYTES: Final = 4096  # of a reference; paths of the system are not longer
_KINDS: Final[dict[bytes, FileKind]] = {b"120000": "symlink", b"160000": "submodule"}
_URL: Final = re.compile(
    r"(?P<scheme>https?|ssh|git)://(?:[^/?#]*@)?"
    r"(?P<host>(?:\[[0-9a-f:.]+\]|[^/?#@:\s]+)(?::[0-9]*)?)(?P<path>/[^?#@]*)(?:[?#].*)?",
    re.IGNORECASE,
)
_SCP: Final = re.compile(r"(?:[^/]*@)?(?P<host>[^/:@?#\s]{2,}):(?!//)(?P<path>[^:?#@\s][^:?#@]*)")
"""The scp-like form `git@host:owner/name.git`; a single letter is a drive of Windows."""


@attrs.frozen
class Reference:
    """A reference and its commit; `branch` is the short name of one or of a tag, or the text."""

    text: str
    branch: str
    commit: str


def resolve(git: Git, ref: str) -> Reference:
    """Find the commit of a reference; raise RepositoryError if it cannot be read."""
    if not _is_valid_argument(ref):
        raise RepositoryError("ref.missing")
    if ref.startswith(":"):
        raise RepositoryError("ref.search")
    commit = _hash_of(git, f"{ref}^{{commit}}")
    if commit is None:
        raise _missing_error(git, ref)
    name = git.run(*_VERIFY, "--symbolic-full-name", "--end-of-options", ref).line
    found = _BRANCH.fullmatch(name.decode("utf-8", "replace"))
    return Reference(ref, ref if found is None else found[1], commit)


def _is_valid_argument(ref: str) -> bool:
    try:
        return 0 < len(os.fsencode(ref)) <= _MAX_BYTES and "\0" not in ref
    except UnicodeEncodeError:
        return False


def _hash_of(git: Git, name: str) -> str | None:
    """Return the hash of the object that a name means; None if it is missing or ambiguous."""
    result = git.run(*_VERIFY, "--end-of-options", name)
    is_hash = result.succeeded and _HASH.fullmatch(result.line)
    return result.line.decode() if is_hash else None


def _missing_error(git: Git, ref: str) -> RepositoryError:
    target = _hash_of(git, ref)
    if target is not None and target != ref.lower():
        # it names an object or a tag of one, which is broken or not a commit
        kind = git.run("cat-file", "-t", _hash_of(git, f"{ref}^{{}}") or target)
        is_other = kind.succeeded and kind.line in {b"blob", b"tree"}
        return RepositoryError("ref.missing") if is_other else git.failure()
    listed = git.run("for-each-ref", "--count=1")
    if not listed.succeeded or b"broken" in listed.error_output:
        return git.failure()
    is_empty = not listed.output and _hash_of(git, "HEAD^{commit}") is None
    return RepositoryError("repository.empty" if is_empty else "ref.missing")


def read_tree(git: Git, commit: str) -> tuple[TreeFile, ...]:
    """Return the files of a commit's tree, sorted by name."""
    found: dict[bytes, TreeFile] = {}
    size = 0
    with closing(git.stream("ls-tree", "-r", "-z", "--full-tree", commit)) as listing:
        for entry in fields(listing):
            about, _, name = entry.partition(b"\t")
            found[name] = TreeFile(name, _KINDS.get(about[:6], "file"))
            size += len(name)
            if len(found) > MAX_PATHS or size > MAX_PATHS_BYTES:
                raise RepositoryError("repository.too_large")
    return tuple(found[name] for name in sorted(found))


def read_root_file(git: Git, commit: str, name: str, max_bytes: int) -> bytes | None:
    """Return a file in the root of a commit's tree; None if there is no regular file."""
    entry = git.output("ls-tree", "-z", "--full-tree", commit, "--", name).partition(b"\t")[0]
    if not entry.startswith(b"100"):
        return None
    blob = entry.split()[2].decode()
    if int(git.output("cat-file", "-s", blob)) > max_bytes:
        raise RepositoryError("settings.size")
    return git.output("cat-file", "blob", blob)


def remote_url(git: Git) -> str | None:
    """Return the URL of the remote `origin`, without credentials; None if there is none."""
    result = git.run("config", "--local", "-z", "--get-all", "remote.origin.url")
    first = result.output.split(b"\0")[0]
    try:
        return without_credentials(first.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def without_credentials(url: str) -> str | None:
    """Return a URL without credentials; None for text that names no host."""
    if not url.isprintable():
        return None
    found = _URL.fullmatch(url)
    if found is not None:
        return f"{found['scheme']}://{found['host']}{found['path']}"
    found = _SCP.fullmatch(url)
    return None if found is None else f"{found['host']}:{found['path']}"
