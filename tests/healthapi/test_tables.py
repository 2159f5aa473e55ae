from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from healthapi.keys import TABLES
from healthapi.models import ActivityRow, DailyRow, SleepRow
from healthapi.rows.rows import Rows
from healthapi.snapshot import Snapshot
from healthapi.views.tables import Table, build_tables
from support.healthapi.account_data import answered, snapshot_of, whole_snapshot
from support.healthapi.daily_rows import daily_of, rows_of

Found = list[dict[str, Any]]

ADDRESSES = ("7C:E9:D3:0A:4B:F1", "7CE9D30A4BF2")


def night(day: str, **members: Any) -> SleepRow:
    logged = [field.name for field in attrs.fields(SleepRow) if field.default is attrs.NOTHING]
    blank: dict[str, Any] = dict.fromkeys(logged)
    return SleepRow(**blank | {"date": day, "is_main_sleep": True, "nap_count": 0} | members)


def every_table(
    sleep: Sequence[SleepRow] = (),
    activity: Sequence[ActivityRow] = (),
    daily: Rows[DailyRow] | None = None,
    snapshot: Snapshot | None = None,
) -> dict[str, Table]:
    found = build_tables(
        rows_of(SleepRow, sleep),
        rows_of(ActivityRow, activity),
        daily_of() if daily is None else daily,
        snapshot,
    )
    return {table.key: table for table in found}


def table_of(key: str, snapshot: Snapshot | None) -> Found:
    return list(every_table(snapshot=snapshot)[key].rows)


def days(count: int) -> list[str]:
    return [f"2026-01-{day:02}" for day in range(1, count + 1)]


class TestTables:
    def test_the_ten_tables_are_in_order(self) -> None:
        assert {table.key: table.label for table in every_table().values()} == TABLES
        assert list(every_table()) == list(TABLES)

    def test_without_data_only_the_vital_signs_have_rows(self) -> None:
        counts = {key: len(table) for key, table in every_table().items()}
        assert counts == dict.fromkeys(TABLES, 0) | {"vitals": 3}

    def test_rows_have_exactly_the_columns_and_flat_cells(self) -> None:
        """Invariant *flat rows*."""
        found = every_table(
            [night("2026-01-01")],
            [ActivityRow("2026-01-01")],
            daily_of(hrv=[40.5]),
            whole_snapshot(),
        )
        for table in found.values():
            assert table.rows
            for row in table.rows:
                assert tuple(row) == table.columns
                assert {type(cell) for cell in row.values()} <= {str, int, float, bool, type(None)}

    def test_a_table_is_published_page_by_page(self) -> None:
        table = every_table(snapshot=whole_snapshot())["devices"]
        assert table.plain(1, 5) == {
            "table": "devices",
            "label": "Devices",
            "columns": list(table.columns),
            "rows": [table.rows[1]],
        }
        assert table.plain()["rows"] == list(table.rows)


class TestBody:
    def test_the_last_logs_of_both_kinds_are_shown_newest_first(self) -> None:
        weights = [{"date": day, "weight": index} for index, day in enumerate(days(10))]
        fats = [{"date": day, "fat": index} for index, day in enumerate(days(10))]
        found = table_of(
            "body", answered(weight_log_recent={"weight": weights}, fat_log_recent={"fat": fats})
        )
        assert [(row["date"], row["type"]) for row in found] == [
            (day, kind) for day in days(10)[:3:-1] for kind in ("weight", "fat")
        ]

    def test_of_each_kind_there_are_eight_at_most(self) -> None:
        weights = [{"date": day, "weight": index} for index, day in enumerate(days(20))]
        found = table_of("body", answered(weight_log_recent={"weight": weights}))
        assert [row["value"] for row in found] == list(range(19, 11, -1))

    def test_a_row_has_a_label_and_a_detail(self) -> None:
        weights = {"weight": [{"date": "2026-01-31", "weight": 64.66, "bmi": 21.97}]}
        fats = {"fat": [{"date": "2026-01-30", "fat": "24.24", "source": "Aria"}, {}]}
        found = table_of("body", answered(weight_log_recent=weights, fat_log_recent=fats))
        assert [tuple(row.values()) for row in found] == [
            ("2026-01-31", "weight", "Weight", 64.7, "kg", "BMI 22.0"),
            ("2026-01-30", "fat", "Body fat", 24.2, "%", "Aria"),
            (None, "fat", "Body fat", None, "%", None),
        ]


class TestVitals:
    def test_the_three_signs_are_always_shown(self) -> None:
        assert [tuple(row.values()) for row in table_of("vitals", whole_snapshot())] == [
            ("2026-01-31", "spo2", "SpO2", 96.2, "%", "92 to 99"),
            ("2026-01-31", "breathing_rate", "Breathing rate", 14.3, "breaths/min", None),
            ("2026-01-31", "skin_temperature", "Skin temperature", -0.4, "°C", None),
        ]
        assert {row["value"] for row in table_of("vitals", None)} == {None}


