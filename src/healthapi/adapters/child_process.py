"""Derive a profile from the bytes of its files, in this process or in a child process.

A child process derives one profile.  It reads a `Job` as a pickle from its standard input and
writes the result to its standard output.

Invariant *other threads run*: while the child process parses, the calling thread waits without the
interpreter lock, and between the frames of the result (64 KiB) other threads can run.
"""

import copyreg
import gc
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import IO, Any, Final, cast

import attrs

from healthapi.adapters.profile_files import file_error
from healthapi.errors import DataError
from healthapi.profile import Profile, Progress, derive, read_sources
from healthapi.redaction.walk import PrivacySettings
from healthapi.rows.columns import ProfileMap
from purewire.adapters.zones import local_text

SMALL_BYTES: Final = 256 * 1024
"""Parsing files of this size together delays requests by a few milliseconds."""
MAX_PROCESSES: Final = 2
"""Larger profiles that are read at a time, each with a child process."""
_NICENESS: Final = 10
"""Priority of the child process, below that of the processes that serve."""
_PROGRAM: Final = "from healthapi.adapters.child_process import run_job; run_job()"


@attrs.frozen(eq=False, repr=False)
class Job:
    """The arguments of `healthapi.profile.read_sources`, and times in ms since the epoch.

    These are of the request (`now`) and of the last table (`written`).
    """

    profile_id: str
    files: Mapping[str, bytes]
    columns: ProfileMap
    privacy: PrivacySettings
    now: int
    written: int | None = None


def derive_profile(job: Job, progress: Progress | None = None) -> Profile | DataError:
    """Return the profile, or the error for a file that cannot be parsed."""
    try:
        sources = read_sources(
            job.profile_id,
            job.files,
            columns=job.columns,
            disclosure=job.privacy,
            progress=progress,
        )
    except DataError as error:
        return error
    zone = sources.person.timezone
    written_at = None if job.written is None else local_text(min(job.written, job.now), zone)
    return derive(sources, generated_at=local_text(job.now, zone), written_at=written_at)


def derive_in_process(job: Job) -> Profile | DataError:
    """Return the result of `derive_profile`, computed by a child process.

    If the child process is killed, the result is a DataError `file.failed`.  If it cannot be
    started, for example because `sys.executable` is no Python, this process computes the result.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell; the program is a constant
            [sys.executable or "", "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    except OSError:
        return derive_profile(job)
    stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
    try:
        with process:
            with stdin:
                pickle.dump(job, stdin)
            found: Profile | DataError = pickle.load(stdout)  # noqa: S301 - of the process above
            return found
    except (EOFError, BrokenPipeError, pickle.UnpicklingError):
        killed = process.returncode < 0
        return file_error("", "file.failed") if killed else derive_profile(job)


def run_job() -> None:
    """Run the job from the standard input."""
    os.nice(_NICENESS)
    gc.disable()  # The process ends after one job.
    copyreg.pickle(MappingProxyType, _reduce_proxy)
    job: Job = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the parent process
    pickle.dump(derive_profile(job), sys.stdout.buffer)


def _reduce_proxy(mapping: "MappingProxyType[Any, Any]") -> tuple[Any, ...]:
    return _make_proxy, (dict(mapping),)


def _make_proxy(members: dict[Any, Any]) -> "MappingProxyType[Any, Any]":
    """Return a read-only mapping; pickle cannot import its class by name."""
    return MappingProxyType(members)
