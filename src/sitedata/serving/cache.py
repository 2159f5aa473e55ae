"""What a client knows of a published snapshot: what to ask, and what an answer means.

Source: site-data specification, "Endpoints" and "Limits"; rulings under "Site-data file".  A state
belongs to one URL; it holds neither that nor anything secret.

    200, valid              replaced   the snapshot is the new one
    200, not valid          invalid    the old one stays, and what is wrong is told
    304, with a snapshot    reused     the old one is current
    304, without            again      ask again in full: at once, but not in a circle
    anything else, silence  kept       the old one stays

Invariant *never worse*: a snapshot is only ever replaced by a valid one, and never lost.
Invariant *conditional*: a request has conditions exactly where there is a snapshot and a validator
that came with it.
Invariant *waits end*: the next try is never before the answer, and at most a day after it; a clock
that was put back makes nobody wait longer.
Invariant *failures wait*: `sitedata.serving.backoff` says how long, Retry-After goes before it.
"""

from collections.abc import Callable
from typing import Annotated, Final, Literal

import attrs

from purewire.absent import ABSENT, Absent
from purewire.findings import Finding
from purewire.http.conditional import is_valid_etag, parse_http_date
from purewire.http.headers import is_sendable
from purewire.http.responses import Headers
from purewire.json import codec
from purewire.structuring.constraints import Integer, Predicate, TimestampFormat
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_plain
from sitedata.errors import SiteDataError
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.decoder import parse, plain_of
from sitedata.reading.models import Snapshot
from sitedata.serving.backoff import asked_wait_ms, wait_ms
from sitedata.serving.freshness import freshness_of
from sitedata.serving.headers import Fields, single
from sitedata.serving.limits import LONGEST_ASKED_WAIT_MS, LONGEST_FRESH_MS, MOST_BYTES

__all__ = ["CacheState", "Kind", "Outcome"]

Kind = Literal["replaced", "reused", "again", "invalid", "kept"]

_OK: Final = 200
_NOT_MODIFIED: Final = 304

_WORDS: Final = {
    401: "the server wants credentials, and the file is public",
    403: "the server refuses the file",
    404: "there is no file at this URL",
    407: "a proxy wants credentials",
    408: "the server did not wait for the request",
    410: "the file was taken away for good",
    429: "too many requests",
}
_WORDS_OF_HUNDRED: Final = {
    2: "an answer that brings no snapshot",
    3: "a redirect that was not followed",
    4: "the server refuses the request",
    5: "the server is out of order",
}
_NO_SUCH_ANSWER: Final = "no answer that HTTP has"
_SILENCE: Final = "no answer"


@attrs.frozen
class Outcome:
    """What came of asking.

    Attributes:
        kind: see the table above.
        words: what happened, for a person; quotes nothing of the answer.
        status: HTTP status; None where no answer came.
        findings: what is wrong with a snapshot that is not valid.

    """

    kind: Kind
    words: str
    status: int | None = None
    findings: tuple[Finding, ...] = ()


def _check_etag(text: str) -> None:
    if not (is_valid_etag(text) and is_sendable(text)):
        raise ValueError("not an entity tag")


def _check_date(text: str) -> None:
    if parse_http_date(text) is None:
        raise ValueError("not an HTTP date")


_Etag = Annotated[str, Predicate(_check_etag, "etag.format", "an entity tag")]
_HttpDate = Annotated[str, Predicate(_check_date, "date.format", "an HTTP date")]
_Moment = Annotated[int, TimestampFormat.MILLISECOND]


