"""The conformance kit of device status: what is requested, and the engine that knows the answers.

`conformance.toml` has the rows that need no code.  The right answers are those of `Service`, run on
the record that was written last, with the name, the lifetime and the icons of the deployment.
"""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import combinations_with_replacement, product
from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.agent.privacy import NO_BATTERY, NO_MUSIC, NO_SYSTEM
from devicestatus.endpoints import ENDPOINTS
from devicestatus.icons import check_manifest
from devicestatus.models import Snapshot, Window, WindowChanges
from devicestatus.record import wrap_body
from devicestatus.service import Service
from devicestatus.settings import Settings
from status_contracts import exchange, json_text
from status_contracts.adapters.contract import body_bytes, read_vectors
from status_contracts.conformance import read_rows, requests
from status_contracts.conformance.answers import Difference, object_of
from status_contracts.conformance.http import AUTHORIZED, Line, Reply, Send
from status_contracts.conformance.runner import UNKNOWN, Kit, NotTestable, Run, Section, Step, Steps
from status_contracts.instants import SECOND_MS, format_instant, parse_utc
from status_contracts.messages import Asset, Response
from status_contracts.structuring.cases import Cases
from status_contracts.structuring.converter import unstructure

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

CHANGED: Final = ("active_app", "running_apps", "battery", "system", "music")
"""The members of a snapshot that an event may change."""
_EMPTY: Final[Plain] = unstructure(WindowChanges(None, (), NO_BATTERY, NO_SYSTEM, NO_MUSIC))
_TIME: Final = re.compile(r'(\d{4}-\d\d-\d\d)([Tt ])(\d\d:\d\d:\d\d)(\.\d{3}Z(?="))?')


def snapshot(at: int, **members: object) -> Plain:
    """Return a valid snapshot that was collected at a time, with some members replaced."""
    return {**_ROWS["snapshot"], "collected_at": format_instant(at), **members}


def window(start: int, end: int, **members: object) -> Plain:
    """Return a valid window that was generated at its end, with some members replaced."""
    times = {"window_start": start, "window_end": end, "generated_at": end}
    texts = {name: format_instant(at) for name, at in times.items()}
    return {**_ROWS["window"], **texts, "baseline": snapshot(start), **members}


def body_of(model: type, now: int, **music: object) -> Plain:
    """Return a valid body with all objects of a model, and with more members of its music."""
    body = snapshot(now, music={**_ROWS["snapshot"]["music"], **music})
    if model is Snapshot:
        return body
    changes = {name: body[name] for name in CHANGED}
    at, start, end = (format_instant(now - ms) for ms in (50_000, 40_000, 30_000))
    event = {"seq": 1, "at": at, "changes": changes}
    gap = {"start_at": start, "end_at": end, "reason": "sleep"}
    return window(now - 60_000, now - 10_000, events=[event], gaps=[gap])


def moved(body: bytes, milliseconds: int) -> bytes:
    """Return a body with its times moved; those without three digits of a fraction by seconds."""

    def move(match: re.Match[str]) -> str:
        day, sign, time, fraction = match.groups("")
        with suppress(ValueError):  # no time, which is what the vector is about
            then = format_instant(parse_utc(f"{day}T{time}{fraction or 'Z'}") + milliseconds)
            return f"{then[:10]}{sign}{then[11:] if fraction else then[11:19]}"
        return match[0]

    return _TIME.sub(move, body.decode("latin-1")).encode("latin-1")


def _played(whole: Plain, at: int, now: int) -> bytes:
    """Return a window as it is at an instant, moved as if that was now."""
    end = min(whole["window_end"], format_instant(at))
    own = {"window_end": end, "generated_at": end}
    own["events"] = [event for event in whole["events"] if event["at"] <= end]
    gaps = [gap for gap in whole["gaps"] if gap["start_at"] < end]
    own["gaps"] = [{**gap, "end_at": min(gap["end_at"], end)} for gap in gaps]
    return moved(json_text.encode({**whole, **own}), now - at)


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

        def perform(effect: exchange.Effect) -> object:
            nonlocal after
            match effect:
                case exchange.ReadBody(limit):
                    body = send.body or b""
                    return exchange.Body(None if len(body) > limit else body, at)
                case exchange.ReadStore():
                    if state is UNKNOWN:
                        raise exchange.Disconnected
                    return exchange.Stored(state, at)
                case exchange.WriteStore():
                    after = effect.value
                    return None
            return self.assets.get(getattr(effect, "name", ""))

        # Copies of files are outside of the service; without icons it need not know conditions.
        is_free = len(self.assets) == 1 and "If-None-Match" in dict(send.headers)
        with suppress(exchange.Disconnected):
            if not ((is_free and "icons" in send.path) or send.path.startswith("/app-icons/")):
                return exchange.drive(self.service(send.request(_TOKEN)), perform), after
        return None, state


