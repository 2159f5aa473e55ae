"""Build the snapshot of a history."""

from typing import Any

import attrs
import pytest

import sitedata
from sitedata.building.builder import BuildResult, build
from sitedata.building.history import CommitDate, History, TreeFile
from sitedata.building.platforms import Layout, Platform
from sitedata.building.settings import BuildSettings
from sitedata.building.tree import list_problems, select_files
from sitedata.views.selecting import counts
from status_contracts.structuring.decoder import SettingsError

NOW = 1_767_225_600_000
COMMIT = "c0ffee" * 6 + "c0ff"
TOUCH = CommitDate(COMMIT, 1_700_000_000, 540)


def history(*names: str, **changes: Any) -> History:
    encoded = [name.encode() for name in names]
    made = History(
        ref="main",
        branch="main",
        commit=COMMIT,
        remote="https://user:secret@github.com/ada/practice.git",
        files=tuple(map(TreeFile, encoded)),
        commit_dates=dict.fromkeys(encoded, TOUCH),
        commit_count=3,
        contributions={"2026-01-02": 1, "2026-01-01": 2},
    )
    return attrs.evolve(made, **changes)


def made_of(*names: str, chosen: BuildSettings | None = None, **changes: Any) -> BuildResult:
    return build(history(*names, **changes), chosen or BuildSettings(), generated_at=NOW)


@pytest.mark.rule("SD-ENCODE-01", "SD-LINK-04", "SD-SNAPSHOT-05", "SD-TREE-07")
class TestSnapshot:
    def test_all_documented_members_are_encoded_in_order(self) -> None:
        built = made_of("codeforces/1234/A.cpp", chosen=BuildSettings(ratings=("x", "a")))
        assert sitedata.encode(built.snapshot) == (
            b'{"repository":{"owner":"ada","name":"practice","branch":"main"},'
            b'"generatedAt":"2026-01-01T00:00:00.000Z","sourceRef":"main","commitCount":3,'
            b'"contributions":{"2026-01-01":2,"2026-01-02":1},"problems":['
            b'{"path":"codeforces/1234/A.cpp","platform":"codeforces","language":"C++",'
            b'"title":"1234A","problemUrl":"https://codeforces.com/contest/1234/problem/A",'
            b'"githubUrl":"https://github.com/ada/practice/blob/main/codeforces/1234/A.cpp",'
            b'"rawUrl":"https://raw.githubusercontent.com/ada/practice/main/codeforces/1234/A.cpp",'
            b'"submittedAt":"2023-11-15T07:13:20+09:00"}],"ratings":{"a":null,"x":null}}\n'
        )
        assert built.warnings == ()
        assert built.skipped == {}

    def test_a_file_without_a_matching_layout_links_to_itself(self) -> None:
        (problem,) = made_of("own/My Tool.py").snapshot.problems
        assert (problem.title, problem.platform) == ("My Tool", "own")
        assert problem.problem_url == problem.github_url
        assert problem.github_url == "https://github.com/ada/practice/blob/main/own/My%20Tool.py"

    def test_problems_are_in_code_point_order(self) -> None:
        """This differs from the order of UTF-16, and from that of segments."""
        paths = ["a/\uffee.c", "a/\U0001f600.c", "a-/x.c", "a/x.c", "B/x.c"]
        problems = made_of(*paths).snapshot.problems
        assert [problem.path for problem in problems] == sorted(paths)

    def test_only_owner_and_name_of_the_remote_are_used(self) -> None:
        body = sitedata.encode(made_of("a/b.c").snapshot)
        assert b"secret" not in body
        assert b"user:" not in body

    def test_names_that_are_not_utf_8_are_replaced(self) -> None:
        snapshot = made_of("a/b.c", ref="v\udcff", branch="b\udcff").snapshot
        assert (snapshot.source_ref, snapshot.repository.branch) == ("v?", "b?")
        assert sitedata.check(sitedata.encode(snapshot)).findings == ()

    @pytest.mark.parametrize("time", [-(10**15), 10**15])
    def test_a_time_outside_the_calendar_is_refused(self, time: int) -> None:
        with pytest.raises(ValueError, match="years"):
            build(history(), BuildSettings(), generated_at=time)


