"""What the checks know of a deployment, and requests that they share."""

from collections.abc import Callable, Generator
from email.utils import parsedate_to_datetime
from typing import Any, Final

import attrs

from devicestatus.models.responses import OfflineStatus
from purewire.conformance.checks import (
    Arguments,
    Effect,
    NotJudged,
    ReadClock,
    Reply,
    Send,
    Unchecked,
    Wait,
    expect,
    expect_equal,
)
from purewire.instants import from_datetime, parse_millisecond
from purewire.structuring.decoder import ModelDecoder

__all__ = ["Deployment", "expect_model", "get", "learn", "post", "settled"]

OFFLINE: Final = {"status": OfflineStatus().status}
JSON_TYPE: Final = "application/json; charset=utf-8"
SETTLE_WAIT_MS: Final = 1_000
SETTLE_ATTEMPTS: Final = 35
"""Attempts to read a write of an eventually consistent store: its cache may last 30 s."""
_DATE_STEP_MS: Final = 1_000


@attrs.frozen
class Deployment:
    """What the checks know of a deployment.

    Attributes:
        arguments: how the suite is run.
        offset_ms: the deployment's clock minus the local clock.
        uncertainty_ms: how far the offset may be off, either way.

    """

    arguments: Arguments
    offset_ms: int
    uncertainty_ms: int

    def now(self) -> Generator[Effect, Any, int]:
        """Return the deployment's time, ms since the epoch."""
        local: int = yield ReadClock()
        return local + self.offset_ms


def learn(arguments: Arguments) -> Generator[Effect, Any, Deployment]:
    """Find out whether this is a device-status deployment, and what its clock shows.

    Raises:
        NotJudged: `/api/health` does not respond as the contract requires.

    """
    reply: Reply = yield Send("GET", "/api/health")
    if (
        reply.status != 200
        or not isinstance(reply.json(), dict)
        or reply.json().get("ok") is not True
    ):
        raise NotJudged(f"/api/health has status {reply.status}, and not a body with ok true")
    date = reply.header("date")
    if date is None:
        local: int = yield ReadClock()
        return Deployment(arguments, reply.received_at - local, 0)
    try:
        # Date has whole seconds, cut off: the clock is half a second later on average.
        server = from_datetime(parsedate_to_datetime(date)) + _DATE_STEP_MS // 2
    except ValueError as error:
        raise NotJudged(f"the Date header {date!r} is not an HTTP date") from error
    middle = (reply.sent_at + reply.received_at) // 2
    uncertainty = _DATE_STEP_MS // 2 + (reply.received_at - reply.sent_at + 1) // 2
    offset = server - middle
    # Most deployments have a synchronized clock; Date alone is not finer than a second.
    return Deployment(arguments, 0 if abs(offset) <= uncertainty else offset, uncertainty)


def get(path: str, *headers: tuple[str, str], method: str = "GET") -> Generator[Effect, Any, Reply]:
    """Request a path."""
    reply: Reply = yield Send(method, path, headers)
    return reply


def post(
    path: str,
    body: bytes,
    *headers: tuple[str, str],
    content_type: str | None = "application/json",
    authorized: bool = True,
) -> Generator[Effect, Any, Reply]:
    """Send a body, by default with the token and as JSON."""
    lines = headers if content_type is None else (("Content-Type", content_type), *headers)
    reply: Reply = yield Send("POST", path, lines, body, authorized)
    return reply


def settled(path: str, is_new: Callable[[Any], bool]) -> Generator[Effect, Any, Reply]:
    """Read a path until the response is about the last write; the store may need some seconds.

    Raises:
        Unchecked: it still is not, after 35 attempts.

    """
    for _ in range(SETTLE_ATTEMPTS):
        reply = yield from get(path)
        if reply.status != 200 or is_new(reply.json()):
            return reply
        yield Wait(SETTLE_WAIT_MS)
    raise Unchecked(
        f"GET {path} did not show the last write after {SETTLE_ATTEMPTS} attempts",
        inconclusive=True,
    )


def expect_model(reply: Reply, model: type[attrs.AttrsInstance]) -> Any:  # noqa: ANN401
    """Return the model of a JSON body.

    Raises:
        CheckFailed: the response has another status or media type, or breaks the model's rules.

    """
    expect_equal("status", reply.status, 200)
    expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
    reply.json()
    decoded, findings = ModelDecoder(model, cap=10).decode_with_findings(reply.body)
    found = "; ".join(map(str, findings))
    expect(not findings, f"a body of the form {model.__name__}", f"{found} in {reply.json()!r}")
    return decoded


def server_time_of(body: dict[str, Any]) -> int:
    """Return `server_time` of a timeline response."""
    return parse_millisecond(body["server_time"])