def _learn(run: Run) -> Generator[Send, Reply, tuple[Model, Any]]:
    """Learn the name, the lifetime, the icons and the record of a deployment."""
    health = object_of((yield Send("GET", "/api/health")))
    shown = object_of((yield Send("GET", _TIMELINE)))
    if "ok" not in health and "status" not in shown:
        raise NotTestable("/api/health is not an object with ok, nor /api/timeline one with status")
    replies = {"index.json": (yield Send("GET", "/api/icons"))}
    for icon in _icons(replies["index.json"]):
        replies[f"{icon}.png"] = yield Send("GET", f"/api/icons/{icon}.png")
    if run.write and run.profile != "window":
        body = snapshot(run.now())
        reply = yield _post(body)
        if reply.status == 401:
            raise NotTestable(f"the token is wrong: POST {_UPDATE} has status 401")
        shown = {**body, **object_of(reply)}
    ttl, state = _record_of(shown)
    settings = Settings(_TOKEN, ttl, str(health.get("service", "")))
    service = Service(settings, has_store=True, has_assets=replies["index.json"].status != 503)
    return Model(service, {name: reply.asset for name, reply in replies.items()}), state


def _icons(manifest: Reply) -> dict[str, Plain]:
    """Return the first icons of a manifest by their ids; none if it is not valid."""
    value = object_of(manifest)
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


def _endpoints(run: Run) -> Steps:
    """Request every path, and those like it, with every method and with what changes nothing."""
    icons = _icons((yield Step("DS-ICON-02", Send("GET", "/api/icons"))))
    icon = next(iter(icons), "code-editor")
    for endpoint in ENDPOINTS:
        for path in (row.replace("{id}", icon) for row in endpoint.paths):
            yield from requests.same_steps(run, path, endpoint.methods[0])
            yield from requests.unlike_steps(run, path)
    yield from requests.missing_steps(run, "unknown")


def _icon_files(run: Run) -> Steps:
    """Request the manifest and its images, as they are and with conditions."""
    manifest = yield Step("DS-MANIFEST-02", Send("GET", "/api/icons"), "", _judge_manifest)
    icons: dict[str, Plain] = {"index": {}, **_icons(manifest)}
    for name, icon in icons.items() if len(icons) > 1 else ():
        path = f"/api/icons/{name}.png" if icon else "/api/icons"
        judge = partial(_judge_image, icon.get("sha256"), None) if icon else None
        image = yield Step("DS-ICON-03", Send("GET", path), "", judge)
        copy = f"/app-icons/{name}.{'png' if icon else 'json'}"
        yield Step("DS-ICON-08", Send("GET", copy), "", partial(_judge_image, None, image.body))
        yield from requests.conditional_steps(run, "DS-ICON-11", path, image)


def _judge_manifest(reply: Reply) -> Iterator[Difference]:
    for finding in check_manifest(object_of(reply)) if reply.status == 200 else ():
        yield Difference("member", finding.path, finding.message, "another value")


def _judge_image(digest: str | None, expected: bytes | None, reply: Reply) -> Iterator[Difference]:
    """Judge an image: it is a PNG with the digest of the manifest, or the file of `/api/icons`."""
    if expected is not None and (reply.status, reply.body) != (200, expected):
        yield Difference("body", "", "the file of /api/icons", reply.body)
    if expected is None and not reply.body.startswith(b"\x89PNG\r\n\x1a\n"):
        yield Difference("body", "", "a PNG", reply.body[:16])
    if digest not in {None, sha256(reply.body).hexdigest()}:
        yield Difference("body", "", f"the SHA-256 {digest}", reply.body[:16])


def _post(body: bytes | Plain, path: str = "", *lines: Line, pause_ms: int = 0) -> Send:
    if isinstance(body, dict):
        path = path or (_UPDATE if "collected_at" in body else _BATCH)
        body = json_text.encode(body)
    return Send("POST", path, lines or (_JSON, AUTHORIZED), body, pause_ms)


def _write(rule: str, title: str, body: Plain | Send, reads: Sequence[str] = _READS) -> Steps:
    """Write a body, and read some paths if it is accepted."""
    reply = yield Step(rule, body if isinstance(body, Send) else _post(body), title)
    for path in reads if reply.status == 200 else ():
        yield Step(rule, Send("GET", path), title)


