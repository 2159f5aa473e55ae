from typing import Any

import pytest

from healthapi.person import (
    VITALS,
    VitalReading,
    alarms,
    badges,
    body_logs,
    device_name,
    vital_readings,
)
from support.healthapi.account_data import answered, snapshot_of


@pytest.mark.rule("HA-PERSON-12")
class TestBadges:
    def test_the_badges_count_before_those_of_the_profile(self) -> None:
        user = {"user": {"topBadges": [{"name": "Top"}]}}
        both = answered(badges={"badges": [{"name": "One"}]}, profile=user)
        assert badges(both) == [{"name": "One"}]
        assert badges(answered(profile=user)) == [{"name": "Top"}]

    def test_an_empty_list_falls_back_to_those_of_the_profile(self) -> None:
        user = {"user": {"topBadges": [{"name": "Top"}]}}
        assert badges(answered(badges={"badges": []}, profile=user)) == [{"name": "Top"}]
        assert badges(answered(badges={"badges": []})) == []
        assert badges(answered(badges={"badges": []}, profile={"user": {"topBadges": []}})) == []

    @pytest.mark.parametrize(
        "data", [None, {}, {"user": {}}, {"user": []}, {"user": {"topBadges": 7}}]
    )
    def test_without_either_badges_are_none(self, data: object) -> None:
        assert badges(answered(profile=data)) is None
        assert badges(None) is None


class TestAlarms:
    def test_alarms_come_with_the_name_of_their_device(self) -> None:
        data = [
            {"device_id": "7", "device_name": "Band", "alarms": [{"time": "06:30"}, None]},
            {"device_id": "8", "alarms": {"trackerAlarms": [{"time": "07:30"}]}},
            {"device_id": "7C:E9:D3:0A:4B:F1", "alarms": [{"time": "08:30"}]},
            {"device_id": "9", "alarms": 5},
            "Band",
        ]
        expected = [("Band", {"time": "06:30"}), ("8", {"time": "07:30"})]
        found = alarms(answered(device_alarms={"devices": data, "errors": []}))
        assert found == [*expected, (None, {"time": "08:30"})]
        assert alarms(answered(device_alarms=data)) == found

    def test_without_a_response_alarms_are_none(self) -> None:
        assert alarms(None) is None
        assert alarms(answered(device_alarms={})) is None
        assert alarms(answered(device_alarms=[])) == []


class TestDeviceName:
    """Invariant *no hardware address*: an id that looks like one is not shown."""

    def test_the_first_text_counts(self) -> None:
        assert device_name("Charge 6", "7") == "Charge 6"
        assert device_name(" ", "7") == "7"
        assert device_name(None, 7) is None

    @pytest.mark.parametrize("name", ["2048316077", "7C:E9:D3:0A:4B", "deadbeef"])
    def test_a_short_id_is_a_name(self, name: str) -> None:
        assert device_name(name, "7") == name

    @pytest.mark.parametrize(
        "address",
        ["7C:E9:D3:0A:4B:F1", "7c-e9-d3-0a-4b-f1", "7CE9.D30A.4BF2", "7ce9d30a4bf1", "00" * 8],
    )
    def test_a_hardware_address_is_no_name(self, address: str) -> None:
        assert device_name(address, "7") == "7"
        assert device_name(None, address) is None


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
