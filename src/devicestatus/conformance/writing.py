"""Checks of authentication and of the bodies of writes."""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.conformance.bodies import (
    CHANGED,
    Plain,
    body_of_vector,
    event,
    gap,
    inside_window,
    snapshot,
    window,
)
from devicestatus.conformance.deployment import (
    A_WHILE_MS,
    JSON_TYPE,
    SUITE,
    TIMELINE,
    Deployment,
    Read,
    Written,
    expect_error,
    expect_model,
    post,
    shows,
    update,
    write,
)
from devicestatus.conformance.reading import HEADER_RULES, WRITES, WRONG_TOKEN, expect_headers
from devicestatus.conformance.values import RULE_OF_REQUIRED, about, accept_each
from devicestatus.responses import UpdateResult
from purewire.conformance.checks import (
    Action,
    Reply,
    Send,
    Steps,
    Suite,
    TokenForm,
    Unchecked,
    Wait,
    expect,
    expect_equal,
    expect_header,
    expect_status,
    testing,
)
from purewire.conformance.reads import get
from purewire.instants import SECOND_MS, format_instant
from purewire.json import codec
from purewire.json.codec import encode

_INVALID: Final = "invalid_payload"
_HARMLESS: Final = b"{}"
"""A body that no deployment writes, also one that does not check the token."""
_MARK: Final = "conformance-mark-5d1e"


def expect_error_only(reply: Reply, status: int, *codes: str) -> None:
    """Expect the error of a code and nothing else."""
    expect_status(reply, status)
    expect_header(reply, "Content-Type", JSON_TYPE)
    errors = [{"error": code} for code in codes]
    expect(reply.json() in errors, " or ".join(map(str, errors)), reply.body)


# Vectors


def add_vectors(suite: Suite[Deployment], cases: list[Plain]) -> None:
    """Add a check for each vector of a body that the clock of the deployment does not decide.

    Vectors of single members are left out: `values` derives more of them.
    """
    used = [
        case
        for case in cases
        if not (_DECIDED_BY_CLOCK & {*case["rules"]} or case["title"].startswith(_OF_MEMBERS))
    ]
    for case in used:
        path, error = case["input"]["endpoint"], case["expected"].get("error")
        name = "snapshot" if path == "/api/update" else "window"
        if error is None:
            identifier, title = f"{name}.accepts-{case['id']}", "is accepted and shown unchanged"
        else:
            group = {"invalid_json": "json", "payload_too_large": "body"}.get(error, name)
            identifier, title = f"{group}.rejects-{case['id']}", f"is {error}"
        suite.add(
            identifier,
            f"A {name}, {case['title']}, {title}",
            (*sorted({*case["rules"]} - _NOT_SEEN), *_CITED[error, name], *_also(name, case)),
            partial(_follows, case),
            writes=True,
        )
    valid = [case for case in used if case["expected"]["valid"] and _is_small(case)]
    suite.add(
        "window.accepts-values-of-snapshots",
        "What a snapshot may have, the changes of an event may have",
        ("DS-EVENT-06", "DS-EVENT-07", "DS-WINDOW-17", "DS-TIMELINE-01"),
        partial(_accepts_changes, valid),
        writes=True,
    )


_OF_MEMBERS: Final = ("Snapshot /", "Window /")
_MOST_BYTES: Final = 8_000


def _is_small(case: Plain) -> bool:
    return case["input"]["endpoint"] == "/api/update" and len(str(case["input"])) < _MOST_BYTES


def _accepts_changes(cases: list[Plain], deployment: Deployment) -> Steps:
    def write_all(cases: Sequence[Plain]) -> Generator[Action, Any, Written]:
        now = yield from deployment.now()
        events = []
        for seq, case in enumerate(cases, 1):
            body: Any = codec.decode(body_of_vector(case["input"], now))
            changes = {name: body[name] for name in CHANGED if name in body}
            events.append(event(seq, now - 50_000, **changes))
        return (yield from write("/api/batch", window(now - 60_000, now - 10_000, events=events)))

    written = yield from accept_each(write_all, cases, lambda case: f"an event of {case['title']}")
    yield from shows(deployment, written, TIMELINE)


