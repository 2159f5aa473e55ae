"""Column mappings: which columns of a producer's files become which members of the rows.

A mapping describes one layout completely, so that a new producer needs a new mapping and no new
code.  The tables of `columns.toml` (docs/reference/health-folder.md) are decoded to these classes.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Annotated, Final, Literal, get_args

import attrs

from healthapi.limits import LARGEST_NUMBER
from healthapi.models import ActivityRow, HrvRow, RhrRow, SleepLog
from healthapi.rows.cells import MILLISECONDS, date_pattern
from status_contracts.findings import Finding, pointer
from status_contracts.structuring.constraints import (
    NAME,
    Anything,
    Integer,
    Items,
    MapOf,
    Number,
    Predicate,
    Text,
    optional_defaults,
)
from status_contracts.structuring.decoder import SettingsError

__all__ = [
    "NATIVE", "ROW_OF", "CellType", "Column", "FileDataset", "ProfileMap", "TableMap", "Term",
    "cell_types",
]  # fmt: skip

FileDataset = Literal["activity", "sleep", "hrv", "rhr"]
"""The datasets that are read from files."""
CellType = Literal["integer", "decimal", "text", "boolean"]

ROW_OF: Final[dict[FileDataset, type[attrs.AttrsInstance]]] = {
    "activity": ActivityRow,
    "sleep": SleepLog,
    "hrv": HrvRow,
    "rhr": RhrRow,
}
"""File dataset to the class of its rows."""

MESSAGE_OF: Final = {
    "columns.empty": "must not be empty",
    "columns.file": "must be the plain name of a file below csv/",
    "columns.date_form": "must have YYYY or YY, MM and DD once each, or be milliseconds",
    "columns.source": "must be a source that suits the member",
}
"""Rule id to what must be, in addition to those of all settings files."""

_CELL_TYPE_OF: Final[dict[type, CellType]] = {
    bool: "boolean",
    float: "decimal",
    int: "integer",
    str: "text",
}
_MAX_FILE_NAME_BYTES: Final = 255
"""The limit of file systems."""


@cache
def cell_types(dataset: FileDataset) -> Mapping[str, CellType]:
    """Return the members of a dataset that have columns, with their types."""
    return {
        field.name: _CELL_TYPE_OF[(get_args(field.type) or (field.type,))[0]]
        for field in attrs.fields(ROW_OF[dataset])
        if field.name != "date"
    }


def _is_file_name(name: str) -> bool:
    is_plain = name.isprintable() and not name.startswith(".") and not {"/", "\\"} & set(name)
    return is_plain and 0 < len(name.encode()) <= _MAX_FILE_NAME_BYTES


_FILE: Final = Predicate.of(_is_file_name, "columns.file", "the plain name of a file below csv/")
_FORM: Final = Predicate.of(
    lambda form: form == MILLISECONDS or date_pattern(form),
    "columns.date_form",
    "a form such as DD.MM.YYYY, or milliseconds",
)
_Name = Annotated[str, Text(1)]
_Factor = Annotated[float, Number(-LARGEST_NUMBER, LARGEST_NUMBER)]
_Texts = Annotated[tuple[Annotated[str, Text()], ...], Items(min_length=1)]


@attrs.frozen(field_transformer=optional_defaults)
class Term:
    """A column of the file, times a factor other than 0; the name is `from` in a settings file."""

    name: _Name = attrs.field(metadata={NAME: "from"})
    factor: _Factor = 1.0


@attrs.frozen(field_transformer=optional_defaults)
class Column:
    """The source of the values of one member: a column of the file, a sum, or a constant.

    Attributes:
        name: Name of the column; `from` in a settings file.
        factor: What its numbers are multiplied by.
        sum: Columns that are added up.  A missing term counts as 0 if another one has a value.  If
            all are missing, or one is unreadable, the value is missing.
        constant: The value of every row, of the type of the member.
        not_measured: The number in the file that stands for "not measured"; such a value is
            missing.  Only with exactly one term.
        true_when: The texts, in any case, that mean true, of a boolean; all others mean false.
        terms: The columns that are added up, or the single one; none of a constant.

    """

    name: _Name | None = attrs.field(default=None, metadata={NAME: "from"})
    factor: _Factor = 1.0
    sum: Annotated[tuple[Term, ...], Items(min_length=1)] = ()
    constant: Annotated[bool | float | str | None, Anything()] = None
    not_measured: _Factor | None = None
    true_when: _Texts = ()

    terms: tuple[Term, ...] = attrs.field(init=False, eq=False)

    @terms.default
    def _terms(self) -> tuple[Term, ...]:
        return self.sum if self.name is None else (Term(self.name, self.factor),)

    def problems(self, kind: CellType) -> Iterator[str]:
        """Yield why it cannot be the source of a member of this type."""
        factors = [term.factor for term in self.terms]
        is_plain = factors in ([], [1]) and self.not_measured is None
        if [self.name, self.sum or None, self.constant].count(None) != 2:  # noqa: PLR2004 - all but one
            yield "needs one of from, sum and constant"
        if self.factor != 1 and self.name is None:
            yield "has a factor without from"
        if 0 in factors:
            yield "has a factor of 0"
        if self.constant is not None and not _is_of_type(self.constant, kind):
            yield "must be a constant of the type of the member"
        if self.not_measured is not None and len(factors) != 1:
            yield "not_measured needs exactly one term"
        if self.true_when and kind != "boolean":
            yield "only columns of booleans can have true_when"
        if kind in ("text", "boolean") and not is_plain:
            yield "only columns of numbers can have several terms, a factor or not_measured"


def _is_of_type(constant: object, kind: CellType) -> bool:
    if isinstance(constant, str):
        return kind == "text" and constant.strip() != ""
    own = _CELL_TYPE_OF.get(type(constant))
    return own == kind or (own, kind) == ("integer", "decimal")


@attrs.frozen(field_transformer=optional_defaults)
class TableMap:
    """The mapping of one file to one dataset.

    Attributes:
        file: Name of the file below `csv/`.
        columns: The members that the file has values for; other members are None.
        date: Name of the column of dates.
        wide: Whether the file contains other datasets too.  Then a row belongs to this dataset only
            if a column of numbers or text has a value; other rows are skipped without a finding.
        delimiter: What separates cells.
        skip_lines: Lines before the header.
        decimal: What stands before the fraction of a number: a point or a comma.
        date_form: The form of dates, such as `DD.MM.YYYY`, or `milliseconds` since the epoch.
        only: Columns and the texts, in any case, of which one must stand in a row; other rows are
            skipped without a finding.

    """

    file: Annotated[str, _FILE]
    columns: Annotated[Mapping[str, Column], MapOf()]
    date: _Name = "date"
    wide: bool = False
    delimiter: Literal[",", ";", "|", "\t"] = ","
    skip_lines: Annotated[int, Integer(0, 100)] = 0
    decimal: Literal[".", ","] = "."
    date_form: Annotated[str, _FORM] | None = None
    only: Annotated[Mapping[str, _Texts], MapOf()] = attrs.field(factory=dict)

    def sources(self) -> Iterator[tuple[str, str]]:
        """Yield each member with each column of the file from which it has values."""
        return ((name, term.name) for name, it in self.columns.items() for term in it.terms)


@attrs.frozen(repr=False, field_transformer=optional_defaults)
class ProfileMap:
    """The mappings of all files of a profile; None if there is no such file.

    Attributes:
        tables: Those that there are, by dataset.

    Raises:
        SettingsError: There is no file, or a table has no column or one that does not suit the
            member; with all problems.

    """

    activity: TableMap | None = None
    sleep: TableMap | None = None
    hrv: TableMap | None = None
    rhr: TableMap | None = None

    tables: Mapping[FileDataset, TableMap] = attrs.field(init=False, eq=False)

    @tables.default
    def _tables(self) -> Mapping[FileDataset, TableMap]:
        tables = {dataset: getattr(self, dataset) for dataset in ROW_OF}
        return {dataset: table for dataset, table in tables.items() if table is not None}

    def __attrs_post_init__(self) -> None:
        if problems := tuple(self._problems()):
            raise SettingsError(problems)

    def _problems(self) -> Iterator[Finding]:
        if not self.tables:
            yield Finding("", "columns.empty", MESSAGE_OF["columns.empty"])
        for dataset, table in self.tables.items():
            path = pointer((dataset, "columns"))
            if not table.columns:
                yield Finding(path, "columns.empty", MESSAGE_OF["columns.empty"])
            types = cell_types(dataset)
            unknown = f"is not a member; there are {', '.join(sorted(types))}"
            for name, column in table.columns.items():
                problems = column.problems(types[name]) if name in types else iter([unknown])
                for problem in islice(problems, 1):  # the others may follow from it
                    yield Finding(path + pointer([name]), "columns.source", problem)

    def __repr__(self) -> str:
        return f"<ProfileMap of {', '.join(self.tables)}>"


_NAMED_OTHERWISE: Final = {
    "minutes_rem": "minutesREM",
    "hrv": "dailyRmssd",
    "rhr": "resting_heart_rate",
}
"""Members whose column is not their name in camel case."""


def _native(dataset: FileDataset) -> TableMap:
    names = {name: re.sub("_(.)", lambda of: of[1].upper(), name) for name in cell_types(dataset)}
    names |= {name: _NAMED_OTHERWISE[name] for name in names.keys() & _NAMED_OTHERWISE}
    columns = {name: Column(column) for name, column in names.items()}
    return TableMap(f"fitbit_{dataset}.csv", columns)


NATIVE: Final = ProfileMap(*map(_native, ROW_OF))
"""The four files of the specification."""