class TestSkipped:
    def test_skipped_files_are_counted_and_reported(self) -> None:
        files = (TreeFile(b"a/x.c", "symlink"), TreeFile(b"README.md"), TreeFile(b"a/\xff.c"))
        built = made_of(files=files)
        assert built.snapshot.problems == ()
        assert built.skipped == {"path.encoding": 1, "path.root": 1, "path.symlink": 1}
        assert [(finding.rule, finding.path) for finding in built.warnings] == [
            ("path.encoding", "/a/\ufffd.c"),
            ("path.symlink", "/a/x.c"),
        ]
        assert repr(built) == "<BuildResult: 0 problems, 3 skipped, 2 warnings>"


def test_a_listing_counts_only_for_its_own_files_and_settings() -> None:
    paths, settings = ("a/b.c", "cf/4A.py"), BuildSettings()
    listing = list_problems(history(*paths).files, settings)
    for names in (paths, paths[:1]):
        for chosen in (settings, BuildSettings(), BuildSettings(ignored_roots=["a"])):
            listed = made_of(*names, chosen=chosen, listing=listing)
            assert listed == made_of(*names, chosen=chosen)
    untitled = select_files(history(*paths).files, settings)
    assert made_of(*paths, listing=untitled) == made_of(*paths)
    forged = listing._replace(entries=())
    assert made_of(*paths, chosen=settings, listing=forged).snapshot.problems == ()


class TestAddress:
    def test_settings_override_the_remote(self) -> None:
        chosen = BuildSettings(owner="bob", name="solved", branch="b/c", host="codeberg.org")
        snapshot = made_of("a/b.c", chosen=chosen).snapshot
        assert attrs.astuple(snapshot.repository)[:3] == ("bob", "solved", "b/c")
        (problem,) = snapshot.problems
        assert problem.github_url == "https://codeberg.org/bob/solved/src/branch/b/c/a/b.c"

    def test_without_a_remote_owner_and_name_suffice(self) -> None:
        chosen = BuildSettings(owner="bob", name="solved")
        (problem,) = made_of("a/b.c", remote=None, chosen=chosen).snapshot.problems
        assert problem.raw_url == "https://raw.githubusercontent.com/bob/solved/main/a/b.c"

    @pytest.mark.parametrize(
        ("remote", "chosen", "paths"),
        [
            (None, {}, ["/repository/owner", "/repository/name"]),
            ("/home/ada/practice.git", {"owner": "ada"}, ["/repository/name"]),
            ("git@unknown.example:a/b", {}, ["/repository/kind"]),
            (
                None,
                {"host": "x.example"},
                ["/repository/owner", "/repository/name", "/repository/kind"],
            ),
        ],
    )
    def test_a_missing_setting_is_an_error_before_building(
        self, remote: str | None, chosen: dict[str, Any], paths: list[str]
    ) -> None:
        with pytest.raises(SettingsError) as caught:
            made_of(remote=remote, chosen=BuildSettings(**chosen))
        assert [finding.path for finding in caught.value.findings] == paths
        assert caught.value.code == "invalid_settings"


