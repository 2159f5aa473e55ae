"""Records of many devices in a Redis Cluster of three shards: `python benchmarks/redis_cluster.py`.

Starts three servers on this machine, makes them a cluster, and writes the records of 300 devices,
each under its own prefix.  The output has the keys of each shard; reads per second of one client
process with 32 tasks, from the cluster and from one server; the servers' processor time per read;
and how many devices can be read after one shard was killed, by `cluster-require-full-coverage`.
"""

import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import redis
import redis.asyncio
import redis.asyncio.cluster
from http_load import pinned, window_value
from measuring import free_port

from devicestatus import limits
from devicestatus.adapters.redis import AsyncRedisStore

SHARDS: Final = 3
DEVICES: Final = 300
SERVICES: Final = 30
"""Devices that are read after a shard was killed."""
READS: Final = 20_000
TASKS: Final = 32
ROUNDS: Final = 5
PERSISTENT: Final = 4_000_000_000_000
WAIT_SECONDS: Final = 30
WAIT_OF_STORE_SECONDS: Final = 5.0
BUS_OFFSET: Final = 10_000
"""The port of the bus of a cluster is this much above the port of its node."""

AnyClient = redis.asyncio.Redis | redis.asyncio.cluster.RedisCluster


@attrs.frozen
class Server:
    """One Redis server."""

    port: int
    process: subprocess.Popen[bytes]

    def command(self, *arguments: str) -> Any:  # noqa: ANN401 - replies have any type
        """Send a command; return the reply."""
        with redis.Redis(port=self.port, socket_timeout=WAIT_SECONDS) as client:
            return client.execute_command(*arguments)

    def processor_seconds(self) -> float:
        """Return the processor time that the server has used."""
        info = self.command("INFO", "cpu")
        return float(info["used_cpu_user"] + info["used_cpu_sys"])


@contextmanager
def servers(count: int, folder: Path, *options: str) -> Iterator[list[Server]]:
    """Run Redis servers without persistence on the second processor."""
    with ExitStack() as stack:
        started = []
        for port in free_ports(count):
            home = folder / str(port)
            home.mkdir()
            command = [
                *(*pinned(1), "redis-server", "--bind", "127.0.0.1", "--port", str(port)),
                *("--dir", str(home), "--save", "", "--appendonly", "no", *options),
            ]
            process = stack.enter_context(
                subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603
            )
            stack.callback(process.kill)
            started.append(Server(port, process))
        for server in started:
            wait_until(partial(server.command, "PING"))
        yield started