def _heads(run: Run) -> Steps:
    """Write with wrong heads and bodies, and with pairs of faults, of which the first decides."""
    for model, path, limit in (
        (Snapshot, _UPDATE, limits.UPDATE_BODY_BYTES),
        (Snapshot, "/update", limits.UPDATE_BODY_BYTES),
        (Window, _BATCH, limits.BATCH_BODY_BYTES),
    ):
        body = json_text.encode(body_of(model, run.now()))
        chunked = ("Transfer-Encoding", "chunked")
        good: Plain = dict((_JSON, AUTHORIZED))
        long = body[:-1].ljust(limit + 1)
        faults: dict[str, Plain] = {
            "token": {"Authorization": "Basic x"},
            "media type": {"Content-Type": "text/plain"},
            "declared size": {"body": long},
            "coding": {"Content-Encoding": "gzip"},
            "size": {**dict((chunked,)), "body": long},
            "text": {"body": b'{"mark-5d1e'},
            "value": {"body": b'{"mark-5d1e": 1}'},
        }
        for first, other in combinations_with_replacement(faults, 2):
            lines = {**good, **faults[other], **faults[first]}
            send = _post(lines.pop("body", body), path, *lines.items())
            rule = "DS-ERROR-03" if first == other else "DS-HTTP-12"
            yield Step(rule, send, " and ".join({first: 0, other: 0}))
        for rule, line in (("DS-TOKEN-09", _JSON), ("DS-BODY-04", AUTHORIZED)):
            yield Step(rule, _post(body, path, line), "one header alone")
        for extra, start, more in product((0, 1), (b"", json_text.BOM), ((), (chunked,))):
            whole = (start + body).ljust(limit + extra)
            yield Step("DS-BODY-03", _post(whole, path, *good.items(), *more), "at its limit")
        send = _post(body, path, *good.items(), ("Content-Length", str(len(body))))
        for row in _ROWS["heads"]:
            # Servers and proxies answer faulty lengths themselves.
            if run.client.is_exact or row["name"] != "Content-Length":
                yield from _with_line(run, row, send)


def _with_line(run: Run, row: Plain, good: Send) -> Steps:
    """Write with each value of a header, alone and beside a right one."""
    for line in ((row["name"], value) for value in row["values"]):
        sent = [(row["rule"], tuple({**dict(good.headers), line[0]: line[1]}.items()))]
        if run.client.is_exact or line[0] == "Authorization":  # proxies may join others
            sent.append((row["twice"], (*good.headers, line)))
        if line[0] == "Authorization":
            sent.append((row["twice"], (line, *good.headers)))
        for rule, lines in sent:
            yield Step(rule, attrs.evolve(good, headers=lines), line[1])


def _vectors(run: Run) -> Steps:
    """Send the bodies of the vectors, as if they were received now."""
    for case in read_vectors("devicestatus", "parsing"):
        write, rule, title = case["input"], str(case["rules"][0]), case["title"]
        seconds = (run.now() - write["received_at"]) // SECOND_MS
        body = moved(body_bytes(write["body"]), seconds * SECOND_MS)
        judge = partial(_judge_stated, case)
        reply = yield Step(rule, _post(body, write["endpoint"]), title, judge)
        for read in (_TIMELINE, "/api/now") if reply.status == 200 else ():
            yield Step(rule, Send("GET", read), title)


def _judge_stated(case: Plain, reply: Reply) -> Iterator[Difference]:
    """Compare the code of an answer with that of the vector, unless a clock decides it."""
    code = object_of(reply).get("error")
    codes = [case["expected"].get("error"), *case.get("also", ())]
    if code not in codes and not {"DS-SNAPSHOT-05", "DS-WINDOW-11"} & {*case["rules"]}:
        yield Difference("status", "", codes[0] or "200", f"{reply.status} {code or ''}".strip())


def _values(run: Run) -> Steps:
    """Write every wrong value, and every valid one at a limit, of each member."""
    for model, path in ((Snapshot, _UPDATE), (Window, _BATCH)):
        for case in CASES.of(model):
            if case.at and case.has_text:
                urls = _ROWS["urls"] if case.at[-1] in _ROWS["urls"] else {}
                body = CASES.place(model, body_of(model, run.now(), **urls), case)
                title = f"{'/'.join(map(str, case.at))} of a {model.__name__.lower()}"
                # That of the finding, else that of the member.
                members = ["changes", *(step for step in case.at if step in _ROWS["members"])]
                rule = _ROWS["findings"].get(case.rule) or _ROWS["members"][members[-1]]
                yield from _write(rule, title, _post(body, path), (_TIMELINE,))


