"""The conformance kit of device status: what is requested, and the engine that knows the answers.

`conformance.toml` has the rows that need no code.  The right answers are those of `Service`, run on
the record that was written last, with the name, the lifetime and the icons of the deployment.
"""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import combinations, permutations, product
from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.endpoints import ENDPOINTS
from devicestatus.icons import check_manifest
from devicestatus.models import Snapshot, Window
from devicestatus.record import wrap_body
from devicestatus.service import Service
from devicestatus.settings import Settings
from status_contracts import json_text
from status_contracts.adapters.contract import body_bytes, read_vectors
from status_contracts.conformance import read_rows
from status_contracts.conformance.answers import Difference, object_of
from status_contracts.conformance.http import AUTHORIZED, Line, Reply, Send
from status_contracts.conformance.requests import same_steps, unknown_steps, unlike_steps
from status_contracts.conformance.runner import (
    UNKNOWN,
    Kit,
    NotTestable,
    Run,
    Section,
    Step,
    Steps,
    Wait,
)
from status_contracts.exchange import (
    Body,
    Disconnected,
    Effect,
    ReadBody,
    ReadStore,
    Stored,
    WriteStore,
)
from status_contracts.exchange import drive as drive_exchange
from status_contracts.instants import SECOND_MS, format_instant, parse_utc
from status_contracts.messages import Asset, Response
from status_contracts.structuring.cases import Case, Cases

__all__ = ["CASES", "CHANGED", "KIT", "body_of"]

Plain = dict[str, Any]

_ROWS: Final[Plain] = read_rows("devicestatus")
_TOKEN: Final = "conformance-0123456789-abcdefghij"  # noqa: S105 - of the model alone
_JSON: Final = ("Content-Type", "application/json")
_UPDATE, _BATCH, _TIMELINE = "/api/update", "/api/batch", "/api/timeline"
_READS: Final = tuple(
    path for endpoint in ENDPOINTS if endpoint.methods == ("GET",) for path in endpoint.paths
)
_MOST_ICONS: Final = 10
_SHOWN_ICONS: Final = 3

# Bodies

SESSION: Final = _ROWS["session_ids"][0]
CHANGED: Final = ("active_app", "running_apps", "battery", "system", "music")
"""The members of a snapshot that an event may change."""
_URLS: Final = ("artwork_url", "track_url")
_EMPTY: Final[Plain] = {
    "active_app": None,
    "running_apps": [],
    "battery": {"percent": None, "charging": None, "power_source": "unknown"},
    "system": {"load_1m": None, "load_5m": None, "load_15m": None},
    "music": {"state": "unavailable", "track": None, "artist": None},
}
_TIME: Final = re.compile(rb"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d")


def snapshot(at: int, **members: object) -> Plain:
    """Return a valid snapshot that was collected at a time, with some members replaced."""
    return {**_ROWS["snapshot"], "collected_at": format_instant(at), **members}


def event(seq: int, at: int, **changes: object) -> Plain:
    """Return an event."""
    return {"seq": seq, "at": format_instant(at), "changes": changes}


def gap(start: int, end: int, reason: str = "sleep") -> Plain:
    """Return a gap."""
    return {"start_at": format_instant(start), "end_at": format_instant(end), "reason": reason}


def window(start: int, end: int, **members: object) -> Plain:
    """Return a valid window that was generated at its end, with some members replaced."""
    times = {"window_start": start, "window_end": end, "generated_at": end}
    own = {"schema_version": 2, "session_id": SESSION, "batch_seq": 1, "dropped_events": 0}
    lists: Plain = {"events": [], "gaps": [], "baseline": snapshot(start, active_app="Baseline")}
    return {**own, **{name: format_instant(at) for name, at in times.items()}, **lists, **members}


def body_of(model: type, now: int, *, urls: bool = True) -> Plain:
    """Return a valid body with all objects of a model, and music with URLs or without."""
    music = _ROWS["snapshot"]["music"]
    music = {name: music[name] for name in music if urls or name not in _URLS}
    if model is Snapshot:
        return snapshot(now, music=music)
    changes = {**{name: _ROWS["snapshot"][name] for name in CHANGED}, "music": music}
    events = [event(1, now - 50_000, **changes)]
    return window(now - 60_000, now - 10_000, events=events, gaps=[gap(now - 40_000, now - 30_000)])


