"""Settings that are proposed from the names of files: each usual layout by example."""

import tomllib

import attrs
import pytest

from sitedata.adapters.commands.init import report_lines
from sitedata.adapters.config import read_config
from sitedata.building.builder import build
from sitedata.building.history import FileKind, History, TreeFile
from sitedata.building.known_platforms import known_platforms
from sitedata.building.platforms import folder_key
from sitedata.building.proposal import (
    Example,
    NoSolutionsError,
    Proposal,
    detect,
    settings_text,
)
from sitedata.building.settings import BuildSettings

LC = "https://leetcode.com/problems"
CF = "https://codeforces.com/contest"
AT = "https://atcoder.jp/contests"
KA = "https://open.kattis.com/problems"
AOC = "https://adventofcode.com"
EX = "https://exercism.org/tracks"
OWN = "-"
"""Stands for the link of the file."""

LAYOUTS: dict[str, tuple[str | None, str]] = {
    "a folder for each language": (
        "practice",
        """
        python/two_sum.py | - | - | Two Sum | -
        cpp/1A.cpp | - | - | 1A | -
        cpp/CF1950E.cpp | codeforces | 1950/E | 1950E | CF/1950/problem/E
        cpp/cf_4a_watermelon.cpp | codeforces | 4/a | 4A - Watermelon | CF/4/problem/A
        cpp/abc381_d.cpp | atcoder | abc381/d | ABC381 D | AT/abc381/tasks/abc381_d
        c++/binary-search.cpp | - | - | Binary Search | -
        """,
    ),
    "platforms in folders of languages": (
        "practice",
        """
        python/leetcode/0001-two-sum.py | leetcode | 0001 | 1. Two Sum | LC/two-sum/
        cpp/Codeforces/1950E.cpp | codeforces | 1950/E | 1950E | CF/1950/problem/E
        java/solutions/kattis/hello.java | kattis | hello | hello | KA/hello
        cpp/cses/1068.cpp | cses | 1068 | cses 1068 | https://cses.fi/problemset/task/1068
        cpp/other/1068.cpp | - | - | other 1068 | -
        """,
    ),
    "LeetHub, in a folder": (
        None,
        """
        LeetCode/0001-two-sum/solution.py | leetcode | 0001 | 1. Two Sum | LC/two-sum/
        LeetCode/0015-3sum/0015-3sum.cpp | leetcode | 0015 | 15. 3Sum | LC/3sum/
        """,
    ),
    "LeetHub without zeros, in a folder": (
        None,
        """
        LeetCode/1-two-sum/1-two-sum.py | leetcode | 1 | 1. Two Sum | LC/two-sum/
        LeetCode/24-game/24-game.py | ? | - | 24-game | -
        """,
    ),
    "LeetHub without zeros, in a repository of LeetCode": (
        "LeetHub",
        """
        1-two-sum/1-two-sum.py | leetcode | 1 | 1. Two Sum | LC/two-sum/
        15-3sum/15-3sum.cpp | leetcode | 15 | 15. 3Sum | LC/3sum/
        """,
    ),
    "BaekjoonHub": (
        "BaekjoonHub",
        """
        백준/Bronze/1000. A＋B/A＋B.cc | baekjoon | 1000 | 1000 - A＋B | BJ/1000
        """,
    ),
    "LeetHub, in the root": (
        "ada",
        """
        0001-two-sum/0001-two-sum.py | leetcode | 0001 | 1. Two Sum | LC/two-sum/
        2024-01-05-notes/2024-01-05-notes.py | - | - | 2024 01 05 Notes | -
        """,
    ),
    "vscode-leetcode": (
        None,
        """
        leetcode/1.two-sum.cpp | leetcode | 1 | 1. Two Sum | LC/two-sum/
        leetcode/two_sum.py | ? | - | two_sum | -
        """,
    ),
    "a repository of LeetCode": (
        "leetcode-solutions",
        """
        easy/0001-two-sum.py | leetcode | 0001 | 1. Two Sum | LC/two-sum/
        two-sum/solution.py | leetcode | two-sum | Two Sum | LC/two-sum/
        hard/x.py | ? | - | hard x | -
        """,
    ),
    "Codeforces": (
        None,
        """
        codeforces/1950/E.cpp | codeforces | 1950/E | 1950E | CF/1950/problem/E
        codeforces/1950E.cpp | codeforces | 1950/E | 1950E | CF/1950/problem/E
        codeforces/1950/F/main.cpp | codeforces | 1950/F | 1950F | CF/1950/problem/F
        codeforces/2024/F/main.cpp | ? | - | main | -
        codeforces-solutions/1950G.cpp | codeforces | 1950/G | 1950G | CF/1950/problem/G
        """,
    ),
    "AtCoder": (
        None,
        """
        AtCoder/abc381/d.cpp | atcoder | abc381/d | ABC381 D | AT/abc381/tasks/abc381_d
        AtCoder/abc381/e/main.cpp | atcoder | abc381/e | ABC381 E | AT/abc381/tasks/abc381_e
        AtCoder/ABC/381/D/Main.java | atcoder | 381/D | ABC381 D | AT/abc381/tasks/abc381_d
        AtCoder/ABC/050/C/Main.java | ? | - | Main | -
        AtCoder/abc010/c/main.cpp | ? | - | main | -
        """,
    ),
    "contests of AtCoder in the root": (
        None,
        """
        abc381/d.cpp | atcoder | abc381/d | ABC381 D | AT/abc381/tasks/abc381_d
        arc104/a/main.py | atcoder | arc104/a | ARC104 A | AT/arc104/tasks/arc104_a
        ABC/381/D/Main.java | atcoder | 381/D | ABC381 D | AT/abc381/tasks/abc381_d
        agc/001/b.py | atcoder | 001/b | AGC001 B | AT/agc001/tasks/agc001_b
        abc250/ex.py | atcoder | abc250/ex | ABC250 EX | AT/abc250/tasks/abc250_h
        ABC/233/Ex/Main.java | atcoder | 233/Ex | ABC233 EX | AT/abc233/tasks/abc233_h
        abc319/ex.py | - | - | Ex | -
        abc050/c.cpp | - | - | abc050 C | -
        arc060/c.cpp | - | - | arc060 C | -
        """,
    ),
    "Kattis": (
        None,
        """
        kattis/hello/hello.py | kattis | hello | hello | KA/hello
        kattis/autori.py | kattis | autori | autori | KA/autori
        """,
    ),
    "Advent of Code, in a folder": (
        None,
        """
        aoc/2023/day01/part1.py | adventofcode | 2023/1/1 | 2023 Day 1, part 1 | AOC/2023/day/1
        advent-of-code/2023/02.py | adventofcode | 2023/2 | 2023 Day 2 | AOC/2023/day/2
        aoc/2023/day_03_part2.py | adventofcode | 2023/3/2 | 2023 Day 3, part 2 | AOC/2023/day/3
        advent-of-code/2023/04b.py | adventofcode | 2023/4/b | 2023 Day 4b | AOC/2023/day/4
        aoc/2023/05-seeds/main.rs | adventofcode | 2023/5 | 2023 Day 5 - Seeds | AOC/2023/day/5
        advent-of-code/2023/day06/src/main.rs | adventofcode | 2023/6 | 2023 Day 6 | AOC/2023/day/6
        aoc/year2023/python/day07.py | adventofcode | 2023/7 | 2023 Day 7 | AOC/2023/day/7
        advent-of-code/2014/01.py | ? | - | 2014 01 | -
        advent-of-code/2023/26.py | ? | - | 2023 26 | -
        advent-of-code/helper.py | ? | - | helper | -
        """,
    ),
    "Advent of Code, a folder for each year": (
        None,
        """
        aoc2022/day01.py | adventofcode | 1 | 2022 Day 1 | AOC/2022/day/1
        aoc2023/01/main.go | adventofcode | 1 | 2023 Day 1 | AOC/2023/day/1
        """,
    ),
    "a repository of the Advent of Code": (
        "advent-of-code",
        """
        2023/day01/part1.py | adventofcode | 2023/1/1 | 2023 Day 1, part 1 | AOC/2023/day/1
        2023/01.py | adventofcode | 2023/1 | 2023 Day 1 | AOC/2023/day/1
        """,
    ),
    "a repository of one year": (
        "aoc-2023",
        """
        day01/main.py | adventofcode | 1 | 2023 Day 1 | AOC/2023/day/1
        src/bin/day02.rs | adventofcode | 2 | 2023 Day 2 | AOC/2023/day/2
        """,
    ),
    "years, days and parts": (
        "practice",
        """
        2023/day01/part1.py | adventofcode | 2023/1/1 | 2023 Day 1, part 1 | AOC/2023/day/1
        2023/day02.py | - | - | Day02 | -
        2023/01/part1.py | - | - | Part1 | -
        """,
    ),
    "Exercism, in a folder": (
        None,
        """
        exercism/python/two-fer/two_fer.py | exercism | python/two-fer | Two Fer | EX/python/two-fer
        exercism/rust/leap/src/lib.rs | exercism | rust/leap | Leap | EX/rust/leap
        exercism/java/leap/src/main/java/Leap.java | exercism | java/leap | Leap | EX/java/leap
        exercism-go/leap/leap.go | exercism | leap | Leap | EX/go/leap
        exercism/notes/leap/leap.py | ? | - | leap | -
        exercism/python/lib/shared.py | ? | - | shared | -
        exercism-go/lib/shared.go | ? | - | shared | -
        exercism/gleam/leap/src/leap.gleam | exercism | gleam/leap | Leap | EX/gleam/leap
        """,
    ),
    "a repository of Exercism": (
        "exercism-solutions",
        """
        python/two-fer/two_fer.py | exercism | python/two-fer | Two Fer | EX/python/two-fer
        """,
    ),
    "all in src": (
        None,
        """
        src/leetcode/0001-two-sum.py | leetcode | 0001 | 1. Two Sum | LC/two-sum/
        src/main/java/org/a/leetcode/two-sum/main.java | leetcode | two-sum | Two Sum | LC/two-sum/
        src/codeforces/4A.cpp | codeforces | 4/A | 4A | CF/4/problem/A
        """,
    ),
    "mixed": (
        None,
        """
        LeetCode/0001-two-sum/solution.py | leetcode | 0001 | 1. Two Sum | LC/two-sum/
        codeforces/1950E.cpp | codeforces | 1950/E | 1950E | CF/1950/problem/E
        dp/longest_path.cpp | - | - | Longest Path | -
        hackerrank/solve-me-first.py | hackerrank | - | Solve Me First | -
        """,
    ),
}
BJ = "https://www.acmicpc.net/problem"
SHORT = {"LC": LC, "CF": CF, "AT": AT, "KA": KA, "AOC": AOC, "BJ": BJ}


