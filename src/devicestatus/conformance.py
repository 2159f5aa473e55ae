"""The conformance kit of device status: what is requested, and the engine that knows the answers.

Each section yields requests with the rule that they test.  The right answers are those of
`Service`, run on the record that was written last, with the service name, the lifetime and the
icons of the deployment.  `KIT` is the whole kit.
"""

import base64
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import combinations
from typing import Any, Final
from xml.etree import ElementTree as ET

import attrs

from devicestatus import limits
from devicestatus.engine.record import wrap_body
from devicestatus.http.endpoints import ENDPOINTS
from devicestatus.http.service import Service
from devicestatus.icons import check_manifest
from devicestatus.models import Snapshot, Window
from devicestatus.settings import Settings
from purewire.adapters.contract import read_vectors
from purewire.conformance.answers import Difference, Tolerance, members
from purewire.conformance.http import NoReply, Reply, Send, TokenForm
from purewire.conformance.runner import UNKNOWN, Kit, NotTestable, Run, Section, Step, Steps, Wait
from purewire.exchange import Body, Disconnected, Effect, ReadBody, ReadStore, Stored, WriteStore
from purewire.exchange import drive as drive_exchange
from purewire.http.messages import Asset, Request, Response
from purewire.instants import SECOND_MS, format_instant, parse_utc
from purewire.json import codec
from purewire.structuring.cases import DROPPED, Case, Cases

Plain = dict[str, Any]

_TOKEN: Final = "conformance-0123456789-abcdefghij"  # noqa: S105 - of the model alone
_JSON: Final = ("Content-Type", "application/json")
_WRONG_TOKEN: Final = ("Authorization", f"Bearer {'x' * 40}")
_DELAY: Final = limits.PLAYBACK_DELAY_MS
_MOST_ICONS: Final = 10
_SHOWN_ICONS: Final = 3
_UPDATE, _BATCH, _TIMELINE = "/api/update", "/api/batch", "/api/timeline"
_READS: Final = tuple(
    path for each in ENDPOINTS if each.methods == ("GET",) for path in each.paths
)
_STATUS: Final = tuple(path for path in _READS if "health" not in path)
_PATHS: Final = {Snapshot: _UPDATE, Window: _BATCH}

# Bodies

SESSION: Final = "5f0c1b8e-2d43-4c2a-9a57-3f1f0e6d7b21"
ARTWORK: Final = "https://is1-ssl.mzstatic.com/image/thumb/100x100bb.jpg"
TRACK: Final = "https://music.apple.com/us/album/so-what/268443092?i=268443097"
CHANGED: Final = ("active_app", "running_apps", "battery", "system", "music")
"""The members of a snapshot that an event may change."""
SONG: Final = {
    **{"state": "playing", "track": "So What", "artist": "Miles Davis"},
    **{"artwork_url": ARTWORK, "track_url": TRACK},
}
_TIME: Final = re.compile(rb"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d")


def snapshot(at: int, **members: object) -> Plain:
    """Return a valid snapshot that was collected at a time, with some members replaced."""
    return {
        "schema_version": 1,
        "collected_at": format_instant(at),
        "active_app": "Conformance Editor",
        "running_apps": ["Conformance Editor", "Terminal"],
        "battery": {"percent": 55.5, "charging": False, "power_source": "battery"},
        "system": {"load_1m": 0.25, "load_5m": None, "load_15m": 100_000},
        "music": {"state": "stopped", "track": None, "artist": None},
        **members,
    }


def nothing(at: int) -> Plain:
    """Return the snapshot that reports nothing."""
    body = snapshot(
        at,
        active_app=None,
        battery={"percent": None, "charging": None, "power_source": "unknown"},
        system={"load_1m": None, "load_5m": None, "load_15m": None},
        music={"state": "unavailable", "track": None, "artist": None},
    )
    del body["running_apps"]
    return body


def event(seq: int, at: int, **changes: object) -> Plain:
    """Return an event."""
    return {"seq": seq, "at": format_instant(at), "changes": changes}


def gap(start: int, end: int, reason: str = "sleep") -> Plain:
    """Return a gap."""
    return {"start_at": format_instant(start), "end_at": format_instant(end), "reason": reason}


def window(start: int, end: int, **members: object) -> Plain:
    """Return a valid window that was generated at its end, with some members replaced."""
    return {
        "schema_version": 2,
        "session_id": SESSION,
        "batch_seq": 1,
        "generated_at": format_instant(end),
        "window_start": format_instant(start),
        "window_end": format_instant(end),
        "baseline": snapshot(start, active_app="Baseline"),
        "events": [],
        "gaps": [],
        "dropped_events": 0,
        **members,
    }


def body_of(model: type, now: int) -> Plain:
    """Return a valid body in which every object of a model is present."""
    full = snapshot(now, music=SONG)
    if model is Snapshot:
        return full
    events = [event(1, now - 50_000, **{name: full[name] for name in CHANGED})]
    gaps = [gap(now - 40_000, now - 30_000)]
    return window(now - 60_000, now - 10_000, events=events, gaps=gaps)


def body_of_vector(vector: Plain, now: int) -> bytes:
    """Return the body of a vector as if it was received now: its times are moved by seconds."""
    seconds = (now - vector["received_at"]) // SECOND_MS
    return _TIME.sub(lambda match: _moved(match[0], seconds), b"".join(_parts(vector["body"])))


def _parts(parts: Iterable[str | Plain]) -> Iterator[bytes]:
    """Yield the parts of a body in a vector: text, base64 and repeated text."""
    for part in parts:
        if isinstance(part, str):
            yield part.encode()
        elif "base64" in part:
            yield base64.b64decode(part["base64"])
        else:
            copies = [part["repeat"]] * part["times"]
            if "#" in part["repeat"]:
                copies = [copy.replace("#", str(number)) for number, copy in enumerate(copies, 1)]
            yield part.get("join", "").join(copies).encode()