def body_of_vector(vector: Plain, now: int) -> bytes:
    """Return the body of a vector as if it was received now: its times are moved by seconds."""
    seconds = (now - vector["received_at"]) // SECOND_MS

    def move(match: re.Match[bytes]) -> bytes:
        day, sign, time = match[0][:10], match[0][10:11], match[0][11:]
        with suppress(ValueError):  # no time, which is what the vector is about
            then = parse_utc(f"{day.decode()}T{time.decode()}Z")
            moved = format_instant(then + seconds * SECOND_MS).encode()
            return moved[:10] + sign + moved[11:19]
        return match[0]

    return _TIME.sub(move, body_bytes(vector["body"]))


def _session(start: int, end: int) -> Plain:
    """Return the session of the rows as a window that starts at a time, cut off at its end."""
    lists: Plain = {"events": [], "gaps": []}
    for name in lists:
        for row in _ROWS["session"][name]:
            times = {
                member: format_instant(start + round(value * SECOND_MS))
                for member, value in row.items()
                if member in {"at", "start_at", "end_at"}
            }
            if max(times.values()) <= format_instant(end):
                lists[name].append({**row, **times})
    return window(start, end, baseline=snapshot(start), **lists)


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
                case ReadBody(limit):
                    body = send.body or b""
                    return Body(None if len(body) > limit else body, at)
                case ReadStore():
                    if state is UNKNOWN:
                        raise Disconnected
                    return Stored(state, at)
                case WriteStore():
                    after = effect.value
                    return None
            return self.assets.get(getattr(effect, "name", ""))

        # Copies of files are outside of the service; without icons it need not know conditions.
        is_free = len(self.assets) == 1 and "If-None-Match" in dict(send.headers)
        with suppress(Disconnected):
            if not ((is_free and "icons" in send.path) or send.path.startswith("/app-icons/")):
                return drive_exchange(self.service(send.request(_TOKEN)), perform), after
        return None, state


def _learn(run: Run) -> Generator[Send, Reply, tuple[Model, Any]]:
    """Learn the name, the lifetime, the icons and the record of a deployment."""
    health = _object((yield Send("GET", "/api/health")))
    shown = _object((yield Send("GET", _TIMELINE)))
    if "ok" not in health and "status" not in shown:
        raise NotTestable("/api/health is no object with ok, and /api/timeline none with status")
    replies = {"index.json": (yield Send("GET", "/api/icons"))}
    for icon in _icons(replies["index.json"]):
        replies[f"{icon}.png"] = yield Send("GET", f"/api/icons/{icon}.png")
    if run.write and run.profile != "window":
        body = snapshot(run.now())
        reply = yield _post(body)
        if reply.status == 401:
            raise NotTestable(f"the token is wrong: POST {_UPDATE} has status 401")
        shown = {**body, **_object(reply)}
    ttl, state = _record_of(shown)
    settings = Settings(_TOKEN, ttl, str(health.get("service", "")))
    has_assets = replies["index.json"].status != 503
    service = Service(settings, has_store=True, has_assets=has_assets)
    return Model(service, {name: reply.asset for name, reply in replies.items()}), state


def _object(reply: Reply | None) -> Plain:
    return object_of(reply.body) if reply is not None else {}


def _icons(manifest: Reply | None) -> dict[str, Plain]:
    """Return the first icons of a manifest by their ids; none if it is not valid."""
    value = _object(manifest)
    icons = [] if check_manifest(value) else value["icons"][:_MOST_ICONS]
    return {icon["id"]: icon for icon in icons}


def _record_of(shown: Plain) -> tuple[int | None, Any]:
    """Return the lifetime of snapshots, if it shows, and the stored value behind a timeline."""
    if not {"updated_at", "expires_at"} & shown.keys():  # offline, or there is no timeline
        return None, None
    try:
        updated_at, expires_at = (parse_utc(shown[name]) for name in ("updated_at", "expires_at"))
        names = attrs.fields_dict(Snapshot)
        data = shown.get("window") or {name: shown[name] for name in shown if name in names}
    except (KeyError, TypeError, ValueError, AttributeError):
        return None, UNKNOWN
    state = wrap_body(json_text.encode(data), received_at=updated_at, expires_at=expires_at)
    return None if "window" in shown else (expires_at - updated_at) // SECOND_MS, state


