"""The healthy service, and the ways in which a broken server differs from it.

Each decorator here adds a server to `SERVERS`.  Nothing inside the service is replaced: a fault is
middleware around `create_app`, a store, a clock, or a second service that answers some requests.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import attrs

import devicestatus.adapters
from devicestatus import Settings
from devicestatus.adapters import asgi
from devicestatus.adapters.memory import MemoryStore
from purewire.adapters.conformance import VirtualClock
from support.purewire.asgi_layers import (
    App,
    Call,
    Layer,
    Request,
    Response,
    caller,
    layered,
    respond,
    served,
)

TOKEN: Final = "0123456789abcdef0123456789abcdef"
ICONS: Final = Path(devicestatus.adapters.__file__).parent / "app_icons"

WRITES: Final = ("/api/update", "/api/batch", "/update")
CATEGORIES: Final = ("/api/music", "/api/apps/active", "/api/apps/running", "/api/device")
PROJECTIONS: Final = ("/api/now", "/now", *CATEGORIES, "/api/badge.svg", "/badge.svg")
STATUS: Final = ("/api/now", "/now", *CATEGORIES, "/api/timeline")
KNOWN: Final = (*WRITES, *PROJECTIONS, "/api/timeline", "/api/health", "/health", "/api/icons")

Plain = dict[str, Any]


@attrs.frozen
class BrokenServer:
    """A server with one fault.

    Attributes:
        name: a short name.
        title: the fault, as a sentence.
        rules: ids of the rules that it breaks.
        build: makes the application, whose time is that of the clock.
        chapter: what the fault is about, for the page.

    """

    name: str
    title: str
    rules: tuple[str, ...]
    build: Callable[[VirtualClock], App]
    chapter: str = ""


SERVERS: dict[str, BrokenServer] = {}
_CHAPTERS: list[str] = []


def begin(chapter: str) -> None:
    """Begin a chapter of the page; the servers that follow belong to it."""
    _CHAPTERS.append(chapter)


def healthy(clock: Callable[[], int], store: Any = None, assets: Any = ICONS) -> App:
    """Return the service without a fault, and without pages, which no check reads."""
    store = MemoryStore() if store is None else store
    return asgi.create_app(Settings(TOKEN), store=store, assets=assets, clock=clock, page=None)


def error(status: int, code: str) -> Response:
    """Return an error with all headers that the contract requires of it."""
    response = respond(
        status,
        access_control_allow_origin="*",
        x_content_type_options="nosniff",
        referrer_policy="no-referrer",
        cache_control="no-store, max-age=0",
        cdn_cache_control="no-store",
        cloudflare_cdn_cache_control="no-store",
        content_type="application/json; charset=utf-8",
    )
    response.put_json({"error": code})
    return response


def invalid() -> Response:
    """Return the response to a body that breaks a rule."""
    return error(400, "invalid_payload")


def is_icon(path: str) -> bool:
    """Return whether the path is an icon endpoint."""
    return path == "/api/icons" or path.startswith("/api/icons/")


def is_known(path: str) -> bool:
    """Return whether the service knows the path."""
    return path in KNOWN or (is_icon(path) and path.endswith(".png"))


def is_authorized(request: Request) -> bool:
    """Return whether the request has the token, once."""
    lines = [value for name, value in request.headers if name == "authorization"]
    return lines == [f"Bearer {TOKEN}"]


def add_server(
    name: str,
    rules: tuple[str, ...],
    title: str | None,
    build: Callable[[VirtualClock], App],
) -> None:
    if name in SERVERS:
        raise ValueError(f"two broken servers have the name {name!r}")
    text = (title or "").strip().rstrip(".")
    SERVERS[name] = BrokenServer(name, text, rules, build, _CHAPTERS[-1])


def server(
    name: str, *rules: str
) -> Callable[[Callable[[VirtualClock], App]], Callable[[VirtualClock], App]]:
    """Add a server that the function builds."""

    def add(build: Callable[[VirtualClock], App]) -> Callable[[VirtualClock], App]:
        add_server(name, rules, build.__doc__, build)
        return build

    return add


def layer(name: str, *rules: str) -> Callable[[Layer], Layer]:
    """Add a server with one layer around the service."""

    def add(around: Layer) -> Layer:
        add_server(name, rules, around.__doc__, lambda clock: layered(healthy(clock), around))
        return around

    return add


OnRequest = Callable[[Request], Response | None]


def on_request(name: str, *rules: str) -> Callable[[OnRequest], OnRequest]:
    """Add a server that changes requests in place, or responds to them itself."""

    def add(change: OnRequest) -> OnRequest:
        async def around(request: Request, call: Call) -> Response:
            response = change(request)
            return await call(request) if response is None else response

        around.__doc__ = change.__doc__
        layer(name, *rules)(around)
        return change

    return add


OnResponse = Callable[[Request, Response], Response | None]


def on_response(name: str, *rules: str) -> Callable[[OnResponse], OnResponse]:
    """Add a server that changes responses in place, or replaces them."""

    def add(change: OnResponse) -> OnResponse:
        async def around(request: Request, call: Call) -> Response:
            response = await call(request)
            return change(request, response) or response

        around.__doc__ = change.__doc__
        layer(name, *rules)(around)
        return change

    return add


OnShown = Callable[[Plain], object]


def on_shown(
    name: str,
    *rules: str,
    paths: tuple[str, ...] = STATUS,
    offline: bool = False,
) -> Callable[[OnShown], OnShown]:
    """Add a server that changes in place what some paths show; with `offline` that body only."""

    def add(change: OnShown) -> OnShown:
        def changed(request: Request, response: Response) -> None:
            shown = response.json if response.status == 200 else None
            if request.path not in paths or not isinstance(shown, dict):
                return
            if (shown == {"status": "offline"}) == offline:
                change(shown)
                response.put_json(shown)

        changed.__doc__ = change.__doc__
        on_response(name, *rules)(changed)
        return change

    return add


RefuseAt = Callable[[Plain, int], object]


def refuses_at(name: str, *rules: str) -> Callable[[RefuseAt], RefuseAt]:
    """Add a server that refuses bodies for which the function is true at the time."""

    def add(is_refused: RefuseAt) -> RefuseAt:
        def build(clock: VirtualClock) -> App:
            async def around(request: Request, call: Call) -> Response:
                if request.method != "POST" or not is_authorized(request):
                    return await call(request)
                response = await call(request.copy())
                body = request.json if response.status == 200 else None
                if not isinstance(body, dict) or not is_refused(body, clock()):
                    return response
                return invalid()

            return layered(healthy(clock), around)

        add_server(name, rules, is_refused.__doc__, build)
        return is_refused

    return add


Refuse = Callable[[Plain], object]


def refuses(name: str, *rules: str) -> Callable[[Refuse], Refuse]:
    """Add a server that refuses valid bodies for which the function is true."""

    def add(is_refused: Refuse) -> Refuse:
        def at(body: Plain, _: int) -> object:
            return is_refused(body)

        at.__doc__ = is_refused.__doc__
        refuses_at(name, *rules)(at)
        return is_refused

    return add


Rewrite = Callable[[bytes], bytes]


def accepts_text(name: str, *rules: str) -> Callable[[Rewrite], Rewrite]:
    """Add a server that reads more texts as JSON: those that are invalid are rewritten."""

    def add(rewrite: Rewrite) -> Rewrite:
        async def around(request: Request, call: Call) -> Response:
            response = await call(request.copy())
            if response.status != 400 or response.json != {"error": "invalid_json"}:
                return response
            changed = request.copy(body=rewrite(request.body))
            changed.put("content-length", str(len(changed.body)))
            return await call(changed)

        around.__doc__ = rewrite.__doc__
        layer(name, *rules)(around)
        return rewrite

    return add


def stores(name: str, *rules: str) -> Callable[[type[Any]], type[Any]]:
    """Add a server with another store; the class is called with the clock."""

    def add(store: type[Any]) -> type[Any]:
        add_server(name, rules, store.__doc__, lambda clock: healthy(clock, store(clock)))
        return store

    return add


def copy_of(body: Plain) -> Plain:
    """Return a copy of a plain value."""
    copied: Plain = json.loads(json.dumps(body))
    return copied


@attrs.define
class ReadClock:
    """The clock of a second service: `at` stands for the time while a read is served."""

    clock: VirtualClock
    at: int | None = None

    def __call__(self) -> int:
        return self.clock() if self.at is None else self.at


def shadowed(
    clock: VirtualClock,
    *,
    modify: Callable[[Plain], object] = lambda _: None,
    shown: Callable[[Plain, Plain], object] = lambda _, __: None,
    read_at: Callable[[int, Plain, Plain], int] = lambda now, _, __: now,
    kind: int = 2,
    paths: tuple[str, ...] = PROJECTIONS,
) -> App:
    """Return a service whose reads are answered by a second one with a faulty engine.

    Args:
        clock: the time of both.
        modify: changes, in place, the body that the second one stores.
        shown: changes, in place, what the second one shows while it is online; the second argument
            is the body as it was sent.
        read_at: returns the time at which the second one reads, from the time, the body and the
            response to the write.
        kind: `schema_version` of the records that are read from the second one.
        paths: what the second one answers.

    """
    read_clock = ReadClock(clock)
    first, second = caller(healthy(clock)), caller(healthy(read_clock))
    written: list[tuple[Plain, Plain]] = []

    async def call(request: Request) -> Response:
        if request.method == "POST" and request.path in WRITES:
            response = await first(request.copy())
            if response.status == 200:
                body = request.json
                written[:] = [(copy_of(body), response.json)]
                if body["schema_version"] == kind:
                    modify(body)
                changed = request.copy()
                changed.put_json(body)
                assert (await second(changed)).status == 200
            return response
        if request.method != "GET" or request.path not in paths or not written:
            return await first(request)
        body, result = written[0]
        if body["schema_version"] != kind:
            return await first(request)
        read_clock.at = read_at(clock(), body, result)
        try:
            response = await second(request)
        finally:
            read_clock.at = None
        value = response.json
        if isinstance(value, dict) and value.get("status") == "online":
            shown(value, body)
            response.put_json(value)
        return response

    return served(call)


class BoundedCache:
    """A store whose reads are cached for a time, as the contract allows up to 30 s."""

    nonblocking = True

    def __init__(self, clock: Callable[[], int], milliseconds: int) -> None:
        self._clock = clock
        self._milliseconds = milliseconds
        self._value: bytes | None = None
        self._cached: bytes | None = None
        self._until = 0

    def get(self, key: str) -> bytes | None:
        del key  # there is one
        if self._clock() >= self._until:
            self._cached, self._until = self._value, self._clock() + self._milliseconds
        return self._cached

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        del key, expires_at_ms
        self._value = value
