"""Running git: read-only commands of one repository, kept from everything that it could start.

Invariant *nothing else runs*: what a repository's settings or the environment name for git to
start (hooks, monitors, pagers, signature checkers, transports, aliases) is never started: only
plumbing is called, no index and no work tree is read, and every transport is forbidden, so that a
partial clone fetches nothing.
Invariant *the objects speak*: replacements and grafts, which would tell another history, are
ignored.
Invariant *no child outlives its reader*: a command whose output is not wanted any more is killed.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs

from sitedata.adapters.git_reading.errors import RepositoryError

__all__ = ["TIMEOUT_SECONDS", "Answer", "Git", "clean_environment"]

TIMEOUT_SECONDS: Final = 60

_SETTINGS: Final = {
    "core.attributesFile": os.devnull,
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "log.showSignature": "false",
    "protocol.allow": "never",
    # who owns the folder does not matter, for nothing in it is run
    "safe.directory": "*",
}
_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_FLUSH": "0",  # a write for each block and not for each commit
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


@attrs.frozen
class Answer:
    """What a command said."""

    is_good: bool
    output: bytes
    complaint: bytes

    @property
    def line(self) -> bytes:
        """The output without its line end."""
        return self.output.removesuffix(b"\n")


def clean_environment(given: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """Give an environment without what speaks to git, but for what keeps it quiet.

    Args:
        given: the environment of this process.
        scratch: a folder of the caller's own; git is told to look for an index where none is.

    """
    kept = {name: value for name, value in given.items() if not name.upper().startswith("GIT_")}
    return kept | _ENVIRONMENT | {"GIT_INDEX_FILE": str(scratch / "no-index")}


@attrs.frozen(eq=False, repr=False)
class Git:
    """The program, and the repository that it reads.

    Attributes:
        program: path of git.
        scratch: folder for what is larger than memory should hold.
        folder: the repository's own folder; None while that is being looked for.
        timeout_seconds: for a short command, of which most take some milliseconds.

    """

    program: str
    scratch: Path
    folder: Path | None = None
    timeout_seconds: float = TIMEOUT_SECONDS

    def ask(self, *arguments: str, given: bytes = b"") -> Answer:
        """Run a short command to its end, whatever that is.

        Args:
            arguments: of git.
            given: what the command reads.

        Raises RepositoryError, `git.timeout`, where it does not end.

        """
        try:
            done = subprocess.run(  # noqa: S603 - no shell; the arguments are separate
                self._command(arguments),
                env=self._environment(),
                input=given,
                capture_output=True,
                check=False,
                cwd=self.scratch,
                timeout=self.timeout_seconds,
            )
        except subprocess.TimeoutExpired:
            raise RepositoryError("git.timeout") from None
        return Answer(done.returncode == 0, done.stdout, done.stderr)

    def output(self, *arguments: str, given: bytes = b"") -> bytes:
        """Give the output of a command; raises RepositoryError where it fails."""
        answer = self.ask(*arguments, given=given)
        if not answer.is_good:
            raise self.failure()
        return answer.output

    def save(self, path: Path, *arguments: str) -> None:
        """Write the output of a command to a file; raises RepositoryError where it fails."""
        with self.start(Path(os.devnull), path, *arguments) as process:
            try:
                code = process.wait()
            finally:
                process.kill()
        if code:
            raise self.failure()

    def start(self, given: Path, output: Path, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command that reads one file and writes another; the caller ends it."""
        with given.open("rb") as source, output.open("wb") as target:
            return subprocess.Popen(  # noqa: S603 - no shell; the arguments are separate
                self._command(arguments),
                env=self._environment(),
                stdin=source,
                stdout=target,
                stderr=subprocess.DEVNULL,
                cwd=self.scratch,
            )

    def failure(self) -> RepositoryError:
        """Return why a command has failed that works on every whole repository."""
        if self._is_set(r"^remote\..*\.partialclonefilter$", "^tree:|^combine:.*tree:"):
            return RepositoryError("repository.treeless")
        is_partial = self._is_set(r"^(extensions\.partialclone|remote\..*\.promisor)$", "")
        return RepositoryError("repository.partial" if is_partial else "repository.corrupt")

    def _is_set(self, name: str, value: str) -> bool:
        """Check whether the repository has a setting; both are regular expressions."""
        answer = self.ask("config", "--local", "--name-only", "--get-regexp", name, value)
        return answer.is_good and bool(answer.output)

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        settings = [part for item in _SETTINGS.items() for part in ("-c", "=".join(item))]
        # an empty work tree: no file of the real one is read
        own = [f"--git-dir={self.folder}", f"--work-tree={self.scratch}"]
        where = [] if self.folder is None else own
        return [self.program, *settings, "--no-pager", "--no-replace-objects", *where, *arguments]

    def _environment(self) -> dict[str, str]:
        return clean_environment(os.environ, self.scratch)
