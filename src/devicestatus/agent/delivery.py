"""What an agent does with each answer to an upload, and with none.

An upload is a snapshot (`POST /api/update`) or a window (`POST /api/batch`); where the two differ,
the invariants say so.

Source: device-status specification, "Errors" and "Limits"; rulings under "Agent window" (back-off).

Invariant *every code has a course*: each error code of the contract has one action and words for a
person; so has every status that comes without a code, and silence.
Invariant *only the service's answer counts*: a 200 is an acceptance only if its body is JSON whose
numbers are finite and is a valid `UpdateResult` (other members are ignored); a code counts only
under its own status.
Invariant *refused is not repeated*: what was refused for what it is (400, 413, 415) is never sent
again unchanged; the next upload is a new one.
Invariant *outages drop nothing*: 429, 503, every other server fault and silence are tried again.
Invariant *shrink*: a window that was too large is followed at once by one of half its size, or of
the smallest budget where that is more (every window without events fits it); one that fitted the
smallest budget is dropped.
Invariant *fix the clock*: an invalid payload is put down to the clock only where the service itself
says so, the clock is off whatever is unknown of the measure, and by more than 120 s as far as that
is known.
Invariant *stop where only a person helps*: a wrong token or a wrong address ends the agent.
Invariant *back-off*: after n failures in a row the wait is 15 s doubled n - 1 times, at most 300 s,
times a jitter of 0.8 to 1 that the caller draws.
Invariant *regular interval*: the next window follows an accepted one after 300 s, and one that was
not accepted after a back-off; the next snapshot follows after the interval of the policy, which is
the caller's, unless it is tried again.
"""

from collections.abc import Mapping
from typing import Final, Literal

import attrs

from devicestatus import limits
from devicestatus.errors import STATUS_OF, ErrorCode
from devicestatus.models.responses import UpdateResult
from purewire.http.conditional import parse_http_date
from purewire.instants import DAY_MS, MINUTE_MS, SECOND_MS
from purewire.json import codec
from purewire.json.plain_values import broken_rule
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.drop_unknown import drop_unknown

__all__ = [
    "JITTER",
    "PUSH_INTERVAL_MS",
    "WITHHELD",
    "Action",
    "Answer",
    "Decision",
    "Policy",
    "Skew",
    "Upload",
    "decide",
    "estimate_skew",
    "read_answer",
]

Policy = Literal["eco", "realtime"]
Upload = Literal["snapshot", "window"]
Action = Literal["accepted", "retry", "shrink", "fix-clock", "drop", "stop"]

PUSH_INTERVAL_MS: Final[Mapping[Policy, int]] = {
    "eco": limits.PUSH_ECO_MS,
    "realtime": limits.PUSH_REALTIME_MS,
}
"""Time between two snapshots."""
JITTER: Final = (0.8, 1.0)
"""Between these the caller draws the factor of a back-off, so that agents do not march in step."""

_DOUBLINGS: Final = 5  # more only meet the longest wait again

_DATE_STEP_MS: Final = 2 * SECOND_MS
"""A Date is cut to its second, and servers renew theirs once a second: it is younger than this."""
_HOUR_MS: Final = 60 * MINUTE_MS
_UNITS: Final = ((DAY_MS, "days"), (_HOUR_MS, "hours"), (MINUTE_MS, "minutes"))

_OK: Final = 200
_TOO_MANY_REQUESTS: Final = 429
_UPDATE_RESULT: Final = ModelDecoder(UpdateResult, cap=1)
_REDIRECTION: Final = 3  # hundreds
_SERVER_FAULT: Final = 5


@attrs.frozen
class Answer:
    """What came back.

    Attributes:
        status: HTTP status.
        code: the error code, where the body has the one of this status; else None.
        accepted: whether this is the answer to an accepted write.
        date_ms: what its Date header says, ms since the epoch; None where it says nothing.

    """

    status: int
    code: ErrorCode | None = None
    accepted: bool = False
    date_ms: int | None = None


