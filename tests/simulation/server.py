"""The service in several places: the real `Service`, its effects performed in virtual time.

Each place has its own process, with a clock that is off by up to a second, and all share one store.
An exchange is a generator of effects, so requests interleave: a body takes time to arrive, a store
takes time to answer, and meanwhile other requests go on.
"""

import json
import re
from collections.abc import Callable
from email.utils import formatdate
from random import Random
from typing import Any, Final

import attrs

from devicestatus import Settings, limits
from devicestatus.music_urls import ITUNES
from devicestatus.record import WindowRecord, decode_record
from devicestatus.service import Service
from simulation import invariants
from simulation.context import Context
from simulation.kvstore import EventualStore, StoreFault
from status_contracts.exchange import (
    Body,
    Effect,
    EffectFailed,
    Exchange,
    ReadBody,
    ReadStore,
    Stored,
    WriteStore,
)
from status_contracts.instants import SECOND_MS, parse_millisecond
from status_contracts.messages import Request, Response
from support.devicestatus.examples import TOKEN
from support.devicestatus.fake_server import check_answer

_STORE_MS: Final = (2, 60)
_BODY_MS: Final = (1, 400)
_IDENTITY: Final = re.compile(
    rb'"session_id":"([0-9a-f-]{36})","batch_seq":([0-9]+),"generated_at":"([^"]{24})",'
    rb'"window_start":"([^"]{24})","window_end":"([^"]{24})"'
)
_RECEIVED: Final = re.compile(rb'"updated_at":"([^"]{24})"')
_DEADLINE: Final = re.compile(rb'"expires_at":"([^"]{24})"')


@attrs.frozen
class Identity:
    """Which window a text holds; instants in ms since the epoch."""

    session_id: str
    batch_seq: int
    window_start: int
    window_end: int

    def __str__(self) -> str:
        return f"{self.session_id[:8]}/{self.batch_seq}"


def identity_of(text: bytes) -> Identity | None:
    """Return which window a body, a record or a response contains, without the code under test."""
    found = _IDENTITY.search(text)
    if found is None:
        return None
    session, number, _, start, end = (each.decode() for each in found.groups())
    return Identity(session, int(number), parse_millisecond(start), parse_millisecond(end))


def updated_at_of(answer: bytes) -> int | None:
    """Return when the service had received the content of a response."""
    found = _RECEIVED.search(answer)
    return None if found is None else parse_millisecond(found[1].decode())


@attrs.frozen
class SentResponse:
    """A response with the Date header of the front end."""

    response: Response
    date: str


@attrs.define
class Registry:
    """What all places have promised.

    Attributes:
        deadlines: of each window that was written, by its name.
        private: what must never be in anything that goes in or out.

    """

    deadlines: dict[str, int] = attrs.field(factory=dict)
    private: tuple[bytes, ...] = ()


@attrs.define
class _Call:
    """One exchange under way."""

    request: Request
    body: bytes
    exchange: Exchange
    reply: Callable[[SentResponse], object]
    stored: object = None
    store_failed: bool = False


