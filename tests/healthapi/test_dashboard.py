from hypothesis import given, settings

from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.catalog_keys import CARD_METRICS, CORRELATIONS, SECTIONS, TABLES
from healthapi.http.resources import build_dashboard, build_summary
from healthapi.profile import Profile, load
from healthapi.testing.strategies import profiles
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins
from support.healthapi.health_snapshots import snapshot_value

STAMP = "2026-01-31T12:00:00"
RHR = b"date,resting_heart_rate\n" + b"".join(
    b"20%02d-%02d-15,60\n20%02d-%02d-01,61\n" % (year, month, year, month)
    for year in range(10, 26)
    for month in range(1, 13)
)
FULL = load(
    "anna",
    {SNAPSHOT_FILE: codec.encode(snapshot_value()), "csv/fitbit_rhr.csv": RHR},
    generated_at=STAMP,
)
EMPTY = load("anna", {}, generated_at=STAMP)


class TestDashboard:
    def test_the_parts_are_in_order(self) -> None:
        for profile in (EMPTY, FULL):
            assert list(build_dashboard(profile)) == [
                "generated_at",
                "profile",
                "overview",
                "coverage",
                "stats",
                "correlations",
                "data_catalog",
                "charts",
                "sections",
                "tables",
                "snapshot_status",
            ]

    def test_charts_have_the_last_rows_of_each_granularity(self) -> None:
        charts = build_dashboard(FULL)["charts"]
        assert {key: len(rows) for key, rows in charts.items()} == {
            "daily": 90,
            "weekly": 16,
            "monthly": 12,
        }
        assert charts["daily"][-1] == {"date": "2025-12-15", "rhr": 60}
        assert charts["monthly"][0]["period"] == "2025-01"

    def test_an_empty_profile_has_every_key(self) -> None:
        plain = build_dashboard(EMPTY)
        assert plain["charts"] == {"daily": [], "weekly": [], "monthly": []}
        assert [card["key"] for card in plain["stats"]] == list(CARD_METRICS)
        assert len(plain["correlations"]) == len(CORRELATIONS)
        assert [section["section"] for section in plain["sections"]] == list(SECTIONS)
        assert [table["table"] for table in plain["tables"]] == list(TABLES)

    @settings(max_examples=20)
    @given(profiles(10))
    def test_each_part_equals_its_resource(self, profile: Profile) -> None:
        """Invariant *dashboard of resources*."""
        plain = build_dashboard(profile)
        assert plain["generated_at"] == profile.generated_at
        assert plain["data_catalog"] == to_builtins(profile.catalog)
        assert plain["stats"] == [to_builtins(card) for card in profile.cards]
        assert plain["tables"] == [table.plain() for table in profile.tables]
        assert codec.decode(codec.encode(plain)) == plain


class TestSummary:
    def test_a_summary_has_five_parts_of_the_dashboard(self) -> None:
        plain = build_summary(FULL)
        assert list(plain) == [
            "profile",
            "overview",
            "coverage",
            "data_catalog",
            "snapshot_status",
        ]
        whole = build_dashboard(FULL)
        assert plain == {name: whole[name] for name in plain}
