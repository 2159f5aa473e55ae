"""A simulation of S3, one request at a time: python -m support.servers.bucket_server PORT.

It is a process of its own, because the simulation leaves files open.
"""

import sys
from threading import Lock
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple


def main(port: int) -> None:
    """Serve until the process is ended."""
    backend = DomainDispatcherApplication(create_backend_app)
    turn = Lock()

    def one_at_a_time(environ: Any, start_response: Any) -> list[bytes]:
        with turn:
            return [b"".join(backend(environ, start_response))]

    run_simple("127.0.0.1", port, one_at_a_time, threaded=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
