"""The cache state of a client for a published snapshot: requests, responses, storage.

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
Invariant *bounded waits*: the next request is never before the response, and at most a day after
it, even if the clock was set back.
Invariant *backoff*: failures wait as `backoff_ms` computes; Retry-After takes precedence.

Contract: SD-FILE-08, SD-CLIENT-01 to 07, SD-CLIENT-11 to 13.
"""

from collections.abc import Callable
from typing import Annotated, Final, Literal

import attrs

from purewire.findings import Finding
from purewire.http.conditional import is_valid_etag, parse_http_date
from purewire.http.messages import Headers
from purewire.json import codec
from purewire.primitives import ABSENT, Absent
from purewire.structuring.constraints import Integer, Predicate, TimestampFormat
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_builtins
from sitedata.errors import SiteDataError
from sitedata.limits import FINDINGS_CAP, MAX_BYTES, MAX_FRESHNESS_MS, MAX_RETRY_AFTER_MS
from sitedata.reading.decoder import decode_json, parse
from sitedata.reading.models import Snapshot
from sitedata.serving.freshness import (
    HeaderLines,
    backoff_ms,
    freshness_of,
    retry_after_ms,
    single_value,
)

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
        etag = _valid(_check_etag, single_value(headers, "etag"))
        modified = _valid(_check_date, single_value(headers, "last-modified"))
        received = CacheState(snapshot, etag, modified)
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
    source: str | Absent = ABSENT
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


def _valid(check: Callable[[str], None], text: str | None) -> str | None:
    try:
        check(text or "")
    except ValueError:
        return None
    return text
