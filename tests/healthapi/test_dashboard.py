from healthapi.profile import load
from healthapi.resources import build_dashboard
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts import json_text
from support.healthapi.health_snapshots import snapshot_value

STAMP = "2026-01-31T12:00:00"
RHR = b"date,resting_heart_rate\n" + b"".join(
    b"20%02d-%02d-15,60\n20%02d-%02d-01,61\n" % (year, month, year, month)
    for year in range(10, 26)
    for month in range(1, 13)
)


class TestDashboard:
    def test_charts_have_the_last_rows_of_each_granularity(self) -> None:
        files = {SNAPSHOT_FILE: json_text.encode(snapshot_value()), "csv/fitbit_rhr.csv": RHR}
        charts = build_dashboard(load("anna", files, generated_at=STAMP))["charts"]
        lengths = {key: len(rows) for key, rows in charts.items()}
        assert lengths == {"daily": 90, "weekly": 16, "monthly": 12}
        assert charts["daily"][-1] == {"date": "2025-12-15", "rhr": 60}
        assert charts["monthly"][0]["period"] == "2025-01"