def tree(*paths: str, kind: FileKind = "file") -> list[TreeFile]:
    return [TreeFile(path.encode(), kind) for path in paths]


def names_of(proposal: Proposal) -> set[str]:
    platforms = proposal.tables.get("platforms", {})
    assert isinstance(platforms, dict)
    return set(platforms)


def history(files: list[TreeFile]) -> History:
    return History("main", "main", "a" * 40, "git@github.com:ada/p.git", tuple(files), {}, 0, {})


def check_law(files: list[TreeFile], proposal: Proposal) -> None:
    """Check that a build with the written settings gives the counts of the proposal."""
    text = settings_text(proposal)
    assert tomllib.loads(text) == proposal.tables
    settings = read_config(text)
    assert settings == proposal.settings
    built = build(history(files), settings, generated_at=0)
    problems = {problem.path: problem for problem in built.snapshot.problems}
    assert len(problems) == proposal.listed
    assert built.skipped == proposal.skipped
    for rule in proposal.rules:
        example = rule.example
        problem = problems[example.path]
        url = example.url or problem.github_url
        assert (problem.title, problem.problem_url) == (example.title, url)
        assert (problem.platform, problem.language) == (example.platform, example.language)
    linked = sum(rule.files for rule in proposal.rules if rule.example.url)
    assert linked == sum(each.problem_url != each.github_url for each in problems.values())
    assert proposal.listed + sum(proposal.skipped.values()) == proposal.tracked == len(files)
    assert set(built.snapshot.ratings) == set(proposal.ratings)


