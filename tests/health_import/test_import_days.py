"""Which days of an export have rows: padding, days after it, the day on which it was made."""

import json
import os
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from health_import.archives import read_archives
from health_import.readers import parse_csv, parse_json
from health_import.row_building import BuiltRows, build_rows
from health_import.texts import instant_minute
from healthapi.adapters.folder import FolderSource
from support.health_import.exports import (
    Export,
    classic,
    column,
    gaps_of,
    minutes_of,
    sleep_record,
    values_of,
    warnings_of,
)
from support.servers.commands import run as run_module

WORN, UNWORN = date(2026, 9, 1), date(2026, 9, 2)
NAME = "takeout-20260925T100000Z-001.zip"


def built_of(export: Export) -> BuiltRows:
    return build_rows(values_of(export), lambda _: 0)


class TestPadding:
    """A day in which nothing was measured is no row, whichever kind of file is absent."""

    @pytest.mark.parametrize("absent", ["", "sedentary", "levels", "calories", "steps"])
    def test_a_day_that_was_not_worn(self, absent: str) -> None:
        export = Export()
        levels = {str(WORN): (800, 200, 20, 10), str(UNWORN): (1440, 0, 0, 0)}
        if absent != "levels":
            export.levels(levels)
        if absent == "sedentary":
            del export.files[next(name for name in export.files if "sedentary" in name)]
        minutes = minutes_of(WORN)
        basal = dict.fromkeys([*minutes, *minutes_of(UNWORN)], "1.15")
        if absent != "calories":
            export.minutes("calories", "2026-09-01", basal | {minutes[600]: "4"})
        if absent != "steps":
            steps = dict.fromkeys(basal, "0") | {minutes[600]: "90"}
            export.minutes("steps", "2026-09-01", steps)
        built = built_of(export)
        assert [row["date"] for row in built.rows["activity"]] == [str(WORN)]
        assert gaps_of(built, "")["day.placeholder"] == [(str(UNWORN), str(UNWORN))]

    def test_of_days_that_are_left_out_no_value_is_said_to_be_absent(self, tmp_path: Path) -> None:
        export = Export()
        export.levels({str(UNWORN): (1440, 0, 0, 0), "2026-09-28": (800, 200, 20, 10)})
        values = read_archives([str(export.zip(tmp_path / NAME))]).values
        columns = {column for of, column in build_rows(values).gaps.missing if of == "activity"}
        assert columns.isdisjoint({"sedentaryMinutes", "activeMinutes"})
        assert {"", "steps"} <= columns

    @pytest.mark.parametrize("sign", ["sleep", "resting", "hrv", "sedentary", "calories"])
    def test_a_day_with_any_sign_of_a_measurement_stays(self, sign: str) -> None:
        export = Export()
        export.levels({str(WORN): (1000 if sign == "sedentary" else 1440, 0, 0, 0)})
        minutes = minutes_of(WORN)
        if sign == "sleep":
            export.sleeps(sleep_record(str(WORN)))
        if sign == "resting":
            export.resting({str(WORN): 58.0})
        if sign == "hrv":
            export.hrv({str(WORN): 33})
        if sign == "calories":
            export.files.clear()
            export.minutes("calories", "2026-09-01", dict.fromkeys(minutes, "1") | {minutes[0]: 2})
        assert [row["date"] for row in built_of(export).rows["activity"]] == [str(WORN)]


