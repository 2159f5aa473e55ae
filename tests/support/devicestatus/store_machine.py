"""A state machine for the service over a store.

`StoreContract` checks the protocol of a store, call by call.  `StoreMachine` runs sequences of
writes, reads, clock jumps, faults and restarts, and compares each response with that of a service
that reads what was written.

Invariant *store failures are errors*: if a call raises, the response is exactly 503, without any
detail of the exception; the next request is handled as if nothing had happened.
Invariant *atomic*: responses show one complete record that was written, or offline.
Invariant *durable*: after a 200 they show that record, until its deadline or the next write.
Invariant *unknown outcome*: after a write that raised they show the old record or the new one, and
do not alternate.
Invariant *never longer*: no response has a later deadline than that of the write.
Invariant *one call*: a read calls the store once and a write calls it once; a rejected one does
not.
"""

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack
from functools import partial
from typing import Any, ClassVar, Final, Literal, TypeVar

import attrs
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from devicestatus import limits
from devicestatus.conformance import event, gap, snapshot, window
from devicestatus.service import Service
from devicestatus.settings import Settings
from devicestatus.store_contract import StoreFactory, describe, settled
from status_contracts.adapters.clocks import system_clock
from status_contracts.exchange import (
    Body,
    Effect,
    ReadBody,
    ReadStore,
    Stored,
    WriteStore,
    drive_async,
)
from status_contracts.instants import (
    DAY_MS,
    LAST_INSTANT,
    SECOND_MS,
    format_instant,
    parse_millisecond,
)
from status_contracts.messages import Request, Response

__all__ = ["StoreMachine"]

T = TypeVar("T")
_Kind = Literal["get", "put"]
_Plain = dict[str, Any]

_TOKEN: Final = "t" * limits.TOKEN_LENGTH_MIN
_START: Final = parse_millisecond("2100-03-01T00:00:00.000Z")  # nothing expires while tests run
_DETAIL: Final = "secret detail"
_PATHS: Final = (
    *("/api/now", "/now", "/api/timeline", "/api/music", "/api/apps/active"),
    *("/api/apps/running", "/api/device", "/api/badge.svg"),
)
_READERS: Final = 2
_OK: Final = 200
_KINDS: Final[tuple["_Kind", ...]] = ("get", "put")
_UNAVAILABLE: Final = {"error": "service_unavailable"}

_ERRORS: Final = (OSError, TimeoutError, ConnectionError, KeyError, MemoryError, RuntimeError)
_FOREIGN: Final = ("text", 7, True, ["now"], {"now": b""}, memoryview(b"{}"), bytearray(b"{}"))
_STEPS_MS: Final = (
    *(1, 999, 30_000, 59_999, 60_000, 119_999, 120_001, 180_000, 3_600_000, DAY_MS),
    *(limits.PLAYBACK_DELAY_MS - 1, limits.PLAYBACK_DELAY_MS, limits.WINDOW_LIFETIME_MS),
    *(-1, -1000, -60_000, -limits.PLAYBACK_DELAY_MS, -3_600_000, -DAY_MS),
)
_INSTANTS: Final = (
    _START,
    parse_millisecond("2000-02-29T23:59:59.999Z"),
    0,  # at the epoch the service's clock is invalid
    1,
    DAY_MS,
    LAST_INSTANT - 60_000,
    LAST_INSTANT,
)
_SLOW_MS: Final = (1, 5_000, 60_000, 600_000)
_POLICIES: Final = (None, "eco", "realtime", 60, 61, 3600)
_COUNTS: Final = (None, 0, 1, limits.RUNNING_APPS)
_SPANS_MS: Final = (900_000, 899_999, 600_000, 60_000, 1, 0)
_OFFSETS_MS: Final = (-60_000, -1, 0, 1, 60_000)  # relative to the projected instant
_LAGS_MS: Final = (0, 1, 29_999, 30_000)
_SKEWS_MS: Final = (0, 1, -1, 119_999, 120_000, -120_000)


@attrs.frozen
class _Version:
    """A record that was written: its body, stored bytes, and when the store may drop it (ms)."""

    body: _Plain
    value: bytes
    expires_at: int


@attrs.frozen
class _Fault:
    """The fault of one call of the store: an error, a delay, or another value that is read.

    With `after_work` the error is raised after the work is done: the outcome is unknown.
    """

    error: Exception | None = None
    after_work: bool = False
    delay_ms: int = 0
    corrupt: Callable[[bytes | None], object] | None = None
    older: _Version | None = None


@attrs.frozen
class _Call:
    """A call that was made, with the value to write, or the one that the store returned."""

    kind: _Kind
    fault: _Fault
    value: bytes | None
    expires_at: int = 0


