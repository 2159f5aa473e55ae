"""The contract of a store as an inheritable pytest class; needs the `testing` extra.

A store keeps bytes under keys (`purewire.exchange.effects.Store` and `AsyncStore`).  To test one
of your own, subclass `StoreContract` in a test module and say how to make it:

    class TestMyStore(StoreContract):
        def make_store(self) -> MyStore:
            return MyStore(...)

Each test is named after the rule it holds, runs blocking and awaitable stores alike, and calls the
store as a front end does: blocking ones from several threads, awaitable ones in one event loop.
The checks raise on their own, so they work under `python -O` and without assertion rewriting.

What the contract leaves unchecked: what happens when the power fails, whether a failed `put` has
written (both outcomes are allowed, as long as a whole value is read), and how fast the store is.
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
from hypothesis import given, settings
from hypothesis import strategies as st

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
_SHOWN: Final = 16  # bytes of a value in a message

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
    """What the contract can test: every `Store` and every `AsyncStore` is one."""

    def get(self, key: str) -> bytes | Awaitable[bytes | None] | None:
        """Give the value of the key, or None."""

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> Awaitable[None] | None:
        """Overwrite the value of the key; done when the write is complete."""


class StoreContract:
    """What every store must do; subclass it, define `make_store`, and pytest runs the tests.

    Attributes:
        durable: True where a value outlives the store object, or the process; then define `reopen`.
        settles_within_seconds: for an eventually consistent store, the time after which a read
            shows the last write; until then it may show an older one, whole, or None.

    """

    durable: ClassVar[bool] = False
    settles_within_seconds: ClassVar[float] = 0.0

    def make_store(self) -> AnyStore | Awaitable[AnyStore]:
        """Give an empty store; each call gives another one.  May be `async def`.

        It is called, as the other two are, while the event loop runs that will use the store.
        """
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

    def test_a_key_never_written_is_none(self) -> None:
        """A missing key is None, not an error and not empty bytes."""
        with self._bench() as bench:
            bench.expect(_KEY, None)

    @pytest.mark.parametrize("name", _VALUES)
    def test_a_value_comes_back_byte_for_byte(self, name: str) -> None:
        """Any bytes up to 1,048,576 come back as `bytes`, and as often as they are read."""
        with self._bench() as bench:
            bench.put(_KEY, _VALUES[name])
            bench.expect(_KEY, _VALUES[name])
            bench.expect(_KEY, _VALUES[name])

    def test_an_overwrite_replaces_the_whole_value(self) -> None:
        """Nothing of an older value is left, whether the new one is shorter or longer."""
        with self._bench() as bench:
            for value in (b"long" * 20_000, b"short", b"", b"longer" * 30_000):
                bench.put(_KEY, value)
                bench.expect(_KEY, value)

    def test_keys_are_independent(self) -> None:
        """A key is exact: a write to one does not show under another."""
        with self._bench() as bench:
            for key in _KEYS:
                bench.put(key, key.encode())
            for key in _KEYS:
                bench.expect(key, key.encode())

    def test_a_store_behaves_as_a_dictionary(self) -> None:
        """After any writes, each key has the value written to it last."""

        @settings(max_examples=20, deadline=None)
        @given(st.lists(st.tuples(st.sampled_from(_KEYS), st.binary(max_size=64)), max_size=6))
        def holds(writes: list[tuple[str, bytes]]) -> None:
            with self._bench() as bench:
                model: dict[str, bytes | None] = dict.fromkeys(_KEYS)
                for key, value in writes:
                    bench.put(key, value)
                    model[key] = value
                for key, expected in model.items():
                    bench.expect(key, expected)

        holds()

    def test_a_value_stays_until_its_deadline(self) -> None:
        """A store may drop a key from its deadline on, but never before it."""
        with self._bench() as bench:
            patience = round(self.settles_within_seconds * 1000)
            deadline = _now_ms() + 300 + patience
            deadline += max(0, 250 - deadline % 1000)  # shows a store that rounds down to seconds
            bench.put(_KEY, b"short-lived", expires_at_ms=deadline)
            began = written = _now_ms()
            value = bench.get(_KEY)
            while (now := _now_ms()) < deadline:  # a read that ended later proves nothing
                if value != b"short-lived" and began >= written + patience:
                    raise AssertionError(f"gone {deadline - now} ms before its deadline")
                time.sleep(_PAUSE_SECONDS)
                began, value = _now_ms(), bench.get(_KEY)

    def test_the_same_bytes_written_again_renew_the_deadline(self) -> None:
        """Identical content is a write like any other: the later deadline counts."""
        with self._bench() as bench:
            # a whole second, where no store may round it up any further
            deadline = (_now_ms() + _MARGIN_MS) // 1000 * 1000 + 1000
            bench.put(_KEY, b"the same", expires_at_ms=deadline)
            bench.put(_KEY, b"the same")
            time.sleep(max(0, deadline + _MARGIN_MS - _now_ms()) / 1000)
            bench.expect(_KEY, b"the same")

    def test_an_expired_overwrite_does_not_bring_the_old_value_back(self) -> None:
        """A value whose deadline has passed may be gone at once; the one before it stays gone."""
        with self._bench() as bench:
            bench.put(_KEY, b"old")
            bench.put(_KEY, b"new", expires_at_ms=_now_ms() - 10_000)
            bench.expect(_KEY, b"new", None)

    def test_writers_at_once_leave_one_whole_value(self) -> None:
        """No write fails because of another, and every read is one whole value of some writer.

        When all are done, the value is the last one of some writer.
        """
        with self._bench() as bench:
            scripts = bench.scripts()
            bench.put(_KEY, scripts[0][0])
            bench.expect(_KEY, scripts[0][0])
            known = {value for script in scripts for value in script}
            strange = bench.race(_KEY, scripts) - known
            if strange:
                raise AssertionError(f"read {_brief(strange.pop())}, which nobody wrote")
            bench.expect(_KEY, *(script[-1] for script in scripts))

    def test_values_outlive_the_store(self) -> None:
        """What `put` acknowledged is there when the same data is opened again."""
        if not self.durable:
            pytest.skip("the store does not say that it is durable")
        with self._bench() as bench:
            bench.put("now", b"first")
            bench.put("now", _VALUES["every byte"])
            bench.put("nowhere", _VALUES["largest"])
            bench.reopen()
            bench.expect("now", _VALUES["every byte"])
            bench.expect("nowhere", _VALUES["largest"])
            bench.expect("no", None)

    @contextmanager
    def _bench(self) -> Iterator["_Bench"]:
        with asyncio.Runner() as runner:
            bench = _Bench(self, runner)
            try:
                yield bench
            finally:
                bench.close()


class _Bench:
    """One store under test, called the same way whether its calls block or are awaited."""

    def __init__(self, contract: StoreContract, runner: asyncio.Runner) -> None:
        self._contract = contract
        self._runner = runner
        self._store: AnyStore = self._run(contract.make_store)

    def get(self, key: str) -> bytes | None:
        value = self._run(partial(self._store.get, key))
        if value is not None and type(value) is not bytes:
            raise AssertionError(f"get gave {type(value).__name__}, not bytes")
        return value

    def put(self, key: str, value: bytes, *, expires_at_ms: int | None = None) -> None:
        self._run(partial(self._put, key, value, expires_at_ms))

    def expect(self, key: str, *allowed: bytes | None) -> None:
        """Require that the key has one of the values, at the latest when the store has settled."""
        settled_at = time.monotonic() + self._contract.settles_within_seconds
        settled = False
        while not settled:
            settled = time.monotonic() >= settled_at
            value = self.get(key)
            if value in allowed:
                return
            time.sleep(_PAUSE_SECONDS)
        wanted = " or ".join(sorted({_brief(each) for each in allowed}))
        raise AssertionError(f"read {_brief(value)}, not {wanted}")

    def scripts(self) -> list[list[bytes]]:
        """Give what each writer writes, value after value, all different."""
        writers, rounds = (_TASKS, 2) if self._is_async() else (_THREADS, 6)
        return [[_marked(writer, number) for number in range(rounds)] for writer in range(writers)]

    def race(self, key: str, scripts: Sequence[Sequence[bytes]]) -> set[bytes | None]:
        """Run all writers at once, with readers beside them; give what was read."""
        return self._run(partial(self._race, key, scripts))

    def reopen(self) -> None:
        self.close()
        self._store = self._run(partial(self._contract.reopen, self._store))

    def close(self) -> None:
        self._run(partial(self._contract.close_store, self._store))

    def _run(self, call: Callable[[], T | Awaitable[T]]) -> T:
        return self._runner.run(_settled(call))

    def _is_async(self) -> bool:
        return iscoroutinefunction(self._store.get)

    def _put(
        self, key: str, value: bytes, expires_at_ms: int | None = None
    ) -> Awaitable[None] | None:
        deadline = _now_ms() + _LONGEST_LIFE_MS if expires_at_ms is None else expires_at_ms
        return self._store.put(key, value, expires_at_ms=deadline)

    async def _race(self, key: str, scripts: Sequence[Sequence[bytes]]) -> set[bytes | None]:
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


async def _settled(call: Callable[[], T | Awaitable[T]], pool: Executor | None = None) -> T:
    """Make a call, in a thread of the pool if there is one, and await what can be awaited."""
    loop = asyncio.get_running_loop()
    result = call() if pool is None else await loop.run_in_executor(pool, call)
    return await result if isawaitable(result) else result


def _marked(writer: int, number: int) -> bytes:
    """Make a value of up to 36 KiB that shows at both ends, and between, whose it is."""
    return b"%03d/%03d " % (writer, number) * (1 + (writer * 769 + number * 1543) % 4096)


def _brief(value: object) -> str:
    """Describe a value in a few words: a failure must not print a megabyte."""
    if not isinstance(value, bytes):
        return repr(value)
    return f"{len(value)} bytes, beginning {value[:_SHOWN]!r}"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
