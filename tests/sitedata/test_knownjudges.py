"""The judges that are built in: what paths as people lay them out give."""

import pytest

from sitedata.building.judges import Judge, Statement, bind, folder_key, judges_by_folder, locate
from sitedata.building.knownjudges import known_judges
from sitedata.building.languages import split_name
from sitedata.building.settings import BuildSettings
from sitedata.reading.rules import is_https

JUDGES = judges_by_folder(known_judges())


def statement(path: str) -> Statement | None:
    platform, *folders, name = path.split("/")
    return locate(bind(JUDGES[folder_key(platform)], folders), split_name(name)[0])


CF = "https://codeforces.com"
AT = "https://atcoder.jp/contests"
LG = "https://www.luogu.com.cn/problem"
NC = "https://ac.nowcoder.com/acm"
EXAMPLES = """
codeforces/1234/A.cpp | 1234A | CF/contest/1234/problem/A
codeforces/1234A.cpp | 1234A | CF/contest/1234/problem/A
codeforces/1234A - Title of It.cpp | 1234A - Title of It | CF/contest/1234/problem/A
codeforces/1234A_two_words.cpp | 1234A - Two Words | CF/contest/1234/problem/A
CF/800/1234a1-x.py | 1234A1 - X | CF/contest/1234/problem/A1
cf/1234 - Round 7 (Div. 2)/B. Title.cpp | 1234B - Title | CF/contest/1234/problem/B
code-forces/contest/4/A.cpp | 4A | CF/contest/4/problem/A
codeforces/CF_1234_C2.cpp | 1234C2 | CF/contest/1234/problem/C2
codeforces/problemset/4A.cpp | 4A | CF/problemset/problem/4/A
codeforces/problemset/4/A.cpp | 4A | CF/problemset/problem/4/A
codeforces/problemset/problem/4/a.cpp | 4A | CF/problemset/problem/4/A
codeforces/gym/102345/B.cpp | Gym 102345B | CF/gym/102345/problem/B
gym/102345B - Title.cpp | Gym 102345B - Title | CF/gym/102345/problem/B
codeforces/group/aBc12/323456/A.cpp | 323456A | CF/group/aBc12/contest/323456/problem/A
codeforces/group/aBc12/contest/323456/A.cpp | 323456A | CF/group/aBc12/contest/323456/problem/A
codeforces/group/aBc12/323456A.cpp | 323456A | CF/group/aBc12/contest/323456/problem/A
codeforces/acmsguru/123.cpp | SGU 123 | CF/problemsets/acmsguru/problem/99999/123
codeforces/800/Watermelon.cpp | - | -
codeforces/Round 580/A.cpp | - | -
codeforces/12345A.cpp | - | -
codeforces/A.cpp | - | -
atcoder/abc123/abc123_a.cpp | ABC123 A | AT/abc123/tasks/abc123_a
atcoder/abc123/a.py | ABC123 A | AT/abc123/tasks/abc123_a
atcoder/abc123_a.py | ABC123 A | AT/abc123/tasks/abc123_a
AtCoder/ABC/123/A - Title.py | ABC123 A - Title | AT/abc123/tasks/abc123_a
atcoder/ABC/123_b.py | ABC123 B | AT/abc123/tasks/abc123_b
atcoder/abc250/Ex.py | ABC250 EX | AT/abc250/tasks/abc250_ex
atcoder/abc001/a.py | ABC001 A | AT/abc001/tasks/abc001_1
atcoder/abc001_2.py | ABC001 2 | AT/abc001/tasks/abc001_2
atcoder/arc034/d.py | ARC034 D | AT/arc034/tasks/arc034_4
atcoder/arc035/d.py | ARC035 D | AT/arc035/tasks/arc035_d
atcoder/dp/a.py | dp A | AT/dp/tasks/dp_a
atcoder/typical90/cl.py | typical90 CL | AT/typical90/tasks/typical90_cl
atcoder/tessoku-book/a.py | tessoku-book A | AT/tessoku-book/tasks/tessoku_book_a
atcoder/joi2020yo_a.py | joi2020yo A | AT/joi2020yo/tasks/joi2020yo_a
atcoder/notes.py | - | -
cses/1068.cpp | 1068 | https://cses.fi/problemset/task/1068
CSES/Introductory Problems/1068_weird_algorithm.cpp | 1068 - Weird Algorithm | https://cses.fi/problemset/task/1068
cses/1068 - Weird Algorithm/main.cpp | 1068 - Weird Algorithm | https://cses.fi/problemset/task/1068
cses/weird_algorithm.cpp | - | -
luogu/P1001.cpp | P1001 | LG/P1001
lg/p1001 A+B Problem.cpp | P1001 - A+B Problem | LG/P1001
luogu/P1001/main.cpp | P1001 | LG/P1001
luogu/CF1234A.cpp | CF1234A | LG/CF1234A
luogu/AT_abc123_a.cpp | AT_abc123_a | LG/AT_abc123_a
luogu/1001.cpp | P1001 | LG/P1001
洛谷/B2001.cpp | B2001 | LG/B2001
loj/6000.cpp | #6000 | https://loj.ac/p/6000
LibreOJ/#10 - 标题.cpp | #10 - 标题 | https://loj.ac/p/10
hdu/1000.cpp | 1000 | https://acm.hdu.edu.cn/showproblem.php?pid=1000
HDOJ/hdu1000_A+B.cpp | 1000 - A+B | https://acm.hdu.edu.cn/showproblem.php?pid=1000
project-euler/problem_001.py | Problem 1 | https://projecteuler.net/problem=1
pe/001/main.py | Problem 1 | https://projecteuler.net/problem=1
Project Euler/12 - Highly divisible.hs | Problem 12 - Highly divisible | https://projecteuler.net/problem=12
spoj/PRIME1.cpp | PRIME1 | https://www.spoj.com/problems/PRIME1/
SPOJ/prime1 - Prime Generator.cpp | PRIME1 - Prime Generator | https://www.spoj.com/problems/PRIME1/
spoj/classical/prime1/main.cpp | PRIME1 | https://www.spoj.com/problems/PRIME1/
spoj/main.cpp | - | -
nowcoder/12345/A.cpp | 12345A | NC/contest/12345/A
NowCoder/12345B - Title.cpp | 12345B - Title | NC/contest/12345/B
nowcoder/NC14532.cpp | NC14532 | NC/problem/14532
nowcoder/14532.cpp | NC14532 | NC/problem/14532
vjudge/CodeForces-1234A.cpp | CodeForces 1234A | https://vjudge.net/problem/CodeForces-1234A
vjudge/HDU_1000 - Title.cpp | HDU 1000 - Title | https://vjudge.net/problem/HDU-1000
vjudge/AtCoder-abc123_a.cpp | AtCoder abc123_a | https://vjudge.net/problem/AtCoder-abc123_a
vj/contest/12345/a.cpp | 12345 A | https://vjudge.net/contest/12345#problem/A
vjudge/two_sum.cpp | - | -
qoj/123.cpp | 123 | https://qoj.ac/problem/123
QOJ/contest/12/345.cpp | 345 | https://qoj.ac/contest/12/problem/345
qoj/contest 12/345.cpp | 345 | https://qoj.ac/contest/12/problem/345
kattis/hello.py | hello | https://open.kattis.com/problems/hello
Kattis/Hello/solution.py | hello | https://open.kattis.com/problems/hello
kattis/hello - Hello World.py | hello - Hello World | https://open.kattis.com/problems/hello
kattis/solution2.py | - | -
leetcode/0001-two-sum.py | 1. Two Sum | https://leetcode.com/problems/two-sum/
leetcode/1. Two Sum.py | 1. Two Sum | https://leetcode.com/problems/two-sum/
LeetCode/0118-pascals-triangle-ii/solution.py | 118. Pascals Triangle II | https://leetcode.com/problems/pascals-triangle-ii/
lc/easy/two-sum.py | Two Sum | https://leetcode.com/problems/two-sum/
leetcode/3sum-closest.py | 3sum Closest | https://leetcode.com/problems/3sum-closest/
leetcode/1.py | - | -
leetcode/1-两数之和.py | - | -
aoj/ALDS1_1_A.cpp | ALDS1_1_A | https://onlinejudge.u-aizu.ac.jp/problems/ALDS1_1_A
aizu/itp1_10_b_title.cpp | ITP1_10_B - Title | https://onlinejudge.u-aizu.ac.jp/problems/ITP1_10_B
aoj/0000.cpp | 0000 | https://onlinejudge.u-aizu.ac.jp/problems/0000
uva/100.cpp | 100 | https://onlinejudge.org/external/1/100.pdf
UVa/volume 1/uva 00100 - The 3n+1 problem.cpp | 100 - The 3n+1 problem | https://onlinejudge.org/external/1/100.pdf
uva/12345.cpp | 12345 | https://onlinejudge.org/external/123/12345.pdf
uva/12.cpp | - | -
uva/123456.cpp | - | -
"""
SHORT = {"CF": CF, "AT": AT, "LG": LG, "NC": NC}


