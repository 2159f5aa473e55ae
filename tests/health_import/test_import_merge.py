"""Merging rows into existing tables: nothing is lost, and the same again changes nothing."""

from datetime import date

import pytest

from health_import.gaps import encode_report, merge_missing
from health_import.tables import COLUMNS, Changes, OldTable, Row, TableError, merge, parse_table
from healthapi import DataError
from healthapi.omissions import Reasons, parse_report
from healthapi.rows.mapping import NATIVE, FileDataset

HEAD = ",".join(COLUMNS["hrv"])


def merged(old: str, fresh: list[Row], *, fresh_wins: bool = True) -> tuple[str, Changes]:
    data, changes = merge("hrv", parse_table(old.encode()), fresh, fresh_wins=fresh_wins)
    return data.decode(), changes


def test_the_columns_are_those_that_are_read() -> None:
    for dataset, table in NATIVE.tables.items():
        assert {name for _, name in table.sources()} <= set(COLUMNS[dataset])


def test_a_newer_export_wins_and_loses_nothing() -> None:
    old = f"{HEAD},note\n2024-07-20,1,2,\n2024-07-21,3,4,ill\n"
    fresh = [{"date": "2024-07-21", "dailyRmssd": "5"}, {"date": "2024-07-19", "deepRmssd": "6"}]
    text, changes = merged(old, fresh)
    assert text == f"{HEAD},note\n2024-07-19,,6,\n2024-07-20,1,2,\n2024-07-21,5,4,ill\n"
    assert changes == Changes(added=1, changed=1, kept=1)


def test_an_older_export_fills_only_blanks() -> None:
    fresh = [{"date": "2024-07-21", "dailyRmssd": "5", "deepRmssd": "6"}]
    text, changes = merged(f"{HEAD}\n2024-07-21,3,\n", fresh, fresh_wins=False)
    assert text == f"{HEAD}\n2024-07-21,3,6\n"
    assert changes == Changes(added=0, changed=1, kept=0)


def test_other_layouts_are_kept() -> None:
    """A byte order mark, CRLF, quotes, line breaks in cells, blank lines, missing columns."""
    old = '\ufeffnote,date\r\n"a, ""b""\nc",2024-07-20T10:00:00\r\n\r\n,2024-07-21\r\n'
    text, _ = merged(old, [{"date": "2024-07-20", "dailyRmssd": "5"}])
    assert text == f'{HEAD},note\n2024-07-20,5,,"a, ""b""\nc"\n2024-07-21,,,\n'
    assert parse_table(text.encode()).last_date == "2024-07-21"


def test_only_cr_and_lf_end_a_line() -> None:
    note = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"
    text, _ = merged(f"note,date\r{note},2024-07-20\r", [])
    assert text == f"{HEAD},note\n2024-07-20,,,{note}\n"


def test_repeated_dates_stay_and_the_last_one_is_changed() -> None:
    old = f"{HEAD}\n2024-07-20,1,\n2024-07-20,2,\n"
    text, changes = merged(old, [{"date": "2024-07-20", "dailyRmssd": "5"}])
    assert text == f"{HEAD}\n2024-07-20,1,\n2024-07-20,5,\n"
    assert changes == Changes(added=0, changed=1, kept=1)


def test_sleeps_are_known_by_their_log() -> None:
    old = parse_table(b"date,logId,efficiency\n2024-07-20,7,90\n2024-07-20,,80\n2024-07-20,,80\n")
    fresh = [{"date": "2024-07-21", "logId": "7"}, {"date": "2024-07-20", "logId": "8"}]
    data, changes = merge("sleep", old, fresh, fresh_wins=True)
    rows = parse_table(data).rows
    assert [(row["date"], row.get("logId")) for row in rows] == [
        ("2024-07-20", None),
        ("2024-07-20", None),
        ("2024-07-20", "8"),
        ("2024-07-21", "7"),
    ]
    assert changes == Changes(added=1, changed=1, kept=2)


LOG: Row = {
    "date": "2026-09-15",
    "logId": "48511223344",
    "startTime": "2026-09-14T23:02:00.000",
    "endTime": "2026-09-15T07:02:00.000",
    "efficiency": "93",
}
GOOGLE: Row = {
    "date": "2026-09-15",
    "startTime": "2026-09-14T23:05:30.000",
    "endTime": "2026-09-15T07:00:00.000",
    "sleepScore": "81",
}


@pytest.mark.parametrize(("first", "second"), [(LOG, GOOGLE), (GOOGLE, LOG)])
def test_a_night_with_and_without_the_id_of_its_log_is_one_row(first: Row, second: Row) -> None:
    """One archive has the JSON files, the other one only the UserSleeps files."""
    data, _ = merge("sleep", OldTable(), [first], fresh_wins=True)
    for _ in range(2):
        data, changes = merge("sleep", parse_table(data), [second], fresh_wins=True)
        (row,) = parse_table(data).rows
        assert row == {**first, **second}
    assert changes == Changes(added=0, changed=0, kept=1)


