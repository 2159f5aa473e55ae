"""Answers of a running service, judged: what is asked, what must come back, and what is wrong.

A round is a generator: it yields probes, is sent their answers, and makes later probes of them.  It
performs nothing itself; `ask` sends one probe.
"""

import asyncio
import http.client
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import closing
from typing import Any, Final
from urllib.parse import urlsplit

import attrs

from purewire.adapters.commands.exit_codes import CANNOT, Failed
from purewire.json import codec

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

_PATIENCE_SECONDS: Final = 20
_NO_HEADERS: Final[Mapping[str, str]] = {}


@attrs.frozen
class Answer:
    """What came back; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def members(self) -> dict[str, Any]:
        """The JSON object in the body; empty where there is none."""
        try:
            value = codec.decode(self.body)
        except (codec.JsonTextError, codec.JsonDepthError):
            return {}
        return value if isinstance(value, dict) else {}

    def begins(self, media_type: str, start: bytes) -> bool:
        """Tell whether the body is of a media type and begins as its format does."""
        return self.headers.get("content-type", "") == media_type and self.body.startswith(start)


@attrs.frozen
class Probe:
    """One request, and what its answer must be.

    Attributes:
        method: the method.
        path: the path.
        status: the status that the answer must have.
        words: what it is, for a person.
        holds: whether the rest of the answer is right.
        headers: headers of the request.
        body: body of the request.

    """

    method: str
    path: str
    status: int
    words: str
    holds: Callable[[Answer], bool] = lambda _: True
    headers: Mapping[str, str] = _NO_HEADERS
    body: bytes | None = None


Round = Generator[Probe, Answer, None]


def ask(base_url: str, probe: Probe) -> Answer:
    """Send a probe; raises OSError or http.client.HTTPException where no answer comes back."""
    address = urlsplit(base_url)
    connection = http.client.HTTPConnection(
        address.hostname or "", address.port, timeout=_PATIENCE_SECONDS
    )
    with closing(connection):
        connection.request(probe.method, probe.path, probe.body, dict(probe.headers))
        with connection.getresponse() as response:
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, headers, response.read())


async def answer_to(base_url: str, probe: Probe) -> Answer:
    """Send a probe from an event loop; raises Failed where no answer comes back."""
    try:
        return await asyncio.to_thread(ask, base_url, probe)
    except (OSError, http.client.HTTPException) as fault:
        name = type(fault).__name__
        raise Failed(CANNOT, f"{probe.method} {probe.path}: no answer ({name})") from None


async def go_round(asking: Round, answer: Callable[[Probe], Awaitable[Answer]]) -> None:
    """Have every probe of a round answered, one after the other."""
    try:
        probe = next(asking)
        while True:
            probe = asking.send(await answer(probe))
    except StopIteration:
        return


def fault_of(probe: Probe, answer: Answer) -> str | None:
    """Say what is wrong with an answer, or None; quotes nothing of it."""
    if answer.status != probe.status:
        return f"{probe.status} was expected"
    if answer.headers.get("access-control-allow-origin") != "*":
        return "other origins may not read it"
    if (probe.method == "HEAD" or answer.status in {204, 304}) and answer.body:
        return "it has a body"
    return None if probe.holds(answer) else "its content is not what was expected"


def same_again(path: str, methods: str) -> Round:
    """Ask for one answer in every way there is: whole, its headers, known already, its preflight.

    Args:
        path: of a resource that is only read, and has an entity tag.
        methods: the methods that the resource allows, as the headers list them.

    """
    answer = yield Probe("GET", path, 200, "an answer, to be kept")
    yield Probe("HEAD", path, 200, "its headers", has_headers_of(answer))
    known = {"If-None-Match": answer.headers.get("etag", "")}
    yield Probe("GET", path, 304, "the answer, known already", headers=known)
    yield Probe("OPTIONS", path, 204, "its preflight", allows(methods))
    yield Probe("POST", path, 405, "it is only read", offers(methods))


def row(method: str, path: str, status: int, words: str) -> str:
    """Give the line of a table of answers."""
    return f"{method:<7} {path:<32} {status}  {words}"


def allows(methods: str) -> Callable[[Answer], bool]:
    """Expect a preflight that allows these methods."""
    return lambda it: it.headers.get("access-control-allow-methods") == methods


def offers(methods: str) -> Callable[[Answer], bool]:
    """Expect an `Allow` of these methods."""
    return lambda it: it.headers.get("allow") == methods


def is_same(answer: Answer) -> Callable[[Answer], bool]:
    """Expect the body of another answer."""
    return lambda it: it.body == answer.body


def has_headers_of(answer: Answer) -> Callable[[Answer], bool]:
    """Expect what another answer says of its body."""
    names = ("content-type", "content-length", "etag", "cache-control")
    return lambda it: all(it.headers.get(name) == answer.headers.get(name) for name in names)