def _also(name: str, case: Plain) -> Iterator[str]:
    """Yield the rules about members which a check verifies beside those of its vector."""
    if case["expected"]["valid"] and any(rule.startswith("DS-URL") for rule in case["rules"]):
        yield "DS-URL-11"
    if "DS-JSON-05" in case["rules"]:
        yield "DS-JSON-06"
    for finding in case["expected"].get("findings", ()):
        if finding["rule"] == "time.format" and name == "window":
            yield from ("DS-WINDOW-18", "DS-TIME-01")
        if finding["rule"] == "required":
            place = finding["path"][: finding["path"].find("/", 1) + 1]
            yield RULE_OF_REQUIRED.get(place, _RULE_OF_TOP[name])


_RULE_OF_TOP: Final = {"snapshot": "DS-SNAPSHOT-03", "window": "DS-WINDOW-02"}
"""Kind of body to the rule about members that are missing at its top."""
_DECIDED_BY_CLOCK: Final = {"DS-SNAPSHOT-05", "DS-WINDOW-11"}
"""Rules that `update.skew` and `batch.skew` test as exactly as the clock is known."""
_NOT_SEEN: Final = {"DS-APP-03", "DS-ERROR-06"}
"""Rules about agents and about callers of the library."""
_CITED: Final[dict[tuple[str | None, str], tuple[str, ...]]] = {
    (None, "snapshot"): ("DS-NOW-01", "DS-UPDATE-04", "DS-TIME-05"),
    (None, "window"): ("DS-TIMELINE-01",),
    **{("invalid_payload", name): ("DS-ERROR-05",) for name in ("snapshot", "window")},
    **{("invalid_json", name): () for name in ("snapshot", "window")},
    **{("payload_too_large", name): ("DS-ERROR-02",) for name in ("snapshot", "window")},
}
"""Error and kind of body to rules that a check verifies beside those of its vector."""


def _follows(case: Plain, deployment: Deployment) -> Steps:
    now = yield from deployment.now()
    path, error = case["input"]["endpoint"], case["expected"].get("error")
    body = body_of_vector(case["input"], now)
    if error == "invalid_json" and len(body) <= limits.UPDATE_BODY_BYTES:
        # Text that is not JSON has no kind: either path refuses it.
        path = next(
            endpoint
            for endpoint in (path, "/api/update", "/api/batch")
            if deployment.takes(endpoint)
        )
    if error is None:
        written = yield from write(path, body)
        yield from shows(deployment, written, "/api/now" if path == "/api/update" else TIMELINE)
        return
    status = 413 if error == "payload_too_large" else 400
    codes = (error, *case.get("also", ()))
    expect_error((yield from post(path, body)), status, *codes)
    for where, inside in inside_window(case, body, now):
        reply = yield from post("/api/batch", encode(inside))
        with testing("DS-WINDOW-17" if "url" in str(case) else ""), about(where):
            expect_error(reply, status, *codes)


# Members


def _window(now: int) -> Plain:
    """Return a window with an event and a gap."""
    events = [event(1, now - 50_000, active_app="Editor")]
    gaps = [gap(now - 40_000, now - 30_000)]
    return window(now - 60_000, now - 10_000, events=events, gaps=gaps)


@SUITE.check(
    "members.versions",
    *("DS-VERSION-01", "DS-VERSION-03", "DS-SNAPSHOT-01", "DS-WINDOW-01", "DS-ERROR-05"),
    "DS-SERVICE-01",
    writes=True,
)
def _versions(deployment: Deployment) -> Steps:
    """Each endpoint accepts its own version only; a snapshot of an older agent is accepted."""
    now = yield from deployment.now()
    older = snapshot(now)
    del older["running_apps"]
    yield from write("/api/update", older)
    expect_error_only((yield from post("/api/update", encode(_window(now)))), 400, _INVALID)
    expect_error_only((yield from post("/api/batch", encode(older))), 400, _INVALID)