def _moved(text: bytes, seconds: int) -> bytes:
    """Return a time that is moved; one that does not exist stays, as do separators."""
    written = text.decode()
    try:
        then = parse_utc(f"{written[:10]}T{written[11:]}Z")
        moved = format_instant(then + seconds * SECOND_MS)
    except ValueError:
        return text
    return f"{moved[:10]}{written[10]}{moved[11:19]}".encode()


def inside_window(case: Plain, body: bytes, now: int) -> Iterator[tuple[str, Plain]]:
    """Yield windows with the snapshot of a vector as their baseline, and in an event."""
    rules = {finding["rule"] for finding in case["expected"].get("findings", ())}
    if case["input"]["endpoint"] != _UPDATE or rules & {"number.finite", "json.text", "json.depth"}:
        return
    value: Any = codec.decode(body) if len(body) <= limits.UPDATE_BODY_BYTES else None
    if not isinstance(value, dict) or case["expected"].get("error") == "invalid_json":
        return
    start, end = now - 60_000, now - 10_000
    baseline = {**value, "collected_at": format_instant(start)}
    yield "as the baseline", window(start, end, baseline=baseline)
    changes = {name: value[name] for name in CHANGED if name in value}
    yield "in an event", window(start, end, events=[event(1, end, **changes)])


# The reference engine as a model of one deployment


@attrs.frozen
class Model:
    """The answers of the engine with the settings and the icons of a deployment.

    The state is the stored value: None if there is none, UNKNOWN if it is not known.
    """

    service: Service
    assets: Mapping[str, Asset]

    def answer(self, state: Any, send: Send, at: int) -> tuple[Response | None, Any]:  # noqa: ANN401 - bytes or UNKNOWN
        """Return the right answer at an instant, None if it is not known, and the state after."""
        after = state

        def perform(effect: Effect) -> object:
            nonlocal after
            match effect:
                case ReadBody():
                    body = send.body or b""
                    return Body(None if len(body) > effect.limit else body, at)
                case ReadStore():
                    if state is UNKNOWN:
                        raise Disconnected
                    return Stored(state, at)
                case WriteStore():
                    after = effect.value
                    return None
            return self.assets.get(getattr(effect, "name", ""))

        path, _, query = send.path.partition("?")
        if path.startswith("/app-icons/"):  # outside of the service
            return None, state
        lines = tuple(
            (name.lower().encode(), value.encode().strip(b" \t"))
            for name, value in send.lines(_TOKEN)
        )
        request = Request(send.method, path.encode("latin-1"), lines, query.encode())
        try:
            return drive_exchange(self.service(request), perform), after
        except Disconnected:
            return None, state


def _learn(run: Run) -> Generator[Send, Reply, tuple[Model, Any]]:
    """Learn name, lifetime, icons and record of a deployment, and its clock from a write."""
    health = _object((yield Send("GET", "/api/health")))
    timeline = yield Send("GET", _TIMELINE)
    if "ok" not in health and "status" not in _object(timeline):
        raise NotTestable("/api/health is no object with ok, and /api/timeline none with status")
    manifest = yield Send("GET", "/api/icons")
    assets = {"index.json": _asset(manifest)}
    for icon in _icons(manifest.body):
        assets[f"{icon}.png"] = _asset((yield Send("GET", f"/api/icons/{icon}.png")))
    ttl, state = _record_of(_object(timeline))
    if run.write and run.profile != "window":
        body = codec.encode(snapshot(run.now()))
        reply = yield Send("POST", _UPDATE, (_JSON,), body, authorized=True)
        if reply.status == 401:
            raise NotTestable(f"the token is wrong: POST {_UPDATE} has status 401")
        ttl, state = _record_of({**codec.decode(body), "mode": "snapshot", **_object(reply)})  # type: ignore[dict-item]
    settings = Settings(_TOKEN, ttl, str(health.get("service", "")))
    service = Service(settings, has_store=True, has_assets=manifest.status != 503)
    return Model(service, assets), state


def _object(reply: Reply) -> Plain:
    with suppress(ValueError):
        value = codec.decode(reply.body)
        return value if isinstance(value, dict) else {}
    return {}


def _icons(manifest: bytes) -> list[str]:
    """Return the ids of the first icons of a manifest."""
    icons = _object(Reply(200, (), manifest)).get("icons")
    ids = [each.get("id") for each in icons or () if isinstance(each, dict)]
    return [each for each in ids if isinstance(each, str) and each.isascii()][:_MOST_ICONS]


def _asset(reply: Reply) -> Asset:
    return Asset(reply.body, reply.header("etag"), reply.header("last-modified"))


def _record_of(shown: Plain) -> tuple[int | None, Any]:
    """Return the lifetime of snapshots, if it shows, and the stored value behind a timeline."""
    if shown == {"status": "offline"}:
        return None, None
    try:
        received_at, expires_at = (parse_utc(shown[name]) for name in ("updated_at", "expires_at"))
        if shown.get("mode") == "window":
            value = codec.encode(shown["window"])
            return None, wrap_body(value, received_at=received_at, expires_at=expires_at)
        names = attrs.fields_dict(Snapshot)
        value = codec.encode({name: shown[name] for name in shown if name in names})
        state = wrap_body(value, received_at=received_at, expires_at=expires_at)
        return (expires_at - received_at) // SECOND_MS, state
    except (KeyError, TypeError, ValueError, AttributeError):
        return None, UNKNOWN


