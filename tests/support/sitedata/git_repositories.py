"""Real repositories for tests, created from scripts by `git fast-import`."""

import os
import stat
import subprocess
from collections.abc import Iterable
from pathlib import Path

import attrs
import pytest

from sitedata.adapters.git import RepositoryError, read_history
from sitedata.building.history import Dates, History
from support.servers.services import need
from support.sitedata.repositories import Change, Commit, ObjectFormat, Script, Write

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
}


def git(folder: Path, *arguments: str, given: bytes | None = None) -> str:
    """Run git in a folder; return its output as text."""
    return git_bytes(folder, *arguments, given=given).decode().removesuffix("\n")


def git_bytes(folder: Path, *arguments: str, given: bytes | None = None) -> bytes:
    """Run git in a folder; return its output."""
    done = subprocess.run(
        [need("git"), "-C", str(folder), *arguments],
        input=given,
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


STORE = ("hash-object", "-w", "--stdin", "--literally", "-t")
"""Arguments of git that store any object, also one that it would not create."""
NOON = 1_700_000_000
BOTH: tuple[Dates, Dates] = ("last-touched", "first-added")


def text(name: str, lines: int = 30) -> bytes:
    """Return contents that are dissimilar to those of any other name."""
    return b"".join(f"{name} {line}\n".encode() for line in range(lines))


def script(*steps: Iterable[Change]) -> Script:
    """Return a linear history with one commit a minute."""
    return Script(tuple(Commit(NOON + 60 * n, tuple(step)) for n, step in enumerate(steps)))


A, B, C = (Write(name.encode(), text(name)) for name in ("x/a.py", "x/b.py", "x/c.py"))
ONE_PROBLEM = Script((Commit(1_767_225_600, (Write(b"cses/1068.cpp", b"one\n"),)),))
CONFIG = '[repository]\nowner = "ada"\nname = "practice"\n'
"""The text of a settings file, valid for any repository."""
LINEAR = script([A], [B], [C], [Write(A.path, A.content + b"more\n")])


@attrs.frozen
class ImportedScript:
    """A repository, and the hashes of its script's commits in order."""

    path: Path
    hashes: tuple[str, ...]

    def order(self, ref: str = "main") -> list[int]:
        """Return the numbers of the commits in the order of `git log`."""
        numbers = {commit: number for number, commit in enumerate(self.hashes)}
        return [numbers[commit] for commit in git(self.path, "rev-list", ref).splitlines()]


def make(
    path: Path, script: Script, *, bare: bool = True, object_format: ObjectFormat = "sha1"
) -> ImportedScript:
    """Create a repository from a script; a work tree stays empty."""
    path.mkdir(parents=True)
    kind = ["--bare"] if bare else []
    git(path, "init", "--quiet", *kind, f"--object-format={object_format}", "-b", "main")
    marks = path / "marks"
    lenient = ("-c", "core.protectHFS=false", "-c", "core.protectNTFS=false")
    given = b"".join(script.stream(object_format))
    command = ("fast-import", "--quiet", "--done", "--force", f"--export-marks={marks}")
    git(path, *lenient, *command, given=given)
    if script.commits:
        git(path, "update-ref", "-d", "refs/heads/scripted")
    lines = marks.read_text().split()
    hashes = dict(zip(lines[::2], lines[1::2], strict=True))
    marks.unlink()
    numbers = range(1, len(script.commits) + 1)
    return ImportedScript(path, tuple(hashes[f":{number}"] for number in numbers))


def shallow_clone(made: ImportedScript, path: Path, *options: str) -> ImportedScript:
    """Create a shallow clone; the commits keep their numbers."""
    url = made.path.absolute().as_uri()
    git(made.path.parent, "clone", "--quiet", "--bare", *options, url, str(path))
    return ImportedScript(path, made.hashes)


def numbers(made: ImportedScript, history: History) -> dict[bytes, int | None]:
    """Return the number of the commit that dates each path; None for a boundary."""
    return {
        name: None if touch.is_boundary else made.hashes.index(touch.commit)
        for name, touch in history.commit_dates.items()
    }


def error_code(
    path: str | os.PathLike[str],
    ref: str = "HEAD",
    *,
    dates: Dates = "last-touched",
    zone: str = "UTC",
) -> str:
    """Read a repository that cannot be read; return the code of the error."""
    with pytest.raises(RepositoryError) as caught:
        read_history(path, ref, dates=dates, zone=zone)
    return caught.value.code


def executable(path: Path, body: str) -> Path:
    """Write a program for the shell; return its path."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path