@SUITE.check("members.largest-text", "DS-RECORD-12", "DS-BODY-02", "DS-TEXT-06", writes=True)
def _largest_text(deployment: Deployment) -> Steps:
    """A window of nearly 524,288 bytes of two-byte characters is accepted and read back."""
    now = yield from deployment.now()
    names = [[f"{seq} {app} {'é' * 194}" for app in range(64)] for seq in range(1, 21)]
    events = [event(seq, now - 50_000, running_apps=apps) for seq, apps in enumerate(names, 1)]
    written = yield from write("/api/batch", window(now - 60_000, now - 10_000, events=events))
    yield from shows(deployment, written, TIMELINE)


# Authentication


def _expect_unauthorized(reply: Reply) -> None:
    expect_error(reply, 401, "unauthorized")
    expect_header(reply, "WWW-Authenticate", "Bearer", rule="DS-TOKEN-05")


@SUITE.check("token.missing", "DS-TOKEN-05", "DS-TOKEN-01", "DS-ERROR-02")
def _token_missing(deployment: Deployment) -> Steps:
    """A write without a token is 401 with a challenge."""
    for path in filter(deployment.takes, WRITES):
        _expect_unauthorized((yield from post(path, _HARMLESS, authorized=False)))


@SUITE.check("token.wrong", "DS-TOKEN-02", "DS-TOKEN-05")
def _token_wrong(deployment: Deployment) -> Steps:
    """A write with another token, another scheme or no scheme is 401."""
    values = (WRONG_TOKEN[1], "Bearer", "Bearer null", "Basic dXNlcjpwYXNz", "x" * 40, "")
    for path, value in product(filter(deployment.takes, WRITES), values):
        line = ("Authorization", value)
        _expect_unauthorized((yield from post(path, _HARMLESS, line, authorized=False)))


@SUITE.check(
    "token.{0}",
    *("DS-TOKEN-02", "DS-TOKEN-03", "DS-TOKEN-05"),
    cases={
        form.name.lower().replace("_", "-"): (form,)
        for form in TokenForm
        if form is not TokenForm.EXACT
    },
)
def _token_form(deployment: Deployment, form: TokenForm) -> Steps:
    """A write with another form of the token, {0}, is 401."""
    if not deployment.arguments.has_token:
        raise Unchecked("it needs the token")
    for path in filter(deployment.takes, WRITES):
        _expect_unauthorized((yield from post(path, _HARMLESS, token_form=form)))


@SUITE.check("token.repeated", "DS-TOKEN-04", writes=True)
def _token_repeated(deployment: Deployment) -> Steps:
    """Two Authorization lines are 401, whichever of them has the token."""
    now = yield from deployment.now()
    body = encode(snapshot(now))
    lines = (("Content-Type", "application/json"), WRONG_TOKEN)
    for is_first in (False, True):
        reply = yield Send(
            "POST", "/api/update", lines, body, authorized=True, token_first=is_first
        )
        expect_error(reply, 401, "unauthorized")


# Requests


@attrs.frozen
class _Fault:
    """One fault of a write, and the status and code of its response.

    The header lines that have the fault are in place of those of a valid write; `body` changes a
    body, for the size that is allowed.
    """

    status: int
    code: str
    headers: tuple[tuple[str, str], ...] = ()
    body: Callable[[bytes, int], bytes] | None = None
    authorized: bool = True


def _padded(body: bytes, size: int) -> bytes:
    return body + b" " * (size - len(body))


_FAULTS: Final = {
    "token": _Fault(401, "unauthorized", authorized=False),
    "media type": _Fault(415, "unsupported_media_type", (("Content-Type", "text/plain"),)),
    "declared size": _Fault(
        413, "payload_too_large", body=lambda body, limit: _padded(body, limit + 1)
    ),
    "coding": _Fault(415, "unsupported_media_type", (("Content-Encoding", "gzip"),)),
    "size": _Fault(
        413,
        "payload_too_large",
        (("Transfer-Encoding", "chunked"),),
        lambda body, limit: _padded(body, limit + 1),
    ),
    "text": _Fault(400, "invalid_json", body=lambda body, _: body[:-1]),
    "value": _Fault(
        400, "invalid_payload", body=lambda body, _: body.replace(b'"active_app"', b'"app"', 1)
    ),
}
"""Check of a write to the fault that it finds, in the order of the checks."""
_PAIRS: Final = [
    pair
    for pair in combinations(_FAULTS, 2)
    if pair not in {("declared size", "size"), ("text", "value")}
]
"""Pairs of faults that one request may have, the one that is found first in front."""


