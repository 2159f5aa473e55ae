"""The tables that are formed from scripted exports: one test for each trap of real archives.

The archives are scripted: no real one was available.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from healthapi.importing.forming import form
from healthapi.importing.gaps import MESSAGE_OF
from healthapi.importing.report import ImportReport
from healthapi.importing.times import EPOCH_MINUTE
from purewire.adapters.zones import offsets_in
from support.healthapi.exports import (
    Export,
    classic,
    column,
    gaps_of,
    minutes_of,
    sleep_record,
    values_of,
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

    def test_minutes_of_utc_count_on_the_local_day_of_the_nights(self, export: Export) -> None:
        export.minutes(
            "steps", "2024-07-21", {at("2024-07-21T12:59"): 1, at("2024-07-21T13:00"): 20}
        )
        export.nights(NIGHTS)
        assert column(form(values_of(export)), "activity", "steps") == {
            "2024-07-21": "1",
            "2024-07-22": "20",
        }

    def test_without_nights_a_named_zone_places_them(self, export: Export) -> None:
        export.minutes(
            "steps", "2024-07-21", {at("2024-07-21T21:59"): 1, at("2024-07-21T22:00"): 20}
        )
        formed = form(values_of(export), zone("Europe/Berlin"))
        assert column(formed, "activity", "steps") == {"2024-07-21": "1", "2024-07-22": "20"}

    def test_without_any_zone_they_are_left_out(self, export: Export) -> None:
        export.minutes("steps", "2024-07-21", {at("2024-07-21T12:00"): 5})
        formed = form(values_of(export))
        assert column(formed, "activity", "steps") == {}
        assert gaps_of(formed, "steps") == {"zone.unknown": [("2024-07-21", "2024-07-22")]}
        assert "--zone" in MESSAGE_OF["zone.unknown"]

    def test_nights_count_before_a_named_zone(self, export: Export) -> None:
        """A journey: the archive knows where the nights were spent."""
        export.minutes("steps", "2024-07-21", {at("2024-07-21T13:00"): 20})
        export.nights(NIGHTS)
        formed = form(values_of(export), zone("Europe/Berlin"))
        assert column(formed, "activity", "steps") == {"2024-07-22": "20"}

    def test_a_day_without_a_night_near_it_is_left_out(self, export: Export) -> None:
        export.minutes(
            "steps", "2024-07-21", {at("2024-07-21T12:00"): 5, at("2024-09-21T12:00"): 5}
        )
        export.nights(NIGHTS)
        formed = form(values_of(export))
        assert column(formed, "activity", "steps") == {"2024-07-21": "5"}
        assert gaps_of(formed, "steps") == {"zone.unknown": [("2024-09-21", "2024-09-22")]}

    def test_a_gap_between_nights_of_one_offset_is_known(self, export: Export) -> None:
        export.minutes("steps", "2024-07-21", {at("2024-07-31T13:00"): 5})
        export.nights([*NIGHTS, ("2024-08-20T20:30:00", "+11:00")])
        assert column(form(values_of(export)), "activity", "steps") == {"2024-08-01": "5"}

    def test_a_gap_between_nights_of_two_offsets_is_not(self, export: Export) -> None:
        export.minutes("steps", "2024-07-21", {at("2024-07-31T13:00"): 5})
        export.nights([*NIGHTS, ("2024-08-20T20:30:00", "+02:00")])
        assert "zone.unknown" in gaps_of(form(values_of(export)), "steps")

    def test_a_day_on_which_the_offset_changes(self, export: Export) -> None:
        """The clock of New York went back at 06:00 UTC."""
        minutes = {at("2024-11-03T03:59"): 1, at("2024-11-03T04:00"): 10, at("2024-11-04T04:59"): 5}
        export.minutes("steps", "2024-11-01", {**minutes, at("2024-11-04T05:00"): 100})
        formed = form(values_of(export), zone("America/New_York"))
        assert column(formed, "activity", "steps") == {
            "2024-11-02": "1",
            "2024-11-03": "15",
            "2024-11-04": "100",
        }

    def test_an_offset_of_quarter_hours(self, export: Export) -> None:
        minutes = {at("2024-07-21T18:14"): 1, at("2024-07-21T18:15"): 10}
        export.minutes("steps", "2024-07-21", minutes)
        formed = form(values_of(export), zone("Asia/Kathmandu"))
        assert column(formed, "activity", "steps") == {"2024-07-21": "1", "2024-07-22": "10"}

    def test_a_repeated_file_counts_once(self, export: Export) -> None:
        """The old and the new folder in one archive, and minutes at the edges of files."""
        newer = Export("Takeout/Google Health")
        for each in (export, newer):
            each.minutes("steps", "2024-07-21", {at("2024-07-21T12:00"): 5})
        newer.minutes("steps", "2024-06-21", {at("2024-07-21T12:00"): 5})
        newer.nights(NIGHTS)
        formed = form(values_of(export, newer))
        assert column(formed, "activity", "steps") == {"2024-07-21": "5"}

    def test_the_first_and_last_day_of_whole_minutes_may_be_cut(self, export: Export) -> None:
        minutes = [minute for day in range(3) for minute in minutes_of(DAY + timedelta(days=day))]
        export.minutes("steps", "2024-07-21", dict.fromkeys(minutes, 1))
        formed = form(values_of(export), zone("Europe/Berlin"))
        assert column(formed, "activity", "steps") == {"2024-07-22": "1440", "2024-07-23": "1440"}
        assert gaps_of(formed, "steps") == {
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
        assert column(form(values_of(export)), "activity", "steps") == {"2024-07-21": "50"}

    def test_of_several_devices_the_one_with_most_steps_of_the_day(self, export: Export) -> None:
        export.google_minutes("steps", {self.NOON: 50, at("2024-07-22T12:00"): 1}, "Charge 5")
        phone = {self.NOON: 45, at("2024-07-22T12:00"): 2}
        export.google_minutes("steps", phone, "Phone", "2024-07-22")
        export.nights(NIGHTS)
        assert column(form(values_of(export)), "activity", "steps") == {
            "2024-07-21": "50",
            "2024-07-22": "2",
        }

    def test_several_rows_of_a_device_in_a_minute_are_added(self, export: Export) -> None:
        rows = [f"2024-07-21T12:00:{second}Z,10,Charge 5" for second in ("00", "30")]
        export.google_rows("steps", rows)
        export.nights(NIGHTS)
        assert column(form(values_of(export)), "activity", "steps") == {"2024-07-21": "20"}

    @pytest.mark.parametrize("source", ["Health Kit", "my phone - Health Connect", "HEALTH KIT"])
    def test_mirrored_rows_are_left_out(self, export: Export, source: str) -> None:
        export.google_minutes("steps", {self.NOON: 50}, source)
        export.nights(NIGHTS)
        formed = form(values_of(export))
        assert column(formed, "activity", "steps") == {}
        assert gaps_of(formed, "steps") == {"source.mirrored": [("2024-07-21", "2024-07-21")]}

    def test_mirrored_calories_are_not_compared_with_anything(self, export: Export) -> None:
        export.google_minutes("calories", {self.NOON: "2.5"}, "Watch Health Kit")
        values = values_of(export)
        assert (values.minutes, values.omissions) == ({}, {})

    def test_without_a_zone_nothing_of_devices_is_formed_either(self, export: Export) -> None:
        export.google_minutes("steps", {self.NOON: 50}, "Charge 5")
        formed = form(values_of(export))
        assert column(formed, "activity", "steps") == {}
        assert "zone.unknown" in gaps_of(formed, "steps")


class TestClocks:
    """Traps: five clocks; steps of some archives may be local."""

    @staticmethod
    def burnt(shift: int) -> dict[datetime, str]:
        """Return the calories of four days, moved by hours; neighbours differ."""
        minutes = [minute for day in range(4) for minute in minutes_of(DAY + timedelta(days=day))]
        return {
            minute + timedelta(hours=shift): f"{1 + index * index * 37 % 1009 / 100:.2f}"
            for index, minute in enumerate(minutes)
        }

    def test_calories_of_two_clocks_give_the_zone(self, export: Export) -> None:
        """Local JSON minutes equal the Z-stamped CSV minutes at the offset of the zone."""
        export.minutes("calories", "2024-07-21", self.burnt(0))
        export.google_minutes("calories", self.burnt(-11), "Charge 5")
        export.minutes("steps", "2024-07-21", {at("2024-07-22T13:00"): 7})
        formed = form(values_of(export))
        assert column(formed, "activity", "steps") == {"2024-07-23": "7"}
        assert formed.search.matched_days == 4
        report = ImportReport("ada", (), formed, {}, (), None, is_older=False)
        assert "time zone by: comparing clocks on 4 days" in list(report.lines())

    def test_calories_that_do_not_match_give_none(self, export: Export) -> None:
        export.minutes("calories", "2024-07-21", self.burnt(0))
        export.google_minutes("calories", dict.fromkeys(self.burnt(0), "1.05"), "Charge 5")
        export.minutes("steps", "2024-07-21", {at("2024-07-22T13:00"): 7})
        formed = form(values_of(export))
        assert formed.search.matched_days == 0
        assert "zone.unknown" in gaps_of(formed, "steps")

    def test_calories_that_match_at_several_offsets_give_none(self, export: Export) -> None:
        even = {
            minute: "2.00" if minute.minute % 15 == 0 else "1.00"
            for day in range(3)
            for minute in minutes_of(DAY + timedelta(days=day))
        }
        export.minutes("calories", "2024-07-21", even)
        export.google_minutes("calories", even, "Charge 5")
        assert form(values_of(export)).search.matched_days == 0

    def test_calories_of_each_minute_alike_say_nothing(self, export: Export) -> None:
        minutes = dict.fromkeys(minutes_of(DAY), "1.05")
        export.minutes("calories", "2024-07-21", minutes)
        export.google_minutes("calories", minutes, "Charge 5")
        assert form(values_of(export)).search.matched_days == 0

    WALKS = tuple(at(f"2024-07-{day}T09:{minute:02}") for day in (22, 23) for minute in range(40))

    def walked(self, shift: int) -> dict[datetime, int]:
        return {
            minute + timedelta(hours=shift): 3 + index * 7 % 89
            for index, minute in enumerate(self.WALKS)
        }

    def test_steps_in_utc_are_confirmed_by_the_csv_files(self, export: Export) -> None:
        export.minutes("steps", "2024-07-21", self.walked(0))
        export.google_minutes("steps", self.walked(0), "Charge 5")
        search = form(values_of(export)).search
        assert (search.compared_days, search.steps_are_local) == (2, False)

    def test_steps_on_the_local_clock_are_noticed(self, export: Export) -> None:
        export.minutes("steps", "2024-07-21", {**self.walked(0), at("2024-07-22T23:30"): 1})
        export.google_minutes("steps", self.walked(-11), "Charge 5")
        formed = form(values_of(export))
        assert (formed.search.compared_days, formed.search.steps_are_local) == (2, True)
        first, second = column(formed, "activity", "steps").items()
        assert (first[0], second[0]) == ("2024-07-22", "2024-07-23")
        assert int(first[1]) + int(second[1]) == sum(self.walked(0).values()) + 1

    def test_exercises_follow_the_clock_of_the_steps(self, export: Export) -> None:
        export.exercises([(1, "07/21/24 14:00:00", "Walk"), (2, "07/21/24 12:00:00", "Run")])
        export.nights(NIGHTS)
        formed = form(values_of(export))
        assert column(formed, "activity", "exerciseExamples") == {
            "2024-07-21": "Run",
            "2024-07-22": "Walk",
        }

    def test_exercises_without_a_zone(self, export: Export) -> None:
        export.exercises([(1, "07/21/24 14:00:00", "Walk")])
        formed = form(values_of(export))
        assert gaps_of(formed, "exerciseExamples") == {
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
        formed = form(values_of(export))
        assert column(formed, "hrv", "deepRmssd") == {"2024-07-21": "30.5"}
        assert column(formed, "rhr", "resting_heart_rate") == {"2024-07-21": "58"}


class TestActivity:
    def test_the_four_levels_and_their_sum(self, export: Export) -> None:
        export.levels({"2024-07-21": (800, 200, 20, 10)})
        (row,) = form(values_of(export)).rows["activity"]
        assert row == {
            "date": "2024-07-21",
            "sedentaryMinutes": "800",
            "lightlyActiveMinutes": "200",
            "fairlyActiveMinutes": "20",
            "veryActiveMinutes": "10",
            "activeMinutes": "230",
        }

    def test_padded_days_have_no_row(self, export: Export) -> None:
        """Trap: days after the export, with 1,440 sedentary minutes."""
        export.levels({"2024-07-21": (800, 200, 20, 10), "2025-01-01": (1440, 0, 0, 0)})
        export.minutes("steps", "2025-01-01", {at("2025-01-01T12:00"): 0})
        formed = form(values_of(export), zone("UTC"))
        assert [row["date"] for row in formed.rows["activity"]] == ["2024-07-21"]
        assert gaps_of(formed, "")["day.placeholder"] == [("2025-01-01", "2025-01-01")]

    def test_a_day_in_bed_with_steps_is_no_padding(self, export: Export) -> None:
        export.levels({"2025-01-01": (1440, 0, 0, 0)})
        export.minutes("steps", "2025-01-01", {at("2025-01-01T12:00"): 9})
        (row,) = form(values_of(export), zone("UTC")).rows["activity"]
        assert (row["steps"], row["sedentaryMinutes"], row["activeMinutes"]) == ("9", "1440", "0")

    def test_energy_of_whole_days_only(self, export: Export) -> None:
        """The minutes have basal burn and the local clock; a day that lacks some is left out."""
        minutes = minutes_of(DAY)
        export.minutes("calories", "2024-07-21", dict.fromkeys(minutes, "1.23457"))
        part = minutes_of(DAY + timedelta(days=1))[:1000]
        export.minutes("calories", "2024-07-22", dict.fromkeys(part, "1.2"))
        formed = form(values_of(export))
        assert column(formed, "activity", "caloriesOut") == {"2024-07-21": "1778"}
        assert gaps_of(formed, "caloriesOut") == {"day.incomplete": [("2024-07-22", "2024-07-22")]}

    def test_energy_is_never_taken_from_devices(self, export: Export) -> None:
        """Trap: these files can omit the minutes at rest."""
        export.google_minutes("calories", dict.fromkeys(minutes_of(DAY), "1.2"), "Charge 5")
        formed = form(values_of(export), zone("UTC"))
        assert formed.rows["activity"] == []

    def test_energy_while_active_is_not_approximated(self, export: Export) -> None:
        export.levels({"2024-07-21": (800, 200, 20, 10)})
        formed = form(values_of(export))
        assert column(formed, "activity", "activityCalories") == {}
        assert gaps_of(formed, "activityCalories") == {"column.not-exact": []}

    def test_zone_minutes_are_weighted_already(self, export: Export) -> None:
        rows = ["2024-07-21T23:59,FAT_BURN,1", "2024-07-22T00:00,PEAK,2", "2024-07-22T00:01,PEAK,2"]
        export.zone_minutes(rows)
        export.zone_minutes(rows[2:], "2024-07-22")
        assert column(form(values_of(export)), "activity", "activeZoneMinutes") == {
            "2024-07-21": "1",
            "2024-07-22": "4",
        }

    def test_days_without_zone_minutes_are_missing_and_not_zero(self, export: Export) -> None:
        export.levels({"2024-07-21": (800, 200, 20, 10)})
        export.zone_minutes(["2024-07-22T00:00,PEAK,2"])
        formed = form(values_of(export))
        assert gaps_of(formed, "activeZoneMinutes") == {"value.none": [("2024-07-21",) * 2]}

    def test_three_names_of_exercises_in_the_order_of_the_day(self, export: Export) -> None:
        names = ["Walk", "Run", "Walk", "Sport, other", "Swim"]
        export.exercises(
            [(index, f"07/21/24 1{index}:00:00", name) for index, name in enumerate(names)]
        )
        export.exercises([(1, "07/21/24 11:00:00", "Run")], page=100)
        formed = form(values_of(export), zone("UTC"))
        assert column(formed, "activity", "exerciseExamples") == {
            "2024-07-21": "Walk、Run、Sport, other"
        }


class TestSleep:
    def test_a_night_with_stages(self, export: Export) -> None:
        export.sleeps(sleep_record("2024-07-21", 48_511_223_344))
        export.scores({48_511_223_344: 84})
        (row,) = form(values_of(export)).rows["sleep"]
        assert row == {
            "date": "2024-07-21",
            "logId": "48511223344",
            "isMainSleep": "True",
            "startTime": "2024-07-20T23:02:00.000",
            "endTime": "2024-07-21T07:02:00.000",
            "duration": "28800000",
            "minutesAsleep": "420",
            "minutesAwake": "60",
            "minutesToFallAsleep": "0",
            "minutesAfterWakeup": "1",
            "timeInBed": "480",
            "efficiency": "93",
            "infoCode": "0",
            "minutesDeep": "80",
            "minutesREM": "100",
            "minutesLight": "240",
            "minutesWakeStages": "60",
            "sleepScore": "84",
        }

    def test_a_classic_sleep_has_no_stages(self, export: Export) -> None:
        export.sleeps(classic("2024-07-21", 1))
        formed = form(values_of(export))
        (row,) = formed.rows["sleep"]
        assert (row["minutesAsleepClassic"], row["minutesAwakeClassic"]) == ("400", "5")
        assert "minutesDeep" not in row
        assert gaps_of(formed, "minutesDeep") == {"sleep.classic": [("2024-07-21", "2024-07-21")]}

    def test_records_that_repeat_are_one_row(self, export: Export) -> None:
        """Trap: the same log at the edge of two files."""
        export.sleeps(sleep_record("2024-07-21", 5))
        export.sleeps(
            sleep_record("2024-07-21", 5), sleep_record("2024-07-22", 6), name="2024-07-21"
        )
        assert [row["logId"] for row in form(values_of(export)).rows["sleep"]] == ["5", "6"]

    def test_a_nap_follows_the_main_sleep(self, export: Export) -> None:
        nap = sleep_record("2024-07-21", 1, mainSleep=False)
        export.sleeps(nap, sleep_record("2024-07-21", 2), sleep_record("2024-07-20", 3))
        rows = form(values_of(export)).rows["sleep"]
        assert [row["logId"] for row in rows] == ["3", "2", "1"]

    @pytest.mark.parametrize("score", ["", "-1", "0", "x"])
    def test_a_score_that_stands_for_none(self, export: Export, score: str) -> None:
        export.sleeps(sleep_record("2024-07-21", 5), sleep_record("2024-07-22", 6))
        export.scores({5: score, 6: 80})
        formed = form(values_of(export))
        assert column(formed, "sleep", "sleepScore") == {"2024-07-22": "80"}
        assert gaps_of(formed, "sleepScore") == {"sleep.no-score": [("2024-07-21", "2024-07-21")]}

    def test_scores_are_joined_by_id_and_not_by_time(self, export: Export) -> None:
        """Naps have scores, and the zone of the timestamp is disputed."""
        export.sleeps(sleep_record("2024-07-21", 5), sleep_record("2024-07-21", 6, mainSleep=False))
        export.scores({6: 60, 5: 80, 7: 99})
        formed = form(values_of(export))
        assert [row["sleepScore"] for row in formed.rows["sleep"]] == ["80", "60"]
        assert formed.unmatched_scores == 1

    def test_nights_of_the_other_ids_are_reported_and_not_guessed(self, export: Export) -> None:
        export.sleeps(sleep_record("2024-07-22", 5))
        export.nights(NIGHTS[:2])
        formed = form(values_of(export))
        assert len(formed.rows["sleep"]) == 1
        assert gaps_of(formed, "")["sleep.google-only"] == [("2024-07-23", "2024-07-23")]

    def test_a_record_without_the_main_flag(self, export: Export) -> None:
        export.sleeps(sleep_record("2024-07-21", 5, mainSleep=None), sleep_record("2024-07-22", 6))
        formed = form(values_of(export))
        assert column(formed, "sleep", "isMainSleep") == {"2024-07-22": "True"}
        assert gaps_of(formed, "isMainSleep") == {
            "sleep.no-main-flag": [("2024-07-21", "2024-07-21")]
        }


class TestVariabilityAndRestingRate:
    def test_zero_is_missing(self, export: Export) -> None:
        export.hrv({"2024-07-21": 33.125, "2024-07-22": 0})
        export.google_hrv(["2024-07-23T00:00:00Z,0,54,2.3,0,Charge 5"])
        formed = form(values_of(export))
        assert column(formed, "hrv", "dailyRmssd") == {"2024-07-21": "33.125"}
        assert gaps_of(formed, "dailyRmssd") == {"hrv.zero": [("2024-07-22", "2024-07-23")]}
        assert gaps_of(formed, "deepRmssd") == {"column.not-exact": []}

    def test_the_name_of_a_summary_is_not_its_day(self, export: Export) -> None:
        export.hrv({"2024-07-20": 30}, "2024-07-(21)")
        export.hrv({"2024-07-21": 31}, "2024-07-22")
        assert column(form(values_of(export)), "hrv", "dailyRmssd") == {
            "2024-07-20": "30",
            "2024-07-21": "31",
        }

    def test_the_older_summary_counts_before_the_newer_file(self, export: Export) -> None:
        export.google_hrv(["2024-07-21T00:00:00Z,40,54,2.3,30.5,Charge 5"])
        export.hrv({"2024-07-21": 33})
        (row,) = form(values_of(export)).rows["hrv"]
        assert row == {"date": "2024-07-21", "dailyRmssd": "33", "deepRmssd": "30.5"}

    def test_mirrored_variability_may_be_another_quantity(self, export: Export) -> None:
        export.google_hrv(["2024-07-21T00:00:00Z,90,54,2.3,80,Watch via Health Kit"])
        formed = form(values_of(export))
        assert formed.rows["hrv"] == []
        assert gaps_of(formed, "dailyRmssd") == {"source.mirrored": [("2024-07-21",) * 2]}

    def test_resting_rates_are_rounded_and_padding_is_left_out(self, export: Export) -> None:
        export.resting({"2024-07-21": 60.5, "2024-07-22": 61.5, "2025-05-01": None})
        formed = form(values_of(export))
        assert column(formed, "rhr", "resting_heart_rate") == {
            "2024-07-21": "60",
            "2024-07-22": "62",
        }
        assert gaps_of(formed, "resting_heart_rate") == {
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
        values = values_of(export)
        formed = form(values)
        assert formed.rows["rhr"] == []
        assert values.skipped == 1
        assert gaps_of(formed, "resting_heart_rate") == {
            "resting.placeholder": [("2024-07-22",) * 2],
            "source.mirrored": [("2024-07-21",) * 2],
        }


def test_an_export_without_anything_says_so() -> None:
    formed = form(values_of(Export()))
    found = [(gap.dataset, gap.column, gap.code) for gap in formed.gaps]
    assert found == [
        (each, "", "column.not-in-archive") for each in ("activity", "sleep", "hrv", "rhr")
    ]
