"""The description of a chart, and its amounts."""

from healthapi.catalog_keys import CARD_METRICS, METRICS
from healthapi.charts.chart import describe, format_amount
from healthapi.charts.lines import lines_of
from healthapi.derived.series import Series
from support.healthapi.chart_reading import daily, periods


def described(series: Series) -> str:
    return describe(series, *lines_of(series))


class TestAmount:
    def test_the_unit_follows(self) -> None:
        assert format_amount(7.5, "hours") == "7.5 hours"

    def test_a_percent_sign_follows_at_once(self) -> None:
        assert format_amount(88, "%") == "88%"


class TestDescription:
    """Invariant *complete in text*."""

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
        assert described(series).startswith("Weekly values, 2024-W01. Heart rate variability: ")

    def test_metrics_left_out_are_counted(self) -> None:
        series = daily("2024-01-01", **{key: [1] for key in METRICS})
        assert described(series).endswith("20 more metrics are not drawn.")

    def test_one_left_out_is_one(self) -> None:
        series = daily("2024-01-01", **{key: [1] for key in CARD_METRICS}, days=[1])
        assert described(series).endswith("1 more metric is not drawn.")

    def test_without_points_it_states_so(self) -> None:
        assert described(daily("2024-01-01", steps=[])) == "No values."
