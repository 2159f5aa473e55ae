"""`healthapi import`: the command on scripted archives, its report and its errors."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from health_import.gaps import encode_report
from health_import.tables import COLUMNS
from healthapi.adapters.folder import FolderSource
from healthapi.omissions import REPORT_BYTES, REPORT_FILE, Codes, Reasons, parse_report
from healthapi.snapshot import SNAPSHOT_FILE
from support.health_import.exports import NIGHT_STAGES, Export, GoogleSleep, sleep_record
from support.healthapi.health_folders import unprivileged
from support.servers.commands import Ended
from support.servers.commands import run as run_module

CLI = "healthapi.cli.main"
SLEEP = "csv/fitbit_sleep.csv"
INTERRUPTED = """
import sys
from healthapi.cli.main import main
left = {renames}
def interrupt(event, _):
    global left
    if event == "os.rename":
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
sys.addaudithook(interrupt)
sys.exit(main(sys.argv[1:]))
"""
"""A program that is interrupted, as by Ctrl-C, after so many files were replaced."""


def run(*arguments: object, cwd: Path | None = None) -> Ended:
    """Run the command to its end."""
    return run_module(*arguments, module=CLI, cwd=cwd)


def export_of(*days: str, efficiency: int = 93) -> Export:
    """Return an archive with all levels of activity and a night for each day."""
    export = Export()
    export.levels(dict.fromkeys(days, (800, 200, 20, 10)), days[0])
    export.sleeps(
        *(sleep_record(day, int(day.replace("-", "")), efficiency=efficiency) for day in days),
        name=days[0],
    )
    return export


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with two days."""
    return export_of("2024-07-21", "2024-07-22").zip(tmp_path / "takeout.zip")