def rows_of(layout: str) -> tuple[str | None, list[list[str]]]:
    """Return the name of the repository, and the cells of each row."""
    repository, text = LAYOUTS[layout]
    lines = filter(str.strip, text.split("\n"))
    return repository, [[cell.strip() for cell in line.split(" | ")] for line in lines]


@pytest.mark.parametrize("layout", LAYOUTS)
class TestLayouts:
    def test_each_file_is_identified(self, layout: str) -> None:
        """Each file is detected with the others, and is then the only one of its rule."""
        repository, rows = rows_of(layout)
        files = tree(*(path for path, *_ in rows))
        settings = detect(files, repository=repository).settings
        built = build(history(files), settings, generated_at=0)
        problems = {problem.path: problem for problem in built.snapshot.problems}
        failures = []
        for path, _, _, title, url in rows:
            problem = problems[path]
            head, _, tail = url.partition("/")
            expected = problem.github_url if url == OWN else url
            expected = f"{SHORT[head]}/{tail}" if head in SHORT else expected
            if head == "EX":
                expected = f"{EX}/{tail.replace('/', '/exercises/')}"
            if (problem.title, problem.problem_url) != (title, expected):
                failures.append(f"{path}: {problem.title} {problem.problem_url}")
        assert not failures, "\n".join(failures)

    def test_one_file_alone_is_reported_with_its_platform_and_id(self, layout: str) -> None:
        repository, rows = rows_of(layout)
        for path, platform, problem, title, _ in rows:
            if platform == "?" or layout == "a repository of the Advent of Code":
                continue
            proposal = detect(tree(path), repository=repository)
            (rule,) = proposal.rules
            assert rule.identifies == (None if platform == OWN else platform)
            assert rule.files == 1
            found = rule.example
            assert (found.path, found.title) == (path, title)
            assert found.problem == (None if problem == OWN else problem)
            assert found.platform == path.partition("/")[0]
            assert proposal.ratings == (() if platform == OWN else (platform,))

    def test_the_build_gives_the_counts(self, layout: str) -> None:
        repository, rows = rows_of(layout)
        files = tree(
            *(path for path, *_ in rows), "README.md", "x.py", "docs/x.py", "LeetCode/README.md"
        )
        check_law(files, detect(files, repository=repository))


