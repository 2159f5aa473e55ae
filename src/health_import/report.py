"""Describe an import: what was read, which days have values, and what is missing and why."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

import attrs

from health_import.clock import ClockSearch
from health_import.file_names import advice
from health_import.tables import COLUMNS, Changes, Row
from healthapi.omissions import MESSAGE_OF, OmissionCode, Reasons, day_ranges
from healthapi.rows.mapping import FileDataset
from status_contracts.primitives import plural

_RANGES_SHOWN: Final = 3
_FILES_SHOWN: Final = 10
_HINT_OF: Final[Mapping[OmissionCode, str]] = {"zone.unknown": "; give --zone"}


@attrs.frozen
class UnreadFile:
    """A file of an archive of which nothing, or not every record, could be used."""

    file: str
    code: str
    message: str
    records: int | None = None


@attrs.frozen
class ArchiveRead:
    """An archive: the numbers of its entries, and of its files that were read.

    The vendor is that whose export it is, if nothing of it is read.
    """

    archive: str
    entries: int
    files: int
    vendor: str | None = None


def summary_lines(
    folder: str,
    archives: Sequence[ArchiveRead],
    search: ClockSearch,
    zone: str | None,
    *,
    is_older: bool,
) -> Iterator[str]:
    """Yield what was read, and by which clocks; `zone` is the one that is named, if any.

    `is_older`: whether the folder has later days than the archives, so that its values stay.
    """
    files = sum(archive.files for archive in archives)
    entries = sum(archive.entries for archive in archives)
    yield f"read {files:,} of {plural(entries, 'file')} into {folder}"
    for archive in archives:
        if archive.vendor is not None:
            yield f"{archive.archive}: {advice(archive.vendor)}"
    shown = [f"{plural(search.nights, 'night')} of the export"] if search.nights else []
    if zone is not None:
        shown.append(f"--zone {zone}")
    if shown:
        yield f"time zone by: {', '.join(shown)}"
    if search.compared_days:
        clock = "the local clock" if search.steps_are_local else "UTC"
        yield f"the steps are on {clock}, checked on {plural(search.compared_days, 'day')}"
    if is_older:
        yield "the folder has later days: its values stay, only blank cells are filled"


def column_lines(tables: Mapping[FileDataset, Sequence[Row]]) -> Iterator[str]:
    """Yield a line for all columns of a dataset that have values on the same days."""
    for dataset, rows in tables.items():
        groups: dict[tuple[int, str, str], list[str]] = {}
        for column in COLUMNS[dataset][1:]:
            days = [row["date"] for row in rows if column in row]
            if days:
                groups.setdefault((len(set(days)), days[0], days[-1]), []).append(column)
        for (count, first, last), columns in groups.items():
            span = first if first == last else f"{first} to {last}"
            yield f"{dataset}, {plural(count, 'day')}, {span}: {', '.join(columns)}"


def unread_lines(files: Sequence[UnreadFile]) -> Iterator[str]:
    """Yield a line for each of the first files that could not be used, or not as a whole."""
    for unread in files[:_FILES_SHOWN]:
        records = "" if unread.records is None else f"{plural(unread.records, 'record')}: "
        yield f"{unread.file}: {records}{unread.message} [{unread.code}]"
    if more := len(files[_FILES_SHOWN:]):
        yield f"and {plural(more, 'more file')}"


def change_lines(changes: Mapping[FileDataset, Changes]) -> Iterator[str]:
    """Yield a line about the rows of each table."""
    for dataset, change in changes.items():
        rows = plural(change.added, "row")
        yield f"{dataset}: {rows} added, {change.changed:,} changed, {change.kept:,} kept"


def reason_lines(reasons: Reasons) -> Iterator[str]:
    """Yield a line for all columns of a dataset that lack the same days for one reason."""
    groups: dict[tuple[str, OmissionCode, tuple[date, ...]], list[str]] = {}
    for dataset, column in ((of, name) for of in COLUMNS for name in ("", *COLUMNS[of])):
        for code, days in reasons.get((dataset, column), {}).items():
            groups.setdefault((dataset, code, tuple(sorted(days or ()))), []).append(column)
    for (table, code, group), columns in groups.items():
        names = f" {', '.join(columns)}" if any(columns) else ""
        message = f"{MESSAGE_OF[code]}{_HINT_OF.get(code, '')} [{code}]"
        yield f"{table}{names}, {_days_text(group)}: {message}"


def _days_text(days: Sequence[date]) -> str:
    if not days:
        return "all days"
    ranges = day_ranges(days)
    texts = [first if first == last else f"{first} to {last}" for first, last in ranges]
    more = f", {len(texts) - _RANGES_SHOWN} more" if len(texts) > _RANGES_SHOWN else ""
    return f"{plural(len(days), 'day')} ({', '.join(texts[:_RANGES_SHOWN])}{more})"
