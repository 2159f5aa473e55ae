"""Files to rows and findings.  Invariants: *nothing is dropped silently*, *bounded*.

Source: health facts, sections 2 and 3; health-data rulings on rows and files.
"""

from itertools import permutations
from typing import Any, NamedTuple

import pytest

from healthapi.errors import DataError
from healthapi.limits import FINDINGS_LISTED
from healthapi.models import ActivityRow, RhrRow, SleepLog
from healthapi.rows.findings import Findings
from healthapi.rows.mapping import NATIVE, Column, FileDataset, TableMap, Term
from healthapi.rows.reading import CACHED_TEXTS, FindingLog, find_repeated_logs, read_rows
from healthapi.rows.rows import Rows
from support.checks.costs import assert_linear
from support.healthapi.daily_rows import rows_of

Table = tuple[FileDataset, TableMap]


def table_of(dataset: FileDataset, columns: dict[str, Column | str], **form: Any) -> Table:
    """Return the mapping of a table, with texts for single columns."""
    sources = {
        member: Column(one) if isinstance(one, str) else one for member, one in columns.items()
    }
    return dataset, TableMap("a.csv", sources, **form)


STEPS = table_of("activity", {"steps": "steps", "exercise_examples": "names"})
LOGS = table_of(
    "sleep",
    {"log_id": "id", "is_main_sleep": "main", "minutes_asleep": "asleep", "start_time": "start"},
)


class Reading(NamedTuple):
    rows: Rows[Any]
    findings: Findings


def read(text: str | bytes, table: Table = STEPS) -> Reading:
    return Reading(*read_rows(text if isinstance(text, bytes) else text.encode(), *table))


def found(reading: Reading) -> list[tuple[int, str | None, str]]:
    return [(each.line, each.column, each.rule) for each in reading.findings.listed]


@pytest.mark.rule(
    "HA-COLUMN-01",
    "HA-COLUMN-02",
    "HA-COLUMN-03",
    "HA-COLUMN-04",
    "HA-COLUMN-05",
    "HA-COLUMN-07",
    "HA-COLUMN-08",
    "HA-COLUMN-10",
    "HA-FILE-02",
)
class TestNativeFiles:
    def test_sleep(self) -> None:
        reading = read(
            "date,logId,isMainSleep,startTime,endTime,duration,minutesAsleep,minutesAwake,"
            "minutesToFallAsleep,minutesAfterWakeup,timeInBed,efficiency,infoCode,minutesDeep,"
            "minutesREM,minutesLight,minutesWakeStages,minutesAsleepClassic,"
            "minutesRestlessClassic,minutesAwakeClassic,sleepScore\n"
            "2026-01-31,42,True,2026-01-30T23:02:00.000,2026-01-31T07:02:00.000,28800000,440,40,"
            "0,5,480,92,0,80.0,100.0,260.0,40.0,,,,81.5\n",
            ("sleep", NATIVE.tables["sleep"]),
        )
        assert list(reading.rows) == [
            SleepLog(
                date="2026-01-31",
                log_id="42",
                is_main_sleep=True,
                duration=28_800_000,
                minutes_asleep=440,
                minutes_awake=40,
                time_in_bed=480,
                efficiency=92,
                sleep_score=81.5,
                minutes_deep=80,
                minutes_rem=100,
                minutes_light=260,
                minutes_wake_stages=40,
                minutes_to_fall_asleep=0,
                minutes_after_wakeup=5,
                start_time="2026-01-30T23:02:00.000",
                end_time="2026-01-31T07:02:00.000",
            )
        ]
        assert reading.findings == Findings()

    def test_the_older_header_lacks_columns(self) -> None:
        table = NATIVE.tables["activity"]
        reading = read("date,steps,sedentaryMinutes\n2026-01-31,9000,700\n", ("activity", table))
        assert list(reading.rows) == [ActivityRow("2026-01-31", 9000, 700)]
        assert {rule for _, _, rule in found(reading)} == {"column.missing"}
        assert reading.findings.total == 8
        assert str(reading.findings.listed[0]) == (
            "csv/fitbit_activity.csv:1 activityCalories: "
            "the header must have this column; its values are missing"
        )


