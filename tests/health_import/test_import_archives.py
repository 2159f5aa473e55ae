"""Scripted archives of all formats, and archives that are damaged or made to harm."""

import os
import random
import stat
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from health_import import archives
from health_import import values as values_module
from health_import.archives import (
    ArchiveError,
    ExportFiles,
    missing_parts,
    oldest_first,
    read_archives,
)
from health_import.texts import instant_minute
from support.health_import.exports import Export, sleep_record
from support.healthapi.health_folders import unprivileged

VENDORS_PAGE = Path(__file__).parents[2] / "docs" / "reference" / "health-vendors.md"


@pytest.fixture
def export() -> Export:
    """An archive with a night."""
    export = Export()
    export.sleeps(sleep_record("2024-07-21", 5))
    return export


def read(*paths: Path) -> ExportFiles:
    return read_archives([str(path) for path in paths])


def error_of(*paths: Path) -> ArchiveError:
    with pytest.raises(ArchiveError) as caught:
        read(*paths)
    return caught.value


def refused(*paths: Path) -> str:
    """Return the code of the error of archives."""
    return error_of(*paths).code


def nights(*paths: Path) -> list[str]:
    """Return the log ids that archives hold."""
    return sorted(read(*paths).values.sleeps)


class TestFormats:
    def test_the_content_counts_and_not_the_suffix(self, export: Export, tmp_path: Path) -> None:
        assert nights(export.zip(tmp_path / "a.bin")) == ["5"]

    @pytest.mark.parametrize("root", ["Takeout/Google Health", "Salud", "Ada", "../../etc", "/"])
    def test_the_folder_counts_for_nothing(self, tmp_path: Path, root: str) -> None:
        """Old, new and translated folders; names that point elsewhere are only compared."""
        export = Export(root)
        export.sleeps(sleep_record("2024-07-21", 5))
        folder = tmp_path / "a" / "b"
        folder.mkdir(parents=True)
        assert nights(export.zip(folder / "a.zip")) == ["5"]
        assert sorted(each.name for each in tmp_path.rglob("*")) == ["a", "a.zip", "b"]

    def test_the_formats_give_equal_values(self, export: Export, tmp_path: Path) -> None:
        export.hrv({"2024-07-21": 33})
        export.add("Global Export Data/heart_rate-2024-07-21.json", "never read")
        zipped, unpacked = read(export.zip(tmp_path / "a.zip")), read(export.folder(tmp_path / "a"))
        assert list(zipped.values.exported) == [instant_minute("2027-01-01T12:00:00Z")]
        for each in (zipped, unpacked):
            each.values.exported.clear()
            assert (each.archives[0].entries, each.archives[0].files) == (3, 2)
        assert zipped.values == unpacked.values


class TestParts:
    def test_the_last_archive_wins(self, tmp_path: Path) -> None:
        paths = []
        for minutes in (400, 410):
            export = Export()
            export.sleeps(sleep_record("2024-07-21", 5, minutesAsleep=minutes))
            paths.append(export.zip(tmp_path / f"{minutes}.zip"))
        for given, expected in ((paths, "410"), (paths[::-1], "400")):
            (sleep,) = read(*given).values.sleeps.values()
            assert sleep.cells["minutesAsleep"] == expected

    def test_names_of_takeout_give_the_order(self) -> None:
        names = [
            "b/takeout-20250101T000000Z-001.zip",
            "a/takeout-20240101T000000Z-2-002.zip",
            "a/takeout-20240101T000000Z-2-001.zip",
        ]
        assert oldest_first(names) == [names[2], names[1], names[0]]
        assert oldest_first([*names, "other.zip"]) == [*names, "other.zip"]

    def test_an_archive_that_is_given_twice_is_read_once(self) -> None:
        assert oldest_first(["x.zip", "./x.zip", "y.zip"]) == ["./x.zip", "y.zip"]

    def test_a_part_that_must_exist_is_named(self) -> None:
        names = ["a/takeout-20240101T000000Z-001.zip", "takeout-20240101T000000Z-003.zip", "x.zip"]
        assert missing_parts(names) == ["takeout-20240101T000000Z-002.zip"]
        assert missing_parts(["takeout-20240101T000000Z-2-001.zip"]) == []

    def test_a_copy_of_a_part_is_that_part(self) -> None:
        """A browser adds a number to the name of a file that is downloaded again."""
        names = ["takeout-20240101T000000Z-002.zip", "takeout-20240101T000000Z-001 (1).zip"]
        assert missing_parts(names) == []
        assert oldest_first(names) == names[::-1]


