"""Checks of authentication and of the bodies of writes."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from devicestatus import limits
from devicestatus.conformance import bodies
from devicestatus.conformance.bodies import encode, snapshot, window
from devicestatus.conformance.deployment import (
    JSON_TYPE,
    SUITE,
    Deployment,
    get,
    post,
    read_back,
    write,
)
from purewire.conformance.checks import (
    Reply,
    Steps,
    TokenForm,
    Unchecked,
    Wait,
    expect,
    expect_equal,
)
from purewire.instants import format_instant, parse_utc

_HARMLESS: Final = b"{}"
"""A body that no deployment writes, also one that does not check the token."""
_WRONG_TOKEN: Final = ("Authorization", f"Bearer {'x' * 40}")


def _expect_error(reply: Reply, status: int, code: str) -> None:
    """Raise CheckFailed unless the response has a status and the code of an error.

    Other members are not looked at: the check `errors.bodies` does.
    """
    expect_equal("status", reply.status, status)
    expect_equal("error", reply.object().get("error"), code)


def _expect_error_only(reply: Reply, status: int, code: str) -> None:
    """Raise CheckFailed unless the response is the error of a code and nothing else."""
    expect_equal("status", reply.status, status)
    expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
    expect(reply.json() == {"error": code}, f'{{"error": "{code}"}}', reply.body)


def _rejects(make: bodies.Make, path: str, deployment: Deployment) -> Steps:
    now = yield from deployment.now()
    reply = yield from post(path, encode(make(now)))
    _expect_error(reply, 400, "invalid_payload")


def _rejects_text(body: bytes, _: Deployment) -> Steps:
    reply = yield from post("/api/update", body)
    _expect_error(reply, 400, "invalid_json")


def _shows(make: bodies.Make, deployment: Deployment) -> Steps:
    now = yield from deployment.now()
    sent = make(now)
    result = yield from write("/api/update", encode(sent))
    updated_at = format_instant(result.updated_at)
    reply = yield from read_back(deployment, "/api/now", result)
    expected = _as_read(sent) | {
        "status": "online",
        "updated_at": updated_at,
        "expires_at": format_instant(result.expires_at),
    }
    expect(reply.json() == expected, f"{expected!r}", reply.body)


def _as_read(sent: dict[str, Any]) -> dict[str, Any]:
    """Return a snapshot as responses write it: times with three fractional digits."""
    return sent | {"collected_at": format_instant(parse_utc(sent["collected_at"]))}


def _returns(make: bodies.Make, deployment: Deployment) -> Steps:
    now = yield from deployment.now()
    sent = make(now)
    result = yield from write("/api/batch", encode(sent))
    reply = yield from read_back(deployment, "/api/timeline", result)
    shown = reply.object().get("window")
    expect(shown == sent, "the window as it was sent", shown)


@SUITE.check(
    "update.overwrites",
    "DS-SERVICE-03",
    "DS-UPDATE-01",
    "DS-UPDATE-02",
    "DS-UPDATE-04",
    "DS-CACHE-05",
    "DS-NOW-03",
    writes=True,
)
def _overwrites(deployment: Deployment) -> Steps:
    """Every accepted write replaces the record, also one with the same content."""
    now = yield from deployment.now()
    body = encode(snapshot(now))
    first = yield from write("/api/update", body)
    yield Wait(1_100)
    second = yield from write("/api/update", body)
    expect(
        second.updated_at > first.updated_at,
        f"updated_at after {format_instant(first.updated_at)}",
        format_instant(second.updated_at),
    )
    yield from read_back(deployment, "/api/now", second)


@SUITE.check("update.times", "DS-TIME-05", "DS-UPDATE-04", writes=True)
def _times(deployment: Deployment) -> Steps:
    """Responses write times in UTC with three fractional digits and `Z`."""
    now = yield from deployment.now()
    replies = [(yield from post("/api/update", encode(snapshot(now))))]
    for path in ("/api/now", "/api/timeline", "/api/device"):
        reply = yield from get(path)
        replies.append(reply)
    for each in replies:
        for name, value in each.object().items():
            if name.endswith("_at") or name == "server_time":
                is_time = isinstance(value, str) and _WRITTEN_TIME.fullmatch(value)
                expect(is_time, f"{name} as YYYY-MM-DDTHH:MM:SS.mmmZ", value)


_WRITTEN_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


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
    for body, code in (
        (b'{"active_app": "a\x01b"', "invalid_json"),
        (b"[" * 5_000, "invalid_json"),
        (encode(snapshot(now, active_app="")), "invalid_payload"),
        (b"[1]", "invalid_payload"),
    ):
        reply = yield from post("/api/update", body)
        _expect_error_only(reply, 400, code)
    surrogate = yield from post("/api/update", valid.replace(b'"Terminal"', b'"\\ud800"'))
    either = ("invalid_json", "invalid_payload")
    expect(surrogate.json() in [{"error": code} for code in either], repr(either), surrogate.body)


def _add_cases() -> None:
    cited: tuple[str, ...]
    for name, (rules, make) in bodies.INVALID_SNAPSHOTS.items():
        title = f"A snapshot with the fault {name} is invalid_payload"
        steps = partial(_rejects, make, "/api/update")
        SUITE.add(f"snapshot.rejects-{name}", title, ("DS-ERROR-05", *rules), steps, writes=True)
    for name, (rules, make) in bodies.INVALID_WINDOWS.items():
        title = f"A window with the fault {name} is invalid_payload"
        steps = partial(_rejects, make, "/api/batch")
        SUITE.add(f"window.rejects-{name}", title, ("DS-ERROR-05", *rules), steps, writes=True)
    for name, body in bodies.INVALID_JSON.items():
        title = f"A body that is not JSON text ({name}) is invalid_json"
        cited = _JSON_RULES.get(name, ("DS-JSON-03",))
        SUITE.add(f"json.rejects-{name}", title, cited, partial(_rejects_text, body), writes=True)
    for name, (rules, make) in bodies.VALID_SNAPSHOTS.items():
        title = f"A valid snapshot ({name}) is accepted and shown unchanged"
        cited = ("DS-NOW-01", "DS-UPDATE-04", *rules)
        SUITE.add(f"snapshot.accepts-{name}", title, cited, partial(_shows, make), writes=True)
    for name, (rules, make) in bodies.VALID_WINDOWS.items():
        title = f"A valid window ({name}) is accepted and returned unchanged"
        cited = ("DS-TIMELINE-01", *rules)
        SUITE.add(f"window.accepts-{name}", title, cited, partial(_returns, make), writes=True)


_JSON_RULES: Final = {
    "utf-16": ("DS-JSON-01",),
    "not-utf-8": ("DS-JSON-01",),
    "encoded-surrogate": ("DS-JSON-01",),
    "second-byte-order-mark": ("DS-JSON-02",),
    "broken-depth": ("DS-JSON-05",),
}


@SUITE.check("token.missing", "DS-TOKEN-01", "DS-TOKEN-05", "DS-ERROR-02")
def _token_missing(_: Deployment) -> Steps:
    """A write without a token is 401 with a challenge."""
    for path in ("/api/update", "/api/batch", "/update"):
        reply = yield from post(path, _HARMLESS, authorized=False)
        _expect_error(reply, 401, "unauthorized")
        expect_equal("WWW-Authenticate", reply.header("www-authenticate"), "Bearer")


@SUITE.check("token.wrong", "DS-TOKEN-02", "DS-TOKEN-05")
def _token_wrong(_: Deployment) -> Steps:
    """A write with another token, another scheme or no scheme is 401."""
    for value in (_WRONG_TOKEN[1], "Bearer ", "Basic dXNlcjpwYXNz", "x" * 40):
        line = ("Authorization", value)
        reply = yield from post("/api/update", _HARMLESS, line, authorized=False)
        _expect_error(reply, 401, "unauthorized")


def _token_form(form: TokenForm, deployment: Deployment) -> Steps:
    if not deployment.arguments.has_token:
        raise Unchecked("it needs the token")
    reply = yield from post("/api/update", _HARMLESS, token_form=form)
    _expect_error(reply, 401, "unauthorized")


for _form, _what in (
    (TokenForm.LOWER_SCHEME, "The scheme in lower case"),
    (TokenForm.NO_SCHEME, "The token without a scheme"),
    (TokenForm.TWO_BLANKS, "The token after two blanks"),
    (TokenForm.OTHER_CASE, "The token in another case"),
    (TokenForm.SHORTENED, "The token without its last character"),
    (TokenForm.LENGTHENED, "The token with one more character"),
):
    SUITE.add(
        f"token.{_form.name.lower().replace('_', '-')}",
        f"{_what} is 401",
        ("DS-TOKEN-02", "DS-TOKEN-03") if "Bearer " in _form.value else ("DS-TOKEN-02",),
        partial(_token_form, _form),
    )


@SUITE.check("token.before-body", "DS-TOKEN-09", "DS-HTTP-12")
def _token_before_body(_: Deployment) -> Steps:
    """Authentication comes before media type, length, coding and body."""
    for headers in (
        (("Content-Type", "text/plain"),),
        (("Content-Type", "application/json"), ("Content-Encoding", "gzip")),
    ):
        reply = yield from post("/api/update", b"{", *headers, content_type=None, authorized=False)
        _expect_error(reply, 401, "unauthorized")


@SUITE.check("token.repeated", "DS-TOKEN-04", writes=True)
def _token_repeated(deployment: Deployment) -> Steps:
    """Two Authorization lines are 401, whichever of them has the token."""
    now = yield from deployment.now()
    reply = yield from post("/api/update", encode(snapshot(now)), _WRONG_TOKEN)
    _expect_error(reply, 401, "unauthorized")


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
        _expect_error(reply, status, code)


@SUITE.check("body.media-type", "DS-BODY-04", "DS-HTTP-13", "DS-ERROR-02", writes=True)
def _media_type(deployment: Deployment) -> Steps:
    """Another media type, or none, is 415."""
    now = yield from deployment.now()
    for given in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp", None):
        reply = yield from post("/api/update", encode(snapshot(now)), content_type=given)
        _expect_error(reply, 415, "unsupported_media_type")


@SUITE.check("body.media-type-form", "DS-BODY-04", writes=True)
def _media_type_form(deployment: Deployment) -> Steps:
    """The media type is compared without case and parameters."""
    now = yield from deployment.now()
    for given in ("Application/JSON", "application/json; charset=utf-8", "application/json;x=1"):
        reply = yield from post("/api/update", encode(snapshot(now)), content_type=given)
        expect_equal("status", reply.status, 200)


@SUITE.check("body.coding", "DS-BODY-07", writes=True)
def _content_coding(deployment: Deployment) -> Steps:
    """A content coding other than identity is 415; identity in any case and none are accepted."""
    now = yield from deployment.now()
    body = encode(snapshot(now))
    for coding, status in (("gzip", 415), ("br", 415), ("identity", 200), ("IDENTITY", 200)):
        reply = yield from post("/api/update", body, ("Content-Encoding", coding))
        expect_equal(f"status for the coding {coding}", reply.status, status)


def _padded(body: bytes, size: int) -> bytes:
    return body + b" " * (size - len(body))


@SUITE.check("body.size-of-update", "DS-BODY-01", "DS-BODY-03", "DS-ERROR-02", writes=True)
def _size_of_update(deployment: Deployment) -> Steps:
    """A snapshot of 16,384 bytes is accepted, one byte more is 413."""
    now = yield from deployment.now()
    body = encode(snapshot(now))
    reply = yield from post("/api/update", _padded(body, limits.UPDATE_BODY_BYTES))
    expect_equal("status", reply.status, 200)
    reply = yield from post("/api/update", _padded(body, limits.UPDATE_BODY_BYTES + 1))
    _expect_error(reply, 413, "payload_too_large")


@SUITE.check("body.size-in-bytes", "DS-BODY-01", "DS-BODY-03", writes=True)
def _size_in_bytes(deployment: Deployment) -> Steps:
    """The limit counts bytes, not characters."""
    now = yield from deployment.now()
    names = [f"{number:03}{'♫' * 190}" for number in range(limits.RUNNING_APPS)]
    body = snapshot(now, running_apps=names)
    reply = yield from post("/api/update", encode(body))
    _expect_error(reply, 413, "payload_too_large")


@SUITE.check("body.size-of-batch", "DS-BODY-02", "DS-BODY-03", writes=True)
def _size_of_batch(deployment: Deployment) -> Steps:
    """A window of 524,288 bytes is accepted, one byte more is 413."""
    now = yield from deployment.now()
    body = encode(window(now - 60_000, now - 10_000))
    reply = yield from post("/api/batch", _padded(body, limits.BATCH_BODY_BYTES))
    expect_equal("status", reply.status, 200)
    reply = yield from post("/api/batch", _padded(body, limits.BATCH_BODY_BYTES + 1))
    _expect_error(reply, 413, "payload_too_large")


@SUITE.check("body.chunked", "DS-BODY-03", writes=True)
def _chunked(deployment: Deployment) -> Steps:
    """The limit counts the bytes of a body without Content-Length as well."""
    now = yield from deployment.now()
    coding = ("Transfer-Encoding", "chunked")
    body = encode(snapshot(now))
    reply = yield from post("/api/update", body, coding)
    expect_equal("status", reply.status, 200)
    reply = yield from post("/api/update", _padded(body, limits.UPDATE_BODY_BYTES + 1), coding)
    _expect_error(reply, 413, "payload_too_large")


@SUITE.check("json.byte-order-mark", "DS-JSON-02", writes=True)
def _byte_order_mark(deployment: Deployment) -> Steps:
    """One byte order mark before the text is dropped."""
    now = yield from deployment.now()
    yield from write("/api/update", b"\xef\xbb\xbf" + encode(snapshot(now)))


@SUITE.check("json.repeated-member", "DS-JSON-08", writes=True)
def _repeated_member(deployment: Deployment) -> Steps:
    """Of members with the same name the last one counts."""
    now = yield from deployment.now()
    body = encode(snapshot(now, active_app="Last"))
    result = yield from write("/api/update", b'{"active_app":1,' + body[1:])
    reply = yield from read_back(deployment, "/api/now", result)
    expect_equal("active_app", reply.object().get("active_app"), "Last")


@SUITE.check("json.integers", "DS-JSON-09", "DS-JSON-10", writes=True)
def _integers(deployment: Deployment) -> Steps:
    """1.0 and 1e0 are the integer 1, and -0 is 0."""
    now = yield from deployment.now()
    for number in (b"1.0", b"1e0", b"10E-1"):
        body = encode(snapshot(now)).replace(b'"schema_version":1', b'"schema_version":' + number)
        yield from write("/api/update", body)
    body = encode(snapshot(now)).replace(b'"percent":55.5', b'"percent":-0')
    result = yield from write("/api/update", body)
    reply = yield from read_back(deployment, "/api/now", result)
    expect("-" not in repr(reply.json()["battery"]["percent"]), "percent 0", reply.body)


@SUITE.check("json.lone-surrogate", "DS-JSON-07", writes=True)
def _lone_surrogate(deployment: Deployment) -> Steps:
    """An escaped lone surrogate is rejected."""
    now = yield from deployment.now()
    body = encode(snapshot(now)).replace(b'"Terminal"', b'"\\ud800"')
    reply = yield from post("/api/update", body)
    expect_equal("status", reply.status, 400)


@SUITE.check("json.other-value", "DS-JSON-04", "DS-TEXT-04", "DS-ERROR-05", writes=True)
def _other_value(_: Deployment) -> Steps:
    """A JSON value that is no object is invalid_payload."""
    for body in (b"[]", b"null", b"1", b'"text"', b"true", b"{}", b" {} "):
        for path in ("/api/update", "/api/batch"):
            reply = yield from post(path, body)
            _expect_error(reply, 400, "invalid_payload")


@SUITE.check("json.deep", "DS-JSON-05", "DS-JSON-06", writes=True)
def _deep(deployment: Deployment) -> Steps:
    """Well-formed text that is nested too deep for a snapshot is invalid_payload."""
    now = yield from deployment.now()
    nested = b"[" * 5_000 + b"]" * 5_000
    body = encode(snapshot(now)).replace(b'"Conformance Editor"', nested, 1)
    reply = yield from post("/api/update", body)
    _expect_error(reply, 400, "invalid_payload")


@SUITE.check("json.large-numbers", "DS-JSON-04", "DS-JSON-12", writes=True)
def _large_numbers(deployment: Deployment) -> Steps:
    """Numbers beyond every double are invalid_payload."""
    now = yield from deployment.now()
    for number in (b"1e999", b"9" * 400, b"-1e309"):
        body = encode(snapshot(now)).replace(b'"load_1m":0.25', b'"load_1m":' + number)
        reply = yield from post("/api/update", body)
        _expect_error(reply, 400, "invalid_payload")


@SUITE.check("update.rejected-is-not-written", "DS-UPDATE-06", writes=True)
def _rejected_is_not_written(deployment: Deployment) -> Steps:
    """A rejected body leaves the record as it is."""
    now = yield from deployment.now()
    result = yield from write("/api/update", encode(snapshot(now, active_app="Kept")))
    reply = yield from post("/api/update", encode(snapshot(now, active_app="")))
    _expect_error(reply, 400, "invalid_payload")
    reply = yield from read_back(deployment, "/api/now", result)
    expect_equal("active_app", reply.object().get("active_app"), "Kept")


@SUITE.check("update.receive-time", "DS-BODY-09", "DS-UPDATE-04", writes=True)
def _receive_time(deployment: Deployment) -> Steps:
    """`updated_at` is the deployment's time of the write, whatever `collected_at` says."""
    before = yield from deployment.now()
    body = encode(snapshot(before - 60_000))
    result = yield from write("/api/update", body)
    after = yield from deployment.now()
    slack = deployment.uncertainty_ms + 1_000
    expect(
        before - slack <= result.updated_at <= after + slack,
        f"updated_at between {format_instant(before - slack)} and {format_instant(after + slack)}",
        format_instant(result.updated_at),
    )


