"""Zones by name, local time and calendar days; invariant *a name is never a path*."""

import importlib.resources
import os
import subprocess
import sys
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitedata.adapters.git_commits import days_in
from status_contracts.adapters.zones import find_zone, local_text

ZONES = importlib.resources.files("tzdata").joinpath("zones").read_text("utf-8").split()
HOSTILE = [
    *("", ":", "../../etc/passwd", ":/etc/localtime", "Europe/../Europe/Berlin"),
    *("Europe/Berlin\x00", "Europe\\Berlin", "Europe", "localtime", "right/Europe/Berlin"),
    *("zone.tab", "europe/berlin", "CET-1CEST,M3.5.0,M10.5.0/3", "\ud800"),
    "A" * 10_000,
]


@pytest.fixture(autouse=True, scope="module")
def _no_zones_of_the_machine() -> Iterator[None]:
    """Compare with the zones of `tzdata`, whose version may differ from that of the machine."""
    zoneinfo.reset_tzpath(to=())
    ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()
    ZoneInfo.clear_cache()


class TestFindZone:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_an_unknown_name_is_none_and_its_time_that_of_utc(self, name: str) -> None:
        assert find_zone(name) is None
        assert local_text(0, name) == local_text(0, None) == "1970-01-01T00:00:00"

    def test_all_zones_are_found(self) -> None:
        assert len(ZONES) > 400
        moment = datetime(2026, 7, 1, 12, tzinfo=UTC)
        other = [
            name
            for name in ZONES
            if moment.astimezone(find_zone(name)).utcoffset()
            != moment.astimezone(ZoneInfo(name)).utcoffset()
        ]
        assert other == []


class TestLocalText:
    @pytest.mark.parametrize(
        ("instant", "zone", "text"),
        [
            (0, None, "1970-01-01T00:00:00"),
            (-1, "UTC", "1969-12-31T23:59:59"),
            (1_769_860_799_999, "Europe/Berlin", "2026-01-31T12:59:59"),
            (1_782_907_200_000, "Europe/Berlin", "2026-07-01T14:00:00"),
            (1_782_907_200_000, "Pacific/Chatham", "2026-07-02T00:45:00"),
            (2_210_155_200_000, "Europe/Berlin", "2040-01-14T13:00:00"),
            (2_210_155_200_000, "Australia/Lord_Howe", "2040-01-14T23:00:00"),
            (253_402_300_799_999, "UTC", "9999-12-31T23:59:59"),
            (253_402_300_800_000, None, "9999-12-31T23:59:59"),
            (253_402_300_799_000, "Asia/Kolkata", "9999-12-31T23:59:59"),
            (-62_135_596_800_000, "America/New_York", "0001-01-01T00:00:00"),
            (-(10**16), "UTC", "0001-01-01T00:00:00"),
        ],
    )
    def test_an_instant_is_formatted_as_local_time(
        self, instant: int, zone: str | None, text: str
    ) -> None:
        assert local_text(instant, zone) == text


class TestZonesOfTheMachine:
    """Invariant *the same on every machine*."""

    def test_their_files_change_nothing(self, tmp_path: Path) -> None:
        tokyo = importlib.resources.files("tzdata").joinpath("zoneinfo/Asia/Tokyo").read_bytes()
        (tmp_path / "Europe").mkdir()
        (tmp_path / "Europe" / "Berlin").write_bytes(tokyo)
        program = (
            "from status_contracts.adapters.zones import local_text\n"
            "print(local_text(2_225_880_000_000, 'Europe/Berlin'))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONTZPATH": str(tmp_path), "TZ": "Asia/Tokyo"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "2040-07-14T14:00:00\n"


class TestDaysIn:
    @given(st.sampled_from(ZONES), st.integers(0, 4_102_444_800))
    def test_the_day_agrees_with_zoneinfo(self, zone: str, seconds: int) -> None:
        local = datetime.fromtimestamp(seconds, UTC).astimezone(ZoneInfo(zone))
        assert days_in(zone)(seconds) == local.date().isoformat()

    @pytest.mark.parametrize(
        ("zone", "day"),
        [("+09:00", "1970-01-02"), ("-03:30", "1970-01-01"), ("+14:00", "1970-01-02")],
    )
    def test_an_offset_is_a_zone(self, zone: str, day: str) -> None:
        assert days_in(zone)(15 * 3600) == day
        assert days_in(zone)(-1) == ("1969-12-31" if zone[0] == "-" else "1970-01-01")

    @pytest.mark.parametrize("name", [*HOSTILE, "+9:00", "+09:60", "09:00", "+24:00"])
    def test_an_unknown_zone_is_rejected(self, name: str) -> None:
        with pytest.raises(LookupError):
            days_in(name)

    def test_a_time_after_the_calendar_is_rejected(self) -> None:
        with pytest.raises((OverflowError, ValueError)):
            days_in("Asia/Shanghai")(1 << 40)