class TestDamaged:
    def test_a_file_without_permission(self, export: Export) -> None:
        with unprivileged() as folder:
            path = export.zip(folder / "a.zip")
            path.chmod(0)
            assert refused(path) == "archive.unreadable"
            unpacked = export.folder(folder / "a")
            next(unpacked.rglob("*.json")).chmod(0)
            assert "sleep-2024-07-01.json" in error_of(unpacked).message

    def test_a_fifo_is_not_opened(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "a.zip")
        assert refused(tmp_path / "a.zip") == "archive.kind"

    @pytest.mark.parametrize("share", [0.5, 0.99])
    def test_truncated(self, export: Export, tmp_path: Path, share: float) -> None:
        noise = random.Random(1).randbytes  # noqa: S311 - it must not compress
        export.add("photos/1.jpg", noise(400_000))
        path = export.zip(tmp_path / "a.zip")
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * share)])
        assert refused(path) == "archive.damaged"

    def test_encrypted(self, export: Export, tmp_path: Path) -> None:
        path = export.zip(tmp_path / "a.zip")
        data = bytearray(path.read_bytes())
        data[data.rindex(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
        assert refused(path) == "archive.encrypted"

    def test_one_damaged_file_is_reported_and_the_others_are_read(
        self, export: Export, tmp_path: Path
    ) -> None:
        export.sleeps(sleep_record("2024-08-21", 6), name="2024-08-01")
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in export.files.items():
                archive.writestr(name, data)
        path.write_bytes(path.read_bytes().replace(b'"logId": 6', b'"logId": 7'))
        found = read(path)
        assert sorted(found.values.sleeps) == ["5"]
        assert [(each.code, each.file[-21:]) for each in found.unread] == [
            ("file.damaged", "sleep-2024-08-01.json")
        ]

    @pytest.mark.parametrize(
        ("at", "flags", "name"), [(0, 0x800, b"\xff"), (0, 0, b"t"), (1, 0, b"")]
    )
    def test_a_broken_name_is_reported(
        self, export: Export, tmp_path: Path, at: int, flags: int, name: bytes
    ) -> None:
        """The name before the content of the first entry is changed, or the last has none."""
        export.add("photo.jpg", "x")
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for each, content in export.files.items():
                archive.writestr(each, content)
            if not name:
                archive.infolist()[at].filename = ""
        data = bytearray(path.read_bytes())
        if name:
            data[6:8] = struct.pack("<H", flags)
            data[30:31] = name
            path.write_bytes(data)
        found = read(path)
        assert [each.code for each in found.unread] == ["file.damaged"] * bool(name)

    @pytest.mark.parametrize("write", [Export.zip, Export.folder])
    def test_a_json_file_that_is_too_large(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Export, Path], Path]
    ) -> None:
        monkeypatch.setattr(archives, "JSON_FILE_BYTES", 1000)
        export = Export()
        export.add("steps-2024-07-21.json", b" " * 1001)
        (unread,) = read(write(export, tmp_path / "a")).unread
        assert unread.code == "file.size"

    @pytest.mark.parametrize(
        ("name", "vendor", "heading"),
        [
            ("App Data/sleepmodel.csv", "Oura", "oura"),
            ("aggregates_steps.csv", "Withings", "withings"),
            ("raw_tracker_hr.csv", "Withings", "withings"),
            ("x/com.samsung.shealth.sleep.20260901.csv", "Samsung Health", "samsung-health"),
            ("training-session-2026-09-01-1-0f8fad5b-a165-70867728950e.json", "Polar", ""),
            ("my_whoop_data/physiological_cycles.csv", "WHOOP", "whoop"),
            ("x/motion path detail data.json", "Huawei Health", ""),
            ("20260901_1_MiFitness_hlth_center_aggregated_fitness_data.csv", "Xiaomi", ""),
            ("SLEEP/SLEEP_1725148800000.csv", "Xiaomi", ""),
            ("1_2/ACTIVITY_STAGE/ACTIVITY_STAGE_1725148800000.csv", "Xiaomi", ""),
            ("health_connect_export.db", "Health Connect", ""),
            ("Takeout/Fit/Alle Daten/x.json", "Google Fit", ""),
            ("fitbit_export_20260901.csv", "fitbit.com Data Export", ""),
            ("3f2a/DI_CONNECT/DI-Connect-User/user.json", "Garmin", "garmin"),
            ("UDSFile_2024-01-01_2024-04-10.json", "Garmin", "garmin"),
            ("apple_health_export/导出.xml", "Apple Health", "apple"),
            ("exportacio\u0301n.xml", "Apple Health", "apple"),
        ],
    )
    def test_an_export_of_another_vendor_is_named(
        self, tmp_path: Path, name: str, vendor: str, heading: str
    ) -> None:
        export = Export("Downloads")
        export.add("readme.txt", "x")
        export.add(name, "x")
        error = error_of(export.zip(tmp_path / "a.zip"))
        assert error.code == "archive.unrelated"
        assert f"this is an export of {vendor}" in error.message
        if vendor in ("Garmin", "Apple Health"):
            assert error.message.endswith(f"give it alone, with --from {heading}")
            return
        heading = heading or "other-vendors"
        assert error.message.endswith(f"/docs/reference/health-vendors.md#{heading}")
        lines = VENDORS_PAGE.read_text(encoding="utf-8").splitlines()
        headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
        assert heading in [each.lower().replace(" ", "-") for each in headings]

    @pytest.mark.parametrize(
        ("name", "remedy"),
        [
            ("export.xml", "this is an export of Apple Health"),
            ("me.CSV", "is not imported, but read as it is, by a columns.toml: http"),
            ("steps_2024-01-01.csv", "give the folder of the export that has it"),
        ],
    )
    def test_a_file_that_is_no_archive(self, tmp_path: Path, name: str, remedy: str) -> None:
        (tmp_path / name).write_text("<?xml version='1.0'?>")
        error = error_of(tmp_path / name)
        assert (error.code, remedy in error.message) == ("archive.kind", True)

    @pytest.mark.parametrize("suffix", ["tgz", "tar.gz"])
    def test_a_tar_file_is_to_be_unpacked(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"takeout-1.{suffix}"
        path.write_bytes(b"\x1f\x8b\x08")
        for given, told in (
            (path, "unpack a tar file and give its folder"),
            (tmp_path, f"unpack {path} and give its folder"),
        ):
            assert error_of(given).message.endswith(told)

    @pytest.mark.parametrize("name", ["takeout-1.zip", "takeout-1.tgz"])
    def test_an_archive_inside_an_archive(self, tmp_path: Path, name: str) -> None:
        export = Export("Downloads")
        export.add(name, "x")
        assert "it has another archive inside" in error_of(export.zip(tmp_path / "a.zip")).message

    def test_a_folder_of_archives(self, export: Export, tmp_path: Path) -> None:
        export.zip(tmp_path / "takeout.zip")
        assert str(tmp_path / "takeout.zip") in error_of(tmp_path).message

    def test_random_damage_is_an_error_or_read(self, tmp_path: Path) -> None:
        export = Export()
        for number in range(3):
            export.sleeps(sleep_record(f"2024-07-2{number}", number), name=f"2024-07-2{number}")
        numbers = random.Random(7)  # noqa: S311
        path = export.zip(tmp_path / "a.zip")
        whole = path.read_bytes()
        for _ in range(50):
            data = bytearray(whole)
            for _ in range(numbers.randrange(1, 6)):
                data[numbers.randrange(4, len(data))] = numbers.randrange(256)
            path.write_bytes(data)
            with suppress(ArchiveError):
                read(path)


class TestHarmful:
    @pytest.mark.parametrize("noise", [0, 400_000])
    def test_a_zip_file_that_expands_too_much(self, tmp_path: Path, noise: int) -> None:
        """Content that does not compress hides no entry that does."""
        export = Export()
        export.add("photos/1.jpg", random.Random(1).randbytes(noise))  # noqa: S311
        export.add("steps-2024-07-21.json", bytes(archives.SMALL_BYTES + 1))
        assert refused(export.zip(tmp_path / "a.zip")) == "archive.bomb"

    def test_a_zip_file_of_entries_that_share_their_bytes(self, tmp_path: Path) -> None:
        """Each entry of the directory names the same compressed bytes."""
        export = Export()
        export.add("steps-2024-07-21.json", bytes(200_000))
        data = export.zip(tmp_path / "a.zip").read_bytes()
        at, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
        count = 2000
        tail = bytearray(data[end:])
        struct.pack_into("<HHL", tail, 8, count, count, (end - at) * count)
        path = tmp_path / "b.zip"
        path.write_bytes(data[:at] + data[at:end] * count + tail)
        assert refused(path) in ("archive.bomb", "archive.damaged")

    def test_a_zip_file_with_a_large_directory(
        self, export: Export, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = export.zip(tmp_path / "a.zip")
        data = bytearray(path.read_bytes())
        struct.pack_into("<L", data, data.rindex(b"PK\x05\x06") + 12, 0x7FFF_FFFF)
        path.write_bytes(data)
        assert refused(path) == "archive.entries"
        monkeypatch.setattr(archives, "_MAX_DIRECTORY_BYTES", 10)
        assert refused(export.zip(tmp_path / "b.zip")) == "archive.entries"

    def test_a_zip64_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
        export = Export()
        for number in range(3):
            export.sleeps(sleep_record(f"2024-07-2{number}", number), name=f"2024-07-2{number}")
        path = export.zip(tmp_path / "a.zip")
        data = bytearray(path.read_bytes())
        assert b"PK\x06\x06" in data
        assert nights(path) == ["0", "1", "2"]
        struct.pack_into("<Q", data, data.rindex(b"PK\x06\x06") + 40, 1 << 40)
        path.write_bytes(data)
        assert refused(path) == "archive.entries"

    def test_links_in_a_zip_file_are_reported_and_not_opened(
        self, export: Export, tmp_path: Path
    ) -> None:
        """The content of such an entry is the path to which the link points."""
        path = export.zip(tmp_path / "a.zip")
        with zipfile.ZipFile(path, "a") as archive:
            for name in ("sleep-2024-09-01.json", "photo.jpg"):
                info = zipfile.ZipInfo(name)
                info.create_system = 3
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
                archive.writestr(info, "/etc/passwd")
        found = read(path)
        assert sorted(found.values.sleeps) == ["5"]
        assert [(each.file, each.code) for each in found.unread] == [
            ("sleep-2024-09-01.json", "file.link")
        ]

    def test_links_in_a_folder_are_reported_and_not_followed(
        self, export: Export, tmp_path: Path
    ) -> None:
        folder = export.folder(tmp_path / "a")
        outside = tmp_path / "sleep-2024-09-01.json"
        outside.write_text('[{"logId": 6, "dateOfSleep": "2024-09-01"}]')
        (folder / "sleep-2024-09-01.json").symlink_to(outside)
        (folder / "loop").symlink_to(folder)
        (folder / "sleep-2024-11-01.json").symlink_to(folder)
        os.mkfifo(folder / "sleep-2024-10-01.json")
        found = read(folder)
        assert sorted(found.values.sleeps) == ["5"]
        assert [(each.file, each.code) for each in found.unread] == [
            ("sleep-2024-09-01.json", "file.link"),
            ("sleep-2024-10-01.json", "file.link"),
            ("sleep-2024-11-01.json", "file.link"),
        ]

    @pytest.mark.check
    def test_a_deep_folder_is_read(self, export: Export, tmp_path: Path) -> None:
        """The deepest one has a path of at most 4,095 bytes, the longest that Linux takes."""
        folder = export.folder(tmp_path / "a")
        deepest = str(folder)
        while len(deepest) < 4000:
            deepest += "/d"
            Path(deepest).mkdir()
        assert nights(folder) == ["5"]
        os.removedirs(deepest)  # what removes temporary folders calls itself for each

    def test_values_of_all_archives_are_bounded(
        self, export: Export, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = export.zip(tmp_path / "a.zip")
        monkeypatch.setattr(values_module, "MAX_RECORDS", 1)
        assert nights(path, path) == ["5"]
        other = Export()
        other.sleeps(sleep_record("2024-08-21", 6))
        assert refused(path, other.zip(tmp_path / "b.zip")) == "archive.records"

    @pytest.mark.parametrize("create", [Path.touch, Path.mkdir])
    def test_too_many_entries(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, create: Callable[[Path], None]
    ) -> None:
        for number in range(10):
            create(tmp_path / str(number))
        monkeypatch.setattr(archives, "MAX_ENTRIES", 9)
        assert refused(tmp_path) == "archive.entries"