def _write_with(faults: Iterable[_Fault], path: str, body: bytes, limit: int) -> Read:
    """Send a write that has some faults, the last one with the last word."""
    headers = {"Content-Type": "application/json"}
    is_authorized = True
    for fault in faults:
        body = body if fault.body is None else fault.body(body, limit)
        headers.update(fault.headers)
        is_authorized &= fault.authorized
    reply: Reply = yield Send("POST", path, tuple(headers.items()), body, is_authorized)
    return reply


@SUITE.check(
    "order.{0}",
    *("DS-HTTP-12", "DS-HTTP-13", "DS-TOKEN-09", "DS-ERROR-02"),
    cases={f"{one} before {other}".replace(" ", "-"): (one, other) for one, other in _PAIRS},
    writes=True,
)
def _order(deployment: Deployment, first: str, second: str) -> Steps:
    """A write with two faults, {0}, has the error of the first."""
    now = yield from deployment.now()
    is_head = second in {"media type", "declared size", "coding"} and first != "token"
    rule = "DS-TOKEN-09" if first == "token" else "DS-HTTP-13" if is_head else "DS-HTTP-12"
    for path, value, limit in _bodies_of_writes(deployment):
        faults = _FAULTS[second], _FAULTS[first]
        reply = yield from _write_with(faults, path, encode(value(now)), limit)
        with testing(rule):
            expect_error(reply, _FAULTS[first].status, _FAULTS[first].code)


_BODIES_OF_WRITES: Final = (
    ("/api/update", snapshot, limits.UPDATE_BODY_BYTES),
    ("/api/batch", _window, limits.BATCH_BODY_BYTES),
    ("/update", snapshot, limits.UPDATE_BODY_BYTES),
)
"""Path of a write, what makes a valid body of it, and its limit in bytes."""


def _bodies_of_writes(deployment: Deployment) -> list[tuple[str, Callable[[int], Plain], int]]:
    """Return path, body and limit of the writes that the deployment takes."""
    return [row for row in _BODIES_OF_WRITES if deployment.takes(row[0])]


@SUITE.check("headers.rejected", *HEADER_RULES, "DS-HTTP-08", "DS-ERROR-01", writes=True)
def _headers_of_rejected(deployment: Deployment) -> Steps:
    """Every write has the headers of its status and nothing but its code, whatever its fault."""
    now = yield from deployment.now()
    for path, value, limit in _bodies_of_writes(deployment):
        expect_headers((yield from _write_with((), path, encode(value(now)), limit)), path, "POST")
        for fault in _FAULTS.values():
            reply = yield from _write_with([fault], path, encode(value(now)), limit)
            expect_headers(reply, path, "POST")
            expect_error_only(reply, fault.status, fault.code)


def _have_status(
    header: str, values: Iterable[str | None], status: int, deployment: Deployment
) -> Steps:
    """Expect a status of writes with each value of a header; None stands for no such header."""
    now = yield from deployment.now()
    for path, body, _ in _bodies_of_writes(deployment):
        for value in values:
            lines = {"Content-Type": "application/json", header: value}
            headers = [(name, text) for name, text in lines.items() if text is not None]
            reply = yield from post(path, encode(body(now)), *headers, content_type=None)
            with about(f"{header}: {value}"):
                expect_status(reply, status)
                if status == 415 and header == "Content-Type":
                    expect_error(reply, status, "unsupported_media_type")


@SUITE.check("body.media-type", "DS-BODY-04", "DS-ERROR-02", writes=True)
def _media_type(deployment: Deployment) -> Steps:
    """Another media type, or none, is 415."""
    others = (
        *("text/plain", "text/json", "application/x-www-form-urlencoded", "application/jsonp"),
        *("application/json-patch+json", "application/ld+json", "application/xjson", "json", "*/*"),
        *("text/plain; a=application/json", "application/json, text/plain", "", None),
    )
    yield from _have_status("Content-Type", others, 415, deployment)


