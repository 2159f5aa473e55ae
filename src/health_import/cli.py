"""`healthapi import`: write the tables of a profile from export archives.

Invariant *as before or complete*: all new tables are on disk before the first old one is replaced,
and a table whose bytes would not change is not touched.
Invariant *private*: a new table is readable by its owner only; one that is replaced keeps its mode.
"""

from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from shlex import quote
from typing import Final

from health_import.apple import AppleHealth
from health_import.archives import (
    ArchiveError,
    OtherVendor,
    missing_parts,
    oldest_first,
    read_archives,
)
from health_import.gaps import encode_report, merge_missing
from health_import.garmin import Garmin
from health_import.report import (
    change_lines,
    column_lines,
    reason_lines,
    summary_lines,
    unread_lines,
)
from health_import.row_building import build_other, build_rows
from health_import.tables import COLUMNS, OldTable, TableError, merge, parse_table
from health_import.texts import EPOCH_MINUTE
from healthapi import DataError, limits
from healthapi.adapters.column_mapping import COLUMNS_FILE
from healthapi.endpoints import KEYS
from healthapi.omissions import REPORT_BYTES, REPORT_FILE, Reasons, parse_report
from healthapi.rows.mapping import FileDataset
from status_contracts.adapters.files import PRIVATE, file_problem, replace_all
from status_contracts.adapters.zones import offsets_in
from status_contracts.cli.arguments import BOLD, YELLOW, Styled, command
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from status_contracts.cli.files import read_file
from status_contracts.cli.terminal import echo, echo_progress, echo_warning

_UNREADABLE: Final = {"archive.damaged", "archive.encrypted", "archive.unreadable"}
_DATA: Final = ("csv/*.csv", "cache/*.json")  # by which a folder is a profile
VENDORS: Final[Mapping[str, type[OtherVendor]]] = {"apple": AppleHealth, "garmin": Garmin}


def run(arguments: Namespace) -> int:
    """Read the archives, merge their rows into the tables of the folder, and report."""
    zone = _zone(arguments.zone)
    vendor = VENDORS[arguments.vendor]() if arguments.vendor in VENDORS else None
    folder = Path(arguments.output)
    check_folder(folder)
    kept, reasons = read_report(folder)
    old = read_tables(folder)  # before the archives, because that can take minutes
    names = oldest_first(arguments.archives)
    echo_progress(f"reading {', '.join(names)}")
    try:
        files = read_archives(names, vendor)
    except ArchiveError as error:
        code = CANNOT if error.code in _UNREADABLE else REFUSED
        raise Failed(code, f"{error.message} [{error.code}]") from None
    built = build_other(vendor, files.values, zone) if vendor else build_rows(files.values, zone)
    last_date = max((row["date"] for rows in built.rows.values() for row in rows), default="")
    is_older = last_date < max((table.last_date for _, table in old.values()), default="")
    changes = {}
    changed = {}
    for dataset in COLUMNS:
        before, table = old[dataset]
        data, changes[dataset] = merge(dataset, table, built.rows[dataset], fresh_wins=not is_older)
        if data != before:
            changed[dataset] = data
    missing = merge_missing(
        reasons,
        built.gaps.missing,
        {dataset: table.rows for dataset, (_, table) in old.items()},
        built.rows,
        fresh_wins=not is_older,
    )
    text = encode_report(missing)
    if any(archive.files for archive in files.archives):
        write_tables(folder, changed, None if text == kept else text)
    sections = {
        "columns": column_lines(built.rows),
        "missing": reason_lines(built.gaps.missing),
        "warnings": reason_lines(built.gaps.warnings),
        "unreadable": unread_lines(files.unread),
        "tables": change_lines(changes),
    }
    for line in summary_lines(
        arguments.output, files.archives, built.search, arguments.zone, is_older=is_older
    ):
        echo(line)
    for title, lines in sections.items():
        shown = [f"  {line}" for line in lines]
        heading = Styled(title, f"{BOLD};{YELLOW}" if title == "warnings" else BOLD)
        for line in ("", heading, *shown) if shown else ():
            echo(line)
    for line in ("", "next:", command(f"healthapi check {quote(str(folder.parent))}")):
        echo(line)
    for part in missing_parts(names):
        echo_warning(f"{part} is missing: give all parts of an export together")
    return REFUSED if files.unread else OK