class TestTitles:
    @pytest.mark.parametrize(
        ("path", "title"),
        [
            ("leetcode/lcof/\u9762\u8bd503. \u6570/Solution2.py", "\u9762\u8bd503. \u6570"),
            ("neetcode/Data Structures/two-sum/submission-0.py", "two-sum"),
            ("own/Two Sum/src/main/java/Main.java", "Two Sum"),
            ("own/Two Sum/1-99/python/v2.py", "Two Sum"),
            ("kattis/Anime Shops/animeshops.py", "Anime Shops"),
            ("kattis/eko/eko.py", "eko"),
            ("own/\ub450 \uc218/\ud480\uc774.py", "\ub450 \uc218"),
            ("own/Heap/heap_v3.py", "Heap"),
            ("cses/1068/1068 - Weird.py", "1068 - Weird"),
            ("codeforces/1234A/1234A - Two.py", "1234A - Two"),
            ("leetcode/0001-two-sum/two-sum-hash.py", "Two Sum"),
            ("SWEA/D3/1.\u2005A\uff0bB\u3000 C/x\uff01.py", "x!"),
            ("SWEA/D3/1.\u2005A\uff0bB\u3000 C/main.py", "1. A+B C"),
            # the contest is put before a letter or a number: the nearest folder of another name
            ("own/round 7/A.cpp", "round 7 A"),
            ("own/2014/b1.cpp", "own 2014 B1"),
            ("own/問題/乙.py", "問題 乙"),
            ("cses/1068.cpp", "cses 1068"),
            ("cses/Mathematics/1095.cpp", "Mathematics 1095"),
            ("hdu/1000/main.cpp", "hdu 1000"),
            ("007/7.py", "Problem 7"),
            ("own/a/ab.cpp", "ab"),
            ("own/a/A 1.cpp", "A 1"),
            ("own/a/_.cpp", "_"),
            ("codeforces/1234/A.cpp", "1234A"),
            ("leetcode/biweekly/133/a/a.go", "biweekly 133 A"),
            ("leetcode/weekly/133/a/main.go", "weekly 133 A"),
            ("rust/2018/01/src/main.rs", "2018 01"),
            ("own/1000-1999/1001.cpp", "own 1001"),
            ("1-50/c.cpp", "1-50 C"),
        ],
    )  # fmt: skip
    def test_a_title_is_that_of_the_nearest_folder_and_never_a_letter_or_a_number(
        self, path: str, title: str
    ) -> None:
        (problem,) = made_of(path).snapshot.problems
        assert (problem.path, problem.title) == (path, title)

    def test_a_file_in_the_root_has_the_title_of_its_platform(self) -> None:
        names = ("main.py", "1.py", "0001-two-sum.py")
        found = made_of(*names, chosen=BuildSettings(root="leetcode")).snapshot.problems
        titles = [{each.path: each.title for each in found}[name] for name in names]
        assert titles == ["leetcode", "leetcode 1", "1. Two Sum"]

    def test_a_stem_of_many_folders_is_no_title(self) -> None:
        names = ("Two Sum", "Three Sum", "Four Sum", "Five Sum")
        shared = made_of(*(f"own/{name}/ada.java" for name in names)).snapshot.problems
        assert {each.title for each in shared} == set(names)
        few = made_of(*(f"own/{name}/ada.java" for name in names[:3])).snapshot.problems
        assert {each.title for each in few} == {"ada"}
        places = [f"{folder}/two-sum.c" for folder in ("cpp", "java", "go", "ruby", "x", "y")]
        assert {each.title for each in made_of(*places).snapshot.problems} == {"two-sum"}
        days = (f"aoc/{year}/day{day}.c" for year in range(2015, 2020) for day in (1, 2))
        assert made_of(*days).snapshot.problems[0].title == "day1"

    def test_generic_files_and_attempts_of_a_folder_are_one_problem(self) -> None:
        paths = ("own/x y/Solution.py", "own/x y/Solution2.go", "own/z/sort.py", "own/z/sort2.py")
        twice = made_of("kattis/eko/submission-1.py", "kattis/eko/submission-2.py").snapshot
        assert [each.title for each in twice.problems] == ["eko", "eko"]
        assert counts(twice.problems).total == 1
        snapshot = made_of(*paths, "own/z/heap.py", "own/v/Solution.py").snapshot
        assert (counts(snapshot.problems).total, len(snapshot.problems)) == (4, 6)


class TestPlatforms:
    def test_a_platform_of_the_settings_supplies_titles_and_urls(self) -> None:
        layout = Layout("(?P<n>[0-9]++)", "{n}", "https://www.acmicpc.net/problem/{n}")
        chosen = BuildSettings(platforms=[Platform("boj", ["boj"], (layout,))])
        found = made_of("BOJ/1000.py", "cf/4A.py", chosen=chosen).snapshot
        assert [problem.title for problem in found.problems] == ["BOJ 1000", "4A"]
        assert found.problems[0].problem_url == "https://www.acmicpc.net/problem/1000"
        assert found.problems[1].problem_url == found.problems[1].github_url
        assert found.ratings == {"boj": None}
