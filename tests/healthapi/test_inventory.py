import pytest

from healthapi.account.records import alarms, badges, device_name, devices
from support.healthapi.account_data import answered


class TestDevices:
    def test_devices_keep_the_order_of_the_account(self) -> None:
        assert devices(answered(devices=[{"id": "1"}, 7])) == [{"id": "1"}, 7]

    def test_without_a_response_devices_are_none(self) -> None:
        assert devices(None) is None
        assert devices(answered()) is None
        assert devices(answered(devices=[])) == []


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
        assert found is not None
        assert found[:2] == expected
        assert found[2][1] == {"time": "08:30"}
        assert len(found) == 3
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

    @pytest.mark.parametrize("address", ["7C:E9:D3:0A:4B:F1", "7ce9d30a4bf1"])
    def test_a_hardware_address_is_no_name(self, address: str) -> None:
        assert device_name(address, "7") == "7"
        assert device_name(None, address) is None
