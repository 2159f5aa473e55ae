"""Parse the column mapping of a producer's tables: TOML, see docs/reference/health-folder.md."""

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeGuard

import attrs

from healthapi import limits
from healthapi.errors import DataError
from healthapi.rows.cells import MILLISECONDS, date_pattern
from healthapi.rows.mapping import ROW_OF, Column, FileDataset, ProfileMap, TableMap
from status_contracts.adapters import toml_text
from status_contracts.findings import Finding, Step, pointer

__all__ = ["COLUMNS_FILE", "COLUMNS_FILE_BYTES", "MESSAGE_OF", "parse_column_mapping"]

COLUMNS_FILE: Final = "columns.toml"
"""Name of the file."""
COLUMNS_FILE_BYTES: Final = 64 * 1024
"""Size limit; real files have 2 kB."""

MESSAGE_OF: Final = {
    "columns.toml": "must be TOML in UTF-8",
    "columns.empty": "must not be empty",
    "columns.table": "must be a table",
    "columns.unknown": "must be one of the known names",
    "columns.file": "must be the plain name of a file below csv/",
    "columns.name": "must be the name of a column",
    "columns.flag": "must be true or false",
    "columns.delimiter": "must be one of , ; | and a tab",
    "columns.skip_lines": "must be a whole number from 0 to 100",
    "columns.decimal": "must be a point or a comma",
    "columns.date_form": "must have YYYY or YY, MM and DD once each, or be milliseconds",
    "columns.texts": "must be a text or a list of texts",
    "columns.true_when": "must be of one column, of a member that is true or false",
    "columns.source": "must be a column, or a table of one of from, sum and constant",
    "columns.factor": "must be a finite number other than 0",
    "columns.not_measured": "must be a finite number, of one column of numbers",
    "columns.plain": "must be a number to have a factor or be added up",
    "columns.constant": "must have the type of the member",
}
"""Rule id to message."""

_MAX_FILE_NAME_BYTES: Final = 255
"""The limit of file systems."""


class _MappingError(Exception):
    """A value breaks a rule (the first argument; then the steps to it); becomes a finding."""


def parse_column_mapping(data: bytes, name: str = COLUMNS_FILE) -> ProfileMap:
    """Parse a column mapping; raise DataError with all errors, under the name of the file."""
    parser = _Parser(tuple(name.split("/")))
    try:
        columns = parser.parse(toml_text.decode(data))
    except toml_text.TomlTextError:
        parser.report("columns.toml")
    if parser.findings:
        raise DataError(*parser.findings)
    return columns


