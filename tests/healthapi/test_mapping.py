"""Column mappings in Python; `test_column_mapping` has those of files."""

import attrs
import pytest

from healthapi.rows.mapping import NATIVE, ROW_OF, Column, FileDataset, ProfileMap, TableMap
from status_contracts.structuring.decoder import SettingsError


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
