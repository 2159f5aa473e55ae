"""What the practice page shows of a snapshot, as HTML that needs no script."""

import re
from typing import Any

import pytest

from sitedata import Snapshot
from sitedata.building.known_platforms import known_platforms
from sitedata.building.platforms import Platform
from sitedata.views.practice import ROWS, draw_practice
from support.sitedata.site_examples import problem, snapshot

DAY_MS = 86_400_000
MARKUP = "</i><script>alert(1)</script>"


def drawn(**members: Any) -> str:
    return draw_practice(snapshot(**members))["content"]


def texts(html: str, name: str) -> list[str]:
    """Return the texts of the elements with a class, without tags."""
    found = re.findall(rf'<(\w+) [^>]*?class="{name}"[^>]*>(.*?)</\1>', html)
    return [re.sub("<[^>]*>", "", inner) for _, inner in found]


def cards(html: str) -> dict[str, tuple[str, str]]:
    pattern = '<h2>(.*?)</h2><p class="value">(.*?)</p><p class="detail">(.*?)</p>'
    found = re.findall(pattern, html)
    return {name: (value, re.sub("<[^>]*>", "", detail)) for name, value, detail in found}


def of_days(*days: str, **members: Any) -> Snapshot:
    """Return a snapshot of a problem on each of some days."""
    problems = tuple(problem(f"a/{n}", f"{day}T10:00:00Z") for n, day in enumerate(days))
    return snapshot(problems=problems, contributions=dict.fromkeys(days, 1), **members)


class TestCards:
    def test_of_a_recent_snapshot(self) -> None:
        assert cards(drawn()) == {
            "Solved": ("1", "Jan 2026"),
            "Last solved": ("31 Jan", "2026"),
            "Longest streak": ("2 days", "to 31 Jan 2026"),
            "Languages": ("1", "Python in 100\u00a0% of problems"),
        }

    @pytest.mark.parametrize(
        ("days", "detail"),
        [
            (("2026-01-25", "2026-01-26", "2026-01-31"), "; current streak when built: 1 day"),
            (("2026-01-25", "2026-01-26", "2026-01-28"), ""),
        ],
    )
    def test_the_longest_streak_and_the_current_one(
        self, days: tuple[str, ...], detail: str
    ) -> None:
        found = cards(draw_practice(of_days(*days))["content"])
        assert found["Longest streak"] == ("2 days", f"to 26 Jan 2026{detail}")

    def test_without_dates_there_are_two(self) -> None:
        found = cards(drawn(problems=(problem("a/1"), problem("b/1")), contributions={}))
        assert list(found) == ["Solved", "Languages"]

    def test_a_share_is_neither_all_nor_nothing(self) -> None:
        problems = tuple(problem(f"a/{n}", language="C" if n else "D") for n in range(999))
        assert cards(drawn(problems=problems))["Languages"] == ("2", "C in 99\u00a0% of problems")

    def test_the_span_of_all_problems(self) -> None:
        found = cards(draw_practice(of_days("2025-02-01", "2026-01-31"))["content"])
        assert found["Solved"] == ("2", "Feb 2025 to Jan 2026")


class TestPlatforms:
    @pytest.mark.parametrize("known", known_platforms(), ids=lambda known: known.name)
    def test_a_built_in_platform_has_a_name_that_a_search_for_its_id_finds(
        self, known: Platform
    ) -> None:
        html = drawn(problems=(problem("a/1", platform=known.name),))
        (name,) = texts(html, "platform")
        assert name != known.name
        assert name.replace(" ", "").lower() == known.name
        assert f'<bdi class="name">{name}</bdi>' in html
        assert f'data-names="{{&quot;{known.name}&quot;:&quot;{name}&quot;}}"' in html

    def test_another_platform_is_as_the_data_have_it(self) -> None:
        html = drawn(problems=(problem("my own/1", platform="my own"),))
        assert texts(html, "platform") == ["my own"]
        assert 'data-names="{}"' in html

    @pytest.mark.parametrize(
        ("platform", "name"),
        [("project-euler", "Project Euler"), ("codewars", "Codewars"), ("cses 1578", "CSES 1578")],
    )
    def test_the_spelling_of_a_folder_does_not_change_a_name(
        self, platform: str, name: str
    ) -> None:
        assert texts(drawn(problems=(problem(f"{platform}/1"),)), "platform") == [name]