class Server:
    """One place of the service."""

    def __init__(
        self, place: int, context: Context, random: Random, store: EventualStore, registry: Registry
    ) -> None:
        self.skew = random.randrange(-invariants.SKEW_MS, invariants.SKEW_MS + 1)
        self.is_locked = False
        self._place = place
        self._context = context
        self._calendar = context.calendar
        self._random = random
        self._store = store
        self._registry = registry
        self._service = Service(Settings(TOKEN), has_store=True, has_assets=False)
        self._locked = Service(Settings(TOKEN[::-1] + "0"), has_store=True, has_assets=False)
        self._known: tuple[bytes, tuple[int, int] | None] = b"", None

    @property
    def now(self) -> int:
        """The time of this place."""
        return self._calendar.now + self.skew

    def handle(
        self, request: Request, body: bytes, reply: Callable[[SentResponse], object]
    ) -> None:
        """Begin to handle a request."""
        service = self._locked if self.is_locked else self._service
        call = _Call(request, body, service(request), reply)
        self._step(call, call.exchange.send, None)

    def _step(self, call: _Call, step: Callable[[Any], Effect], result: object) -> None:
        try:
            effect = step(result)
        except StopIteration as stop:
            self._answer(call, stop.value)
            return
        usual = _BODY_MS if isinstance(effect, ReadBody) else _STORE_MS
        self._calendar.after(self._random.randrange(*usual), lambda: self._perform(call, effect))

    def _perform(self, call: _Call, effect: Effect) -> None:
        try:
            result = self._performed(call, effect)
        except StoreFault as fault:
            call.store_failed = True
            failure = EffectFailed()
            failure.__cause__ = fault
            self._step(call, call.exchange.throw, failure)
        else:
            self._step(call, call.exchange.send, result)

    def _performed(self, call: _Call, effect: Effect) -> object:
        if isinstance(effect, ReadBody):
            return Body(call.body if len(call.body) <= effect.limit else None, self.now)
        if isinstance(effect, ReadStore):
            call.stored = self._store.read(self._place)
            return Stored(call.stored, self.now)
        assert isinstance(effect, WriteStore)
        self._check_write(effect)
        self._store.write(self._place, effect.value, effect.expires_at)
        return None

    def _check_write(self, effect: WriteStore) -> None:
        invariants.no_private_names_sent(effect.value, self._registry.private, "stored record")
        window = identity_of(effect.value)
        record = decode_record(effect.value, ITUNES)
        assert window is not None
        assert isinstance(record, WindowRecord)
        self._promise(window, record.expires_at)
        assert 0 <= effect.expires_at - record.expires_at < SECOND_MS
        self._context.note(f"place {self._place}", f"writes {window}")

    def _promise(self, window: Identity, deadline: int) -> None:
        name = f"{window} until {window.window_end}"
        invariants.deadlines_never_move(self._registry.deadlines, name, window.window_end, deadline)

    # Responses

    def _answer(self, call: _Call, response: Response) -> None:
        if response.status != 200 or call.body:
            check_answer(call.request, response)
        invariants.no_private_names_sent(response.body, self._registry.private, "answer")
        if call.request.path == b"/api/timeline":
            self._check_timeline(call, response)
        elif call.request.path == b"/api/now":
            self._check_now(call, response)
        elif call.request.path == b"/api/batch" and response.status == 200:
            self._check_receipt(call.body, response)
        if response.status != 200:
            what = f"answers {response.status} to {call.request.path.decode()}"
            self._context.note(f"place {self._place}", what)
        date = formatdate(self.now // SECOND_MS, usegmt=True)
        call.reply(SentResponse(response, date))

    def _check_timeline(self, call: _Call, response: Response) -> None:
        if call.store_failed:
            invariants.a_failing_store_is_503(response.status, response.body)
            return
        value = call.stored if isinstance(call.stored, bytes) else None
        invariants.only_a_missing_record_is_offline(
            value, self._received(value), response.body, self.now
        )
        window = identity_of(response.body)
        if window is not None:
            found = _DEADLINE.search(response.body)
            assert found is not None
            self._promise(window, parse_millisecond(found[1].decode()))

    def _check_now(self, call: _Call, response: Response) -> None:
        if call.store_failed:
            invariants.a_failing_store_is_503(response.status, response.body)
            return
        value = call.stored if isinstance(call.stored, bytes) else None
        times, window = self._received(value), identity_of(value or b"")
        at = self.now - limits.PLAYBACK_DELAY_MS
        if (
            window is None
            or times is None
            or not times[0] <= self.now < times[1]
            or not window.window_start <= at < window.window_end
        ):
            assert response.body == invariants.OFFLINE_BODY
            return
        truth = self._context.truth.of(window.session_id)
        invariants.now_shows_what_was_true(truth, at, json.loads(response.body))

    def _check_receipt(self, body: bytes, response: Response) -> None:
        window, found = identity_of(body), _DEADLINE.search(response.body)
        assert window is not None
        assert found is not None
        self._promise(window, parse_millisecond(found[1].decode()))

    def _received(self, value: bytes | None) -> tuple[int, int] | None:
        """Return when a stored window was received and its deadline; read once a value."""
        if value is None:
            return None
        if self._known[0] != value:
            found = re.match(rb'\{"received_at":([0-9]+)', value)
            window = identity_of(value)
            assert found is not None
            assert window is not None
            times = int(found[1]), window.window_end + limits.WINDOW_LIFETIME_MS
            self._known = value, times
        return self._known[1]
