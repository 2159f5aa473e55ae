"""The built-in platforms: titles and URLs of usual paths."""

import importlib
import re
from collections.abc import Iterator
from typing import Any

import pytest

from sitedata.building.history import TreeFile
from sitedata.building.known_platforms import known_platforms
from sitedata.building.names import folder_key
from sitedata.building.platforms import Platform, Statement, platforms_by_folder
from sitedata.building.settings import BuildSettings
from sitedata.building.tree import list_problems
from sitedata.parsing import is_https
from support.sitedata.statements import statements

PLATFORMS = platforms_by_folder(known_platforms())
REPEATS = importlib.import_module("re._constants")
PARSER = importlib.import_module("re._parser")


def backtracking(parsed: Any) -> Iterator[str]:
    """Yield the repetitions of a parsed expression that can backtrack."""
    for part in parsed:
        if isinstance(part, PARSER.SubPattern):
            yield from backtracking(part)
        elif isinstance(part, list | tuple):
            if part and part[0] in (REPEATS.MAX_REPEAT, REPEATS.MIN_REPEAT):
                least, most, repeated = part[1]
                is_plain = len(repeated) == 1 and repeated[0][0] is not REPEATS.SUBPATTERN
                if most > 1 and not (least == most and is_plain):
                    yield str(part)
            yield from backtracking(part)


@pytest.mark.parametrize("path", ["a+", "a{2,3}", "(?:a+)++", "(?:ab|a){2}", "(?>a*)", "a?(b+)?"])
def test_backtracking_is_noticed(path: str) -> None:
    assert [*backtracking(PARSER.parse(path))]
    assert not [*backtracking(PARSER.parse(r"(?:a[b]++)?c{4}(?:d|e){2,}+"))]


