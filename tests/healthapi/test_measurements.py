from typing import Any

import pytest

from healthapi.account.records import VITALS, VitalReading, body_logs, vital_readings
from support.healthapi.account_data import answered, snapshot_of


def spo2(records: Any) -> VitalReading:
    return vital_readings(answered(spo2_recent=records))[0]


class TestVitalReadings:
    """Invariant *always three*: there is a reading for each vital sign."""

    def test_without_a_snapshot_no_reading_has_a_value(self) -> None:
        assert vital_readings(None) == tuple(map(VitalReading, VITALS))

    def test_each_sign_is_read_from_its_own_list(self) -> None:
        snapshot = answered(
            spo2_recent=[{"dateTime": "2026-01-31", "value": {"avg": 96.1, "min": 92, "max": 99}}],
            breathing_rate_recent={
                "br": [{"dateTime": "2026-01-30", "value": {"breathingRate": 14.2}}]
            },
            skin_temperature_recent={
                "tempSkin": [{"dateTime": "2026-01-29", "value": {"nightlyRelative": -0.4}}]
            },
        )
        assert [(each.date, each.value, each.detail) for each in vital_readings(snapshot)] == [
            ("2026-01-31", 96.1, "92 to 99"),
            ("2026-01-30", 14.2, None),
            ("2026-01-29", -0.4, None),
        ]

    def test_the_latest_date_counts_in_any_order(self) -> None:
        found = spo2(
            [
                {"dateTime": "2026-01-30", "value": {"avg": 95}},
                {"dateTime": "2026-01-31", "value": {"avg": 96}},
                {"dateTime": "2026-01-29", "value": {"avg": 97}},
                {"value": {"avg": 98}},
            ]
        )
        assert (found.date, found.value) == ("2026-01-31", 96)

    def test_of_one_date_the_last_record_counts(self) -> None:
        records = [{"date": "2026-01-31", "value": {"avg": avg}} for avg in (95, 96)]
        assert spo2(records).value == 96

    def test_the_value_of_the_name_counts_before_other_numbers(self) -> None:
        assert spo2([{"value": {"min": 92, "avg": 96}}]).value == 96
        assert spo2([{"avg": 96, "value": {"min": 92}}]).value == 96

    def test_without_the_name_the_first_number_counts(self) -> None:
        assert spo2([{"dateTime": "2026-01-31", "value": {"mean": 95.5, "n": 9}}]).value == 95.5

    @pytest.mark.parametrize("data", [None, {}, [], "96", [96], {"spo2": {"avg": 96}}])
    def test_other_data_are_no_reading(self, data: object) -> None:
        assert spo2(data) == VitalReading(VITALS[0])

    @pytest.mark.parametrize("ok", [{"ok": False}, {"ok": None}, {}])
    def test_the_data_of_an_endpoint_count_whatever_its_ok(self, ok: dict[str, object]) -> None:
        record = {"dateTime": "2026-01-31", "value": {"avg": 96}}
        snapshot = snapshot_of({"spo2_recent": {**ok, "data": [record]}})
        assert vital_readings(snapshot)[0] == VitalReading(VITALS[0], "2026-01-31", 96)


class TestBodyLogs:
    def test_logs_ascend_by_day_and_time(self) -> None:
        logs = [
            {"date": "2026-01-31", "time": "07:00:00", "weight": 3},
            {"date": "2026-01-30", "weight": 1},
            {"date": "2026-01-31", "time": "06:00:00", "weight": 2},
            {"weight": 0},
            "64.2",
        ]
        found = body_logs(answered(weight_log_recent={"weight": logs}), "weight")
        assert [log["weight"] for log in found] == [0, 1, 2, 3]

    def test_each_kind_has_its_own_endpoint(self) -> None:
        snapshot = answered(fat_log_recent={"fat": [{"fat": 22}]})
        assert body_logs(snapshot, "fat") == [{"fat": 22}]
        assert body_logs(snapshot, "weight") == []

    def test_without_a_snapshot_there_are_none(self) -> None:
        assert body_logs(None, "weight") == []
