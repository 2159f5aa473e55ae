"""The calendar in a terminal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitedata.reading.times import write_day
from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.heatmap_text import ASCII_SHADES, MIN_COLUMNS, SHADES, heatmap_text

ESCAPES = re.compile("\x1b\\[[0-9]*m")
YEAR = calendar_of({write_day(day): day * day % 11 for day in range(20_089, 20_454)})


class TestHeatmapText:
    def test_eighteen_weeks_of_a_narrow_terminal(self) -> None:
        """2026 began on a Thursday."""
        days = {"2026-01-01": 1, "2026-01-05": 2, "2026-01-11": 3, "2026-01-14": 9}
        assert heatmap_text(calendar_of(days), columns=40, until="2026-01-14") == (
            "15 contributions on 4 days, 1 Jan 2026 …",
            "    Sep Oct     Nov       Dec     2026",
            "Mon · · · · · · · · · · · · · · · · ▒ ·",
            "    · · · · · · · · · · · · · · · · · ·",
            "Wed · · · · · · · · · · · · · · · · · █",
            "    · · · · · · · · · · · · · · · ░ ·",
            "Fri · · · · · · · · · · · · · · · · ·",
            "    · · · · · · · · · · · · · · · · ·",
            "    · · · · · · · · · · · · · · · · ▓",
            "    · none  ░ 1  ▒ 2  ▓ 3  █ 4 or more",
        )

    def test_a_line_for_each_day_of_the_week_with_summary_and_legend(self) -> None:
        lines = heatmap_text(YEAR, columns=120)
        assert len(lines) == 10
        assert lines[0] == "1,466 contributions on 332 days, 1 Jan 2025 to 31 Dec 2025"
        assert [line[:4] for line in lines[2:9]] == [
            "Mon ",
            "    ",
            "Wed ",
            "    ",
            "Fri ",
            *["    "] * 2,
        ]
        assert lines[1].split()[:3] == ["2025", "Feb", "Mar"]

    def test_the_summary_names_the_weeks_if_there_are_earlier_counts(self) -> None:
        assert heatmap_text(YEAR, columns=80)[0] == (
            "last 38 weeks: 1,050 contributions on 238 days, 14 Apr 2025 to 31 Dec 2025"
        )
        days = {"2025-12-29": 1, "2026-01-14": 3}
        assert heatmap_text(calendar_of(days), columns=40)[0].startswith("4 contributions on")

    def test_colour_adds_escapes_and_nothing_else(self) -> None:
        """Invariant *readable without colour*."""
        plain, painted = heatmap_text(YEAR), heatmap_text(YEAR, color=True)
        assert [ESCAPES.sub("", line).rstrip() for line in painted] == list(plain)
        assert "\x1b" not in "".join(plain)
        assert painted[2].endswith("\x1b[0m")

    def test_every_level_has_a_character_of_its_own(self) -> None:
        for shades in (SHADES, ASCII_SHADES):
            assert len(set(shades)) == 5
            text = "".join(heatmap_text(YEAR, shades=shades)[2:9])
            assert set(shades) <= set(text)
        assert ASCII_SHADES.isascii()

    @given(st.integers(MIN_COLUMNS, 200), st.booleans())
    def test_no_line_is_too_wide(self, columns: int, color: bool) -> None:
        """Invariant *fits*."""
        lines = heatmap_text(YEAR, columns=columns, color=color)
        assert max(len(ESCAPES.sub("", line)) for line in lines) <= columns

    def test_large_counts_are_cut_to_fit(self) -> None:
        days = {write_day(day): 10**300 + day for day in range(100)}
        lines = heatmap_text(calendar_of(days), columns=40)
        assert max(map(len, lines)) <= 40
        assert lines[-1].endswith("…")

    def test_months_do_not_touch(self) -> None:
        for columns in range(MIN_COLUMNS, 120):
            names = heatmap_text(YEAR, columns=columns)[1].split()
            assert all(re.fullmatch("[A-Z][a-z]{2}|2025", name) for name in names)

    def test_a_narrow_terminal_shows_activity_of_this_year_that_is_older_than_its_weeks(
        self,
    ) -> None:
        calendar = calendar_of({"2026-01-02": 1}, until="2026-11-23")
        assert heatmap_text(calendar, columns=80)[0] == (
            "1 contribution on 1 day, 2 Jan 2026 to 2 Jan 2026"
        )
        assert heatmap_text(calendar, columns=120)[0].endswith("to 23 Nov 2026")
        before = calendar_of({"2026-12-02": 1}, until="2026-11-23")
        assert heatmap_text(before) == ("There are no contributions to show.",)

    def test_nothing_to_show(self) -> None:
        expected = ("There are no contributions to show.",)
        assert heatmap_text(calendar_of({})) == expected
        assert heatmap_text(YEAR, until="1999-01-01") == expected

    def test_too_few_columns_raise(self) -> None:
        with pytest.raises(ValueError, match="expected 40 or more"):
            heatmap_text(YEAR, columns=39)

    @pytest.mark.parametrize("day", ["0000-01-01", "9999-12-31"])
    def test_the_ends_of_the_calendar(self, day: str) -> None:
        calendar: Calendar = calendar_of({day: 1})
        assert "░" in "".join(heatmap_text(calendar)[2:9])