@SUITE.check("body.media-type-form", "DS-BODY-04", "DS-JSON-01", writes=True)
def _media_type_form(deployment: Deployment) -> Steps:
    """The media type is compared without case and parameters."""
    forms = (
        *("Application/JSON", "APPLICATION/JSON;CHARSET=UTF-8", "application/json ; a=b"),
        *("application/json; charset=utf-8", 'application/json;charset="utf-8"'),
        *("application/json; charset=iso-8859-1", "application/json;"),
    )
    yield from _have_status("Content-Type", forms, 200, deployment)
    written = yield from update(
        deployment, active_app="\u00e9\u266b", content_type="application/json; charset=iso-8859-1"
    )
    with testing("DS-JSON-01"):
        yield from shows(deployment, written, "/api/now")


@SUITE.check("body.coding", "DS-BODY-07", writes=True)
def _content_coding(deployment: Deployment) -> Steps:
    """A content coding other than identity is 415; identity in any case and none are accepted."""
    others = ("gzip", "GZIP", "x-gzip", "br", "deflate", "zstd", "utf-8", "identity, gzip")
    yield from _have_status("Content-Encoding", others, 415, deployment)
    yield from _have_status("Content-Encoding", ("identity", "IDENTITY"), 200, deployment)


@SUITE.check("body.coding-empty", "DS-BODY-07", writes=True)
def _coding_empty(deployment: Deployment) -> Steps:
    """An empty Content-Encoding counts as absent."""
    yield from _have_status("Content-Encoding", ("",), 200, deployment)


@SUITE.check("body.media-type-repeated", "DS-BODY-08", "DS-BODY-04", writes=True)
def _media_type_repeated(deployment: Deployment) -> Steps:
    """Two Content-Type lines are 415, or 400 of an HTTP server."""
    now = yield from deployment.now()
    line = ("Content-Type", "application/json")
    reply = yield from post("/api/update", encode(snapshot(now)), line)
    expect_status(reply, 415, 400)


@SUITE.check("body.length-form", "DS-BODY-05", "DS-BODY-06", writes=True)
def _length_form(deployment: Deployment) -> Steps:
    """A Content-Length that is no number, or two that differ, is 413, or 400 of an HTTP server."""
    now = yield from deployment.now()
    body = encode(snapshot(now))
    size = str(len(body))
    for lines in (
        *(("abc",), (f"+{size}",), ("-1",), (f"{size}.0",), (f"0x{len(body):x}",), (f"{size}e0",)),
        *((size, str(len(body) - 1)), (str(len(body) - 1), size)),
    ):
        headers = [("Content-Length", line) for line in lines]
        reply = yield from post("/api/update", body, *headers)
        with about(f"the lengths {lines}"), testing(f"DS-BODY-0{4 + len(lines)}"):
            expect_status(reply, 413, 400)


@SUITE.check("body.size-in-bytes", "DS-BODY-03", "DS-BODY-01", writes=True)
def _size_in_bytes(deployment: Deployment) -> Steps:
    """The limit counts bytes, not characters."""
    now = yield from deployment.now()
    names = [f"{number:03}{'♫' * 190}" for number in range(limits.RUNNING_APPS)]
    reply = yield from post("/api/update", encode(snapshot(now, running_apps=names)))
    expect_error(reply, 413, "payload_too_large")


@SUITE.check("body.sizes", "DS-BODY-01", "DS-BODY-02", "DS-BODY-03", "DS-HTTP-09", writes=True)
def _sizes(deployment: Deployment) -> Steps:
    """Every write path accepts a body of its limit, chunked too, and rejects one byte more."""
    now = yield from deployment.now()
    for path, value, limit in _bodies_of_writes(deployment):
        for lines in ((), (("Transfer-Encoding", "chunked"),)):
            with testing("DS-BODY-03" if lines else f"DS-BODY-0{1 + (path == '/api/batch')}"):
                body = encode(value(now))
                expect_status((yield from post(path, _padded(body, limit), *lines)), 200)
                reply = yield from post(path, _padded(body, limit + 1), *lines)
                expect_error(reply, 413, "payload_too_large")


