"""Folders of profiles for tests, and changes of them."""

import codecs
import ctypes
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from healthapi.adapters.folder import FolderSource
from healthapi.profile import Profile
from healthapi.rows.mapping import NATIVE, TableMap
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts.adapters.clocks import system_clock

CANARY = 666_666
"""A number of steps outside of every root; it must never be read."""
_SNAPSHOT = '{{"saved_at": "{number}", "endpoints": {{}}}}\n'
_CELLS = {
    **dict.fromkeys(("steps", "minutes_asleep", "hrv"), "{number}"),
    "rhr": "{beats}",
    "is_main_sleep": "True",
}


def _file(table: TableMap | None) -> str:
    assert table is not None
    names = [name for _, name in table.sources()]
    cells = [_CELLS.get(member, "") for member in table.columns]
    return f"date,{','.join(names)}\n{{date}},{','.join(cells)}\n"


FILES = {
    "csv/fitbit_activity.csv": _file(NATIVE.activity),
    "csv/fitbit_sleep.csv": _file(NATIVE.sleep),
    "csv/fitbit_hrv.csv": _file(NATIVE.hrv),
    "csv/fitbit_rhr.csv": _file(NATIVE.rhr),
    SNAPSHOT_FILE: _SNAPSHOT,
}
"""Templates of files with one row, all with the same number; a heart rate is `BEATS` higher."""
BEATS = 100
NOBODY = 65_534
RHR = "csv/fitbit_rhr.csv"
_LATER = 10_000
"""ms after which the times of files have settled."""
_TIMEOUT_SECONDS = 30


def content(name: str, number: int, date: str = "2026-01-31") -> str:
    """Return the text of a file of a profile, with a number in it."""
    return FILES[name].format(date=date, number=number, beats=number + BEATS)


def write_profile(folder: Path, number: int = 1, date: str = "2026-01-31") -> Path:
    """Write all files of a profile, with a number in each of them."""
    for name in FILES:
        write(folder / name, content(name, number, date))
    return folder


def rhr(profile: object) -> int:
    """Return the number in the file of heart rates."""
    assert isinstance(profile, Profile)
    beats = profile.rhr[-1].rhr
    assert beats is not None
    return beats - BEATS


def found(source: FolderSource, name: str | None) -> Any:
    """Return what a source reads, also if that takes a while."""
    value = source.read(name, 0)
    return value.result(_TIMEOUT_SECONDS) if isinstance(value, Future) else value


def later() -> int:
    """Return a time at which the times of all files have settled."""
    return system_clock() + _LATER


def until(call: Callable[[], object]) -> None:
    """Wait until a call returns something true."""
    end = time.monotonic() + _TIMEOUT_SECONDS
    while not call():
        assert time.monotonic() < end
        time.sleep(0.005)


def write(path: Path, text: str) -> Path:
    """Write a file atomically: under another name, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.write_text(text)
    new.replace(path)
    return path


def exchange(one: Path, other: Path) -> None:
    """Exchange two paths atomically."""
    libc = ctypes.CDLL(None, use_errno=True)
    names = (-100, os.fsencode(one), -100, os.fsencode(other))  # AT_FDCWD
    if libc.renameat2(*names, 2) != 0:  # RENAME_EXCHANGE
        raise OSError(ctypes.get_errno(), "renameat2")


@contextmanager
def unprivileged() -> Iterator[Path]:
    """Return a folder, and run the block as a user without privileges."""
    user = os.geteuid()
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        if user == 0:
            codecs.lookup("cp437")  # of zip files: that user may not be able to read Python's own
            os.chown(name, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(user)
