"""A deployment as the checks see it, and requests that they share."""

from collections.abc import Callable, Generator
from functools import cache
from typing import Any, Final
from xml.etree import ElementTree as ET

import attrs

from devicestatus.conformance.bodies import encode, nothing, snapshot
from devicestatus.models.responses import OfflineStatus, UpdateResult
from purewire.conformance.checks import (
    Arguments,
    CheckFailed,
    Effect,
    Finish,
    NotTestable,
    ReadClock,
    Reply,
    Send,
    Suite,
    TokenForm,
    Unchecked,
    Wait,
    expect,
    expect_equal,
    shorten,
)
from purewire.http.conditional import parse_http_date
from purewire.instants import format_instant, parse_utc
from purewire.structuring.decoder import ModelDecoder

OFFLINE: Final = {"status": OfflineStatus().status}
JSON_TYPE: Final = "application/json; charset=utf-8"
_SETTLE_WAIT_MS: Final = 1_000
_SETTLE_WAITS: Final = 35
"""Waits for a write to be shown: a store may serve reads from a cache of 30 s (DS-CACHE-05)."""
_TOTAL_WAITS: Final = 150
"""Such waits of a whole run, so that it ends in minutes also if nothing is ever shown."""
_DATE_STEP_MS: Final = 1_000


@attrs.define
class RemainingWaits:
    """The waits for the store that a run has left."""

    left: int = _TOTAL_WAITS


@attrs.frozen
class Deployment:
    """A deployment as the checks see it.

    Attributes:
        arguments: how the suite is run.
        offset_ms: the deployment's clock minus the local clock.
        uncertainty_ms: how far the offset may be off, either way.
        lifetime_ms: how long a snapshot is valid; None if nothing may be written.
        waits: how often the run may still wait for the store.

    """

    arguments: Arguments
    offset_ms: int
    uncertainty_ms: int
    lifetime_ms: int | None = None
    waits: RemainingWaits = attrs.field(factory=RemainingWaits, eq=False)

    @property
    def margin_ms(self) -> int:
        """Return the distance from a bound of time that decides, ms; 0 if the clock is exact."""
        return 2 * self.uncertainty_ms + 250 if self.uncertainty_ms else 0

    def now(self) -> Generator[Effect, Any, int]:
        """Return the deployment's time, ms since the epoch."""
        local: int = yield ReadClock()
        return local + self.offset_ms


def learn(arguments: Arguments) -> Generator[Effect, Any, Deployment]:
    """Find out whether this is a device-status deployment, and what its clock shows.

    If the record may be replaced, a snapshot is written: its receive time is exact.

    Raises:
        NotTestable: neither `/api/health` nor `/api/now` is one of this service, or the token is
            wrong.

    """
    health: Reply = yield Send("GET", "/api/health")
    if not _is_object(health, "ok"):
        status: Reply = yield Send("GET", "/api/now")
        if not _is_object(status, "status"):
            raise NotTestable(
                f"/api/health has status {health.status} and no body with ok, "
                f"/api/now has status {status.status} and no body with status;"
                " the URL is the one below which both are"
            )
    deployment = _with_date(arguments, health)
    if not (arguments.write and arguments.has_token):
        return deployment
    now = yield from deployment.now()
    written = yield from post("/api/update", encode(snapshot(now)))
    if written.status == 401:
        raise NotTestable("the token is wrong: POST /api/update has status 401")
    try:
        result = expect_model(written, UpdateResult)
    except CheckFailed:
        return deployment  # the checks of writes fail, and say why
    half = (written.received_at - written.sent_at + 1) // 2
    offset = result.updated_at - written.sent_at - half
    return Deployment(arguments, offset, half, result.expires_at - result.updated_at)


def _is_object(reply: Reply, member: str) -> bool:
    try:
        return reply.status == 200 and member in reply.object()
    except CheckFailed:
        return False


def _with_date(arguments: Arguments, reply: Reply) -> Deployment:
    """Return what the Date header tells; without one the clocks are taken to be equal."""
    date = reply.header("date")
    if date is None:
        return Deployment(arguments, 0, 0)
    whole_seconds = parse_http_date(date)
    if whole_seconds is None:
        raise NotTestable(f"the Date header {date!r} is not an HTTP date")
    # Fractions are cut off: the clock is half a second later on average.
    server = whole_seconds + _DATE_STEP_MS // 2
    uncertainty = _DATE_STEP_MS // 2 + (reply.received_at - reply.sent_at + 1) // 2
    offset = server - (reply.sent_at + reply.received_at) // 2
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
    token_form: TokenForm = TokenForm.EXACT,
) -> Generator[Effect, Any, Reply]:
    """Send a body, by default with the token and as JSON."""
    lines = headers if content_type is None else (("Content-Type", content_type), *headers)
    reply: Reply = yield Send("POST", path, lines, body, authorized, token_form)
    return reply


