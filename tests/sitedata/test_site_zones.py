"""The day of a moment in a time zone."""

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitedata.adapters.zones import days_in


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


class TestDaysIn:
    @pytest.mark.parametrize(
        ("zone", "moment", "day"),
        [
            ("UTC", "1970-01-01T00:00:00Z", "1970-01-01"),
            ("UTC", "2026-01-31T23:59:59Z", "2026-01-31"),
            ("Asia/Shanghai", "2026-01-31T16:00:00Z", "2026-02-01"),
            ("America/New_York", "2026-03-01T04:59:59Z", "2026-02-28"),
            ("Asia/Kathmandu", "2026-01-31T18:14:59Z", "2026-01-31"),
            ("Asia/Kathmandu", "2026-01-31T18:15:00Z", "2026-02-01"),
        ],
    )
    def test_a_day_begins_at_midnight_of_the_zone(self, zone: str, moment: str, day: str) -> None:
        assert days_in(zone)(at(moment)) == day

    def test_summer_time_begins_within_a_day(self) -> None:
        day_of = days_in("Europe/Berlin")
        assert day_of(at("2026-03-28T22:59:59Z")) == "2026-03-28"
        assert day_of(at("2026-03-28T23:00:00Z")) == "2026-03-29"
        assert day_of(at("2026-03-29T21:59:59Z")) == "2026-03-29"
        assert day_of(at("2026-03-29T22:00:00Z")) == "2026-03-30"

    def test_a_day_that_a_zone_left_out_is_never_told(self) -> None:
        day_of = days_in("Pacific/Apia")
        around = {day_of(at("2011-12-29T00:00:00Z") + hour * 3600) for hour in range(96)}
        assert "2011-12-30" not in around
        assert {"2011-12-29", "2011-12-31"} < around

    @pytest.mark.parametrize(
        "zone", ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Cairo"]
    )
    @given(st.integers(946_684_800, 2_082_758_400))
    def test_any_moment_has_the_day_that_another_implementation_gives(
        self, zone: str, seconds: int
    ) -> None:
        local = datetime.fromtimestamp(seconds, UTC).astimezone(ZoneInfo(zone))
        assert days_in(zone)(seconds) == local.date().isoformat()

    @pytest.mark.parametrize(
        "name",
        ["", "Nowhere/Else", "utc", "../../etc/passwd", "/etc/localtime", "localtime", "posixrules",
         "UTC+3", "Europe/Berlin\n", "Europe", "right/UTC", "UTC\0", "Ä"],
    )  # fmt: skip
    def test_what_is_no_zone_is_refused(self, name: str) -> None:
        with pytest.raises(LookupError):
            days_in(name)

    def test_a_moment_after_the_calendar_is_refused(self) -> None:
        with pytest.raises((OverflowError, ValueError)):
            days_in("Asia/Shanghai")(1 << 40)

    def test_a_long_history_is_quick(self) -> None:
        day_of = days_in("America/New_York")
        start = time.process_time()
        for moment in range(1_200_000_000, 1_800_000_000, 12_000):
            day_of(moment)
        assert time.process_time() - start < 2
