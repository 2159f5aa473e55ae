"""Importing: no file raises anything but its error, and merging loses nothing."""

import json
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from health_import.file_names import FileKind
from health_import.readers import _ROW_READERS, parse_csv, parse_json
from health_import.row_building import build_rows
from health_import.tables import COLUMNS, OldTable, TableError, merge, parse_table
from health_import.values import FileError, Values
from healthapi import load

JSON_KINDS = (
    *("steps", "calories", "sedentary", "lightly", "fairly", "very"),
    *("resting", "sleep", "exercise"),
)
KINDS: tuple[FileKind, ...] = (*_ROW_READERS, *JSON_KINDS)
CSV_KINDS = list(_ROW_READERS)
NAMES = (
    *("dateTime", "value", "date", "logId", "dateOfSleep", "startTime", "endTime", "duration"),
    *("minutesAsleep", "efficiency", "type", "levels", "summary", "deep", "minutes", "mainSleep"),
    *("activityName",),
)
TIMES = ("07/21/24 13:05:00", "2024-07-21T13:05:00.000", "07/22/24", "2024-07-21", "stages")
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=9)
) | st.sampled_from([*TIMES, "12", "0", "-1", "1e99"])
RECORDS = st.recursive(
    LEAVES, lambda each: st.dictionaries(st.sampled_from(NAMES), each, max_size=9), max_leaves=12
)
HEADERS = (
    "timestamp,rmssd,steps,calories,data source",
    "sleep_log_entry_id,overall_score",
    "date_time,total_minutes",
    "timestamp,average rmssd,deep rmssd,beats per minute,data source",
    "sleep_id,sleep_start,start_utc_offset,sleep_end,end_utc_offset,minutes_asleep",
    "sleep_id,sleep_stage_type,sleep_stage_start,sleep_stage_end",
)
CELLS = st.sampled_from(
    [
        *TIMES,
        "2024-07-21T13:05:00Z",
        "2024-07-21T20:05:30Z",
        "REM",
        "+11:00",
        "39600s",
        "5",
        "-1",
        "",
        "Health Kit",
        '"a,b"',
        '"',
    ]
) | st.text(max_size=5)


@st.composite
def values(draw: st.DrawFn) -> Values:
    """Return the values of some files; those that are refused are left out."""
    found = Values()
    for _ in range(draw(st.integers(1, 4))):
        try:
            if draw(st.booleans()):
                kind: Any = draw(st.sampled_from(JSON_KINDS))
                records = draw(st.lists(RECORDS, max_size=5))
                found.update(parse_json(kind, json.dumps(records).encode()))
            else:
                rows = draw(st.lists(st.lists(CELLS, max_size=6), max_size=5))
                lines = [draw(st.sampled_from(HEADERS)), *(",".join(row) for row in rows)]
                data = "\n".join(lines).encode("utf-8", "replace")
                found.update(parse_csv(draw(st.sampled_from(CSV_KINDS)), [data]))
        except FileError:
            continue
    return found


@given(st.sampled_from(KINDS), st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(kind: FileKind, data: bytes) -> None:
    with suppress(FileError):
        parse_json(kind, data) if kind in JSON_KINDS else parse_csv(kind, [data[:50], data[50:]])


@given(values())
def test_tables_of_any_values_are_read_without_a_finding(found: Values) -> None:
    built = build_rows(found, lambda _: 120)
    files = {}
    for dataset, rows in built.rows.items():
        data, changes = merge(dataset, OldTable(), rows, fresh_wins=True)
        assert changes.added == len(rows)
        again, nothing = merge(dataset, parse_table(data), rows, fresh_wins=True)
        assert (again, nothing.added, nothing.changed) == (data, 0, 0)
        files[f"csv/fitbit_{dataset}.csv"] = data
    profile = load("ada", files, generated_at="2026-01-01T00:00:00")
    assert [each.listed for each in profile.findings.values() if each.listed] == []
    assert len(profile.activity) == len(built.rows["activity"])


@given(st.text(alphabet='date,-20146\n"x', max_size=120), values(), st.booleans())
def test_merging_keeps_each_cell(text: str, found: Values, fresh_wins: bool) -> None:
    try:
        old = parse_table(f"date,steps,mood\n{text}".encode())
    except TableError:
        return
    rows = build_rows(found, lambda _: 0).rows["activity"]
    data, changes = merge("activity", old, rows, fresh_wins=fresh_wins)
    merged = parse_table(data)
    assert set(merged.columns) == {*COLUMNS["activity"], "mood"}
    assert len(merged.rows) == len(old.rows) + changes.added
    assert [row["mood"] for row in merged.rows if "mood" in row] == [
        row["mood"] for row in sorted(old.rows, key=lambda row: row["date"]) if "mood" in row
    ]