def write(path: str, body: bytes) -> Generator[Effect, Any, UpdateResult]:
    """Send a valid body, and return what the deployment says about the write.

    Raises:
        CheckFailed: it is not accepted as the contract requires.

    """
    reply = yield from post(path, body)
    result: UpdateResult = expect_model(reply, UpdateResult)
    return result


def settled(
    deployment: Deployment,
    path: str,
    is_new: Callable[[dict[str, Any]], bool],
    expected: str,
) -> Generator[Effect, Any, Reply]:
    """Read a path until the response is about the last write; the store may need some seconds.

    Args:
        deployment: the deployment.
        path: what to read.
        is_new: returns whether a body is about the last write.
        expected: what `is_new` looks for, as a phrase.

    Raises:
        CheckFailed: it still is not, after 35 s.
        Unchecked: it is not, and the run has waited for the store for too long.

    """
    waited = 0
    while True:
        reply = yield from get(path)
        if reply.status != 200 or is_new(reply.object()):
            return reply
        bound = f"GET {path} to show {expected} within {_SETTLE_WAITS} s of the write"
        expect(waited < _SETTLE_WAITS, bound, reply.body)
        if not deployment.waits.left:
            raise Unchecked(
                f"GET {path} does not show the last write, and earlier checks waited for the store "
                f"{_TOTAL_WAITS} s in all; run this check alone",
                inconclusive=True,
            )
        waited += 1
        deployment.waits.left -= 1
        yield Wait(_SETTLE_WAIT_MS)


def read_back(
    deployment: Deployment, path: str, result: UpdateResult
) -> Generator[Effect, Any, Reply]:
    """Read a path until its `updated_at` is that of a write."""
    updated_at = format_instant(result.updated_at)
    return (
        yield from settled(
            deployment,
            path,
            lambda shown: is_of(shown, result),
            f"updated_at {updated_at}",
        )
    )


def is_of(shown: dict[str, Any], result: UpdateResult) -> bool:
    """Return whether a body is about a write; only the instant counts, not how it is written."""
    updated_at = shown.get("updated_at")
    try:
        return isinstance(updated_at, str) and parse_utc(updated_at) == result.updated_at
    except ValueError:
        return False


def expect_model(reply: Reply, model: type[attrs.AttrsInstance]) -> Any:  # noqa: ANN401
    """Return the model of a JSON body.

    Raises:
        CheckFailed: the response has another status or media type, or breaks the model's rules.

    """
    expect_equal("status", reply.status, 200)
    expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
    reply.json()
    decoded, findings = _decoder(model).decode_with_findings(reply.body)
    found = "; ".join(map(str, findings))
    expect(not findings, f"a body of the form {model.__name__}", f"{found} in {reply.json()!r}")
    return decoded


@cache
def _decoder(model: type[attrs.AttrsInstance]) -> ModelDecoder[Any]:
    """Return the decoder of a model; to derive one takes longer than to decode a response."""
    return ModelDecoder(model, cap=10)


def svg_texts(reply: Reply) -> list[str]:
    """Return the contents of all elements of an SVG body that contain text, escapes resolved.

    Raises:
        CheckFailed: the response has another status, or its body is not SVG.

    """
    expect_equal("status", reply.status, 200)
    expected = "well-formed SVG without a document type"
    expect(b"<!DOCTYPE" not in reply.body, expected, reply.body)
    try:
        root = ET.fromstring(reply.body)  # noqa: S314 - without a document type there are no entities
    except ET.ParseError as error:
        raise CheckFailed(expected, f"{error} in {shorten(reply.body)}") from error
    expect(root.tag == "{http://www.w3.org/2000/svg}svg", expected, f"the root element {root.tag}")
    texts = ("".join(element.itertext()) for element in root.iter())
    return [text for text in texts if text]


def _finish(deployment: Deployment) -> Finish:
    now = yield from deployment.now()
    result = yield from write("/api/update", encode(nothing(now)))
    expires = format_instant(result.expires_at)
    return f"The record of the deployment is now a snapshot that reports nothing, until {expires}."


SUITE: Final[Suite[Deployment]] = Suite("devicestatus", learn, _finish)
