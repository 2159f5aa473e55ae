"""The pages and all responses of many health profiles, on the cores of a cluster.

    pip install 'status-contracts[bucket]' distributed
    python health_pages.py s3://bucket/people s3://bucket/site
    python health_pages.py file:///srv/people file:///srv/site --cluster tcp://scheduler:8786

Each task reads some profiles and writes their files: the page, the charts and each response of the
API.  It returns only names, sizes and digests.  The time is an argument, so that every machine
writes the same bytes.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Final
from urllib.parse import quote

import obstore
from dask.distributed import Client, LocalCluster, as_completed

from healthapi.adapters.bucket import BucketSource, open_bucket
from healthapi.adapters.site import build_site, responses_of
from healthapi.http.endpoints import ENDPOINTS
from healthapi.profile import Profile
from purewire.pages.settings import DEFAULT_PAGE

BATCH: Final = 20
"""Profiles of a task: enough that starting it costs little."""
Written = tuple[str, int, str]
"""Id of a profile, number of its bytes, and their digest."""


def paths(profile: Profile) -> Iterator[str]:
    """Yield the paths of all responses of a profile."""
    for endpoint in ENDPOINTS:
        path, key = endpoint.path.replace("{profile_id}", profile.id), endpoint.key
        if not endpoint.of_profile:
            continue
        if key is None:
            yield path
            continue
        choices = key.choices
        if choices is None:  # of the data
            choices = () if profile.snapshot is None else tuple(profile.snapshot.endpoints)
        yield from (path.replace(f"{{{key.name}}}", quote(choice, safe="")) for choice in choices)


def publish(source: str, target: str, now: int, profile_ids: Sequence[str]) -> list[Written]:
    """Write the files of some profiles; return what was written of each."""
    profiles = BucketSource(source, clock=lambda: now)
    read = lru_cache(maxsize=1)(profiles.profile)  # one state for all files of a profile
    site = open_bucket(target)
    found: list[Written] = []
    for profile_id in profile_ids:
        files = dict(build_site(read, (profile_id,), DEFAULT_PAGE))
        profile = read(profile_id)
        ask = responses_of({profile_id: profile})
        for path in paths(profile):
            suffix = "" if path.endswith(".svg") else ".json"
            name = f"api{path.removeprefix(f'/profiles/{profile_id}')}{suffix}"
            files[name] = ask(path)
        digest = hashlib.sha256()
        for name, body in sorted(files.items()):
            digest.update(name.encode() + b"\0" + body)
            obstore.put(site, f"{profile_id}/{name}", body)
        found.append((profile_id, sum(map(len, files.values())), digest.hexdigest()))
    return found


def main() -> None:
    """Publish all profiles, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", help="URL of the folder of profiles")
    parser.add_argument("target", help="URL of the folder of the site")
    parser.add_argument("--now", type=int, default=time.time_ns() // 10**6, help="ms since 1970")
    parser.add_argument("--workers", type=int, default=2, help="processes; 0 for this one alone")
    parser.add_argument("--cluster", help="address of a scheduler, in place of processes")
    arguments = parser.parse_args()
    ids = BucketSource(arguments.source).ids()
    task = partial(publish, arguments.source, arguments.target, arguments.now)
    batches = [ids[at : at + BATCH] for at in range(0, len(ids), BATCH)]
    if arguments.cluster:
        with Client(arguments.cluster) as client:
            start, written = time.perf_counter(), on_cluster(client, task, batches)
    elif arguments.workers:
        with (
            LocalCluster(
                n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            Client(cluster) as client,
        ):
            start, written = time.perf_counter(), on_cluster(client, task, batches)
    else:
        start = time.perf_counter()
        written = [each for batch in batches for each in task(batch)]
    seconds = time.perf_counter() - start
    total = hashlib.sha256(repr(sorted(written)).encode()).hexdigest()
    report = {"profiles": len(written), "bytes": sum(size for _, size, _ in written)}
    sys.stdout.write(json.dumps({**report, "digest": total, "seconds": round(seconds, 2)}) + "\n")


def on_cluster(
    client: Client, task: "partial[list[Written]]", batches: list[tuple[str, ...]]
) -> list[Written]:
    """Run a task for each batch; raise the error of the first that fails."""
    futures = client.map(task, batches, pure=False)
    return [each for future in as_completed(futures) for each in future.result()]


if __name__ == "__main__":
    main()