class StoreMachine(StoreFactory, RuleBasedStateMachine):
    """State machine over the store that a subclass makes."""

    eventual: ClassVar[bool] = False
    """Whether a read may return any complete record that was ever written, or none."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._now = _START
        self._number = 0
        self._steps = 0
        self._policy: int | str | None = None
        self._versions: list[_Version] = []
        self._possible: list[_Version | None] = [None]
        """Records that a read may return; more than one after a write with unknown outcome."""
        self._services: list[Service] = []
        self._calls: list[_Call] = []
        self._planned: dict[_Kind, deque[_Fault]] = {"get": deque(), "put": deque()}
        self._has_dropped = False
        with ExitStack() as undo:
            undo.callback(self._runner.close)
            self._store = self._run(self.make_store)
            undo.pop_all()

    def teardown(self) -> None:
        """Close the last store."""
        try:
            self._run(partial(self.close_store, self._store))
        finally:
            self._runner.close()

    # Services and readers

    @initialize(policy=st.sampled_from(_POLICIES))
    def deploy(self, policy: int | str | None) -> None:
        """Start all services with the same settings."""
        self._policy = policy
        self._services = [self._service() for _ in range(_READERS)]

    def _service(self) -> Service:
        return Service(Settings(_TOKEN, self._policy), has_store=True, has_assets=False)

    @rule(policy=st.sampled_from(_POLICIES))
    def restart(self, policy: int | str | None) -> None:
        """Restart the services with another lifetime; a durable store is opened again."""
        if self.durable:
            self._run(partial(self.close_store, self._store))
            self._store = self._run(partial(self.reopen, self._store))
        self.deploy(policy)

    @invariant()
    def responses_match_the_model(self) -> None:
        """Request one path after the other from one service after the other."""
        self._steps += 1
        self._read(self._services[self._steps % _READERS], _PATHS[self._steps * 3 % len(_PATHS)])

    @rule()
    def read_everything(self) -> None:
        """Request every path from each service."""
        for service in self._services:
            for path in _PATHS:
                self._read(service, path)

    # Writers

    @rule(apps=st.sampled_from(_COUNTS), skew=st.sampled_from(_SKEWS_MS))
    def update(self, apps: int | None, skew: int) -> None:
        """Upload a snapshot."""
        self._number += 1
        self._write("/api/update", _snapshot(self._number, self._own_time(skew), apps))

    @rule(
        span=st.sampled_from(_SPANS_MS),
        lag=st.sampled_from(_LAGS_MS),
        skew=st.sampled_from(_SKEWS_MS),
        events=st.sets(st.sampled_from(_OFFSETS_MS)),
        gaps=st.sets(st.sampled_from(_OFFSETS_MS)),
    )
    def batch(self, span: int, lag: int, skew: int, events: set[int], gaps: set[int]) -> None:
        """Upload a window with events and gaps around the projected instant."""
        self._number += 1
        generated = self._own_time(skew)
        end = generated - lag
        played = self._now - limits.PLAYBACK_DELAY_MS
        body = _window(
            self._number,
            (end - span, end, generated),
            [played + offset for offset in sorted(events)],
            [played + offset for offset in sorted(gaps)],
        )
        self._write("/api/batch", body)

    @precondition(lambda self: self._versions)
    @rule(back=st.integers(0, 3))
    def upload_again(self, back: int) -> None:
        """Repeat an upload: it is accepted while its own times are valid, and never extends."""
        written = self._versions[-1 - back % len(self._versions)]
        is_window = "window_end" in written.body
        path = "/api/batch" if is_window else "/api/update"
        own = "generated_at" if is_window else "collected_at"
        off = abs(parse_millisecond(written.body[own]) - self._now)
        if off <= limits.CLOCK_SKEW_MS or not self._has_usable_clock():
            self._write(path, written.body)
        else:
            self._refuse("POST", path, 400, _encode(written.body))

    @precondition(lambda self: self._has_usable_clock())
    @rule(
        path=st.sampled_from(("/api/update", "/api/batch")),
        case=st.sampled_from((("{", 400), ("{}", 400), ("", 400), (" " * 600_000, 413))),
    )
    def upload_invalid(self, path: str, case: tuple[str, int]) -> None:
        """Upload an invalid body."""
        self._refuse("POST", path, case[1], case[0].encode())

    @rule()
    def request_without_store(self) -> None:
        """Send requests that must not call the store: no token, preflight, wrong method, health."""
        self._refuse("POST", "/api/update", 401, b"{}", token="x" * len(_TOKEN))
        self._refuse("OPTIONS", "/api/now", 204)
        self._refuse("HEAD", "/api/now", 405)
        self._refuse("GET", "/api/update", 405)
        self._refuse("GET", "/api/health", _OK)

    # Faults

    @rule(
        kind=st.sampled_from(_KINDS),
        error=st.sampled_from(_ERRORS),
        when=st.sampled_from(("before", "after")),
        calls=st.integers(0, 3),
    )
    def fail(self, kind: _Kind, error: type[Exception], when: str, calls: int) -> None:
        """Let a later call raise, before its work or after it."""
        self._inject(kind, _Fault(error(_DETAIL), after_work=when == "after"), after=calls)

    @rule(kind=st.sampled_from(_KINDS), delay_ms=st.sampled_from(_SLOW_MS))
    def be_slow(self, kind: _Kind, delay_ms: int) -> None:
        """Delay the next call."""
        self._inject(kind, _Fault(delay_ms=delay_ms))

    @precondition(lambda self: self._versions)
    @rule(back=st.integers(0, 3))
    def return_older_value(self, back: int) -> None:
        """Let the next read return an older value, as a late replica does."""
        self._inject("get", _Fault(older=self._versions[-1 - back % len(self._versions)]))

    @rule(share=st.floats(0, 1, exclude_max=True))
    def truncate(self, share: float) -> None:
        """Let the next read return a truncated value."""
        cut = _Fault(corrupt=lambda value: value and value[: int(share * len(value))])
        self._inject("get", cut)

    @rule(value=st.sampled_from(_FOREIGN))
    def return_foreign_value(self, value: object) -> None:
        """Let the next read return a value of a wrong type."""
        self._inject("get", _Fault(corrupt=lambda _value: value))

    @rule()
    def drop(self) -> None:
        """Let the store drop its value, as one with its own clock may do."""
        self._has_dropped = True
        self._possible = [None]

    def _inject(self, kind: _Kind, fault: _Fault, *, after: int = 0) -> None:
        """Plan a fault for the next call of a kind, or for the one `after` that many others."""
        planned = self._planned[kind]
        planned.extend([_Fault()] * (after + 1 - len(planned)))
        planned[after] = fault

    # Time

    @rule(step=st.sampled_from(_STEPS_MS) | st.integers(-2_000_000, 2_000_000))
    def jump(self, step: int) -> None:
        """Move the clock forwards or backwards."""
        self._now = min(max(self._now + step, 0), LAST_INSTANT)

    @rule(instant=st.sampled_from(_INSTANTS))
    def set_clock(self, instant: int) -> None:
        """Set the clock to a distant time."""
        self._now = instant

    @precondition(lambda self: self._versions)
    @rule(off=st.sampled_from((-1, 0, 1)), seconds=st.sampled_from((-600, -180, 0)))
    def jump_to_deadline(self, off: int, seconds: int) -> None:
        """Set the clock to about the start or end of the last record's validity."""
        last = self._versions[-1]
        self._now = max(last.expires_at + seconds * SECOND_MS + off, 0)

    # Checks

    def _read(self, service: Service, path: str) -> None:
        response = self._send("GET", path, service=service)
        self._require_calls(("get",))
        call = self._calls[-1]
        if call.fault.error is not None or not self._has_usable_clock():
            self._require_unavailable(response)
            return
        assert response.status == _OK, f"GET {path} returned {response.status}"
        if call.fault.older is not None:
            self._check_shown(response, path, [call.fault.older])
        elif call.fault.corrupt is not None:
            self._check_shown(response, path, [None])
        else:
            matching = self._check_shown(response, path, self._allowed(call.value))
            if not self.eventual:  # a value that was read once is the stored one
                self._possible = matching

    def _allowed(self, value: bytes | None) -> list[_Version | None]:
        """Return the records that a read may show."""
        if self.eventual:
            return [None, *self._versions]
        if value is None:  # a store may drop expired values by the system clock
            wall = system_clock()
            if any(record and record.expires_at <= wall for record in self._possible):
                return [*self._possible, None]
        return self._possible

    def _check_shown(
        self, response: Response, path: str, allowed: Iterable[_Version | None]
    ) -> list[_Version | None]:
        """Check that the response shows one of the records; return those that it matches."""
        matching = [one for one in allowed if self._body_of(path, one) == response.body]
        assert matching, f"GET {path} returned another state: {describe(response.body)}"
        return matching

    def _body_of(self, path: str, version: _Version | None) -> bytes:
        """Return what a service responds that reads a record now."""

        async def perform(_: Effect) -> object:
            return Stored(None if version is None else version.value, self._now)

        exchange = drive_async(self._service()(Request("GET", path.encode(), ())), perform)
        return self._runner.get_loop().run_until_complete(exchange).body

    def _write(self, path: str, plain: _Plain) -> None:
        clock_is_usable = self._has_usable_clock()
        response = self._send("POST", path, _encode(plain))
        if not clock_is_usable:
            self._require_calls(())
            self._require_unavailable(response)
            return
        self._require_calls(("put",))
        call = self._calls[-1]
        written = _Version(plain, call.value or b"", call.expires_at)
        if call.fault.error is None or call.fault.after_work:
            self._versions.append(written)
        if call.fault.error is not None:
            self._require_unavailable(response)
            self._possible = [*self._possible, written]
            return
        self._possible = [written]
        assert response.status == _OK, f"POST {path} returned {response.status}"

    def _refuse(
        self, method: str, path: str, status: int, body: bytes = b"", *, token: str = _TOKEN
    ) -> None:
        """Check the status of a response that needs no store call."""
        response = self._send(method, path, body, token=token)
        assert response.status == status, f"{method} {path} returned {response.status}"
        self._require_calls(())

    def _send(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        *,
        token: str = _TOKEN,
        service: Service | None = None,
    ) -> Response:
        self._calls.clear()
        headers = (
            (b"authorization", f"Bearer {token}".encode()),
            (b"content-type", b"application/json"),
        )
        request = Request(method, path.encode(), headers)
        handler = self._services[-1] if service is None else service
        exchange = drive_async(handler(request), partial(self._perform, body))
        response = self._runner.get_loop().run_until_complete(exchange)
        assert _DETAIL.encode() not in response.body
        return response

    async def _perform(self, body: bytes, effect: Effect) -> object:
        if isinstance(effect, ReadBody):
            return Body(body if len(body) <= effect.limit else None, self._now)
        if isinstance(effect, ReadStore):
            return Stored(await self._get(effect.key), self._now)
        if isinstance(effect, WriteStore):
            await self._put(effect)
            return None
        raise AssertionError(f"{type(effect).__name__} was requested")

    async def _get(self, key: str) -> object:
        """Return the value of the store, or what the planned fault makes of it."""
        value = await settled(partial(self._store.get, key))
        fault = self._begin("get", None if self._has_dropped else value)
        self._end(fault)
        if fault.older is not None:
            return fault.older.value
        value = self._calls[-1].value
        return value if fault.corrupt is None else fault.corrupt(value)

    async def _put(self, effect: WriteStore) -> None:
        """Write to the store, unless the planned fault is to fail before."""
        fault = self._begin("put", effect.value, effect.expires_at)
        if fault.error is None or fault.after_work:
            write = partial(self._store.put, effect.key, effect.value)
            await settled(partial(write, expires_at_ms=effect.expires_at))
            self._has_dropped = False
        self._end(fault)

    def _begin(self, kind: _Kind, value: bytes | None, expires_at: int = 0) -> _Fault:
        planned = self._planned[kind]
        fault = planned.popleft() if planned else _Fault()
        self._calls.append(_Call(kind, fault, value, expires_at))
        return fault

    def _end(self, fault: _Fault) -> None:
        self._now = min(self._now + fault.delay_ms, LAST_INSTANT)
        if fault.error is not None:
            raise fault.error

    def _require_calls(self, expected: tuple[str, ...]) -> None:
        assert tuple(call.kind for call in self._calls) == expected

    def _require_unavailable(self, response: Response) -> None:
        assert (response.status, json.loads(response.body)) == (503, _UNAVAILABLE)

    def _own_time(self, skew: int) -> int:
        """Return the time of a skewed device clock, at most the last instant."""
        return min(self._now + skew, LAST_INSTANT)

    def _has_usable_clock(self) -> bool:
        return 0 < self._now <= LAST_INSTANT

    def _run(self, call: Callable[[], T | Awaitable[T]]) -> T:
        return self._runner.get_loop().run_until_complete(settled(call))


def _snapshot(number: int, collected_at: int, apps: int | None = None) -> _Plain:
    """Return a snapshot with its number in some members."""
    names = [f"App {number}.{app:_<90}" for app in range(apps or 0)]
    music = {"state": "playing", "track": f"Track {number}.", "artist": f"Artist {number}."}
    body = snapshot(collected_at, active_app=f"App {number}.", running_apps=names, music=music)
    if apps is None:
        del body["running_apps"]
    return body


def _window(
    number: int, times: tuple[int, int, int], events: list[int], bounds: list[int]
) -> _Plain:
    """Return a window; events and gaps (pairs of bounds) outside of it are omitted."""
    start, end, generated = times
    inside = [at for at in events if start <= at <= end]
    bounds = [at for at in bounds if start <= at <= end]
    return window(
        start,
        end,
        batch_seq=number,
        generated_at=format_instant(generated),
        baseline=_snapshot(number, start),
        events=[
            event(seq, at, active_app=f"App {number}/{seq}.", running_apps=[])
            for seq, at in enumerate(inside, 1)
        ],
        gaps=[gap(*ends) for ends in zip(bounds[::2], bounds[1::2], strict=False)],
        dropped_events=number,
    )


def _encode(body: object) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()