# Requests without effect


def _endpoints(run: Run) -> Steps:
    """Request every path, and those like it, with every method and with what changes nothing."""
    icons = _icons((yield Step("DS-ICON-02", Send("GET", "/api/icons"))))
    icon = next(iter(icons), "code-editor")
    for endpoint in ENDPOINTS:
        for path in (row.replace("{id}", icon) for row in endpoint.paths):
            yield from same_steps(run, path, endpoint.methods[0])
            yield from unlike_steps(run, path)
    yield from unknown_steps(run)


def _icon_files(_: Run) -> Steps:
    """Request the manifest and its images, as they are and with conditions."""
    manifest = yield Step("DS-MANIFEST-02", Send("GET", "/api/icons"), "", _judge_manifest)
    icons: dict[str, Plain] = {"index": {}, **_icons(manifest)}
    for name, icon in icons.items() if len(icons) > 1 else ():
        path = f"/api/icons/{name}.png" if icon else "/api/icons"
        judge = partial(_judge_image, icon.get("sha256"), None) if icon else None
        image = yield Step("DS-ICON-03", Send("GET", path), "", judge)
        if image is None:
            return
        copy = f"/app-icons/{name}.{'png' if icon else 'json'}"
        yield Step("DS-ICON-08", Send("GET", copy), "", partial(_judge_image, None, image.body))
        tag, date = image.header("etag") or "", image.header("last-modified")
        for row in _ROWS["conditional"]:
            own = {"tag": tag, "upper_tag": tag.upper(), "date": date}
            lines = tuple((header, value.format(**own)) for header, value in row)
            for method, rule in (("GET", "DS-ICON-11"), ("HEAD", "DS-HTTP-14")):
                yield Step(rule, Send(method, path, lines))


def _judge_manifest(reply: Reply) -> Iterator[Difference]:
    for finding in check_manifest(_object(reply)) if reply.status == 200 else ():
        yield Difference("member", finding.path, finding.message, "another value")


def _judge_image(digest: str | None, expected: bytes | None, reply: Reply) -> Iterator[Difference]:
    """Judge an image: it is a PNG with the digest of the manifest, or the file of `/api/icons`."""
    if expected is not None and (reply.status, reply.body) != (200, expected):
        yield Difference("body", "", "the file of /api/icons", reply.body)
    if expected is None and not reply.body.startswith(b"\x89PNG\r\n\x1a\n"):
        yield Difference("body", "", "a PNG", reply.body[:16])
    if digest not in {None, sha256(reply.body).hexdigest()}:
        yield Difference("body", "", f"the SHA-256 {digest}", reply.body[:16])


# Writes


def _post(body: bytes | Plain, path: str = "", *lines: Line, pause_ms: int = 0) -> Send:
    if isinstance(body, dict):
        path = path or (_UPDATE if "collected_at" in body else _BATCH)
        body = json_text.encode(body)
    return Send("POST", path, lines or (_JSON, AUTHORIZED), body, pause_ms)


def _write(rule: str, title: str, body: Plain | Send, reads: Sequence[str] = _READS) -> Steps:
    """Write a body, and read some paths if it is accepted."""
    reply = yield Step(rule, body if isinstance(body, Send) else _post(body), title)
    for path in reads if reply is not None and reply.status == 200 else ():
        yield Step(rule, Send("GET", path), title)


def _with(send: Send, name: str, value: str) -> Send:
    return attrs.evolve(send, headers=tuple({**dict(send.headers), name: value}.items()))


def _faulty(send: Send, fault: str, limit: int) -> Send:
    """Return a write with one fault, named by the check that finds it."""
    body = send.body or b""
    whole = attrs.evolve(send, body=body.ljust(limit + 1))
    return {
        "token": attrs.evolve(
            send, headers=tuple(line for line in send.headers if line != AUTHORIZED)
        ),
        "media type": _with(send, "Content-Type", "text/plain"),
        "declared size": whole,
        "coding": _with(send, "Content-Encoding", "gzip"),
        "size": _with(whole, "Transfer-Encoding", "chunked"),
        "text": attrs.evolve(send, body=body.rstrip()[:-1]),
        "value": attrs.evolve(send, body=body.replace(b'"active_app"', b'"app"', 1)),
    }[fault]


