"""Names, times, records and rows of the files of scripted exports."""

import json
from array import array
from collections.abc import Callable
from datetime import date

import pytest

from health_import import readers
from health_import import values as values_module
from health_import.clock import LocalClock, local_totals
from health_import.file_names import FileKind, kind_of
from health_import.readers import LINE_BYTES, parse_csv, parse_json
from health_import.texts import day_of, instant_minute, local_minute, offset_minutes
from health_import.values import MAX_VALUE, NO_TOTAL, FileError, Minutes, Values
from support.health_import.exports import sleep_record

ORDINAL = date(2024, 7, 21).toordinal()
GOOGLE_SLEEPS = b"sleep_id,sleep_start,start_utc_offset,sleep_end,end_utc_offset\n"
GOOGLE_STAGES = b"sleep_id,sleep_stage_type,sleep_stage_start,sleep_stage_end\n"


OTHERS = (
    *("heart_rate-2024-07-21.json", "calories_in_heart_rate_zone_2024-07-21.csv"),
    *("heart_rate_zones_1970-01-01.csv", "calories_2026-10-01.csv"),
    "Daily Heart Rate Variability Details - 2024-07-21.csv",
    *("UserSensorCompressionToken_2024-07-21.csv", "distance-2024-07-21.json"),
    *("steps-2024-07-21.json/other.txt", "xsteps-2024-07-21.json"),
    *("steps-2024-07-21.json.txt", "steps-2024-07-21.json (1)"),
    *("steps-2024-07-21 (x).json", ""),
)


class TestNames:
    @pytest.mark.parametrize(
        ("path", "kind"),
        [
            ("Takeout/Fitbit/Global Export Data/steps-2024-07-21.json", "steps"),
            ("Google Health/Global Export Data/calories-2024-07-21.json", "calories"),
            ("Ada/user-site-export/sedentary_minutes-2019-07-21.json", "sedentary"),
            ("Ada/Physical Activity/lightly_active_minutes-2019-07-21.json", "lightly"),
            ("moderately_active_minutes-2019-07-21.json", "fairly"),
            ("very_active_minutes-2019-07-21.json", "very"),
            ("Ada/Google Data/resting_heart_rate-2019-07-21.json", "resting"),
            ("Sleep/sleep-2019-07-21.json", "sleep"),
            ("exercise-1200.json", "exercise"),
            ("Puntuación de sueño/sleep_score.csv", "sleep-score"),
            ("x/Daily Heart Rate Variability Summary - 2024-07-(21).csv", "hrv-summary"),
            ("Active Zone Minutes (AZM)/Active Zone Minutes - 2024-07-01.csv", "zone-minutes"),
            ("Physical Activity_GoogleData/steps_2026-10-01.csv", "google-steps"),
            ("daily_heart_rate_variability.csv", "google-hrv"),
            ("daily_heart_rate_variability_2026-10-01.csv", "google-hrv"),
            ("daily_resting_heart_rate.csv", "google-resting"),
            ("Health Fitness Data_GoogleData/UserSleeps_2026-10-01.csv", "google-sleeps"),
            ("UserSleepStages_2026-10-01.csv", "google-stages"),
            ("UserSleepScores_2026-10-01.csv", "google-scores"),
            ("active_zone_minutes_2026-10-01.csv", "google-zone"),
            ("active_zone_minutes.csv", "google-zone"),
            ("Takeout\\Fitbit\\sleep-2019-07-21.json", "sleep"),
            ("sleep_score(1).csv", "sleep-score"),
            ("sleep-2019-07-21 (12).json", "sleep"),
            ("x/Daily Heart Rate Variability Summary - 2024-07-(21) (1).csv", "hrv-summary"),
            ("active_zone_minutes_2026-10-01(1).csv", "google-zone"),
            *((path, None) for path in OTHERS),
        ],
    )
    def test_names_count_and_folders_do_not_and_other_files_are_never_opened(
        self, path: str, kind: FileKind | None
    ) -> None:
        assert kind_of(path) == kind


