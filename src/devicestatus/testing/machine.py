"""The whole service over a store, whatever happens: a state machine to inherit; needs `testing`.

`StoreContract` holds a store to its protocol, call by call.  `StoreMachine` asks for more: stories
of writes, reads, clock jumps, faults and restarts, in any order, after each step of which readers
must be told what a tiny model says.  To run it over a store of your own, say how to make one, and
give pytest the test case:

    class MyStoreMachine(StoreMachine):
        def make_store(self) -> MyStore:
            return MyStore(...)

    TestMyStore = MyStoreMachine.TestCase

What happens in a story: snapshots and windows are uploaded, repeated late, and refused; two
services read, of which one was there first; the store raises before or after its work, now or in
some calls, is slow, drops what it holds, gives torn and foreign values, older ones too; the clock
jumps both ways, to leap days and to the ends of time; the lifetime is configured anew; and the
store is closed and opened again, where it says that it is durable.

Invariant *a fault is no state*: a call that raised is answered 503, exactly so and without a word
of the fault; the next request is answered as if nothing had been.
Invariant *whole or not at all*: readers are told one whole record that somebody wrote, or offline.
Invariant *acknowledged stays*: after a 200 they are told that record, until its deadline or the
next write.
Invariant *unknown is either*: after a write that raised they are told the old record or the new
one, and stay with it.
Invariant *never longer*: no answer tells a later deadline than the write did.
Invariant *one call*: a read calls the store once and a write calls it once; a refused one does not.

The store is called in one event loop, blocking ones too, and holds records of the year 2100 and of
any other.  The checks raise on their own, so they work under `python -O`.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack
from functools import partial
from inspect import isawaitable
from typing import Any, ClassVar, Final, TypeVar

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
from devicestatus.http.service import Service
from devicestatus.models.snapshot import Battery, Music, Snapshot, System
from devicestatus.models.window import Window, WindowChanges, WindowEvent, WindowGap
from devicestatus.settings import Settings
from devicestatus.testing.fault_injection import Kind, Trouble, TroubledStore
from devicestatus.testing.oracle import JSON_PATHS, Written, told
from devicestatus.testing.stores import AnyStore
from purewire.absent import ABSENT, Absent
from purewire.exchange.drivers import drive_async
from purewire.exchange.effects import Body, Effect, ReadBody, ReadStore, Stored, WriteStore
from purewire.http.messages import Request, Response
from purewire.instants import DAY_MS, LAST_INSTANT, SECOND_MS, format_instant, parse_millisecond
from purewire.structuring.to_builtins import to_plain

__all__ = ["StoreMachine"]

T = TypeVar("T")

_TOKEN: Final = "t" * limits.TOKEN_LENGTH_MIN
_START: Final = parse_millisecond("2100-03-01T00:00:00.000Z")  # nothing expires while it is tested
_DETAIL: Final = "detail that nobody may see"
_BADGE: Final = "/api/badge.svg"
_PATHS: Final = (*JSON_PATHS, _BADGE)
_READERS: Final = 2
_OK: Final = 200
_KINDS: Final[tuple[Kind, ...]] = ("get", "put")
_UNAVAILABLE: Final = {"error": "service_unavailable"}

_ERRORS: Final = (OSError, TimeoutError, ConnectionError, KeyError, MemoryError, RuntimeError)
_FOREIGN: Final = ("text", 7, True, ["now"], {"now": b""}, memoryview(b"{}"), bytearray(b"{}"))
_STEPS_MS: Final = (
    *(1, 999, 30_000, 59_999, 60_000, 119_999, 120_001, 180_000, 419_999, 420_000, 600_000),
    *(3_600_000, DAY_MS, -1, -1000, -60_000, -420_000, -3_600_000, -DAY_MS),
)
_MOMENTS: Final = (
    _START,
    parse_millisecond("2000-02-29T23:59:59.999Z"),
    0,  # at the epoch no service has a usable clock
    1,
    DAY_MS,
    LAST_INSTANT - 60_000,
    LAST_INSTANT,
)
_SLOW_MS: Final = (1, 5_000, 60_000, 600_000)
_POLICIES: Final = (None, "eco", "realtime", 60, 61, 3600)
_COUNTS: Final = (ABSENT, 0, 1, limits.RUNNING_APPS)
_SPANS_MS: Final = (900_000, 899_999, 600_000, 60_000, 1, 0)
_PLACES_MS: Final = (-60_000, -1, 0, 1, 60_000)  # from the moment that is played
_LAGS_MS: Final = (0, 1, 29_999, 30_000)
_SKEWS_MS: Final = (0, 1, -1, 119_999, 120_000, -120_000)


@attrs.frozen
class _Version:
    """A record of the past: what was accepted, and the bytes that were written for it."""

    written: Written
    value: bytes


@attrs.frozen
class _Older:
    """Spoils a read: gives a version of the past."""

    version: _Version

    def __call__(self, _value: bytes | None) -> bytes:
        return self.version.value


class StoreMachine(RuleBasedStateMachine):
    """Stories over a store; subclass it, define `make_store`, and give pytest its `TestCase`.

    Hypothesis decides how many stories it tells and how long they are: set `TestCase.settings`, or
    load a profile.

    Attributes:
        durable: True where a value outlives the store object, or the process; then define `reopen`.
        eventual: True for an eventually consistent store: a read may show any record that was ever
            written, whole, or none.

    """

    durable: ClassVar[bool] = False
    eventual: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._now = _START
        self._number = 0
        self._steps = 0
        self._policy: int | str | None = None
        self._past: list[_Version] = []
        self._possible: list[Written | None] = [None]
        """What a read may show; more than one after a write whose outcome nobody knows."""
        self._services: list[Service] = []
        with ExitStack() as undo:
            undo.callback(self._runner.close)
            self._store = TroubledStore(self._run(self.make_store), self._pass_time)
            undo.pop_all()

    def make_store(self) -> AnyStore | Awaitable[AnyStore]:
        """Give an empty store; each call gives another one.  May be `async def`."""
        raise NotImplementedError("say how to make the store")

    def reopen(self, store: AnyStore) -> AnyStore | Awaitable[AnyStore]:
        """Give a store over the data of `store`, which is closed, as after a restart.

        Only called where `durable` is set.  May be `async def`.
        """
        raise NotImplementedError("say how to open the same data again")

    def close_store(self, store: AnyStore) -> object:
        """Let go of what the store holds: `aclose()` or `close()`, where it has one.

        May be `async def`.
        """
        close = getattr(store, "aclose", None) or getattr(store, "close", None)
        return close() if close is not None else None

    def teardown(self) -> None:
        """Let go of the last store."""
        try:
            self._run(partial(self.close_store, self._store.store))
        finally:
            self._runner.close()

    # Services and readers

    @initialize(policy=st.sampled_from(_POLICIES))
    def deploy(self, policy: int | str | None) -> None:
        """Start all services, configured alike."""
        self._policy = policy
        settings = Settings(_TOKEN, policy)
        self._services = [
            Service(settings, has_store=True, has_assets=False) for _ in range(_READERS)
        ]

    @rule(policy=st.sampled_from(_POLICIES))
    def restart(self, policy: int | str | None) -> None:
        """Start the services anew, under another lifetime; a durable store is opened again."""
        if self.durable:
            self._run(partial(self.close_store, self._store.store))
            self._store.store = self._run(partial(self.reopen, self._store.store))
        self.deploy(policy)

    @invariant()
    def readers_are_told_what_is_so(self) -> None:
        """Ask one service after the other, for one path after the other."""
        self._steps += 1
        self._look(self._services[self._steps % _READERS], _PATHS[self._steps * 3 % len(_PATHS)])

    @rule()
    def read_everything(self) -> None:
        """Ask each service for everything."""
        for service in self._services:
            for path in _PATHS:
                self._look(service, path)

    # Writers

    @rule(apps=st.sampled_from(_COUNTS), skew=st.sampled_from(_SKEWS_MS))
    def update(self, apps: int | Absent, skew: int) -> None:
        """Upload a snapshot."""
        self._number += 1
        snapshot = _snapshot(self._number, self._own_time(skew), apps)
        self._write("/api/update", to_plain(snapshot), self._now + self._ttl_ms)

    @rule(
        span=st.sampled_from(_SPANS_MS),
        lag=st.sampled_from(_LAGS_MS),
        skew=st.sampled_from(_SKEWS_MS),
        events=st.sets(st.sampled_from(_PLACES_MS)),
        gaps=st.sets(st.sampled_from(_PLACES_MS)),
    )
    def batch(self, span: int, lag: int, skew: int, events: set[int], gaps: set[int]) -> None:
        """Upload a window, with events and gaps around the moment that is played now."""
        self._number += 1
        generated = self._own_time(skew)
        end = generated - lag
        played = self._now - limits.PLAYBACK_DELAY_MS
        window = _window(
            self._number,
            (end - span, end, generated),
            [played + place for place in sorted(events)],
            [played + place for place in sorted(gaps)],
        )
        self._write("/api/batch", to_plain(window), end + limits.WINDOW_LIFETIME_MS)

    @precondition(lambda self: self._past)
    @rule(back=st.integers(0, 3))
    def upload_again(self, back: int) -> None:
        """Repeat an upload: it is accepted while its own times allow, and never lasts longer."""
        written = self._past[-1 - back % len(self._past)].written
        if written.is_window:
            path, own, deadline = "/api/batch", "generated_at", written.expires_at
        else:
            path, own, deadline = "/api/update", "collected_at", self._now + self._ttl_ms
        off = abs(parse_millisecond(written.body[own]) - self._now)
        if off <= limits.CLOCK_SKEW_MS or not self._has_usable_clock():
            self._write(path, written.body, deadline)
        else:
            self._refuse("POST", path, 400, _encode(written.body))

    @precondition(lambda self: self._has_usable_clock())
    @rule(
        path=st.sampled_from(("/api/update", "/api/batch")),
        case=st.sampled_from((("{", 400), ("{}", 400), ("", 400), (" " * 600_000, 413))),
    )
    def upload_nonsense(self, path: str, case: tuple[str, int]) -> None:
        """Upload what is refused."""
        self._refuse("POST", path, case[1], case[0].encode())

    @rule()
    def ask_for_what_needs_no_store(self) -> None:
        """Strangers, preflights, refused methods and the health check leave the store alone."""
        self._refuse("POST", "/api/update", 401, b"{}", token="x" * len(_TOKEN))
        self._refuse("OPTIONS", "/api/now", 204)
        self._refuse("HEAD", "/api/now", 405)
        self._refuse("GET", "/api/update", 405)
        self._refuse("GET", "/api/health", _OK)

    # Troubles

    @rule(
        kind=st.sampled_from(_KINDS),
        error=st.sampled_from(_ERRORS),
        when=st.sampled_from(("before", "after")),
        calls=st.integers(0, 3),
    )
    def fail(self, kind: Kind, error: type[Exception], when: str, calls: int) -> None:
        """Let a call to come raise, before its work or after it."""
        self._store.plan(kind, Trouble(error(_DETAIL), done=when == "after"), after=calls)

    @rule(kind=st.sampled_from(_KINDS), takes_ms=st.sampled_from(_SLOW_MS))
    def be_slow(self, kind: Kind, takes_ms: int) -> None:
        """Let the next call take its time."""
        self._store.plan(kind, Trouble(takes_ms=takes_ms))

    @precondition(lambda self: self._past)
    @rule(back=st.integers(0, 3))
    def show_an_older_value(self, back: int) -> None:
        """Let the next read meet a replica that is behind."""
        older = self._past[-1 - back % len(self._past)]
        self._store.plan("get", Trouble(spoil=_Older(older)))

    @rule(share=st.floats(0, 1, exclude_max=True))
    def tear(self, share: float) -> None:
        """Let the next read give the beginning of a value only."""
        self._store.plan(
            "get", Trouble(spoil=lambda value: value and value[: int(share * len(value))])
        )

    @rule(value=st.sampled_from(_FOREIGN))
    def give_something_else(self, value: object) -> None:
        """Let the next read give what no store gives."""
        self._store.plan("get", Trouble(spoil=lambda _value: value))

    @rule()
    def drop(self) -> None:
        """Let the store drop what it holds, by a clock of its own."""
        self._store.drop()
        self._possible = [None]

    # Time

    @rule(step=st.sampled_from(_STEPS_MS) | st.integers(-2_000_000, 2_000_000))
    def let_time_jump(self, step: int) -> None:
        """Let the clock jump, forwards or backwards."""
        self._now = min(max(self._now + step, 0), LAST_INSTANT)

    @rule(moment=st.sampled_from(_MOMENTS))
    def set_the_clock(self, moment: int) -> None:
        """Set the clock to another age."""
        self._now = moment

    @precondition(lambda self: self._past)
    @rule(off=st.sampled_from((-1, 0, 1)), seconds=st.sampled_from((-600, -180, 0)))
    def let_a_deadline_come(self, off: int, seconds: int) -> None:
        """Set the clock to about the instant at which the last record begins or ends to be told."""
        last = self._past[-1].written
        self._now = max(last.expires_at + seconds * SECOND_MS + off, 0)

    # How it is done

    def _look(self, service: Service, path: str) -> None:
        answer = self._send("GET", path, service=service)
        self._require_calls(("get",))
        call = self._store.calls[-1]
        if call.trouble.error is not None or not self._has_usable_clock():
            self._require_unavailable(answer)
            return
        _require(answer.status == _OK, f"GET {path} was answered {answer.status}")
        spoil = call.trouble.spoil
        if isinstance(spoil, _Older):
            self._require_told(answer, path, [spoil.version.written])
        elif spoil is not None:
            self._require_told(answer, path, [None])
        else:
            fitting = self._require_told(answer, path, self._allowed(call.value))
            if not self.eventual:  # what was seen is what there is
                self._possible = fitting

    def _allowed(self, value: bytes | None) -> list[Written | None]:
        """Give the records of which a read may tell."""
        if self.eventual:
            return [None, *(version.written for version in self._past)]
        if value is None:  # a store may drop what has expired, by the clock on the wall
            wall = time.time_ns() // 1_000_000
            gone = [each for each in self._possible if each and _whole_up(each.expires_at) <= wall]
            if gone:
                return [*self._possible, None]
        return self._possible

    def _require_told(
        self, answer: Response, path: str, allowed: Iterable[Written | None]
    ) -> list[Written | None]:
        """Require that the answer tells one of the records; give those that it may be."""
        source = "/api/now" if path == _BADGE else path
        says = _badge_says if path == _BADGE else _says
        fitting = []
        for written in allowed:
            body = told(source, written, now=self._now, ttl_seconds=self._ttl_ms // SECOND_MS)
            if says(answer.body, body):
                fitting.append(written)
        _require(bool(fitting), f"GET {path} told {_brief(answer.body)}, which is not so")
        return fitting

    def _write(self, path: str, plain: dict[str, Any], expires_at: int) -> None:
        received_at, body = self._now, _encode(plain)
        clock_is_usable = self._has_usable_clock()
        answer = self._send("POST", path, body)
        if not clock_is_usable:
            self._require_calls(())
            self._require_unavailable(answer)
            return
        self._require_calls(("put",))
        call = self._store.calls[-1]
        written = Written(plain, received_at, expires_at)
        if call.trouble.error is None or call.trouble.done:
            self._past.append(_Version(written, call.value or b""))
        if call.trouble.error is not None:
            self._require_unavailable(answer)
            self._possible = [*self._possible, written]
            return
        self._possible = [written]
        _require(answer.status == _OK, f"POST {path} was answered {answer.status}")
        _require(_says(answer.body, _accepted(written)), f"POST {path} told {_brief(answer.body)}")

    def _refuse(
        self, method: str, path: str, status: int, body: bytes = b"", *, token: str = _TOKEN
    ) -> None:
        """Require an answer that is given without the store."""
        answer = self._send(method, path, body, token=token)
        _require(answer.status == status, f"{method} {path} was answered {answer.status}")
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
        self._store.calls.clear()
        headers = (
            (b"authorization", f"Bearer {token}".encode()),
            (b"content-type", b"application/json"),
        )
        request = Request(method, path.encode(), headers)
        handler = self._services[-1] if service is None else service
        exchange = drive_async(handler(request), partial(self._perform, body))
        answer = self._runner.get_loop().run_until_complete(exchange)
        _require(_DETAIL.encode() not in answer.body, "an answer quotes a fault")
        return answer

    async def _perform(self, body: bytes, effect: Effect) -> object:
        if isinstance(effect, ReadBody):
            return Body(body if len(body) <= effect.limit else None, self._now)
        if isinstance(effect, ReadStore):
            value = await self._store.get(effect.key)
            return Stored(value, self._now)
        if isinstance(effect, WriteStore):
            await self._store.put(effect.key, effect.value, expires_at_ms=effect.expires_at)
            return None
        raise AssertionError(f"{type(effect).__name__} was asked for")

    def _require_calls(self, expected: tuple[str, ...]) -> None:
        made = tuple(call.kind for call in self._store.calls)
        _require(made == expected, f"the store was called {made}, not {expected}")

    def _require_unavailable(self, answer: Response) -> None:
        exact = (answer.status, json.loads(answer.body)) == (503, _UNAVAILABLE)
        _require(exact, f"a fault was answered {answer.status} {_brief(answer.body)}")

    @property
    def _ttl_ms(self) -> int:
        return (Settings(_TOKEN, self._policy).ttl_seconds or 0) * SECOND_MS

    def _own_time(self, skew: int) -> int:
        """Give a device's time, which is off by as much, where that time can be written."""
        return min(self._now + skew, LAST_INSTANT)

    def _has_usable_clock(self) -> bool:
        return 0 < self._now <= LAST_INSTANT

    def _pass_time(self, milliseconds: int) -> None:
        self._now = min(self._now + milliseconds, LAST_INSTANT)

    def _run(self, call: Callable[[], T | Awaitable[T]]) -> T:
        async def settled() -> T:
            result = call()
            return await result if isawaitable(result) else result

        return self._runner.get_loop().run_until_complete(settled())