HEADER = "date,steps,names\n"
A, B = "2026-01-30", "2026-01-31"


FAULTY = [
    (f"date,steps,Names\n{B},1,\n", [1], "1 names column.case"),
    (f"date,steps,names,date\n{B},1,,x\n", [1], "1 date column.repeated"),
    (f"{HEADER}{A},1,\n  ,x\n{B},2,\n", [1, 2], "3 date date.missing"),
    (f"{HEADER}{B},x,a,2\n", [None], "2 None row.long, 2 steps number.form"),
    (f"{HEADER}{A},1,a,,\n{B},x,a, \n", [1, None], "3 steps number.form"),
    (
        f'{HEADER}\n{A},1,"\n"\r\n{B},"x\n",\nz\n',
        [1, None],
        "5 steps number.form, 7 date date.form",
    ),
]
"""Those that the vectors do not have."""


class TestTables:
    def test_columns_that_are_not_read_have_no_finding(self) -> None:
        reading = read(f"date,steps,names,x,x{',' * 5000}\n{B},1,,,{',' * 5000}\n")
        assert [row.steps for row in reading.rows] == [1]
        assert reading.findings == Findings()

    @pytest.mark.parametrize(("text", "steps", "findings"), FAULTY)
    def test_each_fault_has_a_finding_and_affects_nothing_else(
        self, text: str, steps: list[int | None], findings: str
    ) -> None:
        reading = read(text)
        assert [row.steps for row in reading.rows] == steps
        assert ", ".join(f"{line} {name} {rule}" for line, name, rule in found(reading)) == findings
        assert reading.findings.total == findings.count(", ") + 1
        assert reading.findings.rejected_rows == findings.count(" date.")
        assert reading.findings.unreadable_cells == findings.count(" number.")

    @pytest.mark.parametrize(
        ("data", "remedy"),
        [
            ("date;steps\n", "cells are separated by semicolons; save with commas"),
            ("date\tsteps\n", "cells are separated by tabs; save with commas"),
            ("sep=,\ndate,steps\n", "the first line is a note for a spreadsheet; remove it"),
            ("sep=;\ndate;steps\n", "the first line is a note for a spreadsheet; remove it"),
            ("Date,steps\n", "`Date` must be `date`"),
            ("SEP=;\ndate;steps\n", "`skip_lines = 1`; save with commas, or set `delimiter`"),
            ("\n\ndate\ndate,x\nsteps,date\n1,\n", "line 5 has it; remove all before it"),
            (f'day,steps\n{A},1\n{B},"2', "the column of dates is missing, `date`"),
            (f'date,steps,names\n{A},1,x\n{B},"2"0,x\n', "end with its quote: see line 3"),
            (f'date,steps,names\n{A},1,"x\n{B},2,x\n', "end with its quote: see line 2"),
        ],
    )
    def test_a_file_that_cannot_be_read_says_the_remedy(self, data: str, remedy: str) -> None:
        with pytest.raises(DataError) as refused:
            read(data)
        (finding,) = refused.value.findings
        assert remedy in finding.message

    def test_a_finding_quotes_nothing(self) -> None:
        findings = read(f"{HEADER}{B},canary,\ncanary,1,\n").findings
        assert "canary" not in repr(findings)
        with pytest.raises(DataError) as caught:
            read('date,canary\n"canary')
        assert "canary" not in repr(caught.value)