@attrs.frozen
class Skew:
    """How far this machine's clock is ahead of the service's; negative: behind it.

    It is known to lie between two bounds, both included.

    Attributes:
        least_ms: the lower bound.
        most_ms: the upper bound.

    """

    least_ms: int
    most_ms: int

    @property
    def middle_ms(self) -> int:
        """The best guess at it."""
        return (self.least_ms + self.most_ms) // 2

    def reaches_beyond(self, limit_ms: int) -> bool:
        """Tell whether the clock is certainly off, and maybe by more than a limit."""
        return (self.most_ms > limit_ms and self.least_ms > 0) or (
            self.least_ms < -limit_ms and self.most_ms < 0
        )


@attrs.frozen
class Decision:
    """What to do next.

    Attributes:
        action: `accepted`: go on; `retry`: try again after `wait_ms` with a new snapshot, or the
            window as it is by then; `shrink`: send a window of at most `most_bytes`; `fix-clock`:
            never send this one again, correct the clock, or the times of what is sent, by
            `correction_ms`; `drop`: never send this one again, go on; `stop`: nothing but a person
            helps.
        wait_ms: how long to wait before the next try; None means the regular interval of the
            caller's policy, or after `stop` that there is no next.
        words: what happened, for a person; quotes neither the answer nor what was sent.
        most_bytes: the longest body that this and later windows may have from now on; else None.
        correction_ms: to be added to this machine's time, so that it is the service's; else None.

    """

    action: Action
    wait_ms: int | None
    words: str
    most_bytes: int | None = None
    correction_ms: int | None = None


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
_COURSES_OF: Final[Mapping[Upload, Mapping[ErrorCode, _Course]]] = {
    "snapshot": _COURSES,
    "window": {
        **_COURSES,
        "not_found": _Course(
            "stop", "wrong address, or a service that is older than this agent and takes no windows"
        ),
        "method_not_allowed": _Course("stop", "wrong address: this URL takes no windows"),
        "payload_too_large": _Course("shrink", "refused as too large: a smaller window follows"),
    },
}
# Of two codes with one status, the later stands for the status alone.
_BARE_OF: Final[Mapping[Upload, Mapping[int, _Course]]] = {
    upload: {
        **{STATUS_OF[code]: course for code, course in courses.items()},
        _TOO_MANY_REQUESTS: _CROWDED,
    }
    for upload, courses in _COURSES_OF.items()
}
_TOO_LARGE: Final = "refused as too large, and the window cannot shrink further"


def read_answer(status: int, body: bytes, date: bytes | str | None = None) -> Answer:
    """Read an answer from its status, the start of its body and its Date; raises nothing.

    Members that the contract does not have are ignored, for agents outlive versions.  A Date that
    cannot be read counts as missing.
    """
    try:
        value = codec.decode(body)
    except (codec.JsonTextError, codec.JsonDepthError):
        value = None
    members = value if isinstance(value, dict) else {}
    accepted = status == _OK and "ok" in members and _is_update_result(members)
    return Answer(status, _code(status, members.get("error")), accepted, _date_ms(date))


def _is_update_result(members: dict[str, object]) -> bool:
    if broken_rule(members) is not None:
        return False
    _, findings = _UPDATE_RESULT.validate(drop_unknown(members, UpdateResult))
    return not findings


def _code(status: int, told: object) -> ErrorCode | None:
    return next((code for code in _COURSES if code == told and STATUS_OF[code] == status), None)


def _date_ms(date: bytes | str | None) -> int | None:
    text = date.decode("latin-1") if isinstance(date, bytes) else date
    return None if text is None else parse_http_date(text.strip(" \t"))


def estimate_skew(date_ms: int | None, *, sent_at: int, answered_at: int) -> Skew | None:
    """Measure this machine's clock by the Date of an answer.

    The service wrote the Date at some time between the sending and the answer, and less than two
    seconds after the instant that it names; so an interval is all that is known.

    Args:
        date_ms: the `Answer.date_ms`.
        sent_at: this machine's time when the upload began, ms since the epoch.
        answered_at: the same clock's time when the answer was there.

    Returns:
        The skew; None where nothing is known of it: no Date, or the clock was set back meanwhile.

    """
    if date_ms is None or answered_at < sent_at:
        return None
    return Skew(sent_at - date_ms - _DATE_STEP_MS + 1, answered_at - date_ms)


