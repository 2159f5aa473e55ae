"""The example store in a bucket keeps the contract of stores, over the protocol of S3."""

import os
from collections.abc import Iterator

import pytest
from obstore.exceptions import GenericError
from stores.s3_store import BucketStore, open_bucket

from devicestatus.store_contract import AnyStore, StoreContract
from support.servers.s3_server import s3_server

pytestmark = pytest.mark.check

BUCKET = "status"


def bucket(endpoint: str, prefix: str = "") -> BucketStore:
    """Return a store in the bucket."""
    keys = {"access_key_id": "any", "secret_access_key": "any", "region": "us-east-1"}
    return BucketStore(open_bucket(BUCKET, endpoint=endpoint, **keys), prefix)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with s3_server(BUCKET) as server:
        yield server.url


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
