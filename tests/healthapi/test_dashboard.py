from hypothesis import given

from healthapi.profile import Profile, load
from healthapi.resources import build_dashboard
from healthapi.snapshot import SNAPSHOT_FILE
from healthapi.strategies import profiles
from status_contracts import json_text as codec
from status_contracts.structuring.converter import unstructure
from support.healthapi.health_snapshots import snapshot_value

STAMP = "2026-01-31T12:00:00"
RHR = b"date,resting_heart_rate\n" + b"".join(
    b"20%02d-%02d-15,60\n20%02d-%02d-01,61\n" % (year, month, year, month)
    for year in range(10, 26)
    for month in range(1, 13)
)


class TestDashboard:
    def test_charts_have_the_last_rows_of_each_granularity(self) -> None:
        files = {SNAPSHOT_FILE: codec.encode(snapshot_value()), "csv/fitbit_rhr.csv": RHR}
        charts = build_dashboard(load("anna", files, generated_at=STAMP))["charts"]
        assert {key: len(rows) for key, rows in charts.items()} == {
            "daily": 90,
            "weekly": 16,
            "monthly": 12,
        }
        assert charts["daily"][-1] == {"date": "2025-12-15", "rhr": 60}
        assert charts["monthly"][0]["period"] == "2025-01"

    @given(profiles(10))
    def test_each_part_equals_its_resource(self, profile: Profile) -> None:
        """Invariant *dashboard of resources*."""
        plain = build_dashboard(profile)
        assert plain["generated_at"] == profile.generated_at
        assert plain["data_catalog"] == unstructure(profile.catalog)
        assert plain["stats"] == [unstructure(card) for card in profile.cards]
        assert plain["tables"] == [table.plain() for table in profile.tables]
        assert codec.decode(codec.encode(plain)) == plain