class TestCalendar:
    @pytest.mark.parametrize(
        ("members", "is_said"),
        [({}, True), ({"commit_count": 9}, False), ({"contributions": {}}, False)],
    )
    def test_it_says_what_is_counted_if_contributions_are_commits(
        self, members: dict[str, Any], is_said: bool
    ) -> None:
        said = "Contributions and streaks count commits; a problem counts once, on its first day."
        assert (said in drawn(**members)) == is_said

    def test_each_day_of_a_year_is_a_square(self) -> None:
        html = drawn().partition('id="days"')[2].partition('class="below"')[0]
        assert len(re.findall('<i class="day"', html)) == 365
        assert html.count("<i></i>") == 6  # five before the first day, one after the last one
        assert html.count('<div class="week">') == 53
        titles = re.findall('data-level="(.)" title="([^"]*)"( data-solved="")?', html)
        assert titles == [
            ("1", "30 Jan 2026: 1 contribution, 0 solved", ""),
            ("4", "31 Jan 2026: 2 contributions, 1 solved", ' data-solved=""'),
        ]
        assert "January 2026: 3 contributions on 2 days." in drawn()

    def test_the_weeks_in_which_months_start_are_named(self) -> None:
        names = re.findall('<b aria-hidden="true">([^<]+)</b>', drawn())
        assert names[-4:] == ["Oct", "Nov", "Dec", "Jan"]

    def test_without_contributions_solved_problems_are_counted(self) -> None:
        html = drawn(contributions={})
        assert '<h2 id="calendar-name">1 problem in the twelve months to 31 Jan 2026</h2>' in html
        assert 'title="31 Jan 2026: 1 problem"' in html

    def test_it_ends_at_the_last_active_year(self) -> None:
        html = drawn(generated_at=snapshot().generated_at + 800 * DAY_MS)
        assert "3 contributions in the twelve months to 31 Jan 2026</h2>" in html

    def test_problems_of_days_without_contributions_are_told(self) -> None:
        html = drawn(problems=(problem("a/1", "2026-01-29T10:00:00Z"),))
        assert 'data-level="0" title="29 Jan 2026: 0 contributions, 1 solved' in html

    def test_without_any_count_there_is_none_of_one_month_no_chart_and_of_one_year_no_choice(
        self,
    ) -> None:
        assert 'id="columns"' not in drawn()
        assert "<label" not in drawn()
        html = drawn(problems=(problem("a/1"),), contributions={})
        assert 'id="days"' not in html
        assert 'id="columns"' not in html


