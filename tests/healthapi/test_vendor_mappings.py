"""The column mappings of `examples/vendors`, on made-up rows of these exports."""

from pathlib import Path

import pytest

from healthapi import Profile, load
from healthapi.adapters.column_mapping import parse_column_mapping

FOLDER = Path(__file__).parents[2] / "examples" / "vendors"
TABLES = {
    "Oura": {
        "dailyactivity.csv": "day;steps;active_calories;total_calories\n2024-07-21;8123;620;2350\n",
        "sleepmodel.csv": (
            "day;type;bedtime_start;bedtime_end;time_in_bed;total_sleep_duration;"
            "deep_sleep_duration;rem_sleep_duration;light_sleep_duration;awake_time;latency;"
            "efficiency;average_hrv;lowest_heart_rate\n"
            "2024-07-21;long_sleep;2024-07-20T23:02:00+02:00;2024-07-21T07:02:00+02:00;"
            "28800;25200;4800;6000;14400;3600;600;88;42;51\n"
            "2024-07-21;late_nap;2024-07-21T14:00:00+02:00;2024-07-21T14:30:00+02:00;"
            "1800;1680;;;1680;120;0;93;0;0\n"
            "2024-07-21;rest;2024-07-21T16:00:00+02:00;2024-07-21T16:30:00+02:00;"
            "1800;0;;;;;0;;;\n"
            "2024-07-21;deleted;2024-07-20T22:00:00+02:00;2024-07-21T09:00:00+02:00;"
            "39600;39000;;;39000;;0;;;\n"
        ),
    },
    "WHOOP": {
        "physiological_cycles.csv": (
            "Cycle start time,Wake onset,Heart rate variability (ms),Resting heart rate (bpm),"
            "Energy burned (cal)\n"
            "2024-07-20 23:02:00,2024-07-21 07:02:00,42,51,2350\n2024-07-21 23:10:00,,,,\n"
        ),
        "sleeps.csv": (
            "Sleep onset,Wake onset,Sleep performance %,Asleep duration (min),"
            "In bed duration (min),Light sleep duration (min),Deep (SWS) duration (min),"
            "REM duration (min),Awake duration (min),Sleep efficiency %,Nap\n"
            "2024-07-20 23:02:00,2024-07-21 07:02:00,79,420,480,240,80,100,60,88,false\n"
            "2024-07-21 14:00:00,2024-07-21 14:30:00,,28,30,28,0,0,2,93,true\n"
        ),
    },
    "Samsung Health": {
        "pedometer_day_summary.csv": (
            "com.samsung.shealth.tracker.pedometer_day_summary,6230003,7\n"
            "step_count,source_type,day_time\n"
            "8123,-2,1721520000000,\n5000,0,1721520000000,\n3123,1,1721520000000,\n"
        )
    },
    "Withings": {
        "aggregates_steps.csv": "date,value\n2024-07-21,8123\n",
        "sleep.csv": (
            "from,to,light (s),deep (s),rem (s),awake (s)\n"
            "2024-07-20T23:02:00+02:00,2024-07-21T07:02:00+02:00,14400,4800,6000,3600\n"
        ),
    },
    "Health Auto Export": {
        "HealthAutoExport.csv": (
            "\ufeffDate/Time,Step Count (count),Resting Heart Rate (count/min),"
            "Sleep Analysis [Total] (hr),Sleep Analysis [Deep] (hr),Sleep Analysis [REM] (hr),"
            "Sleep Analysis [Core] (hr),Sleep Analysis [Awake] (hr)\r\n"
            "2024-07-21 00:00:00,8123,51,7,1.3333333,1.6666667,4,1\r\n"
        )
    },
}


def profile_of(name: str, steps: str = "8123") -> Profile:
    texts = {file: text.replace("8123", steps) for file, text in TABLES[name].items()}
    tables = {f"csv/{file}": text.encode() for file, text in texts.items()}
    file = FOLDER / f"{name.lower().replace(' ', '-')}.toml"
    columns = parse_column_mapping(file.read_bytes())
    return load("ada", tables, generated_at="2024-08-01T00:00:00", columns=columns)


@pytest.mark.parametrize("name", sorted(TABLES.keys() - {"WHOOP"}))
def test_a_day_without_a_step_was_not_measured(name: str) -> None:
    assert [row.steps for row in profile_of(name, "0").activity] in ([None], [])


@pytest.mark.parametrize("name", TABLES)
def test_a_mapping_reads_its_export(name: str) -> None:
    profile = profile_of(name)
    if name != "WHOOP":  # it counts no steps
        assert [(row.date, row.steps) for row in profile.activity] == [("2024-07-21", 8123)]
    if name == "Samsung Health":
        return
    (night,) = profile.sleep
    assert (night.date, night.is_main_sleep) == ("2024-07-21", True)
    assert (night.minutes_asleep, night.minutes_deep, night.minutes_rem) == (420, 80, 100)
    assert night.nap_count == (name in ("Oura", "WHOOP"))
    if name != "Withings":
        assert [row.rhr for row in profile.rhr] == [51]
    if name in ("Oura", "WHOOP"):
        assert [row.hrv for row in profile.hrv] == [42.0]
    rules = {finding.rule for group in profile.findings.values() for finding in group.listed}
    assert rules == ({"date.missing"} if name == "WHOOP" else set())