class TestFoods:
    def test_the_first_twelve_are_shown_in_their_order(self) -> None:
        foods = [{"name": f"Food {number}"} for number in range(15)]
        found = table_of("foods", answered(recent_foods=foods))
        assert [row["name"] for row in found] == [f"Food {number}" for number in range(12)]

    @pytest.mark.parametrize(
        ("food", "amount"),
        [
            ({"amount": 1, "unit": {"name": "cup", "plural": "cups"}}, "1 cup"),
            ({"amount": 2.5, "unit": {"name": "cup", "plural": "cups"}}, "2.5 cups"),
            ({"amount": 2, "unit": {"name": "g"}}, "2 g"),
            ({"amount": "2.0", "unit": "ml"}, "2 ml"),
            ({"amount": 3}, "3"),
            ({"amount": "a pinch"}, "a pinch"),
            ({"unit": {"name": "cup"}}, None),
        ],
    )
    def test_the_amount_is_text(self, food: dict[str, Any], amount: str | None) -> None:
        assert table_of("foods", answered(recent_foods=[food]))[0]["amount"] == amount

    def test_a_food_may_be_named_in_three_ways(self) -> None:
        foods = [
            {"name": " ", "foodName": "Oats", "brand": "", "calories": 310.4},
            {"description": "Tea", "dateLastEaten": "2026-01-31"},
        ]
        found = table_of("foods", answered(recent_foods={"foods": foods}))
        assert [tuple(row.values()) for row in found] == [
            ("Oats", None, 310, None, None),
            ("Tea", None, None, None, "2026-01-31"),
        ]


class TestDevices:
    def test_devices_are_shown_with_keys_and_labels(self) -> None:
        assert [tuple(row.values()) for row in table_of("devices", whole_snapshot())] == [
            ("Charge 6", "tracker", "Tracker", "High", "2026-01-31T08:02:11.000", "Charge 6"),
            ("Aria Air", "scale", "Scale", "Medium", "2026-01-30T06:58:40.000", "Aria Air"),
        ]

    def test_no_hardware_address_is_shown(self) -> None:
        """Decisions on privacy: a device without a name shows its id, unless that is an address."""
        given = [{"id": "7", "mac": ADDRESSES[0]}, {"id": ADDRESSES[1]}, {"mac": ADDRESSES[0]}]
        found = table_of("devices", answered(devices=given))
        assert [row["device"] for row in found] == ["7", None, None]
        assert not any(address in str(found) for address in ADDRESSES)
        assert {row["status"] for row in found} == {None}


class TestBadges:
    def test_the_first_twelve_are_shown_in_their_order(self) -> None:
        badges = [{"shortName": f"Badge {number}"} for number in range(15)]
        found = table_of("badges", answered(badges=badges))
        assert [row["name"] for row in found] == [f"Badge {number}" for number in range(12)]

    def test_a_badge_has_its_value_and_its_date(self) -> None:
        badge = table_of("badges", whole_snapshot())[0]
        assert tuple(badge.values()) == ("Boat Shoe", "Daily Steps", 5000, "2023-02-11")


class TestAlarms:
    def test_alarms_are_switched_by_a_boolean(self) -> None:
        """Invariant *keys and labels*."""
        weekdays = "Monday, Tuesday, Wednesday, Thursday, Friday"
        assert [tuple(row.values()) for row in table_of("alarms", whole_snapshot())] == [
            ("Charge 6", "06:30+01:00", True, "on", True, weekdays),
            ("Charge 6", "21:00+01:00", False, "off", False, None),
        ]


class TestEndpoints:
    def test_entries_are_sorted_by_key(self) -> None:
        found = table_of("endpoints", whole_snapshot())
        assert [row["endpoint"] for row in found] == sorted(whole_snapshot().endpoints)

    def test_the_status_is_a_key_and_the_label_has_details(self) -> None:
        entries = {
            "a": {"ok": True, "status": 200, "group": "BODY_AND_MORE", "label": "Alpha"},
            "b": {"reason": "missing_scope:sleep", "scope": "sleep"},
            "c": {"reason": "missing_scope:"},
            "d": {"skipped": True},
            "e": {"status": 429, "fetched_at": "2026-01-31T08:15:21"},
            "f": {},
        }
        found = table_of("endpoints", snapshot_of(entries))
        assert [tuple(row.values()) for row in found] == [
            ("Alpha", "a", "body_and_more", "Body and more", None, "cached", "cached", 200, None),
            ("b", "b", None, None, "sleep", "missing_scope", "missing scope sleep", None, None),
            ("c", "c", None, None, None, "missing_scope", "missing scope", None, None),
            ("d", "d", None, None, None, "skipped", "skipped", None, None),
            ("e", "e", None, None, None, "failed", "failed (429)", 429, "2026-01-31T08:15:21"),
            ("f", "f", None, None, None, "failed", "failed", None, None),
        ]
