"""The example store in a bucket keeps the contract of stores, over the protocol of S3."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

import boto3
import pytest
from obstore.exceptions import GenericError
from stores.s3_store import BucketStore, open_bucket

from devicestatus.testing.stores import AnyStore, StoreContract
from support.servers.ports import free_port
from support.servers.servers import TESTS, ask

START_SECONDS = 30


def bucket(name: str, endpoint: str) -> BucketStore:
    """Return a store in a bucket, with keys that the simulation accepts."""
    keys = {"access_key_id": "test", "secret_access_key": "test", "region": "us-east-1"}
    return BucketStore(open_bucket(name, endpoint=endpoint, **keys))


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "support.servers.bucket_server", str(port)]
    process = subprocess.Popen(command, cwd=TESTS, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with suppress(OSError):
                ask(url, "GET", "/moto-api/")
                break
            time.sleep(0.1)
        yield url
    finally:
        process.kill()
        process.wait()


class TestBucketStore(StoreContract):
    durable = True

    @pytest.fixture(autouse=True)
    def _make_bucket(self, endpoint: str) -> None:
        self.endpoint = endpoint

    def make_store(self) -> BucketStore:
        self.name = f"status-{os.urandom(8).hex()}"
        client = boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
        client.create_bucket(Bucket=self.name)
        return bucket(self.name, self.endpoint)

    def reopen(self, _store: AnyStore) -> BucketStore:
        return bucket(self.name, self.endpoint)


def test_a_bucket_that_cannot_be_reached_raises() -> None:
    with pytest.raises(GenericError):
        bucket("none", "http://127.0.0.1:9").get("now")
