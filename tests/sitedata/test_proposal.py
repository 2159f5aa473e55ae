"""Settings that are proposed from the names of files, and from the history of commits."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitedata.adapters.files import read_config
from sitedata.building.builder import build
from sitedata.building.history import CommitDate, FileKind, History, TreeFile
from sitedata.building.proposal import Proposal, platform_of, propose
from sitedata.cli.init import settings_text
from support.checks.costs import assert_linear
from support.sitedata.repositories import HOSTILE_NAMES

NAMES = [
    "leetcode", "LeetCode", "python", "cpp", "src", "codeforces", "AtCoder", "abc381", "1950",
    "kattis", "hello", "leetcode-solutions", "0001-two-sum", "main", "docs", "cf", "ac", "a" * 201,
    "{dates}", "a\n[x]", "\u202e",
]  # fmt: skip
segments = (
    st.sampled_from(NAMES).map(str.encode) | st.sampled_from(HOSTILE_NAMES) | st.binary(max_size=3)
)
paths = st.builds(
    lambda parts, ending: b"/".join(parts) + ending,
    st.lists(segments, min_size=1, max_size=4),
    st.sampled_from([b".py", b".cpp", b"_test.cpp", b".md", b""]),
)
KINDS: list[FileKind] = ["file", "file", "file", "symlink", "submodule"]
files = st.lists(
    st.builds(TreeFile, paths, st.sampled_from(KINDS)),
    max_size=12,
    unique_by=lambda file: file.name,
)
repositories = st.sampled_from(["", "leetcode", "codeforces-solutions", "practice"])
offsets = st.dictionaries(st.integers(-6000, 6000), st.integers(1, 99), max_size=3)


def of(text: str, repository: str = "practice") -> Proposal:
    """Propose for the files of a text."""
    return propose((TreeFile(path.encode()) for path in text.split()), repository)


def with_offsets(found: Proposal, counts: dict[int, int]) -> Proposal:
    history = History("main", "main", "a" * 40, None, (), {}, 0, {}, offsets=counts)
    return found.with_history(history)


@pytest.mark.parametrize(
    ("name", "platform"),
    [
        ("leet-code", "leetcode"),
        ("LeetCodeSolutions", "leetcode"),
        ("my_leetcode_in_python", "leetcode"),
        ("leetcode-75", "leetcode"),
        ("LeetHub", "leetcode"),
        ("lc", "leetcode"),
        ("Codeforces Contests", "codeforces"),
        ("open.kattis.com", "kattis"),
        ("Project Euler", "projecteuler"),
        ("洛谷", "luogu"),
        ("python", None),
        ("leetcode-clone", None),  # a word that such names do not have
        ("leetcode-vs-codeforces", None),
        ("ac", None),  # also other things
        ("acmicpc", "baekjoon"),
        ("ACM ICPC", None),  # a contest
        ("ACM ICPC Archive", None),
        ("acmicpc-solutions", None),
        ("Online-Judge", None),
        ("uva-notes", None),  # a short name may be part of another
        ("leetcode" * 100, None),
        ("\x00", None),
        ("", None),
    ],
)
def test_a_name_says_its_platform_with_usual_words_only(name: str, platform: str | None) -> None:
    assert platform_of(name) == platform


class TestFolders:
    def test_each_first_folder_has_its_problems_and_the_platform_that_it_certainly_is(self) -> None:
        found = of(
            "cf/4A.cpp kattis/a.py kattis/b.py dp/a.py leetcode-solutions/a.py docs/x.py x.py"
        )
        assert [(each.name, each.files, each.platform) for each in found.folders] == [
            ("kattis", 2, "kattis"),
            ("cf", 1, "codeforces"),
            ("dp", 1, None),
            ("leetcode-solutions", 1, "leetcode"),
        ]
        assert found.added == {"leetcode": ["leetcode-solutions"]}
        assert (found.listed, found.tracked) == (5, 7)
        assert found.ratings == ("codeforces", "kattis", "leetcode")

    @pytest.mark.parametrize(
        ("paths", "added"),
        [
            ("0001-two-sum/x.py easy/x.py python/x.py kattis/x.py", ["."]),
            ("easy/x.py week1/x.py dp/x.py kattis/x.py", ["easy", "week1"]),
            ("easy/x.py leetcode-clone/x.py", ["easy"]),
            ("leetcode-solutions/x.py easy/x.py", [".", "leetcode-solutions"]),
        ],
    )
    def test_the_name_of_the_repository_counts_for_folders_that_say_nothing(
        self, paths: str, added: list[str]
    ) -> None:
        assert of(paths, "my-leetcode").added == {"leetcode": added}
        assert of(paths).added in ({}, {"leetcode": ["leetcode-solutions"]})

    @pytest.mark.parametrize(
        ("repository", "paths", "added"),
        [
            ("BaekjoonHub", "SWEA/1.c src/2.c Bronze/3.c volume001/4.c goorm/5.c", ["Bronze"]),
            ("BaekjoonHub", "SWEA/D4/1.c Bronze/3.c goorm/5.c softeer/6.c", ["."]),
            ("leetcode", "GeeksForGeeks/x.c easy/x.c lcci/x.c", ["."]),
            ("leetcode", "GeeksForGeeks/x.c easy/x.c misc2/x.c", ["easy"]),
            ("kattis", "codewars/x.c python/x.c nus/x.c", ["."]),
            ("rust-atcoder", "abc220/src/bin/a.rs dp/a.rs contests/arc100/b.rs", ["."]),
            ("cses-solutions", "Graph_Algorithms/x.c notes2/x.c", ["Graph_Algorithms"]),
        ],
    )
    def test_folders_that_name_something_else_are_excluded(
        self, repository: str, paths: str, added: list[str]
    ) -> None:
        found = of(paths, repository)
        assert list(found.added.values()) == [added]
        others = [folder.name for folder in found.folders if folder.platform is None]
        assert set(others).isdisjoint(added)

    def test_short_names_with_other_meanings_are_uncertain(self) -> None:
        paths = " ".join(f"{name}/x.c" for name in ("ac", "pe", "gym", "ural", "lg", "cf"))
        assert [each.name for each in of(paths).folders if each.certain] == ["cf"]
        assert of(paths).ratings == ("codeforces",)
        assert [each.name for each in of(paths, "atcoder").folders if each.certain] == ["ac", "cf"]

    def test_two_spellings_are_one_folder(self) -> None:
        found = of("leet-code-solutions/a.py LeetCode_Solutions/a.py")
        assert found.added == {"leetcode": ["LeetCode_Solutions"]}

    def test_usually_ignored_folders_are_kept_where_all_solutions_are_in_them(self) -> None:
        found = of("src/a.py scripts/b.py")
        assert (found.kept, found.listed) == (("scripts", "src"), 2)
        assert (of("src/a.py dp/b.py").kept, of("lib/a.py").listed) == ((), 0)

    def test_three_hundred_folders_are_named(self) -> None:
        found = of(" ".join(f"leetcode-{number}/a.py" for number in range(400)))
        assert len(found.added["leetcode"]) == 300


class TestZone:
    @pytest.mark.parametrize(
        ("counts", "zone"),
        [
            ({}, "UTC"),
            ({0: 5}, "UTC"),
            ({540: 9, 0: 1}, "+09:00"),
            ({540: 89, 0: 11}, "UTC"),
            ({-210: 1}, "-03:30"),
            ({840: 1}, "+14:00"),
            ({5999: 1}, "UTC"),  # no zone
        ],
    )
    def test_the_offset_of_nine_commits_in_ten_is_the_zone(
        self, counts: dict[int, int], zone: str
    ) -> None:
        assert with_offsets(of("dp/a.py"), counts).zone == zone


def test_first_added_is_proposed_where_dates_cluster() -> None:
    names = [b"dp/%d.py" % number for number in range(40)]
    year = 365 * 86_400
    moved = {name: CommitDate("b" * 40, 2 * year, 0) for name in names}
    added = {name: CommitDate("a" * 40, number, 0) for number, name in enumerate(names)}
    tree = tuple(map(TreeFile, names))
    for additions, dates in ((added, "first-added"), (moved, "last-touched")):
        history = History("main", "main", "a" * 40, None, tree, moved, 0, {}, additions=additions)
        assert propose(tree).with_history(history).dates == dates


class TestText:
    @pytest.mark.check
    @given(files, repositories, offsets)
    @settings(max_examples=150)
    def test_it_is_the_settings_and_a_build_has_the_counts(
        self, listed: list[TreeFile], repository: str, counts: dict[int, int]
    ) -> None:
        found = with_offsets(propose(listed, repository), counts)
        text = settings_text(found, owner="ada")
        assert text.replace("\n", "").isprintable()
        assert tomllib.loads(text)["repository"] == {"owner": "ada"}
        read = read_config(settings_text(found))
        assert read == found.settings
        remote = "git@github.com:ada/p.git"
        history = History("main", "main", "a" * 40, remote, tuple(listed), {}, 0, {})
        built = build(history, read, generated_at=0)
        assert len(built.snapshot.problems) == found.listed
        assert found.listed + sum(built.skipped.values()) == found.tracked == len(listed)
        assert found == with_offsets(propose(listed[::-1], repository), counts)


def many(size: int) -> list[TreeFile]:
    paths = (
        (f"LeetCode-{n}/{n:04}-a-b/x.py", f"p{n}/a-{n}.py", f"{n}/1/{n}/x.rs") for n in range(size)
    )
    return [TreeFile(path.encode()) for group in paths for path in group]


@pytest.mark.check
def test_many_files_cost_linear_time() -> None:
    assert_linear(propose, many, 60)
