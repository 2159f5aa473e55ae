"""Probes: requests to a running service, and checks of the responses.

A round is a generator: it yields probes, receives their responses, and derives later probes from
them.  `ask` sends one probe.
"""

import asyncio
import http.client
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import closing
from typing import Any, Final
from urllib.parse import urlsplit

import attrs

from status_contracts import json_text as codec
from status_contracts.cli.exit_codes import CANNOT, Failed

__all__ = [
    "Answer",
    "Probe",
    "Round",
    "allows",
    "answer_to",
    "ask",
    "fault_of",
    "go_round",
    "has_headers_of",
    "is_same",
    "offers",
    "row",
    "same_again",
]

_TIMEOUT_SECONDS: Final = 20
_NO_HEADERS: Final[Mapping[str, str]] = {}


@attrs.frozen
class Answer:
    """A response; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def members(self) -> dict[str, Any]:
        """The JSON object in the body; empty if there is none."""
        try:
            value = codec.decode(self.body)
        except (codec.JsonTextError, codec.JsonDepthError):
            return {}
        return value if isinstance(value, dict) else {}

    def begins(self, media_type: str, start: bytes) -> bool:
        """Check whether the body has a media type and begins with the bytes of its format."""
        return self.headers.get("content-type", "") == media_type and self.body.startswith(start)


@attrs.frozen
class Probe:
    """A request and the expected response.

    Attributes:
        method: the method.
        path: the path.
        status: the expected status.
        label: description for the table.
        holds: checks the rest of the response.
        headers: headers of the request.
        body: body of the request.

    """

    method: str
    path: str
    status: int
    label: str
    holds: Callable[[Answer], bool] = lambda _: True
    headers: Mapping[str, str] = _NO_HEADERS
    body: bytes | None = None


Round = Generator[Probe, Answer, None]


def ask(base_url: str, probe: Probe) -> Answer:
    """Send a probe; raise OSError or http.client.HTTPException if there is no response."""
    address = urlsplit(base_url)
    connection = http.client.HTTPConnection(
        address.hostname or "", address.port, timeout=_TIMEOUT_SECONDS
    )
    with closing(connection):
        connection.request(probe.method, probe.path, probe.body, dict(probe.headers))
        with connection.getresponse() as response:
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, headers, response.read())


async def answer_to(base_url: str, probe: Probe) -> Answer:
    """Send a probe from an event loop; raise Failed if there is no response."""
    try:
        return await asyncio.to_thread(ask, base_url, probe)
    except (OSError, http.client.HTTPException) as fault:
        name = type(fault).__name__
        raise Failed(CANNOT, f"{probe.method} {probe.path}: no response ({name})") from None


async def go_round(asking: Round, answer: Callable[[Probe], Awaitable[Answer]]) -> None:
    """Send the probes of a round one after the other."""
    try:
        probe = next(asking)
        while True:
            probe = asking.send(await answer(probe))
    except StopIteration:
        return


def fault_of(probe: Probe, answer: Answer) -> str | None:
    """Return what is wrong with a response, or None; quotes nothing of it."""
    if answer.status != probe.status:
        return f"expected {probe.status}"
    if answer.headers.get("access-control-allow-origin") != "*":
        return "it has no Access-Control-Allow-Origin: *"
    if (probe.method == "HEAD" or answer.status in {204, 304}) and answer.body:
        return "it has a body"
    return None if probe.holds(answer) else "its content differs from the expected one"


def same_again(path: str, methods: str) -> Round:
    """Request a resource with every method, and conditionally.

    The probes are: GET, HEAD, a conditional GET, a preflight, POST.

    Args:
        path: path of a read-only resource with an entity tag.
        methods: its allowed methods, as in the headers.

    """
    answer = yield Probe("GET", path, 200, "a response with an entity tag")
    yield Probe("HEAD", path, 200, "its headers", has_headers_of(answer))
    known = {"If-None-Match": answer.headers.get("etag", "")}
    yield Probe("GET", path, 304, "not modified", headers=known)
    yield Probe("OPTIONS", path, 204, "its preflight", allows(methods))
    yield Probe("POST", path, 405, "a read-only resource", offers(methods))


def row(method: str, path: str, status: int, label: str) -> str:
    """Return a line of the table of responses."""
    return f"{method:<7} {path:<32} {status}  {label}"


def allows(methods: str) -> Callable[[Answer], bool]:
    """Expect a preflight that allows these methods."""
    return lambda it: it.headers.get("access-control-allow-methods") == methods


def offers(methods: str) -> Callable[[Answer], bool]:
    """Expect an `Allow` of these methods."""
    return lambda it: it.headers.get("allow") == methods


def is_same(answer: Answer) -> Callable[[Answer], bool]:
    """Expect the body of another response."""
    return lambda it: it.body == answer.body


def has_headers_of(answer: Answer) -> Callable[[Answer], bool]:
    """Expect the headers of another response about its body."""
    names = ("content-type", "content-length", "etag", "cache-control")
    return lambda it: all(it.headers.get(name) == answer.headers.get(name) for name in names)
