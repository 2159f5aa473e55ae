"""The page about the profile folder describes columns of the native tables."""

import re
from pathlib import Path

import attrs

from healthapi.catalog_keys import METRICS
from healthapi.rows.mapping import NATIVE

PAGE = (Path(__file__).parents[2] / "docs/reference/health-folder.md").read_text("utf-8")
TABLES = attrs.astuple(NATIVE, recurse=False)


def test_the_notes_are_about_columns_that_exist() -> None:
    """The table itself is made from the code when the site is built."""
    notes = PAGE.split("```{native-columns}\n```\n", 1)[1].split("\n## ", 1)[0]
    named = re.findall(r"`([a-z]+(?:[A-Z]\w+)?)`", notes)
    columns = {name for table in TABLES for _, name in table.sources()}
    assert len(named) > 5
    assert {*named} <= columns | {"date"}


def test_every_number_that_is_published_has_a_unit() -> None:
    numbers = {
        column.field
        for table in TABLES
        for column in table.columns
        if table.cell_type(column.field) in ("integer", "decimal")
    }
    assert numbers - METRICS.keys() == {"duration"}
