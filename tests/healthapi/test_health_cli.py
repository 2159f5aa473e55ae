"""The `healthapi` command: output, exit codes; real processes for signals and a terminal."""

import json
import os
import re
import shutil
import signal
from pathlib import Path

import pytest

from healthapi import limits
from healthapi.adapters.application import asgi_app
from healthapi.cli.main import main
from healthapi.keys import CHARTS, GRANULARITIES
from healthapi.rows.findings import MESSAGE_OF
from healthapi.snapshot import SNAPSHOT_FILE
from support.healthapi.health_folders import FILES, unprivileged, write, write_profile
from support.servers.commands import Ended, started
from support.servers.commands import run as run_module
from support.servers.servers import ask, serve_asgi

CLI = "healthapi.cli.main"
ROOT = "/api/public/v1"
EXAMPLES = Path(__file__).parents[2] / "examples" / "lifesnaps"
RHR = "csv/fitbit_rhr.csv"
SLEEP = "csv/fitbit_sleep.csv"
RANGES = (
    *(("limit", limits.POINTS_LIMIT), ("width", limits.CHART_WIDTH)),
    ("height", limits.CHART_HEIGHT),
)
ACTIVITY = "csv/fitbit_activity.csv"


def run(*arguments: object, cwd: Path | None = None) -> Ended:
    """Run the command to its end, on a terminal of 100 columns."""
    return run_module(*arguments, module=CLI, cwd=cwd, env={"COLUMNS": "100"})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with two profiles."""
    write_profile(tmp_path / "root" / "ada", 1)
    write_profile(tmp_path / "root" / "bob", 2)
    return tmp_path / "root"


class TestArguments:
    def test_the_help_begins_with_what_makes_a_folder_and_offers_no_single_choice(self) -> None:
        assert "\neveryday:\n    import " in run("--help").out
        assert "--profile" not in run("conformance", "--help").out

    @pytest.mark.parametrize(
        "command", [("check",), ("serve", "--port", "0"), ("chart", "ada"), ("page", "-o", "x")]
    )
    def test_a_folder_that_is_not_there_is_3(self, command: tuple[str, ...]) -> None:
        name, *others = command
        ended = run(name, "/no/such/folder", *others)
        assert (ended.code, ended.out) == (3, "")
        assert ended.err == "healthapi: cannot read /no/such/folder: it does not exist\n"


class TestCheck:
    def test_every_fault_has_its_place_its_words_and_its_rule(self, root: Path) -> None:
        write(root / "ada" / RHR, "date,resting_heart_rate\n2026-02-30,5\n2026-01-02,1_0\n\n")
        (root / "bob" / RHR).unlink()
        (root / "bob" / RHR).mkdir()
        ended = run("check", root)
        assert (ended.code, ended.err) == (1, "")
        lines = ended.out.splitlines()
        assert max(map(len, lines)) <= 100
        assert "\n".join(lines).replace("\n    ", " ").splitlines() == [
            f"ada/{RHR}:2 date: '2026-02-30': a date must be a day of the calendar [date.unreal]",
            f"ada/{RHR}:3 resting_heart_rate: '1_0': {MESSAGE_OF['number.form']} [number.form]",
            f"bob/{RHR}: must be a regular file in a folder of the profile [file.kind]",
            "2 profiles: 3 problems",
        ]

    def test_what_can_hardly_be_true_is_a_warning_and_missing_columns_are_one_line(
        self, root: Path
    ) -> None:
        write(root / "ada" / SLEEP, "date,isMainSleep,minutesAsleep\n2026-01-31,True,25200\n")
        write(root / "ada" / ACTIVITY, "date,steps\n2026-01-31,8.123\n2062-01-31,-1\n")
        ended = run("check", root)
        assert ended.code == 0
        text = ended.out.replace("\n    ", " ")
        message = MESSAGE_OF["minutes.range"]
        assert f"{SLEEP}:2 minutesAsleep: warning: '25200': {message} [minutes.range]" in text
        message = MESSAGE_OF["number.thousands"]
        assert f"{ACTIVITY}:2 steps: warning: '8.123': {message} [number.thousands]" in text
        message = MESSAGE_OF["steps.range"]
        assert f"{ACTIVITY}:3 steps: warning: '-1': {message} [steps.range]" in text
        assert (
            "ada/csv: warning: 1 day of activity in the future, up to 2062-01-31 [date.future]"
            in text
        )
        assert text.count("[column.missing]") == 2
        assert text.count("warning: ") == 6
        assert text.endswith("2 profiles: 6 warnings\n")
        assert max(map(len, ended.out.splitlines())) <= 100

    def test_a_folder_that_is_no_profile_is_a_warning_that_names_it(self, root: Path) -> None:
        write(root / "Bob Smith" / RHR, "date\n")
        (root / ".git").mkdir()
        (root / "link").symlink_to("ada")
        (root / "nowhere").symlink_to("none")
        (root / os.fsdecode(b"\xff")).mkdir()
        ended = run("check", root)
        assert ended.code == 0
        name, link, odd, number = ended.out.replace("\n    ", " ").splitlines()
        assert name.startswith("Bob Smith: warning: no profile id, so it is not read: rename it")
        assert link.startswith("link: warning: a link is not read: put the folder itself in")
        assert odd.startswith("?: warning: no profile id")
        assert number == "2 profiles: 3 warnings"
        first, *_ = json.loads(run("check", root, "--json").out)["findings"]
        assert (first["file"], first["rule"], first["line"]) == ("Bob Smith", "folder.name", None)

    def test_problems_that_are_alike_are_shown_a_few_times(self, root: Path) -> None:
        days = "".join(f"2026-01-0{day},5 000\n" for day in range(1, 9))
        for name in ("ada", "bob"):
            write(root / name / ACTIVITY, f"date,steps\n{days}")
        text = run("check", root).out.replace("\n    ", " ")
        assert (text.count(": '5 000': "), text.count("[column.missing]")) == (6, 1)
        assert text.count(f"{ACTIVITY}: and 5 more [number.form] (--json has all)\n") == 2
        assert text.count("; with decimal") == 2
        assert f"\nada/{ACTIVITY}: warning: the header lacks 9 columns: " in text
        assert "; so does that of bob [column.missing]\n" in text
        assert text.endswith("\n2 profiles: 16 problems, 2 warnings\n")

    def test_a_table_that_cannot_be_read_hides_no_other(self, root: Path) -> None:
        write(root / "ada" / RHR, "datum,resting_heart_rate\n2026-01-31,50\n")
        (root / "ada" / ACTIVITY).unlink()
        (root / "ada" / ACTIVITY).mkdir()
        write(root / "ada" / SLEEP, "date,isMainSleep\nx,True\n")
        ended = run("check", root, "--json")
        found = {(one["file"], one["rule"]) for one in json.loads(ended.out)["findings"]}
        assert {(RHR, "file.header"), (ACTIVITY, "file.kind"), (SLEEP, "date.form")} <= found
        write(root / "ada" / "columns.toml", "[")
        ended = run("check", root)
        assert ended.code == 1
        assert ended.out.startswith("ada/columns.toml")
        assert ended.out.endswith("1 problem\ntheir other files are not checked: ada\n")

    def test_as_json(self, root: Path) -> None:
        write(root / "ada" / RHR, "date,resting_heart_rate\n2026-02-30,5\n")
        (root / "nil").mkdir()
        ended = run("check", root, "--json")
        assert (ended.code, ended.err) == (1, "")
        assert json.loads(ended.out) == {
            "profiles": ["ada", "bob", "nil"],
            "empty": ["nil"],
            "unchecked": [],
            "findings": [
                {
                    "profile": "ada",
                    "file": RHR,
                    "line": 2,
                    "column": "date",
                    "rule": "date.unreal",
                    "message": "a date must be a day of the calendar",
                    "text": "2026-02-30",
                }
            ],
            "unlisted": 0,
            "removed": {},
            "expected": [],
        }

    def test_what_the_snapshot_loses_is_told_by_name_and_number(self, root: Path) -> None:
        value = {"endpoints": {"a": {"data": {"mac": "x1y2", "url": "https://k.example"}}}}
        write(root / "ada" / SNAPSHOT_FILE, json.dumps(value))
        ended = run("check", root)
        assert ended.code == 0
        assert "ada: members removed from the snapshot: mac 1\n" in ended.out
        assert "ada: texts removed from the snapshot: url 1\n" in ended.out
        assert "x1y2" not in ended.out
        told = json.loads(run("check", root, "--json").out)["removed"]
        assert told == {"ada": {"members": {"mac": 1}, "texts": {"url": 1}}}
        write(root / "ada" / SNAPSHOT_FILE, json.dumps({"endpoints": {}, "pin": 1}))
        assert "ada: texts removed from the snapshot: none\n" in run("check", root).out

    def test_skipped_entries_of_the_snapshot_are_reported(self, root: Path) -> None:
        write(root / "ada" / SNAPSHOT_FILE, '{"endpoints": {"a": [], "b": {}, "c": 7, "d": null}}')
        ended = run("check", root)
        assert ended.code == 1
        assert "snapshot.entry" in ended.out
        assert ended.out.endswith("2 profiles: 1 problem, and 2 more of the same files\n")

    def test_a_problem_of_several_datasets_is_listed_once(self, tmp_path: Path) -> None:
        shutil.copytree(EXAMPLES, tmp_path / "root")
        person = tmp_path / "root" / "person-2" / "csv" / "person.csv"
        person.write_text(person.read_text() + "2021-02-30" + ",1" * 20 + "\n")
        ended = run("check", tmp_path / "root")
        assert ended.code == 1
        assert ended.out.count("date.unreal") == 1

    def test_profiles_without_any_data_are_named(self, tmp_path: Path) -> None:
        shutil.copytree(EXAMPLES / "person-1", tmp_path / "root" / "person-1")
        ended = run("check", tmp_path / "root")
        assert ended.code == 1
        assert "without any data: person-1\n" in ended.out
        shutil.copytree(EXAMPLES / "person-2", tmp_path / "root" / "ada")
        write_profile(tmp_path / "root" / "bob")
        ended = run("check", tmp_path / "root")
        assert (ended.code, ended.out) == (
            0,
            "3 profiles: no problems\nwithout any data: ada, person-1\n",
        )

    @pytest.mark.parametrize("kind", ["other folders", "flat tables"])
    def test_a_folder_without_profiles_is_1_and_lists_expected_files(
        self, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        if kind == "other folders":
            (tmp_path / "music" / "old").mkdir(parents=True)
        if kind == "flat tables":
            write(tmp_path / "fitbit_sleep.csv", "date,logId\n2026-01-31,1\n")
        assert main(["check", str(tmp_path)]) == 1
        out = capsys.readouterr().out
        joined = out.replace("\n    ", " ")
        assert joined.startswith(f"{tmp_path} has no profile with data")
        assert "[folder.profiles]" in joined
        assert ("move fitbit_sleep.csv to csv/ of a profile" in joined) is (kind == "flat tables")
        for name in (*FILES, SNAPSHOT_FILE):
            assert f"  {tmp_path}/<profile id>/{name}\n" in out
        assert main(["check", str(tmp_path), "--json"]) == 1
        report = json.loads(capsys.readouterr().out)
        assert [finding["rule"] for finding in report["findings"]] == ["folder.profiles"]
        assert f"{tmp_path}/<profile id>/{RHR}" in report["expected"]

    @pytest.mark.parametrize("command", [("check",), ("serve",), ("page", "-o", "site")])
    def test_a_profile_itself_names_the_remedy(self, root: Path, command: tuple[str, ...]) -> None:
        shutil.rmtree(root / "bob")
        write(root / "bob" / "csv" / "of-another-producer.csv", "day\n")
        for name in ("ada", "bob"):
            ended = run(*command, root / name)
            assert (ended.code, ended.out) == (2, "")
            assert f"{name} is a profile: give the folder that holds it" in ended.err

    def test_a_column_map(self, tmp_path: Path) -> None:
        shutil.copytree(EXAMPLES / "person-1", tmp_path / "root" / "person-1")
        ended = run("check", tmp_path / "root", "--columns", EXAMPLES / "columns.toml")
        assert (ended.code, ended.out) == (0, "1 profile: no problems\n")

    def test_a_column_map_that_cannot_be_used(self, root: Path, tmp_path: Path) -> None:
        faulty = tmp_path / "my map.toml"
        faulty.write_text("[sleep]\nfile = 'a/b'\n[x]")
        ended = run("check", root, "--columns", faulty)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.replace(f"{faulty}:", "").splitlines() == [
            "1 /sleep/columns: must be present [required]",
            "2 /sleep/file: must be the plain name of a file below csv/ [columns.file]",
            "3 /x: is not a setting; there are activity, sleep, hrv, rhr [unknown]",
        ]
        ended = run("check", root, "--columns", tmp_path / "none")
        assert ended.code == 3
        assert f"cannot read {tmp_path / 'none'}: it does not exist" in ended.err
        faulty.write_text(" " * 70_000)
        ended = run("check", root, "--columns", faulty)
        assert (ended.code, "has more than the 65536 bytes" in ended.err) == (3, True)

    def test_an_unreadable_file_is_3(self, capsys: pytest.CaptureFixture[str]) -> None:
        with unprivileged() as folder:  # where no interpreter may be started
            write_profile(folder / "ada")
            (folder / "ada" / RHR).chmod(0)
            assert main(["check", str(folder)]) == 3
            assert "file.unreadable" in capsys.readouterr().out
            for command in (["chart", str(folder), "ada"], ["page", str(folder), "-o", "site"]):
                assert main(command) == 3
                assert "file.unreadable" in capsys.readouterr().err


class TestChart:
    @pytest.mark.parametrize(
        ("options", "title"),
        [
            (("--preset", "sleep-trend", "--width", "400", "--height", "240"), "Sleep"),
            (("--granularity", "monthly", "--metrics", "days"), "Days with data"),
            (("--limit", "30", "--theme", "transparent"), "Overview"),
            (("--granularity", "weekly"), "Overview by week"),
            (("--metrics", "steps,steps"), "Steps by day"),
        ],
    )
    def test_it_is_drawn_as_the_service_draws_it(
        self, tmp_path: Path, options: tuple[str, ...], title: str
    ) -> None:
        path = tmp_path / "out.svg"
        ended = run("chart", EXAMPLES, "person-1", *options, "-o", path)
        assert (ended.code, ended.out, ended.err) == (0, "", "")
        given = dict(zip(options[::2], options[1::2], strict=True))
        preset = given.pop("--preset", "overview-trend" if "Overview" in title else "series")
        query = "&".join(f"{name[2:]}={value}" for name, value in given.items())
        with serve_asgi(asgi_app(EXAMPLES)) as base_url:
            chart = f"{ROOT}/profiles/person-1/charts/{preset}.svg?{query}"
            assert ask(base_url, "GET", chart).body == path.read_bytes()
        assert title in path.read_text()

    @pytest.mark.parametrize(
        ("option", "value", "words"),
        [
            ("--preset", "x", f"invalid choice 'x' (choose from {', '.join(CHARTS)})\n"),
            ("--granularity", "h", f"invalid choice 'h' (choose from {', '.join(GRANULARITIES)})"),
            ("--metrics", "steps,x", "invalid choice 'x' (choose from active_minutes, "),
            *(
                (f"--{name}", "0", f"0 is not between {of.minimum} and {of.maximum}")
                for name, of in RANGES
            ),
        ],
    )
    def test_unknown_choices_are_wrong_usage(self, option: str, value: str, words: str) -> None:
        ended = run("chart", EXAMPLES, "person-1", option, value)
        assert (ended.code, ended.out) == (2, "")
        assert f"{option}: {words}" in ended.err

    def test_an_image_without_values_is_told(self, tmp_path: Path, root: Path) -> None:
        path = tmp_path / "out.svg"
        (root / "ada" / ACTIVITY).unlink()
        ended = run("chart", root, "ada", "--metrics", "steps", "-o", path)
        message = "warning: ada has no values of steps, only of hrv, minutes_asleep, "
        assert (ended.code, ended.out, ended.err.startswith(message)) == (0, "", True), ended
        assert "There are no values to show." in path.read_text()

    @pytest.mark.parametrize("name", ["none", ".."])
    def test_a_profile_that_is_not_there_is_wrong_usage(self, name: str) -> None:
        ended = run("chart", EXAMPLES, name)
        choices = "(choose from person-1, person-2, person-3)"
        message = f"healthapi: PROFILE: invalid choice {name!r} {choices}\n"
        assert (ended.code, ended.err) == (2, message)


@pytest.mark.check
class TestServe:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_it_serves_until_a_signal(self, number: signal.Signals) -> None:
        with started("serve", EXAMPLES, "--port", "0", module=CLI) as running:
            url = running.wait_for(r"http://127.0.0.1:\d+(?=/api/public/v1/docs\n)")
            assert b"All people" in ask(url, "GET", "/person-1/").body
            running.wait_for("3 profiles\n")
            profiles = json.loads(ask(url, "GET", f"{ROOT}/profiles").body)["data"]["profiles"]
            assert [each["id"] for each in profiles] == ["person-1", "person-2", "person-3"]
            ended = running.stop(number)
        assert (ended.code, ended.err) == (0, "")

    def test_unreadable_profiles_are_reported(self, root: Path) -> None:
        (root / "ada" / RHR).unlink()
        (root / "ada" / RHR).mkdir()
        with started("serve", root, "--port", "0", module=CLI) as running:
            running.wait_for("2 profiles, 1 of them unreadable; to see all problems:\n")
            ended = running.stop(signal.SIGTERM)
        assert re.fullmatch(rf"ada/{RHR}: must be a regular file .*\[file\.kind\]\n", ended.err)

    def test_it_says_that_values_are_left_out(self, root: Path) -> None:
        write(root / "ada" / RHR, "date,resting_heart_rate\nx,1\n")
        with started("serve", root, "--port", "0", module=CLI) as running:
            running.wait_for("2 profiles\n")
            ended = running.stop(signal.SIGTERM)
        assert ended.err.startswith("warning: rows or values are left out; to see all")
        assert ended.err.endswith(f":\n    healthapi check {root}\n")

    def test_an_empty_folder_is_served(self, tmp_path: Path) -> None:
        with started("serve", tmp_path, "--port", "0", module=CLI) as running:
            url = running.wait_for(r"http://127.0.0.1:\d+")
            running.wait_for("0 profiles\n")
            write_profile(tmp_path / "ada")
            assert ask(url, "GET", f"{ROOT}/profiles/ada").status == 200
            ended = running.stop(signal.SIGTERM)
        assert ended.err.startswith(f"warning: {tmp_path} has no profile with data; ")