def _shown(run: Run) -> Steps:
    """Write the records of the vectors, apps and texts, and read all that shows them."""
    views = [
        (case, case["input"]["record"]["data"])
        for case in read_vectors("devicestatus", "views")
        if case["input"]["path"] == "/api/now"
    ]
    badges = [(case, case["input"]["state"]) for case in read_vectors("devicestatus", "badges")]
    for case, data in (*views, *badges):
        if data is not None:
            at = parse_utc(data.get("generated_at") or data["collected_at"])
            body = moved(json_text.encode(data), run.now() - at)
            path = _BATCH if "window_end" in data else _UPDATE
            yield from _write(case["rules"][-1], case["title"], _post(body, path))
    icons = _icons((yield Step("DS-ICON-02", Send("GET", "/api/icons"))))
    own = [
        name
        for icon in [*icons.values()][:3]
        for alias in (icon["app"], *icon["aliases"][:3])
        for name in (alias, f"  {alias.upper()} ", alias.replace(" ", "\u00a0 "))
    ]
    for name in (*_ROWS["texts"], *own):
        rule = "DS-ICON-12" if name in own else "DS-BADGE-04"
        apps = {"active_app": name, "running_apps": [name, "Terminal"]}
        yield from _write(rule, name, snapshot(run.now(), **apps, music=_EMPTY["music"]))


def _playback(run: Run) -> Steps:
    """Write the windows of the vectors as they are at each of their instants."""
    for case in read_vectors("devicestatus", "projection"):
        for at, edge in product(case["input"]["now"], {-run.margin_ms, run.margin_ms}):
            # A virtual clock advances by a millisecond with the write.
            body = _played(case["input"]["window"], at + edge, run.now() + 1)
            yield from _write(case["rules"][0], case["title"], _post(body, _BATCH))


def _clocks(run: Run) -> Steps:
    """Write at the limits of what the clocks of device and service may differ."""
    for edge, side in product({-1, 0, 1, -run.margin_ms, run.margin_ms}, (-1, 1)):
        skew = side * (limits.CLOCK_SKEW_MS + edge)
        yield from _write("DS-SNAPSHOT-05", f"{skew} ms", snapshot(run.now() + skew))
        at = run.now() + skew
        yield from _write("DS-WINDOW-11", f"{skew} ms", window(at - 60_000, at))
    slow = _post(snapshot(run.now() - limits.CLOCK_SKEW_MS + 400), pause_ms=800)
    yield Step("DS-BODY-09", slow, "a body that comes slowly")
    for rule, body in (
        ("DS-UPDATE-02", snapshot(run.now() - 9_000)),
        ("DS-DEADLINE-07", window(run.now() - 300_000, run.now() - 100_000)),
    ):
        for _ in range(2):
            yield from _write(rule, "the same content again", body)
            yield 300  # ms
    yield Step("DS-UPDATE-06", _post(snapshot(run.now(), active_app="")), "rejected")
    yield Step("DS-UPDATE-06", Send("GET", _TIMELINE), "a rejected body changes nothing")


def _deadlines(run: Run) -> Steps:
    """Read just before, at and after the deadlines of a snapshot and the times of windows."""
    reply = yield Step("DS-UPDATE-01", _post(snapshot(run.now())))
    with suppress(ValueError):
        expires_at = parse_utc(str(object_of(reply).get("expires_at")))
        yield from _around(run, "DS-DEADLINE-01", expires_at)
    for span in (0, 60_000, limits.WINDOW_SPAN_MS) if run.profile != "snapshot" else ():
        now = run.now()
        body = body_of(Window, now) if span == 60_000 else window(now - span, now)
        yield from _write("DS-DEADLINE-06", "a window", body)
        times = {parse_utc(match[0]) for match in _TIME.finditer(json_text.encode(body).decode())}
        played = {at + limits.PLAYBACK_DELAY_MS for at in times}
        for instant in sorted({*played, max(times) + limits.WINDOW_LIFETIME_MS}):
            yield from _around(run, "DS-DEADLINE-06", instant)


def _around(run: Run, rule: str, instant: int) -> Steps:
    margin = max(1, run.margin_ms)
    for at in (instant - margin, instant, instant + margin):
        if at >= run.now():
            yield at - run.now()
            for path in _READS:
                yield Step(rule, Send("GET", path), f"{at - instant} ms after the time")


def _finish(run: Run) -> Steps:
    body = snapshot(run.now(), **_EMPTY)
    if run.profile == "window":
        body = window(run.now(), run.now(), baseline=body)
    yield from _write("DS-SERVICE-03", "nothing is left of a record", body)


CASES: Final = Cases({"a lowercase UUID of 8-4-4-4-12 hex digits": _ROWS["session_ids"]})
"""The valid and the wrong values of each member of the models."""


KIT: Final = Kit(
    "devicestatus",
    _ROWS,
    _learn,
    (
        Section("endpoints", _endpoints),
        Section("icons", _icon_files),
        Section("wrong uploads", _heads, writes=True),
        Section("what is shown", _shown, writes=True),
        Section("playback", _playback, writes=True),
        Section("clocks", _clocks, writes=True),
        Section("deadlines", _deadlines, writes=True, slow=True),
        Section("vectors", _vectors, writes=True),
        Section("limits of members", _values, writes=True),
        Section("last record", _finish, writes=True),
    ),
)
"""The conformance kit of device status."""