class TestTimes:
    DAYS = ("07/21/24", "2024-07-21", "07/21/24 00:00:00")
    NO_DAYS = ("", "1970-01-01", "2100-01-01", "02/30/24", "2024-13-01", "21.07.2024", "٢٠٢٤")
    LOCAL = ("07/21/24 13:05:00", "2024-07-21T13:05:00.000", "2024-07-21 13:05", "2024-07-21T13:05")
    NOT_LOCAL = ("", "07/21/24", "07/21/24 24:00:00", "x 13:05")
    INSTANTS = ("2024-07-21T13:05:00Z", "2024-07-21T15:05:00+02:00", "2024-07-21 13:05:00+0000")
    NO_INSTANTS = ("", "Z", "2024-07-21T13:05:00", "x", "2024-07-21T25:05:00+02:00")

    @pytest.mark.parametrize(
        ("read", "text", "expected"),
        [
            *((day_of, text, ORDINAL) for text in DAYS),
            *((day_of, text, None) for text in NO_DAYS),
            *((local_minute, text, ORDINAL * 1440 + 785) for text in LOCAL),
            *((local_minute, text, None) for text in NOT_LOCAL),
            *((instant_minute, text, ORDINAL * 1440 + 785) for text in INSTANTS),
            *((instant_minute, text, None) for text in (*NO_INSTANTS, "9999-12-31T23:59-02:00")),
            *((offset_minutes, text, 660) for text in ("+11:00", "11:00", "39600s")),
            *((offset_minutes, text, -210) for text in ("-03:30", "-12600s")),
            *((offset_minutes, text, 0) for text in ("Z", "0s")),
            *((offset_minutes, "+0545", 345), (offset_minutes, "+02:00:00", 120)),
            *((offset_minutes, text, None) for text in ("", "+25:00", "99999s", "east")),
        ],
    )
    def test_each_form_is_read_and_no_other(
        self, read: Callable[[str], int | None], text: str, expected: int | None
    ) -> None:
        assert read(text) == expected

    def test_a_single_night_is_valid_for_two_days(self) -> None:
        clock = LocalClock({100_000: 60}, None)
        found = [clock.offset(100_000 + days * 1440) for days in (-3, -2, 2, 3)]
        assert found == [None, 60, 60, None]

    @pytest.mark.parametrize(("offset", "most"), [(330, 2), (0, 2), (-300, 2), (None, 98)])
    def test_a_day_of_one_offset_is_added_up_at_once(self, offset: int | None, most: int) -> None:
        asked: list[int] = []

        def zone(minute: int) -> int:
            asked.append(minute)
            return (60 if minute < 3 * 1440 + 720 else 120) if offset is None else offset

        minutes = Minutes()
        minutes.row(3)[:] = array("i", [1]) * 1440
        totals, unknown = local_totals(minutes, LocalClock({}, zone))
        assert (sum(total.minutes for total in totals.values()), unknown) == (1440, set())
        assert len(asked) == most
        late = 120 if offset is None else offset
        assert totals.get(4, NO_TOTAL).minutes == max(late, 0)
        assert totals.get(2, NO_TOTAL).minutes == max(-late, 0)


def codes(call: object) -> str:
    """Return the code of the error of a call."""
    with pytest.raises(FileError) as caught:
        call()  # type: ignore[operator]
    return caught.value.code


