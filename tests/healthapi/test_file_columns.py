"""The columns of the native tables, and the page that documents them."""

import re
from pathlib import Path

from healthapi.catalog_keys import METRICS
from healthapi.http.api_docs.file_columns import file_columns
from healthapi.rows.columns import LIFESNAPS, NATIVE, ROW_OF

PAGE = (Path(__file__).parents[2] / "docs/reference/health-folder.md").read_text("utf-8")


def test_every_column_of_every_file_is_there() -> None:
    expected = []
    for dataset in ROW_OF:
        table = getattr(NATIVE, dataset)
        expected.append((f"csv/{table.file}", table.date, "date"))
        file = f"csv/{table.file}"
        expected += [(file, column.terms[0][0], column.field) for column in table.columns]
    assert [(each.file, each.column, each.member) for each in file_columns()] == expected


def test_units_are_those_of_the_metrics() -> None:
    for each in file_columns():
        assert bool(each.unit) is (each.kind in ("integer", "decimal"))
        if each.member in METRICS:
            assert each.unit == METRICS[each.member].unit


def test_a_member_that_several_columns_make_has_no_column() -> None:
    members = {each.member for each in file_columns(LIFESNAPS)}
    assert "steps" in members
    assert not members & {"active_minutes", "active_zone_minutes", "is_main_sleep"}


def test_the_page_documents_each_column_of_each_file_with_its_unit() -> None:
    for file in dict.fromkeys(each.file for each in file_columns()):
        table = PAGE.split(f"### `{file}`\n", 1)[1].split("\n#", 1)[0]
        rows = re.findall(r"^\| `.*$", table, re.MULTILINE)
        assert rows == [
            f"| `{each.column}` | {each.kind} | {each.unit} | `{each.member}` | {each.about} |"
            for each in file_columns()
            if each.file == file
        ]
