"""Read the input and settings files of a command, and write its output files.

Invariant *bounded input*: at most a given number of bytes is read.
Invariant *whole output*: a file is replaced as a whole (see `status_contracts.adapters.files`).
"""

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

from status_contracts.adapters.files import replace
from status_contracts.cli.exit_codes import CANNOT, REFUSED, USAGE, Failed
from status_contracts.cli.terminal import write
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings

STDIN: Final = "-"
"""The file name that stands for the standard input."""
_NEW_FILE_MODE: Final = 0o666
"""The mode of a new file, before the umask; a replaced file keeps its mode."""


def read_file(name: str, max_bytes: int, *, too_long: int = CANNOT, regular: bool = False) -> bytes:
    """Return the bytes of a file; raise Failed if it cannot be read.

    A longer one fails with the exit code `too_long`.  With `regular` a FIFO or a device is not
    opened.
    """
    try:
        if regular and _is_special(Path(name)):
            raise Failed(CANNOT, f"cannot read {name}: it is not a regular file")
        with Path(name).open("rb") as file:
            return _read_bounded(name, file, max_bytes, too_long)
    except IsADirectoryError:
        raise Failed(CANNOT, f"cannot read {name}: it is a folder; give a file") from None
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {name}: {error.strerror}") from None
    except ValueError as error:  # a null character in the name
        raise Failed(CANNOT, f"cannot read {name!r}: {error}") from None


def read_input(name: str, max_bytes: int) -> bytes:
    """Return the bytes of a file, or of the standard input for `-`; raise as `read_file`."""
    if name != STDIN:
        return read_file(name, max_bytes, too_long=REFUSED)
    try:
        return _read_bounded("the standard input", sys.stdin.buffer, max_bytes, REFUSED)
    except OSError as error:
        raise Failed(CANNOT, f"cannot read the standard input: {error.strerror}") from None


def page_settings(name: str | None) -> PageSettings:
    """Return the settings of pages in a file, or the default ones; raise Failed with all faults."""
    if name is None:
        return DEFAULT_PAGE
    from status_contracts.adapters import page_files  # noqa: PLC0415 - reading pages takes long

    try:
        return page_files.load_page_settings(Path(name))
    except page_files.SettingsError as error:
        raise Failed(USAGE, *(f"{name}: {finding}" for finding in error.findings)) from None


def write_file(name: str, data: bytes) -> None:
    """Write a file, and replace an existing one.

    A link stays a link, to a new file.  A device or a pipe is opened and written.  Raise Failed if
    that is impossible.
    """
    try:
        path = Path(os.path.realpath(name))
        mode = _mode_of(path)
        if mode is not None and not stat.S_ISREG(mode):
            path.write_bytes(data)
        else:
            replace(path, data, created=_NEW_FILE_MODE, mode=mode)
    except OSError as error:
        raise Failed(CANNOT, f"cannot write {name}: {error.strerror}") from None


def write_output(name: str | None, data: bytes) -> None:
    """Write a file; without a name write to the standard output."""
    if name is None:
        write(data)
    else:
        write_file(name, data)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their path in a folder, and create the folders that are missing.

    Raise as `write_file`.
    """
    for name, data in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failed(CANNOT, f"cannot write {path.parent}: {error.strerror}") from None
        write_file(str(path), data)


def _is_special(path: Path) -> bool:
    """Check whether a path is neither a regular file nor a folder."""
    mode = path.stat().st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _read_bounded(name: str, file: BinaryIO, max_bytes: int, too_long: int) -> bytes:
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise Failed(too_long, f"{name} has more than the {max_bytes} bytes that are allowed")
    return data


def _mode_of(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