class TestTables:
    def test_a_repository_of_built_in_folders_needs_no_platform(self) -> None:
        proposal = detect(tree("leetcode/0001-two-sum.py", "cf/4A.cpp"))
        assert names_of(proposal) == set()
        assert proposal.ratings == ("codeforces", "leetcode")
        assert [(rule.identifies, rule.form) for rule in proposal.rules] == [
            ("codeforces", None),
            ("leetcode", None),
        ]

    def test_only_layouts_that_match_are_written(self) -> None:
        proposal = detect(tree("aoc/2023/day01.py", "python/x.py"))
        forms = {draft.name: [each.form for each in draft.proposed] for draft in proposal.drafts}
        assert forms == {"adventofcode": ["year/day"], "other": ["any file, titled by its name"]}

    def test_a_platform_without_a_match_has_no_platform(self) -> None:
        """Its files then have their titles from their names."""
        proposal = detect(tree("aoc/helper.py"))
        assert names_of(proposal) == {"other"}
        assert proposal.ratings == ()

    def test_folders_with_the_same_key_are_named_once(self) -> None:
        files = tree("python/leetcode/a-b.py", "Python/LeetCode/c-d.py", "py_thon/leet code/e-f.py")
        (draft, *_) = detect(files).drafts
        assert (draft.name, len(draft.folders)) == ("leetcode", 1)
        check_law(files, detect(files))

    def test_many_folders_are_bounded(self) -> None:
        """The settings have those with the most files, and stay within their size limit."""
        first = tree("big/leetcode/a-b.py", "big/leetcode/c-d.py")
        files = [*first, *tree(*(f"r{n}/leetcode/a-b.py" for n in range(500)))]
        proposal = detect(files)
        (draft, *_) = proposal.drafts
        assert len(draft.folders) == 300
        assert "big/leetcode" in draft.folders
        check_law(files, proposal)

    def test_a_path_that_is_too_long_for_the_settings_is_not_named(self) -> None:
        files = tree(f"{'a' * 201}/leetcode/a-b.py")
        assert names_of(detect(files)) == {"other"}

    def test_owner_and_name_are_written(self) -> None:
        files = tree("cf/4A.cpp")
        proposal = detect(files, owner='a"b/c', name="p")
        assert (proposal.settings.owner, proposal.settings.name) == ('a"b/c', "p")
        check_law(files, attrs.evolve(proposal))

    def test_a_folder_that_cannot_be_printed_is_not_named(self) -> None:
        """A settings file has no control characters and no direction marks."""
        files = tree("a\n\x7f/leetcode/a-b.py", "\u202e/leetcode/a-b.py", "😀'\"\\/leetcode/a-b.py")
        proposal = detect(files)
        (draft, _) = proposal.drafts
        assert draft.folders == ("😀'\"\\/leetcode",)
        assert settings_text(proposal).replace("\n", "").isprintable()
        check_law(files, proposal)


