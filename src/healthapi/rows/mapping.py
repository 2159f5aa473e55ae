"""Column mappings: which columns of a producer's files become which members of the rows.

A mapping describes one layout completely, so that a new producer needs a new mapping and no new
code.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, Literal, get_args

import attrs

from healthapi.models import (
    ActivityRow,
    HrvRow,
    RhrRow,
    SleepLog,
)

__all__ = [
    "NATIVE",
    "ROW_OF",
    "CellType",
    "Column",
    "FileDataset",
    "ProfileMap",
    "TableMap",
]

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

_CELL_TYPE_OF: Final[dict[type, CellType]] = {
    bool: "boolean",
    float: "decimal",
    int: "integer",
    str: "text",
}


@attrs.frozen
class Column:
    """The source of the values of one member.

    Attributes:
        field: Name of the member.
        terms: Columns of the file, each with a factor, that are added up.  A missing term counts
            as 0 if another one has a value.  If all are missing, or one is unreadable, the value
            is missing.
        constant: The value of every row, instead of terms.
        not_measured: The number in the file that stands for "not measured"; such a value is
            missing.  Only with exactly one term.
        true_when: The texts, in lower case, that mean true, of a boolean; all others mean false.

    Raises:
        ValueError: There are both or neither of terms and constant, or `not_measured` is given
            with another number of terms than one.

    """

    field: str
    terms: tuple[tuple[str, float], ...] = ()
    constant: bool | float | str | None = None
    not_measured: float | None = None
    true_when: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        if bool(self.terms) is (self.constant is not None):
            raise ValueError("a column needs either terms or a constant")
        if self.not_measured is not None and len(self.terms) != 1:
            raise ValueError("not_measured needs exactly one term")

    @classmethod
    def of(cls, field: str, name: str, factor: float = 1.0) -> "Column":
        """Return a mapping from one column of the file, times a factor."""
        return cls(field, ((name, factor),))


@attrs.frozen(repr=False)
class TableMap:
    """The mapping of one file to one dataset.

    Attributes:
        dataset: Key of the dataset.
        file: Name of the file below `csv/`.
        date: Name of the column of dates.
        columns: The members that the file has values for; other members are None.
        wide: Whether the file contains other datasets too.  Then a row belongs to this dataset only
            if a column of numbers or text has a value; other rows are skipped without a finding.
        delimiter: What separates cells.
        skip_lines: Lines before the header.
        decimal: What stands before the fraction of a number: a point or a comma.
        date_form: The form of dates, such as `DD.MM.YYYY`, or `milliseconds` since the epoch.
        only: Columns and the texts, in lower case, of which one must stand in a row; other rows are
            skipped without a finding.
        cell_types: The types of the members of the rows.

    Raises:
        ValueError: A column is not a member of the dataset, occurs twice, or computes with text or
            booleans.

    """

    dataset: FileDataset
    file: str
    date: str
    columns: tuple[Column, ...]
    wide: bool = False
    delimiter: str = ","
    skip_lines: int = 0
    decimal: str = "."
    date_form: str | None = None
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    cell_types: Mapping[str, CellType] = attrs.field(init=False, eq=False)

    @cell_types.default
    def _types(self) -> Mapping[str, CellType]:
        return _cell_types(ROW_OF[self.dataset])

    def __attrs_post_init__(self) -> None:
        types = self.cell_types
        fields = [column.field for column in self.columns]
        if not types.keys() - {"date"} >= set(fields):
            raise ValueError("a column is not a member of the dataset's rows")
        if len(set(fields)) != len(fields):
            raise ValueError("a member has two columns")
        for column in self.columns:
            plain = [factor for _, factor in column.terms] in ([], [1.0])
            plain = plain and column.not_measured is None
            if column.true_when and types[column.field] != "boolean":
                raise ValueError("only columns of booleans can have true_when")
            if types[column.field] in ("text", "boolean") and not plain:
                raise ValueError(
                    "only columns of numbers can have several terms, a factor or not_measured"
                )

    def __repr__(self) -> str:
        return f"<TableMap of {self.dataset}: {self.file}, {len(self.columns)} columns>"

    def sources(self) -> Iterator[tuple[str, str]]:
        """Yield each member with each column of the file from which it has values."""
        return ((column.field, name) for column in self.columns for name, _ in column.terms)


@cache
def _cell_types(row: type[attrs.AttrsInstance]) -> dict[str, CellType]:
    """Return the types of a row's members from its annotations: `int | None` is integer."""
    return {
        field.name: _CELL_TYPE_OF[(get_args(field.type) or (field.type,))[0]]
        for field in attrs.fields(row)
    }


@attrs.frozen(repr=False)
class ProfileMap:
    """The mappings of all files of a profile; None if there is no such file.

    Raises:
        ValueError: A table is not of the dataset of its attribute.

    """

    activity: TableMap | None = None
    sleep: TableMap | None = None
    hrv: TableMap | None = None
    rhr: TableMap | None = None

    def __attrs_post_init__(self) -> None:
        for place in ROW_OF:
            table: TableMap | None = getattr(self, place)
            if table is not None and table.dataset != place:
                raise ValueError("a table is not of the dataset of its attribute")

    def __repr__(self) -> str:
        tables = [place for place in ROW_OF if getattr(self, place) is not None]
        return f"<ProfileMap of {', '.join(tables) or 'no file'}>"


_NAMED_OTHERWISE: Final = {
    "minutes_rem": "minutesREM",
    "hrv": "dailyRmssd",
    "rhr": "resting_heart_rate",
}
"""Members whose column is not their name in camel case."""


def _native(dataset: FileDataset) -> TableMap:
    names = [field.name for field in attrs.fields(ROW_OF[dataset]) if field.name != "date"]
    columns = (Column.of(name, _NAMED_OTHERWISE.get(name) or _camel_case(name)) for name in names)
    return TableMap(dataset, f"fitbit_{dataset}.csv", "date", tuple(columns))


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


NATIVE: Final = ProfileMap(*map(_native, ROW_OF))
"""The four files of the specification."""
