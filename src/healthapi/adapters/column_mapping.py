"""The column map of a producer's tables, as a TOML file.

    [activity]
    file = "person.csv"     # below csv/
    date = "day"            # the column of dates; "date" where it is left out
    wide = true             # the file holds other sets too; false where it is left out

    [activity.columns]
    steps = "steps"                                           # a column as it is
    calories_out = { from = "kilojoules", factor = 0.239 }    # times a factor
    active_minutes = { sum = ["light", { from = "hard", factor = 2 }] }
    sedentary_minutes = { from = "sitting", not_measured = 0 } # 0 is missing

    [sleep.columns]
    is_main_sleep = { constant = true }                       # one value for all rows

Tables are `activity`, `sleep`, `hrv` and `rhr`, each at most once; keys of `columns` are the
members of their rows.

Invariant *every fault is told*: a map that is faulty anywhere is not used, and each of its faults
is a finding with the path to it.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeGuard

import attrs

from healthapi import limits
from healthapi.errors import DataError
from healthapi.rows.columns import ROW_OF, Column, FileDataset, ProfileMap, TableMap
from purewire.adapters import toml_text
from purewire.findings import Finding, Step, pointer

__all__ = ["COLUMNS_FILE", "COLUMNS_FILE_BYTES", "MESSAGE_OF", "read_columns"]

COLUMNS_FILE: Final = "columns.toml"
"""What the file is called."""
COLUMNS_FILE_BYTES: Final = 64 * 1024
"""Real ones have 2 kB."""

MESSAGE_OF: Final = {
    "columns.toml": "is no TOML text in UTF-8",
    "columns.empty": "maps nothing",
    "columns.table": "must be a table",
    "columns.unknown": "is not known here",
    "columns.file": "must be the plain name of a file below csv/",
    "columns.name": "must be the name of a column",
    "columns.flag": "must be true or false",
    "columns.source": "must be a column, or a table of one of from, sum and constant",
    "columns.factor": "must be a finite number other than 0",
    "columns.not_measured": "must be a finite number, of one column of numbers",
    "columns.plain": "is no number, so it cannot be multiplied or added up",
    "columns.constant": "is not of the kind that the member holds",
}
"""Rule id to the rule in words."""

_LONGEST_NAME: Final = 255  # bytes, as file systems have it


class _Faulty(Exception):
    """A value breaks a rule; told where it is caught."""

    def __init__(self, rule: str, *steps: Step) -> None:
        super().__init__(rule, steps)
        self.rule = rule
        self.steps = steps


def read_columns(data: bytes, name: str = COLUMNS_FILE) -> ProfileMap:
    """Read a column map; raises DataError with every fault, under the name of the file."""
    try:
        tables = toml_text.decode(data)
    except toml_text.TomlTextError:
        raise _refusal([_Faulty("columns.toml")], name) from None
    reading = _Reading()
    columns = reading.tables(tables)
    if reading.faults:
        raise _refusal(reading.faults, name)
    return columns


def _refusal(faults: list[_Faulty], name: str) -> DataError:
    return DataError(
        findings=tuple(
            Finding(pointer((*name.split("/"), *fault.steps)), fault.rule, MESSAGE_OF[fault.rule])
            for fault in faults
        )
    )


@attrs.define
class _Reading:
    """One pass over the file's tables, with what was wrong so far."""

    faults: list[_Faulty] = attrs.field(factory=list)

    def tables(self, tables: dict[str, Any]) -> ProfileMap:
        if not tables:
            self.faults.append(_Faulty("columns.empty"))
        self._unknown(tables, set(ROW_OF))
        found = {key: self._table(key, tables[key]) for key in ROW_OF if key in tables}
        return ProfileMap(**found)

    def _table(self, dataset: FileDataset, table: object) -> TableMap | None:
        if not isinstance(table, dict):
            self.faults.append(_Faulty("columns.table", dataset))
            return None
        self._unknown(table, {"file", "date", "wide", "columns"}, dataset)
        file, date = table.get("file"), table.get("date", "date")
        wide = table.get("wide", False)
        if not _is_file_name(file):
            self.faults.append(_Faulty("columns.file", dataset, "file"))
        if not _is_name(date):
            self.faults.append(_Faulty("columns.name", dataset, "date"))
        if not isinstance(wide, bool):
            self.faults.append(_Faulty("columns.flag", dataset, "wide"))
        columns = self._columns(dataset, table.get("columns", {}))
        return TableMap(dataset, str(file), str(date), columns, wide=wide is True)

    def _columns(self, dataset: FileDataset, columns: object) -> tuple[Column, ...]:
        place = (dataset, "columns")
        if not isinstance(columns, dict):
            self.faults.append(_Faulty("columns.table", *place))
            return ()
        if not columns:
            self.faults.append(_Faulty("columns.empty", *place))
        fields = {field.name for field in attrs.fields(ROW_OF[dataset])} - {"date"}
        self._unknown(columns, fields, *place)
        return tuple(self._read(dataset, columns, fields))

    def _read(
        self, dataset: FileDataset, columns: dict[str, Any], fields: set[str]
    ) -> Iterator[Column]:
        kinds = TableMap(dataset, "", "", ())
        for field in sorted(columns.keys() & fields):
            try:
                yield _column(field, kinds.cell_type(field), columns[field])
            except _Faulty as fault:
                self.faults.append(_Faulty(fault.rule, dataset, "columns", field, *fault.steps))

    def _unknown(self, table: dict[str, Any], known: set[str], *steps: Step) -> None:
        unknown = (name for name in table if name not in known)
        self.faults.extend(_Faulty("columns.unknown", *steps, name) for name in unknown)


