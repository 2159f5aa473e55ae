"""Selection of the files of a tree that are problems, and warnings about the others."""

from typing import Any

import pytest

from sitedata.building.history import RULES, FileKind, Listing, TreeFile, Warnings
from sitedata.building.settings import BuildSettings
from sitedata.building.tree import EXPECTED_RULES, list_problems
from status_contracts.findings import Finding


def walk(*files: TreeFile, **settings: Any) -> Listing:
    return list_problems(files, BuildSettings(**settings))


def rule_of(name: bytes, kind: FileKind = "file", **settings: Any) -> str | None:
    """Return the rule that excludes a file; None if it is listed."""
    listing = walk(TreeFile(name, kind), **settings)
    assert len(listing.entries) + len(listing.left_out) == 1
    return listing.left_out[0][0] if listing.left_out else None


@pytest.mark.rule("SD-PROBLEM-02", "SD-TREE-01")
class TestEntries:
    def test_an_entry_has_the_parts_of_its_path(self) -> None:
        (entry,) = walk(TreeFile(b"CodeForces/1234/A.x.cpp")).entries
        assert entry[:6] == (
            b"CodeForces/1234/A.x.cpp",
            "CodeForces/1234/A.x.cpp",
            "CodeForces/1234",
            "CodeForces",
            "A.x",
            "C++",
        )

    @pytest.mark.parametrize(
        "name",
        [
            "own/a.py",
            'codeforces/"x" y.py',
            "codeforces/a\nb.py",
            "codeforces/..%2f..%2fa.py",
            "codeforces/.../a.py",
            "codeforces/a\\..\\b.py",
            "codeforces/\u202egnp.py",
            "C:/a.py",
            "~/a.py",
            "-/a.py",
            "codeforces/" + "a" * 250 + ".py",
            "codeforces/..py",
        ],
    )
    def test_names_can_contain_any_text(self, name: str) -> None:
        (entry,) = walk(TreeFile(name.encode())).entries
        assert entry.path == name
        assert entry.platform == name.partition("/")[0]

    def test_every_rule_has_a_description(self) -> None:
        assert not EXPECTED_RULES.keys() & RULES.keys()


@pytest.mark.rule("SD-TREE-02", "SD-TREE-04", "SD-TREE-05", "SD-TREE-06")
class TestSkipped:
    """Invariant *every file is accounted for*."""

    @pytest.mark.parametrize(
        ("name", "kind", "rule"),
        [
            (b"A.cpp", "file", "path.root"),
            (b"", "file", "path.root"),
            (b"\xff.cpp", "file", "path.root"),
            (b"docs/a.cpp", "file", "path.ignored"),
            (b"DOCS/a.cpp", "file", "path.ignored"),
            (b".github/x/a.py", "file", "path.ignored"),
            (b".x/\xff.py", "file", "path.ignored"),
            (b"codeforces/node_modules/x/a.js", "file", "path.ignored"),
            (b"codeforces/__pycache__/a.py", "file", "path.ignored"),
            (b"codeforces/.git/a.py", "file", "path.ignored"),
            (b"codeforces/README.md", "file", "language.unknown"),
            (b"codeforces/.py", "file", "path.ignored"),
            (b"codeforces/..", "file", "language.unknown"),
            (b"codeforces/\xff.txt", "file", "language.unknown"),
            (b"codeforces/\xff.py", "file", "path.encoding"),
            (b"\xff/a.py", "file", "path.encoding"),
            (b"a/\xed\xa0\x80.py", "file", "path.encoding"),
            (b"a/a\xf0\x9f.py", "file", "path.encoding"),
            (b"/a.py", "file", "path.relative"),
            (b"codeforces//a.py", "file", "path.segment"),
            (b"codeforces/../a.py", "file", "path.segment"),
            (b"./a.py", "file", "path.segment"),
            (b"codeforces/a.py", "symlink", "path.symlink"),
            (b"codeforces/a", "symlink", "path.symlink"),
            (b"codeforces/\xff", "symlink", "path.symlink"),
            (b"codeforces/a.py", "submodule", "path.submodule"),
            (b"codeforces", "submodule", "path.submodule"),
            (b"LATEST", "symlink", "path.root"),
            (b"docs", "submodule", "path.ignored"),
            (b"docs/a.py", "symlink", "path.ignored"),
            (b".vim", "submodule", "path.ignored"),
        ],
    )
    def test_other_files_links_and_submodules_are_left_out(
        self, name: bytes, kind: FileKind, rule: str
    ) -> None:
        assert rule_of(name, kind) == rule

    def test_a_repeated_path_is_skipped(self) -> None:
        """Invariant *once*."""
        listing = walk(TreeFile(b"a/b.py"), TreeFile(b"a/b.py"))
        assert [entry.path for entry in listing.entries] == ["a/b.py"]
        assert listing.left_out == (("path.unique", "a/b.py"),)