def _zone(name: str | None) -> Callable[[int], int] | None:
    """Return the function from minutes of UTC to offsets in minutes of a named zone."""
    if name is None:
        return None
    try:
        offset_of = offsets_in(name)
    except LookupError:
        message = f"--zone: {name!r} is not an IANA time zone, such as Europe/Berlin"
        raise Failed(USAGE, message) from None
    return lambda minute: offset_of((minute - EPOCH_MINUTE) * 60) // 60


def check_folder(folder: Path) -> None:
    """Check that a folder can be the folder of a profile with native tables; raise Failed."""
    key = KEYS["profile_id"]
    name = folder.resolve().name
    if key.parse(name) is None:
        remedy = f"use {key.pattern.pattern} as its name"
        raise Failed(USAGE, f"-o {folder}: {name!r} is not a profile id; {remedy}")
    if folder.exists() and not folder.is_dir():
        raise Failed(USAGE, f"-o {folder}: it is not a folder")
    held = {path.parents[1].name for file in _DATA for path in folder.glob(f"*/{file}")}
    if held and not (folder / "csv").exists():
        names = ", ".join(sorted(held))
        raise Failed(USAGE, f"-o {folder}: it holds profiles ({names}): give {folder}/NAME")
    for mapping in (folder / COLUMNS_FILE, folder.resolve().parent / COLUMNS_FILE):
        if mapping.exists():
            raise Failed(
                REFUSED,
                f"{mapping} maps the tables of another producer, so the imported ones would not be"
                " read; choose another folder",
            )


def read_tables(folder: Path) -> dict[FileDataset, tuple[bytes | None, OldTable]]:
    """Return the bytes (None without a file) and the content of the tables; raise Failed."""
    tables: dict[FileDataset, tuple[bytes | None, OldTable]] = {}
    for dataset in COLUMNS:
        path = _path(folder, dataset)
        data = _read(path, limits.CSV_FILE_BYTES)
        try:
            tables[dataset] = data, OldTable() if data is None else parse_table(data)
        except TableError as error:
            place = f"{path}:{error.line}"
            hint = "mend it or choose another folder; nothing was changed"
            raise Failed(REFUSED, f"{place}: {error.message} [{error.code}]; {hint}") from None
    return tables


def read_report(folder: Path) -> tuple[bytes | None, Reasons]:
    """Return the bytes and the reasons of the report that earlier imports kept; raise Failed."""
    path = folder / REPORT_FILE
    data = _read(path, REPORT_BYTES)
    try:
        return data, {} if data is None else parse_report(data)
    except DataError:
        hint = "remove it and import all archives again; nothing was changed"
        raise Failed(REFUSED, f"{path} is not a report of this version; {hint}") from None


def _read(path: Path, max_bytes: int) -> bytes | None:
    """Return the bytes of a file; None if there is none."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Failed(REFUSED, f"{path} is not a regular file")
    return read_file(str(path), max_bytes) if path.exists() else None


def write_tables(
    folder: Path, tables: Mapping[FileDataset, bytes], report: bytes | None = None
) -> None:
    """Write tables and the report; raise Failed.

    Some are old and others new only after an end between two renames.  The same import again
    completes them, because the report, whose reasons may be about all days of the old tables, is
    the first to be replaced.
    """
    files = {} if report is None else {folder / REPORT_FILE: report}
    files |= {_path(folder, dataset): data for dataset, data in tables.items()}
    if not files:
        return
    try:
        (folder / "csv").mkdir(parents=True, exist_ok=True)
        replace_all(files, created=PRIVATE)
    except OSError as error:
        raise Failed(CANNOT, f"cannot write {folder}: {file_problem(error, 'write')}") from None


def _path(folder: Path, dataset: FileDataset) -> Path:
    return folder / "csv" / f"fitbit_{dataset}.csv"