# Requests without effect

_METHODS: Final = ("OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "get")
_IGNORED: Final = (
    *(_WRONG_TOKEN, ("Authorization", "Basic eDp5"), ("Cookie", "session=1")),
    *(("Origin", "https://other.example"), ("Access-Control-Request-Method", "POST")),
    *(("X-Forwarded-Host", "other.example"), ("X-Forwarded-Proto", "ftp")),
    *(("X-Forwarded-Prefix", "/other"), ("Forwarded", "host=other.example;proto=https")),
    *(("X-HTTP-Method-Override", "DELETE"), ("X-Requested-With", "XMLHttpRequest")),
    *(("Accept", "text/html"), ("Accept-Language", "zh"), ("Range", "bytes=0-1")),
    *(("Referer", "https://other.example/"), ("Cache-Control", "no-cache")),
    *(("X-Request-Id", "conformance-mark-5d1e"), ("Content-Type", "text/plain")),
)
_CONDITIONS: Final = (
    *(("If-None-Match", "*"), ("If-None-Match", '"x"')),
    ("If-Modified-Since", "Fri, 31 Dec 9999 23:59:59 GMT"),
)
_QUERIES: Final = (
    *("?", "?pretty=1&status=offline", "?fields=service&callback=show", "?now=0&at=1&delay=0"),
    *("?format=xml&token=x&t=0", "?q=zz&page=2&limit=1"),
)
_ODD_PATHS: Final = (
    *("/api/nothing-here", "/nothing-here", "/api/v1/now", "/api/apps", "/api/icons/"),
    *(f"/api/icons/{name}" for name in ("Upper.png", "two--hyphens.png", "-first.png", "last-.png")),
    *(f"/api/icons/{name}" for name in ("under_score.png", "a.PNG", "a.svg", "a", ".png", "a.b.png")),
    *("/api/icons/../now", "/api/icons/%61.png", "/api/icons/%C3%A9.png", "/api/icons/index.json"),
)
_ABSENT_ICON: Final = "/api/icons/no-such-icon-7f3a.png"


def _paths(icon: str) -> list[str]:
    return [path.replace("{id}", icon) for each in ENDPOINTS for path in each.paths]


def _unlike(path: str) -> Iterator[str]:
    """Yield unknown paths that differ a little from a known one."""
    start, _, name = path.rpartition("/")
    yield from (f"{path}/", f"{start}//{name}", f"/{path}", f"{start}/{name.upper()}")
    yield from (f"{start}/%{ord(name[0]):02x}{name[1:]}", f"/.{path}", f"{path}.json", f"{path}%20")
    yield from (f"{path};x", f"/v1{path}", f"{path}%00", path.replace("/", "%2f", 2))
    if start:
        yield from (f"/API{path.removeprefix('/api')}", path.removeprefix("/api"))


def _endpoints(run: Run) -> Steps:
    """Request every path, and those like it, with every method and with what changes nothing."""
    manifest = yield Step("DS-ICON-02", Send("GET", "/api/icons"))
    icon = next(iter(_icons(manifest.body)), "code-editor") if manifest else "code-editor"
    known = [*_paths(icon), _ABSENT_ICON]
    for path in known:
        for method in _METHODS:
            rule = {"OPTIONS": "DS-HTTP-07", "HEAD": "DS-HTTP-05", "GET": "DS-HTTP-09"}
            yield Step(rule.get(method, "DS-HTTP-03"), Send(method, path))
        write = next((each for each in ENDPOINTS if path in each.paths and each.body), None)
        method = "POST" if write else "GET"
        for line in (*_IGNORED, *(() if "icons" in path else _CONDITIONS)):
            yield Step("DS-CORS-05", Send(method, path, (line,)))
        yield Step("DS-CORS-05", Send("OPTIONS", path, _IGNORED))
        for query in _QUERIES:
            yield Step("DS-HTTP-06", Send(method, path + query))
        for unlike in sorted({*_unlike(path)} - {*known}):
            rule = "DS-HTTP-09" if unlike == path.removeprefix("/api") else "DS-HTTP-01"
            for method in ("GET", "OPTIONS", "POST"):
                yield Step(rule, Send(method, unlike))
    for path in _ODD_PATHS:
        for method in _METHODS:
            yield Step("DS-ICON-05" if "icons/" in path else "DS-HTTP-02", Send(method, path))


def _icon_files(run: Run) -> Steps:
    """Request the manifest and its images, as they are and with conditions."""
    manifest = yield Step("DS-MANIFEST-02", Send("GET", "/api/icons"), judge=_judge_manifest)
    if manifest is None or manifest.status != 200:
        return
    listed = {each["id"]: each for each in _object(manifest).get("icons", ()) if "id" in each}
    for name in ("index", *_icons(manifest.body)):
        path = "/api/icons" if name == "index" else f"/api/icons/{name}.png"
        judge = None if name == "index" else partial(_judge_image, listed[name].get("sha256"))
        image = yield Step("DS-ICON-03", Send("GET", path), judge=judge)
        if image is None:
            continue
        copy = path.replace("/api/icons/", "/app-icons/") if judge else "/app-icons/index.json"
        same = partial(_judge_copy, image)
        yield Step("DS-ICON-08", Send("GET", copy), "the static file", same)
        if name != "index":
            upper = path.replace(name, name.upper())
            for method in _METHODS[:4] if upper != path else ():
                yield Step("DS-ICON-04", Send(method, upper))
        for lines in _conditions(image.header("etag"), image.header("last-modified")):
            for method in ("GET", "HEAD"):
                rule = "DS-HTTP-14" if method == "HEAD" else "DS-ICON-11"
                yield Step(rule, Send(method, path, lines))


def _conditions(tag: str | None, date: str | None) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield conditional headers: each validator alone, in its other forms, and both."""
    tags = (tag, f"W/{tag}", f'"x", {tag}', f'"x",, {tag} ,', str(tag).removeprefix("W/"))
    for value in ("*", '"x"', "x", *(tags if tag else ())):
        yield (("If-None-Match", value),)
        yield (("If-None-Match", value), ("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"))
    dates = ("x", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", date)
    for value in filter(None, dates):
        yield (("If-Modified-Since", value),)
        yield (("If-None-Match", '"x"'), ("If-Modified-Since", value))
    if tag:
        yield (("If-None-Match", '"x"'), ("If-None-Match", tag), ("Cache-Control", "no-cache"))


def _judge_manifest(reply: Reply) -> Iterator[Difference]:
    for finding in check_manifest(_object(reply)) if reply.status == 200 else ():
        yield Difference("member", finding.path, finding.message, "another value")


def _judge_image(digest: str | None, reply: Reply) -> Iterator[Difference]:
    if not reply.body.startswith(b"\x89PNG\r\n\x1a\n"):
        yield Difference("body", "", "a PNG", reply.body[:16])
    if digest not in {None, sha256(reply.body).hexdigest()}:
        yield Difference("body", "", f"the SHA-256 {digest}", sha256(reply.body).hexdigest())


def _judge_copy(image: Reply, copy: Reply) -> Iterator[Difference]:
    if (copy.status, copy.body) != (200, image.body):
        yield Difference("body", "", "the file of /api/icons", copy.body)


# Writes


def _post(path: str, body: bytes | Plain, *lines: tuple[str, str], **more: Any) -> Send:  # noqa: ANN401 - those of `Send`
    text = body if isinstance(body, bytes) else codec.encode(body)
    return Send("POST", path, lines or (_JSON,), text, **{"authorized": True, **more})


def _write(rule: str, title: str, body: Plain, *reads: str) -> Steps:
    """Write a body and read some paths."""
    path = _BATCH if body["schema_version"] == 2 else _UPDATE
    yield Step(rule, _post(path, body), title)
    for read in reads:
        yield Step(rule, Send("GET", read), title)


def _padded(body: bytes, size: int) -> bytes:
    return body + b" " * (size - len(body))


_FAULTS: Final[Mapping[str, Callable[[Send, int], Send]]] = {
    "token": lambda send, _: attrs.evolve(send, authorized=False),
    "media type": lambda send, _: _with(send, "Content-Type", "text/plain"),
    "declared size": lambda send, limit: attrs.evolve(send, body=_padded(send.body or b"", limit + 1)),
    "coding": lambda send, _: _with(send, "Content-Encoding", "gzip"),
    "size": lambda send, limit: _with(
        attrs.evolve(send, body=_padded(send.body or b"", limit + 1)), "Transfer-Encoding", "chunked"
    ),
    "text": lambda send, _: attrs.evolve(send, body=(send.body or b"").rstrip()[:-1]),
    "value": lambda send, _: attrs.evolve(
        send, body=(send.body or b"").replace(b'"active_app"', b'"app"', 1)
    ),
}
"""Check of a write to what it finds, in the order of the checks."""


def _with(send: Send, name: str, value: str) -> Send:
    return attrs.evolve(send, headers=tuple({**dict(send.headers), name: value}.items()))


def _heads(run: Run) -> Steps:
    """Write with faults of the head and of the body, alone and in pairs: the first one decides."""
    for path, limit in (
        *((_UPDATE, limits.UPDATE_BODY_BYTES), ("/update", limits.UPDATE_BODY_BYTES)),
        (_BATCH, limits.BATCH_BODY_BYTES),
    ):
        body = codec.encode(body_of(Window if path == _BATCH else Snapshot, run.now()))
        good = _post(path, body)
        for faults in (*combinations(_FAULTS, 1), *combinations(_FAULTS, 2)):
            send = good
            for name in reversed(faults):
                send = _FAULTS[name](send, limit)
            rule = "DS-TOKEN-09" if faults[0] == "token" else "DS-HTTP-12"
            is_head = {*faults} <= {"media type", "declared size", "coding"}
            yield Step("DS-HTTP-13" if is_head else rule, send, " and ".join(faults))
        for form in TokenForm:
            yield Step("DS-TOKEN-02", attrs.evolve(good, token_form=form), form.value)
        for is_first in (False, True):
            two = _post(path, body, _JSON, _WRONG_TOKEN, token_first=is_first)
            yield Step("DS-TOKEN-04", two, "two tokens")
        for value in (_WRONG_TOKEN[1], "Bearer", "Bearer null", "Basic dXNlcjpwYXNz", "x" * 40, ""):
            line = ("Authorization", value)
            yield Step("DS-TOKEN-02", _post(path, body, _JSON, line, authorized=False))
        for value in (
            *("application/json;charset=utf-8", "APPLICATION/JSON", "application/json ; x=y"),
            *("application/jsonx", "text/json", "application/problem+json", ";", "application/*"),
            *("application/json, text/plain", "application/json;charset=latin-1"),
        ):
            yield Step("DS-BODY-04", _post(path, body, ("Content-Type", value)), value)
        yield Step("DS-BODY-04", _post(path, body, ("Accept", "*/*")), "no media type")
        for value in ("identity", "IDENTITY", "", "br", "identity, gzip", "deflate", "x"):
            yield Step("DS-BODY-07", _with(good, "Content-Encoding", value), value)
        for extra in (0, 1):
            whole = attrs.evolve(good, body=_padded(body, limit + extra))
            yield Step("DS-BODY-03", whole, "at its limit")
            yield Step("DS-BODY-03", _with(whole, "Transfer-Encoding", "chunked"), "in chunks")
            bom = attrs.evolve(good, body=_padded(b"\xef\xbb\xbf" + body, limit + extra))
            yield Step("DS-BODY-03", bom, "with a byte order mark")
        if run.client.is_exact:  # servers and proxies answer these themselves
            for value in ("+5", "-1", "0x5", "5.0", "1e3", str(limit + 1), "9" * 30):
                yield Step("DS-BODY-05", _with(good, "Content-Length", value), value)
            for name, first, second in (
                ("Content-Length", "2", "3"),
                ("Content-Type", _JSON[1], "text/plain"),
                ("Content-Type", _JSON[1], _JSON[1]),
            ):
                lines = [_JSON] if name != "Content-Type" else []
                two = _post(path, body, *lines, (name, first), (name, second))
                yield Step("DS-BODY-06" if lines else "DS-BODY-08", two, f"two {name}")
    for mark in (b'{"conformance-mark-5d1e": 1}', b'{"a": "conformance-mark-5d1e', b"[1]", b""):
        yield Step("DS-ERROR-03", _post(_UPDATE, mark))


def _vectors(run: Run) -> Steps:
    """Send the bodies of the vectors, snapshots also inside of a window."""
    for case in read_vectors("devicestatus", "parsing"):
        vector, rule, title = case["input"], _first(case), case["title"]
        body = body_of_vector(vector, run.now())
        judge = partial(_judge_stated, case)
        reply = yield Step(rule, _post(vector["endpoint"], body), title, judge)
        if reply is not None and reply.status == 200:
            for path in (_TIMELINE, "/api/now")[: 1 if vector["endpoint"] == _BATCH else 2]:
                yield Step(rule, Send("GET", path), title)
        for where, inside in inside_window(case, body, run.now()):
            reply = yield Step("DS-WINDOW-17", _post(_BATCH, inside), f"{title}, {where}")
            if reply is not None and reply.status == 200:
                yield Step("DS-WINDOW-17", Send("GET", _TIMELINE), f"{title}, {where}")


def _first(case: Plain) -> str:
    own = [rule for rule in case["rules"] if rule not in {"DS-ERROR-06", "DS-APP-03"}]
    return str((own or case["rules"])[0])


def _judge_stated(case: Plain, reply: Reply) -> Iterator[Difference]:
    """Compare the status and the code with those that the vector states."""
    expected, code = case["expected"], _object(reply).get("error")
    codes = [expected.get("error"), *case.get("also", ())]
    is_decided_by_clock = {"DS-SNAPSHOT-05", "DS-WINDOW-11"} & {*case["rules"]}
    if code not in codes and not is_decided_by_clock:
        yield Difference("status", "", codes[0] or "200", f"{reply.status} {code or ''}".strip())


def _values(model: type, run: Run) -> Steps:
    """Write every wrong value, and every valid one at a limit, of each member."""
    for case in CASES.of(model):
        if not case.at or not case.has_text:
            continue
        rule, title = rule_of_case(case), f"{'/'.join(map(str, case.at))} in a {model.__name__}"
        body = CASES.place(model, body_of(model, run.now()), case)
        reply = yield Step(rule, _post(_PATHS[model], body), title)
        if reply is not None and reply.status == 200:
            for path in (_TIMELINE, "/api/now")[: 1 if model is Window else 2]:
                yield Step(rule, Send("GET", path), title)


# What is shown

_FULL: Final = {name: value for name, value in body_of(Snapshot, 0).items() if name in CHANGED}
_EMPTY: Final = {**{name: nothing(0).get(name) for name in CHANGED}, "running_apps": []}
_TEXTS: Final = (
    *("x" * 64, "x" * 65, "\U0001f3a7" * 64, "\U0001f3a7" * 65, "e\u0301" * 40, "漢" * 40, "i" * 40),
    *("it's \"quoted\" & <b>bold</b>", "&amp; &lt;", "]]>", "--><!--", "{0} %s $1 \\1"),
    *(f"{'x' * 60}&{'y' * 9}", f"{'x' * 59}&&&{'y' * 9}", f"{'x' * 60}\U0001f3a7\U0001f3a7yyyy"),
    *(" x  y ", "x\u00a0y", "\u202ex\u2066", "online", "offline", "a\ufffeb\uffffc", "System"),
    *(" system ", "ＳＹＳＴＥＭ", "Unknown 7f3a", "\u200b"),
)


def _shown(run: Run) -> Steps:
    """Write songs, apps and texts, and read all that shows them."""
    songs: list[Plain] = [
        *({**SONG, "artist": None}, {**SONG, "state": "paused"}, {**SONG, "state": "stopped"}),
        *({**SONG, "track": None}, {**SONG, "artwork_url": None, "track_url": None}),
        *({**SONG, "track": text, "artist": "A"} for text in ("T" * 80, "T" * 60, "T" * 61, "&" * 90)),
        *({**SONG, "artist": text, "track": "T"} for text in ("A" * 58, "A" * 59, "A" * 80)),
    ]
    bare = [{name: song[name] for name in ("state", "track", "artist")} for song in songs]
    for music in (*songs[3:], *bare, SONG):
        if music["track"] is not None or "track_url" not in music:
            body = snapshot(run.now(), music=music)
            yield from _write("DS-BADGE-03", "music", body, *_STATUS)
    body = snapshot(run.now(), active_app=None)
    yield from _write("DS-BADGE-02", "no app", body, *_STATUS)
    manifest = yield Step("DS-ICON-02", Send("GET", "/api/icons"))
    icons = _object(manifest).get("icons", ())[:_SHOWN_ICONS] if manifest else ()
    names = [name for icon in icons for name in (icon["app"], *icon["aliases"])]
    for name in (*_TEXTS, *names, *(f"  {name.upper()} " for name in names)):
        body = snapshot(run.now(), active_app=name, running_apps=[name, "Terminal"])
        yield from _write("DS-BADGE-04" if name in _TEXTS else "DS-ICON-12", name, body, *_STATUS)
    for body in (nothing(run.now()), snapshot(run.now(), running_apps=[]), snapshot(run.now())):
        yield from _write("DS-SERVICE-03", "nothing is left of a record", body, *_READS)
    numbers = {"battery": {"percent": 20.0, "charging": True, "power_source": "ac"}}
    yield from _write("DS-JSON-13", "20.0", snapshot(run.now(), **numbers), *_STATUS)
    names = [f"{app} {'é' * 194}" for app in range(64)]
    events = [event(n, run.now() - 50_000, running_apps=[*names[n:], f"{n}"]) for n in range(1, 20)]
    large = window(run.now() - 60_000, run.now() - 10_000, events=events)
    yield from _write("DS-BODY-02", "a large window", large, *_READS)
    for lines in ((line,) for line in (*_IGNORED, *_CONDITIONS)):
        for path in _READS:
            yield Step("DS-CORS-05", Send("GET", path, lines), "online")
    for query in _QUERIES:
        for path in _READS:
            yield Step("DS-HTTP-06", Send("GET", path + query), "online")


def _session(start: int, end: int) -> Plain:
    """Return a window of which everything changes, cut off at its end."""
    at = partial(int.__add__, start)
    events = [
        event(1, at(0), active_app="At the start"),
        event(3, at(100_000), **_EMPTY),
        *(event(seq, at(200_000), active_app=f"App {seq}") for seq in (4, 5, 6)),
        event(7, at(200_000), system={"load_1m": 1, "load_5m": 2, "load_15m": 3}),
        event(8, at(260_000), active_app="In a gap", music={**SONG, "state": "paused"}),
        event(9, at(400_000), **_FULL),
        event(10, at(610_000), battery={"percent": 1, "charging": True, "power_source": "ac"}),
    ]
    gaps = [
        gap(at(250_000), at(300_000)),
        gap(at(450_000), at(450_001), "clock"),
        gap(at(520_000), at(540_000), "restart"),
        gap(at(540_000), at(560_000), "overflow"),
    ]
    return window(
        start,
        end,
        events=[each for each in events if parse_utc(each["at"]) <= end],
        gaps=[each for each in gaps if parse_utc(each["end_at"]) <= end],
    )


_BOUNDARIES: Final = (0, 100, 200, 250, 260, 300, 400, 450, 520, 540, 560, 610)
"""Seconds from the start of the session at which something changes."""


def _playback(run: Run) -> Steps:
    """Write windows that play just before, at and after each of their boundaries."""
    for boundary in _BOUNDARIES:
        for after in (-1, 0, 1, *((-run.margin_ms, run.margin_ms) if run.margin_ms else ())):
            now = run.now() + 1  # the clock after the write
            start = now - _DELAY - boundary * SECOND_MS - after
            body = _session(start, min(start + limits.WINDOW_SPAN_MS, now))
            title = f"{after} ms after {boundary} s of a window"
            yield from _write("DS-PROJECTION-05", title, body, *_STATUS)
    first = run.now() + 1 - _DELAY - 1_000
    comb = [event(n, first + n, active_app=f"App {n}") for n in range(1, limits.WINDOW_EVENTS + 1)]
    end = run.now()
    body = window(first - 1_000, end, events=comb)
    yield from _write("DS-PROJECTION-05", "an event each millisecond", body, *_STATUS)
    for shift in (0, 1):
        first = run.now() + 1 - _DELAY - 40 + shift
        gaps = [gap(first + n, first + n + 1) for n in range(0, 2 * limits.WINDOW_GAPS, 2)]
        body = window(first - 1_000, run.now(), gaps=gaps)
        yield from _write("DS-GAP-01", "gaps of a millisecond", body, *_STATUS, *_STATUS)
    for edges in (((0, 1), (1, 2)), ((0, 870_000),), ((869_999, 870_000),)):
        start = run.now() - 880_000
        body = _session(start, start + 870_000)
        body |= {"gaps": [gap(start + low, start + high) for low, high in edges]}
        yield from _write("DS-GAP-03", "gaps at the edges", body, *_STATUS)
    for rule, make in _WINDOWS.items():
        yield from _write(rule, "", make(run.now()), *_STATUS)
    for body in (snapshot(run.now(), **_FULL), nothing(run.now())):
        yield from _write("DS-SERVICE-03", "a snapshot replaces a window", body, *_READS)


_WINDOWS: Final[Mapping[str, Callable[[int], Plain]]] = {
    "DS-PROJECTION-02": lambda now: window(now - 300_000, now - 10_000),
    "DS-PROJECTION-03": lambda now: window(
        now - 60_000, now - 60_000, generated_at=format_instant(now - 50_000)
    ),
    "DS-PROJECTION-06": lambda now: _changing(now, _FULL, _EMPTY),
    "DS-EVENT-07": lambda now: _changing(
        now, _FULL, *({name: _EMPTY[name]} for name in CHANGED)
    ),
    "DS-PROJECTION-10": lambda now: _changing(now, _EMPTY, *({n: _FULL[n]} for n in CHANGED)),
    "DS-BATCH-02": lambda now: window(now - 400_000, now - 60_000, batch_seq=0),
    "DS-TIMELINE-02": lambda now: _session(now - 880_000, now - 10_000),
}
"""Rule to a window of its own."""


def _changing(now: int, before: Plain, *changes: Plain) -> Plain:
    start = now - 880_000
    events = [event(n, start + 100_000, **change) for n, change in enumerate(changes, 1)]
    return window(start, now - 10_000, baseline=snapshot(start, **before), events=events)


def _clocks(run: Run) -> Steps:
    """Write at the limits of what the clocks of device and service may differ."""
    edges = (-1, 0, 1, *((-run.margin_ms, run.margin_ms) if run.margin_ms else ()))
    for skew in (side * (limits.CLOCK_SKEW_MS + edge) for side in (-1, 1) for edge in edges):
        at = run.now() + skew
        yield from _write("DS-SNAPSHOT-05", f"{skew} ms", snapshot(at), "/api/now", _TIMELINE)
        at = run.now() + skew
        yield from _write("DS-WINDOW-11", f"{skew} ms", window(at - 60_000, at), _TIMELINE)
    for lag in (-1, 0, limits.GENERATION_LAG_MS, limits.GENERATION_LAG_MS + 1):
        end = run.now() - lag
        body = window(end - 60_000, end, generated_at=format_instant(end + lag))
        yield from _write("DS-WINDOW-10", f"a lag of {lag} ms", body, _TIMELINE)
    slow = _post(_UPDATE, snapshot(run.now() - limits.CLOCK_SKEW_MS + 400), pause_ms=800)
    yield Step("DS-BODY-09", slow, "a body that comes slowly")
    body = snapshot(run.now() - 60_000)
    for _ in range(2):
        yield from _write("DS-UPDATE-02", "the same content again", body, *_READS)
        yield Wait(300)
    late = window(run.now() - 300_000, run.now() - 100_000)
    for _ in range(2):
        yield from _write("DS-DEADLINE-07", "the same window again", late, _TIMELINE)
        yield Wait(300)
    yield Step("DS-UPDATE-06", _post(_UPDATE, snapshot(run.now(), active_app="")), "rejected")
    yield Step("DS-UPDATE-06", Send("GET", _TIMELINE), "a rejected body changes nothing")


def _deadlines(run: Run) -> Steps:
    """Read just before, at and after the deadlines of a snapshot and of windows."""
    reads = (*_READS, "/api/icons")
    yield from _write("DS-DEADLINE-01", "a snapshot", snapshot(run.now()), *reads)
    lifetime = parse_utc(_object((yield Step("DS-DEADLINE-01", Send("GET", _TIMELINE))))["expires_at"])
    yield from _around(run, "DS-DEADLINE-01", lifetime)
    for start, end in ((-880_000, -115_000), (-10_000, 0), (0, 0)):
        now = run.now()
        body = window(now + start, now + end)
        yield from _write("DS-DEADLINE-06", "a window", body, *reads)
        for boundary in sorted({start + _DELAY, end + _DELAY, end + limits.WINDOW_LIFETIME_MS}):
            yield from _around(run, "DS-DEADLINE-06", now + boundary)
    now = run.now()
    body = _session(now - 900_000, now)
    yield from _write("DS-PROJECTION-05", "a window", body, *reads)
    for boundary in (480_000, 520_000, 540_000, 560_000, 610_000, 900_000):
        yield from _around(run, "DS-PROJECTION-05", now - 900_000 + boundary + _DELAY)


def _around(run: Run, rule: str, instant: int) -> Steps:
    for after in (-max(1, run.margin_ms), 0, max(1, run.margin_ms)):
        if instant + after < run.now():
            continue
        yield Wait(instant + after - run.now())
        for path in _READS:
            yield Step(rule, Send("GET", path), f"{after} ms after the time")


def _finish(run: Run) -> Steps:
    """Leave a record that reports nothing."""
    path, body = _UPDATE, nothing(run.now())
    if run.profile == "window":
        path, body = _BATCH, window(run.now(), run.now(), baseline=nothing(run.now()))
    yield Step("DS-UPDATE-01", _post(path, body))


# Rules of members

CASES: Final = Cases(
    {
        "a lowercase UUID of 8-4-4-4-12 hex digits": (
            *(SESSION, "", SESSION[:-1], f"{SESSION}0", f"A{SESSION[1:]}", f"g{SESSION[1:]}"),
            *(f"\uff10{SESSION[1:]}", f"{SESSION}\n", f"{{{SESSION}}}", f"urn:uuid:{SESSION}"),
            SESSION.replace("-", ""),
        )
    }
)
"""The valid and the wrong values of each member of the models."""
_RULE_OF_FINDING: Final = {
    **{"type": "DS-TEXT-04", "required": "DS-TEXT-04", "unknown": "DS-TEXT-05"},
    **{"text.control": "DS-TEXT-02", "number.finite": "DS-JSON-12", "items.unique": "DS-APP-05"},
}
_RULE_OF_MEMBER: Final = {
    **dict.fromkeys(("active_app", "running_apps"), "DS-APP-02"),
    **dict.fromkeys(("load_1m", "load_5m", "load_15m"), "DS-DEVICE-04"),
    **dict.fromkeys(("track", "artist"), "DS-MUSIC-02"),
    **dict.fromkeys(("artwork_url", "track_url"), "DS-URL-01"),
    **dict.fromkeys(("battery", "system", "music", "changes"), "DS-TEXT-04"),
    **dict.fromkeys(("generated_at", "window_start", "window_end"), "DS-TIME-01"),
    **dict.fromkeys(("at", "start_at", "end_at"), "DS-TIME-01"),
    **{"collected_at": "DS-TIME-02", "schema_version": "DS-VERSION-01", "state": "DS-MUSIC-01"},
    **{"percent": "DS-DEVICE-01", "charging": "DS-DEVICE-02", "power_source": "DS-DEVICE-03"},
    **{"session_id": "DS-WINDOW-03", "batch_seq": "DS-WINDOW-05", "baseline": "DS-WINDOW-12"},
    **{"dropped_events": "DS-WINDOW-06", "events": "DS-WINDOW-15", "gaps": "DS-WINDOW-16"},
    **{"seq": "DS-EVENT-01", "reason": "DS-GAP-05"},
}
_RULE_OF_REQUIRED: Final = {
    **{"music": "DS-TEXT-04", "baseline": "DS-WINDOW-12", "events": "DS-EVENT-08"},
    **{"gaps": "DS-GAP-06", "battery": "DS-DEVICE-05", "system": "DS-DEVICE-05"},
}
"""Object in which a member is missing to the rule; of several the last one counts."""


def rule_of(finding: str, member: str) -> str:
    """Return the rule of the contract about a value of a member, by the rule of its finding."""
    return _RULE_OF_FINDING.get(finding) or _RULE_OF_MEMBER[member]


def rule_of_case(case: Case) -> str:
    """Return the rule of the contract that a case is about."""
    if case.rule == "required":
        rules = [_RULE_OF_REQUIRED[step] for step in case.at[:-1] if step in _RULE_OF_REQUIRED]  # type: ignore[index]
        return [_RULE_OF_FINDING[case.rule], *rules][-1]
    names = [step for step in case.at if step in _RULE_OF_MEMBER]
    return rule_of(case.rule, str(names[-1]) if names else "changes")


# What is left free


def svg_texts(body: bytes) -> list[str]:
    """Return the texts of all elements of an SVG image that have any; empty if it is none."""
    try:
        root = ET.fromstring(body)  # noqa: S314 - the declaration of entities is looked for
    except ET.ParseError:
        return []
    is_svg = root.tag == "{http://www.w3.org/2000/svg}svg" and b"<!" not in body
    texts = ("".join(element.itertext()) for element in root.iter())
    return [text for text in texts if text] if is_svg else []


def _is_drawn_otherwise(_: Send, difference: Difference) -> bool:
    """Check whether an image has the texts of a badge: its label and its status."""
    expected, actual = difference.expected, difference.actual
    if difference.part != "body" or not (isinstance(expected, bytes) and isinstance(actual, bytes)):
        return False
    texts = svg_texts(expected)
    return bool(texts) and {*texts[-1:]} <= {*svg_texts(actual)}


def _has_free_code(send: Send, difference: Difference) -> bool:
    """Check whether a code is one of two, of a text that is nested deeply or has a surrogate."""
    body = (send.body or b"").lower()
    is_free = body.count(b"[") + body.count(b"{") > 64 or b"\\ud" in body
    codes = [difference.expected, difference.actual]
    is_code = difference.part == "member" and difference.name == "/error"
    return is_free and is_code and all(code in _FREE_CODES for code in codes)


_FREE_CODES: Final = ("invalid_json", "invalid_payload")


TOLERANCES: Final = (
    Tolerance(
        "DS-CACHE-01",
        "headers for caches of the preflight of icons",
        lambda send, difference: (
            send.method == "OPTIONS"
            and "icons" in send.path
            and difference.name.endswith("cache-control")
        ),
    ),
    Tolerance("DS-BADGE-06", "the drawing of a badge, if it has the texts", _is_drawn_otherwise),
    Tolerance("DS-JSON-05", "the code of text nested deeper than 64, or with a lone surrogate", _has_free_code),
)
_RULES: Final = {
    "access-control-allow-origin": "DS-CORS-01",
    "access-control-allow-credentials": "DS-CORS-01",
    "access-control-allow-methods": "DS-CORS-02",
    "access-control-allow-headers": "DS-CORS-02",
    "access-control-expose-headers": "DS-CORS-04",
    "access-control-max-age": "DS-CORS-04",
    "allow": "DS-HTTP-04",
    "cache-control": "DS-CACHE-01",
    "cdn-cache-control": "DS-CACHE-02",
    "cloudflare-cdn-cache-control": "DS-CACHE-02",
    "content-security-policy": "DS-BADGE-09",
    "content-type": "DS-HTTP-08",
    "etag": "DS-ICON-09",
    "last-modified": "DS-ICON-09",
    "referrer-policy": "DS-CACHE-04",
    "www-authenticate": "DS-TOKEN-05",
    "x-content-type-options": "DS-CACHE-04",
    "/playback/at": "DS-PROJECTION-09",
}


def _stated_time(send: Send, reply: Reply) -> int | None:
    """Return the server time that an answer states."""
    name = {"POST": "updated_at", "GET": "server_time"}.get(send.method, "")
    text = _object(reply).get(name) if send.method == "POST" or send.path == _TIMELINE else None
    with suppress(ValueError):
        return parse_utc(text) if isinstance(text, str) else None
    return None


KIT: Final = Kit(
    "devicestatus",
    _learn,
    (
        Section("endpoints", _endpoints),
        Section("icons", _icon_files),
        Section("heads", _heads, writes=True),
        Section("vectors", _vectors, writes=True),
        Section("snapshots", partial(_values, Snapshot), writes=True),
        Section("windows", partial(_values, Window), writes=True),
        Section("shown", _shown, writes=True),
        Section("playback", _playback, writes=True),
        Section("clocks", _clocks, writes=True),
        Section("deadlines", _deadlines, writes=True, slow=True),
    ),
    TOLERANCES,
    _RULES,
    {"snapshot": re.compile("/api/batch"), "window": re.compile("(/api)?/update")},
    _stated_time,
    (0, _DELAY),
    "/playback/at",
    _finish,
)
