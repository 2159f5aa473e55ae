"""The cache state of a client for a published snapshot: requests, responses, freshness, storage.

A state belongs to one URL; it contains neither the URL nor anything secret.

    response                outcome    effect
    200, valid              replaced   the snapshot is replaced
    200, invalid            invalid    the old snapshot is kept; the findings are reported
    304, with a snapshot    reused     the old snapshot is current
    304, without            again      request again without conditions, at once but not in a loop
    other, or no response   kept       the old snapshot is kept

Invariant *never worse*: a snapshot is only replaced by a valid one, and never lost.
Invariant *conditional*: a request has conditions exactly if there is a snapshot and a validator
that was received with it.
Invariant *no value raises*: an invalid header value counts as missing.
Invariant *stale when in doubt*: missing, repeated or invalid values make a response stale at once;
there is no heuristic from Last-Modified.
Invariant *bounded waits*: the next request is never before the response, and at most a day after
it, even if the clock was set back; a wait that Retry-After asks for is between a second and a day.
Invariant *linear*: Cache-Control is parsed in time linear in its length.
Invariant *doubling*: after n failures in a row the wait is at most 15 s doubled n - 1 times, at
most an hour, and at least half of that; Retry-After takes precedence.  The caller draws a random
number for the place in between, so clients do not send at the same time.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Literal

import attrs

from purewire.findings import Finding
from purewire.http.conditional import is_valid_etag, parse_http_date
from purewire.http.messages import Headers, parse_bounded_number
from purewire.instants import SECOND_MS
from purewire.json import codec
from purewire.primitives import ABSENT, Absent
from purewire.structuring.constraints import Integer, Predicate, Text, TimestampFormat
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_builtins
from sitedata.errors import SiteDataError
from sitedata.limits import (
    FINDINGS_CAP,
    FIRST_BACKOFF_MS,
    MAX_BACKOFF_MS,
    MAX_BYTES,
    MAX_FRESHNESS_MS,
    MAX_RETRY_AFTER_MS,
    MIN_RETRY_AFTER_MS,
)
from sitedata.reading.decoder import decode_json, parse
from sitedata.reading.models import Snapshot

_TCHARS: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
_MEMBER: Final = re.compile(
    rf"[ \t]*+(?:({_TCHARS})(?:=(?:({_TCHARS})|\"((?:[^\"\\]++|\\.)*+)\"))?[ \t]*+)?(?:,|\Z)"
    r"|([^,]++)(?:,|\Z)",
    re.DOTALL,
)
_INVALID: Final = ""  # key of invalid members; directives have names
_MAX_SECONDS: Final = 2**31  # RFC 9111 section 1.2.2: larger numbers mean the same
_MAX_DOUBLINGS: Final = 8  # further ones exceed the longest wait

HeaderLines = Iterable[tuple[str, str]]
"""Header lines in order; a field that is sent twice is listed twice."""


def _field_values(headers: HeaderLines, name: str) -> tuple[str, ...]:
    """Return the values of all lines of a field, stripped; `name` is in lower case."""
    return tuple(value.strip(" \t") for key, value in headers if key.lower() == name)


def _single_value(headers: HeaderLines, name: str) -> str | None:
    """Return the value of a field that occurs exactly once, else None."""
    lines = _field_values(headers, name)
    return lines[0] if len(lines) == 1 else None


def _date_value(headers: HeaderLines, name: str) -> int | None:
    """Return the instant, ms since the epoch, of a field that is one HTTP date, else None."""
    text = _single_value(headers, name)
    return None if text is None else parse_http_date(text)


def _parse_seconds(text: str, maximum: int) -> int | None:
    """Parse a number of seconds (RFC 9111 section 1.2.2), limited to `maximum`; None if invalid."""
    number = parse_bounded_number(text.encode("latin-1", "replace"), maximum)
    return None if number is None else min(number, maximum)


@attrs.frozen
class Freshness:
    """Freshness of a response.

    Attributes:
        until: instant at which the response becomes stale, ms since the epoch.
        must_revalidate: whether a stale response must not be used, even if the server cannot be
            reached.
        no_store: whether the response must not be stored.

    """

    until: int
    must_revalidate: bool = False
    no_store: bool = False


def freshness_of(headers: HeaderLines, now: int) -> Freshness:
    """Return the freshness of a response, received at `now`, ms since the epoch."""
    lines = tuple(headers)
    directives = _directives(",".join(_field_values(lines, "cache-control")))
    dated = _date_value(lines, "date")
    origin = now if dated is None else dated
    generated = min(now - _age_ms(lines), origin)
    remaining = generated + _lifetime_ms(lines, directives, origin) - now
    return Freshness(
        now + min(max(remaining, 0), MAX_FRESHNESS_MS),
        must_revalidate="must-revalidate" in directives,
        no_store="no-store" in directives,
    )


def _lifetime_ms(headers: HeaderLines, directives: Mapping[str, list[str]], origin: int) -> int:
    """Return the explicit lifetime (RFC 9111 section 4.2.1); 0 if there is none."""
    if not directives.keys().isdisjoint({_INVALID, "no-cache", "no-store"}):
        return 0
    if "max-age" in directives:
        first, *others = directives["max-age"]
        return 0 if others else (_parse_seconds(first, _MAX_SECONDS) or 0) * SECOND_MS
    expires = _date_value(headers, "expires")
    return 0 if expires is None else expires - origin


def _age_ms(headers: HeaderLines) -> int:
    """Return the age of the response when received (RFC 9111 section 5.1: first value)."""
    first = ",".join(_field_values(headers, "age")).partition(",")[0].strip(" \t")
    return (_parse_seconds(first, _MAX_SECONDS) or 0) * SECOND_MS


def _directives(header: str) -> dict[str, list[str]]:
    """Map each directive to its arguments, "" for none; invalid members have the key ""."""
    directives: dict[str, list[str]] = {}
    for match in _MEMBER.finditer(header):
        name, token, quoted, invalid = match.groups()
        if invalid is not None:
            name = _INVALID
        if name is not None:
            directives.setdefault(name.lower(), []).append(token or quoted or "")
    return directives


def backoff_ms(failures: int, jitter: float) -> int:
    """Return the wait after a number of failures in a row, 1 or more, in ms.

    `jitter` is a random number of the caller, 0 or more and less than 1; others raise ValueError.
    """
    if not 0 <= jitter < 1:
        raise ValueError("jitter must be 0 or more and less than 1")
    longest = min(FIRST_BACKOFF_MS << min(failures - 1, _MAX_DOUBLINGS), MAX_BACKOFF_MS)
    return int(longest * (1 + jitter) / 2)


def retry_after_ms(headers: HeaderLines, now: int) -> int | None:
    """Return the wait of Retry-After, in ms; None if it is missing or invalid.

    A date counts from the Date of the response, if it has one, so clocks need not agree.
    """
    lines = tuple(headers)
    text = _single_value(lines, "retry-after")
    if text is None:
        return None
    seconds = _parse_seconds(text, MAX_RETRY_AFTER_MS // SECOND_MS)
    if seconds is not None:
        wait = seconds * SECOND_MS
    else:
        until, sent = _date_value(lines, "retry-after"), _date_value(lines, "date")
        if until is None:
            return None
        wait = until - (now if sent is None else sent)
    return min(max(wait, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS)


Kind = Literal["replaced", "reused", "again", "invalid", "kept"]

_OK: Final = 200
_NOT_MODIFIED: Final = 304

_MESSAGE_OF_STATUS: Final = {
    401: "the server requires credentials, but the file must be public",
    403: "the server refused access to the file",
    404: "no file was found at this URL",
    407: "a proxy requires credentials",
    408: "the server timed out waiting for the request",
    410: "the file was removed permanently",
    429: "too many requests",
}
_MESSAGE_OF_CLASS: Final = {
    2: "a response without a snapshot",
    3: "a redirect that was not followed",
    4: "the server refused the request",
    5: "the server failed",
}


@attrs.frozen
class Outcome:
    """Result of a request.

    Attributes:
        kind: see the table of the module.
        message: description for people; quotes nothing of the response.
        status: HTTP status; None without a response.
        findings: problems of an invalid snapshot.

    """

    kind: Kind
    message: str
    status: int | None = None
    findings: tuple[Finding, ...] = ()


def _check_etag(text: str) -> None:
    if not is_valid_etag(text):
        raise ValueError("not an entity tag")


def _check_date(text: str) -> None:
    if parse_http_date(text) is None:
        raise ValueError("not an HTTP date")


_Etag = Annotated[str, Predicate(_check_etag, "etag.format", "an entity tag")]
_HttpDate = Annotated[str, Predicate(_check_date, "date.format", "an HTTP date")]
_Instant = Annotated[int, TimestampFormat.MILLISECOND]


@attrs.frozen
class CacheState:
    """The state of a client; `CacheState()` is the initial one.

    Attributes:
        snapshot: the newest valid snapshot; None if there was none.
        etag: entity tag of the response with the snapshot.
        last_modified: Last-Modified of that response, as it was sent.
        fresh_until: instant at which the snapshot becomes stale, ms since the epoch.
        next_try_at: instant of the next request, ms since the epoch.
        failures: number of failed requests in a row.
        must_revalidate: whether the publisher forbids use of a stale snapshot.
        no_store: whether the publisher forbids storing the snapshot; `dump` omits it then.

    """

    snapshot: Snapshot | None = None
    etag: _Etag | None = None
    last_modified: _HttpDate | None = None
    fresh_until: _Instant = 0
    next_try_at: _Instant = 0
    failures: Annotated[int, Integer(0)] = 0
    must_revalidate: bool = False
    no_store: bool = False

    # Requests

    def is_fresh(self, now: int) -> bool:
        """Check whether the snapshot is fresh, so no request is necessary."""
        return self.snapshot is not None and 0 < self.fresh_until - now <= MAX_FRESHNESS_MS

    def is_due(self, now: int) -> bool:
        """Check whether it is time for the next request."""
        return not 0 < self.next_try_at - now <= MAX_RETRY_AFTER_MS

    def request(self) -> Headers:
        """Return the header lines of the next conditional request."""
        if self.snapshot is None:
            return ()
        lines = ("If-None-Match", self.etag), ("If-Modified-Since", self.last_modified)
        return tuple((name, value) for name, value in lines if value is not None)

    # Responses

    def received(
        self, status: int, headers: HeaderLines, body: bytes, *, now: int, jitter: float
    ) -> tuple["CacheState", Outcome]:
        """Return the state after a response, and the outcome.

        Args:
            status: HTTP status after redirects.
            headers: header lines in order.
            body: body without content coding; reading may stop after `MAX_BYTES`.  It is ignored
                unless the status is 200.
            now: when the response was received, ms since the epoch.
            jitter: random number of the caller, 0 or more and less than 1.

        Raises:
            ValueError: `jitter` is out of range; no response raises.

        """
        lines = tuple(headers)
        failed = self._after_failure(lines, now, jitter)
        if status == _OK:
            return self._received_200(lines, body, now, failed)
        if status == _NOT_MODIFIED:
            return self._received_304(lines, now, failed)
        of_class = _MESSAGE_OF_CLASS.get(status // 100, "an unknown status code")
        message = _MESSAGE_OF_STATUS.get(status, of_class)
        return failed, Outcome("kept", message, status)

    def no_response(
        self, *, now: int, jitter: float, message: str = "no response"
    ) -> tuple["CacheState", Outcome]:
        """Return the state after a request without a complete response; raise as `received`."""
        return self._after_failure((), now, jitter), Outcome("kept", message)

    def _received_200(
        self, headers: HeaderLines, body: bytes, now: int, failed: "CacheState"
    ) -> tuple["CacheState", Outcome]:
        try:
            snapshot = _snapshot(body)
        except SiteDataError as error:
            message = "the file is not a valid snapshot"
            return failed, Outcome("invalid", message, _OK, error.findings)
        etag = _single_value(headers, "etag")
        modified = _single_value(headers, "last-modified")
        received = CacheState(
            snapshot,
            etag if is_valid_etag(etag or "") else None,
            None if parse_http_date(modified or "") is None else modified,
        )
        return _confirmed(received, headers, now), Outcome("replaced", "a new snapshot", _OK)

    def _received_304(
        self, headers: HeaderLines, now: int, failed: "CacheState"
    ) -> tuple["CacheState", Outcome]:
        if self.snapshot is not None:
            message = "the snapshot is still current"
            return _confirmed(self, headers, now), Outcome("reused", message, _NOT_MODIFIED)
        again = Outcome("again", "not modified, but there is no snapshot yet", _NOT_MODIFIED)
        return (failed if self.failures else attrs.evolve(failed, next_try_at=now)), again

    def _after_failure(self, headers: HeaderLines, now: int, jitter: float) -> "CacheState":
        """Return the state after one more failure."""
        failures = self.failures + 1
        backoff, requested = backoff_ms(failures, jitter), retry_after_ms(headers, now)
        wait = backoff if requested is None else requested
        return attrs.evolve(self, next_try_at=now + wait, failures=failures)

    # Storage

    def dump(self, *, source: str | None = None) -> bytes:
        """Return the state as bytes for `load`, without the snapshot if `no_store` is set.

        Args:
            source: any text that identifies the URL, or None to store none.

        """
        kept = self
        if self.no_store:
            kept = CacheState(next_try_at=self.next_try_at, failures=self.failures, no_store=True)
        stored = _StoredState(kept, ABSENT if source is None else source)
        return codec.encode(to_builtins(stored)) + b"\n"

    @staticmethod
    def load(data: bytes, *, source: str | None = None) -> "CacheState":
        """Return the state that `dump` returned as bytes.

        Args:
            data: the bytes.
            source: text that identifies the URL; if another is stored, the initial state is
                returned.

        Raises:
            SiteDataError: the bytes are not a stored state.

        """
        stored, findings = _DECODER.validate(decode_json(data))
        if findings:
            raise SiteDataError("invalid_site_data", findings)
        state: CacheState = stored.state
        is_other = source is not None and stored.source not in (ABSENT, source)
        return CacheState() if is_other else state


@attrs.frozen
class _StoredState:
    """The stored form of a state; `version` changes with the format."""

    state: CacheState
    source: Annotated[str, Text(controls=True)] | Absent = ABSENT
    version: Literal[1] = 1


_DECODER: Final = ModelDecoder(_StoredState, cap=FINDINGS_CAP)


def _confirmed(state: CacheState, headers: HeaderLines, now: int) -> CacheState:
    """Return a state whose snapshot was confirmed by a response."""
    freshness = freshness_of(headers, now)
    return attrs.evolve(
        state,
        fresh_until=freshness.until,
        next_try_at=freshness.until,
        failures=0,
        must_revalidate=freshness.must_revalidate,
        no_store=freshness.no_store,
    )


def _snapshot(body: bytes) -> Snapshot:
    if len(body) > MAX_BYTES:
        finding = Finding("", "body.size", f"must not be larger than {MAX_BYTES} bytes")
        raise SiteDataError("invalid_site_data", (finding,))
    return parse(body)
