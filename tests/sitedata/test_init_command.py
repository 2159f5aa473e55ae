"""`sitedata init` on real repositories; one real process."""

from collections import Counter
from pathlib import Path

import pytest

from sitedata import parse
from sitedata.adapters.files import read_config
from sitedata.adapters.git import list_files, opened
from sitedata.building.history import TreeFile
from status_contracts.primitives import plural
from support.servers.commands import Ended
from support.servers.commands import run as run_module
from support.sitedata.git_repositories import git, make
from support.sitedata.repositories import Commit, Script, Write

CLI = "sitedata.cli.main"
LEETCODE = (
    *("1-two-sum", "15-3sum", "20-valid-parentheses", "70-climbing-stairs", "502-ipo"),
    *("456-132-pattern", "206-reverse-linked-list", "78-subsets", "542-01-matrix"),
)
REPOSITORIES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # files with the link of a problem, and with their own
    "LeetHub": (tuple(f"{name}/{name}.py" for name in LEETCODE), ()),
    "practice": (
        (
            *("leetcode-solutions/0001-two-sum.py", "LeetCode/0001-two-sum/solution.py"),
            *("AtCoder_cpp/abc381/d.cpp", "cf/4A.cpp", "codeforces/1950/E.cpp", "kattis/hello.py"),
        ),
        ("leetcode-clone/0001-two-sum.py", "aoc-2023/day01/part1.py", "python/two_sum.py"),
    ),
    "leetcode-in-java": (
        ("easy/0001-two-sum.java", "kattis/hello.java"),
        ("dp/0322-coin-change.java", "codeforces-notes/4A.java"),
    ),
    "algorithms": (
        (
            *("백준/Bronze/1000. A＋B/A＋B.cc", "백준/Gold/1005.\u2005ACM/ACM.py", "BOJ/2557.c"),
            *("poj/1000.cpp", "POJ/poj2002.cpp", "dmoj/ccc21s1.py", "uva/100.cpp"),
        ),
        ("백준/2024/1000.cpp", "uva/2024.cpp", "poj/5000.cpp", "dmoj/s1.cpp", "kattis/lib.py"),
    ),
    "scripts": ((), ("scripts/two_sum.py", "scripts/three_sum.py")),
}


def run(*arguments: object, cwd: Path | None = None) -> Ended:
    return run_module(*arguments, module=CLI, cwd=cwd)


