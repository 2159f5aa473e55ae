"""Deriving a profile from the bytes of its files, in this process or in one of its own.

A process of its own reads one profile and ends.  It is sent a `Job` as a pickle on its standard
input and answers on its standard output with the progress and the result.

Invariant *the caller is not held*: while another process parses the files, the calling thread waits
without the interpreter lock.  The result arrives in frames of 64 KiB, and between two of them other
threads can run.
Invariant *no process is left behind*: the process ends when its standard input is closed, which
also happens when the parent process is killed.
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
from typing import Any, Final

import attrs

from healthapi.adapters.profile_files import refusal
from healthapi.errors import DataError
from healthapi.profile import Profile, derive
from healthapi.redaction.walk import PrivacySettings
from healthapi.rows.columns import ProfileMap
from healthapi.sources import Progress, read_sources
from purewire.adapters.zones import local_text

__all__ = ["SMALL_BYTES", "Job", "answer_job", "derived", "derived_apart"]

SMALL_BYTES: Final = 128 * 1024
"""Files of this size together are parsed in a few milliseconds."""

_NICENESS: Final = 10
"""The process that reads yields to the processes that serve."""
_READY: Final = b"ready\n"
"""What the process writes first, so that any other program is recognised."""
_PROGRAM: Final = (
    "import pickle, sys;"
    "sys.path[:] = pickle.load(sys.stdin.buffer);"
    "from healthapi.adapters.child_process import answer_job;"
    "answer_job()"
)


@attrs.frozen(eq=False, repr=False)
class Job:
    """Everything that a profile is derived from.

    Attributes:
        profile_id: id of the profile.
        files: file name to bytes, as `healthapi.sources.read_sources` takes them.
        columns: how the tables are laid out.
        disclosure: what the owner publishes about who they are.
        now: ms since the epoch.

    """

    profile_id: str
    files: Mapping[str, bytes]
    columns: ProfileMap
    disclosure: PrivacySettings
    now: int

    @property
    def is_small(self) -> bool:
        """Whether the files are parsed so fast that another process is not worth its start."""
        return sum(map(len, self.files.values())) <= SMALL_BYTES


def derived(job: Job, progress: Progress | None) -> Profile | DataError:
    """Return the profile, or the error for a file that cannot be read as a whole."""
    try:
        sources = read_sources(
            job.profile_id,
            job.files,
            columns=job.columns,
            disclosure=job.disclosure,
            progress=progress,
        )
    except DataError as fault:
        return fault
    return derive(sources, generated_at=local_text(job.now, sources.person.timezone))


def derived_apart(job: Job, progress: Progress | None) -> Profile | DataError:
    """Return the same result, computed by a process of its own.

    A process that ends before it has answered gives a DataError `file.failed`.  Where no process
    can be started, or `sys.executable` is no Python, the result is computed here.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell; the program is a constant
            [sys.executable or "", "-I", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return derived(job, progress)
    with process:
        try:
            if _is_ready(process):
                return _asked(process, job, progress)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            return refusal("", "file.failed")
        finally:
            process.kill()
            if process.stdin is not None:
                with suppress(BrokenPipeError):  # of what was not yet written
                    process.stdin.close()
    return derived(job, progress)


def _is_ready(process: "subprocess.Popen[bytes]") -> bool:
    given, answers = process.stdin, process.stdout
    if given is None or answers is None:
        return False
    try:
        pickle.dump(sys.path, given)
        given.flush()
    except BrokenPipeError:
        return False
    return answers.read(len(_READY)) == _READY


def _asked(
    process: "subprocess.Popen[bytes]", job: Job, progress: Progress | None
) -> Profile | DataError:
    given, answers = process.stdin, process.stdout
    if given is None or answers is None:
        raise EOFError
    pickle.dump((job, progress is not None), given)
    given.flush()
    while True:
        answer: Any = pickle.load(answers)  # noqa: S301 - written by the process started above
        if isinstance(answer, Profile):
            return answer
        if not isinstance(answer, int):
            code, findings = answer
            return DataError(code, findings)
        if progress is not None:
            progress(answer)


def answer_job() -> None:
    """Answer the job on the standard input, and end the process."""
    os.nice(_NICENESS)
    gc.disable()  # the process ends with its one job
    output = sys.stdout.buffer
    output.write(_READY)
    output.flush()
    job: Job
    job, reports = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the parent process
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def send(answer: object) -> None:
        pickler = pickle.Pickler(output, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = copyreg.dispatch_table | {MappingProxyType: _reduced}
        pickler.dump(answer)
        output.flush()

    result = derived(job, send if reports else None)
    send((result.code, result.findings) if isinstance(result, DataError) else result)
    os._exit(0)


def _reduced(mapping: "MappingProxyType[Any, Any]") -> tuple[Any, ...]:
    return _proxy, (dict(mapping),)


def _proxy(members: dict[Any, Any]) -> "MappingProxyType[Any, Any]":
    """Return a read-only mapping: the class itself has no name that a pickle could use."""
    return MappingProxyType(members)


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)