@attrs.frozen
class CacheState:
    """What is known so far; the one without arguments is the first.

    Attributes:
        snapshot: the newest valid one; None before there was any.
        etag: entity tag of the answer that brought it.
        last_modified: its Last-Modified, as it was sent.
        fresh_until: until this instant the snapshot counts as current, ms since the epoch.
        next_try_at: before this instant nobody asks, ms since the epoch.
        failures: how many requests in a row have brought nothing.
        must_revalidate: whether the publisher wants no stale snapshot to pass for a current one.
        no_store: whether the publisher wants the snapshot written nowhere; `dump` obeys.

    """

    snapshot: Snapshot | None = None
    etag: _Etag | None = None
    last_modified: _HttpDate | None = None
    fresh_until: _Moment = 0
    next_try_at: _Moment = 0
    failures: Annotated[int, Integer(0)] = 0
    must_revalidate: bool = False
    no_store: bool = False

    # Asking

    def is_fresh(self, now: int) -> bool:
        """Tell whether the snapshot counts as current without asking."""
        return self.snapshot is not None and 0 < self.fresh_until - now <= LONGEST_FRESH_MS

    def is_due(self, now: int) -> bool:
        """Tell whether it is time to ask."""
        return not 0 < self.next_try_at - now <= LONGEST_ASKED_WAIT_MS

    def request(self) -> Headers:
        """Give the header lines that the next request carries for the sake of this state."""
        if self.snapshot is None:
            return ()
        lines = ("If-None-Match", self.etag), ("If-Modified-Since", self.last_modified)
        return tuple((name, value) for name, value in lines if value is not None)

    # Answers

    def received(
        self, status: int, headers: Fields, body: bytes, *, now: int, jitter: float
    ) -> tuple["CacheState", Outcome]:
        """Judge an answer.

        Args:
            status: HTTP status, of what the last redirect led to.
            headers: header lines in order.
            body: the body without content coding; whoever stops reading past `MOST_BYTES` gives
                what was read.  Only that of a 200 is looked at.
            now: when the answer was there, ms since the epoch.
            jitter: drawn by the caller, 0 or more and less than 1.

        Raises ValueError for another jitter, and nothing for any answer.

        """
        lines = tuple(headers)
        later = self._later(lines, now, jitter)
        if status == _OK:
            return self._offered(lines, body, now, later)
        if status == _NOT_MODIFIED:
            return self._confirmed(lines, now, later)
        words = _WORDS.get(status) or _WORDS_OF_HUNDRED.get(status // 100, _NO_SUCH_ANSWER)
        return later(), Outcome("kept", words, status)

    def no_answer(self, *, now: int, jitter: float) -> tuple["CacheState", Outcome]:
        """Judge that no whole answer came; raises as `received` does."""
        return self._later((), now, jitter)(), Outcome("kept", _SILENCE)

    def _offered(
        self, fields: Fields, body: bytes, now: int, later: Callable[[], "CacheState"]
    ) -> tuple["CacheState", Outcome]:
        try:
            snapshot = _snapshot(body)
        except SiteDataError as error:
            words = "the file is not a valid snapshot"
            return later(), Outcome("invalid", words, _OK, error.findings)
        etag, modified = single(fields, "etag"), single(fields, "last-modified")
        known = CacheState(
            snapshot,
            etag if etag is not None and _passes(_check_etag, etag) else None,
            modified if modified is not None and _passes(_check_date, modified) else None,
        )
        return _confirmed(known, fields, now), Outcome("replaced", "a new snapshot", _OK)

    def _confirmed(
        self, fields: Fields, now: int, later: Callable[[], "CacheState"]
    ) -> tuple["CacheState", Outcome]:
        if self.snapshot is not None:
            words = "the snapshot is still the newest"
            return _confirmed(self, fields, now), Outcome("reused", words, _NOT_MODIFIED)
        again = Outcome("again", "there is no snapshot that could still be current", _NOT_MODIFIED)
        return (later() if self.failures else attrs.evolve(later(), next_try_at=now)), again

    def _later(self, fields: Fields, now: int, jitter: float) -> Callable[[], "CacheState"]:
        """Give the state after one more failure, for when it is one."""
        failures = self.failures + 1
        backoff, asked = wait_ms(failures, jitter), asked_wait_ms(fields, now)
        wait = backoff if asked is None else asked
        return lambda: attrs.evolve(self, next_try_at=now + wait, failures=failures)

    # Keeping

    def dump(self, *, source: str | None = None) -> bytes:
        """Return the state as bytes, for `load`; without the snapshot where none may be stored.

        Args:
            source: any text that stands for the URL; None: it is not noted.

        """
        kept = self
        if self.no_store:
            kept = CacheState(next_try_at=self.next_try_at, failures=self.failures, no_store=True)
        return codec.encode(to_plain(_Kept(kept, ABSENT if source is None else source))) + b"\n"

    @staticmethod
    def load(data: bytes, *, source: str | None = None) -> "CacheState":
        """Return the state that `dump` wrote.

        Args:
            data: its bytes.
            source: text that stands for the URL; where another was noted, nothing is known.

        Raises SiteDataError for any other bytes.

        """
        kept, findings = _DECODER.validate(plain_of(data))
        if findings:
            raise SiteDataError("invalid_site_data", findings)
        state: CacheState = kept.state
        is_other = source is not None and kept.source not in (ABSENT, source)
        return CacheState() if is_other else state


@attrs.frozen
class _Kept:
    """A state as it is kept; another version is another form."""

    state: CacheState
    source: str | Absent = ABSENT
    version: Literal[1] = 1


_DECODER: Final = ModelDecoder(_Kept, cap=FINDINGS_CAP)


def _confirmed(state: CacheState, fields: Fields, now: int) -> CacheState:
    """Give a state whose snapshot is current, as an answer says."""
    freshness = freshness_of(fields, now)
    return attrs.evolve(
        state,
        fresh_until=freshness.until,
        next_try_at=freshness.until,
        failures=0,
        must_revalidate=freshness.must_revalidate,
        no_store=freshness.no_store,
    )


def _snapshot(body: bytes) -> Snapshot:
    if len(body) > MOST_BYTES:
        finding = Finding("", "body.size", f"must not be larger than {MOST_BYTES} bytes")
        raise SiteDataError("invalid_site_data", (finding,))
    return parse(body)


def _passes(check: Callable[[str], None], text: str) -> bool:
    try:
        check(text)
    except ValueError:
        return False
    return True