class TestColumns:
    def test_bars_have_heights_and_names(self) -> None:
        days = ("2025-11-01", "2025-11-02", "2026-01-31", "2025-12-24", "2025-11-03")
        html = draw_practice(of_days(*days))["content"]
        heights = re.findall(
            r'class="bar" x="[\d.]+%" y="[\d.]+%" width="[\d.]+%" height="([\d.]+)%', html
        )
        assert heights == ["74.00", "24.67", "24.67"]
        names = re.findall('class="name" x[^>]*>([^<]*)', html)
        assert names == ["0", "1", "2", "3", "Nov 2025", "Dec", "2026"]
        assert 'data-since="2025-11-01" data-until="2025-11-30"><title>Nov 2025: 3 problems' in html

    @pytest.mark.parametrize(
        ("most", "levels"),
        [(2, "0 1 2"), (9, "0 2 4 6 8 10"), (73, "0 20 40 60 80"), (1_001, "0 500 1,000 1,500")],
    )
    def test_the_axis_has_round_numbers(self, most: int, levels: str) -> None:
        problems = tuple(problem(f"a/{n}", "2026-01-30T10:00:00Z") for n in range(most))
        html = drawn(problems=(*problems, problem("b/1", "2025-12-01T10:00:00Z")))
        assert re.findall('x="100%"[^>]*>([^<]*)', html) == levels.split()
        assert re.findall('class="number" [^>]*>([^<]*)', html) == ["1", f"{most:,}"]

    def test_it_says_how_many_problems_have_no_date(self) -> None:
        problems = (problem("b/1"), *of_days("2025-12-01", "2026-01-31").problems)
        title = ">Solved by month (Jan 2026 incomplete), without 1 of unknown date</h2>"
        assert title in drawn(problems=problems)

    @pytest.mark.parametrize(("most", "wide"), [(9, []), (10, ["1", "1"])])
    def test_a_phone_has_all_numbers_that_have_room(self, most: int, wide: list[str]) -> None:
        days = ("2025-01-01", "2025-12-01", *["2026-01-01"] * most)
        html = draw_practice(of_days(*days))["content"]
        shown = re.findall('class="number" [^>]*>([^<]*)', html)
        assert sorted(shown) == sorted([*"0" * 10, *["1"] * (2 - len(wide)), str(most)])
        assert re.findall('class="number wide" [^>]*>([^<]*)', html) == wide

    def test_on_a_phone_the_first_name_begins_at_the_edge_and_the_last_is_there(self) -> None:
        at = snapshot().generated_at + 50 * DAY_MS
        html = draw_practice(of_days("2025-01-16", "2026-03-10", generated_at=at))["content"]
        narrow = re.findall(r'class="name(?: narrow)?" x="\d+\.\d+%[^>]*>([^<]*)', html)
        assert narrow == ["Jan 2025", "Jul", "2026", "Mar"]
        assert 'class="name narrow" x="0.00%"' in html

    @pytest.mark.parametrize(("months", "wide"), [(14, 10), (16, 14), (17, 2)])
    def test_few_bars_are_all_named_on_a_wide_screen(self, months: int, wide: int) -> None:
        first = f"{2025 - (months > 13)}-{(13 - months) % 12 + 1:02}-01"
        html = draw_practice(of_days(first, "2026-01-31"))["content"]
        names = re.findall('class="name wide" [^>]*>([^<]*)', html)
        assert (len(names), "Jan" in names) == (wide, months == 14)

    @pytest.mark.parametrize(("built", "text"), [(0, "1 problem so far"), (800, "1 problem")])
    def test_a_month_that_is_not_over_when_built_is_open(self, built: int, text: str) -> None:
        at = snapshot().generated_at + built * DAY_MS
        html = draw_practice(of_days("2025-12-01", "2026-01-31", generated_at=at))["content"]
        assert re.findall("<title>([^<]*)", html)[1:] == [f"Jan 2026: {text}"]
        marks = ('class="column open"', " (Jan 2026 incomplete)</h2>")
        assert [html.count(mark) for mark in marks] == [not built] * 2

    @pytest.mark.parametrize(
        ("first", "name"),
        [
            ("2015-01-01", "year (2026 incomplete)"),
            ("1900-01-01", "3 years (2026 to 2028 incomplete)"),
        ],
    )
    def test_many_months_are_years(self, first: str, name: str) -> None:
        html = draw_practice(of_days(first, "2026-01-31"))["content"]
        assert f'<h2 id="time-name">Solved by {name}</h2>' in html


class TestBars:
    def test_widths_are_shares_of_the_largest(self) -> None:
        problems = tuple(problem(f"{name}/{n}") for n, name in enumerate("aaaab"))
        html = drawn(problems=problems).partition('id="platforms"')[2]
        widths = re.findall('rx="3" width="([^"]*)"', html)
        assert widths == ["100%", "25%", "100%"]
        assert texts(html, "count") == ["4", "1", "5"]

    def test_many_names_open_on_request(self) -> None:
        problems = tuple(problem(f"p{n}/x") for n in range(400))
        html = drawn(problems=problems).partition('id="platforms"')[2].partition("</section>")[0]
        assert html.index("<summary>292 more</summary>") > html.index('data-item="7"')
        assert html.index("<summary>292 more</summary>") < html.index('data-item="8"')
        assert html.count("<li>") == 300


