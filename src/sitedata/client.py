"""The state of a client of a published snapshot: its requests, responses, freshness and storage.

A state belongs to one URL; it contains neither the URL nor anything secret.

    response                outcome    effect
    200, valid              replaced   the snapshot is replaced
    200, invalid            invalid    the old snapshot is kept; the findings are reported
    304, with a snapshot    reused     the old snapshot is current
    304, without            again      request again without conditions, once
    other, or no response   kept       the old snapshot is kept

Invariant *never worse*: a snapshot is only replaced by a valid one, and never lost.
Invariant *conditional*: a request has conditions exactly if there is a snapshot and a validator
that was received with it.
Invariant *no value raises*: an invalid header value counts as missing.
Invariant *stale when in doubt*: without one max-age, or with a member of Cache-Control that cannot
be read, a response is stale at once; there is no heuristic from Last-Modified.
Invariant *bounded*: a snapshot is fresh for at most a day, even if the clock was set back.
"""

import re
from collections.abc import Iterable
from typing import Annotated, Final, Literal

import attrs

from sitedata.errors import SiteDataError
from sitedata.limits import MAX_BYTES, MAX_FRESHNESS_MS
from sitedata.models import Snapshot
from sitedata.parsing import decode_json, parse
from status_contracts import json_text
from status_contracts.conditional import is_valid_etag, parse_http_date
from status_contracts.findings import Finding
from status_contracts.instants import SECOND_MS, check_milliseconds
from status_contracts.messages import Headers, parse_bounded_number
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Predicate, Text, TimestampFormat
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.decoder import ModelDecoder

_NAME: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_DIRECTIVE: Final = re.compile(rf'({_NAME})(?:=({_NAME}|"[^"]*"))?')
_MAX_SECONDS: Final = 2**31  # RFC 9111 section 1.2.2: larger numbers mean the same
_OK: Final = 200
_NOT_MODIFIED: Final = 304

Kind = Literal["replaced", "reused", "again", "invalid", "kept"]

HeaderLines = Iterable[tuple[str, str]]
"""Header lines in order; a field that is sent twice is listed twice."""


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


def _members(headers: HeaderLines, name: str) -> list[str]:
    """Return the members of a field that is a list, stripped; `name` is in lower case."""
    lines = (value for key, value in headers if key.lower() == name)
    return [member for line in lines for part in line.split(",") if (member := part.strip(" \t"))]


def _single_value(headers: HeaderLines, name: str) -> str:
    """Return the value of a field that occurs exactly once, else an empty text."""
    lines = [value.strip(" \t") for key, value in headers if key.lower() == name]
    return lines[0] if len(lines) == 1 else ""


def _seconds(text: str) -> int:
    """Return a number of seconds (RFC 9111 section 1.2.2); 0 if it is none."""
    return parse_bounded_number(text.encode("latin-1", "replace"), _MAX_SECONDS) or 0


def _directives(headers: HeaderLines) -> dict[str, list[str]]:
    """Map each directive of Cache-Control to its arguments; "" has the members without a form."""
    directives: dict[str, list[str]] = {}
    for member in _members(headers, "cache-control"):
        match = _DIRECTIVE.fullmatch(member)
        name, argument = ("", None) if match is None else match.groups()
        directives.setdefault(name.lower(), []).append((argument or "").strip('"'))
    return directives


def _freshness_ms(headers: HeaderLines, directives: dict[str, list[str]]) -> int:
    """Return for how long a response that was just received is fresh: max-age less its Age."""
    max_age = directives.get("max-age", [])
    if len(max_age) != 1 or not directives.keys().isdisjoint({"", "no-cache", "no-store"}):
        return 0
    age = _members(headers, "age")[:1]  # RFC 9111 section 5.1: the first value
    remaining = _seconds(max_age[0]) - sum(map(_seconds, age))
    return min(max(remaining, 0) * SECOND_MS, MAX_FRESHNESS_MS)


def _is_date(text: str) -> bool:
    return parse_http_date(text) is not None


