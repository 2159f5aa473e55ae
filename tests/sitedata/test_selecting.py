"""Filters, order, groups and counts of problems, and the files of one problem."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from sitedata import BuildSettings, CacheState, History, Problem, build, calendar_of
from sitedata.views.calendar import calendar_of_solved
from sitedata.views.selecting import (
    NO_SITE,
    counts,
    group,
    grouping_of,
    ordered,
    select,
    site_of,
    solved,
)
from support.sitedata.site_examples import PROBLEM, SNAPSHOT, at, problem

A, B, C = problem("A/1", language="py"), problem("B/1", language="c"), problem("B/2", language="py")


HISTORY = History("main", "main", "c0ffee", "https://github.com/ada/practice.git", (), {}, 0, {})
_CALLS: dict[str, Callable[[Any], object]] = {
    "CacheState.is_fresh": lambda instant: CacheState().is_fresh(instant),
    "CacheState.received": lambda instant: CacheState().received(304, (), b"", now=instant),
    "build": lambda instant: build(HISTORY, BuildSettings(), generated_at=instant),
}


@pytest.mark.parametrize("call", _CALLS)
def test_what_is_no_instant_is_refused_with_the_remedy(call: str) -> None:
    with pytest.raises(ValueError, match="looks like seconds"):
        _CALLS[call](1_769_860_800)
    with pytest.raises(TypeError, match=r"pass from_datetime\(value\)"):
        _CALLS[call](datetime(2026, 1, 31, 12, tzinfo=UTC))


@pytest.mark.rule("SD-VIEW-03")
class TestSelect:
    @pytest.mark.parametrize(
        "text", ["two sum", "TWO", "ABC/", "abc/x", "stra\u00dfe", "STRASSE", ""]
    )
    def test_text_matches_title_or_path_in_any_case(self, text: str) -> None:
        found = problem("abc/x.py", title="Two Sum, Stra\u00dfe")
        assert select([found, PROBLEM], text=text)[0] == found

    def test_text_does_not_match_across_title_and_path(self) -> None:
        assert select([problem("b", title="a")], text="ab") == ()

    @pytest.mark.parametrize("text", ["A+B c", "a\uff0bb\u3000C", " a+b  c "])
    def test_width_and_white_space_do_not_matter(self, text: str) -> None:
        wide = problem("\uff21/1", title="\uff21\uff0b\uff22\u2005C", language="C\uff0b\uff0b")
        assert select([wide], text=text) == (wide,)
        assert select([wide], platforms=wide.platform, languages="C++") == (wide,)
        assert list(group([wide, wide], "language")) == ["C++"]

    @pytest.mark.parametrize("text", ["caf\u00e9", "cafe\u0301", "CAF\u00c9"])
    def test_both_unicode_normal_forms_match(self, text: str) -> None:
        """Some systems store file names in NFD."""
        problems = problem("a", title="Cafe\u0301"), problem("b", title="caf\u00e9")
        assert select(problems, text=text) == problems


class TestGroup:
    def test_groups_come_in_the_order_of_their_names_and_keep_that_of_problems(self) -> None:
        groups = group([C, A, B], "platform")
        assert list(groups.items()) == [("A", (A,)), ("B", (C, B))]
        assert group([C, A, B], "language") == {"c": (B,), "py": (C, A)}

    def test_another_name_is_refused_with_those_that_exist(self) -> None:
        other: Any = "day"
        with pytest.raises(ValueError, match="choose from platform, site, language"):
            group([A], other)


class TestCounts:
    def test_everything_is_counted(self) -> None:
        found = counts([C, at(2, "A/9"), A, at(1, "A/8"), B])
        assert (found.total, found.undated) == (5, 3)
        assert list(found.platforms.items()) == [("A", 3), ("B", 2)]
        assert list(found.languages.items()) == [("Python", 2), ("py", 2), ("c", 1)]
        assert list(counts([PROBLEM, A]).platforms) == ["A", "AtCoder"]


LEETCODE = "https://leetcode.com/problems/"
OLD, NEW = "2025-01-05T10:00:00Z", "2026-01-05T10:00:00Z"
BOTH = (
    problem("python/two-sum.py", OLD, language="Python", problem_url=f"{LEETCODE}two-sum/"),
    problem("cpp/two-sum.cpp", NEW, language="C++", problem_url=f"{LEETCODE}two-sum/"),
    problem("cpp/add.cpp", language="C++", problem_url=f"{LEETCODE}add/"),
)


TAKES_PROBLEMS: dict[str, Callable[[Any], object]] = {
    "ordered": ordered,
    "select": select,
    "group": lambda problems: group(problems, "site"),
    "counts": counts,
    "calendar_of": calendar_of,
}


@pytest.mark.parametrize(
    "value", [7, "problems", b"{}", [SNAPSHOT], (PROBLEM, None), SNAPSHOT], ids=repr
)
@pytest.mark.parametrize("name", TAKES_PROBLEMS)
def test_what_is_no_problem_is_refused_with_the_remedy(name: str, value: Any) -> None:
    if (name, value) != ("calendar_of", SNAPSHOT):
        with pytest.raises(TypeError, match=r"^problems?: must be .*: pass snapshot\.problems$"):
            TAKES_PROBLEMS[name](value)


@pytest.mark.rule("SD-VIEW-10")
class TestSeveralFiles:
    """Several files of one problem, those with the same URL, are one problem in views."""

    def test_they_are_one_problem_with_its_languages(self) -> None:
        one, other = solved(ordered(BOTH))
        assert one.files == (BOTH[1], BOTH[0])
        assert one.first == BOTH[1]
        assert (one.languages, one.platforms) == (("C++", "Python"), ("cpp", "python"))
        assert other.files == (BOTH[2],)

    def test_counts_count_problems(self) -> None:
        found = counts(BOTH)
        assert (found.total, found.files, found.undated) == (2, 3, 1)
        assert found.languages == {"C++": 2, "Python": 1}
        assert found.platforms == {"cpp": 2, "python": 1}
        assert found.sites == {"leetcode.com": 2}

    @pytest.mark.parametrize(
        ("times", "active", "day"),
        [
            (["2026-01-05T10:00:00Z", "2026-02-05T10:00:00Z", None], [], "2026-01-05"),
            (["2026-02-05T10:00:00Z", "2026-01-05T10:00:00Z"], [], "2026-01-05"),
            (["2026-01-01T00:30:00+05:30"], [], "2026-01-01"),
            (["2026-01-01T00:30:00+05:30"], ["2025-12-31"], "2025-12-31"),
            (["2026-01-01T00:30:00+05:30"], ["2025-12-31", "2026-01-01"], "2026-01-01"),
            (["2025-12-31T20:00:00-08:00"], ["2026-01-01", "2025-12-30"], "2026-01-01"),
            (["2026-01-01T12:00:00+01:00"], ["2026-01-02"], "2026-01-01"),
            ([None], ["2026-01-01"], None),
        ],
    )
    def test_a_problem_counts_on_its_earliest_day_beside_contributions(
        self, times: list[str | None], active: list[str], day: str | None
    ) -> None:
        """Contributions are counted in a zone that the file does not name."""
        files = [
            problem(f"x/{n}.py", time, problem_url="https://x.example/1")
            for n, time in enumerate(times)
        ]
        days = list(map(date.fromisoformat, active))
        found = calendar_of_solved(solved(ordered(files)), contributions=days)
        assert [each.isoformat() for each in found.counts] == ([day] if day else [])
        if not active:
            assert calendar_of(files) == found

    @pytest.mark.parametrize("url", ["", "x", "http://a.example/1"])
    def test_files_without_an_https_url_are_problems_of_their_own(self, url: str) -> None:
        assert counts([problem("a/1", problem_url=url), problem("a/2", problem_url=url)]).total == 2

    def test_those_with_their_own_link_are_one_by_folder_and_title(self) -> None:
        paths = ("a/lcof/3/Solution.py", "a/lcof/3/Solution2.py", "a/lcof/4/Solution.py")
        titles = ("3\u2005x", "3 x", "3 x")
        urls = [f"https://github.com/{path}" for path in paths]
        files = [
            problem(path, title=title, problem_url=url, github_url=url)
            for path, title, url in zip(paths, titles, urls, strict=True)
        ]
        assert [len(each.files) for each in solved(files)] == [2, 1]


class TestSite:
    @pytest.mark.parametrize(
        ("url", "site"),
        [
            ("https://leetcode.com/problems/two-sum/", "leetcode.com"),
            ("https://www.luogu.com.cn/problem/P1", "luogu.com.cn"),
            ("HTTPS://Judge.Example:8443?id=1", "judge.example"),
            ("https://user@b\u00fccher.example/1", "xn--bcher-kva.example"),
            ("http://judge.example/1", NO_SITE),
            ("https://", NO_SITE),
            ("https://a b/", NO_SITE),
            ("", NO_SITE),
        ],
    )
    def test_it_is_the_host_of_the_url(self, url: str, site: str) -> None:
        assert site_of(problem(problem_url=url)) == site

    def test_the_link_of_the_own_file_has_no_site(self) -> None:
        own = problem(problem_url=problem().github_url)
        assert site_of(own) == NO_SITE
        assert list(group([own, *BOTH], "site")) == ["leetcode.com", NO_SITE]
        assert select([own, *BOTH], sites=NO_SITE) == (own,)
        assert select([own, *BOTH], sites=["leetcode.com"]) == BOTH


def files(*paths: str, language: str = "Python", title: str = "Two Sum") -> list[Problem]:
    return [problem(path, language=language, title=title) for path in paths]


@pytest.mark.rule("SD-VIEW-11")
class TestGrouping:
    """Views group by site where first segments are languages, years or problem names."""

    @pytest.mark.parametrize(
        ("grouping", "problems"),
        [
            ("site", files("python/a.py", "Python3/b.py", "py/c.py")),
            ("site", files("C++/a", "cpp/b", "c-plus-plus/c", "cplusplus/d", language="C++")),
            ("site", files("golang/a.go", "go/b.go", language="Go")),
            ("site", files("C#/a.cs", "csharp/b.cs", "cs/c.cs", language="C#")),
            ("site", files("2023/a.py", "2024-25/b.py", "1999_2000/c.py")),
            ("site", files("two-sum/solution.py", "0001-two-sum/a.py", "1. Two Sum/b.py")),
            ("site", files("python/a.py", "python/b.py", "leetcode/c.py")),
            ("site", [problem("python/a.py", problem_url=problem().github_url)]),
            ("platform", []),
            ("platform", files("leetcode/a.py", "codeforces/b.py")),
            ("platform", files("codeforces/a.c", "r/b.c", language="C")),
            ("platform", files("uva/100.py", title="uva 100")),
            ("platform", files("AtCoder/a.py", title="A")),
            ("platform", files("AtCoder/a.py", title="")),
            ("platform", [*files("ada/a.py", title="Ada"), *files("ada/b.py", title="Ada")]),
            ("platform", files("python/a.py", "leetcode/b.py")),
        ],
    )
    def test_by_site_or_by_platform(self, grouping: str, problems: list[Problem]) -> None:
        assert grouping_of(problems) == grouping
