"""Forms of the paths of one task: all have one link, whatever folders it is in."""

from collections.abc import Iterator

import pytest

from support.sitedata.statements import statements

AT, CF = "https://atcoder.jp/contests", "https://codeforces.com"

CONTESTS = [
    # platform, contest, task, URL
    ("atcoder", "abc001", "c", f"{AT}/abc001/tasks/abc001_3"),
    ("atcoder", "arc023", "c", f"{AT}/arc023/tasks/arc023_3"),
    ("atcoder", "abc001", "e", None),
    ("atcoder", "abc050", "c", None),
    ("atcoder", "arc060", "e", None),
    ("atcoder", "abc240", "ex", f"{AT}/abc240/tasks/abc240_h"),
    ("atcoder", "abc123", "a", f"{AT}/abc123/tasks/abc123_a"),
    ("atcoder", "AGC040", "B", f"{AT}/agc040/tasks/agc040_b"),
    ("atcoder", "typical90", "v", f"{AT}/typical90/tasks/typical90_v"),
    ("atcoder", "tessoku_book", "ad", f"{AT}/tessoku-book/tasks/tessoku_book_ad"),
    ("atcoder", "past202309", "a", f"{AT}/past202309-open/tasks/past202309_a"),
    ("atcoder", "keyence2021", "b", f"{AT}/keyence2021/tasks/keyence2021_b"),
    ("codeforces", "1234", "C2", f"{CF}/contest/1234/problem/C2"),
    ("codeforces", "cf4", "A", f"{CF}/contest/4/problem/A"),
    ("codeforces", "gym/102345", "B", f"{CF}/gym/102345/problem/B"),
    ("codeforces", "group/aBc12/323456", "A", f"{CF}/group/aBc12/contest/323456/problem/A"),
    ("codeforces", "problemset/4", "A", f"{CF}/problemset/problem/4/A"),
]
FORMS = [
    "{contest}/{task}",
    "{contest}_{task}",
    "{contest}/{task}/main",
    "{contest}/{task}/Solution2",
    "{contest}/{task}/{task}",
    "{contest}_{task}/submission-12",
    "{contest}/src/bin/{task}",
    "{contest}/{task}/src/main/java/Main",
    "python/{contest}/{task}",
    "2021/{contest}/{task}",
]
REPEATED = ["{contest}/{name}_{task}", "{contest}/{name}_{task}/{name}_{task}"]
SERIES = ["{series}/{number}/{task}", "{series}/{number}_{task}", "{series}/{number}/{task}/main"]


def of_series(contest: str, task: str) -> Iterator[str]:
    series, number = contest[:3], contest[3:]
    if number.isdecimal() and series.isalpha():
        yield from (form.format(series=series, number=number, task=task) for form in SERIES)


@pytest.mark.rule("SD-LINK-01", "SD-LINK-02")
@pytest.mark.parametrize(("platform", "contest", "task", "url"), CONTESTS)
def test_all_forms_of_a_task_have_its_link(
    platform: str, contest: str, task: str, url: str | None
) -> None:
    above, _, name = contest.rpartition("/")
    forms = [form.format(contest=contest, task=task) for form in FORMS]
    if above in {"", "gym"}:  # the name alone is certain
        forms += [form.format(contest=contest, name=name, task=task) for form in REPEATED]
    for form in (*forms, *of_series(contest, task)):
        (found,) = statements(f"{platform}/{form}.py")
        assert (found and found.url) == url, form


GENERIC = [
    *("main", "Main", "solution", "Solution2", "solution_final", "my_solution", "solution(2)"),
    *("submission-0", "submission-123", "Submission 2", "Submission_2", "answer", "attempt"),
    *("attempt3", "code", "sol", "sol1", "test", "template", "program", "v1", "v2", "final"),
    *("brute", "brute_force", "bruteForce", "solved", "accepted", "main-2", "std"),
]


@pytest.mark.rule("SD-LINK-02")
@pytest.mark.parametrize("stem", GENERIC)
@pytest.mark.parametrize(
    ("folder", "url"),
    [
        ("kattis/eko", "https://open.kattis.com/problems/eko"),
        ("kattis/2048mania", "https://open.kattis.com/problems/2048mania"),
        ("spoj/prime1", "https://www.spoj.com/problems/PRIME1/"),
        ("codechef/FLOW001", "https://www.codechef.com/problems/FLOW001"),
        ("dmoj/ccc21s1", "https://dmoj.ca/problem/ccc21s1"),
        ("leetcode/two-sum", "https://leetcode.com/problems/two-sum/"),
        ("codeforces/acmsguru/102", f"{CF}/problemsets/acmsguru/problem/99999/102"),
        ("hdu/1000", "https://acm.hdu.edu.cn/showproblem.php?pid=1000"),
        ("luogu/P1001", "https://www.luogu.com.cn/problem/P1001"),
        ("kattis", None),
        ("spoj", None),
        ("kattis/notes", None),
    ],
)
def test_a_generic_name_is_no_id(folder: str, stem: str, url: str | None) -> None:
    (found,) = statements(f"{folder}/{stem}.py")
    assert (found and found.url) == url