class TestList:
    def test_the_newest_problems(self) -> None:
        problems = tuple(problem(f"a/{n}", f"2026-01-31T10:{n:02}:00Z") for n in range(55))
        html = drawn(problems=(*problems, problem("b/1")))
        assert len(texts(html, "row")) == ROWS
        assert "56 problems; 1 without a date at the end" in html
        assert "Show 6 more of 6</button>" in html
        assert "6 more in the JSON file<" in html

    def test_a_short_list_has_no_more(self) -> None:
        assert drawn().count(" hidden>Show 0 more of 0<") == 1
        assert '<p class="detail" id="found" role="status">1 problem</p>' in drawn()

    def test_several_files_are_a_row_with_links(self) -> None:
        url = "https://leetcode.com/problems/two/"
        problems = (
            problem("python/two.py", "2026-01-31T10:00:00Z", problem_url=url),
            problem("python/old.py", "2026-01-30T10:00:00Z", problem_url=url),
            problem("cpp/two.cpp", language="C++", problem_url=url, github_url="http://x.example"),
        )
        html = drawn(problems=problems)
        assert texts(html, "row") == ["Two Sumsleetcode.comPython, 2, C++31 Jan 2026"]
        assert 'aria-label="Python source of Two Sums: python/two.py"' in html
        assert html.count('rel="noopener noreferrer"') == 3
        assert 'data-by="site"' in html
        assert ">Solved by site</h2>" in html

    @pytest.mark.parametrize("url", ["javascript:alert(1)", "http://a.example", "/1", "https://"])
    def test_only_https_urls_are_links(self, url: str) -> None:
        html = drawn(problems=(problem("a/1", problem_url=url, github_url=url),))
        assert " href=" not in html
        assert texts(html, "date") == ["date unknown"]

    def test_texts_of_a_file_stay_text(self) -> None:
        repository = snapshot().repository
        found = draw_practice(
            snapshot(
                problems=(problem(f"a/{MARKUP}", platform=MARKUP, language=MARKUP, title=MARKUP),),
                repository=type(repository)(MARKUP, MARKUP, "main"),
            )
        )
        assert "<script" not in found["heading"] + found["content"] + found["built"]
        assert " style=" not in found["content"]

    def test_long_and_blank_names(self) -> None:
        problems = (problem("a/1", title=" \t", platform="", language="x" * 99),)
        (row,) = texts(drawn(problems=problems), "row")
        assert row == f"a/1(no name){'x' * 80}…date unknownSource"

    def test_without_problems_a_sentence_says_so(self) -> None:
        html = drawn(problems=(), contributions={})
        assert '<p class="notice-title">No problems are published yet</p>' in html
        assert 'id="rows"' not in html
        assert cards(html) == {"Solved": ("0", "")}


class TestYears:
    """Where there is more than the calendar of twelve months shows, a reader chooses a year."""

    def test_each_year_is_a_choice(self) -> None:
        days = ("2019-02-03", "2024-01-01", "2024-12-31", "2026-01-31")
        html = draw_practice(of_days(*days))["content"]
        assert re.findall("<label for=[^>]*>([^<]*)", html) == ["12 months", "2026", "2024", "2019"]
        assert re.findall("<h2 id=[^>]*>([^<]*)", html)[:4] == [
            "1 contribution in the twelve months to 31 Jan 2026",
            "1 contribution in 2026",
            "2 contributions in 2024",
            "1 contribution in 2019",
        ]
        assert html.count(" checked>") == 1
        first_days = re.findall('data-first="([^"]*)', html)
        assert first_days[1:] == ["2026-01-01", "2024-01-01", "2019-01-01"]

    @pytest.mark.parametrize(("year", "weeks"), [(2012, 54), (2023, 53), (2024, 53)])
    def test_a_year_has_all_of_its_days_and_no_other(self, year: int, weeks: int) -> None:
        """1 January 2012 was a Sunday, and 31 December a Monday."""
        html = draw_practice(of_days(f"{year}-01-01", f"{year}-12-31", "2026-01-31"))["content"]
        part = html.partition(f'id="days-{year}"')[2].partition('class="below"')[0]
        assert part.count('<i class="day"') == 365 + (year % 4 == 0)
        assert part.count('<div class="week">') == weeks
        assert f"January {year}: 1 contribution on 1 day." in html

    def test_the_days_of_this_year_end_with_the_calendar(self) -> None:
        html = draw_practice(of_days("2024-12-31", "2026-01-31"))["content"]
        part = html.partition('id="days-2026"')[2].partition('class="below"')[0]
        assert part.count('<i class="day"') == 31


class TestRepository:
    def test_it_is_the_heading_and_the_footer_has_the_time(self) -> None:
        found = draw_practice(snapshot())
        assert found["heading"] == (
            '<h1 class="repository"><a href="https://code.example/someone/practice" rel="noopener">'
            "<bdi>someone</bdi> / <bdi>practice</bdi></a></h1>"
        )
        assert "31 Jan 2026, 11:00 UTC</time>." in found["built"]

    @pytest.mark.parametrize("url", ["", "https://x.example/a/b/c", "https:///someone/practice/x"])
    def test_an_unknown_place_is_no_link(self, url: str) -> None:
        found = draw_practice(snapshot(problems=(problem("a/1", github_url=url),)))
        assert "<a " not in found["heading"]
