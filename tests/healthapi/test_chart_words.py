"""What a chart says in words."""

import pytest

from healthapi.catalog_keys import CARD_METRICS, METRICS
from healthapi.charts.labels import amount, description, fitted, number, title_text
from healthapi.charts.lines import lines_of
from healthapi.derived.series import Series
from purewire.svg.text import width
from support.healthapi.chart_reading import daily, periods


def described(series: Series) -> str:
    return description(series, *lines_of(series))


class TestNumber:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (0, "0"),
            (7.5, "7.5"),
            (12, "12"),
            (12.0, "12"),
            (10.04, "10"),
            (99.96, "100"),
            (100, "100"),
            (-0.04, "0"),
            (-7.25, "-7.2"),
            (2**53, "9007199254740992"),
        ],
    )
    def test_it_has_one_decimal_at_most(self, value: float, expected: str) -> None:
        assert number(value) == expected


class TestAmount:
    def test_the_unit_follows(self) -> None:
        assert amount(7.5, "hours") == "7.5 hours"

    def test_a_percent_sign_follows_at_once(self) -> None:
        assert amount(88, "%") == "88%"


class TestTitleText:
    def test_120_code_points_stay_whole(self) -> None:
        assert title_text("x" * 120) == "x" * 120

    def test_a_longer_one_ends_in_an_ellipsis(self) -> None:
        assert title_text("x" * 121) == "x" * 119 + "…"


class TestFitted:
    def test_text_that_fits_is_kept(self) -> None:
        assert fitted("Sleep score", 12, width("Sleep score", 12)) == "Sleep score"

    def test_else_as_much_as_fits_is(self) -> None:
        room = width("Heart rate…", 12)
        assert fitted("Heart rate variability", 12, room) == "Heart rate…"

    def test_no_space_stands_before_the_ellipsis(self) -> None:
        assert fitted("Heart rate", 12, width("Heart …", 12)) == "Heart…"

    def test_without_any_room_the_ellipsis_is_left(self) -> None:
        assert fitted("Sleep", 12, 1) == "…"

    @pytest.mark.parametrize(
        "text", ["👨‍👩‍👧‍👦" * 9, "🇯🇵" * 30, "e\u0301" * 60, "永" * 60, "1️⃣" * 40]
    )
    @pytest.mark.parametrize("room", range(0, 200, 7))
    def test_what_is_left_fits_however_letters_join(self, text: str, room: int) -> None:
        short = fitted(text, 12, room)
        assert short == "…" or width(short, 12) <= room


class TestDescription:
    """*in words too*."""

    def test_it_names_range_and_values(self) -> None:
        assert described(
            daily("2024-01-01", steps=[4000, 5200, 3100], sleep_hours=[7, 6.5, 8])
        ) == (
            "Daily values, 2024-01-01 to 2024-01-03."
            " Each line has a scale of its own, from its lowest value to its highest."
            " Steps: last 3100 steps (2024-01-03), lowest 3100, highest 5200."
            " Sleep: last 8 hours (2024-01-03), lowest 6.5, highest 8."
        )

    def test_the_last_value_is_dated(self) -> None:
        assert "last 5 ms (2024-01-02)" in described(daily("2024-01-01", hrv=[4, 5, None]))

    def test_a_metric_without_values_is_named(self) -> None:
        assert "Naps: no values." in described(daily("2024-01-01", nap_count=[None], hrv=[4]))

    def test_one_period_is_no_range(self) -> None:
        series = periods("weekly", ["2024-W01"], hrv=[4])
        assert described(series).startswith("Weekly values, 2024-W01. ")

    def test_metrics_left_out_are_counted(self) -> None:
        series = daily("2024-01-01", **{key: [1] for key in METRICS})
        assert described(series).endswith("20 more metrics are not drawn.")

    def test_one_left_out_is_one(self) -> None:
        series = daily("2024-01-01", **{key: [1] for key in CARD_METRICS}, days=[1])
        assert described(series).endswith("1 more metric is not drawn.")

    def test_without_points_it_says_so(self) -> None:
        assert described(daily("2024-01-01", steps=[])) == "No values."