ALONE = """
kattis/q1 kattis/problem1 kattis/day1 kattis/Kattio kattis/zoj/hello spoj/q1 spoj/prime1_2
leetcode/0000-template leetcode/0001-solution leetcode/day-1-two-sum leetcode/week1-two-sum
leetcode/dynamic-programming leetcode/linked-list/main leetcode/0001-hash-table cses/1068/dp
leetcode/1-basics/basics codechef/START100/main codechef/COOK100 codechef/P12 codechef/PART2
luogu/P01001 boj/programmers/12903.X/main boj/프로그래머스/12903.X/main boj/10xx/10001
hdu/2023/2023-01 qoj/1339/1339_A uva/uvalive/100 atcoder/abc123/a/a2 codeforces/4/A/Main loj/1/10
leetcode/lcof2/001-two-sum/a leetcode/CTCI/two-sum leetcode/0001.TwoSum kattis/nus/cs2040/hello
kattis/nus.kattis.com/hello kattis/codewars/sumofdigits kattis/two-sum codeforces/atcoder/1234A
baekjoon/SWEA/1000 codeforces/2024/A/Main dmoj/ccc1996s1 dmoj/ioi1998p1
leetcode/0015-3sum/3sum_smaller leetcode/0015-3sum/3sum_binary
"""
SPACED = """
leetcode/lcci/01.01.Is Unique/Solution, leetcode/01.01.Is Unique, leetcode/1.1 Is Unique
leetcode/\u5251\u6307 Offer/0003-two-sum, leetcode/GeeksForGeeks/0012.Reverse Words, cses/KOI (2019)
kattis/Anime Shops, leetcode/78. Subsets/Subsets II, spoj/42 - Adding/Adding Reversed
""".strip().replace("\n", ", ")
WRONG = [
    # paths of one tree, and the only links that they have
    (["ACM ICPC/1000.cpp", "ACM-ICPC/1000.cpp"], [None, None]),
    (["project-euler/problem_001 (2).py"], ["https://projecteuler.net/problem=1"]),
    (["codeforces/week/4/A.cpp", "codeforces/week/4/B.cpp"], [None, None]),
    (["boj/2024/1000.cpp", "boj/2024/1001.cpp"], [None, None]),
    (["boj/20/1000.cpp", "boj/20/2000.cpp"], [None, None]),
    *(([f"{path}.py"], [None]) for path in (*ALONE.split(), *SPACED.split(", "))),
]


@pytest.mark.rule("SD-LINK-01")
@pytest.mark.parametrize(("paths", "urls"), WRONG)
def test_what_is_uncertain_has_no_link(paths: list[str], urls: list[str | None]) -> None:
    assert [found and found.url for found in statements(*paths)] == urls


