"""Run read-only git commands of one repository, without anything else that git could start.

Invariant *nothing else runs*: programs that the settings of a repository or the environment name
(hooks, monitors, pagers, signature checkers, transports, aliases) are never started.  No index and
no work tree is read, and a partial clone fetches nothing.
Invariant *only real objects*: replacements and grafts, which would show another history, are
ignored.
Invariant *bounded*: of a large output one piece is held at a time.  Git itself collects all changes
of a commit before it writes the first, so its memory is limited on Linux.
Invariant *no orphans*: a process whose output is no longer needed is killed.
Invariant *errors quote nothing*: the message depends on the code only; it holds no path, reference,
URL or output of git, so it can be logged and shown.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, Literal, cast

import attrs

from sitedata.limits import (
    MAX_GIT_BYTES,
    MAX_HISTORY_PATHS,
    MAX_PATH_BYTES,
    MAX_PATHS,
    MAX_PATHS_BYTES,
)

if sys.platform == "linux":
    import fcntl
    import resource

TIMEOUT_SECONDS: Final = 60
_PIECE_BYTES: Final = 1 << 18
_PIPE_BYTES: Final = 1 << 20
"""Output that git writes ahead of its reader on Linux, where the system allows it."""

_SETTINGS: Final = {
    "core.attributesFile": os.devnull,
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "log.showSignature": "false",
    "protocol.allow": "never",
    # the owner of the folder does not matter, because nothing in it is run
    "safe.directory": "*",
}
_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_FLUSH": "0",  # write once a block instead of once a commit
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


RepositoryCode = Literal[
    "git.missing",
    "git.timeout",
    "git.version",
    "repository.missing",
    "repository.empty",
    "repository.corrupt",
    "repository.irregular",
    "repository.partial",
    "repository.too_large",
    "repository.treeless",
    "ref.missing",
    "ref.search",
    "settings.size",
    "zone.unknown",
]
"""Why a repository cannot be read."""

_MESSAGES: Final[dict[RepositoryCode, str]] = {
    "git.missing": (
        "no absolute folder of PATH outside of the repository holds git: install git, or add its"
        " folder to PATH"
    ),
    "git.timeout": (
        "git did not answer in time: a setting of the repository may include a FIFO, or its disk is"
        " slow"
    ),
    "git.version": "git is too old: 2.33 or later is required",
    "repository.missing": "it is not a git repository",
    "repository.empty": "the repository has no commits",
    "repository.corrupt": "git cannot read the repository: objects or settings are broken",
    "repository.irregular": (
        "the repository holds a folder, a FIFO or a device in place of a file: remove it"
    ),
    "repository.partial": (
        "required objects are missing in this partial clone, and nothing is fetched: contents of"
        " files tell what first-added and bulk commits renamed, and the settings in the repository."
        "  Clone without --filter, or run git fetch --refetch --no-filter"
    ),
    "repository.too_large": (
        f"a tree or a commit has more than {MAX_PATHS:,} paths ({MAX_PATHS_BYTES // 1024**2} MiB),"
        f" or the history more than {MAX_HISTORY_PATHS:,}: build a smaller branch, or remove the"
        " folders that name each other from the history"
    ),
    "repository.treeless": (
        "this clone was made without trees (--filter=tree:0), and nothing is fetched: clone without"
        " --filter"
    ),
    "ref.search": (
        "a reference that begins with a colon searches messages or the index: use a branch, a tag"
        " or a commit hash"
    ),
    "ref.missing": "--ref names no commit of the repository",
    "settings.size": (
        "the settings file in the root of the reference is larger than 1 MiB: shorten it, or build"
        " with --config or --no-config"
    ),
    "zone.unknown": (
        "the time zone of the settings is not in the IANA database: use a name such as"
        " Europe/Berlin, or an offset such as +09:00"
    ),
}


class RepositoryError(Exception):
    """A repository cannot be read as requested.

    Attributes:
        code: stable id of the reason.

    """

    def __init__(self, code: RepositoryCode) -> None:
        super().__init__(code)
        self.code = code

    def __str__(self) -> str:
        return f"{_MESSAGES[self.code]} [{self.code}]"


@attrs.frozen(eq=False, repr=False)
class Git:
    """The git program, and the repository that it reads, once its folder is found.

    Short commands have a timeout; most take some milliseconds.  `max_bytes` limits the memory of a
    long command on Linux.
    """

    program: str
    scratch: Path
    folder: Path | None = None
    timeout_seconds: float = TIMEOUT_SECONDS
    max_bytes: int = MAX_GIT_BYTES

    def run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run a short command with `stdin` as its input; return its result even if it fails.

        Raise RepositoryError, `git.timeout`, if it takes too long.
        """
        try:
            return subprocess.run(  # noqa: S603 - no shell; the arguments are separate
                self._command(arguments),
                env=self._environment(),
                input=stdin,
                capture_output=True,
                check=False,
                cwd=self.scratch,
                timeout=self.timeout_seconds,
            )
        except subprocess.TimeoutExpired:
            raise RepositoryError("git.timeout") from None

    def output(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Return the output of a short command; raise RepositoryError if it fails."""
        done = self.run(*arguments, stdin=stdin)
        if done.returncode:
            raise self.failure(done.stderr)
        return done.stdout

    def objects(self, names: Iterable[bytes]) -> Iterator[tuple[bytes, bytes, bytes] | None]:
        """Yield hash, kind and bytes of each object, None for a missing one; raise as `output`."""
        output = self.output("cat-file", "--batch", stdin=b"".join(name + b"\n" for name in names))
        start = 0
        while start < len(output):  # a header line, the bytes of an object, a line feed
            end = output.index(b"\n", start)
            digest, kind, *size = output[start:end].split(b" ")
            start = end + 1
            if not size:
                yield None
                continue
            yield digest, kind, output[start : start + int(size[0])]
            start += int(size[0]) + 1

    @contextmanager
    def stream(self, *arguments: str) -> Iterator[Iterator[bytes]]:
        """Start a long command; its value is the NUL-terminated fields of the output.

        Git is stopped at the end of the block.  Raise RepositoryError if the command fails, or if a
        field is too long.
        """
        with (
            tempfile.TemporaryFile(dir=self.scratch) as messages,
            subprocess.Popen(  # noqa: S603 - no shell; the arguments are separate
                self._command(arguments),
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=messages,
                cwd=self.scratch,
                bufsize=0,
            ) as process,
        ):
            output = cast("IO[bytes]", process.stdout)
            try:
                if sys.platform == "linux":
                    _, hard = resource.prlimit(process.pid, resource.RLIMIT_DATA)
                    is_lower = hard != resource.RLIM_INFINITY and hard < self.max_bytes
                    limits = hard if is_lower else self.max_bytes, hard
                    resource.prlimit(process.pid, resource.RLIMIT_DATA, limits)
                    with suppress(OSError):  # not allowed: git waits for its reader instead
                        fcntl.fcntl(output, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
                yield self._fields_of(process, output, messages)
            finally:
                process.kill()

    def _fields_of(
        self, process: subprocess.Popen[bytes], output: IO[bytes], messages: IO[bytes]
    ) -> Iterator[bytes]:
        rest = b""
        while piece := output.read(_PIECE_BYTES):
            *whole, rest = (rest + piece).split(b"\0")
            if max(map(len, (*whole, rest))) > MAX_PATH_BYTES:  # however it arrives
                raise RepositoryError("repository.too_large")
            yield from whole
        if rest:
            yield rest
        if process.wait():
            messages.seek(0)
            raise self.failure(messages.read(_PIECE_BYTES))

    def failure(self, messages: bytes = b"") -> RepositoryError:
        """Return the reason why a command failed that works on every complete repository."""
        if b"out of memory" in messages.lower():
            return RepositoryError("repository.too_large")
        if self._is_set(r"^remote\..*\.partialclonefilter$", "^tree:|^combine:.*tree:"):
            return RepositoryError("repository.treeless")
        is_partial = self._is_set(r"^(extensions\.partialclone|remote\..*\.promisor)$", "")
        return RepositoryError("repository.partial" if is_partial else "repository.corrupt")

    def _is_set(self, name: str, value: str) -> bool:
        """Check whether the repository has a setting; both are regular expressions."""
        return bool(self.run("config", "--local", "--get-regexp", name, value).stdout)

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        settings = [part for item in _SETTINGS.items() for part in ("-c", "=".join(item))]
        command = [self.program, *settings, "--no-pager", "--no-replace-objects"]
        if self.folder is not None:  # an empty work tree, so no file of the real one is read
            command += [f"--git-dir={self.folder}", f"--work-tree={self.scratch}"]
        return [*command, *arguments]

    def _environment(self) -> dict[str, str]:
        """Return the environment without variables of git, except those that restrict it."""
        variables = os.environ.items()
        kept = {name: value for name, value in variables if not name.upper().startswith("GIT_")}
        # the index is a file that does not exist
        return kept | _ENVIRONMENT | {"GIT_INDEX_FILE": str(self.scratch / "no-index")}
