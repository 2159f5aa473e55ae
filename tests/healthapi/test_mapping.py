"""Column mappings in Python; `test_column_mapping` has those of files."""

import attrs
import pytest

from healthapi.rows.mapping import (
    NATIVE,
    ROW_OF,
    Column,
    FileDataset,
    ProfileMap,
    TableMap,
    cell_types,
)
from status_contracts.structuring.decoder import SettingsError


def test_cell_types_are_those_of_the_row_class() -> None:
    assert cell_types("sleep") == {
        "log_id": "text",
        "is_main_sleep": "boolean",
        **dict.fromkeys(("duration", "minutes_asleep", "minutes_awake"), "integer"),
        **dict.fromkeys(("time_in_bed", "efficiency", "minutes_deep", "minutes_rem"), "integer"),
        **dict.fromkeys(("minutes_light", "minutes_wake_stages"), "integer"),
        **dict.fromkeys(("minutes_to_fall_asleep", "minutes_after_wakeup"), "integer"),
        "sleep_score": "decimal",
        **dict.fromkeys(("start_time", "end_time"), "text"),
    }


def test_a_mapping_with_problems_is_not_built() -> None:
    with pytest.raises(SettingsError) as refused:
        ProfileMap(hrv=TableMap("a.csv", {"hrv": Column("a"), "rhr": Column("b")}))
    assert [finding.path for finding in refused.value.findings] == ["/hrv/columns/rhr"]
    assert "there are deep_rmssd, hrv" in str(refused.value)


def test_a_map_is_short_in_print() -> None:
    assert repr(NATIVE) == "<ProfileMap of activity, sleep, hrv, rhr>"


@pytest.mark.parametrize("dataset", ROW_OF)
def test_the_native_map_fills_every_member(dataset: FileDataset) -> None:
    native = NATIVE.tables[dataset]
    fields = [field.name for field in attrs.fields(ROW_OF[dataset])]
    assert ["date", *native.columns] == fields
    assert native.file == f"fitbit_{dataset}.csv"
