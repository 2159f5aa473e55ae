"""Servers that are derived: from constraints of members, from endpoints, from the order of checks.

Each breaks one rule in one place.  What a fault does is a row of a table; the places are those of
the models and of the endpoints, so a new member or endpoint has broken servers without a new line.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any, Final

from devicestatus import check_snapshot, check_window
from devicestatus.conformance import CASES, rule_of_case
from devicestatus.http.endpoints import ENDPOINTS
from devicestatus.models import Snapshot, Window
from purewire.adapters.conformance import VirtualClock
from purewire.findings import Finding
from purewire.instants import format_instant
from purewire.structuring.cases import DROPPED, Case
from support.devicestatus.broken_servers.base import (
    WRITES,
    add_server,
    begin,
    error,
    healthy,
    is_authorized,
)
from support.purewire.asgi_layers import App, Call, Layer, Request, Response, caller, layered

CHAPTERS: Final = frozenset(
    (
        *("Values of members", "Rules between members", "Headers of responses"),
        *("Methods and paths", "Order of checks"),
    )
)
_Accepts = Callable[[Any], bool]
_CHECKS: Final = {
    Snapshot: ("/api/update", check_snapshot),
    Window: ("/api/batch", check_window),
}


def _controls(value: Any) -> set[str]:
    return {character for character in str(value) if character < " " or character == "\x7f"}


def _text(value: Any, *parts: str) -> bool:
    return isinstance(value, str) and any(part in value for part in parts)


_LENIENT: Final[dict[str, dict[str, _Accepts]]] = {
    "type": {
        "null": lambda value: value is None,
        "0 and 1 for a boolean, a boolean for a number": lambda value: value in {0, 1},
        "text in place of another type": lambda value: isinstance(value, str),
        "a list or an object in place of another type": lambda value: isinstance(
            value, list | dict
        ),
    },
    "required": {"absence": lambda value: value is DROPPED},
    "unknown": {"an unknown member": lambda _: True},
    "constant": {
        "another letter case": lambda value: isinstance(value, str) and value != value.lower(),
        "blanks around it": lambda value: isinstance(value, str) and value != value.strip(),
        "any other text": lambda value: value == "other",
        "null": lambda value: value is None,
        "text of a number": lambda value: isinstance(value, str) and value.isdigit(),
        "true for 1": lambda value: value is True,
    },
    "text.control": {
        "NUL": lambda value: _controls(value) == {"\0"},
        "TAB": lambda value: _controls(value) == {"\t"},
        "LF": lambda value: _controls(value) == {"\n"},
        "controls that can be trimmed": lambda value: not _controls(value.strip()),
        "controls that cannot be trimmed": lambda value: bool(_controls(value.strip())),
        "DEL": lambda value: _controls(value) == {"\x7f"},
        "all but DEL": lambda value: "\x7f" not in _controls(value),
    },
    "text.length": {
        "empty text": lambda value: value == "",
        "one character more": lambda value: len(value) % 10 == 1,
        "more characters": lambda value: value != "",
    },
    "text.pattern": {
        "upper case": lambda value: value != value.lower(),
        "a line feed at its end": lambda value: value.endswith("\n"),
        "braces": lambda value: "{" in value,
        "no hyphens": lambda value: bool(value) and "-" not in value,
        "another length": lambda value: bool(value) and set(value) <= {*"0123456789abcdef-"},
        "other letters": lambda value: "g" in value[:1],
        "empty text": lambda value: value == "",
    },
    "number.range": {
        "one more": lambda value: value > 1 and (value % 10 == 1 or value == 2**53),
        "one less": lambda value: value in {-1, 0},
        "a little less": lambda value: -1 < value < 1,
        "a little more": lambda value: value % 1 == 0.5 and value > 1,
        "any number above": lambda value: value > 0,
        "any number below": lambda value: value < 1,
    },
    "number.integral": {"fractions": lambda _: True},
    "number.finite": {"numbers of 310 digits": lambda value: value > 0},
    "items.count": {"one item more": lambda _: True},
    "items.unique": {"items given twice": lambda _: True},
    "time.format": {
        "no or short fractions": lambda value: (
            len(value) < 24 and value.endswith("Z") and "T" in value
        ),
        "more fractional digits": lambda value: value.endswith(".0000Z"),
        "an offset": lambda value: value.endswith("+00:00"),
        "small letters": lambda value: value != value.upper(),
        "a blank for T": lambda value: value[10:11] == " ",
        "no zone": lambda value: value.endswith(".000"),
        "leap seconds": lambda value: ":60.000Z" in value[16:],
        "hour 24": lambda value: "T24" in value,
        "days that do not exist": lambda value: "02-29" in value or "04-31" in value,
        "digits of other scripts": lambda value: not value.isascii(),
    },
}
"""Rule of a constraint to the faults of a validator: what it accepts wrongly, by the value."""


def _place(at: tuple[Any, ...]) -> str:
    """Return a place as a pointer whose indexes are all `*`."""
    return "".join(f"/{'*' if isinstance(step, int) else step}" for step in at)


def _found_at(finding: Finding, body: Any) -> tuple[str, Any]:
    """Return the place of a finding and the value there; `DROPPED` if it is absent."""
    steps: list[Any] = []
    value = body
    for step in filter(None, finding.path.split("/")):
        key = int(step) if isinstance(value, list) else step
        steps.append(key)
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            value = DROPPED
    return _place(tuple(steps)), value


def _is_true(accepts: _Accepts, value: Any) -> bool:
    try:
        return bool(accepts(value))
    except (TypeError, AttributeError):
        return False


def _accepts(model: type, place: str, rule: str, accepts: _Accepts, clock: VirtualClock) -> App:
    path, check = _CHECKS[model]

    async def around(request: Request, call: Call) -> Response:
        response = await call(request.copy())
        if request.path != path or response.json != {"error": "invalid_payload"}:
            return response
        for finding in check(request.body, received_at=clock()):
            found, value = _found_at(finding, request.json)
            where = found.rpartition("/")[0] if rule == "unknown" else found
            if (finding.rule, where) != (rule, place) or not _is_true(accepts, value):
                return response
        return _accepted(clock)

    return layered(healthy(clock), around)


def _refuses(model: type, at: tuple[Any, ...], refused: Any, clock: VirtualClock) -> App:
    path, _ = _CHECKS[model]

    async def around(request: Request, call: Call) -> Response:
        response = await call(request.copy())
        if request.path == path and response.status == 200 and _has(request.json, at, refused):
            return error(400, "invalid_payload")
        return response

    return layered(healthy(clock), around)


def _has(body: Any, at: tuple[Any, ...], wanted: Any) -> bool:
    """Check whether a value is at a place, or at the place with any other index."""
    if not at:
        return type(body) is type(wanted) and body == wanted
    step, *rest = at
    if isinstance(step, int):
        return isinstance(body, list) and any(_has(item, tuple(rest), wanted) for item in body)
    return isinstance(body, dict) and step in body and _has(body[step], tuple(rest), wanted)


def _add_values(model: type) -> None:
    name = model.__name__.lower()
    wrong: dict[tuple[str, str], list[Case]] = {}
    for case in CASES.of(model):
        path = case.path[:-1] if case.rule == "unknown" else case.path
        if case.has_text and case.at:
            wrong.setdefault((_place(path), case.rule), []).append(case)
    for (place, rule), cases in wrong.items():
        if not rule:
            _add_refused(model, place, cases)
        elif not (rule == "text.length" and place.endswith("_url")):  # no URL is so short
            for what, accepts in _LENIENT[rule].items():
                if any(_is_true(accepts, case.value) for case in cases):
                    title = f"`{place or '/'}` of a {name}: {what} is accepted ({rule})"
                    build = partial(_accepts, model, place, rule, accepts)
                    add_server(f"{name}{place} {what}", (rule_of_case(cases[0]),), title, build)


def _add_refused(model: type, place: str, cases: list[Case]) -> None:
    if place.endswith(("_url", "/events", "/gaps", "/changes")):
        return  # rules between members decide these
    name = model.__name__.lower()
    for number, case in enumerate(cases, 1):
        if case.value is not DROPPED:
            title = f"`{place}` of a {name}: the valid value {ascii(case.value)[:40]} is rejected"
            build = partial(_refuses, model, case.at, case.value)
            add_server(f"{name}{place} refused {number}", (rule_of_case(case),), title, build)


begin("Values of members")
_add_values(Snapshot)
_add_values(Window)


# Rules between members

_URL_RULES: Final = {
    "text.length": "DS-URL-01",
    "url.trimmed": "DS-URL-02",
    "text.control": "DS-URL-03",
    "url.parse": "DS-URL-04",
    "url.scheme": "DS-URL-05",
    "url.credentials": "DS-URL-06",
    "url.port": "DS-URL-07",
    "url.host": "DS-URL-10",
}
_MUSIC_RULES: Final = {
    "music.pair": "DS-MUSIC-03",
    "music.url-state": "DS-MUSIC-04",
    "music.url-title": "DS-MUSIC-05",
}
_RELATIONS: Final = {
    "snapshot.skew": "DS-SNAPSHOT-05",
    "changes.empty": "DS-EVENT-05",
    "window.order": "DS-WINDOW-07",
    "window.span": "DS-WINDOW-08",
    "window.ahead": "DS-WINDOW-09",
    "window.lag": "DS-WINDOW-10",
    "window.skew": "DS-WINDOW-11",
    "window.baseline": "DS-WINDOW-13",
    "events.seq": "DS-EVENT-02",
    "events.order": "DS-EVENT-03",
    "events.inside": "DS-EVENT-04",
    "gaps.order": "DS-GAP-02",
    "gaps.inside": "DS-GAP-03",
    "gaps.overlap": "DS-GAP-04",
}
"""Rule of a finding about several members to the rule of the contract."""


def _drops(model: type, rule: str, start: str, end: str, clock: VirtualClock) -> App:
    """Return a service that ignores one rule in the places with a start and an end."""
    path, check = _CHECKS[model]

    async def around(request: Request, call: Call) -> Response:
        response = await call(request.copy())
        if request.path != path or response.json != {"error": "invalid_payload"}:
            return response
        findings = check(request.body, received_at=clock())
        is_dropped = all(
            each.rule == rule and each.path.startswith(start) and each.path.endswith(end)
            for each in findings
        )
        return _accepted(clock) if is_dropped else response

    return layered(healthy(clock), around)


def _accepted(clock: VirtualClock) -> Response:
    accepted = error(200, "")
    now = format_instant(clock())
    accepted.put_json({"ok": True, "updated_at": now, "expires_at": now})
    return accepted


def _add_dropped(
    model: type, rule: str, contract_rules: tuple[str, ...], start: str, end: str = ""
) -> None:
    name = f"{model.__name__.lower()} {rule} dropped {start or '/'} {end}".rstrip()
    title = f"{rule} is not checked in a {model.__name__.lower()}, at {start or '/'} {end}".rstrip()
    add_server(name, contract_rules, title, partial(_drops, model, rule, start, end))


begin("Rules between members")
for _rule, _of_contract in _RELATIONS.items():
    _model = Snapshot if _rule.startswith("snapshot") else Window
    _add_dropped(_model, _rule, (_of_contract,), "")
for _model, _start in ((Snapshot, "/music"), (Window, "/baseline"), (Window, "/events")):
    for _rule, _of_contract in _MUSIC_RULES.items():
        _add_dropped(_model, _rule, (_of_contract, "DS-WINDOW-17"), _start)
    for _url in ("artwork_url", "track_url"):
        for _rule, _of_contract in _URL_RULES.items():
            _add_dropped(_model, _rule, (_of_contract, "DS-WINDOW-17"), _start, _url)


# Endpoints

_RULE_OF_HEADER: Final = {
    "access-control-allow-origin": "DS-CORS-01",
    "access-control-allow-methods": "DS-CORS-02",
    "access-control-allow-headers": "DS-CORS-02",
    "access-control-expose-headers": "DS-CORS-04",
    "x-content-type-options": "DS-CACHE-04",
    "referrer-policy": "DS-CACHE-04",
    "cache-control": "DS-CACHE-01",
    "cdn-cache-control": "DS-CACHE-02",
    "cloudflare-cdn-cache-control": "DS-CACHE-02",
    "content-type": "DS-HTTP-08",
    "content-security-policy": "DS-BADGE-09",
    "allow": "DS-HTTP-04",
    "www-authenticate": "DS-TOKEN-05",
}
_ICON: Final = "/api/icons/web-browser.png"
_PATHS: Final = [path for each in ENDPOINTS if not each.keys for path in each.paths] + [_ICON]


def _without(path: str, status: int, name: str) -> Layer:
    async def around(request: Request, call: Call) -> Response:
        response = await call(request)
        if (request.path, response.status) == (path, status):
            response.drop(name)
        return response

    return around


def _headers(path: str, method: str) -> Response:
    headers = [("authorization", "Bearer x")] if method == "POST" else []
    call = caller(healthy(VirtualClock(1)))

    async def respond() -> Response:
        return await call(Request(headers, b"", method, path, ""))

    return asyncio.run(respond())


def _rule_of_header(name: str, path: str, method: str) -> str:
    if path.startswith("/api/icons"):
        if name == "cache-control" and method == "GET":
            return "DS-CACHE-03"
        if name.startswith("access-control") and name != "access-control-allow-origin":
            return "DS-CORS-03" if method == "OPTIONS" else "DS-CORS-04"
    return _RULE_OF_HEADER[name]


def _add_headers(path: str) -> None:
    for method in ("GET", "OPTIONS", "PUT", "POST"):
        response = _headers(path, method)
        if method == "GET" and response.status == 405:
            continue
        for name, _ in response.headers:
            if name.lower() not in _RULE_OF_HEADER or (method == "POST" and response.status == 405):
                continue
            status = response.status
            rule = _rule_of_header(name.lower(), path, method)
            title = f"{path} has no {name} with status {status}"
            around = _without(path, status, name.lower())
            add_server(f"{path} {status} {name}", (rule,), title, partial(_layered, around))


def _layered(around: Layer, clock: VirtualClock) -> App:
    return layered(healthy(clock), around)


begin("Headers of responses")
for _path in _PATHS:
    _add_headers(_path)


def _answered(change: Callable[[Request], Response | None]) -> Layer:
    async def around(request: Request, call: Call) -> Response:
        response = change(request)
        return await call(request) if response is None else response

    return around


def _method_error(path: str, method: str, status: int, code: str) -> Layer:
    def change(request: Request) -> Response | None:
        return error(status, code) if (request.path, request.method) == (path, method) else None

    return _answered(change)


def _routed(other: str, path: str) -> Layer:
    def change(request: Request) -> None:
        if request.path == other:
            request.path = path

    return _answered(change)


begin("Methods and paths")
for _path in _PATHS:
    _methods = next(each.methods for each in ENDPOINTS if _path in each.paths or each.keys)
    for _method, _status, _code in (
        ("PUT", 404, "not_found"),
        ("DELETE", 501, "method_not_allowed"),
        ("PATCH", 200, "ok"),
        ("HEAD", 200, "ok"),
    ):
        if _path != _ICON and not (_method == "HEAD" and "HEAD" in _methods):
            add_server(
                f"{_path} {_method} {_status}",
                ("DS-HTTP-05",) if _method == "HEAD" else ("DS-HTTP-03",),
                f"{_method} of {_path} has status {_status}",
                partial(_layered, _method_error(_path, _method, _status, _code)),
            )
    _start, _, _name = _path.rpartition("/")
    for _what, _other in {
        "a slash at its end": f"{_path}/",
        "a doubled slash": f"{_start}//{_name}",
        "capitals": f"{_start}/{_name.upper()}",
        "an escape": f"{_start}/%{ord(_name[0]):02x}{_name[1:]}",
    }.items():
        if _path != _ICON:
            title = f"{_path} is also served with {_what}"
            add_server(
                f"{_path} with {_what}",
                ("DS-HTTP-01",),
                title,
                partial(_layered, _routed(_other, _path)),
            )


# The order of checks

_LIMITS: Final = {"/api/update": 16_384, "/update": 16_384, "/api/batch": 524_288}
_HAS_FAULT: Final[dict[str, tuple[Callable[[Request], bool], int, str]]] = {
    "token": (lambda request: not is_authorized(request), 401, "unauthorized"),
    "media type": (
        lambda request: request.header("content-type") != "application/json",
        415,
        "unsupported_media_type",
    ),
    "declared size": (
        lambda request: int(request.header("content-length") or 0) > _LIMITS[request.path],
        413,
        "payload_too_large",
    ),
    "coding": (
        lambda request: request.header("content-encoding") is not None,
        415,
        "unsupported_media_type",
    ),
    "size": (
        lambda request: (
            request.header("content-length") is None and len(request.body) > _LIMITS[request.path]
        ),
        413,
        "payload_too_large",
    ),
    "text": (lambda request: request.json is None, 400, "invalid_json"),
    "value": (
        lambda request: (
            isinstance(request.json, dict)
            and "app" in str(request.json)
            and "active_app" not in request.json.get("baseline", request.json)
        ),
        400,
        "invalid_payload",
    ),
}
"""Check of a write to the fault that it finds, in the order of the contract."""


def _reordered(path: str, first: str, second: str) -> Layer:
    def change(request: Request) -> Response | None:
        if (request.method, request.path) != ("POST", path):
            return None
        has_both = all(_HAS_FAULT[name][0](request) for name in (first, second))
        return error(*_HAS_FAULT[second][1:]) if has_both else None

    return _answered(change)


begin("Order of checks")
for _path in WRITES:
    for _first, _second in combinations(_HAS_FAULT, 2):
        if _HAS_FAULT[_first][1:] == _HAS_FAULT[_second][1:] or _first == "text":
            continue  # nobody sees which of the two came first
        _rule = "DS-TOKEN-09" if _first == "token" else "DS-HTTP-12"
        add_server(
            f"{_path} {_second} before {_first}",
            (_rule, "DS-HTTP-13"),
            f"{_path} checks the {_second} before the {_first}",
            partial(_layered, _reordered(_path, _first, _second)),
        )