@pytest.mark.rule("HA-CSV-14")
class TestCells:
    def test_a_factor_comes_before_rounding(self) -> None:
        table = table_of("sleep", {"minutes_asleep": Column("ms", 1 / 60_000)})
        rows = read("date,ms\n2026-01-30,90000\n2026-01-31,30000\n", table).rows
        assert [row.minutes_asleep for row in rows] == [2, 0]

    def test_a_heart_rate_that_cannot_be_measured_is_missing(self) -> None:
        beats = {"20": 20, "58.4": 58, "250": 250, "": None}
        odd = dict.fromkeys(("19.9", "250.1", "6000", "0"))
        text = "".join(f"{B},{text}\n" for text in beats | odd)
        reading = read(f"date,resting_heart_rate\n{text}", ("rhr", NATIVE.tables["rhr"]))
        assert [row.rhr for row in reading.rows] == list((beats | odd).values())
        assert [rule for _, _, rule in found(reading)].count("number.implausible") == len(odd)

    def test_a_column_of_two_members_has_one_finding(self) -> None:
        table = table_of("activity", {"steps": "n", "calories_out": "n"})
        reading = read("date,n\n2026-01-31,x\n2026-02-01,5\n", table)
        assert found(reading) == [(2, "n", "number.form")]
        assert [(row.steps, row.calories_out) for row in reading.rows] == [(None, None), (5, 5)]

    def test_a_member_may_read_the_dates(self) -> None:
        table = table_of("sleep", {"start_time": "date"})
        (row,) = read("date\n2026-01-31T01:00\n", table).rows
        assert (row.date, row.start_time) == ("2026-01-31", "2026-01-31T01:00")

    def test_a_constant_is_of_the_type_of_its_member(self) -> None:
        constants = {
            "sleep_score": Column(constant=50),
            "end_time": Column(constant=" 07:00 "),
            "minutes_deep": Column(constant=3),
        }
        table = table_of("sleep", {"is_main_sleep": Column(constant=True), **constants})
        (row,) = read("date\n2026-01-31\n", table).rows.plain()
        assert (row["is_main_sleep"], row["minutes_deep"], row["end_time"]) == (True, 3, "07:00")
        assert str(row["sleep_score"]) == "50.0"

    def test_more_texts_than_are_cached_are_read(self) -> None:
        numbers = [*range(CACHED_TEXTS + 2), 0]
        reading = read(HEADER + "".join(f"{B},{number},\n" for number in numbers))
        assert [row.steps for row in reading.rows] == numbers

    def test_it_is_removed_as_a_whole_unless_it_is_ordinary(self) -> None:
        (log,) = read("date,id,main,asleep,start\n2026-01-31,1,yes,1,Bearer abc\n", LOGS).rows
        text = "date,steps,names\n2026-01-30,1,Run token=abc\n2026-01-31,1,Run、Swim\n"
        assert log.start_time == "[removed]"
        assert [row.exercise_examples for row in read(text).rows] == ["[removed]", "Run、Swim"]

    def test_an_id_is_not_redacted_because_it_identifies_logs(self) -> None:
        rows = [f"2026-01-31,Bearer {letter * 40},no,1,\n" for letter in "ab"]
        reading = read("date,id,main,asleep,start\n" + "".join(rows), LOGS)
        assert len(reading.rows) == 2
        assert reading.findings == Findings()


class TestRepeatedLogs:
    def test_lines_are_those_of_the_file_whatever_its_order(self) -> None:
        lines = ("2026-01-31,7,no,1,", "2026-01-30,8,no,2,", "2026-01-31,7,no,3,")
        again = ("2026-01-30,8,no,4,", "2026-01-29,9,no,5,")
        reading = read("\n".join(["date,id,main,asleep,start", *lines, *again, ""]), LOGS)
        assert [row.minutes_asleep for row in reading.rows] == [5, 4, 3]
        assert found(reading) == [(2, None, "row.repeated"), (3, None, "row.repeated")]


