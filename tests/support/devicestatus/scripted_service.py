"""A service on a socket that answers uploads by a script."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

import attrs

from support.servers.servers import serve_handler

Script = tuple[int, bytes] | Callable[[BaseHTTPRequestHandler], None]


@attrs.define
class Received:
    """A request that the server received."""

    path: str
    headers: dict[str, str]
    body: Any


@contextmanager
def service(*script: Script) -> Iterator[tuple[str, list[Received]]]:
    """Serve a script of responses, the last one for ever; yield the URL and the requests."""
    received: list[Received] = []

    class Handler(BaseHTTPRequestHandler):
        answers: ClassVar[list[Script]] = list(script)

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            received.append(Received(self.path, headers, json.loads(sent)))
            answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
            if callable(answer):
                with suppress(ConnectionError):  # the agent went away, as it should
                    answer(self)
                return
            self.send_response(answer[0])
            if answer[0] in {301, 302, 307, 308}:
                self.send_header("Location", answer[1].decode())
            self.send_header("Content-Length", str(len(answer[1])))
            self.end_headers()
            self.wfile.write(answer[1])

    with serve_handler(Handler) as url:
        yield url, received