def test_two_logs_of_the_same_time_stay_two_rows() -> None:
    data, _ = merge("sleep", OldTable(), [GOOGLE], fresh_wins=True)
    fresh = [LOG, {**LOG, "logId": "48511223345"}]
    data, changes = merge("sleep", parse_table(data), fresh, fresh_wins=True)
    assert [row["logId"] for row in parse_table(data).rows] == ["48511223344", "48511223345"]
    assert changes == Changes(added=1, changed=1, kept=0)


def test_sleeps_one_after_the_other_stay_two_rows() -> None:
    nap = {**GOOGLE, "startTime": "2026-09-15T06:30:00.000", "endTime": "2026-09-15T08:00:00.000"}
    data, _ = merge("sleep", OldTable(), [LOG], fresh_wins=True)
    _, changes = merge("sleep", parse_table(data), [nap], fresh_wins=True)
    assert changes == Changes(added=1, changed=0, kept=1)


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"date\n\xff\n", "table.encoding", 1),
        (b"", "table.header", 1),
        (b"day,steps\n", "table.header", 1),
        (b"date,steps,steps\n", "table.header", 1),
        (b"date,steps\n2024-07-20,1\n20.07.2024,5\n", "table.row", 3),
        (b"date,steps\n2024-02-30,5\n", "table.row", 2),
        (b"date,steps\n,5\n", "table.row", 2),
        (b"date,steps\n2024-07-20,1,2\n", "table.row", 2),
        (b'date,steps\n2024-07-20,"1\n', "table.row", 2),
    ],
)
def test_a_table_that_a_merge_could_damage_is_refused(data: bytes, code: str, line: int) -> None:
    with pytest.raises(TableError) as caught:
        parse_table(data)
    assert (caught.value.code, caught.value.line) == (code, line)


DAY, NEXT, LATER = (date(2024, 7, day) for day in (21, 22, 26))


def reasons(old: Reasons, fresh: Reasons, *, fresh_wins: bool = True) -> Reasons:
    """Merge the reasons of a folder with a day and an archive with that day and the next one."""
    tables: dict[FileDataset, list[Row]] = {each: [] for each in COLUMNS}
    first: Row = {"date": "2024-07-21", "steps": "1"}
    second: Row = {"date": "2024-07-22"}
    return merge_missing(
        old,
        fresh,
        {**tables, "activity": [first]},
        {**tables, "activity": [first, second]},
        fresh_wins=fresh_wins,
    )


def test_of_two_reasons_for_a_day_the_one_of_the_newer_archive_stays() -> None:
    old: Reasons = {("activity", "steps"): {"zone.unknown": {DAY, NEXT}}}
    fresh: Reasons = {("activity", "steps"): {"day.incomplete": {DAY}}}
    assert reasons(old, fresh) == {
        ("activity", "steps"): {"day.incomplete": {DAY}, "zone.unknown": {NEXT}}
    }
    assert reasons(old, fresh, fresh_wins=False) == old


def test_a_reason_for_all_days_holds_for_those_of_its_archive() -> None:
    """The other archive has such values, so the reason is not true of all days of the folder."""
    old: Reasons = {("activity", "steps"): {"value.none": {DAY}}}
    lacking: Reasons = {("activity", "steps"): {"column.not-in-archive": None}}
    both = reasons(old, lacking)["activity", "steps"]
    assert both == {"value.none": {DAY}, "column.not-in-archive": {NEXT}}
    assert reasons(lacking, lacking) == lacking
    assert reasons({}, {("hrv", ""): {"column.not-in-archive": None}}) == {
        ("hrv", ""): {"column.not-in-archive": {DAY, NEXT}}
    }


def test_reasons_are_read_as_they_are_written() -> None:
    missing: Reasons = {
        ("sleep", "minutesREM"): {"sleep.classic": {DAY, NEXT, LATER}},
        ("rhr", ""): {"column.not-in-archive": None},
    }
    assert parse_report(encode_report(missing)) == missing


@pytest.mark.parametrize("days", [b'[["2024-07-22", "2024-07-21"]]', b'[["2024-07-22", ""]]', b"3"])
def test_reasons_for_days_that_are_none_are_refused(days: bytes) -> None:
    entry = b'{"dataset": "hrv", "column": null, "code": "hrv.zero", "days": %s}' % days
    with pytest.raises(DataError, match=r"report\.form"):
        parse_report(b'{"version": 1, "missing": [%s]}' % entry)
