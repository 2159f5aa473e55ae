"""Memory and latency with 10,000 profiles in a bucket: `python benchmarks/health_bucket.py`.

Three processes: a server of the part of S3's protocol that is used, which waits 20 ms before each
response; the service under uvicorn; and this one with 8 connections.  Profiles have a year of data
each.  Clients ask for profiles by Zipf's law (the first 100 times as often as the hundredth), each
for one of four responses.  A response that takes longer than two requests to the bucket waited for
a read: a list, then five objects, then parsing.
"""

import argparse
import asyncio
import http.client
import itertools
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

import psutil
import uvicorn
from health_data import profile_files
from measuring import free_port, running, show_latencies

from purewire.adapters.asgi import Receive, Scope, Send

ROOT = "/api/public/v1"
TARGETS = ("/overview", "/dashboard", "/series/daily?limit=30", "/charts/overview-trend.svg")
DAYS = 365
VARIANTS = 40
"""Different contents; profiles share them, so that the stand-in stays small."""
LATENCY_SECONDS = 0.02
PAGE = 1000
"""Entries of a page of a list, as in S3."""
CONNECTIONS = 8
SERVICE = (
    "import os, sys, uvicorn; from healthapi.adapters.asgi import create_app;"
    "from healthapi.adapters.bucket import BucketSource; import gc; gc.collect(); gc.freeze();"
    "source = BucketSource('s3://health/people', max_bytes=int(sys.argv[2]) * 2**20);"
    "uvicorn.run(create_app(source), port=int(sys.argv[1]), log_level='error')"
)


@cache
def files(variant: int) -> dict[str, bytes]:
    """Return the objects of a profile."""
    return profile_files(DAYS, variant)


def name(number: int) -> str:
    """Return the id of a profile."""
    return f"p{number:05}"


def found(key: str, count: int) -> tuple[bytes, str] | None:
    """Return content and ETag of an object."""
    _, _, path = key.partition("people/")
    profile, _, file = path.partition("/")
    if not profile[1:].isdecimal() or not 0 <= int(profile[1:]) < count:
        return None
    variant = int(profile[1:]) % VARIANTS
    data = files(variant).get(file)
    return None if data is None else (data, f'"{variant}-{file}"')


def listed(query: dict[str, list[str]], count: int) -> bytes:
    """Return a page of a list: the folders of all profiles, or the objects of one."""
    prefix = query.get("prefix", [""])[0]
    start = int(query.get("continuation-token", ["0"])[0])
    if "delimiter" in query:
        numbers = range(start, min(start + PAGE, count))
        body = "".join(
            f"<CommonPrefixes><Prefix>people/{name(each)}/</Prefix></CommonPrefixes>"
            for each in numbers
        )
        more = numbers.stop < count
        token = f"<NextContinuationToken>{numbers.stop}</NextContinuationToken>" if more else ""
    else:
        profile = prefix.split("/")[1]
        objects = {each: found(f"people/{profile}/{each}", count) for each in files(0)}
        body = "".join(
            f"<Contents><Key>people/{profile}/{file}</Key><Size>{len(each[0])}</Size>"
            f"<LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            f"<ETag>{escape(each[1])}</ETag></Contents>"
            for file, each in objects.items()
            if each is not None
        )
        more, token = False, ""
    state = f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}"
    return f"<ListBucketResult>{state}{body}</ListBucketResult>".encode()


def bucket_server(port: int, count: int) -> None:
    """Serve the bucket."""
    for variant in range(VARIANTS):
        files(variant)

    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        await asyncio.sleep(LATENCY_SECONDS)
        query = parse_qs(scope["query_string"].decode())
        status, headers, body = 200, [], b""
        if "list-type" in query:
            body = listed(query, count)
        elif (each := found(scope["path"], count)) is None:
            status = 404
        else:
            body = each[0]
            headers = [
                (b"etag", each[1].encode()),
                (b"last-modified", b"Thu, 01 Jan 2026 00:00:00 GMT"),
            ]
        headers.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    uvicorn.run(app, port=port, log_level="error", lifespan="off")


def ask(connection: http.client.HTTPConnection, path: str) -> int:
    """Return the bytes of a response; raise RuntimeError if it is an error."""
    connection.request("GET", path)
    response = connection.getresponse()
    size = len(response.read())
    if response.status != http.client.OK:
        raise RuntimeError(f"{path}: {response.status}")
    return size


def client(port: int, count: int, seed: int, end: float) -> list[tuple[float, str]]:
    """Ask until the time is over; return seconds and path of each request."""
    source = random.Random(seed)  # noqa: S311 - data for measuring
    weights = list(itertools.accumulate(1 / rank for rank in range(1, count + 1)))
    order = list(range(count))
    random.Random(0).shuffle(order)  # noqa: S311
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    taken = []
    while time.monotonic() < end:
        (number,) = source.choices(order, cum_weights=weights)
        path = f"{ROOT}/profiles/{name(number)}{source.choice(TARGETS)}"
        start = time.perf_counter()
        ask(connection, path)
        taken.append((time.perf_counter() - start, name(number)))
    return taken


def main() -> None:
    """Measure as the arguments request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", type=int, default=10_000)
    parser.add_argument("--memory", type=int, nargs="+", default=[64, 512], help="MiB of profiles")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each round")
    parser.add_argument("--serve-bucket", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    count = arguments.profiles
    if arguments.serve_bucket:
        bucket_server(arguments.serve_bucket, count)
        return
    bucket = free_port()
    stand_in = [sys.executable, __file__, "--serve-bucket", str(bucket), "--profiles", str(count)]
    with running(stand_in, bucket):
        environ = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{bucket}",
            "AWS_ACCESS_KEY_ID": "any",
            "AWS_SECRET_ACCESS_KEY": "any",
            "AWS_REGION": "us-east-1",
        }
        for memory in arguments.memory:
            port = free_port()
            command = [sys.executable, "-c", SERVICE, str(port), str(memory)]
            with running(command, port, **environ) as process_id:
                process = psutil.Process(process_id)
                measure(process, port, count, memory, arguments.seconds)


def measure(process: psutil.Process, port: int, count: int, memory: int, seconds: float) -> None:
    """Measure one service."""
    start = process.memory_info().rss
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        end = time.monotonic() + seconds
        taken = [pool.submit(client, port, count, seed, end) for seed in range(CONNECTIONS)]
        every = [each for future in taken for each in future.result()]
    rss = process.memory_info().rss
    cold = [each for each, _ in every if each > 2 * LATENCY_SECONDS]
    rate = len(every) / seconds
    print(f"\n{count} profiles, {memory} MiB for them, {rate:.0f} requests a second")
    show_latencies("all", [each for each, _ in every])
    show_latencies("longer than a read (cold)", cold)
    show_latencies("others", [each for each, _ in every if each <= 2 * LATENCY_SECONDS])
    print(f"  profiles asked for: {len({each for _, each in every})}")
    print(f"  memory: {start / 2**20:.0f} MiB at the start, {rss / 2**20:.0f} MiB at the end")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    for title in ("list of profiles, first", "list of profiles, again"):
        begin = time.perf_counter()
        size = ask(connection, f"{ROOT}/profiles")
        print(f"  {title}: {time.perf_counter() - begin:.2f} s, {size / 2**20:.1f} MiB", flush=True)


if __name__ == "__main__":
    main()