@attrs.define
class _Parser:
    """Parses the tables of a file and collects their errors."""

    file: tuple[Step, ...]
    findings: list[Finding] = attrs.field(factory=list)

    def report(self, rule: str, *steps: Step, more: str = "") -> None:
        message = f"{MESSAGE_OF[rule]}{more}"
        self.findings.append(Finding(pointer((*self.file, *steps)), rule, message))

    def parse(self, tables: dict[str, Any]) -> ProfileMap:
        if not tables:
            self.report("columns.empty")
        self._check_known(tables, set(ROW_OF))
        maps = {key: self._parse_table(key, tables[key]) for key in ROW_OF if key in tables}
        return ProfileMap(**maps)

    def _parse_table(self, dataset: FileDataset, table: object) -> TableMap | None:
        if not isinstance(table, dict):
            self.report("columns.table", dataset)
            return None
        self._check_known(table, {"file", "date", "wide", "columns", "only", *_READING}, dataset)
        file, date = table.get("file"), table.get("date", "date")
        wide = table.get("wide", False)
        if not _is_file_name(file):
            self.report("columns.file", dataset, "file")
        if not _is_name(date):
            self.report("columns.name", dataset, "date")
        if not isinstance(wide, bool):
            self.report("columns.flag", dataset, "wide")
        columns = self._parse_members(dataset, table.get("columns", {}))
        form: dict[str, Any] = {}
        for name, is_right in _READING.items():
            if name in table and is_right(table[name]):
                form[name] = table[name]
            elif name in table:
                self.report(f"columns.{name}", dataset, name)
        only = self._parse_only(dataset, table.get("only", {}))
        return TableMap(
            dataset, str(file), str(date), columns, wide=wide is True, only=only, **form
        )

    def _parse_only(
        self, dataset: FileDataset, only: object
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        if not isinstance(only, dict):
            self.report("columns.table", dataset, "only")
            return ()
        parsed = {name: _texts(value) for name, value in only.items()}
        for name in (name for name, texts in parsed.items() if not texts):
            self.report("columns.texts", dataset, "only", name)
        return tuple(parsed.items())

    def _parse_members(self, dataset: FileDataset, columns: object) -> tuple[Column, ...]:
        place = (dataset, "columns")
        if not isinstance(columns, dict) or not columns:
            self.report("columns.empty" if columns == {} else "columns.table", *place)
            return ()
        fields = {field.name for field in attrs.fields(ROW_OF[dataset])} - {"date"}
        self._check_known(columns, fields, *place)
        kinds, parsed = TableMap(dataset, "", "", ()), []
        for field in sorted(columns.keys() & fields):
            try:
                parsed.append(_parse_column(field, kinds.cell_types[field], columns[field]))
            except _MappingError as error:
                rule, *steps = error.args
                self.report(rule, *place, field, *steps)
        return tuple(parsed)

    def _check_known(self, table: dict[str, Any], known: set[str], *steps: Step) -> None:
        for name in table:
            if name not in known:
                self.report("columns.unknown", *steps, name, more=f": {', '.join(sorted(known))}")


def _parse_column(field: str, kind: str, source: object) -> Column:
    members = dict(source) if isinstance(source, dict) else {}
    is_plain = kind in ("text", "boolean")
    if members.keys() == {"constant"}:
        return Column(field, constant=_parse_constant(kind, members["constant"]))
    value, true_when = None, tuple[str, ...]()
    if members.keys() == {"sum"}:
        terms = tuple(_parse_terms(members["sum"]))
    else:
        if "not_measured" in members:
            source, value = members, members.pop("not_measured")
            if not _is_number(value) or is_plain:
                raise _MappingError("columns.not_measured", "not_measured")
        if "true_when" in members:
            source, true_when = members, _texts(members.pop("true_when"))
            if kind != "boolean" or not true_when:
                rule = "columns.texts" if kind == "boolean" else "columns.true_when"
                raise _MappingError(rule, "true_when")
        terms = (_parse_term(source),)
    if is_plain and [factor for _, factor in terms] != [1.0]:
        raise _MappingError("columns.plain")
    special = None if value is None else float(value)
    return Column(field, terms, not_measured=special, true_when=true_when)


def _texts(value: object) -> tuple[str, ...]:
    """Return the texts of a text or a list of them, in lower case; none if it is neither."""
    values = value if isinstance(value, list) else [value]
    texts = [text.strip().casefold() for text in values if isinstance(text, str)]
    return tuple(texts) if len(texts) == len(values) else ()


def _parse_terms(sources: object) -> Iterator[tuple[str, float]]:
    if not isinstance(sources, list) or not sources:
        raise _MappingError("columns.source", "sum")
    for index, source in enumerate(sources):
        try:
            yield _parse_term(source)
        except _MappingError as error:
            rule, *steps = error.args
            raise _MappingError(rule, "sum", index, *steps) from None


def _parse_term(source: object) -> tuple[str, float]:
    if _is_name(source):
        return source, 1.0
    if not isinstance(source, dict) or not {"from"} <= source.keys() <= {"from", "factor"}:
        raise _MappingError("columns.source")
    name, factor = source["from"], source.get("factor", 1.0)
    if not _is_name(name):
        raise _MappingError("columns.name", "from")
    if not _is_number(factor) or factor == 0:
        raise _MappingError("columns.factor", "factor")
    return name, float(factor)


def _parse_constant(kind: str, value: object) -> bool | float | str:
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "text" and isinstance(value, str) and value.strip():
        return value.strip()
    if kind == "integer" and _is_number(value) and isinstance(value, int):
        return value
    if kind == "decimal" and _is_number(value):
        return float(value)
    raise _MappingError("columns.constant", "constant")


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= limits.LARGEST_NUMBER  # False for NaN.


_MAX_SKIPPED: Final = 100
_READING: Final[dict[str, Callable[[object], bool]]] = {
    "delimiter": lambda value: value in (",", ";", "|", "\t"),
    "skip_lines": lambda value: type(value) is int and 0 <= value <= _MAX_SKIPPED,
    "decimal": lambda value: value in (".", ","),
    "date_form": lambda value: (
        value == MILLISECONDS or (isinstance(value, str) and date_pattern(value) is not None)
    ),
}
"""How a file is written: name to the check of its value."""


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value)


def _is_file_name(value: object) -> TypeGuard[str]:
    """Check whether text is a file name: printable, not a path, and not hidden."""
    if not _is_name(value) or not value.isprintable() or value.startswith("."):
        return False
    return not {"/", "\\"} & set(value) and len(value.encode()) <= _MAX_FILE_NAME_BYTES
