"""The tables that are formed from scripted exports: one test for each trap of real archives.

The archives are scripted: no real one was available.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import attrs
import pytest

from health_import.file_names import advice
from health_import.report import ArchiveRead, reason_lines, summary_lines
from health_import.row_building import build_rows
from health_import.texts import EPOCH_MINUTE
from healthapi.omissions import MESSAGE_OF
from status_contracts.adapters.zones import offsets_in
from support.health_import.exports import (
    GOOGLE_STAGES,
    NIGHT_STAGES,
    Export,
    GoogleSleep,
    classic,
    column,
    gaps_of,
    minutes_of,
    sleep_record,
    us,
    values_of,
    warnings_of,
)

DAY = date(2024, 7, 21)
DAYS = [(DAY + timedelta(days=index)).isoformat() for index in range(4)]
NIGHTS = [(f"{day}T20:30:00", "+11:00") for day in DAYS]
"""Ends of nights in UTC, at 7:30 of the next local day."""


def at(text: str) -> datetime:
    """Return a time of the scripted clocks."""
    return datetime.fromisoformat(text)


def zone(name: str) -> Callable[[int], int]:
    """Return the offsets of a zone in minutes."""
    offset_of = offsets_in(name)
    return lambda minute: offset_of((minute - EPOCH_MINUTE) * 60) // 60


@pytest.fixture
def export() -> Export:
    """An empty archive."""
    return Export()


class TestSteps:
    """Trap: minutes in UTC, days of the local clock."""

    @pytest.mark.parametrize(
        ("minutes", "nights", "place", "steps"),
        [
            (
                {"2024-07-21T12:59": 1, "2024-07-21T13:00": 20},
                NIGHTS,
                None,
                {"2024-07-21": "1", "2024-07-22": "20"},
            ),
            # a journey: the archive knows where the nights were spent
            ({"2024-07-21T13:00": 20}, NIGHTS, "Europe/Berlin", {"2024-07-22": "20"}),
            # the clock of New York went back at 06:00 UTC
            (
                {
                    "2024-11-03T03:59": 1,
                    "2024-11-03T04:00": 10,
                    "2024-11-04T04:59": 5,
                    "2024-11-04T05:00": 100,
                },
                [],
                "America/New_York",
                {"2024-11-02": "1", "2024-11-03": "15", "2024-11-04": "100"},
            ),
            # a time between nights of one offset
            (
                {"2024-07-31T13:00": 5},
                [*NIGHTS, ("2024-08-20T20:30:00", "+11:00")],
                None,
                {"2024-08-01": "5"},
            ),
        ],
    )
    def test_minutes_of_utc_count_on_the_local_day(
        self,
        export: Export,
        minutes: dict[str, int],
        nights: list[tuple[str, str]],
        place: str | None,
        steps: dict[str, str],
    ) -> None:
        export.minutes("steps", "2024-07-21", {at(text): value for text, value in minutes.items()})
        export.nights(nights)
        built = build_rows(values_of(export), zone(place) if place else None)
        assert column(built, "activity", "steps") == steps

    @pytest.mark.parametrize(
        ("nights", "day"),
        [([], "2024-07-21"), ([*NIGHTS, ("2024-08-20T20:30:00", "+02:00")], "2024-07-31")],
    )
    def test_days_whose_zone_is_not_known_are_left_out(
        self, export: Export, nights: list[tuple[str, str]], day: str
    ) -> None:
        """Without a night near them, and between nights of two offsets."""
        export.minutes("steps", "2024-07-21", {at(f"{day}T12:00"): 5})
        export.nights(nights)
        built = build_rows(values_of(export))
        assert column(built, "activity", "steps") == {}
        after = (date.fromisoformat(day) + timedelta(1)).isoformat()
        assert gaps_of(built, "steps") == {"zone.unknown": [(day, after)]}
        assert any(
            f"{MESSAGE_OF['zone.unknown']}; give --zone [zone.unknown]" in line
            for line in reason_lines(built.gaps.missing)
        )

    def test_a_repeated_file_counts_once(self, export: Export) -> None:
        """The old and the new folder in one archive, and minutes at the edges of files."""
        newer = Export("Takeout/Google Health")
        for each in (export, newer):
            each.minutes("steps", "2024-07-21", {at("2024-07-21T12:00"): 5})
        newer.minutes("steps", "2024-06-21", {at("2024-07-21T12:00"): 5})
        newer.nights(NIGHTS)
        built = build_rows(values_of(export, newer))
        assert column(built, "activity", "steps") == {"2024-07-21": "5"}

    def test_the_first_and_last_day_of_whole_minutes_may_be_cut(self, export: Export) -> None:
        minutes = [minute for day in range(3) for minute in minutes_of(DAY + timedelta(days=day))]
        export.minutes("steps", "2024-07-21", dict.fromkeys(minutes, 1))
        built = build_rows(values_of(export), zone("Europe/Berlin"))
        assert column(built, "activity", "steps") == {"2024-07-22": "1440", "2024-07-23": "1440"}
        assert gaps_of(built, "steps") == {
            "day.incomplete": [("2024-07-21", "2024-07-21"), ("2024-07-24", "2024-07-24")]
        }


class TestSourcesOfSteps:
    """Trap: several devices and apps write the same steps."""

    NOON = at("2024-07-21T12:00")

    def test_merged_minutes_are_not_added_to_those_of_devices(self, export: Export) -> None:
        export.minutes("steps", "2024-07-21", {self.NOON: 50})
        export.google_minutes("steps", {self.NOON: 50}, "Charge 5")
        export.google_minutes("steps", {self.NOON: 70}, "Phone", "2024-07-22")
        export.nights(NIGHTS)
        assert column(build_rows(values_of(export)), "activity", "steps") == {"2024-07-21": "50"}

    def test_of_several_devices_the_one_with_most_steps_of_the_day(self, export: Export) -> None:
        export.google_minutes("steps", {self.NOON: 50, at("2024-07-22T12:00"): 1}, "Charge 5")
        phone = {self.NOON: 45, at("2024-07-22T12:00"): 2}
        export.google_minutes("steps", phone, "Phone", "2024-07-22")
        export.nights(NIGHTS)
        steps = column(build_rows(values_of(export)), "activity", "steps")
        assert steps == {"2024-07-21": "50", "2024-07-22": "2"}

    def test_several_rows_of_a_device_in_a_minute_are_added(self, export: Export) -> None:
        rows = [f"2024-07-21T12:00:{second}Z,10,Charge 5" for second in ("00", "30")]
        export.google_rows("steps", rows)
        export.nights(NIGHTS)
        assert column(build_rows(values_of(export)), "activity", "steps") == {"2024-07-21": "20"}

    @pytest.mark.parametrize("source", ["Health Kit", "my phone - Health Connect", "HEALTH KIT"])
    def test_mirrored_rows_are_left_out(self, export: Export, source: str) -> None:
        export.google_minutes("steps", {self.NOON: 50}, source)
        export.nights(NIGHTS)
        built = build_rows(values_of(export))
        assert column(built, "activity", "steps") == {}
        assert gaps_of(built, "steps") == {"source.mirrored": [("2024-07-21", "2024-07-21")]}

    def test_mirrored_rows_are_reported_for_local_days_that_have_a_row(
        self, export: Export
    ) -> None:
        late = at("2024-07-21T23:00")
        export.google_minutes("steps", {late: 50, at("2024-07-22T12:00"): 5}, "my Health Kit")
        export.nights(NIGHTS)
        export.levels({"2024-07-22": (800, 200, 20, 10), "2024-07-26": (1440, 0, 0, 0)})
        export.google_minutes("steps", {at("2024-07-26T12:00"): 9}, "Health Kit", "2024-07-26")
        built = build_rows(values_of(export))
        assert gaps_of(built, "steps") == {"source.mirrored": [("2024-07-22",) * 2]}


class TestClocks:
    """Traps: five clocks; steps of some archives may be local."""

    def test_an_archive_of_another_vendor_is_named(self, export: Export) -> None:
        read = ArchiveRead("oura.zip", 12, 0, "Oura")
        search = build_rows(values_of(export)).search
        lines = summary_lines("ada", [read], search, None, is_older=False)
        assert f"oura.zip: {advice('Oura')}" in list(lines)

    WALKS = tuple(at(f"2024-07-{day}T09:{minute:02}") for day in (22, 23) for minute in range(40))

    def walked(self, shift: int) -> dict[datetime, int]:
        return {
            minute + timedelta(hours=shift): 3 + index * 7 % 89
            for index, minute in enumerate(self.WALKS)
        }

    def test_steps_in_utc_are_confirmed_by_the_csv_files(self, export: Export) -> None:
        export.minutes("steps", "2024-07-21", self.walked(0))
        export.google_minutes("steps", self.walked(0), "Charge 5")
        built = build_rows(values_of(export))
        assert (built.search.compared_days, built.search.steps_are_local) == (2, False)
        lines = summary_lines("ada", [], built.search, None, is_older=False)
        assert "the steps are on UTC, checked on 2 days" in list(lines)

    def test_steps_on_the_local_clock_are_noticed(self, export: Export) -> None:
        """Their offset places other minutes too."""
        export.minutes("steps", "2024-07-21", {**self.walked(0), at("2024-07-22T23:30"): 1})
        export.google_minutes("steps", self.walked(-11), "Charge 5")
        export.exercises([(1, "07/22/24 23:00:00", "Walk")])
        zone_rows = [f"2024-07-22T{hour}:00:00Z,2,Charge 5" for hour in (12, 13)]
        export.csv("active_zone_minutes", "timestamp,total minutes,data source", zone_rows)
        built = build_rows(values_of(export))
        assert (built.search.compared_days, built.search.steps_are_local) == (2, True)
        first, second = column(built, "activity", "steps").items()
        assert (first[0], second[0]) == ("2024-07-22", "2024-07-23")
        assert int(first[1]) + int(second[1]) == sum(self.walked(0).values()) + 1
        assert column(built, "activity", "exerciseExamples") == {"2024-07-22": "Walk"}
        zone = column(built, "activity", "activeZoneMinutes")
        assert zone == {"2024-07-22": "2", "2024-07-23": "2"}

    @pytest.mark.parametrize("other", ["no equal minute", "equal at several offsets"])
    def test_steps_whose_clock_is_not_clear_are_not_checked(
        self, export: Export, other: str
    ) -> None:
        walked = self.walked(0)
        if other == "equal at several offsets":
            walked = {minute: 2 for minute in minutes_of(DAY) if minute.minute % 15 == 0}
        export.minutes("steps", "2024-07-21", walked)
        shown = walked if other != "no equal minute" else dict.fromkeys(walked, 1)
        export.google_minutes("steps", shown, "Charge 5")
        assert build_rows(values_of(export)).search.compared_days == 0

    def test_exercises_follow_the_clock_of_the_steps(self, export: Export) -> None:
        export.exercises([(1, "07/21/24 14:00:00", "Walk"), (2, "07/21/24 12:00:00", "Run")])
        export.nights(NIGHTS)
        built = build_rows(values_of(export))
        found = column(built, "activity", "exerciseExamples")
        assert found == {"2024-07-21": "Run", "2024-07-22": "Walk"}

    def test_exercises_without_a_zone(self, export: Export) -> None:
        export.exercises([(1, "07/21/24 14:00:00", "Walk")])
        built = build_rows(values_of(export))
        assert gaps_of(built, "exerciseExamples") == {
            "zone.unknown": [("2024-07-21", "2024-07-21")]
        }

    def test_labels_are_not_converted(self, export: Export) -> None:
        """A resting rate and a variability have a date, whatever zone its time names."""
        export.nights(NIGHTS)
        export.google_hrv(["2024-07-21T00:00:00Z,33.1,54,2.3,30.5,Charge 5"])
        export.csv(
            "Physical Activity_GoogleData/daily_resting_heart_rate",
            "timestamp,beats per minute,data source",
            ["2024-07-21T00:00:00Z,58.0,Charge 5"],
        )
        built = build_rows(values_of(export))
        assert column(built, "hrv", "deepRmssd") == {"2024-07-21": "30.5"}
        assert column(built, "rhr", "resting_heart_rate") == {"2024-07-21": "58"}


class TestActivity:
    def test_the_four_levels_and_their_sum(self, export: Export) -> None:
        export.levels({"2024-07-21": (800, 200, 20, 10)})
        (row,) = build_rows(values_of(export)).rows["activity"]
        assert row == {
            "date": "2024-07-21",
            "sedentaryMinutes": "800",
            "lightlyActiveMinutes": "200",
            "fairlyActiveMinutes": "20",
            "veryActiveMinutes": "10",
            "activeMinutes": "230",
        }

    def test_energy_of_whole_days_only(self, export: Export) -> None:
        """The minutes have basal burn and the local clock; a day that lacks some is left out."""
        minutes = minutes_of(DAY)
        energy = dict.fromkeys(minutes, "1.23457") | {minutes[0]: "1", minutes[1]: "1.46914"}
        export.minutes("calories", "2024-07-21", energy)
        part = minutes_of(DAY + timedelta(days=1))[:1000]
        export.minutes("calories", "2024-07-22", dict.fromkeys(part, "1.2"))
        built = build_rows(values_of(export))
        assert column(built, "activity", "caloriesOut") == {"2024-07-21": "1778"}
        assert gaps_of(built, "caloriesOut") == {"day.incomplete": [("2024-07-22", "2024-07-22")]}

    def test_zone_minutes_are_weighted_already(self, export: Export) -> None:
        rows = ["2024-07-21T23:59,FAT_BURN,1", "2024-07-22T00:00,PEAK,2", "2024-07-22T00:01,PEAK,2"]
        export.zone_minutes(rows)
        export.zone_minutes(rows[2:], "2024-07-22")
        found = column(build_rows(values_of(export)), "activity", "activeZoneMinutes")
        assert found == {"2024-07-21": "1", "2024-07-22": "4"}

    def test_zone_minutes_of_the_newer_files_are_in_utc(self, export: Export) -> None:
        """Only for days that the older files lack, of one device, and not of other vendors."""
        export.zone_minutes(["2024-07-22T10:00,PEAK,2"])
        rows = [
            "2024-07-21T12:59:00Z,FAT_BURN,1,Charge 5",
            "2024-07-21T12:59:00Z,CARDIO,2,Pixel Watch",
            "2024-07-21T13:00:00Z,CARDIO,9,Pixel Watch",
            "2024-07-22T13:00:00Z,PEAK,2,Pixel Watch",
            "2024-07-23T13:00:00Z,PEAK,2,Watch Health Kit",
        ]
        export.csv(
            "Physical Activity_GoogleData/active_zone_minutes_2024-07-21",
            "timestamp,heart rate zone,active zone minutes,data source",
            rows,
        )
        assert gaps_of(build_rows(values_of(export)), "activeZoneMinutes")["zone.unknown"]
        export.nights(NIGHTS)
        export.levels({"2024-07-24": (800, 200, 20, 10)})
        built = build_rows(values_of(export))
        expected = dict.fromkeys(("2024-07-21", "2024-07-22", "2024-07-23"), "2")
        assert column(built, "activity", "activeZoneMinutes") == expected
        assert gaps_of(built, "activeZoneMinutes") == {"value.none": [("2024-07-24",) * 2]}

    @pytest.mark.parametrize("kind", ["steps", "calories"])
    def test_a_local_day_with_minutes_that_occur_twice_is_left_out(
        self, export: Export, kind: str
    ) -> None:
        """The local clock went back: of the minutes of an hour one half is lost."""
        minutes = [us(minute) for minute in minutes_of(DAY)]
        minutes[180:180] = minutes[120:180]
        values = {us(minute): 3 + n * 7 % 89 for n, minute in enumerate(minutes_of(DAY))}
        records = [{"dateTime": minute, "value": str(values[minute])} for minute in minutes]
        export.json(f"{kind}-2024-07-21", records)
        if kind == "steps":
            began = at("2024-07-20T13:00")
            shown = {began + timedelta(minutes=n): 3 + n * 7 % 89 for n in range(1440)}
            export.google_minutes("steps", shown, "Charge 5")
        built = build_rows(values_of(export))
        assert built.search.steps_are_local is (kind == "steps")
        assert built.rows["activity"] == []
        name = "steps" if kind == "steps" else "caloriesOut"
        assert gaps_of(built, name) == {"day.incomplete": [("2024-07-21",) * 2]}

    def test_three_names_of_exercises_in_the_order_of_the_day(self, export: Export) -> None:
        names = ["Walk", "Run", "Walk", "Sport, other", "Swim"]
        export.exercises(
            [(index, f"07/21/24 1{index}:00:00", name) for index, name in enumerate(names)]
        )
        export.exercises([(1, "07/21/24 11:00:00", "Run")], page=100)
        built = build_rows(values_of(export), zone("UTC"))
        assert column(built, "activity", "exerciseExamples") == {
            "2024-07-21": "Walk、Run、Sport, other"
        }


NIGHT_MINUTES = {
    "isMainSleep": "True",
    "duration": "28800000",
    "minutesAsleep": "420",
    "minutesAwake": "60",
    "minutesToFallAsleep": "0",
    "minutesAfterWakeup": "1",
    "timeInBed": "480",
    "minutesDeep": "80",
    "minutesREM": "100",
    "minutesLight": "240",
    "minutesWakeStages": "60",
}


class TestSleep:
    def test_a_night_with_stages(self, export: Export) -> None:
        export.sleeps(sleep_record("2024-07-21", 48_511_223_344))
        export.scores({48_511_223_344: 84})
        (row,) = build_rows(values_of(export)).rows["sleep"]
        assert row == {
            **NIGHT_MINUTES,
            "date": "2024-07-21",
            "logId": "48511223344",
            "startTime": "2024-07-20T23:02:00.000",
            "endTime": "2024-07-21T07:02:00.000",
            "efficiency": "93",
            "infoCode": "0",
            "sleepScore": "84",
        }

    def test_a_classic_sleep_has_no_stages(self, export: Export) -> None:
        export.sleeps(classic("2024-07-21", 1))
        built = build_rows(values_of(export))
        (row,) = built.rows["sleep"]
        assert (row["minutesAsleepClassic"], row["minutesAwakeClassic"]) == ("400", "5")
        assert "minutesDeep" not in row
        assert gaps_of(built, "minutesDeep") == {"sleep.classic": [("2024-07-21", "2024-07-21")]}

    def test_a_nap_follows_the_main_sleep(self, export: Export) -> None:
        nap = sleep_record("2024-07-21", 1, mainSleep=False)
        export.sleeps(nap, sleep_record("2024-07-21", 2), sleep_record("2024-07-20", 3))
        rows = build_rows(values_of(export)).rows["sleep"]
        assert [row["logId"] for row in rows] == ["3", "2", "1"]

    @pytest.mark.parametrize("score", ["", "-1", "0", "x"])
    def test_a_score_that_stands_for_none(self, export: Export, score: str) -> None:
        export.sleeps(sleep_record("2024-07-21", 5), sleep_record("2024-07-22", 6))
        export.scores({5: score, 6: 80})
        built = build_rows(values_of(export))
        assert column(built, "sleep", "sleepScore") == {"2024-07-22": "80"}
        assert gaps_of(built, "sleepScore") == {"sleep.no-score": [("2024-07-21", "2024-07-21")]}

    def test_scores_are_joined_by_id_and_not_by_time(self, export: Export) -> None:
        """Naps have scores, and the zone of the timestamp is disputed."""
        export.sleeps(sleep_record("2024-07-21", 5), sleep_record("2024-07-21", 6, mainSleep=False))
        export.scores({6: 60, 5: 80, 7: 99})
        built = build_rows(values_of(export))
        assert [row["sleepScore"] for row in built.rows["sleep"]] == ["80", "60"]

    @pytest.mark.parametrize(
        ("flags", "main"),
        [
            ([None, None, None], "2"),
            ([None, False, None], "3"),
            ([True, None, None], "1"),
            ([None, True, False], "2"),
        ],
    )
    def test_without_a_flag_the_longest_sleep_of_the_day_is_the_main_one(
        self, export: Export, flags: list[bool | None], main: str
    ) -> None:
        records = [
            sleep_record("2024-07-21", index, mainSleep=flag, minutesAsleep=minutes)
            for index, (flag, minutes) in enumerate(zip(flags, (40, 390, 50), strict=True), 1)
        ]
        export.sleeps(*records, sleep_record("2024-07-22", 9))
        built = build_rows(values_of(export))
        rows = [row for row in built.rows["sleep"] if row["date"] == "2024-07-21"]
        assert [row["logId"] for row in rows if row["isMainSleep"] == "True"] == [main]
        assert len(rows) == 3
        days = {"sleep.no-main-flag": [("2024-07-21",) * 2]}
        assert warnings_of(built, "isMainSleep") == days
        assert ("sleep", "isMainSleep") not in built.gaps.missing


class TestGoogleSleeps:
    """Sleeps that only the tables `UserSleeps`, `UserSleepStages`, `UserSleepScores` have."""

    NIGHT = GoogleSleep(7_000_000_000_000_000_001, "2026-09-14T21:02:30", NIGHT_STAGES, score=81)
    NAP = GoogleSleep(
        7_000_000_000_000_000_002,
        "2026-09-15T12:00:00",
        [("ASLEEP", 50), ("RESTLESS", 8), ("AWAKE", 2)],
        kind="CLASSIC",
    )

    def test_a_night_with_stages_and_score(self, export: Export) -> None:
        export.google_sleeps(self.NIGHT)
        built = build_rows(values_of(export))
        assert built.rows["sleep"] == [
            {
                **NIGHT_MINUTES,
                "date": "2026-09-15",
                "startTime": "2026-09-14T23:02:30.000",
                "endTime": "2026-09-15T07:02:30.000",
                "sleepScore": "81",
            }
        ]
        days = [("2026-09-15", "2026-09-15")]
        assert warnings_of(built, "isMainSleep") == {"sleep.no-main-flag": days}
        for name in ("logId", "efficiency", "infoCode"):
            assert gaps_of(built, name) == {"sleep.google-only": days}

    def test_a_nap_without_stages(self, export: Export) -> None:
        export.google_sleeps(self.NAP, self.NIGHT)
        built = build_rows(values_of(export))
        night, nap = built.rows["sleep"]
        assert (night["isMainSleep"], nap["isMainSleep"]) == ("True", "False")
        assert (nap["minutesAsleepClassic"], nap["minutesRestlessClassic"]) == ("50", "8")
        assert "minutesDeep" not in nap
        assert gaps_of(built, "minutesDeep") == {"sleep.classic": [("2026-09-15",) * 2]}

    def test_a_night_without_rem_has_zero_minutes_of_it(self, export: Export) -> None:
        export.google_sleeps(attrs.evolve(self.NIGHT, stages=[("LIGHT", 300), ("DEEP", 60)]))
        (row,) = build_rows(values_of(export)).rows["sleep"]
        assert row["minutesREM"] == row["minutesWakeStages"] == "0"
        assert row["minutesLight"] == "300"

    def test_stages_of_a_night_that_two_files_share_count_once(self, export: Export) -> None:
        """The files are cut at the edge of a month, and repeat some rows."""
        rows = self.NIGHT.stage_rows()
        export.google_sleeps(self.NIGHT, kinds="sleeps")
        folder = "Health Fitness Data_GoogleData/UserSleepStages_"
        export.csv(f"{folder}2026-08-01", GOOGLE_STAGES, rows[:5])
        export.csv(f"{folder}2026-09-01", GOOGLE_STAGES, rows[3:])
        (row,) = build_rows(values_of(export)).rows["sleep"]
        assert (row["minutesDeep"], row["minutesREM"], row["minutesLight"]) == ("80", "100", "240")

    def test_stages_that_do_not_cover_the_night_are_left_out(self, export: Export) -> None:
        """Their file is in a part of the export that is not given."""
        later = attrs.evolve(self.NIGHT, sleep_id=5, start="2026-09-15T21:00:00")
        export.google_sleeps(self.NIGHT, later, kinds="sleeps")
        export.csv("UserSleepStages_2026-09-01", GOOGLE_STAGES, self.NIGHT.stage_rows()[:5])
        built = build_rows(values_of(export))
        assert column(built, "sleep", "minutesDeep") == {}
        assert gaps_of(built, "minutesDeep") == {"day.incomplete": [("2026-09-15",) * 2]}
        partly = attrs.evolve(later, sleep_id=6, start="2026-09-16T21:00:00")
        export.google_sleeps(partly, name="2026-10-01")
        assert gaps_of(build_rows(values_of(export)), "minutesDeep") == {
            "day.incomplete": [("2026-09-15",) * 2],
            "value.none": [("2026-09-16",) * 2],
        }

    def test_the_night_of_a_log_is_not_added_again(self, export: Export) -> None:
        """The JSON file has more; of the tables only a score that it lacks is taken."""
        export.sleeps(sleep_record("2026-09-15", 48_511_223_344), name="2026-09-01")
        export.google_sleeps(self.NIGHT, self.NAP)
        night, nap = build_rows(values_of(export)).rows["sleep"]
        assert (night["logId"], night["efficiency"]) == ("48511223344", "93")
        assert night["sleepScore"] == "81"
        assert nap["startTime"] == "2026-09-15T14:00:00.000"
        export.scores({48_511_223_344: 84})
        night, _ = build_rows(values_of(export)).rows["sleep"]
        assert night["sleepScore"] == "84"

    def test_of_two_devices_the_longer_record_of_a_night_counts(self, export: Export) -> None:
        short = attrs.evolve(self.NIGHT, sleep_id=9, stages=[("LIGHT", 200)], source="Inspire 3")
        export.google_sleeps(short, self.NIGHT)
        built = build_rows(values_of(export))
        assert column(built, "sleep", "timeInBed") == {"2026-09-15": "480"}
        assert len(built.rows["sleep"]) == 1
        assert warnings_of(built, "") == {"sleep.overlapping": [("2026-09-15",) * 2]}

    def test_mirrored_nights_are_left_out_and_still_show_the_zone(self, export: Export) -> None:
        export.google_sleeps(attrs.evolve(self.NIGHT, source="Watch - Health Connect"))
        export.minutes("steps", "2026-09-15", {at("2026-09-15T12:00"): 5})
        built = build_rows(values_of(export))
        assert built.rows["sleep"] == []
        assert gaps_of(built, "")["source.mirrored"] == [("2026-09-15",) * 2]
        assert column(built, "activity", "steps") == {"2026-09-15": "5"}

    def test_a_night_over_a_change_of_the_clock(self, export: Export) -> None:
        """The local clock goes back by an hour: eight hours of sleep between 23:00 and 6:00."""
        night = attrs.evolve(
            self.NIGHT, start="2026-10-24T21:00:00", offset=("+02:00", "+01:00"), score=0
        )
        export.google_sleeps(night)
        (row,) = build_rows(values_of(export)).rows["sleep"]
        assert (row["startTime"][11:16], row["endTime"][11:16]) == ("23:00", "06:00")
        assert (row["duration"], row["timeInBed"]) == ("28800000", "480")


class TestVariabilityAndRestingRate:
    def test_zero_is_missing(self, export: Export) -> None:
        export.hrv({"2024-07-21": 33.125, "2024-07-22": 0})
        export.google_hrv(["2024-07-23T00:00:00Z,0,54,2.3,0,Charge 5"])
        built = build_rows(values_of(export))
        assert column(built, "hrv", "dailyRmssd") == {"2024-07-21": "33.125"}
        assert gaps_of(built, "dailyRmssd") == {"hrv.zero": [("2024-07-22", "2024-07-23")]}
        assert gaps_of(built, "deepRmssd") == {"column.not-in-archive": []}

    @pytest.mark.parametrize("order", [1, -1])
    def test_a_day_has_one_reason(self, export: Export, order: int) -> None:
        cells = ("0,54,2.3,0,Charge 5", "9,54,2.3,9,Health Kit")
        rows = [f"2024-07-21T00:00:00Z,{each}" for each in cells]
        export.google_hrv(rows[::order])
        built = build_rows(values_of(export))
        assert gaps_of(built, "dailyRmssd") == {"hrv.zero": [("2024-07-21",) * 2]}

    def test_the_name_of_a_summary_is_not_its_day(self, export: Export) -> None:
        export.hrv({"2024-07-20": 30}, "2024-07-(21)")
        export.hrv({"2024-07-21": 31}, "2024-07-22")
        found = column(build_rows(values_of(export)), "hrv", "dailyRmssd")
        assert found == {"2024-07-20": "30", "2024-07-21": "31"}

    def test_the_older_summary_counts_before_the_newer_file(self, export: Export) -> None:
        export.google_hrv(["2024-07-21T00:00:00Z,40,54,2.3,30.5,Charge 5"])
        export.hrv({"2024-07-21": 33})
        (row,) = build_rows(values_of(export)).rows["hrv"]
        assert row == {"date": "2024-07-21", "dailyRmssd": "33", "deepRmssd": "30.5"}

    def test_resting_rates_are_rounded_and_padding_is_left_out(self, export: Export) -> None:
        export.resting({"2024-07-21": 60.5, "2024-07-22": 61.5, "2025-05-01": None})
        built = build_rows(values_of(export))
        rates = column(built, "rhr", "resting_heart_rate")
        assert rates == {"2024-07-21": "60", "2024-07-22": "62"}
        assert gaps_of(built, "resting_heart_rate") == {
            "resting.placeholder": [("2025-05-01", "2025-05-01")]
        }

    def test_mirrored_and_empty_resting_rates(self, export: Export) -> None:
        export.csv(
            "Physical Activity_GoogleData/daily_resting_heart_rate",
            "timestamp,beats per minute,data source",
            [
                "2024-07-21T00:00:00Z,58,Watch Health Kit",
                "2024-07-22T00:00:00Z,0,Charge 5",
                "2024-07-23T00:00:00Z,-3,Charge 5",
            ],
        )
        built = build_rows(values_of(export))
        assert built.rows["rhr"] == []
        assert gaps_of(built, "resting_heart_rate") == {
            "resting.placeholder": [("2024-07-22",) * 2],
            "source.mirrored": [("2024-07-21",) * 2],
        }


def test_an_export_without_anything_says_so() -> None:
    missing = build_rows(values_of(Export())).gaps.missing
    assert missing == {
        (each, ""): {"column.not-in-archive": None} for each in ("activity", "sleep", "hrv", "rhr")
    }
