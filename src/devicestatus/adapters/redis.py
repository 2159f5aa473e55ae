"""Stores in Redis or Valkey (6.2 or newer), for deployments of more than one machine.

Invariant *never early*: a key expires at its deadline rounded up to a whole second, as the server's
clock has it; keep that clock synchronised, as those of the machines that ask.
Invariant *bytes stay bytes*: a client that decodes its answers is refused.

How long an acknowledged write lasts is up to the server: `appendonly yes` with `appendfsync always`
syncs before it answers and loses nothing; `appendfsync everysec` may lose the last second, but only
when the machine stops; snapshots (RDB) may lose minutes; without either everything ends with the
server.  A replica that takes over may lack the last writes of the one that failed.

All this is about one key that is written every half minute at most.  A deployment that outgrows one
machine gives the stores a Redis Cluster: pass `RedisCluster` clients in place of `Redis` ones.

A threaded front end uses `RedisStore` from any number of threads and may fork; an event loop uses
`AsyncRedisStore`, one for each loop, because the connections belong to the loop that opened them.
"""

import asyncio
from collections.abc import Awaitable
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast

import redis.asyncio
import redis.asyncio.cluster
import redis.asyncio.retry
import redis.cluster
from redis.backoff import NoBackoff
from redis.retry import Retry

__all__ = ["AsyncRedisStore", "RedisStore"]

_PREFIX: Final = "devicestatus:"
_WAIT_SECONDS: Final = 5.0  # a reader waits for the answer
_CONNECTIONS: Final = 50  # the pools of redis-py refuse what is more; these let it wait
_RETRIES: Final = 1  # for a pooled connection that a server's restart has cut

T = TypeVar("T")


class RedisStore:
    """A store that blocks its thread while Redis answers; raises redis.RedisError on failure."""

    def __init__(
        self, client: redis.Redis | redis.cluster.RedisCluster, *, prefix: str = _PREFIX
    ) -> None:
        """Take a client; its time-outs and retries are the caller's choice.

        Args:
            client: it must not decode responses.
            prefix: what stands before each key, so that one server may serve several deployments.

        Raises:
            ValueError: the client decodes responses.

        """
        _refuse_decoding(decodes=client.get_encoder().decode_responses)
        self._client = client
        self._prefix = prefix

    @classmethod
    def from_url(
        cls, url: str, *, prefix: str = _PREFIX, wait_seconds: float = _WAIT_SECONDS
    ) -> Self:
        """Return a store with a client of its own.

        Up to 50 calls run at once.  A connection that the server has closed is opened again once.

        Args:
            url: that of redis-py: `redis://`, `rediss://` (TLS) or `unix://`; options in its
                query, such as `?socket_timeout=2` and `?max_connections=10`, win.
            prefix: what stands before each key.
            wait_seconds: after which a call fails: a fifth is for its turn, two fifths are for
                the connection (each address of the host has them) and two for the answer.

        """
        pool = redis.BlockingConnectionPool.from_url(
            url, **_limits(wait_seconds), retry=Retry(NoBackoff(), _RETRIES, _RETRIED)
        )
        return cls(redis.Redis.from_pool(pool), prefix=prefix)

    def get(self, key: str) -> bytes | None:
        """Give the value of the key, or None."""
        return cast("bytes | None", self._client.get(self._prefix + key))

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key together with its expiry, in one command."""
        self._client.set(self._prefix + key, value, exat=_whole_seconds(expires_at_ms))

    def close(self) -> None:
        """Close the connections of the client."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncRedisStore:
    """The same store for an event loop."""

    def __init__(
        self,
        client: redis.asyncio.Redis | redis.asyncio.cluster.RedisCluster,
        *,
        prefix: str = _PREFIX,
        wait_seconds: float | None = None,
    ) -> None:
        """Take a client, as `RedisStore` does.

        Args:
            client: it must not decode responses.
            prefix: what stands before each key.
            wait_seconds: after which a call fails; None leaves that to the client.

        Raises:
            ValueError: the client decodes responses.

        """
        _refuse_decoding(decodes=client.get_encoder().decode_responses)
        self._client = client
        self._prefix = prefix
        self._wait_seconds = wait_seconds

    @classmethod
    def from_url(
        cls, url: str, *, prefix: str = _PREFIX, wait_seconds: float = _WAIT_SECONDS
    ) -> Self:
        """Return a store with a client of its own, as `RedisStore.from_url` does."""
        pool = redis.asyncio.BlockingConnectionPool.from_url(
            url,
            **_limits(wait_seconds),
            retry=redis.asyncio.retry.Retry(NoBackoff(), _RETRIES, _RETRIED),
        )
        client = redis.asyncio.Redis.from_pool(pool)
        return cls(client, prefix=prefix, wait_seconds=wait_seconds)

    async def get(self, key: str) -> bytes | None:
        """Give the value of the key, or None."""
        return cast("bytes | None", await self._within(self._client.get(self._prefix + key)))

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key together with its expiry, in one command."""
        until = _whole_seconds(expires_at_ms)
        await self._within(self._client.set(self._prefix + key, value, exat=until))

    async def _within(self, call: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(self._wait_seconds):
                return await call
        except TimeoutError as fault:
            raise redis.TimeoutError("the server did not answer in time") from fault

    async def aclose(self) -> None:
        """Close the connections of the client."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()


_RETRIED: Final = (redis.ConnectionError,)
"""What is worth a second attempt: a server that did not answer in time would not this time."""


def _limits(wait_seconds: float) -> dict[str, Any]:
    """Return the options of a pool whose calls end within `wait_seconds`."""
    return {
        "max_connections": _CONNECTIONS,
        "timeout": wait_seconds / 5,
        "socket_timeout": wait_seconds * 2 / 5,
        "socket_connect_timeout": wait_seconds * 2 / 5,
    }


def _refuse_decoding(*, decodes: bool) -> None:
    if decodes:  # otherwise every answer is bytes, which the casts above rely on
        raise ValueError("the client must not decode responses: values are bytes")


def _whole_seconds(milliseconds: int) -> int:
    """Round up: the store may keep a value longer, never shorter."""
    return -(-milliseconds // 1000)