KATTIS, BOJ = "https://open.kattis.com/problems", "https://www.acmicpc.net/problem"
CSES = "https://cses.fi/problemset/task"
LC = "https://leetcode.com/problems"
FORMS_OF = """
CF/contest/1234/problem/A codeforces/contest/1234/problem/A codeforces/1234A-v2
CF/contest/4/problem/A codeforces/contests/4/A codeforces/1-9/4A_solution
KA/hello kattis/hello/hello_v2 kattis/hello/hello-2 kattis/hello_solution kattis/hello/problem
KA/hello kattis/hello/\u89e3\u7b54 kattis/hello/\uff4d\uff41\uff49\uff4e kattis/solutions/hello
LC/two-sum/ leetcode/two-sum-solution leetcode/0001-two-sum.v2 leetcode/0001-two-sum/two-sum-hash
LC/two-sum/ leetcode/0001-two-sum/0001-two-sum_dp leetcode/two-sum/two-sum_2
LC/two-sum/ leetcode/1.\u2005Two\u2005Sum/Two\u2005Sum
LC/binary-search/ leetcode/binary-search/704.Binary\u2005Search lc/binary-search/main
LC/base-7/ leetcode/0504-base-7/base-7
LC/combination-sum-ii/ leetcode/0039-combination-sum/combination-sum-ii
LC/3sum-closest/ leetcode/0015-3sum/3sum-closest
LC/linked-list-cycle-ii/ leetcode/0141-linked-list-cycle/linked-list-cycle-ii
LC/house-robber-ii/ leetcode/0198-house-robber/house-robber-ii
LC/binary-search-tree-iterator/ leetcode/704-binary-search/binary-search-tree-iterator
LC/3sum/ leetcode/0015-3sum/3sum_final_dp_2 leetcode/0015-3sum/3Sum\u2005(Brute\u2005Force)
CS/1068 cses/1068/1068_2 cses/1068/1068\u2005(2) cses/problems/1068-solution
CS/1068 cses/1068/1068\u2005-\u2005Weird
BJ/1000 boj/problem/1000 boj/solved/1000 boj/1000/1000-dp boj/10XX/1000 acmicpc/1000
PE=1 euler/0xx/001 euler/000-099/001 pe/1/1_v2
DM/ccc21s1 dmoj/ccc2021s1 dmoj/ccc21/s1 dmoj/CCC_2021/S1
NC/12345/A nowcoder/contests/12345/A nc/12345/12345_A
"""
SITES = {
    "BJ": BOJ,
    "CF": CF,
    "CS": CSES,
    "DM": "https://dmoj.ca/problem",
    "KA": KATTIS,
    "LC": LC,
    "NC": "https://ac.nowcoder.com/acm/contest",
    "PE": "https://projecteuler.net/problem",
}
CERTAIN = [
    *(
        ([f"{at}/{task}/Main.java" for task in "AB"], [f"{url}/problem/{task}" for task in "AB"])
        for at, url in (("cf/2008", f"{CF}/contest/2008"), ("codeforces/4", f"{CF}/contest/4"))
    ),
    (["kattis/Dvoniz/dvoniz.py", "kattis/Dvoniz/dvoniz2.py"], [f"{KATTIS}/dvoniz"] * 2),
    (["kattis/fizzbuzz.py", "kattis/fizzbuzz2.py"], [f"{KATTIS}/fizzbuzz", f"{KATTIS}/fizzbuzz2"]),
    (["baekjoon/1000-1999/1000.cpp", "baekjoon/10/10001.cpp"], [f"{BOJ}/1000", f"{BOJ}/10001"]),
    (["baekjoon/10xx/1001.cpp", "baekjoon/src/1000.cpp"], [f"{BOJ}/1001", f"{BOJ}/1000"]),
    (["cses/Graph/Cycles (1751)/ada.java", "cses/Cycles (1751).cpp"], [f"{CSES}/1751"] * 2),
    (
        [f"kattis/{name}/ada.py" for name in ("eko", "sanic", "hello", "r2")],
        [f"{KATTIS}/{name}" for name in ("eko", "sanic", "hello", "r2")],
    ),
    (
        [f"atcoder/abc{number}/ex.py" for number in range(240, 245)],
        [f"{AT}/abc{number}/tasks/abc{number}_h" for number in range(240, 245)],
    ),
    (
        [f"codeforces/{number}/problemA.py" for number in range(1240, 1245)],
        [f"{CF}/contest/{number}/problem/A" for number in range(1240, 1245)],
    ),
    (["kattis/hello.py", "kattis/hello_2.py", "kattis/hello (2).py"], [f"{KATTIS}/hello"] * 3),
    (["spoj/PRIME1.c", "spoj/PRIME1_2.c"], ["https://www.spoj.com/problems/PRIME1/"] * 2),
    ([f"leetcode/{it}.py" for it in ("two-sum", "two-sum-2", "two-sum2")], [f"{LC}/two-sum/"] * 3),
    *(
        ([f"{path}.c"], [SITES[url[:2]] + url[2:]])
        for url, *paths in (line.split(" ") for line in FORMS_OF.strip().split("\n"))
        for path in paths
    ),
    (["luogu/codeforces/CF1234A.cpp"], ["https://www.luogu.com.cn/problem/CF1234A"]),
]


@pytest.mark.rule("SD-LINK-03")
@pytest.mark.parametrize(("paths", "urls"), CERTAIN)
def test_what_is_certain_has_its_link(paths: list[str], urls: list[str]) -> None:
    assert [found and found.url for found in statements(*paths)] == urls


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Sqrt(x)", "sqrtx"),
        ("Pow(x, n)", "powx-n"),
        ("Insert Delete GetRandom O(1)", "insert-delete-getrandom-o1"),
        ("All O`one Data Structure", "all-oone-data-structure"),
        ("Smallest X\u2011Y Sum", "smallest-xy-sum"),
        ("Pascal's Triangle II", "pascals-triangle-ii"),
        ("Two Sum II - Input Array Is Sorted", "two-sum-ii-input-array-is-sorted"),
        ("1-bit and 2-bit Characters", "1-bit-and-2-bit-characters"),
        ("two_sum", "two-sum"),
        ("two.sum", "two-sum"),
        ("Two\u2005Sum", "two-sum"),
        ("3Sum", "3sum"),
        ("IPO", "ipo"),
    ],
)
def test_the_id_of_leetcode_is_of_its_title(title: str, slug: str) -> None:
    found = statements(f"leetcode/0069. {title}.py", f"leetcode/0069-{title}/main.py")
    assert {each and each.url for each in found} == {f"https://leetcode.com/problems/{slug}/"}