def examples() -> list[tuple[str, str, str]]:
    found = []
    for line in EXAMPLES.strip().splitlines():
        path, title, url = line.split(" | ")
        head, _, tail = url.partition("/")
        found.append((path, title, f"{SHORT[head]}/{tail}" if head in SHORT else url))
    return found


class TestLayouts:
    @pytest.mark.parametrize(("path", "title", "url"), examples())
    def test_a_path_gives_the_problem_that_it_names(self, path: str, title: str, url: str) -> None:
        found = statement(path)
        assert found == (None if title == "-" else (title, url))
        assert found is None or is_https(found.url)

    def test_every_judge_has_an_example(self) -> None:
        shown = {JUDGES[folder_key(path.partition("/")[0])].name for path, _, _ in examples()}
        assert shown == {judge.name for judge in known_judges()}

    @pytest.mark.parametrize("judge", known_judges(), ids=lambda judge: judge.name)
    def test_names_of_any_length_are_judged_at_once(self, judge: Judge) -> None:
        """They would take hours if repetitions could be undone."""
        for sign in ("1", "a", "0", "-", " ", "_", "a-", "1a", "abc123_", "(", "é"):
            layouts = bind(judge, ["a" * 4000, sign * 4000])
            locate(layouts, f"{sign * 4000}!")
            locate(layouts, sign * 4000)


class TestNames:
    def test_they_are_sorted_and_each_has_its_own_folders(self) -> None:
        names = [judge.name for judge in known_judges()]
        assert names == sorted(set(names))
        keys = [key for judge in known_judges() for key in judge.folders]
        assert len(keys) == len(set(keys))

    def test_they_are_found_by_their_own_names(self) -> None:
        for judge in known_judges():
            assert JUDGES[folder_key(judge.name)] is judge

    def test_they_are_what_settings_begin_with(self) -> None:
        assert BuildSettings().judges == known_judges()