class TestJson:
    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"", "file.json"),
            (b'[{"dateTime": "07/21/24 13:05:00", "value": "1"}, {"dateTi', "file.json"),
            (b'[{"dateTime": "\xff"}]', "file.json"),
            (b"[" * 100_000, "file.json"),
            (b"[" * 100_000 + b"]" * 100_000, "file.json"),
            (b"{}", "file.shape"),
            (b"null", "file.shape"),
        ],
    )
    def test_broken_text_gives_no_values(self, data: bytes, code: str) -> None:
        assert codes(lambda: parse_json("steps", data)) == code

    @pytest.mark.parametrize("data", [b"[]", b"no data", b" No data\n", b"\xef\xbb\xbf[]"])
    def test_a_file_without_records(self, data: bytes) -> None:
        assert parse_json("steps", data) == Values()

    @pytest.mark.parametrize(
        "record",
        [
            *(1, None, [], {}, {"dateTime": "07/21/24 13:05:00"}),
            {"dateTime": 5, "value": "1"},
            {"dateTime": "21.07.2024 13:05", "value": "1"},
            {"dateTime": "07/21/24 13:65:00", "value": "1"},
            {"dateTime": "07/21/24 13:05:00", "value": "-1"},
            {"dateTime": "07/21/24 13:05:00", "value": MAX_VALUE + 1},
            {"dateTime": "07/21/24 13:05:00", "value": True},
            {"dateTime": "07/21/24 13:05:00", "value": []},
            {"dateTime": "07/21/24 13:05:00", "value": "x"},
        ],
    )
    def test_an_unreadable_minute_is_skipped_and_counted(self, record: object) -> None:
        good = {"dateTime": "07/21/24 13:04:00", "value": 3}
        values = parse_json("steps", json.dumps([good, record, good]).encode())
        assert values.skipped == 1
        minutes = values.minutes["steps", ""]
        assert minutes.total(ORDINAL) == (3, 1)

    @pytest.mark.parametrize(
        ("kind", "record"),
        [
            ("sedentary", {"dateTime": "07/21/24 00:00:00", "value": "x"}),
            ("sedentary", {"dateTime": "07/21/24 00:00:00", "value": "-1"}),
            ("very", {"dateTime": "x", "value": "1"}),
            ("very", {"value": "1"}),
            ("resting", {"dateTime": "07/21/24 00:00:00", "value": 61}),
            (
                "resting",
                {"dateTime": "07/21/24 00:00:00", "value": {"date": "07/21/24", "value": -1}},
            ),
            ("resting", {"value": {"date": None, "value": 0}}),
            (
                "resting",
                {"dateTime": "07/21/24 00:00:00", "value": {"date": "07/21/24", "value": "x"}},
            ),
            ("sleep", {}),
            ("sleep", 7),
            ("sleep", {**sleep_record("2024-07-21"), "logId": None}),
            ("sleep", {**sleep_record("2024-07-21"), "logId": True}),
            ("sleep", {**sleep_record("2024-07-21"), "logId": ""}),
            ("sleep", {**sleep_record("2024-07-21"), "logId": "x" * 81}),
            ("sleep", {**sleep_record("2024-07-21"), "logId": "x\ny"}),
            ("exercise", {"logId": 1, "startTime": "07/21/24 13:05:00", "activityName": "R\0n"}),
            ("exercise", {"logId": 1, "startTime": "x", "activityName": "Run"}),
            ("exercise", {"logId": 1, "startTime": "07/21/24 13:05:00", "activityName": " "}),
            ("exercise", {"logId": 1, "startTime": "07/21/24 13:05:00"}),
        ],
    )
    def test_an_unreadable_record_is_skipped_and_counted(
        self, kind: FileKind, record: object
    ) -> None:
        assert parse_json(kind, json.dumps([record]).encode()) == Values(skipped=1)

    def test_members_of_another_type_are_blank(self) -> None:
        odd = {
            "startTime": 5,
            "endTime": f"2024-07-21T07:02:00{'0' * 100}",
            "efficiency": "high",
            "duration": None,
            "levels": [],
            "type": 3,
        }
        record = {**sleep_record("2024-07-21", 5), **odd}
        (sleep,) = parse_json("sleep", json.dumps([record]).encode()).sleeps.values()
        assert sleep.cells.keys() & odd.keys() == set()
        assert "minutesDeep" not in sleep.cells


