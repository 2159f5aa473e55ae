"""The contract of a store as a pytest class to inherit; needs the `testing` extra.

A store keeps bytes under keys (`status_contracts.exchange.Store` and `AsyncStore`).  To test your
own store, subclass `StoreContract` in a test module and define how to make it:

    class TestMyStore(StoreContract):
        def make_store(self) -> MyStore:
            return MyStore(...)

Each test has the name of its rule and works with blocking and async stores.  It calls the store as
a server does: blocking ones from several threads, async ones in one event loop.  The checks raise
AssertionError themselves, so they work under `python -O` and without assertion rewriting.

The contract does not check power failures, whether a failed `put` has written (both outcomes are
allowed, as long as a whole value is read), and how fast the store is.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import ClassVar, Final, Protocol, TypeVar

import pytest

from devicestatus import limits

__all__ = ["AnyStore", "StoreContract"]

T = TypeVar("T")

_KEY: Final = "now"
_KEYS: Final = ("now", "no", "nowhere")  # each the beginning of another: no store may mix them up
_LONGEST_LIFE_MS: Final = limits.TTL_MAX_SECONDS * 1000
_THREADS: Final = 8
_TASKS: Final = 50
_READERS: Final = 2
_PAUSE_SECONDS: Final = 0.02
_MARGIN_MS: Final = 200
_SHOWN: Final = 24  # bytes of a value in a message

_VALUES: Final = {
    "empty": b"",
    "one NUL": b"\0",
    "NUL inside": b"before\0after",
    "every byte": bytes(range(256)),
    "no UTF-8": b"\xff\xfe\xed\xa0\x80",
    "line ends": b"\r\n\n\r\x1a\x04",
    "white space outside": b" \t value \n",
    "digits": b"0123",
    "null": b"null",
    "UTF-8 JSON": '{"data":{"track":"♫ \\u0000 名前"}}'.encode(),
    "largest": bytes(range(256)) * (limits.RECORD_BYTES // 256),
}


class AnyStore(Protocol):
    """A blocking or async store: every `Store` and every `AsyncStore` matches."""

    def get(self, key: str) -> bytes | Awaitable[bytes | None] | None:
        """Return the value of the key, or None."""

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> Awaitable[None] | None:
        """Overwrite the value of the key; done when the write is complete."""


async def _settled(call: Callable[[], T | Awaitable[T]], pool: Executor | None = None) -> T:
    """Make a call, in a thread of the pool if there is one, and await an awaitable result."""
    loop = asyncio.get_running_loop()
    result = call() if pool is None else await loop.run_in_executor(pool, call)
    return await result if isawaitable(result) else result


def _describe(value: object) -> str:
    if not isinstance(value, bytes):
        return repr(value)
    return f"{len(value)} bytes, beginning {value[:_SHOWN]!r}"


class StoreContract:
    """Tests for every store; subclass it, define `make_store`, and pytest runs them.

    Attributes:
        durable: whether values outlive the store object and the process; if so, define `reopen`.
        settles_within_seconds: for an eventually consistent store, the time after which a read
            shows the last write; until then it may show an older one, whole, or None.

    """

    durable: ClassVar[bool] = False
    settles_within_seconds: ClassVar[float] = 0.0

    def make_store(self) -> AnyStore | Awaitable[AnyStore]:
        """Return a new empty store.  May be `async def`.

        This and the other two methods are called while the store's event loop runs.
        """
        raise NotImplementedError("define make_store")

    def reopen(self, store: AnyStore) -> AnyStore | Awaitable[AnyStore]:
        """Return a store with the data of `store`, which is closed, as after a restart.

        Called only if `durable` is set.  May be `async def`.
        """
        raise NotImplementedError("define reopen")

    def close_store(self, store: AnyStore) -> object:
        """Close the store: call its `aclose()` or `close()`, if it has one.

        May be `async def`.
        """
        close = getattr(store, "aclose", None) or getattr(store, "close", None)
        return close() if close is not None else None

    def test_a_key_never_written_is_none(self) -> None:
        """A missing key is None, not an error and not empty bytes."""
        with self._store_under_test() as store:
            store.expect(_KEY, None)

    @pytest.mark.parametrize("name", _VALUES)
    def test_a_value_comes_back_byte_for_byte(self, name: str) -> None:
        """Any bytes up to 1,048,576 come back as `bytes`, and as often as they are read."""
        with self._store_under_test() as store:
            store.put(_KEY, _VALUES[name])
            store.expect(_KEY, _VALUES[name])
            store.expect(_KEY, _VALUES[name])

    def test_an_overwrite_replaces_the_whole_value(self) -> None:
        """Nothing of an older value is left, whether the new one is shorter or longer."""
        with self._store_under_test() as store:
            for value in (b"long" * 20_000, b"short", b"", b"longer" * 30_000):
                store.put(_KEY, value)
                store.expect(_KEY, value)

    def test_keys_are_independent(self) -> None:
        """A key is exact: a write to one does not show under another."""
        with self._store_under_test() as store:
            for written in (b"first ", b"second "):
                for key in _KEYS:
                    store.put(key, written + key.encode())
                for key in _KEYS:
                    store.expect(key, written + key.encode())

    def test_a_value_stays_until_its_deadline(self) -> None:
        """A store may drop a key from its deadline on, but never before it."""
        with self._store_under_test() as store:
            settle_ms = round(self.settles_within_seconds * 1000)
            deadline = _now_ms() + 300 + settle_ms
            deadline += max(0, 250 - deadline % 1000)  # shows a store that rounds down to seconds
            store.put(_KEY, b"short-lived", expires_at_ms=deadline)
            began = written = _now_ms()
            value = store.get(_KEY)
            while (now := _now_ms()) < deadline:  # a read that ended later proves nothing
                if value != b"short-lived" and began >= written + settle_ms:
                    raise AssertionError(f"gone {deadline - now} ms before its deadline")
                time.sleep(_PAUSE_SECONDS)
                began, value = _now_ms(), store.get(_KEY)

    def test_the_same_bytes_written_again_renew_the_deadline(self) -> None:
        """Identical content is a write like any other: the later deadline counts."""
        with self._store_under_test() as store:
            # a whole second, where no store may round it up any further
            deadline = (_now_ms() + _MARGIN_MS) // 1000 * 1000 + 1000
            store.put(_KEY, b"the same", expires_at_ms=deadline)
            store.put(_KEY, b"the same")
            time.sleep(max(0, deadline + _MARGIN_MS - _now_ms()) / 1000)
            store.expect(_KEY, b"the same")

    def test_an_expired_overwrite_does_not_bring_the_old_value_back(self) -> None:
        """A value whose deadline has passed may be gone at once; the one before it stays gone."""
        with self._store_under_test() as store:
            store.put(_KEY, b"old")
            store.put(_KEY, b"new", expires_at_ms=_now_ms() - 10_000)
            store.expect(_KEY, b"new", None)

    def test_writers_at_once_leave_one_whole_value(self) -> None:
        """No write fails because of another, and every read is one whole value of some writer.

        When all are done, the value is the last one of some writer.
        """
        with self._store_under_test() as store:
            scripts = store.scripts()
            store.put(_KEY, scripts[0][0])
            store.expect(_KEY, scripts[0][0])
            known = {value for script in scripts for value in script}
            seen: set[bytes | None] = store.run(partial(store.race, _KEY, scripts))
            strange = seen - known
            if strange:
                raise AssertionError(f"read {_describe(strange.pop())}, which nobody wrote")
            store.expect(_KEY, *(script[-1] for script in scripts))

    def test_values_outlive_the_store(self) -> None:
        """Check that a value that `put` acknowledged is there after the store is opened again."""
        if not self.durable:
            pytest.skip("the store is not durable")
        with self._store_under_test() as store:
            store.put("now", b"first")
            store.put("now", _VALUES["every byte"])
            store.put("nowhere", _VALUES["largest"])
            store.reopen()
            store.expect("now", _VALUES["every byte"])
            store.expect("nowhere", _VALUES["largest"])
            store.expect("no", None)

    @contextmanager
    def _store_under_test(self) -> Iterator["_StoreUnderTest"]:
        with asyncio.Runner() as runner:
            store = _StoreUnderTest(self, runner)
            try:
                yield store
            finally:
                store.close()


class _StoreUnderTest:
    """One store under test, with the same calls for blocking and async stores."""

    def __init__(self, contract: StoreContract, runner: asyncio.Runner) -> None:
        self._contract = contract
        self._runner = runner
        self._store: AnyStore = self.run(contract.make_store)

    def get(self, key: str) -> bytes | None:
        value = self.run(partial(self._store.get, key))
        if value is not None and type(value) is not bytes:
            raise AssertionError(f"get returned {type(value).__name__}, not bytes")
        return value

    def put(self, key: str, value: bytes, *, expires_at_ms: int | None = None) -> None:
        self.run(partial(self._put, key, value, expires_at_ms))

    def expect(self, key: str, *allowed: bytes | None) -> None:
        """Check that the key has one of the values, at the latest when the store has settled."""
        settled_at = time.monotonic() + self._contract.settles_within_seconds
        settled = False
        while not settled:
            settled = time.monotonic() >= settled_at
            value = self.get(key)
            if value in allowed:
                return
            time.sleep(_PAUSE_SECONDS)
        wanted = " or ".join(sorted({_describe(value) for value in allowed}))
        raise AssertionError(f"read {_describe(value)}, not {wanted}")

    def scripts(self) -> list[list[bytes]]:
        """Return the values that each writer writes, in order, all different."""
        writers, rounds = (_TASKS, 2) if self._is_async() else (_THREADS, 6)
        return [[_marked(writer, number) for number in range(rounds)] for writer in range(writers)]

    def reopen(self) -> None:
        self.close()
        self._store = self.run(partial(self._contract.reopen, self._store))

    def close(self) -> None:
        self.run(partial(self._contract.close_store, self._store))

    def run(self, call: Callable[[], T | Awaitable[T]]) -> T:
        return self._runner.run(_settled(call))

    def _is_async(self) -> bool:
        return iscoroutinefunction(self._store.get)

    def _put(
        self, key: str, value: bytes, expires_at_ms: int | None = None
    ) -> Awaitable[None] | None:
        deadline = _now_ms() + _LONGEST_LIFE_MS if expires_at_ms is None else expires_at_ms
        return self._store.put(key, value, expires_at_ms=deadline)

    async def race(self, key: str, scripts: Sequence[Sequence[bytes]]) -> set[bytes | None]:
        """Run all writers and some readers concurrently; return the values read."""
        writing = len(scripts)
        seen: set[bytes | None] = set()
        with ThreadPoolExecutor(writing + _READERS) as threads:
            pool = None if self._is_async() else threads

            async def write(values: Sequence[bytes]) -> None:
                nonlocal writing
                try:
                    for value in values:
                        await _settled(partial(self._put, key, value), pool)
                finally:
                    writing -= 1

            async def read() -> None:
                while writing:
                    seen.add(await _settled(partial(self._store.get, key), pool))
                    await asyncio.sleep(0)  # a store that never waits must not starve the writers

            work = [*map(write, scripts), *(read() for _ in range(_READERS))]
            for fault in await asyncio.gather(*work, return_exceptions=True):
                if fault is not None:
                    raise fault
        return seen


def _marked(writer: int, number: int) -> bytes:
    """Build a value of up to 36 KiB that contains its writer and number throughout."""
    return b"%03d/%03d " % (writer, number) * (1 + (writer * 769 + number * 1543) % 4096)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