@SUITE.check("body.slow", "DS-BODY-09", "DS-SNAPSHOT-05", writes=True)
def _slow(deployment: Deployment) -> Steps:
    """The receive time of a body that comes slowly is the time of its last byte."""
    now = yield from deployment.now()
    headers = (("Content-Type", "application/json"),)
    body = encode(snapshot(now))
    reply: Reply = yield Send(
        "POST", "/api/update", headers, body, authorized=True, pause_ms=_PAUSE_MS
    )
    received = expect_model(reply, UpdateResult).updated_at
    earliest = deployment.times_of(reply)[0] + _PAUSE_MS - 100
    what = f"updated_at after the last byte, which was sent after {_PAUSE_MS} ms"
    expect(
        received >= earliest, what, f"{received - earliest + _PAUSE_MS - 100} ms after the first"
    )


_PAUSE_MS: Final = 800


# Errors


@SUITE.check("errors.bodies", "DS-ERROR-01", "DS-ERROR-02", "DS-ERROR-03", writes=True)
def _error_bodies(deployment: Deployment) -> Steps:
    """Every error is an object with its code alone, as JSON: nothing of the request or inside."""
    now = yield from deployment.now()
    valid = encode(snapshot(now))
    expect_error_only((yield from get("/api/nothing-here")), 404, "not_found")
    expect_error_only((yield from get("/api/now", method="DELETE")), 405, "method_not_allowed")
    for fault in _FAULTS.values():
        reply = yield from _write_with([fault], "/api/update", valid, limits.UPDATE_BODY_BYTES)
        expect_error_only(reply, fault.status, fault.code)
    for body, *codes in (
        (b'{"active_app": "a\x01b"', "invalid_json"),
        (b"[" * 5_000, "invalid_json"),
        (encode(snapshot(now, active_app="")), "invalid_payload"),
        (b"[1]", "invalid_payload"),
        (valid.replace(b'"Terminal"', b'"\\ud800"'), "invalid_json", "invalid_payload"),
    ):
        expect_error_only((yield from post("/api/update", body)), 400, *codes)


@SUITE.check("errors.quote-nothing", "DS-ERROR-03", "DS-ERROR-01")
def _quote_nothing(_: Deployment) -> Steps:
    """No error has a part of the path, the headers or the body of its request."""
    line = ("X-Request-Id", _MARK)
    wrong = ("Authorization", f"Bearer {_MARK}")
    body = f'{{"{_MARK}": 1}}'.encode()
    replies = []
    for path, method in ((f"/api/{_MARK}", "GET"), (f"/api/now?{_MARK}", "DELETE")):
        replies.append((yield from get(path, line, method=method)))
    replies.append((yield from post("/api/update", body, line, wrong, authorized=False)))
    for reply in replies:
        text = reply.body.decode("utf-8", "replace") + repr(reply.headers)
        expect(_MARK not in text, f"an error without the text {_MARK} of the request", text)


# Writes


@SUITE.check(
    "update.overwrites",
    *("DS-UPDATE-02", "DS-UPDATE-01", "DS-SERVICE-03", "DS-UPDATE-04", "DS-CACHE-05", "DS-NOW-03"),
    *("DS-CONFIG-03", "DS-NOW-01"),
    writes=True,
)
def _overwrites(deployment: Deployment) -> Steps:
    """A write of the same content replaces the record, and sets its deadline anew."""
    now = yield from deployment.now()
    first = yield from write("/api/update", snapshot(now))
    yield Wait(A_WHILE_MS)
    second = yield from write("/api/update", snapshot(now))
    later = second.result.updated_at - first.result.updated_at
    expect(later >= A_WHILE_MS - 50, f"updated_at about {A_WHILE_MS} ms later", f"{later} ms later")
    lifetimes = [
        written.result.expires_at - written.result.updated_at for written in (first, second)
    ]
    expect_equal("lifetime in ms", lifetimes[1], lifetimes[0], rule="DS-UPDATE-01")
    yield from shows(deployment, second, "/api/now")


@SUITE.check("update.response", "DS-UPDATE-04", "DS-HTTP-08", writes=True)
def _response(deployment: Deployment) -> Steps:
    """The response to a snapshot has ok true, `updated_at` and `expires_at`, and nothing else."""
    now = yield from deployment.now()
    expect_model((yield from post("/api/update", encode(snapshot(now)))), UpdateResult)


