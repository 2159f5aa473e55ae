"""Problems with several files, their sites, and by what views group them."""

import pytest

from sitedata import Problem, calendar_of, counts, group, ordered, select
from sitedata.views.selecting import NO_SITE, grouping_of, site_of, solved
from support.sitedata.site_examples import problem

LEETCODE = "https://leetcode.com/problems/"
OLD, NEW = "2025-01-05T10:00:00Z", "2026-01-05T10:00:00Z"
BOTH = (
    problem("python/two-sum.py", OLD, language="Python", problem_url=f"{LEETCODE}two-sum/"),
    problem("cpp/two-sum.cpp", NEW, language="C++", problem_url=f"{LEETCODE}two-sum/"),
    problem("cpp/add.cpp", language="C++", problem_url=f"{LEETCODE}add/"),
)


class TestSeveralFiles:
    """Several files of one problem, those with the same URL, are one problem in views."""

    def test_they_are_one_problem_with_its_languages(self) -> None:
        one, other = solved(ordered(BOTH))
        assert one.files == (BOTH[1], BOTH[0])
        assert (one.first, one.languages, one.platforms) == (
            BOTH[1],
            ("C++", "Python"),
            ("cpp", "python"),
        )
        assert other.files == (BOTH[2],)

    def test_counts_count_problems(self) -> None:
        found = counts(BOTH)
        assert (found.total, found.files, found.dated, found.undated) == (2, 3, 1, 1)
        assert found.languages == {"C++": 2, "Python": 1}
        assert found.platforms == {"cpp": 2, "python": 1}
        assert found.sites == {"leetcode.com": 2}

    def test_a_calendar_counts_a_problem_on_its_newest_day(self) -> None:
        assert calendar_of(BOTH).counts == {"2026-01-05": 1}

    @pytest.mark.parametrize("url", ["", "x", "http://a.example/1"])
    def test_files_without_an_https_url_are_problems_of_their_own(self, url: str) -> None:
        assert counts([problem("a/1", problem_url=url), problem("a/2", problem_url=url)]).total == 2


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


class TestGrouping:
    """Views group by site where first segments are languages, years or problem names."""

    @pytest.mark.parametrize(
        "problems",
        [
            files("python/a.py", "Python3/b.py", "py/c.py"),
            files("C++/a.cc", "cpp/b.cc", "c-plus-plus/c.cxx", "cplusplus/d.cc", language="C++"),
            files("golang/a.go", "go/b.go", language="Go"),
            files("C#/a.cs", "csharp/b.cs", "cs/c.cs", language="C#"),
            files("2023/a.py", "2024-25/b.py", "1999_2000/c.py"),
            files("two-sum/solution.py", "0001-two-sum/a.py", "1. Two Sum/b.py"),
            files("python/a.py", "python/b.py", "leetcode/c.py"),
        ],
        ids=["python", "c++", "go", "c#", "years", "problems", "most"],
    )
    def test_by_site(self, problems: list[Problem]) -> None:
        assert grouping_of(problems) == "site"

    @pytest.mark.parametrize(
        "problems",
        [
            [],
            files("leetcode/a.py", "codeforces/b.py"),
            files("codeforces/a.c", "r/b.c", language="C"),
            files("uva/100.py", title="uva 100"),
            files("AtCoder/a.py", title="A"),
            files("AtCoder/a.py", title=""),
            [*files("ada/a.py", title="Ada"), *files("ada/b.py", title="Ada")],
            files("python/a.py", "leetcode/b.py"),
            [problem("python/a.py", problem_url=problem().github_url)],
        ],
        ids=["none", "platforms", "c", "one", "letter", "empty", "two", "half", "no-site"],
    )
    def test_by_platform(self, problems: list[Problem]) -> None:
        assert grouping_of(problems) == "platform"