_ORDER: Final = ("token", "media type", "declared size", "coding", "size", "text", "value")


def _heads(run: Run) -> Steps:
    """Write with faults of the head and of the body, alone and in pairs: the first one decides."""
    for model, path, limit in (
        (Snapshot, _UPDATE, limits.UPDATE_BODY_BYTES),
        (Snapshot, "/update", limits.UPDATE_BODY_BYTES),
        (Window, _BATCH, limits.BATCH_BODY_BYTES),
    ):
        body = json_text.encode(body_of(model, run.now()))
        good = _post(body, path)
        for faults in (*combinations(_ORDER, 1), *combinations(_ORDER, 2)):
            send = good
            for fault in reversed(faults):
                send = _faulty(send, fault, limit)
            rule = "DS-TOKEN-09" if faults[0] == "token" else "DS-HTTP-12"
            yield Step(rule, send, " and ".join(faults))
        for two in permutations((AUTHORIZED, tuple(_ROWS["ignored"][0]))):
            yield Step("DS-TOKEN-04", _post(body, path, _JSON, *two), "two tokens")
        yield Step("DS-BODY-04", _post(body, path, AUTHORIZED), "no media type")
        for extra, start in product((0, 1), (b"", b"\xef\xbb\xbf")):
            whole = attrs.evolve(good, body=(start + body).ljust(limit + extra))
            yield Step("DS-BODY-03", whole, "at its limit")
            yield Step("DS-BODY-03", _with(whole, "Transfer-Encoding", "chunked"), "in chunks")
        yield from _with_lines(run, good)
    for mark in (b'{"conformance-mark-5d1e": 1}', b'{"a": "conformance-mark-5d1e', b"[1]", b""):
        yield Step("DS-ERROR-03", _post(mark, _UPDATE))


def _with_lines(run: Run, good: Send) -> Steps:
    """Write with each value of the headers of a write, alone and beside a right one."""
    for row in _ROWS["heads"]:
        # Servers and proxies answer faulty lengths themselves, and join lines.
        if row["name"] == "Content-Length" and not run.client.is_exact:
            continue
        for value in row["values"]:
            yield Step(row["rule"], _with(good, row["name"], value), value)
            if run.client.is_exact and row["name"] != "Authorization":
                twice = (*good.headers, (row["name"], row["values"][0]), (row["name"], value))
                yield Step(row["rule"], attrs.evolve(good, headers=twice), "two lines")


def _vectors(run: Run) -> Steps:
    """Send the bodies of the vectors, snapshots also inside of a window."""
    for case in read_vectors("devicestatus", "parsing"):
        path, rule, title = case["input"]["endpoint"], str(case["rules"][0]), case["title"]
        body = body_of_vector(case["input"], run.now())
        reply = yield Step(rule, _post(body, path), title, partial(_judge_stated, case))
        for read in (_TIMELINE, "/api/now") if reply is not None and reply.status == 200 else ():
            yield Step(rule, Send("GET", read), title)


def _judge_stated(case: Plain, reply: Reply) -> Iterator[Difference]:
    """Compare the code of an answer with that of the vector, unless a clock decides it."""
    code = _object(reply).get("error")
    codes = [case["expected"].get("error"), *case.get("also", ())]
    if code not in codes and not {"DS-SNAPSHOT-05", "DS-WINDOW-11"} & {*case["rules"]}:
        yield Difference("status", "", codes[0] or "200", f"{reply.status} {code or ''}".strip())


def _values(model: type, run: Run) -> Steps:
    """Write every wrong value, and every valid one at a limit, of each member."""
    for case in CASES.of(model):
        if case.at and case.has_text:
            body = CASES.place(model, body_of(model, run.now(), urls=case.at[-1] in _URLS), case)
            send = _post(body, _UPDATE if model is Snapshot else _BATCH)
            title = f"{'/'.join(map(str, case.at))} of a {model.__name__.lower()}"
            yield from _write(rule_of_case(case), title, send, (_TIMELINE,))


# What is shown