def decide(
    answer: Answer | None,
    *,
    upload: Upload = "snapshot",
    attempt: int,
    jitter: float,
    skew: Skew | None = None,
    sent_bytes: int | None = None,
) -> Decision:
    """Decide what follows an upload.

    Args:
        answer: None where there was none: no connection, a time-out, a broken answer.
        upload: what was sent.
        attempt: 1 for the first upload after a success, one more for each failure in a row.
        jitter: drawn from `JITTER`, both ends included.
        skew: how far this machine's clock is off, as far as the answer tells.
        sent_bytes: how long the body was.  Where it is not given, nobody knows that half the
            largest is smaller: a window that was too large then waits for a back-off.

    Raises:
        ValueError: `attempt` or `jitter` is out of range.

    """
    if attempt < 1 or not JITTER[0] <= jitter <= JITTER[1]:
        raise ValueError("attempt is 1 or more, jitter 0.8 to 1")
    back_off_ms = _back_off(attempt, jitter)
    course = _course(answer, upload)
    if course.action == "shrink":
        return _shrunk(course, sent_bytes, back_off_ms)
    if skew is not None and skew.reaches_beyond(limits.CLOCK_SKEW_MS) and _is_invalid(answer):
        wait_ms = _wait_ms("fix-clock", upload, back_off_ms)
        return Decision("fix-clock", wait_ms, _clock_words(skew), correction_ms=-skew.middle_ms)
    return Decision(course.action, _wait_ms(course.action, upload, back_off_ms), course.words)


def _is_invalid(answer: Answer | None) -> bool:
    return answer is not None and answer.code == "invalid_payload"


def _course(answer: Answer | None, upload: Upload) -> _Course:
    if answer is None:
        return _SILENCE
    if answer.accepted:
        return _ACCEPTED
    if answer.code is not None:
        return _COURSES_OF[upload][answer.code]
    return _BARE_OF[upload].get(answer.status) or _course_of_class(answer.status // 100)


def _course_of_class(hundreds: int) -> _Course:
    if hundreds == _REDIRECTION:
        return _MOVED
    return _FAULTY if hundreds == _SERVER_FAULT else _FOREIGN


def _wait_ms(action: Action, upload: Upload, back_off_ms: int) -> int | None:
    if action == "retry":
        return back_off_ms
    if action == "stop" or upload == "snapshot":
        return None
    return limits.UPLOAD_INTERVAL_MS if action == "accepted" else back_off_ms


def _shrunk(course: _Course, sent_bytes: int | None, back_off_ms: int) -> Decision:
    size = limits.BATCH_BODY_BYTES if sent_bytes is None else sent_bytes
    if size <= limits.BATCH_BODY_BYTES_LEAST:
        return Decision("drop", back_off_ms, _TOO_LARGE)
    most_bytes = max(size // 2, limits.BATCH_BODY_BYTES_LEAST)
    wait_ms = back_off_ms if sent_bytes is None else 0
    return Decision(course.action, wait_ms, course.words, most_bytes=most_bytes)


def _back_off(attempt: int, jitter: float) -> int:
    wait = limits.RETRY_FIRST_MS << min(attempt - 1, _DOUBLINGS)
    return round(min(wait, limits.RETRY_LONGEST_MS) * jitter)


def _clock_words(skew: Skew) -> str:
    """Tell how far the clock is off, in the largest unit of which it is two, else in minutes."""
    off_ms = abs(skew.middle_ms)
    size, unit = next((each for each in _UNITS if off_ms >= 2 * each[0]), _UNITS[-1])
    side = "ahead of" if skew.middle_ms > 0 else "behind"
    number = (off_ms + size // 2) // size
    return f"refused: this machine's clock is {number} {unit} {side} the service's"