@pytest.mark.rule("HA-CELL-15")
class TestNotMeasured:
    TABLE = table_of(
        "sleep",
        {
            "sleep_score": Column("share", 100.0, not_measured=0),
            "minutes_asleep": Column("asleep", not_measured=-1),
        },
        wide=True,
    )

    @pytest.mark.parametrize(
        ("cells", "values"),
        [("0.0,-1.0", None), ("-0,-1", None), ("0,7", (None, 7)), ("0.57,2", (57.0, 2))],
    )
    def test_a_value_for_what_was_not_measured_is_missing(self, cells: str, values: Any) -> None:
        """Without a finding; a row of a wide file that has no other value is none."""
        reading = read(f"date,share,asleep\n2026-01-31,{cells}\n", self.TABLE)
        assert reading.findings == Findings()
        found = [(row.sleep_score, row.minutes_asleep) for row in reading.rows]
        assert found == ([] if values is None else [values])


def native(dataset: FileDataset, **cells: str) -> Reading:
    """Return what is read of a native table with one row."""
    table = dataset, NATIVE.tables[dataset]
    return read(f"date,{','.join(cells)}\n{B},{','.join(cells.values())}\n", table)


@pytest.mark.rule("HA-CELL-18")
class TestDoubts:
    """What can hardly be true is served unchanged, with a finding."""

    @pytest.mark.parametrize(
        ("dataset", "name", "text", "rule"),
        [
            ("sleep", "minutesAsleep", "25200", "minutes.range"),
            ("sleep", "minutesAwake", "-1", "minutes.range"),
            ("sleep", "timeInBed", "28800", "minutes.range"),
            ("sleep", "minutesREM", "1501", "minutes.range"),
            ("sleep", "minutesREM", "1500", None),
            ("activity", "sedentaryMinutes", "86400", "minutes.range"),
            ("activity", "activeZoneMinutes", "-5", "minutes.range"),
            ("sleep", "efficiency", "101", "percent.range"),
            ("sleep", "sleepScore", "-1", "percent.range"),
            ("sleep", "sleepScore", "100", None),
            ("hrv", "dailyRmssd", "301", "rmssd.range"),
            ("hrv", "deepRmssd", "-0.5", "rmssd.range"),
            ("activity", "steps", "-1", "steps.range"),
            ("activity", "steps", "300000", None),
            ("activity", "steps", "300001", "steps.range"),
            ("activity", "steps", "8123.5", "steps.whole"),
            ("activity", "steps", "8123.0", None),
            ("activity", "steps", "8.123", "number.thousands"),
            ("activity", "caloriesOut", "2.350", "number.thousands"),
            ("activity", "caloriesOut", "2350.125", None),
            ("activity", "caloriesOut", "61.000", None),
            ("activity", "activityCalories", "-5", "energy.range"),
            ("activity", "caloriesOut", "30000", None),
            ("activity", "caloriesOut", "30001", "energy.range"),
        ],
    )
    def test_a_value(self, dataset: FileDataset, name: str, text: str, rule: str | None) -> None:
        reading = native(dataset, **{name: text})
        rules = [(line, column, code) for line, column, code in found(reading) if line > 1]
        assert rules == ([(2, name, rule)] if rule else [])
        assert (reading.findings.rejected_rows, reading.findings.unreadable_cells) == (0, 0)
        values = [cells[0] for cells in reading.rows.cells.values()]
        assert float(text) in values or round(float(text)) in values


