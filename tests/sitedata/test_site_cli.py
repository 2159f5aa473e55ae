"""The `sitedata` command: output and exit codes; real processes for signals and encodings."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sitedata import calendar_of, heatmap, parse
from sitedata.adapters.application import asgi_app
from sitedata.cli.main import main
from status_contracts.structuring.converter import unstructure
from support.servers.commands import Ended, environment, run_on_terminal, started
from support.servers.commands import run as run_module
from support.servers.servers import ask, serve_asgi
from support.sitedata.git_repositories import CONFIG, ImportedScript, make, shallow_clone
from support.sitedata.repositories import Commit, Rename, Script, Write
from support.sitedata.site_examples import plain, problem

CLI = "sitedata.cli.main"
PATH = "/data/site-data.json"
PLAIN = plain(
    repository={"owner": "ada", "name": "practice", "branch": "main"},
    generatedAt="2026-01-31T12:00:00.000Z",
    commitCount=4,
    contributions={"2026-01-15": 1, "2026-01-31": 3},
    problems=[
        unstructure(problem(f"{platform}/{title}.py", time, title=title, language=language))
        for platform, title, language, time in (
            ("kattis", "hello", "Python", "2026-01-15T08:00:00+01:00"),
            ("kattis", "later", "Python", "2026-01-31T23:30:00-08:00"),
            ("cses", "1068", "C++", None),
        )
    ],
    ratings={"kattis": None},
)


def run(*arguments: object, **settings: Any) -> Ended:
    """Run the command until it exits."""
    return run_module(*arguments, module=CLI, **settings)


def body(**members: Any) -> bytes:
    return json.dumps(PLAIN | members).encode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "site-data.json"
    place.write_bytes(body())
    return place


@pytest.fixture(scope="class")
def made(tmp_path_factory: pytest.TempPathFactory) -> ImportedScript:
    """A repository in which one commit renames everything."""
    script = Script(
        (
            Commit(1_767_225_600, (Write(b"cf/4A.cpp"), Write(b"README.md")), offset=60),
            Commit(1_767_312_000, (Write(b"kattis/hello.py"),), offset=-480),
            Commit(1_767_398_400, (Rename(b"cf", b"codeforces"),)),
        )
    )
    return make(tmp_path_factory.mktemp("made") / "repository", script)


@pytest.mark.rule("SD-FILE-03")
class TestBuild:
    @pytest.fixture
    def config(self, tmp_path: Path) -> Path:
        place = tmp_path / "site-data.toml"
        place.write_text(CONFIG)
        return place

    def test_without_a_problem_each_rule_says_what_it_left_out(self, tmp_path: Path) -> None:
        names = (
            *(f"scripts/{n}.py" for n in "abc"),
            *(f"{n}/x.md" for n in "opqrstu"),
            "tools/a.py",
            "a.py",
        )
        commit = Commit(1_767_225_600, tuple(Write(name.encode()) for name in names))
        path = make(tmp_path / "r", Script((commit,))).path
        result = run("build", path, "--owner", "ada", "--name", "p")
        assert result.code == 0
        assert result.err == (
            "standard output: 0 solutions, 12 files left out\n"
            "  7 [language.unknown]: each has no extension of a known language"
            " (o 1, p 1, q 1, r 1, s 1, 2 other folders 2)\n"
            "  4 [path.ignored]: each is in an ignored folder, or has an ignored name: see [ignore]"
            " of the settings (scripts 3, tools 1)\n"
            "  1 [path.root]: each is in the root of the repository: list it by root = 'PLATFORM'"
            " in the settings\n"
            "warning: the snapshot is empty: no file in a folder is a solution\n"
        )
        place = tmp_path / "o.json"
        result = run("build", path, "--owner", "ada", "--name", "p", "--strict", "-o", place)
        assert (result.code, place.exists()) == (1, False)
        assert result.err.startswith("not written: 0 solutions, 12 files left out\n")
        assert result.err.endswith("nothing is written with --strict: the snapshot is empty\n")

    def test_a_shallow_clone_names_the_remedy_and_is_refused_if_strict(
        self, made: ImportedScript, config: Path, tmp_path: Path
    ) -> None:
        clone = shallow_clone(made, tmp_path / "shallow", "--depth=1").path
        remedy = "run git fetch --unshallow, or clone with fetch-depth: 0 in a workflow"
        for strict, code in (((), 0), (("--strict",), 1)):
            place = tmp_path / "o.json"
            result = run("build", clone, "--config", config, "-o", place, *strict)
            assert (result.code, place.exists()) == (code, code == 0)
            assert remedy in result.err
            place.unlink(missing_ok=True)
        assert remedy in run("init", clone, "--dry-run").err
        whole = run("build", made.path, "--config", config, "-o", place, "--strict")
        assert (whole.code, place.exists()) == (0, True)

    @pytest.mark.parametrize(
        ("earlier", "more", "is_kept"),
        [
            (b'"generatedAt":"2026-01-01T00:00:00.000Z"', (), True),
            (b'"generatedAt":"2026-01-01T00:00:00.000Z"', ("--force",), False),
            (b'"generatedAt":"2026-01-01T00:00:00.000Z"', ("--name", "other"), False),
            (b'"generatedAt":"yesterday"', (), False),
            (b'"generatedAt":"2026-02-31T00:00:00.000Z"', (), False),
            (b'"generatedAt": "2026-01-01T00:00:00.000Z"', (), False),
        ],
        ids=["equal", "forced", "other-name", "invalid", "no-day", "other-text"],
    )
    def test_a_file_that_differs_in_its_time_alone_stays(
        self,
        earlier: bytes,
        more: tuple[str, ...],
        is_kept: bool,
        made: ImportedScript,
        config: Path,
        tmp_path: Path,
    ) -> None:
        place = tmp_path / "out.json"
        assert run("build", made.path, "--config", config, "-o", place).code == 0
        text = re.sub(rb'"generatedAt":"[^"]*"', earlier, place.read_bytes())
        place.write_bytes(text)
        os.utime(place, (1, 1))
        result = run("build", made.path, "--config", config, "-o", place, *more)
        assert result.code == 0
        assert (place.read_bytes() == text) == (place.stat().st_mtime == 1) == is_kept
        assert (f"{place} stays: only the time of the build differs" in result.err) == is_kept

    @pytest.mark.parametrize(
        ("text", "written"),
        [("1767225600", "2026-01-01T00:00:00.000Z"), ("0", "1970-01-01T00:00:00.000Z")],
    )
    def test_the_time_of_the_build_can_be_set(
        self, text: str, written: str, made: ImportedScript, config: Path
    ) -> None:
        told = {"SOURCE_DATE_EPOCH": text}
        result = run("build", made.path, "--config", config, env=told)
        assert f'"generatedAt":"{written}"' in result.out

    @pytest.mark.parametrize("text", ["1.5", "-1", "now", "1767225600000", "\u0661", "1767225"])
    def test_a_time_of_the_build_that_is_none_is_refused(
        self, text: str, made: ImportedScript, config: Path
    ) -> None:
        told = {"SOURCE_DATE_EPOCH": text}
        result = run("build", made.path, "--config", config, env=told)
        assert (result.code, result.out) == (2, "")
        assert "it must be whole seconds since 1970" in result.err

    def test_dates_are_those_of_the_settings(self, made: ImportedScript, config: Path) -> None:
        """The commit that renamed the file is ignored."""
        config.write_text(f'dates = "first-added"\n{CONFIG}')
        result = run("build", made.path, "--config", config)
        (moved, _) = parse(result.out.encode()).problems
        assert moved.submitted_at == "2026-01-01T01:00:00+01:00"

    @pytest.mark.parametrize(
        ("text", "code", "words"),
        [
            ('zone = "Mars/Olympus"', 3, "use a name such as Europe/Berlin"),
            ('zone = "../x"', 2, "zone"),
            (None, 3, "cannot read "),
            ("a FIFO", 3, "/site-data.toml: it is not a regular file\n"),
        ],
    )
    def test_errors_are_reported_before_any_output(
        self, text: str | None, code: int, words: str, made: ImportedScript, config: Path
    ) -> None:
        config.write_text(f"{text}\n{CONFIG}")
        if text in {None, "a FIFO"}:
            config.unlink()
        if text == "a FIFO":
            os.mkfifo(config)
        result = run("build", made.path, "--config", config)
        assert (result.code, result.out) == (code, "")
        assert words in result.err

    def test_without_a_name_it_names_the_option(
        self, made: ImportedScript, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["build", str(made.path)]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith("sitedata: --owner OWNER and --name NAME must be given, because no ")
        assert err.count("\n") == 1

    def test_owner_and_name_can_be_set(
        self, made: ImportedScript, config: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """They override the settings file."""
        out = tmp_path / "out.json"
        for more, expected in (
            (("--owner", "a/b", "--name", "c"), "https://github.com/a/b/c/blob/"),
            (("--config", str(config), "--name", "c"), "https://github.com/ada/c/blob/"),
        ):
            assert main(["build", str(made.path), "-o", str(out), *more]) == 0
            assert parse(out.read_bytes()).problems[0].github_url.startswith(expected)
        capfd.readouterr()
        for option, value in (("--owner", "a//b"), ("--name", "a/b"), ("--name", "..")):
            assert main(["build", str(made.path), "--config", str(config), option, value]) == 2
            assert f"sitedata: {option} must be" in capfd.readouterr().err


class TestCheck:
    def test_a_valid_file_has_no_findings(self, file: Path) -> None:
        result = run("check", file, "--strict")
        assert (result.code, result.err) == (0, "")
        assert (
            result.out.replace("\n    ", " ")
            == f"{file}: a valid snapshot of 3 solved problems: 0 warnings\n"
        )

    def test_every_error_is_reported(self, file: Path) -> None:
        file.write_bytes(body(commitCount=-1, contributions={"2026-02-30": 1}))
        result = run("check", file)
        assert result.code == 1
        number, day, total = result.out.replace("\n    ", " ").splitlines()
        assert number == f"{file}:1 /commitCount: -1: must be 0 or more [number.range]"
        assert day.startswith(f"{file}:1 /contributions/2026-02-30: must be ")
        assert day.endswith(" [date.real]")
        assert total == f"{file}: not a valid snapshot: 2 problems"
        words = f"{total}: to list them, run\n    sitedata check {file}"
        assert run("show", file).err == f"sitedata: {words}\n"

    def test_a_url_is_fetched(self) -> None:
        with serve_asgi(asgi_app(parse(body()))) as url:
            address = f"{url.rstrip('/')}{PATH}"
            result = run("check", address, "--allow-http")
        expected = f"{address}: a valid snapshot of 3 solved problems: 0 warnings\n"
        assert (result.code, result.out.replace("\n    ", " ")) == (0, expected)

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (("check", "-"), "standard input: a valid snapshot of 3 solved problems: 0 warnings\n"),
            (("show", "-"), "\n\n3 problems, 1 of them without a time\n"),
            (("page", "-", "-o", "site"), "index.html: 3 problems\n"),
        ],
    )
    def test_a_snapshot_may_come_by_the_standard_input(
        self, tmp_path: Path, options: tuple[str, ...], words: str
    ) -> None:
        result = run(*options, stdin=body(), cwd=tmp_path)
        assert (result.code, result.err) == (0, "")
        assert words in result.out
        result = run(*options, stdin=b"[]", cwd=tmp_path)
        assert result.code == 1
        assert "standard input: " in result.out + result.err


class TestShow:
    def test_problems_and_counts(self, file: Path) -> None:
        result = run("show", file, env={"PYTHONIOENCODING": "utf-8"})
        assert (result.code, result.err) == (0, "")
        lines = result.out.splitlines()
        assert lines[0] == "ada/practice at main, built 31 Jan 2026 12:00 UTC"
        assert [line.split()[-1] for line in lines[3:6]] == ["later", "hello", "1068"]
        assert "3 problems, 1 of them without a time" in lines
        assert "platforms: Kattis 2, CSES 1" in lines
        assert "\033" not in result.out

    def test_a_wide_terminal_has_the_calendar_of_twelve_months(self, file: Path) -> None:
        code, shown = run_on_terminal("show", file, module=CLI)
        assert f"Mon  \x1b[32m{'·' * 52}\x1b[0m" in shown
        plain = re.sub("\x1b" r"\[\d*m", "", shown)
        *_, total, months, monday, _, _, thursday, _, saturday, _, legend = plain.splitlines()
        assert (code, total) == (0, "4 contributions on 2 days in the twelve months to 31 Jan 2026")
        assert " ".join(months.split()) == "Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Jan"
        assert (monday, thursday) == (f"Mon  {'·' * 52}", f"     {'·' * 49}░··")
        assert (saturday, legend) == (f"    {'·' * 52}█", "    · none  ░ 1  █ 2 or more")
        for columns in (59, 60):
            _, shown = run_on_terminal("show", file, module=CLI, columns=columns)
            assert ("Mon  \x1b[32m" in shown) == (columns == 60)

    @pytest.mark.parametrize(("columns", "place"), [("200", "    "), ("40", "\n    ")])
    def test_a_long_title_is_whole(self, file: Path, columns: str, place: str) -> None:
        words = " ".join(["title"] * 20)
        file.write_bytes(body(problems=[PLAIN["problems"][0] | {"title": words}]))
        out = run("show", file, env={"COLUMNS": columns}).out
        assert re.search(f"Python{place}title", out)
        assert out.count("title") == 1 + 20
        assert max(map(len, out.splitlines())) <= int(columns)

    def test_filters_and_limit(self, file: Path) -> None:
        result = run("show", file, "--platform", "Katt\uff49s", "--limit", 1)
        assert "later" in result.out
        assert "hello" not in result.out
        assert "and 1 more (--limit 0 shows all)" in result.out
        assert "--limit: -1 is not 0 or more" in run("show", file, "--limit", -1).err
        assert "\n2 problems\n" in result.out
        fifth = {"platform": "projecteuler", "submittedAt": "2026-02-05T12:00:00Z"}
        file.write_bytes(body(problems=[PLAIN["problems"][0] | fifth]))
        assert "\n 5 Feb 2026 12:00  Project" in run("show", file).out
        assert "\n1 problem\n" in run("show", file, "--platform", "Project euler").out

    def test_an_unknown_platform_or_language_is_a_usage_error_with_the_known_ones(
        self, file: Path
    ) -> None:
        result = run("show", file, "--platform", "cses", "--platform", "Katis")
        assert (result.code, result.out) == (2, "")
        assert result.err == (
            "sitedata: --platform: invalid choice 'Katis'; did you mean 'kattis'?"
            " (choose from cses, kattis)\n"
        )
        result = run("show", file, "--language", "Cobol", "--json")
        assert (result.code, result.out) == (2, "")
        assert result.err == (
            "sitedata: --language: invalid choice 'Cobol' (choose from C++, Python)\n"
        )

    def test_json_is_one_document(self, file: Path) -> None:
        result = run("show", file, "--json", "--platform", "kattis", "--limit", "1")
        assert (result.code, result.err) == (0, "")
        assert json.loads(result.out) == {
            "repository": PLAIN["repository"],
            "sourceRef": "main",
            "generatedAt": "2026-01-31T12:00:00.000Z",
            "groupedBy": "platform",
            "counts": {
                "total": 2,
                "files": 2,
                "undated": 0,
                "platforms": {"kattis": 2},
                "sites": {"judge.example": 2},
                "languages": {"Python": 2},
            },
            "problems": [
                PLAIN["problems"][1]
                | {"site": "judge.example", "languages": ["Python"], "paths": ["kattis/later.py"]}
            ],
            "calendar": {"counted": "problems", "days": {"2026-01-15": 1, "2026-01-31": 1}},
        }

    def test_the_image_is_written_if_the_reader_of_the_text_is_gone(
        self, file: Path, tmp_path: Path
    ) -> None:
        image = tmp_path / "calendar.svg"
        reading, writing = os.pipe()
        os.close(reading)
        options = ("--svg", str(image), "--theme", "dark")
        command = [sys.executable, "-m", CLI, "show", str(file), *options]
        done = subprocess.run(
            command, stdout=writing, stderr=subprocess.PIPE, env=environment(), check=False
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (141, b"")
        calendar = calendar_of(parse(file.read_bytes()))
        assert image.read_bytes() == heatmap(calendar, theme="dark")

    def test_folders_of_languages_are_grouped_by_site(self, file: Path) -> None:
        """One problem is in two languages, so it is one row with both."""
        problems = [
            PLAIN["problems"][0]
            | {"path": f"{folder}/two-sum", "platform": folder, "language": language}
            | {"problemUrl": "https://leetcode.com/problems/two-sum/"}
            for folder, language in (("python", "Python"), ("cpp", "C++"))
        ]
        file.write_bytes(body(problems=[*problems, PLAIN["problems"][2]]))
        summary = ": a valid snapshot of 2 solved problems in 3 files: "
        assert summary in run("check", file).out.replace("\n    ", " ")
        out = run("show", file).out
        assert re.search(r"^submitted +site +language +title$", out, re.MULTILINE)
        assert re.search(r" leetcode\.com +C\+\+, Python +hello$", out, re.MULTILINE)
        assert "2 problems in 3 files, 1 of them without a time" in out
        assert "sites: judge.example 1, leetcode.com 1\nlanguages: C++ 2, Python 1" in out

    def test_filters_choose_what_the_image_counts(self, file: Path, tmp_path: Path) -> None:
        """Commits have no platform, so problems are counted, each on the day in its text."""
        image = tmp_path / "calendar.svg"
        for options, line in (
            ((), "4 contributions on 2 days in the twelve months to 5 Feb 2026"),
            (("--platform", "kattis"), "2 problems on 2 days in the twelve months to 5 Feb 2026"),
            (("--language", "Python", "--text", "HELLO"), "1 problem on 1 day in the twelve mont"),
        ):
            file.write_bytes(body(generatedAt="2026-02-05T12:00:00.000Z"))
            assert main(["show", str(file), "--svg", str(image), *options]) == 0
            assert line in image.read_text()
            title = "Problems" if options else "Contributions"
            assert f">{title}<" in image.read_text()


class TestServe:
    def test_the_file_is_served_and_followed(self, file: Path) -> None:
        with started("serve", file, "--port", 0, module=CLI) as process:
            url = process.wait_for(r"http://[^ ]+\.json").removesuffix(PATH)
            assert json.loads(ask(url, "GET", PATH).body) == PLAIN
            assert b'<p class="value">3</p>' in ask(url, "GET", "/").body
            file.write_bytes(body(sourceRef="other"))
            assert json.loads(ask(url, "GET", PATH).body)["sourceRef"] == "other"
            assert process.stop(signal.SIGINT).code == 0

    def test_the_standard_input_is_no_file_to_follow(self) -> None:
        problem = "sitedata: the standard input cannot be read again: give a file\n"
        assert run("serve", "-", "--port", 0) == Ended(2, "", problem)

    def test_without_a_snapshot_it_does_not_start(self, file: Path) -> None:
        file.write_bytes(b"[]")
        result = run("serve", file, "--port", 0)
        assert (result.code, result.out) == (1, "")
        kind = f"{file}: a JSON array: expected a snapshot, as sitedata build writes it"
        assert result.err == f"sitedata: {kind}\n"
        file.unlink()
        result = run("serve", file, "--port", 0)
        assert result == Ended(3, "", f"sitedata: cannot read {file}: it does not exist\n")


@pytest.mark.rule("SD-CLIENT-13", "SD-CLIENT-16")
class TestFetch:
    def fetch(self, url: str, output: Path, *more: str) -> int:
        return main(["fetch", url, "-o", str(output), "--allow-http", *more])

    def test_the_state_is_beside_the_output(
        self, file: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        got = tmp_path / "got.json"
        with serve_asgi(asgi_app(str(file))) as url:
            place = f"{url.rstrip('/')}{PATH}"
            assert self.fetch(place, got) == 0
            assert (tmp_path / "got.json.state").exists()
            assert capfd.readouterr().out == "a new snapshot\n"
            assert self.fetch(place, got, "--json") == 0
            assert json.loads(capfd.readouterr().out)["outcome"] == "not-due"
            assert main(["fetch", place, "-o", str(got)]) == 2
            assert "plain HTTP needs --allow-http" in capfd.readouterr().err
            for change in (got.unlink, lambda: got.write_text("other")):
                change()
                assert self.fetch(place, got) == 0
                assert capfd.readouterr().out.startswith("not requested")
                assert json.loads(got.read_bytes()) == PLAIN

    def test_a_failure_leaves_the_file_as_it_is(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        got = tmp_path / "got.json"
        got.write_text("mine")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            place = f"http://127.0.0.1:{listener.getsockname()[1]}{PATH}"
        assert self.fetch(place, got) == 3
        assert (got.read_text(), [*tmp_path.iterdir()]) == ("mine", [got])
        reason = "no response (the service cannot be reached"
        assert capfd.readouterr().err.startswith(f"sitedata: cannot fetch {place}: {reason}")

    def test_a_device_has_no_state_beside_it(self, file: Path, tmp_path: Path) -> None:
        pipe = tmp_path / "out"
        pipe.symlink_to("/dev/null")
        with serve_asgi(asgi_app(str(file))) as url:
            assert self.fetch(f"{url.rstrip('/')}{PATH}", pipe) == 0
        assert not (tmp_path / "out.state").exists()
