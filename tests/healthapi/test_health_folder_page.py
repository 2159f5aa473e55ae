"""The page about the profile folder documents the columns of the native tables."""

import re
from pathlib import Path

from healthapi.catalog_keys import METRICS
from healthapi.rows.columns import NATIVE, TableMap

PAGE = (Path(__file__).parents[2] / "docs/reference/health-folder.md").read_text("utf-8")
TABLES = [
    table for table in (NATIVE.activity, NATIVE.sleep, NATIVE.hrv, NATIVE.rhr) if table is not None
]


def documented_columns(table: TableMap) -> list[list[str]]:
    """Return the cells of each row that the page has for a file."""
    section = PAGE.split(f"### `csv/{table.file}`\n", 1)[1].split("\n#", 1)[0]
    rows = re.findall(r"^\| (`.*) \|$", section, re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows]


def test_the_page_documents_each_column_with_type_and_member() -> None:
    for table in TABLES:
        expected = [["`date`", "day", "`date`"]]
        for column in table.columns:
            ((name, _),) = column.terms
            expected.append([f"`{name}`", table.cell_type(column.field), f"`{column.field}`"])
        rows = documented_columns(table)
        assert [[name, kind, member] for name, kind, _, member, _ in rows] == expected


def test_every_column_has_a_description() -> None:
    assert all(about.endswith(".") for table in TABLES for *_, about in documented_columns(table))


def test_numbers_and_nothing_else_have_a_unit() -> None:
    for table in TABLES:
        for _, kind, unit, _, _ in documented_columns(table):
            assert bool(unit) is (kind in ("integer", "decimal"))


def test_units_are_those_of_the_metrics() -> None:
    for table in TABLES:
        for _, _, unit, member, _ in documented_columns(table):
            metric = METRICS.get(member.strip("`"))
            assert metric is None or metric.unit == unit
