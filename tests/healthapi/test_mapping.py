"""Column mappings and their validation."""

from typing import Any

import attrs
import pytest

from healthapi.models import SleepLog
from healthapi.rows.mapping import NATIVE, ROW_OF, Column, ProfileMap, TableMap


def table(*columns: Column, dataset: Any = "activity") -> TableMap:
    return TableMap(dataset, "a.csv", "date", columns)


class TestColumn:
    @pytest.mark.parametrize(
        ("terms", "constant"), [((), None), ((("a", 1.0),), True), ((("a", 1.0),), False)]
    )
    def test_it_has_either_terms_or_a_constant(self, terms: Any, constant: bool | None) -> None:
        with pytest.raises(ValueError, match="either terms or a constant"):
            Column("steps", terms, constant)

    @pytest.mark.parametrize("rest", [{"constant": 1}, {"terms": (("a", 1.0), ("b", 1.0))}])
    def test_not_measured_needs_one_term(self, rest: Any) -> None:
        with pytest.raises(ValueError, match="exactly one term"):
            Column("steps", **rest, not_measured=0)


class TestTableMap:
    @pytest.mark.parametrize("field", ["hrv", "date", "", "Steps"])
    def test_a_column_is_a_member_of_the_rows(self, field: str) -> None:
        with pytest.raises(ValueError, match="not a member"):
            table(Column.of(field, "x"))

    def test_a_member_has_one_column(self) -> None:
        with pytest.raises(ValueError, match="two columns"):
            table(Column.of("steps", "a"), Column.of("steps", "b"))

    @pytest.mark.parametrize("terms", [(("a", 2.0),), (("a", 1.0), ("b", 1.0))])
    def test_text_and_booleans_are_not_computed(self, terms: Any) -> None:
        with pytest.raises(ValueError, match="only columns of numbers"):
            table(Column("exercise_examples", terms))
        with pytest.raises(ValueError, match="only columns of numbers"):
            table(Column("is_main_sleep", terms), dataset="sleep")

    def test_not_measured_needs_a_column_of_numbers(self) -> None:
        with pytest.raises(ValueError, match="only columns of numbers"):
            table(Column("exercise_examples", (("a", 1.0),), not_measured=0))
        with pytest.raises(ValueError, match="only columns of booleans"):
            table(Column("steps", (("a", 1.0),), true_when=("x",)))

    def test_cell_types_are_those_of_the_row_class(self) -> None:
        sleep = table(dataset="sleep")
        assert {field.name: sleep.cell_types[field.name] for field in attrs.fields(SleepLog)} == {
            "date": "text",
            "log_id": "text",
            "is_main_sleep": "boolean",
            "duration": "integer",
            "minutes_asleep": "integer",
            "minutes_awake": "integer",
            "time_in_bed": "integer",
            "efficiency": "integer",
            "sleep_score": "decimal",
            "minutes_deep": "integer",
            "minutes_rem": "integer",
            "minutes_light": "integer",
            "minutes_wake_stages": "integer",
            "minutes_to_fall_asleep": "integer",
            "minutes_after_wakeup": "integer",
            "start_time": "text",
            "end_time": "text",
        }


def test_a_map_is_short_in_print() -> None:
    assert repr(NATIVE.sleep).startswith("<TableMap of sleep: ")
    assert len(repr(NATIVE.sleep)) < 100


class TestProfileMap:
    def test_a_file_may_be_missing(self) -> None:
        assert ProfileMap().sleep is None

    def test_a_table_belongs_to_its_attribute(self) -> None:
        with pytest.raises(ValueError, match="not of the dataset"):
            ProfileMap(hrv=table())


class TestMaps:
    @pytest.mark.parametrize("dataset", ROW_OF)
    def test_the_native_map_fills_every_member(self, dataset: str) -> None:
        native: TableMap = getattr(NATIVE, dataset)
        fields = [field.name for field in attrs.fields(ROW_OF[native.dataset])]
        assert ["date", *(column.field for column in native.columns)] == fields
        assert native.file == f"fitbit_{dataset}.csv"
