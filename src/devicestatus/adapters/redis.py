"""The store in Redis or Valkey (6.2 or newer), for deployments of more than one machine.

Invariant *never early*: a key expires at its deadline rounded up to a whole second, by the server's
clock; keep that clock synchronised with those of the machines that run the service.
Invariant *values are bytes*: a client that decodes responses is refused.

The durability of an acknowledged write depends on the server: `docs/reference/stores.md` lists it.
A deployment that outgrows one machine passes a `RedisCluster` client in place of a `Redis` one.
Each event loop has a store of its own, because connections belong to the loop that opened them.
"""

import asyncio
from collections.abc import Awaitable
from typing import Final, Self, TypeVar, cast

import redis.asyncio
import redis.asyncio.cluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

__all__ = ["AsyncRedisStore"]

_PREFIX: Final = "devicestatus:"
_WAIT_SECONDS: Final = 5.0  # a reader waits for the response
_CONNECTIONS: Final = 50  # further calls wait; the default pools of redis-py refuse them
_RETRIES: Final = 1  # for a pooled connection that a restart of the server has closed
_RETRIED: Final = (redis.ConnectionError,)
"""Errors worth a second attempt; a server that timed out would probably time out again."""

T = TypeVar("T")


class AsyncRedisStore:
    """A store for an event loop; raises redis.RedisError on failure."""

    def __init__(
        self,
        client: redis.asyncio.Redis | redis.asyncio.cluster.RedisCluster,
        *,
        prefix: str = _PREFIX,
        wait_seconds: float | None = None,
    ) -> None:
        """Use a client; the caller sets its time-outs and retries.

        Args:
            client: it must not decode responses, else ValueError.
            prefix: prefix of each key, so that one server may serve several deployments.
            wait_seconds: time limit of a call; None for that of the client.

        """
        if client.get_encoder().decode_responses:  # the cast below relies on bytes
            raise ValueError("values are bytes: create the client with decode_responses=False")
        self._client = client
        self._prefix = prefix
        self._wait_seconds = wait_seconds

    @classmethod
    def from_url(
        cls, url: str, *, prefix: str = _PREFIX, wait_seconds: float = _WAIT_SECONDS
    ) -> Self:
        """Return a store with a client of its own.

        Up to 50 calls run at once.  A connection that the server has closed is opened again once.

        Args:
            url: as in redis-py: `redis://`, `rediss://` (TLS) or `unix://`; options in its query,
                as `?socket_timeout=2` and `?max_connections=10`, take precedence.
            prefix: prefix of each key.
            wait_seconds: time limit of a call: a fifth for a free connection, two fifths to connect
                (for each address of the host) and two for the response.

        """
        pool = redis.asyncio.BlockingConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=wait_seconds / 5,
            socket_timeout=wait_seconds * 2 / 5,
            socket_connect_timeout=wait_seconds * 2 / 5,
            retry=Retry(NoBackoff(), _RETRIES, _RETRIED),
        )
        return cls(redis.asyncio.Redis.from_pool(pool), prefix=prefix, wait_seconds=wait_seconds)

    async def get(self, key: str) -> bytes | None:
        """Return the value of the key, or None."""
        return cast("bytes | None", await self._within(self._client.get(self._prefix + key)))

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key together with its expiry, in one command."""
        until = -(-expires_at_ms // 1000)  # rounded up: it may be kept longer, never shorter
        await self._within(self._client.set(self._prefix + key, value, exat=until))

    async def _within(self, call: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(self._wait_seconds):
                return await call
        except TimeoutError as error:
            raise redis.TimeoutError(f"no response within {self._wait_seconds} s") from error

    async def aclose(self) -> None:
        """Close the connections of the client."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
