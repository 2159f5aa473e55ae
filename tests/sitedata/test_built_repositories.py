"""Real repositories, hostile and broken ones too, to files: by `build` and by the command."""

from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest

from sitedata import BuildResult, BuildSettings, SettingsError, build, check, encode, parse
from sitedata.adapters.files import read_config
from sitedata.adapters.git import read_history
from sitedata.building.tree import EXPECTED_RULES, list_problems
from support.servers.commands import Ended, run
from support.sitedata.git_repositories import CONFIG, ImportedScript, git, make
from support.sitedata.repositories import HOSTILE_NAMES, Commit, Link, Script, Submodule, Write

CLI = "sitedata.cli.main"
NOW = 1_769_860_800_000
"""2026-01-31T12:00:00Z, in ms."""
DAY = 86_400
START = 1_767_225_600
"""2026-01-01T00:00:00Z, in seconds."""
SETTINGS = BuildSettings(owner="ada", name="practice")
PRACTICE = Script(
    (
        Commit(START, (Write(b"kattis/hello.py", b"one\n"),), offset=60),
        Commit(START + DAY, (Write(b"cses/1068.cpp", b"two\n"),), offset=540),
        Commit(START + 2 * DAY, (Write(b"kattis/hello.py", b"three\n"),), offset=-480),
    ),
    tags={"v1": 1},
)


def built(path: Path, ref: str = "main", settings: BuildSettings = SETTINGS) -> BuildResult:
    """Build a snapshot as the command does."""
    history = read_history(
        path,
        ref,
        dates=settings.dates,
        listed=partial(list_problems, settings=settings),
        zone=settings.zone,
    )
    return build(history, settings, generated_at=NOW)


def dates_of(made: BuildResult) -> dict[str, str | None]:
    return {problem.path: problem.submitted_at for problem in made.snapshot.problems}


@pytest.fixture
def practice(tmp_path: Path) -> ImportedScript:
    return make(tmp_path / "practice", PRACTICE)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    place = tmp_path / "site-data.toml"
    place.write_text(CONFIG)
    return place


@pytest.mark.rule("SD-BUILD-01", "SD-BUILD-08")
class TestBuilding:
    """A snapshot contains the state of git at the reference, and nothing else."""

    def test_tree_times_days_and_counts_are_those_of_the_reference(
        self, practice: ImportedScript
    ) -> None:
        snapshot = built(practice.path).snapshot
        assert {problem.path: problem.submitted_at for problem in snapshot.problems} == {
            "cses/1068.cpp": "2026-01-02T09:00:00+09:00",
            "kattis/hello.py": "2026-01-02T16:00:00-08:00",
        }
        assert snapshot.contributions == {"2026-01-01": 1, "2026-01-02": 1, "2026-01-03": 1}
        assert snapshot.commit_count == 3
        older = built(practice.path, "v1").snapshot
        assert (older.commit_count, older.source_ref, older.repository.branch) == (2, "v1", "v1")
        assert dates_of(built(practice.path, "v1"))["kattis/hello.py"] == (
            "2026-01-01T01:00:00+01:00"
        )

    def test_a_clone_gives_the_same_bytes(self, practice: ImportedScript, tmp_path: Path) -> None:
        git(tmp_path, "clone", "--quiet", "--mirror", str(practice.path), "clone")
        git(tmp_path / "clone", "gc", "--quiet")
        bodies = {encode(built(path).snapshot) for path in (practice.path, tmp_path / "clone")}
        assert len(bodies) == 1

    def test_a_hostile_repository_gives_a_valid_snapshot(self, tmp_path: Path) -> None:
        hostile = [Write(b"kattis/" + name + b"/" + name, b"x") for name in HOSTILE_NAMES]
        odd = (
            Link(b"kattis/link.py", b"/etc/passwd"),
            Link(b"kattis/up.py", b"../../.."),
            Submodule(b"kattis/module.py"),
            Write(b"cses/huge.cpp", b"x" * 3_000_000),
        )
        made = make(tmp_path / "hostile", Script((Commit(START, (*hostile, *odd)),)))
        found = built(made.path)
        findings = check(encode(found.snapshot)).findings
        assert {finding.rule for finding in findings} == {"text.control"}
        listed, skipped = len(found.snapshot.problems), sum(found.skipped.values())
        assert listed + skipped == len(hostile) + len(odd)
        assert (found.skipped["path.symlink"], found.skipped["path.submodule"]) == (2, 1)
        assert found.skipped.keys() - EXPECTED_RULES == {one.rule for one in found.warnings}
        start = "https://raw.githubusercontent.com/ada/practice/main/"
        for problem in found.snapshot.problems:
            assert unquote(problem.raw_url.removeprefix(start)) == problem.path
            assert not set(problem.raw_url) & set(" \"'\n\\#?")


