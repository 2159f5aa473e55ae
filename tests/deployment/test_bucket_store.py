"""The example store in a bucket keeps the contract of stores, over the protocol of S3."""

import os
from collections.abc import Iterator

import pytest
from moto.server import ThreadedMotoServer
from obstore.exceptions import GenericError
from stores.s3_store import BucketStore, open_bucket

from devicestatus.testing.stores import AnyStore, StoreContract
from support.servers.servers import ask

BUCKET = "status"


def bucket(endpoint: str, prefix: str = "") -> BucketStore:
    """Return a store in the bucket."""
    keys = {"access_key_id": "any", "secret_access_key": "any", "region": "us-east-1"}
    return BucketStore(open_bucket(BUCKET, endpoint=endpoint, **keys), prefix)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Serve a bucket by a server that speaks the protocol of S3."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        url = f"http://{host}:{port}"
        assert ask(url, "PUT", f"/{BUCKET}").status == 200
        yield url
    finally:
        server.stop()


class TestBucketStore(StoreContract):
    durable = True

    @pytest.fixture(autouse=True)
    def _server(self, endpoint: str) -> None:
        self.endpoint = endpoint

    def make_store(self) -> BucketStore:
        self.prefix = f"{os.urandom(8).hex()}/"
        return bucket(self.endpoint, self.prefix)

    def reopen(self, _store: AnyStore) -> BucketStore:
        return bucket(self.endpoint, self.prefix)


def test_a_bucket_that_cannot_be_reached_raises() -> None:
    with pytest.raises(GenericError):
        bucket("http://127.0.0.1:9").get("now")