def _shown(run: Run) -> Steps:
    """Write songs, apps and texts, and read all that shows them."""
    for song in _ROWS["shown"]["songs"]:
        music = {"track": None, "artist": None, **song}
        for app in (None, "Editor"):
            body = snapshot(run.now(), music=music, active_app=app)
            yield from _write("DS-BADGE-03", "a song", body)
    icons = _icons((yield Step("DS-ICON-02", Send("GET", "/api/icons"))))
    own = [
        name
        for icon in [*icons.values()][:_SHOWN_ICONS]
        for alias in (icon["app"], *icon["aliases"])
        for name in (alias, f"  {alias.upper()} ", alias.replace(" ", "\u00a0 "))
    ]
    for name in (*_ROWS["shown"]["texts"], *own):
        rule = "DS-ICON-12" if name in own else "DS-BADGE-04"
        apps = {"active_app": name, "running_apps": [name, "Terminal"]}
        yield from _write(rule, name, snapshot(run.now(), **apps, music=_EMPTY["music"]))
    bare = snapshot(run.now(), **_EMPTY)
    yield from _write("DS-SERVICE-03", "nothing is left of a record", bare)
    del bare["running_apps"]
    yield from _write("DS-SLICE-06", "apps that are not reported", bare)
    names = [f"{app} {'é' * 194}" for app in range(limits.RUNNING_APPS)]
    end = run.now() - 10_000
    events = [event(n, end, running_apps=[*names[n:], f"{n}"]) for n in range(1, 20)]
    yield from _write("DS-BODY-02", "a large window", window(end - 60_000, end, events=events))
    numbers = {"percent": 20.0, "charging": True, "power_source": "ac"}
    yield from _write("DS-JSON-13", "20.0", snapshot(run.now(), battery=numbers))


def _playback(run: Run) -> Steps:
    """Write windows that play just before, at and after each of their boundaries."""
    delay = limits.PLAYBACK_DELAY_MS
    for boundary in _ROWS["session"]["boundaries"]:
        for after in {-1, 0, 1, -run.margin_ms, run.margin_ms}:
            now = run.now() + 1  # the clock after the write
            start = now - delay - boundary * SECOND_MS - after
            body = _session(start, min(start + limits.WINDOW_SPAN_MS, now))
            yield from _write("DS-PROJECTION-05", f"{after} ms after {boundary} s", body)
    for shift in (0, 1):
        first = run.now() - delay - 40 + shift
        span = 2 * limits.WINDOW_GAPS
        gaps = [gap(first + at, first + at + 1) for at in range(0, span, 2)]
        events = [
            event(at, first + at, active_app=f"{at}") for at in range(1, limits.WINDOW_EVENTS + 1)
        ]
        for members in ({"gaps": gaps}, {"events": events}):
            body = window(first - 1_000, run.now(), **members)
            yield from _write("DS-GAP-01", "a change each millisecond", body, (*_READS, *_READS))
    for edges in (((0, 1), (1, 2)), ((0, 870_000),), ((869_999, 870_000),)):
        start = run.now() - 880_000
        gaps = [gap(start + low, start + high) for low, high in edges]
        body = {**_session(start, start + 870_000), "gaps": gaps}
        yield from _write("DS-GAP-03", "gaps at the edges", body)
    full = {name: _ROWS["snapshot"][name] for name in CHANGED}
    for old, new in ((full, _EMPTY), (_EMPTY, full)):
        for changes in ([new], [{name: new[name]} for name in CHANGED]):
            start = run.now() - 880_000
            events = [event(seq, start + 9, **change) for seq, change in enumerate(changes, 1)]
            baseline = snapshot(start, **old)
            body = window(start, start + 870_000, baseline=baseline, events=events, batch_seq=0)
            yield from _write("DS-EVENT-07", "a member is replaced as a whole", body)
    yield from _write("DS-SERVICE-03", "a snapshot replaces a window", snapshot(run.now()))