@pytest.mark.rule("SD-TREE-03")
class TestSettings:
    def test_ignored_roots_and_folders_are_settings(self) -> None:
        assert rule_of(b"docs/a.py", ignored_roots=[]) is None
        assert rule_of(b"Cf/a.py", ignored_roots=["CF"]) == "path.ignored"
        assert rule_of(b"cf/tests/a.py", ignored_folders=[]) is None
        assert rule_of(b"cf/x/Attic/a.py", ignored_folders=["attic"]) == "path.ignored"

    @pytest.mark.parametrize(
        "name", ["__init__.py", "conftest.py", "sum_test.go", "test_sum.py", "a.test.ts", "Mod.rs"]
    )
    def test_tests_and_settings_are_ignored(self, name: str) -> None:
        assert rule_of(f"cf/x/{name}".encode()) == "path.ignored"
        assert rule_of(f"cf/x/{name}".encode(), ignored_files=[]) is None

    @pytest.mark.parametrize(
        "names",
        [
            "elixir/bob/.formatter.exs | elixir/bob/bob.exs",
            "elixir/bob/test/bob_test.exs elixir/bob/.hidden/x.py kattis/.iceland/x.py |",
            "ts/bob/babel.config.cjs ts/bob/jest.config.cjs ts/bob/bob.spec.mts ts/2018/bench.ts |",
            "rust/2018/01/tests/a.rs rust/2018/01/benches/a.rs js/x/__tests__/a.js |",
            "cs/bob/BobTests.cs java/x/TwoTest.java | cs/bob/Bob.cs java/x/Two.java",
            "clojure/bob/bob_test.clj erlang/bob/bob_tests.erl x/b/c_spec.kt | x/b/c.kt",
            "cobol/b/test.sh cobol/b/test.ps1 bash/b/bats-extra.bash sql/b/test_setup.sql |",
            "leetcode/0001_two_sum_test.go | leetcode/0001_two_sum.go",
            # problems
            "| boj/1111.\u00a0IQ\u00a0Test/IQ\u00a0Test.py boj/1.\u00a0IQ\u00a0test/iq_test.py",
            "| cses/x/Point_Location_Test.cpp cses/y/2189_point_location_test.py",
            "java/x/TestTwo.java rust/b/tests.rs js/x/__mocks__/a.js | java/x/Two.java js/x/a.js",
            "cs/Bob.Tests/Help.cs cs/b/AssemblyInfo.cs ts/x/a.d.mts js/a.setup.js c/b/vendor/u.c |",
            "erl/x/x_SUITE.erl hs/b/Setup.hs jl/b/runtests.jl zig/b/build.zig sml/b/testlib.sml |",
            "| kattis/Testdrive.java cf/1.test/a.py own/TestDrive.kt",
            "| own/x/contest.py own/x/latest.cs own/x/test.py own/y/test2.cpp own/contest/a.py",
        ],
    )
    def test_what_a_language_takes_for_a_test_is_none_of_the_problems(self, names: str) -> None:
        left_out, _, kept = names.partition("|")
        files = (TreeFile(name.encode()) for name in f"{left_out} {kept}".split(" ") if name)
        entries = walk(*files).entries
        assert sorted(entry.path for entry in entries) == sorted(filter(None, kept.split(" ")))

    def test_ignored_files_are_a_setting(self) -> None:
        assert rule_of(b"cf/Draft 1.py", ignored_files=["draft*"]) == "path.ignored"
        assert rule_of(b"cf/a draft.py", ignored_files=["draft*"]) is None
        assert rule_of(b"draft/a.py", ignored_files=["draft*"]) is None

    def test_a_hidden_root_is_always_ignored(self) -> None:
        assert rule_of(b".cf/a.py", ignored_roots=[], ignored_folders=[]) == "path.ignored"

    def test_languages_are_a_setting(self) -> None:
        assert rule_of(b"cf/a.py", languages={"x": "X"}) == "language.unknown"
        (entry,) = walk(TreeFile(b"cf/a.X"), languages={"x": "X"}).entries
        assert entry.language == "X"


@pytest.mark.rule("SD-TREE-08")
class TestWarnings:
    """Invariant *bounded and complete*."""

    def test_each_has_the_message_of_its_rule_and_they_are_sorted_by_it(self) -> None:
        warnings = Warnings()
        warnings.add("path.symlink", ["b~c"])
        warnings.add("history.time", ["c"])
        warnings.add("path.symlink", ["a"])
        assert [finding.path for finding in warnings.findings()] == ["/c", "/b~0c", "/a"]
        last = Finding("/a", "path.symlink", RULES["path.symlink"])
        assert warnings.findings()[-1] == last

    def test_more_than_twenty_of_a_rule_are_counted(self) -> None:
        warnings = Warnings()
        for index in range(20):
            warnings.add("path.symlink", [str(index)])
        assert len(warnings.findings()) == 20
        for index in range(20, 1000):
            warnings.add("path.symlink", [str(index)])
        *named, last = warnings.findings()
        assert [finding.path for finding in named] == [f"/{index}" for index in range(20)]
        assert (last.path, last.rule) == ("", "path.symlink")
        assert last.message == f"980 more: {RULES['path.symlink']}"
