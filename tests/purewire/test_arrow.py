"""Tables that pandas, polars and pyarrow read through the Arrow PyCapsule interface."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from purewire.adapters.arrow import ArrowTable, Column
from purewire.primitives import ABSENT

INSTANT = datetime(2026, 1, 31, 12, 0, 0, 5000, tzinfo=UTC)
COLUMNS: dict[str, Column] = {
    "text": ("text", ["ä", None, ""]),
    "integer": ("integer", [2**53 + 1, None, 0]),
    "number": ("number", [1, None, 0.0]),
    "boolean": ("boolean", [True, None, False]),
    "date": ("date", ["2026-01-31", None, 0]),
    "instant": ("instant", [1_769_860_800_005, None, 0]),
    "duration": ("duration", [1_500, None, 0]),
}
VALUES: dict[str, list[Any]] = {
    "text": ["ä", None, ""],
    "integer": [2**53 + 1, None, 0],
    "number": [1.0, None, 0.0],
    "boolean": [True, None, False],
    "date": [date(2026, 1, 31), None, date(1970, 1, 1)],
    "instant": [INSTANT, None, datetime(1970, 1, 1, tzinfo=UTC)],
    "duration": [timedelta(seconds=1.5), None, timedelta()],
}
TABLE = ArrowTable(COLUMNS)


class TestLibraries:
    """Each makes its own frame; missing values are null, and zeros and empty texts stay."""

    def test_polars(self) -> None:
        frame = TABLE.to_polars()
        assert frame.equals(pl.DataFrame(TABLE))
        assert frame.to_dict(as_series=False) == VALUES
        assert dict(frame.schema) == {
            "text": pl.String(),
            "integer": pl.Int64(),
            "number": pl.Float64(),
            "boolean": pl.Boolean(),
            "date": pl.Date(),
            "instant": pl.Datetime("ms", "UTC"),
            "duration": pl.Duration("ms"),
        }

    def test_pyarrow(self) -> None:
        table = pa.table(TABLE)
        assert table.to_pydict() == VALUES
        assert table.schema == pa.schema(
            {
                "text": pa.string(),
                "integer": pa.int64(),
                "number": pa.float64(),
                "boolean": pa.bool_(),
                "date": pa.date32(),
                "instant": pa.timestamp("ms", "UTC"),
                "duration": pa.duration("ms"),
            }
        )
        assert pa.schema(TABLE) == table.schema

    def test_pandas(self) -> None:
        frame = pd.DataFrame.from_arrow(TABLE)
        assert list(frame.columns) == list(VALUES)
        for name, values in VALUES.items():
            assert frame[name].isna().to_list() == [value is None for value in values]
            assert frame[name].to_list()[::2] == values[::2] or name == "integer"
        assert str(frame["instant"].dtype) == "datetime64[ms, UTC]"
        assert str(frame["duration"].dtype) == "timedelta64[ms]"

    def test_pandas_with_arrow_types_keeps_integers(self) -> None:
        frame = TABLE.to_pandas()
        assert str(frame["instant"].dtype) == "timestamp[ms, tz=UTC][pyarrow]"
        assert str(frame["integer"].dtype) == "int64[pyarrow]"
        assert frame["integer"][0] == 2**53 + 1
        assert frame["integer"].isna().to_list() == [False, True, False]

    def test_it_can_be_read_again(self) -> None:
        assert pl.DataFrame(TABLE).equals(pl.DataFrame(TABLE))

    def test_a_requested_schema_is_left_to_the_library(self) -> None:
        asked = pa.schema({"integer": pa.float64()})
        table = ArrowTable({"integer": ("integer", [1, None])})
        assert pa.table(table, schema=asked).to_pydict() == {"integer": [1, None]}


class TestTables:
    def test_it_names_its_columns_and_counts_its_rows(self) -> None:
        assert len(TABLE) == 3
        assert repr(ArrowTable({"a": ("text", []), "b": ("date", [])})) == (
            "<ArrowTable of 0 rows: a, b>"
        )

    def test_without_rows_the_types_stay(self) -> None:
        empty: dict[str, Column] = {name: (kind, []) for name, (kind, _) in COLUMNS.items()}
        frame = pl.DataFrame(ArrowTable(empty))
        assert frame.is_empty()
        assert frame.schema == pl.DataFrame(TABLE).schema

    def test_columns_are_equally_long(self) -> None:
        with pytest.raises(ValueError, match="differ in length"):
            ArrowTable({"a": ("text", ["x"]), "b": ("text", [])})

    def test_rows_become_columns(self) -> None:
        table = ArrowTable.of_rows({"a": "text", "b": "integer"}, [{"a": "x", "b": 1}, {"b": 2}])
        assert pa.table(table).to_pydict() == {"a": ["x", None], "b": [1, 2]}
        assert pa.table(ArrowTable.of_rows({"a": "text"}, [])).column_names == ["a"]

    def test_absent_is_null(self) -> None:
        assert pa.table(ArrowTable({"a": ("text", ["x", ABSENT])})).to_pydict() == {
            "a": ["x", None]
        }
