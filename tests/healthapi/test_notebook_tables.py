"""How notebooks show rows and series."""

from hypothesis import given

from healthapi.keys import DATASETS
from healthapi.models import HrvRow
from healthapi.profile import Profile, load
from healthapi.rows.rows import Rows
from healthapi.strategies import profiles
from status_contracts.html_table import MAX_ROWS
from support.checks.html_tables import texts
from support.checks.xml_reading import read_xml

STAMP = "2026-01-31T12:00:00"
FILES = {
    "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-01,60\n2026-01-03,\nx,1\n",
    "csv/fitbit_hrv.csv": b"date,dailyRmssd,deepRmssd\n2026-01-02,41.5,\n",
}
PROFILE = load("me", FILES, generated_at=STAMP)


def hrv(count: int) -> Rows[HrvRow]:
    labels = tuple(f"{number:04}-01-01" for number in range(1, count + 1))
    numbers = tuple(map(float, range(count)))
    return Rows("hrv", HrvRow, {"date": labels, "hrv": numbers, "deep_rmssd": (None,) * count})


class TestTables:
    @given(profiles())
    def test_everything_is_well_formed(self, profile: Profile) -> None:
        for key in DATASETS:
            read_xml(profile.rows(key)._repr_html_().encode())
        read_xml(profile.series("daily")._repr_html_().encode())


class TestRows:
    def test_members_without_a_value_are_left_out_and_missing_is_empty(self) -> None:
        assert texts(PROFILE.daily._repr_html_()) == [
            "Rows of daily: 3, 2026-01-01 to 2026-01-03",
            *("date", "hrv", "rhr"),
            *("2026-01-01", "", "60"),
            *("2026-01-02", "41.5", ""),
            *("2026-01-03", "", ""),
        ]

    def test_a_zero_is_shown(self) -> None:
        assert texts(hrv(1)._repr_html_())[-2:] == ["0001-01-01", "0.0"]

    def test_the_number_of_rows_is_limited(self) -> None:
        html = hrv(MAX_ROWS + 1234)._repr_html_()
        assert html.count("<tr>") == MAX_ROWS + 2
        assert texts(html)[-1] == "and 1,234 more"

    def test_no_rows(self) -> None:
        assert texts(hrv(0)._repr_html_()) == ["Rows of hrv: none", "date"]

    def test_booleans_are_words(self) -> None:
        night = b"date,isMainSleep,minutesAsleep\n2026-01-01,true,400\n"
        profile = load("me", {"csv/fitbit_sleep.csv": night}, generated_at=STAMP)
        assert "yes" in texts(profile.sleep._repr_html_())

    def test_members_without_a_value_are_left_out(self) -> None:
        rows = Rows("hrv", HrvRow, {"date": ("a",), "hrv": (None,), "deep_rmssd": (1.0,)})
        assert texts(rows._repr_html_())[1:] == ["date", "deep_rmssd", "a", "1.0"]


class TestSeries:
    def test_each_point_has_a_row(self) -> None:
        assert texts(PROFILE.series("daily", ("rhr",))._repr_html_()) == [
            "Series daily: 3 points, 2026-01-01 to 2026-01-03",
            *("date", "rhr"),
            *("2026-01-01", "60", "2026-01-02", "", "2026-01-03", ""),
        ]

    def test_without_points(self) -> None:
        empty = load("me", {}, generated_at=STAMP).series("weekly", ("rhr",))
        assert texts(empty._repr_html_()) == ["Series weekly: 0 points", "period", "rhr"]
