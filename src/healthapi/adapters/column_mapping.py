"""Parse the column mapping of a producer's tables: TOML, see docs/reference/health-folder.md.

The form of the file is that of the models here; what a column may be is checked by the classes of
`healthapi.rows.mapping`, once the form is right.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal

import attrs

from healthapi import limits
from healthapi.errors import DataError
from healthapi.rows.cells import MILLISECONDS, date_pattern
from healthapi.rows.mapping import ROW_OF, CellType, Column, FileDataset, ProfileMap, TableMap
from status_contracts.adapters import toml_text
from status_contracts.findings import Finding, pointer
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import (
    NAME,
    Anything,
    Integer,
    Items,
    MapOf,
    Number,
    Predicate,
    Text,
)
from status_contracts.structuring.decoder import SettingsError, parse_settings

__all__ = ["COLUMNS_FILE", "COLUMNS_FILE_BYTES", "MESSAGE_OF", "parse_column_mapping"]

COLUMNS_FILE: Final = "columns.toml"
"""Name of the file."""
COLUMNS_FILE_BYTES: Final = 64 * 1024
"""Size limit; real files have 2 kB."""

MESSAGE_OF: Final = {
    "columns.empty": "must not be empty",
    "columns.file": "must be the plain name of a file below csv/",
    "columns.date_form": "must have YYYY or YY, MM and DD once each, or be milliseconds",
    "columns.source": "must be a source that suits the member",
}
"""Rule id to what must be, in addition to those of all settings files."""

_MAX_FILE_NAME_BYTES: Final = 255
"""The limit of file systems."""


def _check_file_name(name: str) -> None:
    """Raise ValueError unless text is a file name: printable, not a path, and not hidden."""
    is_plain = name.isprintable() and not name.startswith(".") and not {"/", "\\"} & set(name)
    if not is_plain or not 0 < len(name.encode()) <= _MAX_FILE_NAME_BYTES:
        raise ValueError(MESSAGE_OF["columns.file"])


def _check_date_form(form: str) -> None:
    if form != MILLISECONDS and date_pattern(form) is None:
        raise ValueError(MESSAGE_OF["columns.date_form"])


_FILE: Final = Predicate(_check_file_name, "columns.file", "the plain name of a file below csv/")
_FORM: Final = Predicate(_check_date_form, "columns.date_form", "DD.MM.YYYY or milliseconds")
_Name = Annotated[str, Text(1)]
_Factor = Annotated[float, Number(-limits.LARGEST_NUMBER, limits.LARGEST_NUMBER)]
_Texts = Annotated[tuple[Annotated[str, Text()], ...], Items(min_length=1)]


@attrs.frozen
class _Term:
    name: _Name = attrs.field(metadata={NAME: "from"})
    factor: _Factor | Absent = ABSENT


@attrs.frozen
class _Source:
    name: _Name | Absent = attrs.field(default=ABSENT, metadata={NAME: "from"})
    factor: _Factor | Absent = ABSENT
    sum: Annotated[tuple[_Term, ...], Items(min_length=1)] | Absent = ABSENT
    constant: Annotated[object, Anything()] | Absent = ABSENT
    not_measured: _Factor | Absent = ABSENT
    true_when: _Texts | Absent = ABSENT


@attrs.frozen
class _Table:
    file: Annotated[str, _FILE]
    columns: Annotated[Mapping[str, _Source], MapOf()]
    date: _Name | Absent = ABSENT
    wide: bool | Absent = ABSENT
    delimiter: Literal[",", ";", "|", "\t"] | Absent = ABSENT
    skip_lines: Annotated[int, Integer(0, 100)] | Absent = ABSENT
    decimal: Literal[".", ","] | Absent = ABSENT
    date_form: Annotated[str, _FORM] | Absent = ABSENT
    only: Annotated[Mapping[str, _Texts], MapOf()] | Absent = ABSENT


@attrs.frozen
class _File:
    activity: _Table | Absent = ABSENT
    sleep: _Table | Absent = ABSENT
    hrv: _Table | Absent = ABSENT
    rhr: _Table | Absent = ABSENT


def parse_column_mapping(data: bytes, name: str = COLUMNS_FILE) -> ProfileMap:
    """Parse a column mapping; raise DataError with all errors, under the name of the file."""
    start = pointer(name.split("/"))
    try:
        return toml_text.parse_settings(data, _read)
    except SettingsError as error:
        findings = error.findings
    raise DataError(*(attrs.evolve(one, path=f"{start}{one.path}") for one in findings))


def _read(tables: dict[str, Any]) -> ProfileMap:
    """Return the mapping of the tables of a file; raise SettingsError."""
    file = parse_settings(_in_full(tables), _File)
    named: dict[FileDataset, _Table] = {key: getattr(file, key) for key in ROW_OF if key in tables}
    maps: dict[FileDataset, TableMap] = {}
    problems = [] if named else [Finding("", "columns.empty", MESSAGE_OF["columns.empty"])]
    for dataset, table in named.items():
        columns: list[Column] = []
        if not table.columns:
            path = pointer((dataset, "columns"))
            problems.append(Finding(path, "columns.empty", MESSAGE_OF["columns.empty"]))
        for member, source in sorted(table.columns.items()):
            try:
                columns.append(_column(dataset, member, source))
                _mapped(dataset, table, columns[-1:])
            except ValueError as error:
                path = pointer((dataset, "columns", member))
                problems.append(Finding(path, "columns.source", str(error)))
        if not problems:
            maps[dataset] = _mapped(dataset, table, columns)
    if problems:
        raise SettingsError(tuple(problems))
    return ProfileMap(**maps)


def _in_full(value: Any, *steps: str) -> Any:  # noqa: ANN401 - a plain value
    """Return tables with the short forms written out: a name for a source, a text for a list."""
    match steps:
        case (_, "columns", _, "sum") if isinstance(value, list):
            return [_source_in_full(item) for item in value]
        case (_, "columns", _):
            value = _source_in_full(value)
        case (_, "only", _) | (_, "columns", _, "true_when") if isinstance(value, str):
            return [value]
    if not isinstance(value, dict):
        return value
    return {name: _in_full(member, *steps, name) for name, member in value.items()}


def _source_in_full(source: object) -> object:
    return {"from": source} if isinstance(source, str) else source


def _mapped(dataset: FileDataset, table: _Table, columns: Iterable[Column]) -> TableMap:
    """Return the mapping of a table; raise ValueError for a column that does not suit."""
    settings = {
        field.name: getattr(table, field.name)
        for field in attrs.fields(_Table)
        if field.name != "columns" and getattr(table, field.name) is not ABSENT
    }
    only = tuple((name, _lower(texts)) for name, texts in settings.pop("only", {}).items())
    return TableMap(dataset, columns=tuple(columns), only=only, **{"date": "date", **settings})


def _column(dataset: FileDataset, member: str, source: _Source) -> Column:
    """Return the column of a member; raise ValueError, with what is wrong."""
    kinds = TableMap(dataset, "", "", ()).cell_types
    names = sorted(kinds.keys() - {"date"})
    if member not in names:
        raise ValueError(f"is no member; there are {', '.join(names)}")
    if (source.name, source.sum, source.constant).count(ABSENT) != 2:  # noqa: PLR2004 - all but one
        raise ValueError("needs one of from, sum and constant")
    if source.factor is not ABSENT and source.name is ABSENT:
        raise ValueError("has a factor without from")
    terms = source.sum or ()
    if not isinstance(source.name, Absent):
        terms = (_Term(source.name, source.factor),)
    factors = [1.0 if isinstance(term.factor, Absent) else float(term.factor) for term in terms]
    if 0 in factors:
        raise ValueError("has a factor of 0")
    is_constant = source.constant is not ABSENT
    return Column(
        member,
        tuple((term.name, factor) for term, factor in zip(terms, factors, strict=True)),
        _constant(kinds[member], source.constant) if is_constant else None,
        None if isinstance(source.not_measured, Absent) else float(source.not_measured),
        _lower(source.true_when or ()),
    )


def _constant(kind: CellType, value: object) -> bool | float | str:
    if kind == "text" and isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, bool) is (kind == "boolean"):
        if isinstance(value, int):
            return float(value) if kind == "decimal" else value
        if isinstance(value, float) and kind == "decimal":
            return value
    raise ValueError("must be a constant of the type of the member")


def _lower(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text.strip().casefold() for text in texts)