CF = "https://codeforces.com"
AT = "https://atcoder.jp/contests"
LG = "https://www.luogu.com.cn/problem"
NC = "https://ac.nowcoder.com/acm"
EXAMPLES = """
codeforces/1234A.cpp | 1234A | CF/contest/1234/problem/A
codeforces/1234A - Title of It.cpp | 1234A - Title of It | CF/contest/1234/problem/A
codeforces/1234A_two_words.cpp | 1234A - Two Words | CF/contest/1234/problem/A
CF/800/1234a1-x.py | 1234A1 - X | CF/contest/1234/problem/A1
cf/1234 - Round 7 (Div. 2)/B. Title.cpp | 1234B - Title | CF/contest/1234/problem/B
code-forces/contest/4/A.cpp | 4A | CF/contest/4/problem/A
codeforces/CF_1234_C2.cpp | 1234C2 | CF/contest/1234/problem/C2
codeforces/problemset/4A.cpp | 4A | CF/problemset/problem/4/A
codeforces/problemset/problem/4/a.cpp | 4A | CF/problemset/problem/4/A
gym/102345B - Title.cpp | Gym 102345B - Title | CF/gym/102345/problem/B
codeforces/group/aBc12/contest/323456/A.cpp | 323456A | CF/group/aBc12/contest/323456/problem/A
codeforces/800/Watermelon.cpp | - | -
codeforces/Round 580/A.cpp | - | -
codeforces/12345A.cpp | - | -
codeforces/A.cpp | - | -
codeforces/4 weeks/A.cpp | - | -
codeforces/2024/A.cpp | - | -
codeforces/2024-01-05/A.cpp | - | -
AtCoder/ABC/123/A - Title.py | ABC123 A - Title | AT/abc123/tasks/abc123_a
atcoder/abc250/Ex.py | ABC250 EX | AT/abc250/tasks/abc250_h
AtCoder/ABC/318/Ex - Title.py | ABC318 EX - Title | AT/abc318/tasks/abc318_h
atcoder/abc232/ex.py | - | -
atcoder/arc057/c.py | ARC057 C | AT/arc057/tasks/arc057_c
atcoder/arc058_b.py | ARC058 B | AT/arc058/tasks/arc058_b
atcoder/arc104/c.py | ARC104 C | AT/arc104/tasks/arc104_c
atcoder/abc001_2.py | ABC001 2 | AT/abc001/tasks/abc001_2
atcoder/arc034/d.py | ARC034 D | AT/arc034/tasks/arc034_4
atcoder/arc035/d.py | ARC035 D | AT/arc035/tasks/arc035_d
atcoder/dp/a.py | dp A | AT/dp/tasks/dp_a
atcoder/joi2020yo_a.py | joi2020yo A | AT/joi2020yo/tasks/joi2020yo_a
atcoder/jsc2019-qual_b.py | jsc2019-qual B | AT/jsc2019-qual/tasks/jsc2019_qual_b
atcoder/attempt2_a.py | - | -
atcoder/notes.py | - | -
CSES/Introductory Problems/1068_weird_algorithm.cpp | 1068 - Weird Algorithm | https://cses.fi/problemset/task/1068
cses/1068 - Weird Algorithm/main.cpp | 1068 - Weird Algorithm | https://cses.fi/problemset/task/1068
cses/02. Sorting and Searching/1621.cpp | 1621 | https://cses.fi/problemset/task/1621
cses/Mathematics/1095.cpp | 1095 | https://cses.fi/problemset/task/1095
cses/dp/cses 1633.cpp | 1633 | https://cses.fi/problemset/task/1633
cses/weird_algorithm.cpp | - | -
luogu/P1001.cpp | P1001 | LG/P1001
lg/p1001 A+B Problem.cpp | P1001 - A+B Problem | LG/P1001
luogu/CF1234A.cpp | CF1234A | LG/CF1234A
luogu/AT_abc123_a.cpp | AT_abc123_a | LG/AT_abc123_a
luogu/1001.cpp | - | -
洛谷/B2001.cpp | B2001 | LG/B2001
백준/Bronze/1000. A＋B/A＋B.cc | 1000 - A＋B | BJ/1000
백준/Gold/1005. ACM Craft/ACM Craft.py | 1005 - ACM Craft | BJ/1005
백준/Python/Silver/10026. 적록색약/적록색약.py | 10026 - 적록색약 | BJ/10026
boj/Gold 5/1106.py | 1106 | BJ/1106
baekjoon/silver4/2839_sugar.java | 2839 - Sugar | BJ/2839
boj/100.cpp | - | -
프로그래머스/lv1/12903. 글자/글자.py | 12903 - 글자 | PR/12903
programmers/lv1/12903.py | - | -
codechef/FLOW001.cpp | FLOW001 | CC/FLOW001
CodeChef/START100/HS08TEST.py | HS08TEST | CC/HS08TEST
CodeChef/Beginner/FLOW001 - Add Two Numbers.c | FLOW001 - Add Two Numbers | CC/FLOW001
codechef/P1169.py | P1169 | CC/P1169
codechef/chef.cpp | - | -
codechef/MAX_MIN.cpp | - | -
DMOJ/coci06c1p1.cpp | coci06c1p1 | DM/coci06c1p1
dmoj/aplusb.py | aplusb | DM/aplusb
dmoj/CCC/2015/S1.cpp | CCC 15 S1 | DM/ccc15s1
dmoj/ccc/96/j2.py | - | -
dmoj/ccc/08/j2 - Title.py | CCC 08 J2 - Title | DM/ccc08j2
dmoj/s1.cpp | - | -
hackerrank/challenges/solve-me-first.py | Solve Me First | HR/challenges/solve-me-first/problem
hackerrank/contests/w-1/challenges/two-sum.py | Two Sum | HR/contests/w-1/challenges/two-sum/problem
poj/1000.cpp | 1000 | https://vjudge.net/problem/POJ-1000
POJ/poj2002_squares.cpp | 2002 - Squares | https://vjudge.net/problem/POJ-2002
poj/5000.cpp | - | -
timus/1000. A+B Problem.cpp | 1000 - A+B Problem | TI1000
Timus/Volume 1/1001.cpp | 1001 | TI1001
ural/1100/main.cpp | 1100 | TI1100
timus/2300.cpp | - | -
loj/6000.cpp | #6000 | https://loj.ac/p/6000
LibreOJ/#10 - 标题.cpp | #10 - 标题 | https://loj.ac/p/10
HDOJ/hdu1000_A+B.cpp | 1000 - A+B | https://acm.hdu.edu.cn/showproblem.php?pid=1000
hdu/2023 multi-university 1/1003.cpp | - | -
hdu/dp/hdu1003.cpp | 1003 | https://acm.hdu.edu.cn/showproblem.php?pid=1003
ProjectEuler/P2/codes/1.cpp | - | -
ProjectEuler/P2/main.cpp | Problem 2 | https://projecteuler.net/problem=2
project_euler/problem_001/sol1.py | Problem 1 | https://projecteuler.net/problem=1
Project Euler/12 - Highly divisible.hs | Problem 12 - Highly divisible | https://projecteuler.net/problem=12
SPOJ/prime1 - Prime Generator.cpp | PRIME1 - Prime Generator | https://www.spoj.com/problems/PRIME1/
spoj/a.cpp | - | -
nowcoder/contest/12345/A.cpp | 12345A | NC/contest/12345/A
nowcoder/12345/A.cpp | - | -
NowCoder/12345B - Title.cpp | 12345B - Title | NC/contest/12345/B
nowcoder/NC14532.cpp | NC14532 | NC/problem/14532
nowcoder/14532.cpp | NC14532 | NC/problem/14532
nowcoder/NC140.cpp | - | -
vjudge/CodeForces-1234A.cpp | CodeForces 1234A | https://vjudge.net/problem/CodeForces-1234A
vjudge/HDU_1000 - Title.cpp | HDU 1000 - Title | https://vjudge.net/problem/HDU-1000
vjudge/AtCoder-abc123_a.cpp | AtCoder abc123_a | https://vjudge.net/problem/AtCoder-abc123_a
vj/contest/12345/a.cpp | 12345 A | https://vjudge.net/contest/12345#problem/A
vjudge/12345/a.cpp | 12345 A | https://vjudge.net/contest/12345#problem/A
vjudge/two_sum.cpp | - | -
qoj/123.cpp | 123 | https://qoj.ac/problem/123
QOJ/contest/12/345.cpp | 345 | https://qoj.ac/contest/12/problem/345
qoj/1339/a.cpp | - | -
qoj/ucup/qoj 1339.cpp | 1339 | https://qoj.ac/problem/1339
qoj/contest 12/345.cpp | 345 | https://qoj.ac/contest/12/problem/345
Kattis/Hello/solution.py | hello | https://open.kattis.com/problems/hello
kattis/hello - Hello World.py | hello - Hello World | https://open.kattis.com/problems/hello
kattis/12.py | - | -
spoj/TEST.py | TEST | https://www.spoj.com/problems/TEST/
leetcode/1. Two Sum.py | 1. Two Sum | https://leetcode.com/problems/two-sum/
LeetCode/0118-pascals-triangle-ii/solution.py | 118. Pascals Triangle II | https://leetcode.com/problems/pascals-triangle-ii/
leetcode/3sum-closest.py | 3Sum Closest | https://leetcode.com/problems/3sum-closest/
leetcode/4sum-ii.py | 4Sum II | https://leetcode.com/problems/4sum-ii/
leetcode/1-two-sum/1-two-sum.py | 1. Two Sum | https://leetcode.com/problems/two-sum/
leetcode/15-3sum/15-3sum.cpp | 15. 3Sum | https://leetcode.com/problems/3sum/
leetcode/1-two-sum/two-sum.py | Two Sum | https://leetcode.com/problems/two-sum/
leetcode/1-basics/2-loops.py | - | -
leetcode/14-longest-common-prefix/14-longest-common-prefix.js | 14. Longest Common Prefix | https://leetcode.com/problems/longest-common-prefix/
leetcode/0191-number-of-1-bits.js | 191. Number of 1 Bits | https://leetcode.com/problems/number-of-1-bits/
leetcode/lru-cache.py | LRU Cache | https://leetcode.com/problems/lru-cache/
leetcode/2-keys-keyboard.py | - | -
leetcode/lc-132-pattern.py | - | -
leetcode/2024-01-05.py | - | -
leetcode/0456-132-pattern.py | 456. 132 Pattern | https://leetcode.com/problems/132-pattern/
leetcode/0679-24-game.py | 679. 24 Game | https://leetcode.com/problems/24-game/
leetcode/1.py | - | -
leetcode/1-两数之和.py | - | -
aoj/ALDS1_1_A.cpp | ALDS1_1_A | https://onlinejudge.u-aizu.ac.jp/problems/ALDS1_1_A
aizu/itp1_10_b_title.cpp | ITP1_10_B - Title | https://onlinejudge.u-aizu.ac.jp/problems/ITP1_10_B
aoj/volume 1/0100.cpp | 0100 | https://onlinejudge.u-aizu.ac.jp/problems/0100
aoj/0000.cpp | 0000 | https://onlinejudge.u-aizu.ac.jp/problems/0000
UVa/volume 1/uva 00100 - The 3n+1 problem.cpp | 100 - The 3n+1 problem | https://onlinejudge.org/external/1/100.pdf
uva/12345.cpp | 12345 | https://onlinejudge.org/external/123/12345.pdf
uva/12.cpp | - | -
uva/1585.cpp | 1585 | https://onlinejudge.org/external/15/1585.pdf
uva/13000.cpp | 13000 | https://onlinejudge.org/external/130/13000.pdf
uva/Volume 100 (10000-10099)/10055.cpp | 10055 | https://onlinejudge.org/external/100/10055.pdf
uva/2000.cpp | - | -
uva/9999.cpp | - | -
uva/uva 2024.cpp | - | -
uva/14000.cpp | - | -
uva/123456.cpp | - | -
uva/contest 3/100.cpp | - | -
"""
SHORT = {
    "CF": CF,
    "AT": AT,
    "LG": LG,
    "NC": NC,
    "BJ": "https://www.acmicpc.net/problem",
    "CC": "https://www.codechef.com/problems",
    "DM": "https://dmoj.ca/problem",
    "HR": "https://www.hackerrank.com",
    "PR": "https://school.programmers.co.kr/learn/courses/30/lessons",
}


