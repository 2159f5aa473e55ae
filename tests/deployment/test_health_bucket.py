"""Profiles in a bucket, over the protocol of S3: faults of the bucket, and who waits for whom."""

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any

import attrs
import obstore
import pytest
from obstore.store import ObjectStore

from healthapi.adapters import asgi, bucket
from healthapi.adapters.bucket import BucketSource, open_bucket
from healthapi.adapters.reading import NonblockingSource
from healthapi.errors import DataError
from support.healthapi.health_folders import FILES, RHR, content, rhr, until
from support.servers.commands import started
from support.servers.s3_server import S3Server, s3_server
from support.servers.servers import ask, serve_asgi

TIMEOUT_SECONDS = 30
ROOT = "/api/public/v1"
CLI = "status_contracts.healthapi"


@pytest.fixture(scope="module")
def running() -> Iterator[S3Server]:
    with s3_server("health") as server:
        yield server


@pytest.fixture
def server(running: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """A server without faults, in whose bucket a folder of its own is at `url`."""
    for name, value in running.environ.items():
        monkeypatch.setenv(name, value)
    yield running
    for event in running.held.values():
        event.set()
    running.held.clear()
    running.refused.clear()


@pytest.fixture
def url(server: S3Server) -> str:
    """The URL of a folder with two profiles."""
    found = f"s3://health/{os.urandom(6).hex()}"
    for number, name in enumerate(("ada", "bob"), 1):
        put(open_bucket(found), name, number)
    server.requests.clear()
    return found


def put(store: ObjectStore, name: str, number: int) -> None:
    for file in FILES:
        obstore.put(store, f"{name}/{file}", content(file, number).encode())


def age(source: BucketSource, seconds: float = bucket.MAX_AGE_SECONDS) -> None:
    """Make the results of a source older."""
    with source._lock:
        for name, read in source._results.items():
            source._results[name] = attrs.evolve(read, checked=read.checked - seconds)


@contextmanager
def held(server: S3Server, part: str) -> Iterator[Event]:
    """Let the requests whose path contains a text wait until the event, or the end of the block."""
    event = server.held[part] = Event()
    try:
        yield event
    finally:
        event.set()
        del server.held[part]


class TestReading:
    def test_a_profile_is_read_with_one_list_and_one_request_for_each_object(
        self, server: S3Server, url: str
    ) -> None:
        source = BucketSource(url)
        assert source.ids() == ("ada", "bob")
        server.requests.clear()
        assert rhr(source.profile("ada")) == 1
        assert server.count("list-type") == 1
        assert server.count("/ada/csv/") == 4
        assert server.count("columns.toml") == 1
        assert len(server.requests) == 7

    def test_many_requests_for_a_profile_read_it_once(self, server: S3Server, url: str) -> None:
        source = BucketSource(url)
        with held(server, f"/ada/{RHR}") as event, ThreadPoolExecutor(8) as pool:
            found = [pool.submit(source.profile, "ada") for _ in range(8)]
            until(lambda: server.count(f"/ada/{RHR}"))
            event.set()
            assert len({each.result(TIMEOUT_SECONDS) for each in found}) == 1
        assert server.count(f"/ada/{RHR}") == 1

    def test_an_object_that_is_replaced_meanwhile_is_read_again(
        self, server: S3Server, url: str
    ) -> None:
        source = BucketSource(url)
        place = f"GET /health/{url.rpartition('/')[2]}/ada/{RHR}"
        with held(server, place) as event, ThreadPoolExecutor(1) as pool:
            found = pool.submit(source.profile, "ada")
            until(lambda: server.count(place))
            put(open_bucket(url), "ada", 7)
            event.set()
            profile = found.result(TIMEOUT_SECONDS)
        assert rhr(profile) == 7
        assert profile.activity[-1].steps == 7

    def test_the_mapping_of_all_profiles_is_compared_by_its_tag(
        self, server: S3Server, url: str
    ) -> None:
        columns = b'[rhr]\nfile = "fitbit_rhr.csv"\n[rhr.columns]\nrhr = "resting_heart_rate"\n'
        obstore.put(open_bucket(url), "columns.toml", columns)
        source = BucketSource(url)
        first = source.profile("ada")
        assert (len(first.rhr), len(first.activity)) == (1, 0)
        age(source)
        assert source.profile("ada") is first
        obstore.delete(open_bucket(url), "columns.toml")
        age(source)
        assert len(source.profile("ada").activity) == 1


class TestFaults:
    def test_an_object_that_may_not_be_read_is_an_error_of_its_profile_until_it_may(
        self, server: S3Server, url: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = BucketSource(url)
        server.refused.add(f"/ada/{RHR}")
        with serve_asgi(asgi.create_app(source)) as base_url:
            refused = ask(base_url, "GET", f"{ROOT}/profiles/ada/overview")
            assert (refused.status, refused.json["error"]["code"]) == (503, "service_unavailable")
            assert ask(base_url, "GET", f"{ROOT}/profiles/bob/overview").status == 200
            listed = ask(base_url, "GET", f"{ROOT}/profiles").json["data"]["profiles"]
            assert {each["id"]: each["available"] for each in listed} == {"ada": False, "bob": True}
            server.refused.clear()
            age(source)
            assert ask(base_url, "GET", f"{ROOT}/profiles/ada/overview").status == 200
        logged = [each.getMessage() for each in caplog.records if each.name == "healthapi"]
        assert logged == [f"ada/{RHR}: file.unreadable"]

    def test_a_bucket_that_fails_is_503_and_not_empty(
        self, server: S3Server, url: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = BucketSource(url)
        server.refused.add("/health")
        with serve_asgi(asgi.create_app(source)) as base_url:
            for path in ("", "/profiles", "/profiles/ada/overview"):
                assert ask(base_url, "GET", f"{ROOT}{path}").status == 503, path
            server.refused.clear()
            until(lambda: ask(base_url, "GET", f"{ROOT}/profiles/ada/overview").status == 200)
        messages = [each.getMessage() for each in caplog.records]
        reasons = [text for text in messages if "cannot be read" in text]
        assert len(reasons) == 1
        assert "403" in reasons[0]

    def test_the_last_state_is_served_while_the_bucket_fails_for_a_minute(
        self, server: S3Server, url: str
    ) -> None:
        source = BucketSource(url)
        first = source.profile("ada")
        server.refused.add("/health")
        server.requests.clear()
        age(source, bucket.CHECK_SECONDS)
        assert source.find("ada") is first
        until(lambda: server.requests and not source._wanted)
        assert source.find("ada") is first
        until(lambda: not source._wanted)
        age(source)
        with pytest.raises(DataError, match=r"file\.unreadable"):
            source.profile("ada")

    def test_a_server_that_cannot_be_reached_is_named(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.setenv(name, "any")
        with pytest.raises(OSError, match=r"127\.0\.0\.1:9"):
            BucketSource("s3://health").ids()


class TestEventLoop:
    def test_all_wait_without_a_thread(self, server: S3Server, url: str) -> None:
        async def run() -> list[Any]:
            app_source: Any = NonblockingSource(BucketSource(url))
            with held(server, f"/ada/{RHR}") as event:
                waiting = [asyncio.create_task(app_source.read("ada", 0)) for _ in range(200)]
                await asyncio.to_thread(until, lambda: server.count(f"/ada/{RHR}"))
                assert rhr(await app_source.read("bob", 0)) == 2
                event.set()
            return await asyncio.gather(*waiting)

        assert len({id(each) for each in asyncio.run(run())}) == 1


class TestCommand:
    def test_serve_takes_the_url_of_a_bucket(self, server: S3Server, url: str) -> None:
        with started("serve", url, "--port", "0", module=CLI, env=server.environ) as process:
            base = process.wait_for(r"http://[^ ]+/").rstrip("/")
            assert ask(base, "GET", f"{ROOT}/profiles/ada/overview").status == 200
