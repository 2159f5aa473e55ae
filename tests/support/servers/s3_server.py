"""A server of the protocol of S3 (moto)."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread
from typing import Any

import attrs
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from support.servers.servers import ask

KEYS = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_REGION": "us-east-1"}


@attrs.define
class S3Server:
    """A running server."""

    url: str = ""
    _app: Any = attrs.field(
        factory=lambda: DomainDispatcherApplication(create_backend_app), repr=False
    )
    _lock: Lock = attrs.field(factory=Lock, repr=False)

    @property
    def environ(self) -> dict[str, str]:
        """The environment of clients."""
        return {**KEYS, "AWS_ENDPOINT_URL": self.url}

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        with self._lock:  # S3 replaces an object at once, moto does not
            found: Iterable[bytes] = self._app(environ, start_response)
            return found


@contextmanager
def s3_server(bucket: str) -> Iterator[S3Server]:
    """Serve an empty bucket."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    running = S3Server()
    with make_server("127.0.0.1", 0, running, threaded=True) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        running.url = f"http://127.0.0.1:{server.server_port}"
        assert ask(running.url, "PUT", f"/{bucket}").status == 200
        yield running
        server.shutdown()
