"""Read and replace the four tables of a profile's folder, and the report kept beside them.

Invariant *as before or complete*: all new tables are on disk before the first old one is replaced,
and a table whose bytes would not change is not touched.
"""

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from healthapi import limits
from healthapi.adapters.column_mapping import COLUMNS_FILE
from healthapi.http.endpoints import KEYS
from healthapi.importing.gaps import (
    REPORT_BYTES,
    REPORT_FILE,
    KeptReportError,
    parse_report,
)
from healthapi.importing.gaps import Missing as Reasons
from healthapi.importing.merging import OldTable, TableError, parse_table
from healthapi.importing.table_columns import COLUMNS
from healthapi.rows.columns import FileDataset
from purewire.adapters.atomic_write import replace_all
from purewire.adapters.commands.exit_codes import CANNOT, REFUSED, USAGE, Failed
from purewire.adapters.commands.files import read_file

_NEW_FILE_MODE: Final = 0o666


def check_folder(folder: Path) -> None:
    """Check that a folder can be the folder of a profile with native tables; raise Failed."""
    key = KEYS["profile_id"]
    name = folder.resolve().name
    if key.parse(name) is None:
        raise Failed(
            USAGE, f"-o {folder}: {name!r} is no profile id; use {key.pattern.pattern} as its name"
        )
    if folder.exists() and not folder.is_dir():
        raise Failed(USAGE, f"-o {folder}: it is not a folder")
    for mapping in (folder / COLUMNS_FILE, folder.resolve().parent / COLUMNS_FILE):
        if mapping.exists():
            raise Failed(
                REFUSED,
                f"{mapping} maps the tables of another producer, so the imported ones would not be"
                " read; choose another folder",
            )


def read_tables(folder: Path) -> dict[FileDataset, tuple[bytes, OldTable]]:
    """Return the bytes and the content of the existing tables; raise Failed."""
    found: dict[FileDataset, tuple[bytes, OldTable]] = {}
    for dataset in COLUMNS:
        path = _path(folder, dataset)
        data = _read(path, limits.CSV_FILE_BYTES)
        if data is None:
            continue
        try:
            found[dataset] = data, parse_table(data)
        except TableError as error:
            place = f"{path}:{error.line}"
            hint = "mend it or choose another folder; nothing was changed"
            raise Failed(REFUSED, f"{place}: {error.message} [{error.code}]; {hint}") from None
    return found


def read_report(folder: Path) -> tuple[bytes | None, Reasons]:
    """Return the bytes and the reasons of the report that earlier imports kept; raise Failed."""
    path = folder / REPORT_FILE
    data = _read(path, REPORT_BYTES)
    try:
        return data, {} if data is None else parse_report(data)
    except KeptReportError:
        hint = "remove it and import all archives again; nothing was changed"
        raise Failed(REFUSED, f"{path} is not a report of this version; {hint}") from None


def _read(path: Path, max_bytes: int) -> bytes | None:
    """Return the bytes of a file; None if there is none."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Failed(REFUSED, f"{path} is not a regular file")
    return read_file(str(path), max_bytes, regular=True) if path.exists() else None


def write_tables(
    folder: Path, tables: Mapping[FileDataset, bytes], report: bytes | None = None
) -> None:
    """Write tables and the report; raise Failed, with all of them as they were."""
    files = {_path(folder, dataset): data for dataset, data in tables.items()}
    if report is not None:
        files[folder / REPORT_FILE] = report
    if not files:
        return
    try:
        (folder / "csv").mkdir(parents=True, exist_ok=True)
        with _uninterrupted():
            replace_all(files, created=_NEW_FILE_MODE)
    except OSError as error:
        raise Failed(CANNOT, f"cannot write {folder}: {error.strerror}") from None


def _path(folder: Path, dataset: FileDataset) -> Path:
    return folder / "csv" / f"fitbit_{dataset}.csv"


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ignore Ctrl-C for the moment in which several files are replaced."""
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