@pytest.mark.rule("HA-COLUMN-15")
class TestForms:
    """How a file is written: its cells, numbers, dates, texts, and which rows count."""

    @pytest.mark.parametrize(
        ("text", "form", "expected"),
        [
            ("date;steps\n2026-01-31;7\n", {"delimiter": ";"}, [("2026-01-31", 7)]),
            ("date\tsteps\n2026-01-31\t7\n", {"delimiter": "\t"}, [("2026-01-31", 7)]),
            ("x,1,2\ndate,steps\n2026-01-31,7\n", {"skip_lines": 1}, [("2026-01-31", 7)]),
            ('date,steps\n2026-01-31,"7,6"\n', {"decimal": ","}, [("2026-01-31", 8)]),
            ('date,steps\n2026-01-31,"7.001,6"\n', {"decimal": ","}, [("2026-01-31", None)]),
            ("date,steps\n2026-01-31,7.001\n", {"decimal": ","}, [("2026-01-31", None)]),
            ("date,steps\n31.1.2026 07:02,7\n", {"date_form": "DD.MM.YYYY"}, [("2026-01-31", 7)]),
            ("date,steps\n01/31/26,7\n", {"date_form": "MM/DD/YY"}, [("2026-01-31", 7)]),
            ("date,steps\n31.02.2026,7\n,7\nx,7\n", {"date_form": "DD.MM.YYYY"}, []),
            ("date,steps\n1769817600000,7\n", {"date_form": "milliseconds"}, [("2026-01-31", 7)]),
            ("date,steps\n-5,7\nnan,7\n1769817600,7\nx,7\n", {"date_form": "milliseconds"}, []),
            ("date,steps\n1e99,7\n9" + "0" * 20 + ",7\n", {"date_form": "milliseconds"}, []),
            ("date,steps\n31.01.2026,7\n", {"date_form": "DD.MM.YY"}, []),
            ("date,steps\n20260131T07,7\n", {"date_form": "YYYYMMDD"}, [("2026-01-31", 7)]),
            (
                "date,steps,kind\n2026-01-30,6,-1\n2026-01-31,7, ALL \n",
                {"only": {"kind": ("all ", "-2")}},
                [("2026-01-31", 7)],
            ),
            ("date,steps\n2026-01-31,7\n", {"only": {"kind": ("all",)}}, []),
        ],
    )
    def test_a_table(self, text: str, form: dict[str, Any], expected: list[Any]) -> None:
        table = table_of("activity", {"steps": "steps"}, **form)
        reading = read(text, table)
        assert [(row.date, row.steps) for row in reading.rows] == expected
        assert not ("date_form" in form and reading.findings.unreadable_cells)

    def test_lines_are_counted_from_the_start_of_the_file(self) -> None:
        table = table_of("rhr", {"rhr": "r"}, skip_lines=2)
        assert found(read("a\nb\ndate,r\n2026-01-31,x\n", table)) == [(4, "r", "number.form")]

    @pytest.mark.parametrize(("text", "is_main"), [("False", True), ("true", False), ("", False)])
    def test_texts_that_mean_true(self, text: str, is_main: bool) -> None:
        column = Column("Nap", true_when=(" False",))
        table = table_of("sleep", {"is_main_sleep": column, "duration": "ms"})
        (log,) = read(f"date,Nap,ms\n2026-01-31,{text},7\n", table).rows
        assert log.is_main_sleep is is_main


@pytest.mark.rule("HA-COLUMN-14")
class TestWideFiles:
    RHR = table_of("rhr", {"rhr": "resting_hr"}, wide=True)
    SLEEP = table_of(
        "sleep", {"is_main_sleep": Column(constant=True), "minutes_asleep": "m"}, wide=True
    )

    @pytest.mark.parametrize(("table", "days"), [(RHR, ["24"]), (SLEEP, ["25", "27"])])
    def test_a_row_counts_where_it_has_a_value(self, table: Table, days: list[str]) -> None:
        text = "date,resting_hr,m\n2021-05-24,60,\n2021-05-25,,5\n2021-05-26,,\n2021-05-27,,0\n"
        assert [row.date[-2:] for row in read(text, table).rows] == days

    @pytest.mark.parametrize(
        ("text", "rows", "findings"),
        [
            ("date,resting_hr,x\n,,\nx\n2026-02-30,,,,\n", [], []),
            (
                "date,resting_hr\n2026-01-30,x\n2026-02-30,61\n",
                [RhrRow("2026-01-30", None)],
                [(2, "resting_hr", "number.form"), (3, "date", "date.unreal")],
            ),
            ("date,steps\n2026-01-31,5\n", [], [(1, "resting_hr", "column.missing")]),
        ],
        ids=["without a value", "with an unreadable cell", "without a column"],
    )
    def test_only_a_row_that_counts_has_findings(
        self, text: str, rows: list[RhrRow], findings: list[Any]
    ) -> None:
        reading = read(text, self.RHR)
        assert list(reading.rows) == rows
        assert found(reading) == findings


