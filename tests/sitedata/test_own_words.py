"""Links and titles that the files of a repository name themselves."""

from pathlib import Path

import attrs
import pytest

from sitedata.adapters.git import RepositoryError, history_of
from sitedata.building.builder import BuildResult, build
from sitedata.building.own_words import MAX_WORDS_BYTES, words_of
from sitedata.building.settings import BuildSettings
from sitedata.building.settings_file import read_settings
from support.sitedata.git_repositories import git, make, script
from support.sitedata.repositories import Write

LC = "https://leetcode.com/problems"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("# http://leetcode.com/problems/two-sum/description/", f"{LC}/two-sum/"),
        ("https://leetcode-cn.com/problems/a-lcof", "https://leetcode.cn/problems/a-lcof/"),
        ("https://acmicpc.net/problem/1000.", "https://www.acmicpc.net/problem/1000"),
        ("(https://www.hackerrank.com/challenges/a-b/problem?x)", "https://www.hackerrank.com/challenges/a-b/problem"),
        ("https://codeforces.com/problemset/problem/4/A", "https://codeforces.com/contest/4/problem/A"),
        ("https://CODEFORCES.com/contest/4/problem/A", "https://codeforces.com/contest/4/problem/A"),
        ("https://atcoder.jp/contests/abc001/tasks/abc001_1", "https://atcoder.jp/contests/abc001/tasks/abc001_1"),
        ("https://nus.kattis.com/problems/eko", "https://nus.kattis.com/problems/eko"),
        ("https://practice.geeksforgeeks.org/problems/a-b/1", "https://www.geeksforgeeks.org/problems/a-b/1"),
        ("https://programmers.co.kr/learn/courses/30/lessons/12903", "https://school.programmers.co.kr/learn/courses/30/lessons/12903"),
        ("https://www.spoj.com/problems/PRIME1/", "https://www.spoj.com/problems/PRIME1/"),
        ("https://loj.ac/problem/10", "https://loj.ac/p/10"),
        ("HTTPS://LEETCODE.COM/PROBLEMS/TWO-SUM", f"{LC}/two-sum/"),
        ("https://leetcode.com/contest/weekly-1/problems/two-sum/", f"{LC}/two-sum/"),
        ("https://codeforces.com/contest/4/problem/a", "https://codeforces.com/contest/4/problem/A"),
        ("https://www.spoj.com/problems/prime1", "https://www.spoj.com/problems/PRIME1/"),
        ("https://codechef.com/START01/problems/FLOW001", "https://www.codechef.com/problems/FLOW001"),
        ("https://nus.kattis.com/contests/x/problems/eko", "https://nus.kattis.com/problems/eko"),
        ("https://leetcode.com/u/ada", None),
        ("https://evil.example/leetcode.com/problems/two-sum", None),
        ("leetcode.com/problems/two-sum", None),
        ("ftp://leetcode.com/problems/two-sum", None),
        ("\n" * 20 + "https://cses.fi/problemset/task/1068", None),
    ],
)  # fmt: skip
def test_the_first_lines_name_a_problem_of_a_known_site(text: str, url: str | None) -> None:
    assert words_of(b"x/a.py", text.encode()).urls == ({url} if url else set())


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# [1. Two\u2005Sum](https://x.example/a(b)) #\n## b", "1. Two Sum"),
        ('<h2><a href="x">1. Two Sum</a></h2><hr>', "1. Two Sum"),
        ("\ufeff# Pascal&#39;s\x1b[31m\x85 \u200bA\uff0bB\n", "Pascal's[31m \u200bA+B"),
        ("# \u200ba\t&\x9b \u06cc\u200c\u062e \u200b\r\n", "a & \u06cc\u200c\u062e"),
        ("#no heading\n# Solu\u200btion", ""),
        ("# Solution\n# Two Sum", ""),
    ],
)
def test_the_heading_of_a_readme_is_a_title(text: str, heading: str) -> None:
    assert words_of(b"x/README_EN.md", text.encode()).heading == heading


@pytest.mark.parametrize("text", ["# " + "[" * 490, "<h1>" * 50_000, "# [a](" * 30_000])
def test_long_texts_are_read_in_linear_time(text: str) -> None:
    """Backtracking would take hours."""
    assert words_of(b"README.md", text.encode()).urls == set()


