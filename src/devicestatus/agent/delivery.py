"""Decide what an agent does after each response to an upload, or without one.

An upload is a snapshot (`POST /api/update`) or a window (`POST /api/batch`).
Invariant *only the service's response counts*: a 200 is an acceptance only if its body is a valid
`UpdateResult` (other members are ignored); a code counts only under its own status.  What else
comes is from a proxy, a captive portal or another service, and is over when that is: the agent
tries again, after the longest wait where the status is 3xx or 4xx.
Invariant *refused is not repeated*: an upload refused for its content (400, 413, 415) is never sent
again unchanged.
Invariant *stop*: the service's own `unauthorized`, `not_found` or `method_not_allowed` ends the
agent, and nothing else does; only a user can correct a token or an address.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final, Literal

import attrs

from devicestatus import limits
from devicestatus.errors import STATUS_OF, ErrorCode
from devicestatus.parsing import Kind
from devicestatus.responses import UpdateResult
from status_contracts import json_text
from status_contracts.conditional import parse_http_date
from status_contracts.instants import DAY_MS, MINUTE_MS, SECOND_MS
from status_contracts.structuring.decoder import ModelDecoder, ValidationError

__all__ = [
    "JITTER",
    "Action",
    "Decision",
    "Skew",
    "UploadResponse",
    "decide",
    "estimate_skew",
    "parse_response",
]

Action = Literal["accepted", "retry", "shrink", "fix-clock", "drop", "stop"]
"""What an agent does after a response."""

JITTER: Final = (0.8, 1.0)
"""Range of the back-off factor that the caller draws, so that agents do not retry in step."""

_DOUBLINGS: Final = 5  # further ones exceed the longest wait

_DATE_STEP_MS: Final = 2 * SECOND_MS
"""Error bound of a Date: it is truncated to its second, and servers renew theirs once a second."""
_HOUR_MS: Final = 60 * MINUTE_MS
_UNITS: Final = ((DAY_MS, "days"), (_HOUR_MS, "hours"), (MINUTE_MS, "minutes"))

_OK: Final = 200
_UPDATE_RESULT: Final = ModelDecoder(UpdateResult, unknown="drop")


@attrs.frozen
class UploadResponse:
    """A response to an upload.

    Attributes:
        code: the error code, where the body has one that belongs to this status; else None.
        date_ms: its Date header, ms since the epoch; None where it has none that can be read.
        lifetime_ms: time from receiving an accepted upload to its deadline; else None.
        url: what messages name as the URL of the upload.

    """

    status: int
    code: ErrorCode | None = None
    accepted: bool = False
    date_ms: int | None = None
    lifetime_ms: int | None = None
    url: str = "this URL"


@attrs.frozen
class Skew:
    """Lead of this clock over that of the service, within two bounds; negative where behind."""

    min_ms: int
    max_ms: int

    @property
    def midpoint_ms(self) -> int:
        """The best estimate."""
        return (self.min_ms + self.max_ms) // 2

    def exceeds(self, limit_ms: int) -> bool:
        """Check whether the clock is certainly off, and possibly by more than a limit."""
        is_certain = self.min_ms * self.max_ms > 0
        return is_certain and max(-self.min_ms, self.max_ms) > limit_ms


@attrs.frozen
class Decision:
    """The next action of an agent.

    Attributes:
        action: `accepted`: go on; `retry`: after `wait_ms` send a new snapshot, or a new window, of
            the last 15 minutes and with the next `batch_seq`; `shrink`: send a window of at most
            `most_bytes`; `fix-clock`: never send this one again, correct the clock, or the times of
            later uploads, by `correction_ms`; `drop`: never send this one again, go on; `stop`:
            end, only a user can help.
        wait_ms: time until the next try; None means the regular interval of the caller's policy, or
            after `stop` that there is no next.
        message: what happened, for a user; quotes neither the response nor the upload.
        most_bytes: the longest body that this and later windows may have; None leaves it unchanged.
        correction_ms: to be added to this machine's time to get the service's; else None.

    """

    action: Action
    wait_ms: int | None
    message: str
    most_bytes: int | None = None
    correction_ms: int | None = None


_Outcome = tuple[Action, str]
"""An action and its message."""

_UNKNOWN_RESPONSE: Final[_Outcome] = ("retry", "the response is not one of a device-status service")
_SERVER_ERROR: Final[_Outcome] = (
    "retry",
    "the service, or a proxy before it, reports a server error",
)
_REDIRECT: Final = (
    "{url} redirects, and the token is not sent to another URL: log in to the network, or give"
    " the final URL"
)
_REFUSAL: Final = (
    "the status {status} of {url} is not an answer of a device-status service: check the URL, if it"
    " is not a proxy whose service starts"
)
_OUTCOMES_BY_CLASS: Final[Mapping[int, _Outcome]] = {
    3: ("retry", _REDIRECT),
    4: ("retry", _REFUSAL),
    5: _SERVER_ERROR,
}
"""First digit of a status without a code to its outcome; all other statuses are unknown."""
_OUTAGES: Final[Mapping[int, _Outcome]] = {
    408: _SERVER_ERROR,
    429: ("retry", "too many requests, according to a proxy before the service"),
}
"""Statuses 4xx without a code that are over as soon as an outage is."""

_OUTCOMES: Final[Mapping[ErrorCode, _Outcome]] = {
    "invalid_json": ("drop", "refused as invalid JSON: a proxy on the way changes the body"),
    "invalid_payload": (
        "drop",
        (
            "refused as invalid: check this machine's clock and the version of the service;"
            " `devicestatus agent --dry-run` shows the body, `devicestatus validate` explains one"
        ),
    ),
    "unauthorized": (
        "stop",
        "the service does not accept the token: check INGEST_TOKEN or the token file",
    ),
    "not_found": ("stop", "no endpoint for {upload}s at {url}: {remedy}"),
    "method_not_allowed": ("stop", "{url} does not accept {upload}s: check the URL"),
    "payload_too_large": ("drop", "refused as too large: the snapshot is dropped"),
    "unsupported_media_type": (
        "drop",
        "refused because of its media type: a proxy on the way changes the headers",
    ),
    "service_unavailable": ("retry", "the service has no working store or configuration"),
}
_TOO_LARGE: Final = "refused as too large: the window is at its smallest and is dropped"


def parse_response(status: int, body: bytes, date: str | None = None) -> UploadResponse:
    """Parse a response from its status, the start of its body and its Date; never raise.

    Members that the contract does not have are ignored, because agents outlive versions of the
    service.  A Date that cannot be parsed counts as missing.
    """
    result, error = None, None
    with suppress(ValidationError, *json_text.JSON_ERRORS):
        if status == _OK:
            result = _UPDATE_RESULT.decode(body)
        elif isinstance(value := json_text.decode(body), dict):
            error = value.get("error")
    return UploadResponse(
        status,
        next((code for code, of in STATUS_OF.items() if (code, of) == (error, status)), None),
        accepted=result is not None,
        date_ms=None if date is None else parse_http_date(date.strip(" \t")),
        lifetime_ms=None if result is None else result.expires_at - result.updated_at,
    )


def estimate_skew(date_ms: int | None, *, sent_at: int, received_at: int) -> Skew | None:
    """Estimate the error of this machine's clock from the Date of a response.

    The service wrote the Date at some time between the request and the response, and less than two
    seconds after the instant that it names; so the result is an interval.

    Args:
        date_ms: the `UploadResponse.date_ms`.
        sent_at: this machine's time when the upload began, ms since the epoch.
        received_at: the same clock's time when the response arrived.

    Returns:
        None where there is no Date, or the clock was set back meanwhile.

    """
    if date_ms is None or received_at < sent_at:
        return None
    return Skew(sent_at - date_ms - _DATE_STEP_MS + 1, received_at - date_ms)


def decide(
    response: UploadResponse | None,
    *,
    upload: Kind = "snapshot",
    attempt: int,
    jitter: float,
    skew: Skew | None = None,
    sent_bytes: int | None = None,
) -> Decision:
    """Decide what follows an upload.

    Args:
        response: None where there was none: no connection, a time-out, an invalid HTTP response.
        upload: the kind of the upload.
        attempt: 1 for the first upload after a success, one more for each failure in a row.
        jitter: drawn from `JITTER`, both ends included.
        skew: how far this machine's clock is off, as far as the response shows.
        sent_bytes: length of the body.  Without it, half the size may be no smaller: a window that
            was too large then waits for a back-off.

    Raises:
        ValueError: `attempt` or `jitter` is out of range.

    """
    if attempt < 1 or not JITTER[0] <= jitter <= JITTER[1]:
        raise ValueError(f"attempt {attempt} must be 1 or more, jitter {jitter} from 0.8 to 1")
    action, message = _outcome(response, upload)
    # A redirect or a refusal that is not the service's may last for a while.
    is_foreign = (
        response is not None
        and response.code is None
        and response.status // 100 in {3, 4}
        and response.status not in _OUTAGES
    )
    doublings = _DOUBLINGS if is_foreign else min(attempt - 1, _DOUBLINGS)
    longest_ms = min(limits.RETRY_FIRST_MS << doublings, limits.RETRY_LONGEST_MS)
    back_off_ms = round(longest_ms * jitter)
    if action == "shrink":
        size = limits.BATCH_BODY_BYTES if sent_bytes is None else sent_bytes
        if size <= limits.BATCH_BODY_BYTES_LEAST:
            return Decision("drop", back_off_ms, _TOO_LARGE)
        most_bytes = max(size // 2, limits.BATCH_BODY_BYTES_LEAST)
        now_or_later_ms = back_off_ms if sent_bytes is None or is_foreign else 0
        return Decision(action, now_or_later_ms, message, most_bytes=most_bytes)
    correction_ms = None
    is_invalid = response is not None and response.code == "invalid_payload"
    if is_invalid and skew is not None and skew.exceeds(limits.CLOCK_SKEW_MS):
        action, message, correction_ms = "fix-clock", _clock_message(skew), -skew.midpoint_ms
    wait_ms: int | None = back_off_ms
    if action == "stop" or (upload == "snapshot" and action != "retry"):
        wait_ms = None
    elif action == "accepted":
        wait_ms = limits.UPLOAD_INTERVAL_MS
    return Decision(action, wait_ms, message, correction_ms=correction_ms)


def _outcome(response: UploadResponse | None, upload: Kind) -> _Outcome:
    if response is None:
        return "retry", "no response"
    if response.accepted:
        return "accepted", "accepted"
    if response.status == STATUS_OF["payload_too_large"] and upload == "window":
        # Also of a proxy, whose limit is lower.
        return "shrink", "refused as too large: a smaller window follows"
    by_class = _OUTCOMES_BY_CLASS.get(response.status // 100, _UNKNOWN_RESPONSE)
    action, message = _OUTAGES.get(response.status, by_class)
    if response.code is not None:
        action, message = _OUTCOMES[response.code]
    is_doubled = response.url.split("/").count("api") > 1
    remedy = "leave out /api of the URL" if is_doubled else "check the URL, --device and versions"
    return action, message.format(upload=upload, remedy=remedy, **attrs.asdict(response))


def _clock_message(skew: Skew) -> str:
    """Return how far the clock is off, in the largest unit of which it is two, else in minutes."""
    off_ms = abs(skew.midpoint_ms)
    size, unit = next((unit_size for unit_size in _UNITS if off_ms >= 2 * unit_size[0]), _UNITS[-1])
    side = "ahead of" if skew.midpoint_ms > 0 else "behind"
    number = (off_ms + size // 2) // size
    return f"refused: this machine's clock is {number} {unit} {side} the service's"