def _snapshot(number: int, collected_at: int, apps: int | Absent = ABSENT) -> Snapshot:
    """Make a snapshot that shows its number everywhere; every third one plays no song."""
    song = Music("playing", f"Track {number}.", f"Artist {number}.")
    names = ABSENT if apps is ABSENT else tuple(f"App {number}.{each:_<90}" for each in range(apps))
    return Snapshot(
        collected_at,
        f"App {number}.",
        Battery(number % 101, number % 2 == 0, "battery"),
        System(number, number / 4, None),
        song if number % 3 else Music("stopped", None, None),
        names,
    )


def _window(
    number: int, times: tuple[int, int, int], events: list[int], bounds: list[int]
) -> Window:
    """Make a window of what lies inside of it: events, and gaps of which every two are bounds."""
    start, end, generated = times
    inside = [at for at in events if start <= at <= end]
    bounds = [at for at in bounds if start <= at <= end]
    return Window(
        "00000000-0000-4000-8000-000000000000",
        number,
        generated,
        start,
        end,
        _snapshot(number, start),
        tuple(WindowEvent(seq, at, _changes(number, seq)) for seq, at in enumerate(inside, 1)),
        tuple(
            WindowGap(first, last, "sleep")
            for first, last in zip(bounds[::2], bounds[1::2], strict=False)
        ),
        number,
    )


