"""Profiles in a bucket, here in memory; tests/deployment/test_health_bucket.py is over S3."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import attrs
import obstore
import pytest
from obstore.store import MemoryStore

from healthapi import limits
from healthapi.adapters import bucket, wsgi
from healthapi.adapters.bucket import BucketSource
from healthapi.adapters.folder import FolderSource
from healthapi.adapters.reading import MAX_PROCESSES, SMALL_BYTES, Job, derive_profile
from healthapi.errors import DataError
from healthapi.profile import Profile, ProfileSummary
from support.healthapi.health_folders import FILES, RHR, content, rhr, until, write_profile
from support.servers.servers import ask, serve_wsgi

SNAPSHOT = "cache/fitbit_profile_snapshot.json"
ROOT = "/api/public/v1"
PROFILE_BYTES = 80 * 1024
"""More than one of these small profiles is estimated to need."""


@pytest.fixture
def store() -> MemoryStore:
    """A bucket with three profiles."""
    found = MemoryStore()
    for number, name in enumerate(("ada", "bob", "eve"), 1):
        put(found, name, number)
    return found


def put(store: MemoryStore, name: str, number: int) -> None:
    for file in FILES:
        obstore.put(store, f"{name}/{file}", content(file, number).encode())


def age(source: BucketSource, seconds: float = bucket.MAX_AGE_SECONDS) -> None:
    """Make the results of a source older."""
    with source._lock:
        for name, read in source._results.items():
            source._results[name] = attrs.evolve(read, checked=read.checked - seconds)


def rules(source: BucketSource, name: str = "ada") -> list[tuple[str, str]]:
    """Return path and rule of the findings of a profile that cannot be read."""
    with pytest.raises(DataError) as fault:
        source.profile(name)
    return [(each.path, each.rule) for each in fault.value.findings]


class TestReading:
    def test_a_profile_equals_that_of_a_folder(self, store: MemoryStore, tmp_path: Path) -> None:
        write_profile(tmp_path / "ada", 1)
        now = 1_800_000_000_000
        folder = FolderSource(tmp_path, clock=lambda: now).profile("ada")
        for source in (
            BucketSource(store, clock=lambda: now),
            BucketSource(tmp_path.as_uri(), clock=lambda: now),
        ):
            found = source.profile("ada")
            for name in ("activity", "sleep", "hrv", "rhr", "daily", "overview", "generated_at"):
                assert getattr(found, name) == getattr(folder, name), name

    def test_profiles_are_the_folders_with_the_name_of_an_id(self, store: MemoryStore) -> None:
        for path in ("columns.txt", "no id/a.csv", "a.b/x", ".hidden/x"):
            obstore.put(store, path, b"")
        assert BucketSource(store).ids() == ("ada", "bob", "eve")

    def test_a_missing_profile_has_no_objects(self, store: MemoryStore) -> None:
        source = BucketSource(store)
        with pytest.raises(KeyError):
            source.profile("nobody")
        assert source.read("nobody", 0) is None
        obstore.put(store, "nobody/auth/tokens.json", b"{}")
        age(source)
        assert source.read("nobody", 0) is None

    def test_requests_get_one_immutable_value(self, store: MemoryStore) -> None:
        source = BucketSource(store)
        assert source.read("ada", 0) is source.read("ada", 0) is source.profile("ada")

    def test_a_change_is_served_after_a_minute_at_most(self, store: MemoryStore) -> None:
        source = BucketSource(store)
        first = source.profile("ada")
        put(store, "ada", 9)
        assert source.profile("ada") is first
        age(source)
        assert rhr(source.profile("ada")) == 9
        for file in FILES:
            obstore.delete(store, f"ada/{file}")
        age(source)
        assert source.read("ada", 0) is None

    def test_after_ten_seconds_a_request_starts_a_comparison(self, store: MemoryStore) -> None:
        source = BucketSource(store)
        first = source.profile("ada")
        put(store, "ada", 9)
        age(source, bucket.CHECK_SECONDS)
        assert source.find("ada") is first
        if (comparison := source._wanted.get("ada")) is not None:
            comparison.result(30)
        assert rhr(source.profile("ada")) == 9

    def test_a_mapping_of_the_profile_goes_before_that_of_all(self, store: MemoryStore) -> None:
        columns = b'[%s]\nfile = "fitbit_%s.csv"\n[%s.columns]\n%s = "%s"\n'
        of_all = columns % (b"rhr", b"rhr", b"rhr", b"rhr", b"resting_heart_rate")
        own = columns % (b"activity", b"activity", b"activity", b"steps", b"steps")
        obstore.put(store, "columns.toml", of_all)
        obstore.put(store, "ada/columns.toml", own)
        source = BucketSource(store)
        ada, bob = source.profile("ada"), source.profile("bob")
        assert (len(ada.activity), len(ada.rhr)) == (1, 0)
        assert (len(bob.activity), len(bob.rhr)) == (0, 1)


class TestMemory:
    def test_the_profiles_that_were_requested_least_recently_are_dropped(
        self, store: MemoryStore
    ) -> None:
        source = BucketSource(store, max_bytes=4 * PROFILE_BYTES)
        for number in range(4, 9):
            put(store, f"p{number}", number)
        ada = source.profile("ada")
        for number in range(4, 9):
            assert rhr(source.profile(f"p{number}")) == number
            assert source.profile("ada") is ada
            assert source.size <= 4 * PROFILE_BYTES
        assert isinstance(source.find("p8"), Profile)
        assert not isinstance(source.find("p4"), Profile)
        assert rhr(source.profile("p4")) == 4

    def test_missing_profiles_are_bounded_too(self, store: MemoryStore) -> None:
        source = BucketSource(store, max_bytes=4 * PROFILE_BYTES)
        for number in range(500):
            assert source.read(f"x{number}", 0) is None
        assert source.size <= 4 * PROFILE_BYTES
        assert len(source._results) < 500

    def test_a_profile_too_large_for_a_quarter_of_the_memory_is_an_error(
        self, store: MemoryStore
    ) -> None:
        rows = "".join(f"{year:04}-01-01,60\n" for year in range(1, 9999))
        obstore.put(store, f"ada/{RHR}", f"date,resting_heart_rate\n{rows}".encode())
        source = BucketSource(store, max_bytes=4 * PROFILE_BYTES)
        assert rules(source) == [("", "file.size")]
        assert rhr(source.profile("bob")) == 2
        assert len(BucketSource(store).profile("ada").rhr) == 9998


class TestLarge:
    def test_others_wait_unread_and_small_profiles_do_not_wait(
        self, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event, parsed = Event(), list[str]()

        def derive(job: Job) -> Profile | DataError:
            parsed.append(job.profile_id)
            assert event.wait(30)
            return derive_profile(job)

        monkeypatch.setattr(bucket, "derive_in_process", derive)
        names = [f"large{number}" for number in range(MAX_PROCESSES + 1)]
        for name in names:
            rows = "2026-01-31,60\n" * (SMALL_BYTES // 10)
            obstore.put(store, f"{name}/{RHR}", f"date,resting_heart_rate\n{rows}".encode())
        source = BucketSource(store)
        with ThreadPoolExecutor(len(names)) as pool:
            found = [pool.submit(source.profile, name) for name in names]
            assert rhr(source.profile("ada")) == 1
            assert len(parsed) <= MAX_PROCESSES
            event.set()
            assert all(len(each.result(30).rhr) == SMALL_BYTES // 10 for each in found)


class TestFaults:
    @pytest.mark.parametrize("url", ["s3://", "other://bucket", "file:///does/not/exist"])
    def test_a_url_that_names_no_store(self, url: str) -> None:
        with pytest.raises(ValueError, match=r"^Generic .* error: Unable to"):
            BucketSource(url)

    @pytest.mark.parametrize(
        ("name", "data", "rule"),
        [
            (RHR, b"date,resting_heart_rate\n2026-01-31,5\n2026-02", "file.torn"),
            (RHR, b"steps\n1\n", "file.header"),
            (SNAPSHOT, b"{", "snapshot.json"),
            (SNAPSHOT, b" " * (limits.SNAPSHOT_FILE_BYTES + 1), "file.size"),
            ("columns.toml", b"x", "columns.toml"),
            ("columns.toml", b"#" * 70_000, "file.size"),
        ],
        ids=["half-written", "header", "snapshot", "oversized", "mapping", "oversized mapping"],
    )
    def test_an_unreadable_object_is_an_error_of_its_profile(
        self, store: MemoryStore, name: str, data: bytes, rule: str
    ) -> None:
        obstore.put(store, f"ada/{name}", data)
        source = BucketSource(store)
        assert rules(source) == [(f"/{name}", rule)]
        assert rhr(source.profile("bob")) == 2
        put(store, "ada", 7)
        if name == "columns.toml":
            obstore.delete(store, f"ada/{name}")
        age(source)
        assert rhr(source.profile("ada")) == 7

    def test_a_shared_mapping_that_is_too_large_is_an_error_of_all(
        self, store: MemoryStore
    ) -> None:
        obstore.put(store, "columns.toml", b"#" * 70_000)
        assert rules(BucketSource(store)) == [("/../columns.toml", "file.size")]

    def test_a_bug_ends_the_requests_and_is_logged_without_values(
        self, store: MemoryStore, caplog: pytest.LogCaptureFixture
    ) -> None:
        def clock() -> int:
            raise ZeroDivisionError("secret")

        assert rules(BucketSource(store, clock=clock)) == [("", "file.failed")]
        assert [each.getMessage() for each in caplog.records] == [
            "ada: ZeroDivisionError",
            "ada: file.failed",
        ]


class TestList:
    def test_a_list_waits_for_no_profile_and_keeps_what_it_knew(self, store: MemoryStore) -> None:
        source = BucketSource(store, max_bytes=4 * PROFILE_BYTES)
        assert source.latest("ada", 0) == ProfileSummary("ada")
        ada = source.profile("ada")
        assert source.latest("ada", 0) is ada
        for number in range(8):
            put(store, f"p{number}", number)
            source.profile(f"p{number}")
        assert "ada" not in source._results
        assert source.latest("ada", 0) == ada.summary
        for file in FILES:
            obstore.delete(store, f"ada/{file}")
        source.ids()
        age(source)
        source.ids()
        assert source.latest("ada", 0) == ProfileSummary("ada")

    def test_profiles_that_were_never_read_are_read_some_at_a_time(
        self, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody requests a profile that is listed as unavailable."""
        monkeypatch.setattr(bucket, "MAX_READS", 2)
        event = Event()
        source = BucketSource(store, clock=lambda: int(event.wait(30)))
        ids = source.ids()
        assert [source.latest(name, 0) for name in ids] == [ProfileSummary(name) for name in ids]
        assert source._wanted.keys() == {"ada", "bob"}
        event.set()
        until(lambda: all(isinstance(source.latest(name, 0), Profile) for name in ids))

    def test_any_failure_of_the_list_is_an_oserror(self) -> None:
        no_store: Any = object()
        with pytest.raises(OSError, match="ValueError"):
            BucketSource(no_store).ids()

    def test_slow_profiles_do_not_delay_it(
        self, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event = Event()

        def derive(job: Job) -> Profile | DataError:
            assert event.wait(30)
            return derive_profile(job)

        monkeypatch.setattr(bucket, "MAX_READS", 1)
        monkeypatch.setattr(bucket, "derive_profile", derive)
        source = BucketSource(store)
        ids = source.ids()
        source.latest("ada", 0)
        age(source)
        try:
            assert source.ids() == ids
            assert not event.is_set()
        finally:
            event.set()

    def test_under_wsgi(self, store: MemoryStore) -> None:
        with serve_wsgi(wsgi.create_app(BucketSource(store))) as base_url:
            assert ask(base_url, "GET", f"{ROOT}/profiles/bob/overview").status == 200
            listed = ask(base_url, "GET", f"{ROOT}/profiles").json["data"]["profiles"]
        assert {each["id"]: each["available"] for each in listed} == {
            "ada": False,
            "bob": True,
            "eve": False,
        }
