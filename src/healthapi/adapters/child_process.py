"""Derive a profile from the bytes of its files, in this process or in a child process.

A child process derives one profile.  It reads a `Job` as a pickle from its standard input
and writes the progress and the result to its standard output.

Invariant *other threads run*: while the child process parses, the calling thread waits without the
interpreter lock.  It reads the result in frames of 64 KiB, between which other threads can run.
Invariant *no process is left*: the child process ends when its standard input is closed, which also
happens when the parent process is killed.
"""

import copyreg
import gc
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import IO, Any, Final, cast

import attrs

from healthapi.adapters.profile_files import file_error
from healthapi.errors import DataError
from healthapi.profile import Profile, derive
from healthapi.redaction.walk import PrivacySettings
from healthapi.rows.columns import ProfileMap
from healthapi.sources import Progress, read_sources
from purewire.adapters.zones import local_text

__all__ = ["SMALL_BYTES", "Job", "derive_in_process", "derive_profile", "run_job"]

SMALL_BYTES: Final = 128 * 1024
"""Files of this size together are parsed in a few milliseconds."""

_NICENESS: Final = 10
"""Priority of the child process, below that of the processes that serve."""
_READY: Final = b"ready\n"
"""First output of the child process; another program does not write it."""
_PROGRAM: Final = (
    "import pickle, sys;"
    "sys.path[:] = pickle.load(sys.stdin.buffer);"
    "from healthapi.adapters.child_process import run_job;"
    "run_job()"
)


@attrs.frozen(eq=False, repr=False)
class Job:
    """The arguments of `healthapi.sources.read_sources`, and the time in ms since the epoch."""

    profile_id: str
    files: Mapping[str, bytes]
    columns: ProfileMap
    privacy: PrivacySettings
    now: int

    @property
    def is_small(self) -> bool:
        """Check whether parsing takes less time than starting a process."""
        return sum(map(len, self.files.values())) <= SMALL_BYTES


def derive_profile(job: Job, progress: Progress | None) -> Profile | DataError:
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
    return derive(sources, generated_at=local_text(job.now, sources.person.timezone))


def derive_in_process(job: Job, progress: Progress | None) -> Profile | DataError:
    """Return the result of `derive_profile`, computed by a child process.

    If the child process ends early, the result is a DataError `file.failed`.  If none can be
    started, or `sys.executable` is no Python, this process computes the result.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell; the program is a constant
            [sys.executable or "", "-I", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return derive_profile(job, progress)
    stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
    with process:
        try:
            if _is_ready(stdin, stdout):
                return _exchange(stdin, stdout, job, progress)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            return file_error("", "file.failed")
        finally:
            process.kill()
            with suppress(BrokenPipeError):  # The rest of the job.
                stdin.close()
    return derive_profile(job, progress)


def _is_ready(stdin: IO[bytes], stdout: IO[bytes]) -> bool:
    try:
        pickle.dump(sys.path, stdin)
        stdin.flush()
    except BrokenPipeError:
        return False
    return stdout.read(len(_READY)) == _READY


def _exchange(
    stdin: IO[bytes], stdout: IO[bytes], job: Job, progress: Progress | None
) -> Profile | DataError:
    pickle.dump((job, progress is not None), stdin)
    stdin.flush()
    while True:
        message: Any = pickle.load(stdout)  # noqa: S301 - written by the process started above
        if isinstance(message, Profile):
            return message
        if not isinstance(message, int):
            code, findings = message
            return DataError(code, findings)
        if progress is not None:
            progress(message)


def run_job() -> None:
    """Run the job from the standard input, and end the process."""
    os.nice(_NICENESS)
    gc.disable()  # The process ends after one job.
    output = sys.stdout.buffer
    output.write(_READY)
    output.flush()
    job: Job
    job, reports = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the parent process
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def send(message: object) -> None:
        pickler = pickle.Pickler(output, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = copyreg.dispatch_table | {MappingProxyType: _reduce_proxy}
        pickler.dump(message)
        output.flush()

    result = derive_profile(job, send if reports else None)
    send((result.code, result.findings) if isinstance(result, DataError) else result)
    os._exit(0)


def _reduce_proxy(mapping: "MappingProxyType[Any, Any]") -> tuple[Any, ...]:
    return _make_proxy, (dict(mapping),)


def _make_proxy(members: dict[Any, Any]) -> "MappingProxyType[Any, Any]":
    """Return a read-only mapping; pickle cannot import its class by name."""
    return MappingProxyType(members)


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)