@SUITE.check("update.times", "DS-TIME-05", "DS-UPDATE-04", writes=True)
def _times(deployment: Deployment) -> Steps:
    """Responses write times in UTC with three fractional digits and `Z`."""
    now = yield from deployment.now()
    written = yield from post("/api/update", encode(snapshot(now)))
    replies = [written, (yield from get("/api/now")), (yield from get(TIMELINE))]
    for reply in replies:
        for name, value in reply.object().items():
            if name.endswith("_at") or name == "server_time":
                is_time = isinstance(value, str) and _WRITTEN_TIME.fullmatch(value)
                expect(is_time, f"{name} as YYYY-MM-DDTHH:MM:SS.mmmZ", value)


_WRITTEN_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


@SUITE.check("update.rejected-is-not-written", "DS-UPDATE-06", writes=True)
def _rejected_is_not_written(deployment: Deployment) -> Steps:
    """A rejected body leaves the record as it is."""
    written = yield from update(deployment, active_app="Kept")
    now = yield from deployment.now()
    reply = yield from post("/api/update", encode(snapshot(now, active_app="")))
    expect_error(reply, 400, "invalid_payload")
    yield from shows(deployment, written, "/api/now")


@SUITE.check("update.receive-time", "DS-BODY-09", "DS-UPDATE-04", writes=True)
def _receive_time(deployment: Deployment) -> Steps:
    """`updated_at` is the deployment's time of the write, whatever `collected_at` says."""
    before = yield from deployment.now()
    written = yield from write("/api/update", snapshot(before - 60_000))
    after = yield from deployment.now()
    slack = deployment.uncertainty_ms + 1_000
    expect(
        before - slack <= written.result.updated_at <= after + slack,
        f"updated_at between {format_instant(before - slack)} and {format_instant(after + slack)}",
        format_instant(written.result.updated_at),
    )


def _skew(deployment: Deployment, path: str, make: Callable[[int], Plain]) -> Steps:
    """Expect that bodies may be 120 s off the deployment's clock, and not a little more."""
    for sign in (-1, 1):
        for distance, status in ((-deployment.margin_ms, 200), (max(1, deployment.margin_ms), 400)):
            now = yield from deployment.now()
            skew = limits.CLOCK_SKEW_MS + distance
            reply = yield from post(path, encode(make(now + sign * skew)))
            expect_status(reply, status)


@SUITE.check("update.skew", "DS-SNAPSHOT-05", "DS-TIME-08", writes=True)
def _skew_of_update(deployment: Deployment) -> Steps:
    """`collected_at` may differ from the receive time by exactly 120 s, as far as clocks tell."""
    yield from _skew(deployment, "/api/update", snapshot)


@SUITE.check("batch.skew", "DS-WINDOW-11", "DS-TIME-08", writes=True)
def _skew_of_batch(deployment: Deployment) -> Steps:
    """`generated_at` may differ from the receive time by exactly 120 s, as far as clocks tell."""
    yield from _skew(deployment, "/api/batch", lambda at: window(at - 60_000, at))


@SUITE.check("update.lifetime", "DS-DEADLINE-01", "DS-SNAPSHOT-02", writes=True)
def _lifetime(deployment: Deployment) -> Steps:
    """The lifetime is 60 to 3600 whole seconds, the same for every snapshot."""
    now = yield from deployment.now()
    seen = set()
    for collected_at in (now - 100_000, now, now + 100_000):
        result = (yield from write("/api/update", snapshot(collected_at))).result
        seen.add(result.expires_at - result.updated_at)
    allowed = range(
        limits.TTL_MIN_SECONDS * SECOND_MS, limits.TTL_MAX_SECONDS * SECOND_MS + 1, SECOND_MS
    )
    expect(
        len(seen) == 1 and min(seen) in allowed,
        "one lifetime of 60 to 3600 whole seconds",
        f"lifetimes of {sorted(seen)} ms",
    )


@SUITE.check("aliases.update", "DS-HTTP-09", writes=True)
def _alias_of_update(deployment: Deployment) -> Steps:
    """`/update` is `/api/update`, and `/now` shows what it wrote."""
    now = yield from deployment.now()
    written = yield from write("/update", snapshot(now))
    yield from shows(deployment, written, "/now")