@contextmanager
def cluster(folder: Path, *, full_coverage: str) -> Iterator[list[Server]]:
    """Run a cluster of three shards without replicas."""
    options = ("--cluster-enabled", "yes", "--cluster-require-full-coverage", full_coverage)
    node_timeout = ("--cluster-node-timeout", "2000")
    with servers(SHARDS, folder, *options, *node_timeout) as nodes:
        addresses = [f"127.0.0.1:{node.port}" for node in nodes]
        command = ["redis-cli", "--cluster", "create", *addresses, "--cluster-yes"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        for node in nodes:
            wait_until(partial(is_ready, node))
        yield nodes


def is_ready(node: Server) -> bool:
    """Check whether a node serves its cluster."""
    return b"cluster_state:ok" in node.command("CLUSTER", "INFO")


def free_ports(count: int) -> Sequence[int]:
    """Return free ports that leave room for the bus."""
    found: set[int] = set()
    while len(found) < count:
        found.add(free_port() - BUS_OFFSET)
    return sorted(found)


def wait_until(check: Callable[[], object]) -> None:
    """Return when a check is true and raises nothing."""
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        try:
            if check():
                return
        except redis.RedisError:
            pass
        time.sleep(0.05)
    raise TimeoutError("the servers do not start")


def stores_of(client: AnyClient) -> list[AsyncRedisStore]:
    """Return the store of each device."""
    return [AsyncRedisStore(client, prefix=f"device-{number}:") for number in range(DEVICES)]


async def write(stores: Sequence[AsyncRedisStore], record: bytes) -> None:
    """Write the record of each device."""
    for store in stores:
        await store.put(limits.STORE_KEY, record, expires_at_ms=PERSISTENT)


async def read(stores: Sequence[AsyncRedisStore]) -> list[float]:
    """Read all devices in turn with 32 tasks; return the seconds of each read."""
    seconds: list[float] = []
    numbers = iter(range(READS))

    async def reads() -> None:
        for number in numbers:
            start = time.perf_counter()
            value = await stores[number % DEVICES].get(limits.STORE_KEY)
            seconds.append(time.perf_counter() - start)
            if value is None:
                raise ValueError("no record")

    async with asyncio.TaskGroup() as tasks:
        for _ in range(TASKS):
            tasks.create_task(reads())
    return seconds


async def is_readable(store: AsyncRedisStore) -> bool:
    """Check whether the record of a device can be read."""
    try:
        return await store.get(limits.STORE_KEY) is not None
    except redis.RedisError:
        return False


async def measure(single: Server, nodes: Sequence[Server], record: bytes) -> None:
    """Measure reads from one server and from the cluster in turn."""
    clients: dict[str, AnyClient] = {
        "one server": redis.asyncio.Redis(port=single.port),
        "three shards": redis.asyncio.cluster.RedisCluster("127.0.0.1", nodes[0].port),
    }
    behind = {"one server": [single], "three shards": list(nodes)}
    rates: dict[str, list[float]] = {name: [] for name in clients}
    slowest: dict[str, list[float]] = {name: [] for name in clients}
    used: dict[str, list[float]] = {name: [] for name in clients}
    for client in clients.values():
        await write(stores_of(client), record)
    print("keys of the shards:", [node.command("DBSIZE") for node in nodes])
    for _ in range(ROUNDS):
        for name, client in clients.items():
            before = [server.processor_seconds() for server in behind[name]]
            start = time.perf_counter()
            seconds = sorted(await read(stores_of(client)))
            rates[name].append(READS / (time.perf_counter() - start))
            slowest[name].append(seconds[int(0.99 * (READS - 1))] * 1e3)
            after = [server.processor_seconds() for server in behind[name]]
            spent = [late - early for late, early in zip(after, before, strict=True)]
            used[name].append(sum(spent) / READS * 1e6)
            last = [round(each / sum(spent), 2) for each in spent]
            if name == "three shards":
                shares = last
    for name in clients:
        rate, p99, cost = map(statistics.median, (rates[name], slowest[name], used[name]))
        print(
            f"{name:<14} {rate:8,.0f} reads per second by one process, p99 {p99:5.1f} ms,"
            f" {cost:5.1f} us of a server's processor per read: {1e6 / cost:,.0f} per second a core"
        )
    print("share of the processor time by shard:", shares)
    for client in clients.values():
        await client.aclose()


async def lose_a_shard(nodes: Sequence[Server], record: bytes) -> tuple[int, float]:
    """Kill a shard; return how many devices can be read, and the longest time of a read in s.

    Each device has a client of its own, as each service does, connected before.
    """
    clients = [
        redis.asyncio.cluster.RedisCluster(
            "127.0.0.1", nodes[0].port, socket_timeout=1, socket_connect_timeout=1
        )
        for _ in range(SERVICES)
    ]
    stores = [
        AsyncRedisStore(client, prefix=f"device-{number}:", wait_seconds=WAIT_OF_STORE_SECONDS)
        for number, client in enumerate(clients)
    ]
    await write(stores, record)
    nodes[-1].process.kill()
    await asyncio.sleep(5)  # more than the time-out of the nodes
    count, longest = 0, 0.0
    for store in stores:
        start = time.perf_counter()
        count += await is_readable(store)
        longest = max(longest, time.perf_counter() - start)
    for client in clients:
        await client.aclose()
    return count, longest


def main() -> None:
    """Measure and print."""
    print(f"load of the machine: {os.getloadavg()}")
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    record = window_value()
    print(f"{DEVICES} records of {len(record):,} bytes")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with servers(1, folder) as single, cluster(folder, full_coverage="yes") as nodes:
            asyncio.run(measure(single[0], nodes, record))
        for full_coverage in ("yes", "no"):
            with cluster(folder, full_coverage=full_coverage) as nodes:
                count, longest = asyncio.run(lose_a_shard(nodes, record))
            print(
                f"one shard killed, cluster-require-full-coverage {full_coverage}: {count} of"
                f" {SERVICES} devices can be read; the slowest answer took {longest:.1f} s"
            )


if __name__ == "__main__":
    main()
