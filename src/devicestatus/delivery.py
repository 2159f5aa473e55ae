"""What an agent does with each answer to an upload, and with none.

Source: device-status specification, "Errors" and "Limits"; rulings under "Agent window" (back-off).

Invariant *every code has a course*: each error code of the contract has one action and words for a
person; so has every status that comes without a code, and silence.
Invariant *only the service's word counts*: a 200 is an acceptance only with the body of one; a code
counts only under its own status.
Invariant *refused is not repeated*: what was refused for what it is (400, 413, 415) is dropped; the
next snapshot is a new one.
Invariant *stop where only a person helps*: a wrong token or a wrong address ends the agent.
Invariant *back-off*: after n failures in a row the wait is 15 s doubled n - 1 times, at most 300 s,
times a jitter of 0.8 to 1 that the caller draws.
"""

from collections.abc import Mapping
from typing import Final, Literal

import attrs

from devicestatus import limits
from devicestatus.errors import STATUS_OF, ErrorCode
from purewire import jsontext

__all__ = [
    "JITTER",
    "PUSH_INTERVAL_MS",
    "WITHHELD",
    "Action",
    "Answer",
    "Decision",
    "Policy",
    "decide",
    "read_answer",
]

Policy = Literal["eco", "realtime"]
Action = Literal["accepted", "retry", "drop", "stop"]

PUSH_INTERVAL_MS: Final[Mapping[Policy, int]] = {
    "eco": limits.PUSH_ECO_MS,
    "realtime": limits.PUSH_REALTIME_MS,
}
"""Time between two snapshots."""
JITTER: Final = (0.8, 1.0)
"""Between these the caller draws the factor of a back-off, so that agents do not march in step."""

_DOUBLINGS: Final = 5  # more only meet the longest wait again

_OK: Final = 200
_TOO_MANY_REQUESTS: Final = 429
_REDIRECTION: Final = 3  # hundreds
_SERVER_FAULT: Final = 5


@attrs.frozen
class Answer:
    """What came back.

    Attributes:
        status: HTTP status.
        code: the error code, where the body has the one of this status; else None.
        accepted: whether this is the answer to an accepted write.

    """

    status: int
    code: ErrorCode | None = None
    accepted: bool = False


@attrs.frozen
class Decision:
    """What to do next.

    Attributes:
        action: `accepted`: go on; `retry`: try again after `wait_ms` with a new snapshot; `drop`:
            never send this one again, go on; `stop`: nothing but a person helps.
        wait_ms: how long to wait before the next try; None means the regular interval.
        words: what happened, for a person; quotes neither the answer nor what was sent.

    """

    action: Action
    wait_ms: int | None
    words: str


WITHHELD: Final = Decision("drop", None, "not sent: the service would refuse this snapshot")
"""The decision on a snapshot that has findings before it is sent."""


@attrs.frozen
class _Course:
    action: Action
    words: str


_ACCEPTED: Final = _Course("accepted", "accepted")
_SILENCE: Final = _Course("retry", "no answer")
_FOREIGN: Final = _Course("retry", "this is not the answer of a device-status service")
_FAULTY: Final = _Course("retry", "the service, or what stands before it, is out of order")
_MOVED: Final = _Course(
    "stop", "the address redirects, and a token is not sent on: give the final URL"
)

_COURSES: Final[Mapping[ErrorCode, _Course]] = {
    "invalid_json": _Course("drop", "refused as broken: something on the way changes what is sent"),
    "invalid_payload": _Course(
        "drop", "refused as invalid: is this machine's clock right, and the service as new as this?"
    ),
    "unauthorized": _Course("stop", "the token is not the service's ingest token"),
    "not_found": _Course("stop", "wrong address: there is no such service under this URL"),
    "method_not_allowed": _Course("stop", "wrong address: this URL takes no snapshots"),
    "payload_too_large": _Course("drop", "refused as too large, and a snapshot cannot shrink"),
    "unsupported_media_type": _Course(
        "drop", "refused as another media type: something on the way changes what is sent"
    ),
    "service_unavailable": _Course("retry", "the service has no working store or configuration"),
}
_CROWDED: Final = _Course("retry", "too many requests, says what stands before the service")
# Of two codes with one status, the later stands for the status alone.
_BARE: Final = {
    **{STATUS_OF[code]: course for code, course in _COURSES.items()},
    _TOO_MANY_REQUESTS: _CROWDED,
}


def read_answer(status: int, body: bytes) -> Answer:
    """Read an answer from its status and the start of its body; raises nothing.

    Members that the contract does not have yet are no fault: agents outlive versions.
    """
    try:
        value = jsontext.decode(body)
    except (jsontext.JsonTextError, jsontext.JsonDepthError):
        value = None
    members = value if isinstance(value, dict) else {}
    accepted = status == _OK and members.get("ok") is True
    return Answer(status, _code(status, members.get("error")), accepted)


def _code(status: int, told: object) -> ErrorCode | None:
    return next((code for code in _COURSES if code == told and STATUS_OF[code] == status), None)


def decide(answer: Answer | None, *, attempt: int, jitter: float) -> Decision:
    """Decide what follows an upload.

    Args:
        answer: None where there was none: no connection, a time-out, a broken answer.
        attempt: 1 for the first upload after a success, one more for each failure in a row.
        jitter: drawn from `JITTER`, both ends included.

    Raises:
        ValueError: `attempt` or `jitter` is out of range.

    """
    if attempt < 1 or not JITTER[0] <= jitter <= JITTER[1]:
        raise ValueError("attempt is 1 or more, jitter 0.8 to 1")
    course = _course(answer)
    wait_ms = _back_off(attempt, jitter) if course.action == "retry" else None
    return Decision(course.action, wait_ms, course.words)


def _course(answer: Answer | None) -> _Course:
    if answer is None:
        return _SILENCE
    if answer.accepted:
        return _ACCEPTED
    if answer.code is not None:
        return _COURSES[answer.code]
    return _BARE.get(answer.status) or _course_of_class(answer.status // 100)


def _course_of_class(hundreds: int) -> _Course:
    if hundreds == _REDIRECTION:
        return _MOVED
    return _FAULTY if hundreds == _SERVER_FAULT else _FOREIGN


def _back_off(attempt: int, jitter: float) -> int:
    wait = limits.RETRY_FIRST_MS << min(attempt - 1, _DOUBLINGS)
    return round(min(wait, limits.RETRY_LONGEST_MS) * jitter)