def _clocks(run: Run) -> Steps:
    """Write at the limits of what the clocks of device and service may differ."""
    for edge in {-1, 0, 1, -run.margin_ms, run.margin_ms}:
        for skew in (-limits.CLOCK_SKEW_MS - edge, limits.CLOCK_SKEW_MS + edge):
            yield from _write("DS-SNAPSHOT-05", f"{skew} ms", snapshot(run.now() + skew))
            at = run.now() + skew
            yield from _write("DS-WINDOW-11", f"{skew} ms", window(at - 60_000, at))
    for lag in (-1, 0, limits.GENERATION_LAG_MS, limits.GENERATION_LAG_MS + 1):
        end = run.now() - lag
        body = window(end - 60_000, end, generated_at=format_instant(end + lag))
        yield from _write("DS-WINDOW-10", f"a lag of {lag} ms", body, (_TIMELINE,))
    slow = _post(snapshot(run.now() - limits.CLOCK_SKEW_MS + 400), pause_ms=800)
    yield Step("DS-BODY-09", slow, "a body that comes slowly")
    for rule, body in (
        ("DS-UPDATE-02", snapshot(run.now() - 9_000)),
        ("DS-DEADLINE-07", window(run.now() - 300_000, run.now() - 100_000)),
    ):
        for _ in range(2):
            yield from _write(rule, "the same content again", body)
            yield Wait(300)
            yield Step(rule, Send("GET", _TIMELINE), "later")
    yield Step("DS-UPDATE-06", _post(snapshot(run.now(), active_app="")), "rejected")
    yield Step("DS-UPDATE-06", Send("GET", _TIMELINE), "a rejected body changes nothing")


def _deadlines(run: Run) -> Steps:
    """Read just before, at and after the deadlines of a snapshot and of windows."""
    reply = yield Step("DS-DEADLINE-01", _post(snapshot(run.now())))
    with suppress(ValueError):
        expires_at = parse_utc(str(_object(reply).get("expires_at")))
        yield from _around(run, "DS-DEADLINE-01", expires_at)
    if run.profile == "snapshot":  # the rest waits for windows
        return
    delay, life = limits.PLAYBACK_DELAY_MS, limits.WINDOW_LIFETIME_MS
    for start, end in ((-880_000, -115_000), (-10_000, 0), (0, 0), (-limits.WINDOW_SPAN_MS, 0)):
        now, inside = run.now(), range(start, end + 1)
        yield from _write("DS-DEADLINE-06", "a window", _session(now + start, now + end))
        changes = {start + at * SECOND_MS for at in _ROWS["session"]["boundaries"]}
        played = {at + delay for at in (start, end, *changes) if at in inside}
        for instant in sorted({*played, end + life}):
            rule = "DS-PROJECTION-05" if instant - delay in changes else "DS-DEADLINE-06"
            yield from _around(run, rule, now + instant)


def _around(run: Run, rule: str, instant: int) -> Steps:
    margin = max(1, run.margin_ms)
    for at in (instant - margin, instant, instant + margin):
        if at >= run.now():
            yield Wait(at - run.now())
            for path in _READS:
                yield Step(rule, Send("GET", path), f"{at - instant} ms after the time")


def _finish(run: Run) -> Steps:
    """Leave a record that reports nothing."""
    body = snapshot(run.now(), **_EMPTY)
    if run.profile == "window":
        body = window(run.now(), run.now(), baseline=body)
    yield Step("DS-UPDATE-01", _post(body))


# Rules of wrong values

CASES: Final = Cases({"a lowercase UUID of 8-4-4-4-12 hex digits": _ROWS["session_ids"]})
"""The valid and the wrong values of each member of the models."""


def rule_of_case(case: Case) -> str:
    """Return the rule about a wrong value: by the rule of its finding, else by the member."""
    required, named = _ROWS["required"], _ROWS["members"]
    if case.rule == "required":
        objects = ["snapshot", *(step for step in case.at[:-1] if step in required)]
        return str(required[objects[-1]])
    names = ["changes", *(step for step in case.at if step in named)]
    return str(_ROWS["findings"].get(case.rule) or named[names[-1]])


KIT: Final = Kit(
    "devicestatus",
    _ROWS,
    _learn,
    (
        Section("endpoints", _endpoints),
        Section("icons", _icon_files),
        Section("heads", _heads, writes=True),
        Section("shown", _shown, writes=True),
        Section("playback", _playback, writes=True),
        Section("clocks", _clocks, writes=True),
        Section("deadlines", _deadlines, writes=True, slow=True),
        Section("vectors", _vectors, writes=True),
        Section("snapshots", partial(_values, Snapshot), writes=True),
        Section("windows", partial(_values, Window), writes=True),
        Section("finish", _finish, writes=True),
    ),
)
"""The conformance kit of device status."""