def _near_bounds(deployment: Deployment, path: str, make: Callable[[int], dict[str, Any]]) -> Steps:
    """Send bodies whose clocks differ from the deployment's by 120 s, and by a little more."""
    for sign in (-1, 1):
        now = yield from deployment.now()
        bound = limits.CLOCK_SKEW_MS - deployment.margin_ms
        reply = yield from post(path, encode(make(now + sign * bound)))
        expect_equal(f"status for {bound} ms", reply.status, 200)
        now = yield from deployment.now()
        beyond = limits.CLOCK_SKEW_MS + max(1, deployment.margin_ms)
        reply = yield from post(path, encode(make(now + sign * beyond)))
        expect_equal(f"status for {beyond} ms", reply.status, 400)


@SUITE.check("update.skew", "DS-SNAPSHOT-05", "DS-TIME-08", writes=True)
def _skew_of_update(deployment: Deployment) -> Steps:
    """`collected_at` may differ from the receive time by exactly 120 s, as far as clocks tell."""
    yield from _near_bounds(deployment, "/api/update", snapshot)


@SUITE.check("batch.skew", "DS-WINDOW-11", "DS-TIME-08", writes=True)
def _skew_of_batch(deployment: Deployment) -> Steps:
    """`generated_at` may differ from the receive time by exactly 120 s, as far as clocks tell."""
    yield from _near_bounds(deployment, "/api/batch", lambda at: window(at - 60_000, at))


@SUITE.check("update.lifetime", "DS-DEADLINE-01", "DS-SNAPSHOT-02", writes=True)
def _lifetime(deployment: Deployment) -> Steps:
    """The lifetime is 60 to 3600 whole seconds, the same for every snapshot."""
    now = yield from deployment.now()
    seen = set()
    for collected_at in (now - 100_000, now, now + 100_000):
        result = yield from write("/api/update", encode(snapshot(collected_at)))
        seen.add(result.expires_at - result.updated_at)
    lifetime_ms = min(seen)
    allowed = range(limits.TTL_MIN_SECONDS * 1000, limits.TTL_MAX_SECONDS * 1000 + 1, 1000)
    expect(
        len(seen) == 1 and lifetime_ms in allowed,
        "one lifetime of 60 to 3600 whole seconds",
        f"lifetimes of {sorted(seen)} ms",
    )


@SUITE.check("aliases.update", "DS-HTTP-09", writes=True)
def _alias_of_update(deployment: Deployment) -> Steps:
    """`/update` is `/api/update`, and `/now` shows what it wrote."""
    now = yield from deployment.now()
    result = yield from write("/update", encode(snapshot(now)))
    yield from read_back(deployment, "/now", result)


_add_cases()