class TestExercism:
    TESTS = (
        "exercism/java/leap/src/test/java/LeapTest.java",
        "exercism/cpp/leap/leap_test.cpp",
        "exercism/rust/leap/tests/leap.rs",
    )

    def test_the_tests_of_exercises_are_ignored(self) -> None:
        files = tree("exercism/java/leap/src/main/java/Leap.java", *self.TESTS)
        proposal = detect(files)
        assert proposal.base["ignore"] == {
            "files": ["*_test.cpp", "*test.java"],
            "folders": ["test", "tests"],
        }
        assert proposal.listed == 1
        check_law(files, proposal)

    def test_the_helpers_of_exercises_are_no_problems(self) -> None:
        helpers = (
            *("exercism/bash/leap/bats-extra.bash", "exercism/swift/leap/Package.swift"),
            *(
                "exercism/swift/leap/Tests/LeapTests/LeapTests.swift",
                "exercism/elixir/leap/mix.exs",
            ),
            *("exercism/gleam/leap/test/leap_test.gleam", "exercism/wren/leap/leap.spec.wren"),
            *("exercism/wren/leap/package.wren", "exercism/tcl/leap/testHelpers.tcl"),
            *("exercism/sml/leap/test.sml", "exercism/sml/leap/testlib.sml"),
            *("exercism/moonscript/leap/leap_spec.moon", "exercism/ocaml/leap/test.ml"),
            *("exercism/javascript/leap/.eslintrc.cjs", "exercism/nim/leap/test_leap.nim"),
            *("exercism/crystal/leap/spec/leap_spec.cr", "exercism/scheme/leap/test.scm"),
        )
        tracks = ("bash", "swift", "gleam", "wren", "tcl", "sml", "moonscript")
        extensions = ("sh", "swift", "gleam", "wren", "tcl", "sml", "moon")
        solved = [
            f"exercism/{track}/leap/leap.{extension}"
            for track, extension in zip(tracks, extensions, strict=True)
        ]
        proposal = detect(tree(*solved, *helpers))
        assert proposal.skipped == {"path.ignored": len(helpers)}
        assert sum(rule.files for rule in proposal.rules if rule.identifies) == len(solved)

    def test_without_exercises_nothing_is_ignored(self) -> None:
        assert detect(tree("java/LeapTest.java")).base["ignore"] == {}

    def test_metadata_in_every_exercise_shows_a_track(self) -> None:
        files = tree(
            *("python/leap/leap.py", "python/leap/.exercism/config.json"),
            *("go/leap/leap.go", "go/leap/.exercism/metadata.json", "go/other/other.go"),
            *("go/other/.exercism/notes.json", "go/other/x/.exercism/config.json"),
            *("topics/leap/leap.py", "topics/leap/.exercism/config.json"),
        )
        proposal = detect(files)
        (rule, _) = proposal.rules
        assert rule.example == Example(
            *("python/leap/leap.py", "python", "python/leap", "Leap", "Python"),
            f"{EX}/python/exercises/leap",
        )
        assert (rule.identifies, rule.files) == ("exercism", 1)
        check_law(files, proposal)


class TestSources:
    def test_a_root_beside_others_stays_ignored(self) -> None:
        assert detect(tree("src/a-b.py", "cf/4A.cpp")).listed == 1

    def test_a_platform_in_it_is_published(self) -> None:
        proposal = detect(tree("src/leetcode/a-b.py", "cf/4A.cpp"))
        assert (proposal.listed, proposal.base["ignore"]) == (2, {"keep": ["src"]})

    @pytest.mark.parametrize("root", ["scripts", "Script", "src", "archive", "snippets"])
    def test_a_root_with_all_solutions_is_published(self, root: str) -> None:
        proposal = detect(tree(f"{root}/a-b.py", f"{root}/leetcode/0001-two-sum.py", "docs/x.py"))
        assert (proposal.listed, proposal.base["ignore"]) == (2, {"keep": [root.casefold()]})

    def test_scripts_beside_others_stay_ignored(self) -> None:
        proposal = detect(tree("scripts/leetcode/0001-two-sum.py", "cf/4A.cpp"))
        assert (proposal.listed, proposal.base["ignore"]) == (1, {})
        assert names_of(proposal) == set()
        assert proposal.skipped == {"path.ignored": 1}


