"""Rows kept as columns.  Invariants: *missing is not zero*, *columns rule*."""

from typing import Any

import attrs
import pytest

from healthapi.models import NEVER_NULL, DailyRow, HrvRow, RhrRow
from healthapi.rows.rows import Rows

DATES = ("2026-01-01", "2026-01-02", "2026-01-03")


def hrv_rows(*hrv: float | None) -> Rows[HrvRow]:
    dates = DATES[: len(hrv)]
    return Rows("hrv", HrvRow, {"date": dates, "hrv": hrv, "deep_rmssd": (1.5,) * len(hrv)})


class TestRows:
    def test_a_row_is_built_on_access(self) -> None:
        rows = hrv_rows(20.0, None, 30.0)
        assert rows[0] == HrvRow("2026-01-01", 20.0, 1.5)
        assert rows[-1] == HrvRow("2026-01-03", 30.0, 1.5)
        assert list(rows) == [rows[0], rows[1], rows[2]]
        with pytest.raises(IndexError):
            rows[3]

    def test_a_slice_is_rows(self) -> None:
        assert hrv_rows(20.0, 25.0, 30.0)[:2] == hrv_rows(20.0, 25.0)

    def test_columns_come_in_the_order_of_the_members(self) -> None:
        rows = Rows("rhr", RhrRow, {"rhr": (60,), "date": DATES[:1]})
        assert rows.fields == ("date", "rhr")

    def test_columns_cannot_be_changed(self) -> None:
        with pytest.raises(TypeError):
            hrv_rows(20.0).cells["hrv"] = ()  # type: ignore[index] # what is tested

    def test_equal_rows_are_equal_and_hash_alike(self) -> None:
        assert hrv_rows(20.0) == hrv_rows(20.0)
        assert hash(hrv_rows(20.0)) == hash(hrv_rows(20.0))
        assert hrv_rows(20.0) != hrv_rows(21.0)
        assert hrv_rows() != Rows("rhr", RhrRow, {"date": (), "rhr": ()})
        assert hrv_rows(20.0) != [HrvRow("2026-01-01", 20.0, 1.5)]

    @pytest.mark.parametrize("columns", [{}, {"date": ()}, {"date": (), "rhr": (), "hrv": ()}])
    def test_columns_are_the_members(self, columns: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="not the members"):
            Rows("rhr", RhrRow, columns)

    def test_columns_have_one_length(self) -> None:
        with pytest.raises(ValueError, match="differ in length"):
            Rows("rhr", RhrRow, {"date": DATES, "rhr": (60,)})

    def test_the_repr_is_short(self) -> None:
        assert repr(hrv_rows(1.0, 2.0)) == "<Rows of hrv: 2, 2026-01-01 to 2026-01-02>"
        assert repr(hrv_rows()) == "<Rows of hrv: none>"


class TestPlain:
    def test_rows_become_dicts(self) -> None:
        assert hrv_rows(20.0, None).plain(1) == [
            {"date": "2026-01-02", "hrv": None, "deep_rmssd": 1.5}
        ]
        assert len(hrv_rows(20.0, None).plain(0, 1)) == 1

    def test_an_absent_member_is_left_out_and_a_missing_one_is_null(self) -> None:
        columns: dict[str, Any] = dict.fromkeys(attrs.fields_dict(DailyRow), (None, None))
        columns |= {"date": DATES[:2], "steps": (100, None), "rhr": (None, 60)}
        absent = dict.fromkeys(columns.keys() - {"date", "rhr", *NEVER_NULL[DailyRow]}, b"\1\1")
        rows = Rows("daily", DailyRow, columns, absent | {"steps": b"\0\1"})
        assert rows.plain() == [
            {"date": "2026-01-01", "steps": 100, "rhr": None},
            {"date": "2026-01-02", "rhr": 60},
        ]
        assert rows[1:].plain() == rows.plain(1) == [{"date": "2026-01-02", "rhr": 60}]

    def test_rows_differ_if_only_one_lacks_a_member(self) -> None:
        rows = hrv_rows(None)
        assert rows != Rows("hrv", HrvRow, rows.cells, {"hrv": b"\1"})


class TestRowClasses:
    def test_the_members_of_a_daily_row_are_those_of_the_facts(self) -> None:
        members = (
            "date steps sedentary_minutes activity_calories calories_out lightly_active_minutes "
            "fairly_active_minutes very_active_minutes active_zone_minutes active_minutes "
            "exercise_examples is_main_sleep minutes_asleep minutes_awake time_in_bed efficiency "
            "sleep_score minutes_deep minutes_rem minutes_light minutes_wake_stages "
            "minutes_to_fall_asleep minutes_after_wakeup start_time end_time nap_count sleep_hours "
            "deep_pct rem_pct hrv deep_rmssd rhr"
        )
        assert [field.name for field in attrs.fields(DailyRow)] == members.split()
