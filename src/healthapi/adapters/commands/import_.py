"""`healthapi import`: form the tables of a profile from export archives."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Final

from healthapi.adapters.importing.archives import missing_parts, oldest_first, read_archives
from healthapi.adapters.importing.members import ArchiveCode, ArchiveError
from healthapi.adapters.importing.profile_tables import (
    check_folder,
    read_report,
    read_tables,
    write_tables,
)
from healthapi.importing.forming import Formed, form
from healthapi.importing.gaps import encode_report, merge_missing, missing_of
from healthapi.importing.merging import OldTable, merge
from healthapi.importing.report import ImportReport
from healthapi.importing.table_columns import COLUMNS
from healthapi.importing.texts import EPOCH_MINUTE
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from purewire.adapters.commands.progress import show_progress
from purewire.adapters.commands.reports import check_report_names, write_reports
from purewire.adapters.commands.terminal import echo, echo_error, write_json
from purewire.adapters.zones import offsets_in
from purewire.json import codec

_REFUSED: Final[frozenset[ArchiveCode]] = frozenset(
    {"archive.bomb", "archive.entries", "archive.kind", "archive.unrelated"}
)
_WIDTH: Final = 100
_MINUTE_SECONDS: Final = 60
_FORMATS: Final[Mapping[str, Callable[[ImportReport], bytes]]] = {
    ".json": lambda report: codec.encode(report.to_json()) + b"\n"
}


def run(arguments: Namespace) -> int:
    """Read the archives, merge their rows into the tables of the folder, and report."""
    check_report_names(arguments.report, _FORMATS)
    zone = _zone(arguments.zone)
    folder = Path(arguments.output)
    check_folder(folder)
    kept, reasons = read_report(folder)
    old = read_tables(folder)  # before the archives, because that can take minutes
    names = oldest_first(arguments.archives)
    try:
        with show_progress("bytes") as progress:
            files = read_archives(names, progress)
    except ArchiveError as error:
        code = REFUSED if error.code in _REFUSED else CANNOT
        raise Failed(code, f"{error.message} [{error.code}]") from None
    formed = form(files.values, zone)
    is_older = _last_date(formed) < max((table.last_date for _, table in old.values()), default="")
    changes = {}
    changed = {}
    for dataset in COLUMNS:
        before, table = old.get(dataset, (None, OldTable()))
        rows = formed.rows[dataset]
        data, changes[dataset] = merge(dataset, table, rows, fresh_wins=not is_older)
        if data != before:
            changed[dataset] = data
    missing = merge_missing(
        reasons,
        missing_of(formed.gaps),
        {dataset: old[dataset][1].rows if dataset in old else () for dataset in COLUMNS},
        formed.rows,
        fresh_wins=not is_older,
    )
    text = encode_report(missing)
    if any(archive.files for archive in files.archives):
        write_tables(folder, changed, None if text == kept else text)
    report = ImportReport(
        folder=arguments.output,
        archives=tuple(files.archives),
        formed=formed,
        changes=changes,
        unread=tuple(files.unread),
        zone=arguments.zone,
        is_older=is_older,
        unlisted=files.unlisted,
    )
    write_reports(arguments.report, _FORMATS, report)
    if arguments.json:
        write_json(report.to_json())
    else:
        _print(report)
    for part in missing_parts(names):
        echo_error(f"healthapi: {part} is missing: give all parts of an export together")
    return REFUSED if report.unread else OK


def _zone(name: str | None) -> Callable[[int], int] | None:
    """Return the function from minutes of UTC to offsets in minutes of a named zone."""
    if name is None:
        return None
    try:
        offset_of = offsets_in(name)
    except LookupError:
        raise Failed(
            USAGE, f"--zone: {name!r} is no IANA time zone, such as Europe/Berlin"
        ) from None
    return lambda minute: offset_of((minute - EPOCH_MINUTE) * _MINUTE_SECONDS) // _MINUTE_SECONDS


def _last_date(formed: Formed) -> str:
    return max((row["date"] for rows in formed.rows.values() for row in rows), default="")


def _print(report: ImportReport) -> None:
    for line in report.lines():
        echo(line)
    sections = {
        "formed": report.column_lines(),
        "missing": report.gap_lines(),
        "warnings": report.warning_lines(),
        "unreadable": report.unread_lines(),
        "tables": report.change_lines(),
    }
    for title, lines in sections.items():
        found = list(lines)
        if found:
            echo("")
            echo(title)
        for line in found:
            for part in wrap(line, _WIDTH, initial_indent="  ", subsequent_indent="      "):
                echo(part)
