"""The example store in a bucket keeps the contract of stores, over the protocol of S3."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread

import pytest
from obstore.exceptions import GenericError
from stores.s3_store import BucketStore, open_bucket

from devicestatus.testing.stores import AnyStore, StoreContract
from support.servers.ports import free_port
from support.servers.servers import ask
from support.servers.services import REQUIRED, need

SERVER = Path(__file__).parents[2] / "tools/node/node_modules/s3rver/bin/s3rver.js"
START_SECONDS = 30
BUCKET = "status"


def bucket(endpoint: str, prefix: str = "") -> BucketStore:
    """Return a store in the bucket, with the keys that the server accepts."""
    keys = {"access_key_id": "S3RVER", "secret_access_key": "S3RVER", "region": "us-east-1"}
    return BucketStore(open_bucket(BUCKET, endpoint=endpoint, **keys), prefix)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a bucket in a folder, by a server that speaks the protocol of S3."""
    if not SERVER.exists() and not REQUIRED:
        pytest.skip("needs `npm ci --prefix tools/node`")
    port, folder = free_port(), tmp_path_factory.mktemp("buckets")
    url = f"http://127.0.0.1:{port}"
    options = ["-a", "127.0.0.1", "-p", str(port), "-d", str(folder), "--configure-bucket", BUCKET]
    command = [need("node"), str(SERVER), "--silent", *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(url):
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.1)
        with _one_at_a_time(url) as proxy:
            yield proxy
    finally:
        process.kill()
        process.wait()


@contextmanager
def _one_at_a_time(url: str) -> Iterator[str]:
    """Hand on one request at a time: S3 replaces an object at once, this server does not."""
    turn = Lock()

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with turn:
                answer = ask(url, self.command, self.path, self.headers.items(), body)
            self.send_response_only(answer.status)
            for name, value in answer.headers:
                if name not in {"connection", "transfer-encoding", "content-length"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        do_PUT = do_GET  # noqa: N815 - http.server names it

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _answers(url: str) -> bool:
    try:
        return bool(ask(url, "GET", f"/{BUCKET}").status)
    except OSError:
        return False


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