FILES = {
    "gfg/Pair/pair.py": "x",
    "gfg/Pair/README.md": "# Pair of *n*\nhttps://www.geeksforgeeks.org/problems/pair/1",
    "leetcode/0001-two-sum/main.py": f"# {LC}/add-two-numbers/",
    "leetcode/0002-three-sum/Solution.py": "x",
    "leetcode/0002-three-sum/README.md": "https://leetcode.cn/problems/three-sum",
    "leetcode/lcof/s/Solution.py": "x",
    "leetcode/lcof/s/README.md": "# [Array](https://leetcode.cn/problems/s-lcof/)",
    "leetcode/lcof/s/README_EN.md": "https://leetcode.cn/problems/s-lcof/",
    "own/two/a1.py": f"# {LC}/two-sum and {LC}/three-sum",
    "own/many/heap.py": "x",
    "own/many/sort.py": "x",
    "own/many/README.md": f"{LC}/two-sum",
    "own/large/heap.py": f"# {LC}/two-sum\n" + "x" * MAX_WORDS_BYTES,
    "own/\u00e4 \n/heap.py": f"# {LC}/two-sum",
}


OWN = BuildSettings(owner="ada", name="practice", reads_files=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    writes = [Write(name.encode(), text.encode()) for name, text in FILES.items()]
    return make(tmp_path_factory.mktemp("own") / "practice", script(writes)).path


def built(repository: Path, settings: BuildSettings = OWN) -> BuildResult:
    return build(history_of(repository, settings), settings, generated_at=10**12)


def found(result: BuildResult) -> dict[str, tuple[str, str | None]]:
    return {
        each.path: (each.title, None if each.problem_url == each.github_url else each.problem_url)
        for each in result.snapshot.problems
    }


@pytest.mark.rule("SD-LINK-10")
def test_exactly_one_problem_of_a_known_site_is_the_link(repository: Path) -> None:
    result = built(repository)
    assert found(result) == {
        "gfg/Pair/pair.py": ("Pair of *n*", "https://www.geeksforgeeks.org/problems/pair/1"),
        "leetcode/0001-two-sum/main.py": ("1. Two Sum", f"{LC}/add-two-numbers/"),
        "leetcode/0002-three-sum/Solution.py": ("2. Three Sum", f"{LC}/three-sum/"),
        "leetcode/lcof/s/Solution.py": ("Array", "https://leetcode.cn/problems/s-lcof/"),
        "own/two/a1.py": ("two A1", None),
        "own/many/heap.py": ("heap", None),
        "own/many/sort.py": ("sort", None),
        "own/large/heap.py": ("heap", None),
        "own/\u00e4 \n/heap.py": ("heap", f"{LC}/two-sum/"),
    }
    assert [(each.rule, each.path) for each in result.warnings] == [
        ("link.replaced", "/leetcode/0001-two-sum/main.py")
    ]


def test_without_the_setting_no_file_is_read(repository: Path) -> None:
    settings = attrs.evolve(OWN, reads_files=False)
    assert history_of(repository, settings).words == {}
    assert found(built(repository, settings))["gfg/Pair/pair.py"] == ("Pair", None)


def test_it_is_a_setting_of_the_file() -> None:
    chosen = [{"links": "files"}, {"links": "paths"}, {}]
    assert [read_settings(each).reads_files for each in chosen] == [True, False, False]


def test_a_clone_without_contents_is_an_error(repository: Path, tmp_path: Path) -> None:
    git(repository, "config", "uploadpack.allowFilter", "true")
    place = str(tmp_path / "clone")
    url = repository.absolute().as_uri()
    git(tmp_path, "clone", "--quiet", "--bare", "--filter=blob:none", url, place)
    with pytest.raises(RepositoryError) as caught:
        built(Path(place))
    assert caught.value.code == "repository.partial"


def test_many_files_are_read_in_batches(tmp_path: Path) -> None:
    numbers = range(100, 140)
    text = "#" * (MAX_WORDS_BYTES - 100)
    writes = [Write(f"own/{n}/heap.py".encode(), f"# {LC}/x-{n}\n{text}".encode()) for n in numbers]
    made = make(tmp_path / "practice", script(writes))
    links = [url for _, url in found(built(made.path)).values()]
    assert links == [f"{LC}/x-{n}/" for n in numbers]