def examples() -> list[tuple[str, str, str]]:
    found = []
    timus = "https://acm.timus.ru/problem.aspx?space=1&num="
    for line in EXAMPLES.replace("| TI", f"| {timus}").strip().split("\n"):
        path, title, url = line.split(" | ")
        head, _, tail = url.partition("/")
        found.append((path, title, f"{SHORT[head]}/{tail}" if head in SHORT else url))
    return found


@pytest.mark.rule("SD-LINK-01", "SD-LINK-02")
class TestLayouts:
    def test_a_path_identifies_its_problem(self) -> None:
        failures = []
        for path, title, url in examples():
            found = statements(path)[0]
            expected = None if title == "-" else Statement(title, url)
            if found != expected or (found is not None and not is_https(found.url or "")):
                failures.append(f"{path}: {found}, expected {expected}")
        assert not failures, "\n".join(failures)

    def test_every_platform_has_an_example(self) -> None:
        shown = {PLATFORMS[folder_key(path.partition("/")[0])].name for path, _, _ in examples()}
        assert shown == {platform.name for platform in known_platforms()}

    def test_no_pattern_backtracks_and_all_fields_are_its_groups(self) -> None:
        for platform in known_platforms():
            for layout in platform.layouts:
                parts = layout.path.removeprefix("/").split("/")
                parsed = [PARSER.parse(part, re.IGNORECASE | re.ASCII) for part in parts]
                assert [*backtracking(parsed)] == [], layout
                groups = {name for part in parsed for name in part.state.groupdict}
                fields = re.findall(r"\{([a-z]+)(?:[:}])", layout.title + (layout.url or ""))
                assert groups.issuperset(fields), layout
                assert layout.url is None or is_https(layout.url.replace("{", "").replace("}", ""))

    @pytest.mark.parametrize("platform", known_platforms(), ids=lambda platform: platform.name)
    def test_matching_long_names_is_fast(self, platform: Platform) -> None:
        """Backtracking would take hours."""
        for sign in ("1", "a", "0", "-", " ", "_", "a-", "1a", "abc123_", "(", "é", "sol "):
            for stem in (f"{sign * 4000}!", sign * 4000, "main"):
                path = f"{platform.name}/{'a' * 4000}/{sign * 4000}/{stem}.py"
                assert len(statements(path, platforms=[platform])) == 1