class TestCsv:
    HEADER = b"timestamp,steps,data source\n"

    def steps(self, *rows: bytes) -> Values:
        return parse_csv("google-steps", [self.HEADER, *(row + b"\n" for row in rows)])

    @pytest.mark.parametrize(
        "data", [b"no data\n", b"No Data", b"timestamp,rmssd,nremhr\n", b"timestamp,rmssd\r\n\r\n"]
    )
    def test_a_file_without_rows(self, data: bytes) -> None:
        assert parse_csv("hrv-summary", [data]) == Values()

    def test_quoted_commas_are_inside_a_cell(self) -> None:
        values = self.steps(b'2024-07-21T13:05:00Z,5,"Charge 5, black"')
        assert list(values.minutes) == [("google-steps", "Charge 5, black")]

    def test_columns_are_found_by_name(self) -> None:
        data = b"\xef\xbb\xbfData Source, STEPS ,timestamp\r\nCharge 5,7,2024-07-21T13:05:00Z\r\n"
        values = parse_csv("google-steps", [data])
        assert values.minutes["google-steps", "Charge 5"].total(ORDINAL) == (7, 1)

    def test_a_column_without_a_name_is_not_an_optional_one(self) -> None:
        data = b"timestamp,steps,\n2024-07-21T13:05:00Z,7,Health Kit\n"
        assert list(parse_csv("google-steps", [data]).minutes) == [("google-steps", "")]

    @pytest.mark.parametrize(
        ("kind", "name"),
        [("zone-minutes", "date_time,total_minutes"), ("hrv-summary", "timestamp,rmssd")],
    )
    def test_files_that_are_formed_without_sources_have_none(
        self, kind: FileKind, name: str
    ) -> None:
        rows = f"{name},data source\n2024-07-21T13:05:00,7,%s\n"
        values = parse_csv(kind, [(rows % "Charge 5").encode()])
        assert values.minutes or values.daily
        assert values == parse_csv(kind, [(rows % "Health Kit").encode()])
        assert values == parse_csv(kind, [f"{name}\n2024-07-21T13:05:00,7\n".encode()])

    def test_pieces_of_any_length(self) -> None:
        data = self.HEADER + b"2024-07-21T13:05:00Z,7,\xc3\xa9\n2024-07-21T13:06:00Z,8,\xc3\xa9"
        pieces = [data[at : at + 1] for at in range(len(data))]
        assert parse_csv("google-steps", pieces) == parse_csv("google-steps", [data])

    @pytest.mark.parametrize(
        ("rows", "code"),
        [
            ([b"2024-07-21T13:05:00Z,7,\xff"], "file.encoding"),
            ([b'2024-07-21T13:05:00Z,7,"open'], "file.cell"),
            ([b"a" * (LINE_BYTES + 1)], "file.cell"),
            ([b'"' + b"a\n" * 70_000], "file.cell"),
        ],
    )
    def test_a_file_that_cannot_be_read_to_its_end(self, rows: list[bytes], code: str) -> None:
        good = b"2024-07-21T13:04:00Z,7,x"
        assert codes(lambda: self.steps(good, *rows)) == code

    @pytest.mark.parametrize("data", [b"timestamp,pace\n", b"timestamp;steps\n", b"", b"\n\n"])
    def test_a_header_without_a_column(self, data: bytes) -> None:
        assert codes(lambda: parse_csv("google-steps", [data])) == "file.header"

    @pytest.mark.parametrize(
        "row",
        [
            *(b"2024-07-21T13:05:00,7,x", b"1970-01-01T00:00:00Z,7,x"),
            *(b"2024-07-21T13:05:00Z,-1,x", b"2024-07-21T13:05:00Z,9999999999,x"),
        ],
    )
    def test_an_unreadable_row_is_skipped_and_counted(self, row: bytes) -> None:
        values = self.steps(b"2024-07-21T13:04:00Z,7,x", row)
        assert values.skipped == 1
        assert values.minutes["google-steps", "x"].total(ORDINAL) == (7, 1)

    def test_a_sum_of_rows_stays_in_range(self) -> None:
        row = b"2024-07-21T13:04:00Z,2000000000,x"
        total = self.steps(row, row).minutes["google-steps", "x"].total(ORDINAL)
        assert total == (MAX_VALUE, 1)

    @pytest.mark.parametrize(
        ("kind", "data"),
        [
            ("sleep-score", b"sleep_log_entry_id,overall_score\n,80\n"),
            ("sleep-score", b'sleep_log_entry_id,overall_score\n1,"85,18"\n'),
            ("hrv-summary", b"timestamp,rmssd\nnever,3\n"),
            ("hrv-summary", b"timestamp,rmssd\n2024-07-21T00:00:00,NaN ms\n"),
            ("google-resting", b"timestamp,beats per minute\n2024-07-21T00:00:00Z,x\n"),
            ("zone-minutes", b"date_time,heart_zone_id,total_minutes\nx,PEAK,2\n"),
            ("google-sleeps", GOOGLE_SLEEPS + b"1,2024-07-21T13:00:00Z,?,,\n"),
            ("google-sleeps", GOOGLE_SLEEPS + b"1,2024-07-21T13:00:00Z,Z,2024-07-22T13:00:30Z,Z\n"),
            ("google-stages", GOOGLE_STAGES + b"1,REM,2024-07-21T13:00:00Z,2024-07-21T12:59:30Z\n"),
            (
                "google-stages",
                GOOGLE_STAGES + b"1,dreaming,2024-07-21T13:00:00Z,2024-07-21T13:59:30Z\n",
            ),
            ("google-scores", b"sleep_id,overall_score\n" + b"7" * 81 + b",80\n"),
        ],
    )
    def test_unreadable_rows_of_each_kind(self, kind: FileKind, data: bytes) -> None:
        assert parse_csv(kind, [data]) == Values(skipped=1)


class TestBounds:
    @staticmethod
    def steps(*days: int) -> bytes:
        rows = (f"2024-07-{day:02}T13:05:00Z,1,Phone\n" for day in days)
        return "".join(("timestamp,steps,data source\n", *rows)).encode()

    @pytest.mark.parametrize("limit", ["MAX_DAYS", "MAX_RECORDS"])
    def test_there_are_too_many(self, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
        monkeypatch.setattr(values_module, limit, 3)
        monkeypatch.setattr(readers, "_CHECKED_ROWS", 2)

        def parsed(*numbers: int) -> Values:
            if limit == "MAX_DAYS":
                return parse_csv("google-steps", [self.steps(*numbers)])
            rows = "".join(f"{number},80\n" for number in numbers)
            return parse_csv("sleep-score", [f"sleep_log_entry_id,overall_score\n{rows}".encode()])

        assert codes(lambda: parsed(1, 2, 3, 4)) == "file.records"
        values = parsed(1, 2)
        values.update(parsed(2, 3))
        assert not values.are_too_many()
        values.update(parsed(4))
        assert values.are_too_many()

    def test_a_header_of_long_names_is_refused_at_once(self) -> None:
        """The form of a column would take seconds for such a name."""
        header = b"timestamp,rmssd," + b"deep" * 15_000 + b"\n"
        assert parse_csv("google-hrv", [header]) == Values()