def content(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


class TestImport:
    def test_the_tables_are_a_profile(self, archive: Path, tmp_path: Path) -> None:
        ended = run("import", archive, "-o", tmp_path / "people" / "ada")
        assert (ended.code, ended.err) == (0, "")
        assert sorted(content(tmp_path / "people")) == [
            *(f"ada/csv/fitbit_{name}.csv" for name in ("activity", "hrv", "rhr", "sleep")),
            "ada/import-report.json",
        ]
        assert run("check", tmp_path / "people").out == "1 profile: no problems\n"
        profile = FolderSource(tmp_path / "people").profile("ada")
        assert [row.active_minutes for row in profile.activity] == [230, 230]
        assert [row.minutes_deep for row in profile.sleep] == [80, 80]
        assert [row.is_main_sleep for row in profile.sleep] == [True, True]

    def test_a_new_table_is_its_owners_and_one_that_was_opened_stays_so(
        self, tmp_path: Path
    ) -> None:
        """Invariant *private*: `chmod` opens a table for good."""

        def modes() -> set[int]:
            return {path.stat().st_mode & 0o777 for path in tables}

        folder, days = tmp_path / "ada", ["2024-07-21", "2024-07-22"]
        for opened in (0o600, 0o644):
            run("import", export_of(*days).zip(tmp_path / "takeout.zip"), "-o", folder)
            tables = [folder / "csv" / f"fitbit_{name}.csv" for name in ("activity", "sleep")]
            assert modes() == {opened}
            for path in tables:
                path.chmod(0o644)
            days.append("2024-07-23")
        assert (folder / "import-report.json").stat().st_mode & 0o777 == 0o600

    def test_the_same_again_changes_no_byte_and_no_file(
        self, archive: Path, tmp_path: Path
    ) -> None:
        folder = tmp_path / "ada"
        run("import", archive, "-o", folder)
        before = content(folder)
        times = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        assert run("import", archive, "-o", folder).code == 0
        assert content(folder) == before
        assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == times

    @pytest.mark.parametrize("renames", [0, 1, 2])
    def test_an_import_that_is_interrupted_between_two_renames_is_completed_by_the_next(
        self, archive: Path, tmp_path: Path, renames: int
    ) -> None:
        newer = export_of("2024-07-22", "2024-07-23", efficiency=50)
        newer.resting({"2024-07-23": None})
        path = newer.zip(tmp_path / "newer.zip")
        for folder in (tmp_path / "ada", tmp_path / "bob"):
            run("import", archive, "-o", folder)
        before = content(tmp_path / "ada")
        program = INTERRUPTED.format(renames=renames)
        arguments = ("import", path, "-o", tmp_path / "ada")
        ended = subprocess.run([sys.executable, "-c", program, *arguments], check=False)
        mixed = content(tmp_path / "ada")
        assert (ended.returncode, len(mixed.items() - before.items())) == (130, renames)
        for folder in (tmp_path / "ada", tmp_path / "bob"):
            assert run("import", path, "-o", folder).code == 0
        assert content(tmp_path / "ada") == content(tmp_path / "bob")

    @pytest.mark.parametrize("together", [True, False])
    def test_the_order_of_the_archives_does_not_matter(
        self, tmp_path: Path, archive: Path, *, together: bool
    ) -> None:
        """In one command by the time in their names, in several by their last days."""
        newer = export_of("2024-07-22", "2024-07-23", efficiency=50)
        names = (
            archive.rename(tmp_path / "takeout-20240801T000000Z-001.zip"),
            newer.zip(tmp_path / "takeout-20240901T000000Z-001.zip"),
        )
        for folder, given in (("ada", names), ("bob", names[::-1])):
            for each in [given] if together else [[name] for name in given]:
                ended = run("import", *each, "-o", tmp_path / folder)
                assert ended.code == 0
        assert content(tmp_path / "ada") == content(tmp_path / "bob")
        if not together:
            assert "its values stay, only blank cells are filled" in ended.out


class TestReport:
    @pytest.fixture
    def export(self) -> Export:
        export = export_of("2024-07-21", "2024-07-22")
        export.minutes("steps", "2024-07-21", {})
        export.exercises([(1, "07/21/24 22:30:00", "Walk"), (2, "never", "Walk")])
        export.add("Global Export Data/sleep-2024-08-01.json", "[")
        export.nights([("2024-07-21T20:30:00", "+11:00")])
        return export

    def test_the_text(self, export: Export, tmp_path: Path) -> None:
        ended = run("import", export.zip(tmp_path / "a.zip"), "-o", "ada", cwd=tmp_path)
        assert (ended.code, ended.err) == (1, "")
        words = " ".join(ended.out.split())
        assert words.startswith(
            "read 8 of 9 files into ada time zone by: 1 night of the export columns"
            " activity, 2 days, 2024-07-21 to 2024-07-22: sedentaryMinutes, lightlyActiveMinutes,"
            " fairlyActiveMinutes, veryActiveMinutes, activeMinutes"
            " activity, 1 day, 2024-07-22: exerciseExamples"
        )
        assert (
            " missing activity steps, activityCalories, caloriesOut, activeZoneMinutes, all days:"
            " not in the archive [column.not-in-archive]"
        ) in words
        assert "/exercise-0.json: 1 record: of another form, skipped;" in words
        assert "sleep-2024-08-01.json: is not whole JSON text" in words
        assert ended.out.endswith("kept\n\nnext:\n    healthapi check .\n")

    def test_of_many_unreadable_files_ten_are_shown(self, tmp_path: Path) -> None:
        export = export_of("2024-07-21")
        for page in range(25):
            export.add(f"exercise-{page}.json", "[")
        archive = export.zip(tmp_path / "a.zip")
        ended = run("import", archive, "-o", tmp_path / "ada")
        assert ended.out.count("[file.json]") == 10
        assert "\n  and 15 more files\n" in ended.out

    def test_without_a_file_that_can_be_read_nothing_is_written(self, tmp_path: Path) -> None:
        export = Export()
        export.add("sleep-2024-08-01.json", "[")
        export.add("Sleep Score/sleep_score.csv", "sleep_log_entry_id;overall_score\n")
        ended = run("import", export.zip(tmp_path / "a.zip"), "-o", tmp_path / "ada")
        assert ended.code == 1
        assert "read 0 of 2 files" in ended.out
        assert not (tmp_path / "ada").exists()

    def test_derived_values_are_reported(self, tmp_path: Path) -> None:
        export = Export()
        export.google_sleeps(GoogleSleep(1, "2026-09-14T21:00:00", NIGHT_STAGES, score=81))
        ended = run("import", export.zip(tmp_path / "a.zip"), "-o", tmp_path / "ada")
        assert "\nwarnings\n  sleep isMainSleep, 1 day (2026-09-15): derived: " in ended.out
        assert "sleep: 1 row added, 0 changed, 0 kept\n" in ended.out


class TestKeptReport:
    """Why values are missing stays beside the tables, in `import-report.json`."""

    def test_it_has_the_reasons_and_nothing_of_the_machine(
        self, archive: Path, tmp_path: Path
    ) -> None:
        run("import", archive, "-o", tmp_path / "ada")
        text = (tmp_path / "ada" / REPORT_FILE).read_text()
        assert str(tmp_path) not in text
        assert archive.name not in text
        report = json.loads(text)
        assert report["version"] == 1
        assert report["missing"][0] == {
            "dataset": "activity",
            "column": "steps",
            "code": "column.not-in-archive",
            "days": [],
        }
        assert {
            "dataset": "sleep",
            "column": "sleepScore",
            "code": "sleep.no-score",
            "days": [["2024-07-21", "2024-07-22"]],
        } in report["missing"]

    @pytest.mark.parametrize(
        "text",
        [
            "{",
            '{"version": 2, "missing": []}',
            '{"version": 1, "missing": [{"dataset": "hrv", "column": "", "code": "", "days": 1}]}',
        ],
    )
    def test_another_file_of_that_name_is_not_replaced(
        self, archive: Path, tmp_path: Path, text: str
    ) -> None:
        path = tmp_path / "ada" / REPORT_FILE
        path.parent.mkdir()
        path.write_text(text)
        ended = run("import", archive, "-o", tmp_path / "ada")
        assert (ended.code, ended.out) == (1, "")
        assert f"{path} is not a report of this version; remove it" in ended.err
        assert content(tmp_path / "ada") == {REPORT_FILE: text.encode()}

    def test_reasons_of_other_versions_are_left_out(self, archive: Path, tmp_path: Path) -> None:
        path = tmp_path / "ada" / REPORT_FILE
        path.parent.mkdir()
        entry = '{"dataset": "hrv", "column": null, "code": "hrv.later", "days": []}'
        path.write_text(f'{{"version": 1, "missing": [{entry}], "by": "another"}}')
        assert run("import", archive, "-o", tmp_path / "ada").code == 0
        assert "hrv.later" not in path.read_text()

    def test_a_report_is_never_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("health_import.gaps.REPORT_BYTES", REPORT_BYTES // 16)
        days = {date(2024, 7, 21) + timedelta(day) for day in range(0, 20_000 // 16, 2)}
        codes: Codes = {"zone.unknown": days, "day.incomplete": days}
        missing: Reasons = {("activity", name): codes for name in COLUMNS["activity"]}
        data = encode_report(missing)
        assert REPORT_BYTES // 16 / 3 < len(data) <= REPORT_BYTES // 16
        newest = parse_report(data)["activity", "steps"]["zone.unknown"]
        assert newest is not None
        assert max(newest) == max(days)

    def test_a_missing_part_is_named(self, archive: Path, tmp_path: Path) -> None:
        part = archive.rename(tmp_path / "takeout-20240801T000000Z-002.zip")
        ended = run("import", part, "-o", tmp_path / "ada")
        assert ended.code == 0
        assert ended.err == (
            "warning: takeout-20240801T000000Z-001.zip is missing:"
            " give all parts of an export together\n"
        )


class TestErrors:
    """One line, a code, and the folder as before."""

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "ARCHIVE"),
            (("a.zip",), "--output"),
            (
                ("a.zip", "-o", "ada", "--zone", "Berlin"),
                "'Berlin' is not an IANA time zone, such as",
            ),
            (("a.zip", "-o", "Ada L."), "'Ada L.' is not a profile id"),
            (("a.zip", "-o", "file"), "-o file: it is not a folder"),
            (
                ("a.zip", "-o", "people"),
                "-o people: it holds profiles (ada, eve): give people/NAME",
            ),
        ],
    )
    def test_wrong_usage(self, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
        (tmp_path / "file").write_text("")
        for name in ("people/eve/csv/of-another-producer.csv", f"people/ada/{SNAPSHOT_FILE}"):
            (tmp_path / name).parent.mkdir(parents=True)
            (tmp_path / name).write_text("")
        before = content(tmp_path)
        ended = run("import", *arguments, cwd=tmp_path)
        assert (ended.code, ended.out) == (2, "")
        assert message in ended.err
        assert content(tmp_path) == before

    @pytest.mark.parametrize("place", ["columns.toml", "ada/columns.toml"])
    def test_a_folder_of_another_producer(self, archive: Path, tmp_path: Path, place: str) -> None:
        (tmp_path / "ada").mkdir()
        (tmp_path / place).write_text("")
        ended = run("import", archive, "-o", tmp_path / "ada")
        assert ended.code == 1
        assert "columns.toml maps the tables of another producer" in ended.err
        assert not (tmp_path / "ada" / "csv").exists()

    @pytest.mark.parametrize(
        ("make", "code", "words"),
        [
            (lambda path: path.write_text("x"), 1, "neither a zip file nor a folder"),
            (
                lambda path: path.mkdir(),
                1,
                "a.zip: has nothing to import: choose Fitbit or Google Health when you create",
            ),
            (Path.exists, 3, "cannot be read: it does not exist"),
        ],
    )
    def test_bad_archives(
        self, tmp_path: Path, make: Callable[[Path], object], code: int, words: str
    ) -> None:
        make(tmp_path / "a.zip")
        ended = run("import", tmp_path / "a.zip", "-o", tmp_path / "ada")
        assert (ended.code, ended.out) == (code, "")
        assert words in ended.err
        assert ended.err.count("\n") == 1
        assert ended.err.endswith("]\n")
        assert not (tmp_path / "ada").exists()

    def test_an_existing_table_that_cannot_be_merged(self, archive: Path, tmp_path: Path) -> None:
        table = tmp_path / "ada" / SLEEP
        table.parent.mkdir(parents=True)
        table.write_text("date\n20.07.2024\n")
        ended = run("import", archive, "-o", tmp_path / "ada")
        assert (ended.code, ended.out) == (1, "")
        assert f"{table}:2: " in ended.err
        assert "[table.row]" in ended.err
        assert content(tmp_path / "ada") == {SLEEP: b"date\n20.07.2024\n"}

    @pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
    def test_an_existing_table_that_is_no_file(
        self, archive: Path, tmp_path: Path, kind: str
    ) -> None:
        table = tmp_path / "ada" / SLEEP
        table.parent.mkdir(parents=True)
        outside = tmp_path / "outside.csv"
        outside.write_text("date\n")
        makers: dict[str, Callable[[], object]] = {
            "link": lambda: table.symlink_to(outside),
            "folder": table.mkdir,
            "fifo": lambda: os.mkfifo(table),
        }
        makers[kind]()
        ended = run("import", archive, "-o", tmp_path / "ada")
        assert (ended.code, ended.err) == (1, f"healthapi: {table} is not a regular file\n")
        assert outside.read_text() == "date\n"

    def test_a_folder_that_cannot_be_written(self) -> None:
        with unprivileged() as folder:
            archive = export_of("2024-07-21").zip(folder / "a.zip")
            (folder / "locked").mkdir(mode=0o500)
            ended = run("import", archive, "-o", folder / "locked" / "ada")
        assert (ended.code, ended.out) == (3, "")
        assert ended.err.startswith("healthapi: cannot write ")