_Etag = Annotated[str, Predicate.of(is_valid_etag, "etag.format", "an entity tag")]
_HttpDate = Annotated[str, Predicate.of(_is_date, "date.format", "an HTTP date")]


@attrs.frozen
class CacheState:
    """The state of a client; `CacheState()` is the initial one.

    Attributes:
        snapshot: the newest valid snapshot; None if there was none.
        etag: entity tag of the response with the snapshot.
        last_modified: Last-Modified of that response, as it was sent.
        fresh_until: instant at which the snapshot becomes stale, ms since the epoch.
        no_store: whether the publisher forbids storing the snapshot; `dump` omits it then.

    """

    snapshot: Snapshot | None = None
    etag: _Etag | None = None
    last_modified: _HttpDate | None = None
    fresh_until: Annotated[int, TimestampFormat.MILLISECOND] = 0
    no_store: bool = False

    def is_fresh(self, now: int) -> bool:
        """Check whether the snapshot is fresh at `now`, so that no request is necessary.

        Raise TypeError or ValueError unless `now` is an int of ms since the epoch.
        """
        check_milliseconds("now", now)
        return self.snapshot is not None and 0 < self.fresh_until - now <= MAX_FRESHNESS_MS

    def request(self) -> Headers:
        """Return the header lines of the next conditional request."""
        if self.snapshot is None:
            return ()
        lines = ("If-None-Match", self.etag), ("If-Modified-Since", self.last_modified)
        return tuple((name, value) for name, value in lines if value is not None)

    def received(
        self, status: int, headers: HeaderLines, body: bytes, *, now: int
    ) -> tuple["CacheState", Outcome]:
        """Return the state after a response, and the outcome; no response raises.

        Args:
            status: HTTP status after redirects.
            headers: header lines in order.
            body: body without content coding; reading may stop after `MAX_BYTES`.  It is ignored
                unless the status is 200.
            now: when the response was received, ms since the epoch.

        Raises:
            TypeError, ValueError: `now` is not an int, or looks like seconds.

        """
        check_milliseconds("now", now)
        lines = tuple(headers)
        if status == _OK:
            try:
                snapshot = _snapshot(body)
            except SiteDataError as error:
                message = "the file is not a valid snapshot"
                return self, Outcome("invalid", message, status, error.findings)
            etag = _single_value(lines, "etag")
            modified = _single_value(lines, "last-modified")
            received = CacheState(
                snapshot,
                etag if is_valid_etag(etag) else None,
                modified if _is_date(modified) else None,
            )
            return received._confirmed(lines, now), Outcome("replaced", "a new snapshot", status)
        if status != _NOT_MODIFIED:
            return self, Outcome("kept", f"no snapshot: the status is {status:d}", status)
        if self.snapshot is None:
            return self, Outcome("again", "not modified, but there is no snapshot yet", status)
        message = "the snapshot is still current"
        return self._confirmed(lines, now), Outcome("reused", message, status)

    def _confirmed(self, headers: HeaderLines, now: int) -> "CacheState":
        """Return the state after a response that has, or confirms, its snapshot."""
        directives = _directives(headers)
        fresh_until = now + _freshness_ms(headers, directives)
        return attrs.evolve(self, fresh_until=fresh_until, no_store="no-store" in directives)

    def dump(self, *, source: str | None = None) -> bytes:
        """Return the state as bytes for `load`, without the snapshot if `no_store` is set.

        Args:
            source: any text that identifies the URL, or None to store none.

        """
        kept = CacheState(no_store=True) if self.no_store else self
        stored = _StoredState(kept, ABSENT if source is None else source)
        return json_text.encode(unstructure(stored)) + b"\n"

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
        if stored is None:
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


_DECODER: Final = ModelDecoder(_StoredState)


def _snapshot(body: bytes) -> Snapshot:
    if len(body) > MAX_BYTES:
        finding = Finding("", "body.size", f"must not be larger than {MAX_BYTES} bytes")
        raise SiteDataError("invalid_site_data", (finding,))
    return parse(body)
