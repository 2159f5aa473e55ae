"""The column mapping of the page on privacy publishes what the page says, and nothing else."""

import re
from pathlib import Path
from typing import Final

from healthapi import load
from healthapi.adapters.column_mapping import parse_column_mapping
from healthapi.profile import list_files

PAGE: Final = Path(__file__).parents[2] / "docs/explanation/privacy.md"
TABLES: Final = {
    "csv/fitbit_activity.csv": b"date,steps\n2026-11-20,9120\n",
    "csv/fitbit_hrv.csv": b"date,dailyRmssd\n2026-11-20,42\n",
    "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-11-20,58\n",
    "csv/fitbit_sleep.csv": (
        b"date,logId,isMainSleep,startTime,endTime,minutesAsleep,minutesDeep,efficiency\n"
        b"2026-11-20,7,True,2026-11-19T23:02:00,2026-11-20T07:02:00,420,70,88\n"
    ),
}


def test_only_the_columns_of_the_map_are_published() -> None:
    _, text = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    columns = parse_column_mapping(text.encode())
    files = {name: TABLES[name] for name in TABLES if name in list_files(columns)}
    profile = load("ada", files, generated_at="2026-11-22T08:00:00", columns=columns)
    assert (list(profile.activity), list(profile.hrv)) == ([], [])
    (rhr,), (night,) = profile.rhr, profile.sleep
    assert (rhr.rhr, night.minutes_asleep) == (58, 420)
    hidden = (night.start_time, night.end_time, night.minutes_deep, night.efficiency)
    assert hidden == (None,) * len(hidden)