class TestSums:
    TABLE = table_of(
        "sleep",
        {
            "minutes_asleep": Column(sum=(Term("a"), Term("b", 2.0))),
            "sleep_score": Column(sum=(Term("a", 0.1), Term("b", 0.2))),
        },
    )

    @pytest.mark.parametrize(
        ("cells", "values", "findings"),
        [
            ("1,2", (5, 0.5), []),
            ("0.5,1", (2, 0.25), []),
            ("1,", (1, 0.1), []),
            (",", (None, None), []),
            ("x,1", (None, None), [(2, "a", "number.form")]),
            ("9e15,9e15", (None, 2.7e15), [(2, "b", "number.range"), (2, "a", "percent.range")]),
            ("9e15,4e15", (None, 1.7e15), [(2, "a", "number.range"), (2, "a", "percent.range")]),
        ],
    )
    def test_missing_terms_count_as_zero_and_unreadable_ones_do_not(
        self, cells: str, values: Any, findings: list[Any]
    ) -> None:
        reading = read(f"date,a,b\n2026-01-31,{cells}\n", self.TABLE)
        assert [(row.minutes_asleep, row.sleep_score) for row in reading.rows] == [values]
        assert found(reading) == findings

    def test_a_sum_that_cannot_be_is_reported_and_one_of_nothing_is_missing(self) -> None:
        table = table_of("rhr", {"rhr": Column(sum=(Term("a"), Term("b", 2.0)))})
        text = "date,a,b\n2026-01-30,,\n2026-01-31,5,\n2026-02-01,20,1\n"
        reading = read(text, table)
        assert [row.rhr for row in reading.rows] == [None, None, 22]
        assert found(reading) == [(3, "a", "number.implausible")]

    def test_a_term_that_the_header_lacks_counts_as_zero(self) -> None:
        reading = read("date,b\n2026-01-31,2\n", self.TABLE)
        assert [row.minutes_asleep for row in reading.rows] == [4]
        assert found(reading) == [(1, "a", "column.missing")]


@pytest.mark.check
class TestCost:
    @pytest.mark.parametrize(
        "line",
        [
            "2026-01-31,1,Run",
            "2026-01-31,x,Run",
            "x,x,x",
            "2026-01-31",
            '"2026-01-31","1","a\nb"',
            "2026-01-31,1,Run\r",
            "2026-01-31,1,Run,,,",
        ],
    )
    def test_rows_cost_linear_time(self, line: str) -> None:
        assert_linear(read, lambda size: "date,steps,names\n" + f"{line}\n" * size, 2000)


class TestRepeated:
    def test_the_best_row_is_the_log_whatever_the_order(self) -> None:
        """Main sleep first, then minutes asleep, then duration."""
        ascending = (
            SleepLog("2026-01-31", "7", False, 9, 600),
            SleepLog("2026-01-31", "7", True, 9, None),
            SleepLog("2026-01-31", "7", True, 1, 400),
            SleepLog("2026-01-31", "7", True, 2, 400),
        )
        for order in permutations(range(4)):
            given = rows_of(SleepLog, [ascending[rank] for rank in order])
            assert find_repeated_logs(given) == {n for n, rank in enumerate(order) if rank != 3}


class TestFindingLog:
    def test_the_first_by_line_are_listed(self) -> None:
        log = FindingLog("csv/a.csv")
        for line in range(2, 2 + FINDINGS_LISTED):
            log.add(line, None, "row.long")
        log.add(5, None, "row.repeated")
        found = log.findings()
        assert {each.file for each in found.listed} == {"csv/a.csv"}
        assert [each.line for each in found.listed[2:6]] == [4, 5, 5, 6]
        assert found.listed[4].rule == "row.repeated"
        assert (len(found.listed), found.total) == (FINDINGS_LISTED, FINDINGS_LISTED + 1)
        assert found.rejected_rows == 1