class TestLeetHub:
    FILES = ("1-two-sum", "20-valid-parentheses", "739-daily-temperatures")

    def test_folders_numbered_as_on_leetcode_are_of_it(self) -> None:
        files = tree(*(f"{name}/{name}.py" for name in self.FILES))
        proposal = detect(files, repository="ada")
        (rule,) = proposal.rules
        assert (rule.identifies, rule.files) == ("leetcode", 3)
        assert rule.example.url == f"{LC}/two-sum/"
        check_law(files, proposal)

    def test_folders_with_other_numbers_are_not(self) -> None:
        names = ("1-basics", "2-loops", "20-valid-parentheses", "3-valid-parentheses")
        proposal = detect(tree(*(f"{name}/{name}.py" for name in names)), repository="ada")
        assert [rule.identifies for rule in proposal.rules] == [None]

    def test_one_file_with_another_number_makes_the_others_uncertain(self) -> None:
        files = tree(*(f"{name}/{name}.py" for name in self.FILES), "1-basics/2-loops.py")
        assert [rule.identifies for rule in detect(files).rules] == [None]


class TestUnmatched:
    def test_each_reason_has_its_count(self) -> None:
        files = [
            *tree("leetcode/x.py", "leetcode/y.py", "uva/x.py", "leetcode/README.md"),
            *tree("docs/x.py", "x.py", "z.ipynb"),
            *tree("leetcode/link.py", kind="symlink"),
            TreeFile(b"cf/\xff.py"),
        ]
        proposal = detect(files)
        assert (proposal.listed, proposal.rules) == (3, ())
        assert proposal.skipped == {
            "language.unknown": 1,
            "path.ignored": 1,
            "path.root": 2,
            "path.encoding": 1,
            "path.symlink": 1,
        }
        assert (proposal.loose, proposal.notebooks) == (1, 1)
        assert "# ipynb" in settings_text(proposal)

    def test_a_title_of_signs_only_is_no_title(self) -> None:
        proposal = detect(tree("a/___.py", "a/b.py"))
        assert (proposal.listed, [rule.files for rule in proposal.rules]) == (2, [1])

    def test_a_folder_may_be_of_no_rule_at_all(self) -> None:
        files = tree("a/___.py", "cf/4A.cpp")
        proposal = detect(files)
        assert names_of(proposal) == set()
        assert (proposal.listed, [rule.files for rule in proposal.rules]) == (2, [1])
        check_law(files, proposal)

    @pytest.mark.parametrize(
        ("paths", "words"),
        [
            ((), "the tree has no files [init.no_solutions]"),
            (("a.py", "b.cpp", "README.md"), "all 2 solutions are in the root"),
            (("README.md", "docs/x.py"), "none of its 2 files is a solution"),
        ],
    )
    def test_without_solutions_there_is_one_error(self, paths: tuple[str, ...], words: str) -> None:
        with pytest.raises(NoSolutionsError) as caught:
            detect(tree(*paths))
        assert words in str(caught.value)
        assert caught.value.code == "init.no_solutions"


class TestReport:
    def lines(self, *paths: str) -> list[str]:
        return list(report_lines(detect(tree(*paths)), branch="main"))

    def test_a_rule_has_its_count_and_an_example(self) -> None:
        assert self.lines("LeetCode/0001-two-sum.py", "cpp/1A.cpp", "a.ipynb", "a.py") == [
            "4 files in main: 2 published, 1 of them with the URL of a problem.",
            "",
            "     1  leetcode: built-in layouts",
            "        LeetCode/0001-two-sum.py",
            "        platform LeetCode, problem 0001, Python, title 1. Two Sum",
            "        https://leetcode.com/problems/two-sum/",
            "",
            "     1  any file, titled by its name",
            "        cpp/1A.cpp",
            "        platform cpp, C++, title 1A",
            "        the link is that of the file",
            "",
            "2 files left out: sitedata build says why.",
            "",
            (
                "1 file in the root would be published in a folder: the platform of a problem"
                " is its first folder."
            ),
            "",
            (
                "1 file with the extension ipynb would be published with a language: see"
                " [languages] in the settings."
            ),
            "",
        ]

    def test_published_files_that_no_rule_matches_are_counted(self) -> None:
        lines = self.lines("leetcode/0001-two-sum.py", "leetcode/helper.py")
        assert lines[-2:] == [
            "1 file published without the URL of a problem: no rule matches.",
            "",
        ]

    def test_all_matched_ends_with_the_rules(self) -> None:
        assert self.lines("cf/4A.cpp")[-2:] == [
            "        https://codeforces.com/contest/4/problem/A",
            "",
        ]


class TestNames:
    def test_the_platforms_of_settings_have_names_of_their_own(self) -> None:
        """A built-in platform with such a name would be replaced."""
        built_in = {platform.name for platform in known_platforms()}
        assert built_in.isdisjoint({"other", "adventofcode", "exercism"})
        assert folder_key(".") == "."
        assert "." not in {key for each in BuildSettings().platforms for key in each.folders}
