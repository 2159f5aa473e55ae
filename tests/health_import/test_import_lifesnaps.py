"""A round trip: real days of LifeSnaps, written as a scripted export, come back as they were.

The values are of real people (examples/lifesnaps); the archive around them is scripted.
"""

import csv
import itertools
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import attrs
import pytest

from healthapi.adapters.folder import FolderSource
from healthapi.cli.main import main
from healthapi.profile import Profile
from status_contracts.adapters.zones import offsets_in
from support.health_import.exports import Export, minutes_of, sleep_record

pytestmark = pytest.mark.uncounted

EXAMPLES = Path(__file__).parents[2] / "examples" / "lifesnaps"
ZONE = "Europe/Athens"
DAYS = 21
LOCAL_MINUTES = (0, 1, 480, 1438, 1439)
"""Minutes of the day in which the steps are walked, at both ends of it."""
EPOCH = datetime.fromisoformat("1970-01-01")

Cells = Mapping[str, str]


def number(row: Cells, name: str) -> float | None:
    """Return the number of a cell; None for a blank one."""
    return float(row[name]) if row[name] else None


def utc(local: datetime) -> datetime:
    """Return a local time in UTC."""
    seconds = round((local - EPOCH).total_seconds())
    return local - timedelta(seconds=offsets_in(ZONE)(seconds - 3 * 3600))


def scripted(rows: list[Cells]) -> Export:
    """Return an export whose days have the values of the rows."""
    export = Export("Takeout/Google Health")
    walked: dict[datetime, int] = {}
    burnt: dict[datetime, str] = {}
    sleeps, scores, nights = [], {}, []
    for log_id, row in enumerate(rows, start=1):
        minutes = minutes_of(datetime.fromisoformat(row["date"]).date())
        steps = number(row, "steps")
        if steps is not None:
            for minute, part in zip(LOCAL_MINUTES, parts(round(steps), 5), strict=True):
                walked[utc(minutes[minute])] = part
        energy = number(row, "calories")
        if energy is not None:
            total = round(energy * 100)
            shares = [total // 1440] * 1440 if is_padded(row) else parts(total, 1440)
            burnt |= {at: f"{part / 100:.2f}" for at, part in zip(minutes, shares, strict=True)}
        seven = utc(minutes[420])
        hours = round((minutes[420] - seven).total_seconds() / 3600)
        if row["sleep_duration"]:
            nights.append((seven.isoformat(), f"+{hours:02}:00"))
            sleeps.append(night(row, log_id))
            score = number(row, "sleep_points_percentage")
            scores[log_id] = "" if score is None else repr(round(score * 100, 9))
    export.minutes("steps", rows[0]["date"], walked)
    export.minutes("calories", rows[0]["date"], burnt)
    export.nights(nights, rows[0]["date"])
    export.sleeps(*sleeps)
    export.scores(scores)
    export.hrv({row["date"]: row["rmssd"] for row in rows if row["rmssd"]})
    export.resting({row["date"]: number(row, "resting_hr") for row in rows})
    for kind in ("sedentary", "lightly_active", "moderately_active", "very_active"):
        export.json(
            f"{kind}_minutes-{rows[0]['date']}",
            [
                {"dateTime": at.strftime("%m/%d/%y 00:00:00"), "value": row[f"{kind}_minutes"]}
                for row in rows
                for at in [datetime.fromisoformat(row["date"])]
                if row[f"{kind}_minutes"]
            ],
        )
    return export


def is_padded(row: Cells) -> bool:
    """Check whether nothing was measured on a day; its energy is then the same in all minutes."""
    measured = ("steps", "resting_hr", "minutesAsleep", "rmssd")
    return number(row, "sedentary_minutes") == 1440 and not any(number(row, it) for it in measured)


def parts(total: int, count: int) -> list[int]:
    """Return whole numbers that add up to a total."""
    return [total // count + (index < total % count) for index in range(count)]


def night(row: Cells, log_id: int) -> dict[str, object]:
    """Return the record of a night with the values of a row."""
    names = ("minutesAsleep", "minutesAwake", "minutesToFallAsleep", "minutesAfterWakeup")
    duration = number(row, "sleep_duration") or 0
    return sleep_record(
        row["date"],
        log_id,
        duration=round(duration),
        timeInBed=round(duration / 60_000),
        efficiency=number(row, "sleep_efficiency"),
        **{name: number(row, name) for name in names},
    )


@pytest.mark.parametrize("person", ["person-1", "person-2", "person-3"])
def test_the_values_come_back(person: str, tmp_path: Path) -> None:
    with (EXAMPLES / person / "csv" / "person.csv").open(encoding="utf-8") as file:
        rows: list[Cells] = list(itertools.islice(csv.DictReader(file), DAYS))
    archive = scripted(rows).zip(tmp_path / "takeout.zip")
    folder = tmp_path / "people" / person
    assert main(["import", str(archive), "-o", str(folder), "--zone", ZONE]) == 0
    found = FolderSource(tmp_path / "people").profile(person)
    expected = FolderSource(EXAMPLES).profile(person)
    last = rows[-1]["date"]
    padded = {row["date"] for row in rows if is_padded(row)}
    assert values(found, last, set()) == values(expected, last, padded)


def values(profile: Profile, last: str, padded: set[str]) -> dict[str, list[dict[str, object]]]:
    """Return the rows of a profile up to a day, without what only one of both layouts has."""
    unlike = {"active_zone_minutes", "start_time", "end_time", "minutes_deep", "minutes_rem"}
    unlike |= {"minutes_light", "minutes_wake_stages", "deep_pct", "rem_pct"}
    datasets: dict[str, list[attrs.AttrsInstance]] = {
        "activity": [row for row in profile.activity if row.date not in padded],
        "sleep": list(profile.sleep),
        "hrv": [row for row in profile.hrv if row.hrv],  # 0 stands for not measured
        "rhr": list(profile.rhr),
    }
    return {
        name: [
            {key: value for key, value in attrs.asdict(row).items() if key not in unlike}
            for row in rows
            if attrs.asdict(row)["date"] <= last
        ]
        for name, rows in datasets.items()
    }