@pytest.mark.rule("SD-LINK-03", "SD-LINK-05", "SD-LINK-06")
class TestSiblings:
    """The siblings of a file decide what a number means."""

    @pytest.mark.parametrize("platform", ["qoj", "hdu"])
    def test_files_with_different_letters_show_a_contest(self, platform: str) -> None:
        """The URLs contain ids that are not in the path, so there is no URL."""
        found = statements(*(f"{platform}/1339/{letter}.cpp" for letter in "achjk"))
        assert found == [(f"1339{letter}", None) for letter in "ACHJK"]

    def test_a_contest_of_a_platform_with_letters_in_its_urls(self) -> None:
        one, two = "nowcoder/12345/A.cpp", "nowcoder/12345/b - Two.cpp"
        assert statements(one) == [None]
        assert statements(one, two) == [
            ("12345A", f"{NC}/contest/12345/A"),
            ("12345B - Two", f"{NC}/contest/12345/B"),
        ]
        assert statements("codeforces/2024/A.cpp", "codeforces/2024/B1.cpp") == [
            ("2024A", f"{CF}/contest/2024/problem/A"),
            ("2024B1", f"{CF}/contest/2024/problem/B1"),
        ]
        assert statements("vjudge/2024/A.cpp", "vjudge/2024/B.cpp") == [
            ("2024 A", "https://vjudge.net/contest/2024#problem/A"),
            ("2024 B", "https://vjudge.net/contest/2024#problem/B"),
        ]

    def test_one_letter_in_two_languages_is_no_contest(self) -> None:
        assert statements("qoj/1339/a.cpp", "qoj/1339/a.py", "qoj/1339/A2.py") == [None] * 3
        assert statements("qoj/1339/a.cpp", "qoj/1338/b.cpp") == [None, None]

    def test_files_that_are_not_listed_are_ignored(self) -> None:
        paths = "qoj/1339/a.cpp", "qoj/1339/b.txt", "qoj/1339/b.out"
        files = tuple(TreeFile(path.encode()) for path in paths)
        (entry,) = list_problems(files, BuildSettings()).entries
        assert (entry.title, entry.url) == ("qoj 1339 A", None)

    def test_in_a_contest_the_folder_is_no_problem(self) -> None:
        found = statements("hdu/1212/a.cpp", "hdu/1212/b.cpp", "hdu/1212/main.cpp")
        assert found == [("1212A", None), ("1212B", None), None]
        assert statements("kattis/hello/a.py", "kattis/hello/b.py") == [None, None]

    NUMBERED = (
        "1-two-sum", "2-add-two-numbers", "3-longest-substring", "456-132-pattern", "679-24-game"
    )  # fmt: skip
    SLUGS = ("two-sum", "add-two-numbers", "longest-substring", "132-pattern", "24-game")

    @pytest.mark.parametrize("form", ["leetcode/{}.py", "leetcode/easy/{}/solution.py"])
    def test_if_every_name_has_a_number_the_rest_is_the_title(self, form: str) -> None:
        """The meaning of the number is unknown, so it is not in the title."""
        found = statements(*map(form.format, self.NUMBERED))
        assert [each and each.url for each in found] == [
            f"https://leetcode.com/problems/{slug}/" for slug in self.SLUGS
        ]
        assert [each and each.title for each in found][3:] == ["132 Pattern", "24 Game"]

    @pytest.mark.parametrize("form", ["leetcode/{}.py", "leetcode/{}/solution.py"])
    def test_otherwise_a_number_may_belong_to_the_title(self, form: str) -> None:
        few = map(form.format, self.NUMBERED[:4])
        assert statements(*few) == [None] * 4
        mixed = [*self.NUMBERED, "two-sum"]
        assert statements(*map(form.format, mixed))[:5] == [None] * 5

    SHORT_SLUGS = ("3sum", "ipo", "132-pattern", "01-matrix", "24-game", "candy")

    @pytest.mark.parametrize("form", ["leetcode/{}.py", "leetcode/easy/{}/solution.py"])
    def test_beside_slugs_a_short_slug_or_one_with_a_number_is_one(self, form: str) -> None:
        names = (*self.SHORT_SLUGS, "two-sum", "lru-cache", "3sum-closest", "word-ladder")
        found = statements(*map(form.format, names))
        assert [each and each.url for each in found] == [
            f"https://leetcode.com/problems/{slug}/" for slug in names
        ]
        assert [each and each.title for each in found[:4]] == [
            "3Sum", "IPO", "132 Pattern", "01 Matrix",
        ]  # fmt: skip
        few = statements(*map(form.format, (*self.SHORT_SLUGS, "two-sum", "lru-cache")))
        assert few[:6] == [None] * 6

    def test_beside_slugs_other_short_names_are_none(self) -> None:
        names = ("heap", "trie", "2-pointers", "two-sum", "lru-cache", "word-ladder")
        assert statements(*(f"leetcode/{name}.py" for name in names))[:3] == [None] * 3

    def test_a_word_and_a_number_is_no_slug(self) -> None:
        names = ("LCP-01", "lcp-01-guess-numbers", "day-01", "week-2", "maximum-69-number")
        for form in ("leetcode/{}.py", "leetcode/{}/solution.py"):
            found = statements(*map(form.format, (*names, "two-sum", "lru-cache", "word-ladder")))
            assert [each and each.url for each in found][:4] == [None] * 4
            assert found[4] is not None

    def test_a_slug_is_not_taken_for_a_number_and_a_title(self) -> None:
        """In a folder of numbered names `24-game` may still be the id of problem 679."""
        found = statements(*(f"leetcode/{name}.py" for name in (*self.NUMBERED, "24-game")))
        assert found[0] is not None
        assert found[-1] is None

    def test_a_repository_of_leethub_needs_no_folder(self) -> None:
        root = Platform("leetcode", ["."], PLATFORMS["leetcode"].layouts)
        paths = (f"{name}/solution.py" for name in self.NUMBERED)
        found = statements(*paths, platforms=(root,))
        assert [each and each.url for each in found] == [
            f"https://leetcode.com/problems/{slug}/" for slug in self.SLUGS
        ]

    def test_a_title_of_hackerrank_has_no_url(self) -> None:
        """The id of a challenge is often not that of its title: `grading` is Grading Students."""
        found = statements("hackerrank/solve-me-first.py", "hackerrank/Grading Students/Solution.c")
        assert found == [("Solve Me First", None), ("Grading Students", None)]

    def test_tasks_that_two_contests_share_have_no_url(self) -> None:
        """The path does not determine to which contest the URL belongs."""
        for path in ("abc042/c", "abc042_c", "ABC/042/c", "abc/042c", "abc111 c"):
            ((title, url),) = filter(None, statements(f"atcoder/{path}.cpp"))
            assert title in {"ABC042 C", "ABC111 C"}
            assert url is None
        ((_, url),) = filter(None, statements("atcoder/abc112/c.cpp"))
        assert url == f"{AT}/abc112/tasks/abc112_c"

    def test_a_letter_that_is_not_that_of_its_url_has_none(self) -> None:
        """In ARC 58 to 103 the URL of task C ends in `a`, so `c` may be task C or task E."""
        for path in ("arc058/c", "arc058_f", "ARC/103/d", "arc/103e", "arc098 c"):
            ((title, url),) = filter(None, statements(f"atcoder/{path}.cpp"))
            assert title.startswith("ARC")
            assert url is None

    @pytest.mark.check
    def test_the_cost_is_linear(self) -> None:
        """A folder is recorded in its parent folder only, at any depth."""
        deep = "qoj/" + "a/" * 2000
        assert len(statements(*(f"{deep}{number}/a.cpp" for number in range(300)))) == 300
