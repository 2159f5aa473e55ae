"""Export archives in the form of Google Takeout, written by a script.

No real archive was available: names, columns and forms are those that several authors describe of
theirs (see docs/reference/health-import.md).

export = Export("Takeout/Fitbit")
export.steps("2024-07-21", {"07/21/24 13:00": 12})
export.zip(path)
"""

import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import attrs

from health_import.file_names import kind_of
from health_import.readers import parse_csv, parse_json
from health_import.row_building import BuiltRows
from health_import.values import Values
from healthapi.omissions import Reasons, day_ranges
from healthapi.rows.mapping import FileDataset

JSON_FOLDER: Final = "Global Export Data"
STAMP: Final = (2027, 1, 1, 12, 0, 0)
"""The time of all entries."""


def us(at: datetime) -> str:
    """Return a time as the JSON files have it."""
    return at.strftime("%m/%d/%y %H:%M:%S")


def minutes_of(day: date) -> list[datetime]:
    """Return the 1,440 minutes of a day."""
    start = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - clocks are scripted
    return [start + timedelta(minutes=minute) for minute in range(1440)]


def sleep_record(day: str, log_id: int = 1, **members: object) -> dict[str, Any]:
    """Return the record of a night with stages that ended on a day."""
    before = (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    levels = {"deep": 80, "light": 240, "rem": 100, "wake": 60}
    return {
        "logId": log_id,
        "dateOfSleep": day,
        "startTime": f"{before}T23:02:00.000",
        "endTime": f"{day}T07:02:00.000",
        "duration": 28_800_000,
        "minutesToFallAsleep": 0,
        "minutesAsleep": 420,
        "minutesAwake": 60,
        "minutesAfterWakeup": 1,
        "timeInBed": 480,
        "efficiency": 93,
        "type": "stages",
        "infoCode": 0,
        "logType": "auto_detected",
        "levels": {
            "summary": {name: {"count": 3, "minutes": value} for name, value in levels.items()},
            "data": [{"dateTime": f"{before}T23:02:00.000", "level": "wake", "seconds": 30}],
        },
        "mainSleep": True,
        **members,
    }


def classic(day: str, log_id: int, **members: object) -> dict[str, Any]:
    """Return the record of a sleep without stages."""
    levels = {"asleep": 400, "restless": 15, "awake": 5}
    summary = {name: {"count": 1, "minutes": value} for name, value in levels.items()}
    given = {"type": "classic", "infoCode": 2, "levels": {"summary": summary, "data": []}}
    return sleep_record(day, log_id, **{**given, **members})


GOOGLE_SLEEPS: Final = (
    "sleep_id,sleep_type,minutes_in_sleep_period,minutes_after_wake_up,minutes_to_fall_asleep,"
    "minutes_asleep,minutes_awake,minutes_longest_awakening,minutes_to_persistent_sleep,"
    "start_utc_offset,sleep_start,end_utc_offset,sleep_end,data_source,sleep_created,"
    "sleep_last_updated"
)
GOOGLE_STAGES: Final = (
    "sleep_id,sleep_stage_id,sleep_stage_type,start_utc_offset,sleep_stage_start,end_utc_offset,"
    "sleep_stage_end,data_source,sleep_stage_created,sleep_stage_last_updated"
)
GOOGLE_SCORES: Final = (
    "sleep_id,sleep_score_id,data_source,score_utc_offset,score_time,overall_score,duration_score,"
    "composition_score,revitalization_score,sleep_time_minutes,deep_sleep_minutes,"
    "rem_sleep_percent,resting_heart_rate,sleep_goal_minutes,waso_count_long_wakes,"
    "waso_count_all_wake_time,restlessness_normalized,hr_below_resting_hr,sleep_score_created,"
    "sleep_score_last_updated"
)


@attrs.frozen
class GoogleSleep:
    """A sleep of the tables of Google Health.

    Attributes:
        sleep_id: id of 19 digits.
        start: beginning in UTC.
        stages: stages in the order of the night, with minutes.
        kind: `STAGES` or `CLASSIC`.
        offset: offset from UTC at the beginning and at the end.
        score: overall score; 0 without one.
        source: the device.

    """

    sleep_id: int
    start: str
    stages: Sequence[tuple[str, float]]
    kind: str = "STAGES"
    offset: tuple[str, str] = ("+02:00", "+02:00")
    score: int = 0
    source: str = "Pixel Watch 3"

    @property
    def minutes(self) -> float:
        """The length in minutes."""
        return sum(minutes for _, minutes in self.stages)

    def _at(self, minutes: float) -> str:
        """Return the time of UTC after some minutes, as these tables have it."""
        found = datetime.fromisoformat(self.start) + timedelta(minutes=minutes)
        return f"{found:%Y-%m-%d %H:%M:%S}+0000"

    def row(self) -> str:
        """Return the row of `UserSleeps`."""
        awake = sum(minutes for stage, minutes in self.stages if stage == "AWAKE")
        before, after = self.offset
        times = f"{before},{self._at(0)},{after},{self._at(self.minutes)}"
        numbers = f"{self.minutes:g},1,0,{self.minutes - awake:g},{awake:g},12,0"
        made = self._at(self.minutes + 5)
        return f"{self.sleep_id},{self.kind},{numbers},{times},{self.source},{made},{made}"

    def stage_rows(self) -> list[str]:
        """Return the rows of `UserSleepStages`."""
        rows, done = [], 0.0
        before, after = self.offset
        for index, (stage, minutes) in enumerate(self.stages):
            times = f"{before},{self._at(done)},{after},{self._at(done + minutes)}"
            made = self._at(self.minutes + 5)
            stage_id = self.sleep_id + index
            rows.append(f"{self.sleep_id},{stage_id},{stage},{times},{self.source},{made},{made}")
            done += minutes
        return rows

    def score_row(self) -> str:
        """Return the row of `UserSleepScores`."""
        at = self._at(self.minutes)
        return (
            f"{self.sleep_id},{self.sleep_id + 1},{self.source},{self.offset[1]},{at},{self.score},"
            f"40,20,18,420,80,23.8,58,480,2,35,0.07,0.9,{at},{at}"
        )


NIGHT_STAGES: Final = (
    *(("LIGHT", 60), ("DEEP", 50.5), ("LIGHT", 89.5), ("REM", 60), ("AWAKE", 30)),
    *(("DEEP", 30), ("LIGHT", 90), ("REM", 40), ("AWAKE", 30)),
)
"""480 minutes: 80.5 deep, 100 REM, 239.5 light, 60 awake."""


@attrs.define
class Export:
    """The files of an archive.

    Attributes:
        root: the folder of the product, such as `Takeout/Fitbit`.
        files: path to content.

    """

    root: str = "Takeout/Fitbit"
    files: dict[str, bytes] = attrs.field(factory=dict)

    def add(self, path: str, content: bytes | str) -> None:
        """Add a file below the folder of the product."""
        data = content.encode() if isinstance(content, str) else content
        self.files[f"{self.root}/{path}"] = data

    def json(self, name: str, records: object) -> None:
        """Add a JSON file of `Global Export Data`, indented as real ones."""
        text = json.dumps(records, indent=2, ensure_ascii=False)
        self.add(f"{JSON_FOLDER}/{name}.json", text)

    def csv(self, path: str, header: str, rows: Iterable[str] = ()) -> None:
        """Add a CSV file."""
        self.add(f"{path}.csv", "".join(f"{line}\n" for line in (header, *rows)))

    def minutes(self, kind: str, name: str, values: Mapping[datetime, object]) -> None:
        """Add a JSON file of minutes: `steps` (clock of UTC) or `calories` (local clock)."""
        records = [{"dateTime": us(at), "value": str(value)} for at, value in values.items()]
        self.json(f"{kind}-{name}", records)

    def levels(self, days: Mapping[str, Sequence[int]], name: str = "2024-07-01") -> None:
        """Add the four files of daily minutes: day to sedentary, lightly, moderately, very."""
        kinds = ("sedentary", "lightly_active", "moderately_active", "very_active")
        for index, kind in enumerate(kinds):
            records = [
                {"dateTime": us(datetime.fromisoformat(day)), "value": str(minutes[index])}
                for day, minutes in days.items()
            ]
            self.json(f"{kind}_minutes-{name}", records)

    def resting(self, days: Mapping[str, float | None], name: str = "2024-01-01") -> None:
        """Add resting rates; None pads a day as real files do."""
        records = []
        for day, rate in days.items():
            at = datetime.fromisoformat(day)
            value = {"date": at.strftime("%m/%d/%y"), "value": rate, "error": 6.8}
            padding = {"date": None, "value": 0.0, "error": 0.0}
            records.append({"dateTime": us(at), "value": padding if rate is None else value})
        self.json(f"resting_heart_rate-{name}", records)

    def sleeps(self, *records: Mapping[str, object], name: str = "2024-07-01") -> None:
        """Add a file of sleeps."""
        self.json(f"sleep-{name}", list(records))

    def scores(self, scores: Mapping[int, object]) -> None:
        """Add the file of sleep scores, with a component of -1 in each row."""
        header = (
            "sleep_log_entry_id,timestamp,overall_score,composition_score,revitalization_score,"
            "duration_score,deep_sleep_in_minutes,resting_heart_rate,restlessness"
        )
        rows = [
            f"{log_id},2024-07-21T07:02:00Z,{score},-1,20,40,80,58,0.07"
            for log_id, score in scores.items()
        ]
        self.csv("Sleep Score/sleep_score", header, rows)

    def hrv(self, days: Mapping[str, object], name: str = "2024-07-(21)") -> None:
        """Add an older summary of heart rate variability."""
        self.csv(
            f"Heart Rate Variability/Daily Heart Rate Variability Summary - {name}",
            "timestamp,rmssd,nremhr,entropy",
            [f"{day}T00:00:00,{rmssd},54.1,2.3" for day, rmssd in days.items()],
        )

    def google_hrv(self, rows: Iterable[str]) -> None:
        """Add a newer one: day, average, heart rate, entropy, deep sleep, source."""
        self.csv(
            "Physical Activity_GoogleData/daily_heart_rate_variability",
            "timestamp,average heart rate variability milliseconds,"
            "non rem heart rate beats per minute,entropy,"
            "deep sleep root mean square of successive differences milliseconds,data source",
            rows,
        )

    def zone_minutes(self, rows: Iterable[str], name: str = "2024-07-01") -> None:
        """Add zone minutes: local time, zone, minutes."""
        self.csv(
            f"Active Zone Minutes (AZM)/Active Zone Minutes - {name}",
            "date_time,heart_zone_id,total_minutes",
            rows,
        )

    def google_minutes(
        self, kind: str, values: Mapping[datetime, object], source: str, name: str = "2024-07-21"
    ) -> None:
        """Add minutes of UTC as CSV: `steps` or `calories`."""
        rows = [f"{at.isoformat()}Z,{value},{source}" for at, value in values.items()]
        self.google_rows(kind, rows, name)

    def google_rows(self, kind: str, rows: Iterable[str], name: str = "2024-07-21") -> None:
        """Add rows of a CSV file of minutes."""
        folder = f"Physical Activity_GoogleData/{kind.title()}"
        self.csv(f"{folder}/{kind}_{name}", f"timestamp,{kind},data source", rows)

    def nights(self, nights: Iterable[tuple[str, str]], name: str = "2024-07-01") -> None:
        """Add nights with offsets: end in UTC and offset, such as `+11:00`."""
        spans = (
            (datetime.fromisoformat(end) - timedelta(hours=8), (offset, offset))
            for end, offset in nights
        )
        sleeps = (
            GoogleSleep(index, start.isoformat(), [("LIGHT", 480)], offset=offset)
            for index, (start, offset) in enumerate(spans)
        )
        self.google_sleeps(*sleeps, kinds="sleeps", name=name)

    def google_sleeps(
        self, *sleeps: "GoogleSleep", kinds: str = "sleeps stages scores", name: str = "2026-09-01"
    ) -> None:
        """Add the three tables of sleeps, or some of them, with all columns of real ones."""
        folder = "Health Fitness Data_GoogleData"
        tables = {
            "sleeps": (GOOGLE_SLEEPS, [sleep.row() for sleep in sleeps]),
            "stages": (GOOGLE_STAGES, [row for sleep in sleeps for row in sleep.stage_rows()]),
            "scores": (GOOGLE_SCORES, [sleep.score_row() for sleep in sleeps if sleep.score]),
        }
        for kind in kinds.split():
            header, rows = tables[kind]
            title = "UserSleeps" if kind == "sleeps" else f"UserSleep{kind.title()}"
            self.csv(f"{folder}/{title}_{name}", header, rows)

    def exercises(self, records: Iterable[tuple[int, str, str]], page: int = 0) -> None:
        """Add exercises: id, time of UTC as the files have it, name."""
        self.json(
            f"exercise-{page}",
            [
                {"logId": log_id, "activityName": name, "startTime": at, "duration": 1_800_000}
                for log_id, at, name in records
            ],
        )

    def zip(self, path: Path) -> Path:
        """Write a zip file."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.files.items():
                info = zipfile.ZipInfo(name, STAMP)
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, data)
        return path

    def folder(self, path: Path) -> Path:
        """Write the files as an unpacked archive."""
        for name, data in self.files.items():
            file = path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return path


def values_of(*exports: Export) -> Values:
    """Return the values of all files, without an archive; raise FileError."""
    values = Values()
    for export in exports:
        for name, data in export.files.items():
            kind = kind_of(name)
            if kind is not None:
                is_json = name.endswith(".json")
                values.update(parse_json(kind, data) if is_json else parse_csv(kind, [data]))
    return values


def column(built: BuiltRows, dataset: FileDataset, name: str) -> dict[str, str]:
    """Return the cells of a column by date; blank ones are left out."""
    return {row["date"]: row[name] for row in built.rows[dataset] if name in row}


def gaps_of(built: BuiltRows, name: str) -> dict[str, list[tuple[str, str]]]:
    """Return code to ranges of days, of the gaps of a column (empty for whole rows)."""
    return _ranges(built.gaps.missing, name)


def warnings_of(built: BuiltRows, name: str) -> dict[str, list[tuple[str, str]]]:
    """Return code to ranges of days, of the warnings of a column (empty for whole rows)."""
    return _ranges(built.gaps.warnings, name)


def _ranges(reasons: Reasons, name: str) -> dict[str, list[tuple[str, str]]]:
    return {
        code: day_ranges(days or ())
        for (_, column), codes in reasons.items()
        if column == name
        for code, days in codes.items()
    }
