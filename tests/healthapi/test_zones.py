"""Invariant *a name is never a path*; local time, exact to the second."""

import importlib.resources
import os
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healthapi.adapters.zones import local_text, zone_of

ZONES = importlib.resources.files("tzdata").joinpath("zones").read_text("utf-8").split()
HOSTILE = [
    "",
    ":",
    " ",
    "/etc/passwd",
    "../..",
    "../../etc/passwd",
    ":..",
    ":/etc/localtime",
    "Europe/../Europe/Berlin",
    "Europe/Berlin\n",
    "Europe/Berlin\x00",
    "Europe//Berlin",
    "Europe\\Berlin",
    "/Europe/Berlin",
    "Europe",
    "Europe/",
    "localtime",
    "posixrules",
    "right/Europe/Berlin",
    "zone.tab",
    "europe/berlin",
    "UTC0",
    "A5",
    "CET-1CEST,M3.5.0,M10.5.0/3",
    "No/Where",
    "Ｅurope/Berlin",
    "\ud800",
    "A" * 10_000,
    "A/" * 5_000,
]
INSTANTS = st.integers(0, 4_102_444_800_000)


class TestZoneOf:
    @pytest.mark.parametrize("name", [None, *HOSTILE])
    def test_whatever_is_no_name_of_a_zone_is_utc(self, name: str | None) -> None:
        assert zone_of(name) is UTC

    def test_hostile_names_open_no_file_but_of_the_zone_database(
        self, tmp_path: os.PathLike[str]
    ) -> None:
        planted = os.path.relpath(tmp_path, "/usr/share/zoneinfo")
        assert zone_of(planted) is UTC
        assert zone_of(f"Europe/../{planted}") is UTC

    def test_the_environment_says_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TZ", "Asia/Tokyo")
        assert zone_of("") is UTC

    def test_there_are_all_zones(self) -> None:
        assert len(ZONES) > 400
        moment = datetime(2026, 7, 1, 12, tzinfo=UTC)
        other = [
            name
            for name in ZONES
            if moment.astimezone(zone_of(name)).utcoffset()
            != moment.astimezone(ZoneInfo(name)).utcoffset()
        ]
        assert other == []


class TestLocalText:
    @pytest.mark.parametrize(
        ("instant", "zone", "text"),
        [
            (0, None, "1970-01-01T00:00:00"),
            (999, "UTC", "1970-01-01T00:00:00"),
            (-1, "UTC", "1969-12-31T23:59:59"),
            (1_769_860_799_999, "Europe/Berlin", "2026-01-31T12:59:59"),
            (1_782_907_200_000, "Europe/Berlin", "2026-07-01T14:00:00"),
            (1_782_907_200_000, "Asia/Kolkata", "2026-07-01T17:30:00"),
            (1_782_907_200_000, "Pacific/Chatham", "2026-07-02T00:45:00"),
            (2_540_289_600_000, "America/New_York", "2050-07-01T08:00:00"),
            (253_402_300_799_999, "UTC", "9999-12-31T23:59:59"),
        ],
    )
    def test_an_instant_as_it_is_read_on_the_wall(
        self, instant: int, zone: str | None, text: str
    ) -> None:
        assert local_text(instant, zone) == text

    def test_an_hour_that_happens_twice_reads_the_same_twice(self) -> None:
        hour = 3_600_000
        first = 1_792_890_000_000  # 2026-10-25T01:00:00Z, summer time ends in Berlin
        texts = [local_text(first + shift * hour, "Europe/Berlin") for shift in (-1, 0)]
        assert texts == ["2026-10-25T02:00:00"] * 2

    def test_after_the_year_9999_there_is_none(self) -> None:
        with pytest.raises(OverflowError):
            local_text(253_402_300_800_000, None)

    @given(INSTANTS, st.sampled_from(ZONES))
    def test_as_the_standard_library_has_it(self, instant: int, zone: str) -> None:
        moment = datetime.fromtimestamp(0, UTC) + timedelta(seconds=instant // 1000)
        local = moment.astimezone(ZoneInfo(zone))
        assert local_text(instant, zone) == local.replace(tzinfo=None).isoformat()

    @given(INSTANTS, st.text())
    def test_any_text_gives_a_time(self, instant: int, zone: str) -> None:
        assert len(local_text(instant, zone)) == 19