def _changes(number: int, seq: int) -> WindowChanges:
    if seq % 2:
        return WindowChanges(active_app=f"App {number}/{seq}.")
    return WindowChanges(music=Music("paused", f"Track {number}/{seq}.", None), running_apps=())


def _accepted(written: Written) -> dict[str, Any]:
    times = {"updated_at": written.received_at, "expires_at": min(written.expires_at, LAST_INSTANT)}
    return {"ok": True} | {name: format_instant(at) for name, at in times.items()}


def _says(answer: bytes, body: dict[str, Any]) -> bool:
    """Tell whether an answer is a JSON body; an offline one must be so to the byte."""
    if len(body) == 1:
        return answer == _encode(body)
    return bool(json.loads(answer) == body)


def _badge_says(answer: bytes, body: dict[str, Any]) -> bool:
    """Tell whether a badge shows the state that a body of `/api/now` tells."""
    if len(body) == 1:
        return b"offline" in answer
    music = body["music"]
    if music["state"] == "playing":
        return f"{music['track']} \N{EM DASH} {music['artist']}".encode() in answer
    return str(body["active_app"]).encode() in answer


def _encode(body: object) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def _whole_up(milliseconds: int) -> int:
    """Round up to whole seconds, as the service does before it tells a store the expiry."""
    return -(-milliseconds // SECOND_MS) * SECOND_MS


def _require(holds: bool, fault: str) -> None:  # noqa: FBT001 - it is read as a sentence
    if not holds:
        raise AssertionError(fault)


def _brief(body: bytes) -> str:
    return f"{len(body)} bytes, beginning {body[:200]!r}"