def _column(field: str, kind: str, source: object) -> Column:
    if isinstance(source, dict) and source.keys() == {"constant"}:
        return Column(field, constant=_constant(kind, source["constant"]))
    if isinstance(source, dict) and source.keys() == {"sum"}:
        column = Column(field, tuple(_terms(source["sum"])))
    else:
        column = _single(field, kind, source)
    if kind in ("text", "boolean") and [factor for _, factor in column.terms] != [1.0]:
        raise _Faulty("columns.plain")
    return column


def _single(field: str, kind: str, source: object) -> Column:
    """Read a member that has one column, perhaps with a value for what was not measured."""
    if not isinstance(source, dict) or "not_measured" not in source:
        return Column(field, (_term(source),))
    value = source["not_measured"]
    if not _is_number(value) or kind in ("text", "boolean"):
        raise _Faulty("columns.not_measured", "not_measured")
    rest = {name: each for name, each in source.items() if name != "not_measured"}
    return Column(field, (_term(rest),), not_measured=float(value))


def _terms(sources: object) -> Iterator[tuple[str, float]]:
    if not isinstance(sources, list) or not sources:
        raise _Faulty("columns.source", "sum")
    for index, source in enumerate(sources):
        try:
            yield _term(source)
        except _Faulty as fault:
            raise _Faulty(fault.rule, "sum", index, *fault.steps) from None


def _term(source: object) -> tuple[str, float]:
    if _is_name(source):
        return source, 1.0
    if not isinstance(source, dict) or not {"from"} <= source.keys() <= {"from", "factor"}:
        raise _Faulty("columns.source")
    name, factor = source["from"], source.get("factor", 1.0)
    if not _is_name(name):
        raise _Faulty("columns.name", "from")
    if not _is_number(factor) or factor == 0:
        raise _Faulty("columns.factor", "factor")
    return name, float(factor)


def _constant(kind: str, value: object) -> bool | float | str:
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "text" and isinstance(value, str) and value.strip():
        return value.strip()
    if kind == "integer" and _is_number(value) and isinstance(value, int):
        return value
    if kind == "decimal" and _is_number(value):
        return float(value)
    raise _Faulty("columns.constant", "constant")


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= limits.LARGEST_NUMBER  # NaN is not


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value)


def _is_file_name(value: object) -> TypeGuard[str]:
    """Tell whether text names a file in a folder: it is printable and no path, and not hidden."""
    return (
        _is_name(value)
        and value.isprintable()
        and not value.startswith(".")
        and not {"/", "\\"} & set(value)
        and len(value.encode()) <= _LONGEST_NAME
    )
