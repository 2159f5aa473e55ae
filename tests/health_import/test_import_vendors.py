"""Exports of Apple Health and Garmin, in their public formats with invented values."""

import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from health_import import apple as apple_module
from health_import.apple import AppleHealth
from health_import.garmin import Garmin
from health_import.row_building import BuiltRows, build_other
from health_import.values import FileError, Values
from support.checks.costs import assert_linear
from support.health_import.exports import gaps_of
from support.servers.commands import run as run_module

STEP = "HKQuantityTypeIdentifierStepCount"
RESTING = "HKQuantityTypeIdentifierRestingHeartRate"
DTD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
]>
"""
BROKEN_DTD = DTD.replace("]>", "<!ATTLIST HeartRateVariabilityMetadataList (\n]>")
BOMB = DTD.replace(
    "]>", '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "x">]>'
)


def record(kind: str, value: object, start: str, end: str = "", source: str = "Watch") -> str:
    """Return a record; times are local, at +02:00."""
    return (
        f'<Record type="{kind}" sourceName="{source}" startDate="{start}:00 +0200"'
        f' endDate="{end or start}:00 +0200" value="{value}"><MetadataEntry key="a" value="b"/>'
        "</Record>\n"
    )


def phase(name: str, start: str, end: str, source: str = "Watch") -> str:
    """Return a phase of sleep."""
    value = f"HKCategoryValueSleepAnalysis{name}"
    return record("HKCategoryTypeIdentifierSleepAnalysis", value, start, end, source)


def xml(*records: str, head: str = DTD) -> bytes:
    """Return an export of 1 August 2024."""
    date = '<ExportDate value="2024-08-01 10:00:00 +0200"/>'
    return f'{head}<HealthData locale="de">{date}{"".join(records)}</HealthData>'.encode()


def apple(data: bytes, chunk: int = 64) -> tuple[dict[str, list[dict[str, str]]], int]:
    """Return the rows of a file, and the number of records that were skipped."""
    export = AppleHealth()
    chunks = (data[at : at + chunk] for at in range(0, len(data), chunk))
    skipped = export.read("export.xml", chunks)
    return {str(key): rows for key, rows in export.rows().items()}, skipped


NIGHT = "2024-07-20 23:00", "2024-07-21 07:00"
SLEEPS = {
    "core runs in parallel with the other stages": (
        [
            phase("AsleepCore", *NIGHT),
            phase("AsleepDeep", "2024-07-21 00:00", "2024-07-21 01:00"),
            phase("AsleepREM", "2024-07-21 05:00", "2024-07-21 06:30"),
        ],
        [("23:00", "07:00", 480, (60, 90, 330, 0))],
    ),
    "a phase that is given twice counts once": (
        [phase("AsleepCore", *NIGHT), phase("AsleepCore", *NIGHT)],
        [("23:00", "07:00", 480, (0, 0, 480, 0))],
    ),
    "awake within core": (
        [phase("AsleepCore", *NIGHT), phase("Awake", "2024-07-21 03:00", "2024-07-21 03:20")],
        [("23:00", "07:00", 460, (0, 0, 460, 20))],
    ),
    "generic phases beside stages do not count": (
        [phase("AsleepUnspecified", *NIGHT), phase("AsleepDeep", *NIGHT)],
        [("23:00", "07:00", 480, (480, 0, 0, 0))],
    ),
    "a time in bed is no sleep": ([phase("InBed", *NIGHT)], []),
    "a night awake is no sleep": ([phase("Awake", *NIGHT)], []),
    "a source that ends before midnight overlaps the night of another": (
        [
            phase("AsleepCore", "2024-07-20 22:00", "2024-07-21 06:00"),
            phase("AsleepUnspecified", "2024-07-20 22:00", "2024-07-20 23:58", "AutoSleep"),
        ],
        [("22:00", "06:00", 480, (0, 0, 480, 0))],
    ),
    "a pause of less than an hour is neither asleep nor awake": (
        [
            phase("AsleepCore", "2024-07-20 23:00", "2024-07-21 01:00"),
            phase("AsleepCore", "2024-07-21 01:30", "2024-07-21 07:00"),
        ],
        [("23:00", "07:00", 450, (0, 0, 450, 0))],
    ),
    "phases an hour apart are two sleeps": (
        [
            phase("AsleepCore", "2024-07-20 23:00", "2024-07-21 03:00"),
            phase("AsleepCore", "2024-07-21 04:00", "2024-07-21 07:00"),
        ],
        [("23:00", "03:00", 240, (0, 0, 240, 0)), ("04:00", "07:00", 180, (0, 0, 180, 0))],
    ),
}
STAGES = ("minutesDeep", "minutesREM", "minutesLight", "minutesWakeStages")


class TestApple:
    @pytest.mark.parametrize("name", SLEEPS)
    def test_sleeps(self, name: str) -> None:
        records, expected = SLEEPS[name]
        rows, skipped = apple(xml(*records))
        assert skipped == 0
        assert [
            (
                row["startTime"][11:16],
                row["endTime"][11:16],
                int(row["minutesAsleep"]),
                tuple(int(row[stage]) for stage in STAGES),
            )
            for row in rows["sleep"]
        ] == expected

    @pytest.mark.parametrize("head", [DTD, BROKEN_DTD, BOMB, "", "\ufeff" + DTD])
    @pytest.mark.parametrize("chunk", [7, 64, 100_000])
    def test_a_document_type_is_never_read(self, head: str, chunk: int) -> None:
        data = xml(record(STEP, 3000, "2024-07-21 09:00", source="a\x0bb"), head=head)
        rows, skipped = apple(data, chunk)
        assert (rows["activity"], skipped) == ([{"date": "2024-07-21", "steps": "3000"}], 0)
        assert (rows["sleep"], rows["rhr"]) == ([], [])

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"<a/>", "file.root"),
            (b" " * 2_000_000 + b"<HealthData/>", "file.root"),
            (xml(record(STEP, 1, "2024-07-21 09:00"))[:-4], "file.xml"),
            (xml("&c;", head=BOMB), "file.xml"),
            (xml(DTD), "file.xml"),
            (xml("<a>" * 100 + "</a>" * 100), "file.xml"),
            (xml(f'<a b="{"c" * 3_000_000}"/>'), "file.xml"),
        ],
    )
    def test_a_file_that_cannot_be_read(self, data: bytes, code: str) -> None:
        with pytest.raises(FileError) as caught:
            apple(data, 100_000)
        assert caught.value.code == code

    def test_steps_are_of_the_source_with_most_of_a_day_and_zeros_are_none(self) -> None:
        rows, _ = apple(
            xml(
                record(STEP, 3000, "2024-07-21 09:00", source="Phone"),
                record(STEP, 3100, "2024-07-21 09:00"),
                record(STEP, 5023, "2024-07-21 18:00"),
                record(STEP, 0, "2024-07-22 18:00"),
                record(RESTING, 51.4, "2024-07-21 09:00"),
                record(RESTING, 0, "2024-07-22 09:00"),
            )
        )
        assert rows["activity"] == [{"date": "2024-07-21", "steps": "8123"}]
        assert rows["rhr"] == [{"date": "2024-07-21", "resting_heart_rate": "51"}]

    @pytest.mark.parametrize(
        "bad",
        [
            phase("AsleepDreaming", *NIGHT),
            phase("AsleepCore", *NIGHT[::-1]),
            phase("AsleepCore", "2024-07-20 23:00", "2024-07-23 07:00"),
            phase("AsleepCore", "2024-02-30 23:00", NIGHT[1]),
            phase("AsleepCore", "2024-07-20 25:00", NIGHT[1]),
            phase("AsleepCore", *NIGHT).replace(" +0200", ""),
            record(STEP, "x", "2024-07-21 09:00"),
            record(STEP, -1, "2024-07-21 09:00"),
            record(STEP, 1, "1970-01-01 09:00"),
            f'<Record type="{STEP}"/>',
        ],
    )
    def test_a_record_of_another_form_is_skipped_and_counted(self, bad: str) -> None:
        rows, skipped = apple(xml(bad, record(STEP, 7, "2024-07-21 09:00")))
        assert (skipped, rows["sleep"]) == (1, [])
        assert rows["activity"] == [{"date": "2024-07-21", "steps": "7"}]

    def test_a_file_of_too_many_records_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(apple_module, "_MAX_VALUES", 2)
        phases = [phase("AsleepCore", *NIGHT, source=source) for source in "abc"]
        with pytest.raises(FileError) as caught:
            apple(xml(*phases))
        assert caught.value.code == "file.records"

    def test_time_grows_with_the_records_and_not_with_their_sources(self) -> None:
        def chunks(count: int) -> list[bytes]:
            sources = map(str, range(count))
            phases = [phase("AsleepCore", *NIGHT, source=source).encode() for source in sources]
            return [b"<HealthData>", *phases, b"</HealthData>"]

        assert AppleHealth().read("export.xml", chunks(2)) == 0  # without the day of the export
        assert_linear(lambda read: AppleHealth().read("export.xml", read), chunks, 4_000)

    @pytest.mark.check
    def test_memory_does_not_grow_with_the_file(self) -> None:
        def chunks(count: int) -> Iterator[bytes]:
            yield b"<HealthData>"
            for _ in range(count):
                yield record(STEP, 1, "2024-07-21 09:00").encode() * 100
            yield b"</HealthData>"

        peaks = []
        for count in (50, 500):
            tracemalloc.start()
            AppleHealth().read("export.xml", chunks(count))
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert peaks[1] < 2 * peaks[0] + 100_000


UDS = {
    "calendarDate": "2024-07-21",
    "totalSteps": 8123,
    "totalKilocalories": 2350.0,
    "activeKilocalories": 620.0,
    "restingHeartRate": 51,
    "wellnessStartTimeGmt": "2024-07-20T22:00:00.0",
    "wellnessStartTimeLocal": "2024-07-21T00:00:00.0",
}
SLEEP = {
    "calendarDate": "2024-07-21",
    "sleepStartTimestampGMT": "2024-07-20T21:02:00.0",
    "sleepEndTimestampGMT": "2024-07-21T05:02:00.0",
    "deepSleepSeconds": 4800,
    "lightSleepSeconds": 14400,
    "remSleepSeconds": 6000,
    "awakeSleepSeconds": 3600,
    "sleepScores": {"overallScore": 80},
}
EMPTY = dict.fromkeys(("deepSleepSeconds", "lightSleepSeconds", "remSleepSeconds"), 0)


def garmin(**files: object) -> tuple[BuiltRows, int]:
    """Return the tables of files, and the number of records that were skipped."""
    export, skipped = Garmin(), 0
    for name, records in files.items():
        assert export.wants(f"3f/DI_CONNECT/{name}.json")
        skipped += export.read(f"{name}.json", [json.dumps(records).encode()])
    return _built(export), skipped


def _built(export: Any) -> BuiltRows:
    return build_other(export, Values(), None)


class TestGarmin:
    def test_a_day_and_its_night(self) -> None:
        health = {
            "calendarDate": "2024-07-21",
            "metrics": [{"type": "HR", "value": 50}, {"type": "HRV", "value": 48.0}],
        }
        built, skipped = garmin(
            UDSFile_a=[UDS], x_sleepData=[SLEEP, {"retro": False}], x_healthStatusData=[health]
        )
        assert skipped == 0
        assert built.rows["activity"] == [
            {
                "date": "2024-07-21",
                "steps": "8123",
                "activityCalories": "620",
                "caloriesOut": "2350",
            }
        ]
        (night,) = built.rows["sleep"]
        assert (night["startTime"], night["endTime"]) == (
            "2024-07-20T23:02:00.000",
            "2024-07-21T07:02:00.000",
        )
        names = ("isMainSleep", "minutesAsleep", "minutesDeep", "minutesREM", "sleepScore")
        assert [night[name] for name in names] == ["True", "420", "80", "100", "80"]
        assert built.rows["hrv"] == [{"date": "2024-07-21", "dailyRmssd": "48"}]
        assert built.rows["rhr"] == [{"date": "2024-07-21", "resting_heart_rate": "51"}]

    @pytest.mark.parametrize(
        ("files", "dataset"),
        [
            ({"UDSFile_a": [{**UDS, "totalSteps": 0, "restingHeartRate": 0}]}, "activity"),
            ({"UDSFile_a": [{"calendarDate": "2024-07-21", "totalSteps": 0}]}, "activity"),
            ({"x_sleepData": [{**SLEEP, "sleepWindowConfirmationType": "OFF_WRIST"}]}, "sleep"),
            ({"x_sleepData": [{**SLEEP, **EMPTY}]}, "sleep"),
            ({"x_sleepData": [{"calendarDate": "2024-07-21"}]}, "sleep"),
            ({"x_sleepData": [{**EMPTY, "calendarDate": "2024-07-21"}]}, "sleep"),
        ],
    )
    def test_what_was_not_worn_has_no_row_and_is_reported(
        self, files: dict[str, object], dataset: str
    ) -> None:
        built, skipped = garmin(**files)
        assert (skipped, dict(built.rows)) == (0, {key: [] for key in built.rows})
        missing = built.gaps.missing.items()
        assert [of for (of, _), codes in missing if "day.placeholder" in codes] == [dataset]

    def test_a_resting_rate_of_0_is_missing_on_a_day_with_steps(self) -> None:
        built, _ = garmin(UDSFile_a=[{**UDS, "restingHeartRate": 0}])
        assert (len(built.rows["activity"]), built.rows["rhr"]) == (1, [])

    @pytest.mark.parametrize(
        ("metrics", "rows"),
        [
            *(
                ([{"type": "HRV", "value": value, "status": "UNKNOWN"}, 5], [])
                for value in (0, -1, None, "x")
            ),
            (
                [{"type": "HRV", "value": value} for value in (44, 45.5)],
                [{"date": "2024-07-21", "dailyRmssd": "45.5"}],
            ),
        ],
    )
    def test_of_the_variabilities_of_a_day_the_last_one_counts(
        self, metrics: list[object], rows: list[dict[str, str]]
    ) -> None:
        built, _ = garmin(x_healthStatusData=[{"calendarDate": "2024-07-21", "metrics": metrics}])
        assert built.rows["hrv"] == rows

    def test_a_stage_that_is_not_there_is_missing_and_not_0(self) -> None:
        night = {name: value for name, value in SLEEP.items() if name != "remSleepSeconds"}
        built, _ = garmin(x_sleepData=[night])
        assert "minutesREM" not in built.rows["sleep"][0]
        assert "startTime" not in built.rows["sleep"][0]  # no record of the day has the offset

    def test_a_night_without_a_score(self) -> None:
        built, _ = garmin(x_sleepData=[{**SLEEP, "sleepScores": None}])
        assert "sleepScore" not in built.rows["sleep"][0]

    def test_of_a_day_that_two_files_have_the_later_name_counts(self) -> None:
        built, _ = garmin(UDSFile_b=[UDS], UDSFile_a=[{**UDS, "totalSteps": 1}])
        assert built.rows["activity"][0]["steps"] == "8123"

    @pytest.mark.parametrize("bad", [1, None, {"calendarDate": "Jul 21, 2024"}])
    def test_a_record_of_another_form_is_skipped_and_counted(self, bad: object) -> None:
        built, skipped = garmin(UDSFile_a=[bad, UDS])
        assert (skipped, len(built.rows["activity"])) == (1, 1)


class TestCommand:
    def test_an_export_of_apple(self, tmp_path: Path) -> None:
        data = xml(
            record(STEP, 3000, "2024-08-01 09:00"),
            record(STEP, 3000, "2024-08-02 09:00"),
            record(STEP, 3000, "2024-07-31 09:00"),
        )
        with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
            archive.writestr("apple_health_export/导出.xml", data)
            archive.writestr("apple_health_export/export_cda.xml", "<ClinicalDocument/>")
        (tmp_path / "export.xml").write_bytes(data)
        tables = []
        for name in ("export.zip", "export.xml"):
            folder = tmp_path / name.replace(".", "_")
            given = ("import", "--from", "apple", tmp_path / name, "-o", folder)
            ended = run_module(*given, module="healthapi.cli.main")
            assert (ended.code, ended.err) == (0, "")
            tables.append((folder / "csv" / "fitbit_activity.csv").read_text())
            assert "1 day (2024-08-02): the day is later than the export [day.future]" in ended.out
            assert "1 day (2024-08-01): the day was not over" in ended.out
        assert tables[0] == tables[1]
        assert [line[:15] for line in tables[0].splitlines()[1:]] == [
            "2024-07-31,3000",
            "2024-08-01,3000",
        ]

    def test_the_wrong_vendor_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "steps-2024-07-21.json").write_text("[]")
        ended = run_module(
            *("import", "--from", "apple", tmp_path, "-o", tmp_path / "ada"),
            module="healthapi.cli.main",
        )
        assert ended.code == 1
        assert " ".join(ended.err.split()) == (
            f"healthapi: {tmp_path}: has nothing to import: this looks like an export of Fitbit or"
            " Google Health; leave out --from [archive.unrelated]"
        )


def test_a_lone_nap_of_apple_is_no_night() -> None:
    export = AppleHealth()
    nap = phase("AsleepUnspecified", "2024-07-21 14:00", "2024-07-21 14:40")
    export.read("export.xml", [xml(nap)])
    built = _built(export)
    assert [row["isMainSleep"] for row in built.rows["sleep"]] == ["False"]
    assert "column.not-in-archive" in gaps_of(built, "")