@pytest.mark.rule("SD-TREE-02")
class TestRoot:
    """Files in the root are of a platform only where the setting names it."""

    @pytest.mark.parametrize(
        ("root", "path", "url"),
        [
            ("leetcode", "0001-two-sum.py", "https://leetcode.com/problems/two-sum/"),
            ("leetcode", "two-sum.py", "https://leetcode.com/problems/two-sum/"),
            ("baekjoon", "1000.cpp", "https://www.acmicpc.net/problem/1000"),
            ("kattis", "hello.py", "https://open.kattis.com/problems/hello"),
            ("dp", "0001-two-sum.py", None),
        ],
    )
    def test_a_file_in_the_root_is_as_one_in_a_folder_of_the_platform(
        self, root: str, path: str, url: str | None, tmp_path: Path
    ) -> None:
        names = [path, "README.md", "setup.py", "test_x.py", "three-sum.py", "four-sum.py"]
        others = [b"cses/1068.cpp", b"src/main.py", b".hidden.py"]
        files = [*map(str.encode, names), *others]
        writes = tuple(Write(name, name) for name in files)
        made = make(tmp_path / "r", Script((Commit(START, writes),)))
        settings = read_config(f'root = "{root}"\n{CONFIG}')
        found = {
            problem.path: problem
            for problem in built(made.path, "main", settings).snapshot.problems
        }
        assert found.keys() == {path, "three-sum.py", "four-sum.py", "cses/1068.cpp"}
        assert (found[path].platform, found["cses/1068.cpp"].platform) == (root, "cses")
        assert found[path].problem_url == (url or found[path].github_url)
        assert found[path].submitted_at is not None
        assert check(encode(built(made.path, "main", settings).snapshot)).findings == ()
        without = built(made.path)
        assert list(dates_of(without)) == ["cses/1068.cpp"]
        assert without.skipped["path.root"] > 0

    @pytest.mark.parametrize("root", ["a/b", "..", "", "a\\tb"])
    def test_it_is_the_name_of_a_folder(self, root: str) -> None:
        with pytest.raises(SettingsError):
            read_config(f'root = "{root}"')


def command(repository: Path, config: Path, output: Path, *arguments: str) -> Ended:
    return run("build", repository, "--config", config, "-o", output, *arguments, module=CLI)


@pytest.mark.rule("SD-BUILD-06", "SD-BUILD-07", "SD-SETTINGS-12")
class TestCommand:
    """The file is written last, and atomically."""

    @pytest.mark.parametrize(
        ("place", "arguments", "code"),
        [
            ("empty", (), "repository.empty"),
            ("practice", ("--ref=--upload-pack=x",), "ref.missing"),
            ("broken", (), "repository.corrupt"),
        ],
    )
    def test_an_unreadable_repository_is_reported_before_any_output(
        self, tmp_path: Path, config: Path, place: str, arguments: tuple[str, ...], code: str
    ) -> None:
        make(tmp_path / "practice", PRACTICE)
        make(tmp_path / "empty", Script(()))
        broken = make(tmp_path / "broken", PRACTICE)
        for broken_file in (broken.path / "objects").glob("??/*"):
            broken_file.chmod(0o600)
            broken_file.write_bytes(b"broken_file")
        folder = tmp_path / "out"
        folder.mkdir()
        output = folder / "site-data.json"
        output.write_bytes(b"old")
        result = command(tmp_path / place, config, output, *arguments)
        assert (result.code, result.out) == (3, "")
        assert f"[{code}]" in result.err
        assert "fatal" not in result.err  # as git would say
        assert [each.name for each in folder.iterdir()] == [output.name]
        assert output.read_bytes() == b"old"

    def test_settings_are_read_from_the_reference_unless_others_are_named(
        self, config: Path, tmp_path: Path
    ) -> None:
        """The file of the work tree is another one."""
        text = CONFIG.replace("ada", "eve").encode()
        commits = (*PRACTICE.commits, Commit(START + 3 * DAY, (Write(b"site-data.toml", text),)))
        made = make(tmp_path / "own", Script(commits, tags={"v1": 1}), bare=False)
        (made.path / "site-data.toml").write_text("broken")

        def ended(*options: object) -> Ended:
            return run("build", made.path, *options, module=CLI)

        result = ended()
        assert parse(result.out.encode()).repository.owner == "eve"
        assert result.err == "sitedata: with the settings of site-data.toml of HEAD\n"
        result = ended("--config", config)
        assert (parse(result.out.encode()).repository.owner, result.err) == ("ada", "")
        for options in (("--no-config",), ("--ref", "v1")):
            result = ended(*options)
            assert (result.code, "--owner OWNER and --name NAME must" in result.err) == (2, True)
        assert ended("--no-config", "--config", config).code == 2

    @pytest.mark.parametrize(
        ("file", "code", "words"),
        [
            (Write(b"site-data.toml", b"zone = 1"), 2, "site-data.toml of main:1 /zone"),
            (Write(b"site-data.toml", b"#" * (1024 * 1024 + 1)), 3, "[settings.size]"),
            (Link(b"site-data.toml", b"/etc/passwd"), 2, "--owner OWNER and"),
        ],
        ids=["invalid", "large", "link"],
    )
    def test_only_a_regular_file_is_read_as_settings(
        self, tmp_path: Path, file: Write, code: int, words: str
    ) -> None:
        made = make(tmp_path / "own", Script((Commit(START, (file,)),)))
        result = run("build", made.path, "--ref", "main", module=CLI)
        assert (result.code, result.out) == (code, "")
        assert words in result.err