def repository(place: Path, *paths: str, remote: str | None = "git@github.com:ada/p.git") -> Path:
    writes = tuple(Write(path.encode()) for path in paths)
    made = make(place, Script((Commit(1_767_225_600, writes),)))
    if remote is not None:
        git(made.path, "config", "remote.origin.url", remote)
    return made.path


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    linked, own = REPOSITORIES["practice"]
    return repository(tmp_path_factory.mktemp("made") / "practice", *linked, *own, "x.md")


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_build_has_the_counts_and_no_link_less_than_one_without_settings(
    name: str, tmp_path: Path
) -> None:
    linked, own = REPOSITORIES[name]
    path = repository(tmp_path / "r", *linked, *own, remote=f"git@github.com:ada/{name}.git")
    ended = run("init", path, cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    found = {}
    for option in (("--config", "site-data.toml"), ("--no-config",)):
        built = run("build", path, *option, cwd=tmp_path)
        problems = parse(built.out.encode()).problems
        found[option[0]] = {each.path for each in problems if each.problem_url != each.github_url}
        if option[0] == "--config":
            assert {each.path for each in problems} == {*linked, *own}
            first, *rows = ended.out.splitlines()
            assert first == f"{plural(len(problems), 'solution')} in main, 0 files left out"
            counts = Counter(each.platform for each in problems)
            shown = {row.split()[-1]: int(row.split()[0]) for row in rows[: len(counts)]}
            assert shown == counts
    assert found["--config"] == set(linked)
    assert found["--no-config"] <= found["--config"]


class TestOutput:
    def test_it_lists_the_first_folders_and_the_next_command(
        self, practice: Path, tmp_path: Path
    ) -> None:
        ended = run("init", practice, cwd=tmp_path)
        assert (ended.code, ended.err) == (0, "")
        assert (
            ended.out
            == f"""\
9 solutions in main, 1 file left out
       1  atcoder      AtCoder_cpp
       1  leetcode     LeetCode
       1  -            aoc-2023
       1  codeforces   cf
       1  codeforces   codeforces
       1  kattis       kattis
       1  -            leetcode-clone
       1  leetcode     leetcode-solutions
       1  -            python
wrote site-data.toml.  Read it, then build the snapshot:
    sitedata build {practice} --config site-data.toml -o site-data.json
"""
        )

    def test_thirty_folders_are_listed_and_the_others_counted(self, tmp_path: Path) -> None:
        path = repository(tmp_path / "r", *(f"f{number}/a.py" for number in range(40)))
        ended = run("init", path, cwd=tmp_path)
        assert len(ended.out.splitlines()) == 34
        assert "      10  in 10 other folders\n" in ended.out

    def test_the_zone_is_that_of_the_commits(self, tmp_path: Path) -> None:
        last_year = 1_767_225_600 - 366 * 86_400
        commits = [
            Commit(start + number * 60, (Write(b"dp/%d.py" % (start + number)),), offset=offset)
            for start, offset in ((last_year, 0), (1_767_225_600, 540))
            for number in range(3)
        ]
        path = make(tmp_path / "r", Script(tuple(commits))).path
        options = ("--owner", "ada", "--name", "p", "-o", "x.toml")
        assert run("init", path, *options, cwd=tmp_path).code == 0
        assert read_config((tmp_path / "x.toml").read_bytes()).zone == "+09:00"
        ended = run("build", path, "--config", "x.toml", cwd=tmp_path)
        assert parse(ended.out.encode()).contributions == {"2024-12-31": 3, "2026-01-01": 3}

    def test_the_next_command_has_what_is_missing(self, tmp_path: Path) -> None:
        path = repository(tmp_path / "a b", "cf/4A.cpp", remote=None)
        ended = run("init", path, "--ref", "main", "--owner", "ada", "-o", tmp_path / "x.toml")
        assert ended.out.endswith(
            f"  sitedata build '{path}' --config {tmp_path / 'x.toml'} --ref main --name NAME"
            " -o site-data.json\n"
        )
        assert read_config((tmp_path / "x.toml").read_bytes()).owner == "ada"

    def test_an_unknown_host_is_reported(self, tmp_path: Path) -> None:
        path = repository(tmp_path / "r", "cf/4A.cpp", remote="https://git.example.org/ada/p.git")
        ended = run("init", path, cwd=tmp_path)
        assert "kind of the host is unknown: set kind" in ended.out
        assert ended.out.count("--owner") == 0

    def test_names_cannot_control_the_terminal(self, tmp_path: Path) -> None:
        path = repository(tmp_path / "r", "cf/\x1b[31m\u202e.py", "a/\x1b[2J.py")
        ended = run("init", path, cwd=tmp_path)
        assert ended.code == 0
        assert "\x1b" not in ended.out
        assert "\u202e" not in ended.out

    def test_the_name_of_the_repository_counts(self, tmp_path: Path) -> None:
        """That of the remote, else that of its folder."""
        path = repository(tmp_path / "leetcode.git", "easy/a.py", remote=None)
        assert "leetcode     easy" in run("init", path, "--dry-run").out
        git(path, "config", "remote.origin.url", "git@github.com:ada/practice.git")
        assert "leetcode" not in run("init", path, "--dry-run").out
        assert "leetcode     easy" in run("init", path, "--dry-run", "--name", "leetcode").out

    def test_the_settings_can_be_printed(self, practice: Path, tmp_path: Path) -> None:
        ended = run("init", practice, "--dry-run", cwd=tmp_path)
        settings = ended.out[ended.out.index("# Settings of") :]
        assert ended.code == 0
        assert read_config(settings).ratings == ("atcoder", "codeforces", "kattis", "leetcode")
        assert ended.out.startswith("9 solutions in main")
        assert list(tmp_path.iterdir()) == []


@pytest.mark.rule("SD-INIT-05")
class TestErrors:
    def test_an_existing_file_stays(self, practice: Path, tmp_path: Path) -> None:
        place = tmp_path / "site-data.toml"
        place.symlink_to(tmp_path / "nowhere")
        ended = run("init", practice, cwd=tmp_path)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == (
            "sitedata: site-data.toml exists: give --force to replace it, or -o FILE to write"
            " another file [output.exists]\n"
        )
        assert place.is_symlink()
        assert not place.exists()
        assert run("init", practice, "--force", cwd=tmp_path).code == 0
        assert read_config(place.read_bytes()).zone == "UTC"

    @pytest.mark.parametrize(
        ("name", "code", "words"),
        [
            ("missing", 3, "it does not exist [repository.missing]"),
            ("folder", 3, "it is not a git repository [repository.missing]"),
            ("empty", 3, "the repository has no commits [repository.empty]"),
            ("nothing", 1, 'write root = "kattis", or another platform, into'),
        ],
    )
    def test_there_is_one_error(self, name: str, code: int, words: str, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        git(tmp_path, "init", "--quiet", "--bare", "empty")
        repository(tmp_path / "nothing")
        ended = run("init", tmp_path / name, cwd=tmp_path)
        assert (ended.code, ended.out) == (code, "")
        assert words in ended.err
        assert ended.err.count("\n") == 1
        assert not (tmp_path / "site-data.toml").exists()


class TestListFiles:
    def test_a_folder_inside_a_work_tree_is_the_whole_repository(self, tmp_path: Path) -> None:
        script = Script((Commit(0, (Write(b"cf/4A.cpp"),)),))
        made = make(tmp_path / "leetcode", script, bare=False).path
        (made / "cf").mkdir()
        with opened(made / "cf") as found:
            assert (found.branch, found.folder, found.remote) == ("main", "leetcode", None)
            assert list_files(found) == (TreeFile(b"cf/4A.cpp"),)
