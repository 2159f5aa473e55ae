"""Every call of the store fails once, in every way: 503 then and there, and nothing else changes.

The loops need no list of calls: they let the first call of a sequence of requests fail, then the
second, and so on until a sequence passes without a fault.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterator

import pytest
import redis

from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.sqlite import UnusableDatabase
from devicestatus.testing.stores import AnyStore
from support.devicestatus.examples import NOON, body, snapshot, window
from support.devicestatus.service_client import (
    OFFLINE,
    STATUS_PATHS,
    UNAVAILABLE,
    WRITE_PATHS,
    ServiceClient,
    day,
    numbered,
)
from support.servers.servers import Answer

SECRET = "detail of the platform\nwith a second line"


class UnusualError(Exception):
    """An exception that no code handles by name."""


FAULTS = (
    OSError(28, SECRET),
    TimeoutError(SECRET),
    ConnectionResetError(SECRET),
    KeyError(SECRET),
    ValueError(SECRET),
    MemoryError(SECRET),
    RecursionError(SECRET),
    StopIteration(SECRET),
    StopAsyncIteration(SECRET),
    UnicodeDecodeError("utf-8", b"x", 0, 1, SECRET),
    sqlite3.OperationalError(SECRET),
    UnusableDatabase(SECRET),
    redis.ResponseError(SECRET),
    redis.OutOfMemoryError(SECRET),
    ExceptionGroup(SECRET, [OSError(SECRET)]),
    UnusualError(SECRET),
)
EXITS = (KeyboardInterrupt(SECRET), SystemExit(3), GeneratorExit(SECRET))


class FailsOnce:
    """A store before another one, of which the n-th call raises, before its work or after it."""

    def __init__(self, inner: AnyStore, nth: int, fault: BaseException, *, done: bool) -> None:
        self.inner = inner
        self.left = nth
        self.fault = fault
        self.done = done

    @property
    def has_failed(self) -> bool:
        return self.left <= 0

    def fail_again(self) -> None:
        self.left = 1

    def get(self, key: str) -> bytes | None:
        self.left -= 1
        if self.left == 0:
            raise self.fault
        value = self.inner.get(key)
        assert value is None or isinstance(value, bytes)
        return value

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.left -= 1
        if self.left != 0 or self.done:
            self.inner.put(key, value, expires_at_ms=expires_at_ms)
        if self.left == 0:
            raise self.fault


class FailsOnceInTheLoop(FailsOnce):
    """One that the ASGI application calls without a worker thread."""

    nonblocking = True


class AwaitablyFailsOnce:
    """The same with awaitable calls, before a blocking store."""

    def __init__(self, inner: AnyStore, nth: int, fault: BaseException, *, done: bool) -> None:
        self.blocking = FailsOnce(inner, nth, fault, done=done)

    @property
    def has_failed(self) -> bool:
        return self.blocking.has_failed

    def fail_again(self) -> None:
        self.blocking.fail_again()

    async def get(self, key: str) -> bytes | None:
        await asyncio.sleep(0)
        return self.blocking.get(key)

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        await asyncio.sleep(0)
        self.blocking.put(key, value, expires_at_ms=expires_at_ms)


Failing = type[FailsOnce] | type[AwaitablyFailsOnce]
Sequence = list[tuple[str, str, bytes]]


def reported(client: ServiceClient, sequence: Sequence) -> list[Answer]:
    return [client.ask(*request) for request in sequence]


def check_sequence(
    make: Callable[[], AnyStore], kind: str, failing: Failing, fault: Exception, *, done: bool
) -> int:
    """Let each call of the day fail in turn; return how many there were."""
    sequence = day()
    smooth = reported(ServiceClient(make(), kind), sequence)
    calls = [place for place, request in enumerate(sequence) if needs_store(request, smooth[place])]
    for nth in range(1, len(calls) + 2):
        store = failing(make(), nth, fault, done=done)
        answers = reported(ServiceClient(store, kind), sequence)
        if not store.has_failed:
            assert answers == smooth
            return nth - 1
        at = calls[nth - 1]
        assert (answers[at].status, answers[at].body) == (503, UNAVAILABLE)
        assert answers[at].header("cache-control") == "no-store, max-age=0"
        expected = smooth
        if not done:  # as if the request had not been sent
            expected = reported(ServiceClient(make(), kind), [*sequence[:at], *sequence[at + 1 :]])
            expected.insert(at, answers[at])
        assert answers[:at] == expected[:at]
        assert answers[at + 1 :] == expected[at + 1 :]
    pytest.fail("the sequence does not end")


def needs_store(request: tuple[str, str, bytes], answer: Answer) -> bool:
    return request[1] in STATUS_PATHS or (request[0] == "POST" and answer.status == 200)


class TestTheNthCall:
    @pytest.mark.parametrize(
        ("kind", "failing", "done"),
        [
            ("asgi", FailsOnceInTheLoop, False),
            ("asgi", AwaitablyFailsOnce, True),
            ("asgi", AwaitablyFailsOnce, False),
            ("wsgi", FailsOnce, True),
        ],
    )
    def test_of_a_store_in_memory(self, kind: str, failing: Failing, done: bool) -> None:
        assert check_sequence(MemoryStore, kind, failing, OSError(SECRET), done=done) == 19


class TestAnyFault:
    @pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
    @pytest.mark.parametrize(
        ("kind", "failing"),
        [("asgi", FailsOnce), ("asgi", AwaitablyFailsOnce), ("wsgi", FailsOnce)],
    )
    def test_on_any_path_is_503_and_one_line_of_log(
        self,
        kind: str,
        failing: Failing,
        fault: Exception,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        store = failing(MemoryStore(), 1, fault, done=False)
        client = ServiceClient(store, kind)
        for method, path, content in requests():
            caplog.clear()
            store.fail_again()
            with caplog.at_level(logging.DEBUG):
                answer = client.ask(method, path, content)
            assert (answer.status, answer.body) == (503, UNAVAILABLE)
            assert SECRET not in repr(answer.headers)
            lines = [record for record in caplog.records if record.name == "purewire"]
            assert [record.levelname for record in lines] == ["ERROR"]
            assert all("detail" not in record.getMessage() for record in caplog.records)
            assert all(record.exc_info is None for record in lines)
            again = client.ask(method, path, content)
            assert again.status == 200

    @pytest.mark.parametrize("fault", EXITS, ids=lambda fault: type(fault).__name__)
    @pytest.mark.parametrize("kind", ["asgi", "wsgi"])
    def test_one_that_ends_the_process_propagates(self, kind: str, fault: BaseException) -> None:
        for method, path, content in requests():
            client = ServiceClient(FailsOnceInTheLoop(MemoryStore(), 1, fault, done=False), kind)
            with pytest.raises(type(fault)):
                client.ask(method, path, content)
            assert client.ask(method, path, content).status == 200

    def test_one_that_cancels_the_request_propagates(self) -> None:
        for method, path, content in requests():
            fault = asyncio.CancelledError(SECRET)
            client = ServiceClient(AwaitablyFailsOnce(MemoryStore(), 1, fault, done=False))
            with pytest.raises(asyncio.CancelledError):
                client.ask(method, path, content)
            assert client.ask(method, path, content).status == 200


def requests() -> Iterator[tuple[str, str, bytes]]:
    """Return one request for each path that needs the store."""
    yield from (("GET", path, b"") for path in STATUS_PATHS)
    batch = body(window(window_end=NOON + 60_000))
    contents = {"/api/batch": batch}
    yield from (("POST", path, contents.get(path, body(snapshot()))) for path in WRITE_PATHS)


class TestValuesThatAreNotBytes:
    """What a store gives that is not bytes is no record, and no fault either."""

    def test_that_equal_bytes_are_not_remembered_as_those(self) -> None:
        """A kind of bytes that is refused may come before the same bytes that are a record."""

        class Branded(bytes):
            pass

        class Both(MemoryStore):
            def get(self, key: str) -> bytes | None:
                value = super().get(key)
                turns.append(value)
                return value if len(turns) % 2 or value is None else Branded(value)

        turns: list[bytes | None] = []
        client = ServiceClient(Both())
        client.post("/api/update", numbered(1, NOON))
        verdicts = [client.get("/api/now").body == OFFLINE for _ in range(6)]
        assert verdicts == [False, True, False, True, False, True]
