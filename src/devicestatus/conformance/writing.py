"""Checks of authentication and of the bodies of writes."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from devicestatus import limits
from devicestatus.conformance.bodies import (
    Plain,
    body_of_vector,
    encode,
    event,
    gap,
    snapshot,
    window,
)
from devicestatus.conformance.deployment import (
    JSON_TYPE,
    SUITE,
    TIMELINE,
    Deployment,
    post,
    read_back,
    shows,
    update,
    write,
)
from purewire.conformance.checks import (
    Reply,
    Steps,
    Suite,
    TokenForm,
    Unchecked,
    Wait,
    expect,
    expect_equal,
)
from purewire.conformance.reads import get
from purewire.instants import SECOND_MS, format_instant

_INVALID: Final = "invalid_payload"
_HARMLESS: Final = b"{}"
"""A body that no deployment writes, also one that does not check the token."""
_WRONG_TOKEN: Final = ("Authorization", f"Bearer {'x' * 40}")
_WRITES: Final = ("/api/update", "/api/batch", "/update")
_MARK: Final = "conformance-mark-5d1e"


def expect_error(reply: Reply, status: int, *codes: str) -> None:
    """Expect a status and the code of an error.

    Other members are not looked at: the check `errors.bodies` does.
    """
    expect_equal("status", reply.status, status)
    expect_equal("error", reply.object().get("error"), *codes)


def _expect_error_only(reply: Reply, status: int, *codes: str) -> None:
    """Expect the error of a code and nothing else."""
    expect_equal("status", reply.status, status)
    expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
    errors = [{"error": code} for code in codes]
    expect(reply.json() in errors, " or ".join(map(str, errors)), reply.body)


# Vectors


def add_vectors(suite: Suite[Deployment], cases: list[Plain]) -> None:
    """Add a check for each vector of a body that the clock of the deployment does not decide."""
    for case in cases:
        rules = {*case["rules"]}
        if rules & _DECIDED_BY_CLOCK:
            continue
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
            (*_CITED[error, name], *sorted(rules - _NOT_SEEN), *_also(name, case)),
            partial(_follows, case),
            writes=True,
        )


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
            places = [place for place in _MEMBERS_OF if finding["path"].startswith(place)]
            top = "DS-WINDOW-02" if name == "window" else "DS-SNAPSHOT-03"
            yield _MEMBERS_OF[places[0]] if places else top


_MEMBERS_OF: Final = {
    "/baseline/": "DS-WINDOW-12",
    "/events/": "DS-EVENT-08",
    "/gaps/": "DS-GAP-06",
    "/battery/": "DS-DEVICE-05",
    "/system/": "DS-DEVICE-05",
    "/music/": "DS-TEXT-04",
}
"""Where a member is missing to the rule that requires it."""
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
    if error is None:
        written = yield from write(path, body)
        yield from shows(deployment, written, "/api/now" if path == "/api/update" else TIMELINE)
        return
    status = 413 if error == "payload_too_large" else 400
    expect_error((yield from post(path, body)), status, error, *case.get("also", ()))


# Members


_MakeBody = Callable[[int], Plain]


def _window(now: int) -> Plain:
    """Return a window with an event and a gap."""
    events = [event(1, now - 50_000, active_app="Editor")]
    gaps = [gap(now - 40_000, now - 30_000)]
    return window(now - 60_000, now - 10_000, events=events, gaps=gaps)


def _objects(value: object, place: str = "") -> Iterator[tuple[str, Plain]]:
    """Yield every object in a value with its place."""
    if isinstance(value, dict):
        yield place, value
    items = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else items:
        yield from _objects(inner, f"{place}/{key}")


@SUITE.check(
    "members.unknown", "DS-TEXT-05", "DS-EVENT-06", "DS-UPDATE-05", "DS-ERROR-05", writes=True
)
def _unknown_members(deployment: Deployment) -> Steps:
    """A member that is unknown, or of another object, is rejected in every object of a body."""
    now = yield from deployment.now()
    for path, make in (("/api/update", snapshot), ("/api/batch", _window)):
        for index, (place, found) in enumerate(_objects(make(now))):
            for name in sorted({"conformance", "collected_at", "updated_at"} - found.keys()):
                body = make(now)
                [*_objects(body)][index][1][name] = format_instant(now)
                reply = yield from post(path, encode(body))
                expect_equal(f"status of a body with {place}/{name}", reply.status, 400)
                _expect_error_only(reply, 400, "invalid_payload")


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
    _expect_error_only((yield from post("/api/update", encode(_window(now)))), 400, _INVALID)
    _expect_error_only((yield from post("/api/batch", encode(older))), 400, _INVALID)


@SUITE.check("members.largest-text", "DS-RECORD-12", "DS-BODY-02", "DS-TEXT-06", writes=True)
def _largest_text(deployment: Deployment) -> Steps:
    """A window of nearly 524,288 bytes of two-byte characters is accepted and read back."""
    now = yield from deployment.now()
    names = [[f"{seq} {app} {'é' * 194}" for app in range(64)] for seq in range(1, 21)]
    events = [event(seq, now - 50_000, running_apps=apps) for seq, apps in enumerate(names, 1)]
    written = yield from write("/api/batch", window(now - 60_000, now - 10_000, events=events))
    yield from shows(deployment, written, TIMELINE)


# Authentication


@SUITE.check("token.missing", "DS-TOKEN-01", "DS-TOKEN-05", "DS-ERROR-02")
def _token_missing(_: Deployment) -> Steps:
    """A write without a token is 401 with a challenge."""
    for path in _WRITES:
        reply = yield from post(path, _HARMLESS, authorized=False)
        expect_error(reply, 401, "unauthorized")
        expect_equal("WWW-Authenticate", reply.header("www-authenticate"), "Bearer")


@SUITE.check("token.wrong", "DS-TOKEN-02", "DS-TOKEN-05")
def _token_wrong(_: Deployment) -> Steps:
    """A write with another token, another scheme or no scheme is 401."""
    for value in (_WRONG_TOKEN[1], "Bearer ", "Basic dXNlcjpwYXNz", "x" * 40):
        line = ("Authorization", value)
        reply = yield from post("/api/update", _HARMLESS, line, authorized=False)
        expect_error(reply, 401, "unauthorized")


@SUITE.check(
    "token.{0}",
    *("DS-TOKEN-02", "DS-TOKEN-03"),
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
    reply = yield from post("/api/update", _HARMLESS, token_form=form)
    expect_error(reply, 401, "unauthorized")


@SUITE.check("token.before-body", "DS-TOKEN-09", "DS-HTTP-12")
def _token_before_body(_: Deployment) -> Steps:
    """Authentication comes before media type, length, coding and body."""
    for headers in (
        (("Content-Type", "text/plain"),),
        (("Content-Type", "application/json"), ("Content-Encoding", "gzip")),
    ):
        reply = yield from post("/api/update", b"{", *headers, content_type=None, authorized=False)
        expect_error(reply, 401, "unauthorized")


@SUITE.check("token.repeated", "DS-TOKEN-04", writes=True)
def _token_repeated(deployment: Deployment) -> Steps:
    """Two Authorization lines are 401, whichever of them has the token."""
    now = yield from deployment.now()
    reply = yield from post("/api/update", encode(snapshot(now)), _WRONG_TOKEN)
    expect_error(reply, 401, "unauthorized")


# Requests


@SUITE.check("body.order", "DS-HTTP-12", "DS-HTTP-13", "DS-ERROR-02", writes=True)
def _order(deployment: Deployment) -> Steps:
    """The media type comes before the size, the size before the coding, both before the text."""
    now = yield from deployment.now()
    large = _padded(encode(snapshot(now)), limits.UPDATE_BODY_BYTES + 1)
    gzip = ("Content-Encoding", "gzip")
    for body, headers, content_type, status, code in (
        (large, (gzip,), "text/plain", 415, "unsupported_media_type"),
        (large, (gzip,), "application/json", 413, "payload_too_large"),
        (b"{", (gzip,), "application/json", 415, "unsupported_media_type"),
        (b"{" + large, (), "application/json", 413, "payload_too_large"),
    ):
        reply = yield from post("/api/update", body, *headers, content_type=content_type)
        expect_error(reply, status, code)


def _padded(body: bytes, size: int) -> bytes:
    return body + b" " * (size - len(body))


@SUITE.check("body.media-type", "DS-BODY-04", "DS-HTTP-13", "DS-ERROR-02", writes=True)
def _media_type(deployment: Deployment) -> Steps:
    """Another media type, or none, is 415."""
    now = yield from deployment.now()
    for written in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp", None):
        reply = yield from post("/api/update", encode(snapshot(now)), content_type=written)
        expect_error(reply, 415, "unsupported_media_type")


@SUITE.check("body.media-type-form", "DS-BODY-04", writes=True)
def _media_type_form(deployment: Deployment) -> Steps:
    """The media type is compared without case and parameters."""
    now = yield from deployment.now()
    for written in ("Application/JSON", "application/json; charset=utf-8", "application/json;x=1"):
        reply = yield from post("/api/update", encode(snapshot(now)), content_type=written)
        expect_equal("status", reply.status, 200)


@SUITE.check("body.coding", "DS-BODY-07", writes=True)
def _content_coding(deployment: Deployment) -> Steps:
    """A content coding other than identity is 415; identity in any case and none are accepted."""
    yield from _codings(deployment, gzip=415, br=415, identity=200, IDENTITY=200)


@SUITE.check("body.coding-empty", "DS-BODY-07", writes=True)
def _coding_empty(deployment: Deployment) -> Steps:
    """An empty Content-Encoding counts as absent."""
    yield from _codings(deployment, **{"": 200})


def _codings(deployment: Deployment, **statuses: int) -> Steps:
    now = yield from deployment.now()
    for coding, status in statuses.items():
        line = ("Content-Encoding", coding)
        reply = yield from post("/api/update", encode(snapshot(now)), line)
        expect_equal(f"status for the coding {coding!r}", reply.status, status)


@SUITE.check("body.media-type-repeated", "DS-BODY-08", "DS-BODY-04", writes=True)
def _media_type_repeated(deployment: Deployment) -> Steps:
    """Two Content-Type lines are 415, or 400 of an HTTP server."""
    now = yield from deployment.now()
    line = ("Content-Type", "application/json")
    reply = yield from post("/api/update", encode(snapshot(now)), line)
    expect_equal("status", reply.status, 415, 400)


@SUITE.check("body.length-form", "DS-BODY-05", "DS-BODY-06", writes=True)
def _length_form(deployment: Deployment) -> Steps:
    """A Content-Length that is no number, or two that differ, is 413, or 400 of an HTTP server."""
    now = yield from deployment.now()
    body = encode(snapshot(now))
    size = str(len(body))
    for lines in (("abc",), (f"+{size}",), ("-1",), (f"{size}.0",), (size, str(len(body) - 1))):
        headers = [("Content-Length", line) for line in lines]
        reply = yield from post("/api/update", body, *headers)
        expect_equal(f"status for the lengths {lines}", reply.status, 413, 400)


@SUITE.check("body.size-in-bytes", "DS-BODY-01", "DS-BODY-03", writes=True)
def _size_in_bytes(deployment: Deployment) -> Steps:
    """The limit counts bytes, not characters."""
    now = yield from deployment.now()
    names = [f"{number:03}{'♫' * 190}" for number in range(limits.RUNNING_APPS)]
    reply = yield from post("/api/update", encode(snapshot(now, running_apps=names)))
    expect_error(reply, 413, "payload_too_large")


@SUITE.check("body.chunked", "DS-BODY-03", writes=True)
def _chunked(deployment: Deployment) -> Steps:
    """The limit counts the bytes of a body without Content-Length as well."""
    now = yield from deployment.now()
    coding = ("Transfer-Encoding", "chunked")
    body = encode(snapshot(now))
    reply = yield from post("/api/update", body, coding)
    expect_equal("status", reply.status, 200)
    reply = yield from post("/api/update", _padded(body, limits.UPDATE_BODY_BYTES + 1), coding)
    expect_error(reply, 413, "payload_too_large")


# Errors


@SUITE.check("errors.bodies", "DS-ERROR-01", "DS-ERROR-02", "DS-ERROR-03", writes=True)
def _error_bodies(deployment: Deployment) -> Steps:
    """Every error is an object with its code alone, as JSON: nothing of the request or inside."""
    now = yield from deployment.now()
    valid = encode(snapshot(now))
    _expect_error_only((yield from get("/api/nothing-here")), 404, "not_found")
    _expect_error_only((yield from get("/api/now", method="DELETE")), 405, "method_not_allowed")
    reply = yield from post("/api/update", _HARMLESS, authorized=False)
    _expect_error_only(reply, 401, "unauthorized")
    reply = yield from post("/api/update", valid, content_type="text/plain")
    _expect_error_only(reply, 415, "unsupported_media_type")
    reply = yield from post("/api/update", _padded(valid, limits.UPDATE_BODY_BYTES + 1))
    _expect_error_only(reply, 413, "payload_too_large")
    for body, *codes in (
        (b'{"active_app": "a\x01b"', "invalid_json"),
        (b"[" * 5_000, "invalid_json"),
        (encode(snapshot(now, active_app="")), "invalid_payload"),
        (b"[1]", "invalid_payload"),
        (valid.replace(b'"Terminal"', b'"\\ud800"'), "invalid_json", "invalid_payload"),
    ):
        _expect_error_only((yield from post("/api/update", body)), 400, *codes)


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
    *("DS-SERVICE-03", "DS-UPDATE-01", "DS-UPDATE-02", "DS-UPDATE-04", "DS-CACHE-05", "DS-NOW-03"),
    writes=True,
)
def _overwrites(deployment: Deployment) -> Steps:
    """Every accepted write replaces the record, also one with the same content."""
    now = yield from deployment.now()
    first = yield from write("/api/update", snapshot(now))
    yield Wait(1_100)
    second = yield from write("/api/update", snapshot(now))
    times = [format_instant(written.result.updated_at) for written in (first, second)]
    expect(times[1] > times[0], f"updated_at after {times[0]}", times[1])
    yield from read_back(deployment, "/api/now", second.result)


@SUITE.check(
    "update.refreshes",
    *("DS-UPDATE-01", "DS-UPDATE-02", "DS-CONFIG-03", "DS-SERVICE-03", "DS-NOW-01"),
    writes=True,
)
def _refreshes(deployment: Deployment) -> Steps:
    """A write of the same content sets the deadline anew, and is shown unchanged."""
    now = yield from deployment.now()
    first = yield from write("/api/update", snapshot(now))
    yield Wait(1_100)
    second = yield from write("/api/update", snapshot(now))
    later = second.result.updated_at - first.result.updated_at
    expect(later >= 1_000, "updated_at a second later", f"{later} ms later")
    expect_equal("lifetime in ms", second.result.expires_at - first.result.expires_at, later)
    yield from shows(deployment, second, "/api/now")


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


def _skew(deployment: Deployment, path: str, make: _MakeBody) -> Steps:
    """Expect that bodies may be 120 s off the deployment's clock, and not a little more."""
    for sign in (-1, 1):
        for distance, status in ((-deployment.margin_ms, 200), (max(1, deployment.margin_ms), 400)):
            now = yield from deployment.now()
            skew = limits.CLOCK_SKEW_MS + distance
            reply = yield from post(path, encode(make(now + sign * skew)))
            expect_equal(f"status for {skew} ms", reply.status, status)


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