class TestDayOfTheExport:
    def export(self) -> Export:
        export = Export()
        days = [date(2026, 9, 23) + timedelta(days=day) for day in range(4)]
        export.levels({str(day): (800, 200, 20, 10) for day in days})
        export.sleeps(*(sleep_record(str(day), day.toordinal()) for day in days))
        export.resting({str(day): 58.0 for day in days})
        export.hrv({str(day): 33 for day in days})
        return export

    @pytest.mark.parametrize(
        ("write", "name"),
        [(Export.zip, NAME), (Export.zip, NAME.replace(".", " (1).")), (Export.folder, NAME[:-4])],
    )
    def test_days_after_it_are_no_rows(
        self, tmp_path: Path, write: Callable[[Export, Path], Path], name: str
    ) -> None:
        values = read_archives([str(write(self.export(), tmp_path / name))]).values
        assert list(values.exported) == [instant_minute("2026-09-25T10:00:00Z")]
        built = build_rows(values, lambda _: 0)
        for dataset, rows in built.rows.items():
            assert [row["date"][-2:] for row in rows] == ["23", "24", "25"], dataset
        missing = built.gaps.missing.items()
        future = [dataset for (dataset, _), codes in missing if "day.future" in codes]
        assert sorted(future) == ["activity", "hrv", "rhr", "sleep"]
        assert gaps_of(built, "")["day.unfinished"] == [("2026-09-25",) * 2]

    @pytest.mark.parametrize(
        ("made", "has_zone", "open_days"),
        [
            ({"26T03": (23, 25)}, False, "25 25"),  # the evening of the 25th in America
            ({"26T03": (23, 26)}, False, "26 26"),
            ({"25T11": (23, 26)}, False, "26 26"),  # the 26th begins in Oceania
            ({"25T11": (23, 25)}, False, "25 25"),
            ({"27T11": (23, 25)}, False, ""),
            *(({"25T10": (23, 25), "26T10": (26, 26)}, zone, "25 26") for zone in (False, True)),
            *(({"25T10": (23, 25), "26T10": (23, 26)}, zone, "26 26") for zone in (False, True)),
        ],
    )
    def test_without_a_zone_it_is_the_last_day_of_each_archive_that_has_values(
        self, tmp_path: Path, made: dict[str, tuple[int, int]], open_days: str, *, has_zone: bool
    ) -> None:
        paths = []
        for time, (first, last) in made.items():
            export = Export()
            export.levels({f"2026-09-{day}": (800, 200, 20, 10) for day in range(first, last + 1)})
            paths.append(str(export.zip(tmp_path / f"takeout-202609{time}0000Z-001.zip")))
        built = build_rows(read_archives(paths).values, (lambda _: 0) if has_zone else None)
        found = gaps_of(built, "").get("day.unfinished", [])
        assert " ".join(day[-2:] for days in found for day in days) == open_days

    def test_it_is_not_over_whenever_it_is_imported_until_a_later_export_has_it(
        self, tmp_path: Path
    ) -> None:
        older = self.export().zip(tmp_path / NAME)
        newer = self.export().zip(tmp_path / "takeout-20260926T235900Z-001.zip")
        folder = tmp_path / "people" / "ada"
        for archive, open_day in ((older, "25"), (older, "25"), (newer, "26"), (older, "26")):
            ended = run_module(
                *("import", archive, "-o", folder, "--zone", "UTC"), module="healthapi.cli.main"
            )
            assert (ended.code, ended.err) == (0, "")
            profile = FolderSource(folder.parent).profile("ada")
            assert profile.overview.latest_date == f"2026-09-{open_day}"
            assert profile.overview.latest_is_partial is True
            assert profile.partial_periods("daily") == (f"2026-09-{open_day}",)
            report = json.loads((folder / "import-report.json").read_text())["missing"]
            days = [each["days"] for each in report if each["code"] == "day.unfinished"]
            assert days == [[[f"2026-09-{open_day}"] * 2]]

    def test_a_file_without_a_time_is_no_bound_and_a_name_that_is_no_time_is_none(
        self, tmp_path: Path
    ) -> None:
        times = ("20269925T100000Z", "99991231T235959Z", "00010101T000000Z")
        for name in ("a.zip", *(f"takeout-{time}-001.zip" for time in times)):
            path = self.export().zip(tmp_path / name)
            (minute,) = read_archives([str(path)]).values.exported
            assert minute == instant_minute("2027-01-01T12:00:00Z")
        folder = self.export().folder(tmp_path / "f")
        now = instant_minute(datetime.now(UTC).isoformat()) or 0
        for time in (0, 4_102_444_800, datetime.now(UTC).timestamp()):
            for file in folder.rglob("*.*"):
                os.utime(file, (time, time))
            (minute,) = read_archives([str(folder)]).values.exported
            assert abs(minute - now) <= 2


class TestNights:
    @pytest.mark.parametrize(
        ("members", "is_main"),
        [
            ({"duration": 38 * 60_000, "minutesAsleep": 35}, "False"),
            ({"duration": 179 * 60_000, "minutesAsleep": 170}, "False"),
            ({"duration": 180 * 60_000, "minutesAsleep": 170}, "True"),
            ({"duration": 38 * 60_000, "minutesAsleep": 35, "mainSleep": True}, "True"),
            ({"duration": 480 * 60_000, "mainSleep": False}, "False"),
            ({**sleep_record("2026-09-01"), "mainSleep": None, "duration": 100 * 60_000}, "True"),
        ],
    )
    def test_a_sleep_is_a_main_one(self, members: dict[str, object], is_main: str) -> None:
        export = Export()
        export.sleeps(classic("2026-09-01", 1, **{"mainSleep": None, **members}))
        assert column(built_of(export), "sleep", "isMainSleep") == {"2026-09-01": is_main}


class TestClock:
    def test_a_clock_that_was_not_checked_is_a_warning(self) -> None:
        export = Export()
        minutes = minutes_of(WORN)
        export.minutes("steps", "2026-09-01", {minutes[600 + n]: n for n in range(1, 60)})
        assert warnings_of(built_of(export), "steps") == {
            "clock.unchecked": [(str(WORN), str(WORN))]
        }
        export.exercises([(1, "09/01/26 22:30:00", "Walk")])
        assert "clock.unchecked" in warnings_of(built_of(export), "exerciseExamples")
        export.google_minutes("steps", {minutes[600 + n]: n for n in range(1, 60)}, "Charge 5")
        assert warnings_of(built_of(export), "steps") == {}
        assert warnings_of(built_of(export), "exerciseExamples") == {}


class TestMissing:
    """A blank, nan, none and null mean missing, in every file."""

    @pytest.mark.parametrize("text", ["", "nan", "NaN", "none", "null"])
    def test_a_cell(self, text: str) -> None:
        scores = parse_csv(
            "sleep-score", [f"sleep_log_entry_id,overall_score\n1,{text}\n".encode()]
        )
        hrv = parse_csv("hrv-summary", [f"timestamp,rmssd\n2026-09-01,{text}\n".encode()])
        steps = parse_csv(
            "google-steps", [f"timestamp,steps\n2026-09-01T10:00:00Z,{text}\n".encode()]
        )
        level = parse_json("very", json.dumps([{"dateTime": "09/01/26", "value": text}]).encode())
        minute = json.dumps([{"dateTime": "09/01/26 10:00:00", "value": text}]).encode()
        for values in (scores, hrv, steps, level, parse_json("steps", minute)):
            assert values.skipped == 0
        assert (scores.scores, hrv.daily, steps.minutes, level.daily) == ({}, {}, {}, {})
